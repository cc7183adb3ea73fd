"""Hybrids of sparse vector and top-k: of the k largest noisy answers, those above a noisy threshold."""

from typing import Annotated

from alignkit import Count, Epsilon, Lattice, Noise, Proportion, Queries, Real, largest, mechanism

Counts = Annotated[Queries, Lattice(1)]


@mechanism
def hybrid_identity(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Hybrid Prioritizing Identity (Algorithm 5 of the VLDB Journal paper); the threshold is query 0.

    Each output is a query with its lead over the next. Query 0 is put out where it is reached, with its lead, and
    nothing after it; it counts as an output.
    """
    answers = [T, *q]
    eta = [noise.exponential(2 * k / eps) for answer in answers]
    noisy = [answer + eta_i for answer, eta_i in zip(answers, eta)]
    top = largest(noisy, k + 1)
    for i in range(k):
        yield top[i], noisy[top[i]] - noisy[top[i + 1]]
        if top[i] == 0:
            break


@mechanism
def hybrid_estimates(q: Queries, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise):
    """Hybrid Prioritizing Estimates (Algorithm 6 of the VLDB Journal paper): each output comes with its gap."""
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    b0, b1 = 1 / eps0, 2 / eps1
    eta = noise.exponential(1 / eps0)
    threshold = T + eta - b0
    eta_i = [noise.exponential(2 / eps1) for q_i in q]
    noisy = [q_i + noise_i - b1 for q_i, noise_i in zip(q, eta_i)]
    for j in largest(noisy, k):
        if noisy[j] >= threshold:
            yield j, noisy[j] - threshold
        else:
            break


@mechanism
def hybrid_identity_in_steps(
    q: Counts, T: Annotated[Real, Lattice(1)], k: Count, eps: Epsilon, noise: Noise
):
    """Algorithm 5 of the VLDB Journal paper with geometric noise: queries, and how far each is behind the first.

    The threshold is query 0. These are the leads of Algorithm 5 but the last one, over a query that is not named, where
    Equation (4) no longer holds once ties happen.
    """
    answers = [T, *q]
    eta = [noise.geometric(2 * k / eps) for answer in answers]
    noisy = [answer + eta_i for answer, eta_i in zip(answers, eta)]
    top = largest(noisy, k)
    for i in range(k):
        yield top[i], noisy[top[0]] - noisy[top[i]]
        if top[i] == 0:
            break


@mechanism
def hybrid_estimates_in_steps(
    q: Counts, T: Annotated[Real, Lattice(1)], k: Count, eps: Epsilon, theta: Proportion, noise: Noise
):
    """Algorithm 6 of the VLDB Journal paper with geometric noise and whole-numbered gaps.

    The gap is above the noisy threshold, and nothing is subtracted from the noise; b0 and b1 stand beside the threshold
    where the two are compared.
    """
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    b0, b1 = 1 / eps0, 2 / eps1
    eta = noise.geometric(1 / eps0)
    threshold = T + eta
    eta_i = [noise.geometric(2 / eps1) for q_i in q]
    noisy = [q_i + noise_i for q_i, noise_i in zip(q, eta_i)]
    for j in largest(noisy, k):
        if noisy[j] - threshold >= b1 - b0:
            yield j, noisy[j] - threshold
        else:
            break
