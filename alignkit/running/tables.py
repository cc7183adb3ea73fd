"""A trial as a table: D with H on the left, D′ with φ(H) on the right, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isclose
from typing import Any

from alignkit.interpreting.values import Members, is_number
from alignkit.results import Witness
from alignkit.running.aligned import AlignedReplay, as_vector, same_output

NOTHING = "-"
PARTING = "<- the outputs part here"

_LONGEST_FAMILY = 24
_LONGEST_NUMBER = 20


@dataclass(frozen=True)
class Row:
    """One quantity on D and on D′, and what there is to say of the pair."""

    label: str
    one: str
    other: str
    note: str = ""


def rows(witness: Witness, omega: Any, omega_: Any) -> list[Row]:
    """The rows of a trial: answers, public parameters, noise with its shifts, outputs."""
    found: list[Row] = []
    for name, value in witness.q.items():
        found += _cut([Row(label, *_both(x, y)) for label, x, y in _pairs(name, value, witness.q_[name])])
    for name, value in witness.public.items():
        found += _cut([Row(label, *_both(x, x)) for label, x, _ in _pairs(name, value, value)])
    for name, value in witness.H.items():
        other = None if witness.H_ is None else witness.H_.get(name)
        drawn = [(label, x, y) for label, x, y in _pairs(name, value, other) if x is not None]
        found += _cut([Row(label, *_both(x, y), _shift(x, y)) for label, x, y in drawn])
    return found + _cut(_outputs(omega, omega_))


def render(found: Sequence[Row], indent: str = "  ") -> list[str]:
    """The rows as lines of text, under their heading."""
    heading = Row("", "D, H", "D', H'")
    everything = [heading, *found]
    widths = [max(len(getattr(row, column)) for row in everything) for column in ("label", "one", "other")]
    lines = []
    for row in everything:
        cells = f"{row.label:<{widths[0]}}    {row.one:>{widths[1]}}    {row.other:>{widths[2]}}"
        lines.append(f"{indent}{cells}    {row.note}".rstrip())
    return lines


def comparison(cost: Any, claim: Any, text: str = "", *, at_least: bool = False) -> str:
    """Cost against claim; ``text`` is the claim as it was written. With ``at_least`` the cost is that or more.

    >>> comparison(Fraction(3, 2), 1, "eps")
    'cost 3/2 > claim 1 (eps)'
    >>> comparison(Fraction(-1), 1, "eps", at_least=True)
    'cost at least -1; claim 1 (eps)'
    """
    claimed = show(claim)
    if text and text != claimed:
        claimed += f" ({text})"
    if cost is None:
        return f"cost: not reached; claim {claimed}"
    more = cost > claim and not (isinstance(cost, float) and isclose(cost, claim))
    if at_least:
        return f"cost at least {show(cost)}{' >' if more else ';'} claim {claimed}"
    return f"cost {show(cost)} {'>' if more else '<='} claim {claimed}"


def show(value: Any) -> str:
    """A value for people: exact numbers as fractions, long ones shortened.

    >>> show((Fraction(1, 3), 0.5, None))
    '(1/3, 0.5, -)'
    """
    if isinstance(value, bool) or value is None:
        return NOTHING if value is None else str(value)
    if isinstance(value, int | Fraction):
        return _show_exact(value)
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, Members | set | frozenset):
        items = value.items if isinstance(value, Members) else value
        return "{" + ", ".join(show(x) for x in sorted(items)) + "}"
    if isinstance(value, list | tuple):
        return "(" + ", ".join(show(x) for x in value) + ("," if len(value) == 1 else "") + ")"
    return str(value)


def _show_exact(value: int | Fraction) -> str:
    text = str(value)
    if len(text) <= _LONGEST_NUMBER:
        return text
    try:
        return f"~{float(value):.6g}"
    except OverflowError:
        return f"{text[:_LONGEST_NUMBER]}..."


def table(replay: AlignedReplay) -> str:
    """A replayed trial side by side, its cost against the claim, and the condition that fails, if any."""
    alignment, trial = replay.alignment, replay.trial
    mechanism = alignment.mechanism
    witness = Witness.of(mechanism, replay.values, replay.values_, as_vector(trial.run), _aligned_noise(replay))
    found = rows(witness, replay.output, replay.output_)
    violation = trial.violation
    says = "no condition fails on this trial"
    if violation is not None:
        says = f"{violation.condition.replace('_', ' ')}: {violation.words}"
        if violation.place is not None:
            says += f" ({violation.place.source.file}:{violation.place.line})"
    cost = comparison(trial.cost, trial.claim, alignment.claim, at_least=trial.at_least)
    heading = f"{mechanism.name} / {alignment.name}, adjacency {alignment.adjacency}"
    return "\n".join([heading, *render(found), f"  {cost}", f"  {says}"])


def _aligned_noise(replay: AlignedReplay) -> dict[str, Any] | None:
    trial = replay.trial
    if not trial.shifts and trial.run.drawn:
        return None
    shifted = tuple(replace(drawn, value=trial.noise_[drawn.where]) for drawn in trial.run.drawn)
    return as_vector(replace(trial.run, drawn=shifted))


def _pairs(name: str, one: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    """The numbers of a value and of its partner under D′, each with its name."""
    if not isinstance(one, list | tuple):
        yield name, one, other
        return
    partners = other if isinstance(other, list | tuple) else ()
    for i, value in enumerate(one):
        yield from _pairs(f"{name}[{i}]", value, partners[i] if i < len(partners) else None)


def _both(one: Any, other: Any) -> tuple[str, str]:
    return show(one), show(other)


def _shift(one: Any, other: Any) -> str:
    if not (is_number(one) and is_number(other)) or one == other:
        return ""
    return f"shift {'+' if other > one else ''}{show(other - one)}"


def _outputs(omega: Any, omega_: Any) -> list[Row]:
    if not isinstance(omega, tuple | list):
        parted = omega_ is not None and not same_output(omega, omega_)
        return [Row("output", *_both(omega, omega_), PARTING if parted else "")]
    one, other = list(omega), list(omega_) if isinstance(omega_, tuple | list) else []
    found, together = [], omega_ is not None
    for i in range(max(len(one), len(other))):
        left, right = one[i : i + 1], other[i : i + 1]
        same = bool(left and right) and same_output(left[0], right[0])
        shown = (show(left[0]) if left else NOTHING, show(right[0]) if right else NOTHING)
        found.append(Row(f"output[{i}]", *shown, PARTING if together and not same else ""))
        together = together and same
    return found or [Row("output", NOTHING, NOTHING)]


def _cut(found: list[Row]) -> list[Row]:
    """A long family without its middle; the row where the outputs part stays."""
    if len(found) <= _LONGEST_FAMILY:
        return found
    head, tail = found[: _LONGEST_FAMILY - 4], found[-3:]
    middle = found[_LONGEST_FAMILY - 4 : -3]
    kept = [row for row in middle if row.note == PARTING]
    return [*head, Row(f"... {len(middle) - len(kept)} more", "", ""), *kept, *tail]
