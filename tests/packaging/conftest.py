"""The sources that wheels are built from, and a project in which docs/gate.md was followed."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from support.pages import before
from support.sources import copy_sources
from support.users_project import Printed, UsersProject, users_project
from support.walkthrough import PageCommand, PageFile, PagePatch, steps


@dataclass(frozen=True)
class GatedProject:
    """The project, and what each command of the page printed there."""

    project: UsersProject
    printed: list[tuple[PageCommand, Printed]]


@pytest.fixture(scope="session")
def gated(tmp_path_factory: pytest.TempPathFactory) -> GatedProject:
    """Follow the page word by word."""
    folder = tmp_path_factory.mktemp("gated")
    (folder / "alignkit").mkdir()
    copy_sources(folder / "alignkit")
    project, printed = users_project(folder), []
    for step in steps(before("gate.md", "## The pytest plugin")):
        match step:
            case PageFile():
                path = project.top / step.name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(step.text, encoding="utf-8")
            case PagePatch():
                (folder / "change.diff").write_text(step.text, encoding="utf-8")
                applied = project.run("git apply ../change.diff")
                assert applied.code == 0, applied.text
            case PageCommand():
                printed.append((step, project.run(step.text)))
    return GatedProject(project, printed)
