import marimo

__generated_with = "0.25.2"
app = marimo.App()

with app.setup(hide_code=True):
    import marimo as mo

    from alignkit import BELOW, Count, Epsilon, Noise, Queries, Real
    from course_kit import TODO, alignment, hints, judge, mechanism, show


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Exercise 2: mend the alignment

    *About 20 minutes. You learn to read a counterexample, and why a gap is free.*

    This is Sparse Vector with Gap. For each answer above the noisy threshold it also says by how much the answer lies
    above it: the gap. The mechanism is private; the alignment after it is wrong. alignkit refutes it by a pair of runs,
    side by side: $D$ with its noise on the left, $D'$ with the shifted noise on the right.
    """)
    return


@app.function
@mechanism
def sparse_vector_with_gap(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Which answers lie above T, and by how much? Ends after k that do."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        gap = q_i + eta_i - (T + eta)
        if gap >= 0:
            yield gap
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@app.function
@alignment(sparse_vector_with_gap, epsilon="eps", expect="refuted")
def raised_together(omega, H):
    """Raise the threshold by 1, and every answer above it by 1 too."""
    return H.shift(
        eta=1,
        eta_i=[1 if w is not BELOW else 0 for w in omega],
    )


@app.cell
def _():
    show(raised_together)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Your task

    Mend the alignment: write the shift of `eta_i` where the output is a gap. It may use `q[i]`, the answer on $D$, and
    `q_[i]`, the answer on $D'$. The claim is `eps`.
    """)
    return


@app.function
@alignment(sparse_vector_with_gap, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(
        eta=1,
        eta_i=[TODO if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@app.cell
def _():
    feedback = judge(
        phi,
        sparse_vector_with_gap,
        exercise=2,
    )
    feedback
    return


@app.cell(hide_code=True)
def _():
    hints(
        "Look at the last rows of the table: which of the two runs has the larger gap, and by how much?",
        "The gap is `q_i + eta_i - (T + eta)`. On $D'$ the answer is `q_[i]`, and `eta` is larger by 1. What must be"
        " added to `eta_i`, so that the gap stays what it was?",
        "Write $s$ for the shift of `eta_i`, and solve"
        " $q_i + \\eta_i - (T + \\eta) = q'_i + \\eta_i + s - (T + \\eta + 1)$ for $s$.",
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Afterwards

    Why is `eta` shifted by 1, although the answers may not have changed at all? Try 0, and
    take the 1 out of the shift of `eta_i` too, so that the gap is kept; then read the counterexample.
    """)
    return


if __name__ == "__main__":
    app.run()
