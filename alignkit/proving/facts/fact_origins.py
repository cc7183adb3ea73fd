"""Where facts come from: what makes it right to use them in a proof."""

from __future__ import annotations

import enum


class FactOrigin(enum.Enum):
    """What makes a fact true on a path.

    Inputs, branches, supports and pairs say which runs are spoken of. What is obliged is proved elsewhere in the same
    proof. The last three are assumed of every program: each is a schema of a type of data, or defines a new symbol.
    """

    INPUT = "what the inputs may be"
    BRANCH = "the way that D's run takes"
    CASE = "the way that the alignment or D' takes"
    SUPPORT = "the support of noise"
    LIMIT = "no limit of the alignment is broken"
    PAIR = "the two runs that are compared have one output and one image"
    PRESUMED = "what D needs of public values to be defined"
    OBLIGED = "an obligation of this proof"
    DEFINITION = "what a new symbol stands for"
    SCHEMA = "what holds of a type of data, for every program"
    NULL_SET = "what has probability 1"

    @property
    def assumed(self) -> bool:
        """Whether the prover assumes such facts of every program, without an obligation of their own."""
        return self in (FactOrigin.DEFINITION, FactOrigin.SCHEMA, FactOrigin.NULL_SET)

    @property
    def of_runs(self) -> bool:
        """Whether such facts say which runs are spoken of, as far as D and its inputs decide that."""
        return self in (
            FactOrigin.INPUT,
            FactOrigin.BRANCH,
            FactOrigin.SUPPORT,
            FactOrigin.PAIR,
            FactOrigin.PRESUMED,
        )
