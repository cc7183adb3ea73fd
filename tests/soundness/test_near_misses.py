"""Mechanisms and alignments next to the right ones: none is proved but those that are argued to be private here."""

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
    Proportion,
    Queries,
    Real,
    Reals,
    Tag,
    alignment,
    check,
    clamp,
    mechanism,
)
from alignkit.results import Verdict

TOP, MIDDLE = Tag("TOP"), Tag("MIDDLE")


@mechanism
def gap(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Right: SVT with Gap."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + eta:
            yield q_i + e - (T + eta)
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def tags(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Right: SVT."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


# Alignments of the right mechanism


@alignment(gap, epsilon="eps")
def looks_ahead(q, q_, omega, H):
    n = min(len(q), len(omega))
    last = omega[len(omega) - 1]
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if last is not BELOW else 0 for i in range(n)])


@alignment(gap, epsilon="eps")
def next_answer(q, q_, omega, H):
    n = len(q)
    after = [min(i + 1, n - 1) for i in range(n)]
    return H.shift(eta=1, e=[1 + q[after[i]] - q_[after[i]] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gap, epsilon="eps")
def answer_before(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i - 1] - q_[i - 1] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gap, epsilon="eps")
def first_answer(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[0] - q_[0] if w is not BELOW else 0 for w in omega])


@alignment(gap, epsilon="eps")
def by_the_first_output(q, q_, omega, H):
    up = 1 if omega[0] is not BELOW else 0
    return H.shift(eta=up, e=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gap, epsilon="eps")
def by_the_last_output(q, q_, omega, H):
    up = 1 if omega[len(omega) - 1] is BELOW else 0
    return H.shift(eta=up, e=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gap, epsilon="eps")
def by_the_length(q, q_, omega, H):
    up = 1 if len(omega) > 1 else 0
    return H.shift(eta=up, e=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gap, epsilon="eps")
def threshold_by_the_first_answer(q, q_, omega, H):
    up = q_[0] - q[0]
    return H.shift(eta=up, e=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gap, epsilon="eps")
def losers_move(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] for i in range(len(q))])


@alignment(gap, epsilon="eps")
def threshold_stays(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@alignment(gap, epsilon="eps")
def nothing_moves(H):
    return H.shift()


@alignment(gap, epsilon="eps / 2")
def half_claim(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gap, epsilon="eps - eps / 1000")
def almost_claim(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gap, epsilon="k * eps / 2")
def claim_right_from_two(q, q_, omega, H):
    """Right for k >= 2."""
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gap, epsilon="-eps")
def negative_claim(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gap, epsilon="eps * T")
def claim_by_the_threshold(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gap, epsilon="eps", adjacency="monotone")
def monotone_unpaid(q, q_, omega, H):
    return H.shift(eta=0, e=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gap, epsilon="3 * eps / 4", adjacency="monotone")
def monotone_without_direction(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gap, epsilon="eps / 2", adjacency="one")
def one_unpaid(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gap, epsilon="eps", adjacency="one")
def one_threshold_by_sign(q, q_, omega, H):
    up = 1 if any(q_[i] > q[i] for i in range(len(q))) else -1
    return H.shift(eta=up, e=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gap, epsilon="eps")
def shifts_by_the_noise(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if H.e[i] >= 0 else 0 for i in range(len(omega))])


@alignment(gap, epsilon="eps")
def threshold_by_the_noise(q, q_, omega, H):
    return H.shift(
        eta=1 if H.e[0] > 0 else -1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)]
    )


@alignment(gap, epsilon="eps")
def threshold_mirrored(q, q_, omega, H):
    return H.shift(eta=-2 * H.eta, e=[-2 * H.eta + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gap, epsilon="eps", invariant="count_ == count + 1")
def other_counter_ahead(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


WRONG_ALIGNMENTS = [
    looks_ahead,
    next_answer,
    answer_before,
    first_answer,
    by_the_first_output,
    by_the_last_output,
    by_the_length,
    threshold_by_the_first_answer,
    losers_move,
    threshold_stays,
    nothing_moves,
    half_claim,
    almost_claim,
    claim_right_from_two,
    negative_claim,
    claim_by_the_threshold,
    monotone_unpaid,
    monotone_without_direction,
    one_unpaid,
    one_threshold_by_sign,
    shifts_by_the_noise,
    threshold_by_the_noise,
    threshold_mirrored,
    other_counter_ahead,
]


@pytest.mark.parametrize("phi", WRONG_ALIGNMENTS, ids=lambda phi: phi.name)
def test_wrong_alignments_of_a_right_mechanism(phi, never_proved):
    never_proved(phi)


# The right alignment on wrong mechanisms


@mechanism
def threshold_in_the_loop(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Private at more than eps: each iteration pays for its own threshold."""
    count = 0
    for q_i in q:
        eta = noise.laplace(2 / eps)
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(threshold_in_the_loop, epsilon="eps")
def threshold_in_the_loop_phi(q, q_, omega, H):
    return H.shift(eta=[1 for w in omega], e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


@mechanism
def noise_used_again(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The noise of the test is that of the release."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + eta:
            yield q_i + e - (T + eta), q_i + e
            count += 1
        else:
            yield BELOW, BELOW
        if count >= k:
            break


@alignment(noise_used_again, epsilon="eps")
def noise_used_again_phi(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, (w, x) in enumerate(omega)])


@mechanism
def threshold_noise_as_query_noise(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    e = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        if q_i + e >= T:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(threshold_noise_as_query_noise, epsilon="eps")
def threshold_noise_as_query_noise_phi(omega, H):
    return H.shift(e=1 if any(w is ABOVE for w in omega) else -1)


@mechanism
def without_query_noise(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The rule's example: each branch passes alone."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        if q_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(without_query_noise, epsilon="eps")
def without_query_noise_phi(omega, H):
    return H.shift(eta=1 if any(w is BELOW for w in omega) else -1)


@mechanism
def one_query_noise(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """One noise for all queries, drawn before the loop."""
    eta = noise.laplace(2 / eps)
    e = noise.laplace(4 * k / eps)
    count = 0
    for q_i in q:
        if q_i + e >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(one_query_noise, epsilon="eps")
def one_query_noise_phi(omega, H):
    return H.shift(eta=1, e=2 if any(w is ABOVE for w in omega) else 0)


@mechanism
def redrawn_threshold(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The threshold's noise is drawn again after each winner, at no further budget."""
    first = noise.laplace(2 / eps)
    threshold = T + first
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if q_i + e >= threshold:
            yield ABOVE
            count += 1
            again = noise.laplace(2 / eps)
            threshold = T + again
        else:
            yield BELOW
        if count >= k:
            break


@alignment(redrawn_threshold, epsilon="eps")
def redrawn_threshold_phi(q, q_, omega, H):
    return H.shift(
        first=1,
        again=[1 for w in omega],
        e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],
    )


@mechanism
def moving_threshold(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The threshold follows the answers."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            count += 1
            T = q_i
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def counts_twice_below(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """A winner in the upper half is not counted."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            if T <= 0:
                count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def counter_by_the_answers(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Only large answers are counted, which the length of the output shows."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            if q_i > 10 * 10 * 10 * 10:
                count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def scale_by_the_rest(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """4 (k - 1) instead of 4 k."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace((4 * k - 1 / 1000) / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def tells_the_counter(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The loop ends by a counter of answers, not of winners."""
    eta = noise.laplace(2 / eps)
    count = 0
    seen = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if q_i > 10 * 10 * 10 * 10:
            seen += 1
        if count >= k or seen > 10:
            break


@mechanism
def sensitivity_two(q: Queries(sensitivity=2), T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def exponential_svt(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.exponential(2 / eps)
    count = 0
    for q_i in q:
        e = noise.exponential(4 * k / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def exponential_svt_cheap(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.exponential(2 / eps)
    count = 0
    for q_i in q:
        e = noise.exponential(2 * k / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def answer_given_beside(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for i, q_i in enumerate(q):
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            count += 1
        elif i > 10 * 10 * 10 and q_i > T + 10 * 10 * 10 * 10:
            yield ABOVE
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def raw_in_the_end(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for i, q_i in enumerate(q):
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break
        if i == 10 * 10 * 10:
            count = -100


WITH_THE_RIGHT_ALIGNMENT = [
    moving_threshold,
    counts_twice_below,
    counter_by_the_answers,
    scale_by_the_rest,
    tells_the_counter,
    sensitivity_two,
    exponential_svt_cheap,
    answer_given_beside,
    raw_in_the_end,
]


def _right(program, claim="eps", adjacency="each"):
    @alignment(program, epsilon=claim, adjacency=adjacency)
    def phi(q, q_, omega, H):
        return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])

    return phi


@pytest.mark.parametrize("program", WITH_THE_RIGHT_ALIGNMENT, ids=lambda program: program.name)
def test_the_right_alignment_on_wrong_mechanisms(program, never_proved):
    never_proved(_right(program))


@pytest.mark.parametrize(
    "phi",
    [
        threshold_in_the_loop_phi,
        noise_used_again_phi,
        threshold_noise_as_query_noise_phi,
        without_query_noise_phi,
        one_query_noise_phi,
        redrawn_threshold_phi,
    ],
    ids=lambda phi: phi.name,
)
def test_wrong_mechanisms_with_alignments_of_their_own(phi, never_proved):
    never_proved(phi)


# Real parts of outputs, and state that is no number


@mechanism
def beside(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    z = noise.laplace(1 / eps)
    for q_i in q:
        e = noise.laplace(1)
        yield e


@alignment(beside, epsilon="eps")
def sums_real_parts(omega, H):
    return H.shift(z=clamp(sum(w for w in omega), -1, 1))


@alignment(beside, epsilon="eps")
def reads_the_first(omega, H):
    return H.shift(z=clamp(omega[0], -1, 1))


@alignment(beside, epsilon="eps")
def reads_the_largest(omega, H):
    return H.shift(z=clamp(max(w for w in omega), -1, 1))


@pytest.mark.parametrize("phi", [sums_real_parts, reads_the_first, reads_the_largest], ids=lambda phi: phi.name)
def test_real_parts_of_the_output_are_not_read(phi, never_proved):
    never_proved(phi, "countable")


@mechanism
def remembers_a_boolean(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Private: a single winner. The prover may not see it, but must say so in words."""
    eta = noise.laplace(2 / eps)
    done = False
    for q_i in q:
        e = noise.laplace(4 / eps)
        if not done and q_i + e >= T + eta:
            yield ABOVE
            done = True
        else:
            yield BELOW


def test_state_that_is_no_number_is_no_crash():
    assert check(_right(remembers_a_boolean)).verdict is not Verdict.REFUTED


# Monotone changes and exponential noise


@alignment(exponential_svt, epsilon="eps", adjacency="monotone")
def exponential_down(q, q_, omega, H):
    return H.shift(eta=-1, e=[q[i] - q_[i] if w is ABOVE else -1 for i, w in enumerate(omega)])


@alignment(exponential_svt, epsilon="eps / 2", adjacency="monotone")
def exponential_gains_back(q, q_, omega, H):
    """What a loser's shift down would gain does not pay for the winners."""
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else q[i] - q_[i] for i, w in enumerate(omega)])


@alignment(exponential_svt, epsilon="eps")
def exponential_below_zero(q, q_, omega, H):
    return H.shift(eta=0, e=[q[i] - q_[i] for i in range(len(q))])


@pytest.mark.parametrize(
    "phi", [exponential_down, exponential_gains_back, exponential_below_zero], ids=lambda phi: phi.name
)
def test_one_sided_noise_does_not_go_down(phi, refuted):
    refuted(phi)


def test_exponential_noise_that_goes_up_is_proved(proved):
    # The winner's shift 1 + q - q' lies in [0, 2] and costs at most eps/(2k); k winners and the threshold: eps.
    proved(_right(exponential_svt))
    proved(_right(exponential_svt, adjacency="monotone"))
    proved(_right(exponential_svt, adjacency="one"))


# Right ones that stand in no catalogue


@mechanism
def band(q: Queries, T: Real, U: Real, k: Count, eps: Epsilon, noise: Noise):
    """Two noisy thresholds; a winner is above both."""
    a = noise.laplace(4 / eps)
    b = noise.laplace(4 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + a and q_i + e >= U + b:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(band, epsilon="eps")
def band_phi(q, q_, omega, H):
    return H.shift(a=1, b=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


@mechanism
def between(q: Queries, T: Real, U: Real, k: Count, eps: Epsilon, noise: Noise):
    """A winner lies between the two; a loser may lie above the upper one."""
    a = noise.laplace(4 / eps)
    b = noise.laplace(4 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + a and q_i + e <= U + b:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(between, epsilon="eps")
def between_phi(q, q_, omega, H):
    return H.shift(a=1, b=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


@mechanism
def adaptive(q: Queries, T: Real, sigma: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise):
    """Adaptive Sparse Vector with Gap (Algorithm 1 of the journal paper)."""
    eps0 = theta * eps
    eps1 = (1 - theta) * eps / k
    eps2 = eps1 / 2
    eta = noise.laplace(1 / eps0)
    cost = eps0
    for q_i in q:
        xi = noise.laplace(2 / eps2)
        e = noise.laplace(2 / eps1)
        if q_i + xi - (T + eta) >= sigma:
            yield TOP, q_i + xi - (T + eta)
            cost = cost + eps2
        elif q_i + e - (T + eta) >= 0:
            yield MIDDLE, q_i + e - (T + eta)
            cost = cost + eps1
        else:
            yield BELOW, BELOW
        if cost > eps - eps1:
            break


@alignment(adaptive, epsilon="eps")
def adaptive_phi(q, q_, omega, H):
    return H.shift(
        eta=1,
        xi=[1 + q[i] - q_[i] if w is TOP else 0 for i, (w, g) in enumerate(omega)],
        e=[1 + q[i] - q_[i] if w is MIDDLE else 0 for i, (w, g) in enumerate(omega)],
    )


@alignment(adaptive, epsilon="eps")
def adaptive_both(q, q_, omega, H):
    return H.shift(
        eta=1,
        xi=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, (w, g) in enumerate(omega)],
        e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, (w, g) in enumerate(omega)],
    )


@mechanism
def adaptive_overdrawn(q: Queries, T: Real, sigma: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise):
    """Leaves the loop only once the budget is spent: the last winner may overdraw it."""
    eps0 = theta * eps
    eps1 = (1 - theta) * eps / k
    eps2 = eps1 / 2
    eta = noise.laplace(1 / eps0)
    cost = eps0
    for q_i in q:
        xi = noise.laplace(2 / eps2)
        e = noise.laplace(2 / eps1)
        if q_i + xi - (T + eta) >= sigma:
            yield TOP, q_i + xi - (T + eta)
            cost = cost + eps2
        elif q_i + e - (T + eta) >= 0:
            yield MIDDLE, q_i + e - (T + eta)
            cost = cost + eps1
        else:
            yield BELOW, BELOW
        if cost >= eps:
            break


@alignment(adaptive_overdrawn, epsilon="eps")
def adaptive_overdrawn_phi(q, q_, omega, H):
    return H.shift(
        eta=1,
        xi=[1 + q[i] - q_[i] if w is TOP else 0 for i, (w, g) in enumerate(omega)],
        e=[1 + q[i] - q_[i] if w is MIDDLE else 0 for i, (w, g) in enumerate(omega)],
    )


@mechanism
def two_noises(q: Queries, eps: Epsilon, noise: Noise):
    a = [noise.laplace(1 / eps) for q_i in q]
    b = [noise.laplace(1 / eps) for q_i in q]
    return [x + y + z for x, y, z in zip(q, a, b)]


@alignment(two_noises, epsilon="eps", adjacency="l1")
def shared_phi(q, q_, H):
    n = len(q)
    return H.shift(a=[(q[i] - q_[i]) / 2 for i in range(n)], b=[(q[i] - q_[i]) / 2 for i in range(n)])


@alignment(two_noises, epsilon="eps / 2", adjacency="l1")
def shared_too_cheap_phi(q, q_, H):
    n = len(q)
    return H.shift(a=[(q[i] - q_[i]) / 2 for i in range(n)], b=[(q[i] - q_[i]) / 2 for i in range(n)])


@mechanism
def over_a_range(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for i in range(len(q)):
        e = noise.laplace(1 / eps)
        yield q[i] + e


@alignment(over_a_range, epsilon="eps", adjacency="l1")
def over_a_range_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def k_releases(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for i in range(k):
        e = noise.laplace(k / eps)
        yield q[0] + e


@alignment(k_releases, epsilon="eps")
def k_releases_phi(q, q_, k, H):
    return H.shift(e=[q[0] - q_[0] for i in range(k)])


@mechanism
def k_plus_one_releases(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for i in range(k + 1):
        e = noise.laplace(k / eps)
        yield q[0] + e


@alignment(k_plus_one_releases, epsilon="eps")
def k_plus_one_releases_phi(q, q_, k, H):
    return H.shift(e=[q[0] - q_[0] for i in range(k + 1)])


@mechanism
def own_thresholds(q: Queries, T: Reals, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i, T_i in zip(q, T):
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T_i + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


RIGHT = [
    band_phi,
    adaptive_phi,
    shared_phi,
    over_a_range_phi,
    k_releases_phi,
]


@pytest.mark.parametrize("phi", RIGHT, ids=lambda phi: phi.name)
def test_right_ones_outside_the_catalogue(phi, proved):
    proved(phi)


def test_svt_under_other_adjacencies(proved):
    # Every pair that is adjacent by one or l1, or monotone, is adjacent by each.
    for adjacency in ("each", "monotone", "one", "l1"):
        proved(_right(tags, adjacency=adjacency))
    proved(_right(own_thresholds))


@pytest.mark.parametrize(
    "phi",
    [between_phi, adaptive_both, adaptive_overdrawn_phi, shared_too_cheap_phi, k_plus_one_releases_phi],
    ids=lambda phi: phi.name,
)
def test_their_wrong_neighbours(phi, refuted):
    refuted(phi)
