"""One-to-one, by an order of the noise or by pieces: programs next to each other, some right and some wrong.

The prover is asked alone. What it proves is argued to be right in one line; what is wrong it must not prove.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()


# One-to-one

table.base(
    """
    @mechanism
    def pair(q: Query, eps: Epsilon, noise: Noise):
        # A comparison with the sum of two noises.
        a = noise.laplace(1 / eps)
        b = noise.laplace(1 / eps)
        return ABOVE if q + a + b > 0 else BELOW

    @alignment(pair, epsilon="3 * eps")
    def phi(q, q_, omega, H):
        return H.shift(a=q - q_ - (1 if H.b > 0 else 0 - 1), b=1 if H.b > 0 else 0 - 1)
    """,
    right("pair_far_paid", "the halves of b move apart"),
    wrong(
        "pair_cases", "b is raised above 0 where it is below, into where a was raised in its place",
        {
            'epsilon="3 * eps"': 'epsilon="eps"',
            "q_ - (1 if H.b > 0 else 0 - 1), b=1 if H.b > 0 else 0 - 1":
                "q_ if H.b > 0 else 0, b=0 if H.b > 0 else q - q_",
        },
    ),
    wrong("pair_far", "one-to-one, but the price is 3", {'epsilon="3 * eps"': 'epsilon="2 * eps"'}),
    wrong(
        "pair_near", "the halves of b move towards each other and overlap",
        {"(1 if H.b > 0 else 0 - 1), b=1 if H.b > 0 else 0 -": "(0 - 1 if H.b > 0 else 1), b=0 - 1 if H.b > 0 else"},
    ),
    right(
        "pair_sum_near", "the halves are told apart by the sum, which moves by q - q' in both",
        {
            "q_ - (1 if H.b > 0 else 0 - 1), b=1 if H.b > 0 else 0 -":
                "q_ + (1 if H.a + H.b > 0 else 0 - 1), b=0 - 1 if H.a + H.b > 0 else",
        },
    ),
    wrong(
        "pair_reflect", "the price has no bound",
        {
            'epsilon="3 * eps"': 'epsilon="eps"',
            "return H.shift(a=q - q_ - (1 if H.b > 0 else 0 - 1), b=1 if H.b > 0 else 0 - 1)":
                "return H.shift(a=0 - 2 * H.a, b=2 * H.a + q - q_)",
        },
    ),
)

table.base(
    """
    @mechanism
    def never(q: Query, eps: Epsilon, noise: Noise):
        # One-sided noise that is not used.
        a = noise.exponential(1 / eps)
        x = a * 0
        return 1

    @alignment(never, epsilon="log(2)")
    def phi(q, q_, H):
        return H.shift(a=0 - H.a / 2)
    """,
    right("never_half", "halved noise is likelier, and half of its volume costs log 2"),
    wrong("never_half_bad", "the volume is not paid for in full", {'epsilon="log(2)"': 'epsilon="log(2) / 2"'}),
    wrong("never_all", "all noise is put to 0", {'epsilon="log(2)"': 'epsilon="eps / 1000"', "H.a / 2": "H.a"}),
    wrong(
        "never_third", "what lies above 1 is halved, onto what lies below",
        {'epsilon="log(2)"': 'epsilon="0"', "H.a / 2": "H.a / 2 if H.a > 1 else 0"},
    ),
    right(
        "never_piece", "what lies above 1 is drawn half as near to 1, and stays above",
        {"a=0 - H.a / 2": "a=(1 - H.a) / 2 if H.a > 1 else 0"},
    ),
    wrong(
        "never_piece_bad", "near 1 that costs log 2",
        {'epsilon="log(2)"': 'epsilon="log(2) / 2"', "a=0 - H.a / 2": "a=(1 - H.a) / 2 if H.a > 1 else 0"},
    ),
    wrong(
        "never_abs", "the noise between 1 and 2 is folded onto that below 1",
        {'epsilon="log(2)"': 'epsilon="eps"', "a=0 - H.a / 2": "a=2 - 2 * H.a if H.a > 1 and H.a < 2 else 0"},
    ),
    right(
        "never_swapint", "[0, 1) and [1, 2) change places",
        {'epsilon="log(2)"': 'epsilon="eps"', "a=0 - H.a / 2": "a=1 if H.a < 1 else (0 - 1 if H.a < 2 else 0)"},
    ),
    wrong(
        "never_swapint_half", "that costs eps",
        {'epsilon="log(2)"': 'epsilon="eps / 2"', "a=0 - H.a / 2": "a=1 if H.a < 1 else (0 - 1 if H.a < 2 else 0)"},
    ),
)

table.base(
    """
    @mechanism
    def neverq(q: Query(lattice=1), eps: Epsilon, noise: Noise):
        # One-sided noise on a lattice, not used.
        a = noise.geometric(1 / eps, 1)
        return 1

    @alignment(neverq, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(a=1 if H.a < 1 else 0)
    """,
    wrong("neverq_collapse", "0 is put onto 1, which stays"),
    right("neverq_swap", "0 and 1 change places", {"else 0": "else (0 - 1 if H.a < 2 else 0)"}),
    wrong(
        "neverq_cycle_bad", "0 goes to 1, 1 to 2 and 2 to 1",
        {'epsilon="eps"': 'epsilon="2 * eps"', "1 else 0": "2 else (0 - 1 if H.a == 2 else 0)"},
    ),
    wrong("neverq_halfstep", "half a step is off the lattice", {"a=1 if H.a < 1 else 0": "a=1 / 2"}),
)

table.base(
    """
    @mechanism
    def expo_tag(q: Query, T: Real, eps: Epsilon, noise: Noise):
        # A comparison of two numbers under one-sided noise.
        a = noise.exponential(1 / eps)
        b = noise.exponential(1 / eps)
        return ABOVE if q + a > T + b else BELOW

    @alignment(expo_tag, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(a=1 if omega is ABOVE else 0, b=1 if omega is BELOW else 0)
    """,
    right("expo_tag_cond", "what is the larger is raised by 1"),
    right(
        "expo_tag_ok", "whichever has fallen behind is raised by the change",
        {"a=1 if omega is ABOVE else 0, b=1 if omega is BELOW": "a=q - q_ if q > q_ else 0, b=q_ - q if q_ > q"},
    ),
    wrong(
        "expo_scale", "half the noise does not keep the order",
        {
            'epsilon="eps"': 'epsilon="2 * log(2)"',
            "a=1 if omega is ABOVE else 0, b=1 if omega is BELOW else 0": "a=H.a * 0 - H.a / 2",
        },
    ),
)


# Noise read by several shifts

table.base(
    """
    @mechanism
    def meas2(q: Queries, eps: Epsilon, noise: Noise):
        # Two are selected, and their answers given under fresh noise.
        e = [noise.laplace(8 / eps) for _ in q]
        v = [a + b for a, b in zip(q, e)]
        for j in largest(v, 2):
            x = noise.laplace(4 / eps)
            yield j, q[j] + x

    @alignment(meas2, epsilon="eps")
    def phi(q, q_, omega, H):
        a, b = omega[0][0], omega[1][0]
        return H.shift(
            e=[1 + q[i] - q_[i] if i in (a, b) else 0 for i in range(len(q))], x=[q[w[0]] - q_[w[0]] for w in omega]
        )
    """,
    right("meas2_ok", "each fresh noise moves by the change of its own answer"),
    wrong(
        "meas2_swapped", "the two changes are exchanged",
        {"q[w[0]] - q_[w[0]] for w in omega": "q[b] - q_[b], q[a] - q_[a]"},
    ),
    wrong("meas2_cheap", "the selection and the answers cost half each", {'epsilon="eps"': 'epsilon="3 * eps / 4"'}),
)

table.base(
    """
    @mechanism
    def free(q: Queries, eps: Epsilon, noise: Noise):
        # Noise that is not used.
        a = noise.laplace(1 / eps)
        b = noise.laplace(1 / eps)
        e = [noise.laplace(1 / eps) for _ in q]
        return 1

    @alignment(free, epsilon="10 * eps")
    def phi(q, q_, H):
        m = max(H.e[i] for i in range(len(q)))
        return H.shift(e=[1 if H.e[i] == m else 0 for i in range(len(q))])
    """,
    right("free_max", "the largest, raised, is still the largest"),
    wrong(
        "free_ranks", "a reads b, b reads the first of e, and that reads a",
        {
            "m = max(H.e[i] for i in range(len(q)))\n"
            "return H.shift(e=[1 if H.e[i] == m else 0 for i in range(len(q))])": (
                "return H.shift(\n"
                "    a=1 if H.b > 0 else 0, b=1 if H.e[0] > 0 else 0, e=[1 if i == 0 and H.a > 0 else 0 for "
                "i in range(len(q))]\n"
                ")"
            ),
        },
    ),
    wrong(
        "free_own", "the first of e is raised where it is below 0, into what stays",
        {
            "m = max(H.e[i] for i in range(len(q)))\n"
            "return H.shift(e=[1 if H.e[i] == m else 0 for i in range(len(q))])":
                "return H.shift(e=[1 if i == 0 and H.e[0] < 0 else 0 for i in range(len(q))])",
        },
    ),
    wrong("free_max_down", "the largest, lowered, may be any", {"1 if": "0 - 1 if"}),
    wrong(
        "free_min_up", "so may the smallest, raised",
        {"m = max(H.e[i] for i in range(len(q)))": "m = min(H.e[i] for i in range(len(q)))"},
    ),
    right(
        "free_cross", "a and the largest above it move apart",
        {
            "return H.shift(e=[1 if H.e[i] == m else 0 for i in range(len(q))])": (
                "return H.shift(a=0 - 1 if m > H.a else 0, e=[1 if H.e[i] == m and m > H.a else 0 for i in "
                "range(len(q))])"
            ),
        },
    ),
    wrong(
        "free_cross_near", "a and the largest above it move past each other",
        {
            "return H.shift(e=[1 if H.e[i] == m else 0 for i in range(len(q))])": (
                "return H.shift(a=1 if m > H.a else 0, e=[0 - 1 if H.e[i] == m and m > H.a else 0 for i in "
                "range(len(q))])"
            ),
        },
    ),
    wrong(
        "free_wrap", "the first reads the last, and the last the first",
        {
            "m = max(H.e[i] for i in range(len(q)))\n"
            "return H.shift(e=[1 if H.e[i] == m else 0 for i in range(len(q))])": (
                "n = len(q)\n"
                "return H.shift(\n"
                "    e=[\n"
                "        (1 if H.e[n - 1] > 0 else 0) if i == 0 else ((0 - 1 if H.e[0] > 0 else 0) if i == n "
                "- 1 else 0)\n"
                "        for i in range(n)\n"
                "    ]\n"
                ")"
            ),
        },
    ),
    wrong(
        "free_last", "of a single draw the last is the first itself",
        {
            "m = max(H.e[i] for i in range(len(q)))": "n = len(q)",
            "1 if H.e[i] == m else 0 for i in range(len(q))":
                "(1 if H.e[n - 1] < 0 else 0) if i == 0 else 0 for i in range(n)",
        },
    ),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
