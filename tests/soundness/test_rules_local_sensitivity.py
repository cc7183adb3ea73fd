"""A sensitivity that holds under a condition: where neither D nor D' meets it, nothing is known of the answer's change.

The last row of the first table of docs/theory/delta.md, propose-test-release, and programs next to it. Each row says
why it is private, or which pair of databases it forgets.
"""

import itertools
import random

import pytest
from support.near_misses import Program, Table, right, wrong

from alignkit import attack, check, confirm, explain, find
from alignkit.errors import InputError, LanguageError
from alignkit.explorer.page import explorer_page
from alignkit.running.adjacency import Adjacency, check_adjacent
from alignkit.running.adjacent_pairs import random_pairs

TABLE = Table()

DELTA = '"exp(-eps * t) / 2"'
STABLE = "d > 0 or d_ > 0"
TEST = "if d + e <= t:"
RELEASED = "    return v + x"

TABLE.base(
    """
    NOTHING = Tag("NOTHING")

    @mechanism
    def released(
        v: Annotated[Query, Sensitivity(1, where="d > 0")], d: Query, t: Positive, eps: Epsilon, noise: Noise
    ):
        e = noise.laplace(1 / eps)
        if d + e <= t:
            return NOTHING
        x = noise.laplace(1 / eps)
        return v + x

    @alignment(released, epsilon="2 * eps", delta="exp(-eps * t) / 2")
    def phi(v, v_, d, d_, H, t):
        stable = d > 0 or d_ > 0
        return H.shift(e=d - d_, x=v - v_ if stable else 0).below(e=None if stable else t)
    """,
    right("propose, test, release", "the limit is broken with this probability where nothing is known of v",
          checked=True),
    right("limits where D is unstable", "what is below t at d <= 0 releases nothing", {
          "below(e=None if stable": "below(e=None if d > 0"}),
    right("strictly above", "noise of exactly t has no probability", {TEST: "if d + e < t:"}),
    right("a condition in other words", "not d <= 0 is d > 0", {'where="d > 0"': 'where="not (d <= 0)"'}),
    right("a public margin", "the test adds the margin of the condition", {
          "t: Positive,": "t: Positive, r: Positive,", 'where="d > 0"': 'where="d > r"', TEST: "if d + e <= t + r:",
          STABLE: "d > r or d_ > r", "(v, v_, d, d_, H, t)": "(v, v_, d, d_, H, t, r)"}),
    right("two budgets", "each draw costs its own", {
          "e = noise.laplace(1 / eps)": "e = noise.laplace(2 / eps)", '"2 * eps"': '"3 * eps / 2"',
          DELTA: '"exp(-eps * t / 2) / 2"'}),
    right("a named sensitivity", "v changes by at most s", {
          "Sensitivity(1, w": 'Sensitivity("s", w', "t: Positive,": "t: Positive, s: Positive,",
          "x = noise.laplace(1": "x = noise.laplace(s"}),
    wrong("half of delta", "noise of t and more has this probability", {DELTA: '"exp(-eps * t) / 4"'}, fails="limits"),
    wrong("a larger threshold in delta", "the test is at t", {DELTA: '"exp(-eps * (t + 1)) / 2"'}, fails="limits"),
    wrong("a larger threshold in the limit", "noise between t and t + 1 releases v",
          {"else t)": "else t + 1)", DELTA: '"exp(-eps * (t + 1)) / 2"'}),
    wrong("no noise in the test", "d of t and of t + 1 are told apart", {
          "d + e <= t": "d <= t"}, refuted=True),
    wrong("no test", "v is released where it has no sensitivity", {TEST: "if d + e < t and d + e > t:"}, refuted=True),
    wrong("the test turned round", "v is released where d is small", {TEST: "if d + e > t:"}, refuted=True),
    wrong("an unstable answer beside the tag", "half of v is released without a test", {
          "return NOTHING": "y = noise.laplace(1 / eps)\nreturn v + y"}),
    wrong("one budget for both draws", "the test and the release cost eps each", {'"2 * eps"': '"eps"'}, fails="cost"),
    wrong("a distance that changes by 2", "the test then costs 2 eps", {
          "d: Query": "d: Annotated[Query, Sensitivity(2)]"}, fails="cost"),
    wrong("a sensitivity of 2", "v changes by 2 where d > 0", {"Sensitivity(1, w": "Sensitivity(2, w"}, fails="cost"),
    wrong("a condition that holds later", "between 0 and 1 the test is passed more easily", {
          'where="d > 0"': 'where="d > 1"', STABLE: "d > 1 or d_ > 1"}),
    wrong("the condition of the alignment is weaker", "at d of 0 the change of v has no bound", {
          STABLE: "d >= 0 or d_ >= 0"}),
    wrong("only D' tells", "where d > 0 and d' <= 0 the release is not followed", {STABLE: "d_ > 0"}),
    wrong("both must be stable", "where one is, the release is not followed", {STABLE: "d > 0 and d_ > 0"}),
    wrong("another answer in the condition", "the test is about d", {
          'where="d > 0"': 'where="c > 0"', "d: Query": "d: Query, c: Query"}),
    wrong("two conditions, one tested", "c may be 0 where d is large", {
          'where="d > 0"': 'where="d > 0 and c > 0"', "d: Query": "d: Query, c: Query"}),
    right("two conditions, either is enough", "v is known to be stable wherever d is", {
          'where="d > 0"': 'where="d > 0 or c > 0"', "d: Query": "d: Query, c: Query"}),
    wrong("the shift of the release is left out", "v itself changes", {"x=v - v_ if stable else 0": "x=0"},
          refuted=True),
    wrong("the shift of the test is left out", "d changes", {"e=d - d_": "e=0"}),
)

TABLE.base(
    """
    @mechanism
    def positive_part(v: Annotated[Query, Sensitivity(1, where="v > 0")], eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / eps)
        return max(v, 0) + x

    @alignment(positive_part, epsilon="eps")
    def phi(v, v_, H):
        return H.shift(x=max(v, 0) - max(v_, 0))
    """,
    right("its own condition", "two answers of at most 0 become 0", checked=True),
    wrong("the answer itself", "below 0 it changes by anything", {
          "max(v, 0) + x": "v + x", "max(v, 0) - max(v_, 0)": "v - v_"}, refuted=True),
    wrong("a part that begins earlier", "between -1 and 0 it changes by up to 1 beside what follows", {
          "max(v, 0) + x": "max(v, -1) + x", "max(v, 0) - max(v_, 0)": "max(v, -1) - max(v_, -1)", "v > 0": "v > 1"}),
    wrong("the negative part", "where it is not 0, there is no sensitivity", {
          "max(v, 0) + x": "min(v, 0) + x", "max(v, 0) - max(v_, 0)": "min(v, 0) - min(v_, 0)"}, refuted=True),
    right("a product of a public number", "two answers of at most a become a", {
          "v > 0": "2 * v > 2 * a", "eps: Epsilon": "a: Real, eps: Epsilon", "max(v, 0) + x": "max(v, a) + x",
          "max(v, 0) - max(v_, 0)": "max(v, a) - max(v_, a)", "(v, v_, H)": "(v, v_, H, a)"}),
)

TABLE.base(
    """
    @mechanism
    def beside_a_list(
        q: Queries, v: Annotated[Query, Sensitivity(1, where="d > 0")], d: Query, T: Real, eps: Epsilon, noise: Noise
    ):
        e = noise.laplace(1 / eps)
        for q_i in q:
            x = noise.laplace(2 / eps)
            if q_i + x >= T + e:
                yield ABOVE
                break
            yield BELOW

    @alignment(beside_a_list, epsilon="2 * eps")
    def phi(q, q_, omega, H):
        return H.shift(e=1, x=[1 + q[i] - q_[i] if w == ABOVE else 0 for i, w in enumerate(omega)])
    """,
    right("not read", "v goes nowhere"),
    wrong("in the threshold", "where d is at most 0 the threshold moves by anything", {"T + e": "T + v + e"}),
    wrong("in the threshold, with its change", "the change costs more than eps", {
          "T + e": "T + v + e", "(q, q_, omega, H)": "(q, q_, v, v_, omega, H)", "e=1": "e=1 + v - v_"}, fails="cost"),
)


@pytest.mark.parametrize("program", TABLE.right())
def test_what_is_private_is_proved(program: Program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


@pytest.mark.parametrize("program", TABLE.wrong())
def test_what_is_wrong_is_not_proved(program: Program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


def _program(name: str, tmp_path):
    return next(row.values[0] for row in (*TABLE.right(), *TABLE.wrong()) if row.values[0].name == name).load(tmp_path)


def test_a_test_without_noise_is_convicted_near_the_true_delta(tmp_path):
    bare = _program("no noise in the test", tmp_path).mechanism
    found = attack(bare, claim="2 * eps", delta="exp(-eps * t) / 2", parameters={"t": 5}, effort=400, seed=1)
    assert found.violates
    assert found.delta > 0.9


def test_the_proof_says_where_the_sensitivity_holds(tmp_path):
    alignment = _program("propose, test, release", tmp_path)
    result = check(alignment, effort=0)
    assert result.proved
    assert any("v changes by at most 1 where d > 0 on D or on D'" in words for words in result.assumptions)
    told = "`v`, an answer, with sensitivity `1 where d > 0` on D or on D′, and elsewhere any change"
    assert told in str(explain(alignment))


def test_pairs_that_the_condition_excludes_are_refused(tmp_path):
    alignment = _program("propose, test, release", tmp_path)
    near = {"t": 1, "eps": 1, "H": {"e": 0}}
    assert not alignment.replay(v=0, v_=100, d=0, d_=0, **near).violation
    with pytest.raises(InputError, match=r"v changes by 2, more than the sensitivity 1, which holds where d > 0"):
        alignment.replay(v=0, v_=2, d=0, d_=1, **near)


def test_floats_in_a_condition_are_read_as_decimals(define):
    text = SHORT.format(parameters="v: Annotated[Query, Sensitivity(1, where='d - 0.1 >= 0.2')]", adjacency="each")
    alignment = define(text).phi
    with pytest.raises(InputError, match="more than the sensitivity 1"):
        alignment.replay(v=0, v_=2, d=0.3, d_=0.3, eps=1, H={"x": 0})


def test_random_pairs_meet_conditions_on_one_another(define):
    both = "v: Annotated[Query, Sensitivity(1, where='w > 0')], w: Annotated[Query, Sensitivity(1, where='v > 0')]"
    mechanism = define(SHORT.format(parameters=both, adjacency="each")).released
    pairs = list(itertools.islice(random_pairs(mechanism, Adjacency.EACH, random.Random(1)), 200))
    for pair in pairs:
        check_adjacent(Adjacency.EACH, mechanism, pair.values, pair.values_)
    assert any(abs(pair.q_["v"] - pair.q["v"]) > 1 for pair in pairs)


def test_who_does_not_know_conditions_says_so(tmp_path):
    alignment = _program("propose, test, release", tmp_path)
    assert "the sensitivity 1 where d > 0" in str(confirm(alignment))
    with pytest.raises(InputError, match="no alignments are proposed where a sensitivity holds under a condition"):
        find(alignment.mechanism)
    with pytest.raises(InputError, match="a page does not cover the sensitivity of v"):
        explorer_page(alignment)


SHORT = """
    @mechanism
    def released({parameters}, d: Query, eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / eps)
        return d + x

    @alignment(released, epsilon="eps", adjacency="{adjacency}")
    def phi(d, d_, H):
        return H.shift(x=d - d_)
"""


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ("v: Annotated[Queries, Sensitivity(1, where='d > 0')]", "that of one answer, a Query"),
        ("v: Annotated[Query, Sensitivity(1, where='c > 0')]", "uses `c`, which is not available here"),
        ("v: Annotated[Query, Sensitivity(1, where='d >')]", "write for example d > 0"),
        ("v: Annotated[Query, Sensitivity(1, where='d')]", "condition"),
        ("v: Annotated[Query, Sensitivity(1, where='')]", "not an expression"),
        ("v: Annotated[Query, Sensitivity(1, where='1 / d > 0')]", "not covered in the condition on a sensitivity"),
        ("v: Annotated[Query, Sensitivity(1, where='abs(d) > 0')]", "write comparisons of sums and products"),
        ("v: Annotated[Query, Sensitivity(1, where='d > 0 # sure')]", "leave out what begins with #"),
        ("v: Annotated[Query, Sensitivity(1, where='eps > 0')]", "reads no private answer"),
        ("v: Annotated[Query, Sensitivity(1, where='True')]", "reads no private answer"),
        ("v: Annotated[Query, Sensitivity(1, where=3)]", "where must be a condition in a string"),
        ("v: Annotated[Query, Sensitivity(0, where='d > 0')]", "must be above 0"),
        ("q: Queries, v: Annotated[Query, Sensitivity(1, where='q > 0')]", "uses `q`"),
    ],
)
def test_what_is_no_condition_is_refused(parameters, words, define):
    with pytest.raises((InputError, LanguageError), match=words):
        define(SHORT.format(parameters=parameters, adjacency="each"))


@pytest.mark.parametrize("adjacency", ["monotone", "one", "few(2)", "l1"])
def test_other_adjacencies_are_refused(adjacency, define):
    parameters = "v: Annotated[Query, Sensitivity(1, where='d > 0')]"
    with pytest.raises(InputError, match="covered under adjacency each only"):
        define(SHORT.format(parameters=parameters, adjacency=adjacency))


def test_a_lemma_about_such_a_mechanism_is_refused(define):
    text = SHORT.format(parameters="v: Annotated[Query, Sensitivity(1, where='d > 0')]", adjacency="each")
    with pytest.raises(InputError, match="that a call meets it is not covered"):
        define(
            text
            + """
    @mechanism
    def caller(v: Query, d: Query, eps: Epsilon, noise: Noise):
        return released(v, d, eps, noise)

    @alignment(caller, epsilon="eps", lemmas=[phi])
    def of_caller(H):
        return H.shift()
"""
        )
