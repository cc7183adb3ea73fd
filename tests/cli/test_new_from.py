"""``alignkit new NAME --from MECHANISM``: a proof that was found, or a skeleton that says why there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

MINE = '''\
from alignkit import BELOW, Count, Epsilon, Noise, Queries, Query, Real, mechanism


@mechanism
def noisy_count(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q + eta


@mechanism
def without_noise(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        if q_i + eta_i >= T + eta:
            yield q_i
            count = count + 1
        else:
            yield BELOW
        if count >= k:
            break
'''


@pytest.fixture
def mechanisms(here: Path) -> Path:
    path = here / "mechanisms.py"
    path.write_text(MINE)
    return path


def test_what_is_written_is_proved(cli, mechanisms: Path) -> None:
    ran = cli("new", "my_proof", "--from", "mechanisms.py::noisy_count")
    assert ran.code == 0
    assert "alignkit check my_proof.py" in ran.out
    text = Path("my_proof.py").read_text()
    assert "from mechanisms import noisy_count\n" in text
    assert '@alignment(noisy_count, epsilon="eps")\n' in text
    assert '    """Moves eta by q - q_, so that `return q + eta` gives the same number."""\n' in text
    assert cli("check", "my_proof.py").code == 0


def test_an_adjacency_of_a_mechanism_of_the_catalogue(cli, here: Path) -> None:
    assert cli("new", "my_proof", "--from", "noisy_max", "--adjacency", "monotone").code == 0
    ran = cli("check", "my_proof.py")
    assert ran.code == 0
    assert "claim: (eps / 2)-DP" in ran.out


def test_where_nothing_is_found_a_skeleton_says_why(cli, mechanisms: Path) -> None:
    ran = cli("new", "my_proof", "--from", "mechanisms.py::without_noise")
    assert ran.code == 3
    reason = ran.out.partition("no alignment was found: ")[2].partition("\n")[0]
    assert reason
    assert "wrote my_proof.py, a skeleton; complete it" in ran.out
    text = Path("my_proof.py").read_text()
    comment = " ".join(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))
    assert f"No alignment was found: {reason}. Say by how much each draw must move" in comment
    assert "    return H.shift(\n        eta=0,\n        eta_i=[0 for i in range(len(q))],\n    )\n" in text
    checked = cli("check", "my_proof.py")
    assert checked.code == 1
    assert "REFUTED  without_noise / phi" in checked.out


def test_the_proof_stands_beside_the_mechanism_that_it_imports(cli, mechanisms: Path) -> None:
    folder = mechanisms.parent / "work"
    folder.mkdir()
    mechanisms.rename(folder / "mechanisms.py")
    assert cli("new", "my_proof", "--from", "work/mechanisms.py::noisy_count").code == 0
    assert cli("check", "work/my_proof.py").code == 0
    elsewhere = cli("new", "other", "--from", "work/mechanisms.py::noisy_count", "--into", ".")
    assert elsewhere.code == 2
    assert "must stand beside it" in elsewhere.err
    assert not Path("other.py").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("my_proof", "--from", "mechanisms.py"), "has 2 mechanisms; name one of them"),
        (("my_proof", "--from", "empty.py"), "empty.py has no mechanism"),
        (("my_proof", "--from", "mechanisms.py::noisy"), "noisy"),
        (("my_proof", "--from", "nothing.py::noisy_count"), "nothing.py"),
        (("mechanisms", "--from", "mechanisms.py::noisy_count"), "exists already"),
        (("my_proof", "--adjacency", "one"), "--adjacency goes with --from"),
        (("my_proof", "--timeout", "5"), "--timeout goes with --from"),
    ],
)
def test_what_is_refused(cli, mechanisms: Path, arguments: tuple[str, ...], words: str) -> None:
    mechanisms.with_name("empty.py").write_text("")
    ran = cli("new", *arguments)
    assert ran.code == 2
    assert words in ran.err
    assert not Path("my_proof.py").exists()
    assert mechanisms.read_text() == MINE
