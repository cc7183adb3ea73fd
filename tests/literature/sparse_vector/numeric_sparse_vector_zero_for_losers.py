"""NumSVT as ShadowDP prints it: the number 0 stands for an answer below the threshold."""

from alignkit import Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def numeric_sparse(q: Queries, T: Real, c: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(3 / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(6 * c / eps)
        if q_i + nu_i >= T + rho:
            v_i = noise.laplace(3 * c / eps)
            yield q_i + v_i
            count += 1
        else:
            yield 0
        if count >= c:
            break


@alignment(numeric_sparse, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(
        rho=1,
        nu_i=[1 + q[i] - q_[i] if w != 0 else 0 for i, w in enumerate(omega)],
        v_i=[q[i] - q_[i] if w != 0 else 0 for i, w in enumerate(omega)],
    )
