"""The winner's answer comes with the noise it was tested with."""

from alignkit import BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def numeric_sparse(q: Queries, T: Real, c: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(4 * c / eps)
        if q_i + nu_i >= T + rho:
            yield q_i + nu_i
            count += 1
            if count >= c:
                break
        else:
            yield BELOW


@alignment(numeric_sparse, epsilon="eps", expect="refuted")
def phi(q, q_, omega, H):
    return H.shift(rho=1, nu_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
