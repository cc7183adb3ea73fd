"""The finite choice: its probabilities, its sampler, and what it refuses."""

from fractions import Fraction

import numpy as np
import pytest

from alignkit import ABOVE, BELOW, Count, InputError, LanguageError, Noise, Query, Real, exp2, mechanism, power
from alignkit.noise import CHOICE, DISTRIBUTIONS, DRAWS, RandomNoise, Support


@mechanism
def coin(q: Query, a: Real, b: Real, noise: Noise):
    r = noise.choice([a, b])
    return ABOVE if r == 0 else BELOW


def test_a_choice_may_be_drawn_but_has_no_cost():
    assert DRAWS["choice"] is CHOICE
    assert "choice" not in DISTRIBUTIONS
    assert CHOICE.support is Support.INDICES
    assert CHOICE.cost(0, [1, 2]) == 0
    with pytest.raises(InputError, match="depends on the outcome"):
        CHOICE.cost(1, [1, 2])


def test_probabilities():
    weights = [Fraction(1, 2), 0, Fraction(3, 2)]
    assert [CHOICE.density(x, weights) for x in (-1, 0, 1, 2, 3, 0.5)] == [0, 0.25, 0, 0.75, 0, 0]
    assert [CHOICE.contains(x, weights) for x in (-1, 0, 1, 2, 3, 0.5)] == [False, True, False, True, False, False]
    assert CHOICE.mean(weights) == Fraction(3, 2)
    assert CHOICE.variance(weights) == Fraction(3, 4)


def test_sampler():
    """Of 40,000 draws the share of each index is within 6 standard deviations: an error below 1e-8 for each."""
    drawn = CHOICE.sample(np.random.default_rng(5), [1, 0, 3], 40_000)
    shares = np.bincount(drawn, minlength=3) / 40_000
    assert shares[1] == 0
    assert abs(shares[0] - 0.25) < 6 * np.sqrt(0.25 * 0.75 / 40_000)
    assert type(RandomNoise(1).choice([1, 2])) is int


def test_samples_of_a_mechanism():
    assert {coin.sample(0, a=1, b=1, seed=seed) for seed in range(30)} == {ABOVE, BELOW}
    assert {coin.sample(0, a=0, b=2, seed=seed) for seed in range(10)} == {BELOW}


def test_replay():
    assert coin.replay(0, H={"r": 0}, a=1, b=2) is ABOVE
    assert coin.replay(0, H={"r": 1}, a=1, b=2) is BELOW
    for outside in (2, -1, Fraction(1, 2)):
        with pytest.raises(InputError, match="outside the support"):
            coin.replay(0, H={"r": outside}, a=1, b=2)
    with pytest.raises(InputError, match="outside the support"):
        coin.replay(0, H={"r": 0}, a=0, b=2)


@pytest.mark.parametrize(("a", "b", "words"), [(-1, 2, "weight 0 of r is below 0"), (0, 0, "no weight of r is above")])
def test_weights_that_are_no_weights(a, b, words):
    with pytest.raises(InputError, match=words):
        coin.replay(0, H={"r": 1}, a=a, b=b)
    with pytest.raises(InputError, match=rf"{words}.* \(line \d+\)"):
        coin.sample(0, a=a, b=b, seed=1)


def test_no_weights():
    @mechanism
    def nothing(q: Query, noise: Noise):
        r = noise.choice([x for x in [1] if x > 1])
        return r

    with pytest.raises(InputError, match="no weight of r is above 0"):
        nothing.replay(0, H={"r": 0})
    with pytest.raises(InputError, match=r"no weight of r is above 0 \(line \d+\)"):
        nothing.sample(0, seed=1)


def test_an_index_is_a_whole_number():
    @mechanism
    def chosen(q: Query, k: Count, noise: Noise):
        r = noise.choice([1 for i in range(k)])
        return [i * 10 for i in range(k)][r]

    assert chosen.replay(0, H={"r": 2}, k=3) == 20


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("noise.choice(a)", "cannot be iterated"),
        ("noise.choice([a > 0])", "a weight is"),
        ("noise.choice(1, 2)", "does not take 2 arguments"),
        ("noise.choice()", "not given its weights"),
        ("noise.choice([])", "no weights"),
    ],
)
def test_refusals(define, written, words):
    with pytest.raises(LanguageError, match=words):
        define(f"@mechanism\ndef m(q: Query, a: Real, noise: Noise):\n    r = {written}\n    return r\n")


def test_exp2_and_power():
    assert (exp2(3), exp2(-2), exp2(Fraction(1, 2))) == (8, Fraction(1, 4), 2**0.5)
    assert power(Fraction(2, 3), -2) == Fraction(9, 4)
    assert power(0.5, 2) == 0.25
    for value, exponent in ((2, Fraction(1, 2)), (0, -1), (2, 10**9)):
        with pytest.raises(InputError):
            power(value, exponent)


def test_exp2_and_power_in_a_run():
    @mechanism
    def powers(q: Query, a: Real, n: Real, noise: Noise):
        r = noise.choice([1])
        return [power(a, n), exp2(n), r]

    assert powers.replay(0, H={"r": 0}, a=Fraction(1, 3), n=-2) == [9, Fraction(1, 4), 0]
    for a, n in ((2, Fraction(1, 2)), (0, -1), (2, 10**9)):
        with pytest.raises(InputError, match="power"):
            powers.replay(0, H={"r": 0}, a=a, n=n)
