"""What the assembly of a matrix product of four warps (`wgmma`) takes, and where."""

import re
from dataclasses import dataclass
from functools import cache

from harness.simt.errors import Unsupported
from harness.simt.ir.module import Asm

__all__ = ["Operands", "operands_of"]

TEXT = re.compile(
    r"setp\.ne\.b32 p, (?P<scale>\$\d+), 0;.*?\{(?P<sum>[^}]*)\},\s*(?P<a>\{[^}]*\}|\$\d+),\s*(?P<b>\$\d+), p,"
    r"(?P<rest>[^;]*);",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Operands:
    """Where the operands of a product stand among the arguments of its assembly.

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


@cache
def operands_of(product: Asm) -> Operands:
    """Reads the assembly of a product: `$0`, ... are first its results, then its arguments, some tied to a result.

    Raises:
        Unsupported: If it is not written as compilers do.
    """
    found = TEXT.search(product.text)
    if found is None:
        raise Unsupported("wgmma whose operands are not all registers or arguments")
    kinds = product.constraints.split(",")
    results = sum(kind.startswith("=") for kind in kinds)
    tied = {int(kind): place for place, kind in enumerate(kinds[results:]) if kind.isdigit()}

    def places(part: str) -> tuple[int, ...]:
        numbers = [int(number) for number in re.findall(r"\$(\d+)", part)]
        return tuple(tied[number] if number < results else number - results for number in numbers)

    sums, a, (b,), (scale,) = (places(found[name]) for name in ("sum", "a", "b", "scale"))
    sign_a, sign_b, *turned = places(found["rest"])
    return Operands(sums, a, b, scale, (sign_a, sign_b), tuple(turned))
