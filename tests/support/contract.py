"""One script of operations on an open workbook, as commands use xlwings, and the workbooks it runs on."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType

import xlwings as xw
from openpyxl import Workbook
from openpyxl.chart import BarChart, LineChart, Reference
from openpyxl.styles import Font, PatternFill, Protection
from openpyxl.workbook.defined_name import DefinedName

from addin.errors import AddinError
from addin.kernel import Address, Cells
from addin.workbook import insertion
from addin.xlsx.package import read_parts

NAME = "Acme quote=v2 (final) ü.xlsx"
DAY, NEXT_DAY = datetime.datetime(2026, 11, 21), datetime.datetime(2026, 11, 22)
MOMENT = datetime.datetime(2026, 11, 21, 18, 30)
Observation = tuple[str, object]


def sizing(folder: Path) -> Path:
    """Write a workbook with inputs, protected sheets, names, and a cell of every kind."""
    book = Workbook()
    inputs = book.active
    inputs.title = "Inputs"
    rows = [
        ("Desktops", 1500),
        ("Array", "Kaminario K2"),
        ("Ordered", DAY),
        ("Growth", True),
        ("Share", 0.25),
        ("Note", None),
        ("Empty text", ""),
        ("Looks like a number", "007"),
        ("Umlauts", "  Zürich & <Köln>  "),
    ]
    for row, (label, value) in enumerate(rows, 2):
        inputs.cell(row, 1, label)
        cell = inputs.cell(row, 2, value)
        cell.protection = Protection(locked=False)
    inputs["B4"].number_format, inputs["B6"].number_format = "yyyy-mm-dd", "0.0%"
    inputs.protection.sheet = True
    calc = book.create_sheet("Calc sheet")
    formulas = {
        "B2": "=ROUNDUP(In_desktops*Inputs!$B$6/100,0)",
        "B3": "=B2*2",
        "B4": '=IF(B2>3,"many",0)',
        "B5": "=1/0",
        "B6": "=NA()",
        "B7": "=Inputs!B4+1",
        "B8": "=B2>3",
        "B9": "=SUM(B2:B3)",
        "B10": '=""',
        "B11": "=_xlfn.NORM.S.INV(0.975)",
        "B12": '=Inputs!B3&" & co"',
        "D2": 0.1,
        "D4": 12345678.25,
    }
    for reference, formula in formulas.items():
        calc[reference] = formula
    calc["B7"].number_format = "yyyy-mm-dd"
    calc.protection.sheet = True
    calc.print_title_rows = "1:1"
    free = book.create_sheet("Free")
    free["C3"] = "x"
    book.defined_names["In_desktops"] = DefinedName("In_desktops", attr_text="Inputs!$B$2")
    book.defined_names["Out_total"] = DefinedName("Out_total", attr_text="'Calc sheet'!$B$3")
    book.defined_names["Tbl_block"] = DefinedName("Tbl_block", attr_text="'Calc sheet'!$B$2:$D$4")
    path = folder / NAME
    book.save(path)
    return path


def results(folder: Path) -> Path:
    """Write a drawn result sheet with formats and two charts."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Risk"
    sheet["A1"] = "Risk"
    sheet["A1"].font, sheet["A1"].fill = Font(bold=True, size=14), PatternFill("solid", fgColor="FF1F3A5F")
    for row in range(2, 12):
        sheet.cell(row, 1, f"P{row}")
        sheet.cell(row, 2, row / 4).number_format = "#,##0.00"
    for chart, anchor in ((BarChart(), "D2"), (LineChart(), "D20")):
        chart.add_data(Reference(sheet, min_col=2, min_row=2, max_row=11))
        chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=11))
        sheet.add_chart(chart, anchor)
    path = folder / "results drawn.xlsx"
    book.save(path)
    return path


def refusal(act: Callable[[], object]) -> str:
    """Return the message of an act that is refused, which is an AddinError always; "done" for any other."""
    try:
        act()
    except AddinError as error:
        return str(error)
    return "done"


def script(app: xw.App, source: Path, drawn: Path, target: Path) -> Iterator[Observation]:
    """Open, read, write, copy, save and reopen; yield what can be seen on the way."""
    book = app.books.open(source)
    yield from reading(book)
    yield from writing(book)
    yield from replacing(book, drawn)
    yield from sheets(app, book, drawn)
    yield from state(app, book)
    book.save(target)
    yield "saved as", (book.name, Path(book.fullname) == target)
    book.close()
    yield "closed", [opened.name for opened in app.books]
    again = app.books.open(target)
    for sheet in again.sheets:
        area = sheet.used_range
        yield f"reopened {sheet.name}", (area.address, block(area), formulas(area))
    yield "reopened names", named(again)
    again.close()


def block(cells: xw.Range) -> object:
    """Return values as the commands read them."""
    return cells.options(ndim=2, err_to_str=True).value


def formulas(cells: xw.Range) -> object:
    """Return formulas with the rows as lists."""
    texts = cells.formula
    return [list(row) for row in texts] if isinstance(texts, tuple | list) else texts


def named(book: xw.Book) -> object:
    """Return the defined names that people see, in any order."""
    return sorted((name.name, name.refers_to) for name in book.names if "!" not in name.name)


def reading(book: xw.Book) -> Iterator[Observation]:
    """What an untouched workbook shows."""
    yield "book", (book.name, Path(book.fullname).name, [sheet.name for sheet in book.sheets], len(book.sheets))
    yield "index", [(sheet.index, book.sheets[sheet.index - 1].name) for sheet in book.sheets]
    yield "sheet by name", book.sheets["calc SHEET"].name
    yield "names", named(book)
    yield "name", (book.names["In_desktops"].refers_to, "Out_none" in book.names, "in_DESKTOPS" in book.names)
    cell = book.names["Out_total"].refers_to_range
    yield "named cell", (cell.sheet.name, cell.address, cell.row, cell.column, cell.shape, cell.value)
    yield "named block", (book.names["Tbl_block"].refers_to_range.address, block(book.sheets[1].range("Tbl_block")))
    for sheet in book.sheets:
        area = sheet.used_range
        yield f"used range of {sheet.name}", (area.address, area.shape, area.last_cell.address)
        yield f"values of {sheet.name}", block(area)
        yield f"formulas of {sheet.name}", formulas(area)
    inputs, calc = book.sheets["Inputs"], book.sheets["Calc sheet"]
    yield "one cell", (inputs["B2"].value, inputs["B2"].formula, inputs[1, 0].value, inputs.range((3, 2)).value)
    yield "one row", (inputs["A2:B2"].value, formulas(inputs["A2:B2"]))
    yield "one column", (inputs["A2:A4"].value, formulas(inputs["A2:A4"]))
    yield "errors are None", calc["B5:B6"].value
    yield "errors as text", calc["B5:B6"].options(err_to_str=True).value
    yield "blank", (inputs["B7"].value, inputs["B8"].value, inputs["B7"].options(empty="-").value, inputs["Z9"].formula)
    yield "text formula", (calc["B10"].value, calc["B10"].formula)
    yield "types", [type(value).__name__ for value in (*inputs["B2:B6"].value, calc["B8"].value)]
    yield "dates", (inputs["B4"].value, calc["B7"].value, inputs["B4"].options(dates=datetime.date).value)
    yield (
        "addresses",
        [
            inputs["A2:B3"].address,
            inputs["B2"].address,
            inputs.range((1, 1), (2, 3)).address,
            inputs["B2"].offset(1, -1).address,
            inputs["B2"].resize(2, 3).address,
            inputs["A2:B3"][1, 1].address,
            inputs["A2:B3"].columns[1].address,
        ],
    )
    yield (
        "number format",
        (inputs["B4"].number_format.lower(), inputs["B6"].number_format, inputs["B2:B6"].number_format),
    )


def writing(book: xw.Book) -> Iterator[Observation]:
    """What changes when cells are written, and what refuses to."""
    inputs, calc, free = (book.sheets[name] for name in ("Inputs", "Calc sheet", "Free"))
    yield "locked value", refusal(lambda: setattr(calc["B3"], "value", 5))
    yield "locked formula", refusal(lambda: setattr(calc["B3"], "formula", "=1"))
    yield "locked block", refusal(lambda: setattr(inputs["A2"], "value", [["Desks", 1], ["Box", 2]]))
    yield "locked clear", refusal(lambda: setattr(calc["B2:B3"], "value", None))
    yield "nothing written", (block(inputs["A2:B3"]), block(calc["B2:B3"]))
    inputs["B2"].value = 4400
    inputs["B3"].value = "Nimble"
    yield "input written", (inputs["B2"].value, block(calc["B2:B12"]))
    inputs["B2"].value = None
    yield "input cleared", (inputs["B2"].value, inputs["B2"].formula, calc["B2"].value)
    inputs["B2"].formula = "=1000+500"
    yield "input computed", (inputs["B2"].value, inputs["B2"].formula, calc["B3"].value)
    free["A1"].value = [["Label", 1, 2.5, True], [None, "", "'=A1", "'007"], [DAY, MOMENT, "=B1*2", "#N/A"]]
    yield "block written", (block(free["A1:D3"]), formulas(free["A1:C3"]), formulas(free["D2:D3"]))
    yield "formats of dates", (free["A3"].value, free["B3"].value, free["C3"].value)
    free["A5:B6"].value = 7
    free["A7:B8"].formula = "=B1+1"
    yield "filled", (block(free["A5:B8"]), formulas(free["A5:B8"]))
    free["A10"].options(transpose=True).value = ["one", "two"]
    free["E1"].value = ["1e3", "5", "TRUE", "x5"]
    yield "typed", (block(free["A10:A11"]), block(free["E1:H1"]))
    free["A5:B6"].value = None
    free["B1"].number_format = "0.00%"
    yield "cleared", (block(free["A5:B6"]), free["B1"].number_format, free["B1"].value, free.used_range.address)
    free["A13"].value = [[f"row {row}", *(row / 8 + column for column in range(9))] for row in range(200)]
    yield "large block", (free["A13:J212"].shape, block(free["A212:J212"]), free.used_range.address)


def replacing(book: xw.Book, drawn: Path) -> Iterator[Observation]:
    """What reads a result sheet when that is replaced."""
    package, free = read_parts(drawn), book.sheets["Free"]
    nothing = Cells(MappingProxyType({}), MappingProxyType({}), ())
    yield "placed", insertion.insert_sheet(book, package, "Risk", "Risk", nothing)
    texts = {"L1": "=Risk!B3*2", "L2": '="Risk!B3"&Risk!A3', "L3": "=My_cell"}
    for address, text in texts.items():
        free[address].formula = text
    book.names.add("My_cell", "=Risk!$B$4")
    known = {Address("Free", row, 12): text for row, text in enumerate(texts.values(), 1)}
    names = MappingProxyType({"My_cell": "Risk!$B$4"})
    for turn in ("again", "once more"):
        book.sheets["Risk"]["B3"].value = 99
        yield (
            f"placed {turn}",
            insertion.insert_sheet(book, package, "Risk", "Risk", Cells(MappingProxyType(known), names, ())),
        )
        yield f"followed {turn}", (formulas(free["L1:L3"]), block(free["L1:L3"]), book.names["My_cell"].refers_to)
    free["L1:L3"].value = None
    book.names["My_cell"].delete()
    book.sheets["Risk"].delete()


def sheets(app: xw.App, book: xw.Book, drawn: Path) -> Iterator[Observation]:
    """What happens to the list of sheets, within the workbook and from another one."""

    def order() -> list[str]:
        return [sheet.name for sheet in book.sheets]

    added = book.sheets.add("Added", after=book.sheets["Free"])
    added["B2"].value = 3
    yield "added", (order(), book.sheets.active.name, added.used_range.address, added.used_range.value)
    book.sheets.add("First", before=book.sheets[0])
    book.sheets.add(after=book.sheets["First"])
    yield "added before", (order(), book.sheets.active.name)
    source = app.books.open(drawn)
    yield "books", sorted(opened.name for opened in app.books)
    copied = source.sheets["Risk"].copy(after=book.sheets["Free"])
    yield "copied", (copied.name, copied.index, order(), block(copied.used_range), copied["B2"].number_format)
    again = source.sheets[0].copy(before=book.sheets["Inputs"], name="Risk of 'us' & them")
    third = source.sheets[0].copy(after=book.sheets[-1])
    source.close()
    yield "copied again", (again.name, third.name, order())
    third.delete()
    copied["B2"].value = [[10.5], [20.25]]
    copied["C2"].formula = "=B2+B3"
    yield "copy filled", (block(copied["A1:C3"]), copied["B2"].number_format)
    added["B3"].formula = "=Risk!C2*2"
    added["B4"].formula = "=Risk!C2"
    copied.name = "Old risk"
    yield "renamed", (order(), formulas(added["B3"]), added["B3"].value)
    book.sheets["Sheet1"].delete()
    book.sheets["First"].delete()
    yield "deleted", (order(), "First" in [sheet.name for sheet in book.sheets])
    yield "no such sheet", refusal_of_lookup(book)
    copied.delete()
    yield "deleted while read", (order(), added["B4"].options(err_to_str=True).value)
    added["B3:B4"].value = None  # how a lost reference is written differs


def refusal_of_lookup(book: xw.Book) -> bool:
    """Return whether a sheet that is not there raises."""
    try:
        book.sheets["First"]
    except Exception:
        return True
    return False


def state(app: xw.App, book: xw.Book) -> Iterator[Observation]:
    """What the application shows and remembers."""
    book.sheets["Inputs"].activate()
    book.sheets["Inputs"]["B2:B3"].select()
    selected = book.selection
    yield "selection", (book.sheets.active.name, selected and selected.address, selected and selected.sheet.name)
    app.screen_updating = False
    app.status_bar = "12 % done"
    yield "status", (app.screen_updating, app.status_bar)
    app.status_bar = False
    app.screen_updating = True
    yield "status back", (app.screen_updating, app.status_bar)
    yield "calculation", app.calculation
    with app.properties(calculation="manual"):
        yield "calculation off", app.calculation
    yield "calculation back", app.calculation
    app.calculate()
    yield "books at the end", (app.books.active.name, [opened.name for opened in app.books])
