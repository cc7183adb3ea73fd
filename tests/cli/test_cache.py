"""The cache as a user of the command line meets it: what is served from it, what is not, and what spoils it."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.cached_programs import HARMLESS, OTHER, SPARSE, edited

from alignkit.caching import folders, opening, verdict_cache


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("ALIGNKIT_CACHE_DIR", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(SPARSE)
    return path


def results(ran: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(ran.out)["results"]
    return found


def checked(cli: Any, *arguments: str | Path) -> list[dict[str, Any]]:
    return results(cli("check", "--format", "json", "-j", "1", *arguments))


def from_cache(found: list[dict[str, Any]]) -> list[bool]:
    return [result["cached"] for result in found]


def without_mark(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**result, "cached": None} for result in found]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_second_run_says_the_same_from_the_cache(cli: Any, cache: Path, file: Path, jobs: str) -> None:
    first = results(cli("check", file, "--format", "json", "-j", jobs))
    second = results(cli("check", file, "--format", "json", "-j", jobs))
    assert (from_cache(first), from_cache(second)) == ([False, False], [True, True])
    assert without_mark(first) == without_mark(second)


def test_reports_mark_what_is_from_the_cache(cli: Any, cache: Path, file: Path) -> None:
    fresh = cli("check", file)
    again = cli("check", file)
    one = cli("check", f"{file}::phi")
    assert "cache" not in fresh.out
    assert again.code == 0
    assert again.out.count("  cached  ") == 2
    assert "all as expected; 2 from the cache; 0 solver queries" in again.out
    assert "from the cache (" in one.out.splitlines()[0]
    assert '<property name="cached" value="true" />' in cli("check", file, "--format", "junit").out


def test_edits_that_change_no_meaning_are_served(cli: Any, cache: Path, file: Path) -> None:
    checked(cli, file)
    source = SPARSE
    for change in HARMLESS.values():
        source = edited(change, source)
    file.write_text(source)
    served = checked(cli, file)
    fresh = checked(cli, file, "--no-cache")
    assert (from_cache(served), from_cache(fresh)) == ([True, True], [False, False])
    for one, other in zip(served, fresh, strict=True):
        # Notes that name renamed variables are left out; all else is what a check of the edited file says.
        assert {**one, "notes": 0, "seconds": 0, "cached": 0} == {**other, "notes": 0, "seconds": 0, "cached": 0}
        kept = [note for note in one["notes"] if not note.endswith("other names now")]
        assert set(kept) < set(other["notes"]) if one["verdict"] == "proved" else kept == other["notes"]


@pytest.mark.slow
@pytest.mark.parametrize("change", OTHER.values(), ids=list(OTHER))
def test_an_edit_that_changes_the_meaning_is_not_served(
    change: tuple[str, str], cli: Any, cache: Path, file: Path
) -> None:
    cli("check", f"{file}::phi")
    file.write_text(edited(change))
    served = cli("check", f"{file}::phi", "--format", "json", "--timeout", "5")
    assert "check" in served.err or from_cache(results(served)) == [False]


def test_what_stands_in_an_imported_file_counts(cli: Any, cache: Path, file: Path) -> None:
    helper = file.with_name("helper_of_mine.py")
    helper.write_text("def share(eps, k):\n    return eps / (4 * k)\n")
    whole = SPARSE.replace(SPARSE[SPARSE.index("def share") : SPARSE.index("@mechanism")], "")
    file.write_text("from helper_of_mine import share\n" + whole)
    assert from_cache(checked(cli, f"{file}::phi")) == [False]
    assert from_cache(checked(cli, f"{file}::phi")) == [True]
    helper.write_text("def share(eps, k):\n    half = eps / 2\n    return half / k\n")
    (changed,) = checked(cli, f"{file}::phi")
    assert (changed["cached"], changed["verdict"]) == (False, "refuted")


@pytest.mark.parametrize("flags", [("--seed", "1"), ("--timeout", "50")])
def test_other_settings_are_another_check(flags: tuple[str, str], cli: Any, cache: Path, file: Path) -> None:
    checked(cli, f"{file}::phi")
    assert from_cache(checked(cli, f"{file}::phi", *flags)) == [False]


def test_another_solver_or_another_alignkit_checks_anew(
    cli: Any, cache: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked(cli, f"{file}::phi")
    monkeypatch.setattr(opening, "_version", lambda library: "of tomorrow")
    assert from_cache(checked(cli, f"{file}::phi")) == [False]


def test_without_the_cache_nothing_is_read_and_nothing_written(cli: Any, cache: Path, file: Path) -> None:
    assert from_cache(checked(cli, f"{file}::phi", "--no-cache")) == [False]
    assert not cache.exists()
    checked(cli, f"{file}::phi")
    assert from_cache(checked(cli, f"{file}::phi", "--no-cache")) == [False]


def test_an_empty_variable_means_no_cache(
    cli: Any, cache: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALIGNKIT_CACHE_DIR", "")
    assert [from_cache(checked(cli, f"{file}::phi")) for _ in range(2)] == [[False]] * 2


def test_what_is_undecided_is_checked_again(cli: Any, cache: Path, file: Path) -> None:
    file.write_text(SPARSE.replace("return part / k", "return part / k if k < 5 else exp(0 - k) * part").replace(
        "from alignkit import", "from alignkit import exp, "
    ))
    for _ in range(2):
        (result,) = checked(cli, f"{file}::phi", "--timeout", "0.01")
        assert (result["verdict"], result["cached"]) == ("undecided", False)


def test_only_the_changed_alignment_is_checked(cli: Any, cache: Path, file: Path) -> None:
    checked(cli, file)
    file.write_text(SPARSE.replace("        eta=1,\n", "        eta=1 + 0,\n"))
    assert from_cache(checked(cli, file, "-j", "2")) == [False, True]


def test_policy_and_suggestions_see_what_is_from_the_cache(cli: Any, cache: Path, file: Path) -> None:
    file.with_name("pyproject.toml").write_text('[tool.alignkit.policy.claims]\n"*" = "eps / 2"\n')
    runs = [cli("check", f"{file}::phi") for _ in range(2)]
    assert [ran.code for ran in runs] == [1, 1]
    assert "from the cache" in runs[1].out
    assert all("is not proved to be at most eps / 2" in ran.out for ran in runs)
    suggested = [checked(cli, f"{file}::short_phi", "--suggest")[0] for _ in range(2)]
    assert [s["cached"] for s in suggested] == [False, True]
    assert suggested[1]["suggestion"] == suggested[0]["suggestion"] != None  # noqa: E711


def entries(cache: Path) -> list[Path]:
    return sorted(cache.iterdir())


def test_a_spoiled_cache_is_as_good_as_none(cli: Any, cache: Path, file: Path) -> None:
    checked(cli, file)
    for path in entries(cache):
        path.write_bytes(path.read_bytes()[:-40])
    ran = cli("check", file, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    assert from_cache(results(ran)) == [False, False]
    assert from_cache(checked(cli, file)) == [True, True]


def rewrite(path: Path, change: Any) -> None:
    """Change a file of the cache, and give it the heading that it then needs."""
    document = json.loads(path.read_bytes().partition(b"\n")[2])
    body = json.dumps(change(document)).encode()
    path.write_bytes(verdict_cache._HEADING + verdict_cache._digest(path.name, body) + b"\n" + body)


def test_a_refutation_from_the_cache_is_replayed(cli: Any, cache: Path, file: Path) -> None:
    (fresh,) = checked(cli, f"{file}::short_phi")

    def harmless(document: Any) -> Any:
        """The counterexample with so much noise on the threshold that it refutes nothing."""
        witness = document["refutation"]["witness"]
        noise = {**witness["H"], "eta": 1000}
        return {**document, "refutation": {**document["refutation"], "witness": {**witness, "H": noise}}}

    (path,) = entries(cache)
    rewrite(path, harmless)
    (result,) = checked(cli, f"{file}::short_phi")
    assert (result["cached"], result["counterexample"]) == (False, fresh["counterexample"])


def test_a_proof_cannot_be_made_a_refutation(cli: Any, cache: Path, file: Path) -> None:
    checked(cli, f"{file}::short_phi")
    (refutation,) = entries(cache)
    refuted = json.loads(refutation.read_bytes().partition(b"\n")[2])
    checked(cli, f"{file}::phi")
    (proof,) = (path for path in entries(cache) if path != refutation)
    rewrite(proof, lambda document: {**refuted, "names": document["names"], "lines": document["lines"]})
    (result,) = checked(cli, f"{file}::phi")
    assert (result["verdict"], result["cached"]) == ("proved", False)


@pytest.mark.slow
def test_counterexamples_that_are_not_one_to_one_come_back(cli: Any, cache: Path) -> None:
    runs = [checked(cli, "noisy_top_k_with_gap_exponential") for _ in range(2)]
    assert any(result["counterexample"] and result["counterexample"]["H_other"] for result in runs[1])
    assert without_mark(runs[0]) == without_mark(runs[1])
    assert all(from_cache(runs[1]))


def link(cache: Path) -> None:
    cache.rename(cache.with_name("elsewhere"))
    cache.symlink_to(cache.with_name("elsewhere"))


def open_to_all(cache: Path) -> None:
    cache.chmod(0o777)


def a_file(cache: Path) -> None:
    cache.rename(cache.with_name("elsewhere"))
    cache.write_text("")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owner here")
@pytest.mark.parametrize(
    ("spoil", "words"),
    [(link, "is a symbolic link"), (open_to_all, "can be written by other users"), (a_file, "is no folder")],
)
def test_a_folder_that_others_may_write_is_not_used(
    spoil: Any, words: str, cli: Any, cache: Path, file: Path
) -> None:
    checked(cli, f"{file}::phi")
    spoil(cache)
    ran = cli("check", f"{file}::phi", "--format", "json")
    assert (ran.code, ran.err) == (0, f"alignkit: the cache of verdicts is not used: {cache} {words}\n")
    assert from_cache(results(ran)) == [False]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owner here")
def test_a_folder_of_another_user_is_not_used(
    cli: Any, cache: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked(cli, f"{file}::phi")
    mine = os.geteuid()
    monkeypatch.setattr(folders.os, "geteuid", lambda: mine + 1)
    ran = cli("check", f"{file}::phi")
    assert ran.code == 0
    assert ran.err == f"alignkit: the cache of verdicts is not used: {cache} belongs to another user\n"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owner here")
@pytest.mark.parametrize("how", ["link", "pipe", "open to all", "folder"])
def test_a_file_that_others_may_write_is_not_read(how: str, cli: Any, cache: Path, file: Path) -> None:
    checked(cli, f"{file}::phi")
    (path,) = entries(cache)
    match how:
        case "link":
            path.rename(cache.with_name("elsewhere"))
            path.symlink_to(cache.with_name("elsewhere"))
        case "pipe":
            path.unlink()
            os.mkfifo(path)
        case "open to all":
            path.chmod(0o666)
        case "folder":
            path.unlink()
            path.mkdir()
    ran = cli("check", f"{file}::phi", "--format", "json")
    assert ran.code == 0
    assert from_cache(results(ran)) == [False]
    assert ("were not kept" in ran.err) == (how == "folder")


def test_a_folder_in_the_place_of_a_file_spoils_that_file_alone(cli: Any, cache: Path, file: Path) -> None:
    checked(cli, f"{file}::phi")
    (path,) = entries(cache)
    checked(cli, file)
    path.unlink()
    path.mkdir()
    assert from_cache(checked(cli, file)) == [False, True]


def test_a_quiet_run_says_nothing_of_a_cache_that_is_not_used(cli: Any, cache: Path, file: Path) -> None:
    cache.write_text("")
    ran = cli("check", f"{file}::phi", "--quiet")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_a_full_disk_is_reported_once_and_changes_nothing(
    cli: Any, cache: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(folders.os, "replace", full)
    ran = cli("check", file)
    assert ran.code == 0
    assert ran.err == (
        f"alignkit: verdicts were not kept for later runs: {cache} cannot be written: no space left on device\n"
    )
    assert entries(cache) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_read_only_is_read(cli: Any, cache: Path, file: Path) -> None:
    checked(cli, f"{file}::phi")
    cache.chmod(0o500)
    ran = cli("check", file, "--format", "json")
    cache.chmod(0o700)
    assert (ran.code, from_cache(results(ran))) == (0, [True, False])
    assert "were not kept for later runs" in ran.err


def test_a_place_where_no_folder_can_be_made_is_named(
    cli: Any, cache: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALIGNKIT_CACHE_DIR", str(file / "below"))
    ran = cli("check", f"{file}::phi")
    assert ran.code == 0
    assert ran.err.startswith("alignkit: the cache of verdicts is not used: ")


@pytest.mark.slow
def test_runs_beside_one_another_leave_a_whole_cache(cache: Path, file: Path) -> None:
    command = [sys.executable, "-m", "alignkit", "check", str(file), "--format", "json", "-j", "1"]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = [run.communicate()[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0, 0]
    verdicts = {tuple(result["verdict"] for result in json.loads(output)["results"]) for output in outputs}
    assert verdicts == {("proved", "refuted")}
    again = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    assert from_cache(json.loads(again.stdout)["results"]) == [True, True]
    assert len(entries(cache)) == 2
