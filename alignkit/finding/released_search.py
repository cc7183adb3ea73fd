"""Proposals for mechanisms that only give sums out: each draw makes up for the change of the sum that it hides.

Texts for what draws cover: which answers, as a program would write it.

What each draw of a mechanism of plain sums must move by: how much of each answer it covers.

Where each noisy number that a mechanism compares or gives out has a draw of its own, the output stays the same if each
of these draws makes up for what its number changes by. How much of each answer that is shows if
the answers are changed one by one.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import attrgetter
from typing import Any

from alignkit.errors import AlignkitError
from alignkit.finding.candidates import SearchGrounds
from alignkit.finding.findings import Proposal
from alignkit.finding.paired_runs import AnotherWay, Drawn, PairedRun, follow_d, lead_along
from alignkit.finding.programs import rate
from alignkit.finding.public_expressions import LENGTH, fitted_product, fitting_claims
from alignkit.finding.released_states import released_state
from alignkit.finding.scenarios import noise_from
from alignkit.finding.shape_search import Say, checked
from alignkit.finding.shapes import RELEASED
from alignkit.finding.source_text import AlignmentText, in_full
from alignkit.limits import Deadline
from alignkit.running.adjacency import Adjacency
from alignkit.running.adjacent_pairs import Answer, PrivateAnswers, answers_needed
from alignkit.running.mechanism_decorator import Mechanism

# How many answers more than two the runs have, at most: enough to tell places apart that are counted from either end.
_MORE = 6


@dataclass(frozen=True)
class CoveredDraw:
    """One draw of one run: what of each answer its shift makes up for, by the answer's parameter and position.

    ``position`` is its place in the loop by which answers are covered, the innermost one unless said otherwise.
    ``free`` is whether no output depends on it, so that any shift will do. ``counts`` says how many draws the run makes
    there, in each loop around it, ``size`` how many answers each private list has.
    """

    drawn: Drawn
    weights: Mapping[Answer, Fraction]
    public: Mapping[str, Any]
    size: int
    counts: tuple[int, ...]
    position: int
    free: bool


@dataclass(frozen=True)
class CoveringRun:
    """A run with its draws; ``bounds`` is how far each answer may change, ``outputs`` how many outputs a generator has.
    """

    draws: tuple[CoveredDraw, ...]
    public: Mapping[str, Any]
    bounds: Mapping[Answer, Fraction]
    outputs: int | None

    def cost(self, adjacency: Adjacency, name: str | None = None) -> Fraction:
        """What the shifts cost at most, where only the answers of this parameter change (None: those of any)."""
        costs = [
            sum((abs(d.weights.get(place, Fraction(0))) * bound * rate(d.drawn) for d in self.draws), Fraction(0))
            for place, bound in self.bounds.items()
            if name in (None, place[0])
        ]
        if adjacency in (Adjacency.ONE, Adjacency.L1):
            return max(costs, default=Fraction(0))
        return sum(costs, Fraction(0))


def covering_runs(
    mechanism: Mechanism, settings: Iterable[Mapping[str, Any]], source: random.Random
) -> list[CoveringRun] | None:
    """Runs at some settings with what their draws cover; None where shifts do not follow from the output alone."""
    least = max(2, answers_needed(mechanism))
    runs = [_run(mechanism, public, size, source) for public in settings for size in range(least, least + _MORE)]
    return None if None in runs else [run for run in runs if run is not None]


def _run(mechanism: Mechanism, public: Mapping[str, Any], size: int, source: random.Random) -> CoveringRun | None:
    lists = [name for name, kind in mechanism.public.items() if kind.vector]
    # Lists of different lengths can be told apart.
    own = {name: (public[name] * (size + 2 + n))[: size + 1 + n] for n, name in enumerate(lists)}
    here = {**public, **own}
    private = PrivateAnswers(mechanism, here, size)
    answers = [Fraction(source.randrange(-20, 20)) for _ in private.places]
    nothing = [Fraction(0)] * len(answers)
    try:
        run = follow_d(mechanism, private.witness(answers, nothing).values, noise_from(source))
    except AlignkitError:
        return None
    weights: dict[str, dict[Answer, Fraction]] = {str(drawn.where): {} for drawn in run.drawn}
    settled: set[str] = set()
    for number, place in enumerate(private.places):
        change = private.bounds[number]
        moved = [change if other == number else Fraction(0) for other in range(len(answers))]
        try:
            shifts = forced_shifts(lead_along(mechanism, private.witness(answers, moved), run))
        except (AnotherWay, AlignkitError):
            return None
        if shifts is None:
            return None
        settled |= shifts.keys()
        for name, shift in shifts.items():
            if shift:
                weights[name][place] = -shift / change
    draws = tuple(
        CoveredDraw(
            drawn=drawn,
            weights=weights[str(drawn.where)],
            public=here,
            size=size,
            counts=_counts(drawn, run.drawn),
            position=drawn.where.index[-1] if drawn.where.index else 0,
            free=str(drawn.where) not in settled,
        )
        for drawn in run.drawn
    )
    outputs = len(run.output) if mechanism.program.is_generator else None
    return CoveringRun(draws, here, dict(zip(private.places, private.bounds, strict=True)), outputs)


def _counts(drawn: Drawn, drawn_in_all: Sequence[Drawn]) -> tuple[int, ...]:
    """For each loop around a draw, how often it is drawn there while the loops around that one stand still."""
    index = drawn.where.index
    others = [other.where.index for other in drawn_in_all if other.where.key == drawn.where.key]
    return tuple(len({o[depth] for o in others if o[:depth] == index[:depth]}) for depth in range(len(index)))


def forced_shifts(pair: PairedRun) -> dict[str, Fraction] | None:
    """The shift of each draw that demands speak of, if they settle them one after the other.

    What is compared is to be the same, too.
    """
    known: dict[str, Fraction] = {}
    for demand in pair.demands:
        left = [name for name, factor in demand.factors.items() if factor and name not in known]
        settled = sum((factor * known[n] for n, factor in demand.factors.items() if n in known), Fraction(0))
        if len(left) > 1 or (not left and settled != demand.bound):
            return None
        if left:
            known[left[0]] = (demand.bound - settled) / demand.factors[left[0]]
    return known


# The strides and offsets at which an iteration may read answers, and the fixed sizes of windows.
_STRIDES, _WINDOWS = (1, 2, 3, 4), (2, 3, 4, 5, 6, 7, 8)

Value = Callable[[CoveredDraw], int]


@dataclass(frozen=True)
class _Number:
    """A whole number that may differ from draw to draw, and its text."""

    text: str
    value: Value


def shift_text(
    mechanism: Mechanism, draws: Sequence[CoveredDraw], names: Sequence[str], *, by_output: bool
) -> str | None:
    """The shift of the draws of one key, None where no text fits; ``names`` are free for positions.

    ``by_output`` is whether every draw of the mechanism stands at the position of the next output.
    """
    if not any(draw.drawn.where.index for draw in draws):
        return _sum_of_vectors(mechanism, draws, names[0], names[1])
    depths = {len(draw.drawn.where.index) for draw in draws}
    depth = depths.pop()
    if depths or depth >= len(names):
        return None
    counts = [_count(mechanism, draws, level) for level in range(depth)]
    ranges = ["len(omega)"] if by_output else [count for count in counts if count is not None]
    draws = [draw for draw in draws if not draw.free]
    if len(ranges) == depth:
        for level in reversed(range(depth)):
            of_level = [replace(draw, position=draw.drawn.where.index[level]) for draw in draws]
            body = _sum_of_vectors(mechanism, of_level, names[level], names[depth])
            if body is not None:
                for count, name in zip(reversed(ranges), reversed(names[:depth]), strict=True):
                    body = f"[{body} for {name} in range({count})]"
                return body
    return _listed(mechanism, draws) if depth == 1 and len({draw.counts for draw in draws}) == 1 else None


def _count(mechanism: Mechanism, draws: Sequence[CoveredDraw], depth: int) -> str | None:
    """How many draws there are in a loop, as the alignment may write it."""
    covered = {name for draw in draws for name, at in draw.weights if at is not None}
    names = sorted((n for n, kind in mechanism.private.items() if kind.vector), key=lambda name: name not in covered)
    counts = [name for name, kind in mechanism.public.items() if kind.integer]
    texts: list[tuple[str, Value]] = []
    for name in names:
        for less in (0, 1, 2):
            shown = f"len({name})" if not less else f"len({name}) - {less}"
            texts.append((shown, lambda draw, less=less: draw.size - less))  # type: ignore[misc]
        for part in (2, 3, 4):
            texts.append((f"len({name}) // {part}", lambda draw, part=part: draw.size // part))  # type: ignore[misc]
    lists = [name for name, kind in mechanism.public.items() if kind.vector]
    texts += [(f"len({name})", lambda draw, name=name: len(draw.public[name])) for name in lists]  # type: ignore[misc]
    texts += [(name, lambda draw, name=name: int(draw.public[name])) for name in counts]  # type: ignore[misc]
    return next((text for text, of in texts if all(of(d) == d.counts[depth] for d in draws)), None)


def _sum_of_vectors(mechanism: Mechanism, draws: Sequence[CoveredDraw], index: str, answer: str) -> str | None:
    """The sum of what is covered of each parameter."""
    parts = []
    for name, kind in mechanism.private.items():
        weights = [{at: w for (of, at), w in draw.weights.items() if of == name} for draw in draws]
        if not any(weights):
            continue
        if kind.vector:
            text = _of_vector(mechanism, name, draws, weights, index, answer)
        else:
            text = _of_number(mechanism, name, draws, weights)
        if text is None:
            return None
        parts.append(text)
    return _joined(parts) if parts else "0"


Weights = Sequence[Mapping[int | None, Fraction]]


def _of_number(mechanism: Mechanism, name: str, draws: Sequence[CoveredDraw], weights: Weights) -> str | None:
    values = [weight.get(None, Fraction(0)) for weight in weights]
    return _times(mechanism, draws, values, f"{name} - {name}_")


def _of_vector(
    mechanism: Mechanism, name: str, draws: Sequence[CoveredDraw], weights: Weights, index: str, answer: str
) -> str | None:
    for text in _by_offsets(name, draws, weights, index):
        return text
    same = [set(weight.values()) for weight in weights]
    if any(len(values) > 1 for values in same):
        return None
    for low, high in _ranges(mechanism, name, index):
        if all(_covers(draw, weight, low, high) for draw, weight in zip(draws, weights, strict=True)):
            inside = f"sum({name}[{answer}] - {name}_[{answer}] for {answer} in range({low.text}, {high.text}))"
            inside = inside.replace("range(0, ", "range(")
            values = [next(iter(each)) for each in same if each]
            covering = [draw for draw, each in zip(draws, same, strict=True) if each]
            return _times(mechanism, covering, values, inside)
    return None


def _covers(draw: CoveredDraw, weights: Mapping[int | None, Fraction], low: _Number, high: _Number) -> bool:
    return set(weights) == set(range(max(0, low.value(draw)), min(draw.size, high.value(draw))))


def _ranges(mechanism: Mechanism, name: str, index: str) -> Iterator[tuple[_Number, _Number]]:
    """Where the answers that a draw covers may begin and end."""
    at = attrgetter("position")
    ends = [_Number(f"{index} + 1", lambda d: at(d) + 1), _Number(f"len({name})", lambda d: d.size)]
    ends.append(_Number(index, at))
    begins = [_Number("0", lambda d: 0), _Number(index, at)]
    for window in _WINDOWS:
        text = f"max(0, {index} - {window - 1})"
        begins.append(_Number(text, lambda d, w=window: at(d) + 1 - w))  # type: ignore[misc]
    for count in (n for n, kind in mechanism.public.items() if kind.integer):
        text = f"max(0, {index} + 1 - {count})"
        begins.append(_Number(text, lambda d, c=count: at(d) + 1 - d.public[c]))  # type: ignore[misc]
        begins.append(_Number(f"{index} - {index} % {count}", lambda d, c=count: at(d) - at(d) % d.public[c]))  # type: ignore[misc]
    yield from itertools.product(begins, ends)


def _by_offsets(name: str, draws: Sequence[CoveredDraw], weights: Weights, index: str) -> Iterator[str]:
    """The answers at fixed places from a multiple of the position, such as q[2 * i] and q[2 * i + 1]."""
    single = not any(draw.drawn.where.index for draw in draws)
    for stride in (0,) if single else _STRIDES:
        seen = {
            tuple(sorted((at - stride * draw.position, w) for at, w in weight.items() if at is not None))
            for draw, weight in zip(draws, weights, strict=True)
        }
        if len(seen) == 1:
            place = f"{stride} * {index}" if stride > 1 else index
            yield _joined([_weighted(name, _at(place, offset, single=single), w) for offset, w in seen.pop()])


def _at(place: str, offset: int, *, single: bool) -> str:
    if single:
        return str(offset)
    return place if not offset else f"{place} {'+' if offset > 0 else '-'} {abs(offset)}"


def _weighted(name: str, at: str, weight: Fraction) -> str:
    change = f"{name}[{at}] - {name}_[{at}]"
    if weight == 1:
        return change
    return f"-({change})" if weight == -1 else f"{_number(weight)} * ({change})"


def _listed(mechanism: Mechanism, draws: Sequence[CoveredDraw]) -> str | None:
    """A list with what each draw covers, at fixed places."""
    texts = []
    for number in sorted({draw.position for draw in draws}):
        here = [draw for draw in draws if draw.position == number]
        seen = {tuple(sorted(draw.weights.items(), key=str)) for draw in here}
        if len(seen) != 1:
            return None
        texts.append(_joined([_weighted_answer(place, w) for place, w in seen.pop()]) or "0")
    return f"[{', '.join(texts)}]"


def _weighted_answer(place: tuple[str, int | None], weight: Fraction) -> str:
    name, at = place
    if at is not None:
        return _weighted(name, str(at), weight)
    return f"{_number(weight)} * ({name} - {name}_)" if weight != 1 else f"{name} - {name}_"


def _times(mechanism: Mechanism, draws: Sequence[CoveredDraw], values: Sequence[Fraction], text: str) -> str | None:
    if set(values) == {Fraction(1)}:
        return text
    factor = fitted_product(mechanism, [(draw.public, value) for draw, value in zip(draws, values, strict=True)])
    if factor is None:
        return None
    inside = text if text.startswith("sum(") else f"({text})"
    return f"{inside} / {factor[4:]}" if factor.startswith("1 / ") else f"{factor} * {inside}"


def _number(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator} / {value.denominator}"


def _joined(parts: Sequence[str]) -> str:
    text = ""
    for part in parts:
        text += part if not text else f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return text


def released_proposals(
    mechanism: Mechanism, adjacency: Adjacency, grounds: SearchGrounds, wanted: str | None, deadline: Deadline, say: Say
) -> Iterator[Proposal]:
    """Alignments that keep every number that is given out, with what `check` says of them, until one is proved."""
    runs = covering_runs(mechanism, grounds.samples.public.values(), random.Random(0))
    text = _text(mechanism, adjacency, [draw for run in runs for draw in run.draws]) if runs else None
    if runs is None or text is None:
        state = released_state(mechanism, adjacency, grounds)
        if state is not None:
            text, claims_of_state = state
            to_try = claims_of_state if wanted is None else [wanted]
            yield from checked(((text, claim) for claim in to_try), RELEASED, wanted, deadline, say, set())
        return
    claims = [wanted] if wanted is not None else _claims(mechanism, adjacency, runs)
    yield from checked(((text, claim) for claim in claims), RELEASED, wanted, deadline, say, set())


def _text(mechanism: Mechanism, adjacency: Adjacency, draws: list[CoveredDraw]) -> AlignmentText | None:
    taken = {*mechanism.private, *mechanism.public}
    names = [name for name in ("i", "j", "at", "place", "other", "here") if name not in taken]
    arguments = []
    by_output = mechanism.program.is_generator and all(
        each.drawn.where.index == (each.drawn.outputs_before,) for each in draws
    )
    for draw in mechanism.draws:
        of_key = [each for each in draws if each.drawn.where.key == draw.key]
        shift = shift_text(mechanism, of_key, names, by_output=by_output) if of_key else "0"
        if shift is None:
            return None
        if any(each.weights for each in of_key):
            arguments.append(f"{draw.key}={shift}")
    if not arguments:
        return None
    return in_full(mechanism, adjacency, (), arguments, "Moves each draw by what the number that it hides changes by.")


def _claims(mechanism: Mechanism, adjacency: Adjacency, runs: Sequence[CoveringRun]) -> Iterator[str]:
    """What the alignment may cost: the largest of what the parameters cost alone, or what all of them cost."""
    shared = adjacency in (Adjacency.ONE, Adjacency.L1) and len(mechanism.private) > 1
    of_each = [next(_fitting(mechanism, adjacency, runs, name), None) for name in (mechanism.private if shared else ())]
    if len(set(of_each)) > 1 and None not in of_each:
        yield f"max({', '.join(dict.fromkeys(map(str, of_each)))})"
    yield from _fitting(mechanism, adjacency, runs)
    for name in (name for name, kind in mechanism.public.items() if kind.vector):
        above = [sum(max(Fraction(x), Fraction(0)) for x in run.public[name]) - run.cost(adjacency) for run in runs]
        if min(above) >= 0:
            yield f"sum({name})"
            yield f"sum(max(s, 0) for s in {name})"


def _fitting(
    mechanism: Mechanism, adjacency: Adjacency, runs: Sequence[CoveringRun], name: str | None = None
) -> Iterator[str]:
    points: list[tuple[Mapping[str, Any], Fraction]] = []
    for run in runs:
        lengths = {f"len({list_})": len(run.public[list_]) for list_, kind in mechanism.public.items() if kind.vector}
        if run.outputs is not None:
            lengths[LENGTH] = run.outputs
        points.append(({**run.public, **lengths}, run.cost(adjacency, name)))
    yield from fitting_claims(mechanism, points)
