"""Probabilities in closed form: from a program to polyhedra of noise, and from these to sums of exponentials."""
