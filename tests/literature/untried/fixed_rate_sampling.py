"""Sampling a stream at a fixed rate (Fan and Xiong, Real-Time Aggregate Monitoring, CIKM 2012)."""

from alignkit import Count, Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def fixed_rate_sampling(q: Queries, period: Count, samples: Count, eps: Epsilon, noise: Noise):
    """Measure every period-th count while samples are left, and repeat the last measurement in between."""
    last = 0
    taken = 0
    for i, q_i in enumerate(q):
        if i % period == 0 and taken < samples:
            e = noise.laplace(samples / eps)
            last = q_i + e
            taken += 1
        yield last


@alignment(fixed_rate_sampling, epsilon="eps")
def phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
