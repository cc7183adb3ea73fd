"""Noisy cells, then blocks of similar ones: Xiao, Xiong, Fan, Goryczka and Li, DPCube, Trans. Data Privacy 2014."""

from alignkit import Epsilon, Noise, Proportion, Queries, Real, Tag, alignment, mechanism

JOINED = Tag("JOINED")


@mechanism
def cells_then_blocks(x: Queries, theta: Real, alpha: Proportion, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / (alpha * eps)) for x_i in x]
    noisy = [x_i + e_i for x_i, e_i in zip(x, e)]
    block: float = 0
    for i, x_i in enumerate(x):
        block += x_i
        if i == len(x) - 1 or abs(noisy[i + 1] - noisy[i]) > theta:
            f_i = noise.laplace(1 / ((1 - alpha) * eps))
            yield block + f_i
            block = 0
        else:
            yield JOINED


@alignment(cells_then_blocks, epsilon="eps", adjacency="one")
def phi(x, x_, omega, H):
    """The cell that changes is measured once by itself, and once in its block."""
    lost = 0
    blocks = []
    for i, w in enumerate(omega):
        lost += x[i] - x_[i]
        blocks = [*blocks, 0 if w is JOINED else lost]
        lost = lost if w is JOINED else 0
    return H.shift(e=[x[i] - x_[i] for i in range(len(x))], f_i=blocks)
