"""Exact sampling, for releases: whole numbers and fractions only, from random bits that are handed in.

Nothing here computes with floating point. Each sampler has exactly the law that it states, given fair bits. Start
reading in ``drawing``, the noise of a run and its samplers; why they are exact is said there and in ``ratios``.
"""
