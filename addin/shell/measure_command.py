"""`python -m addin measure BOOK FILES...` and `measure-array`: a customer's own estate and an array's own points."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from addin.errors import RequestError
from addin.reported import plain
from addin.shell import json_documents
from addin.workbook.book import SizingBook

if TYPE_CHECKING:  # numpy, which other commands do not wait for
    from addin.measured.request import Request

MEASURE, ARRAY = "measure", "measure-array"
SUMMARIES = {
    MEASURE: "Demand and groups from a customer's own measurements and inventories, with an error bar.",
    ARRAY: "An array's own points from fio, checked with Little's law; the rising branch alone.",
}
_WINDOWS = ("boot", "login", "logoff", "patching")
_METHODS = ("MCS", "PVS", "full clone", "user data share")


def add_measure(sub: argparse.ArgumentParser) -> None:
    """Add what `measure` takes beside the workbook."""
    _add_files(sub, "what perfmon, esxtop, iostat, RVTools and others wrote; found by content")
    sub.add_argument("--hours", metavar="08:00-18:00", help="hours of work; percentiles mean nothing without hours")
    for name in _WINDOWS:
        sub.add_argument(f"--{name}", metavar="FROM-TO", help=f"the hours of the phase {name}, taken out of the others")
    sub.add_argument("--days", default="mon-fri", metavar="DAYS", help="days that count (default mon-fri)")
    text = "which desktops count, a name or a pattern such as VDI-*; repeatable"
    sub.add_argument("--desktops", action="append", default=[], metavar="NAME", help=text)
    text = "a csv desktop,type,desktops: which desktop is of which type, and how many the estate has"
    sub.add_argument("--types", type=Path, metavar="FILE", help=text)
    sub.add_argument("--zone", metavar="NAME", help="the site's zone, such as Europe/Berlin, for times in UTC")
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
    _add_saving(sub, "profile", "My profile 1")


def add_array(sub: argparse.ArgumentParser) -> None:
    """Add what `measure-array` takes beside the workbook."""
    _add_files(sub, "what fio wrote with --output-format=json, a run or more each")
    text = "latency that the card's point keeps (default: the latency users may see, else the highest point)"
    sub.add_argument("--limit-ms", type=float, metavar="MS", help=text)
    _add_saving(sub, "array", "My array 1")


def _add_files(sub: argparse.ArgumentParser, text: str) -> None:
    sub.add_argument("files", type=Path, nargs="+", metavar="FILE", help=text)


def _add_saving(sub: argparse.ArgumentParser, what: str, row: str) -> None:
    sub.add_argument("--row", default=row, metavar="NAME", help=f"the empty row of your own {what}s (default {row})")
    sub.add_argument("--save", type=Path, metavar="NEW.xlsx", help="write a copy with that row filled; a new file")
    sub.add_argument("--dry-run", action="store_true", help="print what --save would write, and write nothing")
    sub.add_argument("--json", action="store_true", help="print JSON")


def measure(book: SizingBook, options: argparse.Namespace) -> int:
    """Print what files say about an estate; write it into a copy where that is asked for."""
    from concurrent.futures import ThreadPoolExecutor

    from addin.measured import against
    from addin.measured.study import study
    from addin.results import applying, measuring, sized
    from addin.shell import against_text, measured_text

    if options.save is not None:
        applying.check(book, options.save)
    if options.sized is not None and not options.against:
        raise RequestError(f"--sized {options.sized}: says against which design. Add --against.")
    design = sized.sized(book, options.sized or sized.BASE) if options.against else None
    request = _request(book, options)
    with ThreadPoolExecutor() as executor:
        found = study(request, options.waiting.progress, executor)
    held = against.against(found, design) if design else None
    whole = (found.phases and not found.peaks) or (found.groups and not found.phases)
    wanted = options.save is not None or (options.dry_run and whole)
    written = measuring.profile(book, options.row, found, request, held) if wanted else None
    changes = written.changes if written else []
    if options.json:
        content = {**measured_text.content(found, changes), "against": against_text.content(held) if held else None}
        text = json_documents.text(MEASURE, book, {**content, "joint_rows": written.tab.rows if written else 0})
    else:
        where = options.row if found.phases else "User groups"
        wrote = "\n  ".join([_wrote(options, where), *written.words]) if written else ""
        text = measured_text.text(found, changes, wrote, against_text.text(held) if held else "")
    return _end(book, options, [*changes, *(written.tab.changes if written else ())], text)


def measure_array(book: SizingBook, options: argparse.Namespace) -> int:
    """Print an array's points; write them into a copy where that is asked for."""
    from addin.measured import fio, found
    from addin.measured.records import Options, fault
    from addin.results import applying, measuring
    from addin.shell import measured_text

    if options.save is not None:
        applying.check(book, options.save)
    points = []
    for path in sorted(_expanded(options.files), key=lambda each: (each.name, str(each))):
        if found.found(path, Options()).kind != found.FIO:
            raise fault(path, "is no JSON of fio", "Run fio with --output-format=json; desktops go to measure")
        points += fio.read(path)
    limit = measuring.typed(book, "latency_limit_ms") if options.limit_ms is None else options.limit_ms
    changes = measuring.card(book, options.row, points, limit) if options.save is not None or options.dry_run else []
    wrote = _wrote(options, options.row)
    if options.json:
        text = json_documents.text(ARRAY, book, measured_text.points_content(points, changes))
    else:
        text = measured_text.points_text(points, changes, wrote)
    return _end(book, options, changes, text)


def _wrote(options: argparse.Namespace, where: str) -> str:
    if options.dry_run or options.save is None:
        return f"Would be written into {where} (nothing is, --dry-run)"
    return f"Written into {where} of {options.save}"


def _end(book: SizingBook, options: argparse.Namespace, changes: Sequence[object], text: str) -> int:
    """Write the copy where one is asked for, then print."""
    from addin.results import measuring

    if options.save is not None and not options.dry_run:
        measuring.save(book, changes, options.save)  # type: ignore[arg-type]
    options.waiting.end()
    print(text)
    return 0


def _request(book: SizingBook, options: argparse.Namespace) -> Request:
    """Return what was typed as a study takes it. Raises RequestError."""
    from addin.measured import statistics, times, types
    from addin.measured.records import Options
    from addin.measured.request import Request
    from addin.measured.windows import STEADY, plan
    from addin.results import measuring

    typed = {STEADY: options.hours, **{name: getattr(options, name) for name in _WINDOWS}}
    windows = {name: text for name, text in typed.items() if text}
    if options.design not in statistics.STATISTICS:
        raise RequestError(f"--design {options.design}: expected {', '.join(statistics.STATISTICS)}. Choose one.")
    if options.method is not None and options.method not in _METHODS:
        raise RequestError(f"--method {options.method}: expected one of {', '.join(_METHODS)}. Choose one.")
    zone = times.zone(options.zone) if options.zone else None
    columns = tuple(_column(each) for each in options.columns)
    if windows and STEADY not in windows:
        raise RequestError("--hours: the hours of work are needed beside those of other phases, such as 08:00-18:00.")
    return Request(
        tuple(_expanded(options.files)),
        Options(tuple(options.desktops), zone, options.encoding, columns),
        plan(windows, options.days, options.smooth) if windows else None,
        types.read(options.types, options.encoding) if options.types else types.Types(),
        measuring.typed(book, "desktops") or 1.0,
        options.design,
        _share(options.coverage),
        options.keep_first_days,
        measuring.typed(book, "write_weight") or 2.7,
        options.method or "",
        plain(options.system),
        options.rows,
        options.seed,
    )


def _column(text: str) -> tuple[str, str]:
    """Return our name of a column and theirs. Raises RequestError."""
    from addin.measured.generic import DESKTOP, RATES, SECONDS, TIME

    ours, equals, theirs = text.partition("=")
    known = (TIME, DESKTOP, SECONDS, *RATES)
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


def _expanded(files: Sequence[Path]) -> list[Path]:
    """Return the files of patterns that a shell of Windows leaves as they are. Raises RequestError for one without."""
    found: list[Path] = []
    for path in files:
        if any(letter in path.name for letter in "*?[") and not path.exists():
            inside = sorted(path.parent.glob(path.name))
            if not inside:
                raise RequestError(f"{path}: no file fits it. Look at the folder.")
            found += inside
        else:
            found.append(path)
    return found
