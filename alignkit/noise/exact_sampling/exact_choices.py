"""Exact choices by rational probabilities, and by e^(−x): whole numbers and fractions only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from alignkit.errors import InputError
from alignkit.noise.exact_sampling.randomness import RandomBits


def uniform_below(n: int, source: RandomBits) -> int:
    """Uniform on 0, …, n − 1: numbers of as many bits as n − 1 has, until one is below n.

    >>> from alignkit.noise.exact_sampling.randomness import SeededBits
    >>> source = SeededBits(1)
    >>> sorted({uniform_below(3, source) for _ in range(100)})
    [0, 1, 2]
    """
    if n < 1:
        raise InputError(f"uniform_below(n) takes a whole number n >= 1, not {n!r}")
    width = (n - 1).bit_length()
    while True:
        value = source.bits(width)
        if value < n:
            return value


def weighted(weights: Sequence[int | Fraction], source: RandomBits) -> int:
    """A position, each with a probability proportional to its weight; nothing is divided by the total.

    The normalised sampling that Ilvento's exact sparse vector takes from the exact exponential mechanism: weights
    are brought to a common denominator, so that they are whole numbers, and a uniform one below their total is
    looked up among their sums. Raises InputError for a negative weight, or where no weight is above 0.

    >>> from alignkit.noise.exact_sampling.randomness import SeededBits
    >>> source = SeededBits(1)
    >>> sorted({weighted([Fraction(1, 2), 0, 3], source) for _ in range(100)})
    [0, 2]
    """
    exact = [Fraction(w) for w in weights]
    if any(w < 0 for w in exact) or not any(exact):
        raise InputError("weights must be at least 0, and one of them above 0")
    common = math.lcm(*(w.denominator for w in exact))
    whole = [w.numerator * (common // w.denominator) for w in exact]
    left = uniform_below(sum(whole), source)
    for position, weight in enumerate(whole):
        left -= weight
        if left < 0:
            return position
    raise AssertionError("a number below the total lies below one of the sums")


def bernoulli(p: int | Fraction, source: RandomBits) -> bool:
    """True with probability p.

    >>> from alignkit.noise.exact_sampling.randomness import SeededBits
    >>> bernoulli(1, SeededBits(1)), bernoulli(0, SeededBits(1))
    (True, False)
    """
    p = Fraction(p)
    if not 0 <= p <= 1:
        raise InputError(f"a probability lies between 0 and 1, and {p} does not")
    return uniform_below(p.denominator, source) < p.numerator


def bernoulli_exp(x: int | Fraction, source: RandomBits) -> bool:
    """True with probability e^(−x), for x >= 0.

    Algorithm 1 of Canonne, Kamath, Steinke, "The Discrete Gaussian for Differential Privacy" (2020): for x <= 1 the
    number of successes in a row, the i-th with probability x / i, is even with that probability; a larger x is that
    many independent trials with x = 1 and one with the rest.

    >>> from alignkit.noise.exact_sampling.randomness import SeededBits
    >>> bernoulli_exp(0, SeededBits(1)), bernoulli_exp(10**4, SeededBits(1))
    (True, False)
    """
    x = Fraction(x)
    if x < 0:
        raise InputError(f"e^(-x) is a probability for x >= 0 only, and x is {x}")
    while x > 1:
        if not bernoulli_exp(Fraction(1), source):
            return False
        x -= 1
    row = 1
    while bernoulli(x / row, source):
        row += 1
    return row % 2 == 1
