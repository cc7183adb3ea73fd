"""Random changes to a draft: more draws and outputs in the mechanism, more of what it may read in the alignment.

Most changes leave a right draft right, so that the prover accepts many; what is wrong with the others often shows in
long runs or for far-off public parameters only.
"""

from __future__ import annotations

import random
from dataclasses import replace

from fuzzing.drafts import DRAFTS, LOSER, WINNER, Draft
from fuzzing.further_drafts import FURTHER_DRAFTS
from fuzzing.slips import slip
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


def further(seed: int) -> Draft:
    """A right program with constructs that the drafts of `write` do not have; always the same for a seed."""
    source = random.Random(seed)
    return stream(source) if source.random() < 0.6 else source.choice(FURTHER_DRAFTS)


def write_further(seed: int) -> str:
    """The source of such a program: as it is, with other changes, or with mistakes."""
    draft, source = further(seed), random.Random(-1 - seed)
    way = source.random()
    if 0.35 < way < 0.6:
        draft = source.choice((_in_the_mechanism, _in_the_alignment))(draft, source)
    text = draft.text
    for _ in range(source.choice((1, 1, 1, 2)) if way > 0.6 else 0):
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
