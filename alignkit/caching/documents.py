"""Dataclasses as JSON and back, by their type hints, so that what is read has the types that it should have.

Where a hint says Any, the value is one of those that a mechanism computes with: numbers, tags, tuples, and events.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from alignkit.language.tags import Tag
from alignkit.output_events import ANYTHING, Anything, Interval, OneOf


def to_document(value: Any, hint: Any) -> Any:
    """Turn a value of a type into what JSON can hold; raise TypeError where it has no form for it."""
    if hint is Any:
        return _plain(value)
    if get_origin(hint) in (Union, types.UnionType):
        return None if value is None else to_document(value, _present(hint))
    if get_origin(hint) is tuple:
        return [to_document(item, _item(hint)) for item in value]
    if get_origin(hint) is Mapping:
        return {str(key): to_document(item, get_args(hint)[1]) for key, item in value.items()}
    if isinstance(hint, type) and is_dataclass(hint):
        return {name: to_document(getattr(value, name), kind) for name, kind in _hints(hint).items()}
    if not isinstance(value, hint):
        raise TypeError(f"{value!r} is no {hint}")
    return str(value) if isinstance(value, enum.Enum) else value


def from_document(document: Any, hint: Any) -> Any:
    """Read a value of a type; raise ValueError or TypeError where the document holds none."""
    if hint is Any:
        return _value(document)
    if get_origin(hint) in (Union, types.UnionType):
        return None if document is None else from_document(document, _present(hint))
    if get_origin(hint) is tuple:
        kind, items = _item(hint), _of(document, list)
        if kind in (int, str) and all(type(item) is kind for item in items):  # most items are lines
            return tuple(items)
        return tuple(from_document(item, kind) for item in items)
    if get_origin(hint) is Mapping:
        return {key: from_document(item, get_args(hint)[1]) for key, item in _of(document, dict).items()}
    if isinstance(hint, type) and is_dataclass(hint):
        kinds = _hints(hint)
        if set(_of(document, dict)) != set(kinds):
            raise ValueError(f"a {hint.__name__} has other fields")
        return hint(**{name: from_document(document[name], kind) for name, kind in kinds.items()})
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint(_of(document, str))
    if hint is float and type(document) is int:
        return float(document)
    return _of(document, hint)


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _present(hint: Any) -> Any:
    """The one type of an optional one."""
    (kind,) = (kind for kind in get_args(hint) if kind is not types.NoneType)
    return kind


def _item(hint: Any) -> Any:
    """The type of the items of a tuple of any length."""
    kind, _ = get_args(hint)
    return kind


def _of(document: Any, kind: type) -> Any:
    if type(document) is not kind:
        raise TypeError(f"a {kind.__name__} was expected, not {type(document).__name__}")
    return document


def _plain(value: Any) -> Any:
    """The document of a value that a mechanism computes with."""
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return {"float": repr(value)}
    if type(value) is Fraction:
        return {"fraction": str(value)}
    if type(value) is Tag:
        return {"tag": value.name}
    if isinstance(value, Mapping):
        return {"mapping": [[_plain(key), _plain(item)] for key, item in value.items()]}
    if type(value) in (tuple, list):
        return {type(value).__name__: list(map(_plain, value))}
    if isinstance(value, Interval):
        return {"interval": [_plain(value.low), _plain(value.high)]}
    if isinstance(value, OneOf):
        return {"one of": [_plain(item) for item in sorted(value.values, key=repr)]}
    if isinstance(value, Anything):
        return {"anything": None}
    raise TypeError(f"{type(value).__name__} has no document")


def _value(document: Any) -> Any:
    """The value of a document; the reverse of `_plain`."""
    if document is None or type(document) in (bool, int, str):
        return document
    ((kind, held),) = _of(document, dict).items()
    match kind:
        case "float":
            return float(_of(held, str))
        case "fraction":
            return Fraction(_of(held, str))
        case "tag":
            return Tag(_of(held, str))
        case "mapping":
            return {_value(key): _value(item) for key, item in _of(held, list)}
        case "tuple":
            return tuple(map(_value, _of(held, list)))
        case "list":
            return list(map(_value, _of(held, list)))
        case "interval":
            low, high = map(_value, _of(held, list))
            return Interval(low, high)
        case "one of":
            return OneOf(frozenset(map(_value, _of(held, list))))
        case "anything":
            return ANYTHING
        case _:
            raise ValueError(f"{kind} is no kind of value")
