import marimo

__generated_with = "0.25.2"
app = marimo.App()

with app.setup(hide_code=True):
    import marimo as mo

    from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real
    from course_kit import TODO, alignment, hints, judge_run, mechanism


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Exercise 1: find the flaw

    *About 20 minutes. You learn what an alignment must do, and how to read a replay.*

    The mechanism below asks a list of counting queries one after the other. It says of each whether the answer lies
    above a threshold, and stops after $k$ answers that do. Somebody has written an alignment for it and claims that it
    proves $\varepsilon$-differential privacy, for every $k$.

    An **alignment** proves privacy as follows. Take two adjacent databases $D$ and $D'$, whose answers `q` and `q_`
    differ by at most 1 each, and a run on $D$ with noise $H$ that puts out `omega`. The alignment shifts the noise such
    that the run on $D'$ puts out the same. Shifting a draw of Laplace noise of scale $b$ by $s$ costs $|s| / b$, and
    the shifts of one run may cost the claim at most.
    """)
    return


@app.function
@mechanism
def sparse_vector(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Which answers lie above T? Ends after k that do."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@app.function
@alignment(sparse_vector, epsilon="eps", expect="refuted")
def alleged_proof(q, q_, omega, H):
    """Raise the threshold by 1, and each answer above it by as much as it needs to stay above."""
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],
    )


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Your task

    The proof is wrong. Show it by one run on which it fails: fill in the cell below. `q` and `q_` are the answers on
    $D$ and on $D'$. `H` holds the noise of the run on $D$: `eta` is that of the threshold, and `eta_i` is a list with
    one number for each query that is asked before the mechanism stops.

    alignkit replays both runs exactly and says which condition of the proof fails, if any. Write fractions as texts,
    `"1/2"`.
    """)
    return


@app.cell
def _():
    run = {
        "q": TODO,
        "q_": TODO,
        "T": 0,
        "k": TODO,
        "eps": 1,
        "H": {"eta": TODO, "eta_i": TODO},
    }
    return (run,)


@app.cell
def _(run):
    feedback = judge_run(
        alleged_proof,
        run,
        exercise=1,
    )
    feedback
    return


@app.cell(hide_code=True)
def _():
    hints(
        "The output is not what goes wrong. Compute what the shifts cost: `eta` has the scale 2 / eps, and each `eta_i`"
        " has the scale 4 / eps.",
        "The threshold costs eps / 2. A winner whose answer is 1 lower on $D'$ is shifted by 2. What does that cost,"
        " and how many winners may there be?",
        "Let k be 2. Choose two answers that both fall by 1 from `q` to `q_`, and noise with which both lie above the"
        " threshold on $D$. If all noise is 0, an answer lies above T = 0 if it is at least 0.",
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Afterwards

    In the folder of this file, `alignkit check exercise_1_find_the_flaw.py` finds such a run as well. For which `k`
    does the proof hold? Which line of the mechanism would you change for the others?
    """)
    return


if __name__ == "__main__":
    app.run()
