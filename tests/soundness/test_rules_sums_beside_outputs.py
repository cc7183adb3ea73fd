"""Sums over private rows in a shift that reads what the iteration before has put out, as in rounds of a descent."""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

table.base(
    """
    def part(x, w):
        return sum(clamp(w - v, -1, 1) for v in x)

    @mechanism
    def descent(x: Annotated[Queries, Sensitivity("d")], rate: Real, k: Count, d: Positive, eps: Epsilon, noise: Noise):
        w = 0
        for t in range(k):
            z = noise.laplace(2 * k / eps)
            w = w - rate * (part(x, w) + z)
            yield w

    @alignment(descent, epsilon="eps", adjacency="one")
    def phi(x, x_, k, omega, H):
        before = [0, *omega]
        return H.shift(z=[part(x, before[t]) - part(x_, before[t]) for t in range(k)])
    """,
    right("each round by the gradient where it is", checked=True),
    right("by signs", changes={"clamp(w - v, -1, 1)": "(1 if w > v else -1)"}),
    right("only some rows", changes={"for v in x)": "for v in x if v > w)"}),
    wrong("the output of this round", "it depends on the noise that is moved", {
        "[part(x, before[t]) - part(x_, before[t])": "[part(x, omega[t]) - part(x_, omega[t])",
    }),
    wrong("the output of the next round", changes={
        "[part(x, before[t]) - part(x_, before[t])":
            "[part(x, omega[min(t + 1, k - 1)]) - part(x_, omega[min(t + 1, k - 1)])",
    }),
    wrong("the last output", "it looks ahead", {
        "[part(x, before[t]) - part(x_, before[t])": "[part(x, omega[-1]) - part(x_, omega[-1])",
    }),
    wrong("the round before the last", changes={"before = [0, *omega]": "before = [0, 0, *omega]"}),
    wrong("it begins elsewhere", changes={"before = [0, *omega]": "before = [1, *omega]"}),
    wrong("the noise of one round", changes={"2 * k / eps": "2 / eps"}, fails="cost"),
    wrong("the noise of a row that comes or goes", changes={"2 * k / eps": "k / eps"}, fails="cost", refuted=True),
    wrong("every row may change", changes={'"one"': '"each"'}, fails="cost"),
    wrong("two rows may change", changes={'"one"': '"few(2)"'}, fails="cost"),
    wrong("rows that are not cut off", changes={"clamp(w - v, -1, 1)": "(w - v)"}, fails="cost"),
    wrong("cut off on one side", changes={"clamp(w - v, -1, 1)": "max(w - v, -1)"}, fails="cost"),
    wrong("moved by a step for nothing", "a sum of no rows that changes", {
        "part(x, before[t]) - part(x_, before[t])": "part(x, before[t]) - part(x_, before[t]) + 1",
    }),
    wrong("a step where the output is above 0", "the shift of a branch", {
        "before = [0, *omega]": "before = [0, *omega] if part(x, omega[0]) > 0 else [0, *omega]",
    }),
    wrong("no output tells where it is", "what is told is not what the sum reads", {
        "yield w": "yield 2 * w",
    }),
    wrong("the private rows move it too", "D' is elsewhere", {
        "w = w - rate * (part(x, w) + z)": "w = w - rate * (part(x, w) + z) + x[0] / 100",
    }),
    wrong("a raw row after forty rounds", "no short run shows it", {
        "yield w": "w = w + (x[0] if t == 40 else 0)\nyield w",
    }),
    wrong("on a grid of one scale", "the scale reads where it is, and is not told", {
        "2 * k / eps": "2 * k * (1 + abs(x[0])) / eps",
    }),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
