"""Exact and certified arithmetic for laws and attacks, on python-flint.

Nothing here is part of a proof or of a release: those rest on plain whole numbers and fractions, and on
``plain_enclosures``. Imports nothing of alignkit but errors and the exploration of paths.

Start reading in ``enclosures`` (numbers between certified ends) and ``affine`` (numbers with noise in them). Sums of
exponentials and functions made of them: ``exponential_sums``, ``piecewise``. Functions of symbolic bases:
``laurent_polynomials``, ``rational_functions``.
"""
