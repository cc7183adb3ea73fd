"""Rules 11 and 20 where an item of a sum selects a position, or asks something, that is another one for another item.

What is found at an index that stands for any is no number that all items share.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

# The greatest product with each item: which is the greatest differs from item to item

table.base(
    """
    @mechanism
    def told(q: Queries, w: Reals, eps: Epsilon, noise: Noise):
        if sum(w) > 0 and sum(w) == 0:
            return q[0]
        return 0

    @alignment(told, epsilon="0", adjacency="each")
    def phi(H):
        return H.shift()
    """,
    right("no sum is both"),
    wrong("the greatest products", "w = [1, -1]: the sum of all is 0, that of the greatest products is 2", {
        "sum(w) > 0 and sum(w) == 0": "sum(max(v * x for v in w) for x in w) > 0 and sum(w) == 0",
    }),
    wrong("the least products", "w = [1, -1]", {
        "sum(w) > 0 and sum(w) == 0": "sum(min(v * x for v in w) for x in w) < 0 and sum(w) == 0",
    }),
    wrong("of many items", "no short run shows it", {
        "sum(w) > 0 and sum(w) == 0":
            "len(w) > 4321 and sum(max(v * x for v in w) for x in w) > 0 and sum(w) == 0",
    }),
    wrong("by a name", changes={
        "if sum(w) > 0 and sum(w) == 0": "best = [max(v * x for v in w) for x in w]\nif sum(best) > 0 and sum(w) == 0",
    }),
    wrong("how many have a large product", "some, and not all", {
        "sum(w) > 0 and sum(w) == 0": "0 < sum(1 for x in w if any(v * x > 5 for v in w)) < len(w)",
    }),
    wrong("how many are filtered", "some, and not all", {
        "sum(w) > 0 and sum(w) == 0": "0 < len([x for x in w if any(v > x for v in w)]) < len(w)",
    }),
)

# What an alignment counts: some, and not all

table.base(
    """
    @mechanism
    def tested(x: Queries, w: Reals, t: Real, eps: Epsilon, noise: Noise):
        y = noise.laplace(1)
        for v in x:
            e = noise.laplace(1 / eps)
            if v + e > t:
                yield ABOVE
            else:
                yield BELOW

    @alignment(tested, epsilon="eps", adjacency="one")
    def phi(x, x_, w, t, omega, H):
        count = sum(1 for w in omega if w is ABOVE)
        return H.shift(y=0, e=[x[i] - x_[i] for i in range(len(x))])
    """,
    right("a count that is not read"),
    wrong("where some are above", "0 < count < n is possible", {
        "return H": "if 0 < count and count < len(omega):\n    return H.shift(e=[1000 for v in x])\nreturn H",
    }),
    wrong("where some are above, as an expression", changes={
        "[x[i] - x_[i] for": "[x[i] - x_[i] if count <= 0 or count >= len(omega) else 1000 for",
    }),
    wrong("the number of those that are not, times the others", "y moves by count * (n - count)", {
        "y=0": "y=len(omega) * count - count * count",
    }),
    wrong("where some answers are below some public value", changes={
        "count = sum(1 for w in omega if w is ABOVE)": "count = sum(1 for v in x if any(u > v for u in w))",
        "return H": "if 0 < count and count < len(x):\n    return H.shift(e=[1000 for v in x])\nreturn H",
    }),
)

table.base(
    """
    @mechanism
    def numbers(x: Queries, w: Reals, eps: Epsilon, noise: Noise):
        y = noise.laplace(1)
        for v in x:
            c = noise.choice([1, 1])
            e = noise.laplace(1 / eps)
            yield c, v + e

    @alignment(numbers, epsilon="eps", adjacency="one")
    def phi(x, x_, w, omega, H):
        total = sum(a[0] for a in omega)
        return H.shift(y=0, e=[x[i] - x_[i] for i in range(len(x))])
    """,
    right("a total that is not read"),
    wrong("squares", "n times the sum of the squares is the square of the sum only if all are equal", {
        "y=0": "y=len(omega) * sum(a[0] * a[0] for a in omega) - total * total",
    }),
    wrong("products with public numbers", changes={
        "y=0": "y=len(omega) * sum(a[0] * b for a, b in zip(omega, w)) - total * sum(b for a, b in zip(omega, w))",
    }),
    wrong("other shifts where two differ", changes={
        "return H": "if len(omega) * sum(a[0] * a[0] for a in omega) != total * total:\n"
                    "    return H.shift(e=[1000 for v in x])\nreturn H",
    }),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
