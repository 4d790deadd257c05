"""The texts of the page in one table, English as the key: a translation is a file of the same keys.

A text of a script is marked with T, `T`Opened ${name}: ${count}.``, and reads "Opened {1}: {2}." in the table. Texts of
page.html are those between its tags and in aria-label, with $names for what is filled in. Labels, helps and words of
the workbook are no texts of the page: they stay as on its sheets, where a reader looks for them.

    python -m addin.live     writes the table of a new English, assets/texts.json
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType

from addin.errors import RequestError
from addin.live.parts import SCRIPTS, asset

ENGLISH, TABLE = "en", "texts.json"
LARGEST = 1_000_000  # bytes of a translation
_MARKED = re.compile(r"\bT`")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_OF_HTML = re.compile(r"(?<=>)[^<>]+(?=<)|(?<=aria-label=\")[^\"]+(?=\")")
_PLACE = re.compile(r"\{\d+\}|\$\w*")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")


@dataclass(frozen=True)
class Texts:
    """A language, as the page's `lang` has it, and the texts that are not English, by their English."""

    language: str = ENGLISH
    translated: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def page(self, template: str) -> str:
        """Return page.html with its texts translated, and its language."""

        def text(found: re.Match[str]) -> str:
            key = " ".join(found[0].split())
            return html.escape(self.translated[key]) if key in self.translated else found[0]

        return _OF_HTML.sub(text, template).replace(f'lang="{ENGLISH}"', f'lang="{self.language}"', 1)


def of_script(source: str) -> Iterator[str]:
    """Yield the texts of a script, {1} for each value."""
    for start in _MARKED.finditer(source):
        text, at, places = "", start.end(), 0
        while source[at] != "`":
            if source.startswith("${", at):
                places += 1
                text, at = f"{text}{{{places}}}", _behind(source, at + 2)
            else:
                text, at = text + source[at], at + 1
        yield _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def _behind(source: str, at: int) -> int:
    """Return the place behind the brace that ends a value, whatever templates and objects are inside."""
    while source[at] != "}":
        if source[at] == "`":
            at += 1
            while source[at] != "`":
                at = _behind(source, at + 2) if source.startswith("${", at) else at + 1
            at += 1
        elif source[at] == "{":
            at = _behind(source, at + 1)
        elif source[at] == '"':
            at = source.index('"', at + 1) + 1
        else:
            at += 1
    return at + 1


def of_page(template: str) -> Iterator[str]:
    """Yield the texts of page.html, on one line each."""
    for found in _OF_HTML.finditer(template):
        text = " ".join(found[0].split())
        if re.search(r"[A-Za-z]", _PLACE.sub("", text)):
            yield text


def read(path: Path) -> Texts:
    """Read a translation: {"language": "de", "texts": {English: text}}; what is not in it stays English.

    Raises RequestError, in one line, for a file of another kind, an unknown text, and a placeholder missing or extra.
    """
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "is no plain file" if path.exists() else "there is no such file"
        raise RequestError(f"{path.name}: {what}. Name a file with the texts of the page, a copy of {TABLE}.")
    try:
        content = path.read_bytes()
        if len(content) > LARGEST:
            raise RequestError(f"{path.name}: larger than {LARGEST:,} bytes; expected a copy of {TABLE}. Name another.")
        table = json.loads(content.decode("utf-8-sig"))
    except OSError as error:
        raise RequestError(f"{path}: {error.strerror or error}. Name a file with the texts of the page.") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise RequestError(f"{path.name}: is not JSON. Start from a copy of {TABLE}; see docs/page.md.") from None
    texts = table.get("texts") if isinstance(table, dict) else None
    language = table.get("language") if isinstance(table, dict) else None
    if not isinstance(texts, dict) or not isinstance(language, str) or not _LANGUAGE.fullmatch(language):
        raise RequestError(
            f'{path.name}: expected {{"language": "de", "texts": {{...}}}}. Start from a copy of {TABLE}.'
        )
    return Texts(language, MappingProxyType({key: _checked(path, key, text) for key, text in texts.items()}))


def _checked(path: Path, key: str, text: object) -> str:
    """Return a translation with the blanks that its English has at the ends, where another text may follow."""
    shown = f"{key[:60]}{'...' * (len(key) > 60)}"
    if key not in table():
        raise RequestError(f"{path.name}: {shown!r} is not a text of the page. Take it out, or copy its English anew.")
    if not isinstance(text, str) or not text.strip():
        raise RequestError(f"{path.name}: {shown!r} has no text. Translate it, or take it out: it stays English.")
    wanted, found = (sorted(_PLACE.findall(each)) for each in (key, text))
    if wanted != found:
        missing, extra = (sorted({*one} - {*other}) for one, other in ((wanted, found), (found, wanted)))
        said = [f"lacks {', '.join(missing)}"] * bool(missing) + [f"has {', '.join(extra)} too many"] * bool(extra)
        reason = " and ".join(said) or "has a placeholder more than once"
        raise RequestError(f"{path.name}: the text of {shown!r} {reason}. Use each placeholder of the English once.")
    return key[: len(key) - len(key.lstrip())] + text.strip() + key[len(key.rstrip()) :]


@cache
def table() -> Mapping[str, str]:
    """Return the English texts, as the shipped table has them."""
    found: dict[str, str] = json.loads(asset(TABLE))["texts"]
    return MappingProxyType(found)


def made() -> str:
    """Return the table of the texts as scripts and page have them now."""
    every = [*of_page(asset("page.html")), *(text for name in SCRIPTS for text in of_script(asset(f"{name}.js")))]
    content = {"language": ENGLISH, "texts": {text: text for text in dict.fromkeys(every)}}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"
