"""Thresholds that are drawn again, next to the right ones: what is not moved as the first was, or is paid for too late.

That a variable stays as far from its value on D as before the loop is tried for every loop, and obliged.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

# The new threshold is drawn before the test whether the loop ends.
BEFORE_THE_TEST = {
    "count += 1": "rho_i = noise.laplace(2 * k / eps)\nthreshold = T + rho_i\ncount += 1",
    "if count >= k:\n    break\nrho_i = noise.laplace(2 * k / eps)\nthreshold = T + rho_i":
        "if count >= k:\n    break",
}


# A new threshold after each winner

table.base(
    """
    @mechanism
    def fresh(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 * k / eps)
        threshold = T + rho
        count = 0
        for q_i in q:
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= threshold:
                yield ABOVE
                count += 1
                if count >= k:
                    break
                rho_i = noise.laplace(2 * k / eps)
                threshold = T + rho_i
            else:
                yield BELOW

    @alignment(fresh, epsilon="eps")
    def phi(q, q_, omega, H):
        first = 1
        return H.shift(
            rho=first,
            rho_i=[1 for w in omega],
            nu=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
        )
    """,
    right("moved_alike", "k thresholds and k winners are paid for", checked=True),
    right("with_gaps", "each winner keeps its distance from its own threshold", {
        "yield ABOVE": "yield q_i + nu - threshold",
    }),
    right("one_sided", "all noise moves up", {
        "rho = noise.laplace": "rho = noise.exponential",
        "nu = noise.laplace": "nu = noise.exponential",
        "rho_i = noise.laplace": "rho_i = noise.exponential",
    }),
    right("by_the_direction", "where answers fall, no threshold moves, and only winners pay", {
        'epsilon="eps"': 'epsilon="3 * eps / 4", adjacency="monotone"',
        "omega, H)": "omega, H, direction)",
        "first = 1": "first = 1 if direction > 0 else 0",
        "rho_i=[1 for": "rho_i=[first for",
        "nu=[1 + q[i]": "nu=[first + q[i]",
    }),
    right("by_a_sensitivity", "all moves are larger by the sensitivity, and so is all noise", {
        "q: Queries, T": 'q: Annotated[Queries, Sensitivity("s")], s: Positive, T',
        "rho = noise.laplace(2 * k / eps)": "rho = noise.laplace(2 * k * s / eps)",
        "nu = noise.laplace(4 * k / eps)": "nu = noise.laplace(4 * k * s / eps)",
        "rho_i = noise.laplace(2 * k / eps)": "rho_i = noise.laplace(2 * k * s / eps)",
        "q_, omega": "q_, s, omega",
        "first = 1": "first = s",
        "[1 for w": "[s for w",
        "1 + q[i]": "s + q[i]",
    }),
    right("at_the_winner", "the winner's noisy answer is the next threshold, and has moved by 1", {
        "rho_i = noise.laplace(2 * k / eps)\n": "",
        "T + rho_i": "q_i + nu",
        "rho_i=[1 for w in omega],\n": "",
        'epsilon="eps"': 'epsilon="eps / 2 + eps / (2 * k)"',
    }),
    right("halfway", "half of the old and half of the new threshold move by 1 together", {
        "threshold = T + rho_i": "threshold = (threshold + T + rho_i) / 2",
    }),
    right("the_first_about_an_answer", "what the answer changes by is made up for", {
        "q: Queries, T": "q: Queries, s: Query, T", "q_, omega": "q_, s, s_, omega",
        "threshold = T + rho\n": "threshold = s + rho\n", "first = 1": "first = 1 + s - s_",
        'epsilon="eps"': 'epsilon="eps + eps / (2 * k)"',
    }),
    right("every_threshold_is_paid_for", "the last winner draws one too", {
        **BEFORE_THE_TEST,
        'epsilon="eps"': 'epsilon="eps + eps / (2 * k)"',
    }),
    wrong("one_threshold_unpaid", "k + 1 thresholds are drawn where they are drawn before the test", BEFORE_THE_TEST,
          fails="cost", refuted=True),
    wrong("new_ones_stay", "only the first threshold moves", {"[1 for w in omega]": "[0 for w in omega]"},
          fails="same_output"),
    wrong("new_ones_move_further", "a winner does not reach the new threshold", {
        "[1 for w in omega]": "[2 for w in omega]",
    }, fails="same_output"),
    wrong("the_first_stays", "losers before the first winner may win", {"first = 1": "first = 0"}, fails="same_output"),
    wrong("public_after_the_first", "the second winner is compared with T itself", {
        "threshold = T + rho_i": "threshold = T",
    }, fails="same_output"),
    wrong("twice_the_noise", "the new threshold moves by 2", {"T + rho_i": "T + 2 * rho_i"}, fails="same_output"),
    wrong("added_up", "each new threshold is further off", {"T + rho_i": "threshold + rho_i"}, fails="same_output"),
    wrong("about_the_winner", "the new threshold has the winner's answer in it", {"T + rho_i": "q_i + rho_i"},
          fails="same_output"),
    wrong("about_the_first_answer", "the first threshold has an answer in it", {
        "threshold = T + rho\n": "threshold = q[0] + rho\n",
    }, fails="same_output", refuted=True),
    wrong("drawn_where_answers_are_high", "whether it is drawn tells an answer", {
        "rho_i = noise.laplace(2 * k / eps)\nthreshold = T + rho_i":
            "if q_i > T:\n    rho_i = noise.laplace(2 * k / eps)\n    threshold = T + rho_i",
    }),
    wrong("drawn_where_noise_is_high", "the winner's noise has moved", {
        "rho_i = noise.laplace(2 * k / eps)\nthreshold = T + rho_i":
            "if nu > 0:\n    rho_i = noise.laplace(2 * k / eps)\n    threshold = T + rho_i",
    }),
    wrong("without_end", "nothing bounds how many are drawn", {"if count >= k:": "if count < 0:"}, fails="cost"),
    wrong("new_ones_too_near", "later thresholds have half the noise", {
        "rho_i = noise.laplace(2 * k / eps)": "rho_i = noise.laplace(k / eps)",
    }),
    wrong("winners_stay", "they do not reach thresholds that have moved", {"nu=[1 + q[i] - q_[i] if": "nu=[0 if"},
          fails="same_output", refuted=True),
    wrong("private_comparison", "whoever sees the threshold's noise knows the answer", {
        "yield ABOVE": "yield rho",
    }, refuted=True),
)


# A flag asks for a new threshold

table.base(
    """
    @mechanism
    def asked_for(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        threshold = T
        need = 1
        count = 0
        for q_i in q:
            if need == 1:
                rho = noise.laplace(2 * k / eps)
                threshold = T + rho
                need = 0
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= threshold:
                yield ABOVE
                need = 1
                count += 1
                if count >= k:
                    break
            else:
                yield BELOW

    @alignment(asked_for, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(
            rho=[1 for w in omega], nu=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)]
        )
    """,
    right("before_it_is_used", "whoever is compared is compared with noise that has moved by 1"),
    wrong("not_at_the_start", "the first winner is compared with T", {"need = 1\ncount = 0": "need = 0\ncount = 0"},
          fails="same_output", refuted=True),
    wrong("in_every_iteration", "losers draw thresholds too", {"need = 0": "need = 1"}, fails="cost"),
    wrong("for_losers", "losers ask for new thresholds", {"yield BELOW": "yield BELOW\nneed = 1"}, fails="cost"),
    wrong("by_an_answer", "whether one is drawn tells an answer", {
        "need = 1\ncount += 1": "need = 1 if q_i > T else 0\ncount += 1",
    }),
    wrong("other_move", "it moves by less than losers rise by", {"rho=[1 for": "rho=[1 / 2 for"}, fails="same_output",
          refuted=True),
    wrong("forgotten_in_between", "losers are compared with T again", {"yield BELOW": "yield BELOW\nthreshold = T"},
          fails="same_output"),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_next_to_a_right_threshold_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_a_threshold_that_is_moved_alike_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
