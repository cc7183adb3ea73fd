"""Rules 18, 41 and 42 where one change is paid for by several draws: rates that are read off, and what they rest on.

A sum whose items are cut off moves from one end to the other; answers on a lattice that differ lie a step of it apart;
a number that the alignment keeps is still to be paid for when it is released; and the items of a sum may read a list of
the loop's state, which is the same on both runs. Each wrong program breaks one of these.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table(
    """
    from typing import Annotated

    JOINED = Tag("JOINED")
    TAKEN = Tag("TAKEN")
    SKIPPED = Tag("SKIPPED")

    Wide = Annotated[Queries, Sensitivity("delta")]
    Whole = Annotated[Queries, Sensitivity("k"), Lattice(1)]

    def size(q, m):
        return sum(1 for x in q if x < m)

    def below(q, m):
        return sum(clamp(x, 0, 1) for x in q if x < m)

    def above(q, m):
        return sum(clamp(x, 0, 1) for x in q if x >= m)
    """
)


# Items that are cut off, in groups that a released number tells apart

table.base(
    """
    @mechanism
    def two_sums(q: Wide, start: Real, rounds: Count, delta: Positive, eps: Epsilon, noise: Noise):
        m = start
        for t in range(rounds):
            e = noise.laplace(3 * rounds / eps)
            f = noise.laplace(3 * rounds / eps)
            g = noise.laplace(3 * rounds / eps)
            n = size(q, m) + e
            low = below(q, m) + f
            high = above(q, m) + g
            m = clamp((low + high) / n, 0, 1) if n > 1 else m
            yield m

    @alignment(two_sums, epsilon="eps", adjacency="one")
    def phi(q, q_, start, omega, H):
        m = start
        e = []
        f = []
        g = []
        for t in range(len(omega)):
            e = [*e, size(q, m) - size(q_, m)]
            f = [*f, below(q, m) - below(q_, m)]
            g = [*g, above(q, m) - above(q_, m)]
            m = omega[t]
        return H.shift(e=e, f=f, g=g)
    """,
    right("groups", "each of the three changes by at most 1", checked=True),
    right(
        "noise_of_one", "each is paid for",
        {
            "e = noise.laplace(3 * rounds / eps)": "e = noise.laplace(1 / eps)",
            "f = noise.laplace(3 * rounds / eps)": "f = noise.laplace(1 / eps)",
            "g = noise.laplace(3 * rounds / eps)": "g = noise.laplace(1 / eps)",
            'epsilon="eps"': 'epsilon="3 * rounds * eps"',
        },
    ),
    wrong(
        "two_thirds", "a change may move a point from one group to the other, and the count",
        {"g = noise.laplace(3 * rounds / eps)": "g = noise.laplace(rounds / eps)"}, fails="cost", refuted=True,
    ),
    wrong("half_paid", "each changes by up to 1", {'"eps"': '"eps / 2"'}, fails="cost"),
    wrong("all_points", "all points may change", {'"one"': '"each"'}, fails="cost"),
    wrong("two_points", "two points may change", {'"one"': '"few(2)"'}, fails="cost"),
    wrong("small_moves", "many points may cross m", {'"one"': '"l1"'}, fails="cost"),
    wrong("one_round_paid", "each round is paid for",
          {"e = noise.laplace(3 * rounds / eps)": "e = noise.laplace(3 / eps)"},
          fails="cost"),
    wrong(
        "other_middle", "D' sums up to another number",
        {"g = [*g, above(q, m) - above(q_, m)]": "g = [*g, above(q, m) - above(q_, m + 1)]"}, fails="same_output",
    ),
    wrong(
        "private_middle", "which points are below is private",
        {"m = clamp((low + high) / n, 0, 1) if n > 1 else m": "m = below(q, m) / 2"}, fails="same_output",
    ),
    wrong(
        "first_point", "the first middle is a point",
        {"m = start\nfor t in range(rounds)": "m = q[0]\nfor t in range(rounds)"}, fails="same_output",
    ),
    wrong(
        "not_cut_off", "a point may change by delta",
        {"low = below(q, m) + f": "low = sum(x for x in q if x < m) + f",
         "below(q, m) - below(q_, m)]": "sum(x for x in q if x < m) - sum(x for x in q_ if x < m)]"},
        fails="cost",
    ),
    right(
        "wider", "an item that stays below changes by 2 and no other sum; one that crosses m changes each by 1 at most",
        {"low = below(q, m) + f": "low = sum(clamp(x, -1, 1) for x in q if x < m) + f",
         "below(q, m) - below(q_, m)]": (
             "sum(clamp(x, -1, 1) for x in q if x < m) - sum(clamp(x, -1, 1) for x in q_ if x < m)]")},
    ),
    wrong(
        "much_wider", "an item that stays below may change by 4",
        {"low = below(q, m) + f": "low = sum(clamp(x, -2, 2) for x in q if x < m) + f",
         "below(q, m) - below(q_, m)]": (
             "sum(clamp(x, -2, 2) for x in q if x < m) - sum(clamp(x, -2, 2) for x in q_ if x < m)]")},
        fails="cost",
    ),
    wrong(
        "cut_off_below", "an item may be as large as it likes",
        {"low = below(q, m) + f": "low = sum(max(x, 0) for x in q if x < m) + f",
         "below(q, m) - below(q_, m)]": "sum(max(x, 0) for x in q if x < m) - sum(max(x, 0) for x in q_ if x < m)]"},
        fails="cost",
    ),
    wrong(
        "twice", "an item counts twice",
        {"low = below(q, m) + f": "low = 2 * below(q, m) + f",
         "below(q, m) - below(q_, m)]": "2 * below(q, m) - 2 * below(q_, m)]"}, fails="cost",
    ),
)

table.base(
    """
    @mechanism
    def cut_sums(q: Wide, T: Reals, B: Positive, delta: Positive, eps: Epsilon, noise: Noise):
        for t in T:
            e = noise.laplace(len(T) * B / eps)
            yield sum(clamp(x, 0, B) for x in q if x <= t) + e

    @alignment(cut_sums, epsilon="eps", adjacency="one")
    def phi(q, q_, T, B, H):
        return H.shift(e=[
            sum(clamp(x, 0, B) for x in q if x <= t) - sum(clamp(x, 0, B) for x in q_ if x <= t) for t in T
        ])
    """,
    right("public_end", "an item lies between 0 and B"),
    right("changes_far", "delta may be far more than B", {"Wide": "Queries"}),
    wrong("end_not_paid", "B may be large", {"len(T) * B / eps": "len(T) / eps"}, fails="cost", refuted=True),
    wrong("delta_for_b", "delta may be less than B, and an item jumps at t",
          {"len(T) * B / eps": "len(T) * delta / eps"},
          fails="cost"),
)


table.base(
    """
    @mechanism
    def perceptron(q: Wide, k: Count, delta: Positive, eps: Epsilon, noise: Noise):
        w = 0
        for t in range(k):
            e = noise.laplace(2 * k / eps)
            w = w + (sum(clamp(x, -1, 1) for x in q if w * x <= 0) + e) / len(q)
            yield w

    @alignment(perceptron, epsilon="eps", adjacency="one")
    def phi(q, q_, k, H):
        w = 0
        e = []
        for t in range(k):
            before = sum(clamp(x, -1, 1) for x in q if w * x <= 0)
            e = [*e, before - sum(clamp(x, -1, 1) for x in q_ if w * x <= 0)]
            w = w + (before + H.e[t]) / len(q)
        return H.shift(e=e)
    """,
    right("lesser_of_both", "a row changes the sum by at most 2, and by at most delta"),
    right("paid_by_change", "a row changes the sum by at most delta", {"2 * k / eps": "delta * k / eps"}),
    wrong("neither", "2 and delta may be more than 1", {"2 * k / eps": "k / eps"}, fails="cost", refuted=True),
    wrong("other_weight", "D' is held against another weight",
          {"q_ if w * x": "q_ if (w + 1) * x"}, fails="same_output"),
)

table.base(
    """
    @mechanism
    def cut_alike(q: Queries, k: Count, B: Positive, eps: Epsilon, noise: Noise):
        for t in range(k):
            e = noise.laplace(k / eps)
            yield sum(clamp(x, 0, B) for x in q) + e

    @alignment(cut_alike, epsilon="eps", adjacency="one")
    def phi(q, q_, k, B, H):
        return H.shift(e=[sum(clamp(x, 0, B) for x in q) - sum(clamp(x, 0, B) for x in q_) for t in range(k)])
    """,
    right("by_change", "an item changes by no more than its answer, however large B is"),
    right("by_both_ends", "an item changes by at most B, too", {"k / eps": "k * B / eps"}),
    wrong("less_than_both", "B may be above 1/2", {"k / eps": "k / (2 * eps)"}, fails="cost", refuted=True),
    wrong("jumps", "where an item ceases to count it changes by B", {"yield sum(clamp(x, 0, B) for x in q) + e":
          "yield sum(clamp(x, 0, B) for x in q if x < 3) + e",
          "sum(clamp(x, 0, B) for x in q) -": "sum(clamp(x, 0, B) for x in q if x < 3) -",
          "sum(clamp(x, 0, B) for x in q_)": "sum(clamp(x, 0, B) for x in q_ if x < 3)"}, fails="cost", refuted=True),
)


# Lattices: answers that differ lie a step apart

table.base(
    """
    @mechanism
    def flipped(c: Whole, k: Positive, eps: Epsilon, noise: Noise):
        bits = [1 if x > 0 else 0 for x in c]
        flip = [noise.choice([exp(eps / k), 1]) for x in c]
        return [bit if f == 0 else 1 - bit for bit, f in zip(bits, flip)]

    @alignment(flipped, epsilon="eps", adjacency="l1")
    def phi(c, c_, H):
        bits = [1 if x > 0 else 0 for x in c]
        bits_ = [1 if x > 0 else 0 for x in c_]
        return H.shift(flip=[1 - 2 * H.flip[i] if bits[i] != bits_[i] else 0 for i in range(len(c))])
    """,
    right("bits", "at most k bits change", checked=True),
    right("own_claim", "each bit costs eps", {"exp(eps / k)": "exp(eps)", 'epsilon="eps"': 'epsilon="k * eps"'}),
    right("fewer", "few(3) counts bits", {"exp(eps / k)": "exp(eps / 3)", '"l1"': '"few(3)"'}),
    wrong("any_numbers", "tiny changes change all bits", {"c: Whole": "c: Annotated[Queries, Sensitivity('k')]"},
          fails="cost", refuted=True),
    wrong("half_steps", "2 k bits may change", {"c: Whole": "c: Annotated[Queries, Sensitivity('k'), Lattice(1 / 2)]"},
          fails="cost", refuted=True),
    wrong("one_bit_paid", "k bits may change", {"exp(eps / k)": "exp(eps)"}, fails="cost"),
    wrong("half_claim", "k bits change", {'"eps"': '"eps / 2"'}, fails="cost"),
    wrong("all_counts", "all counts change", {'"l1"': '"each"'}, fails="cost"),
    wrong("all_rise", "all counts rise", {'"l1"': '"monotone"'}, fails="cost"),
    wrong("two_counts", "two counts change, but k may be 1", {"exp(eps / k)": "exp(eps / k)", '"l1"': '"few(2)"'},
          fails="cost"),
    wrong("shown_plain", "the bits are put out, too",
          {"zip(bits, flip)]": "zip(bits, flip)], bits"}, fails="same_output"),
    wrong("always_flipped", "no flip becomes one, and one stays", {"1 - 2 * H.flip[i] if": "1 if"}),
    wrong(
        "other_threshold", "other bits change",
        {"bits = [1 if x > 0 else 0 for x in c]\nbits_": "bits = [1 if x > 1 else 0 for x in c]\nbits_"},
        fails="same_output",
    ),
    wrong("not_equal", "the bits of one that change are not those",
          {"1 if x > 0 else 0 for x in c_]": "1 if x > 1 else 0 for x in c_]"},
          fails="same_output"),
)

table.base(
    """
    @mechanism
    def distinct(c: Whole, k: Positive, eps: Epsilon, noise: Noise):
        e = noise.laplace(k / eps)
        return sum(1 for x in c if x > 0) + e

    @alignment(distinct, epsilon="eps", adjacency="l1")
    def phi(c, c_, H):
        return H.shift(e=sum(1 for x in c if x > 0) - sum(1 for x in c_ if x > 0))
    """,
    right("support", "at most k items become or cease to be 0", checked=True),
    right("steps", "each jump is a step of its own", {"Whole": "Annotated[Queries, Sensitivity('k'), Lattice(2)]"}),
    right(
        "half_steps_paid", "twice as many items", {
            "Whole": "Annotated[Queries, Sensitivity('k'), Lattice(1 / 2)]", "k / eps": "2 * k / eps"}),
    wrong("reals", "many tiny changes", {"Whole": "Annotated[Queries, Sensitivity('k')]"}, fails="cost", refuted=True),
    wrong("finer", "two items for each 1", {"Whole": "Annotated[Queries, Sensitivity('k'), Lattice(1 / 2)]"},
          fails="cost"),
    wrong("k_not_paid", "k items change", {"k / eps": "1 / eps"}, fails="cost", refuted=True),
    wrong("each_count", "all items change", {'"l1"': '"each"'}, fails="cost"),
    wrong("halved", "k items change", {'"eps"': '"eps / 2"'}, fails="cost"),
    wrong(
        "worth_two", "an item is worth 2",
        {"return sum(1 for": "return sum(2 for", "e=sum(1 for": "e=sum(2 for", "- sum(1 for": "- sum(2 for"},
        fails="cost",
    ),
    wrong(
        "signs", "an item may change from -1 to 1 in two steps, but from 0 to 5 in one",
        {"return sum(1 for x in c if x > 0)": "return sum(5 if x > 0 else -1 for x in c)",
         "e=sum(1 for x in c if x > 0)": "e=sum(5 if x > 0 else -1 for x in c)",
         "- sum(1 for x in c_ if x > 0)": "- sum(5 if x > 0 else -1 for x in c_)"},
        fails="cost", refuted=True,
    ),
)

table.base(
    """
    @mechanism
    def presence(c: Whole, d: Whole, k: Positive, eps: Epsilon, noise: Noise):
        for x, y in zip(c, d):
            e = noise.laplace(k / eps)
            f = noise.laplace(k / eps)
            yield (1 if x > 0 else 0) + e, (1 if y > 3 else 0) + f

    @alignment(presence, epsilon="eps", adjacency="l1")
    def phi(c, c_, d, d_, H):
        return H.shift(
            e=[(1 if x > 0 else 0) - (1 if x_ > 0 else 0) for x, x_, y in zip(c, c_, d)],
            f=[(1 if y > 3 else 0) - (1 if y_ > 3 else 0) for x, y, y_ in zip(c, d, d_)],
        )
    """,
    right("two_lists", "both lists share k"),
    wrong("one_of_reals", "tiny changes of d", {"d: Whole": "d: Annotated[Queries, Sensitivity('k')]"}, fails="cost"),
    wrong(
        "both_of_c", "one change shows in both",
        {"(1 if y > 3 else 0) + f": "(1 if x > 0 else 0) + f",
         "f=[(1 if y > 3 else 0) - (1 if y_ > 3 else 0) for x, y, y_ in zip(c, d, d_)]":
         "f=[(1 if x > 0 else 0) - (1 if x_ > 0 else 0) for x, x_, y in zip(c, c_, d)]"}, fails="cost",
    ),
    wrong("one_paid", "k bits of d", {"f = noise.laplace(k / eps)": "f = noise.laplace(1 / eps)"}, fails="cost"),
)


# What is kept until it is released

table.base(
    """
    @mechanism
    def blocks(q: Queries, T: Real, alpha: Proportion, eps: Epsilon, noise: Noise):
        block: float = 0
        for q_i in q:
            e = noise.laplace(1 / (alpha * eps))
            block += q_i
            if q_i + e > T:
                f = noise.laplace(1 / ((1 - alpha) * eps))
                yield block + f
                block = 0
            else:
                yield JOINED

    @alignment(blocks, epsilon="eps", adjacency="one")
    def phi(q, q_, omega, H):
        lost = 0
        f = []
        for i in range(len(omega)):
            lost += q[i] - q_[i]
            f = [*f, 0 if omega[i] is JOINED else lost]
            lost = lost if omega[i] is JOINED else 0
        return H.shift(e=[q[i] - q_[i] for i in range(len(omega))], f=f)
    """,
    right("told_by_noise", "each change shows once alone, and once in its block", checked=True),
    right("sums_of_changes", "so do changes that add up to 1", {'"one"': '"l1"'}),
    right("two_changes", "each of two is paid for", {'"one"': '"few(2)"', 'epsilon="eps"': 'epsilon="2 * eps"'}),
    right("other_part", "the parts are exchanged", {"1 / (alpha * eps)": "1 / ((1 - alpha) * eps)",
          "f = noise.laplace(1 / ((1 - alpha) * eps))": "f = noise.laplace(1 / (alpha * eps))"}),
    right("doubled", "an answer counts twice", {"block += q_i": "block += 2 * q_i", "lost += q[i] - q_[i]":
          "lost += 2 * q[i] - 2 * q_[i]", "1 / ((1 - alpha) * eps)": "2 / ((1 - alpha) * eps)"}),
    wrong("both_whole", "both parts are paid for", {"1 / ((1 - alpha) * eps)": "1 / eps"}, fails="cost"),
    wrong("twice_alpha", "1 - alpha may be less than alpha",
          {"1 / (alpha * eps)": "1 / (2 * alpha * eps)"}, fails="cost"),
    wrong("half", "each change is paid for", {'"eps"': '"eps / 2"'}, fails="cost"),
    wrong("two", "two changes", {'"one"': '"few(2)"'}, fails="cost"),
    wrong("every", "all change", {'"one"': '"each"'}, fails="cost"),
    wrong("never_anew", "a total is paid for each time it is released",
          {"block = 0": "block = block", "lost = lost if omega[i] is JOINED else 0": "lost = lost"},
          fails="cost", refuted=True),
    wrong("keeps_last", "the last answer of a block is released with the next, too",
          {"block = 0": "block = q_i",
           "lost = lost if omega[i] is JOINED else 0": "lost = lost if omega[i] is JOINED else q[i] - q_[i]"},
          fails="cost"),
    wrong("weighed", "an answer counts twice", {"block += q_i": "block += 2 * q_i", "lost += q[i] - q_[i]":
          "lost += 2 * q[i] - 2 * q_[i]"}, fails="cost", refuted=True),
    wrong("grows", "what is kept grows", {"block += q_i": "block = 2 * block + q_i", "lost += q[i] - q_[i]":
          "lost = 2 * lost + q[i] - q_[i]"}, fails="cost"),
    wrong("only_phi_anew", "D keeps its block", {"block = 0": "block = block"},
          fails="same_output"),
    wrong("only_d_anew", "the alignment keeps what is over",
          {"lost = lost if omega[i] is JOINED else 0": "lost = lost"},
          fails="same_output"),
    wrong("told_by_answer", "where a block ends is private", {"if q_i + e > T": "if q_i > T"}, fails="same_output"),
    wrong("begins_private", "a block begins with an answer", {"block: float = 0": "block: float = q[0]"},
          fails="same_output"),
    wrong("shown_on_the_way", "a block is released as it grows",
          {"yield JOINED": "g = noise.laplace(1 / ((1 - alpha) * eps))\nyield JOINED, block + g"}),
)

table.base(
    """
    @mechanism
    def two_blocks(q: Queries, r: Queries, T: Real, eps: Epsilon, noise: Noise):
        a: float = 0
        b: float = 0
        for i, q_i in enumerate(q):
            a += q_i
            b += r[i]
            t = noise.laplace(1)
            if t > T:
                e = noise.laplace(1 / eps)
                f = noise.laplace(1 / eps)
                yield a + e, b + f
                a = 0
                b = 0
            else:
                yield JOINED

    @alignment(two_blocks, epsilon="eps", adjacency="one")
    def phi(q, q_, r, r_, omega, H):
        a = 0
        b = 0
        e = []
        f = []
        for i in range(len(omega)):
            a += q[i] - q_[i]
            b += r[i] - r_[i]
            e = [*e, 0 if omega[i] is JOINED else a]
            f = [*f, 0 if omega[i] is JOINED else b]
            a = a if omega[i] is JOINED else 0
            b = b if omega[i] is JOINED else 0
        return H.shift(e=e, f=f)
    """,
    right("of_two_lists", "one change is in one of the two blocks"),
    right("of_small_changes", "together they are at most 1", {'"one"': '"l1"'}),
    wrong("one_of_two", "the other list is paid for, too",
          {"f = noise.laplace(1 / eps)": "f = noise.laplace(1 / (2 * eps))"},
          fails="cost"),
    wrong("same_list_twice", "one change is in both blocks",
          {"b += r[i]\n": "b += q_i\n", "b += r[i] - r_[i]": "b += q[i] - q_[i]"}, fails="cost", refuted=True),
    wrong("one_stays", "the other block is never over",
          {"yield a + e, b + f\na = 0\nb = 0": "yield a + e, b + f\na = 0\nb = b",
           "b = b if omega[i] is JOINED else 0": "b = b"},
          fails="cost"),
    wrong("crossed", "each block has the noise of the other", {"e=e, f=f": "e=f, f=e"}, fails="same_output"),
)


# Lists of a loop's state that the items of a sum read

table.base(
    """
    @mechanism
    def peeled(q: Queries, covers: Reals, rules: Count, tau: Real, eps: Epsilon, noise: Noise):
        left = [1 for x in q]
        for i in range(rules):
            e = noise.laplace(rules / eps)
            gained = sum(x for j, x in enumerate(q) if left[j] > 0 and covers[i * len(q) + j] > 0) + e
            if gained >= tau:
                yield TAKEN
                left = [0 if covers[i * len(q) + j] > 0 else y for j, y in enumerate(left)]
            else:
                yield SKIPPED

    @alignment(peeled, epsilon="eps", adjacency="one")
    def phi(omega, H):
        return H.shift(e=[1 if w is TAKEN else -1 for w in omega])
    """,
    right("rules", "a sum of what is left changes by at most 1", checked=True),
    right("small_sums", "so does it by changes that add up to 1", {'"one"': '"l1"'}),
    right("three_changes", "each of three is paid for",
          {'"one"': '"few(3)"', "rules / eps": "3 * rules / eps", "1 if w is TAKEN else -1":
           "3 if w is TAKEN else -3"}),
    right("all_of_them", "n changes are paid for",
          {'"one"': '"each"', "rules / eps": "len(q) * rules / eps", "phi(omega": "phi(q, omega",
           "1 if w is TAKEN else -1": "len(q) if w is TAKEN else -len(q)"}),
    right("counts", "a count changes by at most 1",
          {"sum(x for j, x": "sum(1 for j, x", "if left[j] > 0": "if x > left[j]"}),
    right("less_than_covered", "an item is x - left[j]", {"sum(x for j": "sum(x - left[j] for j"}),
    wrong("two_at_once", "few(3) changes", {'"one"': '"few(3)"'}, fails="same_output", refuted=True),
    wrong("every_answer", "all change", {'"one"': '"each"'}, fails="same_output", refuted=True),
    wrong("one_rule_paid", "each rule is paid for", {"rules / eps": "1 / eps"}, fails="cost", refuted=True),
    wrong("half_of_it", "each is paid for", {'"eps"': '"eps / 2"'}, fails="cost"),
    wrong("counts_of_small", "many small changes",
          {"sum(x for j, x": "sum(1 for j, x", "if left[j] > 0": "if x > left[j]",
          '"one"': '"l1"'}, fails="same_output"),
    wrong("left_by_answers", "what is left is private",
          {"else y for j, y in enumerate(left)": "else q[j] for j, y in enumerate(left)"},
          fails="same_output", refuted=True),
    wrong("left_where_answers", "which items are left is private",
          {"0 if covers[i * len(q) + j] > 0 else y": "0 if q[j] > 0 else y"}, fails="same_output"),
    wrong("begins_with_answers", "the list is private", {"left = [1 for x in q]": "left = [x for x in q]"},
          fails="same_output"),
    wrong("left_by_noise", "what is left is a number that is not put out",
          {"0 if covers[i * len(q) + j] > 0 else y": "gained"},
          fails="same_output"),
    wrong("one_way", "a loser may rise", {"else -1": "else 0"}, fails="same_output"),
    wrong("weights_of_two", "an item may count as much as it likes",
          {"sum(x for j": "sum(left[j] * x for j", "else y for j": "else 2 * y for j"}, fails="same_output"),
    wrong("number_put_out", "the sum itself is put out", {"yield TAKEN": "yield gained"}, fails="same_output"),
    wrong("next_item", "an index beyond the list", {"if left[j] > 0": "if left[j + 1] > 0"}, fails="termination"),
    wrong("shorter", "a list of another length", {"j, y in enumerate(left)]": "j, y in enumerate([*left, 1])]"}),
    wrong("noise_by_what_is_left", "the noise of a round depends on what is left",
          {"rules / eps)": "rules / eps * (1 + sum(x * left[j] for j, x in enumerate(q)) ** 2))"}),
    wrong("earlier_is_over", "an item that is left counts twice",
          {"sum(x for j": "sum(2 * x for j"}, fails="same_output"),
)

table.base(
    """
    @mechanism
    def weighted(q: Queries, c: Reals, rounds: Count, rate: Proportion, eps: Epsilon, noise: Noise):
        guess = [0 for x in q]
        for i in range(rounds):
            e = noise.laplace(rounds / eps)
            answer = sum(clamp(c[i * len(q) + j], -1, 1) * (x - guess[j]) for j, x in enumerate(q)) + e
            yield answer
            guess = [y + rate * clamp(c[i * len(q) + j], -1, 1) * answer for j, y in enumerate(guess)]

    @alignment(weighted, epsilon="eps", adjacency="l1")
    def phi(q, q_, c, omega, H):
        return H.shift(e=[
            sum(clamp(c[i * len(q) + j], -1, 1) * (q[j] - q_[j]) for j in range(len(q))) for i in range(len(omega))
        ])
    """,
    right("guesses", "what is guessed cancels out"),
    wrong("guess_of_sum", "the guess holds a sum that is not put out", {"* answer for j": "* (answer - e) for j"},
          fails="same_output", refuted=True),
    wrong("weights_not_cut", "a weight may be large",
          {"answer = sum(clamp(c[i * len(q) + j], -1, 1) *": "answer = sum(c[i * len(q) + j] *",
           "sum(clamp(c[i * len(q) + j], -1, 1) * (q[j]": "sum(c[i * len(q) + j] * (q[j]"}, fails="cost"),
    wrong("weights_of_guess", "a weight is a guess", {"* (x - guess[j])": "* (x * guess[j])"}, fails="same_output"),
    wrong("one_round", "each round is paid for", {"rounds / eps": "1 / eps"}, fails="cost"),
    wrong("wide_weights", "a weight may be 2",
          {"answer = sum(clamp(c[i * len(q) + j], -1, 1)": "answer = sum(clamp(c[i * len(q) + j], -1, 2)",
           "sum(clamp(c[i * len(q) + j], -1, 1) * (q[j]": "sum(clamp(c[i * len(q) + j], -1, 2) * (q[j]"}, fails="cost"),
)


table.base(
    """
    @mechanism
    def by_what_is_left(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        left = [1 for x in q]
        for i in range(k):
            e = noise.laplace(k / eps)
            s = sum(x for j, x in enumerate(q) if left[j] > 0) + e
            yield TAKEN if s > 0 else SKIPPED
            left = [y / 2 for y in left]

    @alignment(by_what_is_left, epsilon="eps", adjacency="one")
    def phi(omega, H):
        return H.shift(e=[1 if w is TAKEN else -1 for w in omega])
    """,
    right("halves", "what is left is public"),
    right("of_no_use", "what is left is made anew before it is read",
          {"yield TAKEN": "left = [0 if q[j] > 2 else y for j, y in enumerate(left)]\nyield TAKEN",
           "[y / 2 for y": "[1 for y"}),
    wrong("before_it_is_read", "which items are left is private where they are summed",
          {"s = sum(x for": "left = [0 if q[j] > 2 else y for j, y in enumerate(left)]\ns = sum(5 for",
           "[y / 2 for y": "[1 for y"}, fails="same_output", refuted=True),
    wrong("of_this_noise", "the items hold the noise that is moved",
          {"s = sum(x for": "left = [y + e for y in left]\ns = sum(x for"}, fails="same_output"),
    wrong("of_earlier_noise", "what is left is noise, which D' has moved", {"y / 2": "y + e"}, fails="same_output"),
    wrong("of_another_scale", "a scale may not read what is left",
          {"noise.laplace(k / eps)": "noise.laplace((k + sum(y * y + x - x for x, y in zip(q, left))) / eps)"}),
)

table.base(
    """
    @mechanism
    def after_the_loop(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        left = [1 for x in q]
        for i in range(k):
            left = [y - 1 / k for y in left]
        f = noise.laplace(1 / eps)
        return sum(x for j, x in enumerate(q) if left[j] > 0) + f

    @alignment(after_the_loop, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(f=1)
    """,
    wrong("by_one", "the sum need not change by 1", fails="same_output", refuted=True),
    wrong("not_moved", "the sum changes", {"f=1": "f=0"}, fails="same_output"),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
