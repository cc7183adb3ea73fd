"""The plots that an alignment has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from alignkit.errors import InputError
from alignkit.explorer.example_runs import first_example
from alignkit.plotting.costs import plot_costs
from alignkit.plotting.output_laws import plot_densities
from alignkit.plotting.plane import plot_plane
from alignkit.results import Result, Witness
from alignkit.running.alignment_decorator import Alignment

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plots_of(alignment: Alignment, result: Result) -> Iterator[tuple[str, Figure]]:
    """The plots of a checked alignment, each with its name: ``costs``, ``plane``, ``densities``.

    Left out are those that it does not have: a plane takes two continuous noises, densities a certified loss.

    >>> from alignkit import check
    >>> from alignkit.proofs.sparse_vector import gap_phi
    >>> [name for name, _ in plots_of(gap_phi, check(gap_phi, effort=0))]
    ['costs', 'plane']
    """
    witness = _shown_inputs(alignment, result)
    for name, draw in (("costs", plot_costs), ("plane", plot_plane)):
        try:
            yield name, draw(alignment, at=witness)
        except InputError:
            continue
    loss = result.privacy.leak
    if loss is not None:
        try:
            yield "densities", plot_densities(alignment.mechanism, loss)
        except InputError:
            return


def _shown_inputs(alignment: Alignment, result: Result) -> Witness | None:
    if result.counterexample is not None:
        return result.counterexample.witness
    return first_example(alignment)
