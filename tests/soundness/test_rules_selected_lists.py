"""Rules 6, 20 and 27: lists in which a loop collects the positions that were selected, read as ``i in omega``."""

from __future__ import annotations

import pytest
from support.short_programs import program

TOP = """
e = [noise.laplace({scale}) for q_i in q]
noisy = [q_i + e_i for q_i, e_i in zip(q, e)]
out = {start}
{before}
for j in largest({ranked}, {count}):
    {check}
    out = [*out, {item}]
return {returned}
"""


def top_k(shift="1 + q[i] - q_[i]", when="i in omega", other="0", claim="eps", adjacency="each", **changes):
    parts = {
        "scale": "2 * k / eps", "start": "[]", "before": "pass", "ranked": "noisy", "count": "k", "check": "pass",
        "item": "j", "returned": "out",
    }  # fmt: skip
    shifts = f"e=[{shift} if {when} else {other} for i in range(len(q))]"
    return program(TOP.format(**{**parts, **changes}), shifts, claim=claim, adjacency=adjacency)


PROVED = {
    "as it is": top_k(),
    "monotone": top_k(scale="k / eps", adjacency="monotone", shift="1 + q[i] - q_[i]", claim="2 * eps"),
    "more noise than needed": top_k(scale="4 * k / eps"),
}

NEVER = {
    "half the noise": top_k(scale="k / eps"),
    "noise for one": top_k(scale="2 / eps"),
    "moved too little": top_k("1"),
    "moved by the change only": top_k("q[i] - q_[i]"),
    "winners change places": top_k("2"),
    "winners still": top_k("0"),
    "losers move": top_k("0", other="1 + q[i] - q_[i]"),
    "losers move down": top_k("0", other="-1 + q[i] - q_[i]"),
    "all move": top_k(other="1 + q[i] - q_[i]"),
    "one more is selected": top_k(count="k + 1"),
    "the first always": top_k(start="[0]"),
    "the next position": top_k(item="j + 1"),
    "the last position again": top_k(start="[0]", item="out[0]"),
    "a value": top_k(item="noisy[j]"),
    "a position and its value": top_k(item="(j, noisy[j])", when="i in {j for j, x in omega}"),
    "ranked by the answers": top_k(ranked="q"),
    "ranked by other noise": top_k(ranked="[q_i - e_i for q_i, e_i in zip(q, e)]"),
    "ranked by squares": top_k(ranked="[x * x for x in noisy]"),
    "stops at a private answer": top_k(check="if q[j] > T: break"),
    "stops at a noisy answer": top_k(check="if noisy[j] > T: break"),
    "leaves out a private answer": top_k(check="if q[j] > T: continue"),
    "how many is private": top_k(count="k if q[0] > T else 1"),
    "with the answer of the best": top_k(returned="out, q[0]", when="i in omega[0]"),
    "with the sum of the noise": top_k(returned="out, sum(e)", when="i in omega[0]"),
    "with its length and an answer": top_k(returned="len(out) + q[0]", when="True"),
    "twice the list": top_k(returned="[*out, *out]"),
    "the wrong part": top_k(item="(j, T)", when="i in omega[0]"),
    "every other claim": top_k(claim="eps / 2"),
    "claim by one": top_k(claim="eps / k"),
    "a threshold beside it": top_k(before="first = 0 if q[0] > T else 1", start="[first]"),
}


@pytest.mark.parametrize("name", PROVED)
def test_proved(name, define, proved):
    proved(define(PROVED[name]).phi)


@pytest.mark.parametrize("name", NEVER)
def test_never_proved(name, define, refused_or_never_proved):
    refused_or_never_proved(lambda: define(NEVER[name]).phi)
