"""What each draw spends of a claim, and the scales with which the claim is spent at the least sum of variances.

With the shifts fixed, a draw costs C when its scale is b, and C / r when it is b * r. The sum of the draws' variances
is least, of all r with which the costs of a run add up to the claim, where the share of the claim that a draw gets is
proportional to the cube root of C² · (its variance): the rule from which Lyu, Su and Li (PVLDB 2017, Section 4.2)
derive the split 1 : (2c)^(2/3) of sparse vector. Draws that no run pays for in full together have one factor.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from alignkit.finding.paired_runs import PairedRun
from alignkit.finding.programs import Solution, rate, shift_values
from alignkit.finding.public_expressions import LENGTH, fitted_product, fitting_claims
from alignkit.finding.scales.mending import DrawScale
from alignkit.finding.scales.products import Product, total
from alignkit.finding.scenarios import Samples
from alignkit.language.parameters import Proportion
from alignkit.running.mechanism_decorator import Mechanism

# A lattice so fine, in scales, that noise on it has the variance of noise on the reals.
_FINE = 1e-4
_LARGEST_DENOMINATOR = 10**4

# The most summands of what a group of draws costs.
_SUMMANDS = 2


@dataclass(frozen=True)
class Factors:
    """What the scale of each draw is multiplied by.

    ``roots`` are the cube roots in them, and ``common`` says that it is one factor for all draws. ``chosen`` are values
    of public parameters at which the scales are multiplied so but for the numbers in ``left``.
    """

    by_draw: Mapping[str, Product]
    roots: tuple[Product, ...] = ()
    chosen: Mapping[str, Product] = field(default_factory=dict)
    left: Mapping[str, Product] = field(default_factory=dict)
    common: bool = False

    @property
    def are_one(self) -> bool:
        """Whether they leave all scales as they are."""
        return all(factor == Product.number(1) for factor in self.by_draw.values())


def unit_variance(scale: DrawScale) -> Fraction:
    """The variance of a draw with scale 1; for noise on a lattice, that of the same noise on the reals."""
    distribution = scale.draw.distribution
    arguments = (1.0,) if distribution.support.continuous else (1.0, _FINE)
    return Fraction(float(distribution.variance(*arguments))).limit_denominator(_LARGEST_DENOMINATOR)


def variances(scales: Sequence[DrawScale], factors: Factors | None = None) -> Product:
    """The measure: the sum of the variances of one draw at each of the program's draw sites."""
    one = Product.number(1)
    by_draw = {} if factors is None else factors.by_draw
    return total(
        Product.number(unit_variance(scale)) * (scale.public * by_draw.get(scale.draw.key, one)).to(2)
        for scale in scales
    )


Paid = tuple[int, PairedRun, Mapping[str, Fraction]]
"""A paired run with the number of its setting, and what it pays for the shifts of each draw."""


def spending(solution: Solution, samples: Samples) -> list[Paid]:
    """What each paired run pays for the shifts of each draw."""
    found: list[Paid] = []
    for number, pair in samples.pairs:
        shifts = shift_values(solution.shape, solution.coefficients, pair)
        paid: dict[str, Fraction] = {}
        for drawn in pair.drawn:
            shift = shifts[str(drawn.where)]
            if shift:
                key = drawn.where.key
                paid[key] = paid.get(key, Fraction(0)) + abs(shift) * rate(drawn)
        found.append((number, pair, paid))
    return found


def common_factors(
    solution: Solution, samples: Samples, claim: Product, scales: Sequence[DrawScale], *, ex_post: bool
) -> Iterator[Factors]:
    """One factor for all draws: what the dearest runs cost, divided by the claim."""
    dearest: dict[int, Fraction] = {}
    shares: dict[int, Fraction] = {}
    for number, pair, paid in spending(solution, samples):
        cost = sum(paid.values(), Fraction(0))
        dearest[number] = max(dearest.get(number, Fraction(0)), cost)
        length = {LENGTH: len(pair.output)} if ex_post else {}
        worth = claim.value({**samples.public[number], **length})
        if worth:
            share = Fraction(cost / worth).limit_denominator(_LARGEST_DENOMINATOR)
            shares[number] = max(shares.get(number, Fraction(0)), share)
    mechanism = samples.mechanism
    texts = [fitted_product(mechanism, [(samples.public[n], share) for n, share in shares.items() if share])]
    if not ex_post:
        points = [(samples.public[n], cost) for n, cost in dearest.items() if cost]
        fitted = [str(Product.of(text) / claim) for text in (fitting_claims(mechanism, points) if points else ())]
        # A program that never spends all of its budget costs no expression; one number may still be above all costs.
        texts += [*fitted[:1], str(max(shares.values(), default=None)), *fitted[1:]] if fitted else []
    for text in dict.fromkeys(texts):
        if text is not None and (factor := Product.of(text)).factor > 0:
            yield Factors({scale.draw.key: factor for scale in scales}, common=True)


def split_factors(
    solution: Solution,
    samples: Samples,
    claim: Product,
    scales: Sequence[DrawScale],
    common: Sequence[Factors],
) -> Factors | None:
    """Factors that split the claim among groups of draws where the sum of variances is least; None where unknown.

    What the groups cost adds up to what one of the ``common`` factors says of the whole, where that is possible.
    """
    paid = spending(solution, samples)
    keys = [scale.draw.key for scale in scales]
    groups = _paid_together([key for key in keys if any(key in each for _, _, each in paid)], paid)
    most = [_dearest(group, paid) for group in groups]
    wholes = [next(iter(each.by_draw.values())) * claim for each in common]
    dearest = _dearest(keys, paid)
    wholes.sort(key=lambda whole: _doubt(whole, dearest, samples))
    costs = _adding_up(most, wholes, claim, samples)
    if not costs:
        return None
    weights = [
        cost.to(2) * variances([scale for scale in scales if scale.draw.key in group])
        for group, cost in zip(groups, costs, strict=True)
    ]
    roots = [_cube_root(weight / weights[0]) for weight in weights]
    shares = [cost / claim for cost in costs]
    whole = total(roots)
    factors = dict.fromkeys(keys, Product.number(1))
    for group, cost, root in zip(groups, costs, roots, strict=True):
        factors |= dict.fromkeys(group, cost * whole / (claim * root))
    irrational = tuple(root for root in roots if any(atom.startswith("exp(") for atom, _ in root.powers))
    chosen, numbers = _chosen(samples.mechanism, shares, roots)
    left = {key: number for group, number in zip(groups, numbers, strict=False) for key in group}
    return Factors(factors, irrational, chosen, left)


def _chosen(
    mechanism: Mechanism, shares: Sequence[Product], roots: Sequence[Product]
) -> tuple[dict[str, Product], list[Product]]:
    """The value of a public proportion that splits the claim in two but for a number each, and the numbers."""
    whole = total(roots)
    for name, kind in mechanism.public.items():
        if not isinstance(kind, Proportion) or len(shares) != 2 or name in whole.names():
            continue
        mine = Product.of(name)
        split = [mine, Product.of(f"1 - {name}")]
        for ways in (split, split[::-1]):
            numbers = [share / way for share, way in zip(shares, ways, strict=True)]
            if all(number.is_number for number in numbers):
                return {name: roots[ways.index(mine)] / whole}, numbers
    return {}, []


def _doubt(whole: Product, dearest: Mapping[int, Fraction], samples: Samples) -> tuple[bool, int, float]:
    """How doubtful it is that an expression is the cost of the dearest runs; least where more points than it has
    summands meet it.
    """
    names = sorted(whole.names() & {*samples.mechanism.public})
    met = {
        tuple(samples.public[number][name] for name in names)
        for number, cost in dearest.items()
        if math.isclose(whole.value(samples.public[number]), cost)
    }
    summands = 1 + len(re.findall(" [+-] ", str(whole)))
    mean = sum(float(whole.value(public)) for public in samples.public.values())
    return len(met) <= summands, len(names), mean


def _adding_up(
    most: Sequence[Mapping[int, Fraction]], wholes: Sequence[Product], claim: Product, samples: Samples
) -> tuple[Product, ...]:
    """An expression for the cost of each group, which add up to a whole, if there are any that do."""
    fitting = [_fitted(costs, claim, samples) for costs in most]
    if not all(fitting):
        return ()
    for whole, each in itertools.product(wholes, itertools.product(*fitting)):
        if all(math.isclose(sum(c.value(p) for c in each), whole.value(p)) for p in samples.public.values()):
            return each
    for whole, i in itertools.product(wholes, range(len(most))):
        firsts = [each[0] for each in fitting]
        firsts[i] = total([whole, *(Product.number(-1) * cost for j, cost in enumerate(firsts) if j != i)])
        if _is_above(firsts[i], most[i], samples):
            return tuple(firsts)
    return tuple(each[0] for each in fitting)


def _is_above(rest: Product, dearest: Mapping[int, Fraction], samples: Samples) -> bool:
    return rest.factor > 0 and all(rest.value(samples.public[n]) >= float(c) * (1 - 1e-9) for n, c in dearest.items())


def _dearest(group: Sequence[str], paid: Sequence[Paid]) -> dict[int, Fraction]:
    """What a group of draws costs the dearest run of each setting."""
    most: dict[int, Fraction] = {}
    for number, _, each in paid:
        cost = sum((each.get(key, Fraction(0)) for key in group), Fraction(0))
        most[number] = max(most.get(number, Fraction(0)), cost)
    return most


def _fitted(dearest: Mapping[int, Fraction], claim: Product, samples: Samples) -> list[Product]:
    """Expressions that costs may be, the likeliest first."""
    points = [(samples.public[number], cost) for number, cost in dearest.items() if cost]
    if not points:
        return []
    share = max(Fraction(cost / claim.value(public)).limit_denominator(_LARGEST_DENOMINATOR) for public, cost in points)
    fitted = [Product.of(text) for text in fitting_claims(samples.mechanism, points, _SUMMANDS)]
    return [*fitted[:1], Product.number(share) * claim, *fitted[1:]]


def _paid_together(keys: Sequence[str], paid: Sequence[Paid]) -> list[list[str]]:
    """Groups of draws of which one run pays the most that is paid for each: draws of which none does share a group."""
    most: dict[int, dict[str, Fraction]] = {}
    for number, _, each in paid:
        known = most.setdefault(number, {})
        for key, cost in each.items():
            known[key] = max(known.get(key, Fraction(0)), cost)
    needed: dict[frozenset[str], set[int]] = {
        frozenset(pair): {number for number, known in most.items() if known.keys() >= {*pair}}
        for pair in itertools.combinations(keys, 2)
    }
    met: dict[frozenset[str], set[int]] = {pair: set() for pair in needed}
    for number, _, each in paid:
        dearest = [key for key, cost in each.items() if cost == most[number][key]]
        for pair in itertools.combinations(dearest, 2):
            met[frozenset(pair)].add(number)

    def rare(pair: frozenset[str]) -> bool:
        return 2 * len(met[pair]) < len(needed[pair]) or not needed[pair]

    groups: list[list[str]] = []
    for key in keys:
        apart = [group for group in groups if any(rare(frozenset((key, other))) for other in group)]
        groups = [group for group in groups if group not in apart]
        groups.append([*itertools.chain.from_iterable(apart), key])
    return sorted(groups, key=lambda group: keys.index(group[0]))


def _cube_root(of: Product) -> Product:
    """The cube root, with ``exp`` and ``log`` where it is no product."""
    root = of.root(3)
    if root is not None:
        return root
    square = of.root(2)
    text = f"exp(log({of}) / 3)" if square is None else f"exp(2 * log({square}) / 3)"
    return Product(Fraction(1), ((text, 1),))


def rescaled(samples: Samples, scales: Sequence[DrawScale], factors: Factors) -> Samples:
    """The same runs, with the costs that shifts have at other scales."""
    rates = {scale.draw.key for scale in scales if scale.is_rate}
    pairs = []
    for number, pair in samples.pairs:
        drawn = []
        for each in pair.drawn:
            factor = Fraction(factors.by_draw[each.where.key].value(samples.public[number]))
            first, *rest = each.arguments
            scaled = first / factor if each.where.key in rates else first * factor
            drawn.append(replace(each, arguments=(scaled, *rest)))
        pairs.append((number, replace(pair, drawn=tuple(drawn))))
    return replace(samples, pairs=pairs)
