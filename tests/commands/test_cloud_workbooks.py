"""A workbook that SharePoint, Teams or OneDrive keeps is worked on as it is open in Excel, its copy not looked for."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
import xlwings as xw

from addin import commands, excel
from addin.errors import AddinError
from addin.running import documents
from addin.workbook import live
from tests.commands.test_launch import own_folder
from tests.support import shipped
from tests.support.busy_excel import attached, never
from tests.support.small_run import TITLE, from_putting_in, outcome, quote, said, saved, small_command

__all__ = ["own_folder", "quote", "small_command"]

SHARED = "https://tenant.sharepoint.com/sites/x/Shared Documents/General/Quote.xlsx"


@pytest.fixture
def no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without OneDrive, whose disk is not to be searched."""

    def search(*_: object) -> str:
        raise AssertionError("the disk is searched")

    monkeypatch.setattr("xlwings.utils.search_local_sharepoint_path", search)
    for name in ("OneDrive", "OneDriveCommercial", "OneDriveConsumer"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    "address",
    [
        SHARED,
        "https://tenant-my.sharepoint.com/personal/ann_tenant_com/Documents/Quote.xlsx",
        "https://d.docs.live.net/1234abcd/Quote.xlsx",
        "https://dav.example.org/Quote.xlsx",
    ],
    ids=["SharePoint and Teams", "OneDrive for Business", "OneDrive", "another server"],
)
def test_a_workbook_in_a_cloud_is_worked_on_as_it_is_open(quote, monkeypatch, capsys, no_search, address) -> None:
    fake = attached(monkeypatch, quote, never, address)
    assert outcome(fake, capsys) == "book"
    for named in ("Quote.xlsx", address):
        assert documents.find("excel", named).name == "Quote.xlsx"
    assert live.path_of(documents.find("excel")).name == "Quote.xlsx"


def test_what_a_cloud_keeps_is_never_taken_for_a_namesake_on_this_machine(quote, monkeypatch, no_search) -> None:
    attached(monkeypatch, quote, never, SHARED)
    monkeypatch.chdir(quote.parent)
    assert not live.path_of(documents.find("excel")).is_file()


def test_the_result_for_a_workbook_in_a_cloud_is_kept_in_the_users_documents(
    quote, monkeypatch, capsys, no_search, tmp_path
) -> None:
    (tmp_path / "Documents").mkdir()
    fake = attached(monkeypatch, quote, from_putting_in(0x800A03EC), SHARED)
    assert saved(said(fake, capsys)[1])["B9"].value == 2200
    assert (tmp_path / "Documents" / f"Quote - {TITLE}.xlsx").is_file()


def test_where_excel_does_not_say_where_a_workbook_is_saved_is_one_line(quote, monkeypatch, capsys) -> None:
    fake = attached(monkeypatch, quote, lambda fake: 0x80004005 if fake.member == "FullName" else None)
    code, line = said(fake, capsys)
    assert code == 2
    assert "Quote.xlsx: the application does not say where it is saved (ComError). Save it on this machine" in line


def test_on_a_mac_where_xlwings_gives_no_address_the_name_stands_for_it(monkeypatch) -> None:
    class Book:
        """A workbook that xlwings searches the disk for."""

        app, name = SimpleNamespace(engine=SimpleNamespace(name="excel")), "Quote.xlsx"

        @property
        def fullname(self) -> str:
            raise UnboundLocalError("root")

    monkeypatch.setattr(excel, "sys", SimpleNamespace(platform="darwin"))
    assert excel.full_name(cast(xw.Book, Book())) == "Quote.xlsx"


@pytest.mark.slow
def test_an_audit_of_a_workbook_in_a_cloud_asks_for_a_copy(tmp_path, monkeypatch, no_search) -> None:
    attached(monkeypatch, shipped.write_reference(tmp_path), never, SHARED)
    with pytest.raises(AddinError, match=rf": is saved at {SHARED}; .* Save a copy on this machine"):
        commands.audit(documents.find("excel"))
