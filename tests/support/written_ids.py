"""A pytest hook that refuses test ids which may differ from one process to the next.

Python keeps no order of a set's members: ``{-1, -2}`` prints in one order while a file is compiled and in another when
the compiled file is read back. pytest-xdist then stops, because its workers "collected different tests".
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from typing import Any

import pytest

_ADDRESS = re.compile(r" at 0x[0-9a-f]+", re.IGNORECASE)
# Two members or more, and no colon, which would make it a dictionary.
_SET = re.compile(r"frozenset\(\{|\{[^{}:]*,[^{}:]*\}")
_NOTHING_BUT_A_SET = re.compile(r"frozenset\(\{.*\}\)|\{[^{}:]*,[^{}:]*\}", re.DOTALL)
_SETS = (set, frozenset)


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(collector: pytest.Collector) -> Generator[None, Any, Any]:
    """Refuse a test function whose parameters or ids come from sets, or whose ids hold memory addresses.

    Raises ``CollectError``, which pytest reports as an error of the file, with the test's name and the remedy.
    """
    made = yield
    functions = [item for item in made if isinstance(item, pytest.Function)] if isinstance(made, list) else []
    for function in functions:
        complaint = _complaint(function)
        if complaint:
            raise collector.CollectError(f"{function.nodeid}: {complaint}")
    return made


def _complaint(function: pytest.Function) -> str | None:
    """What is wrong with the parameters or the id of a test, and what to write instead; None where nothing is."""
    for mark in function.iter_markers("parametrize"):
        if isinstance(_argument(mark, 1, "argvalues"), _SETS):
            return "its parameters are a set, whose order is not fixed. Write a list or a tuple."
        ids = _argument(mark, 3, "ids")
        if isinstance(ids, _SETS):
            return "its ids are a set, whose order is not fixed. Write a list or a tuple."
        if callable(ids) and any(ids(value) for value in _values(mark) if isinstance(value, _SETS)):
            return f"the function `ids` makes an id of a set, whose order is not fixed. {_REMEDY}"
    call = getattr(function, "callspec", None)
    if call is None:
        return None
    if _ADDRESS.search(call.id):
        return f"its id holds a memory address, which differs in each process. {_REMEDY}"
    if _SET.search(_without_texts(call.id, call.params.values())):
        return f"its id is printed from a set, whose order is not fixed. {_REMEDY}"
    return None


_REMEDY = 'Write the ids in words: `ids=["both signs", …]` or `pytest.param(…, id="both signs")`.'


def _argument(mark: pytest.Mark, position: int, name: str) -> Any:
    return mark.args[position] if len(mark.args) > position else mark.kwargs.get(name)


def _values(mark: pytest.Mark) -> Iterable[Any]:
    """Each single value of a ``parametrize`` that gets its id from the function ``ids``."""
    names, rows = mark.args[0] if mark.args else mark.kwargs["argnames"], _argument(mark, 1, "argvalues")
    single = isinstance(names, str) and len(list(filter(str.strip, names.split(",")))) == 1
    for row in rows:
        if hasattr(row, "values") and hasattr(row, "marks"):  # pytest.param
            if row.id is None:
                yield from row.values
        elif single:
            yield row
        else:
            yield from row


def _without_texts(name: str, values: Iterable[Any]) -> str:
    """The id without the parameters that are texts: a program such as ``x = {1, 2}`` reads the same in every process.

    A text that is nothing but a set stays, since it was probably printed from one.
    """
    for value in values:
        if isinstance(value, str) and not _NOTHING_BUT_A_SET.fullmatch(value):
            name = name.replace(value.encode("unicode_escape").decode("ascii"), "")
    return name
