"""A file to complete by hand, where no alignment of a mechanism was found."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from alignkit.finding.source_text import WIDTH, AlignmentText
from alignkit.language.parameters import Epsilon, Eta
from alignkit.running.adjacency import Adjacency
from alignkit.running.mechanism_decorator import Mechanism


@dataclass(frozen=True)
class Skeleton:
    """An alignment that moves no noise, with the imports that it needs and what is to be done."""

    imports: tuple[str, ...]
    to_do: str
    source: str

    def file_text(self, reason: str) -> str:
        """A file that holds the alignment; ``reason`` is why none was found."""
        comments = [f"No alignment was found: {reason}.", self.to_do]
        lines = [line for comment in comments for line in textwrap.wrap(comment, WIDTH - 2)]
        return "\n".join([*self.imports, "", "", *(f"# {line}" for line in lines), self.source])


def skeleton(mechanism: Mechanism, adjacency: Adjacency) -> Skeleton:
    """The skeleton of an alignment of a mechanism."""
    vector = next((name for name, kind in mechanism.private.items() if kind.vector), None)
    shifts = [f"{draw.key}=0" for draw in mechanism.draws if not draw.depth]
    if vector is not None:
        shifts += [f"{draw.key}=[0 for i in range(len({vector}))]" for draw in mechanism.draws if draw.depth == 1]
    private = [primed for name in mechanism.private for primed in (name, f"{name}_")]
    call = f"return H.shift({', '.join(shifts)})"
    long = ("return H.shift(", *(f"    {shift}," for shift in shifts), ")")
    text = AlignmentText(
        mechanism,
        adjacency,
        (*private, "omega", "H"),
        {},
        "Moves no noise yet.",
        (call,) if len(shifts) < 2 else long,
    )
    budgets = [name for name, kind in mechanism.public.items() if isinstance(kind, Epsilon | Eta)]
    answers, answers_ = (", ".join(f"{name}{end}" for name in mechanism.private) for end in ("", "_"))
    to_do = (
        f"Say by how much each draw must move, so that the run on {answers_} gives the output omega that the run on "
        f"{answers} gave with the noise H, and what that costs at most: the claim is only a guess."
    )
    return Skeleton(text.imports, to_do, text.source(" + ".join(budgets) or "1"))
