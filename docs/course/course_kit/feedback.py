"""What a notebook says of an answer: a status in a colour, a text, and what alignkit reports."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

import marimo as mo


class Status(enum.StrEnum):
    """How an answer stands."""

    SOLVED = "solved"
    UNANSWERED = "not answered yet"
    UNREADABLE = "not readable"
    WRONG = "not right yet"
    UNDECIDED = "undecided"


COLOURS = {
    Status.SOLVED: "success",
    Status.UNANSWERED: "neutral",
    Status.UNREADABLE: "warn",
    Status.WRONG: "danger",
    Status.UNDECIDED: "warn",
}


@dataclass(frozen=True)
class Feedback:
    """The status of an answer, a text in Markdown, a listing in a fixed-width font, and a result of `check`.

    A notebook that is run as a script, `python exercise.py`, prints the feedback.
    """

    status: Status
    text: str
    listing: str = ""
    result: Any = None

    def __post_init__(self) -> None:
        if not mo.running_in_notebook():
            print(self)

    def __str__(self) -> str:
        lines = [f"{self.status.upper()}: {self.text}", self.listing]
        return "\n".join(line for line in lines if line)

    def _display_(self) -> Any:
        parts: list[Any] = [mo.md(f"**{self.status.capitalize()}.** {self.text}")]
        if self.listing:
            parts.append(mo.md(f"```text\n{self.listing}\n```"))
        if self.result is not None:
            parts.append(mo.accordion({"What alignkit reports": self.result}))
        return mo.callout(mo.vstack(parts), kind=COLOURS[self.status])
