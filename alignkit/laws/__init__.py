"""Exact laws: the distribution of a mechanism's output as rational functions of the noise's bases, and its equality.

Imports arithmetic and what is below it. Start reading in ``computing`` (a run for every path, summed by output), then
``lattice_paths`` (what holds of the noise on a path) and ``masses`` (how probable that is); ``comparing`` holds two
laws against each other.
"""

from __future__ import annotations

from alignkit.laws.comparing import Difference, SameLaw, same_law, vectors
from alignkit.laws.computing import Beyond, Law, NotDefined, law

__all__ = ["Beyond", "Difference", "Law", "NotDefined", "SameLaw", "law", "same_law", "vectors"]
