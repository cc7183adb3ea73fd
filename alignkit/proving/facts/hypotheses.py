"""What is known where something is asked: what a path has stated, and universal facts where they matter.

Universal facts are instantiated in two steps. Most goals follow from the facts at the very indices that the goal
mentions; only where they do not are the facts instantiated at all indices that anything mentions. Both are worked out
when they are needed, from values alone: what a path comes to know later is not in them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from alignkit.proving.facts.universals import UniversalFacts
from alignkit.symbolic.lazy import lazy

# From formulas to what else is known of the arrays they mention: what adjacency says of the answers there.
Completing = Callable[[list[Any]], list[Any]]


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """Formulas that hold together.

    ``stated`` are the formulas themselves, and ``asked`` those that hold for this question only. ``goal`` is the
    formula that they are gathered for (True: none in particular). ``facts`` are the universal facts (None: none),
    ``completing`` gives what else is known of the arrays that formulas mention, and ``about`` tells apart what it
    depends on. ``more`` are formulas that came in later, for which no universal fact is instantiated. ``gathered`` is a
    cache: from what hypotheses are worked out from to the formulas that came of it.
    """

    stated: tuple[Any, ...]
    goal: Any = True
    asked: tuple[Any, ...] = ()
    facts: UniversalFacts | None = None
    completing: Completing = field(default=lambda formulas: [], repr=False)
    about: Hashable = ()
    more: tuple[Any, ...] = ()
    gathered: dict[Hashable, tuple[Any, ...]] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(formulas: Iterable[Any]) -> Hypotheses:
        """These formulas, and nothing besides."""
        return Hypotheses(tuple(formulas))

    def also(self, formulas: tuple[Any, ...]) -> Hypotheses:
        """These hypotheses and some more."""
        return replace(self, more=(*self.more, *formulas))

    @lazy
    def key(self) -> Hashable:
        """Equal for hypotheses that say the same."""
        return self._before, frozenset(map(_key, self.more))

    @lazy
    def _before(self) -> Hashable:
        """The key of what was gathered, before more came in."""
        facts = None if self.facts is None else self.facts.key
        return frozenset(map(_key, (*self.stated, *self.asked))), _key(self.goal), facts, self.about

    @lazy
    def near(self) -> tuple[Any, ...]:
        """What is stated, with the universal facts at the indices that the goal mentions."""
        if self.facts is None or not self.facts.universals:
            return self.whole
        return self._gathered("near", lambda facts: facts.near([*self.asked, self.goal]))

    @lazy
    def whole(self) -> tuple[Any, ...]:
        """What is stated, with the universal facts at all indices that are mentioned or were selected."""
        return self._gathered("whole", lambda facts: facts.everywhere([*self.stated, *self.asked, self.goal]))

    def steps(self) -> Iterator[tuple[Any, ...]]:
        """The sets of formulas to try one after the other, worked out when they are asked for.

        Each is part of the next, so that what follows from the first follows.
        """
        if self.goal is False and not self.asked:
            yield self.whole  # a contradiction mentions no index itself
            return
        yield self.near
        if len(self.whole) > len(self.near):
            yield self.whole

    def _gathered(self, which: str, instantiate: Callable[[UniversalFacts], list[Any]]) -> tuple[Any, ...]:
        known = (which, self._before)
        if known not in self.gathered:
            instances = [] if self.facts is None else instantiate(self.facts)
            formulas = [f for f in (*self.stated, *self.asked, *instances) if f is not True]
            formulas += self.completing([*formulas, self.goal])
            self.gathered[known] = _once(formulas)
        return _once((*self.gathered[known], *self.more)) if self.more else self.gathered[known]


def _once(formulas: Iterable[Any]) -> tuple[Any, ...]:
    return tuple({_key(f): f for f in formulas if f is not True}.values())


def _key(formula: Any) -> Any:
    return formula if isinstance(formula, bool) else formula.key
