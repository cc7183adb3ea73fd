"""What both runs bring to the head of a loop: what all loops of a path have in common, and what was done before."""

from __future__ import annotations

from dataclasses import dataclass

from alignkit.proving.conditions.one_to_one.by_order import NOTHING, Earlier
from alignkit.proving.loops.output_stream import OutputStream
from alignkit.proving.loops.returned_output import ReturnedOutput
from alignkit.proving.runs.alignment_run import Shifts
from alignkit.proving.runs.loop_states import LoopNumber
from alignkit.proving.symbolic_trial import DPrime
from alignkit.symbolic.terms import Term


@dataclass(frozen=True)
class Aligned:
    """What all loops of a path have in common: the alignment's shifts, D′ on the aligned noise, and D's outputs.

    ``rounds_in_all`` is how many iterations of the first loop D runs; None where the alignment does not read its noise.
    ``by_pieces`` is whether the noise before the first loop is one-to-one by the general theorem.
    """

    shifts: Shifts
    d_prime: DPrime
    stream: OutputStream | ReturnedOutput
    rounds_in_all: Term | None
    by_pieces: bool


@dataclass(frozen=True)
class Before:
    """What both runs have done before a loop.

    ``loops`` is how many loops are over, or the number of a loop inside another, ``cost`` what the shifts of single
    draws cost, ``outputs`` how many outputs there are, ``settled`` how many single draws on the path have shifts that
    other stages ask about, and ``vectors`` a bound on what vectors cost. ``earlier`` is the noise that is not asked
    about.
    """

    cost: Term
    outputs: Term
    loops: LoopNumber = 0
    settled: int = 0
    earlier: Earlier = NOTHING
    vectors: Term | None = None
