"""Positions in lists and in the output: which are in range, whose items are read, and what may be known of them.

A list that is read by position is presumed to be long enough, and nothing else may rest on that. The output at a
position that stays the same for the whole run is that of the iteration which stands there, and of no other.
"""

from __future__ import annotations

import pytest
from support.defining import define_in
from support.near_misses import Table, right, wrong

from alignkit import InputError, check, release
from alignkit.results import Verdict

table = Table()

# What a window is summed over, by the mechanism and by the alignment.
SUM, PHI = "enumerate(q) if i - w < j <= i", "range(len(q)) if i - w < j <= i"


def both(condition):
    """The window that a condition gives, on both sides."""
    return {SUM: f"enumerate(q) if {condition}", PHI: f"range(len(q)) if {condition}"}


SHORT = "if len(T) < len(q):\n    yield q[0]"
ENDS = "else:\n    yield BELOW"

table.base(
    """
    @mechanism
    def thresholds(q: Queries, T: Reals, k: Count, eps: Epsilon, noise: Noise):
        eta = noise.laplace(2 / eps)
        count = 0
        for i, q_i in enumerate(q):
            e = noise.laplace(4 * k / eps)
            if q_i + e >= T[i] + eta:
                yield ABOVE
                count += 1
                if count == k:
                    break
            else:
                yield BELOW

    @alignment(thresholds, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=1, e=[1 + q[i] - q_[i] if omega[i] is ABOVE else 0 for i in range(len(omega))])
    """,
    right("a threshold for each query", "where the list is as long as the queries", checked=True),
    right(
        "by position on both",
        changes={"for i, q_i in enumerate(q)": "for i in range(len(q))", "q_i + e": "q[i] + e"},
    ),
    right("the thresholds in turn", "no length is presumed", {"T[i]": "T[i % len(T)]"}),
    right("where there is one", changes={"T[i]": "(T[i] if i < len(T) else 0)"}),
    right(
        "as many queries as thresholds",
        changes={
            "for i, q_i in enumerate(q)": "for i in range(len(T))",
            "q_i + e": "q[i] + e",
            "range(len(omega))": "range(min(len(omega), len(q)))",
        },
    ),
    right("counted backwards", changes={"T[i]": "T[len(q) - 1 - i]"}),
    wrong(
        "an answer is put out if the list is short",
        "which a run may come to that has stopped before the list ends",
        {ENDS: f"{ENDS}\n{SHORT}", "omega[i] is ABOVE": "i < len(q) and omega[i] is ABOVE"},
    ),
    wrong(
        "an answer is put out after a short list",
        "a run that stops early comes to it",
        {ENDS: ENDS + "\nif len(T) < len(q):\n    yield q[0]", "range(len(omega))": "range(min(len(omega), len(q)))"},
    ),
    wrong("one behind", "position -1 is the last in Python", {"T[i]": "T[i - 1]"}, fails="termination"),
    wrong("past the end", "however long the list is", {"T[i]": "T[len(T)]"}, fails="same_output"),
    wrong(
        "beyond", "whatever is presumed contradicts itself",
        {
            "for i, q_i in enumerate(q)": "for i in range(len(T))",
            "q_i + e": "q[i] + e",
            "T[i]": "T[i + 1]",
            "range(len(omega))": "range(min(len(omega), len(q)))",
        },
    ),
    wrong("a threshold for each winner", "noise decides how many", {"T[i]": "T[count]"}, fails="termination"),
    wrong("a private position", "another threshold on D'", {"T[i]": "T[0 if q_i > 0 else 1]"}, refuted=True),
    wrong("the threshold stays", "winners would need no less", {"eta=1": "eta=0", "1 + q[i]": "q[i]"}, refuted=True),
    wrong("losers are not paid for", changes={"is ABOVE": "is BELOW"}, refuted=True),
)

table.base(
    """
    @mechanism
    def budgets(q: Queries, share: Reals, eps: Epsilon, noise: Noise):
        for i, q_i in enumerate(q):
            e = noise.laplace(1 / eps)
            yield q_i + e + share[i]

    @alignment(budgets, epsilon="len(q) * eps")
    def phi(q, q_, omega, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
    """,
    right("by the answers"),
    right(
        "counted by hand",
        changes={"for i, q_i in enumerate(q)": "i = 0\nfor q_i in q", "+ share[i]": "+ share[i]\ni += 1"},
    ),
    wrong("by the items", "what is presumed says nothing of the cost", {"len(q) * eps": "len(share) * eps"}),
    wrong("a private item", "0 or 1 by the answer", {"share[i]": "(share[i] if q_i > 0 else 0)"}, refuted=True),
    wrong(
        "private whether there is one",
        changes={"share[i]": "(share[i] if i < len(share) and q_i > 0 else 0)"}, refuted=True,
    ),
)

table.base(
    """
    @mechanism
    def tagged(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        for q_i in q:
            e = noise.laplace(1 / eps)
            if q_i + e >= T:
                yield ABOVE
            else:
                yield BELOW

    @alignment(tagged, epsilon="eps", adjacency="one")
    def phi(q, q_, omega, H):
        return H.shift(e=[abs(q[i] - q_[i]) if omega[i] is ABOVE else -abs(q[i] - q_[i]) for i in range(len(q))])
    """,
    right("one output for each answer"),
    right("counted from the end", changes={"omega[i]": "omega[len(omega) - (len(q) - i)]"}),
    wrong("the other way round", changes={"is ABOVE": "is BELOW"}, refuted=True),
    wrong("one ahead", changes={"omega[i]": "omega[min(i + 1, len(q) - 1)]"}, refuted=True),
    wrong("the first for all", changes={"omega[i]": "omega[0]"}, refuted=True),
    wrong("the last for all", changes={"omega[i]": "omega[-1]"}, refuted=True),
    wrong("it stops at the first", "then there are fewer outputs", {"yield ABOVE": "yield ABOVE\nbreak"}, refuted=True),
    wrong("it stops without an output", changes={"yield ABOVE": "break"}, refuted=True),
    wrong("it stops after twenty", "no short run shows it", {"yield ABOVE": "yield ABOVE\nif len(q) > 20:\n    break"}),
    wrong("losers give nothing", changes={"else:\n    yield BELOW": ""}, refuted=True),
)

table.base(
    """
    @mechanism
    def first_above(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        for q_i in q:
            nu = noise.laplace(4 / eps)
            if q_i + nu >= T + rho:
                yield ABOVE
                break
            yield BELOW

    @alignment(first_above, epsilon="eps")
    def phi(q, q_, omega, H):
        last = len(omega) - 1
        return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i == last and omega[-1] is ABOVE else 0 for i in range(len(q))])
    """,
    right("the last output, if it is a winner"),
    right("by its position", changes={"omega[-1]": "omega[last]"}),
    right("the last output, which may be a loser", "it costs no more", {" and omega[-1] is ABOVE": ""}),
    right("found or not", changes={"rho=1": "rho=1 if omega[-1] is ABOVE else 1"}),
    wrong(
        "not found, not moved", "a loser may become a winner",
        {"rho=1": "rho=1 if omega[-1] is ABOVE else 0"}, refuted=True,
    ),
    wrong("all of them if found", "each iteration pays", {"i == last and ": ""}),
    wrong("one before the last", changes={"i == last": "i == last - 1"}, refuted=True),
    wrong("the first output", changes={"omega[-1]": "omega[0]"}, refuted=True),
    wrong("if it is a loser", changes={"omega[-1] is ABOVE": "omega[-1] is BELOW"}, refuted=True),
    wrong("it goes on after a winner", "the last is not the only one", {"break": "continued = 1"}, refuted=True),
    wrong("at half of what it costs", changes={'epsilon="eps"': 'epsilon="eps / 2"'}, fails="cost", refuted=True),
    wrong("up to the last", "they are many", {"i == last": "i <= last"}),
    wrong("all but the last", "they are many", {"i == last": "i != last"}),
)

table.base(
    """
    @mechanism
    def window(q: Queries, w: Count, eps: Epsilon, noise: Noise):
        for i, q_i in enumerate(q):
            e = noise.laplace(w / eps)
            yield sum(x for j, x in enumerate(q) if i - w < j <= i) + e

    @alignment(window, epsilon="eps", adjacency="one")
    def phi(q, q_, w, H):
        return H.shift(e=[sum(q[j] - q_[j] for j in range(len(q)) if i - w < j <= i) for i in range(len(q))])
    """,
    right("each answer pays w times", checked=True),
    right("as a range on one side", changes={PHI: "range(max(0, i - w + 1), i + 1)"}),
    right("written by the distance", changes={SUM: "enumerate(q) if 0 <= i - j < w"}),
    right("two filters in one", changes={SUM: "enumerate(q) if j > i - w and i >= j"}),
    right(
        "a condition for each",
        changes={f"x for j, x in {SUM}": "x if i - w < j <= i else 0 for j, x in enumerate(q)"},
    ),
    right("the latest first", changes={f"x for j, x in {SUM}": "q[i - d] for d in range(min(w, i + 1))"}),
    right("the latest first, filtered", changes={f"x for j, x in {SUM}": "q[i - d] for d in range(w) if d <= i"}),
    right("under l1", changes={'"one"': '"l1"'}),
    right("all up to here", "which costs more", {**both("j <= i"), "w / eps": "len(q) / eps"}),
    right("with a fixed length", changes={**both("i - 3 < j <= i"), "w / eps": "3 / eps"}),
    wrong("one more", "which D' has too", {SUM: "enumerate(q) if i - w <= j <= i"}, fails="same_output", refuted=True),
    wrong("one more on both", "w + 1 answers", both("i - w <= j <= i"), fails="cost", refuted=True),
    wrong("one less", changes={PHI: "range(len(q)) if i - w + 1 < j <= i"}, fails="same_output", refuted=True),
    wrong("without the last", changes={PHI: "range(len(q)) if i - w < j < i"}, fails="same_output", refuted=True),
    wrong("up to the next", changes={SUM: "enumerate(q) if i - w < j <= i + 1"}, fails="same_output", refuted=True),
    wrong("up to the next on both", "w + 1 answers", both("i - w < j <= i + 1"), fails="cost", refuted=True),
    wrong("all from here", "not the last w", both("i - w < j"), fails="cost"),
    wrong("all up to here at the price of w", "not the last w", both("j <= i"), fails="cost"),
    wrong("outside the window", "not the last w", both("i - w >= j or j > i")),
    wrong("every other", "of which D' has all", {SUM: "enumerate(q) if i - w < 2 * j <= i"}, refuted=True),
    wrong("at half the noise", changes={"w / eps": "w / (2 * eps)"}, fails="cost", refuted=True),
    wrong("each answer may change", "as w answers in each window do", {'"one"': '"each"'}, fails="cost", refuted=True),
    wrong(
        "the latest first, one too many",
        changes={f"x for j, x in {SUM}": "q[i - d] for d in range(w + 1) if d <= i"}, refuted=True,
    ),
    wrong(
        "the latest first, and before the first", "position -1 is the last in Python",
        {f"x for j, x in {SUM}": "q[i - d] for d in range(w)"}, refuted=True,
    ),
    wrong("a private end", changes={SUM: "enumerate(q) if i - w < j <= i and q_i > 0"}, refuted=True),
)


table.base(
    """
    @mechanism
    def closing_in(q: Queries, eps: Epsilon, noise: Noise):
        lo = 0
        hi = len(q) - 1
        for t in range(len(q) - 1):
            e = noise.laplace((len(q) - 1) / eps)
            if q[lo] - q[hi] + e >= 0:
                lo += 1
                yield ABOVE
            else:
                hi -= 1
                yield BELOW

    @alignment(closing_in, epsilon="2 * eps")
    def phi(q, q_, omega, H):
        return H.shift(e=[2 if w is ABOVE else -2 for w in omega])
    """,
    right("two ends that close in on one another"),
    right(
        "as long as there are answers", "they meet before the last round",
        {"range(len(q) - 1)": "range(len(q))", "(len(q) - 1) / eps": "len(q) / eps"},
    ),
    wrong(
        "one round more", "then one end passes the other",
        {"range(len(q) - 1)": "range(len(q) + 1)"}, fails="termination",
    ),
    wrong("one end alone moves twice", "it passes the other", {"lo += 1": "lo += 2"}, fails="termination"),
    wrong("both move apart", changes={"lo += 1": "lo -= 1"}, fails="termination"),
    wrong("from behind the end", changes={"hi = len(q) - 1": "hi = len(q)"}, fails="termination"),
    wrong(
        "half of the shift", "both answers may change",
        {"2 if w is ABOVE else -2": "1 if w is ABOVE else -1"}, refuted=True,
    ),
    wrong("at half of its cost", changes={'"2 * eps"': '"eps"'}, fails="cost", refuted=True),
)

table.base(
    """
    @mechanism
    def bisecting(q: Queries, k: Count, T: Real, eps: Epsilon, noise: Noise):
        lo = 0
        hi = len(q) - 1
        for t in range(k):
            middle = (lo + hi) // 2
            e = noise.laplace(k / eps)
            if q[middle] + e >= T:
                hi = middle
                yield ABOVE
            else:
                lo = middle
                yield BELOW

    @alignment(bisecting, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(e=[1 if w is ABOVE else -1 for w in omega])
    """,
    right("the middle lies between"),
    wrong("past the middle", "the lower end may come to lie above", {"lo = middle": "lo = middle + 1"}),
    wrong("one too far", "at last behind the end", {"(lo + hi) // 2": "(lo + hi) // 2 + 1"}, fails="termination"),
    wrong("losers stay", "D' may win there", {"-1 for w": "0 for w"}, refuted=True),
    wrong("the answer decides", "there is no noise in it", {"q[middle] + e": "q[middle]"}, refuted=True),
    wrong("with less noise", changes={"k / eps": "k / (2 * eps)"}, fails="cost", refuted=True),
)

table.base(
    """
    @mechanism
    def blocks(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        c = 0
        block = 0
        for q_i in q:
            block += q_i
            c = (c + 1) % k
            if c == 0:
                e = noise.laplace(1 / eps)
                yield block + e
                block = 0
            else:
                yield BELOW

    @alignment(blocks, epsilon="eps", adjacency="one")
    def phi(q, q_, k, omega, H):
        change = [sum(q[j] - q_[j] for j in range(max(0, i + 1 - k), i + 1)) for i in range(len(q))]
        return H.shift(e=[change[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
    """,
    right("a block ends whenever the counter is 0 again"),
    wrong("the counter begins later", "the first block is shorter, and its change is another", {"c = 0\n": "c = 1\n"}),
    wrong("blocks overlap", "it is put out again", {"yield block + e\nblock = 0": "yield block + e"}, refuted=True),
    wrong("the counter moves by two", "blocks are shorter", {"(c + 1) % k": "(c + 2) % k"}, refuted=True),
    wrong(
        "a private counter", "where a block ends is put out",
        {"c = (c + 1) % k": "c = (c + (1 if q_i > 0 else 2)) % k"}, refuted=True,
    ),
    wrong("another size", changes={"i + 1 - k": "i + 2 - k"}, refuted=True),
    wrong("with half the noise", "", {"1 / eps": "1 / (2 * eps)"}, fails="cost", refuted=True),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


ON_A_LATTICE = """
    @mechanism
    def thresholds(
        q: Annotated[Queries, Lattice(1)], T: Annotated[Reals, Lattice(1)], k: Count, eps: Epsilon, noise: Noise
    ):
        eta = noise.discrete_laplace(2 / eps, 1)
        count = 0
        for i, q_i in enumerate(q):
            e = noise.discrete_laplace(4 * k / eps, 1)
            if q_i + e >= T[i] + eta:
                yield ABOVE
                count += 1
                if count == k:
                    break
            else:
                yield BELOW

    @alignment(thresholds, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=1, e=[1 + q[i] - q_[i] if omega[i] is ABOVE else 0 for i in range(len(omega))])

    @mechanism
    def with_one(q: Annotated[Queries, Lattice(1)], eps: Epsilon, noise: Noise):
        yield from thresholds(q, [0], 1, eps, noise)

    @alignment(with_one, epsilon="eps", lemmas=[phi])
    def with_one_phi(H):
        return H.shift()

    @mechanism
    def with_zeros(q: Annotated[Queries, Lattice(1)], eps: Epsilon, noise: Noise):
        yield from thresholds(q, [0 for q_i in q], 1, eps, noise)

    @alignment(with_zeros, epsilon="eps", lemmas=[phi])
    def with_zeros_phi(H):
        return H.shift()
    """


def test_a_release_refuses_a_list_that_is_too_short_for_the_proof(tmp_path):
    """Whether a run comes to the end of the list would show what the answers are."""
    module = define_in(tmp_path, ON_A_LATTICE)
    proof = check(module.phi, effort=0)
    assert proof.verdict is Verdict.PROVED
    assert len(release(module.thresholds, [0, 0], T=[0, 0, 9], k=3, eps=1, proof=proof)) == 2
    with pytest.raises(InputError, match="a list is long enough"):
        release(module.thresholds, [0, 0], T=[0], k=1, eps=1, proof=proof)


def test_a_call_obliges_the_list_that_it_passes_to_be_long_enough(tmp_path, prover_alone, never_proved):
    module = define_in(tmp_path, ON_A_LATTICE)
    never_proved(module.with_one_phi, "termination")
    assert prover_alone(module.with_zeros_phi).complete
