"""The headings that --columns names: one that no file has is a typo, and would change nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from addin.errors import RequestError
from addin.measured import texts
from addin.measured.records import Options, quoted

_SHOWN = 12  # headings of a message


def check(files: Sequence[Path], options: Options) -> None:
    """Raise RequestError for a heading of --columns that none of the files has; they are the csv of our own."""
    found = dict.fromkeys(head for path in files for head in _of(path, options))
    known = {head.casefold() for head in found}
    for ours, theirs in options.columns:
        if theirs.casefold() in known:
            continue
        what = f"--columns {ours}={quoted(theirs)}"
        if not files:
            raise RequestError(f"{what}: names a column of a csv of your own, and no file is one. Leave it out.")
        shown = ", ".join(quoted(head) for head in list(found)[:_SHOWN])
        raise RequestError(f"{what}: no file has that heading, but {shown}. Name one of these.")


def _of(path: Path, options: Options) -> list[str]:
    line = texts.first_line(path, texts.encoding_of(path, options.encoding))
    (cells,) = texts.cells_of(path, [line], texts.delimiter_of(line))
    return [cell.strip() for cell in cells]
