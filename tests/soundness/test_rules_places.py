"""Rules 13 and 18: iterations that read answers at places of their own, each paid for as often as it is read.

Under ``one`` and ``l1`` the claim is compared with what all iterations that read an answer cost together. The claims
here are wrong by one reading of one answer.
"""

from __future__ import annotations

import pytest
from support.short_programs import ONE, TWO, program

from alignkit.attacking import Event, Interval, certify

NEIGHBOURS = """
for i in range(1, len(q)):
    e = noise.laplace(1 / eps)
    yield q[i] - q[i - 1] + e
"""
CHANGED = "e=[q[i + 1] - q_[i + 1] - (q[i] - q_[i]) for i in range(len(omega))]"

PAIRS = """
for j in range(len(q) // 2):
    e = noise.laplace(1 / eps)
    yield q[2 * j] + {sign} q[2 * j + 1] + e
"""
PAIR = "e=[q[2 * j] - q_[2 * j] + {sign} (q[2 * j + 1] - q_[2 * j + 1]) for j in range(len(omega))]"

OVERLAPPING = """
for j in range((len(q) - 1) // 2):
    e = noise.laplace(1 / eps)
    yield q[2 * j] + q[2 * j + 1] + q[2 * j + 2] + e
"""
THREE = "e=[sum(q[i] - q_[i] for i in range(2 * j, 2 * j + 3)) for j in range(len(omega))]"
THREE_WRITTEN = (
    "e=[q[2 * j] - q_[2 * j] + q[2 * j + 1] - q_[2 * j + 1] + q[2 * j + 2] - q_[2 * j + 2]"
    " for j in range(len(omega))]"
)

TWO_STRIDES = """
for j in range(len(q) // 2):
    e = noise.laplace(1 / eps)
    yield q[j] + q[2 * j] + e
"""

BACKWARDS = """
for i in range(len(q)):
    e = noise.laplace(1 / eps)
    yield q[len(q) - 1 - i] + q[i] + e
"""

SAME_AGAIN = """
for i in range(1, len(q)):
    e = noise.laplace(1 / eps)
    yield q[0] + q[i] + e
"""

TWO_LISTS = """
for i in range(1, min(len(q), len(s))):
    e = noise.laplace(1 / eps)
    yield q[i] + s[i - 1] + {more} + e
"""
OF_TWO = "e=[q[i + 1] - q_[i + 1] + s[i] - s_[i] + {more} for i in range(len(omega))]"

LEAVING = """
for i in range(2, len(q)):
    e = noise.laplace(1 / eps)
    if q[i] - q[i - 2] + e >= T:
        yield ABOVE
        break
    yield BELOW
"""


@pytest.mark.parametrize("adjacency", ["one", "l1"])
@pytest.mark.parametrize(
    ("source", "factor"),
    [
        (lambda c, a: program(NEIGHBOURS, CHANGED, claim=c, adjacency=a), 2),
        (lambda c, a: program(PAIRS.format(sign=""), PAIR.format(sign=""), claim=c, adjacency=a), 1),
        (lambda c, a: program(PAIRS.format(sign="3 *"), PAIR.format(sign="3 *"), claim=c, adjacency=a), 3),
        (
            lambda c, a: program(
                TWO_LISTS.format(more="0"), OF_TWO.format(more="0"), claim=c, adjacency=a, parameters=TWO
            ),
            1,
        ),
        (
            lambda c, a: program(
                TWO_LISTS.format(more="q[i - 1]"),
                OF_TWO.format(more="q[i] - q_[i]"),
                claim=c,
                adjacency=a,
                parameters=TWO,
            ),
            2,
        ),
    ],
    ids=["neighbours", "pairs", "weighted pairs", "two lists", "two lists, one read twice"],
)
def test_each_reading_of_an_answer_is_paid_for(source, factor, adjacency, define, proved, never_proved):
    right = define(source(f"{factor} * eps", adjacency))
    proved(right.phi)
    never_proved(define(source(f"{factor} * eps - eps / 100", adjacency)).phi)


@pytest.mark.parametrize("adjacency", ["one", "l1"])
@pytest.mark.parametrize(
    ("body", "shifts", "claim", "parameters"),
    [
        (OVERLAPPING, THREE, "eps", ONE),
        (OVERLAPPING, THREE_WRITTEN, "eps", ONE),
        (TWO_STRIDES, "e=[q[j] - q_[j] + q[2 * j] - q_[2 * j] for j in range(len(omega))]", "eps", ONE),
        (
            BACKWARDS,
            "e=[q[len(q) - 1 - i] - q_[len(q) - 1 - i] + q[i] - q_[i] for i in range(len(omega))]",
            "eps",
            ONE,
        ),
        (SAME_AGAIN, "e=[q[0] - q_[0] + q[i + 1] - q_[i + 1] for i in range(len(omega))]", "2 * eps", ONE),
        (TWO_LISTS.format(more="s[i]"), OF_TWO.format(more="s[i + 1] - s_[i + 1]"), "eps", TWO),
        (
            LEAVING,
            "e=[q[i + 2] - q_[i + 2] - (q[i] - q_[i]) for i in range(len(omega))]",
            "eps",
            ONE,
        ),
    ],
    ids=[
        "overlapping sums", "overlapping, written out", "two strides", "backwards", "one answer again and again",
        "two lists", "left early",
    ],
)  # fmt: skip
def test_an_answer_that_is_read_once_more_costs_more(body, shifts, claim, parameters, adjacency, define, never_proved):
    never_proved(define(program(body, shifts, claim=claim, adjacency=adjacency, parameters=parameters)).phi)


UP, DOWN = Interval(low=0), Interval(high=0)


@pytest.mark.parametrize(
    ("body", "event", "changed", "claimed"),
    [
        (NEIGHBOURS, (DOWN, UP), [0, 1, 0], 1),
        (SAME_AGAIN, (DOWN, DOWN, DOWN), [1, 0, 0, 0], 2),
        (OVERLAPPING, (DOWN, DOWN), [0, 0, 1, 0, 0], 1),
    ],
    ids=["neighbours", "one answer again and again", "overlapping sums"],
)
def test_it_does_leak(body, event, changed, claimed, define):
    leaking = define(program(body, "", adjacency="one")).m
    shown = certify(leaking, event=Event(event), q=[0] * len(changed), q_=changed, T=0, k=1, eps=1)
    assert shown.loss > claimed + 0.99
