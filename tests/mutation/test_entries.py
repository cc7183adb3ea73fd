"""The programs that are mutated are the catalogue's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutation.entries import Entry, entries, entry_of
from mutation.mutants import Mutant
from mutation.outcomes import define

from alignkit import catalogue, check
from alignkit.proofs import discrete_selection, noisy_max, sparse_vector
from alignkit.results import Verdict


def unchanged(entry: Entry) -> Mutant:
    return Mutant(entry.name, "none", "unchanged", "", 0, entry.source)


def test_every_proved_alignment_of_the_catalogue_is_an_entry():
    assert [e.alignment for e in entries()] == [
        a for a in catalogue.alignments() if a.expect == "proved" and not a.adaptive
    ]


def test_an_entry_holds_the_mechanism_the_alignment_and_what_they_use():
    entry = entry_of(noisy_max.gap_phi)
    assert entry.name == "noisy_max_with_gap/gap_phi"
    assert entry.files == {
        "noisy_max_with_gap": "mechanisms/noisy_max.py",
        "runner_up_change": "proofs/noisy_max.py",
        "gap_phi": "proofs/noisy_max.py",
    }
    assert "from alignkit import largest" in entry.source
    assert "monotone" not in entry.source, "what is not used is not there to be mutated"


def test_an_entry_writes_types_out():
    """A parameter whose type is an alias is private all the same, and may be given another sensitivity."""
    source = entry_of(discrete_selection.max_phi).source
    assert "q: Annotated[Queries, Lattice(1)], eps: Epsilon" in source
    assert "Counts" not in source


def test_an_entry_alone_is_proved(tmp_path: Path):
    """A program that lost something on the way here would make every mutant look refused."""
    assert check(define(unchanged(entry_of(sparse_vector.gap_phi)), tmp_path)).verdict is Verdict.PROVED


@pytest.mark.slow
@pytest.mark.parametrize("entry", entries(), ids=lambda e: e.name)
def test_every_entry_alone_is_proved(entry: Entry, tmp_path: Path):
    assert check(define(unchanged(entry), tmp_path)).verdict is Verdict.PROVED
