"""same_law: what is the same is found the same, and each way of being slightly wrong is shown with its output."""

from fractions import Fraction

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Eta,
    InputError,
    Noise,
    Positive,
    Queries,
    Query,
    Real,
    clamp,
    exp2,
    lattice_points,
    law,
    mechanism,
    power,
    same_law,
)
from alignkit.laws import vectors
from alignkit.mechanisms.discrete_sampling import (
    clamped_sampling,
    clamping_after_sampling,
    conditional_lazy,
    drawn_threshold,
    drawn_thresholds,
    get_sum_from,
    get_sum_of_all,
    get_sum_up_to,
    lazy_threshold,
)

RANGES = {"q": [0], "w_min": range(-2, 2), "w_max": range(-1, 3), "gamma": [1, Fraction(1, 2)]}
TAUS = {"q": [0], "tau": range(-2, 3), "gamma": [1, Fraction(1, 2)]}


def in_order(w_min, w_max, **_):
    """w_min <= w_max"""
    return w_min <= w_max


def test_clamped_sampling_is_clamping_after_sampling():
    result = same_law(clamped_sampling, clamping_after_sampling, where=in_order, **RANGES)
    assert result
    assert result.same
    assert result.difference is None
    assert result.scope.endswith("where w_min <= w_max; all eta > 0")
    assert (result.cases, result.outputs) == (26, 86)


@mechanism
def ends_counted_twice(
    q: Query(sensitivity="gamma", lattice="gamma"), w_min: Real, w_max: Real, gamma: Positive, eta: Eta, noise: Noise
):
    B = exp2(-eta * gamma)
    p_low, p_up = get_sum_up_to(B, w_min / gamma), get_sum_from(B, w_max / gamma)
    r = noise.choice([p_low, get_sum_of_all(B) - p_low - p_up, p_up])
    if r == 2:
        return w_max
    if r == 0:
        return w_min
    outcomes = lattice_points(w_min, w_max, gamma)
    o = noise.choice([exp2(-eta * abs(x)) for x in outcomes])
    return outcomes[o]


@mechanism
def ends_of_the_middle_left_out(
    q: Query(sensitivity="gamma", lattice="gamma"), w_min: Real, w_max: Real, gamma: Positive, eta: Eta, noise: Noise
):
    B = exp2(-eta * gamma)
    p_low, p_up = get_sum_up_to(B, w_min / gamma - 1), get_sum_from(B, w_max / gamma + 1)
    r = noise.choice([p_low, get_sum_of_all(B) - p_low - p_up, p_up])
    if r == 2:
        return w_max
    if r == 0:
        return w_min
    outcomes = lattice_points(w_min, w_max - gamma, gamma)
    o = noise.choice([exp2(-eta * abs(x)) for x in [*outcomes, w_min]])
    return outcomes[o] if o < len(outcomes) else w_min


@pytest.mark.parametrize("made", [ends_counted_twice, ends_of_the_middle_left_out], ids=lambda made: made.name)
def test_clamped_sampling_that_is_slightly_wrong(made):
    result = same_law(made, clamping_after_sampling, where=in_order, **RANGES)
    assert not result
    found = result.difference
    assert found.one_at != found.other_at
    assert 0 <= found.one_at <= 1


@mechanism
def above_only(
    q: Query(sensitivity="gamma", lattice="gamma"), tau: Real, gamma: Positive, eta: Eta, noise: Noise
):
    nu = noise.discrete_laplace_base2(eta, gamma)
    return ABOVE if nu > tau - q else BELOW


@mechanism
def lattice_forgotten(
    q: Query(sensitivity="gamma", lattice="gamma"), tau: Real, gamma: Positive, eta: Eta, noise: Noise
):
    p_top = get_sum_from(exp2(-eta), (tau - q) / gamma)
    o = noise.choice([p_top, 1 + exp2(-eta) - p_top])
    return ABOVE if o == 0 else BELOW


@mechanism
def sign_of_tau_forgotten(
    q: Query(sensitivity="gamma", lattice="gamma"), tau: Real, gamma: Positive, eta: Eta, noise: Noise
):
    p_top = power(exp2(-eta * gamma), abs(tau - q) / gamma)
    o = noise.choice([p_top, 1 + exp2(-eta * gamma) - p_top])
    return ABOVE if o == 0 else BELOW


@mechanism
def one_sided_threshold(
    q: Query(sensitivity="gamma", lattice="gamma"), tau: Real, gamma: Positive, eta: Eta, noise: Noise
):
    nu = noise.geometric_base2(eta, gamma)
    return ABOVE if nu >= tau - q else BELOW


def test_a_lazy_threshold_is_a_drawn_one():
    assert same_law(lazy_threshold, drawn_threshold, **TAUS)


@pytest.mark.parametrize(
    ("made", "tau"),
    [(above_only, -2), (lattice_forgotten, -2), (sign_of_tau_forgotten, -2), (one_sided_threshold, -2)],
    ids=lambda each: getattr(each, "name", ""),
)
def test_a_threshold_that_is_slightly_wrong(made, tau):
    result = same_law(made, drawn_threshold, **TAUS)
    assert not result
    assert result.difference.values["tau"] == tau


def test_a_difference_is_exact():
    result = same_law(above_only, drawn_threshold, q=[0], tau=[1], gamma=[1])
    assert str(result) == (
        "above_only and drawn_threshold have different laws\n"
        "at q=0, tau=1, gamma=1, output ABOVE:\n"
        "  B^2/(B + 1)\n"
        "  B/(B + 1)\n"
        "  with B = 2^(-eta); at B = 1/2: 1/6 and 1/3\n"
        "  scope: q in [0], tau in [1], gamma in [1]; all eta > 0"
    )
    assert result.difference.at == {"B": Fraction(1, 2)}


@mechanism
def conditioned_on_nothing(
    q: Query(sensitivity="gamma", lattice="gamma"), tau: Real, tau_c: Real, gamma: Positive, eta: Eta, noise: Noise
):
    nu = noise.discrete_laplace_base2(eta, gamma)
    if nu < tau_c - q:
        return [BELOW]
    again = noise.discrete_laplace_base2(eta, gamma)
    return [ABOVE, ABOVE if again >= tau - q else BELOW]


@mechanism
def conditioned(
    q: Query(sensitivity="gamma", lattice="gamma"), tau: Real, tau_c: Real, gamma: Positive, eta: Eta, noise: Noise
):
    nu = noise.discrete_laplace_base2(eta, gamma)
    if nu < tau_c - q:
        return [BELOW]
    second = conditional_lazy(eta, tau - q, tau_c - q, gamma, noise)
    return [ABOVE, second]


def test_conditioning_on_what_is_known():
    values = {"q": [0], "tau": [2, 1], "tau_c": [0, -1], "gamma": [1]}
    assert same_law(conditioned, drawn_thresholds, **values)
    assert not same_law(conditioned_on_nothing, drawn_thresholds, **values)


@mechanism
def equal_at_a_half(q: Query(lattice=1), eta: Eta, noise: Noise):
    B = exp2(-eta)
    r = noise.choice([B, 1 - B])
    return [r]


@mechanism
def fair(q: Query(lattice=1), eta: Eta, noise: Noise):
    r = noise.choice([1, 1])
    return [r]


def test_laws_that_agree_at_one_base_only():
    result = same_law(equal_at_a_half, fair, q=[0])
    assert not result
    assert result.difference.at == {"B": Fraction(1, 3)}
    assert same_law(equal_at_a_half, fair, q=[0], eta=[1])


@mechanism
def release(q: Query(lattice=1), eta: Eta, noise: Noise):
    nu = noise.discrete_laplace_base2(eta)
    return q + nu


@mechanism
def release_mirrored(q: Query(lattice=1), eta: Eta, noise: Noise):
    nu = noise.discrete_laplace_base2(eta)
    return q - nu


@mechanism
def release_folded_far_out(q: Query(lattice=1), eta: Eta, noise: Noise):
    nu = noise.discrete_laplace_base2(eta)
    return nu + q if abs(nu) <= 5 else (10 if nu > 0 else -10)


def test_released_numbers():
    assert same_law(release, release_mirrored, q=[0, 1])
    # Beyond the window numbers are taken together, and the scope says so.
    within = same_law(release, release_folded_far_out, q=[0])
    assert within
    assert "numbers in the output are taken together below -3, and above 3" in within.scope
    wider = same_law(release, release_folded_far_out, q=[0], window=6)
    assert not wider
    assert abs(wider.difference.output) == 6


@mechanism
def one_more_coin(q: Queries(lattice=1), c: Count, eta: Eta, noise: Noise):
    r = noise.choice([1, 2])
    yield ABOVE if r == 0 else BELOW
    yield BELOW


@mechanism
def one_coin(q: Queries(lattice=1), c: Count, eta: Eta, noise: Noise):
    r = noise.choice([1, 2])
    yield ABOVE if r == 0 else BELOW


def test_length_counts():
    assert not same_law(one_more_coin, one_coin, q=[[0]], c=[1])


@mechanism
def truth(q: Query(lattice=1), eta: Eta, noise: Noise):
    nu = noise.discrete_laplace_base2(eta)
    return nu >= q


@mechanism
def number(q: Query(lattice=1), eta: Eta, noise: Noise):
    nu = noise.discrete_laplace_base2(eta)
    return 1 if nu >= q else 0


def test_booleans_are_not_numbers():
    assert not same_law(truth, number, q=[0])


@mechanism
def undefined_below(q: Query(lattice=1), eta: Eta, noise: Noise):
    nu = noise.discrete_laplace_base2(eta)
    kept = clamp(nu, 0, 1)
    return 1 / kept


@mechanism
def undefined_below_otherwise(q: Query(lattice=1), eta: Eta, noise: Noise):
    nu = noise.discrete_laplace_base2(eta)
    return max([x for x in [1] if nu >= 1])


def test_undefined_in_both_mechanisms_is_one_output():
    assert same_law(undefined_below, undefined_below_otherwise, q=[0])
    assert not same_law(undefined_below, number, q=[0])


@mechanism
def natural(q: Query(lattice=1), eta: Epsilon, noise: Noise):
    nu = noise.discrete_laplace(1 / eta)
    return nu >= q


@pytest.mark.parametrize(
    ("one", "values", "words"),
    [
        (truth, {"q": []}, "q has no values"),
        (truth, {"q": [0], "k": [1]}, "neither mechanism has a parameter 'k'"),
        (truth, {}, "needs q="),
        (natural, {"q": [0]}, "different units"),
        (len, {"q": [0]}, "decorate"),
    ],
)
def test_bad_inputs(one, values, words):
    with pytest.raises(InputError, match=words):
        same_law(one, number, **values)


@mechanism
def windowed(q: Query(lattice=1), window: Real(lattice=1), eta: Eta, noise: Noise):
    nu = noise.discrete_laplace(1 / eta)
    return q + nu >= window


@mechanism
def located(q: Query(lattice=1), where: Real(lattice=1), eta: Eta, noise: Noise):
    nu = noise.discrete_laplace(1 / eta)
    return q + nu >= where


@pytest.mark.parametrize(("program", "name"), [(windowed, "window"), (located, "where")])
def test_a_parameter_with_the_name_of_an_argument_is_refused(program, name):
    for one, other in ((program, number), (number, program)):
        with pytest.raises(InputError, match=f"the parameter {name} of {program.name} has the name of an argument of"):
            same_law(one, other, **{"q": [0], name: [1]})
    if name == "window":
        with pytest.raises(InputError, match="the parameter window of windowed has the name of an argument of law"):
            law(windowed, q=0, window=1)


def test_a_condition_that_nothing_meets():
    with pytest.raises(InputError, match="nothing was compared"):
        same_law(truth, number, q=[0], where=lambda q: q > 0)


def test_vectors():
    assert len(vectors(range(3), [1, 2, 3])) == 3 + 9 + 27
    result = same_law(one_coin, one_coin, q=vectors([0, 1, 2], [1, 2]), c=[1])
    assert result.scope == "q in all vectors of length 1 to 2 over [0, 1, 2], c in [1]; all eta > 0"
