"""phi.replay: D with H, then D′ with φ(H), what of the proof fails there, and at which line."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from alignkit import ABOVE, BELOW, InputError, LanguageError
from alignkit.proofs.laplace import phi as laplace_phi
from alignkit.proofs.noisy_max import gap_phi as noisy_max_phi
from alignkit.proofs.noisy_max import monotone_phi
from alignkit.proofs.sparse_vector import gap_phi

GIVEN = {"T": 0, "k": 1, "eps": 1}


def test_a_trial_that_holds():
    trial = gap_phi.replay([0], [1], H={"eta": 0, "eta_i": [1]}, **GIVEN)
    assert trial.violation is None
    assert (trial.cost, trial.claim) == (Fraction(1, 2), 1)
    assert trial.output == trial.output_ == (1,)
    assert {str(where): x for where, x in trial.trial.noise_.items()} == {"eta": 1, "eta_i[0]": 1}
    assert {str(where): x for where, x in trial.trial.run.noise.items()} == {"eta": 0, "eta_i[0]": 1}


def test_arguments_by_position_and_by_name():
    H = {"eta": 0, "eta_i": [1]}
    by_name = gap_phi.replay(q=[0], q_=[1], H=H, **GIVEN)
    assert repr(gap_phi.replay([0], [1], H, **GIVEN)) == repr(by_name)
    assert repr(gap_phi.replay([0], q_=[1], H=H, **GIVEN)) == repr(by_name)
    with pytest.raises(InputError, match="q is given twice"):
        gap_phi.replay([0], [1], H=H, q=[0], **GIVEN)
    with pytest.raises(InputError, match=re.escape("needs q_=…")):
        gap_phi.replay([0], H=H, **GIVEN)
    with pytest.raises(InputError, match="needs q=…"):
        gap_phi.replay(q_=[0], H=H, **GIVEN)
    with pytest.raises(InputError, match=re.escape("gap_phi.replay needs the noise vector")):
        gap_phi.replay([0], [1], **GIVEN)
    with pytest.raises(InputError, match="takes q, q_ by position"):
        gap_phi.replay([0], [1], [2], [3], H=H, **GIVEN)


@pytest.mark.parametrize(
    ("replay", "q", "q_", "given", "message"),
    [
        (gap_phi, [0, 0], [0, 2], GIVEN, "q[1] changes by 2, more than the sensitivity 1"),
        (gap_phi, [0, 0], [0, "-3/2"], GIVEN, "q[1] changes by -3/2, more than the sensitivity 1"),
        (gap_phi, [0, 0], [0], GIVEN, "q and q_ have 2 and 1 answers; give the same number"),
        (gap_phi, [0], [float("nan")], GIVEN, "q_[0] must be a finite number, not nan"),
        (monotone_phi, [0, 0], [1, -1], {"eps": 1}, "some answers rise and others fall; adjacency is 'monotone'"),
        (laplace_phi, [0, 0], [1, 1], {"eps": 1, "delta": "3/2"}, "the changes of q add up to 2, more than 3/2"),
        (laplace_phi, [0, 0], [2, 0], {"eps": 1, "delta": "3/2"}, "q[0] changes by 2, more than the sensitivity 3/2"),
    ],
)
def test_answers_that_are_not_adjacent(replay, q, q_, given, message):
    with pytest.raises(InputError, match=re.escape(message)):
        replay.replay(q, q_, H={"eta": 0}, **given)


def test_adjacency_one(define):
    module = define("""
        @mechanism
        def m(q: Queries, x: Query, noise: Noise):
            return 1

        @mechanism
        def one(q: Queries(sensitivity=2), noise: Noise):
            return 1

        @alignment(one, epsilon="1", adjacency="one")
        def phi(H):
            return H.shift()

        @alignment(m, epsilon="1")
        def psi(H):
            return H.shift()
    """)
    assert module.phi.replay([0, 0], [0, 2], H={}).violation is None
    with pytest.raises(InputError, match="more than one answer of q changes; adjacency is 'one'"):
        module.phi.replay([0, 0], [1, 1], H={})
    with pytest.raises(InputError, match=r"^x changes by 2, more than the sensitivity 1"):
        module.psi.replay([0], [1], 0, 2, H={})


def test_floats_are_the_decimals_they_print_as():
    trial = gap_phi.replay([0.1], [1.1], H={"eta": 0.1, "eta_i": [0.3]}, T=0.2, k=1, eps=0.1)
    assert trial.violation is None
    assert trial.claim == Fraction(1, 10)
    assert trial.output == pytest.approx((0.1,))


def test_costs_of_whole_shifts_and_scales_are_exact(define):
    module = define("""
        @mechanism
        def m(q: Query, noise: Noise):
            eta = noise.laplace(3)
            return q + eta

        @alignment(m, epsilon="1 / 3")
        def phi(q, q_, H):
            return H.shift(eta=-1)
    """)
    trial = module.phi.replay(0, 1, H={"eta": 5})
    assert trial.cost == trial.claim == Fraction(1, 3)
    assert trial.violation is None


MECHANISM = """
@mechanism
def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.exponential(1 / eps)
        gap = q_i + eta_i - T - eta
        if gap >= 0:
            yield gap
            count += 1
        else:
            yield BELOW
        if count >= k:
            return
    yield 1 / (T - 7)

"""


def replay(define, shift, q=(0, 0), q_=(1, 1), H=None, text=MECHANISM, head="q, q_, omega, H", **given):
    body = f'@alignment(m, epsilon="eps")\ndef phi({head}):\n    return H.shift({shift})\n'
    module = define(text + body)
    H = {"eta": 0, "eta_i": [1, 1]} if H is None else H
    found = module.phi.replay(q, q_, H=H, **{"T": 0, "k": 1, "eps": 1, **given})
    return found, found.violation, (text + body).splitlines()


def line(violation, lines):
    return lines[violation.place.line - 2].strip()


def test_outputs_that_differ(define):
    found, violation, lines = replay(define, "eta_i=[1 for x in q]")
    assert violation.condition == "same_output"
    assert violation.words == "output[0] is 1 on D and 3 on D'"
    assert line(violation, lines) == "yield gap"
    assert (found.output, found.output_) == ((1,), (3,))


def test_outputs_that_differ_before_the_noise_does(define):
    """D′ goes on to draw noise that D does not draw, but its first output is another already."""
    found, violation, lines = replay(define, "eta=9")
    assert violation.condition == "same_output"
    assert violation.words == "output[0] is 1 on D and BELOW on D'"
    assert line(violation, lines) == "yield BELOW"
    assert found.output_ == (BELOW,)
    assert not found.trial.run_.defined


def test_one_output_too_few(define):
    text = MECHANISM.replace("            yield BELOW\n", "            count += 0\n").replace(
        "            return\n", "            break\n"
    )
    text = text.replace("    yield 1 / (T - 7)\n", "")
    found, violation, lines = replay(define, "eta=9", q=[0], q_=[1], text=text, H={"eta": 0, "eta_i": [1]})
    assert violation.words == "D gives 1 output and D' 0 outputs"
    assert line(violation, lines) == "yield gap"
    found, violation, lines = replay(define, "eta=-9", q=[0], q_=[1], text=text, H={"eta": 5, "eta_i": [1]})
    assert violation.words == "D gives 0 outputs and D' 1 output"
    assert line(violation, lines) == "yield gap"


def test_a_run_on_the_other_database_without_an_output(define):
    text = """
@mechanism
def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    yield ABOVE
    yield 1 if 1 / q[0] > 0 else 1
"""
    found, violation, lines = replay(define, "", q=[1], q_=[0], text=text, H={})
    assert violation.condition == "same_output"
    assert violation.words == "D' has no output: division by zero"
    assert line(violation, lines) == "yield 1 if 1 / q[0] > 0 else 1"
    assert found.output_ == (ABOVE,)
    found, violation, lines = replay(define, "", q=[0], q_=[1], text=text, H={})
    assert violation.condition == "termination"
    assert violation.words == "D has no output: division by zero"
    assert (found.output, found.output_) == ((ABOVE,), None)


def test_noise_that_only_one_run_draws(define):
    text = """
@mechanism
def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    if q[0] > 0:
        e = noise.laplace(1)
    yield ABOVE
"""
    _, violation, lines = replay(define, "", q=[0], q_=[1], text=text, H={})
    assert (violation.condition, violation.words) == ("noise_used", "D' draws e, but D does not")
    assert line(violation, lines) == "e = noise.laplace(1)"
    _, violation, lines = replay(define, "", q=[1], q_=[0], text=text, H={"e": 1})
    assert (violation.condition, violation.words) == ("noise_used", "D draws e, but D' does not")
    assert line(violation, lines) == "e = noise.laplace(1)"


def test_a_scale_that_differs(define):
    text = """
@mechanism
def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    b = noise.laplace(1)
    x = noise.laplace(1 + abs(b))
    yield ABOVE
"""
    _, violation, lines = replay(define, "b=1", q=[0], q_=[1], text=text, H={"b": 1, "x": 0})
    assert violation.condition == "noise_used"
    assert violation.words == "D draws x from laplace(2) and D' from laplace(3)"
    assert line(violation, lines) == "x = noise.laplace(1 + abs(b))"


def test_noise_that_leaves_its_support(define):
    found, violation, lines = replay(define, "eta_i=[-2 for x in q]")
    assert violation.condition == "valid_noise"
    assert violation.words == "the aligned eta_i[0] is -1, outside the support of exponential noise (the reals x >= 0)"
    assert found.trial.run_ is None
    assert line(violation, lines).startswith("return H.shift(")


def test_a_cost_above_the_claim(define):
    shifts = "eta=1, eta_i=[1 + q[i] - q_[i] for i in range(1)]"
    found, violation, lines = replay(define, shifts, q=(0,), q_=(-1,), H={"eta": 0, "eta_i": [1]})
    assert violation.condition == "cost"
    assert violation.words == "the shifts cost 1 (eta) + 2 (eta_i[0]) = 3, more than the claim 1"
    assert line(violation, lines).startswith("return H.shift(eta=1, eta_i=")
    assert found.cost == 3


def test_a_cost_points_at_the_costliest_shift_of_the_return_that_was_taken(define):
    text = """
@mechanism
def m(q: Query, eps: Epsilon, noise: Noise):
    rho = noise.laplace(4 / eps)
    nu = [noise.laplace(1 / eps) for i in range(7)]
    return 0

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    if q > q_:
        return H.shift(
            rho=8,
            nu=[0 for i in range(7)],
        )
    return H.shift(
        rho=-1,
        nu=[1 / 2 for i in range(7)],
    )
"""
    module, lines, H = define(text), text.splitlines(), {"rho": 0, "nu": [0] * 7}
    violation = module.phi.replay(q=1, q_=0, eps=1, H=H).violation
    assert violation.words == "the shift of rho costs 2, more than the claim 1"
    assert line(violation, lines) == "rho=8,"
    violation = module.phi.replay(q=0, q_=1, eps=1, H=H).violation
    assert violation.words == "the shifts cost 1/4 (rho) + 7/2 (nu, 7 draws) = 15/4, more than the claim 1"
    assert line(violation, lines).startswith("nu=[1 / 2")


def test_returned_outputs(define):
    text = """
@mechanism
def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    if q[0] > 0:
        return q[0], ABOVE
    return 0, BELOW
"""
    _, violation, lines = replay(define, "", q=[0], q_=[1], text=text, H={})
    assert violation.words == "the output is (0, BELOW) on D and (1, ABOVE) on D'"
    assert line(violation, lines) == "return q[0], ABOVE"


@pytest.mark.parametrize(
    ("shift", "H", "words"),
    [
        ("eta_i=[1]", {"eta": 5, "eta_i": [1, 1]}, "no shift for eta_i[1], which D draws"),
        ("eta=1 / (q[0] - q[1])", None, "division by zero"),
        ("eta=q[2]", None, "index 2 is out of range for 2 items of `q`"),
        ("eta=H.eta_i[1]", {"eta": 0, "eta_i": [1]}, "index 1 is out of range for 1 items"),
        ("eta=max([x for x in q if x > 9])", None, "max of an empty sequence"),
        ("eta=omega[0]", {"eta": 5, "eta_i": [1, 1]}, "the shift of eta is not a number"),
    ],
)
def test_an_alignment_that_is_not_defined(define, shift, H, words):
    _, violation, _ = replay(define, shift, H=H, T=1)
    assert violation.condition == "same_output"
    assert violation.words == f"the alignment is not defined for this run: {words}"


NOT_DRAWN = """
@mechanism
def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    if T > 0:
        a = noise.laplace(1)
    for x in q:
        if x > 0:
            e = noise.laplace(1)
        yield ABOVE
    b = noise.laplace(1)
"""


@pytest.mark.parametrize(
    ("shift", "words"),
    [
        ("b=H.a", "H.a was not drawn on this run"),
        ("b=H.e[0]", "the shift of b is not a number"),
        ("b=H.e[0] + 1", "a value is missing"),
        ("b=max(H.e)", "a value is missing"),
        ("b=sum(H.e)", "a value is missing"),
        ("b=1 if H.e[0] > 1 else 2", "a value is missing"),
        ("b=abs(H.e[0])", "a value is missing"),
        ("b=-H.e[0]", "a value is missing"),
    ],
)
def test_noise_that_was_not_drawn(define, shift, words):
    H = {"e": [None, 1], "b": 0}
    _, violation, _ = replay(define, shift, q=(0, 1), q_=(0, 1), text=NOT_DRAWN, H=H)
    assert violation.words.startswith(f"the alignment is not defined for this run: {words}")


def test_noise_that_was_not_drawn_has_no_shift_and_no_cost(define):
    found, violation, _ = replay(
        define, "a=5, e=[9, 0]", q=(0, 1), q_=(0, 1), text=NOT_DRAWN, H={"e": [None, 1], "b": 0}
    )
    assert violation is None
    assert found.cost == 0


def test_a_tag_where_a_number_is_needed(define):
    _, violation, _ = replay(define, "eta=1 + omega[0]", H={"eta": 5, "eta_i": [1, 1]}, T=1)
    assert violation.condition == "same_output"
    assert violation.words == "the alignment is not defined for this run: `+` between a number and the tag BELOW"
    place = violation.place
    assert place.source.text(place.line)[place.column :].startswith("1 + omega[0]")


def test_sequences_are_not_compared(define):
    text = MECHANISM.replace("yield gap", "yield (ABOVE, [gap])")
    with pytest.raises(LanguageError, match="`==` compares a value of varying kind with a sequence"):
        replay(define, "eta=1 if omega[0] == (ABOVE, [1]) else 0", text=text)
    with pytest.raises(LanguageError, match="`==` compares two sequences"):
        replay(define, "eta=1 if omega[0] == omega[0] else 0", text=text)
    with pytest.raises(LanguageError, match="the left side of `in` is a sequence"):
        replay(define, "eta=1 if omega[0] in omega else 0", text=text)


def test_a_claim_without_a_value(define):
    module = define(MECHANISM + '@alignment(m, epsilon="1 / (k - 1)")\ndef phi(H):\n    return H.shift()\n')
    words = "the claim '1 / (k - 1)' has no value for this run: division by zero"
    with pytest.raises(InputError, match=re.escape(words)):
        module.phi.replay([0], [0], H={"eta": 0, "eta_i": [0]}, **GIVEN)


def test_outputs_are_read_as_python_reads_them(define):
    """omega, H and the answers come as lists and numbers to the alignment's own Python."""
    module = define(
        MECHANISM
        + """
@alignment(m, epsilon="eps")
def phi(q, q_, omega, H, T, k):
    n = len(omega)
    if any(w is BELOW for w in omega) and n > 1 and H.eta_i[n - 1] >= H.eta:
        return H.shift(eta_i=[q[i] - q_[i] for i in range(n)])
    return H.shift(eta=sum(0 * e for e in H.eta_i) + 0 * k / 3)
"""
    )
    trial = module.phi.replay([-3, 0], [-3, 0], H={"eta": 0, "eta_i": [1, 1]}, **GIVEN)
    assert trial.violation is None
    assert trial.output == (BELOW, 1)


def test_it_prints_as_a_table():
    text = repr(gap_phi.replay([0, 3], [1, 2], H={"eta": 1, "eta_i": [0, 1]}, T=2, k=1, eps=1))
    assert text.splitlines()[0] == "sparse_vector_with_gap / gap_phi, adjacency each"
    for part in ("q[1]", "eta_i[1]", "shift +2", "BELOW", "cost 1 <= claim 1 (eps)", "no condition fails"):
        assert part in text


def test_noisy_max_with_gap():
    H = {"eta": [0, 0, 0]}
    trial = noisy_max_phi.replay([5, 3, 1], [4, 4, 1], H=H, eps=1)
    assert trial.output == trial.output_ == (0, 2)
    assert trial.violation is None
    assert trial.cost == 1
