"""Which files a "proved" rests on, and how many lines of code they have; printed as a table of Markdown.

`python tests/theory/trusted.py` prints the table of `docs/theory/trusted.md`.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from pathlib import Path

import grimp

import alignkit

PACKAGE = Path(alignkit.__file__).parent
# Whatever a proof runs, and whatever reads the program and the claim that it is about, is imported from here, directly
# or through other files.
STARTS = (
    "alignkit.proving.kernel",
    "alignkit.symbolic.z3_solver",
    "alignkit.running.mechanism_reader",
    "alignkit.running.alignment_reader",
)
# It hands the words of reports to the judgement, which are not trusted: counted without what it imports.
ALONE = "alignkit.proving.proof"
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
WITH_DOCSTRING = ast.Module | ast.ClassDef | ast.FunctionDef


def code_lines(path: Path) -> int:
    """The number of a file's lines without blank lines, comments and docstrings."""
    source = path.read_text(encoding="utf-8")
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, WITH_DOCSTRING) and ast.get_docstring(node) is not None:
            docstrings.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstrings)


def path_of(module: str) -> Path:
    """The file of a module of alignkit."""
    path = PACKAGE.joinpath(*module.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def trusted_modules() -> set[str]:
    """The modules that a proof imports.

    What is imported for type checkers only runs in no proof.
    """
    graph = grimp.build_graph("alignkit", cache_dir=None, exclude_type_checking_imports=True)
    imported = (graph.find_upstream_modules(start) for start in STARTS)
    return {ALONE, *STARTS}.union(*imported) - {"alignkit"}


def trusted_lines() -> Counter[str]:
    """The lines of code in the files that a proof imports, by room; files outside the rooms count as "values"."""
    rooms: Counter[str] = Counter()
    for module in trusted_modules():
        room = module.split(".")[1]
        rooms[room if (PACKAGE / room).is_dir() else "values"] += code_lines(path_of(module))
    return rooms


def table() -> list[str]:
    """The rows of the table: a room, and its lines rounded to 50."""
    rooms = trusted_lines()
    rows = [f"| `{room}/` | {50 * round(lines / 50):,} |" for room, lines in rooms.most_common() if room != "values"]
    rows.append(f"| values that all rooms share | {50 * round(rooms['values'] / 50):,} |")
    return [*rows, f"| together | {50 * round(sum(rooms.values()) / 50):,} |"]


if __name__ == "__main__":
    print("\n".join(table()))
