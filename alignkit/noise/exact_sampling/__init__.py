"""Exact sampling, for releases: whole numbers and fractions only, from random bits that are handed in.

Nothing here computes with floating point. Each sampler has exactly the law that it states, given fair bits. Start
reading in ``drawing``, the noise of a run and its samplers, where it is said why they are exact.
"""
