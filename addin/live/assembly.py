"""One HTML file from contents: program, script and style inline, and a policy that blocks everything else."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from string import Template

from addin.kernel import Address
from addin.kernel.script import runtime
from addin.live.contents import Contents
from addin.live.front import Block
from addin.live.packed import packed
from addin.live.parts import PAGE_BEGINS, SCRIPTS, TRIALS, asset
from addin.live.texts import Texts
from addin.workbook.book import shown
from addin.workbook.number_formats import GENERAL, displayed

_SPARED = re.compile(r"^ *//.*\n|^ +", re.MULTILINE)


def assembled(contents: Contents, texts: Texts) -> bytes:
    """Return the page in a language: the same contents give the same bytes."""
    own = "\n".join(_bare(asset(f"{name}.js")) for name in SCRIPTS)
    # Braces give the page's names their own scope: none of them can shadow one of the runtime's.
    first = f"{_bare(runtime())}\n{contents.program.source}\n{_bare(asset(f'{TRIALS}.js'))}"
    script = f"{first}\n{PAGE_BEGINS}\n{_data(contents, texts)}\n{{\n{own}}}\n"
    style = asset("page.css")
    policy = (
        f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}; worker-src blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    words = {name: html.escape(text) for name, text in _words(contents).items()}
    tables = {
        "answer": _table(contents, contents.answer, ""),
        "ranked": _table(contents, contents.ranked, "Array"),
        "notes": _notes(contents),
    }
    page = Template(texts.page(asset("page.html")))
    return page.substitute(words, **tables, policy=policy, script=script, style=style).encode()


def _data(contents: Contents, texts: Texts) -> str:
    """Return the data of the page as a script; the chains are unpacked when the first number is opened."""
    told = {**contents.data, "language": texts.language, "texts": dict(texts.translated)}
    data, behind = (packed(json.dumps(each, separators=(",", ":"), sort_keys=True)) for each in (told, contents.chains))
    return f'{_bare(asset("inflate.js"))}\nconst DATA=JSON.parse(inflated("{data}"));\nconst CHAINS="{behind}";'


def _bare(script: str) -> str:
    """Return a script without comment lines and indents: they are read in the sources, and are 20 kB of a page."""
    return _SPARED.sub("", script)


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _words(contents: Contents) -> dict[str, str]:
    """Return the texts of the page outside of tables, not yet escaped."""
    data, saved = contents.data, contents.saved
    master, banner = (shown(saved.value(at)) for at in contents.checks)
    status = shown(saved.value(contents.status))
    notes = [shown(saved.value(line.label)) for line in contents.answer.lines if not line.values]
    return {
        "title": f"VDI storage sizing: {data['book']}",
        "heading": f" {contents.heading}." if contents.heading else "",
        "status": status if master in ("", "0") else banner,
        "banner": banner,
        "design": "; ".join(f"{name}: {value}" for name, value in contents.design),
        "answer_notes": ". ".join(note for note in notes if note),
        "book": str(data["book"]),
        "version": str(data["version"]),
        "digest": str(data["digest"]),
        "built": str(data["built"]),
    }


def _table(contents: Contents, block: Block, first: str) -> str:
    """Return a block with its saved values as the inside of a table."""
    heads = "".join(
        f'<th scope="col">{html.escape(head)}</th>' if head else "<td></td>" for head in (first, *block.heads)
    )
    rows = []
    for line in block.lines:
        label, *values = _row(contents, (line.label, *line.values))
        if values and label:
            cells = "".join(
                f'<td data-head="{html.escape(head)}">{html.escape(value)}</td>'
                for head, value in zip(block.heads, values, strict=True)
            )
            rows.append(f'<tr><th scope="row">{html.escape(label)}</th>{cells}</tr>')
    return f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody>"


def _notes(contents: Contents) -> str:
    rows = (_row(contents, (line.label, *line.values)) for line in contents.notes.lines)
    return "".join(
        f"<dt>{html.escape(label.capitalize())}</dt><dd>{html.escape(value) or '-'}</dd>" for label, value in rows
    )


def _row(contents: Contents, cells: Sequence[Address]) -> list[str]:
    return [displayed(contents.saved.value(cell), contents.formats.get(cell, GENERAL)) for cell in cells]
