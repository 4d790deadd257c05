"""The workbook as the sources make it, assembled once for all tests; a test that changes it has its own.

`reference` is the same workbook with the design of the papers typed into it: what tests start from whose figures were
worked out by hand from NTP's full clones.
"""

import gc
import pickle
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from openpyxl import Workbook

import build
from addin.kernel import Address, Cells
from model.layout.grid import BASE
from model.provenance import provenance
from model.reading.read import read
from model.workbook import Built, assemble
from tests.support.kept import kept

REFERENCE: Mapping[str, str | float] = {  # 1,500 full clones on the AFF8040: the throttle of K2, the window of CML
    "desktops": 1500.0,
    "design_year": 2016.0,
    "failover": "no",
    "array_price": 103974.0,  # the vendor's claim (39 USD for each of 2,666 desktops), typed as a quote
    "array": "NetApp AFF8040",
    "profile": "Office worker full clone Monday (NTP 2016)",
    "provisioning": "Full clone",
    "ram_gib": 2.0,
    "write_cache_gib": 2.0,
    "image_gib": 25.0,
    "disk_gib": 32.0,
    "data_reduction_ratio": 8.0,  # clones just made, before patches part them
    "start_rate_per_min": 100.0,
    "login_window_min": 45.0,
    "login_duration_s": 2700.0,
}


@cache
def built() -> Built:
    """Return the workbook, without stored results."""
    return replace(_made(), workbook=fresh())


@cache
def reference() -> Built:
    """Return the workbook with the reference design typed in, without stored results."""
    return with_reference(_copy())


@cache
def built_cells() -> Cells:
    """Return its cells, as the kernel reads them: once for all tests, which also share what its formulas read."""
    return Cells.from_openpyxl(built().workbook)


@cache
def reference_cells() -> Cells:
    """Return the cells of the workbook with the reference design."""
    return Cells.from_openpyxl(reference().workbook)


def with_reference(made: Built) -> Built:
    """Type the reference design into the base column of a workbook, and empty its what-ifs."""
    for each in made.data.alternatives:
        sheet, row = made.layout.inputs[each.key]
        made.workbook[sheet].cell(row, BASE + int(each.what_if)).value = None
    for key, value in REFERENCE.items():
        sheet, cell = made.layout.typed(key)
        made.workbook[sheet][cell].value = value
    return made


def errors_raised(made: Built) -> Address:
    """Return the cell that counts the errors which checks raise."""
    return Address.from_a1(str(made.workbook.defined_names["Chk_Master"].attr_text).replace("$", ""))


@cache
def _pickled() -> tuple[bytes, bytes]:
    """Return what was built, but for the workbook, and the workbook."""

    def assembled() -> bytes:
        made = assemble(read(), provenance())
        return pickle.dumps((pickle.dumps(replace(made, workbook=Workbook())), pickle.dumps(made.workbook)))

    rest, workbook = pickle.loads(kept("built", assembled))
    return rest, workbook


@cache
def _made() -> Built:
    made: Built = pickle.loads(_pickled()[0])
    return made


def fresh() -> Workbook:
    """Return the workbook to change, or to save, as that changes it too; ten times as fast as assembling it."""
    looked_for = gc.isenabled()
    gc.disable()  # half a million new objects, none of them garbage: the search for it takes longer than reading them
    try:
        workbook: Workbook = pickle.loads(_pickled()[1])
    finally:
        if looked_for:
            gc.enable()
    for sheet in workbook.worksheets:  # what makes a row or column that is asked for does not travel
        sheet.row_dimensions.default_factory = sheet._add_row
        sheet.column_dimensions.default_factory = sheet._add_column
    return workbook


def _finished(made: Built) -> bytes:
    """Return a workbook with its results, byte for byte as a build writes it."""
    with tempfile.TemporaryDirectory() as folder:
        made.workbook.save(draft := Path(folder) / f"{build.NAME}.xlsx")
        build.finish(made, draft, build.computed(draft)[1])
        return draft.read_bytes()


def write(folder: Path) -> Path:
    """Write the workbook with its results, as a build does; return its path."""
    (path := folder / f"{build.NAME}.xlsx").write_bytes(kept("shipped", lambda: _finished(_copy())))
    return path


def write_reference(folder: Path) -> Path:
    """Write the workbook with the reference design and its results; return its path."""
    (path := folder / f"{build.NAME}.xlsx").write_bytes(reference_bytes())
    return path


def write_draft(folder: Path) -> Path:
    """Write the workbook with the reference design, without results; return its path."""
    (path := folder / f"{build.NAME}.xlsx").write_bytes(kept("draft", lambda: _saved(reference())))
    return path


def _saved(made: Built) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        made.workbook.save(path := Path(folder) / f"{build.NAME}.xlsx")
        return path.read_bytes()


@cache
def reference_bytes() -> bytes:
    """Return that file."""
    return kept("reference", lambda: _finished(with_reference(_copy())))


def _copy() -> Built:
    return replace(built(), workbook=fresh())
