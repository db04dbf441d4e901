"""Tell whether a 64-bit Arm instruction writes memory: loads, stores, atomics, SIMD and SVE; None if unknown.

The encodings are those of the Arm Architecture Reference Manual for A-profile, "Loads and Stores" and the memory group
of SVE. Bit numbers are the manual's.
"""

from __future__ import annotations

__all__ = ["writes_memory"]

# Instructions that zero a block of memory or set its tags: `DC ZVA`, `DC GVA`, `DC GZVA`; the low five bits are a
# register.
_ZEROING = (0xD50B7420, 0xD50B7460, 0xD50B7480)
_REGISTER = 0x1F


def writes_memory(word: int) -> bool | None:
    """Return whether an instruction writes the memory that it accesses.

    An atomic operation counts as a write.

    Args:
        word: The instruction's 32 bits.

    Returns:
        None for an instruction that accesses no memory, that reads one address and writes another (a memory copy),
        that only hints at an access (a prefetch), or that is not known here.
    """
    if word & ~_REGISTER in _ZEROING:
        return True
    if _bits(word, 28, 25) == 0b0010 and word >> 31:
        return _scalable(word)
    if _bits(word, 27, 27) == 1 and _bits(word, 25, 25) == 0:
        return (_ordered, _literal_or_tag, _pair, _single)[_bits(word, 29, 28)](word)
    return None


def _bits(word: int, high: int, low: int) -> int:
    return word >> low & (1 << high - low + 1) - 1


def _stores(word: int) -> bool:
    """Return whether bit 22, which most encodings call L, is clear: the instruction is a store."""
    return not _bits(word, 22, 22)


def _ordered(word: int) -> bool | None:
    """Return what `writes_memory` does for bits 29:28 = 00: exclusive and ordered accesses, compare-and-swap, SIMD."""
    if _bits(word, 26, 26):
        return None if word >> 31 else _stores(word)  # `LD1` to `LD4`, `ST1` to `ST4`
    if _bits(word, 24, 24):
        return None
    if _bits(word, 21, 21) and (_bits(word, 23, 23) or not word >> 31):
        return True  # `CAS` and `CASP`
    return _stores(word)


def _literal_or_tag(word: int) -> bool | None:
    """Return what `writes_memory` does for bits 29:28 = 01: loads relative to the program counter, memory tags.

    Also unscaled ordered accesses, 128-bit atomics and `SET`. None for prefetches, `CPY`, and what is not known.
    """
    if not _bits(word, 24, 24):
        return None if _bits(word, 31, 30) == 0b11 else False  # 11: `PRFM`
    size, form = _bits(word, 31, 30), _bits(word, 11, 10)
    if form == 0b01 and not _bits(word, 21, 21):  # `SET` writes, and `CPY` reads one place and writes another
        return True if size == 0 and _bits(word, 23, 22) == 0b11 else None
    if _bits(word, 26, 26):
        return _stores(word) if not _bits(word, 21, 21) and form == 0b10 else None  # `STLUR` of a SIMD register
    if not _bits(word, 21, 21):
        if form == 0b00:
            return _bits(word, 23, 22) == 0  # `STLUR`; the others are `LDAPUR` with and without a sign
        return _stores(word) if form == 0b10 else None  # `STILP`, `LDIAPP`, and those that write back
    if size == 0b11:  # memory tags: of 16 bytes (`LDG`) and of a block (`LDGM`) they are read, else written
        return not (form == 0 and _bits(word, 23, 22) in (0b01, 0b11))
    return True if size in (0b00, 0b01) and form == 0b00 else None  # `SWPP`, `LDCLRP`, `LDSETP`


def _pair(word: int) -> bool | None:
    """Return what `writes_memory` does for bits 29:28 = 10: loads and stores of pairs of registers."""
    return _stores(word)


def _single(word: int) -> bool | None:
    """Return what `writes_memory` does for bits 29:28 = 11: single registers, and atomic operations.

    None for prefetches, and what is not known.
    """
    form = _bits(word, 11, 10)
    if not _bits(word, 24, 24) and _bits(word, 21, 21):
        if form == 0b00:
            return _atomic(word)
        if form != 0b10:
            return False if _bits(word, 31, 30) == 0b11 and not _bits(word, 26, 26) else None  # `LDRAA`, `LDRAB`
    size, operation = _bits(word, 31, 30), _bits(word, 23, 22)
    if _bits(word, 26, 26):  # `STR` and `LDR` of a SIMD register; 128 bits have size 00 and the upper bit
        return None if operation & 0b10 and size else not operation & 1
    if operation == 0b00:
        return True
    if operation == 0b01 or (operation == 0b10 and size != 0b11) or (operation == 0b11 and size < 0b10):
        return False
    return None  # `PRFM`, and what is not allocated


def _atomic(word: int) -> bool:
    """Return whether an instruction among the atomics writes memory, given its bits: all but `LDAPR` and `LD64B`."""
    if _bits(word, 26, 26) or not _bits(word, 15, 15):
        return True
    return _bits(word, 14, 12) not in (0b100, 0b101)


def _scalable(word: int) -> bool | None:
    """Return what `writes_memory` does for the memory group of SVE: True for stores, None for prefetches.

    Bits 31:29 say whether values are loaded, gathered or stored.
    """
    if word >> 29 == 0b111:
        return True
    return None if _is_scalable_prefetch(word) else False


def _is_scalable_prefetch(word: int) -> bool:
    """Return whether a word of SVE's memory group is a prefetch (`PRF`), which has bit 4 clear; it must be no store."""
    group, upper, operation = word >> 29, _bits(word, 24, 21), _bits(word, 15, 13)
    if _bits(word, 4, 4) or group == 0b101:
        return False
    if operation == 0b111 and not upper & 0b11:  # a vector of addresses and an immediate offset
        return True
    if group == 0b110:  # a register and a vector of 64-bit offsets, which may be extended from 32 bits
        return (upper == 0b0011 and operation >= 0b100) or (upper in (0b0001, 0b0011) and operation < 0b100)
    scaled = upper in (0b0001, 0b0011) and operation < 0b100  # a register and a vector of 32-bit offsets
    immediate = upper >> 1 == 0b111 and operation < 0b100  # a register and an immediate offset
    return scaled or immediate or (operation == 0b110 and not upper & 0b11)  # the last: two registers
