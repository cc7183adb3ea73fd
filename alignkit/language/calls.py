"""Calls: draws of noise, functions of the language, the user's own functions, and H.shift.

Calls of mechanisms, and ``yield from``, from Python's syntax tree.
"""

from __future__ import annotations

import ast
from types import FunctionType

from alignkit.language import expressions, hints, program
from alignkit.language.hints import did_you_mean
from alignkit.language.kinds import Callee
from alignkit.language.program import Expression, Place
from alignkit.language.scope import Scope
from alignkit.noise import CHOICE, CUT_DISCRETE_LAPLACE, CUT_LAPLACE, DISCRETE_LAPLACE, DRAWS, LAPLACE, Distribution


def read_mechanism_call(node: ast.Call, called: Callee, scope: Scope, *, noise: bool) -> program.MechanismCall:
    """Read the call of a mechanism, which must stand where noise may be drawn; LanguageError where it does not fit."""
    assert isinstance(node.func, ast.Name)
    name, place = node.func.id, scope.place(node)
    names = called.program.parameters
    usage = f"{name}({', '.join(names)})"
    if scope.noise_vector:
        raise place.error(
            f"an alignment does not call the mechanism {name}",
            "the noise of a call is moved by its lemma: @alignment(…, lemmas=[…]) takes an alignment of the callee",
        )
    if node.keywords:
        raise scope.place(node.keywords[0]).error(
            "keyword arguments are not in the language", f"pass arguments by position: {usage}"
        )
    if any(isinstance(a, ast.Starred) for a in node.args):
        raise place.error("`*` unpacking is not in the language", f"write the arguments out: {usage}")
    if len(node.args) != len(names):
        raise place.error(f"{name} takes {len(names)} arguments, not {len(node.args)}", f"write {usage}")
    for argument, parameter in zip(node.args, names, strict=True):
        is_noise = isinstance(argument, ast.Name) and argument.id in scope.noise_names
        if is_noise != (parameter == called.noise_name):
            what = "takes the noise" if parameter == called.noise_name else "does not take the noise"
            raise scope.place(argument).error(
                f"{name} {what} as its parameter `{parameter}`", f"pass the arguments in order: {usage}"
            )
    if not noise:
        raise place.error(
            f"the mechanism {name} is called inside a larger expression",
            f"assign it first, on a line of its own: x = {usage}",
        )
    python = called.python
    assert isinstance(python, FunctionType)
    function = scope.helper(python, frozenset({called.noise_name}))
    arguments = tuple(
        program.Name(scope.place(a), ast.unparse(a))
        if parameter == called.noise_name
        else expressions.read_expression(a, scope)
        for a, parameter in zip(node.args, names, strict=True)
    )
    return program.MechanismCall(place, function, arguments, scope.site(), called)


def read_yield_from(node: ast.YieldFrom, scope: Scope) -> program.YieldFrom:
    """Read ``yield from other(…)``, where ``other`` is a mechanism that yields its outputs."""
    place = scope.place(node)
    value = expressions.read_right_side(node.value, None, scope)
    if not isinstance(value, program.MechanismCall):
        raise place.error(
            "`yield from` anything but the call of a mechanism is not in the language", "yield the values in a loop"
        )
    if not value.function.is_generator:
        raise place.error(
            f"{value.function.name} returns one value", f"yield it: x = {value.function.name}(…), then yield x"
        )
    return program.YieldFrom(place, value)


MANY = 255

# How many arguments each function of the language takes, and how its call is written.
SIGNATURES: dict[str, tuple[int, int, str]] = {
    "abs": (1, 1, "abs(x)"),
    "all": (1, 1, "all([…])"),
    "any": (1, 1, "any([…])"),
    "ceil": (1, 1, "ceil(x)"),
    "clamp": (3, 3, "clamp(x, low, high)"),
    "enumerate": (1, 1, "enumerate(q)"),
    "exp": (1, 1, "exp(x)"),
    "exp2": (1, 1, "exp2(x)"),
    "floor": (1, 1, "floor(x)"),
    "largest": (2, 2, "largest(values, k)"),
    "lattice_points": (3, 3, "lattice_points(low, high, spacing)"),
    "len": (1, 1, "len(q)"),
    "log": (1, 1, "log(x)"),
    "max": (1, MANY, "max(x, y) or max(q)"),
    "min": (1, MANY, "min(x, y) or min(q)"),
    "power": (2, 2, "power(x, n)"),
    "range": (1, 2, "range(n) or range(start, stop)"),
    "round": (1, 1, "round(x)"),
    "sqrt": (1, 1, "sqrt(x)"),
    "sum": (1, 1, "sum(q)"),
    "zip": (1, MANY, "zip(q, T)"),
}

# Allowed only where they are iterated: in Python they do not return lists, and some can be iterated only once.
LAZY = ("enumerate", "range", "zip")
REDUCTIONS = ("all", "any", "max", "min", "sum")

IN_PLACE = ("add", "append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort", "update")


# What is drawn with ``within=…``.
CUT = {LAPLACE: CUT_LAPLACE, DISCRETE_LAPLACE: CUT_DISCRETE_LAPLACE}

# The methods that state limits after a shift.
LIMITS = frozenset(program.LimitForm)


def is_draw(node: ast.expr, scope: Scope) -> bool:
    """Whether the expression draws noise: ``noise.laplace(…)``."""
    return _owner(node) in scope.noise_names


def is_shift(node: ast.expr | None, scope: Scope) -> bool:
    """Whether the expression is ``H.shift(…)``, with or without limits after it."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call() as shifted, attr=attr)) if attr in LIMITS:
            return is_shift(shifted, scope)
    owner = _owner(node)
    return owner is not None and owner == scope.noise_vector


def _owner(node: ast.expr | None) -> str | None:
    """The name whose method an expression calls, such as `noise` in `noise.laplace(…)`; None for other expressions."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
            return name
    return None


def passes_noise(node: ast.Call, scope: Scope) -> bool:
    """Whether a call hands the noise on, so that it may draw."""
    return any(_is_noise(argument, scope) for argument in node.args)


def _is_noise(node: ast.expr, scope: Scope) -> bool:
    return isinstance(node, ast.Name) and node.id in scope.noise_names


def read_draw(node: ast.expr, name: str, scope: Scope) -> program.Draw:
    """Read the draw that is assigned to ``name``; LanguageError where its arguments do not fit."""
    place = scope.place(node)
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Attribute)
    assert isinstance(node.func.value, ast.Name)
    method, source = node.func.attr, node.func.value.id
    distribution = DRAWS.get(method)
    if distribution is None:
        hint = f"{did_you_mean(method, DRAWS)}use one of {', '.join(DRAWS)}{hints.DISTRIBUTIONS.get(method, '')}"
        raise place.error(f"`{method}` is not a known noise distribution", hint)
    if name == "shift":
        raise place.error("noise cannot be called `shift`, the name of H.shift", "choose another name")
    if distribution in CUT and any(keyword.arg == "within" for keyword in node.keywords):
        return _read_cut(node, name, source, distribution, scope)
    names = [p.name for p in distribution.parameters]
    call = f"{source}.{method}({', '.join(names)})"
    usage = f"write {call}"
    given: dict[str, ast.expr] = dict(zip(names, node.args, strict=False))
    for keyword in node.keywords:
        if keyword.arg not in names or keyword.arg in given:
            several = f", and [{call} for x in q] for several draws" if keyword.arg == "size" else ""
            raise scope.place(keyword).error(f"{method} does not take this argument", usage + several)
        given[keyword.arg] = keyword.value
    if len(node.args) > len(names):
        raise place.error(f"{method} does not take {len(node.args)} arguments", usage)
    arguments: list[Expression] = []
    for parameter in distribution.parameters:
        if parameter.name in given:
            argument = _by_item(given[parameter.name]) if distribution is CHOICE else given[parameter.name]
            arguments.append(expressions.read_expression(argument, scope))
        elif parameter.default is not None:
            arguments.append(program.Constant(place, parameter.default))
        else:
            raise place.error(f"{method} is not given its {parameter.name}", usage)
    return program.Draw(place, name, source, distribution, tuple(arguments), scope.site())


def _by_item(node: ast.expr) -> ast.expr:
    """Weights that are one of two lists of one length, ``[1, e] if c else [e, 1]``: a list of items chosen by ``c``."""
    if not isinstance(node, ast.IfExp):
        return node
    match _by_item(node.body), _by_item(node.orelse):
        case ast.List(elts=one), ast.List(elts=other) if len(one) == len(other):
            if not any(isinstance(x, ast.Starred) for x in (*one, *other)):
                chosen = (ast.copy_location(ast.IfExp(node.test, x, y), x) for x, y in zip(one, other, strict=True))
                return ast.copy_location(ast.List(list(chosen), ast.Load()), node)
    return node


def _read_cut(node: ast.Call, name: str, source: str, distribution: Distribution, scope: Scope) -> program.Draw:
    """Read ``noise.laplace(scale, within=A)``: noise that is cut off at -A and A."""
    place = scope.place(node)
    names = [p.name for p in distribution.parameters]
    given = {**dict(zip(names, node.args, strict=False)), **{str(k.arg): k.value for k in node.keywords}}
    missing = {p.name for p in distribution.parameters if p.default is None} - given.keys()
    if missing or given.keys() - {*names, "within"} or len(node.args) + len(node.keywords) != len(given):
        usage = f"{source}.{distribution.name}({', '.join(names)}, within=A)"
        raise place.error(f"{distribution.name} takes {' and '.join(names)}, and a bound above 0", f"write {usage}")
    bound, again = (expressions.read_expression(given["within"], scope) for _ in range(2))
    own = (
        expressions.read_expression(given[p.name], scope)
        if p.name in given
        else program.Constant(place, p.default or 0)
        for p in distribution.parameters
    )
    arguments = (program.Negate(place, bound), again, *own)
    return program.Draw(place, name, source, CUT[distribution], arguments, scope.site())


def read_call(node: ast.Call, scope: Scope, *, iterated: bool = False, noise: bool = False) -> Expression:
    """Read a call; with ``iterated`` its value is iterated on the spot, with ``noise`` it may draw."""
    place = scope.place(node)
    if is_draw(node, scope):
        raise place.error(
            "noise is drawn inside a larger expression",
            "assign the draw by itself, or as the element of a list: eta = noise.laplace(…); for a list of lists, "
            "draw in a loop",
        )
    if isinstance(node.func, ast.Attribute):
        raise _method(node, node.func, scope)
    if not isinstance(node.func, ast.Name):
        raise place.error(f"`{ast.unparse(node.func)}` cannot be called", "call functions by their name")
    name = node.func.id
    if name in scope.noise_names:
        raise place.error(f"`{name}` is the noise, not a function", f"draw from it: eta = {name}.laplace(…)")
    if name in scope.local:
        raise place.error(f"`{name}` is a variable, not a function", "call functions defined in the file")
    builtin = scope.builtin(node.func)
    called = None if builtin is not None else scope.mechanism(node.func)
    if called is not None:
        return read_mechanism_call(node, called, scope, noise=noise)
    if builtin is None:
        scope.function(node.func)  # that a name cannot be called is said before what is wrong with its arguments
    if node.keywords:
        usage = f": {SIGNATURES[builtin][2]}" if builtin else ""
        raise scope.place(node.keywords[0]).error(
            "keyword arguments are not in the language", f"pass arguments by position{usage}"
        )
    if builtin is not None:
        return _builtin(node, builtin, place, scope, iterated)
    return _helper(node, node.func, place, scope, noise)


def _builtin(node: ast.Call, name: str, place: Place, scope: Scope, iterated: bool) -> program.Builtin:
    low, high, usage = SIGNATURES[name]
    if not low <= len(node.args) <= high:
        raise place.error(f"{name} does not take {len(node.args)} arguments", f"write {usage}")
    starred = next((a for a in node.args if isinstance(a, ast.Starred)), None)
    if starred is not None:
        raise scope.place(starred).error("`*` unpacking here is not in the language", f"write {usage}")
    if name in LAZY and not iterated:
        raise place.error(
            f"{name}(…) is used where nothing iterates over it",
            f"iterate over it in place, as in `for … in {name}(…)`, or write a list: [x for x in …]",
        )
    over = name in REDUCTIONS and len(node.args) == 1
    if over and isinstance(node.args[0], ast.GeneratorExp):
        argument: Expression = expressions.read_comprehension(node.args[0], "generator", scope)
        return program.Builtin(place, name, (argument,))
    read = expressions.read_iterable if over or name in ("enumerate", "zip") else expressions.read_expression
    return program.Builtin(place, name, tuple(read(a, scope) for a in node.args))


def _helper(node: ast.Call, func: ast.Name, place: Place, scope: Scope, noise: bool) -> program.Call:
    function = scope.function(func)
    if passes_noise(node, scope) and not noise:
        raise place.error(
            f"{func.id} is passed the noise inside a larger expression",
            f"assign it first, on a line of its own: x = {func.id}(…); for each item of a list, do so in a loop",
        )
    if any(isinstance(a, ast.Starred) for a in node.args):
        raise place.error("`*` unpacking is not in the language", "write the arguments out")
    parameters = function.__code__.co_varnames
    passed = frozenset(p for p, a in zip(parameters, node.args, strict=False) if _is_noise(a, scope))
    called = scope.helper(function, passed)
    if len(node.args) != len(called.parameters):
        raise place.error(
            f"{func.id} takes {len(called.parameters)} arguments, not {len(node.args)}",
            "pass all of them, by position",
        )
    if called.is_generator:
        raise place.error(f"{func.id} is a generator", "a function that is called returns its value")
    arguments = tuple(
        program.Name(scope.place(a), ast.unparse(a)) if _is_noise(a, scope) else expressions.read_expression(a, scope)
        for a in node.args
    )
    return program.Call(place, called, arguments, scope.site())


def read_shift(node: ast.expr, scope: Scope) -> program.ShiftExpression:
    """Read ``H.shift(…)``, which an alignment returns, and the limits that may follow it."""
    place = scope.place(node)
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Attribute)
    if node.func.attr in LIMITS and isinstance(node.func.value, ast.Call):
        return _read_limits(node, read_shift(node.func.value, scope), program.LimitForm(node.func.attr), scope)
    if node.func.attr != "shift" or node.args or any(k.arg is None for k in node.keywords):
        raise place.error("H has only noise values and H.shift(name=…)", "return H.shift(eta=1)")
    shifts = [
        program.NamedShift(scope.place(shift), str(shift.arg), expressions.read_expression(shift.value, scope))
        for shift in node.keywords
    ]
    return program.ShiftExpression(place, tuple(shifts))


def _read_limits(
    node: ast.Call, shift: program.ShiftExpression, form: program.LimitForm, scope: Scope
) -> program.ShiftExpression:
    """A shift with the limits that ``.below(…)``, ``.above(…)`` or ``.distinct(…)`` states."""
    place = scope.place(node)
    if node.args or not node.keywords or any(k.arg is None for k in node.keywords):
        example = "q" if form is program.LimitForm.DISTINCT else "tau"
        raise place.error(f".{form} takes limits by the names of draws", f"write H.shift(…).{form}(x={example})")
    limits = list(shift.limits)
    for limit in node.keywords:
        if any(isinstance(part, ast.Starred) for part in ast.walk(limit.value)):
            raise scope.place(limit).error("`*` is not covered in limits", "write the list as a comprehension")
        if any(other.name == limit.arg and other.form is form for other in limits):
            raise scope.place(limit).error(f"`{limit.arg}` has two limits .{form}", _ONE_LIMIT[form])
        value, given = (
            expressions.read_expression(_without_none(limit.value, given=given), scope) for given in (False, True)
        )
        limits.append(program.NamedLimit(scope.place(limit), str(limit.arg), form, value, given))
    return program.ShiftExpression(place, shift.shifts, tuple(limits))


_ONE_LIMIT = {
    program.LimitForm.BELOW: "give the min(…) of both",
    program.LimitForm.ABOVE: "give the max(…) of both",
    program.LimitForm.DISTINCT: "state one",
}


def _without_none(node: ast.expr, *, given: bool) -> ast.expr:
    """A limit with 0 for each ``None``; or with ``given``, 1 for each number in it and 0 for each ``None``."""

    def at(number: int) -> ast.expr:
        return ast.copy_location(ast.Constant(number), node)

    def inside(part: ast.expr) -> ast.expr:
        return _without_none(part, given=given)

    match node:
        case ast.Constant(value=None):
            return at(0)
        case ast.IfExp(test=test, body=body, orelse=other):
            changed: ast.expr = ast.IfExp(test, inside(body), inside(other))
        case ast.List(elts=items) | ast.Tuple(elts=items):
            changed = type(node)([inside(item) for item in items], ast.Load())
        case ast.ListComp(elt=item, generators=generators):
            changed = ast.ListComp(inside(item), generators)
        case _:
            return at(1) if given else node
    return ast.copy_location(changed, node)


def _method(node: ast.Call, function: ast.Attribute, scope: Scope) -> Exception:
    place = scope.place(node)
    text = ast.unparse(function)
    if is_shift(node, scope) and function.attr == "shift":
        return place.error(
            f"`{text}(…)` may only stand in a return",
            f"end the alignment with return {text}(…), and put conditions inside it: eta=1 if … else 0",
        )
    return place.error(f"`{text}(…)` is not in the language", _instead(function, text.split(".")[:-1], scope))


def _instead(function: ast.Attribute, owner: list[str], scope: Scope) -> str:
    """What to write instead of the call of an attribute; ``owner`` is what it is an attribute of."""
    name, root = function.attr, owner[0]
    if root == scope.noise_vector and len(owner) == 1:
        return f"{root} is read and shifted only: read a draw as {root}.eta, and return {root}.shift(eta=1)"
    if name == "shift":
        return "name all shifts in one call: return H.shift(eta=1, …)"
    if name in DRAWS or "random" in owner or root in ("rng", "secrets"):
        return "a mechanism draws from its noise parameter: eta = noise.laplace(…)"
    if name in IN_PLACE and (root in scope.local or name not in hints.FUNCTIONS):
        kept = "write" if scope.noise_vector else "yield each output, or write"
        return f"values cannot be changed in place: {kept} the list as a comprehension, [… for x in …]"
    return hints.FUNCTIONS.get(name, "call functions of the language by their name")
