"""What an alignment may say: names that the mechanism draws, a shift on every path, a claim over its parameters."""

from __future__ import annotations

import pytest

from alignkit import InputError, LanguageError

MECHANISMS = """\
def noisy(x, scale, noise):
    e = noise.laplace(scale)
    return x + e

@mechanism
def svt(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break

@mechanism
def twice(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(2 / eps)
    yield q[0] + e
    e = noise.laplace(2 / eps)
    yield q[1] + e

@mechanism
def branches(q: Queries, eps: Epsilon, noise: Noise):
    if eps > 1:
        e = noise.laplace(1 / eps)
    else:
        e = noise.laplace(2 / eps)
    yield q[0] + e

@mechanism
def by_helper(q: Queries, eps: Epsilon, noise: Noise):
    a = noisy(q[0], 2 / eps, noise)
    b = noisy(q[1], 2 / eps, noise)
    return a, b
"""

# name, mechanism, the alignment's parameters, its body, the marked text, the problem, the hint
ALIGNMENTS: list[tuple[str, str, str, str, str, str, str]] = [
    ("unknown noise", "svt", "H", "return H.shift(rho=1)", "rho=1", "svt draws no `rho`", "it draws eta, eta_i"),
    ("unknown value", "svt", "H", "return H.shift(eta=H.rho)", "H.rho", "svt draws no `rho`", "it draws eta, eta_i"),
    ("drawn twice", "twice", "H", "return H.shift(e=1)", "e=1", "`e` in more than one place", "name of its own"),
    ("drawn in branches", "branches", "H", "return H.shift(e=1)", "e=1", "`e` in more than one", "name of its own"),
    ("helper called twice", "by_helper", "H", "return H.shift(e=1)", "e=1", "`e` in more than one", "its own"),
    ("ambiguous value", "twice", "H", "x = H.e\nreturn H.shift()", "H.e", "`e` in more than one", "its own"),
    ("unknown parameter", "svt", "q, p, H", "return H.shift()", "p", "has no parameter `p`", "q, q_, omega, H, T"),
    ("noise parameter", "svt", "noise, H", "return H.shift()", "noise", "has no parameter `noise`", "choose among"),
    ("no H", "svt", "q", "return 1", "def phi(q):", "does not take H", "add the parameter H"),
    ("default", "svt", "H, q=1", "return H.shift()", "q", "`q` has a default value", "all its arguments"),
    ("no return", "svt", "H", "x = 1", "def phi(H):", "may end without a shift", "return H.shift"),
    ("one way only", "svt", "T, H", "if T > 0:\n    return H.shift()", "def phi(T, H):", "may end without", "return"),
    ("returns a number", "svt", "H", "return 1", "return 1", "an alignment returns H.shift", "H.shift(eta=1)"),
    ("returns nothing", "svt", "H", "return", "return", "an alignment returns H.shift", "H.shift(eta=1)"),
    ("returns H", "svt", "H", "return H", "H", "`H` cannot be used as a value", "end with return H.shift"),
    ("yields", "svt", "H", "yield 1\nreturn", "yield 1", "an alignment does not yield", "H.shift(eta=1)"),
    ("shift in a variable", "svt", "H", "x = H.shift(eta=1)\nreturn x", "H.shift(eta=1)", "in a return", "end"),
    ("shift in a choice", "svt", "T, H", "return H.shift() if T > 0 else H.shift()", "H.shift()", "in a return", "end"),
    ("shift by position", "svt", "H", "return H.shift(1)", "H.shift(1)", "H.shift(name=…)", "H.shift(eta=1)"),
    ("shift by dict", "svt", "H", "return H.shift(**1)", "H.shift(**1)", "H.shift(name=…)", "H.shift(eta=1)"),
    ("other method", "svt", "H", "return H.move(eta=1)", "H.move(eta=1)", "H.shift(name=…)", "H.shift(eta=1)"),
    ("shift not called", "svt", "H", "return H.shift", "H.shift", "H.shift is not called", "H.shift(eta=1)"),
    ("H assigned", "svt", "H", "H = 1\nreturn H.shift()", "H", "`H` is the noise", "choose another name"),
    ("draw", "svt", "H", "x = noise.laplace(1)\nreturn H.shift()", "noise.laplace(1)", "is not in the language", "dr"),
    ("number for a list", "svt", "H", "return H.shift(eta_i=1)", "eta_i=1", "once for each iteration", "eta_i=[…"),
    ("list for a number", "svt", "q, H", "return H.shift(eta=q)", "eta=q", "a shift of `eta` is a sequence", "one num"),
    ("tag for a number", "svt", "H", "return H.shift(eta=BELOW)", "eta=BELOW", "a shift of `eta` is a tag", "one num"),
    ("list of lists", "svt", "q, H", "return H.shift(eta_i=[q for x in q])", "eta_i=[q for x in q]",
     "a shift of `eta_i` is a sequence", "one number"),
    ("unassigned", "svt", "T, H", "if T > 0:\n    x = 1\nreturn H.shift(eta=x)", "x", "`x` may have no value", "every"),
    ("Boolean shift", "svt", "T, H", "return H.shift(eta=T > 0)", "eta=T > 0", "a shift of `eta` is a Bool", "one num"),
    ("tag as number", "svt", "omega, H", "return H.shift(eta=1 + omega[0])", "omega[0]", "a tag is used as a", "num"),
    ("while", "svt", "H", "while True:\n    x = 1", "while True:", "`while` is not in", "use `for`"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("mechanism", "parameters", "body", "marked", "problem", "hint"),
    [c[1:] for c in ALIGNMENTS],
    ids=[c[0] for c in ALIGNMENTS],
)
def test_refused(define, mechanism, parameters, body, marked, problem, hint):
    source = f"{MECHANISMS}\n@alignment({mechanism}, epsilon='eps')\ndef phi({parameters}):\n"
    source += "".join(f"    {line}\n" for line in body.splitlines())
    with pytest.raises(LanguageError) as caught:
        define(source)
    error = caught.value
    assert problem in error.problem, error
    assert hint in error.hint, error
    line = source.splitlines()[error.line - 2]
    assert line[error.column : error.column + error.width] == marked, error


# The claim, the marked text, the problem
CLAIMS = [
    ("epsilon", "epsilon", "the claim uses `epsilon`, which is not available here"),
    ("q[0]", "q", "the claim reads the list `q`"),
    ("eta", "eta", "the claim uses `eta`"),
    ("eps /", "eps /", "the claim is not an expression"),
    ("eps eps", "eps eps", "the claim is not an expression"),
    ("", "", "the claim is not an expression"),
    ("eps > 1", "eps > 1", "a Boolean is used as a number"),
    ("(eps, eps)", "(eps, eps)", "a sequence is used as a number"),
    ("eps ** eps", "eps ** eps", "this operator is not in the language"),
    ("  eps + noise.laplace(1)", "noise.laplace(1)", "`noise.laplace(…)` is not in the language"),
    ("H.eta", "H.eta", "attributes are not in the language"),
    ("helper(eps)", "helper", "the claim uses `helper`"),
    ("ABOVE", "ABOVE", "the claim uses `ABOVE`"),
    ("eps * 0.99999999999999999999", "0.99999999999999999999", "Python rounds this number to 1.0"),
    ("eps + 1e-400", "1e-400", "Python rounds this number to 0.0"),
]


@pytest.mark.parametrize(("claim", "marked", "problem"), CLAIMS)
def test_claims(define, claim, marked, problem):
    source = f"{MECHANISMS}\n@alignment(svt, epsilon={claim!r})\ndef phi(H):\n    return H.shift()\n"
    with pytest.raises(LanguageError) as caught:
        define(source)
    error = caught.value
    assert problem in error.problem, error
    assert error.hint
    assert "(claim)" in error.file
    assert error.source[error.column :].startswith(marked[: error.width])


INVARIANTS = [
    ("count", "a whole number is used as a condition"),
    ("counted <= k", "the invariant uses `counted`"),
    ("count <= k and", "the invariant is not an expression"),
    ("count < ABOVE", "the invariant uses `ABOVE`"),
    ("q_i > 0", "the invariant uses `q_i`"),
]


@pytest.mark.parametrize(("invariant", "problem"), INVARIANTS)
def test_invariants(define, invariant, problem):
    source = f"@alignment(svt, epsilon='eps', invariant={invariant!r})\ndef phi(H):\n    return H.shift()\n"
    with pytest.raises(LanguageError) as caught:
        define(f"{MECHANISMS}\n{source}")
    assert problem in caught.value.problem


def test_what_may_be_said(define):
    module = define(f"""{MECHANISMS}
def change(x, y):
    return x - y

@alignment(svt, epsilon="eps / 2", adjacency="monotone", expect="refuted",
           invariant=["0 <= count", "count_ == count", "privacy_cost <= eps"])
def phi(q, q_, omega, H, T, k, eps):
    rise = max(change(q_[i], q[i]) for i in range(len(q)))
    if rise > 0:
        return H.shift(eta=1, eta_i=[0 if w is BELOW else 1 + q[i] - q_[i] for i, w in enumerate(omega)])
    else:
        return H.shift()
""")
    assert module.phi.claim == "eps / 2"
    assert [text for text, _ in module.phi.invariants] == ["0 <= count", "count_ == count", "privacy_cost <= eps"]
    assert module.phi.name == "phi"
    assert module.phi.__doc__ is None


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [("svt, epsilon='eps', adjacency='some'", "each, monotone, one, l1"),
     ("svt, epsilon='eps', expect='true'", "proved, refuted, undecided"), ("3, epsilon='eps'", "mechanism first")],
)  # fmt: skip
def test_arguments_of_the_decorator(define, arguments, problem):
    with pytest.raises(InputError, match=problem):
        define(f"{MECHANISMS}\n@alignment({arguments})\ndef phi(H):\n    return H.shift()\n")


def test_an_invariant_whose_names_are_ambiguous(define):
    with pytest.raises(InputError, match="`x_` means `x` on D'"):
        define("""
            @mechanism
            def m(q: Queries, eps: Epsilon, noise: Noise):
                x, x_ = 0, 1
                for a in q:
                    eta = noise.laplace(1 / eps)
                    yield a + eta

            @alignment(m, epsilon="eps", invariant="x_ == x")
            def phi(H):
                return H.shift()
        """)


def test_helpers_of_an_alignment_do_not_see_the_noise(define):
    with pytest.raises(LanguageError, match="attributes are not in the language"):
        define(f"""{MECHANISMS}
def f(H):
    return H.eta

@alignment(svt, epsilon="eps")
def phi(H):
    x = f(1)
    return H.shift(eta=x)
""")


PHI = """
@alignment(svt, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
"""

SLIPS = [
    ("@mechanism\ndef svt", "def svt", "svt is a plain function: write @mechanism above it"),
    ("@mechanism\ndef svt", "@mechanism()\ndef svt", "write @mechanism without brackets, above the def"),
    ('(svt, epsilon="eps")', "", "write @alignment(MECHANISM, epsilon='eps') above phi"),
    ("(q, q_, omega, H)", "(q, q_, H)", "add it to the alignment's parameters: def phi(…, omega, …)"),
    ("(q, q_, omega, H)", "(q, omega, H)", "add it to the alignment's parameters: def phi(…, q_, …)"),
    ("return H.shift(eta=1", "H.shift(eta=1", "end the alignment with return H.shift(…), and"),
    ('epsilon="eps"', 'epsilon="eps", adjacency="all"', "must be one of each, monotone, one, l1, few(l), not 'all'"),
    ("eta=1, ", "eta=[1], ", "a shift of `eta` is"),
    ("w is not BELOW", "i in [(1, w)]", "i in {j for j, x in values}"),
    ("eta_i=[1 +", "eta_i=1, eta=[1 +", "its shift is a single number"),
]


@pytest.mark.parametrize(("right", "slip", "words"), SLIPS, ids=[words for _, _, words in SLIPS])
def test_what_is_easily_forgotten(define, right: str, slip: str, words: str) -> None:
    program = MECHANISMS + PHI
    assert right in program
    with pytest.raises((InputError, LanguageError)) as refused:
        define(program.replace(right, slip, 1).replace("shift(eta=1, eta_i=1, ", "shift(eta_i=1, "))
    assert words in str(refused.value)


NESTED = """
@mechanism
def rounds(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for t in range(k):
        for q_i in q:
            e = noise.laplace(k / eps)
            yield q_i + e

@alignment(rounds, epsilon="eps", adjacency="one")
def phi(q, q_, k, H):
    return H.shift(e={shift})
"""


@pytest.mark.parametrize(
    ("shift", "given"), [("[q[i] - q_[i] for i in range(len(q))]", "a list of numbers"), ("1", "a single number")]
)
def test_the_shift_of_a_draw_in_two_loops(define, shift: str, given: str) -> None:
    with pytest.raises(LanguageError) as refused:
        define(NESTED.format(shift=shift))
    assert refused.value.problem == f"`e` is drawn in 2 loops inside one another, but its shift is {given}"
    assert refused.value.hint.endswith("e=[[… for …] for …]")
    define(NESTED.format(shift="[[q[i] - q_[i] for i in range(len(q))] for t in range(k)]"))
