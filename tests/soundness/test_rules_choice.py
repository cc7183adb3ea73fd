"""Rules 7 and 44: no weights that leak, no outcomes without weight; powers of private numbers stay undecided."""

import pytest

from alignkit import check
from alignkit.results import Verdict

PRIVATE_WEIGHTS = """
@mechanism
def m(q: Query, eps: Epsilon, noise: Noise):
    r = noise.choice([1, 1 + abs(q)])
    return r

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift()
"""

SHIFTED_INDEX = """
@mechanism
def m(q: Query, eps: Epsilon, noise: Noise):
    r = noise.choice([1, 1, 1])
    return r

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(r=1)
"""

BESIDE_LAPLACE = """
@mechanism
def m(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    r = noise.choice([1, 2])
    return [q + eta, r]

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=q - q_)
"""

IN_A_LOOP = """
@mechanism
def m(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        r = noise.choice([1, q_i * q_i])
        yield r

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift()
"""

IN_A_LIST = """
@mechanism
def m(q: Queries, eps: Epsilon, noise: Noise):
    r = [noise.choice([1, q_i * q_i]) for q_i in q]
    return r[0]

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift()
"""

POWERS = """
@mechanism
def m(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return power(q, 2) + eta

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift()
"""

POWERS_OF_TWO = """
@mechanism
def m(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return exp2(q) + eta

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=1)
"""

POINTS = """
@mechanism
def m(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return len(lattice_points(0, q, 1)) + eta

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift()
"""

EXP2_OF_A_PARAMETER = """
@mechanism
def m(q: Query, s: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(exp2(s) / eps)
    return q + eta

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=q - q_)
"""

NUMBERS = """
@mechanism
def m(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(power(2, 3) / (exp2(2) * eps))
    return q + eta

@alignment(m, epsilon="eps / 2")
def phi(q, q_, omega, H):
    return H.shift(eta=q - q_)

@alignment(m, epsilon="eps / 3")
def too_little(q, q_, omega, H):
    return H.shift(eta=q - q_)
"""


NEVER = {
    "private weights": PRIVATE_WEIGHTS, "shifted": SHIFTED_INDEX, "loop": IN_A_LOOP,
    "list": IN_A_LIST, "power": POWERS, "exp2": POWERS_OF_TWO, "points": POINTS, "parameter": EXP2_OF_A_PARAMETER,
}  # fmt: skip


@pytest.mark.parametrize("source", NEVER.values(), ids=NEVER.keys())
def test_never_proved(define, never_proved, source):
    never_proved(define(source).phi)


def test_a_choice_beside_laplace_noise_is_proved(define, proved):
    proved(define(BESIDE_LAPLACE).phi)


def test_powers_of_plain_numbers_are_numbers(define):
    module = define(NUMBERS)
    assert check(module.phi, effort=0).verdict is Verdict.PROVED
    assert check(module.too_little, effort=0).verdict is Verdict.REFUTED
