"""Rules 8, 9, 13 and 18: control flow of D′, what a loop forgets, and what its iterations cost together."""

# Programs under test compute values that they do not use: that they may be undefined is the point.
# ruff: noqa: F841

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    LanguageError,
    Noise,
    Queries,
    Real,
    Reals,
    alignment,
    check,
    mechanism,
)
from alignkit.results import Verdict


def by_pairs(q, q_):
    """The change of each answer, as noise must make up for it."""
    return [q[i] - q_[i] for i in range(len(q))]


table = Table(
    """
    def by_pairs(q, q_):
        return [q[i] - q_[i] for i in range(len(q))]
    """
)


# Rule 8: D′'s control flow

table.base(
    """
    @mechanism
    def sends_only_large_answers(q: Queries, eps: Epsilon, noise: Noise):
        for q_i in q:
            if q_i > 10 * 10 * 10 * 10:
                yield ABOVE

    @alignment(sends_only_large_answers, epsilon="eps")
    def phi(H):
        return H.shift()
    """,
    wrong("sends_only_large_answers_phi", "how a run ends is part of the output"),
    wrong(
        "stops_in_silence_phi", "The number of outputs tells where it stopped, and no noise on T hides it",
        {
            "Queries, eps": "Queries, T: Real, eps",
            "if q_i > 10 * 10 * 10 * 10:\n    yield ABOVE":
                "eta_i = noise.laplace(1 / eps)\nif q_i + eta_i > T:\n    break\nyield BELOW",
        },
        refuted=True,
    ),
    wrong(
        "stops_with_no_output_at_all_phi", "how a run ends is part of the output",
        {
            "Queries, eps": "Queries, T: Real, eps",
            "for q_i in q:\n    if q_i > 10 * 10 * 10 * 10:\n        yield ABOVE": (
                "for q_i in q:\n"
                "    eta_i = noise.laplace(1 / eps)\n"
                "    if q_i + eta_i > T:\n"
                "        break\n"
                "yield BELOW"
            ),
            'epsilon="eps"': 'epsilon="0"',
        },
    ),
    wrong(
        "returns_in_silence_phi", "how a run ends is part of the output",
        {
            "Queries, eps": "Queries, T: Real, eps",
            "for q_i in q:\n    if q_i > 10 * 10 * 10 * 10:\n        yield ABOVE": (
                "for q_i in q:\n"
                "    eta_i = noise.laplace(1 / eps)\n"
                "    if q_i + eta_i > T:\n"
                "        return\n"
                "    yield BELOW\n"
                "yield ABOVE"
            ),
        },
    ),
    wrong(
        "positive_answers_phi", "how a run ends is part of the output",
        {"for q_i in q:\n    if q_i > 10 * 10 * 10 * 10:\n        yield ABOVE": "return [x for x in q if x > 0]"},
        fails="same_output", refuted=True,
    ),
    wrong(
        "as_many_as_are_positive_phi", "how a run ends is part of the output",
        {
            "for q_i in q:\n    if q_i > 10 * 10 * 10 * 10:\n        yield ABOVE":
                "large = sum(1 if x > 10 * 10 * 10 * 10 else 0 for x in q)\nfor i in range(large):\n    yield BELOW",
        },
    ),
)

table.base(
    """
    @mechanism
    def breaks_before_the_end(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # Whether the loop was left early is seen after it.
        found = 0
        for q_i in q:
            yield BELOW
            if q_i > 10 * 10 * 10 * 10:
                found = 1
                break
        yield found

    @alignment(breaks_before_the_end, epsilon="eps")
    def phi(H):
        return H.shift()
    """,
    wrong("breaks_before_the_end_phi", "how a run ends is part of the output"),
)

table.base(
    """
    @mechanism
    def draw_after_the_loop(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        eta = noise.laplace(2 / eps)
        count = 0
        for q_i in q:
            e = noise.laplace(4 * k / eps)
            if q_i + e >= T + eta:
                yield ABOVE
                count += 1
            else:
                yield BELOW
            if count >= k:
                break
        z = noise.laplace(1 / eps)
        yield q[0] + z

    @alignment(draw_after_the_loop, epsilon="2 * eps")
    def phi(q, q_, omega, H):
        n = min(len(q), len(omega))
        return H.shift(eta=1, z=q[0] - q_[0], e=[1 + q[i] - q_[i] if omega[i] is ABOVE else 0 for i in range(n)])
    """,
    right("draw_after_the_loop_paid_phi", "a draw after the loop costs beside it", checked=True),
    wrong(
        "code_after_the_loop_phi", "how a run ends is part of the output",
        {
            "z = noise.laplace(1 / eps)\nyield q[0] + z": "if count < k:\n    yield q[0]",
            'epsilon="2 * eps"': 'epsilon="eps"',
            "z=q[0] - q_[0], e": "e",
        },
    ),
    wrong(
        "draw_after_the_loop_phi", "how a run ends is part of the output",
        {'epsilon="2 * eps"': 'epsilon="eps"'},
        fails="cost", refuted=True,
    ),
)


def test_a_loop_over_a_filtered_stream_is_not_taken_for_all_of_it(refused_or_never_proved):
    def make():
        @mechanism
        def program(q: Queries, eps: Epsilon, noise: Noise):
            for q_i in (x for x in q if x > 10 * 10 * 10 * 10):
                yield ABOVE
            yield BELOW

        @alignment(program, epsilon="eps")
        def phi(H):
            return H.shift()

        return phi

    refused_or_never_proved(make)


@mechanism
def shorter_of_two(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
    """T may be shorter than q, or longer; how many outputs there are is public."""
    for q_i, T_i in zip(q, T):
        e = noise.laplace(len(q) / eps)
        yield q_i + T_i + e


@alignment(shorter_of_two, epsilon="eps")
def shorter_of_two_phi(q, q_, H):
    return H.shift(e=by_pairs(q, q_))


# Vectors of different length
table.base(
    """
    @mechanism
    def too_few_thresholds(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
        for i, q_i in enumerate(q):
            e = noise.laplace(len(T) / eps)
            yield q_i + e

    @alignment(too_few_thresholds, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=by_pairs(q, q_))
    """,
    wrong("too_few_thresholds_phi", fails="cost"),
    wrong(
        "raw_where_thresholds_are_missing_phi",
        changes={
            "for i, q_i in enumerate(q):\n    e = noise.laplace(len(T) / eps)\n    yield q_i + e": (
                "for q_i, T_i in zip(q, T):\n"
                "    e = noise.laplace(len(q) / eps)\n"
                "    yield q_i + T_i + e\n"
                "if len(T) > len(q):\n"
                "    yield q[0]"
            ),
        },
        fails="same_output",
    ),
)


def test_as_many_as_the_shorter():
    # Private: at most len(q) answers, each at eps / len(q).
    assert check(shorter_of_two_phi).verdict is not Verdict.REFUTED


# Rule 9: what the body changes is forgotten

# What the body changes is forgotten
table.base(
    """
    @mechanism
    def leaks_later(q: Queries, eps: Epsilon, noise: Noise):
        # Nothing happens in the first thousand iterations.
        count = 0
        for q_i in q:
            if count > 10 * 10 * 10:
                yield q_i
            else:
                yield BELOW
            count += 1

    @alignment(leaks_later, epsilon="eps")
    def phi(H):
        return H.shift()
    """,
    wrong("leaks_later", fails="same_output"),
    wrong(
        "leaks_when_two_counters_part",
        changes={"count = 0": "a = 0\nb = 0", "if count": "if a - b", "count += 1": "a += 2\nb += 1"},
        fails="same_output",
    ),
    wrong(
        "counter_named_like_the_index",
        changes={
            "count = 0": "iteration = 0",
            "if count > 10 * 10 * 10:": "if iteration >= len(q):",
            "count += 1": "iteration += 1 / 1000 if iteration < 100 else 10 * 10 * 10 * 10",
        },
        fails="same_output",
    ),
    wrong(
        "two_names_of_one_shape",
        changes={
            "count = 0": "count = 0\ncount_ = 0",
            "if count": "if count - count_",
            "count += 1": "if q_i > 10 * 10 * 10 * 10:\n    count += 10 * 10 * 10\ncount_ += 0",
        },
        fails="same_output",
    ),
)

# What the body changes is forgotten
table.base(
    """
    @mechanism
    def remembers_the_noise(q: Queries, eps: Epsilon, noise: Noise):
        last = 0
        for q_i in q:
            e = noise.laplace(1 / eps)
            yield last + q_i
            last = e

    @alignment(remembers_the_noise, epsilon="eps")
    def phi(H):
        return H.shift()
    """,
    wrong("remembers_the_noise", fails="same_output"),
    wrong(
        "parameter_that_changes",
        changes={
            "Queries, eps": "Queries, T: Real, eps",
            "last = 0": "U = T",
            "e = noise.laplace(1 / eps)\nyield last + q_i\nlast = e":
                "if T - U > 10 * 10 * 10:\n    yield q_i\nelse:\n    yield BELOW\nT = T + 1",
        },
        fails="same_output",
    ),
    wrong(
        "noise_that_changes",
        changes={
            "last = 0": "rho = noise.laplace(1 / eps)\nfirst = rho",
            "e = noise.laplace(1 / eps)\nyield last + q_i\nlast = e":
                "if rho - first > 10 * 10 * 10:\n    yield q_i\nelse:\n    yield BELOW\nrho = rho + 1",
        },
        fails="same_output",
    ),
    wrong(
        "remembers_the_last_answer",
        changes={
            "yield last + q_i\nlast = e":
                "if last > 10 * 10 * 10 * 10:\n    yield ABOVE\nelse:\n    yield BELOW\nlast = q_i",
        },
        fails="same_output",
    ),
)

table.base(
    """
    @mechanism
    def swaps(q: Queries, eps: Epsilon, noise: Noise):
        # What is copied keeps the value it had.
        a = 0
        b = 0
        for q_i in q:
            b = a
            a = a + 1
            if a - b > 2 or b - a > 2:
                yield q_i
            else:
                yield BELOW
        yield a - b - 1 if b > 10 * 10 * 10 else 0

    @alignment(swaps, epsilon="eps")
    def phi(H):
        return H.shift()
    """,
    right(
        "swaps", "Private: no output depends on an answer, since a = b + 1 after each iteration's two assignments",
        checked=True,
    ),
)


def test_in_place_changes_and_dead_loop_variables_are_refused():
    with pytest.raises(LanguageError):

        @mechanism
        def in_place(q: Queries, eps: Epsilon, noise: Noise):
            a = {0}
            b = a
            a |= {1}
            yield BELOW

    with pytest.raises(LanguageError, match="no value"):

        @mechanism
        def after(q: Queries, eps: Epsilon, noise: Noise):
            for i, q_i in enumerate(q):
                yield BELOW
            yield i


# Rule 13: adjacency

table.base(
    """
    @mechanism
    def larger_of_two(q: Queries(sensitivity=1), eps: Epsilon, noise: Noise):
        # Adding e to the power 1/eps to an answer is not private, though it only rises.
        e = noise.laplace(1 / eps)
        return q[0] + exp(1 / eps) + e

    @alignment(larger_of_two, epsilon="eps", adjacency="monotone")
    def phi(q, q_, H):
        return H.shift(e=q[0] - q_[0])
    """,
    right("larger_of_two_phi", checked=True),
)

table.base(
    """
    @mechanism
    def monotone_test(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        if q[0] + e >= T:
            yield ABOVE
        else:
            yield BELOW

    @alignment(monotone_test, epsilon="eps", adjacency="monotone")
    def phi(q, q_, omega, H):
        return H.shift(e=1 if omega[0] is ABOVE else 0)
    """,
    wrong("only_falling_phi", fails="same_output", refuted=True),
    wrong(
        "only_rising_phi",
        changes={"e=1 if omega[0] is ABOVE else 0": "e=0 if omega[0] is ABOVE else -1"},
        fails="same_output", refuted=True,
    ),
    wrong(
        "alignments_are_not_combined_by_the_noise", "alignments are not combined by the noise",
        {
            'epsilon="eps", adjacency="monotone"': 'epsilon="eps"',
            "e=1 if omega[0] is ABOVE else 0": "e=-1 if H.e >= 0 else 1",
        },
        fails="one_to_one",
    ),
)

# What one and l1 allow is spent
table.base(
    """
    @mechanism
    def laplace_stream(q: Queries(sensitivity="delta"), delta: Positive, eps: Epsilon, noise: Noise):
        for q_i in q:
            e = noise.laplace(delta / eps)
            yield q_i + e

    @alignment(laplace_stream, epsilon="eps", adjacency="l1")
    def phi(q, q_, H):
        return H.shift(e=by_pairs(q, q_))
    """,
    right("stream_l1_phi", checked=True),
    right("stream_one_phi", changes={'adjacency="l1"': 'adjacency="one"'}, checked=True),
    wrong("stream_each_phi", changes={'adjacency="l1"': 'adjacency="each"'}, fails="cost", refuted=True),
    wrong("stream_monotone_phi", changes={'adjacency="l1"': 'adjacency="monotone"'}, fails="cost", refuted=True),
    wrong("stream_half_phi", changes={'epsilon="eps"': 'epsilon="eps / 2"'}, fails="cost", refuted=True),
)

# What one and l1 allow is spent
table.base(
    """
    @mechanism
    def each_answer_twice(q: Queries, eps: Epsilon, noise: Noise):
        for i in range(len(q)):
            e = noise.laplace(1 / eps)
            f = noise.laplace(1 / eps)
            yield q[i] + e, q[i] + f

    @alignment(each_answer_twice, epsilon="eps", adjacency="l1")
    def phi(q, q_, H):
        return H.shift(e=by_pairs(q, q_), f=by_pairs(q, q_))
    """,
    wrong("twice_l1_phi", fails="cost", refuted=True),
    wrong("twice_one_phi", changes={'adjacency="l1"': 'adjacency="one"'}, fails="cost", refuted=True),
)

# What one and l1 allow is spent
table.base(
    """
    @mechanism
    def first_answer_always(q: Queries, eps: Epsilon, noise: Noise):
        for q_i in q:
            e = noise.laplace(1 / eps)
            yield q[0] + e

    @alignment(first_answer_always, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(e=[q[0] - q_[0] for i in range(len(q))])
    """,
    wrong("first_one_phi", refuted=True),
    wrong("first_l1_phi", changes={'adjacency="one"': 'adjacency="l1"'}, refuted=True),
    wrong(
        "neighbour_one_phi",
        changes={
            "def first_answer_always(q: Queries, eps: Epsilon, noise: Noise):":
                "def first_answer_always(q: Queries, eps: Epsilon, noise: Noise):\n    last = 0",
            "yield q[0] + e": "yield q_i + last + e\nlast = q_i",
            "q[0] - q_[0]": "q[i] - q_[i] + (q[i - 1] - q_[i - 1] if i > 0 else 0)",
        },
        refuted=True,
    ),
)

# Several private parameters change together
table.base(
    """
    @mechanism
    def several_private(q: Queries, r: Query, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return q[0] + r + e

    @alignment(several_private, epsilon="2 * eps")
    def phi(q, q_, r, r_, H):
        return H.shift(e=q[0] - q_[0] + r - r_)
    """,
    right("several_private_paid_phi", checked=True),
    wrong("several_private_phi", changes={'epsilon="2 * eps"': 'epsilon="eps"'}, fails="cost", refuted=True),
    right(
        "monotone_difference_phi",
        changes={
            "q[0] + r": "q[0] - r",
            'epsilon="2 * eps"': 'epsilon="eps", adjacency="monotone"',
            "q_[0] + r - r_": "q_[0] - r + r_",
        },
        checked=True,
    ),
    wrong(
        "monotone_sum_phi",
        changes={'epsilon="2 * eps"': 'epsilon="eps", adjacency="monotone"'},
        fails="cost", refuted=True,
    ),
)


# Rule 18: cost potentials

table.base(
    """
    @mechanism
    def one_too_many(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        eta = noise.laplace(2 / eps)
        count = 0
        for q_i in q:
            e = noise.laplace(4 * k / eps)
            if q_i + e >= T + eta:
                yield ABOVE
                count += 1
            else:
                yield BELOW
            if count > k:
                break

    @alignment(one_too_many, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
    """,
    wrong("one_too_many", "the counter must bound the winners", fails="cost", refuted=True),
    wrong(
        "starts_at_minus_k", "The counter starts at -k, so that there are 2 k winners",
        {"count = 0": "count = -k", "count > k": "count >= k"},
        fails="cost", refuted=True,
    ),
    wrong(
        "equal_only", "For a k that is no whole number the counter jumps over it",
        {"Count": "Real", "4 * k": "4 * (abs(k) + 1)", "count > k": "count == k"},
        fails="cost", refuted=True,
    ),
    wrong(
        "resets", "The smallest counterexample has k = 2 and four queries; the search need not find it",
        {"else:\n    yield BELOW\nif count > k:": "else:\n    yield BELOW\n    count = 0\nif count >= k:"},
        fails="cost",
    ),
    wrong(
        "counts_losers", "the counter must bound the winners",
        {
            "count += 1": "",
            "else:\n    yield BELOW\nif count > k:": "else:\n    yield BELOW\n    count += 1\nif count >= k:",
        },
        fails="cost", refuted=True,
    ),
    wrong(
        "counts_halves", "the counter must bound the winners",
        {"count += 1": "count += 1 / 2", "count > k": "count >= k"},
        fails="cost", refuted=True,
    ),
    wrong(
        "asks_first", "The bound is asked before the winner is counted, with > instead of >=",
        {"for q_i in q:": "for q_i in q:\n    if count > k:\n        break", "if count > k:\n    break": ""},
        fails="cost", refuted=True,
    ),
    wrong(
        "gains_to_spend", "A loser gives budget back",
        {
            "count = 0": "spent = 0",
            "count += 1": "spent = spent + eps / (2 * k)",
            "else:\n    yield BELOW\nif count > k:":
                "else:\n    yield BELOW\n    spent = spent - eps / (2 * k)\nif spent >= eps / 2:",
        },
        fails="cost", refuted=True,
    ),
)

table.base(
    """
    @mechanism
    def counts_down(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        # The parameter itself is counted down; the loop is left one winner late.
        eta = noise.laplace(2 / eps)
        s = 4 * k / eps
        for q_i in q:
            e = noise.laplace(s)
            if q_i + e >= T + eta:
                yield ABOVE
                k -= 1
            else:
                yield BELOW
            if k < 0:
                break

    @alignment(counts_down, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
    """,
    wrong("counts_down", "the counter must bound the winners", fails="cost", refuted=True),
)

table.base(
    """
    @mechanism
    def breaks_only_on_losers(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        eta = noise.laplace(2 / eps)
        count = 0
        for q_i in q:
            e = noise.laplace(4 * k / eps)
            if q_i + e >= T + eta:
                yield ABOVE
                count += 1
            else:
                yield BELOW
                if count >= k:
                    break

    @alignment(breaks_only_on_losers, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
    """,
    wrong("breaks_only_on_losers", "the counter must bound the winners", fails="cost", refuted=True),
)


@mechanism
def counter_from_k(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Private, and with half of the winners' budget unused: the counter starts at k/2."""
    eta = noise.laplace(2 / eps)
    count = k / 2
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


def _svt(program, claim="eps"):
    @alignment(program, epsilon=claim)
    def phi(q, q_, omega, H):
        return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])

    return phi


def test_a_counter_may_start_anywhere():
    # At most ceil(k/2) <= (k + 1)/2 winners, each at eps/(2k): no more than eps/2 for k >= 1.
    assert check(_svt(counter_from_k)).verdict is not Verdict.REFUTED


table.base(
    """
    @mechanism
    def division_by_a_counter(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # Each iteration is half as dear as the last; the sum is below eps, but no rate says so.
        s = 2 / eps
        for q_i in q:
            e = noise.laplace(s)
            yield q_i + e
            s = 2 * s

    @alignment(division_by_a_counter, epsilon="9 * eps / 10")
    def phi(q, q_, H):
        return H.shift(e=by_pairs(q, q_))
    """,
    wrong("division_by_a_counter_too_cheap_phi", "a geometric budget is not overrun"),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
