"""Each running total is the noisy sum of the finished blocks and fresh noise for the answers since."""

from alignkit import Count, Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def two_level_counter(q: Queries, M: Count, eps: Epsilon, noise: Noise):
    blocks = 0
    block = 0
    since = 0
    for i, q_i in enumerate(q):
        alpha_i = noise.laplace(2 / eps)
        block = block + q_i
        since = since + q_i + alpha_i
        if i % M == M - 1:
            beta_i = noise.laplace(2 / eps)
            blocks = blocks + block + beta_i
            block = 0
            since = 0
        yield blocks + since


@alignment(two_level_counter, epsilon="eps", adjacency="one")
def phi(q, q_, omega, M, H):
    return H.shift(
        alpha_i=[q[i] - q_[i] for i in range(len(omega))],
        beta_i=[
            sum(q[j] - q_[j] for j in range(i + 1 - M, i + 1)) if i % M == M - 1 else 0
            for i in range(len(omega))
        ],
    )
