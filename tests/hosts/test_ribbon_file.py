"""The ribbon add-in as a file: what was put in comes out again, in other readers too, and nothing else changed."""

import io
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import olefile
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oletools.olevba import VBA_Parser, decompress_stream
from PIL import Image

from addin.buttons import BUTTONS
from addin.hosts.ribbon import __main__ as command
from addin.hosts.ribbon import compound, make, ovba, tab
from addin.hosts.ribbon.icons import icons
from addin.xlsx.package import read_parts, write_parts
from tests.support import libreoffice

ROOT = Path(make.__file__).parents[3]
UI = "{http://schemas.microsoft.com/office/2006/01/customui}"
RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


@pytest.fixture(scope="module")
def addin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make.write_ribbon(tmp_path_factory.mktemp("ribbon") / make.FILE)


@pytest.fixture(scope="module")
def shipped() -> dict[str, bytes]:
    return read_parts(make.template())


def test_oletools_reads_every_module_byte_for_byte(addin, shipped):
    expected = make.vba_modules(ovba.sources(shipped["xl/vbaProject.bin"]))
    parser = VBA_Parser(str(addin))
    try:
        read = {Path(name).stem: code for _, _, name, code in parser.extract_macros()}
    finally:
        parser.close()
    assert read == expected
    assert set(read) == {"ThisWorkbook", "Sheet2", "Dictionary", "xlwings", "RibbonVdiSizing"}
    assert read["RibbonVdiSizing"].encode() == (ROOT / "addin/hosts/ribbon/RibbonVdiSizing.bas").read_bytes().replace(
        b"\n", b"\r\n"
    )


def test_the_project_holds_source_and_nothing_compiled(addin):
    project = read_parts(addin)["xl/vbaProject.bin"]
    with olefile.OleFileIO(io.BytesIO(project)) as file:
        streams = {"/".join(path): file.openstream(path).read() for path in file.listdir()}
    assert streams == compound.read(project)
    assert streams["VBA/_VBA_PROJECT"][:4] == bytes.fromhex("CC61FFFF")  # [MS-OVBA] 2.3.4.1: no version of Excel
    assert not [path for path in streams if path.startswith("VBA/__SRP")]
    for name, source in ovba.sources(project).items():
        assert decompress_stream(bytearray(streams[f"VBA/{name}"])).decode("cp1252") == source, "source starts at 0"


def test_the_names_in_every_stream_agree(addin):
    streams = compound.read(read_parts(addin)["xl/vbaProject.bin"])
    assert b'Name="VdiSizing"\r\n' in streams["PROJECT"]
    assert b"Module=RibbonVdiSizing\r\n" in streams["PROJECT"]
    assert b"\r\nRibbonVdiSizing=" in streams["PROJECT"]
    everything = b"".join(streams.values()) + ovba.decompress(streams["VBA/dir"])
    assert b"MyAddin" not in everything
    assert "MyAddin".encode("utf-16le") not in everything


def test_no_module_declares_a_call_of_windows_or_writes_modules(addin):
    """Virus scanners look for both; the server of functions in cells, which needs them, is left out."""
    for name, source in ovba.sources(read_parts(addin)["xl/vbaProject.bin"]).items():
        code = [line.partition("'")[0] for line in source.splitlines()]
        found = [
            line for line in code if re.search(r"\bDeclare\b|\bLib\b|VBProject|VBComponent|XLPy|LoadLibrary", line)
        ]
        assert found == [], name
        assert sum("#If" in line for line in code) == sum("#End If" in line for line in code), name


def test_every_entry_of_the_ribbon_answers_an_error(addin):
    source = ovba.sources(read_parts(addin)["xl/vbaProject.bin"])["RibbonVdiSizing"]
    entries = re.findall(r"Public Sub \w+\(control As IRibbonControl\)\r\n(.*?)\r\nEnd Sub", source, flags=re.DOTALL)
    assert len(entries) == 2
    for body in entries:
        assert re.match(r" +On Error GoTo (\w+)\r\n(?:.*\r\n)+ +Exit Sub\r\n\1:\r\n +MsgBox ", body), body


def test_the_licence_of_xlwings_stays_in_its_module(addin):
    source = ovba.sources(read_parts(addin)["xl/vbaProject.bin"])["xlwings"]
    assert "BSD 3-clause" in source
    assert "Copyright (C) 2014-present, Zoomer Analytics LLC." in source


def test_the_tab_is_the_source_and_its_pictures_are_there(addin):
    parts = read_parts(addin)
    assert parts["customUI/customUI.xml"] == tab.tab().encode()
    related = {
        relation.get("Id"): relation.get("Target")
        for relation in ElementTree.fromstring(parts["customUI/_rels/customUI.xml.rels"]).iter(RELATION)
    }
    buttons = list(ElementTree.fromstring(parts["customUI/customUI.xml"]).iter(f"{UI}button"))
    shown = [(button.get("tag"), button.get("label"), button.get("supertip")) for button in buttons]
    assert shown == [(button.key, button.label, button.tip) for button in BUTTONS]
    for button in buttons:
        with Image.open(io.BytesIO(parts[f"customUI/{related[button.get('image')]}"])) as picture:
            assert picture.size == (32, 32)
            assert len(picture.getcolors() or ()) > 2
        assert len(button.get("screentip", "")) <= 1024  # limits of the schema
        assert 20 < len(button.get("supertip", "")) <= 1024
    assert set(related) == {button.get("image") for button in buttons} == set(icons())
    main = {r.get("Target"): r.get("Type") for r in ElementTree.fromstring(parts["_rels/.rels"]).iter(RELATION)}
    assert main["customUI/customUI.xml"] == "http://schemas.microsoft.com/office/2006/relationships/ui/extensibility"


def test_ids_of_the_tab_are_unique():
    tree = ElementTree.fromstring(tab.tab().encode())
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids)) == 1 + len({button.group for button in BUTTONS}) + len(BUTTONS)


def test_the_settings_keep_the_folder_of_the_workbook_out(addin):
    parts = read_parts(addin)
    assert b"<si><t>ADD_WORKBOOK_TO_PYTHONPATH</t></si><si><t>false</t></si>" in parts["xl/sharedStrings.xml"]
    assert b'name="vdi-sizing.conf"' in parts["xl/workbook.xml"]


def test_every_other_part_is_as_shipped(addin, shipped):
    parts = read_parts(addin)
    changed = {name for name in shipped if parts[name] != shipped[name]}
    assert changed == {
        "xl/vbaProject.bin",
        "xl/workbook.xml",
        "xl/worksheets/sheet1.xml",
        "xl/sharedStrings.xml",
        "docProps/core.xml",
        "_rels/.rels",
        "[Content_Types].xml",
        "customUI/customUI.xml",
    }
    assert {name.split("/")[0] for name in set(parts) - set(shipped)} == {"customUI"}
    assert b"Users" not in b"".join(part for name, part in parts.items() if name.endswith((".xml", ".rels")))


def test_every_part_that_is_xml_can_be_parsed(addin):
    for name, part in read_parts(addin).items():
        if name.endswith((".xml", ".rels")):
            ElementTree.fromstring(part)


@pytest.mark.slow
def test_libreoffice_opens_it_and_finds_modules_and_settings(addin, tmp_path):
    soffice = libreoffice.soffice()
    filtered = ["--infilter=Calc MS Excel 2007 VBA XML", "--convert-to", "ods", "--outdir", str(tmp_path), str(addin)]
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    subprocess.run([soffice, profile, "--headless", "--norestore", *filtered], check=True, capture_output=True)
    with zipfile.ZipFile(tmp_path / "vdi-sizing.ods") as package:
        names = {name for name in package.namelist() if name.startswith("Basic/VdiSizing/")}
        module = package.read("Basic/VdiSizing/RibbonVdiSizing.xml").decode()
        content = package.read("content.xml").decode()
    modules = {"Dictionary", "RibbonVdiSizing", "Sheet2", "ThisWorkbook", "xlwings", "script-lb"}
    assert names == {f"Basic/VdiSizing/{name}.xml" for name in modules}
    assert "Public Sub StartCommand" in module
    assert "ADD_WORKBOOK_TO_PYTHONPATH" in content
    assert "vdi-sizing.conf" in content


def test_two_builds_give_the_same_bytes(addin, tmp_path):
    for seed in ("1", "2"):
        (tmp_path / seed).mkdir()
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "TZ": f"UTC-{seed}"}
        arguments = [sys.executable, "-m", "addin.hosts.ribbon", "--out", str(tmp_path / seed)]
        subprocess.run(arguments, check=True, cwd=tmp_path, env=environment, capture_output=True)
        assert (tmp_path / seed / make.FILE).read_bytes() == addin.read_bytes()
    with zipfile.ZipFile(addin) as package:
        assert {entry.compress_type for entry in package.infolist()} == {zipfile.ZIP_STORED}


@pytest.mark.parametrize(
    "change", [lambda t: t.replace("myaddin", "other"), lambda t: t + "\nContent = ReadFile(FileName)"]
)
def test_another_xlwings_stops_the_build(change, shipped):
    modules = ovba.sources(shipped["xl/vbaProject.bin"])
    modules["xlwings"] = change(modules["xlwings"])
    with pytest.raises(ValueError, match=r"occurs [02] times, expected once; adapt the patch"):
        make.vba_modules(modules)


def test_a_template_without_the_parts_is_named(monkeypatch, tmp_path, shipped, capsys):
    short = tmp_path / "quickstart_addin_ribbon.xlam"
    write_parts(short, {name: part for name, part in shipped.items() if name != "xl/vbaProject.bin"})
    monkeypatch.setattr(make, "template", lambda: short)
    assert command.main(["--out", str(tmp_path)]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("error: quickstart_addin_ribbon.xlam of xlwings 0.37")
    assert errors.count("\n") == 1
    assert not (tmp_path / make.FILE).exists()


def test_a_folder_that_is_missing_is_named(tmp_path, capsys):
    assert command.main(["--out", str(tmp_path / "none")]) == 2
    assert "there is no such folder. Make it, or name another." in capsys.readouterr().err


@given(st.binary(max_size=10_000) | st.text("ab ", max_size=10_000).map(str.encode))
def test_compression_is_read_by_oletools_and_by_us(data):
    packed = ovba.compress(data)
    assert ovba.decompress(packed) == data
    if data:
        read = bytes(decompress_stream(bytearray(packed)))
        assert read[: len(data)] == data
        assert not read[len(data) :].strip(b"\0")  # a raw chunk is padded to 4,096 bytes


@given(
    st.dictionaries(
        st.sampled_from(["PROJECT", "VBA/dir", "VBA/a", "VBA/bb", "VBA/ccc", "x", "UI/f"]),
        st.binary(max_size=300).flatmap(lambda piece: st.integers(0, 60).map(lambda count: piece * count)),
    )
)
def test_a_compound_file_is_read_by_olefile_and_by_us(streams):
    data = compound.write(streams)
    assert compound.read(data) == streams
    with olefile.OleFileIO(io.BytesIO(data), raise_defects=olefile.DEFECT_INCORRECT) as file:
        assert {"/".join(path): file.openstream(path).read() for path in file.listdir()} == streams


def test_a_file_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="not a compound file"):
        compound.read(b"PK\x03\x04" + bytes(600))
