"""The checker knows no mechanism by name: it proves and refutes what stands in nobody's catalogue."""

from __future__ import annotations

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Noise,
    Positive,
    Proportion,
    Queries,
    Query,
    Real,
    Tag,
    alignment,
    check,
    largest,
    mechanism,
)
from alignkit.results import Verdict

TOP, MIDDLE = Tag("TOP"), Tag("MIDDLE")


@mechanism
def two_branches(q: Queries, T: Real, k: Count, eps: Epsilon, theta: Proportion, sigma: Real, noise: Noise):
    eps0 = theta * eps
    eps1 = (1 - theta) * eps / k
    eps2 = eps1 / 2
    eta = noise.laplace(1 / eps0)
    spent = eps0
    for q_i in q:
        xi_i = noise.laplace(2 / eps2)
        eta_i = noise.laplace(2 / eps1)
        top = q_i + xi_i - (T + eta)
        middle = q_i + eta_i - (T + eta)
        if top >= 2 * sigma:
            yield TOP, top
            spent += eps2
        elif middle >= 0:
            yield MIDDLE, middle
            spent += eps1
        else:
            yield BELOW, 0
        if spent > eps - eps1:
            break


@alignment(two_branches, epsilon="eps")
def two_branches_phi(q, q_, omega, H):
    return H.shift(
        eta=1,
        xi_i=[1 + q[i] - q_[i] if w[0] is TOP else 0 for i, w in enumerate(omega)],
        eta_i=[1 + q[i] - q_[i] if w[0] is MIDDLE else 0 for i, w in enumerate(omega)],
    )


@mechanism
def laplace_in_a_loop(q: Queries(sensitivity="delta"), delta: Positive, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(delta / eps)
        yield q_i + e


@alignment(laplace_in_a_loop, epsilon="eps", adjacency="l1")
def l1_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@alignment(laplace_in_a_loop, epsilon="eps", adjacency="one")
def one_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@alignment(laplace_in_a_loop, epsilon="eps")
def each_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def one_sided(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.exponential(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.exponential(4 * k / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(one_sided, epsilon="eps")
def one_sided_phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(one_sided, epsilon="eps")
def downward_phi(q, q_, omega, H):
    return H.shift(eta=0, eta_i=[q[i] - q_[i] for i, w in enumerate(omega)])


@mechanism
def on_a_lattice(q: Queries(lattice=1), T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.discrete_laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.geometric(4 * k / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(on_a_lattice, epsilon="eps")
def lattice_phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@mechanism
def two_best(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(4 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    a, b, c = largest(noisy, 3)
    return a, noisy[a] - noisy[b], b, noisy[b] - noisy[c]


def best_loser(q, eta, a, b):
    return max(q[i] + eta[i] for i in range(len(q)) if i != a and i != b)


@alignment(two_best, epsilon="eps")
def two_best_phi(q, q_, omega, H):
    a, gap, b, gap_b = omega
    change = best_loser(q_, H.eta, a, b) - best_loser(q, H.eta, a, b)
    return H.shift(eta=[q[i] - q_[i] + change if i == a or i == b else 0 for i in range(len(q))])


@mechanism
def running_sum(q: Queries, eps: Epsilon, noise: Noise):
    total = 0
    for q_i in q:
        e = noise.laplace(1 / eps)
        total = total + q_i + e
        yield total


@alignment(running_sum, epsilon="eps", adjacency="one")
def running_sum_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def k_times(q: Query, k: Count, eps: Epsilon, noise: Noise):
    for i in range(k):
        e = noise.laplace(k / eps)
        yield q + e


@alignment(k_times, epsilon="eps")
def k_times_phi(q, q_, k, H):
    return H.shift(e=[q - q_ for i in range(k)])


def release(value, scale, noise):
    e = noise.laplace(scale)
    return value + e


@mechanism
def through_a_helper(q: Query, eps: Epsilon, noise: Noise):
    released = release(q, 1 / eps, noise)
    return released


@alignment(through_a_helper, epsilon="eps")
def helper_phi(q, q_, H):
    return H.shift(e=q - q_)


@mechanism
def hybrid_with_its_own_noise(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The hybrid that prioritizes identity, with the threshold's noise drawn on its own."""
    eta_0 = noise.exponential(2 * k / eps)
    eta = [noise.exponential(2 * k / eps) for q_i in q]
    noisy = [T + eta_0, *[q_i + eta_i for q_i, eta_i in zip(q, eta)]]
    top = largest(noisy, k + 1)
    for i in range(k):
        yield top[i], noisy[top[i]] - noisy[top[i + 1]]
        if top[i] == 0:
            break


@alignment(hybrid_with_its_own_noise, epsilon="len(omega) / k * eps")
def hybrid_phi(q, q_, T, omega, H):
    selected = {j for j, gap in omega}
    answers, answers_, noise = [T, *q], [T, *q_], [H.eta_0, *H.eta]
    before = max(answers[j] + noise[j] for j in range(len(noise)) if j not in selected)
    after = max(answers_[j] + noise[j] for j in range(len(noise)) if j not in selected)
    level = max(after, before + max(answers_[j] - answers[j] for j in range(len(noise)) if j in selected))
    moves = [
        answers[j] - answers_[j] + level - before
        if j in selected or (after < level and answers[j] + noise[j] == before)
        else 0
        for j in range(len(noise))
    ]
    return H.shift(eta_0=moves[0], eta=[moves[i + 1] for i in range(len(q))])


RIGHT = [
    two_branches_phi, l1_phi, one_phi, one_sided_phi, lattice_phi, two_best_phi, running_sum_phi, k_times_phi,
    helper_phi, hybrid_phi,
]  # fmt: skip


@pytest.mark.parametrize("phi", RIGHT, ids=lambda phi: phi.name)
def test_right_ones_are_proved_for_every_input(phi):
    result = check(phi)
    assert result.verdict is Verdict.PROVED, [c for c in result.conditions.values() if c.status != "proved"]
    assert result.attained


def test_a_vector_of_answers_that_all_change_costs_too_much():
    result = check(each_phi)
    assert result.verdict is Verdict.REFUTED
    assert result.counterexample.condition == "cost"
    assert len(result.counterexample.witness.q["q"]) == 2


def test_one_sided_noise_cannot_be_lowered_below_zero():
    result = check(downward_phi)
    assert result.verdict is Verdict.REFUTED
    assert result.counterexample.condition in ("valid_noise", "cost", "same_output")


def test_lattice_proofs_name_their_number_model():
    result = check(lattice_phi)
    assert result.number_model == "lattice"
    assert "floating-point" not in str(result)
    of_reals = check(one_sided_phi)
    assert of_reals.number_model == "ideal reals"
    assert "numbers: ideal reals; the floating-point sampler is not covered" in str(of_reals)
