"""The regions of an event against runs on noise drawn at random: a vector lies in one of them just if its run does."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from support.examples import examples

from alignkit import ABOVE, BELOW, Epsilon, Noise, Queries, Query, clamp, largest, mechanism, power, sqrt
from alignkit.attacking.closed_forms.covering import cover, skeletons
from alignkit.attacking.closed_forms.densities import DENSITIES
from alignkit.catalogue.targets import mechanisms
from alignkit.errors import Undefined, Unsupported
from alignkit.language.program import Builtin, walk
from alignkit.output_events import ANYTHING, Event, Interval, OneOf


@mechanism
def loudest_in_range(q: Queries, eps: Epsilon, noise: Noise):
    """Maxima, absolute values and clamps: each is decided on the way."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [abs(q_i + e) for q_i, e in zip(q, eta)]
    return clamp(max(noisy) - min(noisy) / 2, 0, 3)


@mechanism
def far_out(q: Query, eps: Epsilon, noise: Noise):
    """A threshold that is no fraction."""
    eta = noise.laplace(1 / eps)
    if q + eta >= 2 * sqrt(2) / eps:
        yield ABOVE
    elif not -sqrt(2) <= q + eta < 1 or q + eta < -3:
        yield (BELOW, q + eta)
    else:
        yield BELOW


@mechanism
def mean_of_an_exact_count(q: Queries, eps: Epsilon, noise: Noise):
    """Answers are multiplied, and divided by; so are scales."""
    n = max(1, q[2])
    eta = noise.laplace(1 / (n * eps))
    return q[0] * q[1] + power(q[1], 2) + q[0] / n + q[1] * eta


@mechanism
def squared(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return ABOVE if eta * eta >= 1 else BELOW


@mechanism
def whole(q: Query, eps: Epsilon, noise: Noise):
    z = noise.discrete_laplace(1 / eps)
    return q + z


@mechanism
def with_gumbel_noise(q: Query, eps: Epsilon, noise: Noise):
    g = noise.gumbel(1 / eps)
    return q + g


def _values(mechanism, size):
    values = {}
    for name, kind in mechanism.public.items():
        value = kind.sample_values()[1]
        values[name] = int(value) if kind.integer else (value,) * size if kind.vector else value
    for name, kind in mechanism.private.items():
        answers = tuple(Fraction(i * i - 2, 1 if kind.lattice else 2) for i in range(size))
        values[name] = answers if kind.vector else Fraction(1)
    return values


def _regions(mechanism, values, event):
    return cover(mechanism, values, event).at(values, event)


def _noise(source, region_noise):
    return {
        name: Fraction(source.randint(0 if d.support.one_sided else -4 * 10**9, 4 * 10**9), 10**9) * scale[0]
        for name, (d, scale) in region_noise.items()
    }


def _inside(region, noise):
    for form, bounds in region.bounds.items():
        value = sum(factor * noise[name] for name, factor in form)
        if bounds.low is not None and value < bounds.low.low:
            return False
        if bounds.high is not None and value > bounds.high.high:
            return False
    return True


def _vector(flat):
    """From coordinates by name to a noise vector: ``eta_i[3]`` is an item of a list."""
    found = {}
    for name, value in flat.items():
        key, _, index = name.partition("[")
        if index:
            found.setdefault(key, {})[int(index[:-1])] = value
        else:
            found[key] = value
    return {
        key: [value.get(i) for i in range(max(value) + 1)] if isinstance(value, dict) else value
        for key, value in found.items()
    }


def _sequences(output):
    return tuple(map(_sequences, output)) if isinstance(output, list | tuple) else output


# The noise vectors made here have numbers and lists of them: no noise of loops in loops, and none of called
# mechanisms. Sums that are rounded have no closed form.
COVERED = [
    m
    for m in mechanisms()
    if all(draw.distribution.name in DENSITIES and draw.depth <= 1 for draw in m.draws)
    and not m.file.endswith("composition.py")
    and not any(isinstance(node, Builtin) and node.function == "floor" for node in walk(*m.program.body))
]


OWN = [loudest_in_range, far_out, mean_of_an_exact_count]


@pytest.mark.parametrize("mechanism", [*COVERED, *OWN], ids=lambda m: m.name)
def test_a_run_lies_in_an_event_exactly_where_its_noise_lies_in_one_region(mechanism):
    source = random.Random(1)
    values = _values(mechanism, 3)
    private = {name: values[name] for name in mechanism.private}
    public = {name: values[name] for name in mechanism.public}
    everything = _regions(mechanism, values, Event(ANYTHING))
    names = {name: draw for region in everything for name, draw in region.noise.items()}
    events = [Event(skeleton) for skeleton in skeletons(mechanism, values, [])[:12]]
    events += [Event(_bounded(event.pattern)) for event in events]
    regions = [_regions(mechanism, values, event) for event in events]
    hits = 0
    for _ in range(examples(20, 60)):
        noise = _noise(source, names)
        output = _sequences(mechanism.replay(H=_vector(noise), **private, **public))
        assert sum(_inside(region, noise) for region in everything) == 1
        for event, some in zip(events, regions):
            assert sum(_inside(region, noise) for region in some) == event.holds(output), event
            hits += event.holds(output)
    assert hits


def _bounded(pattern):
    if isinstance(pattern, tuple):
        return tuple(map(_bounded, pattern))
    return Interval(Fraction(-1), Fraction(2)) if isinstance(pattern, Interval) else pattern


def test_an_output_may_begin_like_the_event_only():
    from alignkit.mechanisms.sparse_vector import sparse_vector

    values = {"q": (Fraction(0),) * 3, "T": Fraction(0), "k": 3, "eps": Fraction(1)}
    assert not _regions(sparse_vector, values, Event((BELOW,)))
    assert len(_regions(sparse_vector, values, Event((BELOW,), more=True))) == 4
    either = OneOf(frozenset({ABOVE, BELOW}))
    assert len(_regions(sparse_vector, values, Event((either, BELOW, BELOW)))) == 2


def test_one_number_has_probability_0():
    from alignkit.mechanisms.laplace import laplace_mechanism

    values = _values(laplace_mechanism, 1)
    assert not _regions(laplace_mechanism, values, Event((Fraction(1),)))


@pytest.mark.parametrize("mechanism", [squared, whole, with_gumbel_noise], ids=lambda m: m.name)
def test_what_is_not_covered_says_so(mechanism):
    with pytest.raises(Unsupported):
        cover(mechanism, {"q": Fraction(0), "eps": Fraction(1)}, Event(ANYTHING))


def test_a_run_that_is_not_defined_is_no_region():
    @mechanism
    def of_nothing(q: Queries, eps: Epsilon, noise: Noise):
        eta = [noise.laplace(1 / eps) for q_i in q]
        return largest([a + b for a, b in zip(q, eta)], 2)

    values = {"q": (Fraction(0),), "eps": Fraction(1)}
    with pytest.raises(Undefined):
        _regions(of_nothing, values, Event(ANYTHING))
