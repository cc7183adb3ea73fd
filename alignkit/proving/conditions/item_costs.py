"""The cost of a vector's shifts where each coordinate has a scale of its own, from public lists.

Each coordinate costs at most a public amount that depends on its index; together they cost at most the running sum of
these amounts (docs/theory/loops.md).
"""

from __future__ import annotations

from alignkit.interpreting import operations as op
from alignkit.proving.conditions.cost_rates import extreme
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.symbolic.atoms import Element
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.summation import BOUND, NotASum, running_sum
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Role


def amount_at_most(cost: Term, index: Term, inputs: Inputs) -> Term | None:
    """A candidate for what the coordinate at an index costs at most; None where its scale is not its own."""
    own = [a for a in atoms_within(cost) if isinstance(a, Element) and a.role is Role.PUBLIC and a.index == index]
    if not own:
        return None
    ways = (extreme((cost,), inputs, direction) for direction in (1, -1))
    amounts = list({way[0].key: way[0] for way in ways if way is not None}.values())
    if not amounts or any(amount.unknowns or not _public(amount, index) for amount in amounts):
        return None
    return Term.of(op.maximum(amounts))


def sum_of_amounts(amount: Term, index: Term, length: Term) -> Term | None:
    """The sum of an amount over all indices; None where it is no running sum."""
    (symbol,) = index.atoms()
    try:
        return running_sum(substitute(amount, {symbol: BOUND}), length)
    except NotASum:
        return None


def _public(amount: Term, index: Term) -> bool:
    indices = {atom.key for atom in atoms_within(amount) if atom.role is Role.INDEX}
    return roles(amount) <= {Role.PUBLIC, Role.INDEX} and indices <= {index.key}
