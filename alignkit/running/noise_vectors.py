"""H as an alignment sees it, and what ``H.shift`` gives: also the annotations of an alignment's H and its result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from alignkit.interpreting.values import LimitOf
from alignkit.language.program import LimitForm
from alignkit.public_names import public
from alignkit.running.replaying import as_tuples


@public
class Shift(tuple[tuple[Any, Any], ...]):
    """How far each draw moves from D to D′: what ``H.shift(eta=1)`` gives, and an alignment returns.

    A tuple of pairs of a draw's name and its shift, in the units of the noise: a number, or a tuple with one for each
    iteration that drew it. Limits say outside of which noise the alignment need not be right, which a claim with δ
    pays for: a number, or a list with one for each iteration, and None where there is no limit.

    >>> NoiseVector({"eta": 0}).shift(eta=1)
    (('eta', 1),)
    """

    __slots__ = ()

    def below(self, **limits: Any) -> Shift:
        """The same shift, of noise that is below these limits."""
        return self._with(limits, LimitForm.BELOW)

    def above(self, **limits: Any) -> Shift:
        """The same shift, of noise that is above these limits."""
        return self._with(limits, LimitForm.ABOVE)

    def distinct(self, **values: Any) -> Shift:
        """The same shift, of lists of noise whose sums with these lists of values are all different."""
        return self._with(values, LimitForm.DISTINCT)

    def _with(self, limits: Mapping[str, Any], form: LimitForm) -> Shift:
        return Shift((*self, *((LimitOf(name, form), as_tuples(value)) for name, value in limits.items())))


@public
class NoiseVector:
    """H: the noise that D drew, and ``shift``, which says how it moves.

    ``H.eta`` is the value of a draw by its name. A draw in a loop or in a comprehension is a list over the iterations,
    ``H.eta_i[i]``, with None where none was drawn. A draw that was not made at all raises AttributeError.

    >>> H = NoiseVector({"eta": 2, "eta_i": (1, None)})
    >>> H.eta, H.eta_i
    (2, [1, None])
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__.update({name: _listed(value) for name, value in values.items()})

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    @staticmethod
    def shift(**shifts: Any) -> Shift:
        """The shift of each draw by its name, a number or a list of numbers; what is not named does not move.

        >>> NoiseVector({"eta": 2, "eta_i": (1, 0)}).shift(eta_i=[1, 0])
        (('eta_i', (1, 0)),)
        """
        return Shift((name, as_tuples(value)) for name, value in shifts.items())


def _listed(value: Any) -> Any:
    return [_listed(x) for x in value] if isinstance(value, tuple) else value
