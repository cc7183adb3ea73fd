"""CheckDP's adaptive sparse vector, in which each gap says which of two tests was passed."""

from alignkit import BELOW, Count, Epsilon, Noise, Queries, Real, Tag, alignment, mechanism

TOP, MIDDLE = Tag("TOP"), Tag("MIDDLE")


@mechanism
def adaptive_sparse_vector(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    threshold = T + eta
    cost = 2 * k * eps
    for q_i in q:
        xi_i = noise.laplace(8 * k / eps)
        if q_i + xi_i - threshold >= 16:
            yield TOP, q_i + xi_i - threshold
            cost = cost + eps
        else:
            nu_i = noise.laplace(4 * k / eps)
            if q_i + nu_i - threshold >= 0:
                yield MIDDLE, q_i + nu_i - threshold
                cost = cost + 2 * eps
            else:
                yield BELOW
        if cost > 4 * k * eps - 2 * eps:
            break


@alignment(adaptive_sparse_vector, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(
        eta=1,
        xi_i=[1 + q[i] - q_[i] if w is not BELOW and w[0] is TOP else 0 for i, w in enumerate(omega)],
        nu_i=[1 + q[i] - q_[i] if w is not BELOW and w[0] is MIDDLE else 0 for i, w in enumerate(omega)],
    )
