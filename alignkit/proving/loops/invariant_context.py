"""How an invariant is evaluated: an expression on both runs at the head of a loop, which must have a value there."""

from __future__ import annotations

from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting.values import Family
from alignkit.language.program import Builtin, Place
from alignkit.proving.facts.indices import Indices
from alignkit.proving.symbolic_context import DefinedContext
from alignkit.proving.vectors.summing import body_of, sum_of_body
from alignkit.symbolic.running_sums import NotASum
from alignkit.symbolic.terms import Term


class InvariantContext(DefinedContext):
    """Evaluates an invariant without a branch. It may speak of all answers, and of sums of them."""

    def __init__(self) -> None:
        super().__init__({})
        self.indices = Indices()

    def decide(self, condition: Any, place: Place) -> bool:
        if not isinstance(condition, bool):
            raise Unsupported("a branch inside an invariant", place)
        return condition

    def element(self, family: Family, index: Any, place: Place) -> Any:
        # An invariant is only a formula on the way to a proof: answers outside the list do no harm in it.
        return family.element(self.whole(index, place))

    def reduce(self, function: str, family: Family, node: Builtin) -> Any:
        if function != "sum":
            raise self.unsupported(f"{function} over a sequence of symbolic length in an invariant", node.place)
        with self.indices.arbitrary() as index:
            body = body_of(family, index, node)
        try:
            return sum_of_body(body, Term.of(family.length))
        except NotASum:
            problem = "a sum in an invariant whose items depend on more than answers and public values"
            raise self.unsupported(problem, node.place) from None
