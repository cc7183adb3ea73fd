"""`alignkit check --changed-since`: which alignments git and the imports leave in doubt."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from alignkit.cli.changed_alignments import ChangedAlignments
from alignkit.cli.repository import changes_since
from alignkit.errors import InputError

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "state")


@pytest.fixture
def repository(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    git(here, "init", "-q")
    git(here, "config", "user.name", "A Tester")
    git(here, "config", "user.email", "tester@example.org")
    return here


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def affected(folder: Path, name: str) -> bool:
    return ChangedAlignments(changes_since("HEAD", folder)).affects([str(folder / name)])


@pytest.mark.parametrize(
    ("statement", "changed"),
    [
        ("import helper", "proofs/helper.py"),
        ("import lib.part", "lib/part.py"),
        ("import lib.part", "lib/__init__.py"),
        ("from lib import part", "lib/part.py"),
        ("from lib.part import name", "lib/part.py"),
        ("from lib import *", "lib/part.py"),
        ("from .helper import name", "proofs/helper.py"),
        ("from . import helper", "proofs/helper.py"),
        ("from ..lib import part", "lib/part.py"),
        ("if False:\n    import helper", "proofs/helper.py"),
        ("def f():\n    import helper", "proofs/helper.py"),
        ("import inner.deep", "src/inner/deep.py"),
        ("import lib.mapped", "elsewhere/mapped.py"),
        ("import lib.chain", "proofs/helper.py"),
        ("import importlib\nimportlib.import_module('lib.part')", "lib/part.py"),
        ("import importlib\nimportlib.import_module('li' + 'b')", "src/inner/deep.py"),
        ("from importlib import import_module as load\nload('x')", "src/inner/deep.py"),
        ("exec('import ' + 'helper')", "proofs/helper.py"),
        ("def f(:", "src/inner/deep.py"),
    ],
)
def test_an_import_is_followed(repository: Path, statement: str, changed: str) -> None:
    files = {
        "proofs/phi.py": statement + "\n",
        "proofs/helper.py": "",
        "lib/__init__.py": "",
        "lib/part.py": "",
        "lib/chain.py": "from .link import *\n",
        "lib/link.py": "import proofs.helper\n",
        "src/inner/deep.py": "",
        "elsewhere/mapped.py": "",
        "unrelated.py": "",
    }
    write(repository, files)
    commit(repository)
    assert not affected(repository, "proofs/phi.py")
    write(repository, {"notes.md": "new\n"})
    assert not affected(repository, "proofs/phi.py")
    write(repository, {changed: "changed = 1\n"})
    assert affected(repository, "proofs/phi.py")


def test_what_is_not_imported_does_not_count(repository: Path) -> None:
    write(repository, {"phi.py": "import os.path, numpy.linalg\nfrom used import x\n", "used.py": "", "linalg.py": ""})
    write(repository, {"sub/other.py": ""})
    commit(repository)
    write(repository, {"linalg.py": "y = 1\n", "sub/other.py": "y = 1\n", "new.py": ""})
    assert not affected(repository, "phi.py")


def test_untracked_deleted_renamed_ignored_and_linked_modules(repository: Path, tmp_path: Path) -> None:
    write(repository, {f"{name}.py": f"import {name}_used\n" for name in "abcdef"})
    write(repository, {f"{name}_used.py": f"name = '{name}'\n" for name in "bcef"})
    write(repository, {".gitignore": "d_used.py\n", "real.py": "x = 1\n"})
    (repository / "f_used.py").unlink()
    (repository / "f_used.py").symlink_to("real.py")
    commit(repository)
    write(repository, {"a_used.py": "", "d_used.py": "", "real.py": "x = 2\n"})
    (repository / "b_used.py").unlink()
    git(repository, "mv", "c_used.py", "c_moved.py")
    assert [affected(repository, f"{name}.py") for name in "abcdef"] == [True, True, True, True, False, True]


def test_a_change_that_git_is_told_not_to_see(repository: Path) -> None:
    write(repository, {"phi.py": "x = 1\n"})
    commit(repository)
    git(repository, "update-index", "--assume-unchanged", "phi.py")
    write(repository, {"phi.py": "x = 2\n"})
    assert affected(repository, "phi.py")


def test_a_file_outside_the_repository_counts_as_changed(repository: Path, tmp_path_factory) -> None:
    commit(repository)
    assert affected(repository, str(tmp_path_factory.mktemp("outside") / "phi.py"))


def test_names_of_any_characters(repository: Path) -> None:
    names = ["a b.py", "quote'\".py", "line\nbreak.py", "per%cent:é.py"]
    write(repository, dict.fromkeys(names, "x = 1\n"))
    commit(repository)
    assert [affected(repository, name) for name in names] == [False] * 4
    write(repository, dict.fromkeys(names[:3], "x = 2\n"))
    git(repository, "mv", names[3], "moved\n.py")
    assert [affected(repository, name) for name in [*names[:3], "moved\n.py"]] == [True] * 4


def test_only_what_changed_is_checked(cli, repository: Path, mine: Path, broken: Path) -> None:
    commit(repository)
    ran = cli("check", ".", "--changed-since", "HEAD")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "alignkit: since HEAD, no alignment has changed; 2 alignments left out\n"
    assert cli("check", ".", "--changed-since", "HEAD", "-q").err == ""
    mine.write_text(mine.read_text() + "\n# a remark\n")
    ran = cli("check", ".", "--changed-since", "HEAD", "--format", "json")
    assert ran.code == 0
    assert [result["mechanism"] for result in json.loads(ran.out)["results"]] == ["mine"]
    assert "since HEAD, 1 of 2 alignments may have changed" in ran.err


def test_a_file_that_cannot_be_read_is_not_said_to_be_unchanged(cli, repository: Path, mine: Path) -> None:
    commit(repository)
    (repository / "torn.py").write_text(mine.read_text() + "\nthis is no Python\n")
    ran = cli("check", ".", "--changed-since", "HEAD")
    assert ran.code == 2
    assert "since HEAD, no alignment that could be read has changed; 1 alignment left out" in ran.err


def test_deleted_and_renamed_files_of_alignments_are_listed(cli, repository: Path, mine: Path, broken: Path) -> None:
    write(repository, {"plain.py": "x = 1\n", "a\nb.py": mine.read_text().replace("mine", "third")})
    commit(repository)
    (repository / "plain.py").unlink()
    (repository / "a\nb.py").unlink()
    git(repository, "mv", "broken.py", "kept.py")
    ran = cli("check", "mine.py", "--changed-since", "HEAD")
    assert ran.code == 0
    assert ran.err.splitlines() == [
        "alignkit: since HEAD, deleted: 'a\\nb.py'",
        "alignkit: since HEAD, renamed: broken.py to kept.py",
        "alignkit: since HEAD, no alignment has changed; 1 alignment left out",
    ]


@pytest.mark.parametrize("revision", ["nowhere", "", "--output=x", "HEAD:mine.py", "a b"])
def test_a_revision_that_there_is_not(cli, repository: Path, mine: Path, revision: str) -> None:
    commit(repository)
    ran = cli("check", "mine.py", f"--changed-since={revision}")
    assert ran.code == 2
    assert ran.out == ""
    assert len(ran.err.splitlines()) == 1
    assert "--changed-since" in ran.err
    assert sorted(os.listdir(repository)) == [".git", "mine.py"]


def test_a_shallow_clone_says_that_it_is_one(repository: Path, tmp_path_factory) -> None:
    commit(repository)
    first = subprocess.run(["git", "rev-parse", "HEAD"], cwd=repository, capture_output=True, text=True).stdout.strip()
    commit(repository)
    clone = tmp_path_factory.mktemp("clones") / "clone"
    git(repository, "clone", "-q", "--depth", "1", repository.as_uri(), str(clone))
    with pytest.raises(InputError, match="no commit of this repository; the clone is shallow"):
        changes_since(first, clone)


def test_no_repository_and_no_git(cli, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(mine.parents[1]))
    ran = cli("check", "mine.py", "--changed-since", "HEAD")
    assert ran.code == 2
    assert ran.err.startswith("alignkit: --changed-since needs a git repository: ")
    monkeypatch.setenv("PATH", str(mine.parent))
    ran = cli("check", "mine.py", "--changed-since", "HEAD")
    assert (ran.code, ran.err) == (2, "alignkit: --changed-since needs git, which is not installed\n")


MECHANISM = """\
from alignkit import Epsilon, Noise, Query, alignment, mechanism


def other(x):
    return x


@mechanism
def noisy_count(q: Query, eps: Epsilon, noise: Noise):
    scale = 1 / eps
    eta = noise.laplace(scale)
    return q + eta
"""

ALIGNMENT = """\
@alignment(noisy_count, epsilon="eps")
def phi(q, q_, H):
    return H.shift(eta=q - q_)
"""

LESS_NOISE = ("scale = 1 / eps", "scale = 1 / (2 * eps)")


def annotated(cli, repository: Path, before: dict[str, str], after: dict[str, str], kind: str) -> tuple[str, int]:
    """Where a refutation is placed, with the changes since a commit."""
    write(repository, before)
    commit(repository)
    write(repository, after)
    ran = cli("check", ".", "--changed-since", "HEAD", "--format", kind, "-q")
    assert ran.code == 1
    if kind == "github":
        (found,) = re.findall(r"^::error file=([^,]+),line=(\d+),", ran.out, re.MULTILINE)
        return found[0], int(found[1])
    (result,) = json.loads(ran.out)["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    return place["artifactLocation"]["uri"], place["region"]["startLine"]


def line_of(text: str, words: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if words in line)


@pytest.mark.parametrize("kind", ["github", "sarif"])
def test_a_refutation_is_placed_where_the_mechanism_changed(cli, repository: Path, kind: str) -> None:
    text = f"{MECHANISM}\n\n{ALIGNMENT}"
    changed = text.replace(*LESS_NOISE)
    place = annotated(cli, repository, {"mine.py": text}, {"mine.py": changed}, kind)
    assert place == ("mine.py", line_of(changed, "2 * eps"))


def test_the_mechanism_may_stand_in_another_file(cli, repository: Path) -> None:
    proof = f"from alignkit import alignment\nfrom counts import noisy_count\n\n\n{ALIGNMENT}"
    before = {"counts.py": MECHANISM, "proof.py": proof}
    after = {"counts.py": MECHANISM.replace(*LESS_NOISE)}
    assert annotated(cli, repository, before, after, "github") == ("counts.py", line_of(MECHANISM, "scale ="))


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("eta=q - q_", "eta=0"),
        lambda text: text.replace(*LESS_NOISE).replace('epsilon="eps"', 'epsilon="eps "'),
    ],
    ids=["the alignment alone", "both"],
)
def test_where_the_alignment_changed_its_own_line_is_named(cli, repository: Path, edit: Any) -> None:
    text = f"{MECHANISM}\n\n{ALIGNMENT}"
    file, line = annotated(cli, repository, {"mine.py": text}, {"mine.py": edit(text)}, "github")
    assert file == "mine.py"
    assert line == line_of(edit(text), "return H.shift") or line == line_of(text, "return q + eta")


def test_where_only_other_lines_changed_nothing_moves(cli, repository: Path) -> None:
    text = f"{MECHANISM.replace(*LESS_NOISE)}\n\n{ALIGNMENT}"
    changed = text.replace("    return x\n", "    return 2 * x\n")
    place = annotated(cli, repository, {"mine.py": text}, {"mine.py": changed}, "github")
    assert place == ("mine.py", line_of(text, "return H.shift"))


def test_lines_that_were_taken_away_count_as_the_line_before_them(cli, repository: Path) -> None:
    text = f"{MECHANISM}\n\n{ALIGNMENT}".replace("    return q + eta", "    q = q / 2\n    return q + eta")
    text = text.replace("eta=q - q_", "eta=(q - q_) / 2").replace('epsilon="eps"', 'epsilon="eps / 2"')
    changed = text.replace("    q = q / 2\n", "")
    place = annotated(cli, repository, {"mine.py": text}, {"mine.py": changed}, "github")
    assert place == ("mine.py", line_of(text, "noise.laplace"))


SECOND = ALIGNMENT.replace("phi", "psi")
REFUTED = ALIGNMENT.replace("phi", "cheap").replace('"eps")', '"eps / 2", expect="refuted")')
BOTH = ["proofs/counts.py::phi", "proofs/counts.py::psi"]
PROOFS = f"{MECHANISM}\n\n{ALIGNMENT}\n\n{SECOND}\n\n{REFUTED}"


def lost(cli, repository: Path, after: dict[str, str | None], *targets: str) -> tuple[int, list[str]]:
    """The exit code after a change, and what is said to be lost; None deletes a file."""
    write(repository, {"proofs/counts.py": PROOFS, "proofs/other.py": PROOFS})
    commit(repository)
    for name, text in after.items():
        (repository / name).unlink() if text is None else write(repository, {name: text})
    ran = cli("check", *(targets or ("proofs",)), "--changed-since", "HEAD", "--format", "json")
    return ran.code, [f"{each['target']} {each['message']}" for each in json.loads(ran.out)["lost"]]


def test_a_proof_that_a_change_expects_no_more_is_lost(cli, repository: Path) -> None:
    expected = ALIGNMENT.replace('"eps")', '"eps", expect="refuted")')
    larger = SECOND.replace('"eps"', '"2 * eps"')
    weaker = PROOFS.replace(*LESS_NOISE).replace(ALIGNMENT, expected).replace(SECOND, larger)
    code, found = lost(cli, repository, {"proofs/counts.py": weaker})
    said = "it is expected to be refuted, and at HEAD it was to be proved"
    assert (code, found) == (1, [f"proofs/counts.py::phi {said}"])


def test_an_alignment_that_a_change_takes_out_is_lost(cli, repository: Path) -> None:
    code, found = lost(cli, repository, {"proofs/counts.py": PROOFS.replace(SECOND, "")})
    assert (code, found) == (1, ["proofs/counts.py::psi it is gone, and at HEAD it was to be proved"])


def test_all_alignments_of_a_file_may_be_lost(cli, repository: Path) -> None:
    code, found = lost(cli, repository, {"proofs/counts.py": MECHANISM})
    assert (code, [place.partition(" ")[0] for place in found]) == (1, BOTH)


def test_a_file_that_a_change_deletes_is_lost(cli, repository: Path) -> None:
    code, found = lost(cli, repository, {"proofs/counts.py": None})
    assert (code, [place.partition(" ")[0] for place in found]) == (1, BOTH)


@pytest.mark.parametrize(
    ("after", "targets"),
    [
        ({"proofs/counts.py": PROOFS.replace(REFUTED, "")}, ()),
        ({"proofs/counts.py": PROOFS.replace("q - q_", "(q - q_)")}, ()),
        ({"proofs/counts.py": PROOFS.replace(SECOND, "")}, ("proofs/other.py",)),
        ({"proofs/counts.py": PROOFS.replace(SECOND, "")}, ("proofs/counts.py::phi",)),
        ({"proofs/counts.py": None}, ("proofs/other.py::noisy_count",)),
    ],
    ids=["a refutation", "another shift", "another file", "another alignment", "a file of no target"],
)
def test_what_is_not_lost(cli, repository: Path, after: dict[str, str | None], targets: tuple[str, ...]) -> None:
    assert lost(cli, repository, after, *targets) == (0, [])


def test_a_file_that_is_renamed_among_the_targets_is_not_lost(cli, repository: Path) -> None:
    write(repository, {"proofs/counts.py": PROOFS})
    commit(repository)
    git(repository, "mv", "proofs/counts.py", "proofs/moved.py")
    assert cli("check", "proofs", "--changed-since", "HEAD").code == 0
    write(repository, {"proofs/other.py": PROOFS})
    git(repository, "mv", "proofs/moved.py", "moved.py")
    ran = cli("check", "proofs", "--changed-since", "HEAD", "-q")
    assert ran.code == 1
    assert ran.out == (
        "lost\n"
        "  proofs/counts.py::phi: it is gone, and at HEAD it was to be proved\n"
        "  proofs/counts.py::psi: it is gone, and at HEAD it was to be proved\n"
    )


def test_of_a_file_that_cannot_be_imported_nothing_is_said_to_be_lost(cli, repository: Path) -> None:
    assert lost(cli, repository, {"proofs/counts.py": "1 / 0\n"}) == (2, [])


def test_what_is_lost_is_shown_to_ci_systems(cli, repository: Path) -> None:
    write(repository, {"mine.py": PROOFS})
    commit(repository)
    write(repository, {"mine.py": PROOFS.replace(SECOND, "")})
    ran = cli("check", "mine.py", "--changed-since", "HEAD", "--format", "github")
    assert ran.code == 1
    assert "mine.py::psi" in ran.out.replace("%3A", ":")
    assert "it is gone, and at HEAD it was to be proved" in ran.out
