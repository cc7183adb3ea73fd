"""The cache of verdicts: what is looked up before a check, and what is kept after one.

A file is found by the digest of everything that a verdict depends on: what the alignment means, the settings of the
check, and the programs that decide. Its first line has the digest of the rest, so that a file that was cut short counts
as none.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace

from alignkit.caching.documents import from_document, to_document
from alignkit.caching.entries import CacheEntry
from alignkit.caching.folders import Memo
from alignkit.caching.meanings import Meaning, meaning_of
from alignkit.caching.opening import OpenedCache
from alignkit.errors import AlignkitError
from alignkit.results import Result, Verdict
from alignkit.running.alignment_decorator import Alignment

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
