"""Rules 4, 10 to 12 and 27: a loop of the alignment runs beside the mechanism's, and keeps what that one keeps."""

# Programs under test branch without an effect, and draw noise that they do not use.

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table(
    """
    SAME = Tag("SAME")
    """
)

# What the alignment keeps follows from the tags

table.base(
    """
    @mechanism
    def halving(x: Queries, low: Real, high: Real, target: Real, k: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(1 / eps)
        left = low
        right = high
        for r in range(k):
            middle = (left + right) / 2
            count = sum(1 for v in x if v <= middle)
            eta = noise.laplace(k / eps)
            if count + eta >= target:
                right = middle
                yield ABOVE
            else:
                left = middle
                yield BELOW

    @alignment(halving, epsilon="eps", adjacency="one")
    def phi(x, x_, low, high, k, omega, H):
        a = low
        b = high
        shifts = []
        for i, w in enumerate(omega):
            m = (a + b) / 2
            lost = sum(1 for v in x if v <= m) - sum(1 for v in x_ if v <= m)
            shifts = [*shifts, lost]
            if w is ABOVE:
                b = m
            else:
                a = m
        return H.shift(eta=shifts)
    """,
    right("as_the_mechanism", "the ends follow from the tags before"),
    right("over_a_range", "the same, by the number of the iteration", {
        "i, w in enumerate(omega)": "i in range(len(omega))", "if w is ABOVE": "if omega[i] is ABOVE",
    }),
    right("over_all_rounds", "no iteration leaves the loop", {
        "i, w in enumerate(omega)": "i in range(k)", "if w is ABOVE": "if omega[i] is ABOVE",
    }),
    right("counted", "the number of the iteration is kept too", {
        "shifts = []": "n = 0\nshifts = []", "if w is ABOVE": "n = n + 1\nif omega[n - 1] is ABOVE",
    }),
    right("two_loops", "the second loop is beside the mechanism's as well", {
        "return H.shift(eta=shifts)":
            "moved = []\nfor j in range(len(omega)):\n    moved = [*moved, shifts[j] + 0]\nreturn H.shift(eta=moved)",
    }),
    right("a_fixed_loop_inside", "a loop over a fixed list is no loop of symbolic length", {
        "shifts = [*shifts, lost]": "for c in (1, 2):\n    lost = lost * c / c\nshifts = [*shifts, lost]",
    }),
    wrong("begins_elsewhere", "what is kept differs at first", {"a = low": "a = low + 1"}),
    wrong("another_step", "the ends move the wrong way", {"if w is ABOVE": "if w is BELOW"}),
    wrong("one_step_behind", "an end is kept only now and then", {"a = m": "a = m if i > 0 else a"}),
    wrong("a_later_tag", "what is kept follows the output of the next iteration", {
        "if w is ABOVE": "if omega[min(i + 1, len(omega) - 1)] is ABOVE",
    }),
    wrong("of_no_variable", "what is kept is no number of the mechanism's loop", {
        "shifts = []": "c = 0\nshifts = []", "shifts = [*shifts, lost]": "c = c + a\nshifts = [*shifts, lost + 0 * c]",
    }),
    wrong("twice", "two items in each iteration", {"shifts = [*shifts, lost]": "shifts = [*shifts, lost, lost]"}),
    wrong("two_appends", "two items in some iterations", {"b = m": "b = m\nshifts = [*shifts, lost]"}),
    wrong("in_one_branch", "an item in some iterations only", {
        "shifts = [*shifts, lost]": "if w is ABOVE:\n    shifts = [*shifts, lost]",
    }),
    wrong("not_empty_at_first", "each item stands one place later", {"shifts = []": "shifts = [0]"}),
    wrong("in_front", "the items stand in the opposite order", {"[*shifts, lost]": "[lost, *shifts]"}),
    wrong("made_anew", "the list holds the last item only", {"[*shifts, lost]": "[lost]"}),
    wrong("left_early", "the items of later iterations are missing", {
        "shifts = [*shifts, lost]": "if i > 3:\n    break\nshifts = [*shifts, lost]",
    }),
    wrong("returned_from", "the shifts are the same in all iterations", {
        "shifts = [*shifts, lost]":
            "if i > 3:\n    return H.shift(eta=[0 for o in omega])\nshifts = [*shifts, lost]",
    }),
    wrong("too_short", "the last iteration has no shift", {
        "i, w in enumerate(omega)": "i in range(len(omega) - 1)", "if w is ABOVE": "if omega[i] is ABOVE",
    }),
    wrong("too_long", "it reads beyond the output, and then has no value", {
        "i, w in enumerate(omega)": "i in range(len(omega) + 1)", "if w is ABOVE": "if omega[i] is ABOVE",
    }, fails="same_output"),
    wrong("from_the_second_on", "each item is of the next output", {
        "i, w in enumerate(omega)": "i in range(1, len(omega))", "if w is ABOVE": "if omega[i] is ABOVE",
    }),
    wrong("of_the_first_iteration", "noise from before the loop moves by what is decided later", {
        "H.shift(": "H.shift(rho=0 * shifts[0], ",
    }),
    wrong("summed_up", "noise from before the loop moves by what is decided later", {
        "H.shift(": "H.shift(rho=0 * sum(shifts), ",
    }),
    wrong("kept_until_the_end", "noise from before the loop moves by what is decided later", {
        "H.shift(": "H.shift(rho=clamp(a, 0, 0), ",
    }, fails="one_to_one"),
    wrong("at_other_places", "the items are read in the opposite order", {
        "H.shift(eta=shifts)": "H.shift(eta=[shifts[len(omega) - 1 - j] for j in range(len(omega))])",
    }),
    wrong("a_loop_inside", "a loop of symbolic length inside the loop", {
        "shifts = [*shifts, lost]": "for v in x:\n    m = m + 0\nshifts = [*shifts, lost]",
    }),
    wrong("in_a_comprehension", "one loop for each item of a list", {
        "@alignment":
            "def again(omega):\n    s = []\n    for w in omega:\n        s = [*s, 0]\n    return s\n\n@alignment",
        "H.shift(eta=shifts)": "H.shift(eta=[shifts[j] + 0 * again(omega)[j] for j in range(len(omega))])",
    }),
    wrong("no_change_at_the_ends", "the counts of D below D's middle are subtracted from themselves", {
        "sum(1 for v in x_ if v <= m)": "sum(1 for v in x if v <= m)",
    }),
    wrong("at_half", "at half of what it costs", {'epsilon="eps"': 'epsilon="eps / 2"'}, fails="cost"),
    wrong("half_the_noise", "each count costs twice as much", {"noise.laplace(k / eps)": "noise.laplace(k / 2 / eps)"},
          fails="cost"),
)

# What the alignment keeps is the last release, a real number

table.base(
    """
    @mechanism
    def since_the_last(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        last = 0
        for q_i in q:
            theta = noise.laplace(2 * len(q) / eps)
            eta = noise.laplace(2 * len(q) / eps)
            if abs(q_i - last) + theta > T:
                last = q_i + eta
                yield last
            else:
                yield SAME

    @alignment(since_the_last, epsilon="eps")
    def phi(q, q_, T, omega, H):
        kept = 0
        tests = []
        moves = []
        for i, w in enumerate(omega):
            tests = [*tests, abs(q[i] - kept) - abs(q_[i] - kept)]
            if w is SAME:
                moves = [*moves, 0]
            else:
                moves = [*moves, q[i] - q_[i]]
                kept = w
        return H.shift(theta=tests, eta=moves)
    """,
    right("released", "the last release is earlier noise, which D and D′ share"),
    right("as_d_computes_it", "what is released is the answer and its noise", {"kept = w": "kept = q[i] + H.eta[i]"}),
    right("released_with_a_tag", "the number is a part of the output", {
        "yield last": "yield SAME, last", "if w is SAME": "if omega[i] is SAME", "kept = w": "kept = w[1]",
    }),
    right("moved_by_more", "where nothing is released, the test may move down, and by other noise's sign", {
        "abs(q[i] - kept) - abs(q_[i] - kept)":
            "(-1 if H.eta[i] > 0 else -2) if w is SAME else abs(q[i] - kept) - abs(q_[i] - kept)",
        'epsilon="eps"': 'epsilon="2 * eps"',
    }),
    wrong("moved_by_its_own_sign", "the shift of a draw reads the draw", {
        "abs(q[i] - kept) - abs(q_[i] - kept)":
            "(-1 if H.theta[i] > 0 else -2) if w is SAME else abs(q[i] - kept) - abs(q_[i] - kept)",
        'epsilon="eps"': 'epsilon="2 * eps"',
    }, fails="one_to_one"),
    wrong("moved_by_a_later_sign", "the shift of a draw reads a draw of the next iteration", {
        "abs(q[i] - kept) - abs(q_[i] - kept)":
            "(-1 if H.eta[min(i + 1, len(q) - 1)] > 0 else -2) if w is SAME else abs(q[i] - kept) - abs(q_[i] - kept)",
        'epsilon="eps"': 'epsilon="2 * eps"',
    }, fails="one_to_one"),
    wrong("own_release", "the test moves by the release that it decides on", {
        "abs(q[i] - kept) - abs(q_[i] - kept)": "clamp(0 if w is SAME else w, 0, 1)",
    }, fails="same_output"),
    wrong("next_release", "what is kept is moved by what the next iteration releases", {
        "kept = w": "o = omega[min(i + 1, len(omega) - 1)]\nkept = w + 0 * (0 if o is SAME else o)",
    }),
    wrong("other_number", "what is kept is not what D keeps", {"kept = w": "kept = w + 1"}),
    wrong("of_d_alone", "what is kept is an answer of D", {"kept = w": "kept = q[i]"}),
    wrong("scaled", "what D keeps is half of the release", {"last = q_i + eta": "last = (q_i + eta) / 2",
          "yield last": "yield 2 * last"}),
    wrong("raw", "the test is against the answer itself, which is not released", {
        "last = q_i + eta\nyield last": "last = q_i\nyield q_i + eta",
        "kept = w": "kept = q[i]",
    }, refuted=True),
    wrong("raw_told_apart", "the test may change by what two answers change", {
        "last = q_i + eta\nyield last": "last = q_i\nyield q_i + eta",
        "tests = []": "kept_ = 0\ntests = []", "abs(q_[i] - kept)": "abs(q_[i] - kept_)",
        "kept = w": "kept = q[i]\nkept_ = q_[i]",
    }, fails="cost", refuted=True),
    wrong("test_for_free", "the test pays nothing", {"abs(q[i] - kept) - abs(q_[i] - kept)": "0"}, refuted=True),
    wrong("test_without_noise", "the test has no noise of its own", {
        "abs(q_i - last) + theta > T": "abs(q_i - last) + 0 * theta > T",
    }, refuted=True),
)

# What the alignment keeps is how far the sums are apart

table.base(
    """
    @mechanism
    def fading(q: Queries, r: Proportion, eps: Epsilon, noise: Noise):
        total = 0
        for q_i in q:
            total = r * total + q_i
            eta = noise.laplace(1 / ((1 - r) * eps))
            yield total + eta

    @alignment(fading, epsilon="eps", adjacency="one")
    def phi(q, q_, r, omega, H):
        lost = 0
        shifts = []
        for i in range(len(omega)):
            lost = r * lost + q[i] - q_[i]
            shifts = [*shifts, lost]
        return H.shift(eta=shifts)
    """,
    right("apart", "what one answer changes fades, and costs eps in all"),
    right("l1", "the changes of all answers fade alike", {'"one"': '"l1"'}),
    right("both_sums", "both sums are kept", {
        "lost = 0": "s = 0\ns_ = 0",
        "lost = r * lost + q[i] - q_[i]": "s = r * s + q[i]\ns_ = r * s_ + q_[i]",
        "[*shifts, lost]": "[*shifts, s - s_]",
    }),
    right("a_larger_claim", "as much and more", {'epsilon="eps"': 'epsilon="2 * eps"'}),
    wrong("every_answer", "where all answers change, the sums drift apart", {', adjacency="one"': ""}, fails="cost"),
    wrong("at_the_scale_of_one_answer", "an answer is paid for as long as it has not faded", {
        "1 / ((1 - r) * eps)": "1 / eps",
    }, fails="cost", refuted=True),
    wrong("not_fading", "r may be above 1", {
        "r: Proportion": "r: Positive", "1 / ((1 - r) * eps)": "1 / eps",
    }, fails="cost", refuted=True),
    wrong("at_less", "at less than what it costs", {'epsilon="eps"': 'epsilon="eps * 9 / 10"'},
          fails="cost", refuted=True),
    wrong("fades_too_fast", "the shift is less than the sums are apart", {"r * lost + q[i]": "r * r * lost + q[i]"}),
    wrong("begins_apart", "the sums are equal at first", {"lost = 0": "lost = 1"}),
    wrong("a_later_answer", "the shift is made of the next answers", {
        "r * lost + q[i] - q_[i]": "r * lost + q[len(omega) - 1 - i] - q_[len(omega) - 1 - i]",
    }),
)

# Something is put out before the loop, and the loop may be left without an output

table.base(
    """
    @mechanism
    def spending(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        eta = noise.laplace(2 / eps)
        count = 0
        for i, q_i in enumerate(q):
            if count >= k:
                break
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + eta:
                count = count + 1
                yield ABOVE
            else:
                yield BELOW

    @alignment(spending, epsilon="eps")
    def phi(q, q_, k, omega, H):
        n = 0
        nus = []
        for i, w in enumerate(omega):
            if w is ABOVE:
                n = n + 1
                nus = [*nus, 1 + q[i] - q_[i]]
            else:
                nus = [*nus, 0]
        return H.shift(eta=1, nu=nus)
    """,
    right("left_in_silence", "no iteration of the alignment is beside one that puts nothing out and draws nothing"),
    right("by_the_count", "there are no more winners than k", {
        "1 + q[i] - q_[i]": "1 + q[i] - q_[i] if n <= k else 5",
    }),
    wrong("over_the_answers", "the loop goes on where the mechanism has stopped", {
        "i, w in enumerate(omega)": "i in range(len(q))", "if w is ABOVE": "if omega[i] is ABOVE",
    }),
    wrong("after_a_tag", "the outputs stand one place later than their iterations", {
        "eta = noise": "yield BELOW\neta = noise",
    }),
    wrong("drawn_then_left", "an iteration draws before the loop is left in silence", {
        "if count >= k:\n    break\nnu = noise.laplace(4 * k / eps)":
            "nu = noise.laplace(4 * k / eps)\nif count >= k:\n    break",
    }),
    wrong("never_counted", "the count is not kept, and each winner costs", {"count = count + 1": "count = count + 0"}),
    wrong("as_a_flag", "the count of the mechanism may be above 1", {
        "n = n + 1": "n = 1",
    }),
    wrong("cheap_after_the_first", "only the first winner pays", {
        "1 + q[i] - q_[i]": "1 + q[i] - q_[i] if n <= 1 else 0",
    }, fails="same_output", refuted=True),
    wrong("for_one_winner", "the noise is that of one winner", {"4 * k / eps": "4 / eps"}, fails="cost", refuted=True),
)

# A loop where the mechanism has none, or several

table.base(
    """
    @mechanism
    def twice(q: Queries, eps: Epsilon, noise: Noise):
        for q_i in q:
            e = noise.laplace(2 * len(q) / eps)
            yield q_i + e
        for q_i in q:
            f = noise.laplace(2 * len(q) / eps)
            yield q_i + f

    @alignment(twice, epsilon="eps")
    def phi(q, q_, H):
        moves = []
        for x, x_ in zip(q, q_):
            moves = [*moves, x - x_]
        return H.shift(e=moves, f=moves)
    """,
    wrong("two_loops_of_the_mechanism", "beside which loop the alignment's runs is not told"),
    wrong("no_loop_of_the_mechanism", "a list of draws has no iterations", {
        "for q_i in q:\n    e = noise.laplace(2 * len(q) / eps)\n    yield q_i + e":
            "e = [noise.laplace(2 * len(q) / eps) for x in q]\nyield [a + b for a, b in zip(q, e)]",
        "for q_i in q:\n    f = noise.laplace(2 * len(q) / eps)\n    yield q_i + f": "yield BELOW",
        "e=moves, f=moves": "e=moves",
    }),
)

# The lists of the alignment are not those of the mechanism

table.base(
    """
    @mechanism
    def winners(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        eta = noise.laplace(2 / eps)
        out = []
        for i in range(len(q)):
            nu = noise.laplace(4 * k / eps)
            if q[i] + nu >= T + eta:
                out = [*out, i]
                if len(out) >= k:
                    break
        return out

    @alignment(winners, epsilon="eps")
    def phi(q, q_, k, omega, H):
        out = []
        for i in range(len(H.nu)):
            out = [*out, 1 + q[i] - q_[i] if i in omega else 0]
        return H.shift(eta=1, nu=out)
    """,
    right("by_iteration", "an item for each iteration"),
    wrong("by_the_wrong_length", "the alignment's list has an item for each iteration, and D's for each winner", {
        "if i in omega": "if i in omega and len(out) < k",
    }, fails="same_output"),
    wrong("of_the_output", "the winners are the iterations of the alignment's loop", {
        "i in range(len(H.nu))": "i in omega", "1 + q[i] - q_[i] if i in omega else 0": "1 + q[i] - q_[i]",
    }),
)

# One question after another

table.base(
    """
    @mechanism
    def answered(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        left = eps
        for q_i in q:
            eta = noise.laplace(2 / left)
            left = left / 2
            yield q_i + eta

    @alignment(answered, epsilon="eps", queries="adaptive")
    def phi(q, q_, eps, omega, H):
        moves = []
        for i in range(len(omega)):
            moves = [*moves, q[i] - q_[i]]
        return H.shift(eta=moves)
    """,
    right("as_asked", "every shift reads its own answer"),
    wrong("by_what_is_left", "what is kept is of earlier steps", {
        "moves = []": "a = eps\nmoves = []",
        "moves = [*moves, q[i] - q_[i]]": "moves = [*moves, (q[i] - q_[i]) * a / a]\na = a / 2",
    }, fails="adaptive_queries"),
)


@pytest.mark.parametrize("program", table.right())
def test_a_loop_beside_the_mechanisms_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


@pytest.mark.parametrize("program", table.wrong())
def test_a_loop_that_is_not_beside_it_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)
