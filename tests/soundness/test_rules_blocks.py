"""Rules 13, 15 and 18: running totals in blocks whose ends are told by a remainder.

What a block has added up so far is the sum over as many iterations as the remainder says, only if it begins anew where
the remainder does; and every answer is paid for where it stands and where its block ends. Each program here breaks one
of these.
"""

from __future__ import annotations

import pytest
from support.short_programs import program

from alignkit.attacking import Event, Interval, certify

# Blocks are released when they end, and every answer with noise of its own, too.
SMART = """
done = 0
total = 0
block = {start}
for i, q_i in enumerate(q):
    if {ends}:
        x = noise.laplace(1 / eps)
        done = done + block + q_i + x
        total = done
        block = {anew}
        yield total
    else:
        e = noise.laplace(1 / eps)
        total = total + q_i + e
        block = {more}
        yield total
"""
E = "e=[q[i] - q_[i] for i in range(len(omega))]"
X = "x=[sum(q[j] - q_[j] for j in range({first}, i + 1)) if {ends} else 0 for i in range(len(omega))]"

# Blocks only.
ENDS = """
block = 0
for i, q_i in enumerate(q):
    block = block + q_i
    if {ends}:
        x = noise.laplace(1 / eps)
        yield block + x
        {then}
    else:
        yield 0
"""


def smart(
    ends="(i + 1) % k == 0",
    told=None,
    first="i + 1 - k",
    claim="2 * eps",
    adjacency="one",
    start="0",
    anew="0",
    more="block + q_i",
):
    body = SMART.format(ends=ends, start=start, anew=anew, more=more)
    shifts = f"{E}, {X.format(ends=told or ends, first=first)}"
    return program(body, shifts, claim=claim, adjacency=adjacency)


def ends(ends="(i + 1) % k == 0", first="i + 1 - k", claim="eps", adjacency="one", then="block = 0"):
    shifts = X.format(ends=ends, first=first)
    return program(ENDS.format(ends=ends, then=then), shifts, claim=claim, adjacency=adjacency)


PROVED = {
    "blocks of k": smart(),
    "blocks of k, each shift from where its block begins": smart(first="i - i % k"),
    "the end told the other way": smart(ends="i % k == k - 1"),
    "blocks of 3": smart(ends="(i + 1) % 3 == 0", first="i - 2"),
    "blocks of k + 1": smart(ends="(i + 1) % (k + 1) == 0", first="i - k"),
    "blocks alone": ends(),
    "blocks alone, absolute changes": ends(adjacency="l1"),
    "a block that begins with a public number": smart(start="T", anew="T"),
}


@pytest.mark.parametrize("name", PROVED)
def test_what_is_private(name, define, proved):
    proved(define(PROVED[name]).phi)


NEVER = {
    "the claim pays for each answer once": smart(claim="eps"),
    "every answer may change": smart(adjacency="each"),
    "a block that is not begun anew": smart(anew="block + q_i"),
    "a block that begins with the answer at its head": smart(anew="q_i"),
    "twice the answer": smart(more="block + 2 * q_i"),
    "the shift leaves out the first answer": smart(first="i + 2 - k"),
    "the shift of a block too long": smart(first="max(0, i - k)"),
    "the shift of all answers so far": smart(first="0"),
    "the end one iteration late": smart(ends="i % k == 0", first="max(0, i + 1 - k)"),
    "blocks of another length than the shift's": smart(ends="(i + 1) % k == 0", first="max(0, i - 1)"),
    "blocks of one or the other length": smart(ends="(i + 1) % k == 0 or (i + 1) % (k + 1) == 0"),
    "blocks that end at two remainders": smart(ends="(i + 1) % k == 0 or (i + 1) % k == 1"),
    "the alignment tells the ends otherwise": smart(told="i % k == 0", first="max(0, i + 1 - k)"),
    "blocks alone that are not begun anew": ends(then="pass"),
    "blocks alone, half the claim": ends(claim="eps / 2"),
    "blocks alone, all answers at once": ends(adjacency="each"),
    "blocks alone that are begun anew too early": ends(ends="i % k == k - 2", first="max(0, i + 1 - k)"),
    "an index that is out of range": ends(ends="i % k == 0"),
}


@pytest.mark.parametrize("name", NEVER)
def test_what_breaks_a_block(name, define, refused_or_never_proved):
    refused_or_never_proved(lambda: define(NEVER[name]).phi)


@pytest.mark.parametrize(
    ("source", "event", "n", "claimed"),
    [
        (NEVER["blocks alone that are not begun anew"], (Interval(high=0),) * 3, 3, 1),
        (NEVER["the claim pays for each answer once"], (Interval(high=0), Interval(high=0)), 2, 1),
    ],
    ids=["never begun anew", "each answer paid for once"],
)
def test_it_does_leak(source, event, n, claimed, define):
    k = 1 if n == 3 else 2
    event = Event(event)
    shown = certify(define(source).m, event=event, q=[0] * n, q_=[1, *[0] * (n - 1)], T=0, k=k, eps=1)
    assert shown.loss > claimed + 0.9
