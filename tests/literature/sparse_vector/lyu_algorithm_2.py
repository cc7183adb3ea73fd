"""Algorithm 2 of Lyu, Su and Li: the threshold gets fresh noise after each winner."""

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Reals, alignment, mechanism


@mechanism
def sparse_vector(q: Queries, T: Reals, c: Count, eps: Epsilon, noise: Noise):
    eps1 = eps / 2
    eps2 = eps - eps1
    rho = noise.laplace(c / eps1)
    threshold = rho
    count = 0
    for q_i, T_i in zip(q, T):
        nu_i = noise.laplace(2 * c / eps2)
        if q_i + nu_i >= T_i + threshold:
            yield ABOVE
            count += 1
            if count >= c:
                break
            fresh = noise.laplace(c / eps1)
            threshold = fresh
        else:
            yield BELOW


@alignment(sparse_vector, epsilon="eps", invariant="threshold_ == threshold + 1")
def phi(q, q_, omega, H):
    return H.shift(
        rho=1,
        nu_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],
        fresh=[1 for w in omega],
    )
