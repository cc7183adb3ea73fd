"""Elements of a sequence of any length: what is learnt at one index must not be used at another."""

from __future__ import annotations

import pytest

from alignkit import Epsilon, Noise, Queries, Real, alignment, largest, mechanism


def magnitude(x):
    if x > 0:
        return x
    return -x


@mechanism
def branches_in_an_element(q: Queries, eps: Epsilon, noise: Noise):
    """s is min |q_i|, which is neither |min q_i| nor |min -q_i|."""
    z = noise.laplace(1 / eps)
    a = min(x for x in q)
    b = min(-x for x in q)
    s = min(magnitude(x) for x in q)
    return z + max(0, (s - abs(a)) * (s - abs(b)) - 1000000000)


@alignment(branches_in_an_element, epsilon="eps")
def branches_phi(q, q_, omega, H):
    return H.shift(z=0)


@mechanism
def chooses_tuples_in_an_element(q: Queries, eps: Epsilon, noise: Noise):
    z = noise.laplace(1 / eps)
    a = min(x for x in q)
    b = min(-x for x in q)
    s = min(((x, 1) if x > 0 else (-x, 2))[0] for x in q)
    return z + max(0, (s - abs(a)) * (s - abs(b)) - 1000000000)


@alignment(chooses_tuples_in_an_element, epsilon="eps")
def tuples_phi(q, q_, omega, H):
    return H.shift(z=0)


@mechanism
def one_number(q: Queries, eps: Epsilon, noise: Noise):
    z = noise.laplace(1 / eps)
    return z


@alignment(one_number, epsilon="eps")
def branches_in_the_alignment_phi(q, q_, H):
    a = min(x for x in q)
    b = min(-x for x in q)
    s = min(magnitude(x) for x in q)
    return H.shift(z=(s - abs(a)) * (s - abs(b)))


def one_or_two(x):
    if x > 0:
        return 1
    return 2


@alignment(one_number, epsilon="eps")
def branches_in_a_sum_phi(q, q_, H):
    s = sum(one_or_two(x) for x in q)
    a = sum(1 for x in q)
    b = sum(2 for x in q)
    return H.shift(z=1 if s != a and s != b else 0)


@mechanism
def selects_under_a_guard(q: Queries, c: Real, eps: Epsilon, noise: Noise):
    """What is selected where c != 0 says nothing where c == 0, and there private data is published."""
    eta = [noise.laplace(1 / eps) for x in q]
    b = largest([i / c + eta[i] for i in range(len(q))], 1)[0] if c != 0 else 0
    leak = max(q[0] - q[1] - 1000000000, 0) if c == 0 else 0
    return b, leak


@alignment(selects_under_a_guard, epsilon="eps")
def guarded_phi(q, q_, c, omega, H):
    return H.shift(eta=[0 for i in range(len(q))])


@mechanism
def many_unused(q: Queries, eps: Epsilon, noise: Noise):
    """The noise shows nowhere, so that only the order of the shifts is at stake."""
    eta = [noise.laplace(1 / eps) for x in q]
    return 0 * len(eta)


@alignment(many_unused, epsilon="eps", adjacency="one")
def own_noise_at_a_selected_index_phi(q, q_, omega, H):
    """The index is selected by the answers; what is read there is the noise that is shifted."""
    (j,) = largest([abs(q[i] - q_[i]) for i in range(len(q))], 1)
    return H.shift(eta=[(1 if H.eta[j] < 0 else 0) if q[i] != q_[i] else 0 for i in range(len(q))])


@pytest.mark.parametrize(
    "phi",
    [
        own_noise_at_a_selected_index_phi, branches_phi, tuples_phi, branches_in_the_alignment_phi,
        branches_in_a_sum_phi, guarded_phi,
    ],
    ids=lambda phi: phi.name,
)
def test_never_proved(phi, never_proved):
    never_proved(phi)
