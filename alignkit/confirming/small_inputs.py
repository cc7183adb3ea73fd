"""The bounded opinion: every real input of small sizes, on every path."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.confirming.normal_forms import (
    Comparison,
    NotExaminedError,
    Number,
    UndefinedError,
    Unknown,
    made,
    plain,
    same,
    substituted,
    unknowns_of,
)
from alignkit.confirming.trials import (
    Charging,
    Coordinate,
    Fails,
    Setting,
    Trial,
    discrete_part,
    has_real_parts,
    numbers_in,
)
from alignkit.confirming.users_functions import Names
from alignkit.confirming.worlds import Clause, DeadError, Functions, Interface, OutOfWorkError, PathWorld, magnitude


@dataclass(frozen=True)
class Found:
    """An input on which Python fails an alignment, with what fails."""

    problem: str
    inputs: Mapping[str, Any]


@dataclass
class Examined:
    """What came of one setting: how many runs ended, what was not examined, and what contradicts."""

    runs: int = 0
    why: str = ""
    found: Found | None = None


@dataclass
class Ended:
    """A run that ended well, as much of it as one-to-one needs."""

    output: Any
    moves: list[tuple[Coordinate, Any, Any, Unknown | None]]
    path: list[Clause]
    by_alignment: bool
    trial: Trial = field(repr=False)


def settings(mechanism: Any, adjacency: str, n: int, k: int) -> Iterator[Setting]:
    """All sizes of which the longest list has ``n`` answers, each with every way in which answers may change."""
    lists = [name for name, kind in mechanism.parameters.items() if kind.vector]
    counts = [name for name, kind in mechanism.parameters.items() if kind.integer and not kind.vector]
    if not lists and n > 1:
        return
    for lengths in itertools.product(range(1, n + 1), repeat=len(lists)):
        if lists and max(lengths) != n:
            continue
        sizes = dict(zip(lists, lengths, strict=True))
        answers = [(p, i) for p in mechanism.private for i in range(sizes.get(p, 1))]
        for values in itertools.product(range(1, k + 1), repeat=len(counts)):
            ways: Sequence[Any] = ["all"]
            if adjacency == "monotone":
                ways = ["up", "down"]
            elif adjacency == "one":
                ways = [f"{p}[{i}]" for p, i in answers]
            for way in ways:
                yield Setting(sizes, dict(zip(counts, values, strict=True)), way)


class Inputs:
    """The inputs of D and D′ in one setting, as symbolic numbers with what adjacency says of them."""

    def __init__(self, alignment: Any, setting: Setting, world: PathWorld, adjacency: str = "") -> None:
        self._mechanism, self._world, self._setting = alignment.mechanism, world, setting
        self._adjacency = adjacency or str(alignment.adjacency)
        self.changes: set[Unknown] = set()
        if self._adjacency not in ("each", "monotone", "one", "l1"):
            raise NotExaminedError(f"adjacency {self._adjacency}")
        for kind in alignment.mechanism.private.values():
            if kind.local is not None:
                raise NotExaminedError(f"the sensitivity {kind.local}")
        self.values: dict[str, Any] = dict(setting.counts)
        self._lattices = self._lattices_of_sensitivities()
        names = list(self._mechanism.parameters)
        # What others refer to comes first.
        for name in sorted(names, key=lambda n: self._rank(n)):
            if name not in self.values:
                self.values[name] = self._value(name)
        changes = [self._private(name) for name in self._mechanism.private]
        if self._adjacency == "l1":
            self._add_up([c for part in changes for c in part])
        self.values["direction"] = {"up": 1, "down": -1}.get(setting.changes)

    def _lattices_of_sensitivities(self) -> dict[str, Any]:
        """A named sensitivity lies on its answers' lattice, which the domain of every door says too."""
        kinds = self._mechanism.parameters.values()
        named = [(k.sensitivity, k.lattice) for k in kinds if k.private and isinstance(k.sensitivity, str)]
        return {name: lattice for name, lattice in named if lattice is not None and lattice != name}

    def _rank(self, name: str) -> int:
        kind = self._mechanism.parameters[name]
        spacing = self._lattices.get(name, kind.lattice)
        return 0 if not isinstance(spacing, str) else 1 + self._rank(spacing)

    def _named(self, value: Any) -> Any:
        return self.values[value] if isinstance(value, str) else plain(value)

    def _sensitivity(self, kind: Any) -> Any:
        if not isinstance(kind.sensitivity, int | Fraction | str):
            raise NotExaminedError(f"the sensitivity {kind.sensitivity}")
        return self._named(kind.sensitivity)

    def _value(self, name: str) -> Any:
        kind = self._mechanism.parameters[name]
        if kind.vector:
            return [
                self._number(f"{name}[{i}]", name, kind, i + self._setting.step)
                for i in range(self._setting.lengths[name])
            ]
        return self._number(name, name, kind, 0)

    def _number(self, name: str, parameter: str, kind: Any, step: int) -> Any:
        if kind.integer:
            raise NotExaminedError("a list of counts")
        spacing = self._lattices.get(parameter, kind.lattice)
        bounds = [(relation, limit) for relation, limit in kind.bounds]
        # A multiple of a positive spacing has the sign of its multiplier.
        unit = self._named(spacing) if spacing is not None else 1
        if spacing is not None and any(limit != 0 for _, limit in bounds):
            raise NotExaminedError("a bounded parameter on a lattice")

        def facts(number: Any) -> list[Clause]:
            return [[(_bounded(number, relation, limit), True)] for relation, limit in bounds]

        positive = any(relation == ">" and limit >= 0 for relation, limit in bounds)
        whole = spacing is not None
        number = self._world.unknown(
            ("input", name), facts, positive=positive, whole=whole, private=kind.private, step=step
        )
        return number * unit

    def _private(self, parameter: str) -> list[Any]:
        kind = self._mechanism.parameters[parameter]
        bound = self._sensitivity(kind)
        values = self.values[parameter] if kind.vector else [self.values[parameter]]
        changed, changes = [], []
        for i, value in enumerate(values):
            change: Any = 0
            if self._adjacency != "one" or self._setting.changes in ("all", f"{parameter}[{i}]"):
                change = self._change(f"{parameter}[{i}]", kind, bound, i + self._setting.step)
            changes.append(change)
            changed.append(value + change)
        self.values[f"{parameter}_"] = changed if kind.vector else changed[0]
        return changes

    def _change(self, name: str, kind: Any, bound: Any, step: int) -> Any:
        unit = 1 if kind.lattice is None else self._named(kind.lattice)

        def facts(number: Any) -> list[Clause]:
            change = number * unit
            up, down = _bounded(bound - change, ">=", 0), _bounded(bound + change, ">=", 0)
            if self._setting.changes == "up":
                down = Comparison(number, ">=")
            if self._setting.changes == "down":
                up = Comparison(-number, ">=")
            return [[(up, True)], [(down, True)]]

        number = self._world.unknown(("change", name), facts, whole=kind.lattice is not None, private=True, step=step)
        self.changes |= unknowns_of(number)
        return number * unit

    def _add_up(self, changes: list[Any]) -> None:
        kinds = [kind for kind in self._mechanism.parameters.values() if kind.private]
        bound = self._sensitivity(kinds[0])
        left = bound - sum(magnitude(self._world, change) for change in changes)
        for change in changes:
            for unknown in unknowns_of(change):
                if unknown in self.changes:
                    self._world.facts[unknown].append([(Comparison(left, ">="), True)])


def _bounded(number: Any, relation: str, limit: Any) -> Comparison:
    if relation in (">", ">="):
        return Comparison(number - limit, relation)
    return Comparison(limit - number, {"<": ">", "<=": ">="}[relation])


class Examination:
    """One setting examined: every path, what it owes, and the runs with one output held against each other."""

    def __init__(
        self,
        alignment: Any,
        lemmas: Mapping[int, Any],
        setting: Setting,
        effort: int,
        adaptive: bool,
        interface: Interface,
        kind: type[Trial] = Trial,
    ) -> None:
        self.kind = kind
        self.alignment, self.lemmas, self.setting, self.adaptive = alignment, lemmas, setting, adaptive
        self.world = PathWorld(effort, interface)
        self.world.adaptive = adaptive
        self.functions = Functions(self.world)
        self.trial: Trial | None = None
        self.names = Names(self.functions, lambda *call: self.trial.call(*call))  # type: ignore[union-attr]
        self.inputs = Inputs(alignment, setting, self.world)
        self.examined = Examined()
        self.ended: list[Ended] = []
        # What public values fulfil for which some run is not defined.
        self.outside: list[list[Clause]] = []
        self.within: list[Clause] = []
        self.public: dict[Unknown, Any] = {}

    def run(self) -> Examined:
        """Examine every path. A contradiction counts where every run is defined, so that it ends nothing."""
        world = self.world
        world.untried = [()]
        while world.untried:
            world.begin(world.untried.pop())
            try:
                self._path()
            except DeadError:
                continue
            except NotExaminedError as problem:
                self.examined.why = self.examined.why or str(problem)
            except OutOfWorkError:
                if self.examined.found is None:
                    raise
                break
        # What is confirmed or contradicted is so for public values for which every run is defined.
        self.within = [[(comparison, not truth) for ((comparison, truth),) in clauses] for clauses in self.outside]
        if self.examined.found is not None and any(map(self._holds, self.outside)):
            self.examined.found = None
            self.examined.why = "what fails does so where some run is not defined"
        if self.examined.found is None and not self.examined.why:
            try:
                if self.ended and self.within and isinstance(world.ask(self.within, path=False), str):
                    raise NotExaminedError("no public values for which every run is defined")
                self._one_to_one()
            except NotExaminedError as problem:
                self.examined.why = str(problem)
        return self.examined

    def _holds(self, clauses: Sequence[Clause]) -> bool:
        """Whether the public values of a contradiction may be ones of which the clauses speak."""
        for ((comparison, truth),) in clauses:
            try:
                number = substituted(comparison.number, self.public)
                settled = self._settled([(Comparison(number, comparison.relation), truth)])
            except NotExaminedError:
                continue
            if settled is not None and not settled:
                return False
        return True

    def close(self) -> None:
        """Let go of the formulas and functions of all paths."""
        self.names.close()
        self.world.close()
        self.trial = None
        self.ended.clear()
        self.inputs.values.clear()
        self.inputs.changes.clear()

    def _path(self) -> None:
        world = self.world
        trial = self.trial = self.kind(self.alignment, self.names, self.functions, world, lemmas=self.lemmas)
        try:
            trial.run(self.inputs.values)
        except UndefinedError as problem:
            # What is defined for some public values only is a mechanism for these.
            if not world.is_public(problem):
                raise NotExaminedError(f"D is not defined on a path: {problem}") from None
            self.outside.append(world.public_part())
            return
        except Fails as problem:
            self._contradict([], str(problem))
            return
        self.examined.runs += 1
        owed = trial.requirements
        if self.adaptive:
            self._online(trial)
        if owed and world.ask([[(comparison, False) for comparison, _ in owed], *trial.known]) != "no":
            for comparison, words in owed:
                self._contradict([[(comparison, False)], *trial.known], words)
                if self.examined.found is not None:
                    return
        if isinstance(trial, Charging):
            return
        decided = {u for a, b in trial.decided_by_alignment for read in world.reads[a:b] for u in read}
        moves = [(where, drawn.value, trial.moved[where], drawn.unknown) for where, drawn in trial.first.drawn.items()]
        by_noise = any(u.noise for u in decided)
        self.ended.append(Ended(trial.output, moves, list(world.path), by_noise, trial))
        self._volume(trial, moves)

    def _contradict(self, clauses: list[Clause], words: str) -> None:
        """Take what fails on this path for a contradiction if the solver has an input that Python fails by itself."""
        trial = self.trial
        if self.examined.found is not None or trial is None:
            return
        about = unknowns_of(list(self.inputs.values.values()))
        about |= {drawn.unknown for drawn in trial.first.drawn.values() if drawn.unknown is not None}
        model = self.world.ask(clauses, about=about)
        if isinstance(model, str):
            if model == "unknown":
                self.examined.why = self.examined.why or f"the solver does not know whether {words}"
            return
        inputs = {name: self._concrete(value, model) for name, value in self.inputs.values.items()}
        noise = {}
        for where, drawn in trial.first.drawn.items():
            noise[where] = self.world.rational(model, drawn.unknown) if drawn.unknown else Fraction(drawn.value)
        problem, _ = self._plain_run(inputs, noise)
        if problem is None:
            self.examined.why = self.examined.why or f"the solver's input on which {words} does not replay"
            return
        self.examined.found = Found(problem, self._told(inputs, noise))
        self.public = {u: _tidy(self.world.rational(model, u)) for u in about if not u.noise and not u.private}

    def _told(self, inputs: Mapping[str, Any], noise: Mapping[Coordinate, Any]) -> dict[str, Any]:
        told = {name: value for name, value in inputs.items() if value is not None}
        indices = {where: "".join(f"[{i}]" for i in where[-1]) for where in noise}
        told["H"] = {f"{where[-2]}{indices[where]}": plain(value) for where, value in noise.items()}
        return told

    def _plain_run(self, inputs: Mapping[str, Any], noise: Mapping[Coordinate, Fraction]) -> tuple[str | None, Trial]:
        """What fails when Python runs the alignment on plain numbers, None where nothing does; and the run."""
        functions = Functions(None)
        holder: list[Trial] = []
        names = Names(functions, lambda *call: holder[0].call(*call))
        trial = self.kind(self.alignment, names, functions, None, noise, lemmas=self.lemmas)
        holder.append(trial)
        try:
            trial.run(inputs)
        except Fails as problem:
            return str(problem), trial
        except (UndefinedError, DeadError, NotExaminedError, ArithmeticError):
            return None, trial
        finally:
            names.close()
        return None, trial

    def _concrete(self, value: Any, model: Any) -> Any:
        if isinstance(value, list):
            return [self._concrete(part, model) for part in value]
        if not isinstance(value, Number):
            return value
        values = {u: _tidy(self.world.rational(model, u)) for u in value.unknowns}
        return substituted(value, values)

    # One-to-one

    def _online(self, trial: Trial) -> None:
        """For queries that are chosen one by one: a shift reads nothing that comes after its own step."""
        world = self.world
        if not has_real_parts(trial.output):
            return
        decided = {u for a, b in trial.decided_by_alignment for read in world.reads[a:b] for u in read}
        if any(u.noise or u.step > 0 for u in decided):
            raise NotExaminedError("an alignment for adaptive queries that decides by noise or by later answers")
        for where, drawn in trial.first.drawn.items():
            shift = trial.moved[where] - drawn.value
            step = drawn.unknown.step if drawn.unknown else 0
            if any(u.step > step for u in unknowns_of(shift)):
                raise NotExaminedError("a shift for adaptive queries that reads what comes later")

    def _volume(self, trial: Trial, moves: Sequence[tuple[Coordinate, Any, Any, Unknown | None]]) -> None:
        """The shifts on a path are affine and keep volumes; where not, the volume is part of the cost."""
        shifts = {u: moved - value for _, value, moved, u in moves if u is not None}
        left = dict(shifts)
        while True:
            free = [u for u, shift in left.items() if not unknowns_of(shift) & left.keys()]
            if not free:
                break
            for unknown in free:
                del left[unknown]
        if not left:
            return
        if not all(u.continuous for u in left):
            raise NotExaminedError("discrete noise that is moved in a circle")
        order = sorted(left, key=lambda u: u.order)
        matrix = [[(1 if u is v else 0) + _factor(left[u], v, order) for v in order] for u in order]
        determinant = _determinant(matrix)
        if same(determinant, 1) or same(determinant, -1):
            return
        sign = 1 if isinstance(determinant, Number) or determinant > 0 else -1
        if not isinstance(determinant, Number) and determinant == 0:
            self._apart(self.ended[-1], self.ended[-1])
            raise NotExaminedError("a map of the noise that is not one-to-one")
        if isinstance(determinant, Number) and self.world.ask([[(Comparison(determinant, ">"), False)]]) != "no":
            raise NotExaminedError("a change of volume whose sign is not known")
        values = {name: self.inputs.values[name] for name in self.alignment.mechanism.parameters}
        slack = trial._claim(values) - trial.cost + self.functions.log(determinant * sign)
        if isinstance(slack, Number):
            if self.world.ask([[(Comparison(slack, ">="), False)]]) != "no":
                raise NotExaminedError("a change of volume whose cost is not shown")
        elif slack < 0:
            raise NotExaminedError("a change of volume that costs more than the claim")

    def _one_to_one(self) -> None:
        """No two noise vectors with one output are moved to the same one."""
        groups: dict[Any, list[Ended]] = {}
        for ended in self.ended:
            # D' makes the draws that D makes, and on one noise vector always the same ones.
            drawn = tuple(sorted(str(where) for where, *_ in ended.moves))
            groups.setdefault((drawn, discrete_part(ended.output)), []).append(ended)
        for group in groups.values():
            maps: dict[Any, list[Ended]] = {}
            for ended in group:
                key = tuple(sorted((str(where), _key(moved - value) if u else (value, moved))
                                   for where, value, moved, u in ended.moves))  # fmt: skip
                maps.setdefault(key, []).append(ended)
            for one, other in itertools.combinations(maps.values(), 2):
                for a, b in itertools.product(one, other):
                    self._apart(a, b)
            for parts in maps.values():
                # A triangular map is one-to-one everywhere; any other one is, where its determinant is not 0.
                if len(parts) > 1 and parts[0].by_alignment and self._is_circular(parts[0]):
                    raise NotExaminedError("pieces of one map that is no shift")

    def _is_circular(self, ended: Ended) -> bool:
        left = {u: moved - value for _, value, moved, u in ended.moves if u is not None}
        while free := [u for u, shift in left.items() if not unknowns_of(shift) & left.keys()]:
            for unknown in free:
                del left[unknown]
        return bool(left)

    def _apart(self, one: Ended, other: Ended) -> None:
        """Two pieces with outputs of one shape have no image in common; one piece with itself, no image twice."""
        world = self.world
        outputs = list(zip(numbers_in(one.output), numbers_in(other.output), strict=True))
        if any(not isinstance(a, Number) and not isinstance(b, Number) and a != b for a, b in outputs):
            return
        places = {str(where): (value, moved, u) for where, value, moved, u in other.moves}
        copies: dict[Unknown, Any] = {}
        kept: set[Unknown] = set()
        pairs = [(value, moved, u, *places[str(where)]) for where, value, moved, u in one.moves]
        # Noise that both pieces move alike, by noise that they move alike, is the same in both.
        while True:
            more = {
                u for value, moved, u, value_, moved_, u_ in pairs
                if u is not None and u is u_ and u not in kept and same(moved - value, moved_ - value_)
                and {v for v in unknowns_of(moved - value) if v.noise} <= kept
            }  # fmt: skip
            if not more:
                break
            kept |= more
        for *_, u in other.moves:
            if u is not None and u not in kept:
                facts = functools.partial(self._facts_of_copy, u)
                copies[u] = world.unknown(("copy", u.name), facts, whole=u.whole)
        copied = [[self._copied(literal, copies) for literal in clause] for clause in other.path]
        paths: list[Clause] = [*one.path, *copied]
        clauses: list[Clause] = []
        for _, moved, _, _, moved_, _ in pairs:
            difference = moved - substituted(moved_, copies)
            if isinstance(difference, Number):
                clauses.append([(Comparison(difference, "=="), True)])
            elif difference != 0:
                return
        for a, b in outputs:
            difference = a - substituted(b, copies)
            if isinstance(difference, Number):
                clauses.append([(Comparison(difference, "=="), True)])
            elif difference != 0:
                return
        if one is other:
            clauses.append([(Comparison(_value(u) - copy, "=="), False) for u, copy in copies.items()])
        paths = [c for c in (self._settled(clause) for clause in paths) if c is not None]
        if any(not clause for clause in [*paths, *clauses]):
            return
        if world.ask([*paths, *clauses], path=False) != "no":
            self._collide(one, other, copies, [*map(_within, paths), *clauses])
            if self.examined.found is None:
                raise NotExaminedError("two pieces of the alignment whose images are not shown to be apart")

    def _collide(self, one: Ended, other: Ended, copies: Mapping[Unknown, Any], clauses: list[Clause]) -> None:
        """Take two noise vectors that Python moves to one, with one output, for a contradiction.

        Where noise has a density both lie inside their pieces, and not on an edge: so many others meet as they do.
        """
        world = self.world
        clauses = [*clauses, *self.within]
        if not all(clauses):
            return
        seconds = {u: next(iter(unknowns_of(copy))) for u, copy in copies.items()}
        draws = [(ended.trial.first.drawn, names) for ended, names in ((one, {}), (other, seconds))]
        about = unknowns_of(list(self.inputs.values.values()))
        about |= {names.get(d.unknown, d.unknown) for drawn, names in draws for d in drawn.values() if d.unknown}
        positive = [
            u for drawn, _ in draws for d in drawn.values() if (u := d.unknown) and u.continuous and not u.unbounded
        ]
        clauses = [
            *clauses,
            *([(Comparison(n, ">"), True)] for u in positive for n in (_value(u), copies.get(u, _value(u)))),
        ]
        model = world.ask(clauses, path=False, about=about)
        if isinstance(model, str):
            return
        inputs = {name: self._concrete(value, model) for name, value in self.inputs.values.items()}
        vectors = [
            {w: world.rational(model, names.get(d.unknown, d.unknown)) if d.unknown else d.value
             for w, d in drawn.items()} for drawn, names in draws
        ]  # fmt: skip
        (problem, first), (problem_, second) = (self._plain_run(inputs, noise) for noise in vectors)
        if problem or problem_ or not (first.ended and second.ended) or vectors[0] == vectors[1]:
            return
        if first.moved == second.moved and first.output == second.output:
            told = self._told(inputs, vectors[0]) | {"other H": self._told(inputs, vectors[1])["H"]}
            self.examined.found = Found("two noise vectors with one output are moved to one", told)

    @staticmethod
    def _copied(literal: tuple[Comparison, bool], copies: Mapping[Unknown, Any]) -> tuple[Comparison, bool]:
        comparison, truth = literal
        return Comparison(substituted(comparison.number, copies), comparison.relation), truth

    @staticmethod
    def _settled(clause: Clause) -> Clause | None:
        """A clause without literals that plain numbers settle; None where one of them holds."""
        left = []
        for comparison, truth in clause:
            number: Any = comparison.number
            if isinstance(number, Number):
                left.append((comparison, truth))
                continue
            holds = {">": number > 0, ">=": number >= 0, "==": number == 0}[comparison.relation]
            if holds is truth:
                return None
        return left

    def _facts_of_copy(self, unknown: Unknown, number: Any) -> list[Clause]:
        return [[self._copied(fact, {unknown: number}) for fact in clause] for clause in self.world.facts[unknown]]


def _tidy(value: Fraction) -> Any:
    return plain(int(value) if value.denominator == 1 else value)


def _value(unknown: Unknown) -> Any:
    return Number({((unknown, 1),): 1})


def _within(clause: Clause) -> Clause:
    """A literal of a path without its edge, where it reads noise with a density; nothing where it is an edge."""
    ((comparison, truth),) = clause
    if not any(unknown.continuous for unknown in comparison.number.unknowns):
        return clause
    match comparison.relation, truth:
        case ">=", True:
            return [(Comparison(comparison.number, ">"), True)]
        case ">", False:
            return [(Comparison(comparison.number, ">="), False)]
        case "==", True:
            return []
    return clause


def _key(value: Any) -> Any:
    return ("number", str(sorted(map(str, value.key)))) if isinstance(value, Number) else ("plain", str(value))


def _factor(shift: Any, unknown: Unknown, circle: Sequence[Unknown]) -> Any:
    """The factor of an unknown in a shift, which must be affine in the noise of the circle."""
    if not isinstance(shift, Number):
        return 0
    total: Any = 0
    for product, factor in shift.terms.items():
        inside = [(u, e) for u, e in product if u in circle]
        if any(Number({((u, 1),): 1}).unknowns - {u} & set(circle) for u, _ in product):
            raise NotExaminedError("a shift that is not affine in the noise")
        if len(inside) > 1 or any(e != 1 for _, e in inside):
            raise NotExaminedError("a shift that is not affine in the noise")
        if inside and inside[0][0] is unknown:
            total = total + made({tuple(part for part in product if part[0] is not unknown): factor})
    return total


def _determinant(matrix: list[list[Any]]) -> Any:
    if not matrix:
        return 1
    total: Any = 0
    for i, row in enumerate(matrix):
        minor = [other[1:] for j, other in enumerate(matrix) if j != i]
        total = total + (-1 if i % 2 else 1) * row[0] * _determinant(minor)
    return total


def all_lemmas(alignment: Any) -> dict[int, Any]:
    """The lemmas of an alignment and of its lemmas, by the mechanism that they are about."""
    found: dict[int, Any] = {}
    waiting = list(alignment.lemmas)
    while waiting:
        lemma = waiting.pop()
        if found.setdefault(id(lemma.mechanism), lemma) is not lemma:
            raise NotExaminedError(f"two lemmas about {lemma.mechanism.name}")
        waiting += lemma.lemmas
    return found


def examine(alignment: Any, n: int, k: int, effort: int, solver: str = "z3") -> tuple[int, str, Found | None, int]:
    """Examine the sizes 1 to ``n``: up to which all holds, why no further, a contradiction, and the questions."""
    confirmed, why, questions, runs = 0, "", 0, 0
    interface = Interface(solver)
    try:
        lemmas = all_lemmas(alignment)
        ways: list[tuple[bool, type[Trial]]] = [(False, Trial), *([(True, Trial)] if alignment.adaptive else [])]
        if alignment.delta is not None:
            ways = [(False, Charging), (False, Trial)]
            if alignment.adaptive or alignment.base is not None:
                raise NotExaminedError("a claim with delta for adaptive queries, or in base 2")
        if any(lemma.delta is not None for lemma in lemmas.values()):
            raise NotExaminedError("a lemma with delta")
        for size in range(1, n + 1):
            for setting in settings(alignment.mechanism, str(alignment.adjacency), size, k):
                for adaptive, kind in ways:
                    effort_left = effort - questions
                    examination = Examination(alignment, lemmas, setting, effort_left, adaptive, interface, kind)
                    try:
                        examined = examination.run()
                    finally:
                        questions += examination.world.questions
                        examination.close()
                    if examined.found is not None:
                        return confirmed, "", examined.found, questions
                    if not adaptive and kind is Trial:
                        runs += examined.runs
                    why = why or examined.why
                    if kind is Charging and not examination.outside:
                        continue
                    if kind is Charging:
                        # Good runs alone do not show for which public values D is defined.
                        why = why or "a claim with delta of what is defined for some public values only"
                    if why:
                        break
            if why:
                break
            confirmed = size
    except NotExaminedError as problem:
        why = str(problem)
    except OutOfWorkError:
        why = "the work that it may take was used up"
    if not runs:
        return 0, why or "no run of these sizes is defined", None, questions
    return confirmed, why, None, questions
