"""One-to-one, by an order of the noise or by pieces: programs next to each other, some right and some wrong.

The prover is asked alone. What it proves is argued to be right in one line; what is wrong it must not prove.
"""

# Programs under test compute values that they do not use: that they may be undefined is the point.
# ruff: noqa: F841

from __future__ import annotations

import pytest

from alignkit import ABOVE, BELOW, Epsilon, Noise, Queries, Query, Real, alignment, largest, mechanism

# One-to-one


@mechanism
def pair(q: Query, eps: Epsilon, noise: Noise):
    """A comparison with the sum of two noises."""
    a = noise.laplace(1 / eps)
    b = noise.laplace(1 / eps)
    return ABOVE if q + a + b > 0 else BELOW


@alignment(pair, epsilon="eps")
def pair_cases(q, q_, H):
    """Wrong: b is raised above 0 where it is below, into where a was raised in its place."""
    return H.shift(a=q - q_ if H.b > 0 else 0, b=0 if H.b > 0 else q - q_)


@alignment(pair, epsilon="2 * eps")
def pair_far(q, q_, H):
    """Wrong: one-to-one, but the price is 3."""
    return H.shift(a=q - q_ - (1 if H.b > 0 else 0 - 1), b=1 if H.b > 0 else 0 - 1)


@alignment(pair, epsilon="3 * eps")
def pair_far_paid(q, q_, H):
    """Right: the halves of b move apart."""
    return H.shift(a=q - q_ - (1 if H.b > 0 else 0 - 1), b=1 if H.b > 0 else 0 - 1)


@alignment(pair, epsilon="3 * eps")
def pair_near(q, q_, H):
    """Wrong: the halves of b move towards each other and overlap."""
    return H.shift(a=q - q_ - (0 - 1 if H.b > 0 else 1), b=0 - 1 if H.b > 0 else 1)


@alignment(pair, epsilon="3 * eps")
def pair_sum_near(q, q_, H):
    """Right: the halves are told apart by the sum, which moves by q - q' in both."""
    return H.shift(a=q - q_ + (1 if H.a + H.b > 0 else 0 - 1), b=0 - 1 if H.a + H.b > 0 else 1)


@alignment(pair, epsilon="eps")
def pair_reflect(q, q_, omega, H):
    """Wrong: the price has no bound."""
    return H.shift(a=0 - 2 * H.a, b=2 * H.a + q - q_)


@mechanism
def never(q: Query, eps: Epsilon, noise: Noise):
    """One-sided noise that is not used."""
    a = noise.exponential(1 / eps)
    x = a * 0
    return 1


@alignment(never, epsilon="log(2)")
def never_half(q, q_, H):
    """Right: halved noise is likelier, and half of its volume costs log 2."""
    return H.shift(a=0 - H.a / 2)


@alignment(never, epsilon="log(2) / 2")
def never_half_bad(q, q_, H):
    """Wrong: the volume is not paid for in full."""
    return H.shift(a=0 - H.a / 2)


@alignment(never, epsilon="eps / 1000")
def never_all(q, q_, H):
    """Wrong: all noise is put to 0."""
    return H.shift(a=0 - H.a)


@alignment(never, epsilon="0")
def never_third(q, q_, H):
    """Wrong: what lies above 1 is halved, onto what lies below."""
    return H.shift(a=0 - H.a / 2 if H.a > 1 else 0)


@alignment(never, epsilon="log(2)")
def never_piece(q, q_, H):
    """Right: what lies above 1 is drawn half as near to 1, and stays above."""
    return H.shift(a=(1 - H.a) / 2 if H.a > 1 else 0)


@alignment(never, epsilon="log(2) / 2")
def never_piece_bad(q, q_, H):
    """Wrong: near 1 that costs log 2."""
    return H.shift(a=(1 - H.a) / 2 if H.a > 1 else 0)


@alignment(never, epsilon="eps")
def never_abs(q, q_, H):
    """Wrong: the noise between 1 and 2 is folded onto that below 1."""
    return H.shift(a=2 - 2 * H.a if H.a > 1 and H.a < 2 else 0)


@alignment(never, epsilon="eps")
def never_swapint(q, q_, H):
    """Right: [0, 1) and [1, 2) change places."""
    return H.shift(a=1 if H.a < 1 else (0 - 1 if H.a < 2 else 0))


@alignment(never, epsilon="eps / 2")
def never_swapint_half(q, q_, H):
    """Wrong: that costs eps."""
    return H.shift(a=1 if H.a < 1 else (0 - 1 if H.a < 2 else 0))


@mechanism
def neverq(q: Query(lattice=1), eps: Epsilon, noise: Noise):
    """One-sided noise on a lattice, not used."""
    a = noise.geometric(1 / eps, 1)
    return 1


@alignment(neverq, epsilon="eps")
def neverq_swap(q, q_, H):
    """Right: 0 and 1 change places."""
    return H.shift(a=1 if H.a < 1 else (0 - 1 if H.a < 2 else 0))


@alignment(neverq, epsilon="eps")
def neverq_collapse(q, q_, H):
    """Wrong: 0 is put onto 1, which stays."""
    return H.shift(a=1 if H.a < 1 else 0)


@alignment(neverq, epsilon="2 * eps")
def neverq_cycle_bad(q, q_, H):
    """Wrong: 0 goes to 1, 1 to 2 and 2 to 1."""
    return H.shift(a=1 if H.a < 2 else (0 - 1 if H.a == 2 else 0))


@alignment(neverq, epsilon="eps")
def neverq_halfstep(q, q_, H):
    """Wrong: half a step is off the lattice."""
    return H.shift(a=1 / 2)


@mechanism
def expo_tag(q: Query, T: Real, eps: Epsilon, noise: Noise):
    """A comparison of two numbers under one-sided noise."""
    a = noise.exponential(1 / eps)
    b = noise.exponential(1 / eps)
    return ABOVE if q + a > T + b else BELOW


@alignment(expo_tag, epsilon="eps")
def expo_tag_cond(q, q_, omega, H):
    """Right: what is the larger is raised by 1."""
    return H.shift(a=1 if omega is ABOVE else 0, b=1 if omega is BELOW else 0)


@alignment(expo_tag, epsilon="eps")
def expo_tag_ok(q, q_, H):
    """Right: whichever has fallen behind is raised by the change."""
    return H.shift(a=q - q_ if q > q_ else 0, b=q_ - q if q_ > q else 0)


@alignment(expo_tag, epsilon="2 * log(2)")
def expo_scale(q, q_, omega, H):
    """Wrong: half the noise does not keep the order."""
    return H.shift(a=H.a * 0 - H.a / 2)


# Noise read by several shifts


@mechanism
def meas2(q: Queries, eps: Epsilon, noise: Noise):
    """Two are selected, and their answers given under fresh noise."""
    e = [noise.laplace(8 / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    for j in largest(v, 2):
        x = noise.laplace(4 / eps)
        yield j, q[j] + x


@alignment(meas2, epsilon="eps")
def meas2_ok(q, q_, omega, H):
    """Right: each fresh noise moves by the change of its own answer."""
    a, b = omega[0][0], omega[1][0]
    return H.shift(
        e=[1 + q[i] - q_[i] if i in (a, b) else 0 for i in range(len(q))], x=[q[w[0]] - q_[w[0]] for w in omega]
    )


@alignment(meas2, epsilon="eps")
def meas2_swapped(q, q_, omega, H):
    """Wrong: the two changes are exchanged."""
    a, b = omega[0][0], omega[1][0]
    return H.shift(e=[1 + q[i] - q_[i] if i in (a, b) else 0 for i in range(len(q))], x=[q[b] - q_[b], q[a] - q_[a]])


@alignment(meas2, epsilon="3 * eps / 4")
def meas2_cheap(q, q_, omega, H):
    """Wrong: the selection and the answers cost half each."""
    a, b = omega[0][0], omega[1][0]
    return H.shift(
        e=[1 + q[i] - q_[i] if i in (a, b) else 0 for i in range(len(q))], x=[q[w[0]] - q_[w[0]] for w in omega]
    )


@mechanism
def free(q: Queries, eps: Epsilon, noise: Noise):
    """Noise that is not used."""
    a = noise.laplace(1 / eps)
    b = noise.laplace(1 / eps)
    e = [noise.laplace(1 / eps) for _ in q]
    return 1


@alignment(free, epsilon="10 * eps")
def free_ranks(q, q_, H):
    """Wrong: a reads b, b reads the first of e, and that reads a."""
    return H.shift(
        a=1 if H.b > 0 else 0, b=1 if H.e[0] > 0 else 0, e=[1 if i == 0 and H.a > 0 else 0 for i in range(len(q))]
    )


@alignment(free, epsilon="10 * eps")
def free_own(q, q_, H):
    """Wrong: the first of e is raised where it is below 0, into what stays."""
    return H.shift(e=[1 if i == 0 and H.e[0] < 0 else 0 for i in range(len(q))])


@alignment(free, epsilon="10 * eps")
def free_max(q, q_, H):
    """Right: the largest, raised, is still the largest."""
    m = max(H.e[i] for i in range(len(q)))
    return H.shift(e=[1 if H.e[i] == m else 0 for i in range(len(q))])


@alignment(free, epsilon="10 * eps")
def free_max_down(q, q_, H):
    """Wrong: the largest, lowered, may be any."""
    m = max(H.e[i] for i in range(len(q)))
    return H.shift(e=[0 - 1 if H.e[i] == m else 0 for i in range(len(q))])


@alignment(free, epsilon="10 * eps")
def free_min_up(q, q_, H):
    """Wrong: so may the smallest, raised."""
    m = min(H.e[i] for i in range(len(q)))
    return H.shift(e=[1 if H.e[i] == m else 0 for i in range(len(q))])


@alignment(free, epsilon="10 * eps")
def free_cross(q, q_, H):
    """Right: a and the largest above it move apart."""
    m = max(H.e[i] for i in range(len(q)))
    return H.shift(a=0 - 1 if m > H.a else 0, e=[1 if H.e[i] == m and m > H.a else 0 for i in range(len(q))])


@alignment(free, epsilon="10 * eps")
def free_cross_near(q, q_, H):
    """Wrong: a and the largest above it move past each other."""
    m = max(H.e[i] for i in range(len(q)))
    return H.shift(a=1 if m > H.a else 0, e=[0 - 1 if H.e[i] == m and m > H.a else 0 for i in range(len(q))])


@alignment(free, epsilon="10 * eps")
def free_wrap(q, q_, H):
    """Wrong: the first reads the last, and the last the first."""
    n = len(q)
    return H.shift(
        e=[
            (1 if H.e[n - 1] > 0 else 0) if i == 0 else ((0 - 1 if H.e[0] > 0 else 0) if i == n - 1 else 0)
            for i in range(n)
        ]
    )


@alignment(free, epsilon="10 * eps")
def free_last(q, q_, H):
    """Wrong: of a single draw the last is the first itself."""
    n = len(q)
    return H.shift(e=[(1 if H.e[n - 1] < 0 else 0) if i == 0 else 0 for i in range(n)])


WRONG = [
    meas2_swapped,
    meas2_cheap,
    free_ranks,
    free_own,
    free_max_down,
    free_min_up,
    free_cross_near,
    free_wrap,
    free_last,
    pair_cases,
    pair_far,
    pair_near,
    pair_reflect,
    never_half_bad,
    never_all,
    never_third,
    never_piece_bad,
    never_abs,
    never_swapint_half,
    neverq_collapse,
    neverq_cycle_bad,
    neverq_halfstep,
    expo_scale,
]
RIGHT = [
    meas2_ok,
    free_max,
    free_cross,
    pair_far_paid,
    pair_sum_near,
    never_half,
    never_piece,
    never_swapint,
    neverq_swap,
    expo_tag_cond,
    expo_tag_ok,
]


@pytest.mark.parametrize("phi", WRONG, ids=lambda phi: phi.name)
def test_what_is_wrong_is_not_proved(phi, prover_alone):
    assert not prover_alone(phi).complete


@pytest.mark.parametrize("phi", RIGHT, ids=lambda phi: phi.name)
def test_what_is_right_is_proved(phi, prover_alone):
    assert prover_alone(phi).complete
