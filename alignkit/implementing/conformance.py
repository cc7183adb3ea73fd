"""Does a library's function implement a mechanism? What is asked, and what is answered."""

from __future__ import annotations

import contextlib
import enum
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.confirming.normal_forms import NotExaminedError
from alignkit.errors import InputError
from alignkit.implementing.all_reals import Found, settle
from alignkit.implementing.compared_runs import ComparedPair, line_of
from alignkit.implementing.floats import (
    NUDGE,
    STATE,
    FloatCase,
    OutputDifference,
    RefusedCaseError,
    UndefinedCaseError,
    agrees,
    compare_on_floats,
    float_cases,
    function_on_floats,
)
from alignkit.implementing.patches import NamedSource, Patches, Recorder, located
from alignkit.implementing.tapes import FORMULAS, CutError, DrawPlace, FloatNumbers, Rule, RuleError, Tape, rules
from alignkit.public_names import public

# Questions to the solver for one size of the lists.
EFFORT = 3000
LITTLE = 200
# Float runs by which a rule is chosen, and those that a verdict asks for.
FEW, MANY = 30, 88
# Float runs among which a short example of a difference is looked for.
SMALL = 120
# How many rules are tried on all reals.
CANDIDATES = 4
# Float runs and rules of the sieve before a check.
SIEVE, SIEVE_RULES = 8, 60


class Conformity(enum.StrEnum):
    """What the comparison of a function with a mechanism gives."""

    IMPLEMENTS = "implements"
    DIFFERS = "differs"
    CUT = "cut"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True)
class Conformance:
    """Whether a function implements a mechanism, and what that rests on.

    "implements": with the noise matched by ``rule``, fixed before any run, the outputs are equal for all real inputs of
    lists up to ``n`` and counts up to ``k``, on all ``paths``; and in ``float_runs`` runs on floats, longer lists and
    extreme parameters among them. "cut": so it is on all paths that end within a bound on draws and decisions.
    "differs": ``inputs`` and ``noise`` for which plain floats give ``of_function`` and ``of_mechanism``. "unsupported":
    ``why``, at ``line``. ``assumptions`` are what the user named; ``refusals`` are errors by which the function refuses
    public inputs that the mechanism takes.
    """

    function: str
    mechanism: str
    verdict: Conformity
    why: str = ""
    line: str = ""
    n: int = 0
    k: int = 0
    paths: int = 0
    float_runs: int = 0
    rule: str = ""
    assumptions: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()
    inputs: Mapping[str, Any] = field(default_factory=dict)
    noise: Mapping[str, Any] = field(default_factory=dict)
    # The same noise by the cells of the tape, which ``Implementation.replay`` reads.
    cells: Mapping[Any, Any] = field(default_factory=dict, repr=False)
    of_function: Any = None
    of_mechanism: Any = None

    @property
    def implements(self) -> bool:
        """Whether the function implements the mechanism."""
        return self.verdict is Conformity.IMPLEMENTS


@dataclass(frozen=True)
class Implementation:
    """A claim that a library's function implements a mechanism; made by ``implements``. Calling it calls the function.

    ``call`` calls the function with the parameters of the mechanism, ``post`` makes the mechanism's output of the
    function's; ``named`` are the samplers and sources of answers that the user named.
    """

    function: Callable[..., Any]
    mechanism: Any
    call: Callable[..., Any]
    post: Callable[[Any], Any] | None = None
    named: tuple[NamedSource, ...] = ()
    lengths: tuple[int, ...] = ()

    def __call__(self, *arguments: Any, **parameters: Any) -> Any:
        return self.function(*arguments, **parameters)

    @property
    def name(self) -> str:
        """The function by its module and name."""
        return f"{self.function.__module__}:{getattr(self.function, '__qualname__', repr(self.function))}"

    def check(self, *, n: int = 3, k: int = 2, effort: int = EFFORT) -> Conformance:
        """Compare the function with the mechanism: on floats, and for all real inputs of lists up to ``n``.

        ``effort`` bounds the questions to the solver for each size of the lists.
        """
        return _Examination(self, n, k, effort).run()

    def agrees_on_floats(self) -> bool:
        """Whether the outputs are equal in a few float runs, by some rule: a sieve before a check, and no verdict."""
        return _Examination(self, 0, 0, 0).passes_floats()

    def replay(self, found: Conformance) -> tuple[Any, Any]:
        """Run both again, in plain floats, on the input and the noise of a difference: the two outputs.

        Where the function raises an error, None stands for its output.
        """
        if found.verdict is not Conformity.DIFFERS:
            raise InputError(f"only a difference is replayed, not the verdict {found.verdict}")
        return _Examination(self, found.n, found.k, 0).replay(found)


@public
def implements(
    mechanism: Any,
    *,
    call: Callable[..., Any] | None = None,
    post: Callable[[Any], Any] | None = None,
    samplers: Mapping[str, Any] | None = None,
    answers: Mapping[str, Any] | None = None,
    lengths: Sequence[int] = (),
) -> Callable[[Callable[..., Any]], Implementation]:
    """Claim that a function of a library, as it stands, implements a mechanism.

    ``call(f, …)`` calls it, with parameters that have the names of the mechanism's; without it, the function's own
    parameters have these names. ``post`` makes of its output one as the mechanism's: only what it returns is compared.
    ``samplers`` names functions that draw, by ``"module:function"``: ``NoiseDraw.laplace(1)``, say, or a function from
    the sampler's arguments to its draw. ``answers`` names functions that give private answers: by one parameter, or by
    a function from parameters to what is given.
    ``lengths`` are those of the lists, where the claim is about some only.

    >>> import numpy as np
    >>> from alignkit.implementing import implements
    >>> from alignkit.mechanisms.noisy_max import noisy_max
    >>> def select(scores, epsilon):
    ...     return np.argmax(scores + np.random.laplace(scale=2 / epsilon, size=len(scores)))
    >>> claim = implements(noisy_max, call=lambda f, q, eps: f(q, epsilon=eps))(select)
    >>> str(claim.check(n=2).verdict)
    'implements'
    """
    for method in ("parameters", "draws", "python", "noise_name"):
        if not hasattr(mechanism, method):
            raise InputError(f"implements takes a mechanism first, not {type(mechanism).__name__}")
    named = [NamedSource(target, draws) for target, draws in (samplers or {}).items()]
    named += [NamedSource(target, answers=parameter) for target, parameter in (answers or {}).items()]
    for one in named:
        for name in one.parameters:
            if name not in mechanism.parameters:
                raise InputError(f"answers: {mechanism.name} has no parameter `{name}`")

    def claim(function: Callable[..., Any]) -> Implementation:
        if not callable(function):
            raise InputError(f"implements is for a function, not {type(function).__name__}")
        calling = _calling(mechanism, function, call)
        return Implementation(function, mechanism, calling, post, tuple(named), tuple(lengths))

    return claim


def _calling(mechanism: Any, function: Callable[..., Any], call: Callable[..., Any] | None) -> Callable[..., Any]:
    taken = _parameters(function if call is None else call)
    if call is not None:
        taken = taken[1:]
    unknown = [name for name in taken if name not in mechanism.parameters]
    if unknown or (call is None and set(taken) != set(mechanism.parameters)):
        told = ", ".join(mechanism.parameters)
        problem = f"`{unknown[0]}` is no parameter of {mechanism.name}" if unknown else "it takes other parameters"
        raise InputError(f"{problem} ({told}): write call=lambda f, {told}: f(…)")
    used = call or (lambda f, **values: f(**values))

    def calling(f: Callable[..., Any], **values: Any) -> Any:
        return used(f, **{name: values[name] for name in taken})

    calling.__module__ = used.__module__
    return calling


def _parameters(function: Callable[..., Any]) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        raise InputError("the parameters of the function are not known: write call=lambda f, …: f(…)") from None


class _Examination:
    def __init__(self, claim: Implementation, n: int, k: int, effort: int) -> None:
        self.claim, self.n, self.k, self.effort = claim, n, k, effort
        self.question = ComparedPair(claim.function, claim.mechanism, _entry(claim.call), claim.post or (lambda x: x))
        self.places: list[DrawPlace] = []
        self.recorder = Recorder(Tape(FloatNumbers(0), Rule(), self.places))
        self.recorder.top = self.question.call.__code__
        functions = [f for f in (claim.function, claim.call, claim.post) if f is not None]
        self.patches = Patches(self.recorder, claim.named, _packages(claim), functions)
        self.runs = 0
        self.refusals: set[str] = set()
        self.undefined: set[str] = set()

    def run(self) -> Conformance:
        for named in self.claim.named:
            located(named.target)
        try:
            with self.patches.in_place():
                draws = self._discovered()
        except NotExaminedError as problem:
            return self._told(Conformity.UNSUPPORTED, why=str(problem), line=line_of(problem))
        except CutError as problem:
            return self._told(Conformity.CUT, why=str(problem), line=line_of(problem))
        nearest: tuple[int, OutputDifference, Rule] | None = None
        failed: Conformance | None = None
        tried = 0
        for rule in rules(draws, list(self.places)):
            try:
                passed, difference = self._on_floats(rule, FEW)
            except RuleError:
                continue
            except NotExaminedError as problem:
                return self._told(Conformity.UNSUPPORTED, why=str(problem), line=line_of(problem))
            except CutError as problem:
                return self._told(Conformity.CUT, why=str(problem), line=line_of(problem))
            if difference is not None:
                if nearest is None or passed > nearest[0]:
                    nearest = passed, difference, rule
                continue
            try:
                found = self._on_reals(rule)
            except RuleError:
                continue
            tried += 1
            if found.verdict in (Conformity.IMPLEMENTS, Conformity.CUT):
                return found
            failed = failed or found
            if found.verdict is Conformity.UNSUPPORTED or tried >= CANDIDATES:
                break
        if failed is not None:
            return failed
        if nearest is None:
            return self._told(Conformity.UNSUPPORTED, why="no float run of the mechanism is defined")
        return self._smallest(*nearest[1:])

    def passes_floats(self) -> bool:
        """Whether some rule stands a few float runs; False too where something is not supported."""
        try:
            with self.patches.in_place():
                draws = self._discovered(SIEVE)
                found = {place.family for place in self.places}
                if any(not _can_be_read(family, found) for family in draws.values()):
                    return False
                tried = rules(draws, list(self.places), most=SIEVE_RULES)
                return any(self._stands_floats(rule) for rule in tried)
        except (NotExaminedError, CutError):
            return False

    def _stands_floats(self, rule: Rule) -> bool:
        passed = 0
        for case in float_cases(self.claim.mechanism, FEW, self.claim.lengths):
            with contextlib.suppress(UndefinedCaseError):
                try:
                    if not agrees(self.question, rule, self.places, self.patches, case):
                        return False
                except RuleError:
                    return False
                passed += 1
        return passed > 0

    def replay(self, found: Conformance) -> tuple[Any, Any]:
        with self.patches.in_place():
            draws = self._discovered()
            readings = (r for r in rules(draws, list(self.places)) if r.told(self.places) == found.rule)
            case = FloatCase(found.inputs, 0, found.cells)
            difference = compare_on_floats(self.question, next(readings), self.places, self.patches, case)
        if difference is None:
            raise InputError(f"{found.function} is no longer what differed")
        return difference.of_function, difference.of_mechanism

    def _smallest(self, difference: OutputDifference, rule: Rule) -> Conformance:
        """A difference on a short list where there is one: among many runs, or by the solver."""
        with self.patches.in_place():
            for case in float_cases(self.claim.mechanism, SMALL, self.claim.lengths, small=True):
                with contextlib.suppress(UndefinedCaseError, NotExaminedError, CutError, RuleError):
                    found = compare_on_floats(self.question, rule, self.places, self.patches, case)
                    if found is not None:
                        return self._differs(found, rule)
        self.effort = min(self.effort, LITTLE)
        with contextlib.suppress(RuleError):
            small = self._on_reals(rule)
            if small.verdict is Conformity.DIFFERS:
                return small
        return self._differs(difference, rule)

    def _discovered(self, count: int = FEW) -> dict[str, str]:
        """The places at which the function draws, and the families that the mechanism draws by name."""
        names: dict[str, str] = {}
        rule = Rule()
        cases = list(float_cases(self.claim.mechanism, count, self.claim.lengths))
        first = [function_on_floats(self.question, rule, self.places, self.patches, case) for case in cases]
        for case in cases:
            try:
                found = compare_on_floats(self.question, rule, self.places, self.patches, case)
                if found is not None and found.words == STATE:
                    raise NotExaminedError(STATE)
            except RefusedCaseError as problem:
                self.refusals.add(str(problem))
            except UndefinedCaseError as problem:
                self.undefined.add(str(problem))
            names |= self.recorder.tape.names
        # What is different once others have run is state.
        if first != [function_on_floats(self.question, rule, self.places, self.patches, case) for case in cases]:
            raise NotExaminedError(STATE)
        return names

    def _on_floats(self, rule: Rule, count: int, first: int = 0) -> tuple[int, OutputDifference | None]:
        passed = 0
        if not first:
            self.patches.excused = 0
        with self.patches.in_place():
            for number, case in enumerate(float_cases(self.claim.mechanism, count, self.claim.lengths)):
                if number < first:
                    continue
                try:
                    difference = compare_on_floats(self.question, rule, self.places, self.patches, case)
                except UndefinedCaseError:
                    continue
                if difference is not None:
                    return passed, difference
                passed += 1
        if not passed and not first:
            said = sorted(self.refusals | self.undefined)[:3]
            raise NotExaminedError("no float run in which both are defined: " + "; ".join(said))
        self.runs = passed if not first else self.runs + passed
        return passed, None

    def _on_reals(self, rule: Rule) -> Conformance:
        lengths = self.claim.lengths or range(1, self.n + 1)
        settled = settle(self.question, rule, self.places, self.patches, lengths, self.k, self.effort)
        self.refusals |= settled.refusals
        for found in settled.found:
            return self._replayed(found, rule)
        try:
            difference = self._on_examples(settled.agreed, rule)
            if difference is None:
                _, difference = self._on_floats(rule, MANY, FEW)
            if self.patches.excused:
                raise NotExaminedError(f"{self.patches.excused} float runs in which rounding, or digits, decide")
        except NotExaminedError as problem:
            return self._told(Conformity.UNSUPPORTED, why=str(problem), line=line_of(problem), rule=rule)
        except CutError as problem:
            return self._told(Conformity.CUT, why=str(problem), line=line_of(problem), rule=rule)
        if difference is not None:
            return self._differs(difference, rule)
        if settled.unsupported:
            return self._told(Conformity.UNSUPPORTED, why=settled.unsupported, line=settled.line, rule=rule)
        sizes: dict[str, Any] = {"rule": rule, "n": settled.n, "k": self.k, "paths": settled.runs}
        if settled.cut:
            return self._told(Conformity.CUT, why=settled.cut, **sizes)
        if not settled.runs:
            return self._told(Conformity.UNSUPPORTED, why="no path on which both are defined", rule=rule)
        return self._told(Conformity.IMPLEMENTS, **sizes)

    def _on_examples(self, examples: Sequence[Found], rule: Rule) -> OutputDifference | None:
        """What differs on floats on an example of a path on which the outputs are equal, where rounding is not why."""
        with self.patches.in_place():
            for example in examples:
                with contextlib.suppress(UndefinedCaseError, OverflowError):
                    case = FloatCase(example.inputs, 0, example.noise)
                    found = compare_on_floats(self.question, rule, self.places, self.patches, case)
                    if found is None:
                        continue
                    moved = [
                        FloatCase(example.inputs, 0, {c: _moved(v, by) for c, v in example.noise.items()})
                        for by in (1 + NUDGE, 1 - NUDGE)
                    ]
                    others = [
                        compare_on_floats(self.question, rule, self.places, self.patches, each) for each in moved
                    ]
                    if all(other is not None for other in others):
                        return found
        return None

    def _replayed(self, found: Found, rule: Rule) -> Conformance:
        case = FloatCase(found.inputs, 0, found.noise)
        try:
            with self.patches.in_place():
                difference = compare_on_floats(self.question, rule, self.places, self.patches, case)
        except (UndefinedCaseError, NotExaminedError, CutError) as problem:
            return self._told(Conformity.UNSUPPORTED, why=f"{found.words}, which does not replay: {problem}", rule=rule)
        if difference is None:
            return self._told(Conformity.UNSUPPORTED, why=f"{found.words}, which does not replay in floats", rule=rule)
        return self._differs(difference, rule)

    def _differs(self, difference: OutputDifference, rule: Rule) -> Conformance:
        noise = {self._cell_told(family, cell): value for (family, cell), value in difference.noise.items()}
        return self._told(
            Conformity.DIFFERS, why=difference.words, line=difference.line, rule=rule, inputs=difference.case.inputs,
            noise=noise, cells=difference.noise, of_function=difference.of_function,
            of_mechanism=difference.of_mechanism,
        )  # fmt: skip

    def _cell_told(self, family: str, cell: Any) -> str:
        place, count = cell[0], cell[1]
        where = f" at {self.places[place].told}" if isinstance(place, int) else f" {place}" if place != family else ""
        return f"{family}{where}, {count}"

    def _told(self, verdict: Conformity, rule: Rule | None = None, **said: Any) -> Conformance:
        assumptions = [f"{named}" for named in self.claim.named]
        if self.claim.lengths:
            assumptions.append("lists have these lengths only: " + ", ".join(map(str, self.claim.lengths)))
        if self.claim.post is not None:
            assumptions.append("of the function's output, what `post` returns is compared")
        return Conformance(
            self.claim.name, self.claim.mechanism.name, verdict, rule=rule.told(self.places) if rule else "",
            float_runs=self.runs, assumptions=tuple(assumptions), refusals=tuple(sorted(self.refusals)[:5]), **said,
        )  # fmt: skip


def _can_be_read(family: str, found: set[str]) -> bool:
    """Whether noise of a family can be made of noise of those that are found."""
    return any(set(formula.cells) <= found for formula in FORMULAS.get(family, ()))


def _entry(call: Callable[..., Any]) -> Callable[..., Any]:
    """A function of its own, whose frame is where the calls that lead to a draw begin."""

    def entered(function: Callable[..., Any], **values: Any) -> Any:
        return call(function, **values)

    return entered


def _moved(value: Any, by: float) -> Any:
    return value * Fraction(by) if isinstance(value, int | Fraction) and not isinstance(value, bool) else value


def _packages(claim: Implementation) -> set[str]:
    """The top-level packages whose modules see Python's own numbers replaced."""
    functions = (claim.function, claim.call, claim.post)
    found = {str(getattr(f, "__module__", "")).split(".")[0] for f in functions if f is not None}
    found |= {named.target.split(":")[0].split(".")[0] for named in claim.named}
    return {name for name in found if name in sys.modules}


def implementations(module: Any) -> Iterator[tuple[str, Implementation]]:
    """The claims of a module by the names under which they stand there."""
    for name, value in vars(module).items():
        if isinstance(value, Implementation):
            yield name, value

