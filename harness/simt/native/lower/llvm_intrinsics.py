"""Lowerings of `frem`, and of LLVM's intrinsics for saturation, order, overflow, float classes and pointer masks."""

from harness.simt.compile.graph import Op
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.types import Float, Type, Vector, bits_of, element_of
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_types import DESCRIPTOR, suffix, text
from harness.simt.native.emit.ir_values import IrValue, constant
from harness.simt.native.emit.narrow_floats import narrowed, of_bits, wide, widened
from harness.simt.native.lower.arithmetic import check_bits
from harness.simt.native.lower.registry import forms, lowers
from harness.simt.native.sanitize.poison import check_floats

__all__: list[str] = []

NAN_CLASSES = 3  # bits of the mask: a signalling NaN, a quiet one


@lowers("frem")
def remainder(body: Body, op: Op) -> None:
    """Emit the remainder of a division of floats, element by element, and checks of what fast-math flags rule out.

    It is computed in double precision, which is exact for all narrower floats.
    """
    build = Builder(body)
    kind = wide(op.type)
    values = [(operand.type, build.value(operand)) for operand in op.operands]
    operands = [widened(build, ty, name) for ty, name in values]
    if isinstance(kind, Vector):
        element = kind.element
        element_operands = ([build.extract_element(name, place) for name in operands] for place in range(kind.length))
        result = build.vector_of(text(kind), (_remainder(build, element, *pair) for pair in element_operands))
    else:
        result = _remainder(build, kind, *operands)
    check_floats(build, op, [*((kind, name) for name in operands), (kind, result)])
    build.define(op, narrowed(build, op.type, result))


def _remainder(build: Builder, ty: Type, lhs: IrValue, rhs: IrValue) -> IrValue:
    if ty == Float("double"):
        return build.frem(lhs, rhs)
    first, second = (build.fpext(name, "double") for name in (lhs, rhs))
    return build.fptrunc(build.frem(first, second), "float")


@forms("saturate")
def saturate(body: Body, op: Op, _how: str) -> None:
    """Emit a conversion of floats to integers, signed or unsigned as the callee's name says.

    A number that does not fit becomes the nearest that does, a NaN 0.

    Raises:
        Declined: The result has 128 bits.
    """
    build = Builder(body)
    (operand,) = op.operands
    if element_of(op.type) == DESCRIPTOR:
        raise Declined(Reason.SATURATION, type=operand.type, other=op.type)
    kind = wide(operand.type)
    name = op.callee.removeprefix("@").split(".sat")[0]
    value = widened(build, operand.type, build.value(operand))
    build.define(op, build.intrinsic(text(op.type), f"{name}.sat.{suffix(op.type)}.{suffix(kind)}", value))


@forms("order")
def order(body: Body, op: Op, how: str) -> None:
    """Emit a comparison of integers: -1, 0 or 1.

    Args:
        how: `s` or `u`: signed or unsigned.

    Raises:
        Declined: The result has one bit.
    """
    build = Builder(body)
    kind = op.operands[0].type
    if bits_of(op.type) == 1:
        raise Declined(Reason.COMPARISON, type=op.type)
    values = map(build.value, op.operands)
    build.define(op, build.intrinsic(text(op.type), f"llvm.{how}cmp.{suffix(op.type)}.{suffix(kind)}", *values))


@forms("overflow")
def overflow(body: Body, op: Op, _how: str) -> None:
    """Emit the integer operation that the callee's name says: the low bits of its result and, as an i1, its overflow.

    Raises:
        Declined: The operands have 1 bit or 128 bits.
    """
    build = Builder(body)
    kind = op.operands[0].type
    if bits_of(kind) == 1 or element_of(kind) == DESCRIPTOR:
        raise Declined(Reason.OVERFLOW, type=kind)
    types = text(kind), text(of_bits(kind, 1))
    name = op.callee.removeprefix("@").split(".with")[0]
    values = map(build.value, op.operands)
    both = build.intrinsic(f"{{{', '.join(types)}}}", f"{name}.with.overflow.{suffix(kind)}", *values)
    build.define(op, *(build.extract_value(both, place, ty) for place, ty in enumerate(types)))


@forms("class")
def class_of(body: Body, op: Op, _how: str) -> None:
    """Emit a test of a float for the classes of a constant mask.

    If the mask has exactly one of the two kinds of NaN, a check fails for any NaN that was computed.

    Raises:
        Declined: The mask is no constant.
    """
    build = Builder(body)
    operand, mask = op.operands
    if not isinstance(mask, Const):
        raise Declined(Reason.INTRINSIC, name="llvm.is.fpclass")
    if mask.value & NAN_CLASSES in (1, 2):  # LLVM leaves open which NaN a computed one is
        check_bits(body, operand)
    kind = operand.type
    name = f"llvm.is.fpclass.{suffix(kind)}"
    build.define(op, build.intrinsic(text(op.type), name, build.value(operand), constant("i32", mask.value)))


@forms("mask")
def mask_pointer(body: Body, op: Op, _how: str) -> None:
    """Emit an address with some bits cleared; bits above the mask's width stay.

    Raises:
        Declined: It is a vector of pointers or a 32-bit one.
    """
    build = Builder(body)
    pointer, mask = op.operands
    if isinstance(op.type, Vector) or body.program.target.is_small(op.type):
        raise Declined(Reason.POINTERS, name="llvm.ptrmask")
    bits = bits_of(mask.type)
    name = build.value(mask)
    if bits < 64:
        name = build.or_(build.zext(name, "i64"), -1 << bits)
    build.define(op, build.and_(build.value(pointer), name))


@forms("promise")
def promise(body: Body, op: Op, _how: str) -> None:
    """Define the result as the first operand; emits checks of what fast-math flags rule out of all float operands."""
    build = Builder(body)
    floats = [
        (operand.type, build.value(operand)) for operand in op.operands if isinstance(element_of(operand.type), Float)
    ]
    check_floats(build, op, floats)
    build.define(op, build.raw(op.operands[0]))
