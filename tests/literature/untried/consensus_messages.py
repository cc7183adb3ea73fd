"""The messages of one agent in private consensus (Huang, Mitra and Dullerud, WPES 2012).

The agent moves by a fixed share towards the average that it hears, so its start matters less and less, and the noise
of its messages shrinks as fast.
"""

from alignkit import Epsilon, Noise, Proportion, Query, Reals, alignment, mechanism


@mechanism
def consensus_messages(start: Query, y: Reals, s: Proportion, eps: Epsilon, noise: Noise):
    """Send a noisy state in each round, and move towards the average of that round."""
    x = start
    spread = 1
    for y_t in y:
        e = noise.laplace(len(y) * spread / eps)
        yield x + e
        x = (1 - s) * x + s * y_t
        spread = (1 - s) * spread


@alignment(consensus_messages, epsilon="eps")
def phi(start, start_, s, omega, H):
    lost = start - start_
    shifts = []
    for i in range(len(omega)):
        shifts = [*shifts, lost]
        lost = (1 - s) * lost
    return H.shift(e=shifts)
