"""Calls that are used by a lemma: each is one draw with the same value on D and D′, at the price of the lemma's claim.

The theorem with its proof is in docs/theory/loops.md.

What a call of a mechanism gives where nothing is known of it but its kind: one value, the same on D and D′.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.operations import READS_FILTERED
from alignkit.interpreting.values import Coordinate, Family, FilteredList
from alignkit.language.kinds import Kind
from alignkit.language.program import Constant, MechanismCall
from alignkit.language.tags import Tag
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.ranges import within
from alignkit.proving.obligation import Obligation
from alignkit.proving.symbolic_inputs import Inputs, primed
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.draws import call_keys
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import Unknown, conjunction, disjunction, implies
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.summation import RunningSum
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Role
from alignkit.verdicts import Presumed


@dataclass(frozen=True, eq=False)
class Opaque:
    """A value of which nothing is known: it may be put out, and nothing else."""

    name: str

    def is_tag(self, tag: Tag) -> Any:
        raise Unsupported(f"which tag {self.name} is; a call that is used by its lemma gives an unknown value")


@dataclass(frozen=True, eq=False)
class Chunk:
    """All outputs of a mechanism that was called, put out one by one; nothing is known of their ``number``."""

    values: Any

    @property
    def number(self) -> Term:
        """How many there are."""
        if isinstance(self.values, Opaque):
            return Term.of(Symbol(f"len({self.values.name})", Role.INDEX, integer=True, called=True))
        return Term.of(self.values.length)


def outputs_in(values: Iterable[Any]) -> Term:
    """How many outputs there are among values that were put out, each of which may be all that a call gives."""
    return sum((value.number if isinstance(value, Chunk) else Term.of(1) for value in values), Term.of(0))


def value_of_kind(kind: Kind, name: str, tags: list[Tag], decide: Callable[[Any], bool]) -> Any:
    """A value of the kind, named ``name``; ``decide`` says which way an unknown condition goes on this path.

    Numbers that are not whole have the role of noise: the scale of a draw may not depend on them, nor may a shift.
    """
    match kind.name:
        case "int":
            return Term.of(Symbol(name, Role.INDEX, integer=True, called=True))
        case "real":
            return Term.of(Symbol(name, Role.NOISE, called=True))
        case "bool":
            return Unknown(name)
        case "none":
            return None
        case "tag" if tags:
            return next((tag for tag in tags[:-1] if decide(Unknown(f"{name} is {tag}"))), tags[-1])
        case "tuple":
            return tuple(value_of_kind(part, f"{name}[{i}]", tags, decide) for i, part in enumerate(kind.parts))
        case "vector" if kind.parts[0].is_number:
            whole = kind.parts[0].name == "int"
            role = Role.INDEX if whole else Role.NOISE
            length = Term.of(Symbol(f"len({name})", Role.INDEX, integer=True, called=True))
            return Family(length, lambda index: Term.of(Element(name, Term.of(index), role, whole, called=True)))
    return Opaque(name)


def from_a_call(atom: Any) -> bool:
    """Whether an atom is a number that a call gave."""
    return isinstance(atom, Symbol | Element) and atom.called


def tags_within(value: Any) -> Iterator[Tag]:
    """The tags in a value."""
    if isinstance(value, tuple):
        for part in value:
            yield from tags_within(part)
    elif isinstance(value, Tag):
        yield value


UNKNOWN_OUTPUTS = "the alignment reads omega, of which calls give parts that are not known; leave the parameter out"


def is_unknown(value: Any) -> bool:
    """Whether a value, or a part of it, is one of which nothing is known."""
    if isinstance(value, tuple):
        return any(map(is_unknown, value))
    return isinstance(value, Opaque | Chunk)


@dataclass(frozen=True)
class Lemma:
    """A proved alignment of a mechanism that is called.

    ``presumed`` says for which public parameters it is proved. ``output`` is the kind of what it gives on every path,
    and ``tags`` are those that its outputs have on any. ``positions`` are the parts of the returned value, by their
    paths, that are a position in every private list, which is ``obliged`` of every path. ``assumptions`` are what its
    proof assumes besides.
    """

    alignment: AlignmentProgram
    presumed: tuple[Presumed, ...]
    output: Kind
    tags: tuple[Tag, ...]
    positions: frozenset[tuple[int, ...]]
    obliged: tuple[Obligation, ...] = field(repr=False)
    assumptions: tuple[str, ...]

    @property
    def gives_positions(self) -> str:
        """What is obliged of the positions, in words."""
        return f"{self.alignment.mechanism.name} gives positions in each of its lists"


def charged(lemma: Lemma) -> Lemma:
    """The lemma with its delta for a claim: what a call may lose in probability; 0 where its claim is pure."""
    of, place = lemma.alignment, lemma.alignment.program.place
    delta = Constant(place, 0) if of.delta_expression is None else of.delta_expression
    return replace(lemma, alignment=replace(of, claim=of.delta or "0", claim_expression=delta))


@dataclass(frozen=True)
class Lemmas:
    """The lemmas of an alignment: ``stated`` in its decorator, and those ``proved`` among them, by their mechanisms."""

    stated: tuple[AlignmentProgram, ...] = ()
    proved: Mapping[Any, Lemma] = field(default_factory=dict)

    def of(self, node: MechanismCall) -> Lemma | None:
        """The lemma by which a call is used; None where it is inlined. Unsupported where the lemma is not proved."""
        if node.mechanism in self.proved:
            return self.proved[node.mechanism]
        named = [lemma.name for lemma in self.stated if lemma.mechanism is node.mechanism]
        if named:
            raise Unsupported(f"the lemma {named[0]} of the call of {node.function.name} is not proved", node.place)
        return None


@dataclass(frozen=True)
class LemmaCall:
    """One call on D: its arguments by name, the value it gives, the lemma's claim for it, and what it costs at most.

    With ``equal`` it costs nothing, since D′ passes the same private answers. ``expected`` are the private arguments
    that D′ is expected to pass where the price depends on whether they are those of D.
    """

    where: Coordinate
    node: MechanismCall
    lemma: Lemma
    arguments: Mapping[str, Any]
    value: Any
    claim: Term
    price: Term
    equal: bool = False
    expected: Mapping[str, Any] = field(default_factory=dict)


def call_on_d(run: Any, evaluator: Evaluator, node: MechanismCall, lemma: Lemma, given: tuple[Any, ...]) -> LemmaCall:
    """A call on D's symbolic run, whose context is ``run``."""
    if len(evaluator.iteration) > 1:
        raise Unsupported("a call of a mechanism in nested loops", node.place)
    if any(isinstance(i, Term) and i != run.iteration for i in evaluator.iteration):
        raise Unsupported("a call of a mechanism for each item of a list of symbolic length", node.place)
    if any(isinstance(argument, FilteredList) for argument in given):
        raise Unsupported(READS_FILTERED, node.place)
    inputs: Inputs = run.facts.inputs
    arguments = dict(zip(node.function.parameters, given, strict=True))
    del arguments[node.mechanism.noise_name]
    key = call_keys(inputs.mechanism.program)[evaluator.path, node.site]
    where = Coordinate(key, evaluator.iteration)
    _has_items(run, arguments, lemma, node)
    value = value_of_kind(lemma.output, f"{where}()", list(lemma.tags), lambda c: run.decide(c, node.place))
    for path in lemma.positions:
        _is_position(run, part_at(value, path), arguments, lemma)
    with run.labelled(f" (in the claim of {lemma.alignment.name})"):
        claim = Term.of(Evaluator(run).number(lemma.alignment.claim_expression, arguments))
    private = {name: arguments[name] for name in lemma.alignment.mechanism.private}
    if all(_is_public(atom) for atom in _atoms(run, private)):
        return LemmaCall(where, node, lemma, arguments, value, claim, Term.of(0), equal=True)
    expected: dict[str, Any] = {}
    price = claim
    if inputs.adjacency.shared and all(_of_inputs(atom, run) for atom in _atoms(run, private)):
        expected = {name: on_d_prime(inputs, argument) for name, argument in private.items()}
        price = disjunction(tuple(_differ(run, key, private[n], expected[n]) for n in private)).choose(claim, 0)
    return LemmaCall(where, node, lemma, arguments, value, claim, price, expected=expected)


def part_at(value: Any, path: tuple[int, ...]) -> Any:
    """The part of a value at a path."""
    for index in path:
        value = value[index]
    return value


def _has_items(run: Any, arguments: Mapping[str, Any], lemma: Lemma, node: MechanismCall) -> None:
    """Oblige that lists are as long as the lemma has them, before anything is known of what the call gives."""
    callee = lemma.alignment.mechanism
    for name, kind in callee.parameters.items():
        if kind.vector and kind.shortest:
            enough = length_of(arguments[name]).compare(">=", kind.shortest)
            words = f"call of {callee.name}: {name} has at least {kind.shortest} item"
            run.owed.lemma("termination", enough, node.place, words)


def _is_position(run: Any, value: Term, arguments: Mapping[str, Any], lemma: Lemma) -> None:
    for name, kind in lemma.alignment.mechanism.private.items():
        if kind.vector:
            length = length_of(arguments[name])
            some = implies(length.compare(">=", 1), within(value, length))
            run.facts.assume(some, FactOrigin.OBLIGED, lemma.gives_positions)
            vector = run.facts.inputs.vector
            if vector is not None and length == length_of(run.facts.inputs.values[vector]):
                run.positions.add(value.key)


def length_of(argument: Any) -> Term:
    """The number of items of a list."""
    return Term.of(argument.length if isinstance(argument, Family) else len(argument))


def argument_items(argument: Any, index: Term | None) -> list[tuple[Any, Any]]:
    """The numbers of an argument, each with the condition under which it is one.

    They stand one by one; of a list of symbolic length there is the item at ``index`` alone.
    """
    if isinstance(argument, Family):
        assert index is not None
        return [(argument.element(index), within(index, argument.length))]
    return [(item, True) for item in (argument if isinstance(argument, tuple) else (argument,))]


def _atoms(run: Any, private: Mapping[str, Any]) -> Iterator[Any]:
    """The atoms of all private arguments."""
    for argument in private.values():
        with run.facts.elements.looking(), run.facts.indices.arbitrary() as index:
            found = [Term.of(item) for item, _ in argument_items(argument, index)]
        yield from run.facts.dependencies.atoms(*found)


def _is_public(atom: Any) -> bool:
    """Whether an atom may be expected to be the same on D′: a public value, or what an earlier call gave."""
    if not isinstance(atom, Symbol | Element):
        return True  # what it is made of is among the atoms too
    if atom.role in (Role.PUBLIC, Role.INDEX):
        return True
    return from_a_call(atom)


def _of_inputs(atom: Any, run: Any) -> bool:
    """Whether D′ has an atom of its own for this one of D, or the same one: an answer, a public value, an index."""
    if not isinstance(atom, Symbol | Element):
        return True
    if isinstance(atom, RunningSum):
        return False  # a sum of answers may differ although the answer at hand does not
    return atom.role is Role.PRIVATE or _is_public(atom)


def on_d_prime(inputs: Inputs, argument: Any) -> Any:
    """An argument with the answers of D′ in the place of those of D."""
    if isinstance(argument, Family):
        return Family(argument.length, lambda index: on_d_prime(inputs, argument.element(index)))
    if isinstance(argument, tuple):
        return tuple(on_d_prime(inputs, item) for item in argument)
    term, private = Term.of(argument), inputs.mechanism.private
    replaced: dict[Any, Term] = {}
    for atom in atoms_within(term):
        if isinstance(atom, Element) and atom.role is Role.PRIVATE and atom.array in private:
            replaced[atom] = Term.of(Element(primed(atom.array), atom.index, Role.PRIVATE))
        if isinstance(atom, Symbol) and atom.role is Role.PRIVATE:
            array, bracket, rest = atom.name.partition("[")
            if array not in private:
                raise Unsupported("an argument of a call that mixes answers of D and of D'")
            replaced[atom] = Term.of(Symbol(primed(array) + bracket + rest, Role.PRIVATE))
    return substitute(term, replaced)


def _differ(run: Any, key: str, one: Any, other: Any) -> Any:
    """Whether two private arguments differ; in a list, at the index where they do if they do anywhere."""
    index = run.facts.indices.fresh(f"where the answers to {key} differ") if isinstance(one, Family) else None
    pairs = zip(argument_items(one, index), argument_items(other, index), strict=True)
    return disjunction(
        tuple(conjunction((inside, Term.of(a).compare("!=", Term.of(b)))) for (a, inside), (b, _) in pairs)
    )


def price_of_calls(calls: list[LemmaCall]) -> Term:
    """What calls cost together."""
    return sum((call.price for call in calls), Term.of(0))


def budget_is_public(run: Any, call: LemmaCall) -> None:
    """Oblige what a call costs to be a public number, whatever noise came before."""
    iteration = set() if run.iteration is None else {a.key for a in run.iteration.atoms()}
    claim = call.claim
    strange = {a.role for a in atoms_within(claim) if a.role is not None and a.key not in iteration}
    strange = (strange | roles(claim) & {Role.UNKNOWN}) - {Role.PUBLIC}
    if strange:
        listed = ", ".join(sorted(role.value for role in strange))
        words = f"the budget of {call.where.key} depends on: {listed}; it may depend on public parameters only"
        run.owed.exclude("noise_used", call.node.place, words)
