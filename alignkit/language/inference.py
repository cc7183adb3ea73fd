"""Inference of kinds: a program is refused where an operation does not fit its operands.

Python would let a Boolean be added and a number be a condition; the language refuses both, and refuses reading
a name that may have no value. What is learnt here also tells the prover which counters are whole numbers.

The kinds of expressions, and what an expression must be where it stands.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from alignkit.errors import LanguageError
from alignkit.language import program
from alignkit.language.kinds import (
    BOOL,
    INT,
    MIXED,
    NO_ITEM,
    NOISE,
    NONE,
    REAL,
    SET,
    SHIFT,
    TAG,
    Kind,
    Kinds,
    Names,
    join,
    joined,
    kind_of_call,
    may_be_output,
    vector,
)
from alignkit.language.program import Expression, Function, Node, Statement, Target, assigned, target_names
from alignkit.language.tags import Tag
from alignkit.noise import Support

# Up to this length the indices that `largest` gives are a tuple, so that they can be unpacked.
LONGEST = 64

# What to write instead of a question about an item of a list without items.
OF_NO_ITEM = (
    "the list has no items when this line is first reached; keep in a variable of its own what is asked of its items"
)


class ExpressionKinds(ABC):
    """Infers the kind of an expression; raises LanguageError where an operation does not fit its operands.

    ``noise`` is the number of loops around each draw. Where it is given, a MIXED value is accepted wherever it might
    fit.
    """

    def __init__(self, noise: Mapping[str, int] | None = None) -> None:
        self.noise = noise or {}
        self.lenient = noise is not None

    @abstractmethod
    def function(self, function: Function, arguments: tuple[Kind, ...]) -> Kind:
        """The kind of what a function returns for arguments of these kinds."""

    def bind(self, target: Target, kind: Kind, names: Names, node: Node) -> None:
        if isinstance(target, str):
            if kind in (NONE, NOISE, SHIFT):
                raise node.place.error(f"`{target}` is assigned {kind}", "assign a value")
            names[target] = kind
            return
        if kind.name == "vector":
            parts = (kind.parts[0],) * len(target)
        elif kind.name == "tuple" and len(kind.parts) == len(target):
            parts = kind.parts
        elif self.might(kind):
            parts = (MIXED,) * len(target)
        elif kind.name == "tuple":
            raise node.place.error(
                f"a sequence of {len(kind.parts)} cannot be unpacked into {len(target)} names",
                "give as many names as there are parts",
            )
        else:
            hint = "unpack tuples and lists; a loop over a list with its positions is `for i, w in enumerate(…)`"
            raise node.place.error(f"{kind} cannot be unpacked", hint)
        for name, part in zip(target, parts, strict=True):
            self.bind(name, part, names, node)

    # What an expression must be where it stands

    def might(self, kind: Kind) -> bool:
        """Whether a value of the kind might fit anywhere."""
        return self.lenient and kind in (MIXED, NO_ITEM)

    def numeric(self, kind: Kind) -> bool:
        return kind.is_number or self.might(kind)

    def number(self, node: Expression, names: Names, within: program.Arithmetic | None = None) -> Kind:
        kind = self.kind(node, names)
        if not self.numeric(kind):
            raise node.place.error(f"{kind} is used as a number", self._as_number(kind, names, within))
        return kind if kind.is_number else REAL

    def numbers(self, nodes: Iterable[Expression], names: Names) -> list[Kind]:
        return [self.number(node, names) for node in nodes]

    def _as_number(self, kind: Kind, names: Names, within: program.Arithmetic | None) -> str:
        """The hint for arithmetic on something that is not a number."""
        hint = "compute with numbers only"
        if kind == BOOL:
            return f"{hint}: 1 if x > 0 else 0"
        if kind == NO_ITEM:
            return OF_NO_ITEM
        if not kind.is_sequence:
            return hint
        both = within is not None and all(self.kind(x, names).is_sequence for x in (within.left, within.right))
        if within is None or (not both and within.operator != "*"):
            return f"{hint}, item by item: [x + 1 for x in q]"
        if not both:
            return f"{hint}, item by item: [2 * x for x in q]; n equal items are [0 for i in range(n)]"
        if within.operator == "+":
            return f"{hint}; lists are joined by [*a, *b], and added by [x + y for x, y in zip(a, b)]"
        return f"{hint}, item by item: [x {within.operator} y for x, y in zip(a, b)]"

    def whole(self, node: Expression, names: Names, what: str, example: str = "") -> None:
        kind = self.kind(node, names)
        if kind != INT and not self.might(kind):
            raise node.place.error(f"{what} is {kind}", f"give it a whole number{example}")

    def weights(self, node: Expression, names: Names) -> None:
        kind = self.kind(node, names)
        if kind.name == "tuple" and not kind.parts:
            raise node.place.error("a choice with no weights", "give a list of numbers")
        element = self.elements(node, names)
        if not self.numeric(element):
            raise node.place.error(f"a weight is {element}", "give a list of numbers")

    def condition(self, node: Expression, names: Names) -> Kind:
        kind = self.kind(node, names)
        if kind != BOOL and not self.might(kind):
            example = "`x != 0`, or `len(x) > 0` of a sequence" if kind.is_sequence else "`x != 0`"
            raise node.place.error(f"{kind} is used as a condition", f"write the comparison out, for example {example}")
        return BOOL

    def elements(self, node: Expression, names: Names) -> Kind:
        kind = self.kind(node, names)
        if kind.is_sequence:
            return joined(kind.parts)
        if self.might(kind):
            return MIXED
        raise node.place.error(f"{kind} cannot be iterated", "loop over queries, a list or range(…)")

    def output(self, node: Expression, names: Names) -> Kind:
        kind = self.kind(node, names)
        if not may_be_output(kind):
            raise node.place.error(f"{kind} is an output", "give numbers, tags, and tuples or lists of them")
        return kind

    # Expressions

    def kind(self, node: Expression, names: Names) -> Kind:
        match node:
            case program.Constant(value=value):
                return _constant(value)
            case program.Name(name=name):
                if name not in names:
                    raise node.place.error(
                        f"`{name}` may have no value here",
                        "give it a value before this line, on every path; a loop variable ends with its loop",
                    )
                return names[name]
            case program.Arithmetic(operator="//" | "%" as operator, left=left, right=right):
                for operand in (left, right):
                    self.number(operand, names, node)
                    self.whole(operand, names, f"an operand of {operator}")
                return INT
            case program.Arithmetic(operator=operator, left=left, right=right):
                kind = join(self.number(left, names, node), self.number(right, names, node))
                return REAL if operator == "/" else kind
            case program.Negate(operand=operand):
                return self.number(operand, names)
            case program.Not(operand=operand):
                return self.condition(operand, names)
            case program.Connective(operands=operands):
                for operand in operands:
                    self.condition(operand, names)
                return BOOL
            case program.Compare():
                return self.comparison(node, names)
            case program.Choice(test=test, then=then, other=other):
                self.condition(test, names)
                return join(self.kind(then, names), self.kind(other, names))
            case program.Sequence(items=items):
                return Kind("tuple", tuple(self.kind(item, names) for item in items))
            case program.Joined(parts=parts):
                return vector(joined([self.elements(part, names) for part in parts]))
            case program.IndexSet(items=items):
                self.numbers(items, names)
                return SET
            case program.Comprehension():
                return self.comprehension(node, names)
            case program.Item():
                return self.item(node, names)
            case program.Draw(distribution=distribution, arguments=arguments):
                for argument, parameter in zip(arguments, distribution.parameters, strict=True):
                    if parameter.listed:
                        self.weights(argument, names)
                    else:
                        self.number(argument, names)
                return INT if distribution.support is Support.INDICES else REAL
            case program.Builtin():
                return self.builtin(node, names)
            case program.MechanismCall(arguments=arguments):
                return kind_of_call(node, [self.kind(a, names) for a in arguments])
            case program.Call(function=function, arguments=arguments):
                return self.function(function, tuple(self.kind(a, names) for a in arguments))
            case program.NoiseValue(name=name):
                kind = REAL
                for _ in range(self.noise.get(name, 0)):
                    kind = vector(kind)
                return kind
            case program.ShiftExpression():
                for shift in node.shifts:
                    self.shift(shift, self.kind(shift.value, names))
                for limit in node.limits:
                    self.kind(limit.given, names)
                    self.shift(limit, self.kind(limit.value, names), "limit")
                return SHIFT
        raise node.place.error("this is not an expression of the language", "use parameters and locals")

    def shift(self, shift: program.NamedShift | program.NamedLimit, kind: Kind, what: str = "shift") -> None:
        """Noise drawn once is shifted by a number, noise drawn in a loop by a list of numbers; so are limits."""
        name = shift.name
        if name not in self.noise:
            return
        loops = self.noise[name]
        if not loops and isinstance(shift, program.NamedLimit) and shift.form is program.LimitForm.DISTINCT:
            problem = f"`{name}` is drawn once, and has nothing to be distinct from"
            raise shift.place.error(problem, "state this limit of noise that is drawn as a list")
        for around in range(loops):
            if not kind.is_sequence and not self.might(kind):
                raise self._flat(shift, loops, around, kind, what)
            kind = joined(kind.parts)
        if not self.numeric(kind):
            raise shift.place.error(f"a {what} of `{name}` is {kind}", "give one number for each time it is drawn")

    def _flat(
        self, shift: program.NamedShift | program.NamedLimit, loops: int, around: int, item: Kind, what: str
    ) -> LanguageError:
        """The refusal of a shift or limit that is a list for the outer ``around`` of the loops around its draw only."""
        name, given = shift.name, "a single number" if item.is_number else str(item)
        if around:
            given = f"a list of {'lists of ' * (around - 1)}{'numbers' if item.is_number else given}"
        if loops == 1:
            problem = f"`{name}` is drawn once for each iteration, but its {what} is {given}"
            return shift.place.error(problem, f"write a list of {what}s: {name}=[… for …]")
        lists = f"{name}={'[' * loops}…{' for …]' * loops}"
        return shift.place.error(
            f"`{name}` is drawn in {loops} loops inside one another, but its {what} is {given}",
            f"write lists inside one another, the outermost for the outermost loop: {lists}",
        )

    def comparison(self, node: program.Compare, names: Names) -> Kind:
        left, right = self.kind(node.left, names), self.kind(node.right, names)
        fits, hint = True, "compare numbers with numbers, and tags with `is`"
        if node.operator in ("in", "not in"):
            if right == SET:
                fits, right = self.numeric(left), REAL
            elif right.is_sequence or self.might(right):
                right = joined(right.parts)
                tags = TAG in (left, right) and {left, right} <= {TAG, MIXED, NO_ITEM}
                none = right == NO_ITEM and left.is_number  # as before a loop that makes the list longer
                fits = self.comparable(left, right) or tags or none
            else:
                raise node.place.error(f"the right side of `in` is {right}", "use a tuple or a set of indices")
        elif node.operator in ("is", "is not"):
            fits = TAG in (left, right) or self.truth(node.left, right) or self.truth(node.right, left)
            hint = "use == for numbers, and for Booleans unless one is True or False itself"
        elif node.operator in ("==", "!="):
            fits = self.comparable(left, right)
        else:
            fits = self.numeric(left) and self.numeric(right)
        if not fits:
            if left.is_sequence or right.is_sequence:
                hint = "compare the items one by one"
                if node.operator in ("in", "not in") and left.is_number:
                    hint = "compare with the part of each item that is meant: i in {j for j, x in values}"
            elif NO_ITEM in (left, right):
                hint = OF_NO_ITEM
            elif node.operator in ("==", "!=") and BOOL in (left, right):
                hint = "compare numbers with numbers; a Boolean is a condition by itself, `x` or `not x`"
            raise node.place.error(f"`{node.operator}` compares {left} with {right}", hint)
        return BOOL

    def comparable(self, left: Kind, right: Kind) -> bool:
        """Whether == and != mean the same to Python and to the language."""
        if left.is_number and right.is_number:
            return True
        plain = left.is_number or right.is_number or {left, right} <= {BOOL, TAG, MIXED, NO_ITEM}
        return (left == right and left in (BOOL, TAG)) or (plain and (self.might(left) or self.might(right)))

    def truth(self, constant: Expression, other: Kind) -> bool:
        """Whether `is` compares the constant True or False with what may be a Boolean."""
        literal = isinstance(constant, program.Constant) and isinstance(constant.value, bool)
        return literal and (other == BOOL or self.might(other))

    def comprehension(self, node: program.Comprehension, names: Names) -> Kind:
        inside = dict(names)
        self.bind(node.target, self.elements(node.iterable, names), inside, node)
        for test in node.filters:
            self.condition(test, inside)
        if node.form == "set":
            self.number(node.element, inside)
            return SET
        element = self.kind(node.element, inside)
        if element in (NONE, SHIFT):
            raise node.element.place.error(f"an element of the comprehension is {element}", "give it a value")
        return vector(element)

    def item(self, node: program.Item, names: Names) -> Kind:
        of = self.kind(node.sequence, names)
        self.whole(node.index, names, "the index", ", as i is in `for i, w in enumerate(…)`")
        match node.index:
            case program.Constant(value=int() as index) if of.name == "tuple" and index < len(of.parts):
                return of.parts[index]
        if of.is_sequence:
            return joined(of.parts)
        if self.might(of):
            return MIXED
        raise node.place.error(f"{of} has no items", "index tuples, lists and query vectors")

    def builtin(self, node: program.Builtin, names: Names) -> Kind:
        name, arguments = node.function, node.arguments
        if name in ("sqrt", "exp", "exp2", "power", "log"):
            kinds = self.numbers(arguments, names)
            # A whole power of a whole number is one, unless it is below 0.
            written = arguments[-1].value if isinstance(arguments[-1], program.Constant) else None
            natural = name == "power" and isinstance(written, int) and written >= 0
            return INT if natural and kinds == [INT, INT] else REAL
        if name in ("round", "floor", "ceil"):
            self.numbers(arguments, names)
            return INT
        if name in ("abs", "clamp") or (name in ("min", "max") and len(arguments) > 1):
            return joined(self.numbers(arguments, names))
        if name == "lattice_points":
            return vector(joined(self.numbers(arguments, names)))
        if name == "range":
            for a in arguments:
                self.whole(a, names, "an argument of range")
            return vector(INT)
        if name == "zip":
            return vector(Kind("tuple", tuple(self.elements(a, names) for a in arguments)))
        if name == "len":
            if self.kind(arguments[0], names) != SET:
                self.elements(arguments[0], names)
            return INT
        if name == "largest" and self.kind(arguments[0], names).is_number:
            problem = "the first argument of largest(values, k) is a number"
            raise arguments[0].place.error(problem, "write largest(values, k)")
        element = self.elements(arguments[0], names)
        if name == "enumerate":
            return vector(Kind("tuple", (INT, element)))
        if name in ("any", "all"):
            if element != BOOL and not self.might(element):
                raise node.place.error(f"{name} of {element}", "write the comparison out, for example `x != 0`")
            return BOOL
        if not self.numeric(element):
            raise node.place.error(f"{name} of {element}", "give it numbers")
        if name != "largest":
            return element if element.is_number else REAL
        self.whole(arguments[1], names, "the k of largest(values, k)")
        match arguments[1]:
            case program.Constant(value=int() as k) if k <= LONGEST:
                return Kind("tuple", (INT,) * k)
        return vector(INT)


def _constant(value: Any) -> Kind:
    if isinstance(value, Tag):
        return TAG
    if isinstance(value, bool):
        return BOOL
    return INT if isinstance(value, int) else REAL


# The kinds at a loop's head settle within a few rounds; a name whose kind does not is nested deeper in each.
ROUNDS = 8


def infer(function: Function, parameters: Mapping[str, Kind]) -> Kinds:
    """The kinds of a mechanism's program; LanguageError where an operation does not fit its operands."""
    inference = _Inference()
    returned = inference.function(function, tuple(parameters[name] for name in function.parameters))
    output = vector(joined(inference.yielded)) if function.is_generator else returned
    return Kinds(inference.at_loop, output)


def check_alignment(function: Function, parameters: Mapping[str, Kind], noise: Mapping[str, int]) -> None:
    """Refuse an alignment in which an operation cannot fit its operands.

    ``noise`` is the number of loops around each draw. The kind of an output may vary from run to run, and with it the
    kind of what is computed from it: only what can never fit is refused here.
    """
    _Inference(noise).function(function, tuple(parameters[name] for name in function.parameters))


def check_text(expression: Expression, names: Names, *, condition: bool) -> None:
    """Refuse a claim that is not a number, or an invariant that is not a condition."""
    inference = _Inference({})
    (inference.condition if condition else inference.number)(expression, names)


class _Inference(ExpressionKinds):
    """One walk over a program."""

    def __init__(self, noise: Mapping[str, int] | None = None) -> None:
        super().__init__(noise)
        self.at_loop: dict[int, Names] = {}
        self.returned: list[Kind] = []
        self.yielded: list[Kind] = []
        self.broke: list[Names] = []

    def function(self, function: Function, arguments: tuple[Kind, ...]) -> Kind:
        outer, self.returned = self.returned, []
        broke, self.broke = self.broke, []
        names = dict(zip(function.parameters, arguments, strict=True))
        if self.block(function.body, names) is not None:
            self.returned.append(NONE)
        result = joined(self.returned)
        self.returned, self.broke = outer, broke
        return result

    def block(self, statements: tuple[Statement, ...], names: Names) -> Names | None:
        """The names after the block; None where its end is never reached."""
        current: Names | None = names
        for statement in statements:
            if current is None:
                raise statement.place.error("this statement is never reached", "remove it, or move it before the jump")
            current = self.statement(statement, current)
        return current

    def statement(self, node: Statement, names: Names) -> Names | None:
        match node:
            case program.Assign(target=target, value=value):
                after = dict(names)
                self.bind(target, self.kind(value, names), after, node)
                return after
            case program.If(test=test, then=then, other=other):
                self.condition(test, names)
                return _merge(self.block(then, dict(names)), self.block(other, dict(names)))
            case program.For():
                return self.loop(node, names)
            case program.Yield(value=value):
                self.yielded.append(self.output(value, names))
            case program.YieldFrom(value=value):
                self.yielded.extend(self.kind(value, names).parts)
            case program.Return(value=value):
                self.returned.append(NONE if value is None else self.kind(value, names))
                if value is not None and not self.lenient:
                    self.output(value, names)
                return None
            case program.Break():
                self.broke.append(dict(names))
                return None
            case program.Pass():
                pass
        return names

    def loop(self, node: program.For, names: Names) -> Names:
        element = self.elements(node.iterable, names)
        head = dict(names)
        changed = assigned((node,)) & names.keys()
        for rounds in count(1):
            inside = dict(head)
            self.bind(node.target, element, inside, node)
            outer, self.broke = self.broke, []
            after = self.block(node.body, inside)
            ways = [way for way in (after, *self.broke) if way is not None]
            self.broke = outer
            # A name that is the variable of a loop inside need not have a value when the next iteration begins.
            kept = {name: kind for name, kind in head.items() if all(name in way for way in ways)}
            wider = kept | {n: joined([head[n], *(way[n] for way in ways)]) for n in changed & kept.keys()}
            if wider == head:
                break
            if rounds > ROUNDS:
                wider = {name: kind if kind == head[name] else MIXED for name, kind in wider.items()}
            head = wider
        before = self.at_loop.get(node.site, head)
        self.at_loop[node.site] = {n: join(before[n], head[n]) for n in head if n in before}
        # After the loop its variable, and names that are first assigned inside it, need not have a value.
        bound = set(target_names(node.target))
        return {name: kind for name, kind in head.items() if name not in bound}


def _merge(one: Names | None, other: Names | None) -> Names | None:
    if one is None or other is None:
        return one if other is None else other
    return {name: join(one[name], other[name]) for name in one if name in other}
