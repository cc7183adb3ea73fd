"""A row of a noisy Count Sketch with two buckets (Melis, Danezis and De Cristofaro, NDSS 2016)."""

from alignkit import Epsilon, Noise, Queries, Reals, alignment, mechanism


@mechanism
def count_sketch_row(q: Queries, sign: Reals, bucket: Reals, eps: Epsilon, noise: Noise):
    """Add the counts to two buckets with public signs, and put Laplace noise on both."""
    e = noise.laplace(1 / eps)
    f = noise.laplace(1 / eps)
    left = sum(x if s > 0 else -x for x, s, h in zip(q, sign, bucket) if h <= 0)
    right = sum(x if s > 0 else -x for x, s, h in zip(q, sign, bucket) if h > 0)
    return left + e, right + f


@alignment(count_sketch_row, epsilon="eps", adjacency="one")
def phi(q, q_, sign, bucket, H):
    left = sum(x if s > 0 else -x for x, s, h in zip(q, sign, bucket) if h <= 0)
    left_ = sum(x if s > 0 else -x for x, s, h in zip(q_, sign, bucket) if h <= 0)
    right = sum(x if s > 0 else -x for x, s, h in zip(q, sign, bucket) if h > 0)
    right_ = sum(x if s > 0 else -x for x, s, h in zip(q_, sign, bucket) if h > 0)
    return H.shift(e=left - left_, f=right - right_)
