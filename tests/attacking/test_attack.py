"""Attacks: what is broken is convicted by an event that anyone can compute again, and what is proved never is."""

from __future__ import annotations

import importlib
import itertools
import math
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from alignkit import (
    ABOVE,
    BELOW,
    Epsilon,
    InputError,
    InternalError,
    Noise,
    Positive,
    Queries,
    Query,
    Real,
    alignment,
    attack,
    check,
    mechanism,
    sqrt,
)
from alignkit.attacking import Event, Interval, Method, certify
from alignkit.attacking.brackets import attacked
from alignkit.attacking.mechanism_attack import INTERRUPTED
from alignkit.checking import fold_privacy
from alignkit.formatting import loss_shown
from alignkit.mechanisms import noisy_max, noisy_max_broken, sparse_vector, sparse_vector_broken, top_k
from alignkit.mechanisms.laplace import laplace_mechanism
from alignkit.proofs import noisy_max as max_proofs
from alignkit.proofs import sparse_vector as vector_proofs
from alignkit.proofs import top_k as top_proofs
from alignkit.proofs.noisy_max_broken import half_the_noise_phi
from alignkit.results import Verdict

# The loss of each is known to be larger in the limit; so much a short search must certify.
BROKEN = [
    (noisy_max_broken.noisy_max_with_half_the_noise, 1.9),
    (noisy_max_broken.noisy_max_with_maximum, 2),
    (sparse_vector_broken.sparse_vector_without_bound, 1.2),
    (sparse_vector_broken.sparse_vector_with_answer, 1.2),
    (sparse_vector_broken.sparse_vector_with_public_gap, 1.2),
    (sparse_vector_broken.sparse_vector_of_lee_and_clifton, 1.2),
    (sparse_vector_broken.sparse_vector_of_chen, 1.2),
]


@pytest.mark.parametrize(("broken", "least"), BROKEN, ids=lambda x: getattr(x, "name", ""))
def test_what_is_broken_is_convicted(broken, least, capsys):
    found = attack(broken, claim="eps", effort=300)
    assert found.violates
    assert found.method is Method.EXACT
    assert least < found.loss < math.inf
    assert found.low > found.high > 0
    exec(found.snippet, {})
    assert f"loss at least {loss_shown(found.loss)}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("broken", "least", "seed"),
    [
        pytest.param(sparse_vector_broken.sparse_vector_without_bound, 0.28, 0, marks=pytest.mark.slow),
        (sparse_vector_broken.sparse_vector_without_bound, 0.28, 2),
        (sparse_vector_broken.sparse_vector_with_answer, 0.29, 0),
    ],
    ids=lambda x: getattr(x, "name", None),
)
def test_what_an_attack_shows_does_not_hang_on_its_seed(broken, least, seed):
    """To grow one answer at a time may end with too many of one sort, or with answers that have no output."""
    assert attack(broken, eps=Fraction(1, 10), claim="eps", effort=4000, seed=seed).loss > least


@mechanism
def with_no_noise_below_a_limit(q: Query, eps: Epsilon, noise: Noise):
    """Noise for small answers only: which they are is plain to see."""
    eta = noise.laplace(1 / eps)
    if q >= 1:
        yield ABOVE
    else:
        yield q + eta


@pytest.mark.parametrize(
    "broken",
    [sparse_vector_broken.sparse_vector_without_query_noise, sparse_vector_broken.sparse_vector_of_stoddard,
     with_no_noise_below_a_limit],
    ids=lambda m: m.name,
)  # fmt: skip
def test_an_output_that_is_impossible_on_the_other_side_is_an_infinite_loss(broken):
    found = attack(broken, claim=100, effort=100)
    assert found.violates
    assert found.loss == math.inf
    assert found.low > found.high == 0
    assert "\n  loss infinite, by closed form\n" in str(found)


PROVED = [
    (max_proofs.phi, 0.95), (max_proofs.monotone_phi, 0.45), (max_proofs.gap_phi, 0.95), (vector_proofs.phi, 0.95),
    (vector_proofs.gap_phi, 0.95), (top_proofs.gap_phi, 0.95), (top_proofs.exponential_gap_phi, 0.95),
]  # fmt: skip


@pytest.mark.parametrize(("phi", "near"), PROVED, ids=lambda x: getattr(x, "name", ""))
@pytest.mark.parametrize("seed", range(examples(1, 3)))
def test_what_is_proved_is_not_convicted_however_close(phi, near, seed):
    found = attack(phi, effort=150, seed=seed)
    assert near < found.loss <= found.claim
    assert not found.violates


levels = st.integers(-24, 24).map(lambda x: Fraction(x, 4))
shifts = st.integers(-4, 4).map(lambda x: Fraction(x, 4))


@settings(max_examples=60)
@given(st.lists(st.tuples(levels, shifts), min_size=2, max_size=5), st.data())
def test_no_event_shows_more_than_what_is_proved(pairs, data):
    """Any adjacent answers, any output: at most eps = 1."""
    q, q_ = [a for a, _ in pairs], [a + d for a, d in pairs]
    index = data.draw(st.integers(0, len(q) - 1))
    low = data.draw(levels)
    gap = Interval(low, low + data.draw(st.sampled_from([Fraction(1, 4), Fraction(3)])))
    tags = data.draw(st.lists(st.sampled_from([ABOVE, BELOW]), min_size=len(q), max_size=len(q)))
    found = [
        certify(noisy_max.noisy_max, event=Event(index), q=q, q_=q_, eps=1),
        certify(noisy_max.noisy_max_with_gap, event=Event((index, gap)), q=q, q_=q_, eps=1),
        certify(sparse_vector.sparse_vector, event=Event(tuple(tags)), q=q, q_=q_, T=0, k=len(q), eps=1),
        certify(sparse_vector.sparse_vector_with_gap, event=Event((BELOW, gap)), q=q, q_=q_, T=0, k=1, eps=1),
        certify(top_k.noisy_top_k_exponential, event=Event((index,)), q=q, q_=q_, k=1, eps=1),
    ]
    assert all(each.loss <= 1 for each in found)


@alignment(noisy_max_broken.noisy_max_with_half_the_noise, epsilon="2 * eps")
def twice_the_budget_phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


def test_a_bracket_has_both_ends():
    """Half the noise costs 2 eps, and the attack comes close to that."""
    result = check(twice_the_budget_phi)
    assert (result.verdict, result.privacy.status, result.privacy.upper) == ("proved", "private", "2 * eps")
    assert result.privacy.leak is not None
    assert 1.9 < result.privacy.leak.loss <= 2
    assert 1.9 < float(result.privacy.lower) <= result.privacy.leak.loss


def test_engines_that_disagree_are_an_internal_error():
    """Were the alignment proved for eps, the attack would show that the proof is wrong."""
    result = check(half_the_noise_phi)
    assert result.privacy.status == "not private"
    wrong = replace(result, verdict=Verdict.PROVED, privacy=replace(result.privacy, upper="eps"))
    with pytest.raises(InternalError, match=r"is certified to lose at least 1.*proved to lose at most eps"):
        fold_privacy([half_the_noise_phi, half_the_noise_phi], [result, wrong])
    with pytest.raises(InternalError) as raised:
        attacked(half_the_noise_phi, replace(result, verdict=Verdict.PROVED), None, 0)
    assert raised.value.exit_code == 4


def test_a_bracket_can_be_left_out():
    result = check(twice_the_budget_phi, effort=0)
    assert (result.privacy.lower, result.privacy.leak) == (None, None)


def test_a_check_attacks_when_it_is_asked_for_the_loss(monkeypatch):
    """Once, whatever asks; what has been redefined by then is not attacked."""
    attacks = []

    def counted(*arguments):
        attacks.append(1)
        return attacked(*arguments)

    monkeypatch.setattr("alignkit.attacking.brackets.attacked", counted)
    result = check(twice_the_budget_phi)
    assert result.require().proved
    assert (result.privacy.upper, attacks) == ("2 * eps", [])
    assert "at least 1.9" in str(result)
    assert replace(result, seconds=0.0).privacy == pickle.loads(pickle.dumps(result)).privacy
    assert attacks == [1]
    unlike = check(twice_the_budget_phi, effort=1)
    monkeypatch.setattr("alignkit.results.Subject.stale", "it is another")
    assert unlike.privacy.leak is None


def test_no_clock_cuts_the_attack_beside_a_check(monkeypatch):
    result = check(twice_the_budget_phi, effort=0)
    calm = attacked(twice_the_budget_phi, result, None, 0)
    clock = itertools.count(0, 1000)
    monkeypatch.setattr("alignkit.limits.time.monotonic", lambda: next(clock))
    hurried = attacked(twice_the_budget_phi, result, None, 0)
    assert hurried.privacy == calm.privacy
    assert calm.privacy.leak is not None


def test_an_attack_beside_a_check_that_runs_out_of_steps_says_nothing(monkeypatch):
    monkeypatch.setattr("alignkit.attacking.brackets.MOST_STEPS", 2)
    result = check(twice_the_budget_phi, effort=0)
    assert attacked(twice_the_budget_phi, result, None, 0) == result


def test_the_laplace_mechanism_loses_all_of_its_budget():
    found = certify(laplace_mechanism, event=Event((Interval(high=Fraction(0)),)), q=[0], q_=[1], delta=1, eps="1/3")
    assert found.loss == pytest.approx(1 / 3, abs=1e-12)
    assert Fraction(found.loss) <= Fraction(1, 3)
    assert found.low <= 0.5 <= found.high + math.exp(-1 / 3)


@mechanism
def above_a_root(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    yield ABOVE if q + eta >= sqrt(2) else BELOW


def test_a_threshold_that_is_no_fraction_is_enclosed():
    found = certify(above_a_root, event=Event((ABOVE,)), q=0, q_=-1, eps=1)
    assert found.method is Method.INTERVALS
    p, p_ = math.exp(-math.sqrt(2)) / 2, math.exp(-math.sqrt(2) - 1) / 2
    assert p * (1 - 1e-5) < found.low < p
    assert p_ < found.high < p_ * (1 + 1e-5)
    assert 1 - 1e-4 < found.loss < 1


def test_the_probability_is_that_of_samples():
    """Hoeffding: 4000 runs are off by more than 0.05 with probability 2 exp(-20) < 1e-8."""
    event, answers = Event((BELOW, Interval(low=Fraction(2)))), {"q": [0, 1], "T": 0, "k": 1, "eps": 2}
    found = certify(sparse_vector.sparse_vector_with_gap, event=event, q_=[0, 1], **answers)
    runs = (sparse_vector.sparse_vector_with_gap.sample(seed=i, **answers) for i in range(4000))
    share = sum(event.holds(tuple(output)) for output in runs) / 4000
    assert abs(share - found.low) < 0.05
    assert found.high - found.low < 1e-12


def test_the_same_search_on_every_machine():
    one, two = (attack(noisy_max.noisy_max, claim="eps", effort=100, seed=5) for _ in range(2))
    assert one == two


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor], ids=lambda p: p.__name__)
def test_an_executor_may_do_the_climbing(pool):
    with pool(2) as executor:
        found = attack(noisy_max_broken.noisy_max_with_half_the_noise, claim="eps", effort=400, executor=executor)
    assert found.violates


def test_an_interrupt_leaves_what_was_found():
    seen = []

    def progress(words):
        seen.append(words)
        if len(seen) == 2:
            raise KeyboardInterrupt

    found = attack(noisy_max.noisy_max, claim="eps", progress=progress)
    assert INTERRUPTED in found.notes
    assert found.loss > 0.5
    assert "of the claim" in seen[0]


def test_parameters_that_are_given_are_kept():
    half = Fraction(1, 2)
    found = attack(sparse_vector.sparse_vector, claim="eps", parameters={"k": 2, "T": 5}, eps=half, effort=100)
    assert (found.witness.public["k"], found.witness.public["T"], found.witness.public["eps"]) == (2, 5, half)
    assert found.claim == 0.5


@mechanism
def without_the_clamp(q: Queries, B: Positive, eps: Epsilon, noise: Noise):
    """The noise is for one answer of [-B, B], but the clamp is left out: it is too little where B is below 1/2."""
    e = noise.laplace(2 * B / eps)
    for q_i in q:
        yield q_i + e
        break


@mechanism
def weighted(q: Query, T: Real, eps: Epsilon, noise: Noise):
    """At T = 0 the answer has no weight."""
    e = noise.laplace(1 / eps)
    return T * q + e


def test_without_a_claim_other_parameters_are_tried_where_the_first_show_no_loss():
    found = attack(weighted, effort=150)
    assert found.loss > 0.9
    assert found.witness.public["T"] in (1, -1, 2, 10)
    assert attack(weighted, parameters={"T": 0}, effort=60).loss == 0


@mechanism
def less_noise_below_a_limit(q: Query, c: Positive, eps: Epsilon, noise: Noise):
    """Private for c from 1/5 up; below, the answer weighs more than its noise."""
    e = noise.laplace(1 / eps)
    weight = 1 if c >= 1 / 5 else 3
    return weight * q + e


@mechanism
def discrete_noise_for_a_range(q: Query(lattice=1), B: Positive, eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(2 * B / eps, 1)
    return q + e


@pytest.mark.parametrize(
    ("broken", "name"),
    [(without_the_clamp, "B"), (less_noise_below_a_limit, "c"), (discrete_noise_for_a_range, "B")],
    ids=lambda x: getattr(x, "name", ""),
)
def test_public_parameters_are_searched(broken, name):
    found = attack(broken, claim="eps", effort=300)
    assert found.violates
    assert found.witness.public[name] == Fraction(1, 10)
    assert f"{name} = 1/10" in str(found)
    exec(found.snippet, {})
    assert not attack(broken, claim="eps", parameters={name: 1}, effort=300).violates


def test_parameters_that_make_no_difference_stay_simple():
    found = attack(laplace_mechanism, claim="eps", effort=600)
    assert found.loss > 0.99
    assert found.witness.public == {"delta": 1, "eps": 1}


@mechanism
def reads_its_eighth_answer(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q[7] + e


def test_a_program_is_attacked_with_the_answers_that_it_reads():
    assert attack(reads_its_eighth_answer, claim="eps", effort=60).loss > 0.9


@mechanism
def less_noise_at_two_values(q: Query, b: Positive, c: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    weight = 3 if b == 1 / 2 and c == 2 else 1
    return weight * q + e


@alignment(less_noise_at_two_values, epsilon="eps")
def at_two_values_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_an_attack_of_an_alignment_starts_from_a_run_that_refutes_it():
    found = attack(at_two_values_phi, effort=60)
    assert found.violates
    assert found.witness.public == {"b": Fraction(1, 2), "c": 2, "eps": 1}
    assert attack(at_two_values_phi, parameters={"c": 1}, effort=60).witness.public["c"] == 1


BAD = [
    ({"timeout": 0}, "the timeout must be a number of seconds above 0"),
    ({"timeout": math.nan}, "the timeout must be a number of seconds above 0"),
    ({"effort": 0}, "the effort must be a whole number, at least 1, not 0"),
    ({"eps": 0}, "eps must be above 0"),
    ({"eps": math.nan}, "eps must be a finite number"),
    ({"claim": -1}, "the claim must be at least 0"),
    ({"claim": "epsilon"}, "epsilon"),
    ({"adjacency": "every"}, "must be one of each, monotone, one, l1"),
    ({"parameters": {"kk": 1}}, "has no public parameter 'kk'"),
    ({"parameters": {"k": 0}}, "k must be a whole number, at least 1"),
    ({"samples": 10}, "takes no argument 'samples'"),
]


@pytest.mark.parametrize(("wrong", "words"), BAD, ids=lambda x: str(x)[:30])
def test_bad_input_says_what_to_give_instead(wrong, words):
    from alignkit import LanguageError

    with pytest.raises((InputError, LanguageError), match=words):
        attack(sparse_vector.sparse_vector, **wrong)


def test_certify_says_what_is_missing():
    with pytest.raises(InputError, match="q_=…"):
        certify(noisy_max.noisy_max, event=Event(0), q=[0, 1], eps=1)


def test_the_ends_of_an_interval_are_exact():
    with pytest.raises(InputError, match=r"ends at the float 0\.1; write it as a Fraction"):
        certify(laplace_mechanism, event=Event((Interval(low=0.1),)), q=[0], q_=[1], delta=1, eps=1)


def test_a_claim_that_depends_on_the_output_needs_its_length():
    from alignkit.attacking.attack_aim import AttackAim

    aim = AttackAim.of(sparse_vector.sparse_vector, None, "len(omega) * eps")
    assert aim.claimed({"eps": Fraction(1)}, Event((BELOW, ABOVE))) == 2
    with pytest.raises(InputError, match="which the event leaves open"):
        aim.claimed({"eps": Fraction(1)}, Event((BELOW,), more=True))


def test_where_there_is_nothing_to_see_the_loss_is_0():
    @mechanism
    def silent(q: Queries, eps: Epsilon, noise: Noise):
        return BELOW

    found = attack(silent, claim="eps", effort=30)
    assert found.loss == 0
    assert not found.violates


@mechanism
def noise_squared(q: Query, eps: Epsilon, noise: Noise):
    """Not affine in its noise; the answer shows in the sign."""
    eta = noise.laplace(1 / eps)
    return ABOVE if q + eta * eta > 0 else BELOW


def test_what_has_no_closed_form_is_sampled():
    found = attack(noise_squared, claim="eps", effort=100, seed=1)
    assert found.method is Method.SAMPLED
    assert (found.samples, found.error) == (10_000, 1e-6)
    assert found.violates
    assert any("no closed form: " in note and "product" in note for note in found.notes)
    assert any("floating-point sampler" in note for note in found.notes)


def test_any_sampler_may_be_attacked():
    def half_the_noise(data, size, rng):
        return data[0] + rng.laplace(scale=0.5, size=size)

    found = attack(half_the_noise, claim=1, queries=1, samples=50_000)
    assert found.method is Method.SAMPLED
    assert 1 < found.loss < 2
    with pytest.raises(InputError, match="is a number, not 'eps'"):
        attack(half_the_noise, claim="eps")


def _raises(error):
    def raising(*arguments):
        raise error

    return raising


def test_an_interrupt_while_the_loss_is_bounded_leaves_it_to_be_asked_for_again(monkeypatch):
    result = check(twice_the_budget_phi)
    monkeypatch.setattr("alignkit.attacking.attack_search.climb", _raises(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        str(result)
    monkeypatch.undo()
    assert "at least 1.9" in str(result)


@pytest.mark.parametrize(("module", "name"), [("climbing", "estimated"), ("mechanism_attack", "certified")])
def test_an_internal_error_is_never_taken_for_a_case_that_leads_nowhere(module, name, monkeypatch):
    changed = importlib.import_module(f"alignkit.attacking.{module}")
    monkeypatch.setattr(changed, name, _raises(InternalError("two engines disagree")))
    with pytest.raises(InternalError):
        attack(noisy_max.noisy_max, claim="eps", effort=30)


def test_a_printed_attack_is_a_report():
    found = attack(noisy_max_broken.noisy_max_with_half_the_noise, claim="eps", effort=60)
    lines = str(found).splitlines()
    assert lines[0] == "NOT PRIVATE    claim: 1"
    assert lines[1].startswith("  loss at least 1.")
    assert any(line.startswith("  D   q = [") for line in lines)
    assert any(line.startswith("  event E: the output is ") for line in lines)
    assert lines[-1] == found.snippet.splitlines()[-1]
