"""Make the ribbon add-in: that of the pinned xlwings (BSD 3-clause), with our tab, our VBA and our settings.

Every replaced text must occur exactly once, so that another xlwings stops the build instead of changing the buttons.
Its licence text stays in the module `xlwings`.
"""

import importlib.metadata
import importlib.util
import re
from pathlib import Path

from addin.errors import AddinError
from addin.hosts.ribbon import ovba
from addin.hosts.ribbon.icons import icons
from addin.hosts.ribbon.tab import tab
from addin.xlsx.package import read_parts, write_parts

HERE = Path(__file__).parent
FILE = "vdi-sizing.xlam"
PROJECT = "vdi-sizing"  # names the settings: a hidden sheet in the add-in and vdi-sizing.conf in the user's folder
VBA_PROJECT = "VdiSizing"
MODULE = "RibbonVdiSizing"
SETTINGS = {"ADD_WORKBOOK_TO_PYTHONPATH": "false"}  # a folder of downloads must not become an import path
_PROJECT_PART, _UI_PART = "xl/vbaProject.bin", "customUI/customUI.xml"
_RIBBON_2006 = "http://schemas.microsoft.com/office/2006/relationships/ui/extensibility"
_IMAGE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"

_RUN = "RunPython = ExecuteWindows(False, PythonCommand, interpreter, PYTHONPATH)"
# Otherwise RunPython takes settings (such as the path of Python) from the open workbook or from a file beside it,
# switches to paid embedded code when a sheet is named *.py, and shows errors without a remedy.
VBA_CHANGES = (
    ('PROJECT_NAME As String = "myaddin"', f'PROJECT_NAME As String = "{PROJECT}"'),
    (
        'If SheetExists(ActiveWorkbook, PROJECT_NAME & ".conf") = True Then',
        "If False Then ' a workbook must not choose which Python runs",
    ),
    (
        'If source = "" Or source = "directory" Then',
        "If False Then ' nor a file beside it",
    ),
    (
        "                uses_embedded_code = True\r\n                Exit For",
        "                uses_embedded_code = False ' a sheet may have any name\r\n                Exit For",
    ),
    (  # what is left of a choice that VBA_CUTS takes out
        f"            {_RUN}\r\n        End If\r\n",
        f"        {_RUN}\r\n",
    ),
    ("Content = ReadFile(FileName)", f"Content = {MODULE}.InWords(ReadFile(FileName))"),
    (
        "To enable RunPython, please run 'xlwings runpython install' in a terminal once and try again.",
        "To let Excel start Python, run 'python -m addin install' in a terminal once and try again.",
    ),
)
# The server of functions in cells, which no button uses: it declares calls of Windows and writes modules, both of which
# virus scanners look for. Each cut goes from the first text, included, to the second.
VBA_CUTS = (
    ("#If VBA7 Then\r\n", "Public Const XLWINGS_VERSION"),
    ('    OPTIMIZED_CONNECTION = GetConfig("USE UDF SERVER", False)\r\n', "    ' PythonCommand with embedded code"),
    ("        If OPTIMIZED_CONNECTION = True Then\r\n", f"        {_RUN}"),
    ('#If App = "Microsoft Excel" Then\r\nFunction GetUdfModules', "Private Sub CleanUp()"),
    ("Function XLPyCommand()\r\n", '\'Attribute VB_Name = "Config"'),
)


class RibbonError(AddinError):
    """The installed xlwings is not the one that the patch was written for."""


def template() -> Path:
    """Return the ribbon add-in of the installed xlwings, without importing it. Raises RibbonError without it."""
    spec = importlib.util.find_spec("xlwings")
    path = Path(str(spec.origin)).with_name("quickstart_addin_ribbon.xlam") if spec else None
    if path is None or not path.is_file():
        raise RibbonError("xlwings with its ribbon add-in is not installed. Install the pinned one: requirements.lock.")
    return path


def xlwings_version() -> str:
    """Return the version of the installed xlwings, which the VBA in the add-in must match."""
    return importlib.metadata.version("xlwings")


def ribbon_parts() -> dict[str, bytes]:
    """Return the parts of the add-in. Raises RibbonError if that of xlwings is not as expected."""
    parts = read_parts(template())
    try:
        parts[_PROJECT_PART] = _vba(parts[_PROJECT_PART])
        parts["xl/workbook.xml"] = _workbook(parts["xl/workbook.xml"])
        parts["xl/worksheets/sheet1.xml"] = _settings_sheet(parts["xl/worksheets/sheet1.xml"])
        parts["xl/sharedStrings.xml"] = _settings_texts(parts["xl/sharedStrings.xml"])
        parts["docProps/core.xml"] = _properties(parts["docProps/core.xml"])
        parts["_rels/.rels"] = ovba.once(
            parts["_rels/.rels"],
            b"http://schemas.microsoft.com/office/2007/relationships/ui/extensibility",
            _RIBBON_2006.encode(),  # the one that belongs to the customUI schema of 2006, as in xlwings' own add-in
        )
        parts["[Content_Types].xml"] = ovba.once(
            parts["[Content_Types].xml"],
            b'<Default Extension="xml"',
            b'<Default Extension="png" ContentType="image/png" /><Default Extension="xml"',
        )
    except (ValueError, KeyError) as error:
        raise RibbonError(f"{template().name} of xlwings {xlwings_version()} cannot be patched: {error}.") from error
    return parts | _ui_parts()


def write_ribbon(path: Path) -> Path:
    """Write the add-in, whole or not at all; equal sources and an equal xlwings give equal bytes."""
    write_parts(path, ribbon_parts())
    return path


def ribbon_source() -> str:
    """Return our VBA module as Excel stores it; it is ASCII, so that no code page matters."""
    return _lines((HERE / f"{MODULE}.bas").read_text(encoding="ascii"))


def vba_modules(shipped: dict[str, str]) -> dict[str, str]:
    """Return the modules of our add-in by name, from those that xlwings ships."""
    modules = {name: _lines(text) for name, text in shipped.items() if name != "RibbonMyAddin"}
    for old, new in VBA_CHANGES:
        modules["xlwings"] = ovba.once(modules["xlwings"].encode(ovba.CODE_PAGE), old.encode(), new.encode()).decode(
            ovba.CODE_PAGE
        )
    for start, end in VBA_CUTS:
        modules["xlwings"] = _without(modules["xlwings"], start, end)
    return modules | {MODULE: ribbon_source()}


def _without(text: str, start: str, end: str) -> str:
    """Return a text without what is between two texts and without the first. Raises ValueError as `ovba.once` does."""
    head, found, rest = text.partition(start)
    _, ended, tail = rest.partition(end)
    if not found or not ended or text.count(start) > 1:
        raise ValueError(f"{start!r} is not followed by {end!r}; adapt the patch")
    return head + end + tail


def _lines(text: str) -> str:
    """End every line by CR LF, as [MS-OVBA] 2.1.1 wants; the shipped module `xlwings` has LF."""
    return "".join(f"{line}\r\n" for line in text.splitlines())


def _vba(project: bytes) -> bytes:
    modules = vba_modules(ovba.sources(project))
    return ovba.with_sources(project, VBA_PROJECT, modules, {"RibbonMyAddin": MODULE})


def _ui_parts() -> dict[str, bytes]:
    """Return the tab, its pictures and the relations between them."""
    pictures = icons()
    related = "".join(
        f'<Relationship Id="{name}" Type="{_IMAGE}" Target="images/{name}.png" />' for name in sorted(pictures)
    )
    relations = (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns='
        f'"http://schemas.openxmlformats.org/package/2006/relationships">{related}</Relationships>'
    )
    parts = {_UI_PART: tab().encode(), "customUI/_rels/customUI.xml.rels": relations.encode()}
    return parts | {f"customUI/images/{name}.png": picture for name, picture in pictures.items()}


def _workbook(part: bytes) -> bytes:
    """Name the settings sheet; leave out the folder that the shipped add-in was once saved in."""
    part = ovba.once(part, b'name="_myaddin.conf"', f'name="{PROJECT}.conf"'.encode())
    start, end = (part.index(tag) for tag in (b"<mc:AlternateContent", b"</mc:AlternateContent>"))
    return ovba.once(part, part[start:end] + b"</mc:AlternateContent>", b"")


def _settings_sheet(part: bytes) -> bytes:
    rows = ""
    for row in range(1, len(SETTINGS) + 1):
        cells = (f'<c r="{c}{row}" s="1" t="s"><v>{2 * row - 2 + n}</v></c>' for n, c in enumerate("AB"))
        rows += f'<row r="{row}">{"".join(cells)}</row>'
    part = ovba.once(part, b'<dimension ref="A1:B13" />', f'<dimension ref="A1:B{len(SETTINGS)}" />'.encode())
    return _replaced(part, "sheetData", rows)


def _settings_texts(part: bytes) -> bytes:
    texts = [text for pair in SETTINGS.items() for text in pair]
    part = ovba.once(part, b'count="9" uniqueCount="9"', f'count="{len(texts)}" uniqueCount="{len(texts)}"'.encode())
    return _replaced(part, "sst", "".join(f"<si><t>{text}</t></si>" for text in texts))


def _properties(part: bytes) -> bytes:
    """Give title and description, which Excel shows in the list of add-ins, and say where the rest comes from."""
    made_of = (
        f"Ribbon tab of VDI Storage Sizing. Made from the ribbon add-in of xlwings {xlwings_version()} (BSD 3-clause)."
    )
    for old, new in (
        (b"<dc:title />", b"<dc:title>VDI Sizing</dc:title>"),
        (b"<dc:description />", f"<dc:description>{made_of}</dc:description>".encode()),
        (b"<dc:creator>Felix</dc:creator>", b"<dc:creator>VDI Storage Sizing contributors</dc:creator>"),
        (b"<cp:lastModifiedBy>Felix Zumstein</cp:lastModifiedBy>", b""),
    ):
        part = ovba.once(part, old, new)
    return part


def _replaced(part: bytes, element: str, content: str) -> bytes:
    """Replace the content of the only element of that name."""
    contents = re.findall(rf"<{element}\b[^>]*>(.*?)</{element}>".encode(), part, flags=re.DOTALL)
    if len(contents) != 1:
        raise ValueError(f"<{element}> occurs {len(contents)} times, expected once; adapt the patch")
    return ovba.once(part, contents[0] + f"</{element}>".encode(), f"{content}</{element}>".encode())
