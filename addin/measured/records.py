"""What a reader hands on: where a file came from, what was taken of it and what was left, samples, inventories."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

from addin.errors import RequestError
from addin.numerals import number_of
from addin.reported import plain

NOTE, AMBER = "note", "amber"
_SHOWN = 60  # characters of what stands in a file that a message repeats
Progress = Callable[[int, int], None]


class FileFault(RequestError):
    """What is wrong with a file; its text begins with the file's name."""

    path: Path


def fault(path: Path, found: str, advice: str, row: int | None = None, column: str = "") -> FileFault:
    """Return the error of a file: its name, row and column, what was found there, what to do."""
    name = plain(path.name)
    where = name if row is None else f"{name}:{row}"
    error = FileFault(f"{where}{f', column {quoted(column)}' if column else ''}: {found}. {advice}")
    error.path = path
    return error


def told_apart(error: FileFault, files: Iterable[Path]) -> RequestError:
    """Return the fault of a file, with folders too where another file has its name."""
    where = tails([error.path, *files])[error.path]
    return RequestError(f"{where}{str(error).removeprefix(plain(error.path.name))}")


def tails(paths: Iterable[Path]) -> dict[Path, str]:
    """Return the end of each path that no other has: its name, with as many folders as tell those of one name apart."""
    named: dict[str, dict[Path, tuple[str, ...]]] = {}
    for path in dict.fromkeys(paths):
        named.setdefault(path.name, {})[path] = path.resolve().parts
    found = dict[Path, str]()
    for group in named.values():
        wholes = set(group.values())
        depth = max(map(len, wholes))
        least = next((n for n in range(1, depth) if len({each[-n:] for each in wholes}) == len(wholes)), depth)
        found |= {path: str(Path(*parts[-least:])) if least > 1 else path.name for path, parts in group.items()}
    return {path: plain(text) for path, text in found.items()}


def quoted(text: str) -> str:
    """Return what stands in a file as a message repeats it."""
    line = plain(text)
    return repr(line if len(line) <= _SHOWN else f"{line[: _SHOWN // 2]}...{line[-_SHOWN // 2 :]}")


def unnamed(count: int) -> str:
    """Say that machines were left because the user did not name them."""
    return f"{number_of(count, 'machine')}: --desktops does not name {'it' if count == 1 else 'them'}"


@dataclass(frozen=True)
class Finding:
    """Something about the data that a reader of the figures has to know, and what it did to them."""

    level: str
    found: str
    effect: str


@dataclass
class Reading:
    """What became of one file: what it was taken for, what was taken of it, what was left and why."""

    path: Path
    kind: str
    digest: str
    taken: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    clock: str = ""
    as_is: bool = False  # its times have no offset, so that --zone does not move them
    interval_s: float | None = None
    first: str = ""
    last: str = ""
    latency_ms: float | None = None  # mean over the file, weighted by I/O

    def note(self, found: str, effect: str, level: str = NOTE) -> None:
        """Add a finding that names the file."""
        self.findings.append(Finding(level, f"{self.path.name}: {found}", effect))


@dataclass(frozen=True)
class Machine:
    """A machine of an inventory; None is a figure that the file does not have. `source` names the column of `gib`."""

    name: str
    group: str
    memory_gib: float | None
    cpus: float | None
    disk_gib: float | None
    gib: float | None
    source: str


@dataclass(frozen=True)
class Inventory:
    """The machines that are on, no template, and asked for; in words, figures that are never sized on."""

    machines: tuple[Machine, ...]
    shown: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mix:
    """Read share and block size where a file has counts but no duration, so no IOPS."""

    name: str
    reads: int
    writes: int
    read_kib: float | None
    write_kib: float | None

    @property
    def read_share(self) -> float | None:
        """Reads over all I/Os."""
        return self.reads / (self.reads + self.writes) if self.reads + self.writes else None


@dataclass(frozen=True)
class Options:
    """What the user typed about the files: which desktops, the site's zone, code page, columns, the record to keep."""

    desktops: tuple[str, ...] = ()
    zone: ZoneInfo | None = None
    encoding: str = ""
    columns: tuple[tuple[str, str], ...] = ()
