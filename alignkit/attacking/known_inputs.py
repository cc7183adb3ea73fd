"""Cases beside two inputs that are known to matter: those of a counterexample to a proof, for one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from alignkit.attacking.attack_aim import AttackAim
from alignkit.attacking.cases import AttackCase, answers_alike, telling_changes
from alignkit.attacking.closed_forms.covering import skeletons
from alignkit.attacking.closed_forms.covers import Cover
from alignkit.attacking.closed_forms.lattice_laws import on_lattice
from alignkit.errors import AlignkitError
from alignkit.limits import Deadline
from alignkit.output_events import ANYTHING, Event, fits
from alignkit.results import Witness
from alignkit.running.adjacent_pairs import PrivateAnswers
from alignkit.running.mechanism_decorator import Mechanism


@dataclass(frozen=True)
class KnownInputs:
    """Adjacent inputs that are known to matter, and an output seen on D."""

    witness: Witness
    output: Any = None


def cases_nearby(
    aim: AttackAim, known: KnownInputs, deadline: Callable[[], Deadline] = Deadline
) -> Iterator[list[AttackCase]]:
    """Groups of cases at these inputs, those with the output seen first, and at the same inputs the other way round.

    The cases of a group share the answers on D and the event. They change the answers as the inputs do, and as far as
    adjacency allows.
    """
    mechanism, inputs = aim.mechanism, known.witness
    size = _size(mechanism, inputs)
    if size is None:
        return
    private = PrivateAnswers(mechanism, inputs.public, size)
    one, other = (_answers(given, private.places) for given in (inputs.q, inputs.q_))
    for answers, answers_ in ((one, other), (other, one)):
        own = tuple(b - a for a, b in zip(answers, answers_, strict=True))
        start = AttackCase(inputs.public, answers, own, Event(ANYTHING), size)
        for case in _events(mechanism, start, known.output, deadline):
            parts = answers_alike(mechanism, case)
            changes = [own, *telling_changes(aim.adjacency, parts, private)]
            group = [replace(case, changes=change) for change in dict.fromkeys(changes) if any(change)]
            if group:
                yield group


def _events(mechanism: Mechanism, case: AttackCase, output: Any, deadline: Callable[[], Deadline]) -> list[AttackCase]:
    """The case with each event that is possible on D; where noise is on a lattice events are not searched for."""
    if on_lattice(mechanism):
        return [case]
    covers: list[Cover] = []
    try:
        found = skeletons(mechanism, case.inputs(mechanism).values, covers, deadline())
    except AlignkitError:
        return []
    found.sort(key=lambda pattern: not fits(pattern, output))
    return [replace(case, event=Event(pattern)) for pattern in found]


def _size(mechanism: Mechanism, inputs: Witness) -> int | None:
    """How many answers each vector has; None where that differs."""
    sizes = {len(inputs.q[name]) for name, kind in mechanism.private.items() if kind.vector}
    if not sizes:
        return 1
    return sizes.pop() if len(sizes) == 1 else None


def _answers(given: Mapping[str, Any], places: list[tuple[str, int | None]]) -> tuple[Fraction, ...]:
    return tuple(Fraction(given[name] if at is None else given[name][at]) for name, at in places)
