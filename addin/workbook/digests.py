"""The two digests of a workbook, each with a name of its own.

as built X    the digest of the model that it was built from, a text that its page About states: nobody recomputes it
formulas Y    computed from the workbook at hand: its formulas and the cells that inputs are typed into

Two workbooks with one Y compute the same from the same inputs, whatever is typed into them: changes of one fit the
other. A formula that somebody types into an input is an input, and not part of Y.
"""

from __future__ import annotations

import hashlib
import re

from addin.buttons import COMMANDS
from addin.kernel import Address, Cells
from addin.workbook import own_rows, tabs
from addin.workbook.ranges import PREFIX

ABOUT, VERSION = "About", "Version"  # the sheet and the label that say what a workbook was made from
NOT_STATED = "not stated"
_BUILT = re.compile(r"(?:as built|model digest) ([0-9a-f]{12})")
_NEWER = re.compile(r"_xl(?:fn|ws)\.", re.IGNORECASE)  # files spell some functions so, applications do not


def as_built(cells: Cells) -> str:
    """Return the digest of the model that a workbook was built from, as About states it; empty where it does not."""
    match = _BUILT.search(str(cells.constant(version_cell(cells))))
    return match[1] if match else ""


def version_cell(cells: Cells) -> Address:
    """Return the cell that states version and digest."""
    about = tabs.title(cells, ABOUT)
    labels = (at for at in cells.stored(about) if at.column == 1 and cells.values[at] == VERSION)
    return next(labels, Address(about, 1, 1))._replace(column=2)


def digest(cells: Cells) -> str:
    """Return the first 12 hex digits of the sha256 over formulas and the cells that inputs are typed into.

    Both with their addresses; formulas of result sheets, and those typed into inputs, are left out.
    """
    drawn = {button.sheet for button in COMMANDS.values()}
    entries = sorted(pair for pair in cells.names.items() if pair[0].startswith((PREFIX, own_rows.PREFIX)))
    typed = {at for name, text in entries if name.startswith(PREFIX) for at in own_rows.area(cells, text)}
    places = (at for at in cells.formulas() if at.sheet not in drawn and at not in typed)
    rows = sorted((at.a1, _NEWER.sub("", str(cells.formula(at)))) for at in places)
    return hashlib.sha256("".join(f"{at}\t{text}\n" for at, text in (*rows, *entries)).encode()).hexdigest()[:12]


def both(cells: Cells) -> str:
    """Return the two digests as documents print them."""
    return f"as built {as_built(cells) or NOT_STATED}, formulas {digest(cells)}"
