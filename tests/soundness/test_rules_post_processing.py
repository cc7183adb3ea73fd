"""Rules 4, 7, 10, 41 to 43 and 51: what is made of numbers that are the same on D and D′ is the same, and no more.

Sums of noisy items, lists that a loop makes anew, and the last output, which the next shift reads.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table(
    """
    def above(values, t):
        return sum(y for y in values if y > t)
    """
)

# What is made of a noisy list

table.base(
    """
    @mechanism
    def made(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
        e = [noise.laplace(1 / eps) for q_i in q]
        noisy = [max(q_i + e_i, 0) for q_i, e_i in zip(q, e)]
        return sum(noisy)

    @alignment(made, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("total", "all that is added up is released with noise", checked=True),
    right("shares", "it is divided by only where it is above 0", {
        "return sum(noisy)": "total = sum(noisy)\nreturn [y / total if total > 0 else 0 for y in noisy]",
    }),
    right("a_mean_and_a_spread", "a sum is read by the items of another", {
        "return sum(noisy)": "mean = sum(noisy) / len(q)\nreturn mean, sum(abs(y - mean) for y in noisy)",
    }),
    right("prefix_sums", "one sum for each item", {
        "return sum(noisy)": "return [sum(noisy[j] for j in range(i + 1)) for i in range(len(q))]",
    }),
    right("ranks", "the threshold of each sum is a noisy item", {
        "return sum(noisy)": "return [sum(1 for y in noisy if y <= x) for x in noisy]",
    }),
    right("sums_for_thresholds", "one sum for each public threshold", {
        "return sum(noisy)": "return [sum(1 for y in noisy if y > t) for t in T]",
    }),
    right("any_and_all", "whether there is such an item, and whether all are such", {
        "return sum(noisy)": "return any(y > 3 for y in noisy), all(y > 3 for y in noisy if y > 0)",
    }),
    right("never_in_so_many", "what never holds is counted in every item", {
        "return sum(noisy)": "return 0 if all(y > y for y in noisy) else noisy[0]",
    }),
    right("branches", "a sum decides what comes next", {
        "return sum(noisy)": "return sum(1 for y in noisy if y > 3) if sum(noisy) > 10 else ABOVE",
    }),
    right("by_a_function", "each call has a sum of its own", {
        "return sum(noisy)": "return above(noisy, 0) - above(noisy, 1)",
    }),
    right("draws_on_some_paths", "both runs make the same draws, whose scales are public", {
        "return sum(noisy)": (
            "if sum(noisy) > 3:\n    x = noise.laplace(1)\n    return x\nelse:\n    return 1 + noisy[0]"
        ),
    }),
    right("merged", "pairs of numbers are chosen part by part", {
        "return sum(noisy)": (
            "return [(y, y) if abs(y - x) <= 1 else (x, y) for x, y in [(noisy[0], y) for y in noisy]]"
        ),
    }),
    wrong("one_item_raw", "the first item has no noise", {
        "return sum(noisy)": "return sum(y if i > 0 else q[0] for i, y in enumerate(noisy))",
    }, fails="same_output", refuted=True),
    wrong("one_item_not_moved", "the noise of one item stays", {
        "q[i] - q_[i] for": "q[i] - q_[i] if i > 0 else 0 for",
    }, fails="same_output", refuted=True),
    wrong("one_item_moved_too_far", "the noise of the last item moves twice", {
        "q[i] - q_[i] for": "(2 if i == len(q) - 1 else 1) * (q[i] - q_[i]) for",
    }, fails="same_output"),
    wrong("raw_beside", "an answer is added to the sum", {"return sum(noisy)": "return sum(noisy) + q[0]"},
          fails="same_output", refuted=True),
    wrong("raw_within", "an answer is a factor of every item", {
        "return sum(noisy)": "return sum(y * q[0] for y in noisy)",
    }, fails="same_output", refuted=True),
    wrong("raw_filter", "the answers decide which items are added up", {
        "return sum(noisy)": "return sum(y for y, q_i in zip(noisy, q) if q_i > 0)",
    }, fails="same_output", refuted=True),
    wrong("raw_thresholds", "each sum has an answer for its threshold", {
        "return sum(noisy)": "return [sum(1 for y in noisy if y > x) for x in q]",
    }, fails="same_output", refuted=True),
    wrong("raw_length", "how many items are added up is where the greatest answer stands", {
        "return sum(noisy)": "(best,) = largest(q, 1)\nreturn sum(noisy[j] for j in range(best))",
    }, fails="same_output"),
    wrong("raw_choice_of_sums", "an answer decides which of two sums is released", {
        "return sum(noisy)": "return sum(noisy) if q[0] > 0 else sum(2 * y for y in noisy)",
    }, fails="same_output", refuted=True),
    wrong("raw_any", "an answer may be why there is such an item", {
        "return sum(noisy)": "return any(y > 3 or q_i > 5 for y, q_i in zip(noisy, q))",
    }, fails="same_output", refuted=True),
    wrong("raw_all", "an answer may be why not all items are such", {
        "return sum(noisy)": "return all(y >= 0 and q_i > 5 for y, q_i in zip(noisy, q))",
    }, fails="same_output", refuted=True),
    wrong("two_sums_for_one", "two calls of one function, with an answer where they differ", {
        "return sum(noisy)": "return ABOVE if above(noisy, 0) == above(noisy, 1) else q[0]",
    }, fails="same_output", refuted=True),
    wrong("two_thresholds_for_one", "two sums of one list of sums, with an answer where they differ", {
        "return sum(noisy)": (
            "sums = [sum(y for y in noisy if y > t) for t in T]\n"
            "return ABOVE if sums[0] == sums[len(T) - 1] else q[0]"
        ),
    }, fails="same_output"),
    wrong("pairs_by_an_answer", "an answer decides which pair of numbers is released", {
        "return sum(noisy)": "return [(y, 0) if q_i > 0 else (y, 1) for y, q_i in zip(noisy, q)]",
    }, fails="same_output", refuted=True),
    wrong("pairs_of_two_forms", "an answer decides what form an item has", {
        "return sum(noisy)": "return [(y, 0) if q_i > 0 else (y, (0, 1)) for y, q_i in zip(noisy, q)]",
    }, refuted=True),
    wrong("divided", "all noisy items may be 0", {"return sum(noisy)": "return [y / sum(noisy) for y in noisy]"},
          fails="termination"),
    wrong("divided_in_a_branch", "one path alone is safe", {
        "return sum(noisy)": "return 1 / sum(noisy) if len(q) > 3 else 0",
    }, fails="termination"),
    wrong("a_scale", "the scale of later noise is hidden in a sum", {
        "return sum(noisy)": "x = noise.laplace(1 + sum(noisy))\nreturn noisy, x",
    }, fails="noise_used"),
    wrong("scales_for_thresholds", "each draw has a sum for its scale", {
        "return sum(noisy)": (
            "x = [noise.laplace(1 + abs(sum(t * y for y in noisy))) for t in T]\nreturn noisy, x"
        ),
    }, fails="noise_used"),
    wrong("an_equal_sum", "that two sums are equal is no event of probability 0", {
        "return sum(noisy)": "return q[0] if sum(noisy) == sum(y for y in noisy if y > 0) else ABOVE",
    }, fails="same_output", refuted=True),
    wrong("the_shift_reads_it", "the noise in a sum is moved by that sum", {
        "phi(q, q_, H)": "phi(q, q_, omega, H)",
        "q[i] - q_[i] for": "q[i] - q_[i] + (clamp(omega, 0, 1) if i == 0 else 0) for",
        'epsilon="eps"': 'epsilon="9 * eps"',
    }),
    wrong("a_shift_of_other_noise_reads_it", "what a sum is, is not told by any order of the noise", {
        "return sum(noisy)": "f = noise.laplace(1 / eps)\nreturn sum(noisy), clamp(sum(noisy), 0, 1) * q[0] + f",
        "phi(q, q_, H)": "phi(q, q_, omega, H)",
        "for i in range(len(q))]": "for i in range(len(q))], f=clamp(omega[0], 0, 1) * (q[0] - q_[0])",
        'epsilon="eps"': 'epsilon="2 * eps"',
    }, fails="countable"),
)

# Sums in a loop

table.base(
    """
    @mechanism
    def asked(q: Queries, r: Queries, T: Reals, eps: Epsilon, noise: Noise):
        e = [noise.laplace(1 / eps) for q_i in q]
        noisy = [q_i + e_i for q_i, e_i in zip(q, e)]
        for t in T:
            if sum(1 for y in noisy if y > t) > 3:
                yield ABOVE
            else:
                yield sum(abs(y) for y in noisy if y <= t)

    @alignment(asked, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("per_threshold", "each iteration has sums of its own", checked=True),
    right("summed_up", "a sum goes into the state of the loop", {
        "for t in T:": "s = 0\nfor t in T:\n    s = s + sum(abs(y - t) for y in noisy)",
        "yield sum(abs(y) for y in noisy if y <= t)": "yield s",
    }),
    right("lists_of_sums", "in each iteration a list of sums", {
        "yield sum(abs(y) for y in noisy if y <= t)":
            "yield [sum(1 for y in noisy if y > u + t) for u in T]",
    }),
    wrong("asked_by_answers", "another list of answers has the thresholds", {
        "for t in T:": "for t in r:",
    }, fails="same_output", refuted=True),
    wrong("kept_from_before", "the sum of the iteration before is compared with this one", {
        "for t in T:": "s = 0\nfor t in T:\n    last = s\n    s = sum(abs(y) for y in noisy if y <= t)",
        "yield sum(abs(y) for y in noisy if y <= t)": "yield s if s == last else q[0]",
    }, fails="same_output"),
    wrong("the_state_is_raw", "an answer goes into the state beside a sum", {
        "for t in T:": "s = 0\nfor t in T:\n    s = s + q[0] * sum(abs(y) for y in noisy if y <= t)",
        "yield sum(abs(y) for y in noisy if y <= t)": "yield s",
    }, fails="same_output"),
)

# By pieces

table.base(
    """
    @mechanism
    def pieces(q: Queries, r: Query, eps: Epsilon, noise: Noise):
        e = [noise.laplace(1 / eps) for q_i in q]
        f = noise.laplace(1 / eps)
        g = noise.laplace(1 / eps)
        yield sum(max(q_i + e_i, 0) for q_i, e_i in zip(q, e))
        yield ABOVE if r + max(f, g) > 1 else BELOW

    @alignment(pieces, epsilon="99 * eps", adjacency="one")
    def phi(q, q_, r, r_, H):
        return H.shift(
            e=[q[i] - q_[i] for i in range(len(q))],
            f=r - r_ if H.f > H.g else 0,
            g=0 if H.f > H.g else r - r_,
        )
    """,
    wrong("by_pieces", "two runs that share a sum are not compared"),
)

# Lists that a loop makes anew

table.base(
    """
    @mechanism
    def weighted(q: Queries, h: Reals, rate: Positive, eps: Epsilon, noise: Noise):
        guess = [0 for x in h]
        for q_i in q:
            eta_i = noise.laplace(1 / eps)
            answer = q_i + eta_i
            guess = [y + rate * (answer - sum(guess)) * x for x, y in zip(h, guess)]
            yield answer
        yield sum(guess)

    @alignment(weighted, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(eta_i=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("from_releases", "each list is made of the last one and a release", checked=True),
    right("of_fixed_length", "two centres, of which the nearer moves", {
        "guess = [0 for x in h]": "guess = [0, 1]",
        "guess = [y + rate * (answer - sum(guess)) * x for x, y in zip(h, guess)]":
            "guess = [(y + answer) / 2 if abs(y - answer) < 1 else y for y in guess]",
    }),
    right("on_some_paths", "a release decides whether it changes", {
        "guess = [y": "if answer > 0:\n    guess = [y",
    }),
    wrong("from_the_answer", "an answer goes into every item", {"rate * (answer": "rate * (q_i"},
          fails="same_output", refuted=True),
    wrong("one_item_from_the_answer", "an answer goes into the first item", {
        "guess = [y + rate * (answer - sum(guess)) * x for x, y in zip(h, guess)]":
            "guess = [q_i if j == 0 else y + answer for j, y in enumerate(guess)]",
    }, fails="same_output"),
    wrong("begins_with_answers", "the list before the loop has the answers in it", {
        "guess = [0 for x in h]": "guess = [x + q[0] for x in h]",
    }, fails="same_output"),
    wrong("when_the_answer_is_large", "an answer decides whether it changes", {
        "guess = [y": "if q_i > 0:\n    guess = [y",
    }, fails="same_output", refuted=True),
    wrong("longer", "each iteration makes the list longer", {"zip(h, guess)": "zip([*h, *h], [*guess, *guess])"}),
    wrong("shorter", "the list may be shorter than the one before", {"zip(h, guess)": "zip(q, guess)"}),
    wrong("of_another_form", "a list of two items becomes one of three", {
        "guess = [0 for x in h]": "guess = [0, 1]",
        "guess = [y + rate * (answer - sum(guess)) * x for x, y in zip(h, guess)]": "guess = [*guess, 0]",
    }),
    wrong("a_scale_of_state", "the scale of the next draw is an item of the list", {
        "guess = [0 for x in h]": "guess = [1 for x in h]",
        "noise.laplace(1 / eps)": "noise.laplace(1 / eps if guess[0] > 0 else 2 / eps)",
    }, fails="noise_used"),
    wrong("not_moved", "what the list is made of is another number on D'", {
        "yield answer": "yield BELOW",
        "q[i] - q_[i] for": "0 for",
    }, fails="same_output"),
)

# The last output

table.base(
    """
    @mechanism
    def descent(x: Queries, eps: Epsilon, noise: Noise):
        w = 0
        for x_i in x:
            eta_i = noise.laplace(1 / eps)
            w = w - clamp(w - x_i, -1 / 2, 1 / 2) + eta_i
            yield w

    @alignment(descent, epsilon="eps", adjacency="one")
    def phi(x, x_, omega, H):
        before = [0, *omega]
        return H.shift(
            eta_i=[
                clamp(before[i] - x_[i], -1 / 2, 1 / 2) - clamp(before[i] - x[i], -1 / 2, 1 / 2)
                for i in range(len(omega))
            ]
        )
    """,
    right("one_step_back", "the state of each iteration is what was released last", checked=True),
    right("of_a_pair", "it is a part of the last output", {
        "yield w": "yield BELOW, w", "[0, *omega]": "[0, *[y for tag, y in omega]]",
    }),
    right("from_the_start", "the first iteration begins with a public value", {
        "w = 0": "w = 7", "[0, *omega]": "[7, *omega]",
    }),
    wrong("from_elsewhere", "the first iteration begins with another value", {"[0, *omega]": "[1, *omega]"},
          fails="same_output", refuted=True),
    wrong("the_last_for_the_first", "in the first iteration the last output is read", {
        "before = [0, *omega]": "before = [omega[i - 1] for i in range(len(omega))]",
    }, refuted=True),
    wrong("two_steps_back", "the state is not what was released then", {"[0, *omega]": "[0, 0, *omega]"},
          fails="same_output", refuted=True),
    wrong("one_step_ahead", "an iteration reads the release of the next", {
        "[0, *omega]": "[*[omega[i] for i in range(1, len(omega))], 0]",
    }),
    wrong("its_own", "an iteration reads its own release", {"before = [0, *omega]": "before = [y for y in omega]"}),
    wrong("held_on_some_paths", "the state is the last output on some paths only", {
        "yield w": "yield w\nif w < 0:\n    w = 0",
    }, fails="same_output"),
    wrong("moved_on_since", "the state changes after it was released", {"yield w": "yield w\nw = w / 2"},
          fails="same_output"),
    wrong("an_answer_beside", "the state has an answer in it that was not released", {
        "yield w": "yield w\nw = w + x_i / 8",
    }, fails="same_output"),
    wrong("every_step_pays", "the gradient is not clipped, and under each every step pays for it", {
        'adjacency="one"': 'adjacency="each"',
    }, fails="cost"),
    wrong("two_outputs", "of two outputs the first is not what the state is", {
        "yield w": "yield w\nyield BELOW",
    }),
)

# A release by which an alignment divides

table.base(
    """
    @mechanism
    def mean(size: Query, total: Query, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        m = max(1, size + e)
        f = noise.laplace(1 / (eps * m))
        return m, total / m + f

    @alignment(mean, epsilon="2 * eps")
    def phi(size, size_, total, total_, omega, H):
        return H.shift(e=size - size_, f=(total - total_) / omega[0])
    """,
    right("by_its_size", "what is put out is at least 1", checked=True),
    right("rooted", "its root is defined for the same reason", {
        "(total - total_) / omega[0]": "(total - total_) / (sqrt(omega[0]) * sqrt(omega[0]))",
    }),
    wrong("maybe_0", "what is put out may be 0", {
        "max(1, size + e)": "size + e", "(eps * m)": "eps * 1", "total / m + f": "total + f",
    }),
    wrong("by_the_other", "the second number may be 0", {"/ omega[0]": "/ omega[1]"}),
    wrong("by_the_raw_size", "the size that decides the scale is raw", {"max(1, size + e)": "max(1, size)"}),
    wrong("cheaper", "only half of the second draw is paid for", {'"2 * eps"': '"3 * eps / 2"'}, fails="cost"),
)


@pytest.mark.parametrize("program", table.right())
def test_what_is_made_of_equal_numbers_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_not_made_of_equal_numbers_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)
