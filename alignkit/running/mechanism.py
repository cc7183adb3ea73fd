"""The mechanism: a Python function over its noise, read once, callable as it was."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from alignkit.errors import InputError, LanguageError
from alignkit.language.kinds import INT, NOISE, REAL, Kind, Kinds, infer, vector
from alignkit.language.parameters import ParameterType, Query, Real, Reals
from alignkit.language.program import Function
from alignkit.language.reader import Reader
from alignkit.noise import Noise
from alignkit.running.draws import DrawSite, find_draws, keys_by_place
from alignkit.running.exactly import exact_function

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, eq=False)
class Mechanism:
    """A differentially private mechanism, made by the decorator ``@mechanism``.

    Calling it calls the Python function it was made from. ``sample`` runs it on fresh noise, ``replay`` on a
    given noise vector.
    """

    python: Callable[..., Any] = field(repr=False)
    program: Function = field(repr=False)
    parameters: Mapping[str, ParameterType] = field(repr=False)
    noise_name: str = field(repr=False)
    draws: tuple[DrawSite, ...] = field(repr=False)
    kinds: Kinds = field(repr=False)
    exact: Callable[..., Any] = field(repr=False)
    keys: Mapping[tuple[tuple[int, ...], int], str] = field(repr=False)
    defaults: Mapping[str, Any] = field(repr=False)

    def __post_init__(self) -> None:
        for name in functools.WRAPPER_ASSIGNMENTS:
            if hasattr(self.python, name):
                object.__setattr__(self, name, getattr(self.python, name))
        object.__setattr__(self, "__wrapped__", self.python)

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def file(self) -> str:
        return self.program.place.source.file

    @property
    def line(self) -> int:
        return self.program.place.line

    @property
    def private(self) -> dict[str, Query]:
        """The private parameters, in order."""
        return {name: kind for name, kind in self.parameters.items() if isinstance(kind, Query)}

    @property
    def public(self) -> dict[str, Real | Reals]:
        """The public parameters, in order."""
        return {name: kind for name, kind in self.parameters.items() if not isinstance(kind, Query)}

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.python(*arguments, **named)

    def __repr__(self) -> str:
        return f"<mechanism {self.name}>"

    def sample(self, *answers: Any, seed: int | np.random.Generator | None = None, **parameters: Any) -> Any:
        """Run on fresh noise: a list of outputs for a generator, else what the function returns.

        Private parameters go by position or by name, public ones by name. Public arithmetic is exact; noise is
        floating point, so this is for experiments, not for release. ``seed`` is an int or a numpy Generator.

        >>> from alignkit.mechanisms.sparse_vector import sparse_vector
        >>> sparse_vector.sample([900, 10], T=100, k=1, eps=1, seed=1)
        [ABOVE]
        """
        from alignkit.running.sampling import sample

        return sample(self, self.read(answers, parameters), seed)

    def replay(self, *answers: Any, H: Mapping[str, Any], **parameters: Any) -> Any:
        """Run on the noise vector H, a value or list for each draw by name: M(D, H).

        Ints, Fractions and strings such as "1/3" are computed exactly; floats as floats. The user's own function
        runs, and alignkit's evaluation of its program must agree with it (InternalError if not). Raises InputError
        where H lacks a coordinate that is drawn, or holds a value outside the distribution's support.

        >>> from alignkit.mechanisms.sparse_vector import sparse_vector_with_gap
        >>> sparse_vector_with_gap.replay([3], H={"eta": 0, "eta_i": [1]}, T=2, k=1, eps=1)
        [Fraction(2, 1)]
        """
        from alignkit.running.replaying import replay

        return replay(self, self.read(answers, parameters), H)

    def read(self, answers: tuple[Any, ...], parameters: Mapping[str, Any]) -> dict[str, Any]:
        """All arguments but the noise, checked and exact; InputError says which is missing or wrong."""
        given = dict(parameters)
        names = list(self.private)
        if len(answers) > len(names):
            raise InputError(f"{self.name} takes {len(names)} private arguments by position: {', '.join(names)}")
        for name, value in zip(names, answers, strict=False):
            if name in given:
                raise InputError(f"{name} was given twice, by position and by name")
            given[name] = value
        unknown = [name for name in given if name not in self.parameters]
        if unknown:
            raise InputError(
                f"{self.name} has no parameter {unknown[0]!r}; it takes {', '.join(self.parameters)}"
            )
        missing = [name for name in self.parameters if name not in given and name not in self.defaults]
        if missing:
            raise InputError(f"{self.name} needs {', '.join(f'{name}=…' for name in missing)}")
        values = {**self.defaults, **given}
        return {name: kind.read(values[name], name) for name, kind in self.parameters.items()}

    def sensitivity(self, name: str, values: Mapping[str, Any]) -> Any:
        """The sensitivity of a private parameter, as a number."""
        declared = self.private[name].sensitivity
        return values[declared] if isinstance(declared, str) else declared


def mechanism(function: Callable[..., Any]) -> Mechanism:
    """Make a mechanism of a function of the language.

    The parameters' annotations say what they are: ``Queries`` and ``Query`` are private, ``Real``, ``Positive``,
    ``Count``, ``Epsilon``, ``Proportion`` and ``Reals`` public, and one is ``Noise``. Raises LanguageError, with
    file, line and caret, for anything outside the language.
    """
    if isinstance(function, Mechanism):
        raise LanguageError(f"{function.name} is a mechanism already", hint="decorate it once")
    declared = _annotations(function)
    noises = [name for name, kind in declared.items() if kind is Noise]
    reader = Reader(function, noise=noises[0] if noises else None)
    program = reader.read()
    missing = [name for name in program.parameters if name not in declared]
    if missing:
        raise program.place.error(
            f"parameter `{missing[0]}` has no type", f"write {missing[0]}: Queries, Real, Count, Epsilon, … or Noise"
        )
    if len(noises) != 1:
        raise program.place.error(
            "a mechanism takes its noise as one parameter" if not noises else "two parameters are noise",
            "add `noise: Noise`, once",
        )
    parameters = {name: _parameter_type(declared[name], name, program) for name in program.parameters
                  if name != noises[0]}  # fmt: skip
    if not any(isinstance(kind, Query) for kind in parameters.values()):
        raise program.place.error("no parameter is private", "annotate the query answers: q: Queries")
    _check_sensitivities(parameters, program)
    _check_reserved(parameters, program)
    kinds = infer(program, {name: _kind(kind) for name, kind in parameters.items()} | {noises[0]: NOISE})
    draws = find_draws(program)
    return Mechanism(
        python=function,
        program=program,
        parameters=parameters,
        noise_name=noises[0],
        draws=draws,
        kinds=kinds,
        exact=exact_function(function, inexact=kinds.inexact),
        keys=keys_by_place(draws),
        defaults=_defaults(function),
    )


def _annotations(function: Callable[..., Any]) -> dict[str, Any]:
    if not inspect.isfunction(function):
        return {}
    try:
        found = inspect.get_annotations(function, eval_str=True)
    except Exception as problem:
        raise LanguageError(
            f"the annotations of {function.__name__} cannot be read: {problem}",
            file=function.__code__.co_filename,
            line=function.__code__.co_firstlineno,
            hint="import the parameter types from alignkit at the top of the file",
        ) from None
    found.pop("return", None)
    return found


def _parameter_type(annotation: Any, name: str, program: Function) -> ParameterType:
    kind = annotation() if isinstance(annotation, type) and issubclass(annotation, Real | Reals | Query) else annotation
    if not isinstance(kind, Real | Reals | Query):
        raise program.place.error(
            f"parameter `{name}` has the type {annotation!r}",
            "use Queries, Query, Real, Reals, Positive, Proportion, Count, Epsilon or Noise, from alignkit",
        )
    return kind


def _check_sensitivities(parameters: Mapping[str, ParameterType], program: Function) -> None:
    for name, kind in parameters.items():
        if isinstance(kind, Query) and isinstance(kind.sensitivity, str):
            named = parameters.get(kind.sensitivity)
            if not isinstance(named, Real) or not named.positive:
                raise program.place.error(
                    f"the sensitivity of `{name}` is {kind.sensitivity!r}",
                    "name a public parameter of type Positive, or give a number",
                )


def _check_reserved(parameters: Mapping[str, ParameterType], program: Function) -> None:
    """Names that mean something else in an alignment."""
    primed = {f"{name}_" for name, kind in parameters.items() if isinstance(kind, Query)}
    for name in parameters:
        if name in primed or name in ("omega", "H"):
            raise program.place.error(
                f"a parameter is called `{name}`", "choose another name: it has a meaning of its own in alignments"
            )


def _kind(kind: ParameterType) -> Kind:
    base = INT if kind.integer else REAL
    return vector(base) if kind.vector else base


def _defaults(function: Callable[..., Any]) -> dict[str, Any]:
    signature = inspect.signature(function)
    return {n: p.default for n, p in signature.parameters.items() if p.default is not inspect.Parameter.empty}


