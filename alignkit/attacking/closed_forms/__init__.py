"""Probabilities in closed form: from a program to polyhedra of noise, and from these to sums of exponentials.

Imports what is below attacks, and of attacks only events and methods. Start reading in ``certified_losses``, which
certifies what an event shows; ``covering`` finds the polyhedra, ``regions`` and ``gumbel_orders`` their probabilities,
and ``lattice_laws`` takes mechanisms whose noise is on a lattice.
"""
