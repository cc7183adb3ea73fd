"""Rule 7: from what and at which scale noise is drawn is told by public values and the discrete output.

Which noise is drawn need not be told: see test_rules_what_draws_tell.py.
"""

# Programs under test draw noise that they do not use.
# ruff: noqa: F841

from __future__ import annotations

import pytest

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Query, Real, alignment, mechanism


@mechanism
def one_more_by_noise(q: Query, T: Real, eps: Epsilon, noise: Noise):
    """For T above 0 the sign of c decides whether b is drawn, and the output does not tell."""
    a = noise.laplace(1 / eps)
    c = noise.laplace(1)
    if c > 0:
        if T > 0:
            b = noise.laplace(1)
            yield q + a + b
        else:
            yield q + a
    else:
        if T > 1:
            yield q + a
        else:
            yield q + a


@mechanism
def one_more_at_low_thresholds(q: Query, T: Real, eps: Epsilon, noise: Noise):
    """The public conditions differ on the two sides of a private one, and hold together for T below 100."""
    a = noise.laplace(1 / eps)
    c = noise.laplace(1)
    if c > 0:
        if T < 100:
            b = noise.laplace(1)
    else:
        if T < 200:
            b0 = 1
    yield q + a


@mechanism
def one_more_for_one_k(q: Query, k: Count, eps: Epsilon, noise: Noise):
    """At k = 1 the outputs are the same, and the draws are not."""
    a = noise.laplace(1 / eps)
    c = noise.laplace(1)
    if c > 0:
        b = noise.laplace(1)
        yield 1
    else:
        yield k
    yield q + a


@mechanism
def scale_by_branch(q: Query, eps: Epsilon, noise: Noise):
    """The scale of b is public on each branch, and other noise takes the branch."""
    a = noise.laplace(1 / eps)
    c = noise.laplace(1)
    if c > 0:
        scale = 1
    else:
        scale = 2
    b = noise.laplace(scale)
    yield q + a


@mechanism
def distribution_by_branch(q: Query, eps: Epsilon, noise: Noise):
    a = noise.laplace(1 / eps)
    c = noise.laplace(1)
    if c > 0:
        b = noise.laplace(1)
    else:
        b = noise.exponential(1)
    yield q + a


@mechanism
def length_by_branch(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """A list of draws that is longer where other noise is positive."""
    a = noise.laplace(1 / eps)
    c = noise.laplace(1)
    if c > 0:
        n = k
    else:
        n = k + 1
    b = [noise.laplace(1) for j in range(n)]
    return q[0] + a


@mechanism
def told_by_tag(q: Query, T: Real, eps: Epsilon, noise: Noise):
    """Right: the output tells what was drawn."""
    a = noise.laplace(1 / eps)
    c = noise.laplace(1)
    if c > 0:
        b = noise.laplace(1)
        yield ABOVE
    else:
        yield BELOW
    yield q + a


@mechanism
def told_by_number(q: Query, k: Count, eps: Epsilon, noise: Noise):
    """Right: the two whole numbers are never the same."""
    a = noise.laplace(1 / eps)
    c = noise.laplace(1)
    if c > 0:
        b = noise.laplace(1)
        yield k
    else:
        yield k + 1
    yield q + a


@mechanism
def told_by_threshold(q: Query, T: Real, eps: Epsilon, noise: Noise):
    """Right: a public value tells."""
    a = noise.laplace(1 / eps)
    if T > 0:
        b = noise.laplace(1)
    if T > 1:
        c = noise.laplace(1)
    yield q + a


def by_the_answer(mechanism_):
    """The alignment that moves the noise of the answer alone."""

    def phi(q, q_, H):
        return H.shift(a=q - q_)

    phi.__name__ = f"{mechanism_.name}_phi"
    return alignment(mechanism_, epsilon="eps")(phi)


@alignment(length_by_branch, epsilon="eps")
def length_by_branch_phi(q, q_, H):
    return H.shift(a=q[0] - q_[0])


def test_a_scale_that_the_output_does_not_tell_is_no_proof(never_proved):
    never_proved(by_the_answer(scale_by_branch), "noise_used")


# c is not moved and decides alone whether b is drawn, at one of its two places: D' draws what D draws, and the answer's
# noise pays for the answer, whatever else was drawn.
UNTOLD = [one_more_by_noise, one_more_at_low_thresholds, one_more_for_one_k, distribution_by_branch]


@pytest.mark.parametrize("program", UNTOLD, ids=lambda each: each.name)
def test_draws_that_the_output_does_not_tell_are_looked_at_one_list_after_the_other(program, proved):
    proved(by_the_answer(program))


@pytest.mark.parametrize("program", UNTOLD, ids=lambda each: each.name)
def test_draws_that_only_noise_tells_which_is_moved_are_no_proof(program, never_proved):
    def phi(q, q_, H):
        return H.shift(a=q - q_, c=1)

    never_proved(alignment(program, epsilon="100 * eps")(phi), "noise_used")


def test_the_length_of_a_list_of_draws_is_told_by_the_output(never_proved):
    never_proved(length_by_branch_phi, "noise_used")


@pytest.mark.parametrize("program", [told_by_tag, told_by_number, told_by_threshold], ids=lambda each: each.name)
def test_draws_that_the_output_tells_are_proved(program, proved):
    proved(by_the_answer(program))
