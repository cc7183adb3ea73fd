"""A pure claim with the same epsilon is suggested in place of one with delta."""

from __future__ import annotations

from alignkit import Epsilon, Noise, Query, alignment, check, mechanism
from alignkit.finding.search import suggestion
from alignkit.results import Suggestion
from alignkit.worst_case.claim_order import claims_less


@mechanism
def noisy_answer(q: Query, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    return q + x


@alignment(noisy_answer, epsilon="eps", delta="exp(-5 * eps) / 2")
def limited_phi(q, q_, H):
    return H.shift(x=q - q_).below(x=5)


@alignment(noisy_answer, epsilon="eps")
def pure_phi(q, q_, H):
    return H.shift(x=q - q_)


@alignment(noisy_answer, epsilon="2 * eps")
def dear_phi(q, q_, H):
    return H.shift(x=q - q_)


def test_a_pure_claim_is_less_where_its_epsilon_is_no_larger() -> None:
    assert claims_less(pure_phi, limited_phi)
    assert not claims_less(dear_phi, limited_phi)
    assert not claims_less(limited_phi, dear_phi)
    assert not claims_less(limited_phi, pure_phi)


def test_it_is_suggested() -> None:
    found = suggestion(limited_phi, check(limited_phi, effort=0).require(), timeout=60)
    assert isinstance(found, Suggestion)
    assert (found.claim, found.cheaper) == ("eps", True)
    assert "delta" not in found.source
