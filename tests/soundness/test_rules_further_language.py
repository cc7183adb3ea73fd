"""Rules 15, 36, 42, 44 and 61 for what papers write beside the usual: multiples of a sensitivity.

Each group has programs that are private by the alignment given, and neighbours of them that are not.
"""

from __future__ import annotations

import pytest

from alignkit.errors import InputError, LanguageError

# Sensitivities that are multiples of a parameter

OF_ONE = """
@mechanism
def m(q: Annotated[Query, Sensitivity("{sensitivity}")], delta: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace({distance} / eps)
    return q + e

@alignment(m, epsilon="eps")
def phi(q, q_, H):
    return H.shift(e=q - q_)
"""

OF_MANY = """
@mechanism
def m(q: Annotated[Queries, Sensitivity("2 * delta")], r: Annotated[Query, Sensitivity("delta")], delta: Positive,
      eps: Epsilon, noise: Noise):
    f = noise.laplace({of_r} / eps)
    yield r + f
    for q_i in q:
        e = noise.laplace({of_q} / eps)
        yield q_i + e

@alignment(m, epsilon="eps", adjacency="one")
def phi(q, q_, r, r_, omega, H):
    return H.shift(f=r - r_, e=[q[i] - q_[i] for i in range(len(omega) - 1)])
"""

CALLED = """
@mechanism
def each(q: Annotated[Queries, Sensitivity("2 * delta")], delta: Positive, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(2 * delta / eps)
        yield q_i + e

@alignment(each, epsilon="eps", adjacency="l1")
def lemma(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i, w in enumerate(omega)])

@mechanism
def m(q: Annotated[Queries, Sensitivity("b")], b: Positive, eps: Epsilon, noise: Noise):
    yield from each(q, {delta}, eps, noise)

@alignment(m, epsilon="eps", adjacency="l1", lemmas=[lemma])
def phi(H):
    return H.shift()
"""

# A sensitivity, and how far it lets an answer move.
MULTIPLES = {
    "2 * delta": "2 * delta",
    "delta*0.5": "delta / 2",
    "delta / 3": "delta / 3",
    "1/2 * delta": "delta / 2",
    "0.1 * delta": "delta / 10",
}

NO_SENSITIVITIES = (
    "-2 * delta", "0 * delta", "delta / 0", "delta * delta", "2 * delta * 3", "2 + delta", "2 * gamma", "True * delta",
    "2 * delta if 1 else 3", "nan * delta",
)


@pytest.mark.parametrize("sensitivity", MULTIPLES)
def test_a_multiple_of_a_parameter_bounds_the_change_of_an_answer(sensitivity, define, proved, never_proved):
    distance = MULTIPLES[sensitivity]
    proved(define(OF_ONE.format(sensitivity=sensitivity, distance=distance)).phi)
    never_proved(define(OF_ONE.format(sensitivity=sensitivity, distance=f"0.99 * {distance}")).phi, "cost")


def test_each_parameter_has_its_own_multiple(define, proved, never_proved):
    proved(define(OF_MANY.format(of_r="delta", of_q="2 * delta")).phi)
    never_proved(define(OF_MANY.format(of_r="2 * delta", of_q="delta")).phi, "cost")


def test_a_call_must_pass_answers_within_the_multiple(define, proved, never_proved):
    proved(define(CALLED.format(delta="b / 2")).phi)
    never_proved(define(CALLED.format(delta="b / 3")).phi, "cost")


@pytest.mark.parametrize("sensitivity", NO_SENSITIVITIES)
def test_what_is_no_positive_multiple_of_a_parameter_is_refused(sensitivity, define):
    with pytest.raises((InputError, LanguageError)):
        define(OF_ONE.format(sensitivity=sensitivity, distance="delta"))


def test_a_multiple_is_no_sensitivity_of_answers_on_a_lattice(define):
    source = OF_ONE.format(sensitivity="2 * delta", distance="2 * delta")
    with pytest.raises(LanguageError, match="2 \\* delta, which need not be a multiple of its lattice"):
        define(source.replace('delta")]', 'delta"), Lattice(1)]'))
    # What the message says to write instead.
    advised = source.replace('Sensitivity("2 * delta")]', 'Sensitivity("twice"), Lattice(1)]').replace("delta", "twice")
    assert define(advised).m.domain.lattices == {"q": 1, "twice": 1}


def test_every_door_refuses_changes_beyond_the_multiple(define):
    phi = define(OF_ONE.format(sensitivity="2 * delta", distance="2 * delta")).phi
    assert phi.replay(0, 3, {"e": 1}, delta="3/2", eps=1).violation is None
    with pytest.raises(InputError, match="q changes by 4, more than the sensitivity 3"):
        phi.replay(0, 4, {"e": 1}, delta="3/2", eps=1)
