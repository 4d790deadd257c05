"""Make the Calc extension: the buttons of addin/buttons.py as toolbar and menu, with Basic procedures."""

from pathlib import Path

from addin.buttons import BUTTONS
from addin.hosts.ribbon.icons import icons
from addin.hosts.ribbon.tab import NAME as TAB
from addin.xlsx.escaping import escape
from addin.xlsx.package import write_parts

HERE = Path(__file__).parent
FILE = "vdi-sizing.oxt"
IDENTIFIER = "vdi-storage-sizing.calc"
LIBRARY = "VdiSizing"
_SHEET = "com.sun.star.sheet.SpreadsheetDocument"
_OOR = 'xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"'
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_LIBRARY = (
    f'{_HEAD}<!DOCTYPE library:library PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "library.dtd">\n'
    f'<library:library xmlns:library="http://openoffice.org/2000/library" library:name="{LIBRARY}" '
    'library:readonly="false" library:passwordprotected="false">{modules}</library:library>\n'
)
_MODULE = (
    f'{_HEAD}<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">\n'
    '<script:module xmlns:script="http://openoffice.org/2000/script" script:name="{name}" '
    'script:language="StarBasic">{source}</script:module>\n'
)
_MANIFEST = (
    f'{_HEAD}<manifest:manifest xmlns:manifest="http://openoffice.org/2001/manifest">\n'
    '<manifest:file-entry manifest:full-path="Addons.xcu" '
    'manifest:media-type="application/vnd.sun.star.configuration-data"/>\n'
    '<manifest:file-entry manifest:full-path="CalcWindowState.xcu" '
    'manifest:media-type="application/vnd.sun.star.configuration-data"/>\n'
    f'<manifest:file-entry manifest:full-path="{LIBRARY}/" '
    'manifest:media-type="application/vnd.sun.star.basic-library"/>\n'
    "</manifest:manifest>\n"
)


def extension_parts() -> dict[str, bytes]:
    """Return the parts of the extension."""
    pictures = {
        f"images/{name}{suffix}.png": picture
        for scale, suffix in ((1, "_16"), (2, "_32"))
        for name, picture in icons(scale).items()
    }
    modules = {"VdiSizing": (HERE / "VdiSizing.bas").read_text(encoding="ascii"), "Buttons": _button_module()}
    listed = "".join(f'<library:element library:name="{name}"/>' for name in modules)
    texts = {
        "META-INF/manifest.xml": _MANIFEST,
        "description.xml": (HERE / "description.xml").read_text(encoding="utf-8"),
        "start.py": (HERE / "start.py").read_text(encoding="utf-8"),
        "Addons.xcu": _addons(),
        "CalcWindowState.xcu": _window_state(),
        f"{LIBRARY}/script.xlb": _LIBRARY.format(modules=listed),
        f"{LIBRARY}/dialog.xlb": _LIBRARY.format(modules=""),
    }
    for name, source in modules.items():
        texts[f"{LIBRARY}/{name}.xba"] = _MODULE.format(name=name, source=escape(source))
    return {name: text.encode() for name, text in texts.items()} | pictures


def write_extension(path: Path) -> Path:
    """Write the extension, whole or not at all; equal sources give equal bytes."""
    write_parts(path, extension_parts())
    return path


def _button_module() -> str:
    """Return the Basic procedures of the buttons, since the URL of a script cannot contain the name of a command."""
    return "".join(f'Sub {button.id}\n    StartCommand("{button.key}")\nEnd Sub\n\n' for button in BUTTONS)


def _url(procedure: str, module: str = "Buttons") -> str:
    return f"vnd.sun.star.script:{LIBRARY}.{module}.{procedure}?language=Basic&location=application"


def _prop(name: str, value: str, language: str = "") -> str:
    return f'<prop oor:name="{name}" oor:type="xs:string"><value{language}>{escape(value)}</value></prop>'


def _node(name: str, content: str) -> str:
    return f'<node oor:name="{name}" oor:op="replace">{content}</node>\n'


def _item(number: int, title: str, url: str) -> str:
    content = _prop("URL", url) + _prop("Title", title, ' xml:lang="en-US"') + _prop("Target", "_self")
    return _node(f"m{number:02}", content + _prop("Context", _SHEET))


def _addons() -> str:
    """Return toolbar, menu and pictures as a configuration of LibreOffice."""
    items = [_item(number, button.label, _url(button.id)) for number, button in enumerate(BUTTONS)]
    separator = _node(f"m{len(BUTTONS):02}", _prop("URL", "private:separator"))
    shell = _item(len(BUTTONS) + 1, "Open for the shell", _url("OpenForTheShell", "VdiSizing"))
    bar = "".join(items)
    menu = _prop("Title", TAB, ' xml:lang="en-US"') + _prop("Target", "_self") + _prop("Context", _SHEET)
    menu += f'<node oor:name="Submenu">\n{"".join([*items, separator, shell])}</node>'
    pictures = "".join(
        _node(
            f"{IDENTIFIER}.{button.key}",
            _prop("URL", _url(button.id))
            + '<node oor:name="UserDefinedImages">'
            + _prop("ImageSmallURL", f"%origin%/images/{button.key}_16.png")
            + _prop("ImageBigURL", f"%origin%/images/{button.key}_32.png")
            + "</node>",
        )
        for button in BUTTONS
    )
    return (
        f'{_HEAD}<oor:component-data {_OOR} oor:name="Addons" oor:package="org.openoffice.Office">\n'
        '<node oor:name="AddonUI">\n'
        f'<node oor:name="OfficeToolBar">{_node(f"{IDENTIFIER}.toolbar", bar)}</node>\n'
        f'<node oor:name="OfficeMenuBar">{_node(f"{IDENTIFIER}.menu", menu)}</node>\n'
        f'<node oor:name="Images">{pictures}</node>\n'
        "</node></oor:component-data>\n"
    )


def _window_state() -> str:
    """Return name and place of the toolbar: docked under the others, pictures with names."""
    state = (
        ("DockingArea", "int", "0"),
        ("DockPos", "string", "0,5"),
        ("Docked", "boolean", "true"),
        ("Visible", "boolean", "true"),
        ("UIName", "string", TAB),
        ("Style", "int", "2"),
    )
    props = "".join(
        f'<prop oor:name="{name}" oor:type="xs:{kind}"><value>{value}</value></prop>' for name, kind, value in state
    )
    return (
        f'{_HEAD}<oor:component-data {_OOR} oor:name="CalcWindowState" oor:package="org.openoffice.Office.UI">\n'
        f'<node oor:name="UIElements"><node oor:name="States">\n'
        f"{_node(f'private:resource/toolbar/addon_{IDENTIFIER}.toolbar', props)}</node></node></oor:component-data>\n"
    )
