"""Claims with delta as the second program reads them: tails of its own, limits that no run changes, false proofs."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from confirming.test_mutants import OPERATORS, TENTH
from mutation.entries import entry_of
from mutation.mutants import mutants
from mutation.outcomes import define as define_mutant
from soundness.test_limits import READS
from soundness.test_limits import TABLE as LIMITS
from soundness.test_limits_by_fresh_eyes import TABLE as FRESH_EYES
from support.defining import define_in
from support.examples import examples
from support.near_misses import Program

from alignkit import Alignment, InternalError, catalogue
from alignkit.checking.second_opinions import opinion_on_proof
from alignkit.confirming import Opinion, Standing, confirm_alignment
from alignkit.confirming.charged_limits import charge
from alignkit.confirming.normal_forms import Near
from alignkit.confirming.worlds import Functions
from alignkit.errors import AlignkitError
from alignkit.explorer.program_changes import Edit, EditSite, Operator

KEYS = {a.name: a for a in catalogue.alignments() if a.delta is not None}


def examined(alignment: Any, effort: int = 400) -> Opinion:
    return confirm_alignment(alignment, n=2, k=2, effort=effort)


# Tails

ON_A_LATTICE = {"discrete_laplace", "cut_discrete_laplace", "geometric"}
CONTINUOUS = {"laplace", "cut_laplace", "exponential", "logistic"}


def shares(kind: str, scale: float, lattice: float, within: float) -> list[tuple[float, float]]:
    """Values of noise with their probabilities; of continuous noise, the middles of short intervals with theirs."""
    step = lattice if kind in ON_A_LATTICE else lattice / 100
    last = round((within if kind.startswith("cut_") else 25 * scale) / step)
    numbers = range(0 if kind in ("exponential", "geometric") else -last, last + (kind in ON_A_LATTICE))
    values = [(i if kind in ON_A_LATTICE else i + 0.5) * step for i in numbers]
    rest = math.exp if kind != "logistic" else lambda z: math.exp(z) / (1 + math.exp(z)) ** 2
    weights = [rest(-abs(x) / scale) for x in values]
    total = math.fsum(weights)
    return [(x, weight / total) for x, weight in zip(values, weights, strict=True)]


class OfFloats(Functions):
    """What a charge is on symbolic numbers, with floats for exponentials."""

    def __init__(self) -> None:
        super().__init__(SimpleNamespace())  # type: ignore[arg-type]

    def exp(self, value: Any) -> Any:
        return Fraction(math.exp(value))


@pytest.mark.parametrize("kind", sorted(ON_A_LATTICE | CONTINUOUS))
@pytest.mark.parametrize(("scale", "lattice"), [(1, 1), (Fraction(5, 2), 2), (Fraction(1, 2), Fraction(1, 2))])
def test_a_charge_is_the_probability_that_a_limit_is_broken(kind: str, scale: Fraction, lattice: Fraction) -> None:
    within = 3 * lattice
    parameters = (scale, lattice, within)[: 3 if kind.startswith("cut_") else 2 if kind in ON_A_LATTICE else 1]
    found = shares(kind, float(scale), float(lattice), float(within))
    for halves, upper in itertools.product(range(-9, 10), (True, False)):
        limit = halves * lattice / Fraction(2)
        end = float(limit)
        truth = math.fsum(share for x, share in found if (x >= end if upper else x <= end))
        exact = Near.of(charge(kind, parameters, limit, upper=upper, functions=Functions(None)))
        assert exact.high - exact.low < Fraction(1, 10**40)
        assert float(exact.low) == pytest.approx(truth, abs=1e-5)
        bound = float(charge(kind, parameters, limit, upper=upper, functions=OfFloats()))
        assert bound > truth - 1e-5
        outwards = kind in ("exponential", "geometric") or limit == 0 or (limit > 0) is upper
        if outwards and (kind in CONTINUOUS or halves % 2 == 0):
            assert bound == pytest.approx(truth, abs=1e-5)


UNUSED = """
@mechanism
def unused(q: Query, tau: Positive, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    return 0

@alignment(unused, epsilon="eps", delta="exp(-eps * tau)")
def phi(H, tau):
    return H.shift().below(x=tau)
"""


@pytest.mark.parametrize("draw", ["gumbel(1 / eps)", "staircase(1 / eps, 1 / 2)", "uniform(0, tau)"])
def test_of_other_noise_no_limit_is_examined(draw: str, tmp_path: Path) -> None:
    opinion = examined(define_in(tmp_path, UNUSED.replace("laplace(1 / eps)", draw)).phi)
    assert opinion.standing is Standing.NOT_EXAMINED
    assert f"noise.{draw.partition('(')[0]}" in opinion.why


# What a limit reads


@pytest.mark.parametrize(
    ("line", "limit"),
    [
        ("top = tau", "H.x"),
        ("top = tau - H.x", "top"),
        ("noise = H", "noise.x"),
        ("top = [omega]", "tau if top[0] > 0 else None"),
        ("top = tau if omega is None else tau + 1", "top"),
        ("if omega is not None: return H.shift()", "tau"),
        ("if H.x > 0: return H.shift().below(x=None)", "tau"),
        ("if omega == 0: tau = tau + 1", "tau"),
        ("for w in [omega]: top = w", "tau + 0 * top"),
        ("top = 0\n    for i in range(2): top += 0 * H.x", "tau + top"),
        ("top = (lambda: omega)", "tau + 0 * top()"),
    ],
)
def test_a_limit_that_reads_noise_or_outputs_is_not_examined(line: str, limit: str, tmp_path: Path) -> None:
    """The reader of alignments refuses them; the second program does not rely on that."""
    source = READS.format(line="pass", limit="tau", more="")
    own = READS.format(line=line, limit=limit, more="").partition("def phi")[2]
    module = define_in(tmp_path, f"{source}\ndef own{own}")
    attributes = "mechanism claim delta adjacency adaptive base lemmas invariants".split()
    alignment = SimpleNamespace(python=module.own, **{name: getattr(module.phi, name) for name in attributes})
    opinion = examined(alignment)
    assert opinion.standing is Standing.NOT_EXAMINED
    assert "a limit that may depend on" in opinion.why


MOVED = """
@mechanism
def key(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    y = noise.laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return (q + x, 1 if y > 0 else 0)
    return (0, 1 if y > 0 else 0)

@alignment(key, epsilon="eps", delta="exp(-eps * (tau - 1)) / 2")
def phi(q, q_, H, omega, tau):
    new = (q <= 0) != (q_ <= 0)
    moved = q - q_ if H.y > 0 else q - q_ + 0 * omega[1]
    if omega[1] == 1:
        still = 0
    else:
        still = 0 * moved
    return H.shift(x=still if new else moved).below(x=tau - max(q, q_) if new else None)
"""


def test_what_shifts_alone_read_is_no_limit(tmp_path: Path) -> None:
    opinion = examined(define_in(tmp_path, MOVED).phi)
    assert (opinion.standing, opinion.n) == (Standing.BOUNDED, 2)


# What is right, and what is wrong

# No rule of the second program is about these: limits of draws in calls, noise that is cut off at other places than -A
# and A or between two multiples of its lattice, uniform noise; mechanisms that are not defined on all noise; and two
# charges of which the solver finds no number that Python replays.
NOT_EXAMINED = {
    "no delta", "the other budget's delta", "the call's budget alone", "n calls, one delta", "two calls, one delta",
    "a call with a flag", "a call beside a draw", "the answer, where a limit of the callee is broken",
    "no value, where a limit of the callee is broken", "another ending, where a limit of the callee is broken",
    "each answer, where a limit of the callee is broken", "another kind, where a limit of the callee is broken",
    "what the callee presumes on other noise", "what the callee presumes on other noise, of answers",
    "both add up", "n calls", "n calls, one change",
    "an interval to one side of 0", "a longer interval to one side", "a bound between two multiples", "uniform noise",
    "an invariant of good runs", "a scale of good runs",
    "group of 2", "no claim",
}  # fmt: skip


@pytest.mark.parametrize("program", LIMITS.right()[:: examples(2, 1)])
def test_what_is_private_is_confirmed(program: Program, tmp_path: Path) -> None:
    opinion = examined(program.load(tmp_path))
    if program.name in NOT_EXAMINED:
        assert (opinion.standing, opinion.why) == (Standing.NOT_EXAMINED, "a lemma with delta")
    else:
        assert (opinion.standing, opinion.n) == (Standing.BOUNDED, 2)


@pytest.mark.parametrize("program", [*LIMITS.wrong(), *FRESH_EYES.wrong()])
def test_a_false_proof_is_contradicted(program: Program, tmp_path: Path) -> None:
    opinion = examined(program.load(tmp_path))
    expected = Standing.NOT_EXAMINED if program.name in NOT_EXAMINED else Standing.CONTRADICTED
    assert opinion.standing is expected, opinion


WRONG = {row.values[0].name: row.values[0] for row in LIMITS.wrong()}


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("the tail of above tau", "the limits are broken with more probability than delta"),
        ("the tail of above tau, a limit to fit it", "the outputs differ"),
        ("half the budget", "the shifts cost more than the claim"),
    ],
)
def test_a_false_proof_is_withdrawn_by_every_check(name: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InternalError, match=f"is withdrawn, because a second program contradicts it: {problem}, at "):
        opinion_on_proof(WRONG[name].load(tmp_path), asked=False)


def test_every_proof_with_delta_in_the_catalogue_is_confirmed_but_for_rounding_and_ties() -> None:
    for name, alignment in [*KEYS.items()][:: examples(3, 1)]:
        opinion = confirm_alignment(alignment, n=1, effort=300)
        if alignment.expect == "proved" and name.startswith("google_count"):
            assert (opinion.standing, opinion.why[:12]) == (Standing.NOT_EXAMINED, "the function")
        elif "without_ties" in name:
            assert opinion.standing is Standing.NOT_EXAMINED
        elif alignment.expect == "proved":
            assert (opinion.standing, opinion.n) == (Standing.BOUNDED, 1), name
        else:
            assert opinion.standing in (Standing.CONTRADICTED, Standing.NOT_EXAMINED), name


DIVIDED = """
@mechanism
def divided(q: Query, T: Real, tau: Real, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    if x >= tau:
        return 1 / T
    return q if T == 0 else 0

@alignment(divided, epsilon="eps", delta="exp(-eps * tau) / 2")
def phi(q, q_, H, tau):
    return H.shift().below(x=tau)
"""


def test_what_fails_only_where_a_run_outside_the_limits_is_undefined_contradicts_nothing(tmp_path: Path) -> None:
    opinion = examined(define_in(tmp_path, DIVIDED).phi)
    assert opinion.standing is Standing.NOT_EXAMINED
    assert "for some public values only" in opinion.why


# Mutants


def smaller_delta(site: EditSite) -> Iterator[Edit]:
    """Delta loses a tenth."""
    node = site.node
    if isinstance(node, ast.keyword) and node.arg == "delta" and isinstance(node.value, ast.Constant):
        yield from site.exchange(node.value, ast.Constant(f"9 / 10 * ({node.value.value})"))


def other_limits(site: EditSite) -> Iterator[Edit]:
    """A limit is left out, or lies nine tenths higher or lower."""
    node = site.node
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("below", "above"):
        for keyword in node.keywords:
            others = [k for k in node.keywords if k is not keyword]
            yield Edit(node, ast.Call(node.func, [], others), words=f"no limit of {keyword.arg}")
            for way, sign in (("higher", ast.Add()), ("lower", ast.Sub())):
                moved = ast.keyword(keyword.arg, elsewhere(keyword.value, sign))
                words = f"a {way} limit of {keyword.arg}"
                yield Edit(node, ast.Call(node.func, [], [*others, moved]), words=words)


def elsewhere(limit: ast.expr, sign: ast.operator) -> ast.expr:
    match limit:
        case ast.IfExp():
            return ast.IfExp(limit.test, elsewhere(limit.body, sign), limit.orelse)
        case ast.ListComp():
            return ast.ListComp(elsewhere(limit.elt, sign), limit.generators)
    return ast.BinOp(limit, sign, TENTH)


# Delta is here more than is needed, by more than a tenth, and than what a lower limit is charged.
MORE_THAN_NEEDED = {"tumult_two_rows_phi": {"smaller_delta", "a lower limit of x"}}
FEW = ["opendp_phi", "key_with_retries_phi", "tumult_two_rows_phi"]
MUTATED = [a.name for a in KEYS.values() if a.expect == "proved" and not a.name.startswith("google_count")]


@pytest.mark.parametrize("name", [*FEW, *(pytest.param(n, marks=pytest.mark.slow) for n in MUTATED if n not in FEW)])
def test_no_mutant_is_confirmed(name: str, tmp_path: Path) -> None:
    own = (Operator("smaller_delta", smaller_delta), Operator("other_limits", other_limits))
    more_than_needed = MORE_THAN_NEEDED.get(name, set())
    tried, confirmed = 0, set()
    for mutant in mutants(entry_of(KEYS[name]), (*OPERATORS, *own)):
        try:
            alignment: Alignment = define_mutant(mutant, tmp_path)
        except AlignkitError:
            continue
        tried += 1
        if examined(alignment).standing is Standing.BOUNDED:
            confirmed.add(next((words for words in more_than_needed if words in str(mutant)), str(mutant)))
    assert tried >= 6
    assert confirmed == more_than_needed


TIES = """
@mechanism
def noisy(q: Annotated[Queries, Lattice(1)], eps: Epsilon, noise: Noise):
    x = [noise.discrete_laplace(1 / eps) for q_i in q]
    return [a + b for a, b in zip(q, x)]

@alignment(noisy, epsilon="len(q) * eps", delta="len(q) * (len(q) - 1) / 2 * (1 - exp(-eps)) / (1 + exp(-eps))")
def phi(q, q_, H):
    return H.shift(x=[a - b for a, b in zip(q, q_)]).distinct(x=q)
"""


def test_limits_on_sums_are_not_examined(define) -> None:
    opinion = examined(define(TIES).phi)
    assert (opinion.standing, opinion.why) == (Standing.NOT_EXAMINED, "limits that keep sums distinct: x")
