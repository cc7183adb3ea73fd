"""Rules 8, 10 and 18: functions that return the number of an iteration which a variable marks.

``best`` is the output at the end only, and the output says what the loop did only where nothing but marking changes it.
Each program here breaks one part of this.
"""

from __future__ import annotations

import pytest
from support.short_programs import program

WINNER = "e=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))]"

MAX = """
best = {start}
top = 0
for i, q_i in enumerate(q):
    e = noise.laplace({scale})
    if {test}:
        top = q_i + e
        best = {mark}
{more}
return {returned}
"""


def noisy_max(shifts=WINNER, claim="eps", adjacency="each", **changes):
    parts = {"test": "i == 0 or q_i + e > top", "mark": "i", "start": "0", "scale": "2 / eps", "more": ""}
    body = MAX.format(**{**parts, "returned": "best", **changes})
    return program(body, shifts, claim=claim, adjacency=adjacency)


PROVED = {
    "as it is": noisy_max(),
    "a tie goes to the later": noisy_max(test="i == 0 or q_i + e >= top"),
    "the last above a threshold": noisy_max(
        test="q_i + e > T", start="-1", shifts="e=[q[i] - q_[i] for i in range(len(q))]", claim="len(q) * eps / 2"
    ),
}

# Backwards this is sparse vector that stops at its first winner: what comes after the last stays below on D′, and what
# comes before it is not told.
LAST = """
rho = noise.laplace(2 / eps)
last = {start}
for i, q_i in enumerate(q):
    nu = noise.laplace({scale})
    if q_i + nu >= T + rho:
        last = i
return last
"""


def last_above(winner="1 + q[i] - q_[i]", rho="1", when="i == omega", scale="4 / eps", start="-1", claim="eps"):
    shifts = f"rho={rho}, nu=[{winner} if {when} else 0 for i in range(len(q))]"
    return program(LAST.format(scale=scale, start=start), shifts, claim=claim)


PROVED |= {
    "the last above a noisy threshold": last_above(),
    "the last above, moved by two": last_above("2"),
    # The output 0 says that none but the first may be above: D′ gives it whether the first is or not.
    "the last above, none is the first": last_above(start="0"),
}

NEVER = {
    "the last above, moved too little": last_above("1"),
    "the last above, threshold still": last_above(rho="0"),
    "the last above, threshold down": last_above(rho="-1"),
    "the last above, half the noise": last_above(scale="2 / eps"),
    "the last above, the one before moves": last_above(when="i == omega - 1"),
    "the last above, all before move": last_above(when="i <= omega"),
    "none above a threshold": noisy_max(test="q_i + e > max(top, T)", start="-1"),
    "half the noise": noisy_max(scale="1 / eps"),
    "the winner is not moved enough": noisy_max(
        shifts="e=[q[i] - q_[i] if i == omega else 0 for i in range(len(q))]"
    ),
    "all but the winner stay, the winner moves down": noisy_max(
        shifts="e=[q[i] - q_[i] - 1 if i == omega else 0 for i in range(len(q))]"
    ),
    "nothing is moved": noisy_max(shifts=""),
    "the maximum is returned too": noisy_max(
        returned="best, top", shifts="e=[1 + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))]"
    ),
    "the first always wins once": noisy_max(test="q_i + e > top"),
    "marked by another number": noisy_max(mark="2 * i"),
    "marked one ahead": noisy_max(mark="i + 1"),
    "marked by its own count": noisy_max(mark="best + 1"),
    "set back after the loop": noisy_max(more="best = 0 if top > T else best"),
    "set back within the loop": noisy_max(more="    if q_i + e < T:\n        best = 0"),
    "left early": noisy_max(more="    if top > T:\n        break"),
    "left early by the answer": noisy_max(more="    if q_i > T:\n        break"),
    "the answers decide without noise": noisy_max(test="i == 0 or q_i > top"),
    "the winner of the noise alone is compared with answers": noisy_max(
        test="i == 0 or e > top - q[0]", shifts=WINNER, scale="1 / eps"
    ),
    "the top is what was last": noisy_max(more="    top = q_i + e", scale="2 / eps"),
    "the smallest and the largest": noisy_max(test="i == 0 or abs(q_i + e) > abs(top)"),
    "two marks, one returned": noisy_max(
        more="    other = i",
        returned="best + best",
        shifts="e=[1 + q[i] - q_[i] if 2 * i == omega else 0 for i in range(len(q))]",
    ),
    "an earlier iteration is asked for": noisy_max(
        shifts="e=[1 + q[i] - q_[i] if i == omega - 1 else 0 for i in range(len(q))]"
    ),
    "everything up to the winner moves": noisy_max(
        shifts="e=[1 + q[i] - q_[i] if i <= omega else 0 for i in range(len(q))]"
    ),
    "everything after the winner moves": noisy_max(
        shifts="e=[1 + q[i] - q_[i] if i >= omega else 0 for i in range(len(q))]"
    ),
    "the last above a threshold, one shift": noisy_max(
        test="q_i + e > T", start="-1", shifts="e=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))]"
    ),
    "the last above a threshold, cheaper": noisy_max(
        test="q_i + e > T", start="-1", shifts="e=[q[i] - q_[i] for i in range(len(q))]", claim="eps"
    ),
    "a start that the loop may mark": noisy_max(test="q_i + e > max(top, T)", start="0"),
    "monotone only": noisy_max(scale="1 / eps", adjacency="monotone"),
}  # fmt: skip


@pytest.mark.parametrize("name", PROVED)
def test_proved(name, define, proved):
    proved(define(PROVED[name]).phi)


@pytest.mark.parametrize("name", NEVER)
def test_never_proved(name, define, refused_or_never_proved):
    refused_or_never_proved(lambda: define(NEVER[name]).phi)
