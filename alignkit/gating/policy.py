"""A policy: what a project accepts of proofs, as ``[tool.alignkit.policy]`` states it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from alignkit.confirming.opinion import Opinion, Standing
from alignkit.errors import InputError
from alignkit.gating.project_tables import SettingRule, are_strings, check_settings, is_plain_number
from alignkit.language.hints import did_you_mean
from alignkit.noise.noise_source import DRAWS
from alignkit.reporting.problems_for_ci import leaks_unexpectedly
from alignkit.results import Result, Verdict
from alignkit.running.adjacency import Adjacency, is_adjacency

ALL = "all"

# What `confirmed` states where a second program must confirm a proof for every n, and the most that it may state else.
EVERY_N = "every n"
_LARGEST_N = 3

# Stands in `claims` for every mechanism that has no entry of its own.
ANY_MECHANISM = "*"


@dataclass(frozen=True)
class Policy:
    """What is accepted of a proof. A setting that is not stated accepts everything, except for ``delta``.

    ``scope`` names parameters, and ``n``, that a proof must cover for all values; "all" stands for every one.
    ``adjacency`` lists the adjacencies of which a proof must cover one. ``claims`` maps names of mechanisms to the
    largest claim, and ``*`` stands for those that it does not name. ``delta`` does the same for the largest delta; a
    claim with delta of a mechanism without an entry is not accepted, whatever its epsilon is. ``ex_post`` says whether
    claims that depend on the output are accepted, ``undecided_blocks`` whether an undecided alignment is a breach
    (False: it has no effect on the exit code; None: exit code 3 as without a policy). ``noise`` lists the distributions
    that may be drawn.
    ``confirmed`` is the n up to which a second program must confirm each proof, or "every n". With ``implementations``
    every function that is claimed to implement a mechanism must do so, and an alignment of the mechanism be proved.
    """

    scope: tuple[str, ...] = ()
    adjacency: tuple[str, ...] = ()
    claims: Mapping[str, str] = field(default_factory=dict)
    delta: Mapping[str, str] = field(default_factory=dict)
    ex_post: bool = True
    undecided_blocks: bool | None = None
    noise: tuple[str, ...] = ()
    confirmed: int | str | None = None
    implementations: bool = False

    def largest_claim(self, mechanism: str) -> str | None:
        """Return the largest claim that is accepted of a mechanism, None where any is."""
        return self.claims.get(mechanism, self.claims.get(ANY_MECHANISM))

    def largest_delta(self, mechanism: str) -> str | None:
        """Return the largest delta that is accepted of a mechanism, None where no claim with delta is."""
        return self.delta.get(mechanism, self.delta.get(ANY_MECHANISM))

    def is_confirmed(self, opinion: Opinion | None) -> bool:
        """Tell whether the second opinion on a proof is what the policy requires."""
        if self.confirmed is None or (opinion is not None and opinion.standing is Standing.EVERY_N):
            return True
        if opinion is None or opinion.standing is not Standing.BOUNDED or opinion.n is None:
            return False
        return isinstance(self.confirmed, int) and opinion.n >= self.confirmed

    def tolerates(self, result: Result) -> bool:
        """Tell whether an unexpected result has no effect: it is undecided, not known to leak, and does not block."""
        undecided = result.verdict is Verdict.UNDECIDED and not leaks_unexpectedly(result)
        return undecided and not result.as_expected and self.undecided_blocks is False

    def unused_names(self, results: Sequence[Result]) -> tuple[str, ...]:
        """List the mechanisms and parameters that the policy names and no result is about."""
        mechanisms = {result.mechanism for result in results} | {ANY_MECHANISM}
        parameters = {name for result in results for name in result.scope} | {ALL}
        named = dict.fromkeys([*self.claims, *self.delta])
        return (*(x for x in named if x not in mechanisms), *(x for x in self.scope if x not in parameters))


def read_policy(table: object, where: str) -> Policy:
    """Make a policy of a table; ``where`` names its place. Raises InputError where it is not understood."""
    if not isinstance(table, dict):
        raise InputError(f"{where} must be a table")
    check_settings(table, _rules(), where)
    lists = ("scope", "adjacency", "noise")
    settings: dict[str, Any] = {key: _listed(value) if key in lists else value for key, value in table.items()}
    for key, known in (("adjacency", tuple(map(str, Adjacency))), ("noise", tuple(DRAWS))):
        for name in settings.get(key, ()):
            if name not in known and not (key == "adjacency" and is_adjacency(name)):
                choices = f"{did_you_mean(name, known)}choose among {', '.join(known)}"
                raise InputError(f"{where}: {key} names {name!r}, which is not known; {choices}")
    if isinstance(settings.get("delta", {}), str | int | float):
        settings["delta"] = {ANY_MECHANISM: settings["delta"]}
    for key in ("claims", "delta"):
        if key in settings:
            settings[key] = {name: str(claim) for name, claim in settings[key].items()}
    return Policy(**settings)


def _rules() -> dict[str, SettingRule]:
    def switch(value: object) -> bool:
        return isinstance(value, bool)

    return {
        "scope": SettingRule('"all", or a list of parameters such as ["n", "k"]', _are_names),
        "adjacency": SettingRule('a list such as ["each"]', _are_names),
        "claims": SettingRule('a table such as { noisy_max = "eps", "*" = "2 * eps" }', _are_claims),
        "delta": SettingRule(
            "a number such as 1e-6, an expression, or a table of them by mechanisms",
            lambda value: _is_claim(value) or _are_claims(value),
        ),
        "ex_post": SettingRule("true or false", switch),
        "undecided_blocks": SettingRule("true or false", switch),
        "noise": SettingRule('a list such as ["discrete_laplace"]', _are_names),
        "confirmed": SettingRule(f'"{EVERY_N}", or a whole number from 1 to {_LARGEST_N}', _is_size),
        "implementations": SettingRule("true or false", switch),
    }


def _are_names(value: object) -> bool:
    return bool(value) and (isinstance(value, str) or are_strings(value))


def _is_size(value: object) -> bool:
    return value == EVERY_N or (is_plain_number(value) and isinstance(value, int) and 1 <= value <= _LARGEST_N)


def _are_claims(value: object) -> bool:
    return isinstance(value, dict) and all(_is_claim(claim) for claim in value.values())


def _is_claim(value: object) -> bool:
    if isinstance(value, str):
        return bool(value.strip())
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _listed(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
