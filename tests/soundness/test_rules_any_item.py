"""any and all over lists of symbolic length, on the mechanism's runs: what they say depends on every item.

They are the greatest of 0 and a 1 for each item that decides them, so that noise and answers in the items stay in view.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

table.base(
    """
    Category = Annotated[Query, Sensitivity("reach"), Lattice(1)]

    def hashed(v, ones):
        return any(v == s for s in ones)

    @mechanism
    def local_hashing(v: Category, ones: Reals, reach: Positive, eps: Epsilon, noise: Noise):
        coin = noise.choice([exp(eps), 1])
        bit = hashed(v, ones)
        return bit if coin == 0 else not bit

    @alignment(local_hashing, epsilon="eps")
    def phi(v, v_, ones, omega, H):
        before = hashed(v, ones)
        after = hashed(v_, ones)
        return H.shift(coin=0 if before == after else (1 if omega == before else -1))
    """,
    right("whether it is among the ones", checked=True),
    right("whether it is none of them", changes={"any(v == s for s in ones)": "all(v != s for s in ones)"}),
    right("among those above 0", changes={"for s in ones)": "for s in ones if s > 0)"}),
    right("above all of them", changes={"any(v == s": "all(v > s"}),
    wrong("at half of what it costs", changes={'epsilon="eps"': 'epsilon="eps / 2"'}, fails="cost", refuted=True),
    wrong("another question on one side", changes={"bit = hashed(v, ones)": "bit = all(v == s for s in ones)"},
          refuted=True),
    wrong("the others", changes={"before = hashed(v, ones)": "before = any(v != s for s in ones)"}, refuted=True),
    wrong("the same coin", changes={"0 if before == after else (1 if omega == before else -1)": "0"}, refuted=True),
    wrong("without the coin where it is among many", "no short run shows it", {
        "bit if coin == 0 else not bit": "bit if coin == 0 or len(ones) > 40 else not bit",
    }),
    wrong("as it is", changes={"return bit if coin == 0 else not bit": "return bit"}, refuted=True),
)

table.base(
    """
    @mechanism
    def any_above(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        e = [noise.laplace(1 / eps) for x in q]
        if any(x + e_i > T for x, e_i in zip(q, e)):
            yield ABOVE
        else:
            yield BELOW

    @alignment(any_above, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("with noise on each", checked=True),
    right("all of them", changes={"any(": "all("}),
    right("where T is above 0", changes={"zip(q, e))": "zip(q, e) if T > 0)"}),
    right("none of them", changes={"if any(": "if not any("}),
    wrong("the answers as they are", changes={"any(x + e_i > T": "any(x > T"}, refuted=True),
    wrong("all answers as they are", changes={"any(x + e_i > T": "all(x > T"}, refuted=True),
    wrong("every answer may change", changes={'"one"': '"each"'}, fails="cost", refuted=True),
    wrong("at half the noise", changes={"1 / eps": "1 / (2 * eps)"}, fails="cost", refuted=True),
    wrong("as far as they lie from the first", "which moves all", {"any(x + e": "any(x - q[0] + e"}, refuted=True),
    wrong("those above T as they are", changes={"in zip(q, e))": "in zip(q, e) if x > T)"}, refuted=True),
    wrong(
        "more noise where one is above", "the number of draws tells the answers",
        {"e = [noise": "extra = noise.laplace(1 if any(x > T for x in q) else 2)\ne = [noise"},
    ),
    wrong(
        "a scale that noise decides", "it is not told by the output",
        {"yield ABOVE": "f = noise.laplace(2 if any(e_i > 0 for e_i in e) else 3)\nyield ABOVE"},
    ),
    wrong(
        "a raw answer where all noise is large", "no run in a million shows it",
        {"yield ABOVE": "yield q[0] if all(e_i > 1000 for e_i in e) else 0"},
    ),
    wrong(
        "a raw answer where no noise is small", "no run in a million shows it",
        {"yield BELOW": "yield q[0] if not any(e_i > -1000 for e_i in e) else 0"},
    ),
    wrong("an item that has no value", "noise and answer may cancel out", {"any(x + e_i > T": "any(1 / (x + e_i) > T"}),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
