"""Remove the debug sections of an ELF object file, so that LLVM loads it faster; other files stay unchanged."""

from __future__ import annotations

import struct

__all__ = ["remove_debug_sections"]

_ELF = b"\x7fELF\x02\x01"  # of 64 bits, little endian
_TABLE, _COUNT = struct.Struct("<Q"), struct.Struct("<HH")  # where the section headers are; their size and count
_TABLE_AT, _COUNT_AT, _HEADER_BYTES = 40, 58, 64
# Of a section: name, type, flags, address, offset, size, link, info, alignment, size of an entry.
_SECTION = struct.Struct("<IIQQQQIIQQ")
_CONTENTS, _RELOCATIONS, _EMPTY = 1, 4, (0, 8)  # types; the last have no bytes in the file
_LOADED = 2  # a flag
_MOST_ALIGNED = 4096  # bytes; in memory the loader aligns sections itself


def remove_debug_sections(code: bytes) -> bytes:
    """Return an ELF object file without the contents of sections that are not loaded; other files are unchanged.

    LLVM's loader applies the relocations of debug information too, which takes most of its time.
    """
    try:
        return _remove_debug_sections(code) if code.startswith(_ELF) else code
    except (struct.error, IndexError):  # who loads it says what is wrong with it
        return code


def _remove_debug_sections(code: bytes) -> bytes:
    (table,), (size, count) = _TABLE.unpack_from(code, _TABLE_AT), _COUNT.unpack_from(code, _COUNT_AT)
    sections = [_SECTION.unpack_from(code, table + size * number) for number in range(count)]
    result, headers = bytearray(code[:_HEADER_BYTES]), bytearray()
    for name, kind, flags, address, offset, length, link, info, alignment, entry in sections:
        described = sections[info] if kind == _RELOCATIONS else (name, kind, flags)
        if described[1] == _CONTENTS and not described[2] & _LOADED:
            length = 0
        result += bytes(-len(result) % min(max(alignment, 1), _MOST_ALIGNED))
        at = len(result)
        if kind not in _EMPTY:
            result += code[offset : offset + length]
        headers += _SECTION.pack(name, kind, flags, address, at, length, link, info, alignment, entry)
    result += bytes(-len(result) % 8)
    _TABLE.pack_into(result, _TABLE_AT, len(result))
    return bytes(result + headers)
