"""Notes on what an alignment asks of outputs, beside what its mechanism puts out."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.defining import define_in

from alignkit import check
from alignkit.errors import LanguageError
from alignkit.proving.words.outputs_read import notes_on_outputs

WINDOW = """
HIGH, LOW, INSIDE = Tag("HIGH"), Tag("LOW"), Tag("INSIDE")

@mechanism
def window(q: Queries, lo: Real, hi: Real, eps: Epsilon, noise: Noise):
    z = noise.laplace(2 / eps)
    for q_i in q:
        e = noise.laplace(4 / eps)
        if q_i + e - z >= hi:
            {high}
            break
        elif q_i + e + z <= lo:
            yield (LOW, lo - q_i - e - z)
            break
        else:
            yield INSIDE

@alignment(window, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(
        z=1,
        e=[0 if w is INSIDE else (q[i] - q_[i] + 1 if {test} else q[i] - q_[i] - 1) for i, w in enumerate(omega)],
    )
"""


def window(folder: Path, test: str, high: str = "yield (HIGH, q_i + e - z)"):
    return define_in(folder, WINDOW.format(test=test, high=high)).phi


def test_a_test_that_is_never_true_is_noted(tmp_path: Path) -> None:
    result = check(window(tmp_path, "w is HIGH"), effort=0)
    assert result.verdict == "refuted"
    [note] = result.notes
    assert "`w is HIGH` is never true: HIGH is the first part of what is put out at line " in note
    assert note.endswith(": ask for `w[0]` of a tuple")
    [note] = notes_on_outputs(window(tmp_path, "w is not HIGH"))
    assert "`w is not HIGH` is always true" in note
    [note] = notes_on_outputs(window(tmp_path, "w is ABOVE"))
    assert note.endswith("`w is ABOVE` is never true: window does not put out ABOVE")


@pytest.mark.parametrize(
    ("test", "high"),
    [
        ("w[0] is HIGH", "yield (HIGH, q_i + e - z)"),
        ("w is HIGH", "yield HIGH"),
        ("w is HIGH", "yield HIGH if q_i > 0 else INSIDE"),
        ("w is HIGH", "mark = HIGH\n            yield mark"),
        ("w is HIGH", "yield marked(q_i)"),
        ("len([w for w in omega if w is INSIDE]) > 0", "yield (HIGH, q_i + e - z)"),
    ],
)
def test_nothing_is_noted_where_a_test_may_come_out_either_way(tmp_path: Path, test: str, high: str) -> None:
    helper = "def marked(x):\n    return HIGH if x > 0 else INSIDE\n\n@mechanism"
    text = WINDOW.format(test=test, high=high).replace("@mechanism", helper, 1)
    assert notes_on_outputs(define_in(tmp_path, text).phi) == ()


TOTALS = """
@mechanism
def totals(q: Queries, eps: Epsilon, noise: Noise):
    {start}
    for q_i in q:
        e = noise.laplace(1 / eps)
        {step}
        yield BELOW
    yield {end}

@alignment(totals, epsilon="eps", adjacency="one")
def phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i, w in enumerate({outputs})])
"""


def totals(folder: Path, start: str, step: str, end: str, outputs: str):
    return define_in(folder, TOTALS.format(start=start, step=step, end=end, outputs=outputs)).phi


def test_outputs_after_the_loop_are_named_where_an_index_is_out_of_range(tmp_path: Path) -> None:
    result = check(totals(tmp_path, "total = 0", "total += q_i + e", "total", "omega"), effort=0)
    assert result.verdict == "refuted"
    assert "index 1 is out of range for 1 items of `q`" in result.counterexample.words
    [note] = result.notes
    assert note.startswith("what is put out after the loop, at line ")
    assert note.endswith("is in `omega` too; the outputs before it are `omega[:-1]`")
    right = totals(tmp_path, "total = 0", "total += q_i + e", "total", "omega[:-1]")
    assert check(right, effort=0).proved


def test_a_sum_of_a_growing_list_is_to_be_added_up_in_the_loop(tmp_path: Path) -> None:
    grown = totals(tmp_path, "found = []", "found = [*found, q_i + e]", "sum(found)", "omega[:-1]")
    result = check(grown, effort=0)
    assert result.verdict == "undecided"
    words = "write instead: add it up in the loop: `total += q_i + e` in place of sum(found)"
    assert words in result.notes


def test_where_tuples_and_numbers_are_put_out_the_error_says_so(tmp_path: Path) -> None:
    phi = define_in(tmp_path, """
        @mechanism
        def mixed(q: Queries, eps: Epsilon, noise: Noise):
            for q_i in q:
                e = noise.laplace(1 / eps)
                if q_i + e >= 0:
                    yield (ABOVE, q_i + e)
                else:
                    yield q_i + e

        @alignment(mixed, epsilon="eps", adjacency="one")
        def phi(q, q_, omega, H):
            return H.shift(e=[q[i] - q_[i] if w[0] is ABOVE else q[i] - q_[i] for i, w in enumerate(omega)])
    """).phi
    with pytest.raises(LanguageError, match="mixed puts out a tuple at line 8, a number at line 10: put out tuples"):
        check(phi, effort=0)
