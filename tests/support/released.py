"""The workbook of a release as it was shipped: its parts, packed together, which takes less than half of the .xlsx.

`releases/X.Y.Z.tar.xz` has the parts of templates/vdi-storage-sizing.xlsx of that release, byte for byte.
`python -m tests.support.released X.Y.Z` packs the workbook in templates/ as a release.
"""

from __future__ import annotations

import io
import lzma
import sys
import tarfile
from functools import cache
from pathlib import Path

from addin.xlsx.package import read_parts, write_parts

FOLDER = Path(__file__).parent / "releases"
BUILT = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"


def write(release: str, path: Path) -> Path:
    """Write the workbook of a release."""
    write_parts(path, _parts(release))
    return path


@cache
def _parts(release: str) -> dict[str, bytes]:
    with tarfile.open(FOLDER / f"{release}.tar.xz") as packed:
        return {each.name: opened.read() for each in packed if (opened := packed.extractfile(each)) is not None}


def pack(release: str, path: Path = BUILT, folder: Path = FOLDER) -> None:
    """Pack the workbook of a release."""
    with (
        lzma.open(folder / f"{release}.tar.xz", "wb", preset=9 | lzma.PRESET_EXTREME) as file,
        tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as packed,
    ):
        for name, data in read_parts(path).items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            packed.addfile(entry, io.BytesIO(data))


if __name__ == "__main__":
    pack(sys.argv[1])
