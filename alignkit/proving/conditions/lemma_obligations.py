"""Calls that are used by a lemma: what is asked of their arguments, on D and on D′ together.

Public arguments must be the same on both runs and in the callee's domain. Private ones must be adjacent in the callee's
sense, or the same where the call is taken to cost nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from alignkit.errors import Parted, Unsupported
from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Family, is_number
from alignkit.language.parameters import ParameterType
from alignkit.proving.conditions.valid_noise import Lattices, declared_lattices, plainly_multiple
from alignkit.proving.facts.known_sums import change_so_far
from alignkit.proving.obligation import Obligations
from alignkit.proving.runs.lemma_calls import LemmaCall, argument_items, length_of
from alignkit.proving.symbolic_inputs import length_symbol, number_symbol, within_bounds
from alignkit.running.adjacency import Adjacency
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import conjunction, disjunction, implies
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Role

# Said of the private answers of a call, before a sensitivity of the callee.
AS_ADJACENT = "changes by at most"

# An answer of the callee: by how much it changes, and the condition under which there is one.
Change = tuple[Term, Any]


def same_call(owed: Obligations, call: LemmaCall, other: Mapping[str, Any]) -> None:
    """Oblige all that a call needs for its lemma; ``other`` are the arguments that D′ passes, by name."""
    _Call(owed, call, other).oblige()


class _Call:
    def __init__(self, owed: Obligations, call: LemmaCall, other: Mapping[str, Any]) -> None:
        self.owed = owed
        self.call = call
        self.one = call.arguments
        self.other = other
        self.mechanism = call.lemma.alignment.mechanism
        self.adjacency = call.lemma.alignment.adjacency
        self.name = str(call.where.key)

    def oblige(self) -> None:
        for name, kind in self.mechanism.parameters.items():
            self._lists_alike(name, kind)
        for name, kind in self.mechanism.public.items():
            self._same_public(name, kind)
            self._in_domain(name, kind)
        for name in self.mechanism.domain.lattices:
            self._on_lattice(name)
        self._presumed()
        if self.call.equal:
            self._same_private(self.one, "which costs nothing")
            return
        # What limits cost is charged for D alone; what D′ passes, the proof of the shifts obliges.
        if self.call.expected and not self.owed.charging:
            self._same_private(self.call.expected, "as its price takes for granted")
        self._adjacent()

    # Helpers

    def ask(self, condition: str, goal: Any, words: str, *given: Any) -> None:
        """Oblige a goal of this call; what it needs is said with its name."""
        self.owed.oblige(condition, goal, self.call.node.place, f"call of {self.name}: {words}", given=given)

    def fresh(self, argument: Any, what: str) -> Term | None:
        """An index that stands for any item of a list of symbolic length."""
        if not isinstance(argument, Family):
            return None
        if argument.admits is not None:
            raise Unsupported("a filtered list as the argument of a call", self.call.node.place)
        return self.owed.facts.indices.fresh(f"{what} of {self.name}")

    def pairs(self, one: Any, other: Any, index: Term | None) -> Iterator[tuple[Term, Term, Any]]:
        """The items of an argument on D and on D′, each with the condition under which there is one."""
        for (a, inside), (b, _) in zip(argument_items(one, index), argument_items(other, index), strict=True):
            if not is_number(a) or not is_number(b):
                raise Unsupported(f"an argument of the call of {self.name} that is not a number", self.call.node.place)
            yield Term.of(a), Term.of(b), inside

    # Lists and public arguments

    def _lists_alike(self, name: str, kind: ParameterType) -> None:
        one, other = self.one[name], self.other[name]
        if not kind.vector:
            return
        if isinstance(one, Family) != isinstance(other, Family):
            raise Parted("cost", f"call of {self.name}: {name} is another list on D'", self.call.node.place)
        if isinstance(one, tuple):
            if len(one) != len(other):
                raise Parted("cost", f"call of {self.name}: {name} has another length on D'", self.call.node.place)
        else:
            words = f"{name} has the same length on D and D'"
            self.owed.lemma(
                "cost", length_of(one).compare("==", length_of(other)), self.call.node.place,
                f"call of {self.name}: {words}",
            )  # fmt: skip
        if kind.shortest:
            holds = length_of(one).compare(">=", kind.shortest)
            self.ask("termination", holds, f"{name} has at least {kind.shortest} item")

    def _same_public(self, name: str, kind: ParameterType) -> None:
        index = self.fresh(self.one[name], f"item of {name}")
        for a, b, inside in self.pairs(self.one[name], self.other[name], index):
            self.ask("noise_used", a.compare("==", b), f"{name} is the same on D and D'", inside)

    def _in_domain(self, name: str, kind: ParameterType) -> None:
        index = self.fresh(self.one[name], f"item of {name}")
        for a, _, inside in self.pairs(self.one[name], self.other[name], index):
            if kind.integer:
                self.ask("termination", a.integer, f"{name} is a whole number")
            for (symbol, bound), holds in zip(kind.bounds, within_bounds(kind, a), strict=True):
                self.ask("termination", holds, f"{name} {symbol} {bound}", inside)

    def _on_lattice(self, name: str) -> None:
        declared = self.mechanism.domain.lattices[name]
        spacing = Term.of(self.one[declared] if isinstance(declared, str) else Fraction(declared))
        lattices = Lattices(declared_lattices(self.owed.facts.inputs), self.owed.facts.spacings)
        index = self.fresh(self.one[name], f"item of {name}")
        for a, b, _ in self.pairs(self.one[name], self.other[name], index):
            fits = plainly_multiple(a, spacing, lattices) and plainly_multiple(b, spacing, lattices)
            self.ask("valid_noise", fits, f"{name} is on the lattice that {self.mechanism.name} declares")

    def _presumed(self) -> None:
        """Oblige what the lemma presumes of the public parameters; the caller presumes it too where it does not follow.

        The caller is not defined where the callee is not, so that this is a part of what its own run may need. The
        callee need not come to what it is for, so that nothing may rest on it here. How many private answers there are
        is not narrowed.
        """
        caller = self.owed.facts.inputs.mechanism
        lengths = {length_symbol(name, kind).key for name, kind in caller.private.items() if kind.vector}
        replaced: dict[Any, Term] = {}
        for name, kind in self.mechanism.parameters.items():
            if kind.vector:
                replaced[length_symbol(name, kind)] = length_of(self.one[name])
            elif not kind.private:
                replaced[number_symbol(name, kind)] = Term.of(self.one[name])
        known = {atom.key for atom in replaced}
        for presumed in self.call.lemma.presumed:
            named = {a.key for a in atoms_within(presumed.formula) if isinstance(a, Symbol | Element)}
            goal = substitute(presumed.formula, replaced) if named <= known else False
            words, facts = f"what {self.mechanism.name} presumes ({presumed.words})", self.owed.facts
            narrowed = roles(goal) == {Role.PUBLIC} and any(a.role and a.key not in lengths for a in atoms_within(goal))
            if not narrowed or facts.caches.foresight.follows(facts.hypotheses(goal).near, goal):
                self.ask("termination", goal, words)
            else:
                words = f"call of {self.name}: {words}, here {goal}"
                self.owed.presume(goal, self.call.node.place, words)

    # Private arguments

    def _same_private(self, expected: Mapping[str, Any], why: str) -> None:
        for name in self.mechanism.private:
            index = self.fresh(self.other[name], f"item of {name}")
            for a, b, inside in self.pairs(expected[name], self.other[name], index):
                words = f"D' passes the same {name}, {why}" if self.call.equal else f"D' passes {name} {why}"
                self.ask("cost", a.compare("==", b), words, inside)

    def sensitivity(self, name: str) -> Term:
        return Term.of(self.mechanism.private[name].bound(self.one))

    def _adjacent(self) -> None:
        for name in self.mechanism.private:
            bound, index = self.sensitivity(name), self.fresh(self.one[name], f"item of {name}")
            for a, b, inside in self.pairs(self.one[name], self.other[name], index):
                near = conjunction(((b - a).compare("<=", bound), (a - b).compare("<=", bound)))
                self.ask("cost", near, f"an answer of {name} {AS_ADJACENT} {bound}", inside)
        single = [*self.mechanism.private]
        if len(single) == 1 and not self.mechanism.private[single[0]].vector:
            return
        if self.adjacency is Adjacency.MONOTONE:
            self._one_direction()
        elif self.adjacency is Adjacency.ONE or (self.adjacency.shared and not self._adds_up(single)):
            # Where few answers may change, or changes add up, one may change.
            self._one_change(single)

    def changes(self, name: str, what: str) -> list[Change]:
        """The changes of all answers of one parameter; of a list of symbolic length that of an arbitrary item."""
        index = self.fresh(self.one[name], what)
        return [(b - a, inside) for a, b, inside in self.pairs(self.one[name], self.other[name], index)]

    def _one_direction(self) -> None:
        rising = [c for name in self.mechanism.private for c in self.changes(name, f"rising item of {name}")]
        falling = [c for name in self.mechanism.private for c in self.changes(name, f"falling item of {name}")]
        words = "no answer rises where another one falls"
        for (up, inside), (down, within_other) in itertools.product(rising, falling):
            goal = disjunction((up.compare("<=", 0), down.compare(">=", 0)))
            self.ask("cost", goal, words, inside, within_other)

    def _one_change(self, names: list[str]) -> None:
        for name in names:
            self._one_change_in(name)
        for name, another in itertools.combinations(names, 2):
            words = f"at most one of {name} and {another} changes"
            both = itertools.product(self.changes(name, f"item of {name}"), self.changes(another, f"item of {another}"))
            for (first, inside), (second, within_other) in both:
                goal = disjunction((first.compare("==", 0), second.compare("==", 0)))
                self.ask("cost", goal, words, inside, within_other)

    def _one_change_in(self, name: str) -> None:
        words = f"at most one answer of {name} changes"
        if not isinstance(self.one[name], Family):
            pairs = itertools.combinations(self.changes(name, name), 2)
            for (first, _), (second, _) in pairs:
                self.ask("cost", disjunction((first.compare("==", 0), second.compare("==", 0))), words)
            return
        i, j = self.fresh(self.one[name], "first item"), self.fresh(self.one[name], "second item")
        assert i is not None
        assert j is not None
        both = []
        for index in (i, j):
            ((a, b, inside),) = self.pairs(self.one[name], self.other[name], index)
            both.append((a.compare("==", b), inside))
        goal = implies(i.compare("!=", j), disjunction((both[0][0], both[1][0])))
        self.ask("cost", goal, words, both[0][1], both[1][1])

    def _adds_up(self, names: list[str]) -> bool:
        """Oblige the changes to add up to no more than the callee allows; False where there is no rule for this."""
        lists = [name for name in names if isinstance(self.one[name], Family)]
        sources = {name: self._source(name) for name in lists}
        found = {name: source for name, source in sources.items() if source is not None}
        if len(found) < len(lists):
            return False
        bound = Term.of(self.adjacency.allowance(self.one, self.sensitivity(names[0])))
        total = Term.of(0)
        for name, vector in found.items():
            total = total + self._share(name, vector)
        for name in names:
            if name not in found:
                total = total + sum((self._spent(change) for change, _ in self.changes(name, name)), Term.of(0))
        if total != bound:
            listed = " and ".join(names)
            many = f"at most {bound} answers of {listed} change"
            words = many if self.adjacency.counts_changes else f"the changes of {listed} add up to at most {bound}"
            self.ask("cost", total.compare("<=", bound), words)
        return True

    def _spent(self, change: Term) -> Term:
        """What the callee's adjacency spends on a change."""
        if self.adjacency.counts_changes:
            return Term.of(op.choose(change.compare("!=", 0), Term.of(1), Term.of(0)))
        return Term.of(abs(change))

    def _source(self, name: str) -> str | None:
        """The caller's list of answers that a list of symbolic length is made of; None where nothing is known of it.

        Both count changes, or both add them up.
        """
        inputs = self.owed.facts.inputs
        alike = inputs.adjacency.counts_changes == self.adjacency.counts_changes
        if not inputs.adjacency.shared or not alike or not inputs.vectors:
            return None
        if not inputs.shared:
            return inputs.vector
        index = self.fresh(self.one[name], f"item of {name}")
        ((a, _, _),) = self.pairs(self.one[name], self.other[name], index)
        arrays = [atom.array for atom in atoms_within(a) if isinstance(atom, Element) and atom.array in inputs.vectors]
        return arrays[0] if arrays else None

    def _share(self, name: str, vector: str) -> Term:
        """A bound on the changes of a list of symbolic length, each at most a share of that of the caller's answer."""
        inputs, bound = self.owed.facts.inputs, self.sensitivity(name)
        words = f"the changes of {name} add up to at most {bound}"
        length = length_of(self.one[name])
        goal = length.compare("<=", length_of(inputs.values[vector]))
        self.ask("cost", goal, f"{name} has no more items than {vector}")
        index = self.fresh(self.one[name], "item")
        assert index is not None
        ((a, b, inside),) = self.pairs(self.one[name], self.other[name], index)
        (one, _), *_ = argument_items(inputs.values[vector], index)
        (two, _), *_ = argument_items(inputs.values_[vector], index)
        if self.adjacency.counts_changes:
            goal = disjunction((a.compare("==", b), two.compare("!=", one)))
            self.ask("cost", goal, f"an answer of {name} changes only where that of {vector} does", inside)
            spent = change_so_far(inputs, length, vector) if inputs.shared else inputs.most_change
            return Term.of(spent)
        # The changes of the caller's answers add up to at most its sensitivity; these are at most a share of each.
        goal = (Term.of(abs(b - a)) * inputs.sensitivity(vector)).compare("<=", bound * abs(two - one))
        self.ask("cost", goal, words, inside)
        if not inputs.shared:
            return bound
        spent = change_so_far(inputs, length, vector)
        return Term.of(spent) * bound / inputs.sensitivity(vector)
