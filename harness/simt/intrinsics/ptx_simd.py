"""Lower PTX SIMD video instructions, such as `vadd2` and `vset4`, on all 16-bit or 8-bit integers of whole words.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#scalar-video-instructions-simd
"""

from harness.simt.compile.lowering import Lowering, declares
from harness.simt.intrinsics.ptx_floats import comparison_type, splat
from harness.simt.ir.module import Operand, Zero
from harness.simt.ir.types import Int, Vector
from harness.simt.ops.integer import limits

__all__: list[str] = []

OPERATIONS = ("add", "sub", "avrg", "absdiff", "min", "max")
COMPARISONS = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
WORD = Int(32)


def _choose(low: Lowering, predicate: str, left: Operand, right: Operand, yes: Operand, no: Operand) -> Operand:
    """Emit code that returns `yes` for the elements where `left` and `right` satisfy a predicate, else `no`."""
    return low.select(low.op("icmp", comparison_type(left.type), left, right, predicate=predicate), yes, no)


def _compute(low: Lowering, name: str, left: Operand, right: Operand) -> Operand:
    """Emit code that returns the result of an operation or a comparison (1 or 0) on vectors of 32-bit elements.

    Args:
        name: `add`, `sub`, `min`, `max`, `absdiff`, `avrg` (the mean, ties away from zero) or a comparison such as
            `lt`. Each of these treats the elements as signed.
    """
    ty = left.type
    match name:
        case "add" | "sub":
            return low.op(name, ty, left, right)
        case "avrg":  # ties are rounded up if positive, else down
            total = low.op("add", ty, left, right)
            up = _choose(low, "sge", total, Zero(ty), splat(low, ty, 1), Zero(ty))
            return low.op("ashr", ty, low.op("add", ty, total, up), splat(low, ty, 1))
        case "absdiff":
            down, up = low.op("sub", ty, left, right), low.op("sub", ty, right, left)
            return _choose(low, "sgt", left, right, down, up)
        case "min" | "max":
            return _choose(low, "slt" if name == "min" else "sgt", left, right, left, right)
    return _choose(low, COMPARISONS[name], left, right, splat(low, ty, 1), Zero(ty))


def _unpack(low: Lowering, word: Operand, count: int, signed: bool) -> Operand:
    """Emit code that returns the fields of a word, each extended to 32 bits."""
    fields = low.op("bitcast", Vector(count, Int(32 // count)), word)
    return low.op("sext" if signed else "zext", Vector(count, WORD), fields)


@declares(*(f"v{name}{count}" for name in (*OPERATIONS, "set") for count in (2, 4)))
def lower_simd(low: Lowering) -> None:
    """Lower an operation on all fields of two words; statements that select single fields are not known.

    With `add` the result is the sum of the fields' 32-bit results plus operand 3. Otherwise operand 3 is not read, and
    the results are truncated to fields, or saturated with `sat`.
    """
    count, name = int(low.name[-1]), low.name[1:-1]
    kinds = [low.take_type("s32", "u32") for _ in range(2 if name == "set" else 3)]
    if name == "set":
        name, kinds = low.require(*COMPARISONS), ["u32", *kinds]
    sums = low.take("add")
    saturates = not sums and low.take("sat")
    low.expect_operands(4)
    to_signed, *signed = (kind[0] == "s" for kind in kinds)
    first, second = (
        _unpack(low, low.read(place, WORD), count, sign) for place, sign in zip((1, 2), signed, strict=True)
    )
    result, words = _compute(low, name, first, second), Vector(count, WORD)
    if sums:
        total = low.value(f"llvm.vector.reduce.add.v{count}i32", WORD, result)
        low.write(0, low.op("add", WORD, total, low.read(3, WORD)))
        return
    if saturates:
        least, most = (splat(low, words, edge & 0xFFFFFFFF) for edge in limits(32 // count, to_signed))
        result = _choose(low, "slt", result, least, least, result)
        result = _choose(low, "sgt", result, most, most, result)
    truncated = low.op("trunc", Vector(count, Int(32 // count)), result)
    low.write(0, low.op("bitcast", WORD, truncated))
