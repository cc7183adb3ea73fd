"""What a proof foresees, relies on, or leaves to another stage is obliged; each net is tried without the others.

The first programs leak: the prover took several outputs of an iteration for one, or read the output of a function that
returns a list as that of one that yields.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from support.defining import define_in

from alignkit.language.kinds import INT
from alignkit.proofs import general_theorem, several_loops, sparse_vector
from alignkit.proving import gathering, kernel, planning
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.loops import head, returned_output
from alignkit.proving.loops.head import LoopHead
from alignkit.proving.loops.output_stream import OutputStream
from alignkit.proving.obligation import Obligation
from alignkit.proving.runs.output_shapes import Shapes
from alignkit.proving.stages import pairs_of_runs
from alignkit.proving.stages import pairs_of_runs as by_pairs
from alignkit.results import CONDITIONS, Verdict
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

# Every leak begins where k is at least 60, so that no search finds it. Its loss grows with n beyond all bounds.
SECOND_OUTPUT_TAKEN_FOR_A_RANK = """
@mechanism
def leaky(q: Queries, k: Count, T: Real, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    top = largest(eta, k + 2)
    second, third = eta[top[1]], eta[top[2]]
    hit = 0
    if q[0] == 123456789 or k < 60:
        if second < T - 1:
            hit = 1
    else:
        if second < T:
            if third < T - 1:
                hit = 1
    for i in range(1 if T > 0 else 0):
        yield (top[i], hit)
        yield (top[i], hit)

@alignment(leaky, epsilon="eps")
def phi(q, q_, omega, H, k):
    down = 0
    up = 0
    if k >= 60:
        if q[0] == 123456789:
            if q_[0] != 123456789:
                up = 1
        else:
            if q_[0] == 123456789:
                down = -1
    both = [j for j, hit in omega]
    later = [omega[a + 1][0] for a in range(len(omega) - 1)]
    return H.shift(eta=[(down if i in later else 0) + (up if i in both else 0) for i in range(len(q))])
"""

# The mechanism is private. The alignment moves the noise of a round by what the answer of another round changes.
OTHER_ROUNDS_ANSWER = """
@mechanism
def measured(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(4 * k / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    top = largest(noisy, 2 * k)
    far = 1 if k >= 40 else 0
    for i in range(k):
        e = noise.laplace(2 * k / eps)
        yield (top[i], far * q[top[i]] + e)
        yield (top[i], 0)

@alignment(measured, epsilon="2 * eps")
def phi(q, q_, omega, H, k):
    selected = [j for j, m in omega]
    far = 1 if k >= 40 else 0
    return H.shift(
        eta=[1 + q[i] - q_[i] if i in selected else 0 for i in range(len(q))],
        e=[far * (q[omega[i][0]] - q_[omega[i][0]]) for i in range(len(omega))],
    )
"""

# [0, 1) is laid four times on [0, 1/4), where the output has two items: each iteration appends two.
COLLAPSED = """
@mechanism
def collapsed(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(1 / eps) for q_i in q]
    x = eta[0]
    hit = 0
    if q[0] == 123456789 or k < 60:
        if x >= 0:
            if x < 1 / 4:
                hit = 1
    else:
        if x >= 0:
            if x < 1:
                hit = 1
    out = []
    for i in range(1 if T > 0 else 0):
        out = [*out, hit, hit]
    return out

@alignment(collapsed, epsilon="eps", adjacency="one")
def phi(q, q_, omega, H, k):
    x = H.eta[0]
    s = 0
    if len(omega) >= 2 and k >= 60:
        if q[0] == 123456789:
            if q_[0] != 123456789:
                s = 1 if x >= 1 / 4 else 0
        else:
            if q_[0] == 123456789:
                s = 0 if x < 1 / 4 else -1 / 4 if x < 1 / 2 else -1 / 2 if x < 3 / 4 else -3 / 4 if x < 1 else 0
    return H.shift(eta=[s if i == 0 else 0 for i in range(len(q))])
"""

WITHOUT_ONE = COLLAPSED.replace("out = [*out, hit, hit]", "out = [*out, hit]").replace("out = []", "out = [hit]")


@pytest.mark.parametrize(
    "source",
    [SECOND_OUTPUT_TAKEN_FOR_A_RANK, OTHER_ROUNDS_ANSWER, COLLAPSED, WITHOUT_ONE],
    ids=["a second output", "another round", "two items an iteration", "an item before the loop"],
)
def test_outputs_are_those_of_the_program(source: str, tmp_path, never_proved) -> None:
    never_proved(define_in(tmp_path, source).phi)


def test_what_a_stage_foresees_is_obliged_by_some_stage(tmp_path, prover_alone, monkeypatch) -> None:
    """The pair of runs is compared by another reading of the output than the one that ends are held against."""
    monkeypatch.setattr(pairs_of_runs, "output_read", OutputStream)
    how = prover_alone(define_in(tmp_path, COLLAPSED).phi).conditions["same_output"].how
    assert "some path obliges that the length of the output is as foreseen" in how


BETWEEN_LOOPS = """
@mechanism
def tail(x: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    yield e + (1000000 if x == 123456789 else 0)

@mechanism
def leak(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        d = noise.laplace(1 / eps)
        yield BELOW
    yield from tail(q[0], eps, noise)
    for q_i in q:
        c = noise.laplace(1 / eps)

@alignment(leak, epsilon="0")
def phi(q, q_, omega, H):
    return H.shift()
"""


def test_a_mechanism_between_two_loops_counts(tmp_path, never_proved) -> None:
    never_proved(define_in(tmp_path, BETWEEN_LOOPS).phi)


UNPROVED = {
    "a call beside a number": """
@mechanism
def stream(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    b = noise.laplace(1 / eps)
    for q_i in q:
        yield BELOW

@alignment(stream, epsilon="eps")
def stream_phi(q, q_, H):
    return H.shift(b=1)

@mechanism
def either(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    b = noise.laplace(1 / eps)
    if q[0] + b > T:
        yield from stream(q, T, eps, noise)
    else:
        e = noise.laplace(1 / eps)
        yield q[0] + e

@alignment(either, epsilon="3 * eps / 2", lemmas=[stream_phi])
def phi(q, q_, H):
    return H.shift(b=q[0] - q_[0], e=q[0] - q_[0])
""",
    "two loops in what is called": """
@mechanism
def counts(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    c = 0
    for q_i in q:
        if c < 5:
            c = c + 1
    e = noise.laplace(1 / eps)
    d = 0
    for q_i in q:
        if d < 3:
            d = d + 1
    return d

@alignment(counts, epsilon="eps")
def counts_phi(q, q_, H):
    return H.shift(e=1)

@mechanism
def caller(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    d = counts(q, T, eps, noise)
    return d

@alignment(caller, epsilon="eps / 2", lemmas=[counts_phi])
def phi(q, q_, H):
    return H.shift()
""",
    "another loop on another path": """
@mechanism
def mixed(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    c = 0
    xs = [T] if T > 0 else q
    for x in xs:
        if c < 3:
            c = c + 1
    d = 0
    for q_i in q:
        d = d + 1
    e = noise.laplace(1 / eps)
    yield q[0] + e

@alignment(mixed, epsilon="eps / 2")
def phi(q, q_, H):
    return H.shift(e=q[0] - q_[0])
""",
}


@pytest.mark.parametrize("source", UNPROVED.values(), ids=UNPROVED)
def test_a_claim_that_is_too_small_is_undecided_without_an_error(source: str, tmp_path, never_proved) -> None:
    never_proved(define_in(tmp_path, source).phi)


# Nets

COUNTER = """
@mechanism
def counter(q: Queries, x: Real, eps: Epsilon, noise: Noise):
    c = 0
    for q_i in q:
        e = noise.laplace(1 / eps)
        c = c + {step}
        yield q_i if c - {step} > 0 and c - {step} < 1 else 0

@alignment(counter, epsilon="0")
def phi(H):
    return H.shift()
"""


def test_variables_that_are_taken_for_whole_numbers_are_obliged_to_be(tmp_path, prover_alone) -> None:
    assert prover_alone(define_in(tmp_path, COUNTER.format(step="1")).phi).complete
    phi = define_in(tmp_path, COUNTER.format(step="x")).phi
    assert not prover_alone(phi).complete
    (names,) = phi.mechanism.kinds.at_loop.values()
    names["c"] = INT
    how = prover_alone(phi).conditions["same_output"].how
    assert "c is a whole number on D and D'" in how


ALL_MOVED = "d=[0 * d for d in H.d]"

# What is wrongly foreseen of every run; a body for which it is wrong; what is shifted.
RECORDS: dict[str, tuple[dict[str, Any], str, str]] = {
    "outputs of an iteration": (
        {"each": 1, "after": 0},
        "d = noise.laplace(1 / eps)\n        yield BELOW\n        if d > T:\n            yield q_i",
        "",
    ),
    "no outputs": ({"silent": True}, "d = noise.laplace(1 / eps)\n        yield q_i", ""),
    "no way out": (
        {"whole": True},
        "d = noise.laplace(1 / eps)\n        yield BELOW\n        if q_i > T:\n            break",
        ALL_MOVED,
    ),
    "an output at the way out": (
        {"steady": True},
        "d = noise.laplace(1 / eps)\n        if q_i > T:\n            break\n        yield BELOW",
        "",
    ),
    "no noise": (
        {"still": True},
        "d = noise.laplace(1 / eps)\n        yield q_i + d",
        "d=[q[i] - q_[i] for i in range(len(q))]",
    ),
    "shapes": (
        {"shapes": Shapes(())},
        "d = noise.laplace(1 / eps)\n        yield (BELOW, q_i) if d > T else BELOW",
        "",
    ),
}


@pytest.mark.parametrize(("foreseen", "body", "shift"), RECORDS.values(), ids=RECORDS)
def test_a_false_record_is_obliged_to_be_true(foreseen, body, shift, tmp_path, prover_alone, monkeypatch) -> None:
    """Even if nobody asks whether the paths are possible."""
    plan_to_try = planning.plan_to_try
    monkeypatch.setattr(planning, "plan_to_try", lambda *a, **n: dataclasses.replace(plan_to_try(*a, **n), **foreseen))
    monkeypatch.setattr(kernel, "_impossible", lambda *given: [])
    source = f"""
@mechanism
def leak(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for q_i in q:
        {body}

@alignment(leak, epsilon="0")
def phi(q, q_, T, omega, H):
    return H.shift({shift})
"""
    assert not prover_alone(define_in(tmp_path, source).phi).complete


CHANGED = {
    "one loop": "    for q_i in q:\n        d = noise.laplace(1 / eps)\n        if q_i > 5:\n            c = c + 1\n",
    "an inner loop": (
        "    for q_i in q:\n        d = noise.laplace(1 / eps)\n        for q_j in q:\n            if q_j > 5:\n"
        "                c = c + 1\n"
    ),
    "two loops": (
        "    for q_i in q:\n        if q_i > 5:\n            c = c + 1\n"
        "    for q_i in q:\n        d = noise.laplace(1 / eps)\n"
    ),
}


@pytest.mark.parametrize("body", CHANGED.values(), ids=CHANGED)
def test_variables_that_loops_change_are_obliged_to_be_all(body: str, tmp_path, prover_alone, monkeypatch) -> None:
    monkeypatch.setattr(head, "assigned", lambda statements: frozenset())
    monkeypatch.setattr(kernel, "_impossible", lambda *given: [])
    source = f"""
@mechanism
def leak(q: Queries, eps: Epsilon, noise: Noise):
    c = 0
{body}    yield c

@alignment(leak, epsilon="0")
def phi(H):
    return H.shift()
"""
    assert not prover_alone(define_in(tmp_path, source).phi).complete


UNKNOWN = Term.of(Symbol("an unknown number", Role.STATE))


def _contradict(facts: Any) -> None:
    facts.assume(UNKNOWN.compare(">", 0), FactOrigin.SCHEMA, "INJECTED")
    facts.assume(UNKNOWN.compare("<", 0), FactOrigin.SCHEMA, "INJECTED")


def _after(owner: Any, name: str, facts_of: Callable[..., Any], monkeypatch, only: Callable[..., bool]) -> None:
    function = getattr(owner, name)

    def with_contradiction(*given: Any, **named: Any) -> Any:
        result = function(*given, **named)
        if only(*given):
            _contradict(facts_of(*given))
        return result

    monkeypatch.setattr(owner, name, with_contradiction)


@pytest.mark.parametrize("where", ["the length of the output", "an inner loop", "a pair of runs"])
def test_a_contradiction_is_undecided_wherever_it_stands(where: str, prover_alone, monkeypatch) -> None:
    always: Callable[..., bool] = lambda *given: True  # noqa: E731
    if where == "the length of the output":
        aligned = sparse_vector.phi
        _after(OutputStream, "_limit", lambda stream: stream.owed.facts, monkeypatch, always)
    elif where == "an inner loop":
        aligned = several_loops.thresholds_phi
        inner: Callable[..., bool] = lambda loop, *rest: not isinstance(loop.before.loops, int)  # noqa: E731
        _after(LoopHead, "forget", lambda loop, *rest: loop.facts, monkeypatch, inner)
    else:
        aligned = general_theorem.contracted_phi
        _after(by_pairs, "assume_same_images", lambda owed, *rest: owed.facts, monkeypatch, always)
    how = prover_alone(aligned).conditions["same_output"].how
    assert "what is assumed of INJECTED agrees with what runs do" in how


def test_a_contradiction_at_every_index_is_named_too(prover_alone, monkeypatch) -> None:
    forget = LoopHead.forget

    def with_contradiction(loop: LoopHead, *given: Any, **named: Any) -> Any:
        loop.facts.universal(lambda index: UNKNOWN.compare("<", 0), FactOrigin.SCHEMA, "EVERYWHERE")
        loop.facts.assume(UNKNOWN.compare(">", 0), FactOrigin.BRANCH)
        return forget(loop, *given, **named)

    monkeypatch.setattr(LoopHead, "forget", with_contradiction)
    assert "EVERYWHERE agrees with what runs do" in prover_alone(sparse_vector.phi).conditions["same_output"].how


def test_a_path_that_may_be_impossible_is_undecided(prover_alone, monkeypatch) -> None:
    from alignkit.proving.deciding import Decider
    from alignkit.symbolic.solver import Answer, Outcome

    monkeypatch.setattr(kernel, "_vacuous", lambda *given: None)
    monkeypatch.setattr(Decider, "satisfiable", lambda self, formulas: Answer(Outcome.UNKNOWN))
    how = prover_alone(sparse_vector.phi).conditions["same_output"].how
    assert "a path that the proof speaks of is possible" in how


@pytest.mark.parametrize("condition", CONDITIONS)
def test_no_condition_is_proved_by_an_empty_list(condition: str, prover_alone, monkeypatch) -> None:
    obligations = kernel.obligations

    def without(*given: Any) -> Any:
        theory = obligations(*given)
        kept = tuple(o for o in theory.obligations if o.condition != condition)
        return dataclasses.replace(theory, obligations=kept)

    monkeypatch.setattr(kernel, "obligations", without)
    shown = prover_alone(sparse_vector.phi).conditions[condition]
    assert shown.status is Verdict.UNDECIDED
    assert shown.how == "the program gives no obligation for this condition"


def test_adaptive_queries_are_no_exception(prover_alone, monkeypatch) -> None:
    from alignkit.proofs.adaptive_queries import online_phi

    assert prover_alone(online_phi).complete
    monkeypatch.setattr(gathering.adaptive_queries, "shown_to_analysts", lambda *given: ())
    assert prover_alone(online_phi).conditions["adaptive_queries"].status is Verdict.UNDECIDED


def test_what_is_left_to_another_stage_is_asked_there_from_as_little() -> None:
    x = Term.of(Symbol("x", Role.PUBLIC))
    weak, strong, goal = x.compare(">", 0), x.compare(">", 1), x.compare(">", 2)

    def owed(*known: Any) -> Obligation:
        return Obligation("cost", Hypotheses.of(known), goal, "words")

    left = [owed(weak)]
    assert gathering._obliged_nowhere([owed(weak)], left) == []
    assert gathering._obliged_nowhere([owed()], left) == []
    assert gathering._obliged_nowhere([owed(weak, strong)], left) == left
    assert gathering._obliged_nowhere([], left) == left


def test_what_is_relied_on_is_obliged(prover_alone, monkeypatch) -> None:
    establish = LoopHead.establish
    monkeypatch.setattr(LoopHead, "establish", lambda self, state, start, how: None)
    how = prover_alone(sparse_vector.phi).conditions["same_output"].how
    assert "some path obliges that" in how
    monkeypatch.setattr(LoopHead, "establish", establish)
    assert prover_alone(sparse_vector.phi).complete


def test_readings_of_the_output_are_made_in_one_place() -> None:
    assert head.output_read is returned_output.output_read is pairs_of_runs.output_read
