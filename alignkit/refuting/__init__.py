"""Counterexamples to alignments: searched for, shrunk, and replayed through the user's own functions.

Start reading in ``random_search``, which tries adjacent pairs, and ``convicting``, which says when one of them breaks
the proof, and not by a tie alone. ``counterexamples`` has it replayed by Python. What is found refutes a proof; whether
the mechanism leaks is what ``attacking`` asks. Several files of the room ask the prover or the solver where to look.

May import ``proving``, ``symbolic``, ``running`` and what lies below them.
"""
