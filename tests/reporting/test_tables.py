"""A replayed trial, printed side by side."""

from __future__ import annotations

from fractions import Fraction

from alignkit import BELOW
from alignkit.proofs.noisy_max import phi
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.proofs.sparse_vector_broken import short_shift_phi
from alignkit.results import Witness
from alignkit.running.aligned_replay import PARTING, cost_against_claim, render, rows, show


def lines(replay: object) -> dict[str, str]:
    return {line.split()[0]: line for line in repr(replay).splitlines()}


def test_a_trial_that_holds() -> None:
    shown = lines(gap_phi.replay([-3, 5], [-4, 5], H={"eta": 0, "eta_i": [0, "1/3"]}, T=0, k=1, eps=1))
    assert shown["q[0]"].split() == ["q[0]", "-3", "-4"]
    assert shown["k"].split() == ["k", "1", "1"]
    assert shown["eta_i[0]"].split() == ["eta_i[0]", "0", "0"]
    assert shown["eta_i[1]"].endswith("shift +1")
    assert shown["output[0]"].split() == ["output[0]", "BELOW", "BELOW"]
    assert shown["cost"].strip() == "cost 3/4 <= claim 1 (eps)"
    assert "no condition fails" in shown["no"]


def test_a_trial_that_breaks_the_proof() -> None:
    replay = short_shift_phi.replay([0], [-1], H={"eta": 0, "eta_i": [1]}, T=0, k=1, eps=1)
    shown = lines(replay)
    assert shown["output[0]"].endswith(PARTING)
    assert "same output: output[0] is 1 on D and 0 on D'" in repr(replay)
    assert "sparse_vector.py:" in repr(replay)


def test_an_output_that_is_no_sequence() -> None:
    shown = lines(phi.replay([0, 5], [-1, 5], H={"eta": [0, 1]}, eps="1/3"))
    assert shown["output"].split() == ["output", "1", "1"]


def test_a_run_on_the_other_database_that_does_not_come_about() -> None:
    found = rows(Witness({}, {"q": (1,)}, {"q": (0,)}, {"e": 2}), omega=(1,), omega_=None)
    assert [(r.label, r.one, r.other, r.note) for r in found] == [
        ("q[0]", "1", "0", ""),
        ("e", "2", "-", ""),
        ("output[0]", "1", "-", ""),
    ]


def test_a_shorter_output_parts_where_it_ends() -> None:
    found = rows(Witness({}, {}, {}), omega=(BELOW, 1), omega_=(BELOW,))
    assert [r.note for r in found] == ["", PARTING]


def test_long_families_are_cut_but_the_parting_stays() -> None:
    one, other = (0,) * 500, (0,) * 300 + (1,) + (0,) * 199
    found = rows(Witness({}, {"q": one}, {"q": one}), omega=one, omega_=other)
    assert len(found) < 60
    assert [r.label for r in found if r.note] == ["output[300]"]
    assert any("more" in r.label for r in found)


def test_columns_stand_under_one_another() -> None:
    found = rows(Witness({}, {"q": (1000,)}, {"q": (-5,)}), omega=(1,), omega_=(1,))
    heading, *body = render(found)
    assert {len(line) for line in body} == {len(heading)}


def test_numbers_for_people() -> None:
    assert show(Fraction(1, 3)) == "1/3"
    assert show(Fraction(10**30, 3)) == "~3.33333e+29"
    assert show(10**400).endswith("...")
    assert show(0.1) == "0.1"
    assert show({2, 0}) == "{0, 2}"
    assert show((BELOW, (1, 2))) == "(BELOW, (1, 2))"
    assert cost_against_claim(None, 1, "eps") == "cost: not reached; claim 1 (eps)"
    assert cost_against_claim(0.1 + 0.2, 0.3) == "cost 0.3 <= claim 0.3"
    assert cost_against_claim(2, 1, "1") == "cost 2 > claim 1"
