"""The suites of other tools by name, with what their authors report beside what comes out here."""

from __future__ import annotations

from dataclasses import dataclass

from finding.peer_programs import NOT_STATED, PROGRAMS, PeerProgram


@dataclass(frozen=True)
class Tool:
    """A tool with the words for what it reports of a program that keeps its claim, and of one that does not."""

    name: str
    private: str
    not_private: str


TOOLS = (
    Tool("CheckDP", "proved", "counterexample"),
    Tool("ShadowDP", "proved", "not proved"),
    Tool("StatDP", "no violation", "violation"),
    Tool("DP-Sniper", "no violation", "violation"),
)

# The programs of PROGRAMS that check decides by an alignment in the rows or the catalogue, with the row's name.
ROW_OF = {
    "sparse_vector": "lyu_algorithm_1",
    "sparse_vector_with_gap": "sparse_vector_with_gap",
    "numeric_sparse_vector": "numeric_sparse_vector",
    "sparse_vector_monotone": "sparse_vector_monotone",
    "noisy_max": "noisy_max",
    "noisy_max_exponential": "noisy_max_exponential",
    "laplace_mechanism": "laplace_mechanism",
    "truncated_geometric": "truncated_geometric",
    "sparse_vector_with_fresh_thresholds": "lyu_algorithm_2",
    "partial_sum": "partial_sum",
    "smart_sum": "smart_sum",
    "adaptive_sparse_vector_in_units": "adaptive_sparse_vector_without_tags",
}
def suites(rows=(), outcomes=None): return ""
