"""``alignkit new --from-code FUNCTION``: a draft that the function implements, or why there is none."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

RELEASED = '''\
import numpy as np


def select(scores, epsilon):
    return np.argmax(scores + np.random.laplace(scale=2 / epsilon, size=len(scores)))


def whole(value, epsilon):
    return int(value + np.random.laplace(scale=1 / epsilon))


def normal(value, epsilon):
    return value + np.random.normal(scale=1 / epsilon)


def tries(q, T, eps):
    for i in range(1000):
        first = np.random.laplace(scale=1 / eps)
        second = np.random.laplace(scale=1 / eps)
        third = np.random.laplace(scale=1 / eps)
        fourth = np.random.laplace(scale=1 / eps)
        if q + first + second + third + fourth >= T:
            return i
    return None


def two(a, b, epsilon):
    return a + b + np.random.laplace(scale=1 / epsilon)


def slow(x, epsilon):
    assert sum(range(10**7)) > 0
    return x + np.random.laplace(scale=1 / epsilon)


LIMIT = 3
'''


@pytest.fixture
def released(here: Path) -> Path:
    path = here / "released_code.py"
    path.write_text(RELEASED)
    return path


def test_the_draft_is_printed(cli, released: Path) -> None:
    ran = cli("new", "--from-code", "released_code:select")
    assert ran.code == 0
    assert ran.out.startswith('"""A draft of a mechanism, made from the source of released_code:select."""\n')
    assert "from released_code import select as select_that_ships\n" in ran.out
    assert "    eta = [noise.laplace(2 / epsilon) for score in scores]\n" in ran.out
    assert sorted(path.name for path in released.parent.glob("*.py")) == ["released_code.py"]


def test_a_draft_that_is_written_is_a_mechanism_with_its_claim(
    cli, released: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = cli("new", "my_draft", "--from-code", "released_code.py::select")
    assert ran.code == 0
    assert "wrote my_draft.py, a draft; released_code:select implements it; now: alignkit find my_draft.py" in ran.out
    assert cli("find", "my_draft.py", "--write", "my_proof.py").code == 0
    assert cli("check", "my_proof.py").code == 0
    monkeypatch.syspath_prepend(str(released.parent))
    import my_draft  # type: ignore[import-not-found]

    assert my_draft.claim.function is sys.modules["released_code"].select
    assert my_draft.claim.mechanism is my_draft.my_draft
    assert my_draft.claim.check(n=2).implements


def test_where_they_differ_the_difference_is_told_and_nothing_is_written(cli, released: Path) -> None:
    ran = cli("new", "my_draft", "--from-code", "released_code:whole")
    assert ran.code == 3
    assert ran.out.startswith("no draft: what the source of released_code:whole gives differs from the function: ")
    told = r"\n  for value = .*, epsilon = .*\n  and the noise laplace.* = .*,\n"
    found = re.search(told + r"  the function gives (.*), and the draft (.*)\n", ran.out)
    assert found is not None
    assert 0 < abs(int(found[1]) - float(found[2])) < 1
    assert "@mechanism" not in ran.out
    assert not Path("my_draft.py").exists()


def test_a_comparison_that_was_cut_or_ended_is_undecided(cli, released: Path) -> None:
    ran = cli("new", "--from-code", "released_code:tries", "--private", "q", "--timeout", "300")
    assert ran.code == 3
    assert ":tries: cut, for all real inputs" in ran.out
    assert "# Longer runs were not followed: more than" in ran.out
    assert "cut: no difference on the runs that were followed to their end" in ran.err
    ran = cli("new", "my_draft", "--from-code", "released_code:slow", "--timeout", "0.5")
    assert ran.code == 3
    assert ran.out == "no draft: the comparison was not over after 0.5 s; --timeout allows more\n"
    assert not Path("my_draft.py").exists()


def test_what_is_not_translated_names_its_line(cli, released: Path) -> None:
    ran = cli("new", "--from-code", "released_code:normal")
    assert ran.code == 2
    assert ran.out == ""
    assert "released_code.py:13:20: no draft: the sampler `np.random.normal` is not translated" in ran.err
    assert "normal noise is not in the language" in ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--from-code", "released_code:two"), "a or b may be private; name it with --private NAME"),
        (("--from-code", "released_code:nothing"), "released_code has no function nothing"),
        (("--from-code", "released_code:LIMIT"), "LIMIT in released_code is no function"),
        (("--from-code", "released_code"), "write package.module:function"),
        (("--from-code", "unreleased_code:two"), "there is no module unreleased_code"),
        (("--from-code", "unreleased_code.py::two"), "there is no file unreleased_code.py"),
        (("--from-code", "released_code:two", "--from", "noisy_max"), "do not go together"),
        (("--from-code", "released_code:two", "--into", "."), "--into goes with NAME"),
        (("--from-code", "released_code:two", "--adjacency", "one"), "--adjacency goes with --from"),
        (("mine", "--private", "a"), "--private goes with --from-code"),
        ((), "the following arguments are required: NAME"),
    ],
)
def test_what_is_refused(cli, released: Path, arguments: tuple[str, ...], words: str) -> None:
    ran = cli("new", *arguments)
    assert ran.code == 2
    assert words in ran.err
    assert not Path("mine.py").exists()
