"""An Excel that is busy: workbooks of the file engine behind the very code with which xlwings drives Excel on Windows.

    xlwings' Windows module (its own retries included) -> stand-ins for pywin32 -> a fake Excel -> the file engine

Every call and property asks a schedule first, which may refuse it with a code. Time is the fake's own: it passes with
each call and while somebody sleeps.
"""

from __future__ import annotations

import random
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
import xlwings as xw

from addin import excel
from addin.results import kept
from tests.support import opened, windows_xlwings
from tests.support.windows_xlwings import HWND, CDispatch, ComError

NAME_TAKEN = 0x800A03EC
Schedule = Callable[["Excel"], int | None]


def signed(code: int) -> int:
    """Return a code as pywin32 gives it."""
    return code - (1 << 32) if code >> 31 else code


class Excel:
    """The application: open workbooks, the schedule of its refusals, its clock."""

    current: ClassVar[Excel]  # the one that runs

    def __init__(self, path: Path, schedule: Schedule, address: str = "") -> None:
        book = opened.opened(path)
        self.file, self.impl, self.address = book, book.app.impl, address
        self.schedule, self.now, self.calls, self.slept = schedule, 0.0, 0, 0.0
        self.member = ""  # that is asked for
        self.computed = 0.0  # when a test's command had its result
        self.lines: list[object] = []  # of the status bar
        self.screen = self.alerts = True
        self.rng = random.Random(0)
        Excel.current = self
        windows_xlwings.running[:] = [Application(self.impl)]

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept += seconds

    def answer(self, member: str, look_up: bool = False) -> None:
        """Let a call pass, or refuse it as pywin32 does: with its code, or at the look-up of a name without one."""
        self.member = member
        self.calls += 1
        self.now += 0.001
        code = self.schedule(self)
        if code is None:
            return
        if look_up and code == excel.REJECTED and self.rng.random() < 0.5:
            raise AttributeError("refused")
        if code == excel.IGNORED and self.rng.random() < 0.5:
            raise ComError(signed(0x80020009), (0, None, None, None, 0, signed(code)))
        raise ComError(signed(code))


class Com(CDispatch):
    """An object of Excel: `get_Name` and `set_Name` are its properties, `do_Name` its methods, `item` its call."""

    def __init__(self, of: Any) -> None:
        object.__setattr__(self, "of", of)

    @property
    def _oleobj_(self) -> SimpleNamespace:
        return SimpleNamespace(GetIDsOfNames=lambda _, name: self._known(name))

    def _known(self, name: str) -> int:
        Excel.current.answer("GetIDsOfNames")
        if not any(hasattr(type(self), f"{kind}_{name}") for kind in ("get", "do")):
            raise ComError(signed(0x80020006))  # DISP_E_UNKNOWNNAME
        return 1

    def __getattr__(self, name: str) -> Any:
        method, read = getattr(type(self), f"do_{name}", None), getattr(type(self), f"get_{name}", None)
        if method is not None:

            def called(this: Com, *arguments: Any, **named: Any) -> Any:
                Excel.current.answer(name)
                return method(this, *arguments, **named)

            return types.MethodType(called, self)
        if read is None:
            raise AttributeError(name)
        Excel.current.answer(name, look_up=True)
        return read(self)

    def __setattr__(self, name: str, value: Any) -> None:
        Excel.current.answer(f"{name} =", look_up=True)
        getattr(type(self), f"set_{name}")(self, value)

    def __call__(self, *arguments: Any) -> Any:
        Excel.current.answer("Item")
        return self.item(*arguments)

    def __iter__(self) -> Iterator[Any]:
        try:
            Excel.current.answer("_NewEnum")
        except ComError:
            raise TypeError("This object does not support enumeration") from None  # which pywin32 makes of it
        for number in range(len(self.of)):
            yield self(number + 1)

    def get_Application(self) -> Com:
        return Application(Excel.current.impl)

    def get_Count(self) -> int:
        return len(self.of)


class Application(Com):
    """The application."""

    def get_Hwnd(self) -> int:
        return HWND

    def get_Workbooks(self) -> Com:
        return Workbooks(self.of.books)

    def get_ActiveWorkbook(self) -> Com:
        return Workbook(self.of.books.active)

    def get_Selection(self) -> Com:
        return Range(self.of.selection)

    def get_StatusBar(self) -> object:
        return Excel.current.lines[-1] if Excel.current.lines else False

    def set_StatusBar(self, value: object) -> None:
        Excel.current.lines.append(value)

    def get_ScreenUpdating(self) -> bool:
        return Excel.current.screen

    def set_ScreenUpdating(self, value: bool) -> None:
        Excel.current.screen = value

    def get_DisplayAlerts(self) -> bool:
        return Excel.current.alerts

    def set_DisplayAlerts(self, value: bool) -> None:
        Excel.current.alerts = value

    def get_Calculation(self) -> int:
        return -4105


class Workbooks(Com):
    """The open workbooks."""

    def item(self, key: int | str) -> Com:
        try:
            return Workbook(self.of(key))
        except KeyError:
            raise ComError(signed(0x8002000B)) from None  # DISP_E_BADINDEX

    def do_Open(self, path: str, *_: Any) -> Com:
        return Workbook(self.of.open(path))


class Workbook(Com):
    """A workbook."""

    def get_Name(self) -> str:
        return str(self.of.name)

    def get_FullName(self) -> str:
        return Excel.current.address or str(self.of.fullname)

    def get_Path(self) -> str:
        return str(self.of.path.parent)

    def get_Worksheets(self) -> Com:
        return Worksheets(self.of.sheets)

    def get_ActiveSheet(self) -> Com:
        return Worksheet(self.of.sheets.active)

    def get_Names(self) -> Com:
        return Names(self.of.names)

    def do_Activate(self) -> None:
        self.of.activate()

    def do_Close(self, SaveChanges: bool) -> None:
        self.of.close()


class Worksheets(Com):
    """The sheets of a workbook."""

    def item(self, key: int | str) -> Com:
        return Worksheet(self.of(key))

    def get_Parent(self) -> Com:
        return Workbook(self.of.book)


class Worksheet(Com):
    """A sheet."""

    def get_Name(self) -> str:
        return str(self.of.name)

    def set_Name(self, value: str) -> None:
        if value.casefold() in [title.casefold() for title in self.of.book.sheets.titles() if title != self.of.name]:
            raise ComError(signed(0x80020009), (0, None, "That name is already taken.", None, 0, signed(NAME_TAKEN)))
        self.of.name = value

    def get_Parent(self) -> Com:
        return Workbook(self.of.book)

    def get_Index(self) -> int:
        return int(self.of.index)

    def get_UsedRange(self) -> Com:
        return Range(self.of.used_range)

    def get_Names(self) -> Com:
        return Names(self.of.names)

    def get_Cells(self) -> Com:
        return Range(self.of.cells)

    def do_Range(self, first: Any, second: Any = None) -> Com:
        corners = [corner._inner.of if hasattr(corner, "_inner") else corner for corner in (first, second)]
        return Range(self.of.range(*corners))

    def do_Activate(self) -> None:
        self.of.activate()

    def do_Delete(self) -> None:
        assert not Excel.current.alerts, "Excel would ask"
        self.of.delete()

    def do_Copy(self, Before: Any = None, After: Any = None) -> None:
        self.of.copy(Before and Before._inner.of, After and After._inner.of)


class Range(Com):
    """Cells."""

    def item(self, row: int, column: int) -> Com:
        return Range(self.of(row, column))

    def get_Worksheet(self) -> Com:
        return Worksheet(self.of.sheet)

    def get_Row(self) -> int:
        return int(self.of.row)

    def get_Column(self) -> int:
        return int(self.of.column)

    def get_Rows(self) -> SimpleNamespace:
        return SimpleNamespace(Count=self.of.shape[0])

    def get_Columns(self) -> SimpleNamespace:
        return SimpleNamespace(Count=self.of.shape[1])

    def get_Address(self) -> str:
        return str(self.of.address)

    def get_Value(self) -> Any:
        return self.of.raw_value

    def set_Value(self, value: Any) -> None:
        self.of.raw_value = value

    def get_Formula(self) -> Any:
        return self.of.formula

    def set_Formula(self, value: Any) -> None:
        self.of.formula = value

    get_Formula2, set_Formula2 = get_Formula, set_Formula

    def get_HasArray(self) -> bool:
        return bool(self.of.has_array)

    def get_NumberFormat(self) -> str | None:
        code: str | None = self.of.number_format
        return code

    def do_Select(self) -> None:
        self.of.select()


class Names(Com):
    """The names of a workbook or a sheet."""

    def item(self, key: int | str) -> Com:
        return Name(self.of(key))


class Name(Com):
    """A name."""

    def get_Name(self) -> str:
        return str(self.of.name)

    def get_RefersTo(self) -> str:
        return str(self.of.refers_to)

    def set_RefersTo(self, value: str) -> None:
        self.of.refers_to = value


def attached(monkeypatch: pytest.MonkeyPatch, path: Path, schedule: Schedule, address: str = "") -> Excel:
    """Start a fake Excel with a workbook, as the engine `excel` of xlwings; time is its own."""
    fake = Excel(path, schedule, address)
    clock = SimpleNamespace(monotonic=fake.monotonic, sleep=fake.sleep)
    monkeypatch.setattr(excel, "time", clock)
    monkeypatch.setattr(kept, "time", clock)
    engine = xw.main.Engine(impl=windows_xlwings.windows().engine)
    monkeypatch.setattr(xw.engines, "engines", [*xw.engines.engines, engine])
    monkeypatch.setitem(xw.engines.engines_by_name, excel.EXCEL, engine)
    monkeypatch.setattr(xw.engines, "active", engine)
    return fake


def never(_: Excel) -> None:
    """Refuse nothing."""


def phases(seed: int, codes: Sequence[int], busy_s: tuple[float, float], free_s: tuple[float, float]) -> Schedule:
    """Return a schedule of busy and free times by chance: lengths of each between two bounds, a code a phase."""
    rng = random.Random(seed)
    ends, code = [rng.uniform(*free_s)], [None]

    def schedule(fake: Excel) -> int | None:
        while fake.now >= ends[-1]:
            code.append(rng.choice(codes) if code[-1] is None else None)  # type: ignore[arg-type]
            ends.append(ends[-1] + rng.uniform(*(free_s if code[-1] is None else busy_s)))
        return code[-1]

    return schedule


def alone(seed: int, codes: Sequence[int], share: float) -> Schedule:
    """Return a schedule that refuses a share of all calls, each by itself."""
    rng = random.Random(seed)
    return lambda _: rng.choice(codes) if rng.random() < share else None
