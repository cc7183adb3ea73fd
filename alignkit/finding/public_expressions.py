"""Expressions of the public parameters that numbers at several settings fit. Nothing here is sound: `check` decides."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from alignkit.language.parameters import Epsilon, Eta, Proportion
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.worst_case.fitting import solve

# The most summands of a claim, and how many claims are tried.
_SUMMANDS = 3
MOST_CLAIMS = 3

# What a claim calls the number of outputs.
LENGTH = "len(omega)"

Point = tuple[Mapping[str, Any], Fraction]
"""The public parameters, and a number."""

Powers = tuple[tuple[str, int], ...]
"""A product of powers of public parameters."""


def product_value(powers: Powers, public: Mapping[str, Any]) -> Fraction:
    """The number that a product is."""
    value = Fraction(1)
    for name, power in powers:
        value *= Fraction(public[name]) ** power
    return value


def product_text(factor: Fraction, powers: Powers) -> str:
    """A product as Python.

    >>> product_text(Fraction(1, 2), (("eps", 1), ("delta", -1)))
    'eps / (2 * delta)'
    """
    above = [name for name, power in powers for _ in range(power)]
    below = [name for name, power in powers for _ in range(-power)]
    above = ([str(factor.numerator)] if factor.numerator != 1 or not above else []) + above
    below = ([str(factor.denominator)] if factor.denominator != 1 else []) + below
    if not below:
        return " * ".join(above)
    under = below[0] if len(below) == 1 else f"({' * '.join(below)})"
    return f"{' * '.join(above)} / {under}"


def fitted_product(mechanism: Mechanism, points: Sequence[Point]) -> str | None:
    """The product of powers of public parameters that all points agree with; None where there is none."""
    names = [name for name, kind in mechanism.public.items() if not kind.vector]
    exponents = sorted(itertools.product((0, 1, -1), repeat=len(names)), key=lambda each: sum(map(abs, each)))
    for chosen in exponents:
        powers = tuple((name, power) for name, power in zip(names, chosen, strict=True) if power)
        if any(not public[name] for public, _ in points for name, _ in powers):
            continue
        ratios = {value / product_value(powers, public) for public, value in points}
        if len(ratios) == 1:
            return product_text(ratios.pop(), powers)
    return None


def fitting_claims(mechanism: Mechanism, points: Sequence[Point], summands: int = _SUMMANDS) -> Iterator[str]:
    """Expressions that are never below a point and meet as many as they can, those with few summands first."""
    products = list(_products(mechanism, by_length=any(LENGTH in public for public, _ in points)))
    best: list[tuple[Any, str]] = []
    for count in range(1, summands + 1):
        for basis in itertools.combinations(products, count):
            rows = [[product_value(powers, public) for powers in basis] for public, _ in points]
            for factors in _through_points(rows, [value for _, value in points]):
                totals = [sum((f * x for f, x in zip(factors, row, strict=True)), Fraction(0)) for row in rows]
                slack = [total - value for total, (_, value) in zip(totals, points, strict=True)]
                if min(slack) < 0 or not all(factors) or max(f.denominator for f in factors) > 24:
                    continue
                met = sum(not s for s in slack)
                if met > count:
                    text = _sum_text(factors, basis)
                    best.append(((-met, count, sum(slack), len(text)), text))
        if any(key[0] == -len(points) for key, _ in best):
            break
    fitting = dict.fromkeys(text for _, text in sorted(best)[:MOST_CLAIMS])
    yield from dict.fromkeys([*fitting, *_half_budgets(mechanism, points)])


def _half_budgets(mechanism: Mechanism, points: Sequence[Point]) -> Iterator[str]:
    """The least multiple of half the budget that is never below a point, where there is one budget."""
    budgets = _budgets(mechanism)
    if len(budgets) == 1:
        most = max((value / Fraction(public[budgets[0]]) for public, value in points), default=Fraction(0))
        yield product_text(Fraction(max(1, math.ceil(2 * most)), 2), ((budgets[0], 1),))


def _budgets(mechanism: Mechanism) -> list[str]:
    return [name for name, kind in mechanism.public.items() if isinstance(kind, Epsilon | Eta)]


def _through_points(rows: Sequence[Sequence[Fraction]], values: Sequence[Fraction]) -> Iterator[list[Fraction]]:
    """Factors that meet as many points as there are factors."""
    for chosen in itertools.islice(itertools.combinations(range(len(rows)), len(rows[0])), 20):
        solved = solve([rows[i] for i in chosen], [values[i] for i in chosen])
        if solved is not None:
            yield solved


def _products(mechanism: Mechanism, *, by_length: bool) -> Iterator[Powers]:
    """What a claim may be a sum of: a budget, times or over counts, times proportions and sensitivities."""
    counts = [name for name, kind in mechanism.public.items() if kind.integer]
    shares = [name for name, kind in mechanism.public.items() if isinstance(kind, Proportion)]
    bounds = [kind.sensitivity for kind in mechanism.private.values() if isinstance(kind.sensitivity, str)]
    factors: list[Powers] = [(), *(((name, 1),) for name in (*counts, *shares, *bounds))]
    factors += [((name, -1),) for name in counts]
    factors += [((share, 1), (count, way)) for share in shares for count in counts for way in (1, -1)]
    if by_length:
        shared: list[Powers] = [(), *(((count, -1),) for count in counts)]
        factors += [((LENGTH, 1), *factor, *share) for factor in shared for share in ((), *(((s, 1),) for s in shares))]
    for budget in _budgets(mechanism):
        for factor in factors:
            yield ((budget, 1), *factor)


def _sum_text(factors: Sequence[Fraction], basis: Sequence[Powers]) -> str:
    text = ""
    for factor, powers in zip(factors, basis, strict=True):
        sign = " - " if factor < 0 else " + "
        text += f"{sign if text else sign.strip(' +')}{product_text(abs(factor), powers)}"
    return text
