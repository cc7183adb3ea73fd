"""What all tests share: the hypothesis profile, and a way to define programs in real files."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

# Shared helpers are modules of tests/support.
sys.path.insert(0, str(Path(__file__).parent))
# The scripts that measure the papers' figures are imported by their names.
sys.path.append(str(Path(__file__).parents[1] / "docs" / "experiments"))

from support.alike_cases import mark_alike_cases_slow
from support.defining import define_in
from support.examples import leave_slow_tests_out
from support.written_ids import pytest_pycollect_makeitem as pytest_pycollect_makeitem

# For tests/pytest_plugin; pytest takes this from the conftest at the top only.
pytest_plugins = ["pytester"]

# No test finds verdicts of an earlier run; those of tests/caching have a folder of their own.
os.environ["ALIGNKIT_CACHE_DIR"] = ""

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "default")

Define = Callable[..., ModuleType]


def pytest_configure(config: pytest.Config) -> None:
    leave_slow_tests_out(config.getoption("markexpr"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_alike_cases_slow(items)


def pytest_collection_finish() -> None:
    """Leave what was collected, which stays until the end, out of the garbage collector's rounds and of forks.

    The rounds are fewer: terms and formulas are many objects, and few of them are in cycles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture
def define(tmp_path: Path) -> Define:
    """Writes source to a file of its own and imports it: ``define(source)`` gives the module."""

    def defined(source: str, *, prelude: bool = True, postponed: bool = False) -> ModuleType:
        return define_in(tmp_path, source, prelude=prelude, postponed=postponed)

    return defined
