"""What is read twice, shared or rounded is paid for as often: in choices, calls, sums, uniform noise, rounds, budgets.

Each of the wrong programs differs in one place from one that is private as claimed. Those marked L lose more than they
claim; of the others the alignment is wrong, or a lemma is used where it does not hold.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

# A choice for each answer, whose weights read it

ODDS = "[exp(eps) if x > 0 else 1, 1 if x > 0 else exp(eps)]"

table.base(
    """
    @mechanism
    def told(q: Queries, eps: Epsilon, noise: Noise):
        for x in q:
            c = noise.choice([exp(eps) if x > 0 else 1, 1 if x > 0 else exp(eps)])
            yield c

    @alignment(told, epsilon="eps * len(q)")
    def phi(H):
        return H.shift()
    """,
    right("each_pays", "the odds of each answer move by a factor of e^eps at most"),
    wrong(
        "small_changes", "L: under l1 all n answers may pass 0",
        {'"eps * len(q)"': '"eps", adjacency="l1"'}, fails="cost",
    ),
    wrong(
        "left_in_silence", "L: an empty output is free, and tells the first answer's bit",
        {"yield c": "if c == 0:\n    break\nyield c", "eps * len(q)": "eps * len(omega)"},
        fails="cost",
    ),
    wrong(
        "odds_on_both_sides", "L: exp(eps x) against exp(-eps x) is exp(2 eps x)",
        {ODDS: "[exp(eps * x), exp(-eps * x)]"}, fails="cost",
    ),
    wrong(
        "totals", "L: the first answer is in all n totals",
        {"for x in q": "for i in range(len(q))", ODDS: "[exp(eps * sum(q[:i + 1])), 1]",
         '"eps * len(q)"': '"eps", adjacency="one"'}, fails="cost",
    ),
    wrong("halves_rounded", "L: floor(2 x) moves by 2", {ODDS: "[exp(eps * floor(2 * x)), 1]"}, fails="cost"),
)  # fmt: skip

table.base(
    """
    @mechanism
    def beside(x: Query, eps: Epsilon, noise: Noise):
        c = noise.choice([exp(eps) if x > 0 else 1, 1 if x > 0 else exp(eps)])
        e = noise.laplace(1 / eps)
        return x + e if c == 1 else e

    @alignment(beside, epsilon="2 * eps")
    def phi(x, x_, H):
        return H.shift(e=(x - x_) * H.c)
    """,
    right("both_pay", "the choice and, where it is 1, the noise"),
    wrong("one_pays", "L: a large output loses eps, and as much by the odds", {"2 * eps": "eps"}, fails="cost"),
    wrong(
        "as_it_is", "L: the answer is released where c is 1",
        {"return x + e if c == 1 else e": "return x if c == 1 else e"}, fails="same_output",
    ),
)  # fmt: skip

# Calls of a mechanism that chooses by two answers

table.base(
    """
    @mechanism
    def either(u: Query, v: Query, eps: Epsilon, noise: Noise):
        c = noise.choice([exp(eps * u), exp(eps * v)])
        return c

    @alignment(either, epsilon="2 * eps", adjacency="l1")
    def either_phi(H):
        return H.shift()

    @mechanism
    def asks(x: Query, y: Query, eps: Epsilon, noise: Noise):
        c = either(min(x, y), max(x, y), eps, noise)
        return c

    @alignment(asks, epsilon="2 * eps", adjacency="l1", lemmas=[either_phi])
    def phi(H):
        return H.shift()
    """,
    right("in_order", "two numbers in order move by no more than they do themselves"),
    wrong(
        "sums_and_differences", "x + y and x - y move by 2 together",
        {"either(min(x, y), max(x, y)": "either(x + y, x - y"}, fails="cost",
    ),
    wrong(
        "sizes", "|x| + |y| and |x| - |y| move by 2 together",
        {"either(min(x, y), max(x, y)": "either(abs(x) + abs(y), abs(x) - abs(y)"}, fails="cost",
    ),
    wrong("twice", "one answer moves both", {"either(min(x, y), max(x, y)": "either(x, -x"}, fails="cost"),
)  # fmt: skip

# Sums over rows with a midpoint for their parameter

table.base(
    """
    @mechanism
    def halves(q: Queries, low: Real, high: Real, k: Count, eps: Epsilon, noise: Noise):
        left = low
        right = high
        for i in range(k):
            mid = (left + right) / 2
            e = noise.laplace(k / eps)
            if sum(min(x, mid) for x in q) + e >= 0:
                yield ABOVE
                right = mid
            else:
                yield BELOW
                left = mid

    @alignment(halves, epsilon="eps", adjacency="one")
    def phi(omega, H):
        return H.shift(e=[1 if w is ABOVE else -1 for w in omega])
    """,
    right("cut_off", "an item moves by no more than its answer"),
    wrong("jumps", "L: an item falls from mid to 0", {"min(x, mid)": "(x if x <= mid else 0)"}),
    wrong("signs", "L: an item moves by 2", {"min(x, mid)": "(1 if x <= mid else -1)"}),
    wrong(
        "many_small_changes", "L: under l1 all rows may pass mid",
        {"min(x, mid)": "(1 if x <= mid else 0)", '"one"': '"l1"'},
    ),
    wrong("of_its_own_row", "L: all items move with q[0]", {"min(x, mid)": "min(x, q[0])"}),
    wrong("times_the_midpoint", "L: mid may be large", {"min(x, mid)": "mid * x"}),
)  # fmt: skip

# Uniform noise that is made narrower

table.base(
    """
    @mechanism
    def shorter(x: Query, eps: Epsilon, noise: Noise):
        u = noise.uniform(0, 1)
        return ABOVE if u < (1 / 2 if x > 0 else 1 / 4) else BELOW

    @alignment(shorter, epsilon="log(2)")
    def phi(x, x_, omega, H):
        if (x > 0) == (x_ > 0):
            s = 0
        elif x > 0:
            s = -H.u / 2 if omega is ABOVE else 0
        else:
            s = 0 if omega is ABOVE else (1 - H.u) / 3
        return H.shift(u=s)
    """,
    right("by_two", "[0, 1/2) becomes [0, 1/4), and [1/4, 1) becomes [1/2, 1)"),
    wrong("for_less", "L: 1/2 against 1/4", {"log(2)": "log(3 / 2)"}, fails="cost"),
    wrong("folded", "two numbers become one", {"(1 - H.u) / 3": "1 / 2 + abs(H.u - 5 / 8) - H.u"}, fails="one_to_one"),
    wrong("cut_off_below", "many become 1/2", {"(1 - H.u) / 3": "max(H.u, 1 / 2) - H.u"}, fails="one_to_one"),
)  # fmt: skip

# Rounds and budgets

table.base(
    """
    @mechanism
    def counted(x: Query, k: Count, p: Positive, eps: Epsilon, noise: Noise):
        i = 0
        spent = 0
        while i < k and spent + p <= eps:
            e = noise.laplace(1 / p)
            yield x + e
            spent += p
            i += 1

    @alignment(counted, epsilon="eps")
    def phi(x, x_, omega, H):
        return H.shift(e=[x - x_ for w in omega])
    """,
    right("asks_first", "a round that begins can be paid"),
    wrong("asks_too_late", "L: the last round may cost p more", {"spent + p <= eps": "spent <= eps"}, fails="cost"),
    wrong("forgets", "L: k rounds of p each", {"spent += p": "spent = p"}, fails="cost"),
    wrong(
        "half_as_many", "L: k rounds at eps / ceil(k / 2) each",
        {" and spent + p <= eps": "", "1 / p": "ceil(k / 2) / eps"}, fails="cost",
    ),
)  # fmt: skip


@pytest.mark.parametrize("program", table.right())
def test_what_is_private_is_proved(program, tmp_path, prover_alone, proved):
    program.is_proved(tmp_path, prover_alone, proved)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)
