"""One domain: every way to run a mechanism takes the inputs that proofs speak of, and refuses all others."""

# A mechanism under test draws noise that it does not use.

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from support.examples import examples

import alignkit
from alignkit import (
    BELOW,
    Count,
    Epsilon,
    InputError,
    Lattice,
    Noise,
    Positive,
    Proportion,
    Queries,
    Real,
    Sensitivity,
    alignment,
    check,
    law,
    mechanism,
    release,
    release_interactively,
)
from alignkit.attacking import Event, certify
from alignkit.cli import main
from alignkit.proving.conditions.valid_noise import declared_lattices
from alignkit.proving.symbolic_inputs import bounded
from alignkit.running.adjacency import Adjacency
from alignkit.symbolic.substitution import holds
from alignkit.symbolic.terms import Term, atoms_within


@mechanism
def whole(
    q: Annotated[Queries, Sensitivity("delta"), Lattice(1)],
    T: Annotated[Real, Lattice(1)],
    k: Count,
    theta: Proportion,
    delta: Positive,
    eps: Epsilon,
    noise: Noise,
):
    """Sparse vector with gaps on whole numbers."""
    eta = noise.discrete_laplace(delta / (theta * eps))
    count = 0
    for q_i in q:
        eta_i = noise.discrete_laplace(2 * delta * k / ((1 - theta) * eps))
        if q_i + eta_i >= T + eta:
            yield q_i + eta_i - T - eta
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(whole, epsilon="eps", queries="adaptive")
def phi(q, q_, delta, omega, H):
    return H.shift(eta=delta, eta_i=[delta + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@pytest.fixture(scope="module")
def proof() -> Any:
    return check(phi, effort=0).require()


# Far below the threshold, no answer ends a run.
GOOD: dict[str, Any] = {"q": [3, 5], "T": 100, "k": 1, "theta": Fraction(1, 2), "delta": 1, "eps": 1}
NOISE = {"eta": 0, "eta_i": [0, 0]}

NO_NUMBERS = [None, True, "x", math.nan, math.inf, [1], np.array([1, 2])]
BAD: dict[str, list[Any]] = {
    "q": [[], [math.nan], [-math.inf], [3, Fraction(1, 2)], [0.5], ["x"], [True], [None], [[3]], np.zeros((2, 2)), 3],
    "T": [*NO_NUMBERS, Fraction(1, 2), 0.25, "1/3"],
    "k": [*NO_NUMBERS, 0, -1, Fraction(3, 2), 0.5],
    "theta": [*NO_NUMBERS, 0, 1, Fraction(3, 2), -0.5],
    "delta": [*NO_NUMBERS, 0, -1, Fraction(1, 2)],
    "eps": [*NO_NUMBERS, 0, -1, -0.0],
}

Door = Callable[[dict[str, Any], Any], Any]


def _asked(start: Callable[..., Any]) -> Door:
    def door(given: dict[str, Any], proof: Any) -> None:
        public = {name: value for name, value in given.items() if name != "q"}
        run = start(public, proof)
        for answer in given["q"] if isinstance(given["q"], list) else [given["q"]]:
            if run.finished:
                return
            run.ask(answer)

    return door


def _run(given: dict[str, Any], proof: Any) -> None:
    """The command line, which takes numbers as text."""
    flags = [text for name, value in given.items() if name != "q" for text in (f"--{name}", str(value))]
    code = main(["run", f"{__file__}::whole", "--data", str(proof), *flags])
    if code == 2:
        raise InputError("exit code 2")
    assert code == 0


DOORS: dict[str, Door] = {
    "release": lambda given, proof: release(whole, proof=proof, **given),
    "release_interactively": _asked(lambda public, proof: release_interactively(whole, proof=proof, **public)),
    "interactive": _asked(lambda public, proof: whole.interactive(seed=1, **public)),
    "sample": lambda given, proof: whole.sample(seed=1, **given),
    "sample_many": lambda given, proof: whole.sample_many(seed=1, runs=3, **given),
    "replay": lambda given, proof: whole.replay(H=NOISE, **given),
    "replay of an alignment": lambda given, proof: phi.replay(H=NOISE, **given, q_=[3, 5]),
    "certify": lambda given, proof: certify(whole, event=Event([BELOW, BELOW]), **given, q_=[3, 5]),
    # At eps = 1 probabilities are not rational; where it is left open, they are functions of it.
    "law": lambda given, proof: law(whole, **{n: x for n, x in given.items() if n != "eps" or x is not GOOD["eps"]}),
}
PUBLIC_DOORS: dict[str, Door] = {
    "attack": lambda given, proof: alignkit.attack(whole, parameters=given, effort=1),
    "run": _run,
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "counts.csv"
    file.write_text("item,count\n1,3\n2,5\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("door", DOORS)
def test_good_inputs_go_through_every_door(door: str, proof) -> None:
    DOORS[door](GOOD, proof)


def taken(door: Door, given: dict[str, Any], proof: Any) -> bool:
    try:
        door(given, proof)
    except InputError:
        return False
    return True


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("door", DOORS)
def test_bad_inputs_go_through_no_door(door: str, name: str, proof) -> None:
    # Where answers come one by one, there is no list of them that could be empty, or none.
    tried = BAD[name] if name != "q" or "interactive" not in door else BAD[name][1:-1]
    assert [x for x in tried if taken(DOORS[door], {**GOOD, name: x}, proof)] == []


@pytest.mark.parametrize("door", DOORS)
def test_every_door_names_what_is_missing_and_what_is_unknown(door: str, proof) -> None:
    for name in GOOD.keys() - {"q"}:
        if door == "law" and name == "eps":
            continue  # a law may leave budgets open
        with pytest.raises(InputError, match=f"needs {name}"):
            DOORS[door]({n: value for n, value in GOOD.items() if n != name}, proof)
    with pytest.raises(InputError, match="unheard"):
        DOORS[door]({**GOOD, "unheard": 1}, proof)


@pytest.mark.parametrize("door", PUBLIC_DOORS)
def test_doors_that_take_public_values_take_the_same(door: str, data: Path, capfd) -> None:
    public = {name: value for name, value in GOOD.items() if name != "q"}
    PUBLIC_DOORS[door](public, data)
    tried = [(name, x) for name in public for x in BAD[name]][:: examples(3, 1) if door == "run" else 1]
    assert [(name, x) for name, x in tried if taken(PUBLIC_DOORS[door], {**public, name: x}, data)] == []


@pytest.mark.parametrize("name", whole.public)
def test_what_proofs_assume_of_a_value_is_what_is_admitted(name: str) -> None:
    inputs = bounded(whole, Adjacency.EACH, 2, {})
    (symbol,) = Term.of(inputs.values[name]).atoms()
    lattice = declared_lattices(inputs).get(name)

    def assumed(value: Fraction) -> bool:
        whole_number = value.denominator == 1 or not symbol.integer
        on_lattice = lattice is None or value % Fraction(lattice.constant) == 0
        facts = [fact for fact in inputs.domain if set(atoms_within(fact)) == {symbol}]
        above_0 = value > 0 or not symbol.positive
        return whole_number and on_lattice and above_0 and all(holds(f, lambda atom: value) for f in facts)

    tried = [Fraction(x) for x in ("-1", "-1/2", "0", "1/3", "1/2", "1", "3/2", "2")]
    admitted = [taken(lambda given, proof: whole.domain.admit(given), {**GOOD, name: x}, None) for x in tried]
    assert [assumed(x) for x in tried] == admitted
    assert set(admitted) == {True, False}


def test_only_a_domain_admits() -> None:
    package = Path(alignkit.__file__).parent
    made = {
        file.relative_to(package).as_posix()
        for file in package.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Admitted"
    }
    assert made == {"running/domain.py"}


class SaysOne(list):
    """A list of answers that says that it has one."""

    def __len__(self) -> int:
        return 1


@mechanism
def rounded(q: Annotated[Queries, Sensitivity("delta"), Lattice(1)], delta: Positive, eps: Epsilon, noise: Noise):
    e = [noise.discrete_laplace(delta / eps) for x in q]
    return [x + y for x, y in zip(q, e)]


@alignment(rounded, epsilon="eps", adjacency="l1")
def rounded_phi(q, q_, H):
    return H.shift(e=[a - b for a, b in zip(q, q_)])


def test_answers_are_as_many_as_their_list_says() -> None:
    """Under l1 each rounded answer may move, so that the sensitivity depends on how many there are."""
    near: dict[str, Any] = {"delta": 3, "eps": 1, "rounding": "nearest", "true_sensitivity": 1}
    for answers in ([0.5] * 10, SaysOne([0.5] * 10)):
        with pytest.raises(InputError, match=r"must declare at least 21|gives another number of them"):
            release(rounded, answers, proof=rounded_phi, **near)
    assert len(release(rounded, [0.5], proof=rounded_phi, **near)) == 1
