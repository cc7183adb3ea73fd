"""Selections of any size, hybrids, and noise after a selection: programs next to each other, some right and some wrong.

The prover is asked alone. What it proves is argued to be right in one line; what is wrong it must not prove.
"""

# Programs under test compute values that they do not use: that they may be undefined is the point.

from __future__ import annotations

import pytest

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, alignment, largest, mechanism

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


@mechanism
def named_last(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Noisy Top-K, where the position is the last of many parts of an output."""
    e = [noise.laplace(2 * k / eps) for _ in q]
    best = largest([a + b for a, b in zip(q, e)], k)
    return [(0, 1, 2, 3, 4, j) for j in best]


@alignment(named_last, epsilon="eps")
def named_last_ok(q, q_, omega, H):
    """Right: it is the alignment of Noisy Top-K."""
    return H.shift(e=[1 + q[i] - q_[i] if i in [w[5] for w in omega] else 0 for i in range(len(q))])


@alignment(named_last, epsilon="eps / 2")
def named_last_half(q, q_, omega, H):
    """Wrong: it costs twice the claim."""
    return H.shift(e=[1 + q[i] - q_[i] if i in [w[5] for w in omega] else 0 for i in range(len(q))])


@alignment(named_last, epsilon="eps")
def named_last_short(q, q_, omega, H):
    """Wrong: the selected do not stay ahead of the others."""
    return H.shift(e=[q[i] - q_[i] if i in [w[5] for w in omega] else 0 for i in range(len(q))])


@alignment(named_last, epsilon="eps")
def named_last_forgets(q, q_, omega, H):
    """Wrong: noise between 0 and 1 is forgotten."""
    s = [w[5] for w in omega]
    return H.shift(
        e=[(1 - H.e[i] if 0 < H.e[i] < 1 else 1 + q[i] - q_[i]) if i in s else 0 for i in range(len(q))],
    )


@mechanism
def named_and_leaked(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Wrong: it gives out the answer beside the position."""
    e = [noise.laplace(2 * k / eps) for _ in q]
    best = largest([a + b for a, b in zip(q, e)], k)
    return [(0, 1, 2, 3, 4, j, q[j]) for j in best]


@alignment(named_and_leaked, epsilon="eps")
def named_and_leaked_phi(q, q_, omega, H):
    """Wrong: no shift keeps an answer without noise."""
    return H.shift(e=[1 + q[i] - q_[i] if i in [w[5] for w in omega] else 0 for i in range(len(q))])


WRONG = [
    named_last_half,
    named_last_short,
    named_last_forgets,
    named_and_leaked_phi,
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
]
RIGHT = [named_last_ok, topk1_phi, withT_ok, hyb_expost, hyb_far, selmeasure_ok, selreuse_ok, nextof_ok]


@pytest.mark.parametrize("phi", WRONG, ids=lambda phi: phi.name)
def test_what_is_wrong_is_not_proved(phi, prover_alone):
    assert not prover_alone(phi).complete


@pytest.mark.parametrize("phi", RIGHT, ids=lambda phi: phi.name)
def test_what_is_right_is_proved(phi, prover_alone):
    assert prover_alone(phi).complete
