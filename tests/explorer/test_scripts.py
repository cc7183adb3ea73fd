"""The scripts of the page compute what Python computes: outputs, aligned noise, cost, claim, what fails."""

from __future__ import annotations

import copy
import json
import re
import shutil
import subprocess
from collections.abc import Iterable
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from support.claims_with_delta import key_and_count_phi, key_phi
from support.defining import define_in
from support.examples import examples

from alignkit.catalogue import find_alignments
from alignkit.explaining.tracing import traced
from alignkit.explorer.breaking import broken_variants
from alignkit.explorer.example_runs import small_runs
from alignkit.explorer.page import ENGINE, asset, explorer_page, exported_alignment, exported_value, program_differences
from alignkit.interpreting.values import NOISE, Members
from alignkit.language.tags import Tag
from alignkit.noise import DISTRIBUTIONS, Bits
from alignkit.results import Witness
from alignkit.running.aligned_replay import AlignedReplay
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.both_runs import AlignedRun

DRIVER = Path(__file__).with_name("run_pairs.js")
RUNS = 12  # of each alignment

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node, which runs the scripts, is not installed")


FAILING = """
@mechanism
def once(q: Query, eps: Epsilon, noise: Noise):
    e = noise.exponential(1 / eps)
    return q + e

@alignment(once, epsilon="eps")
def below_phi(q, q_, H):
    return H.shift(e=q - q_)

@mechanism
def maybe(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if q + e > 0:
        f = noise.laplace(1 / eps)
        if f > 0:
            return ABOVE
    return BELOW

@alignment(maybe, epsilon="2 * eps")
def more_phi(q, q_, H):
    return H.shift(e=1)

@alignment(maybe, epsilon="2 * eps")
def fewer_phi(q, q_, H):
    return H.shift(e=-1)

@alignment(maybe, epsilon="eps / 4")
def away_phi(q, q_, H):
    return H.shift(e=q - q_)

@mechanism
def divides(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    f = noise.laplace(1 / (2 * eps))
    return f / e

@alignment(divides, epsilon="eps")
def late_phi(q, q_, H):
    return H.shift(e=H.f - H.e)
"""


LARGE = """
@mechanism
def grows(q: Query, T: Real, k: Count, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    yield q + e
    yield VALUE

@alignment(grows, epsilon="eps")
def phi(q, q_, H):
    return H.shift(e=q - q_)
"""

FILTERED = """
@mechanism
def above(q: Queries, eps: Epsilon, noise: Noise):
    total = sum([x for x in q if x > 0 if x < 5])
    e = noise.laplace(3 / eps)
    yield total + e

@alignment(above, epsilon="eps")
def phi(q, q_, H):
    return H.shift(e=sum([x for x in q if x > 0 if x < 5]) - sum([x for x in q_ if x > 0 if x < 5]))
"""

GUMBEL = """
@mechanism
def once(q: Query, T: Real, eps: Epsilon, noise: Noise):
    g = noise.gumbel(1 / eps)
    if q + g > T:
        yield ABOVE
    else:
        yield BELOW

@alignment(once, epsilon="eps")
def phi(q, q_, H):
    return H.shift(g=q - q_)
"""


def case(alignment: Alignment, witness: Witness, trial: AlignedRun) -> dict[str, Any]:
    """What the scripts need to repeat a pair of runs."""
    return {
        "exported": exported_alignment(alignment),
        "values": {name: exported_value(value) for name, value in witness.values.items()},
        "values_": {name: exported_value(value) for name, value in witness.values_.items()},
        "noise": {str(drawn.where): exported_value(drawn.value) for drawn in trial.run.drawn},
    }


def evaluated(cases: list[dict[str, Any]], tmp_path: Path) -> list[dict[str, Any]]:
    """What the scripts of the page make of the cases."""
    files = []
    for name in ENGINE:
        files.append(tmp_path / name)
        files[-1].write_text(asset(name), encoding="utf-8")
    done = subprocess.run(
        ["node", str(DRIVER), *map(str, files)], input=json.dumps(cases), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def agree(one: Any, other: Any) -> bool:
    """Whether a value of Python and one of the scripts are the same; a float may be rounded."""
    if isinstance(other, dict) and "float" in other:
        return one is not None and float(one) == pytest.approx(other["float"], rel=1e-9, abs=1e-12)
    if isinstance(one, float) and isinstance(other, str):
        return float(Fraction(other)) == pytest.approx(one, rel=1e-9)
    if isinstance(one, Tag):
        return other == {"tag": one.name}
    if isinstance(one, Members):
        return isinstance(other, dict) and all(map(agree, one.items, other["members"]))
    if isinstance(one, tuple | list):
        return isinstance(other, list) and len(one) == len(other) and all(map(agree, one, other))
    if isinstance(one, bool) or one is None:
        return one is other
    if isinstance(one, str) or one is NOISE:
        return isinstance(other, dict) and "text" in other
    if isinstance(one, Bits):
        return False  # the scripts write them as floats
    return isinstance(other, str) and Fraction(one) == Fraction(other)


# Parameters of each distribution, twice.
BY_SCALE = [(1,), (Fraction(5, 2),)]
ON_LATTICE = [(1, 1), (Fraction(5, 2), Fraction(1, 2))]
PARAMETERS: dict[str, list[tuple[Any, ...]]] = {
    "laplace": BY_SCALE,
    "exponential": BY_SCALE,
    "gumbel": BY_SCALE,
    "logistic": BY_SCALE,
    "geometric": ON_LATTICE,
    "discrete_laplace": ON_LATTICE,
    "geometric_base2": ON_LATTICE,
    "discrete_laplace_base2": ON_LATTICE,
    "staircase": [(1, Fraction(1, 2), 1), (2, Fraction(1, 5), 3)],
    "uniform": [(0, 1), (-2, Fraction(7, 2))],
    "cut_laplace": [(-3, 2, 1), (-1, 5, Fraction(5, 2))],
    "cut_discrete_laplace": [(-3, 2, 1, 1), (-1, 5, Fraction(5, 2), Fraction(1, 2))],
}


@needs_node
def test_densities_are_those_of_python(tmp_path):
    cases = [
        (name, Fraction(sixths, 6), parameters)
        for name, settings in PARAMETERS.items()
        for parameters in settings
        for sixths in range(-40, 41)
        if not (DISTRIBUTIONS[name].has_atoms and (Fraction(sixths, 6) / parameters[-1]).denominator > 1)
    ]
    assert PARAMETERS.keys() == DISTRIBUTIONS.keys()
    given = json.dumps([(name, float(x), [*map(float, parameters)]) for name, x, parameters in cases])
    ask = f"const found = {given}.map(([name, x, values]) => Math.exp(LOG_DENSITIES[name](x, ...values)));"
    file = tmp_path / "densities.js"
    file.write_text(f"{asset('densities.js')}\n{ask}\nconsole.log(JSON.stringify(found));", encoding="utf-8")
    done = subprocess.run(["node", str(file)], capture_output=True, text=True, check=True)
    expected = [DISTRIBUTIONS[name].density(x, *parameters) for name, x, parameters in cases]
    for (name, x, parameters), one, other in zip(cases, expected, json.loads(done.stdout), strict=True):
        assert other == pytest.approx(one, rel=1e-9), (name, x, parameters)


@needs_node
def test_every_entry_of_the_catalogue_runs_as_in_python(tmp_path):
    cases, expected = [], []
    for alignment in find_alignments()[:: examples(3, 1)]:
        for witness, trial in islice(small_runs(alignment, seed=7), RUNS):
            if not trial.close:
                cases.append(case(alignment, witness, trial))
                expected.append((alignment, witness, trial))
    assert len(cases) > examples(500, 1500)
    conditions = set()
    for (alignment, witness, trial), result in zip(expected, evaluated(cases, tmp_path), strict=True):
        where = f"{alignment.mechanism.name} / {alignment.name} on {witness}"
        condition = None if trial.violation is None else trial.violation.condition
        conditions.add(condition)
        assert result["condition"] == condition, where
        assert bool(result["outside"]) is (trial.outside is not None), where
        assert agree(trial.run.output, result["output"]), where
        assert agree(None if trial.run_ is None else trial.run_.output, result["output_"]), where
        assert agree(trial.cost, result["cost"]), where
        assert agree(trial.claim, result["claim"]), where
        noise_ = {str(where): value for where, value in trial.noise_.items()}
        assert noise_.keys() == result["noise_"].keys(), where
        assert all(agree(value, result["noise_"][name]) for name, value in noise_.items()), where
        if trial.outside is not None and trial.run_ is None:
            continue  # aligned noise that cannot be: a trace runs D′ on it, the page does not
        pair = traced(alignment, AlignedReplay(alignment, witness, trial)) if trial.run.defined else None
        for step, (one, other, parts) in zip(pair.steps if pair else (), result["steps"], strict=bool(pair)):
            for event, shown in ((step.one, one), (step.other, other)):
                assert (event is None) == (shown is None), where
                assert event is None or (event.line == shown["line"] and agree(event.value, shown["value"])), where
            assert step.parts == parts, where
    assert conditions >= {None, "cost", "same_output", "termination"}


COMPARING = """
@mechanism
def choosing(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(1 / eps)
    for q_i in q:
        e = noise.laplace(1 / eps)
        gap = 2 * (q_i + e) - (T + rho)
        yield ABOVE if gap >= 0 else BELOW
        yield ABOVE if T + rho / 2 <= q_i - T + e else BELOW
    f = [noise.laplace(1 / eps) for q_i in q]
    yield largest([q_i + f_i for q_i, f_i in zip(q, f)], 1)

@alignment(choosing, epsilon="eps")
def phi(q, q_, H):
    return H.shift(rho=1)
"""


@needs_node
def test_what_is_compared_is_known_by_the_names_of_answers_and_noise(tmp_path):
    phi = define_in(tmp_path, COMPARING).phi
    noise = {"rho": 1, "e": [0, 1], "f": [-3, 1]}
    _, result = replayed(phi, tmp_path, q=[4, 2], q_=[4, 2], T=1, eps=1, H=noise)
    assert result["compared"] == [
        [["q[0]", "e[0]"], ["rho"]],
        [["q[0]", "e[0]"], ["rho"]],
        [["q[1]", "e[1]"], ["rho"]],
        [["q[1]", "e[1]"], ["rho"]],
        ["next", "no. 1"],
    ]


@needs_node
def test_the_scripts_of_a_page_are_one_program(tmp_path):
    *_, script = re.findall(r"<script>(.*?)</script>", explorer_page(key_phi, variants=False).text, re.DOTALL)
    file = tmp_path / "page.js"
    file.write_text(script, encoding="utf-8")
    subprocess.run(["node", "--check", str(file)], check=True)


@needs_node
def test_the_counterexample_of_a_variant_fails_on_the_page_as_in_python(tmp_path):
    cases, expected = [], []
    proved = [each for each in find_alignments([]) if each.expect == "proved"]
    for alignment in proved[:: examples(32, 8)]:
        original = exported_alignment(alignment)
        for variant in broken_variants(alignment).variants:
            witness, changed = variant.found.witness, variant.alignment
            other = {f"{name}_": value for name, value in witness.q_.items()}
            replay = changed.replay(**witness.q, **other, **witness.public, H=witness.H)
            made = case(changed, replay.witness, replay.trial)
            cases.append({**made, "exported": with_changes(original, program_differences(original, made["exported"]))})
            assert cases[-1]["exported"] == made["exported"]
            expected.append(variant.found.condition)
    assert len(cases) > examples(20, 80)
    assert [each["condition"] for each in evaluated(cases, tmp_path)] == expected


def with_changes(original: Any, changes: Iterable[tuple[tuple[str | int, ...], Any]]) -> Any:
    """A program with the changes of a variant made, as the page makes them."""
    changed = copy.deepcopy(original)
    for (*path, last), value in changes:
        part = changed
        for key in path:
            part = part[key]
        part[last] = value
    return changed


@needs_node
def test_limits_are_those_of_python_and_where_one_is_broken_nothing_fails(tmp_path):
    cases, trials = [], []
    for alignment in (*find_alignments(["thresholded_keys"])[::4], key_and_count_phi):
        for witness, trial in islice(small_runs(alignment, seed=5), 12):
            if not trial.close:
                cases.append(case(alignment, witness, trial))
                trials.append(trial)
    results = evaluated(cases, tmp_path)
    for trial, result in zip(trials, results, strict=True):
        assert bool(result["outside"]) is (trial.outside is not None)
        assert result["condition"] == (None if trial.violation is None else trial.violation.condition)
    assert {bool(result["outside"]) for result in results} == {True, False}
    assert any("in the call of noisy_key, x is" in result["outside"] for result in results)
    replay, result = replayed(key_phi, tmp_path, q=0, q_=1, tau=3, eps=1, H={"x": 2})
    assert result["limits"] == [["x", "below", "2"]]
    assert replay.outside == result["outside"] == "x is 2, not below its limit 2"


@needs_node
def test_every_condition_that_fails_is_named_as_in_python(tmp_path):
    module = define_in(tmp_path, FAILING)
    cases, expected = [], []
    for alignment in (module.below_phi, module.more_phi, module.fewer_phi, module.away_phi, module.late_phi):
        for witness, trial in islice(small_runs(alignment, seed=3), 30):
            cases.append(case(alignment, witness, trial))
            fails = trial.violation
            expected.append(None if fails is None else (fails.condition, fails.place.line))
    results = evaluated(cases, tmp_path)
    assert [None if r["condition"] is None else (r["condition"], r["line"]) for r in results] == expected
    assert {each[0] for each in expected if each} == {"valid_noise", "noise_used", "same_output", "cost", "termination"}


def replayed(alignment: Alignment, tmp_path: Path, **inputs: Any) -> tuple[AlignedReplay, dict[str, Any]]:
    """A pair of runs as Python has it and as the scripts have it."""
    replay = alignment.replay(**inputs)
    return replay, evaluated([case(alignment, replay.witness, replay.trial)], tmp_path)[0]


# A value, T and k for which Python has no value; and values that take a page too long.
WITHOUT_VALUE = [
    ("round(exp(T))", 710, 1),
    ("round(exp(T) * exp(T))", 709, 1),
    ("round(exp2(T / 2))", 4097, 1),
    ("exp2(20000 * k)", 1, 1),
    ("power(T, -k)", 0, 1),
    ("power(T, 20000 * k)", 2, 1),
    ("len(lattice_points(0, T, 1 / 1000))", 100000, 1),
    ("1 / T", 0, 1),
]
LONG = ["power(T, 16000)", "len(lattice_points(0, 20000, 1))", "sum([i for i in range(60000 * k)])"]


@needs_node
def test_what_has_no_value_in_python_has_none_on_the_page(tmp_path):
    replays = []
    for value, T, k in WITHOUT_VALUE:
        phi = define_in(tmp_path, LARGE.replace("VALUE", value)).phi
        replays.append(phi.replay(q=0, q_=1, T=T, k=k, eps=1, H={"e": 0}))
    cases = [case(each.alignment, each.witness, each.trial) for each in replays]
    for replay, result in zip(replays, evaluated(cases, tmp_path), strict=True):
        assert replay.violation is not None
        assert replay.violation.condition == result["condition"] == "termination"
        assert replay.violation.words == result["words"]


@needs_node
def test_what_takes_long_is_no_finding(tmp_path):
    cases = []
    for value in LONG:
        phi = define_in(tmp_path, LARGE.replace("VALUE", value)).phi
        replay = phi.replay(q=0, q_=1, T=3, k=1, eps=1, H={"e": 0})
        cases.append(case(phi, replay.witness, replay.trial))
    assert all(result["tooLong"].endswith("too long for this page") for result in evaluated(cases, tmp_path))


@needs_node
def test_the_filters_of_a_comprehension_are_no_output(tmp_path):
    phi = define_in(tmp_path, FILTERED).phi
    replay, result = replayed(phi, tmp_path, q=[0, 2], q_=[1, 2], eps=1, H={"e": 0})
    pair = traced(phi, replay)
    assert replay.output == replay.output_
    assert pair.first_difference is None
    assert any(step.one is None or step.other is None for step in pair.steps)
    assert [step.parts for step in pair.steps] == [parts for *_, parts in result["steps"]]


@needs_node
def test_noise_without_a_bound_costs_at_least_something(tmp_path):
    phi = define_in(tmp_path, GUMBEL).phi
    replay, result = replayed(phi, tmp_path, q=0, q_=1, T=0, eps=1, H={"g": 5})
    assert replay.trial.at_least
    assert result["atLeast"]
    assert "cost at least -1, claim 1" in str(traced(phi, replay))
    replay, result = replayed(phi, tmp_path, q=0, q_=1, T=0, eps=1, H={"g": -4})
    assert replay.violation is not None
    assert "at least" in replay.violation.words
    assert "at least" in result["words"]
