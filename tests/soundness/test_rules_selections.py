"""Rules 15 (ties), 17 and 20: ties, what has probability 0, and selections with every pattern of equal indices."""

# Programs under test compute values that they do not use.
# ruff: noqa: F841

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

from alignkit import (
    Epsilon,
    Noise,
    Queries,
    Query,
    alignment,
    check,
    largest,
    mechanism,
)
from alignkit.results import Verdict

# Rule 15: ties go to the lowest index, in every engine


@mechanism
def which_of_equals(q: Query, eps: Epsilon, noise: Noise):
    """No noise enters: the winner is decided by the rule for ties alone where q is 729."""
    eta = noise.laplace(1 / eps)
    (best,) = largest([9 * 9 * 9, q], 1)
    return best


table = Table(
    """
    def best_of_losers(q, eta, best):
        return max(q[i] + eta[i] for i in range(len(q)) if i != best)

    def change_of_losers(q, q_, eta, best):
        return best_of_losers(q_, eta, best) - best_of_losers(q, eta, best)

    def best_below(q, eta, first, second):
        return max(q[i] + eta[i] for i in range(len(q)) if i != first and i != second)
    """
)

table.base(
    """
    @mechanism
    def which_of_equals(q: Query, eps: Epsilon, noise: Noise):
        # No noise enters: the winner is decided by the rule for ties alone where q is 729.
        eta = noise.laplace(1 / eps)
        (best,) = largest([9 * 9 * 9, q], 1)
        return best

    @alignment(which_of_equals, epsilon="eps")
    def phi(H):
        return H.shift()
    """,
    wrong("which_of_equals_phi", "a tie that is no matter of noise", fails="same_output"),
)


def test_ties_go_to_the_lowest_index_in_replay():
    assert which_of_equals.replay(729, H={"eta": 0}, eps=1) == 0


table.base(
    """
    @mechanism
    def lowest_or_highest_count(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
        eta = [noise.discrete_laplace(1 / eps) for q_i in q]
        n = len(q)
        (low,) = largest(eta, 1)
        (high,) = largest([eta[n - 1 - i] for i in range(n)], 1)
        if q[0] >= 9 * 9 * 9:
            best = low
        else:
            best = n - 1 - high
        return best

    @alignment(lowest_or_highest_count, epsilon="eps / 1000")
    def phi(H):
        return H.shift()
    """,
    wrong("lowest_or_highest_count_phi", "ties of positive probability count", fails="same_output"),
    wrong(
        "lowest_or_highest_geometric_phi", "ties of positive probability count",
        {"noise.discrete_laplace(1 / eps)": "noise.geometric(1 / eps)"},
        fails="same_output",
    ),
    wrong(
        "lowest_or_highest_clamped_phi", "Clamped noise has atoms at both ends",
        {
            "def lowest_or_highest_count(q: Queries(lattice=1), eps: Epsilon, noise: Noise):\n"
            "    eta = [noise.discrete_laplace(1 / eps) for q_i in q]": (
                "def lowest_or_highest_count(q: Queries, eps: Epsilon, noise: Noise):\n"
                "    eta = [noise.laplace(1 / eps) for q_i in q]\n"
                "    cut = [clamp(e, 0, 1) for e in eta]"
            ),
            "eta, 1": "cut, 1",
            "eta[n - 1 - i]": "cut[n - 1 - i]",
        },
        fails="same_output",
    ),
    wrong(
        "lowest_or_highest_shared_phi",
        "Every candidate has the same noise, so that only the answers decide, and these may be equal",
        {
            "Queries(lattice=1)": "Queries",
            "noise.discrete_laplace(1 / eps)": "noise.laplace(1 / eps)",
            "(low,) = largest(eta, 1)\n(high,) = largest([eta[n - 1 - i] for i in range(n)], 1)": (
                "shared = [eta[0] + clamp(q_i, 0, 0) for q_i in q]\n"
                "(low,) = largest(shared, 1)\n"
                "(high,) = largest([shared[n - 1 - i] for i in range(n)], 1)"
            ),
        },
        fails="same_output",
    ),
    wrong(
        "lowest_or_highest_symmetric_phi",
        "Candidate i and candidate n - 1 - i have one value: two indices that differ are no two coordinates",
        {
            "Queries(lattice=1)": "Queries",
            "noise.discrete_laplace(1 / eps)": "noise.laplace(1 / eps)",
            "(low,) = largest(eta, 1)\n(high,) = largest([eta[n - 1 - i] for i in range(n)], 1)": (
                "folded = [eta[i] + eta[n - 1 - i] for i in range(n)]\n"
                "(low,) = largest(folded, 1)\n"
                "(high,) = largest([folded[n - 1 - i] for i in range(n)], 1)"
            ),
        },
        fails="same_output",
    ),
    wrong(
        "lowest_or_highest_times_phi", "For T = 0 there is no noise",
        {
            "Queries(lattice=1)": "Queries, T: Real",
            "noise.discrete_laplace(1 / eps)": "noise.laplace(1 / eps)",
            "(low,) = largest(eta, 1)\n(high,) = largest([eta[n - 1 - i] for i in range(n)], 1)": (
                "scaled = [T * e for e in eta]\n"
                "(low,) = largest(scaled, 1)\n"
                "(high,) = largest([scaled[n - 1 - i] for i in range(n)], 1)"
            ),
        },
        fails="same_output",
    ),
)


# Rule 17: measure zero

table.base(
    """
    @mechanism
    def at_least_or_above(q: Query, eps: Epsilon, noise: Noise):
        # The rule is chosen by the data; clamped noise lies on the boundary with positive probability.
        eta = noise.laplace(1 / eps)
        x = clamp(q - q + eta, 0, 10)
        if q >= 9 * 9 * 9:
            hit = x >= 10
        else:
            hit = x > 10
        return hit

    @alignment(at_least_or_above, epsilon="eps / 1000")
    def phi(H):
        return H.shift()
    """,
    wrong("at_least_or_above_phi", "boundaries of positive probability count", fails="same_output"),
)

table.base(
    """
    @mechanism
    def vanishing(q: Queries, eps: Epsilon, noise: Noise):
        # (q1 - q2) * eta may vanish.
        eta = noise.laplace(1 / eps)
        x = (q[0] - q[1]) * eta
        if q[0] >= 9 * 9 * 9:
            hit = x >= 0
        else:
            hit = x > 0
        return hit

    @alignment(vanishing, epsilon="eps / 1000")
    def phi(H):
        return H.shift()
    """,
    wrong("vanishing_phi", "boundaries of positive probability count", fails="same_output"),
)

table.base(
    """
    @mechanism
    def at_least_or_above_count(q: Query(lattice=1), eps: Epsilon, noise: Noise):
        eta = noise.discrete_laplace(1 / eps)
        if q >= 9 * 9 * 9:
            hit = eta >= 0
        else:
            hit = eta > 0
        return hit

    @alignment(at_least_or_above_count, epsilon="eps / 1000")
    def phi(H):
        return H.shift()
    """,
    wrong("at_least_or_above_count_phi", "boundaries of positive probability count", fails="same_output"),
)

table.base(
    """
    @mechanism
    def clamped_output(q: Query, eps: Epsilon, noise: Noise):
        eta = noise.laplace(1 / eps)
        if clamp(q + eta, 0, 10) >= 10:
            yield ABOVE
        else:
            yield BELOW

    @alignment(clamped_output, epsilon="eps")
    def phi(omega, H):
        return H.shift(eta=1 if omega[0] is ABOVE else -1)
    """,
    right("clamped_output_phi", "a clamped output moves like what it clamps", checked=True),
    wrong(
        "clamped_output_unmoved_phi", "boundaries of positive probability count",
        {"eta=1 if": "eta=0 if"},
        fails="same_output",
    ),
)


# Rule 20: noisy maxima that are wrong

table.base(
    """
    @mechanism
    def with_gap(q: Queries, eps: Epsilon, noise: Noise):
        eta = [noise.laplace(2 / eps) for q_i in q]
        noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
        best, runner_up = largest(noisy, 2)
        return best, noisy[best] - noisy[runner_up]

    @alignment(with_gap, epsilon="eps")
    def phi(q, q_, omega, H):
        best, gap = omega
        change = change_of_losers(q, q_, H.eta, best)
        return H.shift(eta=[q[i] - q_[i] + change if i == best else 0 for i in range(len(q))])
    """,
    right("gap_phi", checked=True),
    wrong(
        "max_of_all_phi", "The maximum over all, the winner included, is not the loser's",
        {
            "change = change_of_losers(q, q_, H.eta, best)\n"
            "return H.shift(eta=[q[i] - q_[i] + change if i == best else 0 for i in range(len(q))])": (
                "before = max(q[i] + H.eta[i] for i in range(len(q)))\n"
                "after = max(q_[i] + H.eta[i] for i in range(len(q)))\n"
                "return H.shift(eta=[q[i] - q_[i] + after - before if i == best else 0 for i in range(len(q))])"
            ),
        },
    ),
    wrong(
        "runner_up_of_d_phi", "The best loser of D need not be that of D'",
        {
            "change = change_of_losers(q, q_, H.eta, best)":
                "(second,) = largest([q[i] if i != best else -1000 for i in range(len(q))], 1)",
            "change if": "q_[second] - q[second] if",
        },
    ),
    wrong("change_turned_round_phi", changes={"q_[i] + change": "q_[i] - change"}),
    wrong(
        "without_noise_phi",
        changes={
            "change = change_of_losers(q, q_, H.eta, best)": (
                "change = max(q_[i] for i in range(len(q)) if i != best) - max(q[i] for i in range(len(q)) "
                "if i != best)"
            ),
        },
    ),
    wrong("half_phi", changes={'epsilon="eps"': 'epsilon="eps / 2"'}),
    wrong(
        "losers_moved_phi",
        changes={
            "change = change_of_losers(q, q_, H.eta, best)\n"
            "return H.shift(eta=[q[i] - q_[i] + change if i == best else 0 for i in range(len(q))])":
                "return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])",
        },
    ),
    right(
        "all_moved_under_l1_phi", "under l1 every shift pays for its own change",
        {
            'epsilon="eps"': 'epsilon="eps", adjacency="l1"',
            "best, gap = omega\n"
            "change = change_of_losers(q, q_, H.eta, best)\n"
            "return H.shift(eta=[q[i] - q_[i] + change if i == best else 0 for i in range(len(q))])":
                "return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])",
        },
        checked=True,
    ),
    wrong(
        "exponential_gap_phi", "The winner may have to fall below 0",
        {"noise.laplace(2 / eps)": "noise.exponential(2 / eps)"},
    ),
)

table.base(
    """
    @mechanism
    def and_the_runner_up(q: Queries, eps: Epsilon, noise: Noise):
        eta = [noise.laplace(2 / eps) for q_i in q]
        noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
        best, runner_up = largest(noisy, 2)
        return best, runner_up

    @alignment(and_the_runner_up, epsilon="eps")
    def phi(q, q_, omega, H):
        best, runner_up = omega
        return H.shift(eta=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))])
    """,
    wrong("and_the_runner_up_phi"),
    wrong(
        "winner_by_one_more_phi",
        changes={
            "return best, runner_up": "return best, noisy[best] - noisy[runner_up]",
            "runner_up = omega": "gap = omega",
        },
    ),
    wrong("both_moved_phi", "Keeps the two, at twice the price", {"else": "or i == runner_up else"}),
    right(
        "both_moved_and_paid_phi",
        changes={'epsilon="eps"': 'epsilon="2 * eps"', "else": "or i == runner_up else"},
        checked=True,
    ),
    wrong(
        "the_order_is_lost_phi", "The second rises above the first",
        {'epsilon="eps"': 'epsilon="2 * eps"', "else": "else 2 if i == runner_up else"},
    ),
    wrong(
        "runner_up_only_phi",
        changes={
            "return best, runner_up": "return runner_up",
            "best, runner_up = omega\n"
            "return H.shift(eta=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))])":
                "return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])",
        },
    ),
    wrong(
        "runner_up_kept_phi",
        changes={
            "return best, runner_up": "return runner_up",
            "best, runner_up = omega\n"
            "return H.shift(eta=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))])":
                "return H.shift(eta=[q[i] - q_[i] if i == omega else 0 for i in range(len(q))])",
        },
    ),
)

table.base(
    """
    @mechanism
    def gap_to_the_third(q: Queries, eps: Epsilon, noise: Noise):
        eta = [noise.laplace(2 / eps) for q_i in q]
        noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
        first, second, third = largest(noisy, 3)
        return first, noisy[first] - noisy[third]

    @alignment(gap_to_the_third, epsilon="eps")
    def phi(q, q_, omega, H):
        best, gap = omega
        change = change_of_losers(q, q_, H.eta, best)
        return H.shift(eta=[q[i] - q_[i] + change if i == best else 0 for i in range(len(q))])
    """,
    wrong("gap_to_the_third_phi"),
    wrong(
        "three_indices_phi", "The same index named three times in the output must not make three shifts cheaper",
        {
            "noisy[first] - noisy[third]": "second, third",
            'epsilon="eps"': 'epsilon="2 * eps"',
            "best, gap = omega\n"
            "change = change_of_losers(q, q_, H.eta, best)\n"
            "return H.shift(eta=[q[i] - q_[i] + change if i == best else 0 for i in range(len(q))])": (
                "first, second, third = omega\n"
                "return H.shift(eta=[1 + q[i] - q_[i] if i == first or i == second or i == third else 0 for "
                "i in range(len(q))])"
            ),
        },
    ),
)

table.base(
    """
    @mechanism
    def two_gaps_with_enough_noise(q: Queries, eps: Epsilon, noise: Noise):
        eta = [noise.laplace(4 / eps) for q_i in q]
        noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
        first, second, third = largest(noisy, 3)
        return first, second, noisy[first] - noisy[second], noisy[second] - noisy[third]

    @alignment(two_gaps_with_enough_noise, epsilon="eps")
    def phi(q, q_, omega, H):
        first, second, gap, gap_ = omega
        change = best_below(q_, H.eta, first, second) - best_below(q, H.eta, first, second)
        return H.shift(eta=[q[i] - q_[i] + change if i == first or i == second else 0 for i in range(len(q))])
    """,
    right("two_gaps_with_enough_noise_phi", checked=True),
    wrong("two_gaps_phi", "Too little noise for two winners: 4 / eps would do", {"4 / eps": "2 / eps"}),
    wrong("only_the_first_phi", changes={"first or i == second": "first"}),
    wrong(
        "each_by_the_losers_of_its_own_phi",
        changes={
            "change = best_below(q_, H.eta, first, second) - best_below(q, H.eta, first, second)\n"
            "return H.shift(eta=[q[i] - q_[i] + change if i == first or i == second else 0 for i in range(len(q))])": (
                "below = best_below(q_, H.eta, first, second) - best_below(q, H.eta, first, second)\n"
                "behind = change_of_losers(q, q_, H.eta, first)\n"
                "return H.shift(\n"
                "    eta=[q[i] - q_[i] + (behind if i == first else below if i == second else q_[i] - q[i]) "
                "for i in range(len(q))]\n"
                ")"
            ),
        },
    ),
)

table.base(
    """
    @mechanism
    def the_answer_too(q: Queries, eps: Epsilon, noise: Noise):
        eta = [noise.laplace(2 / eps) for q_i in q]
        noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
        (best,) = largest(noisy, 1)
        return best, q[best]

    @alignment(the_answer_too, epsilon="eps")
    def phi(q, q_, omega, H):
        best, answer = omega
        return H.shift(eta=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))])
    """,
    wrong("the_answer_too_phi"),
    wrong("private_sum_too_phi", changes={"q[best]": "q[0] + q[best]", "best, answer": "best, total"}),
    wrong("which_side_of_zero_phi", changes={"q[best]": "noisy[best] >= 0", "best, answer": "best, above"}),
    wrong(
        "k_th_phi", "The winner and the k-th answer, released as it is where there is one beyond the search's reach",
        {
            "Queries, eps": "Queries, k: Count, eps",
            "return best, q[best]": "x = q[k] if k > 30 and k < len(q) else 0\nreturn best, x",
            "best, answer": "best, x",
        },
    ),
    wrong(
        "last_wins_nothing_phi", "Leaks only where the winner is the last of more than seven",
        {
            "return best, q[best]": "x = 1 if best + 1 >= len(q) and len(q) > 7 and q[0] >= 0 else 0\nreturn best, x",
            "best, answer": "best, x",
        },
    ),
)

table.base(
    """
    @mechanism
    def noisy_maximum(q: Queries, eps: Epsilon, noise: Noise):
        # The largest answer has the sensitivity of one answer.
        e = noise.laplace(1 / eps)
        return max(q) + e

    @alignment(noisy_maximum, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=max(q) - max(q_))
    """,
    right("noisy_maximum_phi", checked=True),
    wrong(
        "one_noise_for_all_phi", "One coordinate reused for every answer hides nothing",
        {
            "e = noise.laplace(1 / eps)\nreturn max(q) + e":
                "e = noise.laplace(2 / eps)\nnoisy = [q_i + e for q_i in q]\n(best,) = largest(noisy, 1)\nreturn best",
            "q, q_, H": "H",
            "e=max(q) - max(q_)": "e=1",
        },
    ),
    wrong(
        "only_the_positive_phi", "Which are compared depends on the data: the maximum is over the positive answers",
        {
            "e = noise.laplace(1 / eps)\nreturn max(q) + e": (
                "eta = [noise.laplace(2 / eps) for q_i in q]\n"
                "m = max(eta[i] for i in range(len(q)) if i == 0 or q[i] >= 9 * 9 * 9)\n"
                "return m"
            ),
            "q, q_, H": "H",
            "H.shift(e=max(q) - max(q_))": "H.shift()",
        },
    ),
    wrong(
        "largest_change_phi", "Selected without noise, released with it",
        {
            "e = noise.laplace(1 / eps)\nreturn max(q) + e": (
                "(best,) = largest(q, 1)\n"
                "eta = [noise.laplace(1 / eps) for q_i in q]\n"
                "return best, q[best] + eta[best]"
            ),
            "def phi(q, q_, H):\n    return H.shift(e=max(q) - max(q_))": (
                "def phi(q, q_, omega, H):\n"
                "    best, x = omega\n"
                "    return H.shift(eta=[q[i] - q_[i] if i == best else 0 for i in range(len(q))])"
            ),
        },
    ),
    wrong("noisy_maximum_half_phi", changes={'epsilon="eps"': 'epsilon="eps / 2"'}),
    wrong("noisy_maximum_of_first_phi", changes={"e=max(q) - max(q_)": "e=q[0] - q_[0]"}),
    wrong(
        "range_of_answers_phi", "max - min may change by 2",
        {"return max(q) + e": "return max(q) - min(q) + e", "max(q_)": "min(q) - max(q_) + min(q_)"},
    ),
    right(
        "range_of_answers_paid_phi", "max - min may change by 2",
        {
            "return max(q) + e": "return max(q) - min(q) + e",
            'epsilon="eps"': 'epsilon="2 * eps"',
            "max(q_)": "min(q) - max(q_) + min(q_)",
        },
        checked=True,
    ),
)

table.base(
    """
    @mechanism
    def noise_used_twice(q: Queries, p: Queries, eps: Epsilon, noise: Noise):
        # Two vectors with one noise: what is released of both is not covered by one shift.
        eta = [noise.laplace(2 / eps) for q_i, p_i in zip(q, p)]
        (best,) = largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], 1)
        (worst,) = largest([p_i - eta_i for p_i, eta_i in zip(p, eta)], 1)
        return best, worst

    @alignment(noise_used_twice, epsilon="eps")
    def phi(q, q_, omega, H):
        best, worst = omega
        return H.shift(eta=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(H.eta))])
    """,
    wrong("noise_used_twice_phi"),
)

table.base(
    """
    @mechanism
    def noisy_min(q: Queries, eps: Epsilon, noise: Noise):
        eta = [noise.laplace(2 / eps) for q_i in q]
        noisy = [-(q_i + eta_i) for q_i, eta_i in zip(q, eta)]
        (best,) = largest(noisy, 1)
        return best

    @alignment(noisy_min, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=[q[i] - q_[i] - 1 if i == omega else 0 for i in range(len(q))])
    """,
    right("noisy_min_phi", checked=True),
    wrong(
        "shared_neighbour_phi", "Every candidate has the noise of its neighbour as well",
        {
            "noisy = [-(q_i + eta_i) for q_i, eta_i in zip(q, eta)]":
                "n = len(q)\nnoisy = [q[i] + eta[i] + eta[i + 1 if i + 1 < n else 0] for i in range(n)]",
            "q[i] - q_[i] - 1": "1 + q[i] - q_[i]",
        },
    ),
    wrong("noisy_min_up_phi", changes={"q[i] - q_[i] - 1": "1 + q[i] - q_[i]"}),
)

table.base(
    """
    @mechanism
    def exponential_max(q: Queries, eps: Epsilon, noise: Noise):
        eta = [noise.exponential(2 / eps) for q_i in q]
        noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
        (best,) = largest(noisy, 1)
        return best

    @alignment(exponential_max, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
    """,
    right("exponential_max_phi", "Up only, by 1 + q - q' >= 0: it stays in the support", checked=True),
    wrong(
        "noise_for_n_phi",
        "A scale made from n is public; that it grows with n does not pay for one answer's change here",
        {
            "eta = [noise.exponential(2 / eps) for q_i in q]":
                "n = len(q)\neta = [noise.laplace(1 / (n * eps)) for q_i in q]",
        },
    ),
    wrong(
        "exponential_max_down_phi",
        changes={"1 + q[i] - q_[i] if i == omega else 0": "0 if i == omega else -(1 + q_[i] - q[i])"},
    ),
    wrong("exponential_max_half_phi", changes={'epsilon="eps"': 'epsilon="eps / 2"'}),
)

table.base(
    """
    @mechanism
    def list_in_another_order(q: Queries, eps: Epsilon, noise: Noise):
        eta = [noise.laplace(1 / eps) for q_i in q]
        n = len(q)
        return [q[i] + eta[n - 1 - i] for i in range(n)]

    @alignment(list_in_another_order, epsilon="eps", adjacency="l1")
    def phi(q, q_, H):
        return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])
    """,
    wrong("list_in_another_order_phi"),
    wrong(
        "noise_for_each_phi", "Fit for vectors of at most five answers",
        {
            "eta = [noise.laplace(1 / eps) for q_i in q]\nn = len(q)\nreturn [q[i] + eta[n - 1 - i] for i in range(n)]":
                "eta = [noise.laplace(5 / eps) for q_i in q]\nreturn [q_i + eta_i for q_i, eta_i in zip(q, eta)]",
            'epsilon="eps", adjacency="l1"': 'epsilon="eps"',
        },
    ),
    wrong(
        "half_of_noise_for_all_phi",
        changes={
            "eta = [noise.laplace(1 / eps) for q_i in q]": "",
            "return [q[i] + eta[n - 1 - i] for i in range(n)]":
                "eta = [noise.laplace(n / eps) for q_i in q]\nreturn [q_i + eta_i for q_i, eta_i in zip(q, eta)]",
            'epsilon="eps", adjacency="l1"': 'epsilon="eps / 2", adjacency="one"',
        },
    ),
    wrong(
        "clamped_list_phi",
        changes={
            "n = len(q)\nreturn [q[i] + eta[n - 1 - i] for i in range(n)]":
                "return [clamp(q_i, 0, 1) + clamp(eta_i, 0, 1) for q_i, eta_i in zip(q, eta)]",
        },
    ),
    wrong(
        "list_with_one_bare_phi", "The answer at the seventh place goes out as it is",
        {
            "n = len(q)\nreturn [q[i] + eta[n - 1 - i] for i in range(n)]":
                "return [q[i] if i == 6 else q[i] + eta[i] for i in range(len(q))]",
        },
    ),
)


@mechanism
def two_maxima(q: Queries, eps: Epsilon, noise: Noise):
    """Two selections, each with the noise of one."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    mu = [noise.laplace(2 / eps) for q_i in q]
    (one,) = largest([q_i + e for q_i, e in zip(q, eta)], 1)
    (other,) = largest([q_i + e for q_i, e in zip(q, mu)], 1)
    return one, other


table.base(
    """
    @mechanism
    def two_maxima(q: Queries, eps: Epsilon, noise: Noise):
        # Two selections, each with the noise of one.
        eta = [noise.laplace(2 / eps) for q_i in q]
        mu = [noise.laplace(2 / eps) for q_i in q]
        (one,) = largest([q_i + e for q_i, e in zip(q, eta)], 1)
        (other,) = largest([q_i + e for q_i, e in zip(q, mu)], 1)
        return one, other

    @alignment(two_maxima, epsilon="eps")
    def phi(q, q_, omega, H):
        one, other = omega
        return H.shift(eta=[1 + q[i] - q_[i] if i == one else 0 for i in range(len(q))])
    """,
    wrong("one_of_two_maxima_phi"),
    wrong(
        "two_maxima_phi",
        changes={
            "return H.shift(eta=[1 + q[i] - q_[i] if i == one else 0 for i in range(len(q))])": (
                "return H.shift(\n"
                "    eta=[1 + q[i] - q_[i] if i == one else 0 for i in range(len(q))],\n"
                "    mu=[1 + q[i] - q_[i] if i == other else 0 for i in range(len(q))],\n"
                ")"
            ),
        },
    ),
)


@alignment(two_maxima, epsilon="2 * eps")
def two_maxima_paid_phi(q, q_, omega, H):
    one, other = omega
    return H.shift(
        eta=[1 + q[i] - q_[i] if i == one else 0 for i in range(len(q))],
        mu=[1 + q[i] - q_[i] if i == other else 0 for i in range(len(q))],
    )


table.base(
    """
    @mechanism
    def max_of_two_vectors(q: Queries, p: Queries, eps: Epsilon, noise: Noise):
        # Two private vectors, each with a sensitivity of 1: their sum may change by 2.
        eta = [noise.laplace(2 / eps) for q_i, p_i in zip(q, p)]
        noisy = [q_i + p_i + eta_i for q_i, p_i, eta_i in zip(q, p, eta)]
        (best,) = largest(noisy, 1)
        return best

    @alignment(max_of_two_vectors, epsilon="2 * eps")
    def phi(q, q_, p, p_, omega, H):
        return H.shift(eta=[2 + q[i] - q_[i] + p[i] - p_[i] if i == omega else 0 for i in range(len(H.eta))])
    """,
    right("max_of_two_vectors_paid_phi", checked=True),
    wrong("max_of_two_vectors_phi", changes={'epsilon="2 * eps"': 'epsilon="eps"'}),
    wrong("max_of_two_vectors_by_one_phi", changes={"2 + q[i]": "1 + q[i]"}),
)

table.base(
    """
    @mechanism
    def weighted_max(q: Queries, w: Positive, eps: Epsilon, noise: Noise):
        # The weight enlarges the answers and not the noise.
        eta = [noise.laplace(2 / eps) for q_i in q]
        noisy = [w * q_i + eta_i for q_i, eta_i in zip(q, eta)]
        (best,) = largest(noisy, 1)
        return best

    @alignment(weighted_max, epsilon="w * eps")
    def phi(q, q_, omega, H, w):
        return H.shift(eta=[w + w * q[i] - w * q_[i] if i == omega else 0 for i in range(len(q))])
    """,
    right("weighted_max_paid_phi", checked=True),
    wrong("weighted_max_phi", changes={'epsilon="w * eps"': 'epsilon="eps"'}),
)

table.base(
    """
    @mechanism
    def maximum_of_maxima(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        # An inner maximum is of something for every i in range, and of nothing past the range, as for i = k >= n.
        eta = noise.laplace(1 / eps)
        n = len(q)
        m = max([max(j for j in range(n) if j + i <= n - 1) for i in range(n)])
        z = 0
        if k < n and q[k] >= 9 * 9 * 9:
            z = 1
        return 1 if k >= n and q[0] >= 9 * 9 * 9 else 0

    @alignment(maximum_of_maxima, epsilon="eps")
    def phi(H):
        return H.shift()
    """,
    wrong("maximum_of_maxima_phi"),
)


# What is private by the argument in its docstring, or by that of the catalogue, and must not be lost


def test_what_is_right_is_not_refuted():
    """Each vector's cost is bounded over both indices of the output, and twice where they are one."""
    assert check(two_maxima_paid_phi).verdict is not Verdict.REFUTED


# The maximum of nothing, and items that are not there: undefined on one side is an output of its own


@mechanism
def maximum_asked_twice(q: Queries, eps: Epsilon, noise: Noise):
    """The second maximum is of nothing where the first is not asked for."""
    eta = noise.laplace(1 / eps)
    a = max(x for x in q if x <= -9 * 9 * 9) if q[0] <= -9 * 9 * 9 else 0
    many = 1 if len(q) >= 7 else 0
    b = max(x for x in q if x <= -9 * 9 * 9) if many == 1 else 0
    return eta


@mechanism
def maximum_of_none(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if q >= 9 * 9 * 9:
        x = max([y for y in (1, 2) if y > 5])
    return eta


@mechanism
def more_than_there_are(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if q >= 9 * 9 * 9:
        a, b, c = largest([q, eta], 3)
    return eta


@mechanism
def no_such_item(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    few = [j for j in (1, 2)]
    if q >= 9 * 9 * 9:
        x = few[7]
    return eta


@mechanism
def too_many_names(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    few = [j for j in (1, 2)]
    if q >= 9 * 9 * 9:
        a, b, c = few
    return eta


@mechanism
def undefined_further_on(q: Query, eps: Epsilon, noise: Noise):
    """Where q is between the two bounds the run goes on, and leaks."""
    eta = noise.laplace(1 / eps)
    few = [j for j in (1, 2)]
    x = 1
    if q >= 9 * 9 * 9:
        x = few[7] if q >= 9 * 9 * 9 * 9 else 0
    return q + eta * x


@mechanism
def undefined_item_in_a_list(q: Queries, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    few = [j for j in (1, 2)]
    x = max(few[7] if q_i >= 9 * 9 * 9 else 0 for q_i in q)
    return eta


@mechanism
def divided_by_zero(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if q >= 9 * 9 * 9:
        x = 1 / 0
    return eta


@mechanism
def past_the_end(q: Queries, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if q[0] >= 9 * 9 * 9:
        x = q[len(q)]
    return eta


UNDEFINED = [
    maximum_asked_twice, maximum_of_none, more_than_there_are, no_such_item, too_many_names, undefined_further_on,
    undefined_item_in_a_list, divided_by_zero, past_the_end,
]  # fmt: skip


@pytest.mark.parametrize("program", UNDEFINED, ids=lambda program: program.name)
def test_a_run_that_has_no_output_is_not_kept(program, never_proved):
    if program is undefined_further_on:

        @alignment(program, epsilon="eps")
        def phi(q, q_, H):
            return H.shift(eta=q - q_)

    else:

        @alignment(program, epsilon="eps")
        def phi(H):
            return H.shift()

    never_proved(phi)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
