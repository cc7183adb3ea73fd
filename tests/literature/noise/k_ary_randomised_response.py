"""One of three categories is told, the true one with odds of exp(eps) to 1 against each other category."""

from alignkit import Epsilon, Noise, Query, alignment, exp, mechanism


def category(x):
    return 0 if x < 1 else (1 if x < 2 else 2)


def around(step):
    return step if 0 <= step < 3 else (step + 3 if step < 0 else step - 3)


@mechanism
def three_ary(q: Query, eps: Epsilon, noise: Noise):
    step = noise.choice([exp(eps), 1, 1])
    return around(category(q) + step)


@alignment(three_ary, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(step=around(omega - category(q_)) - around(omega - category(q)))
