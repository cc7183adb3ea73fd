"""The page in a real browser: what a reader moves, types, presses and sees."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from support.defining import define_in

from alignkit.catalogue import find_alignments
from alignkit.cli import main
from alignkit.errors import InputError
from alignkit.explaining.explanation import explain
from alignkit.explorer.breaking import broken_variants
from alignkit.explorer.example_runs import first_example
from alignkit.explorer.page import LARGEST, explorer_page, page_of
from alignkit.proofs.noisy_max import phi as max_phi
from alignkit.proofs.noisy_max_broken import half_the_noise_phi
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.proofs.sparse_vector_broken import short_shift_phi
from alignkit.proofs.thresholded_keys import google_count_mended_phi, google_large_delta_phi_as_claimed
from alignkit.results import Verdict
from alignkit.running.alignment_decorator import Alignment

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

no_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed in which the page could be opened")


def in_browser(test: Any) -> Any:
    """A test that needs a browser, which takes its time."""
    return pytest.mark.slow(no_browser(test))


FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]

UNDECIDED = """
@mechanism
def scaled(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(exp(T) * exp(-T) / eps)
        yield q_i + e

@alignment(scaled, epsilon="eps", adjacency="l1")
def phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
"""


COLLIDING = """
@mechanism
def flat(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if e >= 0:
        yield ABOVE
    else:
        yield BELOW

@alignment(flat, epsilon="eps", expect="refuted")
def phi(q, q_, H):
    return H.shift(e=clamp(1 - H.e, -1, 1) if H.e >= 0 else 0)
"""

SCOPED = """
@mechanism
def scoped(
    q: Annotated[Queries, Sensitivity("delta"), Lattice("gamma")],
    T: Real, p: Proportion, k: Count, delta: Positive, gamma: Positive, eps: Epsilon, noise: Noise,
):
    total = 0
    for i in range(k):
        for j in range(k * k):
            total += 1
    for a_rather_long_name in q:
        noise_with_a_long_name = noise.laplace(len(q) * delta / eps)
        yield (a_rather_long_name + noise_with_a_long_name) / T

@alignment(scoped, epsilon="eps")
def phi(q, q_, H):
    return H.shift(noise_with_a_long_name=[q[i] - q_[i] for i in range(len(q))])
"""

SHIFTED_DOWN = """
@mechanism
def once(q: Query, T: Real, eps: Epsilon, noise: Noise):
    g = noise.gumbel(1 / eps)
    if q + g > T:
        yield ABOVE
    else:
        yield BELOW

@alignment(once, epsilon="eps", expect="refuted")
def phi(q, q_, H):
    return H.shift(g=q - q_)
"""

KINDS = """
@mechanism
def drawn(q: Query, eps: Epsilon, noise: Noise):
    e = noise.NOISE
    return BELOW

@alignment(drawn, epsilon="eps", expect="undecided")
def phi(H):
    return H.shift(e=SHIFT)
"""

TWICE = """
@mechanism
def in_cases(q: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q + e if T > 0 else q + e

@alignment(in_cases, epsilon="eps")
def phi(q, q_, T, H):
    return H.shift(e=q - q_ if T > 0 else q - q_)
"""


@pytest.fixture(scope="module")
def gap_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("pages") / "gap.html"
    file.write_text(explorer_page(gap_phi).text, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright, which drives the browser, is missing")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


class Reader:
    """A reader at an open page; ``asked`` holds what the page requested, ``wrong`` the errors of its scripts."""

    def __init__(self, browser: Any, file: Path, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1100, "height": 900}, **options})
        self.page = self.context.new_page()
        self.asked: list[str] = []
        self.wrong: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.goto(file.as_uri())

    def type(self, label: str, text: str) -> None:
        self.page.get_by_label(label, exact=True).fill(text)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def slide(self, label: str, to: float) -> None:
        slider = self.page.get_by_label(f"{label}, by slider", exact=True)
        slider.evaluate("(range, to) => { range.value = to; range.dispatchEvent(new Event('input')); }", to)

    def box(self, label: str) -> str:
        return str(self.page.get_by_label(label, exact=True).input_value())

    def disabled(self, name: str) -> bool:
        button = self.page.get_by_role("button", name=name, exact=True)
        return bool(button.get_attribute("aria-disabled") == "true")

    def drag(self, dot: Any, *, right: float = 0, up: float = 0) -> None:
        """Take a point of a picture and let it go some pixels away."""
        dot.scroll_into_view_if_needed()
        box = dot.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + right, y - up, steps=5)
        self.frame()
        mouse.up()
        self.frame()

    def frame(self) -> None:
        """Wait until the page has drawn what was given last."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    @property
    def colour(self) -> str:
        """Of the verdict: good, fails, or an empty text for neutral."""
        self.frame()
        return str(self.page.locator("#verdict").get_attribute("class")).removeprefix("verdict").strip()

    @property
    def verdict(self) -> str:
        self.frame()
        return str(self.page.locator("#verdict").inner_text())

    def column(self, table: str, number: int) -> list[str]:
        self.frame()
        return list(self.page.locator(f"#{table} tr > :nth-child({number})").all_inner_texts())


@pytest.fixture
def reader(browser: Any, gap_page: Path) -> Iterator[Reader]:
    opened = Reader(browser, gap_page)
    yield opened
    assert opened.wrong == []
    opened.context.close()


@in_browser
def test_the_page_needs_no_network_and_no_other_file(reader, gap_page):
    assert reader.asked == [gap_page.as_uri()]
    assert not re.findall(r"(?:src|href)=\"[^#\"]", gap_page.read_text(encoding="utf-8"))


@in_browser
def test_what_is_typed_gives_what_python_gives(reader):
    while reader.page.get_by_label("q[2]", exact=True).count() == 0:
        reader.press("One answer more")
    for label, text in {"T": "1", "k": "1", "eps": "1", "q[0]": "0", "q[1]": "3", "q[2]": "0"}.items():
        reader.type(label, text)
    for label, text in {"change of q[0]": "1", "change of q[1]": "-1/2", "change of q[2]": "0"}.items():
        reader.type(label, text)
    for label, text in {"eta": "1/4", "eta_i[0]": "-1", "eta_i[1]": "0.5"}.items():
        reader.type(label, text)
    half = Fraction(1, 2)
    noise = {"eta": Fraction(1, 4), "eta_i": [-1, half]}
    replay = gap_phi.replay(q=[0, 3, 0], q_=[1, Fraction(5, 2), 0], T=1, k=1, eps=1, H=noise)
    assert replay.violation is None
    assert reader.column("output", 2) == ["BELOW", str(float(replay.output[1]))] == reader.column("output", 3)
    assert f"cost {float(replay.cost)}," in reader.verdict
    assert reader.column("costs", 1) == ["eta", "eta_i[1]"]
    assert reader.column("costs", 3) == ["50 %", "38 %"]


@in_browser
def test_a_slider_moves_the_noise_and_the_arrow(reader):
    before = reader.page.get_by_label("eta", exact=True).input_value()
    slider = reader.page.get_by_label("eta, by slider", exact=True)
    slider.focus()
    for _ in range(3):
        reader.page.keyboard.press("ArrowRight")
    now = reader.page.get_by_label("eta", exact=True).input_value()
    assert Fraction(now) == Fraction(before) + Fraction(3, 4)
    picture = reader.page.locator("#arrows svg").get_attribute("aria-label")
    assert f"eta from {now} to {float(Fraction(now) + 1):g}" in picture


@in_browser
def test_the_dot_of_a_draw_is_dragged_and_moved_by_keys(reader):
    reader.type("eta", "0.25")
    dot = reader.page.get_by_role("slider", name="eta, in the picture", exact=True)
    dot.focus()
    reader.page.keyboard.press("ArrowRight")
    assert reader.box("eta") == "0.3"
    reader.page.keyboard.press("PageDown")
    assert reader.box("eta") == "-0.7"
    reader.frame()
    assert dot.get_attribute("aria-valuetext") == "-0.7, moved to 0.3"
    assert dot.evaluate("dot => dot === document.activeElement")
    reader.drag(dot, right=40)
    assert Fraction(reader.box("eta")) > Fraction("-0.7")
    assert (Fraction(reader.box("eta")) * 10).denominator == 1
    assert f"eta from {reader.box('eta')} to " in reader.page.locator("#arrows svg").get_attribute("aria-label")


@in_browser
def test_noisy_answers_and_the_threshold_are_dragged_and_both_runs_follow(reader):
    for label, text in {"T": "0", "k": "1", "eps": "1", "q[0]": "0", "q[1]": "3", "change of q[0]": "1"}.items():
        reader.type(label, text)
    for label, text in {"change of q[1]": "0", "eta": "1", "eta_i[0]": "-2", "eta_i[1]": "0"}.items():
        reader.type(label, text)
    reader.frame()
    picture = reader.page.locator("#picture-0 svg")
    assert picture.get_attribute("aria-label") == (
        "D on H. q[0]: noisy answer -2, threshold 1, output BELOW; q[1]: noisy answer 3, threshold 1, output 2. "
        "D′ on H′: the same outputs. q[0]: noisy answer -1, threshold 2, output BELOW; "
        "q[1]: noisy answer 4, threshold 2, output 2."
    )
    dot = reader.page.get_by_role("slider", name="noisy q[0]", exact=True)
    assert dot.get_attribute("aria-valuetext") == "eta_i[0] -2, noisy answer -2, threshold 1, output BELOW"
    reader.drag(dot, up=2000)
    assert "q[1]: noisy" not in picture.get_attribute("aria-label")
    moved = Fraction(reader.box("eta_i[0]"))
    assert moved > 1
    assert (10 * moved).denominator == 1
    assert reader.column("output", 2) == [f"{float(moved - 1):g}"] == reader.column("output", 3)
    threshold = reader.page.get_by_role("slider", name="threshold", exact=True)
    threshold.focus()
    reader.page.keyboard.press("PageDown")
    assert reader.box("eta") == "0"
    reader.drag(threshold, up=-10)
    assert Fraction(reader.box("eta")) < 0
    assert reader.colour == "good"


@in_browser
def test_a_finger_drags_a_dot_and_does_not_scroll(browser, gap_page):
    reader = Reader(browser, gap_page, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    dot = reader.page.get_by_role("slider", name="noisy q[0]", exact=True)
    dot.scroll_into_view_if_needed()
    box = dot.bounding_box()
    before, at = Fraction(reader.box("eta_i[0]")), reader.page.evaluate("scrollY")
    fingers = reader.context.new_cdp_session(reader.page)
    for kind, up in (("touchStart", 0), *(("touchMove", 5 * i) for i in range(1, 9)), ("touchEnd", None)):
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2 - (up or 0)}
        points = [] if up is None else [point]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        reader.frame()
    assert Fraction(reader.box("eta_i[0]")) > before + 1
    assert reader.page.evaluate("scrollY") == at
    reader.context.close()


@in_browser
def test_the_density_of_the_noise_in_hand_is_shown_with_what_its_shift_costs(reader):
    for label, text in {"T": "0", "k": "1", "eps": "1", "q[0]": "0", "q[1]": "3", "change of q[0]": "1"}.items():
        reader.type(label, text)
    for label, text in {"change of q[1]": "0", "eta": "1", "eta_i[0]": "-2", "eta_i[1]": "0"}.items():
        reader.type(label, text)

    def words() -> str:
        reader.frame()
        return str(reader.page.locator("#in-hand-words").inner_text())

    assert words().startswith("eta_i[1] is Laplace noise with scale 4, and is moved from 0 to 1.")
    reader.page.get_by_role("slider", name="threshold", exact=True).focus()
    assert words() == (
        "eta is Laplace noise with scale 2, and is moved from 1 to 2. Its density at 1 is about 1.65 times that at 2. "
        "Wherever both are possible, this ratio is at most e^(0.5), about 1.65, since the shift costs 0.5."
    )
    assert reader.page.locator("#density path.density").count() == 2
    dot = reader.page.get_by_role("slider", name="eta, under its density", exact=True)
    dot.focus()
    reader.page.keyboard.press("PageDown")
    reader.page.keyboard.press("PageDown")
    assert reader.box("eta") == "-1"
    assert "Its density at -1 is about 0.607 times that at 0." in words()
    assert dot.evaluate("dot => dot === document.activeElement")
    reader.drag(dot, right=30)
    assert Fraction(reader.box("eta")) > -1
    reader.page.get_by_label("eta_i[0]", exact=True).focus()
    assert words() == "eta_i[0] is Laplace noise with scale 4. It is not moved, which costs nothing."
    assert reader.page.locator("#density path.density").count() == 1
    assert reader.page.locator("#density").evaluate("box => box.scrollWidth <= box.clientWidth")


@in_browser
@pytest.mark.parametrize(
    ("noise", "shift", "words"),
    [
        ("laplace(1, within=9)", "1", "this ratio is at most e^(1), about 2.72"),
        ("staircase(1, gamma=1 / 2, period=1)", "1", "this ratio is at most e^(1), about 2.72"),
        ("discrete_laplace(1)", "1", "Its probability at 0 is about 2.72 times that at 1."),
        ("discrete_laplace(100, 1 / 2)", "1", "this ratio is at most e^(0.01), about 1.01"),
        ("exponential(1)", "-1", "where its density is 0."),
        ("gumbel(1)", "-1", "For noise that is moved down, this ratio has no bound."),
        ("uniform(-5, 5)", "1", "this ratio is at most e^(0), 1, since the shift costs 0"),
        ("choice([1, 2])", "1", ""),
    ],
)
def test_densities_are_those_of_the_kind_of_noise(browser, tmp_path, noise, shift, words):
    reader = opened(browser, tmp_path, KINDS.replace("NOISE", noise).replace("SHIFT", shift))
    reader.type("e", "0")
    reader.frame()
    assert reader.page.locator("#in-hand").is_visible() is bool(words)
    assert words in reader.page.locator("#in-hand-words").inner_text()
    drawn = reader.page.locator("#density path").evaluate_all("all => all.map((path) => path.getAttribute('d')).join()")
    assert "NaN" not in drawn
    assert reader.wrong == []
    reader.context.close()


@in_browser
def test_where_outputs_differ_words_and_colour_say_so(reader):
    reader.press("Shift eta by 1 less")
    reader.frame()
    assert ": differs at q[" in reader.page.locator("#picture-0 .title.differs").text_content()
    assert reader.page.locator("#picture-0 .differs").last.text_content().startswith("≠ ")


@in_browser
def test_what_is_chosen_of_a_list_is_marked(browser, tmp_path):
    file = tmp_path / "page.html"
    file.write_text(explorer_page(max_phi, variants=False).text, encoding="utf-8")
    reader = Reader(browser, file)
    while reader.page.get_by_label("q[2]", exact=True).count() == 0:
        reader.press("One answer more")
    for label, text in {"q[0]": "0", "q[1]": "2", "q[2]": "1", "eta[0]": "0", "eta[1]": "0", "eta[2]": "0"}.items():
        reader.type(label, text)
    reader.frame()

    def marks() -> list[str]:
        return list(reader.page.locator("#picture-0 .output").all_text_contents())[:3]

    assert marks() == ["-", "no. 1", "next"]
    assert reader.page.locator("#picture-0 .won .dot, #picture-0 .dot.won").count() == 2
    assert "won" in reader.page.get_by_role("slider", name="noisy q[1]", exact=True).get_attribute("class")
    reader.page.get_by_role("slider", name="noisy q[0]", exact=True).focus()
    for _ in range(3):
        reader.page.keyboard.press("PageUp")
    reader.frame()
    assert marks() == ["no. 1", "next", "-"]
    assert reader.page.locator("#picture-0 .stem").count() == 6
    assert reader.wrong == []
    reader.context.close()


def top_of(reader: Reader, part: str) -> float:
    return float(reader.page.locator(part).bounding_box()["y"])


@in_browser
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_a_button_and_what_it_does_are_on_screen_together(browser, gap_page, width, height):
    reader = Reader(browser, gap_page, viewport={"width": width, "height": height})
    at_once = reader.page.locator("#at-once")
    before = at_once.inner_text()
    assert re.fullmatch(r"D: (.+) \| D′: \1 \| cost .+, claim .+", before)
    reader.press("Shift eta by 1 less")
    reader.frame()
    assert reader.page.evaluate("scrollY") == 0
    assert at_once.locator("mark").count() == 2
    assert at_once.inner_text() != before
    tops = [top_of(reader, part) for part in ("#at-once", "#break-it", "#pictures", "#public")]
    assert tops == sorted(tops)
    if width == 1280:
        assert top_of(reader, "#picture-0") < height - 150
    reader.page.locator("#public").scroll_into_view_if_needed()
    reader.page.evaluate("scrollBy(0, 600)")
    assert 0 <= top_of(reader, "#verdict") < 100
    reader.context.close()


@in_browser
def test_of_many_outputs_the_banner_has_those_about_the_first_that_differs(reader):
    while not reader.disabled("One answer more"):
        reader.press("One answer more")
    for i in range(12):
        reader.type(f"eta_i[{i}]", "-9")
    assert reader.page.locator("#at-once").inner_text().startswith(f"D: {'BELOW, ' * 6}… | D′: {'BELOW, ' * 6}… | cost")


@in_browser
def test_every_break_leads_to_a_counterexample_that_can_be_stepped_through(reader):
    buttons = reader.page.locator("#variants button").all_inner_texts()
    assert buttons[0] == "As it is"
    assert any("half the scale" in text for text in buttons)
    assert any(text.startswith("Leave out the break") for text in buttons)
    assert any(text.endswith("by 1 less") for text in buttons)
    assert "fails" not in reader.verdict
    assert "Claim half as much" in buttons
    tried = reader.page.locator("#tried").inner_text()
    assert int(re.search(r"(\d+) changes were tried", tried)[1]) >= len(buttons) - 1 >= 2
    for text in buttons[1:]:
        reader.press(text)
        assert "fails" in reader.verdict
        assert reader.colour == "fails"
        assert "changed variant" in reader.page.locator("#above").inner_text()
        change = "The claim becomes eps / 2" if text == "Claim half as much" else "The changed line is marked"
        assert reader.page.locator("#variant").inner_text() == f"{change}; the inputs are a counterexample."
        assert reader.page.locator(".line.changed").count() == (0 if text == "Claim half as much" else 1)
    reader.press("Shift eta by 1 less")
    reader.press("Where they part")
    assert "the runs part at step" in reader.page.locator("#step-count").inner_text()
    assert reader.page.locator("#steps tr.parts").count() == 1
    reader.press("One step back")
    assert reader.page.locator("#steps tr.parts").count() == 0
    reader.press("As it is")
    assert not reader.page.locator("#variant").is_visible()
    assert "fails" not in reader.verdict
    assert reader.colour == "good"
    assert "alignkit has proved" in reader.page.locator("#above").inner_text()


SHIFTED = """
@mechanism
def twice(q: Query, r: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(2 / eps)
    f = noise.laplace(2 / eps)
    yield ABOVE if q + e >= 0 else BELOW
    yield r + f

@alignment(twice, epsilon="eps")
def phi(q, q_, r, r_, H):
    return H.shift(
        e=q - q_,
        f=r - r_,
    )
"""


@in_browser
def test_a_break_keeps_the_inputs_that_refute_it_and_else_the_page_comes_back_to_them(browser, tmp_path):
    file = tmp_path / "page.html"
    file.write_text(explorer_page(define_in(tmp_path, SHIFTED).phi).text, encoding="utf-8")
    reader = Reader(browser, file)
    mine = {"q": "0.3", "change of q": "0.5", "r": "7", "change of r": "0", "e": "-0.2", "f": "0.1"}
    for label, text in mine.items():
        reader.type(label, text)

    def inputs() -> dict[str, str]:
        return {label: reader.box(label) for label in mine}

    reader.press("Shift e by 1 less")
    assert reader.verdict.startswith("same output fails: output[0] is ABOVE on D and BELOW on D′")
    assert inputs() == mine
    reader.type("e", "5")
    assert reader.page.locator("#variant").inner_text() == "The changed line is marked."
    reader.type("e", mine["e"])
    reader.press("Claim half as much")
    assert reader.colour == "fails"
    assert inputs() != mine
    reader.type("r", "1")
    reader.press("As it is")
    assert reader.colour == "good"
    assert inputs() == mine
    for number in ("-0.7", "-0.3"):  # at -0.3, where q + e is 0, the outputs differ on a tie alone
        reader.type("e", number)
        moved = {**mine, "e": number}
        assert inputs() == moved
        reader.press("Shift e by 1 less")
        assert inputs() != moved
        reader.press("As it is")
        assert inputs() == moved
    assert reader.wrong == []
    reader.context.close()


@in_browser
def test_a_button_that_is_pressed_already_goes_to_its_own_inputs(reader):
    first = reader.box("q[0]")
    reader.press("Claim half as much")
    reader.type("q[0]", "0.123")
    reader.press("Claim half as much")
    assert reader.box("q[0]") != "0.123"
    assert reader.colour == "fails"
    reader.press("As it is")
    reader.type("q[0]", "0.123")
    reader.press("As it is")
    assert reader.box("q[0]") == first


@in_browser
def test_no_line_of_source_is_cut_and_steps_are_indented_as_written(browser, gap_page):
    reader = Reader(browser, gap_page, viewport={"width": 390, "height": 844})
    for program in ("alignment", "mechanism"):
        assert reader.page.locator(f"#{program}").evaluate("box => box.scrollWidth <= box.clientWidth")
    code = reader.page.locator("#steps code").all_text_contents()
    assert code[0].startswith("eps0, eps1 = ")
    assert "    gap = q_i + eta_i - (T + eta)" in code
    assert "        yield gap" in code
    reader.context.close()


@in_browser
def test_wrong_input_is_explained_and_keeps_the_last_runs(reader):
    before = reader.column("output", 2)
    for label, text, words in (
        ("eps", "0", "eps: it must be above 0"),
        ("k", "1/2", "k: it must be a whole number, at least 1"),
        ("q[0]", "nan", "q[0]: write a number such as 3, 0.7 or 1/3"),
        ("change of q[0]", "2", "change of q[0]: it may be at most 1"),
        ("T", "1/0", "T: write a number such as 3, 0.7 or 1/3"),
    ):
        reader.type(label, text)
        assert words in reader.page.locator("#input-problem").inner_text()
        assert reader.page.get_by_label(label, exact=True).get_attribute("aria-invalid") == "true"
        assert reader.column("output", 2) == before


@in_browser
def test_answers_come_and_go(reader):
    def answers() -> int:
        return int(reader.page.get_by_label(re.compile(r"^q\[\d\]$")).count())

    before = answers()
    reader.press("One answer more")
    assert answers() == before + 1
    for _ in range(before):
        reader.press("One answer less")
    assert answers() == 1
    assert reader.disabled("One answer less")
    reader.press("One answer more")
    reader.page.get_by_role("button", name="One answer less").focus()
    reader.page.keyboard.press("Enter")
    assert reader.disabled("One answer less")
    assert reader.page.evaluate("document.activeElement.id") == "fewer"


@in_browser
def test_fresh_noise_keeps_the_proof(reader):
    for _ in range(20):
        reader.press("Draw new noise")
        assert reader.verdict.startswith("D′ gives the same output")


@in_browser
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1100, "light")])
def test_the_page_is_accessible_and_fits(browser, gap_page, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    reader = Reader(browser, gap_page, viewport={"width": width, "height": 844}, color_scheme=scheme)
    reader.press("Shift eta by 1 less")
    found = axe.Axe().run(reader.page)
    assert found.violations_count == 0, found.generate_report()
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 390:
        assert reader.page.locator(".sticky").bounding_box()["height"] <= 0.3 * 844
    reader.context.close()


@in_browser
def test_without_scripts_the_written_proof_is_there(browser, gap_page):
    reader = Reader(browser, gap_page, java_script_enabled=False)
    assert not reader.page.locator("#explorer").is_visible()
    assert "needs JavaScript" in reader.page.locator("noscript").inner_text()
    assert "Theorem." in reader.page.locator("#proof").inner_text()
    reader.context.close()


def opened(browser: Any, folder: Path, source: str, **options: Any) -> Reader:
    """A reader at the page of an alignment `phi` of a source."""
    file = folder / "page.html"
    file.write_text(explorer_page(define_in(folder, source).phi, variants=False).text, encoding="utf-8")
    return Reader(browser, file, **options)


@in_browser
def test_a_page_on_two_noise_vectors_shows_both(browser, tmp_path):
    reader = opened(browser, tmp_path, COLLIDING)
    assert reader.page.locator("#variant").is_visible()
    words = reader.page.locator("#variant").inner_text()
    assert re.search(r"two noise vectors are moved to one place: e = \S+ and e = \S+ both go to e = ", words, re.I)
    assert reader.verdict.startswith("one to one fails: Two noise vectors are moved to one place")
    assert reader.colour == "fails"
    reader.type("e", "-1")
    assert reader.verdict.startswith("no condition fails on this pair of runs")
    assert reader.colour == ""
    reader.context.close()


@in_browser
def test_what_is_outside_the_claim_is_not_judged(browser, tmp_path):
    reader = opened(browser, tmp_path, SCOPED)
    for label, text in {"T": "1", "k": "1", "eps": "1", "gamma": "1/2", "delta": "1", "p": "1/3"}.items():
        reader.type(label, text)
    for label, text in {"q[0]": "1", "change of q[0]": "1"}.items():
        reader.type(label, text)
    assert reader.colour == "good"
    for label, wrong, words, right in (
        ("gamma", "2", "q[0] is no multiple of gamma", "1/2"),
        ("delta", "1/2", "q[0] changes by 1, more than the sensitivity 0.5", "1"),
        ("T", "0", "D has no output: division by zero", "1"),
    ):
        reader.type(label, wrong)
        assert reader.verdict.startswith(f"outside the claim: {words}")
        assert reader.colour == ""
        assert reader.column("costs", 1) == []
        reader.type(label, right)
        assert reader.colour == "good"
    reader.type("k", "30")
    assert "steps before these are not drawn" in reader.page.locator("#steps").inner_text()
    assert reader.page.locator("#steps tr").count() <= 201
    reader.type("k", "50")
    assert reader.verdict == "the run is too long for this page"
    assert reader.colour == ""
    assert reader.column("steps", 1) == []
    assert reader.wrong == []
    reader.context.close()


@in_browser
def test_sliders_give_exact_numbers_and_boxes_keep_what_is_wrong(browser, tmp_path):
    reader = opened(browser, tmp_path, SCOPED, viewport={"width": 390, "height": 844})
    reader.type("k", "1")
    reader.slide("p", 0.15)
    assert reader.box("p") == "0.15"
    for label, text in {"gamma": "1/3", "delta": "2", "change of q[0]": "0", "q[0]": "2/3"}.items():
        reader.type(label, text)
    for number in range(-6, 7):
        reader.slide("q[0]", number / 4)
        assert (Fraction(reader.box("q[0]")) * 3).denominator == 1
    reader.slide("change of q[0]", 5)
    assert reader.box("change of q[0]") == "2"
    assert reader.page.locator("#input-problem").inner_text() == ""
    reader.type("eps", "abc")
    reader.type("T", "1/7")
    assert "eps: write a number" in reader.page.locator("#input-problem").inner_text()
    assert reader.box("eps") == "abc"
    reader.type("eps", "1")
    assert reader.page.locator("#input-problem").inner_text() == ""
    reader.type("noise_with_a_long_name[0]", "1234/4567")
    assert reader.box("T") == "1/7"
    assert any(text.startswith("≈") for text in reader.column("output", 2))
    boxes = [each.bounding_box() for each in reader.page.locator("#arrows .tick").all()]
    boxes.sort(key=lambda box: box["x"])
    assert all(one["x"] + one["width"] <= other["x"] for one, other in pairwise(boxes))
    name, axis = (reader.page.locator(f"#arrows .{kind}").first.bounding_box() for kind in ("name", "axis"))
    assert name["x"] + name["width"] <= axis["x"]
    assert "noise_with_a_long_name" in reader.page.locator("#arrows .name title").first.text_content()
    assert reader.wrong == []
    reader.context.close()


@in_browser
def test_noise_that_is_shifted_down_costs_at_least_something(browser, tmp_path):
    reader = opened(browser, tmp_path, SHIFTED_DOWN)
    assert "cost at least" in reader.verdict
    assert reader.colour == "fails"
    reader.type("g", "5")
    assert reader.colour == ""
    assert reader.page.locator("#total").inner_text().startswith("Together at least -")
    reader.context.close()


LIMITED = """
@mechanism
def key(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return BELOW

@alignment(key, epsilon="eps", delta="exp(-eps * (tau - 1)) / 2")
def phi(q, q_, H, tau):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)
"""


@in_browser
def test_limits_stand_on_the_axis_and_where_one_is_broken_nothing_is_owed(browser, tmp_path):
    reader = opened(browser, tmp_path, LIMITED)
    assert reader.page.locator("h1").inner_text() == "key / phi: (eps, exp(-eps * (tau - 1)) / 2)-differential privacy"
    for label, text in {"tau": "3", "q": "1", "change of q": "-1", "x": "1"}.items():
        reader.type(label, text)
    assert reader.colour == "good"
    assert reader.verdict.startswith("No draw breaks its limit, D′ gives the same output")
    assert reader.page.locator("#arrows .limit").count() == 1
    assert reader.page.locator("#arrows svg").get_attribute("aria-label") == "arrows: x from 1 to 1, below 2"
    reader.type("x", "2")
    assert reader.verdict == (
        "outside the limits: x is 2, not below its limit 2; the alignment owes nothing here, and delta pays"
    )
    assert reader.colour == ""
    assert reader.page.locator("#arrows .broken").count() == 1
    reader.context.close()


def test_a_claim_with_delta_has_a_page_and_variants_with_its_delta():
    page = explorer_page(google_count_mended_phi)
    assert page.result.verdict is Verdict.PROVED
    assert "<h1>google_count_mended / google_count_mended_phi: (eps, a)-differential privacy</h1>" in page.text
    assert "What delta pays for</h4>" in page.text
    assert "with half the scale" in page.text
    assert page.left_out == ()


def test_variants_of_one_name_name_their_case(tmp_path):
    words = [each.words for each in broken_variants(define_in(tmp_path, TWICE).phi).variants]
    assert len(set(words)) == len(words)
    assert "Shift e by 1 less, where T > 0" in words
    assert "Shift e by 1 less, where not T > 0" in words


CALLING = """
@mechanism
def counted(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q + e

@alignment(counted, epsilon="eps")
def counted_phi(q, q_, H):
    return H.shift(e=q - q_)

@mechanism
def twice(q: Query, r: Query, eps: Epsilon, noise: Noise):
    x = counted(q, eps / 2, noise)
    y = counted(r, eps / 2, noise)
    return x, y

@alignment(twice, epsilon="eps", lemmas=[counted_phi])
def phi(H):
    return H.shift()
"""

RATES = """
from alignkit import Eta

@mechanism
def once(q: Annotated[Query, Lattice(1)], eta: Eta, noise: Noise):
    e = noise.discrete_laplace_base2(eta, 1)  # the rate is eta
    return q + e

@alignment(once, eta="eta", queries="adaptive")
def phi(q, q_, H):
    return H.shift(
        e=q - q_,
    )
"""

OF_NO_CONSEQUENCE = """
@mechanism
def silent(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(9 / eps)
    return ABOVE if q >= q else BELOW

@alignment(silent, epsilon="eps")
def phi(H):
    return H.shift(e=0)
"""


def test_variants_are_made_by_rule_and_each_counterexample_replays(tmp_path):
    phi = define_in(tmp_path, CALLING).phi
    breaking = broken_variants(phi)
    assert [(each.words, each.description) for each in breaking.variants] == [
        (
            "Call counted with twice the budget, in line 14",
            "`x = counted(q, eps / 2, noise)` becomes `x = counted(q, eps / 2 * 2, noise)`",
        ),
        ("Claim half as much", "the claim becomes `eps / 2`"),
        (
            "Call counted with twice the budget, in line 15",
            "`y = counted(r, eps / 2, noise)` becomes `y = counted(r, eps / 2 * 2, noise)`",
        ),
    ]
    assert breaking.tried == 3
    for variant in breaking.variants:
        witness, found = variant.found.witness, variant.found
        given = {**witness.q, **{f"{name}_": value for name, value in witness.q_.items()}, **witness.public}
        violation = variant.alignment.replay(**given, H=witness.H).violation
        assert violation is not None
        assert (violation.condition, violation.words) == (found.condition, found.words)


ONLY_THE_FIRST = """
@mechanism
def first(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e
        break

@alignment(first, epsilon="eps")
def phi(q, q_, H):
    return H.shift(e=[q[0] - q_[0]])
"""

AT_ZERO = """
@mechanism
def once(q: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q + e

@alignment(once, epsilon="eps")
def phi(q, q_, T, H):
    return H.shift(e=(q - q_) * T / T)
"""


@pytest.mark.parametrize("seed", range(4))
def test_where_another_counterexample_is_found_the_alignment_is_defined_on_its_run(tmp_path, seed):
    variants = broken_variants(define_in(tmp_path, AT_ZERO).phi, seed).variants
    assert len(variants) >= 3
    assert all(each.shows_runs for each in variants)


def test_variants_on_whose_runs_the_alignment_says_nothing_come_last(tmp_path):
    variants = broken_variants(define_in(tmp_path, ONLY_THE_FIRST).phi).variants
    assert [each.shows_runs for each in variants] == [*[True] * (len(variants) - 1), False]
    assert variants[-1].words == "Leave out the break in line 8"
    assert "the alignment is not defined for this run" in variants[-1].found.words
    assert len(variants) >= 3


def test_variants_keep_the_text_around_the_change_and_what_is_stated(tmp_path):
    phi = define_in(tmp_path, RATES).phi
    variants = {each.words: each for each in broken_variants(phi).variants}
    rate = variants["Draw e with twice the rate"]
    source = rate.alignment.mechanism.program.place.source
    assert source.text(rate.line) == "    e = noise.discrete_laplace_base2(eta * 2, 1)  # the rate is eta\n"
    assert rate.line == phi.mechanism.program.body[0].place.line
    assert rate.alignment.adaptive
    unmoved = variants["Shift e by 0"]
    assert unmoved.alignment.program.place.source.text(unmoved.line) == "        e=0,\n"
    assert variants["Claim half as much"].alignment.claim == "eta / 2"


def test_changes_that_break_nothing_have_no_button_and_are_counted(tmp_path):
    phi = define_in(tmp_path, OF_NO_CONSEQUENCE).phi
    breaking = broken_variants(phi)
    assert breaking.variants == ()
    assert breaking.tried > 2
    page = explorer_page(phi).text
    assert f"{breaking.tried} small changes were tried, and little searching found a counterexample to none" in page
    assert "changes were tried" not in explorer_page(phi, variants=False).text


def has_enough_buttons(alignment: Alignment) -> bool:
    breaking = broken_variants(alignment)
    words = [variant.words for variant in breaking.variants]
    return len(words) >= 2 and len(set(words)) == len(words)


PROVED = [alignment for alignment in find_alignments([]) if alignment.expect == "proved"]


@pytest.mark.parametrize("alignment", PROVED[::16], ids=lambda each: each.name)
def test_an_entry_of_the_catalogue_has_buttons_that_break_it(alignment):
    assert has_enough_buttons(alignment)


@pytest.mark.slow
def test_every_entry_of_the_catalogue_has_buttons_that_break_it():
    assert [each.name for each in PROVED if not has_enough_buttons(each)] == []


def test_a_selection_opens_without_a_tie_between_the_first_two():
    for alignment in find_alignments(["noisy_max", "discrete_selection", "exponential_mechanism"]):
        found = first_example(alignment)
        (answers,), (noise,) = found.q.values(), found.H.values()
        if len(answers) == len(noise) > 1:
            best, second, *_ = sorted(map(sum, zip(answers, noise, strict=True)), reverse=True)
            assert best > second, alignment.name


def test_a_refuted_alignment_opens_on_its_counterexample():
    page = explorer_page(short_shift_phi)
    assert page.result.verdict is Verdict.REFUTED
    assert "The page opens on the counterexample." in page.text
    assert '"variants":[{"label":"As it is"' in page.text
    assert page.text.count('"label":') == 1


def test_an_undecided_alignment_is_called_no_proof(tmp_path):
    phi = define_in(tmp_path, UNDECIDED).phi
    page = explorer_page(phi)
    assert page.result.verdict is Verdict.UNDECIDED
    assert "Nothing on this page is a proof" in page.text
    assert "Theorem." not in page.text


WHETHER = "Whether the mechanism itself leaks is another question"


@pytest.mark.parametrize(
    ("alignment", "words"),
    [
        (half_the_noise_phi, r"NOT PRIVATE as claimed: [^.(]+ \(privacy loss at least 1\.9\d+ at eps = 1\)"),
        (google_large_delta_phi_as_claimed, r"NOT PRIVATE as claimed: [^.]+; delta at epsilon \S+ is at least 0\.\d+"),
    ],
)
def test_a_page_has_the_certified_loss_of_a_mechanism_that_leaks(alignment, words):
    text = html.unescape(explorer_page(alignment).text)
    assert len(re.findall(words, text)) == 3  # above the page, in its data and in the written text
    assert WHETHER not in text


def test_where_no_loss_above_the_claim_is_certified_the_page_says_what_is_open():
    text = explorer_page(short_shift_phi).text
    assert "NOT PRIVATE" not in text
    assert WHETHER in text


def test_a_page_names_chapters_of_the_theory_and_no_files():
    text = explorer_page(max_phi, variants=False).text
    assert "[proof for every n, selections]" in text
    assert "docs/" not in text


def test_what_has_no_room_is_left_out_and_named():
    whole = explorer_page(max_phi)
    assert len(whole.text.encode()) <= LARGEST
    last = broken_variants(max_phi).variants[-1].words
    small = explorer_page(max_phi, largest=len(whole.text.encode()) - 1)
    assert small.left_out == (f"the variant “{last}”",)
    assert f"Left out, since the page would be too large: the variant “{last}”" in small.text
    with pytest.raises(InputError, match="larger than 1000 bytes"):
        explorer_page(max_phi, variants=False, largest=1000)


def test_a_variant_is_written_as_what_differs():
    explanation = explain(gap_phi)
    without, whole = (page_of(gap_phi, explanation, variants=variants) for variants in (False, True))
    count = whole.text.count('"changes":')
    assert count >= 5
    assert len(whole.text.encode()) - len(without.text.encode()) < 2000 * count


def test_the_command_writes_a_page_for_each_alignment(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert main(["explain", "noisy_max", "--html", "page.html", "-q"]) == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["page-monotone_phi.html", "page.html"]
    assert capfd.readouterr().out.startswith("page.html: ")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--html", "nowhere/page.html"], "there is no folder"),
        (["--html", "page.html", "--trace"], "it goes without --trace and --format"),
        (["--html", "page.html", "--format", "latex"], "it goes without --trace and --format"),
    ],
)
def test_flags_that_do_not_go_with_a_page(tmp_path, monkeypatch, capfd, flags, words):
    monkeypatch.chdir(tmp_path)
    assert main(["explain", "noisy_max", *flags]) == 2
    assert words in capfd.readouterr().err
