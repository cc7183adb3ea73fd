"""Selections, lists of draws, one-to-one and arithmetic: programs next to each other, some right and some wrong.

The prover is asked alone. What it proves is argued to be right in one line; what is wrong it must not prove.
"""

# Programs under test compute values that they do not use: that they may be undefined is the point.
# ruff: noqa: F841

from __future__ import annotations

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Noise,
    Positive,
    Queries,
    Query,
    Real,
    Tag,
    alignment,
    clamp,
    largest,
    log,
    mechanism,
    power,
    sqrt,
)

MIDDLE = Tag("MIDDLE")


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


# Loops: what an alignment may know of the noise


@mechanism
def lp(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Sparse Vector that stops at the first winner."""
    eta = noise.laplace(2 / eps)
    for q_i in q:
        e = noise.laplace(4 / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            break
        yield BELOW


@alignment(lp, epsilon="eps")
def lp_len(q, q_, omega, H):
    """Right: every iteration gives one output, so that nothing is ever added."""
    far = 1000 if len(H.e) != len(omega) else 0
    return H.shift(eta=1 + far, e=[2 if w is ABOVE else 0 for w in omega])


@alignment(lp, epsilon="eps")
def lp_len_n(q, q_, omega, H):
    """Wrong: the loop may end before the queries do."""
    far = 1000 if len(H.e) != len(q) else 0
    return H.shift(eta=1 + far, e=[2 if w is ABOVE else 0 for w in omega])


@alignment(lp, epsilon="eps")
def lp_len_n40(q, q_, omega, H):
    """Wrong: the 41st may be the winner; the threshold is then raised by 1000 more."""
    far = 1000 if len(omega) > 40 and omega[40] is ABOVE and len(H.e) == 41 else 0
    return H.shift(eta=1 + far, e=[2 if w is ABOVE else 0 for w in omega])


@alignment(lp, epsilon="eps")
def lp_lastabove(q, q_, omega, H):
    """Wrong: after 40 queries there may still be a winner."""
    far = 1000 if len(omega) > 40 and omega[len(omega) - 1] is ABOVE else 0
    return H.shift(eta=1 + far, e=[2 if w is ABOVE else 0 for w in omega])


@alignment(lp, epsilon="eps")
def lp_read39(q, q_, omega, H):
    """Right: 40 outputs come with 40 draws."""
    return H.shift(eta=1 + (0 * H.e[39] if len(omega) >= 40 else 0), e=[2 if w is ABOVE else 0 for w in omega])


@alignment(lp, epsilon="eps")
def lp_read40(q, q_, omega, H):
    """Wrong: 40 outputs do not come with 41 draws."""
    return H.shift(eta=1 + (0 * H.e[40] if len(omega) >= 40 else 0), e=[2 if w is ABOVE else 0 for w in omega])


@alignment(lp, epsilon="eps")
def lp_readn(q, q_, omega, H):
    """Wrong: the last query need not be reached."""
    return H.shift(eta=1 + 0 * H.e[len(q) - 1], e=[2 if w is ABOVE else 0 for w in omega])


@mechanism
def silent(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse Vector that looks at the top of each round whether it is over."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        if count >= k:
            break
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW


@alignment(silent, epsilon="eps")
def silent_readnext(q, q_, omega, H):
    """Wrong: the 41st draw is not made where the loop is left at the top of that round."""
    return H.shift(
        eta=1 + (0 * H.e[40] if len(omega) == 40 and len(q) > 40 else 0), e=[2 if w is ABOVE else 0 for w in omega]
    )


@mechanism
def drawbreak(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Sparse Vector that says nothing of the winner but by stopping."""
    eta = noise.laplace(2 / eps)
    for q_i in q:
        e = noise.laplace(4 / eps)
        if q_i + e >= T + eta:
            break
        yield BELOW


@alignment(drawbreak, epsilon="eps")
def drawbreak_len(q, q_, omega, H):
    """Right: there is one draw more than outputs, but for a loop without a winner."""
    n = len(q)
    far = 1000 if len(H.e) != min(len(omega) + 1, n) else 0
    return H.shift(eta=1 + far, e=[2 if i == len(omega) else 0 for i in range(n)])


@alignment(drawbreak, epsilon="eps")
def drawbreak_len2(q, q_, omega, H):
    """Wrong: with more than 40 outputs there may be one draw more than outputs."""
    n = len(q)
    far = 1000 if len(H.e) > len(omega) + 0 and len(omega) > 40 else 0
    return H.shift(eta=1 + far, e=[2 if i == len(omega) else 0 for i in range(n)])


@alignment(drawbreak, epsilon="eps")
def drawbreak_all(q, q_, omega, H):
    """Right: the last draw is the winner's where there is one draw more than outputs."""
    n = len(q)
    return H.shift(eta=1, e=[2 if i == len(H.e) - 1 and len(omega) < len(H.e) else 0 for i in range(n)])


@alignment(drawbreak, epsilon="eps")
def drawbreak_noomega(q, q_, H):
    """Wrong: the last draw is not the winner's where the loop has none."""
    n = len(q)
    return H.shift(eta=1, e=[2 if i == len(H.e) - 1 else 0 for i in range(n)])


@mechanism
def empty(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """A loop of k - 1 rounds, which are none for k = 1."""
    eta = noise.laplace(1 / eps)
    for i in range(k - 1):
        e = noise.laplace(1 / eps)
        yield e
    yield q[0] + eta


@alignment(empty, epsilon="eps")
def empty_read(q, q_, H):
    """Wrong: for k = 1 nothing is drawn."""
    return H.shift(eta=q[0] - q_[0] + 0 * H.e[0])


@alignment(empty, epsilon="eps")
def empty_readk(q, q_, k, H):
    """Right: for k of at least 2 there are k - 1 draws."""
    return H.shift(eta=q[0] - q_[0] + (0 * H.e[k - 2] if k >= 2 else 0))


@alignment(empty, epsilon="eps")
def empty_readk1(q, q_, k, H):
    """Wrong: the draw at k - 1 is one too far."""
    return H.shift(eta=q[0] - q_[0] + (0 * H.e[k - 1] if k >= 2 else 0))


@alignment(empty, epsilon="eps")
def empty_len1(q, q_, k, H):
    """Wrong: for k = 41 a 1000 is added."""
    return H.shift(eta=q[0] - q_[0] + (1000 if len(H.e) == 40 else 0))


@alignment(empty, epsilon="eps")
def empty_w(q, q_, k, omega, H):
    """Right: there are k outputs."""
    return H.shift(eta=q[0] - q_[0] + (1000 if len(omega) != k else 0))


@alignment(empty, epsilon="eps")
def empty_w1(q, q_, k, omega, H):
    """Wrong: one output comes after the loop."""
    return H.shift(eta=q[0] - q_[0] + (1000 if len(omega) != k - 1 else 0))


@mechanism
def before(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Sparse Vector with an output ahead of the loop."""
    eta = noise.laplace(2 / eps)
    yield MIDDLE
    for q_i in q:
        e = noise.laplace(4 / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            break
        yield BELOW


@alignment(before, epsilon="eps")
def before_ok(q, q_, omega, H):
    """Right: the output of iteration i stands at i + 1."""
    return H.shift(eta=1, e=[2 if w is ABOVE else 0 for w in [omega[i + 1] for i in range(len(omega) - 1)]])


@alignment(before, epsilon="eps")
def before_off(q, q_, omega, H):
    """Wrong: the output of the iteration before is looked at."""
    return H.shift(eta=1, e=[2 if w is ABOVE else 0 for w in omega])


@alignment(before, epsilon="eps")
def before_read(q, q_, omega, H):
    """Wrong: there is one draw fewer than outputs."""
    n = len(omega)
    return H.shift(eta=1 + 0 * H.e[n - 1], e=[2 if omega[i + 1] is ABOVE else 0 for i in range(n - 1)])


@alignment(before, epsilon="eps")
def before_read2(q, q_, omega, H):
    """Right: the last draw is the one before the last."""
    n = len(omega)
    return H.shift(eta=1 + 0 * H.e[n - 2], e=[2 if omega[i + 1] is ABOVE else 0 for i in range(n - 1)])


@mechanism
def ret(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """The position of the first winner."""
    eta = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        e = noise.laplace(4 / eps)
        if q_i + e >= T + eta:
            return i
    return 0 - 1


@alignment(ret, epsilon="eps")
def ret_ok(q, q_, H):
    """Wrong: the last draw is no winner's where the loop has none."""
    return H.shift(eta=1, e=[2 if i == len(H.e) - 1 else 0 for i in range(len(q))])


# Loops of known length, two loops, functions that draw


@mechanism
def twoloops(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """One of two loops is of symbolic length, which one depends on T."""
    items = q if T > 0 else [T]
    c = 0
    for x in items:
        if T > 0:
            c += 1
        e = noise.laplace(1 / eps)
        yield x + e
    if T > 0:
        return
    d = 0
    for y in q:
        d += 1
        f = noise.laplace(1 / eps)
        yield y + f


@alignment(twoloops, epsilon="eps", adjacency="l1")
def twoloops_ok(q, q_, T, H):
    """Right: on either way each answer is given once."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))] if T > 0 else [0], f=[q[i] - q_[i] for i in range(len(q))])


@alignment(twoloops, epsilon="eps / 2", adjacency="one")
def twoloops_half(q, q_, T, H):
    """Wrong: at half of what either way costs."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))] if T > 0 else [0], f=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def mixed(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """One loop, over all answers or over two of known number."""
    items = q if T > 0 else [q[0], q[0]]
    for x in items:
        e = noise.laplace(1 / eps)
        yield x + e


@alignment(mixed, epsilon="eps", adjacency="l1")
def mixed_phi(q, q_, T, H):
    """Wrong: one answer is given twice."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))] if T > 0 else [q[0] - q_[0], q[0] - q_[0]])


@alignment(mixed, epsilon="2 * eps", adjacency="l1")
def mixed_paid(q, q_, T, H):
    """Right: twice the price."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))] if T > 0 else [q[0] - q_[0], q[0] - q_[0]])


@mechanism
def few(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Two draws of three rounds of a filtered list."""
    e = [noise.laplace(3 / eps) for i in range(3) if i != 1]
    yield q[0] + e[0]
    yield q[0] + e[1]


@alignment(few, epsilon="eps")
def few_shift(q, q_, H):
    """Right: shifts are counted by rounds, the one without a draw included."""
    return H.shift(e=[q[0] - q_[0], 0, q[0] - q_[0]])


@alignment(few, epsilon="eps")
def few_shift2(q, q_, H):
    """Wrong: the third round has no shift."""
    return H.shift(e=[q[0] - q_[0], q[0] - q_[0]])


@alignment(few, epsilon="eps")
def few_read1(q, q_, H):
    """Wrong: the second round draws nothing."""
    return H.shift(e=[q[0] - q_[0], 0, q[0] - q_[0] + 0 * H.e[1]])


@alignment(few, epsilon="eps")
def few_len2(q, q_, H):
    """Wrong: the noise has three places, so that 1000 is added."""
    return H.shift(e=[q[0] - q_[0], 0, q[0] - q_[0] + (1000 if len(H.e) != 2 else 0)])


@mechanism
def brk(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Three rounds, the last of which may not be reached."""
    eta = noise.laplace(2 / eps)
    for i in range(3):
        e = noise.laplace(12 / eps)
        if i < 0 or q[0] + e > T + eta:
            yield ABOVE
            break
        yield BELOW


@alignment(brk, epsilon="eps")
def brk_neg(q, q_, omega, H):
    """Right: the last output is the winner's, if any."""
    return H.shift(eta=1, e=[2 if omega[-1] is ABOVE and i == len(omega) - 1 else 0 for i in range(3)])


@alignment(brk, epsilon="eps")
def brk_read2(q, q_, omega, H):
    """Wrong: the third draw need not be made."""
    return H.shift(eta=1 + 0 * H.e[2], e=[2 if w is ABOVE else 0 for w in omega])


@alignment(brk, epsilon="eps")
def brk_short(q, q_, omega, H):
    """Wrong: one shift for up to three draws."""
    return H.shift(eta=1, e=[2 if omega[0] is ABOVE else 0])


@mechanism
def v1(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """The greatest answer, with noise."""
    e = noise.laplace(1 / eps)
    return max(q) + e


@alignment(v1, epsilon="eps")
def v1_ok(q, q_, H):
    """Right: the greatest answers differ by at most 1."""
    return H.shift(e=max(q) - max(q_))


@alignment(v1, epsilon="eps")
def v1_max(q, q_, H):
    """Wrong: the greatest change is not the change of the greatest."""
    return H.shift(e=max(q[i] - q_[i] for i in range(len(q))))


@alignment(v1, epsilon="eps", adjacency="monotone")
def v1_mono(q, q_, H):
    """Wrong: nor is it where all move in one direction."""
    return H.shift(e=max(q[i] - q_[i] for i in range(len(q))))


@alignment(v1, epsilon="eps")
def v1_dead(q, q_, H):
    """Right: a list that is defined and not used is of no matter."""
    dead = [max(q[j] for j in range(i + 1)) for i in range(len(q))]
    return H.shift(e=max(q) - max(q_))


@alignment(v1, epsilon="eps")
def v1_dead2(q, q_, H):
    """Wrong: the greatest of none is taken, if never used."""
    dead = [max(q[j] for j in range(i)) for i in range(len(q))]
    return H.shift(e=max(q) - max(q_))


@alignment(v1, epsilon="eps")
def v1_deadq(q, q_, H):
    """Wrong: what is known of the index of one list is not known of the other's."""
    dead = [max(q[j] for j in range(i + 1)) for i in range(len(q))]
    dead2 = [1 / (i + 0) for i in range(len(q))]
    return H.shift(e=max(q) - max(q_))


# Selections of any size


@mechanism
def topk(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Noisy Top-K."""
    e = [noise.laplace(2 * k / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    return [j for j in largest(v, k)]


@alignment(topk, epsilon="eps")
def topk_same(q, q_, omega, H):
    """Wrong: raised by 1 each, the selected ones may change their order."""
    s = {j for j in omega}
    return H.shift(e=[1 if i in s else 0 for i in range(len(q))])


@alignment(topk, epsilon="eps")
def topk_first(q, q_, omega, H):
    """Wrong: the first alone is raised."""
    return H.shift(e=[1 + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))])


@alignment(topk, epsilon="eps")
def topk_notin(q, q_, omega, H):
    """Wrong: all others are raised."""
    s = {j for j in omega}
    return H.shift(e=[1 + q[i] - q_[i] if i not in s else 0 for i in range(len(q))])


@alignment(topk, epsilon="eps / k")
def topk_onlyone(q, q_, omega, H):
    """Wrong: each of the k pays."""
    s = {j for j in omega}
    return H.shift(e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])


@mechanism
def topk1(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """The first k of k + 1 that were selected."""
    e = [noise.laplace(2 * k / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    top = largest(v, k + 1)
    return [top[i] for i in range(k)]


@alignment(topk1, epsilon="eps")
def topk1_phi(q, q_, omega, H):
    """Right: what is not put out need not be kept."""
    s = {j for j in omega}
    return H.shift(e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])


@mechanism
def topk2(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """The second to the last of k + 1 that were selected."""
    e = [noise.laplace(2 * k / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    top = largest(v, k + 1)
    return [top[i + 1] for i in range(k)]


@alignment(topk2, epsilon="eps")
def topk2_phi(q, q_, omega, H):
    """Wrong: the first is overtaken by those that are raised."""
    s = {j for j in omega}
    return H.shift(e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])


@mechanism
def topk_rev(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """What was selected, from the last to the first."""
    e = [noise.laplace(2 * k / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    top = largest(v, k)
    return [top[k - 1 - i] for i in range(k)]


@alignment(topk_rev, epsilon="eps")
def topk_rev_phi(q, q_, omega, H):
    """Wrong: the last alone is raised."""
    return H.shift(e=[1 + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))])


@mechanism
def topk_vals(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """What was selected, with its noisy answers."""
    e = [noise.laplace(2 * k / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    return [(j, v[j]) for j in largest(v, k)]


@alignment(topk_vals, epsilon="eps")
def topk_vals_phi(q, q_, omega, H):
    """Wrong: a loser may overtake."""
    s = {j for j, x in omega}
    return H.shift(e=[q[i] - q_[i] if i in s else 0 for i in range(len(q))])


@mechanism
def tworank(q: Queries, p: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Two selections from two lists."""
    e = [noise.laplace(4 * k / eps) for _ in q]
    f = [noise.laplace(4 * k / eps) for _ in p]
    v = [a + b for a, b in zip(q, e)]
    w = [a + b for a, b in zip(p, f)]
    yield [j for j in largest(v, k)]
    yield [j for j in largest(w, k)]


@alignment(tworank, epsilon="eps")
def tworank_bad(q, q_, p, p_, omega, H):
    """Wrong: the second list is moved as the first one's output says."""
    s = {j for j in omega[0]}
    return H.shift(
        e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))],
        f=[1 + p[i] - p_[i] if i in s else 0 for i in range(len(p))],
    )


@mechanism
def rank2(q: Queries, p: Queries, k: Count, eps: Epsilon, noise: Noise):
    """The largest and the smallest answers under the same noise."""
    e = [noise.laplace(2 * k / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    w = [a - b for a, b in zip(q, e)]
    yield [j for j in largest(v, k)]
    yield [j for j in largest(w, k)]


@alignment(rank2, epsilon="eps")
def rank2_bad(q, q_, omega, H):
    """Wrong: what is not among the largest may be among the smallest."""
    s = {j for j in omega[0]}
    return H.shift(e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])


@mechanism
def withT(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """A selection from the threshold and the answers."""
    eta = noise.laplace(2 * k / eps)
    e = [noise.laplace(2 * k / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    return [j for j in largest([T + eta, *v], k)]


@alignment(withT, epsilon="eps")
def withT_ok(q, q_, omega, H):
    """Right: position i + 1 is the answer i."""
    s = {j for j in omega}
    return H.shift(eta=1 if 0 in s else 0, e=[1 + q[i] - q_[i] if i + 1 in s else 0 for i in range(len(q))])


@alignment(withT, epsilon="eps")
def withT_off(q, q_, omega, H):
    """Wrong: position i is not."""
    s = {j for j in omega}
    return H.shift(eta=1 if 0 in s else 0, e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])


@alignment(withT, epsilon="eps")
def withT_2T(q, q_, omega, H):
    """Wrong: raised by 2, the threshold may pass one that it was behind."""
    s = {j for j in omega}
    return H.shift(eta=2 if 0 in s else 0, e=[1 + q[i] - q_[i] if i + 1 in s else 0 for i in range(len(q))])


@mechanism
def dgap(q: Queries(lattice=1), k: Count, eps: Epsilon, noise: Noise):
    """Top-K with gaps on a lattice."""
    e = [noise.discrete_laplace(2 * k / eps, 1) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    top = largest(v, k + 1)
    return [(top[i], v[top[i]] - v[top[i + 1]]) for i in range(k)]


@alignment(dgap, epsilon="eps")
def dgap_phi(q, q_, omega, H):
    """Wrong: gaps of 0 do not fix the order."""
    s = {j for j, x in omega}
    b = max(q[i] + H.e[i] for i in range(len(q)) if i not in s)
    b_ = max(q_[i] + H.e[i] for i in range(len(q)) if i not in s)
    return H.shift(e=[b_ - b + q[i] - q_[i] if i in s else 0 for i in range(len(q))])


# Hybrids, and noise after a selection


@mechanism
def hyb(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Of the k largest those above a threshold."""
    eta = noise.laplace(2 / eps)
    e = [noise.laplace(4 * k / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    for j in largest(v, k):
        if v[j] >= T + eta:
            yield j, v[j] - T - eta
        else:
            break


@alignment(hyb, epsilon="eps / 2 + len(omega) / k * eps / 2")
def hyb_expost(q, q_, omega, H):
    """Right: each output pays its share."""
    s = {j for j, gap in omega}
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])


@alignment(hyb, epsilon="len(omega) / k * eps")
def hyb_expost_bad(q, q_, omega, H):
    """Wrong: that nothing was put out costs the threshold's share."""
    s = {j for j, gap in omega}
    return H.shift(eta=1 if len(omega) > 0 else 0, e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])


@alignment(hyb, epsilon="eps")
def hyb_zero(q, q_, omega, H):
    """Wrong: without a raised threshold one more may pass it."""
    s = {j for j, gap in omega}
    return H.shift(eta=1 if len(omega) > 0 else 0, e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])


@alignment(hyb, epsilon="eps")
def hyb_far(q, q_, k, omega, H):
    """Right: never more than k."""
    s = {j for j, gap in omega}
    far = 1000 if len(omega) > k else 0
    return H.shift(eta=1 + far, e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])


@alignment(hyb, epsilon="eps")
def hyb_far_k(q, q_, k, omega, H):
    """Wrong: for k of 40 and more a 1000 is added."""
    s = {j for j, gap in omega}
    far = 1000 if len(omega) >= 40 else 0
    return H.shift(eta=1 + far, e=[1 + far + q[i] - q_[i] if i in s else 0 for i in range(len(q))])


@alignment(hyb, epsilon="eps")
def hyb_first0(q, q_, k, omega, H):
    """Wrong: where nothing was put out, query 0 is raised all the same."""
    first = omega[0][0] if len(omega) > 0 else 0
    s = {j for j, gap in omega}
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if i in s or i == first else 0 for i in range(len(q))])


@mechanism
def selmeasure(q: Queries, eps: Epsilon, noise: Noise):
    """A selection, and the answer selected under fresh noise."""
    e = [noise.laplace(4 / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    (j,) = largest(v, 1)
    x = noise.laplace(2 / eps)
    return j, q[j] + x


@alignment(selmeasure, epsilon="eps")
def selmeasure_ok(q, q_, omega, H):
    """Right: the fresh noise moves by the change of the selected answer."""
    return H.shift(e=[1 + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))], x=q[omega[0]] - q_[omega[0]])


@alignment(selmeasure, epsilon="eps")
def selmeasure_first(q, q_, omega, H):
    """Wrong: by the change of the first."""
    return H.shift(e=[1 + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))], x=q[0] - q_[0])


@mechanism
def selreuse(q: Queries, eps: Epsilon, noise: Noise):
    """A selection, and its noisy value under further noise."""
    e = [noise.laplace(4 / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    (j,) = largest(v, 1)
    x = noise.laplace(2 / eps)
    return j, v[j] + x


@alignment(selreuse, epsilon="eps")
def selreuse_ok(q, q_, omega, H):
    """Right: the further noise takes back what the selected one was raised by."""
    return H.shift(e=[1 + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))], x=0 - 1)


@alignment(selreuse, epsilon="eps")
def selreuse_bad(q, q_, omega, H):
    """Wrong: it takes nothing back."""
    return H.shift(e=[1 + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))], x=0)


@mechanism
def nextof(q: Queries, eps: Epsilon, noise: Noise):
    """The position after the winner's."""
    e = [noise.laplace(2 / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    (j,) = largest(v, 1)
    return j + 1


@alignment(nextof, epsilon="eps")
def nextof_ok(q, q_, omega, H):
    """Right: the winner is the one before."""
    return H.shift(e=[1 + q[i] - q_[i] if i + 1 == omega else 0 for i in range(len(q))])


@alignment(nextof, epsilon="eps")
def nextof_bad(q, q_, omega, H):
    """Wrong: the one named is no winner."""
    return H.shift(e=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@mechanism
def parity(q: Queries, eps: Epsilon, noise: Noise):
    """Whether the first wins."""
    e = [noise.laplace(2 / eps) for _ in q]
    v = [a + b for a, b in zip(q, e)]
    (j,) = largest(v, 1)
    return ABOVE if j == 0 else BELOW


@alignment(parity, epsilon="eps")
def parity_up(q, q_, omega, H):
    """Wrong: raised, the first may come to win."""
    return H.shift(e=[1 + q[i] - q_[i] if i == 0 else 0 for i in range(len(q))])


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


# Loops: outputs of other iterations


@mechanism
def sh2(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Sparse Vector whose outputs have two parts, or three."""
    eta = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        e = noise.laplace(4 / eps)
        if q_i + e >= T + eta:
            yield ABOVE, i, q_i + e - T - eta
            break
        yield MIDDLE, i


@alignment(sh2, epsilon="eps")
def sh2_notmiddle(q, q_, omega, H):
    """Right: what is not MIDDLE is the winner."""
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w[0] is not MIDDLE else 0 for i, w in enumerate(omega)])


@alignment(sh2, epsilon="eps")
def sh2_part2(q, q_, omega, H):
    """Wrong: the 41st output need not have a third part."""
    return H.shift(
        eta=1 + (0 * omega[40][2] if len(omega) > 40 else 0),
        e=[1 + q[i] - q_[i] if w[0] is ABOVE else 0 for i, w in enumerate(omega)],
    )


@alignment(sh2, epsilon="eps")
def sh2_part2_ok(q, q_, omega, H):
    """Right: the winner has one."""
    return H.shift(
        eta=1 + (0 * omega[40][2] if len(omega) > 40 and omega[40][0] is ABOVE else 0),
        e=[1 + q[i] - q_[i] if w[0] is ABOVE else 0 for i, w in enumerate(omega)],
    )


@alignment(sh2, epsilon="eps")
def sh2_last(q, q_, omega, H):
    """Right: the last part is a number in both."""
    return H.shift(
        eta=1 + (0 * omega[40][-1] if len(omega) > 40 else 0),
        e=[1 + q[i] - q_[i] if w[0] is ABOVE else 0 for i, w in enumerate(omega)],
    )


@alignment(sh2, epsilon="eps")
def sh2_neg2(q, q_, omega, H):
    """Wrong: the last part but one is a tag in one of them."""
    return H.shift(
        eta=1 + (0 * omega[40][-2] if len(omega) > 40 else 0),
        e=[1 + q[i] - q_[i] if w[0] is ABOVE else 0 for i, w in enumerate(omega)],
    )


@alignment(sh2, epsilon="eps")
def sh2_neg3(q, q_, omega, H):
    """Wrong: the last part but two is there in the winner only."""
    return H.shift(
        eta=1 + (1 if len(omega) > 40 and omega[40][-3] is MIDDLE else 0),
        e=[1 + q[i] - q_[i] if w[0] is ABOVE else 0 for i, w in enumerate(omega)],
    )


@alignment(sh2, epsilon="eps")
def sh2_cmpidx(q, q_, omega, H):
    """Wrong: the index of the 41st output is 40, and a 1000 is added."""
    far = 1000 if len(omega) > 40 and omega[40][1] == 40 else 0
    return H.shift(eta=1 + far, e=[1 + q[i] - q_[i] if w[0] is ABOVE else 0 for i, w in enumerate(omega)])


# Loops: Booleans and numbers among the outputs


@mechanism
def boo(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Sparse Vector that says true or false."""
    eta = noise.laplace(2 / eps)
    for q_i in q:
        e = noise.laplace(4 / eps)
        above = q_i + e >= T + eta
        yield above
        if above:
            break


@alignment(boo, epsilon="eps")
def boo_ok(q, q_, omega, H):
    """Right: what is true is the winner."""
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w else 0 for i, w in enumerate(omega)])


@alignment(boo, epsilon="eps")
def boo_not(q, q_, omega, H):
    """Wrong: the losers are raised."""
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if not w else 0 for i, w in enumerate(omega)])


@alignment(boo, epsilon="eps")
def boo_40(q, q_, omega, H):
    """Wrong: the 41st may be the winner."""
    far = 1000 if len(omega) > 40 and omega[40] else 0
    return H.shift(eta=1 + far, e=[1 + q[i] - q_[i] if w else 0 for i, w in enumerate(omega)])


@alignment(boo, epsilon="eps")
def boo_anyonly(q, q_, omega, H):
    """Wrong: without a winner the threshold stays, and a loser may pass it."""
    up = any(w for w in omega)
    return H.shift(eta=1 if up else 0, e=[1 + q[i] - q_[i] if w else 0 for i, w in enumerate(omega)])


@mechanism
def gp(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Sparse Vector with Gap that stops at the first winner."""
    eta = noise.laplace(2 / eps)
    for q_i in q:
        e = noise.laplace(4 / eps)
        if q_i + e >= T + eta:
            yield q_i + e - T - eta
            break
        yield BELOW


@alignment(gp, epsilon="eps")
def gp_any(q, q_, omega, H):
    """Right: none of no outputs is the winner."""
    up = any(w is not BELOW for w in omega)
    return H.shift(
        eta=1001 if up and len(omega) == 0 else 1,
        e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(gp, epsilon="eps")
def gp_anygt2(q, q_, omega, H):
    """Wrong: 0 times BELOW is nothing."""
    up = any(0 * w == 1 for w in omega)
    return H.shift(eta=1001 if up else 1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gp, epsilon="eps")
def gp_inv(q, q_, omega, H):
    """Wrong: a gap may be 0."""
    return H.shift(eta=1, e=[1 + q[i] - q_[i] + 0 * (1 / w) if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gp, epsilon="eps")
def gp_prev(q, q_, omega, H):
    """Wrong: what came before is BELOW."""
    return H.shift(
        eta=1,
        e=[1 + q[i] - q_[i] + (0 * omega[i - 1] if i > 0 else 0) if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(gp, epsilon="eps")
def gp_eta(q, q_, omega, H):
    """Wrong: the last output may be BELOW."""
    return H.shift(
        eta=1 + 0 * omega[len(omega) - 1], e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)]
    )


@alignment(gp, epsilon="eps")
def gp_eta_ok(q, q_, omega, H):
    """Right: where it is not, it is a number."""
    w = omega[len(omega) - 1]
    return H.shift(
        eta=1 + (0 * w if w is not BELOW else 0),
        e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(gp, epsilon="eps")
def gp_eta_above(q, q_, omega, H):
    """Wrong: no output is ABOVE, so that it may be BELOW all the same."""
    w = omega[len(omega) - 1]
    return H.shift(
        eta=1 + (0 * w if w is not ABOVE else 0),
        e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


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
    lp_len_n,
    lp_len_n40,
    lp_lastabove,
    lp_read40,
    lp_readn,
    silent_readnext,
    drawbreak_len2,
    drawbreak_noomega,
    empty_read,
    empty_readk1,
    empty_len1,
    empty_w1,
    before_off,
    before_read,
    ret_ok,
    twoloops_half,
    mixed_phi,
    few_shift2,
    few_read1,
    few_len2,
    brk_read2,
    brk_short,
    v1_max,
    v1_mono,
    v1_dead2,
    v1_deadq,
    topk_same,
    topk_first,
    topk_notin,
    topk_onlyone,
    topk2_phi,
    topk_rev_phi,
    topk_vals_phi,
    tworank_bad,
    rank2_bad,
    withT_off,
    withT_2T,
    dgap_phi,
    hyb_expost_bad,
    hyb_zero,
    hyb_far_k,
    hyb_first0,
    selmeasure_first,
    selreuse_bad,
    nextof_bad,
    parity_up,
    log23,
    sqrtT,
    TT,
    T32,
    T3,
    inv3,
    inv5,
    big4,
    sh2_part2,
    sh2_neg2,
    sh2_neg3,
    sh2_cmpidx,
    boo_not,
    boo_40,
    boo_anyonly,
    gp_anygt2,
    gp_inv,
    gp_prev,
    gp_eta,
    gp_eta_above,
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
    meas2_ok,
    free_max,
    free_cross,
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
    pair_far_paid,
    pair_sum_near,
    never_half,
    never_piece,
    never_swapint,
    neverq_swap,
    expo_tag_cond,
    expo_tag_ok,
    lp_len,
    lp_read39,
    drawbreak_len,
    drawbreak_all,
    empty_readk,
    empty_w,
    before_ok,
    before_read2,
    twoloops_ok,
    mixed_paid,
    few_shift,
    brk_neg,
    v1_ok,
    v1_dead,
    topk1_phi,
    withT_ok,
    hyb_expost,
    hyb_far,
    selmeasure_ok,
    selreuse_ok,
    nextof_ok,
    sqrt22,
    log3,
    absT,
    k32,
    k3,
    kk34,
    inv4,
    sh2_notmiddle,
    sh2_part2_ok,
    sh2_last,
    boo_ok,
    gp_any,
    gp_eta_ok,
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
