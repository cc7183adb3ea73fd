"""A page to be followed: its files, its changes and its commands, in the order in which they stand there."""

from __future__ import annotations

import re
from dataclasses import dataclass

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_NAME = re.compile(r"# (\S+)\n")
_EXIT_CODE = re.compile(r"# exit code (\d+)$")
_TIME = re.compile(r"\b[\d.]+(e-\d+)? s\b")


@dataclass(frozen=True)
class PageFile:
    """A block whose first line is a comment with the name of the file."""

    name: str
    text: str


@dataclass(frozen=True)
class PagePatch:
    """A change to a file, as ``git apply`` takes it."""

    text: str


@dataclass(frozen=True)
class PageCommand:
    """A command after ``$``, with what is printed below it; a comment states an exit code other than 0."""

    text: str
    printed: str

    @property
    def code(self) -> int:
        stated = _EXIT_CODE.search(self.text)
        return int(stated[1]) if stated else 0

    def shows(self, printed: str) -> bool:
        """Whether the page shows what was printed, but for times and for what its ``…`` leave out."""
        parts = re.split(r"^…\n", _TIME.sub("_ s", self.printed), flags=re.MULTILINE)
        pattern = r"(?:.*\n)*?".join(map(re.escape, parts))
        return re.fullmatch(pattern, _TIME.sub("_ s", printed)) is not None


Step = PageFile | PagePatch | PageCommand


def steps(page: str) -> list[Step]:
    """List what the page has its reader do; other blocks are only read."""
    found: list[Step] = []
    for kind, text in _BLOCK.findall(page):
        name = _NAME.match(text)
        if kind == "console":
            found += _commands(text)
        elif kind == "diff":
            found.append(PagePatch(text))
        elif name is not None:
            found.append(PageFile(name[1], text))
    return found


def _commands(text: str) -> list[PageCommand]:
    before, *rest = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert before == "", f"a block of commands begins with one: {text}"
    return [PageCommand(*part.partition("\n")[::2]) for part in rest]
