"""Running totals in blocks; the place within a block is counted."""

from alignkit import Count, Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def smart_sum(q: Queries, M: Count, eps: Epsilon, noise: Noise):
    done = 0
    block = 0
    last = 0
    place = 0
    for q_i in q:
        place += 1
        if place == M:
            xi_i = noise.laplace(1 / eps)
            done = done + block + q_i + xi_i
            last = done
            block = 0
            place = 0
            yield last
        else:
            eta_i = noise.laplace(1 / eps)
            last = last + q_i + eta_i
            block = block + q_i
            yield last


@alignment(smart_sum, epsilon="2 * eps", adjacency="one")
def phi(q, q_, omega, M, H):
    n = len(omega)
    block = [sum(q[j] - q_[j] for j in range(max(0, i + 1 - M), i + 1)) for i in range(n)]
    return H.shift(eta_i=[q[i] - q_[i] for i in range(n)], xi_i=block)
