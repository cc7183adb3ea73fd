"""Costs of loops next to the right ones: several counters, and changed answers that are paid for beside them.

What counters gain, and at which rates, is proposed from costs; a bound that an iteration does not keep is no bound.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table(
    """
    MIDDLE = Tag("MIDDLE")
    """
)


# Winners by a counter, and what is released of them by the change: k releases at half the budget each

table.base(
    """
    @mechanism
    def numbers_of_winners(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(4 / eps)
        count = 0
        for q_i in q:
            nu = noise.laplace(4 * (k + 1) / eps)
            if q_i + nu >= T + rho:
                e = noise.laplace(2 / eps)
                yield q_i + e
                count += 1
                if count >= k:
                    break
            else:
                yield BELOW

    @alignment(numbers_of_winners, epsilon="eps", adjacency="one")
    def phi(q, q_, omega, H):
        return H.shift(
            rho=1,
            nu=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
            e=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
        )
    """,
    right("under_one", "a threshold, k winners, and one answer that changes", checked=True),
    right("under_l1", "the changes add up to what one answer may change by", {'adjacency="one"': 'adjacency="l1"'}),
    wrong("each_pays", "every answer that is released changes", {', adjacency="one"': ""}, fails="cost", refuted=True),
    wrong("one_more", "k + 1 winners are paid for", {"if count >= k:": "if count > k:"}, fails="cost", refuted=True),
    wrong("any_number", "nothing bounds the winners", {"if count >= k:": "if k > count >= k:"}, fails="cost"),
    wrong(
        "first_again", "the first answer is released k times",
        {"yield q_i + e": "yield q[0] + e", "e=[q[i] - q_[i] if": "e=[q[0] - q_[0] if"}, fails="cost",
    ),
    wrong(
        "one_before_too", "an answer is released with its neighbour, and pays twice",
        {
            "yield q_i + e": "yield q_i + last + e",
            "else:\n    yield BELOW": "else:\n    yield BELOW\nlast = q_i",
            "count = 0": "count = 0\nlast = 0",
            "e=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)]":
                "e=[q[i] - q_[i] + (q[i - 1] - q_[i - 1] if i > 0 else 0) for i in range(len(omega))]",
        },
        fails="cost",
    ),
    wrong("twice_the_noise", "the released number costs eps", {"noise.laplace(2 / eps)": "noise.laplace(1 / eps)"}),
    wrong("no_extra_winner", "the winner that changes pays twice", {"4 * (k + 1) / eps": "4 * k / eps"}, fails="cost"),
    wrong(
        "count_begins_anew", "the counter that stops the loop is set back",
        {"else:\n    yield BELOW": "else:\n    count = 0\n    yield BELOW"},
    ),
)


# Two counters at rates of their own

table.base(
    """
    @mechanism
    def two_sorts_of_winners(q: Queries, T: Real, k: Count, m: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(4 / eps)
        tops = 0
        mids = 0
        for q_i in q:
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho + 10:
                yield ABOVE
                tops += 1
                if tops >= k:
                    break
            else:
                xi = noise.laplace(8 * m / eps)
                if q_i + xi >= T + rho:
                    yield MIDDLE
                    mids += 1
                    if mids >= m:
                        break
                else:
                    yield BELOW

    @alignment(two_sorts_of_winners, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(
            rho=1,
            nu=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],
            xi=[1 + q[i] - q_[i] if w is MIDDLE else 0 for i, w in enumerate(omega)],
        )
    """,
    right("each_by_its_own", "a quarter for the threshold, half for k of one sort, a quarter for m of the other"),
    right("alike_for_one", "answers that do not change pay half as much", {
        'epsilon="eps"': 'epsilon="5 * eps / 8 + eps / (4 * k) + eps / (8 * m)", adjacency="one"',
    }),
    wrong("less_for_one", "the answer that changes is paid for", {
        'epsilon="eps"': 'epsilon="5 * eps / 8", adjacency="one"',
    }, fails="cost"),
    wrong("at_one_rate", "the middle ones cost as much as the others", {"8 * m / eps": "4 * m / eps"}, fails="cost"),
    wrong("no_end_of_tops", "only one sort ends the loop", {"if tops >= k:": "if tops < 0:"}, fails="cost"),
    wrong("tops_begin_anew", "a middle one sets the others back", {"mids += 1": "mids += 1\ntops = 0"}, fails="cost"),
    wrong("tops_fall", "a middle one takes one off the others", {"mids += 1": "mids += 1\ntops -= 1"}, fails="cost"),
    wrong("by_the_sum", "m of both sorts end the loop", {"if mids >= m:": "if mids >= m + tops:"}, fails="cost"),
)


# A flag that is raised once

table.base(
    """
    @mechanism
    def numbers_after_the_first(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        seen = 0
        for q_i in q:
            if seen == 0:
                nu = noise.laplace(4 / eps)
                if q_i + nu >= T + rho:
                    seen = 1
                    yield ABOVE
                else:
                    yield BELOW
            else:
                e = noise.laplace(2 / eps)
                yield q_i + e

    @alignment(numbers_after_the_first, epsilon="5 * eps / 4", adjacency="one")
    def phi(q, q_, omega, H):
        return H.shift(
            rho=1,
            nu=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],
            e=[q[i] - q_[i] for i in range(len(omega))],
        )
    """,
    right("raised_once", "one winner, and then numbers that pay for the change"),
    wrong("lowered_again", "the next number makes it look for winners again", {
        "yield q_i + e": "yield q_i + e\nseen = 0",
    }, fails="cost"),
    wrong("not_looked_at", "it looks for winners all the time", {"if seen == 0:": "if seen < 2:"}, fails="cost"),
    wrong("by_all", "every answer changes", {', adjacency="one"': ""}, fails="cost", refuted=True),
)


# Rates that depend on where an answer stands, and what the claim leaves for the change

table.base(
    """
    @mechanism
    def two_scales(q: Queries, mark: Reals, eps1: Epsilon, eps2: Epsilon, noise: Noise):
        for q_i, m in zip(q, mark):
            if m > 0:
                e = noise.laplace(1 / eps1)
                yield q_i + e
            else:
                f = noise.laplace(1 / eps2)
                yield q_i + f

    @alignment(two_scales, epsilon="max(eps1, eps2)", adjacency="one")
    def phi(q, q_, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))], f=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("the_larger_rate", "the answer that changes is released at one of the scales"),
    right("the_larger_under_l1", "so are all shares of the change", {'adjacency="one"': 'adjacency="l1"'}),
    right("stated_by_how_many", "how many answers have changed, as an invariant says it", {
        'adjacency="one"': 'adjacency="one", invariant="privacy_cost <= max(eps1, eps2)'
                           ' * sum(1 if q[j] != q_[j] else 0 for j in range(rounds))"',
    }),
    right("stated_by_how_far", "how far the answers have moved, as an invariant says it", {
        'adjacency="one"': 'adjacency="l1", invariant="privacy_cost <= max(eps1, eps2)'
                           ' * sum(abs(q[j] - q_[j]) for j in range(rounds))"',
    }),
    wrong("stated_at_half_a_rate", "an answer that moves by 1 pays for all of it", {
        'adjacency="one"': 'adjacency="one", invariant="privacy_cost <= max(eps1, eps2) / 2'
                           ' * sum(1 if q[j] != q_[j] else 0 for j in range(rounds))"',
    }),
    wrong("the_smaller_rate", "it may be the other scale", {"max(eps1, eps2)": "min(eps1, eps2)"}, fails="cost"),
    wrong("larger_of_all", "every answer changes", {', adjacency="one"': ""}, fails="cost", refuted=True),
    wrong("both_scales", "an answer is released at both scales", {
        "yield q_i + e": "g = noise.laplace(1 / eps2)\nyield q_i + e, q_i + g",
        "f=[q[i] - q_[i] for i in range(len(q))]":
            "f=[q[i] - q_[i] for i in range(len(q))], g=[q[i] - q_[i] for i in range(len(q))]",
    }, fails="cost"),
)

table.base(
    """
    @mechanism
    def weighted(q: Queries, w: Reals, eps: Epsilon, noise: Noise):
        rho = noise.laplace(4 / eps)
        for q_i, w_i in zip(q, w):
            e = noise.laplace((4 + 4 * abs(w_i)) / (3 * eps))
            yield q_i + e

    @alignment(weighted, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(rho=1, e=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("what_is_left", "a quarter goes before the loop, at most three for the one answer that changes"),
    wrong("more_before", "less is left for the loop", {"rho=1": "rho=2"}, fails="cost", refuted=True),
    wrong("lighter", "a weight of 0 leaves too little noise", {
        "4 + 4 * abs(w_i)": "3 + 4 * abs(w_i)",
    }, fails="cost", refuted=True),
    wrong("with_the_next", "an answer is released twice", {
        "yield q_i + e": "yield q_i + before + e\nbefore = q_i",
        "for q_i, w_i": "before = 0\nfor q_i, w_i",
        "q[i] - q_[i] for i": "q[i] - q_[i] + (q[i - 1] - q_[i - 1] if i > 0 else 0) for i",
    }, fails="cost"),
)


# Lists that share one change, each counted by itself

table.base(
    """
    @mechanism
    def two_lists(q: Queries, s: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(4 / eps)
        count = 0
        for q_i in q:
            nu = noise.laplace(4 * (k + 1) / eps)
            if q_i + nu >= T + rho:
                e = noise.laplace(2 / eps)
                yield q_i + e
                count += 1
                if count >= k:
                    break
            else:
                yield BELOW
        for s_j in s:
            f = noise.laplace(2 / eps)
            yield s_j + f

    @alignment(two_lists, epsilon="eps", adjacency="one")
    def phi(q, q_, s, s_, omega, H):
        first = len(H.nu)
        return H.shift(
            rho=1,
            nu=[1 + q[i] - q_[i] if omega[i] is not BELOW else 0 for i in range(first)],
            e=[q[i] - q_[i] if omega[i] is not BELOW else 0 for i in range(first)],
            f=[s[j] - s_[j] for j in range(len(s))],
        )
    """,
    right("one_of_both", "who is in one list is not in the other"),
    wrong("first_list_again", "the second loop is over the first list too", {
        "for s_j in s:": "for s_j in q:",
        "f=[s[j] - s_[j] for j in range(len(s))]": "f=[q[j] - q_[j] for j in range(len(q))]",
    }, fails="cost"),
    wrong("each_of_both", "all answers change", {', adjacency="one"': ""}, fails="cost", refuted=True),
)


# How many answers change is not by how much they do

table.base(
    """
    @mechanism
    def marks(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        for q_i in q:
            e = noise.laplace(1 / eps)
            yield (1 if q_i >= T else 0) + e

    @alignment(marks, epsilon="eps", adjacency="one")
    def phi(q, q_, T, H):
        return H.shift(e=[(1 if q[i] >= T else 0) - (1 if q_[i] >= T else 0) for i in range(len(q))])
    """,
    right("one_flips", "one answer changes, and one mark at most"),
    wrong("many_flip", "many small changes flip many marks", {'"one"': '"l1"'}, fails="cost"),
)


# Shifts by the absolute change

table.base(
    """
    @mechanism
    def noisy_test(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        for q_i in q:
            up = noise.exponential(1 / eps)
            down = noise.exponential(1 / eps)
            if q_i + up - down >= T:
                yield ABOVE
            else:
                yield BELOW

    @alignment(noisy_test, epsilon="eps", adjacency="one")
    def phi(q, q_, omega, H):
        return H.shift(
            up=[abs(q[i] - q_[i]) if w is ABOVE else 0 for i, w in enumerate(omega)],
            down=[abs(q[i] - q_[i]) if w is BELOW else 0 for i, w in enumerate(omega)],
        )
    """,
    right("by_the_size", "either noise moves up, as far as the answer has moved"),
    right("by_the_size_under_l1", "the sizes add up to the change", {'adjacency="one"': 'adjacency="l1"'}),
    wrong("both_by_the_size", "what both move by cancels out", {"if w is ABOVE else 0 for i": "for i"}),
    wrong("the_wrong_one", "the noise that moves makes the answer more unlike", {
        "if w is ABOVE": "if w is not ABOVE", "if w is BELOW": "if w is not BELOW",
    }, fails="same_output", refuted=True),
    wrong("sizes_of_all", "every answer changes", {', adjacency="one"': ""}, fails="cost", refuted=True),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_next_to_a_right_one_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_private_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
