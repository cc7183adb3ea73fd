"""Tags: the discrete part of an output, such as ABOVE and BELOW."""

from __future__ import annotations

import keyword
from typing import ClassVar

from alignkit.public_names import public


@public
class Tag:
    """A named discrete output value. Two tags of one name are the same object.

    >>> Tag("MIDDLE") is Tag("MIDDLE")
    True
    >>> Tag("MIDDLE")
    MIDDLE
    """

    __slots__ = ("name",)
    _by_name: ClassVar[dict[str, Tag]] = {}

    name: str

    def __new__(cls, name: str) -> Tag:
        # A subclass of str may say itself what it is equal to, and then there are two tags of one name.
        if type(name) is not str or not name.isidentifier() or keyword.iskeyword(name):
            raise TypeError(f"a tag's name must be an identifier such as 'MIDDLE', not {name!r}")
        if name not in cls._by_name:
            tag = cls._by_name[name] = super().__new__(cls)
            object.__setattr__(tag, "name", name)
        return cls._by_name[name]

    def __init_subclass__(cls) -> None:
        raise TypeError(f"{cls.__name__} cannot derive from Tag; write NAME = Tag('NAME') for each tag")

    def __setattr__(self, attribute: str, value: object) -> None:
        raise AttributeError("a tag cannot be changed")

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[type[Tag], tuple[str]]:
        return (Tag, (self.name,))


ABOVE = Tag("ABOVE")
BELOW = Tag("BELOW")
