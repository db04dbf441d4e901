"""LLVM's own intrinsics that are called by their own names, where their types are not those of `intrinsics`."""

from harness.simt.compile.graph import Op
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.types import Float, Type, Vector, bits_of, element_of
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.ir_types import DESCRIPTOR, suffix, text
from harness.simt.native.emit.narrow_floats import narrowed, of_bits, wide, widened
from harness.simt.native.lower.arithmetic import check_bits
from harness.simt.native.lower.registry import forms, lowers
from harness.simt.native.sanitize.poison import check_floats

__all__: list[str] = []

NAN_CLASSES = 3  # bits of the mask: a signalling NaN, a quiet one


@lowers("frem")
def remainder(body: Body, op: Op) -> None:
    """Compute what a division leaves, in double precision, where it is exact for all floats."""
    kind = wide(op.type)
    values = [(operand.type, body.value(operand)) for operand in op.operands]
    operands = [widened(body, ty, name) for ty, name in values]
    if isinstance(kind, Vector):
        result = "poison"
        for place in range(kind.length):
            elements = (body.new(f"extractelement {text(kind)} {name}, i32 {place}") for name in operands)
            rest = _remainder(body, kind.element, *elements)
            result = body.new(f"insertelement {text(kind)} {result}, {text(kind.element)} {rest}, i32 {place}")
    else:
        result = _remainder(body, kind, *operands)
    check_floats(body, op, [*((kind, name) for name in operands), (kind, result)])
    body.define(op, narrowed(body, op.type, result))


def _remainder(body: Body, ty: Type, left: str, right: str) -> str:
    if ty == Float("double"):
        return body.new(f"frem double {left}, {right}")
    first, second = (body.new(f"fpext float {name} to double") for name in (left, right))
    return body.new(f"fptrunc double {body.new(f'frem double {first}, {second}')} to float")


@forms("saturate")
def saturate(body: Body, op: Op, _how: str) -> None:
    """Convert a float to an integer; one that does not fit is the nearest that does, a NaN is 0."""
    (operand,) = op.operands
    if element_of(op.type) == DESCRIPTOR:
        raise Declined(Reason.SATURATION, type=operand.type, other=op.type)
    kind = wide(operand.type)
    name = op.callee.removeprefix("@").split(".sat")[0]
    value = widened(body, operand.type, body.value(operand))
    body.define(op, body.call(text(op.type), f"{name}.sat.{suffix(op.type)}.{suffix(kind)}", (text(kind), value)))


@forms("order")
def order(body: Body, op: Op, how: str) -> None:
    """Compare integers: -1, 0 or 1."""
    kind = op.operands[0].type
    if bits_of(op.type) == 1:
        raise Declined(Reason.COMPARISON, type=op.type)
    values = ((text(kind), body.value(operand)) for operand in op.operands)
    body.define(op, body.call(text(op.type), f"llvm.{how}cmp.{suffix(op.type)}.{suffix(kind)}", *values))


@forms("overflow")
def overflow(body: Body, op: Op, _how: str) -> None:
    """Compute the low bits of a result, and whether it needed more."""
    kind = op.operands[0].type
    if bits_of(kind) == 1 or element_of(kind) == DESCRIPTOR:
        raise Declined(Reason.OVERFLOW, type=kind)
    both = f"{{{text(kind)}, {text(of_bits(kind, 1))}}}"
    values = ((text(kind), body.value(operand)) for operand in op.operands)
    name = op.callee.removeprefix("@").split(".with")[0]
    result = body.call(both, f"{name}.with.overflow.{suffix(kind)}", *values)
    body.define(op, *(body.new(f"extractvalue {both} {result}, {place}") for place in (0, 1)))


@forms("class")
def class_of(body: Body, op: Op, _how: str) -> None:
    """Test a float for the classes of a mask."""
    operand, mask = op.operands
    if not isinstance(mask, Const):
        raise Declined(Reason.INTRINSIC, name="llvm.is.fpclass")
    if mask.value & NAN_CLASSES in (1, 2):  # LLVM leaves open which NaN a computed one is
        check_bits(body, operand)
    kind = operand.type
    name = f"llvm.is.fpclass.{suffix(kind)}"
    body.define(op, body.call(text(op.type), name, (text(kind), body.value(operand)), ("i32", str(mask.value))))


@forms("mask")
def mask_pointer(body: Body, op: Op, _how: str) -> None:
    """Keep some bits of an address; those above the mask stay."""
    pointer, mask = op.operands
    if isinstance(op.type, Vector) or body.program.target.is_small(op.type):
        raise Declined(Reason.POINTERS, name="llvm.ptrmask")
    bits = bits_of(mask.type)
    name = body.value(mask)
    if bits < 64:
        name = body.new(f"or i64 {body.new(f'zext {text(mask.type)} {name} to i64')}, {-1 << bits}")
    body.define(op, body.new(f"and i64 {body.value(pointer)}, {name}"))


@forms("promise")
def promise(body: Body, op: Op, _how: str) -> None:
    """Return the first operand; the flags rule out what floats may be."""
    floats = [
        (operand.type, body.value(operand)) for operand in op.operands if isinstance(element_of(operand.type), Float)
    ]
    check_floats(body, op, floats)
    body.define(op, body.raw(op.operands[0]))
