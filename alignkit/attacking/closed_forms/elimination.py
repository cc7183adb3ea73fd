"""The probability of a tree of constraints: variables are integrated out from the leaves to the root."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from alignkit.arithmetic.exponential_sums import ExpSum
from alignkit.arithmetic.partial_integrals import partial_integral
from alignkit.arithmetic.piecewise import Affine, Piecewise
from alignkit.attacking.closed_forms.densities import noise_density
from alignkit.attacking.closed_forms.systems import Tree
from alignkit.noise import Distribution

Law = tuple[Distribution, tuple[Fraction, ...]]


def tree_probability(noise: Mapping[str, Law], tree: Tree) -> ExpSum | None:
    """The probability that the tree's variables meet its constraints; None if a density is not of our form.

    With u's subtree below it, the probability that everything below u holds, given u, is the product over its
    children v of messages: m(u) = ∫ f(v) · (the same for v) dv over the v that the constraints allow. At the root
    the product is integrated. Children that are leaves with the same law and bounds have the same message, which is
    then made once and raised to a power.
    """
    system = tree.system
    laws = {name: noise[name] for name, _ in tree.order}
    made = {law: noise_density(*law, system.stretch) for law in set(laws.values())}
    known = {law: f for law, f in made.items() if f is not None}
    if len(known) < len(made):
        return None
    unit = math.lcm(*(f.unit for f in known.values()))
    below: dict[str, list[Piecewise]] = {name: [] for name, _ in tree.order}
    leaves: dict[str, Counter[tuple[Law, tuple[Affine, ...], tuple[Affine, ...]]]] = {}
    for name, edge in reversed(tree.order):
        factors = below[name]
        for (law, lower, upper), count in leaves.pop(name, Counter()).items():
            factors.append(partial_integral(_cumulative(*law, system.stretch, unit), lower, upper) ** count)
        if edge is None:
            whole_function = _product([*factors, known[laws[name]].refined(unit)])
            return whole_function.integral(system.low.get(name), system.high.get(name))
        lower, upper = map(tuple, edge.bounds(name))
        if name in system.low:
            lower = (*lower, Affine(0, system.low[name]))
        if name in system.high:
            upper = (*upper, Affine(0, system.high[name]))
        if factors:
            function = _product([*factors, known[laws[name]].refined(unit)])
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
