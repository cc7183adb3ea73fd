"""The pages to explore that stand beside the site's own pages, and what leads to them."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from alignkit import load
from alignkit.explorer.page import explorer_page

EXTRA = "_extra"
"""The folder of the sources whose files go into the site as they are."""

FOLDER = "explore"
"""The folder of the site in which the pages to explore stand."""

# In a page, where the explorer of one of its programs belongs: the file that the program is called, and an alignment.
_MARK = re.compile(r"<!-- explorer: (?P<file>\w+\.py)::(?P<name>\w+) -->")


def write_explorers(source: Path) -> Path:
    """Replace the marks in the pages by explorers of the pages' own programs; returns the folder for extra files."""
    extra = source / EXTRA
    (extra / FOLDER).mkdir(parents=True, exist_ok=True)
    for page in sorted(source.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        found = _MARK.search(text)
        if found is None:
            continue
        file = extra / FOLDER / f"{page.stem}.html"
        file.write_text(_explorer(text, found["file"], found["name"]), encoding="utf-8")
        page.write_text(text.replace(found[0], _frame(f"{FOLDER}/{file.name}", found["name"])), encoding="utf-8")
    return extra


def _explorer(text: str, file: str, name: str) -> str:
    """The page to explore of an alignment in the program of a page that begins with a comment with its name."""
    (program,) = re.findall(rf"```python\n(# {re.escape(file)}\n.*?)```", text, re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file
        path.write_text(program, encoding="utf-8")
        return explorer_page(load(f"{path}::{name}")).text


def _frame(place: str, name: str) -> str:
    return (
        f'<iframe class="explorer" src="{place}" title="The alignment {name}, to explore" loading="lazy"></iframe>\n\n'
        f'<p><a href="{place}">Open the explorer on a page of its own</a></p>'
    )


def link(place: str) -> str:
    """A line of a gallery's page that leads to a page to explore, from two folders below the top."""
    words = "Explore this alignment</a>: move answers and noise, and see both runs."
    return f'<p><a href="../../{FOLDER}/{place}">{words}</p>'
