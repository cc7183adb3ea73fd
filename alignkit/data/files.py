"""From a path to lines of text: plain or gzip, with a `DataError` for everything that can go wrong."""

from __future__ import annotations

import difflib
import gzip
import os
import stat
import zlib
from pathlib import Path

from alignkit.arguments import path as read_path
from alignkit.errors import DataError

_GZIP = b"\x1f\x8b"
_ARCHIVES = {b"PK\x03\x04": "zip", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}


def read_lines(path: str | os.PathLike[str]) -> list[str]:
    r"""Return the lines of a text file, without their ends; line N of the file is element N - 1.

    The file may be gzipped, whatever its name: the content decides. Text is UTF-8, with or without a
    byte order mark; lines end in ``\n``, ``\r\n`` or ``\r``.

    Raises
    ------
    DataError
        The file is missing, a folder, not readable, empty, binary, or a damaged gzip file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "baskets.dat.gz")
    ...     _ = path.write_bytes(gzip.compress(b"1 2\r\n3\n"))
    ...     read_lines(path)
    ['1 2', '3']
    """
    path = read_path(path, "the data file")
    raw = _read_bytes(path)
    if raw.startswith(_GZIP):
        raw = _decompress(raw, path)
    text = _decode(raw, path)
    if not text.strip():
        raise DataError(f"{path} is empty: it holds no line of data")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def malformed(path: str | os.PathLike[str], number: int, line: str, expected: str) -> DataError:
    """Return the error for a line that cannot be read: its number, its text shortened, what was expected.

    >>> print(malformed("counts.csv", 3, "368;28738", "expected item,count"))
    counts.csv, line 3: '368;28738': expected item,count
    """
    return DataError(f"{path}, line {number}: {shorten(line)}: {expected}")


def shorten(text: str, limit: int = 40) -> str:
    """Return `text` in quotes, control characters escaped, cut to at most `limit` characters.

    >>> print(shorten("a" * 50, limit=5))
    'aaaaa...'
    """
    return repr(text if len(text) <= limit else text[:limit] + "...")


def _read_bytes(path: str | os.PathLike[str]) -> bytes:
    if not os.fspath(path):
        raise DataError("the path of the data file is empty; name a file")
    _refuse_devices(path)
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise DataError(_missing(Path(path))) from None
    except IsADirectoryError:
        raise DataError(f"{path} is a folder; name a file in it") from None
    except PermissionError:
        raise DataError(f"{path} may not be read: permission denied") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the path
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise DataError(f"{shorten(str(path), 200)} cannot be read: {reason}") from None


def _refuse_devices(path: str | os.PathLike[str]) -> None:
    """Raise DataError for files that may have no end: devices, sockets, and pipes that have a name.

    A pipe that the shell makes, as in ``--data <(zcat baskets.gz)``, has a writer and no name.
    """
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return  # opening it will raise the error that says why
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode) or (stat.S_ISFIFO(mode) and not os.path.exists(os.path.realpath(path))):
        return
    kind = "a named pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"
    raise DataError(f"{path} is {kind}, not a file; write the data to a file and name that")


def _missing(path: Path) -> str:
    if not os.path.isdir(path.parent):
        return f"{path} does not exist: there is no folder {path.parent}"
    try:
        names = os.listdir(path.parent)
    except OSError:
        names = []
    close = difflib.get_close_matches(path.name, names, n=3)
    hint = f"; did you mean {' or '.join(str(path.with_name(name)) for name in close)}?" if close else ""
    return f"{path} does not exist{hint}"


def _decompress(raw: bytes, path: str | os.PathLike[str]) -> bytes:
    try:
        return gzip.decompress(raw)
    except EOFError:
        raise DataError(f"{path} is a gzip file that ends too early; fetch or pack it again") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path} is a damaged gzip file ({error}); fetch or pack it again") from None


def _decode(raw: bytes, path: str | os.PathLike[str]) -> str:
    place = raw.find(b"\0")
    problem, advice = "is binary: it holds a NUL byte in line {}", "expected plain text, or text in gzip"
    if place < 0:
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            place = error.start
            problem = "is not UTF-8 text: line {} holds the byte 0x" + f"{raw[place]:02x}"
            advice = "save it as UTF-8, for example by: iconv -f latin1 -t utf-8"
    for magic, kind in _ARCHIVES.items():
        if raw.startswith(magic):
            raise DataError(f"{path} is a {kind} file; unpack it first (only gzip is read directly)")
    number = raw.count(b"\n", 0, place) + 1
    raise DataError(f"{path} {problem.format(number)}; {advice}")
