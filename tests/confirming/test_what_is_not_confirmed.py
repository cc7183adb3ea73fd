"""Programs that leak at one answer in ways that a reader of symbolic numbers may miss: none is confirmed."""

from __future__ import annotations

import pytest
from support.defining import define_in

from alignkit.confirming import Standing, confirm_alignment

# 0 and -1 are moved to 0, where the output is 0 either way.
NUMBERS_ON_A_LATTICE = """
Counts = Annotated[Query, Lattice(1)]

@mechanism
def folded(q: Counts, eps: Epsilon, noise: Noise):
    z = noise.discrete_laplace(1 / eps)
    if z >= 0:
        return z
    else:
        return -z - 1

@alignment(folded, epsilon="eps")
def phi(q, q_, H):
    return H.shift(z=1 if H.z == -1 else 0)
"""

# [0, 2) is laid twice on [0, 1) where q is 5, as long as the output is no truth value yet.
TRUTH_VALUES = """
@mechanism
def compared(q: Query, eps: Epsilon, noise: Noise):
    e = noise.exponential(1 / eps)
    yield e < (2 if q == 5 else 1)

@alignment(compared, epsilon="eps")
def phi(q, q_, H):
    if q == 5 and q_ != 5:
        s = -1 if H.e >= 1 and H.e < 2 else 0
    else:
        s = 1 if q != 5 and q_ == 5 and H.e >= 1 else 0
    return H.shift(e=s)
"""

# Where q is 5, a set is moved to a smaller one, by a root of the noise.
ROOT = """
@mechanism
def tells(q: Query, eps: Epsilon, noise: Noise):
    e = noise.exponential(1 / eps)
    if q == 5:
        yield e >= 16 and e < 64
    else:
        yield e < 32

@alignment(tells, epsilon="32 * eps")
def phi(q, q_, H):
    s = 0
    if q == 5 and q_ != 5:
        s = 32 if H.e < 16 else -4 * sqrt(H.e) if H.e < 64 else 0
    if q != 5 and q_ == 5:
        s = 16 if H.e < 32 else 32
    return H.shift(e=s)
"""

# A logarithm of a product is no sum of logarithms where the factors are below 0.
LOGARITHM = """
@mechanism
def scaled(q: Query, T: Real, U: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    x = 0
    if T < 0 and U < 0:
        x = 1 if log(T * U) > log(2) else 0
    return q + e if x == 1 else e

@alignment(scaled, epsilon="0")
def phi(q, q_, H):
    return H.shift()
"""

# The output e tells nothing of q, but that the run fails does, whatever T is.
FAILS_WHATEVER_IS_PUBLIC = """
@mechanism
def fails(q: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    x = 0
    if q > 0:
        if T > 5:
            x = 1 / (T - T)
        else:
            x = 1 / (T - T)
    return e + x

@alignment(fails, epsilon="0")
def phi(q, q_, H):
    return H.shift()
"""

# Where the answer is released, the alignment, or the claim, is not defined.
RAW_WITHOUT_ALIGNMENT = """
@mechanism
def raw(q: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q if T > 5 else q + e

@alignment(raw, epsilon="eps")
def phi(q, q_, T, H):
    return H.shift(e=q - q_ + (1 / (T - T) if T > 5 else 0))
"""
RAW_WITHOUT_CLAIM = """
@mechanism
def raw(q: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q if T == 0 else q + e

@alignment(raw, epsilon="eps * T / T")
def phi(q, q_, H):
    return H.shift(e=q - q_)
"""
PROGRAMS = {
    "numbers on a lattice": NUMBERS_ON_A_LATTICE,
    "truth values": TRUTH_VALUES,
    "a root": ROOT,
    "a logarithm": LOGARITHM,
    "fails for every public value": FAILS_WHATEVER_IS_PUBLIC,
    "an alignment that is not defined": RAW_WITHOUT_ALIGNMENT,
    "a claim that is not defined": RAW_WITHOUT_CLAIM,
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_no_leak_at_one_answer_is_confirmed(source: str, tmp_path) -> None:
    opinion = confirm_alignment(define_in(tmp_path, source).phi, n=1, k=1, effort=400)
    assert opinion.standing in (Standing.NOT_EXAMINED, Standing.CONTRADICTED), opinion


@pytest.mark.parametrize(
    "body",
    ["if q_i > 0: break", "if i == 1: break\n        yield BELOW\n        if q_i > 0: break"],
    ids=["nothing is put out", "a question without an output"],
)
def test_an_end_that_the_output_does_not_tell_is_not_confirmed_for_adaptive_queries(body: str, tmp_path) -> None:
    """The list that is put out is always the same; an analyst sees after how many questions it ends."""
    source = f"""
@mechanism
def ends(q: Queries, eps: Epsilon, noise: Noise):
    for i, q_i in enumerate(q):
        {body}

@alignment(ends, epsilon="0", queries="{{queries}}")
def phi(H):
    return H.shift()
"""
    fixed, adaptive = (
        confirm_alignment(define_in(tmp_path, source.format(queries=queries)).phi, n=2, effort=100)
        for queries in ("fixed", "adaptive")
    )
    assert fixed.n == 2
    assert adaptive.n != 2
    assert adaptive.why
