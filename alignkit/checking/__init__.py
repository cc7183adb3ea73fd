"""The check of an alignment, in five hops; start reading in ``five_hops``.

``check`` searches for a counterexample (``hunting``), states the obligations of a proof, has a solver decide them, and
puts what came of it into a result (``conclusions``). What a second program says of a proof stands in
``second_opinions``, and what several alignments say of one mechanism together in ``several_alignments``. The room may
import everything but the command line, the catalogue and releases.
"""

from alignkit.checking.conclusions import timed_out
from alignkit.checking.five_hops import check, check_with_proof, check_with_vote
from alignkit.checking.second_opinions import confirm, opinion_on_proof
from alignkit.checking.several_alignments import fold_privacy

__all__ = [
    "check",
    "check_with_proof",
    "check_with_vote",
    "confirm",
    "fold_privacy",
    "opinion_on_proof",
    "timed_out",
]
