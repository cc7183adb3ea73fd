"""Noise: one file for each distribution, with its support, lattice, density, shift cost and sampler side by side.

A file exports its ``Distribution`` only; ``noise_source`` collects them, has the methods by which a mechanism
draws, and buffers noise on floats. Samplers for release, in whole numbers only, are in ``exact_sampling``.
This room imports nothing but ``errors``, ``arguments``, ``formatting`` and ``plain_enclosures``. Start reading in
``distribution`` and ``laplace``.
"""

from __future__ import annotations

from alignkit.noise.base2_noise import DISCRETE_LAPLACE_BASE2, GEOMETRIC_BASE2
from alignkit.noise.bits import Bits, base2
from alignkit.noise.choice import CHOICE
from alignkit.noise.cut_laplace import CUT_DISCRETE_LAPLACE, CUT_LAPLACE
from alignkit.noise.discrete_laplace import DISCRETE_LAPLACE
from alignkit.noise.distribution import Distribution, Support
from alignkit.noise.exponential import EXPONENTIAL
from alignkit.noise.geometric import GEOMETRIC
from alignkit.noise.gumbel import GUMBEL
from alignkit.noise.laplace import LAPLACE
from alignkit.noise.logistic import LOGISTIC
from alignkit.noise.noise_source import DISTRIBUTIONS, DRAWS, Noise, RandomNoise
from alignkit.noise.staircase import STAIRCASE
from alignkit.noise.uniform import UNIFORM

__all__ = [
    "CHOICE",
    "CUT_DISCRETE_LAPLACE",
    "CUT_LAPLACE",
    "DISCRETE_LAPLACE",
    "DISCRETE_LAPLACE_BASE2",
    "DISTRIBUTIONS",
    "DRAWS",
    "EXPONENTIAL",
    "GEOMETRIC",
    "GEOMETRIC_BASE2",
    "GUMBEL",
    "LAPLACE",
    "LOGISTIC",
    "STAIRCASE",
    "UNIFORM",
    "Bits",
    "Distribution",
    "Noise",
    "RandomNoise",
    "Support",
    "base2",
]
