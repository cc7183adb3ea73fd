"""What has no value, or no rational one: divisions by 0, roots, powers and logarithms wherever they may stand."""

from __future__ import annotations

import pytest
from conftest import Define

from alignkit import check
from alignkit.proving.deciding import Decider
from alignkit.proving.proof import prove
from alignkit.results import Verdict
from alignkit.symbolic.z3_solver import Z3Solver

COUNTER = """
    @mechanism
    def m(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        count = 0
        for q_i in q:
            e = noise.laplace(1 / eps)
            yield q_i + e
            count += {step}

    @alignment(m, epsilon="{claim}", adjacency="{adjacency}")
    def phi(q, q_, omega, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(omega))])
"""

SPARSE = """
    @mechanism
    def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        count = 0
        eta = noise.laplace(2 / eps)
        for q_i in q:
            e = noise.laplace(4 * k / eps)
            if q_i + e > T + eta:
                yield ABOVE
                count += 1
            else:
                yield BELOW
            if count >= k{guard}:
                break

    @alignment(m, epsilon="{claim}")
    def phi(q, q_, omega, H):
        return H.shift(eta=1, e=[{shift} for i, w in enumerate(omega)])
"""

SELECTION = """
    @mechanism
    def m(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        e = [noise.laplace({scale}) for i in range(len(q))]
        best, = largest([q_i + e_i for q_i, e_i in zip(q, e)], 1)
        return best

    @alignment(m, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(e=[1 + q[j] - q_[j] if j == omega else 0 for j in range(len(q))])
"""

ONE = """
    @mechanism
    def m(q: Query, k: Count, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return q + e + ({value})

    @alignment(m, epsilon="{claim}")
    def phi(q, q_, H):
        return H.shift(e=q - q_)
"""


@pytest.mark.parametrize("step", ["1 if q_i + e > T else 0", "1 if e > 0 else 0", "0 if e > 0 else 2"])
@pytest.mark.parametrize(("claim", "adjacency"), [("eps", "one"), ("eps", "l1"), ("len(omega) * eps", "each")])
def test_a_private_counter_beside_the_output_is_proved(define: Define, step: str, claim: str, adjacency: str):
    # Where q_i + e is not above T the iteration costs something, and the counter gains nothing.
    program = define(COUNTER.format(step=step, claim=claim, adjacency=adjacency))
    assert check(program.phi, effort=0).verdict == "proved"


@pytest.mark.parametrize(
    "guard",
    [" or exp(1) / count > 10", " or 1 / count > 3", " or log(0) > count", " or 1 / (count - count) > 1"],
)
def test_a_guard_that_may_have_no_value_is_not_proved(define: Define, guard: str):
    program = define(SPARSE.format(guard=guard, claim="eps", shift="2 if w is ABOVE else 0"))
    assert check(program.phi, effort=0).verdict != "proved"


@pytest.mark.parametrize("guard", [" or exp(1) * count > 30", " or sqrt(2) * count > 2 * k", " or exp(1000) < count"])
def test_a_guard_may_hold_irrational_numbers(define: Define, guard: str):
    program = define(SPARSE.format(guard=guard, claim="eps", shift="2 if w is ABOVE else 0"))
    assert check(program.phi, effort=0).verdict == "proved"


@pytest.mark.parametrize("scale", ["2 * k / 0", "2 / (k - k)", "1 / log(1)", "1 / (0 if k > 0 else 1)"])
def test_a_vector_of_draws_whose_scale_divides_by_0_is_not_proved(define: Define, scale: str):
    result = check(define(SELECTION.format(scale=scale)).phi, effort=0)
    assert result.verdict != "proved"


@pytest.mark.parametrize("value", ["1 / 0", "log(0)", "sqrt(-1)", "power(0, -1)"])
def test_what_has_no_value_for_some_parameters_is_proved_for_the_others(define: Define, value: str):
    program = define(ONE.format(value=f"{value} if k > 1 else 2", claim="eps"))
    result = check(program.phi, effort=0)
    assert result.verdict == "proved"
    assert any(each.startswith("the inputs are ones for which the program is defined") for each in result.assumptions)


@pytest.mark.parametrize("value", ["1 / 0", "log(0)", "sqrt(-1)", "power(0, -1)"])
def test_what_has_no_value_for_some_answers_is_not_proved(define: Define, value: str):
    program = define(ONE.format(value=f"{value} if q > 1 else 2", claim="eps"))
    assert check(program.phi, effort=0).verdict != "proved"


@pytest.mark.parametrize("claim", ["exp(len(omega)) * eps", "sqrt(2) * len(omega) * eps"])
def test_an_irrational_claim_on_the_output_is_compared_with_the_cost(define: Define, claim: str):
    program = define(SPARSE.format(guard="", claim=claim, shift="2 if w is ABOVE else 0"))
    assert check(program.phi, effort=0).verdict == "proved"


@pytest.mark.parametrize(
    "shift",
    [
        "1 / (1 + q[i] - q_[i] if w is ABOVE else 0)",
        "2 / (1 + q[i] - q_[i]) if w is ABOVE else 0",
        "1 / (1 - abs(q[i] - q_[i])) - 1",
        "(2 if w is ABOVE else 0) / (0 if any(v is ABOVE for v in omega) else 1)",
    ],
)
def test_a_shift_that_divides_by_0_for_some_answers_is_not_proved(define: Define, shift: str):
    phi = define(SPARSE.format(guard="", claim="eps", shift=shift)).phi
    assert check(phi, effort=0).verdict != "proved"
    # The search finds most of them; the prover alone must not break down either.
    assert not prove(phi, Decider(Z3Solver.of_one_check(), 10), range(1000)).complete


def test_a_scale_with_the_logarithm_of_a_parameter_left_open_gets_a_verdict(define: Define):
    program = define("""
        @mechanism
        def m(q: Query, delta: Positive, gamma: Positive, eps: Epsilon, noise: Noise):
            e = noise.discrete_laplace(delta / log(eps), gamma)
            return q + e

        @alignment(m, epsilon="eps")
        def phi(q, q_, H):
            return H.shift(e=q - q_)
    """)
    result = check(program.phi, effort=150)
    assert result.verdict == "refuted"
    assert result.privacy.lower is None


def test_a_search_that_saw_no_output_says_so(define: Define):
    made = define("""
        @mechanism
        def never(q: Query, eps: Epsilon, noise: Noise):
            e = noise.laplace(-1 / eps)
            return q + e

        @alignment(never, epsilon="eps")
        def phi(q, q_, H):
            return H.shift(e=q - q_)
    """)
    result = check(made.phi)
    assert result.verdict is Verdict.UNDECIDED
    assert any("the mechanism gave no output for any of them" in note for note in result.notes)
    assert any("did not rule one out for any size" in note for note in result.notes)
