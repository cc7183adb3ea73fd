"""Statements about a mechanism and about a proof, as values that every room above can use and that print themselves.

It stands at the ground of the house and imports nothing but ``errors``, ``formatting``, ``markup``, ``output_events``,
``verdicts`` and, for type checkers only, ``confirming``. Start reading in ``witness``, which holds adjacent inputs with
noise; ``losses`` has the certified lower bounds, ``result`` what ``check`` returns.
"""

from alignkit.results.losses import CertifiedLoss, Method
from alignkit.results.result import CostAnalysis, Privacy, Result, Subject, Suggestion, Views, Vote
from alignkit.results.witness import Attained, Counterexample, Witness
from alignkit.verdicts import (
    ADAPTIVE_QUERIES,
    CONDITIONS,
    TITLES,
    CallPart,
    Condition,
    Presumed,
    Verdict,
    undecided_everywhere,
)

__all__ = [
    "ADAPTIVE_QUERIES",
    "CONDITIONS",
    "TITLES",
    "Attained",
    "CallPart",
    "CertifiedLoss",
    "Condition",
    "CostAnalysis",
    "Counterexample",
    "Method",
    "Presumed",
    "Privacy",
    "Result",
    "Subject",
    "Suggestion",
    "Verdict",
    "Views",
    "Vote",
    "Witness",
    "undecided_everywhere",
]
