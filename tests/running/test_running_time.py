"""What the running time may depend on: the claims read off programs, and runs that are held against them."""

from __future__ import annotations

import sys
from fractions import Fraction

import pytest

from alignkit import base2, check
from alignkit.mechanisms import discrete_laplace as laplace_mechanisms
from alignkit.mechanisms import discrete_selection, discrete_sparse_vector, hybrids
from alignkit.noise.exact_sampling.drawing import sampler
from alignkit.noise.exact_sampling.randomness import SeededBits
from alignkit.proofs import discrete_laplace
from alignkit.proofs import discrete_selection as selection_proofs
from alignkit.proofs import discrete_sparse_vector as sparse_proofs
from alignkit.releasing import release_on, running_time
from alignkit.releasing.exact_release import compared_function


def counted(mechanism, proof, q, seed, **parameters):
    """How many random bits a release reads, and which lines of the mechanism it runs."""
    source = SeededBits(seed)
    lines = []
    compared_function(mechanism)  # made and compared once, at the first release

    def watch(frame, event, argument):
        if frame.f_code.co_filename != mechanism.file:
            return None
        if event == "line":
            lines.append(frame.f_lineno)
        return watch

    sys.settrace(watch)
    try:
        output = release_on(source, mechanism, (q,), parameters, proof)
    finally:
        sys.settrace(None)
    return source.consumed, tuple(lines), output


DATA = [
    [0] * 40,
    list(range(40)),
    list(range(40, 0, -1)),
    [10**30 * (-1) ** i for i in range(40)],
    [7] * 39 + [-(10**9)],
]

FIXED = [
    (selection_proofs.max_phi, {"eps": Fraction(7, 10)}),
    (selection_proofs.top_k_phi, {"k": 3, "eps": Fraction(7, 10)}),
    (discrete_laplace.phi, {"delta": 1, "gamma": 1, "eps": Fraction(7, 10)}),
]


@pytest.mark.parametrize(("alignment", "parameters"), FIXED, ids=lambda x: getattr(x, "name", ""))
def test_claimed_bits_and_branches_do_not_depend_on_private_data(alignment, parameters):
    mechanism = alignment.mechanism
    claims = running_time(mechanism)
    assert claims.fixed_draws
    assert claims.fixed_branches
    proof = check(alignment, effort=0)
    for seed in range(4):
        runs = [counted(mechanism, proof, q, seed, **parameters) for q in DATA]
        assert len({bits for bits, _, _ in runs}) == 1
        assert len({lines for _, lines, _ in runs}) == 1


SPARSE = {"low": -(10**9), "high": 10**9, "delta": 1, "c": 2, "eta": base2(3, 2, 8), "w": 20, "gamma": 1}


def test_what_is_not_claimed_does_depend_on_private_data():
    """The counting of bits and lines would notice: sparse vector stops at its winners, and says where."""
    mechanism = discrete_sparse_vector.discrete_sparse_vector
    claims = running_time(mechanism)
    assert not claims.fixed_draws
    assert not claims.fixed_branches
    proof = check(sparse_proofs.phi, effort=0)
    runs = [counted(mechanism, proof, q, 1, **SPARSE) for q in ([10**6] * 40, [-(10**6)] * 40)]
    assert runs[0][0] != runs[1][0]
    assert runs[0][1] != runs[1][1]


def test_draws_that_the_output_determines():
    """Where the number of draws is not public, runs with one output read as many bits, whatever the data."""
    mechanism = discrete_sparse_vector.discrete_sparse_vector
    proof = check(sparse_proofs.phi, effort=0)
    by_output = {}
    for seed in range(3):
        for q in ([-900] * 40, [-800] * 40, [-900] * 5 + [900] + [-900] * 34, [-700] * 5 + [950] + [-900] * 34):
            bits, _, output = counted(mechanism, proof, q, seed, **SPARSE)
            by_output.setdefault(tuple(map(str, output)), set()).add(bits)
    assert len(by_output) >= 2
    assert all(len(bits) == 1 for bits in by_output.values())


WORDS = """
@mechanism
def m(q: Queries(lattice=1), k: Count, eps: Epsilon, noise: Noise):
    rho = noise.geometric(1 / eps)
    count = 0
    for i, q_i in enumerate(q):
        nu_i = noise.geometric(k / eps)
        if q_i + nu_i >= rho:
            yield i
            count += 1
        if count >= k:
            break
"""


def test_claims_in_words(define):
    assert str(running_time(define(WORDS, prelude=True).m)) == (
        "draws of rho: exactly 1\n"
        "draws of nu_i: at most len(q)\n"
        "iterations at line 7: at most len(q)\n"
        "what is proved of the output holds of the output together with the number of draws\n"
        "branches that depend on private answers or noise: line 9, 12"
    )
    selection = running_time(discrete_selection.noisy_top_k_with_gap_discrete)
    assert str(selection.loops[-1]).endswith("exactly k")
    assert not running_time(hybrids.hybrid_estimates).fixed_branches


PROGRAM = """
def noisy(v, noise, eps):
    return [x + 1 for x in v]

@mechanism
def m(q: Queries(lattice=1), k: Count, T: Reals, eps: Epsilon, noise: Noise):
{body}
"""

# A body, whether its draws are claimed to be fixed, and whether its branches are.
BODIES = [
    ("for i in range(k):\n    e = noise.geometric(1 / eps)\n    yield i", True, True),
    ("for i in range(len(q)):\n    e = noise.geometric(1 / eps)\n    yield i", True, True),
    ("for t in T:\n    e = noise.geometric(1 / eps)\n    yield 1", True, True),
    ("for q_i in q:\n    if q_i > 0:\n        e = noise.geometric(1 / eps)\n    yield 1", False, False),
    ("above = [x for x in q if x > 0]\nfor x in above:\n    e = noise.geometric(1 / eps)\n    yield 1", False, False),
    ("above = [x for x in q if x > 0]\nif len(above) > 2:\n    e = noise.geometric(1 / eps)\nyield 1", False, False),
    ("c = 0\nfor x in q:\n    if x > 0:\n        c += 1\nfor i in range(c):\n    e = noise.geometric(eps)\n    yield 1",
     False, False),
    ("for q_i in q:\n    if q_i > 0:\n        break\n    yield 1\ne = noise.geometric(1 / eps)", True, False),
    ("e = noise.geometric(eps)\nfor q_i in q:\n    if q_i > 0:\n        return\n    yield 1\nf = noise.geometric(eps)",
     False, False),
    ("if k > 2:\n    e = noise.geometric(1 / eps)\nyield 1", False, True),
    ("e = noise.geometric(1 / eps)\nyield 1 if e > 3 else 2", True, False),
    ("e = noise.geometric(1 / eps)\nyield any(x > e for x in q)", True, False),
    ("v = noisy(q, noise, eps)\ne = [noise.geometric(1 / eps) for x in v]\nyield 1", False, True),
]  # fmt: skip


@pytest.mark.parametrize(("body", "draws", "branches"), BODIES, ids=map(str, range(len(BODIES))))
def test_claims_are_made_only_where_they_hold(define, body, draws, branches):
    indented = "\n".join(f"    {line}" for line in body.splitlines())
    claims = running_time(define(PROGRAM.format(body=indented)).m)
    assert claims.fixed_draws is draws
    assert (not claims.branches) is branches


@pytest.mark.parametrize("scale", [1, 30, 10**6])
def test_each_draw_takes_a_public_number_of_bits(scale):
    """But for draws that look closer or go beyond their table: at these laws, one in 2^39 or fewer."""
    (draw,) = laplace_mechanisms.discrete_laplace_mechanism.draws
    law = sampler(draw.distribution, (Fraction(scale), Fraction(1)))
    for seed in range(20):
        source = SeededBits(seed)
        law.draw(100, source)
        assert source.consumed == 100 * law.bits_per_draw
