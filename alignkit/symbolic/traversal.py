"""The traversal of terms and formulas: whatever is computed of them from the bottom up is a subclass of it."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from alignkit.symbolic.formulas import Formula
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Atom

Number = TypeVar("Number")  # what is computed of a term
Truth = TypeVar("Truth")  # what is computed of a formula


class Traversal(Generic[Number, Truth]):
    """Computes something of terms and formulas from what it computes of their parts; of equal ones once.

    Call ``term``, ``atom`` and ``formula``. A subclass defines a method for each kind of node that it may meet: ``sum``
    for terms; ``symbol``, ``element``, ``conditional``, ``inverse``, ``special`` and ``remainder`` for atoms;
    ``comparison``, ``unknown``, ``conjunction`` and ``disjunction`` for formulas. Each takes the node and asks for the
    parts it needs; none returns None.
    """

    def __init__(self) -> None:
        self._terms: dict[str, Number] = {}
        self._atoms: dict[str, Number] = {}  # by identity, since hashing an atom takes longer
        self._formulas: dict[str, Truth] = {}

    def term(self, term: Term) -> Number:
        """The result for a term."""
        result = self._terms.get(term.key)
        if result is None:
            result = self._terms[term.key] = getattr(self, term.kind)(term)
        return result

    def atom(self, atom: Atom) -> Number:
        """The result for an atom."""
        result = self._atoms.get(atom.identity)
        if result is None:
            result = self._atoms[atom.identity] = getattr(self, atom.kind)(atom)
        return result

    def formula(self, formula: Formula) -> Truth:
        """The result for a formula."""
        result = self._formulas.get(formula.key)
        if result is None:
            result = self._formulas[formula.key] = getattr(self, formula.kind)(formula)
        return result

    def __call__(self, value: Any) -> Any:
        """The result for a term or a formula; a plain bool stays."""
        if isinstance(value, Term):
            return self.term(value)
        if isinstance(value, Formula):
            return self.formula(value)
        if isinstance(value, bool):
            return value
        raise TypeError(f"neither a term nor a formula: {value!r}")
