"""``least_noise``: a mechanism and a claim in, a mended mechanism out whose claim is proved."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path

import pytest

import alignkit
from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    InputError,
    LanguageError,
    Noise,
    Proportion,
    Queries,
    Query,
    Real,
    check,
    least_noise,
    load,
    mechanism,
)


@mechanism
def noisy_count(q: Query, eps: Epsilon, noise: Noise):
    """A count with twice the noise that eps-DP needs."""
    scale = 2 / eps
    eta = noise.laplace(scale)
    return q + eta


@mechanism
def sparse_vector_with_half_the_noise(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(2 * k / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def bare(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q, q + eta


@alignkit.mechanism
# A mechanism whose source has no docstring, and a parameter to a line.
def above_or_below(
    q: Queries,
    T: Real,
    theta: Proportion,
    k: Count,
    eps: Epsilon, noise: Noise,
):
    eta = noise.laplace(1 / (theta * eps))  # the threshold's noise
    count = 0
    for q_i in q:
        ξ = noise.laplace(
            2 * k / ((1 - theta)
                     * eps)
        )
        if q_i + ξ >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


def eta_of(eps, noise):
    e = noise.laplace(1 / eps)
    return e


@mechanism
def with_a_helper(q: Query, eps: Epsilon, noise: Noise):
    eta = eta_of(eps, noise)
    return q + eta


def scales(findings) -> dict[str, str]:
    assert findings.least is not None, findings.reason
    assert findings.least.result.proved
    return {scale.draw: scale.after for scale in findings.least.scales}


def imported(text: str, file: Path):
    file.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_half_the_scale_is_enough_for_noisy_max_where_answers_change_in_one_direction():
    assert scales(least_noise(load("noisy_max"), "eps", adjacency="monotone")) == {"eta": "1 / eps"}


def test_a_local_name_for_the_scale_is_kept_where_the_factor_is_a_number():
    findings = least_noise(noisy_count, "eps")
    assert scales(findings) == {"eta": "scale / 2"}
    assert findings.least is not None
    assert findings.least.saves
    assert [(each.before, each.after) for each in findings.least.measured] == [(8, 2)]


@pytest.mark.slow
def test_sparse_vector_gets_the_split_of_lyu_su_and_li_for_all_k():
    findings = least_noise(load("sparse_vector"), "eps")
    assert scales(findings)["eta"] == "(1 + ratio) / eps with ratio = exp(2 * log(2 * k) / 3)"
    for each in findings.least.measured:
        k = int(each.parameters["k"])
        # With shares 1 : w of the budget for the threshold and the answers, w = (2k)^(2/3).
        w = (2 * k) ** (2 / 3)
        expected = 2 * (1 + w) ** 2 + 2 * (2 * k * (1 + w) / w) ** 2
        assert math.isclose(each.after, expected, rel_tol=1e-9)


@pytest.mark.slow
def test_a_proportion_that_splits_the_budget_is_given_its_best_value():
    findings = least_noise(load("sparse_vector_with_gap_by_theta"), "eps")
    assert scales(findings) == {"theta": "1 / (1 + ratio) with ratio = exp(2 * log(2 * k) / 3)"}
    assert "theta" not in findings.least.alignment.mechanism.public


@pytest.mark.slow
def test_a_source_that_is_set_in_its_own_way_is_mended():
    findings = least_noise(above_or_below, "eps")
    assert scales(findings) == {"theta": "1 / (1 + ratio) with ratio = exp(2 * log(2 * k) / 3)"}
    source = findings.least.source
    assert "theta: Proportion" not in source
    assert "theta = 1 / (1 + ratio)\n    eta = noise.laplace(1 / (theta * eps))  # the threshold's noise\n" in source


@pytest.mark.slow
def test_a_sparse_vector_with_half_the_noise_is_mended():
    findings = least_noise(sparse_vector_with_half_the_noise, "eps")
    least, common = findings.mended
    assert least.result.proved
    assert not least.saves
    assert common.common
    assert common.result.proved
    assert {scale.draw: scale.after for scale in common.scales} == {"eta": "2 / eps", "eta_i": "4 * k / eps"}
    assert all(one.after < other.after for one, other in zip(least.measured, common.measured, strict=True))


@pytest.mark.slow
def test_the_noise_of_lee_and_clifton_grows_with_c():
    broken = load("sparse_vector_of_lee_and_clifton")
    assert scales(least_noise(broken, "eps"))["rho"] == "delta * (1 + ratio) / eps with ratio = exp(2 * log(2 * c) / 3)"


def test_a_smaller_claim_needs_a_smaller_rate_in_base_2():
    findings = least_noise(load("discrete_laplace_mechanism_base2"), "eta * delta / 2")
    assert scales(findings) == {"xi": "eta / 2"}


def test_nothing_is_saved_where_the_mechanism_spends_its_claim():
    findings = least_noise(load("noisy_max"), "eps")
    assert findings.mended == ()
    assert findings.as_it_is is not None
    assert findings.as_it_is.result.proved
    assert str(findings).startswith("NO LESS NOISE FOUND")


@pytest.mark.parametrize("name", ["noisy_top_k", pytest.param("adaptive_sparse_vector", marks=pytest.mark.slow)])
def test_the_file_that_is_written_is_proved_by_a_check_of_its_own(name, tmp_path: Path):
    least = least_noise(load(name), "eps", adjacency="monotone").least
    assert least is not None
    assert least.saves
    module = imported(least.file_text, tmp_path / "mended.py")
    assert check(module.phi).proved
    assert module.phi.mechanism.name == f"{name}_mended"


def test_no_scales_help_where_an_answer_comes_out_without_noise():
    findings = least_noise(bare, "eps")
    assert findings.proved is None
    assert "no alignment" in findings.reason


def test_noise_that_a_helper_draws_is_left_alone_in_words():
    findings = least_noise(with_a_helper, "eps / 2")
    assert findings.proved is None
    assert "in a function that the mechanism calls" in findings.reason


def test_finite_choices_are_refused_in_words():
    assert "noise.choice" in least_noise(load("lazy_threshold"), "eta").reason


def test_a_short_timeout_ends_the_search_with_a_reason():
    findings = least_noise(load("adaptive_sparse_vector"), "eps", timeout=0.001)
    assert findings.proved is None
    assert "the time" in findings.reason


def test_a_claim_that_is_not_defined_everywhere_gets_a_reason():
    findings = least_noise(load("noisy_top_k"), "eps / (k - 1)")
    assert findings.proved is None
    assert "divides by 0" in findings.reason


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("eps +", "not an expression"),
        ("budget", "`budget`"),
        ("0", "above 0"),
        ("eps - eps", "above 0"),
        (True, "the claim must be a string"),
        (None, "the claim must be a string"),
    ],
)
def test_bad_claims_are_refused(claim, words):
    with pytest.raises((InputError, LanguageError), match=words):
        least_noise(noisy_count, claim)


@pytest.mark.parametrize(
    ("arguments", "words"), [({"adjacency": "near"}, "adjacency must be"), ({"timeout": -1}, "timeout")]
)
def test_bad_arguments_are_refused(arguments, words):
    with pytest.raises(InputError, match=words):
        least_noise(noisy_count, "eps", **arguments)


def test_a_function_outside_the_language_is_no_mechanism():
    with pytest.raises(InputError, match="takes a mechanism"):
        least_noise(lambda q: q, "eps")


@mechanism
def which_is_larger(q: Query, r: Query, share: Proportion, eps: Epsilon, noise: Noise):
    a = noise.laplace(1 / (share * eps))
    b = noise.laplace(1 / ((1 - share) * eps))
    if q + a > r + b:
        return ABOVE
    else:
        return BELOW


@pytest.mark.slow
def test_the_one_with_the_least_noise_comes_first():
    findings = least_noise(which_is_larger, "eps")
    assert findings.least is not None
    assert all(findings.least.noise <= other.noise for other in findings.mended)
    (measured,) = findings.least.measured
    assert measured.after <= measured.before


@mechanism
def a_definition_as_long_as_a_line(q: Query, one: Real, two: Real, three: Real, four: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    return q + eta + one + two + three + four


def test_a_definition_that_becomes_too_long_has_its_parameters_on_a_line_of_their_own():
    least = least_noise(a_definition_as_long_as_a_line, "eps").least
    assert least is not None
    assert max(map(len, least.file_text.splitlines())) <= 120
