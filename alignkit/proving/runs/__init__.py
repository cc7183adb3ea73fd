"""The symbolic runs: D, the alignment, D′ on the aligned noise, and a second run of D on other noise.

A run records its events (draws, outputs); who made it may listen to them. No run knows a condition of the proof. Start
in ``run_on_d``, then ``alignment_run`` and ``aligned_run``. May import vectors and what they may import.
"""
