"""Rule 18: a loop that is left where a counter equals a limit; a counter may start beyond it, or step over it."""

import pytest

STREAM = """
@mechanism
def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    count = {start}
    for q_i in q:
        nu_i = noise.laplace(4 * k / eps)
        if q_i + nu_i >= T + rho:
            yield ABOVE
            count = count {step}
            {guard}
        else:
            yield BELOW

@alignment(m, epsilon="{claim}")
def phi(q, q_, omega, H):
    return H.shift(rho=1, nu_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
"""


def stream(start="0", step="+ 1", test="count == k", guard="", claim="eps"):
    return STREAM.format(start=start, step=step, guard=guard or f"if {test}:\n                break", claim=claim)


PROVED = {
    "up to the limit": stream(),
    "the limit on the left": stream(test="k == count"),
    "down to 0": stream("k", "- 1", "count == 0"),
    "one winner more, paid for": stream("-1", claim="eps / 2 + eps / 2 * (k + 1) / k"),
    "from 1 to one more": stream("1", test="count == k + 1"),
}

NEVER = {
    "beyond the limit at the start": stream("k + 1"),
    "beyond the limit going down": stream("-1", "- 1", "count == 0"),
    "the limit at the start": stream("k"),
    "steps of two": stream(step="+ 2"),
    "steps of two from 1": stream("1", "+ 2", "count == 2 * k"),
    "half a step beside the limit": stream("1 / 2"),
    "half steps": stream(step="+ 1 / 2"),
    "away from the limit": stream(step="- 1"),
    "the limit is passed over by an answer": stream(step="+ (1 if q_i > T else 2)"),
    "one winner more": stream("-1"),
    "twice the winners": stream(test="count == 2 * k"),
    "another limit": stream(test="count == k + 1"),
    "a private limit": stream(test="count == k + q_i - T"),
    "no way out": stream(guard="pass"),
    "not equal": stream(test="not (count == k)", claim="eps / 2"),
}


@pytest.mark.parametrize("source", PROVED.values(), ids=PROVED.keys())
def test_proved(define, proved, source):
    proved(define(source).phi)


@pytest.mark.parametrize("source", NEVER.values(), ids=NEVER.keys())
def test_never_proved(define, refused_or_never_proved, source):
    refused_or_never_proved(lambda: define(source).phi)
