"""Lower bounds on the privacy loss of any sampler, from samples: events are learnt from data and certified afresh.

Start reading in ``sampling_attack``: it makes or checks pairs of databases (``sampler_inputs``), runs the sampler in
batches (``batches``), chooses a pair and events on one set of samples (``choosing``), and certifies them
on another (``certifying``).

May import ``arithmetic``, ``running`` and what lies below them.
"""
