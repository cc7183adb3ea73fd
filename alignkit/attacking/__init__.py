"""Lower bounds on the privacy loss: an event, two adjacent databases, and certified bounds on their probabilities.

>>> from alignkit.attacking import Event, certify
>>> from alignkit.mechanisms.noisy_max import noisy_max
>>> found = certify(noisy_max, event=Event(0), q=[1, 3], q_=[0, 4], eps=1)
>>> 0.5 < found.loss < 1, str(found.method)
(True, 'closed form')
"""

from alignkit.attacking.attack import attack
from alignkit.attacking.closed_forms.certified_losses import certify
from alignkit.output_events import ANYTHING, Event, Interval, OneOf
from alignkit.results import CertifiedLoss, Method

__all__ = ["ANYTHING", "CertifiedLoss", "Event", "Interval", "Method", "OneOf", "attack", "certify"]
