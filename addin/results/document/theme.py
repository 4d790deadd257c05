"""The company theme of documents: theme.toml with a name, a logo, two colours and the paper size.

company = "Example Ltd"
logo = "logo.svg"           # PNG or SVG beside the file, at most 500 KB, shown as a picture, never run
main = "#1f4e79"            # headings and bars; contrast on white at least 4.5
second = "#9a3412"
paper = "A4"                # or "Letter"
"""

from __future__ import annotations

import base64
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from addin.errors import RequestError
from addin.reported import one_line

FILE = "theme.toml"
MOST_BYTES, LEAST_CONTRAST = 500_000, 4.5  # the contrast that WCAG 2 asks of text
_PNG = b"\x89PNG\r\n\x1a\n"
_KEYS = ("company", "logo", "main", "second", "paper")
_PAPERS = {"a4": "A4", "letter": "letter"}


@dataclass(frozen=True)
class Theme:
    """Name, logo as a data URL (empty for none), two colours such as #1f4e79, paper size."""

    company: str = ""
    logo: str = ""
    main: str = "#1f4e79"
    second: str = "#9a3412"
    paper: str = "A4"


def theme_for(book: Path, named: Path | None) -> Theme:
    """Return the theme of a named file, of theme.toml beside the workbook, or the default one.

    Raises RequestError for a missing file and for one with an unusable value.
    """
    if named is None:
        beside = book.parent / FILE
        return read(beside) if beside.is_file() else Theme()
    if not named.is_file():
        what = "is a folder" if named.is_dir() else "is no plain file" if named.exists() else "there is no such file"
        raise RequestError(f"{named}: {what}. Name a theme, or leave --theme out.")
    return read(named)


def read(path: Path) -> Theme:
    """Read a theme. Raises RequestError."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RequestError(
            f'{path.name}: is no TOML ({one_line(error)}). Write lines such as main = "#1f4e79".'
        ) from None
    for key, value in content.items():
        if key not in _KEYS:
            raise RequestError(f"{path.name}: {key!r} is not known; expected {', '.join(_KEYS)}. Correct it.")
        if not isinstance(value, str):
            raise RequestError(f'{path.name}: {key} is {value!r}; expected a text, such as {key} = "...". Correct it.')
    for key in ("main", "second"):
        if key in content:
            _check_colour(path, key, content[key])
    if "paper" in content:
        if content["paper"].casefold() not in _PAPERS:
            raise RequestError(f"{path.name}: paper is {content['paper']!r}; expected A4 or Letter. Choose one.")
        content["paper"] = _PAPERS[content["paper"].casefold()]
    if "logo" in content:
        if content["logo"] != re.split(r"[/\\:]", content["logo"])[-1]:
            raise RequestError(
                f"{path.name}: logo is {content['logo']!r}; expected the name of a file beside it. Put it there."
            )
        content["logo"] = _logo(path, path.parent / content["logo"])
    return Theme(**content)


def contrast(colour: str) -> float:
    """Return the contrast of a colour such as #1f4e79 with white, 1 to 21, as WCAG 2 counts it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    light = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 1.05 / (0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2] + 0.05)


def _check_colour(path: Path, key: str, colour: str) -> None:
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        raise RequestError(f"{path.name}: {key} is {colour!r}; expected a colour such as #1f4e79. Correct it.")
    if contrast(colour) < LEAST_CONTRAST:
        raise RequestError(
            f"{path.name}: {key} {colour} has a contrast of {contrast(colour):.2f} on white; expected at least "
            f"{LEAST_CONTRAST}. Take a darker colour."
        )


def _logo(path: Path, logo: Path) -> str:
    """Return a logo as a data URL."""
    try:
        content = logo.read_bytes() if logo.is_file() else None
    except OSError:
        content = None
    if content is None:
        raise RequestError(f"{path.name}: there is no logo {logo.name} beside it. Put it there, or leave it out.")
    if len(content) > MOST_BYTES:
        raise RequestError(
            f"{path.name}: the logo {logo.name} has {len(content) // 1000:,} KB; expected at most 500. Make it smaller."
        )
    if content.startswith(_PNG):
        kind = "png"
    elif _is_svg(content):
        kind = "svg+xml"
    else:
        raise RequestError(f"{path.name}: the logo {logo.name} is no picture; expected PNG or SVG. Convert it.")
    return f"data:image/{kind};base64,{base64.b64encode(content).decode('ascii')}"


def _is_svg(content: bytes) -> bool:
    if b"<!ENTITY" in content:
        return False
    try:
        return ElementTree.fromstring(content).tag.rpartition("}")[2] == "svg"
    except ElementTree.ParseError:
        return False
