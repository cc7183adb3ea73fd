"""Adaptive queries: what an analyst who chooses queries as they go adds to a proof (docs/theory/adaptive-queries.md).

A mechanism must be online: it reads its answers one by one and shows something after each. If all that it shows is
discrete, Theorem 1 needs nothing more. Otherwise Theorem 2 asks of every shift that it reads no later step.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from alignkit.language.program import Name, Place, walk
from alignkit.noise import DRAWS
from alignkit.proving.conditions.finite_choices import reads_answers
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.obligation import Obligation, Obligations
from alignkit.proving.runs.alignment_run import Shifts
from alignkit.proving.runs.loop_states import ITERATION
from alignkit.proving.runs.path_trace import Trace
from alignkit.proving.runs.run_on_d import RunContext
from alignkit.proving.runs.seen_output import is_discrete
from alignkit.proving.symbolic_inputs import primed
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.mechanism_program import MechanismProgram
from alignkit.running.online import Offline, chosen_along
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.summation import RunningSum, arrays_summed
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Atom, Role
from alignkit.verdicts import ADAPTIVE_QUERIES


class Theorem(enum.StrEnum):
    """By which theorem a claim for fixed queries holds for all analysts."""

    DISCRETE = "Theorem 1: there are countably many outputs"
    STEPS = "Theorem 2: every shift reads only its own step and earlier ones"


def on_lattices(mechanism: MechanismProgram) -> bool:
    """Whether all noise is discrete, so that countably many outputs are possible whatever is asked."""
    return all(not draw.distribution.support.continuous for draw in mechanism.draws)


def claim_not_fixed(alignment: AlignmentProgram) -> Offline | None:
    """Where the claim reads what the analyst chooses; None where it is fixed before the first question."""
    mechanism = alignment.mechanism
    own = chosen_along(mechanism) | mechanism.private.keys()
    for node in walk(alignment.claim_expression):
        if isinstance(node, Name) and node.name in own:
            words = f"{node.name} is read by the claim, which must be fixed before the first question"
            return Offline(words, node.place)
    return None


def shown_to_analysts(
    alignment: AlignmentProgram, traces: Iterable[Trace], theorem: Theorem | None
) -> Iterator[Obligation]:
    """That on every path the output shows what the analyst sees after each answer, and no more."""
    for trace in traces if alignment.adaptive and theorem is not None else ():
        fault = _hidden(trace, discrete=theorem is Theorem.DISCRETE)
        words = fault or "an answer leads to one output, which the analyst sees"
        yield Obligation(ADAPTIVE_QUERIES, Hypotheses.of(()), not fault, words, trace.place, settled=not fault)


def _hidden(trace: Trace, *, discrete: bool) -> str:
    """Why the output of a path is not what the analyst sees after an answer; empty where it is."""
    if trace.round is None:
        return "a run may end before the first question"
    if trace.ended == "end":
        if trace.outputs:
            return "something is put out before the first question or after the last"
    elif len(trace.outputs) != 1:
        return (
            f"an answer may lead to {len(trace.outputs)} outputs; each must lead to exactly one, "
            "because the analyst sees after which answer an output came"
        )
    has_density = any(draw.of_a_call or DRAWS[draw.distribution].support.continuous for draw in trace.draws)
    if discrete and has_density and not all(map(is_discrete, trace.outputs)):
        return "an output has a real part, and some noise has a density"
    return ""


def shifts_by_step(
    owed: Obligations, run: RunContext, shifts: Shifts, before: int, along: frozenset[str], place: Place
) -> None:
    """Oblige every shift to read its own step and earlier ones only; the first ``before`` draws precede all steps.

    Beside those it may read the tags of the whole output, what is public from the beginning, and in which direction
    all answers change.
    """
    conditions = shifts.context.conditions
    early = {draw.value.key for draw in run.drawn[:before]}
    private = frozenset(name for own in run.facts.inputs.mechanism.private for name in (own, primed(own)))
    reach = _Reach(owed.facts, early, along, private)
    misreadings = [
        f"the alignment takes {words}: {reach.of_steps(arrays)}"
        for words, arrays in shifts.context.over_lists
        if reach.of_steps(arrays)
    ]
    for number, value in enumerate(conditions):
        at_once = number < len(shifts.context.taken_at_once)
        misreadings += (f"a condition of the alignment reads {words}" for words in reach.misread(value, before=at_once))
    for number, draw in enumerate(run.drawn):
        for words in reach.misread(shifts.of(draw), before=number < before):
            misreadings.append(f"the shift of {draw.where.key} reads {words}")
        if reads_answers(draw):
            misreadings.append(f"the weights of {draw.where.key} read answers")
    if misreadings:
        owed.exclude(ADAPTIVE_QUERIES, place, misreadings[0])
    else:
        owed.settled(ADAPTIVE_QUERIES, place, "every shift reads its own step and earlier ones only")


@dataclass(frozen=True)
class _Reach:
    """What a shift may read.

    ``early`` is the noise drawn before all steps, ``along`` the lists chosen with answers, ``answers`` those of both
    runs.
    """

    facts: Facts
    early: set[str]
    along: frozenset[str]
    answers: frozenset[str]

    def of_steps(self, arrays: frozenset[str]) -> str:
        """The lists among these arrays that come step by step, in words; empty where there is none."""
        return "several answers" if arrays & self.answers else ", ".join(sorted(arrays & self.along))

    def misread(self, value: object, *, before: bool) -> Iterator[str]:
        """What a term or condition reads although it must not, in words."""
        if isinstance(value, bool):
            return
        for atom in self.facts.dependencies.atoms(value):
            words = self._fault(atom, before=before)
            if words:
                yield words

    def _fault(self, atom: Atom, *, before: bool) -> str:
        own_step = isinstance(atom, Element) and atom.index.key == Term.of(ITERATION).key and not before
        match atom.role:
            case Role.PUBLIC | Role.PRIVATE if isinstance(atom, RunningSum):
                summed = self.of_steps(arrays_summed(atom))
                return f"a sum over {summed or 'steps'}" if summed or "len(" in atom.array else ""
            case None | Role.UNKNOWN:
                return ""
            case Role.PUBLIC if isinstance(atom, Element):
                return "" if own_step or atom.array not in self.along else f"an item of {atom.array} of another step"
            case Role.PUBLIC:
                return "the number of questions" if atom.name.startswith("len(") else ""
            case Role.PRIVATE if not own_step:
                return "an answer of a later step" if before else "an answer that may be of a later step"
            case Role.NOISE if not own_step and not (isinstance(atom, Symbol) and atom.key in self.early):
                return "noise of another step"
            case Role.INDEX if atom.key != ITERATION.key:
                return "an index that is selected"
            case Role.OUTPUT:
                return "a real part of the output"
            case Role.STATE:
                return "the state of the loop"
        return ""
