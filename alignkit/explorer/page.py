"""The page to explore an alignment: one file of HTML with the scripts, the program and the written proof in it."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from alignkit.errors import InputError
from alignkit.explaining.explanation import Explanation, explain
from alignkit.explaining.tracing import replay_of
from alignkit.explaining.writers import html_blocks
from alignkit.explorer.breaking import BrokenVariant, broken_variants
from alignkit.explorer.example_runs import first_example
from alignkit.explorer.exported_program import exported_alignment, exported_value
from alignkit.reporting.sentences import adjacency_shown, claim_shown
from alignkit.results import Counterexample, Result, Verdict, Witness
from alignkit.running.aligned_replay import show
from alignkit.running.alignment_decorator import Alignment

# The scripts that compute, in the order in which they are loaded, and those that show what they give.
ENGINE = ("numbers.js", "interpreter.js", "replay.js", "scope.js")
_SHOWING = ("rows.js", "inputs.js", "noise.js", "pictures.js", "tables.js", "explorer.js")

LARGEST = 400_000
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
    counterexample of a small change that was refuted. What would make the page larger than ``largest`` bytes is left
    out. Raises InputError where no pair of runs can be shown.

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
    """The page on an alignment that was checked and explained (see `explorer_page`)."""
    found = broken_variants(alignment, seed) if variants and explanation.result.proved else ()
    versions = [_original(alignment, explanation.result, seed), *map(_variant, found)]
    proof = html_blocks(explanation.document, below=1)
    left_out: list[str] = []
    while True:
        text = _page(alignment, explanation, versions, proof, left_out)
        if len(text.encode()) <= largest:
            return ExplorerPage(text, explanation.result, tuple(left_out))
        if len(versions) > 1:
            left_out.append(f"the variant “{versions.pop()['label']}”")
        elif proof:
            proof = ""
            left_out.append("the written proof, which `alignkit explain` writes without --html")
        else:
            raise InputError(f"the page of {alignment.mechanism.name} would be larger than {largest} bytes")


def _original(alignment: Alignment, result: Result, seed: int) -> dict[str, Any]:
    """The alignment as it is, with the counterexample or with a small example."""
    words = "The alignment as it is."
    found, collision = result.counterexample, ""
    if found is not None:
        witness: Witness | None = found.witness
        words = f"The counterexample. {_sentence(found.condition, found.words)}"
        if found.H_other is not None:
            collision = _collision(found)
            words += f" {collision} The page shows the first of the two noise vectors."
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
        "above": _VERDICTS[result.verdict],
    }
    return _version("As it is", words, alignment, witness, None) | judged


def _collision(found: Counterexample) -> str:
    """Which two noise vectors are moved to one place."""
    one, other, moved = (_noise_shown(noise) for noise in (found.witness.H, found.H_other, found.witness.H_))
    return f"Two noise vectors are moved to one place: {one} and {other} both go to {moved}, with the same output."


def _noise_shown(noise: Mapping[str, Any] | None) -> str:
    return ", ".join(f"{name} = {show(value)}" for name, value in (noise or {}).items())


def _variant(variant: BrokenVariant) -> dict[str, Any]:
    place = "mechanism" if variant.in_mechanism else "alignment"
    words = f"{variant.words}: alignkit refutes this. {_sentence(variant.condition, variant.why)}"
    words += f" The changed line of the {place} is marked below, and the inputs are those of the counterexample."
    changed = {"mechanism": variant.in_mechanism, "line": variant.line}
    judged = {
        "verdict": str(Verdict.REFUTED),
        "condition": variant.condition.replace(" ", "_"),
        "collision": "",
        "why": variant.why,
        "above": _ABOVE_VARIANT,
    }
    return _version(variant.words, words, variant.alignment, variant.witness, changed) | judged


def _sentence(condition: str, words: str) -> str:
    return f"The condition “{condition.replace('_', ' ')}” fails: {words}.".replace("`", "")


def _version(
    label: str, words: str, alignment: Alignment, witness: Witness, changed: dict[str, Any] | None
) -> dict[str, Any]:
    drawn = replay_of(alignment, witness).trial.run.drawn
    start = {
        "values": {name: exported_value(value) for name, value in witness.values.items()},
        "values_": {name: exported_value(value) for name, value in witness.values_.items()},
        "noise": {str(draw.where): exported_value(draw.value) for draw in drawn},
    }
    exported = exported_alignment(alignment)
    return {"label": label, "words": words, "exported": exported, "start": start, "changed": changed}


def _page(
    alignment: Alignment, explanation: Explanation, versions: list[dict[str, Any]], proof: str, left_out: list[str]
) -> str:
    result = explanation.result
    claim = claim_shown(result.claim, result.ex_post, result.base)
    data = json.dumps({"variants": versions}, separators=(",", ":"), ensure_ascii=False)
    missing = f" Left out, since the page would be too large: {', '.join(left_out)}." if left_out else ""
    footer = (
        f"Claim: {claim}; {adjacency_shown(result.adjacency)}. The page runs the program that was checked, on exact "
        f"numbers.{missing} Made by alignkit; it needs no network."
    )
    parts = {
        "title": html.escape(f"{alignment.mechanism.name} / {alignment.name}"),
        "verdict": html.escape(_VERDICTS[result.verdict]),
        "style": asset("explorer.css"),
        "proof": proof,
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
