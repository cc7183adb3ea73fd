"""The catalogue from both ends: what is broken is convicted, what is proved is not, and the two ends never cross."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from alignkit import attack, check
from alignkit.attacking.brackets import with_bound
from alignkit.catalogue import find_alignments
from alignkit.results import Method
from alignkit.running.alignment_decorator import Alignment
from tests.attacking.needed_parameters import needed_parameters

# Claims on adaptive queries have the brackets of fixed ones. Those of sums, shapes of output, several loops and
# composition are in tests/catalogue/verdicts.json: with little time the attacks on them find less than they could.
# Claims with delta have no bracket on the loss; test_deltas.py holds the attacks on such claims.
ELSEWHERE = (
    "adaptive_queries.py",
    "composition.py",
    "fresh_thresholds.py",
    "output_shapes.py",
    "several_loops.py",
    "sums.py",
    "thresholded_keys.py",
)
CATALOGUE = [a for a in find_alignments([]) if not a.file.endswith(ELSEWHERE) and a.delta is None]

# Refuted entries whose mechanisms are proved private by other alignments: here the proof is wrong and not the claim.
PRIVATE_ALL_THE_SAME = {
    "exponential_monotone_phi_as_printed",
    "threshold_phi_as_printed",
    "short_shift_phi",
    "lowered_threshold_phi",
    "monotone_by_equation_2_phi",
    "gap_phi_as_printed",
    "exponential_gap_phi_as_printed",
    "two_sided_gap_phi",
}

# A single answer that moves as its threshold does loses nothing.
NEEDS_MORE_EFFORT = {"prefix_sum_phi"}

# Refuted entries whose mechanisms are convicted by samples: no closed form covers Gumbel with logistic noise, or as
# many rounds as it takes to lose more than what is claimed.
BY_SAMPLES = {"black_box_phi_as_printed", "selection_phi_as_printed"}

REFUTED = [a for a in CATALOGUE if a.expect == "refuted" and a.name not in PRIVATE_ALL_THE_SAME]
LEAKING = [a for a in REFUTED if a.name not in BY_SAMPLES]
KEEPING = [a for a in CATALOGUE if a not in REFUTED]


def names(alignment: Alignment) -> str:
    return f"{alignment.mechanism.name}-{alignment.name}"


def test_every_entry_stands_in_the_record() -> None:
    record = (Path(__file__).parents[2] / "docs" / "records" / "brackets.txt").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| `(.*?)`.*? \| (\w+) \|", record, re.MULTILINE)
    assert rows == [(a.mechanism.name, a.claim, a.adjacency) for a in CATALOGUE], "run tests/attacking/page.py"


# The first effort is not enough for the two that are named; discrete variants are attacked as their originals are.
LONG = ("sparse_vector_clamped_last", "sparse_vector_without_break", "_discrete")


@pytest.mark.parametrize(
    "alignment",
    [pytest.param(a, marks=pytest.mark.slow) if a.mechanism.name.endswith(LONG) else a for a in LEAKING],
    ids=names,
)
def test_a_broken_mechanism_is_convicted(alignment: Alignment) -> None:
    attacks = (attack(alignment, effort=effort, timeout=60) for effort in (250, 2500))
    found = next((each for each in attacks if each.violates), None)
    assert found is not None
    assert found.low > found.high
    assert found.error is None, "certain, and not only likely"


@pytest.mark.slow
@pytest.mark.parametrize("alignment", [a for a in REFUTED if a.name in BY_SAMPLES], ids=names)
def test_a_broken_mechanism_is_convicted_by_samples(alignment: Alignment) -> None:
    found = attack(alignment, parameters=needed_parameters(alignment.name), effort=3000, timeout=120)
    assert found.violates
    assert found.low > found.high
    assert found.error is not None
    assert found.error <= 1e-6


@pytest.mark.parametrize("alignment", KEEPING[::3], ids=names)
def test_a_private_mechanism_is_not_convicted(alignment: Alignment) -> None:
    given = needed_parameters(alignment.name)
    found = attack(alignment, parameters=given, effort=60, timeout=60, seed=7)
    assert 0 <= found.loss <= found.claim
    # So few samples as that effort stands for certify nothing; a law on a lattice may need more than that effort.
    assert found.loss > 0 or found.method is Method.SAMPLED or alignment.name in NEEDS_MORE_EFFORT


@pytest.mark.slow
@pytest.mark.parametrize("alignment", KEEPING, ids=names)
def test_a_private_mechanism_is_not_convicted_by_a_longer_attack(alignment: Alignment) -> None:
    """The two engines are held against each other: with_bound raises where they disagree."""
    given = needed_parameters(alignment.name)
    result = check(alignment, effort=0)
    exact = attack(alignment, parameters=given, effort=20, timeout=60).method is not Method.SAMPLED
    for seed in range(2):
        found = attack(alignment, parameters=given, effort=2500 if exact else 200, timeout=60, seed=seed)
        assert 0 <= found.loss <= found.claim
        assert found.loss > 0 or not exact
        with_bound(alignment, result, found)
