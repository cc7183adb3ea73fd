"""Rule 61: the function that runs is the function that was read."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from conftest import Define
from support.notebook import Notebook

from alignkit import ABOVE, InternalError, LanguageError, Tag, check
from alignkit.language.parameters import Queries, exact
from alignkit.noise.exact_sampling.drawing import ExactNoise
from alignkit.noise.exact_sampling.randomness import SeededBits
from alignkit.releasing import release_on
from alignkit.releasing.exact_release import compared_function, read_private
from alignkit.running.mechanism_decorator import Mechanism

FAR = 7654321


def released(phi, q: int, seed: int = 1):
    """The release of one answer under a proof, from seeded bits."""
    result = check(phi, effort=0)
    assert result.proved, result
    return release_on(SeededBits(seed), phi.mechanism, (q,), {"eps": 1}, result)


def python_runs(mechanism: Mechanism, q: int, noise: int):
    """What Python's own run gives; a replay raises InternalError where the evaluator's run differs."""
    return mechanism.replay(q, eps=1, H={"e": noise})


PROOF = """
@alignment(m, epsilon="0")
def phi(H):
    return H.shift()
"""


def mechanism_returning(value: str) -> str:
    return f"""
@mechanism
def m(q: Query(lattice=1), eps: Epsilon, noise: Noise):
    e = noise.geometric(1 / eps)
    return {value}
"""


# Two functions of one name

TWO_OF_ONE_NAME = """
def f(x, n):
    return x if n > 0 else (f(x, 1) if x > 1000000 else 0)

g = f

def f(x, n):
    return 0
"""


def test_a_function_that_calls_another_of_its_own_name(define: Define):
    """By its own name it calls the second one, as Python does; a release gives what was proved."""
    module = define(TWO_OF_ONE_NAME + mechanism_returning("g(q, 0)") + PROOF)
    assert released(module.phi, FAR) == 0
    assert python_runs(module.m, FAR, 5) == 0
    assert module.m.sample(FAR, eps=1, seed=1) == 0


def test_two_functions_of_one_name_are_both_current(define: Define):
    """Neither is taken for a replacement of the other."""
    module = define(TWO_OF_ONE_NAME.replace("else 0)", "else x)") + mechanism_returning("g(q, 0) + e - f(q, 1)") + """
@alignment(m, epsilon="eps * abs(1)")
def phi(q, q_, H):
    return H.shift(e=q - q_ + 1)
""")
    check(module.phi, effort=0)  # raises nothing


def test_a_function_whose_name_is_bound_by_wraps(define: Define):
    """What a function says of itself does not decide what runs."""
    module = define("""
import functools

def zero(x):
    return 0

def identity(x):
    return x

functools.wraps(zero)(identity)
""" + mechanism_returning("zero(q) + identity(q) - q") + PROOF)
    assert released(module.phi, FAR) == 0


# Names of our own

HELPERS = {
    "__alignkit_draws__": ("a, b, c, d", "[0 for x in d]", "0, 0, 0, q"),
    "__alignkit_divide__": ("a, b", "a * 0 + b / 1000000000", "q[0], 1"),
    "__alignkit_exact__": ("a", "a", "1"),
    "outer": ("a", "a", "1"),
}


@pytest.mark.parametrize("name", HELPERS)
def test_a_helper_that_is_called_what_might_be_generated(name: str, define: Define):
    """Lists of draws, quotients and decimals stay what they are, and all noise is added."""
    parameters, value, arguments = HELPERS[name]
    module = define(f"""
def {name}({parameters}):
    return {value}

@mechanism
def m(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
    unused = {name}({arguments})
    e = [noise.discrete_laplace(0.5 * len(q) / (0.5 * eps)) for q_i in q]
    return [a + b for a, b in zip(q, e)]
""")
    outputs = {tuple(run_on_exact_noise(module.m, seed, q=[FAR, 3])) for seed in range(4)}
    assert len(outputs) == 4


def run_on_exact_noise(mechanism: Mechanism, seed: int, **values):
    """What a release runs, with a budget of 1/9."""
    return compared_function(mechanism)(**values, eps=Fraction(1, 9), noise=ExactNoise(SeededBits(seed)))


def test_no_generated_name_can_be_written(define: Define):
    """Whatever a recompiled function reads or binds is the user's own, or no identifier."""
    module = define("""
def half(x):
    return x / 2

@mechanism
def m(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
    count = 0
    b = [noise.laplace(1 / eps) for q_i in q]
    for q_i in q:
        e = noise.laplace(2 * 0.5 / eps)
        if q_i + e > half(3) / eps and count < 1:
            count += 1
            yield ABOVE
""")
    written = {"q", "eps", "noise", "count", "q_i", "e", "b", "half", "ABOVE", "laplace"}
    for function in (module.m.exact, module.m.exact_at_once):
        code = function.__code__
        named = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
        assert not [name for name in named - written if name.isidentifier()]


def test_a_local_that_is_called_what_might_be_generated(define: Define):
    """Sampling computes what a loop does not change in front of it, under names of its own."""
    text = """
@mechanism
def m(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    LOCAL = T
    e = noise.laplace(1 / eps)
    for q_i in q:
        x = noise.laplace(1 / eps)
        if q_i + x >= T * 2 + e:
            yield LOCAL
        else:
            yield 0
"""
    outputs = []
    for name in ("local", "__alignkit_1__", "c0", "k0", "s1", "i1", "m1", "d0", "f1", "out", "emit", "v_q"):
        module = define(text.replace("LOCAL", name))
        outputs.append(module.m.sample([1, 900, -900], T=7, eps=1, seed=3))
    assert outputs == [outputs[0]] * len(outputs)


# Tags with an equality of their own


def test_a_class_that_derives_from_tag_is_refused(define: Define):
    with pytest.raises(TypeError, match=re.escape("Liar cannot derive from Tag; write NAME = Tag('NAME')")):
        define("""
class Liar(Tag):
    def __eq__(self, other):
        return True
    __hash__ = Tag.__hash__
""")


def test_a_tag_of_a_class_that_got_round_the_refusal(define: Define):
    with pytest.raises(LanguageError, match="`LIAR` is of the class Liar") as caught:
        define("""
class Silent:
    __slots__ = ()
    def __init_subclass__(cls):
        pass

class Liar(Silent, Tag):
    __slots__ = ()
    def __eq__(self, other):
        return True
    __hash__ = Tag.__hash__

LIAR = Liar("LIAR")
""" + mechanism_returning("q if LIAR == BELOW else e"))
    assert caught.value.line
    assert caught.value.source.strip() == "return q if LIAR == BELOW else e"
    assert 'LIAR = Tag("LIAR")' in caught.value.hint


def test_two_tags_of_one_name(define: Define):
    """Whoever sees the output can tell them apart, and a reading by names cannot."""
    with pytest.raises(LanguageError, match="`OTHER` is a second tag of the name ABOVE") as caught:
        define("""
OTHER = object.__new__(Tag)
object.__setattr__(OTHER, "name", "ABOVE")
""" + mechanism_returning("OTHER if q > 3 else ABOVE"))
    assert 'OTHER = Tag("ABOVE")' in caught.value.hint


def test_a_tag_stays_what_it_is():
    assert type(ABOVE) is Tag
    assert Tag("ABOVE") is ABOVE


# Names in a class


@pytest.mark.parametrize(
    ("line", "name"),
    [("return __x(q)", "__x"), ("__y = q\n        return 0 * __y", "__y"), ("return [0 for __i in [q]]", "__i")],
)
def test_a_name_that_python_changes_in_a_class_is_refused(line: str, name: str, define: Define):
    with pytest.raises(LanguageError, match=f"Python reads `{name}` as another name inside a class") as caught:
        define(f"""
def __x(x):
    return 0

def _A__x(x):
    return x

class A:
    @mechanism
    def m(q: Query(lattice=1), eps: Epsilon, noise: Noise):
        e = noise.geometric(1 / eps)
        {line}
""")
    assert "write the function outside the class" in caught.value.hint
    assert caught.value.column is not None
    assert name in caught.value.source


def test_a_name_with_two_underscores_outside_a_class(define: Define):
    module = define("""
def __x(x):
    return 0 * x
""" + mechanism_returning("__x(q)") + PROOF)
    assert released(module.phi, FAR) == 0


# What a name stands for


def test_a_helper_that_says_it_is_the_languages_own_is_read_like_any_other(define: Define):
    """Its quotients are exact, and a name in it that is rebound later does not change what runs."""
    module = define("""
def inner(x):
    return 0 * x

def helper(x):
    return inner(x) / 3

helper.__module__ = "alignkit.language.functions"
""" + mechanism_returning("helper(q)") + PROOF)
    assert check(module.phi, effort=0).proved
    function = compared_function(module.m)
    module.inner = lambda x: x
    assert function(q=FAR, eps=1, noise=ExactNoise(SeededBits(1))) == 0


def test_builtins_that_a_module_replaces_are_what_it_calls(define: Define):
    """Python looks a name up in the built-ins that the function's own module has."""
    module = define("""
import builtins

def nothing(x):
    return 0 * x

__builtins__ = {**vars(builtins), "abs": nothing}
""" + mechanism_returning("abs(q)") + PROOF)
    assert module.m.python(FAR, Fraction(1), ExactNoise(SeededBits(1))) == 0
    assert released(module.phi, FAR) == 0


@pytest.mark.parametrize("name", ["abs", "max", "sum", "len", "round", "clamp", "largest"])
def test_a_shadowed_function_is_the_users_own(name: str, define: Define):
    module = define(f"""
def {name}(x):
    return x
""" + mechanism_returning(f"{name}(q)") + PROOF)
    assert check(module.phi, effort=0).verdict == "refuted"


def test_a_name_that_is_rebound_after_the_definition(define: Define):
    """What runs is what was read, whatever the name stands for later; a check says that it is stale."""
    module = define("""
def helper(x):
    return 0 * x
""" + mechanism_returning("helper(q)") + PROOF + """
def helper(x):
    return x
""")
    assert python_runs(module.m, FAR, 1) == 0
    assert module.m.sample(FAR, eps=1, seed=1) == 0
    with pytest.raises(LanguageError, match="`helper` has been replaced since m was read"):
        check(module.phi)


class _Twice(dict):
    """Names of a module in which `helper` stands for something else once it has been looked up."""

    def __getitem__(self, name):
        value = super().__getitem__(name)
        if name == "helper":
            self["helper"] = super().__getitem__("other")
        return value


def test_a_name_is_looked_up_once():
    """A second look, when the function is made that runs, might find another function than the one that was read."""
    notebook = Notebook()
    notebook.run("""
def helper(x):
    return 0 * x

def other(x):
    return x
""")
    notebook.names = _Twice(notebook.names)
    notebook.run(mechanism_returning("helper(q)"))
    assert notebook["m"].exact(FAR, 1, ExactNoise(SeededBits(1))) == 0


# The comparison at release


def test_a_release_compares_what_runs_with_what_was_read(define: Define, monkeypatch: pytest.MonkeyPatch):
    """Whatever made the two differ, nothing is released."""
    text = mechanism_returning("q + e").replace("geometric", "discrete_laplace")
    module = define(text + """
@alignment(m, epsilon="eps")
def phi(q, q_, H):
    return H.shift(e=q - q_)
""")
    other = define(text.replace("q + e", "q if q > 1000 else q + e")).m.exact
    result = check(module.phi, effort=0)
    assert result.proved
    monkeypatch.setattr(type(module.m.as_read), "compiled", lambda self, **_: other)
    with pytest.raises(InternalError, match="Python gives"):
        release_on(SeededBits(1), module.m, (3,), {"eps": 1}, result)


def test_a_helper_that_is_replaced_after_a_release_ends_the_releases(define: Define):
    """What runs is still the function that was read; but the file says something else by now."""
    text = "\ndef helper(x):\n    return 0 * x\n" + mechanism_returning("helper(q) + e")
    module = define(text.replace("geometric", "discrete_laplace") + """
@alignment(m, epsilon="0")
def phi(q, q_, H):
    return H.shift()
""")
    result = check(module.phi, effort=0)
    assert result.proved
    release_on(SeededBits(1), module.m, (3,), {"eps": 1}, result)
    module.helper = lambda x: x
    with pytest.raises(LanguageError, match="helper"):
        release_on(SeededBits(1), module.m, (3,), {"eps": 1}, result)


def test_a_list_of_answers_is_read_once():
    """What is checked is what runs."""
    class Changing(list):
        times = 0

        def __iter__(self):
            self.times += 1
            return iter([1, 2] if self.times == 1 else [Fraction(1, 2), 2])

    read = read_private("refuse", "q", Queries(), Changing([1, 2]), Fraction(1))
    assert type(read) is list
    assert list(read) == [1, 2]


class _Liar(int):
    def __add__(self, other):
        return 0

    __radd__ = __mul__ = __rmul__ = __mod__ = __sub__ = __add__


class _LyingFraction(Fraction):
    numerator = property(lambda self: _Liar(3))
    denominator = property(lambda self: _Liar(2))

    def __repr__(self):
        return "5"


class _LyingFloat(float):
    def __repr__(self):
        return "5.0"


@pytest.mark.parametrize("value", [_Liar(3), _LyingFraction(7, 2), _LyingFloat(0.25)])
def test_a_number_of_the_users_own_class_becomes_a_plain_one(value):
    """What it is decides, not what its class says of it."""
    number = exact(value, "q")
    assert number == {int: 3, Fraction: Fraction(7, 2), float: Fraction(1, 4)}[type(value).__base__]
    assert type(number) in (int, Fraction)
    assert {type(number.numerator), type(number.denominator)} == {int}
