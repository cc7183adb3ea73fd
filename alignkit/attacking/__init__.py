"""Lower bounds on the privacy loss of a mechanism: an event, two adjacent inputs, and certified probabilities.

Start reading in ``mechanism_attack``: it searches for a case, inputs and an event (``attack_search``, ``climbing``),
and certifies the best by ``closed_forms``. Where a delta is claimed the event follows from the inputs (``excess``).
``brackets`` holds what is certified against what is proved. A mechanism that no closed form covers is sampled, as
``auditing`` samples any function.

May import ``auditing``, ``proving``, ``running`` and what lies below them.

>>> from alignkit.attacking import Event, certify
>>> from alignkit.mechanisms.noisy_max import noisy_max
>>> found = certify(noisy_max, event=Event(0), q=[1, 3], q_=[0, 4], eps=1)
>>> 0.5 < found.loss < 1, str(found.method)
(True, 'closed form')
"""

from alignkit.attacking.closed_forms.certified_losses import certify
from alignkit.attacking.mechanism_attack import attack
from alignkit.output_events import ANYTHING, Either, Event, Interval, OneOf
from alignkit.results import CertifiedLoss, Method

__all__ = ["ANYTHING", "CertifiedLoss", "Either", "Event", "Interval", "Method", "OneOf", "attack", "certify"]
