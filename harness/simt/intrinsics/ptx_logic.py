"""The assembly of NVIDIA's logic instructions.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#logic-and-shift-instructions
"""

from collections.abc import Sequence

from harness.simt.compile.lowering import Lowering, declares
from harness.simt.ir.module import Const, Operand
from harness.simt.ir.ptx_types import TYPES
from harness.simt.ir.types import Int, bits_of

__all__ = ["by_table"]


@declares("and", "or", "xor")
def logic(low: Lowering) -> None:
    """Bit by bit."""
    name, kind = low.name, low.take_type("pred", "b16", "b32", "b64")
    low.expect_operands(3)
    low.write(0, low.op(name, TYPES[kind], low.read(1, kind), low.read(2, kind)))


@declares("not", "cnot")
def opposite(low: Lowering) -> None:
    """All bits turned, or whether there are none."""
    name, kind = low.name, low.take_type("pred", "b16", "b32", "b64")
    low.expect_operands(2)
    value, ty = low.read(1, kind), TYPES[kind]
    if name == "not":
        low.write(0, low.op("xor", ty, value, Const(ty, (1 << bits_of(ty)) - 1)))
    else:
        low.write(0, low.op("zext", ty, low.compare("eq", value, Const(ty, 0))))


@declares("lop3")
def any_logic(low: Lowering) -> None:
    """Compute bit by bit what a table of eight says of three words."""
    low.take_type("b32")
    low.expect_operands(5)
    low.write(0, by_table(low, [low.read(number, Int(32)) for number in (1, 2, 3)], low.immediate(4)))


def by_table(low: Lowering, words: Sequence[Operand], table: int) -> Operand:
    """Return bit by bit what a table of eight says of three words: bit 4 a + 2 b + c is for bits a, b and c."""
    ty = words[0].type
    ones = Const(ty, (1 << bits_of(ty)) - 1)
    total: Operand = Const(ty, 0)
    for row in range(8):
        if table >> row & 1:
            first, second, third = (
                word if row >> 2 - place & 1 else low.op("xor", ty, word, ones) for place, word in enumerate(words)
            )
            total = low.op("or", ty, total, low.op("and", ty, low.op("and", ty, first, second), third))
    return total
