"""Results to report on: one of each verdict, made by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from alignkit import ABOVE, BELOW
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.reporting import FULL_REPORT
from alignkit.results import CONDITIONS, Condition, Counterexample, Privacy, Result, Verdict, Witness


@pytest.fixture
def proved() -> Result:
    return Result(
        mechanism="sparse_vector_with_gap",
        alignment="gap_phi",
        file=gap_phi.file,
        line=gap_phi.line,
        verdict=Verdict.PROVED,
        expected=Verdict.PROVED,
        number_model="ideal reals",
        claim="eps",
        adjacency="each",
        cost="eps",
        attained=True,
        scope={"n": "all", "T": "all", "k": "all", "eps": "all"},
        conditions={name: Condition(name, Verdict.PROVED, f"because of {name}") for name in CONDITIONS},
        assumptions=("the queries are fixed in advance",),
        privacy=Privacy("private", upper="eps"),
        seconds=0.1234,
        queries=41,
        views=FULL_REPORT,
        notes=("the search found no counterexample in 240 adjacent pairs",),
    )


@pytest.fixture
def refuted(proved: Result) -> Result:
    conditions = {name: Condition(name, Verdict.UNDECIDED, "not examined") for name in CONDITIONS}
    conditions["same_output"] = Condition("same_output", Verdict.REFUTED, "the outputs differ")
    return replace(
        proved,
        verdict=Verdict.REFUTED,
        cost=None,
        attained=None,
        scope=dict.fromkeys(proved.scope, "none"),
        conditions=conditions,
        notes=(),
        privacy=Privacy(),
        counterexample=Counterexample(
            condition="same_output",
            words="the outputs differ",
            file=gap_phi.file,
            line=gap_phi.line + 3,
            witness=Witness(
                public={"T": 0, "k": 1, "eps": Fraction(1, 2)},
                q={"q": (0, Fraction(1, 3))},
                q_={"q": (-1, Fraction(1, 3))},
                H={"eta": 0, "eta_i": (None, Fraction(7, 2))},
                H_={"eta": 1, "eta_i": (None, Fraction(7, 2))},
            ),
            omega=(BELOW, Fraction(7, 2), ABOVE),
            omega_=(BELOW, BELOW),
            cost=Fraction(3, 4),
            claim=Fraction(1, 2),
            snippet="from somewhere import phi\nprint(phi.replay(q=[0]))",
            shrunk_from=9,
        ),
    )


@pytest.fixture
def undecided(proved: Result) -> Result:
    conditions = dict(proved.conditions)
    conditions["cost"] = Condition("cost", Verdict.UNDECIDED, "the solver gave up: timeout")
    return replace(
        proved,
        verdict=Verdict.UNDECIDED,
        conditions=conditions,
        scope=dict.fromkeys(proved.scope, "none"),
        notes=("state an invariant",),
        privacy=Privacy(),
    )
