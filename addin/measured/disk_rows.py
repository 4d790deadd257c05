"""A csv with a row for each disk of a desktop: they have to be added up before they are the rates of the desktop."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from addin.measured.records import fault, quoted

_A_DISK = re.compile(
    r"(?:physical|logical|virtual)?[ _-]?(?:disk|drive|volume|lun|device|vmdk|datastore|instance)"
    r"[ _-]?(?:name|id|letter|path|number)?"
)


class DiskRows:
    """What the columns of a file that name a disk have said of each desktop so far."""

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        self._path = path
        self._known = {at: dict[int, str]() for at, name in enumerate(names) if _A_DISK.fullmatch(name)}

    def add(self, desktops: NDArray[np.int64], names: Sequence[str], columns: Sequence[Sequence[str]]) -> None:
        """Look at some rows, each of the desktop with that number. Raises RequestError where one has two disks."""
        for at, known in self._known.items():
            for desktop, disk in sorted(set(zip(desktops.tolist(), columns[at], strict=True))):
                other = known.setdefault(desktop, disk)
                if desktop >= 0 and other != disk:
                    both = " and ".join(quoted(each) for each in sorted((other, disk)))
                    raise fault(
                        self._path,
                        f"has a row for each disk: {both} of {names[desktop]}",
                        "Add up the disks of a desktop at each time, or delete the column if it does not name disks",
                    )
