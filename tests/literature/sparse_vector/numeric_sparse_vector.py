"""NumericSparse: 8/9 of the budget for the tests, and the rest for fresh noise on the winners."""

from alignkit import BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def numeric_sparse(q: Queries, T: Real, c: Count, eps: Epsilon, noise: Noise):
    eps1 = 8 * eps / 9
    eps2 = eps / 9
    rho = noise.laplace(2 / eps1)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(4 * c / eps1)
        if q_i + nu_i >= T + rho:
            v_i = noise.laplace(c / eps2)
            yield q_i + v_i
            count += 1
            if count >= c:
                break
        else:
            yield BELOW


@alignment(numeric_sparse, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(
        rho=1,
        nu_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
        v_i=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )
