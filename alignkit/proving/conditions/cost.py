"""Cost: where a path ends, the whole run has cost at most the claim.

What is added up to the whole cost, and what makes each summand a bound, is obliged on the way: of single draws and
vectors by ``shifts`` and ``vector_costs``, of calls by ``lemma_obligations``, of the iterations of a loop by the bounds
on the cost among its invariants.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from alignkit.language.program import Place
from alignkit.proving.conditions.one_to_one.by_pieces import Volume, log_facts
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.obligation import Obligations
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.formulas import conjunction
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

# Stands for any expression of public parameters where hypotheses are gathered.
_ANY = Term.of(Symbol("worst case", Role.UNKNOWN))


@dataclass(frozen=True)
class Bound:
    """The end of one path: what is known there, the cost of the run (a bound on it), and the claim.

    ``volume`` is the piece of the noise that it is about, where it is about one.
    """

    hypotheses: Hypotheses = field(repr=False)
    total: Term
    claim: Term
    volume: Volume | None = None


def _at_path_end(facts: Facts, total: Term, claim: Term, given: tuple[Any, ...] = ()) -> Bound:
    """What a path says of its cost at its end, where the formulas ``given`` hold."""
    # Both terms are in the goal, so that universal facts are instantiated at the indices of both.
    goal = conjunction((total.compare("<=", _ANY), claim.compare("<=", _ANY)))
    return Bound(facts.hypotheses(goal, given), total, claim)


def within_claim(
    owed: Obligations, total: Term, claim: Term, text: str, place: Place, volumes: Iterable[Volume] = ()
) -> list[Bound]:
    """Oblige the whole cost to be at most the claim, whose text is given; on some pieces there is more to pay."""
    ends = [_at_path_end(owed.facts, total, claim)]
    what = "the charges for limits add up to" if owed.charging else "the shifts cost"
    owed.oblige("cost", total.compare("<=", claim), place, f"{what} at most {text}")
    for volume in volumes:
        whole = total + volume.extra_cost
        given = (*volume.conditions, *log_facts(whole - claim))
        ends.append(replace(_at_path_end(owed.facts, whole, claim, given), volume=volume))
        words = f"the shifts and -log |det J| cost at most {text}"
        owed.oblige("cost", whole.compare("<=", claim), place, words, given=given)
    return ends
