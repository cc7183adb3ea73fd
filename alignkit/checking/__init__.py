"""The check of an alignment, in five hops; start reading in ``five_hops``.

``check`` searches for a counterexample, states the obligations of a proof, has a solver decide them, and puts what came
of it into a result (``conclusions``, which also says what several alignments show of one mechanism together). What a
second program says of a proof stands in ``second_opinions``. The room may import everything but the command line, the
catalogue and releases.
"""

from alignkit.checking.conclusions import fold_privacy, timed_out
from alignkit.checking.five_hops import check, check_with_proof, check_with_vote
from alignkit.checking.second_opinions import confirm, opinion_on_proof

__all__ = [
    "check",
    "check_with_proof",
    "check_with_vote",
    "confirm",
    "fold_privacy",
    "opinion_on_proof",
    "timed_out",
]
