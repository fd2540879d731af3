import gc
import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest

from rolearn.runtime.compile import (
    address_of,
    caller_of,
    collect_rarely,
    kernel,
    lean_kernel,
    lean_open_kernel,
    open_kernel,
    uncompiled,
)

pytestmark = pytest.mark.pure


class Doubled(NamedTuple):
    values: np.ndarray


class Shifted(NamedTuple):
    values: np.ndarray
    by: float


class Asked(NamedTuple):
    function: object


@open_kernel
def value_at(source, i):
    """Give a value."""


@kernel
def twice(value):
    return 2.0 * value


@value_at.register(Doubled)
def doubled_at(source, i):
    return twice(source.values[i])


@value_at.register(Shifted)
def shifted_at(source, i):
    return source.values[i] + source.by


@value_at.register(Asked)
def asked_at(source, i):
    return twice(source.function(i))


@kernel
def total(source, n):
    found = 0.0
    for i in range(n):
        found += value_at(source, i)
    return found


def test_the_type_of_the_first_argument_chooses_the_implementation():
    values = np.arange(4.0)
    assert total(Doubled(values), 4) == 12.0
    assert total(Shifted(values, 0.5), 4) == 8.0
    assert value_at(Shifted(values, 0.5), 1) == 1.5


def test_uncompiled_runs_the_same_text_with_what_no_compiler_sees():
    assert uncompiled(total)(Asked(lambda i: i + 0.5), 4) == 16.0
    values = np.arange(4.0)
    assert uncompiled(total)(Doubled(values), 4) == total(Doubled(values), 4)


class Held(NamedTuple):
    values: np.ndarray
    more: np.ndarray


@lean_open_kernel
def largest_of(source, n):
    """Give a value."""


@largest_of.register(Held)
def largest_held(source, n):
    largest = source.more[0]
    for i in range(n):
        largest = max(largest, source.more[i])
    return largest


@kernel
def middle(values):
    return np.sort(values)[len(values) // 2]  # makes an array


@lean_kernel
def middle_and_largest(source, n):
    part = source.values[:n]
    return middle(part) + largest_of(source, n)


def test_a_lean_kernel_calls_kernels_that_make_arrays_and_holds_on_to_nothing():
    held = Held(np.array([3.0, 1.0, 2.0, 9.0]), np.array([1.0, 7.0, 5.0, 9.0]))
    before = sys.getrefcount(held.values), sys.getrefcount(held.more)
    assert [middle_and_largest(held, 3) for _ in range(1000)] == [9.0] * 1000
    assert (sys.getrefcount(held.values), sys.getrefcount(held.more)) == before


COLD = """
import numpy as np, rolearn
from rolearn.estimators import ROL
from rolearn.runtime.compile import cached_files
before = len(cached_files())
ROL().fit(np.random.default_rng(0).standard_normal((50, 3)))
print(before, len(cached_files()))
"""


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_first_fit_fills_the_cache(tmp_path):
    said = subprocess.run(
        [sys.executable, "-c", COLD],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    before, after = map(int, said.stdout.split())
    assert before == 0
    assert after > 3  # a file of each room's folder


def test_without_a_compiler_nothing_is_kept():
    said = subprocess.run(
        [sys.executable, "-c", COLD],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.split() == ["0", "0"]


SHARES = "Tuple((float64, bool_))(float64[::1], int64)"


@kernel
def shares(values, n):
    return values[:n].sum() / values.sum(), n == len(values)


share_at = caller_of(SHARES)


@kernel
def half_of_share(address, values, n):
    share, whole = share_at(address, (values, n))
    return share / 2.0, whole


@pytest.mark.parametrize(("n", "expected"), [(1, (0.125, False)), (3, (0.5, True))])
def test_a_kernel_is_called_at_its_address(n, expected):
    values = np.array([1.0, 1.0, 2.0])
    assert half_of_share(address_of(shares, SHARES), values, n) == expected


def test_an_address_stays_while_the_process_lives():
    first = address_of(shares, SHARES)
    address_of.cache_clear()
    second = address_of(shares, SHARES)
    values = np.ones(2)
    assert half_of_share(first, values, 1) == half_of_share(second, values, 1) == (0.25, False)
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        assert first == second


def test_whoever_compiles_much_collects_garbage_rarely():
    before = gc.get_threshold()
    try:
        collect_rarely()
        assert gc.get_threshold()[0] >= 10 * 700
        assert gc.get_threshold()[1:] == before[1:]
        assert gc.isenabled()
    finally:
        gc.set_threshold(*before)


STOPPED = """
import sys
if {imported}:
    import rolearn.estimators
from rolearn.runtime.compile import has_compiler, stop_compiling
print(stop_compiling(), has_compiler(), "numba" in sys.modules)
import numpy as np
from rolearn.estimators import learn
print(learn(np.random.default_rng(0).standard_normal((200, 4))).graph_.n_edges)
"""


@pytest.mark.parametrize(("imported", "expected"), [(False, "True False False"), (True, "False True True")])
def test_a_process_has_a_compiler_for_all_kernels_or_none(imported, expected):
    said = subprocess.run(
        [sys.executable, "-c", STOPPED.format(imported=imported)],
        env={name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.splitlines() == [expected, "0"]
