"""Adjacency: how far the private answers of D and D′ may lie apart.

``Adjacency.of_one_answer`` and ``Adjacency.of_all_answers`` are the one definition: they hold for numbers and for
symbolic terms alike, so that proofs, searches and attacks mean the same pairs of databases.
"""

from __future__ import annotations

import enum
import itertools
import operator
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from alignkit.arguments import shown
from alignkit.errors import InputError
from alignkit.interpreting import operations as op
from alignkit.language.parameters import exact
from alignkit.running.mechanism_program import MechanismProgram

_FEW = re.compile(r"few\(([1-9][0-9]{0,17}|[^\W\d]\w*)\)")


class Adjacency(enum.StrEnum):
    """Which pairs of databases are adjacent, in terms of their query answers and the sensitivity Δ.

    Besides the members listed here there is ``few(l)`` for each whole number l of at least 1, and for each name of a
    public parameter: at most l answers in all private parameters together may change, each by up to its Δ.
    """

    EACH = "each"  # every answer may change by up to Δ
    MONOTONE = "monotone"  # every answer may change by up to Δ, all in one direction
    ONE = "one"  # one answer in all private parameters together may change, by up to its Δ
    L1 = "l1"  # the changes in all private parameters together add up to at most Δ

    @classmethod
    def _missing_(cls, value: object) -> Adjacency | None:
        """``few(l)``, made once for each l, so that it is the same object wherever it is read."""
        if not isinstance(value, str) or not _FEW.fullmatch(value):
            return None
        made = str.__new__(cls, value)
        made._name_ = made._value_ = str(value)
        return cls._value2member_map_.setdefault(made._value_, made)  # type: ignore[return-value]

    @classmethod
    def read(cls, name: str) -> Adjacency:
        """The adjacency of a name; InputError lists them."""
        try:
            return cls(name)
        except ValueError:
            if isinstance(name, str) and name.startswith("few"):
                problem = "few says how many answers may change: few(2), a whole number of at least 1, or few(l) for a"
                raise InputError(f"{problem} public parameter `l: Count` of the mechanism; not {name!r}") from None
            raise InputError(f"adjacency must be one of {', '.join((*cls, 'few(l)'))}, not {name!r}") from None

    @property
    def most(self) -> str | None:
        """How many answers may change under ``few``, as it is written; None under the others."""
        found = _FEW.fullmatch(self.value)
        return None if found is None else found[1]

    @property
    def counts_changes(self) -> bool:
        """Whether a change is one of a number of changes, however large it is: under ``one`` and ``few``."""
        return self is Adjacency.ONE or self.most is not None

    @property
    def shared(self) -> bool:
        """Whether all answers together share an allowance: under ``one``, ``few`` and ``l1``."""
        return self.counts_changes or self is Adjacency.L1

    def allowance(self, values: Mapping[str, Any], sensitivity: Any) -> Any:
        """What all answers together may spend: a number of changes, or under ``l1`` the sensitivity."""
        if self.most is None:
            return 1 if self is Adjacency.ONE else sensitivity
        return int(self.most) if self.most.isdecimal() else values[self.most]

    def at(self, values: Mapping[str, Any]) -> Adjacency:
        """The adjacency for these arguments: ``few`` with the number that it names."""
        return self if self.most is None else Adjacency(f"few({int(self.allowance(values, None))})")

    @property
    def covered_by(self) -> tuple[Adjacency, ...]:
        """The adjacencies that allow every pair that this one allows, itself first.

        What is proved under one of them holds under this one. A single change of at most the sensitivity is a
        monotone one, and adds up to at most that.
        """
        if self.most is not None:
            return self, Adjacency.EACH
        return {
            Adjacency.EACH: (Adjacency.EACH,),
            Adjacency.MONOTONE: (Adjacency.MONOTONE, Adjacency.EACH),
            Adjacency.L1: (Adjacency.L1, Adjacency.EACH),
            Adjacency.ONE: (Adjacency.ONE, Adjacency.L1, Adjacency.MONOTONE, Adjacency.EACH),
        }[self]

    def of_one_answer(self, change: Any, bound: Any, *, rises: Any, unchanged: Any = False) -> list[Any]:
        """What must hold of the change of one answer, whose sensitivity is ``bound``: conditions, on numbers or terms.

        ``rises`` says whether the answers rise rather than fall, of which ``monotone`` allows one; ``unchanged``
        whether it is another answer that changes, of which ``one`` allows one.
        """
        within = [op.compare_numbers("<=", change, bound), op.compare_numbers(">=", change, -bound)]
        if self is Adjacency.MONOTONE:
            up = op.all_of([op.compare_numbers(">=", change, 0), within[0]])
            down = op.all_of([op.compare_numbers("<=", change, 0), within[1]])
            return [op.any_of([op.negation(rises), up]), op.any_of([rises, down])]
        if self is Adjacency.ONE and unchanged is not False:
            return [*within, op.any_of([op.negation(unchanged), op.compare_numbers("==", change, 0)])]
        return within

    def of_all_answers(self, changes: Sequence[Any], allowance: Any) -> list[Any]:
        """The conditions on the changes of all answers together, in addition to those on each of them."""
        if self is Adjacency.L1:
            return [op.compare_numbers("<=", sum(map(abs, changes)), allowance)]
        if self.most is not None:
            changed = (op.choose(op.compare_numbers("!=", change, 0), 1, 0) for change in changes)
            return [op.compare_numbers("<=", sum(changed), allowance)]
        if self is Adjacency.ONE:
            same = [op.compare_numbers("==", change, 0) for change in changes]
            before = list(itertools.accumulate([True, *same], operator.and_))
            after = list(itertools.accumulate([True, *reversed(same)], lambda later, change: change & later))[::-1]
            return [op.any_of([before[i] & after[i + 1] for i in range(len(same))])]
        return []

    def allows(self, changes: Sequence[Fraction], bounds: Sequence[Fraction]) -> bool:
        """Whether these changes of the answers, whose sensitivities are ``bounds``, make adjacent databases.

        ``few`` must say its number, as ``at`` has it.
        """
        rises = any(change > 0 for change in changes)
        pairs = zip(changes, bounds, strict=True)
        return all(all(self.of_one_answer(change, bound, rises=rises)) for change, bound in pairs) and (
            not changes or all(self.of_all_answers(changes, self.allowance({}, min(bounds))))
        )


def is_adjacency(value: object) -> bool:
    """Whether this is the name of an adjacency."""
    return isinstance(value, str) and (value in tuple(Adjacency) or _FEW.fullmatch(value) is not None)


def check_declared(adjacency: Adjacency, mechanism: MechanismProgram) -> None:
    """Raise InputError where the adjacency does not fit what the mechanism declares.

    Changes of parameters that declare different sensitivities do not add up, and ``few`` names a public whole number.
    """
    if adjacency.most is not None and not adjacency.most.isdecimal():
        kind = mechanism.parameters.get(adjacency.most)
        if kind is None:
            counts = [name for name, k in mechanism.public.items() if k.integer and not k.vector]
            has = f"; {', '.join(counts)} may be named" if counts else ""
            raise InputError(f"adjacency {adjacency}: {mechanism.name} has no parameter `{adjacency.most}`{has}")
        if kind.private or kind.vector or not kind.integer or not kind.positive:
            problem = "is private" if kind.private else f"is {kind.describes}"
            raise InputError(
                f"adjacency {adjacency}: how many answers may change is a public whole number of at least 1, declared "
                f"as Count; `{adjacency.most}` {problem}"
            )
    declared = {name: kind.sensitivity for name, kind in mechanism.private.items()}
    local = [name for name, kind in mechanism.private.items() if kind.local is not None]
    if local and adjacency is not Adjacency.EACH:
        raise InputError(
            f"the sensitivity of {local[0]} holds under a condition, which is covered under adjacency each only, not "
            f"under {adjacency}"
        )
    if adjacency is Adjacency.L1 and len(set(declared.values())) > 1:
        listed = ", ".join(f"{name}: {sensitivity}" for name, sensitivity in declared.items())
        raise InputError(
            "under adjacency l1 the changes of all private answers add up to at most one sensitivity; the private "
            f"parameters of {mechanism.name} declare different ones ({listed})"
        )


class Breach(enum.Enum):
    """What keeps two vectors of answers from being adjacent."""

    TOO_FAR = "an answer changes by more than the sensitivity"
    TOO_MUCH = "the changes add up to more than the sensitivity"
    SEVERAL = "more answers change than may"
    BOTH_WAYS = "some answers rise and others fall"


def breach(adjacency: Adjacency, changes: Sequence[Fraction], bound: Fraction) -> tuple[Breach, int] | None:
    """Why changes of answers with one sensitivity are not adjacent, and at which answer; None where they are.

    >>> breach(Adjacency.ONE, [Fraction(1), Fraction(1)], Fraction(1))
    (<Breach.SEVERAL: 'more answers change than may'>, 1)
    """
    if adjacency.allows(changes, [bound] * len(changes)):
        return None
    for i, change in enumerate(changes):
        if abs(change) > bound:
            return Breach.TOO_FAR, i
    last = len(changes) - 1
    if adjacency is Adjacency.L1:
        return Breach.TOO_MUCH, last
    return (Breach.SEVERAL if adjacency.counts_changes else Breach.BOTH_WAYS), last


def check_adjacent(
    adjacency: Adjacency, mechanism: MechanismProgram, values: Mapping[str, Any], values_: Mapping[str, Any]
) -> None:
    """Raise InputError, saying where, unless both are inputs of the mechanism, and adjacent."""
    mechanism.domain.check(values, values_)
    all_changes: list[Fraction] = []
    bounds: list[Fraction] = []
    for name, kind in mechanism.private.items():
        one, other = values[name], values_[name]
        if kind.vector and len(one) != len(other):
            raise InputError(f"{name} and {name}_ have {len(one)} and {len(other)} answers; give the same number")
        pairs = list(zip(one, other, strict=True)) if kind.vector else [(one, other)]
        if not mechanism.domain.bounded(name, values, values_):
            continue
        bound = kind.bound_where_it_holds(values)
        changes = exact_changes([a for a, _ in pairs], [b for _, b in pairs], name)
        for i, change in enumerate(changes):
            if abs(change) > bound:
                answer = f"{name}[{i}]" if kind.vector else name
                where = "" if kind.local is None else f", which holds where {kind.local.where} on D or on D'"
                far = f"{answer} changes by {shown(change)}, more than the sensitivity {shown(bound)}{where}"
                raise InputError(far)
        all_changes += changes
        bounds += [Fraction(bound)] * len(changes)
    if adjacency.at(values).allows(all_changes, bounds):
        return
    names = " and ".join(mechanism.private)
    if adjacency is Adjacency.L1:
        total = sum(abs(change) for change in all_changes)
        raise InputError(f"the changes of {names} add up to {shown(total)}, more than {shown(min(bounds))}")
    if adjacency is Adjacency.ONE:
        raise InputError(f"more than one answer of {names} changes; adjacency is 'one'")
    if adjacency.most is not None:
        most = adjacency.allowance(values, None)
        raise InputError(f"more than {shown(most)} answers of {names} change; adjacency is '{adjacency}'")
    raise InputError("some answers rise and others fall; adjacency is 'monotone'")


def exact_changes(one: Sequence[Any], other: Sequence[Any], name: str) -> list[Fraction]:
    """By how much answers change: a float stands for the decimal it prints as, so from 0.1 to 1.1 is a change of 1."""
    return [Fraction(exact(b, name)) - exact(a, name) for a, b in zip(one, other, strict=True)]
