"""The worst case of a proved alignment's cost: candidates from runs and from the paths, each proved or dropped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from alignkit.errors import OutOfTime, Undefined, Unsupported
from alignkit.interpreting.evaluator import Evaluator
from alignkit.language.parameters import Epsilon
from alignkit.language.program import Builtin
from alignkit.proving import cost_bounds
from alignkit.proving.conditions.cost_rates import extreme
from alignkit.proving.cost_bounds import Bound
from alignkit.proving.deciding import Decider
from alignkit.proving.gathering import Theory
from alignkit.proving.symbolic_inputs import Inputs, unbounded
from alignkit.proving.term_context import TermContext
from alignkit.refuting.counterexamples import replay_snippet
from alignkit.results import Attained, CostAnalysis
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.claims import OMEGA
from alignkit.symbolic.atoms import Conditional
from alignkit.symbolic.terms import Term, roles
from alignkit.symbolic.trees import Role
from alignkit.worst_case.directed_runs import DearestRun, without_idle_queries
from alignkit.worst_case.finer_invariants import bounds_refined
from alignkit.worst_case.fitting import PublicExpression, as_expression, shares, slack_text

# How many candidates are put to the solver, the smallest first.
MOST = 5
# How many settings a note names at which less than the worst case was seen.
SHOWN = 3


def analyse_cost(alignment: Alignment, theory: Theory, decider: Decider, seen: list[DearestRun]) -> CostAnalysis:
    """The best bound on the cost that could be proved, where it is attained, and by how much the claim exceeds it.

    ``theory`` is that of a complete proof, ``seen`` are the dearest runs at some settings. Where nothing
    better is found, the claim is the bound.
    """
    try:
        inputs = unbounded(alignment.mechanism, alignment.adjacency)
        made = _ex_post if alignment.ex_post else _plain
        return made(alignment, inputs, theory, seen, decider)
    except (OutOfTime, Unsupported, Undefined):
        return CostAnalysis(None if alignment.ex_post else alignment.claim)


def _plain(
    alignment: Alignment, inputs: Inputs, theory: Theory, seen: list[DearestRun], decider: Decider
) -> CostAnalysis:
    bounds: Sequence[Bound] = theory.bounds
    claims = {b.claim for b in bounds}
    claim = PublicExpression(claims.pop(), alignment.claim) if len(claims) == 1 else None
    if claim is None or not roles(claim.term) <= {Role.PUBLIC}:
        return CostAnalysis(alignment.claim)
    best = claim
    if not seen or any(run.cost != run.claim for run in seen):
        tried = _shares(alignment, inputs, claim, seen) + _extremes(inputs, bounds)
        fitting = _smallest(tried, [(_point(run), run.cost) for run in seen], claim)
        smaller = [e for e in fitting if cost_bounds.at_most(decider, inputs.domain, e.term, claim.term)]
        best = _first(decider, bounds, smaller, claim)
        if smaller and best is not smaller[0]:
            bounds = bounds_refined(theory, decider) or bounds
            best = _first(decider, bounds, smaller, claim)
    slack = slack_text(claim.term, best) if best is not claim else None
    return _told(alignment, bounds, seen, decider, best, slack)


def _first(
    decider: Decider, bounds: Sequence[Bound], tried: Sequence[PublicExpression], claim: PublicExpression
) -> PublicExpression:
    """The first candidate that is proved to bound the cost, or else the claim, which is already proved."""
    return next((each for each in tried if cost_bounds.bounds_cost(decider, bounds, each.term)), claim)


def _told(
    alignment: Alignment,
    bounds: Sequence[Bound],
    seen: list[DearestRun],
    decider: Decider,
    best: PublicExpression,
    slack: str | None,
) -> CostAnalysis:
    """The analysis for a proved bound: where it is attained, and at which settings only smaller costs were seen."""
    values = [(run, best.value(_point(run))) for run in seen]
    reached = next((run for run, value in values if run.cost == value), None)
    if reached is not None:
        at = _attained(alignment, reached)
        less = [(run, run.cost / value) for run, value in values if run.cost != value and value > 0]
        return CostAnalysis(best.text, True, slack, at, _less(alignment, less))
    never = cost_bounds.bounds_cost(decider, bounds, best.term, strictly=True)
    ratios = [run.cost / value for run, value in values if value > 0]
    notes = (f"the costliest run that was found costs {max(ratios)} of this bound",) if ratios else ()
    return CostAnalysis(best.text, False if never else None, slack, None, notes)


def _less(alignment: Alignment, less: list[tuple[DearestRun, Fraction]]) -> tuple[str, ...]:
    if not less:
        return ()
    counts = [n for n, kind in alignment.mechanism.public.items() if kind.integer]
    told: dict[str, Fraction] = {}
    for run, share in less:
        names = counts or [n for n, kind in alignment.mechanism.public.items() if kind.positive]
        told.setdefault(", ".join(f"{n} = {run.setting[n]}" for n in names if n in run.setting), share)
    words = "; ".join(f"{share} at {where}" if where else str(share) for where, share in list(told.items())[:SHOWN])
    return (f"not attained for all parameters: the costliest runs that were found cost this share of it: {words}",)


def _attained(alignment: Alignment, run: DearestRun) -> Attained:
    witness = without_idle_queries(alignment, run.witness, run.cost)
    return Attained(witness, run.cost, replay_snippet(alignment, witness))


def _point(run: DearestRun) -> dict[str, Any]:
    """The public parameters of a run, the lengths of its vectors included."""
    lengths = {f"len({n})": len(v) for n, v in run.witness.values.items() if isinstance(v, tuple)}
    return {**run.setting, **lengths}


def _shares(
    alignment: Alignment, inputs: Inputs, claim: PublicExpression, seen: list[DearestRun]
) -> list[PublicExpression]:
    """Shares of the claim, and of a budget that the claim is no plain multiple of."""
    found = []
    budgets = [n for n, kind in alignment.mechanism.public.items() if isinstance(kind, Epsilon)]
    for unit in dict.fromkeys((claim.term, *(Term.of(inputs.values[n]) for n in budgets))):
        try:
            sizes = [(run, as_expression(unit).value(run.setting)) for run in seen]
        except Unsupported:
            continue
        points = [(run.setting, run.cost / size) for run, size in sizes if size > 0]
        found += shares(alignment.mechanism, inputs.values, unit, points) if points else []
    return found


def _extremes(inputs: Inputs, bounds: Sequence[Bound]) -> list[PublicExpression]:
    """The cost of a path where every answer changes as far as it may."""
    moved = (extreme((b.total,), inputs, direction) for b in bounds for direction in (1, -1, 0))
    return [
        as_expression(term) for (term,) in filter(None, moved) if roles(term) <= {Role.PUBLIC} and not _branches(term)
    ]


def _branches(term: Term) -> bool:
    return any(isinstance(atom, Conditional) for atom in term.atoms())


def _smallest(
    tried: Sequence[PublicExpression],
    seen: Sequence[tuple[Mapping[str, Any], Fraction]],
    claim: PublicExpression | None,
    most: int = MOST,
) -> list[PublicExpression]:
    """The candidates that no run contradicts and that say more than the claim, smallest first."""
    found: dict[str, tuple[Fraction, int, PublicExpression]] = {}
    for each in tried:
        try:
            values = [each.value(point) for point, _ in seen]
        except (Unsupported, ZeroDivisionError):
            continue
        if any(value < cost for value, (_, cost) in zip(values, seen, strict=True)):
            continue
        if claim is not None and each.term == claim.term:
            continue
        found.setdefault(each.term.key, (sum(values, Fraction(0)), len(each.text), each))
    return [each for *_, each in sorted(found.values(), key=lambda entry: entry[:2])][:most]


# Claims that depend on the output


class _Long:
    """An output of a given length, and so is each of its parts."""

    def part(self, index: Any) -> _Long:
        return self


class _OfLength(TermContext):
    """Evaluates a claim for one length of the output."""

    def __init__(self, length: Term) -> None:
        super().__init__({})
        self.long = length

    def length(self, value: Any, node: Builtin) -> Any:
        return self.long

    def require(self, condition: Any, place: Any, words: str) -> None:
        if condition is not True:
            raise Undefined(words, place)


def _ex_post(
    alignment: Alignment, inputs: Inputs, theory: Theory, seen: list[DearestRun], decider: Decider
) -> CostAnalysis:
    bounds = theory.bounds
    tried = [
        *_by_length(alignment, inputs),
        *(as_expression(b.claim) for b in bounds if roles(b.claim) <= {Role.PUBLIC}),
    ]
    fitting = _smallest(tried, [(_point(run), run.claim) for run in seen], None, 2 * MOST)
    best = next((each for each in fitting if cost_bounds.bounds_claim(decider, bounds, each.term)), None)
    slack = _share(alignment, bounds, seen, decider)
    if best is None:
        return CostAnalysis(None, slack=slack)
    return _told(alignment, bounds, seen, decider, best, slack)


def _by_length(alignment: Alignment, inputs: Inputs) -> Iterator[PublicExpression]:
    """The claim where the output is as long as a count allows, or as there are queries."""
    counts = [Term.of(inputs.values[n]) for n, kind in alignment.mechanism.public.items() if kind.integer]
    vectors = [Term.of(inputs.values[n].length) for n, kind in alignment.mechanism.parameters.items() if kind.vector]
    lengths = [x * times + more for x in (*counts, *vectors) for times in (1, 2) for more in range(-1, 4)]
    for length in (*map(Term.of, range(4)), *lengths):
        try:
            names = {**inputs.values, OMEGA: _Long()}
            claim = Evaluator(_OfLength(length)).number(alignment.claim_expression, names)
        except Undefined:
            continue
        yield as_expression(Term.of(claim))


def _share(alignment: Alignment, bounds: Sequence[Bound], seen: list[DearestRun], decider: Decider) -> str | None:
    """What is left of a claim that depends on the output, where the cost is a fixed share of it at most."""
    ratios = [run.ratio for run in seen if run.ratio is not None]
    if not ratios or max(ratios) >= 1 or not cost_bounds.share_of_claim(decider, bounds, max(ratios)):
        return None
    return f"{1 - max(ratios)} * ({alignment.claim})"
