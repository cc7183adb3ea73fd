"""Loops under conditions, blocks, totals that are kept to the end, and Booleans: what their rules might let pass.

First, what a loop goes through must be defined where the loop is not run: nothing may be presumed there. Then programs
with one step that is not paid for, or one value that private answers decide.
"""

# Programs under test branch without an effect, and draw noise that they do not use.

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

# What the loop goes through is undefined where the loop is not run, and there an answer is told

table.base(
    """
    @mechanism
    def by_parts(q: Queries, w: Reals, m: Count, T: Real, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        share = 1
        if m > 1:
            for i in range(len(q)):
                yield BELOW
        else:
            share = 0
        yield q[0] + share * e

    @alignment(by_parts, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q[0] - q_[0])
    """,
    wrong("all of it", "the noise is left out at m = 1", refuted=True),
    wrong("a part of it", "m = 1 is an input like others", {"range(len(q))": "range(len(q) // (m - 1))"}),
    wrong("a remainder", "m = 1 is an input like others", {"range(len(q))": "range(len(q) % (m - 1))"}),
    wrong("at least all of it", "a run for small m reaches each line, and none at m = 4321 is tried", {
        "m > 1": "m != 4321", "range(len(q))": "range(max(len(q), len(q) // (m - 4321)))",
    }),
    wrong("the greatest of none", "a range of no numbers has none", {"range(len(q))": "range(max(range(m - 1)))"}),
    wrong("the least of none", "it has no least either", {"range(len(q))": "range(len(q) + min(range(1, m)))"}),
    wrong("in two lists", "one of them is undefined", {
        "for i in range(len(q)):": "for i, x in zip(range(len(q) // (m - 1)), q):",
    }),
    wrong("by a length", "w has one item", {
        "m > 1": "len(w) > 1", "range(len(q))": "range(min(len(q), len(w) // (len(w) - 1)))",
    }),
    wrong("by a variable", "d is 0 at m = 1", {
        "if m > 1:": "d = m - 1\nif d > 0:", "range(len(q))": "range(len(q) // d)",
    }),
    wrong("by a flag", "the flag is False at m = 1", {
        "if m > 1:": "on = m > 1\nif on:", "range(len(q))": "range(len(q) // (m - 1))",
    }),
    wrong("in the other branch", "the first branch tells the answer", {
        "if m > 1:\n    for i in range(len(q)):\n        yield BELOW\nelse:\n    share = 0":
            "if m == 1:\n    share = 0\nelse:\n    for i in range(len(q) // (m - 1)):\n        yield BELOW",
    }),
    wrong("under two conditions", "the noise is left out under the first alone", {
        "if m > 1:\n    for i in range(len(q)):\n        yield BELOW\nelse:\n    share = 0":
            "if T > 0:\n    if m > 1:\n        for i in range(len(q) // (m - 1)):\n            yield BELOW\n"
            "    else:\n        share = 0",
    }),
    wrong("after it", "another condition asks for the same", {
        "else:\n    share = 0": "if m == 1:\n    share = 0", "range(len(q))": "range(len(q) // (m - 1))",
    }),
)

table.base(
    """
    @mechanism
    def in_rounds(q: Queries, m: Count, k: Count, eps: Epsilon, noise: Noise):
        for r in range(k):
            if m > 1:
                for i in range(len(q) // (m - 1)):
                    yield BELOW
            else:
                yield q[0]

    @alignment(in_rounds, epsilon="eps")
    def phi(q, q_, H):
        return H.shift()
    """,
    wrong("in a loop", "each round tells an answer at m = 1"),
    wrong("by the round", "the first one tells it", {"m > 1": "r > 0", "len(q) // (m - 1)": "len(q) // r"}),
)

# One step that is not paid for

table.base(
    """
    @mechanism
    def sometimes(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        e = noise.laplace(2 / eps)
        size = sum(q) + e
        out = []
        if size >= T:
            for q_i in q:
                f = noise.laplace(2 / eps)
                out = [*out, q_i + f]
        return out

    @alignment(sometimes, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(e=sum(q) - sum(q_), f=[q[i] - q_[i] for i in range(len(q))])
    """,
    wrong("one more item", "a raw answer", {"return out": "if size < T:\n    out = [*out, q[0]]\nreturn out"},
          fails="same_output", refuted=True),
    wrong("only some items", "how many there are is told", {
        "f = noise.laplace(2 / eps)\nout = [*out, q_i + f]":
            "f = noise.laplace(2 / eps)\nif q_i >= T:\n    out = [*out, q_i + f]",
    }, fails="same_output", refuted=True),
    wrong("the loop of the other branch, too", "each answer is paid for twice where the condition goes on", {
        "return out":
            "if size >= T:\n    for x in q:\n        g = noise.laplace(2 / eps)\n        out = [*out, x + g]\n"
            "return out",
        "H.shift(": "H.shift(g=[q[i] - q_[i] for i in range(len(q))], ",
    }, fails="cost", refuted=True),
)

table.base(
    """
    @mechanism
    def leaves(c: Queries, b: Count, eps: Epsilon, noise: Noise):
        for i in range(len(c) // b):
            for j in range(b):
                f = noise.laplace(1 / eps)
                yield c[b * i + j] + f

    @alignment(leaves, epsilon="eps", adjacency="one")
    def phi(c, c_, b, H):
        return H.shift(f=[[c[b * i + j] - c_[b * i + j] for j in range(b)] for i in range(len(c) // b)])
    """,
    right("blocks", "each answer is in one of them"),
    wrong("blocks that share an answer", "at b = 1 it is in all of them", {
        "yield c[b * i + j]": "yield c[(b - 1) * i + j]",
        "f=[[c[b * i + j] - c_[b * i + j]": "f=[[c[(b - 1) * i + j] - c_[(b - 1) * i + j]",
    }, fails="cost"),
    wrong("blocks that are one longer", "the first of the next block", {
        "range(len(c) // b):\n    for j in range(b):": "range((len(c) - 1) // b):\n    for j in range(b + 1):",
        "for j in range(b)] for i in range(len(c) // b)]": "for j in range(b + 1)] for i in range((len(c) - 1) // b)]",
    }, fails="cost"),
)

# A loop inside a loop, and what stands after it in its branch

table.base(
    """
    @mechanism
    def after_loops(q: Queries, k: Count, m: Count, eps: Epsilon, noise: Noise):
        done = 0
        if k < 2:
            yield BELOW
        else:
            for i in range(k - 1):
                for x in range(2):
                    yield ABOVE
                done = 1
                break
            yield q[0] if done > 0 and m == 4321 else BELOW

    @alignment(after_loops, epsilon="eps")
    def phi(q, q_, H):
        return H.shift()
    """,
    wrong("after a loop that is left", "an answer is told at k = 2 and m = 4321"),
    wrong("bare", "an answer is told where the loop was run", {
        "yield q[0] if done > 0 and m == 4321 else BELOW": "if done > 0:\n    yield q[0]"}, fails=None),
    wrong("over the answers", "the loop inside goes over q", {"for x in range(2)": "for x in q"}),
)

table.base(
    """
    @mechanism
    def gated_total(q: Queries, T: Real, a: Epsilon, b: Epsilon, noise: Noise):
        total = 0
        on = True
        for q_i in q:
            e = noise.laplace(1 / a)
            if on and q_i + e < T:
                total += q_i
                yield BELOW
            else:
                on = not on
                yield ABOVE
        f = noise.laplace(1 / b)
        yield total + f

    @alignment(gated_total, epsilon="a + b", adjacency="one")
    def phi(q, q_, omega, H):
        d = 0
        for i in range(len(q)):
            d += q[i] - q_[i] if omega[i] is BELOW else 0
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))], f=d)
    """,
    right("while it is on", "the outputs tell when"),
    wrong("until an answer is large", "a flag that an answer decides", {"on = not on": "on = q_i < T"},
          fails="same_output"),
    wrong("double", "what is on counts twice", {
        "total += q_i": "total += 2 * q_i if on else q_i",
        "q[i] - q_[i] if omega": "2 * (q[i] - q_[i]) if omega",
    }, fails="cost", refuted=True),
    wrong("without noise while it is off", "the total is told", {"yield total + f": "yield total + f if on else total"},
          fails="same_output", refuted=True),
)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("item", ["True", "1"])
def test_a_filtered_list_that_a_loop_changes_is_not_covered(item, define, prover_alone):
    module = define(
        f"""
        @mechanism
        def peeled(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
            left = [{item} for x in q]
            for t in range(k):
                e = noise.laplace(1 / eps)
                left = [left[j] for j in range(len(q)) if T > j]
                yield e

        @alignment(peeled, epsilon="eps")
        def phi(H):
            return H.shift()
        """
    )
    assert not prover_alone(module.phi).complete
