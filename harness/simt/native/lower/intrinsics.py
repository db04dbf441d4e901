"""Lowering of `call`: geometry, LLVM's float and bit intrinsics, minimum and maximum; others go to `FORMS`."""

from harness.simt.compile.graph import Op
from harness.simt.compile.registry import Intrinsic
from harness.simt.compile.segments import intrinsic_of
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.types import Float, Int, bits_of, element_of, leaves, size_of
from harness.simt.native.analysis.block_invariance import geometry_scope
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_types import NARROW, suffix, text
from harness.simt.native.emit.ir_values import FALSE, TRUE, IrValue, constant, splat, zero
from harness.simt.native.emit.lane_values import BLOCK, LANE, ROW, WHO
from harness.simt.native.emit.narrow_floats import fused, narrowed, of_bits, wide, widened
from harness.simt.native.lower.arithmetic import check_bits
from harness.simt.native.lower.registry import FORMS, forms, lowers
from harness.simt.native.sanitize.poison import check_floats, check_forbidden
from harness.simt.ops.poison_rules import FORBIDDEN

__all__: list[str] = []

NARROWED = {  # also of 16 bits
    *("llvm.ceil", "llvm.copysign", "llvm.fabs", "llvm.floor", "llvm.rint", "llvm.sqrt", "llvm.trunc"),
}
SIGNS = ("llvm.copysign", "llvm.fabs")  # what changes nothing but the sign
QUIET = ("ignored", "wait", "exit", "fence")  # nothing is left that a fence would order


@lowers("call")
def call(body: Body, op: Op) -> None:
    intrinsic = intrinsic_of(op)
    if intrinsic is None:
        name = op.callee.removeprefix("@")
        raise Declined(Reason.CALL if name else Reason.INDIRECT_CALL, name=name)
    if intrinsic.kind in QUIET:
        return
    word, _, how = intrinsic.compiled.partition(".")
    if intrinsic.kind == "lanes" and not op.operands and not intrinsic.varies:
        _geometry(body, op, intrinsic)
    elif word == "llvm":
        _builtin(body, op, intrinsic.compiled)
    elif word:
        FORMS[word](body, op, how)
    else:
        raise Declined(Reason.INTRINSIC, name=intrinsic.name)


def _geometry(body: Body, op: Op, intrinsic: Intrinsic) -> None:
    """Emit the value of a geometry intrinsic, such as a thread's index in its block.

    In code for batches it is a constant or a parameter of the function if possible, otherwise a load from an array.

    Raises:
        Declined: Its result is a struct or array of several values.
    """
    build = Builder(body)
    (ty, _), *others = leaves(op.type)
    if others:
        raise Declined(Reason.INTRINSIC, name=intrinsic.name)
    slot, what = body.layout.reader(intrinsic.name, ty), geometry_scope(intrinsic.name)
    if body.shape is not None and (value := body.shape.geometry_value(intrinsic.name, what, slot, text(ty))):
        build.define(op, build.trunc(IrValue("i64", value), text(ty)) if what == "lane" else IrValue(text(ty), value))
        return
    index = {"lane": LANE, "block": BLOCK}.get(what, ROW)
    at = build.add(build.slot(slot), build.mul(index, build.slot(slot + 1)))
    name = build.load(build.inttoptr(at), "i8" if ty == Int(1) else text(ty), align=1, invariant=True)
    build.define(op, build.trunc(name, "i1") if ty == Int(1) else name)


def _builtin(body: Body, op: Op, name: str) -> None:
    """Emit a call of one of LLVM's intrinsics, which gives the same bits on the host, with its checks.

    The flag of `llvm.abs`, `llvm.ctlz` and `llvm.cttz` that rules an operand out becomes false; if it was true, a check
    fails for that operand. For `llvm.copysign` a check fails if the sign is that of a computed NaN.

    Raises:
        Declined: It is not supported on half or bfloat, or that flag is no constant.
    """
    build = Builder(body)
    if element_of(op.type) in NARROW and name == "llvm.fma":
        floats = [(operand.type, build.value(operand)) for operand in op.operands]
        result = fused(build, op.type, [value for _, value in floats])
        check_floats(build, op, [*floats, (op.type, result)])
        build.define(op, result)
        return
    if element_of(op.type) in NARROW and name not in NARROWED:
        raise Declined(Reason.OPERAND, opcode=name, type=op.type)
    kind = wide(op.type)
    if name in SIGNS and element_of(op.type) == Float("half"):  # widened, a signalling NaN would become a quiet one
        kind, values = op.type, [(operand.type, build.value(operand)) for operand in op.operands]
    else:
        values = [(wide(operand.type), widened(build, operand.type, build.value(operand))) for operand in op.operands]
    if name in FORBIDDEN:
        last = op.operands[-1]
        if len(op.operands) != 2 or not isinstance(last, Const):
            raise Declined(Reason.INTRINSIC, name=name)
        if last.value:
            check_forbidden(build, op, name, values[0][1])
        values[-1] = (last.type, FALSE)
    if name == "llvm.copysign":
        check_bits(body, op.operands[1])
    result = build.intrinsic(text(kind), f"{name}.{suffix(kind)}", *(value for _, value in values))
    if not bits_of(op.type):
        check_floats(build, op, [*values, (kind, result)])
    build.define(op, result if kind == op.type else narrowed(build, op.type, result))


@forms("extreme")
def _extreme(body: Body, op: Op, how: str) -> None:
    """Emit the lesser (`how` begins with `low`) or the greater of two floats; -0 is less than 0.

    If one operand is a NaN, the result is the other, or the NaN if `how` has a dot with something after it.

    Raises:
        Declined: The type is no float.
    """
    build = Builder(body)
    side, _, more = how.partition(".")
    ty, kind = op.type, wide(op.type)
    if not isinstance(element_of(ty), Float):
        raise Declined(Reason.EXTREME, type=ty)
    words = text(of_bits(kind, 8 * size_of(element_of(kind))))
    lhs, rhs = (widened(build, ty, build.value(operand)) for operand in op.operands)
    less = build.fcmp_ordered("<" if side == "low" else ">", lhs, rhs)
    ignored = lhs if more else rhs
    is_nan = build.fcmp_unordered("uno", ignored, ignored)
    first = build.or_(less, is_nan)
    equal = build.fcmp_ordered("==", lhs, rhs)
    bits = build.bitcast(lhs, words)
    negative = build.icmp_signed("<", bits, zero(words))
    mine = negative if side == "low" else build.xor(negative, splat(of_bits(kind, 1), "true"))
    pick = build.select(equal, mine, first)
    result = build.select(pick, lhs, rhs)
    check_floats(build, op, [(kind, lhs), (kind, rhs), (kind, result)])
    build.define(op, narrowed(build, ty, result))


@forms("below")
def _below(body: Body, op: Op, first: str) -> None:
    """Emit the second operand plus the number of ones of a mask at lanes below this one.

    Args:
        first: The number of the lane of the mask's lowest bit, in decimal; the mask has 32 bits.
    """
    build = Builder(body)
    mask, base = map(build.value, op.operands)
    lane = build.and_(WHO, body.program.target.warp - 1)
    count = build.intrinsic("i32", "llvm.usub.sat.i32", lane, IrValue("i32", first))
    wide = build.zext(build.intrinsic("i32", "llvm.umin.i32", count, constant("i32", 32)), "i64")
    ones = build.sub(build.shl(constant("i64", 1), wide), 1)
    bits = build.and_(build.zext(mask, "i64"), ones)
    total = build.trunc(build.intrinsic("i64", "llvm.ctpop.i64", bits), "i32")
    build.define(op, build.add(total, base))


@forms("assume")
def _assume(body: Body, op: Op, _how: str) -> None:
    build = Builder(body)
    build.fail_if(build.xor(build.value(op.operands[0]), TRUE))


@forms("where")
def _where(body: Body, op: Op, _how: str) -> None:
    """Emit the first operand, and a check that the second one, a condition, holds."""
    build = Builder(body)
    value, condition = map(build.value, op.operands)
    build.fail_if(build.xor(condition, TRUE))
    build.define(op, value)


@forms("never")
def _never(body: Body, _op: Op, _how: str) -> None:
    """Emit a check that always fails, so that only the interpreter runs what follows."""
    build = Builder(body)
    build.fail_if(TRUE)
