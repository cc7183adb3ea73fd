"""Lower bounds on the privacy loss: an event, two adjacent databases, and certified bounds on their probabilities."""
