"""What the modifiers of NVIDIA's float instructions ask for: rounding, denormal numbers, limits."""

from harness.simt.compile.lowering import Lowering, NotKnown
from harness.simt.ir.assembly import Part
from harness.simt.ir.module import Const, Operand, Zero
from harness.simt.ir.ptx_types import FLOATS
from harness.simt.ir.types import Float, Int, Type, Vector, element_of

__all__ = ["LLVM", "Floats", "all_of", "flushed", "spelled", "truth_of"]

MODES = ("rn", "rz", "rm", "rp")
LLVM = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}
OPCODES = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}


def spelled(ty: Type) -> str:
    """How LLVM spells a type in the name of an intrinsic."""
    if isinstance(ty, Vector):
        return f"v{ty.length}{spelled(ty.element)}"
    return LLVM[ty.name] if isinstance(ty, Float) else str(ty)


def truth_of(ty: Type) -> Type:
    """Return the type of a comparison of values of a type."""
    return Vector(ty.length, Int(1)) if isinstance(ty, Vector) else Int(1)


def all_of(low: Lowering, ty: Type, bits: int) -> Operand:
    """Return a constant of a type, each element of a vector the same."""
    one = Const(element_of(ty), bits)
    return low.build_vector([one] * ty.length, ty) if isinstance(ty, Vector) else one


SMALLEST = {"half": 0x0400, "bfloat": 0x0080}  # numbers that are not denormal


def flushed(low: Lowering, value: Operand) -> Operand:
    """Return zero with the sign of a denormal number in its place; doubles stay as they are."""
    ty, kind = value.type, element_of(value.type)
    assert isinstance(kind, Float)
    if kind.name == "double":
        return value
    if kind.name not in SMALLEST:
        return low.value("asm:ftz", ty, value)
    zero = low.op("fmul", ty, value, Zero(ty))  # with the sign of the number
    size = low.value(f"llvm.fabs.{spelled(ty)}", ty, value)
    small = low.op("fcmp", truth_of(ty), size, all_of(low, ty, SMALLEST[kind.name]), predicate="olt")
    return low.select(small, zero, value)


class Floats:
    """What the modifiers of a float instruction ask for.

    Attributes:
        mode: Of rounding.
        flushes: Whether denormal numbers count as 0.
        saturates: Whether the result is cut off at 0 and 1.
    """

    def __init__(self, low: Lowering) -> None:
        self._low = low
        self.mode = low.take_one_of(*MODES) or "rn"
        self.flushes = low.take("ftz")
        self.saturates, self._positive = low.take("sat"), low.take("relu")

    def read(self, part: Part | int, kind: str) -> Operand:
        """An operand."""
        return self.flush(self._low.read(part, kind))

    def flush(self, value: Operand) -> Operand:
        """Without denormal numbers, if so asked: a conversion keeps those of halves."""
        if not self.flushes or (self._low.name == "cvt" and value.type != FLOATS["f32"]):
            return value
        return flushed(self._low, value)

    def limited(self, value: Operand) -> Operand:
        """A result, cut off where the modifiers say so: with `relu` a NaN stays one."""
        value = self.flush(value)
        if self._positive:
            above = self._low.op("fcmp", truth_of(value.type), value, Zero(value.type), predicate="ugt")
            value = self._low.select(above, value, Zero(value.type))
        if self.saturates:
            value = self._low.value("llvm.nvvm.saturate", value.type, value)
        return value

    def write(self, value: Operand) -> None:
        """Makes that the first operand."""
        self._low.write(0, self.limited(value))

    def rounded(self, name: str, ty: Type, *values: Operand) -> Operand:
        """One of the functions that can be rounded in a direction."""
        if self.mode == "rn" and name in OPCODES:
            return self._low.op(OPCODES[name], ty, *values)
        if self.mode == "rn" and name in ("fma", "sqrt"):
            return self._low.value(f"llvm.{name}.{spelled(ty)}", ty, *values)
        if ty not in (FLOATS["f32"], FLOATS["f64"]):
            raise NotKnown
        if name == "sub":
            name, values = "add", (values[0], self._low.op("fneg", ty, values[1]))
        end = "f" if ty == FLOATS["f32"] else "d"
        return self._low.value(f"llvm.nvvm.{name}.{self.mode}.{end}", ty, *values)
