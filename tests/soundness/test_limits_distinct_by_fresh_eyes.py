"""Claims with delta for ties that are false, or that say more than was shown.

Lists that are drawn in loops, around them, in branches and by calls; cut noise, finer lattices and scales of their own;
values and lengths that do not fit; and what must hold where there is a tie, too. Each row says which event breaks the
claim, or which rule.
"""

import pytest
from support.near_misses import Program, Table, right, wrong

TABLE = Table()

# Lists that are drawn more than once

TABLE.base(
    """
    @mechanism
    def list_in_a_loop(q: Annotated[Queries, Lattice(1)], m: Count, eps: Epsilon, noise: Noise):
        for q_i in q:
            x = [noise.discrete_laplace(1 / eps) for j in range(m)]
            top = largest(x, 2)
            if x[top[0]] == x[top[1]]:
                yield q_i
                break
            yield 0

    @alignment(list_in_a_loop, epsilon="0", delta="len(q) * (m * (m - 1) / 2) * (1 - exp(-eps)) / (1 + exp(-eps))")
    def phi(q, q_, H, m):
        return H.shift().distinct(x=[[0 for j in range(m)] for q_i in q])
    """,
    right("a list in each iteration", "the first tie shows an answer, and each iteration may have it"),
    wrong("the list of one iteration", "the first tie comes in any of them",
          {"len(q) * (m * (m - 1) / 2)": "m * (m - 1) / 2"}, fails="limits"),
    wrong("ties of other values", "x ties where x + i j does not",
          {"[[0 for j in range(m)] for q_i in q]": "[[i * j for j in range(m)] for i in range(len(q))]"}),
    wrong("a list without the first", "it ties with another",
          {"[[0 for j in range(m)] for q_i in q]": "[[0 if j > 0 else None for j in range(m)] for q_i in q]"}),
    wrong("lists as long as their number", "the first ones say nothing of the rest",
          {"[[0 for j in range(m)] for q_i in q]": "[[0 for j in range(i)] for i in range(len(q))]"}),
    wrong("one list less", "the last iteration has a tie too",
          {"[[0 for j in range(m)] for q_i in q]": "[[0 for j in range(m)] for i in range(len(q) - 1)]"}),
)

TABLE.base(
    """
    @mechanism
    def around_a_loop(q: Annotated[Queries, Lattice(1)], m: Count, eps: Epsilon, noise: Noise):
        x = [noise.discrete_laplace(1 / eps) for j in range(m)]
        for q_i in q:
            yield q_i if m > 1 and x[0] == x[1] else 0
        z = [noise.discrete_laplace(1 / eps) for j in range(m)]
        yield q[0] if m > 1 and z[0] == z[1] else 0

    @alignment(around_a_loop, epsilon="0", delta="m * (m - 1) * (1 - exp(-eps)) / (1 + exp(-eps))")
    def phi(q, q_, H, m):
        return H.shift().distinct(x=[0 for j in range(m)], z=[0 for j in range(m)])
    """,
    right("one before it and one after it", "ties of both are paid for"),
    wrong("one charge for both", "either may tie", {"m * (m - 1) *": "m * (m - 1) / 2 *"}, fails="limits"),
    wrong("no limit of the later", "nothing is known of its ties, which show q[0]", {", z=[0 for j in range(m)]": ""}),
    wrong("no limit of the earlier", "nothing is known of its ties, which show all answers",
          {"x=[0 for j in range(m)], ": ""}),
    wrong("a tie of both lists", "sums of different lists are not kept distinct", {"z[0] == z[1]": "z[0] == x[0]"}),
)

TABLE.base(
    """
    @mechanism
    def in_a_branch(q: Annotated[Queries, Lattice(1)], m: Count, eps: Epsilon, noise: Noise):
        b = noise.laplace(1 / eps)
        if b > 0:
            x = [noise.discrete_laplace(1 / eps) for j in range(m)]
            return q[0] if m > 1 and x[0] == x[1] else 0
        y = [noise.discrete_laplace(1 / eps) for j in range(m)]
        return q[0] if m > 1 and y[0] == y[1] else 0

    @alignment(in_a_branch, epsilon="0", delta="m * (m - 1) / 2 * (1 - exp(-eps)) / (1 + exp(-eps))")
    def phi(q, q_, H, m):
        return H.shift().distinct(x=[0 for j in range(m)], y=[0 for j in range(m)])
    """,
    right("one of two lists", "a run draws one of them"),
    wrong("half of the runs", "each half has its ties", {"m * (m - 1) / 2 *": "m * (m - 1) / 4 *"}, fails="limits"),
    wrong("no limit in the other half", "nothing is known of its ties", {", y=[0 for j in range(m)]": ""}),
    wrong("less noise in one half", "it ties more often there",
          {"y = [noise.discrete_laplace(1 / eps)": "y = [noise.discrete_laplace(1 / (2 * eps))"}, fails="limits"),
    wrong("no value at a tie", "the run must be defined for all noise",
          {"return q[0] if m > 1 and y[0]": "return 1 / (m - m) if m > 1 and y[0]"}, fails="limits"),
    wrong("a private scale at a tie", "what is drawn must be fixed for all noise",
          {"return q[0] if m > 1 and y[0] == y[1] else 0":
           "if m > 1 and y[0] == y[1]:\n    e = noise.laplace(1 + abs(q[0]))\nreturn 0"}, fails="limits"),
)

# What a tie costs

TABLE.base(
    """
    @mechanism
    def mass(q: Annotated[Queries, Lattice(1)], m: Count, A: Count, eps: Epsilon, noise: Noise):
        x = [noise.discrete_laplace(1 / eps) for j in range(m)]
        return q[0] if m > 1 and x[0] == x[1] else 0

    @alignment(mass, epsilon="0", delta="m * (m - 1) / 2 * (1 - exp(-eps)) / (1 + exp(-eps))")
    def phi(q, q_, H, m, A):
        return H.shift().distinct(x=[0 for j in range(m)])
    """,
    right("discrete Laplace noise", "two draws tie with less than the probability of 0"),
    right("cut noise", "its probability of 0",
          {"laplace(1 / eps)": "laplace(1 / eps, within=A)",
           "(1 + exp(-eps))": "(1 + exp(-eps) - 2 * exp(-eps * (A + 1)))"}),
    wrong("cut noise, without the cut", "at A = 1 it ties more often",
          {"laplace(1 / eps)": "laplace(1 / eps, within=A)"}, fails="limits"),
    wrong("cut at unequal bounds", "the cut at A counts, not that at 2 A alone",
          {"discrete_laplace(1 / eps)": "cut_discrete_laplace(-A, 2 * A, 1 / eps)",
           "(1 + exp(-eps))": "(1 + exp(-eps) - 2 * exp(-eps * (2 * A + 1)))"}, fails="limits"),
    wrong("cut between two multiples", "there is no such noise, and its formula has too little at 0",
          {"laplace(1 / eps)": "laplace(1 / eps, within=A + 1 / 2)",
           "(1 + exp(-eps))": "(1 + exp(-eps) - 2 * exp(-eps * (A + 3 / 2)))"}),
    wrong("less noise for the first", "its ties are charged at its own scale",
          {"laplace(1 / eps)": "laplace(1 / (2 * eps) if j == 0 else 1 / eps)"}, fails="limits"),
    wrong("more noise for the later", "the first has half the scale, and is charged for it",
          {"laplace(1 / eps)": "laplace((1 + j) / (2 * eps))"}, fails="limits"),
    right("more noise for all but the first", "the bound is that of the first",
          {"laplace(1 / eps)": "laplace((1 + j) / eps)"}),
    wrong("one draw more", "each is in m pairs",
          {"for j in range(m)]\nreturn q[0]": "for j in range(m + 1)]\nreturn q[0]",
           "distinct(x=[0 for j in range(m)]": "distinct(x=[0 for j in range(m + 1)]"}, fails="limits"),
    wrong("a limit below, uncharged", "both limits of a draw are paid for",
          {"for j in range(m)])": "for j in range(m)]).below(x=[A for j in range(m)])"}, fails="limits"),
    wrong("half of each pair", "the charges of both draws make that of the pair", {"(m - 1) / 2": "(m - 1) / 4"},
          fails="limits"),
    wrong("a pair less for each draw", "two draws make a pair", {"m * (m - 1)": "m * max(m - 2, 0)"}, fails="limits"),
    wrong("m - 5 draws", "at m = 1 and m = 6 there is no pair, and less than none is claimed",
          {"for j in range(m)]\nreturn q[0] if m > 1": "for j in range(m - 5)]\nreturn q[0] if m > 6",
           "m * (m - 1)": "(m - 5) * (m - 7)"}, fails="limits"),
    wrong("values that are too few", "the rest has no limit",
          {"distinct(x=[0 for j in range(m)]": "distinct(x=[0 for q_j in q]"}),
)

# Calls

CALLED = '''
    @mechanism
    def gap(q: Annotated[Queries, Lattice(1)], eps: Epsilon, noise: Noise):
        eta = [noise.discrete_laplace(2 / eps) for q_i in q]
        noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
        best, runner_up = largest(noisy, 2)
        return best, noisy[best] - noisy[runner_up]

    @alignment(gap, epsilon="eps", delta="len(q) * (len(q) - 1) / 2 * (1 - exp(-eps / 2)) / (1 + exp(-eps / 2))")
    def gap_phi(q, q_, omega, H):
        best, gap = omega
        before = max(q[i] + H.eta[i] for i in range(len(q)) if i != best)
        after = max(q_[i] + H.eta[i] for i in range(len(q)) if i != best)
        return H.shift(eta=[q[i] - q_[i] + after - before if i == best else 0 for i in range(len(q))]).distinct(eta=q)
'''

TABLE.base(
    CALLED
    + """
    @mechanism
    def gap_to_0(q: Annotated[Queries, Lattice(1)], eps: Epsilon, noise: Noise):
        for q_i in q:
            r = gap([q_i, 0], eps, noise)
            yield r

    @alignment(gap_to_0, epsilon="eps", adjacency="one", delta="(1 - exp(-eps / 2)) / (1 + exp(-eps / 2))",
               lemmas=[gap_phi])
    def phi(H):
        return H.shift()
    """,
    right("one call changes", "the others have equal answers"),
    wrong("every call changes", "each has its ties",
          {'gap_to_0, epsilon="eps", adjacency="one"': 'gap_to_0, epsilon="len(q) * eps", adjacency="each"'},
          fails="limits"),
    wrong("the first answer in every call", "where it changes, all calls do", {"[q_i, 0]": "[q_i, q[0]]"}),
    wrong("three answers", "a call has three pairs", {"[q_i, 0]": "[q_i, 0, 1]"}, fails="limits"),
    wrong("half a delta", "half of the ties are not paid for",
          {'delta="(1 - exp(-eps / 2))': 'delta="(1 - exp(-eps / 2)) / 2'}, fails="limits"),
    wrong("an answer where the gap is 0", "a call gives 0 at a tie, where nothing is known of it",
          {"yield r": "j, g = r\nyield q_i if g == 0 else 0"}),
    wrong("divided by the gap", "the gap is 0 at a tie", {"yield r": "j, g = r\nyield 1 / g"}, fails="limits"),
)


@pytest.mark.parametrize("program", TABLE.right())
def test_what_is_private_is_proved(program: Program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


@pytest.mark.parametrize("program", TABLE.wrong())
def test_what_is_wrong_is_not_proved(program: Program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)
