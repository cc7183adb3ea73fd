"""The alignments of which tests/soundness says that they must not be proved, each put to the second program.

A plugin for a run of tests/soundness alone: the fixtures that ask the prover hand their alignment to the second program
instead. Where a test asks the prover alone whether its proof is complete, the alignment counts if the test holds
without a proof.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest

from alignkit.confirming import Standing, confirm_alignment
from alignkit.errors import InputError, LanguageError

TESTS = Path(__file__).parents[1]
FIXTURES = {"never_proved", "refuted", "refused_or_never_proved", "prover_alone"}
WHERE = "ALIGNKIT_NEAR_MISSES"


@dataclass(frozen=True)
class NearMiss:
    """What the second program says of one alignment.

    ``file`` and ``test`` are those that ask about it, and ``case`` which of the test's cases it is, or the test again.
    ``n`` is up to which size it is confirmed, at most 2; ``beyond`` says what becomes of a confirmed one up to n = 5
    and k = 4.
    """

    file: str
    test: str
    case: str
    name: str
    standing: str
    n: int | None
    why: str
    beyond: str = ""


def near_misses() -> list[NearMiss]:
    """Run tests/soundness in a process of its own, and return what was said of each alignment."""
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder) / "near_misses.json"
        path = os.pathsep.join([str(TESTS.parent), str(TESTS)])
        plugin = ["-p", "confirming.near_misses", "-p", "no:cacheprovider"]
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", *plugin, "-m", "slow or not slow", str(TESTS / "soundness")],
            cwd=TESTS.parent, env={**os.environ, "PYTHONPATH": path, WHERE: str(where)}, check=True,
        )  # fmt: skip
        return [NearMiss(**each) for each in json.loads(where.read_text(encoding="utf-8"))]


@dataclass
class Asked:
    """The alignments that one test asks about: those that must not be proved, and those that may have to be."""

    never: list[Any] = field(default_factory=list)
    perhaps: list[Any] = field(default_factory=list)

    def never_proved(self, alignment: Any, condition: str | None = None) -> Any:
        self.never.append(alignment)
        return MagicMock()

    refuted = never_proved

    def refused_or_never_proved(self, make: Callable[[], Any]) -> None:
        try:
            self.never.append(make())
        except (LanguageError, InputError):
            pass

    def prover_alone(self, alignment: Any) -> Any:
        asked = self

        class Proof:
            @property
            def complete(self) -> bool:
                asked.perhaps.append(alignment)
                return False

        return Proof()


class Collector:
    """The plugin, for one run of pytest."""

    def __init__(self, where: Path) -> None:
        self.where = where
        self.found: list[NearMiss] = []
        # Kept, so that no two alignments have one identity.
        self.seen: list[Any] = []

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if FIXTURES & set(item.fixturenames)]

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: Any) -> Iterator[None]:
        asked = Asked()
        for name in FIXTURES & pyfuncitem.funcargs.keys():
            pyfuncitem.funcargs[name] = getattr(asked, name)
        if "proved" in pyfuncitem.funcargs:
            pyfuncitem.funcargs["proved"] = MagicMock()
        holds = True
        try:
            yield
        except Exception:
            # Of what the test goes on to ask, nothing is there.
            holds = False
        for alignment in [*asked.never, *(asked.perhaps if holds else ())]:
            if not any(alignment is other for other in self.seen):
                self.seen.append(alignment)
                self.found.append(said_of(alignment, pyfuncitem))
        return True  # type: ignore[return-value]

    def pytest_sessionfinish(self) -> None:
        self.where.write_text(json.dumps([asdict(each) for each in self.found]), encoding="utf-8")


def said_of(alignment: Any, item: Any) -> NearMiss:
    """Ask the second program about one alignment."""
    opinion = confirm_alignment(alignment, n=2, k=2, effort=400)
    beyond = ""
    if opinion.standing is Standing.BOUNDED:
        beyond = str(confirm_alignment(alignment, n=5, k=4, effort=1500).standing)
    test = item.originalname
    case = item.callspec.id if hasattr(item, "callspec") else test
    name = f"{alignment.mechanism.name}/{alignment.name}"
    why = opinion.why or opinion.problem
    return NearMiss(item.path.stem, test, case, name, str(opinion.standing), opinion.n, why, beyond)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Collector(Path(os.environ[WHERE])))
