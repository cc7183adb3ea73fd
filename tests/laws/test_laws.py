"""The law of a mechanism against every noise vector of a box, run through the mechanism's own Python function.

What a box leaves out is known exactly, so that a law is wrong where it is below what the box holds, or above that and
all that the box leaves out.
"""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.enumerating import box
from support.examples import examples

from alignkit import (
    ABOVE,
    BELOW,
    Epsilon,
    Eta,
    InputError,
    Noise,
    Positive,
    Queries,
    Query,
    Real,
    Reals,
    Tag,
    clamp,
    exp2,
    largest,
    law,
    mechanism,
    power,
)
from alignkit.errors import Unsupported
from alignkit.laws import Beyond

QUARTER = Fraction(1, 4)
EQUAL = Tag("EQUAL")


@mechanism
def threshold(q: Query(lattice=1), T: Real, eta: Eta, noise: Noise):
    nu = noise.discrete_laplace_base2(eta)
    return ABOVE if 2 * q + nu >= T else BELOW


@mechanism
def strict_threshold(q: Query(lattice=1), T: Real, eta: Eta, noise: Noise):
    nu = noise.geometric_base2(eta)
    return ABOVE if T < q + 3 * nu else BELOW


@mechanism
def sides(q: Query(lattice=1), T: Real, eta: Eta, noise: Noise):
    nu = noise.discrete_laplace_base2(eta)
    if abs(nu + q) == T:
        return EQUAL
    return ABOVE if -nu <= q + T else BELOW


@mechanism
def clamped(q: Query(lattice=1), T: Real, eta: Eta, noise: Noise):
    nu = noise.discrete_laplace_base2(eta)
    return [clamp(nu - q, -T, T), nu > 0]


@mechanism
def drawn_svt(q: Queries(lattice=1), T: Real, eta: Eta, noise: Noise):
    rho = noise.discrete_laplace_base2(eta)
    for q_i in q:
        nu = noise.discrete_laplace_base2(eta)
        if q_i + nu >= T + rho:
            yield ABOVE
            break
        yield BELOW


@mechanism
def one_sided_svt(q: Queries(lattice=1), T: Real, eta: Eta, noise: Noise):
    rho = noise.geometric_base2(eta)
    for q_i in q:
        nu = noise.geometric_base2(eta)
        yield ABOVE if q_i + nu >= T + rho else BELOW


@mechanism
def noisy_order(q: Queries(lattice=1), T: Real, eta: Eta, noise: Noise):
    v = [noise.discrete_laplace_base2(eta) for q_i in q]
    return largest([q_i + v_i - T for q_i, v_i in zip(q, v)], 1)


@mechanism
def two_best(q: Queries(lattice=1), T: Real, eta: Eta, noise: Noise):
    v = [noise.geometric_base2(eta) for q_i in q]
    noisy = [q_i + v_i for q_i, v_i in zip(q, v)]
    first, second = largest([*noisy, T], 2)
    return first, second


@mechanism
def best_with_gap(q: Queries(lattice=1), T: Real, eta: Eta, noise: Noise):
    v = [noise.geometric_base2(eta) for q_i in q]
    noisy = [q_i + v_i for q_i, v_i in zip(q, v)]
    first, second = largest(noisy, 2)
    return first, min(noisy[first] - noisy[second], 2), noisy[first] - noisy[second] >= T


@mechanism
def bounded_gap(q: Queries(lattice=1), T: Real, eta: Eta, noise: Noise):
    rho = noise.discrete_laplace_base2(eta)
    nu = noise.discrete_laplace_base2(eta)
    gap = q[0] + nu - rho - T
    return min(2, max(gap, -1))


@mechanism
def steep(q: Query(lattice=1), T: Real, eta: Eta, noise: Noise):
    rho = noise.discrete_laplace_base2(eta)
    nu = noise.geometric_base2(eta)
    return ABOVE if nu + 2 * rho >= T - q else BELOW


@mechanism
def band(q: Query(lattice=1), T: Real, eta: Eta, noise: Noise):
    rho = noise.discrete_laplace_base2(eta)
    nu = noise.discrete_laplace_base2(eta)
    inside = nu - rho >= q - T and rho + nu <= T
    return [inside, rho > T]


@mechanism
def powers(q: Query(lattice=1), T: Real, eta: Eta, noise: Noise):
    nu = noise.discrete_laplace_base2(eta)
    kept = clamp(nu, 0, 3)
    r = noise.choice([power(2, kept), 1, exp2(-kept)])
    return [r, kept >= T + q]


ONE = {"threshold": threshold, "strict_threshold": strict_threshold, "sides": sides, "clamped": clamped}
TWO = {"steep": steep, "band": band, "powers": powers}
SEVERAL = {"drawn_svt": drawn_svt, "one_sided_svt": one_sided_svt, "noisy_order": noisy_order}


def agrees(made, q, T, draws, reach):
    values = {"q": q, "T": Fraction(T), "eta": 2}
    inside, outside = box(made, values, draws, reach, {2: QUARTER})
    found = law(made, q=q, T=T)
    symbolic = {output: found.at(output, B=QUARTER) for output in found}
    assert sum(symbolic.values()) == 1
    for output in symbolic.keys() | inside.keys():
        low = inside.get(output, Fraction(0))
        assert low <= symbolic.get(output, 0) <= low + outside, (output, found[output])
    assert outside < Fraction(1, 1000)
    concrete = law(made, q=q, T=T, eta=2)
    assert {output: concrete.at(output) for output in concrete} == symbolic


@pytest.mark.parametrize("name", ONE)
@settings(max_examples=25)
@given(q=st.integers(-4, 4), T=st.sampled_from([0, 1, 2, 3, Fraction(5, 2)]))
def test_one_draw(name, q, T):
    agrees(ONE[name], q, T, 1, 20)


@pytest.mark.parametrize("name", TWO)
@pytest.mark.parametrize(("q", "T"), [(0, 0), (1, 2), (-2, 1), (3, Fraction(1, 2))])
def test_two_draws(name, q, T):
    agrees(TWO[name], q, T, 2, 10)


@pytest.mark.parametrize("name", SEVERAL)
@pytest.mark.parametrize(("q", "T"), [((0, 1), 0), ((1, -1), 1), ((2, 2), -1), ((0, 0), Fraction(1, 2))])
def test_noise_that_matters_jointly(name, q, T):
    agrees(SEVERAL[name], q, T, len(q) + (name != "noisy_order"), 6)


@pytest.mark.parametrize(
    "q", [(0, 0, 0, 0), pytest.param((2, 1, 0, 2), marks=pytest.mark.slow), (1, 1, -1, 3), (0, 1), (3, 0, 0)]
)
@pytest.mark.parametrize("made", [two_best, best_with_gap], ids=lambda m: m.name)
def test_selections_and_their_ties(made, q):
    agrees(made, q, 1, len(q), 6)


@pytest.mark.parametrize(("q", "T"), [((0,), 0), ((2,), 1), ((-3,), -1)])
def test_a_gap_that_is_bounded(q, T):
    agrees(bounded_gap, q, T, 2, 12)


@mechanism
def lines(q: Query(lattice=1), T: Real, slopes: Reals, offsets: Reals, eta: Eta, noise: Noise):
    rho = noise.discrete_laplace_base2(eta)
    nu = noise.discrete_laplace_base2(eta)
    other = noise.geometric_base2(eta)
    a, b, c = slopes[0], slopes[1], slopes[2]
    return [nu >= a * rho + offsets[0], b * rho + offsets[1] > nu, other <= c * rho + offsets[2]]


slopes = st.lists(st.sampled_from([-2, -1, 0, 1, 2, 3]), min_size=3, max_size=3).map(tuple)
offsets = st.lists(st.integers(-3, 3), min_size=3, max_size=3).map(tuple)


@settings(max_examples=examples(25, 60))
@given(slopes=slopes, offsets=offsets)
def test_lines_of_any_slope(slopes, offsets):
    """Two unknowns beside one, each above or below lines in it."""
    values = {"q": 0, "T": 0, "slopes": slopes, "offsets": offsets, "eta": 2}
    inside, outside = box(lines, values, 3, 6, {2: QUARTER})
    found = law(lines, q=0, T=0, slopes=slopes, offsets=offsets)
    for output in {*found, *inside}:
        low = inside.get(output, Fraction(0))
        assert low <= found.at(output, B=QUARTER) <= low + outside


@mechanism
def released(q: Query(lattice=Fraction(1, 2)), eta: Eta, noise: Noise):
    nu = noise.discrete_laplace_base2(eta, 1 / 2)
    return q + nu


def test_a_released_number_is_told_apart_within_the_window():
    found = law(released, q=Fraction(1, 2), window=1)
    half = Fraction(1, 2)
    assert set(found) == {Beyond(">", 1), Beyond("<", -1), -1, -half, 0, half, 1}
    # P(nu = x) = (1 - B)/(1 + B) B^(2|x|), with B = 2^(-eta/2)
    assert found.bases.words() == "B = 2^(-eta/2)"
    assert found.at(half, B=QUARTER) == Fraction(3, 5)
    assert found.at(-1, B=QUARTER) == Fraction(3, 5) * QUARTER**3
    assert found.at(Beyond(">", 1), B=QUARTER) == QUARTER**2 / (1 + QUARTER)
    assert found.at(7, B=QUARTER) == 0


def test_a_released_number_of_few_values_is_told_apart_beyond_the_window():
    assert set(law(clamped, q=0, T=5, window=1)) == {
        ((x, y)) for x in range(-5, 6) for y in [next(o for o in law(clamped, q=0, T=5) if o[0] == x)[1]]
    }


def test_two_parameters_left_open():
    @mechanism
    def both(q: Query(lattice=1), eta1: Eta, eta2: Eta, noise: Noise):
        rho = noise.discrete_laplace_base2(eta1 / 3)
        nu = noise.discrete_laplace_base2((eta1 + eta2) / 2)
        return [rho >= 1, nu >= q]

    found = law(both, q=1)
    assert found.bases.words() == "B_eta1 = 2^(-eta1/6), B_eta2 = 2^(-eta2/2)"
    b1, b2 = Fraction(1, 2), Fraction(1, 3)
    one, two = b1**2, b1**3 * b2
    assert found.at((True, True), B_eta1=b1, B_eta2=b2) == one / (1 + one) * two / (1 + two)


def test_natural_units():
    @mechanism
    def noisy(q: Query(lattice=1), eps: Epsilon, noise: Noise):
        nu = noise.discrete_laplace(2 / eps)
        return nu >= q

    assert str(law(noisy, q=1)) == "True: B/(B + 1)\nFalse: 1/(B + 1)\nwith B = e^(-eps/2)"


def test_true_is_not_one():
    @mechanism
    def coin(q: Query(lattice=1), noise: Noise):
        r = noise.choice([1, 2])
        return True if r == 0 else 1

    found = law(coin, q=0)
    assert (found.at(True), found.at(1)) == (Fraction(1, 3), Fraction(2, 3))


def test_undefined_is_an_output():
    @mechanism
    def sometimes(q: Query(lattice=1), eta: Eta, noise: Noise):
        nu = noise.discrete_laplace_base2(eta)
        yield BELOW
        kept = clamp(nu, 0, 1)
        yield 1 / kept

    found = law(sometimes, q=0)
    assert [str(output) for output in found] == ["(BELOW, 1)", "(BELOW, not defined: division by zero)"]


@mechanism
def continuous(q: Query, eps: Epsilon, noise: Noise):
    nu = noise.laplace(1 / eps)
    return nu >= q


@mechanism
def three_at_once(q: Query(lattice=1), eta: Eta, noise: Noise):
    a = noise.discrete_laplace_base2(eta)
    b = noise.discrete_laplace_base2(eta)
    c = noise.discrete_laplace_base2(eta)
    return a + b + c >= q


@mechanism
def depends_on_eta(q: Query(lattice=1), eta: Eta, noise: Noise):
    nu = noise.discrete_laplace_base2(eta)
    return nu >= q if eta > 1 else BELOW


@mechanism
def changing_sign(q: Query(lattice=1), eta: Eta, noise: Noise):
    r = noise.choice([1, 1 - 4 * exp2(-eta)])
    return r


@mechanism
def irrational(q: Query(lattice=1), s: Positive, noise: Noise):
    nu = noise.discrete_laplace(s)
    return nu >= q


@pytest.mark.parametrize(
    ("made", "values", "words"),
    [
        (continuous, {}, "Laplace noise"),
        (three_at_once, {}, "are compared jointly"),
        (depends_on_eta, {}, "give it a value"),
        (changing_sign, {}, "may depend on the base"),
        (irrational, {"s": 2}, "not rational"),
    ],
    ids=lambda each: getattr(each, "name", ""),
)
def test_a_law_that_is_not_summed_is_refused_with_the_reason(made, values, words):
    with pytest.raises(Unsupported, match=words):
        law(made, q=1, **values)


def test_a_value_where_a_parameter_must_have_one():
    assert law(depends_on_eta, q=1, eta=2).at(True) == Fraction(1, 5)
    assert law(changing_sign, q=1, eta=3).at(1) == Fraction(1, 3)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, "threshold needs q="),
        ({"q": 0}, "threshold needs T="),
        ({"q": 0, "T": 1, "k": 1}, "no parameter 'k'"),
        ({"q": Fraction(1, 2), "T": 1}, "multiple of 1"),
    ],
)
def test_values_that_the_mechanism_does_not_take(values, words):
    with pytest.raises(InputError, match=words):
        law(threshold, **values)


def test_bases_are_given_by_their_symbols():
    found = law(threshold, q=0, T=1)
    for wrong in ({}, {"eta": QUARTER}, {"B": 1}, {"B": QUARTER, "C": QUARTER}):
        with pytest.raises(InputError, match=r"B=Fraction\(1, 2\); B = 2"):
            found.at(ABOVE, **wrong)


def test_law_of_a_function_that_is_no_mechanism():
    with pytest.raises(InputError, match="decorate"):
        law(len)
