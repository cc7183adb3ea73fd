"""Products of public expressions: read from source, multiplied, added by their common factor, and written again."""

from __future__ import annotations

import ast
import functools
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.errors import Unsupported

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": math.exp,
    "log": math.log,
    "sqrt": math.sqrt,
    "max": max,
    "min": min,
    "abs": abs,
}


@dataclass(frozen=True)
class Product:
    """A number times whole powers of atoms: names, calls, and sums in brackets, each by its text.

    >>> Product.of("2 * k / eps") * Product.of("1 / (4 * k)")
    Product('1 / (2 * eps)')
    >>> Product.of("eps / 4 + 3 * eps * c / 2")
    Product('eps * (1 + 6 * c) / 4')
    """

    factor: Fraction
    powers: tuple[tuple[str, int], ...] = ()

    @staticmethod
    def of(text: str, known: Mapping[str, Product] | None = None) -> Product:
        """Read an expression; ``known`` names stand for products. Raises Unsupported for what is none."""
        return product_of(ast.parse(text.strip(), mode="eval").body, known or {})

    @staticmethod
    def number(value: Fraction | int) -> Product:
        """A number alone."""
        return Product(Fraction(value))

    def __mul__(self, other: Product) -> Product:
        powers = dict(self.powers)
        for atom, power in other.powers:
            powers[atom] = powers.get(atom, 0) + power
        return Product(self.factor * other.factor, tuple((atom, power) for atom, power in powers.items() if power))

    def __truediv__(self, other: Product) -> Product:
        return self * other.to(-1)

    def to(self, power: int) -> Product:
        """A whole power."""
        return Product(self.factor**power, tuple((atom, p * power) for atom, p in self.powers))

    @property
    def is_number(self) -> bool:
        """Whether no atom is left."""
        return not self.powers

    def same(self, other: Product) -> bool:
        """Whether both are one product, in whatever order."""
        return (self / other) == Product(Fraction(1))

    def root(self, degree: int) -> Product | None:
        """The root, where it is a product again."""
        if self.factor <= 0 or any(power % degree for _, power in self.powers):
            return None
        above, below = (_whole_root(n, degree) for n in (self.factor.numerator, self.factor.denominator))
        if above is None or below is None:
            return None
        return Product(Fraction(above, below), tuple((atom, power // degree) for atom, power in self.powers))

    def value(self, public: Mapping[str, Any]) -> Fraction | float:
        """The number that it is at public parameters; lengths of the output go by their own text.

        Raises Unsupported where it is not defined there.
        """
        value: Fraction | float = self.factor
        for atom, power in self.powers:
            base = _value(ast.parse(atom, mode="eval").body, public)
            if not base and power < 0:
                raise Unsupported(f"{self} divides by 0 at some public parameters")
            value *= base**power
        return value

    def names(self) -> set[str]:
        """All names that it reads."""
        return {n.id for atom, _ in self.powers for n in ast.walk(ast.parse(atom)) if isinstance(n, ast.Name)}

    def __str__(self) -> str:
        """As Python, with a sum that stands alone without its brackets."""
        text = self._text()
        return text[1:-1] if self.factor == 1 and len(self.powers) == 1 and text.startswith("(") else text

    def __repr__(self) -> str:
        return f"Product('{self}')"

    def _text(self) -> str:
        ordered = sorted(self.powers, key=lambda each: each[0].startswith("("))
        above = [atom for atom, power in ordered for _ in range(power)]
        below = [atom for atom, power in ordered for _ in range(-power)]
        above = ([str(self.factor.numerator)] if self.factor.numerator != 1 or not above else []) + above
        below = ([str(self.factor.denominator)] if self.factor.denominator != 1 else []) + below
        if not below:
            return " * ".join(above)
        return f"{' * '.join(above)} / {below[0] if len(below) == 1 else '(' + ' * '.join(below) + ')'}"


def _whole_root(number: int, degree: int) -> int | None:
    near = round(number ** (1 / degree))
    return next((n for n in (near - 1, near, near + 1) if n > 0 and n**degree == number), None)


def total(products: Iterable[Product]) -> Product:
    """The sum, as its common factor times a sum in brackets, if any is left."""
    merged: dict[frozenset[tuple[str, int]], Product] = {}
    for each in products:
        key = frozenset(each.powers)
        merged[key] = Product(each.factor + (merged[key].factor if key in merged else 0), each.powers)
    summands = [each for each in merged.values() if each.factor]
    if len(summands) < 2:
        return summands[0] if summands else Product(Fraction(0))
    common = _common(summands)
    rest = [each / common for each in summands]
    if all(each.factor < 0 for each in rest):
        common, rest = Product(-common.factor, common.powers), [Product(-e.factor, e.powers) for e in rest]
    rest.sort(key=lambda each: (each.factor < 0, not each.is_number))
    text = "".join(
        f"{' - ' if e.factor < 0 else ' + '}{Product(abs(e.factor), e.powers)._text()}" for e in rest
    ).removeprefix(" + ")
    return common * Product(Fraction(1), ((f"({text})", 1),))


def _common(summands: Sequence[Product]) -> Product:
    """What can be taken out of every summand."""
    numerators = functools.reduce(math.gcd, (abs(each.factor.numerator) for each in summands))
    denominators = functools.reduce(math.lcm, (each.factor.denominator for each in summands))
    atoms = dict.fromkeys(itertools.chain.from_iterable((atom for atom, _ in each.powers) for each in summands))
    least = {atom: min(dict(each.powers).get(atom, 0) for each in summands) for atom in atoms}
    return Product(Fraction(numerators, denominators), tuple((a, p) for a, p in least.items() if p))


def product_of(node: ast.expr, known: Mapping[str, Product]) -> Product:
    """A syntax tree as a product. Raises Unsupported for what is no arithmetic on numbers and names."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return Product(Fraction(str(value)))
        case ast.Name(id=name):
            return known.get(name, Product(Fraction(1), ((name, 1),)))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return Product.number(-1) * product_of(operand, known)
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            return total(_summands(node, known))
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return product_of(left, known) * product_of(right, known)
        case ast.BinOp(left=left, op=ast.Div(), right=right) if (below := product_of(right, known)).factor:
            return product_of(left, known) / below
        case ast.Call(func=ast.Name(id=name), args=arguments) if not node.keywords:
            inside = ", ".join(str(product_of(argument, known)) for argument in arguments)
            return Product(Fraction(1), ((f"{name}({inside})", 1),))
    raise Unsupported(f"{ast.unparse(node)} is not arithmetic on public parameters")


def _summands(node: ast.expr, known: Mapping[str, Product]) -> list[Product]:
    """The summands of a sum, those of sums within it too."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _summands(left, known) + _summands(right, known)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _summands(left, known) + [Product.number(-1) * each for each in _summands(right, known)]
    return [product_of(node, known)]


def _value(node: ast.expr, public: Mapping[str, Any]) -> Fraction | float:
    text = ast.unparse(node)
    if text in public:
        return public[text] if isinstance(public[text], float) else Fraction(public[text])
    match node:
        case ast.Constant(value=int() | float() as value):
            return Fraction(str(value))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, public)
        case ast.BinOp(left=left, op=operator, right=right):
            one, other = _value(left, public), _value(right, public)
            match operator:
                case ast.Mult():
                    return one * other
                case ast.Div() if other:
                    return one / other
                case ast.Add():
                    return one + other
                case ast.Sub():
                    return one - other
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in _FUNCTIONS:
            return _called(name, [_value(argument, public) for argument in arguments])
    raise Unsupported(f"{text} has no value here")


def _called(name: str, arguments: Sequence[Fraction | float]) -> Fraction | float:
    try:
        result: Fraction | float = _FUNCTIONS[name](*arguments)
    except (ValueError, OverflowError):
        raise Unsupported(f"{name} has no value here") from None
    return result
