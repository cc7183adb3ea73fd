"""No test depends on how fast a machine is: searches and attacks get an effort, and time limits are generous."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]

# The subject of these is the clock: that a limit is kept, or named in messages, or counts in what is cached.
ABOUT_CLOCKS = {
    "auditing/test_sampling_attack.py",
    "caching/test_files.py",
    "cli/test_cache.py",
    "cli/test_check.py",
    "cli/test_find.py",
    "cli/test_implements.py",
    "cli/test_new_from_code.py",
    "cli/test_suggest.py",
    "cli/test_time_limits.py",
    "finding/test_find.py",
    "finding/test_least_noise.py",
    "proving/test_limits.py",
    "pytest_plugin/test_policy_in_tests.py",
    "pytest_plugin/test_verdicts_as_tests.py",
    "running/test_arguments.py",
    "spreading/test_check_all.py",
}
# What ends a process that a test has started may be short: the test fails if the process does not end by itself.
OF_PROCESSES = {"communicate", "run", "wait"}
# A mutant that is not decided in a second has a verdict too; a search that ends early still finds no pure claim where
# there is none, and an attack has a document of the same form.
SHORT = {"cli/test_claims_with_delta.py: cli", "cli/test_command_line_page.py: cli", "mutation/test_wild.py: passage"}
GENEROUS = 60


def short_limits(path: Path) -> Iterator[str]:
    """The calls in a file that give seconds, fewer than a busy machine may need."""
    file = path.relative_to(TESTS).as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        seconds = [k.value for k in node.keywords if k.arg == "timeout"]
        words = [a.value for a in node.args if isinstance(a, ast.Constant)]
        seconds += [ast.Constant(float(b)) for a, b in itertools.pairwise(words) if a == "--timeout"]
        given = [s.value for s in seconds if isinstance(s, ast.Constant) and isinstance(s.value, int | float)]
        if name not in OF_PROCESSES and any(value < GENEROUS for value in given):
            yield f"{file}: {name}"


def test_time_limits_are_generous() -> None:
    files = [path for path in TESTS.rglob("*.py") if "benchmarks" not in path.parts]
    found = {each for path in files for each in short_limits(path)}
    assert {each for each in found if each.partition(":")[0] not in ABOUT_CLOCKS} == SHORT
    assert {each.partition(":")[0] for each in found} >= {"proving/test_limits.py", "cli/test_time_limits.py"}
