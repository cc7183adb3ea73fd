"""The pretty printer: from the typed program back to Python text, which reads as the same program."""

from __future__ import annotations

import ast
from itertools import pairwise

from alignkit.language.program import (
    Arithmetic,
    Assign,
    Break,
    Builtin,
    Call,
    Choice,
    Compare,
    Comprehension,
    Connective,
    Constant,
    Draw,
    Expression,
    For,
    Function,
    If,
    IndexSet,
    Item,
    Joined,
    Name,
    Negate,
    NoiseValue,
    Not,
    Pass,
    Return,
    Sequence,
    ShiftExpression,
    Statement,
    Target,
    Yield,
    walk,
)
from alignkit.language.tags import Tag

_NOISE_VECTOR = "H"
_OPERATORS: dict[str, ast.operator] = {"+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "/": ast.Div()}
_COMPARISONS: dict[str, ast.cmpop] = {
    "<": ast.Lt(),
    "<=": ast.LtE(),
    ">": ast.Gt(),
    ">=": ast.GtE(),
    "==": ast.Eq(),
    "!=": ast.NotEq(),
    "is": ast.Is(),
    "is not": ast.IsNot(),
    "in": ast.In(),
    "not in": ast.NotIn(),
}


def pretty(function: Function) -> str:
    """The function as Python text, the functions it calls first; annotations and docstrings are left out.

    Read again (with the tags under their own names), the text gives the same program. Two called functions of
    one name and different bodies are told apart by a number.

    >>> from alignkit.mechanisms.sparse_vector import sparse_vector
    >>> print(pretty(sparse_vector.program).splitlines()[1])
        eps0, eps1 = (eps / 2, eps / (4 * k))
    """
    printer = _Printer()
    printer.define(function)
    return "\n\n\n".join(printer.texts) + "\n"


def pretty_expression(expression: Expression) -> str:
    """The expression as Python text.

    >>> from alignkit.mechanisms.sparse_vector import sparse_vector
    >>> pretty_expression(sparse_vector.program.body[1].value)
    'noise.laplace(1 / eps0)'
    """
    return ast.unparse(ast.fix_missing_locations(_Printer().expression(expression)))


class _Printer:
    def __init__(self) -> None:
        self.names: dict[Function, str] = {}
        self.texts: list[str] = []
        self.known: dict[tuple[str, str], str] = {}

    def define(self, function: Function) -> str:
        """Print the function, after those it calls; gives the name it has in the text."""
        if function not in self.names:
            for statement in function.body:
                for node in walk(statement):
                    if isinstance(node, Call):
                        self.define(node.function)
            self.names[function] = self._settle(function)
        return self.names[function]

    def _settle(self, function: Function) -> str:
        taken = set(self.known.values())
        body = self.block(function.body) or [ast.Expr(ast.Constant("Nothing."))]
        # A function that is passed the noise in two ways is two programs of one text.
        key = (function.name, ast.dump(ast.Module(body, [])))
        if key not in self.known:
            name, number = function.name, 1
            while name in taken:
                number += 1
                name = f"{function.name}_{number}"
            self.known[key] = name
            parameters = ast.arguments([], [ast.arg(p) for p in function.parameters], None, [], [], None, [])
            definition = ast.FunctionDef(name, parameters, body, [])
            self.texts.append(ast.unparse(ast.fix_missing_locations(definition)))
        return self.known[key]

    # Statements

    def block(self, statements: tuple[Statement, ...]) -> list[ast.stmt]:
        return [self.statement(s) for s in statements]

    def statement(self, node: Statement) -> ast.stmt:
        match node:
            case Assign(target=str() as name, value=Arithmetic(operator=operator, right=right), augmented=True):
                return ast.AugAssign(_stored(name), _OPERATORS[operator], self.expression(right))
            case Assign(target=target, value=value):
                return ast.Assign([_target(target)], self.expression(value), lineno=1)
            case If(test=test, then=then, other=other):
                return ast.If(self.expression(test), self.block(then), self.block(other))
            case For(target=target, iterable=iterable, body=body):
                over = self.expression(iterable)
                return ast.For(_target(target), over, self.block(body), [], lineno=1)
            case Yield(value=value):
                return ast.Expr(ast.Yield(self.expression(value)))
            case Return(value=value):
                return ast.Return(None if value is None else self.expression(value))
            case Break():
                return ast.Break()
            case Pass():
                return ast.Pass()
        raise AssertionError(f"no text for {type(node).__name__}")

    # Expressions

    def all(self, nodes: tuple[Expression, ...]) -> list[ast.expr]:
        return [self.expression(node) for node in nodes]

    def expression(self, node: Expression) -> ast.expr:
        match node:
            case Constant(value=Tag(name=name)) | Name(name=name):
                return _loaded(name)
            case Constant(value=value, decimal=decimal):
                return ast.Constant(float(value) if decimal else value)  # type: ignore[arg-type]
            case Arithmetic(operator=operator, left=left, right=right):
                return ast.BinOp(self.expression(left), _OPERATORS[operator], self.expression(right))
            case Negate(operand=operand):
                return ast.UnaryOp(ast.USub(), self.expression(operand))
            case Not(operand=operand):
                return ast.UnaryOp(ast.Not(), self.expression(operand))
            case Connective(operator="and", operands=(Compare(), *_) as links) if _is_chain(links):
                return self.chain(links)
            case Connective(operator=operator, operands=operands):
                return ast.BoolOp(ast.And() if operator == "and" else ast.Or(), self.all(operands))
            case Compare(operator=operator, left=left, right=right):
                return ast.Compare(self.expression(left), [_COMPARISONS[operator]], [self.expression(right)])
            case Choice(test=test, then=then, other=other):
                return ast.IfExp(self.expression(test), self.expression(then), self.expression(other))
            case Builtin(function=name, arguments=arguments):
                return ast.Call(_loaded(name), self.all(arguments), [])
            case Call(function=function, arguments=arguments):
                return ast.Call(_loaded(self.define(function)), self.all(arguments), [])
            case Item(sequence=sequence, index=index):
                return ast.Subscript(self.expression(sequence), self.expression(index), ast.Load())
            case Sequence(items=items):
                return ast.Tuple(self.all(items), ast.Load())
            case Joined(parts=parts):
                stars = [ast.Starred(self.expression(part), ast.Load()) for part in parts]
                return ast.Tuple(list(stars), ast.Load())
            case IndexSet(items=items):
                return ast.Set(self.all(items))
            case Comprehension():
                return self.comprehension(node)
            case Draw(source=source, distribution=distribution, arguments=arguments):
                return ast.Call(_attribute(source, distribution.name), self.all(arguments), [])
            case NoiseValue(name=name):
                return _attribute(_NOISE_VECTOR, name)
            case ShiftExpression(shifts=shifts):
                named = [ast.keyword(name, self.expression(value)) for name, value in shifts]
                return ast.Call(_attribute(_NOISE_VECTOR, "shift"), [], named)
        raise AssertionError(f"no text for {type(node).__name__}")

    def chain(self, links: tuple[Expression, ...]) -> ast.expr:
        """A chained comparison: each operand between two links is one expression."""
        compared = [link for link in links if isinstance(link, Compare)]
        operators = [_COMPARISONS[link.operator] for link in compared]
        return ast.Compare(
            self.expression(compared[0].left), operators, [self.expression(link.right) for link in compared]
        )

    def comprehension(self, node: Comprehension) -> ast.expr:
        over = self.expression(node.iterable)
        clause = ast.comprehension(_target(node.target), over, self.all(node.filters), 0)
        form = {"list": ast.ListComp, "generator": ast.GeneratorExp, "set": ast.SetComp}[node.form]
        return form(self.expression(node.element), [clause])


def _is_chain(links: tuple[Expression, ...]) -> bool:
    return all(isinstance(a, Compare) and isinstance(b, Compare) and a.right is b.left for a, b in pairwise(links))


def _loaded(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _stored(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def _attribute(owner: str, name: str) -> ast.expr:
    return ast.Attribute(_loaded(owner), name, ast.Load())


def _target(target: Target) -> ast.expr:
    if isinstance(target, str):
        return _stored(target)
    return ast.Tuple([_target(part) for part in target], ast.Store())
