"""What every alignment of a shape costs at least: runs that force demands, and multipliers that are checked exactly.

docs/finding.md has the theorem. The room imports what finding may import, and from finding itself the shapes and
the runs. Start reading in ``shape_bounds.py``, then ``border_runs.py``, ``forced_demands.py`` and ``multipliers.py``.
"""
