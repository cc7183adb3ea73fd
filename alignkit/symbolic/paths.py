"""One path of a symbolic run: which conditions are assumed on it, and which way an undecided one goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from alignkit.errors import Infeasible
from alignkit.interpreting.exploring import Choices
from alignkit.symbolic.formulas import Comparison, Formula, conjunction, implies
from alignkit.symbolic.substitution import Substitution
from alignkit.symbolic.terms import Term, atoms_within
from alignkit.symbolic.trees import Atom


class Path:
    """One path: the conditions assumed on it, in order, and the choices that lead down it.

    ``tick`` is called at every condition; what it raises ends the run.
    """

    def __init__(self, choices: Choices, tick: Callable[[], object] = lambda: None) -> None:
        self.tick = tick
        self.choices = choices
        self.assumed: list[Formula] = []
        self.keys: set[str] = set()
        self.guards: list[Any] = []
        self._guard: Any = None  # all guards in one, once that is asked for
        self._same = Renaming()
        self._renamed: set[str] = set()

    @property
    def repeats(self) -> bool:
        """Whether an earlier path was the same up to here."""
        return self.choices.repeats

    def decide(self, condition: Any) -> bool:
        """Decides which way an undecided condition goes on this path, and assumes it from here on."""
        decided = self.decided(condition)
        if decided is not None:
            return decided
        way = self.choices.choose(2) == 0
        self.assume(condition if way else ~condition)
        return way

    def decided(self, condition: Any) -> bool | None:
        """Which way a condition goes that is assumed on this path, or that is contrary to one; None for another."""
        if isinstance(condition, bool):
            return condition
        self.tick()
        if condition.key in self.keys:
            return True
        opposite = ~condition
        if isinstance(opposite, bool):
            return not opposite
        if opposite.key in self.keys:
            return False
        return self._by_another_name(condition)

    def known(self, condition: Any) -> Any:
        """True or False where the condition or its opposite is assumed word for word; else the condition itself."""
        if isinstance(condition, bool):
            return condition
        if condition.key in self.keys:
            return True
        opposite = ~condition
        return False if not isinstance(opposite, bool) and opposite.key in self.keys else condition

    def assume(self, condition: Any) -> None:
        """Take a condition as given from here on; under a guard, only where the guard holds."""
        guarded = self.guarded(condition)
        if isinstance(guarded, bool):
            if not guarded:
                raise Infeasible
            return
        if guarded.key not in self.keys:
            self.assumed.append(guarded)
            self.keys.add(guarded.key)
            if self._same.learn(guarded):
                self._renamed = {str(_key(self._same(formula))) for formula in self.assumed}
            elif self._same:
                self._renamed.add(str(_key(self._same(guarded))))

    def by_one_name(self, condition: Any) -> Any:
        """The condition with one name for each whole number of which several names are known."""
        return self._same(condition)

    def guarded(self, condition: Any) -> Any:
        """The condition, where all guards hold."""
        if not self.guards or condition is True:
            return condition
        if self._guard is None:
            self._guard = conjunction(tuple(self.guards))
        return implies(self._guard, condition)

    def _by_another_name(self, condition: Formula) -> bool | None:
        """Which way a condition goes that is assumed of something known to be equal."""
        if not self._same:
            return None
        renamed = self._same(condition)
        if isinstance(renamed, bool):
            return renamed
        if renamed.key in self._renamed:
            return True
        return False if _key(~renamed) in self._renamed else None

    @contextmanager
    def under(self, condition: Any) -> Iterator[None]:
        """What is assumed or required inside holds where the condition does."""
        outer, self._guard = self._guard, None
        self.guards.append(condition)
        try:
            yield
        finally:
            self.guards.pop()
            self._guard = outer


class Renaming:
    """Whole numbers that are known to be equal, each put by one of them wherever it is mentioned."""

    def __init__(self) -> None:
        self._instead: dict[Atom, Term] = {}
        self._substitution = Substitution({})

    def __bool__(self) -> bool:
        return bool(self._instead)

    def __call__(self, formula: Any) -> Any:
        try:
            return self._substitution(formula)
        except ZeroDivisionError:
            return formula  # it divides by the difference of two numbers that are equal

    def learn(self, formula: Formula) -> bool:
        """Take note of a formula that says that two whole numbers are the same; says whether that is news."""
        if not isinstance(formula, Comparison) or formula.relation != "==":
            return False
        renamed = self(formula)
        if not isinstance(renamed, Comparison):
            return False
        equal = renamed.term
        atoms = list(equal.atoms())
        if len(equal.parts) != 2 or len(atoms) != 2 or not all(atom.integer for atom in atoms):
            return False
        one, other = sorted(atoms, key=lambda atom: atom.key)
        if equal not in (Term.of(one) - Term.of(other), Term.of(other) - Term.of(one)):
            return False
        if other in atoms_within(Term.of(one)) or one in atoms_within(Term.of(other)):
            return False  # an element at an index that mentions the other
        latest = Substitution({other: Term.of(one)})
        try:
            instead = {atom: latest.term(term) for atom, term in self._instead.items()}
        except ZeroDivisionError:
            return False
        self._instead = instead | {other: Term.of(one)}
        self._substitution = Substitution(self._instead)
        return True


def _key(formula: Any) -> Any:
    return formula if isinstance(formula, bool) else formula.key
