"""The compile policy: the only file that names numba.

A *kernel* is a function over arrays and NamedTuples of arrays, compiled, cached on disk and run without
the interpreter's lock. An *open kernel* is one name with an implementation for each NamedTuple type of
its first argument; kernels call it and the compiler picks by type, so that search code is written once
for every kind of statistics and stays cacheable. `uncompiled` gives the same text run by Python, for
statistics that no compiler can see (a user's own test). With ``NUMBA_DISABLE_JIT=1``, and after
`stop_compiling`, everything is Python; after the latter without the time that numba takes to import.
"""

from __future__ import annotations

import functools
import gc
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, Protocol, cast

__all__ = [
    "Kernel",
    "OpenKernel",
    "address_of",
    "cached_files",
    "caller_of",
    "collect_rarely",
    "has_compiler",
    "kernel",
    "lean_kernel",
    "lean_open_kernel",
    "open_kernel",
    "part",
    "stop_compiling",
    "uncompiled",
]

Kernel = Callable[..., Any]

# division follows IEEE rules: branches that raise take long to compile
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_kernels: list[Any] = []
_COLLECT_AFTER = 100_000  # objects made; Python's own is 700
_without_jit: list[Kernel] = []  # where nothing is compiled, a place in here stands for an address
_compiling: bool | None = None  # known once the first kernel is imported


def stop_compiling() -> bool:
    """Let Python run the kernels of this process and say whether it does: not if it has compiled ones."""
    global _compiling
    if not _compiling:
        _compiling = False
    return not _compiling


def has_compiler() -> bool:
    """Whether kernels are compiled in this process."""
    global _compiling
    if _compiling is None:
        from numba.core import config

        _compiling = not config.DISABLE_JIT  # type: ignore[attr-defined]
    return _compiling


def kernel(function: Kernel) -> Kernel:
    """Compile a function of arrays."""
    return _cached(function, counts=True)


def lean_kernel(function: Kernel) -> Kernel:
    """Compile a kernel that makes no arrays and gives none back.

    Elsewhere each array of a NamedTuple is counted in and out at each call, atomically, which took half the
    time of the last search. Kernels that it calls may make arrays for themselves.
    """
    return _cached(function, counts=False)


def _cached(function: Kernel, counts: bool) -> Kernel:
    if not has_compiler():
        return function
    import numba

    # numba's runtime, or not; said in each case, as what isn't said is taken over from the caller
    options: dict[str, Any] = {"cache": True, "_nrt": counts, **_OPTIONS}
    compiled = numba.njit(**options)(function)
    _kernels.append(cast(Any, compiled))
    return compiled


def part(function: Kernel) -> Kernel:
    """Compile a function into each kernel that calls it: for a text with one caller.

    A kernel is compiled by itself and again, with all it calls, within each of its callers.
    """
    if not has_compiler():
        return function
    import numba

    return numba.njit(inline="always", **_OPTIONS)(function)


@functools.cache
def address_of(function: Kernel, signature: str) -> int:
    """Compile a kernel for a signature, as numba writes it, and give where it lies in this process."""
    if not has_compiler():
        if function not in _without_jit:
            _without_jit.append(function)
        return _without_jit.index(function)
    from numba.core import sigutils

    arguments, _ = sigutils.normalize_signature(signature)
    dispatcher = cast(Any, function)
    dispatcher.compile(arguments)
    compiled = dispatcher.overloads[arguments]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def caller_of(signature: str) -> Kernel:
    """Make a function for kernels, ``call(address, arguments)``, that runs what lies at an address.

    A kernel called by its name is compiled again within its caller, with all that it calls; a large one
    takes seconds each time. One that is given by its address is compiled once.

    Parameters
    ----------
    signature : str
        As numba writes it, with the result: ``"float64(int8[:, ::1], int64)"``. That of `address_of`.
    """
    if not has_compiler():
        return lambda address, arguments: _without_jit[address](*arguments)
    from numba.core import cgutils, sigutils
    from numba.extending import intrinsic

    kinds, result = sigutils.normalize_signature(signature)

    def generate(context: Any, builder: Any, site: Any, values: Any) -> Any:
        given = zip(cgutils.unpack_tuple(builder, values[1]), site.args[1].types, kinds, strict=True)
        arguments = [context.cast(builder, value, kind, wanted) for value, kind, wanted in given]
        convention = context.call_conv
        pointer = convention.get_function_type(result, kinds).as_pointer()
        function = builder.inttoptr(values[0], pointer)
        status, value = convention.call_function(builder, function, result, kinds, arguments)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return value

    @intrinsic
    def call(typing: Any, address: Any, arguments: Any) -> Any:
        return result(address, arguments), generate

    return cast(Kernel, call)


def cached_files() -> list[Path]:
    """Give one file of each folder in which kernels imported so far are kept."""
    folders = sorted({Path(kernel._cache.cache_path) for kernel in _kernels})
    ending = f".py{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}.nbi"
    files = [sorted(folder.glob(f"*{ending}")) for folder in folders]
    return [found[0] for found in files if found]


def collect_rarely() -> None:
    """Let this process look for garbage less often while it compiles.

    What the compiler makes mostly stays, and looking through it again and again takes a tenth of its time.
    """
    gc.set_threshold(_COLLECT_AFTER, *gc.get_threshold()[1:])


class OpenKernel(Protocol):
    """A kernel to which implementations can be added."""

    implementations: dict[type, Kernel]

    def __hash__(self) -> int:
        """Hash by identity, as functions do."""

    def __call__(self, first: Any, *rest: Any) -> Any:
        """Run the implementation for the type of the first argument."""

    def register(self, kind: type) -> Callable[[Kernel], Kernel]:
        """Add an implementation for a NamedTuple type."""


def open_kernel(signature: Kernel) -> OpenKernel:
    """Make one name that dispatches on the NamedTuple type of its first argument.

    The function given carries the signature and the docstring; its body is never run. Implementations
    are added by ``@name.register(Type)`` and must take the same argument names.
    """
    return _opened(signature, counts=True)


def lean_open_kernel(signature: Kernel) -> OpenKernel:
    """Make an open kernel whose implementations make no arrays themselves, see `lean_kernel`."""
    return _opened(signature, counts=False)


def _opened(signature: Kernel, counts: bool) -> OpenKernel:
    implementations: dict[type, Kernel] = {}

    @functools.wraps(signature)
    def dispatch(first: Any, *rest: Any) -> Any:
        return implementations[type(first)](first, *rest)

    def register(kind: type) -> Callable[[Kernel], Kernel]:
        def add(function: Kernel) -> Kernel:
            implementations[kind] = function
            return function

        return add

    opened = cast(OpenKernel, dispatch)
    opened.register = register  # type: ignore[method-assign]
    opened.implementations = implementations

    if has_compiler():
        _let_kernels_choose(dispatch, signature, implementations, {"_nrt": counts, **_OPTIONS})
    return opened


def _let_kernels_choose(
    dispatch: Kernel, signature: Kernel, implementations: dict[type, Kernel], options: dict[str, Any]
) -> None:
    from numba.extending import overload

    names = ", ".join(inspect.signature(signature).parameters)
    first = names.split(",")[0]
    scope: dict[str, Any] = {"implementations": implementations}
    # overload() checks that chooser and implementation share argument names, so the chooser is written out
    exec(
        f"def choose({names}):\n    kind = getattr({first}, 'instance_class', None)\n"
        "    return implementations.get(kind)",
        scope,
    )
    overload(dispatch, strict=False, jit_options=cast(Any, options))(scope["choose"])


@functools.cache
def uncompiled(function: Kernel) -> Kernel:
    """Give the text of a kernel as a Python function whose kernels are Python functions too."""
    return _twin(function, {})


def _twin(function: Any, made: dict[int, Any]) -> Any:
    if id(function) in made:
        return made[id(function)]
    if hasattr(function, "implementations"):
        made[id(function)] = functools.partial(_dispatch_twin, function.implementations, made)
        return made[id(function)]
    text = getattr(function, "py_func", function)
    scope = dict(text.__globals__)
    twin = FunctionType(text.__code__, scope, text.__name__, text.__defaults__, text.__closure__)
    made[id(function)] = twin
    for name in text.__code__.co_names:
        value = scope.get(name)
        if hasattr(value, "py_func") or hasattr(value, "implementations"):
            scope[name] = _twin(value, made)
    return twin


def _dispatch_twin(implementations: dict[type, Kernel], made: dict[int, Any], first: Any, *rest: Any) -> Any:
    return _twin(implementations[type(first)], made)(first, *rest)
