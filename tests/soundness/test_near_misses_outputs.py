"""What an alignment may know of a loop: its noise and its other outputs, in programs next to each other.

The prover is asked alone. What it proves is argued to be right in one line; what is wrong it must not prove.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table(
    """
    MIDDLE = Tag("MIDDLE")
    """
)


# Loops: what an alignment may know of the noise

table.base(
    """
    @mechanism
    def lp(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # Sparse Vector that stops at the first winner.
        eta = noise.laplace(2 / eps)
        for q_i in q:
            e = noise.laplace(4 / eps)
            if q_i + e >= T + eta:
                yield ABOVE
                break
            yield BELOW

    @alignment(lp, epsilon="eps")
    def phi(q, q_, omega, H):
        far = 1000 if len(H.e) != len(omega) else 0
        return H.shift(eta=1 + far, e=[2 if w is ABOVE else 0 for w in omega])
    """,
    right("lp_len", "every iteration gives one output, so that nothing is ever added"),
    wrong("lp_len_n", "the loop may end before the queries do", {"len(omega)": "len(q)"}),
    wrong(
        "lp_len_n40", "the 41st may be the winner; the threshold is then raised by 1000 more",
        {"len(H.e) != len(omega)": "len(omega) > 40 and omega[40] is ABOVE and len(H.e) == 41"},
    ),
    wrong(
        "lp_lastabove", "after 40 queries there may still be a winner",
        {"len(H.e) != len(omega)": "len(omega) > 40 and omega[len(omega) - 1] is ABOVE"},
    ),
)

table.base(
    """
    @mechanism
    def lp(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # Sparse Vector that stops at the first winner.
        eta = noise.laplace(2 / eps)
        for q_i in q:
            e = noise.laplace(4 / eps)
            if q_i + e >= T + eta:
                yield ABOVE
                break
            yield BELOW

    @alignment(lp, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=1 + (0 * H.e[39] if len(omega) >= 40 else 0), e=[2 if w is ABOVE else 0 for w in omega])
    """,
    right("lp_read39", "40 outputs come with 40 draws"),
    wrong("lp_read40", "40 outputs do not come with 41 draws", {"H.e[39]": "H.e[40]"}),
    wrong(
        "lp_readn", "the last query need not be reached",
        {"(0 * H.e[39] if len(omega) >= 40 else 0)": "0 * H.e[len(q) - 1]"},
    ),
    wrong(
        "before_off", "Sparse Vector with an output ahead of the loop. The output of the iteration before is looked at",
        {
            "eta = noise.laplace(2 / eps)": "eta = noise.laplace(2 / eps)\nyield MIDDLE",
            "eta=1 + (0 * H.e[39] if len(omega) >= 40 else 0)": "eta=1",
        },
    ),
)

table.base(
    """
    @mechanism
    def silent(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        # Sparse Vector that looks at the top of each round whether it is over.
        eta = noise.laplace(2 / eps)
        count = 0
        for q_i in q:
            if count >= k:
                break
            e = noise.laplace(4 * k / eps)
            if q_i + e >= T + eta:
                yield ABOVE
                count += 1
            else:
                yield BELOW

    @alignment(silent, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(
            eta=1 + (0 * H.e[40] if len(omega) == 40 and len(q) > 40 else 0), e=[2 if w is ABOVE else 0 for w in omega]
        )
    """,
    wrong("silent_readnext", "the 41st draw is not made where the loop is left at the top of that round"),
)

table.base(
    """
    @mechanism
    def drawbreak(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # Sparse Vector that says nothing of the winner but by stopping.
        eta = noise.laplace(2 / eps)
        for q_i in q:
            e = noise.laplace(4 / eps)
            if q_i + e >= T + eta:
                break
            yield BELOW

    @alignment(drawbreak, epsilon="eps")
    def phi(q, q_, omega, H):
        n = len(q)
        far = 1000 if len(H.e) != min(len(omega) + 1, n) else 0
        return H.shift(eta=1 + far, e=[2 if i == len(omega) else 0 for i in range(n)])
    """,
    right("drawbreak_len", "there is one draw more than outputs, but for a loop without a winner"),
    wrong(
        "drawbreak_len2", "with more than 40 outputs there may be one draw more than outputs",
        {"len(H.e) != min(len(omega) + 1, n)": "len(H.e) > len(omega) + 0 and len(omega) > 40"},
    ),
    right(
        "drawbreak_all", "the last draw is the winner's where there is one draw more than outputs",
        {
            "far = 1000 if len(H.e) != min(len(omega) + 1, n) else 0\n"
            "return H.shift(eta=1 + far, e=[2 if i == len(omega) else 0 for i in range(n)])":
                "return H.shift(eta=1, e=[2 if i == len(H.e) - 1 and len(omega) < len(H.e) else 0 for i in range(n)])",
        },
    ),
    wrong(
        "drawbreak_noomega", "the last draw is not the winner's where the loop has none",
        {
            "far = 1000 if len(H.e) != min(len(omega) + 1, n) else 0\n"
            "return H.shift(eta=1 + far, e=[2 if i == len(omega) else 0 for i in range(n)])":
                "return H.shift(eta=1, e=[2 if i == len(H.e) - 1 else 0 for i in range(n)])",
        },
    ),
)

table.base(
    """
    @mechanism
    def empty(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        # A loop of k - 1 rounds, which are none for k = 1.
        eta = noise.laplace(1 / eps)
        for i in range(k - 1):
            e = noise.laplace(1 / eps)
            yield e
        yield q[0] + eta

    @alignment(empty, epsilon="eps")
    def phi(q, q_, k, omega, H):
        return H.shift(eta=q[0] - q_[0] + (0 * H.e[k - 2] if k >= 2 else 0))
    """,
    right("empty_readk", "for k of at least 2 there are k - 1 draws"),
    wrong("empty_read", "for k = 1 nothing is drawn", {"(0 * H.e[k - 2] if k >= 2 else 0)": "0 * H.e[0]"}),
    wrong("empty_readk1", "the draw at k - 1 is one too far", {"k - 2": "k - 1"}),
    wrong("empty_len1", "for k = 41 a 1000 is added", {"0 * H.e[k - 2] if k >= 2": "1000 if len(H.e) == 40"}),
    right("empty_w", "there are k outputs", {"0 * H.e[k - 2] if k >= 2": "1000 if len(omega) != k"}),
    wrong("empty_w1", "one output comes after the loop", {"0 * H.e[k - 2] if k >= 2": "1000 if len(omega) != k - 1"}),
)

table.base(
    """
    @mechanism
    def before(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # Sparse Vector with an output ahead of the loop.
        eta = noise.laplace(2 / eps)
        yield MIDDLE
        for q_i in q:
            e = noise.laplace(4 / eps)
            if q_i + e >= T + eta:
                yield ABOVE
                break
            yield BELOW

    @alignment(before, epsilon="eps")
    def phi(q, q_, omega, H):
        n = len(omega)
        return H.shift(eta=1 + 0 * H.e[n - 2], e=[2 if omega[i + 1] is ABOVE else 0 for i in range(n - 1)])
    """,
    right("before_read2", "the last draw is the one before the last"),
    right(
        "before_ok", "the output of iteration i stands at i + 1",
        {
            "n = len(omega)\n"
            "return H.shift(eta=1 + 0 * H.e[n - 2], e=[2 if omega[i + 1] is ABOVE else 0 for i in range(n - 1)])": (
                "return H.shift(eta=1, e=[2 if w is ABOVE else 0 for w in [omega[i + 1] for i in "
                "range(len(omega) - 1)]])"
            ),
        },
    ),
    wrong("before_read", "there is one draw fewer than outputs", {"n - 2": "n - 1"}),
)

table.base(
    """
    @mechanism
    def ret(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # The position of the first winner.
        eta = noise.laplace(2 / eps)
        for i, q_i in enumerate(q):
            e = noise.laplace(4 / eps)
            if q_i + e >= T + eta:
                return i
        return 0 - 1

    @alignment(ret, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(eta=1, e=[2 if i == len(H.e) - 1 else 0 for i in range(len(q))])
    """,
    wrong("ret_ok", "the last draw is no winner's where the loop has none"),
)


# Loops of known length, two loops, functions that draw

table.base(
    """
    @mechanism
    def twoloops(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # One of two loops is of symbolic length, which one depends on T.
        items = q if T > 0 else [T]
        c = 0
        for x in items:
            if T > 0:
                c += 1
            e = noise.laplace(1 / eps)
            yield x + e
        if T > 0:
            return
        d = 0
        for y in q:
            d += 1
            f = noise.laplace(1 / eps)
            yield y + f

    @alignment(twoloops, epsilon="eps", adjacency="l1")
    def phi(q, q_, T, H):
        return H.shift(
            e=[q[i] - q_[i] for i in range(len(q))] if T > 0 else [0], f=[q[i] - q_[i] for i in range(len(q))]
        )
    """,
    right("twoloops_ok", "on either way each answer is given once"),
    wrong(
        "twoloops_half", "at half of what either way costs",
        {'epsilon="eps", adjacency="l1"': 'epsilon="eps / 2", adjacency="one"'},
    ),
)

table.base(
    """
    @mechanism
    def mixed(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # One loop, over all answers or over two of known number.
        items = q if T > 0 else [q[0], q[0]]
        for x in items:
            e = noise.laplace(1 / eps)
            yield x + e

    @alignment(mixed, epsilon="2 * eps", adjacency="l1")
    def phi(q, q_, T, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))] if T > 0 else [q[0] - q_[0], q[0] - q_[0]])
    """,
    right("mixed_paid", "twice the price"),
    wrong("mixed_phi", "one answer is given twice", {'epsilon="2 * eps"': 'epsilon="eps"'}),
)

table.base(
    """
    @mechanism
    def few(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # Two draws of three rounds of a filtered list.
        e = [noise.laplace(3 / eps) for i in range(3) if i != 1]
        yield q[0] + e[0]
        yield q[0] + e[1]

    @alignment(few, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=[q[0] - q_[0], 0, q[0] - q_[0]])
    """,
    right("few_shift", "shifts are counted by rounds, the one without a draw included"),
    wrong("few_shift2", "the third round has no shift", {"0, q[0]": "q[0]"}),
    wrong("few_read1", "the second round draws nothing", {"0, q[0] - q_[0]": "0, q[0] - q_[0] + 0 * H.e[1]"}),
    wrong(
        "few_len2", "the noise has three places, so that 1000 is added",
        {"0, q[0] - q_[0]": "0, q[0] - q_[0] + (1000 if len(H.e) != 2 else 0)"},
    ),
)

table.base(
    """
    @mechanism
    def brk(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # Three rounds, the last of which may not be reached.
        eta = noise.laplace(2 / eps)
        for i in range(3):
            e = noise.laplace(12 / eps)
            if i < 0 or q[0] + e > T + eta:
                yield ABOVE
                break
            yield BELOW

    @alignment(brk, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=1, e=[2 if omega[-1] is ABOVE and i == len(omega) - 1 else 0 for i in range(3)])
    """,
    right("brk_neg", "the last output is the winner's, if any"),
    wrong(
        "brk_read2", "the third draw need not be made",
        {
            "return H.shift(eta=1, e=[2 if omega[-1] is ABOVE and i == len(omega) - 1 else 0 for i in range(3)])":
                "return H.shift(eta=1 + 0 * H.e[2], e=[2 if w is ABOVE else 0 for w in omega])",
        },
    ),
    wrong(
        "brk_short", "one shift for up to three draws",
        {"omega[-1] is ABOVE and i == len(omega) - 1 else 0 for i in range(3)": "omega[0] is ABOVE else 0"},
    ),
)

table.base(
    """
    @mechanism
    def v1(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # The greatest answer, with noise.
        e = noise.laplace(1 / eps)
        return max(q) + e

    @alignment(v1, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=max(q) - max(q_))
    """,
    right("v1_ok", "the greatest answers differ by at most 1"),
    wrong(
        "v1_max", "the greatest change is not the change of the greatest",
        {"e=max(q) - max(q_)": "e=max(q[i] - q_[i] for i in range(len(q)))"},
    ),
    wrong(
        "v1_mono", "nor is it where all move in one direction",
        {
            'epsilon="eps"': 'epsilon="eps", adjacency="monotone"',
            "e=max(q) - max(q_)": "e=max(q[i] - q_[i] for i in range(len(q)))",
        },
    ),
    right(
        "v1_dead", "a list that is defined and not used is of no matter",
        {
            "def phi(q, q_, H):":
                "def phi(q, q_, H):\n    dead = [max(q[j] for j in range(i + 1)) for i in range(len(q))]",
        },
    ),
    wrong(
        "v1_dead2", "the greatest of none is taken, if never used",
        {"def phi(q, q_, H):": "def phi(q, q_, H):\n    dead = [max(q[j] for j in range(i)) for i in range(len(q))]"},
    ),
    wrong(
        "v1_deadq", "what is known of the index of one list is not known of the other's",
        {
            "def phi(q, q_, H):": (
                "def phi(q, q_, H):\n"
                "    dead = [max(q[j] for j in range(i + 1)) for i in range(len(q))]\n"
                "    dead2 = [1 / (i + 0) for i in range(len(q))]"
            ),
        },
    ),
)


# Loops: outputs of other iterations

table.base(
    """
    @mechanism
    def sh2(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # Sparse Vector whose outputs have two parts, or three.
        eta = noise.laplace(2 / eps)
        for i, q_i in enumerate(q):
            e = noise.laplace(4 / eps)
            if q_i + e >= T + eta:
                yield ABOVE, i, q_i + e - T - eta
                break
            yield MIDDLE, i

    @alignment(sh2, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(
            eta=1 + (0 * omega[40][-1] if len(omega) > 40 else 0),
            e=[1 + q[i] - q_[i] if w[0] is ABOVE else 0 for i, w in enumerate(omega)],
        )
    """,
    right("sh2_last", "the last part is a number in both"),
    right(
        "sh2_notmiddle", "what is not MIDDLE is the winner",
        {
            "return H.shift(\n"
            "    eta=1 + (0 * omega[40][-1] if len(omega) > 40 else 0),\n"
            "    e=[1 + q[i] - q_[i] if w[0] is ABOVE else 0 for i, w in enumerate(omega)],\n"
            ")":
                "return H.shift(eta=1, e=[1 + q[i] - q_[i] if w[0] is not MIDDLE else 0 for i, w in enumerate(omega)])",
        },
    ),
    wrong("sh2_part2", "the 41st output need not have a third part", {"omega[40][-1]": "omega[40][2]"}),
    right(
        "sh2_part2_ok", "the winner has one",
        {"omega[40][-1] if len(omega) > 40": "omega[40][2] if len(omega) > 40 and omega[40][0] is ABOVE"},
    ),
    wrong("sh2_neg2", "the last part but one is a tag in one of them", {"omega[40][-1]": "omega[40][-2]"}),
    wrong(
        "sh2_neg3", "the last part but two is there in the winner only",
        {"0 * omega[40][-1] if len(omega) > 40": "1 if len(omega) > 40 and omega[40][-3] is MIDDLE"},
    ),
    wrong(
        "sh2_cmpidx", "the index of the 41st output is 40, and a 1000 is added",
        {
            "return H.shift(\n"
            "    eta=1 + (0 * omega[40][-1] if len(omega) > 40 else 0),\n"
            "    e=[1 + q[i] - q_[i] if w[0] is ABOVE else 0 for i, w in enumerate(omega)],\n"
            ")": (
                "far = 1000 if len(omega) > 40 and omega[40][1] == 40 else 0\n"
                "return H.shift(eta=1 + far, e=[1 + q[i] - q_[i] if w[0] is ABOVE else 0 for i, w in "
                "enumerate(omega)])"
            ),
        },
    ),
)


# Loops: Booleans and numbers among the outputs

table.base(
    """
    @mechanism
    def boo(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # Sparse Vector that says true or false.
        eta = noise.laplace(2 / eps)
        for q_i in q:
            e = noise.laplace(4 / eps)
            above = q_i + e >= T + eta
            yield above
            if above:
                break

    @alignment(boo, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=1, e=[1 + q[i] - q_[i] if w else 0 for i, w in enumerate(omega)])
    """,
    right("boo_ok", "what is true is the winner"),
    wrong("boo_not", "the losers are raised", {"if w": "if not w"}),
    wrong(
        "boo_40", "the 41st may be the winner",
        {
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if w else 0 for i, w in enumerate(omega)])": (
                "far = 1000 if len(omega) > 40 and omega[40] else 0\n"
                "return H.shift(eta=1 + far, e=[1 + q[i] - q_[i] if w else 0 for i, w in enumerate(omega)])"
            ),
        },
    ),
    wrong(
        "boo_anyonly", "without a winner the threshold stays, and a loser may pass it",
        {
            "return H.shift(eta=1, e=[1 + q[i] - q_[i] if w else 0 for i, w in enumerate(omega)])": (
                "up = any(w for w in omega)\n"
                "return H.shift(eta=1 if up else 0, e=[1 + q[i] - q_[i] if w else 0 for i, w in "
                "enumerate(omega)])"
            ),
        },
    ),
)

table.base(
    """
    @mechanism
    def gp(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # Sparse Vector with Gap that stops at the first winner.
        eta = noise.laplace(2 / eps)
        for q_i in q:
            e = noise.laplace(4 / eps)
            if q_i + e >= T + eta:
                yield q_i + e - T - eta
                break
            yield BELOW

    @alignment(gp, epsilon="eps")
    def phi(q, q_, omega, H):
        up = any(0 * w == 1 for w in omega)
        return H.shift(
            eta=1001 if up else 1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)]
        )
    """,
    wrong("gp_anygt2", "0 times BELOW is nothing"),
    right(
        "gp_any", "none of no outputs is the winner",
        {
            "0 * w == 1": "w is not BELOW",
            "eta=1001 if up else 1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)]": (
                "eta=1001 if up and len(omega) == 0 else 1,\n"
                "e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],"
            ),
        },
    ),
    wrong(
        "gp_inv", "a gap may be 0",
        {
            "up = any(0 * w == 1 for w in omega)\n"
            "return H.shift(\n"
            "    eta=1001 if up else 1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in "
            "enumerate(omega)]\n"
            ")": (
                "return H.shift(eta=1, e=[1 + q[i] - q_[i] + 0 * (1 / w) if w is not BELOW else 0 for i, w "
                "in enumerate(omega)])"
            ),
        },
    ),
    wrong(
        "gp_prev", "what came before is BELOW",
        {
            "up = any(0 * w == 1 for w in omega)": "",
            "eta=1001 if up else 1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)]": (
                "eta=1,\n"
                "e=[1 + q[i] - q_[i] + (0 * omega[i - 1] if i > 0 else 0) if w is not BELOW else 0 for i, w "
                "in enumerate(omega)],"
            ),
        },
    ),
    wrong(
        "gp_eta", "the last output may be BELOW",
        {"up = any(0 * w == 1 for w in omega)": "", "1001 if up else 1": "1 + 0 * omega[len(omega) - 1]"},
    ),
    right(
        "gp_eta_ok", "where it is not, it is a number",
        {
            "up = any(0 * w == 1 for w in omega)": "w = omega[len(omega) - 1]",
            "eta=1001 if up else 1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)]": (
                "eta=1 + (0 * w if w is not BELOW else 0),\n"
                "e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],"
            ),
        },
    ),
    wrong(
        "gp_eta_above", "no output is ABOVE, so that it may be BELOW all the same",
        {
            "up = any(0 * w == 1 for w in omega)": "w = omega[len(omega) - 1]",
            "eta=1001 if up else 1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)]": (
                "eta=1 + (0 * w if w is not ABOVE else 0),\n"
                "e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],"
            ),
        },
    ),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
