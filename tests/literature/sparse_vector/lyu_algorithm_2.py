"""Algorithm 2 of Lyu, Su and Li: the threshold gets fresh noise after each winner."""

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Reals, alignment, mechanism


@mechanism
def sparse_vector(q: Queries, T: Reals, c: Count, eps: Epsilon, noise: Noise):
    eps1 = eps / 2
    eps2 = eps - eps1
    rho = noise.laplace(c / eps1)
    count = 0
    for q_i, T_i in zip(q, T):
        nu_i = noise.laplace(2 * c / eps2)
        if q_i + nu_i >= T_i + rho:
            yield ABOVE
            rho_i = noise.laplace(c / eps1)
            rho = rho_i
            count += 1
            if count >= c:
                break
        else:
            yield BELOW


@alignment(sparse_vector, epsilon="eps + eps / (2 * c)", invariant="rho_ == rho + 1")
def phi(q, q_, omega, H):
    return H.shift(
        rho=1,
        nu_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],
        rho_i=[1 if w is ABOVE else 0 for w in omega],
    )
