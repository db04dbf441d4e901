"""Lower PTX bitwise logic: `and`, `or`, `xor`, `not`, `cnot`, `lop3`; apply truth tables to words, also for AMD.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#logic-and-shift-instructions
"""

from collections.abc import Sequence

from harness.simt.compile.lowering import Lowering, declares
from harness.simt.ir.module import Const, Operand
from harness.simt.ir.ptx_types import TYPES
from harness.simt.ir.types import Int, bits_of

__all__ = ["apply_truth_table"]


@declares("and", "or", "xor")
def lower_logic(low: Lowering) -> None:
    """Lower bitwise `and`, `or` and `xor`."""
    name, kind = low.name, low.take_type("pred", "b16", "b32", "b64")
    low.expect_operands(3)
    low.write(0, low.op(name, TYPES[kind], low.read(1, kind), low.read(2, kind)))


@declares("not", "cnot")
def lower_not(low: Lowering) -> None:
    """Lower `not` (all bits inverted) and `cnot` (1 if the value is 0, else 0)."""
    name, kind = low.name, low.take_type("pred", "b16", "b32", "b64")
    low.expect_operands(2)
    value, ty = low.read(1, kind), TYPES[kind]
    if name == "not":
        low.write(0, low.op("xor", ty, value, Const(ty, (1 << bits_of(ty)) - 1)))
    else:
        low.write(0, low.op("zext", ty, low.compare("eq", value, Const(ty, 0))))


@declares("lop3")
def lower_truth_table(low: Lowering) -> None:
    """Lower `lop3`: apply a truth table to three words, bit by bit; `NotKnown` if the table is no immediate."""
    low.take_type("b32")
    low.expect_operands(5)
    low.write(0, apply_truth_table(low, [low.read(number, Int(32)) for number in (1, 2, 3)], low.immediate(4)))


def apply_truth_table(low: Lowering, words: Sequence[Operand], table: int) -> Operand:
    """Emit code that returns a truth table applied to three words, bit by bit: table bit 4 a + 2 b + c is the result
    for bits a, b and c.
    """
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
