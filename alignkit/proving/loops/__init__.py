"""Loops of symbolic length: the head, its invariants, bounds on the cost, and what is said of the output.

Start in ``head``, whose steps the stages of a loop are made of, then ``invariants``. ``missing_invariants`` words what
a report says of them. May import symbolic trials, conditions and runs, no stage.
"""
