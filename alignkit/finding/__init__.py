"""Proposals of alignments for a mechanism: from runs to linear demands on the shifts, and from shifts to source text.

Nothing here is trusted: what is proposed is given to ``check``, which decides. The room imports from checking and
everything below it. Start reading in ``search.py``, then ``paired_runs.py``, ``shapes.py``, ``programs.py``,
``proposing.py`` and ``shape_search.py``. What all alignments of a shape cost at least is shown in
``bounds``; those bounds are exact. The least noise that a claim needs is in ``scales``.
"""

from alignkit.finding.scales.noise_search import least_noise
from alignkit.finding.search import find

__all__ = ["find", "least_noise"]
