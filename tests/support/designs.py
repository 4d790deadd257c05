"""Random designs for the design columns of the shipped workbook, all inputs inside their validation ranges.

A group of designs shares its texts and its blanks, so that one compiled slice computes it; the judges get twenty
designs at a time, one per column: the base design, the what-ifs, and over the published tests, whose formulas are the
same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import openpyxl
from numpy.typing import NDArray
from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import coordinate_to_tuple, range_boundaries

from addin.kernel import Address, Cells, Evaluator, Scalar
from addin.xlsx.validations import bound
from model.layout.grid import INPUT_SHEETS, MIX
from model.reading.choices import ON_CLOUD_SHARE
from model.sheets.front import compare
from model.sheets.money import net_cost, years
from model.sheets.sizing import shares
from tests.support import shipped
from tests.support.answers import addresses
from tests.support.input_sets import NODES, OWN_FIGURES, own_arrays
from tests.support.own_rows import FILLED, own_cells

TEMPLATE = Path(__file__).resolve().parents[2] / "templates" / "vdi-storage-sizing.xlsx"
FIRST_COLUMN, COLUMNS = 4, 20
WHOLE = {"desktops", "arrays", "count", "years"}  # units that come in whole numbers
DIGITS = (1, 2, 3)  # of a figure that somebody typed; 0.29 * 100 is where 15 digits matter
TYPED, AT_A_LIMIT = 0.5, 0.08  # shares of the draws
BESIDE_THE_BASE = {"differs_words"}  # as all of Compare, not of one design alone
NO_PUBLISHED = {net_cost.SHEET.name, years.SHEET.name, shares.NAME}  # without the columns where judges get designs
_SHARE, _DISK = ("container_share", "share_"), ("place", "boot_s", "signin", "vm_", "local_", "price")
CLOUD = (*_SHARE, *(f"disk_{name}" for name in _DISK))
# inputs of the sheet Shares, which has no such columns: see test_cloud_shares and test_machine_disks
JOINT_ROW = "measured_row"  # counts only beside what is typed on Measured: see test_measured
DECADES = 5.0  # a range that starts at 0 is drawn on this many decades below its end

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Model:
    """What a design can set and what it answers; `numbers`, `optional` and `choices` by key, cells of the base column.

    `numbers` also holds the optional inputs. `outputs` holds every result that has a name.
    """

    cells: Cells
    numbers: dict[str, Address]
    limits: dict[Address, tuple[float, float]]
    whole: frozenset[str]
    optional: tuple[str, ...]
    choices: dict[str, tuple[Address, tuple[str, ...]]]
    outputs: dict[str, Address]


@dataclass(frozen=True, eq=False)
class Group:
    """Designs with the same texts and blanks: `fixed` cells, `x` (inputs, designs) in the order of `inputs`."""

    fixed: dict[Address, Scalar]
    inputs: tuple[Address, ...]
    x: Floats

    def blocks(self, model: Model) -> Iterator[dict[str, list[list[float | str]]]]:
        """Yield the area of all inputs of each sheet, twenty designs at a time, "" for blank."""
        sheets = input_rows(model)
        empty: list[float | str] = [""] * COLUMNS
        for start in range(0, self.x.shape[1], COLUMNS):
            blocks = {sheet: [list(empty) for _ in rows] for sheet, rows in sheets.items()}
            for address, value in self.fixed.items():
                row = address.row - sheets[address.sheet].start
                blocks[address.sheet][row] = ["" if value is None else str(value)] * COLUMNS
            for address, values in zip(self.inputs, self.x, strict=True):
                row = address.row - sheets[address.sheet].start
                blocks[address.sheet][row] = values[start : start + COLUMNS].tolist()
            yield blocks


def read_model(path: Path = TEMPLATE) -> Model:
    """Read inputs, ranges, choices and results from a workbook's names and validations."""
    book = openpyxl.load_workbook(path)
    cells = Cells.from_openpyxl(book)
    named = {key: Address.from_a1(text) for key, text in cells.names.items() if key.startswith(("In_", "Out_"))}
    numbers: dict[str, Address] = {}
    limits: dict[Address, tuple[float, float]] = {}
    choices = {}
    layout = shipped.built().layout
    keys = {place: key for key, place in layout.inputs.items()}
    rules = [(sheet, rule) for sheet in INPUT_SHEETS for rule in book[sheet].data_validations.dataValidation]
    for sheet, rule in rules:
        row, _ = coordinate_to_tuple(str(rule.sqref).partition(":")[0])
        key, address = keys[sheet, row], Address(sheet, row, FIRST_COLUMN)  # over the link to what is typed on Answer
        if rule.type == "list":
            apart = {ON_CLOUD_SHARE, *((MIX,) if key == "provisioning" else ())}  # have tests of their own
            texts = tuple(text for text in _texts(cells, cells.names[rule.formula1]) if text not in apart)
            choices[key] = (address, texts[:1] if key.startswith(CLOUD) else texts)
        elif key.startswith(CLOUD) or key == JOINT_ROW:
            continue
        elif rule.type not in ("textLength", "date"):  # a day is compared with that of a quote alone
            numbers[key], limits[address] = address, (bound(rule.formula1), bound(rule.formula2))
    whole = {key for key, a in numbers.items() if cells.constant(Address(a.sheet, a.row, 2)) in WHOLE}
    typed = {key: Address.from_a1("!".join(layout.typed(key))) for key in numbers}
    blank = tuple(key for key in numbers if cells.constant(typed[key]) is None)
    results = {key.removeprefix("Out_"): address for key, address in named.items() if key.startswith("Out_")}
    beside = {compare.NAME, *NO_PUBLISHED}
    outputs = {key: a for key, a in results.items() if a.sheet not in beside and key not in BESIDE_THE_BASE}
    return Model(cells, numbers, limits, frozenset(whole), blank, choices, outputs)


def filled_model(path: Path) -> Model:
    """Return the workbook as the sources make it, saved at `path`; own arrays, profiles, methods, caches and two
    user groups are filled, the third array is bought node by node.
    """
    shipped.fresh().save(path)
    read, built = read_model(path), shipped.reference()
    arrays = own_arrays(built, (*OWN_FIGURES[:2], NODES, *OWN_FIGURES[3:]))
    profiles = built.data.profile_names()
    typed = {  # row: users, share at work, profile, method
        5: (900.0, 0.8, profiles[0], "MCS pooled"),
        6: (600.0, None, profiles[-1], "Full clone"),
    }
    groups = {
        (MIX, f"{column}{row}"): value
        for row, values in typed.items()
        for column, value in zip("CDEF", values, strict=True)
    }
    own = addresses({**own_cells(built, FILLED), **arrays, **groups})
    rows, texts = read.choices["array"]
    names = dict.fromkeys((*texts, "My array 1", "My array 2", "My array 3"))
    cells = Cells({**read.cells.values, **own}, read.cells.names, read.cells.sheets)
    return replace(read, cells=cells, choices={**read.choices, "array": (rows, tuple(names))})


def _texts(cells: Cells, area: str) -> tuple[str, ...]:
    sheet, _, corners = area.rpartition("!")
    left, top, right, bottom = range_boundaries(corners.replace("$", ""))
    places = [(row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)]
    shown = Evaluator(cells)  # names of own rows are formulas
    values = (shown.value(Address(sheet.strip("'"), *place)) for place in places)
    return tuple(str(value) for value in values if value is not None)


def groups(model: Model, count: int, size: int, seed: int = 1) -> list[Group]:
    """Return groups of designs: every choice comes up in turn, every optional input is filled in half of the groups."""
    rng = np.random.default_rng(seed)
    orders = {key: rng.permutation(len(texts)) for key, (_, texts) in model.choices.items()}
    listed = []
    for number in range(count):
        fixed: dict[Address, Scalar] = {}
        for key, (address, texts) in model.choices.items():
            turn = number // len(texts) + number  # so that equally long lists meet in other pairs
            fixed[address] = texts[orders[key][turn % len(texts)]]
        empty = {key for key in model.optional if rng.random() < 0.5}
        fixed |= dict.fromkeys((model.numbers[key] for key in sorted(empty)), None)
        keys = [key for key in model.numbers if key not in empty]
        x = np.array([draw(rng, *model.limits[model.numbers[key]], key in model.whole, size) for key in keys])
        listed.append(Group(fixed, tuple(model.numbers[key] for key in keys), x))
    return listed


def draw(rng: np.random.Generator, low: float, high: float, whole: bool, size: int) -> Floats:
    """Return draws from low to high: half of them even over the logarithm, some short as people type, some extreme."""
    least = max(low, high / 10**DECADES)
    even, steep = rng.uniform(low, high, size), np.exp(rng.uniform(np.log(least), np.log(high), size))
    x = np.where(rng.random(size) < 0.3, even, steep)
    typed = np.array([float(f"{value:.{digits}g}") for value, digits in zip(x, rng.choice(DIGITS, size), strict=True)])
    x = np.where(rng.random(size) < TYPED, typed, x)
    x = np.where(rng.random(size) < AT_A_LIMIT, rng.choice([low, high], size), x)
    return np.clip(np.rint(x) if whole else x, low, high)


def input_rows(model: Model) -> dict[str, range]:
    """Return for each sheet of inputs the rows from the first one to the last one."""
    return areas([*model.numbers.values(), *(address for address, _ in model.choices.values())])


def area(rows: range) -> str:
    """Return the address of some rows of the design columns in use."""
    first, last = get_column_letter(FIRST_COLUMN), get_column_letter(FIRST_COLUMN + COLUMNS - 1)
    return f"{first}{rows.start}:{last}{rows.stop - 1}"


def areas(outputs: Sequence[Address]) -> dict[str, range]:
    """Return for each sheet the rows from its first output to its last."""
    by_sheet: dict[str, list[int]] = {}
    for address in outputs:
        by_sheet.setdefault(address.sheet, []).append(address.row)
    return {sheet: range(min(rows), max(rows) + 1) for sheet, rows in by_sheet.items()}
