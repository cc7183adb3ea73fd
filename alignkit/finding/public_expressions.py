"""Expressions of the public parameters that numbers at several settings fit. Nothing here is sound: `check` decides."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from alignkit.language.parameters import Epsilon, Eta, Proportion
from alignkit.running.mechanism_decorator import Mechanism

# The most summands of a claim, and how many claims are tried.
_SUMMANDS = 3
MOST_CLAIMS = 3

# How many choices of points a claim is put through, and the largest denominator of its factors.
_TRIALS, _LARGEST_DENOMINATOR = 40, 24

_ROUNDING = 1e-9

# What a claim calls the number of outputs.
LENGTH = "len(omega)"

Point = tuple[Mapping[str, Any], Fraction]
"""The public parameters, and a number."""

Powers = tuple[tuple[str, int], ...]
"""A product of powers of public parameters, and of what a proportion lacks to 1, such as `1 - theta`."""

_REST = "1 - "


def _factor_value(name: str, public: Mapping[str, Any]) -> Fraction:
    return 1 - Fraction(public[name.removeprefix(_REST)]) if name.startswith(_REST) else Fraction(public[name])


def product_value(powers: Powers, public: Mapping[str, Any]) -> Fraction:
    """The number that a product is.

    >>> product_value((("eps", 1), ("1 - theta", -1)), {"eps": 2, "theta": Fraction(1, 2)})
    Fraction(4, 1)
    """
    value = Fraction(1)
    for name, power in powers:
        value *= _factor_value(name, public) ** power
    return value


def product_text(factor: Fraction, powers: Powers) -> str:
    """A product as Python.

    >>> product_text(Fraction(1, 2), (("eps", 1), ("delta", -1)))
    'eps / (2 * delta)'
    """
    above = [_in_product(name) for name, power in powers for _ in range(power)]
    below = [_in_product(name) for name, power in powers for _ in range(-power)]
    above = ([str(factor.numerator)] if factor.numerator != 1 or not above else []) + above
    below = ([str(factor.denominator)] if factor.denominator != 1 else []) + below
    if not below:
        return " * ".join(above)
    under = below[0] if len(below) == 1 else f"({' * '.join(below)})"
    return f"{' * '.join(above)} / {under}"


def _in_product(name: str) -> str:
    return f"({name})" if name.startswith(_REST) else name


def fitted_product(mechanism: Mechanism, points: Sequence[Point]) -> str | None:
    """The product of powers of public parameters that all points agree with; None where there is none."""
    names = [name for name, kind in mechanism.public.items() if not kind.vector]
    names += [f"{_REST}{name}" for name, kind in mechanism.public.items() if isinstance(kind, Proportion)]
    exponents = sorted(itertools.product((0, 1, -1), repeat=len(names)), key=lambda each: sum(map(abs, each)))
    for chosen in exponents:
        powers = tuple((name, power) for name, power in zip(names, chosen, strict=True) if power)
        if any(not _factor_value(name, public) for public, _ in points for name, _ in powers):
            continue
        ratios = {value / product_value(powers, public) for public, value in points}
        if len(ratios) == 1:
            return product_text(ratios.pop(), powers)
    return None


def fitting_claims(mechanism: Mechanism, points: Sequence[Point], summands: int = _SUMMANDS) -> Iterator[str]:
    """Expressions that are never below a point and meet all or many, those with few summands first."""
    lengths = {name: None for public, _ in points for name in public if name.startswith("len(")}
    products = list(_products(mechanism, lengths))
    table = [[product_value(powers, public) for powers in products] for public, _ in points]
    values = [value for _, value in points]
    budgets = _budgets(mechanism)
    best: list[tuple[Any, str]] = []
    for count in range(1, summands + 1):
        for chosen, factors in _candidates(table, values, count):
            totals = [sum((f * row[i] for f, i in zip(factors, chosen, strict=True)), Fraction(0)) for row in table]
            slack = [total - value for total, value in zip(totals, values, strict=True)]
            met = sum(not s for s in slack)
            over_budget = any(((budget, -1),) == products[i] for budget in budgets for i in chosen)
            # What meets no more points than it has factors says nothing. A difference must meet them all, and so must a
            # number over a budget: few draws have a scale that grows with the budget.
            enough = len(points) if min(factors) < 0 or over_budget else count + 1
            if min(slack) >= 0 and met >= enough and not (over_budget and count > 1):
                text = _sum_text(factors, [products[i] for i in chosen])
                # A further summand must explain two more points, unless all points are met.
                best.append(((met < len(points), 2 * count - met, count, over_budget, sum(slack), len(text)), text))
        if any(not key[0] for key, _ in best):
            break
    fitting = dict.fromkeys(text for _, text in sorted(best)[:MOST_CLAIMS])
    yield from dict.fromkeys([*fitting, *_half_budgets(mechanism, points)])


def _candidates(
    table: Sequence[Sequence[Fraction]], values: Sequence[Fraction], count: int
) -> Iterator[tuple[tuple[int, ...], list[Fraction]]]:
    """Columns of the table, ``count`` at a time, with factors that seem to meet points and to stay above the rest."""
    import numpy as np

    columns, wanted = np.array(table, dtype=float), np.array(values, dtype=float)
    rows = list(itertools.islice(itertools.combinations(range(len(values)), count), _TRIALS))
    if not rows:
        return
    for chosen in itertools.combinations(range(columns.shape[1]), count):
        basis = columns[:, chosen]
        squares = basis[rows]
        solvable = np.abs(np.linalg.det(squares)) > _ROUNDING
        if not solvable.any():
            continue
        solved = np.linalg.solve(squares[solvable], wanted[rows][solvable][..., None])[..., 0]
        above = (solved @ basis.T >= wanted - _ROUNDING).all(axis=1)
        for factors in np.unique(np.round(solved[above], 9), axis=0):
            exact = [Fraction(factor).limit_denominator(_LARGEST_DENOMINATOR) for factor in factors]
            if all(exact):
                yield chosen, exact


def _half_budgets(mechanism: Mechanism, points: Sequence[Point]) -> Iterator[str]:
    """The least multiple of half the budget that is never below a point, where there is one budget."""
    budgets = _budgets(mechanism)
    if len(budgets) == 1:
        most = max((value / Fraction(public[budgets[0]]) for public, value in points), default=Fraction(0))
        yield product_text(Fraction(max(1, math.ceil(2 * most)), 2), ((budgets[0], 1),))


def _budgets(mechanism: Mechanism) -> list[str]:
    return [name for name, kind in mechanism.public.items() if isinstance(kind, Epsilon | Eta)]


def _products(mechanism: Mechanism, lengths: Iterable[str]) -> Iterator[Powers]:
    """What a claim may be a sum of: a budget, times or over counts, times proportions and sensitivities; 1 / budget.

    ``lengths`` are those of lists or of the output, by which a claim may go too.
    """
    counts = [name for name, kind in mechanism.public.items() if kind.integer]
    proportions = [name for name, kind in mechanism.public.items() if isinstance(kind, Proportion)]
    shares = [share for name in proportions for share in (name, f"{_REST}{name}")]
    declared = [kind.declared_bound for kind in mechanism.private.values()]
    bounds = [each if isinstance(each, str) else each.name for each in declared if not isinstance(each, int | Fraction)]
    factors: list[Powers] = [(), *(((name, 1),) for name in (*counts, *shares, *bounds))]
    factors += [((name, -1),) for name in counts]
    factors += [((share, -1),) for share in shares]
    factors += [((share, 1), (count, way)) for share in shares for count in counts for way in (1, -1)]
    shared: list[Powers] = [(), *(((count, -1),) for count in counts)]
    for length in lengths:
        factors += [((length, 1), *factor, *share) for factor in shared for share in ((), *(((s, 1),) for s in shares))]
    for budget in _budgets(mechanism):
        for factor in factors:
            yield ((budget, 1), *factor)
        yield ((budget, -1),)


def _sum_text(factors: Sequence[Fraction], basis: Sequence[Powers]) -> str:
    text = ""
    for factor, powers in zip(factors, basis, strict=True):
        sign = " - " if factor < 0 else " + "
        text += f"{sign if text else sign.strip(' +')}{product_text(abs(factor), powers)}"
    return text
