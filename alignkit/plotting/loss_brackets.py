"""What is certified and what is proved of the losses of many mechanisms, in one picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from alignkit.checking import check
from alignkit.errors import InputError, LanguageError
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.plotting.figures import COLOURS, new_figure
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.binding import exact_arguments
from alignkit.running.claims import read_claim

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class LossBracket:
    """The loss of a mechanism as a share of its claim: at least ``low``, certified, at most ``high``, proved.

    ``high`` is None where nothing was proved.
    """

    name: str
    low: float
    high: float | None


def loss_bracket(alignment: Alignment, *, effort: int | None = None, timeout: float = 60.0) -> LossBracket:
    """Check an alignment, attack its mechanism, and give both ends at the parameters of the attack.

    Raises InputError where no loss above 0 is certified.

    >>> from alignkit.proofs.laplace import phi
    >>> found = loss_bracket(phi)
    >>> 0.9 < found.low <= found.high == 1
    True
    """
    result = check(alignment, effort=effort, timeout=timeout)
    leak, upper = result.privacy.leak, result.privacy.upper
    if leak is None or leak.claim is None or leak.claim <= 0:
        raise InputError(f"no loss of {alignment.mechanism.name} was certified that could be drawn")
    high = None
    if upper is not None:
        names = exact_arguments(alignment.mechanism, leak.witness.values)
        try:
            bound, _ = read_claim(upper, alignment.mechanism, alignment.program.place)
            unit = math.log(2) if alignment.base else 1.0  # certified losses are in natural units
            high = float(Evaluator(Context({})).number(bound, names)) * unit / leak.claim
        except LanguageError:
            high = None
    return LossBracket(f"{alignment.mechanism.name} / {alignment.name}", leak.loss / leak.claim, high)


def plot_brackets(brackets: Sequence[LossBracket]) -> Figure:
    """Draw brackets below one another, the claim of each at 1; a certified loss above it is marked.

    >>> plot_brackets([LossBracket("laplace", 0.99, 1.0)]).axes[0].get_xlabel()
    'privacy loss as a share of the claim'
    """
    if not brackets:
        raise InputError("plot_brackets needs at least one bracket")
    figure, (axes,) = new_figure(7.6, 0.9 + 0.24 * len(brackets))
    most = max([1.1, *(min(b.low, 3.0) * 1.05 for b in brackets), *(b.high or 0 for b in brackets)])
    for row, bracket in enumerate(reversed(brackets)):
        broken = bracket.low > 1
        end = bracket.high if bracket.high is not None else most
        axes.plot([min(bracket.low, most), end], [row, row], color=COLOURS[0], alpha=0.5, linewidth=4,
                  linestyle="-" if bracket.high is not None else ":")  # fmt: skip
        axes.plot(min(bracket.low, most), row, "X" if broken else "|", color=COLOURS[5] if broken else COLOURS[0],
                  markersize=8, markeredgewidth=1 if broken else 3)  # fmt: skip
        if bracket.high is not None:
            axes.plot(bracket.high, row, "|", color="black", markersize=8, markeredgewidth=2)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_yticks(range(len(brackets)), [b.name for b in reversed(brackets)], fontsize=7)
    axes.set_xlim(0, most)
    axes.set_ylim(-0.6, len(brackets) - 0.4)
    axes.set_xlabel("privacy loss as a share of the claim")
    axes.set_title("certified (|, ✕ where above the claim) to proved (black)", fontsize=9)
    return figure
