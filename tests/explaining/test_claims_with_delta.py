"""Written proofs of claims with delta: what delta pays for, what holds on good runs, and how both give the claim."""

from __future__ import annotations

import re
from functools import cache

import pytest
from support import claims_with_delta
from support.defining import define_in
from support.examples import examples

from alignkit.catalogue import find_alignments
from alignkit.explaining import WRITERS, explain
from alignkit.explaining.tracing import trace
from alignkit.explaining.writers import html_trace
from alignkit.proofs.thresholded_keys import key_with_retries_phi, truncated_selection_phi

PROVED = [alignment for alignment in find_alignments() if alignment.delta is not None and alignment.expect == "proved"]

SHAPES = """
@mechanism
def keys(q: Queries, tau: Real, eps: Epsilon, noise: Noise):
    xs = [noise.laplace(1 / eps) for q_i in q]
    return [a + x if a > 0 and a + x >= tau else 0 for a, x in zip(q, xs)]

@alignment(keys, epsilon="len(q) * eps", delta="len(q) * exp(-eps * (tau - 1)) / 2", adjacency="each")
def each_phi(q, q_, H, tau):
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(xs=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        xs=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)])

@alignment(keys, epsilon="eps", delta="exp(-eps * (tau - 1)) / 2", adjacency="one")
def one_phi(q, q_, H, tau):
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(xs=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        xs=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)])

@mechanism
def first(q: Queries, T: Real, eps: Epsilon, A: Positive, noise: Noise):
    rho = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        x = noise.laplace(4 / eps, within=A)
        if q_i + x >= T + rho:
            yield ABOVE
            count = count + 1
            break
        yield BELOW

@alignment(
    first, epsilon="eps", delta="len(q) * (exp(eps / 2) - 1) / (2 * (exp(A * eps / 4) - 1))", adjacency="each"
)
def first_phi(q, q_, H, A, omega):
    return H.shift(rho=1, x=[1 + a - b if w is ABOVE else 0 for a, b, w in zip(q, q_, omega)]).below(
        x=[A - 1 - a + b for a, b in zip(q, q_)])

@mechanism
def up(q: Query, eps: Epsilon, noise: Noise):
    x = noise.exponential(1 / eps)
    return q + x

@alignment(up, epsilon="eps", delta="1 - exp(-eps)")
def up_phi(q, q_, H):
    return H.shift(x=q - q_).above(x=q_ - q if q < q_ else None)

@mechanism
def key(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return 0

@alignment(key, epsilon="eps", delta="exp(-eps * (tau - 2)) / 2")
def early_phi(q, q_, H, tau):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - 1 - max(q, q_) if new else None)
"""


@cache
def parts_of(alignment):
    """What a written proof says above "Proof", of what delta pays for, and of good runs."""
    text = WRITERS["markdown"](explain(alignment).document)
    above, _, rest = text.partition("### What delta pays for")
    charges, _, good = rest.partition("### Good runs of D")
    assert charges, text
    assert good, text
    return above, charges.replace("\\", ""), good.replace("\\", "")


@pytest.fixture(scope="module")
def shapes(tmp_path_factory):
    return define_in(tmp_path_factory.mktemp("shapes"), SHAPES)


def test_one_draw():
    above, charges, good = parts_of(claims_with_delta.key_phi)
    assert "for both orders of a pair" in above
    assert "* `x < tau - max(q, q′)` if `new`; no limit otherwise." in above
    assert "\nx′ = x + ⎧ 0        if new\n" in above
    assert "Fix adjacent D and D′, in either order." in charges
    limit = "* Where `(q > 0 or q′ > 0) and (q ≤ 0 or q′ ≤ 0)`, `max(q′, q) + x < tau` in a good run. For the contrary"
    assert limit in charges
    tail = "`(exp(eps · q′ - eps · tau) / 2 if q < q′ else exp(eps · q - eps · tau) / 2)`, by the upper tail of Laplace"
    assert f"its probability is at most {tail} noise of scale `1 / eps` [docs/theory/delta.md#tails]" in charges
    assert "Where also `q′ < q`, `q > 0 and tau ≤ q + x` holds then, which one way through the mechanism" in charges
    assert "**Charges.** The charges for limits add up to at most exp(-eps * (tau - 1)) / 2 (2 obligations)." in charges
    assert "a run of D is not good with probability at most exp(-eps * (tau - 1)) / 2: up to the first" in charges
    assert "noise `H` on which D's run is good" in good
    assert "All that follows is for good runs" in good
    assert "or max(q′, q) + x < tau`" in good  # the limit is a reason
    conclusion = "P(D gives an output in E) ≤ e^(eps) P(D′ gives one in E) + exp(-eps * (tau - 1)) / 2, for both orders"
    assert "**Both parts.** For every set E of outputs the probability that D's run is good" in good
    assert conclusion in good
    assert good.partition("∎")[0].endswith("[docs/theory/delta.md#the-theorem] ")


def test_a_loop_pays_in_every_iteration():
    _, charges, _ = parts_of(key_with_retries_phi)
    assert "`max(q′, q) + x[i] < tau` in a good run" in charges
    assert "`charged <= charged before the loop + (exp(eps - eps * tau) / 2) * the number of iterations`" in charges
    assert "where no iteration leaves the loop: `charged ≤ exp(eps - eps · tau) · k / 2`" in charges
    assert "privacy_cost" not in charges


def test_each_and_one_of_a_vector(shapes):
    _, charges, _ = parts_of(shapes.each_phi)
    assert "`max(q′[j], q[j]) + xs[j] < tau` in a good run" in charges
    assert "; `j` is any position." in charges
    assert "at which what is added up is greatest" in charges
    assert "· len(q) ≤ exp(eps - eps · tau) · len(q) / 2`" in charges
    _, charges, _ = parts_of(shapes.one_phi)
    assert "* The noise `xs` is charged only at the answer that changes.\n" in charges


def test_noise_that_is_cut_off_and_noise_with_a_lower_end(shapes):
    _, charges, good = parts_of(shapes.first_phi)
    assert "of cut Laplace noise of low `-A`, high `A` and scale `4 / eps`" in charges
    assert "= 0" not in charges  # the count of D and that of its second run are no concern of a reader
    assert "count′" not in charges
    assert "`q[i] + x[i] + 1 < q′[i] + A`" in good
    _, charges, _ = parts_of(shapes.up_phi)
    assert "Where also" not in charges
    assert "* Where `q < q′`, `q′ < q + x` in a good run." in charges
    assert "`max(0, 1 - exp(eps · q - eps · q′))`, by the lower tail of Exponential noise of scale `1 / eps`" in charges


def test_nothing_is_said_of_what_d_prime_cannot_do_where_noise_beyond_a_limit_does_not_force_it(shapes):
    _, charges, _ = parts_of(shapes.early_phi)
    assert "`max(q′, q) + x + 1 < tau` in a good run" in charges
    assert "Where also" not in charges


def test_a_lemma_with_delta():
    above, charges, good = parts_of(claims_with_delta.key_and_count_phi)
    assert "with its laws K on D and K′ on D′, this is min(K, exp(c) K′), where c is what the call costs" in charges
    assert re.search(r"the call at line \d+ takes at most `exp\(eps - eps \* tau\) / 2` of delta\.", charges)
    assert "limits that the alignment states" not in charges
    assert "within these limits" not in above
    assert "of the good part of what D gives where the lemma has a delta, by e to the cost of the call" in good


def test_what_proves_nothing_says_for_which_runs_it_holds():
    text = WRITERS["markdown"](explain(claims_with_delta.delta_by_a_square_phi).document)
    assert "## Proof" not in text
    assert "is for runs of D in which no draw breaks its limit" in text
    missing = r"## What is missing\n\nLimits\. Line \d+: not shown: the charges for limits add up to at most"
    assert re.search(missing, text)
    text = WRITERS["markdown"](explain(claims_with_delta.small_delta_phi).document)
    assert "this refutes the limits of the alignment, not the claim" in text
    assert "Exact replay confirms that this noise breaks a limit" in text
    assert "No draw of D breaks" not in text
    assert "no tie alone" not in text
    text = WRITERS["markdown"](explain(claims_with_delta.cheap_phi).document)
    assert "## Where the argument breaks" in text
    assert "Exact replay of both runs confirms this. No draw of D breaks its limit here." in text


@pytest.mark.parametrize("alignment", PROVED[:: examples(12, 1)], ids=lambda each: each.name)
def test_every_proof_of_the_catalogue_is_written(alignment):
    above, charges, good = parts_of(alignment)
    assert "a proof of (" in above
    assert "in a good run. For the contrary delta pays" in charges
    assert f"not good with probability at most {alignment.delta}:" in charges
    assert "∎" in good
    # Primes are for the answers of D′: nothing is told of the second run of the proof, which is one of D.
    assert set(re.findall(r"(\w+)′", charges)) <= {"D", "K", *alignment.mechanism.private}
    assert not re.search(r"else 0\) [≠=] 0\b|dearest index(?! of \w+[]`])", charges)


def test_a_trace_shows_limits_and_their_charges():
    pair = trace(truncated_selection_phi, q=[0, 3], q_=[1, 3], m=2, eps=1, H={"x": [0, 1]})
    assert str(pair).splitlines()[2] == "limits: x[0] > -2, charged 0.06745080587"
    assert "<p>limits: x[0] &gt; -2, charged 0.06745080587</p>" in html_trace(pair)
    pair = trace(claims_with_delta.key_phi, q=0, q_=1, tau=0, eps=1, H={"x": 2})
    assert "limits: x < -1, charged 1 or more, broken" in str(pair)
    assert "outside the limits: x is 2, not below its limit -1; delta pays for such noise" in str(pair)
