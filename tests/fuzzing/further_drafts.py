"""Right mechanisms with right alignments, each with what the loops put together at random do not have."""

from __future__ import annotations

from dataclasses import replace

from fuzzing.drafts import Draft, Shift

THRESHOLDS = (("thresholds", "Reals"),)
BY_ITEM = "for i, w in enumerate(omega)"

BISECTION = Draft(
    "bisection by counts", "eps", "one", "q", before=("a, b = T, T + 8",), over="for j in range(k)",
    body=(
        "middle = (a + b) / 2", "e = noise.laplace(k / eps)",
        "if sum(1 for v in q if v <= middle) + e >= 2:", "    b = middle", "    yield ABOVE",
        "else:", "    a = middle", "    yield BELOW",
    ),
    after=("yield a",),
    shifts=(Shift("e", "1 if omega[i] is ABOVE else -1", "for i in range(k)"),), lists=("e",), tags=True,
)  # fmt: skip

MIDDLES = Draft(
    "bisection by position", "eps", "each", "q", before=("lo = 0", "hi = len(q) - 1"), over="for j in range(k)",
    body=(
        "middle = (lo + hi) // 2", "e = noise.laplace(k / eps)",
        "if q[middle] + e >= T:", "    hi = middle", "    yield ABOVE",
        "else:", "    lo = middle", "    yield BELOW",
    ),
    shifts=(Shift("e", "1 if w is ABOVE else -1", BY_ITEM),), lists=("e",), tags=True,
)  # fmt: skip

CLOSING_IN = Draft(
    "two ends that close in", "2 * eps", "each", "q", before=("lo = 0", "hi = len(q) - 1"),
    over="for j in range(len(q) - 1)",
    body=(
        "e = noise.laplace((len(q) - 1) / eps)", "if q[lo] - q[hi] + e >= 0:", "    lo += 1", "    yield ABOVE",
        "else:", "    hi -= 1", "    yield BELOW",
    ),
    shifts=(Shift("e", "2 if w is ABOVE else -2", BY_ITEM),), lists=("e",), tags=True,
)  # fmt: skip

BLOCKS = Draft(
    "sums of blocks", "eps", "one", "q", before=("c = 0", "block = 0"), over="for q_i in q",
    body=(
        "block += q_i", "c = (c + 1) % k", "if c == 0:", "    e = noise.laplace(1 / eps)", "    yield block + e",
        "    block = 0", "else:", "    yield BELOW",
    ),
    header=("change = [sum(q[j] - q_[j] for j in range(max(0, i + 1 - k), i + 1)) for i in range(len(q))]",),
    shifts=(Shift("e", "change[i] if w is not BELOW else 0", BY_ITEM),), tags=True,
)  # fmt: skip

EVERY_THIRD = Draft(
    "every third answer", "eps", "one", "q", before=("c = 0",), over="for i, q_i in enumerate(q)",
    body=(
        "if c == 0:", "    e = noise.laplace(1 / eps)", "    yield q_i + e", "else:", "    yield BELOW",
        "c = (c + 1) % 3",
    ),
    shifts=(Shift("e", "q[i] - q_[i] if i % 3 == 0 else 0", BY_ITEM),), tags=True,
)  # fmt: skip

TWO_SORTS = Draft(
    "two sorts of winners", "eps", "each", "q",
    before=("rho = noise.laplace(4 / eps)", "tops = 0", "mids = 0"), over="for q_i in q",
    body=(
        "nu = noise.laplace(4 * k / eps)",
        "if q_i + nu >= T + rho + 10:", "    yield ABOVE", "    tops += 1", "    if tops >= k:", "        break",
        "else:", "    xi = noise.laplace(8 * n / eps)",
        "    if q_i + xi >= T + rho:", "        yield MIDDLE", "        mids += 1", "        if mids >= n:",
        "            break", "    else:", "        yield BELOW",
    ),
    shifts=(
        Shift("rho", "1"), Shift("nu", "1 + q[i] - q_[i] if w is ABOVE else 0", BY_ITEM),
        Shift("xi", "1 + q[i] - q_[i] if w is MIDDLE else 0", BY_ITEM),
    ),
    lists=("nu",), singles=("rho",), tags=True, further=(("n", "Count"),),
)  # fmt: skip

MEASURED = Draft(
    "winners that are measured", "eps", "one", "q", before=("rho = noise.laplace(4 / eps)", "count = 0"),
    over="for q_i in q",
    body=(
        "nu = noise.laplace(4 * (k + 1) / eps)",
        "if q_i + nu >= T + rho:", "    e = noise.laplace(2 / eps)", "    yield q_i + e", "    count += 1",
        "    if count >= k:", "        break", "else:", "    yield BELOW",
    ),
    shifts=(
        Shift("rho", "1"), Shift("nu", "1 + q[i] - q_[i] if w is not BELOW else 0", BY_ITEM),
        Shift("e", "q[i] - q_[i] if w is not BELOW else 0", BY_ITEM),
    ),
    lists=("nu",), singles=("rho",), tags=True,
)  # fmt: skip

TWO_PRICES = Draft(
    "two prices of one budget", "eps", "each", "q", before=("spent = 0",), over="for q_i in q",
    body=(
        "if spent + cheap + dear > eps:", "    break", "e = noise.laplace(1 / cheap)", "spent += cheap",
        "if q_i + e >= T:", "    f = noise.laplace(1 / dear)", "    yield q_i + f", "    spent += dear",
        "else:", "    yield BELOW",
    ),
    shifts=(
        Shift("e", "q[i] - q_[i]", "for i in range(len(omega))"),
        Shift("f", "q[i] - q_[i] if w is not BELOW else 0", BY_ITEM),
    ),
    tags=True, further=(("cheap", "Positive"), ("dear", "Positive")),
)  # fmt: skip

SAME_ITERATION = Draft(
    "a release that the next one reads", "eps", "one", "q", over="for q_i in q",
    body=(
        "e = noise.laplace(2 / eps)", "x = q_i + e", "f = noise.laplace(2 / eps)",
        "yield x, clamp(x, 0, 1) * q_i + f",
    ),
    shifts=(
        Shift("e", "q[i] - q_[i]", "for i in range(len(omega))"),
        Shift("f", "clamp(w[0], 0, 1) * (q[i] - q_[i])", BY_ITEM),
    ),
    lists=("e", "f"),
)  # fmt: skip

FROM_BEFORE = Draft(
    "a release from before the loop", "2 * eps", "each", "q",
    before=("z = noise.laplace(1 / eps)", "x = r + z", "yield x"), over="for q_i in q",
    body=("f = noise.laplace(len(q) / eps)", "yield clamp(x, 0, 1) * q_i + f"),
    shifts=(
        Shift("z", "r - r_"), Shift("f", "clamp(omega[0], 0, 1) * (q[i] - q_[i])", "for i in range(len(q))"),
    ),
    lists=("f",), singles=("z",), further=(("r", "Query"),),
)  # fmt: skip

COUNTS = Draft(
    "a count for each threshold", "eps", "one", "q", over="for t in thresholds",
    body=("e = noise.laplace(len(thresholds) / eps)", "yield sum(1 for v in q if v <= t) + e"),
    shifts=(
        Shift("e", "sum(1 for v in q if v <= t) - sum(1 for v in q_ if v <= t)", "for i, t in enumerate(thresholds)"),
    ),
    lists=("e",), further=THRESHOLDS,
)  # fmt: skip

LIST_OF_COUNTS = replace(
    COUNTS, name="a list of counts", over="", body=(),
    before=(
        "counted = [sum(1 for v in q if v <= t) for t in thresholds]",
        "e = [noise.laplace(len(thresholds) / eps) for t in thresholds]",
    ),
    after=("return [c + e_t for c, e_t in zip(counted, e)]",),
)  # fmt: skip

STUMP = Draft(
    "the best threshold", "eps", "one", "q",
    before=(
        "e = [noise.laplace(2 / eps) for t in thresholds]",
        "scores = [sum(1 for v in q if v <= t) + e_t for t, e_t in zip(thresholds, e)]",
        "best = largest(scores, 1)[0]",
    ),
    after=("yield best",), header=("best = omega[0]",),
    shifts=(Shift("e", "2 if i == best else 0", "for i in range(len(thresholds))"),), lists=("e",), further=THRESHOLDS,
)  # fmt: skip

SLICED = Draft(
    "the first k", "k * eps", "each", "q",
    before=("e = [noise.laplace(1 / eps) for q_i in q[:k]]",),
    after=("return [x + e_i for x, e_i in zip(q[:k], e)]",),
    shifts=(Shift("e", "q[i] - q_[i]", "for i in range(len(H.e))"),), lists=("e",),
)  # fmt: skip

ALL_BUT_FIRST = Draft(
    "the first above, after the first", "eps", "each", "q", before=("rho = noise.laplace(2 / eps)",),
    over="for q_i in q[1:]",
    body=("nu = noise.laplace(4 / eps)", "if q_i + nu >= T + rho:", "    yield ABOVE", "    break", "yield BELOW"),
    shifts=(Shift("rho", "1"), Shift("nu", "1 + q[i + 1] - q_[i + 1] if w is ABOVE else 0", BY_ITEM)),
    lists=("nu",), singles=("rho",), tags=True,
)  # fmt: skip

POWERS = Draft(
    "k ** 2 answers", "eps", "each", "x", before=("i = 0",), over="while i < k ** 2",
    body=("e = noise.laplace(k ** 2 / eps)", "yield x + e", "i += 1"),
    shifts=(Shift("e", "x - x_", "for i, w in enumerate(omega)"),), lists=("e",),
)  # fmt: skip

FURTHER_DRAFTS = (
    BISECTION, MIDDLES, CLOSING_IN, BLOCKS, EVERY_THIRD, TWO_SORTS, MEASURED, TWO_PRICES, SAME_ITERATION, FROM_BEFORE,
    COUNTS, LIST_OF_COUNTS, STUMP, SLICED, ALL_BUT_FIRST, POWERS,
)  # fmt: skip
