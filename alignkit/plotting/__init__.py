"""Plots of alignments and of privacy losses, by matplotlib (the extra "plots"); each gives a matplotlib Figure.

Start reading in ``all_plots``, which draws the shares of a cost, an alignment over two noises and the law of an output
on both databases, and what is certified of many mechanisms beside what is proved. The room may
import what the explorer may, and the explorer.
"""

from alignkit.plotting.all_plots import LossBracket, loss_bracket, plot_brackets, plot_costs, plot_densities, plot_plane

__all__ = ["LossBracket", "loss_bracket", "plot_brackets", "plot_costs", "plot_densities", "plot_plane"]
