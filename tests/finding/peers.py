"""Search for an alignment of every program that other tools are tried on, and attack those that are not private.

    python tests/finding/peers.py

prints the tables of docs/finding_results.md. The search is given the mechanism and the adjacency alone.
"""

from __future__ import annotations

import itertools
import math
import sys
from operator import itemgetter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from finding.peer_programs import NOT_STATED, PROGRAMS, NotStated, PeerProgram

from alignkit import attack, find


def names(program: PeerProgram) -> str:
    """The names that the tools have for a program."""
    by_tool = itertools.groupby(program.names, itemgetter(0))
    listed = "; ".join(f"{tool}: {', '.join(f'`{name}`' for _, name in group)}" for tool, group in by_tool)
    return listed + (f", {program.variant}" if program.variant else "")


def beginning(program: PeerProgram) -> str:
    """The cells of a row that say what is claimed."""
    claim = f"`{program.claim}`" if program.private else f"not `{program.claim}`"
    return f"| {names(program)} | `{program.mechanism.name}` | {program.adjacency} | {claim} |"


def row(program: PeerProgram) -> str:
    """A row of the table."""
    return f"{beginning(program)} {found(program)} | {'' if program.private else lost(program)} |"


def row_of_unwritten(other: NotStated) -> str:
    """A row of the table of programs that cannot be written."""
    return f"| {other.tool}: `{other.name}` | {other.reason} |"


def found(program: PeerProgram) -> str:
    """The claim of the alignment that is found and proved, with its worst case where that is another one."""
    proposal = find(program.mechanism, adjacency=program.adjacency).proved
    if proposal is None:
        return "not found"
    cost = proposal.result.cost
    return f"`{proposal.claim}`" + (f", at worst `{cost}`" if cost not in (None, proposal.claim) else "")


def lost(program: PeerProgram) -> str:
    """What an attack certifies, with the public parameters that it has chosen."""
    loss = attack(
        program.mechanism,
        claim=program.claim,
        eps=program.eps,
        adjacency=program.adjacency,
        parameters=program.fixed,
        effort=program.effort,
    )
    if not loss.violates:
        return f"no violation: {_rounded_down(loss.loss)}"
    where = ", ".join(f"{name} = {_shown(value)}" for name, value in loss.witness.public.items())
    return f"not private: {_rounded_down(loss.loss)} at {where}"


def _rounded_down(loss: float) -> str:
    return "infinite" if math.isinf(loss) else f"{math.floor(loss * 10_000) / 10_000:.4f}"


def _shown(value: Any) -> str:
    return f"({', '.join(map(str, value))})" if isinstance(value, tuple) else str(value)


def main() -> None:
    print("| programs | here | adjacency | claim | found and proved | certified loss |")
    print("|---|---|---|---|---|---|")
    for program in PROGRAMS:
        print(row(program), flush=True)
    print("\n| program | why it cannot be written |\n|---|---|")
    for other in NOT_STATED:
        print(row_of_unwritten(other))


if __name__ == "__main__":
    main()
