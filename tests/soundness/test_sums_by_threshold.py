"""Sums over private rows that read the variable of a list or loop, right ones and what only looks like them.

Rules 41 and 42 for sums with parameters: each entry of a list of counts moves by at most 1 where one answer changes,
each is paid for, and what a sum reads besides must be the same on both runs before anything is known of it.
"""

# Programs under test compute values that they do not use: that they may be undefined is the point.

from __future__ import annotations

import pytest
from support.defining import define_in
from support.near_misses import Table, right, wrong

from alignkit.running.adjacency import Adjacency
from alignkit.worst_case.claim_order import ClaimOrder, compare_claims

table = Table(
    """
    def below(q, t):
        return sum(1 for x in q if x <= t)

    def cut(q, b):
        return sum(clamp(x, 0, max(b, 0)) for x in q)

    def near(q, s, c):
        return sum(max(c - abs(x - s), 0) for x in q)
    """
)


# A count for each of a list of thresholds

table.base(
    """
    @mechanism
    def counts(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
        for t in T:
            e = noise.laplace(len(T) / eps)
            yield below(q, t) + e

    @alignment(counts, epsilon="eps", adjacency="one")
    def phi(q, q_, T, H):
        return H.shift(e=[below(q, t) - below(q_, t) for t in T])
    """,
    right("each_threshold", "a count changes by at most 1, and each is paid for", checked=True),
    right("per_threshold", changes={"len(T) / eps": "1 / eps", 'epsilon="eps"': 'epsilon="len(T) * eps"'}),
    right(
        "written_out", "each iteration has a threshold of its own",
        {
            "for t in T:": "for i in range(len(T)):",
            "yield below(q, t) + e": "yield sum(1 if x <= T[i] else 0 for x in q) + e",
        },
    ),
    right(
        "every_answer_changes", "under each, all n may cross a threshold",
        {"len(T) / eps": "len(T) * len(q) / eps", 'adjacency="one"': 'adjacency="each"'},
    ),
    right(
        "bins", "an answer is in one bin or in another",
        {
            "for t in T:": "for t, s in zip(T, [*T, 0]):",
            "yield below(q, t) + e": "yield below(q, t) - below(q, s) + e",
            'epsilon="eps"': 'epsilon="2 * eps"',
            "[below(q, t) - below(q_, t) for t in T]": (
                "[below(q, t) - below(q_, t) - below(q, s) + below(q_, s) for t, s in zip(T, [*T, 0])]"
            ),
        },
    ),
    wrong("none_shared", "each is paid for", {"len(T) / eps": "1 / eps"}, fails="cost", refuted=True),
    wrong("half_paid", "a count may change by 1", {'"eps"': '"eps / 2"'}, fails="cost", refuted=True),
    wrong("small_changes", "many small changes cross a threshold", {'"one"': '"l1"'}, fails="cost", refuted=True),
    wrong("all_changes", "all may cross a threshold", {'"one"': '"each"'}, fails="cost", refuted=True),
    wrong("all_rise", "all may cross a threshold", {'"one"': '"monotone"'}, fails="cost", refuted=True),
    wrong("all_but_one", "all may cross", {"len(T) / eps": "len(T) * (len(q) - 1) / eps", '"one"': '"each"'}),
    wrong(
        "other_thresholds", "a shift by the change at another threshold",
        {"[below(q, t) - below(q_, t)": "[below(q, t + 1) - below(q_, t + 1)"}, fails="same_output", refuted=True,
    ),
    wrong(
        "first_threshold", "a shift by the change at the first threshold",
        {"[below(q, t) - below(q_, t)": "[below(q, T[0]) - below(q_, T[0])"}, fails="same_output", refuted=True,
    ),
    wrong(
        "strictly_below", "a shift by the change of another count",
        {"[below(q, t) - below(q_, t)": "[sum(1 for x in q if x < t) - sum(1 for x in q_ if x < t)"},
        fails="same_output", refuted=True,
    ),
    wrong(
        "two_counts", "two counts may change at once",
        {
            "yield below(q, t) + e": "yield below(q, t) + below(q, T[0]) + e",
            "[below(q, t) - below(q_, t)": "[below(q, t) - below(q_, t) + below(q, T[0]) - below(q_, T[0])",
        },
        fails="cost", refuted=True,
    ),
    wrong(
        "weighted", "a count that is multiplied changes by more than 1",
        {
            "yield below(q, t) + e": "yield t * below(q, t) + e",
            "[below(q, t) - below(q_, t)": "[t * below(q, t) - t * below(q_, t)",
        },
        fails="cost", refuted=True,
    ),
    wrong(
        "weighted_rows", "so does a sum of multiples",
        {
            "yield below(q, t) + e": "yield sum(t * x for x in q) + e",
            "[below(q, t) - below(q_, t)": "[sum(t * x for x in q) - sum(t * x for x in q_)",
        },
        fails="cost", refuted=True,
    ),
    wrong(
        "rows_below", "what an answer adds to the sum of those below is as large as the threshold",
        {
            "yield below(q, t) + e": "yield sum(x for x in q if x <= t) + e",
            "[below(q, t) - below(q_, t)": "[sum(x for x in q if x <= t) - sum(x for x in q_ if x <= t)",
        },
        fails="cost", refuted=True,
    ),
)

table.base(
    """
    @mechanism
    def list_of_counts(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
        counted = [below(q, t) for t in T]
        e = [noise.laplace(len(T) / eps) for t in T]
        return [c + e_t for c, e_t in zip(counted, e)]

    @alignment(list_of_counts, epsilon="eps", adjacency="one")
    def phi(q, q_, T, H):
        return H.shift(e=[below(q, t) - below(q_, t) for t in T])
    """,
    right("as_a_list", checked=True),
    wrong("as_a_list_not_shared", "each is paid for", {"len(T) / eps": "1 / eps"}, fails="cost", refuted=True),
    wrong("as_a_list_small_changes", "many cross", {'"one"': '"l1"'}, fails="cost", refuted=True),
    wrong(
        "as_a_list_reversed", "each moves by the change of another",
        {"[below(q, t) - below(q_, t) for t in T]": "[below(q, T[0]) - below(q_, T[0]) for t in T]"}, refuted=True,
    ),
)

table.base(
    """
    @mechanism
    def sum_of_counts(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return sum(below(q, t) for t in T) + e

    @alignment(sum_of_counts, epsilon="eps", adjacency="one")
    def phi(q, q_, T, H):
        return H.shift(e=sum(below(q, t) for t in T) - sum(below(q_, t) for t in T))
    """,
    wrong("all_at_once", "an answer counts once for each threshold", fails="cost", refuted=True),
)

table.base(
    """
    @mechanism
    def ranks(q: Queries, eps: Epsilon, noise: Noise):
        for q_i in q:
            e = noise.laplace(1 / eps)
            yield below(q, q_i) + e

    @alignment(ranks, epsilon="len(q) * eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(e=[below(q, x) - below(q_, x_) for x, x_ in zip(q, q_)])
    """,
    wrong("rank_of_each", "the rank of the answer that changes may change by n", fails="cost"),
    wrong("rank_of_the_same", "the threshold is another on D'", {"below(q_, x_)": "below(q_, x)"}, refuted=True),
)

table.base(
    """
    @mechanism
    def below_mean(q: Queries, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return below(q, sum(q) / len(q)) + e

    @alignment(below_mean, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(e=below(q, sum(q) / len(q)) - below(q_, sum(q_) / len(q_)))
    """,
    wrong("private_threshold", "the threshold moves with the answer", fails="cost", refuted=True),
)


# Sums that are Lipschitz, for each of a list of bounds

table.base(
    """
    @mechanism
    def cut_sums(q: Queries, B: Reals, eps: Epsilon, noise: Noise):
        for b in B:
            e = noise.laplace(len(B) / eps)
            yield cut(q, b) + e

    @alignment(cut_sums, epsilon="eps", adjacency="l1")
    def phi(q, q_, B, H):
        return H.shift(e=[cut(q, b) - cut(q_, b) for b in B])
    """,
    right("cut_at_each", checked=True),
    right("cut_at_each_by_one", changes={'"l1"': '"one"'}),
    right("cut_at_each_by_all", changes={'"l1"': '"each"', '"eps"': '"len(q) * eps"'}),
    right("cut_at_each_upwards", changes={'"l1"': '"monotone"', '"eps"': '"len(q) * eps"'}),
    wrong("cut_half_paid", changes={'"eps"': '"eps / 2"'}, fails="cost", refuted=True),
    wrong("cut_all_change", changes={'"l1"': '"each"'}, fails="cost", refuted=True),
    wrong(
        "cut_and_scaled", "a slope that a list decides",
        {
            "yield cut(q, b) + e": "yield sum(min(max(b * x, 0), 1) for x in q) + e",
            "[cut(q, b) - cut(q_, b)": (
                "[sum(min(max(b * x, 0), 1) for x in q) - sum(min(max(b * x, 0), 1) for x in q_)"
            ),
        },
        fails="cost",
    ),
    wrong(
        "dropped_beyond", "what is dropped beyond a bound jumps there",
        {
            "yield cut(q, b) + e": "yield sum(x for x in q if 0 <= x <= b) + e",
            "[cut(q, b) - cut(q_, b)": (
                "[sum(x for x in q if 0 <= x <= b) - sum(x for x in q_ if 0 <= x <= b)"
            ),
        },
        fails="cost",
    ),
    wrong(
        "cut_below_0", "with a bound below 0 there is a jump at 0",
        {
            "yield cut(q, b) + e": "yield sum(0 if x < 0 else min(x, b) for x in q) + e",
            "[cut(q, b) - cut(q_, b)": (
                "[sum(0 if x < 0 else min(x, b) for x in q) - sum(0 if x < 0 else min(x, b) for x in q_)"
            ),
        },
        fails="cost",
    ),
)

table.base(
    """
    @mechanism
    def cut_list(q: Queries, B: Reals, eps: Epsilon, noise: Noise):
        e = [noise.laplace(len(B) / eps) for b in B]
        return [cut(q, b) + e_b for b, e_b in zip(B, e)]

    @alignment(cut_list, epsilon="eps", adjacency="l1")
    def phi(q, q_, B, H):
        return H.shift(e=[cut(q, b) - cut(q_, b) for b in B])
    """,
    right("cut_as_a_list"),
    wrong("cut_as_a_list_half_paid", changes={'"eps"': '"eps / 2"'}, fails="cost", refuted=True),
    wrong("cut_as_a_list_all_change", changes={'"l1"': '"each"'}, fails="cost", refuted=True),
    wrong("cut_as_a_list_not_shared", changes={"len(B) / eps": "1 / eps"}, fails="cost", refuted=True),
)


# Bisection: thresholds that a loop changes

table.base(
    """
    @mechanism
    def bisection(q: Queries, low: Real, high: Real, target: Real, k: Count, eps: Epsilon, noise: Noise):
        a, b = low, high
        for j in range(k):
            mid = (a + b) / 2
            e = noise.laplace(k / eps)
            if below(q, mid) + e >= target:
                b = mid
                yield ABOVE
            else:
                a = mid
                yield BELOW
        yield (a + b) / 2

    @alignment(bisection, epsilon="eps", adjacency="one")
    def phi(q, q_, omega, H):
        return H.shift(e=[1 if w is ABOVE else -1 for w in omega])
    """,
    right("to_the_midpoint", "the tags tell the midpoints", checked=True),
    right("tags_only", changes={"yield (a + b) / 2": "pass"}),
    wrong("losers_stay", "a count may rise over the target", {"else -1": "else 0"}, fails="same_output", refuted=True),
    wrong("bisection_half_paid", "each step costs 1", {'"eps"': '"eps / 2"'}, fails="cost", refuted=True),
    wrong("bisection_small_changes", "many cross a midpoint", {'"one"': '"l1"'}, fails="same_output"),
    wrong("bisection_all_change", "all cross a midpoint", {'"one"': '"each"'}, fails="same_output"),
    wrong("bisection_not_shared", "each step is paid for", {"k / eps": "1 / eps"}, fails="cost", refuted=True),
    wrong(
        "in_silence", "the output does not tell the midpoints, which part",
        {"yield ABOVE": "yield BELOW", "1 if w is ABOVE else -1": "0"}, fails="same_output",
    ),
    wrong(
        "without_noise", "the midpoints are decided by answers alone",
        {"if below(q, mid) + e >= target:": "if below(q, mid) >= target:"}, fails="same_output",
    ),
    wrong(
        "noisy_midpoint", "the midpoint moves by noise that is shifted",
        {"b = mid": "b = mid + e"}, fails="same_output", refuted=True,
    ),
    wrong(
        "count_at_the_end", "a count at the end is put out as it is",
        {"yield (a + b) / 2": "yield below(q, a)"}, fails="same_output", refuted=True,
    ),
    wrong(
        "at_the_first_midpoint", "a shift by the change at a midpoint that is over",
        {
            "def phi(q, q_, omega, H):": "def phi(q, q_, low, high, omega, H):\n    m = (low + high) / 2",
            "1 if w is ABOVE else -1": "below(q, m) - below(q_, m)",
        },
        fails="same_output",
    ),
)

table.base(
    """
    @mechanism
    def random_walk(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        t = T
        for j in range(k):
            e = noise.laplace(k / eps)
            f = noise.laplace(k / eps)
            yield below(q, t) + e
            t = t + f

    @alignment(random_walk, epsilon="2 * eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(f=[1 for x in H.f], e=[1 for x in H.e])
    """,
    wrong("hidden_walk", "the hidden thresholds part", fails="same_output", refuted=True),
)

table.base(
    """
    @mechanism
    def hidden_threshold(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        eta = noise.laplace(1 / eps)
        e = noise.laplace(1 / eps)
        return ABOVE if below(q, T + eta) + e >= 1 else BELOW

    @alignment(hidden_threshold, epsilon="eps", adjacency="one")
    def phi(q, q_, omega, H):
        return H.shift(e=1 if omega is ABOVE else -1)
    """,
    right("hidden_but_fixed", "the threshold's noise stays as it is"),
    wrong(
        "hidden_and_moved", "another threshold, another count",
        {"H.shift(e=": "H.shift(eta=1, e=", '"eps"': '"2 * eps"'}, fails="same_output", refuted=True,
    ),
    wrong(
        "read_back", "the shift of the threshold's noise reads a count that depends on it",
        {
            "H.shift(e=1 if omega is ABOVE else -1)": (
                "H.shift(eta=near(q, H.eta, 1) - near(q_, H.eta, 1), e=1 if omega is ABOVE else -1)"
            ),
            '"eps"': '"2 * eps"',
        },
    ),
)


# The best of several thresholds

table.base(
    """
    @mechanism
    def stump(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
        e = [noise.laplace(2 / eps) for t in T]
        scores = [below(q, t) + e_t for t, e_t in zip(T, e)]
        (best,) = largest(scores, 1)
        return best

    @alignment(stump, epsilon="eps", adjacency="one")
    def phi(q, q_, T, omega, H):
        return H.shift(e=[2 if i == omega else 0 for i in range(len(T))])
    """,
    right("best", checked=True),
    right(
        "best_by_its_change", "the winner moves by what it lost, and by 1 for what another gained",
        {"2 if i == omega": "1 + below(q, T[i]) - below(q_, T[i]) if i == omega"},
    ),
    right(
        "best_on_both_sides", "a score of two counts changes by 2",
        {
            "[below(q, t) + e_t": "[abs(below(q, t) - sum(1 for x in q if x > t)) + e_t",
            "2 if i == omega": "4 if i == omega",
            '"eps"': '"2 * eps"',
        },
    ),
    right(
        "best_of_near", "sums that change by at most 1",
        {"below(q, t) + e_t": "near(q, t, 1) + e_t", '"one"': '"l1"'},
    ),
    wrong("best_half_paid", changes={'"eps"': '"eps / 2"'}, fails="cost"),
    wrong("best_small_changes", "many cross", {'"one"': '"l1"'}, fails="same_output"),
    wrong(
        "equal_to", "one bin loses what another gains, so that 1 is too little",
        {"below(q, t) + e_t": "sum(1 for x in q if x == t) + e_t", "2 if i": "1 if i", '"eps"': '"eps / 2"'},
        fails="same_output", refuted=True,
    ),
    wrong(
        "best_on_both_sides_cheap", "a score of two counts changes by 2",
        {"[below(q, t) + e_t": "[abs(below(q, t) - sum(1 for x in q if x > t)) + e_t"}, fails="same_output",
    ),
    wrong(
        "with_its_count", "the winner's count is put out as it is",
        {"return best": "return best, below(q, T[best])", "i == omega": "i == omega[0]"}, fails="same_output",
        refuted=True,
    ),
)

table.base(
    """
    @mechanism
    def stump_with_count(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
        e = [noise.laplace(2 / eps) for t in T]
        (best,) = largest([below(q, t) + e_t for t, e_t in zip(T, e)], 1)
        f = noise.laplace(1 / eps)
        return best, below(q, T[best]) + f

    @alignment(stump_with_count, epsilon="2 * eps", adjacency="one")
    def phi(q, q_, T, omega, H):
        i = omega[0]
        return H.shift(e=[2 if j == i else 0 for j in range(len(T))], f=below(q, T[i]) - below(q_, T[i]))
    """,
    right("measured", "the same position has the same threshold on both runs", checked=True),
    wrong("measured_elsewhere", changes={"f=below(q, T[i]) - below(q_, T[i])": "f=below(q, T[0]) - below(q_, T[0])"}),
    wrong("measured_for_nothing", changes={'"2 * eps"': '"eps"'}, fails="cost", refuted=True),
)


# Sparse vector over thresholds

table.base(
    """
    @mechanism
    def first_of_thresholds(q: Queries, T: Reals, c: Real, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        for t in T:
            e = noise.laplace(4 / eps)
            gap = below(q, t) + e - c - rho
            if gap >= 0:
                yield gap
                break
            else:
                yield BELOW

    @alignment(first_of_thresholds, epsilon="eps", adjacency="one")
    def phi(q, q_, T, omega, H):
        moved = [1 + below(q, t) - below(q_, t) for t in T]
        return H.shift(rho=1, e=[moved[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
    """,
    right("first_with_gap", "losers move by at most 1", checked=True),
    wrong("never_stops", "each winner is paid for", {"break": "pass"}, fails="cost", refuted=True),
    wrong("first_small_changes", "many cross", {'"one"': '"l1"'}),
    wrong("threshold_stays", "losers rise", {"rho=1": "rho=0", "[1 + below": "[below"}, fails="same_output"),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


def test_a_sum_within_a_sum_of_a_claim_has_an_item_of_its_own(tmp_path):
    """Were both items one, all differences of two items would be 0."""
    module = define_in(
        tmp_path,
        """
        @mechanism
        def noisy(q: Query, A: Reals, eps: Epsilon, noise: Noise):
            e = noise.laplace(1 / eps)
            return q + e
        """,
    )
    differences = "1 + sum(sum(abs(a - b) for a in A) for b in A)"
    assert compare_claims(module.noisy, Adjacency.EACH, differences, "1") is ClaimOrder.OPEN
    repeated = "1 + sum(sum(a for a in A) for b in A)"
    assert compare_claims(module.noisy, Adjacency.EACH, repeated, "1 + len(A) * sum(A)") is ClaimOrder.SAME
