"""Lists of draws and Noisy Max: programs next to each other, some right and some wrong.

The prover is asked alone. What it proves is argued to be right in one line; what is wrong it must not prove.
"""

# Programs under test compute values that they do not use: that they may be undefined is the point.

from __future__ import annotations

import pytest

from alignkit import ABOVE, BELOW, Epsilon, Noise, Queries, Query, alignment, largest, mechanism

# Lists of draws


@mechanism
def vec(q: Queries, eps: Epsilon, noise: Noise):
    """Each answer with noise of its own."""
    e = [noise.laplace(1 / eps) for _ in q]
    return [q_i + e_i for q_i, e_i in zip(q, e)]


@alignment(vec, epsilon="eps", adjacency="l1")
def vec_joined(q, q_, H):
    """Right: what the list of shifts holds beyond the draws is of no matter."""
    d = [q[i] - q_[i] for i in range(len(q))]
    return H.shift(e=[*d, *d])


@alignment(vec, epsilon="eps", adjacency="l1")
def vec_offset(q, q_, H):
    """Wrong: every shift stands one place too late."""
    d = [q[i] - q_[i] for i in range(len(q))]
    return H.shift(e=[0, *d])


@mechanism
def vec2(q: Queries, eps: Epsilon, noise: Noise):
    """Each answer twice, with noise of its own each time."""
    e = [noise.laplace(1 / eps) for _ in q]
    f = [noise.laplace(1 / eps) for _ in q]
    yield [q_i + e_i for q_i, e_i in zip(q, e)]
    yield [q_i + f_i for q_i, f_i in zip(q, f)]


@alignment(vec2, epsilon="eps", adjacency="l1")
def vec2_l1(q, q_, H):
    """Wrong: each change is paid for twice, and the claim covers it once."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))], f=[q[i] - q_[i] for i in range(len(q))])


@alignment(vec2, epsilon="eps", adjacency="one")
def vec2_one(q, q_, H):
    """Wrong: the one answer that changes is paid for twice."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))], f=[q[i] - q_[i] for i in range(len(q))])


@alignment(vec2, epsilon="2 * eps", adjacency="l1")
def vec2_l1_paid(q, q_, H):
    """Right: the changes add up to 1 in each of the two lists."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))], f=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def sums(q: Queries, eps: Epsilon, noise: Noise):
    """Each answer with the one before it."""
    e = [noise.laplace(1 / eps) for _ in q]
    return [q[i] + (q[i - 1] if i > 0 else 0) + e[i] for i in range(len(q))]


@alignment(sums, epsilon="eps", adjacency="l1")
def sums_l1(q, q_, H):
    """Wrong: an answer enters two sums."""
    return H.shift(e=[q[i] - q_[i] + (q[i - 1] - q_[i - 1] if i > 0 else 0) for i in range(len(q))])


@alignment(sums, epsilon="eps", adjacency="one")
def sums_one(q, q_, H):
    """Wrong: the shift after the answer that changes is one too."""
    return H.shift(e=[q[i] - q_[i] + (q[i - 1] - q_[i - 1] if i > 0 else 0) for i in range(len(q))])


@mechanism
def two(q: Queries, p: Queries, eps: Epsilon, noise: Noise):
    """Answers from two private lists under one noise."""
    e = noise.laplace(1 / eps)
    return q[0] + p[0] + e


@alignment(two, epsilon="eps")
def two_phi(q, q_, p, p_, H):
    """Wrong: the sum changes by up to 2."""
    return H.shift(e=q[0] - q_[0] + p[0] - p_[0])


@alignment(two, epsilon="2 * eps", adjacency="monotone")
def two_mono(q, q_, p, p_, H):
    """Right: 2 is paid for."""
    return H.shift(e=q[0] - q_[0] + p[0] - p_[0])


@mechanism
def two_minus(q: Query, p: Query, eps: Epsilon, noise: Noise):
    """The difference of two private answers."""
    e = noise.laplace(1 / eps)
    return q - p + e


@alignment(two_minus, epsilon="eps", adjacency="monotone")
def two_minus_mono(q, q_, p, p_, H):
    """Right: where both move in one direction the difference changes by at most 1."""
    return H.shift(e=q - q_ - p + p_)


@alignment(two_minus, epsilon="eps")
def two_minus_each(q, q_, p, p_, H):
    """Wrong: the two may move apart."""
    return H.shift(e=q - q_ - p + p_)


@mechanism
def two_zip(q: Queries, p: Queries, eps: Epsilon, noise: Noise):
    """As many outputs as the shorter of two lists has, under noise for the first."""
    e = [noise.laplace(1 / eps) for _ in q]
    return [a + c for a, b, c in zip(q, p, e)]


@alignment(two_zip, epsilon="eps", adjacency="each")
def two_zip_phi(q, q_, p, p_, H):
    """Wrong: as many shifts as the second list has, be they too few or beyond the first."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(p))])


@mechanism
def expo2(q: Query, eps: Epsilon, noise: Noise):
    """The difference of two one-sided noises."""
    e = noise.exponential(1 / eps)
    f = noise.exponential(1 / eps)
    return q + e - f


@alignment(expo2, epsilon="eps")
def expo2_phi(q, q_, H):
    """Right: whichever has to rise rises."""
    return H.shift(e=q - q_ if q > q_ else 0, f=q_ - q if q_ > q else 0)


@alignment(expo2, epsilon="eps")
def expo2_net(q, q_, H):
    """Wrong: both rise, by up to 3 in all."""
    return H.shift(e=1 + q - q_, f=1)


@mechanism
def tagged(q: Query, eps: Epsilon, noise: Noise):
    """One-sided noise added to an answer that may be above 0 already."""
    e = noise.exponential(1 / eps)
    return ABOVE if q + e >= 0 else BELOW


@alignment(tagged, epsilon="eps")
def tagged_up(q, q_, omega, H):
    """Wrong: BELOW need not stay BELOW."""
    return H.shift(e=1 if omega is ABOVE else 0)


@alignment(tagged, epsilon="eps")
def tagged_collapse(q, q_, H):
    """Wrong: the noise is cut off at 0, where it piles up."""
    return H.shift(e=max(H.e + q - q_, 0) - H.e)


# Noisy Max


@mechanism
def nmax(q: Queries, eps: Epsilon, noise: Noise):
    """Noisy Max."""
    e = [noise.laplace(2 / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    (j,) = largest(v, 1)
    return j


@alignment(nmax, epsilon="eps")
def nmax_prev(q, q_, omega, H):
    """Wrong: the query after the winner is raised."""
    return H.shift(e=[1 + q[i] - q_[i] if i - 1 == omega else 0 for i in range(len(q))])


@alignment(nmax, epsilon="eps")
def nmax_le(q, q_, omega, H):
    """Wrong: all up to the winner are raised, and each pays."""
    return H.shift(e=[1 + q[i] - q_[i] if i <= omega else 0 for i in range(len(q))])


@alignment(nmax, epsilon="eps")
def nmax_swap(q, q_, omega, H):
    """Wrong: raised by the change of the query before, which for the first is none."""
    return H.shift(e=[1 + q[i - 1] - q_[i - 1] if i == omega else 0 for i in range(len(q))])


@alignment(nmax, epsilon="eps")
def nmax_between(q, q_, omega, H):
    """Right: the only whole number between w - 1 and w + 1 is w."""
    return H.shift(e=[1 + q[i] - q_[i] if omega - 1 < i < omega + 1 else 0 for i in range(len(q))])


@alignment(nmax, epsilon="eps / 2", adjacency="one")
def nmax_one_half(q, q_, omega, H):
    """Right: each moves by its own change, and one alone changes."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@alignment(nmax, epsilon="eps / 2", adjacency="monotone")
def nmax_mono_ok(q, q_, omega, H):
    """Right: up by 1 where the answers rise, by its own change alone where they fall."""
    up = any(q[i] < q_[i] for i in range(len(q)))
    return H.shift(e=[(1 + q[i] - q_[i] if up else q[i] - q_[i]) if i == omega else 0 for i in range(len(q))])


@alignment(nmax, epsilon="eps / 2", adjacency="monotone")
def nmax_mono_flip(q, q_, omega, H):
    """Wrong: the two directions are exchanged."""
    up = any(q[i] > q_[i] for i in range(len(q)))
    return H.shift(e=[(1 + q[i] - q_[i] if up else q[i] - q_[i]) if i == omega else 0 for i in range(len(q))])


@alignment(nmax, epsilon="eps / 2", adjacency="monotone")
def nmax_mono_first(q, q_, omega, H):
    """Wrong: the first answer may stay while the others rise."""
    up = q[0] < q_[0]
    return H.shift(e=[(1 + q[i] - q_[i] if up else q[i] - q_[i]) if i == omega else 0 for i in range(len(q))])


@alignment(nmax, epsilon="eps / 2", adjacency="monotone")
def nmax_mono_all(q, q_, omega, H):
    """Wrong: that not all fall does not say that any rises: one that falls then pays for more than 1."""
    up = not all(q[i] > q_[i] for i in range(len(q)))
    return H.shift(e=[(1 + q[i] - q_[i] if up else q[i] - q_[i]) if i == omega else 0 for i in range(len(q))])


@alignment(nmax, epsilon="eps")
def nmax_max(q, q_, omega, H):
    """Right: up by the greatest change of all."""
    m = max(q_[i] - q[i] for i in range(len(q)))
    return H.shift(e=[m + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(nmax, epsilon="eps")
def nmax_min(q, q_, omega, H):
    """Wrong: up by the least change of all."""
    m = min(q_[i] - q[i] for i in range(len(q)))
    return H.shift(e=[m + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(nmax, epsilon="eps")
def nmax_max_losers(q, q_, omega, H):
    """Wrong: of a single query there are no losers to take the greatest of."""
    m = max(q_[i] - q[i] for i in range(len(q)) if i != omega)
    return H.shift(e=[m + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(nmax, epsilon="eps")
def nmax_max_losers0(q, q_, omega, H):
    """Right: and a single query needs no shift."""
    m = max(q_[i] - q[i] for i in range(len(q)) if i != omega) if len(q) > 1 else 0
    return H.shift(e=[m + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(nmax, epsilon="eps")
def nmax_max_before(q, q_, omega, H):
    """Wrong: a query after the winner may overtake it."""
    m = max(q_[i] - q[i] for i in range(omega)) if omega > 0 else 0
    return H.shift(e=[m + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(nmax, epsilon="eps")
def nmax_noise_all(q, q_, omega, H):
    """Right: the winner keeps its lead over the best loser, which may be another on D'."""
    b = max(q[i] + H.e[i] for i in range(len(q)) if i != omega) if len(q) > 1 else 0
    b_ = max(q_[i] + H.e[i] for i in range(len(q)) if i != omega) if len(q) > 1 else 0
    return H.shift(e=[b_ - b + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(nmax, epsilon="eps")
def nmax_collapse(q, q_, omega, H):
    """Wrong: the winner is put 1 above the losers, wherever it was: its lead is forgotten."""
    b_ = max(q_[i] + H.e[i] for i in range(len(q)) if i != omega) if len(q) > 1 else 0
    return H.shift(e=[b_ + 1 - q_[i] - H.e[i] if i == omega else 0 for i in range(len(q))])


@alignment(nmax, epsilon="eps")
def nmax_last(q, q_, omega, H):
    """Wrong: the last query as winner is not raised."""
    return H.shift(e=[1 + q[i] - q_[i] if i == omega and omega < len(q) - 1 else 0 for i in range(len(q))])


@mechanism
def dmax(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
    """Noisy Max on a lattice, where ties are decided by the index."""
    e = [noise.discrete_laplace(2 / eps, 1) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    (j,) = largest(v, 1)
    return j


@alignment(dmax, epsilon="eps")
def dmax_tie(q, q_, omega, H):
    """Wrong: raised by the changes of those after it only, it loses a tie with one before it."""
    m = max(q_[i] - q[i] for i in range(len(q)) if i > omega) if omega < len(q) - 1 else 0
    return H.shift(e=[m + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@mechanism
def dmax_gap(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
    """The winner with its lead, on a lattice."""
    e = [noise.discrete_laplace(2 / eps, 1) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    j, other = largest(v, 2)
    return j, v[j] - v[other]


@alignment(dmax_gap, epsilon="eps")
def dmax_gap_phi(q, q_, omega, H):
    """Wrong: a lead of 0 is kept, but the runner-up on D' may be one that wins the tie."""
    b = max(q[i] + H.e[i] for i in range(len(q)) if i != omega[0])
    b_ = max(q_[i] + H.e[i] for i in range(len(q)) if i != omega[0])
    return H.shift(e=[b_ - b + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))])


@mechanism
def cmax_gap(q: Queries, eps: Epsilon, noise: Noise):
    """The winner with its lead."""
    e = [noise.laplace(2 / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    j, other = largest(v, 2)
    return j, v[j] - v[other]


@alignment(cmax_gap, epsilon="eps")
def cmax_gap_phi(q, q_, omega, H):
    """Right: without a lattice ties have probability 0."""
    b = max(q[i] + H.e[i] for i in range(len(q)) if i != omega[0])
    b_ = max(q_[i] + H.e[i] for i in range(len(q)) if i != omega[0])
    return H.shift(e=[b_ - b + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))])


@alignment(cmax_gap, epsilon="eps")
def cmax_gap_first(q, q_, omega, H):
    """Wrong: the lead itself is read."""
    return H.shift(e=[omega[1] if i == omega[0] else 0 for i in range(len(q))])


@mechanism
def maxval(q: Queries, eps: Epsilon, noise: Noise):
    """The winner with its noisy answer."""
    e = [noise.laplace(2 / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    (j,) = largest(v, 1)
    return j, v[j]


@alignment(maxval, epsilon="eps / 2")
def maxval_phi(q, q_, omega, H):
    """Wrong: a loser may overtake the winner, whose value stays."""
    return H.shift(e=[q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))])


@alignment(maxval, epsilon="eps / 2", adjacency="l1")
def maxval_l1(q, q_, omega, H):
    """Right: all values stay."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@alignment(maxval, epsilon="eps / 4", adjacency="l1")
def maxval_l1_q(q, q_, omega, H):
    """Wrong: at half of what it costs."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


WRONG = [
    vec_offset,
    vec2_l1,
    vec2_one,
    sums_l1,
    sums_one,
    two_phi,
    two_minus_each,
    two_zip_phi,
    expo2_net,
    tagged_up,
    tagged_collapse,
    nmax_prev,
    nmax_le,
    nmax_swap,
    nmax_mono_flip,
    nmax_mono_first,
    nmax_mono_all,
    nmax_min,
    nmax_max_losers,
    nmax_max_before,
    nmax_collapse,
    nmax_last,
    dmax_tie,
    dmax_gap_phi,
    cmax_gap_first,
    maxval_phi,
    maxval_l1_q,
]
RIGHT = [
    vec_joined,
    vec2_l1_paid,
    two_mono,
    two_minus_mono,
    expo2_phi,
    nmax_between,
    nmax_one_half,
    nmax_mono_ok,
    nmax_max,
    nmax_max_losers0,
    nmax_noise_all,
    cmax_gap_phi,
    maxval_l1,
]


@pytest.mark.parametrize("phi", WRONG, ids=lambda phi: phi.name)
def test_what_is_wrong_is_not_proved(phi, prover_alone):
    assert not prover_alone(phi).complete


@pytest.mark.parametrize("phi", RIGHT, ids=lambda phi: phi.name)
def test_what_is_right_is_proved(phi, prover_alone):
    assert prover_alone(phi).complete
