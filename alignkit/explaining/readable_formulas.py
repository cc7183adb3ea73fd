"""Terms and conditions as a reader writes them: what is added on one side, what is taken away on the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import lru_cache
from itertools import chain, count
from math import lcm
from typing import Any

from alignkit.symbolic.atoms import Conditional, Element, Inverse, Remainder, Special, ordered
from alignkit.symbolic.formulas import And, Comparison, Formula, Or, Unknown, conjunction, disjunction
from alignkit.symbolic.substitution import Substitution, substitute
from alignkit.symbolic.summation import RunningSum
from alignkit.symbolic.terms import Term, atoms_within
from alignkit.symbolic.trees import Atom, Role

_RELATIONS = {"<": "<", "<=": "≤", "==": "=", "!=": "≠"}
_TURNED = {"<": ">", "<=": "≥", "==": "=", "!=": "≠"}

# What the iteration of a loop inside another is called.
INNER_ITERATION = "t"

# How the symbols of a proof are called in its text.
_NAMES = (
    (re.compile(r"#iteration in loop \d+\.[\d.]+"), INNER_ITERATION),
    (re.compile(r"#any index \d+|#own index|#index of the output"), r"j"),
    (re.compile(r"#index that is shifted"), r"i"),
    (re.compile(r"#([A-Za-z_]\w*) (\d)\b"), r"\1_\2"),
    (re.compile(r"#"), r""),
    (re.compile(r"loop: cost so far"), r"privacy_cost"),
    (re.compile(r"\(1\) \* gain of (\w+)(?=$| \+ \(|[:;,.)`])"), r"(\1 - \1 before the loop)"),
    (re.compile(r" \* gain of (\w+)(?=$| \+ \(|[:;,.)`])"), r" * (\1 - \1 before the loop)"),
    (re.compile(r"(?:\(1\) \* )?gain of the iterations\b"), r"the number of iterations"),
    (re.compile(r"\(1\) \* gain of "), r"the gain of "),
    (re.compile(r" \* gain of "), r" * the gain of "),
    (re.compile(r"(?<!the )loop: (?=[^\W\d])"), r""),
    (re.compile(r"omega: |\? "), r""),
    (re.compile(r"\bH\."), r""),
    (re.compile(r"(?<=\w)'(?!\w)"), r"′"),
)


# The symbols whose names a program may have given to something else, and what they are called then.
_OWN_NAMES = (
    (re.compile(r"#index for (?:all|any)\b"), ("one", "found")),
    (re.compile(r"#a selected position"), ("s", "chosen")),
    (re.compile(r"#dearest of the selected"), ("d", "dearest")),
    (re.compile(r"#a position ranked after it"), ("r", "later")),
    (re.compile(r"#index that is read"), ("p", "read")),
)

_NUMBERED = re.compile(r"#index for (?:all|any) (\d+)\b")

# What a run selects, by the number that tells its selections apart: those of D come first, then those of D′.
_RANKED = re.compile(r"#(rank|position) in the order of line \d+ #(\d+)")
_SELECTED = re.compile(r"#([A-Za-z_]\w*)( \d+)?\.(\d+)\b")

# How often a run selects: positions that have names, and positions in an order.
_SELECTIONS: ContextVar[tuple[int, int]] = ContextVar("selections", default=(1, 1))


# What the iteration at hand is called, and the symbols that stand for it, with the number of the loop.
_ITERATION: ContextVar[str] = ContextVar("iteration", default="i")
_ITERATIONS = re.compile(r"#iteration(?: in loop (\d+)(?!\.?\d))?(?! in loop)")

# The names that the program gives.
_TAKEN: ContextVar[frozenset[str]] = ContextVar("taken", default=frozenset())

# Whether the alignment has limits: where one is given is then written without the numbers 1 and 0.
_LIMITS: ContextVar[bool] = ContextVar("limits", default=False)

# What puts names of the program in the place of public numbers.
_NAMED: ContextVar[Substitution | None] = ContextVar("named", default=None)


@contextmanager
def selections_of_a_run(
    named: int, ordered: int, iteration: str = "i", taken: frozenset[str] = frozenset(), *, limits: bool = False
) -> Iterator[None]:
    """Write positions for a mechanism that selects so often in one run, by names and by an order.

    ``iteration`` is what the iteration at hand is called; ``taken`` are the names that the program gives. With
    ``limits`` the alignment has some.
    """
    token, of_iteration = _SELECTIONS.set((max(named, 1), max(ordered, 1))), _ITERATION.set(iteration)
    of_program, of_limits = _TAKEN.set(taken), _LIMITS.set(limits)
    try:
        yield
    finally:
        _LIMITS.reset(of_limits)
        _TAKEN.reset(of_program)
        _SELECTIONS.reset(token)
        _ITERATION.reset(of_iteration)


def name_of_iteration() -> str:
    """What the iteration at hand is called."""
    return _ITERATION.get()


def own_symbol(usual: str) -> str:
    """What `one`, `s`, `d`, `r` or `p` is called: by another name where the program has this one.

    >>> with selections_of_a_run(1, 1, taken=frozenset({"d"})):
    ...     own_symbol("d"), own_symbol("s")
    ('dearest', 's')
    """
    names = next(names for _, names in _OWN_NAMES if names[0] == usual)
    taken = _TAKEN.get()
    others = (f"{names[-1]}_{number}" for number in count(2))
    return next(name for name in chain(names, others) if name not in taken)


@contextmanager
def with_names(names: Substitution) -> Iterator[None]:
    """Write formulas with these names in them."""
    token = _NAMED.set(names)
    try:
        yield
    finally:
        _NAMED.reset(token)


class _WithoutNested(Substitution):
    """Writes a question about a number that one condition chooses as that condition: where up is 1 or -1, up > 0."""

    def __init__(self) -> None:
        super().__init__({})

    def _touches(self, value: Term | Formula) -> bool:
        return bool(value.unknowns)

    def comparison(self, comparison: Comparison) -> Any:
        result = super().comparison(comparison)
        terms = [result.term] if isinstance(result, Comparison) else []
        chosen = {a for term in terms for m in term.parts for a, _ in m}
        atom = chosen.pop() if len(chosen) == 1 else None
        if not isinstance(atom, Conditional) or not isinstance(atom.condition, Unknown):
            return result
        ways = [substitute(result, {atom: way}) for way in (atom.then, atom.other)]
        return {(True, False): atom.condition, (False, True): ~atom.condition}.get(tuple(ways), result)


class _WithoutRepeats(Substitution):
    """Writes 1 if c else 0, where it is held against 0, as c, and asks nothing again where the answer is known."""

    def __init__(self, answers: Mapping[str, bool]) -> None:
        super().__init__({})
        self.known = answers

    def _touches(self, value: Term | Formula) -> bool:
        return True

    def formula(self, formula: Formula) -> Any:
        known = self.known.get(formula.key)
        return super().formula(formula) if known is None else known

    def conditional(self, conditional: Conditional) -> Term:
        asked = self.formula(conditional.condition)
        if isinstance(asked, bool):
            return self.term(conditional.then if asked else conditional.other)
        ways = (_WithoutRepeats({**self.known, asked.key: way, (~asked).key: not way}) for way in (True, False))
        then, other = (way.term(of) for way, of in zip(ways, (conditional.then, conditional.other), strict=True))
        return asked.choose(then, other)  # type: ignore[no-any-return]

    def comparison(self, comparison: Comparison) -> Any:
        result = super().comparison(comparison)
        atoms = list(result.term.atoms()) if isinstance(result, Comparison) else []
        atom = atoms[0] if len(atoms) == 1 else None
        if not isinstance(atom, Conditional) or (atom.then, atom.other) != (Term.of(1), Term.of(0)):
            return result
        ways = [substitute(result, {atom: way}) for way in (atom.then, atom.other)]
        return {(True, False): atom.condition, (False, True): ~atom.condition}.get(tuple(ways), result)

    def disjunction(self, formula: Or) -> Any:
        result = super().disjunction(formula)
        if not isinstance(result, Or):
            return result
        # Each part is asked where no other part holds: where one noise limit is given by a condition, under it.
        parts = list(result.parts)
        for number, part in enumerate(parts):
            if isinstance(part, Comparison) and any(isinstance(atom, Conditional) for atom in part.term.atoms()):
                denied = conjunction(tuple(~other for n, other in enumerate(parts) if n != number))
                if isinstance(denied, Formula):
                    parts[number] = _WithoutRepeats({denied.key: True, (~denied).key: False})(part)
        return disjunction(tuple(parts))


@lru_cache(maxsize=4096)
def without_repeats(value: Any, given: Any = True) -> Any:
    """A term or formula that asks nothing again of which the answer is known where ``given`` holds.

    >>> from alignkit.symbolic.atoms import Symbol
    >>> new = Term.of(Symbol("q", Role.PRIVATE)).compare("<=", 0)
    >>> print(without_repeats(new.choose(1, 0).compare("!=", 0)))
    q <= 0
    """
    if not any(isinstance(atom, Conditional) for atom in atoms_within(value)):
        return value
    given = _WithoutRepeats({})(given)
    known = {given.key: True, (~given).key: False} if isinstance(given, Formula) else {}
    try:
        return _WithoutRepeats(known)(value)
    except ZeroDivisionError:
        return value


def without_nested(value: Any) -> Any:
    """A term or formula in which no condition asks of a number which way another condition went.

    >>> from alignkit.symbolic.formulas import Unknown
    >>> up = Unknown("up")
    >>> print(without_nested(up.choose(1, -1).compare(">", 0)))
    up
    """
    try:
        value = value if isinstance(value, bool) or not value.unknowns else _WithoutNested()(value)
    except ZeroDivisionError:
        return value
    return without_repeats(value) if _LIMITS.get() else value


def _named(value: Any) -> Any:
    names, value = _NAMED.get(), without_nested(value)
    try:
        return value if names is None else names(value)
    except ZeroDivisionError:
        return value


def _selected(name: str, number: int, of_a_run: int) -> str:
    """The position of a selection: the second of a run is `best.2`, and `best.2′` where D′ makes it.

    Those of `max` and `min` are counted through: many belong to the alignment, which is of neither run.
    """
    if name.startswith("arg"):
        return f"{name}_{number}" if number > 1 else name
    mark = "′" if number > of_a_run else ""
    place = number - of_a_run if mark else number
    return f"{name}{f'.{place}' if place > 1 else ''}{mark}"


# What is said where a question that is a sentence has the answer no.
_DENIED = {"the answers rise": "the answers do not rise"}


def readable(condition: Any) -> str:
    """A condition in the words of the program.

    >>> from alignkit.symbolic.atoms import Symbol
    >>> from alignkit.symbolic.trees import Role
    >>> x, y = (Term.of(Symbol(name, Role.PRIVATE)) for name in ("q'", "q"))
    >>> readable((x - y - 1).compare("<=", 0))
    'q′ ≤ q + 1'
    """
    condition = _named(condition)
    match condition:
        case Comparison():
            return _comparison(condition)
        case And(parts=parts):
            return " and ".join(_bracketed(_possible_beside(part, parts)) for part in parts)
        case Or(parts=(Comparison() as less, And(parts=(Comparison() as tie, rest)))) if tie.term == less.term:
            return f"{readable(less)}, or the two are equal and {readable(rest)}"
        case Or(parts=parts):
            return " or ".join(_bracketed(part) for part in parts)
        case Unknown(name=name, holds=holds):
            said = _quantified(name)
            return said if holds else _DENIED.get(said, f"not {said}")
    return in_program_words(str(condition))


def _possible_beside(part: Any, others: tuple[Any, ...]) -> Any:
    """A part of an "and" without the ways that another part denies."""
    if not isinstance(part, Or):
        return part
    denied = {(~other).key for other in others if other is not part}
    ways = [way for way in part.parts if way.key not in denied]
    return disjunction(tuple(ways)) if ways else part


# A question about all answers, or any, as a proof names it: the range of the index, then what is asked of one answer.
_QUANTIFIED = re.compile(r"(all|any)\((?P<range>.*): (?P<asked>[^:]*)\)")
_TWO_SIDES = re.compile(r"-(\S+) \+ (\S+) (<=|<|==|!=) 0")


def _quantified(name: str) -> str:
    found = _QUANTIFIED.fullmatch(name)
    if found is None:
        return in_program_words(name)
    asked = _TWO_SIDES.sub(lambda m: f"{m[2]} {_RELATIONS[m[3]]} {m[1]}", in_program_words(found["asked"]))
    return f"{found[1]} {asked}"


def readable_term(term: Term) -> str:
    """A term in the words of the program."""
    return _sum(_named(term).parts.items())


def _comparison(comparison: Comparison) -> str:
    term = _named(_without_own_factor(comparison.term))
    parts = list((term * lcm(*(Fraction(c).denominator for c in term.parts.values()))).parts.items())
    left = [(m, c) for m, c in parts if c > 0]
    right = [(m, -c) for m, c in parts if c < 0]
    if not left or (not right and left == [((), left[0][1])]):
        left, right = right, left
        return f"{_sum(left)} {_TURNED[comparison.relation]} {_sum(right)}"
    return f"{_sum(left)} {_RELATIONS[comparison.relation]} {_sum(right)}"


def _without_own_factor(term: Term) -> Term:
    """A term to be held against 0, divided by what is above 0 and multiplies all answers and noise, or all of a state.

    Comparisons multiply by what a program divides by: `q ≤ 1 / eps` is kept as `eps · q ≤ 1`.
    """
    for wanted in ({Role.NOISE, Role.PRIVATE}, {Role.STATE}):
        own = [m for m in term.parts if any(wanted & {atom.role, *Term.of(atom).roles} for atom, _ in m)]
        factors = [{(a, n) for a, n in m if a.role is Role.PUBLIC and a.positive and n > 0} for m in own]
        if own:
            shared = set.intersection(*factors)
            return term * Term({ordered((atom, -power) for atom, power in shared): 1}) if shared else term
    return term


def _bracketed(part: Any) -> str:
    text = readable(part)
    return f"({text})" if isinstance(part, And | Or) else text


def _sum(parts: Iterable[tuple[Any, Any]]) -> str:
    # Answers come first, then noise; what stands alone, such as 1, comes last: `q′ + eta ≤ T + 1`.
    in_order = sorted(parts, key=lambda part: _place_in_sum(part[0]))
    # A sum does not begin with a minus where it need not.
    first = next((part for part in in_order if part[1] > 0), None)
    if first is not None:
        in_order = [first, *(part for part in in_order if part is not first)]
    text = ""
    for monomial, coefficient in in_order:
        sign = "-" if coefficient < 0 else "+"
        product = _product(monomial, abs(Fraction(coefficient)))
        text += f" {sign} {product}" if text else (f"-{product}" if sign == "-" else product)
    return text or "0"


def _place_in_sum(monomial: Any) -> int:
    found = {role for atom, _ in monomial for role in (atom.role, *Term.of(atom).roles)}
    if Role.PRIVATE in found:
        return 0
    return 1 if Role.NOISE in found else 2 if monomial else 3


def _product(monomial: Any, coefficient: Fraction) -> str:
    above = [_power(a, power) for a, power in monomial if power > 0 and not isinstance(a, Inverse)]
    below = [_power(a, -power) for a, power in monomial if power < 0]
    below += [f"{_factor(a.of)}{f'^{n}' if n > 1 else ''}" for a, n in monomial if n > 0 and isinstance(a, Inverse)]
    if coefficient.numerator != 1 or not above:
        above.insert(0, str(coefficient.numerator))
    if coefficient.denominator != 1:
        below.insert(0, str(coefficient.denominator))
    product = " · ".join(above)
    if not below:
        return product
    return f"{product} / {below[0]}" if len(below) == 1 else f"{product} / ({' · '.join(below)})"


def _power(atom: Atom, power: int) -> str:
    return _atom(atom) if power == 1 else f"{_atom(atom)}^{power}"


def _atom(atom: Atom) -> str:
    match atom:
        case Conditional(condition=condition, then=then, other=other):
            chosen = chosen_among(atom)
            if then == -other and chosen is not None and chosen[0] == "max":
                return f"|{min(map(readable_term, (other, then)), key=lambda text: text[:1] == '-')}|"
            if chosen is not None and chosen[0] == "max" and not then.parts and _is_absolute(other):
                return readable_term(other)
            if chosen is not None:
                return f"{chosen[0]}({', '.join(map(readable_term, chosen[1]))})"
            return f"({readable_term(then)} if {readable(condition)} else {readable_term(other)})"
        case RunningSum(body=body, index=index):
            inside = readable_term(body).replace("[·]", "[j]")
            return f"(sum of {inside} for j < {readable_term(index)})"
        case Element(array=array, index=index):
            return f"{in_program_words(atom.role.prefix + array)}[{readable_term(index)}]"
        case Inverse(of=of):
            return f"1 / {_factor(of)}"
        case Special(function=function, of=of):
            return f"{function}({readable_term(of)})"
        case Remainder(of=of, divisor=divisor):
            return f"{_factor(of)} % {_factor(divisor)}"
    return in_program_words(atom.key)


def chosen_among(atom: Conditional) -> tuple[str, tuple[Term, ...]] | None:
    """The function and its arguments where a number chosen by a condition is a `max`, a `min` or a `clamp`.

    >>> from alignkit.symbolic.atoms import Symbol
    >>> x = Term.of(Symbol("x", Role.PUBLIC))
    >>> chosen_among(Conditional(x.compare("<", 1), Term.of(1), x))
    ('max', (1, x))
    """
    condition, then, other = atom.condition, atom.then, atom.other
    if not isinstance(condition, Comparison) or condition.relation not in ("<", "<="):
        return None
    for sign, name in ((1, "max"), (-1, "min")):
        if _orders(condition, (other - then) * sign):
            return name, (then, other)
    inner = next(iter(other.atoms()), None)
    if not isinstance(inner, Conditional) or other != Term.of(inner):
        return None
    # Below `low`, and not at it: the two differ where `low` is above `high`.
    below = condition.relation == "<" or condition.term == inner.other - then + 1
    if below and _orders(condition, inner.other - then):
        cut = chosen_among(inner)
        if cut is not None and cut[0] == "min":
            return "clamp", (inner.other, then, inner.then)
    return None


def _orders(condition: Comparison, lead: Term) -> bool:
    """Whether a lead is at most 0 where a condition holds, and at least 0 where it does not."""
    asked = condition.term
    if lead.integer and condition.relation == "<=" and asked == lead + 1:
        return True
    ratio = list((lead / asked).parts.items())
    return len(ratio) == 1 and ratio[0][1] > 0 and all(a.positive or n % 2 == 0 for a, n in ratio[0][0])


def _is_absolute(term: Term) -> bool:
    """Whether a term is an absolute value, or a sum of them, and so at least 0."""
    return all(c > 0 and len(m) == 1 and m[0][1] == 1 and _atom(m[0][0])[:1] == "|" for m, c in term.parts.items())


def _factor(term: Term) -> str:
    text = readable_term(term)
    return f"({text})" if " " in text else text


def in_program_words(text: str) -> str:
    """A text with the symbols of a proof called as the program calls them."""
    one, vector = _SELECTIONS.get()
    text = _RANKED.sub(lambda m: _selected(m[1], int(m[2]) + 1, vector), text)
    text = _SELECTED.sub(lambda m: _selected(m[1] + (m[2] or "").replace(" ", "_"), int(m[3]), one), text)
    letter = _ITERATION.get()
    text = _ITERATIONS.sub(lambda m: f"{letter}_{m[1]}" if m[1] else letter, text)
    text = _NUMBERED.sub(rf"{own_symbol('one')}_\1", text)
    for pattern, names in _OWN_NAMES:
        text = pattern.sub(own_symbol(names[0]), text)
    for pattern, name in _NAMES:
        text = pattern.sub(name, text)
    return text
