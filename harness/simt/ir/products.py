"""Find which operands of a `wgmma` are A, B, the sum, scale, signs and transpositions, by how many there are."""

from dataclasses import dataclass

from harness.simt.ir.module import Instruction
from harness.simt.ir.types import Struct

__all__ = ["Operands", "operands_of"]

# By the number of operands after the sum: the registers of A, and how many matrices may be transposed.
SHAPES = {5: (1, 0), 7: (1, 2), 8: (4, 0), 9: (4, 1)}


@dataclass(frozen=True, slots=True)
class Operands:
    """The positions of a product's operands among its arguments.

    Attributes:
        sums: The registers of the sum.
        a: The descriptor of A, or the registers with a warp's part of it.
        b: The descriptor of B.
        scale: Whether to add to the sum.
        signs: Of A and of B.
        transposed: Whether A, and B, are transposed; empty if they never are.
    """

    sums: tuple[int, ...]
    a: tuple[int, ...]
    b: int
    scale: int
    signs: tuple[int, int]
    transposed: tuple[int, ...]


def operands_of(product: Instruction) -> Operands:
    """Return the positions of the operands of a call of `wgmma`, which stand in the order of the assembly.

    The registers of the sum come first, as many as the result has fields (1 if it is no struct). The number of operands
    after the sum says which form the product has. KeyError if no form has that number.
    """
    sums = len(product.type.fields) if isinstance(product.type, Struct) else 1
    registers, transposed = SHAPES[len(product.operands) - sums]
    end = sums + registers
    return Operands(
        tuple(range(sums)),
        tuple(range(sums, end)),
        end,
        end + 1,
        (end + 2, end + 3),
        tuple(range(end + 4, end + 4 + transposed)),
    )
