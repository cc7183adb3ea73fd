"""Runs of pytest with the plugin, in a folder that is a user's project."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_plugin.users_programs import HEAD, KNOWN_TO_BE_TOO_CHEAP, PROVED

from alignkit import check, load

Run = Callable[..., pytest.RunResult]

@pytest.fixture(scope="session", autouse=True)
def loaded() -> None:
    """What checks import stays loaded: pytester forgets what is imported during its runs, and some cannot be twice."""
    importlib.import_module("alignkit.pytest_plugin.claims_as_tests")
    for target in ("alignkit.proofs.laplace.phi", "alignkit.proofs.laplace.threshold_phi_as_printed"):
        check(load(target))


@pytest.fixture
def project(pytester: pytest.Pytester) -> Path:
    """A project with a proof file, a test file, and files that must not be imported."""
    pytester.makeini("[pytest]\nmarkers = slow: takes long\n")
    (pytester.path / "proofs" / "further").mkdir(parents=True)
    (pytester.path / "proofs" / "answers.py").write_text(HEAD + PROVED + KNOWN_TO_BE_TOO_CHEAP)
    for name in ("scripts.py", "proofs.py", "tests.py"):
        (pytester.path / name).write_text('raise RuntimeError("alignkit: this file was imported")\n')
    return pytester.path


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs pytest in this process with the plugin, whether or not it is installed as one, and no other."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    def run_pytest(*arguments: str) -> pytest.RunResult:
        result = pytester.runpytest_inprocess("-p", "alignkit.pytest_plugin.hooks", *arguments)
        assert "Traceback" not in result.stdout.str() + result.stderr.str()
        assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()
        return result

    return run_pytest
