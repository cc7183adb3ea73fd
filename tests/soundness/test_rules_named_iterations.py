"""Costs of iterations that an answer names: that of its category, or of the bin that it lies in, on D and on D′.

That a cost is counted against whether these iterations are over is a candidate, and obliged of every iteration.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

BIT, BEFORE, AFTER = "bit = 1 if v == j else 0", "[1 if v == j else 0 for j", "[1 if v_ == j else 0 for j"


def told(condition):
    """The bit that a condition on the category and the place gives, on all sides."""
    return {
        BIT: f"bit = 1 if {condition} else 0",
        BEFORE: f"[1 if {condition} else 0 for j",
        AFTER: f"[1 if {condition.replace('v', 'v_')} else 0 for j",
    }


table.base(
    """
    Category = Annotated[Query, Sensitivity("reach"), Lattice(1)]

    @mechanism
    def one_hot(v: Category, d: Count, reach: Positive, eps: Epsilon, noise: Noise):
        for j in range(d):
            flip = noise.choice([exp(eps / 2), 1])
            bit = 1 if v == j else 0
            yield bit if flip == 0 else 1 - bit

    @alignment(one_hot, epsilon="eps")
    def phi(v, v_, d, omega, H):
        before = [1 if v == j else 0 for j in range(len(omega))]
        after = [1 if v_ == j else 0 for j in range(len(omega))]
        return H.shift(
            flip=[0 if b == a else (1 if w == b else -1) for w, b, a in zip(omega, before, after)]
        )
    """,
    right("a bit for each category", "two bits differ", checked=True),
    right("the other bit", changes=told("v != j")),
    right("counted from three", changes=told("v - 3 == j")),
    right("counted down", changes=told("d - v == j")),
    right("two bits for each", "four differ", {**told("v == j or v == j + 1"), 'epsilon="eps"': 'epsilon="2 * eps"'}),
    right("with Laplace noise", "on the bit itself", {
        "flip = noise.choice([exp(eps / 2), 1])": "flip = noise.laplace(2 / eps)",
        "bit if flip == 0 else 1 - bit": "bit + flip",
        "0 if b == a else (1 if w == b else -1) for w, b, a in zip(omega, before, after)":
            "b - a for b, a in zip(before, after)",
    }),
    wrong("at half of what it costs", changes={'epsilon="eps"': 'epsilon="eps / 2"'}, fails="cost", refuted=True),
    wrong("the whole budget for each bit", changes={"exp(eps / 2)": "exp(eps)"}, fails="cost", refuted=True),
    wrong("two bits for each at the price of one", changes=told("v == j or v == j + 1"), fails="cost"),
    wrong("a thermometer", "as many bits differ as categories lie between", told("v >= j"), fails="cost"),
    wrong("all places but a few", "many bits differ", told("v == j or j > v + 20"), fails="cost"),
    wrong("again every third place", "which may be many", told("v == j % 3"), fails="cost"),
    wrong("again after a thousand", "no short run shows it", told("v == j % 1000"), fails="cost"),
    wrong("the bit itself now and then", changes={"yield bit if flip == 0 else 1 - bit":
          "yield bit if flip == 0 or j == 5 else 1 - bit"}),
    wrong("without noise where d is large", changes={"if flip == 0 else": "if flip == 0 or d > 1000 else"}),
)

table.base(
    """
    def in_bin(x, left, width):
        return sum(1 for v in x if left <= v < left + width)

    @mechanism
    def histogram(x: Queries, low: Real, width: Positive, m: Count, eps: Epsilon, noise: Noise):
        for j in range(m):
            eta = noise.laplace(2 / eps)
            yield in_bin(x, low + j * width, width) + eta

    @alignment(histogram, epsilon="eps", adjacency="one")
    def phi(x, x_, low, width, m, H):
        return H.shift(
            eta=[in_bin(x, low + j * width, width) - in_bin(x_, low + j * width, width) for j in range(m)]
        )
    """,
    right("bins of one width", "a row leaves one and enters another", checked=True),
    right("closed on the right", changes={"left <= v < left + width": "left < v <= left + width"}),
    right("closed on neither side", "what lies between two bins is in none", {"left <= v <": "left < v <"}),
    right("with gaps", "half of each bin", {"left + width)": "left + width / 2)"}),
    right("the second half", changes={"left <= v": "left + width / 2 <= v"}),
    wrong("twice as wide", "a row lies in two", {"left + width)": "left + 2 * width)"}, fails="cost", refuted=True),
    wrong("a little wider", "near an end it lies in two", {"left + width)": "left + 1.01 * width)"}, fails="cost"),
    wrong("closed on both sides", "at an end it lies in two", {"< left + width": "<= left + width"}, fails="cost"),
    wrong("from below", "a row lies in all bins above it", {"left <= v <": "v <"}, fails="cost"),
    wrong("from above", "a row lies in all bins below it", {"left <= v < left + width": "left <= v"}, fails="cost"),
    wrong("at half the noise", changes={"2 / eps": "1 / eps"}, fails="cost", refuted=True),
    wrong("of rows that count twice", changes={"sum(1 for": "sum(2 for"}, fails="cost", refuted=True),
    wrong("every row may change", changes={'adjacency="one"': 'adjacency="each"'}, fails="cost", refuted=True),
    wrong("all rows may change a little", "many near an end move over it", {'adjacency="one"': 'adjacency="l1"'},
          fails="cost", refuted=True),
    wrong("all bins at one place", "a row lies in each", {
        "yield in_bin(x, low + j * width, width)": "yield in_bin(x, low, width)",
        "[in_bin(x, low + j * width, width) - in_bin(x_, low + j * width, width)":
            "[in_bin(x, low, width) - in_bin(x_, low, width)",
    }, fails="cost", refuted=True),
    wrong("bins that grow into one another", "a row lies in many", {
        "yield in_bin(x, low + j * width, width)": "yield in_bin(x, low + j * width, (j + 1) * width)",
        "[in_bin(x, low + j * width, width) - in_bin(x_, low + j * width, width)":
            "[in_bin(x, low + j * width, (j + 1) * width) - in_bin(x_, low + j * width, (j + 1) * width)",
    }, fails="cost", refuted=True),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
