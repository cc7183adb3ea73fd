"""The second opinion on the catalogue, as the page shows it and as the program gives it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from confirming.opinions import figures, kept, opinions, verdicts

from alignkit import catalogue
from alignkit.checking import check_with_proof
from alignkit.proving.deciding import Decider
from alignkit.symbolic.solver import Answer, Outcome

PAGE = (Path(__file__).parents[2] / "docs" / "second_opinion.md").read_text(encoding="utf-8")


def test_the_page_shows_the_opinions_of_the_file():
    rows = [f"| {verdict} | {opinion} | {number} |" for (verdict, opinion), number in figures(kept()).items()]
    assert [row for row in rows if row not in PAGE] == []
    assert kept().keys() == verdicts().keys()


def test_no_proof_is_contradicted():
    found = {verdict for (verdict, opinion), _ in figures(kept()).items() if opinion == "contradicted"}
    assert found == {"refuted"}


@pytest.mark.slow
def test_the_opinions_are_those_of_the_file():
    assert opinions() == kept()


class KnowsNothing:
    """A solver that answers no question."""

    def decide(self, hypotheses: object, goal: object) -> Answer:
        return Answer(Outcome.UNKNOWN)


@pytest.mark.slow
def test_the_share_of_obligations_that_no_solver_sees():
    """It is shown on the page: what holds by its form is a question that a checked solver would never be asked."""
    proofs = [check_with_proof(phi, effort=0)[1] for phi in catalogue.alignments() if phi.expect == "proved"]
    decided = [each.obligation for proof in proofs if proof is not None for each in proof.decided]
    unasked = sum(Decider(lambda seconds: KnowsNothing(), 600).decide(owed).holds for owed in decided)
    shown = re.search(r"(\d+) % of the ([\d,]+) obligations", PAGE)
    assert shown is not None
    assert int(shown[1]) == round(100 * unasked / len(decided))
    assert abs(int(shown[2].replace(",", "")) - len(decided)) <= 100
