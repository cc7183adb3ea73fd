"""Counterexamples to alignments: searched for, shrunk, and replayed through the user's own functions.

Start reading in ``search``, which tries adjacent pairs, and ``candidates``, which says when one of them convicts. What
is found refutes a proof; whether the mechanism leaks is what ``attacking`` asks.
"""
