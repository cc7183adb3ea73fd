"""The check of an alignment, in five hops; start reading in ``five_hops``.

``check`` searches for a counterexample (``hunting``), states the obligations of a proof, has a solver decide them, and
puts what came of it into a result (``conclusions``). What several alignments say of one mechanism together stands in
``several_alignments``. The room may import everything but the command line, the catalogue and releases.
"""

from alignkit.checking.conclusions import timed_out
from alignkit.checking.five_hops import check, check_with_proof, check_with_vote
from alignkit.checking.several_alignments import fold_privacy

__all__ = ["check", "check_with_proof", "check_with_vote", "fold_privacy", "timed_out"]
