"""What a target names, and what is said of a target that names nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from alignkit import Alignment, LanguageError, Mechanism, TargetError, load
from alignkit.catalogue import collect, find_alignments, mechanisms, mechanisms_in


def names(*targets: str) -> list[str]:
    return [f"{a.mechanism.name}.{a.name}" for a in find_alignments(targets)]


def message(*targets: str) -> str:
    with pytest.raises(TargetError) as caught:
        find_alignments(targets)
    assert caught.value.exit_code == 2
    return str(caught.value)


def test_nothing_is_the_whole_catalogue() -> None:
    found = find_alignments([])
    # Samplers are compared with one another, not proved; in released code some are.
    samplers = ("discrete_sampling.py", "discrete_simulation.py")
    own = {m.name for m in mechanisms() if not m.file.endswith(samplers)}
    released = {m.name for m in mechanisms() if "in_the_wild" in m.file}
    assert own - released <= {a.mechanism.name for a in found} <= own
    assert {a.expect for a in found} == {"proved", "refuted", "undecided"}


def test_the_name_of_a_mechanism_or_of_a_proof_module() -> None:
    assert set(names("noisy_max")) == {"noisy_max.phi", "noisy_max.monotone_phi"}
    assert set(names("laplace")) == {
        "laplace_mechanism.phi",
        "noisy_threshold_test.threshold_phi",
        "noisy_threshold_test.threshold_phi_as_printed",
    }
    assert "noisy_max_with_gap.gap_phi" in names("alignkit.proofs.noisy_max")
    assert names("noisy_max::gap_phi") == ["noisy_max_with_gap.gap_phi"]
    assert set(names("noisy_max::noisy_max_with_gap")) == {
        "noisy_max_with_gap.gap_phi",
        "noisy_max_with_gap.monotone_gap_phi",
    }


def test_a_file_and_what_is_in_it(mine: Path) -> None:
    assert names("mine.py") == names("mine.py::phi") == names("mine.py::mine") == ["mine.phi"]
    assert names(str(mine)) == names("mine.py", "mine.py", str(mine)) == ["mine.phi"]


def test_an_imported_alignment_is_listed_where_it_is_defined(mine: Path, here: Path) -> None:
    other = mine.read_text().partition("# An alignment says")[2].partition("\n@alignment")[2]
    text = "from alignkit import BELOW, alignment\nfrom mine import mine, phi\n@alignment" + other
    (here / "other.py").write_text(text.replace("def phi", "def psi"))
    assert names("other.py") == ["mine.psi"]
    assert names(".") == ["mine.phi", "mine.psi"]
    assert names("other.py::phi") == ["mine.phi"]


def test_an_alignment_that_a_function_makes_is_not_lost(mine: Path, here: Path) -> None:
    (here / "maker.py").write_text(
        "from alignkit import alignment\n"
        "def make(mechanism):\n"
        '    @alignment(mechanism, epsilon="eps", expect="refuted")\n'
        "    def made(H):\n"
        "        return H.shift(eta=1)\n"
        "    return made\n"
    )
    (here / "user.py").write_text("from maker import make\nfrom mine import mine\npsi = make(mine)\n")
    assert names("user.py") == ["mine.made"]
    assert names(".") == ["mine.phi", "mine.made"]


def test_a_folder_without_what_is_hidden_or_installed(mine: Path, here: Path) -> None:
    for folder in (".hidden", "__pycache__", ".venv", "env/lib", "sub"):
        (here / folder).mkdir(parents=True)
        (here / folder / "trap.py").write_text("raise RuntimeError\n")
    (here / "env" / "pyvenv.cfg").touch()
    assert [p.target for p in collect(["."]).problems] == ["sub/trap.py"]


def test_load() -> None:
    assert isinstance(load("noisy_max"), Mechanism)
    assert isinstance(load("alignkit.mechanisms.noisy_max.noisy_max"), Mechanism)
    assert isinstance(load("alignkit.proofs.noisy_max.phi"), Alignment)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("noisy_mex", "did you mean noisy_max"),
        ("mone.py", "mone.py does not exist; did you mean mine.py"),
        ("no/mine.py", "there is no folder no"),
        ("mine.py::ph", "mine.py::ph does not exist; did you mean phi?"),
        ("mine.py::BELOW", "neither a mechanism nor an alignment; the file has mine, phi"),
        (".::phi", ". is a folder; name a file in it"),
        ("", "a target is empty"),
        ("json", "json has no alignment to check"),
        ("no.such.module", "no.such.module is not a file or folder here"),
        ("bare.py", "bare.py has no alignment to check"),
        ("bare", "no alignment"),
        ("alone.py::alone", "has no alignment of alone"),
    ],
)
def test_what_matches_nothing(mine: Path, here: Path, target: str, words: str) -> None:
    (here / "bare.py").write_text("x = 1\n")
    text = mine.read_text().partition("# An alignment says")[0]
    (here / "alone.py").write_text(text.replace("mine", "alone"))
    (here / "folder").mkdir()
    assert words in message("folder" if target == "bare" else target)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = 1\ndef f(:\n", "bad.py:2:7: Python cannot read this"),
        ("import mine\nimport not_there\n", "bad.py:2: the file cannot be imported: ModuleNotFoundError"),
        ("import mine\nmine.no\n", "bad.py:2: the file cannot be imported: AttributeError"),
        ("\n\n1 / 0\n", "bad.py:3: the file cannot be imported: ZeroDivisionError"),
        ("import sys\nsys.exit(0)\n", "bad.py:2: the file ends Python"),
        ("import helper\n", "raised in"),
        ("\0", "bad.py"),
        (
            "from alignkit import alignment\nfrom mine import mine\n"
            '@alignment(mine, epsilon="eps", adjacency="every")\ndef phi(H):\n    return H.shift(eta=1)\n',
            "bad.py:3: adjacency must be one of each, monotone, one, l1, few(l), not 'every'",
        ),
    ],
)
def test_a_file_that_cannot_be_imported(mine: Path, here: Path, source: str, words: str) -> None:
    (here / "bad.py").write_text(source)
    (here / "helper.py").write_text("\n[][0]\n")
    assert words in message("bad.py")


BAD_PROGRAMS = {
    "while True:\n        yield q[0]": "`while`",
    "try:\n        yield q[0]\n    except ValueError:\n        pass": "`try`",
    "global x\n    yield q[0]": "`global`",
    "yield q[0] + random.random()": "random",
    "yield q[0] + secret(eps)": "secret",
}


@pytest.mark.parametrize(("body", "word"), BAD_PROGRAMS.items())
def test_a_program_outside_the_language_is_shown_with_its_caret(cli, here: Path, body: str, word: str) -> None:
    (here / "bad.py").write_text(
        "import random\nfrom alignkit import Epsilon, Noise, Queries, mechanism\n"
        f"@mechanism\ndef m(q: Queries, eps: Epsilon, noise: Noise):\n    {body}\n"
    )
    with pytest.raises(LanguageError):
        find_alignments(["bad.py"])
    ran = cli("check", "bad.py")
    assert ran.code == 2
    assert "bad.py:5:" in ran.err
    assert word in ran.err
    assert "^" in ran.err


def test_an_alignment_that_names_other_noise(cli, mine: Path) -> None:
    mine.write_text(mine.read_text().replace("eta=1,", "nu=1,"))
    ran = cli("check", "mine.py")
    assert ran.code == 2
    assert "mine draws no `nu`" in ran.err
    assert "it draws eta, eta_i" in ran.err


def test_what_a_file_prints_does_not_mix_with_the_report(cli, mine: Path) -> None:
    mine.write_text("print('hello')\n" + mine.read_text())
    ran = cli("check", "mine.py", "--format", "json")
    assert ran.code == 0
    assert ran.out.startswith("{")
    assert "hello" in ran.err


def test_what_was_refused_leaves_the_rest_of_its_file(mine: Path) -> None:
    """A decorator may keep the error for whoever asks for what it refused, for its mechanism or for the whole file."""
    text = """
from alignkit import LanguageError, mechanism
from alignkit.running.module_members import Refused

other = mechanism(mine.python)
refused = Refused(LanguageError("to be filled in", file=__file__, line=1), of=mine)
"""
    mine.write_text(mine.read_text() + text)
    assert names("mine.py::phi") == ["mine.phi"]
    assert load("mine.py::other").name == "mine"
    for target in ("mine.py", "mine.py::mine", "mine.py::refused", "."):
        [problem] = collect([target]).problems
        assert str(problem.error).endswith("mine.py:1:1: to be filled in")
    for ask in (load, mechanisms_in):
        with pytest.raises(LanguageError, match="to be filled in"):
            ask("mine.py::refused" if ask is load else "mine.py")
