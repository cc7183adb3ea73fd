"""Adjacency few(l): at most l answers in all change, and no claim takes fewer, or one of them twice, for granted.

A fact of ``one`` (which answer changes, how two sums differ) is none here, and a change counts as one however large it
is, so that sums move by up to l times the sensitivity.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

table.base(
    """
    @mechanism
    def cells(q: Queries, l: Count, k: Count, eps: Epsilon, noise: Noise):
        x = [noise.laplace(1 / eps) for _ in q]
        return [a + b for a, b in zip(q, x)]

    @alignment(cells, epsilon="l * eps", adjacency="few(l)")
    def phi(q, q_, k, H):
        return H.shift(x=[a - b for a, b in zip(q, q_)])
    """,
    right("cells", "l of them are paid for"),
    right("two_cells", "few(2)", {"l * eps": "2 * eps", "few(l)": "few(2)"}),
    right("one_cell", "few(1) is one", {'"l * eps"': '"eps"', "few(l)": "few(1)"}),
    right("more_than_they_cost", "three are paid for", {"l * eps": "3 * eps", "few(l)": "few(2)"}),
    wrong("one_is_paid_for", "L: 2 * eps", {'"l * eps"': '"eps"', "few(l)": "few(2)"}, fails="cost", refuted=True),
    wrong("one_less", "L: l * eps", {"l * eps": "(l - 1) * eps"}, fails="cost", refuted=True),
    wrong("another_count", "L: at l = 2, k = 1", {"l * eps": "k * eps"}, fails="cost", refuted=True),
    wrong("each", "L: len(q) * eps", {"few(l)": "each"}, fails="cost", refuted=True),
    wrong("the_neighbour_moves", "U: an answer is not paid for where it changes",
          {"[a - b for a, b in zip(q, q_)]": "[q[(i + 1) % len(q)] - q_[(i + 1) % len(q)] for i in range(len(q))]"},
          fails="same_output"),
    wrong("all_move", "U: noise moves where nothing changes", {"a - b for": "a - b + 1 for"}, fails="cost"),
    wrong("all_but_some_move", "U: noise moves where nothing changes",
          {"a - b for a, b in zip(q, q_)": "a - b + (1 if a > 7 * k else 0) for a, b in zip(q, q_)"}, fails="cost"),
)  # fmt: skip

table.base(
    """
    @mechanism
    def stream(q: Queries, l: Count, eps: Epsilon, noise: Noise):
        before = 0
        for a in q:
            x = noise.laplace(1 / eps)
            yield a + x
            before = a

    @alignment(stream, epsilon="l * eps", adjacency="few(l)")
    def phi(q, q_, H):
        return H.shift(x=[a - b for a, b in zip(q, q_)])
    """,
    right("stream", "by the changes so far"),
    right("adaptive_stream", "whatever is asked", {'"few(l)"': '"few(l)", queries="adaptive"'}),
    wrong("stream_at_one", "L", {'"l * eps"': '"eps"'}, fails="cost", refuted=True),
    wrong("stream_of_three", "L", {"l * eps": "2 * eps", "few(l)": "few(3)"}, fails="cost", refuted=True),
    wrong("differences", "L: each change is in two of them",
          {"yield a + x": "yield a - before + x",
           "[a - b for a, b in zip(q, q_)]":
           "[q[i] - q_[i] - (q[i - 1] - q_[i - 1] if i > 0 else 0) for i in range(len(q))]"},
          fails="cost", refuted=True),
)  # fmt: skip

table.base(
    """
    @mechanism
    def lists(p: Query, q: Queries, r: Queries, l: Count, eps: Epsilon, noise: Noise):
        u = noise.laplace(1 / eps)
        x = [noise.laplace(1 / eps) for _ in q]
        y = [noise.laplace(1 / eps) for _ in r]
        return p + u, [a + b for a, b in zip(q, x)], [a + b for a, b in zip(r, y)]

    @alignment(lists, epsilon="l * eps", adjacency="few(l)")
    def phi(p, p_, q, q_, r, r_, H):
        return H.shift(u=p - p_, x=[a - b for a, b in zip(q, q_)], y=[a - b for a, b in zip(r, r_)])
    """,
    right("lists", "l answers of all parameters together"),
    right("two_in_all", "2 of them", {"l * eps": "2 * eps", "few(l)": "few(2)"}),
    wrong("two_of_three", "L", {"l * eps": "2 * eps", "few(l)": "few(3)"}, fails="cost", refuted=True),
    wrong("one_list_twice", "L: each change of q is paid for twice",
          {"zip(r, y)": "zip(q, y)", "_ in r": "_ in q", "zip(r, r_)": "zip(q, q_)"}, fails="cost", refuted=True),
    wrong("dearer_single_answer", "L: p costs 2 * eps",
          {"u = noise.laplace(1 / eps)": "u = noise.laplace(1 / eps / 2)"},
          fails="cost", refuted=True),
    wrong("dearer_list", "L: an answer of r costs 2 * eps",
          {"y = [noise.laplace(1 / eps)": "y = [noise.laplace(1 / eps / 2)"}, fails="cost", refuted=True),
)  # fmt: skip

table.base(
    """
    @mechanism
    def total(q: Annotated[Queries, Sensitivity(2)], T: Real, l: Count, eps: Epsilon, noise: Noise):
        x = noise.laplace(2 / eps)
        return sum(q) + x

    @alignment(total, epsilon="l * eps", adjacency="few(l)")
    def phi(q, q_, T, H):
        return H.shift(x=sum(q) - sum(q_))
    """,
    right("total", "each of l changes moves it by 2"),
    right("clamped", "no answer moves it by more than 2",
          {"sum(q) + x": "sum(max(a, T) for a in q) + x",
           "sum(q) - sum(q_)": "sum(max(a, T) for a in q) - sum(max(a, T) for a in q_)"}),
    wrong("as_if_by_1", "L: 2 * l * eps", {"2 / eps": "1 / eps"}, fails="cost", refuted=True),
    wrong("as_one", "L: l * eps", {'"l * eps"': '"eps"'}, fails="cost", refuted=True),
    wrong("steeper", "L: an answer moves it by 4",
          {"sum(q) + x": "sum(2 * a for a in q) + x",
           "sum(q) - sum(q_)": "sum(2 * a for a in q) - sum(2 * a for a in q_)"}, fails="cost", refuted=True),
)  # fmt: skip

table.base(
    """
    @mechanism
    def above(q: Queries, T: Real, l: Count, eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / eps)
        return sum(1 for a in q if a >= T) + x

    @alignment(above, epsilon="l * eps", adjacency="few(l)")
    def phi(q, q_, T, H):
        return H.shift(x=sum(1 for a in q if a >= T) - sum(1 for a in q_ if a >= T))
    """,
    right("count_above", "each of l changes moves the count by 1"),
    wrong("count_of_l_1", "L: small changes move each item", {"few(l)": "l1", "l * eps": "eps"}, fails="cost"),
    wrong("weight_of_two", "L: each change moves it by 2",
          {"sum(1 for a in q if a >= T) + x": "sum(2 for a in q if a >= T) + x",
           "sum(1 for a in q if a >= T) - sum(1 for a in q_ if a >= T)":
           "sum(2 for a in q if a >= T) - sum(2 for a in q_ if a >= T)"}, fails="cost", refuted=True),
)  # fmt: skip

table.base(
    """
    @mechanism
    def numbered(q: Queries, i: Count, eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / eps)
        y = noise.laplace(1 / eps)
        z = noise.laplace(1 / eps)
        return q[0] + x, q[1] + y, q[2] + z

    @alignment(numbered, epsilon="2 * eps", adjacency="few(2)")
    def phi(q, q_, i, H):
        return H.shift(x=q[0] - q_[0], y=q[1] - q_[1], z=q[2] - q_[2])
    """,
    right("three_numbered", "at most two of them change"),
    wrong("one_of_three", "L", {"2 * eps": "eps"}, fails="cost", refuted=True),
    wrong("one_read_twice", "L: 3 * eps, where q[0] and q[2] change",
          {"q[1] + y": "q[0] + y", "y=q[1] - q_[1]": "y=q[0] - q_[0]"}, fails="cost", refuted=True),
    wrong("perhaps_the_same", "L: 3 * eps at i = 1 where q[0] does not change",
          {"q[0] + x": "q[i] + x", "x=q[0] - q_[0]": "x=q[i] - q_[i]"}, fails="cost", refuted=True),
    wrong("the_last_one", "L: 3 * eps where there are 3",
          {"q[0] + x": "q[-1] + x", "x=q[0] - q_[0]": "x=q[-1] - q_[-1]"}, fails="cost", refuted=True),
)  # fmt: skip

table.base(
    """
    @mechanism
    def keys(q: Queries, tau: Real, l: Count, eps: Epsilon, noise: Noise):
        for a in q:
            x = noise.laplace(1 / eps)
            yield a + x if a > 0 and a + x >= tau else 0

    @alignment(keys, epsilon="l * eps", delta="l * exp(-eps * (tau - 1)) / 2", adjacency="few(l)")
    def phi(q, q_, H, tau):
        new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
        return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
            x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)])
    """,
    right("new_keys", "l charges"),
    right("two_new_keys", "two charges", {"l * eps": "2 * eps", "l * exp": "2 * exp", "few(l)": "few(2)"}),
    wrong("one_charge", "L: two new keys", {'"l * exp': '"exp', "few(l)": "few(2)", "l * eps": "2 * eps"},
          fails="limits"),
    wrong("every_key_is_charged", "U: keys that do not change have a limit, too",
          {"tau - max(a, b) if f else None for": "tau - max(a, b) for"}),
    wrong("keys_of_two", "L: two keys at the price of one",
          {'"l * eps"': '"eps"', '"l * exp': '"2 * exp', "few(l)": "few(2)"}, fails="cost", refuted=True),
)  # fmt: skip

table.base(
    """
    @mechanism
    def listed_keys(q: Queries, tau: Real, l: Count, eps: Epsilon, noise: Noise):
        x = [noise.laplace(1 / eps) for _ in q]
        return [a + b if a > 0 and a + b >= tau else 0 for a, b in zip(q, x)]

    @alignment(listed_keys, epsilon="l * eps", delta="l * exp(-eps * (tau - 1)) / 2", adjacency="few(l)")
    def phi(q, q_, H, tau):
        new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
        return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
            x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)])
    """,
    right("listed_new_keys", "l charges"),
    wrong("listed_at_one_charge", "L: two new keys", {'"l * exp': '"exp', "few(l)": "few(2)"}, fails="limits"),
)

table.base(
    """
    @mechanism
    def inner(u: Queries, m: Count, eps: Epsilon, noise: Noise):
        x = [noise.laplace(1 / eps) for _ in u]
        return sum(a + b for a, b in zip(u, x))

    @alignment(inner, epsilon="m * eps", adjacency="few(m)")
    def inner_phi(u, u_, H):
        return H.shift(x=[a - b for a, b in zip(u, u_)])

    @mechanism
    def outer(q: Queries, l: Count, eps: Epsilon, noise: Noise):
        return inner(q, l, eps, noise)

    @alignment(outer, epsilon="l * eps", adjacency="few(l)", lemmas=[inner_phi])
    def phi(H):
        return H.shift()
    """,
    right("call", "the answers of the call change where those of the caller do"),
    right("call_under_one", "one change is few", {"few(l)": "one"}),
    right("call_of_one_answer", "one answer is in one item",
          {"inner(q, l, eps": "inner([q[0]], 1, eps", '"l * eps"': '"eps"'}),
    wrong("call_for_fewer", "L", {"inner(q, l, eps": "inner(q, 1, eps", '"l * eps"': '"eps"'},
          fails="cost", refuted=True),
    wrong("call_under_each", "L", {"few(l)": "each"}, fails="cost", refuted=True),
    wrong("call_with_one_answer_twice", "L", {"inner(q, l, eps": "inner([q[0], q[0]], l, eps"},
          fails="cost", refuted=True),
    wrong("call_with_one_answer_everywhere", "L", {"inner(q, l, eps": "inner([a + q[0] for a in q], l, eps"},
          fails="cost"),
    wrong("call_beyond_its_sensitivity", "L", {"inner(q, l, eps": "inner([2 * a for a in q], l, eps"},
          fails="cost", refuted=True),
)  # fmt: skip

table.base(
    """
    @mechanism
    def rounds(q: Queries, l: Count, k: Count, eps: Epsilon, noise: Noise):
        for j in range(k):
            x = [noise.laplace(1 / eps) for _ in q]
            yield sum(a + b for a, b in zip(q, x))

    @alignment(rounds, epsilon="k * l * eps", adjacency="few(l)")
    def phi(q, q_, k, H):
        return H.shift(x=[[a - b for a, b in zip(q, q_)] for j in range(k)])
    """,
    wrong("rounds_at_the_price_of_one", "L: k * l * eps", {"k * l * eps": "l * eps"}, fails="cost"),
)

table.base(
    """
    @mechanism
    def winner(q: Queries, l: Count, eps: Epsilon, noise: Noise):
        eta = [noise.laplace(2 / eps) for _ in q]
        (best,) = largest([a + b for a, b in zip(q, eta)], 1)
        return best

    @alignment(winner, epsilon="eps", adjacency="few(l)")
    def phi(q, q_, omega, H):
        return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
    """,
    right("winner", "as under each"),
    wrong("winner_at_half", "L: one rises, another falls", {'"eps"': '"eps / 2"', "few(l)": "few(2)"}, fails="cost"),
)


@pytest.mark.parametrize("program", table.right())
def test_what_is_private_is_proved(program, tmp_path, prover_alone, proved):
    program.is_proved(tmp_path, prover_alone, proved)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)
