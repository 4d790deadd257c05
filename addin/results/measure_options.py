"""What people type to have an estate measured: options of the shell, and the same words in the line of a button.

hours 08:00-18:00 days mon-fri desktops "VDI-*"        the line; dashes before a name may be typed too
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from addin.console import path_of
from addin.errors import RequestError
from addin.reported import plain
from addin.workbook.book import SizingBook

if TYPE_CHECKING:  # numpy, which other commands do not wait for
    from addin.measured.request import Request

READ = (_DESKTOPS, _WEIGHT) = ("desktops", "write_weight")  # inputs of the workbook that a study takes
_WINDOWS = ("boot", "login", "logoff", "patching")
_METHODS = ("MCS", "PVS", "full clone", "user data share")


def add(sub: argparse.ArgumentParser) -> None:
    """Add the options that say how files are measured."""
    sub.add_argument(
        "--hours", metavar="08:00-18:00", help="hours of work; may be left out where another phase has hours"
    )
    for name in _WINDOWS:
        sub.add_argument(f"--{name}", metavar="FROM-TO", help=f"the hours of the phase {name}, taken out of the others")
    sub.add_argument("--days", default="mon-fri", metavar="DAYS", help="days that count (default mon-fri)")
    text = "which desktops count, a name or a pattern such as VDI-*; repeatable"
    sub.add_argument("--desktops", action="append", default=[], metavar="NAME", help=text)
    text = "a csv desktop,type,desktops: which desktop is of which type, and how many the estate has"
    sub.add_argument("--types", type=path_of, metavar="FILE", help=text)
    sub.add_argument(
        "--zone", metavar="NAME", help="the site's zone, such as Europe/Berlin, for times with Z or an offset"
    )
    sub.add_argument("--encoding", default="", metavar="NAME", help="the code page of files that are not in UTF-8")
    text = "what a column of the csv is called there, such as reads='Disk Reads/sec'; repeatable"
    sub.add_argument("--columns", action="append", default=[], metavar="OURS=THEIRS", help=text)
    sub.add_argument("--smooth", type=int, default=30, metavar="MIN", help="minutes of the design bin (default 30)")
    text = "the design bin: max (default), or p99 or p95 over bins"
    sub.add_argument("--design", default="max", metavar="NAME", help=text)
    text = "bins that a desktop must have (default 90%%); others are left out"
    sub.add_argument("--coverage", default="90%", metavar="SHARE", help=text)
    text = "count the first two days of a desktop too: these ran before they were measured"
    sub.add_argument("--keep-first-days", action="store_true", help=text)
    sub.add_argument("--method", metavar="NAME", help=f"provisioning they were measured under: {', '.join(_METHODS)}")
    sub.add_argument("--system", default="", metavar="TEXT", help="system they were measured under, such as W11")
    text = "after go-live: measured beside what the workbook sized, phase by phase, and the corrected profile"
    sub.add_argument("--against", action="store_true", help=text)
    text = "with --against: base (default), or what a what-if is called, such as 'What-if 1'"
    sub.add_argument("--sized", metavar="NAME", help=text)
    sub.add_argument("--rows", type=int, default=200, metavar="N", help="joint rows of the bootstrap (200 to 1,000)")
    sub.add_argument("--seed", type=int, default=1, metavar="N", help="same seed, same figures (default 1)")
    sub.add_argument("--row", metavar="NAME", help="the empty row of your own profiles (default the first one)")


class _Line(argparse.ArgumentParser):
    """The parser of a line. Raises RequestError."""

    def error(self, message: str) -> NoReturn:
        raise RequestError(f"{message}. Type names with their values, such as hours 08:00-18:00 desktops VDI-*.")


def _parser() -> argparse.ArgumentParser:
    parser = _Line(add_help=False, allow_abbrev=False)
    add(parser)
    return parser


def of_line(line: str, folder: Path) -> argparse.Namespace:
    """Return the options in a line of a button; files of it are in the workbook's folder. Raises RequestError."""
    parser = _parser()
    known = {name.removeprefix("--"): name for action in parser._actions for name in action.option_strings}
    try:
        words = (word.rstrip(",") for word in _words(line))  # people part what they list with commas
        typed = parser.parse_args([known.get(word, word) for word in words if word])
    except argparse.ArgumentError as error:
        parser.error(str(error))
    if typed.types is not None:
        typed.types = folder / typed.types
    return typed


def _words(line: str) -> Iterator[str]:
    """Yield the words of a line; double quotes hold one together, and a backslash is a letter of a path."""
    words = shlex.shlex(line, posix=True, punctuation_chars=False)
    words.whitespace_split, words.escape, words.quotes, words.commenters = True, "", '"', ""
    try:
        yield from words
    except ValueError:
        raise RequestError(f"{line!r}: a quote is open. Close it.") from None


def taken_out(options: argparse.Namespace) -> argparse.Namespace:
    """Take the options of `add` out of those of a shell, and return them."""
    names = [action.dest for action in _parser()._actions]
    taken = argparse.Namespace(**{name: getattr(options, name) for name in names})
    for name in names:
        delattr(options, name)
    return taken


def request(book: SizingBook, files: Sequence[Path], options: argparse.Namespace) -> Request:
    """Return what was typed as a study takes it. Raises RequestError."""
    from addin.measured import statistics, times, types
    from addin.measured.records import Options
    from addin.measured.request import Request
    from addin.measured.windows import STEADY, plan
    from addin.results import measuring

    typed = {STEADY: options.hours, **{name: getattr(options, name) for name in _WINDOWS}}
    windows = {name: text for name, text in typed.items() if text}
    if options.sized is not None and not options.against:
        raise RequestError(f"--sized {options.sized}: says against which design. Add --against.")
    if options.design not in statistics.STATISTICS:
        raise RequestError(f"--design {options.design}: expected {', '.join(statistics.STATISTICS)}. Choose one.")
    if options.method is not None and options.method not in _METHODS:
        raise RequestError(f"--method {options.method}: expected one of {', '.join(_METHODS)}. Choose one.")
    if options.types is not None and not options.types.exists():
        raise RequestError(f"--types {options.types}: there is no such file. Name a csv with the columns desktop,type.")
    _check_draws(options.rows, options.seed)
    zone = times.zone(options.zone) if options.zone else None
    columns = tuple(_column(each) for each in options.columns)
    return Request(
        tuple(expanded(files)),
        Options(tuple(options.desktops), zone, options.encoding, columns),
        plan(windows, options.days, options.smooth) if windows else None,
        types.read(options.types, options.encoding) if options.types else types.Types(),
        measuring.typed(book, _DESKTOPS) or 1.0,
        options.design,
        _share(options.coverage),
        options.keep_first_days,
        measuring.typed(book, _WEIGHT) or 2.7,
        options.method or "",
        plain(options.system),
        options.rows,
        options.seed,
    )


def _check_draws(rows: int, seed: int) -> None:
    """Raise RequestError for joint rows or a seed that no bootstrap takes, also where none is drawn."""
    from addin.measured.bootstrap import LEAST, MOST

    if not LEAST <= rows <= MOST:
        raise RequestError(f"--rows {rows}: expected {LEAST} to {MOST:,} rows. Leave it out for {LEAST}.")
    if seed < 0:
        raise RequestError(f"--seed {seed}: expected 0 or more. Any whole number does.")


def _column(text: str) -> tuple[str, str]:
    """Return our name of a column and theirs. Raises RequestError."""
    from addin.measured.generic import DESKTOP, SECONDS, TIME
    from addin.measured.rates import NAMES

    ours, equals, theirs = text.partition("=")
    known = (TIME, DESKTOP, SECONDS, *NAMES)
    if not equals or ours.strip() not in known or not theirs.strip():
        raise RequestError(f"--columns {text}: expected OURS=THEIRS, and one of {', '.join(known)} on the left.")
    return ours.strip(), theirs.strip().strip("'\"")


def _share(text: str) -> float:
    number = text.strip().removesuffix("%")
    try:
        share = float(number) / (100 if text.strip().endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 < share <= 1:
        raise RequestError(f"--coverage {text}: expected a share above 0 %, at most 100 %, such as 90%.")
    return share


def expanded(files: Sequence[Path]) -> list[Path]:
    """Return files, with those of folders and of patterns that a shell of Windows leaves as they are.

    Raises RequestError for a folder or a pattern without a file.
    """
    found: list[Path] = []
    for path in files:
        if path.is_dir():
            inside = sorted(each for each in path.rglob("*") if each.is_file() and not _hidden(each, path))
            if not inside:
                raise RequestError(f"{path}: is a folder. Name a file, or a folder that holds some.")
            found += inside
        elif any(letter in path.name for letter in "*?[") and not path.exists():
            inside = sorted(path.parent.glob(path.name))
            if not inside:
                raise RequestError(f"{path}: no file fits it. Look at the folder.")
            found += inside
        else:
            found.append(path)
    return found


def _hidden(path: Path, folder: Path) -> bool:
    """Return whether a file below a folder is one of the system, or what an office leaves beside an open one."""
    parts = path.relative_to(folder).parts
    return any(part.startswith((".", "~$")) for part in parts) or path.name in ("Thumbs.db", "desktop.ini")
