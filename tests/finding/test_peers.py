"""docs/finding_results.md says what is found for the programs that other tools are tried on."""

from __future__ import annotations

import pytest
from finding.peer_mechanisms import (
    adaptive_sparse_vector_with_tags,
    histogram_with_inverted_scale,
    noisy_answer_20_times,
    numeric_sparse_vector,
    prefix_sum,
    sparse_vector_with_fresh_thresholds,
    truncated_geometric,
    unbounded_sparse_vector,
)
from finding.peer_programs import CHECKDP, DPSNIPER, NOT_STATED, PROGRAMS, SHADOWDP, STATDP
from finding.peers import beginning, row, row_of_unwritten
from support.pages import section

from alignkit import ABOVE, alignment, attack, check, find

PAGE = section("finding_results.md", "## The programs of other tools").splitlines()
TOOLS = (CHECKDP, SHADOWDP, STATDP, DPSNIPER)
ROWS = [line for line in PAGE if line.startswith(tuple(f"| {tool}: " for tool in TOOLS))]

# The files of the folder of examples, the functions of the benchmark, the mechanisms of the experiments.
PUBLISHED = {
    CHECKDP: """
        adaptivesparsevector badadaptivesparsevector badgapsparsevector badnoisymax badpartialsum badsmartsum
        badsparsevector1 badsparsevector2 badsparsevector3 gapsparsevector noisymax numsparsevector partialsum
        smartsum sparsevector svt_decreasing svt_increasing
    """,
    SHADOWDP: """
        gapsparsevector noisymax numsparsevector numsparsevectorN partialsum prefixsum smartsum sparsevector
        sparsevectorN
    """,
    STATDP: """
        noisy_max_v1a noisy_max_v1b noisy_max_v2a noisy_max_v2b histogram histogram_eps SVT iSVT1 iSVT2 iSVT3 iSVT4
    """,
    DPSNIPER: """
        LaplaceMechanism LaplaceFixed LaplaceParallel TruncatedGeometricMechanism NoisyHist1 NoisyHist2
        ReportNoisyMax1 ReportNoisyMax2 ReportNoisyMax3 ReportNoisyMax4 SparseVectorTechnique1
        SparseVectorTechnique2 SparseVectorTechnique3 SparseVectorTechnique4 SparseVectorTechnique5
        SparseVectorTechnique6 SVT34Parallel NumericalSVT PrefixSum Rappor OneTimeRappor
    """,
}


@pytest.mark.parametrize("tool", PUBLISHED)
def test_every_program_of_a_tool_is_listed_once(tool):
    written = [name for program in PROGRAMS if not program.variant for of, name in program.names if of == tool]
    unwritten = [other.name for other in NOT_STATED if other.tool == tool]
    assert sorted(written + unwritten) == sorted(PUBLISHED[tool].split())


def test_the_page_has_a_row_for_every_program():
    beginnings = [*map(beginning, PROGRAMS), *map(row_of_unwritten, NOT_STATED)]
    assert len(ROWS) == len(beginnings), "make the page again: see peers.py"
    for line, start in zip(ROWS, beginnings):
        assert line.startswith(start)


@pytest.mark.parametrize(
    "mine", [numeric_sparse_vector, adaptive_sparse_vector_with_tags, truncated_geometric], ids=lambda m: m.name
)
def test_an_alignment_of_the_claimed_cost_is_found(mine):
    findings = find(mine)
    assert findings.proved is not None, findings.reason
    assert findings.proved.claim == "eps"


@pytest.mark.slow
def test_the_invariant_of_a_threshold_that_is_drawn_anew_is_found():
    proposal = find(sparse_vector_with_fresh_thresholds).proved
    assert proposal is not None
    assert proposal.claim == "eps / (2 * c) + eps"
    assert 'invariant="threshold_ == threshold + 1"' in proposal.source


def test_nothing_is_found_for_a_program_that_an_attack_convicts():
    assert find(unbounded_sparse_vector).proved is None
    assert attack(unbounded_sparse_vector, claim="eps", effort=500).violates


@alignment(prefix_sum, epsilon="eps", adjacency="one")
def prefix_sum_phi(q, q_, omega, H):
    return H.shift(eta_i=[q[i] - q_[i] for i in range(len(omega))])


@alignment(noisy_answer_20_times, epsilon="20 * eps")
def noisy_answer_20_times_phi(q, q_, H):
    return H.shift(eta=[q - q_ for j in range(20)])


@alignment(histogram_with_inverted_scale, epsilon="1 / eps", adjacency="one")
def histogram_phi(q, q_, H):
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])


@alignment(
    sparse_vector_with_fresh_thresholds, epsilon="eps / (2 * c) + eps", invariant="threshold_ == threshold + 1"
)
def fresh_thresholds_phi(q, q_, omega, H):
    return H.shift(
        rho=1,
        nu_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],
        rho_i=[1 if w is ABOVE else 0 for w in omega],
    )


@pytest.mark.parametrize(
    "by_hand",
    [prefix_sum_phi, noisy_answer_20_times_phi, histogram_phi, fresh_thresholds_phi],
    ids=lambda phi: phi.name,
)
def test_alignments_by_hand_where_the_page_says_that_check_proves_them(by_hand):
    assert check(by_hand).proved


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: f"{p.mechanism.name} {p.adjacency}")
def test_the_page_says_what_is_found(program):
    assert row(program) in ROWS
