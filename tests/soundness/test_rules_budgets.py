"""Rules 18, 34 and 45: loops that spend until a budget is used up, budgets that shrink, and shares of a budget."""

# Programs under test draw noise that they do not use.

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table("MIDDLE = Tag('MIDDLE')")

# Until the budget is used up

table.base(
    """
    @mechanism
    def spends(q: Queries, T: Real, cheap: Positive, dear: Positive, eps: Epsilon, noise: Noise):
        spent = 0
        for q_i in q:
            if spent + cheap + dear > eps:
                break
            e = noise.laplace(1 / cheap)
            spent += cheap
            if q_i + e >= T:
                f = noise.laplace(1 / dear)
                yield q_i + f
                spent += dear
            else:
                yield BELOW

    @alignment(spends, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(
            e=[q[i] - q_[i] for i in range(len(omega))],
            f=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
        )
    """,
    right("two_prices", "the loop stops before an answer that it may be unable to pay", checked=True),
    right("what_is_left", "the same, counted down", {
        "spent = 0": "left = eps", "if spent + cheap + dear > eps": "if left < cheap + dear",
        "spent += cheap": "left -= cheap", "spent += dear": "left -= dear",
    }),
    right("the_dearer_of_two", "an answer is paid for at one of the two prices", {
        "if spent + cheap + dear > eps": "if spent + max(cheap, dear) > eps",
        "e = noise.laplace(1 / cheap)\nspent += cheap": "e = noise.laplace(2 / cheap)\nspent += cheap / 2",
        "f = noise.laplace(1 / dear)": "f = noise.laplace(2 / dear)", "spent += dear": "spent += dear / 2",
    }),
    right("half_is_spent_before", "what was spent before the loop counts too", {
        "spent = 0": "z = noise.laplace(2 / eps)\nspent = eps / 2",
        "if q_i + e >= T:": "if q_i + e >= T + z:",
        "return H.shift(": "return H.shift(\nz=0,",
    }),
    wrong("winners_are_not_foreseen", "the last winner may be dearer than what is left", {
        "if spent + cheap + dear > eps": "if spent + cheap > eps",
    }, fails="cost", refuted=True),
    wrong("asked_afterwards", "the last answer is paid for with nothing", {
        "if spent + cheap + dear > eps": "if spent > eps",
    }, fails="cost", refuted=True),
    wrong("losers_are_free", "losers pay too", {"spent += cheap": "pass"}, fails="cost", refuted=True),
    wrong("winners_are_free", "and winners pay more", {"spent += dear": "pass"}, fails="cost", refuted=True),
    wrong("never_stops", "nothing ends the loop", {"break": "pass"}, fails="cost", refuted=True),
    wrong("paid_at_half", "what is drawn is dearer than what is counted", {
        "f = noise.laplace(1 / dear)": "f = noise.laplace(1 / (2 * dear))",
    }, fails="cost", refuted=True),
    wrong("the_answer_stops_it", "how far the loop comes tells the answer", {
        "> eps:": "> eps - min(max(q_i, 0), 1):",
    }, fails="same_output"),
    wrong("refunded", "a winner gets back what losers have paid", {"spent += dear": "spent -= cheap"}, fails="cost"),
    wrong("a_larger_budget", "what is left begins above the budget", {
        "spent = 0": "spent = -cheap",
    }, fails="cost", refuted=True),
)

table.base(
    """
    @mechanism
    def asks_afterwards(q: Queries, T: Real, cheap: Positive, dear: Positive, eps: Epsilon, noise: Noise):
        z = noise.laplace(2 / eps)
        spent = eps / 2
        for q_i in q:
            e = noise.laplace(2 / cheap)
            f = noise.laplace(2 / dear)
            if q_i + e >= T + z + 5:
                yield ABOVE
                spent += cheap
            elif q_i + f >= T + z:
                yield MIDDLE
                spent += dear
            else:
                yield BELOW
            if spent + max(cheap, dear) > eps:
                break

    @alignment(asks_afterwards, epsilon="max(eps, eps / 2 + max(cheap, dear))")
    def phi(q, q_, omega, H):
        return H.shift(
            z=1,
            e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],
            f=[1 + q[i] - q_[i] if w is MIDDLE else 0 for i, w in enumerate(omega)],
        )
    """,
    right("the_first_or_all", "either the first winner alone is too dear, or all are within the budget", checked=True),
    right("a_price_that_fits", "nothing is too dear for the budget", {
        "z = noise": "cheap, dear = eps / 40, eps / 10\nz = noise", "cheap: Positive, dear: Positive, ": "",
        '"max(eps, eps / 2 + max(cheap, dear))"': '"eps"',
    }),
    wrong("the_first_is_too_dear", "the first winner may cost more than what is left", {
        '"max(eps, eps / 2 + max(cheap, dear))"': '"eps"',
    }, fails="cost", refuted=True),
    wrong("the_threshold_is_free", "the threshold's noise is paid for too", {
        '"max(eps, eps / 2 + max(cheap, dear))"': '"max(eps, max(cheap, dear))"',
    }, fails="cost"),
    wrong("only_the_cheap_one", "the loop asks for the smaller price", {
        "if spent + max(cheap, dear) > eps": "if spent + cheap > eps",
    }, fails="cost"),
    wrong("asks_for_winners_only", "after a loser nothing is asked, and winners have been", {
        "spent += dear": "spent += dear / 2",
    }, fails="cost", refuted=True),
)

# Prices in a list

table.base(
    """
    @mechanism
    def priced(q: Queries, prices: Reals, eps: Epsilon, noise: Noise):
        spent = 0
        for q_i, price in zip(q, prices):
            if price > 0 and spent + price <= eps:
                spent += price
                e = noise.laplace(1 / price)
                yield q_i + e
            else:
                yield BELOW

    @alignment(priced, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(e=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
    """,
    right("skips_what_is_too_dear", "an answer is given if it can be paid"),
    right("stops_there", "or the loop ends with the first that cannot", {
        "if price > 0 and spent + price <= eps:": "if price <= 0 or spent + price > eps:\n    break\nif price > 0:",
    }),
    wrong("either_will_do", "a price above 0 is enough", {"price > 0 and": "price > 0 or"}),
    wrong("below_zero_pays_back", "prices below 0 make room for others", {
        "price > 0 and spent + price <= eps:": "price != 0 and spent + price <= eps:",
        "noise.laplace(1 / price)": "noise.laplace(1 / abs(price))",
    }, fails="cost", refuted=True),
    wrong("the_price_of_another", "the first price is counted for all", {"spent += price": "spent += prices[0]"}),
    wrong("each_alone", "each price is within the budget, and not all of them", {
        "spent + price <= eps": "price <= eps",
    }, fails="cost", refuted=True),
)

# Budgets that shrink by a ratio

table.base(
    """
    @mechanism
    def shrinks(q: Queries, T: Real, r: Proportion, eps: Epsilon, noise: Noise):
        share = eps * (1 - r)
        for q_i in q:
            e = noise.laplace(1 / share)
            yield q_i + e
            share = r * share

    @alignment(shrinks, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(omega))])
    """,
    right("by_a_ratio", "the shares add up to eps", checked=True),
    right("of_what_is_left", "a fixed part of what is left", {
        "share = eps * (1 - r)": "left = eps", "share = r * share": "left -= share",
        "e = noise.laplace(1 / share)": "share = r * left\ne = noise.laplace(1 / share)",
    }),
    right("the_sum_as_a_claim", "the sum of the shares is r / (1 - r) of the first", {
        "share = eps * (1 - r)": "share = eps * r", 'epsilon="eps"': 'epsilon="eps * r / (1 - r)"',
    }),
    right("shrinks_before", "the first share is smaller by the ratio", {
        "e = noise.laplace(1 / share)": "share = share * r\ne = noise.laplace(1 / share)", "share = r * share": "pass",
    }),
    right("two_draws_a_share", "each of two draws takes half of it", {
        "e = noise.laplace(1 / share)": "e = noise.laplace(2 / share)\nf = noise.laplace(2 / share)",
        "yield q_i + e": "yield q_i + e, q_i + f",
        "e=[q[i] - q_[i] for i in range(len(omega))]": (
            "e=[q[i] - q_[i] for i in range(len(omega))], f=[q[i] - q_[i] for i in range(len(omega))]"
        ),
    }),
    wrong("the_first_share_is_all", "the shares add up to eps / (1 - r)", {
        "share = eps * (1 - r)": "share = eps",
    }, fails="cost", refuted=True),
    wrong("a_ratio_above_one", "the ratio may be above 1, and the shares grow", {
        "r: Proportion": "r: Positive", "share = eps * (1 - r)": "share = eps * abs(1 - r) + eps / 1000",
    }, fails="cost"),
    wrong("the_other_ratio", "the shares shrink by 1 - r, and begin with 1 - r of the budget", {
        "share = r * share": "share = (1 - r) * share",
    }, fails="cost", refuted=True),
    wrong("does_not_shrink", "the share stays", {"share = r * share": "share = share * 1"}, fails="cost"),
    wrong("shrinks_for_small_answers", "the release tells which share is next, and large ones do not pay", {
        "share = r * share": "share = r * share if q_i + e <= T else share",
    }, fails="cost", refuted=True),
    wrong("shrinks_by_the_answer", "the answer itself decides", {
        "share = r * share": "share = r * share if q_i <= T else r * share / 2",
    }),
    wrong("a_smaller_claim", "r * eps is less than the shares add up to", {
        'epsilon="eps"': 'epsilon="r * eps"',
    }, fails="cost", refuted=True),
)

# Shares of a budget, by public weights

table.base(
    """
    @mechanism
    def shared(q: Queries, weight: Reals, eps: Epsilon, noise: Noise):
        total = sum(abs(w) for w in weight)
        for q_i, w in zip(q, weight):
            if w != 0:
                e = noise.laplace(total / (eps * abs(w)))
                yield q_i + e
            else:
                yield BELOW

    @alignment(shared, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(e=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
    """,
    right("by_size", "the shares add up to eps, or less where the answers are fewer", checked=True),
    right("by_squares", "and so do those by squares", {
        "sum(abs(w) for w in weight)": "sum(w * w for w in weight)", "eps * abs(w)": "eps * w * w",
    }),
    right("by_positive_parts", "weights below 0 get nothing", {
        "sum(abs(w) for w in weight)": "sum(max(w, 0) for w in weight)", "if w != 0:": "if w > 0:",
        "eps * abs(w)": "eps * w",
    }),
    right("by_exponentials", "every weight is above 0, and so is their sum", {
        "sum(abs(w) for w in weight)": "sum(exp(w) for w in weight)", "eps * abs(w)": "eps * exp(w)",
    }),
    right("at_least_one_each", "and so with weights that are at least 1", {
        "sum(abs(w) for w in weight)": "sum(max(w, 1) for w in weight)", "eps * abs(w)": "eps * max(w, 1)",
    }),
    wrong("signed", "weights below 0 make the sum smaller", {
        "sum(abs(w) for w in weight)": "sum(w for w in weight)", "if w != 0:": "if w > 0 and total > 0:",
        "eps * abs(w)": "eps * w",
    }, fails="cost", refuted=True),
    wrong("cubes", "cubes have signs", {
        "sum(abs(w) for w in weight)": "sum(w * w * w for w in weight)", "if w != 0:": "if w > 0 and total > 0:",
        "eps * abs(w)": "eps * w * w * w",
    }, fails="cost", refuted=True),
    wrong("squares_for_sizes", "squares of small weights add up to less than the weights", {
        "sum(abs(w) for w in weight)": "sum(w * w for w in weight)",
    }, fails="cost", refuted=True),
    wrong("without_the_first", "the sum leaves a weight out", {
        "sum(abs(w) for w in weight)": "sum(abs(weight[i]) for i in range(1, len(weight)))",
        "if w != 0:": "if w != 0 and total > 0:",
    }),
    wrong("the_sum_may_be_zero", "where all weights are 0 nothing can be drawn", {
        "if w != 0:": "if w == 0:", "eps * abs(w)": "eps",
    }, fails="cost"),
    wrong("at_least_minus_one", "a weight of -1 and one of 1 cancel out", {
        "sum(abs(w) for w in weight)": "sum(max(w, -1) for w in weight)", "if w != 0:": "if w > 0 and total > 0:",
        "eps * abs(w)": "eps * w",
    }, fails="cost", refuted=True),
    wrong("each_twice", "every answer is released twice", {
        "yield q_i + e": "f = noise.laplace(total / (eps * abs(w)))\nyield q_i + e, q_i + f",
        "for i, w in enumerate(omega)]": (
            "for i, w in enumerate(omega)], f=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)]"
        ),
    }, fails="cost", refuted=True),
)

table.base(
    """
    @mechanism
    def paid_by_list(q: Queries, share: Reals, eps: Epsilon, noise: Noise):
        for q_i, s in zip(q, share):
            if s != 0:
                e = noise.laplace(1 / (s * s))
                yield q_i + e
            else:
                yield BELOW

    @alignment(paid_by_list, epsilon="sum(s * s for s in share)")
    def phi(q, q_, omega, H):
        return H.shift(e=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
    """,
    right("squares_are_paid", "budgets beyond the last answer are squares too"),
    wrong("cubes_are_not", "a budget beyond the last answer may be below 0", {
        "if s != 0:": "if s > 0:", "1 / (s * s)": "1 / (s * s * s)", "sum(s * s for": "sum(s * s * s for",
    }, fails="cost", refuted=True),
    right("squares_of_what_is_left_of_one", "a product of two absolute values is at least 0", {
        "if s != 0:": "if s != 1:", "1 / (s * s)": "1 / (abs(s - 1) * abs(s - 1))",
        "sum(s * s for": "sum(abs(s - 1) * abs(s - 1) for",
    }),
    wrong("less_one", "so may a square less 1", {
        "if s != 0:": "if s > 1:", "1 / (s * s)": "1 / (s * s - 1)", "sum(s * s for": "sum(s * s - 1 for",
    }, fails="cost", refuted=True),
)


@pytest.mark.parametrize("program", table.right())
def test_what_is_spent_stays_within_the_budget(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_not_paid_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)
