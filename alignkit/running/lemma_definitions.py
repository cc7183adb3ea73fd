"""Lemmas: alignments of the mechanisms that a mechanism calls, whose claims its own alignment uses."""

from __future__ import annotations

from collections.abc import Sequence

from alignkit.arguments import items, shown
from alignkit.errors import InputError
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.draws import called_mechanisms
from alignkit.running.mechanism_program import MechanismProgram


def read_lemmas(
    lemmas: Sequence[AlignmentProgram], mechanism: MechanismProgram, base: int | None, *, pure: bool
) -> tuple[AlignmentProgram, ...]:
    """The lemmas of an alignment of ``mechanism``, checked; InputError says why one cannot serve.

    What a ``pure`` claim, which has no delta, rests on is pure too.
    """
    listed = tuple(items(lemmas, "lemmas", "a list of alignments"))
    called = {id(node.mechanism): node.mechanism for node in called_mechanisms(mechanism.program)}
    names = ", ".join(dict.fromkeys(callee.name for callee in called.values())) or "no mechanism"
    for number, lemma in enumerate(listed):
        if not isinstance(lemma, AlignmentProgram):
            raise InputError(f"a lemma is an alignment of a mechanism that is called, not {shown(lemma)}")
        callee = lemma.mechanism
        if id(callee) not in called:
            same_name = any(other.name == callee.name for other in called.values())
            what = f"another definition of {callee.name}" if same_name else callee.name
            raise InputError(f"the lemma {lemma.name} is about {what}; {mechanism.name} calls {names}")
        if any(other.mechanism is callee for other in listed[:number]):
            raise InputError(f"{callee.name} has two lemmas; name one")
        if lemma.expect != "proved":
            raise InputError(f"the lemma {lemma.name} declares expect={lemma.expect!r}; only a proved one can be used")
        if lemma.ex_post:
            raise InputError(
                f"the lemma {lemma.name} claims ex-post privacy ({lemma.claim}), which does not add up over calls; "
                "name an alignment whose claim does not depend on the output"
            )
        local = next((kind.local for kind in callee.private.values() if kind.local is not None), None)
        if local is not None:
            raise InputError(
                f"the lemma {lemma.name} is about {callee.name}, whose sensitivity {local} holds under a condition; "
                "that a call meets it is not covered: leave the lemma out, and shift the draws of the call"
            )
        if pure and lemma.delta is not None:
            raise InputError(
                f"the lemma {lemma.name} claims ({lemma.claim}, {lemma.delta})-differential privacy, so a claim that "
                "uses it has a delta too: state it, @alignment(…, delta='…')"
            )
        if lemma.base != base:
            raise InputError(f"the lemma {lemma.name} and the claim that uses it are in different units")
    return listed


def moved_by_lemmas(mechanism: MechanismProgram, lemmas: Sequence[AlignmentProgram]) -> dict[str, str]:
    """The draws that a lemma moves, by name, each with the name of that lemma."""
    by_site = {node.site: node for node in called_mechanisms(mechanism.program)}
    moved: dict[str, str] = {}
    for draw in mechanism.draws:
        nodes = (by_site[site] for site in draw.path if site in by_site)
        names = [lemma.name for node in nodes for lemma in lemmas if lemma.mechanism is node.mechanism]
        if names:
            moved[draw.name] = moved[draw.key] = names[0]
    return moved
