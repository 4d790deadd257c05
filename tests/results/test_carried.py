"""A deal of an older release goes on in this one: what was typed is carried, what the release shipped is not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from addin.errors import RequestError
from addin.kernel import Address, Scalar
from addin.leaving import filled
from addin.leaving.marks import RELEASES
from addin.results.carried import carried, carry
from addin.workbook.book import SizingBook, open_book
from addin.xlsx.edited_package import EditedPackage
from addin.xlsx.package import read_parts, write_parts
from tests.support import released
from tests.support.shell import Run

Filled = Callable[[dict[str, Scalar]], SizingBook]


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return released.write("0.2.0", tmp_path_factory.mktemp("old") / "Old.xlsx")


@pytest.fixture(scope="module")
def new(original: Path) -> SizingBook:
    return open_book(original)


@pytest.fixture
def deal(old: Path, tmp_path: Path) -> Filled:
    """Return a copy of the old release with some cells filled, by their names."""

    def written(values: dict[str, Scalar]) -> SizingBook:
        cells, package = filled.places(open_book(old)), EditedPackage(read_parts(old), old.name)
        for name, value in values.items():
            at, formula = cells[name], str(value) if str(value).startswith("=") else None
            package.write(at.sheet, {(at.row, at.column): (None if formula else value, formula, None)})
        write_parts(tmp_path / "Deal.xlsx", package.flushed())
        return open_book(tmp_path / "Deal.xlsx")

    return written


def test_a_release_as_shipped_has_nothing_to_carry(old: Path, new: SizingBook, tmp_path: Path) -> None:
    changes, notes = carried(open_book(old), new)
    assert changes == []
    assert "discount_ratio" in notes[0]  # 0 there, blank here
    with pytest.raises(RequestError, match=r"^Old\.xlsx: nothing was typed that "):
        carry(new, old, tmp_path / "New.xlsx")
    assert not (tmp_path / "New.xlsx").exists()


def test_everything_that_was_typed_is_in_the_new_copy(deal: Filled, new: SizingBook, tmp_path: Path) -> None:
    """The new name of an own row is on no list of the fresh copy yet; a field of that row goes where the row goes."""
    typed: dict[str, Scalar] = {
        "In_desktops": 3100.0,
        "In_array_price": "=40000*2",
        "In_desktops#1": 777.0,
        "Own_arrays@2": "Contoso X1",
        "Own_arrays.iops@2": 150000.0,
        "In_array": "Contoso X1",
        "Doc_customer@0": "ACME",
        "Risk inputs: desktops, Distribution": "triangular",
        "Risk inputs: desktops, Minimum": 2900.0,
        "Risk inputs: desktops, Likely, mean or value": 3100.0,
        "Risk inputs: desktops, Maximum": 3600.0,
    }
    changes, notes = carry(new, deal(typed).path, tmp_path / "New.xlsx")
    copy = open_book(tmp_path / "New.xlsx")
    held = {name: copy.cells.constant(at) for name, at in filled.places(copy).items()}
    assert {name: held[name] for name in typed} == {**typed, "In_array_price": 80000.0}
    assert len(changes) == len(typed)
    assert [each.item.key for each in changes][:2] == ["arrays 3", "Contoso X1.iops"]
    assert notes[0] == "array_price: typed as =40000*2, carried as 80,000 USD."
    before = {at: value for at, value in new.cells.values.items() if new.cells.formula(at) is None}
    moved = {each.item.address for each in changes}
    assert {at: copy.cells.constant(at) for at in before if at not in moved} == {
        at: value for at, value in before.items() if at not in moved
    }


def test_a_spread_is_carried_whole_or_not_at_all(deal: Filled, new: SizingBook) -> None:
    """The release drew demand from a range, this one by class: a new end of that range needs its distribution."""
    changes, _ = carried(deal({"Risk inputs: demand_scale_ratio, Maximum": 1.75}), new)
    assert [each.item.key.partition(", ")[2] for each in changes] == [
        *("Distribution", "Minimum", "Likely, mean or value", "Maximum")
    ]


def test_what_does_not_fit_is_named_and_the_rest_is_carried(deal: Filled, new: SizingBook) -> None:
    changes, notes = carried(deal({"In_desktops": 3100.0, "In_profile": "Nobody's", "In_years": 99.0}), new)
    assert [each.item.key for each in changes] == ["desktops"]
    assert [note.partition(":")[0] for note in notes[:2]] == ["Not carried"] * 2
    assert "profile=Nobody's: not in the list" in notes[0]
    assert "years=99.0: outside the whole numbers 1 to 7 years" in notes[1]


def test_the_command_prints_what_it_wrote_and_both_answers(
    deal: Filled, original: Path, tmp_path: Path, run: Run
) -> None:
    older, target = deal({"In_desktops": 3100.0}).path, tmp_path / "New.xlsx"
    code, out, _ = run("apply", str(original), str(older), "--save", str(target))
    assert code == 0
    assert "desktops: 1,500 desktops -> 3,100 desktops" in out
    assert "Answer of version 0.2.0: " in out
    assert "1 input written: " in out
    assert open_book(target).held(open_book(target).inputs["desktops"]) == 3100
    assert run("apply", str(original), str(older), "--save", str(target))[0] == 2  # never over a file


def test_each_release_says_what_it_ships_in_every_cell_that_people_fill() -> None:
    """Without the file a text that a release ships would be carried as typed."""
    assert {file.stem for file in RELEASES.glob("*.marks")} == {file.stem for file in RELEASES.glob("*.filled")}


def test_the_file_is_what_the_release_ships(old: Path, tmp_path: Path) -> None:
    book = open_book(old)
    filled.write(tmp_path / "0.2.0.marks", book)
    assert (tmp_path / "0.2.0.filled").read_bytes() == (RELEASES / "0.2.0.filled").read_bytes()
    assert isinstance(filled.places(book)["In_desktops"], Address)
