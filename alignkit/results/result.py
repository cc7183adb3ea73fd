"""The result of a check: a verdict, the conditions with how each was decided, and what is known of the mechanism."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from alignkit.errors import LanguageError, UnprovedError
from alignkit.formatting import counted, loss_shown
from alignkit.markup import division, preformatted
from alignkit.public_names import public
from alignkit.results.losses import CertifiedLoss
from alignkit.results.witness import Attained, Counterexample
from alignkit.verdicts import ADAPTIVE_QUERIES, CONDITIONS, LIMITS, CallPart, Condition, Presumed, Verdict

if TYPE_CHECKING:
    from alignkit.confirming.opinion import Opinion

@dataclass(frozen=True)
class CostAnalysis:
    """The worst case of the cost, as far as it is proved.

    ``cost`` is a proved bound, an expression of the public parameters (None: none was proved). ``attained`` is True
    where some run, ``at``, costs exactly that, False where it is proved that none does. ``slack`` is what the claim
    exceeds the bound by, None where the two are the same.
    """

    cost: str | None
    attained: bool | None = None
    slack: str | None = None
    at: Attained | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Privacy:
    """The state of the mechanism itself, with bounds on its loss.

    ``stated`` is what proofs say of it: ``private``, which is as claimed and so with the claim's delta, or ``open``.
    ``upper`` is a proved bound on the loss, an expression of the public parameters, and ``adjacency`` the one that it
    was proved under; a proof of a claim with delta gives none. ``sought`` is a certified lower bound for some inputs,
    or the attack that is made for one when it is first asked for.
    """

    stated: str = "open"
    upper: str | None = None
    adjacency: str | None = None
    sought: CertifiedLoss | Callable[[], CertifiedLoss | None] | None = None

    @cached_property
    def leak(self) -> CertifiedLoss | None:
        """A certified lower bound on the loss for some inputs; raises InternalError where it contradicts a proof."""
        return self.sought() if callable(self.sought) else self.sought

    @property
    def status(self) -> str:
        """``private``, ``open``, or ``not private`` where a certified loss is above the claim."""
        return "not private" if self.leak is not None and self.leak.violates else self.stated

    @property
    def lower(self) -> str | None:
        """The certified loss, rounded down, as reports write it."""
        return None if self.leak is None else loss_shown(self.leak.loss)

    @property
    def event(self) -> str | None:
        """The outputs that show the certified loss, in words."""
        return None if self.leak is None else str(self.leak.event)

    def _known(self) -> tuple[str, str | None, str | None, CertifiedLoss | None]:
        return self.stated, self.upper, self.adjacency, self.leak

    def __eq__(self, other: object) -> bool:
        return self._known() == other._known() if isinstance(other, Privacy) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.stated, self.upper, self.adjacency))

    def __repr__(self) -> str:
        return "Privacy(stated={!r}, upper={!r}, adjacency={!r}, sought={!r})".format(*self._known())

    def __reduce__(self) -> tuple[type[Privacy], tuple[Any, ...]]:
        return Privacy, self._known()


@dataclass(frozen=True)
class Suggestion:
    """Another alignment of the same mechanism and adjacency, which is proved: its claim, its worst case and its source.

    ``source`` is a file with the imports that it needs. ``cheaper`` says that the alignment that was checked is proved
    too, and that this one claims less.
    """

    claim: str
    cost: str | None
    source: str
    cheaper: bool


@dataclass(frozen=True)
class Vote:
    """How many of the questions that z3 called valid cvc5 calls valid too.

    It left ``unknown`` unanswered, and ``not_encoded`` were not put to it: for these z3 alone answers. ``reasons`` are
    those of both, each once.
    """

    agreed: int = 0
    unknown: int = 0
    not_encoded: int = 0
    reasons: tuple[str, ...] = ()

    @property
    def questions(self) -> int:
        """How many different questions z3 called valid."""
        return self.agreed + self.unknown + self.not_encoded

    def __str__(self) -> str:
        asked = f"vote of cvc5 on {counted(self.questions, 'question')}: {self.agreed} agreed, {self.unknown} unknown"
        return f"{asked}, {self.not_encoded} not asked" if self.not_encoded else asked


class Subject:
    """The alignment that was checked, kept so that a result can tell whether it still speaks of it.

    The ``alignment`` has a method ``ensure_current``, which raises LanguageError where it has been redefined since. It
    stays behind when a result is sent to another process, where its mechanism cannot be redefined; it is None there.
    """

    def __init__(self, alignment: Any = None) -> None:
        self.alignment = alignment

    @property
    def stale(self) -> str:
        """Why the alignment or its mechanism is no longer the program that was checked; empty where it is."""
        if self.alignment is None:
            return ""
        try:
            self.alignment.ensure_current()
        except LanguageError as problem:
            return problem.problem
        return ""

    def __copy__(self) -> Subject:
        return self

    def __deepcopy__(self, memo: Any) -> Subject:
        return self

    def __reduce__(self) -> tuple[type[Subject], tuple[()]]:
        return Subject, ()


@dataclass(frozen=True)
class Views:
    """The full report of a result, as text and as HTML: module-level functions, so that a result can be pickled.

    Reports are made in a room above this one; ``check`` gives each result the views of that room.
    """

    text: Callable[[Result], str]
    html: Callable[[Result], str]


def _short_html(result: Result) -> str:
    return division([preformatted(repr(result))])


SHORT = Views(repr, _short_html)


@public
@dataclass(frozen=True)
class Result:
    """The outcome of checking one alignment.

    ``scope`` says for n and each public parameter whether all values are covered ("all"). ``cost`` is a bound on the
    cost of the shifts as an expression of the public parameters, ``attained`` whether some run costs exactly that
    (None: not known), ``attained_at`` such a run, and ``slack`` what the claim exceeds it by (None: nothing). ``scope``
    has ``analysts`` too where the claim is for adaptive queries. Where ``ex_post``, the claim depends on the output,
    and ``cost`` bounds the claim over all outputs (None: no bound was proved). ``delta`` is None where the claim is
    pure; else the claim is (``claim``, ``delta``)-differential privacy, and there is no ``cost``: the claim bounds the
    cost where no limit of the alignment is broken, and there only. ``base`` is 2 where claim and cost are in bits, else
    None. ``notes`` are for people: what was tried, where it stopped, what to try. ``sensitivities`` are those of the
    private parameters, as declared. ``presumed`` is what some of the assumptions are about, as formulas. ``calls`` are
    the calls of other mechanisms that the proof uses by their lemmas, each with its part of the budget. ``suggestion``
    is an alignment to use in its place, where one was asked for and found. ``privacy`` is what is known of the
    mechanism; an attack is made when it is first asked for a lower bound. ``seconds`` is wall time, ``queries`` the
    number of questions put to the solver. ``mechanism_place`` tells mechanisms of one name apart; ``digest`` is the
    fingerprint of the mechanism that was checked. ``cached`` says that the verdict was reached by an earlier run;
    seconds and queries are those of that run. ``opinion`` is that of a second program on a proof; reports have it where
    it was asked for, ``opinion_asked``, and not bounded to little work. ``solver`` is what the prover asked, z3 or
    cvc5, and ``vote`` what cvc5 says of z3's answers, where it was asked.

    A result has no truth value, so that ``assert check(phi)`` never passes by accident: ask for ``proved``, or call
    ``require``.
    """

    mechanism: str
    alignment: str
    file: str
    line: int
    verdict: Verdict
    expected: Verdict
    number_model: str
    claim: str
    adjacency: str
    cost: str | None
    attained: bool | None
    scope: Mapping[str, str]
    conditions: Mapping[str, Condition]
    assumptions: tuple[str, ...] = ()
    counterexample: Counterexample | None = None
    privacy: Privacy = field(default_factory=Privacy)
    seconds: float = 0.0
    queries: int = 0
    notes: tuple[str, ...] = ()
    mechanism_place: str = ""
    slack: str | None = None
    attained_at: Attained | None = None
    ex_post: bool = False
    base: int | None = None
    delta: str | None = None
    adaptive: bool = False
    sensitivities: Mapping[str, str] = field(default_factory=dict)
    presumed: tuple[Presumed, ...] = field(default=(), repr=False)
    digest: str = ""
    suggestion: Suggestion | None = None
    calls: tuple[CallPart, ...] = ()
    cached: bool = False
    opinion: Opinion | None = None
    opinion_asked: bool = False
    solver: str = "z3"
    vote: Vote | None = None
    subject: Subject = field(default_factory=Subject, repr=False, compare=False)
    views: Views = field(default_factory=lambda: SHORT, repr=False, compare=False)

    def __post_init__(self) -> None:
        missing = [name for name in CONDITIONS if name not in self.conditions]
        if missing:
            raise ValueError(f"a result needs a status for every condition; missing: {', '.join(missing)}")
        if self.adaptive and self.verdict is Verdict.PROVED and ADAPTIVE_QUERIES not in self.conditions:
            raise ValueError("a proof for adaptive queries needs a status for them")
        if self.delta is not None and self.verdict is Verdict.PROVED and LIMITS not in self.conditions:
            raise ValueError("a proof of a claim with delta needs a status for its limits")

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the one that the proof declares."""
        return self.verdict is self.expected

    @property
    def stale(self) -> str:
        """Why the result no longer speaks of the mechanism, which has been redefined since; empty where it does."""
        return self.subject.stale

    @property
    def proved(self) -> bool:
        """Whether the claim is proved, of the mechanism as it is now defined."""
        return self.verdict is Verdict.PROVED and not self.stale

    def require(self) -> Result:
        """Return the result if its verdict is the one that the proof declares (proved, where it declares none).

        Raises UnprovedError, with the full report as its message, for any other verdict and for a stale result.

        >>> from alignkit import check
        >>> from alignkit.proofs.sparse_vector import gap_phi
        >>> check(gap_phi).require().cost
        'eps'
        """
        stale = self.stale
        if self.as_expected and not stale:
            return self
        what = f"{self.mechanism} / {self.alignment} is {self.verdict}"
        problem = f"the result is stale: {stale}; check it again" if stale else f"{what}, not {self.expected}"
        undecided = self.verdict is Verdict.UNDECIDED and not stale
        raise UnprovedError(f"{problem}\n{self}", result=self, exit_code=3 if undecided else 1)

    def __str__(self) -> str:
        """The full report, which `print` shows; `repr` is the short form."""
        return self.views.text(self)

    def __bool__(self) -> bool:
        raise TypeError(
            f"a result is neither true nor false (this one is {self.verdict}); "
            "write `check(phi).require()`, or `assert check(phi).proved`"
        )

    def _repr_html_(self) -> str:
        """The result as HTML, which a notebook shows."""
        return self.views.html(self)

    def __repr__(self) -> str:
        claim = self.claim if self.delta is None else f"{self.claim} with delta = {self.delta}"
        what = f"{self.mechanism} / {self.alignment}: {claim}, adjacency {self.adjacency}"
        lines = [f"{self.verdict.upper()} {what}"]
        if self.stale:
            lines.insert(0, f"STALE: {self.stale}; check it again")
        if self.verdict is Verdict.PROVED:
            lines.append(f"  for all {', '.join(self.scope)}" if self.scope else "  for all inputs")
            if self.cost != self.claim and self.delta is None:
                said = "cost at most" if self.cost and not self.attained else "worst case"
                lines.append(f"  {said}: {self.cost or 'none was proved'}")
        else:
            lines += [f"  {c.name}: {c.how}" for c in self.conditions.values() if c.status is self.verdict]
        lines += [f"  {note}" for note in (*self.assumptions, *self.notes)]
        if self.counterexample is not None:
            lines += [f"  {line}" for line in self.counterexample.snippet.splitlines()]
        return "\n".join(lines)
