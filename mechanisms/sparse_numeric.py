"""Sparse vector with numeric answers: which queries lie above a threshold, and roughly what their answers are."""

from typing import Annotated

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Positive, Queries, Real, Sensitivity, mechanism

Answers = Annotated[Queries, Sensitivity("delta")]


@mechanism
def sparse_numeric_as_printed(
    q: Answers, T: Real, c: Count, delta: Positive, eps: Epsilon, noise: Noise
):
    """Algorithm 1 of Roth's lecture: releases the noisy answer that was tested; its sensitivity 1/n is delta here."""
    eta = noise.laplace(2 * delta / eps)
    sigma = 2 * c * delta / eps
    count = 0
    for q_i in q:
        nu_i = noise.laplace(sigma)
        if q_i + nu_i >= T + eta:
            yield q_i + nu_i
            count = count + 1
        else:
            yield BELOW
        if count >= c:
            break


@mechanism
def sparse_without_numbers(
    q: Answers, T: Real, c: Count, delta: Positive, eps: Epsilon, noise: Noise
):
    """Algorithm 1 of Roth's lecture, with the tag ABOVE instead of the number; the noise is the printed one."""
    eta = noise.laplace(2 * delta / eps)
    sigma = 2 * c * delta / eps
    count = 0
    for q_i in q:
        nu_i = noise.laplace(sigma)
        if q_i + nu_i >= T + eta:
            yield ABOVE
            count = count + 1
        else:
            yield BELOW
        if count >= c:
            break


@mechanism
def sparse_numeric(q: Answers, T: Real, c: Count, delta: Positive, eps: Epsilon, noise: Noise):
    """Roth's Sparse with fresh noise on each released answer: half of eps for the answers, half for finding them."""
    eps0, eps1, eps2 = eps / 4, eps / 4, eps / 2
    eta = noise.laplace(delta / eps0)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(2 * c * delta / eps1)
        xi_i = noise.laplace(c * delta / eps2)
        if q_i + nu_i >= T + eta:
            yield q_i + xi_i
            count = count + 1
        else:
            yield BELOW
        if count >= c:
            break


@mechanism
def sparse_numeric_by_shares(
    q: Answers,
    T: Real,
    c: Count,
    delta: Positive,
    eps0: Epsilon,
    eps1: Epsilon,
    eps2: Epsilon,
    noise: Noise,
):
    """Sparse with fresh noise on each released answer, and any shares of the budget for threshold, tests, answers."""
    eta = noise.laplace(delta / eps0)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(2 * c * delta / eps1)
        if q_i + nu_i >= T + eta:
            xi_i = noise.laplace(c * delta / eps2)
            yield q_i + xi_i
            count = count + 1
        else:
            yield BELOW
        if count >= c:
            break
