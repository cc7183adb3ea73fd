"""Exact laws: the distribution of a mechanism's output as rational functions of the noise's bases, and its equality."""

from __future__ import annotations

from alignkit.laws.comparing import Difference, SameLaw, same_law, vectors
from alignkit.laws.computing import Beyond, Law, NotDefined, law

__all__ = ["Beyond", "Difference", "Law", "NotDefined", "SameLaw", "law", "same_law", "vectors"]
