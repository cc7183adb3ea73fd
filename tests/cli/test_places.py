"""Places that cannot be used: deleted, unreadable, or no files at all; and text in another encoding."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.mark.parametrize("command", [("list",), ("check", "noisy_max"), ("check", "mine.py"), ("new", "mine")])
def test_the_current_folder_has_been_deleted(cli, here: Path, command: tuple[str, ...]) -> None:
    gone = here / "gone"
    gone.mkdir()
    os.chdir(gone)
    try:
        gone.rmdir()
    except OSError:
        pytest.skip("the current folder cannot be deleted here")
    ran = cli(*command)
    os.chdir(here)
    assert ran.code == 2
    assert ran.err == (
        "alignkit: the current folder cannot be used; it may have been deleted: change to another\n"
    )


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("", "a target is empty; name a file, a folder, file.py::name or a mechanism"),
        ("::", "a target names nothing before ::; write file.py::name"),
        ("::phi", "a target names nothing before ::; write file.py::name"),
        ("mine.py::", "mine.py:: names nothing; the file has mine, phi"),
        ("x" * 5000 + "/mine.py", "does not exist"),
    ],
)
def test_targets_without_a_name(cli, mine: Path, target: str, words: str) -> None:
    ran = cli("check", target)
    assert ran.code == 2
    assert words in ran.err
    assert "internal error" not in ran.err


def test_numbers_too_large_to_compute(cli, here: Path) -> None:
    for command in (("run", "noisy_max", "--data", "x", "--eps"), ("attack", "noisy_max", "--eps")):
        ran = cli(*command, "1e99999999")
        assert ran.code == 2
        assert "not '1e99999999'" in ran.err
    assert cli("attack", "noisy_max", "--set", "eps=1e99999999").code == 2


def test_new_where_folders_may_not_be_entered(cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "stat", closed(Path("secret"), os.stat))
    ran = cli("new", "mine", "--into", "secret")
    assert ran.code == 2
    assert "there is no folder secret" in ran.err


def closed(path: Path, real: Callable[..., object]) -> Callable[..., object]:
    """A function of the file system for which a path, and what lies below it, may not be read."""

    def refuse(place: object = ".", *arguments: object, **named: object) -> object:
        if isinstance(place, str | os.PathLike) and path in (Path(place), *Path(place).parents):
            raise PermissionError(13, "Permission denied", os.fspath(place))
        return real(place, *arguments, **named)

    return refuse


def test_a_folder_that_may_not_be_read_is_reported_and_the_others_are_checked(
    cli, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (mine.parent / "secret").mkdir()
    monkeypatch.setattr(os, "scandir", closed(Path("secret"), os.scandir))
    (mine.parent / "secret" / "more.py").touch()
    folder = mine.parent / "all"
    folder.mkdir()
    mine.rename(folder / "mine.py")
    ran = cli("check", "secret", "all")
    assert ran.code == 2
    assert "alignkit: secret cannot be read: permission denied\n" in ran.err
    assert "1 proved" in ran.out


def test_a_file_in_a_folder_that_may_not_be_entered(cli, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "stat", closed(Path("secret"), os.stat))
    ran = cli("check", "secret/mine.py", "mine.py")
    assert ran.code == 2
    assert "alignkit: secret/mine.py cannot be read: permission denied\n" in ran.err
    assert "1 proved" in ran.out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a matter of Unix")
def test_a_pipe_or_a_device_is_no_target(cli, mine: Path) -> None:
    os.mkfifo("pipe.py")
    for target in ("pipe.py", "/dev/zero"):
        ran = cli("check", target, "mine.py")
        assert ran.code == 2
        assert f"{target} is not a file but a device, a pipe or a socket; name a Python file" in ran.err
        assert "1 proved" in ran.out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a matter of Unix")
def test_a_pipe_or_a_device_is_no_data(cli, here: Path) -> None:
    os.mkfifo("pipe")
    for data in ("pipe", "/dev/zero"):
        for command in (("run", "noisy_max", "--eps", "1"), ("check", "noisy_max")):
            ran = cli(*command, "--data", data)
            assert ran.code == 2
            assert f"{data} is a " in ran.err
            assert "not a file; write the data to a file and name that" in ran.err


def test_a_program_in_latin_1(cli, mine: Path) -> None:
    text = mine.read_text()
    mine.write_bytes(b"# caf\xe9\n" + text.encode())
    ran = cli("check", "mine.py")
    assert ran.code == 2
    assert "the source of mine is not UTF-8 text" in ran.err
    assert "save the file as UTF-8" in ran.err


def test_a_docstring_in_latin_1(cli, mine: Path) -> None:
    mine.write_bytes(mine.read_bytes().replace(b"Report", b"R\xe9port"))
    ran = cli("check", "mine.py")
    assert ran.code == 2
    assert "Python cannot read this" in ran.err
    assert "save the file as UTF-8" in ran.err


def test_data_in_latin_1(cli, here: Path) -> None:
    (here / "baskets.dat").write_bytes(b"1 2\ncaf\xe9\n")
    ran = cli("run", "noisy_max", "--eps", "1", "--data", "baskets.dat")
    assert ran.code == 2
    assert "baskets.dat is not UTF-8 text: line 2 holds the byte 0xe9; save it as UTF-8" in ran.err
