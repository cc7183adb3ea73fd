"""What an explanation says of a proved, a refuted and an undecided alignment."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from support.defining import define_in

from alignkit.catalogue import find_alignments
from alignkit.checking import check_with_proof
from alignkit.cli import main
from alignkit.explaining import WRITERS, explain, explanation_of
from alignkit.explaining.obligation_words import plain
from alignkit.explaining.pseudocode import Notation, alignment_formulas
from alignkit.explaining.readable_formulas import in_program_words, readable_term
from alignkit.explaining.writers import BulletList, CasesFormula, Code, Document, Heading, Paragraph
from alignkit.proofs.adaptive_queries import online_monotone_phi as direction_phi
from alignkit.proofs.adaptive_sparse_vector import monotone_phi as monotone_adaptive_phi
from alignkit.proofs.composition import count_phi, histogram_phi, twice_phi
from alignkit.proofs.discrete_selection import monotone_top_k_phi, top_k_phi
from alignkit.proofs.noisy_max import gap_phi as max_with_gap_phi
from alignkit.proofs.noisy_max import phi as max_phi
from alignkit.proofs.several_loops import measure_phi
from alignkit.proofs.sparse_vector import exponential_monotone_phi, gap_phi
from alignkit.proofs.sparse_vector_broken import short_shift_phi
from alignkit.proofs.sums import smart_phi
from alignkit.proving.symbolic_inputs import direction
from alignkit.symbolic.solver import Outcome

PROVED = [gap_phi, max_phi, max_with_gap_phi, smart_phi]

UNDECIDED = """
@mechanism
def sometimes(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    if T > 0:
        for q_i in q:
            e = noise.laplace(1 / eps)
            yield q_i + e
    yield BELOW

@alignment(sometimes, epsilon="eps", adjacency="l1")
def phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
"""


@cache
def markdown(alignment):
    return WRITERS["markdown"](explain(alignment).document)


@pytest.mark.parametrize("alignment", PROVED, ids=lambda a: a.mechanism.name)
def test_a_proof_states_its_theorem_and_its_conditions(alignment):
    text = markdown(alignment)
    for part in ("**Theorem.**", "**Same output.**", "**Cost.**", "**One-to-one.**", "∎", "ideal reals"):
        assert part in text


def test_a_sparse_vector_is_proved_as_a_paper_proves_it():
    text = markdown(gap_phi)
    assert "eta_i ← a draw from Laplace(1 / eps1)" in text
    assert "⎧ 1 + q[i] - q′[i]   if w is not BELOW" in text
    assert (
        "At line 47 (`if gap >= 0:`) D′ finds `q′[i] + eta_i[i] < eta + T + 1`, since `q[i] + eta_i[i] < eta + T` and "
        "`q′[i] ≤ q[i] + 1`."
    ) in text
    assert "D′ finds `eta + T ≤ q[i] + eta_i[i]`, which is what D finds." in text
    assert "Before the loop the shifts cost `eps / 2`." in text
    assert "costs `|q′[i] - q[i] - 1| · eps / (4 · k)`." in text
    assert len(text.split()) < 1100


def test_a_selection_is_proved_by_contradiction():
    assert (
        "`best = best′`, for otherwise `q[best′] + eta[best′] < q[best] + eta[best]`, "
        "`q[best] + eta[best] + 1 < q′[best′] + eta[best′], or the two are equal and best′ + 1 ≤ best` and "
        "`q′[best′] ≤ q[best′] + 1`, which contradict one another."
    ) in markdown(max_phi)


def test_a_refuted_alignment_is_shown_with_its_runs():
    text = markdown(short_shift_phi)
    assert "the alignment does not prove eps-DP" in text
    assert "Where the argument breaks" in text
    assert "<- here" in text
    assert "Theorem" not in text
    assert "∎" not in text


def test_an_undecided_alignment_has_no_proof(tmp_path):
    text = markdown(define_in(tmp_path, UNDECIDED).phi)
    assert "This is not a proof" in text
    assert "Theorem" not in text
    assert "put the condition inside the loop" in text


def test_what_is_missing_is_not_said_as_if_it_were_shown():
    result, proof = check_with_proof(gap_phi, effort=0)
    excluded = next(d for d in proof.decided if d.obligation.goal is False or " may " in d.obligation.words)
    problem = plain(excluded.obligation.words).replace(" may be ", " is ")
    failed = replace(excluded, answer=replace(excluded.answer, outcome=Outcome.UNKNOWN))
    decided = tuple(failed if d is excluded else d for d in proof.decided)
    text = WRITERS["markdown"](explanation_of(gap_phi, result, replace(proof, decided=decided)))
    shown, _, missing = text.partition("## What is shown")[2].partition("## What is missing")
    assert f"not excluded: {problem}" in missing
    assert "not excluded" not in shown
    assert "it is excluded that " in shown
    assert not re.search("^.* may be out of range", text, re.MULTILINE)


BESIDE_A_LIST = """
@mechanism
def beside(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
    at = 0
    for i, q_i in enumerate(q):
        e = noise.laplace(1 / eps)
        yield q_i + e + T[at]
        at += i

@alignment(beside, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
"""


def test_what_is_shown_of_runs_that_draw_nothing_is_not_said_of_all_runs(tmp_path):
    text = markdown(define_in(tmp_path, BESIDE_A_LIST).phi)
    shown = text.partition("## What is shown")[2].partition("## What is missing")[0]
    assert "any real number is a value of e" in shown
    assert "where no single draw is made, none is moved" in shown


def test_a_prime_stands_after_symbols_only():
    assert in_program_words("D's run, q'[i], eta' and D'") == "D's run, q′[i], eta′ and D′"


def test_an_index_is_that_of_the_noise():
    shifts = alignment_formulas(measure_phi.python, Notation()).shifts
    assert ("e[j]", "each j, where (i, measured) = omega[j]") in [(shift.draw, shift.over) for shift in shifts]
    for alignment in find_alignments():
        formulas = alignment_formulas(alignment.python, Notation.of(alignment.mechanism))
        depths = {draw.key: draw.depth for draw in alignment.mechanism.draws}
        for shift in formulas.shifts if formulas is not None else ():
            name, *indices = shift.draw.split("[")
            assert len(indices) == depths[name], "to a number, a number is added"
            if shift.over:
                over = shift.over.removesuffix(", where it is drawn")
                assert re.match(r"\w+ in range\(|\w+, .* in enumerate\(|each (\w+)($|, where .*\[\1\])", over)


SHIFTS_AS_LISTS = """
@mechanism
def two(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        f = noise.laplace(1 / eps)
        yield q_i + e

@alignment(two, epsilon="eps", adjacency="l1")
def phi(q, q_, T, H):
    change = [q[i] - q_[i] for i in range(len(q))]
    return H.shift(e=change, f=[0 for i in change] if T > 0 else [i for i in change if i > i])
"""


def test_where_shifts_are_a_list_an_item_of_it_is_added(tmp_path):
    text = markdown(define_in(tmp_path, SHIFTS_AS_LISTS).phi)
    assert "e′[i] = e[i] + change[i]    for each i" in text
    assert "f′[j] = f[j] + ⎧ [0 for i in change][j]            if T > 0" in text


@pytest.mark.parametrize("alignment", [gap_phi, max_phi, smart_phi, top_k_phi, monotone_top_k_phi, count_phi], ids=str)
def test_a_cost_is_held_against_the_claim_in_one_unit(alignment):
    text = markdown(alignment)
    shown = re.findall(r"^\* The shifts cost at most [^:]*: `[^`]* ≤ ([^`]*)`", text, re.MULTILINE)
    assert {claim.replace(" · ", " * ") for claim in shown} == {alignment.claim}
    assert "selected eta cost" not in text, "what is a number of shifts by 1 is called no cost"


def test_without_one_of_its_obligations_a_proof_is_no_proof():
    result, proof = check_with_proof(gap_phi, effort=0)
    branch = next(d for d in proof.decided if "only branch" in d.obligation.words)
    failed = replace(branch, answer=replace(branch.answer, outcome=Outcome.UNKNOWN))
    decided = tuple(failed if d is branch else d for d in proof.decided)
    text = WRITERS["markdown"](explanation_of(gap_phi, result, replace(proof, decided=decided)))
    assert "This is not a proof" in text
    assert "Theorem" not in text
    assert "∎" not in text
    assert "agree on every path" not in text
    assert plain(branch.obligation.words) in text.partition("What is missing")[2]


def test_another_shift_has_another_proof(tmp_path):
    source = Path(gap_phi.program.place.source.file).read_text(encoding="utf-8")
    assert "eta=1," in source
    dearer = """
from alignkit.mechanisms.sparse_vector import sparse_vector_with_gap

@alignment(sparse_vector_with_gap, epsilon="2 * eps")
def phi(q, q_, omega, H):
    return H.shift(eta=2, eta_i=[2 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
"""
    text = markdown(define_in(tmp_path, dearer).phi)
    assert "D′ finds `q′[i] + eta_i[i] < eta + T + 2`" in text
    assert "Before the loop the shifts cost `eps`." in text


def test_without_any_obligations_there_is_no_proof():
    result, _ = check_with_proof(gap_phi, effort=0)
    assert "Theorem" not in WRITERS["markdown"](explanation_of(gap_phi, result, None))


def test_text_keeps_its_meaning_in_each_format():
    document = Document(
        (
            Heading("a_b", 1),
            Paragraph("x < y", "So."),
            BulletList(("so `p * q`",)),
            Code("1 < 2"),
            CasesFormula("e′", "e + ", (("1", "if a < b"), ("0", "otherwise"))),
        )
    )
    assert WRITERS["markdown"](document) == (
        "# a_b\n\n**So.** x \\< y\n\n* so `p * q`\n\n```\n1 < 2\n```\n\n"
        "```\ne′ = e + ⎧ 1   if a < b\n         ⎩ 0   otherwise\n```\n"
    )
    page = WRITERS["html"](document)
    assert "<p><b>So.</b> x &lt; y</p>" in page
    assert "<li>so <code>p * q</code></li>" in page
    assert "<td>if a &lt; b</td>" in page
    assert r"\textbf{So.} x \ensuremath{<} y" in WRITERS["latex"](document)


@pytest.mark.parametrize("form", ["html", "latex"])
def test_the_command_writes_other_formats(form, capsys):
    assert main(["explain", "noisy_max", "--format", form, "--quiet"]) == 0
    assert {"html": "<!DOCTYPE html>", "latex": r"\begin{document}"}[form] in capsys.readouterr().out


def test_a_target_that_does_not_exist_is_refused(capsys):
    assert main(["explain", "no_such_mechanism", "--quiet"]) == 2
    assert "no_such_mechanism" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("alignment", PROVED, ids=lambda a: a.mechanism.name)
def test_latex_compiles(alignment, tmp_path):
    (tmp_path / "proof.tex").write_text(WRITERS["latex"](explain(alignment).document), encoding="utf-8")
    made = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "proof.tex"],
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stdout[-2000:]


ONE_OF_MANY = """
@mechanism
def many(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    {branches}
    return 99

@alignment(many, epsilon="eps")
def phi(q, q_, H):
    return H.shift(e=q - q_)
"""


def test_of_very_many_cases_the_rest_is_left_out(tmp_path):
    branches = "\n    ".join(f"if q + e > {100 - i}:\n        return {i}" for i in range(13))
    text = markdown(define_in(tmp_path, ONE_OF_MANY.format(branches=branches)).phi)
    assert text.count("\nWhere ") == 12
    assert max(part.count("\n* At line") for part in text.split("\nWhere ")) <= 12
    assert "2 more cases of this kind were shown; this text leaves them out." in text


def test_a_choice_by_the_direction_is_no_absolute_value():
    text = markdown(direction_phi)
    assert "(1 if the answers rise else 0)" in text, "one condition, where the alignment asks whether it is above 0"
    assert "`direction` is 1 then, and -1 otherwise" in text
    assert "|-1|" not in text
    assert readable_term(direction()) == "(1 if the answers rise else -1)"


def test_a_question_about_all_answers_is_written_as_such():
    assert "`eta + (1 if all q[j] ≤ q′[j] else 0) ≥ 0`" in markdown(exponential_monotone_phi)


def test_an_order_without_single_draws_ends_in_no_colon():
    assert "**One-to-one.** Each shift depends on earlier noise only (" in markdown(twice_phi)


def test_outputs_of_two_shapes_are_told_apart():
    text = markdown(monotone_adaptive_phi)
    assert "It is excluded that D gives (BELOW, a number), but D′ gives (" in text
    assert "a sequence" not in text


def test_the_answer_that_changes_has_no_name_of_its_own():
    assert "The noise `e` is shifted only at the answer that changes." in markdown(histogram_phi)


BEFORE_A_LOOP = """
@mechanism
def answers(p: Query, q: Queries, eps: Epsilon, noise: Noise):
    a = noise.laplace(1 / eps)
    yield p + a
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e

@alignment(answers, epsilon="eps", adjacency="l1")
def phi(p, p_, q, q_, H):
    return H.shift(a=p - p_, e=[q[i] - q_[i] for i in range(len(q))])
"""


def test_what_comes_before_a_loop_is_not_said_of_its_iterations(tmp_path):
    text = markdown(define_in(tmp_path, BEFORE_A_LOOP).phi)
    assert re.findall(r"^(?:In the loop|Outside|\* At line).*", text, re.MULTILINE) == [
        "In the loop at line 7:",
        "* At line 9 (`yield q_i + e`) D′ gives the number that D gives.",
        "Outside of iterations:",
        "* At line 6 (`yield p + a`) D′ gives the number that D gives.",
    ]


def test_an_output_that_both_runs_compute_alike_took_no_solver():
    text = markdown(histogram_phi)
    assert "on D and on D′: with the aligned noise put in, what D′ computes comes to the same expression." in text
    assert "checked by the solver" not in text
