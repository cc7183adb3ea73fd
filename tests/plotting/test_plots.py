"""The plots show what was computed: costs that add up, regions that fit the runs, an event where the attack has it."""

from __future__ import annotations

import pytest
from support.defining import define_in

from alignkit import BELOW, Mechanism, attack, check
from alignkit.attacking import Event, certify
from alignkit.cli import main
from alignkit.errors import InputError
from alignkit.mechanisms.laplace import laplace_mechanism
from alignkit.mechanisms.sparse_vector import sparse_vector
from alignkit.plotting import LossBracket, loss_bracket, plot_brackets, plot_costs, plot_densities, plot_plane
from alignkit.plotting.all_plots import plots_of
from alignkit.plotting.figures import svg
from alignkit.proofs.discrete_laplace import base2_phi
from alignkit.proofs.laplace import phi as laplace_phi
from alignkit.proofs.noisy_max import exponential_phi
from alignkit.proofs.noisy_max import phi as max_phi
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.proofs.sparse_vector_broken import short_shift_phi

GAP = {"q": [0, 3], "q_": [1, 2], "T": 1, "k": 1, "eps": 1, "H": {"eta": 0, "eta_i": [0, 1]}}


def test_the_costs_of_a_run_add_up_to_its_cost():
    (axes,) = plot_costs(gap_phi, **GAP).axes
    widths = [bar.get_width() for bar in axes.patches]
    assert sum(widths) == pytest.approx(float(gap_phi.replay(**GAP).cost))
    assert [bar.get_label() for bar in axes.containers] == ["eta: 0.5", "eta_i[1]: 0.5"]


def test_no_costs_are_drawn_of_a_run_without_shifts(tmp_path):
    source = """
    @mechanism
    def twice(q: Query, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        if q + e > 0:
            f = noise.laplace(1 / eps)
            return ABOVE
        return BELOW

    @alignment(twice, epsilon="2 * eps")
    def phi(q, q_, H):
        return H.shift(e=H.f)
    """
    with pytest.raises(InputError, match="gives no shifts for these inputs"):
        plot_costs(define_in(tmp_path, source).phi, q=-1, q_=0, eps=1, H={"e": 0})


def test_the_aligned_noise_of_each_arrow_falls_into_the_region_of_its_output():
    figure = plot_plane(max_phi, q=[0, 0], q_=[1, -1], eps=1, H={"eta": [0, 0]})
    one, other = figure.axes
    region = other.images[0].get_array()
    low, high, *_ = other.images[0].get_extent()
    numbers = {tuple(round(c, 3) for c in other.images[0].cmap(k)[:3]): k for k in range(2)}
    inside = 0
    for line in other.lines:
        (x,), (y,) = line.get_xdata(), line.get_ydata()
        if abs(x) < high and abs(y) < high:
            column, row = (int((c - low) / (high - low) * len(region)) for c in (x, y))
            from matplotlib.colors import to_rgb

            expected = numbers[tuple(round(c, 3) for c in to_rgb(line.get_color()))]
            inside += 1
            assert region[row][column] == expected
    assert inside > 20
    assert {text.get_text() for text in figure.legends[0].get_texts()} == {"0", "1"}


def test_a_plane_takes_two_noises():
    with pytest.raises(InputError, match=r"it draws eta, eta_i\[0\], eta_i\[1\]$"):
        plot_plane(gap_phi, axes=("eta",), **GAP)
    with pytest.raises(InputError, match=r"it draws eta\[0\]$"):
        plot_plane(laplace_phi, q=[0], q_=[1], delta=1, eps=1, H={"eta": [0]})


def test_the_density_of_a_number_has_the_event_of_the_attack():
    loss = attack(laplace_mechanism, effort=20)
    (axes,) = plot_densities(laplace_mechanism, loss, runs=5000).axes
    assert axes.get_ylabel() == "density"
    assert {text.get_text() for text in axes.get_legend().get_texts()} == {"D", "D′", "the event"}


def test_outputs_without_numbers_are_counted():
    loss = attack(sparse_vector, effort=20)
    (axes,) = plot_densities(sparse_vector, loss, runs=300).axes
    assert axes.get_ylabel() == "share of the runs"
    shares = [bar.get_height() for bars in axes.containers for bar in bars]
    assert sum(shares) == pytest.approx(2, abs=0.3)


LONG = """
@mechanism
def counts_of_two_tiers_with_a_name_that_is_as_long_as_a_name_may_be(q: Queries, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / (2 * eps))
    for q_i in q:
        if q_i + eta > 0:
            yield ABOVE
        else:
            yield BELOW
"""


def test_titles_and_labels_are_whole_and_within_the_figure(define):
    (leaks,) = [each for each in vars(define(LONG)).values() if isinstance(each, Mechanism)]
    event = Event((BELOW,) * 20)
    loss = certify(leaks, event=event, q=[0] * 20, q_=[1] * 20, eps=1)
    figure = plot_densities(leaks, loss, runs=50)
    figure.draw_without_rendering()
    (axes,) = figure.axes
    title = axes.title.get_text()
    assert f"the output is {event}" in title.replace("\n", " ")
    assert "(" + "BELOW, " * 19 + "BELOW)" in {text.get_text().replace("\n", " ") for text in axes.get_xticklabels()}
    for text in (axes.title, *axes.get_xticklabels()):
        box = text.get_window_extent()
        assert box.x0 >= -1
        assert box.y0 >= -1
        assert box.x1 <= figure.bbox.x1 + 1
        assert box.y1 <= figure.bbox.y1 + 1


def test_few_runs_are_counted_and_the_event_is_among_the_bars():
    loss = attack(laplace_mechanism, effort=20)
    (axes,) = plot_densities(laplace_mechanism, loss, runs=30).axes
    assert axes.get_ylabel() == "share of the runs"
    assert "the event" in {text.get_text() for text in axes.get_legend().get_texts()}


def test_the_axis_of_one_sided_noise_begins_at_0():
    q, q_ = [0, 0], [1, 1]
    figure = plot_plane(exponential_phi, q=q, q_=q_, eps=1, H={"eta": [1, 1]})
    for axes in figure.axes:
        assert axes.get_xlim() == axes.get_ylim() == (0, 4)
        assert list(axes.images[0].get_extent()) == [0, 4, 0, 4]


def test_costs_without_a_bound_are_at_least_that(tmp_path):
    source = """
    @mechanism
    def once(q: Query, eps: Epsilon, noise: Noise):
        g = noise.gumbel(1 / eps)
        return q + g

    @alignment(once, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(g=q - q_)
    """
    (axes,) = plot_costs(define_in(tmp_path, source).phi, q=0, q_=1, eps=1, H={"g": 5}).axes
    assert axes.get_xlabel() == "privacy loss of the shifts: at least -1 together"


def test_brackets_stand_at_what_was_certified_and_proved():
    proved, refuted = loss_bracket(laplace_phi), loss_bracket(short_shift_phi)
    assert proved.high == 1
    assert 0.9 < proved.low <= 1
    assert refuted.low > 0
    with pytest.raises(InputError, match="at least one bracket"):
        plot_brackets([])
    (axes,) = plot_brackets([proved, LossBracket("leaks", 1.5, None)]).axes
    assert [text.get_text() for text in axes.get_yticklabels()] == ["leaks", proved.name]


def test_both_ends_of_a_bracket_in_base_2_are_in_the_same_units():
    found = loss_bracket(base2_phi)
    assert found.high == pytest.approx(1)
    assert 0.9 < found.low <= found.high


def test_a_parameter_with_the_name_of_an_argument_is_refused(define):
    module = define("""
        @mechanism
        def m(q: Query, at: Real, eps: Epsilon, noise: Noise):
            e = noise.laplace(1 / eps)
            return q + e

        @alignment(m, epsilon="eps")
        def phi(q, q_, H):
            return H.shift(e=q_ - q)
    """)
    with pytest.raises(InputError, match="the parameter at of m has the name of an argument of the plots"):
        plot_costs(module.phi, q=0, q_=1, at=1, eps=1, H={"e": 0})
    assert plot_costs(module.phi)


def test_plots_are_the_same_each_time():
    assert svg(plot_costs(gap_phi, **GAP)) == svg(plot_costs(gap_phi, **GAP))


def test_a_refuted_alignment_is_drawn_at_its_counterexample():
    result = check(short_shift_phi, effort=0)
    names = [name for name, _ in plots_of(short_shift_phi, result)]
    assert names == ["costs", "plane"]


def test_the_command_writes_the_plots(tmp_path, capfd):
    folder = tmp_path / "figures"
    assert main(["explain", "laplace_mechanism", "--plots", str(folder), "-q"]) == 0
    written = sorted(file.name for file in folder.iterdir())
    assert written == [f"laplace_mechanism-phi-{name}.svg" for name in ("costs", "densities", "plane")]
    assert capfd.readouterr().out.count(".svg") == 3
    assert main(["explain", "laplace_mechanism", "--plots", str(folder), "--trace"]) == 2
