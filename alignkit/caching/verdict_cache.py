"""The cache of verdicts: what is looked up before a check, and what is kept after one.

A file is found by the digest of everything that a verdict depends on: what the alignment means, the settings of the
check, and the programs that decide. Its first line has the digest of the rest, so that a file that was cut short counts
as none.

What the cache keeps of a result, and the result that it becomes for the alignment as it stands now.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from alignkit.attacking.mechanism_attack import certify_snippet
from alignkit.caching.documents import from_document, to_document
from alignkit.caching.folders import Memo
from alignkit.caching.meanings import Meaning, meaning_of, new_lines, new_names
from alignkit.caching.opening import OpenedCache
from alignkit.checking.conclusions import refuted, result_of
from alignkit.confirming.opinion import Opinion
from alignkit.errors import AlignkitError
from alignkit.proving.proof import Proof
from alignkit.refuting.counterexamples import Collision, counterexample, replay_snippet, two_noise_vectors
from alignkit.results import Attained, CallPart, Condition, Counterexample, Presumed, Privacy, Result, Verdict, Witness
from alignkit.running.alignment_decorator import Alignment

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
    privacy: Privacy
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
            privacy=replace(result.privacy, leak=None if leak is None else replace(leak, snippet="")),
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
        at, leak = self.attained_at, self.privacy.leak
        if at is not None:
            at = replace(at, snippet=replay_snippet(alignment, at.witness))
        if leak is not None:
            leak = replace(leak, snippet=certify_snippet(alignment.mechanism, leak.witness, leak.event))
        return replace(
            result,
            notes=texts.notes(self.notes),
            attained_at=at,
            privacy=replace(self.privacy, leak=leak),
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
