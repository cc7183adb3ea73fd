"""Arithmetic, sensitivities, lattices, and what is undefined: programs next to each other, some right and some wrong.

The prover is asked alone. What it proves is argued to be right in one line; what is wrong it must not prove.
"""

# Programs under test compute values that they do not use: that they may be undefined is the point.

from __future__ import annotations

import pytest

from alignkit import (
    Count,
    Epsilon,
    Noise,
    Positive,
    Queries,
    Query,
    Real,
    alignment,
    clamp,
    largest,
    log,
    mechanism,
    power,
    sqrt,
)

# Arithmetic


@mechanism
def plain(q: Query, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """One answer with noise."""
    e = noise.laplace(1 / eps)
    return q + e


@alignment(plain, epsilon="eps * sqrt(2) * sqrt(2) / 2")
def sqrt22(q, q_, H):
    """Right: the square of the root of 2 is 2."""
    return H.shift(e=q - q_)


@alignment(plain, epsilon="eps * log(3) / log(2)")
def log3(q, q_, H):
    """Right: log 3 is more than log 2."""
    return H.shift(e=q - q_)


@alignment(plain, epsilon="eps * log(2) / log(3)")
def log23(q, q_, H):
    """Wrong: and not the other way round."""
    return H.shift(e=q - q_)


@alignment(plain, epsilon="eps * sqrt(T * T) / T if T != 0 else eps")
def sqrtT(q, q_, H):
    """Wrong: the root of a square is -T where T is below 0."""
    return H.shift(e=q - q_)


@alignment(plain, epsilon="eps * abs(T) / T if T > 0 else eps")
def absT(q, q_, H):
    """Right: for T above 0 that is 1."""
    return H.shift(e=q - q_)


@alignment(plain, epsilon="eps * T / T")
def TT(q, q_, H):
    """Wrong: not defined for T = 0."""
    return H.shift(e=q - q_)


@alignment(plain, epsilon="eps * (1 if k >= 3 / 2 or k == 1 else 0)")
def k32(q, q_, H):
    """Right: a count is 1 or at least 2."""
    return H.shift(e=q - q_)


@alignment(plain, epsilon="eps * (1 if T >= 3 / 2 or T <= 1 else 0)")
def T32(q, q_, H):
    """Wrong: a real number may lie between."""
    return H.shift(e=q - q_)


@alignment(plain, epsilon="eps * (1 if 2 * k != 3 else 0)")
def k3(q, q_, H):
    """Right: twice a count is never 3."""
    return H.shift(e=q - q_)


@alignment(plain, epsilon="eps * (1 if 2 * T != 3 else 0)")
def T3(q, q_, H):
    """Wrong: twice a real number may be."""
    return H.shift(e=q - q_)


@alignment(plain, epsilon="eps * (1 if 6 * k * k + 3 != 4 * k else 0)")
def kk34(q, q_, H):
    """Right: an odd number is never twice another."""
    return H.shift(e=q - q_)


@alignment(plain, epsilon="eps * (T + 1) / (T + 1)")
def inv3(q, q_, H):
    """Wrong: not defined for T = -1."""
    return H.shift(e=q - q_)


@alignment(plain, epsilon="eps * (T * T + 1) / (T * T + 1)")
def inv4(q, q_, H):
    """Right: T * T + 1 is never 0."""
    return H.shift(e=q - q_)


@alignment(plain, epsilon="eps * (eps * eps + 1) / (eps * eps + eps)")
def inv5(q, q_, H):
    """Wrong: less than eps for eps above 1."""
    return H.shift(e=q - q_)


@alignment(plain, epsilon="eps")
def big4(q, q_, H):
    """Wrong: beyond a number too long to be written out the output moves."""
    b = power(power(10, 1000), 5)
    return H.shift(e=q - q_ if q < b else q - q_ + 1)


# Sensitivities, lattices, Gumbel noise


@mechanism
def ext(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Each answer twice in one list."""
    w = [*q, *q]
    e = [noise.laplace(1 / eps) for _ in w]
    return [a + b for a, b in zip(w, e)]


@alignment(ext, epsilon="eps", adjacency="one")
def ext_one(q, q_, H):
    """Wrong: the answer that changes is paid for twice."""
    return H.shift(e=[a - b for a, b in zip([*q, *q], [*q_, *q_])])


@alignment(ext, epsilon="eps", adjacency="l1")
def ext_l1(q, q_, H):
    """Wrong: each change is paid for twice."""
    return H.shift(e=[a - b for a, b in zip([*q, *q], [*q_, *q_])])


@mechanism
def sq(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Squares of answers that are cut to [0, 1]."""
    w = [clamp(a, 0, 1) * clamp(a, 0, 1) for a in q]
    e = [noise.laplace(1 / eps) for _ in w]
    return [a + b for a, b in zip(w, e)]


@alignment(sq, epsilon="eps", adjacency="l1")
def sq_l1(q, q_, H):
    """Wrong: near 1 a square changes twice as much as its answer."""
    return H.shift(e=[clamp(a, 0, 1) * clamp(a, 0, 1) - clamp(b, 0, 1) * clamp(b, 0, 1) for a, b in zip(q, q_)])


@alignment(sq, epsilon="eps", adjacency="one")
def sq_one(q, q_, H):
    """Right: one square changes, by at most 1."""
    return H.shift(e=[clamp(a, 0, 1) * clamp(a, 0, 1) - clamp(b, 0, 1) * clamp(b, 0, 1) for a, b in zip(q, q_)])


@mechanism
def step(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Which answers reach a threshold."""
    w = [1 if a >= T else 0 for a in q]
    e = [noise.laplace(1 / eps) for _ in w]
    return [a + b for a, b in zip(w, e)]


@alignment(step, epsilon="eps", adjacency="l1")
def step_l1(q, q_, T, H):
    """Wrong: many small changes are many whole steps."""
    return H.shift(e=[(1 if a >= T else 0) - (1 if b >= T else 0) for a, b in zip(q, q_)])


@alignment(step, epsilon="eps", adjacency="one")
def step_one(q, q_, T, H):
    """Right: one changes, by one step."""
    return H.shift(e=[(1 if a >= T else 0) - (1 if b >= T else 0) for a, b in zip(q, q_)])


@mechanism
def sens(q: Queries(sensitivity="d"), d: Positive, T: Real, eps: Epsilon, noise: Noise):
    """Noisy Max of answers of sensitivity d."""
    e = [noise.laplace(2 * d / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    (j,) = largest(v, 1)
    return j


@alignment(sens, epsilon="eps")
def sens_ok(q, q_, d, omega, H):
    """Right: d is paid for."""
    return H.shift(e=[d + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(sens, epsilon="eps")
def sens_1(q, q_, d, omega, H):
    """Wrong: 1 is less than a d above 1."""
    return H.shift(e=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@mechanism
def sens2(q: Query(sensitivity="d"), p: Query(sensitivity=2), d: Positive, eps: Epsilon, noise: Noise):
    """The difference of two answers of sensitivity d and 2."""
    e = noise.laplace((d + 2) / eps)
    return q - p + e


@alignment(sens2, epsilon="eps")
def sens2_ok(q, q_, p, p_, d, omega, H):
    """Right: it changes by at most d + 2."""
    return H.shift(e=q - q_ - p + p_)


@alignment(sens2, epsilon="max(d, 2) / (d + 2) * eps", adjacency="monotone")
def sens2_mono(q, q_, p, p_, d, omega, H):
    """Right: in one direction, by at most the larger."""
    return H.shift(e=q - q_ - p + p_)


@alignment(sens2, epsilon="min(d, 2) / (d + 2) * eps", adjacency="monotone")
def sens2_mono_bad(q, q_, p, p_, d, omega, H):
    """Wrong: not by at most the smaller."""
    return H.shift(e=q - q_ - p + p_)


@mechanism
def lat(q: Queries(sensitivity="d", lattice="g"), d: Positive, g: Positive, eps: Epsilon, noise: Noise):
    """Noisy Max on a lattice g."""
    e = [noise.discrete_laplace(2 * d / eps, g) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    (j,) = largest(v, 1)
    return j


@alignment(lat, epsilon="eps")
def lat_ok(q, q_, d, omega, H):
    """Right: d is a multiple of g."""
    return H.shift(e=[d + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(lat, epsilon="eps")
def lat_1(q, q_, d, omega, H):
    """Wrong: 1 need not be one."""
    return H.shift(e=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(lat, epsilon="eps")
def lat_less(q, q_, d, g, omega, H):
    """Wrong: one step less loses to one before it."""
    return H.shift(e=[d - g + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(lat, epsilon="eps")
def lat_half(q, q_, d, g, omega, H):
    """Wrong: half of d need not be on the lattice."""
    return H.shift(e=[d / 2 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@mechanism
def gum(q: Queries, eps: Epsilon, noise: Noise):
    """Noisy Max with Gumbel noise."""
    e = [noise.gumbel(2 / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    (j,) = largest(v, 1)
    return j


@alignment(gum, epsilon="eps")
def gum_ok(q, q_, omega, H):
    """Right: up only."""
    return H.shift(e=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(gum, epsilon="eps / 2", adjacency="one")
def gum_one(q, q_, omega, H):
    """Wrong: an answer may rise, and its noise then falls, which has no bound."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@alignment(gum, epsilon="eps", adjacency="monotone")
def gum_half(q, q_, omega, H):
    """Wrong: half a step up is not enough."""
    return H.shift(e=[1 / 2 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


# What is undefined, under a condition


@mechanism
def div0(q: Query, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """For T above 5 this divides by 0."""
    x = 1 / (k - k) if T > 5 else 0
    e = noise.laplace(1 / eps)
    return q + e + x


@alignment(div0, epsilon="eps")
def div0_phi(q, q_, H):
    """Right: no claim is made where the program is not defined."""
    return H.shift(e=q - q_)


@alignment(plain, epsilon="eps")
def div0b_phi(q, q_, T, k, H):
    """Wrong: for T above 5 the alignment divides by 0."""
    return H.shift(e=q - q_ + (0 * (1 / (k - k)) if T > 5 else 0))


@alignment(plain, epsilon="eps")
def sqrtb_phi(q, q_, T, H):
    """Wrong: or takes the root of -1."""
    return H.shift(e=q - q_ + (0 * sqrt(0 - 1) if T > 5 else 0))


@alignment(plain, epsilon="eps")
def logb_phi(q, q_, T, H):
    """Wrong: or the logarithm of 0."""
    return H.shift(e=q - q_ + (0 * log(0) if T > 5 else 0))


@alignment(plain, epsilon="eps")
def powb_phi(q, q_, T, H):
    """Wrong: or a power of 0 below 0."""
    return H.shift(e=q - q_ + (0 * power(0, 0 - 1) if T > 5 else 0))


@alignment(plain, epsilon="eps if k > 1 else eps / (k - k)")
def claimb_phi(q, q_, T, H):
    """Wrong: the claim divides by 0 for k = 1."""
    return H.shift(e=q - q_)


@alignment(plain, epsilon="eps")
def div0c_phi(q, q_, T, k, H):
    """Wrong: behind an `and` that lets it come to that."""
    return H.shift(e=q - q_ + (1 if T <= 5 and 1 / (T - T) > 0 else 0))


@alignment(plain, epsilon="eps")
def const_div(q, q_, T, k, H):
    """Wrong: a division of numbers alone."""
    return H.shift(e=q - q_ + (1 / (2 - 2) if T > 5 else 0))


@alignment(plain, epsilon="eps")
def q_div(q, q_, T, k, H):
    """Wrong: answers may stay as they are."""
    return H.shift(e=(q - q_) * (q - q_) / (q - q_))


@alignment(plain, epsilon="eps")
def q_div_ok(q, q_, T, k, H):
    """Right: then there is nothing to divide."""
    return H.shift(e=(q - q_) * (q - q_) / (q - q_) if q != q_ else 0)


WRONG = [
    log23,
    sqrtT,
    TT,
    T32,
    T3,
    inv3,
    inv5,
    big4,
    ext_one,
    ext_l1,
    sq_l1,
    step_l1,
    sens_1,
    sens2_mono_bad,
    lat_1,
    lat_less,
    lat_half,
    gum_one,
    gum_half,
    div0b_phi,
    sqrtb_phi,
    logb_phi,
    powb_phi,
    claimb_phi,
    div0c_phi,
    const_div,
    q_div,
]
RIGHT = [
    sqrt22,
    log3,
    absT,
    k32,
    k3,
    kk34,
    inv4,
    sq_one,
    step_one,
    sens_ok,
    sens2_ok,
    sens2_mono,
    lat_ok,
    gum_ok,
    div0_phi,
    q_div_ok,
]


@pytest.mark.parametrize("phi", WRONG, ids=lambda phi: phi.name)
def test_what_is_wrong_is_not_proved(phi, prover_alone):
    assert not prover_alone(phi).complete


@pytest.mark.parametrize("phi", RIGHT, ids=lambda phi: phi.name)
def test_what_is_right_is_proved(phi, prover_alone):
    assert prover_alone(phi).complete


@pytest.mark.parametrize("phi", [div0b_phi, const_div, powb_phi], ids=lambda phi: phi.name)
def test_what_is_undefined_under_a_condition_is_refuted(phi, refuted):
    refuted(phi, "same_output")
