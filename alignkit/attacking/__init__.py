"""Lower bounds on the privacy loss: an event, two adjacent databases, and certified bounds on their probabilities.

>>> from alignkit.attacking import Event, certify
>>> from alignkit.mechanisms.noisy_max import noisy_max
>>> certify(noisy_max, event=Event(0), q=[0, 4], q_=[1, 3], eps=1)  # doctest: +ELLIPSIS
Certified(loss=0..., low=..., high=..., method=<Method.EXACT: 'closed form'>)
"""

from alignkit.attacking.attack import attack
from alignkit.attacking.bounds import LowerBound, Method
from alignkit.attacking.closed_forms.certified_losses import Certified, certify
from alignkit.attacking.events import ANYTHING, Event, Interval, OneOf

__all__ = ["ANYTHING", "Certified", "Event", "Interval", "LowerBound", "Method", "OneOf", "attack", "certify"]
