"""Exact probabilities of polyhedral regions of independent noise whose constraints form a forest.

Systems of constraints u - v <= a: whether they can be met, and which of them the others imply.

Systems of linear constraints on one or two variables each: brought to bounds, made a forest, split into trees.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple, TypeVar

from alignkit.arithmetic.exponential_sums import ExpSum, Number, as_whole, rational_quotient
from alignkit.arithmetic.piecewise import Affine, Piecewise, partial_integral
from alignkit.attacking.closed_forms.densities import NoiseLaw, NoiseTable, noise_density
from alignkit.errors import InputError
from alignkit.noise import Distribution

Node = TypeVar("Node", bound=Hashable)


def closure(bounds: Mapping[tuple[Node, Node], Number]) -> dict[Node, dict[Node, Number]]:
    """The least a for every u - v <= a that follows, reflexive ones included: shortest paths (Floyd and Warshall).

    From u - v <= a and v - w <= b follows u - w <= a + b, and by Farkas' lemma nothing follows in another way.

    >>> closure({("x", "y"): 1, ("y", "z"): 2})["x"]["z"]
    3
    """
    nodes = {node for pair in bounds for node in pair}
    least: dict[Node, dict[Node, Number]] = {u: {} for u in nodes}
    for (u, v), a in bounds.items():
        least[u][v] = min(a, least[u].get(v, a))
    for middle in nodes:
        onwards = list(least[middle].items())
        for u in nodes:
            first = least[u].get(middle)
            if first is None:
                continue
            row = least[u]
            for w, a in onwards:
                known = row.get(w)
                if known is None or first + a < known:
                    row[w] = first + a
    return least


def reduced(bounds: Mapping[tuple[Node, Node], Number]) -> dict[tuple[Node, Node], Number] | None:
    """The bounds that the others do not imply, or None where all hold on a set of measure zero at most.

    A bound u - v <= a is left out if u - w <= b and w - v <= c follow, with b + c <= a, for a w that is neither.
    All such may be left out at once. There being no cycle of total <= 0 (on one, u - u <= 0 or less follows: the
    constraints contradict each other, or each of the cycle holds with equality, which continuous noise does not meet),
    a shortest path from u to w cannot use the bound itself, for it would go u, v, w and on to v, more than a by a
    cycle. So the bound follows from two shorter stretches of a simple path, those from theirs, and in the end from
    bounds that are kept; were two to need each other, putting one path into the other would close such a cycle again.

    >>> reduced({("x", "y"): 0, ("y", "z"): 0, ("x", "z"): 0})
    {('x', 'y'): 0, ('y', 'z'): 0}
    >>> reduced({("x", "y"): 1, ("y", "x"): -1})
    """
    least = closure(bounds)
    if any(u in row and row[u] <= 0 for u, row in least.items()):
        return None
    kept = {}
    for (u, v), a in bounds.items():
        row = least[u]
        if not any(w not in (u, v) and v in least[w] and b + least[w][v] <= a for w, b in row.items()):
            kept[u, v] = a
    return kept


ORIGIN = ""
"""In a system of differences the variable that is 0, so that x <= a is x - ORIGIN <= a; no noise has this name."""


@dataclass(frozen=True)
class Edge:
    """The constraints between two variables: half planes {x: a · first + b · second + c <= 0}, with |a| = 1.

    Kept as {(a, b): c}; of parallel ones the narrowest. Coefficients a and b are not 0.
    """

    first: str
    second: str
    halves: dict[tuple[Number, Number], Number]

    def bounds(self, name: str) -> tuple[list[Affine], list[Affine]]:
        """The lower and upper bounds on that variable, as functions of the other."""
        lower: list[Affine] = []
        upper: list[Affine] = []
        for (a, b), c in self.halves.items():
            mine, other = (a, b) if name == self.first else (b, a)
            bound = Affine(rational_quotient(-other, mine), rational_quotient(-c, mine))
            (upper if mine > 0 else lower).append(bound)
        return lower, upper

    def other(self, name: str) -> str:
        """The variable at the other end."""
        return self.second if name == self.first else self.first


@dataclass
class System:
    """Constraints on single variables (low and high ends, None where there is none) and on pairs of variables.

    All lengths, bounds and noise alike, are ``stretch`` times the original ones, chosen such that the constants of the
    constraints are whole numbers.
    """

    variables: set[str] = field(default_factory=set)
    low: dict[str, Number] = field(default_factory=dict)
    high: dict[str, Number] = field(default_factory=dict)
    edges: dict[frozenset[str], Edge] = field(default_factory=dict)
    wide: bool = False
    impossible: bool = False
    stretch: int = 1

    @classmethod
    def of(cls, constraints: Iterable[tuple[Sequence[tuple[str, Number]], Fraction]]) -> System:
        """From pairs of coefficients and constant; `wide` if one mentions three variables or more."""
        system = cls()
        merged = [(_merged(coefficients), Fraction(constant)) for coefficients, constant in constraints]
        system.stretch = math.lcm(*((constant / c).denominator for row, constant in merged for c in row.values()))
        for row, constant in merged:
            system.variables.update(row)
            if not row:
                system.impossible |= constant > 0
            elif len(row) == 1:
                ((name, c),) = row.items()
                end = as_whole(-constant * system.stretch / c)
                if c > 0:
                    system.high[name] = min(end, system.high.get(name, end))
                else:
                    system.low[name] = max(end, system.low.get(name, end))
            elif len(row) == 2:
                first, second = sorted(row)
                size = abs(row[first])
                normal = row[first] / size, row[second] / size
                system._join(first, second, normal, constant * system.stretch / size)
            else:
                system.wide = True
        return system

    def _join(self, first: str, second: str, normal: tuple[Fraction, Fraction], constant: Fraction) -> None:
        edge = self.edges.setdefault(frozenset((first, second)), Edge(first, second, {}))
        key = as_whole(normal[0]), as_whole(normal[1])
        edge.halves[key] = max(as_whole(constant), edge.halves.get(key, constant))

    def neighbours(self) -> dict[str, list[Edge]]:
        """The edges at each variable."""
        edges: dict[str, list[Edge]] = {name: [] for name in sorted(self.variables)}
        for edge in self.edges.values():
            edges[edge.first].append(edge)
            edges[edge.second].append(edge)
        return edges

    def is_forest(self) -> bool:
        """Whether the edges form no cycle: there are as many trees as variables less edges."""
        return len(components(self)) == len(self.variables) - len(self.edges)


@dataclass(frozen=True)
class Tree:
    """One connected part of a system: its variables, each after the one it is tied to, with the edge between them.

    The first is the root, with no edge.
    """

    order: tuple[tuple[str, Edge | None], ...]
    system: System


def components(system: System) -> list[Tree]:
    """The connected parts; with the variable of most neighbours as root, for that one is integrated once only."""
    neighbours = system.neighbours()
    trees = []
    seen: set[str] = set()
    for root in sorted(neighbours, key=lambda name: -len(neighbours[name])):
        if root in seen:
            continue
        seen.add(root)
        order: list[tuple[str, Edge | None]] = [(root, None)]
        for name, _ in order:
            for edge in neighbours[name]:
                other = edge.other(name)
                if other not in seen:
                    seen.add(other)
                    order.append((other, edge))
        trees.append(Tree(tuple(order), system))
    return trees


def simplified(system: System) -> System | None:
    """An equivalent system that is a forest, up to sets of measure zero; None where there is none by this method.

    A system with a cycle loses those differences u - v <= a that follow from others, ends of single variables counted
    among these. Constraints of other kinds stay as they are.
    """
    if system.wide:
        return None
    if system.is_forest():
        return system
    forest = System(set(system.variables), dict(system.low), dict(system.high), {}, stretch=system.stretch)
    bounds = {(name, ORIGIN): end for name, end in system.high.items()}
    bounds |= {(ORIGIN, name): -end for name, end in system.low.items()}
    for edge in system.edges.values():
        for (a, b), c in edge.halves.items():
            if a == -b:
                bounds[(edge.first, edge.second) if a > 0 else (edge.second, edge.first)] = -c
            else:
                forest._join(edge.first, edge.second, (Fraction(a), Fraction(b)), Fraction(c))
    least = reduced(bounds)
    if least is None:
        forest.impossible = True
        return forest
    for (u, v), a in least.items():
        if ORIGIN not in (u, v):
            first, second = sorted((u, v))
            sign = Fraction(1 if u == first else -1)
            forest._join(first, second, (sign, -sign), Fraction(-a))
    return forest if forest.is_forest() else None


def _merged(coefficients: Sequence[tuple[str, Number]]) -> dict[str, Fraction]:
    row: dict[str, Fraction] = {}
    for name, c in coefficients:
        row[name] = row.get(name, Fraction(0)) + c
    return {name: c for name, c in row.items() if c}


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
