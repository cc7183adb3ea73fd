"""Mechanisms and alignments as their users meet them, and one evaluator that runs their programs in any context.

Start reading in ``mechanism`` and ``alignment``, then ``evaluator`` and ``context``: a context decides what a draw, a
condition or a missing value means, for numbers here and for terms in ``proving``.
"""
