"""HTML for notebooks: the few elements that results are made of. All text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

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
