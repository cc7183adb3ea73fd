"""Random changes to a draft: more draws and outputs in the mechanism, more of what it may read in the alignment.

Most changes leave a right draft right, so that the prover accepts many; what is wrong with the others often shows in
long runs or for far-off public parameters only.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace

from fuzzing.drafts import DRAFTS, LOSER, WINNER, Draft
from fuzzing.further_drafts import FURTHER_DRAFTS
from fuzzing.streams import stream

BOUNDS = ("0", "1", "2", "3", "5", "12", "40")
# Some of these hold at the head of every loop that counts its winners, some never do.
INVARIANTS = ("count >= 0", "count <= k", "count < k", "count == count_", "count == 0", "count + 1 <= k", "T < 100")
THRESHOLDS = ("-50", "0", "1", "100", "500")


def write(seed: int) -> str:
    """The source of a changed draft; always the same for a seed."""
    source = random.Random(seed)
    draft = source.choice(DRAFTS)
    for _ in range(source.choice((0, 1, 1, 2))):
        draft = _in_the_mechanism(draft, source)
    for _ in range(source.choice((1, 1, 2))):
        draft = _in_the_alignment(draft, source)
    if draft.branches and source.random() < 0.1:
        draft = replace(draft, invariants=(source.choice(INVARIANTS),))
    if source.random() < 0.08:
        draft = replace(draft, claim=source.choice(("eps / 2", "2 * eps", "eps * k", "3 * eps / 4")))
    return draft.text


# What may be written by mistake: at one place or at all of them, in the mechanism or in the alignment.
SLIPS = (
    # costs
    ("='eps'", "='eps / 2'"), ("='eps'", "='3 * eps / 4'"), ("='2 * eps'", "='eps'"), ("4 * ", "2 * "), ("* k ", ""),
    ("(k + 1)", "k"), (" * delta", ""), ("2 * delta", "delta"), ("delta / 2", "delta"), ("len(q) / eps", "3 / eps"),
    ("k / eps", "1 / eps"), ("len(thresholds) / eps", "k / eps"), ("** 2", "** 3"), ("** 2", ""), ("ceil(k", "floor(k"),
    ("laplace(3 *", "laplace(2 *"), ("len(q) * 1 / eps", "k / eps"), ("8 * n", "4 * n"), ("/ cheap", "/ (2 * cheap)"),
    # adjacency
    ("'one'", "'l1'"), ("'one'", "'each'"), ("'l1'", "'each'"), ("'each'", "'monotone'"), ("'l1'", "'monotone'"),
    # counters and budgets
    ("count >= ", "count > "), ("count < ", "count <= "), ("count += 1", "count -= 1"), ("count += 1", "count = 1"),
    ("yield BELOW", "count = 0\n            yield BELOW"), ("mids += 1", "tops -= 1"), ("tops += 1", "pass"),
    ("spent + cheap", "spent"), ("spent += cheap", "spent += cheap / 2"), ("+ dear", ""), ("> eps", ">= eps"),
    ("share / 2", "share"), ("share * 0.5", "share * 0.75"), ("share = eps / 2", "share = eps"), ("= 0", "= 1"),
    ("break", "pass"), ("+ 1) % k", "+ 2) % k"), ("% k", "% 3"), ("% 3", "% 4"), ("block = 0", "block = block"),
    ("lo += 1", "lo += 2"), ("hi -= 1", "hi -= 2"), ("len(q) - 1", "len(q)"), ("// 2", "// 2 + 1"),
    ("middle = (a + b) / 2", "middle = (a + b) / 2 + e"), ("b = middle", "b = middle + e"),
    # positions and windows
    ("thresholds[i]", "thresholds[i - 1]"), ("thresholds[i]", "thresholds[i + 1]"), ("thresholds[i]", "thresholds[count]"),
    ("- 3 <", "- 4 <"), ("- 3 <", "- 2 <"), ("i - 3 < j and", "i - 3 < j or"), ("j <= i", "j < i"), ("j <= i", "j <= i + 1"),
    ("j <= i", "j <= count"), ("i + 1)", "i + 2)"), ("i + 1]", "i + 2]"), ("q[i:]", "q[i + 1:]"), ("q[:k]", "q[:k + 1]"),
    ("< k)", "<= k)"), ("d <= i", "d < i"), ("- d]", "+ d]"), ("i - d", "d - i"), ("q[1:]", "q[2:]"), ("min(k, i + 1)", "k"),
    ("q_[i]", "q_[i - 1]"), ("q[i]", "q[0]"), ("q[i + 1]", "q[i]"), ("i == len(omega) - 1", "i <= len(omega) - 1"),
    ("omega[-1]", "omega[0]"), ("omega[-1]", "omega[len(omega) - 2]"), ("omega[0]", "omega[1]"), ("range(len(omega))", "range(len(q))"),
    # sums with parameters
    ("<= t)", "<= t + 1)"), ("<= t)", "< t)"), ("v > t", "v >= t"), ("<= T + i", "<= T - i"), ("<= T + i", "<= v + i"),
    ("<= T + i", "<= T + q[i]"), ("<= t)", "<= t + nu)"), ("<= t)", "<= t + q[0])"), ("1 for v in q", "v for v in q"),
    ("1 for v in q", "2 for v in q"), ("1 for j", "v for j"), ("for v in q ", "for v in q_ "), ("v, t)", "v * t, t)"),
    ("min(v, ", "min(2 * v, "), ("max(t, 0)", "t"), ("+ count", "+ count + rho"), ("clamp(v,", "clamp(v * v,"),
    ("count)", "2 * count + 1)"), ("T - i", "T * v"), ("sum(v for", "sum(j * v for"), ("<= middle", "<= middle + q[0]"),
    # shifts
    ("H.shift(rho=1", "H.shift(rho=0"), ("rho=1", "rho=-1"), (" - q_[i]", " + q_[i]"), ("1 + ", "1 - "), ("1 + ", ""),
    (" is not BELOW", " is BELOW"), ("is ABOVE", "is BELOW"), ("rho_i=[1", "rho_i=[0"), ("rho_i=[1", "rho_i=[2"),
    ("=[2 *", "=[1 *"), ("[2 if", "[1 if"), ("else -1", "else 0"), ("else -2", "else -1"), (" - sum(", " + sum("),
    # what is compared and put out
    ("T + rho_i", "threshold + rho_i"), ("T + rho_i", "T + 2 * rho_i"), ("T + rho_i", "q[0] + rho_i"), ("T + rho_i", "T"),
    ("+ nu >=", ">="), ("+ nu >=", "- nu >="), (">= ", "> "), ("+ nu - (", "- ("), ("+ e", "+ 2 * e"), ("x = q", "x = 2 * q"),
    ("clamp(x, 0, 1)", "x"), ("clamp(x, 0, 1)", "clamp(x, 0, 2)"), ("clamp(omega[0]", "clamp(omega[0] + 1"),
    ("floor(q", "floor(2 * q"), ("floor(q", "ceil(q"), ("ceil(q", "round(q"), ("noise.laplace", "noise.exponential"),
    ("+ rho:", ":"), ("+ 10:", ":"), ("q_i + xi", "q_i + nu + xi"), ("yield x", "yield 0"),
)  # fmt: skip


def slip(text: str, source: random.Random) -> str:
    """The program with a mistake, which may be none."""
    old, new = source.choice([each for each in SLIPS if each[0] in text])
    if source.random() < 0.4:
        return text.replace(old, new)
    at = source.choice([place.start() for place in re.finditer(re.escape(old), text)])
    return text[:at] + new + text[at + len(old) :]


def further(seed: int) -> Draft:
    """A right program with constructs that the drafts of `write` do not have; always the same for a seed."""
    source = random.Random(seed)
    return stream(source) if source.random() < 0.6 else source.choice(FURTHER_DRAFTS)


def write_further(seed: int) -> str:
    """The source of such a program with changes, and with mistakes in half of them."""
    draft, source = further(seed), random.Random(-1 - seed)
    for _ in range(source.choice((0, 0, 0, 1))):
        draft = _in_the_mechanism(draft, source)
    for _ in range(source.choice((0, 0, 1))):
        draft = _in_the_alignment(draft, source)
    text = draft.text
    for _ in range(source.choice((0, 0, 1, 1, 1, 2))):
        text = slip(text, source)
    return text


# In the mechanism


def _in_the_mechanism(draft: Draft, source: random.Random) -> Draft:
    name = f"x{len(draft.lists) + len(draft.singles)}"
    changes = [_list_before, _single_before, _after, _exit, _output]
    if draft.over:
        changes += [_in_the_loop, _in_the_loop]
    if draft.branches:
        changes += [_on_a_branch, _on_a_branch]
    return source.choice(changes)(draft, source, name)


def _noise(source: random.Random) -> str:
    scale = source.choice(("1 / eps", "2", "k / eps"))
    return f"noise.{source.choice(('laplace', 'laplace', 'exponential'))}({scale})"


def _sometimes(line: str, source: random.Random) -> tuple[str, ...]:
    """The statement, or one that is run for some thresholds only."""
    if source.random() < 0.6:
        return (line,)
    return (f"if T {source.choice('<>')} {source.choice(THRESHOLDS)}:", f"    {line}")


def _list_before(draft: Draft, source: random.Random, name: str) -> Draft:
    length = source.choice(("1", "2", "3", "k", "k - 1"))
    filtered = f" if j != {source.choice('012')}" if length == "3" and source.random() < 0.3 else ""
    lines = _sometimes(f"{name} = [{_noise(source)} for j in range({length}){filtered}]", source)
    return replace(draft, before=(*lines, *draft.before), lists=(*draft.lists, name))


def _single_before(draft: Draft, source: random.Random, name: str) -> Draft:
    lines = _sometimes(f"{name} = {_noise(source)}", source)
    return replace(draft, before=(*lines, *draft.before), singles=(*draft.singles, name))


def _in_the_loop(draft: Draft, source: random.Random, name: str) -> Draft:
    lines = _sometimes(f"{name} = {_noise(source)}", source)
    at = source.choice((0, 0 if draft.body[0].endswith(":") else 1, len(draft.body)))
    return replace(draft, body=(*draft.body[:at], *lines, *draft.body[at:]), lists=(*draft.lists, name))


def _on_a_branch(draft: Draft, source: random.Random, name: str) -> Draft:
    mark = source.choice((LOSER, WINNER))
    line = f"{name} = {_noise(source)}"
    body = tuple(each for old in draft.body for each in ((old, old.replace(mark, line)) if mark in old else (old,)))
    return replace(draft, body=body, lists=(*draft.lists, name))


def _after(draft: Draft, source: random.Random, name: str) -> Draft:
    if source.random() < 0.5:
        return replace(draft, after=(*draft.after, f"{name} = {_noise(source)}"), singles=(*draft.singles, name))
    line = f"{name} = [{_noise(source)} for j in range({source.choice('123')})]"
    return replace(draft, after=(*draft.after, line), lists=(*draft.lists, name))


def _exit(draft: Draft, source: random.Random, name: str) -> Draft:
    test = f"if T {source.choice('<>')} {source.choice(THRESHOLDS)}:"
    if not draft.over or source.random() < 0.5:
        return replace(draft, before=(*draft.before, test, "    return"))
    at = source.choice((0, len(draft.body)))
    return replace(draft, body=(*draft.body[:at], test, "    break", *draft.body[at:]))


def _output(draft: Draft, source: random.Random, name: str) -> Draft:
    line = source.choice(("yield BELOW", "yield TOP, 1", "yield k", "yield T", "yield T > 0"))
    if source.random() < 0.5:
        return replace(draft, after=(*draft.after, line), tags=True)
    return replace(draft, before=(line, *draft.before), tags=True)


# In the alignment


def _in_the_alignment(draft: Draft, source: random.Random) -> Draft:
    number = source.randrange(len(draft.shifts))
    shift = draft.shifts[number]
    index = "i" if shift.clause else source.choice("012")
    what = source.random()
    if what < 0.25:
        return draft.with_shift(number, f"({shift.value}) + {_guarded(draft, source, index)}")
    if what < 0.5:
        return draft.with_shift(number, f"({shift.value}) + 0 * {_number(draft, source, index)}")
    if what < 0.68:
        return draft.with_shift(number, f"({shift.value}) + (0 * {_number(draft, source, index)} "
                                f"if {_condition(draft, source, index)} else 0)")  # fmt: skip
    if what < 0.85:
        return draft.with_shift(number, f"({shift.value}) + (1000 if {_conditions(draft, source, index)} else 0)")
    if what < 0.95:
        return draft.with_shift(number, f"({shift.value}) if {_condition(draft, source, index)} else ({shift.value})")
    return draft.with_shift(number, f"({shift.value}) * {source.choice(('2', '1 / 2', '-1', '0'))}")


def _guarded(draft: Draft, source: random.Random, index: str) -> str:
    """Zero, with something read where it is there."""
    at = _index(draft, source, index)
    read = [f"H.{name}" for name in draft.lists]
    if not draft.tags:
        read.append("omega")
    if draft.private == "q":
        read.append("q")
    of = source.choice(read)
    bound = f"len({source.choice((of, of, of, of, 'omega'))})"
    return f"(0 * {of}[{at}] if 0 <= {at} < {bound} else 0)"


def _index(draft: Draft, source: random.Random, index: str) -> str:
    last = f"len({source.choice(('omega', draft.private if draft.private == 'q' else 'omega'))}) - 1"
    nearby = (f"{index} - 1", f"{index} + 1", f"{index} - 3", f"{index} - 40")
    return source.choice((index, index, index, "0", "0", "1", "2", "-1", last, *nearby))


def _number(draft: Draft, source: random.Random, index: str) -> str:
    options = ["len(omega)", "T", "k", "1 / (k + 1)", "1 / (T + 1)", "eps", f"omega[{_index(draft, source, index)}]"]
    options += [f"H.{name}" for name in draft.singles] * 2
    options += [f"H.{name}[{_index(draft, source, index)}]" for name in draft.lists] * 2
    options += [f"len(H.{name})" for name in draft.lists] * 2
    if draft.private == "q":
        options += [f"q[{_index(draft, source, index)}]", "max(q)", "len(q)"]
    if draft.tags:
        options += [f"omega[{_index(draft, source, index)}][{source.choice('01')}]",
                    "sum(1 for v in omega if v is BELOW)"]  # fmt: skip
    return source.choice(options)


def _conditions(draft: Draft, source: random.Random, index: str) -> str:
    """Two conditions, which rarely hold together."""
    return f"{_condition(draft, source, index)} and {_condition(draft, source, index)}"


def _condition(draft: Draft, source: random.Random, index: str) -> str:
    options = [
        f"len(omega) {source.choice(('<', '>='))} {source.choice(BOUNDS)}",
        f"T {source.choice('<>')} {source.choice(THRESHOLDS)}",
        f"k {source.choice('<>')} {source.choice(BOUNDS)}",
    ]
    options += [f"{index} {source.choice(('<', '>='))} {source.choice(BOUNDS)}"] * 2
    options += [f"len(H.{name}) {source.choice(('<', '>=', '=='))} {source.choice(BOUNDS)}" for name in draft.lists]
    options += [f"len(H.{name}) {source.choice(('<', '==', '!='))} len(omega)" for name in draft.lists]
    if draft.private == "q":
        options += [f"len(omega) {source.choice('<>')} len(q)", f"q[{_index(draft, source, index)}] == T"]
    if draft.tags:
        at = _index(draft, source, index)
        options += [
            f"omega[{at}] is {source.choice(('BELOW', 'not BELOW', 'TOP'))}",
            f"omega[{at}] == omega[{_index(draft, source, index)}]",
            f"omega[{at}][0] is TOP",
            f"{source.choice(('any', 'all'))}(v is BELOW for v in omega)",
        ]
    return source.choice(options)
