"""Rule 11: what a path decides about noise does not hide that a shift reads this noise."""

import pytest

ONE = """
@mechanism
def m(q: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    f = noise.laplace(1 / eps)
    if q + e >= T:
        x = 1
    else:
        x = 2
    return {output}

@alignment(m, epsilon="100 * eps")
def phi(q, q_, T, omega, H):
    return H.shift(e={e}, f={f})
"""

STREAM = """
@mechanism
def m(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        f = noise.laplace(1 / eps)
        if q_i + e >= T:
            yield {above}
        else:
            yield BELOW
        break

@alignment(m, epsilon="100 * eps")
def phi(q, q_, T, omega, H):
    return H.shift(e=[{e} for i, w in enumerate(omega)], f=[{f} for i, w in enumerate(omega)])
"""


def one(output="0", e="0", f="0"):
    return ONE.format(output=output, e=e, f=f)


def stream(above="BELOW", e="0", f="0"):
    return STREAM.format(above=above, e=e, f=f)


NEVER = {
    "merges a half line": one(e="0 if q + H.e >= T else 2"),
    "merges a half line upwards": one(e="2 if q + H.e < T else 0"),
    "by a condition that is not met": one(e="0 if not q + H.e < T else 1"),
    "by one condition within another": one(e="(0 if H.f > 0 else 1) if q + H.e >= T else 2"),
    "in the output": one("f", e="0 if q + H.e >= T else 2"),
    "each reads the other": one(e="1 if H.f > 0 else 0", f="1 if q + H.e >= T else 0"),
    "a cycle through both": one("x", e="q_ - q if H.f > 0 else q - q_", f="H.e if q + H.e >= T else 0"),
    "a condition on D'": one(e="0 if q_ + H.e >= T else 2"),
    "a chosen output": one("1 if x == 1 else 1", e="0 if q + H.e >= T else 2"),
    "in a loop": stream(e="0 if q[i] + H.e[i] >= T else 2"),
    "in a loop, upwards": stream(e="2 if q[i] + H.e[i] < T else 0"),
    "in a loop, by each other": stream(e="1 if H.f[i] > 0 else 0", f="1 if q[i] + H.e[i] >= T else 0"),
}

PROVED = {
    "by the other draw": one(f="2 if q + H.e >= T else 0"),
    "by the output": stream("ABOVE", e="1 + q[i] - q_[i] if w is ABOVE else q[i] - q_[i]"),
}


@pytest.mark.parametrize("source", PROVED.values(), ids=PROVED.keys())
def test_proved(define, proved, source):
    proved(define(source).phi)


@pytest.mark.parametrize("source", NEVER.values(), ids=NEVER.keys())
def test_never_proved(define, refused_or_never_proved, source):
    refused_or_never_proved(lambda: define(source).phi)
