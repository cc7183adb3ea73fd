"""Mechanisms and alignments next to the right ones: none is proved but those that are argued to be private here."""

# Programs under test compute values that they do not use: that they may be undefined is the point.

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

from alignkit import (
    ABOVE,
    BELOW,
    Epsilon,
    Noise,
    Queries,
    Real,
    alignment,
    check,
    mechanism,
)
from alignkit.results import Verdict

table = Table(
    """
    TOP, MIDDLE = Tag("TOP"), Tag("MIDDLE")
    """
)


# Alignments of the right mechanism

table.base(
    """
    @mechanism
    def gap(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        # SVT with Gap.
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

    @alignment(gap, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
    """,
    right("gap_phi", "The threshold moves by 1, and each winner with it"),
    wrong(
        "looks_ahead", "whether an answer moves hangs on the last output, not on its own",
        {
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])": (
                "n = min(len(q), len(omega))\n"
                "last = omega[len(omega) - 1]\n"
                "return H.shift(eta=1, e=[1 + q[i] - q_[i] if last is not BELOW else 0 for i in range(n)])"
            ),
        },
    ),
    wrong(
        "next_answer", "each moves by the change of the answer after it",
        {
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])": (
                "n = len(q)\n"
                "after = [min(i + 1, n - 1) for i in range(n)]\n"
                "return H.shift(eta=1, e=[1 + q[after[i]] - q_[after[i]] if w is not BELOW else 0 for i, w "
                "in enumerate(omega)])"
            ),
        },
    ),
    wrong(
        "answer_before", "each moves by the change of the answer before it",
        {"q[i] - q_[i]": "q[i - 1] - q_[i - 1]"},
    ),
    wrong(
        "first_answer", "each moves by the change of the first",
        {
            "q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)":
                "q[0] - q_[0] if w is not BELOW else 0 for w in omega",
        },
    ),
    wrong(
        "losers_move", "the losers' shifts are paid for too, and nothing bounds their number",
        {"if w is not BELOW else 0 for i, w in enumerate(omega)": "for i in range(len(q))"},
    ),
    wrong(
        "threshold_stays", "every answer moves by its own change, and pays",
        {
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])":
                "return H.shift(e=[q[i] - q_[i] for i in range(len(q))])",
        },
    ),
    wrong(
        "nothing_moves", "the answers differ",
        {
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])":
                "return H.shift()",
        },
    ),
    wrong("half_claim", "at half of what it costs", {'epsilon="eps"': 'epsilon="eps / 2"'}),
    wrong("almost_claim", "at a little less than it costs", {'epsilon="eps"': 'epsilon="eps - eps / 1000"'}),
    wrong("claim_right_from_two", "less than eps for k = 1", {'epsilon="eps"': 'epsilon="k * eps / 2"'}),
    wrong("negative_claim", "no claim is below 0", {'epsilon="eps"': 'epsilon="-eps"'}),
    wrong("claim_by_the_threshold", "T may be 0, or below", {'epsilon="eps"': 'epsilon="eps * T"'}),
    wrong(
        "monotone_unpaid", "a loser that rises may win",
        {
            'epsilon="eps"': 'epsilon="eps", adjacency="monotone"',
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])":
                "return H.shift(eta=0, e=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])",
        },
    ),
    wrong(
        "monotone_without_direction", "a winner that falls moves by 2",
        {'epsilon="eps"': 'epsilon="3 * eps / 4", adjacency="monotone"'},
    ),
    wrong("one_unpaid", "the threshold alone costs that much", {'epsilon="eps"': 'epsilon="eps / 2", adjacency="one"'}),
    wrong(
        "one_threshold_by_sign", "the winners do not follow the threshold",
        {
            'epsilon="eps"': 'epsilon="eps", adjacency="one"',
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])": (
                "up = 1 if any(q_[i] > q[i] for i in range(len(q))) else -1\n"
                "return H.shift(eta=up, e=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])"
            ),
        },
    ),
    wrong(
        "shifts_by_the_noise", "noise at least 0 is no winner",
        {"w is not BELOW else 0 for i, w in enumerate(omega)": "H.e[i] >= 0 else 0 for i in range(len(omega))"},
    ),
    wrong(
        "threshold_by_the_noise", "the winners do not follow a threshold that falls",
        {
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])": (
                "return H.shift(\n"
                "    eta=1 if H.e[0] > 0 else -1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in "
                "enumerate(omega)]\n"
                ")"
            ),
        },
    ),
    wrong(
        "threshold_mirrored", "a winner's shift has no bound",
        {
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])": (
                "return H.shift(\n"
                "    eta=-2 * H.eta, e=[-2 * H.eta + q[i] - q_[i] if w is not BELOW else 0 for i, w in "
                "enumerate(omega)]\n"
                ")"
            ),
        },
    ),
    wrong(
        "other_counter_ahead", "what is stated of the counter on D' is false",
        {'epsilon="eps"': 'epsilon="eps", invariant="count_ == count + 1"'},
    ),
)

table.base(
    """
    @mechanism
    def gap(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        # SVT with Gap.
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

    @alignment(gap, epsilon="eps")
    def phi(q, q_, omega, H):
        up = 1 if omega[0] is not BELOW else 0
        return H.shift(eta=up, e=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
    """,
    wrong("by_the_first_output", "the threshold stays where the first is a loser, and others rise above it"),
    wrong(
        "by_the_last_output", "the threshold stays where the last is a winner",
        {"omega[0] is not": "omega[len(omega) - 1] is"},
    ),
    wrong(
        "by_the_length", "the threshold stays where there is one output",
        {"omega[0] is not BELOW": "len(omega) > 1"},
    ),
    wrong(
        "threshold_by_the_first_answer", "the others may rise by more than the first",
        {"up = 1 if omega[0] is not BELOW else 0": "up = q_[0] - q[0]"},
    ),
)


# The right alignment on wrong mechanisms

table.base(
    """
    @mechanism
    def tags(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        # SVT.
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

    @alignment(tags, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
    """,
    right("tags", checked=True),
    right("tags, l1", changes={'epsilon="eps"': 'epsilon="eps", adjacency="l1"'}, checked=True),
    right("tags, monotone", changes={'epsilon="eps"': 'epsilon="eps", adjacency="monotone"'}, checked=True),
    right("tags, one", changes={'epsilon="eps"': 'epsilon="eps", adjacency="one"'}, checked=True),
    wrong(
        "threshold_in_the_loop_phi", "Private at more than eps: each iteration pays for its own threshold",
        {
            "eta = noise.laplace(2 / eps)": "",
            "for q_i in q:": "for q_i in q:\n    eta = noise.laplace(2 / eps)",
            "eta=1": "eta=[1 for w in omega]",
        },
    ),
    wrong(
        "noise_used_again_phi", "The noise of the test is that of the release",
        {
            "yield ABOVE": "yield q_i + e - (T + eta), q_i + e",
            "BELOW": "BELOW, BELOW",
            "ABOVE else 0 for i, w": "not BELOW else 0 for i, (w, x)",
        },
    ),
    wrong(
        "threshold_noise_as_query_noise_phi",
        changes={
            "eta = noise.laplace(2 / eps)": "e = noise.laplace(2 / eps)",
            "e = noise.laplace(4 * k / eps)\nif q_i + e >= T + eta:": "if q_i + e >= T:",
            "q, q_, omega": "omega",
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])":
                "return H.shift(e=1 if any(w is ABOVE for w in omega) else -1)",
        },
    ),
    wrong(
        "without_query_noise_phi", "The rule's example: each branch passes alone",
        {
            "e = noise.laplace(4 * k / eps)\nif q_i + e >= T + eta:": "if q_i >= T + eta:",
            "q, q_, omega": "omega",
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])":
                "return H.shift(eta=1 if any(w is BELOW for w in omega) else -1)",
        },
    ),
    wrong(
        "one_query_noise_phi", "One noise for all queries, drawn before the loop",
        {
            "eta = noise.laplace(2 / eps)": "eta = noise.laplace(2 / eps)\ne = noise.laplace(4 * k / eps)",
            "e = noise.laplace(4 * k / eps)": "",
            "q, q_, omega": "omega",
            "e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)]":
                "e=2 if any(w is ABOVE for w in omega) else 0",
        },
    ),
    wrong(
        "redrawn_threshold_phi", "The threshold's noise is drawn again after each winner, at no further budget",
        {
            "eta = noise.laplace(2 / eps)": "first = noise.laplace(2 / eps)\nthreshold = T + first",
            "T + eta": "threshold",
            "count += 1": "count += 1\nagain = noise.laplace(2 / eps)\nthreshold = T + again",
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])": (
                "return H.shift(\n"
                "    first=1,\n"
                "    again=[1 for w in omega],\n"
                "    e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],\n"
                ")"
            ),
        },
    ),
    right(
        "own_thresholds",
        changes={"Real": "Reals", "q_i in q": "q_i, T_i in zip(q, T)", "e >= T": "e >= T_i"},
        checked=True,
    ),
    wrong("moving_threshold", "The threshold follows the answers", {"count += 1": "count += 1\nT = q_i"}),
    wrong(
        "counts_twice_below", "A winner in the upper half is not counted",
        {"count += 1": "if T <= 0:\n    count += 1"},
    ),
    wrong(
        "counter_by_the_answers", "Only large answers are counted, which the length of the output shows",
        {"count += 1": "if q_i > 10 * 10 * 10 * 10:\n    count += 1"},
    ),
    wrong("scale_by_the_rest", "4 (k - 1) instead of 4 k", {"4 * k": "(4 * k - 1 / 1000)"}),
    wrong(
        "tells_the_counter", "The loop ends by a counter of answers, not of winners",
        {
            "count = 0": "count = 0\nseen = 0",
            "if count >= k:": "if q_i > 10 * 10 * 10 * 10:\n    seen += 1\nif count >= k or seen > 10:",
        },
    ),
    wrong("sensitivity_two", changes={"Queries": "Queries(sensitivity=2)"}),
    wrong(
        "answer_given_beside",
        changes={
            "for q_i in q:": "for i, q_i in enumerate(q):",
            "else:": "elif i > 10 * 10 * 10 and q_i > T + 10 * 10 * 10 * 10:\n    yield ABOVE\nelse:",
        },
    ),
    wrong(
        "raw_in_the_end",
        changes={
            "for q_i in q:": "for i, q_i in enumerate(q):",
            "if count >= k:\n    break": "if count >= k:\n    break\nif i == 10 * 10 * 10:\n    count = -100",
        },
    ),
)

table.base(
    """
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

    @alignment(exponential_svt, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
    """,
    right("exponential_svt", checked=True),
    right("exponential_svt, monotone", changes={'epsilon="eps"': 'epsilon="eps", adjacency="monotone"'}, checked=True),
    right("exponential_svt, one", changes={'epsilon="eps"': 'epsilon="eps", adjacency="one"'}, checked=True),
    wrong("exponential_svt_cheap", changes={"4 * k": "2 * k"}),
)


def _right(program, claim="eps", adjacency="each"):
    @alignment(program, epsilon=claim, adjacency=adjacency)
    def phi(q, q_, omega, H):
        return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])

    return phi


# Real parts of outputs, and state that is no number

table.base(
    """
    @mechanism
    def beside(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        z = noise.laplace(1 / eps)
        for q_i in q:
            e = noise.laplace(1)
            yield e

    @alignment(beside, epsilon="eps")
    def phi(omega, H):
        return H.shift(z=clamp(sum(w for w in omega), -1, 1))
    """,
    wrong("sums_real_parts", fails="countable"),
    wrong("reads_the_first", changes={"sum(w for w in omega)": "omega[0]"}, fails="countable"),
    wrong("reads_the_largest", changes={"sum(w for w in omega)": "max(w for w in omega)"}, fails="countable"),
)


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

table.base(
    """
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

    @alignment(exponential_svt, epsilon="eps / 2", adjacency="monotone")
    def phi(q, q_, omega, H):
        return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else q[i] - q_[i] for i, w in enumerate(omega)])
    """,
    wrong("exponential_gains_back", "What a loser's shift down would gain does not pay for the winners", refuted=True),
    wrong(
        "exponential_down",
        changes={
            'epsilon="eps / 2"': 'epsilon="eps"',
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else q[i] - q_[i] for i, w in enumerate(omega)])":
                "return H.shift(eta=-1, e=[q[i] - q_[i] if w is ABOVE else -1 for i, w in enumerate(omega)])",
        },
        refuted=True,
    ),
    wrong(
        "exponential_below_zero",
        changes={
            'epsilon="eps / 2", adjacency="monotone"': 'epsilon="eps"',
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else q[i] - q_[i] for i, w in enumerate(omega)])":
                "return H.shift(eta=0, e=[q[i] - q_[i] for i in range(len(q))])",
        },
        refuted=True,
    ),
)


# Right ones that stand in no catalogue

table.base(
    """
    @mechanism
    def band(q: Queries, T: Real, U: Real, k: Count, eps: Epsilon, noise: Noise):
        # Two noisy thresholds; a winner is above both.
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
    def phi(q, q_, omega, H):
        return H.shift(a=1, b=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
    """,
    right("band_phi", checked=True),
    wrong(
        "between_phi", "A winner lies between the two; a loser may lie above the upper one",
        {"e >= U": "e <= U"},
        refuted=True,
    ),
)

table.base(
    """
    @mechanism
    def adaptive(q: Queries, T: Real, sigma: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise):
        # Adaptive Sparse Vector with Gap (Algorithm 1 of the journal paper).
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
    def phi(q, q_, omega, H):
        return H.shift(
            eta=1,
            xi=[1 + q[i] - q_[i] if w is TOP else 0 for i, (w, g) in enumerate(omega)],
            e=[1 + q[i] - q_[i] if w is MIDDLE else 0 for i, (w, g) in enumerate(omega)],
        )
    """,
    right("adaptive_phi", checked=True),
    wrong("adaptive_both", changes={"is TOP": "is not BELOW", "is MIDDLE": "is not BELOW"}, refuted=True),
    wrong(
        "adaptive_overdrawn_phi", "Leaves the loop only once the budget is spent: the last winner may overdraw it",
        {"if cost > eps - eps1:": "if cost >= eps:"},
        refuted=True,
    ),
)

table.base(
    """
    @mechanism
    def two_noises(q: Queries, eps: Epsilon, noise: Noise):
        a = [noise.laplace(1 / eps) for q_i in q]
        b = [noise.laplace(1 / eps) for q_i in q]
        return [x + y + z for x, y, z in zip(q, a, b)]

    @alignment(two_noises, epsilon="eps", adjacency="l1")
    def phi(q, q_, H):
        n = len(q)
        return H.shift(a=[(q[i] - q_[i]) / 2 for i in range(n)], b=[(q[i] - q_[i]) / 2 for i in range(n)])
    """,
    right("shared_phi", checked=True),
    wrong("shared_too_cheap_phi", changes={'epsilon="eps"': 'epsilon="eps / 2"'}, refuted=True),
)

table.base(
    """
    @mechanism
    def over_a_range(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        for i in range(len(q)):
            e = noise.laplace(1 / eps)
            yield q[i] + e

    @alignment(over_a_range, epsilon="eps", adjacency="l1")
    def phi(q, q_, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("over_a_range_phi", checked=True),
)

table.base(
    """
    @mechanism
    def k_releases(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        for i in range(k):
            e = noise.laplace(k / eps)
            yield q[0] + e

    @alignment(k_releases, epsilon="eps")
    def phi(q, q_, k, H):
        return H.shift(e=[q[0] - q_[0] for i in range(k)])
    """,
    right("k_releases_phi", checked=True),
    wrong(
        "k_plus_one_releases_phi",
        changes={
            "for i in range(k):": "for i in range(k + 1):",
            "q_[0] for i in range(k)": "q_[0] for i in range(k + 1)",
        },
        refuted=True,
    ),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
