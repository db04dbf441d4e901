"""What a matrix product of four warps (`wgmma`) takes, and where."""

from dataclasses import dataclass

from harness.simt.ir.module import Instruction
from harness.simt.ir.types import Struct

__all__ = ["Operands", "operands_of"]

# By the operands behind the sum: the registers of A, and how many matrices may be turned.
SHAPES = {5: (1, 0), 7: (1, 2), 8: (4, 0), 9: (4, 1)}


@dataclass(frozen=True, slots=True)
class Operands:
    """Where the operands of a product stand among its arguments.

    Attributes:
        sums: The registers of the sum.
        a: The descriptor of A, or the registers with a warp's part of it.
        scale: Whether there is a sum so far.
        signs: Of A and of B.
        turned: Whether the depth of A, of B, is not in a row; empty where it always is.
    """

    sums: tuple[int, ...]
    a: tuple[int, ...]
    b: int
    scale: int
    signs: tuple[int, int]
    turned: tuple[int, ...]


def operands_of(product: Instruction) -> Operands:
    """The operands in the order that assembly has them."""
    sums = len(product.type.fields) if isinstance(product.type, Struct) else 1
    registers, turned = SHAPES[len(product.operands) - sums]
    end = sums + registers
    return Operands(
        tuple(range(sums)),
        tuple(range(sums, end)),
        end,
        end + 1,
        (end + 2, end + 3),
        tuple(range(end + 4, end + 4 + turned)),
    )
