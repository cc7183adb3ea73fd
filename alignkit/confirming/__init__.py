"""A second opinion on a proof, by a program that shares nothing with the prover but the solver.

It runs the user's own Python functions on symbolic numbers, and holds the two runs against each other path by path. It
imports nothing of alignkit: it reads attributes of the decorated objects that it is given, and brings its own numbers,
paths, adjacency and costs. It never makes anything proved; it confirms a proof, contradicts it by an input on which
Python itself fails the alignment, or says why it has not examined it. Start reading in ``opinion``, which says what is
asked and answered.
"""

from __future__ import annotations

from alignkit.confirming.opinion import Opinion, Standing, confirm_alignment

__all__ = ["Opinion", "Standing", "confirm_alignment"]
