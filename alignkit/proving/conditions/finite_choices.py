"""Finite choices: the outcome that the alignment gives on D′ has a weight above 0, and what it costs to move there.

A run on D takes one outcome of a single choice on each path; in a vector of choices each is one of the outcomes. The
shift leads to an outcome on D′, and costs ln(w / w′) for the weights w and w′ of the two, where the weights are public.
Where those of a single choice read answers, they differ on D and D′, and so do their sums: then one of a few candidates
bounds the cost, and is obliged to where D′ makes the choice (docs/theory/loops.md, "Weights that read answers"). A
shift that does not read its own draw is one-to-one for each output and each earlier noise, as on a lattice. It may read
its own draw where no two outcomes are moved to one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.language.program import Place
from alignkit.noise import CHOICE
from alignkit.proving.obligation import Obligations
from alignkit.proving.runs.alignment_run import Shifts
from alignkit.proving.runs.lemma_calls import on_d_prime
from alignkit.proving.runs.run_on_d import FamilyDraw, SymbolicDraw, in_support
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.symbolic.atoms import Conditional, Element, Special, Symbol
from alignkit.symbolic.formulas import conjunction, disjunction, implies
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Role


def possible_outcomes(weights: Sequence[Any]) -> list[int]:
    """The outcomes whose weights are not plainly 0."""
    return [i for i, weight in enumerate(weights) if Term.of(weight).compare(">", 0) is not False]


OF_A_WEIGHT = "is an outcome of a weight above 0"


def has_weight(
    owed: Obligations, draw: SymbolicDraw, shift: Term, place: Place, given: Iterable[Any] = ()
) -> None:
    """Oblige the outcome on D′ to be one with a weight above 0, where ``given`` holds."""
    goal = in_support(_on_d(draw) + shift, CHOICE, draw.arguments)
    owed.oblige("valid_noise", goal, place, f"the aligned {draw.where} {OF_A_WEIGHT}", given=given)


def cost_of_draw(draw: SymbolicDraw, shift: Term) -> Term:
    """What a shift of a draw costs by its distribution; of a choice, by its outcomes on both runs."""
    if draw.distribution is not CHOICE:
        return Term.of(draw.distribution.cost(shift, *draw.arguments))
    on_d, weights, total = _on_d(draw), draw.arguments, Term.of(0)
    possible = possible_outcomes(weights)
    for i, j in itertools.product(possible if draw.outcome is None else [draw.outcome], possible):
        way = conjunction((on_d.compare("==", i), (on_d + shift).compare("==", j)))
        total = Term.of(op.choose(way, _log_ratio(Term.of(weights[i]), Term.of(weights[j])), total))
    return total


def _on_d(draw: SymbolicDraw) -> Term:
    """The outcome on D: one of this path, or in a vector any."""
    return draw.value if draw.outcome is None else Term.of(draw.outcome)


def but_for_its_own(drawn: FamilyDraw, shift: Term, index: Term) -> Term:
    """A shift of a vector at an index, with the draw there put out of sight where it is a choice.

    That the shift is one-to-one in its own draw is then to be obliged (`one_to_one_in_its_own`).
    """
    return _unseen(shift, _own(drawn, index)) if drawn.distribution is CHOICE else shift


def but_for_its_own_outcome(draw: SymbolicDraw, shift: Term) -> Term:
    """The same of a single draw."""
    return _unseen(shift, _atom_of(draw)) if draw.distribution is CHOICE else shift


def _unseen(shift: Term, own: Any) -> Term:
    """A shift with the draw that it is of put out of sight.

    Each draw has an unknown of its own: whether one shift reads noise must not be told by the outcome of another.
    """
    return Term.of(substitute(shift, {own: Term.of(Symbol(f"outcome of {own.key}", Role.UNKNOWN))}))


def one_to_one_in_its_own(drawn: FamilyDraw, shift: Term, index: Term) -> Iterator[tuple[Any, str]]:
    """That no two outcomes of a choice in a vector are moved to one, whatever else the shift reads."""
    if but_for_its_own(drawn, shift, index) != shift:
        yield from _not_moved_to_one(shift, _own(drawn, index), drawn.arguments(index), drawn.key)


def one_to_one_in_its_outcome(draw: SymbolicDraw, shift: Term) -> Iterator[tuple[Any, str]]:
    """The same of a single choice, on the path of one of its outcomes."""
    if but_for_its_own_outcome(draw, shift) != shift:
        yield from _not_moved_to_one(shift, _atom_of(draw), draw.arguments, str(draw.where))


def _not_moved_to_one(shift: Term, own: Any, weights: Sequence[Any], name: str) -> Iterator[tuple[Any, str]]:
    for i, j in itertools.combinations(possible_outcomes(weights), 2):
        one, other = (substitute(shift, {own: Term.of(k)}) + k for k in (i, j))
        both = conjunction(tuple(Term.of(weights[k]).compare(">", 0) for k in (i, j)))
        yield implies(both, one.compare("!=", other)), f"outcomes {i} and {j} of {name} are not moved to one"


def _atom_of(draw: SymbolicDraw) -> Any:
    (own,) = draw.value.atoms()
    return own


def _own(drawn: FamilyDraw, index: Term) -> Any:
    (own,) = drawn.value(index).atoms()
    return own


def _log_ratio(weight: Term, other: Term) -> Term:
    """ln(weight / other) of two numbers above 0; the exponential of x counts x."""
    ratio = weight / other
    if len(ratio.parts) != 1:
        return ratio.log()
    ((monomial, factor),) = ratio.parts.items()
    if factor <= 0 or not all(atom.positive for atom, _ in monomial):
        return ratio.log()
    total = Term.of(factor).log()
    for atom, power in monomial:
        if isinstance(atom, Special) and atom.function == "exp":
            total = total + atom.of * power
        else:
            total = total + Term.of(atom).log() * power
    return total


# Weights that read answers


def reads_answers(draw: SymbolicDraw) -> bool:
    """Whether the weights of a single choice may be others on D′."""
    return draw.outcome is not None and any(Role.PRIVATE in roles(weight) for weight in draw.arguments)


@dataclass(frozen=True)
class Price:
    """What is to bound the cost of moving a choice to an outcome.

    The exponential of ``cost`` is the product of ``factors``: of one, which is to bound the quotient of the two
    probabilities, or of two, which are to bound that of the weights and that of their sums. ``known`` holds whatever
    the answers are.
    """

    cost: Term
    factors: tuple[Term, ...]
    known: tuple[Any, ...] = ()

    def bounds(self, weights: Sequence[Any], outcome: int, weights_: Sequence[Any], outcome_: int) -> Any:
        """That it is a bound, for weights of which none is below 0 and some are above."""
        one, other = Term.of(weights[outcome]), Term.of(weights_[outcome_])
        total, total_ = (sum(map(Term.of, all_of_them), Term.of(0)) for all_of_them in (weights, weights_))
        if len(self.factors) == 1:
            return (one * total_).compare("<=", self.factors[0] * other * total)
        of_weights, of_sums = self.factors
        return conjunction((one.compare("<=", of_weights * other), total_.compare("<=", of_sums * total)))


def cost_of_single(draw: SymbolicDraw, shifts: Shifts) -> Term:
    """What the shift of a single draw costs; where its weights read answers, what bounds it by ``choice_allowed``."""
    if shifts.charging:
        return shifts.charge(draw)
    if not reads_answers(draw):
        return cost_of_draw(draw, shifts.of(draw))
    aligned, total = _on_d(draw) + shifts.of(draw), Term.of(0)
    for outcome, price in _prices(draw, shifts).items():
        if price is not None:
            total = Term.of(op.choose(aligned.compare("==", outcome), price.cost, total))
    return total


def choice_allowed(
    owed: Obligations, shifts: Shifts, draw: SymbolicDraw, weights: tuple[Any, ...], outcome: int, place: Place
) -> None:
    """Where D′ makes a choice whose weights read answers: its outcome has a weight, and the price is a bound."""
    if shifts.charging or not reads_answers(draw):
        return
    assert draw.outcome is not None
    above = Term.of(weights[outcome]).compare(">", 0)
    owed.oblige("valid_noise", above, place, f"the aligned {draw.where} {OF_A_WEIGHT}")
    price = _prices(draw, shifts).get(outcome)
    if price is None:
        owed.exclude("cost", place, f"no bound is found on what {draw.where} costs, whose weights read answers")
        return
    goal = price.bounds(draw.arguments, draw.outcome, weights, outcome)
    words = f"the probabilities of {draw.where} on D and D' differ by a factor of at most exp({price.cost})"
    owed.oblige("cost", goal, place, words, given=price.known)


def _prices(draw: SymbolicDraw, shifts: Shifts) -> dict[int, Price | None]:
    """The first candidate for each outcome on D′ that seems to be a bound there; no verdict rests on this guess."""
    if draw.where not in shifts.prices:
        owed, aligned = shifts.context.owed, _on_d(draw) + shifts.of(draw)
        weights_ = on_d_prime(owed.facts.inputs, draw.arguments)
        found: dict[int, Price | None] = {}
        for outcome in range(len(weights_)):
            there = aligned.compare("==", outcome)
            if there is not False:
                candidates = _to_try(owed, draw, weights_, outcome)
                found[outcome] = next((p for p in candidates if _seems(owed, draw, p, weights_, outcome, there)), None)
        shifts.prices[draw.where] = found
    return shifts.prices[draw.where]  # type: ignore[no-any-return]


def _seems(owed: Obligations, draw: SymbolicDraw, price: Price, weights_: Any, outcome: int, there: Any) -> bool:
    assert draw.outcome is not None
    goal = price.bounds(draw.arguments, draw.outcome, weights_, outcome)
    if isinstance(goal, bool):
        return goal
    hypotheses = owed.facts.hypotheses(goal, (there, *price.known))
    return owed.facts.caches.foresight.follows(hypotheses.whole, goal)


def _to_try(owed: Obligations, draw: SymbolicDraw, weights_: Sequence[Any], outcome: int) -> Iterator[Price]:
    """Candidates: 0, what an exponential in the weights or a quotient of constants gives, and twice that.

    Where the weights are the same on both runs, the same outcome is to cost nothing.
    """
    inputs, one = owed.facts.inputs, Term.of(1)
    yield Price(Term.of(0), (one,))
    differ = _differ(inputs, draw.arguments) if outcome == draw.outcome else True
    for other, (some, power) in itertools.product(dict.fromkeys((differ, True)), _units(inputs, draw.arguments)):
        cost, factor = Term.of(op.choose(other, some, Term.of(0))), Term.of(op.choose(other, power, one))
        known = tuple(_exponentials(draw.arguments, weights_, some))
        if other is not True:
            known += tuple(_exponentials(draw.arguments, weights_, Term.of(0)))
        yield Price(cost, (factor,), known)
        yield Price(cost, (factor, one), known)
        yield Price(cost, (one, factor), known)
        yield Price(cost * 2, (factor, factor), known)
        yield Price(cost * 2, (factor * factor,), known)


def _differ(inputs: Inputs, weights: Sequence[Any]) -> Any:
    """Whether the weights may be others on D′: whether an answer that they read is, or a condition goes another way."""
    atoms = {a.identity: a for w in weights for a in atoms_within(Term.of(w))}.values()
    if inputs.adjacency.shared:
        answers = (Term.of(a) for a in atoms if a.role is Role.PRIVATE)
        return disjunction(tuple(a.compare("!=", on_d_prime(inputs, a)) for a in answers))
    conditions = (a.condition for a in atoms if isinstance(a, Conditional) and Role.PRIVATE in roles(a.condition))
    sides = ((Term.of(op.choose(c, 1, 0)), c) for c in conditions)
    return disjunction(tuple(side.compare("!=", on_d_prime(inputs, side)) for side, c in sides))


def _units(inputs: Inputs, weights: Sequence[Any]) -> Iterator[tuple[Term, Term]]:
    """Costs to try, each with its exponential."""
    atoms = {atom.identity: atom for weight in weights for atom in atoms_within(weight)}.values()
    units = {}
    for atom in atoms:
        if isinstance(atom, Special) and atom.function == "exp":
            largest = _largest_change(inputs, atom.of)
            if largest is not None:
                units[largest.key] = largest, largest.exp()
    yield from units.values()
    chosen = (way for atom in atoms if isinstance(atom, Conditional) for way in (atom.then, atom.other))
    constants = {Term.of(term).constant for term in (*weights, *chosen)}
    above = sorted(constant for constant in constants if constant is not None and constant > 0)
    for ratio in sorted({b / a for a, b in itertools.combinations(above[:_MOST_CONSTANTS], 2)}):
        yield Term.of(ratio).log(), Term.of(ratio)


_MOST_CONSTANTS = 4


def _largest_change(inputs: Inputs, exponent: Term) -> Term | None:
    """A public exponent above 0 itself, or how far one moves that is linear in answers; None for others."""
    if roles(exponent) <= {Role.PUBLIC}:
        return exponent if exponent.sign != -1 else -exponent
    total = Term.of(0)
    for monomial, coefficient in exponent.parts.items():
        answers = [a for a, power in monomial if a.role is Role.PRIVATE and power == 1]
        rest = Term({tuple(part for part in monomial if part[0] not in answers): abs(Fraction(coefficient))})
        if roles(rest) <= {Role.PUBLIC} and not answers:
            continue
        if len(answers) != 1 or not roles(rest) <= {Role.PUBLIC}:
            return None
        (answer,) = answers
        name = answer.array if isinstance(answer, Element) else str(getattr(answer, "name", "")).partition("[")[0]
        if name not in inputs.mechanism.private or inputs.mechanism.private[name].local is not None:
            return None
        total = total + abs(rest) * inputs.sensitivity(name)
    return total


def _exponentials(weights: Sequence[Any], weights_: Sequence[Any], cost: Term) -> Iterator[Any]:
    """Of exponentials in the weights of one outcome: exp(x) is at most exp(y) exp(c) where x - y is at most c."""
    for one, other in zip(weights, weights_, strict=True):
        for x, y in itertools.product(*(tuple(_exponents(w)) for w in (one, other))):
            for high, low in ((x, y), (y, x)):
                if Role.PRIVATE in roles(high - low):
                    small = (high - low).compare("<=", cost)
                    yield implies(small, high.exp().compare("<=", low.exp() * cost.exp()))


def _exponents(weight: Any) -> Iterator[Term]:
    for atom in atoms_within(weight):
        if isinstance(atom, Special) and atom.function == "exp":
            yield atom.of
