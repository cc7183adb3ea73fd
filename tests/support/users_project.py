"""A user's project: a git repository with a remote, and a virtual environment in which only pip is installed.

What alignkit depends on is linked into the environment, so that pip needs no network.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

_GIT_CONFIG = "[user]\n\tname = A User\n\temail = user@example.org\n"


@dataclass(frozen=True)
class Printed:
    """What a command printed, and its exit code."""

    text: str
    code: int


@dataclass(frozen=True)
class UsersProject:
    """The top folder of the repository, and the variables that its commands are run with."""

    top: Path
    variables: dict[str, str]

    def run(self, command: str, **variables: str) -> Printed:
        """Have the shell run a command in the top folder."""
        environment = {**self.variables, **variables}
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.top,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return Printed(done.stdout, done.returncode)


def users_project(folder: Path) -> UsersProject:
    """Make the project ``project`` in a folder, with an empty remote ``origin``."""
    top, home, environment = folder / "project", folder / "home", folder / "environment"
    for path in (top, home):
        path.mkdir()
    (home / "gitconfig").write_text(_GIT_CONFIG)
    scripts = _environment(environment)
    dropped = ("PYTHON", "GIT_", "PIP_", "PRE_COMMIT", "ALIGNKIT", "VIRTUAL_ENV", "COLUMNS", "NO_COLOR", "FORCE_COLOR")
    project = UsersProject(
        top,
        {
            **{name: value for name, value in os.environ.items() if not name.startswith(dropped)},
            "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "PRE_COMMIT_HOME": str(home / "pre-commit"),
            "GIT_CONFIG_GLOBAL": str(home / "gitconfig"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "PIP_NO_INDEX": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_ROOT_USER_ACTION": "ignore",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip reads 0 as: without isolation
            "ALIGNKIT_CACHE_DIR": str(home / "alignkit"),
            # Python tells a compiled file from a newer source by size and second, and edits here are faster than that.
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )
    made = project.run(
        f"git init --quiet --bare --initial-branch main '{folder}/origin.git' && git init --quiet --initial-branch main"
        f" && git remote add origin '{folder}/origin.git'"
    )
    assert made.code == 0, made.text
    return project


def _environment(folder: Path) -> Path:
    """Make an environment with links to all that is installed here but alignkit; return its folder of scripts."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    names = {"base": str(folder), "platbase": str(folder)}
    packages = Path(sysconfig.get_path("purelib", scheme="venv", vars=names))
    scripts = Path(sysconfig.get_path("scripts", scheme="venv", vars=names))
    linked = folder / "linked"
    linked.mkdir()
    for place in map(Path, sys.path):
        if place.name in ("site-packages", "dist-packages"):
            for path in place.iterdir():
                own = path.name.lower().startswith(("alignkit", "__editable__")) or path.suffix == ".pth"
                if not own and not os.path.lexists(linked / path.name):
                    (linked / path.name).symlink_to(path)
    (packages / "linked.pth").write_text(f"{linked}\n")
    for name, module in (("pip", "pip"), ("pre-commit", "pre_commit")):
        script = scripts / name
        script.write_text(f"#!/bin/sh\nexec '{scripts}/python' -m {module} \"$@\"\n")
        script.chmod(0o755)
    return scripts
