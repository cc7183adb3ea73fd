"""A run that is asked query by query, by an analyst who chooses each after seeing the outputs so far."""

from __future__ import annotations

import enum
import os
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from alignkit.errors import InputError
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.output_form import in_one_form, with_whole_numbers
from alignkit.interpreting.values import Coordinate, Environment, Signal
from alignkit.language.parameters import ParameterType
from alignkit.language.program import Builtin, Expression, For, Name, Place, walk
from alignkit.noise import Distribution, Noise, RandomNoise
from alignkit.running.binding import exactly
from alignkit.running.domain import Admitted, Conversion, Domain
from alignkit.running.mechanism_program import MechanismProgram
from alignkit.running.one_sample import light
from alignkit.running.online import chosen_along, not_online
from alignkit.running.replaying import UNDEFINED

if TYPE_CHECKING:
    import numpy as np


class _State(enum.Enum):
    """What a run that is asked may do next."""

    OPEN = "open"
    FINISHED = "the mechanism has stopped after {0}; start a new run, with new budget"
    BROKEN = "the run was broken off within a step, and is closed; start a new one, with new budget"
    CLOSED = "the run was closed; start a new one, with new budget"


class _DrawingContext(Context):
    """A run that draws its noise where the program does."""

    def __init__(self, mechanism: MechanismProgram, noise: Noise) -> None:
        super().__init__(mechanism.keys)
        self.noise = noise

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        return self.noise.draw(distribution, *arguments)


# Makes of an admitted value of a parameter's type what the run computes with.
Number = Callable[[Any, ParameterType], Any]


class InteractiveRun:
    """One run of an online mechanism, which takes one answer at a time.

    Made by ``mechanism.interactive(…)``, or by ``release_interactively(…)`` with exact noise. ``ask`` gives the output
    of a step, and may be called from several threads, one step at a time; what the mechanism yields before its loop is
    in ``outputs`` from the start. A run cannot be copied or pickled, and it is closed in a forked process, since a step
    that is taken twice spends the budget of one. A run that is interrupted within a step stays closed, because noise
    may have been drawn for an output that nobody has seen.

    >>> from alignkit.mechanisms.sparse_vector import sparse_vector
    >>> run = sparse_vector.interactive(T=100, k=1, eps=1, seed=1)
    >>> run.ask(10), run.ask(900), run.finished
    (BELOW, ABOVE, True)
    """

    def __init__(
        self,
        mechanism: MechanismProgram,
        domain: Domain,
        parameters: Mapping[str, Any],
        noise: Noise,
        *,
        number: Number,
        convert: Conversion | None = None,
        shown: Callable[[Any], Any] = lambda output: output,
    ) -> None:
        self._mechanism = mechanism
        self._domain = domain
        self._start = _public_values(mechanism, domain, parameters)
        offline = not_online(mechanism)
        if offline is not None:
            raise InputError(
                f"{mechanism.name} cannot be asked query by query: line {offline.place.line}: {offline.words}"
            )
        self._number, self._convert, self._shown = number, convert, shown
        self._evaluator = Evaluator(_DrawingContext(mechanism, noise))
        *before, self._stream = mechanism.program.body
        given = dict.fromkeys(mechanism.parameters) | {n: number(v, domain.public[n]) for n, v in self._start.items()}
        self._names: Environment = mechanism.environment(given)
        self._lock = threading.RLock()
        self._stepping = False  # for the thread that has the lock: whether it asks within a step of its own
        self._process = os.getpid()
        self._outputs: tuple[Any, ...] = ()
        self._asked = 0
        signal, _ = self._run(lambda: self._evaluator.block(tuple(before), self._names))
        self._state = _State.OPEN if signal is None else _State.FINISHED

    def ask(self, *answers: Any, **along: Any) -> Any:
        """The output of the next step: None where it has none, a tuple where it has several.

        Private answers go by position or by name, and so do the public values of the step, where the mechanism's loop
        is zipped with public lists, by name only. Raises InputError where the run is over, and for an answer that is no
        number, or lies off its lattice: nothing is drawn then, and the run goes on. That refusal depends on
        the answer, so whoever holds the data must not pass it on to the analyst.
        """
        self._ensure_own()  # before the lock, which a fork may have left locked
        with self._lock:
            self._ensure_outside_a_step()
            self._ensure_open()
        read = self._read_all(answers, along)  # without the lock: an answer may run code of its own, or take long
        with self._lock:
            self._ensure_outside_a_step()
            try:
                self._stepping = True
                return self._step(read)
            finally:
                self._stepping = False

    def _step(self, read: Mapping[str, Any]) -> Any:
        """Take one step, with the lock."""
        self._ensure_open()
        item = self._of(self._stream_iterable, read)
        # Closed while the step is taken: whatever interrupts it leaves the run closed.
        self._state = _State.BROKEN
        stream = self._stream
        assert isinstance(stream, For)
        signal, outputs = self._run(lambda: self._evaluator.iterate(stream, self._asked, item, self._names))
        self._asked += 1
        self._state = _State.OPEN if signal is None else _State.FINISHED
        return outputs[0] if len(outputs) == 1 else outputs or None

    def _run(self, part: Callable[[], Signal]) -> tuple[Signal, tuple[Any, ...]]:
        """Run a part of the program: what ends it, and its outputs, which are then among those of the run."""
        kind = ""
        try:
            signal = part()
        except InputError:
            raise
        except UNDEFINED as problem:
            # Without the problem's own words, which may show private values, and not as its context.
            kind = type(problem).__name__
        if kind:
            raise InputError(f"{self._mechanism.name} is not defined on these answers ({kind})")
        outputs = tuple(map(self._shown, in_one_form(self._mechanism.program, self._evaluator.outputs)))
        self._evaluator.outputs.clear()
        self._outputs += outputs
        return signal, outputs

    @property
    def outputs(self) -> tuple[Any, ...]:
        """All outputs so far, from which it follows what is left: two winners of k, say."""
        return self._outputs

    @property
    def asked(self) -> int:
        """The number of answers that were taken."""
        return self._asked

    @property
    def finished(self) -> bool:
        """Whether no further answer is taken: the mechanism has stopped, or the run was closed or broken off."""
        return self._state is not _State.OPEN or os.getpid() != self._process

    def close(self) -> None:
        """Take no further answers."""
        self._ensure_own()
        with self._lock:
            self._ensure_outside_a_step()
            if self._state is _State.OPEN:
                self._state = _State.CLOSED

    def _ensure_own(self) -> None:
        if os.getpid() != self._process:
            raise InputError("the run belongs to another process, which may go on with it; start a new one here")

    def _ensure_open(self) -> None:
        if self._state is not _State.OPEN:
            queries = f"{self._asked} quer{'y' if self._asked == 1 else 'ies'}"
            raise InputError(f"{self._mechanism.name}: {self._state.value.format(queries)}")

    def _ensure_outside_a_step(self) -> None:
        """Refuse what a signal handler or a number of the caller's own class does to the run within a step of it."""
        if self._stepping:
            raise InputError(f"{self._mechanism.name}: this thread is within a step of the run")

    def _read_all(self, answers: tuple[Any, ...], along: Mapping[str, Any]) -> dict[str, Any]:
        """The values that a step is given, by parameter, as they were read."""
        private = list(self._mechanism.private)
        if len(answers) > len(private):
            raise InputError(f"ask takes one answer of each of {', '.join(private)} by position, all else by name")
        given = dict(zip(private, answers, strict=False))
        twice = [name for name in given if name in along]
        if twice:
            raise InputError(f"{twice[0]} is given twice, by position and by name")
        given |= along
        own = [n.name for n in walk(self._stream_iterable) if isinstance(n, Name)]
        unknown, missing = [n for n in given if n not in own], [n for n in own if n not in given]
        if unknown or missing:
            problem = f"has no {unknown[0]}" if unknown else f"needs {missing[0]}"
            raise InputError(f"a step of {self._mechanism.name} {problem}; it takes {', '.join(own)}")
        return {name: self._read(name, value) for name, value in given.items()}

    def _read(self, name: str, item: Any) -> Any:
        admitted = self._domain.admit_item(name, item, self._start, self._convert)
        return self._number(admitted, self._domain.parameters[name])

    @property
    def _stream_iterable(self) -> Expression:
        assert isinstance(self._stream, For)
        return self._stream.iterable

    def _of(self, iterable: Expression, read: Mapping[str, Any]) -> Any:
        """What the loop's variables stand for in this step."""
        if isinstance(iterable, Name):
            return read[iterable.name]
        assert isinstance(iterable, Builtin)
        parts = tuple(self._of(argument, read) for argument in iterable.arguments)
        return (self._asked, *parts) if iterable.function == "enumerate" else parts

    def __repr__(self) -> str:
        state = "finished" if self.finished else "open"
        return f"<interactive run of {self._mechanism.name}, {self._asked} asked, {state}>"

    def __copy__(self) -> NoReturn:
        raise InputError("an interactive run cannot be copied: a copy could spend the same budget again")

    def __deepcopy__(self, memo: Any) -> NoReturn:
        self.__copy__()

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise InputError("an interactive run cannot be pickled: a copy could spend the same budget again")


def _public_values(mechanism: MechanismProgram, domain: Domain, parameters: Mapping[str, Any]) -> Admitted:
    """The public values that are fixed before the first query, admitted; those chosen along come with the queries."""
    along = chosen_along(mechanism)
    names = [name for name in mechanism.public if name not in along]
    unknown = [name for name in parameters if name not in names]
    missing = [name for name in names if name not in parameters and name not in mechanism.defaults]
    if unknown or missing:
        problem = f"takes no {unknown[0]} at its start" if unknown else f"needs {missing[0]} at its start"
        later = "; answers are given to .ask" + (f", and so are {', '.join(sorted(along))}" if along else "")
        raise InputError(f"an interactive run of {mechanism.name} {problem}; it takes {', '.join(names)}{later}")
    return domain.admit_at_start({**mechanism.defaults, **parameters}, later=along)


def interactive_sample(
    mechanism: MechanismProgram, parameters: Mapping[str, Any], seed: int | np.random.Generator | None
) -> InteractiveRun:
    """A run on fresh noise in floating point."""
    return InteractiveRun(
        mechanism, mechanism.domain, parameters, RandomNoise(seed), number=_sampled, shown=with_whole_numbers
    )


def _sampled(value: Any, kind: ParameterType) -> Any:
    if kind.private:
        return light(value) if kind.lattice is None else value
    return value if isinstance(value, int) else exactly(value)
