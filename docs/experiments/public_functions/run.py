"""Hold public functions against mechanisms: each case in a process of its own, with a limit on its time.

    python docs/experiments/public_functions/sources.py --sources FOLDER
    python docs/experiments/public_functions/run.py --sources FOLDER [--only NAME] [--record FILE] [--write PAGE]

`--packages` is a folder of packages that the functions import, as `pip install --target` makes it; it is looked through
last. Without `--sources`, functions of the libraries that are installed are examined. A result is added to `--record`,
if there is one, and what stands there is not run again. The exit code is 1 where a verdict is not the one that is
expected.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

if not __package__:
    # As a script: its own folder holds modules that might be taken for those of others.
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from alignkit.implementing import Conformity
from public_functions import cases_libraries, cases_repositories, cases_suites
from public_functions.case import Case

CASES: tuple[Case, ...] = (*cases_suites.CASES, *cases_libraries.CASES, *cases_repositories.CASES)
LIMIT = 300
MEMORY = 4 << 30


@dataclass(frozen=True)
class Result:
    """What came of a case; ``inputs``, ``noise`` and both outputs are texts of what replays where they differ."""

    name: str
    verdict: str
    why: str = ""
    line: str = ""
    n: int = 0
    k: int = 0
    paths: int = 0
    float_runs: int = 0
    rule: str = ""
    assumptions: tuple[str, ...] = ()
    inputs: Mapping[str, str] | None = None
    noise: Mapping[str, str] | None = None
    of_function: str = ""
    of_mechanism: str = ""
    seconds: float = 0


def examine(case: Case, sources: Path | None, packages: Path | None = None) -> Result:
    """Check a case in this process; the seconds are those of the processor, without imports."""
    claim = case.claim(sources, packages)
    begun = time.process_time()
    found = claim.check()
    seconds = round(time.process_time() - begun, 1)
    if found.verdict is Conformity.DIFFERS and claim.replay(found) != (found.of_function, found.of_mechanism):
        return Result(case.name, "not replayed")
    return Result(
        case.name, str(found.verdict), found.why, found.line, found.n, found.k, found.paths, found.float_runs,
        found.rule, found.assumptions, {name: told(value) for name, value in found.inputs.items()},
        {name: told(value) for name, value in found.noise.items()}, told(found.of_function), told(found.of_mechanism),
        seconds,
    )  # fmt: skip


def told(value: Any) -> str:
    """A value as a reader writes it: numbers in four digits where they are longer."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(told, value))}]"
    if value is None or isinstance(value, str | int):
        return str(value)
    if isinstance(value, Fraction) and value.denominator < 10_000 and 10_000 % value.denominator:
        return str(value)
    return f"{float(value):.5g}"


def run_alone(case: Case, sources: Path | None = None, packages: Path | None = None) -> Result:
    """Check a case in a process of its own; without ``sources``, the function of the library that is installed."""
    command = [sys.executable, __file__, "--one", case.name]
    for flag, folder in (("--sources", sources), ("--packages", packages)):
        command += [] if folder is None else [flag, str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return Result(case.name, "out of time")
    if done.returncode:
        return Result(case.name, "not run", (done.stderr.strip().splitlines() or ["no message"])[-1])
    # The function may print too.
    return Result(**json.loads(done.stdout.splitlines()[-1]))


def main() -> int:
    parser = argparse.ArgumentParser(description="hold public functions against mechanisms")
    parser.add_argument("--sources", type=Path, help="the folder with the fetched repositories")
    parser.add_argument("--packages", type=Path, help="a folder of packages that the functions import")
    parser.add_argument("--only", default="", help="cases whose names contain this")
    parser.add_argument("--record", type=Path, help="a file to which results are added")
    parser.add_argument("--write", type=Path, help="the page to write")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one is not None:
        return one(arguments)
    if arguments.write is not None and (arguments.sources is None or arguments.only):
        parser.error("the page has all cases: --write needs --sources, and no --only")
    record = arguments.record
    known = json.loads(record.read_text(encoding="utf-8")) if record is not None and record.exists() else {}
    results = {name: Result(**fields) for name, fields in known.items()}
    unexpected = 0
    for case in CASES:
        if arguments.only not in case.name or (arguments.sources is None and not case.source.distribution):
            continue
        if case.name not in results:
            results[case.name] = run_alone(case, arguments.sources, arguments.packages)
            if record is not None:
                told_all = {name: asdict(result) for name, result in results.items()}
                record.write_text(json.dumps(told_all, indent=1), encoding="utf-8")
        result = results[case.name]
        right = result.verdict == case.expected
        unexpected += not right
        print(f"{'' if right else 'NOT EXPECTED  '}{case.name}: {result.verdict} {result.why}".rstrip(), flush=True)
    if arguments.write is not None:
        from public_functions.page import page

        arguments.write.write_text(page(CASES, results), encoding="utf-8")
    return 1 if unexpected else 0


def one(arguments: argparse.Namespace) -> int:
    """Check one case and print the result."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    (case,) = (case for case in CASES if case.name == arguments.one)
    print(json.dumps(asdict(examine(case, arguments.sources, arguments.packages))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
