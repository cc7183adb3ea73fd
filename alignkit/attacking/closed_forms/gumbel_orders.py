"""Exact probabilities that independent Gumbel noise of one scale meets constraints u - v <= a.

Of independent x with P(x <= t) = exp(-e^(-t/s)), such as Gumbel noise of scale s, let x be the largest in a tree: each
of its children u is at most x - b_u, and is the largest in a tree of its own. By induction u's tree is in order, with
u <= t, with probability P(u's tree) · exp(-W(u) e^(-t/s)); then x's tree is in order, with x <= t, with probability

    the product of P(u's tree) · ∫ (-∞, t] density(z) exp(-Σ W(u) e^(b_u/s) e^(-z/s)) dz
        = the product of P(u's tree) · exp(-W(x) e^(-t/s)) / W(x),    W(x) = 1 + Σ W(u) e^(b_u/s),

so that a tree is in order with probability 1 / Π W. For b = 0 this is the exponential mechanism's law, and the known
product over the places of a top-k. Constraints that are no forest are parted into some that are: where u is below two
others, one of these is the one that binds; a constraint that closes a cycle holds where its opposite does not.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from alignkit.arithmetic.enclosures import ends, precision
from alignkit.arithmetic.exponential_sums import ExpSum, Number
from alignkit.attacking.closed_forms.densities import NoiseTable
from alignkit.attacking.closed_forms.regions import reduced
from alignkit.noise import GUMBEL

# u - v <= a, by (u, v).
Differences = Mapping[tuple[str, str], Number]

# Constraints are parted into at most so many forests.
MOST_FORESTS = 2000

# With so many bits a probability is computed.
_BITS = 192


@dataclass(frozen=True)
class Orders:
    """A sum of ± 1 / (a product of weights), which is a probability; no terms where it is 0 by structure."""

    terms: tuple[tuple[int, tuple[ExpSum, ...]], ...] = ()

    def __add__(self, other: Orders) -> Orders:
        return Orders((*self.terms, *other.terms))

    def __float__(self) -> float:
        low, high = self.enclosure()
        return float((low + high) / 2)

    @property
    def largest_exponent(self) -> Fraction:
        """The largest exponent of e in a weight; 0 where there is none."""
        return max(
            (Fraction(w.exponents[-1], w.unit) for _, weights in self.terms for w in weights), default=Fraction(0)
        )

    def enclosure(self) -> tuple[Fraction, Fraction]:
        """Rational numbers that it is not below, and not above."""
        with precision(_BITS):
            total = arb(0)
            for sign, weights in self.terms:
                total += sign / math.prod((weight.ball() for weight in weights), start=arb(1))
            low, high = ends(total)
        return max(low, Fraction(0)), min(high, Fraction(1))


def order_probability(
    noise: NoiseTable,
    constraints: Iterable[tuple[Sequence[tuple[str, Number]], Fraction]],
    tick: Callable[[], object] = lambda: None,
) -> Orders | None:
    """The probability of Σ coefficient · noise + constant <= 0 for each of the constraints; None if not covered.

    Covered is Gumbel noise, and constraints on differences of two coordinates of one scale. ``tick`` is called again
    and again meanwhile, and ends the computation by an exception.

    >>> noise = {name: (GUMBEL, (Fraction(2),)) for name in "xy"}
    >>> above = order_probability(noise, [((("y", Fraction(1)), ("x", Fraction(-1))), Fraction(2))])  # x >= y + 2
    >>> abs(float(above) - 1 / (1 + math.e)) < 1e-12
    True
    """
    bounds: dict[tuple[str, str], Number] = {}
    for coefficients, constant in constraints:
        row = {name: factor for name, factor in coefficients if factor}
        if not row:
            if constant > 0:
                return Orders()
            continue
        if not is_difference(row, noise):
            return None
        (above,) = (name for name, factor in row.items() if factor > 0)
        (below,) = (name for name, factor in row.items() if factor < 0)
        end = -Fraction(constant) / row[above]
        bounds[above, below] = min(end, bounds.get((above, below), end))
    scales = {name: parameters[0] for name, (_, parameters) in noise.items()}
    forests = list(itertools.islice(_forests(bounds, tick), MOST_FORESTS + 1))
    if len(forests) > MOST_FORESTS:
        return None
    return Orders(tuple((sign, _weights(forest, scales)) for sign, forest in forests))


def is_difference(row: Mapping[str, Number], noise: NoiseTable) -> bool:
    """Whether a linear form in the noise is a multiple of the difference of two Gumbel coordinates of one scale."""
    if len(row) != 2 or sum(row.values()) != 0:
        return False
    return all(noise[name][0] is GUMBEL for name in row) and len({noise[name][1] for name in row}) == 1


def _forests(bounds: Differences, tick: Callable[[], object]) -> Iterator[tuple[int, Differences]]:
    """The constraints as a sum of forests, each with its sign; ties aside, which have probability 0."""
    left: list[tuple[int, Differences]] = [(1, bounds)]
    while left:
        tick()
        sign, differences = left.pop()
        kept = reduced(differences)
        if kept is None:
            continue
        back = _closing(kept)
        if back is not None:
            without = {pair: a for pair, a in kept.items() if pair != back}
            opposite = (back[1], back[0])
            left.append((sign, without))
            left.append((-sign, {**without, opposite: min(-kept[back], without.get(opposite, -kept[back]))}))
            continue
        twice = _below_two(kept)
        if twice is None:
            yield sign, kept
            continue
        below, one, other = twice
        # below - one <= a and below - other <= b: either one + a is the smaller, or other + b is.
        apart = kept[below, other] - kept[below, one]
        for pair, a in (((one, other), apart), ((other, one), -apart)):
            left.append((sign, {**kept, pair: min(a, kept.get(pair, a))}))


def _closing(bounds: Differences) -> tuple[str, str] | None:
    """A constraint that closes a cycle; None where none does."""
    parents: dict[str, list[str]] = {}
    for below, above in bounds:
        parents.setdefault(below, []).append(above)
    for below, above in bounds:
        seen, left = {above}, [above]
        while left:
            for parent in parents.get(left.pop(), ()):
                if parent == below:
                    return below, above
                if parent not in seen:
                    seen.add(parent)
                    left.append(parent)
    return None


def _below_two(bounds: Differences) -> tuple[str, str, str] | None:
    """A coordinate that is below two others, with these."""
    first: dict[str, str] = {}
    for below, above in bounds:
        if below in first:
            return below, first[below], above
        first[below] = above
    return None


def _weights(forest: Differences, scales: Mapping[str, Fraction]) -> tuple[ExpSum, ...]:
    """W of every coordinate that has others below it."""
    children: dict[str, list[tuple[str, Number]]] = {}
    for (below, above), a in forest.items():
        children.setdefault(above, []).append((below, -a))

    @functools.cache
    def weight(name: str) -> ExpSum:
        total = ExpSum.of([(0, 1)])
        for child, gap in children.get(name, ()):
            total = total + weight(child) * ExpSum.of([(Fraction(gap) / scales[name], 1)])
        return total

    return tuple(weight(name) for name in children)
