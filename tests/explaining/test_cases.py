"""The cases of a written proof: their names, and what an iteration costs in each."""

from __future__ import annotations

import re

import pytest
from support.defining import define_in
from support.examples import examples

from alignkit.catalogue import find_alignments
from alignkit.explaining import WRITERS, explain

FAST = ["answers_in_rounds", "discrete_sparse_vector", "noisy_threshold_test", "smart_sum", "sparse_vector_with_gap"]
SLOW = [
    "adaptive_sparse_vector_geometric", "adaptive_sparse_vector_many_branches", "answers_at_thresholds", "noisy_max",
    "noisy_max_then_sparse_vector", "noisy_sum", "sparse_vector_then_answers", "sparse_vector_twice",
    "sparse_vector_with_gap_exponential", "top_k_then_measure",
]  # fmt: skip


@pytest.fixture(scope="module")
def proofs():
    found = [explain(alignment) for alignment in find_alignments(FAST + examples(0, 1) * SLOW)]
    return [WRITERS["markdown"](e.document).partition("## Proof")[2] for e in found if e.result.proved]


def test_no_two_cases_have_the_same_name(proofs):
    for text in proofs:
        names = re.findall(r"^(?:Where|In|Outside) .*:$", text, re.MULTILINE)
        assert len(names) == len(set(names))


def test_a_case_has_one_cost_and_a_name_wherever_there_are_several(proofs):
    for text in proofs:
        costs = re.findall(r"^\* An iteration(.*?) costs (`.*`)\.$", text, re.MULTILINE)
        assert len(costs) == len({case for case, _ in costs})
        if len({cost for _, cost in costs}) > 1:
            assert all(case for case, _ in costs)


def test_a_gain_is_a_difference_only_where_a_variable_counts(proofs):
    for text in proofs:
        assert "the - the" not in text
        assert "len - len" not in text
    assert any("(eps / delta) * the gain of the change of the answers up to place" in text for text in proofs)
    assert any("(count - count before the loop)" in text for text in proofs)


def cost_lines(name):
    texts = [WRITERS["markdown"](explain(alignment).document) for alignment in find_alignments([name])]
    return re.findall(r"^\* An iteration.*$", texts[0], re.MULTILINE)


SIDE = "a_public_threshold + a_margin_above_it * a_margin_above_it + 17 * a_margin_for_every_answer + a_margin_above_it"

SPELLED_OUT = """
@mechanism
def spelled_out(q: Queries, a_public_threshold: Real, a_margin_above_it: Real, a_margin_for_every_answer: Real,
                k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(4 * k / eps)
        if q_i + nu_i >= rho + SIDE:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break

@alignment(spelled_out, epsilon="eps")
def phi(omega, H):
    return H.shift(rho=1, nu_i=[2 if w is ABOVE else 0 for w in omega])
"""


def test_a_case_with_long_conditions_is_named_by_its_way(tmp_path):
    phi = define_in(tmp_path, SPELLED_OUT.replace("SIDE", SIDE)).phi
    text = WRITERS["markdown"](explain(phi).document)
    (path,) = tmp_path.glob("program_*.py")
    (line,) = (n for n, code in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if SIDE in code)
    assert re.findall(r"^\* An iteration.*$", text, re.MULTILINE) == [
        f"* An iteration where line {line} is true costs `eps / (2 · k)`.",
        f"* An iteration where line {line} is false costs `0`.",
    ]


def test_names_of_the_program_keep_a_condition_short():
    first, second, third = cost_lines("adaptive_sparse_vector_geometric")
    top, middle = "eta + T + b2 + 2 · sigma", "eta + T + b1 ≤ q[i] + eta_i[i] + b0"
    assert first.startswith(f"* An iteration where `{top} ≤ q[i] + xi_i[i] + b0` costs `")
    assert second.startswith(f"* An iteration where `q[i] + xi_i[i] + b0 < {top}` and `{middle}`")
    assert third.endswith("costs `0`.")


def test_each_of_several_loops_is_named_by_its_line():
    assert cost_lines("answers_in_rounds") == [
        "* An iteration of the loop at line 83 costs at most `eps / k`.",
        "* An iteration of the loop at line 84 costs `|q′[t] - q[t]| · eps / k`.",
    ]
