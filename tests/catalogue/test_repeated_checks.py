"""Checks of the whole catalogue never disagree, whatever the seeds, the order of sets and the number of processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import alignkit

# What a check decides. The rest of a result may depend on the seed: the inputs of a counterexample, and what an attack
# happens to find.
DECIDED = ("verdict", "expected", "claim", "cost", "scope")

# The exit codes of runs whose report is complete: an unexpected verdict is found again in the report.
VERDICT_CODES = (0, 1, 3)


@dataclass(frozen=True)
class Run:
    """One run of the command, in a process of its own."""

    seed: int
    hash_seed: int
    jobs: int

    @property
    def command(self) -> list[str]:
        settings = ["--format", "json", "--seed", str(self.seed), "-j", str(self.jobs)]
        return [sys.executable, "-m", "alignkit", "check", "--no-cache", *settings]

    def decided(self, folder: Path) -> dict[str, Any]:
        """Check the catalogue; return what is decided of each alignment. The report is kept in the folder."""
        report = folder / f"seed-{self.seed}-hash-{self.hash_seed}-jobs-{self.jobs}.json"
        package = Path(alignkit.__file__).parent.parent
        environment = {**os.environ, "PYTHONHASHSEED": str(self.hash_seed), "PYTHONPATH": str(package)}
        with report.open("w") as out:
            done = subprocess.run(self.command, cwd=folder, env=environment, stdout=out, stderr=subprocess.PIPE)
        assert done.returncode in VERDICT_CODES, done.stderr.decode()
        return decided(json.loads(report.read_text(encoding="utf-8")))


def decided(document: dict[str, Any]) -> dict[str, Any]:
    return {
        f"{result['mechanism']} / {result['alignment']}": {
            **{field: result[field] for field in DECIDED},
            "conditions": {name: condition["status"] for name, condition in result["conditions"].items()},
        }
        for result in document["results"]
    }


@pytest.mark.slow
def test_twenty_checks_of_the_catalogue_agree(tmp_path: Path) -> None:
    first = Run(seed=0, hash_seed=0, jobs=2).decided(tmp_path)
    assert len(first) > 50
    disagreements = []
    for number in range(1, 20):
        run = Run(seed=number, hash_seed=1000 + number, jobs=1 + number % 3)
        found = run.decided(tmp_path)
        assert list(found) == list(first), run
        disagreements += [(run, name, found[name], first[name]) for name in first if found[name] != first[name]]
    assert disagreements == []
