"""Mechanisms and alignments as their users meet them, adjacent inputs, and concrete runs.

Start reading in ``mechanism_decorator`` and ``alignment_decorator``, what the two decorators make; ``mechanism_reader``
and ``alignment_reader`` read the sources, and ``mechanism_program`` and ``alignment_program`` hold what was read, which
is all that a proof knows of them. ``domain`` says what the inputs of a mechanism may be; all runs and proofs take it
from there. ``binding`` turns arguments into those of a run, ``replaying`` is a run on given noise, ``both_runs`` a run
on D and the aligned one on D′, with the condition that they break, and ``exact_confirmation`` has Python itself run
both. ``adjacency`` defines which inputs are adjacent, and ``adjacent_pairs`` makes such inputs for searches and
attacks.

``.sample`` is in ``one_sample``, and ``.sample_many`` begins in ``many_runs``; what they run is written by the room
``sampling``.

May import ``interpreting``, ``language``, ``noise`` and what lies below them.
"""
