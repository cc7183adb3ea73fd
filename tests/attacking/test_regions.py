"""Probabilities of regions: closed forms, exact sums to one, symmetries, sampling, and what is out of reach."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignkit.arithmetic.exponential_sums import ExpSum
from alignkit.attacking.closed_forms.regions import Linear, region_probability
from alignkit.errors import InputError
from alignkit.noise import DISCRETE_LAPLACE, EXPONENTIAL, GEOMETRIC, LAPLACE

FEW = settings(max_examples=20, deadline=None, derandomize=True)
ONE = ExpSum.of({0: 1})
SCALES = st.fractions(min_value=F(1, 3), max_value=4, max_denominator=3)
LENGTHS = st.fractions(min_value=-4, max_value=4, max_denominator=3)


def form(constant=0, **coefficients) -> dict:
    return {"": F(constant), **{name: F(c) for name, c in coefficients.items()}}


def at_most(left: dict, right: dict) -> Linear:
    """left <= right, of affine forms."""
    row = {name: left.get(name, F(0)) - right.get(name, F(0)) for name in left.keys() | right.keys()}
    constant = row.pop("")
    return Linear(tuple(sorted(row.items())), constant)


def laplace(*scales, **named) -> dict:
    named |= {f"x{i}": scale for i, scale in enumerate(scales)}
    return {name: (LAPLACE, (F(scale),)) for name, scale in named.items()}


def sparse_vector(q, tags, eps=F(1), threshold=0):
    """Noise and constraints of tags for each query: "above", "below", or an interval that the gap lies in."""
    noise = laplace(*[4 / eps] * len(q), eta=2 / eps)
    constraints = []
    for i, (answer, tag) in enumerate(zip(q, tags)):
        noisy, bar = form(answer, **{f"x{i}": 1}), form(threshold, eta=1)
        if tag == "below":
            constraints.append(at_most(noisy, bar))
        elif tag == "above":
            constraints.append(at_most(bar, noisy))
        else:
            low, high = tag
            constraints.append(at_most(form(threshold + low, eta=1), noisy))
            if high is not None:
                constraints.append(at_most(noisy, form(threshold + high, eta=1)))
    return noise, constraints


def noisy_order(q, selected, law=(LAPLACE, (F(2),)), all_pairs=False):
    """Noise and constraints for these to be the largest noisy answers, in this order."""
    noise = {f"x{i}": law for i in range(len(q))}
    noisy = [form(answer, **{f"x{i}": 1}) for i, answer in enumerate(q)]
    others = [i for i in range(len(q)) if i not in selected]
    pairs = list(itertools.combinations(selected, 2) if all_pairs else itertools.pairwise(selected))
    pairs += [(i, j) for i in (selected if all_pairs else selected[-1:]) for j in others]
    return noise, [at_most(noisy[j], noisy[i]) for i, j in pairs]


def adaptive_sparse_vector(q, branches, margin=F(2)):
    """Two noises per query on one threshold: the first branch, the second, or neither."""
    noise = laplace(eta=2)
    constraints = []
    bar = form(eta=1)
    for i, (answer, branch) in enumerate(zip(q, branches)):
        noise |= laplace(**{f"a{i}": 8, f"b{i}": 4})
        first, second = form(answer - margin, **{f"a{i}": 1}), form(answer, **{f"b{i}": 1})
        constraints.append(at_most(bar, first) if branch == 0 else at_most(first, bar))
        if branch:
            constraints.append(at_most(bar, second) if branch == 1 else at_most(second, bar))
    return noise, constraints


# --- Closed forms -----------------------------------------------------------------------------------


@FEW
@given(SCALES, LENGTHS.map(abs))
def test_the_difference_of_two_laplace_of_one_scale(b, z):
    # P(X - Y > z) = (1/2 + z/4b) e^{-z/b} for z >= 0.
    exact = region_probability(laplace(x=b, y=b), [at_most(form(z, y=1), form(x=1))])
    assert exact == ExpSum.of({-z / b: F(1, 2) + z / (4 * b)})


@FEW
@given(SCALES, SCALES, LENGTHS.map(abs))
def test_the_difference_of_two_laplace_of_different_scales(a, b, z):
    # P(X - Y > z) = (a² e^{-z/a} - b² e^{-z/b}) / 2(a² - b²) for z >= 0.
    if a != b:
        exact = region_probability(laplace(x=a, y=b), [at_most(form(z, y=1), form(x=1))])
        scale = 2 * (a * a - b * b)
        assert exact == ExpSum.of([(-z / a, a * a / scale), (-z / b, -b * b / scale)])


@FEW
@given(st.lists(SCALES, min_size=2, max_size=5), LENGTHS.map(abs))
def test_the_least_of_exponential_noise(scales, z):
    # The least is x0 with probability r0/Σr where r = 1/scale, and is above z with probability e^{-zΣr}.
    noise = {f"x{i}": (EXPONENTIAL, (scale,)) for i, scale in enumerate(scales)}
    rates = [1 / scale for scale in scales]
    least = [at_most(form(x0=1), form(**{f"x{i}": 1})) for i in range(1, len(scales))]
    assert region_probability(noise, least) == ExpSum.of({0: rates[0] / sum(rates)})
    assert region_probability(noise, [*least, at_most(form(z), form(x0=1))]) == ExpSum.of(
        {-z * sum(rates): rates[0] / sum(rates)}
    )


@FEW
@given(st.lists(SCALES, min_size=2, max_size=5))
def test_the_order_of_exponential_noise(scales):
    # x0 <= x1 <= …: each is the least of those that are left, with probability r/Σr over these.
    noise = {f"x{i}": (EXPONENTIAL, (scale,)) for i, scale in enumerate(scales)}
    chain = [at_most(form(**{f"x{i}": 1}), form(**{f"x{i + 1}": 1})) for i in range(len(scales) - 1)]
    expected = F(1)
    for i, scale in enumerate(scales):
        expected *= 1 / scale / sum(1 / left for left in scales[i:])
    assert region_probability(noise, chain) == ExpSum.of({0: expected})


def test_ten_queries_against_quadrature_over_the_threshold():
    q = [F(i * i % 7, 2) - 1 for i in range(10)]
    tags = ["below"] * 6 + ["above", (F(0), F(1)), (F(1, 2), F(5, 2)), (F(3), None)]
    exact = region_probability(*sparse_vector(q, tags, eps=F(1, 2)))

    def tail(x):  # P(X >= x) for Laplace noise of scale 8
        return mpmath.exp(-x / 8) / 2 if x > 0 else 1 - mpmath.exp(x / 8) / 2

    def given(eta):
        product = mpmath.exp(-abs(eta) / 4) / 8
        for answer, tag in zip(q, tags):
            low, high = {"below": (None, F(0)), "above": (F(0), None)}.get(tag, tag)
            at = eta - mpmath.mpf(answer.numerator) / answer.denominator
            above = 1 if low is None else tail(at + mpmath.mpf(low.numerator) / low.denominator)
            product *= above - (0 if high is None else tail(at + mpmath.mpf(high.numerator) / high.denominator))
        return product

    kinks = sorted({F(0), *(answer - end for answer in q for end in (F(0), F(1), F(1, 2), F(5, 2), F(3)))})
    with mpmath.workdps(30):
        value = mpmath.quad(given, [-400, -100, -30, *(mpmath.mpf(float(k)) for k in kinks), 30, 100, 400], maxdegree=5)
        low, high = exact.enclosure(60)
        assert mpmath.almosteq(value, mpmath.mpf(low.numerator) / low.denominator, rel_eps=mpmath.mpf(10) ** -15)


@FEW
@given(SCALES, st.fractions(min_value=F(1, 4), max_value=4, max_denominator=4))
def test_slopes_that_are_not_one(b, slope):
    # x <= slope · y for two exponentials of one scale: slope / (1 + slope). Between y/2 and slope · y: the difference.
    noise = {"x": (EXPONENTIAL, (b,)), "y": (EXPONENTIAL, (b,))}
    upper = at_most(form(x=1), form(y=slope))
    lower = at_most(form(y=F(1, 2)), form(x=1))
    assert region_probability(noise, [upper]) == ExpSum.of({0: slope / (1 + slope)})
    assert region_probability(noise, [upper, lower]) == ExpSum.of({0: max(F(0), slope / (1 + slope) - F(1, 3))})


# --- Outcomes of a mechanism come to 1 exactly ------------------------------------------------------


@FEW
@given(st.lists(LENGTHS, min_size=1, max_size=5), LENGTHS, SCALES)
def test_the_tags_of_sparse_vector_come_to_one(q, threshold, eps):
    outcomes = itertools.product(("above", "below"), repeat=len(q))
    assert sum((region_probability(*sparse_vector(q, tags, eps, threshold)) for tags in outcomes), ExpSum()) == ONE


@FEW
@given(st.lists(LENGTHS, min_size=3, max_size=3), st.lists(LENGTHS, min_size=2, max_size=2, unique=True).map(sorted))
def test_intervals_of_gaps_come_to_the_tag(q, ends):
    low, high = max(ends[0], F(0)), max(ends[1], F(0)) + 1
    whole = region_probability(*sparse_vector(q, ("below", "above", "above")))
    parts = [(0, low), (low, high), (high, None)]
    events = [("below", first, second) for first in parts for second in parts]
    assert sum((region_probability(*sparse_vector(q, tags)) for tags in events), ExpSum()) == whole


@FEW
@given(st.lists(LENGTHS, min_size=1, max_size=6), st.sampled_from([LAPLACE, EXPONENTIAL]), SCALES)
def test_the_winners_of_noisy_max_come_to_one(q, distribution, scale):
    law = (distribution, (scale,))
    winners = (region_probability(*noisy_order(q, [i], law)) for i in range(len(q)))
    assert sum(winners, ExpSum()) == ONE


@FEW
@given(st.lists(LENGTHS, min_size=4, max_size=4), st.booleans())
def test_the_orders_of_the_top_two_come_to_one(q, all_pairs):
    orders = itertools.permutations(range(len(q)), 2)
    assert sum((region_probability(*noisy_order(q, list(o), all_pairs=all_pairs)) for o in orders), ExpSum()) == ONE


@settings(max_examples=5, deadline=None, derandomize=True)
@given(st.lists(st.integers(-2, 2), min_size=3, max_size=3))
def test_the_branches_of_adaptive_sparse_vector_come_to_one(q):
    outcomes = itertools.product(range(3), repeat=len(q))
    assert sum((region_probability(*adaptive_sparse_vector(q, branches)) for branches in outcomes), ExpSum()) == ONE


def test_ten_queries_with_unary_intervals_come_to_the_tag():
    noise, constraints = sparse_vector([0, 1] * 5, ["below"] * 9 + ["above"])
    noisy = form(1, x9=1)
    cuts = [None, F(-1), F(0), F(5, 2), None]
    parts = []
    for low, high in itertools.pairwise(cuts):
        ends = [at_most(form(low), noisy)] if low is not None else []
        ends += [at_most(noisy, form(high))] if high is not None else []
        parts.append(region_probability(noise, constraints + ends))
    assert sum(parts, ExpSum()) == region_probability(noise, constraints)


# --- Symmetries and equivalent systems --------------------------------------------------------------


@FEW
@given(st.lists(LENGTHS, min_size=5, max_size=5), st.randoms(use_true_random=False))
def test_the_names_and_the_order_of_constraints_do_not_matter(q, rng):
    noise, constraints = noisy_order(q, [0, 1])
    names = rng.sample(sorted(noise), len(noise))
    renamed = dict(zip(sorted(noise), names))
    swapped = [Linear(tuple((renamed[n], c) for n, c in k.coefficients), k.constant) for k in constraints]
    rng.shuffle(swapped)
    assert region_probability(noise, swapped) == region_probability(noise, constraints)


@FEW
@given(st.lists(LENGTHS, min_size=5, max_size=6), st.permutations(range(5)), st.integers(1, 4), LENGTHS)
def test_constraints_that_follow_do_not_matter(q, order, k, end):
    # Exponential noise has no symmetry that would hide a constraint turned round.
    selected = list(order)[:k]
    law = (EXPONENTIAL, (F(2),))
    noise, fewer = noisy_order(q, selected, law)
    _, more = noisy_order(q, selected, law, all_pairs=True)
    for ends in ([], [at_most(form(x0=1), form(end))], [at_most(form(end), form(x0=1))]):
        assert region_probability(noise, more + ends) == region_probability(noise, fewer + ends)


def test_ends_of_single_variables_imply_only_what_they_do():
    noise = laplace(1, 1, 1)
    x, y, z = (form(**{f"x{i}": 1}) for i in range(3))
    chain = [at_most(y, x), at_most(z, y), at_most(y, form(1)), at_most(form(-2), x)]
    assert region_probability(noise, [*chain, at_most(z, x)]) == region_probability(noise, chain)
    # z <= -1 and -1 <= x <= y imply both z <= y and z <= x.
    ends = [at_most(z, form(-1)), at_most(form(-1), x), at_most(x, y), at_most(z, y)]
    assert region_probability(noise, [*ends, at_most(z, x)]) == region_probability(noise, ends[:3])


@FEW
@given(st.lists(LENGTHS, min_size=4, max_size=4), st.fractions(min_value=F(1, 7), max_value=7, max_denominator=7))
def test_the_unit_of_length_does_not_matter(q, factor):
    noise, constraints = sparse_vector(q, ("below", (0, F(3, 2)), "above", "below"), threshold=1)
    longer = {name: (law, (scale * factor,)) for name, (law, (scale,)) in noise.items()}
    stretched = [Linear(c.coefficients, c.constant * factor) for c in constraints]
    assert region_probability(longer, stretched) == region_probability(noise, constraints)


@FEW
@given(st.lists(LENGTHS, min_size=3, max_size=3), st.fractions(min_value=F(1, 7), max_value=7, max_denominator=7))
def test_a_constraint_times_a_positive_number_is_the_same(q, factor):
    noise, constraints = sparse_vector(q, ("below", "above", "below"))
    scaled = [Linear(tuple((n, c * factor) for n, c in k.coefficients), k.constant * factor) for k in constraints]
    assert region_probability(noise, scaled) == region_probability(noise, constraints)


@FEW
@given(st.lists(LENGTHS, min_size=3, max_size=3), LENGTHS)
def test_laplace_noise_is_symmetric(q, threshold):
    mirrored = region_probability(*sparse_vector([-x for x in q], ("above", "below", "above"), threshold=-threshold))
    assert mirrored == region_probability(*sparse_vector(q, ("below", "above", "below"), threshold=threshold))


# --- Sampling ---------------------------------------------------------------------------------------


def test_random_trees_against_samples():
    """Each of 40 frequencies of 40000 samples is within its Hoeffding radius, all of them but with probability 1e-6."""
    rng, count, trees = random.Random(11), 40_000, 40
    generator = np.random.default_rng(11)
    radius = np.sqrt(np.log(2 * trees / 1e-6) / (2 * count))
    seen = []
    for _ in range(trees):
        n = rng.randint(2, 5)
        noise = {f"x{i}": (rng.choice([LAPLACE, EXPONENTIAL]), (F(rng.randint(1, 6), 2),)) for i in range(n)}
        parents = {i: rng.randrange(i) for i in range(1, n)}
        pairs = [pair for pair in parents.items() for _ in range(rng.randint(1, 2))]
        slopes = [F(1), F(-1), F(2), F(-1, 2)]
        rows = [{f"x{i}": rng.choice(slopes), f"x{j}": rng.choice(slopes)} for i, j in pairs]
        rows += [{f"x{i}": rng.choice(slopes)} for i in range(n) if rng.random() < 0.3]
        constraints = [Linear(tuple(row.items()), F(rng.randint(-6, 0), rng.randint(1, 3))) for row in rows]
        draws = {name: law.sample(generator, *map(float, p), count) for name, (law, p) in noise.items()}
        inside = np.ones(count, dtype=bool)
        for c in constraints:
            inside &= sum(float(a) * draws[name] for name, a in c.coefficients) + float(c.constant) <= 0
        exact = float(region_probability(noise, constraints))
        seen.append(exact)
        assert abs(inside.mean() - exact) <= radius
    assert sum(0.1 < p < 0.9 for p in seen) > 10


# --- The edges of what it does ----------------------------------------------------------------------


def test_empty_regions_and_equalities_are_zero_by_structure():
    noise = laplace(1, 2, 3)
    x, y, z = (form(**{f"x{i}": 1}) for i in range(3))
    empty = [
        [at_most(form(1), form(0))],
        [at_most(form(1), x), at_most(x, form(1))],
        [at_most(form(1), x), at_most(x, form(0))],
        [at_most(x, y), at_most(y, x)],
        [at_most(x, form(-1)), at_most(form(1), y), at_most(y, x)],
        [at_most(x, y), at_most(y, z), at_most(z, x)],
        [at_most(x, y), at_most(y, z), at_most(form(1, x2=1), x)],
    ]
    for constraints in empty:
        assert region_probability(noise, constraints) == ExpSum()
    assert region_probability({"x": (EXPONENTIAL, (F(1),))}, [at_most(form(x=1), form(0))]) == ExpSum()


def test_the_whole_space_is_one():
    noise = laplace(1, 2)
    x = form(x0=1)
    for constraints in ([], [at_most(form(0), form(0))], [at_most(x, x)], [at_most(x, form(1, x0=1))]):
        assert region_probability(noise, constraints) == ONE
    assert region_probability(noise, [at_most(form(1, x0=1), x)]) == ExpSum()


def test_independent_parts_multiply():
    noise = laplace(1, 2, 3, 4)
    first = at_most(form(x0=1), form(1, x1=1))
    second = at_most(form(x2=1), form(2, x3=-1))
    both = region_probability(noise, [first, second])
    assert both == region_probability(noise, [first]) * region_probability(noise, [second])


def test_what_is_out_of_reach_is_none():
    noise = laplace(1, 1, 1)
    x, y, z = (form(**{f"x{i}": 1}) for i in range(3))
    band = [at_most(a, {**b, "": F(1)}) for a, b in itertools.permutations((x, y, z), 2)]
    assert region_probability(noise, band) is None
    assert region_probability(noise, [Linear((("x0", F(1)), ("x1", F(1)), ("x2", F(1))), F(0))]) is None
    for law in ((GEOMETRIC, (F(1), F(1))), (DISCRETE_LAPLACE, (F(1), F(1)))):
        lattice = {**noise, "x0": law}
        assert region_probability(lattice, [at_most(x, form(0))]) is None
        assert region_probability(lattice, [at_most(y, form(0))]) == ExpSum.of({0: F(1, 2)})


def test_wrong_questions_are_refused():
    with pytest.raises(InputError, match="mentions y"):
        region_probability(laplace(x=1), [at_most(form(x=1), form(y=1))])
    with pytest.raises(InputError, match="above 0"):
        region_probability(laplace(x=0), [at_most(form(x=1), form(0))])
