"""Releases of mechanisms whose claims have a delta: how often what delta pays for happens, on exact noise."""

import math

import pytest

from alignkit.noise.exact_sampling.randomness import SeededBits
from alignkit.releasing.exact_release import release_on

ERROR_RATE = 1e-6
RUNS = 4000

KEY = """
NOTHING = Tag("NOTHING")

@mechanism
def key(q: Annotated[Query, Lattice(1)], tau: Count, eps: Epsilon, noise: Noise):
    x = noise.discrete_laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING

@alignment(key, epsilon="eps", delta="exp(-eps * (tau - 1)) / (1 + exp(-eps))")
def phi(q, q_, H, tau):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)
"""

CUT = """
@mechanism
def cut(q: Annotated[Query, Lattice(1)], m: Count, eps: Epsilon, noise: Noise):
    x = noise.discrete_laplace(1 / eps, within=m)
    return q + x

@alignment(cut, epsilon="eps", delta="(1 - exp(-eps)) * exp(-eps * m) / (1 + exp(-eps) - 2 * exp(-eps * (m + 1)))")
def phi(q, q_, H, m):
    below, above = m - (q - q_) + 1, -m + (q_ - q) - 1
    return H.shift(x=q - q_).below(x=below if q > q_ else None).above(x=above if q < q_ else None)
"""


def released(module, mechanism, **inputs):
    """The outputs of many releases under one proof."""
    from alignkit import check

    proof, bits = check(module.phi, effort=0), SeededBits(11)
    assert proof.proved
    return [release_on(bits, getattr(module, mechanism), (), inputs, proof) for _ in range(RUNS)]


def assert_share(found, expected):
    """Hoeffding's bound at the error rate."""
    assert abs(found / RUNS - expected) <= math.sqrt(math.log(2 / ERROR_RATE) / (2 * RUNS))


@pytest.mark.parametrize("tau", [1, 2, 3])
def test_a_new_key_is_released_as_often_as_delta_says(define, tau):
    module = define(KEY)
    outputs = released(module, "key", q=1, tau=tau, eps=1)
    assert_share(sum(output is not module.NOTHING for output in outputs), math.exp(1 - tau) / (1 + math.exp(-1)))
    assert set(released(module, "key", q=0, tau=tau, eps=1)) == {module.NOTHING}


def test_noise_that_is_cut_off_ends_where_it_says(define):
    module = define(CUT)
    r = math.exp(-1)
    delta = (1 - r) * r**2 / (1 + r - 2 * r**3)
    outputs = released(module, "cut", q=1, m=2, eps=1)
    assert set(outputs) == {-1, 0, 1, 2, 3}
    # What no run with the answer 0 gives.
    assert_share(outputs.count(3), delta)
