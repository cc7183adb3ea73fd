"""Many runs of a program at once: the typed program on numpy arrays with an entry for each run.

Start reading in ``walking``, which runs statements, and ``frames``, which says which runs a statement concerns.
``batch_expressions`` and ``functions_of_columns`` compute values; ``loops_in_frames`` runs loops, and ``speculation``
several iterations of a loop at once. A number that differs from run to run is a ``NumberColumn`` (``columns``): exact
as long as it comes from public numbers alone. ``batch_noise`` draws the noise, ``collecting`` makes arrays of the
outputs, and ``sampled_runs`` gives them to the user.

May import ``interpreting``, ``language``, ``noise`` and what lies below them.
"""
