"""`ARCHITECTURE.md` names files, functions and rooms that exist, and all rooms."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import alignkit

ROOT = Path(alignkit.__file__).parent
MAP = (Path(__file__).parents[2] / "ARCHITECTURE.md").read_text(encoding="utf-8")


def test_the_files_on_the_map_exist() -> None:
    names = re.findall(r"`(?:alignkit/)?([a-z_]+/[a-z_/]*(?:\.py)?)`", MAP)
    outside = ("tests/", "mechanisms/", "proofs/", "docs/")
    missing = [name for name in names if not name.startswith(outside) and not (ROOT / name.removesuffix("/")).exists()]
    assert missing == ["alignkit/"] * missing.count("alignkit/")


def test_the_functions_on_the_map_are_where_it_says() -> None:
    places = re.findall(r"`([\w.]+)`(?: and `([\w.]+)`)? (?:in|\() ?`([a-z_/]+\.py)`", MAP)
    assert len(places) >= 8
    for *functions, file in places:
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        assert {part for name in functions if name for part in name.split(".")} <= defined, file


def test_every_room_is_on_the_map() -> None:
    drawing = MAP.split("```")[1]
    rooms = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert rooms - set(re.findall(r"\w+", drawing)) == set()
