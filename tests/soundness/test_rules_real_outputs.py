"""Rules 10 to 12: a shift reads a real part of the output as what D computes from answers and earlier noise."""

# Programs under test branch without an effect, and draw noise that they do not use.

from __future__ import annotations

from fractions import Fraction

import pytest
from support.near_misses import Table, right, wrong

from alignkit import Epsilon, Noise, Query, alignment, check, clamp, mechanism

table = Table()

# One answer after another, where the second question hangs on the first release

table.base(
    """
    @mechanism
    def steps(q: Query, r: Query, s: Query, T: Real, eps: Epsilon, noise: Noise):
        e = noise.laplace(2 / eps)
        x = q + e
        f = noise.laplace(2 / eps)
        yield x
        yield clamp(x, 0, 1) * r + f

    @alignment(steps, epsilon="eps")
    def phi(q, q_, r, r_, s, s_, T, omega, H):
        return H.shift(e=q - q_, f=clamp(omega[0], 0, 1) * (r - r_))
    """,
    right("as_released", "f moves by what the first release makes of its answer's change"),
    right("parts", "the same, read from the parts of a pair", {
        "yield x\nyield clamp(x, 0, 1) * r + f": "yield x, clamp(x, 0, 1) * r + f",
        "omega[0]": "omega[0][0]",
    }),
    right("by_its_size", "the release tells which answer comes next", {
        "clamp(x, 0, 1) * r": "(r if x >= T else s)",
        "clamp(omega[0], 0, 1) * (r - r_)": "r - r_ if omega[0] >= T else s - s_",
    }),
    right("by_its_size_in_branches", "both ways have one form, and one first number", {
        "yield clamp(x, 0, 1) * r + f": "if x >= T:\n    yield r + f\nelse:\n    yield s + f",
        "clamp(omega[0], 0, 1) * (r - r_)": "r - r_ if omega[0] >= T else s - s_",
    }),
    right("put_out_later", "it matters what x is made of, not when it is shown", {
        "yield x\nyield clamp(x, 0, 1) * r + f": "yield clamp(x, 0, 1) * r + f\nyield x",
        "omega[0]": "omega[1]",
    }),
    right("on_a_lattice", "the same for discrete noise", {
        "q: Query, r: Query, s: Query": "q: Query(lattice=1), r: Query(lattice=1), s: Query(lattice=1)",
        "e = noise.laplace(2 / eps)": "e = noise.discrete_laplace(2 / eps)",
        "f = noise.laplace(2 / eps)": "f = noise.discrete_laplace(2 / eps)",
        "clamp(x, 0, 1) * r": "(r if x >= T else s)",
        "clamp(omega[0], 0, 1) * (r - r_)": "r - r_ if omega[0] >= T else s - s_",
    }),
    wrong("unbounded", "the release may be large", {
        "clamp(x, 0, 1) * r": "x * r", "clamp(omega[0], 0, 1)": "omega[0]",
    }, fails="cost", refuted=True),
    wrong("by_the_answer", "the answer itself decides what comes next", {
        "clamp(x, 0, 1) * r": "(r if q >= T else s)",
        "clamp(omega[0], 0, 1) * (r - r_)": "r - r_ if omega[0] >= T else s - s_",
    }, fails="same_output", refuted=True),
    wrong("the_first_stays", "the first release is another on D'", {"e=q - q_, ": ""}, fails="same_output"),
    wrong("the_other_one", "f reads what it is a part of", {"omega[0]": "omega[1]"}),
    wrong("in_a_cycle", "each reads the release of the other", {
        "e=q - q_": "e=clamp(omega[1], 0, 1) * (q - q_)",
    }),
    wrong("its_own", "e reads its own release", {"e=q - q_": "e=(q - q_) * clamp(omega[0], 1, 2)"}),
    wrong("in_a_branch", "a branch of the alignment is taken for all shifts, that of e included", {
        "return H.shift(e=q - q_, f=clamp(omega[0], 0, 1) * (r - r_))": (
            "if omega[0] > 0:\n    return H.shift(e=q - q_, f=clamp(omega[0], 0, 1) * (r - r_))\n"
            "return H.shift(e=q - q_)"
        ),
    }, fails="countable"),
    wrong("divided", "the release may be 0", {"clamp(omega[0], 0, 1)": "clamp(omega[0], 0, 1) * omega[0] / omega[0]"}),
)

# What decides between paths is noise too

table.base(
    """
    @mechanism
    def signs(q: Query, T: Real, eps: Epsilon, noise: Noise):
        f = noise.laplace(1 / eps)
        g = noise.exponential(1 / eps)
        z = noise.laplace(1 / eps)
        if q + f > 0:
            yield ABOVE, g
        else:
            yield BELOW, -g
        yield z

    @alignment(signs, epsilon="3 * eps")
    def phi(q, q_, omega, H):
        return H.shift(f=1 if omega[0][0] is ABOVE else -1, z=clamp(omega[0][1], 0, 0))
    """,
    right("told_by_tags", "the tags tell the sign of f, and nothing else moves"),
    wrong("told_by_the_number", "the sign of f stands in the number, which f's own shift then reads", {
        "yield ABOVE, g": "yield g, 1", "yield BELOW, -g": "yield -g, 1",
        "f=1 if omega[0][0] is ABOVE else -1": "f=1 if omega[0][0] > 0 else -1",
    }, fails="countable"),
    wrong("another_reads_it", "the two ways give the same tags, and z reads the number", {
        "yield ABOVE, g": "yield 0, g", "yield BELOW, -g": "yield 0, -g",
        "f=1 if omega[0][0] is ABOVE else -1, z=clamp(omega[0][1], 0, 0)": "f=q - q_, z=clamp(omega[0][1], 0, 1)",
    }),
    wrong("a_number_or_zero", "0 may be either", {
        "yield ABOVE, g": "yield 0, clamp(g - T, 0, 1)", "yield BELOW, -g": "yield 0, 0",
        "f=1 if omega[0][0] is ABOVE else -1, z=clamp(omega[0][1], 0, 0)": "f=clamp(omega[0][1], 0, 1)",
    }, fails="countable"),
    wrong("by_a_choice", "which of the two a choice tells is part of the number", {
        "f = noise.laplace(1 / eps)": "c = noise.choice([1, 2])",
        "if q + f > 0:": "if c > 0:",
        "yield ABOVE, g": "yield 0, g", "yield BELOW, -g": "yield 0, -g",
        "f=1 if omega[0][0] is ABOVE else -1, z=clamp(omega[0][1], 0, 0)": "c=0 if omega[0][1] > 0 else 1",
    }),
)

# In loops

table.base(
    """
    @mechanism
    def pairs(q: Queries, r: Queries, T: Real, eps: Epsilon, noise: Noise):
        z = noise.laplace(2 / eps)
        total = 0
        for q_i, r_i in zip(q, r):
            e = noise.laplace(2 / eps)
            total = q_i + e
            f = noise.laplace(2 / eps)
            yield total, clamp(total, 0, 1) * r_i + f

    @alignment(pairs, epsilon="eps", adjacency="one")
    def phi(q, q_, r, r_, omega, H):
        return H.shift(
            z=0,
            e=[q[i] - q_[i] for i in range(len(omega))],
            f=[clamp(w[0], 0, 1) * (r[i] - r_[i]) for i, w in enumerate(omega)],
        )
    """,
    right("each_by_its_own", "every iteration reads its own release"),
    right("so_far", "what is released may be kept, and added to", {"total = q_i + e": "total += q_i + e"}),
    right("asked_on", "an analyst may choose the queries", {
        'adjacency="one"': 'adjacency="one", queries="adaptive"',
    }),
    wrong("so_far_asked_on", "the theorem for analysts has no state", {
        "total = q_i + e": "total += q_i + e", 'adjacency="one"': 'adjacency="one", queries="adaptive"',
    }, fails="adaptive_queries"),
    wrong("the_next", "an iteration reads the release of the next", {
        "clamp(w[0], 0, 1)": "(clamp(omega[i + 1][0], 0, 1) if i + 1 < len(omega) else 0)",
    }, fails="countable"),
    wrong("from_before_the_loop", "z is drawn before what it reads", {"z=0": "z=clamp(omega[0][0], 0, 1)"}),
    wrong("released_unmoved", "D' releases another number", {
        "e=[q[i] - q_[i] for i in range(len(omega))],": "",
    }, fails="same_output"),
    wrong("its_own_in_a_loop", "e reads its own release", {
        "e=[q[i] - q_[i]": "e=[(q[i] - q_[i]) * clamp(omega[i][0], 1, 2)",
    }),
)

# What only a call or a selection knows

table.base(
    """
    @mechanism
    def echo(x: Query, eps: Epsilon, noise: Noise):
        d = noise.laplace(1 / eps)
        return x + d

    @alignment(echo, epsilon="eps")
    def echo_phi(x, x_, H):
        return H.shift(d=x - x_)

    @mechanism
    def gives_back(q: Query, eps: Epsilon, noise: Noise):
        f = noise.laplace(1 / eps)
        y = echo(f, eps, noise)
        yield y
        yield ABOVE if q + f > 0 else BELOW

    @alignment(gives_back, epsilon="2 * eps", lemmas=[echo_phi])
    def phi(q, q_, omega, H):
        return H.shift(f=(q - q_) * 1)
    """,
    right("unread", "the call costs eps, and so does f"),
    wrong("read", "the callee has been given f, whose shift would depend on itself", {
        "(q - q_) * 1": "(q - q_) * clamp(omega[0], 1, 1)",
    }, fails="countable"),
)

table.base(
    """
    @mechanism
    def top(q: Queries, r: Query, eps: Epsilon, noise: Noise):
        e = [noise.laplace(4 / eps) for q_i in q]
        values = [q_i + e_i for q_i, e_i in zip(q, e)]
        (best,) = largest(values, 1)
        f = noise.laplace(4 / eps)
        x = q[best] + f
        g = noise.laplace(4 / eps)
        return best, x, clamp(x, 0, 1) * r + g

    @alignment(top, epsilon="eps")
    def phi(q, q_, r, r_, omega, H):
        best, x, y = omega
        return H.shift(
            e=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))],
            f=q[best] - q_[best],
            g=clamp(x, 0, 1) * (r - r_),
        )
    """,
    right("measured", "the output names the winner, and the first measurement is earlier noise"),
    wrong("unnamed", "the maximum is put out, and not which it is: all noise decides it", {
        "x = q[best] + f": "x = values[best] + f", "return best, x,": "return 0, x,",
        "if i == best": "if i == 0", "f=q[best] - q_[best]": "f=clamp(x, 0, 1)",
    }),
    wrong("by_its_own_value", "the winner moves by what all noise decides", {
        "x = q[best] + f": "x = values[best]",
        "1 + q[i] - q_[i] if i == best": "1 + q[i] - q_[i] + clamp(x, 0, 1) if i == best",
    }),
)


@pytest.mark.parametrize("program", table.right())
def test_what_d_computes_may_be_read(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_not_earlier_noise_may_not_be_read(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@mechanism
def released_twice(q: Query, r: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(2 / eps)
    yield q + e
    f = noise.laplace(2 / eps)
    yield clamp(q + e, 0, 1) * r + f


@alignment(released_twice, epsilon="eps")
def by_output_phi(q, q_, r, r_, omega, H):
    return H.shift(e=q - q_, f=clamp(omega[0], 0, 1) * (r - r_))


@alignment(released_twice, epsilon="eps")
def by_noise_phi(q, q_, r, r_, H):
    return H.shift(e=q - q_, f=clamp(q + H.e, 0, 1) * (r - r_))


def test_the_report_says_which_numbers_were_read():
    read = check(by_output_phi, effort=0).conditions["countable"].how
    assert read == "the shifts read tags, indices, lengths, and what D computes for omega[0]"
    assert check(by_noise_phi, effort=0).conditions["countable"].how == "the alignment does not read the output"


def test_a_replay_moves_the_noise_by_the_number_that_d_puts_out():
    given = {"q": 3, "q_": 4, "r": 1, "r_": 0, "eps": 1}
    for e in (-5, Fraction(-5, 2), 2):
        H = {"e": e, "f": 7}
        by_output, by_noise = (phi.replay(H=H, **given).trial.H_ for phi in (by_output_phi, by_noise_phi))
        assert by_output == by_noise == {"e": e - 1, "f": 7 + min(max(3 + e, 0), 1)}
