"""Wrap integers to a signed width, read constants as unsigned, and compute and limit the bytes of a variable.

Both engines use these before either generates code, so that both accept the same sizes.
See: https://llvm.org/docs/LangRef.html#alloca-instruction, #getelementptr-instruction, #llvm-memcpy-intrinsic
"""

from harness.simt.errors import Unsupported
from harness.simt.ir.module import Const
from harness.simt.ir.types import Type, bits_of, size_of

__all__ = ["ADDRESS_BITS", "MAX_BYTES", "allocation_bytes", "to_signed", "unsigned_value"]

# Bytes of one allocation. A pointer keeps its allocation's number above bit 40, and its offset may be negative.
MAX_BYTES = 1 << 39
ADDRESS_BITS = 64


def to_signed(value: int, bits: int = ADDRESS_BITS) -> int:
    """Wrap an integer to a signed one of some bits; an address has 64."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def unsigned_value(constant: Const) -> int:
    """Return the value of a constant integer as unsigned: `i64 -1` is 2^64 - 1."""
    return constant.value & ((1 << bits_of(constant.type)) - 1)


def allocation_bytes(name: str, element: Type, count: Const | None = None) -> int:
    """Return the bytes of a variable of some elements.

    Args:
        name: What an error calls it.
        count: How many elements, taken as unsigned; one if None.

    Raises:
        Unsupported: It has more than `MAX_BYTES`; the message names the variable.
    """
    size = size_of(element) * (1 if count is None else unsigned_value(count))
    if size > MAX_BYTES:
        raise Unsupported(name, f"{name} has {size} bytes, which no device has: make it smaller")
    return size
