"""One row of the table, tried: its program is loaded, and checked or attacked."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from literature.row import CANNOT, NOT_PRIVATE, NOT_STATED, UNDECIDED, Row

from alignkit import Alignment, Mechanism, attack, check, load
from alignkit.catalogue import alignments_in, mechanisms_in
from alignkit.errors import AlignkitError
from alignkit.results import Result, Verdict

ROOT = Path(__file__).parents[2]
NO_VIOLATION = "no violation"


@dataclass(frozen=True)
class Outcome:
    """What became of a row.

    ``verdict`` is "proved", "refuted", "undecided", "not private", "no violation" or "not stated". ``scope`` holds what
    is not covered for all values, ``supplied`` what the alignment gives beside shifts, and ``note`` why a row is
    undecided or not stated, or the loss that an attack certifies. ``mismatch`` says where the program's claim differs
    from the row's, and ``proved_anyway`` names alignments of a mechanism that is not private, with a proof.
    """

    verdict: str
    scope: str = ""
    seconds: float = 0.0
    supplied: str = ""
    note: str = ""
    mismatch: str = ""
    proved_anyway: str = ""


def program_of(row: Row) -> tuple[Path, str]:
    """The file of a row's program, and the name in it, which is empty if the file has one program."""
    file, _, name = (row.program or f"tests/literature/{row.family}/{row.name}.py").partition("::")
    return ROOT / file, name


def attempt(row: Row, timeout: float = 60.0) -> Outcome:
    """Try a row: ``timeout`` in seconds is that of its check."""
    if row.expected == CANNOT:
        return Outcome(NOT_STATED, note=row.why)
    started = time.process_time()
    try:
        outcome = _attacked(row, timeout) if row.expected == NOT_PRIVATE else _checked(row, timeout)
    except AlignkitError as refusal:
        outcome = Outcome(NOT_STATED, note=_one_line(str(refusal)))
    return Outcome(**{**vars(outcome), "seconds": round(time.process_time() - started, 1)})


def _checked(row: Row, timeout: float) -> Outcome:
    phi = _alignment(row)
    result = check(phi, timeout=timeout, effort=0)
    partly = ", ".join(f"{name}: {values}" for name, values in result.scope.items() if values != "all")
    scope = partly or "all" if result.proved else ""
    return Outcome(str(result.verdict), scope, 0.0, _supplied(phi), _reason(result), _mismatch(row, result))


def _attacked(row: Row, timeout: float) -> Outcome:
    file, name = program_of(row)
    target = load(f"{file}::{name}") if name else None
    mechanism = target if isinstance(target, Mechanism) else mechanisms_in(str(file))[-1]
    proofs = [phi for phi in alignments_in(str(file)) if phi.mechanism is mechanism and phi.adjacency == row.adjacency]
    held = [phi.name for phi in proofs if _holds_the_claim(phi, row, timeout)]
    loss = attack(
        mechanism,
        claim=row.claim,
        eps=Fraction(row.eps),
        adjacency=row.adjacency,
        parameters=dict(row.fixed),
        effort=row.effort,
    )
    shown = "infinite" if math.isinf(loss.loss) else f"{math.floor(loss.loss * 1000) / 1000:.3f}"
    public = ", ".join(f"{key} = {value}" for key, value in loss.witness.public.items() if not isinstance(value, tuple))
    where = f" at {public}" if public else ""
    verdict = NOT_PRIVATE if loss.violates else NO_VIOLATION
    return Outcome(verdict, note=f"certified loss: {shown}{where}", proved_anyway=", ".join(held))


def _holds_the_claim(phi: Alignment, row: Row, timeout: float) -> bool:
    result = check(phi, timeout=timeout, effort=0)
    return result.proved and result.claim == row.claim


def _alignment(row: Row) -> Alignment:
    file, name = program_of(row)
    found = load(f"{file}::{name or 'phi'}")
    if not isinstance(found, Alignment):
        raise AlignkitError(f"{row.name} has no alignment")
    return found


def _mismatch(row: Row, result: Result) -> str:
    said, tried = (row.claim, row.adjacency), (result.claim, result.adjacency)
    return "" if said == tried else f"the program claims {tried[0]} ({tried[1]})"


def _supplied(phi: Alignment) -> str:
    return "invariant" if phi.invariants else ""


def _reason(result: Result) -> str:
    """Why a result is undecided: the first condition that is not proved; of a refutation, the condition that fails."""
    if result.verdict is Verdict.PROVED:
        return ""
    if result.counterexample is not None and result.verdict is Verdict.REFUTED:
        failing = [condition for condition in result.conditions.values() if condition.status is Verdict.REFUTED]
        return failing[0].name.replace("_", " ") if failing else ""
    open_ones = [c for c in result.conditions.values() if str(c.status) == UNDECIDED]
    notes = "; ".join(result.notes[:1])
    return _one_line(f"{open_ones[0].name.replace('_', ' ')}: {open_ones[0].how}" if open_ones else notes)


def _one_line(text: str) -> str:
    words = " ".join(text.replace(f"{ROOT}/", "").split())
    return words if len(words) <= 240 else words[:237] + "…"
