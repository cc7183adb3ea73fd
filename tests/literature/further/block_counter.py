"""A counter that tells the noisy sum of each finished block of B answers, and nothing in between."""

from alignkit import Count, Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def block_counter(q: Queries, B: Count, eps: Epsilon, noise: Noise):
    block = 0
    c = 0
    for q_i in q:
        block += q_i
        c = (c + 1) % B
        if c == 0:
            eta_i = noise.laplace(1 / eps)
            yield block + eta_i
            block = 0


@alignment(block_counter, epsilon="eps", adjacency="one")
def phi(q, q_, B, H):
    return H.shift(
        eta_i=[
            sum(q[j] - q_[j] for j in range(i + 1 - B, i + 1)) if (i + 1) % B == 0 else 0 for i in range(len(q))
        ]
    )
