"""Rules 14 and 19 on lattices with a name: what is a multiple of what, and costs in bits.

A multiple of gamma is one by declaration or derivation, never by chance, and bits are not natural units.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Eta,
    InputError,
    LanguageError,
    Noise,
    Positive,
    Proportion,
    Queries,
    Query,
    Real,
    Reals,
    alignment,
    base2,
    check,
    clamp,
    exp,
    mechanism,
)
from alignkit.results import Verdict


@mechanism
def counted(
    q: Query(sensitivity="delta", lattice="gamma"), delta: Positive, gamma: Positive, eta: Eta, noise: Noise
):
    e = noise.discrete_laplace_base2(eta / delta, gamma)
    return q + e


@alignment(counted, eta="eta")
def counted_phi(q, q_, H):
    return H.shift(e=q - q_)


@alignment(counted, eta="eta / 2")
def half_the_bits_phi(q, q_, H):
    return H.shift(e=q - q_)


@alignment(counted, eta="0.7 * eta")
def natural_units_phi(q, q_, H):
    """0.7 eta bounds the loss in natural units, where eta bits are eta ln 2; the claim is in bits."""
    return H.shift(e=q - q_)


@mechanism
def counted_twice(
    q: Query(sensitivity="delta", lattice="gamma"), delta: Positive, gamma: Positive, eta: Eta, noise: Noise
):
    a = noise.discrete_laplace_base2(eta / delta, gamma)
    b = noise.discrete_laplace_base2(eta / delta, gamma)
    return q + a + b


@alignment(counted_twice, eta="eta")
def half_steps_phi(q, q_, H):
    """All is kept, and at no more cost, but for the lattice."""
    return H.shift(a=(q - q_) / 2, b=(q - q_) / 2)


@alignment(counted_twice, eta="eta")
def steps_of_another_phi(q, q_, H, delta, gamma):
    """Delta is a multiple of gamma; gamma is none of delta, nor is a share of a step a step."""
    share = gamma / delta
    return H.shift(a=(q - q_) * share, b=(q - q_) * (1 - share))


@alignment(counted_twice, eta="eta")
def noise_of_the_other_phi(q, q_, H):
    """Half of another's noise, which is a multiple of gamma, is none."""
    return H.shift(a=q - q_ + H.b / 2 - H.b / 2, b=0)


@mechanism
def undeclared(q: Query, gamma: Positive, eta: Eta, noise: Noise):
    e = noise.discrete_laplace_base2(eta, gamma)
    return q + e


@alignment(undeclared, eta="eta")
def undeclared_phi(q, q_, H):
    return H.shift(e=q - q_)


@mechanism
def another_lattice(
    q: Query(sensitivity="delta", lattice="fine"), delta: Positive, fine: Positive, coarse: Positive, eta: Eta,
    noise: Noise
):  # fmt: skip
    e = noise.discrete_laplace_base2(eta / delta, coarse)
    return q + e


@alignment(another_lattice, eta="eta")
def another_lattice_phi(q, q_, H):
    return H.shift(e=q - q_)


@mechanism
def undeclared_threshold(
    q: Query(sensitivity="delta", lattice="gamma"), T: Real, delta: Positive, gamma: Positive, eta: Eta, noise: Noise
):
    e = noise.discrete_laplace_base2(eta / delta, gamma)
    return q + e


@alignment(undeclared_threshold, eta="eta")
def by_the_threshold_phi(q, q_, T, H):
    """T - T is no shift, and T alone is on no lattice."""
    return H.shift(e=q - q_ + clamp(T, 0, 1) - clamp(T, 0, 1))


@mechanism
def two_noises(
    q: Query(sensitivity="delta", lattice="gamma"), delta: Positive, gamma: Positive, fine: Positive, eta: Eta,
    noise: Noise
):  # fmt: skip
    a = noise.discrete_laplace_base2(eta / delta, gamma)
    b = noise.discrete_laplace_base2(eta, fine)
    if b >= 0:
        return q + a
    return q + a


@alignment(two_noises, eta="eta")
def moved_by_finer_noise_phi(q, q_, H):
    """The finer noise is no multiple of gamma."""
    return H.shift(a=q - q_ + clamp(H.b, 0, 1))


@mechanism
def whole_thresholds(
    q: Queries(sensitivity="delta", lattice="gamma"), T: Reals(lattice="gamma"), delta: Positive, gamma: Positive,
    eta: Eta, noise: Noise
):  # fmt: skip
    e = noise.discrete_laplace_base2(eta / delta, gamma)
    for q_i, T_i in zip(q, T):
        if q_i >= T_i + e:
            yield ABOVE
        else:
            yield BELOW


@alignment(whole_thresholds, eta="eta")
def by_all_thresholds_phi(q, T, H, delta):
    """Thresholds by declaration on the lattice; but one noise cannot serve every answer."""
    return H.shift(e=delta + T[0] - T[0])


@pytest.mark.parametrize(
    "phi", [half_steps_phi, steps_of_another_phi, undeclared_phi, another_lattice_phi], ids=lambda phi: phi.name
)
def test_what_is_no_multiple_is_never_proved(phi, never_proved):
    never_proved(phi, "valid_noise")


@pytest.mark.parametrize("phi", [by_all_thresholds_phi, moved_by_finer_noise_phi], ids=lambda phi: phi.name)
def test_a_multiple_alone_proves_nothing(phi, never_proved):
    never_proved(phi)


@pytest.mark.parametrize("phi", [half_the_bits_phi, natural_units_phi], ids=lambda phi: phi.name)
def test_bits_are_counted_in_bits(phi, refuted):
    refuted(phi, "cost")


def test_what_cancels_needs_no_lattice(proved_by_check):
    for phi in (counted_phi, by_the_threshold_phi, noise_of_the_other_phi):
        result = proved_by_check(phi)
        assert (result.number_model, result.base) == ("lattice", 2)


@mechanism
def natural(q: Query(lattice=1), eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps)
    return q + e


@mechanism
def mixed(q: Query(lattice=1), eps: Epsilon, eta: Eta, noise: Noise):
    a = noise.discrete_laplace(1 / eps)
    b = noise.discrete_laplace_base2(eta)
    return q + a, q + b


@pytest.mark.parametrize(
    ("of", "claim", "words"),
    [(natural, {"eta": "eps"}, "in natural units: claim epsilon="),
     (counted, {"epsilon": "eta"}, "in base 2: claim eta="),
     (mixed, {"epsilon": "eps"}, "in base 2"), (mixed, {"eta": "eta"}, "in natural units"),
     (natural, {}, "one claim"), (natural, {"epsilon": "eps", "eta": "eps"}, "one claim")],
)  # fmt: skip
def test_a_claim_is_in_the_units_of_all_noise(of, claim, words):
    with pytest.raises(InputError, match=words):
        alignment(of, **claim)


def test_a_counterexample_is_on_the_lattice():
    result = check(half_the_bits_phi)
    found = result.counterexample
    assert result.verdict is Verdict.REFUTED
    gamma = Fraction(found.witness.public["gamma"])
    for value in (found.witness.q["q"], found.witness.q_["q"], found.witness.public["delta"]):
        assert Fraction(value) % gamma == 0


def test_declarations_that_do_not_fit():
    with pytest.raises(LanguageError, match="need not be a multiple of its lattice"):

        @mechanism
        def named(q: Query(lattice="gamma"), gamma: Positive, eta: Eta, noise: Noise):
            return q

    with pytest.raises(LanguageError, match="need not be a multiple of its lattice"):

        @mechanism
        def coarse(q: Query(lattice=2), eta: Eta, noise: Noise):
            return q

    with pytest.raises(LanguageError, match="the lattice of `q` is 'k'"):

        @mechanism
        def counter(q: Query(sensitivity="delta", lattice="k"), delta: Positive, k: Real, eta: Eta, noise: Noise):
            return q

    with pytest.raises(LanguageError, match="the sensitivity of `q` is 'share'"):

        @mechanism
        def proportional(
            q: Query(sensitivity="share", lattice="gamma"), share: Proportion, gamma: Positive, eta: Eta, noise: Noise
        ):
            return q

    with pytest.raises(LanguageError, match="the lattice of `q` is 'eta'"):

        @mechanism
        def of_budget(q: Query(sensitivity="delta", lattice="eta"), delta: Positive, eta: Eta, noise: Noise):
            return q

    with pytest.raises(LanguageError, match="the lattice of `d` is 'gamma'"):

        @mechanism
        def chained(
            q: Query(sensitivity="gamma", lattice=2), d: Positive(lattice="gamma"), gamma: Positive, eta: Eta,
            noise: Noise
        ):  # fmt: skip
            return q

    with pytest.raises(InputError, match="Count has no lattice"):
        Count(lattice=2)


@pytest.mark.parametrize(
    ("changed", "words"),
    [({"gamma": 2}, "delta must be a multiple of 2, not 1"),
     ({"q": Fraction(1, 2)}, "q must be a multiple of 1, not 1/2"),
     ({"eta": 0}, "eta must be above 0"), ({"eta": "base2(5, 2, 1)"}, r"the nearest is base2\(3, 2, 1\)"),
     ({"eta": "base2(5)"}, "not of the form")],
)  # fmt: skip
def test_values_that_do_not_fit(changed, words):
    arguments = {"q": 3, "delta": 1, "gamma": 1, "eta": base2(3, 2, 1), "seed": 1, **changed}
    with pytest.raises(InputError, match=words):
        counted.sample(**arguments)


def test_public_values_are_checked_before_any_answer_is_looked_at():
    class Secret:
        def __getattribute__(self, name):
            raise AssertionError("the answer was looked at")

    with pytest.raises(InputError, match="delta must be a multiple of 2"):
        counted.sample(Secret(), delta=1, gamma=2, eta=1, seed=1)


# Rule 15: what is known of exp


@mechanism
def divides(q: Query, x: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return (q + e) / (exp(x) - 1)


@alignment(divides, epsilon="eps")
def divides_phi(q, q_, H):
    return H.shift(e=q - q_)


@mechanism
def never_divides_by_zero(q: Query, x: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return (q + e) / (exp(x) - 1) / (1 - exp(-x * eps))


@alignment(never_divides_by_zero, epsilon="eps")
def never_divides_by_zero_phi(q, q_, H):
    return H.shift(e=q - q_)


@mechanism
def scaled_by_exp(q: Query, x: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(exp(x) / eps)
    return q + e


@alignment(scaled_by_exp, epsilon="eps")
def scaled_by_exp_phi(q, q_, H):
    """exp(x) is above 1 only where x is above 0."""
    return H.shift(e=q - q_)


def test_exp_is_on_the_side_of_1_that_its_exponent_is_of_0(proved_by_check, never_proved):
    assert not any("division by zero" in a for a in proved_by_check(never_divides_by_zero_phi).assumptions)
    assert any("division by zero" in a for a in proved_by_check(divides_phi).assumptions)
    never_proved(scaled_by_exp_phi, "cost")
