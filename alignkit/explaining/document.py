"""A small document: headings, paragraphs, lists, code and definitions by cases, whatever they are written as.

In plain text a formula stands between backticks.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Heading:
    """The title of a document (level 1) or of a part (level 2)."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """A paragraph; ``lead`` is what it begins with, in bold."""

    text: str
    lead: str = ""


@dataclass(frozen=True)
class BulletList:
    """A list of sentences."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Code:
    """Lines that keep their blanks."""

    text: str
    language: str = ""


@dataclass(frozen=True)
class CasesFormula:
    """``left`` is ``before`` and one of the cases, each a value and the condition under which it is taken.

    ``over`` says for which indices; empty where there is none.
    """

    left: str
    before: str
    cases: tuple[tuple[str, str], ...]
    over: str = ""


Block = Heading | Paragraph | BulletList | Code | CasesFormula


@dataclass(frozen=True)
class Document:
    """Blocks in the order of reading."""

    blocks: tuple[Block, ...]
