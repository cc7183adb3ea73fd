"""Chatzikokolakis, Palamidessi and Stronati, A Predictive Mechanism for Mobility Traces, PETS 2014.

In one dimension: the last report is used again where a noisy test says that it is near enough.
"""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Real, Sensitivity, Tag, alignment, mechanism

SAME = Tag("SAME")
Trace = Annotated[Queries, Sensitivity("r")]


@mechanism
def predictive_mechanism(
    x: Trace, start: Real, near: Real, r: Positive, eps_test: Epsilon, eps_noise: Epsilon, noise: Noise
):
    last = start
    for x_i in x:
        t_i = noise.laplace(1 / eps_test)
        if abs(x_i - last) + t_i <= near:
            yield SAME
        else:
            e_i = noise.laplace(1 / eps_noise)
            last = x_i + e_i
            yield last


@alignment(predictive_mechanism, epsilon="len(x) * r * (eps_test + eps_noise)")
def phi(x, x_, r, omega, H):
    """The distance to the last report changes by at most r, and each test is pushed to its own side by as much."""
    return H.shift(
        t_i=[-r if w is SAME else r for w in omega],
        e_i=[x[i] - x_[i] for i in range(len(omega))],
    )
