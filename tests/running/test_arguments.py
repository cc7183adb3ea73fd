"""Arguments of a wrong type or range, in Python: one line that names the argument and says what to write."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from alignkit import (
    ABOVE,
    AlignkitError,
    InputError,
    Queries,
    alignment,
    attack,
    base2,
    check,
    check_all,
    clamp,
    exp,
    exp2,
    largest,
    lattice_points,
    law,
    load,
    log,
    mechanism,
    power,
    release,
    same_law,
    sqrt,
)
from alignkit.attacking import Event, certify
from alignkit.catalogue import alignments_in, collect, find_alignments
from alignkit.data import align, count_transactions, parse_items, read_counts, read_items, read_transactions
from alignkit.laws import vectors
from alignkit.mechanisms.discrete_laplace import discrete_laplace_mechanism
from alignkit.mechanisms.discrete_sampling import drawn_threshold, lazy_threshold
from alignkit.mechanisms.noisy_max import noisy_max
from alignkit.mechanisms.sparse_vector import sparse_vector_with_gap as svt
from alignkit.proofs import discrete_laplace
from alignkit.proofs.noisy_max import phi
from alignkit.running.defined_functions import python_source

COUNTS = count_transactions([frozenset({"1", "2"})])
LAW = {"q": 0, "tau": 1, "gamma": 1}
LAWS = {"q": [0], "tau": [1], "gamma": [1]}
SVT = {"T": 0, "k": 1, "eps": 1}

SECONDS = "must be a number of seconds above 0, such as 10, not {}"
SEED = "seed must be a whole number, at least 0, not {}"
TABLE = 'the table must be a list of records that are sets of items, such as [{"1", "2"}, {"2"}]'
TARGET = "a target must be a string, such as 'proofs.py::phi', not {}"
SEVERAL = "targets must be a list of alignments or strings, such as [phi, 'proofs.py::psi']"
TARGETS = "targets must be a list of strings, such as ['proofs.py::phi'], not {}"
VALUES = "must be a list of the values to try, such as [0, 1], not {}"
PATH = "the data file must be a path, such as 'baskets.dat', not {}"


@pytest.fixture(scope="module")
def discrete_proof() -> Any:
    return check(discrete_laplace.phi)


def laplace(data, size, rng):
    return data[0] + rng.laplace(size=size)


@pytest.mark.parametrize("timeout", ["5", math.nan, math.inf, True, None, 0, -1, [5]])
def test_time_limits(timeout: Any) -> None:
    words = SECONDS.format(repr(timeout))
    for call in (lambda: check(phi, timeout=timeout), lambda: check_all([phi], timeout=timeout)):
        with pytest.raises(InputError) as caught:
            call()
        assert str(caught.value) == f"the timeout {words}"


@pytest.mark.parametrize("timeout", ["5", math.nan, math.inf, True, 0, -1, [5]])
def test_timeouts_of_attacks(timeout: Any) -> None:
    with pytest.raises(InputError) as caught:
        attack(noisy_max, timeout=timeout)
    assert str(caught.value) == f"the timeout {SECONDS.format(repr(timeout))}"


@pytest.mark.parametrize("seed", ["a", 1.5, None, True, -1, math.nan, [1]])
def test_seeds(seed: Any) -> None:
    for call in (lambda: check(phi, seed=seed), lambda: attack(noisy_max, effort=5, seed=seed)):
        with pytest.raises(InputError) as caught:
            call()
        assert str(caught.value) == SEED.format(repr(seed))


def test_numpy_numbers_are_numbers() -> None:
    assert str(check(phi, seed=np.int64(3), timeout=np.float32(30), effort=np.int8(0)).verdict) == "proved"


@pytest.mark.parametrize("effort", ["a", 1.5, True, -1, math.nan])
def test_efforts(effort: Any) -> None:
    with pytest.raises(InputError) as caught:
        check(phi, effort=effort)
    assert str(caught.value) == f"effort must be a whole number, at least 0, not {effort!r}"
    with pytest.raises(InputError, match="the effort must be a whole number, at least 1, not"):
        attack(noisy_max, effort=effort)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: check(phi, table=[1, 2]), f"{TABLE}, but it has the record 1"),
        (lambda: check(phi, table=["ab"]), f"{TABLE}, but it has the record 'ab'"),
        (lambda: check(phi, table=[["1"]]), f"{TABLE}, but it has the record ['1']"),
        (lambda: check(phi, table=[{1}]), f"{TABLE}, but it has the record {{1}}"),
        (lambda: check(phi, table="abc"), f"{TABLE}, not 'abc'"),
        (lambda: check(phi, table=5), f"{TABLE}, not 5"),
        (lambda: check(phi, progress=5), "progress must be a function of one string, not 5"),
        (lambda: check_all(phi), f"{SEVERAL}, not <alignment phi of noisy_max>"),
        (lambda: check_all("proofs.py"), f"{SEVERAL}, not 'proofs.py'"),
        (lambda: check_all(None), f"{SEVERAL}, not None"),
        (lambda: check_all([3]), "a target is an alignment or a string, such as 'proofs.py::phi', not 3"),
        (lambda: check_all([phi], seed=-1), "seed must be a whole number, at least 0, not -1"),
        (lambda: check_all([phi], progress=5), "progress must be a function of one string, not 5"),
        (lambda: check_all([phi], executor=5), "executor is a int; give a concurrent.futures.Executor, such as "
         "ThreadPoolExecutor(), or client.get_executor() of dask.distributed"),
        (
            lambda: check(noisy_max),
            "check takes an alignment, not <mechanism noisy_max>; "
            "give the function that is decorated with @alignment(noisy_max, …)",
        ),
        (
            lambda: check("mine.py::phi"),
            "check takes an alignment, not 'mine.py::phi'; load it first, as in load(\"proofs.py::phi\")",
        ),
        (lambda: noisy_max.sample([1], eps=Fraction(-1, 2)), "eps must be above 0, not -1/2"),
        (lambda: load(None), TARGET.format(None)),
        (lambda: load(["noisy_max"]), TARGET.format(["noisy_max"])),
        (lambda: load(""), "a target is empty; name a file, a folder, file.py::name or a mechanism"),
        (lambda: find_alignments("noisy_max"), TARGETS.format("'noisy_max'")),
        (lambda: find_alignments(None), TARGETS.format(None)),
        (lambda: collect("noisy_max"), TARGETS.format("'noisy_max'")),
        (lambda: find_alignments([5]), TARGET.format(5)),
        (lambda: alignments_in(None), "the file must be a path, such as 'proofs.py', not None"),
    ],
)
def test_checks_and_targets(call: Any, words: str) -> None:
    assert message(call) == words


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: attack(noisy_max, eps=0), "eps must be above 0, not 0"),
        (lambda: attack(noisy_max, eps=math.nan), "eps must be a finite number, not nan"),
        (lambda: attack(noisy_max, eps=math.inf), "eps must be a finite number, not inf"),
        (lambda: attack(noisy_max, eps=True), "eps must be a number, not True"),
        (lambda: attack(noisy_max, claim=math.nan), "the claim must be a finite number, not nan"),
        (lambda: attack(noisy_max, parameters=5),
         "parameters must be a dict from names to values, such as {'k': 2}, not 5"),
        (lambda: attack(noisy_max, eps=1, parameters={"eps": 2}),
         "the budget is given twice, as eps and as the parameter eps; give one of them"),
        (lambda: attack(noisy_max, executor=5), "executor is a int; give a concurrent.futures.Executor, such as "
         "ThreadPoolExecutor(), or client.get_executor() of dask.distributed"),
        (lambda: attack(noisy_max, progress=5), "progress must be a function of one string, not 5"),
        (lambda: attack(laplace, claim=[1]),
         "claim is [1]; it must be a number from 0, the claimed privacy loss, such as 1.0"),
        (lambda: attack(laplace, timeout="x"), "timeout is 'x'; it must be a number of seconds above 0"),
        (lambda: attack(laplace, parameters=5), "parameters must be a dict, such as {'scale': 2.0}, not 5"),
        (lambda: attack(laplace, progress=5), "progress must be a function of one string, not 5"),
        (lambda: attack(laplace, eps=1), "eps is for mechanisms; give a sampler parameters={…}"),
    ],
)  # fmt: skip
def test_attacks(call: Any, words: str) -> None:
    assert message(call) == words


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: law(drawn_threshold, **LAW, window="x"), "window must be a number such as 3, 0.7 or 1/3, not 'x'"),
        (lambda: law(drawn_threshold, **LAW).at(ABOVE, B="x"), "B must be a number such as 3, 0.7 or 1/3, not 'x'"),
        (lambda: law(drawn_threshold, **LAW).at(ABOVE, B=math.nan), "B must be a finite number, not nan"),
        (lambda: law(drawn_threshold, **LAW).coarsened("x"), "window must be a number such as 3, 0.7 or 1/3, not 'x'"),
        (lambda: same_law(drawn_threshold, lazy_threshold, q=0), "q " + VALUES.format(0)),
        (lambda: same(tau="12"), "tau " + VALUES.format("'12'")),
        (lambda: same(tau={1: 2}), "tau " + VALUES.format({1: 2})),
        (lambda: same(tau=None), "tau " + VALUES.format(None)),
        (lambda: same(window="x"), "window must be a number such as 3, 0.7 or 1/3, not 'x'"),
        (lambda: same(window=math.nan), "window must be a finite number, not nan"),
        (lambda: same(window=-1), "window must be at least 0, not -1"),
        (lambda: same(where=5), "where must be a function of all the inputs by name, not 5"),
        (lambda: same(where=lambda q: True), "`where` must take the inputs by name: lambda q, tau, gamma: …"),
        (lambda: vectors(5, [1]), "values must be a list of numbers, not 5"),
        (lambda: vectors([0], 2), "lengths must be a list of whole numbers, such as [1, 2], not 2"),
        (lambda: vectors([0], [-1]), "a length must be a whole number, at least 0, not -1"),
    ],
)
def test_laws(call: Any, words: str) -> None:
    assert message(call) == words


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: read_counts(None), PATH.format(None)),
        (lambda: read_counts(b"x"), PATH.format(b"x")),
        (lambda: read_transactions(5), PATH.format(5)),
        (lambda: read_items(["x"]), PATH.format(["x"])),
        (lambda: parse_items(range(3)), "items must be a range or a path, such as '0-999', not range(0, 3)"),
        (lambda: align(5, ["1"]), "align takes counts first, such as those of read_counts, not 5"),
        (lambda: align(COUNTS, "12"), "items must be a list of strings, such as parse_items('0-999'), not '12'"),
        (lambda: align(COUNTS, [1]), "items must be strings, as in data files, such as '1'; one of them is 1"),
        (lambda: count_transactions(5), "transactions must be a list of sets of items, not 5"),
        (lambda: count_transactions("ab"), "transactions must be a list of sets of items, not 'ab'"),
        (lambda: count_transactions(["ab"]), "a transaction must be a set of items, such as {'1', '2'}, not 'ab'"),
        (lambda: count_transactions([{1}]), "items must be strings, as in data files, such as '1'; one of them is 1"),
    ],
)
def test_data(call: Any, words: str) -> None:
    assert message(call) == words


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: svt.sample([1], **SVT, seed=True), "seed is True; write an int >= 0 or a numpy Generator"),
        (lambda: svt.sample([1], **{**SVT, "T": "1e99999999"}),
         "T must be a number such as 3, 0.7 or 1/3, not '1e99999999'"),
        (lambda: svt.sample([1], **{**SVT, "T": Decimal("1e99999999")}),
         "T must be a number such as 3, 0.7 or 1/3, not '1E+99999999'"),
        (lambda: svt.sample([np.ones((2, 2))], **SVT), "q[0] must be one number, not an array of 4"),
        (lambda: svt.read(5, SVT), "the private answers must be a tuple, one of each of q, not 5"),
        (lambda: svt.read(([1],), None), "the parameters must be a dict from names to values, not None"),
        (lambda: svt.replay([1], H={"eta": [0], "eta_i": [1]}, **SVT), "H must have a number for eta, not [0]"),
        (lambda: Queries(sensitivity="x y"),
         "sensitivity must be a number such as 3, 0.7 or 1/3, or the name of a public parameter, not 'x y'"),
        (lambda: alignment(noisy_max, epsilon=[1])(laplace),
         "the claim must be a string such as 'eps / 2', or a number, not [1]"),
        (lambda: alignment(noisy_max, epsilon=True)(laplace),
         "the claim must be a string such as 'eps / 2', or a number, not True"),
        (lambda: alignment(noisy_max, epsilon="eps", invariant=5),
         "invariant must be a string or a list of strings, not 5"),
        (lambda: alignment(noisy_max, epsilon="eps", invariant=[5]),
         "an invariant must be a string such as 'count <= k', not 5"),
    ],
)  # fmt: skip
def test_mechanisms_and_alignments(call: Any, words: str) -> None:
    assert message(call) == words


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sqrt("x"), "sqrt(value) takes finite numbers, not 'x'"),
        (lambda: sqrt(None), "sqrt(value) takes finite numbers, not None"),
        (lambda: sqrt(math.nan), "sqrt(value) takes finite numbers, not nan"),
        (lambda: exp("x"), "exp(value) takes finite numbers, not 'x'"),
        (lambda: exp2("x"), "exp2(value) takes finite numbers, not 'x'"),
        (lambda: log(math.nan), "log(value) takes finite numbers, not nan"),
        (lambda: power("x", 2), "power(value, exponent) takes finite numbers, not 'x'"),
        (lambda: power(2, exponent=math.nan), "power(value, exponent) takes finite numbers, not nan"),
        (lambda: clamp("x", 0, 1), "clamp(value, low, high) takes finite numbers, not 'x'"),
        (lambda: clamp(1, None, 2), "clamp(value, low, high) takes finite numbers, not None"),
        (lambda: lattice_points(0, math.inf, 1), "lattice_points(low, high, spacing) takes finite numbers, not inf"),
        (lambda: largest(5, 1), "largest(values, k) takes a list of numbers first, not 5"),
        (lambda: largest([1, 2], "x"), "largest(values, k) takes a whole number k >= 1, not 'x'"),
        (lambda: certify(5, event=Event(0)), "certify takes a mechanism, not 5; decorate the function with @mechanism"),
        (lambda: certify(noisy_max, event=5), "the event must be an Event, such as Event(0), not 5"),
        (lambda: mechanism(noisy_max), "noisy_max is a mechanism already\n  decorate it once"),
        (lambda: mechanism(5), "5 is not a plain Python function\n  decorate a function written with `def`"),
    ],
)
def test_functions_of_the_language(call: Any, words: str) -> None:
    assert message(call) == words


def test_functions_of_the_language_take_names_and_large_numbers() -> None:
    assert largest(values=[1, 3, 2], k=2) == (1, 2)
    assert clamp(value=12, low=0, high=math.inf) == 12
    with pytest.raises(OverflowError):
        exp(1000)


def test_a_long_value_is_shortened_to_one_line() -> None:
    words = message(lambda: find_alignments({i: np.zeros((3, 3)) for i in range(100)}))
    assert len(words) < 200
    assert "\n" not in words


class Failing:
    """An object whose own methods fail, with words that show its value."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, name: str) -> Any:
        if name == self.name:
            raise RuntimeError("secret 4711")
        raise AttributeError(name)


class FailingItem:
    def item(self) -> int:
        raise RuntimeError("secret 4711")

    def __repr__(self) -> str:
        raise RuntimeError("secret 4711")


class FailingList(list[int]):
    def __iter__(self) -> Any:
        raise RuntimeError("secret 4711")


ODD_ANSWERS = [Failing("ndim"), Failing("item"), FailingItem(), memoryview(b"ab")]


@pytest.mark.parametrize("odd", ODD_ANSWERS, ids=["ndim", "item", "repr", "memoryview"])
def test_answers_that_are_odd_objects(odd: Any, discrete_proof: Any) -> None:
    noise = {"eta": 0, "eta_i": [0]}
    for call in (
        lambda: svt.sample([odd], **SVT),
        lambda: svt.sample_many([odd], **SVT, runs=2),
        lambda: svt.replay([odd], H=noise, **SVT),
        lambda: svt.interactive(**SVT).ask(odd),
        lambda: svt.sample([1], **{**SVT, "T": odd}),
        lambda: law(discrete_laplace_mechanism, q=[odd], delta=1, gamma=1),
        lambda: certify(noisy_max, event=Event(0), q=[odd], q_=[0], eps=1),
    ):
        assert "must be" in message(call) or "cannot be read" in message(call)
    with pytest.raises(InputError, match="an answer of q is not a finite number") as refusal:
        release(discrete_laplace_mechanism, [odd], delta=1, gamma=1, eps=1, proof=discrete_proof)
    assert refusal.value.__context__ is None


def test_lists_of_answers_whose_own_methods_fail(discrete_proof: Any) -> None:
    assert "cannot be read: RuntimeError: secret 4711" in message(lambda: svt.sample(FailingList([1]), **SVT))
    with pytest.raises(InputError, match="q must be one list of numbers, not FailingList") as refusal:
        release(discrete_laplace_mechanism, FailingList([1]), delta=1, gamma=1, eps=1, proof=discrete_proof)
    assert refusal.value.__context__ is None


LARGE = 10**400


def test_answers_that_no_float_reaches_beside_floats() -> None:
    """They are computed exactly, or refused where a float meets them."""
    noise = {"eta": 0, "eta_i": [0, 0]}
    assert svt.replay([LARGE, 0.3], H=noise, **SVT) == [LARGE]
    assert svt.replay(["1e400", 0.3], H=noise, **SVT) == [LARGE]
    assert "not defined on these arguments" in message(lambda: svt.sample([LARGE, 0.3], **SVT, seed=1))
    assert "not defined on these arguments" in message(lambda: svt.sample_many([LARGE, 0.3], **SVT, runs=2, seed=1))
    assert noisy_max.sample([0.3, -0.3], eps=1, seed=1) in (0, 1)
    with pytest.raises(InputError, match="must be a finite number"):
        svt.replay([LARGE, math.inf], H=noise, **SVT)


LONG = 10**5000
DISCRETE: dict[str, Any] = {"delta": 1, "gamma": 1, "eps": 1}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: svt.sample([1], T=0, k=1, eps=-LONG), "eps must be above 0, not -1000"),
        (lambda: svt.sample([1], T=0, k=Fraction(LONG, 3), eps=1), "k must be a whole number"),
        (lambda: discrete_laplace_mechanism.sample([1], delta=1, gamma=LONG, eps=1), "must be a multiple of 1000"),
        (lambda: discrete_laplace_mechanism.sample([Fraction(1, LONG)], **DISCRETE), "q[0] must be a multiple of 1,"),
        (lambda: phi.replay([LONG], [0], eps=1, H={"e": [0]}), "q[0] changes by -1000"),
        (lambda: Queries(sensitivity=-LONG), "sensitivity must be above 0, not -1000"),
        (lambda: law(discrete_laplace_mechanism, q=[1], **DISCRETE, window=-LONG), "at least 0, not -1000"),
        (lambda: attack(noisy_max, claim=-LONG), "the claim must be at least 0, not -1000"),
        (lambda: base2(LONG, 3), "has the base 1000"),
        (lambda: base2(3, 2, -LONG), "z must be a whole number above 0"),
        (lambda: base2(3, 2, LONG).power(), "takes fractions of 4000"),
        (lambda: clamp(1, LONG, 0), "clamp(value, low, high) needs low <= high, not [1000"),
        (lambda: largest([1], LONG), "largest(values, 1000"),
        (lambda: power(2, LONG), "power(value, exponent) takes exponents up to"),
        (lambda: svt.sample_many([1], **SVT, runs=-LONG), "runs is -1000"),
    ],
)
def test_numbers_of_more_digits_than_python_writes(call: Any, words: str) -> None:
    assert words in message(call)


def test_releases_with_numbers_of_more_digits_than_python_writes(discrete_proof: Any) -> None:
    public = {"proof": discrete_proof, "eps": 1}
    with pytest.raises(InputError, match="not a multiple of the lattice 1000"):
        release(discrete_laplace_mechanism, [1], delta=LONG, gamma=LONG, **public)
    with pytest.raises(InputError, match="declares the sensitivity 1 of q; answers that may change by 1000"):
        release(
            discrete_laplace_mechanism, [1], delta=1, gamma=1, **public, rounding="nearest", true_sensitivity=LONG
        )


def test_reports_of_numbers_of_more_digits_than_python_writes() -> None:
    inputs = {"q": [LONG], "q_": [LONG + 1], "eps": 1, "H": {"eta": [0]}}
    assert "1000" in str(phi.replay(**inputs))
    assert eval(python_source((LONG, Fraction(LONG, 3)))) == [LONG, Fraction(LONG, 3)]
    assert "too large to be written out" in str(law(discrete_laplace_mechanism, q=[LONG], delta=1, gamma=1, window=1))


def same(**inputs: Any) -> Any:
    return same_law(drawn_threshold, lazy_threshold, **{**LAWS, **inputs})


def message(call: Any) -> str:
    with pytest.raises(AlignkitError) as caught:
        call()
    assert caught.value.exit_code == 2
    return str(caught.value)
