"""Loops of symbolic length: the head, its invariants, bounds on the cost, and what is said of the output.

Start in ``head``, whose steps the stages of a loop are made of, then ``invariants``. What a body changes, appends to
and takes for whole numbers is read off its text, and obliged of every iteration. May import symbolic trials, conditions
and runs, no stage.
"""
