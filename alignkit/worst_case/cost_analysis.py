"""The worst case of a proved alignment's cost: candidates from runs and from the paths, each proved or dropped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.errors import OutOfTime, Undefined, Unsupported
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Family
from alignkit.language.parameters import Epsilon
from alignkit.proving import cost_bounds
from alignkit.proving.conditions.cost_rates import extreme
from alignkit.proving.cost_bounds import Bound
from alignkit.proving.deciding import Decider
from alignkit.proving.gathering import Theory
from alignkit.proving.symbolic_inputs import Inputs, unbounded
from alignkit.proving.vectors.claim_sums import ClaimContext
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

# The most candidates that are put to the solver, the smallest first; twice as many where the claim is ex-post.
MOST = 5
# The most settings that a note names where less than the worst case was reached.
SHOWN = 3


def analyse_cost(alignment: Alignment, theory: Theory, decider: Decider, runs: list[DearestRun]) -> CostAnalysis:
    """The best bound on the cost that could be proved, where it is attained, and by how much the claim exceeds it.

    ``theory`` is that of a complete proof, ``runs`` are the dearest runs at some settings. Where nothing
    better is proved, the claim is the bound.
    """
    try:
        inputs = unbounded(alignment.mechanism, alignment.adjacency)
        search = _Search(alignment, inputs, theory, decider, runs, theory.bounds)
        return search.worst_claim() if alignment.ex_post else search.worst_cost()
    except (OutOfTime, Unsupported, Undefined):
        return CostAnalysis(None if alignment.ex_post else alignment.claim)


@dataclass
class _Search:
    """The search for the worst case of one alignment; ``bounds`` are what its cost and claim are at the path ends."""

    alignment: Alignment
    inputs: Inputs
    theory: Theory
    decider: Decider
    runs: list[DearestRun]
    bounds: Sequence[Bound]

    def worst_cost(self) -> CostAnalysis:
        """The worst case of the cost, where the claim is one expression of the public parameters."""
        claims = {bound.claim for bound in self.bounds}
        claim = PublicExpression(claims.pop(), self.alignment.claim) if len(claims) == 1 else None
        if claim is None or not roles(claim.term) <= {Role.PUBLIC}:
            return CostAnalysis(self.alignment.claim)
        best = claim
        if not self.runs or any(run.cost != run.claim for run in self.runs):
            candidates = self._shares(claim) + self._extremes()
            fitting = _smallest(candidates, [(run.setting, run.cost) for run in self.runs], claim)
            domain = self.inputs.domain
            smaller = [e for e in fitting if cost_bounds.at_most(self.decider, domain, e.term, claim.term)]
            best = self._first_bound(smaller, claim)
            if smaller and best is not smaller[0]:
                self.bounds = bounds_refined(self.theory, self.decider) or self.bounds
                best = self._first_bound(smaller, claim)
        return self._analysis(best, slack_text(claim.term, best) if best is not claim else None)

    def _first_bound(self, candidates: Sequence[PublicExpression], claim: PublicExpression) -> PublicExpression:
        """The first candidate that is proved to bound the cost, or else the claim, which is already proved."""
        return next((e for e in candidates if cost_bounds.bounds_cost(self.decider, self.bounds, e.term)), claim)

    def _analysis(self, best: PublicExpression, slack: str | None) -> CostAnalysis:
        """The analysis for a proved bound: where it is attained, and at which settings only smaller costs were seen."""
        values = [(run, best.value(run.setting)) for run in self.runs]
        dearest = next((run for run, value in values if run.cost == value), None)
        if dearest is not None:
            witness = without_idle_queries(self.alignment, dearest.witness, dearest.cost)
            at = Attained(witness, dearest.cost, replay_snippet(self.alignment, witness))
            shares = [(run, run.cost / value) for run, value in values if run.cost != value and value > 0]
            return CostAnalysis(best.text, True, slack, at, self._note_of_shares(shares))
        never = cost_bounds.bounds_cost(self.decider, self.bounds, best.term, strictly=True)
        ratios = [run.cost / value for run, value in values if value > 0]
        notes = (f"the costliest run that was found costs {max(ratios)} of this bound",) if ratios else ()
        return CostAnalysis(best.text, False if never else None, slack, None, notes)

    def _note_of_shares(self, shares: list[tuple[DearestRun, Fraction]]) -> tuple[str, ...]:
        """Where the bound was not attained: the share of it that the dearest run cost, at some settings."""
        if not shares:
            return ()
        public = self.alignment.mechanism.public
        counts = [n for n, kind in public.items() if kind.integer]
        names = counts or [n for n, kind in public.items() if kind.positive]
        by_setting: dict[str, Fraction] = {}
        for run, share in shares:
            by_setting.setdefault(", ".join(f"{n} = {run.setting[n]}" for n in names), share)
        shown = [f"{share} at {where}" if where else str(share) for where, share in by_setting.items()]
        start = "at some parameters no run was found that attains it; the costliest cost this share of it"
        return (f"{start}: {'; '.join(shown[:SHOWN])}",)

    def _shares(self, claim: PublicExpression) -> list[PublicExpression]:
        """Shares of the claim, and of a budget that the claim is no plain multiple of."""
        mechanism, values = self.alignment.mechanism, self.inputs.values
        expressions = []
        budgets = [n for n, kind in mechanism.public.items() if isinstance(kind, Epsilon)]
        for unit in dict.fromkeys((claim.term, *(Term.of(values[n]) for n in budgets))):
            try:
                sizes = [(run, as_expression(unit).value(run.setting)) for run in self.runs]
            except Unsupported:
                continue
            points = [(run.setting, run.cost / size) for run, size in sizes if size > 0]
            expressions += shares(mechanism, values, unit, points) if points else []
        return expressions

    def _extremes(self) -> list[PublicExpression]:
        """The cost of a path where every answer changes as far as it may."""
        moved = (extreme((b.total,), self.inputs, direction) for b in self.bounds for direction in (1, -1, 0))
        terms = [term for (term,) in filter(None, moved) if roles(term) <= {Role.PUBLIC}]
        return [as_expression(t) for t in terms if not any(isinstance(atom, Conditional) for atom in t.atoms())]

    def worst_claim(self) -> CostAnalysis:
        """The largest claim over all outputs, where the claim depends on the output."""
        of_paths = (as_expression(b.claim) for b in self.bounds if roles(b.claim) <= {Role.PUBLIC})
        candidates = [*self._by_length(), *of_paths]
        fitting = _smallest(candidates, [(run.setting, run.claim) for run in self.runs], None, 2 * MOST)
        best = next((e for e in fitting if cost_bounds.bounds_claim(self.decider, self.bounds, e.term)), None)
        slack = self._slack_of_share()
        return CostAnalysis(None, slack=slack) if best is None else self._analysis(best, slack)

    def _by_length(self) -> Iterator[PublicExpression]:
        """The claim where the output is as long as a count allows, or as there are queries."""
        mechanism, values = self.alignment.mechanism, self.inputs.values
        counts = [Term.of(values[n]) for n, kind in mechanism.public.items() if kind.integer]
        vectors = [Term.of(values[n].length) for n, kind in mechanism.parameters.items() if kind.vector]
        lengths = [x * times + more for x in (*counts, *vectors) for times in (1, 2) for more in range(-1, 4)]
        for length in (*map(Term.of, range(4)), *lengths):
            omega = Family(length, lambda index: None)
            try:
                claim = Evaluator(_AnyPart({})).number(self.alignment.claim_expression, {**values, OMEGA: omega})
            except Undefined:
                continue
            yield as_expression(Term.of(claim))

    def _slack_of_share(self) -> str | None:
        """What is left of a claim that depends on the output, where the cost is a fixed share of it at most."""
        most = max((run.ratio for run in self.runs if run.ratio is not None), default=None)
        if most is None or most >= 1 or not cost_bounds.share_of_claim(self.decider, self.bounds, most):
            return None
        return f"{1 - most} * ({self.alignment.claim})"


class _AnyPart(ClaimContext):
    """Evaluates a claim for one length of the output, and of each of its parts."""

    def element(self, family: Family, index: Any, place: Any) -> Family:
        return family


def _smallest(
    candidates: Sequence[PublicExpression],
    points: Sequence[tuple[Mapping[str, Any], Fraction]],
    claim: PublicExpression | None,
    most: int = MOST,
) -> list[PublicExpression]:
    """The candidates that no run contradicts and that say more than the claim, smallest first."""
    fitting: dict[str, tuple[Fraction, int, PublicExpression]] = {}
    for candidate in candidates:
        if claim is not None and candidate.term == claim.term:
            continue
        try:
            values = [candidate.value(setting) for setting, _ in points]
        except (Unsupported, ZeroDivisionError):
            continue
        if all(value >= cost for value, (_, cost) in zip(values, points, strict=True)):
            size = sum(values, Fraction(0))
            fitting.setdefault(candidate.term.key, (size, len(candidate.text), candidate))
    return [candidate for *_, candidate in sorted(fitting.values(), key=lambda entry: entry[:2])][:most]
