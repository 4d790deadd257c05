"""The compound file of a VBA project: read every stream, write them back ([MS-CFB], version 3).

    header | sectors of 512 bytes: long streams, short streams (64-byte pieces), their table, directory, sector table

The same streams give the same bytes: entries are laid out in order of name, without dates and identifiers.
"""

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

_SECTOR, _SHORT_SECTOR, _CUTOFF = 512, 64, 4096  # streams below the cutoff are kept in short sectors
_END, _FREE, _TABLE, _NONE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD, 0xFFFFFFFF
_LAST = 0xFFFFFFFA  # sector numbers from here on are marks
_IN_HEADER = 109  # sectors of the sector table that the header itself can name
_SIGNATURE = bytes.fromhex("D0CF11E0A1B11AE1")
_STORAGE, _STREAM, _ROOT = 1, 2, 5
_BLACK = 1


def read(data: bytes) -> dict[str, bytes]:
    """Return the streams by path, such as `VBA/dir`. Raise ValueError when this is no compound file."""
    if data[:8] != _SIGNATURE:
        raise ValueError("not a compound file: wrong signature")
    size = 1 << struct.unpack_from("<H", data, 30)[0]
    tables, directory_start, _, cutoff, short_start, short_count = struct.unpack_from("<IIIIII", data, 44)
    numbers = [n for n in struct.unpack_from(f"<{_IN_HEADER}I", data, 76) if n < _LAST][:tables]

    def sector(number: int) -> bytes:
        return data[(number + 1) * size : (number + 2) * size]

    table = [entry for n in numbers for entry in struct.unpack(f"<{size // 4}I", sector(n))]
    directory = _chain(directory_start, table, sector)
    entries = [directory[at : at + 128] for at in range(0, len(directory), 128)]
    short_table: Sequence[int] = ()
    if short_count:
        short_table = struct.unpack(f"<{short_count * size // 4}I", _chain(short_start, table, sector))
    pieces = _chain(_start(entries[0]), table, sector)

    def piece(number: int) -> bytes:
        return pieces[number * _SHORT_SECTOR : (number + 1) * _SHORT_SECTOR]

    streams = {}
    for path, entry in _walk(entries, _links(entries[0])[2], ""):
        length = struct.unpack_from("<I", entry, 120)[0]
        long = length >= cutoff
        streams[path] = (_chain(_start(entry), table, sector) if long else _chain(_start(entry), short_table, piece))[
            :length
        ]
    return streams


def write(streams: Mapping[str, bytes]) -> bytes:
    """Return the compound file of the streams, given by path."""
    nodes = _tree(streams)
    sectors, table = list[bytes](), list[int]()

    def store(content: bytes) -> int:
        """Append the content to the sectors and return its first one."""
        first, count = len(sectors), -(-len(content) // _SECTOR)
        sectors.extend(content[n * _SECTOR : (n + 1) * _SECTOR].ljust(_SECTOR, b"\0") for n in range(count))
        table.extend([*range(first + 1, first + count), _END][:count])
        return first if count else _END

    pieces, short_table = bytearray(), list[int]()
    for node in nodes[1:]:
        if len(node.content) >= _CUTOFF:
            node.start = store(node.content)
        elif node.content:
            node.start, count = len(short_table), -(-len(node.content) // _SHORT_SECTOR)
            short_table += [*range(node.start + 1, node.start + count), _END]
            pieces += node.content.ljust(count * _SHORT_SECTOR, b"\0")
    nodes[0].start, nodes[0].content = store(bytes(pieces)), bytes(pieces)
    packed = struct.pack(f"<{len(short_table)}I", *short_table)
    packed += b"\xff" * (-len(packed) % _SECTOR)
    short_start, short_count = store(packed), len(packed) // _SECTOR
    directory = b"".join(node.entry() for node in nodes)
    directory += _EMPTY_ENTRY * (-len(nodes) % (_SECTOR // 128))
    directory_start = store(directory)
    return _assembled(sectors, table, directory_start, short_start, short_count)


def _assembled(sectors: list[bytes], table: list[int], directory: int, short: int, short_count: int) -> bytes:
    """Return header, sectors and the sector table, which lists itself too."""
    per_sector = _SECTOR // 4
    count = 1
    while count * per_sector < len(table) + count:
        count += 1
    if count > _IN_HEADER:
        raise ValueError("more than 6.8 MB of streams do not fit the header's own list of sectors")
    first = len(sectors)
    entries = [*table, *[_TABLE] * count]
    entries += [_FREE] * (count * per_sector - len(entries))
    numbers = [*range(first, first + count), *[_FREE] * (_IN_HEADER - count)]
    header = _SIGNATURE + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += struct.pack("<9I", 0, count, directory, 0, _CUTOFF, short, short_count, _END, 0)
    header += struct.pack(f"<{_IN_HEADER}I", *numbers)
    return b"".join([header, *sectors, struct.pack(f"<{len(entries)}I", *entries)])


@dataclass
class _Node:
    """One entry of the directory; children form a balanced binary tree, as readers demand."""

    name: str
    kind: int
    content: bytes = b""
    start: int = _END
    links: list[int] = field(default_factory=lambda: [_NONE, _NONE, _NONE])  # left, right, child

    def entry(self) -> bytes:
        name = self.name.encode("utf-16le") + b"\0\0"
        start = 0 if self.kind == _STORAGE else self.start
        return (
            name.ljust(64, b"\0")
            + struct.pack("<HBB3I", len(name), self.kind, _BLACK, *self.links)
            + bytes(36)
            + struct.pack("<IQ", start, len(self.content))
        )


_EMPTY_ENTRY = bytes(64) + struct.pack("<HBB3I", 0, 0, 0, _NONE, _NONE, _NONE) + bytes(48)


def _tree(streams: Mapping[str, bytes]) -> list[_Node]:
    """Return root, storages and streams, linked."""
    nodes = [_Node("Root Entry", _ROOT)]
    numbers = {"": 0}
    children: dict[str, list[int]] = {"": []}
    for path in sorted(streams):
        parent, _, name = path.rpartition("/")
        if parent not in numbers:
            if "/" in parent:
                raise ValueError(f"{path}: storages inside storages are not written")
            numbers[parent], children[parent] = len(nodes), []
            children[""].append(len(nodes))
            nodes.append(_Node(parent, _STORAGE))
        children[parent].append(len(nodes))
        nodes.append(_Node(name, _STREAM, streams[path]))

    def linked(group: list[int]) -> int:
        if not group:
            return _NONE
        middle = len(group) // 2
        nodes[group[middle]].links[:2] = [linked(group[:middle]), linked(group[middle + 1 :])]
        return group[middle]

    for path, group in children.items():
        group.sort(key=lambda n: (len(nodes[n].name), nodes[n].name.upper()))
        nodes[numbers[path]].links[2] = linked(group)
    return nodes


def _chain(start: int, table: Sequence[int], get: Callable[[int], bytes]) -> bytes:
    pieces, number = [], start
    while number < _LAST:
        pieces.append(get(number))
        number = table[number]
    return b"".join(pieces)


def _start(entry: bytes) -> int:
    return int(struct.unpack_from("<I", entry, 116)[0])


def _links(entry: bytes) -> tuple[int, int, int]:
    left, right, child = struct.unpack_from("<3I", entry, 68)
    return left, right, child


def _walk(entries: list[bytes], number: int, folder: str) -> list[tuple[str, bytes]]:
    """Return path and entry of every stream below an entry."""
    if number >= _LAST:
        return []
    entry = entries[number]
    length, kind = struct.unpack_from("<HB", entry, 64)
    name = entry[: max(length - 2, 0)].decode("utf-16le")
    left, right, child = _links(entry)
    own = [(folder + name, entry)] if kind == _STREAM else _walk(entries, child, f"{folder}{name}/")
    return [*_walk(entries, left, folder), *own, *_walk(entries, right, folder)]
