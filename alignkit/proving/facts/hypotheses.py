"""What is known where something is asked: what a path has stated, and universal facts where they matter.

Universal facts are instantiated in two steps. Most goals follow from the facts at the very indices that the goal
mentions; only where they do not are the facts instantiated at all indices that anything mentions. Both are worked out
when they are needed, from values alone: what a path comes to know later is not in them.

What follows from few facts, asked of a solver while paths are explored: a way that it rules out is not explored.

No verdict rests on these answers: whoever relies on one obliges it too.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from alignkit.proving.facts.known_sums import Remembered, facts_of_answers, facts_of_sums
from alignkit.proving.facts.universals import NO_FACTS, Instances, UniversalFacts
from alignkit.proving.symbolic_inputs import Inputs, primed
from alignkit.symbolic.calculations import Calculations
from alignkit.symbolic.paths import Renaming
from alignkit.symbolic.summation import RunningSum, running_sums
from alignkit.symbolic.terms import Term, atoms_within
from alignkit.symbolic.trees import Role, lazy

# Whether a goal follows from hypotheses; False where that is not known.
Question = Callable[[tuple[Any, ...], Any], bool]


def _unasked(hypotheses: tuple[Any, ...], goal: Any) -> bool:
    return False


@dataclass
class Foresight:
    """Remembers every answer of ``ask``, so that all paths with the same choices are the same path."""

    ask: Question = _unasked
    _answers: dict[tuple[Any, frozenset[Any]], bool] = field(default_factory=dict, repr=False)

    def follows(self, hypotheses: tuple[Any, ...], goal: Any) -> bool:
        """Whether the goal is found to follow from the hypotheses."""
        question = goal, frozenset(hypotheses)
        if question not in self._answers:
            self._answers[question] = self.ask(hypotheses, goal)
        return self._answers[question]


@dataclass
class Caches:
    """What the paths of one check have in common: pure values, computed once.

    ``hypotheses`` maps what hypotheses were gathered from to the formulas that came of it. ``adjacent`` maps inputs, a
    vector's name and an index to what adjacency says of the answer there, and ``sums`` what is known of running sums.
    """

    hypotheses: dict[Hashable, tuple[Any, ...]] = field(default_factory=dict)
    instances: Instances = field(default_factory=Instances)
    adjacent: dict[tuple[Inputs, str, Term], list[Any]] = field(default_factory=dict)
    sums: Remembered = field(default_factory=dict, repr=False)
    calculations: Calculations = field(default_factory=Calculations, repr=False)
    foresight: Foresight = field(default_factory=Foresight)

    def __post_init__(self) -> None:
        self.hidden = cache(_hidden)

    def of_sums(self, inputs: Inputs, rates: tuple[tuple[str, Term], ...], formulas: list[Any]) -> list[Any]:
        """What is known of the running sums that formulas mention."""
        return facts_of_sums(inputs, dict(rates), formulas, self.sums)

    def adjacency(self, inputs: Inputs, formulas: list[Any]) -> list[Any]:
        """What adjacency says of the answers that formulas mention."""
        if inputs.bounded:
            return []
        elements = (e for f in formulas for e in self.instances.elements(f) if e.role is Role.PRIVATE)
        answers = (e for e in elements if not isinstance(e, RunningSum))
        facts = []
        places = dict.fromkeys((answer.array.removesuffix("'"), answer.index) for answer in answers)
        for name, index in places:
            about = inputs, name, index
            if about not in self.adjacent:
                self.adjacent[about] = inputs.adjacent(name, index, *inputs.element_pair(name, index))
            facts += self.adjacent[about]
        together = inputs.shared or inputs.adjacency.most is not None
        return [*facts, *facts_of_answers(inputs, places, running_sums(formulas))] if together else facts


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """Formulas that hold together.

    ``stated`` are the formulas themselves, and ``asked`` those that hold for this question only. ``goal`` is the
    formula that they are gathered for (True: none in particular). ``facts`` are the universal facts. ``inputs`` are
    those whose adjacency says more of the answers that formulas mention (None: nothing more is said), and of their sums
    by the ``rates`` that were obliged. ``more`` are formulas that came in later, for which no universal fact is
    instantiated.
    """

    stated: tuple[Any, ...]
    goal: Any = True
    asked: tuple[Any, ...] = ()
    facts: UniversalFacts = NO_FACTS
    inputs: Inputs | None = None
    rates: tuple[tuple[str, Term], ...] = ()
    more: tuple[Any, ...] = ()
    caches: Caches = field(default_factory=Caches, repr=False)

    @staticmethod
    def of(formulas: Iterable[Any]) -> Hypotheses:
        """These formulas, and nothing besides."""
        return Hypotheses(tuple(formulas))

    def also(self, formulas: tuple[Any, ...]) -> Hypotheses:
        """These hypotheses and some more."""
        return replace(self, more=(*self.more, *formulas))

    def with_sums(self, *formulas: Any) -> Hypotheses:
        """These hypotheses, with what is known of the sums in further formulas, and in what came in later."""
        if self.inputs is None or not running_sums((*self.more, *formulas)):
            return self
        known = self.caches.of_sums(self.inputs, self.rates, [*self.whole, *formulas])
        return self.also((*known, *self.caches.adjacency(self.inputs, known))) if known else self

    @lazy
    def key(self) -> Hashable:
        """Equal for hypotheses that say the same."""
        return self._before, frozenset(self.more)

    @lazy
    def _before(self) -> Hashable:
        """The key of what was gathered, before more came in."""
        return frozenset((*self.stated, *self.asked)), self.goal, self.facts.key, self.inputs, self.rates

    @lazy
    def near(self) -> tuple[Any, ...]:
        """What is stated, with the universal facts at the indices that the goal mentions."""
        if not self.facts.universals:
            return self.whole
        return self._gathered("near", self.facts.near, [*self.asked, self.goal])

    @lazy
    def whole(self) -> tuple[Any, ...]:
        """What is stated, with the universal facts at all indices that are mentioned or were selected."""
        return self._gathered("whole", self.facts.everywhere, [*self.stated, *self.asked, self.goal])

    def steps(self) -> Iterator[tuple[Any, ...]]:
        """The sets of formulas to try one after the other, worked out when they are asked for.

        Each is part of the next, so that what follows from the first follows; the last says of everything that is
        known to be equal what is known of one of it.
        """
        if self.goal is False and not self.asked:
            yield self.whole  # a contradiction mentions no index itself
            return
        yield self.near
        if len(self.whole) > len(self.near):
            yield self.whole
        if len(self.by_one_name) < len(self.whole):
            yield self.by_one_name

    @lazy
    def by_one_name(self) -> tuple[Any, ...]:
        """The same with one name for whole numbers that are stated to be equal, where there are fewer sums then.

        Sums of one body with equal parameters are one sum.
        """
        same, stated = Renaming(), (*self.stated, *self.asked)
        for formula in stated:
            same.learn(formula)
        if self.inputs is None or not same or not running_sums(self.whole):
            return self.whole
        equal = [formula for formula in stated if same(formula) is True]
        named = list(map(same, _once((*stated, *self.facts.everywhere([*stated, self.goal])))))
        named += self.caches.of_sums(self.inputs, self.rates, [*named, same(self.goal)])
        named += self.caches.adjacency(self.inputs, [*named, same(self.goal)])
        return _once((*equal, *named, *self.more))

    def _gathered(
        self, which: str, instances: Callable[[list[Any]], list[Any]], formulas: list[Any]
    ) -> tuple[Any, ...]:
        """What is stated, with the ``instances`` of universal facts for some formulas, and what adjacency adds."""
        gathered, source = self.caches.hypotheses, (which, self._before)
        if source not in gathered:
            hypotheses = [*self.stated, *self.asked, *instances(formulas)]
            if self.inputs is not None:
                hypotheses += self.caches.of_sums(self.inputs, self.rates, [*hypotheses, self.goal])
                hypotheses += self.caches.adjacency(self.inputs, [*hypotheses, self.goal])
            gathered[source] = _once(hypotheses)
        return _once((*gathered[source], *self.more)) if self.more else gathered[source]


@dataclass(frozen=True, eq=False)
class Premise:
    """What is known at one point of a path, which must be possible: from what is not, everything follows.

    ``of_d`` leaves out which way the alignment and D′ go, and what was obliged; ``of_runs`` leaves out what is assumed
    of every program, too. ``assumed`` are the keys of what is assumed, with words, and ``everywhere`` the words of what
    is assumed at every index.
    """

    whole: Hypotheses
    of_d: Hypotheses
    of_runs: Hypotheses
    assumed: tuple[tuple[str, str], ...]
    everywhere: tuple[str, ...] = ()


def _hidden(formula: Any) -> frozenset[str]:
    """The values that a formula mentions besides public ones; what D and D′ have under one name counts as one."""
    atoms = (atom for atom in atoms_within(formula) if atom.role not in (None, Role.PUBLIC))
    return frozenset(atom.key.replace(primed(""), "") for atom in atoms)


def _once(formulas: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(f for f in formulas if f is not True))
