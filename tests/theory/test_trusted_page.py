"""`docs/theory/trusted.md` names the files that a proof rests on, with about their size."""

from __future__ import annotations

import re
from pathlib import Path

import grimp
from theory.trusted import PACKAGE, code_lines, trusted_lines

PAGE = (Path(__file__).parents[2] / "docs" / "theory" / "trusted.md").read_text(encoding="utf-8")


def test_the_sizes_on_the_page_are_about_right() -> None:
    shown = {room: int(size.replace(",", "")) for room, size in re.findall(r"^\| `(\w+)/` \| ([\d,]+) \|", PAGE, re.M)}
    rooms = {room: lines for room, lines in trusted_lines().items() if room != "values"}
    assert shown.keys() == rooms.keys()
    for room, lines in rooms.items():
        assert abs(shown[room] - lines) <= max(50, lines / 20)


def test_the_files_on_the_page_exist() -> None:
    for name in re.findall(r"`(?:alignkit/)?([a-z_]+/[a-z_/]*(?:\.py)?)`", PAGE):
        assert name.startswith("tests/") or (PACKAGE / name).exists()


def test_no_proof_computes_with_floating_point_libraries() -> None:
    graph = grimp.build_graph("alignkit", include_external_packages=True, cache_dir=None)
    imported = graph.find_upstream_modules("alignkit.proving.proof")
    assert "flint" not in imported
    assert not any(module.startswith("alignkit.arithmetic") for module in imported)


def test_the_size_on_the_map_is_about_right() -> None:
    architecture = (Path(__file__).parents[2] / "ARCHITECTURE.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"some ([\d,]+) lines of code", architecture)
    lines = sum(map(code_lines, PACKAGE.rglob("*.py")))
    assert abs(int(shown.replace(",", "")) - lines) <= lines / 20
