"""Sampling many runs of a program at once: the typed program on numpy arrays with an entry for each run.

Start reading in ``walking``, which runs statements, and ``frames``, which says which runs a statement concerns;
``expressions`` and ``functions_of_columns`` compute values, and ``speculation`` runs several iterations of a loop at
once. A number that differs from run to run is a ``Column``: exact as long as it comes from public numbers alone.
``drawing`` draws the noise, ``collecting`` makes arrays of the outputs, and ``samples`` gives them to the user.

May import ``interpreting``, ``language``, ``noise`` and what lies below them.
"""
