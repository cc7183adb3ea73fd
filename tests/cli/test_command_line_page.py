"""docs/command_line.md names every command, flag, setting, exit code and field that there is, and no other flag."""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from alignkit.cli.entry import COMMANDS, build_parser
from alignkit.gating.policy import read_policy
from alignkit.gating.project_settings import ProjectSettings, read_settings

PAGE = (Path(__file__).parents[2] / "docs" / "command_line.md").read_text(encoding="utf-8")

# Objects whose fields are the user's own names, and runs with the fields of a counterexample.
BY_NAME = (
    "parameters", "H", "H_", "scope", "q", "q_", "private", "public", "leak", "attained_at", "tags", "inputs", "noise",
)  # fmt: skip


def section(name: str) -> str:
    return PAGE.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


def flags(parser: argparse.ArgumentParser) -> set[str]:
    return {flag for action in parser._actions for flag in action.option_strings} - {"-h", "--help"}


def commands() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in build_parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def test_every_command_has_its_section() -> None:
    assert [name for name, _ in commands()] == list(COMMANDS) == re.findall(r"^\| \[`([\w-]+)`\]", PAGE, re.MULTILINE)
    introduction = PAGE.partition("\n## ")[0]
    assert all(f"`{flag}`" in introduction for flag in flags(build_parser()))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_flag_is_there_and_no_other(name: str) -> None:
    parser = dict(commands())[name]
    rows = re.findall(r"^\| (`-.*?) \|", section(name), re.MULTILINE)
    assert set(re.findall(r"`(-.*?)`", " ".join(rows))) == flags(parser)
    assert all(f"`{flag}`" in section(name) for flag in flags(parser))
    for action in parser._actions:
        if action.option_strings and action.choices is not None:
            assert all(f"`{choice}`" in section(name) for choice in action.choices)


def test_the_settings_are_read_as_they_stand_there(here: Path) -> None:
    text = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0]
    (here / "pyproject.toml").write_text(text)
    stated = tomllib.loads(text)["tool"]["alignkit"]
    assert [field.name for field in fields(ProjectSettings)] == list(stated)
    expected = {**stated, "targets": tuple(stated["targets"]), "policy": read_policy(stated["policy"], "the page")}
    assert read_settings(here) == ProjectSettings(**expected)


def test_the_exit_codes_are_those_of_the_help(cli) -> None:
    codes = set(re.findall(r"^\| (\d+) \|", section("Exit codes"), re.MULTILINE))
    words = cli("check", "--help").out.partition("exit codes:")[2].partition("With several")[0]
    told = re.findall(r"\b(\d+) [a-z]", words)
    assert codes == {*told, "141"}


def test_every_field_of_the_json_is_there(cli, here: Path) -> None:
    def names(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            for name, each in value.items():
                yield name
                if name not in BY_NAME:
                    yield from names(each)
        elif isinstance(value, list):
            for each in value:
                yield from names(each)

    (here / "data.dat").write_text("0 1\n0\n")
    (here / "ships.py").write_text(
        "import numpy as np\n\ndef one(q, eps):\n    return np.argmax(q + np.random.laplace(0, 1 / eps, len(q)))\n"
    )
    documents = [
        cli("check", "noisy_max_broken", "nothing.py", "--format", "json"),
        cli("attack", "noisy_max_with_maximum", "--timeout", "1", "--format", "json"),
        cli("run", "noisy_max", "--data", "data.dat", "--items", "0-2", "--eps", "1", "--format", "json"),
        cli("find", "noisy_max", "--format", "json"),
        cli("list", "noisy_max_with_maximum", "--format", "json"),
        cli("implements", "ships.py::one", "--as", "noisy_max", "--format", "json"),
    ]
    told = section("JSON")
    for ran in documents:
        assert [name for name in names(json.loads(ran.out)) if f"`{name}`" not in told] == []
