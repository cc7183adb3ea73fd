"""Rows of shifts that are not there, and what D needs of public values on one side of a test only.

None of these programs leaks: their alignments are undefined for some inputs that the claim is for.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

table.base(
    """
    @mechanism
    def rounds(q: Queries, S: Reals, T: Real, k: Count, eps: Epsilon, noise: Noise):
        for t in range(2):
            e = [noise.laplace(4 / eps) for q_i in q]
            yield [q_i + e_i for q_i, e_i in zip(q, e)]
        for t in range(k):
            x = noise.laplace(2 * k / eps)
            yield q[0] + x

    @alignment(rounds, epsilon="eps", adjacency="one")
    def phi(q, q_, S, T, k, H):
        return H.shift(e=[[q[i] - q_[i] for i in range(len(q))] for t in range(2)], x=[q[0] - q_[0] for t in range(k)])
    """,
    right("two_rows", "a row for each round"),
    wrong("rows_by_a_list", "S may be empty", {"for t in range(2)],": "for t in range(len(S))],"}),
    wrong("rows_by_items", "S may be empty", {"for t in range(2)],": "for t in S],"}),
    wrong("rows_by_k", "k may be 1", {"for t in range(2)],": "for t in range(k)],"}),
    wrong("rows_by_what_k_leaves", "k may be 20", {"for t in range(2)],": "for t in range(max(0, 20 - k))],"}),
    wrong("rows_by_queries", "there may be one", {"for t in range(2)],": "for t in range(len(q))],"}),
    wrong("rows_by_answers", "there may be one", {"for t in range(2)],": "for y in q],"}),
    wrong("rows_by_T", "T may be large", {"for t in range(2)],": "for t in range(2 if T < 123456789 else 1)],"}),
    wrong("rows_by_condition", "S may be empty, whatever T is",
          {"[[q[i] - q_[i] for i in range(len(q))] for t in range(2)]":
           "[[(q[i] - q_[i]) * (1 if s > T else 1) for i in range(len(q))] for s in S]"}),
)

table.base(
    """
    @mechanism
    def on_one_side(q: Queries, h: Reals, T: Real, k: Count, eps: Epsilon, noise: Noise):
        u = 0
        if k > 0:
            u = sum(h[j] for j in range(len(q)))
        for i in range(len(q)):
            e = noise.laplace(1 / eps)
            yield q[i] + e

    @alignment(on_one_side, epsilon="eps", adjacency="one")
    def phi(q, q_, h, T, k, H):
        return H.shift(e=[(q[i] - q_[i]) * (2 if h[i] > T else 2) / 2 for i in range(len(q))])
    """,
    right("always", "D reads h wherever the alignment does"),
    right("both", "the alignment reads h on the side on which D does",
          {"if k > 0:": "if T > 0:", "2 if h[i] > T else 2": "(2 if h[i] > T else 2) if T > 0 else 2"}),
    wrong("impossible", "D never reads h", {"if k > 0:": "if k * k < k:"}),
    wrong("a_side_of_T", "D reads h where T > 0 only", {"if k > 0:": "if T > 0:"}),
    wrong("one_item", "D reads h where T > 0 only",
          {"if k > 0:": "if T > 0:", "sum(h[j] for j in range(len(q)))": "h[len(q) - 1]"}),
    wrong("divided", "D divides by T where it is not 0",
          {"if k > 0:": "if T * T > 0:", "sum(h[j] for j in range(len(q)))": "1 / T", "h[i] > T": "1 / T > 2"}),
    wrong("guarded", "D divides by T where it is not 0",
          {"    u = sum(h[j] for j in range(len(q)))": "    u = 1 / T if T != 0 else 0", "h[i] > T": "1 / T > 2"}),
    wrong("guarded_items", "D reads h as far as it reaches",
          {"h[j] for j in range(len(q))": "h[j] if j < len(h) else 0 for j in range(len(q))"}),
    wrong("guarded_by_T", "D reads h where T > 0 only",
          {"h[j] for j in range(len(q))": "h[j] if T > 0 else 0 for j in range(len(q))"}),
)


@pytest.mark.parametrize("program", table.right())
def test_what_is_defined_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_undefined_for_some_inputs_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)
