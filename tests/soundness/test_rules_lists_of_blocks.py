"""Lists whose draws hide several answers each, such as those of one block: under `one` few of them are shifted."""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

table.base(
    """
    @mechanism
    def haar(c: Queries, eps: Epsilon, noise: Noise):
        m = len(c) // 2
        d = [noise.laplace(2 / eps) for i in range(m)]
        s = [noise.laplace(2 / eps) for i in range(m)]
        return [c[2 * i] - c[2 * i + 1] + d[i] for i in range(m)], [c[2 * i] + c[2 * i + 1] + s[i] for i in range(m)]

    @alignment(haar, epsilon="eps", adjacency="one")
    def phi(c, c_, H):
        m = len(c) // 2
        return H.shift(
            d=[(c[2 * i] - c[2 * i + 1]) - (c_[2 * i] - c_[2 * i + 1]) for i in range(m)],
            s=[(c[2 * i] + c[2 * i + 1]) - (c_[2 * i] + c_[2 * i + 1]) for i in range(m)],
        )
    """,
    right("differences and sums", checked=True),
    right("all within blocks", changes={"c[2 * i] - c[2 * i + 1] + d[i]": "2 * (c[2 * i] - c[2 * i + 1] + d[i])"}),
    wrong("the budget twice", changes={"d = [noise.laplace(2 / eps)": "d = [noise.laplace(1 / eps)"}, fails="cost"),
    wrong("every answer may change", changes={'"one"': '"each"'}, fails="cost", refuted=True),
    wrong("two answers may change", "of different blocks", {'"one"': '"few(2)"'}, fails="cost"),
    wrong("a difference of twice the first", changes={
        "[c[2 * i] - c[2 * i + 1] + d[i]": "[2 * c[2 * i] - c[2 * i + 1] + d[i]",
        "d=[(c[2 * i] - c[2 * i + 1]) - (c_[2 * i] - c_[2 * i + 1])":
            "d=[(2 * c[2 * i] - c[2 * i + 1]) - (2 * c_[2 * i] - c_[2 * i + 1])",
    }, fails="cost"),
    wrong("blocks that overlap", "an answer stands in two sums", {
        "[c[2 * i] + c[2 * i + 1] + s[i]": "[c[2 * i] + c[2 * i + 1] + c[max(2 * i - 1, 0)] + s[i]",
        "s=[(c[2 * i] + c[2 * i + 1]) - (c_[2 * i] + c_[2 * i + 1])":
            "s=[(c[2 * i] + c[2 * i + 1] + c[max(2 * i - 1, 0)]) - (c_[2 * i] + c_[2 * i + 1] + c_[max(2 * i - 1, 0)])",
    }, fails="cost"),
    wrong("the first answer in every sum", "all sums change", {
        "[c[2 * i] + c[2 * i + 1] + s[i]": "[c[2 * i] + c[2 * i + 1] + c[0] + s[i]",
        "s=[(c[2 * i] + c[2 * i + 1]) - (c_[2 * i] + c_[2 * i + 1])":
            "s=[(c[2 * i] + c[2 * i + 1] + c[0]) - (c_[2 * i] + c_[2 * i + 1] + c_[0])",
    }, fails="cost", refuted=True),
    wrong("the fortieth answer in every sum", "no short run shows it", {
        "[c[2 * i] + c[2 * i + 1] + s[i]": "[c[2 * i] + c[2 * i + 1] + (c[40] if len(c) > 40 else 0) + s[i]",
        "s=[(c[2 * i] + c[2 * i + 1]) - (c_[2 * i] + c_[2 * i + 1])":
            "s=[c[2 * i] + c[2 * i + 1] - c_[2 * i] - c_[2 * i + 1] + (c[40] - c_[40] if len(c) > 40 else 0)",
    }, fails="cost"),
    wrong("the shift of one answer of two", changes={
        "d=[(c[2 * i] - c[2 * i + 1]) - (c_[2 * i] - c_[2 * i + 1])": "d=[c[2 * i] - c_[2 * i]",
    }, fails="same_output", refuted=True),
    wrong("shifted though nothing changes", changes={
        "d=[(c[2 * i] - c[2 * i + 1]) - (c_[2 * i] - c_[2 * i + 1])":
            "d=[(c[2 * i] - c[2 * i + 1]) - (c_[2 * i] - c_[2 * i + 1]) + 1",
    }),
    wrong("the answer that is left over", "it has no noise where their number is odd", {
        "return [c[2 * i] - c": "return c[-1], [c[2 * i] - c",
    }, refuted=True),
)

table.base(
    """
    @mechanism
    def differences(c: Queries, eps: Epsilon, noise: Noise):
        e = [noise.laplace(2 / eps) for i in range(len(c) - 1)]
        return [c[i + 1] - c[i] + e[i] for i in range(len(c) - 1)]

    @alignment(differences, epsilon="eps", adjacency="one")
    def phi(c, c_, H):
        return H.shift(e=[c[i + 1] - c[i] - c_[i + 1] + c_[i] for i in range(len(c) - 1)])
    """,
    right("of neighbours", checked=True),
    right("from the last to the first", changes={
        "c[i + 1] - c[i] + e[i]": "c[len(c) - 1 - i] - c[len(c) - 2 - i] + e[i]",
        "c[i + 1] - c[i] - c_[i + 1] + c_[i]":
            "c[len(c) - 1 - i] - c[len(c) - 2 - i] - c_[len(c) - 1 - i] + c_[len(c) - 2 - i]",
    }),
    wrong("at the price of one", changes={"2 / eps": "1 / eps"}, fails="cost", refuted=True),
    wrong("differences of differences", "an answer stands in three", {
        "return [c[i + 1] - c[i] + e[i]": "return [c[i + 1] - 2 * c[i] + c[max(i - 1, 0)] + e[i]",
        "e=[c[i + 1] - c[i] - c_[i + 1] + c_[i]":
            "e=[c[i + 1] - 2 * c[i] + c[max(i - 1, 0)] - c_[i + 1] + 2 * c_[i] - c_[max(i - 1, 0)]",
    }, fails="cost"),
    wrong("neighbours that may change together", changes={'"one"': '"few(2)"'}, fails="cost", refuted=True),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
