"""Lists that are filtered: counted, added up, and filtered again. Where their items stand is not known."""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

table.base(
    """
    @mechanism
    def mean(x: Annotated[Queries, Sensitivity("d")], t: Real, u: Real, d: Positive, eps: Epsilon, noise: Noise):
        e = noise.laplace(2 / eps)
        f = noise.laplace(2 / eps)
        band = [v for v in x if t <= v < u]
        cut = [clamp(v, 0, 1) for v in band]
        return (sum(cut) + f) / max(1, len(band) + e)

    @alignment(mean, epsilon="eps", adjacency="one")
    def phi(x, x_, t, u, H):
        band = [v for v in x if t <= v < u]
        band_ = [v for v in x_ if t <= v < u]
        return H.shift(
            e=len(band) - len(band_),
            f=sum(clamp(v, 0, 1) for v in band) - sum(clamp(v, 0, 1) for v in band_),
        )
    """,
    right("a count and a sum", checked=True),
    right("counted as it is made", changes={"len(band) + e": "len([v for v in x if t <= v < u]) + e"}),
    right("counted by a sum", changes={"e=len(band) - len(band_)": "e=sum(1 for v in band) - sum(1 for v in band_)"}),
    right("filtered twice", changes={
        "band = [v for v in x if t <= v < u]\ncut":
            "from_t = [w for w in x if w >= t]\nband = [v for v in from_t if v < u]\ncut",
    }),
    wrong("the shift counts what is left out", changes={
        "e=len(band) - len(band_)": "e=len(x) - len(band) - len(x_) + len(band_)",
    }),
    wrong("at half the noise", changes={
        "e = noise.laplace(2 / eps)": "e = noise.laplace(1 / eps)",
    }, fails="cost", refuted=True),
    wrong("every value may change", changes={'"one"': '"each"'}, fails="cost", refuted=True),
    wrong("two values may change", changes={'"one"': '"few(2)"'}, fails="cost", refuted=True),
    wrong("not cut off", changes={"[clamp(v, 0, 1) for v in band]": "[v for v in band]"}, refuted=True),
    wrong("another filter in the shift", changes={
        "band_ = [v for v in x_ if t <= v < u]": "band_ = [v for v in x_ if t <= v <= u]",
    }),
    wrong("how many is told", "the count is private", {
        "return (sum(cut) + f)": "return len(band), (sum(cut) + f)",
    }, refuted=True),
    wrong("how many is told after the twentieth", changes={
        "return (sum(cut) + f)": "return (len(band) if len(x) > 20 else 0), (sum(cut) + f)",
    }),
    wrong("noise for each of them", "how many draws there are is private", {
        "return (sum(cut) + f)": "g = [noise.laplace(1) for v in band]\nreturn sum(g), (sum(cut) + f)",
    }),
    wrong("a loop over them", "how many iterations there are is private", {
        "return (sum(cut) + f)": "for v in band:\n    f = 1\nreturn (sum(cut) + f)",
    }),
    wrong("a mean without noise below", changes={"len(band) + e": "len(band)"}, refuted=True),
    wrong("divided by its items", "0 may be among them", {"clamp(v, 0, 1) for v in band]": "1 / v for v in band]"}),
    wrong("the first of them", changes={"return (sum(cut) + f)": "return band[0], (sum(cut) + f)"}),
    wrong("with their places", changes={
        "sum(cut) + f": "sum(i for i, v in enumerate(band)) + f",
    }),
    wrong("beside the whole list", "their places differ", {
        "sum(cut) + f": "sum(clamp(v * w, 0, 1) for v, w in zip(band, x)) + f",
    }),
    wrong("the largest of them", changes={"sum(cut) + f": "max(band) + f"}),
)

table.base(
    """
    @mechanism
    def mean_of_large(q: Queries, t: Real, eps: Epsilon, noise: Noise):
        e = [noise.laplace(1 / eps) for x in q]
        noisy = [x + n for x, n in zip(q, e)]
        large = [y for y in noisy if y > t]
        return sum(large) / max(1, len(large))

    @alignment(mean_of_large, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("of noisy answers", checked=True),
    right("their number alone", changes={"sum(large) / max(1, len(large))": "len(large)"}),
    wrong("of noisy answers, at half the noise", changes={"1 / eps": "1 / (2 * eps)"}, fails="cost", refuted=True),
    wrong("those whose answers are large", changes={
        "[y for y in noisy if y > t]": "[y for y, x in zip(noisy, q) if x > t]",
    }),
    wrong("answers whose noisy ones are large", changes={
        "[y for y in noisy if y > t]": "[x for y, x in zip(noisy, q) if y > t]",
    }),
    wrong("the number of large answers", changes={"len(large))": "len([x for x in q if x > t]))"}),
    wrong("shifted by what is left", "a filtered list is no list of shifts", {
        "[q[i] - q_[i] for i in range(len(q))]": "[q[i] - q_[i] for i in range(len(q)) if q[i] != q_[i]]",
    }),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
