"""Numbers for every symbol of a symbolic run, so that what a proof takes as known can be held against Python."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from alignkit.interpreting.values import Family
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.facts.universals import Instances, Quantifier
from alignkit.proving.symbolic_inputs import primed
from alignkit.symbolic.atoms import Element
from alignkit.symbolic.substitution import answered, evaluate, holds
from alignkit.symbolic.summation import BOUND_SYMBOL, RunningSum
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Atom


class Numbers:
    """The number that each atom stands for; ``truths`` are what unknown Booleans are, by their names.

    Beyond the ends of an array there are arbitrary numbers, the same on D and on D′. Single numbers go by the names of
    their symbols, or by their keys where several symbols have one name.
    """

    def __init__(
        self,
        draw: random.Random,
        arrays: Mapping[str, Iterable[Any]],
        single: Mapping[str, Any],
        truths: Mapping[str, bool] | None = None,
    ) -> None:
        self.draw = draw
        self.arrays = {name: list(values) for name, values in arrays.items()}
        self.single = dict(single)
        self.truths = dict(truths or {})
        self.outside: dict[tuple[str, Fraction], Fraction] = {}

    def __call__(self, atom: Atom) -> Fraction:
        if isinstance(atom, RunningSum):
            return self._summed(atom.body, int(evaluate(atom.index, self)))
        if isinstance(atom, Element):
            return self.item(atom.array, evaluate(atom.index, self))
        return Fraction(self.single[atom.key] if atom.key in self.single else self.named(atom))

    def named(self, atom: Any) -> Any:
        """The number that a symbol stands for by its name."""
        return self.single[atom.name]

    def item(self, array: str, at: Fraction) -> Fraction:
        """What stands in an array at any number."""
        values = self.arrays[array]
        if at.denominator == 1 and 0 <= at < len(values):
            return Fraction(values[int(at)])
        there = array.removesuffix(primed("")), at
        return self.outside.setdefault(there, Fraction(self.draw.randint(-9, 9)))

    def _summed(self, body: Term, length: int) -> Fraction:
        """The sum over 0, …, length - 1; below 0, the opposite of the sum over length, …, -1."""
        around, total = self.single.get(BOUND_SYMBOL.key), Fraction(0)
        for i in range(length) if length >= 0 else range(length, 0):
            self.single[BOUND_SYMBOL.key] = i
            total += evaluate(body, self) * (1 if length >= 0 else -1)
        self.single[BOUND_SYMBOL.key] = around
        return total

    def hold(self, formula: Any) -> bool:
        """Whether a formula holds."""
        return holds(answered(formula, self.truths) if self.truths else formula, self)

    def value(self, number: Any) -> Fraction:
        """The value of a term or a plain number."""
        return evaluate(Term.of(number), self)

    def listed(self, family: Family) -> list[int]:
        """The indices of the items that a list of symbolic length has."""
        within = range(int(self.value(family.length)))
        return [i for i in within if family.admits is None or self.hold(family.admits(Term.of(i)))]


def instances(facts: Facts, indices: Iterable[int]) -> Iterator[tuple[Any, tuple[int, ...], Any]]:
    """Each universal fact at each of some indices, or at each two of them, as it says there."""
    shared, listed = Instances(), tuple(indices)
    for fact in facts.universals:
        for at in itertools.product(listed, repeat=2 if fact.over is Quantifier.PAIR else 1):
            terms = tuple(map(Term.of, at))
            with facts.elements.looking():
                yield fact, at, fact.at(terms, tuple(term.key for term in terms), shared)
