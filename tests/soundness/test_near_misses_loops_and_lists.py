"""Near misses of blocks that nested loops read, counted draws, and totals of groups."""

# Programs under test branch without an effect, and draw noise that they do not use.

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

# Answers off the lattice of the noise: what is shifted must be on it

table.base(
    """
    @mechanism
    def counted(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        z = noise.discrete_laplace(1 / eps, 1)
        u = noise.uniform(-1 / 2, 1 / 2)
        return sum(1 for x in q if x <= T) + z + u

    @alignment(counted, epsilon="eps", adjacency="one")
    def phi(q, q_, T, H):
        return H.shift(z=sum(1 for x in q if x <= T) - sum(1 for x in q_ if x <= T))
    """,
    right("counts", "a count is a whole number whatever it counts", checked=True),
    right("on a finer lattice", "a whole number is two halves", {"discrete_laplace(1 / eps, 1)":
          "discrete_laplace(1 / eps, 1 / 2)"}),
    wrong("sums", "the fraction of a sum is told", {
        "sum(1 for x in q if x <= T) + z": "sum(x for x in q if x <= T) + z",
        "sum(1 for x in q if x <= T) - sum(1 for x in q_ if x <= T)":
            "sum(x for x in q if x <= T) - sum(x for x in q_ if x <= T)",
    }, fails="valid_noise", refuted=True),
    wrong("on a wider lattice", "whether the count is odd is told", {
        "discrete_laplace(1 / eps, 1)": "discrete_laplace(1 / eps, 2)", "+ z + u": "+ z",
    }, fails="valid_noise", refuted=True),
    wrong("counts by halves", "half a step of the lattice", {
        "sum(1 for x in q if x <= T) + z + u": "sum(1 / 2 for x in q if x <= T) + z",
        "sum(1 for x in q if x <= T) - sum(1 for x in q_ if x <= T)":
            "sum(1 / 2 for x in q if x <= T) - sum(1 / 2 for x in q_ if x <= T)",
    }, fails="valid_noise", refuted=True),
    wrong("counts by thresholds", "the threshold is on no lattice", {
        "sum(1 for x in q if x <= T) + z + u": "sum(T for x in q if x <= T) + z",
        "sum(1 for x in q if x <= T) - sum(1 for x in q_ if x <= T)":
            "sum(T for x in q if x <= T) - sum(T for x in q_ if x <= T)",
    }, fails="valid_noise"),
    wrong("cut off", "what is cut off is a fraction, too", {
        "sum(1 for x in q if x <= T) + z + u": "sum(clamp(x, 0, 1) for x in q) + z",
        "sum(1 for x in q if x <= T) - sum(1 for x in q_ if x <= T)":
            "sum(clamp(x, 0, 1) for x in q) - sum(clamp(x, 0, 1) for x in q_)",
    }, fails="valid_noise", refuted=True),
    wrong("one answer", "the noise moves by the change of an answer", {
        "sum(1 for x in q if x <= T) + z": "q[0] + z",
        "sum(1 for x in q if x <= T) - sum(1 for x in q_ if x <= T)": "q[0] - q_[0]",
    }, fails="valid_noise"),
    wrong("a share on each noise", "the uniform noise leaves its bounds", {
        "sum(1 for x in q_ if x <= T))": "sum(1 for x in q_ if x <= T) - 1, u=1)",
    }, fails="valid_noise"),
    wrong("without its noise", "the count is told but for less than a step", {"+ z + u": "+ u"}, fails="same_output",
          refuted=True),
    wrong("counts twice", "a change moves the count by two", {
        "sum(1 for x in q if x <= T) + z": "sum(2 for x in q if x <= T) + z",
        "sum(1 for x in q if x <= T) - sum(1 for x in q_ if x <= T)":
            "sum(2 for x in q if x <= T) - sum(2 for x in q_ if x <= T)",
    }, fails="cost", refuted=True),
    wrong("each answer may change", "n items of the count change", {'adjacency="one"': 'adjacency="each"'},
          fails="cost", refuted=True),
)

table.base(
    """
    @mechanism
    def tested(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        rho = noise.discrete_laplace(2 / eps, 1)
        for q_i in q:
            nu = noise.discrete_laplace(4 / eps, 1)
            if q_i + nu >= T + rho:
                yield ABOVE
                break
            else:
                yield BELOW

    @alignment(tested, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(rho=1, nu=[2 if w is ABOVE else 0 for w in omega])
    """,
    right("whole steps", "the threshold and the winner move by whole steps, whatever the answers are"),
    wrong("a step too few", "the winner falls below the threshold", {"2 if w": "1 if w"}, fails="same_output"),
    wrong("by the change", "the change of an answer is no whole number of steps", {
        "[2 if w is ABOVE else 0 for w in omega]":
            "[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)]",
    }, fails="valid_noise"),
    wrong("with the noisy answer", "the fraction of the winner is told", {"yield ABOVE": "yield q_i + nu",
          "w is ABOVE": "w is not BELOW"}, fails="same_output", refuted=True),
)

# Blocks of answers that nested loops read

table.base(
    """
    @mechanism
    def tree(c: Queries, b: Count, T: Real, eps: Epsilon, noise: Noise):
        for i in range(len(c) // b):
            e = noise.laplace(2 / eps)
            size = sum(c[b * i + j] for j in range(b)) + e
            yield size
            for j in range(b):
                f = noise.laplace(2 / eps)
                yield c[b * i + j] + f

    @alignment(tree, epsilon="eps", adjacency="one")
    def phi(c, c_, b, H):
        nodes = len(c) // b
        return H.shift(
            e=[sum(c[b * i + j] - c_[b * i + j] for j in range(b)) for i in range(nodes)],
            f=[[c[b * i + j] - c_[b * i + j] for j in range(b)] for i in range(nodes)],
        )
    """,
    right("two levels", "a child pays for itself and for its parent", checked=True),
    right("the children only", "no sum is told", {"yield size": "yield ABOVE"}),
    right("most for one change", "what all changes come to is at most one", {'adjacency="one"': 'adjacency="l1"'}),
    right("a fixed number of children", "three instead of b", {
        "b: Count, ": "", "b * i + j] for j in range(b)) + e": "3 * i + j] for j in range(3)) + e",
        "range(len(c) // b)": "range(len(c) // 3)", "for j in range(b):": "for j in range(3):",
        "yield c[b * i + j] + f": "yield c[3 * i + j] + f", "def phi(c, c_, b, H):": "def phi(c, c_, H):\n    b = 3",
    }),
    wrong("half the noise on the children", "a child pays eps for itself", {
        "f = noise.laplace(2 / eps)": "f = noise.laplace(1 / eps)",
    }, fails="cost", refuted=True),
    wrong("the first child each time", "one answer pays b times", {
        "yield c[b * i + j] + f": "yield c[b * i] + f",
        "f=[[c[b * i + j] - c_[b * i + j] for j": "f=[[c[b * i] - c_[b * i] for j",
    }, fails="cost", refuted=True),
    wrong("blocks that overlap", "a child has b parents", {
        "range(len(c) // b)": "range(len(c) - b + 1)",
        "nodes = len(c) // b": "nodes = len(c) - b + 1",
        "sum(c[b * i + j] for j in range(b)) + e": "sum(c[i + j] for j in range(b)) + e",
        "e=[sum(c[b * i + j] - c_[b * i + j] for j": "e=[sum(c[i + j] - c_[i + j] for j",
        "yield c[b * i + j] + f": "yield c[i + j] + f",
        "f=[[c[b * i + j] - c_[b * i + j] for j": "f=[[c[i + j] - c_[i + j] for j",
    }, fails="cost", refuted=True),
    wrong("blocks with a common end", "the first answer of a block is in the block before, too", {
        "range(len(c) // b)": "range((len(c) - 1) // b)",
        "nodes = len(c) // b": "nodes = (len(c) - 1) // b",
        "c[b * i + j] for j in range(b)) + e": "c[b * i + j] for j in range(b + 1)) + e",
        "e=[sum(c[b * i + j] - c_[b * i + j] for j in range(b)":
            "e=[sum(c[b * i + j] - c_[b * i + j] for j in range(b + 1)",
    }, fails="cost", refuted=True),
    wrong("at half", "half of what it costs", {'epsilon="eps"': 'epsilon="eps / 2"'}, fails="cost", refuted=True),
    wrong("a third level for nothing", "the sum is told a second time", {
        "yield size": "yield size\ng = noise.laplace(2 / eps)\nyield size - e + g",
        "f=[[": "g=[sum(c[b * i + j] - c_[b * i + j] for j in range(b)) for i in range(nodes)],\nf=[[",
    }, fails="cost", refuted=True),
    wrong("the noise of the parent again", "the children are told but for one noise", {
        "yield c[b * i + j] + f": "yield c[b * i + j] + e",
    }, fails="same_output", refuted=True),
    wrong("the children of the next node", "the shifts are those of other answers", {
        "f=[[c[b * i + j] - c_[b * i + j] for j in range(b)]": "f=[[c[b * i] - c_[b * i] for j in range(b)]",
    }, fails="same_output"),
    wrong("each answer may change (tree)", "every child changes", {'adjacency="one"': 'adjacency="each"'}, fails="cost",
          refuted=True),
    wrong("where a child is large", "a private condition inside the inner loop", {
        "yield c[b * i + j] + f": "if c[b * i + j] >= T:\n    yield c[b * i + j] + f",
    }, fails="same_output", refuted=True),
)

# Draws of a counted loop inside a loop

table.base(
    """
    @mechanism
    def threes(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        for i in range(len(q) // 3):
            for j in range(3):
                f = noise.laplace(1 / eps)
                yield q[3 * i + j] + f

    @alignment(threes, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(f=[[q[3 * i + j] - q_[3 * i + j] for j in range(3)] for i in range(len(q) // 3)])
    """,
    right("three draws an iteration", "each is moved by its own answer", checked=True),
    right("of a list", "the same by the items of a list", {
        "for j in range(3):": "for j in [0, 1, 2]:",
    }),
    right("six draws an iteration", "two loops, one inside the other", {
        "for j in range(3):\n    f = noise.laplace(1 / eps)\n    yield q[3 * i + j] + f":
            "for j in range(3):\n    for r in range(2):\n        f = noise.laplace(2 / eps)\n"
            "        yield q[3 * i + j] + f",
        "q_[3 * i + j] for j": "q_[3 * i + j] for r in range(2)] for j", "f=[[q": "f=[[[q",
    }),
    wrong("one answer for all", "three draws pay for one answer", {
        "yield q[3 * i + j] + f": "yield q[3 * i] + f",
        "[[q[3 * i + j] - q_[3 * i + j] for": "[[q[3 * i] - q_[3 * i] for",
    }, fails="cost", refuted=True),
    wrong("the shift of another draw", "the draws are moved in another order", {
        "[[q[3 * i + j] - q_[3 * i + j] for": "[[q[3 * i + 2 - j] - q_[3 * i + 2 - j] for",
    }, fails="same_output"),
    wrong("the shift of another iteration", "the lists are taken in the opposite order", {
        "[[q[3 * i + j] - q_[3 * i + j] for": "[[q[len(q) - 1 - 3 * i - j] - q_[len(q) - 1 - 3 * i - j] for",
    }, fails="same_output"),
    wrong("too few shifts", "the third draw has none", {"for j in range(3)] for": "for j in range(2)] for"}),
    wrong("noise that is told", "the noise is told beside the answer", {"yield q": "yield f\nyield q"},
          fails="same_output", refuted=True),
    wrong("noise that returns", "two answers with one noise", {
        "yield q[3 * i + j] + f": "yield q[3 * i + j] + f\nyield q[3 * i] + f",
    }, fails="same_output", refuted=True),
    wrong("drawn where an answer is large", "whether something is told depends on an answer", {
        "f = noise": "if q[3 * i + j] < T:\n    break\nf = noise",
    }, fails="same_output", refuted=True),
    wrong("at half (tree)", "half of what it costs",
          {'epsilon="eps"': 'epsilon="eps / 2"'}, fails="cost", refuted=True),
    wrong("a fourth answer", "the first answer of the next three is told too", {
        "range(len(q) // 3):\n    for j in range(3):": "range((len(q) - 1) // 3):\n    for j in range(4):",
        "for j in range(3)] for i in range(len(q) // 3)": "for j in range(4)] for i in range((len(q) - 1) // 3)",
    }, fails="cost"),
    wrong("a scale that an answer decides", "the scale differs on D'", {
        "noise.laplace(1 / eps)": "noise.laplace((2 if q[0] > T else 1) / eps)",
    }, refuted=True),
    wrong("what is moved reads the draws", "the alignment reads noise of nested loops", {
        "[[q[3 * i + j] - q_[3 * i + j] for": "[[q[3 * i + j] - q_[3 * i + j] + 0 * H.f[i][2 - j] for",
    }),
)

# What a loop of the alignment keeps once it is over, and totals of groups

table.base(
    """
    @mechanism
    def groups(q: Queries, T: Real, a: Epsilon, b: Epsilon, noise: Noise):
        rho = noise.laplace(1)
        small = 0
        large = 0
        for q_i in q:
            e = noise.laplace(1 / a)
            if q_i + e < T:
                small += q_i
                yield BELOW
            else:
                large += q_i
                yield ABOVE
        f = noise.laplace(1 / b)
        g = noise.laplace(1 / b)
        yield small + f
        yield large + g

    @alignment(groups, epsilon="a + b", adjacency="one")
    def phi(q, q_, omega, H):
        less = 0
        more = 0
        for i in range(len(q)):
            less += q[i] - q_[i] if omega[i] is BELOW else 0
            more += q[i] - q_[i] if omega[i] is ABOVE else 0
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))], f=less, g=more)
    """,
    right("two groups", "one answer changes one total", checked=True),
    right("under l1", "the changes of both come to one", {'adjacency="one"': 'adjacency="l1"'}),
    right("one group", "the other is not told", {"yield large + g": "yield ABOVE", ", g=more": ""}),
    right("both in one", "the sum of both totals",
          {"yield small + f": "yield small + large + f", "f=less": "f=less + more",
          "yield large + g": "yield ABOVE", ", g=more": ""}),
    right("in a list", "a list of draws after the loop", {
        "f = noise.laplace(1 / b)": "f = [noise.laplace(k / b) for r in range(k)]", "T: Real,": "T: Real, k: Count,",
        "yield small + f": "yield [small + f_r for f_r in f]", "q_, omega": "q_, k, omega",
        "f=less, g=more": "f=[less for r in range(k)], g=0", "yield large + g": "yield ABOVE",
    }),
    wrong("groups without noise", "who is in which group is told", {"q_i + e < T": "q_i < T"}, fails="same_output",
          refuted=True),
    wrong("half the noise", "a total costs twice as much",
          {"f = noise.laplace(1 / b)": "f = noise.laplace(1 / (2 * b))"},
          fails="cost", refuted=True),
    wrong("in both totals", "an answer changes both", {
        "large += q_i": "large += q_i\nsmall += q_i",
        "less += q[i] - q_[i] if omega[i] is BELOW else 0": "less += q[i] - q_[i]",
    }, fails="cost", refuted=True),
    wrong("added twice", "a total changes by two", {
        "small += q_i": "small += 2 * q_i", "less += q[i] - q_[i] if": "less += 2 * (q[i] - q_[i]) if",
    }, fails="cost", refuted=True),
    wrong("squares", "a square changes without bound", {
        "small += q_i": "small += q_i * q_i", "less += q[i] - q_[i] if": "less += q[i] * q[i] - q_[i] * q_[i] if",
    }, fails="cost", refuted=True),
    wrong("each answer may change (threes)", "all totals change by n",
          {'adjacency="one"': 'adjacency="each"'}, fails="cost",
          refuted=True),
    wrong("a total that is told", "a total without noise", {"yield large + g": "yield large"}, fails="same_output",
          refuted=True),
    wrong("the other total", "the shifts are those of the other draws", {"f=less, g=more": "f=more, g=less"},
          fails="same_output"),
    wrong("other groups", "what is kept is of other iterations", {
        "less += q[i] - q_[i] if omega[i] is BELOW": "less += q[i] - q_[i] if omega[len(q) - 1 - i] is BELOW",
    }),
    wrong("noise of the loop by what is kept in the end", "iterations move by what later ones decide", {
        "e=[q[i] - q_[i] for": "e=[q[i] - q_[i] + clamp(less, 0, 0) for",
    }, fails="one_to_one"),
    wrong("noise from before by what is kept in the end", "it comes before all that decides its shift", {
        "f=less": "rho=clamp(less, 0, 0), f=less",
    }, fails="one_to_one"),
    wrong("a branch by what is kept in the end", "all shifts read the branch", {
        "return H": "if less > 5:\n    less = less + 0\nreturn H",
    }),
    wrong("the number of answers by what is kept in the end", "an index that later iterations decide", {
        "f=less": "f=less + 0 * q[0 if less > 5 else len(q) - 1]",
    }),
    wrong("one iteration too few", "the last answer is left out",
          {"for i in range(len(q)):": "for i in range(len(q) - 1):"}),
    wrong("kept of no variable", "what is kept is no number of the mechanism", {
        "less += q[i] - q_[i] if omega[i] is BELOW else 0": "less += (q[i] - q_[i]) / 2 if omega[i] is BELOW else 0",
        "f=less": "f=2 * less",
    }),
)

# A loop that keeps True and False

table.base(
    """
    @mechanism
    def after_first(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        eta = noise.laplace(2 / eps)
        seen = False
        for q_i in q:
            if seen:
                yield BELOW
            else:
                eta_i = noise.laplace(4 / eps)
                if q_i + eta_i >= T + eta:
                    yield ABOVE
                    seen = True
                else:
                    yield BELOW

    @alignment(after_first, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
    """,
    right("nothing after the first", "after the first one nothing is tested any more", checked=True),
    right("by a condition", "the flag is the condition itself", {
        "if q_i + eta_i >= T + eta:\n    yield ABOVE\n    seen = True":
            "seen = q_i + eta_i >= T + eta\nif seen:\n    yield ABOVE",
    }),
    right("turned over", "a flag that says the opposite", {"seen = False": "going = True", "if seen:": "if not going:",
          "seen = True": "going = False"}),
    right("told after the loop", "whether there was one shows anyway", {
        "@alignment(after_first, epsilon=\"eps\")\ndef phi(q, q_, omega, H):":
            "@alignment(after_first, epsilon=\"eps\")\ndef phi(q, q_, omega, H):\n    n = len(q)",
    }),
    wrong("never set", "every winner is under one threshold", {"seen = True": "seen = False"}, fails="cost",
          refuted=True),
    wrong("set again at once", "every other answer may win", {"if seen:\n    yield BELOW":
          "if seen:\n    yield BELOW\n    seen = False"}, fails="cost", refuted=True),
    wrong("set where it is set", "it never becomes true", {"seen = True": "seen = seen and T > 0"}, fails="cost",
          refuted=True),
    wrong("begins by an answer", "an answer decides whether anything is tested", {"seen = False": "seen = q[0] >= T"},
          refuted=True),
    wrong("set by an answer", "an answer without noise ends the tests", {"seen = True": "seen = q_i >= T"}),
    wrong("set by all answers", "an answer without noise ends the tests", {
        "if seen:\n    yield BELOW": "seen = seen or q_i >= T + 1\nif seen:\n    yield BELOW",
    }, refuted=True),
    wrong("told at the end", "whether an answer is large is told without noise", {
        "seen = False": "seen = False\nlarge = False", "for q_i in q:": "for q_i in q:\n    large = large or q_i >= T",
        "@alignment(after": "    if large:\n        yield ABOVE\n\n@alignment(after",
    }, refuted=True),
)

table.base(
    """
    @mechanism
    def taken_once(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        taken = [False for q_i in q]
        for r in range(k):
            e = [noise.exponential(2 * k / eps) for q_i in q]
            (best,) = largest([(0 if taken[i] else q[i]) + e[i] for i in range(len(q))], 1)
            taken = [taken[i] or i == best for i in range(len(q))]
            yield best

    @alignment(taken_once, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(e=[[2 if i == best else 0 for i in range(len(q))] for best in omega])
    """,
    right("each is taken once", "which are taken shows in the outputs before", checked=True),
    right("the others", "a list that says the opposite", {
        "taken = [False for q_i in q]": "free = [True for q_i in q]",
        "(0 if taken[i] else q[i])": "(q[i] if free[i] else 0)",
        "taken = [taken[i] or i == best": "free = [free[i] and i != best",
    }),
    wrong("taken by an answer", "which are taken depends on the answers", {"or i == best": "or q[i] >= T"}),
    wrong("taken from the start by an answer", "large answers are left out",
          {"[False for q_i in q]": "[q_i >= T for q_i in q]"},
          refuted=True),
    wrong("taken by what is hidden", "the best answer without noise is left out", {
        "taken = [taken[i] or i == best": "(own,) = largest([q_i for q_i in q], 1)\ntaken = [taken[i] or i == own",
    }, refuted=True),
    wrong("half the noise for each", "k rounds cost 2 * eps", {"2 * k / eps": "k / eps"}, fails="cost", refuted=True),
    wrong("a shorter list", "the last answer has no mark any more", {
        "or i == best for i in range(len(q))": "or i == best for i in range(len(q) - 1)",
    }),
    wrong("twice the free ones", "those that are free change by two",
          {"else q[i])": "else 2 * q[i])"}, fails="same_output",
          refuted=True),
    wrong("taken if it is large", "whether it is taken depends on its answer", {
        "or i == best": "or (i == best and q[i] >= T)",
    }),
    wrong("told by a marked answer", "the output names the first where that is taken and large", {
        "yield best": "yield 0 if taken[0] and q[0] >= T else best",
    }, refuted=True),
)

# A selection that an earlier one guides

table.base(
    """
    def middle(q, t):
        return -abs(sum(1 for x in q if x <= t) - len(q) / 2)

    def middle_below(q, t, m):
        return -abs(sum(1 for x in q if x <= min(t, m)) - sum(1 for x in q if x <= m) / 2)

    @mechanism
    def quartiles(q: Queries, grid: Reals, eps: Epsilon, noise: Noise):
        g = [noise.gumbel(4 / eps) for t in grid]
        (median,) = largest([middle(q, t) + g_t for t, g_t in zip(grid, g)], 1)
        m = grid[median]
        h = [noise.gumbel(4 / eps) for t in grid]
        (lower,) = largest([middle_below(q, t, m) + h_t for t, h_t in zip(grid, h)], 1)
        return lower, median

    @alignment(quartiles, epsilon="eps", adjacency="one")
    def phi(q, q_, grid, omega, H):
        lower, median = omega
        m = grid[median]
        return H.shift(
            g=[1 + middle(q, t) - middle(q_, t) if i == median else 0 for i, t in enumerate(grid)],
            h=[1 + middle_below(q, t, m) - middle_below(q_, t, m) if i == lower else 0 for i, t in enumerate(grid)],
        )
    """,
    right("the later one first", "the output names the selection before the one that guides it"),
    right("the earlier one first", "in the order of the program", {"return lower, median": "return median, lower",
          "lower, median = omega": "median, lower = omega"}),
    wrong("half the noise (tree)", "the second selection costs eps",
          {"h = [noise.gumbel(4 / eps)": "h = [noise.gumbel(2 / eps)"},
          fails="cost"),
    wrong("guided by an answer", "where the grid is cut is decided without noise", {
        "m = grid[median]\nh": "m = q[0]\nh",
    }, fails="same_output"),
    wrong("guided by the median itself", "the cut is the median without noise", {
        "m = grid[median]\nh": "(exact,) = largest([middle(q, t) for t in grid], 1)\nm = grid[exact]\nh",
    }, fails="same_output"),
    wrong("with the noise of the first", "both selections are made by one noise", {"zip(grid, h)": "zip(grid, g)"},
          fails="same_output"),
    wrong("told by the first alone", "the second is told without noise", {"+ h_t for": "+ 0 * h_t for"},
          fails="same_output", refuted=True),
    wrong("shifts of the other winner", "the winner of the first selection moves in the second", {
        "if i == lower else": "if i == median else",
    }, fails="same_output"),
    wrong("cut elsewhere", "the shifts are those of another cut",
          {"m = grid[median]\nreturn": "m = grid[lower]\nreturn"},
          fails="same_output"),
    wrong("no step ahead", "the winner may fall behind",
          {"h=[1 + middle_below": "h=[middle_below"}, fails="same_output"),
    wrong("at half (threes)", "half of what it costs", {'epsilon="eps"': 'epsilon="eps / 2"'}, fails="cost"),
    wrong("each answer may change (groups)", "all counts change by n", {'adjacency="one"': 'adjacency="each"'}),
    wrong("the cut is told as it is", "the number of answers below the cut is told", {
        "return lower, median": "return lower, median, sum(1 for x in q if x <= m)", "lower, median = omega":
            "lower, median, below = omega",
    }, fails="same_output", refuted=True),
)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)
