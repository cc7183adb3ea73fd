"""``alignkit new``: a commented mechanism and its proof, to start from."""

from __future__ import annotations

import argparse
import builtins
import keyword
import os
import sys
from pathlib import Path

from alignkit.cli.options import Command
from alignkit.errors import InputError, TargetError

_SUMMARY = "write a mechanism and a proof to start from"

_DESCRIPTION = """\
Write NAME.py, a commented mechanism with its alignment. It is proved as it
stands; change it from there.

examples:
  alignkit new my_mechanism
  alignkit new my_mechanism --into proofs
"""

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
    parser.add_argument("name", metavar="NAME", help="the mechanism's name, and the file's")
    parser.add_argument("--into", metavar="FOLDER", default=".", help="where to write NAME.py (default: here)")


def _execute(options: argparse.Namespace) -> int:
    """Write the file; raise TargetError where it exists already."""
    name = options.name.removesuffix(".py")
    _check_name(name)
    folder = Path(options.into)
    if not os.path.isdir(folder):  # False too where the folders above may not be entered
        raise TargetError(f"there is no folder {folder}; make it first")
    path = folder / f"{name}.py"
    if not os.path.exists(path):
        _check_not_installed(name, folder)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE.format(name=name))
    except FileExistsError:
        raise TargetError(f"{path} exists already; choose another name, or remove it first") from None
    except OSError as problem:
        raise TargetError(f"{path} cannot be written: {problem.strerror or problem}") from None
    print(f"wrote {path}; now: alignkit check {os.path.relpath(path)}")
    return 0


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
