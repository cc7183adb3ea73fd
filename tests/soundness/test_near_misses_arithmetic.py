"""Arithmetic, sensitivities, lattices, and what is undefined: programs next to each other, some right and some wrong.

The prover is asked alone. What it proves is argued to be right in one line; what is wrong it must not prove.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()


# Arithmetic

table.base(
    """
    @mechanism
    def plain(q: Query, T: Real, k: Count, eps: Epsilon, noise: Noise):
        # One answer with noise.
        e = noise.laplace(1 / eps)
        return q + e

    @alignment(plain, epsilon="eps * T / T")
    def phi(q, q_, T, k, H):
        return H.shift(e=q - q_)
    """,
    wrong("TT", "not defined for T = 0"),
    right(
        "sqrt22", "the square of the root of 2 is 2",
        {'epsilon="eps * T / T"': 'epsilon="eps * sqrt(2) * sqrt(2) / 2"'},
    ),
    right("log3", "log 3 is more than log 2", {'epsilon="eps * T / T"': 'epsilon="eps * log(3) / log(2)"'}),
    wrong("log23", "and not the other way round", {'epsilon="eps * T / T"': 'epsilon="eps * log(2) / log(3)"'}),
    wrong(
        "sqrtT", "the root of a square is -T where T is below 0",
        {'epsilon="eps * T / T"': 'epsilon="eps * sqrt(T * T) / T if T != 0 else eps"'},
    ),
    right("absT", "for T above 0 that is 1", {'epsilon="eps * T / T"': 'epsilon="eps * abs(T) / T if T > 0 else eps"'}),
    right(
        "k32", "a count is 1 or at least 2",
        {'epsilon="eps * T / T"': 'epsilon="eps * (1 if k >= 3 / 2 or k == 1 else 0)"'},
    ),
    wrong(
        "T32", "a real number may lie between",
        {'epsilon="eps * T / T"': 'epsilon="eps * (1 if T >= 3 / 2 or T <= 1 else 0)"'},
    ),
    right("k3", "twice a count is never 3", {'epsilon="eps * T / T"': 'epsilon="eps * (1 if 2 * k != 3 else 0)"'}),
    wrong("T3", "twice a real number may be", {'epsilon="eps * T / T"': 'epsilon="eps * (1 if 2 * T != 3 else 0)"'}),
    right(
        "kk34", "an odd number is never twice another",
        {'epsilon="eps * T / T"': 'epsilon="eps * (1 if 6 * k * k + 3 != 4 * k else 0)"'},
    ),
    wrong("inv3", "not defined for T = -1", {'epsilon="eps * T / T"': 'epsilon="eps * (T + 1) / (T + 1)"'}),
    right("inv4", "T * T + 1 is never 0", {'epsilon="eps * T / T"': 'epsilon="eps * (T * T + 1) / (T * T + 1)"'}),
    wrong(
        "inv5", "less than eps for eps above 1",
        {'epsilon="eps * T / T"': 'epsilon="eps * (eps * eps + 1) / (eps * eps + eps)"'},
    ),
    wrong(
        "big4", "beyond a number too long to be written out the output moves",
        {
            'epsilon="eps * T / T"': 'epsilon="eps"',
            "return H.shift(e=q - q_)":
                "b = power(power(10, 1000), 5)\nreturn H.shift(e=q - q_ if q < b else q - q_ + 1)",
        },
    ),
)


# Sensitivities, lattices, Gumbel noise

table.base(
    """
    @mechanism
    def sq(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # Squares of answers that are cut to [0, 1].
        w = [clamp(a, 0, 1) * clamp(a, 0, 1) for a in q]
        e = [noise.laplace(1 / eps) for _ in w]
        return [a + b for a, b in zip(w, e)]

    @alignment(sq, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(e=[clamp(a, 0, 1) * clamp(a, 0, 1) - clamp(b, 0, 1) * clamp(b, 0, 1) for a, b in zip(q, q_)])
    """,
    right("sq_one", "one square changes, by at most 1"),
    wrong(
        "ext_one", "Each answer twice in one list. The answer that changes is paid for twice",
        {
            "w = [clamp(a, 0, 1) * clamp(a, 0, 1) for a in q]": "w = [*q, *q]",
            "return H.shift(e=[clamp(a, 0, 1) * clamp(a, 0, 1) - clamp(b, 0, 1) * clamp(b, 0, 1) for a, b in "
            "zip(q, q_)])":
                "return H.shift(e=[a - b for a, b in zip([*q, *q], [*q_, *q_])])",
        },
    ),
    wrong(
        "ext_l1", "Each answer twice in one list. Each change is paid for twice",
        {
            "w = [clamp(a, 0, 1) * clamp(a, 0, 1) for a in q]": "w = [*q, *q]",
            'adjacency="one"': 'adjacency="l1"',
            "return H.shift(e=[clamp(a, 0, 1) * clamp(a, 0, 1) - clamp(b, 0, 1) * clamp(b, 0, 1) for a, b in "
            "zip(q, q_)])":
                "return H.shift(e=[a - b for a, b in zip([*q, *q], [*q_, *q_])])",
        },
    ),
    wrong("sq_l1", "near 1 a square changes twice as much as its answer", {'adjacency="one"': 'adjacency="l1"'}),
)

table.base(
    """
    @mechanism
    def step(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # Which answers reach a threshold.
        w = [1 if a >= T else 0 for a in q]
        e = [noise.laplace(1 / eps) for _ in w]
        return [a + b for a, b in zip(w, e)]

    @alignment(step, epsilon="eps", adjacency="one")
    def phi(q, q_, T, H):
        return H.shift(e=[(1 if a >= T else 0) - (1 if b >= T else 0) for a, b in zip(q, q_)])
    """,
    right("step_one", "one changes, by one step"),
    wrong("step_l1", "many small changes are many whole steps", {'adjacency="one"': 'adjacency="l1"'}),
)

table.base(
    """
    @mechanism
    def sens(q: Queries(sensitivity="d"), d: Positive, T: Real, eps: Epsilon, noise: Noise):
        # Noisy Max of answers of sensitivity d.
        e = [noise.laplace(2 * d / eps) for _ in q]
        v = [a + b for a, b in zip(q, e)]
        (j,) = largest(v, 1)
        return j

    @alignment(sens, epsilon="eps")
    def phi(q, q_, d, omega, H):
        return H.shift(e=[d + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
    """,
    right("sens_ok", "d is paid for"),
    wrong("sens_1", "1 is less than a d above 1", {"d + q[i]": "1 + q[i]"}),
)

table.base(
    """
    @mechanism
    def sens2(q: Query(sensitivity="d"), p: Query(sensitivity=2), d: Positive, eps: Epsilon, noise: Noise):
        # The difference of two answers of sensitivity d and 2.
        e = noise.laplace((d + 2) / eps)
        return q - p + e

    @alignment(sens2, epsilon="eps")
    def phi(q, q_, p, p_, d, omega, H):
        return H.shift(e=q - q_ - p + p_)
    """,
    right("sens2_ok", "it changes by at most d + 2"),
    right(
        "sens2_mono", "in one direction, by at most the larger",
        {'epsilon="eps"': 'epsilon="max(d, 2) / (d + 2) * eps", adjacency="monotone"'},
    ),
    wrong(
        "sens2_mono_bad", "not by at most the smaller",
        {'epsilon="eps"': 'epsilon="min(d, 2) / (d + 2) * eps", adjacency="monotone"'},
    ),
)

table.base(
    """
    @mechanism
    def lat(q: Queries(sensitivity="d", lattice="g"), d: Positive, g: Positive, eps: Epsilon, noise: Noise):
        # Noisy Max on a lattice g.
        e = [noise.discrete_laplace(2 * d / eps, g) for _ in q]
        v = [a + b for a, b in zip(q, e)]
        (j,) = largest(v, 1)
        return j

    @alignment(lat, epsilon="eps")
    def phi(q, q_, d, g, omega, H):
        return H.shift(e=[d + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
    """,
    right("lat_ok", "d is a multiple of g"),
    wrong("lat_1", "1 need not be one", {"d + q[i]": "1 + q[i]"}),
    wrong("lat_less", "one step less loses to one before it", {"d + q[i]": "d - g + q[i]"}),
    wrong("lat_half", "half of d need not be on the lattice", {"d + q[i]": "d / 2 + q[i]"}),
)

table.base(
    """
    @mechanism
    def gum(q: Queries, eps: Epsilon, noise: Noise):
        # Noisy Max with Gumbel noise.
        e = [noise.gumbel(2 / eps) for _ in q]
        v = [a + b for a, b in zip(q, e)]
        (j,) = largest(v, 1)
        return j

    @alignment(gum, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(e=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
    """,
    right("gum_ok", "up only"),
    wrong(
        "gum_one", "an answer may rise, and its noise then falls, which has no bound",
        {
            'epsilon="eps"': 'epsilon="eps / 2", adjacency="one"',
            "1 + q[i] - q_[i] if i == omega else 0": "q[i] - q_[i]",
        },
    ),
    wrong(
        "gum_half", "half a step up is not enough",
        {'epsilon="eps"': 'epsilon="eps", adjacency="monotone"', "1 + q[i]": "1 / 2 + q[i]"},
    ),
)


# What is undefined, under a condition

table.base(
    """
    @mechanism
    def div0(q: Query, T: Real, k: Count, eps: Epsilon, noise: Noise):
        # For T above 5 this divides by 0.
        x = 1 / (k - k) if T > 5 else 0
        e = noise.laplace(1 / eps)
        return q + e + x

    @alignment(div0, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q - q_)
    """,
    right("div0_phi", "no claim is made where the program is not defined"),
)

table.base(
    """
    @mechanism
    def plain(q: Query, T: Real, k: Count, eps: Epsilon, noise: Noise):
        # One answer with noise.
        e = noise.laplace(1 / eps)
        return q + e

    @alignment(plain, epsilon="eps")
    def phi(q, q_, T, k, H):
        return H.shift(e=q - q_ + (0 * log(0) if T > 5 else 0))
    """,
    wrong("logb_phi", "or the logarithm of 0"),
    wrong(
        "div0b_phi", "for T above 5 the alignment divides by 0",
        {"log(0)": "(1 / (k - k))"},
        fails="same_output", refuted=True,
    ),
    wrong("sqrtb_phi", "or takes the root of -1", {"log(0)": "sqrt(0 - 1)"}),
    wrong("powb_phi", "or a power of 0 below 0", {"log(0)": "power(0, 0 - 1)"}, fails="same_output", refuted=True),
    wrong(
        "claimb_phi", "the claim divides by 0 for k = 1",
        {'epsilon="eps"': 'epsilon="eps if k > 1 else eps / (k - k)"', "q_ + (0 * log(0) if T > 5 else 0)": "q_"},
    ),
    wrong(
        "div0c_phi", "behind an `and` that lets it come to that",
        {"0 * log(0) if T > 5": "1 if T <= 5 and 1 / (T - T) > 0"},
    ),
    wrong("const_div", "a division of numbers alone", {"0 * log(0)": "1 / (2 - 2)"}, fails="same_output", refuted=True),
    wrong(
        "q_div", "answers may stay as they are",
        {"e=q - q_ + (0 * log(0) if T > 5 else 0)": "e=(q - q_) * (q - q_) / (q - q_)"},
    ),
    right(
        "q_div_ok", "then there is nothing to divide",
        {"e=q - q_ + (0 * log(0) if T > 5 else 0)": "e=(q - q_) * (q - q_) / (q - q_) if q != q_ else 0"},
    ),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
