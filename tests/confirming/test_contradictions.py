"""What is false is contradicted: refuted entries of the catalogue, and programs that were once proved by mistake."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from soundness.test_origins_of_facts import LEAK
from soundness.test_what_proofs_foresee import BETWEEN_LOOPS
from support.defining import define_in

from alignkit import Alignment, catalogue
from alignkit.confirming import confirm_alignment

# Those that round noise are not examined.
ROUNDING = ("google_count_before", "google_count_after")
REFUTED = [a for a in catalogue.alignments() if a.expect == "refuted" and a.mechanism.name not in ROUNDING]


@pytest.mark.parametrize("alignment", REFUTED, ids=lambda a: f"{a.mechanism.name}-{a.name}")
def test_every_refuted_entry_is_contradicted(alignment: Alignment) -> None:
    assert confirm_alignment(alignment, n=3, effort=1000).contradicts


JOINED = """
def add(xs, x):
    return [*xs, 1 if x == 123456789 else 0]

@mechanism
def leak(q: Queries, eps: Epsilon, noise: Noise):
    out = []
    for q_i in q:
        d = noise.laplace(1 / eps)
        out = [*out, BELOW]
    return add(out, q[0])

@alignment(leak, epsilon="0")
def phi(q, q_, omega, H):
    return H.shift()
"""


@pytest.mark.parametrize(
    "source",
    [LEAK, BETWEEN_LOOPS, JOINED],
    ids=["a call after the loop", "a call between loops", "a helper that joins"],
)
def test_what_a_false_fact_once_proved_is_contradicted_at_one_answer(source: str, tmp_path) -> None:
    opinion = confirm_alignment(define_in(tmp_path, source).phi, n=1, k=1, effort=100)
    assert opinion.contradicts
    assert 123456789 in [*opinion.inputs["q"], *opinion.inputs["q_"]]


def test_what_fails_only_where_another_run_is_undefined_contradicts_nothing(tmp_path) -> None:
    """A proof presumes T != 0, since D divides by T on one path; on the other path only T = 0 would leak."""
    source = """
from alignkit import Epsilon, Noise, Query, Real, alignment, mechanism

@mechanism
def divided(q: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if q + e > 0:
        yield 1 / T
    else:
        yield q if T == 0 else 0

@alignment(divided, epsilon="eps")
def phi(q, q_, H):
    return H.shift(e=q - q_)
"""
    assert not confirm_alignment(define_in(tmp_path, source).phi, n=1, k=1, effort=100).contradicts


def test_noise_that_was_not_drawn_is_no_empty_list(tmp_path) -> None:
    source = """
@mechanism
def some_before(q: Query, k: Count, eps: Epsilon, noise: Noise):
    x = [noise.laplace(1 / eps) for j in range(k - 1)]
    e = noise.laplace(1 / eps)
    return q + e

@alignment(some_before, epsilon="eps")
def phi(q, q_, H):
    return H.shift(e=q - q_ + 0 * len(H.x))
"""
    opinion = confirm_alignment(define_in(tmp_path, source).phi, n=1, k=1, effort=100)
    assert opinion.problem == "the alignment is not defined: H.x was not drawn"


def test_threads_may_ask_at_the_same_time() -> None:
    with ThreadPoolExecutor(4) as pool:
        opinions = list(pool.map(lambda alignment: confirm_alignment(alignment, n=2, effort=60), REFUTED[:12]))
    assert [opinion.contradicts for opinion in opinions].count(True) >= 8
