"""The sampler: from a typed program, a text that runs it on floats, many times faster than the evaluator.

Start reading in ``text_of_programs``, which writes the text for arguments of one shape (``value_shapes``), and
``python_sampler``, which compiles and runs it. ``fronts`` finds what is known before a run draws any noise;
``taped_noise`` lets the evaluator make a run again that has failed, to say what is wrong, and where.

Many runs begin in ``sampled_runs``. ``compiled_text`` is the dialect of the text that numba compiles,
``compiled_helpers`` what it calls, and ``compiled_sampler`` what runs it; only these two import numba, which is an
extra. ``stream_noise`` draws the same noise for all who make runs, and ``packing`` keeps their outputs.

May import ``interpreting``, ``language``, ``noise`` and what lies below them.
"""
