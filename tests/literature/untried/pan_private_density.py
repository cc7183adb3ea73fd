"""Pan-private density (Dwork, Naor, Pitassi, Rothblum and Yekhanin, ICS 2010): an intrusion, then the answer.

The bit of a user who has not appeared is fair, and that of a user who has leans to 1. An intruder sees all bits once.
Then users appear again, their bits are drawn anew, and a noisy number of ones is put out.
"""

from alignkit import Noise, Proportion, Queries, alignment, log, mechanism


@mechanism
def pan_private_density(before: Queries, after: Queries, a: Proportion, noise: Noise):
    """Put out the bits at the intrusion, where outcome 0 is a one, and the noisy number of ones at the end."""
    b = [noise.choice([1 + a / 2 if x > 0 else 1, 1 - a / 2 if x > 0 else 1]) for x in before]
    c = [noise.choice([1 + a / 2, 1 - a / 2]) for y in after]
    e = noise.laplace(1 / log(2 / (2 - a)))
    ones = sum(1 for s, t, y in zip(b, c, after) if (t == 0 if y > 0 else s == 0))
    return b, ones + e


@alignment(pan_private_density, epsilon="2 * log(2 / (2 - a))", adjacency="few(2)")
def phi(after, after_, H):
    ones = sum(1 for s, t, y in zip(H.b, H.c, after) if (t == 0 if y > 0 else s == 0))
    ones_ = sum(1 for s, t, y in zip(H.b, H.c, after_) if (t == 0 if y > 0 else s == 0))
    return H.shift(e=ones - ones_)
