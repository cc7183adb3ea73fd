"""How an alignment is read: its claim and what is stated with it, the parameters of its function, and its program."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, TypeVar

from alignkit.arguments import items, shown
from alignkit.errors import InputError, LanguageError
from alignkit.language.inference import check_alignment, check_text
from alignkit.language.kinds import INT, NOISE, REAL, Names, join
from alignkit.language.parameters import ParameterType
from alignkit.language.program import Function, If, NoiseValue, Return, ShiftExpression, Statement, Yield, walk
from alignkit.language.reader import Reader, Signature
from alignkit.language.texts import read_text
from alignkit.running.adjacency import Adjacency, check_declared
from alignkit.running.alignment_program import DIRECTION, PRIVACY_COST, ROUNDS_OVER, AlignmentProgram
from alignkit.running.annotations import parameter_type
from alignkit.running.claims import read_claim, read_delta
from alignkit.running.lemma_definitions import moved_by_lemmas, read_lemmas
from alignkit.running.limits_of_noise import check_limits
from alignkit.running.mechanism_program import MechanismProgram
from alignkit.running.module_members import note_made, running_module
from alignkit.running.read_functions import AsRead

EXPECTATIONS = ("proved", "refuted", "undecided")
QUERIES = ("fixed", "adaptive")

Read = TypeVar("Read", bound=AlignmentProgram)


def alignment_maker(
    made: type[Read],
    as_read: Callable[[Function], AsRead],
    mechanism: MechanismProgram,
    *,
    epsilon: str | int | None,
    eta: str | int | None,
    adjacency: str,
    queries: str,
    expect: str,
    invariant: str | Sequence[str],
    lemmas: Sequence[AlignmentProgram],
    delta: str | float | None = None,
) -> Callable[[Callable[..., Any]], Read]:
    """Return what makes an alignment, of the type ``made``, of a function; what is stated of it is checked before.

    Raises InputError, and later LanguageError for the function. ``as_read`` keeps a function to be run.
    """
    if expect not in EXPECTATIONS:
        raise InputError(f"expect must be one of {', '.join(EXPECTATIONS)}, not {expect!r}")
    if queries not in QUERIES:
        raise InputError(f"queries must be one of {', '.join(QUERIES)}, not {queries!r}")
    kind = Adjacency.read(adjacency)
    check_declared(kind, mechanism)
    if (epsilon is None) == (eta is None):
        raise InputError("@alignment takes one claim: epsilon='eps', or eta='eta' for base-2 privacy")
    base = None if eta is None else 2
    for draw in mechanism.draws:
        if draw.distribution.base != base:
            raise InputError(
                f"{mechanism.name} draws {draw.key} with noise.{draw.distribution.name}, whose privacy loss is in "
                + ("natural units: claim epsilon=…" if base else "base 2: claim eta=…")
            )
    used = read_lemmas(lemmas, mechanism, base, pure=delta is None)
    several = "a string or a list of strings"
    texts = (invariant,) if isinstance(invariant, str) else items(invariant, "invariant", several)
    for text in texts:
        if not isinstance(text, str):
            raise InputError(f"an invariant must be a string such as 'count <= k', not {shown(text)}")
    stated_claim = epsilon if eta is None else eta
    if isinstance(stated_claim, bool) or not isinstance(stated_claim, str | int | Fraction | float):
        raise InputError(f"the claim must be a string such as 'eps / 2', or a number, not {shown(stated_claim)}")

    stated_delta = None if delta is None else _delta_stated(delta, queries, base)

    def decorate(function: Callable[..., Any]) -> Read:
        reader = Reader(function, noise=None, hidden="H")
        _check_parameters(function, reader.signature(), mechanism, kind)
        program = reader.read()
        _check_returns(program)
        _check_names(program, mechanism, moved_by_lemmas(mechanism, used))
        check_alignment(program, _kinds(program, mechanism), {d.key: d.depth for d in mechanism.draws})
        claim = str(stated_claim)
        public = {n: mechanism.kind(n) for n, k in mechanism.public.items() if not k.vector}
        stated, ex_post = read_claim(claim, mechanism, program.place)
        limited = check_limits(program)
        delta_expression = None if stated_delta is None else read_delta(stated_delta, mechanism, program.place)
        of_lemmas = [lemma for lemma in used if lemma.delta is not None]
        if of_lemmas:
            _check_before_calls(program, of_lemmas[0])
        if limited is not None and delta_expression is None:
            hint = "state what bounds the probability that they are broken: @alignment(…, delta='…')"
            raise limited.error("an alignment with limits claims (epsilon, delta), and no delta is stated", hint)
        if delta_expression is not None and ex_post:
            raise InputError("a claim with delta may not depend on the output: leave out len(omega)")
        if delta_expression is not None and limited is None and not of_lemmas:
            hint = "leave delta out, or say which noise delta pays for: H.shift(…).below(x=…)"
            raise program.place.error("nothing in the alignment has a limit, so delta pays for nothing", hint)
        at_loops = _locals_at_loops(mechanism)
        ambiguous = sorted(n for n in at_loops if f"{n}_" in at_loops)
        if texts and ambiguous:
            name = ambiguous[0]
            raise InputError(f"in an invariant, `{name}_` means `{name}` on D'; rename the local variable `{name}_`")
        on_d_prime = {f"{n}_": k for n, k in at_loops.items()}
        local = {ROUNDS_OVER: INT} | public | at_loops | on_d_prime | {PRIVACY_COST: REAL}
        invariants = tuple((t, read_text(t, local, "invariant", program.place)) for t in texts)
        for _, invariant_ in invariants:
            check_text(invariant_, local, condition=True)
        module = running_module()
        read = made(
            mechanism=mechanism,
            python=function,
            program=program,
            as_read=as_read(program),
            claim=claim,
            claim_expression=stated,
            base=base,
            ex_post=ex_post,
            adjacency=kind,
            adaptive=queries == "adaptive",
            expect=expect,
            invariants=invariants,
            by_name=mechanism.is_named,
            lemmas=used,
            home={} if module is None else module.f_globals,
            delta=stated_delta,
            delta_expression=delta_expression,
        )
        note_made(read, module)
        return read

    return decorate


def _check_before_calls(program: Function, lemma: AlignmentProgram) -> None:
    """Raise LanguageError where a shift may read what comes after a call that is used by a lemma with delta.

    What such a call is charged is for the arguments that D' passes, so these must be settled when D calls. They are if
    no draw before moves by what the output or other noise says.
    """
    read = ["the output omega"] if "omega" in program.parameters else []
    read += [f"the noise H.{node.name}" for node in walk(*program.body) if isinstance(node, NoiseValue)]
    if read:
        hint = "leave it out, or leave the lemma out to move the noise of the calls here"
        raise program.place.error(f"the lemma {lemma.name} has delta, and shifts read {read[0]}", hint)


def _delta_stated(delta: object, queries: str, base: int | None) -> str:
    """The text of a claim's delta; InputError where there can be none."""
    if isinstance(delta, bool) or not isinstance(delta, str | int | Fraction | float):
        raise InputError(f"delta must be a string such as 'exp(-eps * tau) / 2', or a number, not {shown(delta)}")
    text = str(delta)
    with suppress(ValueError, ZeroDivisionError):
        delta = Fraction(delta) if isinstance(delta, str) else delta
    if not isinstance(delta, str) and not 0 <= delta < 1:
        raise InputError(f"delta is a probability below 1, and {delta} is not")
    if queries == "adaptive":
        raise InputError("a claim with delta is for queries that are fixed in advance: leave out queries='adaptive'")
    if base is not None:
        raise InputError("a claim with delta is covered for epsilon only, not for base-2 privacy")
    return text


def _locals_at_loops(mechanism: MechanismProgram) -> Names:
    """The locals that have a value at the head of some loop."""
    kinds: Names = {}
    for names in mechanism.kinds.at_loop.values():
        for name, kind in names.items():
            if name != mechanism.noise_name:
                kinds[name] = join(kinds[name], kind) if name in kinds else kind
    return kinds


def _kinds(program: Function, mechanism: MechanismProgram) -> Names:
    """What the parameters of an alignment hold."""
    kinds = {name: mechanism.kind(name) for name in mechanism.parameters}
    kinds |= {f"{name}_": kinds[name] for name in mechanism.private}
    kinds = {DIRECTION: INT, **kinds, "omega": mechanism.kinds.output, "H": NOISE}
    return {name: kinds[name] for name in program.parameters}


def _check_parameters(
    function: Callable[..., Any], signature: Signature, mechanism: MechanismProgram, adjacency: Adjacency
) -> None:
    private = [n for name in mechanism.private for n in (name, f"{name}_")]
    available = [*private, "omega", "H", *mechanism.public]
    if adjacency is Adjacency.MONOTONE:
        available.append(DIRECTION)
    annotations = inspect.get_annotations(function)
    for name, place in signature.parameters.items():
        if name not in available:
            raise place.error(
                f"an alignment of {mechanism.name} has no parameter `{name}`", f"choose among {', '.join(available)}"
            )
        meant = name if name in mechanism.parameters else name.removesuffix("_")
        if meant in mechanism.parameters and name in annotations:
            _check_declared(annotations[name], name, signature, function, mechanism.parameters[meant])
    if "H" not in signature.parameters:
        raise signature.place.error("the alignment does not take H", "add the parameter H and return H.shift(…)")
    if function.__defaults__:
        name = list(signature.parameters)[-1]
        raise signature.parameters[name].error(
            f"`{name}` has a default value", "an alignment always gets all its arguments; leave the default value out"
        )


def _check_declared(
    annotation: Any, name: str, signature: Signature, function: Callable[..., Any], kind: ParameterType
) -> None:
    """Raise LanguageError where a parameter declares another sensitivity or lattice than the mechanism's has.

    The mechanism's is what the proof is for. An annotation that is no parameter type is for type checkers alone.
    """
    place = signature.parameters[name]
    try:
        own = parameter_type(annotation, name, place, function, signature.annotations.get(name, ""))
    except LanguageError:
        return
    if isinstance(own, type) or own == type(own)():
        return
    declared, meant = ((getattr(parameter, "sensitivity", 1), parameter.lattice) for parameter in (own, kind))
    if declared != meant:
        raise place.error(
            f"`{name}` is declared as {own}, and in the mechanism as {kind}",
            "use the mechanism's type, or leave the annotation out",
        )


def _check_returns(program: Function) -> None:
    """Every way through the alignment must return a shift."""
    for node in walk(*program.body):
        if isinstance(node, Yield):
            raise node.place.error("an alignment does not yield", "return H.shift(eta=1)")
        if isinstance(node, Return) and not isinstance(node.value, ShiftExpression):
            raise node.place.error("an alignment returns H.shift(name=…)", "return H.shift(eta=1)")
    if not _always_returns(program.body):
        raise program.place.error("the alignment may end without a shift", "end it with return H.shift(…)")


def _always_returns(body: tuple[Statement, ...]) -> bool:
    last = body[-1] if body else None
    if isinstance(last, If):
        return _always_returns(last.then) and _always_returns(last.other)
    return isinstance(last, Return)


def _check_names(program: Function, mechanism: MechanismProgram, moved: Mapping[str, str]) -> None:
    """Every draw that the alignment reads or shifts must be one draw of the mechanism, and not be ``moved`` by a lemma.
    """
    keys = {draw.key for draw in mechanism.draws}
    names = {draw.name for draw in mechanism.draws}
    for node in walk(*program.body):
        used = [(node.name, node.place)] if isinstance(node, NoiseValue) else []
        if isinstance(node, ShiftExpression):
            used = [(shift.name, shift.place) for shift in node.shifts]
            used += [(limit.name, limit.place) for limit in node.limits]
        for name, place in used:
            if name in moved:
                raise place.error(
                    f"`{name}` is noise of a call, which the lemma {moved[name]} moves",
                    "shift the mechanism's own draws only, or leave the lemma out to move the noise of the call here",
                )
            if name in names - keys:
                raise place.error(
                    f"{mechanism.name} draws `{name}` in more than one place, so the name is ambiguous",
                    "give each draw in the mechanism a name of its own",
                )
            if name not in keys:
                raise place.error(
                    f"{mechanism.name} draws no `{name}`", f"it draws {', '.join(sorted(keys)) or 'no noise'}"
                )
