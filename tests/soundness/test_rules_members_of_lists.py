"""Whether a number is among the items of a list that a loop makes longer: the same on both runs."""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

LEFT_OUT = "[floor if i in chosen else x for i, x in enumerate(q)]"

table.base(
    """
    @mechanism
    def noisy_largest(q: Queries, eps: Epsilon, noise: Noise):
        e = [noise.laplace(2 / eps) for x in q]
        (best,) = largest([x + e_i for x, e_i in zip(q, e)], 1)
        return best

    @alignment(noisy_largest, epsilon="eps")
    def one(q, q_, omega, H):
        return H.shift(e=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])

    @mechanism
    def peeling(q: Queries, floor: Real, k: Count, eps: Epsilon, noise: Noise):
        chosen = []
        for r in range(k):
            best = noisy_largest([floor if i in chosen else x for i, x in enumerate(q)], eps / k, noise)
            chosen = [*chosen, best]
            yield best

    @alignment(peeling, epsilon="eps", lemmas=[one])
    def phi(q, q_, H):
        return H.shift()
    """,
    right("a floor for what was chosen", checked=True),
    right("half the answers that were chosen", changes={"floor if i in": "x / 2 if i in"}),
    right("only what was chosen", changes={"i in chosen": "i not in chosen"}),
    right("and the next ones", changes={"i in chosen": "i in chosen or i - 1 in chosen"}),
    right("it begins with the first", changes={"chosen = []": "chosen = [0]"}),
    right("told at once", changes={"yield best": "if best in chosen:\n    yield best"}),
    right("rounds that are chosen", changes={"yield best": "yield best if r in chosen else -1"}),
    wrong("twice what was chosen", "each may change by two", {"floor if i in": "2 * x if i in"}, fails="cost"),
    wrong("the first answer beside them", "it changes all", {"floor if i in": "q[0] + x if i in"}, fails="cost"),
    wrong("an answer where r is not chosen", changes={"yield best": "yield q[0] if r not in chosen else best"}),
    wrong("an answer where the seventh is chosen", changes={"yield best": "yield best if 7 not in chosen else q[7]"}),
    wrong("an answer where the fortieth is chosen", "no short run shows it", {
        "yield best": "yield best\nif 40 in chosen:\n    yield q[40]",
    }),
    wrong("it begins with what an answer says", changes={"chosen = []": "chosen = [0 if q[0] > 0 else 1]"}),
    wrong("what an answer says is appended", changes={"[*chosen, best]": "[*chosen, best if q[best] > 0 else 0]"}),
    wrong("more where an answer is above 0", changes={
        "chosen = [*chosen, best]": "chosen = [*chosen, best]\nif q[0] > 0:\n    chosen = [*chosen, best + 1]",
    }),
    wrong("another call for what was chosen before", "two calls in a round", {
        "chosen = [*chosen, best]": (
            "if best in chosen:\n    best = noisy_largest(q, eps / k, noise)\nchosen = [*chosen, best]"
        ),
    }, fails="cost"),
    wrong("the whole budget where 0 is chosen", changes={"eps / k, noise": "eps if 0 in chosen else eps / k, noise"}),
    wrong("at the budget of one round less", changes={"eps / k, noise": "eps / max(k - 1, 1), noise"}, fails="cost"),
    wrong("a list of those that are left", changes={LEFT_OUT: "[x for i, x in enumerate(q) if i not in chosen]"}),
)

table.base(
    """
    @mechanism
    def marked(q: Queries, eps: Epsilon, noise: Noise):
        above = []
        for i, x in enumerate(q):
            e = noise.laplace(1 / eps)
            above = [*above, 1 if x + e > 0 else 0]
            yield ABOVE if 1 in above else BELOW

    @alignment(marked, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("what noise decided"),
    right("not among them", changes={"ABOVE if 1 in above else BELOW": "BELOW if 1 not in above else ABOVE"}),
    wrong("what the answers decided", changes={"x + e > 0": "x > 0"}, refuted=True),
    wrong("by other noise", "its shift is of the other side", {"x + e > 0": "x - e > 0"}, refuted=True),
    wrong("every answer may change", changes={'"one"': '"each"'}, fails="cost", refuted=True),
    wrong("at half the noise", changes={"1 / eps": "1 / (2 * eps)"}, fails="cost", refuted=True),
    wrong("which of them", "the number of the answer", {"1 if x + e > 0 else 0": "i if x > 0 else -1"}),
    wrong("a raw answer after twenty", "no short run shows it", {
        "ABOVE if 1 in above else BELOW": "ABOVE if 1 in above else BELOW if i < 20 else x",
    }),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
