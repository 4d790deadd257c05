"""An input or a result by name: what it accepts, how a person writes a value for it, which others are near."""

from __future__ import annotations

import datetime
import difflib
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from addin.errors import RequestError
from addin.kernel import Address, Cells, KernelError, Scalar
from addin.numerals import numeral
from addin.reported import plain
from addin.workbook import columns
from model.layout.codes import CURRENCY, CURRENCY_NAME, IN_CURRENCY

WORDS = ("-", "any text", "text")  # in the place of a unit: of a choice, of a free text, of older versions
WHOLE = frozenset({"desktops", "arrays", "count"})  # units of what is counted
SHARE, DATE, YEAR, CLOCK = "ratio", "date", "year", "clock"
SECONDS = 86_400  # of a day
DAY_0 = datetime.date(1899, 12, 30)  # of Excel's count of days, from March 1900 on
NEAREST, NAMED = 5, 5  # how many items an error names, and how many choices of each
_MIXED_UP = (1.5, 100.0)  # shares typed as percent: 80 for 0.8
_REMARK = re.compile(r"\s*\([^()]*\)$")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}\.\d{3}")  # 1.200: either 1.2, or 1200 as half of Europe writes it
_CLOCK = re.compile(r"(\d{1,2}):([0-5]\d)(?::([0-5]\d))?", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)  # Python reads 20261122 and 2026-W47-7 too
_LARGE = 1e6  # where a range goes as far, thousands are usual
_LIKE = {SHARE: "ratio, such as 0.15 or 15%", "flag": "flag, 1 for yes or 0 for no"}  # what an error says of a unit
_LONGEST = 60  # characters of what was typed that an error repeats


def unit_of(cell: object) -> str:
    """Return what a cell says a line is counted in; empty for words."""
    return "" if not isinstance(cell, str) or cell in WORDS else cell


def unit_at(cells: Cells, address: Address) -> str:
    """Return what the row of a cell is counted in, money in the currency typed; empty for words."""
    unit = unit_of(cells.constant(columns.unit(cells, address)))
    money = IN_CURRENCY.fullmatch(unit)
    return currency(cells) + (money[1] or "") if money else unit


def currency(cells: Cells) -> str:
    """Return the currency of all amounts: what is typed, or that of workbooks without the input."""
    try:
        typed = cells.constant(Address.from_a1(cells.names.get(CURRENCY_NAME, "").replace("$", "")))
    except KernelError:  # the name is missing, or leads nowhere: reading the inputs reports those that do
        return CURRENCY
    return typed if isinstance(typed, str) and typed else CURRENCY


@dataclass(frozen=True)
class Item:
    """A named input or result: `key` without its prefix, where it stands, what the sheet calls it.

    `text` says that any text is accepted, neither a number nor an entry of a list, of at most `longest` characters;
    `integer` that its cell takes whole numbers alone. `linked` is where an input that is typed on a sheet of its own
    stands again, beside those of the other designs, and `also` what it is called there.
    """

    key: str
    address: Address
    label: str
    unit: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    text: bool = False
    integer: bool = False
    longest: float | None = None
    linked: Address | None = None
    also: str = ""

    @property
    def short(self) -> str:
        """What the sheet calls it, without what a blank stands for."""
        return self.label.partition(" (blank")[0]

    @property
    def beside(self) -> Address:
        """Where it stands in the sheet of all designs, each in a column of its own."""
        return self.linked or self.address

    @property
    def whole(self) -> bool:
        """Whether it is counted: desktops, arrays, years of a cost."""
        return self.integer or self.unit in WHOLE

    @property
    def accepts(self) -> str:
        """What its cell accepts, in words: a range with its unit, or every choice; empty where neither is known."""
        if self.choices:
            return ", ".join(self.choices)
        if self.minimum is None or self.maximum is None:
            return "text" if self.text else ""
        if self.unit == DATE:
            return "a date such as 2026-11-22"
        if self.unit == CLOCK:
            return "a time such as 07:00"
        return f"{self.limit(self.minimum)} to {self.limit(self.maximum)} {self.unit}".rstrip()

    def limit(self, end: float) -> str:
        """Return an end of the range as a person writes it: a year has no comma, a day is a date, a clock shows."""
        return calendar_text(end, self.unit) or numeral(end, ",.10g")

    def within(self, value: float) -> bool:
        """Say whether its cell takes a number."""
        low, high = self.minimum, self.maximum
        inside = math.isfinite(value) and (low is None or value >= low) and (high is None or value <= high)
        return inside and (value.is_integer() or not self.integer)

    @property
    def limits(self) -> str:
        """Both ends of its range, with its unit, and whether it takes whole numbers alone."""
        least, most = (("no limit" if end is None else self.limit(end)) for end in (self.minimum, self.maximum))
        unit = "" if self.unit in (DATE, CLOCK) else self.unit
        return f"{'the whole numbers ' * self.integer}{least} to {most} {unit}".rstrip()

    @property
    def described(self) -> str:
        """Key, label and what it accepts, a long list cut."""
        some = ", ".join(self.choices[:NAMED]) + f" ... ({len(self.choices)})"
        accepts = some if len(self.choices) > NAMED else self.accepts or self.unit
        return f"{self.key} ({self.label}{': ' if accepts and self.label else ''}{accepts})"

    def called(self, name: str) -> bool:
        """Say whether a name is one of its labels, with or without a remark in brackets, whatever its case."""
        wanted, labels = folded(name), (self.label, self.also)
        return bool(wanted) and wanted in (folded(t) for each in labels for t in (each, _REMARK.sub("", each)))


def folded(text: str) -> str:
    """Return a name as it is compared: neither case nor spacing counts."""
    return " ".join(text.casefold().split())


def date_text(days: float) -> str:
    """Return a day of Excel's count as a date, as the number it is where no calendar has such a day."""
    try:
        return (DAY_0 + datetime.timedelta(days=days)).isoformat()
    except (OverflowError, ValueError):
        return numeral(days, ",.15g")


def clock_text(share: float) -> str:
    """Return a share of a day as a time of day, with seconds where it has some; as the number it is outside a day."""
    seconds = round(share * SECONDS) if math.isfinite(share) else -1
    if not 0 <= seconds < SECONDS or share < 0:
        return numeral(share, ",.15g")
    minutes, rest = divmod(seconds, 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}" + (f":{rest:02d}" if rest else "")


def calendar_text(value: float, unit: str) -> str:
    """Return a number as the day, the time of day or the year it stands for; empty where it is another one."""
    if unit == YEAR:
        return f"{value:.0f}"
    return date_text(value) if unit == DATE else clock_text(value) if unit == CLOCK else ""


def echoed(text: str) -> str:
    """Return what was typed as an error repeats it: on one line, a long text cut."""
    line = plain(text)
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."


def nearest(word: str, items: Iterable[Item], most: int = NEAREST) -> list[Item]:
    """Return the items whose key or label is nearest to a word, the nearest first."""
    wanted = folded(word.replace("_", " "))
    parts = set(re.findall(r"\w+", wanted))

    def score(item: Item) -> float:
        names = [folded(name.replace("_", " ")) for name in (item.key, item.label, item.also) if name]
        alike = max((difflib.SequenceMatcher(None, wanted, name).ratio() for name in names), default=0.0)
        shared = sum(any(part in name for name in names) for part in parts) / max(len(parts), 1)
        return -alike - shared

    return sorted(items, key=score)[:most]


def one_of(found: Iterable[Item]) -> str:
    """Return items as an error offers them."""
    return "did you mean " + ", ".join(item.described for item in found) + "?"


def number(item: Item, text: str, where: str) -> float:
    """Return the number a text stands for, 15 % as 0.15 where a ratio is asked for.

    Raises RequestError, naming `where`, when it is none, or when its point may be one of thousands.
    """
    bare = text.strip()
    if item.unit == DATE:
        return _day(item, bare, where)
    if item.unit == CLOCK:
        return _time(bare, where)
    percent = item.unit == SHARE and bare.endswith("%")
    try:
        value = float(_bare(bare[:-1] if percent else bare)) + 0.0  # -0 is 0
    except ValueError:
        like = _LIKE.get(item.unit, item.unit)
        form = "Type digits alone, such as 1200 or 0.5: no unit, no separator of thousands, a point for decimals"
        raise RequestError(f"{echoed(where)}: expected a number in {like}. {form}.") from None
    if _THOUSANDS.fullmatch(bare) and (item.whole or (item.maximum or 0) >= _LARGE):
        typed = bare.replace(".", "")
        raise RequestError(f"{echoed(where)}: {value:g} or {typed}? Type {typed}, or {bare}0 for {value:g}.")
    return float(f"{value / 100:.15g}") if percent else value


def _bare(text: str) -> str:
    """Return the digits of a number. Raises ValueError for what Python alone reads as one: 1_0, other scripts."""
    if "_" in text or not text.isascii():
        raise ValueError(text)
    return text


def _day(item: Item, text: str, where: str) -> float:
    """Return a date as Excel counts it."""
    try:
        return float((datetime.date.fromisoformat(text if _DATE.fullmatch(text) else "") - DAY_0).days)
    except ValueError:
        raise RequestError(f"{echoed(where)}: expected a date such as 2026-11-22. Correct it.") from None


def _time(text: str, where: str) -> float:
    """Return a time of day as Excel counts it: its share of the day."""
    found = _CLOCK.fullmatch(text)
    if not found or int(found[1]) >= 24:
        raise RequestError(f"{echoed(where)}: expected a time of day. Type it as 07:00, from 00:00 to 23:59.")
    return (int(found[1]) * 3600 + int(found[2]) * 60 + int(found[3] or 0)) / SECONDS


def value_for(item: Item, value: str | float) -> Scalar:
    """Read a value as the item's cell would accept it; raise RequestError outside its range or list.

    A text is what a person typed, a number is one that a program gives.
    """
    text = value if isinstance(value, str) else repr(value)
    entry = f"{item.key}={echoed(text)}"
    if item.choices:
        by_fold = {folded(choice): choice for choice in item.choices}
        if folded(text) in by_fold:
            return by_fold[folded(text)]
        if text == "" and "." in item.key:
            return None
        raise RequestError(f"{entry}: not in the list of {item.address.a1}; {_choices(item, text)}")
    if text == "":
        return None
    if item.text:
        length = len(text.encode("utf-16-le", "surrogatepass")) // 2  # as Excel counts: an emoji is two
        if item.longest is not None and length > item.longest:
            most = f"{item.address.a1} takes a text of at most {item.longest:.0f}"
            raise RequestError(f"{entry}: has {length:,} characters; {most}. Shorten it.")
        return text
    read = number(item, text, entry) if isinstance(value, str) or item.unit == DATE else float(value)
    if not item.within(read):
        if item.unit == CLOCK:
            raise RequestError(f'{entry}: no time of day. Give it as "07:00", from 00:00 to 23:59.')
        limits = f"outside {item.limits}, the range of {item.address.a1}"
        raise RequestError(f"{entry}: {limits}{_percent(item, read, text) or '. Correct it.'}")
    return read


def _choices(item: Item, text: str) -> str:
    """Return the choices of a list that are nearest to a text; all of a short list."""
    if len(item.choices) <= NEAREST:
        return f"choose one of {', '.join(item.choices)}."
    wanted = folded(text)
    alike = {c: difflib.SequenceMatcher(None, wanted, folded(c)).ratio() + (wanted in folded(c)) for c in item.choices}
    near = sorted(item.choices, key=lambda choice: -alike[choice])[:NEAREST]
    return f"did you mean {', '.join(map(repr, near))}?"


def _percent(item: Item, value: float, text: str) -> str:
    """Return the question whether a share was meant as percent; empty where it cannot have been."""
    least, most = _MIXED_UP
    if item.unit != SHARE or text.strip().endswith("%") or not least <= value <= most:
        return ""
    low, high = item.minimum, item.maximum
    if (low is not None and value / 100 < low) or (high is not None and value / 100 > high):
        return ""
    return f"; did you mean {numeral(value, 'g')} %?"
