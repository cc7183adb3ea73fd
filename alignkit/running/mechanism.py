"""The mechanism: a Python function over its noise, read once, callable as it was."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from alignkit.arguments import items, mapping
from alignkit.errors import InputError, LanguageError
from alignkit.language.current import ensure_current
from alignkit.language.inference import infer
from alignkit.language.kinds import INT, NOISE, REAL, Kind, Kinds, vector
from alignkit.language.parameters import ParameterType, Query, Real, Reals, check_multiple
from alignkit.language.program import Function
from alignkit.language.reader import Reader, Signature
from alignkit.running.annotations import aliases, read_anew, replaced
from alignkit.running.declarations import declared, defaults
from alignkit.running.digests import digest
from alignkit.running.draws import DrawSite, find_draws, keys_by_place
from alignkit.running.exactly import exact_function
from alignkit.running.references import Reference, by_reference

if TYPE_CHECKING:
    import numpy as np
    from typing_extensions import TypeVar as TypeVarWithDefault

    Output = TypeVarWithDefault("Output", default=Any, covariant=True)
else:
    Output = TypeVar("Output", covariant=True)

Item = TypeVar("Item")


@dataclass(frozen=True, eq=False)
class Mechanism(Generic[Output]):
    """A differentially private mechanism, made by the decorator ``@mechanism``.

    Calling it calls the Python function it was made from. ``sample`` runs it on fresh noise, ``replay`` on a
    given noise vector. To a type checker it is generic in what these give: a list of outputs for a generator, else
    what the function returns.
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
    signature: Signature = field(repr=False)
    aliases: Mapping[str, Any] = field(repr=False)
    evaluated: Mapping[str, ParameterType] = field(repr=False)

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

    def ensure_current(self) -> None:
        """Raise LanguageError where the mechanism, or what it uses, is no longer what was read."""
        ensure_current(self.python, self.program)
        hint = f"define {self.name} and its alignments again (in a notebook, run their cells again)"
        name = replaced(self.python, self.aliases)
        if name:
            raise self.program.place.error(
                f"`{name}` stands for another type since {self.name} was read",
                hint,
            )
        now = read_anew(self.python, self.signature, self.evaluated)
        for name, kind in now.items():
            if kind != self.evaluated[name]:
                raise self.signature.parameters[name].error(
                    f"`{self.signature.annotations[name]}` stands for another type since {self.name} was read", hint
                )

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        code = self.python.__code__
        if self.noise_name not in named and self.noise_name not in code.co_varnames[: len(arguments)]:
            raise TypeError(
                f"{self.name} is called without noise: write {self.name}.sample(…), which draws it, or "
                f"{self.name}.replay(…, H={{name: value, …}}), which takes it from you"
            )
        return self.python(*arguments, **named)

    def __repr__(self) -> str:
        return f"<mechanism {self.name}>"

    def __reduce__(self) -> Reference:
        return by_reference(self.python, self.file)

    def sample(self, *answers: Any, seed: int | np.random.Generator | None = None, **parameters: Any) -> Output:
        """Run on fresh noise: a list of outputs for a generator, else what the function returns.

        Private parameters go by position or by name, public ones by name. Public arithmetic is exact; noise is
        floating point, so this is for experiments, not for release. ``seed`` is an int or a numpy Generator.

        >>> from alignkit.mechanisms.sparse_vector import sparse_vector
        >>> sparse_vector.sample([900, 10], T=100, k=1, eps=1, seed=1)
        [ABOVE]
        """
        from alignkit.running.sampling import sample

        output: Output = sample(self, self.read(answers, parameters), seed)
        return output

    def replay(self, *answers: Any, H: Mapping[str, Any] | None = None, **parameters: Any) -> Output:
        """Run on the noise vector H, a value or list for each draw by name: M(D, H).

        Private parameters go by position or by name, H after them or by name, public parameters by name. A draw in a
        loop has a list over the iterations, None (or anything) where it is not drawn, and no more values than the loop
        has iterations.

        Ints, Fractions and strings such as "1/3" are computed exactly; floats as floats. The user's own function
        runs, and alignkit's evaluation of its program must agree with it (InternalError if not). Raises InputError
        where H lacks a coordinate that is drawn, or holds a value outside the distribution's support.

        >>> from alignkit.mechanisms.sparse_vector import sparse_vector_with_gap
        >>> sparse_vector_with_gap.replay([3], H={"eta": 0, "eta_i": [1]}, T=2, k=1, eps=1)
        [Fraction(2, 1)]
        """
        from alignkit.running.replaying import replay

        if H is None and len(answers) == len(self.private) + 1:
            *answers_, H = answers
            answers = tuple(answers_)
        if H is None:
            raise InputError(f"{self.name}.replay needs the noise vector: H={{name: value, …}}")
        output: Output = replay(self, self.read(answers, parameters), H)
        return output

    def read(self, answers: tuple[Any, ...], parameters: Mapping[str, Any]) -> dict[str, Any]:
        """All arguments but the noise, checked and exact; InputError says which is missing or wrong."""
        given = self.given(answers, parameters)
        # Public values first: what is wrong with them is said before any private value is looked at.
        found = self.read_public(given)
        for name, kind in self.private.items():
            found[name] = kind.read(given[name], name)
            self.check_lattice(name, found)
        return {name: found[name] for name in self.parameters}

    def given(self, answers: tuple[Any, ...], parameters: Mapping[str, Any]) -> dict[str, Any]:
        """All arguments but the noise by name, defaults filled in, as they were given; InputError if one is missing."""
        given = mapping(parameters, "the parameters", "a dict from names to values")
        answers = items(answers, "the private answers", f"a tuple, one of each of {', '.join(self.private)}")
        names = list(self.private)
        if len(answers) > len(names):
            raise InputError(
                f"{self.name} takes its private parameters by position ({', '.join(names)}), all others by name"
            )
        for name, value in zip(names, answers, strict=False):
            if name in given:
                raise InputError(f"{name} was given twice, by position and by name")
            given[name] = value
        unknown = [name for name in given if name not in self.parameters]
        if unknown:
            raise InputError(f"{self.name} has no parameter {unknown[0]!r}; it takes {', '.join(self.parameters)}")
        missing = [name for name in self.parameters if name not in given and name not in self.defaults]
        if missing:
            raise InputError(f"{self.name} needs {', '.join(f'{name}=…' for name in missing)}")
        return {**self.defaults, **given}

    def read_public(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The public arguments, checked and exact; the private ones are not looked at."""
        found = {name: kind.read(given[name], name) for name, kind in self.public.items()}
        for name in self.public:
            self.check_lattice(name, found)
        return found

    def check_lattice(self, name: str, values: Mapping[str, Any]) -> None:
        """Raise InputError unless the value of a parameter is on the parameter's lattice."""
        lattice = self.lattice(name, values)
        if lattice is not None:
            check_multiple(values[name], lattice, name)

    def kind(self, name: str) -> Kind:
        """The kind of a parameter's values."""
        return _kind(self.parameters[name])

    def sensitivity(self, name: str, values: Mapping[str, Any]) -> Any:
        """The sensitivity of a private parameter, as a number."""
        declared = self.private[name].sensitivity
        return values[declared] if isinstance(declared, str) else declared

    @functools.cached_property
    def exact_at_once(self) -> Callable[..., Any]:
        """``exact`` for noise that gives many draws in one call."""
        self.ensure_current()  # names are looked up again
        return exact_function(self.python, at_once=True)

    @functools.cached_property
    def digest(self) -> str:
        """A fingerprint of what runs: the program and what it calls, its parameters and their defaults."""
        return digest(self.program, self.parameters, self.defaults)

    @functools.cached_property
    def lattices(self) -> dict[str, int | Fraction | str]:
        """The lattice of each parameter that has one, as declared; a sensitivity is on that of its answers."""
        found = {n: kind.lattice for n, kind in self.parameters.items() if kind.lattice is not None}
        for kind in self.private.values():
            if kind.lattice is not None and isinstance(kind.sensitivity, str):
                found.setdefault(kind.sensitivity, kind.lattice)
        return found

    def lattice(self, name: str, values: Mapping[str, Any]) -> Fraction | None:
        """The lattice of a parameter, as a number; None where it has none."""
        declared = self.lattices.get(name)
        if declared is None:
            return None
        return Fraction(values[declared] if isinstance(declared, str) else declared)

    def on_lattices(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values, those of parameters that have a lattice moved to a multiple of it, above 0 where they must be."""
        found = dict(values)
        for name in self.lattices:
            lattice = self.lattice(name, found) if name in found else None
            if lattice is not None:
                found[name] = _rounded(found[name], lattice, positive=self.parameters[name].positive)
        return found


def _rounded(value: Any, lattice: Fraction, *, positive: bool) -> Any:
    if isinstance(value, tuple):
        return tuple(_rounded(x, lattice, positive=positive) for x in value)
    steps = round(Fraction(value) / lattice)
    return lattice * (max(steps, 1) if positive else steps)


@overload
def mechanism(function: Callable[..., Iterator[Item]]) -> Mechanism[list[Item]]: ...
@overload
def mechanism(function: Callable[..., Output]) -> Mechanism[Output]: ...
def mechanism(function: Callable[..., Any] | None = None) -> Mechanism:
    """Make a mechanism of a function of the language.

    The parameters' annotations say what they are: ``Queries`` and ``Query`` are private, ``Real``, ``Positive``,
    ``Count``, ``Epsilon``, ``Eta``, ``Proportion`` and ``Reals`` public, and one is ``Noise``. ``Annotated`` adds the
    ``Sensitivity`` of answers and a ``Lattice``. Raises LanguageError, with file, line and caret, for anything outside
    the language.
    """
    if function is None:
        raise InputError("@mechanism takes no arguments: write @mechanism without brackets, above the def")
    if isinstance(function, Mechanism):
        raise LanguageError(f"{function.name} is a mechanism already", hint="decorate it once")
    reader = Reader(function, noise=None)
    signature = reader.signature()
    parameters, noise = declared(function, signature)
    reader.noise = noise
    program = reader.read()
    kinds = infer(program, {name: _kind(kind) for name, kind in parameters.items()} | {noise: NOISE})
    draws = find_draws(program)
    return Mechanism(
        python=function,
        program=program,
        parameters=parameters,
        noise_name=noise,
        draws=draws,
        kinds=kinds,
        exact=exact_function(function),
        keys=keys_by_place(draws),
        defaults=defaults(function, parameters, signature),
        signature=signature,
        aliases=aliases(function, signature),
        evaluated=read_anew(function, signature, parameters),
    )


def _kind(kind: ParameterType) -> Kind:
    base = INT if kind.integer else REAL
    return vector(base) if kind.vector else base
