"""One aligned run of two databases: D with its noise, the alignment, D′ with the noise moved."""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.confirming.charged_limits import Moves, charge, limits_alone
from alignkit.confirming.normal_forms import (
    Comparison,
    Near,
    NotExaminedError,
    Number,
    UndefinedError,
    Unknown,
    divided,
    plain,
    same,
    unknowns_of,
)
from alignkit.confirming.users_functions import DISTRIBUTIONS, Mark, Names
from alignkit.confirming.worlds import Clause, DeadError, Functions, PathWorld, magnitude, powers_in_order

# A draw: the places of the calls that lead to it, its name, and the iterations around it.
Coordinate = tuple[Any, ...]


class Fails(Exception):
    """What an aligned run fails, whatever else holds on its path."""


@dataclass(frozen=True)
class Drawn:
    """One draw of a run: its distribution, the distribution's parameters, its value, and what the noise unknown is."""

    kind: str
    parameters: tuple[Any, ...]
    value: Any
    unknown: Unknown | None


@dataclass
class Record:
    """What one run drew, and what was called by a lemma, in order."""

    drawn: dict[Coordinate, Drawn] = field(default_factory=dict)
    names: dict[str, list[tuple[tuple[Any, ...], Coordinate]]] = field(default_factory=dict)
    calls: dict[Coordinate, Call] = field(default_factory=dict)


@dataclass
class Call:
    """A call that a lemma is about: its arguments, its output, and its own draws by name."""

    lemma: Any
    arguments: Mapping[str, Any]
    output: Any
    record: Record


class Source:
    """The noise that a mechanism is given, at one place of its program."""

    def __init__(
        self,
        draw: Callable[..., Any],
        path: tuple[Any, ...] = (),
        prefix: str = "",
        name: str = "",
        rounds: tuple[int, ...] = (),
        record: Record | None = None,
    ) -> None:
        self._draw = draw
        self.path, self.prefix, self.name, self.rounds, self.record = path, prefix, name, rounds, record

    def at_place(self, place: Any, name: str, rounds: tuple[int, ...]) -> Source:
        """The source where a program draws from it, or hands it on."""
        return Source(self._draw, (*self.path, place), self.prefix, name, (*self.rounds, *rounds), self.record)

    def within(self, prefix: str, record: Record | None) -> Source:
        """The source inside a mechanism that is called; with a record of its own, the call's own names begin there."""
        if record is None:
            return Source(self._draw, self.path, self.prefix + prefix, "", self.rounds, self.record)
        return Source(self._draw, (*self.path, self.rounds), "", "", (), record)

    def __getattr__(self, kind: str) -> Any:
        if kind not in DISTRIBUTIONS:
            raise NotExaminedError(f"noise.{kind}")

        def draw(*parameters: Any, within: Any = None) -> Any:
            given = tuple(map(_all_plain, parameters))
            if within is None:
                return self._draw(self, kind, given)
            if f"cut_{kind}" not in _CUT:
                raise NotExaminedError(f"noise.{kind} that is cut off")
            return self._draw(self, f"cut_{kind}", (*(*given, 1)[:2], plain(within)))

        return draw


def _all_plain(value: Any) -> Any:
    return [plain(part) for part in value] if isinstance(value, list | tuple) else plain(value)


class Opaque:
    """A real part of an output, which an alignment may hand on but not look at."""

    def _refused(self, *_: Any) -> Any:
        raise NotExaminedError("an alignment that reads a real part of the output")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __neg__ = _refused
    __lt__ = __gt__ = __le__ = __ge__ = __eq__ = __ne__ = __bool__ = __abs__ = __index__ = __pow__ = _refused
    __hash__ = None  # type: ignore[assignment]


class Questions(list[Any]):
    """Answers that an analyst asks for one by one: a question is asked where a run takes its answer."""

    def __init__(self, answers: Iterable[Any], ask: Callable[[int], None]) -> None:
        super().__init__(answers)
        self._ask = ask

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, place: Any) -> Any:
        taken = range(len(self))[place]
        for number in taken if isinstance(taken, range) else [taken]:
            self._ask(number)
        return super().__getitem__(place)


class NoiseView:
    """H, as an alignment sees it: the noise that was drawn, by name, and ``shift``."""

    def __init__(self, alignment: Any, record: Record) -> None:
        self._alignment = alignment
        self._record = record

    def shift(self, **shifts: Any) -> Moves:
        """What the alignment returns, with limits that may follow."""
        return Moves(shifts)

    def __getattr__(self, name: str) -> Any:
        depth = {draw.key: draw.depth for draw in self._alignment.mechanism.draws}.get(name)
        if depth is None:
            raise NotExaminedError(f"noise `{name}`")
        values = {where: self._record.drawn[c].value for where, c in self._record.names.get(name, [])}
        if not values:
            raise UndefinedError(f"H.{name} was not drawn")
        if depth == 0:
            return values[()]
        return _nested(values, depth)


def _nested(values: Mapping[tuple[int, ...], Any], depth: int) -> list[Any]:
    if depth == 0:
        return values[()]  # type: ignore[no-any-return]
    firsts = sorted({where[0] for where in values})
    if firsts != list(range(len(firsts))):
        raise NotExaminedError("a family of noise with gaps")
    return [_nested({w[1:]: v for w, v in values.items() if w[0] == first}, depth - 1) for first in firsts]


@dataclass(frozen=True)
class Setting:
    """The sizes of one question: how long each list is, the value of each count, and which answers change how."""

    lengths: Mapping[str, int]
    counts: Mapping[str, Any]
    changes: str
    # How many outputs were given, at least, before the first answer of a list is asked for.
    step: int = 0

    def __str__(self) -> str:
        lists = [f"{name} of {length}" for name, length in self.lengths.items()]
        return ", ".join([*lists, *(f"{name} = {count}" for name, count in self.counts.items())])


@dataclass
class Trial:
    """One aligned run, with what it must fulfil: requirements that are left to the solver, each with words."""

    alignment: Any
    names: Names
    functions: Functions
    world: PathWorld | None
    given: Mapping[Coordinate, Fraction] = field(default_factory=dict)
    requirements: list[tuple[Comparison, str]] = field(default_factory=list)
    first: Record = field(default_factory=Record)
    second: Record = field(default_factory=Record)
    moved: dict[Coordinate, Any] = field(default_factory=dict)
    cost: Any = 0
    output: Any = None
    decided_by_alignment: list[tuple[int, int]] = field(default_factory=list)
    lemmas: Mapping[int, Any] = field(default_factory=dict)
    ended: bool = False
    # What noise must be below or above, by names as in `Moves`, where the claim has a delta.
    limits: Mapping[tuple[str, bool], Any] = field(default_factory=dict)
    # Facts about all numbers that the requirements need.
    known: list[Clause] = field(default_factory=list)

    # The two runs

    def run(self, inputs: Mapping[str, Any]) -> None:
        """Run D, the alignment and D′; raise Fails, UndefinedError of D, or leave requirements."""
        mechanism = self.alignment.mechanism
        values, values_ = self._run_first(inputs)
        shifts = self._shifts(self.alignment, values, values_, self.output, self.first, inputs.get("direction"))
        if self.world is not None and self.alignment.delta is not None:
            self._require_same_limits(shifts)
        self._move(self.alignment, shifts, self.first)
        asked = set(self.world.asked) if self.world else set()
        self.record = self.second
        try:
            output = self._outputs(mechanism, values_, self._draw_second)
        except UndefinedError as problem:
            raise Fails(f"D' is not defined: {problem}") from None
        self._require_same(self.output, output, "the outputs differ")
        if self.first.drawn.keys() != self.second.drawn.keys():
            raise Fails("D' does not draw the same noise")
        if self.world is not None and self.world.asked != asked:
            raise NotExaminedError("runs with one output that end after different numbers of questions")
        try:
            self._require_claim(values)
        except UndefinedError as problem:
            raise Fails(f"the claim is not defined: {problem}") from None
        self.ended = True

    def _run_first(self, inputs: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Run D, with the limits of its noise settled before it draws; return the inputs of D and of D′."""
        mechanism = self.alignment.mechanism
        values = {name: inputs[name] for name in mechanism.parameters}
        values_ = values | {name: inputs[f"{name}_"] for name in mechanism.private}
        if self.alignment.delta is not None:
            function = self.names.in_part(self.alignment.python, limits_alone)
            self.limits = self._moves(function, self.alignment, values, values_, inputs.get("direction")).limits
        self.record = self.first
        self.output = self._outputs(mechanism, values, self._draw_first)
        return values, values_

    def _outputs(self, mechanism: Any, values: Mapping[str, Any], draw: Callable[..., Any]) -> Any:
        function = self.names.function(mechanism.python)
        source = Source(draw, record=self.record)
        arguments = {name: list(v) if isinstance(v, tuple | list) else v for name, v in values.items()}
        if self.world is not None:
            self.world.step, self.world.asked = 0, set()
        if self.world is not None and self.world.adaptive:
            ask = self.world.ask_question
            lists = {name: arguments[name] for name in mechanism.private if isinstance(arguments[name], list)}
            arguments |= {name: Questions(v, functools.partial(ask, name)) for name, v in lists.items()}
        result = undefined_as_such(lambda: function(**arguments, **{mechanism.noise_name: source}))
        if not isinstance(result, Iterator):
            return decided(result)
        outputs: list[Any] = []
        while True:
            try:
                outputs.append(decided(undefined_as_such(lambda: next(result))))
            except StopIteration as end:
                if end.value is not None:
                    raise NotExaminedError("a generator that returns a value") from None
                return outputs
            if self.world is not None:
                self.world.read(unknowns_of(outputs[-1]))
                self.world.step = len(outputs)

    def call(
        self, mechanism: Any, function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]
    ) -> Any:
        """A call of a mechanism inside another one: its output, with its noise moved by its lemma if it has one."""
        parameters = [*mechanism.parameters, mechanism.noise_name]
        order = list(function.__code__.co_varnames[: function.__code__.co_argcount])
        given = dict(zip(order, arguments, strict=False)) | named
        given = {**dict(zip(order[::-1], (function.__defaults__ or ())[::-1], strict=False)), **given}
        source = given.get(mechanism.noise_name)
        if not isinstance(source, Source) or set(given) != set(parameters):
            raise NotExaminedError(f"the way that {mechanism.name} is called")
        lemma = self.lemmas.get(id(mechanism))
        private = {name: value for name, value in given.items() if name != mechanism.noise_name}
        where = (*source.path, source.rounds)
        record = None if lemma is None else Record()
        before = self.record
        if lemma is not None and before is self.second:
            self._move_call(lemma, where, private)
        given[mechanism.noise_name] = source.within(f"{mechanism.name}_", record)
        result = undefined_as_such(lambda: function(**given))
        result = decided(undefined_as_such(lambda: list(result)) if isinstance(result, Iterator) else result)
        if lemma is not None and record is not None and before is self.first:
            before.calls[where] = Call(lemma, private, result, record)
        return result

    def _move_call(self, lemma: Any, where: Coordinate, arguments_: Mapping[str, Any]) -> None:
        call = self.first.calls.get(where)
        if call is None:
            raise Fails("D' calls what D does not call")
        mechanism = lemma.mechanism
        pairs = [pair for name in mechanism.private for pair in _pairs(call.arguments[name], arguments_[name])]
        shifts: Mapping[str, Any] = {}
        if not all(one == other for one, other in pairs):
            direction = None
            if str(lemma.adjacency) == "monotone":
                direction = -1 if any(other < one for one, other in pairs) else 1
            shifts = self._shifts(lemma, call.arguments, arguments_, call.output, call.record, direction)
        self._move(lemma, shifts, call.record)

    # Noise

    def _draw_first(self, source: Source, kind: str, parameters: tuple[Any, ...]) -> Any:
        where, index = self._where(source)
        record = source.record or self.first
        if where in self.first.drawn:
            raise NotExaminedError("a draw that is met twice")
        value, unknown = self._value(where, kind, parameters)
        drawn = Drawn(kind, parameters, value, unknown)
        self.first.drawn[where] = drawn
        record.drawn[where] = drawn
        name = source.prefix + source.name
        record.names.setdefault(name, []).append((index, where))
        if record is self.first:
            for upper in (True, False):
                limit = self._limit(self.limits, name, index, upper=upper)
                if limit is not None:
                    self._meet(drawn, limit, upper=upper)
        return value

    # Limits

    def _limit(self, limits: Mapping[tuple[str, bool], Any], name: str, index: Iterable[Any], *, upper: bool) -> Any:
        limit = limits.get((name, upper))
        for place in index:
            limit = None if limit is None else _part_at("limit", name, limit, place)
        limit = plain(limit)
        if limit is not None and not isinstance(limit, int | Fraction | Number | Near):
            raise NotExaminedError(f"a limit of {name} that is no number")
        return limit

    def _meet(self, drawn: Drawn, limit: Any, *, upper: bool) -> None:
        """The alignment owes nothing where noise breaks a limit."""
        if not (drawn.value < limit if upper else drawn.value > limit):
            raise DeadError

    def _require_same_limits(self, moves: Any) -> None:
        for name, family in self.first.names.items():
            for index, _ in family:
                for upper in (True, False):
                    one, other = (self._limit(ls, name, index, upper=upper) for ls in (self.limits, moves.limits))
                    if (one is None) is not (other is None) or (one is not None and not same(one, other)):
                        raise NotExaminedError("limits that are not those of the inputs alone")

    def _where(self, source: Source) -> tuple[Coordinate, tuple[Any, ...]]:
        if not source.name:
            raise NotExaminedError("a draw that is not assigned to a name")
        return (*source.path, source.prefix + source.name, source.rounds), source.rounds

    def _value(self, where: Coordinate, kind: str, parameters: tuple[Any, ...]) -> tuple[Any, Unknown | None]:
        world = self.world
        if kind == "choice":
            weights = list(parameters[0])
            if not weights:
                raise UndefinedError("a choice among nothing")
            outcome = int(self.given.get(where, 0)) if world is None else world.choose(len(weights))
            for weight in weights:
                if weight < 0:
                    raise UndefinedError("a weight below 0", weight)
            if outcome >= len(weights) or not weights[outcome] > 0:
                raise DeadError
            return outcome, None
        scale, lattice = (*parameters, 1)[:2]
        for value in (scale, lattice):
            positive = world.is_positive(value) if world is not None and isinstance(value, Number) else value > 0
            if not positive and not value > 0:
                raise UndefinedError("a scale that is not above 0", value)
        discrete = kind in _LATTICED
        if not discrete and kind not in _CUT and len(parameters) != 1:
            raise NotExaminedError(f"noise.{kind} with {len(parameters)} parameters")
        if kind in _CUT:
            within = parameters[2]
            if not within > 0:
                raise UndefinedError("noise that is cut off at a number that is not above 0", within)
            if discrete and not is_whole(divided(within, lattice)):
                raise NotExaminedError("noise that is cut off between two multiples of its lattice")
        if world is None:
            unit: Any = self.given.get(where, Fraction(0))
            return plain(unit * lattice if discrete else unit), None
        one_sided = kind in _ONE_SIDED

        def facts(number: Any) -> list[Any]:
            if kind in _CUT:
                ends = (parameters[2] - number * lattice, parameters[2] + number * lattice)
                return [[(Comparison(end, ">="), True)] for end in ends]
            return [[(Comparison(number, ">="), True)]] if one_sided else []

        # Under adaptive queries the step at which noise is drawn matters, and may differ from path to path.
        key = ("noise", where, kind, world.step if world.adaptive else 0)
        number = world.unknown(
            key, facts, whole=discrete, noise=True, continuous=not discrete,
            unbounded=not one_sided and kind not in _CUT, step=world.step,
        )  # fmt: skip
        unknown = world.named[key]
        return number * lattice if discrete else number, unknown

    def _draw_second(self, source: Source, kind: str, parameters: tuple[Any, ...]) -> Any:
        where, _ = self._where(source)
        if where not in self.first.drawn:
            raise Fails("D' draws noise that D does not draw")
        drawn = self.first.drawn[where]
        if drawn.kind != kind or len(drawn.parameters) != len(parameters):
            raise Fails("D' draws from another distribution")
        for one, other in zip(drawn.parameters, parameters, strict=True):
            for a, b in _pairs(one, other):
                if any(u.noise for u in unknowns_of(a)):
                    raise NotExaminedError("a scale that depends on noise")
                if kind != "choice":
                    self._require_same(a, b, "the scales of the noise differ")
        if where not in self.moved:
            raise NotExaminedError("noise of a call that no lemma moves before it is drawn")
        if kind == "choice":
            self._weigh(where, list(drawn.parameters[0]), list(parameters[0]))
        self.second.drawn[where] = Drawn(kind, parameters, self.moved[where], None)
        return self.moved[where]

    def _weigh(self, where: Coordinate, weights: list[Any], weights_: list[Any]) -> None:
        """Add what a choice costs that has other weights on D′; its outcome must have a weight there."""
        one, other = self.first.drawn[where].value, int(self.moved[where])
        alike = all(same(a, b) for a, b in _pairs(weights, weights_))
        if not alike and self.world is not None:
            raise NotExaminedError("weights that differ on D and D'")
        for weight in weights_:
            if weight < 0:
                raise UndefinedError("a weight below 0", weight)
        if not weights_[other] > 0:
            raise Fails("a choice is moved to an outcome of weight 0")
        if not alike:
            quotient = divided(weights[one] * sum(weights_), weights_[other] * sum(weights))
            paid = divided(weights[one], weights[other]) if weights[other] > 0 else 1
            self.cost = self.cost + self.functions.log(divided(quotient, paid))

    # The alignment

    def _shifts(
        self, alignment: Any, values: Mapping[str, Any], values_: Mapping[str, Any], output: Any, record: Record,
        direction: Any,
    ) -> Mapping[str, Any]:  # fmt: skip
        function = self.names.function(alignment.python)
        given: dict[str, Any] = {"omega": seen(output), "H": self._view(alignment, record)}
        before = len(self.world.reads) if self.world else 0
        shifts: Mapping[str, Any] = self._moves(function, alignment, values, values_, direction, given)
        if self.world:
            self.decided_by_alignment.append((before, len(self.world.reads)))
        return shifts

    def _moves(
        self, function: Callable[..., Any], alignment: Any, values: Mapping[str, Any], values_: Mapping[str, Any],
        direction: Any, of_runs: Mapping[str, Any] | None = None,
    ) -> Any:  # fmt: skip
        """What an alignment gives, or a part of it to which nothing of the runs is given."""
        given = {**values, **{f"{name}_": values_[name] for name in alignment.mechanism.private}}
        given = {n: list(v) if isinstance(v, tuple | list) else v for n, v in given.items()}
        given |= {"omega": None, "H": NoiseView(alignment, Record()), "direction": direction, **(of_runs or {})}
        wanted = function.__code__.co_varnames[: function.__code__.co_argcount]
        if self.world is not None:
            self.world.step = -1
        try:
            shifts = undefined_as_such(lambda: function(**{name: given[name] for name in wanted}))
        except UndefinedError as problem:
            # Where D is defined, an alignment that is not moves nothing, whatever makes it so.
            raise Fails(f"the alignment is not defined: {problem}") from None
        if not isinstance(shifts, dict):
            raise NotExaminedError("an alignment that returns no shift")
        return shifts

    def _view(self, alignment: Any, record: Record) -> NoiseView:
        return NoiseView(alignment, record)

    def _move(self, alignment: Any, shifts: Mapping[str, Any], record: Record) -> None:
        """Move the noise of one mechanism, and add up what its shifts cost."""
        keys = {draw.key for draw in alignment.mechanism.draws}
        for name, family in record.names.items():
            for index, where in family:
                if where in self.moved:
                    continue
                shift = shifts.get(name, 0) if name in keys else 0
                if name in shifts and name in keys:
                    for place in index:
                        shift = self._part(name, shift, place)
                shift = plain(shift)
                if isinstance(shift, Comparison):
                    raise NotExaminedError("a shift that is a condition")
                if not isinstance(shift, int | Fraction | Number | Near):
                    raise Fails(f"the shift of {name} is no number")
                self._move_one(where, record.drawn[where], shift)

    def _part(self, name: str, shift: Any, place: Any) -> Any:
        return _part_at("shift", name, shift, place)

    def _move_one(self, where: Coordinate, drawn: Drawn, shift: Any) -> None:
        moved = drawn.value + shift
        self.moved[where] = moved
        if drawn.kind == "choice":
            weights = list(drawn.parameters[0])
            if isinstance(moved, Number):
                raise NotExaminedError("a shift of a choice that is not known")
            if not 0 <= moved < len(weights) or moved != int(moved):
                raise Fails("a choice is moved to an outcome that there is not")
            if moved != drawn.value and weights[int(moved)] > 0:  # or else D′ gives it a weight, or it fails there
                self.cost = self.cost + self.functions.log(divided(weights[drawn.value], weights[int(moved)]))
            return
        if isinstance(shift, int | Fraction) and shift == 0:
            return
        scale, lattice = (*drawn.parameters, 1)[:2]
        if drawn.kind in _ONE_SIDED:
            self._require(moved, ">=", "the moved noise lies outside its support")
        if drawn.kind in _CUT:
            for end in (drawn.parameters[2] - moved, drawn.parameters[2] + moved):
                self._require(end, ">=", "the moved noise lies outside its support")
        if drawn.kind in _LATTICED:
            steps = divided(shift, lattice)
            if not is_whole(steps):
                self._require(steps, "whole", "the moved noise lies off its lattice")
        if drawn.kind == "gumbel":
            self._require(shift, ">=", "Gumbel noise is moved down, which has no bounded cost")
        size = shift if drawn.kind in _ONE_SIDED or drawn.kind == "gumbel" else self._size(shift)
        self.cost = self.cost + (size * scale if drawn.kind.endswith("_base2") else divided(size, scale))

    def _size(self, shift: Any) -> Any:
        return abs(shift) if self.world is None else magnitude(self.world, shift)

    # What must hold

    def _require(self, number: Any, relation: str, words: str) -> None:
        if isinstance(number, Number):
            self.requirements.append((Comparison(number, relation), words))
            return
        # What fails must fail wherever between its ends an irrational number lies.
        low, high = Near.of(number).low, Near.of(number).high
        if {">=": high < 0, "==": low > 0 or high < 0, "whole": math.ceil(low) > high}[relation]:
            raise Fails(words)

    def _require_same(self, one: Any, other: Any, words: str) -> None:
        if isinstance(one, list | tuple) or isinstance(other, list | tuple):
            if not isinstance(one, list | tuple) or not isinstance(other, list | tuple) or len(one) != len(other):
                raise Fails(words)
            if type(one) is not type(other):
                raise NotExaminedError("an output that is a list or a tuple")
            for a, b in zip(one, other, strict=True):
                self._require_same(a, b, words)
        elif isinstance(one, bool) or isinstance(other, bool):
            if one is not other:
                raise Fails(words)
        elif isinstance(one, int | Fraction | Number | Near) and isinstance(other, int | Fraction | Number | Near):
            if not same(one, other):
                self._require(one - other, "==", words)
        elif one is not other and not (isinstance(one, str) and one == other):
            raise Fails(words)

    def _require_claim(self, values: Mapping[str, Any]) -> None:
        self._require(self._claim(values) - self.cost, ">=", "the shifts cost more than the claim")

    def _named_in_claims(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """What claims with delta may read: public values, and the lengths of lists."""
        private = self.alignment.mechanism.private
        lists = {name: [Opaque()] * len(values[name]) for name in private if isinstance(values[name], list | tuple)}
        return {name: value for name, value in values.items() if name not in private} | lists

    def _claim(self, values: Mapping[str, Any]) -> Any:
        if self.alignment.delta is not None:
            return read_claim(str(self.alignment.claim), self._named_in_claims(values), self.functions)
        given = {name: value for name, value in values.items() if name not in self.alignment.mechanism.private}
        outputs = self.output if isinstance(self.output, list | tuple) else [self.output]
        return read_claim(str(self.alignment.claim), {**given, "omega": list(outputs)}, self.functions)


class Charging(Trial):
    """D alone, on all noise: what its draws are charged for their limits must add up to at most delta."""

    charges: Any = 0

    def run(self, inputs: Mapping[str, Any]) -> None:
        """Run D; raise Fails, UndefinedError of D, or leave requirements."""
        values, _ = self._run_first(inputs)
        try:
            delta = read_claim(str(self.alignment.delta), self._named_in_claims(values), self.functions)
        except UndefinedError as problem:
            raise Fails(f"delta is not defined: {problem}") from None
        self.known = powers_in_order(delta - self.charges)
        self._require(delta - self.charges, ">=", "the limits are broken with more probability than delta")
        self.ended = True

    def _meet(self, drawn: Drawn, limit: Any, *, upper: bool) -> None:
        charged = charge(drawn.kind, drawn.parameters, limit, upper=upper, functions=self.functions)
        if any(unknown.noise for unknown in unknowns_of(charged)):
            raise NotExaminedError("a limit or a scale that depends on noise")
        self.charges = self.charges + charged


_CUT = {"cut_laplace", "cut_discrete_laplace"}
_LATTICED = {"discrete_laplace", "geometric", "cut_discrete_laplace", "discrete_laplace_base2", "geometric_base2"}
_ONE_SIDED = {"exponential", "geometric", "geometric_base2"}


def _part_at(what: str, name: str, values: Any, place: Any) -> Any:
    if not isinstance(values, list | tuple):
        raise Fails(f"the {what} of {name} is no list")
    if place >= len(values):
        raise Fails(f"no {what} for {name}[{place}], which D draws")
    return values[place]


def _pairs(one: Any, other: Any) -> list[tuple[Any, Any]]:
    if isinstance(one, list | tuple):
        if len(one) != len(other):
            raise Fails("a list has another length on D'")
        return list(zip(one, other, strict=True))
    return [(one, other)]


def is_whole(number: Any) -> bool:
    """Whether a number is whole by its form: whole factors of products of whole unknowns."""
    if not isinstance(number, Number):
        return not isinstance(number, Near) and bool(number == int(number))
    return all(f == int(f) and all(u.whole and e >= 0 for u, e in p) for p, f in number.terms.items())


_REFUSED = (TypeError, AttributeError, LookupError, NameError, ArithmeticError, AssertionError, RuntimeError)


def undefined_as_such(run: Callable[[], Any]) -> Any:
    """Run what is the user's; Python's own errors of values and places are undefined runs, all others not examined."""
    try:
        return run()
    except (IndexError, ZeroDivisionError, ValueError) as problem:
        raise UndefinedError(str(problem)) from None
    except _REFUSED as problem:
        raise NotExaminedError(f"Python cannot run it on symbolic numbers: {problem}") from None


def decided(output: Any) -> Any:
    """An output whose conditions are truth values: only those can be told apart."""
    if isinstance(output, list | tuple):
        return type(output)(map(decided, output))
    return bool(output) if isinstance(output, Comparison) else plain(output)


def seen(output: Any) -> Any:
    """An output as an alignment sees it: without its real parts, which follow from continuous noise."""
    if isinstance(output, list):
        return [seen(part) for part in output]
    if isinstance(output, tuple):
        return tuple(seen(part) for part in output)
    if isinstance(output, Number) and any(u.continuous for u in output.unknowns):
        return Opaque()
    return output


def discrete_part(output: Any) -> Any:
    """What of an output is told by its shape and its tags, as a value to compare; its numbers are compared apart."""
    if isinstance(output, list | tuple):
        return tuple(discrete_part(part) for part in output)
    if isinstance(output, bool | str | Mark) or output is None:
        return type(output), output
    if isinstance(output, int | Fraction | Number):
        return "a number"
    raise NotExaminedError(f"an output that is a {type(output).__name__}")


def numbers_in(output: Any) -> list[Any]:
    """The numbers of an output, in order."""
    if isinstance(output, list | tuple):
        return [part for item in output for part in numbers_in(item)]
    return [output] if isinstance(output, int | Fraction | Number) and not isinstance(output, bool) else []


def has_real_parts(output: Any) -> bool:
    """Whether some part of an output has a density."""
    return any(u.continuous for u in unknowns_of(output))


def read_claim(text: str, names: Mapping[str, Any], functions: Functions, *, length: Callable[[Any], Any] = len) -> Any:
    """The value of a claim, an expression of the public parameters and of len(omega)."""
    known: dict[str, Any] = {"len": length, "max": max, "min": min, "abs": abs, "sum": sum}
    known |= {name: getattr(functions, name) for name in ("sqrt", "log", "exp", "exp2", "power")}
    return _value_of(ast.parse(text.strip(), mode="eval").body, names, known)


def _value_of(node: ast.expr, names: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return plain(number)
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value_of(operand, names, known)
        case ast.BinOp(left=left, op=op, right=right):
            one, other = _value_of(left, names, known), _value_of(right, names, known)
            match op:
                case ast.Add():
                    return one + other
                case ast.Sub():
                    return one - other
                case ast.Mult():
                    return one * other
                case ast.Div():
                    return divided(one, other)
                case ast.Pow():
                    return one**other
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in known:
            return known[name](*(_value_of(argument, names, known) for argument in arguments))
    raise NotExaminedError(f"the claim {ast.unparse(node)}")
