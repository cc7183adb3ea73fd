"""What terms, their atoms and formulas have in common: they are trees, each known by its key.

Attributes that are computed once: functools.cached_property without its lock, which costs more than the rest.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar, overload

from alignkit.errors import TooLarge, Unsupported

T = TypeVar("T")


class lazy(Generic[T]):
    """A property that is computed when it is first read, and then kept with the instance."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self.compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> lazy[T] | T:
        if instance is None:
            return self
        value = self.compute(instance)
        object.__setattr__(instance, self.name, value)
        return value


class Role(enum.Enum):
    """What a symbol stands for; the conditions of a proof are stated in these words."""

    PUBLIC = "public parameter"
    PRIVATE = "private answer"
    NOISE = "noise"
    OUTPUT = "real part of the output"
    INDEX = "index"
    STATE = "state of a loop"
    UNKNOWN = "discrete part of the output"

    __hash__ = object.__hash__  # there is one object for each role, and Enum's own hash is written in Python

    @property
    def prefix(self) -> str:
        """The text before the name of a symbol in its key: users and programs may choose the same name."""
        return _PREFIXES.get(self, "")


_PREFIXES = {Role.NOISE: "H.", Role.OUTPUT: "omega: ", Role.INDEX: "#", Role.STATE: "loop: ", Role.UNKNOWN: "? "}


# The longest key, in characters, and how many products of single monomials are made for one product of two sums. A
# value that is built of itself again and again grows beyond any memory, while the longest keys of the catalogue have
# some 17,000 characters.
LONGEST_KEY = 500_000
MOST_PRODUCTS = 100_000


def not_too_long(key: str) -> str:
    """The key of a tree; raises TooLarge where it is so long that the tree's parts must repeat one another."""
    if len(key) > LONGEST_KEY:
        raise TooLarge(
            "a value is too large once every name in it is replaced by what it stands for; nest fewer of abs, clamp, "
            "max, min, / and `… if … else …` in one another, or branch with `if` statements, whose ways are proved one "
            "by one"
        )
    return key


TWO_NUMBERS = "one name that stands for two numbers, of which one alone is known to be whole, or above 0"


class OneMeaning:
    """Holds that each name stands for one number in all questions of a check: what is remembered goes by names."""

    def __init__(self) -> None:
        self._identities: dict[str, str] = {}
        self._seen: dict[int, SymbolicTree] = {}

    def require(self, trees: Iterable[Any]) -> None:
        """Raise Unsupported where an atom of some formulas has the name of another one that was met before."""
        for tree in trees:
            if isinstance(tree, bool) or id(tree) in self._seen:
                continue
            self._seen[id(tree)] = tree
            for identity, atom in tree.mentions.items():
                if self._identities.setdefault(atom.key, identity) != identity:
                    raise Unsupported(TWO_NUMBERS)


class SymbolicTree:
    """A term, an atom or a formula. What holds of the whole tree is computed once for each node, and kept with it."""

    key: str
    kind: str  # the method of a Traversal that treats it

    @property
    def children(self) -> Iterable[Any]:
        """The expressions of which this one is directly made."""
        return ()

    @lazy
    def mentions(self) -> dict[str, Atom]:
        """Every atom of the tree, by its identity."""
        mentions: dict[str, Atom] = {}
        for child in self.children:
            if not isinstance(child, Atom):
                mentions.update(child.mentions)
            elif child.identity not in mentions:
                mentions[child.identity] = child
                for part in child.children:
                    mentions.update(part.mentions)
        return mentions

    @lazy
    def within(self) -> tuple[Atom, ...]:
        """Every atom of the tree, once, those inside conditions, indices and inverses included."""
        return tuple(self.mentions.values())

    @lazy
    def keys_within(self) -> frozenset[str]:
        """The keys of all atoms of the tree."""
        return frozenset([atom.key for atom in self.within])

    @lazy
    def unknowns(self) -> frozenset[str]:
        """The names of the unknown Booleans in the tree."""
        names = [child.unknowns for child in self.children if child.unknowns]
        return _NO_NAMES.union(*names) if names else _NO_NAMES  # mostly there are none: always the same empty set

    @lazy
    def roles(self) -> frozenset[Role]:
        """What the symbols of the tree stand for; unknown Booleans count as discrete output."""
        roles = {atom.role for atom in self.within if atom.role is not None}
        if self.unknowns:
            roles.add(Role.UNKNOWN)
        return frozenset(roles)

    def __repr__(self) -> str:
        return self.key

    def __hash__(self) -> int:
        return hash(self.key)


_NO_NAMES: frozenset[str] = frozenset()


class Atom(SymbolicTree):
    """What terms are made of, by + and *: a symbol, or a value that depends on terms in another way.

    ``positive`` and ``integer`` are facts about every value that it may take.
    """

    name: str = ""
    role: Role | None = None
    integer: bool = False
    positive: bool = False

    @lazy
    def identity(self) -> str:
        """Equal for equal atoms only. Most atoms have in their keys all that they are made of."""
        return self.key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Atom) and self.identity == other.identity

    __hash__ = SymbolicTree.__hash__
