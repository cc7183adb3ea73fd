"""Exact and certified arithmetic for laws and attacks.

Nothing here is part of a proof or of a release: those rest on plain whole numbers and fractions. Imports nothing of
alignkit but errors, noise and the exploration of paths. Start reading in ``affine``.
"""
