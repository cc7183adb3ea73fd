import marimo

__generated_with = "0.25.2"
app = marimo.App()

with app.setup(hide_code=True):
    import marimo as mo

    from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real
    from course_kit import TODO, alignment, hints, judge, mechanism, no_failing_run, show_opinions


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Exercise 11: a second opinion

    *About 35 minutes. You learn what it says of a proof that a program has examined it for small inputs.*

    A proof rests on the code of the checker. So alignkit has a second program, which shares nothing with the first one
    but the solver: it runs the mechanism and its alignment in Python, on symbolic answers, parameters and noise. Its
    opinion is one of these:

    * confirmed for every n: all conditions hold for lists of any length, and any counts;
    * confirmed for n <= 3, k <= 2, say: they hold for all lists of 1 to 3 answers and all counts of 1 and 2;
    * not examined, with the reason;
    * contradicted, by an input and noise on which the alignment fails in Python.

    `alignkit confirm` asks it of proofs only. In Python `confirm(reported)` asks it of any alignment, proved or not,
    as is done below. The mechanism is a sparse vector, in which the noise of the answers grows with each winner.
    """)
    return


@app.function
@mechanism
def growing_noise(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Which answers lie above T? Ends after k that do."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(8 * (count + 1) / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@app.function
@alignment(growing_noise, epsilon="eps", expect="refuted")
def reported(q, q_, omega, H):
    """Raise the threshold by 1, and each winner by as much as it needs to stay above."""
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],
    )


@app.function
@alignment(growing_noise, epsilon="eps", expect="refuted")
def threshold_stays(q, q_, omega, H):
    """Leave the threshold where it is."""
    return H.shift(eta_i=[q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


@app.cell
def _():
    show_opinions(threshold_stays, reported)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The report

    Somebody reports of `reported`:

    *The threshold costs ε / 2. The first winner costs ε / 4 at most, and each further one costs less than the one
    before it. An independent program has confirmed that the shifts never cost more than ε. So the mechanism has been
    proved to be ε-private, for all lists and every k.*

    ## Your task

    The report claims too much. Give a run on which the alignment costs more than `eps`: replace each `TODO` in `run`,
    as in exercise 1. Then choose a scale with which the same alignment is proved, and confirmed for every n.
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
        "H": {"eta": 0, "eta_i": TODO},
    }
    return (run,)


@app.function
@mechanism
def mended(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Which answers lie above T? Ends after k that do."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(TODO)
        if q_i + eta_i >= T + eta:
            yield ABOVE
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
        eta_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],
    )


@app.cell
def _(run):
    feedback = judge(
        phi,
        mended,
        first=no_failing_run(reported, run),
        every_n=True,
        exercise=11,
    )
    feedback
    return


@app.cell(hide_code=True)
def _():
    hints(
        "Which sizes have been examined? Neither a list that is longer nor a count that is larger has been.",
        "A winner whose answer falls by 1 moves by 2. The first one costs `eps / 4`, the second one `eps / 8`, the"
        " third one `eps / 12`. The sum of 1, 1/2, 1/3, … has no bound: from how many winners on is it above 2?",
        "With as many winners as `k` allows, all of whose answers fall by 1, `eta_i` is a list of `k` zeros. In the"
        " mended mechanism, give each of `k` winners the same share of `eps / 2`; each moves by 2 at most.",
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Afterwards

    Try the scale `4 * k * (count + 1) / eps`. It is proved, but the second opinion goes no further than n <= 3. Which
    of the two may you believe for n = 4, and why? `docs/second_opinion.md` says what each of them is worth.

    In the folder of this file, `alignkit check exercise_11_a_second_opinion.py::reported` finds a run as well, and
    `alignkit confirm exercise_11_a_second_opinion.py` has an opinion on each proof in the file. Why does it give none
    on `reported`?
    """)
    return


if __name__ == "__main__":
    app.run()
