"""The tabs of each release: an older copy has tabs that a later release lacks, and they are not the user's own.

`releases/X.Y.Z.tabs` has the tabs of a release, one a line, beside its marks: title, class and group, which say what
rules hold there. The tabs of the build at hand are those of the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from openpyxl.worksheet.worksheet import Worksheet

from addin.leaving.marks import RELEASES
from model.layout.tab import Context, Tab
from model.workbook import TABS

SUFFIX = ".tabs"


@lru_cache(maxsize=1)
def _released() -> dict[str, tuple[Tab, ...]]:
    """Return the tabs of each release by its version."""
    files = sorted(RELEASES.glob(f"*{SUFFIX}"))
    return {file.name.removesuffix(SUFFIX): tuple(_read(file)) for file in files}


def _read(file: Path) -> Iterator[Tab]:
    for line in file.read_text("utf-8").splitlines():
        title, kind, group = line.split("\t")
        yield Tab(title, kind, group, "", _unwritten)


def _unwritten(_: Worksheet, context: Context) -> None:
    raise NotImplementedError(f"A tab of a release is read, not written again with version {context.made.version}.")


def declared(version: str) -> tuple[Tab, ...]:
    """Return the tabs of a version in their order; those of the build at hand where no such release is known."""
    return _released().get(version, TABS)


def tabs_of(version: str) -> tuple[str, ...]:
    """Return the tabs that a copy of a version has; those of the build at hand where no such release is known."""
    return tuple(tab.name for tab in declared(version))


def every_tab() -> frozenset[str]:
    """Return the tabs of the build at hand and of all releases."""
    return frozenset(tab.name for tabs in (TABS, *_released().values()) for tab in tabs)


def write(file: Path, titles: Iterable[str]) -> None:
    """Write the tabs of a released workbook, built by the model at hand, beside its file of marks."""
    tabs = {tab.name: tab for tab in TABS}
    lines = [f"{title}\t{tabs[title].kind}\t{tabs[title].group}\n" for title in titles]
    file.with_name(f"{file.stem}{SUFFIX}").write_text("".join(lines), "utf-8")
