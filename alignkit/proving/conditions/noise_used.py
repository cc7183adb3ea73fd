"""Noise used: D′ makes the draws of D, and what they are drawn from depends on public values and the discrete output.

Which draws are made need not be told by the output where each way that iterations go is looked at by itself
(docs/theory/loops.md, "What the draws tell").
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from alignkit.errors import Parted, Unsupported
from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Family
from alignkit.language.program import Place
from alignkit.noise import CHOICE, Distribution
from alignkit.noise.distribution_parameters import LATTICE
from alignkit.proving.conditions.finite_choices import reads_answers
from alignkit.proving.conditions.released_values import (
    Told,
    contradict,
    form,
    on_schedule,
    same_moment,
    scheduled,
    told_apart,
    told_state,
)
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.facts.ranges import within
from alignkit.proving.obligation import Obligation, Obligations
from alignkit.proving.runs.lemma_calls import from_a_call
from alignkit.proving.runs.loop_states import ITERATION, is_iteration
from alignkit.proving.runs.path_trace import Trace, TracedDraw, VaryingScale, numbers_within, of_iteration
from alignkit.proving.runs.run_on_d import ArgumentsAt, FamilyDraw, SymbolicDraw
from alignkit.proving.runs.seen_output import RealParts
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Role


def note_scale(
    owed: Obligations,
    varying: list[VaryingScale],
    key: str,
    distribution: Distribution,
    arguments: tuple[Any, ...],
    place: Place,
    index: Term | None,
) -> None:
    """Note a draw whose scale reads more than public parameters, the iteration and its own index.

    Which outputs tell what the scale reads shows when the path is over. A lattice must be public, and so must all that
    a call or a selection decides. The weights of a choice may read answers, where it is no vector of choices: then
    ``finite_choices`` bounds what they cost.
    """
    own = "" if index is None else index.key
    for number, argument in enumerate(arguments):
        others = (a for a in atoms_within(argument) if a.key != own and not is_iteration(a))
        mentioned = [a for a in others if a.role is not None]
        strange = ({a.role for a in mentioned} | (roles(argument) & {Role.UNKNOWN})) - {Role.PUBLIC}
        if not strange:
            owed.settled("noise_used", place, f"the scale of {key} depends on public parameters only")
            continue
        called = any(map(from_a_call, mentioned))
        if distribution is CHOICE and index is None and strange == {Role.PRIVATE} and not called:
            owed.settled("noise_used", place, f"what the weights of {key} read {PAID_FOR}")
            continue
        fixed = distribution.parameters[0].listed or distribution.parameters[number] is LATTICE
        if fixed or not strange <= _MAY_BE_RELEASED or called:
            listed = ", ".join(sorted(role.value for role in strange if role is not None))
            part = "scale" if not fixed else "lattice" if not distribution.parameters[0].listed else "weight"
            words = f"the {part} of {key} depends on: {listed}; it may depend on public parameters only"
            owed.exclude("noise_used", place, words)
        else:
            varying.append(VaryingScale(key, (argument,), place, own))


PAID_FOR = "is paid for by the cost"

# What a scale may read where the output tells it.
_MAY_BE_RELEASED = {Role.NOISE, Role.PRIVATE, Role.STATE}


def scales_released(traces: Sequence[Trace], *, alone: bool = False) -> list[Obligation]:
    """Oblige every scale to follow from public values and the output (docs/theory/loops.md).

    Variables of a loop are looked at where the program has one loop ``alone``.
    """
    if not any(trace.varying for trace in traces):
        return []
    state = told_state(traces) if alone else frozenset()
    obligations = []
    for trace in traces:
        told = Told.by(trace, state)
        for scale in trace.varying:
            values = [told.rewritten(parameter) for parameter in scale.parameters]
            hidden = [value for value in values if not told.follows(value, scale.index)]
            reads = _unreleased(hidden[0], told) if hidden else "follows from public values and the output"
            hypotheses = trace.hypotheses if hidden else Hypotheses.of(())
            words = f"the scale of {scale.name} {reads}"
            obligations.append(
                Obligation("noise_used", hypotheses, not hidden, words, scale.place, settled=not hidden)
            )
    return obligations


def _unreleased(value: Any, told: Told) -> str:
    if value is None:
        return "divides by 0 where the output is put in"
    known = {None, Role.PUBLIC, Role.OUTPUT}
    strange = {a.role for a in value.within if a.role not in known and a.key not in told.state and not is_iteration(a)}
    listed = ", ".join(sorted(role.value for role in strange))
    return f"depends on: {listed}; it may depend on public parameters and on what the output tells only"


def one_density(varying: Sequence[VaryingScale]) -> None:
    """Refuse scales that vary where the noise must have one density, as in a proof by pieces."""
    if varying:
        words = f"the scale of {varying[0].name}, which varies, in an alignment that is one-to-one by pieces"
        raise Unsupported(words, varying[0].place)


def same_draw(
    owed: Obligations, of_d: SymbolicDraw, distribution: Distribution, arguments: tuple[Any, ...], place: Place
) -> None:
    """Oblige D′ to draw a coordinate from D's distribution, at D's scale."""
    if of_d.distribution is not distribution:
        raise Parted("noise_used", f"D' draws {of_d.where} from another distribution", place)
    if len(of_d.arguments) != len(arguments):
        raise Parted("noise_used", f"D' draws {of_d.where} with another number of weights", place)
    if reads_answers(of_d):
        owed.settled("noise_used", place, f"D' draws {of_d.where} with as many weights")
        return
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
    key = of_d.name
    if of_d.distribution is not distribution:
        raise Parted("noise_used", f"D' draws {key} from another distribution", place)
    same = op.compare("==", of_d.length, length, place)
    owed.lemma("noise_used", same, place, f"{key} is drawn equally often on D and on D'")
    index = owed.facts.indices.fresh(f"index of {key}")
    inside = [within(index, of_d.length)]
    on_d, on_d_prime = of_d.arguments(index), arguments(index)
    if len(on_d) != len(on_d_prime):
        raise Parted("noise_used", f"D' draws {key} with another number of weights", place)
    for one, other in zip(on_d, on_d_prime, strict=True):
        equal = op.compare("==", one, other, place)
        owed.oblige("noise_used", equal, place, f"{key} has the same scale on D and D'", given=inside)


def determined_by_output(traces: Sequence[Trace], *, alone: bool = False, by_draws: bool = False) -> list[Obligation]:
    """Oblige paths with the same discrete output to draw the same noise, or else to be impossible together.

    Two paths may have one output where their outputs have one form and no whole numbers among them differ. Real parts
    of outputs tell paths apart by the conditions on them. Where the program has one loop ``alone``, variables that
    follow a schedule or from the output tell paths apart too. Where an alignment is looked at for each list of draws
    by itself, ``by_draws``, only paths that draw the same coordinates must agree on their distributions and scales;
    the words for other paths say that the output does not tell them apart.
    """
    obligations = []
    schedule = scheduled(traces) if alone else None
    tells = cache(lambda: told_state(traces) if alone else frozenset())
    told = cache(lambda trace_key: Told.by(by_key[trace_key], tells()))
    by_key = {trace.key: trace for trace in traces}
    forms: dict[Any, dict[tuple[TracedDraw, ...], list[Trace]]] = {}
    for trace in traces:
        seen = form(trace.outputs), trace.ended
        forms.setdefault(seen, {}).setdefault(trace.draws, []).append(trace)
    for ways in forms.values():
        for one, other in itertools.combinations(ways.values(), 2):
            for first, second in itertools.product(one, other):
                both = _together(first, second, schedule)
                apart = both is None or told_apart(first, told(first.key), second, told(second.key))
                words = _words(first, second)
                if not apart and by_draws and drawn_coordinates(first) != drawn_coordinates(second):
                    apart, words = True, f"{words}; {TOLD_BY_DRAWS}"
                hypotheses = Hypotheses.of(()) if apart or both is None else both
                obligations.append(
                    Obligation("noise_used", hypotheses, apart, words, second.place, settled=apart)
                )
    return obligations


# Where one output comes with different draws, and the theorem of scales covers each list of draws by itself.
TOLD_BY_DRAWS = "each is looked at by itself"


def drawn_coordinates(trace: Trace) -> frozenset[str]:
    """The coordinates of noise that a path draws, by their names."""
    return frozenset(draw.name for draw in trace.draws)


def way_of_drawing(trace: Trace) -> tuple[frozenset[str], str]:
    """What D′ shares with D on a path, beside the output: the coordinates that are drawn, and how the path ends."""
    return drawn_coordinates(trace), trace.ended


def read_alike(paths: Iterable[tuple[Trace, RealParts]], *, alone: bool = False) -> Iterator[Obligation]:
    """Oblige a real part that a shift reads to be one and the same term on all paths with the same discrete output.

    What a path computes in its place is then what the output is, whatever the noise that decides between the paths.
    """
    listed = list(paths)
    readers = [(trace, reals) for trace, reals in listed if reals.read]
    schedule = scheduled([trace for trace, _ in listed]) if alone and readers else None
    for (first, reals), (second, others) in itertools.product(readers, listed):
        if (form(first.outputs), first.ended) != (form(second.outputs), second.ended):
            continue
        for name in sorted(reals.read):
            one, other = reals.put_out[name], others.put_out.get(name)
            alike = other is not None and one == other
            if not alike and _together(first, second, schedule) is None:
                continue
            words = f"where a shift reads the number {name}, the discrete output tells what D computes there"
            if not alike:
                words += f": it is {one}, or else {other}; put out a tag beside it that tells which"
            yield Obligation("countable", Hypotheses.of(()), alike, words, first.place, settled=alike)


def _together(first: Trace, second: Trace, schedule: frozenset[str] | None) -> Hypotheses | None:
    """What is known of a run on the second path that shares public values and output with a run on the first.

    None where no two such runs exist, since their public conditions or their whole numbers contradict one another. The
    variables in ``schedule`` are the same on both where these are at the same iteration, if there is one loop alone.
    """
    followed = schedule if same_moment(first, second) else None
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
