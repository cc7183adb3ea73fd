"""What pytest loads when it starts: the options, the choice of proof files, the marker and the fixture."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from alignkit.errors import InputError, error_text
from alignkit.pytest_plugin.project import may_have_settings, note_begin, policy_file, settings_of_run

if TYPE_CHECKING:
    from alignkit.implementing import Conformance
    from alignkit.results import Result
    from alignkit.running.alignment_decorator import Alignment

_DEFAULT_FILES = ("proofs/**/*.py", "*_proofs.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flags of the plugin to the command line, and the patterns of proof files to the settings."""
    group = parser.getgroup("alignkit", "alignkit: alignments as tests")
    words = "seconds for the check of each alignment (default: timeout in [tool.alignkit] of pyproject.toml, or 60)"
    group.addoption("--alignkit-timeout", type=_time_limit, metavar="SECONDS", help=words)
    words = "check each alignment anew, and keep nothing for later runs"
    group.addoption("--alignkit-no-cache", action="store_true", help=words)
    words = "have each proof examined by a second program (default: confirm in [tool.alignkit] of pyproject.toml)"
    group.addoption("--alignkit-confirm", action="store_true", help=words)
    words = "files whose alignments are tests: names, or paths below the root directory, where ** is any folders"
    parser.addini("alignkit_files", words, type="args", default=list(_DEFAULT_FILES))


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    note_begin(config)
    words = "a proof must cover all n and all public parameters (scope 'all'), or may be bounded ('bounded')"
    config.addinivalue_line("markers", f"alignkit_scope(scope): {words}")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Read the settings of the project, so that one that is not understood ends the run before anything is imported."""
    if may_have_settings(session.config):
        try:
            settings_of_run(session.config)
        except InputError as problem:
            raise pytest.UsageError(error_text(problem)) from None


def pytest_report_header(config: pytest.Config) -> str | None:
    """Name the file whose policy holds for the run, if there is one."""
    file = policy_file(config)
    return None if file is None else f"alignkit: policy of {file}"


@pytest.hookimpl(tryfirst=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect the alignments of a proof file; other files are not even imported."""
    if not _is_proof_file(file_path, parent):
        return None
    from alignkit.pytest_plugin.proof_files import ProofFile

    return ProofFile.from_parent(parent, path=file_path)


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Keep pytest from reporting once more, with a traceback, that a proof file cannot be imported."""
    if not _is_proof_file(module_path, parent):
        return None
    from alignkit.pytest_plugin.proof_files import ModuleOfProofFile

    return ModuleOfProofFile.from_parent(parent, path=module_path)


@pytest.fixture
def alignkit_check(request: pytest.FixtureRequest) -> Callable[..., Result]:
    """Check an alignment within a test: ``alignkit_check(phi)`` returns the result, or fails the test with its report.

    The time limit and the seed of the run hold for it, unless others are given, and so do the policy of the project and
    the marker ``alignkit_scope`` of the test.
    """
    from alignkit.pytest_plugin.requiring import required_result

    def check_in_test(alignment: Alignment, *, timeout: float | None = None, seed: int | None = None) -> Result:
        __tracebackhide__ = True
        return required_result(alignment, request.node, timeout=timeout, seed=seed)

    return check_in_test


@pytest.fixture
def alignkit_implements(request: pytest.FixtureRequest) -> Callable[..., Conformance]:
    """Compare a function with a mechanism within a test, or fail the test with the report.

    ``alignkit_implements(function, mechanism, call=…)`` takes what ``implements`` takes, and the sizes ``n`` and ``k``;
    it returns what the comparison gave. The policy of the project holds for it.
    """
    from alignkit.pytest_plugin.claims_as_tests import required_conformance

    def compare_in_test(
        function: Callable[..., Any], mechanism: Any, *, n: int = 3, k: int = 2, **stated: Any
    ) -> Conformance:
        __tracebackhide__ = True
        from alignkit.implementing import implements

        return required_conformance(implements(mechanism, **stated)(function), request.node, n=n, k=k)

    return compare_in_test


def _time_limit(text: str) -> float:
    """Read a number of seconds above 0."""
    from alignkit.arguments import seconds

    try:
        number: object = float(text)
    except ValueError:
        number = text
    try:
        return seconds(number, "the timeout")
    except InputError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def _is_proof_file(path: Path, parent: pytest.Collector) -> bool:
    """Tell whether the alignments of a file are collected.

    They are where a pattern of the settings fits, and where the command line names a file that mentions alignkit and
    is no test file.
    """
    if path.suffix != ".py" or path.name == "conftest.py":
        return False
    config = parent.config
    if any(_fits(path, config.rootpath, pattern) for pattern in config.getini("alignkit_files")):
        return True
    if not parent.session.isinitpath(path) or any(path.match(pattern) for pattern in config.getini("python_files")):
        return False
    try:
        return b"alignkit" in path.read_bytes()
    except OSError:
        return False


def _fits(path: Path, root: Path, pattern: str) -> bool:
    """Tell whether a pattern fits the name of a file or, if it has a slash, the path from the root directory."""
    if "/" not in pattern:
        return fnmatchcase(path.name, pattern)
    return path.is_relative_to(root) and _parts_fit(path.relative_to(root).parts, pattern.split("/"))


def _parts_fit(parts: Sequence[str], patterns: Sequence[str]) -> bool:
    """Compare a path with a pattern part by part, where ``**`` stands for any number of folders."""
    if not patterns:
        return not parts
    if patterns[0] == "**":
        return any(_parts_fit(parts[skipped:], patterns[1:]) for skipped in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], patterns[0]) and _parts_fit(parts[1:], patterns[1:])
