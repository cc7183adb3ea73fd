"""Rules 15 to 17: division, whole numbers, and what has probability 0."""

# Programs under test compute values that they do not use: that they may be undefined is the point.
# ruff: noqa: F841

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

from alignkit import (
    Count,
    Epsilon,
    LanguageError,
    Noise,
    Queries,
    Query,
    Real,
    alignment,
    mechanism,
)

# Rule 15


@mechanism
def divided_noise(q: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    x = e / T
    return q + x * T


@alignment(divided_noise, epsilon="eps")
def divided_noise_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_a_division_by_a_public_number_is_said_to_need_it(proved_by_check):
    assert any("division by zero" in a for a in proved_by_check(divided_noise_phi).assumptions)


table = Table()

table.base(
    """
    @mechanism
    def weighted(q: Query, T: Real, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return T * (q + e)

    @alignment(weighted, epsilon="eps")
    def phi(q, q_, T, H):
        return H.shift(e=(T * q - T * q_) / T)
    """,
    wrong("weighted_phi", "an alignment that divides by what may be zero"),
)

table.base(
    """
    @mechanism
    def choice_of_inverse(q: Query, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        x = 1 / (q - 10 * 10 * 10 * 10) if q != 10 * 10 * 10 * 10 else 0
        return q + e + x - x

    @alignment(choice_of_inverse, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q - q_)
    """,
    right("choice_of_inverse_phi", "a division under a condition is defined", checked=True),
    wrong(
        "scaled_answer_phi", "a shift that stretches the noise",
        {
            "x = 1 / (q - 10 * 10 * 10 * 10) if q != 10 * 10 * 10 * 10 else 0\nreturn q + e + x - x":
                "return (1 + abs(q)) * e",
            "e=q - q_": "e=H.e * (1 + abs(q)) / (1 + abs(q_)) - H.e",
        },
    ),
    wrong(
        "square_over_itself_phi", "x over x is not one where x is zero",
        {
            "x = 1 / (q - 10 * 10 * 10 * 10) if q != 10 * 10 * 10 * 10 else 0\nreturn q + e + x - x":
                "x = 0\nif q != 0:\n    x = q / q\nreturn x",
            "q, q_, H": "H",
            "H.shift(e=q - q_)": "H.shift()",
        },
        refuted=True,
    ),
)

table.base(
    """
    @mechanism
    def chained(q: Query, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        if 0 <= q + e < 2:
            yield ABOVE
        else:
            yield BELOW

    @alignment(chained, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(e=q - q_)
    """,
    right("chained_phi", "a chained comparison is read as python reads it", checked=True),
    wrong(
        "inverse_test_phi", "a guarded division does not rule zero out",
        {
            "if 0 <= q + e < 2:": "if q != 0 and 1 / q > 10 * 10 * 10 * 10:",
            "q, q_, omega, H": "H",
            "H.shift(e=q - q_)": "H.shift()",
        },
        fails="same_output",
    ),
    wrong(
        "chained_one_sided_phi", "a chained comparison is read as python reads it",
        {"e=q - q_": "e=1 if omega[0] is ABOVE else 0"},
        fails="same_output", refuted=True,
    ),
)


def _modulo():
    @mechanism
    def program(q: Query, k: Count, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return q + e if k % 2 == 0 else q

    @alignment(program, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q - q_)

    return phi


def _floor_division():
    @mechanism
    def program(q: Query, k: Count, eps: Epsilon, noise: Noise):
        e = noise.laplace((k // 2) / eps)
        return q + e

    @alignment(program, epsilon="2 * eps / k")
    def phi(q, q_, H):
        return H.shift(e=q - q_)

    return phi


def _truthiness():
    @mechanism
    def program(q: Query, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return 1 if q else 0

    @alignment(program, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q - q_)

    return phi


def _boolean_as_number():
    @mechanism
    def program(q: Query, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return 1 if (q + e > 0) == 1 else 0

    @alignment(program, epsilon="eps")
    def phi(H):
        return H.shift()

    return phi


def _sum_of_booleans():
    @mechanism
    def program(q: Queries, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return sum(x > 0 for x in q)

    @alignment(program, epsilon="eps")
    def phi(H):
        return H.shift()

    return phi


@pytest.mark.parametrize(
    "make", [_modulo, _floor_division, _truthiness, _boolean_as_number, _sum_of_booleans], ids=lambda m: m.__name__
)
def test_arithmetic_that_is_refused(make, refused_or_never_proved):
    refused_or_never_proved(make)


table.base(
    """
    @mechanism
    def lowest_of_ties(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
        eta = [noise.discrete_laplace(2 / eps) for q_i in q]
        noisy = [q_i + e for q_i, e in zip(q, eta)]
        (best,) = largest(noisy, 1)
        return best

    @alignment(lowest_of_ties, epsilon="eps")
    def phi(q, q_, omega, H):
        # Enough to be ahead, or level: but a tie goes to the lowest index.
        return H.shift(eta=[q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
    """,
    wrong("too_little_for_ties_phi", "ties go to the lowest index", fails="same_output", refuted=True),
)


# Rule 16

table.base(
    """
    @mechanism
    def whole_steps(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        eta = noise.laplace(2 / eps)
        count = 0
        for q_i in q:
            e = noise.laplace(4 * k / eps)
            if count < k:
                if q_i + e >= T + eta:
                    yield ABOVE
                    count += 1
                else:
                    yield BELOW
            else:
                yield BELOW

    @alignment(whole_steps, epsilon="eps", invariant="count <= k")
    def phi(q, q_, omega, H):
        return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
    """,
    right("whole_steps_phi", "k that is whole does", checked=True),
    wrong(
        "half_steps_phi", "With a whole k there are at most k winners, with k = 1/2 one and a half more than that",
        {"Count": "Real", 'epsilon="eps", invariant="count <= k"': 'epsilon="eps"'},
        fails="cost", refuted=True,
    ),
    wrong(
        "counter_that_turns_real_phi", "The counter is a whole number only until the first winner",
        {"count += 1": "count = count + 1 / 2", 'epsilon="eps", invariant="count <= k"': 'epsilon="eps"'},
        fails="cost", refuted=True,
    ),
    wrong(
        "counter_that_turns_real_late_phi", "Whole through five copies: what is learnt of kinds must settle first",
        {
            "count = 0": "a, b, c, d, count = 0, 0, 0, 0, 0",
            "count += 1": "count = count + 1 - d\nd = c\nc = b\nb = a\na = 1 / 2",
            'epsilon="eps", invariant="count <= k"': 'epsilon="eps"',
        },
        fails="cost",
    ),
)

table.base(
    """
    @mechanism
    def outside_the_domain(q: Query, k: Count, theta: Proportion, d: Positive, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        if k < 1 or theta >= 1 or theta <= 0 or d <= 0 or eps <= 0:
            yield q
        else:
            yield q + e

    @alignment(outside_the_domain, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q - q_)
    """,
    right("outside_the_domain_phi", "domains are those of the types", checked=True),
    wrong(
        "strict_bound_phi", "real parameters may lie less than one apart",
        {
            "k: Count, theta: Proportion, d: Positive": "a: Real, b: Real",
            "if k < 1 or theta >= 1 or theta <= 0 or d <= 0 or eps <= 0:": "if a < b and a + 1 > b:",
        },
        fails="same_output",
    ),
    wrong(
        "at_the_edge_phi", "the edges belong to the domains",
        {
            "d: Positive, eps": "eps",
            "if k < 1 or theta >= 1 or theta <= 0 or d <= 0 or eps <= 0:":
                "if k <= 1 and theta > 999 / 1000 and eps < 1 / 1000:",
        },
        fails="same_output",
    ),
)


# Rule 17

# An atom is not a tie
table.base(
    """
    @mechanism
    def clamped(q: Query, eps: Epsilon, noise: Noise):
        # A clamped value is 10 with positive probability: the tie cannot be left out.
        eta = noise.laplace(1 / eps)
        if clamp(q + eta, 0, 10) >= 10:
            yield ABOVE
        else:
            yield BELOW

    @alignment(clamped, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(eta=q - q_)
    """,
    right("clamped_phi", checked=True),
    wrong("clamped_unmoved_phi", changes={"H.shift(eta=q - q_)": "H.shift()"}, fails="same_output", refuted=True),
)

table.base(
    """
    @mechanism
    def clamped_strictly(q: Query, eps: Epsilon, noise: Noise):
        eta = noise.laplace(1 / eps)
        if clamp(q + eta, 0, 10) > 10:
            yield ABOVE
        else:
            yield BELOW

    @alignment(clamped_strictly, epsilon="0")
    def phi(H):
        return H.shift()
    """,
    right("clamped_strictly_phi", "an atom is not a tie", checked=True),
    wrong(
        "a_coefficient_that_may_vanish", "Where the two answers are equal, the product is 0 whatever the noise",
        {
            "Query": "Queries",
            "if clamp(q + eta, 0, 10) > 10:": "if (q[0] - q[1]) * eta >= 0:",
            'epsilon="0"': 'epsilon="eps"',
        },
        fails="same_output",
    ),
)

table.base(
    """
    @mechanism
    def tie_of_discrete_noise(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
        eta = noise.discrete_laplace(1 / eps)
        if q[0] + eta >= 0:
            if q[0] + eta > 0:
                yield ABOVE
            else:
                yield q[1]
        else:
            yield BELOW

    @alignment(tie_of_discrete_noise, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(eta=q[0] - q_[0])
    """,
    wrong("tie_of_discrete_noise_phi", "a tie of discrete noise counts", fails="same_output", refuted=True),
)

# Square roots mean square roots
table.base(
    """
    @mechanism
    def root(q: Query, d: Positive, eps: Epsilon, noise: Noise):
        s = sqrt(d)
        eta = noise.laplace(s / eps)
        return s * q + eta

    @alignment(root, epsilon="eps")
    def phi(q, q_, d, H):
        return H.shift(eta=sqrt(d) * (q - q_))
    """,
    right("root_phi", checked=True),
    wrong("wrong_root_phi", changes={"eta=sqrt(d)": "eta=d"}),
)


def test_a_global_number_is_refused():
    with pytest.raises(LanguageError, match="from outside"):

        @mechanism
        def program(q: Query, eps: Epsilon, noise: Noise):
            eta = noise.laplace(SCALE / eps)
            return q + eta


SCALE = 2


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
