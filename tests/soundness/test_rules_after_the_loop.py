"""What is put out after a loop, as an alignment reads it before the loop is over; and thresholds that are to come.

How much comes after the loop is foreseen in every iteration and obliged where each run ends. A number that is put out
there is one number for the whole run. What a shift does to the last draw of a threshold matters to no later iteration.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

FOUND = "1 + score[i] - score_[i] if omega[i] is ABOVE else 0 for i in range(len(omega) - 1)"
PLACED = "1 + window[j] - window_[j] if j == omega[-1] else 0"

table.base(
    """
    @mechanism
    def change_point(score: Queries, window: Queries, T: Real, eps: Epsilon, noise: Noise):
        rho = noise.laplace(4 / eps)
        for s in score:
            nu = noise.laplace(8 / eps)
            if s + nu >= T + rho:
                yield ABOVE
                break
            else:
                yield BELOW
        e = [noise.laplace(4 / eps) for x in window]
        (start,) = largest([x + e_j for x, e_j in zip(window, e)], 1)
        yield start

    @alignment(change_point, epsilon="eps")
    def phi(score, score_, window, window_, omega, H):
        return H.shift(
            rho=1,
            nu=[1 + score[i] - score_[i] if omega[i] is ABOVE else 0 for i in range(len(omega) - 1)],
            e=[1 + window[j] - window_[j] if j == omega[-1] else 0 for j in range(len(window))],
        )
    """,
    right("tags, then an index", "half pays for the search, half for the place", checked=True),
    right("by its position", changes={"j == omega[-1]": "j == omega[len(omega) - 1]"}),
    right("not beside the place", changes={PLACED: "0 if j != omega[-1] else 1 + window[j] - window_[j]"}),
    right(
        "two outputs after it", "the last says nothing",
        {"yield start": "yield start\nyield BELOW", "len(omega) - 1": "len(omega) - 2", "omega[-1]": "omega[-2]"},
    ),
    wrong("the first output", "which is a tag", {"j == omega[-1]": "j == omega[0]"}),
    wrong("the output before the last", "which is a tag", {"j == omega[-1]": "j == omega[-2]"}),
    wrong("the next place", changes={"j == omega[-1]": "j == omega[-1] + 1"}, refuted=True),
    wrong("all places up to it", "they are many", {"j == omega[-1]": "j <= omega[-1]"}, fails="cost"),
    wrong("all places beside it", "they are many", {"j == omega[-1]": "j != omega[-1]"}, refuted=True),
    wrong("one shift less", "the winner has none", {"len(omega) - 1": "len(omega) - 2"}, refuted=True),
    wrong("at half the noise of the place", changes={"e = [noise.laplace(4 / eps)": "e = [noise.laplace(2 / eps)"},
          fails="cost", refuted=True),
    wrong("without noise of the place", "it is told as it is", {"[x + e_j for": "[x + 0 * e_j for"}, refuted=True),
    wrong("no output after a winner", "the last output is its tag", {"break": "return"}, refuted=True),
    wrong("an output that only some runs give", "an index above 0", {"yield start": "if start > 0:\n    yield start"}),
    wrong(
        "one that the answers give", "they are told whether window[0] is above 0",
        {"yield start": "if window[0] > 0:\n    yield start"},
    ),
    wrong(
        "one more where the threshold is high", "no short run shows it",
        {"yield start": "yield start\nif T > 1000:\n    yield window[0]"},
    ),
    wrong(
        "none where the threshold is high", "no short run shows it",
        {"yield start": "if T <= 1000:\n    yield start\nelse:\n    yield window[0]"},
    ),
    wrong("the answer beside the place", changes={"yield start": "yield start\nyield window[start]"}, refuted=True),
    wrong("the answer for the place", changes={"yield start": "yield window[start]"}, refuted=True),
    wrong(
        "a tag that the answers choose", "they are told whether window[0] is above 0",
        {"yield start": "yield ABOVE if window[0] > 0 else BELOW", "j == omega[-1]": "j == 0"}, refuted=True,
    ),
    wrong("a number of iterations", "it is not that of the place", {"j == omega[-1]": "j == len(omega) - 2"}),
)

table.base(
    """
    @mechanism
    def redrawn(q: Queries, T: Real, c: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 * c / eps)
        threshold = T + rho
        count = 0
        for q_i in q:
            nu = noise.laplace(4 * c / eps)
            if q_i + nu >= threshold:
                yield ABOVE
                count += 1
                fresh = noise.laplace(2 * c / eps)
                threshold = T + fresh
            else:
                yield BELOW
            if count >= c:
                break

    @alignment(redrawn, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(
            rho=1,
            nu=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],
            fresh=[1 if i < len(omega) - 1 else 0 for i in range(len(omega))],
        )
    """,
    right("the last draw stays", "c thresholds are paid for", checked=True),
    right("asked the other way round", changes={"1 if i < len(omega) - 1 else 0": "0 if i >= len(omega) - 1 else 1"}),
    right("the next is there", changes={"i < len(omega) - 1": "i + 1 < len(omega)"}),
    right("all draws move", "c + 1 thresholds are paid for", {
        "1 if i < len(omega) - 1 else 0": "1", '"eps"': '"eps + eps / (2 * c)"',
    }),
    wrong(
        "all draws move at the price of c", "c + 1 are paid for",
        {"1 if i < len(omega) - 1 else 0": "1"}, fails="cost", refuted=True,
    ),
    wrong("the last two stay", changes={"len(omega) - 1": "len(omega) - 2"}, refuted=True),
    wrong("the first stays", "only the later ones move", {"rho=1": "rho=0"}, refuted=True),
    wrong("none moves but the first", changes={"1 if i < len(omega) - 1 else 0": "0"}, refuted=True),
    wrong("only the last moves", changes={"i < len(omega) - 1": "i >= len(omega) - 1"}, refuted=True),
    wrong("by two", "winners are moved by one", {"1 if i < len": "2 if i < len"}, refuted=True),
    wrong("one winner more", changes={"count >= c": "count > c"}, fails="cost", refuted=True),
    wrong("any number of winners", changes={"count >= c": "count >= c + 1000 * c"}, fails="cost"),
    wrong("no end", changes={"if count >= c:\n    break": ""}, fails="cost", refuted=True),
    wrong("at half the noise", changes={"fresh = noise.laplace(2 * c / eps)": "fresh = noise.laplace(c / eps)"},
          fails="cost", refuted=True),
    wrong("the threshold itself after it", changes={"threshold = T + fresh": "threshold = T"}, refuted=True),
    wrong(
        "a threshold that the answers move", "it is told by what follows",
        {"threshold = T + fresh": "threshold = q_i + fresh"}, refuted=True,
    ),
)


table.base(
    """
    @mechanism
    def total_above(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        total = 0
        for x in q:
            total += x
        f = noise.laplace(1 / eps)
        yield ABOVE if total + f >= T else BELOW

    @alignment(total_above, epsilon="eps", adjacency="one")
    def phi(q, q_, omega, H):
        d = abs(sum(q[i] - q_[i] for i in range(len(q))))
        return H.shift(f=d if omega[0] is ABOVE else -d)
    """,
    right("a loop that puts out nothing", checked=True),
    right("counted from the end", changes={"omega[0]": "omega[-1]"}),
    right("the second", changes={"total = 0": "total = 0\nyield BELOW", "omega[0]": "omega[1]"}),
    wrong("the first of two", changes={"total = 0": "total = 0\nyield BELOW"}, refuted=True),
    wrong("there is no second", changes={"omega[0]": "omega[1]"}, refuted=True),
    wrong("the other way round", changes={"is ABOVE": "is BELOW"}, refuted=True),
    wrong("the total beside it", changes={"yield ABOVE": "yield total\nyield ABOVE"}, refuted=True),
    wrong("the total where it is high", "no short run shows it", {
        "yield ABOVE": "if total > 1000000:\n    yield total\nyield ABOVE",
    }),
    wrong("nothing where the total is low", "so tells the output what it is", {
        "f = noise": "if total < -1000000:\n    return\nf = noise",
    }),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
