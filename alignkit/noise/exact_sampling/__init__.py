"""Exact sampling, for releases: whole numbers and fractions only, from random bits that are handed in.

Nothing here computes with floating point. Each sampler has exactly the law that it states, given fair bits. Start
reading in ``drawing``, the noise of a run; its samplers are in ``samplers``, and why they are exact is said in
``geometric_digits`` and ``lookup_tables``.
"""

from __future__ import annotations

from alignkit.noise.exact_sampling.exact_choices import bernoulli, bernoulli_exp, uniform_below, weighted
from alignkit.noise.exact_sampling.randomness import RandomBits, SecureBits, SeededBits
from alignkit.noise.exact_sampling.ratios import ExponentialRatio, RationalRatio
from alignkit.noise.exact_sampling.samplers import DiscreteLaplace, Geometric

__all__ = [
    "DiscreteLaplace",
    "ExponentialRatio",
    "Geometric",
    "RandomBits",
    "RationalRatio",
    "SecureBits",
    "SeededBits",
    "bernoulli",
    "bernoulli_exp",
    "uniform_below",
    "weighted",
]
