"""Files of the cache: whatever stands in one, it is served whole or not at all."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.cached_programs import SPARSE
from support.claims_with_delta import cheap_phi, key_and_count_phi, key_phi, small_delta_phi, whole_key_phi

from alignkit import InputError, load, release
from alignkit.caching import folders, verdict_cache
from alignkit.caching.folders import Memo, private_folder
from alignkit.caching.opening import OpenedCache, Origin, origin
from alignkit.caching.verdict_cache import VerdictCache
from alignkit.checking import check
from alignkit.proofs.discrete_selection import max_phi as discrete_phi


def opened(folder: Path) -> OpenedCache:
    return OpenedCache(private_folder(str(folder / "cache")), origin())


@pytest.fixture(scope="module")
def phi(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("programs") / "mine_in_the_cache.py"
    path.write_text(SPARSE)
    return load(f"{path}::phi")


@pytest.fixture(scope="module")
def memo(phi: Any, tmp_path_factory: pytest.TempPathFactory) -> Memo:
    cache = VerdictCache(opened(tmp_path_factory.mktemp("top")), timeout=60.0, seed=0)
    written = cache.memo(phi, check(phi))
    assert written is not None
    return written


@pytest.fixture
def cache(tmp_path: Path) -> VerdictCache:
    return VerdictCache(opened(tmp_path), timeout=60.0, seed=0)


def test_what_was_kept_is_recalled(phi: Any, memo: Memo, cache: VerdictCache) -> None:
    assert cache.recall(phi) is None
    cache.opened.folder.keep(memo)
    recalled = cache.recall(phi)
    assert recalled is not None
    assert (recalled.proved, recalled.cached, recalled.cost) == (True, True, "eps")


SPOILED = {
    "empty": lambda content: b"",
    "cut short": lambda content: content[:-40],
    "cut in the heading": lambda content: content[:20],
    "a bit that has flipped": lambda content: content[:-9] + bytes([content[-9] ^ 1]) + content[-8:],
    "of a newer version": lambda content: content.replace(b"alignkit verdict 1 ", b"alignkit verdict 2 "),
    "no text": lambda content: os.urandom(1000),
    "too large": lambda content: content + b" " * 5_000_000,
}


@pytest.mark.parametrize("spoil", SPOILED.values(), ids=list(SPOILED))
def test_a_spoiled_file_is_as_good_as_none(spoil: Any, phi: Any, memo: Memo, cache: VerdictCache) -> None:
    cache.opened.folder.keep(Memo(memo.name, spoil(memo.content)))
    assert cache.recall(phi) is None


FORGED = {
    "a list": lambda document: [document],
    "no fields": lambda document: {},
    "one field more": lambda document: {**document, "extra": 1},
    "a number for a text": lambda document: {**document, "cost": 5},
    "a verdict that there is not": lambda document: {**document, "verdict": "fine"},
    "undecided": lambda document: {**document, "verdict": "undecided"},
    "no conditions": lambda document: {**document, "conditions": []},
    "fewer lines": lambda document: {**document, "lines": document["lines"][:-1]},
    "fewer names": lambda document: {**document, "names": [*document["names"], "x"]},
    "deep": lambda document: {**document, "notes": json.loads("[" * 900 + "]" * 900)},
    "a wrong status": lambda document: {
        **document, "conditions": [{**c, "status": "refuted"} for c in document["conditions"]]
    },
}  # fmt: skip


@pytest.mark.parametrize("change", FORGED.values(), ids=list(FORGED))
def test_a_file_that_is_whole_and_says_something_else_is_as_good_as_none(
    change: Any, phi: Any, memo: Memo, cache: VerdictCache
) -> None:
    document = json.loads(memo.content.partition(b"\n")[2])
    body = json.dumps(change(document)).encode()
    heading = verdict_cache._HEADING + verdict_cache._digest(memo.name, body)
    cache.opened.folder.keep(Memo(memo.name, heading + b"\n" + body))
    assert cache.recall(phi) is None


def test_what_a_crash_left_is_removed_and_the_oldest_make_room(tmp_path: Path) -> None:
    folder = private_folder(str(tmp_path / "cache"))
    small, names = folders.PrivateFolder(folder.path, most_files=4), [f"{number:064x}.json" for number in range(6)]
    for age, name in enumerate(names):
        small.keep(Memo(name, b"x"))
        os.utime(Path(folder.path, name), (10**9 + age, 10**9 + age))
    left, letter = Path(folder.path, f".{0:016x}.unfinished"), Path(folder.path, "letter.txt")
    for path in (left, letter):
        path.write_bytes(b"half")
        os.utime(path, (10**8, 10**8))
    small.make_room()
    assert not left.exists()
    assert letter.exists(), "a file of somebody else's"
    assert {path.name for path in Path(folder.path).iterdir()} - {letter.name} <= set(names[3:])
    assert small.read(names[5]) == b"x"


def test_a_file_under_another_name_is_as_good_as_none(phi: Any, memo: Memo, cache: VerdictCache) -> None:
    later = VerdictCache(cache.opened, timeout=61.0, seed=0)
    other = later.memo(phi, check(phi, effort=0))
    assert other is not None
    cache.opened.folder.keep(Memo(other.name, memo.content))
    assert later.recall(phi) is None


def test_nothing_is_kept_once_alignkit_itself_was_edited(phi: Any, cache: VerdictCache) -> None:
    result = check(phi, effort=0)
    assert cache.memo(phi, result) is not None
    edited = OpenedCache(cache.opened.folder, Origin(cache.opened.origin.digest, stamp=1))
    assert VerdictCache(edited, timeout=60.0, seed=0).memo(phi, result) is None


def test_a_release_takes_no_proof_from_the_cache(tmp_path: Path) -> None:
    cache = VerdictCache(opened(tmp_path), timeout=60.0, seed=0)
    memo = cache.memo(discrete_phi, check(discrete_phi))
    assert memo is not None
    cache.opened.folder.keep(memo)
    recalled = cache.recall(discrete_phi)
    assert recalled is not None
    assert recalled.proved
    with pytest.raises(InputError, match="from the cache of an earlier run; give proof=check"):
        release(discrete_phi.mechanism, [1, 2], eps=1, proof=recalled)


def test_a_recalled_result_is_stale_once_the_mechanism_is_another(
    phi: Any, memo: Memo, cache: VerdictCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.opened.folder.keep(memo)
    monkeypatch.setitem(phi.mechanism.python.__globals__, "share", lambda eps, k: eps)
    assert cache.recall(phi) is None


def test_a_claim_with_delta_comes_back_with_its_delta(cache: VerdictCache) -> None:
    for alignment in (key_phi, cheap_phi, key_and_count_phi, whole_key_phi):
        result = check(alignment)
        kept = cache.memo(alignment, result)
        assert kept is not None
        cache.opened.folder.keep(kept)
        recalled = cache.recall(alignment)
        assert recalled is not None
        assert recalled.cached
        assert replace(recalled, cached=False) == result
        assert recalled.delta == alignment.delta
    assert cache.recall(small_delta_phi) is None
