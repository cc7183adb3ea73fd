"""NoiseFirst: a noisy histogram in which two neighbouring bins are merged where they are close to each other."""

from alignkit import Epsilon, Noise, Positive, Queries, alignment, mechanism


@mechanism
def noise_first(q: Queries, close: Positive, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for q_i in q]
    noisy = [q_i + e_i for q_i, e_i in zip(q, e)]
    pairs = [(noisy[2 * j], noisy[2 * j + 1]) for j in range(len(q) // 2)]
    return [((a + b) / 2, (a + b) / 2) if abs(a - b) <= close else (a, b) for a, b in pairs]


@alignment(noise_first, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
