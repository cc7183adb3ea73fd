"""The proof of an alignment: from both runs to obligations, which a solver decides one by one.

Start reading in ``prove``, then ``obligation``, ``unbounded`` and ``conditions``. Nothing counts as proved that is not
an obligation which was decided.
"""
