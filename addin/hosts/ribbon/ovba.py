"""A VBA project as text: module sources out of a `vbaProject.bin` and back into it, source only ([MS-OVBA]).

A project may carry compiled code beside the source. What is written here has none, and says so in the version of the
stream `_VBA_PROJECT`: Excel compiles from the source, so what a reviewer reads is what runs.
"""

import struct
from collections.abc import Iterator, Mapping

from addin.hosts.ribbon import compound

CODE_PAGE = "cp1252"
_SOURCE_ONLY = bytes.fromhex("CC61FFFF")  # section 2.3.4.1: a version that no Excel has, caches are ignored
_CHUNK = 4096
_COMPRESSED = 0xB000  # section 2.4.1.1.5: chunk flag and signature
_RAW = 0x3FFF
_PROJECT_NAME, _PROJECT_VERSION = 0x04, 0x09
_MODULE_NAME, _STREAM_NAME, _MODULE_NAME_WIDE, _STREAM_NAME_WIDE, _SOURCE_OFFSET = 0x19, 0x1A, 0x47, 0x32, 0x31


def sources(project: bytes) -> dict[str, str]:
    """Return the source of every module by name, attributes included, lines ended by CR LF."""
    streams = compound.read(project)
    name, modules = "", {}
    for kind, content in _records(decompress(streams["VBA/dir"])):
        if kind == _MODULE_NAME:
            name = content.decode(CODE_PAGE)
        elif kind == _SOURCE_OFFSET:
            (offset,) = struct.unpack("<I", content)
            modules[name] = decompress(streams[f"VBA/{name}"][offset:]).decode(CODE_PAGE)
    return modules


def with_sources(project: bytes, name: str, modules: Mapping[str, str], renamed: Mapping[str, str]) -> bytes:
    """Return the project under a new name, its modules holding these sources and nothing compiled.

    `modules` is keyed by the new names; `renamed` gives the new name of a module by its old one. Raises ValueError when
    the project has other modules, or streams that hold compiled code.
    """
    old = sources(project)
    streams = compound.read(project)
    if {renamed.get(module, module) for module in old} != set(modules):
        raise ValueError(f"the project has the modules {', '.join(sorted(old))}; adapt the patch to them")
    directory = bytearray()
    old_name = ""
    for kind, content in _records(decompress(streams["VBA/dir"])):
        new = content
        if kind == _PROJECT_NAME:
            old_name, new = content.decode(CODE_PAGE), name.encode(CODE_PAGE)
        elif kind in (_MODULE_NAME, _STREAM_NAME):
            module = content.decode(CODE_PAGE)
            new = renamed.get(module, module).encode(CODE_PAGE)
        elif kind in (_MODULE_NAME_WIDE, _STREAM_NAME_WIDE):
            module = content.decode("utf-16le")
            new = renamed.get(module, module).encode("utf-16le")
        elif kind == _SOURCE_OFFSET:
            new = bytes(4)
        size = 4 if kind == _PROJECT_VERSION else len(new)  # section 2.3.4.2.1.10: its size leaves two bytes out
        directory += struct.pack("<HI", kind, size) + new
    if not streams["VBA/_VBA_PROJECT"].startswith(_SOURCE_ONLY):
        raise ValueError("the project holds compiled code; take a source-only one")
    kept = {path: content for path, content in streams.items() if path.removeprefix("VBA/") not in old}
    expected = {"PROJECT", "PROJECTwm", "VBA/dir", "VBA/_VBA_PROJECT"}
    if set(kept) != expected:
        raise ValueError(f"unexpected streams {', '.join(sorted(set(kept) ^ expected))}; adapt the patch to them")
    kept["VBA/dir"] = compress(bytes(directory))
    kept["PROJECT"] = once(kept["PROJECT"], f'Name="{old_name}"'.encode(), f'Name="{name}"'.encode())
    for before, after in renamed.items():
        kept["PROJECT"] = once(kept["PROJECT"], f"Module={before}\r\n".encode(), f"Module={after}\r\n".encode())
        kept["PROJECT"] = once(kept["PROJECT"], f"\r\n{before}=".encode(), f"\r\n{after}=".encode())
        wide = (before.encode("utf-16le"), after.encode("utf-16le"))
        kept["PROJECTwm"] = once(once(kept["PROJECTwm"], *wide), before.encode(), after.encode())
    packed = {f"VBA/{module}": compress(source.encode(CODE_PAGE)) for module, source in modules.items()}
    return compound.write(kept | packed)


def once(data: bytes, old: bytes, new: bytes) -> bytes:
    """Replace what occurs exactly once; raise ValueError when it does not."""
    if (count := data.count(old)) != 1:
        raise ValueError(f"{old.decode(CODE_PAGE)!r} occurs {count} times, expected once; adapt the patch")
    return data.replace(old, new)


def decompress(data: bytes) -> bytes:
    """Return the content of a compressed container (section 2.4.1)."""
    out, at = bytearray(), 1
    while at < len(data):
        (header,) = struct.unpack_from("<H", data, at)
        end, at, base = at + (header & 0xFFF) + 3, at + 2, len(out)
        if not header & 0x8000:
            out += data[at : at + _CHUNK]
            at = end
            continue
        while at < end:
            flags = data[at]
            at += 1
            for bit in range(8):
                if at >= end:
                    break
                if flags >> bit & 1:
                    (token,) = struct.unpack_from("<H", data, at)
                    at += 2
                    bits = _offset_bits(len(out) - base)
                    offset, length = (token >> (16 - bits)) + 1, (token & (0xFFFF >> bits)) + 3
                    for _ in range(length):
                        out.append(out[-offset])
                else:
                    out.append(data[at])
                    at += 1
    return bytes(out)


def compress(data: bytes) -> bytes:
    """Return the compressed container of the data (section 2.4.1); the longest, then nearest match is taken."""
    out = bytearray(b"\x01")
    for start in range(0, len(data), _CHUNK):
        chunk = data[start : start + _CHUNK]
        body = _compressed_chunk(chunk)
        if len(body) >= _CHUNK and len(chunk) == _CHUNK:
            out += struct.pack("<H", _RAW) + chunk
        else:
            out += struct.pack("<H", _COMPRESSED | (len(body) - 1)) + body
    return bytes(out)


def _compressed_chunk(chunk: bytes) -> bytes:
    body, at, seen = bytearray(), 0, dict[bytes, list[int]]()
    while at < len(chunk):
        flags, tokens = 0, bytearray()
        for bit in range(8):
            if at >= len(chunk):
                break
            bits = _offset_bits(at)
            length, distance = _match(chunk, at, (0xFFFF >> bits) + 3, seen)
            if length:
                flags |= 1 << bit
                tokens += struct.pack("<H", ((distance - 1) << (16 - bits)) | (length - 3))
            else:
                tokens.append(chunk[at])
            for position in range(at, at + max(length, 1)):
                seen.setdefault(chunk[position : position + 3], []).append(position)
            at += max(length, 1)
        body.append(flags)
        body += tokens
    return bytes(body)


def _match(chunk: bytes, at: int, longest: int, seen: Mapping[bytes, list[int]]) -> tuple[int, int]:
    """Return length and distance of the best earlier occurrence, (0, 0) without one of three bytes."""
    best = (0, 0)
    limit = min(longest, len(chunk) - at)
    if limit < 3:
        return best
    for candidate in reversed(seen.get(chunk[at : at + 3], [])):
        length = 3
        while length < limit and chunk[candidate + length] == chunk[at + length]:
            length += 1
        if length > best[0]:
            best = (length, at - candidate)
        if length == limit:
            break
    return best


def _offset_bits(position: int) -> int:
    """Return the number of bits for the distance in a copy token (section 2.4.1.3.19.1)."""
    return max(4, (position - 1).bit_length()) if position else 4


def _records(directory: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + 6 <= len(directory):
        kind, size = struct.unpack_from("<HI", directory, at)
        size = 6 if kind == _PROJECT_VERSION else size
        yield kind, directory[at + 6 : at + 6 + size]
        at += 6 + size
