"""The law of a mechanism: the exact distribution of its output, as rational functions of the open bases.

A run on the mechanism with its noise unknown, for its law.

Privacy parameters left open: numbers that are linear in them, and what 2 or e to such a number is.

Each open parameter has a base of its own, 2^(-eta) or e^(-eps), taken to a fraction fine enough that every exponent
that occurs is whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeVar

from alignkit.arguments import shown
from alignkit.arithmetic.affine import NoisyNumber, plus, times
from alignkit.arithmetic.laurent_polynomials import LaurentPolynomial
from alignkit.arithmetic.rational_functions import RationalFunction, add_all
from alignkit.errors import Infeasible, InputError, InternalError, TooManyPaths, Undefined, Unsupported
from alignkit.formatting import counted, full_text
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.exploring import Choices, explore
from alignkit.interpreting.operations import COMPARE
from alignkit.interpreting.values import Coordinate, Members
from alignkit.language.parameters import Epsilon, Eta, exact
from alignkit.language.program import Builtin, Place
from alignkit.laws.lattice_paths import IntegerInterval, LatticeDraw, LatticePath
from alignkit.laws.masses import path_probability
from alignkit.limits import NEVER, Deadline
from alignkit.markup import division, heading, paragraph, table_html
from alignkit.noise import CHOICE, Bits, Distribution
from alignkit.public_names import public
from alignkit.running.binding import exact_arguments
from alignkit.running.mechanism_decorator import Mechanism

# Polynomials are not factored with larger ones.
_LARGEST_EXPONENT = 2**31


class Finer(Exception):
    """An exponent is not whole: a base must be taken to a smaller fraction."""

    def __init__(self, bases: Bases) -> None:
        self.bases = bases
        super().__init__(f"finer bases are needed: {bases.words()}")


@dataclass(frozen=True)
class Bases:
    """The open parameters by name, each with the unit of its cost ("e" or 2), and the fineness of each base.

    >>> Bases({"eta": 2}, {"eta": 3}).words()
    'B = 2^(-eta/3)'
    """

    units: Mapping[str, Any]
    fineness: Mapping[str, int] = field(default_factory=dict)

    def symbol(self, name: str) -> str:
        """What the base of a parameter is called."""
        return "B" if len(self.units) == 1 else f"B_{name}"

    def words(self) -> str:
        """Which base is which."""
        over = {name: f"{name}/{full_text(n)}" for name, n in self.fineness.items() if n != 1}
        return ", ".join(f"{self.symbol(name)} = {unit}^(-{over.get(name, name)})" for name, unit in self.units.items())

    def one(self) -> RationalFunction:
        """The probability 1."""
        size = len(self.units)
        return RationalFunction(LaurentPolynomial.of({(0,) * size: 1}, size))

    def monomial(self, exponents: Mapping[str, Fraction]) -> RationalFunction:
        """The product of 2^(-name · exponent), or e^(…), over the names."""
        scaled = [exponents.get(name, Fraction(0)) * self.fineness.get(name, 1) for name in self.units]
        if any(e.denominator != 1 for e in scaled):
            fine = [self.fineness.get(name, 1) * e.denominator for name, e in zip(self.units, scaled, strict=True)]
            raise Finer(Bases(self.units, dict(zip(self.units, fine, strict=True))))
        return RationalFunction(LaurentPolynomial.of({tuple(int(e) for e in scaled): 1}, len(self.units)))

    def show(self, ratio: RationalFunction) -> str:
        """A ratio as text, cancelled and factored."""
        if ratio.largest_exponent > _LARGEST_EXPONENT:
            return "a ratio whose exponents are too large to be written out"
        import sympy

        symbols = [sympy.Symbol(self.symbol(name), positive=True) for name in self.units]

        def expression(polynomial: LaurentPolynomial) -> Any:
            return sympy.Add(
                *(
                    sympy.Rational(c.numerator, c.denominator)
                    * sympy.Mul(*(s**e for s, e in zip(symbols, m, strict=True)))
                    for m, c in polynomial.terms.items()
                )
            )

        whole = expression(ratio.polynomial)
        for factor, power in ratio.factors.items():
            whole *= expression(factor) ** power
        return str(sympy.factor(sympy.cancel(whole))).replace("**", "^")


@dataclass(frozen=True, eq=False)
class Rate:
    """A linear form in the open parameters plus a number; or 1 over such a form, where ``inverted``."""

    bases: Bases = field(repr=False)
    form: Mapping[str, Fraction]
    constant: Fraction = Fraction(0)
    inverted: bool = False

    def lift(self, other: Any) -> Rate:
        if isinstance(other, Rate):
            return other
        if isinstance(other, bool) or not isinstance(other, int | Fraction):
            raise Unsupported(f"{other!r}, combined with an open privacy parameter, is not an exact number")
        return Rate(self.bases, {}, Fraction(other))

    @property
    def known(self) -> Fraction | None:
        """The number, where no open parameter is in it."""
        if self.form:
            return None
        return 1 / self.constant if self.inverted else self.constant

    def _linear(self) -> Rate:
        """The same number, not inverted; Unsupported where that is not linear."""
        if self.inverted and self.form:
            raise Unsupported("a sum with 1 over a privacy parameter that is left open")
        return Rate(self.bases, {}, 1 / self.constant) if self.inverted else self

    def __add__(self, other: Any) -> Rate:
        one, two = self._linear(), self.lift(other)._linear()
        return Rate(self.bases, plus(one.form, two.form), one.constant + two.constant)

    __radd__ = __add__

    def __neg__(self) -> Rate:
        return self * -1

    def __sub__(self, other: Any) -> Rate:
        return self + -self.lift(other)

    def __rsub__(self, other: Any) -> Rate:
        return self.lift(other) + -self

    def __mul__(self, other: Any) -> Rate:
        right = self.lift(other)
        factor = right.known
        if factor is None:
            if self.known is None:
                raise Unsupported("a product of two privacy parameters that are left open")
            return right * self.known
        if factor == 0:
            return self.lift(0)
        scale = 1 / factor if self.inverted else factor
        return Rate(self.bases, times(self.form, scale), self.constant * scale, self.inverted)

    __rmul__ = __mul__

    def inverse(self) -> Rate:
        """1 / self."""
        return Rate(self.bases, self.form, self.constant, not self.inverted)

    def __truediv__(self, other: Any) -> Rate:
        return self * self.lift(other).inverse()

    def __rtruediv__(self, other: Any) -> Rate:
        return self.lift(other) * self.inverse()

    def __abs__(self) -> Rate:
        return -self if self.compare("<", 0) else self

    def compare(self, symbol: str, other: Any) -> bool:
        """Whether ``self symbol other`` for all values above 0 of what is open; Unsupported where that varies."""
        right = self.lift(other)
        # 1/x has the sign of x.
        one = Rate(self.bases, self.form, self.constant) if right.known == 0 else self - right
        numbers = [*one.form.values(), one.constant]
        if all(x >= 0 for x in numbers):
            sign = int(any(numbers))
        elif all(x <= 0 for x in numbers):
            sign = -1
        else:
            raise Unsupported("a comparison depends on a privacy parameter that is left open; give it a value")
        return COMPARE[symbol](sign, 0)

    def raised(self, unit: Any) -> RationalFunction:
        """``unit`` to this number: 2 to it, or e to it."""
        one = self._linear()
        wrong = [name for name in one.form if self.bases.units[name] != unit]
        if wrong:
            raise Unsupported(f"{unit} to a power with {wrong[0]}, whose unit is {self.bases.units[wrong[0]]}")
        return self.bases.monomial({name: -c for name, c in one.form.items()}) * known_power(unit, one.constant)

    def exp2(self) -> RationalFunction:
        return self.raised(2)

    def exp(self) -> RationalFunction:
        return self.raised("e")


def known_power(unit: Any, exponent: Any) -> Fraction:
    """2 or e to an exact number, where that is rational; Unsupported elsewhere."""
    if isinstance(exponent, Bits) and unit == 2:
        return (-exponent).power()
    if exponent == 0:
        return Fraction(1)
    if unit == 2 and not isinstance(exponent, Bits) and Fraction(exponent).denominator == 1:
        return Fraction(2) ** int(exponent)
    raise Unsupported(f"{unit}^({exponent}) is not rational; leave the privacy parameter open")


class LawContext(Context):
    """Noise on a lattice is an unknown integer; a finite choice goes another way on each path."""

    counts_on = False

    def __init__(self, mechanism: Mechanism, path: LatticePath, bases: Bases) -> None:
        super().__init__(mechanism.keys)
        self.path = path
        self.bases = bases

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        if distribution is CHOICE:
            return self.choice(arguments[0])
        if not distribution.geometric_steps:
            raise Unsupported(f"{distribution.title} noise: laws are computed only for noise on a lattice", place)
        first, spacing = (_known(x) for x in arguments)
        if not isinstance(spacing, int | Fraction):
            raise Unsupported(f"the lattice of {where} is left open; give it a value", place)
        unit = distribution.base or "e"
        rate = distribution.cost(1, first, spacing)
        if isinstance(rate, int | Fraction | Bits):
            step = self.bases.one() * known_power(unit, -rate * spacing)
        elif isinstance(rate, Rate):
            step = (rate * -spacing).raised(unit)
        else:
            problem = "does not depend on a privacy parameter in a form that laws cover"
            raise Unsupported(f"the scale of {where} {problem}", place)
        one_sided = distribution.support.one_sided
        masses = self.path.masses.setdefault((one_sided, step.form), {})
        return self.path.draw(LatticeDraw(str(where), one_sided, step, masses), Fraction(spacing))

    def choice(self, weights: tuple[Any, ...]) -> int:
        """An index, with probability its weight over the sum of the weights."""
        ratios = [self.bases.one() * _known(w) for w in weights]
        possible = [i for i, weight in enumerate(ratios) if not weight.is_zero]
        index = possible[self.path.choices.choose(len(possible)) if len(possible) > 1 else 0]
        self.path.weigh(ratios[index] / add_all(ratios))
        return index

    def number(self, value: Any) -> Any:
        return _known(value)

    def special(self, function: str, value: Any) -> Any:
        number = _known(value)
        if function in _UNITS and isinstance(number, int | Fraction | Bits):
            return known_power(_UNITS[function], number)
        result = super().special(function, number)
        if isinstance(result, float):
            raise Unsupported(f"{function} of {number} is not rational")
        return result

    def largest(self, family: Any, k: Any, node: Builtin) -> Any:
        if not isinstance(family, tuple) or not isinstance(k, int):
            raise self.unsupported("largest(values, k), unless k and the length of the list are fixed", node.place)
        if all(isinstance(x, NoisyNumber | int | Fraction) for x in family):
            return self.path.select_largest([self.path.lift(0) + x for x in family], k)
        left = list(range(len(family)))
        chosen = []
        for _ in range(k):
            best = left[0]
            for other in left[1:]:
                # A tie goes to the lower index, which is the one that was looked at before.
                best = other if _greater(family[other], family[best]) else best
            left.remove(best)
            chosen.append(best)
        return tuple(chosen)


def _greater(one: Any, other: Any) -> bool:
    if hasattr(one, "compare"):
        return bool(one.compare(">", other))
    return bool(other.compare("<", one)) if hasattr(other, "compare") else bool(one > other)


def _known(value: Any) -> Any:
    """A number without what stands for noise or a parameter, where it is a plain one after all."""
    if isinstance(value, NoisyNumber):
        value = value.path.concrete(value)
    if isinstance(value, Rate) and value.known is not None:
        return value.known
    if isinstance(value, float):
        raise Unsupported(f"{value!r} is not an exact number")
    return value


_UNITS = {"exp2": 2, "exp": "e"}


# More paths than this take minutes.
MOST_PATHS = 100_000

# A notebook shows so many outputs of a law; `print` shows all of them.
_MOST_SHOWN = 50

WINDOW = 3

Computed = TypeVar("Computed")


@dataclass(frozen=True)
class Beyond:
    """In an output: a released number that lies outside the window, on one side.

    >>> Beyond(">", 3)
    > 3
    """

    relation: str
    end: int | Fraction

    def __repr__(self) -> str:
        return f"{self.relation} {self.end}"


@dataclass(frozen=True)
class NotDefined:
    """The last part of an output: here the mechanism is not defined."""

    problem: str = field(compare=False)

    def __repr__(self) -> str:
        return f"not defined: {self.problem}"


@dataclass(frozen=True)
class Truth:
    """In an output: a Boolean, which Python would take for 0 or 1."""

    value: bool

    def __repr__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True, eq=False)
class Law:
    """The probability of each output, as a rational function of the bases of what is left open.

    As a mapping it holds outputs with tuples for lists; a Boolean of an output stands there as a `Truth`, and is asked
    for as itself.
    """

    probabilities: Mapping[Any, RationalFunction] = field(repr=False)
    bases: Bases

    def __getitem__(self, output: Any) -> RationalFunction:
        """The probability of an output; 0 for one that does not occur."""
        probability = self.probabilities.get(canonical_output(output))
        return self.bases.one().lift(0) if probability is None else probability

    def __iter__(self) -> Iterator[Any]:
        return iter(self.probabilities)

    def __len__(self) -> int:
        return len(self.probabilities)

    def at(self, output: Any, **bases: Fraction | int) -> Fraction:
        """The probability of an output where the bases are these numbers between 0 and 1, by their symbols."""
        symbols = [self.bases.symbol(name) for name in self.bases.units]
        numbers = {name: Fraction(exact(base, name)) for name, base in bases.items()}
        if set(numbers) != set(symbols) or not all(0 < b < 1 for b in numbers.values()):
            needed = ", ".join(f"{symbol}=Fraction(1, 2)" for symbol in symbols) or "none"
            raise InputError(f"give a number strictly between 0 and 1 for each base: {needed}; {self.bases.words()}")
        return self[output].at(tuple(numbers[symbol] for symbol in symbols))

    @property
    def coarse(self) -> bool:
        """Whether some outputs are taken together, as beyond the window."""
        return any(taken_together(output) for output in self)

    def coarsened(self, window: int | Fraction) -> Law:
        """The same law where all numbers beyond the window on one side, of noise or not, count as one."""
        by_output: dict[Any, list[RationalFunction]] = {}
        reach = read_window(window)
        for output, part in self.probabilities.items():
            by_output.setdefault(_coarsened(output, reach), []).append(part)
        return Law(MappingProxyType({output: add_all(parts) for output, parts in by_output.items()}), self.bases)

    def __str__(self) -> str:
        lines = [f"{output!r}: {self.bases.show(p)}" for output, p in self.probabilities.items()]
        words = self.bases.words()
        return "\n".join([*lines, f"with {words}"] if words else lines)

    def _repr_html_(self) -> str:
        """The probability of each output as HTML, up to 50 of them, which a notebook shows.

        >>> from alignkit.mechanisms.discrete_sampling import drawn_threshold
        >>> "<code>B/(B + 1)</code>" in law(drawn_threshold, q=0, tau=1, gamma=1)._repr_html_()
        True
        """
        shown = [(repr(output), self.bases.show(self[output])) for output in list(self)[:_MOST_SHOWN]]
        parts = [heading("LAW", counted(len(self), "output")), table_html(("output", "probability"), shown, code=True)]
        if len(self) > len(shown):
            parts.append(paragraph(f"and {len(self) - len(shown)} more outputs, which print shows"))
        if self.bases.words():
            parts.append(paragraph(f"with {self.bases.words()}"))
        return division(parts)


@public
def law(mechanism: Mechanism, /, *, window: int | Fraction = WINDOW, **values: Any) -> Law:
    """The exact distribution of a mechanism's output.

    Parameters are given by name, the private ones too. Privacy parameters (`Epsilon`, `Eta`) that are not given stay
    open: probabilities are rational functions of their bases. Where a number in the output has infinitely many values,
    those from -window to window are told apart, and what lies beyond on either side is taken together.

    Raises Unsupported where noise is continuous, or matters in a way that is not summed here, and InputError for
    values that the mechanism does not take.

    >>> from alignkit.mechanisms.discrete_sampling import drawn_threshold
    >>> print(law(drawn_threshold, q=0, tau=1, gamma=1))
    ABOVE: B/(B + 1)
    BELOW: 1/(B + 1)
    with B = 2^(-eta)
    """
    check_mechanism(mechanism)
    mechanism.refuse_names(("window",), "law")
    return law_of(mechanism, values, window)


def law_of(
    mechanism: Mechanism, values: Mapping[str, Any], window: int | Fraction = WINDOW, deadline: Deadline = NEVER
) -> Law:
    """The law for parameters that are given as a mapping, whatever their names are."""
    units = open_units(mechanism, values)
    reach = read_window(window)
    return in_fine_bases(units, lambda bases: law_with(mechanism, values, bases, reach, deadline))


def in_fine_bases(units: Mapping[str, Any], compute: Callable[[Bases], Computed]) -> Computed:
    """Compute over bases that are fine enough: wherever they are too coarse, again over finer ones."""
    bases = Bases(units)
    while True:
        try:
            return compute(bases)
        except Finer as finer:
            bases = finer.bases


def read_window(window: Any) -> int | Fraction:
    """How far the numbers of an output are told apart; InputError where it is no number of at least 0."""
    reach = exact(window, "window")
    if reach < 0:
        raise InputError(f"window must be at least 0, not {shown(window)}")
    return reach


def check_mechanism(mechanism: object) -> None:
    """Raise InputError unless it is a mechanism."""
    if not isinstance(mechanism, Mechanism):
        raise InputError(f"law takes a mechanism, not {mechanism!r}; decorate the function with @mechanism")


def open_units(mechanism: Mechanism, values: Mapping[str, Any]) -> dict[str, Any]:
    """The privacy parameters that are left open, and their units."""
    check_mechanism(mechanism)
    unknown = [name for name in values if name not in mechanism.parameters]
    if unknown:
        names = ", ".join(mechanism.parameters)
        raise InputError(f"{mechanism.name} has no parameter {unknown[0]!r}; it takes {names}")
    units = {}
    for name, kind in mechanism.parameters.items():
        if name in values or name in mechanism.defaults:
            continue
        if not isinstance(kind, Epsilon | Eta):
            raise InputError(f"{mechanism.name} needs {name}=…; only privacy parameters may be left open")
        units[name] = 2 if isinstance(kind, Eta) else "e"
    return units


def law_with(
    mechanism: Mechanism,
    values: Mapping[str, Any],
    bases: Bases,
    window: int | Fraction,
    deadline: Deadline = NEVER,
) -> Law:
    """The law over given bases; raises Finer where they are too coarse, OutOfTime after the deadline."""
    arguments = _arguments(mechanism, values, bases)
    by_output: dict[Any, list[RationalFunction]] = {}
    masses: dict[Any, dict[IntegerInterval, RationalFunction]] = {}

    def run(choices: Choices) -> tuple[Any, RationalFunction] | None:
        path = LatticePath(choices, bases.one(), masses)
        try:
            context = LawContext(mechanism, path, bases)
            context.tick = deadline.check
            return _run(mechanism, arguments, context, Fraction(window)), path_probability(path)
        except Infeasible:
            return None

    try:
        for ending in explore(run, MOST_PATHS, deadline.check):
            if ending is not None:
                by_output.setdefault(ending[0], []).append(ending[1])
    except TooManyPaths:
        raise Unsupported(f"the mechanism has more than {MOST_PATHS} paths; take smaller inputs") from None
    summed = {output: add_all(parts) for output, parts in by_output.items()}
    if add_all(summed.values()) != 1:
        raise InternalError(f"the probabilities of {mechanism.name} do not add up to 1")
    return Law(MappingProxyType({o: p for o, p in summed.items() if not p.is_zero}), bases)


def canonical_output(value: Any) -> Any:
    """An output with lists as tuples and whole numbers as ints, so that equal outputs are one."""
    if isinstance(value, list | tuple):
        return tuple(canonical_output(x) for x in value)
    if isinstance(value, Members):
        return frozenset(canonical_output(x) for x in value.items)
    if isinstance(value, bool):
        return Truth(value)
    if isinstance(value, Fraction) and value.denominator == 1:
        return int(value)
    return value


def output_as_written(output: Any) -> Any:
    """An output with its Booleans as Python's own."""
    if isinstance(output, tuple):
        return tuple(map(output_as_written, output))
    return output.value if isinstance(output, Truth) else output


def taken_together(output: Any) -> bool:
    """Whether some part of an output is all that lies beyond the window."""
    return isinstance(output, Beyond) or (isinstance(output, tuple) and any(map(taken_together, output)))


def _coarsened(output: Any, window: int | Fraction) -> Any:
    if isinstance(output, tuple):
        return tuple(_coarsened(part, window) for part in output)
    if not isinstance(output, int | Fraction) or -window <= output <= window:
        return output
    return Beyond(">", canonical_output(window)) if output > window else Beyond("<", canonical_output(-window))


def _arguments(mechanism: Mechanism, values: Mapping[str, Any], bases: Bases) -> dict[str, Any]:
    admitted = mechanism.domain.admit_some({**mechanism.defaults, **values})
    closed = {name: _exact(value, name) for name, value in admitted.items()}
    left_open = {name: Rate(bases, {name: Fraction(1)}) for name in mechanism.parameters if name not in closed}
    return {**exact_arguments(mechanism, closed), **left_open}


def _exact(value: Any, name: str) -> Any:
    """Floats as the decimals they print as."""
    if isinstance(value, tuple):
        return tuple(exact(x, name) for x in value)
    return value if isinstance(value, Bits) else exact(value, name)


def _run(mechanism: Mechanism, arguments: Mapping[str, Any], context: LawContext, window: Fraction) -> Any:
    evaluator, path = Evaluator(context), context.path
    output: Any
    try:
        output = evaluator.call(mechanism.program, tuple(mechanism.environment(arguments).values()))
        if mechanism.program.is_generator:
            output = tuple(evaluator.outputs)
    except Undefined as problem:
        failure = NotDefined(problem.problem)
        output = (*evaluator.outputs, failure) if mechanism.program.is_generator else failure
    return canonical_output(_seen(output, path, window))


def _seen(value: Any, path: LatticePath, window: Fraction) -> Any:
    """An output with each number that has noise as one number, or as what lies beyond the window."""
    if isinstance(value, tuple):
        return tuple([_seen(part, path, window) for part in value])
    if isinstance(value, Rate | RationalFunction):
        raise Unsupported("an output depends on a privacy parameter that is left open; give it a value")
    if not isinstance(value, NoisyNumber):
        return value
    settled = path.settled(value)
    if settled.parts and not path.finite(settled.normal()[0]):
        if value.compare(">", window):
            return Beyond(">", canonical_output(window))
        if value.compare("<", -window):
            return Beyond("<", canonical_output(-window))
        settled = path.settled(value)  # comparisons try noise of few values one by one
    if not settled.parts:
        return settled.offset
    form, factor, end = settled.normal()
    return factor * (path.pick(form) - end)
