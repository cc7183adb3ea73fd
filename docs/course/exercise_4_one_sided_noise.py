import marimo

__generated_with = "0.25.2"
app = marimo.App()

with app.setup(hide_code=True):
    import marimo as mo

    from alignkit import Epsilon, Noise, Query
    from course_kit import TODO, alignment, hints, judge, mechanism, show


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Exercise 4: one-sided noise

    *About 25 minutes. You learn that a shift must lead to noise that can occur.*

    Exponential noise is never below 0. Its density falls like $e^{-x/b}$, so that a shift by $s \ge 0$ costs $s / b$,
    as with Laplace noise. A shift downwards may lead below 0, where the noise never is: such an alignment proves
    nothing.

    The mechanism below releases a count with two such noises, one added and one subtracted. For simplicity the
    alignment after it shifts the first one only.
    """)
    return


@app.function
@mechanism
def count_with_two_noises(x: Query, eps: Epsilon, noise: Noise):
    """A count, plus one exponential noise, minus another."""
    a = noise.exponential(1 / eps)
    b = noise.exponential(1 / eps)
    return x + a - b


@app.function
@alignment(count_with_two_noises, epsilon="eps", expect="refuted")
def first_noise_only(x, x_, H):
    """Right for Laplace noise."""
    return H.shift(a=x - x_)


@app.cell
def _():
    show(first_noise_only)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Your task

    Write an alignment that costs `eps` at most. `x` is the count on $D$, `x_` the count on $D'$; they differ by at most
    1, in either direction. You may use `min`, `max`, `abs` and `… if … else …`.
    """)
    return


@app.function
@alignment(count_with_two_noises, epsilon="eps")
def phi(x, x_, H):
    return H.shift(a=TODO, b=TODO)


@app.cell
def _():
    feedback = judge(
        phi,
        count_with_two_noises,
        exercise=4,
    )
    feedback
    return


@app.cell(hide_code=True)
def _():
    hints(
        "The output is `x + a - b`. If $s$ is the shift of `a` and $t$ that of `b`, then $s - t$ must be `x - x_`.",
        "Both shifts must be at least 0. If the count is lower on $D'$, raise `a`. Which noise do you raise if it is"
        " higher?",
        "Raising both noises in every run keeps the output too, but costs more than `eps`. Where one of them is"
        " raised, leave the other as it is: `max(…, 0)`.",
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Afterwards

    Noisy max can do with one-sided noise as well, which has half the variance of Laplace noise of the same scale. Read
    what `alignkit explain noisy_max_exponential` prints: why is the shift in its first proof never negative?
    """)
    return


if __name__ == "__main__":
    app.run()
