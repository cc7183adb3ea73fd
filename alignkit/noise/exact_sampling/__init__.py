"""Exact sampling: whole numbers and fractions only, from random bits that are handed in.

Nothing here computes with floating point. Each sampler has exactly the law that it states, given fair bits.
"""

from __future__ import annotations

from alignkit.noise.exact_sampling.elementary import bernoulli, bernoulli_exp, uniform_below, weighted
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
