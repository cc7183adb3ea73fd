"""Rules 35 and 37: what a lemma presumes of public values is shown at the call, or presumed by the caller and said.

Only what public parameters of the caller decide may be presumed: never what private answers, noise or a release decide.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from support.near_misses import Table, right, wrong

from alignkit import release
from alignkit.errors import InputError

table = Table(
    """
    @mechanism
    def scaled(q: Query, a: Real, eps: Epsilon, noise: Noise):
        e = noise.laplace(a / eps)
        return q * a + e

    @alignment(scaled, epsilon="eps")
    def scaled_phi(q, q_, a, H):
        return H.shift(e=(q - q_) * a)

    @mechanism
    def offset(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
        for i in range(len(q)):
            e = noise.laplace(1 / eps)
            yield q[i] + T[i] + e

    @alignment(offset, epsilon="eps", adjacency="l1")
    def offset_phi(q, q_, omega, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(omega))])
    """
)

table.base(
    """
    @mechanism
    def outer(q: Query, a: Real, k: Count, eps: Epsilon, noise: Noise):
        g = noise.laplace(1 / eps)
        x = scaled(q, a, eps, noise)
        return x

    @alignment(outer, epsilon="eps", lemmas=[scaled_phi])
    def phi(H):
        return H.shift()
    """,
    right("presumed_in_turn", checked=True),
    right("shown_by_its_form", changes={"q, a, eps": "q, abs(a) + 1, eps"}),
    right(
        "shown_by_a_branch",
        changes={"x = scaled(q, a, eps, noise)": "x = 0\nif a > 3:\n    x = scaled(q, a - 3, eps, noise)"},
    ),
    right("of_several", changes={"q, a, eps": "q, a - k, eps"}),
    wrong("half_the_claim", "Leaks", {'epsilon="eps"': 'epsilon="eps / 2"'}, fails="cost"),
    wrong(
        "called_twice", "Leaks",
        {
            "x = scaled(q, a, eps, noise)": "y = scaled(q, a, eps, noise)\nx = scaled(q, a, eps, noise)",
            "return x": "return x, y",
        },
        fails="cost",
    ),
    wrong("never_so", "The caller is never defined", {"q, a, eps": "q, 0 * a - 1, eps"}, fails="termination"),
    wrong(
        "in_contradiction", "The caller is never defined: it would be proved of nothing",
        {"x = scaled(q, a, eps, noise)": "y = scaled(0, -a, eps, noise)\nx = scaled(q, a, eps, noise)"},
    ),
    wrong("by_the_answer", "Leaks: whether there is an output tells it", {"q, a, eps": "q, a + q, eps"}),
    wrong("by_noise", "Leaks: another on D′", {"q, a, eps": "q, a + g, eps", "H.shift()": "H.shift(g=1)"}),
    wrong("by_noise_at_rest", "U: not always defined", {"q, a, eps": "q, a + g, eps"}, fails="termination"),
    wrong(
        "by_a_release", "U: not always defined",
        {
            "x = scaled(q, a, eps, noise)": "x = scaled(q, a, eps, noise)\ny = scaled(q, x, eps, noise)",
            "return x": "return x, y",
            'epsilon="eps"': 'epsilon="2 * eps"',
        },
        fails="termination",
    ),
    wrong(
        "called_by_the_answer", "Leaks",
        {"x = scaled(q, a, eps, noise)": "x = 0\nif q > 0:\n    x = scaled(q, a, eps, noise)"},
    ),
    wrong("another_budget", "Leaks", {"q, a, eps": "q, a, 2 * eps"}, fails="cost"),
    wrong("wider", "Leaks", {"scaled(q, a": "scaled(2 * q, a"}, fails="cost"),
)

table.base(
    """
    @mechanism
    def listed(q: Queries, T: Reals, k: Count, eps: Epsilon, noise: Noise):
        x = offset(q, T, eps, noise)
        return x

    @alignment(listed, epsilon="eps", adjacency="l1", lemmas=[offset_phi])
    def phi(H):
        return H.shift()
    """,
    right("as_long_as_the_callee_needs", checked=True),
    wrong("of_answers", "Leaks: the second list is no public one", {"q, T, eps": "q, q, eps"}, fails="noise_used"),
    wrong("each", "Leaks", {', adjacency="l1"': ""}, fails="cost"),
    wrong("one_item", "U: it would be of one answer only", {"q, T, eps": "q, [0], eps"}, fails="termination"),
    wrong("of_fixed_length", "U: of two answers", {"q, T, eps": "q, [k, k + 1], eps"}, fails="termination"),
    wrong("all_positive", "Leaks: the length tells an answer", {"q, T, eps": "q, [t for t in T if t > q[0]], eps"}),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


RELEASED = """
@mechanism
def inner(q: Annotated[Query, Lattice(1)], b: Real, eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(b / eps)
    return q + e

@alignment(inner, epsilon="eps / b")
def inner_phi(q, q_, H):
    return H.shift(e=q - q_)

@mechanism
def outer(q: Annotated[Query, Lattice(1)], b: Real, eps: Epsilon, noise: Noise):
    return inner(q, b - 1, eps, noise)

@alignment(outer, epsilon="eps / (b - 1)", lemmas=[inner_phi])
def phi(H):
    return H.shift()
"""


def test_what_is_presumed_in_turn_is_said_and_asked_of_a_release(define, proved_by_check):
    module = define(RELEASED)
    result = proved_by_check(module.phi)
    said = [a for a in result.assumptions if "call of inner: what inner presumes" in a]
    assert ["the scale of e must be above 0" in a for a in said] == [True]
    assert float(release(module.outer, 5, b=3, eps=1, proof=result)).is_integer()
    for b in (1, 0, Fraction(1, 2)):
        with pytest.raises(InputError):
            release(module.outer, 5, b=b, eps=1, proof=result)


NOT_REACHED = """
@mechanism
def inner(q: Queries, v: Real, k: Count, m: Count, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    y = q[0] + e
{needs}
    return y

@alignment(inner, epsilon="eps")
def inner_phi(q, q_, H):
    return H.shift(e=q[0] - q_[0])

@mechanism
def outer(q: Queries, v: Real, k: Count, m: Count, eps: Epsilon, noise: Noise):
    y = inner(q, v, k, m, eps, noise)
    yield q[0] if m == 4321 else y

@alignment(outer, epsilon="eps", lemmas=[inner_phi])
def phi(H):
    return H.shift()
"""


@pytest.mark.parametrize(
    "needs",
    [
        "    if v > 0:\n        y = y + 1 / (m - 4321)",
        "    for j in range(k - 1):\n        y = y + 1 / (m - 4321)",
        "    g = [1 / (m - 4321) for j in range(k - 1)]",
        "    y = y + 1 / (m - 4321) if v > 0 else y",
    ],
)
def test_nothing_rests_on_what_a_callee_needs_in_some_runs(needs, define, never_proved, prover_alone):
    """Where m is 4321 and the callee does not come to the division, the caller tells an answer."""
    module = define(NOT_REACHED.format(needs=needs))
    assert prover_alone(module.inner_phi).complete
    never_proved(module.phi)
