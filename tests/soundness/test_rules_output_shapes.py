"""Shapes of output: what a returned index, a yielded index, a growing or filtered list, or a constant may give away.

Each wrong program breaks one rule that a careless extension to these shapes would forget; none may be proved. The right
ones stand next to them, so that the rules do not forbid too much.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table(
    """
    NOTHING = Tag("NOTHING")
    """
)


# A value that is returned from a loop, or after it

table.base(
    """
    @mechanism
    def first_above(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 / eps)
            if q_i + nu >= T + rho:
                return i
        return -1

    @alignment(first_above, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
    """,
    right("right_first_above", checked=True),
    right(
        "right_asks_before", "Whether the run ends in the first iteration is one answer for the whole run",
        {
            "return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])": (
                "first = 1 + q[0] - q_[0]\n"
                "return H.shift(\n"
                "    rho=1, nu=[first if i == 0 and omega == 0 else 2 if i == omega else 0 for i in "
                "range(len(q))]\n"
                ")"
            ),
        },
        checked=True,
    ),
    wrong("looks_ahead", changes={"1 + q[i] - q_[i] if i": "2 if i + 1"}),
    wrong("pays_up_to_the_end", changes={"1 + q[i] - q_[i] if i == omega": "2 if i <= omega"}),
    wrong("pays_where_nothing_is_found", changes={"1 + q[i] - q_[i] if i == omega": "2 if i >= omega"}),
    wrong("claims_half", changes={'epsilon="eps"': 'epsilon="eps / 2"', "1 + q[i] - q_[i]": "2"}),
    wrong(
        "threshold_follows_the_ending",
        changes={
            "return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])":
                "return H.shift(rho=1 if omega == -1 else -1, nu=[0 for i in range(len(q))])",
        },
    ),
    wrong(
        "far_if_late",
        changes={
            "return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])":
                "return H.shift(rho=1000 if omega > 40 else 1, nu=[2 if i == omega else 0 for i in range(len(q))])",
        },
    ),
    wrong(
        "reads_an_answer_that_need_not_be",
        changes={
            "return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])":
                "return H.shift(rho=1 + 0 * q[omega + 1], nu=[2 if i == omega else 0 for i in range(len(q))])",
        },
    ),
    wrong("first_and_nothing_look_alike", changes={"return i": "return i - 1", "1 + q[i] - q_[i] if i": "2 if i - 1"}),
    wrong(
        "private_index",
        changes={
            "for i, q_i in enumerate(q):": "top = largest(q, 1)\nfor q_i in q:",
            "return i": "return top[0]",
            "1 + q[i] - q_[i]": "2",
        },
    ),
)

table.base(
    """
    @mechanism
    def no_noise(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        for i, q_i in enumerate(q):
            if q_i >= T:
                return i, rho
        return -1, rho

    @alignment(no_noise, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(rho=0)
    """,
    wrong("ends_by_private_data"),
)

table.base(
    """
    @mechanism
    def with_gap(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 / eps)
            gap = q_i + nu - (T + rho)
            if gap >= 0:
                return i, gap
        return NOTHING

    @alignment(with_gap, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(rho=1, nu=[2 if omega is not NOTHING and i == omega[0] else 0 for i in range(len(q))])
    """,
    wrong("gap_moves"),
    right(
        "right_with_gap",
        changes={
            "return H.shift(rho=1, nu=[2 if omega is not NOTHING and i == omega[0] else 0 for i in range(len(q))])": (
                "return H.shift(\n"
                "    rho=1, nu=[1 + q[i] - q_[i] if omega is not NOTHING and i == omega[0] else 0 for i in "
                "range(len(q))]\n"
                ")"
            ),
        },
        checked=True,
    ),
    wrong("part_of_nothing", changes={"2 if omega is not NOTHING and": "1 + q[i] - q_[i] if"}),
    wrong(
        "reads_the_gap",
        changes={
            'epsilon="eps"': 'epsilon="2 * eps"',
            "return H.shift(rho=1, nu=[2 if omega is not NOTHING and i == omega[0] else 0 for i in range(len(q))])": (
                "wide = 2 if omega is not NOTHING and omega[1] > 1 else 1\n"
                "nu = [wide + q[i] - q_[i] if omega is not NOTHING and i == omega[0] else 0 for i in "
                "range(len(q))]\n"
                "return H.shift(rho=wide, nu=nu)"
            ),
        },
    ),
)

table.base(
    """
    @mechanism
    def gives_the_answer(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 / eps)
            if q_i + nu >= T + rho:
                return i, q_i
        return -1, 0

    @alignment(gives_the_answer, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(rho=1, nu=[2 if i == omega[0] else 0 for i in range(len(q))])
    """,
    wrong("answer_beside_the_index"),
    wrong(
        "drawn_by_private_data",
        changes={
            "Queries, T": "Queries, s: Query, T",
            "return i, q_i": "if s >= T:\n    more = noise.laplace(1 / eps)\n    return i, more\nreturn i, nu - rho",
            "2 if": "1 if",
        },
    ),
)

table.base(
    """
    @mechanism
    def tag_by_data(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 / eps)
            if q_i + nu >= T + rho:
                if q_i >= T:
                    return ABOVE, i
                return BELOW, i
        return NOTHING, -1

    @alignment(tag_by_data, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(rho=1, nu=[2 if i == omega[1] else 0 for i in range(len(q))])
    """,
    wrong("tag_from_private_data"),
)

table.base(
    """
    @mechanism
    def found_then_break(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        found = -1
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 / eps)
            if q_i + nu >= T + rho:
                found = i
                break
        return found

    @alignment(found_then_break, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(rho=1, nu=[2 if i == omega else 0 for i in range(len(q))])
    """,
    right("right_found_then_break", checked=True),
    wrong("zero_may_mean_nothing", changes={"found = -1": "found = 0"}),
)

table.base(
    """
    @mechanism
    def counts_answers(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        count = 0
        for q_i in q:
            nu = noise.laplace(1 / eps)
            if q_i >= T:
                count += 1
        return count

    @alignment(counts_answers, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(nu=[0 for i in range(len(q))])
    """,
    wrong("count_of_private_data"),
)


# Yielded indices

table.base(
    """
    @mechanism
    def winners(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        count = 0
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                yield i
                count += 1
                if count >= k:
                    break

    @alignment(winners, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])
    """,
    right("right_winners", checked=True),
    wrong("next_is_a_winner", changes={"1 + q[i] - q_[i] if i": "2 if i + 1"}),
    wrong("losers_pay", changes={"1 + q[i] - q_[i] if i in omega else 0": "0 if i in omega else -2"}),
    wrong("position_for_index", changes={"1 + q[i] - q_[i] if i in omega": "2 if i < len(omega)"}),
    wrong(
        "any_number_of_winners",
        changes={"count = 0": "", "count += 1\nif count >= k:\n    break": "", "1 + q[i] - q_[i]": "2"},
    ),
    wrong(
        "named_before_the_loop",
        changes={
            "def winners(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):":
                "def winners(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):\n    yield 3",
            "1 + q[i] - q_[i]": "2",
        },
    ),
    wrong(
        "numbers_are_no_indices",
        changes={"for i, q_i in enumerate(q):": "for q_i in q:", "yield i": "yield count", "1 + q[i] - q_[i]": "2"},
    ),
)

table.base(
    """
    @mechanism
    def one_more_after(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        count = 0
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                yield i
                count += 1
                if count >= k:
                    break
        yield 0

    @alignment(one_more_after, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(rho=1, nu=[2 if i in omega else 0 for i in range(len(q))])
    """,
    wrong("named_by_another_line"),
    wrong("far_if_seven_wins", changes={"yield 0": "", "rho=1": "rho=1000 if 7 in omega else 1"}),
)

table.base(
    """
    @mechanism
    def winners_of_several(q: Queries, T: Reals, k: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        count = 0
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= rho:
                yield i
                count += 1
                if count >= k:
                    break

    @alignment(winners_of_several, epsilon="eps")
    def phi(q, q_, T, omega, H):
        return H.shift(rho=1, nu=[2 if i in [w for w, t in zip(omega, T)] else 0 for i in range(len(q))])
    """,
    wrong("only_part_of_the_output", "Where there are fewer thresholds than winners, some winners are not looked at"),
)

table.base(
    """
    @mechanism
    def two_kinds_of_index(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        count = 0
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                yield i
                count += 1
                if count >= k:
                    break
            else:
                yield i + 1

    @alignment(two_kinds_of_index, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(rho=1, nu=[2 if i in omega else 0 for i in range(len(q))])
    """,
    wrong("index_of_a_neighbour"),
)


# Several outputs for each iteration, and Booleans

table.base(
    """
    @mechanism
    def pairs(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        count = 0
        for q_i in q:
            nu = noise.laplace(4 * k / eps)
            gap = q_i + nu - (T + rho)
            if gap >= 0:
                yield ABOVE
                yield gap
                count += 1
                if count >= k:
                    break
            else:
                yield BELOW
                yield BELOW

    @alignment(pairs, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(
            rho=1, nu=[1 + q[i] - q_[i] if 2 * i < len(omega) and omega[2 * i] is ABOVE else 0 for i in range(len(q))]
        )
    """,
    right("right_pairs", checked=True),
    wrong("wrong_position", changes={"2 * i < len(omega) and omega[2 * i]": "i < len(omega) and omega[i]"}),
    wrong(
        "gap_of_the_next",
        changes={
            "1 + q[i] - q_[i] if 2 * i < len(omega) and omega[2 * i]":
                "2 if 2 * i + 2 < len(omega) and omega[2 * i + 2]",
        },
    ),
    wrong(
        "reads_a_yielded_gap",
        changes={
            'epsilon="eps"': 'epsilon="2 * eps"',
            "rho=1, nu=[1 + q[i] - q_[i] if 2 * i < len(omega) and omega[2 * i] is ABOVE else 0 for i in "
            "range(len(q))]": (
                "rho=1,\n"
                "nu=[\n"
                "    1 + q[i] - q_[i] + 0 * omega[2 * i + 1] if 2 * i < len(omega) and omega[2 * i] is ABOVE "
                "else 0\n"
                "    for i in range(len(q))\n"
                "],"
            ),
        },
    ),
    wrong("positions_shift", changes={"yield BELOW\nyield BELOW": "yield BELOW"}),
)

table.base(
    """
    @mechanism
    def booleans(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        count = 0
        for q_i in q:
            nu = noise.laplace(4 * k / eps)
            above = q_i + nu >= T + rho
            yield above
            if above:
                count += 1
                if count >= k:
                    break

    @alignment(booleans, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(rho=1, nu=[2 if w else 0 for w in omega])
    """,
    right("right_booleans", checked=True),
    wrong("wrong_way_round", changes={"2 if w else 0": "0 if w else 2"}),
)

table.base(
    """
    @mechanism
    def plain_booleans(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        for q_i in q:
            yield q_i >= T
        yield rho

    @alignment(plain_booleans, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(rho=0)
    """,
    wrong("boolean_of_private_data"),
)


# Lists that a loop makes longer

table.base(
    """
    @mechanism
    def list_of_winners(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        out = []
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                out = [*out, i]
                if len(out) >= k:
                    break
        return out

    @alignment(list_of_winners, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])
    """,
    right("right_list_of_winners", checked=True),
    wrong(
        "list_without_payment",
        changes={"rho=1, nu=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))]": "rho=1"},
    ),
    wrong("list_read_by_position", changes={"1 + q[i] - q_[i] if i in omega": "2 if i < len(omega) and omega[i] == i"}),
    wrong(
        "threshold_is_not_paid",
        changes={'epsilon="eps"': 'epsilon="len(omega) / k * eps / 2"', "1 + q[i] - q_[i]": "2"},
    ),
    wrong(
        "more_winners_than_paid",
        changes={"out, i": "out, i, i", "if len(out) >= k:": "if len(out) >= 4 * k:", "1 + q[i] - q_[i]": "2"},
    ),
    wrong("private_last_item", changes={"break": "return [*out, q_i]", "1 + q[i] - q_[i]": "2"}),
)

table.base(
    """
    @mechanism
    def list_of_answers(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        rho = noise.laplace(1 / eps)
        out = [rho]
        for q_i in q:
            out = [*out, q_i]
        return out

    @alignment(list_of_answers, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(rho=0)
    """,
    wrong("answers_in_a_list"),
    wrong(
        "appended_by_private_data",
        changes={
            "for q_i in q:\n    out = [*out, q_i]":
                "for i, q_i in enumerate(q):\n    if q_i >= T:\n        out = [*out, i]",
        },
    ),
    wrong(
        "length_of_a_hidden_list",
        changes={
            "[rho]": "[]",
            "for q_i in q:\n    out = [*out, q_i]\nreturn out":
                "for q_i in q:\n    if q_i >= T:\n        out = [*out, 0]\nreturn rho, len(out)",
        },
    ),
)

table.base(
    """
    @mechanism
    def hidden_list_decides(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(1 / eps)
        out = []
        for q_i in q:
            if q_i >= T:
                out = [*out, 0]
            if len(out) >= k:
                return ABOVE
        return BELOW

    @alignment(hidden_list_decides, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(rho=0)
    """,
    wrong("hidden_list_ends_the_loop"),
)

table.base(
    """
    @mechanism
    def starts_private(q: Queries, s: Query, T: Real, eps: Epsilon, noise: Noise):
        out = [s]
        for q_i in q:
            nu = noise.laplace(1 / eps)
            out = [*out, nu]
        return out

    @alignment(starts_private, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(nu=[0 for x in q])
    """,
    wrong("private_first_item"),
)

table.base(
    """
    @mechanism
    def two_lists_by_turns(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        high = []
        low = []
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                high = [*high, i]
                if len(high) >= k:
                    return low
            else:
                low = [*low, i]
        return high

    @alignment(two_lists_by_turns, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(rho=1, nu=[2 if i in omega else 0 for i in range(len(q))])
    """,
    wrong("which_list_is_it"),
)

table.base(
    """
    @mechanism
    def scale_by_length(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        out = []
        for q_i in q:
            nu = noise.laplace((1 + len(out)) / eps)
            out = [*out, q_i + nu]
        return out

    @alignment(scale_by_length, epsilon="2 * eps")
    def phi(q, q_, H):
        return H.shift(nu=[x - x_ for x, x_ in zip(q, q_)])
    """,
    wrong("cheap_items_later"),
)

table.base(
    """
    @mechanism
    def forgets(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        out = []
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                out = [*out, i]
                if len(out) >= k:
                    break
            else:
                out = []
        return out

    @alignment(forgets, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(rho=1, nu=[2 if i in omega else 0 for i in range(len(q))])
    """,
    wrong("forgotten_winners"),
)


# Filtered lists

table.base(
    """
    @mechanism
    def filtered(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        e = [noise.laplace(1 / eps) for q_i in q]
        return [q_i + e_i for q_i, e_i in zip(q, e) if q_i + e_i > T]

    @alignment(filtered, epsilon="eps", adjacency="l1")
    def phi(q, q_, omega, H):
        return H.shift(e=[x - x_ for x, x_ in zip(q, q_)])
    """,
    right("right_filtered", checked=True),
    wrong("filtered_but_all_may_change", changes={'epsilon="eps", adjacency="l1"': 'epsilon="eps"'}),
    wrong(
        "filtered_by_position",
        changes={"x - x_ for x, x_ in zip(q, q_)": "q[i] - q_[i] if i < len(omega) else 0 for i in range(len(q))"},
    ),
    wrong("filter_on_private_data", changes={"if q_i + e_i": "if q_i", "omega, H": "H"}),
    wrong("private_items_pass", changes={"q_i + e_i for": "q_i for", "omega, H": "H"}),
)

table.base(
    """
    @mechanism
    def filtered_draws(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        e = [noise.laplace(1 / eps) for q_i in q if q_i > T]
        return e

    @alignment(filtered_draws, epsilon="eps", adjacency="l1")
    def phi(q, q_, H):
        return H.shift()
    """,
    wrong("drawn_for_some_answers"),
    wrong(
        "how_many_pass",
        changes={
            "e = [noise.laplace(1 / eps) for q_i in q if q_i > T]": "e = noise.laplace(1 / eps)",
            "return e": "return e, len([q_i for q_i in q if q_i > T])",
            "H.shift()": "H.shift(e=0)",
        },
    ),
)


# Constants among real outputs

table.base(
    """
    @mechanism
    def numeric(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(3 / eps)
        count = 0
        for q_i in q:
            nu = noise.laplace(6 * k / eps)
            if q_i + nu >= T + rho:
                ups = noise.laplace(3 * k / eps)
                yield q_i + ups
                count += 1
                if count >= k:
                    break
            else:
                yield 0

    @alignment(numeric, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(rho=1, nu=[2 if w != 0 else 0 for w in omega], ups=[x - x_ for x, x_ in zip(q, q_)])
    """,
    right("right_numeric", checked=True),
    wrong("reads_the_number", changes={"w != 0": "w > 0"}),
    wrong(
        "asks_for_a_private_number",
        changes={
            "return H.shift(rho=1, nu=[2 if w != 0 else 0 for w in omega], ups=[x - x_ for x, x_ in zip(q, q_)])": (
                "nu = [2 if w != q_i else 0 for w, q_i in zip(omega, q)]\n"
                "return H.shift(rho=1, nu=nu, ups=[x - x_ for x, x_ in zip(q, q_)])"
            ),
        },
    ),
    wrong("zero_of_a_winner", changes={"q_i + ups": "max(q_i + ups, 0)"}),
    wrong(
        "zero_has_a_probability",
        changes={
            "def numeric(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):\n"
            "    rho = noise.laplace(3 / eps)": (
                "def numeric(\n"
                "    q: Annotated[Queries, Lattice(1)], T: Annotated[Real, Lattice(1)], k: Count, eps: "
                "Epsilon, noise: Noise\n"
                "):\n"
                "    rho = noise.discrete_laplace(3 / eps, 1)"
            ),
            "nu = noise.laplace(6 * k / eps)": "nu = noise.discrete_laplace(6 * k / eps, 1)",
            "ups = noise.laplace(3 * k / eps)": "ups = noise.discrete_laplace(3 * k / eps, 1)",
        },
    ),
    wrong(
        "zero_times_noise",
        changes={
            "q_i + ups": "(T - T) * ups",
            "nu=[2 if w != 0 else 0 for w in omega], ups=[x - x_ for x, x_ in zip(q, q_)]":
                "nu=[2 if w != 0 else 0 for w in omega]",
        },
    ),
    wrong(
        "public_zero_times_noise",
        changes={
            "q_i + ups": "T * ups",
            "nu=[2 if w != 0 else 0 for w in omega], ups=[x - x_ for x, x_ in zip(q, q_)]":
                "nu=[2 if w != 0 else 0 for w in omega]",
        },
    ),
    wrong(
        "null_by_earlier_noise",
        changes={
            "if q_i + nu >= T + rho:\n    ups = noise.laplace(3 * k / eps)\n    yield q_i + ups":
                "if q_i + nu >= T:\n    yield rho",
            "return H.shift(rho=1, nu=[2 if w != 0 else 0 for w in omega], ups=[x - x_ for x, x_ in zip(q, q_)])":
                "return H.shift(rho=0, nu=[1 if w != 0 else -1 for w in omega])",
        },
    ),
)


def test_how_many_programs_there_are():
    assert len(table.wrong()) >= 50
    assert len(table.right()) >= 9


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
