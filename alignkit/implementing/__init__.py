"""Is the function that ships the mechanism that was proved? Unmodified functions, run on symbolic numbers and floats.

A function of a library and a mechanism are run on the same inputs and the same noise, path by path for all real inputs
of small sizes, and on floats beyond. This room imports ``confirming``, whose numbers, paths and runs of mechanisms it
shares, and ``errors``; what searches the catalogue and what keeps verdicts import ``catalogue``, ``caching`` and
``gating`` too. Only the package's own front, the command line and the plugin of pytest import it. Start reading in
``conformance``, which says what is asked and answered, then in ``tapes``. ``drafts`` makes a mechanism of a function's
source.
"""

from __future__ import annotations

from alignkit.implementing.catalogue_search import CatalogueAnswer, mechanisms_implemented, other_mechanisms
from alignkit.implementing.conformance import Conformance, Conformity, Implementation, implements
from alignkit.implementing.tapes import NoiseDraw

__all__ = [
    "CatalogueAnswer",
    "Conformance",
    "Conformity",
    "Implementation",
    "NoiseDraw",
    "implements",
    "mechanisms_implemented",
    "other_mechanisms",
]
