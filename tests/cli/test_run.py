"""`alignkit run`: a mechanism on the item counts of a data file."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

SVT = ("--T", "50", "--k", "2", "--eps", "2", "--seed", "1")
OWN = '''
from alignkit import BELOW, Epsilon, Noise, Queries, Query, Real, Reals, Tag, largest, mechanism

NEAR = Tag("NEAR")


@mechanism
def two_tags(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Tells a small gap from a large one."""
    for q_i in q:
        e = noise.laplace(1 / eps)
        if q_i + e - T >= 100:
            yield q_i + e - T
        elif q_i + e - T >= 0:
            yield NEAR, q_i + e - T
        else:
            yield BELOW


@mechanism
def booleans(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Whether each answer is above T."""
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e > T


@mechanism
def top(q: Queries, k: Real, eps: Epsilon, noise: Noise):
    """The two largest."""
    e = [noise.laplace(1 / eps) for q_i in q]
    first, second = largest([q_i + e_i for q_i, e_i in zip(q, e)], 2)
    return first, second


@mechanism
def behind_a_copy(q: Queries, eps: Epsilon, noise: Noise):
    """The largest among noisy answers and their halves."""
    e = [noise.laplace(1 / eps) for q_i in q]
    v = [q_i + e_i for q_i, e_i in zip(q, e)]
    both = [*[x / 2 for x in v], *v]
    return largest(both, 1)[0]


@mechanism
def pair(q: Queries, r: Queries, eps: Epsilon, noise: Noise):
    """Two lists of answers."""
    e = noise.laplace(1 / eps)
    return q[0] + r[0] + e


@mechanism
def flagged(q: Queries, items: Real, eps: Epsilon, noise: Noise):
    """A parameter with the name of a flag."""
    e = noise.laplace(1 / eps)
    return q[0] + e


@mechanism
def with_default(q: Query, noise: Noise, eps: Epsilon = 1, shifts: Reals = (0.5, -0.5)):
    """One answer, parameters with a default."""
    e = noise.laplace(1 / eps)
    return q + e + sum(shifts)


@mechanism
def beyond_the_items(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    yield len(q) if q[0] + e > -1000 else 0
'''


@pytest.fixture
def own(here: Path) -> Path:
    path = here / "own.py"
    path.write_text(OWN)
    return path


def answers(ran) -> dict[str, dict]:
    assert ran.code == 0, ran.err
    return {a["item"]: a for a in json.loads(ran.out)["answers"]}


def test_gaps_and_estimates(cli, baskets: Path) -> None:
    ran = cli("run", "sparse_vector_with_gap", "--data", baskets, "--items", "0-9", *SVT, "--format", "json")
    found = answers(ran)
    assert list(found) == ["1", "2"]
    for item, count in (("1", 300), ("2", 200)):
        assert found[item]["gap"] + 50 == pytest.approx(found[item]["estimate"])
        assert found[item]["estimate"] == pytest.approx(count, abs=60)
    document = json.loads(ran.out)
    assert document["asked"] == 3
    assert document["below"] == 1
    assert document["parameters"] == {"T": "50", "k": "2", "eps": "2"}
    assert document["items"] == {"public": True, "universe": "0-9"}


def test_items_that_are_answered_by_false_did_not_come_out(cli, own: Path, baskets: Path) -> None:
    given = ("--items", "0-9", "--T", "150", "--eps", "1", "--seed", "1")
    command = ("run", "own.py::booleans", "--data", baskets, *given)
    ran = cli(*command, "--format", "json")
    assert {item: a["tag"] for item, a in answers(ran).items()} == {"1": "True", "2": "True"}
    document = json.loads(ran.out)
    assert (document["asked"], document["below"]) == (10, 8)
    assert "10 of 10 items were asked: 2 came out above, 8 below" in cli(*command).out


def test_whole_numbers_that_are_no_items_belong_to_none(cli, own: Path, baskets: Path) -> None:
    given = ("--items", "0-9", "--eps", "9", "--seed", "1", "--format", "json")
    ran = cli("run", "own.py::beyond_the_items", "--data", baskets, *given)
    assert {item: a["value"] for item, a in answers(ran).items()} == {None: 10}


def test_the_table_says_what_the_reader_must_know(cli, baskets: Path) -> None:
    ran = cli("run", "sparse_vector_with_gap", "--data", baskets, "--items", "0-9", *SVT)
    assert ran.code == 0
    assert "3 of 10 items were asked" in ran.out
    assert "order of --items" in ran.out
    assert "gap + T" in ran.out
    assert "for experiments, not for release" in ran.out
    assert "can be repeated" in ran.out
    assert ran.err == ""


def test_items_from_the_data_are_warned_about(cli, baskets: Path) -> None:
    ran = cli("run", "sparse_vector", "--data", baskets, *SVT, "--format", "json")
    assert "warning: the items are taken from the data" in ran.err
    document = json.loads(ran.out)
    assert document["items"]["public"] is False
    assert any("not private" in note for note in document["notes"])


def test_items_from_a_file(cli, baskets: Path, here: Path) -> None:
    (here / "items.txt").write_text("9\n2\n1\n")
    ran = cli("run", "sparse_vector", "--data", baskets, "--items", "items.txt", *SVT, "--format", "json")
    assert list(answers(ran)) == ["2", "1"]
    assert all(answer["tag"] == "ABOVE" and answer["gap"] is None for answer in answers(ran).values())


def test_fresh_noise_without_a_seed(cli, baskets: Path) -> None:
    command = ("run", "sparse_vector_with_gap", "--data", baskets, "--items", "1-1", *SVT[:-2])
    assert cli(*command).out != cli(*command).out
    assert cli(*command, *SVT[-2:]).out == cli(*command, *SVT[-2:]).out


def test_noisy_max_gives_the_item_and_its_gap(cli, baskets: Path) -> None:
    ran = cli("run", "noisy_max_with_gap", "--data", baskets, "--items", "0-9", "--eps", "1", "--format", "json")
    [(item, answer)] = answers(ran).items()
    assert item == "1"
    assert answer["gap"] == pytest.approx(100, abs=60)
    assert answer["estimate"] is None
    assert list(answers(cli("run", "noisy_max", "--data", baskets, "--items", "0-9", "--eps=1",
                            "--format", "json"))) == ["1"]  # fmt: skip
    assert "chosen among 10 items" in cli("run", "noisy_max", "--data", baskets, "--items", "0-9", "--eps", "1").out


def test_the_threshold_among_the_items_has_its_own_name(cli, baskets: Path) -> None:
    command = ("run", "hybrid_identity", "--data", baskets, "--items", "1-3", "--T", "250", "--k", "3", "--eps", "4")
    ran = cli(*command, "--seed", "1", "--format", "json")
    assert [a["item"] for a in json.loads(ran.out)["answers"]] == ["1", "T"]
    assert all(a["gap"] > 0 and a["estimate"] is None for a in json.loads(ran.out)["answers"])


def test_entries_of_a_list_that_has_no_names_are_no_items(cli, own: Path, baskets: Path) -> None:
    command = ("run", f"{own}::behind_a_copy", "--data", baskets, "--items", "1-3", "--eps", "4", "--seed", "1")
    assert [a["item"] for a in json.loads(cli(*command, "--format", "json").out)["answers"]] == [None]


def test_a_value_for_each_item(cli, baskets: Path) -> None:
    command = ("run", "laplace_mechanism", "--data", baskets, "--items", "1-3", "--eps", "1", "--delta", "1")
    found = answers(cli(*command, "--format", "json"))
    assert [round(found[item]["value"], -2) for item in "123"] == [300, 200, 100]
    # a transaction changes the counts of all its items, which adjacency l1 does not allow for
    assert "do not cover a transaction" in cli(*command).out


def test_one_number_or_a_list_for_a_public_vector(cli, baskets: Path) -> None:
    command = ("run", "sparse_vector_many_thresholds", "--data", baskets, "--items", "1-3", "--delta", "1",
               "--c", "3", "--eps", "4", "--format", "json")  # fmt: skip
    assert list(answers(cli(*command, "--T", "50"))) == ["1", "2", "3"]
    assert list(answers(cli(*command, "--T", "900,50,900"))) == ["2"]
    ran = cli(*command, "--T", "900,fifty,900")
    assert ran.code == 2
    assert "T[1]" in ran.err


def test_negative_and_fractional_values(cli, baskets: Path) -> None:
    command = ("run", "sparse_vector", "--data", baskets, "--items", "8-9", "--k", "1", "--eps", "100")
    ran = cli(*command, "--T", "-40/3", "--format", "json")
    assert list(answers(ran)) == ["8"]
    assert json.loads(ran.out)["parameters"]["T"] == "-40/3"


def test_a_users_own_mechanism(cli, own: Path, baskets: Path) -> None:
    command = ("--data", baskets, "--items", "1-4", "--eps", "9", "--format", "json")
    found = answers(cli("run", "own.py::two_tags", *command, "--T", "150"))
    assert list(found) == ["1", "2"]
    assert found["1"]["tag"] is None
    assert found["2"]["tag"] == "NEAR"
    assert found["2"]["estimate"] == pytest.approx(200, abs=10)
    assert list(answers(cli("run", "own.py::top", *command, "--k", "2"))) == ["1", "2"]


def test_one_answer_alone(cli, own: Path, baskets: Path) -> None:
    ran = cli("run", "own.py::with_default", "--data", baskets, "--items", "2-2", "--format", "json")
    assert answers(ran)["2"]["value"] == pytest.approx(200, abs=30)
    ran = cli("run", "own.py::with_default", "--data", baskets, "--items", "0-9")
    assert ran.code == 2
    assert "--items 7-7" in ran.err
    ran = cli("run", "own.py::with_default", "--help")
    assert "(default 1)" in ran.out
    assert "(default [1/2, -1/2])" in ran.out


def test_a_mechanism_without_a_proof_gets_a_note(cli, own: Path, baskets: Path) -> None:
    ran = cli("run", "own.py::top", "--data", baskets, "--items", "1-4", "--eps", "9", "--k", "2")
    assert "the file of top has no alignment that claims it is private" in ran.out


def test_help_lists_the_parameters_of_the_mechanism(cli) -> None:
    ran = cli("run", "sparse_vector", "--help")
    assert ran.code == 0
    assert "--eps VALUE" in ran.out
    assert "--data FILE" in ran.out
    assert cli("run", "--help").code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "name the mechanism"),
        (("sparse_vektor",), "did you mean sparse_vector"),
        (("sparse_vector", "--T", "1"), "sparse_vector needs --data FILE, --k, --eps; its flags are --T (a number)"),
        (("sparse_vector", "--t", "1"), "has no parameter 't'; did you mean --T?"),
        (("sparse_vector", "noisy_max", *SVT), "one argument too many"),
        (("sparse_vector", *SVT), "name the data: --data FILE"),
        (("sparse_vector", "--data", "nothing.dat", *SVT), "nothing.dat does not exist"),
        (("sparse_vector", "--data", "b", *SVT, "--eps", "0"), "eps must be above 0"),
        (("sparse_vector", "--data", "b", *SVT, "--eps", "-1"), "eps must be above 0"),
        (("sparse_vector", "--data", "b", *SVT, "--k", "0"), "k must be a whole number, at least 1"),
        (("sparse_vector", "--data", "b", *SVT, "--k", "1.5"), "k must be a whole number, at least 1"),
        (("sparse_vector", "--data", "b", *SVT, "--T", "nan"), "T must be"),
        (("sparse_vector", "--data", "b", *SVT, "--T", "inf"), "T must be"),
        (("sparse_vector_with_gap_by_theta", "--data", "b", *SVT, "--theta", "1"), "strictly between 0 and 1"),
        (("sparse_vector", "--data", "baskets.dat", "--items", "9-1", *SVT), "runs backwards"),
        (("sparse_vector", "--data", "baskets.dat", "--items", "no.txt", *SVT), "no.txt does not exist"),
        (("sparse_vector", "--data", "baskets.dat", *SVT, "--seed", "-1"), "whole number, at least 0"),
        (("noisy_max_with_gap", "--data", "baskets.dat", "--items", "1-1", "--eps", "1"), "at least 2 values"),
        (("own.py::pair", "--data", "baskets.dat", "--eps", "1"), "several private parameters, q, r"),
        (("own.py::flagged", "--data", "baskets.dat", "--eps", "1"), "the name of a flag"),
        (("own.py", "--data", "baskets.dat"), "own.py has several mechanisms; name one: own.py::two_tags"),
        (("alignkit.proofs.noisy_max.phi", "--eps", "1"), "phi is an alignment; run takes a mechanism: noisy_max"),
    ],
)
def test_bad_usage(cli, own: Path, baskets: Path, arguments: tuple[str, ...], words: str) -> None:
    ran = cli("run", *arguments)
    assert ran.code == 2
    assert words in ran.err
    assert ran.out == ""


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"1 2\n\x00\x01", "binary"),
        (b"item,count\n1,5\n2,x\n", "line 3"),
        (b"1 2\n3,4\n", "line 2"),
    ],
)
def test_bad_data(cli, here: Path, content: bytes, words: str) -> None:
    (here / "bad.dat").write_bytes(content)
    ran = cli("run", "sparse_vector", "--data", "bad.dat", *SVT)
    assert ran.code == 2
    assert "bad.dat" in ran.err
    assert words in ran.err


@pytest.fixture
def real_data() -> Path:
    folder = os.environ.get("ALIGNKIT_DATA")
    if not folder:
        pytest.skip("ALIGNKIT_DATA is not set: it names the folder of the real data sets")
    return Path(folder)


def test_real_items_of_t10i4d100k(cli, here: Path, real_data: Path) -> None:
    ran = cli("run", "sparse_vector_with_gap", "--data", real_data / "T10I4D100K.dat.gz", "--items", "0-999",
              "--T", "4000", "--k", "5", "--eps", "0.7", "--seed", "1", "--format", "json")  # fmt: skip
    found = answers(ran)
    assert len(found) == 5
    for answer in found.values():
        assert answer["estimate"] == pytest.approx(answer["gap"] + 4000)
    # the true count of item 120 is 4973, and the noise of a gap has a scale of 29 and 3
    assert found["120"]["estimate"] == pytest.approx(4973, abs=600)


def test_real_items_of_kosarak(cli, here: Path, real_data: Path) -> None:
    ran = cli("run", "noisy_max_with_gap", "--data", real_data / "kosarak_first_36k.dat.gz",
              "--eps", "0.7", "--format", "json")  # fmt: skip
    assert list(answers(ran)) == ["6"]


def test_a_file_with_one_mechanism_names_it(cli, mine: Path, baskets: Path) -> None:
    ran = cli("run", "mine.py", "--data", "baskets.dat", "--items", "1-3", "--T", "150", "--k", "1", "--eps", "1")
    assert ran.code == 0
    assert ran.out.startswith("mine    T = 150, k = 1, eps = 1")
