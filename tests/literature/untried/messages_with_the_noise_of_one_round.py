"""Private consensus (Huang et al., WPES 2012) with the budget of a single message in each round."""

from alignkit import Epsilon, Noise, Proportion, Query, Reals, alignment, mechanism


@mechanism
def messages_with_the_noise_of_one_round(start: Query, y: Reals, s: Proportion, eps: Epsilon, noise: Noise):
    """Send a noisy state in each round, and move towards the average of that round."""
    x = start
    spread = 1
    for y_t in y:
        e = noise.laplace(spread / eps)
        yield x + e
        x = (1 - s) * x + s * y_t
        spread = (1 - s) * spread


@alignment(messages_with_the_noise_of_one_round, epsilon="eps", expect="refuted")
def phi(start, start_, s, omega, H):
    lost = start - start_
    shifts = []
    for i in range(len(omega)):
        shifts = [*shifts, lost]
        lost = (1 - s) * lost
    return H.shift(e=shifts)
