"""Cases at or near two inputs that matter, such as those of a counterexample to a proof."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from alignkit.attacking.attack_aim import AttackAim
from alignkit.attacking.cases import AttackCase, telling_changes
from alignkit.attacking.closed_forms.covering import skeletons
from alignkit.attacking.closed_forms.lattice_laws import on_lattice
from alignkit.errors import AlignkitError
from alignkit.limits import Deadline
from alignkit.output_events import Event, fits
from alignkit.results import Witness
from alignkit.running.adjacent_pairs import PrivateAnswers
from alignkit.running.mechanism_decorator import Mechanism


@dataclass(frozen=True)
class KnownInputs:
    """Adjacent inputs that matter, and an output that D gave."""

    witness: Witness
    output: Any = None


def cases_nearby(
    aim: AttackAim, known: KnownInputs, deadline: Callable[[], Deadline] = Deadline
) -> Iterator[list[AttackCase]]:
    """Yields groups of cases at these inputs, then with D and D′ exchanged; the output that D gave comes first.

    The cases of a group share the answers on D and the event. They change the answers as the inputs do, and as far as
    adjacency allows. There are none where the vectors of answers differ in length.
    """
    mechanism, inputs = aim.mechanism, known.witness
    sizes = {len(inputs.q[name]) for name, kind in mechanism.private.items() if kind.vector}
    if len(sizes) > 1:
        return
    private = PrivateAnswers(mechanism, inputs.public, max(sizes, default=1))
    answers, answers_ = (_answers(given, private) for given in (inputs.q, inputs.q_))
    for one, other in ((answers, answers_), (answers_, answers)):
        own = tuple(b - a for a, b in zip(one, other, strict=True))
        for case in _events(mechanism, AttackCase(private, one, own), known.output, deadline):
            changes = [own, *telling_changes(aim.adjacency, case.groups, private)]
            group = [replace(case, changes=change) for change in dict.fromkeys(changes) if any(change)]
            if group:
                yield group


def _events(mechanism: Mechanism, case: AttackCase, output: Any, deadline: Callable[[], Deadline]) -> list[AttackCase]:
    """The case with each event that is possible on D; on a lattice no events are searched for."""
    if on_lattice(mechanism):
        return [case]
    try:
        patterns = skeletons(mechanism, case.inputs.values, [], deadline())
    except AlignkitError:
        return []
    patterns.sort(key=lambda pattern: not fits(pattern, output))
    return [replace(case, event=Event(pattern)) for pattern in patterns]


def _answers(given: Mapping[str, Any], private: PrivateAnswers) -> tuple[Fraction, ...]:
    return tuple(Fraction(given[name] if at is None else given[name][at]) for name, at in private.places)
