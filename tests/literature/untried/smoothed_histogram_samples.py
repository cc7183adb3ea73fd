"""Samples from a smoothed histogram (Wasserman and Zhou, JASA 2010), two bins and n records."""

from alignkit import Count, Noise, Proportion, Query, alignment, clamp, mechanism


@mechanism
def smoothed_histogram_samples(q: Query, n: Count, k: Count, d: Proportion, noise: Noise):
    """Draw k records from the histogram, mixed with the uniform distribution, which has the weight d."""
    x = clamp(q, 0, n)
    b = [noise.choice([(1 - d) * x / n + d / 2, (1 - d) * (n - x) / n + d / 2]) for _ in range(k)]
    return b


@alignment(smoothed_histogram_samples, epsilon="k * log(1 + 2 * (1 - d) / (n * d))")
def phi(H):
    return H.shift()
