"""Obligations: what must follow from what, for which condition of the proof, said in words.

What is owed on one path: obligations with their words and places, and what the program presumes of its inputs.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from alignkit.errors import Infeasible, InternalError, Parted, Undefined
from alignkit.language.program import Place
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.facts.path_facts import Facts
from alignkit.symbolic.atoms import Element, Remainder, Special
from alignkit.symbolic.formulas import And, Comparison, conjunction, disjunction, implies
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Role
from alignkit.verdicts import TITLES, Presumed


@dataclass(frozen=True)
class Obligation:
    """``hypotheses ⊢ goal``, which serves one condition.

    ``goal`` is a Formula or a bool; False means that the hypotheses must contradict one another: the path that
    they describe is never taken. ``invariant`` names the invariant that this obligation establishes or keeps.
    ``settled`` says of a goal that is True that nothing is left to ask: it is listed, and not counted in reports.
    ``problem`` says that ``words`` name what is excluded, and not what holds.
    ``presuming`` says that it may rest on what D presumes of public values, wherever D does.
    ``about_record`` says that a record of D's runs is held against this run: a proof for readers leaves it out.
    InternalError where ``condition`` is none of the proof's.
    """

    condition: str
    hypotheses: Hypotheses = field(repr=False)
    goal: Any
    words: str
    place: Place | None = field(default=None, repr=False)
    invariant: str | None = None
    settled: bool = False
    about_record: bool = False
    problem: bool = False
    presuming: bool = False

    def __post_init__(self) -> None:
        # A verdict is folded condition by condition: an obligation of no condition would be lost.
        if self.condition not in TITLES:
            raise InternalError(f"an obligation serves {self.condition!r}, which is no condition of the proof")

    @property
    def line(self) -> int | None:
        return None if self.place is None else self.place.line

    @cached_property
    def key(self) -> Hashable:
        """Equal for obligations that ask the same for the same condition."""
        # What was settled has no hypotheses to tell it by.
        return self.condition, self.goal, self.hypotheses.key, (self.words, self.line) if self.settled else None


class Obligations:
    """The obligations of one path; each must follow from the facts that are known where it arises."""

    def __init__(self, facts: Facts, *, charging: bool = False) -> None:
        self.facts = facts
        self.charging = charging  # whether costs are probabilities, made of exponentials
        self.listed: list[Obligation] = []
        self.left_to_others: list[Obligation] = []
        self.presumed: list[Presumed] = []
        # Of the noise, where each shift reads earlier noise only: what comes before, and what follows in order.
        self.orders: list[tuple[frozenset[str], tuple[str, ...]]] = []
        # Conditions on noise without which an order was found: every path that draws the same must decide them alike.
        self.told_by_draws: list[Any] = []
        self._none = Hypotheses((), caches=facts.caches)  # what a goal that is settled rests on
        self._elsewhere = False  # whether what is owed at the moment is an obligation of another stage

    @contextmanager
    def shown_elsewhere(self) -> Iterator[None]:
        """Leave everything that is owed inside to another stage, which runs the same steps and obliges it.

        What is left is recorded, and obliged after all where no other stage does so. A path on which D′ parts from D,
        or a run is undefined, ends here: that it is impossible is left to the other stage.
        """
        outer, self._elsewhere = self._elsewhere, True
        try:
            yield
        except Parted as parted:
            self.exclude(parted.condition, parted.place, parted.words)
            raise Infeasible from parted
        except Undefined as problem:
            self.exclude("same_output", problem.place, f"the run is defined: {problem.problem}")
            raise Infeasible from problem
        finally:
            self._elsewhere = outer

    def oblige(
        self,
        condition: str,
        goal: Any,
        place: Place | None,
        words: str,
        *,
        given: Iterable[Any] = (),
        invariant: str | None = None,
        presuming: bool = False,
    ) -> None:
        """Oblige the goal to follow from what is known now, and from ``given``.

        What an earlier path has obliged at this very point is not listed again.
        """
        self._owe(self.facts.hypotheses, condition, goal, place, words, given, invariant, presuming=presuming)

    def of_runs(
        self,
        condition: str,
        goal: Any,
        place: Place | None,
        words: str,
        *,
        given: Iterable[Any] = (),
        invariant: str | None = None,
    ) -> None:
        """Oblige the goal to follow from what runs do and ``given``, without what is assumed or obliged of them.

        So is obliged what a proof foresees of all runs: where one does something else, nothing that was foreseen may
        help to show that the path is impossible.
        """
        self._owe(
            self.facts.of_runs, condition, goal, place, words, given, invariant, settled=goal is True, record=True
        )

    def exclude(self, condition: str, place: Place | None, problem: str) -> None:
        """Oblige that a path on which there is a problem is never taken."""
        self._owe(self.facts.hypotheses, condition, False, place, problem, problem=True)

    def settled(self, condition: str, place: Place | None, words: str) -> None:
        """List what was settled by looking at a term: no condition is proved by an empty list."""
        self._owe(self.facts.of_runs, condition, True, place, words, settled=True)

    def _owe(
        self,
        known: Callable[[Any, Iterable[Any]], Hypotheses],
        condition: str,
        goal: Any,
        place: Place | None,
        words: str,
        given: Iterable[Any] = (),
        invariant: str | None = None,
        *,
        settled: bool = False,
        record: bool = False,
        problem: bool = False,
        presuming: bool = False,
    ) -> None:
        if self.facts.path.repeats:
            return
        if self.charging:
            given = (*given, *exponentials(goal, *(self.facts.path.assumed if goal is False else ())))
        hypotheses = self._none if goal is True else known(goal, given)
        owed = self.left_to_others if self._elsewhere else self.listed
        owed.append(
            Obligation(condition, hypotheses, goal, words, place, invariant, settled, record, problem, presuming)
        )

    def lemma(self, condition: str, goal: Any, place: Place | None, words: str) -> None:
        """Oblige a goal, and take it as known from here on."""
        self.oblige(condition, goal, place, words)
        self.facts.assume(goal, FactOrigin.OBLIGED, words)

    def foreseen(self, condition: Any, place: Place, words: str) -> None:
        """Settle which way a condition goes on D′, where the facts about what it mentions decide that.

        That it goes this way is obliged, and known from here on, so that the other way is not explored.
        """
        about = self.facts.about(condition)
        for goal in (condition, ~condition):
            hypotheses = replace(about, goal=goal)
            if self.facts.caches.foresight.follows(hypotheses.whole, goal):
                if not self.facts.path.repeats:
                    self.listed.append(Obligation("same_output", hypotheses, goal, words, place))
                self.facts.assume(goal, FactOrigin.OBLIGED, words)
                return

    def require(
        self,
        condition: str,
        formula: Any,
        place: Place,
        words: str,
        *,
        known: bool = True,
        narrow: frozenset[str] | None = None,
    ) -> None:
        """Oblige a run to be defined, which it is where the formula holds; with ``known`` it is a fact from here on.

        Where D's run needs something of public values alone, that narrows the inputs: a program makes no claim for
        inputs on which it is undefined. So does what D needs for every item, and for every iteration that ``narrow``
        has the key of, if there is a public number of them. Nothing is presumed where the goal is found to follow from
        what is known.
        """
        goal = self.facts.path.guarded(formula)
        if goal is True:
            self.settled(condition, place, words)
            return
        on_d = condition == "termination" and goal is not False
        if on_d and roles(goal) <= {Role.PUBLIC}:
            self.presumed.append(Presumed(goal, f"line {place.line}: {words}", self._where_public()))
            self.facts.assume(formula, FactOrigin.PRESUMED)
            return
        given: tuple[Any, ...] = ()
        if on_d and goal is not False:
            public = roles(formula) <= {Role.PUBLIC}
            narrowed = self._for_every_item(formula, words) if public else self._narrowed(formula, narrow)
            if narrowed is not None and not self.follows(goal):
                self.presumed.append(Presumed(narrowed[0], f"line {place.line}: {narrowed[1]}", self._where_public()))
                given = (narrowed[0],)
        self.oblige(condition, goal, place, words, given=given)
        if known:
            self.facts.assume(formula, FactOrigin.OBLIGED, words)

    def presume(self, formula: Any, place: Place, words: str) -> None:
        """Say that D may be undefined where a formula of public values does not hold; it is no fact about this run."""
        self.presumed.append(Presumed(formula, f"line {place.line}: {words}", self._where_public()))
        self.settled("termination", place, words)

    def follows(self, goal: Any) -> bool:
        """Whether a goal is found to follow from what is known; no verdict rests on the answer."""
        return self.facts.caches.foresight.follows(self.facts.hypotheses(goal).near, goal)

    def _where_public(self) -> Any:
        """What is known here of public values: where it does not hold, D may need nothing of them."""
        path = self.facts.path
        return conjunction(tuple(f for f in (*path.assumed, *path.guards) if roles(f) <= {Role.PUBLIC}))

    def _for_every_item(self, formula: Any, words: str) -> tuple[Any, str] | None:
        """What is presumed, with words, where every item of a list needs the same of public values.

        Under a condition that noise or answers decide nothing is presumed: the program would be defined or not by it.
        """
        guards = self.facts.path.guards
        counted = self.facts.indices.arbitrary_in(*guards)
        atoms = (atom for guard in guards for atom in atoms_within(guard))
        if any(atom.role not in (None, Role.PUBLIC) and atom.key not in counted for atom in atoms):
            return None
        presumed = implies(conjunction(tuple(guard for guard in guards if roles(guard) <= {Role.PUBLIC})), formula)
        return None if isinstance(presumed, bool) else (presumed, words)

    def _narrowed(self, formula: Any, counted: frozenset[str] | None) -> tuple[Any, str] | None:
        """What is presumed of public values, with words, so that the formula holds for all iterations or items at hand.

        If ``i < n`` and ``j < m`` are known, ``i * m + j < k`` holds wherever ``n * m <= k``. So it is found for the
        numbers of iterations, for positions of items and for positions that were selected, which all are below a public
        number. What else noise or the state of a loop decides gets no such allowance: whether the program is defined
        there would depend on private answers. How this is found does not matter: the formula is obliged, given what is
        presumed, and nothing else may rest on that but that D′ and the alignment are defined where they read lists.
        """
        formula = self.facts.path.by_one_name(formula)
        if counted is None or not isinstance(formula, Comparison) or formula.relation != "<=":
            return None
        path, indices = self.facts.path, self.facts.indices
        bounds = [part.term for f in (*path.assumed, *path.guards) for part in _comparisons(path.by_one_name(f))]
        lengths = {ranking.positions: ranking.values.length for ranking in self.facts.rankings}
        below: dict[Any, Term] = {}
        for atom in atoms_within(formula):
            if isinstance(atom, Element) and atom.array in lengths:
                below[atom] = lengths[atom.array]
            elif isinstance(atom, Remainder) and roles(atom.of) <= {Role.PUBLIC, Role.INDEX}:
                below[atom] = atom.divisor
        bounds += (Term.of(atom) + 1 - bound for atom, bound in below.items())
        selected = {index.key for index in indices.selected} | {atom.key for atom in below}
        allowed = counted | indices.arbitrary_in(formula, *bounds) | selected
        terms, seen = [formula.term], {formula.term}
        for _ in range(MOST_BOUNDS):
            made = dict.fromkeys(less for term in terms for less in self._without_one(term, bounds, allowed))
            terms = [term for term in made if term not in seen][:MOST_TERMS]
            seen.update(terms)
            presumed = disjunction(tuple(term.compare("<=", 0) for term in terms if not _hidden_part(term)))
            if presumed is True:
                return None
            if presumed is not False:
                return presumed, f"a list is long enough: {presumed}"
        return None

    def _without_one(self, term: Term, bounds: Iterable[Term], allowed: Collection[str]) -> Iterator[Term]:
        """Terms that are no less, without the first hidden summand: a multiple of a bound, at most 0, is taken away."""
        hidden = _hidden_part(term)
        if not hidden or any(a.role is not Role.PUBLIC and a.key not in allowed for m in hidden for a, _ in m):
            return
        summand, factor = next(iter(hidden.items()))
        for bound in bounds:
            for part, of_bound in _hidden_part(bound).items():
                multiple = Term({summand: factor / of_bound}) / Term({part: 1})
                less = term - multiple * bound
                if multiple.inverted or summand in less.parts:
                    continue
                if multiple.sign == 1 or (multiple.sign is None and self.follows(multiple.compare(">=", 0))):
                    yield less


# So many bounds are put one after the other for hidden numbers in a position, and so many terms are made by each.
MOST_BOUNDS = 6
MOST_TERMS = 64


def exponentials(*formulas: Any) -> tuple[Any, ...]:
    """What holds of every two exponentials that formulas mention, where it says something of these alone.

    The larger exponent has the larger one, and the product of two is that of the sum.
    """
    atoms = (atom for formula in formulas if not isinstance(formula, bool) for atom in atoms_within(formula))
    exponents = {a.of.key: a.of for a in atoms if isinstance(a, Special) and a.function == "exp"}
    pairs = itertools.permutations(exponents.values(), 2)
    known = [implies((u - v).compare("<=", 0), (u.exp() - v.exp()).compare("<=", 0)) for u, v in pairs]
    for u, v in itertools.combinations_with_replacement(exponents.values(), 2):
        if (u + v).key in exponents:
            known.append((u.exp() * v.exp()).compare("==", (u + v).exp()))
    return tuple(formula for formula in known if formula is not True)


def _comparisons(formula: Any) -> Iterator[Comparison]:
    """The parts of a formula that say that a term is at most 0."""
    for part in formula.parts if isinstance(formula, And) else (formula,):
        if isinstance(part, Comparison) and part.relation in ("<", "<="):
            yield part


def _hidden_part(term: Term) -> dict[Any, Fraction]:
    """The summands of a term that are not public, with their factors."""
    return {m: Fraction(c) for m, c in term.parts.items() if any(roles(Term.of(a)) - {Role.PUBLIC} for a, _ in m)}
