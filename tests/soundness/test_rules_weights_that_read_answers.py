"""Rule 44: weights that read answers cost ln(w W' / w' W); the sums W are never forgotten, nor is a weight of 0 on D'.

Of the programs that must not be proved, ``LEAKS`` lose more than they claim. The others are private by arguments that
are not covered.
"""

import pytest

from alignkit import check
from alignkit.results import Verdict

UNMOVED = """
@alignment(m, epsilon="{claim}")
def phi(H):
    return H.shift()
"""


def program(*lines: str, claim: str = "eps", parameters: str = "x: Query", phi: str = UNMOVED) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"@mechanism\ndef m({parameters}, eps: Epsilon, noise: Noise):\n{body}\n{phi.format(claim=claim)}"


ODDS = "[exp(eps) if x > 0 else 1, 1 if x > 0 else exp(eps)]"
THREE = "u: Query, v: Query, w: Query"
TOLD_TWICE = """
@alignment(m, epsilon="{claim}")
def phi(x, x_, omega, H):
    before, after = 1 if x > 0 else 0, 1 if x_ > 0 else 0
    return H.shift(c=0 if before == after else (1 if omega == before else -1))
"""

LEAKS = {
    "the odds at half the budget": program(f"c = noise.choice({ODDS})", "return c", claim="eps / 2"),
    "the exponential mechanism without its 2": program(
        "c = noise.choice([exp(eps * u), exp(eps * v), exp(eps * w)])", "return c", parameters=THREE
    ),
    "the exponential mechanism at half its cost": program(
        "c = noise.choice([exp(eps * u / 2), exp(eps * v / 2), exp(eps * w / 2)])", "return c",
        parameters=THREE, claim="eps / 2",
    ),
    "only the sum of the weights changes": program(
        "c = noise.choice([1, exp(eps) if x > 0 else 1, exp(eps) if x > 0 else 1])", "return c", claim="eps / 2"
    ),
    "only the sum of the weights changes, at no cost": program(
        "c = noise.choice([1, 2 if x > 0 else 1])", "return 1 if c == 0 else 0", claim="0 * eps"
    ),
    "no weight on D'": program("c = noise.choice([1, 1 if x > 0 else 0])", "return c"),
    "a weight that vanishes": program("c = noise.choice([exp(eps), 1 if x > 0 else max(0, x + 1)])", "return c"),
    "two choices for the price of one": program(
        f"a = noise.choice({ODDS})", f"b = noise.choice({ODDS})", "return [a, b]"
    ),
    "k choices for the price of one": program(
        "for t in range(k):", f"    c = noise.choice({ODDS})", "    yield c", parameters="x: Query, k: Count"
    ),
    "one choice for each answer": program(
        "for x in q:", f"    c = noise.choice({ODDS})", "    yield c", parameters="q: Queries"
    ),
    "an exponent without the budget": program("c = noise.choice([exp(x), 1])", "return c"),
    "an exponent at half the budget": program("c = noise.choice([exp(eps * x), 1])", "return c", claim="eps / 2"),
    "a sensitivity that the claim forgets": program(
        "c = noise.choice([exp(eps * x), 1])", "return c",
        parameters='x: Annotated[Query, Sensitivity("delta")], delta: Positive',
    ),
    "weights without a bound": program("c = noise.choice([1, 1 + 9 * abs(x)])", "return c"),
    "odds of 3 at ln 2": program(
        "c = noise.choice([3 if x > 0 else 1, 1 if x > 0 else 3])", "return c", claim="log(2)"
    ),
    "told twice with odds that differ": program(
        "c = noise.choice([3 if x > 0 else 1, 1 if x > 0 else 2])",
        "return (1 if x > 0 else 0) if c == 0 else (0 if x > 0 else 1)",
        claim="0 * eps", phi=TOLD_TWICE,
    ),
    "another number of weights": program(
        "if x > 0:", "    c = noise.choice([1, 1, 1])", "else:", "    c = noise.choice([1, 1])", "return c"
    ),
}  # fmt: skip

NOT_COVERED = {
    "an exponent with noise that is not moved": program(
        "e = noise.laplace(1 / eps)", "c = noise.choice([exp(x + e), 1])", "return c"
    ),
    "an outcome that must be moved": program(
        f"c = noise.choice({ODDS})", "return c if x > 0 else 1 - c"
    ),
    "branches that choose": program(
        "if x > 0:", "    c = noise.choice([3, 1])", "else:", "    c = noise.choice([1, 3])", "return c", claim="log(3)"
    ),
    "weights that read noise": program(
        "e = noise.laplace(1 / eps)", "c = noise.choice([exp(x + e), 1])", "return c",
        phi="""
@alignment(m, epsilon="{claim}")
def phi(x, x_, H):
    return H.shift(e=x - x_)
""",
    ),
    "weights below 0 for some answers": program("c = noise.choice([exp(eps) - x, 1 + x])", "return c"),
    "choices in a list": program(
        "c = [noise.choice([exp(eps) if x > 0 else 1, 1 if x > 0 else exp(eps)]) for x in q]", "return c[0]",
        parameters="q: Queries",
    ),
}  # fmt: skip

PROVED = {
    "the odds": program(f"c = noise.choice({ODDS})", "return c"),
    "the exponential mechanism": program(
        "c = noise.choice([exp(eps * u / 2), exp(eps * v / 2), exp(eps * w / 2)])", "return c", parameters=THREE
    ),
    "one exponent": program("c = noise.choice([exp(eps * x), 1])", "return c"),
    "a sensitivity": program(
        "c = noise.choice([exp(eps * x / delta), 1])", "return c",
        parameters='x: Annotated[Query, Sensitivity("delta")], delta: Positive',
    ),
    "a mean as one bit": program(
        "p = clamp(x, 0, 1)", "c = noise.choice([exp(eps) - p * (exp(eps) - 1), 1 + p * (exp(eps) - 1)])", "return c"
    ),
    "odds of 3": program("c = noise.choice([3 if x > 0 else 1, 1 if x > 0 else 3])", "return c", claim="log(3)"),
    "two choices": program(f"a = noise.choice({ODDS})", f"b = noise.choice({ODDS})", "return [a, b]", claim="2 * eps"),
    "k choices": program(
        "for t in range(k):", f"    c = noise.choice({ODDS})", "    yield c", parameters="x: Query, k: Count",
        claim="k * eps",
    ),
    # The true bit is put out with probability 3/4 at x > 0, and the other with 3/4 elsewhere: always 1 with 3/4.
    "told twice": program(
        "c = noise.choice([3 if x > 0 else 1, 1 if x > 0 else 3])",
        "return (1 if x > 0 else 0) if c == 0 else (0 if x > 0 else 1)",
        claim="0 * eps", phi=TOLD_TWICE,
    ),
}  # fmt: skip


@pytest.mark.parametrize("source", [*LEAKS.values(), *NOT_COVERED.values()], ids=[*LEAKS, *NOT_COVERED])
def test_never_proved(define, never_proved, source):
    never_proved(define(source).phi)


@pytest.mark.parametrize("source", PROVED.values(), ids=PROVED)
def test_proved(define, proved, source):
    proved(define(source).phi)


def test_a_counterexample_pays_for_the_weights_of_both_runs(define):
    result = check(define(LEAKS["weights without a bound"]).phi, effort=0)
    assert result.verdict is Verdict.REFUTED
    assert result.counterexample.condition == "cost"


def test_a_counterexample_sees_that_an_outcome_has_no_weight_on_d_prime(define):
    result = check(define(LEAKS["no weight on D'"]).phi, effort=0)
    assert result.verdict is Verdict.REFUTED
    assert result.counterexample.condition == "valid_noise"
