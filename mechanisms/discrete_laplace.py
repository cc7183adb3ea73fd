"""The discrete Laplace mechanism: noise on the lattice that the answers are on."""

from typing import Annotated

from alignkit import Epsilon, Eta, Lattice, Noise, Positive, Queries, Query, Sensitivity, mechanism


@mechanism
def discrete_laplace_mechanism(
    q: Annotated[Queries, Sensitivity("delta"), Lattice("gamma")],
    delta: Positive,
    gamma: Positive,
    eps: Epsilon,
    noise: Noise,
):
    """The vector discrete Laplace mechanism (Theorem 2 of the VLDB 2020 paper)."""
    eta = [noise.discrete_laplace(delta / eps, gamma) for q_i in q]
    return [q_i + eta_i for q_i, eta_i in zip(q, eta)]


@mechanism
def discrete_laplace_mechanism_base2(
    q: Annotated[Query, Sensitivity("delta"), Lattice("gamma")],
    delta: Positive,
    gamma: Positive,
    eta: Eta,
    noise: Noise,
):
    """The discrete Laplace mechanism in base 2 (Mechanism 2 of Ilvento's paper)."""
    xi = noise.discrete_laplace_base2(eta, gamma)
    return q + xi
