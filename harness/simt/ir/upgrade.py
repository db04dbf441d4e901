"""Rewrite IR for the bundled LLVM: newer float spellings, NVIDIA's older atomics; refuse atomics of odd widths.

LLVM 23 prints special floats as `f0xFF7FFFFF` (bits in their own width),
`+inf`, `-qnan` or `+snan(0x1)`, and rounds decimals that are not exact.

NVIDIA's older intrinsics of atomics (`llvm.nvvm.atomic.load.inc.32`) are relaxed at the scope of the device. The
bundled LLVM reads them as `atomicrmw ... seq_cst`. So they are replaced by a relaxed `atomicrmw` first.
"""

import math
import re
import struct

import numpy as np

from harness.simt.errors import DecodeError

__all__ = ["check_atomics", "to_accepted"]

ATOMIC = re.compile(
    r"(?:\b(?:tail|musttail|notail) +)?\bcall +(?P<type>i32|float|double) +@llvm\.nvvm\.atomic\.load\."
    r"(?P<name>add\.f32|add\.f64|inc\.32|dec\.32)\.p\d+"
    r"\((?P<pointer>ptr(?: addrspace\(\d+\))?)[^,%@]* (?P<place>[%@][^,]+), "
    r"(?P=type)[^,%)]* (?P<value>[^,) ]+)\)(?: #\d+)?"
)
UPDATES = {"add.f32": "fadd", "add.f64": "fadd", "inc.32": "uinc_wrap", "dec.32": "udec_wrap"}
SPECIAL = re.compile(
    r"\bf0x(?P<bits>[0-9A-Fa-f]+)"
    r"|(?<=[ ,(\[<{])(?P<sign>[-+])(?P<name>inf|qnan|snan|nan)"
    r"(?:\(0x(?P<payload>[0-9A-Fa-f]+)\))?(?![\w.])"
    r"|(?<=[ ,(\[<{])(?P<decimal>-?\d+\.\d+(?:e[-+]?\d+)?)"
)
# Its first operand is an address, a name or a constant expression without a comma of its own.
ATOMIC_WIDTH = re.compile(r"\b(?:atomicrmw|cmpxchg)\b[^\n]*?, i(?P<bits>\d+) ")
QUICK = re.compile(r"f0x|[-+](?:inf|qnan|nan|snan)\b|\d\.\d+e")
TEXT = ' c"'  # a constant array of bytes: its content is no number
TYPE = re.compile(r"\b(half|bfloat|float|double)\b")
# Exponent mask, quiet bit, width in bits.
LAYOUT = {
    "half": (0x7C00, 0x200, 16),
    "bfloat": (0x7F80, 0x40, 16),
    "float": (0x7F800000, 0x400000, 32),
    "double": (0x7FF0000000000000, 0x8000000000000, 64),
}


def to_accepted(text: str) -> str:
    """Rewrite special floats, decimals that are not exact, and NVIDIA's older atomics, for the bundled LLVM.

    Atomics are replaced in the whole text. Floats are replaced only in lines with a special float or a decimal with an
    exponent, and not in metadata or in lines with a string of bytes (` c"`). All other text stays unchanged.
    """
    if "@llvm.nvvm.atomic.load." in text:
        text = ATOMIC.sub(_replace_atomic, text)
    rewritten: list[str] = []
    position = 0
    for match in QUICK.finditer(text):
        if match.start() < position:
            continue  # in a line that was rewritten
        start, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
        end = end if end >= 0 else len(text)
        line = text[start:end]
        if not line.startswith("!") and TEXT not in line:
            rewritten += text[position:start], SPECIAL.sub(_replace_float, line)
            position = end
    return "".join((*rewritten, text[position:]))


def _replace_atomic(match: re.Match[str]) -> str:
    """Return the relaxed `atomicrmw`, at the scope of the device, for a call of one of NVIDIA's older intrinsics."""
    operation, size = UPDATES[match["name"]], 8 if match["type"] == "double" else 4
    pointer, value = f"{match['pointer']} {match['place']}", f"{match['type']} {match['value']}"
    return f'atomicrmw {operation} {pointer}, {value} syncscope("device") monotonic, align {size}'


def _replace_float(match: re.Match[str]) -> str:
    """Return a special float, or a decimal, in the form that the bundled LLVM reads.

    Its type is the last one that the line names before it; `float` if there is none.
    """
    words = TYPE.findall(match.string[: match.start()])
    kind = words[-1] if words else "float"
    if match["decimal"]:
        return _exact_decimal(match["decimal"], kind)
    exponent, quiet, width = LAYOUT[kind]
    if match["bits"]:
        bits = int(match["bits"], 16)
    else:
        bits = exponent | (1 << (width - 1) if match["sign"] == "-" else 0)
        if match["name"] != "inf":
            bits |= int(match["payload"] or "0", 16)
            if match["name"] == "qnan":
                bits |= quiet
    if width == 16:
        return f"0x{'R' if kind == 'bfloat' else 'H'}{bits:04X}"
    return f"0x{bits if width == 64 else _float_to_double_bits(bits):016X}"


def _exact_decimal(text: str, kind: str) -> str:
    """Return a decimal as it is if it is exact in its type, else its bits; always as it is for `double`, bits for
    `bfloat`. A decimal that is too large becomes an infinity.
    """
    if kind == "double":
        return text
    if kind == "bfloat":
        return f"0xR{_round_to_bfloat(float(text)):04X}"
    with np.errstate(over="ignore"):
        value = float(np.float32(float(text)) if kind == "float" else np.float16(float(text)))
    if value == float(text):
        return text
    if kind == "half":
        return f"0xH{struct.unpack('<H', struct.pack('<e', value))[0]:04X}"
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def _round_to_bfloat(value: float) -> int:
    """Return the bits of the bfloat nearest to a number (no NaN), ties to even; infinity if it is too large."""
    bits = int(struct.unpack("<Q", struct.pack("<d", value))[0])
    if not value:
        return bits >> 48
    if math.isinf(value):
        return bits >> 63 << 15 | LAYOUT["bfloat"][0]
    exponent = max((bits >> 52 & 0x7FF) - 1023, -126)
    steps = round(abs(value) / 2.0 ** (exponent - 7))  # up to 256 of them: a carry goes into the exponent
    return bits >> 63 << 15 | min((exponent + 126 << 7) + steps, LAYOUT["bfloat"][0])


def _float_to_double_bits(bits: int) -> int:
    """Return the bits of a double with the value of a float's bits; a NaN keeps its payload."""
    if bits & 0x7FFFFFFF > LAYOUT["float"][0]:  # keep the payload of a NaN
        return (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
    value = struct.unpack("<f", struct.pack("<I", bits))[0]
    (double_bits,) = struct.unpack("<Q", struct.pack("<d", value))
    return int(double_bits)


def check_atomics(text: str) -> None:
    """Refuse an atomic operation on an integer that no target has one for: LLVM's parser would end the process.

    Raises:
        DecodeError: Its width is no power of two of at least 8 bits.
    """
    for match in ATOMIC_WIDTH.finditer(text):
        bits = int(match["bits"])
        if bits % 8 or bits & (bits - 1):
            raise DecodeError(f"LLVM does not accept the text: an atomic operation on i{bits}")
