import marimo

__generated_with = "0.25.2"
app = marimo.App()

with app.setup(hide_code=True):
    import marimo as mo

    from alignkit import BELOW, Count, Epsilon, Noise, Queries, Real
    from course_kit import TODO, alignment, hints, judge, mechanism, not_the_step, show
    from course_kit.contracts import releases_numbers


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Exercise 10: a theorem that fails

    *About 40 minutes. You learn to find the step of a published argument that fails, and what the mended mechanism
    pays for.*

    The mechanism below is Algorithm 1 of Lecture 11, "The Sparse Vector Technique", of a course on data privacy by
    Aaron Roth; the lecture's answers change by $1/n$, ours by 1. For each answer above a noisy threshold it releases
    the noisy answer. Theorem 3 of the lecture says that it is $\varepsilon$-private. Lyu, Su and Li ("Understanding the
    Sparse Vector Technique for Differential Privacy", PVLDB 2017, where it is Algorithm 3) found that its loss has no
    bound.
    """)
    return


@app.function
@mechanism
def sparse(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Which answers lie above T, and roughly what are they? Ends after k that do."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(2 * k / eps)
        if q_i + eta_i >= T + eta:
            yield q_i + eta_i
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@app.function
@alignment(sparse, epsilon="eps", expect="refuted")
def as_published(q, q_, omega, H):
    """Raise the threshold by 1 for the losers, and keep each number that is released."""
    return H.shift(
        eta=1,
        eta_i=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The argument

    The lecture adds up logarithms of ratios. As an alignment, its argument has these four steps:

    1. The threshold may rise by 1 and the noise of a winner move by 1 at most, since Laplace noise can have any value.
    2. $D'$ puts out the same. The threshold rises by at least as much as any loser. The number of a winner stays what
       it is, since its noise makes up for the change of its answer.
    3. No two noise vectors with the same output are moved to the same one, since shifts depend on the output and on the
       answers only.
    4. The threshold costs $\varepsilon/2$. Each of at most $k$ winners moves by 1 at most, at the scale
       $2k/\varepsilon$, and all of them together cost $\varepsilon/2$.

    Here is what alignkit says of it.
    """)
    return


@app.cell
def _():
    show(as_published)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Your task

    Which step is wrong? Then mend the mechanism. The one below tests an answer with one noise, and releases it with
    another one, `xi_i`. The threshold has half as much budget as before. Choose the scale of `xi_i` such that all of
    the claim `eps` is spent for every `k`, and write the shifts of winners. Where an answer loses, nothing but the
    threshold moves.
    """)
    return


@app.cell
def _():
    wrong_step = TODO
    return (wrong_step,)


@app.function
@mechanism
def mended(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Which answers lie above T, and roughly what are they? Ends after k that do."""
    eta = noise.laplace(4 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(8 * k / eps)
        xi_i = noise.laplace(TODO)
        if q_i + eta_i >= T + eta:
            yield q_i + xi_i
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@app.function
@alignment(mended, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(
        eta=1,
        eta_i=[TODO if w is not BELOW else 0 for i, w in enumerate(omega)],
        xi_i=[TODO if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@app.cell
def _(wrong_step):
    feedback = judge(
        phi,
        mended,
        first=not_the_step(
            as_published, wrong_step, {1: "valid_noise", 2: "same_output", 3: "one_to_one", 4: "cost"}
        ),
        tight=True,
        also=releases_numbers,
        exercise=10,
    )
    feedback
    return


@app.cell(hide_code=True)
def _():
    hints(
        "Read the last row of the table, and the rows of the noise above it. Which of the two runs has its answer above"
        " the threshold?",
        "To keep a winner above a threshold that rises by 1, its noise must move by `1 + q[i] - q_[i]`. To keep its"
        " number, the noise must move by `q[i] - q_[i]`. One noise cannot do both, but two can.",
        "The threshold costs `eps / 4`. A winner's `eta_i` moves by 2 at most, at the scale `8 * k / eps`; for `k`"
        " winners this is `eps / 4` too. So `eps / 2` is left for `k` numbers, each of which moves by 1 at most.",
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Afterwards

    That an alignment fails does not say that the mechanism leaks. Why does this one leak? Think of many losers before a
    number that lies below `T`: what does the number say of the threshold? `docs/paper_audit.md` has the
    computation, as E23.

    Release a tag instead of the number in `sparse`. Which claim can then be proved, with the noise as it is?
    """)
    return


if __name__ == "__main__":
    app.run()
