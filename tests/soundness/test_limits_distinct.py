"""Limits that keep the sums of noise and values distinct: ties on a lattice, which delta pays for."""

import pytest
from support.near_misses import Program, Table, right, wrong

from alignkit.errors import InputError, LanguageError

TABLE = Table()

DELTA = "len(q) * (len(q) - 1) / 2 * (1 - exp(-eps / 2)) / (1 + exp(-eps / 2))"
DISTINCT = ".distinct(eta=q)"

TABLE.base(
    """
    @mechanism
    def noisy_max_with_gap(q: Annotated[Queries, Lattice(1)], eps: Epsilon, noise: Noise):
        eta = [noise.discrete_laplace(2 / eps) for q_i in q]
        noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
        best, runner_up = largest(noisy, 2)
        return best, noisy[best] - noisy[runner_up]

    @alignment(noisy_max_with_gap, epsilon="eps",
               delta="len(q) * (len(q) - 1) / 2 * (1 - exp(-eps / 2)) / (1 + exp(-eps / 2))")
    def phi(q, q_, omega, H):
        best, gap = omega
        before = max(q[i] + H.eta[i] for i in range(len(q)) if i != best)
        after = max(q_[i] + H.eta[i] for i in range(len(q)) if i != best)
        return H.shift(eta=[q[i] - q_[i] + after - before if i == best else 0 for i in range(len(q))]).distinct(eta=q)
    """,
    right("noisy max with gap", "the winner leads by at least 1, and keeps its lead", checked=True),
    right("all values moved by one number", "sums differ where they did",
          {DISTINCT: ".distinct(eta=[q_i + 3 for q_i in q])"}),
    right("a larger delta", "twice the pairs", {"(len(q) - 1) / 2": "(len(q) - 1)"}),
    wrong("no limit", "the winner may tie, and another loser win the tie on D'",
          {DISTINCT: ".distinct(eta=[None for q_i in q])"}),
    wrong("ties of the noise alone", "different noise may make equal sums",
          {DISTINCT: ".distinct(eta=[0 for q_i in q])"}),
    wrong("the answers of D'", "the sums of D may be equal", {DISTINCT: ".distinct(eta=q_)"}),
    right("all but the first", "the first wins its ties, on D' too",
          {DISTINCT: ".distinct(eta=[q[i] if i > 0 else None for i in range(len(q))])"}),
    wrong("all but the last", "it may tie with the winner, and on D' another loser may do so and win",
          {DISTINCT: ".distinct(eta=[q[i] if i < len(q) - 1 else None for i in range(len(q))])"}),
    wrong("one list too short", "the limit of the last is not stated",
          {DISTINCT: ".distinct(eta=[q[i] for i in range(len(q) - 1)])"}),
    wrong("one tie for each answer", "each pair may tie", {"len(q) * (len(q) - 1) / 2": "len(q) - 1"},
          fails="limits"),
    wrong("ties with the first only", "each pair may tie", {"len(q) * (len(q) - 1) / 2": "(len(q) - 1) / 2"},
          fails="limits"),
    wrong("the probability of one number", "some pair of three ties more often than that",
          {"len(q) * (len(q) - 1) / 2 * ": ""}, fails="limits"),
    wrong("half a lattice", "on the lattice of 1/2 ties are rarer",
          {"(1 - exp(-eps / 2)) / (1 + exp(-eps / 2))": "(1 - exp(-eps / 4)) / (1 + exp(-eps / 4))"}, fails="limits"),
    wrong("more noise than there is", "noise of scale 4 / eps ties less often",
          {"discrete_laplace(2 / eps)": "discrete_laplace(1 / eps)"}),
    wrong("half the budget", "the winner moves by 2", {'epsilon="eps"': 'epsilon="eps / 2"'}, fails="cost"),
    wrong("the winner's number too", "the gap says nothing of it",
          {"return best, noisy[best] - noisy[runner_up]": "return best, noisy[best]"}),
    wrong("an answer", "it is released as it is",
          {"return best, noisy[best] - noisy[runner_up]": "return best, q[best] - q[runner_up]"}),
    wrong("whether there is a tie", "the tie of the two losers is not kept on D'",
          {"return best, noisy[best] - noisy[runner_up]": "return best, noisy[runner_up] + noisy[best]"}),
    wrong("uniform noise", "nothing is known of its ties",
          {"discrete_laplace(2 / eps)": "uniform(-2, 2)"}),
)

TABLE.base(
    """
    @mechanism
    def noisy_top_k_with_gap(q: Annotated[Queries, Lattice(1)], k: Count, eps: Epsilon, noise: Noise):
        eta = [noise.discrete_laplace(2 * k / eps) for q_i in q]
        noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
        top = largest(noisy, k + 1)
        return [(top[i], noisy[top[i]] - noisy[top[i + 1]]) for i in range(k)]

    @alignment(noisy_top_k_with_gap, epsilon="eps",
               delta="len(q) * (len(q) - 1) / 2 * (1 - exp(-eps / (2 * k))) / (1 + exp(-eps / (2 * k)))")
    def phi(q, q_, omega, H):
        selected = {j for j, gap in omega}
        before = max(q[i] + H.eta[i] for i in range(len(q)) if i not in selected)
        after = max(q_[i] + H.eta[i] for i in range(len(q)) if i not in selected)
        shifts = [q[i] - q_[i] + after - before if i in selected else 0 for i in range(len(q))]
        return H.shift(eta=shifts).distinct(eta=q)
    """,
    right("noisy top-k with gap", "the last selected leads the best of the others by at least 1"),
    wrong("ties of k answers only", "any two may tie", {"len(q) * (len(q) - 1) / 2": "k * (k - 1) / 2"},
          fails="limits"),
    wrong("no limit of the losers", "a limit may not read who wins",
          {DISTINCT: ".distinct(eta=[q_i if q_i > 0 else None for q_i in q])"}),
    wrong("the noise of one", "noise of scale 2 / eps ties more often, and costs k times as much",
          {"discrete_laplace(2 * k / eps)": "discrete_laplace(2 / eps)"}),
)

TABLE.base(
    """
    @mechanism
    def same_or_not(q: Annotated[Queries, Lattice(1)], eps: Epsilon, noise: Noise):
        x = [noise.discrete_laplace(1 / eps) for q_i in q]
        y = [noise.discrete_laplace(1 / eps) for q_i in q]
        return [a + b for a, b in zip(q, x)]

    @alignment(same_or_not, epsilon="len(q) * eps",
               delta="len(q) * (len(q) - 1) / 2 * (1 - exp(-eps)) / (1 + exp(-eps))")
    def phi(q, q_, H):
        return H.shift(x=[a - b for a, b in zip(q, q_)]).distinct(y=q)
    """,
    right("a limit that is of no use", "delta may be larger than it need be"),
    right("geometric noise", "no number is more probable than 0",
          {"y = [noise.discrete_laplace": "y = [noise.geometric",
           "(1 - exp(-eps)) / (1 + exp(-eps))": "(1 - exp(-eps))"}),
    wrong("geometric noise, two-sided ties", "0 is more probable on one side",
          {"y = [noise.discrete_laplace": "y = [noise.geometric"}, fails="limits"),
    wrong("two limits, one charge", "ties of both lists are to be paid for", {".distinct(y=q)": ".distinct(x=q, y=q)"},
          fails="limits"),
    right("two limits, both charged", "the charges add up",
          {".distinct(y=q)": ".distinct(x=q, y=q)", "(len(q) - 1) / 2 *": "(len(q) - 1) *"}),
    wrong("x and y apart", "sums of different lists are not kept distinct",
          {"return [": "return x[0] == y[0], [", ".distinct(y=q)": ".distinct(x=q, y=q)",
           "(len(q) - 1) / 2 *": "(len(q) - 1) *"}),
)

TABLE.base(
    """
    @mechanism
    def one_by_one(q: Annotated[Queries, Lattice(1)], eps: Epsilon, noise: Noise):
        for q_i in q:
            x = noise.discrete_laplace(1 / eps)
            yield q_i + x

    @alignment(one_by_one, epsilon="len(q) * eps",
               delta="len(q) * (len(q) - 1) / 2 * (1 - exp(-eps)) / (1 + exp(-eps))")
    def phi(q, q_, H):
        return H.shift(x=[a - b for a, b in zip(q, q_)]).distinct(x=q)
    """,
    wrong("noise of a loop", "its charges grow with the iterations: only lists drawn at once are covered"),
)


READS = """
@mechanism
def noisy(q: Annotated[Queries, Lattice(1)], eps: Epsilon, noise: Noise):
    y = noise.discrete_laplace(1 / eps)
    x = [noise.discrete_laplace(1 / eps) for q_i in q]
    return [a + b for a, b in zip(q, x)]

@alignment(noisy, epsilon="len(q) * eps", delta="len(q) * (len(q) - 1) / 2 * (1 - exp(-eps)) / (1 + exp(-eps))")
def phi(q, q_, H, omega):
    return H.shift(x=[a - b for a, b in zip(q, q_)]).distinct(x=q)
"""


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ("distinct(x=H.x)", "a limit depends on the noise H.x"),
        ("distinct(x=omega)", "a limit depends on the output omega"),
        ("distinct(x=q).distinct(x=q_)", "two limits .distinct"),
        ("distinct(q)", r"write H.shift\(…\).distinct\(x=q\)"),
        ("distinct(x=3)", "its limit is a single number"),
        ("distinct(y=3)", "`y` is drawn once, and has nothing to be distinct from"),
    ],
)
def test_what_is_no_such_limit_is_refused(limit, words, define):
    define(READS)
    with pytest.raises((LanguageError, InputError), match=words):
        define(READS.replace("distinct(x=q)", limit))


def test_a_replay_says_which_sums_are_the_same(define):
    replay = define(READS).phi.replay(q=[1, 2, 5], q_=[1, 1, 5], eps=1, H={"y": 0, "x": [1, 0, 0]})
    assert replay.outside == "x[0] and x[1] give one sum, 2, and are to be distinct"
    assert "delta pays for such noise" in str(replay)
    other = define(READS).phi.replay(q=[1, 2, 5], q_=[1, 1, 5], eps=1, H={"y": 0, "x": [1, 1, 0]})
    assert other.outside is None


@pytest.mark.parametrize("program", TABLE.right())
def test_what_is_private_is_proved(program: Program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


@pytest.mark.parametrize("program", TABLE.wrong())
def test_what_is_wrong_is_not_proved(program: Program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)
