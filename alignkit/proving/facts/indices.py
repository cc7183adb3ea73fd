"""The indices of one path: names for new ones, and which of them stand for any index."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


class Indices:
    """Makes indices. What is known of an index that stands for any says nothing of other indices."""

    def __init__(self) -> None:
        self.selected: list[Term] = []
        self._names: dict[str, int] = {}
        self._depth = 0
        self._arbitrary: set[str] = set()
        self._brought: dict[str, str] = {}

    def fresh(self, name: str) -> Term:
        """A whole number with a name of its own, for an index that may be any."""
        symbol = self._new(name)
        self._arbitrary.add(symbol.key)
        return Term.of(symbol)

    def select(self, name: str) -> Term:
        """A new index that was selected: universal facts are always instantiated at it."""
        index = Term.of(self._new(name))
        self.selected.append(index)
        return index

    def _new(self, name: str) -> Symbol:
        number = self._names[name] = self._names.get(name, 0) + 1
        return Symbol(name if number == 1 else f"{name}.{number}", Role.INDEX, integer=True)

    @contextmanager
    def arbitrary(self) -> Iterator[Term]:
        """An index that stands for any; nested ones differ, so that none is taken for another."""
        symbol = Symbol(f"any index {self._depth}", Role.INDEX, integer=True)
        self._arbitrary.add(symbol.key)
        self._depth += 1
        try:
            yield Term.of(symbol)
        finally:
            self._depth -= 1

    def bring(self, symbol: Symbol, index: Term) -> None:
        """Note that what is known of an arbitrary index matters wherever ``symbol`` is mentioned."""
        self._brought[symbol.key] = index.key

    def arbitrary_in(self, *formulas: Any) -> frozenset[str]:
        """The keys of the indices in formulas that stand for any."""
        keys: set[str] = set()
        for formula in formulas:
            if not isinstance(formula, bool):
                mentioned = formula.keys_within
                keys |= mentioned & self._arbitrary
                keys |= {self._brought[symbol] for symbol in mentioned & self._brought.keys()} & self._arbitrary
        return frozenset(keys)
