"""Systems of linear constraints on one or two variables each: brought to bounds, made a forest, split into trees."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from alignkit.arithmetic.exponential_pieces import Number, as_whole, rational_quotient
from alignkit.arithmetic.piecewise import Affine
from alignkit.attacking.closed_forms.difference_constraints import reduced

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
