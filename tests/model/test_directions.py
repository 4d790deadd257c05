"""Which way every figure that people type moves the need, on random designs of every array and every choice.

`directions.csv` holds a row for each number of the inputs and a column for each result: what raising the number does to
it. `more` and `less` are promises, `either` has its reason in the row, a blank says that it does not move. A harder
day that needs fewer arrays is a wrong answer, however well it is computed; so is an input that moves nothing.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from addin.kernel import Address, Cells
from addin.kernel.formula.graph import areas, order
from addin.kernel.trials.compile import compile_slice
from tests.support import designs

TABLE = Path(__file__).with_name("directions.csv")
MORE, LESS, EITHER, NONE = "more", "less", "either", ""
GROUPS, SIZE, SEED = 40, 20, 31  # 800 designs
RARE = {  # their need limits only beside choices that few of the 800 designs draw
    *(
        "boot_at",
        "boot_run_min",
        "boot_work_ratio",
        "desktops_per_host",
        "latency_limit_ms",
        "ram_gib",
        "scheduled_gib",
    ),
    *("steady_block_kib", "patching_block_kib", "swap_written_ratio", "container_block_kib"),
    *("hosts", "host_start_rate_per_min", "boot_latency_limit_ms", "starts_at_once", "patch_wanted_min"),
    *(
        "provisioning_iops_per_desktop",
        "patching_iops_per_desktop",
        "patching_run_min",
        "provisioning_run_min",
        "scheduled_gib",
        "container_cache_ratio",
        "container_cache_gib",
    ),
}
LAST_BITS = 1e-9  # of a result
# Boots on demand while arrivals follow a normal curve: the minute of most IOPS, which is sized, is not that of most
# work for the arrays, and a boot is cheaper than a login: 5.0827 to 5.0789 arrays in design 621 at twice the boot.
KNOWN = {(621, "ratio_largest"): 1e-3}  # at most this share of the result
OF_THE_ARRAYS = (
    "boot_minutes",
    "login_minutes",
)  # an array more, bought for whatever, serves faster: compared with as many
PLANTED = {"concurrent": "concurrent_ratio", "desktops": "desktops", "rate": "start_rate_per_min"}


@dataclass(frozen=True)
class Move:
    """A result of one design before and after one of its inputs was raised."""

    key: str
    result: str
    design: int
    typed: tuple[float, float]
    found: tuple[float, float]

    @property
    def share(self) -> float:
        """Return by which share the result went."""
        before, after = self.found
        return abs(after - before) / max(abs(before), abs(after))

    @property
    def way(self) -> str:
        """Return which way the result went."""
        before, after = self.found
        if abs(after - before) <= LAST_BITS * max(abs(before), abs(after)):
            return NONE
        return MORE if after > before else LESS


def table() -> dict[str, dict[str, str]]:
    """Return the rows of the table by input, the columns by result, the reason as `why`."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return {row["input"]: row for row in csv.DictReader(file)}


RESULTS = tuple(key for key in next(iter(table().values()), ()) if key not in ("input", "why"))


def raised(model: designs.Model, key: str, x: designs.Floats, rng: np.random.Generator) -> designs.Floats:
    """Return an input of each design raised: by up to three times, at least by a thousandth of its range."""
    low, high = model.limits[model.numbers[key]]
    more = np.maximum(x * rng.uniform(1.05, 3, x.size), x + (high - low) / 1000)
    if key in model.whole:
        more = np.ceil(np.maximum(more, x + 1))
    return np.minimum(more, high)


def moves(model: designs.Model, cells: Cells, groups: int = GROUPS) -> Iterator[Move]:
    """Yield what every input of every design does to every result, where it is known and no more is unchecked."""
    rng = np.random.default_rng(SEED)
    keys = {address: key for key, address in model.numbers.items()}
    outputs = tuple(
        Address.from_a1(cells.names[f"Out_{key}"]) for key in (*RESULTS, "arrays_required", "unchecked_count")
    )
    for number, group in enumerate(islice(designs.groups(model, GROUPS, SIZE, seed=SEED), groups)):
        compiled = compile_slice(cells, group.inputs, outputs, group.fixed, "numpy", limits=model.limits)
        before = compiled.run(group.x)
        for row, address in enumerate(group.inputs):
            x = group.x.copy()
            x[row] = raised(model, keys[address], x[row], rng)
            after = compiled.run(x)
            known = (before.codes == 0) & (after.codes == 0) & (before.values >= 0) & (after.values >= 0)
            known &= (x[row] > group.x[row]) & ~_blank_by_zero(keys[address], group.x[row])
            known &= before.values[-1] == after.values[-1]
            as_many = before.values[-2] == after.values[-2]
            for result, design in np.argwhere(known[:-2]):
                if RESULTS[result] in OF_THE_ARRAYS and not as_many[design]:
                    continue
                typed, found = (group.x, x), (before.values, after.values)
                yield Move(
                    keys[address],
                    RESULTS[result],
                    number * SIZE + design,
                    (typed[0][row, design], typed[1][row, design]),
                    (found[0][result, design], found[1][result, design]),
                )


def _blank_by_zero(key: str, typed: designs.Floats) -> np.ndarray:
    """Return where a figure typed as 0 is taken as not entered: its place is the profile's, which may be higher."""
    return (typed == 0) & (table()[key]["why"].startswith("0 = blank"))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> designs.Model:
    return designs.filled_model(tmp_path_factory.mktemp("directions") / "book.xlsx")


@pytest.fixture(scope="module")
def found(model: designs.Model) -> list[Move]:
    return list(moves(model, model.cells))


def contradictions(found: list[Move]) -> list[Move]:
    """Return the moves that the table does not allow."""
    rows = table()
    allowed = {MORE: (MORE, NONE), LESS: (LESS, NONE), EITHER: (MORE, LESS, NONE), NONE: (NONE,)}
    wrong = [move for move in found if move.way not in allowed[rows[move.key][move.result]]]
    return [move for move in wrong if move.share > KNOWN.get((int(move.design), move.result), 0)]


def test_every_number_that_people_type_has_its_row(model: designs.Model) -> None:
    assert sorted(table()) == sorted(model.numbers)


def test_every_either_has_its_reason() -> None:
    assert [key for key, row in table().items() if EITHER in row.values() and not row["why"]] == []


def test_a_blank_is_no_path_that_800_designs_happen_not_to_take(model: designs.Model) -> None:
    """The latency limit of a boot bought 39 arrays in place of 7, and the table said that it moves nothing."""
    missed = set()
    for result in RESULTS[:6]:  # the need, the capacity, what is asked
        first = Address.from_a1(model.cells.names[f"Out_{result}"])
        behind = (area for cell in order(model.cells, (first,)) for area in areas(model.cells, cell))
        read = {at for area in behind for at in area.addresses()}
        missed |= {(key, result) for key, row in table().items() if not row[result] and model.numbers[key] in read}
    asked = {("concurrent_ratio", "capacity_required_gib")}  # only to ask for it
    # read shares of user groups stand in one table for all phases: the window weighs that of the login
    table_of_phases = {("login_window_min", f"{phase}_asked_iops") for phase in ("boot", "steady", "logoff")}
    assert missed == asked | table_of_phases


@pytest.mark.slow
def test_no_number_moves_a_result_the_wrong_way(found: list[Move]) -> None:
    assert contradictions(found) == []


@pytest.mark.slow
def test_every_direction_of_the_need_is_seen(found: list[Move]) -> None:
    """What the table promises of the need is no guess: each direction shows in some design."""
    seen = {(move.key, move.result) for move in found if move.way}
    promised = {
        (key, RESULTS[0]) for key, row in table().items() if row[RESULTS[0]] in (MORE, LESS) and key not in RARE
    }
    assert promised - seen == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("result", "formula", "key"),
    [
        ("active_desktops", "={base}*(1-{concurrent})", "concurrent_ratio"),
        ("capacity_required_gib", "={base}/(1+{desktops})", "desktops"),
        ("boot_asked_iops", "={base}+0*{rate}-{rate}*SIGN({base})", "start_rate_per_min"),
    ],
)
def test_a_formula_that_turns_round_is_seen(model: designs.Model, result: str, formula: str, key: str) -> None:
    """Plant the fault, in the column of the base design, and see it caught."""
    address = Address.from_a1(model.cells.names[f"Out_{result}"])
    old = (model.cells.formula(address) or "").removeprefix("=")
    typed = {name: model.numbers[at].a1 for name, at in PLANTED.items()}
    spoilt = model.cells.with_formula(address, formula.format(base=f"({old})", **typed))
    assert key in {move.key for move in contradictions(list(moves(model, spoilt, groups=6)))}
