"""The package of a presentation with the same bytes for the same slides: one date on every part."""

from __future__ import annotations

import io
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo


def repacked(content: bytes) -> bytes:
    """Return a package with its parts in the same order, each of the date that `ZipInfo` has unless told."""
    out = io.BytesIO()
    with ZipFile(io.BytesIO(content)) as given, ZipFile(out, "w", ZIP_DEFLATED) as made:
        for name in given.namelist():
            entry = ZipInfo(name)
            entry.compress_type = ZIP_DEFLATED
            made.writestr(entry, given.read(name))
    return out.getvalue()
