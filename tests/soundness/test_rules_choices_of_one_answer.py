"""Choices in a loop whose weights read the answer at hand: where that is the same on D and D′, they cost nothing."""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

table.base(
    """
    @mechanism
    def responses(x: Annotated[Queries, Sensitivity("d")], t: Real, d: Positive, eps: Epsilon, noise: Noise):
        for v in x:
            said = noise.choice([exp(eps), 1] if v >= t else [1, exp(eps)])
            yield said

    @alignment(responses, epsilon="eps", adjacency="one")
    def phi(H):
        return H.shift()
    """,
    right("one person answers otherwise", checked=True),
    right("weights chosen one by one", changes={
        "[exp(eps), 1] if v >= t else [1, exp(eps)]": "[exp(eps) if v >= t else 1, 1 if v >= t else exp(eps)]",
    }),
    right("two people", changes={'"eps", adjacency="one"': '"2 * eps", adjacency="few(2)"'}),
    right("of three outcomes", changes={
        "[exp(eps), 1] if v >= t else [1, exp(eps)]":
            "[exp(eps), 1, 1] if v < t else [1, exp(eps), 1] if v < t + 1 else [1, 1, exp(eps)]",
    }),
    right("by how large the answer is", "the one-bit mean", {
        "[exp(eps), 1] if v >= t else [1, exp(eps)]":
            "[exp(eps) - clamp(v, 0, 1) * (exp(eps) - 1), 1 + clamp(v, 0, 1) * (exp(eps) - 1)]",
    }),
    right("numbers for weights", changes={
        "[exp(eps), 1] if v >= t else [1, exp(eps)]": "[2, 1] if v >= t else [1, 2]",
        '"eps", adjacency="one"': '"log(2)", adjacency="one"',
    }),
    wrong("everybody may answer otherwise", changes={'"one"': '"each"'}, fails="cost"),
    wrong("small changes of everybody", changes={'"one"': '"l1"'}),
    wrong("two people at the price of one", changes={'"one"': '"few(2)"'}, fails="cost", refuted=True),
    wrong("at half the price", changes={'"eps", adjacency': '"eps / 2", adjacency'}, fails="cost", refuted=True),
    wrong("asked twice", changes={
        "yield said": "again = noise.choice([exp(eps), 1] if v >= t else [1, exp(eps)])\nyield 2 * said + again",
    }),
    wrong("the first person's answer in every weight", changes={
        "if v >= t else": "if v + x[0] >= t else",
    }),
    wrong("the answer before in the weights too", changes={
        "for v in x:\n": "for i, v in enumerate(x):\n", "if v >= t": "if v + x[max(i - 1, 0)] >= t",
    }),
    wrong("all answers so far", "their sum may differ where the answer at hand does not", {
        "for v in x:\n": "for i, v in enumerate(x):\n", "if v >= t": "if sum(x[:i + 1]) >= t",
    }),
    wrong("a weight of 0 on one side", changes={"else [1, exp(eps)]": "else [0, exp(eps)]"}),
    wrong("sums of weights that differ", "of three outcomes the first has another probability", {
        "[exp(eps), 1] if v >= t else [1, exp(eps)]": "[1, exp(eps), exp(eps)] if v >= t else [exp(eps), 1, 1]",
    }, fails="cost"),
    wrong("twice the exponent", changes={"[exp(eps), 1]": "[exp(2 * eps), 1]"}),
    wrong("the other outcome for one person", "it costs something though no answer changes", {
        "H.shift()": "H.shift(said=[1 - 2 * w if i == 0 else 0 for i, w in enumerate(omega)])",
        "phi(H)": "phi(omega, H)",
    }),
    wrong("the true answer after the fiftieth", "no short run shows it", {
        "for v in x:\n": "for i, v in enumerate(x):\n", "yield said": "yield said if i < 50 or v < t else 2",
    }),
)

table.base(
    """
    @mechanism
    def unary(x: Annotated[Query, Sensitivity("d"), Lattice(1)], k: Count, d: Annotated[Positive, Lattice(1)],
              eps: Epsilon, noise: Noise):
        for j in range(k):
            said = noise.choice([1, exp(eps / 2)] if x == j else [exp(eps / 2), 1])
            yield said

    @alignment(unary, epsilon="eps")
    def phi(H):
        return H.shift()
    """,
    right("one of k items", checked=True),
    wrong("the whole budget for each bit", changes={"[1, exp(eps / 2)]": "[1, exp(eps)]"}, fails="cost"),
    wrong("at the price of one bit", changes={'epsilon="eps"': 'epsilon="eps / 2"'}, fails="cost", refuted=True),
    wrong("all items up to x", "up to k bits differ", {"if x == j": "if j <= x"}, fails="cost"),
    wrong("every other item", "half of the bits differ", {"if x == j": "if x - j == 2 * round((x - j) / 2)"}),
    wrong("the item and the next", "four bits differ", {"if x == j": "if x == j or x == j + 1"}, fails="cost"),
    wrong("asked twice about each item", changes={
        "yield said":
            "again = noise.choice([1, exp(eps / 2)] if x == j else [exp(eps / 2), 1])\nyield said + 2 * again",
    }),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
