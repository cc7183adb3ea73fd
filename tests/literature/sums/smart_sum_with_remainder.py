"""Running totals in blocks; the end of a block is found by a remainder."""

from alignkit import Count, Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def smart_sum(q: Queries, M: Count, eps: Epsilon, noise: Noise):
    done = 0
    total = 0
    block = 0
    for i, q_i in enumerate(q):
        if (i + 1) % M == 0:
            xi_i = noise.laplace(1 / eps)
            done = done + block + q_i + xi_i
            total = done
            block = 0
            yield total
        else:
            eta_i = noise.laplace(1 / eps)
            total = total + q_i + eta_i
            block = block + q_i
            yield total


@alignment(smart_sum, epsilon="2 * eps", adjacency="one")
def phi(q, q_, omega, M, H):
    return H.shift(
        eta_i=[q[i] - q_[i] for i in range(len(omega))],
        xi_i=[
            sum(q[j] - q_[j] for j in range(i + 1 - M, i + 1)) if (i + 1) % M == 0 else 0
            for i in range(len(omega))
        ],
    )
