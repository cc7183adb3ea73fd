"""Selections of any size, hybrids, and noise after a selection: programs next to each other, some right and some wrong.

The prover is asked alone. What it proves is argued to be right in one line; what is wrong it must not prove.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()


# Selections of any size

table.base(
    """
    @mechanism
    def topk1(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        # The first k of k + 1 that were selected.
        e = [noise.laplace(2 * k / eps) for _ in q]
        v = [a + b for a, b in zip(q, e)]
        top = largest(v, k + 1)
        return [top[i] for i in range(k)]

    @alignment(topk1, epsilon="eps")
    def phi(q, q_, omega, H):
        s = {j for j in omega}
        return H.shift(e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])
    """,
    right("topk1_phi", "what is not put out need not be kept"),
    wrong(
        "topk_same", "Noisy Top-K. Raised by 1 each, the selected ones may change their order",
        {
            "top = largest(v, k + 1)\nreturn [top[i] for i in range(k)]": "return [j for j in largest(v, k)]",
            "1 + q[i] - q_[i]": "1",
        },
    ),
    wrong(
        "topk_first", "Noisy Top-K. The first alone is raised",
        {
            "top = largest(v, k + 1)\nreturn [top[i] for i in range(k)]": "return [j for j in largest(v, k)]",
            "s = {j for j in omega}\nreturn H.shift(e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])":
                "return H.shift(e=[1 + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))])",
        },
    ),
    wrong(
        "topk_notin", "Noisy Top-K. All others are raised",
        {
            "top = largest(v, k + 1)\nreturn [top[i] for i in range(k)]": "return [j for j in largest(v, k)]",
            "if i": "if i not",
        },
    ),
    wrong(
        "topk_onlyone", "Noisy Top-K. Each of the k pays",
        {
            "top = largest(v, k + 1)\nreturn [top[i] for i in range(k)]": "return [j for j in largest(v, k)]",
            'epsilon="eps"': 'epsilon="eps / k"',
        },
    ),
    wrong(
        "topk2_phi",
        "The second to the last of k + 1 that were selected. The first is overtaken by those that are raised",
        {"top[i]": "top[i + 1]"},
    ),
    wrong(
        "topk_rev_phi", "What was selected, from the last to the first. The last alone is raised",
        {
            "v, k + 1": "v, k",
            "top[i]": "top[k - 1 - i]",
            "s = {j for j in omega}\nreturn H.shift(e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])":
                "return H.shift(e=[1 + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))])",
        },
    ),
    wrong(
        "topk_vals_phi", "What was selected, with its noisy answers. A loser may overtake",
        {
            "top = largest(v, k + 1)\nreturn [top[i] for i in range(k)]": "return [(j, v[j]) for j in largest(v, k)]",
            "for j": "for j, x",
            "1 + q[i]": "q[i]",
        },
    ),
    wrong(
        "rank2_bad",
        "The largest and the smallest answers under the same noise. What is not among the largest may be among "
        "the smallest",
        {
            "Queries, k": "Queries, p: Queries, k",
            "top = largest(v, k + 1)\nreturn [top[i] for i in range(k)]":
                "w = [a - b for a, b in zip(q, e)]\nyield [j for j in largest(v, k)]\nyield [j for j in largest(w, k)]",
            "in omega": "in omega[0]",
        },
    ),
    wrong(
        "dgap_phi", "Top-K with gaps on a lattice. Gaps of 0 do not fix the order",
        {
            "Queries": "Queries(lattice=1)",
            "noise.laplace(2 * k / eps)": "noise.discrete_laplace(2 * k / eps, 1)",
            "top[i]": "(top[i], v[top[i]] - v[top[i + 1]])",
            "s = {j for j in omega}\nreturn H.shift(e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])": (
                "s = {j for j, x in omega}\n"
                "b = max(q[i] + H.e[i] for i in range(len(q)) if i not in s)\n"
                "b_ = max(q_[i] + H.e[i] for i in range(len(q)) if i not in s)\n"
                "return H.shift(e=[b_ - b + q[i] - q_[i] if i in s else 0 for i in range(len(q))])"
            ),
        },
    ),
)

table.base(
    """
    @mechanism
    def tworank(q: Queries, p: Queries, k: Count, eps: Epsilon, noise: Noise):
        # Two selections from two lists.
        e = [noise.laplace(4 * k / eps) for _ in q]
        f = [noise.laplace(4 * k / eps) for _ in p]
        v = [a + b for a, b in zip(q, e)]
        w = [a + b for a, b in zip(p, f)]
        yield [j for j in largest(v, k)]
        yield [j for j in largest(w, k)]

    @alignment(tworank, epsilon="eps")
    def phi(q, q_, p, p_, omega, H):
        s = {j for j in omega[0]}
        return H.shift(
            e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))],
            f=[1 + p[i] - p_[i] if i in s else 0 for i in range(len(p))],
        )
    """,
    wrong("tworank_bad", "the second list is moved as the first one's output says"),
)

table.base(
    """
    @mechanism
    def withT(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        # A selection from the threshold and the answers.
        eta = noise.laplace(2 * k / eps)
        e = [noise.laplace(2 * k / eps) for _ in q]
        v = [a + b for a, b in zip(q, e)]
        return [j for j in largest([T + eta, *v], k)]

    @alignment(withT, epsilon="eps")
    def phi(q, q_, omega, H):
        s = {j for j in omega}
        return H.shift(eta=1 if 0 in s else 0, e=[1 + q[i] - q_[i] if i + 1 in s else 0 for i in range(len(q))])
    """,
    right("withT_ok", "position i + 1 is the answer i"),
    wrong("withT_off", "position i is not", {"i + 1": "i"}),
    wrong("withT_2T", "raised by 2, the threshold may pass one that it was behind", {"eta=1 if": "eta=2 if"}),
)


# Hybrids, and noise after a selection

table.base(
    """
    @mechanism
    def hyb(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        # Of the k largest those above a threshold.
        eta = noise.laplace(2 / eps)
        e = [noise.laplace(4 * k / eps) for _ in q]
        v = [a + b for a, b in zip(q, e)]
        for j in largest(v, k):
            if v[j] >= T + eta:
                yield j, v[j] - T - eta
            else:
                break

    @alignment(hyb, epsilon="eps / 2 + len(omega) / k * eps / 2")
    def phi(q, q_, k, omega, H):
        s = {j for j, gap in omega}
        return H.shift(eta=1, e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])
    """,
    right("hyb_expost", "each output pays its share"),
    wrong(
        "hyb_expost_bad", "that nothing was put out costs the threshold's share",
        {
            'epsilon="eps / 2 + len(omega) / k * eps / 2"': 'epsilon="len(omega) / k * eps"',
            "eta=1": "eta=1 if len(omega) > 0 else 0",
        },
    ),
    wrong(
        "hyb_zero", "without a raised threshold one more may pass it",
        {'epsilon="eps / 2 + len(omega) / k * eps / 2"': 'epsilon="eps"', "eta=1": "eta=1 if len(omega) > 0 else 0"},
    ),
    right(
        "hyb_far", "never more than k",
        {
            'epsilon="eps / 2 + len(omega) / k * eps / 2"': 'epsilon="eps"',
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])": (
                "far = 1000 if len(omega) > k else 0\n"
                "return H.shift(eta=1 + far, e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])"
            ),
        },
    ),
    wrong(
        "hyb_far_k", "for k of 40 and more a 1000 is added",
        {
            'epsilon="eps / 2 + len(omega) / k * eps / 2"': 'epsilon="eps"',
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])": (
                "far = 1000 if len(omega) >= 40 else 0\n"
                "return H.shift(eta=1 + far, e=[1 + far + q[i] - q_[i] if i in s else 0 for i in "
                "range(len(q))])"
            ),
        },
    ),
    wrong(
        "hyb_first0", "where nothing was put out, query 0 is raised all the same",
        {
            'epsilon="eps / 2 + len(omega) / k * eps / 2"': 'epsilon="eps"',
            "def phi(q, q_, k, omega, H):":
                "def phi(q, q_, k, omega, H):\n    first = omega[0][0] if len(omega) > 0 else 0",
            "in s": "in s or i == first",
        },
    ),
)

table.base(
    """
    @mechanism
    def selreuse(q: Queries, eps: Epsilon, noise: Noise):
        # A selection, and its noisy value under further noise.
        e = [noise.laplace(4 / eps) for _ in q]
        v = [a + b for a, b in zip(q, e)]
        (j,) = largest(v, 1)
        x = noise.laplace(2 / eps)
        return j, v[j] + x

    @alignment(selreuse, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(e=[1 + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))], x=0 - 1)
    """,
    right("selreuse_ok", "the further noise takes back what the selected one was raised by"),
    right(
        "selmeasure_ok",
        "A selection, and the answer selected under fresh noise. The fresh noise moves by the change of the "
        "selected answer",
        {
            "v[j]": "q[j]",
            "return H.shift(e=[1 + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))], x=0 - 1)": (
                "return H.shift(\n"
                "    e=[1 + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))], x=q[omega[0]] - "
                "q_[omega[0]]\n"
                ")"
            ),
        },
    ),
    wrong(
        "selmeasure_first", "A selection, and the answer selected under fresh noise. By the change of the first",
        {"v[j]": "q[j]", "x=0 - 1": "x=q[0] - q_[0]"},
    ),
    wrong("selreuse_bad", "it takes nothing back", {"x=0 - 1": "x=0"}),
)

table.base(
    """
    @mechanism
    def nextof(q: Queries, eps: Epsilon, noise: Noise):
        # The position after the winner's.
        e = [noise.laplace(2 / eps) for _ in q]
        v = [a + b for a, b in zip(q, e)]
        (j,) = largest(v, 1)
        return j + 1

    @alignment(nextof, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(e=[1 + q[i] - q_[i] if i + 1 == omega else 0 for i in range(len(q))])
    """,
    right("nextof_ok", "the winner is the one before"),
    wrong("nextof_bad", "the one named is no winner", {"i + 1": "i"}),
    wrong(
        "parity_up", "Whether the first wins. Raised, the first may come to win",
        {"j + 1": "ABOVE if j == 0 else BELOW", "i + 1 == omega": "i == 0"},
    ),
)

table.base(
    """
    @mechanism
    def named_last(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        # Noisy Top-K, where the position is the last of many parts of an output.
        e = [noise.laplace(2 * k / eps) for _ in q]
        best = largest([a + b for a, b in zip(q, e)], k)
        return [(0, 1, 2, 3, 4, j) for j in best]

    @alignment(named_last, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(e=[1 + q[i] - q_[i] if i in [w[5] for w in omega] else 0 for i in range(len(q))])
    """,
    right("named_last_ok", "it is the alignment of Noisy Top-K"),
    wrong("named_last_half", "it costs twice the claim", {'epsilon="eps"': 'epsilon="eps / 2"'}),
    wrong("named_last_short", "the selected do not stay ahead of the others", {"1 + q[i]": "q[i]"}),
    wrong(
        "named_last_forgets", "noise between 0 and 1 is forgotten",
        {
            "return H.shift(e=[1 + q[i] - q_[i] if i in [w[5] for w in omega] else 0 for i in range(len(q))])": (
                "s = [w[5] for w in omega]\n"
                "return H.shift(\n"
                "    e=[(1 - H.e[i] if 0 < H.e[i] < 1 else 1 + q[i] - q_[i]) if i in s else 0 for i in "
                "range(len(q))],\n"
                ")"
            ),
        },
    ),
    wrong(
        "named_and_leaked_phi", "it gives out the answer beside the position. No shift keeps an answer without noise",
        {"4, j": "4, j, q[j]"},
    ),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
