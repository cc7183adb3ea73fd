"""What the alignment may rest on beside D: what D presumes, and where a returned variable stays.

And what a cost may be counted against: the multiples that iterations have passed, and windows that end later than the
iteration.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

HASHED, OF_PHI = "q[i] for i in range(len(q)) if h[i] == b", "q[i] - q_[i] for i in range(n) if h[i] == b"

table.base(
    """
    @mechanism
    def sketch(q: Queries, h: Reals, width: Count, T: Real, eps: Epsilon, noise: Noise):
        for b in range(width):
            e = noise.laplace(1 / eps)
            yield sum(q[i] for i in range(len(q)) if h[i] == b) + e

    @alignment(sketch, epsilon="eps", adjacency="one")
    def phi(q, q_, h, width, T, omega, H):
        n = len(q)
        return H.shift(e=[sum(q[i] - q_[i] for i in range(n) if h[i] == b) for b in range(width)])
    """,
    right("each answer is in one sum", "where there is a hash value for each", checked=True),
    right("by items on D", changes={HASHED: "x for i, x in enumerate(q) if h[i] == b"}),
    wrong(
        "pairs on D", "which needs no hash value for each, as the alignment does",
        {HASHED: "x for x, b_x in zip(q, h) if b_x == b"},
    ),
    right("by remainders", "no length is presumed", {HASHED: HASHED.replace("h[i]", "h[i % len(h)]"),
                                                     OF_PHI: OF_PHI.replace("h[i]", "h[i % len(h)]")}),
    right("backwards", changes={HASHED: HASHED.replace("h[i]", "h[len(q) - 1 - i]"),
                                OF_PHI: OF_PHI.replace("h[i]", "h[n - 1 - i]")}),
    wrong(
        "the alignment reads one more", "which D does not need",
        {"range(n) if": "range(n) if h[i + 1] == h[i + 1] and"},
    ),
    wrong(
        "the alignment reads the last of all", "there may be none",
        {"h[i] == b) for b": "h[i] == b) + 0 * h[n] for b"},
    ),
    wrong("one before the first", "position -1 is the last in Python", {OF_PHI: OF_PHI.replace("h[i]", "h[i - 1]")}),
    wrong(
        "the sum of another value",
        changes={OF_PHI: OF_PHI.replace("== b", "== b + 1")}, fails="same_output", refuted=True,
    ),
    wrong("all in each sum", "as many pay", {HASHED: "q[i] for i in range(len(q)) if h[i] >= 0 or h[i] < 0",
                                           OF_PHI: "q[i] - q_[i] for i in range(n)"}, fails="cost", refuted=True),
    wrong("each answer is in many sums",
          changes={HASHED: HASHED.replace("==", ">="), OF_PHI: OF_PHI.replace("==", ">=")},
          fails="cost", refuted=True),
    wrong("each answer may change", changes={'"one"': '"each"'}, fails="cost", refuted=True),
    wrong("at half the noise", changes={"1 / eps": "1 / (2 * eps)"}, fails="cost", refuted=True),
    wrong("an answer if the list is short", "what is presumed says nothing of runs that do not read it",
          {"for b in range(width):": "if T > 0 and len(h) < len(q):\n    yield q[0]\n    return\n"
                                     "for b in range(width):"}),
    wrong("an answer if there is nothing to divide by", "what the alignment divides by is presumed for others",
          {"for b in range(width):": "if len(h) == 0:\n    yield q[0]\n    return\nfor b in range(width):",
           HASHED: HASHED.replace("h[i]", "h[i % len(h)]"), OF_PHI: OF_PHI.replace("h[i]", "h[i % len(h)]")}),
    wrong("a private hash value", changes={HASHED: HASHED.replace("h[i]", "(h[i] if q[i] > 0 else 0)")}, refuted=True),
    wrong(
        "a private position", "whether there is such an item",
        {HASHED: HASHED.replace("h[i]", "h[0 if q[i] > 0 else 5]")},
    ),
    wrong("a private division", "whether it is made", {HASHED: HASHED.replace("h[i]", "(1 / T if q[i] > 0 else 0)"),
                                                       OF_PHI: OF_PHI.replace("h[i]", "(1 / T if q[i] > 0 else 0)")}),
)

table.base(
    """
    @mechanism
    def last_above(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        top = 0
        for j in range(len(q)):
            e = noise.laplace(2 / eps)
            if q[j] + e >= T:
                top = j
        f = noise.laplace(2 / eps)
        return top, sum(x / (top + 1) for x in q) + f

    @alignment(last_above, epsilon="eps", adjacency="one")
    def phi(q, q_, T, omega, H):
        return H.shift(
            e=[q[j] - q_[j] for j in range(len(q))],
            f=sum(x / (omega[0] + 1) for x in q) - sum(x / (omega[0] + 1) for x in q_),
        )
    """,
    right("it is no less than 0", checked=True),
    right("a count", changes={"top = j": "top += 1"}),
    right("from 1 on", changes={"top = 0": "top = 1", "= j": "= j + 1", "top + 1)": "top)",
                                "sum(x / (omega[0] + 1) for x in q) -": "sum(x / omega[0] for x in q) -",
                                "sum(x / (omega[0] + 1) for x in q_)": "sum(x / omega[0] for x in q_)"}),
    wrong("it counts down", "from 0 to -1", {"top = j": "top -= 1"}),
    wrong("it begins below", changes={"top = 0": "top = -1"}),
    wrong("one before", "-1 in the first iteration", {"top = j": "top = j - 1"}),
    wrong("less after the loop", "what is returned is another number", {"f = noise": "top -= 1\nf = noise"}),
    wrong("less in the end of some", changes={"f = noise": "if T > 3:\n    top = -1\nf = noise"}),
    wrong("the alignment takes too much", "it may be 0", {"sum(x / (omega[0] + 1) for x in q) -":
                                                         "sum(x / (omega[0] + 1) for x in q) + 0 / omega[0] -"}),
    wrong("as many as there are", "it is less", {"sum(x / (omega[0] + 1) for x in q) -":
                                               "sum(x / (omega[0] + 1) for x in q) + 0 / (len(q) - 1 - omega[0]) -"}),
    wrong("an answer decides", changes={"q[j] + e >= T": "q[j] >= T"}, refuted=True),
    wrong("half the noise", changes={"e = noise.laplace(2": "e = noise.laplace(1"}, fails="cost", refuted=True),
    wrong("a sum of its own", "top is not 0", {"sum(x / (omega[0] + 1) for x in q) -": "sum(x for x in q) -",
                                              "sum(x / (omega[0] + 1) for x in q_)": "sum(x for x in q_)"},
          refuted=True),
    wrong("the answers are multiplied",
          changes={"x / (top": "x * (top", "x / (omega[0] + 1) for x in q)": "x * (omega[0] + 1) for x in q)",
                                               "x / (omega[0] + 1) for x in q_": "x * (omega[0] + 1) for x in q_"},
          fails="cost", refuted=True),
    wrong("a private step", changes={"top = j": "top += 1 if q[j] > 0 else 2"}, refuted=True),
)

SINCE = "sum(q[j] - q_[j] for j in range(i + 1))"

table.base(
    """
    @mechanism
    def every_b(q: Queries, B: Count, eps: Epsilon, noise: Noise):
        measurements = len(q) // B
        total = 0
        told = 0
        for i, q_i in enumerate(q):
            total += q_i
            if (i + 1) % B == 0:
                e = noise.laplace(measurements / eps)
                told = total + e
            yield told

    @alignment(every_b, epsilon="eps", adjacency="one")
    def phi(q, q_, B, H):
        return H.shift(e=[sum(q[j] - q_[j] for j in range(i + 1)) for i in range(len(q))])
    """,
    right("each measurement has its share", checked=True),
    right("by the rest", changes={"(i + 1) % B == 0": "i % B == B - 1"}),
    right(
        "at the begin of each", "one more where a part is left",
        {"(i + 1) % B": "i % B", "len(q) // B": "(len(q) + B - 1) // B"},
    ),
    wrong("at the begin of each, one too few", changes={"(i + 1) % B": "i % B"}, refuted=True),
    wrong("twice as many", changes={"(i + 1) % B == 0": "(i + 1) % B == 0 or (i + 2) % B == 0"}),
    wrong("all the others", "they are B - 1 times as many", {"% B == 0": "% B != 0"}, refuted=True),
    wrong("every step", changes={"(i + 1) % B == 0": "(i + 1) % B >= 0"}, refuted=True),
    wrong("by twice the steps", changes={"len(q) // B": "len(q) // (2 * B)"}, refuted=True),
    wrong("by one less", changes={"len(q) // B": "max(1, len(q) // B - 1)"}, refuted=True),
    wrong(
        "with half the noise",
        changes={"measurements / eps": "measurements / (2 * eps)"}, fails="cost", refuted=True,
    ),
    wrong("twice the step", "each is moved twice as far", {SINCE: f"2 * {SINCE}", "total + e": "2 * total + e"},
          fails="cost", refuted=True),
    wrong("each answer may change, steps", "measurements add up", {'"one"': '"each"'}, fails="cost", refuted=True),
    wrong("a private step, steps", changes={"(i + 1) % B == 0": "(i + (1 if q_i > 0 else 2)) % B == 0"}, refuted=True),
    wrong("the total in between", changes={"yield told": "yield told if (i + 1) % B == 0 else total"}, refuted=True),
)

AHEAD = "q[j] for j in range(len(q)) if i <= j < i + 3"
SHIFTED = "q[j] - q_[j] for j in range(len(q)) if i <= j < i + 3"


def on_both(condition):
    """A window that a condition gives, on both sides."""
    return {text: text.replace("i <= j < i + 3", condition) for text in (AHEAD, SHIFTED)}


table.base(
    """
    @mechanism
    def windows_ahead(q: Queries, T: Reals, w: Count, eps: Epsilon, noise: Noise):
        for i in range(len(T)):
            e = noise.laplace(3 / eps)
            yield sum(q[j] for j in range(len(q)) if i <= j < i + 3) + e

    @alignment(windows_ahead, epsilon="eps", adjacency="one")
    def phi(q, q_, T, w, H):
        return H.shift(e=[sum(q[j] - q_[j] for j in range(len(q)) if i <= j < i + 3) for i in range(len(T))])
    """,
    right("each answer pays three times", checked=True),
    right("windows behind", changes=on_both("i - 3 < j <= i")),
    right("windows of w", changes={**on_both("i <= j < i + w"), "3 / eps": "w / eps"}),
    right("windows further ahead", changes=on_both("i + 2 <= j < i + 5")),
    right("windows around", changes=on_both("i - 1 <= j <= i + 1")),
    wrong("one more", changes=on_both("i <= j < i + 4"), fails="cost", refuted=True),
    wrong("one more behind", changes=on_both("i - 1 <= j < i + 3"), fails="cost", refuted=True),
    wrong("windows of w at the price of 3", changes=on_both("i <= j < i + w"), fails="cost", refuted=True),
    wrong("all from here", changes=on_both("i <= j"), fails="cost", refuted=True),
    wrong("all from there", changes=on_both("i + 3 <= j"), fails="cost", refuted=True),
    wrong("all up to there", changes=on_both("j < i + 3"), fails="cost", refuted=True),
    wrong("wider and wider", "i + 1 answers", on_both("i <= j < 2 * i + 1"), fails="cost"),
    wrong("all but the window", changes=on_both("j < i or j >= i + 3"), fails="cost", refuted=True),
    wrong("one more on D", changes={AHEAD: AHEAD.replace("+ 3", "+ 4")}, fails="same_output", refuted=True),
    wrong(
        "one less in the alignment",
        changes={SHIFTED: SHIFTED.replace("+ 3", "+ 2")}, fails="same_output", refuted=True,
    ),
    wrong("at half the noise, window", changes={"3 / eps": "3 / (2 * eps)"}, fails="cost", refuted=True),
    wrong("each answer may change, window", changes={'"one"': '"each"'}, fails="cost", refuted=True),
)

table.base(
    """
    @mechanism
    def histogram(
        q: Annotated[Queries, Sensitivity("delta")], k: Count, w: Positive, delta: Positive, eps: Epsilon, noise: Noise
    ):
        for j in range(k):
            e = noise.laplace(2 / eps)
            yield sum(1 for x in q if j * w <= x < (j + 1) * w) + e

    @alignment(histogram, epsilon="eps", adjacency="one")
    def phi(q, q_, k, w, H):
        return H.shift(
            e=[
                sum(1 for x in q if j * w <= x < (j + 1) * w) - sum(1 for y in q_ if j * w <= y < (j + 1) * w)
                for j in range(k)
            ]
        )
    """,
    right("an answer leaves one bin for another", checked=True),
    wrong("at half the noise, histogram", changes={"2 / eps": "1 / eps"}, fails="cost", refuted=True),
    wrong("the count of the answers below", changes={
        "1 for x in q if j * w <= x < (j + 1) * w) + e": "1 for x in q if x < (j + 1) * w) + e",
        "1 for x in q if j * w <= x < (j + 1) * w) -": "1 for x in q if x < (j + 1) * w) -",
        "j * w <= y < (j + 1) * w": "y < (j + 1) * w",
    }, fails="cost"),
    wrong("two are counted for each", changes={
        "1 for x in q if j * w <= x < (j + 1) * w) + e": "2 for x in q if j * w <= x < (j + 1) * w) + e",
        "1 for x in q if j * w <= x < (j + 1) * w) -": "2 for x in q if j * w <= x < (j + 1) * w) -",
        "1 for y": "2 for y",
    }, fails="cost", refuted=True),
    wrong("the answers themselves", "they are larger than 1", {
        "1 for x in q if j * w <= x < (j + 1) * w) + e": "x for x in q if j * w <= x < (j + 1) * w) + e",
        "1 for x in q if j * w <= x < (j + 1) * w) -": "x for x in q if j * w <= x < (j + 1) * w) -",
        "1 for y": "y for y",
    }, fails="cost"),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
