"""Rules 1 to 4: what a verdict may rest on."""

# Programs under test compute values that they do not use: that they may be undefined is the point.

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

from alignkit import (
    ABOVE,
    BELOW,
    Epsilon,
    LanguageError,
    Noise,
    Queries,
    Query,
    alignment,
    check,
    exp,
    largest,
    mechanism,
    sqrt,
)
from alignkit.proving.deciding import Decider
from alignkit.proving.proof import prove
from alignkit.results import Verdict
from alignkit.symbolic.solver import Answer, Outcome
from alignkit.symbolic.z3_solver import Z3Solver

# Answers this large are tried by no random search: what goes wrong there is for the prover to see.


@mechanism
def laplace(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q + eta


@alignment(laplace, epsilon="eps")
def laplace_phi(q, q_, H):
    return H.shift(eta=q - q_)


# Rule 1


def test_the_plain_mechanism_is_proved(proved):
    proved(laplace_phi)


@pytest.mark.parametrize("condition", ["same_output", "cost", "one_to_one"])
def test_a_condition_whose_obligations_are_unknown_is_not_proved(condition):
    class Shy(Z3Solver):
        """Knows everything but what serves one condition."""

        def decide(self, hypotheses, goal):
            return Answer(Outcome.UNKNOWN, reason="shy")

    proof = prove(laplace_phi, Decider(lambda seconds: Shy(seconds), 60), range(10_000))
    assert not proof.complete


table = Table()

table.base(
    """
    @mechanism
    def numbers_for_tags(q: Query, eps: Epsilon, noise: Noise):
        eta = noise.laplace(1 / eps)
        if q + eta >= 10 * 10 * 10 * 10:
            yield 1
        else:
            yield 0

    @alignment(numbers_for_tags, epsilon="0")
    def phi(H):
        return H.shift()
    """,
    wrong("numbers_for_tags_phi", "an obligation that is plainly false ends no proof", fails="same_output"),
    wrong(
        "other_scale_phi", "scales that plainly differ end no proof",
        {
            "eta = noise.laplace(1 / eps)\nif q + eta >= 10 * 10 * 10 * 10:\n    yield 1":
                "if q > 10 * 10 * 10 * 10:\n    s = 1",
            "else:\n    yield 0": "else:\n    s = 2\neta = noise.laplace(s / eps)\nyield BELOW",
        },
        fails="noise_used",
    ),
)


# Rule 2

table.base(
    """
    @mechanism
    def laplace_stream(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        count = 0
        for q_i in q:
            e = noise.laplace(1 / eps)
            count += 1
            yield q_i + e

    @alignment(laplace_stream, epsilon="eps", invariant="count < 0")
    def phi(q, q_, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
    """,
    wrong("false_invariant_phi", refuted=True),
    wrong(
        "contradictory_invariant_phi",
        changes={'invariant="count < 0"': 'invariant=["count >= 1", "count <= 0"]'},
        refuted=True,
    ),
    wrong("absurd_invariant_phi", changes={'invariant="count < 0"': 'invariant="1 < 0"'}, refuted=True),
    wrong("wished_for_cost_phi", changes={'invariant="count < 0"': 'invariant="privacy_cost <= eps"'}, refuted=True),
    wrong("wished_for_bound_phi", changes={'invariant="count < 0"': 'invariant="count <= k"'}, refuted=True),
    wrong("false_premise_phi", changes={'invariant="count < 0"': 'invariant="k <= 0"'}, refuted=True),
)

table.base(
    """
    @mechanism
    def never_defined(q: Query, eps: Epsilon, noise: Noise):
        eta = noise.laplace(sqrt(2) - 2)
        return q

    @alignment(never_defined, epsilon="eps")
    def phi(H):
        return H.shift()
    """,
    wrong("never_defined_phi", "premises that contradict prove nothing"),
    wrong("no_such_scale_phi", "a program that is never defined proves nothing", {"sqrt(2) - 2": "-eps"}),
)

table.base(
    """
    @mechanism
    def far_branch(q: Query, T: Real, eps: Epsilon, noise: Noise):
        eta = noise.laplace(1 / eps)
        if T * T < T - 10:
            yield q
        else:
            yield q + eta

    @alignment(far_branch, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(eta=q - q_)
    """,
    right("far_branch_phi", "a branch that is impossible may be left out", checked=True),
)


# Rule 3

table.base(
    """
    @mechanism
    def threshold(q: Query, eps: Epsilon, noise: Noise):
        eta = noise.laplace(1 / eps)
        if q + eta >= 0:
            yield ABOVE
        else:
            yield BELOW

    @alignment(threshold, epsilon="eps")
    def phi(omega, H):
        return H.shift(eta=-1 if omega[0] is ABOVE else 1)
    """,
    wrong("wrong_way_phi", "a refutation replays", fails="same_output", refuted=True),
    wrong(
        "irrational_phi", "a boundary at an irrational number is refuted at a rational one",
        {
            "if q + eta >= 0:": "x = q + eta\nif x * x >= 2:",
            "eta=-1 if omega[0] is ABOVE else 1": "eta=1 if omega[0] is ABOVE else 0",
        },
        fails="same_output", refuted=True,
    ),
)


@mechanism
def tie_only(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if eta == 1:
        yield ABOVE
    else:
        yield BELOW


@alignment(tie_only, epsilon="eps")
def tie_only_phi(H):
    return H.shift(eta=0)


@alignment(tie_only, epsilon="eps")
def tie_moved_phi(H):
    return H.shift(eta=1)


def test_a_tie_refutes_nothing():
    assert check(tie_only_phi).verdict is not Verdict.REFUTED
    assert check(tie_moved_phi).verdict is not Verdict.REFUTED


# Rule 4: definedness is an obligation on both runs and of the alignment

table.base(
    """
    @mechanism
    def divides_by_answer(q: Query, eps: Epsilon, noise: Noise):
        eta = noise.laplace(1 / eps)
        z = 1 / (q - 10 * 10 * 10 * 10)
        return q + eta

    @alignment(divides_by_answer, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(eta=q - q_)
    """,
    wrong("divides_by_answer"),
    wrong(
        "divides_far_out",
        changes={
            "z = 1 / (q - 10 * 10 * 10 * 10)\nreturn q + eta":
                "z = 0\nif q > 10 * 10 * 10 * 10:\n    z = 1 / 0\nreturn q + eta + z",
        },
    ),
    wrong("root_of_answer", changes={"z = 1 / (q - 10 * 10 * 10 * 10)": "z = clamp(0, q - 10 * 10 * 10 * 10, 0)"}),
    wrong(
        "list_too_short",
        changes={
            "z = 1 / (q - 10 * 10 * 10 * 10)":
                "t = [1, 2]\nz = 0\nfor i in range(3):\n    if q > 10 * 10 * 10 * 10:\n        z = t[i]",
        },
    ),
    wrong(
        "too_few_to_choose",
        changes={
            "z = 1 / (q - 10 * 10 * 10 * 10)":
                "z = 0\nif q > 10 * 10 * 10 * 10:\n    best = largest([1, 2], 5)\n    z = best[0]",
        },
    ),
    wrong(
        "largest_of_none",
        changes={
            "z = 1 / (q - 10 * 10 * 10 * 10)":
                "z = 0\nif q > 10 * 10 * 10 * 10:\n    z = max([x for x in [1] if x > 3])",
        },
    ),
    wrong(
        "unpacks_too_few",
        changes={
            "z = 1 / (q - 10 * 10 * 10 * 10)": "z = 0\nif q > 10 * 10 * 10 * 10:\n    a, b = [x for x in [1] if x > 3]",
        },
    ),
    wrong(
        "narrows_n_phi", "an alignment does not narrow n",
        {
            "Query": "Queries",
            "z = 1 / (q - 10 * 10 * 10 * 10)\nreturn q + eta": "z = q[0] + eta\nif len(q) < 3:\n    z = q[0]\nreturn z",
            "return H.shift(eta=q - q_)": "z = 0 * q[2]\nreturn H.shift(eta=q[0] - q_[0] + z)",
        },
        refuted=True,
    ),
)

table.base(
    """
    @mechanism
    def divides_by_noise(q: Query, eps: Epsilon, noise: Noise):
        eta = noise.discrete_laplace(1 / eps)
        z = 1 / (eta - 10 * 10 * 10 * 10)
        yield BELOW

    @alignment(divides_by_noise, epsilon="eps")
    def phi(H):
        return H.shift()
    """,
    wrong("divides_by_noise_phi", fails="termination"),
)

# An alignment that is undefined where the mechanism leaks proves nothing
table.base(
    """
    @mechanism
    def raw_far_out(q: Query, eps: Epsilon, noise: Noise):
        eta = noise.laplace(1 / eps)
        z = q + eta
        if q > 10 * 10 * 10 * 10:
            z = q
        return z

    @alignment(raw_far_out, epsilon="eps")
    def phi(q, q_, H):
        z = 0 / (0 if q > 10 * 10 * 10 * 10 - 5 else 1)
        return H.shift(eta=q - q_ + z)
    """,
    wrong("divides_by_nothing_phi"),
    wrong(
        "largest_of_none_phi",
        changes={
            "z = 0 / (0 if q > 10 * 10 * 10 * 10 - 5 else 1)\nreturn H.shift(eta=q - q_ + z)": (
                "if q > 10 * 10 * 10 * 10 - 5:\n"
                "    z = max([0 for x in [1] if x > 3])\n"
                "    return H.shift(eta=z)\n"
                "return H.shift(eta=q - q_)"
            ),
        },
    ),
    wrong(
        "list_too_short_phi",
        changes={
            "z = 0 / (0 if q > 10 * 10 * 10 * 10 - 5 else 1)":
                "t = [0, 0]\nz = 0\nfor i in range(3):\n    if q > 10 * 10 * 10 * 10 - 5:\n        z = t[i]",
        },
    ),
    wrong(
        "too_few_phi",
        changes={
            "z = 0 / (0 if q > 10 * 10 * 10 * 10 - 5 else 1)\nreturn H.shift(eta=q - q_ + z)": (
                "if q > 10 * 10 * 10 * 10 - 5:\n"
                "    best = largest([0], 2)\n"
                "    return H.shift(eta=best[0])\n"
                "return H.shift(eta=q - q_)"
            ),
        },
    ),
    wrong(
        "divides_phi",
        changes={
            "z = 0 / (0 if q > 10 * 10 * 10 * 10 - 5 else 1)": "z = 0\nif q > 10 * 10 * 10 * 10 - 5:\n    z = 1 / 0",
        },
    ),
    wrong(
        "unpacks_phi",
        changes={
            "z = 0 / (0 if q > 10 * 10 * 10 * 10 - 5 else 1)":
                "z = 0\nif q > 10 * 10 * 10 * 10 - 5:\n    z, w = [x for x in [1] if x > 3]",
        },
    ),
)

# Neither alignment nor claim narrows the public inputs
table.base(
    """
    @mechanism
    def raw_for_one_count(q: Query, k: Count, eps: Epsilon, noise: Noise):
        eta = noise.laplace(1 / eps)
        z = q + eta
        if k == 1000:
            z = q
        return z

    @alignment(raw_for_one_count, epsilon="eps")
    def phi(q, q_, k, H):
        z = 0 / (k - 1000)
        return H.shift(eta=q - q_ + z)
    """,
    wrong("narrowing_phi"),
    wrong(
        "narrowing_claim_phi",
        changes={
            'epsilon="eps"': 'epsilon="eps + 0 / (k - 1000)"',
            "z = 0 / (k - 1000)\nreturn H.shift(eta=q - q_ + z)": "return H.shift(eta=q - q_)",
        },
    ),
)

table.base(
    """
    @mechanism
    def empty_range(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        for i in range(1000 - k):
            yield BELOW
        yield q[0] if k > 1000 else 0

    @alignment(empty_range, epsilon="eps")
    def phi(H):
        return H.shift()
    """,
    wrong("empty_range_phi", "Python's range(-1) is empty, no error: the inputs with k > 1000 may not be left out"),
)

table.base(
    """
    @mechanism
    def index_from_the_end(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        eta = noise.laplace(1 / eps)
        z = q[k - 1000]
        if k < 1000:
            x = q[0]
        else:
            x = q[0] + eta
        return x

    @alignment(index_from_the_end, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(eta=q[0] - q_[0])
    """,
    wrong("index_from_the_end_phi", "Python counts from the end: k = 999 is defined for every n"),
)

table.base(
    """
    @mechanism
    def asked_again(q: Queries, eps: Epsilon, noise: Noise):
        # The same maximum, first where it exists, then without asking: for n = 1 it is undefined.
        eta = [noise.laplace(2 / eps) for q_i in q]
        noisy = [q_i + e for q_i, e in zip(q, eta)]
        (best,) = largest(noisy, 1)
        a = max(noisy[i] for i in range(len(q)) if i != best) if len(q) > 1 else 0
        b = max(noisy[i] for i in range(len(q)) if i != best)
        return best

    @alignment(asked_again, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
    """,
    wrong("asked_again_phi", "a maximum that exists under a condition need not exist without"),
)


@mechanism
def top_two(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + e for q_i, e in zip(q, eta)]
    best, second = largest(noisy, 2)
    return best


@alignment(top_two, epsilon="eps")
def top_two_phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


def test_what_the_program_needs_of_n_is_said():
    result = check(top_two_phi)
    if result.verdict is Verdict.PROVED:
        assert any("defined" in a for a in result.assumptions)


def test_a_claim_must_be_a_number_of_public_parameters():
    for claim in ("q", "k", "eps +", "eps < 1", "noise"):
        with pytest.raises(LanguageError):
            alignment(laplace, epsilon=claim)(laplace_phi.python)


# Rule 3: a replay that rounding may have decided shows nothing


@mechanism
def underflows(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if exp(-1000) > 0:
        return q + e
    return q


@mechanism
def rounds_to_one(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if exp(1 / 100000000000000000000) > 1:
        return q + e
    return q


@mechanism
def root_twice(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    y = sqrt(2) * sqrt(2)
    if (q + e) * y == 2 * (q + e):
        return q + e
    return q


@mechanism
def best_of_roots(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    (best,) = largest([2, sqrt(2) * sqrt(2)], 1)
    if best == 0:
        return q + e
    return q


@mechanism
def plainly_decided(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if sqrt(2) > 1.5:
        return q + e
    return q


def moves_by_the_change(of, **named):
    def phi(q, q_, H):
        return H.shift(e=q - q_)

    return alignment(of, epsilon="eps", **named)(phi)


def moves_unless_rounding_decides(q, q_, H):
    return H.shift(e=q - q_ if sqrt(2) * sqrt(2) <= 2 else 0)


@pytest.mark.parametrize("of", [underflows, rounds_to_one, root_twice, best_of_roots], ids=lambda m: m.name)
def test_what_rounding_decides_refutes_nothing(of):
    assert check(moves_by_the_change(of), effort=0).verdict is not Verdict.REFUTED


def test_so_it_is_in_an_alignment():
    @mechanism
    def plain(q: Query, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return q + e

    phi = alignment(plain, epsilon="eps")(moves_unless_rounding_decides)
    assert check(phi, effort=0).verdict is not Verdict.REFUTED


def test_what_is_decided_by_more_than_rounding_refutes(refuted):
    refuted(moves_by_the_change(plainly_decided), "same_output")


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
