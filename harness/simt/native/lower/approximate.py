"""Lowering of `exp`, `sin`, division and the like: the interpreter's definitions as LLVM functions, rounded once.

They are functions of doubles, see `ops.elementary`. A narrower result is rounded once, as NumPy rounds it.
"""

from functools import cache

from harness.simt.compile.graph import Op
from harness.simt.declined import Declined, Reason
from harness.simt.ir.types import Float, Type, Vector, element_of
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_types import text
from harness.simt.native.emit.ir_values import IrValue
from harness.simt.native.emit.narrow_floats import narrowed, narrowed_once, widened
from harness.simt.native.lower.registry import forms
from harness.simt.native.sanitize.poison import check_floats
from harness.simt.ops.elementary import FUNCTIONS
from harness.simt.ops.terms import define_function

__all__: list[str] = []

# By type, the smallest number that is not flushed.
FLOATS = {Float("half"): 2.0**-14, Float("bfloat"): 2.0**-126, Float("float"): 2.0**-126, Float("double"): 0.0}


@cache
def _definition(name: str) -> tuple[str, ...]:
    return tuple(define_function(f"approximate.{name}", FUNCTIONS[name]))


@forms("approximate")
def _approximate(body: Body, op: Op, how: str) -> None:
    """Emit calls of an elementary function, one for each element, and checks of what fast-math flags rule out.

    Args:
        how: The function's name; `ftz.` before it if subnormal operands and results become zero.

    Raises:
        Declined: The type is no float, or operands and result differ in type.
    """
    build = Builder(body)
    element = element_of(op.type)
    if element not in FLOATS or any(operand.type != op.type for operand in op.operands):
        raise Declined(Reason.INTRINSIC, name=op.callee.removeprefix("@"))
    name, flushes = how.removeprefix("ftz."), how.startswith("ftz.")
    body.declared.update(_definition(name))
    operands = [build.value(operand) for operand in op.operands]
    if isinstance(op.type, Vector):
        element_operands = (
            [build.extract_element(operand, number) for operand in operands] for number in range(op.type.length)
        )
        values = (_apply(build, name, element, part, flushes) for part in element_operands)
        result = build.vector_of(text(op.type), values)
    else:
        result = _apply(build, name, element, operands, flushes)
    check_floats(build, op, [(op.type, value) for value in (*operands, result)])
    build.define(op, result)


def _apply(build: Builder, name: str, ty: Type, operands: list[IrValue], flushes: bool) -> IrValue:
    """Emit a call of an elementary function for scalars of a type, and round its result to that type.

    With `flushes`, subnormal operands and results become 0, except of doubles.
    """
    values = [_as_double(build, ty, operand) for operand in operands]
    if flushes:
        values = [_flush(build, ty, value) for value in values]
    result = _rounded(build, ty, build.call("double", f"approximate.{name}", *values))
    if flushes and ty != Float("double"):
        result = _rounded(build, ty, _flush(build, ty, _as_double(build, ty, result)))
    return result


def _as_double(build: Builder, ty: Type, value: IrValue) -> IrValue:
    return value if ty == Float("double") else build.fpext(widened(build, ty, value), "double")


def _rounded(build: Builder, ty: Type, value: IrValue) -> IrValue:
    """Return a double rounded to a type: once to half or float, twice to bfloat (first to float), never to double."""
    if ty == Float("double"):
        return value
    if ty == Float("half"):
        return narrowed_once(build, ty, value)
    return narrowed(build, ty, build.fptrunc(value, "float"))


def _flush(build: Builder, ty: Type, name: IrValue) -> IrValue:
    """Return a double, or zero of its sign if its magnitude is below the normal numbers of a type other than double."""
    size = build.intrinsic("double", "llvm.fabs.f64", name)
    zero = build.intrinsic("double", "llvm.copysign.f64", IrValue("double", "0.0"), name)
    small = build.fcmp_ordered("<", size, IrValue("double", repr(FLOATS[Float(str(ty))])))
    return build.select(small, zero, name)
