"""Which methods there are, where each runs, and how its environment is set up.

A method file says what it is in constants, which are read without running it (its imports are its own
environment's):

METHODS : dict
    For each name a dict of options for its ``search``; the option "search" is the name that ``search`` gets,
    if another.
VERSION : str
    Of the learner. Without one, a digest of the file stands for it.
PACKAGES, BARE : tuple of str
    What pip installs into an environment of its own, the latter without what they ask for in turn. Without
    packages the file runs in the environment of rolearn.
UNLIMITED : bool
    Whether the time limit of a run leaves it alone.
SLOW : tuple of str
    Names of methods that take seconds to minutes, of which fewer runs are done.
WARM : dict
    By the name that ``search`` gets, further options of the first call, of a few columns, which isn't timed.
    Read where the file runs, so that it may be any expression.

and has a function ``search(name, rows, options)``, see ``methods/adapter.py``. The files in ``methods`` are
known by the names of their methods, others by their path.
"""

from __future__ import annotations

import ast
import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import rolearn
from rolearn.runtime.errors import DataError, ParameterError
from rolearn.runtime.suggestions import did_you_mean

__all__ = ["METHOD_FILES", "Method", "Peer", "environments", "find_methods", "known_methods", "set_up"]

METHOD_FILES = Path(__file__).resolve().parent / "methods"
_CONSTANTS = ("METHODS", "VERSION", "PACKAGES", "BARE", "UNLIMITED", "SLOW")
_NOT_LEARNING = {"benchmarks", "cli", "figures", "report"}  # rooms whose text changes no graph


def environments() -> Path:
    """Give where environments are: ROLEARN_PEERS, in a checkout benchmarks/peers, else the user's cache."""
    named = os.environ.get("ROLEARN_PEERS")
    if named:
        return Path(named)
    checkout = METHOD_FILES.parents[3] / "benchmarks" / "peers"
    if checkout.is_dir():
        return checkout / ".venvs"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rolearn" / "peers"


@dataclass(frozen=True)
class Peer:
    """A method file.

    Attributes
    ----------
    file : Path
    methods : dict
        Options by name of method.
    version : str
        Empty where the file gives none.
    packages, bare : tuple of str
    unlimited : bool
    slow : tuple of str
    """

    file: Path
    methods: dict[str, dict[str, Any]]
    version: str = ""
    packages: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()
    unlimited: bool = False
    slow: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What its environment is called."""
        return self.file.stem.replace("_", "-")

    @property
    def home(self) -> Path:
        """The folder of the environment."""
        return environments() / self.name

    @property
    def python(self) -> Path:
        """The interpreter of the environment, there or not."""
        if not self.packages:
            return Path(sys.executable)
        return self.home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def receipt(self) -> str:
        """What `set_up` leaves in the environment when it has gone through."""
        return "\n".join([*self.packages, *self.bare])

    @property
    def installed(self) -> bool:
        """Whether `set_up` has gone through with these packages."""
        note = self.home / "receipt.txt"
        return not self.packages or (note.exists() and note.read_text() == self.receipt)


@dataclass(frozen=True)
class Method:
    """One way to learn: a method file, and what it is asked for."""

    name: str
    peer: Peer
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def search(self) -> str:
        """The name that the file's ``search`` gets."""
        return str(self.options.get("search", self.name))

    @property
    def slow(self) -> bool:
        """Whether fewer runs of it are done."""
        return self.name in self.peer.slow

    @cached_property
    def version(self) -> str:
        """The version of the learner; ours with a digest of the text, which may change alone."""
        if self.peer.version:
            return self.peer.version
        if self.peer.file.parent == METHOD_FILES:
            return _our_version()
        return hashlib.sha256(self.peer.file.read_bytes()).hexdigest()[:8]


@cache
def _our_version() -> str:
    folder = Path(rolearn.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        place = path.relative_to(folder)
        if place.parts[0] not in _NOT_LEARNING:
            digest.update(place.as_posix().encode() + path.read_bytes())
    return f"{rolearn.__version__}+{digest.hexdigest()[:8]}"


def read_peer(file: Path) -> Peer:
    """Read the constants of a method file.

    Raises
    ------
    DataError
        When it is no Python, or one of the constants isn't a literal of the right kind.
    """
    try:
        body = ast.parse(file.read_text(encoding="utf-8")).body
        found = {
            line.targets[0].id: ast.literal_eval(line.value)
            for line in body
            if isinstance(line, ast.Assign)
            and isinstance(line.targets[0], ast.Name)
            and line.targets[0].id in _CONSTANTS
        }
    except (SyntaxError, ValueError, UnicodeDecodeError) as error:
        raise DataError(f"{file} can't be read as a method file: {error}") from None
    except OSError as error:
        raise DataError(f"{file} can't be read: {error.strerror or error}") from None
    methods = found.get("METHODS")
    if not isinstance(methods, dict) or not all(isinstance(options, dict) for options in methods.values()):
        raise DataError(f"{file} is no method file: it needs METHODS = {{'name': {{'option': value}}}}")
    for name in ("PACKAGES", "BARE", "SLOW"):
        if not isinstance(found.get(name, ()), (tuple, list)):
            raise DataError(f"{name} of {file} is no tuple of names")
    return Peer(
        file=file,
        methods=methods,
        version=str(found.get("VERSION", "")),
        packages=tuple(found.get("PACKAGES", ())),
        bare=tuple(found.get("BARE", ())),
        unlimited=bool(found.get("UNLIMITED", False)),
        slow=tuple(found.get("SLOW", ())),
    )


@cache
def known_methods() -> dict[str, Method]:
    """Give the methods that ship with the package, by name."""
    files = (file for file in sorted(METHOD_FILES.glob("*.py")) if file.name != "adapter.py")
    return {method.name: method for file in files for method in _methods_of(read_peer(file))}


def _methods_of(peer: Peer) -> list[Method]:
    return [Method(name, peer, options) for name, options in peer.methods.items()]


def find_methods(asked: Sequence[str]) -> list[Method]:
    """Give methods by name, and all of a file by its path, each once.

    Raises
    ------
    ParameterError
        When there is no method of that name, or a file has a method that is called as another.
    DataError
        As `read_peer`.
    """
    found: dict[str, Method] = {}
    for name in asked:
        is_file = name.endswith(".py")
        for method in _methods_of(read_peer(Path(name).resolve())) if is_file else [_known(name)]:
            if is_file and method.name in known_methods():
                raise ParameterError(
                    f"{name} calls a method {method.name!r}, as one that ships with rolearn is;"
                    " choose another name"
                )
            if found.setdefault(method.name, method).peer != method.peer:
                raise ParameterError(
                    f"two files call a method {method.name!r}; give the methods names of their own"
                )
    return list(found.values())


def _known(name: str) -> Method:
    methods = known_methods()
    if name not in methods:
        raise ParameterError(
            f"there is no method {name!r}{did_you_mean(name, methods)}; there are {', '.join(methods)},"
            " and files that end in .py"
        )
    return methods[name]


def set_up(peer: Peer) -> None:
    """Make the environment of a method file, anew, and install its packages.

    Raises
    ------
    ParameterError
        When pip can't; gives its last line.
    """
    venv.create(peer.home, with_pip=True, clear=True)
    _install(peer, list(peer.packages))
    if peer.bare:
        _install(peer, ["--no-deps", *peer.bare])
    (peer.home / "receipt.txt").write_text(peer.receipt)


def _install(peer: Peer, what: list[str]) -> None:
    pip = [str(peer.python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([*pip, *what], capture_output=True, text=True, errors="replace")
    if done.returncode:
        said = [line.strip() for line in done.stderr.splitlines() if line.strip()] or ["no word"]
        raise ParameterError(f"the packages of {peer.name} can't be installed: {said[-1][:300]}")
