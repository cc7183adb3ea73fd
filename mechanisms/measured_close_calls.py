"""Sparse vector that spends on a measurement only where the free gap leaves a winner close to the threshold."""

from alignkit import BELOW, Count, Epsilon, Noise, Positive, Proportion, Queries, Real, Tag, mechanism

FAR, CLOSE = Tag("FAR"), Tag("CLOSE")


@mechanism
def sparse_vector_measuring_close_calls(
    q: Queries, T: Real, scales: Positive, k: Count, eps: Epsilon, theta: Proportion, noise: Noise
):
    """SVT with Gap (Algorithm 2 of the VLDB Journal paper) that also measures each winner with a small gap.

    A gap is small below so many ``scales`` of the noise of a test. A winner costs eps1 and its measurement as much
    again, so that the budget of k winners that are all measured is enough for up to 2 k - 1 of them.
    """
    eps0, eps1 = theta * eps, (1 - theta) * eps / (2 * k)
    eta = noise.laplace(1 / eps0)
    threshold = T + eta
    far = scales * 2 / eps1
    cost = eps0
    for q_i in q:
        eta_i = noise.laplace(2 / eps1)
        gap = q_i + eta_i - threshold
        if gap >= far:
            yield FAR, gap, 0
            cost = cost + eps1
        elif gap >= 0:
            e_i = noise.laplace(1 / eps1)
            yield CLOSE, gap, q_i + e_i
            cost = cost + 2 * eps1
        else:
            yield BELOW, 0, 0
        if cost > eps - 2 * eps1:
            break
