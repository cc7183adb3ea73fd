import marimo

__generated_with = "0.25.2"
app = marimo.App()

with app.setup(hide_code=True):
    from typing import Annotated

    import marimo as mo

    from alignkit import Count, Epsilon, Lattice, Noise, Query, Tag, exp
    from course_kit import TODO, alignment, hints, judge, mechanism, show

    NOTHING = Tag("NOTHING")


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Exercise 9: a rare leak

    *About 35 minutes. You learn what the δ of a claim pays for, and to find it exactly.*

    The mechanism below has a count of people who typed a word. It shows the word, with its noisy count, only if someone
    typed it and the noisy count is at least `tau`. A database in which nobody typed the word never shows it. So the
    mechanism is not $\varepsilon$-private for any $\varepsilon$: there is noise for which $D$ shows the word, and $D'$
    cannot.

    Such noise is rare if `tau` is large. The claim is $(\varepsilon, \delta)$-privacy: $P(E) \le e^\varepsilon P'(E) +
    \delta$ for every event $E$. An alignment of such a claim may set a *limit* to noise, as in
    `H.shift(x=0).below(x=3)`. Where `x` is not below its limit, the alignment need not be right. Then δ must be the
    probability of that, or more. `None` sets no limit.
    """)
    return


@app.function
@mechanism
def rare_word(q: Annotated[Query, Lattice(1)], tau: Count, eps: Epsilon, noise: Noise):
    """The noisy count of a word, where it is at least tau. Counts are whole numbers, and so is the noise."""
    x = noise.discrete_laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING


@app.function
@alignment(rare_word, epsilon="eps", expect="refuted")
def without_a_limit(q, q_, H):
    """Right where both databases have the word."""
    return H.shift(x=q - q_)


@app.cell
def _():
    show(without_a_limit)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Your task

    In the alignment below, a word is `new` if it is in one of the two databases only. Then the noise is not shifted,
    and both databases must show `NOTHING`. Set the limit of `x` below which they do, and claim the smallest `delta`
    that pays for the rest. The claim's `epsilon` is `eps`. A delta is an expression of `tau` and `eps`; you may use
    `exp` in it.

    The noise `x` is the whole number $k$ with probability $\frac{1 - r}{1 + r} r^{|k|}$, where $r = e^{-\varepsilon}$.
    """)
    return


@app.function
@alignment(rare_word, epsilon="eps", delta="TODO")
def phi(q, q_, H, tau):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=TODO if new else None)


@app.cell
def _():
    feedback = judge(
        phi,
        rare_word,
        attained_at={"tau": 3, "eps": 1},
        exercise=9,
    )
    feedback
    return


@app.cell(hide_code=True)
def _():
    hints(
        "One of the two counts is 0 or less, the other is `max(q, q_)`. For which `x` is the larger one not shown?",
        "The word is shown if `max(q, q_) + x >= tau`. A limit says what `x` is below, so a tie is outside of it.",
        "Counts of neighbours differ by 1 at most. So the larger count of a new word is 1, and `delta` is the"
        " probability that `x >= tau - 1`. Add up $r^k$ for all $k$ from there on: it is $r^{\\tau - 1} / (1 - r)$.",
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Afterwards

    Libraries have got this tie wrong: one showed a word at `tau` and above, and stated the δ of a word that is shown
    above `tau`. By which factor is that too small? `docs/thresholded_keys.md` has the answer.
    """)
    return


if __name__ == "__main__":
    app.run()
