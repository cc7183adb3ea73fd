"""A replayed aligned run, which prints as a table: D with H on the left, D′ with φ(H) on the right, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from math import isclose
from typing import Any

from alignkit.formatting import full_text
from alignkit.interpreting.values import Members, is_number
from alignkit.results import Witness
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.both_runs import AlignedRun, Violation
from alignkit.running.replaying import alike

NOTHING = "-"
PARTING = "<- the outputs differ from here on"

_LONGEST_FAMILY = 24
_LONGEST_NUMBER = 20


@dataclass(frozen=True, repr=False)
class AlignedReplay:
    """A concrete trial as a user asks for it; printing it shows both runs side by side.

    ``cost`` and ``claim`` are exact for exact inputs; ``output`` and ``output_`` are what D and D′ gave;
    ``violation`` is the condition of the proof that fails here, or None. Where noise such as Gumbel noise, whose shifts
    down have no bound, is shifted down, the shifts cost ``cost`` or more, and printing says so. Where ``outside`` names
    a limit that the noise breaks, the alignment need not be right, and neither condition nor cost is judged.
    """

    alignment: AlignmentProgram
    witness: Witness
    trial: AlignedRun

    @property
    def cost(self) -> Any:
        return self.trial.cost

    @property
    def claim(self) -> Any:
        return self.trial.claim

    @property
    def output(self) -> Any:
        return self.trial.run.output

    @property
    def output_(self) -> Any:
        return None if self.trial.run_ is None else self.trial.run_.output

    @property
    def violation(self) -> Violation | None:
        return self.trial.violation

    @property
    def outside(self) -> str | None:
        return self.trial.outside

    @property
    def outcome(self) -> str:
        """What the pair of runs comes to, in a sentence."""
        if self.outside is not None:
            return f"outside the limits: {self.outside}; delta pays for such noise"
        if self.violation is not None:
            return f"{self.violation.condition.replace('_', ' ')}: {self.violation.words}"
        return "no condition fails on this pair of runs"

    def __repr__(self) -> str:
        alignment, trial = self.alignment, self.trial
        violation = trial.violation
        lines = [f"  {self.outcome}"]
        if violation is not None and violation.place is not None:
            lines[0] += f" ({violation.place.source.file}:{violation.place.line})"
        if self.outside is None:
            cost = cost_against_claim(trial.cost, trial.claim, alignment.claim, at_least=trial.at_least)
            lines.insert(0, f"  {cost}")
        heading = f"{alignment.mechanism.name} / {alignment.name}, adjacency {alignment.adjacency}"
        return "\n".join([heading, *render(rows(self.witness, self.output, self.output_)), *lines])


@dataclass(frozen=True)
class Row:
    """One quantity on D and on D′, and what there is to say of the pair."""

    label: str
    one: str
    other: str
    note: str = ""


def rows(witness: Witness, omega: Any, omega_: Any) -> list[Row]:
    """The rows of a trial: answers, public parameters, noise with its shifts, outputs."""
    table: list[Row] = []
    for name, value in witness.q.items():
        table += _cut([Row(label, *_both(x, y)) for label, x, y in _pairs(name, value, witness.q_[name])])
    for name, value in witness.public.items():
        table += _cut([Row(label, *_both(x, x)) for label, x, _ in _pairs(name, value, value)])
    for name, value in witness.H.items():
        other = None if witness.H_ is None else witness.H_.get(name)
        drawn = [(label, x, y) for label, x, y in _pairs(name, value, other) if x is not None]
        table += _cut([Row(label, *_both(x, y), _shift(x, y)) for label, x, y in drawn])
    return table + _cut(_outputs(omega, omega_))


def render(body: Sequence[Row]) -> list[str]:
    """The rows as lines of text, under their heading."""
    table = [Row("", "D, H", "D', H'"), *body]
    label = max(len(row.label) for row in table)
    one = max(len(row.one) for row in table)
    other = max(len(row.other) for row in table)
    return [
        f"  {row.label:<{label}}    {row.one:>{one}}    {row.other:>{other}}    {row.note}".rstrip() for row in table
    ]


def cost_against_claim(cost: Any, claim: Any, text: str = "", *, at_least: bool = False) -> str:
    """Cost against claim; ``text`` is the claim as it was written. With ``at_least`` the cost is that or more.

    >>> cost_against_claim(Fraction(3, 2), 1, "eps")
    'cost 3/2 > claim 1 (eps)'
    >>> cost_against_claim(Fraction(-1), 1, "eps", at_least=True)
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
    text = full_text(value)
    if len(text) <= _LONGEST_NUMBER:
        return text
    try:
        return f"~{float(value):.6g}"
    except OverflowError:
        return f"{text[:_LONGEST_NUMBER]}..."


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
        parted = omega_ is not None and not alike(omega, omega_, up_to_rounding=True)
        return [Row("output", *_both(omega, omega_), PARTING if parted else "")]
    one, other = omega, omega_ if isinstance(omega_, tuple | list) else ()
    outputs, together = [], omega_ is not None
    for i, (left, right) in enumerate(zip_longest(one, other, fillvalue=NOTHING)):
        same = alike(left, right, up_to_rounding=True)
        outputs.append(Row(f"output[{i}]", *_both(left, right), PARTING if together and not same else ""))
        together = together and same
    return outputs or [Row("output", NOTHING, NOTHING)]


def _cut(family: list[Row]) -> list[Row]:
    """A long family without its middle; the row where the outputs part stays."""
    if len(family) <= _LONGEST_FAMILY:
        return family
    head, middle, tail = family[: _LONGEST_FAMILY - 4], family[_LONGEST_FAMILY - 4 : -3], family[-3:]
    kept = [row for row in middle if row.note == PARTING]
    return [*head, Row(f"... {len(middle) - len(kept)} more", "", ""), *kept, *tail]
