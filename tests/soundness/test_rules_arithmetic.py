"""Rules 15 to 17: division, whole numbers, and what has probability 0."""

# Programs under test compute values that they do not use: that they may be undefined is the point.
# ruff: noqa: F841

from __future__ import annotations

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    LanguageError,
    Noise,
    Positive,
    Proportion,
    Queries,
    Query,
    Real,
    alignment,
    clamp,
    largest,
    mechanism,
    sqrt,
)

# Rule 15


@mechanism
def divided_noise(q: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    x = e / T
    return q + x * T


@alignment(divided_noise, epsilon="eps")
def divided_noise_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_a_division_by_a_public_number_is_said_to_need_it(proved):
    assert any("division by zero" in a for a in proved(divided_noise_phi).assumptions)


@mechanism
def weighted(q: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return T * (q + e)


@alignment(weighted, epsilon="eps")
def weighted_phi(q, q_, T, H):
    return H.shift(e=(T * q - T * q_) / T)


def test_an_alignment_that_divides_by_what_may_be_zero(never_proved):
    never_proved(weighted_phi)


@mechanism
def scaled_answer(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return (1 + abs(q)) * e


@alignment(scaled_answer, epsilon="eps")
def scaled_answer_phi(q, q_, H):
    return H.shift(e=H.e * (1 + abs(q)) / (1 + abs(q_)) - H.e)


def test_a_shift_that_stretches_the_noise(never_proved):
    never_proved(scaled_answer_phi)


@mechanism
def square_over_itself(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    x = 0
    if q != 0:
        x = q / q
    return x


@alignment(square_over_itself, epsilon="eps")
def square_over_itself_phi(H):
    return H.shift()


def test_x_over_x_is_not_one_where_x_is_zero(refuted):
    refuted(square_over_itself_phi)


@mechanism
def inverse_test(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if q != 0 and 1 / q > 10 * 10 * 10 * 10:
        yield ABOVE
    else:
        yield BELOW


@alignment(inverse_test, epsilon="eps")
def inverse_test_phi(H):
    return H.shift()


def test_a_guarded_division_does_not_rule_zero_out(never_proved):
    never_proved(inverse_test_phi, "same_output")


@mechanism
def choice_of_inverse(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    x = 1 / (q - 10 * 10 * 10 * 10) if q != 10 * 10 * 10 * 10 else 0
    return q + e + x - x


@alignment(choice_of_inverse, epsilon="eps")
def choice_of_inverse_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_a_division_under_a_condition_is_defined(proved):
    proved(choice_of_inverse_phi)


def _modulo():
    @mechanism
    def program(q: Query, k: Count, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return q + e if k % 2 == 0 else q

    @alignment(program, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q - q_)

    return phi


def _floor_division():
    @mechanism
    def program(q: Query, k: Count, eps: Epsilon, noise: Noise):
        e = noise.laplace((k // 2) / eps)
        return q + e

    @alignment(program, epsilon="2 * eps / k")
    def phi(q, q_, H):
        return H.shift(e=q - q_)

    return phi


def _truthiness():
    @mechanism
    def program(q: Query, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return 1 if q else 0

    @alignment(program, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q - q_)

    return phi


def _boolean_as_number():
    @mechanism
    def program(q: Query, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return 1 if (q + e > 0) == 1 else 0

    @alignment(program, epsilon="eps")
    def phi(H):
        return H.shift()

    return phi


def _sum_of_booleans():
    @mechanism
    def program(q: Queries, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return sum(x > 0 for x in q)

    @alignment(program, epsilon="eps")
    def phi(H):
        return H.shift()

    return phi


@pytest.mark.parametrize(
    "make", [_modulo, _floor_division, _truthiness, _boolean_as_number, _sum_of_booleans], ids=lambda m: m.__name__
)
def test_arithmetic_that_is_refused(make, refused_or_never_proved):
    refused_or_never_proved(make)


@mechanism
def chained(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if 0 <= q + e < 2:
        yield ABOVE
    else:
        yield BELOW


@alignment(chained, epsilon="eps")
def chained_phi(q, q_, H):
    return H.shift(e=q - q_)


@alignment(chained, epsilon="eps")
def chained_one_sided_phi(omega, H):
    return H.shift(e=1 if omega[0] is ABOVE else 0)


def test_a_chained_comparison_is_read_as_python_reads_it(proved, refuted):
    proved(chained_phi)
    refuted(chained_one_sided_phi, "same_output")


@mechanism
def lowest_of_ties(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
    eta = [noise.discrete_laplace(2 / eps) for q_i in q]
    noisy = [q_i + e for q_i, e in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@alignment(lowest_of_ties, epsilon="eps")
def too_little_for_ties_phi(q, q_, omega, H):
    # Enough to be ahead, or level: but a tie goes to the lowest index.
    return H.shift(eta=[q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


def test_ties_go_to_the_lowest_index(refuted):
    refuted(too_little_for_ties_phi, "same_output")


# Rule 16


@mechanism
def half_steps(q: Queries, T: Real, k: Real, eps: Epsilon, noise: Noise):
    """With a whole k there are at most k winners, with k = 1/2 one and a half more than that."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if count < k:
            if q_i + e >= T + eta:
                yield ABOVE
                count += 1
            else:
                yield BELOW
        else:
            yield BELOW


@alignment(half_steps, epsilon="eps")
def half_steps_phi(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


def test_k_that_is_real_takes_no_whole_steps(refuted):
    refuted(half_steps_phi, "cost")


@mechanism
def whole_steps(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if count < k:
            if q_i + e >= T + eta:
                yield ABOVE
                count += 1
            else:
                yield BELOW
        else:
            yield BELOW


@alignment(whole_steps, epsilon="eps", invariant="count <= k")
def whole_steps_phi(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


def test_k_that_is_whole_does(proved):
    proved(whole_steps_phi)


@mechanism
def counter_that_turns_real(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The counter is a whole number only until the first winner."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if count < k:
            if q_i + e >= T + eta:
                yield ABOVE
                count = count + 1 / 2
            else:
                yield BELOW
        else:
            yield BELOW


@alignment(counter_that_turns_real, epsilon="eps")
def counter_that_turns_real_phi(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


@mechanism
def counter_that_turns_real_late(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Whole through five copies: what is learnt of kinds must settle first."""
    eta = noise.laplace(2 / eps)
    a, b, c, d, count = 0, 0, 0, 0, 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if count < k:
            if q_i + e >= T + eta:
                yield ABOVE
                count = count + 1 - d
                d = c
                c = b
                b = a
                a = 1 / 2
            else:
                yield BELOW
        else:
            yield BELOW


@alignment(counter_that_turns_real_late, epsilon="eps")
def counter_that_turns_real_late_phi(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


def test_a_counter_that_is_not_whole_throughout(refuted, never_proved):
    refuted(counter_that_turns_real_phi, "cost")
    never_proved(counter_that_turns_real_late_phi, "cost")


@mechanism
def strict_bound(q: Query, a: Real, b: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if a < b and a + 1 > b:
        yield q
    else:
        yield q + e


@alignment(strict_bound, epsilon="eps")
def strict_bound_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_real_parameters_may_lie_less_than_one_apart(never_proved):
    never_proved(strict_bound_phi, "same_output")


@mechanism
def outside_the_domain(q: Query, k: Count, theta: Proportion, d: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if k < 1 or theta >= 1 or theta <= 0 or d <= 0 or eps <= 0:
        yield q
    else:
        yield q + e


@alignment(outside_the_domain, epsilon="eps")
def outside_the_domain_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_domains_are_those_of_the_types(proved):
    proved(outside_the_domain_phi)


@mechanism
def at_the_edge(q: Query, k: Count, theta: Proportion, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if k <= 1 and theta > 999 / 1000 and eps < 1 / 1000:
        yield q
    else:
        yield q + e


@alignment(at_the_edge, epsilon="eps")
def at_the_edge_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_the_edges_belong_to_the_domains(never_proved):
    never_proved(at_the_edge_phi, "same_output")


# Rule 17


@mechanism
def clamped(q: Query, eps: Epsilon, noise: Noise):
    """A clamped value is 10 with positive probability: the tie cannot be left out."""
    eta = noise.laplace(1 / eps)
    if clamp(q + eta, 0, 10) >= 10:
        yield ABOVE
    else:
        yield BELOW


@mechanism
def clamped_strictly(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if clamp(q + eta, 0, 10) > 10:
        yield ABOVE
    else:
        yield BELOW


@alignment(clamped, epsilon="eps")
def clamped_unmoved_phi(H):
    return H.shift()


@alignment(clamped, epsilon="eps")
def clamped_phi(q, q_, H):
    return H.shift(eta=q - q_)


@alignment(clamped_strictly, epsilon="0")
def clamped_strictly_phi(H):
    return H.shift()


def test_an_atom_is_not_a_tie(refuted, proved):
    refuted(clamped_unmoved_phi, "same_output")
    proved(clamped_phi)
    proved(clamped_strictly_phi)


@mechanism
def vanishing_coefficient(q: Queries, eps: Epsilon, noise: Noise):
    """Where the two answers are equal, the product is 0 whatever the noise."""
    eta = noise.laplace(1 / eps)
    if (q[0] - q[1]) * eta >= 0:
        yield ABOVE
    else:
        yield BELOW


def test_a_coefficient_that_may_vanish(never_proved):
    @alignment(vanishing_coefficient, epsilon="eps")
    def phi(H):
        return H.shift()

    never_proved(phi, "same_output")


@mechanism
def tie_of_discrete_noise(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
    eta = noise.discrete_laplace(1 / eps)
    if q[0] + eta >= 0:
        if q[0] + eta > 0:
            yield ABOVE
        else:
            yield q[1]
    else:
        yield BELOW


@alignment(tie_of_discrete_noise, epsilon="eps")
def tie_of_discrete_noise_phi(q, q_, H):
    return H.shift(eta=q[0] - q_[0])


def test_a_tie_of_discrete_noise_counts(refuted):
    refuted(tie_of_discrete_noise_phi, "same_output")


@mechanism
def root(q: Query, d: Positive, eps: Epsilon, noise: Noise):
    s = sqrt(d)
    eta = noise.laplace(s / eps)
    return s * q + eta


@alignment(root, epsilon="eps")
def root_phi(q, q_, d, H):
    return H.shift(eta=sqrt(d) * (q - q_))


@alignment(root, epsilon="eps")
def wrong_root_phi(q, q_, d, H):
    return H.shift(eta=d * (q - q_))


def test_square_roots_mean_square_roots(proved, never_proved):
    proved(root_phi)
    never_proved(wrong_root_phi)


def test_a_global_number_is_refused():
    with pytest.raises(LanguageError, match="from outside"):

        @mechanism
        def program(q: Query, eps: Epsilon, noise: Noise):
            eta = noise.laplace(SCALE / eps)
            return q + eta


SCALE = 2
