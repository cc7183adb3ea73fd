"""What alignkit knows about a distribution of noise.

exp and quotients, on numbers and on sympy expressions alike; sympy is imported only when asked for.
"""

from __future__ import annotations

import enum
import importlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError
from alignkit.noise.distribution_parameters import LATTICE, SCALE, Parameter, checked_parameter
from alignkit.noise.lattice import is_multiple


def sympy() -> Any:
    """The sympy module, imported at the first call: drawing noise and checking alignments do without it."""
    return importlib.import_module("sympy")


def natural_exp(x: Any) -> Any:
    """e to the power x: for a number a float, infinite where it is too large for one; otherwise an expression.

    >>> natural_exp(0), natural_exp(1000)
    (1.0, inf)
    """
    if not isinstance(x, int | float | Fraction):
        return x.exp() if hasattr(x, "exp") else sympy().exp(x)
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def one_minus_exp(x: Any) -> Any:
    """1 - e**x, accurate to the last digits for x near 0; a sympy expression for anything but a number.

    >>> one_minus_exp(-1e-20)
    1e-20
    """
    return -math.expm1(x) if isinstance(x, int | float | Fraction) else 1 - sympy().exp(x)


def quotient(x: Any, y: Any) -> Any:
    """x / y: for numbers a float, infinite where it is too large for one; otherwise a sympy expression.

    >>> quotient(Fraction(1, 3), 2), quotient(-(10**400), 1)
    (0.16666666666666666, -inf)
    """
    try:
        ratio = x / y
        return float(ratio) if isinstance(ratio, int | float | Fraction) else ratio
    except OverflowError:
        return math.inf if (x > 0) == (y > 0) else -math.inf


def _holds(x: Any, symbol: str, bound: Any) -> bool:
    return bool(x >= bound if symbol == ">=" else x < bound if symbol == "<" else x <= bound)


__all__ = ["Distribution", "Parameter", "Support"]


class Support(enum.Enum):
    """Where noise may fall.

    >>> Support.NONNEGATIVE_LATTICE.continuous, Support.NONNEGATIVE_LATTICE.one_sided
    (False, True)
    """

    REALS = "the reals"
    NONNEGATIVE = "the reals x >= 0"
    LATTICE = "the multiples of the lattice"
    NONNEGATIVE_LATTICE = "the multiples x >= 0 of the lattice"
    INDICES = "the indices of weights above 0"
    INTERVAL = "the reals x >= low and x < high"
    CUT_LATTICE = "the multiples x >= low and x <= high of the lattice"

    @property
    def continuous(self) -> bool:
        """Whether every single value has probability 0."""
        return self in (Support.REALS, Support.NONNEGATIVE, Support.INTERVAL)

    @property
    def one_sided(self) -> bool:
        """Whether noise below 0 is impossible. Then an aligned noise below 0 is not valid."""
        return self in (Support.NONNEGATIVE, Support.NONNEGATIVE_LATTICE, Support.INDICES)


@dataclass(frozen=True)
class Distribution:
    """A distribution of noise: its support, density, moments, shift cost and sampler side by side.

    In the callables below, `*parameters` are the values of `parameters`, in that order; those with a default
    may be left out.

    >>> from alignkit.noise import LAPLACE, GEOMETRIC
    >>> LAPLACE.density(0, 2), LAPLACE.mean(2), LAPLACE.variance(2)
    (0.25, 0, 8)
    >>> LAPLACE.cost(Fraction(-3), 2)
    Fraction(3, 2)
    >>> GEOMETRIC.contains(Fraction(3, 2), 1, Fraction(1, 2)), GEOMETRIC.contains(-1, 1)
    (True, False)
    """

    name: str
    """The method of `Noise` that draws it: "laplace"."""

    title: str
    """Its name in a sentence or a table: "Laplace"."""

    parameters: tuple[Parameter, ...]

    support: Support

    has_atoms: bool
    """Whether some single value has a probability above 0: always on a lattice, and where values are cut off at a
    bound or rounded. Ties with such noise are not negligible.
    """

    density_on_support: Callable[..., Any] = field(repr=False)
    """density_on_support(x, *parameters): the density at x in the support, or on a lattice the probability of x.

    For numbers and for sympy expressions; see `density` and `formula`.
    """

    variance: Callable[..., Any] = field(repr=False)
    """variance(*parameters), for numbers and for sympy expressions."""

    cost: Callable[..., Any] = field(repr=False)
    """cost(shift, *parameters): the least upper bound of ln f(x)/f(x + shift), both inside the support.

    Only + - * /, abs and math.ceil, so that floats, Fractions and symbolic terms all go through it. Natural, or in bits
    (`base`). A bound below 0 means that the shift makes every noise likelier. On a lattice, shifts are multiples of it.
    Where `upward`, it is a bound for shifts of at least 0 only.
    """

    sample: Callable[..., Any] = field(repr=False)
    """sample(rng, *parameters, size=None): a Python number, or an array of that size, from a numpy Generator.

    Raises InputError for parameters that are not positive finite numbers. Floating point: not for release.
    """

    source: str = field(repr=False)
    """Where the definition comes from."""

    mean: Callable[..., Any] = field(default=lambda *parameters: 0, repr=False)
    """mean(*parameters), for numbers and for sympy expressions; left out where it is 0."""

    homogeneous: bool = True
    """Whether a shift t times as large, t > 0, costs t times as much, and noise times t is possible where noise is.

    What proposes alignments, and what bounds the cost of all alignments, rests on that; proofs do not.
    """

    base: int | None = None
    """What the cost is a logarithm to: 2, or None for the natural one. A claim must be in the same units."""

    least: Callable[..., Any] | None = field(default=None, repr=False)
    """least(x, shift, *parameters) for a shift below 0, where no shift down has a bound: a number that
    ln f(x)/f(x + shift) is at least, so that one noise vector can show a shift to cost too much. None elsewhere.
    """

    largest_mass: Callable[..., Any] | None = field(default=None, repr=False)
    """largest_mass(*parameters): a bound on the probability of each number; None where alignkit has none."""

    upper_tail: Callable[..., Any] | None = field(default=None, repr=False)
    """upper_tail(t, *parameters): a bound on the probability of noise >= t, for every real t; it may be above 1.

    For numbers and for symbolic terms. None where alignkit has no bound: a limit on such noise pays for nothing.
    """

    lower_tail: Callable[..., Any] | None = field(default=None, repr=False)
    """lower_tail(t, *parameters): a bound on the probability of noise <= t, for every real t.

    Below the least noise of a one-sided distribution it may be below 0, where the probability is 0.
    """

    geometric_steps: bool = False
    """Whether it is on a lattice, and each step away from 0 divides the probability by `base` (or e) to the step's
    cost. Exact laws and exact samplers cover such distributions.
    """

    @property
    def upward(self) -> bool:
        """Whether the cost bound holds for shifts up only. Then every shift must be shown to be at least 0.

        >>> from alignkit.noise import GUMBEL, LOGISTIC
        >>> GUMBEL.upward, LOGISTIC.upward
        (True, False)
        """
        return self.least is not None

    @property
    def by_scale(self) -> bool:
        """Whether a value is the scale, its only parameter, times a value that is drawn with the scale 1.

        >>> from alignkit.noise import GEOMETRIC, LAPLACE
        >>> LAPLACE.by_scale, GEOMETRIC.by_scale
        (True, False)
        """
        return self.support.continuous and self.parameters == (SCALE,)

    def bounds(self, *parameters: Any) -> tuple[tuple[str, Any], ...]:
        """What noise must be compared with others, each as a comparison and a number; all parameters are given.

        >>> from alignkit.noise import EXPONENTIAL, UNIFORM
        >>> EXPONENTIAL.bounds(5), UNIFORM.bounds(-1, 3)
        ((('>=', 0),), (('>=', -1), ('<', 3)))
        """
        if self.support in (Support.INTERVAL, Support.CUT_LATTICE):
            return (">=", parameters[0]), ("<" if self.support.continuous else "<=", parameters[1])
        return ((">=", 0),) if self.support.one_sided else ()

    def requirements(self, *parameters: Any) -> Iterator[tuple[Any, str, Any, str]]:
        """What the parameters must be, all of them given: a number, a comparison, a number, and words with a gap.

        >>> from alignkit.noise import CHOICE, LAPLACE
        >>> list(LAPLACE.requirements(7))
        [(7, '>', 0, 'the scale of {} must be above 0')]
        >>> list(CHOICE.requirements((7,)))
        [(7, '>=', 0, 'weight 0 of {} is below 0'), (7, '>', 0, 'no weight of {} is above 0')]
        """
        if self.support is Support.INDICES:
            for i, weight in enumerate(parameters[0]):
                yield weight, ">=", 0, f"weight {i} of {{}} is below 0"
            yield sum(parameters[0]), ">", 0, "no weight of {} is above 0"
            return
        named = {parameter.name: value for parameter, value in zip(self.parameters, parameters, strict=True)}
        for parameter in self.parameters:
            for symbol, bound in ((">", parameter.above), ("<", parameter.below)):
                if bound is not None:
                    words = f"the {parameter.name} of {{}} must be {'above' if symbol == '>' else 'below'} {bound}"
                    yield named[parameter.name], symbol, named.get(str(bound), bound), words

    def possible(self, value: Any, *parameters: Any) -> Any:
        """A number of the support to be tried for one that need not be in it; on a lattice, a multiple of it.

        >>> from alignkit.noise import EXPONENTIAL, UNIFORM
        >>> EXPONENTIAL.possible(-3, 1), UNIFORM.possible(Fraction(7), -1, 3)
        (3, Fraction(-1, 1))
        """
        if self.support in (Support.INTERVAL, Support.CUT_LATTICE):
            low, high = map(Fraction, parameters[:2])
            return low + (value - low) % (high - low if self.support.continuous else high - low + parameters[-1])
        return abs(value) if self.support.one_sided else value

    def cost_at(self, x: Any, shift: Any, *parameters: Any, on_d_prime: tuple[Any, ...] | None = None) -> Any:
        """What a shift costs on a run with noise x: its cost, or where it has no bound, `least` at x.

        ``on_d_prime`` are the parameters on D′, where those of a choice are others there.

        >>> from alignkit.noise import GUMBEL
        >>> GUMBEL.cost_at(Fraction(-4), Fraction(1), 2), GUMBEL.cost_at(Fraction(-4), Fraction(-1), 1)
        (Fraction(1, 2), Fraction(68, 3))
        >>> from alignkit.noise import CHOICE
        >>> round(CHOICE.cost_at(0, 0, [1, 1], on_d_prime=([1, 3],)), 3)  # ln 1/2 : 1/4
        0.693
        """
        if self.support is Support.INDICES:
            return self._cost_of_index(x, shift, *parameters, *(on_d_prime or parameters))
        if self.least is not None and shift < 0:
            return self.least(x, shift, *parameters)
        return self.cost(shift, *parameters)

    def _cost_of_index(self, x: Any, shift: Any, weights: Any, weights_: Any) -> Any:
        """ln of the ratio of two probabilities; 0 where an index has none, since no run has it."""
        if not self.contains(x + shift, weights_):
            return Fraction(0)
        one, other = weights[int(x)], weights_[int(x + shift)]
        sums = Fraction(0) if weights == weights_ else math.log(sum(weights_)) - math.log(sum(weights))
        return sums if one == other else sums + math.log(one) - math.log(other)

    def density(self, x: int | float | Fraction, *parameters: Any) -> float:
        """The density at x, or on a lattice the probability of x; 0 outside the support.

        Raises InputError for parameters that are not positive finite numbers.
        """
        pairs = zip(self.bind(*parameters), self.parameters, strict=True)
        values = [checked_parameter(value, parameter, self.name) for value, parameter in pairs]
        return float(self.density_on_support(x, *values)) if self.contains(x, *values) else 0.0

    def formula(self, x: Any, *parameters: Any) -> Any:
        """The density on the support, or on a lattice the probability, as a sympy expression."""
        return self.density_on_support(*map(sympy().sympify, (x, *self.bind(*parameters))))

    def bind(self, *parameters: Any) -> tuple[Any, ...]:
        """All parameters, defaults filled in. Raises InputError where there are too few or too many.

        >>> from alignkit.noise import GEOMETRIC
        >>> GEOMETRIC.bind(5)
        (5, 1)
        """
        if len(parameters) == len(self.parameters):
            return parameters
        missing = self.parameters[len(parameters) :]
        if len(parameters) > len(self.parameters) or any(p.default is None for p in missing):
            names = (p.name if p.default is None else f"{p.name}={p.default}" for p in self.parameters)
            raise InputError(f"noise.{self.name} takes ({', '.join(names)}), not {len(parameters)} values")
        return (*parameters, *(p.default for p in missing))

    def contains(self, x: int | float | Fraction, *parameters: Any) -> bool:
        """Whether x is in the support; exact for ints and Fractions.

        A float is on the lattice if it is the float nearest to a multiple of it (see `lattice.is_multiple`).

        >>> from alignkit.noise import DISCRETE_LAPLACE
        >>> DISCRETE_LAPLACE.contains(Fraction(-2, 3), 1, Fraction(1, 3))
        True
        >>> DISCRETE_LAPLACE.contains(Fraction(1, 2), 1)
        False
        """
        values = self.bind(*parameters)
        if isinstance(x, float) and not math.isfinite(x):
            return False
        if not all(_holds(x, symbol, bound) for symbol, bound in self.bounds(*values)):
            return False
        if self.support is Support.INDICES:
            return x == int(x) and x < len(values[0]) and values[0][int(x)] > 0
        return self.support.continuous or is_multiple(x, values[self.parameters.index(LATTICE)])
