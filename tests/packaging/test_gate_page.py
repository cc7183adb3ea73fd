"""docs/gate.md, followed from nothing to a gate: what its commands print, and what its workflow files run."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from support.pages import before, section
from support.users_project import UsersProject
from support.walkthrough import PageCommand, PageFile, steps

ROOT = Path(__file__).resolve().parents[2]
STEPS = steps(before("gate.md", "## The pytest plugin"))
COMMANDS = [step for step in STEPS if isinstance(step, PageCommand)]
FILES = {step.name: step.text for step in STEPS if isinstance(step, PageFile)}
WORKFLOWS = {
    ".github/workflows/proofs.yml": "vendor.github-workflows",
    ".github/workflows/proofs-code-scanning.yml": "vendor.github-workflows",
    ".gitlab-ci.yml": "vendor.gitlab-ci",
}
ONE_STEP = ".github/workflows/proofs-in-one-step.yml"
ACTION = ROOT / ".github" / "actions" / "check" / "action.yml"


def said_by(*command: str) -> str:
    """What a command prints where it accepts a file; fails the test where it does not."""
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def script_lines(workflow: object) -> Iterator[str]:
    """The commands of a workflow file: each `run:` of GitHub, each line of a `script:` of GitLab."""
    if isinstance(workflow, dict):
        for key, value in workflow.items():
            if key == "run":
                yield value
            elif key in ("script", "before_script"):
                yield from value
            else:
                yield from script_lines(value)
    elif isinstance(workflow, list):
        for each in workflow:
            yield from script_lines(each)


def lines_of(name: str) -> list[str]:
    return list(script_lines(yaml.safe_load(FILES[name])))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(COMMANDS)), ids=[command.text for command in COMMANDS])
def test_each_command_prints_what_the_page_shows(gated, number: int) -> None:
    command, printed = gated.printed[number]
    assert command == COMMANDS[number]
    assert printed.code == command.code, printed.text
    assert command.shows(printed.text), printed.text


@pytest.mark.parametrize(("name", "schema"), [*WORKFLOWS.items(), (ONE_STEP, "vendor.github-workflows")])
def test_the_workflow_files_keep_their_schemas(tmp_path: Path, name: str, schema: str) -> None:
    path = tmp_path / "workflow.yml"
    path.write_text(FILES[name])
    transform = ["--data-transform", "gitlab-ci"] if schema == "vendor.gitlab-ci" else []
    said_by("check_jsonschema", "--builtin-schema", schema, *transform, str(path))


def test_the_workflows_and_the_action_of_this_repository_keep_their_schemas() -> None:
    said_by("check_jsonschema", "--builtin-schema", "vendor.github-actions", str(ACTION))
    for workflow in (ROOT / ".github" / "workflows").iterdir():
        said_by("check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(workflow))


def test_the_workflow_of_this_repository_runs_on_every_version_that_is_promised() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))["jobs"]
    promised = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', (ROOT / "pyproject.toml").read_text())
    assert jobs["test"]["strategy"]["matrix"]["python"] == promised
    assert list(script_lines(jobs["test"])) == [f'make PYTHON="$(command -v python)" {t}' for t in ("prove", "test")]


def test_the_page_names_the_inputs_of_the_action_with_their_defaults() -> None:
    inputs = yaml.safe_load(ACTION.read_text(encoding="utf-8"))["inputs"]
    text = section("gate.md", "### As one step")
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| .* \| (.*) \|$", text, re.MULTILINE))
    assert set(rows) == set(inputs)
    assert rows["arguments"] == f"`{inputs['arguments']['default']}`"
    assert rows["python-version"] == inputs["python-version"]["default"]
    assert inputs["requirements"]["default"] == ""


@pytest.mark.parametrize("arguments", ["--changed-since origin/main", "--no-cache --baseline 'a b.json'", "$(touch x)"])
def test_the_action_passes_words_on_and_runs_none_of_them(tmp_path: Path, arguments: str) -> None:
    last = yaml.safe_load(ACTION.read_text(encoding="utf-8"))["runs"]["steps"][-1]
    (tmp_path / "alignkit").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (tmp_path / "alignkit").chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "ARGUMENTS": arguments}
    done = subprocess.run(
        ["bash", "-e", "-c", last["run"]], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["check", *arguments.split(), "--format", "github"]
    assert not (tmp_path / "x").exists()


def test_the_files_of_pre_commit_are_valid(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(FILES[".pre-commit-config.yaml"])
    said_by("pre_commit", "validate-config", str(path))
    said_by("pre_commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml"))


def test_the_hook_of_this_repository_does_what_the_page_has_a_local_hook_do() -> None:
    [repository] = yaml.safe_load(FILES[".pre-commit-config.yaml"])["repos"]
    [local] = repository["hooks"]
    [ours] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    same = ("id", "entry", "types", "pass_filenames", "require_serial")
    assert {key: ours[key] for key in same} == {key: local[key] for key in same}


def test_every_file_of_the_page_is_used() -> None:
    others = {".github/CODEOWNERS", ".pre-commit-config.yaml", "pyproject.toml", "requirements-proofs.txt"}
    assert set(FILES) == {*WORKFLOWS, ONE_STEP, *others}
    assert all(any(line.startswith("alignkit check ") for line in lines_of(name)) for name in WORKFLOWS)


def as_known(line: str, project: UsersProject) -> str:
    """A line with the flags that this alignkit has."""
    return line if "--no-cache" in project.run("alignkit check --help").text else line.replace(" --no-cache", "")


@pytest.mark.slow
@pytest.mark.parametrize("name", WORKFLOWS)
def test_what_a_workflow_runs_passes_on_the_branch_and_fails_after_the_change(gated, name: str) -> None:
    project = gated.project
    base = project.run("git rev-parse origin/main").text.strip()
    lines = [as_known(line, project) for line in lines_of(name)]

    def codes() -> dict[str, int]:
        return {line: project.run(line, CI_MERGE_REQUEST_DIFF_BASE_SHA=base).code for line in lines}

    assert set(codes().values()) == {0}
    assert project.run("git apply ../change.diff").code == 0
    try:
        assert codes() == {line: int(line.startswith("alignkit ")) for line in lines}
    finally:
        project.run("git restore proofs")


@pytest.mark.slow
def test_the_hook_keeps_a_change_out(gated) -> None:
    project = gated.project
    assert project.run("git apply --index ../change.diff").code == 0
    try:
        printed = project.run("git commit --message 'Less noise'")
        assert printed.code == 1
        assert re.search(r"proofs of differential privacy\.*Failed\n", printed.text)
        assert "condition: cost" in printed.text
        assert "proofs/gaps.py:35" in printed.text
    finally:
        project.run("git reset --quiet --hard")
