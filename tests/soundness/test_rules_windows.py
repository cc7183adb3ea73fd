"""Rules 41, 42 and 52 for windows: sums over a range that a filter gives, and over items that read a parameter too.

An answer pays once for every window that it lies in. Where a window ends must be the same on both runs before anything
is known of the change of its sum, and a window with nothing in it adds up to 0, wherever its ends are.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

# Counts in windows, by a threshold for each iteration

table.base(
    """
    def inside(q, i, w, t):
        return sum(1 for j, x in enumerate(q) if i - w < j <= i and x <= t)

    @mechanism
    def counts(q: Queries, T: Real, w: Count, eps: Epsilon, noise: Noise):
        count = 0
        for i, q_i in enumerate(q):
            e = noise.laplace(w / eps)
            yield inside(q, i, w, T + i) + e

    @alignment(counts, epsilon="eps", adjacency="one")
    def phi(q, q_, T, w, H):
        return H.shift(e=[inside(q, i, w, T + i) - inside(q_, i, w, T + i) for i in range(len(q))])
    """,
    right("each_window", "an answer lies in w windows, and is counted or not", checked=True),
    right("the_filters_apart", "", {
        "if i - w < j <= i and x <= t": "if j > i - w and x <= t and i >= j",
    }),
    right("as_a_choice", "", {"1 for j, x in enumerate(q) if i - w < j <= i and x <= t": (
        "(1 if x <= t else 0) if i - w < j <= i else 0 for j, x in enumerate(q)"
    )}),
    right("backwards", "", {"1 for j, x in enumerate(q) if i - w < j <= i and x <= t": (
        "1 if q[i - d] <= t else 0 for d in range(min(w, i + 1))"
    )}),
    right("all_up_to_here", "at the price of all", {"i - w < j <= i": "j <= i", "w / eps": "len(q) / eps"}),
    right("nothing_in_it", "a window that ends before it begins needs no noise", {
        "i - w < j <= i": "i + w <= j <= i", "yield inside(q, i, w, T + i) + e": "yield inside(q, i, w, T + i)",
    }),
    wrong("one_more", "an answer lies in w + 1 windows", {"i - w < j": "i - w <= j"}, fails="cost"),
    wrong("up_to_the_next", "", {"j <= i and": "j <= i + 1 and"}, fails="cost"),
    wrong("all_up_to_here_at_w", "", {"i - w < j <= i": "j <= i"}, fails="cost"),
    wrong("all_from_here_at_w", "", {"i - w < j <= i": "i <= j"}, fails="cost"),
    wrong("all_from_the_end", "a window that shrinks has all answers first", {
        "i - w < j <= i": "j < len(q) - i",
    }, fails="cost"),
    wrong("all_but_its_own", "", {"i - w < j <= i": "j != i"}, fails="cost"),
    wrong("one_filter_or_the_other", "", {"if i - w < j <= i and": "if (i - w < j or j <= i) and"}, fails="cost"),
    wrong("outside", "", {"if i - w < j <= i and": "if not (i - w < j <= i) and"}, fails="cost"),
    wrong("to_both_sides", "2 w windows", {
        "i - w < j <= i": "max(0, i - w) < j <= min(i + w, len(q) - 1)",
    }, fails="cost"),
    wrong("by_half_positions", "all iterations from 2 j on", {"i - w < j <= i": "j <= i / 2"}, fails="cost"),
    wrong("by_twice_its_position", "", {"i - w < j <= i": "2 * j <= i"}, fails="cost"),
    wrong("or_a_threshold", "", {"i - w < j <= i and x <= t": "i - w < j <= i or x <= t"}, fails="cost"),
    wrong("not_shared", "each of w counts is paid for", {"w / eps": "1 / eps"}, fails="cost"),
    wrong("small_changes", "many of them cross a threshold", {'"one"': '"l1"'}, fails="cost"),
    wrong("all_change", "", {'"one"': '"each"'}, fails="cost"),
    wrong("what_is_counted_is_large", "", {"sum(1 for": "sum(x for"}, fails="cost"),
    wrong("counted_by_position", "the last of a window counts i times", {"sum(1 for": "sum(j for"}, fails="cost"),
    wrong("another_threshold_on_d", "", {
        "yield inside(q, i, w, T + i)": "yield inside(q, i, w, T + i + 1)",
    }, fails="same_output"),
    wrong("another_window_on_d", "", {
        "yield inside(q, i, w, T + i)": "yield inside(q, i + 1, w, T + i)",
    }, fails="same_output"),
    wrong("a_wider_window_on_d", "", {
        "yield inside(q, i, w, T + i)": "yield inside(q, i, w + 1, T + i)",
    }, fails="same_output"),
    wrong("its_own_answer_as_the_threshold", "the threshold is another on D'", {
        "yield inside(q, i, w, T + i)": "yield inside(q, i, w, q_i)",
    }, fails="same_output"),
    wrong("a_window_as_wide_as_answers_are_many", "a private width", {
        "yield inside(q, i, w, T + i) + e": "count += 1 if q_i > T else 0\nyield inside(q, i, count, T + i) + e",
    }, fails="same_output"),
    wrong("a_window_that_noise_ends", "the noise moves, and a window with it", {
        "yield inside(q, i, w, T + i) + e": "yield inside(q, i + (1 if e > 0 else 0), w, T + i) + e",
    }, fails="same_output"),
    wrong("backwards_past_the_first", "position -1 is the last in Python", {
        "yield inside(q, i, w, T + i)": "yield sum(1 if q[i - d] <= T + i else 0 for d in range(w))",
    }),
    wrong("backwards_by_weights", "the oldest answer counts w - 1 times", {
        "1 for j, x in enumerate(q) if i - w < j <= i and x <= t":
            "d if q[i - d] <= t else 0 for d in range(min(w, i + 1))",
    }, fails="cost"),
    wrong("nothing_in_it_but_an_answer", "were an empty window below 0, it would take the answer away", {
        "yield inside(q, i, w, T + i) + e":
            "yield inside(q, i, w, T + i) + e + sum(x for j, x in enumerate(q) if i + 1 <= j <= i - 1) + q_i",
    }, fails="same_output"),
    wrong("two_directions", "what is left is the difference of the ends", {
        "yield inside(q, i, w, T + i) + e":
            "yield inside(q, i, w, T + i) + e + sum(q[i - d] - q[d] for d in range(i))",
    }, fails="same_output"),
)

# Windows that private answers end, or noise

table.base(
    """
    Whole = Annotated[Query, Lattice(1)]
    Parts = Annotated[Queries, Lattice(1)]

    @mechanism
    def ended(q: Parts, c: Whole, T: Real, share: Reals, eps: Epsilon, noise: Noise):
        m = noise.geometric(1 / eps)
        e = noise.laplace(1 / eps)
        t = T
        for i in range(1):
            t = t + i
            yield sum(x for j, x in enumerate(q) if j <= 2) + e

    @alignment(ended, epsilon="eps", adjacency="one")
    def phi(q, q_, c, c_, T, H):
        return H.shift(e=sum(x for j, x in enumerate(q) if j <= 2)
                         - sum(x for j, x in enumerate(q_) if j <= 2))
    """,
    right("a_fixed_end", "one answer moves by 1"),
    wrong("a_private_end", "there is one answer more on D'", {
        "yield sum(x for j, x in enumerate(q) if j <= 2)":
            "yield sum(x for j, x in enumerate(q) if j <= c and x <= t)",
        "sum(x for j, x in enumerate(q) if j <= 2)\n": "sum(x for j, x in enumerate(q) if j <= c)\n",
        "sum(x for j, x in enumerate(q_) if j <= 2)": "sum(x for j, x in enumerate(q_) if j <= c_)",
    }),
    wrong("a_private_end_alone", "the answer that comes in is as large as it is", {
        "yield sum(x for j, x in enumerate(q) if j <= 2)": "yield sum(x for j, x in enumerate(q) if j <= c)",
        "sum(x for j, x in enumerate(q) if j <= 2)\n": "sum(x for j, x in enumerate(q) if j <= c)\n",
        "sum(x for j, x in enumerate(q_) if j <= 2)": "sum(x for j, x in enumerate(q_) if j <= c_)",
    }, fails="cost"),
    wrong("the_first_answer_ends_it", "it counts itself, and lets another in", {
        "yield sum(x for j, x in enumerate(q) if j <= 2)":
            "yield sum(x for j, x in enumerate(q) if j <= q[0])",
        "sum(x for j, x in enumerate(q) if j <= 2)\n":
            "sum(x for j, x in enumerate(q) if j <= q[0])\n",
        "sum(x for j, x in enumerate(q_) if j <= 2)":
            "sum(x for j, x in enumerate(q_) if j <= q_[0])",
    }, fails="cost"),
    wrong("each_answer_ends_it_for_itself", "what comes in may be any", {
        "yield sum(x for j, x in enumerate(q) if j <= 2)":
            "yield sum(x for j, x in enumerate(q) if j + x <= i)",
    }, fails="same_output"),
    wrong("noise_ends_it", "the noise moves", {
        "enumerate(q) if j <= 2) + e": "enumerate(q) if j <= m) + e", "H.shift(e=": "H.shift(m=1, e=",
        'epsilon="eps"': 'epsilon="2 * eps"',
    }, fails="same_output"),
    wrong("public_items_to_a_private_end", "they tell where it is", {
        "yield sum(x for j, x in enumerate(q) if j <= 2) + e":
            "yield sum(s for j, s in enumerate(share) if j <= c)",
    }, fails="same_output"),
    wrong("public_items_below_a_state", "as far as an answer says", {
        "t = t + i\nyield sum(x for j, x in enumerate(q) if j <= 2) + e":
            "t = t + c\nyield sum(1 for j, s in enumerate(share) if j <= i and s <= t)",
    }, fails="same_output"),
    wrong("a_scale_to_a_private_end", "the scale is another on D'", {
        "t = t + i\n": "f = noise.laplace(1 + sum(abs(s) for j, s in enumerate(share) if j <= c))\n",
    }, fails="noise_used"),
    wrong("a_scale_to_where_noise_ends", "the noise moves, and the scale with it", {
        "t = t + i\n": "f = noise.laplace(1 + sum(abs(s) for j, s in enumerate(share) if j <= m))\n",
        "H.shift(e=": "H.shift(m=1, e=", 'epsilon="eps"': 'epsilon="2 * eps"',
    }, fails="noise_used"),
)

# Sums of windows, and windows in lists and invariants

table.base(
    """
    @mechanism
    def listed(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
        sums = [sum(1 for j, x in enumerate(q) if j <= i and x <= t) for i, t in enumerate(T)]
        e = [noise.laplace(len(T) / eps) for t in T]
        return [c + e_t for c, e_t in zip(sums, e)]

    @alignment(listed, epsilon="eps", adjacency="one")
    def phi(q, q_, T, H):
        before = [sum(1 for j, x in enumerate(q) if j <= i and x <= t) for i, t in enumerate(T)]
        after = [sum(1 for j, x in enumerate(q_) if j <= i and x <= t) for i, t in enumerate(T)]
        return H.shift(e=[a - b for a, b in zip(before, after)])
    """,
    right("each_paid_for"),
    wrong("listed_not_shared", "", {"len(T) / eps": "1 / eps"}, fails="cost"),
    wrong("listed_small_changes", "", {'"one"': '"l1"'}, fails="cost"),
    wrong("listed_at_another_position", "", {
        "enumerate(q) if j <= i and x <= t) for i, t in enumerate(T)]\ne":
            "enumerate(q) if j < i and x <= t) for i, t in enumerate(T)]\ne",
    }),
)

table.base(
    """
    @mechanism
    def within(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
        e = noise.laplace(len(q) / eps)
        return sum(sum(x for j, x in enumerate(q) if j <= h) for h in range(len(q))) + e

    @alignment(within, epsilon="eps", adjacency="one")
    def phi(q, q_, T, H):
        return H.shift(e=sum(sum(x for j, x in enumerate(q) if j <= h) for h in range(len(q)))
                         - sum(sum(x for j, x in enumerate(q_) if j <= h) for h in range(len(q))))
    """,
    wrong("an_answer_in_all", "the first answer is in all sums, and pays n times", {"len(q) / eps": "1 / eps"},
          fails="cost"),
    wrong("by_the_item_of_the_outer_sum", "each inner sum has a threshold of its own", {
        "len(q) / eps": "1 / eps",
        "return sum(sum(x for j, x in enumerate(q) if j <= h)": "return sum(sum(1 for x in q if x <= T[h % len(T)])",
        "e=sum(sum(x for j, x in enumerate(q) if j <= h)": "e=sum(sum(1 for x in q if x <= T[h % len(T)])",
        "- sum(sum(x for j, x in enumerate(q_) if j <= h)": "- sum(sum(1 for x in q_ if x <= T[h % len(T)])",
    }, fails="cost"),
)

table.base(
    """
    @mechanism
    def stated(q: Queries, share: Reals, eps: Epsilon, noise: Noise):
        for q_i, s in zip(q, share):
            e = noise.laplace(1 / eps)
            yield q_i + e

    @alignment(
        stated, epsilon="eps", adjacency="one",
        invariant="privacy_cost <= eps * sum(1 if q[j] != q_[j] else 0 for j in range(len(q)) if j < rounds)",
    )
    def phi(q, q_, omega, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(omega))])
    """,
    right("the_changes_so_far"),
    wrong("one_fewer", "the last answer is not in it", {"j < rounds": "j < rounds - 1"}, fails="cost"),
    wrong("the_changes_to_come", "", {"j < rounds": "j >= rounds"}, fails="cost"),
    wrong("only_the_last", "those before have paid too", {"j < rounds": "rounds - 2 < j < rounds"}, fails="cost"),
    wrong("only_small_ones", "an answer that is large pays too", {
        "j < rounds": "j < rounds and q[j] <= rounds",
    }, fails="cost"),
)


# A filter of several ways, with a parameter: no part of it is the end of a window

table.base(
    """
    @mechanism
    def outside(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
        for t in T:
            e = noise.laplace(len(T) / eps)
            yield sum(1 for x in q if x < t or x > t + 1) + e

    @alignment(outside, epsilon="eps", adjacency="one")
    def phi(q, q_, T, H):
        return H.shift(e=[
            sum(1 for x in q if x < t or x > t + 1) - sum(1 for x in q_ if x < t or x > t + 1) for t in T
        ])
    """,
    right("either_way", "an answer is counted or not, once for each t"),
    wrong("either_way_at_half", "Costs 2 * eps", {"len(T) / eps": "len(T) / (2 * eps)"}, fails="cost"),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
