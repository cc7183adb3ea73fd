"""Rules 5 to 10, 18, 27 and 32: each iteration of a loop draws a vector of its own, and pays for it."""

# Programs under test branch without an effect, and draw noise that they do not use.

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table("")

# One winner a round, and what follows is chosen by the winners before

table.base(
    """
    @mechanism
    def rounds(c: Queries, k: Count, eps: Epsilon, noise: Noise):
        w = [0 for c_i in c]
        last = 0
        for t in range(k):
            e = [noise.laplace(2 * k / eps) for c_i in c]
            (corner,) = largest([c_i - w_i + e_i for c_i, w_i, e_i in zip(c, w, e)], 1)
            w = [w_i / 2 + (1 if i == corner else 0) for i, w_i in enumerate(w)]
            last = last + corner
            yield corner

    @alignment(rounds, epsilon="eps")
    def phi(c, c_, k, omega, H):
        return H.shift(e=[[1 + c[i] - c_[i] if i == corner else 0 for i in range(len(c))] for corner in omega])
    """,
    right("as_written", "each round costs eps / k"),
    right("by_two", "a shift of 2 is as good", {"1 + c[i] - c_[i] if": "2 if"}),
    right("by_number", "the rounds by their numbers", {
        "if i == corner else 0 for i in range(len(c))] for corner in omega":
            "if i == omega[t] else 0 for i in range(len(c))] for t in range(k)",
    }),
    right("gumbel", "the exponential mechanism in each round", {
        "noise.laplace(2 * k / eps)": "noise.gumbel(2 * k / eps)",
    }),
    right("shrinking_budgets", "each round has half the budget of the one before", {
        "last = 0": "last = 0\nshare = eps / 2", "noise.laplace(2 * k / eps)": "noise.laplace(2 / share)",
        "last = last + corner": "last = last + corner\nshare = share / 2",
    }),
    wrong("budgets_that_stay", "each round has half the budget", {
        "last = 0": "last = 0\nshare = eps / 2", "noise.laplace(2 * k / eps)": "noise.laplace(2 / share)",
    }, fails="cost"),
    right("until_a_winner", "what was put out says when the loop is left", {
        "yield corner": "yield corner\nif corner > 2:\n    break",
    }),
    right("two_lists_a_round", "two winners in each round", {
        "noise.laplace(2 * k / eps)": "noise.laplace(4 * k / eps)",
        "yield corner": "f = [noise.laplace(4 * k / eps) for c_i in c]\n"
                        "(next,) = largest([c_i + f_i for c_i, f_i in zip(c, f)], 1)\nyield corner, next",
        "for corner in omega]": "for corner, other in omega], "
                                "f=[[2 if i == other else 0 for i in range(len(c))] for corner, other in omega]",
    }),
    right("in_a_function", "the list is drawn by a function", {
        "@mechanism": "def noisy(c, s, noise):\n    e = [noise.laplace(s) for c_i in c]\n    return e\n\n@mechanism",
        "e = [noise.laplace(2 * k / eps) for c_i in c]": "e = noisy(c, 2 * k / eps, noise)",
    }),
    right("utilities_of_the_last_winner", "what a round has put out is public", {
        "c_i - w_i + e_i": "c_i - last * w_i + e_i",
    }),
    wrong("half_the_noise", "each round costs twice as much", {
        "laplace(2 * k / eps)": "laplace(k / eps)",
    }, fails="cost"),
    wrong("counted_once", "k rounds are paid as one", {"laplace(2 * k / eps)": "laplace(2 / eps)"}, fails="cost",
          refuted=True),
    wrong("no_shift", "the winner is another one on D'", {"1 + c[i] - c_[i] if": "0 if"}, fails="same_output"),
    wrong("half_a_shift", "the winner is overtaken", {"1 + c[i] - c_[i] if": "c[i] - c_[i] if"}, fails="same_output"),
    wrong("the_losers", "the losers rise", {"1 + c[i] - c_[i] if i == corner": "1 + c[i] - c_[i] if i != corner"}),
    wrong("by_a_later_winner", "the winner of the next round rises", {
        "if i == corner else 0 for i in range(len(c))] for corner in omega":
            "if i == omega[t + 1] else 0 for i in range(len(c))] for t in range(k)",
    }),
    wrong("by_the_first_winner", "the same position rises in all rounds", {
        "if i == corner else 0 for i in range(len(c))] for corner in omega":
            "if i == omega[0] else 0 for i in range(len(c))] for t in range(k)",
    }, fails="same_output"),
    wrong("with_a_later_winner_too", "the winners of this round and of the next rise", {
        "if i == corner else 0 for i in range(len(c))] for corner in omega":
            "if i == omega[t] or i == omega[min(t + 1, k - 1)] else 0 for i in range(len(c))] for t in range(k)",
    }),
    wrong("transposed", "the lists are those of the answers", {
        "[[1 + c[i] - c_[i] if i == corner else 0 for i in range(len(c))] for corner in omega]":
            "[[1 + c[i] - c_[i] if i == corner else 0 for corner in omega] for i in range(len(c))]",
    }),
    wrong("one_too_few", "the last answer has no shift", {"i in range(len(c))]": "i in range(len(c) - 1)]"}),
    wrong("one_round_too_few", "the last round has no shifts", {
        "if i == corner else 0 for i in range(len(c))] for corner in omega":
            "if i == omega[t] else 0 for i in range(len(c))] for t in range(len(omega) - 1)",
    }),
    wrong("the_round_before", "each round has the shifts of the one before", {
        "if i == corner else 0 for i in range(len(c))] for corner in omega":
            "if i == omega[max(t - 1, 0)] else 0 for i in range(len(c))] for t in range(k)",
    }, fails="same_output"),
    wrong("reads_its_noise", "a shift reads the noise of a list in the loop", {
        "1 + c[i] - c_[i] if": "2 + 0 * H.e[0][0] if",
    }),
    wrong("utilities_of_noise", "what follows depends on the winner's noise", {
        "last = last + corner": "last = e[corner]",
          "c_i - w_i + e_i": "c_i - last + e_i * (1 + abs(last))"}),
    wrong("noise_used_twice", "the noise of a round is used again in the next", {
        "w_i / 2 + (1 if i == corner else 0) for i, w_i in enumerate(w)": "e_i for e_i in e",
    }),
    wrong("weights_of_answers", "what follows depends on the answers", {
        "w_i / 2 + (1 if i == corner else 0) for i, w_i in enumerate(w)": "w_i - c_i for w_i, c_i in zip(w, c)",
    }, fails="same_output"),
    wrong("the_noise_is_told", "the winner's noise is put out", {
        "yield corner": "yield corner, e[corner]", "for corner in omega": "for corner, x in omega",
    }, fails="same_output"),
    wrong("the_value_is_told", "the winner's noisy value is put out", {
        "yield corner": "yield corner, c[corner] + e[corner]", "for corner in omega": "for corner, x in omega",
    }, fails="same_output"),
    wrong("the_value_is_told_exactly", "the winner rises by its change only, and may be overtaken", {
        "yield corner": "yield corner, c[corner] + e[corner]", "for corner in omega": "for corner, x in omega",
        "1 + c[i] - c_[i] if": "c[i] - c_[i] if",
    }, fails="same_output"),
    wrong("private_scale", "the scale is an answer", {
        "noise.laplace(2 * k / eps)": "noise.laplace(2 * k / eps + abs(c_i))",
    }, fails="noise_used"),
    wrong("scale_of_noise", "the scale is earlier noise", {
        "noise.laplace(2 * k / eps)": "noise.laplace(2 * k / eps + abs(last))", "last = last + corner": "last = e[0]",
    }, fails="noise_used"),
    wrong("private_length", "one more draw where an answer is positive", {
        "e = [noise.laplace(2 * k / eps) for c_i in c]":
            "e = [noise.laplace(2 * k / eps) for i in range(len(c) + (1 if c[0] > 0 else 0))]",
    }),
    wrong("length_of_winners", "as many draws as the winners say, who are many", {
        "last = last + corner": "x = [noise.laplace(2 * k / eps) for i in range(corner + 1)]\nlast = last + corner",
    }),
    wrong("drawn_where_an_answer_is_positive", "whether it is drawn depends on an answer", {
        "last = last + corner": "if c[0] > 0:\n    x = [noise.laplace(1) for c_i in c]\nlast = last + corner",
    }, fails="noise_used"),
    wrong("left_by_an_answer", "how many rounds there are depends on an answer", {
        "last = last + corner": "if c[0] > t:\n    break\nlast = last + corner",
    }),
    wrong("left_by_noise", "the loop is left in silence", {
        "last = last + corner": "if c[0] + e[0] > t:\n    break\nlast = last + corner",
    }),
    wrong("of_one_sided_noise", "the winner falls below its noise", {
        "laplace": "exponential", "1 + c[i] - c_[i] if i == corner else 0": "0 if i == corner else c_[i] - c[i] - 1",
    }),
    wrong("gumbel_falls", "Gumbel noise has no bound for shifts down", {
        "noise.laplace(2 * k / eps)": "noise.gumbel(2 * k / eps)",
        "1 + c[i] - c_[i] if i == corner else 0": "0 if i == corner else c_[i] - c[i] - 1",
    }),
    wrong("for_each_answer", "as many rounds as answers, k of which are paid for", {
        "t in range(k)": "t in range(len(c))",
    },
          fails="cost"),
)

# A list of answers a round

table.base(
    """
    @mechanism
    def lists(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        for t in range(k):
            e = [noise.laplace(k / eps) for q_i in q]
            yield [q_i + e_i for q_i, e_i in zip(q, e)]

    @alignment(lists, epsilon="eps", adjacency="l1")
    def phi(q, q_, k, H):
        return H.shift(e=[[q[i] - q_[i] for i in range(len(q))] for t in range(k)])
    """,
    right("as_written_of_lists", "the changes of a round add up to 1"),
    right("one_changes", "one answer changes", {'"l1"': '"one"'}),
    right("each_changes", "all answers change, and each is paid for", {
        'adjacency="l1"': 'adjacency="each"', "k / eps": "k * len(q) / eps",
    }),
    right("two_lists", "two lists in each round", {
        "e = [noise.laplace(k / eps) for q_i in q]":
            "e = [noise.laplace(2 * k / eps) for q_i in q]\n"
            "f = [noise.laplace(2 * k / eps) for q_i in q]\nyield [q_i + f_i for q_i, f_i in zip(q, f)]",
        "H.shift(": "H.shift(f=[[q[i] - q_[i] for i in range(len(q))] for t in range(k)], ",
    }),
    right("and_a_number", "a single draw beside the list", {
        "e = [noise.laplace(k / eps) for q_i in q]":
            "x = noise.laplace(2 * k / eps)\nyield q[0] + x\ne = [noise.laplace(2 * k / eps) for q_i in q]",
        "H.shift(": "H.shift(x=[q[0] - q_[0] for t in range(k)], ",
    }),
    right("two_rounds", "the number of rounds is fixed", {
        "for t in range(k):\n": "for t in range(2):\n", "laplace(k / eps)": "laplace(2 / eps)",
        "for t in range(k)]": "for t in range(2)]",
    }),
    right("before_and_in", "a list before the loop too", {
        "for t in range(k):\n":
            "f = [noise.laplace(2 / eps) for q_i in q]\n"
            "yield [q_i + f_i for q_i, f_i in zip(q, f)]\nfor t in range(k):\n",
        "laplace(k / eps)": "laplace(2 * k / eps)",
        "H.shift(": "H.shift(f=[q[i] - q_[i] for i in range(len(q))], ",
    }),
    right("after_and_in", "a list after the loop too", {
        "for t in range(k):\n    e = [noise.laplace(k / eps) for q_i in q]\n"
        "    yield [q_i + e_i for q_i, e_i in zip(q, e)]":
            "for t in range(k):\n    e = [noise.laplace(2 * k / eps) for q_i in q]\n"
            "    yield [q_i + e_i for q_i, e_i in zip(q, e)]\nf = [noise.laplace(2 / eps) for q_i in q]\n"
            "yield [q_i + f_i for q_i, f_i in zip(q, f)]",
        "H.shift(": "H.shift(f=[q[i] - q_[i] for i in range(len(q))], ",
    }),
    wrong("half_the_noise_of_lists", "each round costs twice as much", {
        "laplace(k / eps)": "laplace(k / 2 / eps)",
    }, fails="cost"),
    wrong("counted_once_of_lists", "k rounds are paid as one", {"laplace(k / eps)": "laplace(1 / eps)"}, fails="cost"),
    wrong("each_counted_once", "n answers are paid as one", {'adjacency="l1"': 'adjacency="each"'}, fails="cost"),
    wrong("one_noise_for_all_rounds", "the noise is drawn once, and the answers grow", {
        "for t in range(k):\n    e = [noise.laplace(k / eps) for q_i in q]":
            "e = [noise.laplace(1 / eps) for q_i in q]\nfor t in range(k):",
        "q_i + e_i for": "t * q_i + e_i for",
        "[[q[i] - q_[i] for i in range(len(q))] for t in range(k)]": "[q[i] - q_[i] for i in range(len(q))]",
    }),
    wrong("twice_the_answer", "what is put out changes twice as much", {"q_i + e_i for": "2 * q_i + e_i for"},
          fails="same_output"),
    wrong("the_first_only", "all but the first round stay", {
        "[[q[i] - q_[i] for": "[[q[i] - q_[i] if t == 0 else 0 for",
    }, fails="same_output"),
    wrong("all_share_one_draw", "one noise for all answers of a round", {
        "q_i + e_i for q_i, e_i in zip(q, e)": "q_i + e[0] for q_i in q",
    }, fails="same_output"),
    wrong("two_of_one", "the noise of a list is put out twice", {
        "yield [q_i + e_i for q_i, e_i in zip(q, e)]":
            "yield [q_i + e_i for q_i, e_i in zip(q, e)]\nyield [2 * q_i + e_i for q_i, e_i in zip(q, e)]",
    }, fails="same_output"),
    wrong("two_rounds_paid_as_one", "the number of rounds is fixed", {
        "for t in range(k):\n": "for t in range(2):\n", "laplace(k / eps)": "laplace(1 / eps)",
        "for t in range(k)]": "for t in range(2)]",
    }, fails="cost"),
    wrong("two_rounds_of_one_shift", "the second round has no shift", {
        "for t in range(k):\n": "for t in range(2):\n", "laplace(k / eps)": "laplace(2 / eps)",
        "for t in range(k)]": "for t in range(1)]",
    }),
    wrong("nested", "a list in a loop in a loop", {
        "e = [noise.laplace(k / eps) for q_i in q]\nyield [q_i + e_i for q_i, e_i in zip(q, e)]":
            "for s in range(k):\n    e = [noise.laplace(k / eps) for q_i in q]\n"
            "    yield [q_i + e_i for q_i, e_i in zip(q, e)]",
        "[[q[i] - q_[i] for i in range(len(q))] for t in range(k)]":
            "[[[q[i] - q_[i] for i in range(len(q))] for s in range(k)] for t in range(k)]",
    }),
    wrong("beside_a_loop", "a list beside a loop in the loop, which is not covered", {
        "e = [noise": "for q_i in q:\n    y = noise.laplace(k * len(q) / eps)\n    yield y\ne = [noise",
    }),
)

# The winner, and then its answer

table.base(
    """
    @mechanism
    def measured(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        guess = [0 for q_i in q]
        seen = 0
        for r in range(k):
            x = noise.laplace(2 * k / eps)
            g = [noise.laplace(4 * k / eps) for q_i in q]
            (worst,) = largest([abs(q_i - y) + g_i for q_i, y, g_i in zip(q, guess, g)], 1)
            answer = q[worst] + x
            guess = [answer if i == worst else y for i, y in enumerate(guess)]
            yield worst, answer

    @alignment(measured, epsilon="eps")
    def phi(q, q_, k, omega, H):
        return H.shift(
            g=[[2 if i == worst else 0 for i in range(len(q))] for worst, answer in omega],
            x=[q[worst] - q_[worst] for worst, answer in omega],
        )
    """,
    right("as_written_of_measured", "what was put out is public"),
    right("a_mean", "any function of what was put out", {"[answer if i": "[(answer + y) / 2 if i"}),
    wrong("measured_without_noise", "the answer itself", {"q[worst] + x": "q[worst]"}, fails="same_output"),
    wrong("measured_by_its_own_noise", "the noise that selects it", {"q[worst] + x": "q[worst] + g[worst]"},
          fails="same_output"),
    wrong("half_the_noise_of_measured", "selecting costs twice as much", {
        "laplace(4 * k / eps)": "laplace(2 * k / eps)",
    }, fails="cost"),
    wrong("guess_of_noise", "what follows depends on noise that is not put out", {
        "[answer if i": "[answer + g[i] if i",
    },
          fails="same_output"),
    wrong("guess_of_answers", "what follows depends on answers", {"[answer if i": "[q[i] if i"}, fails="same_output"),
    wrong("the_answer_of_another", "the shift is that of another answer", {
        "x=[q[worst] - q_[worst] for": "x=[q[0] - q_[0] for",
    }, fails="same_output"),
    wrong("shift_reads_its_own_noise", "a shift reads its own noise, by way of the output", {
        "yield worst, answer": "yield worst, answer, q[worst] + g[worst] - 1000",
        "for i in range(len(q))] for worst, answer in omega": "for i in range(len(q))] for worst, answer, z in omega",
        "2 if i == worst": "(2 if z > 0 else 1) if i == worst",
        "q_[worst] for worst, answer in": "q_[worst] for worst, answer, z in",
    }),
    wrong("reads_the_later_round", "a shift reads what the next round puts out", {
        "2 if i == worst else 0 for i in range(len(q))] for worst, answer in omega":
            "(2 if omega[min(r + 1, k - 1)][1] > 0 else 3) "
            "if i == omega[r][0] else 0 for i in range(len(q))] for r in range(k)",
    }),
    wrong("x_reads_g", "the single draw reads the list that comes after it", {
        "yield worst, answer": "yield worst, answer, g[0]",
        "for i in range(len(q))] for worst, answer in omega": "for i in range(len(q))] for worst, answer, z in omega",
        "q[worst] - q_[worst] for worst, answer in": "q[worst] - q_[worst] + 0 * z for worst, answer, z in",
    }),
)

@pytest.mark.parametrize("program", table.right())
def test_a_vector_in_each_iteration_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


@pytest.mark.parametrize("program", table.wrong())
def test_a_vector_in_each_iteration_that_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)
