"""The mechanism: a Python function over its noise, read once, callable as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from alignkit.errors import InputError, LanguageError, refusing_briefly
from alignkit.interpreting.output_form import in_one_form
from alignkit.public_names import public
from alignkit.running.exact_functions import function_as_read
from alignkit.running.lengths import check_lengths
from alignkit.running.mechanism_program import MechanismProgram
from alignkit.running.mechanism_reader import read_mechanism
from alignkit.running.one_sample import sample_output
from alignkit.running.replaying import ReplayContext, read_noise, run_program, run_python

if TYPE_CHECKING:
    import numpy as np
    from typing_extensions import TypeVar as TypeVarWithDefault

    from alignkit.running.interactive_run import InteractiveRun
    from alignkit.sampling.sampled_runs import SampledRuns

    Output = TypeVarWithDefault("Output", default=Any, covariant=True)
else:
    Output = TypeVar("Output", covariant=True)

Item = TypeVar("Item")


@public
@dataclass(frozen=True, eq=False, repr=False)
class Mechanism(MechanismProgram, Generic[Output]):
    """A differentially private mechanism, made by the decorator ``@mechanism``.

    Calling it calls the Python function it was made from, and gives a list where that function yields. ``sample`` runs
    it on fresh noise, ``replay`` on a given noise vector. To a type checker it is generic in what these give: a list of
    outputs for a generator, else what the function returns.
    """

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        code = self.python.__code__
        if self.noise_name not in named and self.noise_name not in code.co_varnames[: len(arguments)]:
            raise TypeError(
                f"{self.name} is called without noise: write {self.name}.sample(…), which draws it, or "
                f"{self.name}.replay(…, H={{name: value, …}}), which takes it from you"
            )
        # What is yielded becomes a list: a mechanism that calls this one may read it more than once.
        return in_one_form(self.program, self.python(*arguments, **named))

    def sample(self, *answers: Any, seed: int | np.random.Generator | None = None, **parameters: Any) -> Output:
        """Run on fresh noise: a list of outputs for a generator, else what the function returns.

        Private parameters go by position or by name, public ones by name. Public arithmetic is exact; noise is
        floating point, so this is for experiments, not for release. ``seed`` is an int or a numpy Generator.

        >>> from alignkit.mechanisms.sparse_vector import sparse_vector
        >>> sparse_vector.sample([900, 10], T=100, k=1, eps=1, seed=1)
        [ABOVE]
        """
        output: Output = sample_output(self, self.read(answers, parameters), seed)
        return output

    def sample_many(
        self,
        *answers: Any,
        runs: int,
        seed: int | np.random.Generator | None = None,
        each: Callable[..., Any] = map,
        **parameters: Any,
    ) -> SampledRuns:
        """Run many times on fresh noise, all runs at once on arrays: arrays of the outputs, and each run's own output.

        The arguments are those of ``sample``. Public arithmetic is exact in every run; noise is floating point, so this
        is for experiments, not for release. The same seed and number of runs give the same samples, in whichever
        processes they are made: ``each`` maps a function over a range, as ``map`` does, and may be the ``map`` of an
        executor. Raises InputError where a run is not defined, and says which.

        >>> from alignkit.mechanisms.noisy_max import noisy_max_with_gap
        >>> samples = noisy_max_with_gap.sample_many([3, 90, 1], eps=1, runs=1000, seed=1)
        >>> samples.indices.shape, samples.reals.shape
        ((1000, 1), (1000, 1))
        """
        from alignkit.running.many_runs import sample_runs  # numpy comes with it

        self.refuse_names(("runs", "each"), "sample_many", f", or call {self.name}.sample(…) for each run")
        return sample_runs(self, self.read(answers, parameters), runs, seed, each)

    def interactive(self, *, seed: int | np.random.Generator | None = None, **parameters: Any) -> InteractiveRun:
        """Start a run that takes one answer at a time, for an analyst who chooses each query after the last output.

        The public parameters are given at once, private answers one by one to ``.ask`` of what comes back. Noise is
        floating point, so this is for experiments; ``release_interactively`` has exact noise. Raises InputError where
        the mechanism is not online: it must end with a loop over its answers, and read them nowhere else
        (docs/theory/adaptive-queries.md).

        >>> from alignkit.mechanisms.sparse_vector import sparse_vector_with_gap
        >>> run = sparse_vector_with_gap.interactive(T=100, k=2, eps=1, seed=1)
        >>> run.ask(3)
        BELOW
        """
        from alignkit.running.interactive_run import interactive_sample

        return interactive_sample(self, parameters, seed)

    def replay(self, *answers: Any, H: Mapping[str, Any] | None = None, **parameters: Any) -> Output:
        """Run on the noise vector H, a value or list for each draw by name: M(D, H).

        Private parameters go by position or by name, H after them or by name, public parameters by name. A draw in a
        loop has a list over the iterations, None (or anything) where it is not drawn, and no more values than the loop
        has iterations.

        Ints, Fractions and strings such as "1/3" are computed exactly; floats as floats. The user's own function
        runs, and alignkit's evaluation of its program must agree with it (InternalError if not). Lists and tuples are
        as ``sample`` gives them. Raises InputError where H lacks a coordinate that is drawn, or holds a value outside
        the distribution's support.

        >>> from alignkit.mechanisms.sparse_vector import sparse_vector_with_gap
        >>> sparse_vector_with_gap.replay([3], H={"eta": 0, "eta_i": [1]}, T=2, k=1, eps=1)
        [Fraction(2, 1)]
        """
        if H is None and len(answers) == len(self.private) + 1:
            *answers_, H = answers
            answers = tuple(answers_)
        if H is None:
            raise InputError(f"{self.name}.replay needs the noise vector: H={{name: value, …}}")
        values, noise = self.read(answers, parameters), read_noise(self, H)
        run = run_program(self, values, ReplayContext(self, noise))
        check_lengths(self, values, noise)
        output: Output = in_one_form(self.program, run_python(self, values, run))
        return output


@overload
def mechanism(function: Callable[..., Iterator[Item]]) -> Mechanism[list[Item]]: ...
@overload
def mechanism(function: Callable[..., Output]) -> Mechanism[Output]: ...
@public
@refusing_briefly
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
    return read_mechanism(Mechanism, function_as_read, function)
