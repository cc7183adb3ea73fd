"""What a judgement says: the verdict, the conditions of a proof with how each was decided, and what it presumes."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

from alignkit.public_names import public

# The conditions of a proof in the order in which reports list them, each with its title.
CONDITIONS = {
    "termination": "termination",
    "noise_used": "noise used",
    "distributions": "distributions",
    "valid_noise": "valid noise",
    "same_output": "same output",
    "one_to_one": "one-to-one",
    "cost": "cost",
    "countable": "countable",
}

# The condition that a claim on adaptive queries has beside them.
ADAPTIVE_QUERIES = "adaptive_queries"
# The condition that a claim with delta has beside them: the limits of the noise, and what they cost in probability.
LIMITS = "limits"
TITLES = {**CONDITIONS, ADAPTIVE_QUERIES: "adaptive queries", LIMITS: "limits"}


@public
class Verdict(enum.StrEnum):
    """The outcome of a check. A search that found no counterexample is not a proof, and never makes it ``proved``."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Condition:
    """A condition of the proof with its status, and how it was decided or why it was not."""

    name: str
    status: Verdict
    how: str


@dataclass(frozen=True)
class Presumed:
    """A condition on the public parameters under which the program is defined, as a formula and in words.

    D needs it where ``given`` holds of public values, as on one side of a test. The proof is for inputs that meet it
    everywhere.
    """

    formula: Any
    words: str
    given: Any = True


@dataclass(frozen=True)
class CallPart:
    """A part of a proved budget: one call of a mechanism.

    ``price`` is what it costs at most, the claim of ``lemma`` with the arguments of the call; where ``rounds``, in each
    iteration of a loop. ``obligations`` are what was proved of its arguments, in words. The mechanism's own draws are a
    part without a lemma. ``delta`` is what the part takes of the claim's delta at most, None where the claim is pure.
    """

    name: str
    line: int
    lemma: str
    price: str
    rounds: bool
    obligations: tuple[str, ...] = ()
    delta: str | None = None


def undecided_everywhere(how: str) -> dict[str, Condition]:
    """Make all conditions undecided, for one reason."""
    return {name: Condition(name, Verdict.UNDECIDED, how) for name in CONDITIONS}
