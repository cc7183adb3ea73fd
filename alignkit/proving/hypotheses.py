"""What is known where something is asked: what a path has stated, and universal facts where they matter.

Universal facts are told in two steps. Most goals follow from the facts at the very indices that the goal looks at;
only where they do not are the facts told wherever anything is looked at. Both are found out when they are needed, from
values alone: what a path comes to know later is not in them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from alignkit.proving.universals import Facts
from alignkit.symbolic.lazy import lazy

# Facts at some indices may make further ones worth knowing: what adjacency says of the answers there.
Completing = Callable[[list[Any]], list[Any]]


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """Formulas that hold together; ``told`` are those with the same facts that were found out before.

    ``stated`` are the formulas themselves, ``goal`` the one that they are gathered for (True: none in particular),
    ``facts`` the universal facts there are (None: none), ``completing`` gives what else is known of what formulas look
    at, and ``more`` are formulas that came in later and have no further fact told for them.
    """

    stated: tuple[Any, ...]
    goal: Any = True
    asked: tuple[Any, ...] = ()
    facts: Facts | None = None
    completing: Completing = field(default=lambda formulas: [], repr=False)
    about: Hashable = ()
    more: tuple[Any, ...] = ()
    told: dict[Hashable, tuple[Any, ...]] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(formulas: Iterable[Any]) -> Hypotheses:
        """These formulas, and nothing besides."""
        return Hypotheses(tuple(formulas))

    def also(self, formulas: tuple[Any, ...]) -> Hypotheses:
        """The same, and some more."""
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
        """What is stated, with the facts at the indices that the goal looks at."""
        if self.facts is None or not self.facts.universals:
            return self.whole
        return self._gathered("near", lambda facts: facts.near([*self.asked, self.goal]))

    @lazy
    def whole(self) -> tuple[Any, ...]:
        """What is stated, with the facts at all indices that are looked at or were selected."""
        return self._gathered("whole", lambda facts: facts.everywhere([*self.stated, *self.asked, self.goal]))

    def steps(self) -> Iterator[tuple[Any, ...]]:
        """What to try one after the other, each found out when it is asked for: what follows from the first follows."""
        if self.goal is False and not self.asked:
            yield self.whole  # a contradiction looks at no index itself
            return
        yield self.near
        if len(self.whole) > len(self.near):
            yield self.whole

    def _gathered(self, which: str, tell: Callable[[Facts], list[Any]]) -> tuple[Any, ...]:
        known = (which, self._before)
        if known not in self.told:
            instances = [] if self.facts is None else tell(self.facts)
            formulas = [f for f in (*self.stated, *self.asked, *instances) if f is not True]
            formulas += self.completing([*formulas, self.goal])
            self.told[known] = _once(formulas)
        return _once((*self.told[known], *self.more)) if self.more else self.told[known]


def _once(formulas: Iterable[Any]) -> tuple[Any, ...]:
    return tuple({_key(f): f for f in formulas if f is not True}.values())


def _key(formula: Any) -> Any:
    return formula if isinstance(formula, bool) else formula.key
