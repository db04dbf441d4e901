"""The assembly of NVIDIA's video instructions: two halves or four bytes of a word at once.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#scalar-video-instructions-simd
"""

from harness.simt.compile.lowering import Lowering, declares
from harness.simt.intrinsics.ptx_floats import all_of, truth_of
from harness.simt.ir.module import Operand, Zero
from harness.simt.ir.types import Int, Vector
from harness.simt.ops.integer import limits

__all__: list[str] = []

OPERATIONS = ("add", "sub", "avrg", "absdiff", "min", "max")
COMPARISONS = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
WORD = Int(32)


def _choose(low: Lowering, predicate: str, left: Operand, right: Operand, yes: Operand, no: Operand) -> Operand:
    """Return for each part one of two, by how two others compare."""
    return low.select(low.op("icmp", truth_of(left.type), left, right, predicate=predicate), yes, no)


def _compute(low: Lowering, name: str, left: Operand, right: Operand) -> Operand:
    """Return what an operation makes of the parts of two words, each of 32 bits with its sign."""
    ty = left.type
    match name:
        case "add" | "sub":
            return low.op(name, ty, left, right)
        case "avrg":  # halves go up, away from zero below it
            total = low.op("add", ty, left, right)
            up = _choose(low, "sge", total, Zero(ty), all_of(low, ty, 1), Zero(ty))
            return low.op("ashr", ty, low.op("add", ty, total, up), all_of(low, ty, 1))
        case "absdiff":
            down, up = low.op("sub", ty, left, right), low.op("sub", ty, right, left)
            return _choose(low, "sgt", left, right, down, up)
        case "min" | "max":
            return _choose(low, "slt" if name == "min" else "sgt", left, right, left, right)
    return _choose(low, COMPARISONS[name], left, right, all_of(low, ty, 1), Zero(ty))


def _parts(low: Lowering, word: Operand, count: int, signed: bool) -> Operand:
    """Return the parts of a word, each as 32 bits."""
    parts = low.op("bitcast", Vector(count, Int(32 // count)), word)
    return low.op("sext" if signed else "zext", Vector(count, WORD), parts)


@declares(*(f"v{name}{count}" for name in (*OPERATIONS, "set") for count in (2, 4)))
def video(low: Lowering) -> None:
    """Compute on all parts of two words; instructions that choose some of them are not known."""
    count, name = int(low.name[-1]), low.name[1:-1]
    kinds = [low.take_type("s32", "u32") for _ in range(2 if name == "set" else 3)]
    if name == "set":
        name, kinds = low.require(*COMPARISONS), ["u32", *kinds]
    sums = low.take("add")
    saturates = not sums and low.take("sat")
    low.expect_operands(4)
    to_signed, *signed = (kind[0] == "s" for kind in kinds)
    first, second = (
        _parts(low, low.read(place, WORD), count, sign) for place, sign in zip((1, 2), signed, strict=True)
    )
    result, words = _compute(low, name, first, second), Vector(count, WORD)
    if sums:
        total = low.value(f"llvm.vector.reduce.add.v{count}i32", WORD, result)
        low.write(0, low.op("add", WORD, total, low.read(3, WORD)))
        return
    if saturates:
        least, most = (all_of(low, words, edge & 0xFFFFFFFF) for edge in limits(32 // count, to_signed))
        result = _choose(low, "slt", result, least, least, result)
        result = _choose(low, "sgt", result, most, most, result)
    narrow = low.op("trunc", Vector(count, Int(32 // count)), result)
    low.write(0, low.op("bitcast", WORD, narrow))
