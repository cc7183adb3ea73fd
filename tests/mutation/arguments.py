"""Why a proved mutant is private: rules that are tested on the mutant, and arguments made by hand.

The rules rest on one lemma. Let M be proved, and M' be such that M'(D, H) = f(M(D + c, H)) for all D and H, where f
and c are fixed and public, and M' draws nothing that M does not draw, at scales no smaller than M's. Then M' has
M's claim: D + c and D' + c are adjacent as D and D' are, M's alignment keeps M's output there and so f of it, and the
same shifts cost no more at larger scales.

Whether a rule holds is tested by many runs of M and M' on the same answers and the same noise. That is a second
opinion on the checker's proof, not a proof.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache, cached_property
from itertools import product
from typing import Any

from mutation.entries import entry_named
from mutation.mutants import Mutant
from mutation.operators import NARROWER
from mutation.runs import Sample, Values, run, samples, trial

from alignkit import Alignment
from alignkit.noise import Support
from alignkit.running.both_runs import AlignedRun
from alignkit.running.replaying import DrawnNoise, Run, alike

# So often must an output of the original recur, in other runs, before "a function of its output" means anything.
RECURRENCES = 50


@dataclass(frozen=True)
class Argument:
    """Why a mutant is private: the rule's name, and the argument in words."""

    rule: str
    words: str


@dataclass(frozen=True)
class Case:
    """A mutant beside its original, with the runs of both."""

    mutant: Mutant
    original: Alignment = field(repr=False)
    changed: Alignment = field(repr=False)

    @property
    def of_mechanism(self) -> bool:
        """Whether the mechanism was changed, not its alignment."""
        return self.mutant.file.startswith("mechanisms/")

    @cached_property
    def samples(self) -> tuple[Sample, ...]:
        return samples(self.original)

    @cached_property
    def runs(self) -> list[tuple[Sample, Run, Run]]:
        """The original's run on D and the mutant's, for each sample."""
        originals = _runs(self.original)
        return [(s, one, run(self.changed, s)) for s, one in zip(self.samples, originals, strict=True)]

    @cached_property
    def same_statement(self) -> bool:
        """The mutant claims no less privacy loss, for no other pairs of databases."""
        one, other = self.original, self.changed
        pairs = other.adjacency == one.adjacency or str(other.adjacency) in NARROWER[one.adjacency]
        return (
            pairs
            and all(
                other.mechanism.domain.sensitivity(name, s.values) <= one.mechanism.domain.sensitivity(name, s.values)
                for s in self.samples
                for name in one.mechanism.private
            )
            and all(_claims_no_less(trial(one, s), trial(other, s)) for s in self.samples)
        )


def _claims_no_less(one: AlignedRun, other: AlignedRun) -> bool:
    """On one run's noise, because a claim may speak of the output."""
    return not (one.run.defined and other.run.defined) or one.claim <= other.claim


@cache
def _runs(original: Alignment) -> list[Run]:
    return [run(original, s) for s in samples(original)]


# --- The rules --------------------------------------------------------------------------------------


def is_same(case: Case) -> bool:
    """The mechanisms do the same, and the alignments give the same shifts."""
    for sample, one, other in case.runs:
        if not _same(one, other) or _draws(one) != _draws(other):
            return False
        shifts, shifts_ = trial(case.original, sample).shifts, trial(case.changed, sample).shifts
        if shifts.keys() != shifts_.keys():
            return False
        if not all(alike(shift, shifts_[where], up_to_rounding=True) for where, shift in shifts.items()):
            return False
    return True


def has_more_noise(case: Case) -> bool:
    return case.of_mechanism and all(_same(one, other) and _no_less_noise(one, other) for _, one, other in case.runs)


def has_other_chances(case: Case) -> bool:
    """Only the weights of choices differ, on D and D' alike, and what the shifts cost stays within the claim."""
    return (
        case.of_mechanism
        and all(_same(one, other) and _but_for_weights(one) == _but_for_weights(other) for _, one, other in case.runs)
        and _replays(case.changed)
    )


def splits_otherwise(case: Case) -> bool:
    """Only the scales differ, and what the shifts cost stays within the claim."""
    return (
        case.of_mechanism
        and all(_same(one, other) and _places(one) == _places(other) for _, one, other in case.runs)
        and _replays(case.changed)
    )


def differs_at_ties(case: Case) -> bool:
    return (
        case.mutant.operator == "comparison"
        and case.of_mechanism
        and all(d.distribution.support.continuous for d in case.original.mechanism.draws)
        and all(
            _same(one, other) and _no_less_noise(one, other) for sample, one, other in case.runs if not sample.coarse
        )
    )


def ignores_answers(case: Case) -> bool:
    """Another database gives the same output on the same noise, after the same draws."""
    if not case.of_mechanism:
        return False
    for sample, _, one in case.runs:
        other = run(case.changed, sample, sample.values_)
        if not _same(one, other) or _draws(one) != _draws(other) or not all(map(_has_law, one.drawn)):
            return False
    return True


def stops_earlier(case: Case) -> bool:
    return all(_begins(one, other) for _, one, other in case.runs) and is_function(case)


def is_function(case: Case) -> bool:
    return case.of_mechanism and _determined(case, (one for _, one, _ in case.runs))


def is_function_moved(case: Case) -> bool:
    return case.of_mechanism and any(
        _determined(case, (run(case.original, s, move(case.original, s.values)) for s in case.samples))
        for move in _moves(case.original)
    )


@dataclass(frozen=True)
class Rule:
    """A kind of private mutant, with the reason, and how one is told."""

    name: str
    words: str
    holds: Callable[[Case], bool] = field(repr=False)


RULES = (
    Rule(
        "ties",
        "The outputs are equal wherever no two noisy numbers are equal; with continuous noise, that is so almost "
        "always.",
        differs_at_ties,
    ),
    Rule(
        "the same",
        "The mutant is another way to write the original: it gives equal outputs after equal draws, and equal shifts.",
        is_same,
    ),
    Rule(
        "more noise",
        "The outputs are equal on equal noise, and every scale is as large as before or larger, so that the same "
        "shifts cost no more.",
        has_more_noise,
    ),
    Rule(
        "other chances",
        "The outputs are equal on equal noise, so the alignment is as right as before. Only weights of choices differ, "
        "which are the same on D and D', and the shifts still cost no more than the claim.",
        has_other_chances,
    ),
    Rule(
        "another split of the budget",
        "The outputs are equal on equal noise, so the alignment is as right as before. The scales trade one share of "
        "the budget for another, and the shifts still cost no more than the claim.",
        splits_otherwise,
    ),
    Rule(
        "no private data",
        "The answers do not matter: on equal noise, every database gives the same output.",
        ignores_answers,
    ),
    Rule(
        "stops earlier",
        "The output is the beginning of the proved mechanism's output, and that output determines where it ends.",
        stops_earlier,
    ),
    Rule(
        "a function of the proved output",
        "The public parameters and the proved mechanism's output determine the mutant's output, which is therefore "
        "post-processing.",
        is_function,
    ),
    Rule(
        "moved answers",
        "Up to post-processing, the mutant does what the proved mechanism does when a public number is added to every "
        "answer (another public threshold, say). Adjacent answers stay adjacent.",
        is_function_moved,
    ),
)


def argue(mutant: Mutant, changed: Alignment) -> Argument | None:
    """The first argument that holds for a mutant; None where there is none."""
    case = Case(mutant, entry_named(mutant.entry).alignment, changed)
    # What was read by hand says more than a rule that also happens to hold.
    for argument in BY_HAND:
        if argument.is_of(mutant) and _replays(changed):
            return Argument(HAND, argument.words)
    if case.same_statement:
        for rule in RULES:
            if rule.holds(case):
                return Argument(rule.name, rule.words)
    return None


def _same(one: Run, other: Run) -> bool:
    return one.defined == other.defined and (not one.defined or alike(one.output, other.output, up_to_rounding=True))


def _draws(each: Run) -> list[tuple[Any, ...]]:
    return [(d.where, d.distribution.name, d.arguments) for d in each.drawn]


def _places(each: Run) -> list[tuple[Any, ...]]:
    return [(d.where, d.distribution.name) for d in each.drawn]


def _but_for_weights(each: Run) -> list[tuple[Any, ...]]:
    return [(d.where, d.distribution.name, () if _is_choice(d) else d.arguments) for d in each.drawn]


def _is_choice(drawn: DrawnNoise) -> bool:
    return drawn.distribution.support is Support.INDICES


def _has_law(drawn: DrawnNoise) -> bool:
    """Whether its parameters are such that there is a distribution."""
    if _is_choice(drawn):
        return min(drawn.arguments[0]) >= 0 and max(drawn.arguments[0]) > 0
    return min(drawn.arguments) > 0


def _no_less_noise(one: Run, other: Run) -> bool:
    """The other run draws only what the first draws, from the same distributions at scales no smaller.

    Of two choices with other weights neither is said to have more noise.
    """
    known = {d.where: d for d in one.drawn}
    for drawn in other.drawn:
        like = known.get(drawn.where)
        if like is None or like.distribution is not drawn.distribution:
            return False
        if _is_choice(drawn):
            if like.arguments != drawn.arguments:
                return False
            continue
        cost, cost_ = (drawn.distribution.cost(1, *d.arguments) for d in (like, drawn))
        if cost_ > cost or like.arguments[1:] != drawn.arguments[1:]:
            return False
    return True


def _begins(one: Run, other: Run) -> bool:
    if not (one.defined and other.defined):
        return one.defined == other.defined
    if not (isinstance(one.output, tuple) and isinstance(other.output, tuple)):
        return False
    start = one.output[: len(other.output)]
    return len(other.output) <= len(one.output) and alike(start, other.output, up_to_rounding=True)


def _determined(case: Case, originals: Iterable[Run]) -> bool:
    """Whether the public parameters and the original's output determine the mutant's, wherever they recur.

    The number of the answers is public.
    """
    given: dict[Any, Any] = {}
    recurring = defaultdict[Any, int](int)
    for one, (sample, _, other) in zip(originals, case.runs, strict=True):
        if not one.defined and not other.defined:
            continue
        if not (one.defined and _no_less_noise(one, other)):
            return False
        mechanism = case.original.mechanism
        public = tuple(sample.values[name] for name in mechanism.public)
        sizes = tuple(len(_vector(sample.values[name])) for name in mechanism.private)
        known = _key((public, sizes, one.output))
        output = _key(other.output) if other.defined else "undefined"
        if given.setdefault(known, output) != output:
            return False
        recurring[known] += 1
    return sum(times - 1 for times in recurring.values()) >= RECURRENCES


def _key(value: Any) -> Any:
    """What two values have in common that are equal; floats up to rounding."""
    if isinstance(value, tuple):
        return tuple(_key(x) for x in value)
    return round(value, 9) if isinstance(value, float) and math.isfinite(value) else value


def _moves(original: Alignment) -> Iterator[Callable[[Alignment, Values], Values]]:
    """Ways to add a public number to every answer: one public parameter, 0 or 1, less another."""
    numbers = (0, 1, *original.mechanism.public)
    for more, less in product(numbers, numbers):
        if more != less:
            yield lambda alignment, values, more=more, less=less: _moved(alignment, values, more, less)


def _moved(alignment: Alignment, values: Values, more: str | int, less: str | int) -> Values:
    """The answers, each with one public number added and another taken off."""

    def number(name: str | int, i: int) -> Any:
        if isinstance(name, int):
            return name
        vector = _vector(values[name])
        return vector[i] if i < len(vector) else vector[-1]

    result = dict(values)
    for name in alignment.mechanism.private:
        moved = tuple(x + number(more, i) - number(less, i) for i, x in enumerate(_vector(values[name])))
        result[name] = moved if isinstance(values[name], tuple) else moved[0]
    return result


def _vector(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


# --- By hand ----------------------------------------------------------------------------------------

HAND = "by hand"


@dataclass(frozen=True)
class ByHand:
    """An argument for single mutants: of entries (`*` stands for any part of a name), an operator, a description.

    ``description`` is a regular expression for the whole of it.
    """

    entries: str
    operator: str
    description: str
    words: str

    def is_of(self, mutant: Mutant) -> bool:
        return (
            fnmatchcase(mutant.entry, self.entries)
            and fnmatchcase(mutant.operator, self.operator)
            and re.fullmatch(self.description, mutant.description) is not None
        )


def _replays(changed: Alignment) -> bool:
    """No sample breaks the mutant's own proof; where a run is undefined, it is so on both databases.

    Coarse noise, which ties, says nothing where ties have probability 0.
    """
    continuous = all(d.distribution.support.continuous for d in changed.mechanism.draws)
    for sample in samples(changed):
        if continuous and sample.coarse:
            continue
        tried = trial(changed, sample)
        if tried.run.defined:
            if tried.violation is not None:
                return False
        elif run(changed, sample, sample.values_).defined:
            return False
    return True


SWAPPED = (
    "`eps0, eps1 = (theta * eps, (1 - theta) * eps / k)` becomes `eps0, eps1 = ((1 - theta) * eps / k, theta * eps)`"
)
FEWER = "`eps0, eps1 = (theta * eps, (1 - theta) * eps / k)` becomes `eps0, eps1 = (theta * eps, (1 - theta) * eps)`"
FEWER_2020 = (
    "`eps0, eps1, eps2 = (eps / 2, eps / (8 * k), eps / (4 * k))` becomes "
    "`eps0, eps1, eps2 = (eps / 2, eps / (8 * k), eps / 4)`"
)
# A term of numbers and public parameters.
PUBLIC = r"(?:[-+*/(), \d]|\b(?:exp|eps\d?|theta|k)\b)+"

BY_HAND = (
    ByHand(
        "black_box_gap_in_one_round/*",
        "scale",
        r"`g = \[noise\.gumbel\(1\) .*` becomes `g = \[noise\.gumbel\([\d /]*\) .*`",
        "The outcome is where this noise is largest. The alignment does not move it, so that its scale does not "
        "matter.",
    ),
    ByHand(
        "black_box_gap_in_one_round/*",
        "*",
        r"`return \(s, x\) if x > 0 else \(s, 0\)` becomes `return (?:[sx(), \d<>=!-]|\bif\b|\belse\b)*`",
        "The alignment keeps s and x, and the mutant releases what these two and numbers determine.",
    ),
    ByHand(
        "private_selection_in_all_rounds/*",
        "*",
        r"`(stop == 0|score >= tau)` becomes `(stop|score|i|j) [<>=!]+ (-?\d|tau)`|`end = \d` is dropped|"
        r"`if (stop|end) == 0`: (branches swapped|always|never)",
        "The alignment keeps the candidate, the score and the coin of every round. Where the run ends, and with what, "
        "is determined by these and by public numbers, in the mutant too.",
    ),
    ByHand(
        "hard_stop_in_all_rounds/*",
        "*",
        r"`best, top = \(i, score\)` becomes `best, top = \((i|score), (i|score)\)`|`end = \d` is dropped|"
        r"`if (stop|end) == 0`: (branches swapped|always|never)|"
        r"`stop == 0` becomes `(stop|coin|i|j) [<>=!]+ -?\d`|"
        r"`score > top or .*` becomes `(score|i|j) [<>=!]+ top( [-+] \d)? or "
        r"\((score|i|j) [<>=!]+ top and coin [<>=!]+ \d\)`",
        "The alignment keeps the candidate, the score and both coins of every round. What is kept as the best, and "
        "where the run ends, is determined by these and by public numbers, in the mutant too.",
    ),
    ByHand(
        "*sparse_vector*/*",
        "branches",
        r"`if .*(gap|noisy|xi_i|zeta_i|top|threshold) .*>= .*`: always",
        "The first branch is always taken: it releases gaps, whatever they are. The alignment keeps each gap at the "
        "same cost as in the original, and the loop still stops when the count or the budget is used up.",
    ),
    ByHand(
        "*sparse_vector*/*",
        "budget",
        re.escape(SWAPPED),
        "The loop keeps account of its own budget: it has paid eps0 for the threshold, pays for each winner, and "
        "stops when less than eps1 is left. The budget suffices for the first winner: eps0 + eps1 is at most eps for "
        "k >= 1.",
    ),
    ByHand(
        "*sparse_vector*/*",
        "operand",
        re.escape(FEWER),
        "The loop keeps account of its own budget: the first winner may pay (1 - theta) eps, which is all that is "
        "left, and the loop stops when less than that is left.",
    ),
    ByHand(
        "sparse_vector_with_*fresh_thresholds/*",
        "statement",
        r"`threshold = T \+ fresh` is dropped",
        "The first noisy threshold serves for all answers, and the fresh noise is drawn in vain. The alignment raises "
        "that threshold by 1 and keeps every winner above it, as in the original; it also pays for the noise that "
        "nothing reads.",
    ),
    ByHand(
        "sparse_vector_with_*fresh_thresholds/*",
        "*",
        r"`threshold = T \+ first` becomes `threshold = (k \+ )?first`",
        "The first threshold is about 0 or k instead of T, which is public: the alignment keeps winners above any "
        "threshold.",
    ),
    ByHand(
        "adaptive_sparse_vector_2020/*",
        "operand",
        re.escape(FEWER_2020),
        "The loop stops after the first query, because cost is at least eps / 2 from the start; one winner pays at "
        "most 2 eps2 = eps / 2.",
    ),
    ByHand(
        "adaptive_sparse_vector*/*",
        "*",
        r"`(.*) >= .*sigma\d?.*` becomes `\1 >= [ \d*+/()-]*(sigma\d?)?[ \d*+/()-]*`",
        "The mutant requires another public lead of an answer that counts as far above. Sigma only says which noise "
        "decides. The alignment keeps each gap that is released, and no other gap rises, whatever it is compared "
        "with.",
    ),
    ByHand(
        "adaptive_sparse_vector*/*",
        "*",
        r"`(b0, b1, b2, )?sigma.* = .*` becomes .*",
        "The mutant requires another public lead of an answer that counts as far above, or adds another public number "
        "to the noise. Both are computed from public parameters before anything is drawn. Where this number is "
        "undefined, it is undefined on every database.",
    ),
    ByHand(
        "sparse_vector_with_gap_exponential*/*",
        "*",
        r"`b0, b1 = .*` becomes .*|`noisy = q_i \+ eta_i - b1` becomes `noisy = q_i \+ eta_i`",
        "The mutant adds another public number to the threshold's noise or to every answer's noise, which moves all "
        "answers by that number.",
    ),
    ByHand(
        "*sparse_vector*_geometric*/*",
        "*",
        rf"`(b0, b1(?:, b2)?) = {PUBLIC}` becomes `\1 = {PUBLIC}`"
        r"|`(threshold = T \+ eta|(?:noisy|middle) = q_i \+ eta_i|top = q_i \+ xi_i) - b\d` becomes `\2( [+-] b\d)?`",
        "The mutant adds another public number to the threshold or to every noisy answer, computed from public "
        "parameters before anything is drawn. Where this number is undefined, it is undefined on every database. The "
        "alignment keeps each gap that is released, and no other gap rises, whatever is added to them.",
    ),
    ByHand(
        "sparse_vector_with_gap_geometric*/*",
        "comparison",
        re.escape("`noisy - threshold >= 0` becomes `noisy - threshold > 0`"),
        "A gap of 0 is not released. The alignment keeps each gap that is released, and no other gap rises, so that "
        "no answer changes sides, whichever side 0 is on.",
    ),
    ByHand(
        "adaptive_sparse_vector_geometric*/*",
        "branches",
        re.escape("`if middle - threshold >= 0`: never"),
        "The mutant is the sparse vector with gap that uses the first noise only. A winner pays eps2, which is less "
        "than the eps1 that the loop keeps in reserve.",
    ),
    ByHand(
        "adaptive_sparse_vector_geometric*/*",
        "constant",
        r"`eps2 = eps1 / 2` becomes `eps2 = eps1 / [13]`",
        "The loop keeps account of its own budget: the first noise has the scale for eps2, and its winner is charged "
        "eps2, which is at most the eps1 that the loop keeps in reserve.",
    ),
    ByHand(
        "discrete_sparse_vector/*",
        "*",
        r"`answer \+ nu_i >= rho_i` becomes `answer \+ nu_i (> rho_i|>= rho_i [+-] 1)`",
        "The mutant requires another public lead over the clamped threshold. The alignment never lowers the lead of "
        "an answer above it, and never raises the lead of an answer below it.",
    ),
    ByHand(
        "discrete_sparse_vector_with_*gap/*",
        "*",
        r"`yield \[nu_i \+ q_i >= rho_i \+ g for g in G\]` becomes "
        r"`yield \[nu_i \+ q_i ([<>]=?) rho_i \+ g( [+-] 1)? for g in G\]`|`gap >= 0` becomes `gap >= -1`",
        "The mutant makes another public comparison of the lead over the clamped threshold. The alignment keeps a "
        "lead exactly where the output depends on it, and raises no other lead.",
    ),
    ByHand(
        "hybrid_estimates/*",
        "*",
        r"`b0, b1 = .*` becomes .*"
        r"|`threshold = T \+ eta - b0` becomes `threshold = (T( [+-] \d+)? \+ )?eta( [+-] \w+)?`"
        r"|`noisy = \[q_i \+ noise_i - b1 for .*` becomes `noisy = \[q_i \+ noise_i( [+-] \w+)? for .*`",
        "The mutant adds another public number to the threshold or to every answer, which moves all answers by that "
        "number.",
    ),
    ByHand(
        "hybrid_estimates/*",
        "comparison",
        re.escape("`noisy[j] >= threshold` becomes `noisy[j] > threshold`"),
        "The two differ only where a noisy answer equals the threshold, which has probability 0.",
    ),
    ByHand(
        "hybrid_estimates/*",
        "off by one",
        re.escape("`largest(noisy, k)` becomes `largest(noisy, k + 1)`"),
        "There may be one more output, and the claim counts it: an output costs what it adds to len(omega) / k of the "
        "queries' share. The worst case is larger, and is reported.",
    ),
    ByHand(
        "one_sided_threshold_test/*",
        "sensitivity",
        re.escape("`q: Query` becomes `q: Query(sensitivity=2)`"),
        "The answer is clamped to [1, 2] before it is used: the level moves by at most 1, however far the answer "
        "moves.",
    ),
    ByHand(
        "adaptive_sparse_vector_many_branches/*",
        "budget",
        re.escape("`eps2, eps3 = (eps1 / 2, eps1 / 4)` becomes `eps2, eps3 = (eps1 / 4, eps1 / 2)`"),
        "The shares of two branches change places, and with them the noise that each branch draws and the cost that "
        "it is charged. Both shares are below eps1, which is what the loop keeps in reserve.",
    ),
    ByHand(
        "noisy_top_k*/*",
        "off by one",
        re.escape("`return largest(noisy, k)` becomes `return largest(noisy, k - 1)`"),
        "The mutant selects the top k - 1, with noise for k. The number of selected answers is public, so it may as "
        "well be k - 1.",
    ),
    ByHand(
        "sparse_vector_clamped_first/*",
        "off by one",
        r"`clamp\(q_i, -w, w\) \+ nu_i >= T \+ rho` becomes `clamp\(q_i, -w, w\) \+ nu_i >= T \+ rho [+-] 1`",
        "The mutant has another public threshold, and the mechanism is proved for every T.",
    ),
    ByHand(
        "sparse_vector_clamped_about_answers/*",
        "off by one",
        r"`nu_i >= clamp\(.*\) - q_i` becomes `nu_i >= clamp\(.*\) - q_i [+-] 1`",
        "The mutant adds a public number to the value that each noise is compared with. The alignment moves the noise "
        "of a winner at least as far as the clamped distance rises, and that distance never falls, whatever is added "
        "to it.",
    ),
    ByHand(
        "sparse_without_numbers/*",
        "variable",
        re.escape(
            "`up = delta if all((q[i] <= q_[i] for i in range(len(q)))) else 0` becomes "
            "`up = delta if all((q[i] <= q_[i] for i in range(len(omega)))) else 0`"
        ),
        "The answers after the last one that was asked do not matter. If the asked answers rise or stay, raising the "
        "threshold is right; if one of them falls, all answers fall.",
    ),
    ByHand(
        "sparse_numeric_by_shares/*",
        "off by one",
        re.escape("`count >= c` becomes `count >= c - 1`"),
        "The mutant allows one winner fewer, or one query if c = 1. Its output is the beginning of the proved output, "
        "which itself determines where to end.",
    ),
    ByHand(
        "noisy_count/*",
        "sensitivity",
        re.escape("`q: Queries` becomes `q: Queries(sensitivity=2)`"),
        "One answer changes, by however much, so that the count changes by at most 1.",
    ),
    ByHand(
        "prefix_sums/*",
        "sign",
        re.escape("`total += q_i + eta_i` becomes `total -= q_i + eta_i`"),
        "The mutant puts out the sums of the proved mechanism with the other sign.",
    ),
    ByHand(
        "*/*",
        "constant",
        r"`total: float = 0` becomes `total: float = -?1`",
        "A public number is added to every sum; to that of sparse_totals it is as if to the threshold.",
    ),
    ByHand(
        "smart_sum/*",
        "statement",
        re.escape("`total = block + q_i + xi_i` is dropped"),
        "The sums of blocks are not put out: what comes out is the sum of the other answers, each with its own noise, "
        "which the alignment keeps.",
    ),
    ByHand(
        "smart_sum/*",
        "statement",
        re.escape("`total += q_i + eta_i` is dropped"),
        "Only the sums of blocks are put out, each with its own noise, which the alignment keeps.",
    ),
    ByHand(
        "sparse_totals/*",
        "release",
        re.escape("`yield BELOW` becomes `yield eta_i`"),
        "The noise of a total below the threshold is not shifted, so that it is the same on both databases; and the "
        "total stays below the raised threshold.",
    ),
    ByHand(
        "sparse_totals/*",
        "variable",
        re.escape("`total + eta_i >= T + eta` becomes `total + eta_i >= k + eta`"),
        "The threshold is another public number, k.",
    ),
    ByHand(
        "sparse_vector_then_answers/*",
        "off by one",
        re.escape("`count >= k` becomes `count >= k - 1`"),
        "The first loop allows one winner fewer, or one query if k = 1: at most k winners are paid for. The second "
        "loop does not depend on where the first one ended.",
    ),
    ByHand(
        "sparse_vector_then_answers/*",
        "branches",
        re.escape("`if q_i + eta_i >= T + eta`: never"),
        "The first loop puts out nothing that depends on the answers, and there are no winners to pay for.",
    ),
    ByHand(
        "sparse_vector_then_answers/*",
        "release",
        re.escape("`yield BELOW` becomes `yield eta_i`"),
        "The noise of a query below the threshold is not shifted, so that it is the same on both databases; and the "
        "query stays below the raised threshold.",
    ),
    ByHand(
        "sparse_vector_then_answers/*",
        "statement",
        re.escape("`yield (q_i + e)` is dropped"),
        "The second loop puts out nothing: the output is the beginning of the proved output.",
    ),
    ByHand(
        "top_k_then_measure/*",
        "off by one",
        r"`(largest\(.*, )k\)` becomes `\1k - 1\)`",
        "The mutant selects and measures the top k - 1, with noise for k.",
    ),
    ByHand(
        "answers_in_rounds/*",
        "off by one",
        re.escape("`range(k)` becomes `range(k - 1)`"),
        "There is one round fewer, at the same cost for each round.",
    ),
    ByHand(
        "answers_at_thresholds/*",
        "comparison",
        re.escape("`q_i + e >= t` becomes `q_i + e <= t`"),
        "The alignment keeps every noisy answer as it is, and so whatever is made of it.",
    ),
    ByHand(
        "answers_at_thresholds/*",
        "adjacency",
        re.escape("`adjacency='one'` becomes `adjacency='l1'`"),
        "An answer that changes by d costs d eps over all k thresholds, so that changes of 1 in all cost eps.",
    ),
    ByHand(
        "hybrid_identity/*",
        "*",
        r"`top\[i\] == 0` becomes `top\[i\] (!= 0|== 1)`|the break under `if top\[i\] == 0` is dropped"
        r"|`if top\[i\] == 0`: (always|never)",
        "Where the loop stops depends on nothing, or on indices that are already released, and the output is still "
        "the beginning of the ordered selection with its leads. The alignment keeps this output at a cost of eps / k "
        "for each index that is released.",
    ),
    ByHand(
        "exponential_mechanism/*",
        "constant",
        r"`x = .*/ \(2 \* delta\).*` becomes `x = .*/ \(3 \* delta\).*`",
        "Utilities count for two thirds: the mutant does on D what the proved mechanism does on utilities that are "
        "two thirds of D's, and such utilities of adjacent databases are adjacent.",
    ),
    ByHand(
        "noisy_histogram/*",
        "adjacency",
        re.escape("`adjacency='one'` becomes `adjacency='l1'`"),
        "The shift of each noise costs eps for each unit by which its count changes, and the changes add up to at most "
        "one unit.",
    ),
    ByHand(
        "sparse_vector_then_count/*",
        "operand",
        re.escape("`q_i + eta_i - (T + eta) >= 0` becomes `q_i + eta_i - eta >= 0`"),
        "The threshold is another public number, 0.",
    ),
    ByHand(
        "winner_then_sparse_vector/*",
        "branches",
        re.escape("`if q_i + eta_i - (T + eta) >= 0`: never"),
        "The second call puts out nothing that depends on the answers.",
    ),
    ByHand(
        "numeric_or_zero/*",
        "off by one",
        re.escape("`q_i + nu >= T + rho` becomes `q_i + nu >= T + rho + 1`"),
        "The threshold is another public number, T + 1.",
    ),
    ByHand(
        "numeric_or_zero/*",
        "branches",
        re.escape("`if q_i + nu >= T + rho`: always"),
        "The first k queries are answered, each with noise that pays for it, and nothing else is compared or put out.",
    ),
    ByHand(
        "numeric_or_zero/*",
        "branches",
        re.escape("`if count >= k`: always"),
        "The run ends with its first winner, and has noise for k of them.",
    ),
    ByHand(
        "histogram_in_parts/*",
        "*",
        r"`(first|rest) = noisy_histogram\(\[.*",
        "A count that changes is in one of the two lists, at most, and stands there as it is or not at all. What the "
        "other places hold is public.",
    ),
    ByHand(
        "histogram_in_parts/*",
        "release",
        r"`return \(first, rest\)` becomes .*",
        "The mutant puts out a function of what the proved mechanism puts out.",
    ),
    ByHand(
        "noisy_max_with_gap_of_two_discrete/*",
        "release",
        re.escape("`return (best, gap)` becomes `return (second, gap)`"),
        "The call is private with all that it returns, and this is another part of it.",
    ),
    ByHand(
        "adaptive_sparse_vector_geometric_in_steps/*",
        "*",
        r"`(middle|top) >= b\d - b0( \+ 2 \* sigma)?` becomes `(middle|top) >=? .*`",
        "The lead of a noisy answer is held against another public number, or a lead of that number no longer wins. "
        "The alignment keeps a winner's lead, and lets no other lead grow.",
    ),
    ByHand(
        "adaptive_sparse_vector_geometric_in_steps/*",
        "release",
        re.escape("`yield (BELOW, 0)` becomes `yield (BELOW, eta_i)`"),
        "The noise of a loser is given out too. The alignment does not move it, and so it is the same on both "
        "databases, while the loser stays below a threshold that rises by 1.",
    ),
    ByHand(
        "adaptive_sparse_vector_geometric_in_steps_monotone/*",
        "branches",
        re.escape("`if top >= b2 - b0 + 2 * sigma`: never"),
        "The mutant is the sparse vector with gap that uses the second noise only. A winner pays eps1 for it.",
    ),
    ByHand(
        "adaptive_sparse_vector_geometric_in_steps_monotone/*",
        "branches",
        re.escape("`if middle >= b1 - b0`: always"),
        "Every answer that the first noise does not put on top is put out with its lead by the second noise, and pays "
        "eps1 for it, as a winner does. The alignment keeps this lead, whatever it is.",
    ),
    ByHand(
        "hybrid_identity_in_steps/*",
        "*",
        r"`top\[i\] == 0` becomes `top\[i\] (!= 0|== 1)`|the break under `if top\[i\] == 0` is dropped"
        r"|`if top\[i\] == 0`: never|`range\(k\)` becomes `range\(k - 1\)`",
        "Where the loop stops depends on indices that are already released, or on the public k, and the output is "
        "still the beginning of the ordered selection with its distances. The alignment keeps this output at a cost of "
        "eps / k for each index that is released.",
    ),
    ByHand(
        "hybrid_identity_in_steps/*",
        "variable",
        re.escape("`answers = [T, *q]` becomes `answers = [k, *q]`"),
        "The threshold is another public whole number, k.",
    ),
    ByHand(
        "hybrid_estimates_in_steps/*",
        "*",
        r"`noisy\[j\] - threshold >= b1 - b0` becomes `noisy\[j\] - threshold >=? .*`"
        r"|`b0, b1 = .*` becomes `b0, b1 = .*`",
        "The gap is held against another public number, or a gap of that number no longer wins. The alignment keeps a "
        "winner's gap, and lets no other gap grow.",
    ),
    ByHand(
        "hybrid_estimates_in_steps/*",
        "off by one",
        r"`largest\(noisy, k\)` becomes `largest\(noisy, k [+-] 1\)`",
        "There is one output more or fewer to come, and the claim counts it: an output costs what it adds to "
        "len(omega) / k of the queries' share. The worst case is another one, and is reported.",
    ),
    ByHand(
        "sparse_vector_measuring_close_calls/*",
        "*",
        r"`gap >= far` becomes `gap >= far \+ 1`|`if gap >= far`: never",
        "More winners are measured, by another public number or all of them, and each one that is pays for it.",
    ),
)
