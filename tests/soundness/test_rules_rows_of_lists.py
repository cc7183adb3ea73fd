"""Rules 4, 8, 26, 51 and 56: public lists read at positions made of several numbers, and what is presumed of them.

A position may be made of the numbers of several loops and items, of lengths, and of positions that were selected. What
is presumed is public, suffices for every one of them, is met by some inputs, and says nothing of what else a run does.
"""

from __future__ import annotations

import pytest
from support.defining import define_in
from support.near_misses import Table, right, wrong

from alignkit import InputError, check, release
from alignkit.results import Verdict

table = Table()

# Row by row

SUM = "R[i * len(a) + j] * y for j, y in enumerate(noisy)"

table.base(
    """
    @mechanism
    def matrix(a: Queries, R: Reals, rows: Count, k: Count, T: Real, eps: Epsilon, noise: Noise):
        e = [noise.laplace(1 / eps) for x in a]
        noisy = [x + y for x, y in zip(a, e)]
        return [sum(R[i * len(a) + j] * y for j, y in enumerate(noisy)) for i in range(rows)]

    @alignment(matrix, epsilon="eps", adjacency="l1")
    def phi(a, a_, H):
        return H.shift(e=[a[j] - a_[j] for j in range(len(a))])
    """,
    right("row by row", "where there is an item for each row and answer", checked=True),
    right("column by column", changes={"i * len(a) + j": "j * rows + i"}),
    right("after a head", "k items come before the rows", {"i * len(a) + j": "k + i * len(a) + j"}),
    right("in blocks", "each row has k parts", {"i * len(a) + j": "(i * k + i % k) * len(a) + j"}),
    right("backwards in a row", changes={"i * len(a) + j": "i * len(a) + len(a) - 1 - j"}),
    right("rows backwards", changes={"i * len(a) + j": "(rows - 1 - i) * len(a) + j"}),
    right("in turn", "k items, whatever the number of rows is", {"R[i * len(a) + j]": "R[(i * len(a) + j) % k]"}),
    wrong("one before", "position -1 is the last in Python", {"i * len(a) + j": "i * len(a) + j - 1"}),
    wrong("rows from the end", "positions below 0", {"i * len(a) + j": "j - i * len(a)"}, fails="termination"),
    wrong("k before", "k may be more than i * len(a)", {"i * len(a) + j": "i * len(a) + j - k"}, fails="termination"),
    wrong("behind the last", "no list is long enough", {"i * len(a) + j": "i * len(a) + j + len(R)"}),
    wrong(
        "as many rows as items", "whatever is presumed contradicts itself",
        {"i * len(a) + j": "i * len(a) + len(a)", "range(rows)": "range(len(R))"},
    ),
    wrong("a private row", "Leaks: another row on D'",
          {SUM: "R[(i if a[0] > 0 else 0) * len(a) + j] * y for j, y in enumerate(noisy)"}, refuted=True),
    wrong("a private item", "Leaks: a row by an answer that is in it", {
        SUM: "(R[i * len(a) + j] if a[j] > 0 else 0) * y for j, y in enumerate(noisy)"}),
    wrong("without noise", "Leaks", {"for j, y in enumerate(noisy)": "for j, y in enumerate(a)"}, refuted=True),
    wrong("the noise is not scaled", "Leaks: the matrix multiplies the answers, and not the noise",
          {"[x + y for x, y in zip(a, e)]": "[x for x in a]",
           "enumerate(noisy)) for i": "enumerate(noisy)) + sum(e) for i"}),
    wrong("at half the noise", "Leaks", {"1 / eps": "1 / (2 * eps)"}, fails="cost", refuted=True),
    wrong("an answer if there are too few items", "Leaks: then the matrix is not read", {
        "e = [noise.laplace(1 / eps)": "if len(R) < rows * len(a):\n    return a[0]\ne = [noise.laplace(1 / eps)"}),
    wrong("an answer if another list is too short", "Leaks: what is presumed is about rows", {
        "e = [noise.laplace(1 / eps)": "if len(R) < (rows + 1) * len(a):\n    return a[0]\n"
                                       "e = [noise.laplace(1 / eps)"}),
    wrong("an answer instead of the item", "Leaks", {
        SUM: "(R[i * len(a) + j] if i * len(a) + j < len(R) else a[0]) * y for j, y in enumerate(noisy)"}),
    wrong("rows of answers", "Leaks: of one answer, which is presumed, too", {
        SUM: "a[i * len(a) + j] * y for j, y in enumerate(noisy)"}),
)

# Sums of answers with a public sign for each, and the root of a public number

table.base(
    """
    @mechanism
    def signed(x: Queries, S: Reals, k: Count, T: Real, eps: Epsilon, noise: Noise):
        for i in range(k):
            e = noise.laplace(sqrt(k) / eps)
            yield sum(y if S[i * len(x) + j] > 0 else -y for j, y in enumerate(x)) / sqrt(k) + e
        yield k

    @alignment(signed, epsilon="eps", adjacency="one")
    def phi(x, x_, S, k, omega, H):
        n = len(x)
        return H.shift(
            e=[sum(x[j] - x_[j] if S[i * n + j] > 0 else x_[j] - x[j] for j in range(n)) / sqrt(k) for i in range(k)]
        )
    """,
    right("signs in rows", "each of k sums changes by 1 / sqrt(k)", checked=True),
    right("without roots", changes={
        "sqrt(k) / eps": "k / eps", ") / sqrt(k) + e": ") + e", ") / sqrt(k) for": ") for"}),
    wrong("the root of less", "Leaks", {"sqrt(k) / eps": "sqrt(k) / (2 * eps)"}, fails="cost", refuted=True),
    wrong("as one sum", "Leaks: k of them", {"sqrt(k) / eps": "1 / eps"}, fails="cost", refuted=True),
    wrong("not divided", "Leaks: each changes by 1", {") / sqrt(k) + e": ") + e", ") / sqrt(k) for": ") for"},
          fails="cost", refuted=True),
    wrong("each answer may change", "Leaks", {'"one"': '"each"'}, fails="cost", refuted=True),
    wrong("a private sign", "Leaks: -1 or 1 by the answer", {"S[i * len(x) + j] > 0": "y > 0"}, refuted=True),
    wrong("signs of the row above", "the alignment moves another sum", {"S[i * n + j]": "S[(i + 1) * n + j]"}),
    wrong("signs of a column", "the alignment moves another sum", {"S[i * n + j]": "S[j * k + i]"}),
    wrong("the alignment reads one row more", "which D does not need",
          {"/ sqrt(k) for i in": "/ sqrt(k) + 0 * S[k * n] for i in"}),
    wrong("an answer after a short list", "Leaks: a run that stops early comes to it", {
        "/ sqrt(k) + e": "/ sqrt(k) + e\nif T > 0:\n    break", "yield k": "if len(S) < k * len(x):\n    yield x[0]"}),
)

# Positions that were selected

table.base(
    """
    @mechanism
    def priced(q: Queries, T: Reals, m: Count, eps: Epsilon, noise: Noise):
        g = [noise.gumbel(2 / eps) for x in q]
        (best,) = largest([x + y for x, y in zip(q, g)], 1)
        return best, T[best]

    @alignment(priced, epsilon="eps")
    def phi(q, q_, omega, H):
        best, price = omega
        return H.shift(g=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))])
    """,
    right("the price of the winner", "where there is one for each", checked=True),
    right("the row of the winner", changes={"T[best]": "[T[best * m + j] for j in range(m)]"}),
    right("the prices before", changes={"T[best]": "sum(T[best + j] for j in range(m))"}),
    right("a lottery", "which price is drawn", {
        "return best, T[best]": "c = noise.choice([1, 2, 1])\nreturn best, T[c * len(q) + best]",
        "H.shift(": "H.shift(c=0, "}),
    wrong("the price before", "position -1 is the last in Python", {"T[best]": "T[best - 1]"}),
    wrong("the price after all", "no list is long enough", {"T[best]": "T[len(T) + best]"}),
    wrong("the answer of the winner", "Leaks", {"T[best]": "q[best]"}, refuted=True),
    wrong("the price of the largest", "Leaks: of the answers without noise", {
        "return best, T[best]": "(top,) = largest(q, 1)\nreturn best, T[top]"}, refuted=True),
    wrong("the price of the next", "it is not released, and not the same on D'", {
        "(best,) = largest([x + y for x, y in zip(q, g)], 1)": "best, next = largest([x + y for x, y in zip(q, g)], 2)",
        "T[best]": "T[next]"}),
    wrong("the row of the next", "the same of a row", {
        "(best,) = largest([x + y for x, y in zip(q, g)], 1)": "best, next = largest([x + y for x, y in zip(q, g)], 2)",
        "T[best]": "T[best * len(q) + next]"}),
    wrong("by an answer", "Leaks", {"T[best]": "T[best if q[best] > 0 else 0]"}, refuted=True),
    wrong("half the noise for the winner", "Leaks", {"2 / eps": "1 / eps"}, fails="cost", refuted=True),
    wrong("an answer if a price is missing", "Leaks", {"T[best]": "(T[best] if best < len(T) else q[0])"}),
    wrong("said if a price is missing", "Leaks: the largest answer without noise", {
        "return best, T[best]": "(top,) = largest(q, 1)\nreturn best, (1 if top < len(T) else 0)"}),
)

table.base(
    """
    @mechanism
    def top_prices(q: Queries, T: Reals, k: Count, eps: Epsilon, noise: Noise):
        g = [noise.gumbel(2 * k / eps) for x in q]
        for i in largest([x + y for x, y in zip(q, g)], k):
            yield i, T[i]

    @alignment(top_prices, epsilon="eps")
    def phi(q, q_, omega, H):
        top = {j for j, price in omega}
        return H.shift(g=[1 + q[i] - q_[i] if i in top else 0 for i in range(len(q))])
    """,
    right("k prices", "D' may rest on what D presumes", checked=True),
    wrong("k answers", "Leaks", {"yield i, T[i]": "yield i, q[i]"}, refuted=True),
    wrong("prices of the largest", "Leaks: without noise", {
        "largest([x + y for x, y in zip(q, g)], k)": "largest(q, k)"}, refuted=True),
    wrong("prices of ranks", "one more rank than is named", {"T[i]": "T[i - 1]"}),
    wrong("k prices at half the noise", "Leaks", {"2 * k / eps": "k / eps"}, fails="cost", refuted=True),
    wrong("prices that answers choose", "Leaks", {"T[i]": "T[i if q[i] > 0 else 0]"}, refuted=True),
)

# Costs that rise with the number of the iteration

table.base(
    """
    @mechanism
    def rounds(q: Queries, R: Reals, k: Count, c: Positive, noise: Noise):
        past = [0 for x in q]
        for t in range(k):
            g = [noise.gumbel(1) for x in q]
            (worst,) = largest([c * (t * x - p) + y for x, p, y in zip(q, past, g)], 1)
            yield worst
            past = [p + R[worst * len(q) + i] for i, p in enumerate(past)]

    @alignment(rounds, epsilon="c * k * (k - 1)")
    def phi(q, q_, c, k, omega, H):
        n = len(q)
        return H.shift(g=[[c * t * (1 + q[i] - q_[i]) if i == omega[t] else 0 for i in range(n)] for t in range(k)])
    """,
    right("round t counts t times", "0 + 2 * c + 4 * c and so on", checked=True),
    wrong("the half", "Leaks", {"c * k * (k - 1)": "c * k * (k - 1) / 2"}, fails="cost", refuted=True),
    wrong("one round less", "Leaks", {"c * k * (k - 1)": "c * (k - 1) * (k - 2)"}, fails="cost", refuted=True),
    wrong("squares", "Leaks: round t counts t * t times", {
        "(t * x - p)": "(t * t * x - p)", "c * t * (1": "c * t * t * (1"}, fails="cost", refuted=True),
    wrong("a response by the answers", "the past is not the same", {"R[worst * len(q) + i]": "q[i]"}),
    wrong("the response of a private row", "Leaks",
          {"R[worst * len(q) + i]": "R[(worst if q[i] > 0 else 0) * len(q) + i]"}, refuted=True),
    wrong("the response before", "position -1 is the last in Python", {
        "worst * len(q) + i]": "worst * len(q) + i - 1]"}),
)

table.base(
    """
    @mechanism
    def forest(x: Queries, leaf: Reals, trees: Count, leaves: Count, eps: Epsilon, noise: Noise):
        for t in range(trees):
            for k in range(leaves):
                e = noise.laplace(1 / eps)
                yield sum(y for j, y in enumerate(x) if leaf[t * len(x) + j] == k) + e

    @alignment(forest, epsilon="trees * eps", adjacency="one")
    def phi(x, x_, leaf, trees, leaves, H):
        n = len(x)
        return H.shift(e=[
            [sum(x[j] - x_[j] for j in range(n) if leaf[t * n + j] == k) for k in range(leaves)] for t in range(trees)
        ])
    """,
    right("each leaf has its budget", "more than it needs", {'"trees * eps"': '"trees * leaves * eps"'}, checked=True),
    wrong("with the budget of one tree", "Leaks: every tree pays", {'"trees * eps"': '"eps"'},
          fails="cost", refuted=True),
    wrong("with the budget of half the trees", "Leaks", {'"trees * eps"': '"trees * eps / 2"'},
          fails="cost", refuted=True),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


MATRIX = """
Whole = Annotated[Queries, Lattice(1)]

@mechanism
def matrix(a: Whole, R: Annotated[Reals, Lattice(1)], rows: Count, eps: Epsilon, noise: Noise):
    e = [noise.discrete_laplace(1 / eps, 1) for x in a]
    noisy = [x + y for x, y in zip(a, e)]
    return [sum(R[i * len(a) + j] * y for j, y in enumerate(noisy)) for i in range(rows)]

@alignment(matrix, epsilon="eps", adjacency="l1")
def phi(a, a_, H):
    return H.shift(e=[a[j] - a_[j] for j in range(len(a))])
"""


def test_a_release_refuses_too_few_items(tmp_path):
    module = define_in(tmp_path, MATRIX)
    proof = check(module.phi, effort=0)
    assert proof.verdict is Verdict.PROVED
    assert any("a list is long enough" in said for said in proof.assumptions)
    assert len(release(module.matrix, [3, 4], R=[1, 0, 0, 1], rows=2, eps=1, proof=proof)) == 2
    with pytest.raises(InputError, match="is not defined for these public values"):
        release(module.matrix, [3, 4], R=[1, 0, 0], rows=2, eps=1, proof=proof)


def test_no_program_is_proved_of_which_no_input_meets_what_is_presumed(tmp_path, prover_alone):
    (program,) = (row for (row,) in (each.values for each in table.wrong()) if row.name == "as many rows as items")
    proof = prover_alone(program.load(tmp_path))
    assert "no public parameters were found for which the program is defined" in proof.conditions["same_output"].how


def test_a_presumption_that_leaves_single_answers_is_no_proof_for_all_n(define, prover_alone):
    module = define("""
        @mechanism
        def far(q: Queries, eps: Epsilon, noise: Noise):
            for i in range(len(q)):
                e = noise.laplace(1 / eps)
                yield q[i] + e + 0 * q[2 * i]

        @alignment(far, epsilon="eps", adjacency="one")
        def phi(q, q_, H):
            return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
        """)
    proof = prover_alone(module.phi)
    assert not proof.complete
    assert proof.conditions["same_output"].how.endswith("defined with two answers or more")
