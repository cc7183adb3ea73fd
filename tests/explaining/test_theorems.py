"""What a theorem is for, what a proof says of its calls, and how it ends."""

from __future__ import annotations

from functools import cache

import pytest
from support.defining import define_in

from alignkit import load
from alignkit.catalogue import find_alignments
from alignkit.checking import check_with_proof
from alignkit.explaining import WRITERS, explain
from alignkit.explaining.explanation import conclusion
from alignkit.explaining.writers import Document, Paragraph


@cache
def text_of(name):
    return WRITERS["markdown"](explain(find_alignments([name])[0]).document)


def test_a_theorem_names_the_domain_of_each_parameter():
    text = text_of("smart_sum")
    assert "`q`, a list of one or more answers, each with sensitivity `delta`; `M`, a whole number, at least 1" in text
    assert "`eps`, a privacy loss budget above 0" in text
    assert "lattice of the multiples of" in text_of("discrete_laplace_mechanism")


@pytest.mark.parametrize("name", ["winner_then_sparse_vector", "select_and_measure_in_rounds", "count_one_by_one"])
def test_a_call_costs_what_its_lemma_claims(name):
    text = text_of(name)
    assert "* By the lemma `" in text
    assert "\n* Lemma `" in text.partition("## What it rests on")[2]
    assert "All other noise stays as it is" not in text


def test_a_proof_ends_in_the_units_of_its_noise():
    assert "So the density of the noise is at most e to the cost" in text_of("noisy_max")
    assert "so |det J| = 1" in text_of("noisy_threshold_test")
    assert "So the probability of the noise is at most e to the cost" in text_of("discrete_laplace_mechanism")
    assert "-log |det J| is part of the cost. Different" in text_of("one_sided_threshold_test")
    assert "So the probability of the noise is at most 2 to the cost" in text_of("discrete_laplace_mechanism_base2")


PROGRAMS = """
@mechanism
def none(T: Real, q: Query, noise: Noise):
    if T > 0:
        yield ABOVE
    yield BELOW

@alignment(none, epsilon="0")
def none_phi(H):
    return H.shift()

@mechanism
def flat(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if e >= 0:
        yield ABOVE
    else:
        yield BELOW

@alignment(flat, epsilon="eps")
def collapse_phi(H):
    return H.shift(e=clamp(1 - H.e, -1, 1) if H.e >= 0 else 0)

@mechanism
def two_lines(q: Query, T: Real, eps: Epsilon, noise: Noise):
    if T > 0:
        e = noise.laplace(1 / eps)
    else:
        e = noise.laplace(2 / eps)
    yield BELOW

@alignment(two_lines, epsilon="eps")
def two_phi(H):
    return H.shift()
"""
SELECTIONS = """
def scale_of(eps, share):
    return share / eps

@mechanism
def twice(q: Queries, eps: Epsilon, rng: Noise):
    e = [rng.laplace(scale_of(eps, 4)) for x in q]
    (best,) = largest([x + n for x, n in zip(q, e)], 1)
    f = [rng.laplace(scale_of(eps, 4)) for x in q]
    (second,) = largest([x + n for x, n in zip(q, f)], 1)
    return best, second

@alignment(twice, epsilon="eps")
def phi(q, q_, omega, H):
    best, second = omega
    return H.shift(
        e=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))],
        f=[1 + q[i] - q_[i] if i == second else 0 for i in range(len(q))],
    )
"""


@pytest.fixture
def programs(tmp_path):
    return define_in(tmp_path, PROGRAMS)


def test_without_noise_a_proof_bounds_no_noise(programs):
    text = WRITERS["markdown"](explain(programs.none_phi).document)
    assert "Nothing is drawn: D′ gives the output that D gives" in text
    assert "no noise" not in text
    assert "## The alignment" not in text


def test_a_draw_that_shares_its_name_is_told_by_its_line(programs):
    text = WRITERS["markdown"](explain(programs.two_phi).document)
    lines = [draw.place.line for draw in programs.two_phi.mechanism.draws]
    assert f"`e` of line {lines[0]}, `e` of line {lines[1]}" in text


def test_an_alignment_that_is_not_one_to_one_is_shown_with_both_noise_vectors(programs):
    text = WRITERS["markdown"](explain(programs.collapse_phi).document)
    assert "Both of these noise vectors give D the same output" in text
    assert "another H" in text
    assert "no condition fails" not in text
    assert "Exact replay of both runs" not in text


def test_the_second_selection_of_d_is_none_of_d_prime(tmp_path):
    text = WRITERS["markdown"](explain(define_in(tmp_path, SELECTIONS).phi).document)
    assert "`best = best′`" in text
    assert "`best.2 = best.2′`" in text
    assert "* The noise `f` is shifted only at" in text
    assert "* F is" not in text


def test_helpers_stand_below_the_mechanism_and_noise_goes_by_its_name(tmp_path):
    text = WRITERS["markdown"](explain(define_in(tmp_path, SELECTIONS).phi).document)
    assert "scale_of(eps, share):\n    return share / eps" in text
    assert "a draw from Laplace(scale_of(eps, 4))" in text


@pytest.mark.parametrize("name", ["laplace_mechanism", "select_then_measure", "winner_then_sparse_vector"])
def test_something_is_said_of_the_same_output(name):
    same = text_of(name).partition("**Same output.**")[2].partition("**Cost.**")[0]
    assert "\n* " in same


def test_greek_letters_are_letters_in_latex():
    document = Document((Paragraph("`ξ` and `δ`, `Δ`"),))
    text = WRITERS["latex"](document)
    assert text.isascii()
    assert r"\ensuremath{\xi}" in text


@pytest.mark.parametrize(
    ("aligned", "said", "unsaid"),
    [
        ("adaptive_queries.online_gap_phi", "by Theorem 2 of the page on adaptive queries", "one and the same map"),
        ("adaptive_queries.online_phi", "by Theorem 1 of the page on adaptive queries", "Theorem 2"),
        ("sparse_vector.gap_phi", "on each part the shifts are one and the same map", "adaptive queries the claim"),
        ("exponential_mechanism.gap_phi", "Gumbel (for shifts of at least 0) noise", "Gumbel noise"),
        ("noisy_max.exponential_phi", "for Exponential noise", "(for d >= 0)"),
    ],
)
def test_the_end_of_a_proof_says_what_was_used(aligned: str, said: str, unsaid: str) -> None:
    alignment = load(f"alignkit.proofs.{aligned}")
    _, proof = check_with_proof(alignment, effort=0)
    assert said in conclusion(alignment, proof)
    assert unsaid not in conclusion(alignment, proof)
