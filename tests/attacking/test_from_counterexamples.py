"""The attack of a refuted alignment starts where its counterexample is: at these parameters and databases."""

from __future__ import annotations

import math

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Noise,
    Positive,
    Queries,
    Query,
    Real,
    Reals,
    alignment,
    check,
    largest,
    mechanism,
)


@mechanism
def scale_without_the_sensitivity(q: Queries(sensitivity="delta"), delta: Positive, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e
        break


@alignment(scale_without_the_sensitivity, epsilon="eps")
def without_the_sensitivity_phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(omega))])


@mechanism
def half_the_noise_on_thresholds(q: Queries, T: Reals, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(1 / eps)
    count = 0
    for q_i, T_i in zip(q, T):
        nu_i = noise.laplace(4 * k / eps)
        if q_i + nu_i >= T_i + rho:
            yield ABOVE
            count = count + 1
            if count >= k:
                break
        else:
            yield BELOW


@alignment(half_the_noise_on_thresholds, epsilon="eps")
def many_thresholds_phi(q, q_, omega, H):
    return H.shift(rho=1, nu_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


@mechanism
def noise_for_one_winner(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """With k = 1 it is private: the counterexample has k = 2."""
    rho = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(noise_for_one_winner, epsilon="eps")
def for_one_winner_phi(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if w is ABOVE else 0 for w in omega])


@mechanism
def whole_noise_on_any_answer(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.discrete_laplace(1 / eps, 1)
        yield q_i + e
        break


@alignment(whole_noise_on_any_answer, epsilon="eps")
def on_any_answer_phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(omega))])


@mechanism
def gumbel_at_half_the_scale(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.gumbel(1 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@alignment(gumbel_at_half_the_scale, epsilon="eps")
def half_the_scale_phi(q, q_, omega, H):
    return H.shift(eta=[2 if i == omega else 0 for i in range(len(q))])


@mechanism
def noisy_count_of_answers_above(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    count = 0
    for q_i in q:
        if q_i >= T:
            count += 1
    return count + e


@alignment(noisy_count_of_answers_above, epsilon="eps / 2", adjacency="one")
def of_answers_above_phi(q, q_, omega, H):
    return H.shift(e=0)


@mechanism
def scale_of_the_answer(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace((1 + abs(q)) / eps)
    return q + e


@alignment(scale_of_the_answer, epsilon="eps")
def of_the_answer_phi(q, q_, H):
    return H.shift(e=q - q_)


@mechanism
def one_sided_threshold(q: Query, T: Real, eps: Epsilon, noise: Noise):
    """Which of the two is not possible depends on the side of T that the answer is on."""
    e = noise.exponential(1 / eps)
    return ABOVE if q + e >= T else BELOW


@alignment(one_sided_threshold, epsilon="eps")
def one_sided_phi(q, q_, H):
    return H.shift(e=q - q_)


@pytest.mark.parametrize(
    ("phi", "least", "at"),
    [
        (without_the_sensitivity_phi, 1.99, {"delta": 2}),
        (for_one_winner_phi, 1.05, {"k": 2}),
        (on_any_answer_phi, math.inf, {}),
        (half_the_scale_phi, 1.95, {}),
        (of_answers_above_phi, 0.99, {}),
        (of_the_answer_phi, 1.1, {}),
        (one_sided_phi, math.inf, {}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_leak_at_the_counterexample_is_certified(phi, least, at):
    privacy = check(phi).privacy
    assert privacy.status == "not private"
    assert privacy.leak.loss >= least
    assert at.items() <= privacy.leak.witness.public.items()


def test_a_public_list_that_is_shorter_than_the_answers_of_the_search():
    result = check(many_thresholds_phi)
    assert result.counterexample is not None
    assert len(result.counterexample.witness.public["T"]) == 1
    assert result.privacy.leak is not None
    assert result.privacy.leak.violates
