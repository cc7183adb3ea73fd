"""Calls of one mechanism in every round of a loop, where few answers change: each round pays the lemma's claim."""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

table.base(
    """
    @mechanism
    def total(q: Queries, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return sum(q) + e

    @alignment(total, epsilon="eps", adjacency="one")
    def one(q, q_, H):
        return H.shift(e=sum(q) - sum(q_))

    @mechanism
    def best_of(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        best = 0
        for r in range(k):
            y = total(q, eps / k, noise)
            best = max(best, y)
        return best

    @alignment(best_of, epsilon="eps", adjacency="one", lemmas=[one])
    def phi(H):
        return H.shift()
    """,
    right("the whole list in every round", checked=True),
    right("the claim of each round", changes={
        "y = total(q, eps / k, noise)": "y = total(q, eps, noise)",
        'best_of, epsilon="eps"': 'best_of, epsilon="k * eps"',
    }),
    right("every round is told", changes={"best = max(best, y)": "yield y", "return best": "yield best"}),
    right("half of each answer", "adjacent in the callee's sense", {"y = total(q,": "y = total([x / 2 for x in q],"}),
    right("a public list in some rounds", changes={"y = total(q,": "y = total([x if r > 0 else 0 for x in q],"}),
    wrong("the budget of one round", changes={"eps / k, noise": "eps, noise"}, fails="cost"),
    wrong("the budget of one round less", changes={"eps / k, noise": "eps / max(k - 1, 1), noise"}, fails="cost"),
    wrong("half of the price", changes={'best_of, epsilon="eps"': 'best_of, epsilon="eps / 2"'}, fails="cost"),
    wrong("every answer may change", "it is not what the lemma is of", {
        'best_of, epsilon="eps", adjacency="one"': 'best_of, epsilon="eps", adjacency="each"',
    }),
    wrong("two answers may change", changes={
        'best_of, epsilon="eps", adjacency="one"': 'best_of, epsilon="eps", adjacency="few(2)"',
    }),
    wrong("twice each answer", changes={"y = total(q,": "y = total([2 * x for x in q],"}),
    wrong("two calls in a round", changes={
        "best = max(best, y)": "z = total(q, eps / k, noise)\nbest = max(best, z)",
    }, fails="cost"),
    wrong("one round more", changes={"range(k)": "range(k + 1)"}, fails="cost"),
    wrong("a call where an answer is above 0", changes={
        "best = max(best, y)": "if q[0] > 0:\n    z = total(q, eps / k, noise)\n    best = z",
    }),
    wrong("as many rounds as an answer says", changes={"best = max(best, y)": "if q[0] > r:\n    break"}),
    wrong("the first answer beside it in every list", "all items change", {
        "y = total(q,": "y = total([x + q[0] for x in q],",
    }),
    wrong("more budget where an answer is above 0", changes={
        "eps / k, noise": "eps / k if q[0] > 0 else eps / (2 * k), noise",
    }),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
