"""Cost: the sum of the shift costs stays within the claim.

Costs of single draws add. Rates are candidates for how much of the cost goes with a change of something else.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alignkit.language.program import Place
from alignkit.noise import Distribution
from alignkit.proving.inputs import primed
from alignkit.symbolic.evaluation import evaluate
from alignkit.symbolic.substitution import answered, substitute
from alignkit.symbolic.terms import Conditional, Element, Inverse, Role, Symbol, Term, atoms_within, roles

# Beyond this many unknown answers a rate is not looked for in all ways they may go.
MOST_QUESTIONS = 4

# As many rates as are read off one cost that depends on conditions on the noise.
MOST_WAYS = 64

if TYPE_CHECKING:
    from alignkit.proving.events import SymbolicDraw
    from alignkit.proving.inputs import Inputs
    from alignkit.proving.ledger import Ledger


def of_draw(draw: SymbolicDraw, shift: Term) -> Term:
    """The cost of one coordinate's shift."""
    return Term.of(draw.distribution.cost(shift, *draw.arguments))


def has_bound(
    ledger: Ledger, key: str, distribution: Distribution, shift: Term, place: Place, given: Iterable[Any] = ()
) -> None:
    """Oblige a shift to be one that the distribution's cost is a bound for: up, where it is for shifts up only."""
    if distribution.upward:
        words = f"the shift of {key} is at least 0: {distribution.title} noise has no bound for shifts down"
        ledger.oblige("cost", shift.compare(">=", 0), place, words, given=given)


def rates(gains: Iterable[tuple[Term, Term]], inputs: Inputs) -> list[Term]:
    """Candidates for cost / gain, read off where the answers change as far as they may, and where not at all.

    The largest comes first; which that is may depend on the public parameters, and is judged at one point. What the
    alignment asks of the answers or the output (which way they move, say) is answered in every way.
    """
    found: dict[str, Term] = {}
    for cost, gain in gains:
        for direction in (1, -1, 0):
            at = extreme((cost, gain), inputs, direction)
            for moved in () if at is None else _answers(at):
                for some, gained in _ways(moved):
                    rate = None if gained.constant == 0 else some / gained
                    if rate is not None and roles(rate) <= {Role.PUBLIC} and _defined(rate, moved):
                        found[rate.key] = rate
    return sorted(found.values(), key=_size, reverse=True)


def _answers(terms: tuple[Term, ...]) -> Iterator[tuple[Term, ...]]:
    """The terms with what they ask answered, in every way on which they have a value, where they ask little."""
    asked = sorted({name for term in terms for name in term.unknowns})
    if len(asked) > MOST_QUESTIONS:
        asked = []
    for way in itertools.product((True, False), repeat=len(asked)):
        answers = dict(zip(asked, way, strict=True))
        try:
            given = tuple(answered(term, answers) for term in terms)
        except ZeroDivisionError:
            continue
        yield given


def _ways(terms: tuple[Term, ...]) -> Iterator[tuple[Term, ...]]:
    """The terms, or where they depend on noise (by what is clamped, say) what each way of their conditions leaves.

    A way on which they divide by 0 is none that a run takes.
    """
    if not any(Role.NOISE in roles(term) for term in terms):
        yield terms
        return
    left, made = [terms], 0
    while left and made < MOST_WAYS:
        some = left.pop()
        inner = next((atom for term in some for atom in atoms_within(term) if isinstance(atom, Conditional)), None)
        if inner is None:
            made += 1
            yield some
            continue
        for way in (inner.other, inner.then):
            with suppress(ZeroDivisionError):
                left.append(tuple(substitute(term, {inner: way}) for term in some))


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


def extreme(terms: tuple[Term, ...], inputs: Inputs, direction: int) -> tuple[Term, ...] | None:
    """The terms where every answer of D′ is that of D plus ``direction`` times the sensitivity.

    None where they divide by 0 there, so that the alignment has no value.
    """
    replaced: dict[Any, Term] = {}
    for name in inputs.mechanism.private:
        by = inputs.sensitivity(name) * direction
        for term in terms:
            for atom in atoms_within(term):
                if isinstance(atom, Element) and atom.array == primed(name):
                    replaced[atom] = Term.of(Element(name, atom.index, Role.PRIVATE)) + by
                if isinstance(atom, Symbol) and atom.name == primed(name):
                    replaced[atom] = Term.of(Symbol(name, Role.PRIVATE)) + by
    try:
        return tuple(substitute(term, replaced) for term in terms)
    except ZeroDivisionError:
        return None
