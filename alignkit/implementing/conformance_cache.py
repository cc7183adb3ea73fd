"""The cache of verdicts on functions: what was compared once is not compared again while nothing that ran has changed.

A file of the cache lists what a verdict rests on beside alignkit itself: all source files outside the standard library
and installed distributions that were loaded, all others that ran, and the versions of the distributions that were
loaded. It serves only while all of these are the same. Only "implements" is kept: a difference is found again.

What is written down is the source on the disk, and what ran was loaded before. So a verdict is kept only where both are
the same: no file was written since, Python's own cache of a file holds what its source says, and so does all code that
ran.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import marshal
import os
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from types import CodeType, FrameType, ModuleType
from typing import Any

from alignkit.caching.folders import Memo
from alignkit.caching.opening import OpenedCache
from alignkit.implementing.conformance import Conformance, Conformity, Implementation

_HEADING = "alignkit conformance 1 "
_OWN = os.path.realpath(os.path.dirname(os.path.dirname(__file__)))
_STANDARD = tuple(os.path.realpath(sysconfig.get_paths()[key]) for key in ("stdlib", "platstdlib"))
# How far the times of files may lag behind the clock, in nanoseconds.
_COARSE = 10_000_000
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


@dataclass(frozen=True)
class ConformanceCache:
    """Verdicts on claims, in a folder of the user. ``sizes`` are n, k and the effort of the check.

    ``since`` is when users' files began to be loaded, in nanoseconds.
    """

    opened: OpenedCache
    sizes: tuple[int, int, int]
    since: int

    def recall(self, claim: Implementation, stated: str) -> Conformance | None:
        """The verdict of an earlier check; None where there is none, or something that it rests on has changed.

        ``stated`` is what tells a claim from others of the same function: its name, and its expressions.
        """
        name = self._name(claim, stated)
        content = self.opened.folder.read(name)
        if content is None:
            return None
        heading, _, body = content.partition(b"\n")
        if heading != _digest(name.encode() + body).encode():
            return None
        try:
            entry = json.loads(body)
            return _conformance(entry["conformance"]) if _holds(entry) else None
        except (ValueError, TypeError, KeyError, AttributeError):
            return None  # a file may hold anything, and without it the function is compared

    def memo(self, claim: Implementation, stated: str, conformance: Conformance) -> Memo | None:
        """Write a verdict down; None where it is not kept.

        The function runs on floats once more, to see which files run.
        """
        if not conformance.implements or not self.opened.origin.is_current:
            return None
        ran = _code_that_runs(claim)
        if ran is None:
            return None
        modules = dict(_users_modules())
        try:
            digests = {file: _digest_of_file(file) for file in sorted({*modules.values(), *ran})}
            if not all(_is_as_loaded(file, ran.get(file, set()), self.since) for file in digests):
                return None
        except (OSError, SyntaxError, ValueError, EOFError, TypeError):
            return None
        entry = {
            "conformance": asdict(conformance), "files": digests, "modules": modules, "versions": dict(_versions()),
        }  # fmt: skip
        body = json.dumps(entry).encode()
        name = self._name(claim, stated)
        return Memo(name, _digest(name.encode() + body).encode() + b"\n" + body)

    def _name(self, claim: Implementation, stated: str) -> str:
        mechanism = claim.mechanism
        told = (stated, claim.name, mechanism.name, mechanism.file, [str(named) for named in claim.named], self.sizes)
        return _digest(f"{_HEADING} {self.opened.origin.digest} {told!r}".encode()) + ".json"


def _conformance(fields: dict[str, Any]) -> Conformance:
    listed: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in fields.items()}
    listed["verdict"] = Conformity(fields["verdict"])
    conformance = Conformance(**listed)
    if not conformance.implements:
        raise ValueError("a verdict that is not kept")
    return conformance


def _holds(entry: dict[str, Any]) -> bool:
    """Whether all that an entry rests on is the same, and nothing has been loaded that it does not know."""
    modules = entry["modules"]
    if any(modules.get(name) != file for name, file in _users_modules()):
        return False
    try:
        return all(_digest_of_file(file) == digest for file, digest in entry["files"].items()) and all(
            importlib.metadata.version(name) == version for name, version in entry["versions"].items()
        )
    except (OSError, importlib.metadata.PackageNotFoundError):
        return False


def _users_modules() -> Iterator[tuple[str, str]]:
    """The modules that belong to no distribution, and the catalogue's mechanisms, with their files."""
    for name, module in list(sys.modules.items()):
        file = vars(module).get("__file__") if isinstance(module, ModuleType) else None
        if isinstance(file, str) and name != "__main__":
            path = os.path.realpath(file)
            if _is_users(path):
                yield name, path


def _is_users(path: str) -> bool:
    if path.startswith(_STANDARD) or any(part in path for part in _INSTALLED):
        return _is_of_catalogue(path)
    return not path.startswith(_OWN + os.sep) or _is_of_catalogue(path)


def _is_of_catalogue(path: str) -> bool:
    return path.startswith(os.path.join(_OWN, "mechanisms") + os.sep)


def _versions() -> Iterator[tuple[str, str]]:
    """The distributions of which something is loaded, with their versions."""
    tops = {name.partition(".")[0] for name in list(sys.modules)}
    for top, distributions in importlib.metadata.packages_distributions().items():
        for distribution in distributions if top in tops else ():
            yield distribution, importlib.metadata.version(distribution)


def _code_that_runs(claim: Implementation) -> dict[str, set[CodeType]] | None:
    """The code that runs with a function on floats, by its files; None where the function's own is in no file.

    The standard library's code and alignkit's own are left out: the version of Python and alignkit's digest stand for
    them.
    """
    recorder = _Recorder()
    before = sys.getprofile()
    sys.setprofile(recorder)
    try:
        claim.agrees_on_floats()
    finally:
        sys.setprofile(before)
    code = getattr(claim.function, "__code__", None)
    if code is not None and not os.path.isfile(code.co_filename):
        return None
    found: dict[str, set[CodeType]] = {os.path.realpath(claim.mechanism.file): set()}
    for ran in recorder.codes:
        if not ran.co_filename.startswith("<"):
            found.setdefault(os.path.realpath(ran.co_filename), set()).add(ran)
    return {file: codes for file, codes in found.items() if not _is_known(file)}


def _is_as_loaded(path: str, ran: set[CodeType], since: int) -> bool:
    """Whether a file on the disk is what was loaded from it, as far as can be told."""
    if os.stat(path).st_mtime_ns > since - _COARSE:
        return False
    if not path.endswith(".py"):
        return not ran
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec", dont_inherit=True)
    cached = importlib.util.cache_from_source(path)
    if os.path.isfile(cached):
        with open(cached, "rb") as file:
            if marshal.loads(file.read()[16:]) != code:
                return False
    return ran <= set(_parts(code))


def _parts(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _parts(constant)


def _is_known(path: str) -> bool:
    if any(part in path for part in _INSTALLED):
        return path.startswith(_OWN + os.sep) and not _is_of_catalogue(path)
    return path.startswith((*(f"{place}{os.sep}" for place in _STANDARD), _OWN + os.sep)) and not _is_of_catalogue(path)


class _Recorder:
    def __init__(self) -> None:
        self.codes: set[CodeType] = set()

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            self.codes.add(frame.f_code)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _digest_of_file(path: str) -> str:
    with open(path, "rb") as file:
        return _digest(file.read())
