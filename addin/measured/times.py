"""Times of a file as seconds of the site's wall clock, counted from day 1 of the calendar.

A logger writes local time, UTC, or times with their offset. All are put on one clock: that of --zone, or the files' own
where all of them have the same.
"""

from __future__ import annotations

import datetime
import re
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from addin.errors import RequestError
from addin.measured.records import fault, quoted

DAY = 86_400
LOCAL, UTC = "local", "UTC"
_YEARS = (1990, 2150)
_US = re.compile(r"(\d\d?)/(\d\d?)/(\d{4}|\d\d) (\d\d?):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?: ([AP])M)?")
_MINUTE = re.compile(r"(\d\d)/(\d\d)/(\d{4}) (\d\d):(\d\d)")
_SECONDS = re.compile(r":[0-5]\d(?:\.\d+)?")
_HEADER = re.compile(
    r"\(PDH-(?:CSV|TSV) 4\.0\)\s*(?:\((?P<name>[^()]*(?:\([^()]*\))?[^()]*)\))?\s*(?:\((?P<bias>-?\d+)\))?"
)
_NO_SITE = ("utc", "coordinated universal time")  # names of a clock that is no site's own, whatever its offset
_EPOCH = datetime.datetime(1, 1, 1)


def zone(name: str) -> ZoneInfo:
    """Return a zone by its name. Raises RequestError for one that is unknown."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise RequestError(
            f"--zone {quoted(name)}: expected a zone that this machine knows, such as Europe/Berlin (on Windows "
            "the package tzdata has them). Or leave it out."
        ) from None


def seconds_of(moment: datetime.datetime) -> float:
    """Return the seconds of a wall clock."""
    return (moment - _EPOCH).total_seconds() + DAY  # so that a day number is its ordinal


def text_of(seconds: float) -> str:
    """Return a time as people read it."""
    return (_EPOCH + datetime.timedelta(seconds=seconds - DAY)).strftime("%Y-%m-%d %H:%M")


def day_of(ordinal: int) -> datetime.date:
    """Return the day of a number."""
    return datetime.date.fromordinal(ordinal)


@lru_cache(maxsize=1 << 16)  # the files of an estate share their minutes
def _minute(text: str, bias: int | None, site: ZoneInfo | None) -> float | None:
    """Return the seconds of a minute such as 11/24/2026 08:05 on the site's clock, None for any other text or year."""
    match = _MINUTE.fullmatch(text)
    try:
        month, day, year, hour, minute = map(int, match.groups()) if match else (0, 0, 0, 0, 0)
        moment = datetime.datetime(year, month, day, hour, minute)
    except ValueError:
        return None
    return seconds_of(_moved(moment, bias, site)) if _YEARS[0] <= year <= _YEARS[1] else None


def _moved(moment: datetime.datetime, bias: int | None, site: ZoneInfo | None) -> datetime.datetime:
    """Return a time of a file's clock on that of the site, where both are known."""
    if site is None or bias is None:
        return moment
    utc = (moment + datetime.timedelta(minutes=bias)).replace(tzinfo=datetime.UTC)
    return utc.astimezone(site).replace(tzinfo=None)


def pdh_clock(header: str) -> tuple[str, int | None]:
    """Return name of the zone and minutes from local time to UTC, as the first cell of a PDH file states them."""
    match = _HEADER.match(header.strip())
    if match is None:
        return "", None
    return match["name"] or "", int(match["bias"]) if match["bias"] else None


class Clock:
    """The times of a file. `bias` are minutes from local time to UTC where the file states them, 0 for UTC.

    `walls` says that its stamps are of a wall clock, which is set by an hour twice a year while the file states one
    bias: where that is the site's own at the first stamp, all stamps are taken as they are.
    """

    def __init__(
        self, path: Path, site: ZoneInfo | None, name: str = LOCAL, bias: int | None = None, *, walls: bool = False
    ) -> None:
        self._path, self._site = path, site
        self.name, self.bias = name, bias
        self._offsets: set[int] = set()
        self.no_seconds = True
        self._shift = (bias, site) if site is not None else (None, None)
        self._unsure = walls and bias is not None and site is not None and name.strip().casefold() not in _NO_SITE
        self._known: dict[str, float] = {}
        self._shifts: dict[str, float] = {}  # from the site's clock to UTC
        self._folds = False

    @property
    def kept(self) -> str:
        """What clock the times were put on, so that those of two files can be compared."""
        if self._site is not None:  # times without an offset are those of the site's wall clock
            return str(self._site)
        if self._offsets:
            if self._offsets == {0}:
                return UTC
            return f"offset {', '.join(f'{each // 60:+d} min' for each in sorted(self._offsets))}"
        return self.name

    @property
    def as_is(self) -> bool:
        """Whether a zone of the site is known and moves nothing: the file does not say how far it is from UTC."""
        return self._site is not None and self.bias is None and not self._offsets

    @property
    def folded(self) -> bool:
        """Whether some of the times are of an hour that the site's clock repeats."""
        return self._folds

    def instant(self, text: str) -> float:
        """Return a time that was read as seconds that never repeat: of UTC where the file has offsets."""
        return self._known[text] + self._shifts.get(text, 0.0)

    def us(self, text: str, row: int, column: str = "") -> float:
        """Return the seconds of a time such as 11/24/2026 08:05:00.123, month first; raises RequestError."""
        if self._unsure:
            self._unsure = False
            if self._of_site(self._us(text, row, column)):
                self._shift = (None, None)
        begin = _minute(text[:16], *self._shift) if _SECONDS.fullmatch(text, 16) else None
        if begin is not None:  # as perfmon and esxtop write it: the fast way through
            self.no_seconds = False
            return begin + float(text[17:])
        if (known := self._known.get(text)) is not None:
            return known
        self._known[text] = seconds_of(_moved(self._us(text, row, column), *self._shift))
        return self._known[text]

    def _us(self, text: str, row: int, column: str) -> datetime.datetime:
        """Return a time, month first, as it stands; raises RequestError."""
        match = _US.fullmatch(text.strip())
        if match is None:
            raise self._refused(text, "11/24/2026 08:05:00", row, column)
        month, day, year, hour, minute = (int(match[at]) for at in range(1, 6))
        if match[8]:
            hour = hour % 12 + 12 * (match[8] == "P")
        self.no_seconds = self.no_seconds and match[6] is None
        micro = int((match[7] or "0")[:6].ljust(6, "0"))
        try:
            moment = datetime.datetime(year + 2000 * (year < 100), month, day, hour, minute, int(match[6] or 0), micro)
        except ValueError:
            raise self._refused(text, "month/day/year", row, column) from None
        return self._plausible(moment, text, row, column)

    def _of_site(self, moment: datetime.datetime) -> bool:
        """Say whether the file's bias is the site's own at a time, in either pass of an hour that repeats."""
        passes = (moment.replace(tzinfo=self._site, fold=fold).utcoffset() for fold in (0, 1))
        return self.bias is not None and datetime.timedelta(minutes=-self.bias) in passes

    def iso(self, text: str, row: int, column: str = "") -> float:
        """Return the seconds of a time such as 2026-11-24T08:05:00, with or without its offset; raises RequestError."""
        if (known := self._known.get(text)) is not None:
            return known
        try:
            moment = datetime.datetime.fromisoformat(text.strip())
        except ValueError:
            raise self._refused(text, "2026-11-24 08:05:00 or 2026-11-24T08:05:00Z", row, column) from None
        if len(text.strip()) < len("2026-11-24 08:05"):
            raise self._refused(text, "a day with its time", row, column)
        offset = self._plausible(moment, text, row, column).utcoffset()
        if bool(self._known) and (offset is None) is bool(self._offsets):
            found = f"{quoted(text)}: some times have an offset from UTC and others have not"
            raise fault(self._path, found, "Export it with one clock", row, column)
        if offset is not None:
            self._offsets.add(int(offset.total_seconds()))
            if len(self._offsets) > 1 and self._site is None:
                found = f"{quoted(text)}: times of two zones"
                raise fault(self._path, found, "Name that of the site with --zone, such as Europe/Berlin", row, column)
            if self._site is not None:
                moment = moment.astimezone(self._site)
                self._folds = self._folds or bool(moment.fold)
                self._shifts[text] = -(moment.utcoffset() or datetime.timedelta()).total_seconds()
            moment = moment.replace(tzinfo=None)
        self._known[text] = seconds_of(moment)
        return self._known[text]

    def _plausible(self, moment: datetime.datetime, text: str, row: int, column: str) -> datetime.datetime:
        """Return a time. Raises RequestError for one of a year in which nobody measured."""
        if _YEARS[0] <= moment.year <= _YEARS[1]:
            return moment
        found = f"{quoted(text)} is of the year {moment.year}"
        raise fault(self._path, found, f"Expected a year from {_YEARS[0]} to {_YEARS[1]}: export it again", row, column)

    def _refused(self, text: str, expected: str, row: int, column: str) -> RequestError:
        return fault(self._path, f"{quoted(text)} is no time", f"Expected {expected}", row, column)
