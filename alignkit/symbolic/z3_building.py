"""z3's expressions, made without asking for their sorts: all numbers here are reals, all else is Boolean.

z3's Python operators look for a common sort of whatever they are given, which takes most of the time of writing a
question down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import z3


class Builder:
    """Makes expressions in one context."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self._reals = z3.RealSort(context)
        self._numbers: dict[Fraction | int, Any] = {}

    def number(self, value: Fraction | int) -> Any:
        """A rational number."""
        if value not in self._numbers:
            self._numbers[value] = z3.RealVal(str(value), self.context)
        return self._numbers[value]

    def function(self, name: str) -> Any:
        """A function of one real."""
        return z3.Function(name, self._reals, self._reals)

    def sum(self, parts: Sequence[Any]) -> Any:
        """The sum of one number or more."""
        return parts[0] if len(parts) == 1 else z3.ArithRef(self._of_many(z3.Z3_mk_add, parts), self.context)

    def product(self, parts: Sequence[Any]) -> Any:
        """The product of one number or more."""
        return parts[0] if len(parts) == 1 else z3.ArithRef(self._of_many(z3.Z3_mk_mul, parts), self.context)

    def all(self, parts: Sequence[Any]) -> Any:
        """All of the conditions."""
        return z3.BoolRef(self._of_many(z3.Z3_mk_and, parts), self.context)

    def some(self, parts: Sequence[Any]) -> Any:
        """One of the conditions at least."""
        return z3.BoolRef(self._of_many(z3.Z3_mk_or, parts), self.context)

    def compare(self, value: Any, relation: str, number: int = 0) -> Any:
        """``value relation number``; the relation is one of < <= == >=."""
        compared = _COMPARISONS[relation](self.context.ref(), value.as_ast(), self.number(number).as_ast())
        return z3.BoolRef(compared, self.context)

    def negation(self, condition: Any) -> Any:
        """Where the condition does not hold."""
        return z3.BoolRef(z3.Z3_mk_not(self.context.ref(), condition.as_ast()), self.context)

    def choice(self, condition: Any, then: Any, other: Any) -> Any:
        """``then`` where the condition holds, ``other`` where not."""
        choice = z3.Z3_mk_ite(self.context.ref(), condition.as_ast(), then.as_ast(), other.as_ast())
        return z3.ArithRef(choice, self.context)

    def _of_many(self, make: Callable[..., Any], parts: Sequence[Any]) -> Any:
        number = len(parts)
        return make(self.context.ref(), number, (z3.Ast * number)(*[part.as_ast() for part in parts]))


_COMPARISONS: dict[str, Callable[..., Any]] = {
    "<": z3.Z3_mk_lt,
    "<=": z3.Z3_mk_le,
    "==": z3.Z3_mk_eq,
    ">=": z3.Z3_mk_ge,
}
