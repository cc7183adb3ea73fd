"""Claims that sum up public lists, as terms: a sum is a running sum over the whole list."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from alignkit.errors import Undefined, Unsupported
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Family
from alignkit.language.program import Builtin
from alignkit.proving.symbolic_context import DefinedContext
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.proving.vectors.summing import body_of, sum_of_body
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.summation import NotASum
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

_ITEM = Term.of(Symbol("item of a claim", Role.INDEX, integer=True))


class ClaimContext(DefinedContext):
    """Evaluates a claim outside a run."""

    def reduce(self, function: str, family: Family, node: Builtin) -> Any:
        if function != "sum":
            return super().reduce(function, family, node)
        try:
            return sum_of_body(body_of(family, _ITEM, node), family.length)
        except NotASum:
            raise self.unsupported("a sum of more than public values in a claim", node.place) from None


def claim_of_sums(alignment: AlignmentProgram, inputs: Inputs) -> Term | None:
    """A claim as a term; None where it has no value outside a run, as where it reads the output."""
    if alignment.ex_post:
        return None
    with suppress(Undefined, Unsupported):
        return Term.of(Evaluator(ClaimContext({})).number(alignment.claim_expression, dict(inputs.values)))
    return None
