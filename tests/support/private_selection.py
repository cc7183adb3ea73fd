"""Private selection from private candidates (Algorithms 6 and 7 of Ilvento's paper), and the laws of what it releases.

The programs stop at random, which the language of mechanisms has no word for. Here they are plain Python over
``choose``, which picks a value from a law; ``law_of`` follows every choice and adds up exactly. A law maps each value
to its probability, a fraction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Any

Law = Mapping[Any, Fraction]
Choose = Callable[[Law], Any]


class Following:
    """Choices that follow a path as far as it goes, then take what is possible first; ``others`` are left to follow."""

    def __init__(self, path: list[Any]) -> None:
        self.path = path
        self.made: list[Any] = []
        self.others: list[list[Any]] = []
        self.chance = Fraction(1)

    def __call__(self, law: Law) -> Any:
        if len(self.made) < len(self.path):
            chosen = self.path[len(self.made)]
        else:
            chosen, *others = [value for value, p in law.items() if p > 0]
            self.others += [[*self.made, other] for other in others]
        self.made.append(chosen)
        self.chance *= law[chosen]
        return chosen


def law_of(program: Callable[..., Hashable], *arguments: Any) -> dict[Any, Fraction]:
    """The law of what ``program(choose, *arguments)`` returns, by following all of its choices."""
    found = defaultdict[Any, Fraction](Fraction)
    waiting: list[list[Any]] = [[]]
    while waiting:
        choose = Following(waiting.pop())
        returned = program(choose, *arguments)
        found[returned] += choose.chance
        waiting += choose.others
    return dict(found)


# --- The programs -----------------------------------------------------------------------------------


def select_above(choose: Choose, candidates: Law, tau: Any, gamma: Fraction, rounds: int) -> Any:
    """Algorithm 6: the first pair (x, q) with q >= tau, or None; each other round ends it with probability gamma."""
    for _ in range(rounds):
        x, q = choose(candidates)
        if q >= tau:
            return x, q
        if choose({True: gamma, False: 1 - gamma}):
            return None
    return None


def hard_stop(choose: Choose, candidates: Law, gamma: Fraction, rounds: int) -> Any:
    """Algorithm 7: the pair with the largest q among those seen when the run ends, with probability gamma a round."""
    seen: list[Any] = []
    for _ in range(rounds):
        pair = choose(candidates)
        if pair not in seen:  # the paper's S is a set
            seen.append(pair)
        best = best_of(choose, seen)
        if choose({True: gamma, False: 1 - gamma}):
            return best
    return best


def hard_stop_with_repeats(choose: Choose, candidates: Law, gamma: Fraction, rounds: int) -> Any:
    """Algorithm 7 where S keeps a pair as often as it is drawn."""
    seen: list[Any] = []
    for _ in range(rounds):
        seen.append(choose(candidates))
        if choose({True: gamma, False: 1 - gamma}):
            break
    return best_of(choose, seen)


def best_of(choose: Choose, pairs: list[Any]) -> Any:
    """The largest of some pairs by the comparison CMP of Algorithm 7, which tosses a coin between equals."""
    best = pairs[0]
    for other in pairs[1:]:
        if other[1] > best[1] or (other[1] == best[1] and choose({True: Fraction(1, 2), False: Fraction(1, 2)})):
            best = other
    return best


# --- Closed forms -----------------------------------------------------------------------------------


def law_above(candidates: Law, tau: Any, gamma: Fraction, rounds: int | None) -> dict[Any, Fraction]:
    """The law of Algorithm 6; with ``rounds`` None it goes on until it stops by itself.

    Let P be the chance that a candidate lies above, and r = (1 - P)(1 - gamma) that a round changes nothing. Then a
    pair above comes out with its own probability times 1 + r + r² + ... + r^(rounds - 1).
    """
    passing = {pair: p for pair, p in candidates.items() if pair[1] >= tau}
    r = (1 - sum(passing.values(), Fraction(0))) * (1 - gamma)
    repeats = (1 - (r**rounds if rounds is not None else 0)) / (1 - r)
    law = {pair: p * repeats for pair, p in passing.items()}
    return law | {None: 1 - sum(law.values(), Fraction(0))}


def stopped_below(below: Fraction, gamma: Fraction, rounds: int | None) -> Fraction:
    """E[F^J] for the number of rounds J and F = ``below``: that all candidates seen have what one has with chance F."""
    u = (1 - gamma) * below
    if rounds is None:
        return gamma * below / (1 - u)
    last = u ** (rounds - 1)
    return gamma * below * (1 - last) / (1 - u) + last * below


def law_of_best(candidates: Law, gamma: Fraction, rounds: int | None) -> dict[Any, Fraction]:
    """The law of Algorithm 7 where no two pairs have equal q."""
    law, below = {}, Fraction(0)
    for pair, p in sorted(candidates.items(), key=lambda item: item[0][1]):
        law[pair] = stopped_below(below + p, gamma, rounds) - stopped_below(below, gamma, rounds)
        below += p
    return law


# --- Losses, as ratios ------------------------------------------------------------------------------


def ratio(law: Law, law_: Law) -> Fraction:
    """The largest ratio of probabilities, in either direction: exp of the privacy loss. Both laws have one support."""
    assert {x for x, p in law.items() if p} == {x for x, p in law_.items() if p}
    return max(max(law[x] / law_[x], law_[x] / law[x]) for x in law if law[x])


def sharpest_above(b: Fraction, gamma: Fraction) -> Fraction:
    """The supremum of Algorithm 6's ratio over all pairs of candidate laws of ratio b, for endless rounds."""
    return b * (b + gamma) / (1 + b * gamma)


def sharpest_best(b: Fraction, gamma: Fraction) -> Fraction:
    """The supremum of Algorithm 7's ratio over all pairs of candidate laws of ratio b, for endless rounds."""
    return b * ((b + gamma) / (1 + b * gamma)) ** 2


def adversarial(b: Fraction, t: Fraction) -> tuple[dict[Any, Fraction], dict[Any, Fraction]]:
    """Two laws of ratio b: a rare pair grows by b, a common one above it shrinks by b, failures make up for both.

    The rare pair's probability is b t against t; for t < 1/(b + 1) all three change by the factor b exactly.
    """
    failing = 1 / (b + 1) - t
    law = {("rare", 1): b * t, ("common", 2): 1 / (b + 1), ("failing", 0): b * failing}
    law_ = {("rare", 1): t, ("common", 2): b / (b + 1), ("failing", 0): failing}
    return law, law_
