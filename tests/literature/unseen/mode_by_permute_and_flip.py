"""The mode by permute and flip, for monotone counts: McKenna and Sheldon, Permute-and-Flip, NeurIPS 2020."""

from alignkit import Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def mode(count: Queries, eps: Epsilon, noise: Noise):
    e = [noise.exponential(1 / eps) for c in count]
    (best,) = largest([c + e_i for c, e_i in zip(count, e)], 1)
    return best


@alignment(mode, epsilon="eps", adjacency="monotone")
def phi(count, count_, omega, direction, H):
    """Where counts rise the winner rises with the others; where they fall it makes up for its own fall."""
    up = 1 if direction == 1 else 0
    return H.shift(e=[up + count[i] - count_[i] if i == omega else 0 for i in range(len(count))])
