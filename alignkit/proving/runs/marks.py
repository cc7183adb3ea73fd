"""Variables that hold the number of an iteration, and are what a function returns: the winner of a noisy maximum.

``if q_i + eta_i > top: top = q_i + eta_i; best = i`` leaves ``best`` as it is or marks the iteration at hand with it.
If ``best`` is returned when all iterations have been run, the output says more of a run on D than its end: whatever is
marked now is the output, or the output is an iteration to come. This holds at the end, where ``best`` is the output. If
it holds after iteration i, then before it, too: what is marked then was marked before, or is i.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from alignkit.proving.runs.returned_forms import OMEGA, Path, ReturnForms
from alignkit.proving.runs.seen_output import whole_part
from alignkit.symbolic.terms import Term


@dataclass(frozen=True)
class Mark:
    """A variable that each iteration keeps or sets to its own number plus ``offset``; it is returned at ``path``."""

    name: str
    path: Path
    offset: int

    @property
    def output(self) -> Term:
        """The returned number."""
        return whole_part(OMEGA, self.path)

    def to_come(self, rounds: Term) -> Any:
        """Whether the output marks an iteration that is still to come after ``rounds`` of them."""
        return self.output.compare(">=", rounds + self.offset)

    def known(self, names: Mapping[str, Any], rounds: Term) -> Any:
        """What the output says of a run on D after ``rounds`` iterations."""
        return self.output.compare("==", names[self.name]) | self.to_come(rounds)


def returned_marks(forms: ReturnForms, offsets: Mapping[str, int]) -> tuple[Mark, ...]:
    """The variables that every way to the end returns, at the same places, of those that mark iterations.

    There are none where an iteration may leave the loop.
    """
    known = forms.forms or ()
    if not known or any(form.inside for form in known):
        return ()
    common = frozenset.intersection(*(frozenset(form.variables) for form in known))
    return tuple(Mark(name, path, offsets[name]) for path, name in sorted(common) if name in offsets)
