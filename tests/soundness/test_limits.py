"""Claims with delta: limits of the noise, what they are charged, and what holds where none is broken.

The tables of docs/theory/delta.md: claims that must be proved, and claims that never may be. Each row of these says why
delta is larger than claimed, or which rule is broken.
"""

import pytest
from support.near_misses import Program, Table, right, wrong

from alignkit.errors import InputError, LanguageError

TABLE = Table()

COUNT = "q: Annotated[Query, Lattice(1)], tau: Count"
LIMIT = ".below(x=tau - max(q, q_) if new else None)"
EXACT = "exp(-eps * (tau - 1)) / (1 + exp(-eps))"

TABLE.base(
    """
    NOTHING = Tag("NOTHING")

    @mechanism
    def whole_count(q: Annotated[Query, Lattice(1)], tau: Count, eps: Epsilon, noise: Noise):
        x = noise.discrete_laplace(1 / eps)
        if q > 0 and q + x >= tau:
            return q + x
        return NOTHING

    @alignment(whole_count, epsilon="eps", delta="exp(-eps * (tau - 1)) / (1 + exp(-eps))")
    def phi(q, q_, H, tau):
        new = (q <= 0) != (q_ <= 0)
        return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)
    """,
    right("at least tau", "the noise passes tau - 1 with just this probability", checked=True),
    wrong("the tail of above tau", "at least tau is passed with e times this probability",
          {EXACT: "exp(-eps * tau) / (1 + exp(-eps))"}, fails="limits"),
    wrong("the tail of above tau, a limit to fit it", "at tau - 1 of noise D' cannot follow",
          {EXACT: "exp(-eps * tau) / (1 + exp(-eps))", "tau - max(q, q_)": "tau - max(q, q_) + 1"}, refuted=True),
    right("above tau", "a multiple of 1 below tau - q + 1 is at most tau - q",
          {"q + x >= tau": "q + x > tau", EXACT: "exp(-eps * tau) / (1 + exp(-eps))",
           "tau - max(q, q_)": "tau - max(q, q_) + 1"}),
    wrong("no limit", "a new key cannot be followed", {LIMIT: ".below(x=None)"}, refuted=True),
    wrong("a limit on the wrong side", "large noise is what releases the key", {".below": ".above"}),
    wrong("delta of 0", "the key is released by some noise", {EXACT: "0"}, fails="limits"),
    wrong("half the budget", "the noise of a key that both have costs eps", {'epsilon="eps"': 'epsilon="eps / 2"'},
          fails="cost"),
    wrong("a threshold that only delta knows", "the limit is charged for tau, and delta is for tau + 1",
          {EXACT: "exp(-eps * tau) / (1 + exp(-eps)) / 2"}, fails="limits"),
    wrong("one-sided noise, two-sided tail", "geometric noise passes tau - 1 with probability exp(-eps (tau - 1))",
          {"discrete_laplace": "geometric", "x=0 if new else q - q_": "x=0 if new else max(0, q - q_)"},
          fails="limits"),
    wrong("half a lattice", "on the lattice of 1 no noise lies between",
          {"tau - max(q, q_)": "tau - max(q, q_) + 1/2"}),
    wrong("a larger jump", "a count of 0 becomes 2", {"Annotated[Query, Lattice(1)]":
          "Annotated[Query, Sensitivity(2), Lattice(1)]", 'epsilon="eps"': 'epsilon="2 * eps"'}, fails="limits"),
)

TABLE.base(
    """
    NOTHING = Tag("NOTHING")

    @mechanism
    def real_count(q: Annotated[Query, Sensitivity(1)], tau: Real, eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / eps)
        if q > 0 and q + x >= tau:
            return q + x
        return NOTHING

    @alignment(real_count, epsilon="eps", delta="exp(-eps * (tau - 1)) / 2")
    def phi(q, q_, H, tau):
        new = (q <= 0) != (q_ <= 0)
        return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)
    """,
    right("at least tau, real count", "Laplace noise passes tau - 1 with at most this probability", checked=True),
    right("one limit for all", "the noise is below tau - 1 or a limit is broken", {"tau - max(q, q_)": "tau - 1"}),
    right("exponential noise", "both sides of its tail are used",
          {"laplace": "exponential", "exp(-eps * (tau - 1)) / 2": "1 - exp(-eps) + exp(-eps * (tau - 1))",
           ".below(x=tau - max(q, q_) if new else None)":
           ".below(x=tau - max(q, q_) if new else None).above(x=None if new else q_ - q)"}),
    right("logistic noise", "its tail is exact", {"laplace": "logistic",
          "exp(-eps * (tau - 1)) / 2": "1 / (1 + exp(eps * (tau - 1)))"}),
    wrong("logistic noise, Laplace tail", "logistic noise has up to twice the tail", {"laplace": "logistic"},
          fails="limits"),
    wrong("count 0 to 2", "a count of 0 becomes 2, and passes tau more often",
          {"Sensitivity(1)": "Sensitivity(2)", "laplace(1 / eps)": "laplace(2 / eps)",
           "exp(-eps * (tau - 1)) / 2": "exp(-eps * (tau - 1) / 2) / 2"}, fails="limits"),
    right("count 0 to 2, its own limit", "the tail from tau - 2 on",
          {"Sensitivity(1)": "Sensitivity(2)", "laplace(1 / eps)": "laplace(2 / eps)",
           "exp(-eps * (tau - 1)) / 2": "exp(-eps * (tau - 2) / 2) / 2"}),
    wrong("group of 2", "two steps lose delta (exp(2 eps) - 1) / (exp(eps) - 1), not twice delta",
          {"Sensitivity(1)": "Sensitivity(2)", 'epsilon="eps"': 'epsilon="2 * eps"',
           "exp(-eps * (tau - 1)) / 2": "exp(-eps * (tau - 1))"}, fails="limits"),
    wrong("no claim", "a delta of 1 and more says nothing", {"exp(-eps * (tau - 1)) / 2": "1 + exp(-eps)"},
          fails="limits"),
    wrong("a limit on the key of D alone", "where D' has the new key, D's own noise is bounded and nothing is needed, "
          "but where D has it a limit is", {"tau - max(q, q_) if new": "tau - q_ if new"}),
    wrong("q itself", "the answer is released as it is", {"return q + x": "return q"}),
    wrong("the threshold without noise", "the key is released as soon as there is one",
          {"q > 0 and q + x >= tau": "q > 0"}),
    wrong("uniform noise", "no tail of it is known", {"laplace(1 / eps)": "uniform(-tau, tau)"}),
)

TABLE.base(
    """
    NOTHING = Tag("NOTHING")

    @mechanism
    def threshold_by_delta(q: Query, d: Proportion, eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / eps)
        tau = 1 + log(1 / (2 * d)) / eps
        if q > 0 and q + x >= tau:
            return q + x
        return NOTHING

    @alignment(threshold_by_delta, epsilon="eps", delta="d")
    def phi(q, q_, H, d, eps):
        new = (q <= 0) != (q_ <= 0)
        return H.shift(x=0 if new else q - q_).below(x=1 + log(1 / (2 * d)) / eps - max(q, q_) if new else None)
    """,
    right("delta as a parameter", "exp(log(2 d)) / 2 is d"),
    wrong("half of it", "the threshold is for d", {'delta="d"': 'delta="d / 2"'}, fails="limits"),
    wrong("without the 1", "the new key is counted already",
          {"tau = 1 + log": "tau = log", "x=1 + log": "x=log"}, fails="limits"),
    wrong("a log of d", "for d above 1/2 it is below 0, and D' is the wrong way",
          {"tau = 1 + log(1 / (2 * d))": "tau = 1 + log(2 * d)", "x=1 + log(1 / (2 * d))": "x=1 + log(2 * d)"},
          fails="limits"),
)

NEW = "new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]"
TABLE.base(
    """
    NOTHING = Tag("NOTHING")

    @mechanism
    def stream_of_keys(q: Annotated[Queries, Sensitivity(1)], tau: Real, eps: Epsilon, noise: Noise):
        for q_i in q:
            x = noise.laplace(1 / eps)
            if q_i > 0 and q_i + x >= tau:
                yield q_i + x
            else:
                yield NOTHING

    @alignment(stream_of_keys, epsilon="len(q) * eps", delta="len(q) * exp(-eps * (tau - 1)) / 2", adjacency="each")
    def phi(q, q_, H, tau):
        new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
        return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
            x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
        )
    """,
    right("each key may change", "n keys, n tails", checked=True),
    right("one key changes", "one key, one tail",
          {'"len(q) * eps"': '"eps"', '"len(q) * exp(-eps * (tau - 1)) / 2"': '"exp(-eps * (tau - 1)) / 2"',
           '"each"': '"one"'}),
    wrong("each key, one tail", "n new keys pass with n tails",
          {'"len(q) * exp(-eps * (tau - 1)) / 2"': '"exp(-eps * (tau - 1)) / 2"'}, fails="limits"),
    wrong("one key, a tail at half the scale", "the noise has scale 1 / eps",
          {'"len(q) * eps"': '"eps"', '"len(q) * exp(-eps * (tau - 1)) / 2"': '"exp(-2 * eps * (tau - 1)) / 2"',
           '"each"': '"one"'}, fails="limits"),
    wrong("l1, one tail", "real answers may all be new, by a little each",
          {'"len(q) * eps"': '"eps"', '"len(q) * exp(-eps * (tau - 1)) / 2"': '"exp(-eps * (tau - 1)) / 2"',
           '"each"': '"l1"'}, fails="limits"),
    wrong("monotone, one tail", "every key may be new", {'"len(q) * exp(-eps * (tau - 1)) / 2"':
          '"exp(-eps * (tau - 1)) / 2"', '"each"': '"monotone"'}, fails="limits"),
    wrong("limits of the first key only", "the other keys pass too",
          {"x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]":
           "x=[tau - max(a, b) if f and i == 0 else None for i, (f, a, b) in enumerate(zip(new, q, q_))]"}),
    wrong("the limit of D' alone", "where D has the new key, its noise may reach tau",
          {"tau - max(a, b)": "tau - b"}),
)

TABLE.base(
    """
    @mechanism
    def vector_of_keys(q: Annotated[Queries, Sensitivity(1)], tau: Real, eps: Epsilon, noise: Noise):
        x = [noise.laplace(1 / eps) for q_i in q]
        return [1 if a > 0 and a + b >= tau else 0 for a, b in zip(q, x)]

    @alignment(vector_of_keys, epsilon="eps", delta="exp(-eps * (tau - 1)) / 2", adjacency="one")
    def phi(q, q_, H, tau):
        new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
        return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
            x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
        )
    """,
    right("one key changes, vector of keys", "only the limit of the key that changes is charged"),
    right("each key may change, vector of keys", "n keys, n tails",
          {'"eps"': '"len(q) * eps"', '"exp(-eps * (tau - 1)) / 2"': '"len(q) * exp(-eps * (tau - 1)) / 2"',
           '"one"': '"each"'}),
    wrong("each key, one tail, vector of keys", "n tails", {'"eps"': '"len(q) * eps"', '"one"': '"each"'},
          fails="limits"),
    wrong("limits everywhere", "n limits are charged, whether the key is new or not",
          {"tau - max(a, b) if f else None for": "tau - 1 for"}, fails="limits"),
    wrong("a list that is too short", "the last key has no limit",
          {"x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]":
           "x=[tau - max(a, b) if f else None for f, a, b in zip(new[1:], q[1:], q_[1:])]"}),
)

TABLE.base(
    """
    @mechanism
    def one_sided(q: Query, eps: Epsilon, noise: Noise):
        x = noise.exponential(1 / eps)
        return q + x

    @alignment(one_sided, epsilon="eps", delta="1 - exp(-eps)")
    def phi(q, q_, H):
        return H.shift(x=q - q_).above(x=q_ - q if q_ > q else None)
    """,
    right("the lower end", "noise below 1 cannot be moved down by 1", checked=True),
    wrong("the upper tail at the lower end", "the lower end has 1 - exp(-eps)", {"1 - exp(-eps)": "exp(-eps)"},
          fails="limits"),
    wrong("no limit, one sided", "the aligned noise may be below 0",
          {".above(x=q_ - q if q_ > q else None)": ".above(x=None)"},
          refuted=True),
    wrong("half the limit", "noise above 1/2 is moved below 0", {"q_ - q if q_ > q": "(q_ - q) / 2 if q_ > q"},
          refuted=True),
    wrong("half of delta", "noise below 1 has 1 - exp(-eps)", {"1 - exp(-eps)": "1 - exp(-eps / 2)"}, fails="limits"),
)

TABLE.base(
    """
    @mechanism
    def again_while_large(q: Query, k: Count, A: Positive, eps: Epsilon, noise: Noise):
        for i in range(k):
            x = noise.laplace(1 / eps)
            if x <= A and x >= -A:
                return (i, q + x)
        return (k, 0)

    @alignment(again_while_large, epsilon="eps", delta="k * exp(-eps * (A - 1)) / 2")
    def phi(q, q_, H, omega, k, A):
        return (
            H.shift(x=[q - q_ if i == omega[0] else 0 for i in range(k)])
            .below(x=[A - (q - q_) if q > q_ else None for i in range(k)])
            .above(x=[-A + (q_ - q) if q < q_ else None for i in range(k)])
        )
    """,
    right("tries told", "each try may end within 1 of A, on one side"),
    wrong("one tail", "each of the k tries is charged", {"k * exp": "exp"}, fails="limits"),
    wrong("one limit", "only the first try is bounded",
          {"A - (q - q_) if q > q_": "A - (q - q_) if q > q_ and i == 0"}),
    wrong("the tail at A", "it is moved by up to 1", {"(A - 1)": "A"}, fails="limits"),
    wrong("without telling", "the number of tries says nothing, but the answer is released in every try",
          {"q - q_ if i == omega[0] else 0": "0"}),
)

TABLE.base(
    """
    @mechanism
    def a_draw_of_some_runs(q: Query, eps: Epsilon, noise: Noise):
        b = noise.laplace(1 / eps)
        if b > 0:
            x = noise.exponential(1)
        return q

    @alignment(a_draw_of_some_runs, epsilon="eps", delta="0")
    def phi(H):
        return H.shift().below(x=0)
    """,
    wrong("a charge under its own limit", "x is never below 0: where it is drawn, the limit is broken for sure",
          fails="limits"),
    wrong("half of the runs", "the other half releases q", {'delta="0"': 'delta="1 / 2"'}),
    wrong("all of them", "delta = 1 is no claim", {'delta="0"': 'delta="eps / eps"'}, fails="limits"),
    wrong("b below 0", "where b is below 0, q is released", {"below(x=0)": "below(b=0)", 'delta="0"': 'delta="1 / 2"'}),
)

TABLE.base(
    """
    FAIL = Tag("FAIL")

    @mechanism
    def retry(q: Query, T: Real, n: Count, eps: Epsilon, noise: Noise):
        for i in range(n):
            x = noise.laplace(1 / eps)
            if q + x >= T:
                return q + x
        return FAIL

    @alignment(retry, epsilon="eps", delta="n * exp(-eps * T) / 2")
    def phi(q, q_, H, T, n):
        return H.shift(x=[q - q_ for i in range(n)]).below(x=[None for i in range(n)])
    """,
    wrong("a free FAIL", "n tries cost n eps, or the answers of all but one must be known to be small", fails="cost"),
    wrong("a limit for each", "the tail is that from T - q on, and q may be large",
          {"x=[None for": "x=[T - max(q, q_) for", "x=[q - q_ for": "x=[0 for"}, fails="limits"),
)

TABLE.base(
    """
    NOTHING = Tag("NOTHING")

    @mechanism
    def key(q: Query, tau: Real, eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / eps)
        if q > 0 and q + x >= tau:
            return q + x
        return NOTHING

    @alignment(key, epsilon="eps", delta="exp(-eps * (tau - 1)) / 2")
    def key_phi(q, q_, H, tau):
        new = (q <= 0) != (q_ <= 0)
        return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)

    @mechanism
    def a_key_and_a_count(q: Query, tau: Real, eps1: Epsilon, eps2: Epsilon, noise: Noise):
        a = key(q, tau, eps1, noise)
        y = noise.laplace(1 / eps2)
        return (a, q + y)

    @alignment(a_key_and_a_count, epsilon="eps1 + eps2", delta="exp(-eps1 * (tau - 1)) / 2", lemmas=[key_phi])
    def phi(q, q_, H):
        return H.shift(y=q - q_)
    """,
    right("both add up", "the call's delta, and both budgets", checked=True),
    wrong("no delta", "the call has one", {'"exp(-eps1 * (tau - 1)) / 2"': '"0"'}, fails="limits"),
    wrong("the other budget's delta", "the call is made with eps1",
          {'"exp(-eps1 * (tau - 1)) / 2"': '"exp(-eps2 * (tau - 1)) / 2"'}, fails="limits"),
    wrong("the call's budget alone", "y costs eps2", {'"eps1 + eps2"': '"eps1"'}, fails="cost"),
)

TABLE.base(
    """
    NOTHING = Tag("NOTHING")

    @mechanism
    def one_key(q: Query, tau: Real, eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / eps)
        if q > 0 and q + x >= tau:
            return q + x
        return NOTHING

    @alignment(one_key, epsilon="eps", delta="exp(-eps * (tau - 1)) / 2")
    def key_phi(q, q_, H, tau):
        new = (q <= 0) != (q_ <= 0)
        return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)

    @mechanism
    def keys_by_calls(q: Queries, tau: Real, eps: Epsilon, noise: Noise):
        for q_i in q:
            a = one_key(q_i, tau, eps, noise)
            yield a

    @alignment(keys_by_calls, epsilon="len(q) * eps", delta="len(q) * exp(-eps * (tau - 1)) / 2", adjacency="each",
               lemmas=[key_phi])
    def phi(H):
        return H.shift()
    """,
    right("n calls", "n budgets and n deltas", checked=True),
    right("n calls, one change", "a call with equal answers costs nothing, of either",
          {'"len(q) * eps"': '"eps"', '"len(q) * exp(-eps * (tau - 1)) / 2"': '"exp(-eps * (tau - 1)) / 2"',
           '"each"': '"one"'}),
    wrong("n calls, one delta", "every call is charged, not only one that releases its key",
          {'"len(q) * exp(-eps * (tau - 1)) / 2"': '"exp(-eps * (tau - 1)) / 2"'}, fails="limits"),
)


TABLE.base(
    """
    @mechanism
    def cut_noise(q: Query, A: Positive, eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / eps, within=A)
        return q + x

    @alignment(cut_noise, epsilon="eps", delta="(exp(eps) - 1) / (2 * (exp(A * eps) - 1))")
    def phi(q, q_, H, A):
        return H.shift(x=q - q_).below(x=A - (q - q_) if q > q_ else None).above(x=-A + (q_ - q) if q < q_ else None)
    """,
    right("within A", "one of both ends is lost", checked=True),
    wrong("the tail of noise that is not cut off", "what is cut off makes the rest more likely",
          {"(exp(eps) - 1) / (2 * (exp(A * eps) - 1))": "exp(-A * eps) / 2"}, fails="limits"),
    right("both ends for one", "beyond an end the tail is 0",
          {" if q > q_ else None": "", " if q < q_ else None": ""}),
    wrong("both ends", "a limit that is one further inside at each end is charged twice",
          {"A - (q - q_) if q > q_ else None": "A - 1", "-A + (q_ - q) if q < q_ else None": "-A + 1"},
          fails="limits"),
    wrong("no limit, cut noise", "at the ends D' cannot follow", {"A - (q - q_) if q > q_ else None": "None",
          "-A + (q_ - q) if q < q_ else None": "None"}, refuted=True),
    wrong("the wrong end", "noise near A is moved above A", {"-A + (q_ - q) if q < q_": "-A + (q_ - q) if q > q_",
          "A - (q - q_) if q > q_": "A - (q - q_) if q < q_"}),
    wrong("an interval to one side of 0", "its density has no peak inside, and other tails",
          {"laplace(1 / eps, within=A)": "cut_laplace(A, 2 * A, 1 / eps)"}, fails="limits"),
    wrong("a longer interval to one side", "the end below has a larger share of the noise",
          {"laplace(1 / eps, within=A)": "cut_laplace(-A, 2 * A, 1 / eps)"}, fails="limits"),
)

TABLE.base(
    """
    @mechanism
    def cut_on_a_lattice(q: Annotated[Query, Lattice(1)], m: Count, eps: Epsilon, noise: Noise):
        x = noise.discrete_laplace(1 / eps, within=m)
        return q + x

    @alignment(cut_on_a_lattice, epsilon="eps",
               delta="(1 - exp(-eps)) * exp(-eps * m) / (1 + exp(-eps) - 2 * exp(-eps * (m + 1)))")
    def phi(q, q_, H, m):
        return (
            H.shift(x=q - q_)
            .below(x=m - (q - q_) + 1 if q > q_ else None)
            .above(x=-m + (q_ - q) - 1 if q < q_ else None)
        )
    """,
    right("the last value", "the one value that cannot be moved on", checked=True),
    right("delta as it is charged", "a product of exponentials is that of the sum",
          {"(1 - exp(-eps)) * exp(-eps * m)": "(exp(-eps * m) - exp(-eps * (m + 1)))"}),
    wrong("the value after the last", "it is never drawn", {"exp(-eps * m) /": "exp(-eps * (m + 1)) /"},
          fails="limits"),
    wrong("the tail without a cut", "what is cut off makes the rest more likely",
          {"(1 - exp(-eps)) * exp(-eps * m) / (1 + exp(-eps) - 2 * exp(-eps * (m + 1)))":
           "(1 - exp(-eps)) * exp(-eps * m) / (1 + exp(-eps))"}, fails="limits"),
    wrong("a bound between two multiples", "the probabilities are those of another bound",
          {"within=m": "within=m + 1 / 2"}, fails="valid_noise"),
    wrong("no limit on a lattice", "the last value leaves the support",
          {"m - (q - q_) + 1 if q > q_ else None": "None", "-m + (q_ - q) - 1 if q < q_ else None": "None"},
          refuted=True),
)

TABLE.base(
    """
    @mechanism
    def first_above_with_cut_noise(q: Queries, T: Real, A: Positive, eps: Epsilon, noise: Noise):
        eta = noise.laplace(2 / eps)
        for q_i in q:
            x = noise.laplace(4 / eps, within=A)
            if q_i + x >= T + eta:
                yield ABOVE
                break
            else:
                yield BELOW

    @alignment(first_above_with_cut_noise, epsilon="eps",
               delta="len(q) * (exp(eps / 2) - 1) / (2 * (exp(A * eps / 4) - 1))")
    def phi(q, q_, omega, H, A):
        return H.shift(eta=1, x=[1 + a - b if w is ABOVE else 0 for w, a, b in zip(omega, q, q_)]).below(
            x=[A - 2 for a in q]
        )
    """,
    right("every answer", "the limit of each answer is charged, not only that of the winner"),
    wrong("charged for the winner", "which answer wins depends on the noise",
          {"len(q) * (exp": "(exp"}, fails="limits"),
    wrong("a limit of 1", "the winner is moved by up to 2", {"A - 2": "A - 1"}),
    wrong("for the answers alone", "the threshold costs eps / 2 too", {'epsilon="eps"': 'epsilon="eps / 2"'},
          fails="cost"),
)

TABLE.base(
    """
    @mechanism
    def draws_for_keys_that_are_there(q: Queries, tau: Real, eps: Epsilon, noise: Noise):
        drawn = 0
        for q_i in q:
            if q_i > 0:
                x = noise.laplace(1 / eps)
                drawn += 1
        return drawn

    @alignment(draws_for_keys_that_are_there, epsilon="eps", delta="exp(-eps * (tau - 1)) / 2", adjacency="one")
    def phi(q, q_, H, tau):
        return H.shift().below(x=[tau - 1 for a in q])
    """,
    wrong("their number", "D and D' draw for other keys, and the number of draws is released"),
    wrong("their number at the cost of all", "delta pays for noise, and not for draws that D' does not make",
          {'"exp(-eps * (tau - 1)) / 2"': '"len(q) * exp(-eps * (tau - 1)) / 2"'}),
)

TABLE.base(
    """
    @mechanism
    def one_of_n(q: Queries, n: Count, eps: Epsilon, noise: Noise):
        j = noise.laplace(1 / eps)
        for q_i in q:
            x = noise.laplace(1 / eps)
            yield q_i if q_i == j else x

    @alignment(one_of_n, epsilon="eps", delta="1 / (2 * n)")
    def phi(q, q_, H):
        return H.shift().below(j=0)
    """,
    wrong("a limit that says nothing of it", "where j is the answer, the answer is released"),
)


READS = """
@mechanism
def key(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return 0

@alignment(key, epsilon="eps", delta="exp(-eps * (tau - 1)) / 2"{more})
def phi(q, q_, H, omega, tau):
    {line}
    return H.shift(x=q - q_).below(x={limit})
"""


@pytest.mark.parametrize(
    ("line", "limit", "words"),
    [
        ("top = tau", "H.x", "a limit depends on the noise H.x"),
        ("top = tau - H.x", "top", "a limit depends on the noise H.x"),
        ("top = omega", "tau if top > 0 else None", "a limit depends on the output omega"),
        ("top = tau if omega > 0 else tau + 1", "top", "a limit depends on the output omega"),
        ("if omega > 0: return H.shift()", "tau", "a limit depends on the output omega"),
        ("if H.x > 0: return H.shift().below(x=None)", "tau", "a limit depends on the noise H.x"),
        ("if omega > 0: tau = tau + 1", "tau", "a limit depends on the output omega"),
    ],
)
def test_limits_read_answers_and_public_values_only(line, limit, words, define):
    with pytest.raises(LanguageError, match=words):
        define(READS.format(line=line, limit=limit, more=""))


@pytest.mark.parametrize(
    ("more", "limit", "words"),
    [
        (', queries="adaptive"', "tau", "queries that are fixed in advance"),
        ("", "None, y=tau", "draws no `y`"),
        ("", "[tau]", "a limit of `x` is"),
        ("", "tau).below(x=tau + 1", "two limits .below"),
        ("", "[*[tau], None]", r"`\*` is not covered in limits"),
        ("", "", "takes limits by the names"),
    ],
)
def test_what_is_no_limit_is_refused(more, limit, words, define):
    text = READS.format(line="pass", limit=limit, more=more).replace("below(x=)", "below(tau)")
    with pytest.raises((LanguageError, InputError), match=words):
        define(text)


@pytest.mark.parametrize("delta", [
    '"1/0"', '"-1"', "-0.5", "1", "2", "True", '"q"', '"len(omega)"', "float('nan')", '""'
])  # fmt: skip
def test_what_is_no_delta_is_refused(delta, define):
    text = READS.format(line="pass", limit="tau", more="").replace('"exp(-eps * (tau - 1)) / 2"', delta)
    with pytest.raises((LanguageError, InputError)):
        define(text)


def test_a_limit_needs_a_delta_and_a_delta_a_limit(define):
    text = READS.format(line="pass", limit="tau", more="")
    with pytest.raises(LanguageError, match="no delta is stated"):
        define(text.replace(', delta="exp(-eps * (tau - 1)) / 2"', ""))
    with pytest.raises(LanguageError, match="nothing in the alignment has a limit"):
        define(text.replace(".below(x=tau)", ""))


@pytest.mark.parametrize("program", TABLE.right())
def test_what_is_private_is_proved(program: Program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)


@pytest.mark.parametrize("program", TABLE.wrong())
def test_what_is_wrong_is_not_proved(program: Program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)
