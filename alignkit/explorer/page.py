"""The page to explore an alignment: one file of HTML with the scripts, the program and the written proof in it.

An alignment and its mechanism as JSON: the typed programs, the distributions of the noise, and what is public.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from typing import Any

from alignkit.attacking.brackets import attacked
from alignkit.errors import InputError
from alignkit.explaining.explanation import Explanation, certified_leak, explain, explanation_of
from alignkit.explaining.tracing import replay_of
from alignkit.explaining.writers import html_blocks
from alignkit.explorer.breaking import SECONDS, Breaking, BrokenVariant, broken_variants
from alignkit.explorer.example_runs import first_example
from alignkit.language.parameters import ParameterType
from alignkit.language.program import Constant, Function, MechanismCall, Node, walk
from alignkit.language.tags import Tag
from alignkit.noise import Bits, Distribution
from alignkit.noise.distribution import Support
from alignkit.noise.distribution_parameters import LATTICE
from alignkit.reporting.sentences import adjacency_shown, claim_shown
from alignkit.results import Counterexample, Result, Verdict, Witness
from alignkit.running.aligned_replay import show
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.mechanism_program import MechanismProgram

# What a page needs to know of a node beside its fields is its line.
_LEFT_OUT = frozenset({"place", "mechanism", "source", "decimal", "augmented"})


def exported_alignment(alignment: AlignmentProgram) -> dict[str, Any]:
    """The alignment, its mechanism and everything that they call, as values that `json.dumps` takes.

    A node of a program is a dict with its type (``t``), its line (``l``) and its fields; numbers are text such as
    ``"3/2"``, so that none is rounded; functions that are called are numbered.

    >>> from alignkit.proofs.laplace import phi
    >>> exported_alignment(phi)["alignment"]["claim"]
    {'t': 'Name', 'l': 1, 'name': 'eps'}
    """
    exporter = _Exporter()
    mechanism = exporter.mechanism(alignment.mechanism)
    exported = exporter.alignment(alignment)
    return {
        "mechanism": mechanism,
        "alignment": exported,
        "functions": exporter.functions,
        "distributions": {name: _distribution(each) for name, each in exporter.distributions.items()},
    }


def exported_value(value: Any) -> Any:
    """A value of a run or of a parameter: numbers as text, a tag by its name, sequences as lists."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Tag):
        return {"tag": value.name}
    if isinstance(value, Bits):
        return {"bits": [[str(base), str(factor)] for base, factor in value.parts]}
    if isinstance(value, float):
        return str(Fraction(value))
    if isinstance(value, int | Fraction):
        return str(value)
    return [exported_value(part) for part in value]


class _Exporter:
    """Collects the functions and the distributions that programs use."""

    def __init__(self) -> None:
        self.functions: list[Any] = []
        self.distributions: dict[str, Distribution] = {}
        self.numbers: dict[int, int] = {}
        self.callees: list[Any] = []

    def mechanism(self, mechanism: MechanismProgram) -> dict[str, Any]:
        program = mechanism.program
        for name, kind in mechanism.private.items():
            if kind.local is not None:
                raise InputError(f"a page does not cover the sensitivity of {name}, {kind.local}, which is conditional")
        first, last = program.place.line, _last_line(program)
        return {
            "name": mechanism.name,
            "order": list(program.parameters),
            "noise": mechanism.noise_name,
            "private": list(mechanism.private),
            "parameters": {name: _parameter(kind) for name, kind in mechanism.parameters.items()},
            "sensitivity": {name: str(kind.sensitivity) for name, kind in mechanism.private.items()},
            "lattices": {name: str(lattice) for name, lattice in mechanism.domain.lattices.items()},
            "draws": [{"key": d.key, "path": list(d.path), "site": d.site} for d in mechanism.draws],
            "yields": program.is_generator,
            "body": [self.node(statement) for statement in program.body],
            "line": first,
            "lines": [program.place.source.text(line) for line in range(first, last + 1)],
        }

    def alignment(self, alignment: AlignmentProgram) -> dict[str, Any]:
        program = alignment.program
        first, last = program.place.line, _last_line(program)
        return {
            "name": alignment.name,
            "parameters": list(program.parameters),
            "body": [self.node(statement) for statement in program.body],
            "claim": self.node(alignment.claim_expression),
            "claimed": alignment.claim,
            "base": alignment.base,
            "exPost": alignment.ex_post,
            "adjacency": str(alignment.adjacency),
            "line": first,
            "lines": [program.place.source.text(line) for line in range(first, last + 1)],
            "lemmas": [
                {
                    "callee": self.callee(lemma.mechanism),
                    "mechanism": self.mechanism(lemma.mechanism),
                    "alignment": self.alignment(lemma),
                }
                for lemma in alignment.lemmas
            ],
        }

    def function(self, function: Function) -> int:
        """The number of a function that is called."""
        if id(function) not in self.numbers:
            number = self.numbers[id(function)] = len(self.functions)
            self.functions.append(None)
            body = [self.node(statement) for statement in function.body]
            parameters = list(function.parameters)
            self.functions[number] = {"parameters": parameters, "body": body, "yields": function.is_generator}
        return self.numbers[id(function)]

    def callee(self, mechanism: Any) -> int:
        """The number of a mechanism that is called, or for whose calls there is a lemma."""
        if not any(known is mechanism for known in self.callees):
            self.callees.append(mechanism)
        return next(number for number, known in enumerate(self.callees) if known is mechanism)

    def node(self, node: Node) -> dict[str, Any]:
        exported: dict[str, Any] = {"t": type(node).__name__, "l": node.place.line}
        for name in node.field_names:
            if name not in _LEFT_OUT:
                value = getattr(node, name)
                exported[name] = exported_value(value) if isinstance(node, Constant) else self._field(value)
        if isinstance(node, MechanismCall):
            exported["callee"] = self.callee(node.mechanism)
        return exported

    def _field(self, value: Any) -> Any:
        if isinstance(value, Node):
            return self.node(value)
        if isinstance(value, Function):
            return self.function(value)
        if isinstance(value, Distribution):
            self.distributions[value.name] = value
            return value.name
        if isinstance(value, tuple):
            return [self._field(part) for part in value]
        return value


def _last_line(program: Function) -> int:
    lines: list[int] = [node.place.end_line for node in walk(*program.body)]
    return max(lines)


def _parameter(kind: ParameterType) -> dict[str, Any]:
    return {
        "private": kind.private,
        "vector": kind.vector,
        "integer": kind.integer,
        "positive": kind.positive,
        "proportion": type(kind).__name__ == "Proportion",
        "describes": kind.describes,
    }


# Distributions: their cost as an expression, written by the cost function itself


class _Written:
    """A number that writes down what is computed with it; ``asked`` are the comparisons with 0 that were made."""

    def __init__(self, node: dict[str, Any], way: bool, asked: list[dict[str, Any]]) -> None:
        self.node, self.way, self.asked = node, way, asked

    def _with(self, operator: str, one: Any, other: Any) -> _Written:
        node = {"t": "Arithmetic", "l": 0, "operator": operator, "left": _node_of(one), "right": _node_of(other)}
        return _Written(node, self.way, self.asked)

    def __add__(self, other: Any) -> _Written:
        return self._with("+", self, other)

    def __sub__(self, other: Any) -> _Written:
        return self._with("-", self, other)

    def __mul__(self, other: Any) -> _Written:
        return self._with("*", self, other)

    def __truediv__(self, other: Any) -> _Written:
        return self._with("/", self, other)

    def __neg__(self) -> _Written:
        return _Written({"t": "Negate", "l": 0, "operand": self.node}, self.way, self.asked)

    def __abs__(self) -> _Written:
        node = {"t": "Builtin", "l": 0, "function": "abs", "arguments": [self.node]}
        return _Written(node, self.way, self.asked)

    def __ceil__(self) -> _Written:
        node = {"t": "Builtin", "l": 0, "function": "ceil", "arguments": [self.node]}
        return _Written(node, self.way, self.asked)

    def __gt__(self, other: Any) -> bool:
        self.asked.append({"t": "Compare", "l": 0, "operator": ">", "left": self.node, "right": _node_of(other)})
        return self.way


def _node_of(value: Any) -> dict[str, Any]:
    return value.node if isinstance(value, _Written) else {"t": "Constant", "l": 0, "value": str(Fraction(value))}


def _expression(function: Callable[..., Any], names: list[str]) -> dict[str, Any]:
    """What a function of numbers computes, as a node; it may compare once."""
    ways = []
    asked: list[dict[str, Any]] = []
    for way in (True, False):
        arguments = [_Written({"t": "Name", "l": 0, "name": name}, way, asked) for name in names]
        ways.append(_node_of(function(*arguments)))
        if not asked:
            return ways[0]
    assert len(asked) == 2, "a cost compares at most once"
    return {"t": "Choice", "l": 0, "test": asked[0], "then": ways[0], "other": ways[1]}


def _distribution(distribution: Distribution) -> dict[str, Any]:
    """A distribution: its support, and what a shift costs as a node over ``x``, ``shift`` and the parameters."""
    names = [parameter.name for parameter in distribution.parameters]
    indices = distribution.support is Support.INDICES
    continuous = distribution.support.continuous or indices
    return {
        "name": distribution.name,
        "title": distribution.title,
        "base": distribution.base,
        "parameters": names,
        "above": [None if each.above is None else str(each.above) for each in distribution.parameters],
        "below": [None if each.below is None else str(each.below) for each in distribution.parameters],
        "support": {
            "oneSided": distribution.support.one_sided,
            "indices": indices,
            "interval": distribution.support in (Support.INTERVAL, Support.CUT_LATTICE),
            "lattice": None if continuous else distribution.parameters.index(LATTICE),
        },
        "cost": None if indices else _expression(distribution.cost, ["shift", *names]),
        "downward": None if distribution.least is None else _expression(distribution.least, ["x", "shift", *names]),
    }


# The scripts that compute, in the order in which they are loaded, and those that show what they give.
ENGINE = ("numbers.js", "terms.js", "interpreter.js", "replay.js", "scope.js", "densities.js")
_SHOWING = (
    *("rows.js", "inputs.js", "noise.js", "dragging.js", "pictures.js", "compared.js", "in_hand.js", "tables.js"),
    "explorer.js",
)

LARGEST = 200_000
"""The most bytes that a page may have."""

_VERDICTS = {
    Verdict.PROVED: "alignkit has proved this alignment for all inputs of its scope. The written proof stands below.",
    Verdict.REFUTED: "alignkit has refuted this alignment. The page opens on the counterexample.",
    Verdict.UNDECIDED: "alignkit has not decided this alignment. Nothing on this page is a proof.",
}

_ABOVE_VARIANT = (
    "This is a changed variant, and alignkit has refuted it. The written proof below is that of the alignment as it is."
)


@dataclass(frozen=True)
class ExplorerPage:
    """A page as text, the result of the check that it rests on, and in ``left_out`` what did not fit on it."""

    text: str
    result: Result
    left_out: tuple[str, ...]


def explorer_page(
    alignment: Alignment, *, timeout: float = 60.0, seed: int = 0, variants: bool = True, largest: int = LARGEST
) -> ExplorerPage:
    """Check an alignment and make a page on which a reader can move its inputs and its noise.

    For a proved alignment the page has buttons that break it, unless ``variants`` is False: each leads to the
    counterexample of a small change that was refuted, and the page says how many were tried. What would make the page
    larger than ``largest`` bytes is left out. Raises InputError where no pair of runs can be shown.

    >>> from alignkit.proofs.laplace import phi
    >>> page = explorer_page(phi, variants=False)
    >>> page.result.verdict, page.text.count("<script"), page.left_out
    (<Verdict.PROVED: 'proved'>, 2, ())
    """
    explanation = explain(alignment, timeout=timeout, seed=seed)
    return page_of(alignment, explanation, seed=seed, variants=variants, largest=largest)


def page_of(
    alignment: Alignment, explanation: Explanation, *, seed: int = 0, variants: bool = True, largest: int = LARGEST
) -> ExplorerPage:
    """The page on an alignment that was checked and explained (see `explorer_page`).

    Where it was refuted, the mechanism is attacked, and the page says what loss was certified.
    """
    if explanation.result.verdict is Verdict.REFUTED:
        result = attacked(alignment, explanation.result, None, seed, SECONDS)
        explanation = Explanation(result, explanation_of(alignment, result, None))
    breaking = broken_variants(alignment, seed) if variants and explanation.result.proved else Breaking((), 0)
    original = _original(alignment, explanation.result, seed)
    versions = [original, *(_variant(each, original["exported"]) for each in breaking.variants)]
    proof = _FILE_OF_DOCS.sub(_chapter, html_blocks(explanation.document, below=1).replace(", docs/", "; docs/"))
    left_out: list[str] = []
    while True:
        text = _page(alignment, explanation, versions, breaking, proof, left_out)
        if len(text.encode()) <= largest:
            return ExplorerPage(text, explanation.result, tuple(left_out))
        if len(versions) > 1:
            left_out.append(f"the variant “{versions.pop()['label']}”")
        elif proof:
            proof = ""
            left_out.append("the written proof, which `alignkit explain` writes without --html")
        else:
            raise InputError(f"the page of {alignment.mechanism.name} would be larger than {largest} bytes")


# A page stands by itself, so that it names the chapters of the theory and not their files.
_FILE_OF_DOCS = re.compile(r"docs/(?:\w+/)?([\w-]+)\.md(?:#([\w-]+))?")
_CHAPTERS = {"proof-for-all-n": "proof for every n"}


def _chapter(found: re.Match[str]) -> str:
    """The chapter and the section that a path leads to, in words."""
    file, section = found.groups(default="")
    return ", ".join(filter(None, (_CHAPTERS.get(file, file.replace("-", " ")), section.replace("-", " "))))


def _original(alignment: Alignment, result: Result, seed: int) -> dict[str, Any]:
    """The alignment as it is, with the counterexample or with a small example."""
    words = ""
    found, collision = result.counterexample, ""
    if found is not None:
        witness: Witness | None = found.witness
        if found.H_other is not None:
            collision = _collision(found)
            words = f"{collision} The page shows the first of the two noise vectors."
    else:
        attained = None if result.attained_at is None else result.attained_at.witness
        witness = first_example(alignment, seed) or attained
    if witness is None:
        raise InputError(f"no pair of runs of {alignment.mechanism.name} was found with which a page could begin")
    judged = {
        "verdict": str(result.verdict),
        "condition": None if found is None else found.condition,
        "collision": collision,
        "why": "" if found is None else found.words,
        "above": " ".join(filter(None, (_VERDICTS[result.verdict], certified_leak(result)))),
    }
    exported = exported_alignment(alignment)
    return _version("As it is", words, alignment, witness) | {"exported": exported, "changed": None} | judged


def _collision(found: Counterexample) -> str:
    """Which two noise vectors are moved to one place."""
    one, other, moved = (_noise_shown(noise) for noise in (found.witness.H, found.H_other, found.witness.H_))
    return f"Two noise vectors are moved to one place: {one} and {other} both go to {moved}, with the same output."


def _noise_shown(noise: Mapping[str, Any] | None) -> str:
    return ", ".join(f"{name} = {show(value)}" for name, value in (noise or {}).items())


def _variant(variant: BrokenVariant, original: dict[str, Any]) -> dict[str, Any]:
    """What the page needs of a variant: how its program differs from the ``original``, and its counterexample."""
    found = variant.found
    changed = None
    if variant.line is not None:
        words = "The changed line is marked"
        changed = {"mechanism": variant.in_mechanism, "line": variant.line}
    else:
        words = f"{variant.description[:1].upper()}{variant.description[1:]}".replace("`", "")
    judged = {
        "changes": list(program_differences(original, exported_alignment(variant.alignment))),
        "changed": changed,
        "verdict": str(Verdict.REFUTED),
        "condition": found.condition,
        "collision": "",
        "why": found.words,
        "above": _ABOVE_VARIANT,
    }
    return _version(variant.words, words, variant.alignment, found.witness) | judged


ExportedPath = tuple[str | int, ...]


def program_differences(one: Any, other: Any, path: ExportedPath = ()) -> Iterator[tuple[ExportedPath, Any]]:
    """Where values that `json.dumps` takes differ, each place as a path, and what stands there in the other."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for name, value in one.items():
            yield from program_differences(value, other[name], (*path, name))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for i, value in enumerate(one):
            yield from program_differences(value, other[i], (*path, i))
    elif one != other:
        yield path, other


def _version(label: str, words: str, alignment: Alignment, witness: Witness) -> dict[str, Any]:
    drawn = replay_of(alignment, witness).trial.run.drawn
    start = {
        "values": {name: exported_value(value) for name, value in witness.values.items()},
        "values_": {name: exported_value(value) for name, value in witness.values_.items()},
        "noise": {str(draw.where): exported_value(draw.value) for draw in drawn},
    }
    return {"label": label, "words": words, "start": start}


def _tried(breaking: Breaking) -> str:
    if not breaking.variants:
        return f"{breaking.tried} small changes were tried, and little searching found a counterexample to none."
    return (
        "Each makes a change that alignkit refutes, and keeps your inputs where they show it; “As it is” brings them "
        f"back. {breaking.tried} changes were tried."
    )


def _page(
    alignment: Alignment,
    explanation: Explanation,
    versions: list[dict[str, Any]],
    breaking: Breaking,
    proof: str,
    left_out: list[str],
) -> str:
    result = explanation.result
    claim = claim_shown(result.claim, result.ex_post, result.base, result.delta)
    with_delta = f": {claim}" if result.delta is not None else ""
    data = json.dumps({"variants": versions}, separators=(",", ":"), ensure_ascii=False)
    missing = f" Left out, since the page would be too large: {', '.join(left_out)}." if left_out else ""
    footer = (
        f"Claim: {claim}; {adjacency_shown(result.adjacency)}. The page runs the program that was checked, on exact "
        f"numbers.{missing} Made by alignkit; it needs no network."
    )
    parts = {
        "title": html.escape(f"{alignment.mechanism.name} / {alignment.name}{with_delta}"),
        "verdict": html.escape(versions[0]["above"]),
        "style": asset("explorer.css"),
        "proof": proof,
        "tried": html.escape(_tried(breaking)) if breaking.tried else "",
        "footer": html.escape(footer),
        "data": data.replace("<", "\\u003c"),
        "script": "\n".join(map(asset, (*ENGINE, *_SHOWING))).replace('"use strict";\n', ""),
    }
    text = asset("page.html")
    before, *rest = text.split("{{")
    pieces = [before]
    for piece in rest:
        name, _, after = piece.partition("}}")
        pieces += [parts[name], after]
    return "".join(pieces)


def asset(name: str) -> str:
    """The text of one of the page's own files."""
    return files("alignkit.explorer").joinpath("assets", name).read_text(encoding="utf-8")
