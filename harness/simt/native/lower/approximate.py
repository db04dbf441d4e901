"""Functions that hardware approximates, as the reference has them: in double precision, rounded once to a float.

What two libraries make of a function differs in the last places of a double. No float shows that unless the double lies
that near to the middle between two of them: there nothing is proved.
"""

from harness.simt.compile.graph import Op
from harness.simt.declined import Declined, Reason
from harness.simt.ir.types import Float, Vector, element_of
from harness.simt.native.emit.body import Body
from harness.simt.native.lower.registry import forms
from harness.simt.native.sanitize.poison import check_floats

__all__ = ["NEAR"]


# Units in the last place of a double by which libraries may differ, with room: of 80,000 numbers glibc's and NumPy's
# differed by 3 at most, in `tanh`.
NEAR = 16
FLOAT = Float("float")
SMALLEST = "0x3810000000000000"  # float that is normal
TURN = "0x401921FB54442D18"  # 2 pi
TEN = "0x4024000000000000"


@forms("approximate")
def _approximate(body: Body, op: Op, how: str) -> None:
    """By its name in C; `ftz` before it, where subnormal operands and results are zero."""
    if element_of(op.type) != FLOAT or any(one.type != op.type for one in op.operands):
        raise Declined(Reason.INTRINSIC, name=op.callee.removeprefix("@"))
    name, flushes = how.removeprefix("ftz."), how.startswith("ftz.")
    given = [body.value(operand) for operand in op.operands]
    if isinstance(op.type, Vector):
        whole, count = f"<{op.type.length} x float>", op.type.length
        result = "poison"
        for number in range(count):
            parts = [body.new(f"extractelement {whole} {one}, i32 {number}") for one in given]
            result = body.new(f"insertelement {whole} {result}, float {_one(body, name, parts, flushes)}, i32 {number}")
    else:
        result = _one(body, name, given, flushes)
    check_floats(body, op, [(op.type, one) for one in (*given, result)])
    body.define(op, result)


def _one(body: Body, name: str, given: list[str], flushes: bool) -> str:
    given = [_flushed(body, one) for one in given] if flushes else given
    wide = [body.new(f"fpext float {one} to double") for one in given]
    result = body.new(f"fptrunc double {_double(body, name, wide)} to float")
    return _flushed(body, result) if flushes else result


def _flushed(body: Body, name: str) -> str:
    size = body.call("float", "llvm.fabs.f32", ("float", name))
    zero = body.call("float", "llvm.copysign.f32", ("float", "0.0"), ("float", name))
    return body.new(f"select i1 {body.new(f'fcmp olt float {size}, {SMALLEST}')}, float {zero}, float {name}")


def _double(body: Body, name: str, given: list[str]) -> str:
    """The function of doubles: exact but for its rounding, or a library's."""
    first = given[0]
    match name:
        case "sqrt":
            return body.call("double", "llvm.sqrt.f64", ("double", first))
        case "rsqrt":
            return body.new(f"fdiv double 1.0, {body.call('double', 'llvm.sqrt.f64', ('double', first))}")
        case "rcp":
            return body.new(f"fdiv double 1.0, {first}")
        case "div":
            return body.new(f"fdiv double {first}, {given[1]}")
        case "exp10":
            return _library(body, "pow", [TEN, first])
        case "sin_turns" | "cos_turns":
            return _library(body, name[:3], [body.new(f"fmul double {TURN}, {first}")])
    return _library(body, name, given)


def _library(body: Body, name: str, given: list[str]) -> str:
    """What the host's library makes of it, unless another's might be rounded to another float."""
    types = ", ".join("double" for _ in given)
    body.declared.add(f"declare double @{name}({types}) nounwind willreturn memory(none)")
    result = body.new(f"call double @{name}({', '.join(f'double {one}' for one in given)}) nobuiltin")
    bits = body.new(f"bitcast double {result} to i64")
    floats = []
    for way in ("sub", "add"):
        beside = body.new(f"bitcast i64 {body.new(f'{way} i64 {bits}, {NEAR}')} to double")
        floats.append(body.new(f"bitcast float {body.new(f'fptrunc double {beside} to float')} to i32"))
    size = body.call("double", "llvm.fabs.f64", ("double", result))
    finite = body.new(f"fcmp olt double {size}, 0x7FF0000000000000")
    number = body.new(f"and i1 {finite}, {body.new(f'fcmp one double {result}, 0.0')}")
    body.unless(body.new(f"and i1 {number}, {body.new(f'icmp ne i32 {floats[0]}, {floats[1]}')}"))
    return result
