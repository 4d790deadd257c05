"""`python -m addin measure BOOK FILES...` and `measure-array`: a customer's own estate and an array's own points."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from addin.console import path_of, program
from addin.errors import RequestError
from addin.results import measure_options
from addin.running.documents import EXCEL, FILE, KERNEL, LIBREOFFICE
from addin.shell import cluster_options, json_documents, result_sheet
from addin.workbook.book import SizingBook

MEASURE, ARRAY = "measure", "measure-array"
SUMMARY_OF_ARRAY = "An array's own points from fio, checked with Little's law; the rising branch alone."
_ROW = "My array 1"


def add_measure(sub: argparse.ArgumentParser) -> None:
    """Add what `measure` takes beside the workbook."""
    text = "what perfmon, esxtop, iostat, RVTools and others wrote, or a folder of such files; found by content"
    sub.add_argument("files", type=path_of, nargs="*", metavar="FILE", help=text)
    measure_options.add(sub)
    cluster_options.add(sub, "read the files on the Dask cluster with this scheduler")
    _add_saving(sub)


def add_array(sub: argparse.ArgumentParser) -> None:
    """Add what `measure-array` takes beside the workbook."""
    text = "what fio wrote with --output-format=json, a run or more each"
    sub.add_argument("files", type=path_of, nargs="+", metavar="FILE", help=text)
    text = "latency that the card's point keeps (default: the latency users may see, else the highest point)"
    sub.add_argument("--limit-ms", type=float, metavar="MS", help=text)
    text = f"the empty row of your own arrays (default {_ROW})"
    sub.add_argument("--row", default=_ROW, metavar="NAME", help=text)
    _add_saving(sub)
    sub.add_argument("--json", action="store_true", help="print JSON")


def _add_saving(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--save", type=path_of, metavar="NEW.xlsx", help="write a copy with that row filled; a new file")
    sub.add_argument("--dry-run", action="store_true", help="print what --save would write, and write nothing")


def words(options: argparse.Namespace) -> None:
    """Take every word for a file where the workbook is open: it is the active one, or the one that --book names."""
    if options.engine in (EXCEL, LIBREOFFICE) and options.book is not None:
        options.files, options.book = [options.book, *options.files], options.named and Path(options.named)


def on_a_sheet(options: argparse.Namespace) -> int:
    """Measure for an open or a saved workbook as the button does; without files, the application asks for them."""
    typed = measure_options.taken_out(options)
    if not options.token:  # the button asks for them, in a line
        options.options = typed
    return result_sheet.run(options, FILE if options.engine == KERNEL else options.engine)


def measure(book: SizingBook, options: argparse.Namespace) -> int:
    """Print what files say about an estate; write it into a copy where that is asked for."""
    from concurrent.futures import ThreadPoolExecutor

    from addin.measured import against
    from addin.measured.against_types import with_types
    from addin.measured.series import Readers
    from addin.measured.study import study
    from addin.results import applying, measured_next, measuring, sized
    from addin.shell import against_text, measured_text
    from addin.workbook import outside

    if options.save is not None and not book.is_saved:
        raise RequestError(f"--save: copies a saved workbook. For an open one: {program()} measure FILE... --sheet.")
    if options.save is not None:
        applying.check(book, options.save)
    if not options.files:
        raise RequestError("measure: no file is named. Name those that the customer's tools wrote, or their folder.")
    request = measure_options.request(book, options.files, options)
    design = sized.sized(book, options.sized or sized.BASE) if options.against else None
    with cluster_options.connected(options) as cluster, ThreadPoolExecutor() as executor:
        readers = Readers(cluster, 2 * cluster.threads) if cluster else None  # no worker waits for the next file
        found = study(request, options.waiting.progress, executor, readers)
    held = with_types(against.against(found, design), found) if design else None
    if held:
        held = replace(held, left=(*held.left, *outside.of(book)))
    whole = (found.phases and not found.peaks) or (found.groups and not found.phases)
    wanted = options.save is not None or (options.dry_run and whole)
    written = measuring.profile(book, options.row, found, request, held) if wanted else None
    changes = written.changes if written else []
    if options.json:
        content = {**measured_text.content(found, changes), "against": against_text.content(held) if held else None}
        text = json_documents.text(MEASURE, book, {**content, "joint_rows": written.tab.rows if written else 0})
    else:
        wrote = "\n  ".join([_wrote(options, written.where), *written.words]) if written else ""
        copy = str(options.save or "NEW.xlsx")
        after = measured_next.steps(book, found, written.title, changes, copy) if written else ()
        text = measured_text.text(found, changes, wrote, against_text.text(held) if held else "", after)
    return _end(book, options, [*changes, *(written.tab.changes if written else ())], text)


def measure_array(book: SizingBook, options: argparse.Namespace) -> int:
    """Print an array's points; write them into a copy where that is asked for."""
    from addin.measured import fio, found, texts
    from addin.measured.records import Options, fault
    from addin.results import applying, measuring
    from addin.shell import measured_text

    if options.save is not None:
        applying.check(book, options.save)
    if options.limit_ms is not None and not 0 < options.limit_ms < math.inf:
        raise RequestError(f"--limit-ms {options.limit_ms:g}: expected milliseconds above 0, such as 1.")
    points, known = [], dict[str, Path]()
    files = {path.resolve(): path for path in measure_options.expanded(options.files)}.values()
    for path in sorted(files, key=lambda each: (each.name, str(each))):
        if found.found(path, Options()).kind != found.FIO:
            raise fault(path, "is no JSON of fio", "Run fio with --output-format=json; desktops go to measure")
        if (other := known.setdefault(texts.digest(path), path)) is not path:
            raise fault(path, f"holds the same bytes as {other.name}", "Give it once")
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
