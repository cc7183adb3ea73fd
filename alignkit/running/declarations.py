"""What a function's signature declares: the type of each parameter, the noise among them, and defaults."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError
from alignkit.language.hints import PARAMETER_TYPES, did_you_mean, likely_type
from alignkit.language.parameters import ParameterType, Positive, Query, Real, Reals
from alignkit.language.program import Place
from alignkit.language.reader import Signature
from alignkit.noise import Noise

# Names that a mechanism's parameters may not have, and what they are.
RESERVED = {
    "H": "the noise vector",
    "omega": "the output, to an alignment",
    "seed": "which .sample takes",
    "self": "a method's own object",
}


def declared(function: Callable[..., Any], signature: Signature) -> tuple[dict[str, ParameterType], str]:
    """The types of the parameters, and the name of the one that is the noise."""
    annotations = _annotations(function, signature)
    parameters: dict[str, ParameterType] = {}
    noise = None
    for name, place in signature.parameters.items():
        if name in RESERVED:
            raise place.error(f"a parameter cannot be called `{name}`, {RESERVED[name]}", "choose another name")
        if name not in annotations:
            likely = likely_type(name)
            raise place.error(
                f"parameter `{name}` has no type",
                f"write {name}: {likely}; the types are {PARAMETER_TYPES}"
                if likely
                else f"write {name}: {PARAMETER_TYPES}",
            )
        if annotations[name] is Noise:
            if noise is not None:
                raise place.error("two parameters are noise", f"draw everything from `{noise}`")
            noise = name
        else:
            parameters[name] = _parameter_type(annotations[name], name, place)
    if noise is None:
        raise signature.place.error("no parameter is the noise", "add a parameter `noise: Noise`")
    if not any(isinstance(kind, Query) for kind in parameters.values()):
        raise signature.place.error("no parameter is private", "annotate the query answers: q: Queries")
    for name, kind in parameters.items():
        if isinstance(kind, Query):
            _check_private(name, kind, parameters, signature)
        _check_lattice(name, kind, parameters, signature)
    return parameters, noise


def _annotations(function: Callable[..., Any], signature: Signature) -> dict[str, Any]:
    """The annotations of the parameters; those given as text are evaluated in the function's module."""
    found = {}
    for name, annotation in inspect.get_annotations(function).items():
        if name == "return":
            continue
        try:
            known = getattr(function, "__globals__", {})
            found[name] = eval(annotation, known) if isinstance(annotation, str) else annotation
        except Exception as problem:
            meant = did_you_mean(annotation, PARAMETER_TYPES.replace(" or", ",").split(", "))
            raise signature.parameters[name].error(
                f"the type of parameter `{name}` cannot be read: {problem}",
                f"{meant}import the parameter types from alignkit at the top of the file",
            ) from None
    return found


def _parameter_type(annotation: Any, name: str, place: Place) -> ParameterType:
    known = isinstance(annotation, type) and issubclass(annotation, Real | Reals | Query)
    kind = annotation() if known else annotation
    if isinstance(annotation, Noise):
        raise place.error(f"parameter `{name}` is a noise source, not its type", f"write {name}: Noise, without ()")
    if not isinstance(kind, Real | Reals | Query):
        shown = annotation.__name__ if isinstance(annotation, type) else repr(annotation)
        likely = likely_type(name, shown)
        raise place.error(
            f"parameter `{name}` has the type {shown}, which alignkit does not know",
            (f"write {name}: {likely}, or " if likely else "") + f"use {PARAMETER_TYPES}, from alignkit",
        )
    return kind


def _check_private(name: str, kind: Query, parameters: Mapping[str, ParameterType], signature: Signature) -> None:
    place = signature.parameters[name]
    if f"{name}_" in parameters:
        raise signature.parameters[f"{name}_"].error(
            f"`{name}_` is what an alignment calls `{name}` under D'", "choose another name"
        )
    if isinstance(kind.sensitivity, str):
        named = parameters.get(kind.sensitivity)
        fits = isinstance(named, Real) and named.positive
        # On a lattice it is a multiple of that, which a whole number or a proportion need not be.
        if not fits or (kind.lattice is not None and type(named) is not Positive):
            raise place.error(
                f"the sensitivity of `{name}` is {kind.sensitivity!r}",
                "name a public parameter of type Positive, or give a number",
            )


def _check_lattice(
    name: str, kind: ParameterType, parameters: Mapping[str, ParameterType], signature: Signature
) -> None:
    place = signature.parameters[name]
    if isinstance(kind.lattice, str):
        named = parameters.get(kind.lattice)
        bounding = [k for k in parameters.values() if isinstance(k, Query) and k.sensitivity == kind.lattice]
        derived = any(k.lattice not in (None, kind.lattice) for k in bounding)
        if type(named) is not Positive or named.lattice is not None or derived:
            raise place.error(
                f"the lattice of `{name}` is {kind.lattice!r}",
                "name a public parameter of type Positive without a lattice of its own, or give a number",
            )
    if not isinstance(kind, Query) or kind.lattice is None or isinstance(kind.sensitivity, str):
        return
    if isinstance(kind.lattice, str) or Fraction(kind.sensitivity) % Fraction(kind.lattice):
        raise place.error(
            f"the sensitivity of `{name}` is {kind.sensitivity}, which need not be a multiple of its lattice",
            f"make it a public parameter `Positive(lattice={kind.lattice!r})` and name that, or give a multiple",
        )


def defaults(
    function: Callable[..., Any], parameters: Mapping[str, ParameterType], signature: Signature
) -> dict[str, Any]:
    """Defaults of public parameters, checked as arguments are."""
    found = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.default is inspect.Parameter.empty:
            continue
        place = signature.parameters[name]
        if name not in parameters or parameters[name].private:
            raise place.error(f"`{name}` has a default value", "only public parameters may have one")
        try:
            parameters[name].read(parameter.default, name)
        except InputError as problem:
            raise place.error(f"the default value is not of its type: {problem}", "give another") from None
        found[name] = parameter.default
    return found
