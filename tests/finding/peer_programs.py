"""The programs that other tools for differential privacy are tried on, with what their authors claim of them.

Sources, where each program was read:

* CheckDP: the folder ``examples`` of github.com/cmla-psu/checkdp; Wang, Ding, Kifer and Zhang, "CheckDP: An Automated
  and Integrated Approach for Proving Differential Privacy or Finding Precise Counterexamples", CCS 2020.
* ShadowDP: the folder ``examples/original`` of github.com/cmla-psu/shadowdp; Wang, Ding, Wang, Kifer and Zhang,
  "Proving Differential Privacy with Shadow Execution", PLDI 2019.
* StatDP: ``statdp/algorithms.py`` and ``examples/benchmark.py`` of github.com/cmla-psu/statdp; Ding, Wang, Wang, Zhang
  and Kifer, "Detecting Violations of Differential Privacy", CCS 2018.
* DP-Sniper: ``dpsniper/mechanisms`` and ``dpsniper/experiments`` of github.com/eth-sri/dp-sniper; Bichsel, Steffen,
  Bogunovic and Vechev, "DP-Sniper: Black-Box Discovery of Differential Privacy Violations using Classifiers", IEEE S&P
  2021.

A program of the catalogue stands for a tool's program where the two do the same; all others are in
``peer_mechanisms.py``. Outputs are those of the published algorithms: the list of all outputs, where a tool's code
keeps the last one or a statistic of the list. A tag stands for the number or the Boolean that says "above" or "below".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from finding.peer_mechanisms import (
    adaptive_sparse_vector_in_units,
    adaptive_sparse_vector_with_answer,
    adaptive_sparse_vector_with_tags,
    histogram_with_inverted_scale,
    noisy_answer,
    noisy_answer_20_times,
    noisy_maximum,
    noisy_maximum_exponential,
    numeric_sparse_vector,
    partial_sum,
    partial_sum_with_half_the_noise,
    prefix_sum,
    smart_sum,
    smart_sum_without_noise_on_blocks,
    sparse_vector_with_fresh_thresholds,
    truncated_geometric,
    two_sparse_vectors,
    unbounded_sparse_vector,
)

from alignkit import Mechanism, load

CHECKDP, SHADOWDP, STATDP, DPSNIPER = "CheckDP", "ShadowDP", "StatDP", "DP-Sniper"


@dataclass(frozen=True)
class PeerProgram:
    """A program with what is claimed of it, and the names that the tools have for it.

    ``variant`` says how the program here differs in its outputs. ``private`` says whether the claim holds. ``eps``,
    ``fixed`` and ``effort`` are those of an attack.
    """

    names: tuple[tuple[str, str], ...]
    mechanism: Mechanism
    variant: str = ""
    claim: str = "eps"
    adjacency: str = "each"
    private: bool = True
    eps: Fraction = Fraction(1)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    effort: int = 1000


@dataclass(frozen=True)
class NotStated:
    """A program that cannot be written in alignkit's language, with the reason."""

    tool: str
    name: str
    reason: str


PROGRAMS = (
    PeerProgram(
        (
            (CHECKDP, "sparsevector"),
            (SHADOWDP, "sparsevector"),
            (SHADOWDP, "sparsevectorN"),
            (STATDP, "SVT"),
            (DPSNIPER, "SparseVectorTechnique1"),
        ),
        load("sparse_vector"),
    ),
    PeerProgram(((CHECKDP, "gapsparsevector"), (SHADOWDP, "gapsparsevector")), load("sparse_vector_with_gap")),
    PeerProgram(
        (
            (CHECKDP, "numsparsevector"),
            (SHADOWDP, "numsparsevector"),
            (SHADOWDP, "numsparsevectorN"),
            (DPSNIPER, "NumericalSVT"),
        ),
        numeric_sparse_vector,
    ),
    PeerProgram(
        ((CHECKDP, "svt_increasing"), (CHECKDP, "svt_decreasing")),
        load("sparse_vector_monotone"),
        adjacency="monotone",
    ),
    PeerProgram(((CHECKDP, "adaptivesparsevector"),), adaptive_sparse_vector_in_units),
    PeerProgram(((CHECKDP, "adaptivesparsevector"),), adaptive_sparse_vector_with_tags, "with tags"),
    PeerProgram(
        (
            (CHECKDP, "noisymax"),
            (SHADOWDP, "noisymax"),
            (STATDP, "noisy_max_v1a"),
            (DPSNIPER, "ReportNoisyMax1"),
        ),
        load("noisy_max"),
    ),
    PeerProgram(((STATDP, "noisy_max_v2a"), (DPSNIPER, "ReportNoisyMax2")), load("noisy_max_exponential")),
    PeerProgram(((STATDP, "histogram"), (DPSNIPER, "NoisyHist1")), load("laplace_mechanism"), adjacency="one"),
    PeerProgram(((DPSNIPER, "LaplaceMechanism"),), noisy_answer),
    PeerProgram(((DPSNIPER, "LaplaceParallel"),), noisy_answer_20_times, claim="20 * eps"),
    PeerProgram(((DPSNIPER, "TruncatedGeometricMechanism"),), truncated_geometric),
    PeerProgram(((DPSNIPER, "SparseVectorTechnique2"),), sparse_vector_with_fresh_thresholds),
    PeerProgram(((CHECKDP, "partialsum"), (SHADOWDP, "partialsum")), partial_sum, adjacency="one"),
    PeerProgram(((SHADOWDP, "prefixsum"),), prefix_sum, adjacency="one"),
    PeerProgram(((CHECKDP, "smartsum"), (SHADOWDP, "smartsum")), smart_sum, claim="2 * eps", adjacency="one"),
    PeerProgram(
        ((CHECKDP, "badsparsevector1"), (STATDP, "iSVT1"), (DPSNIPER, "SparseVectorTechnique5")),
        load("sparse_vector_of_stoddard"),
        private=False,
    ),
    PeerProgram(
        ((CHECKDP, "badsparsevector2"), (STATDP, "iSVT2"), (DPSNIPER, "SparseVectorTechnique6")),
        unbounded_sparse_vector,
        private=False,
    ),
    PeerProgram(
        ((CHECKDP, "badsparsevector3"), (STATDP, "iSVT3"), (DPSNIPER, "SparseVectorTechnique4")),
        load("sparse_vector_of_lee_and_clifton"),
        private=False,
    ),
    PeerProgram(((CHECKDP, "badgapsparsevector"),), load("sparse_vector_with_answer"), private=False),
    PeerProgram(
        ((STATDP, "iSVT4"), (DPSNIPER, "SparseVectorTechnique3")), load("sparse_numeric_as_printed"), private=False
    ),
    PeerProgram(
        ((CHECKDP, "badadaptivesparsevector"),),
        adaptive_sparse_vector_with_answer,
        private=False,
        fixed={"k": 1},
        effort=20_000,
    ),
    PeerProgram(
        ((CHECKDP, "badnoisymax"), (STATDP, "noisy_max_v1b"), (DPSNIPER, "ReportNoisyMax3")),
        noisy_maximum,
        private=False,
    ),
    PeerProgram(
        ((STATDP, "noisy_max_v2b"), (DPSNIPER, "ReportNoisyMax4")), noisy_maximum_exponential, private=False
    ),
    PeerProgram(
        ((STATDP, "histogram_eps"), (DPSNIPER, "NoisyHist2")),
        histogram_with_inverted_scale,
        adjacency="one",
        private=False,
        eps=Fraction(1, 2),
    ),
    PeerProgram(((DPSNIPER, "SVT34Parallel"),), two_sparse_vectors, claim="2 * eps", private=False),
    PeerProgram(((DPSNIPER, "PrefixSum"),), prefix_sum, private=False),
    PeerProgram(((CHECKDP, "badpartialsum"),), partial_sum_with_half_the_noise, adjacency="one", private=False),
    PeerProgram(
        ((CHECKDP, "badsmartsum"),),
        smart_sum_without_noise_on_blocks,
        claim="2 * eps",
        adjacency="one",
        private=False,
        fixed={"M": 2},
    ),
)

NOT_STATED = (
    NotStated(DPSNIPER, "Rappor", "it hashes its input into a Bloom filter, and flips bits"),
    NotStated(DPSNIPER, "OneTimeRappor", "it hashes its input into a Bloom filter, and flips bits"),
    NotStated(DPSNIPER, "LaplaceFixed", "it rounds the noisy answer to a grid of floating-point numbers"),
)
