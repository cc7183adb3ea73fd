"""The pretty printer: from the typed program back to Python text, which reads as the same program."""

from __future__ import annotations

import ast
from itertools import pairwise

from alignkit.language import program
from alignkit.language.expressions import COMPARISONS, OPERATORS
from alignkit.language.program import Expression, Function, Statement, Target
from alignkit.language.tags import Tag

_NOISE_VECTOR = "H"
_OPERATORS = {sign: kind() for kind, sign in OPERATORS.items()}
_COMPARISONS = {sign: kind() for kind, sign in COMPARISONS.items()}


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


def pretty_limit(limit: program.NamedLimit) -> str:
    """A limit as Python text, with ``None`` where there is none."""
    return ast.unparse(ast.fix_missing_locations(_Printer().limit(limit.value, limit.given)))


class _Printer:
    def __init__(self) -> None:
        self.names: dict[Function, str] = {}
        self.texts: list[str] = []
        self.names_of_texts: dict[tuple[str, str], str] = {}  # by the function's own name and its body

    def define(self, function: Function) -> str:
        """Print the function, after those it calls; gives the name it has in the text."""
        if function in self.names:
            return self.names[function]
        body = self.block(function.body) or [ast.Expr(ast.Constant("Nothing."))]
        # A function that is passed the noise in two ways is two programs of one text.
        key = (function.name, ast.dump(ast.Module(body, [])))
        if key not in self.names_of_texts:
            name, number = function.name, 1
            while name in self.names_of_texts.values():
                number += 1
                name = f"{function.name}_{number}"
            self.names_of_texts[key] = name
            parameters = ast.arguments([], [ast.arg(p) for p in function.parameters], None, [], [], None, [])
            definition = ast.FunctionDef(name, parameters, body, [])
            self.texts.append(ast.unparse(ast.fix_missing_locations(definition)))
        self.names[function] = self.names_of_texts[key]
        return self.names[function]

    # Statements

    def block(self, statements: tuple[Statement, ...]) -> list[ast.stmt]:
        return [self.statement(s) for s in statements]

    def statement(self, node: Statement) -> ast.stmt:
        match node:
            case program.Assign(target=str() as name, value=program.Arithmetic() as value, augmented=True):
                stored = ast.Name(name, ast.Store())
                return ast.AugAssign(stored, _OPERATORS[value.operator], self.expression(value.right))
            case program.Assign(target=target, value=value):
                return ast.Assign([_target(target)], self.expression(value), lineno=1)
            case program.If(test=test, then=then, other=other):
                return ast.If(self.expression(test), self.block(then), self.block(other))
            case program.For(target=target, iterable=iterable, body=body):
                over = self.expression(iterable)
                return ast.For(_target(target), over, self.block(body), [], lineno=1)
            case program.Yield(value=value):
                return ast.Expr(ast.Yield(self.expression(value)))
            case program.YieldFrom(value=value):
                return ast.Expr(ast.YieldFrom(self.expression(value)))
            case program.Return(value=value):
                return ast.Return(None if value is None else self.expression(value))
            case program.Break():
                return ast.Break()
            case program.Pass():
                return ast.Pass()
        raise AssertionError(f"no text for {type(node).__name__}")

    # Expressions

    def all(self, nodes: tuple[Expression, ...]) -> list[ast.expr]:
        return [self.expression(node) for node in nodes]

    def expression(self, node: Expression) -> ast.expr:
        match node:
            case program.Constant(value=Tag(name=name)) | program.Name(name=name):
                return _loaded(name)
            case program.Constant(value=value, decimal=decimal):
                return ast.Constant(float(value) if decimal else value)  # type: ignore[arg-type]
            case program.Arithmetic(operator=operator, left=left, right=right):
                return ast.BinOp(self.expression(left), _OPERATORS[operator], self.expression(right))
            case program.Negate(operand=operand):
                return ast.UnaryOp(ast.USub(), self.expression(operand))
            case program.Not(operand=operand):
                return ast.UnaryOp(ast.Not(), self.expression(operand))
            case program.Connective():
                return self.connective(node)
            case program.Compare(operator=operator, left=left, right=right):
                return ast.Compare(self.expression(left), [_COMPARISONS[operator]], [self.expression(right)])
            case program.Choice(test=test, then=then, other=other):
                return ast.IfExp(self.expression(test), self.expression(then), self.expression(other))
            case program.Builtin(function=name, arguments=arguments):
                return ast.Call(_loaded(name), self.all(arguments), [])
            case program.Call(function=function, arguments=arguments):
                return ast.Call(_loaded(self.define(function)), self.all(arguments), [])
            case program.Item(sequence=sequence, index=index):
                return ast.Subscript(self.expression(sequence), self.expression(index), ast.Load())
            case program.Sequence(items=items, is_list=is_list):
                return (ast.List if is_list else ast.Tuple)(self.all(items), ast.Load())
            case program.Joined(parts=parts, is_list=is_list):
                stars: list[ast.expr] = [ast.Starred(part, ast.Load()) for part in self.all(parts)]
                return (ast.List if is_list else ast.Tuple)(stars, ast.Load())
            case program.IndexSet(items=items):
                return ast.Set(self.all(items))
            case program.Comprehension():
                return self.comprehension(node)
            case program.Draw(source=source, distribution=distribution, arguments=arguments):
                return ast.Call(_attribute(source, distribution.name), self.all(arguments), [])
            case program.NoiseValue(name=name):
                return _attribute(_NOISE_VECTOR, name)
            case program.ShiftExpression(shifts=shifts):
                named = [ast.keyword(shift.name, self.expression(shift.value)) for shift in shifts]
                text: ast.expr = ast.Call(_attribute(_NOISE_VECTOR, "shift"), [], named)
                for limit in node.limits:
                    way = ast.Attribute(text, limit.form, ast.Load())
                    text = ast.Call(way, [], [ast.keyword(limit.name, self.limit(limit.value, limit.given))])
                return text
        raise AssertionError(f"no text for {type(node).__name__}")

    def limit(self, value: program.Expression, given: program.Expression) -> ast.expr:
        """A limit as it is written, with ``None`` where it is not given."""
        match given:
            case program.Constant(value=0):
                return ast.Constant(None)
            case program.Choice() if isinstance(value, program.Choice):
                ways = (self.limit(value.then, given.then), self.limit(value.other, given.other))
                return ast.IfExp(self.expression(value.test), *ways)
            case program.Sequence(items=items, is_list=is_list) if isinstance(value, program.Sequence):
                parts = [self.limit(*pair) for pair in zip(value.items, items, strict=True)]
                return (ast.List if is_list else ast.Tuple)(parts, ast.Load())
            case program.Comprehension() if isinstance(value, program.Comprehension):
                written = self.comprehension(value)
                assert isinstance(written, ast.ListComp)
                return ast.ListComp(self.limit(value.element, given.element), written.generators)
        return self.expression(value)

    def connective(self, node: program.Connective) -> ast.expr:
        links = [operand for operand in node.operands if isinstance(operand, program.Compare)]
        # In a chained comparison, each operand between two links is one expression.
        chained = len(links) == len(node.operands) and all(one.right is other.left for one, other in pairwise(links))
        if chained and node.operator == "and":
            first, *others = self.all((links[0].left, *(link.right for link in links)))
            return ast.Compare(first, [_COMPARISONS[link.operator] for link in links], others)
        return ast.BoolOp(ast.And() if node.operator == "and" else ast.Or(), self.all(node.operands))

    def comprehension(self, node: program.Comprehension) -> ast.expr:
        form = {"list": ast.ListComp, "generator": ast.GeneratorExp, "set": ast.SetComp}[node.form]
        element, over = self.expression(node.element), self.expression(node.iterable)
        return form(element, [ast.comprehension(_target(node.target), over, self.all(node.filters), 0)])


def _loaded(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _attribute(owner: str, name: str) -> ast.expr:
    return ast.Attribute(_loaded(owner), name, ast.Load())


def _target(target: Target) -> ast.expr:
    if isinstance(target, str):
        return ast.Name(target, ast.Store())
    return ast.Tuple([_target(part) for part in target], ast.Store())
