"""The schemas that the page of the command line names: what the commands print is valid, and every field is named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support.pages import section

from alignkit.cli import main

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "schemas"
RUN = ("run", "sparse_vector_with_gap", "--data", "data.dat", "--items", "0-2", "--T", "1", "--k", "1", "--eps", "1")

SHIPPED = """
import numpy as np

def scaled(q, eps):
    return np.argmax(q + np.random.laplace(scale=1 / eps, size=len(q)))
"""

# By a name for the test: the schema and the arguments.
DOCUMENTS = {
    "check": ("check", ("check", "noisy_max_broken", "noisy_max", "nothing.py")),
    "check_calls": ("check", ("check", "sparse_vector_twice", "one_sided_threshold_test")),
    "implements": ("implements", ("implements", "laplace.py::scaled", "--as", "noisy_max")),
    "attack": ("attack", ("attack", "noisy_max_with_maximum", "--timeout", "1")),
    "find": ("find", ("find", "noisy_max")),
    "find_nothing": ("find", ("find", "noisy_max_with_maximum")),
    "find_noise": ("find", ("find", "noisy_max", "--adjacency", "monotone", "--claim", "eps", "--noise")),
    "run": ("run", RUN),
    "list": ("list", ("list", "noisy_max")),
}

SLOW = {"check_calls", "find_noise"}


def unnamed(value: Any, schema: dict[str, Any], defs: dict[str, Any], path: str = "") -> Iterator[str]:
    """Fields of a document that its schema does not name; free-form objects have no names to compare."""
    if "$ref" in schema:
        schema = defs[schema["$ref"].rpartition("/")[2]]
    for case in schema.get("anyOf", ()):
        inner = {"$defs": defs, **case}
        if Draft202012Validator(inner).is_valid(value):
            yield from unnamed(value, case, defs, path)
            return
    if isinstance(value, list) and "items" in schema:
        for item in value:
            yield from unnamed(item, schema["items"], defs, f"{path}[]")
    if isinstance(value, dict) and "properties" in schema:
        for name, inside in value.items():
            if name in schema["properties"]:
                yield from unnamed(inside, schema["properties"][name], defs, f"{path}.{name}")
            elif "additionalProperties" not in schema:
                yield f"{path}.{name}"


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n in SLOW)) for n in DOCUMENTS])
def test_what_is_printed_is_valid_and_every_field_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.dat").write_text("0 1\n0\n")
    (tmp_path / "laplace.py").write_text(SHIPPED)
    kind, arguments = DOCUMENTS[name]
    main([*arguments, "--format", "json"])
    document = json.loads(capfd.readouterr().out)
    schema = json.loads((FOLDER / f"{kind}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(document)
    assert sorted(set(unnamed(document, schema, schema.get("$defs", {})))) == []


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_the_schemas_are_schemas(path: Path) -> None:
    Draft202012Validator.check_schema(json.loads(path.read_text(encoding="utf-8")))
    assert f"](schemas/{path.name})" in section("command_line.md", "### JSON schemas")
