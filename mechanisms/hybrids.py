"""Hybrids of sparse vector and top-k: of the k largest noisy answers, those above a noisy threshold."""

from alignkit import Count, Epsilon, Noise, Proportion, Queries, Real, largest, mechanism


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
