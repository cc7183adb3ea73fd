"""Plots of alignments and of privacy losses, by matplotlib (the extra "plots"); each gives a matplotlib Figure.

Start reading in ``costs``, the shortest. ``plane`` draws an alignment over two noises, ``output_laws`` the law of an
output on both databases, and ``loss_brackets`` what is certified of many mechanisms beside what is proved. The room may
import what the explorer may, and the explorer.
"""

from alignkit.plotting.costs import plot_costs
from alignkit.plotting.loss_brackets import LossBracket, loss_bracket, plot_brackets
from alignkit.plotting.output_laws import plot_densities
from alignkit.plotting.plane import plot_plane

__all__ = ["LossBracket", "loss_bracket", "plot_brackets", "plot_costs", "plot_densities", "plot_plane"]
