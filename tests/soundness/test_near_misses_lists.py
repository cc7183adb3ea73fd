"""Lists of draws and Noisy Max: programs next to each other, some right and some wrong.

The prover is asked alone. What it proves is argued to be right in one line; what is wrong it must not prove.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()


# Lists of draws

table.base(
    """
    @mechanism
    def vec(q: Queries, eps: Epsilon, noise: Noise):
        # Each answer with noise of its own.
        e = [noise.laplace(1 / eps) for _ in q]
        return [q_i + e_i for q_i, e_i in zip(q, e)]

    @alignment(vec, epsilon="eps", adjacency="l1")
    def phi(q, q_, H):
        d = [q[i] - q_[i] for i in range(len(q))]
        return H.shift(e=[*d, *d])
    """,
    right("vec_joined", "what the list of shifts holds beyond the draws is of no matter"),
    wrong("vec_offset", "every shift stands one place too late", {"e=[*d, *d]": "e=[0, *d]"}),
    wrong(
        "sums_l1", "Each answer with the one before it. An answer enters two sums",
        {
            "return [q_i + e_i for q_i, e_i in zip(q, e)]":
                "return [q[i] + (q[i - 1] if i > 0 else 0) + e[i] for i in range(len(q))]",
            "d = [q[i] - q_[i] for i in range(len(q))]\nreturn H.shift(e=[*d, *d])":
                "return H.shift(e=[q[i] - q_[i] + (q[i - 1] - q_[i - 1] if i > 0 else 0) for i in range(len(q))])",
        },
    ),
    wrong(
        "sums_one", "Each answer with the one before it. The shift after the answer that changes is one too",
        {
            "return [q_i + e_i for q_i, e_i in zip(q, e)]":
                "return [q[i] + (q[i - 1] if i > 0 else 0) + e[i] for i in range(len(q))]",
            'adjacency="l1"': 'adjacency="one"',
            "d = [q[i] - q_[i] for i in range(len(q))]\nreturn H.shift(e=[*d, *d])":
                "return H.shift(e=[q[i] - q_[i] + (q[i - 1] - q_[i - 1] if i > 0 else 0) for i in range(len(q))])",
        },
    ),
)

table.base(
    """
    @mechanism
    def vec2(q: Queries, eps: Epsilon, noise: Noise):
        # Each answer twice, with noise of its own each time.
        e = [noise.laplace(1 / eps) for _ in q]
        f = [noise.laplace(1 / eps) for _ in q]
        yield [q_i + e_i for q_i, e_i in zip(q, e)]
        yield [q_i + f_i for q_i, f_i in zip(q, f)]

    @alignment(vec2, epsilon="2 * eps", adjacency="l1")
    def phi(q, q_, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))], f=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("vec2_l1_paid", "the changes add up to 1 in each of the two lists"),
    wrong(
        "vec2_l1", "each change is paid for twice, and the claim covers it once",
        {'epsilon="2 * eps"': 'epsilon="eps"'},
    ),
    wrong(
        "vec2_one", "the one answer that changes is paid for twice",
        {'epsilon="2 * eps", adjacency="l1"': 'epsilon="eps", adjacency="one"'},
    ),
)

table.base(
    """
    @mechanism
    def two(q: Queries, p: Queries, eps: Epsilon, noise: Noise):
        # Answers from two private lists under one noise.
        e = noise.laplace(1 / eps)
        return q[0] + p[0] + e

    @alignment(two, epsilon="2 * eps", adjacency="monotone")
    def phi(q, q_, p, p_, H):
        return H.shift(e=q[0] - q_[0] + p[0] - p_[0])
    """,
    right("two_mono", "2 is paid for"),
    wrong("two_phi", "the sum changes by up to 2", {'epsilon="2 * eps", adjacency="monotone"': 'epsilon="eps"'}),
)

table.base(
    """
    @mechanism
    def two_minus(q: Query, p: Query, eps: Epsilon, noise: Noise):
        # The difference of two private answers.
        e = noise.laplace(1 / eps)
        return q - p + e

    @alignment(two_minus, epsilon="eps", adjacency="monotone")
    def phi(q, q_, p, p_, H):
        return H.shift(e=q - q_ - p + p_)
    """,
    right("two_minus_mono", "where both move in one direction the difference changes by at most 1"),
    wrong("two_minus_each", "the two may move apart", {'epsilon="eps", adjacency="monotone"': 'epsilon="eps"'}),
)

table.base(
    """
    @mechanism
    def two_zip(q: Queries, p: Queries, eps: Epsilon, noise: Noise):
        # As many outputs as the shorter of two lists has, under noise for the first.
        e = [noise.laplace(1 / eps) for _ in q]
        return [a + c for a, b, c in zip(q, p, e)]

    @alignment(two_zip, epsilon="eps", adjacency="each")
    def phi(q, q_, p, p_, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(p))])
    """,
    wrong("two_zip_phi", "as many shifts as the second list has, be they too few or beyond the first"),
)

table.base(
    """
    @mechanism
    def expo2(q: Query, eps: Epsilon, noise: Noise):
        # The difference of two one-sided noises.
        e = noise.exponential(1 / eps)
        f = noise.exponential(1 / eps)
        return q + e - f

    @alignment(expo2, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=1 + q - q_, f=1)
    """,
    wrong("expo2_net", "both rise, by up to 3 in all"),
    right(
        "expo2_phi", "whichever has to rise rises",
        {"e=1 + q - q_, f=1": "e=q - q_ if q > q_ else 0, f=q_ - q if q_ > q else 0"},
    ),
    wrong(
        "tagged_up", "One-sided noise added to an answer that may be above 0 already. BELOW need not stay BELOW",
        {
            "f = noise.exponential(1 / eps)\nreturn q + e - f": "return ABOVE if q + e >= 0 else BELOW",
            "q_, H": "q_, omega, H",
            "e=1 + q - q_, f=1": "e=1 if omega is ABOVE else 0",
        },
    ),
    wrong(
        "tagged_collapse",
        "One-sided noise added to an answer that may be above 0 already. The noise is cut off at 0, where it "
        "piles up",
        {
            "f = noise.exponential(1 / eps)\nreturn q + e - f": "return ABOVE if q + e >= 0 else BELOW",
            "q_, H": "q_, omega, H",
            "e=1 + q - q_, f=1": "e=max(H.e + q - q_, 0) - H.e",
        },
    ),
)


# Noisy Max

table.base(
    """
    @mechanism
    def nmax(q: Queries, eps: Epsilon, noise: Noise):
        # Noisy Max.
        e = [noise.laplace(2 / eps) for _ in q]
        v = [a + b for a, b in zip(q, e)]
        (j,) = largest(v, 1)
        return j

    @alignment(nmax, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(e=[1 + q[i] - q_[i] if omega - 1 < i < omega + 1 else 0 for i in range(len(q))])
    """,
    right("nmax_between", "the only whole number between w - 1 and w + 1 is w"),
    wrong("nmax_prev", "the query after the winner is raised", {"omega - 1 < i < omega + 1": "i - 1 == omega"}),
    wrong("nmax_le", "all up to the winner are raised, and each pays", {"omega - 1 < i < omega + 1": "i <= omega"}),
    wrong(
        "nmax_swap", "raised by the change of the query before, which for the first is none",
        {"q[i] - q_[i] if omega - 1 < i < omega + 1": "q[i - 1] - q_[i - 1] if i == omega"},
    ),
    right(
        "nmax_noise_all", "the winner keeps its lead over the best loser, which may be another on D'",
        {
            "return H.shift(e=[1 + q[i] - q_[i] if omega - 1 < i < omega + 1 else 0 for i in range(len(q))])": (
                "b = max(q[i] + H.e[i] for i in range(len(q)) if i != omega) if len(q) > 1 else 0\n"
                "b_ = max(q_[i] + H.e[i] for i in range(len(q)) if i != omega) if len(q) > 1 else 0\n"
                "return H.shift(e=[b_ - b + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])"
            ),
        },
    ),
    wrong(
        "nmax_last", "the last query as winner is not raised",
        {"omega - 1 < i < omega + 1": "i == omega and omega < len(q) - 1"},
    ),
    wrong(
        "cmax_gap_first", "The winner with its lead. The lead itself is read",
        {
            "(j,) = largest(v, 1)": "j, other = largest(v, 2)",
            "return j": "return j, v[j] - v[other]",
            "1 + q[i] - q_[i] if omega - 1 < i < omega + 1": "omega[1] if i == omega[0]",
        },
    ),
)

table.base(
    """
    @mechanism
    def maxval(q: Queries, eps: Epsilon, noise: Noise):
        # The winner with its noisy answer.
        e = [noise.laplace(2 / eps) for _ in q]
        v = [a + b for a, b in zip(q, e)]
        (j,) = largest(v, 1)
        return j, v[j]

    @alignment(maxval, epsilon="eps / 2", adjacency="l1")
    def phi(q, q_, omega, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("maxval_l1", "all values stay"),
    right(
        "nmax_one_half", "Noisy Max. Each moves by its own change, and one alone changes",
        {"j, v[j]": "j", 'adjacency="l1"': 'adjacency="one"'},
    ),
    wrong(
        "maxval_phi", "a loser may overtake the winner, whose value stays",
        {'epsilon="eps / 2", adjacency="l1"': 'epsilon="eps / 2"', "for i": "if i == omega[0] else 0 for i"},
    ),
    wrong("maxval_l1_q", "at half of what it costs", {'epsilon="eps / 2"': 'epsilon="eps / 4"'}),
)

table.base(
    """
    @mechanism
    def nmax(q: Queries, eps: Epsilon, noise: Noise):
        # Noisy Max.
        e = [noise.laplace(2 / eps) for _ in q]
        v = [a + b for a, b in zip(q, e)]
        (j,) = largest(v, 1)
        return j

    @alignment(nmax, epsilon="eps / 2", adjacency="monotone")
    def phi(q, q_, omega, H):
        up = any(q[i] < q_[i] for i in range(len(q)))
        return H.shift(e=[(1 + q[i] - q_[i] if up else q[i] - q_[i]) if i == omega else 0 for i in range(len(q))])
    """,
    right("nmax_mono_ok", "up by 1 where the answers rise, by its own change alone where they fall"),
    wrong("nmax_mono_flip", "the two directions are exchanged", {"q[i] < q_[i]": "q[i] > q_[i]"}),
    wrong(
        "nmax_mono_first", "the first answer may stay while the others rise",
        {"up = any(q[i] < q_[i] for i in range(len(q)))": "up = q[0] < q_[0]"},
    ),
    wrong(
        "nmax_mono_all", "that not all fall does not say that any rises: one that falls then pays for more than 1",
        {"up = any(q[i] < q_[i] for i in range(len(q)))": "up = not all(q[i] > q_[i] for i in range(len(q)))"},
    ),
)

table.base(
    """
    @mechanism
    def nmax(q: Queries, eps: Epsilon, noise: Noise):
        # Noisy Max.
        e = [noise.laplace(2 / eps) for _ in q]
        v = [a + b for a, b in zip(q, e)]
        (j,) = largest(v, 1)
        return j

    @alignment(nmax, epsilon="eps")
    def phi(q, q_, omega, H):
        m = max(q_[i] - q[i] for i in range(len(q)))
        return H.shift(e=[m + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
    """,
    right("nmax_max", "up by the greatest change of all"),
    wrong(
        "nmax_min", "up by the least change of all",
        {"m = max(q_[i] - q[i] for i in range(len(q)))": "m = min(q_[i] - q[i] for i in range(len(q)))"},
    ),
    wrong(
        "nmax_max_losers", "of a single query there are no losers to take the greatest of",
        {"q[i] for i in range(len(q))": "q[i] for i in range(len(q)) if i != omega"},
    ),
    right(
        "nmax_max_losers0", "and a single query needs no shift",
        {
            "m = max(q_[i] - q[i] for i in range(len(q)))":
                "m = max(q_[i] - q[i] for i in range(len(q)) if i != omega) if len(q) > 1 else 0",
        },
    ),
    wrong(
        "nmax_max_before", "a query after the winner may overtake it",
        {
            "m = max(q_[i] - q[i] for i in range(len(q)))":
                "m = max(q_[i] - q[i] for i in range(omega)) if omega > 0 else 0",
        },
    ),
    wrong(
        "nmax_collapse", "the winner is put 1 above the losers, wherever it was: its lead is forgotten",
        {
            "m = max(q_[i] - q[i] for i in range(len(q)))":
                "b_ = max(q_[i] + H.e[i] for i in range(len(q)) if i != omega) if len(q) > 1 else 0",
            "m + q[i] - q_[i]": "b_ + 1 - q_[i] - H.e[i]",
        },
    ),
    wrong(
        "dmax_tie",
        "Noisy Max on a lattice, where ties are decided by the index. Raised by the changes of those after it "
        "only, it loses a tie with one before it",
        {
            "Queries": "Queries(lattice=1)",
            "noise.laplace(2 / eps)": "noise.discrete_laplace(2 / eps, 1)",
            "m = max(q_[i] - q[i] for i in range(len(q)))":
                "m = max(q_[i] - q[i] for i in range(len(q)) if i > omega) if omega < len(q) - 1 else 0",
        },
    ),
)

table.base(
    """
    @mechanism
    def cmax_gap(q: Queries, eps: Epsilon, noise: Noise):
        # The winner with its lead.
        e = [noise.laplace(2 / eps) for _ in q]
        v = [a + b for a, b in zip(q, e)]
        j, other = largest(v, 2)
        return j, v[j] - v[other]

    @alignment(cmax_gap, epsilon="eps")
    def phi(q, q_, omega, H):
        b = max(q[i] + H.e[i] for i in range(len(q)) if i != omega[0])
        b_ = max(q_[i] + H.e[i] for i in range(len(q)) if i != omega[0])
        return H.shift(e=[b_ - b + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))])
    """,
    right("cmax_gap_phi", "without a lattice ties have probability 0"),
    wrong(
        "dmax_gap_phi",
        "The winner with its lead, on a lattice. A lead of 0 is kept, but the runner-up on D' may be one that "
        "wins the tie",
        {"Queries": "Queries(lattice=1)", "noise.laplace(2 / eps)": "noise.discrete_laplace(2 / eps, 1)"},
    ),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
