"""Intrinsics that have a native form, by what their declaration names."""

from harness.simt.compile.graph import Op, Ref
from harness.simt.compile.registry import Intrinsic
from harness.simt.compile.segments import intrinsic_of
from harness.simt.ir.module import Const
from harness.simt.ir.types import Int, bits_of, leaves
from harness.simt.native.arithmetic import lowers, promised
from harness.simt.native.body import Body
from harness.simt.native.declined import Declined
from harness.simt.native.memory import begin
from harness.simt.native.text import suffix, text

__all__: list[str] = []

LAST = {"llvm.abs", "llvm.ctlz", "llvm.cttz"}  # their last operand rules a value out
QUIET = ("ignored", "wait", "ending", "fence")  # nothing is left that a fence would order


@lowers("call")
def call(body: Body, op: Op) -> None:
    intrinsic = intrinsic_of(op)
    if intrinsic is None:
        raise Declined(f"a call of {op.callee.removeprefix('@') or 'what a pointer names'}")
    if intrinsic.kind in QUIET:
        return
    if intrinsic.kind == "lanes" and not op.operands and not intrinsic.varies:
        _geometry(body, op, intrinsic)
    elif intrinsic.native.startswith("shuffle."):
        _shuffle(body, op, intrinsic.native.removeprefix("shuffle."))
    elif intrinsic.native in ("extreme.low", "extreme.high"):
        _extreme(body, op, intrinsic.native == "extreme.low")
    elif intrinsic.native == "assume":
        body.unless(body.new(f"xor i1 {body.value(op.operands[0])}, true"))
    elif intrinsic.native == "begin":
        begin(body, op)
    elif intrinsic.native:
        _builtin(body, op, intrinsic.native)
    else:
        raise Declined(intrinsic.name)


def _geometry(body: Body, op: Op, intrinsic: Intrinsic) -> None:
    (ty, _), *others = leaves(op.type)
    if others:
        raise Declined(intrinsic.name)
    slot = body.layout.reader(intrinsic.name, ty)
    at = body.new(f"add i64 {body.slot(slot)}, {body.new(f'mul i64 %row, {body.slot(slot + 1)}')}")
    pointer = body.new(f"inttoptr i64 {at} to ptr")
    kind = "i8" if ty == Int(1) else text(ty)
    name = body.new(f"load {kind}, ptr {pointer}, align 1, !invariant.load !0")
    body.define(op, body.new(f"trunc i8 {name} to i1") if ty == Int(1) else name)


def _builtin(body: Body, op: Op, name: str) -> None:
    """One of LLVM's own, which gives the same bits here."""
    values = [(operand.type, body.value(operand)) for operand in op.operands]
    ty = text(op.type)
    if name in LAST:
        last = op.operands[-1]
        if len(op.operands) != 2 or not isinstance(last, Const):
            raise Declined(name)
        if last.value:
            bad = -(1 << bits_of(op.type) - 1) if name == "llvm.abs" else 0
            body.never(op.type, body.new(f"icmp eq {ty} {values[0][1]}, {_filled(op, bad)}"))
        values[-1] = (last.type, "false")
    arguments = ((text(kind), value) for kind, value in values)
    result = body.call(ty, f"{name}.{suffix(op.type)}", *arguments)
    if not bits_of(op.type):
        promised(body, op, [*values, (op.type, result)])
    body.define(op, result)


def _filled(op: Op, value: int) -> str:
    if text(op.type).startswith("<"):
        raise Declined("a promise of a vector")
    return str(value)


def _extreme(body: Body, op: Op, low: bool) -> None:
    """The lesser or the greater number; a NaN is ignored, and -0 is less than 0."""
    ty = op.type
    if text(ty) not in ("float", "double"):
        raise Declined(f"an extreme of {ty}")
    kind, bits = text(ty), "i32" if text(ty) == "float" else "i64"
    left, right = map(body.value, op.operands)
    less = body.new(f"fcmp {'olt' if low else 'ogt'} {kind} {left}, {right}")
    gone = body.new(f"fcmp uno {kind} {right}, {right}")
    first = body.new(f"or i1 {less}, {gone}")
    none = body.new(f"fcmp oeq {kind} {left}, {right}")
    negative = body.new(f"icmp slt {bits} {body.new(f'bitcast {kind} {left} to {bits}')}, 0")
    mine = negative if low else body.new(f"xor i1 {negative}, true")
    pick = body.new(f"select i1 {none}, i1 {mine}, i1 {first}")
    result = body.new(f"select i1 {pick}, {kind} {left}, {kind} {right}")
    promised(body, op, [(ty, left), (ty, right), (ty, result)])
    body.define(op, result)


def _shuffle(body: Body, op: Op, mode: str) -> None:
    """What another lane of the warp brought to the wait; all of it have come."""
    mask, given, operand, control = op.operands
    if not isinstance(mask, Const) or mask.value & 0xFFFFFFFF != 0xFFFFFFFF:
        raise Declined("an exchange of a part of a warp")
    new = body.new
    lane = new("and i32 %who, 31")
    step, bounds = new(f"and i32 {body.value(operand)}, 31"), body.value(control)
    clamp = new(f"and i32 {bounds}, 31")
    segment = new(f"and i32 {new(f'lshr i32 {bounds}, 8')}, 31")
    outside = new(f"xor i32 {segment}, -1")
    base = new(f"and i32 {lane}, {segment}")
    last = new(f"or i32 {base}, {new(f'and i32 {clamp}, {outside}')}")
    if mode == "idx":
        source = new(f"or i32 {base}, {new(f'and i32 {step}, {outside}')}")
    else:
        source = new(f"{ {'up': 'sub', 'down': 'add', 'bfly': 'xor'}[mode] } i32 {lane}, {step}")
    valid = new(f"icmp {'sge' if mode == 'up' else 'sle'} i32 {source}, {last}")
    source = new(f"select i1 {valid}, i32 {source}, i32 {lane}")
    body.unless(new(f"icmp ugt i32 {source}, 31"))
    row = new(f"or i32 {new('and i32 %who, -32')}, {source}")
    result = body.value(given)
    if isinstance(given, Ref) and given.number not in dict(body.program.params):
        result = body.load_kept(given.number, 0, new(f"zext i32 {row} to i64"), "%snapshot")
    body.define(op, *((result, valid) if len(leaves(op.type)) > 1 else (result,)))
