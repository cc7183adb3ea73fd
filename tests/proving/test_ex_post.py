"""Claims that depend on the length of the output: proved, with the worst case that makes them plain privacy."""

from __future__ import annotations

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Noise,
    Proportion,
    Queries,
    Query,
    Real,
    alignment,
    check,
    largest,
    mechanism,
)
from alignkit.checking import fold_privacy
from alignkit.results import Verdict


def winners(q, q_, omega):
    return [1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)]


def by_pairs(q, q_):
    return [q[i] - q_[i] for i in range(len(q))]


@mechanism
def gaps_until_a_miss(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Stops at the first answer below; at most k outputs."""
    eps0, eps1 = eps / 2, eps / (4 * k)
    eta = noise.laplace(1 / eps0)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(1 / eps1)
        gap = q_i + eta_i - (T + eta)
        if gap >= 0:
            yield gap
            count += 1
        else:
            yield BELOW
            break
        if count >= k:
            break


@alignment(gaps_until_a_miss, epsilon="eps / 2 + len(omega) / k * (eps / 2)")
def by_output_phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=winners(q, q_, omega))


@alignment(gaps_until_a_miss, epsilon="eps")
def plain_phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=winners(q, q_, omega))


@mechanism
def sparse_vector_by_theta(q: Queries, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise):
    """Answers every query until k lie above: the output may be as long as the input."""
    eta = noise.laplace(1 / (theta * eps))
    count = 0
    for q_i in q:
        eta_i = noise.laplace(2 * k / ((1 - theta) * eps))
        gap = q_i + eta_i - (T + eta)
        if gap >= 0:
            yield gap
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(sparse_vector_by_theta, epsilon="theta * eps + len(omega) / k * (1 - theta) * eps")
def by_theta_phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=winners(q, q_, omega))


@mechanism
def one_by_one(q: Queries, eps: Epsilon, noise: Noise):
    """An answer an iteration; noise alone decides when to stop."""
    for q_i in q:
        e = noise.laplace(1 / eps)
        f = noise.laplace(1 / eps)
        yield q_i + e
        if f > 10:
            break


@alignment(one_by_one, epsilon="len(omega) * eps")
def one_by_one_phi(q, q_, H):
    return H.shift(e=by_pairs(q, q_))


@mechanism
def framed(q: Queries, eps: Epsilon, noise: Noise):
    """Outputs before and after the loop, and two an iteration."""
    yield ABOVE
    for q_i in q:
        e = noise.laplace(1 / eps)
        f = noise.laplace(1 / eps)
        yield q_i + e
        yield BELOW
        if f > 10:
            break
    yield ABOVE


@alignment(framed, epsilon="(len(omega) - 2) / 2 * eps")
def framed_phi(q, q_, H):
    return H.shift(e=by_pairs(q, q_))


@mechanism
def silent_end(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """The iteration that ends the run costs too, and gives nothing."""
    for q_i in q:
        e = noise.laplace(1 / eps)
        if q_i + e > T:
            break
        yield BELOW


@alignment(silent_end, epsilon="(len(omega) + 1) * eps")
def silent_end_phi(q, q_, H):
    return H.shift(e=by_pairs(q, q_))


@mechanism
def one_or_two(q: Query, eps: Epsilon, noise: Noise):
    a = noise.laplace(1 / eps)
    b = noise.laplace(1 / eps)
    c = noise.laplace(1)
    yield q + a
    if c > 0:
        yield q + b


@alignment(one_or_two, epsilon="len(omega) * eps")
def one_or_two_phi(q, q_, omega, H):
    return H.shift(a=q - q_, b=q - q_ if len(omega) == 2 else 0)


@mechanism
def returns_some(q: Query, eps: Epsilon, noise: Noise):
    a = noise.laplace(1 / eps)
    b = noise.laplace(1 / eps)
    c = noise.laplace(1)
    if c > 0:
        return (q + a, q + b)
    return (q + a,)


@alignment(returns_some, epsilon="len(omega) * eps")
def returns_some_phi(q, q_, omega, H):
    return H.shift(a=q - q_, b=q - q_ if len(omega) == 2 else 0)


@mechanism
def top_k_above(q: Queries, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise):
    """Noise drawn before the loop, a selection of any size, and a loop over its ranks."""
    z = noise.laplace(1 / (theta * eps))
    eta = [noise.laplace(2 * k / ((1 - theta) * eps)) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    top = largest(noisy, k)
    for i in range(k):
        if noisy[top[i]] >= T + z:
            yield top[i]
        else:
            break


@alignment(top_k_above, epsilon="theta * eps + len(omega) / k * (1 - theta) * eps")
def top_k_above_phi(q, q_, omega, H):
    return H.shift(z=1, eta=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


PROVED = [
    (top_k_above_phi, "eps"),
    (by_output_phi, "eps"),
    (one_by_one_phi, "eps * len(q)"),
    (framed_phi, "eps * len(q)"),
    (one_or_two_phi, "2 * eps"),
    (returns_some_phi, "2 * eps"),
]


@pytest.mark.parametrize(("claimed", "worst"), PROVED, ids=lambda x: getattr(x, "name", ""))
def test_proved_with_the_worst_case_beside_it(claimed, worst):
    result = check(claimed)
    assert result.verdict is Verdict.PROVED, result
    assert result.ex_post
    assert (result.cost, result.attained) == (worst, True)
    assert (result.privacy.status, result.privacy.upper) == ("private", worst)


def test_a_worst_case_need_not_be_reached():
    """len(omega) + 1 is at most n + 1; where the loop runs to its end, nothing was paid without an output."""
    result = check(silent_end_phi)
    assert result.verdict is Verdict.PROVED, result
    assert result.privacy.upper in (None, "eps + eps * len(q)")


def test_the_output_may_be_longer_than_what_costs():
    """SVT gives n outputs, at most k of which cost: the claim's supremum is far above its cost."""
    result = check(by_theta_phi)
    assert result.verdict is Verdict.PROVED, result
    assert result.cost == "eps * len(q) / k - eps * len(q) * theta / k + eps * theta"


def test_a_length_that_nothing_bounds_leaves_the_mechanism_open(monkeypatch):
    """What is said of every output separately is no differential privacy."""
    monkeypatch.setattr("alignkit.proving.cost_bounds.bounds_claim", lambda *arguments: False)
    result = check(one_by_one_phi)
    assert result.verdict is Verdict.PROVED
    assert result.cost is None
    assert (result.privacy.status, result.privacy.upper) == ("open", None)
    [folded] = fold_privacy([one_by_one_phi], [result])
    assert folded.privacy.status == "open"


def test_an_ex_post_claim_is_never_folded_as_a_bound(monkeypatch):
    monkeypatch.setattr("alignkit.proving.cost_bounds.bounds_claim", lambda *arguments: False)
    by_output, plain = fold_privacy([by_output_phi, plain_phi], [check(by_output_phi), check(plain_phi)])
    assert by_output.privacy.upper == plain.privacy.upper == "eps"
    assert plain.claim == "eps"


def test_a_claim_that_is_larger_than_needed_at_every_output():
    assert check(twice_too_much_phi).slack == "1/2 * (2 * len(omega) * eps)"


@alignment(one_by_one, epsilon="2 * len(omega) * eps")
def twice_too_much_phi(q, q_, H):
    return H.shift(e=by_pairs(q, q_))


def test_a_replay_knows_the_claim_of_its_output():
    replay = by_output_phi.replay([0, 0], [-1, -1], H={"eta": 0, "eta_i": [1, -1]}, T=0, k=2, eps=1)
    assert len(replay.output) == 2
    assert (replay.cost, replay.claim) == (0.75, 1)
    assert "len(omega)" in repr(replay)
