"""What stands for noise, arrays and Python's numbers while a user's function runs, and is taken away afterwards.

Nothing of the function is rewritten. A generator is one that reads the tape; a source of randomness that is neither
known nor named is an error with its line.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import math
import os
import random
import secrets
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from alignkit.confirming.normal_forms import Comparison, NotExaminedError, Number, UndefinedError, shown
from alignkit.errors import InputError
from alignkit.implementing.arrays import (
    IRRATIONAL,
    RealArray,
    argpartition,
    array_of_numbers,
    base,
    exact_number,
    floor_of,
    has_numbers,
    objects,
    partition,
    replacements,
    truncated,
)
from alignkit.implementing.hidden import is_library, refuse_hidden
from alignkit.implementing.tapes import CutError, NoiseDraw, Tape, chosen

_OWN, _NUMPY = os.path.dirname(__file__), os.path.dirname(np.__file__)
_CLOCKS = tuple(
    name for name in (
        "time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "process_time",
        "process_time_ns", "thread_time", "thread_time_ns", "clock_gettime", "clock_gettime_ns",
    ) if hasattr(time, name)
)  # fmt: skip


@dataclass(frozen=True)
class NamedSource:
    """A function that a user names: a sampler, by its draws, or what gives answers, by parameters of the mechanism.

    ``answers`` is one parameter, or a function from parameters to what is given.
    """

    target: str
    draws: Any = None
    answers: Any = None

    def __str__(self) -> str:
        if self.answers is None:
            return f"{self.target} draws {getattr(self.draws, '__name__', self.draws)}"
        return f"{self.target} gives {', '.join(f'`{name}`' for name in self.parameters)}"

    @property
    def parameters(self) -> tuple[str, ...]:
        """The private answers that it gives."""
        if self.answers is None:
            return ()
        return (self.answers,) if isinstance(self.answers, str) else tuple(inspect.signature(self.answers).parameters)


class Recorder:
    """Reads the tape for a function that draws."""

    def __init__(self, tape: Tape, calculus: Any = None) -> None:
        self.tape, self.calculus = tape, calculus
        self.top: Any = None
        # The first error of this room: what raised it may be within a `try` of the user's.
        self.ended: Exception | None = None
        # The form of each output that was met, by the sizes of the inputs.
        self.forms: dict[Any, str] = {}

    def draw(self, draw: NoiseDraw, *, signed: bool = False) -> Any:
        """The value of a draw, or the array of values; only Python's own samplers take a scale below 0, ``signed``."""
        calls, told = self._place()
        shape = draw.size
        if draw.family != "uniform" and not signed and any(scale < 0 for scale in objects(draw.scale).flat):
            raise ValueError("scale < 0")
        if shape is None and any(isinstance(v, np.ndarray | list) for v in (draw.scale, draw.location)):
            shape = np.broadcast_shapes(np.shape(base(draw.scale)), np.shape(base(draw.location)))
        if shape is None:
            return self.tape.read(calls, told, draw)
        shape = (int(shape),) if not isinstance(shape, tuple | list) else tuple(map(int, shape))
        scales, locations = (np.broadcast_to(objects(v), shape).ravel() for v in (draw.scale, draw.location))
        values = [
            self.tape.read(calls, told, replace(draw, scale=scale, location=location, size=None))
            for scale, location in zip(scales, locations, strict=True)
        ]
        return self.array(values, shape)

    def array(self, values: Sequence[Any], shape: tuple[int, ...]) -> Any:
        """Values as an array of the kind that the run at hand computes with."""
        if self.calculus is not None and has_numbers(list(values)):
            return array_of_numbers(list(values)).reshape(shape)
        return np._core.multiarray.array(list(values)).reshape(shape)  # type: ignore[attr-defined]

    def _place(self) -> tuple[Any, str]:
        """The calls that lead from the function's start to the draw, and the line of the last."""
        calls, told = [], ""
        frame: Any = sys._getframe(2)
        while frame is not None and frame.f_code is not self.top:
            code = frame.f_code
            if not code.co_filename.startswith((_OWN, _NUMPY)):
                calls.append((code.co_filename, code.co_firstlineno, code.co_name, frame.f_lasti))
                told = told or f"{os.path.basename(code.co_filename)}:{frame.f_lineno}"
            frame = frame.f_back
        return tuple(calls), told


# Generators


class Generator:
    """The methods of numpy's generators and of Python's ``random``, on a tape."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def laplace(self, loc: Any = 0, scale: Any = 1, size: Any = None) -> Any:
        return self._recorder.draw(NoiseDraw("laplace", scale, loc, size=size))

    def exponential(self, scale: Any = 1, size: Any = None) -> Any:
        return self._recorder.draw(NoiseDraw("exponential", scale, size=size))

    def standard_exponential(self, size: Any = None) -> Any:
        return self.exponential(1, size)

    def expovariate(self, lambd: Any = 1) -> Any:
        return self._recorder.draw(NoiseDraw("exponential", 1 / lambd), signed=True)

    def gumbel(self, loc: Any = 0, scale: Any = 1, size: Any = None) -> Any:
        return self._recorder.draw(NoiseDraw("gumbel", scale, loc, size=size))

    def logistic(self, loc: Any = 0, scale: Any = 1, size: Any = None) -> Any:
        return self._recorder.draw(NoiseDraw("logistic", scale, loc, size=size))

    def normal(self, loc: Any = 0, scale: Any = 1, size: Any = None) -> Any:
        return self._recorder.draw(NoiseDraw("normal", scale, loc, size=size))

    def standard_normal(self, size: Any = None) -> Any:
        return self.normal(0, 1, size)

    def randn(self, *shape: int) -> Any:
        return self.normal(0, 1, shape or None)

    def gauss(self, mu: Any = 0, sigma: Any = 1) -> Any:
        return self._recorder.draw(NoiseDraw("normal", sigma, mu), signed=True)

    normalvariate = gauss

    def uniform(self, low: Any = 0, high: Any = 1, size: Any = None) -> Any:
        return self._recorder.draw(NoiseDraw("uniform", high - low, low, size=size))

    def random(self, size: Any = None) -> Any:
        return self._recorder.draw(NoiseDraw("uniform", size=size))

    random_sample = sample = ranf = random

    def rand(self, *shape: int) -> Any:
        return self.random(shape or None)

    def geometric(self, p: Any, size: Any = None) -> Any:
        if p <= 0 or p > 1:
            raise ValueError("p <= 0, p > 1 or p contains NaNs")
        return self._recorder.draw(NoiseDraw("geometric", parameter=1 - p, size=size, read=lambda count: 1 + count))

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None, *, relative: bool = False) -> Any:
        elements = list(range(a)) if isinstance(a, int | np.integer) else list(a)
        if size is not None and not replace:
            raise NotExaminedError("a choice of several without replacement")
        weights = [1] * len(elements) if p is None else list(p)
        if len(weights) != len(elements):
            raise ValueError("'a' and 'p' must have same size")
        if any(isinstance(weight, float) and math.isnan(weight) for weight in weights):
            raise ValueError("Probabilities contain NaN")
        if any(weight < 0 for weight in weights):
            raise ValueError("Probabilities are not non-negative")
        if p is not None and not relative and abs(sum(weights) - 1) > Fraction(1, 10**8):
            raise ValueError("Probabilities do not sum to 1")
        read = lambda u: elements[chosen(u, weights)]  # noqa: E731
        return self._recorder.draw(NoiseDraw("uniform", size=size, read=read))

    def choices(self, population: Any, weights: Any = None, *, k: int = 1) -> Any:
        return [self.choice(list(population), p=weights, relative=True) for _ in range(k)]

    def integers(self, low: int, high: int | None = None, size: Any = None, endpoint: bool = False) -> Any:
        first, last = (0, low) if high is None else (low, high)
        if first >= last + endpoint:
            raise ValueError("low >= high")
        return self.choice(list(range(first, last + endpoint)), size)

    def randint(self, low: int, high: int | None = None, size: Any = None) -> Any:
        return self.integers(low, high, size)

    def randrange(self, *bounds: int) -> Any:
        return self.choice(list(range(*bounds)))

    def binomial(self, n: int, p: Any, size: Any = None) -> Any:
        if n != 1:
            raise NotExaminedError("a binomial number of more than one trial")
        if p < 0 or p > 1:
            raise ValueError("p < 0, p > 1 or p is NaN")
        return self._recorder.draw(NoiseDraw("uniform", size=size, read=lambda u: chosen(u, [1 - p, p])))

    def permutation(self, x: Any) -> Any:
        elements = list(range(x)) if isinstance(x, int | np.integer) else list(x)
        order = self._recorder.draw(NoiseDraw("permutation", parameter=len(elements)))
        return self._recorder.array([elements[i] for i in order], (len(elements),))

    def shuffle(self, x: Any) -> None:
        elements = list(x)
        order = self._recorder.draw(NoiseDraw("permutation", parameter=len(elements)))
        x[:] = [elements[i] for i in order]

    def seed(self, value: Any = None, *more: Any, **named: Any) -> None:
        if value is not None or more or named:
            told = f" {value!r}" if isinstance(value, int | str) else ""
            raise NotExaminedError(f"a generator with the fixed seed{told}, whose noise is the same in every run")

    def spawn(self, number: int) -> Any:
        return [self] * number


def _strict(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that refuses arguments which it does not know, and generators whose noise is the same in every run."""
    signature = inspect.signature(method)

    def drawing(self: Any, *args: Any, **named: Any) -> Any:
        if getattr(self, "_seeded", False):
            _METHODS["seed"](self, "of its own")
        try:
            signature.bind(self, *args, **named)
        except TypeError as problem:
            raise NotExaminedError(f"the sampler `{name}` with arguments that are not followed: {problem}") from None
        return method(self, *args, **named)

    return drawing


_METHODS = {name: method for name, method in vars(Generator).items() if not name.startswith("_")}
for _name, _method in _METHODS.items():
    setattr(Generator, _name, _strict(_name, _method))


def _inclusive(self: Any, low: int, high: int) -> Any:
    return self.integers(low, high + 1)


def _generators(recorder: Recorder) -> dict[str, Any]:
    """Classes that pass for numpy's and Python's generators."""

    def methods_of(parent: type, *others: str) -> dict[str, Any]:
        methods = {name: vars(Generator)[name] for name in _METHODS if hasattr(parent, name) and name not in others}

        def refusing(self: Any, name: str) -> Any:
            if name not in methods and not name.startswith("_") and hasattr(parent, name):
                raise NotExaminedError(f"the sampler `{name}`, which is not known: name the function that calls it")
            return object.__getattribute__(self, name)

        return methods | {"__getattribute__": refusing}

    def beginning(make: Callable[[Any], Any]) -> Callable[..., None]:
        def begin(self: Any, *seeds: Any, **named: Any) -> None:
            make(self)
            object.__setattr__(self, "_recorder", recorder)
            given = [seed for seed in (*seeds, *named.values()) if seed is not None and not _is_fresh(seed)]
            object.__setattr__(self, "_seeded", bool(given))
            if given:
                _METHODS["seed"](self, *given)

        return begin

    made: dict[str, Any] = {}
    for kind, parent in (("Generator", np.random.Generator), ("RandomState", np.random.RandomState)):
        new = (lambda cls, *a, _p=parent, **k: _p.__new__(cls, np.random.PCG64(0))) if kind == "Generator" else (
            lambda cls, *a, _p=parent, **k: _p.__new__(cls, 0))  # fmt: skip
        start = (lambda self, _p=parent: _p.__init__(self, np.random.PCG64(0))) if kind == "Generator" else (
            lambda self, _p=parent: _p.__init__(self, 0))  # fmt: skip
        made[kind] = type(kind, (parent,), {
            **methods_of(parent), "__new__": new, "__init__": beginning(start),
        })  # fmt: skip
    for kind, owner in (("Random", random.Random), ("SystemRandom", random.SystemRandom)):
        made[kind] = type(kind, (owner,), {
            **methods_of(owner, "sample"), "randint": _inclusive,
            "__new__": lambda cls, *a, _o=owner, **k: _o.__new__(cls), "__init__": beginning(lambda self: None),
        })  # fmt: skip
    return made


def _is_fresh(seed: Any) -> bool:
    """Whether a seed is a bit generator that was seeded by the system: with as many bits as no one writes."""
    if isinstance(seed, np.random.SeedSequence):
        return False  # several generators may be made of one, whose noise is the same
    entropy = getattr(getattr(seed, "seed_seq", None), "entropy", None)
    return isinstance(entropy, int) and entropy >= 2**64


# Python's own numbers


def _number_kinds() -> dict[str, Any]:
    class Meta(type):
        kind: Any
        takes: Any

        def __instancecheck__(cls, value: Any) -> bool:
            return isinstance(value, cls.takes)

        def __subclasscheck__(cls, kind: Any) -> bool:
            return issubclass(kind, cls.takes)

        def __call__(cls, *values: Any, **named: Any) -> Any:
            if values and isinstance(values[0], Number | Fraction | Comparison):
                return cls.of(values[0])
            return cls.kind(*values, **named)

        def __eq__(cls, other: Any) -> bool:
            return other is cls or other is cls.kind

        def __hash__(cls) -> int:
            return hash(cls.kind)

        def __getattr__(cls, name: str) -> Any:
            return getattr(cls.kind, name)

    def real(value: Any) -> Any:
        return int(bool(value)) if isinstance(value, Comparison) else value

    def integer(value: Any) -> Any:
        return int(bool(value)) if isinstance(value, Comparison) else truncated(value)

    kinds = {}
    for kind, takes, of in ((float, (float, Number, Fraction), real), (int, (int,), integer)):
        fields = {"kind": kind, "takes": takes, "of": staticmethod(of), "dtype": np.dtype(kind)}
        kinds[kind.__name__] = Meta(kind.__name__, (), fields)
    return kinds


class _Type:
    """Python's ``type``, to which a symbolic number is a float, and an array of them an array."""

    def __init__(self, of_numbers: Any) -> None:
        self._of_numbers = of_numbers

    def __call__(self, *values: Any, **named: Any) -> Any:
        if len(values) == 1 and isinstance(values[0], RealArray):
            return np.ndarray
        return self._of_numbers if len(values) == 1 and isinstance(values[0], Number | Fraction) else type(
            *values, **named
        )

    def __instancecheck__(self, value: Any) -> bool:
        return isinstance(value, type)

    def __mro_entries__(self, _: Any) -> tuple[type]:
        return (type,)

    def __eq__(self, other: Any) -> bool:
        return other is self or other is type

    def __hash__(self) -> int:
        return hash(type)


def _attribute(number: Number, name: str) -> Any:
    """An attribute that numpy's floats have: what tells a number's value is not known."""
    if name in ("item", "copy", "tolist", "conjugate"):
        return lambda: number
    if name in ("is_integer", "hex", "as_integer_ratio", "tobytes", "view"):
        raise NotExaminedError(f"`{name}` of a number that is not known")
    known = {"dtype": np.dtype(float), "shape": (), "ndim": 0, "size": 1}
    if name not in known:
        raise AttributeError(f"'float' object has no attribute '{name}'")
    return known[name]


def _as_text(number: Number, *_: Any) -> str:
    """A public number as text, for a log or a message; the digits of another may tell data or noise."""
    if any(unknown.noise or unknown.private for unknown in number.unknowns):
        raise NotExaminedError("the digits of a number that is not known")
    return shown(number)


class _Mathematics:
    """Python's ``math`` on symbolic numbers."""

    def __init__(self, calculus: Any) -> None:
        self._calculus = calculus

    def __getattr__(self, name: str) -> Any:
        original = getattr(math, name)
        if not callable(original):
            return original
        mine = getattr(self, f"of_{name}", None)
        if mine is None and hasattr(self._calculus, name):
            mine = getattr(self._calculus, name)

        def applied(*values: Any) -> Any:
            if mine is not None and (has_numbers(values) or name in IRRATIONAL):
                return mine(*values)
            if has_numbers(values) and any(isinstance(v, Number) for v in values):
                raise NotExaminedError(f"math.{name} of a number that is not known")
            return original(*values)

        return applied

    def of_log(self, value: Any, base_: Any = None) -> Any:
        found = self._calculus.log(value)
        return found if base_ is None else found / self._calculus.log(base_)

    def of_isfinite(self, value: Any) -> bool:
        return True

    def of_isinf(self, value: Any) -> bool:
        return False

    of_isnan = of_isinf

    def of_floor(self, value: Any) -> Any:
        return floor_of(value)

    def of_ceil(self, value: Any) -> Any:
        return -floor_of(-value)

    def of_fabs(self, value: Any) -> Any:
        return abs(value)

    def of_pow(self, value: Any, exponent: Any) -> Any:
        return value ** exact_number(exponent)

    def of_fsum(self, values: Any) -> Any:
        return sum(values)


# Putting them in place


class Patches:
    """Everything that stands for something else during the runs of one function."""

    def __init__(
        self, recorder: Recorder, named: Sequence[NamedSource], packages: set[str], functions: Sequence[Any] = ()
    ) -> None:
        self.recorder, self._named, self._packages, self._functions = recorder, named, packages, functions
        self.answers: Mapping[str, Any] = {}
        # How many float runs differed by what a small move of the noise took away.
        self.excused = 0
        # What stands for noise on floats, which is the same until another module is loaded.
        self._of_floats: tuple[int, dict[tuple[Any, str], Any]] | None = None

    @contextlib.contextmanager
    def in_place(self) -> Iterator[None]:
        """Put them in place, and take them away."""
        loaded = len(sys.modules)
        if self.recorder.calculus is not None:
            changes = self._changes()
        elif self._of_floats is not None and self._of_floats[0] == loaded:
            changes = self._of_floats[1]
        else:
            changes = self._changes()
            self._of_floats = loaded, changes
        undo: list[tuple[Any, str, Any, bool]] = []
        try:
            for (owner, name), value in changes.items():
                own = vars(owner) if hasattr(owner, "__dict__") else {}
                undo.append((owner, name, own.get(name), name in own))
                setattr(owner, name, value)
            yield
        finally:
            for owner, name, value, was in reversed(undo):
                if was:
                    setattr(owner, name, value)
                else:
                    delattr(owner, name)

    def _changes(self) -> dict[tuple[Any, str], Any]:
        generators = _generators(self.recorder)
        one = Generator(self.recorder)
        changes: dict[tuple[Any, str], Any] = {}
        symbolic = self.recorder.calculus is not None
        if symbolic:
            changes |= replacements(self.recorder.calculus) | {(Number, "__getattr__"): _attribute}
            changes |= {(Number, name): _as_text for name in ("__repr__", "__str__", "__format__")}
        changes |= {(np, "argpartition"): argpartition, (np, "partition"): partition}
        changes |= {(time, name): _clock(name) for name in _CLOCKS}
        for name, value in vars(np.random).items():
            if not name.startswith("_") and callable(value) and not isinstance(value, type):
                changes[np.random, name] = getattr(one, name) if hasattr(one, name) else _refuse(f"numpy.random.{name}")
        changes[np.random, "default_rng"] = _default(generators["Generator"])
        changes |= {(np.random, kind): generators[kind] for kind in ("Generator", "RandomState")}
        for name, value in vars(random).items():
            if not name.startswith("_") and callable(value) and not isinstance(value, type):
                known = _inclusive.__get__(one) if name == "randint" else getattr(one, name, None)
                known = None if name == "sample" else known
                changes[random, name] = known or _refuse(f"random.{name}")
        changes |= {(random, kind): generators[kind] for kind in ("Random", "SystemRandom")}
        changes |= {(secrets, "SystemRandom"): generators["SystemRandom"], (os, "urandom"): _refuse("os.urandom")}
        for name in ("token_bytes", "token_hex", "randbelow", "randbits", "choice", "token_urlsafe"):
            changes[secrets, name] = one.choice if name == "choice" else _refuse(f"secrets.{name}")
        changes |= {(uuid, name): _refuse(f"uuid.{name}") for name in ("uuid1", "uuid4")}
        if hasattr(os, "getrandom"):
            changes[os, "getrandom"] = _refuse("os.getrandom")
        drawing = [name for owner, name in changes if owner is np.random and hasattr(np.random.mtrand, name)]
        changes |= {(np.random.mtrand, name): changes[np.random, name] for name in drawing}
        changes |= self._of_scipy(one)
        ending = (NotExaminedError, CutError, UndefinedError)
        changes |= {(kind, "__init__"): _noted(self.recorder, kind) for kind in ending}
        originals = {id(getattr(owner, name)): value for (owner, name), value in changes.items() if owner is not Number}
        mathematics = _Mathematics(self.recorder.calculus)
        if symbolic:
            originals[id(math)] = mathematics
            originals |= {id(f): getattr(mathematics, n) for n, f in vars(math).items() if callable(f)}
        for named in self._named:
            owner, name, original = located(named.target)
            value = self._standing_for(named)
            changes[owner, name] = value
            originals[id(original)] = value
        kinds = _number_kinds()
        kinds |= {"type": _Type(kinds["float"]), "print": lambda *_, **__: None}
        if not symbolic:
            refuse_hidden(self._functions, originals, {(id(owner), name) for owner, name in changes})
        for module in list(sys.modules.values()):
            file = getattr(module, "__file__", None)
            if file is None or is_library(module.__name__, file):
                continue
            for name, value in list(vars(module).items()):
                if id(value) in originals and (module, name) not in changes:
                    changes[module, name] = originals[id(value)]
                elif isinstance(value, np.random.Generator | np.random.RandomState | random.Random):
                    kind = next(k for k in reversed(type(value).__mro__) if k.__name__ in generators).__name__
                    changes[module, name] = generators[kind]()
                    if isinstance(value, np.random.Generator) and not _is_fresh(value.bit_generator):
                        object.__setattr__(changes[module, name], "_seeded", True)
            if symbolic and module.__name__.split(".")[0] in self._packages:
                for name, kind in kinds.items():
                    if name not in vars(module):
                        changes[module, name] = kind
        return changes

    def _standing_for(self, named: NamedSource) -> Any:
        def sampler(*args: Any, **kwargs: Any) -> Any:
            if named.answers is not None:
                # As a library gives them: in an array of its own.
                given = [v.copy() if isinstance(v, np.ndarray) else v for v in map(self.answers.get, named.parameters)]
                return given[0] if isinstance(named.answers, str) else named.answers(*given)
            return self._drawn(named.draws(*args, **kwargs) if callable(named.draws) else named.draws)

        return sampler

    def _drawn(self, draws: Any) -> Any:
        if isinstance(draws, list):
            return [self._drawn(draw) for draw in draws]
        return self.recorder.draw(draws) if isinstance(draws, NoiseDraw) else _Drawing(draws, self._drawn)

    @staticmethod
    def _of_scipy(one: Generator) -> dict[tuple[Any, str], Any]:
        stats = sys.modules.get("scipy.stats")
        if stats is None:
            return {}

        def rvs(draw: Callable[..., Any]) -> Any:
            def drawing(loc: Any = 0, scale: Any = 1, size: Any = None, random_state: Any = None) -> Any:
                if random_state is not None and not hasattr(random_state, "_recorder"):
                    one.seed(random_state)
                return draw(loc, scale, size)

            return drawing

        return {
            (getattr(stats, name), "rvs"): rvs(draw)
            for name, draw in {
                "laplace": one.laplace, "gumbel_r": one.gumbel, "logistic": one.logistic, "norm": one.normal,
                "expon": lambda loc, scale, size: loc + one.exponential(scale, size),
                "uniform": lambda loc, scale, size: one.uniform(loc, loc + scale, size),
            }.items()
        }  # fmt: skip


class _Drawing:
    """An object that a user gives for a sampler with methods: those that return a draw are drawn."""

    def __init__(self, given: Any, drawn: Callable[[Any], Any]) -> None:
        self._given, self._drawn = given, drawn

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._given, name)
        return (lambda *args, **named: self._drawn(value(*args, **named))) if callable(value) else value


def _clock(name: str) -> Callable[..., Any]:
    """A clock that the user's code may not read, since it is a source of randomness; the libraries' code may."""
    original, thread = getattr(time, name), threading.get_ident()

    def read(*values: Any) -> Any:
        frame = sys._getframe(1)
        library = is_library(frame.f_globals.get("__name__", ""), frame.f_code.co_filename)
        if library or threading.get_ident() != thread:
            return original(*values)
        raise NotExaminedError(f"the clock `time.{name}`, which may stand for a sampler: name it if it does")

    return read


def _noted(recorder: Recorder, kind: type[Exception]) -> Callable[..., None]:
    original = vars(kind).get("__init__", Exception.__init__)

    def begin(self: Exception, *said: Any) -> None:
        original(self, *said)
        recorder.ended = recorder.ended or self

    return begin


def _default(kind: Any) -> Callable[..., Any]:
    def default_rng(seed: Any = None) -> Any:
        return seed if isinstance(seed, np.random.Generator) else kind(seed)

    return default_rng


def _refuse(name: str) -> Callable[..., Any]:
    def refused(*_: Any, **__: Any) -> Any:
        raise NotExaminedError(f"the sampler `{name}`, which is not known: name the function that calls it")

    return refused


def located(target: str) -> tuple[Any, str, Any]:
    """Where a target such as ``package.module:Class.method`` lies, its last name, and what it is."""
    module_name, _, path = target.partition(":")
    if not path:
        raise InputError(f"`{target}` names no function: write package.module:function")
    try:
        owner: Any = importlib.import_module(module_name)
        *outer, name = path.split(".")
        for part in outer:
            owner = getattr(owner, part)
        return owner, name, getattr(owner, name)
    except (ImportError, AttributeError) as problem:
        raise InputError(f"`{target}` is not found: {problem}") from None
