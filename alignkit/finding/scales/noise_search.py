"""The least noise that a claim needs: an alignment, scales that spend the claim, and the check that decides.

From factors for the scales to a mechanism with its alignment, whose claim is checked.
"""

from __future__ import annotations

import itertools
import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from alignkit.arguments import check_callable, seconds, shown, whole
from alignkit.attacking.mechanism_attack import INTERRUPTED
from alignkit.checking.five_hops import check
from alignkit.errors import InputError, LanguageError, OutOfTime, Unsupported
from alignkit.finding.candidates import candidate_shapes
from alignkit.finding.findings import Proposal
from alignkit.finding.programs import Solution, cheapest_solution
from alignkit.finding.proposing import read, written
from alignkit.finding.public_expressions import LENGTH
from alignkit.finding.scales.mending import DrawScale, defined, draw_scales, free_name, imports_for, mended_source
from alignkit.finding.scales.noise_factors import Factors, common_factors, rescaled, split_factors, variances
from alignkit.finding.scales.noise_findings import MeasuredAt, MendedMechanism, NewScale, NoiseFindings
from alignkit.finding.scales.products import Product
from alignkit.finding.scenarios import Samples, sampled
from alignkit.finding.shapes import Shape
from alignkit.finding.source_text import AlignmentText, adjacency_of_search, check_name
from alignkit.language.parameters import Proportion
from alignkit.limits import Deadline
from alignkit.markup import quietly, shown_progress
from alignkit.public_names import public
from alignkit.results import Result, Witness
from alignkit.running.adjacency import Adjacency
from alignkit.running.claims import read_claim
from alignkit.running.draws import called_mechanisms
from alignkit.running.mechanism_decorator import Mechanism

# The counts at which the sum of variances is stated.
_COUNTS = (1, 10, 100)


def mended_mechanism(
    mechanism: Mechanism,
    scales: Sequence[DrawScale],
    factors: Factors,
    text: AlignmentText,
    claim: str,
    deadline: Deadline,
) -> MendedMechanism:
    """The mechanism with other scales, and what `check` says of its claim.

    Raises InputError or LanguageError where the source cannot be read, such as where names clash.
    """
    name = f"{mechanism.name}_mended"
    names = _names_of_roots(mechanism, factors)
    given = {name: _named(str(value), names) for name, value in factors.chosen.items()}
    arguments = _arguments(scales, factors, names)
    docstring = f"{mechanism.name} with scales that suffice for the claim {claim}."
    source = mended_source(mechanism, name, arguments, {**names, **given}, docstring)
    moved = replace(text, mechanism=defined(mechanism, source, name))
    alignment = read(moved.mechanism, moved.source(claim))
    return MendedMechanism(
        name=name,
        source=source,
        alignment_source=moved.source(claim),
        imports=imports_for(mechanism, (source, moved.source(claim))),
        scales=(
            *(NewScale(parameter, parameter, _spelt_out(text, names)) for parameter, text in given.items()),
            *(
                NewScale(s.draw.key, s.argument(s.written), _spelt_out(arguments[s.draw.key], names))
                for s in scales
                if s.draw.key in arguments
            ),
        ),
        measured=tuple(_measured(mechanism, scales, factors)),
        common=factors.common,
        result=check(alignment, timeout=deadline.left_to_use(), effort=0, progress=quietly),
        alignment=alignment,
    )


def _names_of_roots(mechanism: Mechanism, factors: Factors) -> dict[str, str]:
    """Local names for the cube roots in factors, each with its text."""
    roots = dict.fromkeys(atom for root in factors.roots for atom, _ in root.powers if atom.startswith("exp("))
    wanted = ["ratio"] if len(roots) == 1 else [f"ratio_{i}" for i in range(1, len(roots) + 1)]
    return {free_name(mechanism, name): root for name, root in zip(wanted, roots, strict=True)}


def _named(text: str, names: Mapping[str, str]) -> str:
    """A text with names for the cube roots in it."""
    for name, root in names.items():
        text = text.replace(root, name)
    return text


def _arguments(scales: Sequence[DrawScale], factors: Factors, names: Mapping[str, str]) -> dict[str, str]:
    """The new first arguments of the draws."""
    by_draw = factors.left if factors.chosen else factors.by_draw
    numbers = all(factor.is_number for factor in by_draw.values())
    arguments = {}
    for scale in scales:
        factor = by_draw.get(scale.draw.key, Product.number(1))
        if factor != Product.number(1):
            argument = scale.argument((scale.written if numbers else scale.public) * factor)
            arguments[scale.draw.key] = _named(argument, names)
    return arguments


def _spelt_out(argument: str, names: Mapping[str, str]) -> str:
    where = ", ".join(f"{name} = {text}" for name, text in names.items() if name in argument)
    return f"{argument} with {where}" if where else argument


def _measured(mechanism: Mechanism, scales: Sequence[DrawScale], factors: Factors) -> Iterator[MeasuredAt]:
    """The sum of variances before and after, with all public parameters 1, proportions 1/2, and several counts."""
    before, after = variances(scales), variances(scales, factors)
    read = (before.names() | after.names()) & {*mechanism.public}
    counts = [name for name, kind in mechanism.public.items() if kind.integer and name in read]
    for values in itertools.product(_COUNTS, repeat=1) if counts else ((1,),):
        public: dict[str, Any] = {}
        for name, kind in mechanism.public.items():
            if name in read:
                public[name] = Fraction(1, 2) if isinstance(kind, Proportion) else values[0] if name in counts else 1
        shown = {name: str(value) for name, value in public.items()}
        yield MeasuredAt(shown, float(before.value(public)), float(after.value(public)))


# How often the factors of one shape are mended after a counterexample, and how often shifts and scales take turns.
_ROUNDS, _TURNS = 4, 3

# Sums of variances that differ by less are taken to be the same.
_SAME = 1e-6


@public
def least_noise(
    mechanism: Mechanism,
    claim: str | int | Fraction,
    *,
    adjacency: str = "each",
    timeout: float = 60.0,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> NoiseFindings:
    """Find scales for the draws of a mechanism with which it has a claim, and as little noise as is found to suffice.

    The measure of the noise is the sum, over the program's draw sites, of the variance of one draw. An alignment is
    proposed as by `find`; with its shifts fixed, the scales are those that spend the claim at the least measure. The
    mechanism with these scales is written as source text, and `check` decides about its claim: what is in ``mended`` is
    proved. It is the least that was found; no lower bound is proved. The claim may be smaller than what the mechanism
    has, and then its noise grows. docs/choose_a_noise.md says what is tried. ``timeout`` is in seconds for the whole
    search, proofs included. Raises InputError or LanguageError for bad arguments.

    The split is that of Lyu, Su and Li (PVLDB 2017) for sparse vector, and its counterpart elsewhere.

    >>> from alignkit.mechanisms.noisy_max import noisy_max
    >>> least_noise(noisy_max, "eps", adjacency="monotone").least.scales
    (NewScale(draw='eta', before='2 / eps', after='1 / eps'),)
    """
    if not isinstance(mechanism, Mechanism):
        raise InputError(
            f"least_noise takes a mechanism, not {shown(mechanism)}; decorate the function with @mechanism"
        )
    if isinstance(claim, bool) or not isinstance(claim, str | int | Fraction):
        raise InputError(f"the claim must be a string such as 'eps / 2', or a number, not {shown(claim)}")
    kind = adjacency_of_search(adjacency, mechanism)
    check_name(mechanism)
    timeout, seed = seconds(timeout, "the timeout"), whole(seed, "seed")
    check_callable(progress, "progress", "a function of one string")
    mechanism.ensure_current()
    _, ex_post = read_claim(str(claim), mechanism, mechanism.program.place)
    started = time.monotonic()
    deadline = Deadline.after(timeout)
    try:
        with shown_progress(progress) as say:
            search = _Search(mechanism, kind, str(claim), ex_post, deadline, random.Random(seed), say)
            reason = search.run()
    except OutOfTime:
        reason = f"the time of {timeout:g} s was used up"
    except Unsupported as problem:
        reason = str(problem)
    except KeyboardInterrupt:
        reason = INTERRUPTED
    elapsed = time.monotonic() - started
    return search.findings(reason, elapsed)


@dataclass
class _Search:
    """One search: what was proved so far."""

    mechanism: Mechanism
    adjacency: Adjacency
    claim: str
    ex_post: bool
    deadline: Deadline
    source: random.Random
    say: Callable[[str], None]
    scales: tuple[DrawScale, ...] = ()
    split: tuple[MendedMechanism, Factors] | None = None
    common: tuple[MendedMechanism, Factors] | None = None
    as_it_is: Proposal | None = None
    runs: int = 0

    def findings(self, reason: str, elapsed: float) -> NoiseFindings:
        """What was found, with the reason where nothing was."""
        found = [each for each in (self.split, self.common) if each is not None]
        if len(found) == 2 and found[1][0].noise <= found[0][0].noise:
            found = found[1:]
        mended = tuple(each for each, _ in found)
        rewritten = any(not factors.chosen for _, factors in found)
        moving = [scale.draw.key for scale in self.scales if scale.has_mean and rewritten]
        note = f"the mean of {', '.join(moving)} changes with the scale: change a constant that stands for it too"
        return NoiseFindings(
            mechanism=self.mechanism.name,
            adjacency=str(self.adjacency),
            claim=self.claim,
            mended=mended,
            as_it_is=None if mended else self.as_it_is,
            runs=self.runs,
            seconds=elapsed,
            reason="" if mended or self.as_it_is is not None else reason,
            notes=(note,) if mended and moving else (),
        )

    def run(self) -> str:
        """Prove mended mechanisms; return why none was proved."""
        own = [draw.distribution.name for draw in self.mechanism.draws if not draw.distribution.homogeneous]
        if own:
            return f"the {'weights' if own[0] == 'choice' else 'parameters'} of noise.{own[0]} are not changed"
        if called_mechanisms(self.mechanism.program):
            return "the noise of mechanisms that it calls is not changed; give them other budgets"
        stated = Product.of(self.claim)
        self.scales = draw_scales(self.mechanism)
        self.say("running the mechanism")
        samples = sampled(self.mechanism, self.adjacency, self.deadline, self.source, thorough=True)
        self.runs = len(samples.pairs)
        if any(stated.value({**public, LENGTH: 1}) <= 0 for public in samples.public.values()):
            raise InputError(f"the claim must be above 0 for all public parameters, and {self.claim} is not")
        if not samples.pairs:
            return samples.lacking
        shapes = candidate_shapes(self.mechanism, self.adjacency, [pair for _, pair in samples.pairs], self.source)
        checked = sum([self._with_shape(shape, samples, stated) for shape in shapes])
        if not checked:
            return f"no alignment of the shapes that are known meets the demands of {self.runs} pairs of runs"
        choices = "one choice" if checked == 1 else f"{checked} choices"
        return f"the claim was not proved; {choices} of the scales {'was' if checked == 1 else 'were'} tried"

    def _with_shape(self, shape: Shape, gathered: Samples, stated: Product) -> int:
        """Check the scales that alignments of one shape propose; return how many were checked."""
        checked = 0
        for _ in range(_ROUNDS):
            samples = gathered.for_shape(shape)
            witnesses: list[Witness] = []
            for solution, factors in self._candidates(shape, samples, stated):
                if not self._is_better(factors, samples):
                    continue
                self.deadline.check()
                result = self._check(shape, written(solution, samples.pairs, samples.public), factors)
                if result is None:
                    continue
                checked += 1
                if result.proved and factors.common:
                    break
                if result.counterexample is not None:
                    witnesses.append(result.counterexample.witness)
            learned = [gathered.learn(witness) for witness in witnesses]
            if not any(learned):
                break
        return checked

    def _candidates(self, shape: Shape, samples: Samples, stated: Product) -> Iterator[tuple[Solution, Factors]]:
        """Alignments with factors for the scales: a split of the claim where it has less noise, then one factor."""
        self.deadline.check()
        solution = cheapest_solution(shape, samples.pairs)
        if solution is None:
            return
        common = list(common_factors(solution, samples, stated, self.scales, ex_post=self.ex_post))
        split = None if self.ex_post else self._best_split(shape, samples, stated, solution, common)
        if split is not None and self._is_less(split[1], common[0] if common else None, samples):
            yield split
        for factors in common:
            yield solution, factors

    def _best_split(
        self, shape: Shape, samples: Samples, stated: Product, solution: Solution, common: Sequence[Factors]
    ) -> tuple[Solution, Factors] | None:
        """Shifts and scales take turns, as long as the measure falls."""
        best: tuple[Solution, Factors] | None = None
        for _ in range(_TURNS):
            try:
                factors = split_factors(solution, samples, stated, self.scales, common)
            except Unsupported:  # an expression that has no value at some parameters
                break
            if factors is None or (best is not None and not self._is_less(factors, best[1], samples)):
                break
            best = solution, factors
            try:
                cheaper = cheapest_solution(shape, rescaled(samples, self.scales, factors).pairs)
            except Unsupported:
                break
            if cheaper is None or cheaper.coefficients == solution.coefficients:
                break
            solution = cheaper
        return best

    def _is_better(self, factors: Factors, samples: Samples) -> bool:
        """Whether scales have less noise than those that were proved before, each kind compared with its own."""
        rival = self.common if factors.common else self.split
        if rival is not None:
            return self._is_less(factors, rival[1], samples)
        return self.as_it_is is None or self._is_less(factors, None, samples)

    def _is_less(self, one: Factors, other: Factors | None, samples: Samples) -> bool:
        """Whether the sum of variances is less with some factors than with others; None are the scales as they are."""
        measured, rival = (variances(self.scales, each) for each in (one, other))
        settings = samples.public.values()
        try:
            return sum(math.log(measured.value(p) / rival.value(p)) for p in settings) < -_SAME * len(settings)
        except (Unsupported, ArithmeticError, ValueError):  # not defined, or not above 0, at some parameters
            return False

    def _check(self, shape: Shape, text: AlignmentText, factors: Factors) -> Result | None:
        """Have the claim checked with the scales; None where a name of the mechanism is in the way."""
        self.say(f"checking the claim {self.claim}")
        try:
            if factors.are_one:
                alignment = read(self.mechanism, text.source(self.claim))
                result = check(alignment, timeout=self.deadline.left_to_use(), effort=0, progress=quietly)
                if result.proved:
                    self.as_it_is = Proposal(
                        text.source(self.claim), text.imports, self.claim, result, shape.name, alignment=alignment
                    )
                return result
            mended = mended_mechanism(self.mechanism, self.scales, factors, text, self.claim, self.deadline)
        except (InputError, LanguageError, Unsupported):
            return None
        if mended.result.proved:
            if factors.common:
                self.common = mended, factors
            else:
                self.split = mended, factors
        return mended.result
