"""Version, date and digest of the model: what a reader needs to tell two copies apart. Nothing here reads the clock."""

import datetime
import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from model.errors import BuildError

ROOT = Path(__file__).parent.parent
_WORKBOOK = "### In the workbook"
_ENTRY = re.compile(r"^## (\d+\.\d+\.\d+) - (\d{4})-(\d{2})-(\d{2})$", re.MULTILINE)


@dataclass(frozen=True)
class Provenance:
    """Version and date of the newest changelog entry, digest of every file under model/, changes of the workbook."""

    version: str
    date: datetime.datetime
    digest: str
    changes: tuple[str, ...]


def digest(folder: Path) -> str:
    """Return the first 12 hex digits of the sha256 over all source and data files of a folder, line ends normalised."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".csv", ".rows", ".toml"):
            total.update(path.relative_to(folder).as_posix().encode())
            total.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return total.hexdigest()[:12]


@lru_cache(maxsize=1)
def built_on(root: Path = ROOT) -> datetime.date:
    """Return the date of the newest changelog entry.

    Raises BuildError when no entry has the form `## 1.2.3 - 2026-01-31`.
    """
    match = _newest((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    return datetime.date(int(match[2]), int(match[3]), int(match[4]))


def _newest(text: str) -> re.Match[str]:
    match = _ENTRY.search(text)
    if match is None:
        raise BuildError("CHANGELOG.md: no entry of the form '## 1.2.3 - 2026-01-31'; add one.")
    return match


def provenance(root: Path = ROOT) -> Provenance:
    """Read version, date and changes from CHANGELOG.md and digest the model.

    Changes are the points under `### In the workbook` of the newest entry.
    Raises BuildError when no entry has the form `## 1.2.3 - 2026-01-31`.
    """
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    match = _newest(text)
    following = _ENTRY.search(text, match.end())
    body = text[match.end() : following.start() if following else len(text)]
    joined = re.sub(r"\n  +", " ", body.partition(_WORKBOOK)[2].partition("\n### ")[0])
    changes = tuple(
        line[2:].replace("**", "").replace("`", "") for line in joined.splitlines() if line.startswith("- ")
    )
    year, month, day = (int(match[n]) for n in (2, 3, 4))
    return Provenance(match[1], datetime.datetime(year, month, day), digest(root / "model"), changes)
