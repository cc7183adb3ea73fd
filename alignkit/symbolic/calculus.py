"""Pieces on which terms make no case distinction, derivatives of terms, and determinants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from alignkit.errors import NotSmooth, TooManyPieces
from alignkit.symbolic.atoms import Conditional, Element, Inverse, Remainder, Special, Symbol
from alignkit.symbolic.formulas import conjunction
from alignkit.symbolic.substitution import Traversal, substitute
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Atom, Role


@dataclass(frozen=True)
class Piece:
    """Where ``conditions`` hold, the terms are these, and none of them has a case distinction."""

    conditions: tuple[Any, ...]
    terms: tuple[Term, ...]


def pieces(terms: Sequence[Term], limit: int = 256) -> Iterator[Piece]:
    """The terms in each case that their conditions distinguish; NotSmooth where they divide by 0 in one of them.

    >>> from alignkit.symbolic.terms import Role
    >>> x = Term.of(Symbol("x", Role.NOISE))
    >>> [piece.terms for piece in pieces([abs(x)])]
    [(H.x,), (-H.x,)]
    """
    waiting = [Piece((), tuple(terms))]
    splits = 0
    while waiting:
        piece = waiting.pop(0)
        split = next((c for term in piece.terms for c in _conditionals(term)), None)
        if split is None:
            yield piece
            continue
        splits += 1
        if splits > limit:
            raise TooManyPieces(f"more than {limit} cases")
        for condition in (split.condition, ~split.condition):
            if conjunction((*piece.conditions, condition)) is False:
                continue
            try:
                plain = tuple(_where(condition, term) for term in piece.terms)
            except ZeroDivisionError:
                raise NotSmooth("a division by 0 in one of the cases") from None
            waiting.append(Piece((*piece.conditions, condition), plain))


def _where(condition: Any, term: Term) -> Term:
    """The term where a condition holds: its case distinctions by this condition are resolved."""
    opposite = ~condition
    resolved: dict[Atom, Term] = {}
    for atom in _conditionals(term):
        if atom.condition.key == condition.key:
            resolved[atom] = atom.then
        elif atom.condition.key == opposite.key:
            resolved[atom] = atom.other
    return substitute(term, resolved)  # type: ignore[no-any-return]


def _conditionals(term: Term) -> Iterator[Conditional]:
    """The case distinctions that a term's value makes, those inside inverses and indices included."""
    for atom in term.atoms():
        if isinstance(atom, Conditional):
            yield atom
        elif not isinstance(atom, Symbol):
            for inner in atom.children:
                yield from _conditionals(inner)


def values_read(term: Term) -> Iterator[Atom]:
    """The symbols and elements whose values a term without cases is made of; what only picks an index is not.

    NotSmooth where it has a case distinction, or a root, exponential or logarithm of noise.
    """
    for atom in term.atoms():
        match atom:
            case Element() if any(Role.NOISE in Term.of(one).roles for one in atom.parameters):
                raise NotSmooth("a sum whose items depend on noise")
            case Symbol() | Element():
                yield atom
            case Conditional():
                raise NotSmooth("a case distinction")
            case Special(of=inner) if Role.NOISE in inner.roles:
                raise NotSmooth(f"{atom.function} of noise")
            case Inverse(of=inner) | Special(of=inner):
                yield from values_read(inner)
            case Remainder(of=inner, divisor=divisor):
                yield from values_read(inner)
                yield from values_read(divisor)


def derivative(term: Term, by: Atom) -> Term:
    """The partial derivative of a term without cases; raises NotSmooth.

    >>> from alignkit.symbolic.terms import Role
    >>> x = Symbol("x", Role.NOISE)
    >>> derivative(3 * Term.of(x) * Term.of(x) + 1, x)
    6 * H.x
    """
    return _Derivative(by).term(term)


class _Derivative(Traversal[Term, Any]):
    def __init__(self, by: Atom) -> None:
        super().__init__()
        self.by = by
        self._atoms[by.identity] = Term.of(1)

    def sum(self, term: Term) -> Term:
        total = Term.of(0)
        for monomial, coefficient in term.parts.items():
            for atom, power in monomial:
                inner = self.atom(atom)
                if inner.constant == 0:
                    continue
                powers = ((other, n - (other == atom)) for other, n in monomial)
                lowered = Term({tuple((other, n) for other, n in powers if n): coefficient * power})
                total = total + lowered * inner
        return total

    def symbol(self, symbol: Symbol) -> Term:
        return Term.of(0)

    def element(self, element: Element) -> Term:
        if isinstance(self.by, Element) and (self.by.array, self.by.role) == (element.array, element.role):
            raise NotSmooth("elements that may be the same")
        if any(self.by in Term.of(one).within for one in element.parameters):
            raise NotSmooth("a sum whose items depend on noise")
        return Term.of(0)

    def conditional(self, conditional: Conditional) -> Term:
        raise NotSmooth("a case distinction")

    def inverse(self, inverse: Inverse) -> Term:
        return -(Term.of(inverse) * Term.of(inverse) * self.term(inverse.of))

    def special(self, special: Special) -> Term:
        if self.by in set(values_read(special.of)):
            raise NotSmooth(f"{special.function} of noise")
        return Term.of(0)

    def remainder(self, remainder: Remainder) -> Term:
        if self.by in set(values_read(Term.of(remainder))):
            raise NotSmooth("a remainder")
        return Term.of(0)


def determinant(rows: Sequence[Sequence[Term]]) -> Term:
    """The determinant of a small square matrix, by its first column with the most zeros.

    >>> determinant([[Term.of(0), Term.of(2)], [Term.of(3), Term.of(0)]])
    -6
    """
    if not rows:
        return Term.of(1)
    size = len(rows)
    column = max(range(size), key=lambda c: sum(row[c].constant == 0 for row in rows))
    total = Term.of(0)
    for number, row in enumerate(rows):
        if row[column].constant == 0:
            continue
        minor = [[x for c, x in enumerate(other) if c != column] for r, other in enumerate(rows) if r != number]
        total = total + row[column] * determinant(minor) * (-1) ** (number + column)
    return total
