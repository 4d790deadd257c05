"""Excel while people work in it: asked again while it is busy, called closed only when it is.

    be_patient()         every call that xlwings makes to Excel goes through `asked` from then on
    with patience(10):   calls in here are asked again for ten seconds each

Excel refuses a call while a cell is edited, a dialog is open or it computes: with one of three codes, and without
having done any of it, so that the call can be made again. xlwings repeats the first code at once and for ever, the
second for properties alone, the third never; a refused look-up in a collection it takes for None.

On macOS a busy Excel leaves an Apple event without an answer, for a minute each; it may still carry it out later. So
only reading and setting are repeated there; of anything else ExcelBusy is raised at once, and the caller looks what
has become of it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from addin.errors import BookError

if TYPE_CHECKING:
    import xlwings as xw

T = TypeVar("T")
EXCEL = "excel"  # the name of the engine
REJECTED, LATER = 0x80010001, 0x8001010A  # RPC_E_CALL_REJECTED, RPC_E_SERVERCALL_RETRYLATER
IGNORED = 0x800AC472  # VBA_E_IGNORE
_UNEXPLAINED = 0x80020009  # DISP_E_EXCEPTION; without a reason beside it a cell is being edited
_NO_ANSWER = -1712 & 0xFFFFFFFF  # errAETimeout, of macOS as the two below
_NOT_RUNNING, _DISCONNECTED = -600 & 0xFFFFFFFF, -609 & 0xFFFFFFFF  # procNotFound, connectionInvalid
CLOSED = frozenset(
    {0x800706BA, 0x80010108, _NOT_RUNNING, _DISCONNECTED}
)  # RPC_S_SERVER_UNAVAILABLE, RPC_E_DISCONNECTED
BUSY = frozenset({REJECTED, IGNORED, LATER, _UNEXPLAINED})  # on Windows
REPEATABLE = frozenset(
    {"get", "set", "count", "exists", "get_address"}
)  # Apple events that do the same when sent twice
PATIENCE_S = 600.0  # for a call: somebody may leave a cell half typed
_FIRST_S, _LONGEST_S = 0.05, 0.5  # between two calls
_REASON = 5  # the place of the code in what an exception of Excel says of itself

_patience: ContextVar[float] = ContextVar("patience", default=PATIENCE_S)


class ExcelBusy(BookError):
    """Excel takes no call now, and has done nothing of this one: the request can be repeated."""


class ExcelClosed(BookError):
    """Excel has ended, or the workbook in it was closed."""


def code(error: BaseException) -> int | None:
    """Return the code with which Excel refused a call; None for an error that is not Excel's."""
    told = getattr(error, "excepinfo", None)
    known = (getattr(error, name, None) for name in ("hresult", "winerror", "errornumber"))
    number = told[_REASON] or told[0] if told else next((each for each in known if each is not None), None)
    return number & 0xFFFFFFFF if isinstance(number, int) else None


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Let each call to a busy Excel be repeated for some seconds, 0 = made once."""
    before = _patience.set(seconds)
    try:
        yield
    finally:
        _patience.reset(before)


def asked(call: Callable[[], T], *also: type[Exception]) -> T:
    """Return what a call to Excel returns, which is repeated while Excel is busy.

    `also` are errors that xlwings or pywin32 make of a refused call. Raises ExcelBusy when the patience is over,
    ExcelClosed where Excel has ended; other errors pass.
    """
    end, pause = time.monotonic() + _patience.get(), _FIRST_S
    while True:
        try:
            return call()
        except Exception as error:
            if code(error) in CLOSED:
                raise ExcelClosed(
                    "Excel or the workbook was closed. Nothing was written. Open the workbook and run this again."
                ) from error
            if not (code(error) in (*BUSY, _NO_ANSWER) or isinstance(error, also)):
                raise
            if time.monotonic() >= end:
                raise ExcelBusy(
                    "Excel is busy: a cell is being edited, a dialog is open, or it computes. Nothing was lost. "
                    "Finish the cell with Enter or Esc, or close the dialog; then run this again."
                ) from error
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_S)


def be_patient() -> None:
    """Let every call of xlwings to Excel go through `asked`; where there is no Excel nothing happens."""
    reference: Any = sys.modules.get("appscript.reference")
    if reference is not None and not hasattr(reference.Command.__call__, "__wrapped__"):
        reference.Command.__call__ = _answered(reference.Command.__call__)
    module: Any = sys.modules.get("xlwings._xlwindows")
    if module is None or module.N_COM_ATTEMPTS == 1:
        return
    module.N_COM_ATTEMPTS = 1  # its own repetition, which has no pause, is off
    called, member, busy = module.COMRetryMethodWrapper, module.COMRetryObjectWrapper, module.ExcelBusyError
    called.__call__ = _patient(called.__call__, AttributeError)  # so pywin32 reports a refused look-up of a name
    member.__call__ = _patient(member.__call__, AttributeError)
    member.__setattr__ = _patient(member.__setattr__, AttributeError)
    member.__getattr__ = _patient(member.__getattr__, busy)
    member.__iter__ = _members
    module.get_xl_app_from_hwnd = _patient(module.get_xl_app_from_hwnd, busy)


def full_name(book: xw.Book) -> str:
    """Return where a workbook is saved: its path, or its address where SharePoint, Teams or OneDrive keeps it.

    Its name alone where it was never saved. Raises BookError where the application does not say.

    For such an address xlwings searches the disk for a synchronised copy and raises if it finds none. The commands work
    on the open workbook and need no copy.
    """
    try:
        if book.app.engine.name == EXCEL and sys.platform != "darwin":
            return str(book.api.FullName)
        return str(book.fullname)
    except BookError:
        raise
    except Exception as error:
        if sys.platform == "darwin":  # there xlwings gives no address
            return str(book.name)
        raise BookError(
            f"{book.name}: the application does not say where it is saved ({type(error).__name__}). "
            "Save it on this machine, then run this again."
        ) from error


def in_a_cloud(place: str) -> bool:
    """Return whether a full name is an address and no path."""
    return "://" in place


def _patient(method: Callable[..., T], *also: type[Exception]) -> Callable[..., T]:
    @wraps(method)
    def repeated(*arguments: Any, **named: Any) -> T:
        return asked(lambda: method(*arguments, **named), *also)

    return repeated


def _answered(sent: Callable[..., T]) -> Callable[..., T]:
    """Return what sends an Apple event to the Excel that is attached; other applications are not concerned."""

    @wraps(sent)
    def repeated(command: Any, *arguments: Any, **named: Any) -> T:
        if command.AS_appdata.constructor != "pid":  # System Events, which xlwings asks what is in front
            return sent(command, *arguments, **named)
        with nullcontext() if command.AS_name in REPEATABLE else patience(0):
            return asked(lambda: sent(command, *arguments, **named))

    return repeated


def _members(collection: Any) -> Iterator[Any]:
    """Yield the members of a collection by number: a refused step of an enumeration cannot be repeated."""
    yield from [collection(number) for number in range(1, collection.Count + 1)]
