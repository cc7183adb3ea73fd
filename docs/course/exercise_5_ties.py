import marimo

__generated_with = "0.25.2"
app = marimo.App()

with app.setup(hide_code=True):
    from typing import Annotated

    import marimo as mo

    from alignkit import Epsilon, Lattice, Noise, Queries, largest
    from course_kit import TODO, alignment, hints, judge, mechanism, show

    Counts = Annotated[Queries, Lattice(1)]


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Exercise 5: ties

    *About 30 minutes. You learn what changes when noise is on the whole numbers.*

    Two candidates with continuous noise never have the same noisy answer: a tie has probability 0, and a proof may
    leave it out. Computers draw noise on a lattice, and there ties do happen.

    The first mechanism selects the candidate with the largest noisy answer, with exponential noise. The alignment after
    it raises the winner by just as much as it needs to keep its lead over the best loser, and never lowers it. It is
    proved.
    """)
    return


@app.function
@mechanism
def winner_with_exponential_noise(q: Queries, eps: Epsilon, noise: Noise):
    """The winner among two or more candidates; among equal ones the first."""
    eta = [noise.exponential(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    best, runner_up = largest(noisy, 2)
    return best


@app.function
@alignment(winner_with_exponential_noise, epsilon="eps")
def keeps_the_lead(q, q_, omega, H):
    before = max(q[i] + H.eta[i] for i in range(len(q)) if i != omega)
    after = max(q_[i] + H.eta[i] for i in range(len(q)) if i != omega)
    return H.shift(eta=[max(0, q[i] - q_[i] + after - before) if i == omega else 0 for i in range(len(q))])


@app.cell
def _():
    show(keeps_the_lead)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    The second mechanism has geometric noise, which is the same thing on the whole numbers 0, 1, 2, …; the counts are
    whole numbers too. Among equal noisy answers the first one wins. The same alignment is refuted:
    """)
    return


@app.function
@mechanism
def winner(q: Counts, eps: Epsilon, noise: Noise):
    """The winner among two or more candidates; among equal ones the first."""
    eta = [noise.geometric(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    best, runner_up = largest(noisy, 2)
    return best


@app.function
@alignment(winner, epsilon="eps", expect="refuted")
def keeps_the_lead_in_steps(q, q_, omega, H):
    before = max(q[i] + H.eta[i] for i in range(len(q)) if i != omega)
    after = max(q_[i] + H.eta[i] for i in range(len(q)) if i != omega)
    return H.shift(eta=[max(0, q[i] - q_[i] + after - before) if i == omega else 0 for i in range(len(q))])


@app.cell
def _():
    show(keeps_the_lead_in_steps)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Your task

    Write an alignment for the second mechanism with the claim `eps`.
    """)
    return


@app.function
@alignment(winner, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=[TODO if i == omega else 0 for i in range(len(q))])


@app.cell
def _():
    feedback = judge(
        phi,
        winner,
        exercise=5,
    )
    feedback
    return


@app.cell(hide_code=True)
def _():
    hints(
        "In the table, write down the three noisy answers on $D$ and on $D'$. With whom does the winner tie on $D$,"
        " and with whom on $D'$?",
        "On $D$ the winner ties with a candidate that comes after it, and wins. On $D'$ it ties with one that comes"
        " before it, and loses. It is not enough to keep the lead over the *best* loser: keep it over *every* loser.",
        "Another candidate gains 1 at most. Which shift makes up for that, and for what the winner itself loses? It"
        " must be a whole number, because the noise is, and it must not be negative.",
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Afterwards

    Would raising the winner by another 1/2 break all ties in its favour? Try it. And what happens if the mechanism puts
    out the winner's lead as well? The catalogue has that case: `alignkit attack noisy_max_with_gap_discrete` certifies
    that it is not private.
    """)
    return


if __name__ == "__main__":
    app.run()
