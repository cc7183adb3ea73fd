"""Checks of many alignments, one after the other in this process or side by side on any executor.

The function `check_all` takes targets as the command line does, and an executor of concurrent.futures or of a cluster.
The room imports from the catalogue and everything below it. Start reading in ``many_checks``.
"""

from alignkit.spreading.many_checks import check_all

__all__ = ["check_all"]
