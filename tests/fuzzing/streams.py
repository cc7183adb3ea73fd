"""Right loops over the answers, put together at random: what an iteration reads, at what price, and how the loop ends.

Each part is right with every other one that may stand beside it, so that each combination is.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace

from fuzzing.drafts import LOSER, WINNER, Draft, Shift

EACH, ONE, ANY = ("each", "monotone"), ("one",), ("each", "monotone", "one", "l1")
SUMMED = ("one", "l1")
FURTHER = (("thresholds", "Reals"), ("cheap", "Positive"), ("delta", "Positive"))


@dataclass(frozen=True)
class Read:
    """A number that iteration i makes of the answers ``q``, and the adjacencies under which it moves by at most 1.

    Under ``one``, and under ``l1`` too if ``shares``, what it moves by in all iterations together is at most ``times``.
    What it reads may be ``hidden`` from an alignment, which then moves it by as much as it can have changed.
    """

    value: str
    adjacencies: tuple[str, ...]
    times: str = "len(q)"
    shares: bool = True
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
    Read("floor(q[i])", ANY, "1", shares=False),
    Read("ceil(q[i])", ANY, "1", shares=False),
    Read("sum(1 for v in q if v <= t)", ONE),
    Read("sum(1 if v > t else 0 for v in q)", ONE),
    Read("sum(clamp(v, 0, max(t, 0)) for v in q)", SUMMED),
    Read("sum(min(v, t) for v in q)", SUMMED),
    Read("sum(1 for j, v in enumerate(q) if i - 3 < j <= i and v <= t)", ONE, "3"),
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


def _headed(draft: Draft, read: Read, source: random.Random, going_on: str = "") -> Draft:
    """The draft as a loop of any form; a condition for going on stands in a `while`, or ends other loops."""
    if read.by_item:
        if going_on:
            draft = replace(draft, body=(*draft.body, f"if not ({going_on}):", "    break"))
        shifts = tuple(
            replace(shift, clause=re.sub("range.*", "enumerate(thresholds)", shift.clause).replace("for i in", "for i, t in")
                    if "enumerate" not in shift.clause else "for i, (w, t) in enumerate(zip(omega, thresholds))")
            if re.search(r"\bt\b", shift.value) else shift for shift in draft.shifts
        )
        return replace(draft, over="for i, t in enumerate(thresholds)", shifts=shifts)
    way = source.randrange(5)
    if way < 2:
        asked = f" and {going_on}" if going_on else ""
        asked = source.choice((f"i < len(q){asked}", f"len(q) > i{asked}"))
        return replace(draft, over=f"while {asked}", before=(*draft.before, "i = 0"), body=(*draft.body, "i += 1"))
    if going_on:
        draft = replace(draft, body=(*draft.body, f"if not ({going_on}):", "    break"))
    over = ("for i, q_i in enumerate(q)", "for i in range(len(q))", "for q_i in q")[way - 2]
    if way == 4:
        return replace(draft, over=over, before=(*draft.before, "i = 0"), body=(*draft.body, "i += 1"))
    return replace(draft, over=over)


def _unit(read: Read, source: random.Random) -> tuple[str, str]:
    """By how much the number moves, and the type of the answers."""
    if read is not PLAIN or source.random() < 0.6:
        return "1", "Queries"
    return source.choice((("delta", "delta"), ("2 * delta", "2 * delta"), ("(delta / 2)", "delta / 2")))


def _named(unit: tuple[str, str]) -> tuple[str, str]:
    size, sensitivity = unit
    return size, "Queries" if size == "1" else f'Annotated[Queries, Sensitivity("{sensitivity}")]'


def _compared(read: Read, source: random.Random) -> Draft:
    """A sparse vector: thresholds by position or drawn again; winners are counted, or the first one is the last."""
    unit, answers = _named(_unit(read, source))
    drawn_again, first_only = source.random() < 0.3, source.random() < 0.3 and "count" not in read.value
    bar = "T" if source.random() < 0.4 else source.choice(
        ("thresholds[i]", "thresholds[i % len(thresholds)]", "T ** 2", "floor(T)", "thresholds[len(q) - 1 - i]")
    )  # fmt: skip
    counted = "1" if first_only else source.choice(("k", "k", "ceil(k / 2)", "2 ** 2"))
    before = [f"rho = noise.laplace(2 * {unit} / eps)"]
    again: list[str] = []
    if drawn_again and not first_only:
        bar = "T"
        before = [f"rho = noise.laplace(2 * {counted} * {unit} / eps)", "threshold = T + rho"]
        again = [f"    rho_i = noise.laplace(2 * {counted} * {unit} / eps)", "    threshold = T + rho_i"]
    compared = "threshold" if again else f"{bar} + rho"
    told = "yield ABOVE" if read.hidden else source.choice(("yield ABOVE", f"yield {read.value} + nu - ({compared})",
                          f"yield TOP, {read.value} + nu - ({compared})"))  # fmt: skip
    ended = [] if first_only else ["    count += 1"]
    going_on = f"count < {counted}"
    if first_only:
        ended, going_on = ["    break"], ""
    elif again or source.random() < 0.5:
        ended += [f"    if count >= {counted}:", "        break", *again]
        going_on = ""
    body = (
        f"nu = noise.laplace(4 * {counted} * {unit} / eps)", f"if {read.value} + nu >= {compared}:", f"    {WINNER}",
        f"    {told}", *ended, "else:", f"    {LOSER}", "    yield BELOW",
    )  # fmt: skip
    if not first_only:
        before.append("count = 0")
    moved = f"{unit} + {read.change}"
    if read.hidden or (told == "yield ABOVE" and source.random() < 0.4):
        moved = f"2 * {unit}"
    nu = Shift("nu", f"{moved} if w is not BELOW else 0", "for i, w in enumerate(omega)")
    if first_only and source.random() < 0.7:
        to_the_last = source.choice(("range(len(omega))", "range(len(q))"))
        nu = Shift("nu", f"{moved} if i == len(omega) - 1 and omega[-1] is not BELOW else 0", f"for i in {to_the_last}")
    shifts = [Shift("rho", unit), nu]
    if again:
        shifts.append(Shift("rho_i", unit, "for i, w in enumerate(omega)"))
    draft = Draft(
        "thresholds", "eps", source.choice(read.adjacencies), "q", tuple(shifts), tuple(before), "", body,
        lists=("nu",), singles=("rho",), tags=True, further=FURTHER, answers=answers,
    )  # fmt: skip
    return _headed(draft, read, source, going_on)


def _released(read: Read, source: random.Random) -> Draft:
    """A noisy number in each iteration, at a price of its own or at one price for the change."""
    unit, answers = _named(_unit(read, source))
    adjacency = source.choice(read.adjacencies)
    shared = adjacency == "one" or (adjacency == "l1" and read.shares)
    times = read.times if shared else "len(q)"
    if read.by_item and times == "len(q)":
        times = "len(thresholds)"
    way = source.choice(("at one price", "at one price", "shrinking", "spending"))
    before: tuple[str, ...] = ()
    body = [f"e = noise.laplace({times} * {unit} / eps)"]
    last: list[str] = []
    if way == "shrinking":
        by = source.choice(("share / 2", "share * 0.5", "share / 2 ** 2"))
        before, body, last = ("share = eps / 2",), [f"e = noise.laplace({unit} / share)"], [f"share = {by}"]
    if way == "spending":
        before = (source.choice(("spent = 0", "spent = 0 * eps")),)
        body = ["if spent + cheap > eps:", "    break", f"e = noise.laplace({unit} / cheap)", "spent += cheap"]
    length = "range(len(q))" if way != "spending" and source.random() < 0.5 else "range(len(omega))"
    draft = Draft(
        "releases", "eps", adjacency, "q", (Shift("e", read.change, f"for i in {length}"),), before, "",
        (*body, f"yield {read.value} + e", *last), lists=("e",), further=FURTHER, answers=answers,
    )  # fmt: skip
    return _headed(draft, read, source)
