"""The cache of verdicts: what is looked up before a check, and what is kept after one.

A file is found by the digest of everything that a verdict depends on: what the alignment means, the settings of the
check, and the programs that decide. Its first line has the digest of the rest, so that a file that was cut short counts
as none. Two alignments mean the same where they differ in places and in the names of local variables only.

A result is kept as JSON, by the type hints of its dataclasses, so that what is read has the types that it should have.
Where a hint says Any, the value is one of those that a mechanism computes with: numbers, tags, tuples, and events. What
is read becomes a result for the alignment as it stands now.
"""

from __future__ import annotations

import enum
import hashlib
import json
import re
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from alignkit.attacking.mechanism_attack import certify_snippet
from alignkit.caching.folders import Memo
from alignkit.caching.opening import OpenedCache
from alignkit.checking.conclusions import refuted, result_of
from alignkit.confirming.opinion import Opinion
from alignkit.errors import AlignkitError
from alignkit.language.program import Assign, Call, Comprehension, For, Function, target_names, walk
from alignkit.language.tags import Tag
from alignkit.output_events import ANYTHING, Anything, Either, Interval, OneOf
from alignkit.proving.proof import Proof
from alignkit.refuting.counterexamples import Collision, counterexample, replay_snippet, two_noise_vectors
from alignkit.results import (
    Attained,
    CallPart,
    CertifiedLoss,
    Condition,
    Counterexample,
    Presumed,
    Privacy,
    Result,
    Verdict,
    Witness,
)
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_program import PRIVACY_COST, ROUNDS_OVER, AlignmentProgram
from alignkit.running.digests import declared_parts, digest_of_parts, parts


def to_document(value: Any, hint: Any) -> Any:
    """Turn a value of a type into what JSON can hold; raise TypeError where it has no form for it."""
    if hint is Any:
        return _plain(value)
    if get_origin(hint) in (Union, types.UnionType):
        return None if value is None else to_document(value, _present(hint))
    if get_origin(hint) is tuple:
        return [to_document(item, _item(hint)) for item in value]
    if get_origin(hint) is Mapping:
        return {str(key): to_document(item, get_args(hint)[1]) for key, item in value.items()}
    if isinstance(hint, type) and is_dataclass(hint):
        return {name: to_document(getattr(value, name), kind) for name, kind in _hints(hint).items()}
    if not isinstance(value, hint):
        raise TypeError(f"{value!r} is no {hint}")
    return str(value) if isinstance(value, enum.Enum) else value


def from_document(document: Any, hint: Any) -> Any:
    """Read a value of a type; raise ValueError or TypeError where the document holds none."""
    if hint is Any:
        return _value(document)
    if get_origin(hint) in (Union, types.UnionType):
        return None if document is None else from_document(document, _present(hint))
    if get_origin(hint) is tuple:
        kind, items = _item(hint), _of(document, list)
        if kind in (int, str) and all(type(item) is kind for item in items):  # most items are lines
            return tuple(items)
        return tuple(from_document(item, kind) for item in items)
    if get_origin(hint) is Mapping:
        return {key: from_document(item, get_args(hint)[1]) for key, item in _of(document, dict).items()}
    if isinstance(hint, type) and is_dataclass(hint):
        kinds = _hints(hint)
        if set(_of(document, dict)) != set(kinds):
            raise ValueError(f"a {hint.__name__} has other fields")
        return hint(**{name: from_document(document[name], kind) for name, kind in kinds.items()})
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint(_of(document, str))
    if hint is float and type(document) is int:
        return float(document)
    return _of(document, hint)


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _present(hint: Any) -> Any:
    """The one type of an optional one."""
    (kind,) = (kind for kind in get_args(hint) if kind is not types.NoneType)
    return kind


def _item(hint: Any) -> Any:
    """The type of the items of a tuple of any length."""
    kind, _ = get_args(hint)
    return kind


def _of(document: Any, kind: type) -> Any:
    if type(document) is not kind:
        raise TypeError(f"a {kind.__name__} was expected, not {type(document).__name__}")
    return document


def _plain(value: Any) -> Any:
    """The document of a value that a mechanism computes with."""
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return {"float": repr(value)}
    if type(value) is Fraction:
        return {"fraction": str(value)}
    if type(value) is Tag:
        return {"tag": value.name}
    if isinstance(value, Mapping):
        return {"mapping": [[_plain(key), _plain(item)] for key, item in value.items()]}
    if type(value) in (tuple, list):
        return {type(value).__name__: list(map(_plain, value))}
    if isinstance(value, Interval):
        return {"interval": [_plain(value.low), _plain(value.high)]}
    if isinstance(value, OneOf):
        return {"one of": [_plain(item) for item in sorted(value.values, key=repr)]}
    if isinstance(value, Either):
        return {"none of" if value.none else "either": [_plain(pattern) for pattern in value.patterns]}
    if isinstance(value, Anything):
        return {"anything": None}
    raise TypeError(f"{type(value).__name__} has no document")


def _value(document: Any) -> Any:
    """The value of a document; the reverse of `_plain`."""
    if document is None or type(document) in (bool, int, str):
        return document
    ((kind, held),) = _of(document, dict).items()
    match kind:
        case "float":
            return float(_of(held, str))
        case "fraction":
            return Fraction(_of(held, str))
        case "tag":
            return Tag(_of(held, str))
        case "mapping":
            return {_value(key): _value(item) for key, item in _of(held, list)}
        case "tuple":
            return tuple(map(_value, _of(held, list)))
        case "list":
            return list(map(_value, _of(held, list)))
        case "interval":
            low, high = map(_value, _of(held, list))
            return Interval(low, high)
        case "one of":
            return OneOf(frozenset(map(_value, _of(held, list))))
        case "either" | "none of":
            return Either(tuple(map(_value, _of(held, list))), none=kind == "none of")
        case "anything":
            return ANYTHING
        case _:
            raise ValueError(f"{kind} is no kind of value")


@dataclass(frozen=True)
class Meaning:
    """The meaning of an alignment, and what it does not depend on.

    ``digest`` stands for the meaning. Where two alignments have the same, ``names`` lists the local variables of both
    in the same order, and ``lines`` the lines of their programs.
    """

    digest: str
    names: tuple[str, ...]
    lines: tuple[int, ...]


def meaning_of(alignment: AlignmentProgram) -> Meaning:
    """Take the meaning of an alignment, of its mechanism and of all functions that they call.

    Names that a user may write outside of a function's body count: those of parameters, of draws, and of the two
    functions.
    """
    mechanism = alignment.mechanism
    fixed = {*mechanism.parameters, mechanism.noise_name, "omega", "H", PRIVACY_COST, ROUNDS_OVER}
    fixed |= {draw.name for draw in mechanism.draws}
    fixed |= _paired_names(mechanism.program, fixed)

    functions = [*_functions(mechanism.program), *_functions(alignment.program)]
    names = {id(function): _local_names(function, fixed) for function in functions}

    def renaming(function: Function) -> dict[str, str]:
        return {name: f"local {number}" for number, name in enumerate(names[id(function)])}

    locals_ = renaming(mechanism.program)
    # In an invariant, a name with an underscore stands for the value on D′.
    in_invariants = locals_ | {f"{name}_": f"{new} on D'" for name, new in locals_.items()}
    listed = [
        alignment.dotted_name,
        mechanism.name,
        *parts(mechanism.program, renaming),
        *declared_parts(mechanism.parameters, mechanism.defaults),
        *parts(alignment.program, renaming),
        alignment.claim,
        *parts(alignment.claim_expression),
        repr(alignment.delta),
        *(() if alignment.delta_expression is None else parts(alignment.delta_expression)),
        *map(repr, (alignment.base, alignment.ex_post, str(alignment.adjacency), alignment.adaptive, alignment.expect)),
        *(meaning_of(lemma).digest for lemma in alignment.lemmas),
        *(part for _, invariant in alignment.invariants for part in parts(invariant, names=in_invariants)),
    ]
    return Meaning(
        digest=digest_of_parts(listed),
        names=tuple(name for function in functions for name in names[id(function)]),
        lines=tuple(line for function in functions for line in _lines(function)),
    )


def new_names(old: Meaning, new: Meaning) -> Mapping[str, str]:
    """Map each local variable that has another name in ``new`` to that name."""
    return {one: other for one, other in zip(old.names, new.names, strict=True) if one != other}


def new_lines(old: Meaning, new: Meaning) -> Mapping[int, int | None]:
    """Map each line of ``old`` to the one in ``new``; to None where that differs from one file to the other."""
    moved: dict[int, int | None] = {}
    for one, other in zip(old.lines, new.lines, strict=True):
        moved[one] = other if moved.get(one, other) == other else None
    return moved


def _local_names(function: Function, fixed: set[str]) -> list[str]:
    """List the variables that a function binds and that nothing outside of its body can name, in order."""
    binding = (node for node in walk(*function.body) if isinstance(node, Assign | For | Comprehension))
    names = dict.fromkeys(name for node in binding for name in target_names(node.target))
    return [name for name in names if name not in fixed and name not in function.parameters]


def _paired_names(program: Function, fixed: set[str]) -> set[str]:
    """List the local variables whose names differ from another one by an underscore at the end.

    Such a name has two readings in an invariant, and it depends on the rest of the program which one is meant.
    """
    own = _local_names(program, fixed)
    names = {*own, *fixed, *program.parameters}
    return {name for name in own if f"{name}_" in names or (name.endswith("_") and name[:-1] in names)}


def _functions(program: Function) -> Iterator[Function]:
    """Yield a program and, at each of its calls, the function that is called."""
    yield program
    for node in walk(*program.body):
        if isinstance(node, Call):
            yield from _functions(node.function)


def _lines(function: Function) -> Iterator[int]:
    yield function.place.line
    for node in walk(*function.body):
        yield node.place.line


_LEFT_OUT = "notes of the check that name local variables are left out, since these have other names now"
_LINE = re.compile(r"\bline (\d+)\b")
_SEVERAL_LINES = re.compile(r"\blines \d")


@dataclass(frozen=True)
class Refutation:
    """What a counterexample is found again by: its inputs and noise, and the other noise vector where it has one."""

    witness: Witness
    other: Mapping[str, Any] | None
    shrunk_from: int


@dataclass(frozen=True)
class CacheEntry:
    """The verdict on an alignment, with what cannot be had again from the alignment at once.

    Snippets are left out, since they name files. ``bounded`` says whether an attack was to bound the loss from below.
    ``names`` and ``lines`` are those of the alignment's meaning.
    """

    verdict: Verdict
    scope: Mapping[str, str]
    conditions: tuple[Condition, ...]
    assumptions: tuple[str, ...]
    presumed: tuple[str, ...]
    notes: tuple[str, ...]
    cost: str | None
    attained: bool | None
    attained_at: Attained | None
    slack: str | None
    calls: tuple[CallPart, ...]
    stated: str
    upper: str | None
    upper_adjacency: str | None
    leak: CertifiedLoss | None
    refutation: Refutation | None
    opinion: Opinion | None
    opinion_asked: bool
    bounded: bool
    seconds: float
    queries: int
    names: tuple[str, ...]
    lines: tuple[int, ...]

    @classmethod
    def of(cls, result: Result, meaning: Meaning, *, bounded: bool = True) -> CacheEntry:
        """Make the entry of a result that is proved or refuted."""
        found, leak = result.counterexample, result.privacy.leak
        at = result.attained_at
        return cls(
            verdict=result.verdict,
            scope=result.scope,
            conditions=tuple(result.conditions.values()),
            assumptions=result.assumptions,
            presumed=tuple(presumed.words for presumed in result.presumed),
            notes=result.notes,
            cost=result.cost,
            attained=result.attained,
            attained_at=None if at is None else replace(at, snippet=""),
            slack=result.slack,
            calls=result.calls,
            stated=result.privacy.stated,
            upper=result.privacy.upper,
            upper_adjacency=result.privacy.adjacency,
            leak=None if leak is None else replace(leak, snippet=""),
            refutation=None if found is None else Refutation(found.witness, found.H_other, found.shrunk_from),
            opinion=result.opinion,
            opinion_asked=result.opinion_asked,
            bounded=bounded,
            seconds=float(result.seconds),
            queries=result.queries,
            names=meaning.names,
            lines=meaning.lines,
        )

    def result(self, alignment: Alignment, meaning: Meaning) -> Result | None:
        """Make the result for an alignment of the same meaning; None where the entry does not serve.

        A counterexample is replayed through the user's functions. Lines that texts name are those of today.
        """
        try:
            return self._result(alignment, meaning)
        except Exception:  # a file may hold anything, and without it the alignment is checked
            return None

    def _result(self, alignment: Alignment, meaning: Meaning) -> Result:
        old = Meaning(meaning.digest, self.names, self.lines)
        texts = _Texts(new_names(old, meaning), new_lines(old, meaning))
        result = self._refuted(alignment) if self.verdict is Verdict.REFUTED else self._proved(alignment, texts)
        at, leak = self.attained_at, self.leak
        if at is not None:
            at = replace(at, snippet=replay_snippet(alignment, at.witness))
        if leak is not None:
            epsilon = None if leak.delta is None else leak.claim
            leak = replace(leak, snippet=certify_snippet(alignment.mechanism, leak.witness, leak.event, epsilon))
        return replace(
            result,
            notes=texts.notes(self.notes),
            attained_at=at,
            privacy=Privacy(self.stated, self.upper, self.upper_adjacency, leak),
            seconds=self.seconds,
            queries=self.queries,
            cached=True,
        )

    def _refuted(self, alignment: Alignment) -> Result:
        if self.refutation is None:
            raise _Lost
        found = _replayed(alignment, self.refutation)
        kept = next(condition for condition in self.conditions if condition.status is Verdict.REFUTED)
        if found.condition != kept.name:
            raise _Lost
        return refuted(alignment, found)

    def _proved(self, alignment: Alignment, texts: _Texts) -> Result:
        conditions = {c.name: replace(c, how=texts.moved(c.how)) for c in self.conditions}
        if self.verdict is not Verdict.PROVED or any(c.status is not Verdict.PROVED for c in conditions.values()):
            raise _Lost
        proof = Proof(conditions, tuple(map(texts.moved, self.assumptions)))
        return replace(
            result_of(alignment, self.verdict, proof),
            scope=self.scope,
            # The formulas are not kept: whoever needs them has to check the alignment itself.
            presumed=tuple(Presumed(None, texts.moved(words)) for words in self.presumed),
            cost=self.cost,
            attained=self.attained,
            slack=self.slack,
            calls=tuple(map(texts.part, self.calls)),
            opinion=None if self.opinion is None else texts.opinion(self.opinion),
            opinion_asked=self.opinion_asked,
        )


class _Lost(Exception):
    """The entry says something that cannot be said of the alignment as it stands now."""


@dataclass(frozen=True)
class _Texts:
    """The texts of an entry, after names and lines have changed."""

    names: Mapping[str, str]
    lines: Mapping[int, int | None]

    def part(self, part: CallPart) -> CallPart:
        """Put today's line into a part of the budget; raise _Lost where it is not known."""
        line = self.lines.get(part.line)
        if line is None:
            raise _Lost
        return replace(part, line=line)

    def moved(self, text: str) -> str:
        """Put today's lines into a text; raise _Lost where one is not known."""

        def line_now(found: re.Match[str]) -> str:
            before = found[1]
            now = self.lines.get(int(before))
            if now is None:
                raise _Lost
            return found[0].removesuffix(before) + str(now)

        if _SEVERAL_LINES.search(text):
            raise _Lost
        return _LINE.sub(line_now, text)

    def opinion(self, opinion: Opinion) -> Opinion:
        """Put today's lines into an opinion; raise _Lost where it names a variable whose name has changed."""
        if any(map(self._names_one, (opinion.why, *opinion.lemmas))):
            raise _Lost
        return replace(opinion, why=self.moved(opinion.why), lemmas=tuple(map(self.moved, opinion.lemmas)))

    def notes(self, notes: tuple[str, ...]) -> tuple[str, ...]:
        """Keep the notes that name no variable whose name has changed."""
        notes = tuple(map(self.moved, notes))
        kept = [note for note in notes if not self._names_one(note)]
        return (*kept, _LEFT_OUT) if len(kept) < len(notes) else notes

    def _names_one(self, text: str) -> bool:
        """Tell whether a text names a variable whose name has changed."""
        return any(re.search(rf"\b{re.escape(name)}_?\b", text) for name in self.names)


def _replayed(alignment: Alignment, refutation: Refutation) -> Counterexample:
    """Replay a counterexample; raise InternalError where it does not refute the alignment."""
    inputs = replace(refutation.witness, H_=None)
    if refutation.other is None:
        return counterexample(alignment, inputs, refutation.shrunk_from)
    found = two_noise_vectors(alignment, Collision(inputs, refutation.other))
    return replace(found, shrunk_from=refutation.shrunk_from)


_HEADING = b"alignkit verdict 1 "


@dataclass(frozen=True)
class VerdictCache:
    """Verdicts of checks with a ``timeout`` in seconds and a ``seed``, in a folder of the user.

    With ``confirm``, a proof serves only if a second program was asked in full about it. What it said then is part of
    what is kept.
    """

    opened: OpenedCache
    timeout: float
    seed: int
    confirm: bool = False

    def recall(self, alignment: Alignment, *, bounded: bool = True) -> Result | None:
        """Return the result of an earlier check of an alignment of this meaning; None where there is none.

        Where it is to be ``bounded``, one whose loss no attack was to bound from below does not serve.
        """
        try:
            alignment.ensure_current()
            meaning = meaning_of(alignment)
        except (AlignkitError, ValueError):
            return None  # a check says what is wrong; some numbers are too long to be written
        name = self._name(meaning)
        content = self.opened.folder.read(name)
        entry = None if content is None else _entry(name, content)
        serves = entry is not None and (entry.bounded or not bounded)
        result = entry.result(alignment, meaning) if entry is not None and serves else None
        if result is None or result.verdict is not Verdict.PROVED:
            return result
        return replace(result, opinion_asked=self.confirm) if result.opinion_asked or not self.confirm else None

    def memo(self, alignment: Alignment, result: Result, *, bounded: bool = True) -> Memo | None:
        """Write down a result; None where it is not kept: more time may decide what is undecided.

        ``bounded`` says whether an attack was to bound the loss from below.
        """
        if result.verdict is Verdict.UNDECIDED or result.stale or not self.opened.origin.is_current:
            return None
        try:
            meaning = meaning_of(alignment)
            document = to_document(CacheEntry.of(result, meaning, bounded=bounded), CacheEntry)
            text = json.dumps(document, ensure_ascii=True, separators=(",", ":"))
        except (TypeError, ValueError):
            return None  # a value that no document has a form for, or a number of thousands of digits
        body = text.encode("ascii")
        name = self._name(meaning)
        return Memo(name, _HEADING + _digest(name, body) + b"\n" + body)

    def _name(self, meaning: Meaning) -> str:
        whole = f"{_HEADING!r} {self.opened.origin.digest} {self.timeout!r} {self.seed!r} {meaning.digest}"
        return f"{hashlib.sha256(whole.encode()).hexdigest()}.json"


def _entry(name: str, content: bytes) -> CacheEntry | None:
    """Read a file of the cache; None where it is not whole, or holds something else."""
    heading, _, body = content.partition(b"\n")
    if heading != _HEADING + _digest(name, body):
        return None
    try:
        entry: CacheEntry = from_document(json.loads(body), CacheEntry)
    except (ValueError, TypeError, RecursionError, ArithmeticError):
        return None
    return entry


def _digest(name: str, body: bytes) -> bytes:
    """The digest of a file with its name, so that a file under another name counts as none."""
    return hashlib.sha256(name.encode() + b"\n" + body).hexdigest().encode()
