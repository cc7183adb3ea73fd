"""What the gate of docs/gate.md says of edits to the mechanism: in the terminal and in each format for CI systems."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from support.users_project import UsersProject

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Edit:
    """Texts to replace, the condition that then fails, and a text in the line that is named."""

    replaced: tuple[tuple[str, str], ...]
    condition: str
    line: str


SHIFT = "eta_i=[1 + q[i]"
BREAKING = {
    "half the noise": Edit((("4 * k / eps", "2 * k / eps"),), "cost", SHIFT),
    "one winner too many": Edit((("if count >= k:", "if count > k:"),), "cost", SHIFT),
    "a test without the noisy threshold": Edit((("if gap >= 0:", "if q_i + eta_i >= T:"),), "same output", "yield gap"),
    "a test that the exact answer passes": Edit(
        (("if gap >= 0:", "if gap >= 0 or q_i >= T:"),), "same output", "yield BELOW"
    ),
    "a range that begins at 1": Edit(
        (("    for q_i in q:\n", "    for i in range(1, len(q)):\n        q_i = q[i]\n"),), "same output", "yield gap"
    ),
}
HARMLESS = {
    "the comparison of a continuous gap": (("if gap >= 0:", "if gap > 0:"),),
    "the name of a local": (("count", "winners"),),
    "a comment": (("# what is yielded (or returned) is the output", "# the gap itself"),),
}


@contextmanager
def edited(project: UsersProject, replaced: tuple[tuple[str, str], ...]) -> Iterator[list[str]]:
    """Edit the mechanism of the page, for a while; gives the lines of the file."""
    path = project.top / "proofs" / "gaps.py"
    committed = path.read_text(encoding="utf-8")
    text = committed
    for before, after in replaced:
        assert before in text
        text = text.replace(before, after)
    path.write_text(text, encoding="utf-8")
    try:
        yield text.splitlines()
    finally:
        path.write_text(committed, encoding="utf-8")


def check(project: UsersProject, form: str) -> tuple[int, str]:
    """The gate of a pull request in one format, without what goes to stderr."""
    ran = project.run(f"alignkit check --changed-since origin/main --format {form} 2>/dev/null")
    return ran.code, ran.text


def number_of(lines: list[str], text: str) -> int:
    [number] = [number for number, line in enumerate(lines, 1) if text in line]
    return number


@pytest.mark.parametrize("edit", BREAKING.values(), ids=BREAKING)
def test_an_edit_that_breaks_the_proof_fails_with_the_condition_and_the_line(gated, edit: Edit) -> None:
    with edited(gated.project, edit.replaced) as lines:
        ran = {form: check(gated.project, form) for form in ("text", "junit", "sarif", "github")}
    assert [code for code, _ in ran.values()] == [1, 1, 1, 1]
    number = number_of(lines, edit.line)
    summary = f"condition: {edit.condition} at gaps.py:{number}"
    rule = edit.condition.replace(" ", "_")

    head, place, *_ = ran["text"][1].splitlines()
    assert f"    condition: {edit.condition}    " in head
    assert place == f"proofs/gaps.py:{number}"
    assert f"\n> {number} | {lines[number - 1]}\n" in ran["text"][1]

    [failure] = ET.fromstring(ran["junit"][1]).iter("failure")
    assert failure.get("type") == rule
    assert summary in str(failure.get("message"))
    assert f"\nproofs/gaps.py:{number}\n" in str(failure.text)

    [result] = json.loads(ran["sarif"][1])["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == (rule, "error")
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("proofs/gaps.py", number)
    assert summary in result["message"]["text"]

    [annotation] = ran["github"][1].splitlines()
    assert annotation.startswith(f"::error file=proofs/gaps.py,line={number},")
    assert summary in annotation


def test_a_draw_that_is_renamed_in_the_mechanism_only_fails(gated) -> None:
    said = "gaps draws no `eta_i`"
    with edited(gated.project, (("eta_i = noise", "xi = noise"), ("q_i + eta_i", "q_i + xi"))) as lines:
        ran = {form: check(gated.project, form) for form in ("junit", "sarif", "github")}
        terminal = gated.project.run("alignkit check --changed-since origin/main")
    number = number_of(lines, SHIFT)
    assert [terminal.code, *(code for code, _ in ran.values())] == [2, 2, 2, 2]
    assert f"alignkit: proofs/gaps.py:{number}:9: {said}\n" in terminal.text
    assert "\n  it draws eta, xi\n" in terminal.text

    [error] = ET.fromstring(ran["junit"][1]).iter("error")
    assert f"proofs/gaps.py:{number}:9: {said}" in str(error.get("message"))

    [result] = json.loads(ran["sarif"][1])["runs"][0]["results"]
    assert result["ruleId"] == "not_checked"
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == number
    assert said in result["message"]["text"]

    [annotation] = ran["github"][1].splitlines()
    assert annotation.startswith(f"::error file=proofs/gaps.py,line={number},")
    assert said in annotation


@pytest.mark.parametrize("name", HARMLESS)
def test_an_edit_that_leaves_the_proof_as_it_is_passes(gated, name: str) -> None:
    with edited(gated.project, HARMLESS[name]):
        code, told = check(gated.project, "github")
        _, document = check(gated.project, "json")
    assert (code, told) == (0, "")
    [result] = json.loads(document)["results"]
    assert result["verdict"] == "proved"


@pytest.mark.parametrize("name", ["the name of a local", "a comment"])
def test_an_edit_that_changes_no_meaning_is_served_from_the_cache(gated, name: str) -> None:
    check(gated.project, "json")
    with edited(gated.project, HARMLESS[name]):
        _, document = check(gated.project, "json")
        terminal = gated.project.run("alignkit check")
    [result] = json.loads(document)["results"]
    assert result["cached"]
    assert "from the cache (" in terminal.text.splitlines()[0]
