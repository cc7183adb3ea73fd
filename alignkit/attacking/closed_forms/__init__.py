"""Probabilities in closed form: from a program to polyhedra of noise, and from these to sums of exponentials.

May import what lies below ``attacking``, and nothing else of it. Start reading in ``certified_losses``, which certifies
what an event shows; ``covering`` finds the polyhedra, ``regions`` and ``gumbel_orders`` their probabilities, and
``lattice_laws`` takes mechanisms whose noise is on a lattice.
"""
