"""Algorithm 1 of Lyu, Su and Li: thresholds for each answer, and any sensitivity."""

from typing import Annotated

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Positive, Queries, Reals, Sensitivity, alignment, mechanism


@mechanism
def sparse_vector(
    q: Annotated[Queries, Sensitivity("delta")], T: Reals, c: Count, delta: Positive, eps: Epsilon, noise: Noise
):
    eps1 = eps / 2
    eps2 = eps - eps1
    rho = noise.laplace(delta / eps1)
    count = 0
    for q_i, T_i in zip(q, T):
        nu_i = noise.laplace(2 * c * delta / eps2)
        if q_i + nu_i >= T_i + rho:
            yield ABOVE
            count += 1
            if count >= c:
                break
        else:
            yield BELOW


@alignment(sparse_vector, epsilon="eps")
def phi(q, q_, omega, delta, H):
    return H.shift(rho=delta, nu_i=[delta + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
