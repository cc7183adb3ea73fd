"""Exact sampling: whole numbers and fractions only, from random bits that are handed in.

Nothing here computes with floating point. Each sampler has exactly the law that it states, given fair bits.
"""

from __future__ import annotations

from alignkit.noise.exact.elementary import bernoulli, bernoulli_exp, uniform_below, weighted
from alignkit.noise.exact.randomness import RandomBits, SecureBits, SeededBits
from alignkit.noise.exact.ratios import ExponentialRatio, RationalRatio
from alignkit.noise.exact.samplers import DiscreteLaplace, Geometric

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
