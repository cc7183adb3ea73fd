"""What notebooks show: results as HTML, of a few elements whose text is escaped, and how work gets on."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any

# A notebook aligns cells to the right and centres the head of a table.
_LEFT = ' style="text-align: left"'


def division(parts: Iterable[str]) -> str:
    """Elements as one."""
    return f"<div>{''.join(parts)}</div>"


def heading(verdict: str, text: str) -> str:
    """A line that begins with a word in bold."""
    return f"<p><strong>{escape(verdict)}</strong> {escape(text)}</p>"


def paragraph(text: str) -> str:
    """A paragraph."""
    return f"<p>{escape(text)}</p>"


def bullet_list(texts: Sequence[str]) -> str:
    """A list with bullets."""
    return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>"


def preformatted(text: str) -> str:
    """Text whose lines and blanks stay as they are."""
    return f"<pre>{escape(text)}</pre>"


def snippet_html(text: str) -> str:
    """Python to paste."""
    return paragraph("reproduce in Python:") + preformatted(text)


def table_html(head: Sequence[str], body: Iterable[Sequence[str]], *, code: bool = False) -> str:
    """A table of texts; with ``code`` its cells are set as code."""
    before, after = ("<code>", "</code>") if code else ("", "")
    titles = "".join(f"<th{_LEFT}>{escape(title)}</th>" for title in head)
    rows = "".join(
        f"<tr>{''.join(f'<td{_LEFT}>{before}{escape(cell)}{after}</td>' for cell in cells)}</tr>" for cells in body
    )
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{rows}</tbody></table>"


def quietly(text: str) -> None:
    """Takes what a step of longer work says, which says itself how it gets on."""


@contextmanager
def shown_progress(progress: Callable[[str], None] | None) -> Iterator[Callable[[str], None]]:
    """What to call with a text for each step: ``progress``, or in a notebook a line below the cell; it goes at the end.

    Without either, nothing is shown.
    """
    shell: Any = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if progress is not None or not hasattr(shell, "kernel"):
        yield progress or (lambda text: None)
        return
    which = {"display_id": uuid.uuid4().hex}
    shell.display_pub.publish({"text/plain": ""}, transient=which)

    def show(text: str) -> None:
        shell.display_pub.publish({"text/plain": text}, transient=which, update=True)

    try:
        yield show
    finally:
        show("")
