"""The figures of the papers as experiments: what is run, at which k and budgets, and what each panel shows.

Sources: "2020" is Ding, Wang, Zhang, Kifer, PVLDB 2020, Section 7; "journal" its extension in The VLDB Journal 32
(2023), Sections 5.2 and 9. Where the papers do not say which values of ε a figure has, 0.1 to 1.5 is used.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from measuring import AxisPoint, Procedure, ThresholdRule
from quantities import (
    ANSWERS,
    F_MEASURE,
    FALSE_POSITIVES,
    MIDDLE_ANSWERS,
    PRECISION,
    REMAINING,
    SHARE,
    TOP_ANSWERS,
    AnswersAboveThreshold,
    BestShareForGeometricNoise,
    SparseVectorWithMeasures,
    TopKWithMeasures,
)


@dataclass(frozen=True)
class Curve:
    """One measured quantity of one procedure; ``beside`` is what the curve of its theory is called in the legend."""

    procedure: str
    quantity: str
    beside: str = "theory"


@dataclass(frozen=True)
class Panel:
    """One diagram: ``bars`` stand beside one another at each k, those of one procedure on top of one another.

    The theory of ``bound`` is drawn above bars.
    """

    title: str
    y_label: str
    curves: tuple[Curve, ...]
    bars: bool = False
    bound: Curve | None = None


@dataclass(frozen=True)
class Experiment:
    """One figure: its procedures are run at every setting, and its panels show what they measure.

    Attributes
    ----------
    name
        How it is called on the command line.
    source, title
        Where it stands, and what it shows.
    procedures
        What is run, with one label each.
    axis
        Whether k or eps varies along the x-axis.
    settings
        The points of the x-axis, in order.
    runs
        How many runs the paper averages over.
    panels
        The diagrams.
    """

    name: str
    source: str
    title: str
    procedures: tuple[Procedure, ...]
    axis: Literal["k", "eps"]
    settings: tuple[AxisPoint, ...]
    runs: int
    panels: tuple[Panel, ...]

    @property
    def needs_data(self) -> bool:
        """Whether anything is run."""
        return any(procedure.needs_runs for procedure in self.procedures)

    def quick(self, points: int = 5) -> Experiment:
        """The same experiment at so many points at most, the first and the last among them.

        >>> [setting.k for setting in EXPERIMENTS["2020-figure-1"].quick().settings]
        [2, 8, 14, 19, 25]
        """
        last = len(self.settings) - 1
        kept = sorted({round(i * last / (points - 1)) for i in range(points)})
        return replace(self, settings=tuple(self.settings[i] for i in kept))


_EPS = Fraction(7, 10)
_RUNS_2020, _RUNS_JOURNAL = 20_000, 10_000
_QUANTILE, _RANK = ThresholdRule.QUANTILE, ThresholdRule.RANK
_REDUCTION = "reduction of squared error (%)"


def _by_k(*ks: int) -> tuple[AxisPoint, ...]:
    return tuple(AxisPoint(k, _EPS) for k in ks)


_K_2020, _K_JOURNAL = _by_k(*range(2, 26)), _by_k(*range(2, 25, 2))
_BY_EPS = tuple(AxisPoint(10, Fraction(tenths, 10)) for tenths in range(1, 16, 2))

_SVT_2020 = SparseVectorWithMeasures(
    "SVT with Gap with Measures", "sparse_vector_with_gap_by_theta", "laplace", False, _QUANTILE
)
_TOP_K_2020 = TopKWithMeasures("Noisy Top-K with Gap with Measures", "noisy_top_k_with_gap", Fraction(4), False)
_SVT_JOURNAL = (
    SparseVectorWithMeasures(
        "SVT with Gap, Laplace noise", "sparse_vector_with_gap_monotone", "laplace", True, _RANK
    ),
    SparseVectorWithMeasures(
        "SVT with Gap, exponential noise", "sparse_vector_with_gap_exponential_monotone", "exponential", True, _RANK
    ),
    SparseVectorWithMeasures(
        "SVT with Gap, geometric noise", "sparse_vector_with_gap_geometric_monotone", "geometric", True, _RANK
    ),
)
_TOP_K_JOURNAL = (
    TopKWithMeasures("Noisy Top-K with Gap, Laplace noise", "noisy_top_k_with_gap", Fraction(1), True),
    TopKWithMeasures(
        "Noisy Top-K with Gap, exponential noise", "noisy_top_k_with_gap_exponential", Fraction(1, 2), True
    ),
)
_COUNTS_2020 = (
    AnswersAboveThreshold("SVT", "sparse_vector_with_gap_by_theta", False, False, _QUANTILE),
    AnswersAboveThreshold("Adaptive SVT with Gap", "adaptive_sparse_vector", True, False, _QUANTILE),
)
_COUNTS_JOURNAL = (
    AnswersAboveThreshold("SVT", "sparse_vector_with_gap_monotone", False, True, _RANK),
    AnswersAboveThreshold("Adaptive SVT with Gap", "adaptive_sparse_vector_monotone", True, True, _RANK),
)
_BEST_SHARE = BestShareForGeometricNoise("geometric noise")


def _reductions(title: str, *procedures: Procedure) -> Panel:
    return Panel(title, _REDUCTION, tuple(Curve(procedure.label, _REDUCTION) for procedure in procedures))


_NUMBERS = Panel(
    "Number of answers",
    "answers per run",
    (
        Curve("SVT", ANSWERS, ""),
        Curve("Adaptive SVT with Gap", TOP_ANSWERS),
        Curve("Adaptive SVT with Gap", MIDDLE_ANSWERS),
    ),
    bars=True,
    bound=Curve("Adaptive SVT with Gap", ANSWERS, "at most 2k − 1 answers"),
)


def _both(quantity: str, title: str) -> Panel:
    return Panel(title, title.lower(), (Curve("SVT", quantity, ""), Curve("Adaptive SVT with Gap", quantity, "")))


_PRECISION = _both(PRECISION, "Precision")

EXPERIMENTS = {
    each.name: each
    for each in (
        Experiment(
            "2020-figure-1",
            "VLDB 2020, Figure 1",
            "Reduction of squared error by free gaps, by k",
            (_SVT_2020, _TOP_K_2020),
            "k",
            _K_2020,
            _RUNS_2020,
            (_reductions("Sparse Vector", _SVT_2020), _reductions("Noisy Top-K", _TOP_K_2020)),
        ),
        Experiment(
            "2020-figure-2",
            "VLDB 2020, Figure 2",
            "Reduction of squared error by free gaps, by budget",
            (_SVT_2020, _TOP_K_2020),
            "eps",
            _BY_EPS,
            _RUNS_2020,
            (_reductions("Sparse Vector", _SVT_2020), _reductions("Noisy Top-K", _TOP_K_2020)),
        ),
        Experiment(
            "2020-figure-3",
            "VLDB 2020, Figure 3",
            "Answers of adaptive sparse vector, and their precision",
            _COUNTS_2020,
            "k",
            _K_2020,
            _RUNS_2020,
            (_NUMBERS, _PRECISION, _both(FALSE_POSITIVES, "False positives")),
        ),
        Experiment(
            "journal-figure-1",
            "VLDB Journal 2023, Figure 1",
            "The best share of the budget for the threshold, for geometric noise",
            (_BEST_SHARE,),
            "k",
            _by_k(*range(1, 51)),
            1,
            (Panel("Best θ", "θ", (Curve("geometric noise", SHARE, "exponential noise: 1/(1 + k^(2/3))"),)),),
        ),
        Experiment(
            "journal-figure-2",
            "VLDB Journal 2023, Figure 2",
            "Reduction of squared error by free gaps on counting queries, by k",
            (*_SVT_JOURNAL, *_TOP_K_JOURNAL),
            "k",
            _K_JOURNAL,
            _RUNS_JOURNAL,
            (_reductions("SVT with Gap", *_SVT_JOURNAL), _reductions("Noisy Top-K with Gap", *_TOP_K_JOURNAL)),
        ),
        Experiment(
            "journal-figure-3",
            "VLDB Journal 2023, Figure 3",
            "Reduction of squared error by free gaps on counting queries, by budget",
            (*_SVT_JOURNAL, *_TOP_K_JOURNAL),
            "eps",
            _BY_EPS,
            _RUNS_JOURNAL,
            (_reductions("SVT with Gap", *_SVT_JOURNAL), _reductions("Noisy Top-K with Gap", *_TOP_K_JOURNAL)),
        ),
        Experiment(
            "journal-figure-4",
            "VLDB Journal 2023, Figure 4",
            "Answers of adaptive sparse vector on counting queries",
            _COUNTS_JOURNAL,
            "k",
            _K_JOURNAL,
            _RUNS_JOURNAL,
            (_NUMBERS,),
        ),
        Experiment(
            "journal-figure-5",
            "VLDB Journal 2023, Figure 5",
            "Precision and F-measure of adaptive sparse vector on counting queries",
            _COUNTS_JOURNAL,
            "k",
            _K_JOURNAL,
            _RUNS_JOURNAL,
            (_PRECISION, _both(F_MEASURE, "F-measure")),
        ),
        Experiment(
            "journal-figure-6",
            "VLDB Journal 2023, Figure 6",
            "Budget that adaptive sparse vector leaves after k answers",
            _COUNTS_JOURNAL[1:],
            "k",
            _K_JOURNAL,
            _RUNS_JOURNAL,
            (
                Panel(
                    "Remaining budget",
                    "budget left (%)",
                    (Curve("Adaptive SVT with Gap", REMAINING, "upper bound (1 − θ)/2"),),
                ),
            ),
        ),
    )
}
"""The experiments by name, in the order of the papers."""
