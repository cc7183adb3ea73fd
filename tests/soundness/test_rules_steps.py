"""Rules 19 and 44: a staircase costs by whole periods, and uniform noise may not leave its interval.

If the cost of a staircase were taken for linear, or that of uniform noise for 0 without a look at its support, most of
the programs below that are not said to be private would be proved.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

from alignkit import attack, check, find, law, least_noise, release
from alignkit.errors import InputError, Unsupported
from alignkit.explorer.page import explorer_page

table = Table()

# One answer with staircase noise

table.base(
    """
    @mechanism
    def answer(q: Query, gamma: Proportion, eps: Epsilon, noise: Noise):
        e = noise.staircase(1 / eps, gamma)
        return q + e

    @alignment(answer, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q - q_)
    """,
    right("plain", checked=True),
    right("twice", "two periods at most", {"q: Query": "q: Query(sensitivity=2)", '"eps"': '"2 * eps"'}),
    right(
        "three_halves", "and it cannot be less",
        {"q: Query": "q: Annotated[Query, Sensitivity(1.5)]", '"eps"': '"2 * eps"'},
    ),
    right(
        "half_an_answer", "half a shift costs what a whole one costs",
        {"return q + e": "return q / 2 + e", "q - q_": "(q - q_) / 2"},
    ),
    wrong("half_the_claim", "Leaks", {'"eps"': '"eps / 2"'}, fails="cost", refuted=True),
    wrong(
        "half_the_shift", "Leaks: half a shift is no cheaper",
        {"return q + e": "return q / 2 + e", "q - q_": "(q - q_) / 2", '"eps"': '"eps / 2"'},
        fails="cost", refuted=True,
    ),
    wrong(
        "three_halves_at_that", "Leaks: two periods",
        {"q: Query": "q: Annotated[Query, Sensitivity(1.5)]", '"eps"': '"1.5 * eps"'},
        fails="cost", refuted=True,
    ),
    wrong(
        "a_short_period", "Leaks: the answer moves by two periods",
        {"gamma)": "gamma, 1 / 2)", '"eps"': '"eps / 2"'},
        fails="cost", refuted=True,
    ),
    right("a_short_period_paid", "two periods of half the cost", {"gamma)": "gamma, 1 / 2)"}),
    wrong(
        "a_long_period", "Leaks: a shift by 1 crosses a step that is twice as high",
        {"gamma)": "gamma, 2)"},
        fails="cost", refuted=True,
    ),
    right("a_long_period_paid", "", {"gamma)": "gamma, 2)", '"eps"': '"2 * eps"'}),
    right("twice_gamma", "where that is below 1, which is presumed and said", {"gamma)": "2 * gamma)"}),
    wrong("gamma_0", "Has no density", {"gamma)": "gamma - gamma)"}),
    wrong("period_0", "Has no density", {"gamma)": "gamma, 0)"}),
    wrong(
        "gamma_of_the_answer", "Leaks: the shape of the noise tells the answer",
        {"gamma)": "gamma if q > 0 else gamma / 2)"},
        fails="noise_used",
    ),
    wrong(
        "period_of_the_answer", "Leaks: the noise is coarse or fine",
        {"gamma)": "gamma, 1 if q > 0 else 2)"},
        fails="noise_used",
    ),
)

# A period that is a public parameter

table.base(
    """
    @mechanism
    def scaled(q: Annotated[Query, Sensitivity("delta")], delta: Positive, eps: Epsilon, noise: Noise):
        e = noise.staircase(delta / eps, 1 / 3, delta)
        return q + e

    @alignment(scaled, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q - q_)
    """,
    right("its_own_period"),
    wrong("another_period", "Leaks where delta is above 1", {"1 / 3, delta)": "1 / 3, 1)"}, fails="cost"),
    wrong(
        "half_the_period_at_half", "Leaks",
        {"1 / 3, delta)": "1 / 3, delta / 2)", '"eps"': '"eps / 2"'},
        fails="cost",
    ),
)

# Lists of staircase draws

table.base(
    """
    @mechanism
    def every(q: Queries, eps: Epsilon, noise: Noise):
        e = [noise.staircase(1 / eps, 1 / 2) for q_i in q]
        return [q_i + e_i for q_i, e_i in zip(q, e)]

    @alignment(every, epsilon="eps", adjacency="one")
    def phi(q, q_, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("one_changes", "the shift is another than 0 at one index", checked=True),
    wrong(
        "l1", "Leaks: n small changes cross n steps", {'adjacency="one"': 'adjacency="l1"'}, fails="cost", refuted=True
    ),
    wrong("all_change", "Leaks", {', adjacency="one"': ""}, fails="cost"),
)

table.base(
    """
    @mechanism
    def loop(q: Queries, eps: Epsilon, noise: Noise):
        for q_i in q:
            e = noise.staircase(1 / eps, 1 / 2)
            yield q_i + e

    @alignment(loop, epsilon="eps", adjacency="one")
    def phi(q, q_, omega, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(omega))])
    """,
    right("one_changes_in_a_loop"),
    wrong("l1_in_a_loop", "Leaks: n small changes cross n steps", {'adjacency="one"': 'adjacency="l1"'}, fails="cost"),
)

table.base(
    """
    @mechanism
    def noisy_max(q: Queries, eps: Epsilon, noise: Noise):
        e = [noise.staircase(2 / eps, 1 / 2) for q_i in q]
        (best,) = largest([q_i + e_i for q_i, e_i in zip(q, e)], 1)
        return best

    @alignment(noisy_max, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(e=[2 if i == omega else 0 for i in range(len(q))])
    """,
    right("two_periods", checked=True),
    wrong("a_period_is_not_enough", "Private? At eps/2 it is not", {'"eps"': '"eps / 2"'}, fails="cost", refuted=True),
    wrong(
        "a_little_more", "U: a shift by more than 2 begins a third period",
        {"2 if i": "2 + 1 / 1000 if i"},
        fails="cost", refuted=True,
    ),
)

# Uniform noise hides nothing

table.base(
    """
    @mechanism
    def shown(q: Query, width: Positive, eps: Epsilon, noise: Noise):
        u = noise.uniform(-width, width)
        return q + u

    @alignment(shown, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(u=q - q_)
    """,
    wrong("added_to_the_answer", "Leaks", fails="valid_noise", refuted=True),
    wrong("at_any_claim", "Leaks", {'"eps"': '"1000 * eps"'}, fails="valid_noise", refuted=True),
    wrong(
        "a_small_change", "Leaks",
        {"return q + u": "return q / 1000 + u", "q - q_)": "(q - q_) / 1000)"},
        fails="valid_noise", refuted=True,
    ),
    wrong(
        "downwards", "Leaks",
        {
            "return q + u": "return (1 if q > 0 else 0) + u",
            "q - q_)": "(1 if q > 0 else 0) - (1 if q_ > 0 else 0))",
        },
        fails="valid_noise", refuted=True,
    ),
    wrong("unmoved", "Leaks", {"u=q - q_": "u=0"}, fails="same_output", refuted=True),
    wrong("no_width", "Has no density", {"(-width, width)": "(width, width)"}),
    wrong("turned_round", "Has no density", {"(-width, width)": "(width, -width)"}),
    wrong(
        "about_the_answer", "Leaks",
        {"(-width, width)": "(q - width, q + width)", "return q + u": "return u", "u=q - q_": "u=0"},
        fails="noise_used",
    ),
    wrong(
        "width_of_the_answer", "Leaks",
        {"(-width, width)": "(-width, width + (1 if q > 0 else 0))", "return q + u": "return u", "u=q - q_": "u=0"},
        fails="noise_used",
    ),
    wrong(
        "moved_where_it_may_be", "Leaks: elsewhere the output is another",
        {
            "phi(q, q_, H)": "phi(q, q_, width, H)",
            "u=q - q_": "u=q - q_ if -width <= H.u + q - q_ and H.u + q - q_ < width else 0",
        },
        fails="same_output", refuted=True,
    ),
)

# What is chosen apart from the answers

table.base(
    """
    @mechanism
    def threshold(q: Query, eps: Epsilon, noise: Noise):
        t = noise.uniform(0, 100)
        e = noise.laplace(1 / eps)
        return 1 if q + e >= t else 0

    @alignment(threshold, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q - q_)
    """,
    right("unmoved_threshold", checked=True),
    wrong(
        "moved_threshold", "U: the threshold would leave its interval",
        {"e=q - q_": "t=q_ - q"},
        fails="valid_noise", refuted=True,
    ),
    wrong(
        "answer_unhidden", "Leaks: 1/100 of the interval tells two answers apart, at most",
        {"q + e >=": "q >=", "e=q - q_": "t=q_ - q"},
        fails="valid_noise", refuted=True,
    ),
    right(
        "in_a_tuple", "the threshold may be put out",
        {"return 1 if q + e >= t else 0": "return (t, 1 if q + e >= t else 0)"},
    ),
    right(
        "definedness", "it is at least 1",
        {"(0, 100)": "(1, 100)", "return 1 if q + e >= t else 0": "return (q + e) / t"},
    ),
    wrong("undefined_at_0", "Divides by 0", {"return 1 if q + e >= t else 0": "return (q + e) / t"}),
    wrong(
        "undefined_below", "Divides by 0 with probability 0",
        {"(0, 100)": "(-1, 100)", "return 1 if q + e >= t else 0": "return (q + e) / t"},
    ),
    right("below_its_bound", "100 is not drawn", {"return 1 if q + e >= t else 0": "return (q + e) / (t - 100)"}),
)

# Parts of the interval may change places

table.base(
    """
    @mechanism
    def coin(q: Query, eps: Epsilon, noise: Noise):
        u = noise.uniform(0, 1)
        e = noise.laplace(1 / eps)
        b = 1 if u < 1 / 2 else 0
        return (b, q + e)

    @alignment(coin, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q - q_)
    """,
    right("an_unmoved_coin"),
    wrong(
        "a_turned_coin", "U: the output would be another",
        {"(e=": "(u=1 / 2 if H.u < 1 / 2 else -1 / 2, e="},
        fails="same_output", refuted=True,
    ),
    right(
        "turned_unseen", "halves change places",
        {"(e=": "(u=1 / 2 if H.u < 1 / 2 else -1 / 2, e=", "(b, q + e)": "q + e"},
    ),
    wrong(
        "turned_too_far", "U: leaves the interval",
        {"(e=": "(u=2 / 3 if H.u < 1 / 2 else -1 / 2, e=", "(b, q + e)": "q + e"},
        fails="valid_noise", refuted=True,
    ),
    wrong(
        "both_to_one", "U: not one-to-one",
        {"(e=": "(u=0 if H.u < 1 / 2 else -1 / 2, e=", "(b, q + e)": "q + e"},
        fails="one_to_one",
    ),
)

table.base(
    """
    @mechanism
    def response(q: Query, p: Proportion, eps: Epsilon, noise: Noise):
        u = noise.uniform(0, 1)
        e = noise.laplace(1 / eps)
        b = 1 if q > 0 else 0
        return b if u < p else 1 - b

    @alignment(response, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(u=0)
    """,
    wrong("response_for_nothing", "Leaks: the coin tells the answer", fails="same_output", refuted=True),
    wrong("squeezed", "Leaks", {"u=0": "u=-H.u / 1000"}),
    wrong(
        "squeezed_for_nothing", "Leaks: what is squeezed is paid for",
        {"u=0": "u=-H.u / 2", "b if u < p else 1 - b": "1 if u < 1 / 2 + 1 / 4 * b else 0"},
    ),
)

# Lists of uniform draws: beyond the end of the list nothing is known of them

table.base(
    """
    @mechanism
    def several(q: Queries, low: Reals, eps: Epsilon, noise: Noise):
        u = [noise.uniform(low_i, low_i + 1) for low_i in low]
        e = [noise.laplace(1 / eps) for q_i in q]
        return ([q_i + e_i for q_i, e_i in zip(q, e)], u)

    @alignment(several, epsilon="eps", adjacency="l1")
    def phi(q, q_, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("all_unmoved"),
    wrong("moved_up", "U", {"H.shift(": "H.shift(u=[1 / 2 for i in range(len(H.u))], "}, fails="valid_noise"),
    wrong("no_interval", "Has no density", {"low_i + 1)": "low_i)"}),
    wrong(
        "raw", "Leaks: no interval, for which no list is long enough",
        {"low_i + 1)": "low_i - 1)", "q_i + e_i": "q_i", "e=[q[i] - q_[i]": "e=[0"},
    ),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


ONE = """
@mechanism
def m(q: Query, eps: Epsilon, noise: Noise):
    e = noise.{draw}
    return q + e

@alignment(m, epsilon="{claim}")
def phi(q, q_, H):
    return H.shift(e=q - q_)
"""

STAIRCASE = ONE.format(draw="staircase(1 / eps, 1 / 2)", claim="eps")
UNIFORM = ONE.format(draw="uniform(-1, 1)", claim="eps")


def test_what_is_presumed_of_parameters_is_said(define, proved_by_check):
    result = proved_by_check(define(ONE.format(draw="staircase(1 / eps, eps)", claim="eps")).phi)
    assert "the gamma of e must be below 1" in str(result)


def test_the_report_says_what_a_staircase_costs_at_worst(define, proved_by_check):
    text = str(proved_by_check(define(STAIRCASE).phi))
    assert "worst case of the shifts: eps, attained" in text
    assert "the second opinion" not in text


def test_uniform_noise_is_convicted_from_samples(define):
    found = attack(define(UNIFORM).m, claim="eps", seed=1)
    assert "NOT PRIVATE" in str(found)
    assert "no closed form: line 5: none is known for Uniform noise" in str(found)


@pytest.mark.parametrize("source", [STAIRCASE, UNIFORM], ids=["staircase", "uniform"])
def test_rooms_that_do_not_cover_such_noise_say_so(source, define):
    """Proposals and the least noise rest on costs that are multiples of the shift; releases and laws on lattices."""
    module = define(source)
    name = "staircase" if source == STAIRCASE else "uniform"
    assert f"no shift of noise.{name} is proposed; write the alignment yourself" in str(find(module.m))
    assert f"the parameters of noise.{name} are not changed" in str(least_noise(module.m, "eps"))
    with pytest.raises(Unsupported, match="laws are computed only for noise on a lattice"):
        law(module.m, q=0, eps=1)
    with pytest.raises(InputError, match=f"draws e from noise.{name}, noise over ideal reals"):
        release(module.m, 0, eps=1, proof=check(module.phi))


def test_the_second_program_does_not_examine_such_noise(define):
    assert "noise.staircase" in str(check(define(STAIRCASE).phi, confirm=True))


def test_the_explorer_shows_steps_and_intervals(define):
    page = explorer_page(define(STAIRCASE).phi, variants=False)
    assert '"function": "ceil"' in page.text or '"function":"ceil"' in page.text
    assert explorer_page(define(UNIFORM).phi, variants=False).text.count("interval") > 1
