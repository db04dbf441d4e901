"""Emit the rounding, flushing and saturation that modifiers of PTX float instructions ask for; also `splat`."""

from harness.simt.compile.lowering import Lowering, NotKnown
from harness.simt.ir.assembly import Part
from harness.simt.ir.module import Const, Operand, Zero
from harness.simt.ir.ptx_types import FLOATS
from harness.simt.ir.types import Float, Int, Type, Vector, element_of

__all__ = ["LLVM", "FloatModifiers", "comparison_type", "flush", "splat", "type_suffix"]

MODES = ("rn", "rz", "rm", "rp")
LLVM = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}
OPCODES = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}


def type_suffix(ty: Type) -> str:
    """Return how LLVM spells a type in an intrinsic's name, such as `v2f16`."""
    if isinstance(ty, Vector):
        return f"v{ty.length}{type_suffix(ty.element)}"
    return LLVM[ty.name] if isinstance(ty, Float) else str(ty)


def comparison_type(ty: Type) -> Type:
    """Return the type of a comparison of values of a type: `i1`, or a vector of them."""
    return Vector(ty.length, Int(1)) if isinstance(ty, Vector) else Int(1)


def splat(low: Lowering, ty: Type, bits: int) -> Operand:
    """Return a constant with the given bits; for a vector, emit code that repeats it in each element."""
    element = Const(element_of(ty), bits)
    return low.build_vector([element] * ty.length, ty) if isinstance(ty, Vector) else element


SMALLEST = {"half": 0x0400, "bfloat": 0x0080}  # the least normal number, as bits


def flush(low: Lowering, value: Operand) -> Operand:
    """Emit code that replaces subnormal numbers by zeros of the same sign; doubles are returned unchanged."""
    ty, kind = value.type, element_of(value.type)
    assert isinstance(kind, Float)
    if kind.name == "double":
        return value
    if kind.name not in SMALLEST:
        return low.value("asm:ftz", ty, value)
    zero = low.op("fmul", ty, value, Zero(ty))  # with the sign of the number
    size = low.value(f"llvm.fabs.{type_suffix(ty)}", ty, value)
    small = low.op("fcmp", comparison_type(ty), size, splat(low, ty, SMALLEST[kind.name]), predicate="olt")
    return low.select(small, zero, value)


class FloatModifiers:
    """The modifiers of a float instruction; creating one takes them from the statement.

    Attributes:
        mode: The rounding mode.
        flushes: Whether subnormal numbers are flushed to zero.
        saturates: Whether the result is clamped to [0, 1].
    """

    def __init__(self, low: Lowering) -> None:
        self._low = low
        self.mode = low.take_one_of(*MODES) or "rn"
        self.flushes = low.take("ftz")
        self.saturates, self._positive = low.take("sat"), low.take("relu")

    def read(self, part: Part | int, kind: str) -> Operand:
        """Return an operand, flushed if the modifiers ask for it."""
        return self.flush_if_asked(self._low.read(part, kind))

    def flush_if_asked(self, value: Operand) -> Operand:
        """Return a value, flushed (see `flush`) if the modifiers ask for it; conversions flush only float32."""
        if not self.flushes or (self._low.name == "cvt" and value.type != FLOATS["f32"]):
            return value
        return flush(self._low, value)

    def limit(self, value: Operand) -> Operand:
        """Return a result flushed, cut off below 0 (`relu`) or clamped to [0, 1] (`sat`), as the modifiers ask.

        A NaN stays a NaN under `relu`, and becomes 0 under `sat`.
        """
        value = self.flush_if_asked(value)
        if self._positive:
            above = self._low.op("fcmp", comparison_type(value.type), value, Zero(value.type), predicate="ugt")
            value = self._low.select(above, value, Zero(value.type))
        if self.saturates:
            value = self._low.value("llvm.nvvm.saturate", value.type, value)
        return value

    def write(self, value: Operand) -> None:
        """Write a result to the first operand, limited as the modifiers ask."""
        self._low.write(0, self.limit(value))

    def round(self, name: str, ty: Type, *values: Operand) -> Operand:
        """Return the result of an operation, such as `add` or `fma`, in the rounding mode.

        Raises `NotKnown` if the type has no such mode; only `f32` and `f64` have others than the nearest.
        """
        if self.mode == "rn" and name in OPCODES:
            return self._low.op(OPCODES[name], ty, *values)
        if self.mode == "rn" and name in ("fma", "sqrt"):
            return self._low.value(f"llvm.{name}.{type_suffix(ty)}", ty, *values)
        if ty not in (FLOATS["f32"], FLOATS["f64"]):
            raise NotKnown
        if name == "sub":
            name, values = "add", (values[0], self._low.op("fneg", ty, values[1]))
        end = "f" if ty == FLOATS["f32"] else "d"
        return self._low.value(f"llvm.nvvm.{name}.{self.mode}.{end}", ty, *values)
