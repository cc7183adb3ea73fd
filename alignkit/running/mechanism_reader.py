"""How a mechanism is read: its parameters from the annotations, then its program and the draws in it.

What a function's signature declares: the type of each parameter, the noise among them, and defaults.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from alignkit.errors import InputError
from alignkit.language.hints import PARAMETER_TYPES, likely_type
from alignkit.language.inference import check_text, infer
from alignkit.language.kinds import NOISE
from alignkit.language.parameters import Eta, NamedMultiple, ParameterType, Positive, Query, Real
from alignkit.language.program import (
    Arithmetic,
    Compare,
    Connective,
    Constant,
    Expression,
    Function,
    Name,
    Negate,
    Not,
    walk,
)
from alignkit.language.reader import Reader, Signature
from alignkit.language.texts import WHERE, read_text
from alignkit.running.annotations import aliases, parameter_type, read_anew
from alignkit.running.draws import find_draws
from alignkit.running.mechanism_program import MechanismProgram, kind_of
from alignkit.running.read_functions import AsRead

# Names that a mechanism's parameters may not have, and why.
RESERVED = {
    "H": "alignments use that name for the noise vector",
    "omega": "alignments use that name for the output",
    "seed": "`.sample` has an argument of that name",
    "self": "that is a method's own object",
}


_NOT_COPIED = "functools.wraps copies annotations from one function to another; leave it out"


def declared(function: Callable[..., Any], signature: Signature) -> tuple[dict[str, ParameterType], str]:
    """The types of the parameters, and the name of the one that is the noise."""
    annotations = inspect.get_annotations(function)
    _check_own(annotations, signature)
    parameters: dict[str, ParameterType] = {}
    noise = None
    for name, place in signature.parameters.items():
        if name in RESERVED:
            raise place.error(f"a parameter cannot be called `{name}`: {RESERVED[name]}", "choose another name")
        if name not in annotations:
            likely = likely_type(name)
            raise place.error(
                f"parameter `{name}` has no type",
                f"write {name}: {likely}; the types are {PARAMETER_TYPES}"
                if likely
                else f"write {name}: {PARAMETER_TYPES}",
            )
        kind = parameter_type(annotations[name], name, place, function, signature.annotations.get(name, ""))
        if not isinstance(kind, type):
            parameters[name] = kind
        elif noise is None:
            noise = name
        else:
            raise place.error("two parameters have the type Noise", f"draw everything from `{noise}`")
    if noise is None:
        raise signature.place.error("no parameter has the type Noise", "add a parameter `noise: Noise`")
    if not any(isinstance(kind, Query) for kind in parameters.values()):
        raise signature.place.error("no parameter is private", "annotate the query answers: q: Queries")
    for name, kind in parameters.items():
        if isinstance(kind, Query):
            _check_private(name, kind, parameters, signature)
        _check_lattice(name, kind, parameters, signature)
    return parameters, noise


def _check_own(annotations: Mapping[str, Any], signature: Signature) -> None:
    """Raise LanguageError where a function's annotations are not those that are written for it."""
    more = annotations.keys() - {"return"} - signature.parameters.keys()
    fewer = signature.annotations.keys() - annotations.keys()
    if more or fewer:
        raise signature.place.error(
            f"the annotation of `{min(more or fewer)}` shows that the annotations are those of another function",
            _NOT_COPIED,
        )


def check_types(
    declared: Mapping[str, ParameterType], evaluated: Mapping[str, ParameterType], signature: Signature
) -> None:
    """Raise LanguageError where a parameter's type is not the one that its annotation is evaluated to."""
    for name, kind in evaluated.items():
        if kind != declared[name]:
            raise signature.parameters[name].error(
                f"the annotation `{signature.annotations[name]}` is not the one that the function has for `{name}`",
                _NOT_COPIED,
            )


def _check_private(name: str, kind: Query, parameters: Mapping[str, ParameterType], signature: Signature) -> None:
    place = signature.parameters[name]
    if f"{name}_" in parameters:
        raise signature.parameters[f"{name}_"].error(
            f"`{name}_` is the name that an alignment uses for `{name}` on D'", "choose another name"
        )
    declared = kind.declared_bound
    if isinstance(declared, NamedMultiple) and kind.lattice is not None:
        raise place.error(
            f"the sensitivity of `{name}` is {declared}, which need not be a multiple of its lattice",
            f"give {declared} a name of its own, a public parameter of type Positive",
        )
    if isinstance(declared, str | NamedMultiple):
        named = parameters.get(declared if isinstance(declared, str) else declared.name)
        fits = isinstance(named, Real) and named.positive
        if isinstance(declared, NamedMultiple):
            fits = fits and not isinstance(named, Eta)  # a base-2 budget may be no number
        # On a lattice it is a multiple of that, which a whole number or a proportion need not be.
        if not fits or (kind.lattice is not None and type(named) is not Positive):
            raise place.error(
                f"the sensitivity of `{name}` is {declared!r}, which cannot be used as a sensitivity",
                "name a public parameter of type Positive, or give a number",
            )


def _check_lattice(
    name: str, kind: ParameterType, parameters: Mapping[str, ParameterType], signature: Signature
) -> None:
    place = signature.parameters[name]
    if isinstance(kind.lattice, str):
        named = parameters.get(kind.lattice)
        bounding = [k for k in parameters.values() if isinstance(k, Query) and k.declared_bound == kind.lattice]
        derived = any(k.lattice not in (None, kind.lattice) for k in bounding)
        if type(named) is not Positive or named.lattice is not None or derived:
            raise place.error(
                f"the lattice of `{name}` is {kind.lattice!r}, which cannot be used as a lattice",
                "name a public parameter of type Positive without a lattice of its own, or give a number",
            )
    if not isinstance(kind, Query) or kind.lattice is None or isinstance(kind.declared_bound, str | NamedMultiple):
        return
    if isinstance(kind.lattice, str) or Fraction(kind.declared_bound) % Fraction(kind.lattice):
        raise place.error(
            f"the sensitivity of `{name}` is {kind.declared_bound}, which need not be a multiple of its lattice",
            f"name a public parameter of type `Annotated[Positive, Lattice({kind.lattice!r})]`, or give a multiple",
        )


# What a condition on a sensitivity is made of: it then has a value wherever its names have.
_IN_CONDITIONS = (Arithmetic, Compare, Connective, Constant, Name, Negate, Not)


def _read_conditions(
    parameters: Mapping[str, ParameterType], signature: Signature
) -> dict[str, Expression]:
    """The condition on each sensitivity that has one, over single answers and public numbers."""
    numbers = {n: kind_of(kind) for n, kind in parameters.items() if not kind.vector and not isinstance(kind, Eta)}
    conditions = {}
    for name, kind in parameters.items():
        if not isinstance(kind, Query) or kind.local is None:
            continue
        condition = read_text(kind.local.where, numbers, WHERE, signature.parameters[name])
        check_text(condition, numbers, condition=True)
        for node in walk(condition):
            divides = isinstance(node, Arithmetic) and node.operator not in ("+", "-", "*")
            if divides or not isinstance(node, _IN_CONDITIONS):
                hint = "write comparisons of sums and products, joined by and, or, not"
                raise node.place.error(f"this is not covered in the {WHERE}", hint)
        read = {node.name for node in walk(condition) if isinstance(node, Name)}
        if not any(parameters[each].private for each in read):
            hint = f"write Sensitivity({kind.local.value}), or name an answer, as in where='d > 0'"
            raise condition.place.error(f"the {WHERE} reads no private answer", hint)
        conditions[name] = condition
    return conditions


def defaults(
    function: Callable[..., Any], parameters: Mapping[str, ParameterType], signature: Signature
) -> dict[str, Any]:
    """Defaults of public parameters, read as arguments are: what a caller does to them later changes no run."""
    values = {}
    # Not by inspect.signature, which may describe another function that this one is a wrapper of.
    given = getattr(function, "__defaults__", None) or ()
    for name, value in zip(list(signature.parameters)[-len(given) :], given, strict=False):
        place = signature.parameters[name]
        if name not in parameters or parameters[name].private:
            raise place.error(f"`{name}` has a default value", "only public parameters may have one")
        try:
            values[name] = parameters[name].read(value, name)
        except InputError as problem:
            wrong = f"the default value does not have the parameter's type: {problem}"
            raise place.error(wrong, "give another") from None
    return values


Read = TypeVar("Read", bound=MechanismProgram)


def read_mechanism(made: type[Read], as_read: Callable[[Function], AsRead], function: Callable[..., Any]) -> Read:
    """Make a mechanism, of the type ``made``, of a function; ``as_read`` keeps a function to be run.

    Raises LanguageError for anything outside the language.
    """
    reader = Reader(function, noise=None)
    signature = reader.signature()
    parameters, noise = declared(function, signature)
    evaluated = read_anew(function, signature, parameters)
    check_types(parameters, evaluated, signature)
    reader.noise = noise
    program = reader.read()
    kinds = infer(program, {name: kind_of(kind) for name, kind in parameters.items()} | {noise: NOISE})
    return made(
        python=function,
        program=program,
        parameters=parameters,
        noise_name=noise,
        draws=find_draws(program),
        kinds=kinds,
        as_read=as_read(program),
        defaults=defaults(function, parameters, signature),
        signature=signature,
        aliases=aliases(function, signature),
        evaluated=evaluated,
        conditions=_read_conditions(parameters, signature),
    )
