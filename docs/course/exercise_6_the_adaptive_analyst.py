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
    # Exercise 6: the adaptive analyst

    *About 35 minutes. You learn what a proof may not read if queries are chosen on the way.*

    An analyst asks counting queries one by one, and chooses each after seeing all outputs so far, gaps included. All
    counts change in one direction from $D$ to $D'$ (adjacency `monotone`), and this lets the mechanism add half the
    noise of exercise 2 to each answer.
    """)
    return


@app.function
@mechanism
def sparse_vector_for_counts(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Which answers lie above T, and by how much? Ends after k that do."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(2 * k / eps)
        gap = q_i + eta_i - (T + eta)
        if gap >= 0:
            yield gap
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    This is how an analyst asks. Nobody knows the second query before the first output is there.
    """)
    return


@app.cell
def _():
    session = sparse_vector_for_counts.interactive(T=100, k=2, eps=1, seed=1)
    print(session.ask(3))
    print(session.ask(900))
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    The next alignment proves the claim for queries that are fixed in advance. If the answers rise, it raises the
    threshold, and if they fall, it leaves the threshold alone; so a winner is never shifted by more than 1. Under
    `queries="adaptive"` alignkit leaves it undecided, and says what it objects to.
    """)
    return


@app.function
@alignment(sparse_vector_for_counts, epsilon="eps", adjacency="monotone", queries="adaptive", expect="undecided")
def reads_all_answers(q, q_, omega, H):
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(
        eta=up,
        eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@app.cell
def _():
    show(reads_all_answers)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Your task

    Write an alignment that proves the claim `eps` for every adaptive analyst. Add parameters to `phi` if you need them:
    an alignment gets what its parameters name. Besides `q`, `q_`, `omega` and `H` there are the public parameters (`T`,
    `k`, `eps`), and under the adjacency `monotone` also `direction`, which is 1 if answers rise from $D$ to $D'$, and
    -1 if they fall.
    """)
    return


@app.function
@alignment(sparse_vector_for_counts, epsilon="eps", adjacency="monotone", queries="adaptive")
def phi(q, q_, omega, H):
    up = TODO
    return H.shift(
        eta=up,
        eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@app.cell
def _():
    feedback = judge(
        phi,
        sparse_vector_for_counts,
        adjacency="monotone",
        queries="adaptive",
        exercise=6,
    )
    feedback
    return


@app.cell(hide_code=True)
def _():
    hints(
        "When is `eta` drawn? Which answers exist at that time?",
        "The shift of `eta` must not depend on any answer, since the analyst may choose every query by outputs that"
        " `eta` has influenced. But whether a person was added or taken away does not depend on the queries.",
        "Add the parameter `direction` to `phi`, and let `up` depend on it alone.",
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Afterwards

    Set `up = 1` in both directions. Which condition fails, and why does it not fail in exercise 2?
    """)
    return


if __name__ == "__main__":
    app.run()
