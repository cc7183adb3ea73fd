"""What notebooks show, results as HTML whose text is escaped; and how work gets on, there and on terminals."""

from __future__ import annotations

import os
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


class ProgressLine:
    """One line on stderr that is overwritten, where stderr is a terminal; else nothing."""

    def __init__(self, *, enabled: bool = True) -> None:
        self.enabled = enabled and sys.stderr.isatty()
        self.width = 0

    def show(self, text: str) -> None:
        """Replace the line."""
        if not self.enabled:
            return
        text = text[: _terminal_width() - 1]
        sys.stderr.write("\r" + text.ljust(self.width))
        sys.stderr.flush()
        self.width = len(text)

    def clear(self) -> None:
        """Take the line away."""
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()
            self.width = 0


def _terminal_width() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


@contextmanager
def shown_progress(progress: Callable[[str], None] | None) -> Iterator[Callable[[str], None]]:
    """What to call with a text for each step: ``progress``, or a line that goes at the end.

    The line stands below a notebook's cell, or on the terminal where Python is asked line by line. Elsewhere nothing is
    shown.
    """
    shell: Any = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if progress is None and hasattr(shell, "kernel"):
        which = {"display_id": uuid.uuid4().hex}
        shell.display_pub.publish({"text/plain": ""}, transient=which)

        def show(text: str) -> None:
            shell.display_pub.publish({"text/plain": text}, transient=which, update=True)

        try:
            yield show
        finally:
            show("")
        return
    asked = (sys.flags.interactive or hasattr(sys, "ps1")) and sys.stderr is sys.__stderr__
    line = ProgressLine(enabled=progress is None and bool(asked))
    try:
        yield progress or line.show
    finally:
        line.clear()
