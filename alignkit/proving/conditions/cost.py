"""Cost: the sum of the shift costs stays within the claim.

Costs of single draws add. The cost of a vector of draws is bounded by one of two sum rules: outside a few named
indices the shift is 0, so that what is left is the sum over these; or every shift costs at most a rate times the
change of its own answer, and under l1 adjacency the changes add up to at most the sensitivity.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alignkit.language.program import Place
from alignkit.proving.inputs import primed
from alignkit.running import operations as op
from alignkit.running.adjacency import Adjacency
from alignkit.symbolic.evaluation import evaluate
from alignkit.symbolic.formulas import conjunction
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Element, Inverse, Role, Symbol, Term, atoms_within, roles

if TYPE_CHECKING:
    from alignkit.proving.events import FamilyDraw, SymbolicDraw
    from alignkit.proving.inputs import Inputs
    from alignkit.proving.ledger import Ledger


def of_draw(draw: SymbolicDraw, shift: Term) -> Term:
    """The cost of one coordinate's shift."""
    return Term.of(draw.distribution.cost(shift, *draw.arguments))


def of_family(ledger: Ledger, drawn: FamilyDraw, shift: Any, outputs: tuple[Term, ...], place: Place) -> Term:
    """A bound on the cost of a vector's shifts, with the obligations that make it one."""
    index = ledger.fresh(f"index of {drawn.key} in the cost")
    inside = conjunction((index.compare(">=", 0), index.compare("<", drawn.length)))
    at = shift(index)
    if at == Term.of(0):
        return Term.of(0)
    inputs = ledger.inputs
    if inputs.adjacency is Adjacency.L1:
        bound = _by_change(ledger, drawn, at, index, inside, place)
        if bound is not None:
            return bound
    named = [*outputs, *([inputs.changed] if inputs.adjacency is Adjacency.ONE else [])]
    elsewhere = [index.compare("!=", i) for i in named]
    words = f"{drawn.key} is not shifted outside {', '.join(i.key for i in named) or 'nothing'}"
    ledger.oblige("cost", at.compare("==", 0), place, words, given=[inside, *elsewhere])
    total = Term.of(0)
    for number, i in enumerate(named):
        cost = Term.of(drawn.distribution.cost(shift(i), *drawn.arguments(i)))
        # An index may have two names, and counts once. A name may lie outside the vector and then counts for
        # nothing: a cost below 0 is not taken into account, so that it does no harm there.
        new = conjunction(tuple(i.compare("!=", j) for j in named[:number]))
        total = total + op.choose(new, op.maximum([cost, Term.of(0)], place), Term.of(0))
    return total


def _by_change(ledger: Ledger, drawn: FamilyDraw, at: Term, index: Term, inside: Any, place: Place) -> Term | None:
    inputs = ledger.inputs
    name = next(iter(n for n, kind in inputs.mechanism.private.items() if kind.vector), None)
    if name is None:
        return None
    one, other = inputs.element_pair(name, index)
    cost = Term.of(drawn.distribution.cost(at, *drawn.arguments(index)))
    sensitivity = inputs.sensitivity(name)
    for rate in rates([(cost, abs(other - one))], inputs):
        words = f"the shift of {drawn.key} costs at most {rate} for each unit its answer changes by"
        ledger.oblige("cost", cost.compare("<=", rate * abs(other - one)), place, words, given=[inside])
        words = f"the rate {rate} is at least 0"
        ledger.oblige("cost", rate.compare(">=", 0), place, words)
        return rate * sensitivity
    return None


def rates(gains: Iterable[tuple[Term, Term]], inputs: Inputs) -> list[Term]:
    """Candidates for cost / gain, read off where the answers change as far as they may, and where not at all.

    Each is attained somewhere, so that the largest is the one to try first; which that is may depend on the public
    parameters, and is judged at one point.
    """
    found: dict[str, Term] = {}
    for cost, gain in gains:
        for direction in (1, -1, 0):
            moved = extreme((cost, gain), inputs, direction)
            if moved[1].constant == 0:
                continue
            rate = moved[0] / moved[1]
            if roles(rate) <= {Role.PUBLIC} and _defined(rate, moved):
                found[rate.key] = rate
    return sorted(found.values(), key=_size, reverse=True)


def _defined(rate: Term, known: tuple[Term, ...]) -> bool:
    """Whether a rate divides by nothing but what is above 0, or what the program divides by already."""
    inverses = {a for term in known for a in atoms_within(term) if isinstance(a, Inverse)}
    for monomial in rate.parts:
        for atom, power in monomial:
            if (power < 0 and not atom.positive) or (isinstance(atom, Inverse) and atom not in inverses):
                return False
    return True


def _size(rate: Term) -> Fraction:
    return evaluate(rate, lambda atom: Fraction(2, 3))


def extreme(terms: tuple[Term, ...], inputs: Inputs, direction: int) -> tuple[Term, ...]:
    """The terms where every answer of D′ is that of D plus ``direction`` times the sensitivity."""
    replaced: dict[Any, Term] = {}
    for name in inputs.mechanism.private:
        by = inputs.sensitivity(name) * direction
        for term in terms:
            for atom in atoms_within(term):
                if isinstance(atom, Element) and atom.array == primed(name):
                    replaced[atom] = Term.of(Element(name, atom.index, Role.PRIVATE)) + by
                if isinstance(atom, Symbol) and atom.name == primed(name):
                    replaced[atom] = Term.of(Symbol(name, Role.PRIVATE)) + by
    return tuple(substitute(term, replaced) for term in terms)
