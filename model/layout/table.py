"""The rows of a sheet from the text file beside its module, which reads like the sheet:

    [Desktops]
    # why a row is as it is
    hosts_required* | Hosts required | count | =ROUNDUP({virtual_machines}/MAX(1,{desktops_per_host}),0)
        Definition
    unit_word | The unit, in words | text, 1 line | =IF({node_unit}>0,"node","array")
        Part of the answer
    @python ratios

A row is `key | label | unit | formula`, its basis indented below. A star marks a result, which gets a name; of a text
the unit may say how many lines to reserve. A long formula continues below, indented, each line behind a bar.
`@headline 2 | Limited by | #,##0` below a row shows it in the band above Inputs. `@python ratios` takes the rows, and
`{python:RATIOS}` the text, that the module gives under this name: what follows data or constraints is made there.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from model.errors import Complaint
from model.layout.line import GridSheet, Group, Headline, Line
from model.reading.files import KEY, Complain, text_of
from model.reading.rows import nearest

ROOT = Path(__file__).parents[2]
SHEETS = ROOT / "model" / "sheets"
LONGEST = 160  # characters of a line
_CELLS = "key | label | unit | formula"
_KEY = re.compile(rf"({KEY.pattern})(\*?)")
_UNIT = re.compile(r"(.+?)(?:, (\d+) lines?)?")
_HEADLINE = re.compile(r"@headline (\d+) \| ([^|]+?)(?: \| ([^|]+))?")
_TEXT = re.compile(r"\{python:([^{}]*)\}")
_SEPARATORS = {";": "semicolons", "\t": "tabs"}
Rows = Sequence[Line | Group]
T = TypeVar("T")


@dataclass(frozen=True)
class Made:
    """A line `@python name`: rows that the module makes."""

    name: str
    where: str


def sheet(
    module: str,
    name: str,
    purpose: str,
    rows: Mapping[str, Rows] | None = None,
    texts: Mapping[str, str] | None = None,
    title: str = "",
    published: bool = True,
) -> GridSheet:
    """Return the sheet whose rows are in the file beside a module; its faults wait for those of the other sheets.

    `rows` and `texts` are what the file takes from the module, by name; `title` is above the rows, else the name.
    `published` says whether the published tests have columns.
    """
    path, faults = Path(module).with_suffix(".rows"), dict[Complaint, None]()
    maker = _Maker(Path(module).name, rows or {}, texts or {}, lambda *each: faults.setdefault(Complaint(*each)))
    parsed = parse(path, maker.complain)
    lines = tuple(maker.made(parsed))
    if parsed:
        maker.all_taken(shown(path))
    return GridSheet(name, title or name, purpose, lines, published, faults=tuple(faults))


def faults(folder: Path = SHEETS) -> list[Complaint]:
    """Return what cannot be read of the rows of all sheets."""
    found: list[Complaint] = []
    for path in sorted(folder.rglob("*.rows")):
        parse(path, lambda *each: found.append(Complaint(*each)))
    return found


def shown(path: Path) -> str:
    """Return a file of rows as complaints name it."""
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name


class _Maker:
    """Puts what the module makes into the rows of the file."""

    def __init__(self, module: str, rows: Mapping[str, Rows], texts: Mapping[str, str], complain: Complain) -> None:
        self.module, self.rows, self.texts, self.complain = module, rows, texts, complain
        self.taken: set[str] = set()

    def made(self, rows: Iterable[Line | Group | Made]) -> Iterator[Line | Group]:
        """Yield the rows as the sheet has them."""
        for row in rows:
            if isinstance(row, Made):
                yield from self._given(self.rows, row.name, row.where, ())
            elif isinstance(row, Line):
                yield replace(row, label=self._filled(row.label, row), formula=self._filled(row.formula, row))
            else:
                yield row

    def _filled(self, cell: str, row: Line) -> str:
        return _TEXT.sub(lambda match: self._given(self.texts, match[1], row.where, "0"), cell)

    def _given(self, given: Mapping[str, T], name: str, where: str, otherwise: T) -> T:
        self.taken.add(name)
        if name not in given:
            close = nearest(name, given)
            hint = f"did you mean {close!r}?" if close else "give it there, or remove it here."
            self.complain(where, f"{self.module} gives no {name!r}; {hint}")
        return given.get(name, otherwise)

    def all_taken(self, where: str) -> None:
        """Complain about what the module gives and no line of the file takes."""
        for name in [*self.rows, *self.texts]:
            if name not in self.taken:
                self.complain(where, f"no line takes {name!r} from {self.module}; add it or remove it there.")


def parse(path: Path, complain: Complain) -> list[Line | Group | Made]:
    """Return the rows of a file; a line that cannot be read is named once, and what it holds of a row is kept."""
    place = shown(path)
    if not path.is_file():
        complain(place, "the file is missing; restore it.")
        return []
    text = text_of(path.read_bytes(), place, complain)
    return _Parser(place, complain).rows(text) if text else []


class _Parser:
    """Reads line by line; `row` is the row that indented lines belong to."""

    def __init__(self, place: str, complain: Complain) -> None:
        self.place, self.complain = place, complain
        self.found: list[Line | Group | Made] = []
        self.row: Line | None = None
        self.separated: set[str] = set()  # other separators, named once

    def rows(self, text: str) -> list[Line | Group | Made]:
        """Return the rows of the file."""
        for number, line in enumerate(text.split("\n"), 1):
            where, words = f"{self.place}:{number}", line.strip()
            if len(line) > LONGEST:
                self.complain(
                    where, f"{len(line)} characters; write at most {LONGEST}, a long formula in several lines."
                )
            if words and not words.startswith("#"):
                self._below(where, words) if line[0].isspace() else self._row(where, words)
        self._close()
        return self.found

    def _close(self) -> None:
        """Keep the row that ends here."""
        if self.row:
            if not self.row.formula.startswith("="):
                self.complain(self.row.where, f"formula {self.row.formula!r} does not start with '='; write {_CELLS}.")
            if not self.row.basis:
                self.complain(self.row.where, f"{self.row.key} has no basis; write it below, indented.")
            self.found.append(self.row)
        self.row = None

    def _row(self, where: str, words: str) -> None:
        self._close()
        if words.startswith("["):
            if not (label := words[1:-1].strip()) or not words.endswith("]"):
                self.complain(where, f"{words!r} is no heading; write [Heading].")
            self.found.append(Group(label))
        elif words.startswith("@"):
            kind, _, name = words.partition(" ")
            if kind != "@python" or not name:
                self.complain(where, f"{words!r} is unknown; write @python and the name of rows that the module makes.")
            else:
                self.found.append(Made(name, where))
        else:
            self.row = self._line(where, words) or Line(re.split(r"[*|;\t ]", words)[0], "", "", "=0", "-", where=where)

    def _line(self, where: str, words: str) -> Line | None:
        """Return a row, None where its cells are at fault."""
        cells = [cell.strip() for cell in words.split("|", 3)]
        if len(cells) < 4:
            self._too_few(where, words, len(cells))
            return None
        name, unit = _KEY.fullmatch(cells[0]), _UNIT.fullmatch(cells[2])
        if not name:
            fault = f"{cells[0]!r} is no key; write small letters, digits and _, with a star behind it for a result."
            self.complain(where, fault)
            return None
        if not cells[1] or not unit:
            self.complain(where, f"the {'label' if unit else 'unit'} is blank; write {_CELLS}.")
            return None
        return Line(name[1], cells[1], unit[1], cells[3], "", bool(name[2]), int(unit[2] or 2), where=where)

    def _too_few(self, where: str, words: str, count: int) -> None:
        separator = next((each for each in _SEPARATORS if words.count(each) >= 3), "")
        if not separator:
            self.complain(where, f"{count} cells where 4 are expected; write {_CELLS}.")
        elif separator not in self.separated:
            self.separated.add(separator)
            self.complain(where, f"cells are separated by {_SEPARATORS[separator]}; separate them by bars: {_CELLS}.")

    def _below(self, where: str, words: str) -> None:
        if not self.row:
            self.complain(where, "an indented line belongs to the row above it, and there is none; write the row.")
        elif not self.row.label:
            return  # of a row that is named already
        elif words.startswith("|"):
            if self.row.basis:
                self.complain(where, "the formula goes on below the basis; write it above.")
            self.row = replace(self.row, formula=self.row.formula + words[1:].strip())
        elif words.startswith("@"):
            if shape := _HEADLINE.fullmatch(words):
                self.row = replace(self.row, headline=Headline(int(shape[1]), shape[2], shape[3] or "General"))
            else:
                self.complain(where, f"{words!r} is unknown; write @headline POSITION | LABEL | NUMBER FORMAT.")
        else:
            self.row = replace(self.row, basis=f"{self.row.basis} {words}".strip())
