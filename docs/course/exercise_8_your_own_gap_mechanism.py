import marimo

__generated_with = "0.25.2"
app = marimo.App()

with app.setup(hide_code=True):
    import marimo as mo

    from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, Tag, largest
    from course_kit import TODO, alignment, hints, judge, mechanism
    from course_kit.contracts import releases_a_gap

    MIDDLE = Tag("MIDDLE")


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Exercise 8: your own gap mechanism

    *About 60 minutes. You design a mechanism and prove it.*

    A gap is a number that a selection has computed anyway, and that can be put out at no extra cost: by how much a
    winner leads, or how far an answer lies beyond a threshold.

    ## Your task

    Invent a mechanism that selects something and releases a gap with it, and prove the claim `eps` under the adjacency
    `each`. Keep the parameters; you need not use `T` and `k`. Some ideas, from easy to hard:

    * the first `k` answers that lie *below* `T`, each with how far it lies below;
    * the *smallest* noisy answer, with how far the next one lies above it;
    * a sparse vector with two thresholds, `T` and `T + 10`, that puts out a tag of its own for answers between them and
      the gap for answers above both.

    `ABOVE`, `BELOW` and `MIDDLE` are tags. What else a mechanism may contain is on one page, `docs/language.md`. Do not
    copy Sparse Vector with Gap from exercise 2.
    """)
    return


@app.function
@mechanism
def my_gap_mechanism(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Say in a line what it releases."""
    eta = noise.laplace(TODO)
    for q_i in q:
        yield TODO


@app.function
@alignment(my_gap_mechanism, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=TODO)


@app.cell
def _():
    feedback = judge(
        phi,
        my_gap_mechanism,
        also=releases_a_gap,
        exercise=8,
    )
    feedback
    return


@app.cell(hide_code=True)
def _():
    hints(
        "Begin with a mechanism that you know, and change one thing. For answers below the threshold, what changes in"
        " the comparison of Sparse Vector, and in which direction must the threshold be shifted?",
        "Write the gap as a formula of the answer and the noise. On $D'$, with the shifted noise, it must have the same"
        " value: solve for the shift. For answers that are not selected, shift nothing, and see to it that they are not"
        " selected on $D'$ either.",
        "Add up the cost of the shifts in the worst case, and choose the scales such that the sum is `eps`: for example"
        " eps / 2 for the threshold, and eps / (2 k) for each of the k winners, whose shifts are 2 at most.",
        "If alignkit finds a counterexample, replay it on paper before you change anything. If it stays undecided, the"
        " report says which condition is missing; `docs/undecided.md` goes through the reasons.",
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Afterwards

    Run `from alignkit import attack` and `print(attack(my_gap_mechanism, claim="eps", eps=1, effort=60))` in a new
    cell. How close does the loss that it certifies come to your claim?
    """)
    return


if __name__ == "__main__":
    app.run()
