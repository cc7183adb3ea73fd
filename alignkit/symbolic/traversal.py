"""The traversal of terms and formulas: whatever is computed of them from the bottom up is a subclass of it."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from alignkit.symbolic.atoms import Conditional, Element, Inverse, Special, Symbol
from alignkit.symbolic.formulas import And, Comparison, Formula, Or, Unknown
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Atom

Number = TypeVar("Number")  # what is computed of a term
Truth = TypeVar("Truth")  # what is computed of a formula


class Traversal(Generic[Number, Truth]):
    """Computes something of terms and formulas from what it computes of their parts; of equal ones once.

    Call ``term``, ``atom`` and ``formula``. A subclass defines ``sum`` for terms, and a method for each kind of atom
    and of formula that it may meet; each of them asks for the parts that it needs.
    """

    def __init__(self) -> None:
        self._terms: dict[str, Number] = {}
        self._atoms: dict[str, Number] = {}  # by identity, since hashing an atom takes longer
        self._formulas: dict[str, Truth] = {}

    def term(self, term: Term) -> Number:
        """The result for a term."""
        try:
            return self._terms[term.key]
        except KeyError:
            result = self._terms[term.key] = self.sum(term)
            return result

    def atom(self, atom: Atom) -> Number:
        """The result for an atom."""
        try:
            return self._atoms[atom.identity]
        except KeyError:
            result = self._atoms[atom.identity] = getattr(self, atom.kind)(atom)
            return result  # type: ignore[no-any-return]

    def formula(self, formula: Formula) -> Truth:
        """The result for a formula."""
        try:
            return self._formulas[formula.key]
        except KeyError:
            result = self._formulas[formula.key] = getattr(self, formula.kind)(formula)
            return result  # type: ignore[no-any-return]

    def sum(self, term: Term) -> Number:
        """The result for a sum of monomials."""
        raise NotImplementedError

    def symbol(self, symbol: Symbol) -> Number:
        """The result for a symbol."""
        raise NotImplementedError

    def element(self, element: Element) -> Number:
        """The result for an element of an array."""
        raise NotImplementedError

    def conditional(self, conditional: Conditional) -> Number:
        """The result for a case distinction."""
        raise NotImplementedError

    def inverse(self, inverse: Inverse) -> Number:
        """The result for a reciprocal."""
        raise NotImplementedError

    def special(self, special: Special) -> Number:
        """The result for a root, an exponential or a logarithm."""
        raise NotImplementedError

    def comparison(self, comparison: Comparison) -> Truth:
        """The result for a comparison of a term with 0."""
        raise NotImplementedError

    def unknown(self, unknown: Unknown) -> Truth:
        """The result for a Boolean that is not known."""
        raise NotImplementedError

    def conjunction(self, conjunction: And) -> Truth:
        """The result for an ``and``."""
        raise NotImplementedError

    def disjunction(self, disjunction: Or) -> Truth:
        """The result for an ``or``."""
        raise NotImplementedError

    def __call__(self, value: Any) -> Any:
        """The result for a term or a formula; a plain bool stays."""
        if isinstance(value, Term):
            return self.term(value)
        if isinstance(value, Formula):
            return self.formula(value)
        if isinstance(value, bool):
            return value
        raise TypeError(f"neither a term nor a formula: {value!r}")
