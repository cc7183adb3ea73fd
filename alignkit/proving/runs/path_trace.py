"""What D did on one path, kept when the path is over.

Draws whose scale varies: it mentions more than public parameters and the iteration.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from alignkit.interpreting.values import Family, is_condition, is_number
from alignkit.language.kinds import BOOL, INT, MIXED, NONE, REAL, TAG, Kind, vector
from alignkit.language.program import Place
from alignkit.language.tags import Tag
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.facts.universals import PROBE
from alignkit.proving.runs.grown_lists import GrownList
from alignkit.proving.runs.lemma_calls import LemmaCall
from alignkit.proving.runs.loop_states import ITERATION, LoopRound
from alignkit.proving.runs.run_on_d import RunContext
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Role


@dataclass(frozen=True)
class VaryingScale:
    """The parameters of one draw on D that vary; of a vector, those at the index with the key ``index``."""

    name: str
    parameters: tuple[Any, ...]
    place: Place
    index: str = ""


@dataclass(frozen=True)
class TracedDraw:
    """One draw of a path, a vector of draws, or a call: from which distribution, at which scale, and how many."""

    name: str
    distribution: str
    arguments: tuple[str, ...]
    length: str = ""
    of_a_call: bool = False


@dataclass(frozen=True)
class Trace:
    """What D did on one path: its outputs and how it ended, what it drew, and what is known at the end.

    ``kinds`` are those of the outputs. ``public`` are the conditions on public values alone that lead down the path,
    ``of_iteration`` those on the iteration and public values, ``of_state`` those on public values, the variables of a
    loop and the number of its iteration, ``assumed`` all conditions. ``spread`` are the keys of the real parts that
    equal each fixed number with probability 0. ``places`` are the lines that gave the outputs, ``place`` is where the
    run ended. ``cost`` is what the shifts cost, and ``round`` the state of the loop, on a path through an iteration.
    ``varying`` are the draws whose scales vary.
    """

    outputs: tuple[Any, ...]
    kinds: tuple[Kind, ...]
    ended: str
    draws: tuple[TracedDraw, ...]
    public: tuple[Any, ...] = field(repr=False)
    hypotheses: Hypotheses = field(repr=False)
    places: tuple[int, ...]
    place: Place | None
    cost: Term
    round: LoopRound | None = None
    of_iteration: tuple[Any, ...] = field(repr=False, default=())
    spread: frozenset[str] = frozenset()
    of_state: tuple[Any, ...] = field(default=(), repr=False)
    assumed: tuple[Any, ...] = field(default=(), repr=False)
    varying: tuple[VaryingScale, ...] = field(default=(), repr=False)

    @property
    def key(self) -> Hashable:
        """Equal for traces that say the same."""
        return self.outputs, self.ended, self.draws, self.hypotheses.key


def of_iteration(value: Any) -> bool:
    """Whether the iteration at hand and public values decide a term or a condition."""
    decided = all(a.role is Role.PUBLIC or a.key == ITERATION.key for a in atoms_within(value) if a.role is not None)
    return decided and Role.UNKNOWN not in roles(value)


def kind_given(facts: Facts, value: Any) -> Kind:
    """The kind of a value, as the value itself shows it; MIXED where it does not."""
    if value is None or isinstance(value, Tag):
        return NONE if value is None else TAG
    if isinstance(value, tuple):
        return Kind("tuple", tuple(kind_given(facts, part) for part in value))
    if is_condition(value):
        return BOOL
    if is_number(value):
        return INT if Term.of(value).integer else REAL
    if isinstance(value, Family) and not isinstance(value, GrownList):
        with facts.elements.looking(), facts.indices.arbitrary() as index:
            return vector(kind_given(facts, value.element(index)))
    return MIXED


def numbers_within(output: Any) -> list[Term]:
    """The numbers of an output, in order."""
    if isinstance(output, tuple):
        return [number for part in output for number in numbers_within(part)]
    return [Term.of(output)] if is_number(output) else []


def traced_draws(facts: Facts, run: RunContext) -> tuple[TracedDraw, ...]:
    """What a run has drawn, in order: single draws first, then vectors."""
    single = [TracedDraw(str(d.where), d.distribution.name, _keys(d.arguments)) for d in run.drawn]
    with facts.elements.looking():
        lists = [TracedDraw(f.name, f.distribution.name, _keys(f.arguments(PROBE)), f.length.key) for f in run.families]
    calls = [
        TracedDraw(str(c.where), f"the call of {c.node.function.name}", _budget(c), of_a_call=True) for c in run.calls
    ]
    return (*single, *lists, *calls)


def _budget(call: LemmaCall) -> tuple[str, ...]:
    """The public numbers that a call is passed."""
    public = (call.arguments[name] for name in call.lemma.alignment.mechanism.public)
    return _keys([argument for argument in public if is_number(argument)])


def _keys(arguments: Sequence[Any]) -> tuple[str, ...]:
    return tuple(argument.key if isinstance(argument, Term) else str(argument) for argument in arguments)
