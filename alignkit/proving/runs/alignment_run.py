"""The alignment's symbolic run, and the shifts it gives.

A loop of the alignment over a sequence of symbolic length runs beside the loop of the mechanism, iteration by iteration
(docs/theory/loops.md, "A loop in the alignment").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting import operations as op
from alignkit.interpreting.context import LOOP_NOT_COVERED
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import (
    Coordinate,
    Environment,
    Family,
    LimitOf,
    Signal,
    Where,
    is_condition,
    is_number,
)
from alignkit.language.program import Builtin, For, LimitForm, Place, assigned, target_names
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.path_facts import of_any_index, of_own_index
from alignkit.proving.facts.ranges import belongs
from alignkit.proving.obligation import Obligations
from alignkit.proving.runs.grown_lists import GrownList, ListGrowingContext, at_head, grown_in
from alignkit.proving.runs.loop_states import of_alignment
from alignkit.proving.runs.run_on_d import FamilyDraw, RunContext, SymbolicDraw
from alignkit.proving.runs.seen_output import OtherOutput, RealParts
from alignkit.proving.symbolic_inputs import array
from alignkit.proving.vectors.selections import ANY_RANK
from alignkit.proving.vectors.summing import added_up, total_of
from alignkit.proving.vectors.ties import tie_negligible
from alignkit.symbolic.atoms import Conditional, Symbol
from alignkit.symbolic.formulas import Unknown, conjunction, implies
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.summation import NotASum, arrays_summed
from alignkit.symbolic.terms import Term, roles
from alignkit.symbolic.trees import Atom, Role

# What conditions on the output may mention beside it.
_OF_OUTPUT = frozenset({Role.UNKNOWN, Role.PUBLIC, Role.INDEX})


ANY = "what any and all say"


BESIDE_ONE_LOOP = "a loop of the alignment over a sequence of symbolic length, beside no loop or several in the program"


class AlignmentLoop:
    """A loop of the alignment over a sequence of symbolic length: an iteration of it for each of the mechanism's loop.

    ``kept`` are the numbers that it carries from one iteration to the next, by name, as they are before the first. The
    lists that it makes have one item for each iteration, and only the item of the iteration at hand is known. ``last``
    are symbols for what the numbers are once the loop is over. To all conditions they are noise that nobody has drawn.
    """

    def __init__(self, evaluator: Evaluator, node: For, items: Family, names: Environment) -> None:
        self.evaluator, self.node, self.items = evaluator, node, items
        self.before = dict(names)
        changed = assigned((node,))
        self.lists = sorted(name for name in grown_in(node) & names.keys() if names[name] == ())
        self.kept = sorted((changed & names.keys()) - {*self.lists, *target_names(node.target)})
        for name in self.kept:
            if not is_number(names[name]):
                raise Unsupported(f"`{name}` of the alignment changes in the loop and is not a number", node.place)
        self.iteration: Term | None = None
        self.appended: Mapping[str, Any] = {}
        for name in changed:
            # Whoever reads a variable of the loop after it would read what the last iteration has made of it.
            names.pop(name, None)
        self.last = {name: Symbol(f"{name} once the loop is over", Role.NOISE) for name in self.kept}
        names |= {name: Term.of(symbol) for name, symbol in self.last.items()}
        for name in self.lists:
            names[name] = Family(items.length, partial(self._item, name))

    def start(self) -> dict[str, Term]:
        """What is kept, before the first iteration."""
        return {of_alignment(name): Term.of(self.before[name]) for name in self.kept}

    def iterate(self, iteration: Term, state: Mapping[str, Term]) -> dict[str, Any]:
        """Run an iteration where what is kept is as in ``state``; what is kept after it."""
        names = self.before | {name: state[of_alignment(name)] for name in self.kept}
        # There has been one item for each iteration.
        names |= {name: replace(at_head(name), length=iteration) for name in self.lists}
        if self.evaluator.iterate(self.node, iteration, self.items.element(iteration), names) is not None:
            raise Unsupported("a break or a return in a loop of the alignment", self.node.place)
        for name in self.lists:
            grown = names[name]
            if not isinstance(grown, GrownList) or grown.name != name or len(grown.items) != 1:
                words = f"a loop of the alignment that does not append just one item to `{name}` in every iteration"
                raise Unsupported(words, self.node.place)
        changed = {*self.kept, *self.lists, *target_names(self.node.target)}
        if any(names[name] is not value for name, value in self.before.items() if name not in changed):
            raise Unsupported("a loop of the alignment that changes more than it assigns", self.node.place)
        self.iteration, self.appended = iteration, {name: names[name].items[0] for name in self.lists}
        return {of_alignment(name): _plain(names[name]) for name in self.kept}

    def _item(self, name: str, index: Any) -> Any:
        if self.iteration is None or Term.of(index) != self.iteration:
            words = f"an item of `{name}`, which a loop of the alignment makes, that is not of the iteration at hand"
            raise Unsupported(words, self.node.place)
        return self.appended[name]


class AligningContext(ListGrowingContext):
    """The alignment's run. It remembers which conditions it took: the shifts depend on them too."""

    condition = "same_output"
    label = " (in the alignment)"

    def __init__(
        self, owed: Obligations, noise: Mapping[str, Any], continuous: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(owed, {})
        self.noise = noise
        self.conditions: list[Any] = []
        self.taken_at_once: tuple[Any, ...] = ()  # the conditions taken before a shift of a list was asked for
        # What was taken of several items at once, in words, with the lists that the items are of.
        self.over_lists: list[tuple[str, frozenset[str]]] = []
        self.answered: set[str] = set()
        self.continuous = continuous  # noise among which ties are left out of account
        self.reals = RealParts()  # what shifts may read of the output beside its discrete part
        self.loops: list[AlignmentLoop] = []
        self.iterating = False

    def decide(self, condition: Any, place: Place) -> bool:
        if not isinstance(condition, bool):
            self.conditions.append(condition)
        return super().decide(condition, place)

    def require(
        self, condition: Any, place: Place, words: str, *, known: bool = True, narrow: frozenset[str] | None = None
    ) -> None:
        # It is run on what D puts out, and need be defined on nothing else.
        defined = self.reals.defined(condition)
        if isinstance(defined, bool) or not roles(condition) <= {Role.PUBLIC} or self.owed.follows(
            self.facts.path.guarded(defined)
        ):
            super().require(defined, place, words, known=known, narrow=narrow)
        elif not self.elements.revisiting:
            self._presuming(defined, place, words)

    def known(self, condition: Any) -> Any:
        # A shift shows what noise and answers it reads, although the path decides how a condition on them goes.
        if isinstance(condition, bool) or not roles(condition) <= _OF_OUTPUT:
            return condition
        decided = super().known(condition)
        if isinstance(decided, bool):
            self.conditions.append(condition)
        return decided

    def strictly(self, difference: Term, distinct: tuple[Term, Term]) -> bool:
        return bool(self.continuous) and tie_negligible(self.facts, difference, self.continuous, distinct)

    def noise_value(self, name: str, place: Place) -> Any:
        if name not in self.noise:
            raise self.unsupported(f"the alignment reads H.{name}, which some runs do not draw", place)
        value = self.noise[name]
        if isinstance(value, Family):
            # A list of which nothing was drawn does not exist; it is not an empty list.
            self.oblige(Term.of(value.length).compare(">=", 1), place, f"H.{name} is drawn at least once")
        return value

    def loop(self, evaluator: Evaluator, node: For, items: Family, names: Environment) -> Signal:
        if self.iterating or self.elements.uniform or self.facts.path.guards or items.admits is not None:
            raise self.unsupported(LOOP_NOT_COVERED, node.place)
        loop = AlignmentLoop(evaluator, node, items, names)
        if loop.start().keys() & {key for other in self.loops for key in other.start()}:
            raise self.unsupported("two loops of the alignment that change one variable", node.place)
        self.loops.append(loop)
        return None

    def iterate(self, iteration: Term, state: Mapping[str, Term]) -> dict[str, Term]:
        """Run an iteration of each loop, and return what the loops keep after it, in terms of what D computes."""
        self.iterating = True
        kept = {key: value for loop in self.loops for key, value in loop.iterate(iteration, state).items()}
        self.iterating = False
        for key, value in kept.items():
            if not is_number(value):
                raise Unsupported(f"{key}, which its loop changes, is not a number", self.loops[0].node.place)
        if not self.loops:
            return {}
        told = partial(self.reals.in_terms_of_noise, owed=self.owed, place=self.loops[0].node.place, noted=False)
        return {key: told(Term.of(value)) for key, value in kept.items()}

    def element(self, family: Family, index: Any, place: Place) -> Any:
        written = not self.elements.revisiting  # otherwise D′'s run asks for the shift at an index of its own
        if written:
            self._refuse_hidden(Term.of(index), "indexes by noise or by a real part of the output", place)
            self._note_lists("an item at an index that several items decide", index)
        return super().element(family, index, place)

    def reaches(self, family: Family, at: Term, place: Place, words: str) -> None:
        with self.elements.looking():
            item = family.element(at)
        if not isinstance(item, Term) or not roles(item) <= {Role.PUBLIC, Role.INDEX}:
            super().reaches(family, at, place, words)
            return
        not_negative = self.compare(">=", at, 0, place)
        if isinstance(not_negative, bool) or self.owed.follows(self.facts.path.guarded(not_negative)):
            self.oblige(not_negative, place, words)
        else:
            self._presuming(self.reals.defined(not_negative), place, words)
        self._presuming(self.reals.defined(self.compare("<", at, family.length, place)), place, words)

    def _presuming(self, condition: Any, place: Place, words: str) -> None:
        """Oblige what the alignment needs of public values; D may presume it.

        Nothing else rests on it: where it fails, any number would do for the value that the alignment has not.
        """
        self.owed.oblige(
            self.condition, self.facts.path.guarded(condition), place, f"{words}{self.label}", presuming=True
        )

    def member(self, value: Any, family: Family, place: Place) -> Any:
        named = self._named_by_output(Term.of(value), family)
        return super().member(value, family, place) if named is None else named

    def _named_by_output(self, number: Term, family: Family) -> Any:
        """Whether the outputs name a whole number, where ``family`` lists what they name, all of them."""
        if family.admits is not None or not number.integer:
            return None
        with self.elements.looking():
            item = family.element(ANY_RANK)
        if not isinstance(item, OtherOutput) or not item.whole.endswith(f"[{ANY_RANK.key}]"):
            return None
        reading = item.reading
        if reading.names is None or Term.of(family.length) != reading.length:
            return None
        return reading.names(item.path, number)

    def largest(self, family: Any, k: Any, node: Builtin) -> Any:
        sample = family
        if isinstance(family, Family):
            with self.facts.indices.arbitrary() as index:
                sample = family.element(index)
        for value in map(_plain, sample if isinstance(sample, tuple) else (sample,)):
            self._refuse_hidden(value, "selects by noise or by a real part of the output", node.place)
            self._note_lists("the largest of several items", value)
        return super().largest(family, k, node)

    def _sample(self, family: Family, node: Builtin) -> tuple[Any, Any]:
        """An arbitrary element and its filter, which must rest on answers and the discrete output only."""
        with self.facts.indices.arbitrary() as index:
            inside = belongs(family, index)
            with self.under(inside):
                element = _plain(family.element(index))
        for value in (inside, element):
            words = f"takes {node.function} over noise or over real parts of the output"
            self._refuse_hidden(value, words, node.place)
            self._note_lists(f"{node.function} over several items", value)
        return inside, element

    def _note_lists(self, words: str, value: Any) -> None:
        """Note which lists a value depends on that stands for more than one step."""
        atoms = self.facts.dependencies.atoms(value)
        arrays = frozenset().union(*map(arrays_summed, atoms))
        if arrays:
            self.over_lists.append((words, arrays))

    def _refuse_hidden(self, value: Any, words: str, place: Place) -> None:
        """Refuse what the alignment does, in words, with a value that noise or a real part of the output decides."""
        if self.facts.dependencies.roles(value) & {Role.NOISE, Role.OUTPUT}:
            raise self.unsupported(f"the alignment {words}", place)

    def quantified(self, function: str, family: Family, node: Builtin) -> Any:
        inside, element = self._sample(family, node)
        if not is_condition(element):
            raise node.place.error(f"{function} of {op.kind(element)}", "write the comparison out")
        with self.facts.indices.arbitrary() as own:
            answer = Unknown(of_own_index(f"{function}({inside!r}: {element!r})", own))
        if answer.name in self.answered and not (self.elements.revisiting and of_any_index(answer.name)):
            return answer
        if self.elements.revisiting:
            raise self.unsupported(f"{function} that differs from element to element", node.place)
        self.answered.add(answer.name)
        some = answer if function == "any" else ~answer
        index = self.facts.indices.select(f"index for {function}")

        def decisive(i: Term) -> Any:
            condition = family.element(i)
            return conjunction((belongs(family, i), condition if function == "any" else op.negation(condition)))

        self.facts.assume(implies(some, decisive(index)), FactOrigin.DEFINITION, ANY)
        self.facts.universal(lambda i: implies(decisive(i), some), FactOrigin.SCHEMA, ANY)
        return answer

    def _in_terms_of_state(self, family: Family, place: Place) -> Family:
        """What is added up, with a variable of D's loop in place of the real part of an output that it holds."""

        def kept(value: Any) -> Any:
            if Role.OUTPUT not in self.facts.dependencies.roles(value):
                return value
            if is_condition(value):
                return op.equal(kept(Term.of(op.choose(value, 1, 0))), 1, place)
            told = self.reals.in_terms_of_noise(Term.of(value), self.owed, place)
            return value if Role.NOISE in self.facts.dependencies.roles(told) else told

        admits = family.admits
        passes = None if admits is None else lambda index: kept(admits(index))
        return Family(family.length, lambda index: kept(_plain(family.element(index))), passes)

    def sum(self, family: Family, node: Builtin, where: Where) -> Any:
        family = self._in_terms_of_state(family, node.place)
        with self.facts.indices.arbitrary() as index:
            item, among = added_up(family, index, node), belongs(family, index)
        if self.facts.dependencies.roles(item) & {Role.NOISE, Role.OUTPUT} == {Role.OUTPUT}:
            if self.elements.revisiting:
                self._refuse_hidden(item, f"takes {node.function} over real parts of the output", node.place)
            # No shift may be this: it is asked for again in an iteration, which may know what D computes.
            return Term.of(Symbol(f"sum({among!r}: {item!r})", Role.OUTPUT))
        named = {*item.unknowns, *(a.name for a in item.within if isinstance(a, Symbol))}
        by_name = any(map(of_any_index, named))  # an output at the index, or what it decides, is no term in it
        if self.elements.revisiting and not by_name:  # as where D′'s run asks for the shift at an index of its own
            with suppress(NotASum):
                return total_of(self.owed, family, node)
        inside, element = self._sample(family, node)
        if not is_number(element):
            raise node.place.error(f"sum of {op.kind(element)}", "give it numbers")
        with suppress(NotASum):
            if not by_name:
                return total_of(self.owed, family, node)
        whole = isinstance(element, int) or (isinstance(element, Term) and element.integer)
        return Term.of(Symbol(f"sum({inside!r}: {element!r})", Role.UNKNOWN, integer=whole))


class Shifts:
    """What the alignment returned: a shift for every coordinate, which is 0 where none is named, and limits.

    ``noted`` takes each shift that is asked for, by the noise that it moves. With ``charging`` nothing is shifted, and
    what a coordinate costs is a bound on the probability that it breaks its limits; ``charged`` takes each of these.
    """

    def __init__(
        self,
        named: Mapping[str, Any],
        context: AligningContext,
        place: Place,
        noted: dict[Term, Term] | None = None,
        limits: Mapping[LimitOf, Any] | None = None,
        *,
        charging: bool = False,
        charged: list[ChargedLimit] | None = None,
    ) -> None:
        self.limits = limits or {}
        self.charging = charging
        self.charged = [] if charged is None else charged
        self.noted = {} if noted is None else noted
        self.named = named
        self.context = context
        self.place = place
        self._single_shifts: dict[Any, Term] = {}
        self._last: dict[Atom, Term] = {}  # what loops of the alignment have kept to their end
        self._not_after: frozenset[Any] = frozenset()  # what was drawn before that
        # What bounds the cost of choices whose weights read answers, by the choice and the outcome on D′.
        self.prices: dict[Any, Any] = {}
        self._lists: dict[Coordinate, Any] = {}

    def of(self, draw: SymbolicDraw) -> Term:
        """The shift of a single coordinate."""
        if draw.where not in self._single_shifts:
            self._single_shifts[draw.where] = self.noted[draw.value] = self._single(draw)
        return self._single_shifts[draw.where]

    def _single(self, draw: SymbolicDraw) -> Term:
        value = self._named_at(draw.where)
        if not is_number(value):
            raise Unsupported(f"the shift of {draw.where} is not a number", self.place)
        return self._in_terms_of_noise(value, draw.where)

    def loops_are_over(self, last: Mapping[Atom, Term], drawn: Iterable[Any]) -> None:
        """Take note of what loops of the alignment have kept, for the shifts of all noise but what was ``drawn``."""
        self._last, self._not_after = dict(last), frozenset(drawn)

    def _named_at(self, where: Coordinate) -> Any:
        """What the alignment names for a draw in its iteration; 0 where it names nothing."""
        return self._part_at(where, self.named[where.key]) if where.key in self.named else 0

    def _part_at(self, where: Coordinate, value: Any) -> Any:
        """What stands in a list of lists, one for each iteration, at the iteration of a draw."""
        for index in where.index:
            if isinstance(value, Family):
                value = self.context.element(value, index, self.place)
            elif isinstance(value, tuple) and isinstance(index, int):
                if index >= len(value):
                    words = f"no shift for {where}, which D draws"
                    self.context.owed.exclude("same_output", self.place, words)
                    return 0
                value = value[index]
            else:
                raise Unsupported(f"{where.key} needs a list of shifts, one for each iteration", self.place)
        return value

    def _in_terms_of_noise(self, shift: Any, drawn: Any) -> Term:
        kept = self._last if drawn not in self._not_after else {}
        told = Term.of(substitute(Term.of(shift), kept)) if kept else Term.of(shift)
        return self.context.reals.in_terms_of_noise(told, self.context.owed, self.place)

    def charge(self, draw: SymbolicDraw, of_vector: tuple[FamilyDraw, Term] | None = None) -> Term:
        """A bound on the probability that a draw breaks its limits, given all that came before it.

        It is made of what the distribution and its arguments say, and of nothing that the draw itself decides.
        """
        where, index = (draw.where, None) if of_vector is None else (of_vector[0].where, of_vector[1])
        total = Term.of(0)
        for limit in self.limits_at(where, index):
            if limit.form is LimitForm.DISTINCT:
                bound = self._charge_for_ties(draw, None if of_vector is None else of_vector[0])
            else:
                tail = draw.distribution.upper_tail if limit.form is LimitForm.BELOW else draw.distribution.lower_tail
                if tail is None:
                    raise Unsupported(f"a limit {limit.form} of {draw.distribution.title} noise", self.place)
                bound = _by_cases(limit.value, partial(_tail_of, draw, tail))
            self.charged.append(ChargedLimit(draw, limit, bound))
            total = total + op.choose(limit.given, bound, Term.of(0))
        return total

    def _charge_for_ties(self, draw: SymbolicDraw, drawn: FamilyDraw | None) -> Term:
        """What one draw of a list is charged, so that all of them together pay for a tie of each pair.

        A pair is tied with at most the largest mass of either of its draws, so with at most half of both masses.
        """
        if drawn is None:
            words = "of noise that is not drawn as a list of any length, by one comprehension"
            raise Unsupported(f"a limit {LimitForm.DISTINCT} {words}", self.place)
        if draw.distribution.largest_mass is None:
            raise Unsupported(f"a limit {LimitForm.DISTINCT} of {draw.distribution.title} noise", self.place)
        mass = Term.of(draw.distribution.largest_mass(*draw.arguments))
        return mass * (drawn.length - 1) * Fraction(1, 2)

    def limits_at(self, where: Coordinate, index: Term | None = None) -> Iterator[Limit]:
        """The limits of a draw in its iteration, or at an index of a vector that is drawn there."""
        for key, listed in self.limits.items():
            if key.given or key.name != where.key:
                continue
            value, given = self._part_at(where, listed), self.limits[replace(key, given=True)]
            given = self._part_at(where, given) if isinstance(given, Family | tuple) else given
            if index is not None:
                if not isinstance(value, Family):
                    raise Unsupported(f"{where} needs a list of limits, one for each draw", self.place)
                value, given = value.element(index), given.element(index) if isinstance(given, Family) else given
            if not is_number(value) or not is_number(given):
                raise Unsupported(f"a limit of {where} is not a number", self.place)
            kept = {symbol for loop in self.context.loops for symbol in loop.last.values()}
            if kept.intersection((*Term.of(value).within, *Term.of(given).within)):
                raise Unsupported(f"a limit of {where} that reads what a loop of the alignment keeps", self.place)
            yield Limit(key.form, Term.of(value), Term.of(given).compare("!=", 0))

    def of_family(self, drawn: FamilyDraw, index: Term) -> Term:
        """The shift of a coordinate of a vector of draws."""
        value = self._list_for(drawn)
        if value is None:
            return Term.of(0)
        if not isinstance(value, Family):
            raise Unsupported(f"{drawn.name} needs a list of shifts, one for each draw", self.place)
        item = value.element(index)
        if not is_number(item):
            raise Unsupported(f"a shift of {drawn.name} is not a number", self.place)
        shift = self.noted[drawn.value(index)] = self._in_terms_of_noise(item, drawn.key)
        return shift

    def _list_for(self, drawn: FamilyDraw) -> Any:
        """The list of shifts for a vector, in its iteration; None where the alignment names none."""
        if drawn.where in self._lists:
            return self._lists[drawn.where]
        value = self._named_at(drawn.where) if drawn.where.key in self.named else None
        if not self.context.elements.revisiting:  # else nothing was obliged of the place of the list
            self._lists[drawn.where] = value
        return value

    def lengths_match(self, drawn: FamilyDraw) -> None:
        """Oblige the alignment's list to reach as far as the draws."""
        own = (v for k, v in self.limits.items() if k.name == drawn.where.key and not k.given)
        limits = [self._part_at(drawn.where, value) for value in own]
        for value, what in ((self._list_for(drawn), "shift"), *((limit, "limit") for limit in limits)):
            if isinstance(value, Family):
                enough = op.compare(">=", Term.of(value.length), drawn.length, self.place)
                words = f"the alignment gives a {what} for every {drawn.name}"
                self.context.owed.oblige("same_output", enough, self.place, words)


@dataclass(frozen=True)
class Limit:
    """A limit of one coordinate, where it is ``given``."""

    form: LimitForm
    value: Term
    given: Any


@dataclass(frozen=True)
class ChargedLimit:
    """A limit of a draw, and the bound on the probability that the draw breaks it where it is given."""

    draw: SymbolicDraw
    limit: Limit
    bound: Term


def _tail_of(draw: SymbolicDraw, tail: Callable[..., Any], limit: Term) -> Any:
    return tail(limit, *draw.arguments)


# A limit with more cases than this is left as it is.
MOST_CASES = 16


def _by_cases(limit: Term, tail: Callable[[Term], Any], cases: int = 1) -> Term:
    """What a limit costs, at least 0, in each case of its conditions: so no exponential is of a value by cases."""
    case = next((atom for atom in limit.atoms() if isinstance(atom, Conditional)), None)
    if case is None or cases >= MOST_CASES:
        return Term.of(op.maximum([Term.of(tail(limit)), Term.of(0)]))
    ways = (_by_cases(Term.of(substitute(limit, {case: way})), tail, 2 * cases) for way in (case.then, case.other))
    return Term.of(op.choose(case.condition, *ways))


def _plain(value: Any) -> Any:
    """A value in which another iteration's output is used as a number."""
    return value.as_term() if isinstance(value, OtherOutput) else value


def noise_drawn(run: RunContext) -> dict[str, Any]:
    """H as the alignment sees it: what D has drawn so far, by name, with None where an iteration drew nothing."""
    vectors = (family for family in run.families if not family.where.index)  # not covered: a list of lists
    noise: dict[str, Any] = {family.key: Family(family.length, family.value) for family in vectors}
    for draw in run.drawn:
        key, index = draw.where.key, draw.where.index
        if not index:
            noise[key] = draw.value
            continue
        if len(index) > 1:
            continue  # not covered: H would have a list of lists
        values = list(noise.get(key, ()))
        values += [None] * (index[0] + 1 - len(values))
        values[index[0]] = draw.value
        noise[key] = tuple(values)
    return noise


def loop_noise(keys: Iterable[str], rounds: Term) -> dict[str, Any]:
    """The noise that every iteration of a loop draws, as the alignment sees it: lists with ``rounds`` entries."""
    return {key: array(key, rounds, Role.NOISE) for key in keys}
