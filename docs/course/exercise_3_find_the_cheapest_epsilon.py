import marimo

__generated_with = "0.25.2"
app = marimo.App()

with app.setup(hide_code=True):
    import marimo as mo

    from alignkit import Epsilon, Noise, Queries, check, largest
    from course_kit import TODO, alignment, hints, judge, mechanism


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Exercise 3: find the cheapest ε

    *About 30 minutes. You learn that a claim depends on the alignment, and on what adjacent means.*

    A shop wants to know its busiest hour. The mechanism adds noise to the number of customers in each hour, and puts
    out the hour with the largest noisy number.
    """)
    return


@app.function
@mechanism
def busiest_hour(q: Queries, eps: Epsilon, noise: Noise):
    """The position of the largest noisy answer."""
    eta = [noise.laplace(3 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    `q` holds counts. If one customer is added, every count stays or rises by 1; if one is taken away, every count stays
    or falls by 1. That is the adjacency `monotone`: the answers all change in one direction, by at most 1.

    The alignment below raises the winner such that nobody else catches up. Its claim is proved, but it is wasteful: the
    report of `check` says what the shifts cost in the worst case, as `wasteful_result.cost`, and what the claim exceeds
    it by, as `wasteful_result.slack`.
    """)
    return


@app.function
@alignment(busiest_hour, epsilon="eps", adjacency="monotone")
def wasteful_phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@app.cell
def _():
    wasteful_result = check(wasteful_phi)
    print("proved:", wasteful_result.proved)
    print("worst cost of the shifts:", wasteful_result.cost)
    print("what the claim wastes:", wasteful_result.slack)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Your task

    Find the smallest claim that an alignment of this mechanism can have under `monotone`, and the alignment. Write the
    claim as a text in place of the first `TODO`, such as `"eps / 7"`, and the winner's shift in place of the second
    one.
    """)
    return


@app.function
@alignment(busiest_hour, epsilon="TODO", adjacency="monotone")
def phi(q, q_, omega, H):
    return H.shift(eta=[TODO if i == omega else 0 for i in range(len(q))])


@app.cell
def _():
    feedback = judge(
        phi,
        busiest_hour,
        epsilon=None,
        adjacency="monotone",
        tight=True,
        cheapest=True,
        exercise=3,
    )
    feedback
    return


@app.cell(hide_code=True)
def _():
    hints(
        "In the worst case the winner is shifted by 2. When does that happen, and what do the other answers do then?",
        "If the winner's own answer falls, all answers stay or fall. Does the winner need more than to make up for its"
        " own fall then?",
        "Treat the two directions separately: `1 + q[i] - q_[i]` if the answers rise, `q[i] - q_[i]` if they fall. An"
        " alignment can tell by the winner's own answer: `(… if q_[i] >= q[i] else …)`.",
        "The shift is 1 at most in either direction. What does a shift by 1 cost, if the scale is 3 / eps?",
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Afterwards

    Let alignkit look for the alignment: run `from alignkit import find` and `print(find(busiest_hour,
    adjacency="monotone"))` in a new cell. What is the cheapest claim under the adjacency `each`?
    """)
    return


if __name__ == "__main__":
    app.run()
