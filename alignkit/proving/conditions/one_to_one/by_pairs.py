"""One-to-one, by the definition: two noise vectors that give one output and one image are the same vector.

D is run a second time on another noise vector, and so is the alignment, with the same output. That the outputs and
the images are equal is taken as given; that the noise is equal, at every coordinate, is obliged. Each way that the
two runs may go, and with it every pair of pieces of the alignment, is a path of its own.
"""

from __future__ import annotations

from typing import Any

from alignkit.language.program import Place
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.ranges import within
from alignkit.proving.path_obligations import Obligations
from alignkit.proving.runs.alignment_run import Shifts, noise_drawn
from alignkit.proving.runs.run_on_d import RunContext
from alignkit.proving.runs.second_run import OTHER, SecondRunContext
from alignkit.symbolic.formulas import implies

WORDS = "two noise vectors with the same output and the same image are equal"


def same_draws(run: RunContext, second: SecondRunContext) -> bool:
    """Whether two runs draw the same coordinates from the same distributions."""
    one = [(d.where, d.distribution) for d in run.drawn]
    other = [(d.where, d.distribution) for d in second.drawn]
    families = [(f.key + OTHER, f.distribution) for f in run.families]
    return one == other and families == [(f.key, f.distribution) for f in second.families]


def other_noise(second: SecondRunContext) -> dict[str, Any]:
    """The other noise vector as the alignment sees it, under the names of the first."""
    return {name.removesuffix(OTHER): drawn for name, drawn in noise_drawn(second).items()}


def assume_same_images(
    owed: Obligations, run: RunContext, second: SecondRunContext, shifts: Shifts, others: Shifts, place: Place
) -> None:
    """Take as known that the alignment moves both noise vectors to one; as many coordinates are obliged."""
    for one, other in zip(run.drawn, second.drawn, strict=True):
        image = one.value + shifts.of(one)
        owed.facts.assume(image.compare("==", other.value + others.of(one)), FactOrigin.PAIR)
    for family, family_ in zip(run.families, second.families, strict=True):
        as_many = family.length.compare("==", family_.length)
        owed.lemma("one_to_one", as_many, place, f"runs with the same output draw {family.key} equally often")

        def same_image(i: Any, family: Any = family, family_: Any = family_) -> Any:
            image = family.value(i) + shifts.of_family(family, i)
            equal = image.compare("==", family_.value(i) + others.of_family(family, i))
            return implies(within(i, family.length), equal)

        owed.facts.universal(same_image, FactOrigin.PAIR)


def same_noise(owed: Obligations, run: RunContext, second: SecondRunContext, place: Place) -> None:
    """Oblige both noise vectors to be equal at every coordinate."""
    for one, other in zip(run.drawn, second.drawn, strict=True):
        same = one.value.compare("==", other.value)
        owed.lemma("one_to_one", same, place, f"{WORDS} at {one.where}")
    for family, family_ in zip(run.families, second.families, strict=True):
        index = owed.facts.indices.fresh(f"index of {family.key} at which two noise vectors are compared")
        same = family.value(index).compare("==", family_.value(index))
        inside = [within(index, family.length)]
        owed.oblige("one_to_one", same, place, f"{WORDS} at {family.key}[i]", given=inside)
    if not run.drawn and not run.families:
        owed.oblige("one_to_one", True, place, "no noise is drawn")
