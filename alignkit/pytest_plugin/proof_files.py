"""The alignments of a proof file as tests."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from alignkit.catalogue import module_with_alignments
from alignkit.errors import AlignkitError, InternalError, error_text
from alignkit.pytest_plugin.requiring import required_result
from alignkit.running.alignment_decorator import Alignment

_BELOW = "\n  write @pytest.mark.… below @alignment(…), so that it marks the function"
_UNREADABLE = pytest.StashKey[set[Path]]()


class ProofFile(pytest.File):
    """A file whose alignments are tests, under the names that ``alignkit check file.py::name`` takes.

    So are its claims that a function implements a mechanism, by the names that ``alignkit implements`` takes.
    """

    def collect(self) -> Iterator[pytest.Item]:
        """Import the file and list its alignments and claims; an error has the text of the command line."""
        unreadable = self.session.stash.setdefault(_UNREADABLE, set())
        try:
            module, alignments = module_with_alignments(str(self.path))
        except AlignkitError as error:
            unreadable.add(self.path)
            if isinstance(error.__cause__, pytest.skip.Exception | pytest.exit.Exception):
                raise error.__cause__ from None
            hint = _BELOW if isinstance(error.__cause__, FrozenInstanceError) and "pytestmark" in str(error) else ""
            raise self.CollectError(error_text(error) + hint) from None
        _mark(self, getattr(module, "pytestmark", ()))
        for name, alignment in alignments.items():
            yield AlignmentItem.from_parent(self, name=name, alignment=alignment)
        if "alignkit.implementing" in sys.modules:  # a file that claims something has imported it
            from alignkit.pytest_plugin.claims_as_tests import claim_items

            yield from claim_items(self, module)


class ModuleOfProofFile(pytest.Module):
    """The tests beside the alignments of a file; none where the file cannot be imported, which ProofFile has said."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """List the tests that are functions and classes."""
        return [] if self.path in self.session.stash.get(_UNREADABLE, set()) else super().collect()


class AlignmentItem(pytest.Item):
    """The check of one alignment. It is selected by its name, by that of its mechanism, and by its markers."""

    def __init__(self, *, alignment: Alignment, **settings: Any) -> None:
        super().__init__(**settings)
        self.alignment = alignment
        self.extra_keyword_matches.add(alignment.mechanism.name)
        _mark(self, getattr(alignment.python, "pytestmark", ()))

    def runtest(self) -> None:
        """Check the alignment; fail where the verdict is not the expected one, or where it cannot be checked."""
        try:
            required_result(self.alignment, self, cached=not self.config.getoption("alignkit_no_cache"))
        except InternalError:
            raise
        except AlignkitError as error:
            reason = error_text(error)
        else:
            return
        pytest.fail(reason, pytrace=False)  # not above, or the report would print the error as well

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the place of the alignment, and the heading of its report."""
        return self.path, self.alignment.line - 1, f"{self.alignment.mechanism.name} / {self.alignment.name}"


def _mark(node: pytest.Collector | pytest.Item, marks: Any) -> None:
    """Give a test the markers that a module or a function has."""
    for mark in marks if isinstance(marks, list | tuple) else [marks]:
        plain = mark.mark if isinstance(mark, pytest.MarkDecorator) else mark
        node.own_markers.append(plain)
        node.keywords[plain.name] = plain
