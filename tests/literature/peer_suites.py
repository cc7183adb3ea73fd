"""The suites of other tools by name: what is established there of each program, and what comes out here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from finding.peer_programs import CHECKDP, DPSNIPER, NOT_STATED, PROGRAMS, SHADOWDP, STATDP, PeerProgram
from literature.trying import Outcome

# What each tool can establish of a program that keeps its claim, and of one that does not.
ANSWERS = {
    CHECKDP: ("proved", "counterexample"),
    SHADOWDP: ("proved", "not proved"),
    STATDP: ("tested", "violation to be detected"),
    DPSNIPER: ("tested", "violation to be detected"),
}
SIZES = {CHECKDP: 17, SHADOWDP: 9, STATDP: 11}

# The row of a program of PROGRAMS, by the name of its mechanism, with the adjacency where it has two.
ROW_OF = {
    "sparse_vector": "sparse_vector",
    "sparse_vector_with_gap": "sparse_vector_with_gap",
    "numeric_sparse_vector": "numeric_sparse_vector",
    "sparse_vector_monotone": "sparse_vector_monotone",
    "adaptive_sparse_vector_in_units": "adaptive_sparse_vector_without_tags",
    "adaptive_sparse_vector_with_tags": "adaptive_sparse_vector_with_tags",
    "noisy_max": "noisy_max",
    "noisy_max_exponential": "noisy_max_exponential",
    "laplace_mechanism": "private_counts_of_a_step_of_k_means",
    "noisy_answer": "laplace_answer",
    "noisy_answer_20_times": "laplace_20_times",
    "truncated_geometric": "truncated_geometric",
    "sparse_vector_with_fresh_thresholds": "lyu_algorithm_2",
    "partial_sum": "partial_sum",
    "prefix_sum one": "prefix_sum",
    "smart_sum": "smart_sum",
    "sparse_vector_of_stoddard": "lyu_algorithm_5",
    "unbounded_sparse_vector": "unbounded_sparse_vector",
    "sparse_vector_of_lee_and_clifton": "lyu_algorithm_4",
    "sparse_vector_with_answer": "sparse_vector_with_answer",
    "sparse_numeric_as_printed": "lyu_algorithm_3",
    "adaptive_sparse_vector_with_answer": "adaptive_sparse_vector_with_answer",
    "noisy_maximum": "noisy_max_with_maximum",
    "noisy_maximum_exponential": "noisy_max_exponential_with_maximum",
    "histogram_with_inverted_scale": "histogram_with_inverted_scale",
    "two_sparse_vectors": "two_sparse_vectors_in_parallel",
    "prefix_sum each": "prefix_sum_every_answer",
    "partial_sum_with_half_the_noise": "partial_sum_with_half_the_noise",
    "smart_sum_without_noise_on_blocks": "smart_sum_without_noise_on_blocks",
}


@dataclass(frozen=True)
class Auditorium:
    """A mechanism of DP-Auditorium, with what its documentation says of it, and its row."""

    name: str
    said: str
    row: str


# Read in python/dp_auditorium/dp_auditorium/mechanisms of github.com/google/differential-privacy.
AUDITORIUM = (
    Auditorium("SVT1", "private", "sparse_vector"),
    Auditorium("SVT2", "private", "sparse_vector_with_a_wide_threshold"),
    Auditorium("SVT3", "not private", "lyu_algorithm_3"),
    Auditorium("SVT4", "private at `(1 + 6 * c) * eps / 4`", "lyu_algorithm_4_true_cost"),
    Auditorium("SVT5", "not private", "lyu_algorithm_5"),
    Auditorium("SVT6", "not private", "lyu_algorithm_6"),
    Auditorium("NoisyMaxMechanism", "private", "exponential_mechanism"),
    Auditorium("MeanMechanism, noised counts", "some configurations are not private", "mean_of_noisy_sum_and_count"),
    Auditorium("MeanMechanism, exact counts", "some configurations are not private", "mean_with_exact_n"),
)

_HEAD = """\
## The suites of other tools

CheckDP has 17 programs, ShadowDP 9 and StatDP 11.
[The programs of other tools](finding_results.md#the-programs-of-other-tools) says where each was read and how it is
stated here. *There* is what a tool of this kind establishes: CheckDP and ShadowDP prove programs,
and CheckDP finds counterexamples; StatDP, DP-Sniper and DP-Auditorium test samplers, and prove nothing. *Row* is the
row above that has the program, and *here* its verdict.

| tool | program | claim | adjacency | there | row | here |
|---|---|---|---|---|---|---|"""


def suites(outcomes: Mapping[str, Outcome]) -> str:
    """The section of the page."""
    return "\n".join([_HEAD, *_lines(outcomes), ""])


def row_of(program: PeerProgram) -> str:
    """The name of the row that has a program."""
    name = program.mechanism.name
    return ROW_OF.get(f"{name} {program.adjacency}") or ROW_OF[name]


def _lines(outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    for tool, answers in ANSWERS.items():
        for program in PROGRAMS:
            there = answers[0] if program.private else answers[1]
            for name in (name for named, name in program.names if named == tool):
                shown = f"`{name}`{', ' + program.variant if program.variant else ''}"
                claim = f"`{program.claim}`" if program.private else f"not `{program.claim}`"
                cells = (tool, shown, claim, program.adjacency, there, *_here(row_of(program), outcomes))
                yield f"| {' | '.join(cells)} |"
        for other in NOT_STATED:
            if other.tool == tool:
                yield f"| {tool} | `{other.name}` | | | | | not stated: {other.reason} |"
    for each in AUDITORIUM:
        cells = ("DP-Auditorium", f"`{each.name}`", "", "", each.said, *_here(each.row, outcomes))
        yield f"| {' | '.join(cells)} |"


def _here(row: str, outcomes: Mapping[str, Outcome]) -> tuple[str, str]:
    return f"`{row}`", outcomes[row].verdict if row in outcomes else "not tried"
