"""The types of a mechanism's parameters, read from their annotations: bare, in ``Annotated``, by an alias, as text."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Annotated, Any, ForwardRef, get_args, get_origin

from alignkit.errors import InputError, LanguageError
from alignkit.language.hints import PARAMETER_TYPES, did_you_mean, likely_type
from alignkit.language.parameters import (
    Count,
    Epsilon,
    Eta,
    Lattice,
    ParameterType,
    Positive,
    Proportion,
    Queries,
    Query,
    Real,
    Reals,
    Sensitivity,
)
from alignkit.language.program import Place
from alignkit.language.reader import Signature, names_in, texts_in
from alignkit.language.source_code import names_around
from alignkit.noise import Noise

# An alias of an alias of an alias …: more of them than this are one that stands for itself.
_MOST_ALIASES = 100

# No subclass counts: it could define its values in another way, and be taken for the class that it is made from.
_TYPES: tuple[type[ParameterType], ...] = (
    Queries,
    Query,
    Real,
    Reals,
    Positive,
    Proportion,
    Count,
    Epsilon,
    Eta,
)


def parameter_type(
    annotation: Any, name: str, place: Place, function: Callable[..., Any], written: str
) -> ParameterType | type[Noise]:
    """The type of a parameter that its annotation says; LanguageError, at its place, where alignkit knows no such type.

    ``written`` is the annotation as the signature has it; text in an alias is refused.
    The sensitivity and the lattice are part of the claim, so nothing that stands in ``Annotated`` is passed over.
    """
    base, metadata = _taken_apart(annotation, name, place, function, written)
    if metadata is None:
        return _bare(base, name, place)
    if not _is_class(base):
        raise _no_base(base, metadata, name, place)
    return _with_metadata(base, metadata, name, place)


def aliases(function: Callable[..., Any], signature: Signature) -> dict[str, Any]:
    """The names of the module that the annotations use and that stand for a type, and what they stand for now."""
    names = getattr(function, "__globals__", {})
    used = sorted({name for text in signature.annotations.values() for name in names_in(text)})
    return {name: names[name] for name in used if _is_type(names.get(name))}


def replaced(function: Callable[..., Any], read: Mapping[str, Any]) -> str:
    """The first alias that now stands for another type than in ``read``, when it was read; empty where none does.

    A name that is deleted, or used for something that is no type, does not count.
    """
    names = getattr(function, "__globals__", {})
    others = (n for n, value in read.items() if _is_type(names.get(n)) and not _is_same(names[n], value))
    return next(others, "")


def read_anew(
    function: Callable[..., Any], signature: Signature, parameters: Mapping[str, ParameterType]
) -> dict[str, ParameterType]:
    """The types that the annotations say when they are evaluated now, in the function's module.

    An annotation may use more than aliases: numbers, modules, calls. Left out are those that cannot be evaluated there,
    since they use names of a function around this one, or names that stand for something else by now.
    """
    types: dict[str, ParameterType] = {}
    annotations = {name: written for name, written in signature.annotations.items() if name in parameters}
    for name, written in annotations.items():
        with contextlib.suppress(LanguageError):
            kind = parameter_type(written, name, signature.parameters[name], function, written)
            if not isinstance(kind, type):
                types[name] = kind
    return types


def _is_type(value: Any) -> bool:
    alias = get_origin(value) is Annotated or type(value).__name__ == "TypeAliasType"
    return alias or type(value) in _TYPES or _is_class(value)


def _is_class(value: Any) -> bool:
    return isinstance(value, type) and value in _TYPES


def _is_same(value: Any, other: Any) -> bool:
    if type(value) is not type(other):
        return False
    if type(value).__name__ == "TypeAliasType":
        try:
            return _is_same(value.__value__, other.__value__)
        except Exception:  # what stands there is not defined
            return False
    return bool(value == other)


def _taken_apart(
    annotation: Any, name: str, place: Place, function: Callable[..., Any], written: str
) -> tuple[Any, tuple[Any, ...] | None]:
    """The annotation without text, aliases and ``Annotated``, and its metadata; None where it has no ``Annotated``."""
    metadata: tuple[Any, ...] | None = None
    for _ in range(_MOST_ALIASES):
        if isinstance(annotation, str | ForwardRef):
            annotation = _evaluated(annotation, name, place, function, written)
        elif get_origin(annotation) is Annotated:
            annotation, *more = get_args(annotation)
            metadata = (*more, *(metadata or ()))
        elif type(annotation).__name__ == "TypeAliasType":  # `type Counts = …`, from Python 3.12 on
            try:
                annotation = annotation.__value__
            except Exception as problem:
                raise _unreadable(problem, str(annotation), name, place) from None
        else:
            return annotation, metadata
    raise place.error(
        f"the type of parameter `{name}` cannot be read: {annotation} is defined by itself", f"write {PARAMETER_TYPES}"
    )


def _evaluated(
    annotation: str | ForwardRef, name: str, place: Place, function: Callable[..., Any], written: str
) -> Any:
    """What an annotation that is given as text stands for in the function's module.

    Two kinds of text are refused, since they might stand for something else there: text with a name that a function
    around this one binds, and the text of an alias, which may come from another module that is not known.
    """
    text = annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else annotation
    if next(texts_in(text), text) not in texts_in(written):
        raise place.error(
            f"the type of parameter `{name}` is an alias with the text {text!r} in it",
            f"write the alias without quotes, with what {text} stands for",
        )
    hidden = names_around(function)
    for used in names_in(text):
        if used in hidden:
            raise place.error(
                f"the type of parameter `{name}` is written in quotes, so it is evaluated in the module, but "
                f"`{used}` is a local name of `{hidden[used]}`",
                f"define `{used}` at the top of the file, under a name that `{hidden[used]}` does not use",
            )
    try:
        return eval(text, dict(getattr(function, "__globals__", {})))
    except Exception as problem:
        raise _unreadable(problem, text, name, place) from None


def _unreadable(problem: Exception, text: str, name: str, place: Place) -> Exception:
    if isinstance(problem, InputError):
        return place.error(f"the type of parameter `{name}` cannot be used: {problem}", f"change it in {text}")
    if isinstance(problem, NameError) and problem.name == "Annotated":
        hint = "write `from typing import Annotated` at the top of the file"
    else:
        meant = did_you_mean(text, PARAMETER_TYPES.replace(" or", ",").split(", "))
        hint = f"{meant}import the parameter types from alignkit at the top of the file"
    return place.error(f"the type of parameter `{name}` cannot be read: {problem}", hint)


def _bare(annotation: Any, name: str, place: Place) -> ParameterType | type[Noise]:
    """The type that an annotation without metadata names."""
    if annotation is Noise:
        return Noise
    if isinstance(annotation, Noise):
        problem = f"the annotation of parameter `{name}` is a noise source, not a type"
        raise place.error(problem, f"write {name}: Noise, without ()")
    kind: ParameterType = annotation() if _is_class(annotation) else annotation
    if type(kind) in _TYPES:
        return kind
    if isinstance(kind, Sensitivity | Lattice):
        raise place.error(
            f"parameter `{name}` has the type {_shown(kind)}, which stands beside a type",
            f"write {name}: Annotated[Queries, {_shown(kind)}]",
        )
    made_from = _made_from(kind)
    if made_from is not None:
        raise _own_class(kind, made_from, name, place)
    shown = _shown(annotation)
    likely = likely_type(name, shown)
    raise place.error(
        f"parameter `{name}` has the type {shown}, which alignkit does not know",
        (f"write {name}: {likely}, or " if likely else "") + f"use {PARAMETER_TYPES}, from alignkit",
    )


def _made_from(value: Any) -> type[ParameterType] | None:
    """The parameter type that a user's own class, or a value of it, is made from; None where it is none."""
    made = value if isinstance(value, type) else type(value)
    return None if made in _TYPES else next((base for base in made.__mro__ if base in _TYPES), None)


def _own_class(value: Any, made_from: type[ParameterType], name: str, place: Place) -> Exception:
    own = value.__name__ if isinstance(value, type) else type(value).__name__
    alias = f"Annotated[{made_from.__name__}, {'Sensitivity(2)' if made_from.private else 'Lattice(1)'}]"
    return place.error(
        f"parameter `{name}` has the type {own}, a class made from {made_from.__name__}, which alignkit does not know",
        f"write {name}: {made_from.__name__}, or make {own} an alias: {own} = {alias}",
    )


def _no_base(base: Any, metadata: tuple[Any, ...], name: str, place: Place) -> Exception:
    """The error for an ``Annotated`` whose first part is no parameter type."""
    if base is Noise or isinstance(base, Noise):
        return place.error(
            f"parameter `{name}` is noise, which has neither a sensitivity nor a lattice of its own",
            f"write {name}: Noise, and give the lattice to the draw: noise.discrete_laplace(scale, lattice)",
        )
    made_from = _made_from(base)
    if made_from is not None:
        return _own_class(base, made_from, name, place)
    if isinstance(base, ParameterType):
        return place.error(
            f"parameter `{name}` has the type {type(base).__name__}(…) inside Annotated: "
            "its properties must be in one place",
            f"write {name}: {_written(base, metadata)}",
        )
    likely = likely_type(name, _shown(base)) or "Queries"
    return place.error(
        f"parameter `{name}` is Annotated[{_shown(base)}, …], and alignkit does not know the type {_shown(base)}",
        f"write {name}: Annotated[{likely}, …], or use {PARAMETER_TYPES}, from alignkit",
    )


def _with_metadata(
    base: type[ParameterType], metadata: tuple[Any, ...], name: str, place: Place
) -> ParameterType:
    """The type with the sensitivity and the lattice that stand beside it."""
    given: dict[str, Any] = {}
    for item in metadata:
        if type(item) not in (Sensitivity, Lattice):
            raise place.error(
                f"parameter `{name}` has the metadata {_shown(item)}, which alignkit does not know",
                f"write {name}: Annotated[{base.__name__}, {'Sensitivity(2)' if base.private else 'Lattice(1)'}], "
                f"or {name}: {base.__name__}",
            )
        word = "sensitivity" if isinstance(item, Sensitivity) else "lattice"
        if word in given:
            raise place.error(
                f"parameter `{name}` has two {_PLURALS[word]}, {_shown(given[word])} and {_shown(item)}",
                f"give one; an alias such as Counts = Annotated[{base.__name__}, …] brings its own",
            )
        given[word] = item
    if "sensitivity" in given and not base.private:
        article = "an" if base.__name__[0] in "AEIOU" else "a"
        raise place.error(
            f"parameter `{name}` is {article} {base.__name__}, which is public, and only private answers have a "
            "sensitivity",
            f"leave {_shown(given['sensitivity'])} out, or use Query or Queries if {name} is private",
        )
    try:
        return base(**{word: item.declared if word == "sensitivity" else item.value for word, item in given.items()})
    except InputError as problem:
        raise place.error(
            f"the type of parameter `{name}` cannot be used: {problem}", f"write {name}: {base.__name__}"
        ) from None


_PLURALS = {"sensitivity": "sensitivities", "lattice": "lattices"}


def _written(kind: ParameterType, metadata: tuple[Any, ...]) -> str:
    """The type and what stands beside it, all in ``Annotated``."""
    parts: dict[Any, str] = {}
    if isinstance(kind, Query) and kind.sensitivity != 1:
        parts[Sensitivity] = _shown(Sensitivity(kind.declared_bound, None if kind.local is None else kind.local.where))
    if kind.lattice is not None:
        parts[Lattice] = _shown(Lattice(kind.lattice))
    for item in metadata:
        if isinstance(item, Sensitivity | Lattice):
            parts.setdefault(type(item), _shown(item))
    name = type(kind).__name__
    return f"Annotated[{', '.join((name, *parts.values()))}]" if parts else name


def _shown(value: Any) -> str:
    """A type, or what stands beside it, as its user wrote it, as far as that is known."""
    if isinstance(value, Sensitivity):
        return repr(value)
    if isinstance(value, Lattice):
        inner = value.value
        return f"{type(value).__name__}({inner if isinstance(inner, int) else str(inner)!r})"
    return value.__name__ if isinstance(value, type) else repr(value)
