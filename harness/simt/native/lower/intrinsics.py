"""Intrinsics that have a native form, by what their declaration names."""

from harness.simt.compile.graph import Op
from harness.simt.compile.registry import Intrinsic
from harness.simt.compile.segments import intrinsic_of
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.types import Float, Int, bits_of, element_of, leaves, size_of
from harness.simt.native.analysis.block_invariance import geometry_scope
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.ir_types import NARROW, every, suffix, text
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
    word, _, how = intrinsic.native.partition(".")
    if intrinsic.kind == "lanes" and not op.operands and not intrinsic.varies:
        _geometry(body, op, intrinsic)
    elif word == "llvm":
        _builtin(body, op, intrinsic.native)
    elif word:
        FORMS[word](body, op, how)
    else:
        raise Declined(Reason.INTRINSIC, name=intrinsic.name)


def _geometry(body: Body, op: Op, intrinsic: Intrinsic) -> None:
    (ty, _), *others = leaves(op.type)
    if others:
        raise Declined(Reason.INTRINSIC, name=intrinsic.name)
    slot, what = body.layout.reader(intrinsic.name, ty), geometry_scope(intrinsic.name)
    if body.shape is not None and (known := body.shape.told(intrinsic.name, what, slot, text(ty))):
        body.define(op, body.new(f"trunc i64 {known} to {text(ty)}") if what == "lane" else known)
        return
    index = {"lane": "%lane", "block": "%block"}.get(what, "%row")
    at = body.new(f"add i64 {body.slot(slot)}, {body.new(f'mul i64 {index}, {body.slot(slot + 1)}')}")
    pointer = body.new(f"inttoptr i64 {at} to ptr")
    kind = "i8" if ty == Int(1) else text(ty)
    name = body.new(f"load {kind}, ptr {pointer}, align 1, !invariant.load !0")
    body.define(op, body.new(f"trunc i8 {name} to i1") if ty == Int(1) else name)


def _builtin(body: Body, op: Op, name: str) -> None:
    """One of LLVM's own, which gives the same bits here."""
    if element_of(op.type) in NARROW and name == "llvm.fma":
        floats = [(operand.type, body.value(operand)) for operand in op.operands]
        result = fused(body, op.type, [value for _, value in floats])
        check_floats(body, op, [*floats, (op.type, result)])
        body.define(op, result)
        return
    if element_of(op.type) in NARROW and name not in NARROWED:
        raise Declined(Reason.OPERAND, opcode=name, type=op.type)
    kind = wide(op.type)
    if name in SIGNS and element_of(op.type) == Float("half"):  # widened, a signalling NaN would become a quiet one
        kind, values = op.type, [(operand.type, body.value(operand)) for operand in op.operands]
    else:
        values = [(wide(operand.type), widened(body, operand.type, body.value(operand))) for operand in op.operands]
    ty = text(kind)
    if name in FORBIDDEN:
        last = op.operands[-1]
        if len(op.operands) != 2 or not isinstance(last, Const):
            raise Declined(Reason.INTRINSIC, name=name)
        if last.value:
            check_forbidden(body, op, name, values[0][1])
        values[-1] = (last.type, "false")
    if name == "llvm.copysign":
        check_bits(body, op.operands[1])
    arguments = ((text(given), value) for given, value in values)
    result = body.call(ty, f"{name}.{suffix(kind)}", *arguments)
    if not bits_of(op.type):
        check_floats(body, op, [*values, (kind, result)])
    body.define(op, result if kind == op.type else narrowed(body, op.type, result))


@forms("extreme")
def _extreme(body: Body, op: Op, how: str) -> None:
    """Write the lesser or the greater number: -0 is less than 0, and a NaN is ignored, or given back with `nan`."""
    side, _, more = how.partition(".")
    ty, kind = op.type, wide(op.type)
    if not isinstance(element_of(ty), Float):
        raise Declined(Reason.EXTREME, type=ty)
    name, words, truth = text(kind), of_bits(kind, 8 * size_of(element_of(kind))), of_bits(kind, 1)
    left, right = (widened(body, ty, body.value(operand)) for operand in op.operands)
    less = body.new(f"fcmp {'olt' if side == 'low' else 'ogt'} {name} {left}, {right}")
    ignored = left if more else right
    gone = body.new(f"fcmp uno {name} {ignored}, {ignored}")
    first = body.new(f"or {truth} {less}, {gone}")
    equal = body.new(f"fcmp oeq {name} {left}, {right}")
    bits = body.new(f"bitcast {name} {left} to {words}")
    negative = body.new(f"icmp slt {words} {bits}, zeroinitializer")
    mine = negative if side == "low" else body.new(f"xor {truth} {negative}, {every(truth, 'true')}")
    pick = body.new(f"select {truth} {equal}, {truth} {mine}, {truth} {first}")
    result = body.new(f"select {truth} {pick}, {name} {left}, {name} {right}")
    check_floats(body, op, [(kind, left), (kind, right), (kind, result)])
    body.define(op, narrowed(body, ty, result))


@forms("below")
def _below(body: Body, op: Op, first: str) -> None:
    """Ones of a mask below the lane, among the 32 from a first one on."""
    mask, base = map(body.value, op.operands)
    lane = body.new(f"and i32 %who, {body.program.target.warp - 1}")
    count = body.call("i32", "llvm.usub.sat.i32", ("i32", lane), ("i32", first))
    wide = body.new(f"zext i32 {body.call('i32', 'llvm.umin.i32', ('i32', count), ('i32', '32'))} to i64")
    ones = body.new(f"sub i64 {body.new(f'shl i64 1, {wide}')}, 1")
    bits = body.new(f"and i64 {body.new(f'zext i32 {mask} to i64')}, {ones}")
    total = body.new(f"trunc i64 {body.call('i64', 'llvm.ctpop.i64', ('i64', bits))} to i32")
    body.define(op, body.new(f"add i32 {total}, {base}"))


@forms("assume")
def _assume(body: Body, op: Op, _how: str) -> None:
    body.unless(body.new(f"xor i1 {body.value(op.operands[0])}, true"))


@forms("where")
def _where(body: Body, op: Op, _how: str) -> None:
    """Write a value that is only defined where a condition holds."""
    value, condition = map(body.value, op.operands)
    body.unless(body.new(f"xor i1 {condition}, true"))
    body.define(op, value)


@forms("never")
def _never(body: Body, _op: Op, _how: str) -> None:
    """What is said of it says Python."""
    body.unless("true")
