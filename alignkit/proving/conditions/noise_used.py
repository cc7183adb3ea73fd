"""Noise used: whether and from what a draw is made depends on public values and the discrete output alone."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from alignkit.interpreting.values import Family, is_number
from alignkit.language.program import Place
from alignkit.language.tags import Tag
from alignkit.proving.hypotheses import Hypotheses
from alignkit.proving.instances import PROBE
from alignkit.proving.obligation import Obligation
from alignkit.symbolic.terms import Element, Role, Symbol, Term, atoms_within, roles

if TYPE_CHECKING:
    from alignkit.proving.contexts import RunContext
    from alignkit.proving.ledger import Ledger
    from alignkit.proving.trial import Trace

ITERATION = "iteration"  # the name of the arbitrary iteration's index, which is public


def public_scale(ledger: Ledger, key: str, arguments: tuple[Any, ...], place: Place, index: Term | None = None) -> None:
    """The arguments of a draw mention public parameters only (and the index of the draw itself)."""
    allowed = {Role.INDEX.prefix + ITERATION} | ({index.key} if index is not None else set())
    for argument in arguments:
        if not isinstance(argument, Term):
            continue
        strange = sorted(
            {
                a.role.value
                for a in atoms_within(argument)
                if isinstance(a, Symbol | Element) and a.role is not Role.PUBLIC and a.key not in allowed
            }
            | ({Role.UNKNOWN.value} if Role.UNKNOWN in roles(argument) else set())
        )
        if strange:
            words = f"the scale of {key} depends on: {', '.join(strange)}; it may depend on public parameters only"
            ledger.oblige("noise_used", False, place, words)


@dataclass(frozen=True)
class Drawn:
    """One draw of a path, or a list of them: from which distribution, at which scale, and how many."""

    name: str
    distribution: str
    arguments: tuple[str, ...]
    length: str = ""


def drawn(ledger: Ledger, run: RunContext) -> tuple[Drawn, ...]:
    """What a run has drawn, in order."""
    single = [Drawn(str(d.where), d.distribution.name, _keys(d.arguments)) for d in run.drawn]
    with ledger.looking():
        lists = [Drawn(f.key, f.distribution.name, _keys(f.arguments(PROBE)), f.length.key) for f in run.families]
    return (*single, *lists)


def _keys(arguments: Sequence[Any]) -> tuple[str, ...]:
    return tuple(argument.key if isinstance(argument, Term) else str(argument) for argument in arguments)


def determined_by_output(traces: Sequence[Trace]) -> list[Obligation]:
    """Paths with one discrete output draw the same noise; else they must be impossible for one choice of public values.

    Two paths may have one output where their outputs have one form and no whole numbers among them differ.
    """
    obligations = []
    forms: dict[Any, dict[tuple[Drawn, ...], list[Trace]]] = {}
    for trace in traces:
        form = tuple(map(_form, trace.outputs)), trace.ended
        forms.setdefault(form, {}).setdefault(trace.draws, []).append(trace)
    for ways in forms.values():
        for one, other in itertools.combinations(ways.values(), 2):
            for first, second in itertools.product(one, other):
                both = _together(first, second)
                if both is not None:
                    obligations.append(Obligation("noise_used", both, False, _words(first, second), second.place))
    return obligations


def _together(first: Trace, second: Trace) -> Hypotheses | None:
    """What holds of a run on the second path that shares public values and output with a run on the first.

    None where no two such runs exist, since their public conditions or their whole numbers contradict one another.
    """
    public = {formula.key for formula in second.public}
    opposites = [~formula for formula in first.public]
    if any(o is True or (o is not False and o.key in public) for o in opposites):
        return None
    same = []
    for one, other in zip(map(_parts, first.outputs), map(_parts, second.outputs), strict=True):
        for a, b in zip(one, other, strict=True):
            # A whole number of the first run can be spoken of only where it is public: the noise is another one.
            if a.integer and roles(a) <= {Role.PUBLIC}:
                same.append(b.compare("==", a))
    if any(equal is False for equal in same):
        return None
    return second.hypotheses.also((*first.public, *(equal for equal in same if equal is not True)))


def _parts(output: Any) -> list[Term]:
    """The numbers of an output, in order."""
    if isinstance(output, tuple):
        return [number for part in output for number in _parts(part)]
    number = is_number(output) and not isinstance(output, bool)
    return [Term.of(output)] if number else []


def _form(output: Any) -> Any:
    """An output without its numbers."""
    if isinstance(output, tuple):
        return tuple(map(_form, output))
    if isinstance(output, Tag | bool) or output is None:
        return output
    return "a list" if isinstance(output, Family) else "a number"


def _words(first: Trace, second: Trace) -> str:
    shown = ", ".join(map(_shown, second.outputs)) or "nothing"
    return (
        f"one output, {shown} ({second.ended}), comes with different draws: "
        f"{_listed(first.draws)} and {_listed(second.draws)}"
    )


def _shown(output: Any) -> str:
    if isinstance(output, tuple):
        return f"({', '.join(map(_shown, output))})"
    if isinstance(output, Term) and not output.integer:
        return "a real"
    return "a list" if isinstance(output, Family) else str(output)


def _listed(draws: Sequence[Drawn]) -> str:
    return ", ".join(f"{each.name} at {', '.join(each.arguments)}" for each in draws) or "none"
