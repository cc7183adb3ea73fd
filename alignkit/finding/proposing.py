"""From a solution of the linear program to claims and source text, and from source text to an alignment.

A file to complete by hand, where no alignment of a mechanism was found.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from alignkit.finding.paired_runs import Demand, PairedRun
from alignkit.finding.programs import Solution, exact_cost, shift_values
from alignkit.finding.public_expressions import LENGTH, fitted_product, fitting_claims
from alignkit.finding.shapes import Case, Layout, Shape
from alignkit.finding.source_text import WIDTH, AlignmentText, alignment_text, tags_in_scope
from alignkit.finding.sums import helpers_of
from alignkit.language.parameters import Epsilon, Eta
from alignkit.running.adjacency import Adjacency
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_decorator import alignment as make_alignment
from alignkit.running.defined_functions import defined_function
from alignkit.running.mechanism_decorator import Mechanism


@dataclass(frozen=True)
class Skeleton:
    """An alignment that moves no noise, with the imports that it needs and what is to be done."""

    imports: tuple[str, ...]
    to_do: str
    source: str

    def file_text(self, reason: str) -> str:
        """A file that holds the alignment; ``reason`` is why none was found."""
        comments = [f"No alignment was found: {reason}.", self.to_do]
        lines = [line for comment in comments for line in textwrap.wrap(comment, WIDTH - 2)]
        return "\n".join([*self.imports, "", "", *(f"# {line}" for line in lines), self.source])


def skeleton(mechanism: Mechanism, adjacency: Adjacency) -> Skeleton:
    """The skeleton of an alignment of a mechanism."""
    vector = next((name for name, kind in mechanism.private.items() if kind.vector), None)
    shifts = [f"{draw.key}=0" for draw in mechanism.draws if not draw.depth]
    if vector is not None:
        shifts += [f"{draw.key}=[0 for i in range(len({vector}))]" for draw in mechanism.draws if draw.depth == 1]
    private = [primed for name in mechanism.private for primed in (name, f"{name}_")]
    call = f"return H.shift({', '.join(shifts)})"
    long = ("return H.shift(", *(f"    {shift}," for shift in shifts), ")")
    text = AlignmentText(
        mechanism,
        adjacency,
        (*private, "omega", "H"),
        {},
        "Moves no noise yet.",
        (call,) if len(shifts) < 2 else long,
    )
    budgets = [name for name, kind in mechanism.public.items() if isinstance(kind, Epsilon | Eta)]
    answers, answers_ = (", ".join(f"{name}{end}" for name in mechanism.private) for end in ("", "_"))
    to_do = (
        f"Say by how much each draw must move, so that the run on {answers_} gives the output omega that the run on "
        f"{answers} gave with the noise H, and what that costs at most: the claim is only a guess."
    )
    return Skeleton(text.imports, to_do, text.source(" + ".join(budgets) or "1"))


Sampled = Sequence[tuple[int, PairedRun]]
"""Paired runs, each with the number of its setting."""


def claimed(
    solution: Solution, sampled: Sampled, public: Mapping[int, Mapping[str, Any]], wanted: str | None
) -> Iterator[tuple[AlignmentText, str]]:
    """The solution as source, with the claim that is wanted, or each that fits what it costs; with each delta."""
    text = written(solution, sampled, public)
    texts = [text]
    if solution.shape.limited is not None:
        texts = [replace(text, deltas=(delta,)) for delta in text.deltas]
    claims = iter([wanted]) if wanted is not None else _fitting(solution, sampled, public)
    yield from ((text, claim) for claim in claims for text in texts)


def _fitting(solution: Solution, sampled: Sampled, public: Mapping[int, Mapping[str, Any]]) -> Iterator[str]:
    """The claims that fit what a solution costs."""
    shape = solution.shape
    costs: dict[tuple[int, tuple[tuple[str, int], ...]], Fraction] = {}
    for number, pair in sampled:
        key = (number, tuple(_lengths(shape, pair)))
        costs[key] = max(costs.get(key, Fraction(0)), exact_cost(shape, solution.coefficients, pair))
    points = [({**public[number], **dict(lengths)}, cost) for (number, lengths), cost in costs.items()]
    yield from fitting_claims(shape.mechanism, points)


def _lengths(shape: Shape, pair: PairedRun) -> Iterator[tuple[str, int]]:
    """The lengths that a claim may go by. One with delta may not read the output."""
    if shape.limited is not None and shape.answers is not None:
        yield f"len({shape.answers.vector})", len(pair.witness.values[shape.answers.vector])
    elif shape.limited is None and _length_varies(shape):
        yield LENGTH, len(pair.output)


def _length_varies(shape: Shape) -> bool:
    """Whether outputs name more or fewer positions, so that a claim may go by their number."""
    lists = (Layout.POSITIONS, Layout.LIST_WITH_NUMBERS)
    return shape.mechanism.program.is_generator and shape.layout in lists


def written(solution: Solution, sampled: Sampled, public: Mapping[int, Mapping[str, Any]]) -> AlignmentText:
    """The solution as source text."""
    shape = solution.shape
    shifts: dict[tuple[str, Case], dict[str, Fraction]] = {}
    for (key, case, term), factor in sorted(solution.coefficients.items()):
        shifts.setdefault((key, case), {})[term] = factor
    kinds: dict[str, list[Case]] = {draw.key: [] for draw in shape.mechanism.draws}
    measured: dict[str, dict[int, Fraction]] = {}
    for number, pair in sampled:
        for drawn in pair.drawn:
            case = shape.case(pair, drawn)
            if case not in kinds[drawn.where.key] and case != ("none",):
                kinds[drawn.where.key].append(case)
        for key, unit in pair.units.items():
            measured.setdefault(key, {})[number] = unit
    units: dict[str, str] = {}
    for key, values in measured.items():
        if set(values.values()) != {Fraction(1)}:
            text = fitted_product(shape.mechanism, [(public[n], v) for n, v in values.items()])
            if text is not None:
                units[key] = text
    return alignment_text(shape, shifts, units, kinds, _aims(solution, sampled))


def _aims(solution: Solution, sampled: Sampled) -> dict[tuple[str, Case], str]:
    """For each draw in each case, in words, what its shift is for: the demand that few other shifts help to meet."""
    shape = solution.shape
    moving = {(key, case) for (key, case, _), factor in solution.coefficients.items() if factor}
    votes: dict[tuple[str, Case], Counter[tuple[int, int, str]]] = {}
    served: dict[tuple[str, Case], set[tuple[str, frozenset[tuple[str, Case]]]]] = {}
    for _, pair in sampled:
        cases = {str(drawn.where): (drawn.where.key, shape.case(pair, drawn)) for drawn in pair.drawn}
        shifts = shift_values(shape, solution.coefficients, pair)
        for demand in pair.demands:
            moved = {name for name, factor in demand.factors.items() if factor and shifts[name]}
            reached = sum(factor * shifts[name] for name, factor in demand.factors.items())
            if reached == demand.bound:
                vote = (len(moved), len(demand.factors), in_short(demand))
                together = frozenset(cases[name] for name, factor in demand.factors.items() if factor) & moving
                for name in moved:
                    votes.setdefault(cases[name], Counter())[vote] += 1
                    served.setdefault(cases[name], set()).add((vote[2], together))
    return {group: _aim(counts, served[group]) for group, counts in votes.items()}


def _aim(votes: Counter[tuple[int, int, str]], served: set[tuple[str, frozenset[tuple[str, Case]]]]) -> str:
    """The aim with most votes of those that few shifts serve, or both aims of a condition that the same shifts serve.

    ``served`` are the aims, each with the shifts that serve it together.
    """
    aim = min(votes, key=lambda vote: (vote[:2], -votes[vote], vote))[2]
    condition = aim.removesuffix("stays true").removesuffix("stays false")
    both = {f"{condition}stays true", f"{condition}stays false"}
    if any(both <= {aim for aim, others in served if others == together} for _, together in served):
        return f"{condition}keeps its truth value"
    return aim


def in_short(demand: Demand) -> str:
    """What comes of a demand, with the code that asks for it.

    >>> from alignkit.mechanisms.noisy_max import noisy_max
    >>> in_short(Demand({}, Fraction(0), "", noisy_max.program.place, "selects the same"))
    '`def noisy_max(q: Queries, eps: Epsilon, noise: Noise):` selects the same'
    """
    condition = re.fullmatch(r"(?:if|elif|while) (.*):", demand.code)
    if condition is not None:
        return f"`{condition[1]}` {demand.aim}"
    aim = "goes the same way" if demand.aim in ("stays true", "stays false") else demand.aim
    return f"`{demand.code}` {aim}"


def read(mechanism: Mechanism, source: str) -> Alignment:
    """The alignment that a source text defines, which names the mechanism and its tags as the mechanism's module does.

    Raises LanguageError where the text is not an alignment, and InputError where it does not fit the mechanism.
    """
    names: dict[str, Any] = {"__name__": "proposals", "alignment": make_alignment, **tags_in_scope(mechanism)}
    names |= helpers_of(mechanism, set(re.findall(r"\w+", source)))
    names[mechanism.name] = mechanism
    made: Alignment = defined_function(source, "phi", names, f"alignment of {mechanism.name}")
    return made
