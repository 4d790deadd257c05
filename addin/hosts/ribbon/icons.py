"""The pictures of the buttons: icons.txt as PNG, with the same bytes on every machine."""

import re
import struct
import zlib
from pathlib import Path

SOURCE = Path(__file__).with_name("icons.txt")
_SIDE = 16


def icons(scale: int = 2) -> dict[str, bytes]:
    """Return the PNG of every picture by name, 16 x scale pixels wide. Raises ValueError for a malformed picture."""
    head, *drawn = re.split(r"^\[(\w+)\]\n", SOURCE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = [line for line in head.splitlines() if line and not line.startswith("#")]
    colours = {line[0]: bytes.fromhex(line[2:]) for line in lines}
    pictures = {}
    for name, text in zip(drawn[::2], drawn[1::2], strict=True):
        rows = text.split()
        if [len(row) for row in rows] != [_SIDE] * _SIDE or not set("".join(rows)) <= set(colours):
            raise ValueError(f"{SOURCE.name}: [{name}] is not 16 lines of 16 of the characters {''.join(colours)}")
        pictures[name] = _png([b"".join(colours[pixel] * scale for pixel in row) for row in rows for _ in range(scale)])
    return pictures


def _png(rows: list[bytes]) -> bytes:
    """Return the PNG of rows of RGBA pixels, stored uncompressed: compressors differ between builds of zlib."""
    data = b"".join(b"\0" + row for row in rows)
    assert len(data) < 1 << 16, "one stored block holds 64 KB"
    stored = b"\x78\x01\x01" + struct.pack("<HH", len(data), len(data) ^ 0xFFFF) + data
    header = struct.pack(">IIBBBBB", len(rows[0]) // 4, len(rows), 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", stored + struct.pack(">I", zlib.adler32(data))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )
