"""Exact probabilities of polyhedral regions of independent noise whose constraints form a forest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from alignkit.arithmetic.exponential_pieces import Number
from alignkit.arithmetic.exponential_sums import ExpSum
from alignkit.attacking.closed_forms.elimination import tree_probability
from alignkit.attacking.closed_forms.systems import System, components, simplified
from alignkit.errors import InputError
from alignkit.noise import Distribution

NoiseTable = Mapping[str, tuple[Distribution, tuple[Fraction, ...]]]
"""For each variable its distribution and the distribution's parameters."""


@dataclass(frozen=True)
class Linear:
    """The constraint Σ coefficient · noise + constant <= 0, of rational numbers.

    Strict or not makes no difference to a probability where the noise is continuous. A constraint that mentions no
    noise is decided by its constant, and then 0 <= 0 holds: whoever means 0 < 0 must say so otherwise.

    >>> print(Linear((("x", Fraction(1)), ("y", Fraction(-2))), Fraction(-3)))
    x - 2*y - 3 <= 0
    """

    coefficients: tuple[tuple[str, Number], ...]
    constant: Fraction

    def __str__(self) -> str:
        shown = ""
        for name, c in (*self.coefficients, ("", self.constant)):
            if c == 0:
                continue
            size = str(abs(c)) if not name else name if abs(c) == 1 else f"{abs(c)}*{name}"
            shown += (" - " if c < 0 else " + ") + size if shown else ("-" if c < 0 else "") + size
        return f"{shown or '0'} <= 0"


def region_probability(noise: NoiseTable, constraints: Sequence[Linear]) -> ExpSum | None:
    """The probability that independent noise meets all constraints, exactly; None where this method does not reach.

    It reaches continuous noise of the table in `densities`, and constraints that mention at most two variables each
    and whose graph (variables joined by a constraint) is a forest, or becomes one when constraints u - v <= a that
    follow from others are left out: "each selected one beats every other" in noisy top-k, say. Any number of
    constraints, with any coefficients, may join the same two. Noise that no constraint mentions is integrated out,
    whatever its distribution, and independent parts multiply.

    Exact since each step is: on a tree the integral is done one variable at a time, from the leaves to a root, where
    a leaf's integral, as a function of the one neighbour it is tied to, is a piecewise exponential polynomial again
    (see `messages`). An empty region, and one that demands an equality, has no terms: it is 0 by structure.

    >>> from alignkit.noise import LAPLACE
    >>> noise = {"x": (LAPLACE, (Fraction(1),)), "y": (LAPLACE, (Fraction(1),))}
    >>> print(region_probability(noise, [Linear((("y", Fraction(1)), ("x", Fraction(-1))), Fraction(2))]))  # x - y >= 2
    exp(-2)
    """
    system = System.of((c.coefficients, c.constant) for c in constraints)
    unknown = system.variables - noise.keys()
    if unknown:
        raise InputError(f"a constraint mentions {', '.join(sorted(unknown))}; known noise is {', '.join(noise)}")
    if system.impossible:
        return ExpSum()
    forest = simplified(system)
    if forest is None:
        return None
    if forest.impossible:
        return ExpSum()
    result = ExpSum.of([(0, 1)])
    for tree in components(forest):
        factor = tree_probability(noise, tree)
        if factor is None:
            return None
        result *= factor
    return result
