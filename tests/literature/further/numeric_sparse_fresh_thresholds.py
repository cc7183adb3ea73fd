"""NumericSparse: after each answer the threshold gets fresh noise."""

from alignkit import BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def numeric_sparse(q: Queries, T: Real, c: Count, eps: Epsilon, noise: Noise):
    eps1 = 8 * eps / 9
    eps2 = 2 * eps / 9
    rho = noise.laplace(2 * c / eps1)
    threshold = T + rho
    count = 0
    for q_i in q:
        nu_i = noise.laplace(4 * c / eps1)
        if q_i + nu_i >= threshold:
            xi_i = noise.laplace(2 * c / eps2)
            yield q_i + xi_i
            count += 1
            fresh = noise.laplace(2 * c / eps1)
            threshold = T + fresh
        else:
            yield BELOW
        if count >= c:
            break


@alignment(numeric_sparse, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(
        rho=1,
        nu_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
        xi_i=[q[i] - q_[i] for i in range(len(omega))],
        fresh=[1 if i < len(omega) - 1 else 0 for i in range(len(omega))],
    )
