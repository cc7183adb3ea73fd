"""Right loops over the answers, put together at random: what an iteration reads, at what price, and how the loop ends.

Each part is right with every other one that may stand beside it, so that each combination is.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace

from fuzzing.drafts import LOSER, WINNER, Draft, Shift

ONE, SUMMED, ANY = ("one",), ("one", "l1"), ("each", "monotone", "one", "l1")
FURTHER = (("thresholds", "Reals"), ("cheap", "Positive"), ("delta", "Positive"))

BARS = (
    "T", "T", "T", "T ** 2", "floor(T)",
    "thresholds[i]", "thresholds[i % len(thresholds)]", "thresholds[len(q) - 1 - i]",
)  # fmt: skip
FORMS = (
    "while i < len(q)", "while len(q) > i", "for i, q_i in enumerate(q)", "for i in range(len(q))", "for q_i in q",
)  # fmt: skip

# By how much an answer may change, as it is written in a program, and the type that says so.
UNITS = {
    "1": ("1", "Queries"),
    "delta": ("delta", 'Annotated[Queries, Sensitivity("delta")]'),
    "2 * delta": ("2 * delta", 'Annotated[Queries, Sensitivity("2 * delta")]'),
    "delta / 2": ("(delta / 2)", 'Annotated[Queries, Sensitivity("delta / 2")]'),
}


@dataclass(frozen=True)
class Read:
    """A number that iteration i makes of the answers ``q``, and the adjacencies under which it moves by at most 1.

    Under ``one`` and ``l1``, what it moves by in all iterations together is at most ``times``. It may be ``hidden``
    from an alignment, which then moves noise by as much as it can have changed.
    """

    value: str
    adjacencies: tuple[str, ...]
    times: str = "len(q)"
    hidden: bool = False

    @property
    def by_item(self) -> bool:
        """Whether it reads the item ``t`` of the list of thresholds."""
        return bool(re.search(r"\bt\b", self.value))

    @property
    def change(self) -> str:
        """By how much it falls from D to D′."""
        return f"{self.value} - " + re.sub(r"\bq\b", "q_", self.value)


PLAIN = Read("q[i]", ANY, "1")
READS = (
    Read("floor(q[i])", ANY, hidden=True),
    Read("ceil(q[i])", ANY, hidden=True),
    Read("sum(1 for v in q if v <= t)", ONE),
    Read("sum(1 if v > t else 0 for v in q)", ONE),
    Read("sum(clamp(v, 0, max(t, 0)) for v in q)", SUMMED),
    Read("sum(min(v, t) for v in q)", SUMMED),
    Read("sum(1 for j, v in enumerate(q) if i - 3 < j <= i and v <= T + i)", ONE, "3"),
    Read("sum(1 for v in q if v <= T + i)", ONE),
    Read("sum(min(v, T - i) for v in q)", SUMMED),
    Read("sum(1 for j, v in enumerate(q) if j > i - k and v <= T + i and j <= i)", ONE, "k"),
    Read("sum(1 for j, v in enumerate(q) if j <= i and v > T)", ONE),
    Read("sum(1 for v in q if v <= thresholds[i])", ONE, hidden=True),
    Read("sum(1 for v in q if v <= T + count)", ONE, hidden=True),
    Read("sum(clamp(v, 0, count) for j, v in enumerate(q) if j >= i)", ONE, hidden=True),
    Read("sum(v for j, v in enumerate(q) if i - 3 < j <= i)", SUMMED, "3"),
    Read("sum(v for j, v in enumerate(q) if 0 <= i - j < k)", SUMMED, "k"),
    Read("sum(q[j] if i - 3 < j and j <= i else 0 for j in range(len(q)))", SUMMED, "3"),
    Read("sum(q[i - d] for d in range(min(k, i + 1)))", SUMMED, "k"),
    Read("sum(q[i - d] for d in range(k) if d <= i)", SUMMED, "k"),
    Read("sum(1 if q[i - d] <= T + i else 0 for d in range(min(k, i + 1)))", ONE, "k"),
    Read("sum(q[:i + 1])", SUMMED),
    Read("sum(q[i:])", SUMMED),
)


def stream(source: random.Random) -> Draft:
    """A loop that compares what it reads with thresholds, or releases it."""
    read = PLAIN if source.random() < 0.4 else source.choice(READS)
    return (_compared if read.hidden or source.random() < 0.55 else _released)(read, source)


def _compared(read: Read, source: random.Random) -> Draft:
    """A sparse vector: thresholds by position or drawn again; winners are counted, or the first one is the last."""
    unit, answers = UNITS[source.choice(("1", "1", *UNITS))] if read is PLAIN else UNITS["1"]
    first_only = "count" not in read.value and source.random() < 0.3
    drawn_again = not first_only and source.random() < 0.35
    most = "1" if first_only else source.choice(("k", "k", "ceil(k / 2)", "2 ** 2"))
    bar = "threshold" if drawn_again else f"{source.choice(BARS)} + rho"
    told = ["yield ABOVE", f"yield {read.value} + nu - ({bar})", f"yield TOP, {read.value} + nu - ({bar})"]
    told = told[:1] if read.hidden else [source.choice(told)]
    rho = f"noise.laplace(2 * {most} * {unit} / eps)" if drawn_again else f"noise.laplace(2 * {unit} / eps)"
    before, shifts, going_on = [f"rho = {rho}"], [Shift("rho", unit)], ""
    if first_only:
        told.append("break")
    else:
        before.append("count = 0")
        told.append("count += 1")
        going_on = f"count < {most}"
    if drawn_again or (going_on and source.random() < 0.5):
        told += [f"if count >= {most}:", "    break"]
        going_on = ""
    if drawn_again:
        before.append("threshold = T + rho")
        told += [f"rho_i = {rho}", "threshold = T + rho_i"]
        shifts.append(Shift("rho_i", unit, "for i, w in enumerate(omega)"))
    body = (
        f"nu = noise.laplace(4 * {most} * {unit} / eps)", f"if {read.value} + nu >= {bar}:", f"    {WINNER}",
        *(f"    {line}" for line in told), "else:", f"    {LOSER}", "    yield BELOW",
    )  # fmt: skip
    plainly = read.hidden or (told[0] == "yield ABOVE" and source.random() < 0.4)
    moved = f"2 * {unit}" if plainly else f"{unit} + {read.change}"
    if first_only and source.random() < 0.7:
        moved = f"{moved} if i == len(omega) - 1 and omega[-1] is not BELOW else 0"
        over = "i, t in enumerate(thresholds)" if read.by_item else f"i in range(len({source.choice(('q', 'omega'))}))"
    else:
        moved = f"{moved} if w is not BELOW else 0"
        over = "i, (w, t) in enumerate(zip(omega, thresholds))" if read.by_item else "i, w in enumerate(omega)"
    draft = Draft(
        "thresholds", "eps", source.choice(read.adjacencies), "q", (*shifts, Shift("nu", moved, f"for {over}")),
        tuple(before), "", body, lists=("nu",), singles=("rho",), tags=True, further=FURTHER, answers=answers,
    )  # fmt: skip
    return _headed(draft, read, source, going_on)


def _released(read: Read, source: random.Random) -> Draft:
    """A noisy number in each iteration: all at one price, from a budget that shrinks, or until one is used up."""
    unit, answers = UNITS[source.choice(("1", "1", *UNITS))] if read is PLAIN else UNITS["1"]
    adjacency = source.choice(read.adjacencies)
    length = "len(thresholds)" if read.by_item else "len(q)"
    times = read.times if adjacency in SUMMED else "len(q)"
    body = [f"yield {read.value} + e"]
    before, over = (), source.choice((f"range({length})", "range(len(omega))"))
    price = source.choice(("one", "one", "shrinking", "spending"))
    if price == "one":
        body.insert(0, f"e = noise.laplace({length if times == 'len(q)' else times} * {unit} / eps)")
    elif price == "shrinking":
        by = source.choice(("share / 2", "share * 0.5", "share / 2 ** 2"))
        before, body = ("share = eps / 2",), [f"e = noise.laplace({unit} / share)", *body, f"share = {by}"]
    else:
        asked = ("if spent + cheap > eps:", "    break", f"e = noise.laplace({unit} / cheap)", "spent += cheap")
        before, body, over = ("spent = 0",), [*asked, *body], "range(len(omega))"
    if read.by_item:
        over = "zip(range(len(omega)), thresholds)" if price == "spending" else "enumerate(thresholds)"
    shift = Shift("e", read.change, f"for i, t in {over}" if read.by_item else f"for i in {over}")
    draft = Draft(
        "releases", "eps", adjacency, "q", (shift,), before, "", tuple(body), lists=("e",), further=FURTHER,
        answers=answers,
    )  # fmt: skip
    return _headed(draft, read, source)


def _headed(draft: Draft, read: Read, source: random.Random, going_on: str = "") -> Draft:
    """The draft as a loop of some form; a condition for going on stands in a `while`, or ends other loops."""
    form = "for i, t in enumerate(thresholds)" if read.by_item else source.choice(FORMS)
    if form.startswith("while"):
        form += f" and {going_on}" if going_on else ""
    elif going_on:
        draft = replace(draft, body=(*draft.body, f"if not ({going_on}):", "    break"))
    if " i in" not in form and " i," not in form:
        draft = replace(draft, before=(*draft.before, "i = 0"), body=(*draft.body, "i += 1"))
    return replace(draft, over=form)
