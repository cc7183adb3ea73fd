"""Of two claims the smaller is told only where a proof says so for all public parameters."""

from __future__ import annotations

import pytest

from alignkit import Epsilon, Noise, Queries, alignment, mechanism
from alignkit.worst_case.claim_order import claims_less


@mechanism
def noisy_answers(q: Queries, eps: Epsilon, eps0: Epsilon, noise: Noise):
    for q_i in q:
        eta = noise.laplace(1 / eps)
        yield q_i + eta


def claiming(claim: str):
    @alignment(noisy_answers, epsilon=claim)
    def phi(q, q_, omega, H):
        return H.shift(eta=[q[i] - q_[i] for i in range(len(omega))])

    return phi


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("eps / 2", "eps"),
        ("eps", "eps + eps0"),
        ("len(omega) * eps", "(len(omega) + 1) * eps"),
        ("len(omega) * eps", "2 * len(omega) * eps"),
    ],
)
def test_a_smaller_claim(one: str, other: str) -> None:
    assert claims_less(claiming(one), claiming(other))
    assert not claims_less(claiming(other), claiming(one))


@pytest.mark.parametrize(
    ("one", "other"), [("eps", "eps"), ("eps", "eps0"), ("2 * eps", "len(omega) * eps"), ("eps", "eps * eps")]
)
def test_claims_of_which_none_is_smaller_everywhere(one: str, other: str) -> None:
    assert not claims_less(claiming(one), claiming(other))
    assert not claims_less(claiming(other), claiming(one))
