"""Single choices whose shifts read their own draw: no two outcomes may be moved to one."""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

SWAP = "1 - 2 * H.flip[i] if bit(x[i], t) != bit(x_[i], t) else 0"

table.base(
    """
    def bit(v, t):
        return 1 if v >= t else 0

    @mechanism
    def responses(x: Annotated[Queries, Sensitivity("d")], t: Real, d: Positive, eps: Epsilon, noise: Noise):
        for v in x:
            flip = noise.choice([exp(eps), 1])
            b = bit(v, t)
            yield b if flip == 0 else 1 - b

    @alignment(responses, epsilon="eps", adjacency="one")
    def phi(x, x_, t, H):
        return H.shift(flip=[1 - 2 * H.flip[i] if bit(x[i], t) != bit(x_[i], t) else 0 for i in range(len(x))])
    """,
    right("turned where the bit changes", checked=True),
    right("by a condition on the draw", changes={"1 - 2 * H.flip[i]": "(1 if H.flip[i] == 0 else -1)"}),
    right("the other way round", changes={"b if flip == 0 else 1 - b": "b if flip == 1 else 1 - b"}),
    right("two people", changes={'"eps", adjacency="one"': '"2 * eps", adjacency="few(2)"'}),
    wrong("both outcomes to 1", "it seems to cost nothing at 1", {
        SWAP: "1 - H.flip[i]",
    }, fails="one_to_one", refuted=True),
    wrong("both outcomes to 0", "it costs less than nothing", {SWAP: "-H.flip[i]"}, fails="one_to_one", refuted=True),
    wrong("to 1 where the bit changes", changes={"1 - 2 * H.flip[i]": "1 - H.flip[i]"}, refuted=True),
    wrong("turned where nothing changes", changes={"1 - 2 * H.flip[i] if bit(x[i], t) != bit(x_[i], t) else 0": (
        "1 - 2 * H.flip[i] if bit(x[i], t) == bit(x_[i], t) else 0"
    )}, refuted=True),
    wrong("a draw that is not there", changes={"1 - 2 * H.flip[i]": "1 - 2 * H.flip[i + 1]"}),
    wrong("the draw before, which may differ", changes={"1 - 2 * H.flip[i]": "1 - 2 * H.flip[max(i - 1, 0)]"}),
    wrong("at half the price", changes={'"eps", adjacency': '"eps / 2", adjacency'}, fails="cost", refuted=True),
    wrong("everybody may change", changes={'"one"': '"each"'}, fails="cost", refuted=True),
    wrong("one draw more than is told", changes={"yield b if flip == 0 else 1 - b": "yield b + flip"}, refuted=True),
    wrong("turned twice", "an outcome of 3", {"1 - 2 * H.flip[i]": "2 - 4 * H.flip[i]"}, fails="valid_noise"),
    wrong("to 1 after the fiftieth", "no short run shows it", {
        "1 - 2 * H.flip[i]": "(1 - 2 * H.flip[i] if i < 50 else 1 - H.flip[i])",
    }, fails="one_to_one"),
)

table.base(
    """
    @mechanism
    def biased(x: Query, eps: Epsilon, noise: Noise):
        c = noise.choice([3, 1])
        e = noise.laplace(1 / eps)
        return x + e + (c if x > 1 else 0)

    @alignment(biased, epsilon="2 * eps + log(3)")
    def phi(x, x_, H):
        return H.shift(
            c=1 - 2 * H.c if (x > 1) != (x_ > 1) else 0,
            e=x - x_ + (H.c if x > 1 else 0) - ((H.c if (x > 1) == (x_ > 1) else 1 - H.c) if x_ > 1 else 0),
        )
    """,
    right("noise that makes up for it", checked=True),
    wrong("all to 0", "the noise makes up for it, and two are moved to one", {
        "c=1 - 2 * H.c if (x > 1) != (x_ > 1) else 0": "c=-H.c",
        "((H.c if (x > 1) == (x_ > 1) else 1 - H.c) if x_ > 1 else 0)": "0",
    }, fails="one_to_one"),
    wrong("all to 0 for nothing", "where nothing changes, too", {
        "c=1 - 2 * H.c if (x > 1) != (x_ > 1) else 0": "c=-H.c",
        "((H.c if (x > 1) == (x_ > 1) else 1 - H.c) if x_ > 1 else 0)": "0",
        'epsilon="2 * eps + log(3)"': 'epsilon="2 * eps"',
    }, fails="one_to_one"),
    wrong("the noise and the choice read one another", changes={
        "c=1 - 2 * H.c if (x > 1) != (x_ > 1) else 0": "c=1 - 2 * H.c if (x > 1) != (x_ > 1) and H.e > 0 else 0",
    }),
    wrong("a choice that reads the number that is told", changes={
        "def phi(x, x_, H)": "def phi(x, x_, omega, H)",
        "c=1 - 2 * H.c if (x > 1) != (x_ > 1) else 0": "c=1 - 2 * H.c if (x > 1) != (x_ > 1) and omega > 0 else 0",
    }),
    wrong("more noise at one outcome", "its scale tells the outcome", {
        "e = noise.laplace(1 / eps)": "e = noise.laplace((1 + c) / eps)",
    }),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
