"""A mechanism with alignments, as users write them into proof files."""

HEAD = """
import pytest
from alignkit import Epsilon, Noise, Query, alignment, mechanism
"""

MECHANISM = """
@mechanism
def noisy_answer(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q + eta
"""

HEAD += MECHANISM

PROVED = """
@alignment(noisy_answer, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=q - q_)
"""

TOO_CHEAP = """
@alignment(noisy_answer, epsilon="eps / 2")
def cheap_phi(q, q_, omega, H):
    return H.shift(eta=q - q_)
"""

KNOWN_TO_BE_TOO_CHEAP = TOO_CHEAP.replace('"eps / 2"', '"eps / 2", expect="refuted"').replace("cheap_phi", "known_phi")

WASTEFUL = PROVED.replace('"eps"', '"3 * eps"').replace("phi", "wasteful_phi")

# Private, but proofs do not cover powers of answers.
OPEN = """
from alignkit import power

@mechanism
def squared(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q + eta + power(q, 17) - q * power(q, 16)

@alignment(squared, epsilon="eps")
def open_phi(q, q_, H):
    return H.shift(eta=q - q_)
"""
