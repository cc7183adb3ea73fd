"""Releases: what allows them, what refuses them, what they read and when, and the law of what comes out."""

from __future__ import annotations

import inspect
import math
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import alignkit
from alignkit import BELOW, InputError, LanguageError, Queries, Query, base2, check
from alignkit.catalogue import find_alignments
from alignkit.mechanisms.adaptive_sparse_vector import TOP
from alignkit.noise.exact_sampling import randomness as randomness_module
from alignkit.noise.exact_sampling.drawing import ExactNoise, exact_sampler
from alignkit.noise.exact_sampling.randomness import SeededBits
from alignkit.proofs import (
    adaptive_queries,
    discrete_laplace,
    discrete_selection,
    discrete_sparse_vector,
    geometric_sparse_vector,
    hybrids,
)
from alignkit.proofs import noisy_max as ideal
from alignkit.releasing import release, release_interactively, release_on
from alignkit.releasing.exact_release import prepare, read_private
from alignkit.results import Verdict

NOISY_MAX = discrete_selection.noisy_max_discrete
TOP_K = discrete_selection.noisy_top_k_discrete
LAPLACE = discrete_laplace.discrete_laplace_mechanism
BASE2 = discrete_laplace.discrete_laplace_mechanism_base2
SPARSE = discrete_sparse_vector.discrete_sparse_vector


def checked(alignment):
    result = check(alignment, effort=0)
    assert result.verdict is Verdict.PROVED
    return result


@pytest.fixture(scope="module")
def max_proof():
    return checked(discrete_selection.max_phi)


@pytest.fixture(scope="module")
def top_k_proof():
    return checked(discrete_selection.top_k_phi)


@pytest.fixture(scope="module")
def laplace_proof():
    return checked(discrete_laplace.phi)


@pytest.fixture(scope="module")
def base2_proof():
    return checked(discrete_laplace.base2_phi)


@pytest.fixture(scope="module")
def sparse_proof():
    return checked(discrete_sparse_vector.phi)


def seeded(mechanism, *answers, proof, seed=1, rounding="refuse", true_sensitivity=None, source=None, **parameters):
    """A release whose random bits come from a seed."""
    source = SeededBits(seed) if source is None else source
    return release_on(source, mechanism, answers, parameters, proof, rounding, true_sensitivity)


class Unread:
    """A private argument that must not be looked at."""

    def __getattribute__(self, name):
        raise AssertionError(f"a private value was read: {name}")

    def __iter__(self):
        raise AssertionError("a private value was read")

    __len__ = __int__ = __float__ = __iter__


SPARSE_PUBLIC = {"low": -100, "high": 100, "delta": 1, "c": 2, "eta": base2(3, 2, 8), "w": 20, "gamma": 1}


# What comes out


def test_a_release_uses_the_randomness_of_the_operating_system(max_proof, monkeypatch):
    read = []
    monkeypatch.setattr(randomness_module.os, "urandom", lambda n: read.append(n) or bytes(n))
    assert release(NOISY_MAX, [3, 90, 5], eps=0.7, proof=max_proof) == 1
    assert sum(read) >= 3 * 16


def test_one_proof_serves_many_releases(max_proof):
    assert {release(NOISY_MAX, [0, 500], eps=1, proof=max_proof) for _ in range(20)} == {1}


def test_an_alignment_is_checked_when_it_is_given():
    assert release(NOISY_MAX, [0, 500], eps=1, proof=discrete_selection.max_phi) == 1
    with pytest.raises(InputError, match="is refuted"):
        release(discrete_selection.noisy_max_with_gap_discrete, [1, 2], eps=1, proof=discrete_selection.max_gap_phi)


def test_the_law_of_a_release(base2_proof):
    """Noise of base 3/4 on the multiples of 1/2; chi-square at an error rate of 1e-6."""
    gamma = Fraction(1, 2)
    draws = Counter()
    for seed in range(4000):
        draws[seeded(BASE2, 3, delta=1, gamma=gamma, eta=base2(3, 2, 2), proof=base2_proof, seed=seed)] += 1
    r = 3 / 4
    law = {x: (1 - r) / (1 + r) * r ** abs(x) for x in range(-12, 13)}
    statistic = sum((draws[3 + x * gamma] - 4000 * p) ** 2 / (4000 * p) for x, p in law.items())
    assert statistic < 80  # 25 cells and a rest: 24 degrees of freedom exceed 80 with probability below 1e-6
    assert sum(draws[3 + x * gamma] for x in law) > 3700


def test_a_selection_by_its_exact_law(max_proof):
    """The probability that the second of two answers wins, by summing the law of the difference."""
    r = math.exp(-1)
    mass = {x: (1 - r) / (1 + r) * r ** abs(x) for x in range(-60, 61)}
    p = sum(a * b for x, a in mass.items() for y, b in mass.items() if y + 1 > x)
    wins = sum(seeded(NOISY_MAX, [0, 1], eps=2, proof=max_proof, seed=s) for s in range(4000))
    assert abs(wins - 4000 * p) < 4.9 * math.sqrt(4000 * p * (1 - p))  # two normal tails of 1e-6 together


def test_outputs_are_ints_where_they_are_whole(laplace_proof):
    out = seeded(LAPLACE, [1, 2, Fraction(5, 2)], delta=1, gamma=0.5, eps=0.3, proof=laplace_proof)
    assert {type(x) for x in out} <= {int, Fraction}
    assert all(x.denominator == 2 for x in out if type(x) is Fraction)
    assert all((2 * x).denominator == 1 for x in out)


def test_numpy_answers(max_proof):
    assert seeded(NOISY_MAX, np.array([0, 900]), eps=1, proof=max_proof) == 1
    assert seeded(NOISY_MAX, np.array([0.0, 900.0]), eps=1, proof=max_proof) == 1


def test_loops_that_stop(sparse_proof):
    out = seeded(SPARSE, [-90, 90, -90, 90, 90], **SPARSE_PUBLIC, proof=sparse_proof)
    assert [w is BELOW for w in out] == [True, False, True, False]


class OneByOne(ExactNoise):
    """Noise that gives many draws one after the other."""

    def many(self, name, count, *parameters):
        return [getattr(self, name)(*parameters) for _ in range(count)]


def test_draws_taken_at_once_equal_those_taken_one_by_one():
    """The recompiled function, which takes a list of draws in one call, against the plain exact one."""
    q, eps = list(range(60)), Fraction(7, 10)
    for seed in range(5):
        noise, noise_ = OneByOne(SeededBits(seed)), ExactNoise(SeededBits(seed))
        assert TOP_K.exact_at_once(q=q, k=4, eps=eps, noise=noise) == TOP_K.exact(q=q, k=4, eps=eps, noise=noise_)


def test_parameters_of_no_draws_are_not_computed(define):
    module = define(
        """
        @mechanism
        def m(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
            e = [noise.geometric(1 / eps) for q_i in q]
            none = [q_i for q_i in q if q_i > 1000000]
            f = [noise.geometric(1 / (eps - eps)) for q_i in none]
            return len(e) + len(f)
        """
    )
    assert module.m.exact_at_once(q=[1, 2, 3], eps=1, noise=ExactNoise(SeededBits(1))) == 3


def test_no_float_is_computed(sparse_proof, laplace_proof, top_k_proof):
    """Every local of every frame of a release, the samplers' included, at every line."""
    seen, files = set(), set()
    ours = str(Path(alignkit.__file__).parent), *(m.file for m in (SPARSE, LAPLACE, TOP_K))

    def holds_float(value):
        return type(value) is float or (isinstance(value, np.ndarray) and value.dtype.kind == "f")

    def watch(frame, event, argument):
        if not frame.f_code.co_filename.startswith(ours):
            return None
        files.add(Path(frame.f_code.co_filename).name)
        for name, value in frame.f_locals.items():
            values = value if type(value) in (list, tuple) else [value]
            seen.update((frame.f_code.co_qualname, name) for v in values if holds_float(v))
        return watch

    exact_sampler.cache_clear()  # so that the tables are made while we watch
    sys.settrace(watch)
    try:
        seeded(SPARSE, [-3, 4, 5], **SPARSE_PUBLIC, proof=sparse_proof)
        seeded(LAPLACE, [1, 2], delta=Fraction(3, 2), gamma=Fraction(1, 2), eps=Fraction(1, 3), proof=laplace_proof)
        seeded(TOP_K, [1, 2, 3], k=2, eps=Fraction(1, 97), proof=top_k_proof)
    finally:
        sys.settrace(None)
    assert not seen
    assert {"drawing.py", "randomness.py", Path(TOP_K.file).name} <= files


# What allows a release


IDEAL = [a for a in find_alignments([]) if any(d.distribution.support.continuous for d in a.mechanism.draws)]


@pytest.mark.parametrize("alignment", IDEAL, ids=lambda a: f"{a.mechanism.name}-{a.name}")
def test_mechanisms_over_ideal_reals_are_refused_with_the_reason(alignment):
    private = {name: Unread() for name in alignment.mechanism.private}
    with pytest.raises(InputError, match="over ideal reals"):
        release(alignment.mechanism, proof=alignment, **private)


def test_a_result_over_ideal_reals_is_refused(max_proof):
    with pytest.raises(InputError, match="ideal reals"):
        release(NOISY_MAX, Unread(), eps=1, proof=replace(max_proof, number_model="ideal reals"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"verdict": Verdict.UNDECIDED}, "is undecided"),
        ({"verdict": Verdict.REFUTED}, "is refuted"),
        ({"digest": ""}, "another version"),
        ({"digest": "0" * 64}, "another version"),
        ({"scope": {"n": "n <= 3", "eps": "all"}}, "covers n n <= 3 only"),
        ({"ex_post": True, "cost": None}, "ex-post"),
    ],
    ids=lambda x: next(iter(x), "") if isinstance(x, dict) else "",
)
def test_what_a_result_must_say(max_proof, change, words):
    with pytest.raises(InputError, match=words):
        release(NOISY_MAX, Unread(), eps=1, proof=replace(max_proof, **change))


def test_a_proof_of_another_mechanism(max_proof):
    with pytest.raises(InputError, match="is of noisy_max_discrete, not of noisy_top_k_discrete"):
        release(TOP_K, Unread(), k=1, eps=1, proof=max_proof)
    with pytest.raises(InputError, match="is of noisy_max,"):
        release(NOISY_MAX, Unread(), eps=1, proof=ideal.phi)
    with pytest.raises(InputError, match="needs proof"):
        release(NOISY_MAX, Unread(), eps=1, proof="proved")


PROGRAM = """
@mechanism
def counted(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
    e = [noise.discrete_laplace({scale}) for q_i in q]
    return [q_i + e_i for q_i, e_i in zip(q, e)]

@alignment(counted, epsilon="eps", adjacency="l1")
def phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
"""


def test_a_proof_of_the_same_name_and_place_but_another_program(define):
    right, wrong = define(PROGRAM.format(scale="1 / eps")), define(PROGRAM.format(scale="1 / eps / 2"))
    result = checked(right.phi)
    assert len(release(right.counted, [1, 2], eps=1, proof=result)) == 2
    with pytest.raises(InputError, match="another version of counted"):
        release(wrong.counted, [1, 2], eps=1, proof=result)
    again = define(PROGRAM.format(scale="1 / eps"))
    assert len(release(again.counted, [1, 2], eps=1, proof=result)) == 2


def test_functions_that_are_not_exact(define):
    program = PROGRAM.replace("    e = [", "    s = sqrt(eps)\n    e = [").format(scale="s / eps / s")
    module = define(program)
    with pytest.raises(LanguageError, match="`sqrt` is not exact"):
        release(module.counted, Unread(), eps=2, proof=module.phi)


# Bad public values: before any private value is read


def test_private_values_are_read_last(laplace_proof, base2_proof, sparse_proof, max_proof):
    good = {"delta": 1, "gamma": 1, "eps": 1, "proof": laplace_proof}
    for change, words in [
        ({"eps": 0}, "eps must be above 0"),
        ({"gamma": 2}, "delta must be a multiple of 2"),
        ({"gamma": Fraction(2, 3)}, "delta must be a multiple of 2/3"),
        ({"eps": Fraction(1, 2**70000)}, "more than exact noise computes with"),
        ({"rounding": "up"}, "rounding must be one of refuse, nearest, not 'up'"),
        ({"true_sensitivity": 1}, 'for rounding="nearest"'),
        ({"rounding": "nearest"}, "needs true_sensitivity"),
        ({"seed": 1}, "has no parameter 'seed'"),
    ]:
        with pytest.raises(InputError, match=words):
            release(LAPLACE, Unread(), **(good | change))
    sparse = dict(SPARSE_PUBLIC, proof=sparse_proof)
    for change, words in [
        ({"low": 5, "high": -5}, "the bounds are reversed"),
        ({"low": Fraction(1, 2)}, "low must be a multiple of 1"),
        ({"w": Fraction(3, 2)}, "w must be a multiple of 1"),
        ({"eta": base2(3, 2, 1)}, "z is a multiple of"),
    ]:
        with pytest.raises(InputError, match=words):
            release(SPARSE, Unread(), **(sparse | change))
    base = {"delta": 1, "gamma": 1, "proof": base2_proof}
    for eta, words in [
        (0.7, r"not a fraction.*nearest rate with 16 bits is base2\(40342, 16, 1\)"),
        (base2(3, 2, 1) * Fraction(1, 2), "z is a multiple of 2"),
        (base2(3, 2, 10**9), "smaller x, y and z"),
        (0, "above 0"),
    ]:
        with pytest.raises(InputError, match=words):
            release(BASE2, Unread(), eta=eta, **base)


def test_bounds_written_into_the_program(define):
    module = define(
        """
        @mechanism
        def clamped(q: Query(lattice=2, sensitivity=2), low: Real, eps: Epsilon, noise: Noise):
            high = low + 6
            e = noise.discrete_laplace(2 / eps, 2)
            return clamp(q, high, low) + e

        @mechanism
        def off(q: Query(lattice=2, sensitivity=2), low: Real, eps: Epsilon, noise: Noise):
            high = low + 6
            e = noise.discrete_laplace(2 / eps, 2)
            return clamp(q, low, high) + e

        @alignment(off, epsilon="eps")
        def phi(q, q_, H, low):
            return H.shift(e=clamp(q, low, low + 6) - clamp(q_, low, low + 6))
        """
    )
    with pytest.raises(InputError, match=r"line 7: clamp\(…, 10, 4\): the bounds are reversed"):
        prepare(module.clamped, {"low": 4, "eps": 1})
    with pytest.raises(InputError, match="5 is not a multiple of the lattice 2"):
        prepare(module.off, {"low": 5, "eps": 1})
    prepare(module.off, {"low": 4, "eps": 1})


# Answers off the lattice


def test_answers_off_the_lattice_are_refused_without_disclosing_them(laplace_proof):
    public = {"delta": 1, "gamma": 1, "eps": 1, "proof": laplace_proof}
    for bad in (0.123456, Fraction(123456, 1000001), math.nan, "secret", None, True, 1e400):
        with pytest.raises(InputError) as refusal:
            release(LAPLACE, [3, bad, 7], **public)
        assert refusal.value.__context__ is None
        for told in ("123456", "secret", "nan", "inf", "[1]"):
            assert told not in str(refusal.value)


ROUNDED = """
@mechanism
def rounded(
    q: Queries(sensitivity="delta", lattice="gamma"), delta: Positive, gamma: Positive, eps: Epsilon, noise: Noise
):
    e = [noise.discrete_laplace(2 * delta / eps, gamma) for q_i in q]
    (best,) = largest([q_i + e_i for q_i, e_i in zip(q, e)], 1)
    return best

@alignment(rounded, epsilon="eps")
def phi(q, q_, omega, H, delta):
    return H.shift(e=[delta + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
"""


def test_rounding_asks_for_the_sensitivity_that_it_costs(define):
    module = define(ROUNDED)
    public = {
        "gamma": Fraction(1, 2),
        "eps": 1,
        "proof": checked(module.phi),
        "rounding": "nearest",
        "true_sensitivity": 1,
    }
    with pytest.raises(InputError, match=r"up to 1 \+ 1, so it must declare at least 2"):
        release(module.rounded, Unread(), delta=1.5, **public)
    assert release(module.rounded, [0.2, 99.3], delta=2, **public) == 1
    with pytest.raises(InputError, match="must name q, and nothing else"):
        release(module.rounded, Unread(), delta=2, **(public | {"true_sensitivity": {"p": 1}}))
    with pytest.raises(InputError, match="must be above 0"):
        release(module.rounded, Unread(), delta=2, **(public | {"true_sensitivity": 0}))


def test_rounding_under_l1_may_move_every_answer(laplace_proof):
    public = {"gamma": 1, "eps": 1, "proof": laplace_proof, "rounding": "nearest", "true_sensitivity": 1}
    with pytest.raises(InputError, match=r"up to 1 \+ 6, so it must declare at least 7"):
        release(LAPLACE, [0.2, 0.3, 0.4], delta=3, **public)
    assert len(release(LAPLACE, [0.2, 0.3, 0.4], delta=7, **public)) == 3


def test_rounding_is_to_the_nearest_and_moves_halves_up(laplace_proof):
    given = [Fraction(-3, 4), -0.25, 0, 0.25, 0.26, 0.5, 7]
    rounded = read_private("nearest", "q", Queries(), given, Fraction(1, 2))
    assert rounded == [Fraction(-1, 2), 0, 0, Fraction(1, 2), Fraction(1, 2), Fraction(1, 2), 7]


def test_rounded_answers_lie_no_further_apart_than_promised():
    """All pairs on a fine grid: the sensitivity grows by at most 2 lattice steps."""

    def rounded(x):
        return read_private("nearest", "q", Query(), x, Fraction(1, 2))

    grid = [Fraction(i, 12) for i in range(-30, 31)]
    for a in grid:
        for b in grid:
            assert abs(rounded(a) - rounded(b)) <= abs(a - b) + 2 * Fraction(1, 2)
            assert (rounded(a) - rounded(b)) * (a - b) >= 0


def test_a_parameter_with_one_of_releases_own_names(define):
    module = define(PROGRAM.replace("eps: Epsilon", "eps: Epsilon, rounding: Real").format(scale="1 / eps"))
    with pytest.raises(InputError, match="a parameter `rounding`"):
        release(module.counted, [1], eps=1, proof=module.phi)


def test_undefined_runs_do_not_disclose_private_values(max_proof, top_k_proof):
    with pytest.raises(InputError) as refusal:
        release(TOP_K, [314159, 2], k=3, eps=1, proof=top_k_proof)
    assert "not defined for these public values (line" in str(refusal.value)
    assert "314159" not in str(refusal.value)


def test_only_mechanisms_are_released(max_proof):
    with pytest.raises(InputError, match="release takes a mechanism, not 'noisy_max'; decorate the function with"):
        release("noisy_max", [1, 2], eps=1, proof=max_proof)


def test_release_is_documented():
    assert "docs/release.md" in inspect.getdoc(release)


# Many releases of geometric mechanisms: numbers of every kind


def test_sparse_vector_with_geometric_noise():
    phi = geometric_sparse_vector.geometric_in_steps_phi
    out = release(phi.mechanism, [5, 90, 7, 95, 99], T=50, k=2, eps=40, theta=0.5, proof=phi)
    assert len(out) == 4
    assert {type(w) for w in out if w is not BELOW} == {int}


def test_adaptive_sparse_vector_with_geometric_noise():
    for phi in (geometric_sparse_vector.adaptive_in_steps_phi, geometric_sparse_vector.adaptive_in_steps_monotone_phi):
        out = release(phi.mechanism, [5, 90, 7, 95, 99], T=50, k=2, eps=40, theta=0.5, proof=phi)
        assert [tag for tag, *_ in out] == [BELOW, TOP, BELOW, TOP, TOP]
        assert {type(gap) for _, gap, *_ in out} == {int}


@pytest.mark.parametrize(
    "phi",
    [
        adaptive_queries.online_geometric_in_steps_phi,
        adaptive_queries.online_adaptive_in_steps_phi,
        adaptive_queries.online_adaptive_in_steps_monotone_phi,
    ],
    ids=lambda phi: phi.name,
)
def test_geometric_noise_for_queries_one_by_one(phi):
    run = release_interactively(phi.mechanism, T=50, k=2, eps=40, theta=0.5, proof=phi)
    low, high = run.ask(5), run.ask(5000)
    assert low in (BELOW, (BELOW, 0))
    gap = high if isinstance(high, int) else high[1]
    assert type(gap) is int
    assert abs(gap - 4950) < 200


def test_hybrids_with_geometric_noise():
    counts = {"q": [5, 900, 7, 950, 400], "T": 50, "k": 4, "eps": 40}
    identity = hybrids.identity_in_steps_phi
    named = release(identity.mechanism, **counts, proof=identity)
    assert [j for j, behind in named] == [4, 2, 5, 0], "the threshold is query 0"
    estimates = hybrids.estimates_in_steps_phi
    above = release(estimates.mechanism, **counts, theta=0.5, proof=estimates)
    assert [j for j, gap in above] == [3, 1, 4]
    assert {type(number) for _, number in (*named, *above)} == {int}


def test_selections_with_the_gaps_between_what_they_name():
    inner = discrete_selection.inner_gaps_phi
    chosen = release(inner.mechanism, [5, 900, 7, 950, 400], k=3, eps=60, proof=inner)
    assert [j for j, lead in chosen] == [3, 1, 4]
    assert chosen[-1][1] == 0
    of_two = discrete_selection.gap_of_two_phi
    best, gap = release(of_two.mechanism, [5, 900], eps=40, proof=of_two)
    assert best == 1
    assert type(gap) is int
    assert release(of_two.mechanism, [5], eps=40, proof=of_two) is BELOW

