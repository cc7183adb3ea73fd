"""Mechanisms with slightly too little noise: each costs a known factor more than it claims."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from support.defining import define_in

from alignkit import Alignment

# By how much more than the claim they cost.
EXCESSES = tuple(Fraction(percent, 100) for percent in (1, 2, 5, 10, 20))

# `factor` is written as a fraction of whole numbers: all the noise is as it should be for a budget of factor * eps.
PROGRAMS = {
    "sparse_vector": '''
@mechanism
def sparse_vector(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse Vector with noise for {factor} * eps."""
    eps0, eps1 = {factor} * eps / 2, {factor} * eps / (4 * k)
    eta = noise.laplace(1 / eps0)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(1 / eps1)
        if q_i + eta_i - (T + eta) >= 0:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(sparse_vector, epsilon="{claim}")
def phi(q, q_, omega, H):
    """Raise the threshold by 1, and each winner by 1 + q_i - q'_i."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
''',
    "sparse_vector_with_gap": '''
@mechanism
def sparse_vector_with_gap(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse Vector with Gap with noise for {factor} * eps."""
    eps0, eps1 = {factor} * eps / 2, {factor} * eps / (4 * k)
    eta = noise.laplace(1 / eps0)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(1 / eps1)
        gap = q_i + eta_i - (T + eta)
        if gap >= 0:
            yield gap
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(sparse_vector_with_gap, epsilon="{claim}")
def phi(q, q_, omega, H):
    """Raise the threshold by 1, and each winner by 1 + q_i - q'_i."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
''',
    "noisy_max": '''
@mechanism
def noisy_max(q: Queries, eps: Epsilon, noise: Noise):
    """Noisy Max with noise for {factor} * eps."""
    eta = [noise.laplace(2 / ({factor} * eps)) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@alignment(noisy_max, epsilon="{claim}")
def phi(q, q_, omega, H):
    """Raise the winner by 1 + q_i - q'_i, so that no loser can catch up."""
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
''',
    "noisy_top_k": '''
@mechanism
def noisy_top_k(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Noisy Top-K with noise for {factor} * eps."""
    eta = [noise.laplace(2 * k / ({factor} * eps)) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    return largest(noisy, k)


@alignment(noisy_top_k, epsilon="{claim}")
def phi(q, q_, omega, H):
    """Raise each of the selected by 1 + q_i - q'_i: they keep their order, and no loser can catch up."""
    return H.shift(eta=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])
''',
}


def slightly_wrong(folder: Path, program: str, excess: Fraction, *, honest: bool = False) -> Alignment:
    """A mechanism that costs ``1 + excess`` times eps, with its alignment: claimed for eps, or for what it costs."""
    factor = 1 + excess
    written = f"{factor.numerator} / {factor.denominator}"
    text = PROGRAMS[program].format(factor=written, claim=f"{written} * eps" if honest else "eps")
    phi: Alignment = define_in(folder, text).phi
    return phi
