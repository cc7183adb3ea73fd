"""From factors for the scales to a mechanism with its alignment, whose claim is checked."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from alignkit.checking.five_hops import check
from alignkit.finding.proposing import read
from alignkit.finding.scales.mending import DrawScale, defined, free_name, imports_for, mended_source
from alignkit.finding.scales.noise_factors import Factors, variances
from alignkit.finding.scales.noise_findings import MeasuredAt, MendedMechanism, NewScale
from alignkit.finding.scales.products import Product
from alignkit.finding.source_text import AlignmentText
from alignkit.language.parameters import Proportion
from alignkit.limits import Deadline
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
        result=check(alignment, timeout=deadline.left_to_use(), effort=0),
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
