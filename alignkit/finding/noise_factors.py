"""What each draw spends of a claim, and the scales with which the claim is spent at the least sum of variances.

With the shifts fixed, a draw costs C when its scale is b, and C / r when it is b * r. The sum of the draws' variances
is least, of all r with which the costs of a run add up to the claim, where the share of the claim that a draw gets is
proportional to the cube root of C² · (its variance): the rule of which Lyu, Su and Li (PVLDB 2017, Section 4.2) derive
the split 1 : (2c)^(2/3) of sparse vector. Draws that no run pays for together share one part of the claim.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from alignkit.finding.mending import DrawScale
from alignkit.finding.paired_runs import PairedRun
from alignkit.finding.products import Product, total
from alignkit.finding.programs import Solution, linear_shifts, rate
from alignkit.finding.public_expressions import LENGTH, fitted_product, fitting_claims
from alignkit.finding.samples import Samples

# A lattice so fine, in scales, that noise on it has the variance of noise on the reals.
_FINE = 1e-4
_LARGEST_DENOMINATOR = 10**4


@dataclass(frozen=True)
class Factors:
    """What the scale of each draw is multiplied by. ``common`` says that it is one factor for all draws."""

    by_draw: Mapping[str, Product]
    roots: tuple[Product, ...] = field(default=())
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


def spending(solution: Solution, samples: Samples) -> list[tuple[int, PairedRun, dict[str, Fraction]]]:
    """What each paired run pays for the shifts of each draw."""
    found = []
    for number, pair in samples.pairs:
        moved = linear_shifts(solution.shape, pair)
        paid: dict[str, Fraction] = {}
        for drawn in pair.drawn:
            linear = moved[str(drawn.where)]
            shift = sum((solution.coefficients.get(t, Fraction(0)) * v for t, v in linear.items()), Fraction(0))
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
        texts += [str(Product.of(text) / claim) for text in (fitting_claims(mechanism, points) if points else ())]
    for text in dict.fromkeys(texts):
        if text is not None and (factor := Product.of(text)).factor > 0:
            yield Factors({scale.draw.key: factor for scale in scales}, common=True)


def split_factors(
    solution: Solution, samples: Samples, claim: Product, scales: Sequence[DrawScale]
) -> Factors | None:
    """A factor for each draw, so that the claim is split where the sum of variances is least; None where unknown."""
    paid = spending(solution, samples)
    costs: dict[str, Product] = {}
    for scale in scales:
        key = scale.draw.key
        most: dict[int, Fraction] = {}
        for number, _, each in paid:
            most[number] = max(most.get(number, Fraction(0)), each.get(key, Fraction(0)))
        points = [(samples.public[number], cost) for number, cost in most.items() if cost]
        text = next(fitting_claims(samples.mechanism, points), None) if points else None
        if points and text is None:
            return None
        if text is not None:
            costs[key] = Product.of(text)
    together = _paid_together(paid, costs, samples)
    if not together:
        return None
    shared = frozenset.intersection(*together)
    alone = [rest for group in together if (rest := group - shared)]
    if any(len(rest) > 1 for rest in alone) or set(costs) != frozenset.union(*together):
        return None
    weights = {
        s.draw.key: Product.number(unit_variance(s)) * (s.public * costs[s.draw.key]).to(2)
        for s in scales
        if s.draw.key in costs
    }
    groups = [frozenset({key}) for key in weights if key in shared]
    if alone:
        groups.append(frozenset().union(*alone))
    return _split(groups, weights, costs, claim, [scale.draw.key for scale in scales])


def _split(
    groups: Sequence[frozenset[str]],
    weights: Mapping[str, Product],
    costs: Mapping[str, Product],
    claim: Product,
    draws: Sequence[str],
) -> Factors:
    ordered = [total(weight for key, weight in weights.items() if key in group) for group in groups]
    roots = [_cube_root(weight / ordered[0]) for weight in ordered]
    whole = total(roots)
    factors = dict.fromkeys(draws, Product.number(1)) | {
        key: costs[key] * whole / (claim * root)
        for group, root in zip(groups, roots, strict=True)
        for key in sorted(group)
    }
    return Factors(factors, tuple(root for root in roots if any(atom.startswith("exp(") for atom, _ in root.powers)))


def _cube_root(of: Product) -> Product:
    """The cube root, with ``exp`` and ``log`` where it is no product."""
    root = of.root(3)
    if root is not None:
        return root
    square = of.root(2)
    text = f"exp(log({of}) / 3)" if square is None else f"exp(2 * log({square}) / 3)"
    return Product(Fraction(1), ((text, 1),))


def _paid_together(
    paid: Sequence[tuple[int, PairedRun, Mapping[str, Fraction]]], costs: Mapping[str, Product], samples: Samples
) -> list[frozenset[str]]:
    """The largest sets of draws for each of which some run pays as much as any run does."""
    found: set[frozenset[str]] = set()
    most = {n: {k: c.value(public) for k, c in costs.items()} for n, public in samples.public.items()}
    for number, _, each in paid:
        if each and all(math.isclose(cost, most[number][key]) for key, cost in each.items()):
            found.add(frozenset(each))
    return [one for one in found if not any(one < other for other in found)]


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
