"""``alignkit new``: a mechanism and its proof to start from, a proof of a mechanism, or a draft of a function."""

from __future__ import annotations

import argparse
import builtins
import keyword
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alignkit.cli.options import Command, add_import_timeout, time_limit
from alignkit.cli.streams import say
from alignkit.errors import InputError, TargetError
from alignkit.markup import ProgressLine

if TYPE_CHECKING:
    from alignkit.cli.new_worker import DraftAnswer
    from alignkit.cli.worker_process import Worker
    from alignkit.finding.findings import Findings

_SUMMARY = "write a mechanism and a proof to start from"

_DESCRIPTION = """\
Write NAME.py, a commented mechanism with its alignment. It is proved as it
stands; change it from there.

With --from, NAME.py is a proof of a mechanism that exists: the alignment that
`alignkit find` proves. If none is found, it is a skeleton to complete, in which
a comment says why. The mechanism's file is imported, and so its code is run.

With --from-code, NAME.py is a draft of the mechanism that a function of a
library implements, made from its source where that is easy, with the claim that
it does. Without NAME the draft is printed. The function is compared with the
draft first: where they differ, or cannot be compared, there is no draft, and
the report says why. Nothing is proved. The function's module is imported, and
the function is run.

exit codes: 0 what was written is proved, or is a draft that the function
implements; 2 wrong usage, or a mechanism or function that cannot be used; 3 no
alignment was found, and a skeleton was written, or the function and its draft
were not found to agree on all runs; 4 internal error; 130 interrupted.

examples:
  alignkit new my_mechanism
  alignkit new my_mechanism --into proofs
  alignkit new my_proof --from mine.py::my_mechanism
  alignkit new --from-code my_library.selection:noisy_max
  alignkit new my_draft --from-code my_library.py::noisy_max --private scores
"""

# What --from takes where no flag says otherwise.
_ADJACENCY, _TIMEOUT = "each", 60.0

TEMPLATE = '''\
"""{name}: which queries of a stream lie above a public threshold, and by how much."""

from alignkit import BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


# A mechanism is an ordinary Python function: call it, debug it, run {name}.sample([…], T=100, k=1, eps=1).
# The annotations say what its parameters are. `Queries` are the private answers, of which each may change
# by up to its sensitivity: 1, unless `Annotated[Queries, Sensitivity(…)]` says otherwise. All else is public.
@mechanism
def {name}(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Report the gap of each query above T, and stop after k of them."""
    # Each draw has the name of its variable. A draw in a loop becomes a list, with one entry for each iteration.
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        gap = q_i + eta_i - (T + eta)
        if gap >= 0:
            yield gap  # what is yielded (or returned) is the output
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


# An alignment says how the noise must move so that the adjacent answers q_ give the same output omega that q
# gave with the noise H. Draws that it does not name are not moved. It also states the claim: here, that the
# mechanism is eps-differentially private.
@alignment({name}, epsilon="eps")
def phi(q, q_, omega, H):
    """Raise the threshold by 1, so that no other query comes out above; raise each winner to keep its gap."""
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


# alignkit check {name}.py
# alignkit run {name}.py::{name} --data FILE --items 0-999 --T 4000 --k 5 --eps 0.7
'''

_USED = {"alignment", "mechanism", "phi", "BELOW", "Count", "Epsilon", "Noise", "Queries", "Real"}


def _add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="the mechanism's name, and the file's")
    words = "where to write NAME.py (default: here, or beside the file of the mechanism)"
    parser.add_argument("--into", metavar="FOLDER", help=words)
    words = "write a proof of this mechanism: file.py::name, or a name of the catalogue"
    parser.add_argument("--from", dest="mechanism", metavar="MECHANISM", help=words)
    words = "write a draft of what this function does: package.module:function, or file.py::function"
    parser.add_argument("--from-code", dest="function", metavar="FUNCTION", help=words)
    words = "with --from-code: a parameter with private answers (default: guessed from the source); may be repeated"
    parser.add_argument("--private", action="append", metavar="NAME", help=words)
    words = f"with --from: which inputs are adjacent (default {_ADJACENCY})"
    parser.add_argument("--adjacency", choices=("each", "monotone", "one", "l1"), help=words)
    words = f"with --from: seconds for the search, proofs included, else for the comparison (default {_TIMEOUT:g})"
    parser.add_argument("--timeout", type=time_limit, metavar="SECONDS", help=words)
    add_import_timeout(parser)


def _execute(options: argparse.Namespace) -> int:
    """Write the file; raise TargetError where it exists already."""
    _check_flags(options)
    if options.name is None:
        text, whole, words = _draft(options, "")
        print(text or f"no draft: {words}", end="" if text else "\n")
        if text and not whole:
            say(words)
        return 0 if whole else 3
    name = options.name.removesuffix(".py")
    _check_name(name)
    folder = _folder(options)
    if not os.path.isdir(folder):  # False too where the folders above may not be entered
        raise TargetError(f"there is no folder {folder}; make it first")
    path = folder / f"{name}.py"
    if os.path.exists(path):
        raise TargetError(f"{path} exists already; choose another name, or remove it first")
    _check_not_installed(name, folder)
    if options.function is not None:
        text, whole, words = _draft(options, name)
        if not text:
            print(f"no draft: {words}")
            return 3
        _write(path, text)
        print(f"wrote {path}, a draft; {words}; now: alignkit find {os.path.relpath(path)}")
        return 0 if whole else 3
    text, reason = (TEMPLATE.format(name=name), "") if options.mechanism is None else _proof(options)
    _write(path, text)
    if reason:
        print(f"no alignment was found: {reason}")
        print(f"wrote {path}, a skeleton; complete it, then: alignkit check {os.path.relpath(path)}")
        return 3
    print(f"wrote {path}; now: alignkit check {os.path.relpath(path)}")
    return 0


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as problem:
        raise TargetError(f"{path} cannot be written: {problem.strerror or problem}") from None


def _check_flags(options: argparse.Namespace) -> None:
    """Refuse flags that do not go together."""
    if options.function is not None and options.mechanism is not None:
        raise InputError("--from and --from-code do not go together: one writes a proof, the other a mechanism")
    if options.function is None and options.private is not None:
        raise InputError("--private goes with --from-code FUNCTION")
    if options.function is None and options.name is None:
        raise InputError("the following arguments are required: NAME; see `alignkit new --help`")
    if options.name is None and options.into is not None:
        raise InputError("--into goes with NAME: without it the draft is printed")
    if options.mechanism is None and options.adjacency is not None:
        raise InputError("--adjacency goes with --from MECHANISM")
    if options.mechanism is None and options.function is None and options.timeout is not None:
        raise InputError("--timeout goes with --from MECHANISM or --from-code FUNCTION")


def _draft(options: argparse.Namespace, name: str) -> DraftAnswer:
    """The text of a draft, empty where there is none; whether all runs were compared; and the verdict in words."""
    from alignkit.cli.new_worker import CodePlan, CodeService
    from alignkit.cli.worker_process import Worker

    plan = CodePlan(options.function, name, tuple(options.private or ()), options.timeout or _TIMEOUT)
    progress = ProgressLine(enabled=True)
    worker = Worker(CodeService, plan, import_seconds=options.import_timeout)
    answer: DraftAnswer
    try:
        answer = _answer(worker, (CodeService.draft,), progress)
    finally:
        progress.clear()
        worker.close()
    return answer


def _folder(options: argparse.Namespace) -> Path:
    """The folder to write into: that of the file with the mechanism or function, which a proof or draft imports."""
    file = (options.mechanism or options.function or "").partition("::")[0]
    if not file.endswith(".py"):
        return Path(options.into or ".")
    beside = Path(file).parent
    if options.into is not None and os.path.realpath(options.into) != os.path.realpath(beside):
        raise InputError(f"--into {options.into}: NAME.py imports {file}, and must stand beside it; leave --into out")
    return beside


def _proof(options: argparse.Namespace) -> tuple[str, str]:
    """The text of a file with an alignment of a mechanism, and why it is only a skeleton; empty where it is not."""
    from alignkit.cli.find_worker import FindPlan
    from alignkit.cli.new_worker import NewService
    from alignkit.cli.worker_process import Worker

    adjacency, timeout = options.adjacency or _ADJACENCY, options.timeout or _TIMEOUT
    plan = FindPlan(options.mechanism, adjacency, claim=None, shapes=None, timeout=timeout, seed=0, effort=0)
    progress = ProgressLine(enabled=True)

    def answers(*calls: tuple[Any, ...]) -> list[Any]:
        worker = Worker(NewService, plan, import_seconds=options.import_timeout)
        try:
            return [_answer(worker, call, progress) for call in calls]
        finally:
            progress.clear()
            worker.close()

    findings: Findings
    _, findings = answers((NewService.target,), (NewService.find, 0, progress.enabled))
    if findings.proved is not None:
        return findings.proved.file_text, ""
    [skeleton] = answers((NewService.skeleton,))  # in a new worker, since a search that is late is ended
    return skeleton.file_text(findings.reason), findings.reason


def _answer(worker: Worker, call: tuple[Any, ...], progress: ProgressLine) -> Any:
    from alignkit.cli.worker_process import await_answer

    worker.ask(*call)
    return await_answer(worker, progress.show)


def _check_name(name: str) -> None:
    if not name.isidentifier() or keyword.iskeyword(name):
        raise InputError(f"{name!r} is not a name for a Python function; use letters, digits and _")
    if name in _USED or hasattr(builtins, name):
        raise InputError(f"{name} means something else in the file already; choose another name")
    if name in sys.stdlib_module_names:
        raise InputError(f"{name}.py would hide Python's own module {name}; choose another name")


def _check_not_installed(name: str, folder: Path) -> None:
    """Refuse the name of a module that lies neither in the current folder nor in that of the new file."""
    spec = next(filter(None, (finder.find_spec(name, None) for finder in sys.meta_path)), None)
    if spec is None:
        return
    places = spec.submodule_search_locations or [spec.origin or ""]
    folders = {os.path.realpath(folder), os.path.realpath(os.curdir)}
    if not any(os.path.dirname(os.path.realpath(place)) in folders for place in places):
        raise InputError(f"{name}.py would hide the installed package {name}; choose another name")


COMMAND = Command(_SUMMARY, _DESCRIPTION, _add_flags, _execute)
