"""The parts of a package beside its cells are left out, and counted by the name that applications give them."""

from __future__ import annotations

from pathlib import Path

from addin.leaving.parts import left_out
from addin.xlsx.package import read_parts, write_parts
from tests.support import released


def test_parts_that_stay_at_home_are_counted_by_name(tmp_path: Path) -> None:
    path = released.write("0.2.0", tmp_path / "Deal.xlsx")
    assert left_out(path) == ""
    parts = read_parts(path)
    for name in ("customXml/item1.xml", "customXml/item2.xml", "customXml/_rels/item1.xml.rels", "xl/comments1.xml",
                 "xl/printerSettings/printerSettings3.bin", "docProps/custom.xml", "xl/secret84140.xml"):  # fmt: skip
        parts[name] = b"<a/>"
    write_parts(path, parts)
    assert left_out(path) == (
        "2 customXml/item, 1 docProps/custom, 1 of another name, 1 xl/comments, 1 xl/printerSettings/printerSettings"
    )
    assert left_out(tmp_path / "nowhere.xlsx") == ""
