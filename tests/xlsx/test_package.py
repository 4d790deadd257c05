"""The zip that a workbook is: reproducible bytes, atomic writing."""

import hashlib
import io
import os
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone

import openpyxl
import pytest

from addin.errors import BookError
from addin.workbook.book import open_book
from addin.xlsx import in_memory, package
from addin.xlsx.stored_results import store_results
from tests.support import small_workbook
from tests.support.formula_workbook import save_workbook

DAY = datetime(2026, 3, 14, 12, 0, 0, tzinfo=UTC)


def test_builds_on_two_days_give_the_same_bytes(tmp_path):
    digests = []
    for name, year in (("first.xlsx", b"2025"), ("second.xlsx", b"2031")):
        path = save_workbook(tmp_path / name, {"B1": "=A1*2"})
        parts = package.read_parts(path)
        parts["docProps/core.xml"] = re.sub(rb">\d{4}-", b">" + year + b"-", parts["docProps/core.xml"])
        package.write_parts(path, dict(reversed(parts.items())), datetime(int(year), 1, 1))
        store_results(path, {("Capacity", "B1"): 14.0, ("Notes & more", "A1"): 7.0})
        package.normalise(path, DAY)
        digests.append(hashlib.sha256(path.read_bytes()).hexdigest())
    assert digests[0] == digests[1]


def test_normalising_twice_changes_nothing(tmp_path):
    path = save_workbook(tmp_path / "book.xlsx", {})
    package.normalise(path, DAY)
    once = path.read_bytes()
    package.normalise(path, DAY)
    assert path.read_bytes() == once


def test_the_bytes_of_a_package_are_pinned(tmp_path):
    path = tmp_path / "pinned.zip"
    package.write_parts(path, {"b.xml": b"<b/>", "[Content_Types].xml": b"<Types/>", "_rels/.rels": b"<r/>"}, DAY)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert digest == "a91801ef283922fade892d0603bec2fb235536d6998a53475ae8aa94dd1524c2"


def test_content_types_come_first_and_entries_carry_the_fixed_date(tmp_path):
    path = save_workbook(tmp_path / "book.xlsx", {})
    package.normalise(path, DAY)
    with zipfile.ZipFile(path) as opened:
        entries = opened.infolist()
    assert [entry.filename for entry in entries[:2]] == ["[Content_Types].xml", "_rels/.rels"]
    assert [entry.filename for entry in entries[2:]] == sorted(entry.filename for entry in entries[2:])
    assert {entry.date_time for entry in entries} == {(2026, 3, 14, 12, 0, 0)}
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}


def test_document_dates_are_the_fixed_date_in_utc(tmp_path):
    path = save_workbook(tmp_path / "book.xlsx", {})
    package.normalise(path, DAY.astimezone(timezone(timedelta(hours=5))))
    core = package.read_parts(path)["docProps/core.xml"].decode()
    assert re.findall(r"<dcterms:\w+[^>]*>([^<]*)<", core) == ["2026-03-14T12:00:00Z"] * 2
    assert openpyxl.load_workbook(path).properties.created == datetime(2026, 3, 14, 12)


def test_a_date_before_zip_existed_becomes_the_earliest_one(tmp_path):
    path = save_workbook(tmp_path / "book.xlsx", {})
    package.normalise(path, datetime(1970, 1, 1))
    with zipfile.ZipFile(path) as opened:
        assert {entry.date_time for entry in opened.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_large_package_is_compressed_and_reads_back(tmp_path):
    path = tmp_path / "large.zip"
    package.write_parts(path, {"a.xml": b"<a/>" * 1_000_000})
    assert path.stat().st_size < 100_000
    assert package.read_parts(path) == {"a.xml": b"<a/>" * 1_000_000}


def test_the_manifest_is_the_same_for_stored_and_compressed_copies(tmp_path):
    path = save_workbook(tmp_path / "book.xlsx", {})
    compressed = package.manifest(path)
    package.write_parts(path, package.read_parts(path))
    assert package.manifest(path) == compressed
    name, digest = "xl/workbook.xml", hashlib.sha256(package.read_parts(path)["xl/workbook.xml"]).hexdigest()
    assert f"{digest}  {name}\n" in compressed


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "book.xlsx"
    path.write_bytes(b"old")

    def refuse(*_):
        raise PermissionError("in use")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(package.PackageError, match=r"book.xlsx: the file cannot be replaced. Close it"):
        package.write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_replaces_none_that_appeared_meanwhile(tmp_path, monkeypatch, links):
    """Also on a file system that has no hard links, where the name is taken before the bytes are there."""

    def refuse(*_):
        raise OSError(1, "Operation not permitted")

    if not links:
        monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "book.xlsx"
    package.write_atomically(path, b"first", new=True)
    with pytest.raises(package.PackageError, match=r"book.xlsx: was written by another program meanwhile, and stays"):
        package.write_atomically(path, b"second", new=True)
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]
    package.write_atomically(path, b"third")
    assert path.read_bytes() == b"third"


def test_of_many_that_write_one_new_file_one_succeeds(tmp_path):
    path = tmp_path / "book.xlsx"

    def write(number):
        try:
            package.write_atomically(path, f"{number}".encode() * 100_000, new=True)
        except package.PackageError:
            return None
        return number

    with ThreadPoolExecutor(8) as executor:
        (kept,) = [number for number in executor.map(write, range(8)) if number is not None]
    assert path.read_bytes() == f"{kept}".encode() * 100_000
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_not_a_package_is_named(tmp_path):
    path = tmp_path / "notes.xlsx"
    path.write_text("plain text")
    with pytest.raises(package.PackageError, match=r"notes.xlsx: not an .xlsx workbook"):
        package.read_parts(path)


@pytest.mark.parametrize("year", [1975, 2110])
def test_a_clock_outside_the_dates_of_a_package_stops_no_command(tmp_path, monkeypatch, year):
    seconds = datetime(year, 1, 1, tzinfo=UTC).timestamp()
    monkeypatch.setattr("time.time", lambda: seconds)
    data = in_memory.saved(openpyxl.Workbook())
    package.write_parts(tmp_path / "book.xlsx", {"a.xml": b"<a/>"}, datetime(year, 1, 1, tzinfo=UTC))
    with zipfile.ZipFile(io.BytesIO(data)) as zipped:
        assert {entry.date_time[0] for entry in zipped.infolist()} == {1980}
        assert {entry.compress_type for entry in zipped.infolist()} == {zipfile.ZIP_DEFLATED}


def test_a_picture_that_unpacks_to_gigabytes_is_refused_before_a_command_has_it_in_memory(tmp_path):
    path = small_workbook.save(tmp_path / "book.xlsx", {}, {})
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as zipped, zipped.open("xl/media/a.png", "w") as part:
        for _ in range(257):
            part.write(bytes(1 << 20))
    with pytest.raises(BookError, match=r"with its pictures unpacks to 257 MiB, at most 256\. Delete what does not"):
        open_book(path)


@pytest.mark.skipif(not hasattr(os, "chown"), reason="files of Windows have no group")
@pytest.mark.parametrize(
    ("may", "asked", "belongs"),
    [
        ((1234, 5678), [(1234, 5678)], (1234, 5678)),
        ((-1, 5678), [(1234, 5678), (-1, 5678)], (0, 5678)),  # a user who is no administrator
        (None, [(1234, 5678), (-1, 5678)], (0, 0)),
    ],
)
def test_a_file_that_is_replaced_keeps_owner_group_and_mode_where_it_may(tmp_path, monkeypatch, may, asked, belongs):
    """A book of a team's group belonged to that of the user of `compare --sheet`: nobody else could save it."""
    (path := tmp_path / "book.xlsx").write_bytes(b"old")
    path.chmod(0o664)
    told, owners, stat = [], {path.stat().st_ino: (1234, 5678)}, os.stat

    def chown(new, owner, group):
        told.append((owner, group))
        if (owner, group) != may:
            raise PermissionError(1, "Operation not permitted")
        owners[stat(new).st_ino] = (0 if owner == -1 else owner, group)

    def owned(place, **options):
        found = stat(place, **options)
        owner, group = owners.get(found.st_ino, (0, 0))
        return os.stat_result((*found[:4], owner, group, *found[6:10]))

    monkeypatch.setattr(os, "chown", chown)
    monkeypatch.setattr(os, "stat", owned)
    package.write_atomically(path, b"new")
    after = owned(path)
    assert (path.read_bytes(), told, (after.st_uid, after.st_gid)) == (b"new", asked, belongs)
    assert after.st_mode & 0o777 == 0o664
