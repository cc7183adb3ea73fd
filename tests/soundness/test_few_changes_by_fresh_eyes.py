"""Adjacency few(l): an answer that is read twice is paid for twice, at its own sensitivity, wherever it stands.

Each program charges what is right for one change, for one list, for another sensitivity, or for answers at places that
may be one place.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table(
    """
    from typing import Annotated

    from alignkit import Sensitivity

    """
)

table.base(
    """
    @mechanism
    def twice_read(q: Queries, l: Count, eps: Epsilon, noise: Noise):
        x = [noise.laplace(1 / eps) for _ in q]
        return [q[i] + b for i, b in enumerate(x)]

    @alignment(twice_read, epsilon="l * eps", adjacency="few(l)")
    def phi(q, q_, H):
        return H.shift(x=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("once", "each answer is in one output"),
    wrong("first_one_twice", "L: q[0] is in two outputs",
          {"q[i] + b": "(q[i] if i < 1 else q[i - 1]) + b",
           "q[i] - q_[i]": "(q[i] - q_[i] if i < 1 else q[i - 1] - q_[i - 1])"}, fails="cost"),
    wrong("from_both_ends", "L: each answer is in two outputs",
          {"q[i] + b": "q[i] + q[len(q) - 1 - i] + b",
           "q[i] - q_[i]": "q[i] - q_[i] + q[len(q) - 1 - i] - q_[len(q) - 1 - i]"}, fails="cost"),
    wrong("list_after_itself", "L: more noise than answers",
          {"for _ in q": "for _ in [*q, *q]", "q[i] + b for": "[*q, *q][i] + b for",
           "q[i] - q_[i] for i in range(len(q))": "a - b for a, b in zip([*q, *q], [*q_, *q_])"}),
    wrong("round_and_round", "L: answer i is read in i and in i + len(q)",
          {"for _ in q": "for _ in range(2 * len(q))", "q[i] + b": "q[i % len(q)] + b",
           "q[i] - q_[i] for i in range(len(q))": "q[i % len(q)] - q_[i % len(q)] for i in range(2 * len(q))"},
          fails="cost"),
    wrong("no_more_than_all_but_one", "L: all answers may change",
          {"l * eps": "min(l, len(q) - 1) * eps"}, fails="cost"),
)  # fmt: skip

table.base(
    """
    @mechanism
    def two_kinds(q: Queries, r: Annotated[Queries, Sensitivity(2)], l: Count, eps: Epsilon, noise: Noise):
        for a, b in zip(q, r):
            x = noise.laplace(1 / eps)
            yield a + b + x

    @alignment(two_kinds, epsilon="2 * l * eps", adjacency="few(l)")
    def phi(q, q_, r, r_, H):
        return H.shift(x=[a - b + c - d for a, b, c, d in zip(q, q_, r, r_)])
    """,
    right("dearer_list_counts", "a change of r costs 2 * eps"),
    wrong("cheaper_list_counts", "L: r", {"2 * l * eps": "l * eps"}, fails="cost"),
    wrong("one_of_each", "L: two changes of r cost 4 * eps", {"2 * l * eps": "3 * eps", "few(l)": "few(2)"},
          fails="cost"),
)  # fmt: skip

table.base(
    """
    @mechanism
    def sums(q: Annotated[Queries, Sensitivity(2)], h: Count, l: Count, eps: Epsilon, noise: Noise):
        x = noise.laplace(2 / eps)
        y = noise.laplace(2 / eps)
        return sum(q[:h]) + x, sum(q[h:]) + y

    @alignment(sums, epsilon="l * eps", adjacency="few(l)")
    def phi(q, q_, h, H):
        return H.shift(x=sum(q[:h]) - sum(q_[:h]), y=sum(q[h:]) - sum(q_[h:]))
    """,
    right("parts", "each answer is in one of them"),
    wrong("parts_that_overlap", "L: q[h] is in both",
          {"sum(q[:h]) + x": "sum(q[:h + 1]) + x", "x=sum(q[:h]) - sum(q_[:h])":
           "x=sum(q[:h + 1]) - sum(q_[:h + 1])"}, fails="cost"),
    wrong("one_part_changes", "L: both may", {'"l * eps"': '"eps"', "few(l)": "few(2)"}, fails="cost"),
    wrong("one_of_all_once_more", "L: q[0] is in both",
          {"sum(q[:h]) + x": "q[0] + x", "sum(q[h:]) + y": "sum(q) + y",
           "x=sum(q[:h]) - sum(q_[:h])": "x=q[0] - q_[0]", "y=sum(q[h:]) - sum(q_[h:])": "y=sum(q) - sum(q_)"},
          fails="cost"),
)  # fmt: skip

table.base(
    """
    @mechanism
    def counts(p: Query, q: Queries, T: Real, l: Count, eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / eps)
        return sum(1 for a in q if a > T) + x

    @alignment(counts, epsilon="l * eps", adjacency="few(l)")
    def phi(p, p_, q, q_, T, H):
        return H.shift(x=sum(1 for a in q if a > T) - sum(1 for a in q_ if a > T))
    """,
    right("above_a_public_number", "each change moves one item"),
    wrong("above_an_answer", "L: a change of p moves every item",
          {"if a > T) + x": "if a > p) + x", "in q if a > T) -": "in q if a > p) -",
           "in q_ if a > T)": "in q_ if a > p_)"}, fails="cost"),
    wrong("above_one_of_them", "L: a change of q[0] moves every item",
          {"if a > T) + x": "if a > q[0]) + x", "in q if a > T) -": "in q if a > q[0]) -",
           "in q_ if a > T)": "in q_ if a > q_[0])"}, fails="cost"),
    wrong("from_below_to_above", "L: an item moves by 2",
          {"sum(1 for a in q if a > T) + x": "sum(1 if a > T else -1 for a in q) + x",
           "sum(1 for a in q if a > T) - sum(1 for a in q_ if a > T)":
           "sum(1 if a > T else -1 for a in q) - sum(1 if a > T else -1 for a in q_)"}, fails="cost"),
)  # fmt: skip

table.base(
    """
    @mechanism
    def places(q: Queries, k: Count, l: Count, eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / eps)
        y = noise.laplace(1 / eps)
        z = noise.laplace(1 / eps)
        return q[0] + x, q[1] + y, q[2] + z

    @alignment(places, epsilon="2 * eps", adjacency="few(2)")
    def phi(q, q_, k, H):
        return H.shift(x=q[0] - q_[0], y=q[1] - q_[1], z=q[2] - q_[2])
    """,
    right("different_places", "two of them change"),
    wrong("one_place_in_other_words", "L: q[0] and q[2]",
          {"q[1] + y": "q[k - k] + y", "y=q[1] - q_[1]": "y=q[k - k] - q_[k - k]"}, fails="cost"),
    wrong("from_the_end", "L: of two answers q[1] is the last",
          {"q[0] + x": "q[-1] + x", "x=q[0] - q_[0]": "x=q[-1] - q_[-1]", "q[2] + z": "q[-2] + z",
           "z=q[2] - q_[2]": "z=q[-2] - q_[-2]"}, fails="cost"),
)  # fmt: skip

table.base(
    """
    @mechanism
    def neighbours(q: Queries, l: Count, eps: Epsilon, noise: Noise):
        for i in range(len(q) - 1):
            x = noise.laplace(1 / eps)
            yield q[i] + q[i + 1] + x

    @alignment(neighbours, epsilon="2 * l * eps", adjacency="few(l)")
    def phi(q, q_, H):
        return H.shift(x=[q[i] + q[i + 1] - q_[i] - q_[i + 1] for i in range(len(q) - 1)])
    """,
    right("two_outputs_read_each", "each change is paid for twice"),
    wrong("paid_for_once", "L", {"2 * l * eps": "l * eps"}, fails="cost"),
    wrong("three_for_two", "L: four, where the changes are apart", {"2 * l * eps": "3 * eps", "few(l)": "few(2)"},
          fails="cost"),
    wrong("larger_of_two", "L: a large answer is in two outputs",
          {"2 * l * eps": "l * eps", "yield q[i] + q[i + 1] + x": "yield max(q[i], q[i + 1]) + x",
           "q[i] + q[i + 1] - q_[i] - q_[i + 1]": "max(q[i], q[i + 1]) - max(q_[i], q_[i + 1])"}, fails="cost"),
)  # fmt: skip

table.base(
    """
    @mechanism
    def inner(u: Queries, v: Queries, m: Count, eps: Epsilon, noise: Noise):
        x = [noise.laplace(1 / eps) for _ in u]
        y = [noise.laplace(1 / eps) for _ in v]
        return sum(a + b for a, b in zip(u, x)) + sum(a + b for a, b in zip(v, y))

    @alignment(inner, epsilon="m * eps", adjacency="few(m)")
    def inner_phi(u, u_, v, v_, H):
        return H.shift(x=[a - b for a, b in zip(u, u_)], y=[a - b for a, b in zip(v, v_)])

    @mechanism
    def outer(q: Queries, r: Queries, m: Count, l: Count, eps: Epsilon, noise: Noise):
        return inner(q, r, l, eps, noise)

    @alignment(outer, epsilon="l * eps", adjacency="few(l)", lemmas=[inner_phi])
    def phi(H):
        return H.shift()
    """,
    right("two_lists_passed_on", "l answers of both together"),
    right("one_list_twice_at_twice", "each change is in both lists",
          {"inner(q, r, l,": "inner(q, q, 2 * l,", '"l * eps"': '"2 * l * eps"'}),
    wrong("one_list_twice", "L", {"inner(q, r,": "inner(q, q,"}, fails="cost"),
    wrong("as_many_as_another_count", "L: at m = 1, l = 2", {"inner(q, r, l,": "inner(q, r, m,",
          '"l * eps"': '"m * eps"'}, fails="cost"),
    wrong("each_beside_the_other", "L: a change of r is in both lists",
          {"inner(q, r,": "inner([max(a, b) for a, b in zip(q, r)], r,"}, fails="cost"),
    wrong("changes_that_add_up", "L: many small changes are many", {"few(l)": "l1"}, fails="cost"),
)  # fmt: skip

table.base(
    """
    @mechanism
    def some(u: Queries, m: Count, eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / (m * eps))
        return (1 if max(u) > 0 else 0) + x

    @alignment(some, epsilon="m * eps", adjacency="few(m)")
    def some_phi(u, u_, H):
        return H.shift(x=(1 if max(u) > 0 else 0) - (1 if max(u_) > 0 else 0))

    @mechanism
    def parts(q: Queries, r: Queries, l: Count, eps: Epsilon, noise: Noise):
        a = some(q, l, eps, noise)
        b = some(r, l, eps, noise)
        return a, b

    @alignment(parts, epsilon="2 * l * eps", adjacency="few(l)", lemmas=[some_phi])
    def phi(H):
        return H.shift()
    """,
    right("both_calls_pay", "answers of both may change"),
    right("one_call_pays", "one change is in one of them", {"2 * l * eps": "l * eps", "few(l)": "few(1)"}),
    wrong("one_call_pays_for_few", "L: q[0] and r[0] change", {"2 * l * eps": "l * eps"}, fails="cost"),
)  # fmt: skip


@pytest.mark.parametrize("program", table.right())
def test_what_is_private_is_proved(program, tmp_path, prover_alone, proved):
    program.is_proved(tmp_path, prover_alone, proved)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)
