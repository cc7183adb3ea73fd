"""What an alignment with its result breaks of a policy.

One alignment judged by a project: what it breaks of the policy, and how it differs from the baseline.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from alignkit.errors import LanguageError
from alignkit.gating.baseline import BaselineEntry
from alignkit.gating.baseline_changes import Change, Direction, changes_from_baseline
from alignkit.gating.policy import ALL, EVERY_N, Policy
from alignkit.language.parameters import Epsilon
from alignkit.results import Result, Verdict
from alignkit.running.adjacency import Adjacency
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.worst_case.claim_order import ClaimOrder, compare_claims


def policy_breaches(policy: Policy, alignment: Alignment, result: Result) -> tuple[str, ...]:
    """List what a result breaks of a policy, each as a clause about the alignment.

    A refutation claims nothing, and so breaks nothing. What is compared by a solver breaks the policy unless it is
    proved to keep it.
    """
    if result.verdict is Verdict.UNDECIDED and policy.undecided_blocks:
        return ("it is undecided, and the policy has undecided_blocks = true",)
    return tuple(_of_proof(policy, alignment, result)) if result.verdict is Verdict.PROVED else ()


def _of_proof(policy: Policy, alignment: Alignment, result: Result) -> Iterator[str]:
    for name, covered in result.scope.items():
        if covered != "all" and (ALL in policy.scope or name in policy.scope):
            yield f"it is proved for {name} {covered}, and the policy requires every {name}"
    covering = Adjacency.read(result.adjacency)
    if policy.adjacency and not any(covering in Adjacency.read(name).covered_by for name in policy.adjacency):
        yield f"the adjacency {covering} covers none of those that the policy accepts: {', '.join(policy.adjacency)}"
    if result.ex_post and not policy.ex_post:
        yield f"the claim {result.claim} depends on the output, and the policy has ex_post = false"
    if result.delta is not None:
        yield from _delta_too_large(alignment, result.delta, policy.largest_delta(result.mechanism))
    most = policy.largest_claim(result.mechanism)
    if most is not None:
        yield from _too_large(alignment, result, most)
    if not policy.is_confirmed(result.opinion):
        sizes = policy.confirmed if policy.confirmed == EVERY_N else f"n <= {policy.confirmed}"
        said = "was not asked" if result.opinion is None else f"says: {result.opinion}"
        yield f"the policy requires that a second program confirms the proof for {sizes}, and it {said}"
    drawn = dict.fromkeys(draw.distribution.name for draw in alignment.mechanism.draws)
    for name in drawn:
        if policy.noise and name not in policy.noise:
            yield f"the mechanism draws {name} noise, and the policy accepts {', '.join(policy.noise)}"


def _too_large(alignment: Alignment, result: Result, most: str) -> Iterator[str]:
    """Say that the claim is not proved to be at most ``most``, unless it is, or its worst case over all outputs is."""
    stated = [result.claim]
    if result.ex_post and result.cost is not None:
        stated.append(result.cost)
    try:
        orders = [compare_claims(alignment.mechanism, alignment.adjacency, claim, most) for claim in stated]
    except LanguageError as problem:
        cannot = f"the policy's largest claim {most} cannot be compared with {result.claim}: {problem.problem}"
        yield _rewritten(alignment.mechanism, most) or cannot
        return
    if not any(order in (ClaimOrder.SAME, ClaimOrder.SMALLER) for order in orders):
        yield f"the claim {result.claim} is not proved to be at most {most}, the largest that the policy accepts"


def _rewritten(mechanism: Mechanism, most: str) -> str:
    """Say what to write for a bound that names one thing that a mechanism has not, where its budget may be meant."""
    try:
        nodes = list(ast.walk(ast.parse(most, mode="eval")))
    except (SyntaxError, ValueError):
        return ""
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    names = {node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in called}
    foreign = names - set(mechanism.public)
    budgets = [name for name, kind in mechanism.public.items() if isinstance(kind, Epsilon)]
    if len(foreign) != 1 or len(budgets) != 1 or budgets[0] in names:
        return ""
    (name,) = foreign
    bound = re.sub(rf"\b{re.escape(name)}\b", budgets[0], most)
    missing = f"the policy's bound names `{name}`, which {mechanism.name} doesn't have"
    return f'{missing}; write claims = {{ {mechanism.name} = "{bound}" }}'


def _delta_too_large(alignment: Alignment, delta: str, most: str | None) -> Iterator[str]:
    """Say that delta is not proved to be at most ``most``, unless it is."""
    if most is None:
        stated = f'delta = {{ {alignment.mechanism.name} = "{delta}" }}'
        words = "and the policy does not say that it accepts one; to accept it, write"
        yield f"the claim has delta = {delta}, {words} {stated} under [tool.alignkit.policy]"
        return
    try:
        order = compare_claims(alignment.mechanism, alignment.adjacency, delta, most)
    except LanguageError as problem:
        yield f"the policy's largest delta {most} cannot be compared with {delta}: {problem.problem}"
        return
    if order not in (ClaimOrder.SAME, ClaimOrder.SMALLER):
        yield f"delta = {delta} is not proved to be at most {most}, the largest that the policy accepts"


@dataclass(frozen=True)
class Judgement:
    """What an alignment breaks of a policy, and its differences from a baseline."""

    breaches: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()


def judgement(alignment: Alignment, result: Result, policy: Policy | None, before: BaselineEntry | None) -> Judgement:
    """Judge an alignment with its result; without a policy, or without an entry, that part is empty."""
    now = BaselineEntry.of(result)
    return Judgement(
        () if policy is None else policy_breaches(policy, alignment, result),
        () if before is None or before == now else changes_from_baseline(alignment, before, now),
    )


def unjudged(policy: Policy | None, before: BaselineEntry | None) -> Judgement:
    """Make the judgement of an alignment that could not be judged: nothing is shown, and so nothing accepted."""
    words = "its claim could not be compared: the comparison did not end"
    return Judgement(
        () if policy is None else (words,), () if before is None else (Change(Direction.CHANGED, words),)
    )
