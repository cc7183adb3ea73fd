"""Rules 10, 27, 41, 42 and 44 by a reader who did not write the code: sums, choices, lattices, blocks and filters.

Shifts that read a sum of real outputs are those of the whole sum, wherever it begins and ends.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table(
    """
    from typing import Annotated

    TAKEN = Tag("TAKEN")
    SKIPPED = Tag("SKIPPED")

    Wide = Annotated[Queries, Sensitivity("d")]
    Finer = Annotated[Queries, Sensitivity("k"), Lattice("g")]
    """
)

# Sums over outputs, or over rows that they are held against, are not one sum where they have other lengths

table.base(
    """
    @mechanism
    def hidden(x: Queries, eps: Epsilon, noise: Noise):
        y = noise.laplace(1)
        for v in x:
            e = noise.laplace(1 / eps)
            yield v + e

    @alignment(hidden, epsilon="eps", adjacency="one")
    def phi(x, x_, omega, H):
        return H.shift(y=0, e=[x[i] - x_[i] for i in range(len(x))])
    """,
    right("nothing hidden moves"),
    wrong("the outputs less the first", "y moves by the sum of all others", {"y=0": "y=sum(omega) - sum(omega[:1])"}),
    wrong("the outputs less the first fifty", "no short run shows it", {"y=0": "y=sum(omega) - sum(omega[:50])"}),
    wrong("one for each row but fifty", "the last rows hold the first output against themselves", {
        "y=0": "y=sum(max(omega[0], v) for v in x) - sum(max(omega[0], v) for v in x[:50])",
    }),
    wrong("a step where two sums differ", "1000 where there are more outputs", {
        "y=0": "y=0 if sum(omega) == sum(omega[:50]) else 1000",
    }),
    wrong("another alignment where two sums differ", changes={
        "return": "if sum(omega) != sum(omega[:50]):\n    return H.shift(y=1000)\nreturn",
    }),
    wrong("large outputs, less the large of fifty", changes={
        "y=0": "y=sum(w for w in omega if w > 3) - sum(w for w in omega[:50] if w > 3)",
    }),
    wrong("all outputs", "a number that is not drawn yet", {"y=0": "y=sum(omega)"}),
    wrong("outputs that are not there", "no item of the output is at i + 40", {
        "y=0": "y=0 * sum(omega[i + 40] for i in range(len(x)))",
    }),
)

table.base(
    """
    @mechanism
    def coin(x: Queries, eps: Epsilon, noise: Noise):
        c = noise.choice([3, 1])
        for v in x:
            e = noise.laplace(1 / eps)
            yield v + e

    @alignment(coin, epsilon="eps", adjacency="one")
    def phi(x, x_, omega, H):
        return H.shift(c=0, e=[x[i] - x_[i] for i in range(len(x))])
    """,
    wrong("an outcome that is none", "c moves by any number", {"c=0": "c=sum(omega) - sum(omega[:50])"}),
    wrong("both outcomes to one after the fiftieth", changes={
        "c=0": "c=0 if sum(omega) == sum(omega[:50]) else -H.c",
    }),
    wrong("both outcomes to one by a power", "it reads its own draw", {"c=0": "c=-power(H.c, 3)"}),
    wrong("both outcomes to one by noise", "where e is large, it costs less than nothing", {
        "c=0": "c=-H.c if H.e[0] > 3 else 0",
    }),
)

# Choices of which several draw the same noise afterwards

table.base(
    """
    @mechanism
    def told(x: Query, eps: Epsilon, noise: Noise):
        c = noise.choice([9, 3, 1])
        if c == 0:
            f = noise.laplace(1 / eps)
            yield x + f
        else:
            g = noise.laplace(1 / eps)
            yield x + g

    @alignment(told, epsilon="eps + log(3)")
    def phi(x, x_, H):
        return H.shift(c=3 - 2 * H.c if H.c > 0 else 0, f=x - x_, g=x - x_)
    """,
    right("two outcomes that draw alike are exchanged"),
    wrong("two outcomes that draw alike become one", changes={
        "c=3 - 2 * H.c if H.c > 0 else 0": "c=-1 if H.c == 2 else 0",
    }, fails="one_to_one"),
    wrong("an outcome that draws otherwise joins", "three outcomes become two", {"H.c > 0 else 0": "H.c > 0 else 1"}),
)

# What costs divide by may be what the alignment keeps

table.base(
    """
    @mechanism
    def careful(q: Wide, k: Count, d: Positive, eps: Epsilon, noise: Noise):
        w = 0
        for t in range(k):
            e = noise.laplace(2 * k * max(1, w) / eps)
            w = w + (sum(clamp(x, -1, 1) for x in q if w * x <= 0) + e) / len(q)
            yield w

    @alignment(careful, epsilon="eps / 2", adjacency="one")
    def phi(q, q_, k, H):
        w = 0
        e = []
        for t in range(k):
            before = sum(clamp(x, -1, 1) for x in q if w * x <= 0)
            e = [*e, before - sum(clamp(x, -1, 1) for x in q_ if w * x <= 0)]
            w = w + (before + H.e[t]) / len(q)
        return H.shift(e=e)
    """,
    wrong("more noise where the weight is large", "in the first round a row changes the sum by 2, at eps"),
)

# Lattices whose step is a parameter

table.base(
    """
    @mechanism
    def distinct(c: Finer, k: Positive, g: Positive, eps: Epsilon, noise: Noise):
        e = noise.laplace(k / (g * eps))
        return sum(1 for x in c if x > 0) + e

    @alignment(distinct, epsilon="eps", adjacency="l1")
    def phi(c, c_, H):
        return H.shift(e=sum(1 for x in c if x > 0) - sum(1 for x in c_ if x > 0))
    """,
    right("k / g items at most"),
    wrong("k items paid", "g may be below 1", {"k / (g * eps)": "k / eps"}, fails="cost"),
    wrong("the step for its inverse", changes={"k / (g * eps)": "k * g / eps"}, fails="cost"),
    wrong("positions for ones", "the item at j is worth j", {
        "return sum(1 for x in c if x > 0)": "return sum(j for j, x in enumerate(c) if x > 0)",
        "e=sum(1 for x in c if x > 0) - sum(1 for x in c_ if x > 0)":
            "e=sum(j for j, x in enumerate(c) if x > 0) - sum(j for j, x in enumerate(c_) if x > 0)",
    }, fails="cost"),
)

# Lists of a loop's state, True and False, beside sums of answers so far

table.base(
    """
    @mechanism
    def fading(q: Queries, eps: Epsilon, noise: Noise):
        left = [True for x in q]
        total: float = 0
        for i, x in enumerate(q):
            e = noise.laplace(1 / eps)
            total += x if left[i] else 0
            left = [False for y in left]
            yield total

    @alignment(fading, epsilon="eps", adjacency="one")
    def phi(H):
        return H.shift()
    """,
    wrong("the first answer is told", "the list is over, but what it let pass is not", fails="same_output"),
    wrong("the total less what is left so far", "nothing is left, but the first answer was", {
        "yield total": "yield total - sum(v for j, v in enumerate(q) if j <= i and left[j])",
    }, fails="same_output"),
)

# Blocks that are released, and a part of them again

table.base(
    """
    @mechanism
    def blocks(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        block: float = 0
        for q_i in q:
            e = noise.laplace(1)
            block += q_i
            if e > T:
                f = noise.laplace(1 / eps)
                yield block + f
                block = 0
            else:
                yield SKIPPED

    @alignment(blocks, epsilon="eps", adjacency="one")
    def phi(q, q_, omega, H):
        lost = 0
        f = []
        for i in range(len(omega)):
            lost += q[i] - q_[i]
            f = [*f, 0 if omega[i] is SKIPPED else lost]
            lost = lost if omega[i] is SKIPPED else 0
        return H.shift(f=f)
    """,
    right("each change is released once"),
    wrong("half is released again", "1 + 1/2 + 1/4 + …", {
        "yield block + f\nblock = 0": "yield block + f\nblock = block / 2",
        "lost = lost if omega[i] is SKIPPED else 0": "lost = lost if omega[i] is SKIPPED else lost / 2",
    }, fails="cost"),
    wrong("the other sign is released again", changes={
        "yield block + f\nblock = 0": "yield block + f\nblock = -block",
        "lost = lost if omega[i] is SKIPPED else 0": "lost = lost if omega[i] is SKIPPED else -lost",
    }, fails="cost"),
)

# Lists whose draws read one list at two places

table.base(
    """
    @mechanism
    def pairs(c: Queries, d: Queries, eps: Epsilon, noise: Noise):
        m = min(len(c), len(d)) // 2
        e = [noise.laplace(1 / eps) for i in range(m)]
        return [c[2 * i] + d[i] + e[i] for i in range(m)]

    @alignment(pairs, epsilon="eps", adjacency="one")
    def phi(c, c_, d, d_, H):
        m = min(len(c), len(d)) // 2
        return H.shift(e=[c[2 * i] + d[i] - c_[2 * i] - d_[i] for i in range(m)])
    """,
    right("one change is in one pair"),
    wrong("at i and at twice i", "c[2] is in the second and the third", {
        "[c[2 * i] + d[i] + e[i]": "[c[2 * i] + c[i] + e[i]", "c[2 * i] + d[i] - c_[2 * i] - d_[i]":
        "c[2 * i] + c[i] - c_[2 * i] - c_[i]",
    }, fails="cost"),
    wrong("at half of i", "d[0] is in the first and the second", {
        "[c[2 * i] + d[i] + e[i]": "[c[2 * i] + d[i // 2] + e[i]", "c[2 * i] + d[i] - c_[2 * i] - d_[i]":
        "c[2 * i] + d[i // 2] - c_[2 * i] - d_[i // 2]",
    }, fails="cost"),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
