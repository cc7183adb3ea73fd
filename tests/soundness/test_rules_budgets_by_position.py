"""Claims that sum up a public list whose items the loop reads by position: what is left over must be at least 0."""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

table.base(
    """
    @mechanism
    def shares(q: Queries, share: Reals, eps: Epsilon, noise: Noise):
        for i in range(len(q)):
            e = noise.laplace(1 / (eps * max(share[i], 1)))
            yield q[i] + e

    @alignment(shares, epsilon="eps * sum(max(s, 1) for s in share)")
    def phi(q, q_, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("a share for each answer", checked=True),
    right("the factor within the sum", changes={
        "eps * sum(max(s, 1) for s in share)": "sum(eps * max(s, 1) for s in share)",
    }),
    right("until a share is small", changes={"e = noise": "if share[i] < 1:\n    break\ne = noise"}),
    wrong("the first share for all", changes={"share[i]": "share[0]"}, fails="cost"),
    wrong("each share for two answers", changes={"share[i]": "share[i // 2]"}, fails="cost"),
    wrong("shares taken in turn", "no list is long enough", {"share[i]": "share[i % len(share)]"}, fails="cost"),
    wrong("shares beyond the end are 1", "they are not paid for", {
        "share[i]": "(share[i] if i < len(share) else 1)",
    }, fails="cost"),
    wrong("the next share", "the first one of the list may be smaller", {"share[i]": "share[i + 1]"}, fails="cost"),
    wrong("shares that may be below 0", "those that are left over take away", {
        "eps * sum(max(s, 1) for s in share)": "eps * sum(s for s in share)",
    }),
    wrong("half of each share", changes={
        "eps * sum(max(s, 1) for s in share)": "eps * sum(max(s, 1) for s in share) / 2",
    }, fails="cost"),
    wrong("less by the number of answers", changes={
        "eps * sum(max(s, 1) for s in share)": "eps * (sum(max(s, 1) for s in share) - len(q) / 100)",
    }, fails="cost"),
    wrong("every answer twice", changes={
        "yield q[i] + e": "f = noise.laplace(1 / (eps * max(share[i], 1)))\nyield q[i] + f\nyield q[i] + e",
    }),
    wrong("the answers that have no share", "the list need not be long enough for them", {
        "e = noise": "if i >= len(share):\n    break\ne = noise",
        "yield q[i] + e": "yield q[i] + e\nif len(q) > len(share):\n    yield q[-1]",
    }),
    wrong("a free answer in iteration forty", "no short run shows it", {
        "yield q[i] + e": "yield q[i] + e if i != 40 else q[i]",
    }),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
