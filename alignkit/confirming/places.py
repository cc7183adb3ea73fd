"""The opinion for every n on mechanisms that take all answers at once: a few places stand for all of them.

A run is followed for lists of which no length is known. It names a place where it needs one: what ``largest`` selects,
where a maximum lies, a counterexample to ``all``. A place is one of those that are named already, or another one; each
way is tried, so that places on a path differ. What holds of every place (a winner is above all others) is said of each
that is named, those that are named later included. In the end one more place is named, of which nothing else is known:
its noise stays where it is, so that the shifts of those that are named are all that costs.

Of ``largest`` with a number that is not known, each place is selected or not. Let some place that D selects be above
another one on D. If it is so on D′ too, whichever the two are, D′ selects the same in the same order: at the first
difference, what D has there would be above what D′ has there on D alone. The shifts cost at most that number times what
one that is selected costs.

A sum over all places is a number of which nothing is known but how it compares with earlier sums: that it is one of
them, or not further from one than adjacency allows. Each such statement follows from one about the summands at every
place. One place of which nothing else is known is named for these before the first of them is relied on, and what does
not hold on all paths is relied on on none (``_Beliefs``). So on every path what is said of sums is true: for each place
of a list there is a path on which that one was named.

No shift reads noise that moves, and no decision of the alignment does, about which place is meant either. So given the
output and the noise that stays, each shift is a translation by a constant.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import functools
import types
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.confirming.cutting import Answers, CutNames, Unread
from alignkit.confirming.normal_forms import (
    Comparison,
    NotExaminedError,
    Number,
    UndefinedError,
    Unknown,
    plain,
    same,
    terms_of,
    unknowns_of,
)
from alignkit.confirming.small_inputs import Inputs, settings
from alignkit.confirming.trials import (
    Coordinate,
    Fails,
    NoiseView,
    Record,
    Setting,
    Source,
    Trial,
    decided,
    is_whole,
    read_claim,
    seen,
    undefined_as_such,
)
from alignkit.confirming.users_functions import called, tree_of
from alignkit.confirming.worlds import Clause, DeadError, Functions, Interface, OutOfWorkError, PathWorld

# Why this chapter does not examine a mechanism that answers one by one.
A_LOOP = "a loop over the answers"
# How many places may be told apart on one path.
MOST = 8


class Place(Unread):
    """A place in the lists of answers; those of one path differ from each other."""

    _what = "a place in a list as a number"

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Place):
            raise NotExaminedError("a place that is compared with a number")
        return self is other

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None


class _Index(int):
    """The number of a place, where iterations are counted."""


class _At(list[Any]):
    """The one element of a list at a place, as a comprehension walks through it."""

    def __init__(self, place: Place, value: Any) -> None:
        super().__init__([value])
        self.place = place


class Family(Answers):
    """A list with one element for each answer."""

    def __init__(self, element: Callable[[Place], Any]) -> None:
        self.at = element

    def __getitem__(self, place: Any) -> Any:
        if not isinstance(place, Place):
            raise NotExaminedError("an element of a list at a number")
        return self.at(place)

    def plus(self, other: Family, sign: int) -> Family:
        """The list of its elements plus, or minus, those of another one."""
        return Family(lambda place: self[place] + sign * other[place])

    def counted(self) -> Family:
        """The list of its elements, each with its place."""
        return Family(lambda place: (place, self[place]))

    def beside(self, lists: Sequence[Any]) -> Family:
        """The list of what it and others have at each place."""
        return Family(lambda place: tuple(values[place] for values in lists))


class _Parts(Answers):
    """A generator expression over such a list: what it gives at a place, none where its condition fails."""

    def __init__(self, at: Callable[[Place], list[Any]]) -> None:
        self.at = at


class _Top(Answers):
    """The places of the largest values, where it is not known how many they are; on D, each named place is one or not.

    ``last`` is the place of the smallest of them, once it is asked for.
    """

    def __init__(self, trial: _Run, values: Family, number: Any) -> None:
        self._trial, self.values, self.number = trial, values, number
        self.selected: dict[int, bool] = {}
        self.last: Place | None = None

    def has(self, place: Place) -> bool:
        """Whether a place is selected; if the last one is told apart, before that."""
        return self.selected[place.number] and place is not self.last

    def __contains__(self, place: Any) -> bool:
        if not isinstance(place, Place) or self.last is not None:
            self._refused()
        return self.selected[place.number]

    def __getitem__(self, rank: Any) -> Place:
        if not isinstance(rank, _Rank):
            raise NotExaminedError("one of the largest by its number")
        return self._trial.ranked(self, rank)


@dataclass(frozen=True, eq=False)
class _Rank(Unread):
    """An arbitrary rank among the first so many, or the one after it."""

    among: Any
    after: bool = False

    def __add__(self, other: Any) -> _Rank:
        if self.after or type(other) is not int or other != 1:
            raise NotExaminedError("a rank other than one and the next")
        return _Rank(self.among, after=True)


class _Ranks(Answers):
    """The ranks from the first to one that is not known."""

    def __init__(self, number: Any) -> None:
        self.number = number


class _Ranked(Answers):
    """A list with one element for each rank, of which an arbitrary one is known."""

    def __init__(self, number: Any, element: Any) -> None:
        self.number, self.element = number, element


class _FirstOnes(Answers):
    """The set of the selected places but for the last one."""

    def __init__(self, top: _Top) -> None:
        self._top = top

    def __contains__(self, place: Any) -> bool:
        if not isinstance(place, Place):
            self._refused()
        return self._top.has(place)


class _WithdrawnError(Exception):
    """What was believed at every place does not hold at one, so that all paths are run again without it."""


class _Beliefs:
    """What is so at every place on all paths that were run, and what is not."""

    def __init__(self) -> None:
        self.held: set[Any] = set()
        self.failed: set[Any] = set()
        self.rates: dict[Any, Any] = {}

    def holds(self, key: Any, everywhere: Callable[[], bool]) -> bool:
        """Whether something is so at all places of a path, and was on all other paths."""
        if key not in self.failed and everywhere():
            self.held.add(key)
            return True
        self.failed.add(key)
        if key in self.held:
            raise _WithdrawnError
        return False


class _Roster:
    """The places of one path, and what is done with each, those that are named later included."""

    def __init__(self, world: PathWorld) -> None:
        self.world = world
        self.places: list[Place] = []
        self._each: list[Callable[[Place], None]] = []
        self._applies = False

    def each(self, do: Callable[[Place], None]) -> None:
        """Do something with every place, in the order in which this was said."""
        self._apply([do], list(self.places))
        self._each.append(do)

    def new(self) -> Place:
        """Another place."""
        if self._applies:
            raise NotExaminedError("a place that is asked for at every place")
        if len(self.places) == MOST:
            raise NotExaminedError(f"more than {MOST} places at once")
        place = Place(len(self.places))
        self.places.append(place)
        self._apply(list(self._each), [place])
        return place

    def _apply(self, each: Sequence[Callable[[Place], None]], places: Sequence[Place]) -> None:
        if self._applies:
            raise NotExaminedError("what is said of every place, at every place")
        self._applies = True
        try:
            for do in each:
                for place in places:
                    do(place)
        except (TypeError, AttributeError, LookupError, ArithmeticError, ValueError) as problem:
            raise NotExaminedError(f"Python cannot run it at every place: {problem}") from None
        finally:
            self._applies = False

    def pick(self, allowed: Callable[[Place], bool] = lambda place: True) -> Place:
        """A place of which something is allowed: one that is named, or another one."""
        named = [place for place in self.places if allowed(place)]
        chosen = self.world.choose(len(named) + 1)
        if chosen < len(named):
            return named[chosen]
        place = self.new()
        if not allowed(place):
            raise DeadError
        return place

    def say(self, number: Any, relation: str, truth: bool = True) -> None:
        """Take a comparison for true on this path."""
        if isinstance(number, Number):
            self.world.path.append([(Comparison(number, relation), truth)])
        elif {">": number > 0, ">=": number >= 0, "==": number == 0}[relation] is not truth:
            raise DeadError

    def check(self) -> None:
        """End the path where nothing fulfils what was said."""
        if self.world.ask([]) == "no":
            raise DeadError

    def order(self, place: Place) -> Any:
        """Which place it is among all, as a number: of equal values the first is the larger one."""
        return self.world.unknown(("place", place.number), whole=True, noise=True, private=True)

    def is_null(self, number: Any) -> bool:
        """Whether a number is 0 with probability 0."""
        return isinstance(number, Number) and self.world._is_null(number)

    def say_above(self, values: Family, one: Place, other: Place) -> None:
        """Take the value at one place for larger than that at another one."""
        more = values[one] - values[other]
        if self.is_null(more):
            self.say(more, ">")
            return
        self.say(more, ">=")
        earlier = (Comparison(self.order(other) - self.order(one), ">"), True)
        if isinstance(more, Number):
            self.world.path.append([(Comparison(more, ">"), True), earlier])
        elif more == 0:
            self.world.path.append([earlier])

    def is_above(self, values: Family, one: Place, other: Place) -> bool:
        """Whether it is shown that the value at one place is larger than that at another one."""
        more = values[one] - values[other]
        if not isinstance(more, Number):
            return bool(more > 0)
        less = [(Comparison(more, ">="), False)]
        if self.is_null(more):
            return bool(self.world.ask([less]) == "no")
        later: Clause = [*less, (Comparison(self.order(other) - self.order(one), ">"), False)]
        return bool(self.world.ask([[(Comparison(more, ">"), False)], later]) == "no")


class _Functions(Functions):
    """The functions of the language, where lists have no length."""

    def __init__(self, world: PathWorld, examination: _AllAtOnce) -> None:
        super().__init__(world)
        self._examination = examination

    def largest(self, values: Any, k: Any) -> Any:  # type: ignore[override]
        """The places of the k largest values, which are named where k is known."""
        if not isinstance(values, Family):
            return Functions.largest(values, k)
        return self._examination.trial.largest(values, k)


class _Names(CutNames):
    """What names stand for where lists have no length."""

    def __init__(self, functions: Functions, examination: _AllAtOnce) -> None:
        super().__init__(functions, lambda *given: examination.trial.listed(*given))
        self.own = {
            **self.own,
            "__counted": _counted,
            "all": lambda values: examination.trial.all_of(values),
            "max": lambda *values: examination.trial.max_of(*values),
            "sum": lambda *values: examination.trial.sum_of(*values),
            "__sum": lambda values: examination.trial.sum_of(values),
            "len": lambda values: examination.length if isinstance(values, Family) else len(values),
            "range": lambda *ends: _range(examination.length, *ends),
        }

    def compiled(self, python: Any, tree: ast.FunctionDef, *, keep: bool = False) -> Any:
        return super().compiled(python, AddingUp(tree).tree, keep=keep)


def _counted(values: Any) -> Any:
    return [(_Index(values.place.number), values[0])] if isinstance(values, _At) else enumerate(values)


def _range(length: Number, *ends: Any) -> Any:
    if len(ends) == 1 and same(ends[0], length):
        return Family(lambda place: place)
    if unknowns_of(ends) & length.unknowns:
        raise NotExaminedError("a range by a length")
    return _Ranks(ends[0]) if len(ends) == 1 and isinstance(ends[0], Number) else range(*ends)


class AddingUp(ast.NodeTransformer):
    """Makes loops that do nothing but add up sums: ``total = total + sum(x for x in q)``."""

    def __init__(self, tree: ast.FunctionDef) -> None:
        self._names = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
        self.tree = ast.fix_missing_locations(self.visit(tree))

    def visit_For(self, node: ast.For) -> Any:
        added = [one for one in map(_added, node.body) if one is not None]
        here = Counter(part.id for part in ast.walk(node) if isinstance(part, ast.Name))
        target = [*ast.walk(node.target)]
        # A total is named nowhere else in the loop, and what the loop takes up nowhere outside.
        apart = all(here[name] == 1 for name, *_ in added)
        apart &= all(here[part.id] == self._names[part.id] for part in target if isinstance(part, ast.Name))
        names = all(isinstance(part, ast.Name | ast.Tuple | ast.expr_context) for part in target)
        draws = any(isinstance(part, ast.Attribute) for part in ast.walk(node))
        if node.orelse or len(added) < len(node.body) or not apart or not names or draws:
            return self.generic_visit(node)
        sums = []
        for name, value, conditions in added:
            over = ast.comprehension(copy.deepcopy(node.target), copy.deepcopy(node.iter), conditions, 0)
            total = ast.BinOp(ast.Name(name, ast.Load()), ast.Add(), called("__sum", ast.GeneratorExp(value, [over])))
            sums.append(ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], total), node))
        return sums


def _added(statement: ast.stmt) -> tuple[str, ast.expr, list[ast.expr]] | None:
    match statement:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
            return name, value, []
        case ast.If(test=test, body=[ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value)], orelse=[]):
            return name, value, [test]
    return None


class _NoiseOfPlaces(NoiseView):
    """H, as an alignment sees it where lists have no length."""

    def __getattr__(self, name: str) -> Any:
        depth = {draw.key: draw.depth for draw in self._alignment.mechanism.draws}.get(name)
        if depth != 1:
            return super().__getattr__(name)

        def at(place: Place) -> Any:
            drawn = {where: self._record.drawn[c].value for where, c in self._record.names.get(name, [])}
            if (place.number,) not in drawn:
                raise NotExaminedError("noise that is not drawn at every place")
            return drawn[(place.number,)]

        return Family(at)


@dataclass
class _Run(Trial):
    """One aligned run over lists of which a few places are named."""

    roster: Any = None
    part: str = "D"
    read: set[Unknown] = field(default_factory=set)
    costs: dict[Coordinate, Any] = field(default_factory=dict)
    # How many of the largest values D asks for.
    numbers: list[Any] = field(default_factory=list)
    tops: list[_Top] = field(default_factory=list)
    tops_: list[_Top] = field(default_factory=list)
    # The place at an arbitrary rank and the one after it, and what comes after the last of the selected on D'.
    rank: tuple[Place, Place] | None = None
    next: Place | None = None
    # The inputs, the length of the lists, all sums, and the place at which an answer changes where only one does.
    values: Mapping[str, Any] = field(default_factory=dict)
    length: Any = None
    beliefs: _Beliefs = field(default_factory=_Beliefs)
    sums: list[tuple[Family, Any]] = field(default_factory=list)
    changed: Place | None = None
    # Whether an element of a list was decided by noise.
    by_noise: bool = False

    # What the rewritten functions call

    def listed(self, build: Callable[[Any], Any], values: Any, kind: str, filtered: bool) -> Any:
        """A comprehension: over a list with an element for each answer, such a list itself."""
        if isinstance(values, _Ranks | _Ranked):
            return self._at_a_rank(build, values, "" if filtered else kind)
        if not isinstance(values, Family):
            return set(build(values)) if kind == "SetComp" else build(values)
        if filtered and kind != "GeneratorExp":
            raise NotExaminedError("a comprehension over a whole list")
        build = _as_it_is_now(build)
        cached = self._at_every_place(lambda place: list(build(_At(place, values[place]))))
        if kind == "ListComp":
            return Family(lambda place: cached[place.number][0])
        if kind == "GeneratorExp":
            return _Parts(lambda place: cached[place.number])
        raise NotExaminedError("a comprehension over a whole list")

    def _at_a_rank(self, build: Callable[[Any], Any], values: Any, kind: str) -> Any:
        """A comprehension over ranks, or over a list with an element for each: what it gives at an arbitrary one."""
        if kind == "ListComp" and isinstance(values, _Ranks):
            (element,) = build([_Rank(values.number)])
            return _Ranked(values.number, decided(element))
        if kind == "SetComp" and isinstance(values, _Ranked) and self.part == "the alignment" and self.rank is not None:
            (element,) = build([values.element])
            if element is self.rank[0]:
                return _FirstOnes(self.tops[0])
        raise NotExaminedError("a comprehension over the largest")

    def ranked(self, top: _Top, rank: _Rank) -> Place:
        """The place at a rank: on D an arbitrary one; on D' the same, which is shown in the end, and the next to it."""
        first = self.tops[0] if self.tops else top
        if not same(rank.among + 1, top.number) or not same(top.number, first.number):
            raise NotExaminedError("ranks of other numbers than one less than are selected")
        if self.part == "D" and self.rank is None:
            last = self.roster.pick(first.has)
            first.last = last
            self.roster.each(lambda place: self._below(first.values, place, last, first.has(place)))
            place = self.roster.pick(first.has)
            after = self.roster.pick(lambda other: first.selected[other.number] and other is not place)
            self.roster.say_above(first.values, place, after)
            self.roster.check()
            self.rank = place, after
        if self.rank is None or top is not (first if self.part == "D" else self.tops_[0]):
            raise NotExaminedError("ranks that D does not ask for")
        place, after = self.rank
        if not rank.after:
            return place
        if self.part == "D" or after is not first.last:
            return after
        if self.next is None:
            best = self.next = self.roster.pick(lambda other: not first.has(other))
            self.roster.each(lambda other: self._below(top.values, best, other, not first.has(other)))
            self.roster.check()
        return self.next

    def _below(self, values: Family, one: Place, other: Place, asked: bool) -> None:
        if asked and one is not other:
            self.roster.say_above(values, one, other)

    def _at_every_place(self, element: Callable[[Place], list[Any]]) -> dict[int, list[Any]]:
        cached: dict[int, list[Any]] = {}
        world, aligns = self.world, self.part == "the alignment"
        assert world is not None

        def do(place: Place) -> None:
            before = len(world.reads)
            try:
                cached[place.number] = undefined_as_such(lambda: element(place))
            except UndefinedError as problem:
                if aligns:
                    raise Fails(f"the alignment is not defined: {problem}") from None
                raise
            reads = {u for read in world.reads[before:] for u in read}
            self.by_noise = self.by_noise or any(u.noise for u in reads)
            if aligns:
                self.read |= reads

        self.roster.each(do)
        return cached

    def _reads(self, parts: _Parts) -> None:
        """What is read where something is said of every place: the values at all of them."""
        if self.part == "the alignment":
            self.roster.each(lambda place: self.read.update(_unknowns_in(parts.at(place))))

    def all_of(self, values: Any) -> bool:
        """``all``: of every place, or there is one of which it is not so."""
        if not isinstance(values, _Parts):
            return all(values)
        assert self.world is not None
        self._reads(values)
        holds = self.world.choose(2) == 0
        if holds:
            self.roster.each(lambda place: self._say(values.at(place), True))
        else:
            place = self.roster.pick(lambda place: bool(values.at(place)))
            self._say(values.at(place), False)
        self.roster.check()
        return holds

    def _say(self, parts: Sequence[Any], truth: bool) -> None:
        for part in parts:
            if isinstance(part, Comparison):
                self.roster.say(part.number, part.relation, truth)
            elif not isinstance(part, bool):
                raise NotExaminedError("`all` of other things than conditions")
            elif part is not truth:
                raise DeadError

    def max_of(self, *values: Any) -> Any:
        """``max``: the value at the place where it lies."""
        if len(values) != 1 or not isinstance(values[0], _Parts):
            return max(*values)
        parts, world = values[0], self.world
        assert world is not None
        self._reads(parts)
        if world.choose(2) == 1:
            self.roster.each(lambda place: self._empty(parts.at(place)))
            if self.part == "D":
                raise NotExaminedError("the largest of nothing")
            raise Fails(f"{self.part} is not defined: the largest of nothing")
        best = self.roster.pick(lambda place: bool(parts.at(place)))
        (value,) = parts.at(best)

        def below(place: Place) -> None:
            for part in parts.at(place):
                if place is not best:
                    self.roster.say(value - part, ">=")

        self.roster.each(below)
        self.roster.check()
        return value

    def sum_of(self, values: Any, *start: Any) -> Any:
        """``sum``: one of the sums before it, or a number that is compared with them."""
        if not isinstance(values, Family | _Parts):
            return sum(values, *start)
        if start or self.tops:
            raise NotExaminedError("a sum from a start, or beside `largest` of a number that is not known")
        if not self.sums:
            self._begin_sums()
        cached = self._at_every_place(lambda place: [_summand(values, place)])
        made = Family(lambda place: cached[place.number][0])
        key = self.part, len(self.sums)
        number = self._known_sum(key, made)
        if number is None:
            assert self.world is not None
            whole = self._everywhere((key, "whole"), lambda place: is_whole(made[place]))
            number = self.world.unknown(("sum", key, whole), whole=whole, private=True)
            for i, (other, its_number) in enumerate(self.sums if self._list else []):
                self._compare((key, i, "rate"), made, other, number - its_number)
        self.sums.append((made, number))
        return number

    def _everywhere(self, key: Any, test: Callable[[Place], bool]) -> bool:
        return self.beliefs.holds(key, lambda: all(test(place) for place in self.roster.places))

    @property
    def _list(self) -> str:
        """The list of answers that change; "" where it is not private."""
        kinds = self.alignment.mechanism.parameters
        return next((name for name in self.alignment.mechanism.private if kinds[name].vector), "")

    def _change(self, place: Place) -> Any:
        return self.values[f"{self._list}_"][place] - self.values[self._list][place]

    def _more(self) -> bool:
        """Whether there are other places than those that are named: both ways, where changes add up over all places."""
        assert self.world is not None
        adds_up = str(self.alignment.adjacency) in ("l1", "one") and self.roster.places
        return not adds_up or self.world.choose(2) == 0

    def _begin_sums(self) -> None:
        """Name the place of the answer that changes, if only one does, and one of which nothing is known."""
        if self._list and str(self.alignment.adjacency) == "one":
            there = self.changed = self.roster.pick()
            self.roster.each(lambda place: place is there or self.roster.say(self._change(place), "=="))
        if self._more():
            self.roster.new()
        self.sums.append((Family(lambda place: 0), 0))

    def _known_sum(self, key: Any, made: Family) -> Any:
        """What a sum is by those before it; None where they do not tell."""
        for name, other, number in self._earlier():
            if self._everywhere((key, name), functools.partial(self._agrees, made, other)):
                return number if self.changed is None else number + made[self.changed] - other[self.changed]
        return None

    def _earlier(self) -> Iterator[tuple[Any, Family, Any]]:
        """The sums so far, the last one first, and where more than one answer changes, what two of them make."""
        for i, (one, number) in reversed([*enumerate(self.sums)]):
            if self.changed is not None:
                yield i, one, number
                continue
            for j, (other, its_number) in enumerate(self.sums):
                for sign in (1, -1):
                    yield (i, j, sign), one.plus(other, sign), number + sign * its_number

    def _agrees(self, one: Family, other: Family, place: Place) -> bool:
        if self.changed is None or place is self.changed:
            return self.changed is not None or same(one[place], other[place])
        difference = one[place] - other[place]
        if not isinstance(difference, Number):
            return bool(difference == 0)
        return bool(self.roster.world.ask([[(Comparison(difference, "=="), False)]]) == "no")

    def _compare(self, key: Any, made: Family, other: Family, apart: Any) -> None:
        """Say how far two sums are apart at most: a rate times what the answers change by together."""
        last = self.roster.places[-1]
        rate = self._rate(made[last] - other[last], self._change(last))
        rate = self.beliefs.rates.setdefault(key, 1 if rate is None or same(rate, 0) else rate)
        if self._everywhere(key, lambda place: self._within(made[place] - other[place], rate, self._change(place))):
            total = rate * self._bound() * (1 if str(self.alignment.adjacency) == "l1" else self.length)
            self.roster.say(total - apart, ">=")
            self.roster.say(total + apart, ">=")

    def _rate(self, difference: Any, change: Any) -> Any:
        """What a difference is a multiple of a change by, without its sign; None where it is none."""
        ((product, by),) = change.terms.items()
        factor = difference * Number({tuple((u, -e) for u, e in product): 1 / Fraction(by)})
        return None if any(u.private or u.noise for u in unknowns_of(factor)) else self._size(factor)

    def _within(self, difference: Any, rate: Any, change: Any) -> bool:
        """Whether a difference is a rate times a change at most."""
        factor = self._rate(difference, change)
        if factor is not None and (same(factor, 0) or same(factor, rate)):
            return True
        left = [rate * self._size(change) + sign * difference for sign in (1, -1)]
        further = [(Comparison(number, ">="), False) for number in left if isinstance(number, Number)]
        return all(isinstance(n, Number) or n >= 0 for n in left) and self.roster.world.ask([further]) == "no"

    def _bound(self) -> Any:
        bound = self.alignment.mechanism.parameters[self._list].sensitivity
        return self.values[bound] if isinstance(bound, str) else plain(bound)

    @staticmethod
    def _empty(parts: Sequence[Any]) -> None:
        if parts:
            raise DeadError

    def largest(self, values: Family, k: Any) -> Any:
        """The places of the k largest values."""
        if self.part == "the alignment":
            raise NotExaminedError("`largest` in an alignment")
        if self.part == "D":
            self.numbers.append(k)
        elif not any(same(k, number) for number in self.numbers):
            raise Fails("D' is not defined: it asks for more of the largest values than D")
        if unknowns_of(k) & self.length.unknowns:
            raise NotExaminedError("`largest` of a number of values by a length")
        if isinstance(k, Number):
            return self._top(values, k)
        if type(k) is not int or k < 1:
            raise NotExaminedError("`largest` of a number of values that is not known")
        chosen: list[Place] = []
        for _ in range(k):
            before = list(chosen)
            best = self.roster.pick(lambda place, before=before: not any(place is one for one in before))
            chosen.append(best)

            def below(place: Place, best: Place = best, chosen: list[Place] = [*chosen]) -> None:  # noqa: B006
                if not any(place is one for one in chosen):
                    self.roster.say_above(values, best, place)

            self.roster.each(below)
            self.roster.check()
        return tuple(chosen)

    def _top(self, values: Family, k: Any) -> _Top:
        assert self.world is not None
        world, roster = self.world, self.roster
        tops = self.tops if self.part == "D" else self.tops_
        if self.sums:
            raise NotExaminedError("a sum beside `largest` of a number that is not known")
        if tops:
            raise NotExaminedError("`largest` of numbers of values that are not known, more than once")
        top = _Top(self, values, k)
        tops.append(top)

        def select(place: Place) -> None:
            top.selected[place.number] = mine = world.choose(2) == 0
            for other in roster.places[: place.number]:
                if mine is not top.selected[other.number]:
                    roster.say_above(values, *((place, other) if mine else (other, place)))

        if self.part == "D":
            roster.each(select)
        return top

    # The aligned run

    def _outputs(self, mechanism: Any, values: Mapping[str, Any], draw: Callable[..., Any]) -> Any:
        self.part = "D" if self.record is self.first else "D'"
        return super()._outputs(mechanism, values, draw)

    def _shifts(self, alignment: Any, values: Any, values_: Any, output: Any, *rest: Any) -> Mapping[str, Any]:
        self.part = "the alignment"
        return super()._shifts(alignment, values, values_, _seen(output), *rest)

    def _view(self, alignment: Any, record: Record) -> NoiseView:
        return _NoiseOfPlaces(alignment, record)

    def _where(self, source: Source) -> tuple[Coordinate, tuple[Any, ...]]:
        where, index = super()._where(source)
        if len(index) > 1 or not all(isinstance(part, _Index) for part in index):
            raise NotExaminedError("draws that are counted beside lists of any length")
        return where, index

    def _move(self, alignment: Any, shifts: Mapping[str, Any], record: Record) -> None:
        super()._move(alignment, shifts, record)
        move = functools.partial(super()._move, alignment, shifts, record)
        self.roster.each(lambda place: move())

    def _part(self, name: str, shift: Any, place: Any) -> Any:
        if isinstance(shift, Family) and isinstance(place, _Index):
            return shift[self.roster.places[place]]
        raise NotExaminedError(f"a shift of {name} that is no list over the answers")

    def _move_one(self, where: Coordinate, drawn: Any, shift: Any) -> None:
        if drawn.unknown is None:
            raise NotExaminedError(f"noise.{drawn.kind} beside lists of any length")
        before, self.cost = self.cost, 0
        super()._move_one(where, drawn, shift)
        self.costs[where] = self.cost
        self.cost = before + self.cost

    def _require_same(self, one: Any, other: Any, words: str) -> None:
        if isinstance(one, _Top) and isinstance(other, _Top):
            if not same(one.number, other.number):
                raise NotExaminedError("`largest` of numbers of values that differ")
            return
        if isinstance(one, _Ranked) and isinstance(other, _Ranked) and same(one.number, other.number):
            super()._require_same(one.element, other.element, words)
            return
        if isinstance(one, Family) and isinstance(other, Family):
            compare = super()._require_same
            self.roster.each(lambda place: compare(one[place], other[place], words))
            return
        if any(isinstance(value, Answers) for value in (one, other)):
            raise NotExaminedError("an output that is a whole list")
        super()._require_same(one, other, words)

    def _require_claim(self, values: Mapping[str, Any]) -> None:
        """What the shifts cost is complete when the last place is named."""

    def _claim(self, values: Mapping[str, Any]) -> Any:
        private = self.alignment.mechanism.private
        given = {n: v for n, v in values.items() if n not in private and not isinstance(v, Family)}
        return read_claim(str(self.alignment.claim), given, self.functions)

    def finish(self, values: Mapping[str, Any]) -> None:
        """One more place stands for all others, if there are any; then what the path owes is complete."""
        for top in self.tops:
            if len(self.tops_) != 1:
                raise NotExaminedError("`largest` that D' does not ask for as D does")
            winner = self.roster.pick(top.has)
            if not self._more():
                continue
            other = self.roster.pick(lambda place, winner=winner: place is not winner)
            self.roster.say_above(top.values, winner, other)
            self.roster.check()
            if not self.roster.is_above(self.tops_[0].values, winner, other):
                raise Fails("D' selects others")
        another = self.roster.new() if self._more() else None
        if self.sums and self.by_noise:
            raise NotExaminedError("a sum beside elements that noise decides")
        if self.first.drawn.keys() != self.second.drawn.keys():
            raise Fails("D' does not draw the same noise")
        moved = {where for where, drawn in self.first.drawn.items() if not same(self.moved[where] - drawn.value, 0)}
        self._check_map(moved)
        self._check_cost(moved, another, self._claim(values))

    def _check_map(self, moved: set[Coordinate]) -> None:
        """No shift and no decision of the alignment reads noise that moves."""
        assert self.world is not None
        read = set(self.read) | {u for a, b in self.decided_by_alignment for r in self.world.reads[a:b] for u in r}
        for where, drawn in self.first.drawn.items():
            read |= unknowns_of(self.moved[where] - drawn.value)
        if read & {self.first.drawn[where].unknown for where in moved}:
            raise NotExaminedError("an alignment that reads noise which it moves")

    def _check_cost(self, moved: set[Coordinate], another: Place | None, claim: Any) -> None:
        top = self.tops[0] if self.tops else None
        if top is None and another is not None and any(where[-1] == (another.number,) for where in moved):
            self._check_shares(moved, claim)
            return
        at_places: dict[int, Any] = {}
        total: Any = 0
        for where in moved:
            index = where[-1]
            if not index or top is None:
                total = total + self.costs[where]
            elif top.has(self.roster.places[index[0]]):
                at_places[index[0]] = at_places.get(index[0], 0) + self.costs[where]
            else:
                raise NotExaminedError("shifts at places that are not selected")
        self._require(claim - total, ">=", "the shifts cost more than the claim")
        for cost in at_places.values():
            assert top is not None
            number = top.number if top.last is None else top.number - 1
            self._require(claim - total - number * cost, ">=", "the shifts cost more than the claim")

    def _check_shares(self, moved: set[Coordinate], claim: Any) -> None:
        """Of changes that add up to the bound, each place costs its share of the claim at most."""
        if str(self.alignment.adjacency) not in ("l1", "one") or not self._list:
            raise NotExaminedError("shifts at every place")
        total = sum(self.costs[where] for where in moved if not where[-1])
        at_places: dict[int, Any] = {}
        for where in moved:
            if where[-1]:
                at_places[where[-1][0]] = at_places.get(where[-1][0], 0) + self.costs[where]
        self._require(claim - total, ">=", "the shifts cost more than the claim")
        for number, cost in at_places.items():
            place = self.roster.places[number]
            change = self._size(self._change(place))
            self._require((claim - total) * change - self._bound() * cost, ">=", "the shifts cost more than the claim")


def _seen(output: Any) -> Any:
    """An output as an alignment sees it, lists of any length and ranks included."""
    if isinstance(output, list | tuple):
        return type(output)(map(_seen, output))
    if isinstance(output, Family):
        return Family(lambda place: seen(output[place]))
    return _Ranked(output.number, seen(output.element)) if isinstance(output, _Ranked) else seen(output)


def _as_it_is_now(function: Any) -> Any:
    """A function that is called for places named later too: what it reads around it stays what it is."""
    cells = tuple(types.CellType(cell.cell_contents) for cell in function.__closure__ or ())
    return types.FunctionType(function.__code__, function.__globals__, function.__name__, closure=cells)


def _summand(values: Family | _Parts, place: Place) -> Any:
    total: Any = 0
    for part in values.at(place) if isinstance(values, _Parts) else [values[place]]:
        number = int(bool(part)) if isinstance(part, Comparison) else plain(part)
        if terms_of(number) is None or any(u.noise for u in unknowns_of(number)):
            raise NotExaminedError("a sum of noise, or of other things than numbers")
        total = total + number
    return total


def _unknowns_in(parts: Sequence[Any]) -> set[Unknown]:
    return set().union(*(unknowns_of(part.number if isinstance(part, Comparison) else part) for part in parts))


class _AllAtOnce:
    """One way of change examined for every n."""

    def __init__(self, alignment: Any, setting: Setting, effort: int, interface: Interface) -> None:
        self.alignment = alignment
        self.world = world = PathWorld(effort, interface)
        world.apart = True
        self.functions = _Functions(world, self)
        self.names = _Names(self.functions, self)
        counts = {name: self._count(name) for name in setting.counts}
        # That one answer changes is a case of changes that add up to the bound.
        adjacency = "l1" if setting.lengths and str(alignment.adjacency) == "one" else ""
        values = Inputs(alignment, Setting(setting.lengths, counts, setting.changes), world, adjacency).values
        self.values = {name: _family(value) if isinstance(value, list) else value for name, value in values.items()}
        self.trial: Any = None
        self.beliefs = _Beliefs()
        self.length = world.unknown(
            ("length",), lambda n: [[(Comparison(n - 1, ">="), True)]], positive=True, whole=True
        )

    def _count(self, name: str) -> Any:
        return self.world.unknown(
            ("input", name), lambda k: [[(Comparison(k - 1, ">="), True)]], positive=True, whole=True
        )

    def run(self) -> None:
        """Raise NotExaminedError unless everything is shown for every n."""
        while True:
            self.beliefs.held.clear()
            with contextlib.suppress(_WithdrawnError):
                self._run_all()
                return

    def _run_all(self) -> None:
        world, reached, failing = self.world, False, ""
        world.untried = [()]
        while world.untried:
            world.begin(world.untried.pop())
            roster = _Roster(world)
            self.trial = trial = _Run(
                self.alignment, self.names, self.functions, world,
                roster=roster, values=self.values, length=self.length, beliefs=self.beliefs,
            )  # fmt: skip
            try:
                trial.run(self.values)
                trial.finish(self.values)
            except UndefinedError as problem:
                if not world.is_public(problem):
                    raise NotExaminedError(f"D is not defined on a path: {problem}") from None
            except DeadError:
                pass
            except Fails as problem:
                failing = failing or (str(problem) if world.ask([]) != "no" else "")
            else:
                owed = (words for comparison, words in trial.requirements if world.ask([[(comparison, False)]]) != "no")
                failing = failing or next(owed, "")
                reached = reached or not isinstance(world.ask([]), str)
            # Of two sums that agree at the places of this path it may have been the wrong one that was taken for a new
            # one, which a later path shows.
            if failing and not (trial.sums and world.untried):
                raise NotExaminedError(f"it is not excluded that {failing}")
        if not reached:
            raise NotExaminedError("no run was found")

    def close(self) -> None:
        """Let go of the formulas and functions of all paths."""
        self.names.close()
        self.world.close()
        self.trial = None


def _family(values: list[Any]) -> Family:
    return Family(lambda place: values[place.number])


def _ways(alignment: Any) -> Iterator[Setting]:
    """The ways in which the answers may change, of lists that are as long as there may be places."""
    mechanism, adjacency = alignment.mechanism, str(alignment.adjacency)
    lists = [name for name, kind in mechanism.parameters.items() if kind.vector]
    if lists and any(isinstance(node, ast.For) for node in ast.walk(AddingUp(tree_of(mechanism.python)).tree)):
        raise NotExaminedError(A_LOOP)
    if len(lists) > 1:
        raise NotExaminedError("several lists")
    if lists and adjacency in ("l1", "one") and len(mechanism.private) > 1:
        raise NotExaminedError("changes of several parameters that add up")
    if alignment.adaptive:
        raise NotExaminedError("adaptive queries")
    if lists and adjacency == "one":
        adjacency = "l1"
    for setting in settings(mechanism, adjacency, 1, 1):
        yield Setting(dict.fromkeys(lists, MOST), setting.counts, setting.changes)


def examine_all_at_once(alignment: Any, effort: int, solver: str = "z3") -> tuple[str, int]:
    """Why an alignment is not confirmed for every n, or "" where it is; and the questions."""
    questions, interface = 0, Interface(solver)
    try:
        if alignment.lemmas:
            raise NotExaminedError("lemmas")
        for setting in _ways(alignment):
            examination = _AllAtOnce(alignment, setting, effort - questions, interface)
            try:
                examination.run()
            finally:
                questions += examination.world.questions
                examination.close()
    except NotExaminedError as problem:
        return f"for every n: {problem}", questions
    except OutOfWorkError:
        return "for every n: the work that it may take was used up", questions
    return "", questions
