"""A workbook kept open in LibreOffice: what goes in and out, and the message when it cannot be opened."""

import openpyxl
import pytest

from addin.engines.office import application
from tests.support import designs, libreoffice, uno_office

pytestmark = pytest.mark.office


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Case 1"
    sheet["B1"], sheet["B2"], sheet["B3"], sheet["B4"] = "=A1*10", "=1/A2", "=A1>2", '=A3&"!"'
    sheet.protection.sheet = True
    path = tmp_path_factory.mktemp("open") / "book.xlsx"
    book.save(path)
    return path


@pytest.mark.slow
def test_blocks_are_written_recalculated_and_read(path):
    before = path.read_bytes()
    with uno_office.open_book(path) as book:
        for first, reciprocal, text in ((1.5, "#DIV/0!", ""), (3.0, 0.1 + 0.2, "x")):
            second = "" if isinstance(reciprocal, str) else 1 / reciprocal
            (values, copy) = book.recalculate(
                [("Case 1", "A1:A3", [[first], [second], [text]])], [("Case 1", "B1:B4"), ("Case 1", "A1:A1")]
            )
            expected = reciprocal if isinstance(reciprocal, str) else pytest.approx(reciprocal, rel=1e-15)
            assert values == [[first * 10], [expected], [float(first > 2)], [f"{text}!"]]
            assert copy == [[first]]
    assert path.read_bytes() == before


@pytest.mark.slow
def test_a_request_that_fails_ends_the_conversation_with_the_reason(path):
    with (
        uno_office.open_book(path) as book,
        pytest.raises(application.OfficeError, match=r"^The bridge to LibreOffice ended with 1"),
    ):
        book.recalculate([], [("No such sheet", "A1:A1")])


def test_a_missing_bridge_skips_with_the_reason(monkeypatch, path):
    libreoffice.soffice()
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(uno_office, "bridge_python", lambda: "python3-uno")
    with pytest.raises(pytest.skip.Exception, match=r"python3-uno\) is not installed$"), uno_office.open_book(path):
        pytest.fail("there is no office to open")


def test_designs_stay_inside_the_ranges_of_the_workbook():
    model = designs.read_model()
    for group in designs.groups(model, 4, 200, seed=7):
        for address, values in zip(group.inputs, group.x, strict=True):
            low, high = model.limits[address]
            assert low <= values.min() <= values.max() <= high
    assert {"desktops", "array_price", "boot_iops_per_desktop"} <= model.numbers.keys()
    assert {"array_price", "boot_iops_per_desktop"} <= set(model.optional)
    assert model.choices.keys() == {
        *("array", "profile", "provisioning", "cache_state", "failover", "arrival_shape", "replicated"),
        *("performance_reference", "survive_phases", "timeline_case", "hypervisor", "guest_encryption"),
        *("container_place", "container_array", "container_share", "recreate_at_logoff", "older_arrays"),
        *(
            "share_service",
            "share_signins",
            "share_credits",
            "price_basis",
            "price_region",
            "share_redundancy",
            "disk_place",
        ),
        *("support_base", "growth_timing", "price_covers_hosts", "review_case", "provision_operation"),
    }


def test_the_same_seed_gives_the_same_designs():
    model = designs.read_model()
    first, again = designs.groups(model, 3, 16, seed=5), designs.groups(model, 3, 16, seed=5)
    assert [g.fixed for g in first] == [g.fixed for g in again]
    assert all((a.x == b.x).all() for a, b in zip(first, again, strict=True))
