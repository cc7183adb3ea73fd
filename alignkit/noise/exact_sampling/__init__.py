"""Exact sampling, for releases: whole numbers and fractions only, from random bits that are handed in.

Nothing here computes with floating point. Each sampler has exactly the law that it states, given fair bits. Start
reading in ``drawing``, the noise of a run; its samplers are in ``samplers``, and why they are exact is said in
``geometric_digits`` and ``lookup_tables``.
"""
