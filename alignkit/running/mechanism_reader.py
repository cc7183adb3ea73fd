"""How a mechanism is read: its parameters from the annotations, then its program and the draws in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from alignkit.language.inference import infer
from alignkit.language.kinds import NOISE
from alignkit.language.program import Function
from alignkit.language.reader import Reader
from alignkit.running.annotations import aliases, read_anew
from alignkit.running.declarations import check_types, declared, defaults
from alignkit.running.draws import find_draws
from alignkit.running.mechanism_program import MechanismProgram, kind_of
from alignkit.running.read_functions import AsRead

Read = TypeVar("Read", bound=MechanismProgram)


def read_mechanism(made: type[Read], as_read: Callable[[Function], AsRead], function: Callable[..., Any]) -> Read:
    """Make a mechanism, of the type ``made``, of a function; ``as_read`` keeps a function to be run.

    Raises LanguageError for anything outside the language.
    """
    reader = Reader(function, noise=None)
    signature = reader.signature()
    parameters, noise = declared(function, signature)
    evaluated = read_anew(function, signature, parameters)
    check_types(parameters, evaluated, signature)
    reader.noise = noise
    program = reader.read()
    kinds = infer(program, {name: kind_of(kind) for name, kind in parameters.items()} | {noise: NOISE})
    return made(
        python=function,
        program=program,
        parameters=parameters,
        noise_name=noise,
        draws=find_draws(program),
        kinds=kinds,
        as_read=as_read(program),
        defaults=defaults(function, parameters, signature),
        signature=signature,
        aliases=aliases(function, signature),
        evaluated=evaluated,
    )
