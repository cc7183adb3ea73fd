"""Near misses of lists of noise that a loop draws: noise that returns, rows of other rounds, rounds unpaid for."""

# Programs under test branch without an effect, and draw noise that they do not use.

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

# A list of answers a round, and a number beside it

table.base(
    """
    @mechanism
    def lists_and_numbers(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        old = 0
        for t in range(k):
            x = noise.laplace(2 * k / eps)
            e = [noise.laplace(2 * k / eps) for q_i in q]
            yield [q_i + e_i for q_i, e_i in zip(q, e)]
            yield q[0] + x
            old = t

    @alignment(lists_and_numbers, epsilon="eps", adjacency="l1")
    def phi(q, q_, k, H):
        return H.shift(x=[q[0] - q_[0] for t in range(k)], e=[[q[i] - q_[i] for i in range(len(q))] for t in range(k)])
    """,
    right("as written"),
    wrong(
        "noise of the round before", "two answers are put out with one noise, a round apart",
        {"old = t": "old = x", "x = noise": "yield q[0] + old\nx = noise"}, fails="same_output", refuted=True,
    ),
    wrong("raw in the last round", "the last number is the answer itself",
          {"yield q[0] + x": "yield q[0] + (x if t < k - 1 else 0)"}, fails="same_output", refuted=True),
    wrong(
        "one answer in all items", "each of n draws pays for the same change",
        {"q_i + e_i for q_i, e_i in zip(q, e)": "q[0] + e_i for e_i in e", "[[q[i] - q_[i] for": "[[q[0] - q_[0] for"},
        fails="cost", refuted=True,
    ),
    wrong(
        "an answer and its mirror", "the changes of q_i + q_(n - 1 - i) add up to twice those of the answers",
        {"q_i + e_i for q_i, e_i in zip(q, e)": "q[i] + q[len(q) - 1 - i] + e[i] for i in range(len(q))",
         "[[q[i] - q_[i] for": "[[q[i] - q_[i] + q[len(q) - 1 - i] - q_[len(q) - 1 - i] for"},
        fails="cost",
    ),
)

# A list only for what passes a test, which is told

table.base(
    """
    @mechanism
    def winners_and_lists(c: Queries, d: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        count = 0
        kept = 0
        r = noise.laplace(2 / eps)
        for c_i in c:
            x = noise.laplace(8 * k / eps)
            if c_i + x + 0 * kept >= T + r:
                e = [noise.laplace(8 * k / eps) for d_j in d]
                (corner,) = largest([d_j + e_j for d_j, e_j in zip(d, e)], 1)
                yield corner
                count += 1
                kept = corner
                if count == k:
                    break
            else:
                yield BELOW

    @alignment(winners_and_lists, epsilon="eps")
    def phi(c, c_, d, d_, T, k, omega, H):
        return H.shift(
            r=1,
            x=[0 if w is BELOW else 2 for w in omega],
            e=[[0 if w is BELOW else (2 if j == w else 0) for j in range(len(d))] for w in omega],
        )
    """,
    right("winners as written"),
    wrong("a corner is no winner", "what the list names counts up and down",
          {"count += 1": "count += 1 - 2 * (corner % 2)"}, fails="cost"),
    wrong(
        "a test by an earlier list", "its noise has moved where 0 won",
        {"0 * kept": "kept", "kept = corner": "kept = e[0]"}, fails="noise_used",
    ),
    wrong(
        "a list for all tests", "the list is drawn for each, at a scale for one",
        {"x = noise": "f = [noise.laplace(1) for d_j in d]\nx = noise",
         "d_j + e_j for d_j, e_j in zip(d, e)": "d_j + f_j for d_j, f_j in zip(d, f)"}, fails="same_output",
    ),
    wrong("left by a list", "whether the loop goes on is told by noise that moves",
          {"if count == k": "if count == k or e[0] > T"}, fails="same_output", refuted=True),
    wrong("one list for both", "the noise of the test selects too, and the corner is not what it moves",
          {"d_j + e_j for d_j, e_j in zip(d, e)": "d_j + x for d_j in d"}, fails="same_output", refuted=True),
)

# Rows that a loop of the alignment makes

table.base(
    """
    @mechanism
    def rows_of_a_loop(c: Queries, low: Real, T: Real, k: Count, eps: Epsilon, noise: Noise):
        last = low
        for t in range(k):
            x = noise.laplace(2 * k / eps)
            e = [noise.laplace(4 * k / eps) for c_i in c]
            (corner,) = largest([abs(c_i - last) + e_i for c_i, e_i in zip(c, e)], 1)
            last = c[corner] + x
            yield corner, last

    @alignment(rows_of_a_loop, epsilon="eps")
    def phi(c, c_, low, T, k, omega, H):
        before = low
        rows = []
        for corner, value in omega:
            rows = [*rows, [1 + abs(c[i] - before) - abs(c_[i] - before) if i == corner else 0 for i in range(len(c))]]
            before = value
        return H.shift(e=rows, x=[c[corner] - c_[corner] for corner, value in omega])
    """,
    right("rows as written"),
    wrong(
        "the value of this round", "the row is held against what the round puts out, not what it began with",
        {"rows = [*rows, [1": "before = value\nrows = [*rows, [1"}, fails="same_output",
    ),
    wrong("a value that is off", "the rows are held against what no round begins with",
          {"before = value": "before = value + 1"}),
    wrong("rows for the first ten", "the eleventh list has no shifts",
          {"corner, value in omega:": "corner, value in omega[:10]:"}, fails="same_output"),
    wrong("losers by the value before", "others rise where the last value was high",
          {"else 0 for i in range(len(c))]]": "else (1 if before > T else 0) for i in range(len(c))]]"}),
)

# Rounds that are one after the other, and two loops of them

table.base(
    """
    @mechanism
    def two_loops_of_lists(q: Queries, T: Real, k: Count, m: Count, eps: Epsilon, noise: Noise):
        z = 0
        for t in range(k):
            e = [noise.laplace(2 * k / eps) for q_i in q]
            yield [q_i + e_i for q_i, e_i in zip(q, e)]
            z = t
        for u in range(m):
            h = [noise.laplace(2 * m / eps) for q_i in q]
            yield [q_i + h_i for q_i, h_i in zip(q, h)]

    @alignment(two_loops_of_lists, epsilon="eps", adjacency="one")
    def phi(q, q_, T, k, m, H):
        return H.shift(
            e=[[q[i] - q_[i] for i in range(len(q))] for t in range(k)],
            h=[[q[i] - q_[i] for i in range(len(q))] for u in range(m)],
        )
    """,
    right("two loops as written"),
    wrong("the price of the other loop", "m rounds are paid for as k", {"2 * m / eps": "2 * k / eps"}, fails="cost"),
    wrong("the last list again", "the second loop puts out answers with noise of the first",
          {"z = t": "z = e[0]", "q_i + h_i for": "q_i + z for"}, fails="same_output"),
    wrong("as many rounds as the state says", "z + 1 is k",
          {"range(m):": "range(z + 1):", "for u in range(m)]": "for u in range(k)]"}, fails="cost"),
    wrong("left early at the price of one", "T may be such that all k rounds are run",
          {"z = t": "z = t\nif T > t:\n    break", "2 * k / eps": "2 / eps"}, fails="cost"),
)


@pytest.mark.parametrize("program", table.wrong())
def test_a_near_miss_of_a_list_in_a_loop_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_a_near_miss_of_a_list_in_a_loop_misses_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
