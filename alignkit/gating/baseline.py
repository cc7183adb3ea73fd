"""A baseline: verdicts, claims and worst cases of alignments as a table that is committed, and its file."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from alignkit.errors import InputError
from alignkit.gating.project_tables import SettingRule, is_plain_number
from alignkit.language.hints import did_you_mean
from alignkit.results import Result, Verdict
from alignkit.running.adjacency import Adjacency, is_adjacency

# The version of the file's format. A reader refuses files of a later one.
FORMAT = 1

_VERSION, _ENTRIES, _DELTA = "alignkit_baseline", "alignments", "delta"
_SENSITIVITIES = "sensitivities"


@dataclass(frozen=True)
class BaselineEntry:
    """What a baseline holds of one alignment. ``base`` and the others mean the same as in a result.

    The file has ``delta`` only where the claim has one. ``sensitivities`` are None in an entry that was written before
    entries had them.
    """

    adjacency: str
    base: int | None
    claim: str
    ex_post: bool
    expected: str
    mechanism: str
    scope: Mapping[str, str]
    verdict: str
    worst_case: str | None
    delta: str | None = None
    sensitivities: Mapping[str, str] | None = None

    @classmethod
    def of(cls, result: Result) -> BaselineEntry:
        """Make the entry of a result."""
        return cls(
            adjacency=str(result.adjacency),
            base=result.base,
            claim=result.claim,
            ex_post=result.ex_post,
            expected=str(result.expected),
            mechanism=result.mechanism,
            scope=dict(result.scope),
            verdict=str(result.verdict),
            worst_case=result.cost,
            delta=result.delta,
            sensitivities=dict(result.sensitivities),
        )


@dataclass(frozen=True)
class Baseline:
    """The entries of a baseline by the places of their alignments, ``file::name``.

    The files are relative to the ``folder`` of the baseline, with slashes on every system.
    """

    folder: Path
    entries: Mapping[str, BaselineEntry]


def entry_places(results: Sequence[Result], folder: Path) -> tuple[str, ...]:
    """Name the places of results in a baseline in this folder; several of one file and name are numbered in order."""
    seen: dict[str, int] = {}
    places = []
    for result in results:
        place = f"{_relative(result.file, folder)}::{result.alignment}"
        seen[place] = seen.get(place, 0) + 1
        places.append(place if seen[place] == 1 else f"{place}#{seen[place]}")
    return tuple(places)


def _relative(file: str, folder: Path) -> str:
    path = os.path.realpath(file)
    with contextlib.suppress(ValueError):  # it lies on another drive
        path = os.path.relpath(path, os.path.realpath(folder))
    return Path(path).as_posix()


def write_baseline(file: str, results: Sequence[Result]) -> None:
    """Write the table of results to a file, which then holds all of it, or if that fails what it held before.

    Raises InputError where it cannot be written.
    """
    path = Path(os.path.realpath(file))
    entries = map(_document, map(BaselineEntry.of, results))
    document = {_VERSION: FORMAT, _ENTRIES: dict(zip(entry_places(results, path.parent), entries, strict=True))}
    text = json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            with open(unfinished, "x", encoding="utf-8", errors="surrogateescape", newline="\n") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(unfinished, path)
        finally:
            unfinished.unlink(missing_ok=True)
    except (OSError, ValueError) as problem:
        raise InputError(f"the baseline {file} cannot be written: {_reason(problem)}") from None


def _document(entry: BaselineEntry) -> dict[str, Any]:
    optional = {_DELTA, _SENSITIVITIES}
    return {key: value for key, value in asdict(entry).items() if key not in optional or value is not None}


def check_writable(file: str) -> None:
    """Raise InputError where a baseline can certainly not be written, so that no run is lost to it."""
    path = Path(os.path.realpath(file))
    if path.is_dir():
        raise InputError(f"the baseline {file} cannot be written: it is a folder")
    if not path.parent.is_dir():
        raise InputError(f"the baseline {file} cannot be written: there is no folder {path.parent}")


def read_baseline(file: str) -> Baseline:
    """Read a baseline. Raises InputError where the file is not one that this version wrote."""
    path = Path(os.path.realpath(file))
    try:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        document = json.loads(text, object_pairs_hook=_object)
    except FileNotFoundError:
        raise InputError(f"there is no baseline {file}; write one with --write-baseline {file}") from None
    except (OSError, json.JSONDecodeError, RecursionError) as problem:
        raise InputError(f"the baseline {file} cannot be read: {_reason(problem)}") from None
    except ValueError as problem:
        raise InputError(f"the baseline {file} cannot be used: {problem}") from None
    return Baseline(path.parent, _entries(document, f"the baseline {file} cannot be used"))


def _reason(problem: Exception) -> str:
    if isinstance(problem, json.JSONDecodeError):
        return f"line {problem.lineno} is not JSON ({problem.msg}); it may be cut short, or hold a conflict of a merge"
    if isinstance(problem, RecursionError):
        return "it is nested too deeply"
    return getattr(problem, "strerror", None) or str(problem)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} is in it twice")
    return members


def _entries(document: Any, refusal: str) -> dict[str, BaselineEntry]:
    version = document.get(_VERSION) if isinstance(document, dict) else None
    if isinstance(version, bool) or not isinstance(version, int):
        raise InputError(f"{refusal}: it is not a baseline, which has the format's number as {_VERSION!r}")
    if version != FORMAT:
        words = "a newer alignkit wrote it" if version > FORMAT else "no alignkit wrote such a file"
        raise InputError(f"{refusal}: it has the format {version}, and this version reads {FORMAT}; {words}")
    _check_keys(document, (_VERSION, _ENTRIES), refusal)
    entries = document[_ENTRIES]
    if not isinstance(entries, dict) or not all(isinstance(entry, dict) for entry in entries.values()):
        raise InputError(f"{refusal}: {_ENTRIES!r} must be an object that holds an object for each alignment")
    for place, entry in entries.items():
        entry.setdefault(_DELTA, None)
        entry.setdefault(_SENSITIVITIES, None)
        _check_keys(entry, [field.name for field in fields(BaselineEntry)], f"{refusal}: {place!r}")
        for name, rule in _RULES.items():
            if not rule.holds(entry[name]):
                raise InputError(f"{refusal}: {place!r}: {name} must be {rule.expected}, not {entry[name]!r}")
    return {place: BaselineEntry(**entry) for place, entry in entries.items()}


def _check_keys(found: Mapping[str, Any], known: Sequence[str], refusal: str) -> None:
    for key in found:
        if key not in known:
            raise InputError(f"{refusal}: it has {key!r}; {did_you_mean(key, known)}it may have {', '.join(known)}")
    missing = [key for key in known if key not in found]
    if missing:
        raise InputError(f"{refusal}: it lacks {', '.join(missing)}")


def _one_of(*choices: str) -> SettingRule:
    return SettingRule(" or ".join(choices), lambda value: value in choices)


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


_TEXT = SettingRule("a string", lambda value: isinstance(value, str))

_RULES = {
    "adjacency": SettingRule(" or ".join((*Adjacency, "few(l)")), is_adjacency),
    "base": SettingRule("null or 2", lambda value: value is None or (is_plain_number(value) and value == 2)),
    "claim": _TEXT,
    _DELTA: SettingRule("null or a string", lambda value: value is None or isinstance(value, str)),
    "ex_post": SettingRule("true or false", lambda value: isinstance(value, bool)),
    "expected": _one_of(*Verdict),
    "mechanism": _TEXT,
    "scope": SettingRule("an object of strings", lambda value: isinstance(value, dict) and _are_texts(value.values())),
    _SENSITIVITIES: SettingRule(
        "null or an object of strings",
        lambda value: value is None or (isinstance(value, dict) and _are_texts(value.values())),
    ),
    "verdict": _one_of(*Verdict),
    "worst_case": SettingRule("null or a string", lambda value: value is None or isinstance(value, str)),
}
