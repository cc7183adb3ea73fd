"""Rule 35: a call on an empty list has no lemma, and what its position says of the list does not make up for it."""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

table.base(
    """
    @mechanism
    def first(u: Queries, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return 0

    @alignment(first, epsilon="eps")
    def first_phi(H):
        return H.shift()

    @mechanism
    def asks(q: Queries, T: Reals, k: Count, eps: Epsilon, noise: Noise):
        e = noise.laplace(1)
        if k > 3 and len(T) > 0:
            j = first([q[0] for t in T], eps, noise)
            return 1, 7
        return 0, 0

    @alignment(asks, epsilon="eps", lemmas=[first_phi])
    def phi(H):
        return H.shift()
    """,
    right("some", "the list has an item for each of T"),
    wrong("perhaps_none", "L: q[0] where T is empty", {" and len(T) > 0": "", "1, 7": "1, q[0] if len(T) < 1 else 7"}),
    wrong("written_empty", "L: q[0]", {"[q[0] for t in T]": "[]", "1, 7": "1, q[0]"}),
    wrong("an_empty_slice", "L: q[0]", {"[q[0] for t in T]": "q[k:k - 1]", "1, 7": "1, q[0]"}),
    wrong("what_is_left", "L: q[0] where k >= len(q)",
          {"[q[0] for t in T]": "q[k:]", "1, 7": "1, q[0] if k >= len(q) else 7"}),
    wrong("where_noise_says_so", "L: q[0] where e > 0",
          {"k > 3 and len(T) > 0": "e > 0", "[q[0] for t in T]": "q[len(q):]", "1, 7": "1, q[0]"}),
    wrong("undefined_for_some", "D has no run where T is empty", {" and len(T) > 0": ""}, fails="termination"),
)  # fmt: skip


@pytest.mark.parametrize("program", table.right())
def test_what_is_private_is_proved(program, tmp_path, prover_alone, proved):
    program.is_proved(tmp_path, prover_alone, proved)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)
