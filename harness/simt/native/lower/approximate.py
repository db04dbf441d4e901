"""Functions that hardware approximates: the definitions that the interpreter computes too, as LLVM IR.

They are functions of doubles, see `ops.elementary`. A narrower result is rounded once, as NumPy rounds it.
"""

from functools import cache

from harness.simt.compile.graph import Op
from harness.simt.declined import Declined, Reason
from harness.simt.ir.types import Float, Type, Vector, element_of
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.ir_types import text
from harness.simt.native.emit.narrow_floats import narrowed, narrowed_once, widened
from harness.simt.native.lower.registry import forms
from harness.simt.native.sanitize.poison import check_floats
from harness.simt.ops.elementary import FUNCTIONS
from harness.simt.ops.terms import define_function

__all__: list[str] = []

FLOATS = {
    Float("half"): 2.0**-14,
    Float("bfloat"): 2.0**-126,
    Float("float"): 2.0**-126,
    Float("double"): 0.0,
}  # to the smallest number that is not flushed


@cache
def _definition(name: str) -> tuple[str, ...]:
    return tuple(define_function(f"approximate.{name}", FUNCTIONS[name]))


@forms("approximate")
def _approximate(body: Body, op: Op, how: str) -> None:
    """Write a call of a function by its name; `ftz.` before it if subnormal operands and results become zero."""
    element = element_of(op.type)
    if element not in FLOATS or any(operand.type != op.type for operand in op.operands):
        raise Declined(Reason.INTRINSIC, name=op.callee.removeprefix("@"))
    name, flushes = how.removeprefix("ftz."), how.startswith("ftz.")
    body.declared.update(_definition(name))
    operands = [body.value(operand) for operand in op.operands]
    if isinstance(op.type, Vector):
        vector, scalar = text(op.type), text(element)
        result = "poison"
        for number in range(op.type.length):
            parts = [body.new(f"extractelement {vector} {operand}, i32 {number}") for operand in operands]
            value = _apply(body, name, element, parts, flushes)
            result = body.new(f"insertelement {vector} {result}, {scalar} {value}, i32 {number}")
    else:
        result = _apply(body, name, element, operands, flushes)
    check_floats(body, op, [(op.type, value) for value in (*operands, result)])
    body.define(op, result)


def _apply(body: Body, name: str, ty: Type, operands: list[str], flushes: bool) -> str:
    values = [_as_double(body, ty, operand) for operand in operands]
    if flushes:
        values = [_flush(body, ty, value) for value in values]
    arguments = ", ".join(f"double {value}" for value in values)
    result = _rounded(body, ty, body.new(f"call double @approximate.{name}({arguments})"))
    if flushes and ty != Float("double"):
        result = _rounded(body, ty, _flush(body, ty, _as_double(body, ty, result)))
    return result


def _as_double(body: Body, ty: Type, name: str) -> str:
    return name if ty == Float("double") else body.new(f"fpext float {widened(body, ty, name)} to double")


def _rounded(body: Body, ty: Type, name: str) -> str:
    if ty == Float("double"):
        return name
    if ty == Float("half"):
        return narrowed_once(body, ty, name)
    return narrowed(body, ty, body.new(f"fptrunc double {name} to float"))


def _flush(body: Body, ty: Type, name: str) -> str:
    """Return a double, or zero of its sign if it is a subnormal number of a type."""
    size = body.call("double", "llvm.fabs.f64", ("double", name))
    zero = body.call("double", "llvm.copysign.f64", ("double", "0.0"), ("double", name))
    small = body.new(f"fcmp olt double {size}, {FLOATS[Float(str(ty))]!r}")
    return body.new(f"select i1 {small}, double {zero}, double {name}")
