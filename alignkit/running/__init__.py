"""Mechanisms and alignments as their users meet them, and concrete runs of them.

Start reading in ``mechanism`` and ``alignment``, what the two decorators make; then ``replaying``, a run on given
noise, and ``trials``, a run on D beside the aligned run on D′. ``adjacency`` says which private answers are adjacent.

May import ``interpreting``, ``language``, ``noise`` and what lies below them.
"""
