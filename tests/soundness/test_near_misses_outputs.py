"""What an alignment may know of a loop: its noise and its other outputs, in programs next to each other.

The prover is asked alone. What it proves is argued to be right in one line; what is wrong it must not prove.
"""

# Programs under test compute values that they do not use: that they may be undefined is the point.
# ruff: noqa: F841

from __future__ import annotations

import pytest

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, Tag, alignment, mechanism

MIDDLE = Tag("MIDDLE")


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


WRONG = [
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
]
RIGHT = [
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
    sh2_notmiddle,
    sh2_part2_ok,
    sh2_last,
    boo_ok,
    gp_any,
    gp_eta_ok,
]


@pytest.mark.parametrize("phi", WRONG, ids=lambda phi: phi.name)
def test_what_is_wrong_is_not_proved(phi, prover_alone):
    assert not prover_alone(phi).complete


@pytest.mark.parametrize("phi", RIGHT, ids=lambda phi: phi.name)
def test_what_is_right_is_proved(phi, prover_alone):
    assert prover_alone(phi).complete
