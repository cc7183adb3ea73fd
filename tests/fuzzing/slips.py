"""What may be written by mistake in a program: each piece of text with what may stand in its place."""

from __future__ import annotations

import random
import re

SLIPS = {
    # costs
    "='eps'": ("='eps / 2'", "='3 * eps / 4'"), "='2 * eps'": ("='eps'",), "4 * ": ("2 * ",), "* k ": ("",),
    "(k + 1)": ("k",), " * delta": ("",), "2 * delta": ("delta",), "delta / 2": ("delta",),
    "len(q) / eps": ("3 / eps",), "k / eps": ("1 / eps",), "len(thresholds) / eps": ("k / eps",),
    "** 2": ("** 3", ""), "ceil(k": ("floor(k",), "laplace(3 *": ("laplace(2 *",), "len(q) * 1 / eps": ("k / eps",),
    "8 * n": ("4 * n",), "/ cheap": ("/ (2 * cheap)",),
    # adjacency
    "'one'": ("'l1'", "'each'"), "'l1'": ("'each'", "'monotone'"), "'each'": ("'monotone'",),
    # counters and budgets
    "count >= ": ("count > ",), "count < ": ("count <= ",), "count += 1": ("count -= 1", "count = 1"),
    "yield BELOW": ("yield BELOW; count = 0",), "mids += 1": ("tops -= 1",), "tops += 1": ("pass",),
    "spent + cheap": ("spent",), "spent += cheap": ("spent += cheap / 2",), "+ dear": ("",), "> eps": (">= eps",),
    "share / 2": ("share",), "share * 0.5": ("share * 0.75",), "share = eps / 2": ("share = eps",), "= 0": ("= 1",),
    "break": ("pass",), "+ 1) % k": ("+ 2) % k",), "% k": ("% 3",), "% 3": ("% 4",), "block = 0": ("block = block",),
    "lo += 1": ("lo += 2",), "hi -= 1": ("hi -= 2",), "len(q) - 1": ("len(q)",), "// 2": ("// 2 + 1",),
    "middle = (a + b) / 2": ("middle = (a + b) / 2 + e",), "b = middle": ("b = middle + e",),
    # positions and windows
    "thresholds[i]": ("thresholds[i - 1]", "thresholds[i + 1]", "thresholds[count]"), "- 3 <": ("- 4 <", "- 2 <"),
    "i - 3 < j and": ("i - 3 < j or",), "j <= i": ("j < i", "j <= i + 1", "j <= count"), "i + 1)": ("i + 2)",),
    "i + 1]": ("i + 2]",), "q[i:]": ("q[i + 1:]",), "q[:k]": ("q[:k + 1]",), "< k)": ("<= k)",), "d <= i": ("d < i",),
    "- d]": ("+ d]",), "i - d": ("d - i",), "q[1:]": ("q[2:]",), "min(k, i + 1)": ("k",), "q_[i]": ("q_[i - 1]",),
    "q[i]": ("q[0]",), "q[i + 1]": ("q[i]",), "i == len(omega) - 1": ("i <= len(omega) - 1",),
    "omega[-1]": ("omega[0]", "omega[len(omega) - 2]"), "omega[0]": ("omega[1]",),
    "range(len(omega))": ("range(len(q))",),
    # sums with parameters
    "<= t)": ("<= t + 1)", "< t)", "<= t + nu)", "<= t + q[0])"), "v > t": ("v >= t",),
    "<= T + i": ("<= T - i", "<= v + i", "<= T + q[i]"), "1 for v in q": ("v for v in q", "2 for v in q"),
    "1 for j": ("v for j",), "for v in q ": ("for v in q_ ",), "v, t)": ("v * t, t)",), "min(v, ": ("min(2 * v, ",),
    "max(t, 0)": ("t",), "+ count": ("+ count + rho",), "clamp(v,": ("clamp(v * v,",), "count)": ("2 * count + 1)",),
    "T - i": ("T * v",), "sum(v for": ("sum(j * v for",), "<= middle": ("<= middle + q[0]",),
    # shifts
    "H.shift(rho=1": ("H.shift(rho=0",), "rho=1": ("rho=-1",), " - q_[i]": (" + q_[i]",), "1 + ": ("1 - ", ""),
    " is not BELOW": (" is BELOW",), "is ABOVE": ("is BELOW",), "rho_i=[1": ("rho_i=[0", "rho_i=[2"),
    "=[2 *": ("=[1 *",), "[2 if": ("[1 if",), "else -1": ("else 0",), "else -2": ("else -1",),
    " - sum(": (" + sum(",),
    # what is compared and put out
    "T + rho_i": ("threshold + rho_i", "T + 2 * rho_i", "q[0] + rho_i", "T"), "+ nu >=": (">=", "- nu >="),
    ">= ": ("> ",), "+ nu - (": ("- (",), "+ e": ("+ 2 * e",), "x = q": ("x = 2 * q",),
    "clamp(x, 0, 1)": ("x", "clamp(x, 0, 2)"), "clamp(omega[0]": ("clamp(omega[0] + 1",),
    "floor(q": ("floor(2 * q", "ceil(q"), "ceil(q": ("round(q",), "noise.laplace": ("noise.exponential",),
    "+ rho:": (":",), "+ 10:": (":",), "q_i + xi": ("q_i + nu + xi",), "yield x": ("yield 0",),
}  # fmt: skip


def slip(text: str, source: random.Random) -> str:
    """The program with a mistake, at one place or wherever it can be made; now and then it makes no difference."""
    old = source.choice([each for each in SLIPS if each in text])
    new = source.choice(SLIPS[old])
    if source.random() < 0.4:
        return text.replace(old, new)
    at = source.choice([place.start() for place in re.finditer(re.escape(old), text)])
    return text[:at] + new + text[at + len(old) :]
