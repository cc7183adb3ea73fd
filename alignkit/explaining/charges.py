"""What a claim's delta pays for: the limits that make a run good, and what breaking them is charged.

Everything here is about runs of D on all noise, good or not. It rests on the proof of the charges, whose second run is
one of D too: what is said there of D′ is not told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from alignkit.explaining.argument import Argument, SumsInWords
from alignkit.explaining.case_names import is_branch
from alignkit.explaining.decisive_reasons import COST_SO_FAR, Reasons
from alignkit.explaining.grounds import follows
from alignkit.explaining.obligation_words import LONGEST, is_in_program_words, one_after_another, plain
from alignkit.explaining.readable_formulas import readable, readable_term, with_names, without_repeats
from alignkit.explaining.writers import Block, BulletList, Paragraph
from alignkit.language.program import LimitForm
from alignkit.proving.obligation import Obligation
from alignkit.proving.proof import Proof
from alignkit.proving.runs.alignment_run import ChargedLimit
from alignkit.proving.runs.loop_states import is_iteration
from alignkit.proving.symbolic_inputs import primed
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_program import PRIVACY_COST
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import conjunction
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Atom, Role

# The pages that prove what is said of limits and of their charges.
DELTA_PAGE = "docs/theory/delta.md"

# Of more limits the rest is left out.
_MOST_LIMITS = 12

# A longer reason of a bound is given by the facts that it rests on.
_LONG_REASON = 500

# What the conditions on D's test may mention that D′'s test is held against.
_OF_TEST = {Role.PUBLIC, Role.PRIVATE, Role.NOISE, Role.INDEX}


class _ReasonsOfCharges(Reasons):
    """The reasons of charges: the facts that they follow from, none of which may be about the second run."""

    def __init__(self, alignment: Alignment, proof: Proof) -> None:
        super().__init__(alignment, proof)
        self.private = frozenset(alignment.mechanism.private)

    def _reason(self, obligation: Obligation) -> str:
        because = super()._reason(obligation)
        if len(because) > _LONG_REASON:
            facts = self.used(obligation)
            others = [fact for fact in facts if COST_SO_FAR not in {atom.key for atom in atoms_within(fact)}]
            told = [f"`{readable(fact)}`" for fact in others]
            told += [f"the bound on `{PRIVACY_COST}`"] if len(others) < len(facts) else []
            because = f"since {one_after_another(told)}"
            because = because if len(because) <= 2 * _LONG_REASON and is_in_program_words(because) else ""
        return "" if self._of_second_run(because) else because

    def formula(self, obligation: Obligation) -> str:
        text = super().formula(obligation)
        return "" if self._of_second_run(text) else text

    def _of_second_run(self, text: str) -> bool:
        """Whether a text has a prime on anything but an answer: only these are those of D′."""
        return not set(re.findall(r"(\w+)′", text)) <= self.private


class Charges(Argument):
    """The text of the proof that delta bounds what limits cost; ``calls`` says what calls are charged for."""

    sums = SumsInWords(
        title="Charges.",
        noun="charge",
        singular="is charged",
        plural="are charged",
        moved="draws",
        singles="single draws",
        within="all charges by delta",
    )

    def __init__(self, alignment: Alignment, charges: Proof, calls: tuple[str, ...], taken: frozenset[str]) -> None:
        super().__init__(alignment, charges, calls)
        self.delta = alignment.delta
        self.lemmas = [lemma for lemma in alignment.lemmas if lemma.delta is not None]
        self.name = next(name for name in ("charged", "charged_so_far", "all_charged") if name not in taken)

    def _reasons(self, alignment: Alignment, proof: Proof) -> Reasons:
        return _ReasonsOfCharges(alignment, proof)

    def _single(self, key: str) -> str:
        return "draws and calls" if self.calls else super()._single(key)

    def blocks(self) -> Iterator[Block]:
        with with_names(self.reasons.public):
            shown = [*self._blocks()]
            names = [*self.names_in(shown)]
        yield from (*names, *shown)

    def _blocks(self) -> Iterator[Block]:
        yield Paragraph(f"A run of D is good if {self._what_is_good()}.", "Good runs.")
        limits = [*dict.fromkeys(self._limits())]
        if limits:
            yield BulletList(tuple(limits[:_MOST_LIMITS]))
        if len(limits) > _MOST_LIMITS:
            yield Paragraph(f"{len(limits) - _MOST_LIMITS} more limits are charged alike; this text leaves them out.")
        words = "What follows was shown of all runs of D, good or not: each comes to an end, every step of it is"
        words = f"{words} defined, its draws have proper distributions, and runs with one output use the same noise"
        yield Paragraph(f"{words} ({len(self.proof.decided)} obligations, those of the charges included).")
        known = [*dict.fromkeys(self._known_of_d())]
        if known:
            words = f"Whenever a loop begins an iteration, for all noise: {'; '.join(known)}"
            yield Paragraph(f"{words}.")
        for block in self.cost():
            yield _renamed(block, self.name)
        words = f"So a run of D is not good with probability at most {self.delta}: up to the first break,"
        words = f"{words} the charges bound the probabilities of a break, given what was drawn before"
        yield Paragraph(f"{words} [{DELTA_PAGE}#the-theorem].")

    def _what_is_good(self) -> str:
        limits = any(record.charged for record in self._records())
        words = "every draw that it makes keeps the limits that the alignment states for it" if limits else ""
        lemmas = one_after_another(f"`{lemma.name}`" for lemma in self.lemmas)
        if lemmas:
            call = f"the output of every call by {lemmas} is of the call's good part: with its laws K on D and K′ on D′"
            call = f"{call}, this is min(K, exp(c) K′), where c is what the call costs at most"
            call = f"{call} [{DELTA_PAGE}#what-is-obliged]"
            words = f"{words}, and if {call}" if words else call
        if not limits:
            return words
        settled = "Limits read answers on D and D′, public values and positions, and neither noise nor output"
        return f"{words}. {settled}, so that they are settled before anything is drawn. {_OWES_NOTHING}"

    def _limits(self) -> Iterator[str]:
        """What each limit asks of a good run, what it is charged, and what a run that breaks it does."""
        for record in self._records():
            for charged in record.charged:
                yield from self._limit(charged)

    def _limit(self, charged: ChargedLimit) -> Iterator[str]:
        draw, limit = charged.draw, charged.limit
        given = without_repeats(limit.given)
        if given is False:
            return
        value, bound = (without_repeats(term, given) for term in (limit.value, charged.bound))
        (noise,) = draw.value.atoms()
        if limit.form is LimitForm.DISTINCT:
            yield self._ties(charged, noise, given, value, bound)
            return
        upper = limit.form is LimitForm.BELOW
        why = self._why(noise, given, value, upper=upper)
        asked = draw.value.compare("<" if upper else ">", value)
        own = _own_index(noise)
        shown = (substitute(part, own) if own and not isinstance(part, bool) else part for part in (given, asked))
        given, asked = shown
        arguments = zip(draw.distribution.parameters, draw.arguments, strict=False)
        of = one_after_another(f"{p.name} `{readable_term(Term.of(argument))}`" for p, argument in arguments)
        where = "" if given is True else f"where `{readable(given)}`, "
        at_most = readable_term(substitute(bound, own) if own else bound)
        amount = f"at most `{at_most}`" if len(at_most) <= LONGEST else "at most the bound at the limit"
        tail = f"the {'upper' if upper else 'lower'} tail of {draw.distribution.title} noise of {of}"
        told = f"{where}`{readable(asked)}` in a good run. For the contrary delta pays: given all that was drawn"
        told = f"{told} before, its probability is {amount}, by {tail} [{DELTA_PAGE}#tails]"
        told = told[:1].upper() + told[1:]
        if not is_in_program_words(told):
            told = f"The noise `{draw.where.key}` has limits, which are charged by {tail} [{DELTA_PAGE}#tails]"
        yield f"{told}{'; `j` is any position' if own else ''}.{why}"

    def _ties(self, charged: ChargedLimit, noise: Atom, given: object, value: Term, bound: Term) -> str:
        """What is asked of the sums of a list of noise, and what delta pays for two that are the same."""
        draw, own = charged.draw, _own_index(noise)
        total, at_most = (readable_term(substitute(term, own)) for term in (draw.value + value, bound))
        where = "" if given is True else f"; only where `{readable(substitute(given, own))}`"
        told = f"`{total}` is not the same for any two positions `j` in a good run{where}. For the contrary delta"
        told = f"{told} pays: two are the same with probability at most half the sum of the probabilities of"
        told = f"{told} their draws' likeliest numbers, so that each is charged `{at_most}` for all of its pairs"
        told = f"{told} [{DELTA_PAGE}#ties]"
        if not is_in_program_words(told):
            told = f"The sums of `{draw.where.key}` are distinct in a good run, and each pair is charged"
            told = f"{told} [{DELTA_PAGE}#ties]"
        return f"{told}."

    def _why(self, noise: Atom, given: object, value: Term, *, upper: bool) -> str:
        """What the mechanism asks that noise beyond a limit gives D, and no noise gives D′; empty if none is found."""
        answers = [a for v in (given, value) for a in atoms_within(v) if a.role is Role.PRIVATE]
        pairs = {(one, other) for one in answers for other in answers if _is_of_both(one, other)}
        if len(pairs) != 1 or isinstance(given, bool):
            return ""
        ((one, other),) = pairs
        reached = Term.of(noise).compare(">=" if upper else "<=", value)
        any_noise = Symbol("any noise of D'", Role.NOISE)
        for way in (Term.of(one).compare(">", Term.of(other)), Term.of(one).compare("<", Term.of(other))):
            broken = (given, way, reached)
            if follows(broken, False, self.reasons.solver):
                continue
            for record in self._records():
                tests = tuple(f for f in self._assumed(record) if is_branch(f) and noise in set(atoms_within(f)))
                found = conjunction(tests)
                within = {a for a in atoms_within(found) if a.role in (Role.NOISE, Role.PRIVATE)} if tests else set()
                if not tests or not within <= {noise, one} or not roles(found) <= _OF_TEST:
                    continue
                of_other = substitute(found, {one: Term.of(other), noise: Term.of(any_noise)})
                if follows(broken, found, self.reasons.solver) and follows(
                    (given, way, of_other), False, self.reasons.solver
                ):
                    own = _own_index(noise)
                    texts = [readable(substitute(part, own) if own else part) for part in (way, found)]
                    if all(map(is_in_program_words, texts)):
                        words = f" Where also `{texts[0]}`, `{texts[1]}` holds then, which one way through the"
                        words = f"{words} mechanism asks for; with the answer of D′ in the place of D's"
                        return f"{words} no noise gives this."
        return ""

    def _known_of_d(self) -> Iterator[str]:
        """What the invariants of loops say of D's run alone."""
        theory = self.proof.theory
        for plan in theory.planned.plans if theory is not None else ():
            for invariant in plan.apart()[0].invariants:
                name = plain(invariant.name)
                if not re.search(r"\w_(?!\w)|′", name) and PRIVACY_COST not in name:
                    yield name[:1].lower() + name[1:] if name[:1].isupper() and name[1:2].islower() else f"`{name}`"


_OWES_NOTHING = "On all other runs the alignment owes nothing"


def _renamed(block: Block, name: str) -> Block:
    """A block on charges, which are added up as costs are, with a name of their own for the sum so far."""
    if isinstance(block, Paragraph):
        return Paragraph(block.text.replace(PRIVACY_COST, name), block.lead)
    if isinstance(block, BulletList):
        return BulletList(tuple(item.replace(PRIVACY_COST, name) for item in block.items))
    return block


def _own_index(noise: Atom) -> dict[Atom, Term]:
    """What the index of a draw from a vector is called: any position `j`, unless it is that of the iteration."""
    if not isinstance(noise, Element):
        return {}
    others = [atom for atom in Term.of(noise.index).atoms() if atom.role is Role.INDEX and not is_iteration(atom)]
    return {atom: Term.of(Symbol("any index 0", Role.INDEX, integer=True)) for atom in others[:1]}


def _is_of_both(one: Atom, other: Atom) -> bool:
    """Whether an answer of D stands beside that of D′."""
    if isinstance(one, Element) and isinstance(other, Element):
        return primed(one.array) == other.array and one.index == other.index
    return isinstance(one, Symbol) and isinstance(other, Symbol) and primed(one.key) == other.key
