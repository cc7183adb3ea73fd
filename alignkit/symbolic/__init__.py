"""Terms and formulas, the exploration of paths, and the questions that are put to z3.

Start reading in ``terms`` and ``formulas``; ``solver`` says what may be asked.
"""
