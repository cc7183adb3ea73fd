"""Tables of programs next to each other: a base, and what becomes of its verdict where a line of it is another.

A base is the text of a mechanism and its alignment. Each row names a program that is the base's text but for what the
row changes, with its verdict and the reason:

    table = Table()
    table.base(
        '''
        @mechanism
        def one(q: Query, eps: Epsilon, noise: Noise):
            e = noise.laplace(1 / eps)
            return q + e

        @alignment(one, epsilon="eps")
        def phi(q, q_, H):
            return H.shift(e=q - q_)
        ''',
        right("plain", "its own change is paid for"),
        wrong("half", "at half of what it costs", {'"eps"': '"eps / 2"'}, fails="cost"),
    )

    @pytest.mark.parametrize("program", table.wrong())
    def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
        program.is_not_proved(tmp_path, never_proved, refuted)

What a row changes must stand in the base's text exactly once, or its test fails. The test's id has the names of the
base's last mechanism and of the row, which no two rows of a table share.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from support.defining import define_in

from alignkit.running.alignment_decorator import Alignment

Changes = Mapping[str, str]


@dataclass(frozen=True)
class Program:
    """A row: what it changes in its base's text, and what is said of the program that this gives.

    ``why`` says what is wrong with it, or why it is private. A wrong one may say which condition must not be proved,
    and that a check refutes it; of a right one, ``checked`` asks for the verdict of a check beside the prover's.
    """

    name: str
    why: str
    changes: Changes
    private: bool
    fails: str | None = None
    refuted: bool = False
    checked: bool = False
    before: str = ""
    text: str = ""
    base: str = ""

    def source(self) -> str:
        """The text that comes before the base's, and the base's with all changes, each of which has one place in it."""
        places = sorted((*_place(self.text, old), new) for old, new in self.changes.items())
        made, end = "", 0
        for start, old, new in places:
            if start < end:
                raise ValueError(f"{self.name} changes {old!r} twice")
            made += self.text[end:start] + _indented(new, self.text, start)
            end = start + len(old)
        return self.before + made + self.text[end:]

    def load(self, folder: Path) -> Alignment:
        """The alignment that the text defines last, from a file of its own."""
        module = define_in(folder, self.source())
        *_, last = (value for value in vars(module).values() if isinstance(value, Alignment))
        return last

    def is_not_proved(self, folder: Path, never_proved: Callable[..., Any], refuted: Callable[..., Any]) -> None:
        """Ask the prover alone, or a check too, by the fixtures of these names."""
        (refuted if self.refuted else never_proved)(self.load(folder), self.fails)

    def is_proved(self, folder: Path, prover_alone: Callable[..., Any], proved: Callable[..., Any]) -> None:
        """Ask the prover alone, or a check, by the fixtures of these names."""
        alignment = self.load(folder)
        if self.checked:
            proved(alignment)
        else:
            assert prover_alone(alignment).complete


def right(name: str, why: str = "", changes: Changes | None = None, *, checked: bool = False) -> Program:
    """A program that is private, and proved to be."""
    return Program(name, why, changes or {}, private=True, checked=checked)


def wrong(
    name: str, why: str = "", changes: Changes | None = None, *, fails: str | None = None, refuted: bool = False
) -> Program:
    """A program that must not be proved."""
    return Program(name, why, changes or {}, private=False, fails=fails, refuted=refuted)


class Table:
    """The programs of one file; ``before`` is the text that all of them begin with."""

    def __init__(self, before: str = "") -> None:
        self._before = textwrap.dedent(before)
        self._programs: dict[str, Program] = {}

    def base(self, text: str, *rows: Program) -> None:
        """Add a base with its rows; one without changes is the base itself."""
        text = textwrap.dedent(text)
        *_, name = re.findall(r"^@mechanism\ndef (\w+)", text, re.MULTILINE)
        for row in rows:
            assert row.name not in self._programs, f"two programs are named {row.name}"
            self._programs[row.name] = replace(row, before=self._before, text=text, base=name)

    def wrong(self) -> list[Any]:
        """Parameters for the test of the programs that must not be proved."""
        return self._parameters(private=False)

    def right(self) -> list[Any]:
        """Parameters for the test of the programs that are proved."""
        return self._parameters(private=True)

    def _parameters(self, *, private: bool) -> list[Any]:
        programs = [row for row in self._programs.values() if row.private is private]
        return [pytest.param(row, id=f"{row.base}: {row.name}") for row in programs]


def _place(text: str, old: str) -> tuple[int, str]:
    """Where the old text stands, and how it reads there: of several lines, all but the first are indented alike."""
    first = old.split("\n")[0]
    places = [match.start() for match in re.finditer(re.escape(first), text)] if first else []
    found = [(place, _indented(old, text, place)) for place in places]
    exact = [(place, lines) for place, lines in found if text.startswith(lines, place)]
    if len(exact) != 1:
        raise ValueError(f"{old!r} stands {len(exact)} times in the base's text, not once")
    return exact[0]


def _indented(lines: str, text: str, place: int) -> str:
    """Several lines, all but the first with the indentation of the line that the place is in."""
    line = text[text.rfind("\n", 0, place) + 1 :]
    return lines.replace("\n", "\n" + line[: len(line) - len(line.lstrip())])
