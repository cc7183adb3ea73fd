"""The least noise that a claim needs: scales for a mechanism's draws, and its source with these scales.

The room imports what finding may import, and from finding itself the shapes, the runs and the texts of alignments.
Start reading in ``noise_search.py``, then ``noise_factors.py`` and ``mending.py``.
"""
