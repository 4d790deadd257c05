"""Formulas and names of the user's own that read a result sheet: they point at the new one when it is replaced.

An application turns references to a deleted sheet into #REF!. So their texts are noted while the old sheet has its
name, and written back, the same texts, once the new one has it and before the old one goes. What somebody typed over
one of them meanwhile stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import xlwings as xw

from addin.excel import ExcelBusy, ExcelClosed
from addin.kernel import Address, Cells
from addin.kernel.formula.cells import owner_of
from addin.xlsx.references import refers

_TEXT = "@"  # the number format of cells in which a formula that is entered becomes a text
_SHOWN = 3


@dataclass(frozen=True)
class Readers:
    """Cells and names that refer to a sheet, with their formulas as the application gives them."""

    cells: Sequence[tuple[Address, str]]
    names: Sequence[tuple[str, str]]


def referring(known: Cells, title: str) -> tuple[list[Address], list[str]]:
    """Return the cells and the names that referred to a sheet from outside of it when the workbook was read."""
    addresses = [at for at, text in known.values.items() if at.sheet != title and _refers(text, title)]
    return addresses, [name for name, text in known.names.items() if refers(text, title) and owner_of(name)[0] != title]


def readers(book: xw.Book, known: Cells, title: str) -> Readers:
    """Return what refers to a sheet from outside of it; `known` is the workbook as the command read it."""
    addresses, names = referring(known, title)
    formulas = [(at, _formula(_cell(book, at))) for at in addresses]
    return Readers(
        [(at, text) for at, text in formulas if _refers(text, title)],
        [(name, str(_named(book, name).refers_to)) for name in names],
    )


def repoint(book: xw.Book, old: Readers, aside: str) -> str:
    """Write the formulas and names again, so that they read the sheet that has the name now; return what to say.

    `aside` is what the sheet that they read is called meanwhile: what no longer refers to it was typed since, and
    stays. Raises ExcelBusy and ExcelClosed.
    """
    left, typed = [], []
    for at, text in old.cells:
        cell = _cell(book, at)
        if refers(now := _formula(cell), aside):
            if not _written(cell, text):
                left.append((at.a1, text))
        elif now != text:
            typed.append(at.a1)
    for key, text in old.names:
        try:
            name = _named(book, key)
            if refers(str(name.refers_to), aside):
                name.refers_to = text
        except (ExcelBusy, ExcelClosed):
            raise
        except Exception:  # whatever an application raises
            left.append((key, text))
    stays = f" Typed meanwhile, and left as typed: {', '.join(typed)}." if typed else ""
    return f"{lost(left)}{stays}"


def lost(unwritten: Sequence[tuple[str, str]]) -> str:
    """Return a sentence on (place, formula) that could not be written; empty where there is none."""
    if not unwritten:
        return ""
    left = [f"{place} ({text})" for place, text in unwritten]
    more = f" and {len(left) - _SHOWN} more" if len(left) > _SHOWN else ""
    return (
        f" Locked cells, array formulas and cells formatted as text cannot be pointed at the new sheet and lose their "
        f"reference: {', '.join(left[:_SHOWN])}{more}. Enter them again."
    )


def _named(book: xw.Book, key: str) -> xw.Name:
    sheet, name = owner_of(key)
    names: xw.main.Names = book.sheets[sheet].names if sheet else book.names
    return names[name]


def _cell(book: xw.Book, at: Address) -> xw.Range:
    return book.sheets[at.sheet].range((at.row, at.column))


def _refers(text: object, title: str) -> bool:
    formula = isinstance(text, str) and text.startswith("=") and title.casefold() in text.casefold()
    return formula and refers(str(text), title)


def _formula(cell: xw.Range) -> str:
    """Return a formula as it was entered: Excel's newer grammar does not cut results to one cell."""
    try:
        return str(cell.formula2)
    except (ExcelBusy, ExcelClosed):
        raise
    except Exception:  # an Excel that has the older grammar alone
        return str(cell.formula)


def _written(cell: xw.Range, text: str) -> bool:
    """Write a formula unless that would change more than what it refers to; return whether it is written."""
    if cell.has_array or cell.number_format == _TEXT:
        return False
    return _entered(cell, "formula2", text) or _entered(cell, "formula", text)


def _entered(cell: xw.Range, grammar: str, text: str) -> bool:
    """Enter a formula in one of Excel's two grammars; return whether the application takes it."""
    try:
        setattr(cell, grammar, text)
    except (ExcelBusy, ExcelClosed):
        raise
    except Exception:
        return False
    return True
