"""A function and a mechanism compared for all real inputs of small sizes, on every pair of paths."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from alignkit.confirming.normal_forms import (
    Comparison,
    NotExaminedError,
    Number,
    UndefinedError,
    Unknown,
    cleared,
    divided,
    leading,
    made,
    same,
    unknowns_of,
)
from alignkit.confirming.small_inputs import Inputs, settings
from alignkit.confirming.trials import Setting
from alignkit.confirming.worlds import Clause, DeadError, Functions, OutOfWorkError, PathWorld
from alignkit.implementing.arrays import Calculus, array_of_numbers, array_operation, exact_number
from alignkit.implementing.compared_runs import (
    ComparedPair,
    DifferentError,
    differences,
    is_deliberate,
    line_of,
    run_function,
    run_mechanism,
)
from alignkit.implementing.patches import Patches, Recorder
from alignkit.implementing.tapes import CutError, DrawPlace, Rule, Tape

# How many decisions a run may make: a loop that no draw ends.
DECISIONS = 400
# Of how many paths an example is run on floats.
EXAMPLES = 200
# Up to where whole parts are told apart.
WHOLE = 12


@dataclass(frozen=True)
class Found:
    """An input and noise for which the solver says that the outputs differ."""

    words: str
    inputs: Mapping[str, Any]
    noise: Mapping[Any, Any]


@dataclass
class Settled:
    """What came of the small sizes: up to which all paths agree, and why no further."""

    n: int = 0
    runs: int = 0
    cut: str = ""
    unsupported: str = ""
    line: str = ""
    refusals: set[str] = field(default_factory=set)
    found: list[Found] = field(default_factory=list)
    agreed: list[Found] = field(default_factory=list)


class CodeWorld(PathWorld):
    """The unknowns of one setting, and the path on which the function and then the mechanism run."""

    def __init__(self, effort: int) -> None:
        self.calculus = Calculus(self)
        self.uniform: set[Unknown] = set()
        super().__init__(effort)

    def begin(self, decisions: tuple[Any, ...]) -> None:
        """Start a path."""
        super().begin(decisions)
        self.orders: dict[Any, list[int]] = {}
        self.decisions = 0
        # The user's code may catch what ends a run.
        self.ended: Exception | None = None

    def decide(self, comparison: Comparison) -> bool:
        """Go one way where a run depends on a comparison."""
        self.decisions += 1
        try:
            if self.decisions > DECISIONS:
                raise CutError(f"more than {DECISIONS} decisions")
            self._require_own(comparison.number.unknowns)
            return super().decide(comparison)
        except Exception as problem:
            self.ended = problem
            raise

    def ask(self, clauses: Iterable[Clause], *, path: bool = True, about: Iterable[Unknown] = ()) -> Any:
        """Whether clauses can hold on the path, as for any world."""
        clauses, about = list(clauses), list(about)
        self._require_own({u for clause in clauses for comparison, _ in clause for u in unknowns_of(comparison.number)})
        self._require_own(about)
        return super().ask(clauses, path=path, about=about)

    def _require_own(self, unknowns: Iterable[Unknown]) -> None:
        if any(unknown not in self.facts for unknown in unknowns):
            raise NotExaminedError("a number that the function has kept from an earlier run")

    def number_of(self, value: Any) -> Any:
        """A float is the simplest fraction with this float; no number stands for an infinite one."""
        value = exact_number(value.item() if hasattr(value, "item") and not getattr(value, "ndim", 0) else value)
        return None if isinstance(value, float) else value

    def is_not_zero(self, number: Number) -> bool:
        """As Python takes a number for a condition."""
        return bool(number != 0)

    def array_operation(self, operation: Any, method: str, inputs: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """numpy's operations, element by element."""
        return array_operation(operation, method, inputs, named)

    def _is_null(self, number: Number) -> bool:
        """Whether a number is 0 with probability 0: some continuous noise has a factor that is not 0 in it."""
        return any(u.continuous and self._factor_is_not_0(number, u) for u in number.unknowns)

    def _factor_is_not_0(self, number: Number, noise: Unknown) -> bool:
        factors: list[Any] = []
        if noise.of is not None:
            # log(u * u) and 2 * log(u) are equal, though neither is seen in the other.
            tops = {u for product in number.terms for u, _ in product if u is not noise}
            if not {u for u in _within({noise}) if u.noise and u.inside is None} - _within(tops):
                return False
        for product, times in number.terms.items():
            exponents = dict(product)
            if noise in unknowns_of([u.inside for u in exponents]):
                return False
            if exponents.get(noise, 0) not in (0, 1):
                return False
            if noise in exponents:
                factors.append(made({tuple(part for part in product if part[0] is not noise): times}))
        return bool(factors) and bool(self.is_positive(sum(factors)) or self.is_positive(-sum(factors)))

    def _may(self, number: Number, signs: frozenset[int]) -> bool:
        """Whether a number may have one of these signs; a uniform number between plain bounds needs no solver."""
        for noise in number.unknowns:
            possible = self._by_uniform(number, noise) if noise in self.uniform else None
            if possible is not None:
                return bool(possible & signs)
        return super()._may(number, signs)

    def _by_uniform(self, number: Number, noise: Unknown) -> frozenset[int] | None:
        """The signs that a number may have which has a uniform one as a factor: by the bounds that the path gave it.

        None where the order of two bounds is not plain. What is between two bounds of a path can be on either side.
        """
        bound = _bound(number, noise)
        if bound is None:
            return None
        limit, factor, rising = bound
        above, below = frozenset({1 if rising else -1}), frozenset({-1 if rising else 1})
        # The sign of the number is `above` where the uniform number is above its limit, given by limit / factor.
        known: list[tuple[Any, Any, bool]] = [(0, 1, True), (1, 1, False)]
        for ((comparison, truth),) in self.path:
            if noise not in comparison.number.unknowns:
                continue
            other = _bound(comparison.number, noise)
            if other is None or comparison.relation == "==":
                return None
            known.append((other[0], other[1], truth == other[2]))
        for other_limit, other_factor, is_above in known:
            apart = limit * other_factor - other_limit * factor
            if plainly_positive(apart) if is_above else plainly_positive(-apart):
                continue
            if same(apart, 0) or (plainly_positive(-apart) if is_above else plainly_positive(apart)):
                return above if is_above else below
            return None
        return above | below

    def floor(self, number: Number) -> int:
        """The largest whole number that is not above a number, if that lies within known small bounds."""
        for end in (Comparison(number - WHOLE, ">="), Comparison(-number - WHOLE, ">=")):
            if self.ask([[(end, True)]]) != "no":
                raise NotExaminedError("the whole part of a number that is not known")
        return next(i for i in range(-WHOLE, WHOLE) if number < i + 1)

    # Noise

    def log(self, value: Any) -> Any:
        """The natural logarithm, as the formulas of noise use it."""
        return self.calculus.log(value)

    def cos(self, value: Any) -> Any:
        """The cosine, as the formulas of noise use it."""
        return self.calculus.cos(value)

    def unit(self, family: str, cell: Any) -> Any:
        """The noise of unit scale in a cell."""
        positive = family in ("exponential", "uniform")

        def facts(number: Any) -> list[Clause]:
            clauses: list[Clause] = [[(Comparison(number, ">"), True)]] if positive else []
            return [*clauses, [(Comparison(1 - number, ">"), True)]] if family == "uniform" else clauses

        name = ("cell", family, cell)
        value = self.unknown(name, facts, positive=positive, noise=True, continuous=True, unbounded=not positive)
        if family == "uniform":
            self.uniform.add(self.named[name])
        return value

    def outcome(self, kind: str, cell: Any, parameter: Any) -> Any:
        """The permutation or the geometric number in a cell."""
        if kind == "permutation":
            if cell not in self.orders:
                orders = list(itertools.permutations(range(parameter)))
                self.orders[cell] = list(orders[self.choose(len(orders))])
            return self.orders[cell]
        key = parameter.key if isinstance(parameter, Number) else parameter

        def facts(number: Any) -> list[Clause]:
            return [[(Comparison(number, ">="), True)]] if kind == "geometric" else []

        return self.unknown(("cell", kind, cell, key), facts, whole=True, noise=True)

    def logarithm(self, value: Any, of_known: Callable[[Any], Any]) -> Any:
        """The logarithm of any number; of one with noise in it the rational factor is taken out."""
        if not isinstance(value, Number) or not any(u.noise for u in value.unknowns):
            return of_known(value)
        if value <= 0:
            raise UndefinedError("the logarithm of a number that is not above 0", value)
        factor = abs(Fraction(leading(value)))
        rest = divided(value, factor)

        def facts(log: Any) -> list[Clause]:
            return [[(Comparison(rest - 1 - log, ">="), True)]]

        return of_known(factor) + self.unknown(("log", rest.key), facts, of=rest, noise=True, continuous=True)

    def of_noise(self, name: str, value: Any) -> Any:
        """A cosine or a sine, between -1 and 1."""

        def facts(number: Any) -> list[Clause]:
            return [[(Comparison(1 - number, ">="), True)], [(Comparison(1 + number, ">="), True)]]

        if not isinstance(value, Number):
            raise NotExaminedError(f"the {name} of a constant")
        return self.unknown((name, value.key), facts, of=value, noise=True, continuous=True)


def _within(unknowns: set[Unknown]) -> set[Unknown]:
    """Unknowns, and all that they are functions of."""
    found, waiting = set(unknowns), set(unknowns)
    while waiting:
        waiting = unknowns_of([u.inside for u in waiting]) - found
        found |= waiting
    return found


def _bound(number: Number, noise: Unknown) -> tuple[Any, Any, bool] | None:
    """Limit, positive factor and direction of a number that is ± (factor * noise - limit); None where it is not."""
    limit: Any = 0
    factor: Any = 0
    for product, times in number.terms.items():
        exponents = dict(product)
        if noise in unknowns_of([u.inside for u in exponents]) or exponents.get(noise, 0) not in (0, 1):
            return None
        if noise in exponents:
            factor = factor + made({tuple(part for part in product if part[0] is not noise): times})
        else:
            limit = limit - made({product: times})
    if plainly_positive(factor):
        return limit, factor, True
    return (-limit, -factor, False) if plainly_positive(-factor) else None


def plainly_positive(number: Any) -> bool:
    """Whether a number is above 0 by its form: a sum of products of positive unknowns."""
    number = cleared(number)
    if not isinstance(number, Number):
        return bool(number > 0)
    return all(f > 0 and all(u.positive for u, _ in p) for p, f in number.terms.items())


def settle(
    question: ComparedPair, rule: Rule, places: list[DrawPlace], patches: Patches, lengths: Sequence[int], k: int,
    effort: int,
) -> Settled:
    """Compare them for lists of these lengths and counts of 1 to ``k``, for all other real inputs."""
    settled = Settled()
    if any(p.vector and p.integer for p in question.mechanism.parameters.values()):
        settled.unsupported = "a list of counts"
        return settled
    for size in lengths:
        any_setting = False
        for setting in settings(question.mechanism, "each", size, k):
            any_setting = True
            try:
                _one_setting(question, rule, places, patches, setting, effort, settled)
            except OutOfWorkError:
                # What holds for one answer may be trivial: the largest of one.
                settled.cut = f"the work that it may take was used up, for {setting}"
                return settled
            if settled.unsupported or settled.found:
                return settled
        if any_setting or size == lengths[0]:
            settled.n = size
    return settled


def _one_setting(
    question: ComparedPair, rule: Rule, places: list[DrawPlace], patches: Patches, setting: Setting, effort: int,
    settled: Settled,
) -> None:  # fmt: skip
    world = CodeWorld(effort)
    try:
        named = SimpleNamespace(mechanism=question.mechanism)
        inputs = Inputs(named, setting, world, "each").values
        values = {name: inputs[name] for name in question.mechanism.parameters}
        functions = Functions(world)
        patches.recorder.calculus = world.calculus
        world.untried = [()]
        with patches.in_place():
            while world.untried and not settled.found:
                _path(question, rule, places, patches, world, functions, values, settled)
    finally:
        patches.recorder.calculus = None
        world.close()


def _path(
    question: ComparedPair, rule: Rule, places: list[DrawPlace], patches: Patches, world: CodeWorld,
    functions: Functions, values: Mapping[str, Any], settled: Settled,
) -> None:  # fmt: skip
    recorder: Recorder = patches.recorder
    given = world.untried.pop()
    outputs, drawn = [], []
    for _ in range(2):
        # Twice, the second time by the decisions of the first: what differs is state, or randomness that is not seen.
        world.begin(given)
        recorder.tape = Tape(world, rule, places)
        arrays = {name: array_of_numbers(v) if isinstance(v, list) else v for name, v in values.items()}
        patches.answers = arrays
        try:
            try:
                outputs.append(run_function(question, arrays, recorder))
            finally:
                if world.ended is not None:
                    raise world.ended from None
        except DeadError:
            return
        except OutOfWorkError:
            raise
        except CutError as problem:
            settled.cut = f"{problem}, at {line_of(problem)}"
            return
        except NotExaminedError as problem:
            settled.unsupported, settled.line = str(problem), line_of(problem)
            return
        except Exception as problem:
            if is_deliberate(problem) and world.path == world.public_part() and not world.orders:
                settled.refusals.add(f"{type(problem).__name__}: {problem}")
                return
            if _is_undefined(question, world, functions, values, recorder.tape):
                return
            settled.unsupported = settled.unsupported or f"{type(problem).__name__}: {problem}"
            settled.line = settled.line or line_of(problem)
            return
        # What is given beyond the function's own decisions is for the mechanism.
        given = (*world.taken, *given[len(world.taken) :])
        drawn.append(dict(recorder.tape.met))
    try:
        if drawn[0] != drawn[1]:
            raise DifferentError
        for a, b in differences(*outputs):
            if not same(a, b):
                raise DifferentError
    except DifferentError:
        settled.unsupported = "two runs on the same noise differ: it keeps a state, or draws what is not seen"
        return
    _compare(question, world, functions, values, outputs[0], recorder.tape, settled)


def _is_undefined(
    question: ComparedPair, world: CodeWorld, functions: Functions, values: Mapping[str, Any], tape: Tape
) -> bool:
    """Whether public values alone make the mechanism undefined, so that the function may raise any error."""
    try:
        run_mechanism(question, functions, values, tape)
    except UndefinedError as problem:
        return world.is_public(problem) and not world.orders
    except Exception:
        return False
    return False


def _compare(
    question: ComparedPair, world: CodeWorld, functions: Functions, values: Mapping[str, Any], output: Any, tape: Tape,
    settled: Settled,
) -> None:  # fmt: skip
    try:
        other = run_mechanism(question, functions, values, tape)
        # An example needs a value for every input.
        about = unknowns_of(list(values.values())) | {u for u in world.named.values() if u.noise}
        unequal: list[Any] = []
        far: list[Any] = []
        words = "the outputs differ in a number"
        try:
            for one, two in differences(output, other):
                if isinstance(one, float) or isinstance(two, float):
                    raise DifferentError("an output is infinite")
                if not same(one, two):
                    if not isinstance(one, Number) and not isinstance(two, Number):
                        raise DifferentError("the outputs differ in a number")
                    unequal.append((Comparison(cleared(one - two), "=="), False))
                    far += [
                        [[(Comparison(a - 2 * b - 1, ">"), True)], [(Comparison(b, ">="), True)]]
                        for a, b in ((one, two), (two, one), (-one, -two), (-two, -one))
                        if isinstance(a - 2 * b, Number) and isinstance(b, Number)
                    ]
        except DifferentError as problem:
            unequal, words = [], str(problem)
            answer = world.ask([], about=about)
        else:
            settled.runs += 1
            if unequal:
                answer = world.ask([unequal], about=about)
            if not unequal or answer == "no":
                _remember(world, values, about, settled)
                return
            for clauses in far if not isinstance(answer, str) else []:
                # What is far apart is so on floats too.
                apart = world.ask(clauses, about=about)
                if not isinstance(apart, str):
                    answer = apart
                    break
    except DeadError:
        return
    except CutError as problem:
        settled.cut = str(problem)
        return
    except UndefinedError as problem:
        if world.orders or not world.is_public(problem):
            settled.unsupported = f"the mechanism is not defined on a path: {problem}"
        return
    except NotExaminedError as problem:
        settled.unsupported = f"of the mechanism: {problem}"
        return
    if isinstance(answer, str):
        if answer == "unknown":
            settled.unsupported = f"the solver does not know whether {words}"
        return
    try:
        settled.found.append(_example(world, values, words, answer))
    except NotExaminedError as problem:
        settled.unsupported = f"{words}, for inputs that are not rational: {problem}"


def _remember(world: CodeWorld, values: Mapping[str, Any], about: set[Unknown], settled: Settled) -> None:
    """Keep an example of a path on which the outputs are equal: it must be so in plain floats too."""
    if len(settled.agreed) >= EXAMPLES:
        return
    model = world.ask([], about=about)
    if not isinstance(model, str):
        with contextlib.suppress(NotExaminedError):
            settled.agreed.append(_example(world, values, "the outputs differ on floats", model))


def _example(world: CodeWorld, values: Mapping[str, Any], words: str, model: Any) -> Found:
    def of(value: Any) -> Any:
        if isinstance(value, list):
            return [of(part) for part in value]
        if not isinstance(value, Number):
            return value
        total: Any = 0
        for product, factor in value.terms.items():
            term = Fraction(factor)
            for unknown, exponent in product:
                term *= world.rational(model, unknown) ** int(exponent)
            total += term
        return total

    cells = {name[1:3]: u for name, u in world.named.items() if isinstance(name, tuple) and name[0] == "cell"}
    noise: dict[Any, Any] = {(family, cell): world.rational(model, u) for (family, cell), u in cells.items()}
    noise |= {("permutation", cell): order for cell, order in world.orders.items()}
    return Found(words, {name: of(value) for name, value in values.items()}, noise)

