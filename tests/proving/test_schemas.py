"""Facts that a proof takes for true of every program, held against Python on random lists.

Each is evaluated at indices in the list, below 0 and beyond its end; it must say what Python says.
"""

from __future__ import annotations

import random
from contextlib import nullcontext
from fractions import Fraction

import pytest
from support.concrete_numbers import Numbers, instances

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, Reals, alignment, clamp, mechanism
from alignkit.interpreting import operations as op
from alignkit.interpreting.exploring import Choices
from alignkit.interpreting.values import Coordinate, Family
from alignkit.language.program import Builtin, walk
from alignkit.language.tags import Tag
from alignkit.noise import LAPLACE
from alignkit.proving.conditions.finite_choices import cost_of_draw
from alignkit.proving.conditions.vector_costs import cost_of_family
from alignkit.proving.facts.known_sums import facts_of_sums, plain_sign
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.facts.ranges import either_way
from alignkit.proving.loops.output_stream import OutputStream
from alignkit.proving.runs.alignment_run import AligningContext
from alignkit.proving.runs.output_shapes import Shapes, shape
from alignkit.proving.runs.run_on_d import FamilyDraw
from alignkit.proving.symbolic_inputs import primed, unbounded
from alignkit.proving.symbolic_trial import SymbolicTrial
from alignkit.proving.vectors.selections import agree_where_named
from alignkit.running.adjacency import Adjacency
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import conjunction
from alignkit.symbolic.paths import Path
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.summation import BOUND, BOUND_SYMBOL, running_sum, sum_of_items
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


@mechanism
def sums(q: Queries, w: Reals, k: Count, m: Count, T: Real, eps: Epsilon, noise: Noise):
    n = len(q)
    e = noise.laplace(1 / eps)
    yield sum(q) + e
    yield sum(q_i for q_i in q if q_i > T) + e
    yield sum([q[i] for i in range(1, n)]) + e
    yield sum(q[i] * (i + T) for i in range(n) if i != k) + e
    yield sum([q[i + 1] - q[i] for i in range(n - 1)]) + e
    yield sum([q[n - 1 - i] if i < k else q[i] for i in range(n)]) + e
    yield sum([i * i for i in range(k, m)]) + e
    yield sum([i for i in range(-3, m)]) + e
    yield sum(range(k, n)) + e
    yield sum([max(w_i, T) * eps for w_i in w]) + e
    yield sum(abs(clamp(w_i, -1, T)) for w_i in w if w_i < 2) + e
    yield sum([q[-1] - q_i for q_i in q]) + e


@alignment(sums, epsilon="eps")
def no_shift(q, q_, H):
    return H.shift()


BUILTIN = next(node for node in walk(*sums.program.body) if isinstance(node, Builtin))
N, W, K, M = (Term.of(Symbol(name, Role.PUBLIC, integer=True, positive=name != "len(w)"))
              for name in ("len(q)", "len(w)", "k", "m"))  # fmt: skip
T = Term.of(Symbol("T", Role.PUBLIC))


def q(i) -> Term:
    return Term.of(Element("q", Term.of(i), Role.PRIVATE))


def q_(i) -> Term:
    return Term.of(Element(primed("q"), Term.of(i), Role.PRIVATE))


def w(i) -> Term:
    return Term.of(Element("w", Term.of(i), Role.PUBLIC))


def eta(i) -> Term:
    return Term.of(Element("eta", Term.of(i), Role.NOISE))


def trial_of(adjacency=Adjacency.EACH) -> SymbolicTrial:
    return SymbolicTrial(no_shift, unbounded(sums, adjacency), Path(Choices()), lambda: None)


def run_on_d(trial: SymbolicTrial):
    """D, which has drawn a vector of noise."""
    trial.run.draw_family(Coordinate("eta"), LAPLACE, lambda i: (Term.of(1),), N, BUILTIN.place)
    return trial.run


def aligning(trial: SymbolicTrial):
    return AligningContext(trial.owed, {})


def aligning_by_pieces(trial: SymbolicTrial):
    return AligningContext(trial.owed, {}, run_on_d(trial).continuous)


def concrete(draw: random.Random, n: int = 0) -> Numbers:
    """Lists of small numbers, so that many are equal; noise is so fine that none of it is."""
    n = n or draw.randint(1, 5)
    small = [[Fraction(draw.randint(-2, 2)) for _ in range(n)] for _ in range(3)]
    fine = [Fraction(draw.randint(-5 * 10**12, 5 * 10**12), 10**12 + 39) for _ in range(n)]
    arrays = {"q": small[0], primed("q"): small[1], "w": small[2][: draw.randint(0, n)], "eta": fine}
    single = {"k": draw.randint(1, 4), "m": draw.randint(1, 6), "T": draw.choice((-1, 0, Fraction(1, 2))), "eps": 1}
    return Numbers(draw, arrays, {**single, "len(q)": n, "len(w)": len(arrays["w"])})


def check_all(facts: Facts, numbers: Numbers) -> None:
    """Whatever is assumed on a path must hold, and what is assumed of all indices at some beyond either end too."""
    for known in facts.path.assumed:
        assert numbers.hold(known) or not facts.origins[known.key][0].assumed, known
    for _, at, instance in instances(facts, range(-3, int(numbers.single["len(q)"]) + 3)):
        assert numbers.hold(instance), (at, instance)


def test_sums_are_pythons():
    """Over filters, offsets, public lists and ranges that may be empty."""
    trial, draw = trial_of(), random.Random(1)
    trial.run_d()
    summed = [output.value for output in trial.run.emitted]
    for _ in range(60):
        numbers = concrete(draw)
        numbers.single["e"] = 0
        public = {name: numbers.single[name] for name in ("k", "m", "T", "eps")} | {"w": numbers.arrays["w"]}
        answers = numbers.arrays["q"]
        exact = no_shift.replay(answers, answers, H={"e": 0}, **public)
        assert [numbers.value(term) for term in summed] == list(exact.output)


def test_running_sums_of_public_items_grow_as_pythons_do():
    """Only of items that are at least 0 is it said that their sums increase."""
    inputs, draw = unbounded(sums, Adjacency.EACH), random.Random(2)
    item = w(BOUND)
    bodies = [item, abs(item), item * item, Term.of(op.maximum([item, 0])), Term.of(op.minimum([item, 0]))]
    bodies += [item.compare(">", T).choose(1, 0), item.compare(">", 0).choose(item, T), 3 * abs(item) + 1]
    bodies += [item * item * item, abs(item) * item, abs(item) * item * item, item.compare("<", 0).choose(item, 1)]
    bodies += [Term.of(op.maximum([item, bound])) for bound in (1, -1, T)] + [Term.of(op.minimum([item, 1]))]
    bodies += [Term.of(op.minimum([op.maximum([item, 1]), 2])), Term.of(op.maximum([abs(item), item * item]))]
    i, j = (Term.of(Symbol(name, Role.INDEX, integer=True)) for name in "ij")
    mentioned = [running_sum(body, at).compare("==", T) for body in bodies for at in (i, j, i + 1, i + 3)]
    mentioned += [w(at).compare("<", eta(at)) for at in (0, i, j, j - 2, N)]
    facts = [fact for fact in facts_of_sums(inputs, {}, mentioned) if fact is not True]
    assert len(facts) > 300
    for _ in range(100):
        numbers = concrete(draw)
        numbers.single |= {"i": draw.randint(-4, 7), "j": draw.randint(-4, 7)}
        assert [fact for fact in facts if not numbers.hold(fact)] == []


@pytest.mark.parametrize(
    ("body", "sign"),
    [
        (w(BOUND), None), (-abs(w(BOUND)), None), (w(BOUND) * w(BOUND), 0), (w(BOUND) * w(BOUND) + 1, 1),
        (abs(w(BOUND)), 0), (w(BOUND).exp() * 2, 1), (w(BOUND).exp() * w(BOUND), None), (Term.of(0), 0),
        (Term.of(op.maximum([w(BOUND), 1])), 1), (Term.of(op.maximum([w(BOUND), -1])), None),
        (Term.of(op.maximum([w(BOUND), T])), None), (Term.of(op.minimum([w(BOUND), 1])), None),
        (w(BOUND) * w(BOUND) * w(BOUND), None), (abs(w(BOUND)) + w(BOUND), None), (1 / w(BOUND), None),
        (1 / (w(BOUND) * w(BOUND)), None), (w(BOUND) * w(BOUND) - 1, None),
    ],
)  # fmt: skip
def test_the_sign_that_an_item_has_as_it_is_written(body, sign):
    """1 where it is above 0, and 0 where it is at least 0; nothing is said of what divides by an item."""
    assert plain_sign(body) == sign


def windows(i: Term):
    """Items that filters choose by their positions, around one that is no public number, and by what they are."""
    j, length = BOUND, op.choose((M - K).compare(">=", 0), M - K, Term.of(0))
    behind = (j.compare(">", i - K), j.compare("<=", i))
    for filters in (behind, behind[1:], behind[:1], (*behind, j.compare(">=", M - i)), (j.compare("==", i), behind[0])):
        admitted = conjunction((*filters, q(j).compare(">", T)))
        yield conjunction(filters).choose(q(j), 0), N
        yield conjunction(filters).choose(1, 0), N + i * 0 + 1
        yield admitted.choose(q(j) - q_(j), 0), length
        yield admitted.choose(w(j + 1), 0), N - 1
        yield conjunction(filters).choose(q(j).compare(">", T).choose(1, 0), 0), N
    yield q(i - j), length
    at_most = op.choose(K.compare("<=", i + 1), K, op.choose(i.compare(">=", 0), i + 1, Term.of(0)))
    yield q(i - j) * q_(i - j + 1), at_most
    yield (i - j).compare(">=", 0).choose(q(i - j), 0), K
    yield conjunction(((i - j).compare(">=", 0), j.compare(">", 0))).choose(q_(i - j), 0), M
    # The same with a threshold that the iteration has.
    small, latest = q(j).compare("<=", w(i)), q(i - j).compare(">", w(i))
    yield conjunction((*behind, small)).choose(q(j), 0), N
    yield conjunction((small, behind[1], j.compare("==", K))).choose(w(j + 1) * q_(j), 0), N
    yield conjunction((j.compare(">=", i), j.compare("<=", i - K), small)).choose(q(j), 1), length
    yield conjunction((j.compare(">=", i + K), j.compare("<=", i), small)).choose(q(j), 0), N
    yield conjunction((*behind, (2 * j).compare("<=", K))).choose(small.choose(j, w(i)), 0), N
    yield latest.choose(q_(i - j), 0), at_most
    yield conjunction(((i - j).compare(">=", 0), latest)).choose(q(i - j), 0), K
    yield latest.choose(j, 0), length


def test_sums_over_windows_are_pythons():
    """Wherever the window lies: within the list, across an end, outside, or with nothing in it."""
    i, draw = Term.of(Symbol("i", Role.INDEX, integer=True)), random.Random(9)
    summed = [(body, length, sum_of_items(body, length)) for body, length in windows(i)]
    for _ in range(80):
        numbers = concrete(draw)
        numbers.single["i"] = draw.randint(-4, 8)
        for body, length, total in summed:
            items = (substitute(body, {BOUND_SYMBOL: Term.of(j)}) for j in range(int(numbers.value(length))))
            assert numbers.value(total) == sum(numbers.value(item) for item in items), (body, numbers.single)


def test_sums_over_windows_are_pythons_where_conditions_are_known():
    """What is known decides where a window begins and ends."""
    i, draw = Term.of(Symbol("i", Role.INDEX, integer=True)), random.Random(10)
    for _ in range(20):
        numbers = concrete(draw)
        numbers.single["i"] = draw.randint(-4, 8)
        for body, length in windows(i):
            total = sum_of_items(body, length, lambda c: decided(c, numbers))  # noqa: B023
            items = (substitute(body, {BOUND_SYMBOL: Term.of(j)}) for j in range(int(numbers.value(length))))
            assert numbers.value(total) == sum(numbers.value(item) for item in items), (body, numbers.single)


def decided(condition, numbers):
    """True where a condition holds of some numbers; else the condition."""
    return condition if isinstance(condition, bool) else numbers.hold(condition) or condition


EXTREMES = {
    "answers": Family(N, q),
    "noisy answers": Family(N, lambda i: q(i) + eta(i)),
    "noise at one place": Family(N, lambda i: q(i) + eta(0)),
    "all but the first": Family(N - 1, lambda i: q(i + 1) + eta(i + 1)),
    "from the end": Family(N, lambda i: q(N - 1 - i) + eta(i) * 2),
    "filtered by public numbers": Family(N, lambda i: q(i) + eta(i), lambda i: w(i).compare(">=", T)),
    "filtered by answers": Family(N, lambda i: q_(i) - i, lambda i: q(i).compare("==", q_(i))),
    "filtered by index": Family(N, lambda i: clamped(q(i)), lambda i: i.compare("!=", K)),
    "a range": Family(op.choose((M - K).compare(">=", 0), M - K, Term.of(0)), lambda i: w(i) + K),
}  # fmt: skip


def clamped(value: Term) -> Term:
    return Term.of(op.clamped(value, -1, 1))


@pytest.mark.parametrize("begin", [run_on_d, aligning, aligning_by_pieces])
@pytest.mark.parametrize("function", ["max", "min"])
@pytest.mark.parametrize("family", EXTREMES.values(), ids=EXTREMES)
def test_an_extremum_is_pythons(family, function, begin):
    """Asked for twice, the first time under a condition, it is one number; the list may not be empty."""
    trial, draw = trial_of(), random.Random(3)
    context = begin(trial)
    asked = []
    for guard in (T.compare(">=", 0), True):
        with context.under(guard) if guard is not True else nullcontext():
            asked.append(context.reduce(function, family, BUILTIN, ((), ())))
    assert asked[0] == asked[1]
    (index,) = context.extrema.values()
    checked = 0
    for _ in range(60):
        numbers = concrete(draw)
        values = {i: numbers.value(family.element(Term.of(i))) for i in numbers.listed(family)}
        if not values:
            continue
        best = {"max": max, "min": min}[function]
        numbers.single[index.key] = best(values, key=values.__getitem__)
        check_all(trial.facts, numbers)
        assert numbers.value(asked[0]) == best(values.values())
        checked += 1
    assert checked > 20


@pytest.mark.parametrize(("begin", "name"), [
    *((run_on_d, name) for name in ("answers", "noisy answers", "noise at one place", "all but the first")),
    (aligning, "answers"), (aligning_by_pieces, "answers"),
])  # fmt: skip
def test_the_k_largest_are_those_of_a_stable_sort(begin, name):
    for k in (1, 2, 3):
        trial, draw, family = trial_of(), random.Random(4), EXTREMES[name]
        indices = begin(trial).largest(family, k, BUILTIN)
        for _ in range(40):
            numbers = concrete(draw, n=draw.randint(4, 6))
            values = [numbers.value(family.element(Term.of(i))) for i in numbers.listed(family)]
            order = sorted(range(len(values)), key=lambda i: (-values[i], i))
            numbers.single |= {index.key: at for index, at in zip(indices, order, strict=False)}
            check_all(trial.facts, numbers)


QUESTIONS = {
    "rising": Family(N, lambda i: q(i).compare("<", q_(i))),
    "the next one": Family(N - 1, lambda i: q(i + 1).compare("==", q(i))),
    "filtered": Family(N, lambda i: q(i).compare("<=", T), lambda i: i.compare("!=", K)),
    "of another list": Family(W, lambda i: w(i).compare(">", q(i)), lambda i: w(i).compare("<", 2)),
    "a range": Family(N, lambda i: (i + K).compare("<", M)),
}


@pytest.mark.parametrize("function", ["any", "all"])
@pytest.mark.parametrize("family", QUESTIONS.values(), ids=QUESTIONS)
def test_any_and_all_are_pythons(family, function):
    """Some index shows the answer where one is to be shown; the other questions on the path do not matter."""
    trial, draw = trial_of(), random.Random(5)
    context = aligning(trial)
    questions = [family, *QUESTIONS.values()]
    answers = [context.reduce(function, each, BUILTIN, ((), ())) for each in questions]
    assert answers[0] == answers[1 + list(QUESTIONS.values()).index(family)]
    witnesses = dict(zip(dict.fromkeys(answers), trial.facts.indices.selected, strict=True))
    for _ in range(60):
        numbers = concrete(draw)
        for each, answer in zip(questions, answers):
            truths = {i: numbers.hold(each.element(Term.of(i))) for i in numbers.listed(each)}
            numbers.truths[answer.name] = {"any": any, "all": all}[function](truths.values())
            showing = [i for i, true in truths.items() if true == (function == "any")]
            numbers.single[witnesses[answer].key] = next(iter(showing), draw.randint(-2, 7))
        check_all(trial.facts, numbers)


@pytest.mark.parametrize("function", ["any", "all"])
@pytest.mark.parametrize("family", QUESTIONS.values(), ids=QUESTIONS)
def test_any_and_all_on_a_run_are_pythons(family, function):
    """Of a list that may be empty, too."""
    trial, draw = trial_of(), random.Random(11)
    context = run_on_d(trial)
    answer = context.reduce(function, family, BUILTIN, ((), ()))
    (index,) = context.extrema.values()
    for _ in range(60):
        numbers = concrete(draw)
        truths = {i: numbers.hold(family.element(Term.of(i))) for i in numbers.listed(family)}
        deciding = [i for i, true in truths.items() if true == (function == "any")]
        numbers.single[index.key] = next(iter(deciding), numbers.value(family.length))
        check_all(trial.facts, numbers)
        assert numbers.hold(answer) == {"any": any, "all": all}[function](truths.values())


def outputs(ranking, offset=0) -> tuple:
    """What lists a ranking's positions, in two ways: by themselves and beside other numbers."""
    alone = Family(ranking.count - 1, lambda i: ranking.at(i + offset))
    beside = Family(ranking.count, lambda i: (q(i), ranking.at(i)))
    return (alone,) if offset else (alone, (T, beside))


@pytest.mark.parametrize("offset", [0, 1])
def test_runs_with_equal_outputs_agree_on_the_positions_that_these_list(offset):
    trial, draw = trial_of(), random.Random(6)
    context, facts = run_on_d(trial), trial.facts
    for each in ("noisy answers", "from the end"):
        context.largest(EXTREMES[each], K, BUILTIN)
    facts.universals.clear()
    agree_where_named(facts, *(outputs(ranking, offset) for ranking in facts.rankings))
    assert offset or len(facts.universals) == 2
    for _ in range(60):
        numbers = concrete(draw)
        n = int(numbers.single["len(q)"])
        count = numbers.single["k"] = draw.randint(1, n)
        order = draw.sample(range(n), n)
        unlisted = order[:offset] + order[count:]
        draw.shuffle(unlisted)
        other = unlisted[:offset] + order[offset:count] + unlisted[offset:]
        for ranking, at in zip(facts.rankings, (order, other)):
            numbers.arrays[ranking.positions] = at
            numbers.arrays[ranking.ranks] = [at.index(i) for i in range(n)]
        for _, at, instance in instances(facts, range(-3, n + 3)):
            assert numbers.hold(instance), (at, instance)


def obliged(obligations, numbers: Numbers, index: int) -> bool:
    """Whether what is obliged at an arbitrary index holds at this one."""
    goals = [owed.goal for owed in obligations]
    arbitrary = {a.key for goal in goals for a in getattr(goal, "within", ()) if a.role is Role.INDEX}
    numbers.single |= dict.fromkeys(arbitrary, index)
    return all(map(numbers.hold, goals))


@pytest.mark.parametrize("scale", [lambda i: Term.of(2), lambda i: abs(w(i)) + 1], ids=["one scale", "a scale each"])
@pytest.mark.parametrize("shift", [
    lambda i: q(i) - q_(i), lambda i: Term.of(op.choose(i.compare("==", K), 3, 0)), lambda i: clamped(q(i)) * 2 - 1,
], ids=["the change", "at one place", "clamped"])  # fmt: skip
def test_shifts_of_which_nothing_is_known_cost_at_most_their_bound(shift, scale):
    """The bound counts all as the dearest, or adds up what each costs at most; the vector may be empty."""
    trial, draw = trial_of(), random.Random(7)
    length = op.choose((N - K).compare(">=", 0), N - K, Term.of(0))
    drawn = FamilyDraw(Coordinate("eta"), "eta", LAPLACE, lambda i: (scale(i),), length, BUILTIN.place)
    bound = cost_of_family(trial.owed, drawn, shift, cost_of_draw, (), None, BUILTIN.place)
    unknown = [a for a in bound.within if a.role is Role.INDEX and "dearest" in a.key]
    checked = 0
    for _ in range(60):
        numbers = concrete(draw)
        indices = range(int(numbers.value(length)))
        costs = [numbers.value(abs(shift(Term.of(i))) / scale(Term.of(i))) for i in indices]
        bounds = []
        for dearest in range(-2, 8):
            numbers.single |= {a.key: dearest for a in unknown}
            if all(map(numbers.hold, trial.facts.path.assumed)):
                bounds.append(numbers.value(bound))
        assert bounds, "the facts can hold together"
        assert max(bounds) >= sum(costs) or not all(obliged(trial.owed.listed, numbers, i) for i in indices)
        checked += len(costs) > 1
    assert checked > 10


def test_a_condition_of_a_length_holds_or_does_not():
    draw = random.Random(8)
    conditions = (M.compare(">", K), N.compare("==", K), T.compare("<", 0))
    lengths = [op.choose(condition, N, M - K) for condition in conditions]
    for _ in range(60):
        numbers = concrete(draw)
        assert all(numbers.hold(known) for length in lengths for known in either_way(length))


OUTPUTS = [ABOVE, BELOW, (ABOVE, Term.of(3)), (ABOVE, Term.of(5)), (BELOW, (ABOVE, BELOW)), (T, BELOW), T]


def tags_within(value, path=()):
    """Each part of an output that is a tag, by the path to it."""
    if isinstance(value, tuple):
        return {at: tag for i, part in enumerate(value) for at, tag in tags_within(part, (*path, i)).items()}
    return {path: value} if isinstance(value, Tag) else {}


def second_number(value) -> int:
    """The second part of an output, where that is a whole number; else any number."""
    return int(value[1].constant) if isinstance(value, tuple) and isinstance(value[1], Term) else -1


def test_an_output_that_is_asked_for_is_the_one_at_its_position():
    """Wherever it is: the first or the last, one before the first or behind the last. So are its whole numbers."""
    draw = random.Random(8)
    paths = {path for value in OUTPUTS for path in tags_within(value)}
    at = Term.of(Symbol("j", Role.UNKNOWN, integer=True))
    stated = of_numbers = 0
    for _ in range(200):
        omega = [draw.choice(OUTPUTS) for _ in range(draw.randint(1, 4))]
        stream, facts = OutputStream.__new__(OutputStream), []
        stream.shapes = Shapes.of(map(shape, OUTPUTS))
        stream.assume = lambda formula, *origin: facts.append(formula)  # noqa: B023
        stream._known_where_asked(at, [(Term.of(i), value) for i, value in enumerate(omega)])
        for j in range(-3, len(omega) + 3):
            output = omega[j] if 0 <= j < len(omega) else draw.choice(OUTPUTS)
            asked = tags_within(output)
            names = {path: f"omega[{at.key}]" + "".join(f"[{i}]" for i in path) for path in paths}
            truths = {f"{names[path]} is {tag}": asked.get(path) is tag for path in paths for tag in (ABOVE, BELOW)}
            single = {"j": j, f"omega[{at.key}][1]": second_number(output)}
            assert all(Numbers(draw, {}, single, truths).hold(fact) for fact in facts), (omega, j)
            wrong = {name: not truth for name, truth in truths.items()}
            stated += not all(Numbers(draw, {}, single, wrong).hold(fact) for fact in facts)
            other = {**single, f"omega[{at.key}][1]": 4}
            of_numbers += not all(Numbers(draw, {}, other, truths).hold(fact) for fact in facts)
    assert stated > 300
    assert of_numbers > 100
