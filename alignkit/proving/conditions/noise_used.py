"""Noise used: whether and from what a draw is made depends on public values and the discrete output alone."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from alignkit.errors import Parted
from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Family
from alignkit.language.program import Place
from alignkit.language.tags import Tag
from alignkit.noise import Distribution
from alignkit.proving.conditions.scheduled_state import contradict, on_schedule, same_moment, scheduled
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.facts.ranges import within
from alignkit.proving.obligation import Obligation
from alignkit.proving.path_obligations import Obligations
from alignkit.proving.runs.loop_states import ITERATION, is_iteration
from alignkit.proving.runs.path_trace import Trace, TracedDraw, numbers_within, of_iteration
from alignkit.proving.runs.run_events import ArgumentsAt, FamilyDraw, SymbolicDraw
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Role


def public_scale(owed: Obligations, key: str, arguments: tuple[Any, ...], place: Place, index: Term | None) -> None:
    """Oblige the arguments of a draw to mention public parameters only, and the index of the draw itself."""
    allowed = set() if index is None else {index.key}
    for argument in arguments:
        others = (a for a in atoms_within(argument) if a.key not in allowed and not is_iteration(a))
        mentioned = {a.role for a in others if a.role is not None}
        strange = (mentioned | (roles(argument) & {Role.UNKNOWN})) - {Role.PUBLIC}
        listed = ", ".join(sorted(role.value for role in strange))
        if listed:
            words = f"the scale of {key} depends on: {listed}; it may depend on public parameters only"
            owed.oblige("noise_used", False, place, words)


def same_draw(
    owed: Obligations, of_d: SymbolicDraw, distribution: Distribution, arguments: tuple[Any, ...], place: Place
) -> None:
    """Oblige D′ to draw a coordinate from D's distribution, at D's scale."""
    if of_d.distribution is not distribution:
        raise Parted("noise_used", f"D' draws {of_d.where} from another distribution", place)
    if len(of_d.arguments) != len(arguments):
        raise Parted("noise_used", f"D' draws {of_d.where} with another number of weights", place)
    for one, other in zip(of_d.arguments, arguments, strict=True):
        same = op.compare("==", one, other, place)
        owed.lemma("noise_used", same, place, f"{of_d.where} has the same scale on D and D'")


def same_family(
    owed: Obligations,
    of_d: FamilyDraw,
    distribution: Distribution,
    arguments: ArgumentsAt,
    length: Any,
    place: Place,
) -> None:
    """Oblige D′ to draw a vector from D's distribution, of D's length and at D's scale at every index."""
    key = of_d.key
    if of_d.distribution is not distribution:
        raise Parted("noise_used", f"D' draws {key} from another distribution", place)
    same = op.compare("==", of_d.length, length, place)
    owed.lemma("noise_used", same, place, f"{key} is drawn equally often on D and on D'")
    index = owed.facts.indices.fresh(f"index of {key}")
    inside = [within(index, of_d.length)]
    for one, other in zip(of_d.arguments(index), arguments(index), strict=True):
        equal = op.compare("==", one, other, place)
        owed.oblige("noise_used", equal, place, f"{key} has the same scale on D and D'", given=inside)


def determined_by_output(traces: Sequence[Trace], *, alone: bool = False) -> list[Obligation]:
    """Oblige paths with the same discrete output to draw the same noise, or else to be impossible together.

    Two paths may have one output where their outputs have one form and no whole numbers among them differ. Where the
    program has one loop ``alone``, variables that follow a schedule tell paths apart too.
    """
    obligations = []
    schedule = scheduled(traces) if alone else frozenset()
    forms: dict[Any, dict[tuple[TracedDraw, ...], list[Trace]]] = {}
    for trace in traces:
        form = _form(trace.outputs), trace.ended
        forms.setdefault(form, {}).setdefault(trace.draws, []).append(trace)
    for ways in forms.values():
        for one, other in itertools.combinations(ways.values(), 2):
            for first, second in itertools.product(one, other):
                both = _together(first, second, schedule)
                if both is not None:
                    obligations.append(Obligation("noise_used", both, False, _words(first, second), second.place))
    return obligations


def _together(first: Trace, second: Trace, schedule: frozenset[str]) -> Hypotheses | None:
    """What is known of a run on the second path that shares public values and output with a run on the first.

    None where no two such runs exist, since their public conditions or their whole numbers contradict one another. The
    variables in ``schedule`` are the same on both where these are at the same iteration.
    """
    followed = schedule if same_moment(first, second) else frozenset()
    shared = on_schedule(first, followed)
    if contradict(shared, on_schedule(second, followed)):
        return None
    # A whole number of the first run can be spoken of only where the iteration and public values decide it: the noise
    # is another one, and so is the iteration.
    numbers = list(zip(numbers_within(first.outputs), numbers_within(second.outputs), strict=True))
    # A fixed number of one run is a real part of the other with probability 0 only.
    if any(_apart(a, b, second) or _apart(b, a, first) for a, b in numbers):
        return None
    same = [b.compare("==", _of_another(a)) for a, b in numbers if a.integer and of_iteration(a)]
    if any(equal is False for equal in same):
        return None
    known = (*shared, *map(_of_another, first.of_iteration))
    return second.hypotheses.also((*known, *(equal for equal in same if equal is not True)))


def _apart(number: Term, other: Term, trace: Trace) -> bool:
    """Whether a number of one run is fixed, and a run on the path ``trace`` gives it with probability 0."""
    return of_iteration(number) and other.key in trace.spread


# The iteration of a run that is compared with another.
_ANOTHER = Term.of(Symbol("iteration of another run", Role.INDEX, integer=True))


def _of_another(value: Any) -> Any:
    """What the first of two runs says of its iteration."""
    return substitute(value, {ITERATION: _ANOTHER})


def _form(output: Any) -> Any:
    """An output without its numbers."""
    if isinstance(output, tuple):
        return tuple(map(_form, output))
    if isinstance(output, Tag | bool) or output is None:
        return output
    return "a list" if isinstance(output, Family) else "a number"


def _words(first: Trace, second: Trace) -> str:
    shown = ", ".join(map(_output_words, second.outputs)) or "nothing"
    return (
        f"the output {shown} ({second.ended}) may come with different draws: "
        f"{_listed(first.draws)} and {_listed(second.draws)}"
    )


def _output_words(output: Any) -> str:
    if isinstance(output, tuple):
        return f"({', '.join(map(_output_words, output))})"
    if isinstance(output, Term) and not output.integer:
        return "a real"
    return "a list" if isinstance(output, Family) else str(output)


def _listed(draws: Sequence[TracedDraw]) -> str:
    return ", ".join(f"{draw.name} at {', '.join(draw.arguments)}" for draw in draws) or "none"
