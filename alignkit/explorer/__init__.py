"""The page on which a reader moves inputs and noise by hand and sees both runs; start reading in ``page``.

The page computes from the program that was proved or refuted: which is written as JSON,
and the scripts of the folder assets run it on exact numbers. The room may import what ``explaining`` may, and that
room itself.
"""
