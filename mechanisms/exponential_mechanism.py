"""The exponential mechanism: which outcome has a large utility, drawn by the Gumbel-max trick."""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Sensitivity, largest, mechanism

Utilities = Annotated[Queries, Sensitivity("delta")]


@mechanism
def exponential_mechanism(u: Utilities, delta: Positive, eps: Epsilon, noise: Noise):
    """The exponential mechanism by the Gumbel-max trick (Section 8.1 of the VLDB Journal paper)."""
    g = [noise.gumbel(1) for u_i in u]
    x = [eps * u_i / (2 * delta) + g_i for u_i, g_i in zip(u, g)]
    (best,) = largest(x, 1)
    return best


@mechanism
def exponential_mechanism_with_gap(u: Utilities, delta: Positive, eps: Epsilon, noise: Noise):
    """Naive Exponential Mechanism with Gap (Algorithm 7 of the VLDB Journal paper), its line 3 times 2 delta / eps.

    Gumbel noise of scale 1 times 2 delta / eps is Gumbel noise of that scale. Only the gap is brought back.
    """
    g = [noise.gumbel(2 * delta / eps) for u_i in u]
    x = [u_i + g_i for u_i, g_i in zip(u, g)]
    s, t = largest(x, 2)
    return s, eps * (x[s] - x[t]) / (2 * delta)
