"""Sensitivities that hold under a condition: programs next to those of test_rules_local_sensitivity.py.

Tests of the distance that pass too easily, rounds, calls, choices, steps of a lattice, and conditions that are about
the answer itself or about one another. Each row of a wrong program names the databases that it forgets.
"""

import pytest
from support.near_misses import Program, Table, right, wrong

TABLE = Table(
    """
    NOTHING = Tag("NOTHING")
    Stable = Annotated[Query, Sensitivity(1, where="d > 0")]
    """
)

TABLE.base(
    """
    @mechanism
    def tested_twice(v: Stable, d: Query, c: Query, t: Positive, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        f = noise.laplace(1 / eps)
        x = noise.laplace(1 / eps)
        if d + e > t or d + f > t:
            return v + x
        return NOTHING

    @alignment(tested_twice, epsilon="3 * eps", delta="exp(-eps * t)")
    def phi(v, v_, d, d_, H, t):
        stable = d > 0 or d_ > 0
        return H.shift(e=d - d_, f=d - d_, x=v - v_ if stable else 0).below(
            e=None if stable else t, f=None if stable else t
        )
    """,
    right("two chances", "each may fail with half of delta"),
    wrong("two chances for the price of one", "one of two draws is t or more nearly twice as often", {
          '"exp(-eps * t)"': '"exp(-eps * t) / 2"'}, fails="limits"),
    wrong("two draws in one sum", "at d of 0, e and f below t may add up to more than t", {
          "if d + e > t or d + f > t:": "if d + e + f > t:", "f=d - d_": "f=0"}),
    wrong("wider noise in the test", "its tail is exp(-eps t / 2) / 2", {
          "e = noise.laplace(1 / eps)": "e = noise.laplace(2 / eps)"}, fails="limits"),
    wrong("a test that lets in one more", "at d of 0, noise from t - 1 on releases v", {
          "if d + e > t or": "if d + 1 + e > t or"}),
    wrong("the distance jumps too", "where c is at most 0, the shift of e has no bound", {
          "d: Query,": 'd: Annotated[Query, Sensitivity(1, where="c > 0")],'}, fails="cost"),
    wrong("a distance that is unstable is not followed", "d jumps from 0 to 100 where c is at most 0", {
          "d: Query,": 'd: Annotated[Query, Sensitivity(1, where="c > 0")],', "d, d_, H, t)": "d, d_, c, c_, H, t)",
          "e=d - d_, f=d - d_": "e=d - d_ if c > 0 or c_ > 0 else 0, f=d - d_ if c > 0 or c_ > 0 else 0"}),
)

TABLE.base(
    """
    @mechanism
    def in_rounds(v: Stable, d: Query, k: Count, t: Positive, eps: Epsilon, noise: Noise):
        for i in range(k):
            e = noise.laplace(1 / eps)
            x = noise.laplace(1 / eps)
            if d + e <= t:
                yield NOTHING
            else:
                yield v + x

    @alignment(in_rounds, epsilon="2 * eps * k", delta="k * exp(-eps * t) / 2")
    def phi(v, v_, d, d_, k, H, t):
        stable = d > 0 or d_ > 0
        far = [v - v_ if stable else 0 for i in range(k)]
        return H.shift(e=[d - d_ for i in range(k)], x=far).below(e=[None if stable else t for i in range(k)])
    """,
    right("a test in each round", "delta pays for each"),
    wrong("one delta for all rounds", "each round has its chance", {'"k * exp(': '"exp('}, fails="limits"),
    wrong("a limit in the first round only", "later rounds release v at d <= 0", {
          "None if stable else t for": "None if stable or i > 0 else t for", '"k * exp(': '"exp('}),
)

TABLE.base(
    """
    @mechanism
    def measure(y: Query, eps: Epsilon, noise: Noise):
        z = noise.laplace(1 / eps)
        return y + z

    @alignment(measure, epsilon="eps")
    def of_measure(y, y_, H):
        return H.shift(z=y - y_)

    @mechanism
    def by_a_call(v: Stable, d: Query, t: Positive, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        if d + e <= t:
            return NOTHING
        return measure(v, eps, noise)

    @alignment(by_a_call, epsilon="2 * eps", delta="exp(-eps * t) / 2", lemmas=[of_measure])
    def phi(d, d_, H, t):
        return H.shift(e=d - d_).below(e=None if d > 0 or d_ > 0 else t)
    """,
    right("the callee's sensitivity follows where it is called", "nowhere else is v measured"),
    wrong("twice v is measured", "it changes by 2", {"measure(v, eps, noise)": "measure(2 * v, eps, noise)"},
          fails="cost"),
    wrong("a call at d of 0", "v has no sensitivity there", {"d > 0 or d_ > 0": "d >= 0 or d_ >= 0"}, fails="cost"),
    wrong("v or 0 is measured", "where d goes from 1 to 0, the argument goes from v to 0", {
          "measure(v, eps, noise)": "measure(v if d > 0 else 0, eps, noise)"}, fails="cost"),
)

TABLE.base(
    """
    @mechanism
    def inner(v: Stable, d: Query, t: Positive, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        if d + e <= t:
            return NOTHING
        x = noise.laplace(1 / eps)
        return v + x

    @mechanism
    def outer(a: Annotated[Query, Sensitivity(1, where="b > 0")], b: Query, t: Positive, eps: Epsilon, noise: Noise):
        return inner(a, b, t, eps, noise)

    @alignment(outer, epsilon="2 * eps", delta="exp(-eps * t) / 2")
    def phi(a, a_, b, b_, H, t):
        stable = b > 0 or b_ > 0
        return H.shift(inner_e=b - b_, inner_x=a - a_ if stable else 0).below(inner_e=None if stable else t)
    """,
    right("the condition under other names", "the caller states it of its own answers"),
    wrong("the callee's condition is not the caller's", "a changes by 100 where b is large", {
          'Sensitivity(1, where="b > 0")': "Sensitivity(100)"}, fails="cost"),
    wrong("the caller's condition is about a itself", "a is unstable below 0, where b may be large", {
          'where="b > 0"': 'where="a > 0"'}, fails="cost"),
)

TABLE.base(
    """
    @mechanism
    def chosen(v: Stable, d: Query, eps: Epsilon, noise: Noise):
        b = noise.choice([2 if v > 0 else 1, 1])
        return b

    @alignment(chosen, epsilon="log(2)")
    def phi(H):
        return H.shift()
    """,
    right("one of two weights", "however far v jumps, a weight at most doubles"),
    wrong("a weight that grows with v", "where d <= 0 it changes by any factor", {
          "2 if v > 0 else 1": "exp(eps * v)", '"log(2)"': '"eps"'}, fails="cost"),
    wrong("a weight where v is stable", "where d goes from 1 to 0 the weight goes from exp(100 eps) to 1", {
          "2 if v > 0 else 1": "exp(eps * v) if d > 0 else 1", '"log(2)"': '"eps"'}, fails="cost"),
)

TABLE.base(
    """
    @mechanism
    def cut(v: Annotated[Query, Sensitivity(1, where="-5 < v < 5")], eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / eps)
        return clamp(v, -5, 5) + x

    @alignment(cut, epsilon="10 * eps")
    def phi(v, v_, H):
        return H.shift(x=clamp(v, -5, 5) - clamp(v_, -5, 5))
    """,
    right("from one end to the other", "it costs what the interval is long"),
    wrong("stable inside", "from -6 to 6, neither of which is inside", {'"10 * eps"': '"eps"'}, fails="cost"),
    wrong("stable outside", "from -4 to 4, neither of which is outside", {
          "-5 < v < 5": "v > 5 or v < -5", '"10 * eps"': '"eps"'}, fails="cost"),
)

TABLE.base(
    """
    @mechanism
    def one_of_two(
        v: Stable, w: Annotated[Query, Sensitivity(1, where="d < 2")], d: Query, eps: Epsilon, noise: Noise
    ):
        x = noise.laplace(2 / eps)
        y = noise.laplace(2 / eps)
        return (v if d > 0 else 0) * 0 + d + x, y

    @alignment(one_of_two, epsilon="eps / 2")
    def phi(v, v_, w, w_, d, d_, H):
        return H.shift(x=d - d_)
    """,
    right("neither is put out", "d alone is"),
    wrong("whichever is stable", "where d goes from 1 to 0 the output goes from v to w", {
          "(v if d > 0 else 0) * 0 + d + x": "(v if d > 0 else w) + x", '"eps / 2"': '"eps"',
          "x=d - d_": "x=(v if d > 0 else w) - (v_ if d_ > 0 else w_)"}, fails="cost"),
    wrong("both where both are stable", "where d goes from 1 to 2 the output goes from v + w to 0", {
          "(v if d > 0 else 0) * 0 + d + x": "(v + w if 0 < d < 2 else 0) + x", '"eps / 2"': '"eps"',
          "x=d - d_": "x=(v + w if 0 < d < 2 else 0) - (v_ + w_ if 0 < d_ < 2 else 0)"}, fails="cost"),
)

TABLE.base(
    """
    Whole = Annotated[Query, Lattice(1)]

    @mechanism
    def in_steps(
        v: Annotated[Query, Sensitivity(1, where="d > 0"), Lattice(1)], d: Whole, t: Annotated[Positive, Lattice(1)],
        eps: Epsilon, noise: Noise,
    ):
        e = noise.discrete_laplace(1 / eps, 1)
        if d + e <= t:
            return NOTHING
        x = noise.discrete_laplace(1 / eps, 1)
        return v + x

    @alignment(in_steps, epsilon="2 * eps", delta="exp(-eps * (t + 1)) / (1 + exp(-eps))")
    def phi(v, v_, d, d_, H, t):
        stable = d > 0 or d_ > 0
        return H.shift(e=d - d_, x=v - v_ if stable else 0).below(e=None if stable else t + 1)
    """,
    right("whole numbers", "noise of t + 1 is the first that releases v at d of 0"),
    wrong("a condition one step further", "v is unstable at d of 1, where noise of t releases it", {
          'where="d > 0"': 'where="d >= 2"'}, fails="cost"),
)


@pytest.mark.parametrize("program", TABLE.right())
def test_what_is_private_is_proved(program: Program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


@pytest.mark.parametrize("program", TABLE.wrong())
def test_what_is_wrong_is_not_proved(program: Program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)
