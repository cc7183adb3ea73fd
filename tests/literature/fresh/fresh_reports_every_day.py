"""One bit is reported on each of k days with fresh randomness, and the budget of a single day is claimed.

Tang, Korolova, Bai, Wang and Wang, Privacy Loss in Apple's Implementation of Differential Privacy on MacOS 10.12, 2017.
Each report flips the bit with probability 1/4.
"""

from alignkit import Count, Noise, Query, mechanism


@mechanism
def fresh_reports(x: Query, k: Count, noise: Noise):
    bit = 1 if x > 0 else 0
    for t in range(k):
        flip_t = noise.choice([3, 1])
        if flip_t == 1:
            yield 1 - bit
        else:
            yield bit
