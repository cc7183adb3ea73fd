import marimo

__generated_with = "0.25.2"
app = marimo.App()

with app.setup(hide_code=True):
    import marimo as mo

    from alignkit import Count, Epsilon, Noise, Queries, Query, Real
    from alignkit.mechanisms.sparse_vector import sparse_vector
    from alignkit.proofs.sparse_vector import phi as sparse_vector_phi
    from course_kit import TODO, alignment, hints, judge, mechanism
    from course_kit.contracts import releases_a_report


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Exercise 7: a composition

    *About 25 minutes. You learn to use a proved mechanism as a part of another one, and to split a budget.*

    A mechanism may call another one. The call costs the claim of a **lemma**: a proved alignment of the mechanism that
    is called. The lemma here is `sparse_vector_phi`, which proves the claim `eps` for `sparse_vector(q, T, k, eps,
    noise)`. A call with `eps / 7` in the place of `eps` therefore costs `eps / 7`. The alignment of the whole shifts
    only the noise that the whole draws itself.

    ## Your task

    The report below runs Sparse Vector on the answers `q`, releases the count `x` with noise, and runs Sparse Vector on
    the answers `r`. Fill in the blanks such that all three parts together cost `eps`, and all of `eps` is spent. How
    you split it is up to you. Every answer may change by at most 1 (adjacency `each`).
    """)
    return


@app.function
@mechanism
def report(q: Queries, x: Query, r: Queries, T: Real, U: Real, k: Count, eps: Epsilon, noise: Noise):
    """Answers above T, a count, and answers above U."""
    yield from sparse_vector(q, T, k, TODO, noise)
    e = noise.laplace(TODO)
    yield x + e
    yield from sparse_vector(r, U, k, TODO, noise)


@app.function
@alignment(report, epsilon="eps", lemmas=[sparse_vector_phi])
def phi(x, x_, H):
    return H.shift(e=TODO)


@app.cell
def _():
    feedback = judge(
        phi,
        report,
        lemmas=[sparse_vector_phi],
        tight=True,
        also=releases_a_report,
        exercise=7,
    )
    feedback
    return


@app.cell(hide_code=True)
def _():
    hints(
        "Three parts share `eps`. Choose three shares that add up to 1, such as a half and two quarters.",
        "The second and fourth arguments of the calls differ: the fourth is the budget. For the count, the noise of"
        " scale $b$ costs 1 / b, if `x` changes by 1. Which scale costs `eps / 4`?",
        "The output `x + e` must be the same on $D'$, where the count is `x_`. What is the shift of `e`?",
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Afterwards

    Run `from alignkit import check` and `print(check(phi))` in a new cell: the report lists each call with its price.
    Would it be enough to claim the largest of the three budgets, if every person counts in one of `q`, `x` and `r`
    only? Read about the adjacency `one` in `docs/language.md`, and try it.
    """)
    return


if __name__ == "__main__":
    app.run()
