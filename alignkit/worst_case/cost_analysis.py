"""The worst case of a proved alignment's cost: candidates from runs and from the paths, each proved or dropped.

Expressions that the worst case might be, fitted to the dearest runs. Nothing here is sound: a proof decides.

A finer theory of a loop, for the worst case: variables that move in steps, and guards that fail from the start.

Where every path changes a variable by a whole multiple of one step, its change since the loop began is such a multiple
too: a budget that must stay below a limit then stays a whole step below it. A guard is the condition of a break. Where
it may hold before the loop, then at the loop's head it failed in the iteration before, *or* nothing that it reads has
changed yet. Both invariants speak of D alone, and plainly hold where the loop begins. That an iteration keeps the first
is plain, that it keeps the second is proved. The paths, and what is known on them, are those of the proof; what the
invariants say at the loop's head is added to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from math import gcd, lcm
from typing import Any

from flint import fmpq, fmpq_mat

from alignkit.errors import OutOfTime, Undefined, Unsupported
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Family, is_number
from alignkit.language.parameters import Epsilon, Proportion
from alignkit.language.program import For, Name, assigned, walk
from alignkit.proving import cost_bounds
from alignkit.proving.conditions.cost import Bound
from alignkit.proving.conditions.cost_rates import extreme
from alignkit.proving.deciding import Decider
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.gathering import Theory
from alignkit.proving.loops.invariants import Invariant
from alignkit.proving.obligation import Obligation
from alignkit.proving.proposals.counters_of_change import gain
from alignkit.proving.proposals.invariants_to_try import guard_missed, guards
from alignkit.proving.runs.loop_states import LoopRound, LoopState
from alignkit.proving.symbolic_inputs import Inputs, unbounded
from alignkit.proving.vectors.summing import ClaimContext
from alignkit.refuting.counterexamples import replay_snippet
from alignkit.results import Attained, CostAnalysis
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.claims import OMEGA
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.symbolic.atoms import Conditional, Symbol
from alignkit.symbolic.formulas import conjunction, disjunction
from alignkit.symbolic.substitution import Substitution, evaluate
from alignkit.symbolic.terms import Term, roles
from alignkit.symbolic.trees import Atom, Role
from alignkit.worst_case.directed_runs import DearestRun, without_idle_queries


@dataclass(frozen=True)
class _FinerInvariants:
    """The step in which each variable moves, where it has one, and the invariants of the guards."""

    steps: Mapping[str, Term]
    of_guards: tuple[_MissedOrUnchanged, ...]

    def at_head(self, round_: LoopRound, hypotheses: Hypotheses) -> tuple[Substitution, Hypotheses]:
        """The hypotheses of an iteration with what holds at the loop's head.

        The substitution, which they are under, puts a whole number of steps for a variable that moves in steps.
        """
        by_steps = {}
        for name, step in self.steps.items():
            [variable] = Term.of(round_.head.names[name]).atoms()
            number = Term.of(Symbol(f"steps of {name}", Role.STATE, integer=True))
            by_steps[variable] = Term.of(round_.start.names[name]) + step * number
        put = Substitution(by_steps)
        at_head = (invariant.holds(round_.head, round_.start) for invariant in self.of_guards)
        return put, Hypotheses.of(put(formula) for formula in (*hypotheses.whole, *at_head))

    def keep(self, invariant: _MissedOrUnchanged, round_: LoopRound, hypotheses: Hypotheses, decider: Decider) -> bool:
        """Whether an iteration that begins under these invariants keeps one of them."""
        assert round_.after is not None
        put, at_head = self.at_head(round_, hypotheses)
        goal = put(invariant.holds(round_.after, round_.start))
        return decider.decide(Obligation("cost", at_head, goal, invariant.name)).holds


def bounds_refined(theory: Theory, decider: Decider) -> tuple[Bound, ...] | None:
    """The ends of all paths, under the finer invariants where a path comes to the loop; None where there are none.

    ``theory`` is that of a complete proof: what ends a path early, and what a path takes as given, is settled.
    """
    traces = [record.trace for record in theory.records if record.trace is not None]
    rounds = [(trace.round, trace.hypotheses) for trace in traces if trace.round is not None]
    iterations = [(round_, hypotheses) for round_, hypotheses in rounds if round_.after is not None]
    if theory.loop is None or not iterations:
        return None
    names = iterations[0][0].head.names
    changed = sorted(name for name in assigned((theory.loop,)) & names.keys() if is_number(names[name]))
    steps = {name: common_step([gain(round_, name) for round_, _ in iterations]) for name in changed}
    candidates = [
        invariant
        for invariant in _guard_invariants(theory.loop, theory.invariants, changed)
        if all(_has_value(invariant, round_) for round_, _ in rounds)
    ]
    finer = _FinerInvariants({name: step for name, step in steps.items() if step is not None}, tuple(candidates))
    while True:
        kept = tuple(i for i in finer.of_guards if all(finer.keep(i, *iteration, decider) for iteration in iterations))
        if kept == finer.of_guards:
            break
        finer = replace(finer, of_guards=kept)
    return _path_ends(theory, finer) if finer.steps or finer.of_guards else None


def _guard_invariants(loop: For, proved: Sequence[str], changed: Sequence[str]) -> list[_MissedOrUnchanged]:
    """For each guard: that it failed, or nothing that it reads has changed; unless it is proved that it failed."""
    invariants = []
    for guard in guards(loop.body):
        names = {node.name for node in walk(guard) if isinstance(node, Name) and node.name in changed}
        missed = guard_missed(guard)
        if names and missed.name not in proved:
            invariants.append(_MissedOrUnchanged(missed, sorted(names)))
    return invariants


@dataclass(frozen=True)
class _MissedOrUnchanged:
    """That a guard failed, or nothing that it reads has changed, on D."""

    missed: Invariant
    names: Sequence[str]

    @property
    def name(self) -> str:
        return f"{self.missed.name}, or nothing has changed"

    def holds(self, state: LoopState, start: LoopState) -> Any:
        unchanged = (Term.of(state.names[name]).compare("==", start.names[name]) for name in self.names)
        of_d = replace(state, names_={})
        return disjunction((self.missed.holds(of_d, start), conjunction(tuple(unchanged))))


def _has_value(invariant: _MissedOrUnchanged, round_: LoopRound) -> bool:
    """Whether all that an invariant reads has a value where an iteration begins and ends."""
    try:
        for state in filter(None, (round_.head, round_.after)):
            invariant.holds(state, round_.start)
    except Unsupported:
        return False
    return True


def _path_ends(theory: Theory, finer: _FinerInvariants) -> tuple[Bound, ...]:
    ends = []
    for record in theory.records:
        round_ = None if record.trace is None else record.trace.round
        for bound in record.bounds:
            if round_ is not None:
                put, hypotheses = finer.at_head(round_, bound.hypotheses)
                bound = Bound(hypotheses, put.term(bound.total), put.term(bound.claim))
            ends.append(bound)
    return tuple(ends)


def common_step(gains: list[Term]) -> Term | None:
    """The largest term of which every gain is plainly a whole multiple; None where there is none to be seen.

    >>> x = Term.of(Symbol("x", Role.PUBLIC, positive=True))
    >>> common_step([x / 2, Term.of(0), x / 3])
    x / 6
    """
    moved = [g for g in gains if g != Term.of(0)]
    if not moved or any(len(g.parts) != 1 or not roles(g) <= {Role.PUBLIC} or g.sign is None for g in moved):
        return None
    monomials = {tuple(g.parts) for g in moved}
    if len(monomials) != 1:
        return None
    [[monomial]] = monomials
    sizes = [abs(Fraction(g.parts[monomial])) for g in moved]
    shared = lcm(*(s.denominator for s in sizes))
    return Term({monomial: Fraction(gcd(*(int(s * shared) for s in sizes)), shared)})


Point = tuple[Mapping[str, Any], Fraction]

# Terms through some of the points only are sought in bases up to this size.
WIDEST = 3


@dataclass(frozen=True)
class PublicExpression:
    """A term over public parameters with its text, which is Python."""

    term: Term
    text: str

    def value(self, setting: Mapping[str, Any]) -> Fraction:
        """The number it is at a setting, where it has an exact one; lengths of vectors go by their symbols."""

        def lookup(atom: Atom) -> Fraction:
            if atom.key not in setting:
                raise Unsupported(f"{atom.key} has no exact value here")
            return Fraction(setting[atom.key])

        return evaluate(self.term, lookup)


def as_expression(term: Term) -> PublicExpression:
    """A term whose own text is Python."""
    return PublicExpression(term, term.key)


def shares(
    mechanism: Mechanism, values: Mapping[str, Any], claim: Term, points: Sequence[Point]
) -> list[PublicExpression]:
    """Claim times a share that no point exceeds: a setting and the share of the claim that was reached there.

    Shares are sums over 1, 1/k and theta and their products. One count may be an exception where it is 1: a loop
    whose first iteration is its last is often a case of its own.
    """
    expressions = [as_expression(claim * share) for share in _fits(mechanism, values, points)]
    for name, kind in mechanism.public.items():
        if not kind.integer:
            continue
        ones = [point for point in points if point[0][name] == 1]
        others = [point for point in points if point[0][name] != 1]
        if not ones or not others:
            continue
        for one, other in product(_fits(mechanism, values, ones), _fits(mechanism, values, others)):
            if one != other:
                expressions.append(at_one(name, values, claim * one, claim * other))
    return expressions


def at_one(name: str, values: Mapping[str, Any], one: Term, other: Term) -> PublicExpression:
    """``one`` where the count is 1, ``other`` where it is more."""
    term = Term.of(values[name]).compare("<=", 1).choose(one, other)
    return PublicExpression(term, f"{one.key} if {name} == 1 else {other.key}")


def slack_text(claim: Term, most: PublicExpression) -> str:
    """Claim minus worst case, as Python."""
    atoms = list(most.term.atoms())
    if len(most.term.parts) == 1 and len(atoms) == 1 and isinstance(atoms[0], Conditional):
        case = most.text.partition(" if ")[2].partition(" else ")[0]
        return f"{(claim - atoms[0].then).key} if {case} else {(claim - atoms[0].other).key}"
    return (claim - most.term).key


def _fits(mechanism: Mechanism, values: Mapping[str, Any], points: Sequence[Point]) -> Iterator[Term]:
    """The term that agrees with all points, from the smallest basis that has one; else terms that agree with as many
    as determine them and lie above the others: a run may have missed the worst case, and the worst case may jump."""
    bases = list(_bases(mechanism, values))
    tables = [[[as_expression(b).value(setting) for b in basis] for setting, _ in points] for basis in bases]
    right = [share for _, share in points]
    for basis, rows in zip(bases, tables, strict=True):
        factors = solve(rows, right)
        if factors is not None:
            yield _sum(basis, factors)
            return
    yield Term.of(max(right))
    for basis, rows in zip(bases, tables, strict=True):
        if not 1 < len(basis) <= WIDEST:
            continue
        for chosen in combinations(range(len(points)), len(basis)):
            factors = solve([rows[i] for i in chosen], [right[i] for i in chosen])
            if factors is None:
                continue
            fitted = [sum((x * y for x, y in zip(row, factors, strict=True)), Fraction(0)) for row in rows]
            if all(value >= share for value, share in zip(fitted, right, strict=True)):
                yield _sum(basis, factors)


def _sum(basis: Sequence[Term], factors: Sequence[Fraction]) -> Term:
    return sum((b * x for b, x in zip(basis, factors, strict=True)), Term.of(0))


def _bases(mechanism: Mechanism, values: Mapping[str, Any]) -> Iterator[list[Term]]:
    one = Term.of(1)
    counts = [one / Term.of(values[n]) for n, kind in mechanism.public.items() if kind.integer]
    parts = [Term.of(values[n]) for n, kind in mechanism.public.items() if isinstance(kind, Proportion)]
    yield [one]
    for x in (*counts, *parts):
        yield [one, x]
    for x, y in product(counts, parts):
        yield [one, x, y]
        yield [one, x, y, x * y]
    if len(counts) > 1:
        yield [one, *counts]


def solve(rows: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> list[Fraction] | None:
    """The one solution of a system of linear equations; None where there is none, or more than one.

    >>> solve([[Fraction(1), Fraction(1)], [Fraction(1), Fraction(2)]], [Fraction(3), Fraction(5)])
    [Fraction(1, 1), Fraction(2, 1)]
    """
    width = len(rows[0])
    table = [[*row, value] for row, value in zip(rows, right, strict=True)]
    reduced, rank = fmpq_mat([[fmpq(x.numerator, x.denominator) for x in row] for row in table]).rref()
    if rank != width or reduced[width - 1, width - 1] != 1:
        return None
    return [Fraction(int(reduced[i, width].p), int(reduced[i, width].q)) for i in range(width)]


# The most candidates that are put to the solver, the smallest first; twice as many where the claim is ex-post.
MOST = 5
# The most settings that a note names where less than the worst case was reached.
SHOWN = 3


def analyse_cost(alignment: Alignment, theory: Theory, decider: Decider, runs: list[DearestRun]) -> CostAnalysis:
    """The best bound on the cost that could be proved, where it is attained, and by how much the claim exceeds it.

    ``theory`` is that of a complete proof, ``runs`` are the dearest runs at some settings. Where nothing
    better is proved, the claim is the bound. The cost of a claim with delta is bounded on some runs only, and not
    analysed.
    """
    if alignment.delta is not None:
        return CostAnalysis(None)
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
