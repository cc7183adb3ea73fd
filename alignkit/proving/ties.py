"""When a tie has probability 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alignkit.symbolic.terms import Element, Role, Symbol, Term

if TYPE_CHECKING:
    from alignkit.proving.ledger import Ledger


def tie_negligible(
    ledger: Ledger, difference: Term, continuous: frozenset[str], distinct: tuple[Term, Term] | None = None
) -> bool:
    """Whether ``difference == 0`` has probability 0 for every D, over continuous noise.

    It has, where the difference is a x + b for one noise coordinate x with a density, a a number other than 0, and
    b free of x. ``distinct`` are two indices known to differ, so that elements there are different coordinates;
    an element at any other index might be x itself. Nothing is claimed of an equation that mentions a real part
    of the output: given the output it may hold always. An index that D selected counts as fixed: a tie at it is one
    of the ties at all indices it may be, and these are finitely many.
    """
    if Role.OUTPUT in ledger.roles(difference):
        return False
    for monomial, coefficient in difference.parts.items():
        if len(monomial) != 1 or monomial[0][1] != 1 or not coefficient:
            continue
        atom = monomial[0][0]
        if not isinstance(atom, Symbol | Element) or atom.role is not Role.NOISE:
            continue
        if (atom.array if isinstance(atom, Element) else atom.name) not in continuous:
            continue
        rest = difference - Term({monomial: coefficient})
        if not any(_may_be(other, atom, distinct) for other in ledger.atoms(rest)):
            return True
    return False


def _may_be(other: object, atom: Symbol | Element, distinct: tuple[Term, Term] | None) -> bool:
    """Whether an atom may be, or may be decided by, the given noise coordinate."""
    if isinstance(atom, Symbol) or not isinstance(other, Element):
        return other == atom
    if (other.role, other.array) != (atom.role, getattr(atom, "array", None)):
        return False
    return distinct is None or {other.index.key, atom.index.key} != {index.key for index in distinct}
