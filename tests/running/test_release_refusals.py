"""Releases that a proof does not cover: what it presumes of public values, and code that is no longer what was read."""

from __future__ import annotations

import pytest

from alignkit import Epsilon, InputError, LanguageError, Noise, Query, Real, alignment, check, mechanism, release
from alignkit.results import Verdict


@mechanism
def divides_for_some_noise(
    q: Query(lattice=1), T: Real(lattice=1), a: Real(lattice=1), eps: Epsilon, noise: Noise
):
    xi = noise.geometric(1 / eps)
    if xi <= q - T:
        z = 1 / (a - 12345)
        return z > 0 or z <= 0
    return True


@alignment(divides_for_some_noise, epsilon="eps")
def divides_phi(H):
    return H.shift(xi=1)


class Untouchable:
    def __getattribute__(self, name):
        raise AssertionError("a private value was read")


def test_what_a_proof_presumes_is_checked_before_any_answer_is_read():
    proof = check(divides_phi)
    assert proof.verdict is Verdict.PROVED
    with pytest.raises(InputError, match=r"not defined for these public values \(line \d+: division by zero"):
        release(divides_for_some_noise, Untouchable(), T=100, a=12345, eps=1, proof=proof)
    assert release(divides_for_some_noise, 5000, T=100, a=0, eps=1, proof=proof) is True


def helper_sum(x, y):
    return x + y


def helper_first(x, y):
    return x


@mechanism
def by_a_helper(q: Query(lattice=1), eps: Epsilon, noise: Noise):
    xi = noise.discrete_laplace(1 / eps)
    return helper_sum(q, xi)


@alignment(by_a_helper, epsilon="eps")
def by_a_helper_phi(q, q_, H):
    return H.shift(xi=q - q_)


def test_code_that_was_replaced_in_place_is_neither_released_nor_checked():
    """As tools do that reload a module under a running session."""
    proof = check(by_a_helper_phi)
    was = helper_sum.__code__
    try:
        helper_sum.__code__ = helper_first.__code__
        with pytest.raises(LanguageError, match="the code of helper_sum has been replaced"):
            release(by_a_helper, 3, eps=1, proof=proof)
        with pytest.raises(LanguageError, match="the code of helper_sum has been replaced"):
            check(by_a_helper_phi)
    finally:
        helper_sum.__code__ = was
    assert isinstance(release(by_a_helper, 3, eps=1, proof=proof), int)
