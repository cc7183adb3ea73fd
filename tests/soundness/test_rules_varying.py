"""Rules 42, 43 and 45: claims and scales that vary with how many answers there are or with what was released."""

# Programs under test compute values that they do not use: that they may be undefined is the point.

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
    Reals,
    alignment,
    attack,
    mechanism,
)
from alignkit.errors import LanguageError


def each_answer(q, q_, H):
    return H.shift(e=[x - y for x, y in zip(q, q_)])


def two_answers(q, q_, H):
    return H.shift(e=q[0] - q_[0], x=q[1] - q_[1])


@mechanism
def vector(q: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for q_i in q]
    return [q_i + e_i for q_i, e_i in zip(q, e)]


@mechanism
def stream(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e


@mechanism
def shorter_list(q: Queries, share: Reals, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e


@mechanism
def growing_scales(q: Queries, eps: Epsilon, noise: Noise):
    for i, q_i in enumerate(q):
        e = noise.laplace((i + 1) / eps)
        yield q_i + e


@mechanism
def shares_by_ratio(q: Queries, r: Positive, eps: Epsilon, noise: Noise):
    left = eps
    for q_i in q:
        left *= r
        e = noise.laplace(1 / left)
        yield q_i + e


@mechanism
def halved_by_winners(q: Queries, T: Positive, eps: Epsilon, noise: Noise):
    left = eps
    for q_i in q:
        e = noise.laplace(2 / left)
        if q_i + e > T:
            left = left / 2
            yield ABOVE
        else:
            yield BELOW


@mechanism
def scale_escapes_on_one_branch(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(2 / eps)
    r = q[0] + e
    x = noise.laplace((1 + abs(r)) * 2 / eps)
    if q[1] + x > 0:
        yield r
    else:
        yield BELOW


@mechanism
def scale_may_be_zero(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(2 / eps)
    r = q[0] + e
    yield r
    x = noise.laplace(max(r, 0) * 2 / eps)
    yield q[1] + x


@mechanism
def scale_from_an_answer(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace((1 + abs(q[0])) / eps)
    yield q[0] + e


@mechanism
def budget_spent(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    left = eps
    for q_i in q:
        e = noise.laplace(k / left)
        left -= eps / k
        yield q_i + e


@mechanism
def shares_of_theta(q: Queries, theta: Proportion, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / (theta * eps))
        yield q_i + e


def test_as_many_shares_as_answers_cover_every_answer(proved):
    proved(alignment(stream, epsilon="eps * len(q)")(each_answer))


WRONG = [
    (vector, "eps * (len(q) - 1)", each_answer),
    (vector, "eps * len(q) / 2", each_answer),
    (vector, "eps * min(len(q), 3)", each_answer),
    (vector, "eps / len(q)", each_answer),
    (stream, "eps * (len(q) - 1)", each_answer),
    (stream, "eps * len(q) / 2", each_answer),
    (stream, "eps * (len(q) if len(q) < 50 else 50)", each_answer),
    (shorter_list, "eps * len(share)", each_answer),
    (growing_scales, "2 * eps", each_answer),
    (shares_by_ratio, "eps * len(q) / 2", each_answer),
    (halved_by_winners, "eps", each_answer),
    (scale_escapes_on_one_branch, "eps", two_answers),
    (scale_may_be_zero, "eps", two_answers),
    (budget_spent, "eps", each_answer),
    (shares_of_theta, "theta * eps * (len(q) - theta)", each_answer),
]


@pytest.mark.parametrize(("program", "claim", "phi"), WRONG)
def test_what_the_claim_does_not_cover_is_never_proved(program, claim, phi, never_proved):
    never_proved(alignment(program, epsilon=claim)(phi))


def test_a_scale_that_an_answer_decides_is_never_proved(never_proved):
    def phi(q, q_, H):
        return H.shift(e=q[0] - q_[0])

    never_proved(alignment(scale_from_an_answer, epsilon="eps")(phi))


def test_a_leak_beyond_a_claim_on_the_number_of_answers_is_certified():
    claimed = alignment(vector, epsilon="eps * len(q) / 2")(each_answer)
    assert attack(claimed, eps=1, effort=600, timeout=60).violates


def test_a_claim_on_the_number_of_answers_is_not_broken_where_it_holds():
    claimed = alignment(vector, epsilon="eps * len(q)")(each_answer)
    assert not attack(claimed, eps=1, effort=600, timeout=60).violates


@pytest.mark.parametrize("claim", ["eps * q[0]", "eps * sum(q)", "eps * len([x for x in q])", "eps + max(q)"])
def test_a_claim_reads_no_answer(claim):
    with pytest.raises(LanguageError, match="reads the list `q`"):
        alignment(vector, epsilon=claim)(each_answer)
