"""Bad files: each gives a DataError that names the file, the line and what was expected."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import zipfile
from pathlib import Path

import pytest

from alignkit.data import parse_items, read_counts, read_items, read_transactions
from alignkit.errors import DataError


def message(path: Path | str) -> str:
    with pytest.raises(DataError) as caught:
        read_counts(path)
    assert caught.value.exit_code == 2
    return str(caught.value)


def message_for(tmp_path: Path, content: str | bytes) -> str:
    path = tmp_path / "data"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    text = message(path)
    assert text.startswith(str(path))
    return text.removeprefix(str(path))


def test_a_missing_file_suggests_close_names(tmp_path: Path) -> None:
    (tmp_path / "kosarak.dat.gz").touch()
    text = message(tmp_path / "kosarak.dat")
    assert "does not exist" in text
    assert f"did you mean {tmp_path / 'kosarak.dat.gz'}?" in text
    assert "did you mean" not in message(tmp_path / "unlike")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    assert message(tmp_path / "no" / "data").endswith(f"there is no folder {tmp_path / 'no'}")


def test_a_folder(tmp_path: Path) -> None:
    assert message(tmp_path) == f"{tmp_path} is a folder; name a file in it"


@pytest.mark.parametrize("path", ["", "a\0b", "x" * 5000])
def test_a_path_that_cannot_name_a_file(path: str) -> None:
    assert len(message(path)) < 400


def test_permission_denied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert message(tmp_path / "data").endswith("may not be read: permission denied")


@pytest.mark.parametrize(
    "content", [b"", b"\n \r\n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0), gzip.compress(b"\n", mtime=0)]
)
def test_an_empty_file(tmp_path: Path, content: bytes) -> None:
    assert message_for(tmp_path, content) == " is empty: it holds no line of data"


def test_a_table_of_a_header_alone(tmp_path: Path) -> None:
    assert message_for(tmp_path, "item,count\n").startswith(" has a header but no items")


def test_binary(tmp_path: Path) -> None:
    assert "is binary: it holds a NUL byte in line 2" in message_for(tmp_path, b"1 2\n3\0\n")
    assert "is binary" in message_for(tmp_path, "1 2\n".encode("utf-16"))
    assert "is binary" in message_for(tmp_path, gzip.compress(b"1 2\n\0", mtime=0))


def test_text_in_another_encoding(tmp_path: Path) -> None:
    assert message_for(tmp_path, "1 2\n3\ncafé\n".encode("latin-1")) == (
        " is not UTF-8 text: line 3 holds the byte 0xe9; save it as UTF-8, for example by: iconv -f latin1 -t utf-8"
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a matter of Unix")
def test_what_may_never_end_is_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert message(pipe) == f"{pipe} is a named pipe, not a file; write the data to a file and name that"
    assert message("/dev/zero").startswith("/dev/zero is a device, not a file")
    with pytest.raises(DataError, match="is a device, not a file"):
        parse_items("/dev/zero")


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="pipes have paths where there is /dev/fd")
def test_a_pipe_from_the_shell_is_read() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"1 2\n2\n")
    os.close(writing)
    try:
        assert read_counts(f"/dev/fd/{reading}").counts == (1, 2)
    finally:
        os.close(reading)


def test_other_archives_are_to_be_unpacked(tmp_path: Path) -> None:
    content = b"1 2 3\n" * 100
    archive = tmp_path / "archive.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("data", content)
    for kind, data in {
        "zip": archive.read_bytes(),
        "bzip2": bz2.compress(content),
        "xz": lzma.compress(content),
    }.items():
        assert (
            message_for(tmp_path, data) == f" is a {kind} file; unpack it first (only gzip is read directly)"
        )


def test_damaged_gzip(tmp_path: Path) -> None:
    packed = gzip.compress(b"1 2 3\n" * 1000)
    for size in range(2, len(packed)):
        assert "is a gzip file that ends too early" in message_for(tmp_path, packed[:size])
    wrong_sum = packed[:-8] + bytes(4) + packed[-4:]
    assert "is a damaged gzip file" in message_for(tmp_path, wrong_sum)
    assert "is a damaged gzip file" in message_for(tmp_path, packed[:10] + b"\xff" * 20)


@pytest.mark.parametrize(
    ("content", "number", "said"),
    [
        ("1 2\n3,4\n", 2, "'3,4': expected a transaction: items separated by spaces, without commas"),
        ("1,2\n3 4\n", 2, "'3 4': expected item,count with a count that is a whole number, 0 or more"),
        ("1,2,3\n4,5\n", 1, "in a transaction file, separate items with spaces"),
        ("item,count\n1,2\n3,-4\n", 3, "found '-4' for the count"),
        ("1,2.5\n", 1, "found '2.5' for the count"),
        ("1,1e3\n", 1, "found '1e3' for the count"),
        ("1,\n", 1, "found '' for the count"),
        ("1,\u0663\n", 1, "for the count"),
        (f"1,{'9' * 19}\n", 1, "for the count"),
        ("id,n\n1,2\n", 1, "found 'n' for the count"),
        ("1,2\nitem,count\n", 2, "found 'count' for the count"),
        ("1,2\n,3\n", 2, "the item is missing"),
        ('1,2\n"3,4\n', 2, "the quotes do not match"),
        ('"a,b",2\n', 1, "an item may not hold a comma"),
        ("item,count\n\n1,2\n2,1\n1,3\n", 5, "this item already has a count, in line 3"),
        ("item;count\n1;2\n", 1, "separate item and count with a comma"),
        ("item\tcount\n1\t2\n", 1, "separate item and count with a comma"),
        ("1;5\n2;7\n", 1, "'1;5': separate item and count with a comma (milk,3), or the items of a transaction"),
        ('\n"milk" ; 5;\n', 2, "separate item and count with a comma (milk,3)"),
        ("1;2;3\n", 1, "or the items of a transaction with spaces"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, content: str, number: int, said: str) -> None:
    text = message_for(tmp_path, content)
    assert text.startswith(f", line {number}: ")
    assert said in text


def test_a_long_line_is_shortened(tmp_path: Path) -> None:
    assert len(message_for(tmp_path, "1,2\n" + "x" * 100_000)) < 200


def test_a_table_holds_no_transactions(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("item,count\n1,2\n")
    with pytest.raises(DataError, match="without transactions; give a transaction file"):
        read_transactions(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("1\n2\n1\n", "line 3: '1': the item already occurs in line 1"),
        ("1\n2,5\n", "line 2: '2,5': expected one item per line, without commas"),
        ("\n\n", "is empty"),
    ],
)
def test_a_malformed_universe(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "items.txt"
    path.write_text(content)
    with pytest.raises(DataError, match=said):
        read_items(path)
