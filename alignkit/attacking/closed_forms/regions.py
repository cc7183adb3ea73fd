"""Exact probabilities of polyhedral regions of independent noise whose constraints form a forest."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from alignkit.arithmetic.exponential_pieces import Number
from alignkit.arithmetic.exponential_sums import ExpSum
from alignkit.arithmetic.partial_integrals import partial_integral
from alignkit.arithmetic.piecewise import Affine, Piecewise
from alignkit.attacking.closed_forms.densities import NoiseLaw, NoiseTable, noise_density
from alignkit.attacking.closed_forms.systems import System, Tree, components, simplified
from alignkit.errors import InputError
from alignkit.noise import Distribution


class Linear(NamedTuple):
    """The constraint Σ coefficient · noise + constant <= 0, of rational numbers.

    Strict or not makes no difference to a probability where the noise is continuous. A constraint that mentions no
    noise is decided by its constant, and then 0 <= 0 holds: whoever means 0 < 0 must say so otherwise.
    """

    coefficients: tuple[tuple[str, Number], ...]
    constant: Fraction


def region_probability(noise: NoiseTable, constraints: Sequence[Linear]) -> ExpSum | None:
    """The probability that independent noise meets all constraints, exactly; None where this method does not reach.

    It reaches continuous noise of the table in `densities`, and constraints that mention at most two variables each
    and whose graph (variables joined by a constraint) is a forest, or becomes one when constraints u - v <= a that
    follow from others are left out: "each selected one beats every other" in noisy top-k, say. Any number of
    constraints, with any coefficients, may join the same two. Noise that no constraint mentions is integrated out,
    whatever its distribution, and independent parts multiply.

    Exact since each step is: on a tree the integral is done one variable at a time, from the leaves to a root, where
    a leaf's integral, as a function of the one neighbour it is tied to, is a piecewise exponential polynomial again
    (see `_tree_probability`). An empty region, and one that demands an equality, has no terms: it is 0 by structure.

    >>> from alignkit.noise import LAPLACE
    >>> noise = {"x": (LAPLACE, (Fraction(1),)), "y": (LAPLACE, (Fraction(1),))}
    >>> print(region_probability(noise, [Linear((("y", Fraction(1)), ("x", Fraction(-1))), Fraction(2))]))  # x - y >= 2
    exp(-2)
    """
    system = System.of(constraints)
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
        factor = _tree_probability(noise, tree)
        if factor is None:
            return None
        result *= factor
    return result


def _tree_probability(noise: NoiseTable, tree: Tree) -> ExpSum | None:
    """The probability that the tree's variables meet its constraints; None if a density is not of our form.

    With u's subtree below it, the probability that everything below u holds, given u, is the product over its
    children v of messages: m(u) = ∫ f(v) · (the same for v) dv over the v that the constraints allow. At the root
    the product is integrated. Children that are leaves with the same law and bounds have the same message, which is
    then made once and raised to a power.
    """
    system = tree.system
    laws = {name: noise[name] for name, _ in tree.order}
    densities: dict[NoiseLaw, Piecewise] = {}
    for law in laws.values():
        density = noise_density(*law, system.stretch)
        if density is None:
            return None
        densities[law] = density
    unit = math.lcm(*(density.unit for density in densities.values()))
    below: dict[str, list[Piecewise]] = {name: [] for name, _ in tree.order}
    leaves: dict[str, Counter[tuple[NoiseLaw, tuple[Affine, ...], tuple[Affine, ...]]]] = {}
    for name, edge in reversed(tree.order):
        factors = below[name]
        for (law, lower, upper), count in leaves.pop(name, Counter()).items():
            factors.append(partial_integral(_cumulative(*law, system.stretch, unit), lower, upper) ** count)
        if edge is None:
            whole_function = _product([*factors, densities[laws[name]].refined(unit)])
            return whole_function.integral(system.low.get(name), system.high.get(name))
        lower, upper = map(tuple, edge.bounds(name))
        if name in system.low:
            lower = (*lower, Affine(0, system.low[name]))
        if name in system.high:
            upper = (*upper, Affine(0, system.high[name]))
        if factors:
            function = _product([*factors, densities[laws[name]].refined(unit)])
            below[edge.other(name)].append(partial_integral(function.antiderivative(), lower, upper))
        else:
            leaves.setdefault(edge.other(name), Counter())[laws[name], lower, upper] += 1
    raise ValueError("a tree has a root")


@functools.lru_cache(maxsize=256)
def _cumulative(distribution: Distribution, parameters: tuple[Fraction, ...], stretch: int, unit: int) -> Piecewise:
    """The distribution function, in units that suit the whole tree."""
    f = noise_density(distribution, parameters, stretch)
    assert f is not None, "asked for before"
    return f.refined(unit).antiderivative()


def _product(factors: list[Piecewise]) -> Piecewise:
    return functools.reduce(Piecewise.__mul__, factors)
