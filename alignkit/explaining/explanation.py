"""What a check showed, as a document: a proof, where an argument breaks, or what is missing.

The theorem that a proof shows, in full, and the paragraph that ends the proof.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from alignkit.checking import check_with_proof
from alignkit.explaining.argument import CONDITIONS_PAGE, Argument, one_output_many_draws
from alignkit.explaining.charges import DELTA_PAGE, Charges
from alignkit.explaining.obligation_words import LONGEST, is_in_program_words, one_after_another, plain, what_is_owed
from alignkit.explaining.pseudocode import Notation, ShiftOfDraw, alignment_formulas, as_pseudocode
from alignkit.explaining.readable_formulas import name_of_iteration, readable, readable_term, selections_of_a_run
from alignkit.explaining.tracing import trace_of
from alignkit.explaining.writers import Block, BulletList, CasesFormula, Code, Document, Heading, Paragraph
from alignkit.formatting import number_model_shown
from alignkit.language.parameters import ParameterType, Query
from alignkit.language.program import (
    Assign,
    Builtin,
    Call,
    Constant,
    For,
    Function,
    LimitForm,
    MechanismCall,
    Node,
    target_names,
    walk,
)
from alignkit.noise.distribution import Support
from alignkit.proving.conditions.adaptive_queries import Theorem
from alignkit.proving.kernel import BY_TAGS, DEFINED
from alignkit.proving.proof import Proof
from alignkit.public_names import public
from alignkit.refuting.convicting import MOVED_BY, PERTURBATIONS, coordinates
from alignkit.reporting.sentences import (
    adjacency_shown,
    claim_shown,
    leak_shown,
    privacy_shown,
    worst_case_shown,
)
from alignkit.results import ADAPTIVE_QUERIES, TITLES, CallPart, Counterexample, Result, Verdict
from alignkit.running.aligned_replay import cost_against_claim, render, rows, show
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.draws import DrawSite
from alignkit.running.lemma_definitions import moved_by_lemmas
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role
from alignkit.verdicts import LIMITS

# The page that proves what is said of calls.
_CALLS = "docs/theory/loops.md#calls-of-mechanisms"


def theorem(alignment: Alignment, result: Result, proof: Proof | None = None) -> Iterator[str]:
    """The sentences of a theorem: the claim, all that it is for, and what adjacency allows."""
    mechanism = alignment.mechanism
    claim = claim_shown(result.claim, result.ex_post, result.base, result.delta)
    limited = [f"{name} {value}" for name, value in result.scope.items() if value not in ("all", "none")]
    answers = [_private(name, kind) for name, kind in mechanism.private.items()]
    public = [_public(name, kind) for name, kind in mechanism.public.items()]
    for_all = "; ".join((*limited, *answers, *public))
    words = f"The mechanism `{result.mechanism}` has {claim}"
    yield f"{words} for all adjacent D and D′ and all of the following: {for_all}." if for_all else f"{words}."
    if result.adaptive:
        yield "Each query may be chosen after seeing the outputs so far."
    for assumption in result.assumptions:
        if assumption.startswith((DEFINED, "the sensitivity ")):
            yield f"{_capital(_with_formula(assumption, proof))}."
    adjacency = adjacency_shown(result.adjacency, result.sensitivities.values())
    yield f"{adjacency[:1].upper()}{adjacency[1:]}."
    if result.delta is not None:
        yield "Adjacency is symmetric, and the claim is for both orders of a pair."
    yield from _public_and_scales(alignment, result)


_BY_TAGS_PAGE = "docs/theory/adaptive-queries.md#queries-chosen-by-tags"


def _with_formula(assumption: str, proof: Proof | None) -> str:
    """An assumption that the program is defined, with the formula that a line needs: a word of it is no parameter."""
    for presumed in () if proof is None else proof.presumed:
        if assumption == f"{DEFINED} ({presumed.words})" and not isinstance(presumed.formula, bool):
            formula, line = readable(presumed.formula), presumed.words.partition(": ")[0]
            if line != presumed.words and len(formula) <= LONGEST and is_in_program_words(formula):
                return f"{DEFINED}: `{formula}`, which {line} needs"
    return f"{assumption} [{_BY_TAGS_PAGE}]" if assumption.endswith(BY_TAGS) else assumption


def _public_and_scales(alignment: Alignment, result: Result) -> Iterator[str]:
    """What D and D′ have in common, and that scales are above 0, which a run that is defined has checked."""
    names = [f"`{name}`" for name in alignment.mechanism.public]
    if names:
        as_many = any(kind.vector for kind in alignment.mechanism.private.values())
        length = ", and the same number of answers" if as_many else ""
        yield f"D and D′ have the same {one_after_another(names)}{length}."
    parameters = [p for draw in own_draws(alignment) for p in draw.distribution.parameters]
    if result.proved and parameters:
        others = any(p.above != 0 or p.below for p in parameters)
        beside = ", and every other parameter of noise within its bounds" if others else ""
        yield f"For all of these every scale of noise is above 0{beside}."


def _private(name: str, kind: ParameterType) -> str:
    what = "a list of one or more answers, each" if kind.vector else "an answer,"
    sensitivity = f"with sensitivity `{kind.sensitivity}`" if isinstance(kind, Query) else "private"
    local = "" if not isinstance(kind, Query) or kind.local is None else " on D or on D′, and elsewhere any change"
    return f"`{name}`, {what} {sensitivity}{local}{_lattice(kind)}"


def _public(name: str, kind: ParameterType) -> str:
    return f"`{name}`, {kind.describes}{_lattice(kind)}"


def _lattice(kind: ParameterType) -> str:
    return "" if kind.lattice is None else f", on the lattice of the multiples of `{kind.lattice}`"


def own_draws(alignment: Alignment) -> list[DrawSite]:
    """The draws that are not those of calls which lemmas move."""
    moved = moved_by_lemmas(alignment.mechanism, alignment.lemmas)
    return [draw for draw in alignment.mechanism.draws if draw.key not in moved]


def what_shifts_cost(draws: Iterable[DrawSite]) -> Iterator[tuple[str, str]]:
    """The distributions of some draws, and what a shift costs by each."""
    for d in dict.fromkeys(draw.distribution for draw in draws):
        of = f"{d.title}({', '.join(p.name for p in d.parameters)})"
        if d.support is Support.INDICES:
            yield of, "the logarithm for the value at hand"
        else:
            values = (Term.of(Symbol(p.name, Role.PUBLIC, positive=True)) for p in d.parameters)
            cost = readable_term(Term.of(d.cost(Term.of(Symbol("shift", Role.NOISE)), *values)))
            where = " where the noise stays in its interval" if d.support is Support.INTERVAL else ""
            yield of, f"`{cost}`{' for shifts of at least 0' if d.upward else where}"


def name_of_draw(draw: DrawSite) -> str:
    """A draw as a reader finds it: where its name is not the only one, with its call or its line."""
    if "#" not in draw.key:
        return f"`{draw.key}`"
    name, _, number = draw.key.partition("#")
    return f"`{name}` of call {number}" if draw.path else f"`{name}` of line {draw.place.line}"


def calls_by_lemmas(alignment: Alignment, result: Result) -> tuple[str, ...]:
    """What each call costs by its lemma."""
    return tuple(f"{_by_lemma(alignment, call)}." for call in result.calls if call.lemma)


def _by_lemma(alignment: Alignment, call: CallPart) -> str:
    lemma = _lemma_of(alignment, call)
    claim = ""
    if lemma is not None:
        claim = f" ({claim_shown(lemma.claim, lemma.ex_post, lemma.base, lemma.delta)} of `{lemma.mechanism.name}`)"
    price, comma, why = call.price.partition(", ")
    each = ", in each iteration" if call.rounds else ""
    rest = f"{comma}{why}".replace("D'", "D′")
    return f"By the lemma `{call.lemma}`{claim} the call at line {call.line} costs at most `{price}`{each}{rest}"


def _delta_by_lemma(alignment: Alignment, call: CallPart) -> str:
    each = ", in each iteration" if call.rounds else ""
    most, comma, why = (call.delta or "0").partition(", ")
    rest = f"{comma}{why}".replace("D'", "D′")
    return f"By the lemma `{call.lemma}` the call at line {call.line} takes at most `{most}` of delta{each}{rest}."


def _lemma_of(alignment: Alignment, call: CallPart) -> AlignmentProgram | None:
    own = [lemma for lemma in alignment.lemmas if lemma.name == call.lemma]
    named = [lemma for lemma in own if lemma.mechanism.name == call.name.partition("#")[0]]
    return next(iter((*named, *own)), None)


def lemmas_used(alignment: Alignment) -> tuple[str, ...]:
    """The lemmas that a proof rests on, each with its claim."""
    return tuple(
        f"lemma `{lemma.name}`: `{lemma.mechanism.name}` has "
        f"{claim_shown(lemma.claim, lemma.ex_post, lemma.base, lemma.delta)}; "
        f"it is proved together with this claim ({adjacency_shown(lemma.adjacency.value)})"
        for lemma in alignment.lemmas
    )


def conclusion(alignment: Alignment, proof: Proof) -> str:
    """How the conditions give the theorem: with the base, the measure and the determinant of this proof."""
    draws = alignment.mechanism.draws
    if not draws:
        return "Nothing is drawn: D′ gives the output that D gives, so both have the same distribution."
    own = own_draws(alignment)
    distributions = {draw.distribution.name: draw.distribution for draw in own}
    bounds = [f"{d.title}{' (for shifts of at least 0)' if d.upward else ''}" for d in distributions.values()]
    logarithm, base = ("ln", "e") if alignment.base is None else ("log2", str(alignment.base))
    sentences = []
    if bounds:
        listed = ", ".join(sorted(bounds))
        bound = f"The bound on {logarithm} `f(x) / f(x + shift)` for {listed} noise"
        sentences.append(f"{bound}, the cost of a shift, is proved once and for all.")
    continuous = [draw for draw in own if draw.distribution.support.continuous]
    discrete = [draw for draw in own if not draw.distribution.support.continuous]
    what = "probability" if not continuous else "density" if not discrete else "density (on a lattice, the probability)"
    factor = f"at most {base} to the cost of the shifts times that of the aligned noise"
    if own:
        sentences.append(f"So the {what} of the noise is {factor}, which gives D′ the same output.")
    if alignment.lemmas:
        words = "A call is one draw of its output: its lemma bounds the ratio of the probabilities on D and D′"
        good = "" if alignment.delta is None else ", of the good part of what D gives where the lemma has a delta,"
        sentences.append(f"{words}{good} by {base} to the cost of the call [{_CALLS}].")
    if continuous:
        sentences.append(_determinant(proof))
    what = "Different noise is aligned with different noise" + (", so that nothing is counted twice" if own else "")
    sentences.append(f"{what}. {_over_all_outputs(proof)}")
    return " ".join(sentences)


def _over_all_outputs(proof: Proof) -> str:
    """How the bound for each output gives the claim; for analysts who choose queries, by the theorem that is used."""
    theorem = None if proof.theory is None or ADAPTIVE_QUERIES not in proof.conditions else proof.theory.planned.theorem
    if theorem is Theorem.STEPS:
        return (
            "The analyst chooses each query after the outputs so far, real ones too: by Theorem 2 of the page on "
            "adaptive queries, which changes the noise of one step at a time, the claim holds for all analysts, those "
            "who never stop included."
        )
    lists = ", of lists of draws and of iterations that leave loops" if one_output_many_draws(proof) else ""
    words = (
        f"Sum over the countably many values of tags, indices and lengths{lists}: on each part the shifts are one and "
        "the same map"
    )
    if theorem is Theorem.DISCRETE:
        return (
            f"{words} for queries that are fixed in advance. There are countably many finite outputs, and each fixes "
            "the queries that lead to it: by Theorem 1 of the page on adaptive queries the claim holds for all "
            "analysts, those who never stop included."
        )
    return f"{words}."


def _pages(proof: Proof) -> str:
    """The pages that prove what the last paragraph says."""
    theorem = None if proof.theory is None or ADAPTIVE_QUERIES not in proof.conditions else proof.theory.planned.theorem
    pages = {
        Theorem.STEPS: "docs/theory/adaptive-queries.md#theorem-2-real-outputs",
        Theorem.DISCRETE: "docs/theory/adaptive-queries.md#theorem-1-countably-many-outputs",
    }
    return ", ".join((f"{CONDITIONS_PAGE}#why-this-is-enough", *([pages[theorem]] if theorem in pages else [])))


def _determinant(proof: Proof) -> str:
    how = proof.conditions["one_to_one"].how
    if how.startswith("each shift depends on earlier noise only"):
        fixed = "output, list of draws and way out of each loop" if one_output_many_draws(proof) else "output"
        return f"For a fixed {fixed} the map from H to H′ is triangular with ones on its diagonal, so |det J| = 1."
    if "|det J| = 1" in how:
        return "On each piece of the noise |det J| = 1: the map from H to H′ keeps volumes there, and is one-to-one."
    if "|det J|" in how:
        return "On each piece the determinant of the map is known, and -log |det J| is part of the cost."
    return f"The map from H to H′ is one-to-one ({how.replace('`', '')})."


@dataclass(frozen=True)
class Explanation:
    """A document on the result of a check."""

    result: Result
    document: Document


@public
def explain(alignment: Alignment, *, timeout: float = 60.0, seed: int = 0) -> Explanation:
    """Check an alignment anew and explain the result.

    >>> from alignkit.proofs.laplace import phi
    >>> explain(phi).result.verdict
    <Verdict.PROVED: 'proved'>
    """
    result, proof = check_with_proof(alignment, timeout=timeout, seed=seed, effort=0)
    return Explanation(result, explanation_of(alignment, result, proof))


def explanation_of(alignment: Alignment, result: Result, proof: Proof | None) -> Document:
    """Explain a result by the proof that it rests on; without a complete proof the text is none."""
    names, limits = _names_given(alignment), alignment.delta is not None
    with selections_of_a_run(*_selections(alignment), _letter(alignment), names, limits=limits):
        return _explanation_of(alignment, result, proof)


def _selections(alignment: Alignment) -> tuple[int, int]:
    """How often a run selects a given number of positions, and how often as many as a parameter says."""
    nodes = walk(*alignment.mechanism.program.body)
    calls = [node for node in nodes if isinstance(node, Builtin) and node.function == "largest"]
    named = sum(isinstance(call.arguments[-1], Constant) for call in calls)
    return named, len(calls) - named


def _with_calls(alignment: Alignment) -> Iterator[Node]:
    """The nodes of a mechanism, and of all that it calls without a lemma."""
    by_lemma = {lemma.mechanism.name for lemma in alignment.lemmas}
    waiting: list[Function] = [alignment.mechanism.program]
    met: set[str] = set()
    while waiting:
        for node in walk(*waiting.pop().body):
            yield node
            if isinstance(node, Call) and node.function.name not in met | by_lemma:
                met.add(node.function.name)
                waiting.append(node.function)


def _letter(alignment: Alignment) -> str:
    """What to call the iteration at hand: `i`, unless the mechanism gives this name to something else."""
    mechanism = alignment.mechanism
    nodes = [*walk(*mechanism.program.body)]
    counts = {id(node) for node in nodes if isinstance(node, For) and _is_count(node)}
    bound = [n.target for n in nodes if isinstance(n, Assign) or (isinstance(n, For) and id(n) not in counts)]
    taken = {*mechanism.public, *mechanism.private, *(name for target in bound for name in target_names(target))}
    return next((letter for letter in ("i", "m", "n", "round") if letter not in taken), "i")


def _names_given(alignment: Alignment) -> frozenset[str]:
    """The names of parameters and variables, in the mechanism and in the alignment."""
    mechanism = alignment.mechanism
    nodes = [*_with_calls(alignment), *walk(*alignment.program.body)]
    bound = (node.target for node in nodes if isinstance(node, Assign | For))
    variables = (name for target in bound for name in target_names(target))
    return frozenset({*mechanism.public, *mechanism.private, *variables})


def _is_count(loop: For) -> bool:
    """Whether the variable of a loop is the number of its iteration."""
    over = loop.iterable
    return isinstance(over, Builtin) and over.function in ("range", "enumerate") and len(over.arguments) == 1


def _explanation_of(alignment: Alignment, result: Result, proof: Proof | None) -> Document:
    if result.counterexample is not None:
        return Document((*_opening(alignment, result), *_refutation(alignment, result, result.counterexample)))
    if result.proved and proof is not None and proof.complete and all(d.holds for d in proof.decided):
        return Document((*_opening(alignment, result, proof), *_proof(alignment, result, proof)))
    return Document((*_opening(alignment, result), *_attempt(result, proof)))


def _opening(alignment: Alignment, result: Result, proof: Proof | None = None) -> Iterator[Block]:
    """The claim, the mechanism and the alignment; ``proof`` is a complete proof of the claim, if there is one."""
    claim = claim_shown(result.claim, result.ex_post, result.base, result.delta)
    name = f"{result.mechanism} / {result.alignment}"
    if proof is not None:
        yield Heading(f"{name}: a proof of {claim}", 1)
        yield Paragraph(" ".join(theorem(alignment, result, proof)), "Theorem.")
    elif result.counterexample is not None:
        yield Heading(f"{name}: the alignment does not prove {claim}", 1)
        yield Paragraph(" ".join(theorem(alignment, result)), "Claim, which this alignment does not prove.")
    else:
        yield Heading(f"{name}: {claim} is not decided", 1)
        yield Paragraph(f"{_capital(adjacency_shown(result.adjacency, result.sensitivities.values()))}.")
    yield from _mechanism(alignment)
    yield from _alignment(alignment)


def _mechanism(alignment: Alignment) -> Iterator[Block]:
    text = as_pseudocode(alignment.mechanism.python, Notation.of(alignment.mechanism))
    if text is not None:
        yield Heading("The mechanism")
        yield Code(text)
        yield from _helpers(alignment)


def _helpers(alignment: Alignment) -> Iterator[Block]:
    """The functions that the mechanism or the alignment calls, mechanisms aside."""
    bodies = (alignment.mechanism.python, alignment.mechanism.program), (alignment.python, alignment.program)
    notation = Notation.of(alignment.mechanism)
    found: dict[str, str | None] = {}
    for python, program in bodies:
        waiting = [program]
        while waiting:
            for node in walk(*waiting.pop().body):
                if isinstance(node, Call) and not isinstance(node, MechanismCall) and node.function.name not in found:
                    function = getattr(python, "__globals__", {}).get(node.function.name)
                    text = as_pseudocode(function, notation, heading=True) if callable(function) else None
                    found[node.function.name] = text
                    waiting.append(node.function)
    texts = list(filter(None, found.values()))
    if texts:
        yield Paragraph("where" if len(texts) == 1 else "where these functions are called:")
        yield Code("\n\n".join(texts))


def _alignment(alignment: Alignment) -> Iterator[Block]:
    formulas = alignment_formulas(alignment.python, Notation.of(alignment.mechanism))
    if not alignment.mechanism.draws:
        return
    yield Heading("The alignment")
    if formulas is None:
        yield from _source(alignment.python)
        return
    if formulas.definitions:
        yield Code("\n".join(formulas.definitions))
    named = {shift.draw.partition("[")[0] for shift in formulas.shifts}
    for shift in formulas.shifts:
        draw, bracket, index = shift.draw.partition("[")
        minus = len(shift.cases) == 1 and shift.cases[0].shift.startswith("-")
        plus = " - " if minus else " + "
        cases = tuple((case.shift[1:] if minus else case.shift, case.where) for case in shift.cases)
        yield CasesFormula(f"{draw}′{bracket}{index}", f"{shift.draw}{plus}", cases, shift.over)
    own = own_draws(alignment)
    still = [name_of_draw(draw) for draw in own if draw.key not in named]
    if still:
        yield Paragraph(f"All other noise stays as it is: {', '.join(still)}.")
    if len(own) < len(alignment.mechanism.draws):
        yield Paragraph(f"A call with a lemma is one step, whose output is the same on D′ [{_CALLS}].")
    costs = "; ".join(f"for {of} noise {cost}" for of, cost in what_shifts_cost(own))
    if costs:
        logarithm = "ln" if alignment.base is None else "log2"
        words = f"What a shift of a draw costs is a bound on {logarithm} `f(x) / f(x + shift)`"
        yield Paragraph(f"{words}, where `f` is its density, or on a lattice its probability: {costs}.")
    if formulas.limits:
        yield Paragraph("The alignment is for noise within these limits, and for no other:")
        yield BulletList(tuple(_limit(form, limit) for form, limit in formulas.limits))


def _limit(form: LimitForm, limit: ShiftOfDraw) -> str:
    """A limit as it is stated, case by case."""
    words = {
        LimitForm.BELOW: "`{} < {}`",
        LimitForm.ABOVE: "`{} > {}`",
        LimitForm.DISTINCT: "`{} + {}` is not the same for any two positions",
    }[form]
    cases = [
        f"{'no limit' if case.shift == 'None' else words.format(limit.draw, case.shift)}"
        f"{f' {_tests_in_code(case.where)}' if case.where else ''}"
        for case in limit.cases
    ]
    return f"{'; '.join(cases)}{f' (for `{limit.over}`)' if limit.over else ''}."


def _tests_in_code(words: str) -> str:
    """The words of a case, "if" and a test, with the test as a formula."""
    word, blank, test = words.partition(" ")
    return f"{word} `{test}`" if blank and word == "if" else words


def _source(function: Callable[..., object]) -> Iterator[Block]:
    try:
        text = textwrap.dedent(inspect.getsource(function)).rstrip()
    except (OSError, TypeError):
        return
    yield Code(text, "python")


def _proof(alignment: Alignment, result: Result, proof: Proof) -> Iterator[Block]:
    yield Heading("Proof")
    charges = None if proof.charges is None else _charges(alignment, result, proof.charges)
    if charges is None or proof.charges is None:
        words = ["Fix adjacent D and D′, noise `H`, and the output `omega` that D gives on `H`."]
    else:
        yield Heading("What delta pays for", 3)
        yield Paragraph(f"Fix adjacent D and D′, in either order.{_of_iterations(proof.charges)}")
        yield from charges.blocks()
        yield Heading("Good runs of D", 3)
        words = ["Fix adjacent D and D′, in either order, noise `H` on which D's run is good, and its output `omega`."]
        words.append("All that follows is for good runs; where two noise vectors are compared, D's runs on both are.")
    selects = any(isinstance(n, Builtin) and n.function == "largest" for n in _with_calls(alignment))
    words.append(f"The answers of D′{', and what it selects,' if selects else ''} carry a prime.")
    if selects and any(draw.distribution.support.continuous for draw in alignment.mechanism.draws):
        words.append("Noise with which `largest` compares equal numbers on D has probability 0, and is left out.")
    words = [f"{' '.join(words)}{_of_iterations(proof)}"]
    yield Paragraph(words[0])
    last = "the last paragraph is" if charges is None else "the last two paragraphs are"
    words = [f"References in brackets are to lemmas; {last} the general theorem."]
    words.append(f"All else was decided for this program, as {len(proof.decided)} obligations.")
    yield Paragraph(" ".join(words))
    yield from Argument(alignment, proof, calls_by_lemmas(alignment, result)).blocks()
    concluded = f"{conclusion(alignment, proof)} [{_pages(proof)}]"
    if charges is not None:
        yield Paragraph(concluded, "For all programs.")
        concluded = f"{_with_delta(alignment)} [{DELTA_PAGE}#the-theorem]"
    yield Paragraph(f"{concluded} ∎", "For all programs." if charges is None else "Both parts.")
    yield Heading("What it rests on")
    said = [_of_shifts(_with_code(text)) for text in worst_case_shown(result)]
    said.append(f"numbers: {number_model_shown(result.number_model)}")
    said += lemmas_used(alignment)
    said += [f"assumption: {_with_formula(assumption, proof)}" for assumption in result.assumptions]
    yield BulletList(tuple(f"{_capital(text)}." for text in said))


def _charges(alignment: Alignment, result: Result, charges: Proof) -> Charges:
    of_calls = (_delta_by_lemma(alignment, call) for call in result.calls if call.lemma and call.delta != "0")
    return Charges(alignment, charges, tuple(of_calls), _names_given(alignment))


def _of_iterations(proof: Proof) -> str:
    loops = proof.theory is not None and proof.theory.planned.plans
    return f" `{name_of_iteration()}` is the iteration at hand." if loops else ""


def _with_delta(alignment: Alignment) -> str:
    """How the bound for good runs and the bound on all others give the claim."""
    base = f"e^({alignment.claim})"
    good = f"the probability that D's run is good and its output is in E is at most {base} times that D′ gives one in E"
    other = f"D's run is not good with probability at most {alignment.delta}"
    total = f"P(D gives an output in E) ≤ {base} P(D′ gives one in E) + {alignment.delta}"
    return f"For every set E of outputs {good}, and {other}. So {total}, for both orders of each pair."


def _with_code(text: str) -> str:
    """The text with the call of `replay` in it as code."""
    before, colon, call = text.partition("attained by: ")
    return f"{before}{colon}`{call}`" if colon else text


def _of_shifts(text: str) -> str:
    """What is said of the cost is said of the shifts: the mechanism may lose less."""
    of_shifts = "cost of the shifts, which may be more than what the mechanism loses"
    if not text.startswith(("worst case", "cost")):
        return text
    return f"{of_shifts}: {text.replace('worst case of the shifts', 'worst case', 1)}"


def _refutation(alignment: Alignment, result: Result, refutation: Counterexample) -> Iterator[Block]:
    yield Heading("Where the argument breaks")
    title = TITLES.get(refutation.condition, refutation.condition)
    words = plain(refutation.words)
    where = f"line {refutation.line} of {'/'.join(Path(refutation.file).parts[-2:])}"
    yield Paragraph(f"The condition {title!r} fails at {where}: {words}.")
    yield Code("\n".join(render(rows(refutation.witness, refutation.omega, refutation.omega_))))
    if refutation.condition == "one_to_one" and refutation.H_other is not None:
        yield from _collision(refutation)
        yield _whether_it_leaks(result)
        return
    pair = trace_of(alignment, result)
    if pair is not None:
        yield Paragraph("Both runs, step by step:")
        yield Code(str(pair))
    if refutation.condition == LIMITS:
        words = "Exact replay confirms that this noise breaks a limit. How probable that is at least follows from"
        yield Paragraph(f"{words} tails of draws on all paths of D at these answers [{DELTA_PAGE}#what-is-refuted].")
        yield _whether_it_leaks(result)
        return
    cost = cost_against_claim(refutation.cost, refutation.claim, result.claim, at_least=refutation.at_least)
    confirmed = "" if refutation.at_least else " Exact replay of both runs confirms this."
    within = "" if alignment.delta is None else " No draw of D breaks its limit here."
    yield Paragraph(f"{_capital(cost)}.{confirmed}{within}")
    persists = _persists(alignment, refutation)
    if persists:
        yield Paragraph(persists)
    yield _whether_it_leaks(result)


def _persists(alignment: Alignment, refutation: Counterexample) -> str:
    """How it was checked that a failure is no coincidence of probability 0."""
    drawn = {name for name, value in refutation.witness.H.items() if any(coordinates(value))}
    supports = {draw.key: draw.distribution.support for draw in alignment.mechanism.draws if draw.key in drawn}
    if not any(support.continuous for support in supports.values()):
        return "No noise in it is continuous, so that `H` has a probability above 0." if drawn <= {*supports} else ""
    distances = ", or else ".join(f"`{distance}`" for distance in MOVED_BY)
    tried = f"all of {PERTURBATIONS} noise vectors tried near `H`"
    words = f"This is no tie alone, which would have probability 0: the same condition fails on {tried}"
    return f"{words}, whose continuous coordinates are moved at random by up to {distances} [{_REFUTES}]."


# The page that says when a failure refutes.
_REFUTES = f"{CONDITIONS_PAGE}#what-refutes"

# What a refuted alignment leaves open, and what answers it.
_WHERE_LEAKS_ARE = (
    "This refutes the alignment only. Whether the mechanism itself leaks is another question: `alignkit check` "
    "says what is certified of it, and `alignkit attack` searches for a leak."
)


def certified_leak(result: Result) -> str:
    """The loss above the claim that was certified, in a sentence; empty where none was."""
    privacy = result.privacy
    if privacy.status != "not private" or privacy.leak is None:
        return ""
    delta = [] if privacy.leak.delta is None else leak_shown(privacy)[:1]
    return _capital("; ".join((privacy_shown(result), *delta))) + "."


def _whether_it_leaks(result: Result) -> Paragraph:
    return Paragraph(certified_leak(result) or _WHERE_LEAKS_ARE)


def _collision(refutation: Counterexample) -> Iterator[Block]:
    """Two noise vectors with one output and one image."""
    witness, other = refutation.witness, refutation.H_other or {}
    yield Paragraph("Both of these noise vectors give D the same output, and the alignment moves both to the same one:")
    image = witness.H_ or {}
    lines = [
        f"{name}: H {show(value)}, another H {show(other.get(name))}, aligned {show(image.get(name))}"
        for name, value in witness.H.items()
    ]
    yield Code("\n".join((*lines, f"output on D: {show(refutation.omega)}")))
    yield Paragraph("So the noise of D′ is counted twice, and the bound on its probability does not follow.")


def _attempt(result: Result, proof: Proof | None) -> Iterator[Block]:
    yield Paragraph("This is not a proof. It says what was shown, and what is missing.")
    if result.delta is not None:
        yield Paragraph("What is said of D′ and of costs is for runs of D in which no draw breaks its limit.")
    decided = () if proof is None else proof.decided
    for title, wanted in (("What is shown", True), ("What is missing", False)):
        yield Heading(title)
        empty = True
        for name, condition in result.conditions.items():
            said = condition.status is Verdict.PROVED
            met = said and proof is not None and all(d.holds for d in decided if d.obligation.condition == name)
            found = what_is_owed(decided, name, holds=wanted)
            if met is wanted and met is said:
                yield Paragraph(f"{_capital(TITLES[name])}. {_capital(plain(condition.how))}.")
            elif found:
                yield Paragraph(f"{_capital(TITLES[name])}, in part:")
            elif name == LIMITS and not wanted and not said:  # its obligations are of a proof of their own
                yield Paragraph(f"{_capital(TITLES[name])}. {_capital(plain(condition.how))}.")
            else:
                continue
            empty = False
            yield from _listed(found)
        if empty:
            yield Paragraph("Nothing.")
    notes = tuple(map(plain, (*result.assumptions, *result.notes)))
    if notes:
        yield BulletList(notes)


def _listed(items: tuple[str, ...]) -> Iterator[Block]:
    if items:
        yield BulletList(items)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
