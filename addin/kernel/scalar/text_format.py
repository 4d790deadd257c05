"""Number formats of TEXT: digits, thousands, percent, exponent, literals, sections, dates and times (US English)."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

from addin.kernel.excel.comparison import OPERATORS
from addin.kernel.excel.rounding import compare
from addin.kernel.excel.serials import parts
from addin.kernel.excel.values import ExcelError, Fault, Scalar, number_in, number_text, to_text

PIECE = re.compile(
    r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|General|AM/PM|A/P|[Ee][+-](?=[0#?])|[ymdhs]+|\.0+(?=[^0#?]*$)|.',
    re.IGNORECASE | re.DOTALL,
)
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(-?\d+\.?\d*)\]")
ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)  # hours, minutes or seconds of all days together
WIDTH = 11  # of a number in the format General
DIGITS = "0#?"
LONG = Context(prec=400)  # the largest number has 309 digits before the point


def format_value(value: Scalar, form: str) -> str:
    """Return TEXT(value, form). Numeric text is read as a number; other text goes through the `@` section.

    Raises Fault with #VALUE! for a form that this kernel does not read and for a negative date.
    """
    number = 0.0 if value is None else number_in(value) if isinstance(value, str) else value
    if isinstance(number, bool) or number is None or isinstance(number, ExcelError | str):
        return _as_text(to_text(value), form)
    if form == "":
        return ""
    section, shown = _section(number, form)
    if not section:
        return "-" if number < 0 and ";" not in form else ""
    pieces = _pieces(section)
    if any(piece.lower() == "general" for piece in pieces):
        return "".join(general(shown) if piece.lower() == "general" else _literal(piece) for piece in pieces)
    clock = [piece for piece in pieces if piece[0].lower() in "ymdhs"]
    if clock or any(map(ELAPSED.fullmatch, pieces)):
        return f"-{_date(-shown, pieces)}" if shown < 0 and not clock else _date(shown, pieces)
    return _number(shown, pieces)


def _as_text(text: str, form: str) -> str:
    sections = _sections(form)
    if len(sections) == 4 or "@" in sections[-1]:
        return "".join(text if piece == "@" else _literal(piece) for piece in _pieces(sections[-1]))
    return text


@lru_cache(maxsize=1024)
def _pieces(section: str) -> tuple[str, ...]:
    return tuple(PIECE.findall(section))


@lru_cache(maxsize=1024)
def _sections(form: str) -> tuple[str, ...]:
    return tuple(re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', form))


def general(number: float) -> str:
    """Return a number as TEXT shows it in the format General: 11 characters without the sign, as in a cell."""
    size = abs(number)
    if (size and not 1e-9 < size < 99999999999.5) or (0 < size < 1e-4 and len(number_text(size)) > WIDTH):
        digits, exponent = f"{size:.5e}".split("e")
        text = f"{digits.rstrip('0').rstrip('.')}E{int(exponent):+03d}"
    else:
        places = max(0, WIDTH - 1 - len(str(int(size))))
        text = f"{Decimal(f'{size:.15g}').quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, LONG):f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"-{text}" if number < 0 and text != "0" else text


def _conditional(number: float, sections: tuple[str, ...]) -> tuple[str, float] | None:
    """Return the section whose condition, such as [<=1], a number meets; None where no section states one."""
    found = [CONDITION.match(section) for section in sections]
    if not any(found):
        return None
    for section, match in zip(sections, found, strict=True):
        if match is None or OPERATORS[match[1]](compare(number, float(match[2]))):
            return section[match.end() :] if match else section, number
    raise Fault(ExcelError.VALUE)


def _section(number: float, form: str) -> tuple[str, float]:
    sections = _sections(form)
    if (conditional := _conditional(number, sections)) is not None:
        return conditional
    if number < 0 and len(sections) > 1:
        return sections[1], -number
    if number == 0 and len(sections) > 2:
        return sections[2], number
    return sections[0], number


def _literal(piece: str) -> str:
    if piece == '"':
        raise Fault(ExcelError.VALUE)  # opened and not closed
    if piece[0] == '"':
        return piece[1:-1]
    if piece[0] == "\\":
        return piece[1:]
    if piece[0] == "_":
        return " "
    return "" if piece[0] in "*[" else piece


def _number(number: float, pieces: tuple[str, ...]) -> str:
    pieces = tuple(digit for piece in pieces for digit in ([*piece] if re.fullmatch(r"\.0+", piece) else [piece]))
    places = [i for i, piece in enumerate(pieces) if piece in DIGITS]
    if not places:
        if any(piece == "@" for piece in pieces):
            return "".join(number_text(number) if piece == "@" else _literal(piece) for piece in pieces)
        return ("-" if number < 0 else "") + "".join(map(_literal, pieces))
    exponent = next((i for i, piece in enumerate(pieces) if re.fullmatch(r"[Ee][+-]", piece)), None)
    if exponent is not None:
        return _scientific(number, pieces, exponent)
    last = places[-1]
    scale = 0
    while last + 1 + scale < len(pieces) and pieces[last + 1 + scale] == ",":
        scale += 1
    percent = sum(piece == "%" for piece in pieces)
    shown = Decimal(f"{abs(number):.15g}").scaleb(2 * percent - 3 * scale)
    kept = pieces[: last + 1] + pieces[last + 1 + scale :]
    body, is_zero = _fill(shown, kept)
    return ("-" if number < 0 and not is_zero else "") + body


def _fill(shown: Decimal, pieces: tuple[str, ...]) -> tuple[str, bool]:
    """Return the digits laid into the form, and whether all of them are 0."""
    places = [i for i, piece in enumerate(pieces) if piece in DIGITS]
    point = next((i for i, piece in enumerate(pieces) if piece == "."), len(pieces))
    whole_places = [i for i in places if i < point]
    fraction_places = [i for i in places if i > point]
    grouped = any(piece == "," and places[0] < i < point for i, piece in enumerate(pieces))
    rounded = shown.quantize(Decimal(1).scaleb(-len(fraction_places)), ROUND_HALF_UP, LONG)
    whole, _, fraction = f"{rounded:f}".partition(".")
    whole = whole.lstrip("0")
    least = sum(pieces[i] == "0" for i in whole_places)
    if whole_places:
        first_zero = next((n for n, i in enumerate(whole_places) if pieces[i] == "0"), len(whole_places))
        least = len(whole_places) - first_zero
    laid = _lay_whole(whole.rjust(least, "0"), whole_places, grouped)
    kept = len(fraction.rstrip("0"))
    result = []
    for i, piece in enumerate(pieces):
        if i in laid:
            result.append(laid[i])
        elif i in fraction_places:
            n = fraction_places.index(i)
            if piece == "0" or n < kept:
                result.append(fraction[n])
            elif piece == "?":
                result.append(" ")
        elif piece == "." and i == point:
            result.append(("" if whole_places else whole) + ".")
        elif piece != ",":
            result.append("" if piece in DIGITS else _literal(piece))
        elif not grouped or i > point:
            result.append(",")
    return "".join(result), rounded == 0


def _lay_whole(whole: str, places: list[int], grouped: bool) -> dict[int, str]:
    """Return the text at each digit place before the point; the first place takes what is left over."""
    laid: dict[int, str] = {}
    used = 0
    for n, place in enumerate(reversed(places)):
        count = len(whole) - used if n == len(places) - 1 else min(1, len(whole) - used)
        text = ""
        for _ in range(max(0, count)):
            used += 1
            comma = "," if grouped and used > 1 and used % 3 == 1 else ""
            text = whole[len(whole) - used] + comma + text
        laid[place] = text
    return laid


def _scientific(number: float, pieces: tuple[str, ...], mark: int) -> str:
    head, tail = pieces[:mark], pieces[mark + 1 :]
    point = next((i for i, piece in enumerate(head) if piece == "."), len(head))
    whole = max(1, sum(piece in DIGITS for piece in head[:point]))
    decimals = sum(piece in DIGITS for piece in head[point:])
    shown = Decimal(f"{abs(number):.15g}")
    power = 0 if shown == 0 else (shown.adjusted() // whole) * whole if whole > 1 else shown.adjusted()
    if shown.scaleb(-power).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, LONG) >= 10**whole:
        power += whole
    body, _ = _fill(shown.scaleb(-power), head)
    least = sum(piece in "0?" for piece in tail)
    sign = "-" if power < 0 else "+" if pieces[mark][1] == "+" else ""
    rest = "".join(_literal(piece) for piece in tail if piece not in DIGITS)
    return f"{'-' if number < 0 else ''}{body}{pieces[mark][0]}{sign}{abs(power):0{least}d}{rest}"


def _date(number: float, pieces: tuple[str, ...]) -> str:
    fractions = [len(piece) - 1 for piece in pieces if re.fullmatch(r"\.0+", piece)]
    unit = 86400 * 10 ** (fractions[0] if fractions else 0)
    ticks = math.floor(float(f"{number * unit:.15g}") + 0.5)
    date = parts(ticks // unit)
    if number < 0 or date is None:
        raise Fault(ExcelError.VALUE)
    seconds = (ticks % unit) * 86400 // unit
    half = any(piece.upper() in ("AM/PM", "A/P") for piece in pieces)
    result = []
    for i, piece in enumerate(pieces):
        kind = piece[0].lower()
        if piece.upper() in ("AM/PM", "A/P"):
            marks = piece.split("/")
            result.append(marks[seconds >= 43200])
        elif re.fullmatch(r"\.0+", piece):
            result.append("." + f"{(ticks % unit) * 86400 % unit // 86400:0{len(piece) - 1}d}")
        elif kind == "[" and piece[1:-1].lower().strip("hms") == "":
            result.append(_elapsed(piece, ticks * 86400 // unit))
        elif kind in "ymdhs" and piece.lower().strip(kind) == "":
            minutes = kind == "m" and _is_minute(pieces, i)
            result.append(
                _clock(piece, seconds, half, minutes) if kind in "hs" or minutes else _day(piece, date, ticks // unit)
            )
        elif piece in DIGITS:
            raise Fault(ExcelError.VALUE)  # no number beside a date
        else:
            result.append(_literal(piece))
    return "".join(result)


def _is_minute(pieces: tuple[str, ...], position: int) -> bool:
    units = [
        (i, p[1] if p[0] == "[" else p[0]) for i, p in enumerate(pieces) if re.fullmatch(r"\[?[ymdhs]+\]?", p, re.I)
    ]
    order = [i for i, _ in units].index(position)
    before = units[order - 1][1].lower() if order else ""
    after = units[order + 1][1].lower() if order + 1 < len(units) else ""
    return before == "h" or after == "s"


def _elapsed(piece: str, seconds: int) -> str:
    size = {"h": 3600, "m": 60, "s": 1}[piece[1].lower()]
    return f"{seconds // size:0{len(piece) - 2}d}"


def _clock(piece: str, seconds: int, half: bool, minutes: bool) -> str:
    kind = piece[0].lower()
    number = seconds // 60 % 60 if minutes else seconds // 3600 if kind == "h" else seconds % 60
    if kind == "h" and half:
        number = number % 12 or 12
    return f"{number:0{min(2, len(piece))}d}"


def _day(piece: str, date: tuple[int, int, int], serial: int) -> str:
    kind, width = piece[0].lower(), len(piece)
    if kind == "y":
        return f"{date[0] % 100:02d}" if width <= 2 else f"{date[0]:04d}"
    number = date[1] if kind == "m" else date[2]
    if width <= 2:
        return f"{number:0{width}d}"
    name = MONTHS[date[1] - 1] if kind == "m" else DAYS[(serial - 1) % 7]
    return name[:1] if kind == "m" and width == 5 else name[:3] if width == 3 else name
