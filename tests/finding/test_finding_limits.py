"""``find`` proposes limits of the noise where no pure claim is proved, and the delta that pays for them."""

from __future__ import annotations

import math
from typing import Annotated

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    InputError,
    LanguageError,
    Lattice,
    Noise,
    Positive,
    Proportion,
    Queries,
    Query,
    Real,
    Sensitivity,
    Tag,
    check,
    find,
    load,
    log,
    mechanism,
)

NOTHING = Tag("NOTHING")

Whole = Annotated[Query, Lattice(1)]
Wholes = Annotated[Queries, Lattice(1)]


@mechanism
def real_key(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING


@mechanism
def key_from_tau(q: Whole, tau: Count, eps: Epsilon, noise: Noise):
    x = noise.discrete_laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING


@mechanism
def key_above_tau(q: Whole, tau: Count, eps: Epsilon, noise: Noise):
    x = noise.discrete_laplace(1 / eps)
    if q > 0 and q + x > tau:
        return q + x
    return NOTHING


@mechanism
def key_that_is_returned_late(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    noisy = q + x
    if q <= 0 or tau > noisy:
        return NOTHING
    return noisy


@mechanism
def keys_from_two(q: Wholes, tau: Count, eps: Epsilon, noise: Noise):
    """A key of fewer than two people is never released."""
    for q_i in q:
        x = noise.discrete_laplace(1 / eps)
        if q_i >= 2 and q_i + x >= tau:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def keys(q: Wholes, tau: Count, eps: Epsilon, noise: Noise):
    for q_i in q:
        x = noise.discrete_laplace(1 / eps)
        if q_i > 0 and q_i + x >= tau:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def drawn_before(q: Queries, tau: Positive, eps: Epsilon, noise: Noise):
    x = [noise.laplace(1 / eps) for a in q]
    for i in range(len(q)):
        if q[i] > 0 and q[i] + x[i] >= tau:
            yield q[i] + x[i]
        else:
            yield NOTHING


@mechanism
def key_by_its_delta(q: Whole, p: Count, a: Proportion, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    if q > p - 1 and q + x > p + log(1 / (2 * a)) / eps:
        return q + x
    return NOTHING


@mechanism
def of_two_people(q: Annotated[Query, Sensitivity(2), Lattice(1)], tau: Count, eps: Epsilon, noise: Noise):
    x = noise.discrete_laplace(2 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING


@mechanism
def two_keys(a: Query, b: Query, d: Proportion, eps: Epsilon, noise: Noise):
    tau = 1 + 2 * log(2 / d) / eps
    x = noise.laplace(2 / eps)
    y = noise.laplace(2 / eps)
    return (
        a + x if a > 0 and a + x >= tau else NOTHING,
        b + y if b > 0 and b + y >= tau else NOTHING,
    )


@mechanism
def cut_lattice(q: Whole, m: Count, eps: Epsilon, noise: Noise):
    x = noise.discrete_laplace(1 / eps, within=m)
    return q + x


@mechanism
def cut_laplace(q: Query, A: Positive, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps, within=A)
    return q + x


@mechanism
def cut_list(q: Queries, A: Positive, eps: Epsilon, noise: Noise):
    x = [noise.laplace(1 / eps, within=A) for a in q]
    return [q[i] + x[i] for i in range(len(q))]


@mechanism
def cut_sparse_vector(q: Queries, T: Real, A: Positive, eps: Epsilon, noise: Noise):
    t = noise.laplace(2 / eps)
    for q_i in q:
        x = noise.laplace(4 / eps, within=A)
        if q_i + x >= T + t:
            yield ABOVE
            break
        else:
            yield BELOW


@mechanism
def one_sided(q: Query, eps: Epsilon, noise: Noise):
    x = noise.exponential(1 / eps)
    return q + x


@mechanism
def one_sided_lattice(q: Whole, eps: Epsilon, noise: Noise):
    x = noise.geometric(1 / eps)
    return q + x


@mechanism
def one_sided_stream(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        x = noise.exponential(1 / eps)
        yield q_i + x


WHOLE = "exp(-eps * (tau - 1)) / (1 + exp(-eps))"
CUT = "(exp(eps) - 1) / (2 * exp(A * eps) - 2)"

FOUND = [
    (real_key, "each", "eps", "exp(-eps * (tau - 1)) / 2"),
    (real_key, "l1", "eps", "exp(-eps * (tau - 1)) / 2"),
    (key_from_tau, "each", "eps", WHOLE),
    (key_above_tau, "each", "eps", "exp(-eps * tau) / (1 + exp(-eps))"),
    (key_that_is_returned_late, "each", "eps", "exp(-eps * (tau - 1)) / 2"),
    (keys_from_two, "one", "eps", "exp(-eps * (tau - 2)) / (1 + exp(-eps))"),
    (keys, "one", "eps", WHOLE),
    (keys, "each", "eps * len(q)", f"len(q) * {WHOLE}"),
    pytest.param(keys, "l1", "eps", f"len(q) * {WHOLE}", marks=pytest.mark.slow),
    (drawn_before, "one", "eps", "exp(-eps * (tau - 1)) / 2"),
    (key_by_its_delta, "each", "eps", "a"),
    (of_two_people, "each", "eps", "exp(-eps * (tau - 2) / 2) / (1 + exp(-eps / 2))"),
    pytest.param(two_keys, "each", "eps", "d / 2", marks=pytest.mark.slow),
    (two_keys, "one", "eps / 2", "d / 4"),
    (cut_lattice, "each", "eps",
     "(exp(-eps * m) - exp(-eps * m - eps)) / (1 + exp(-eps) - 2 * exp(-eps * m - eps))"),
    (cut_laplace, "each", "eps", CUT),
    (cut_list, "one", "eps", CUT),
    (cut_list, "each", "eps * len(q)", "(exp(eps) - 1) * len(q) / (2 * exp(A * eps) - 2)"),
    (cut_sparse_vector, "each", "eps", "(exp(eps / 2) - 1) * len(q) / (2 * exp(A * eps / 4) - 2)"),
    (one_sided, "each", "eps", "1 - exp(-eps)"),
    (one_sided_lattice, "each", "eps", "1 - exp(-eps)"),
    (one_sided_stream, "one", "eps", "1 - exp(-eps)"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "adjacency", "claim", "delta"), FOUND, ids=lambda value: str(value)[:40])
def test_a_claim_with_delta_is_found(program, adjacency, claim, delta):
    findings = find(program, adjacency=adjacency)
    proposal = findings.proved
    assert proposal is not None, findings.reason
    assert (proposal.claim, proposal.delta) == (claim, delta)
    assert proposal.result.delta == delta
    assert findings.proved_instead is None
    assert f"claim: {claim} with delta = {delta}" in str(findings)


@mechanism
def no_noise(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    """Whether the key is there is told as it is."""
    x = noise.laplace(1 / eps)
    if q > 0 and q >= tau:
        return x
    return NOTHING


@mechanism
def exact_count(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    """The noisy count decides, and the exact one is released."""
    x = noise.laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q
    return NOTHING


@mechanism
def draws_that_are_counted(q: Queries, tau: Real, eps: Epsilon, noise: Noise):
    """There are as many outputs as keys that are there."""
    for q_i in q:
        if q_i > 0:
            x = noise.laplace(1 / eps)
            if q_i + x >= tau:
                yield q_i + x
            else:
                yield NOTHING


@mechanism
def key_that_is_missed(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    """A key below the threshold is told from one that is not there."""
    x = noise.laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return BELOW if q > 0 else NOTHING


@mechanism
def draw_of_a_key(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    """Where the key is not there, nothing is drawn, and the output tells so."""
    if q > 0:
        x = noise.laplace(1 / eps)
        if q + x >= tau:
            return q + x
        return BELOW
    return NOTHING


@mechanism
def one_draw_for_two(q: Query, r: Query, A: Positive, eps: Epsilon, noise: Noise):
    """The difference is told without noise."""
    x = noise.laplace(1 / eps, within=A)
    return q + x, r + x


@mechanism
def noise_on_the_sign(q: Query, eps: Epsilon, noise: Noise):
    """A change of sign cannot be made up for by noise that is multiplied."""
    x = noise.exponential(1 / eps)
    return q * x


LEAKS = [
    (no_noise, "each"),
    (exact_count, "each"),
    (draws_that_are_counted, "one"),
    (draws_that_are_counted, "each"),
    (key_that_is_missed, "each"),
    (draw_of_a_key, "each"),
    (one_draw_for_two, "each"),
    (noise_on_the_sign, "each"),
]


@pytest.mark.parametrize(("program", "adjacency"), LEAKS, ids=lambda value: str(value))
def test_no_delta_pays_for_a_leak(program, adjacency):
    findings = find(program, adjacency=adjacency, effort=0)
    assert not any(proposal.result.proved for proposal in findings.proposals), str(findings)


# The delta that is asked for is true of another mechanism; the one that is true of this one stands beside it.
TOO_SMALL = [
    (key_from_tau, "each", "exp(-eps * tau) / (1 + exp(-eps))", WHOLE),
    (keys, "each", WHOLE, f"len(q) * {WHOLE}"),
    pytest.param(keys, "l1", WHOLE, f"len(q) * {WHOLE}", marks=pytest.mark.slow),
    (of_two_people, "each", "exp(-eps * (tau - 1) / 2) / (1 + exp(-eps / 2))",
     "exp(-eps * (tau - 2) / 2) / (1 + exp(-eps / 2))"),
    (cut_laplace, "each", "exp(-eps * (A - 1)) / 2 / 3", CUT),
    (one_sided, "each", "exp(-eps) / 2", "1 - exp(-eps)"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "adjacency", "asked", "true"), TOO_SMALL, ids=lambda value: str(value)[:40])
def test_a_delta_that_is_too_small_is_not_reached(program, adjacency, asked, true):
    findings = find(program, adjacency=adjacency, delta=asked, effort=0)
    assert findings.proved is None
    assert findings.proved_instead is not None
    assert findings.proved_instead.delta == true
    assert f"any with delta = {asked} was not reached" in findings.reason


@pytest.mark.parametrize(
    ("program", "claim", "delta"),
    [
        (real_key, None, "exp(-eps * (tau - 1))"),
        (real_key, "eps", "exp(eps - eps * tau) / 2"),
        (key_by_its_delta, "2 * eps", "a"),
        (one_sided, "eps", "1 - exp(-eps) / 2"),
    ],
)
def test_a_delta_that_is_asked_for_is_the_one_that_is_proved(program, claim, delta):
    findings = find(program, claim=claim, delta=delta)
    assert findings.proved is not None, findings.reason
    assert (findings.proved.claim, findings.proved.delta) == (claim or "eps", delta)


LIBRARIES = {
    "opendp_threshold": ("eps", WHOLE),
    "opendp_group_by": ("eps", "exp(-eps * tau) / (1 + exp(-eps))"),
    "opendp_threshold_of_floats": ("eps * d", "exp(-eps * (tau - d)) / 2"),
    "tumult_partition_selection": ("eps", WHOLE),
    "tumult_partition_selection_of_two_rows": ("2 * eps", "exp(-eps * (tau - 2)) / (1 + exp(-eps))"),
    "google_selection": ("eps", "a"),
    "stability_histogram": ("eps / 2", "d / 4"),
    "stability_histogram_of_two": ("eps / 2", "d / 4"),
    "truncated_selection": (
        "eps", "(exp(-eps * m) - exp(-eps * m - eps)) / (1 + exp(-eps) - 2 * exp(-eps * m - eps))"
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", LIBRARIES)
def test_what_is_found_for_the_keys_of_libraries(name):
    proposal = find(load(name), adjacency="one", effort=0).proved
    assert proposal is not None
    assert (proposal.claim, proposal.delta) == LIBRARIES[name]


def test_a_pure_claim_comes_first():
    findings = find(load("noisy_max"))
    assert findings.proved is not None
    assert (findings.proved.claim, findings.proved.delta, findings.delta) == ("eps", None, None)
    assert "delta" not in findings.proved.source


@pytest.mark.parametrize("delta", [0, "0"])
def test_a_delta_of_0_asks_for_pure_claims_only(delta):
    findings = find(real_key, delta=delta, effort=0)
    assert findings.proved is None
    assert all(proposal.delta is None for proposal in findings.proposals)


def test_a_claim_without_a_delta_is_a_pure_one():
    findings = find(one_sided, claim="eps", effort=0)
    assert findings.proved is None
    assert findings.proved_instead is not None
    assert findings.proved_instead.whole_claim == "eps with delta = 1 - exp(-eps)"
    assert "PROVED INSTEAD" in str(findings)


def test_where_no_noise_needs_a_limit_delta_pays_for_nothing():
    findings = find(load("laplace_mechanism"), delta="exp(-eps)", effort=0)
    assert findings.proved is None
    assert findings.reason == "no limit of noise is proposed that delta would pay for; leave delta out"


def test_what_is_printed_is_an_alignment():
    source = find(keys, adjacency="one").proved.source
    assert source == (
        f'@alignment(keys, epsilon="eps", delta="{WHOLE}", adjacency="one")\n'
        "def phi(q, q_, omega, tau, H):\n"
        '    """Moves x by q[i] - q_[i], so that `q_i > 0 and q_i + x >= tau` keeps its truth value, but not\n'
        "    where one answer passes and the other does not.\n"
        '    """\n'
        "    new = [(q[i] > 0) != (q_[i] > 0) for i in range(len(q))]\n"
        "    return H.shift(\n"
        "        x=[0 if new[i] else q[i] - q_[i] for i in range(len(omega))],\n"
        "    ).below(\n"
        "        x=[tau - 1 if new[i] else None for i in range(len(q))],\n"
        "    )\n"
    )


def test_what_is_found_is_what_check_says():
    proposal = find(cut_laplace).proved
    result = check(proposal.alignment)
    assert result.proved
    assert (result.claim, result.delta) == ("eps", CUT)


def test_a_delta_that_cannot_be_one():
    with pytest.raises(InputError, match="delta must be a string"):
        find(real_key, delta=True)
    with pytest.raises(LanguageError):
        find(real_key, delta="exp(")
    with pytest.raises(LanguageError, match="may not depend on the output"):
        find(real_key, delta="len(omega) * eps")


def test_the_delta_of_an_exponential_is_that_of_its_event():
    """The least delta of q + exponential(1/eps) at eps: with q = 0 and 1 the noise below 1 gives what D' cannot."""
    proposal = find(one_sided).proved
    assert proposal is not None
    eps = 0.7
    assert math.isclose(eval(proposal.delta, {"exp": math.exp, "eps": eps}), 1 - math.exp(-eps))
