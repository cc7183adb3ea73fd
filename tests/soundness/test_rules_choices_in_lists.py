"""Rule 44 for choices in a list of any length: one-to-one outcome by outcome, of a weight above 0, at public weights.

A shift that reads its own choice is one-to-one only where no two outcomes are moved to one. Without that most of the
tables' last programs would be proved at 0.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

# Randomised response, a person an item

table.base(
    """
    @mechanism
    def response(q: Queries, eps: Epsilon, noise: Noise):
        b = [noise.choice([exp(eps), 1]) for q_i in q]
        t = [1 if q_i > 0 else 0 for q_i in q]
        return [t_i if b_i == 0 else 1 - t_i for t_i, b_i in zip(t, b)]

    @alignment(response, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(b=[1 - 2 * H.b[i] if (q[i] > 0) != (q_[i] > 0) else 0 for i in range(len(q))])
    """,
    right("each_lies_by_itself", checked=True),
    right("swapped_by_cases", "the same", {"1 - 2 * H.b[i]": "(1 if H.b[i] == 0 else -1)"}),
    right("everyone_changes", "each pays", {'epsilon="eps", adjacency="one"': 'epsilon="len(q) * eps"'}),
    right("a_fair_coin", "whose outcomes cost the same", {"[exp(eps), 1]": "[1, 1]"}),
    wrong("half_the_claim", "Leaks", {'"eps", adj': '"eps / 2", adj'}, fails="cost", refuted=True),
    wrong("everyone_at_one", "Leaks", {', adjacency="one"': ""}, fails="cost", refuted=True),
    wrong("small_changes", "Leaks: n small changes flip n items", {'"one"': '"l1"'}, fails="cost"),
    wrong("unmoved", "Leaks", {"1 - 2 * H.b[i]": "0"}, fails="same_output", refuted=True),
    wrong("too_far", "U: no such outcome", {"1 - 2 * H.b[i]": "2"}, fails="valid_noise", refuted=True),
    wrong("by_half", "U: no such outcome", {"1 - 2 * H.b[i]": "1 / 2"}, fails="valid_noise", refuted=True),
    wrong("weight_0", "Leaks: nobody lies", {"[exp(eps), 1]": "[exp(eps), 0]"}, fails="valid_noise", refuted=True),
    wrong("three_outcomes", "U: 2 has no partner", {"[exp(eps), 1]": "[exp(eps), 1, 1]"}, fails="valid_noise"),
    wrong("weights_of_answers", "Leaks", {"[exp(eps), 1]": "[exp(eps * max(q_i, 0)), 1]"}, fails="noise_used"),
    wrong("a_neighbour_told", "U: reads other choices", {"1 - 2 * H.b[i]": "1 - 2 * H.b[0]"}),
    wrong("moved_by_the_first", "U: where the first is moved too", {"!= (q_[i] > 0)": "!= (q_[i] > 0) or H.b[0] == 0"}),
    wrong("no_weights", "Has no law", {"[exp(eps), 1]": "[0, 0]"}),
    wrong("negative_weight", "Has no law", {"[exp(eps), 1]": "[exp(eps), -1]"}),
)

# Who is in the sample does not depend on the answers

table.base(
    """
    @mechanism
    def sampled(q: Queries, w: Reals, eps: Epsilon, noise: Noise):
        b = [noise.choice([1, 2]) for q_i in q]
        e = [noise.laplace(1 / eps) for q_i in q]
        return [q_i + e_i if b_i == 0 else 0 for q_i, e_i, b_i in zip(q, e, b)]

    @alignment(sampled, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("drawn_apart", checked=True),
    right("who_is_in", "noise comes after choices", {"q[i] - q_[i] for": "q[i] - q_[i] if H.b[i] == 0 else 0 for"}),
    right("weights_of_their_own", "from a public list", {"[1, 2]) for q_i in q": "[1, exp(w_i)]) for w_i in w"}),
    wrong("raw_answers", "Leaks", {"q_i + e_i": "q_i", "q[i] - q_[i]": "0"}, fails="same_output", refuted=True),
    wrong("a_fifth", "Leaks: a sample of a third gains less", {'"eps", adj': '"eps / 5", adj'}, fails="cost"),
    wrong("told_by_the_answer", "Leaks", {"[1, 2]": "[1, 2 if q_i > 0 else 1]"}, fails="noise_used"),
    wrong(
        "one_reads_the_other", "U: in a circle",
        {
            "H.shift(e=[q[i] - q_[i]": (
                "H.shift(b=[1 - 2 * H.b[i] if H.e[i] > 0 else 0 for i in range(len(q))], e=[H.b[i]"
            ),
        },
    ),
    wrong("in_and_out", "U: another output", {"H.shift(": "H.shift(b=[1 - 2 * H.b[i] for i in range(len(q))], "}),
)

# Two outcomes that are moved to one

table.base(
    """
    @mechanism
    def three(q: Queries, eps: Epsilon, noise: Noise):
        b = [noise.choice([2, 1, 1]) for q_i in q]
        return [1 if b_i == 0 or (b_i == 1 and q_i > 0) else 0 for q_i, b_i in zip(q, b)]

    @alignment(three, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        away = [-1 if q[i] > 0 else 1 if q_[i] > 0 else 0 for i in range(len(q))]
        return H.shift(b=[away[i] if (q[i] > 0) != (q_[i] > 0) and H.b[i] == 1 else 0 for i in range(len(q))])
    """,
    wrong("two_to_one", "Leaks ln 2: every move costs 0 or less", fails="one_to_one"),
    wrong("at_any_claim", "Leaks where eps is small", {'"eps", adj': '"eps / 1000", adj'}, fails="one_to_one"),
)

table.base(
    """
    @mechanism
    def unseen(q: Queries, eps: Epsilon, noise: Noise):
        b = [noise.choice([3, 1]) for q_i in q]
        return 1

    @alignment(unseen, epsilon="eps", adjacency="one")
    def phi(q, H):
        return H.shift(b=[0 for i in range(len(q))])
    """,
    right("nothing_moves"),
    wrong("all_to_0", "U", {"[0 for": "[-H.b[i] for"}, fails="one_to_one"),
    wrong("all_to_1", "U: and it costs ln 3", {"[0 for": "[1 - H.b[i] for"}, fails="cost"),
    wrong("swapped", "U: it costs n ln 3", {"[0 for": "[1 - 2 * H.b[i] for"}, fails="cost"),
    right("swapped_and_paid", "", {"[0 for": "[1 - 2 * H.b[i] for", '"eps", adj': '"len(q) * log(3)", adj'}),
)

# Two lists that read each other: each at outcomes at which the other one might not read it

CYCLE = {
    "b=[0": "b=[((1 - 2 * H.b[i]) * (H.c[i] - 1) * (H.c[i] - 2) / 2 if H.b[i] <= 1 else 0) if up or down else 0",
    "c=[0": "c=[((5 - 2 * H.c[i]) * (H.b[i] - 1) * (H.b[i] - 2) / 2 if H.c[i] >= 2 else 0) if up else "
    "((5 - 2 * H.c[i]) * (1 - (H.b[i] - 1) * (H.b[i] - 2) / 2) if H.c[i] >= 2 else 0) if down else 0",
}
ONE_WAY = {
    "if (b[0] == 0 and c[0] == 2) or (b[0] == 1 and c[0] == 3 and q[0] > 0 and T > 1000)": "if T > 1000",
    "b=[0": "b=[((1 - 2 * H.b[i]) if H.c[i] == 3 else 0) if H.b[i] <= 1 else 0",
    "c=[0": "c=[5 - 2 * H.c[i] if H.c[i] >= 2 else 0",
}

table.base(
    """
    @mechanism
    def paired(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        b = [noise.choice([1, 1, 1, 1]) for q_i in q]
        c = [noise.choice([1, 1, 1, 1]) for q_i in q]
        if b[0] <= 1 and c[0] >= 2:
            if (b[0] == 0 and c[0] == 2) or (b[0] == 1 and c[0] == 3 and q[0] > 0 and T > 1000):
                return 1
            return 2
        return 0

    @alignment(paired, epsilon="eps / 1000")
    def phi(q, q_, T, omega, H):
        up = q[0] <= 0 and q_[0] > 0 and omega == 2 and T > 1000
        down = q[0] > 0 and q_[0] <= 0 and omega == 1 and T > 1000
        return H.shift(b=[0 for i in range(len(q))], c=[0 for i in range(len(q))])
    """,
    wrong("two_to_one_in_turn", "Leaks ln 2 at T > 1000: (0, 3) and (1, 2) go to (1, 2)", CYCLE, fails="one_to_one"),
    wrong(
        "in_turn_everywhere",
        "Leaks ln 2",
        {**CYCLE, "q[0] > 0 and T > 1000": "q[0] > 0", "omega == 2 and T > 1000": "omega == 2",
         "omega == 1 and T > 1000": "omega == 1"},
        fails="one_to_one",
    ),
    wrong("unmoved_pairs", "Leaks ln 2", fails="same_output"),
    right("one_way", "c reads nothing, and b reads c at two of its own outcomes", ONE_WAY),
    wrong(
        "one_way_two_to_one",
        "U: 0 and 1 both go to 0",
        {**ONE_WAY, "b=[0": "b=[(-H.b[i] if H.c[i] == 3 else 0) if H.b[i] <= 1 else 0"},
        fails="one_to_one",
    ),
)

# A choice of the list that D's path knows, and no output tells

table.base(
    """
    @mechanism
    def branched(q: Queries, eps: Epsilon, noise: Noise):
        b = [noise.choice([1, 1]) for q_i in q]
        if b[0] == 0:
            return 1
        return 1

    @alignment(branched, epsilon="eps", adjacency="one")
    def phi(q, H):
        return H.shift(b=[0 for i in range(len(q))])
    """,
    right("at_rest"),
    wrong("by_the_first", "U: two to one", {"[0 for": "[1 - 2 * H.b[i] if H.b[0] == 0 else 0 for"}, fails="one_to_one"),
    wrong("times_the_first", "U: two to one", {"[0 for": "[(1 - 2 * H.b[i]) * (1 - H.b[0]) for"}, fails="one_to_one"),
    wrong("the_first_raised", "U: two to one", {"[0 for": "[1 - H.b[0] if i == 0 else 0 for"}, fails="one_to_one"),
    wrong("the_first_by_cases", "U", {"[0 for": "[(1 if H.b[0] == 0 else 0) if i == 0 else 0 for"}, fails="one_to_one"),
    wrong("by_the_largest", "U", {"[0 for": "[1 - 2 * H.b[i] if max(H.b) > 0 else 0 for"}, fails="one_to_one"),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
