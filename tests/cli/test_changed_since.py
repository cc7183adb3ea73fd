"""`alignkit check --changed-since`: which alignments git and the imports leave in doubt."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

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
