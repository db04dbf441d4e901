"""Lowerings of recursive calls and calls by pointer: frames, targets, saved values, local variables; depth checks.

Each lane has a stack of frames, up to the default call depth; the interpreter runs deeper calls. A frame has the
number of its call and the values needed after it. A local variable has an allocation for each depth, see
`harness.simt.run.setup`.
`harness.simt.compile.calls` explains the instructions.
"""

import math

from harness.simt.compile.graph import Op
from harness.simt.compile.program import Program
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.types import Int, leaves
from harness.simt.ir.values import SHIFT, base_of
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.context import ALLOCATION_FACTS, Context
from harness.simt.native.emit.ir_types import bytes_of, stored
from harness.simt.native.emit.ir_values import FALSE, IrValue, constant
from harness.simt.native.emit.lane_values import LANE, TABLE
from harness.simt.native.lower.registry import lowers
from harness.simt.observe import RunningLaunch
from harness.simt.options import Options

__all__ = ["begin_frames", "check_calls", "check_launch"]

DEPTH = Options().call_depth  # of frames; launches with another are Python's
NUMBER = 4  # bytes of a call's number, with which each frame begins
LARGEST = 1 << 8  # bytes of one


def check_calls(program: Program) -> None:
    """Check that calls by pointer do not stand beside exchanges without a wait.

    Raises:
        Declined: They do.
    """
    if program.graph.calls and any(intrinsic.exchanges and intrinsic.waits is None for intrinsic in program.called):
        raise Declined(Reason.EXCHANGE_BESIDE_CALLS)


def check_launch(engine: RunningLaunch, layout: Context, options: Options) -> None:
    """Check that a launch of a kernel with calls has the call depth that the code is made for, and memory for frames.

    Raises:
        Declined: It has not.
    """
    if engine.program.graph.calls:
        if options.call_depth != DEPTH:
            raise Declined(Reason.CALL_DEPTH, depth=options.call_depth)
        if layout.kept * math.prod(engine.block) > options.max_bytes:
            raise Declined(Reason.MEMORY)


def begin_frames(body: Body, segment: int) -> None:
    """Emit that a lane has no frames, where the kernel begins (segment 0); nothing elsewhere, or without calls."""
    if body.program.graph.calls and segment == 0:
        build = Builder(body)
        build.store(constant("i8", 0), build.lane_bytes("depth"))


def _depth(body: Body) -> IrValue:
    """Emit the number of frames that the lane has, an i8."""
    build = Builder(body)
    return build.load(build.lane_bytes("depth"), "i8")


def _leaf_sizes(body: Body) -> dict[int, list[int]]:
    """Return the bytes of each leaf that a frame keeps, in order, by the number of the call."""
    sizes = {}
    for op in (op for segment in body.program.segments for op in segment.ops if op.opcode == "call.enter"):
        number, *values = op.operands
        assert isinstance(number, Const)
        sizes[number.value] = [bytes_of(ty) for value in values for ty, _ in leaves(value.type)]
    return sizes


def _frame(body: Body, depth: IrValue) -> IrValue:
    """Emit the host address, a `ptr`, of the lane's frame at a depth; all frames have the size of the largest.

    Args:
        depth: An i8; 0 for the lane's first frame.

    Raises:
        Declined: A frame takes more than 256 bytes.
    """
    build = Builder(body)
    size = NUMBER + max(map(sum, _leaf_sizes(body).values()))
    if size > LARGEST:
        raise Declined(Reason.FRAMES, bytes=size, limit=LARGEST)
    offset = build.mul(build.zext(depth, "i64"), size)
    return build.gep(build.lane_bytes("frames", DEPTH * size), offset, "i8")


@lowers("call.target")
def target(body: Body, op: Op) -> None:
    """Emit which function the first operand, a pointer, names: its index, an i32, among the other operands.

    A check fails if the pointer names none of them.
    """
    build = Builder(body)
    pointer, *functions = op.operands
    value, index = build.value(pointer), constant("i32", -1)
    for number, address in enumerate(functions):
        assert isinstance(address, Const)
        index = build.select(build.icmp_unsigned("==", value, address.value), constant("i32", number), index)
    build.fail_if(build.icmp_signed("<", index, 0))
    build.define(op, index)


@lowers("call.enter")
def enter(body: Body, op: Op) -> None:
    """Emit that a frame begins, with a call's number and the values that are needed after it.

    A check fails if the lane has as many frames as the default call depth allows.

    Raises:
        Declined: A part of a value is undefined, or the frame takes more than 256 bytes.
    """
    build = Builder(body)
    number, *values = op.operands
    assert isinstance(number, Const)
    place, depth = build.lane_bytes("depth"), _depth(body)
    build.fail_if(build.icmp_unsigned(">=", depth, DEPTH))
    frame, offset = _frame(body, depth), NUMBER
    build.store(constant("i32", number.value), frame, align=1)
    for value in values:
        for name, (ty, _) in zip(build.all(value), leaves(value.type), strict=True):
            name = build.zext(name, "i8") if ty == Int(1) else name
            at = build.gep(frame, offset, "i8")
            build.store(name, at, align=1)
            offset += bytes_of(ty)
    build.store(build.add(depth, 1), place)


@lowers("call.leave")
def leave(body: Body, op: Op) -> None:
    """Emit that the lane's last frame ends; the result is the number of its call, an i32."""
    build = Builder(body)
    depth = build.sub(_depth(body), 1)
    build.store(depth, build.lane_bytes("depth"))
    build.define(op, build.load(_frame(body, depth), "i32", align=1))


@lowers("call.saved")
def saved(body: Body, op: Op) -> None:
    """Emit loads of a value that the frame which has just ended kept.

    Its operands are the number of the call, and of the value's first leaf in the frame.
    """
    build = Builder(body)
    call, first = op.operands
    assert isinstance(call, Const) and isinstance(first, Const)
    frame, sizes, names = _frame(body, _depth(body)), _leaf_sizes(body)[call.value], []
    for leaf, (ty, _) in enumerate(leaves(op.type), first.value):
        at = build.gep(frame, NUMBER + sum(sizes[:leaf]), "i8")
        name = build.load(at, stored(ty), align=1)
        names.append(build.trunc(name, "i1") if ty == Int(1) else name)
    build.define(op, *names)


@lowers("call.local")
def local(body: Body, op: Op) -> None:
    """Emit the address of a local variable of the lane's current frame, and mark its bytes as not written.

    The operand is the variable's number. Each depth has an allocation of its own.
    """
    build = Builder(body)
    (first,) = op.operands
    assert isinstance(first, Const)
    of_frames = [number for number, variable in sorted(body.variables.items()) if variable.rows == "frame"]
    # Those of deeper frames stand behind all variables.
    behind = 1 + len(body.variables) + of_frames.index(first.value) * (DEPTH - 1)
    depth = build.zext(_depth(body), "i64")
    deeper = build.add(depth, behind - 2)
    number = build.select(build.icmp_unsigned("==", depth, 1), constant("i64", first.value), deeper)
    row = build.gep(TABLE, number, f"[{len(ALLOCATION_FACTS)} x i64]")
    size, written = (build.load(build.gep(row, ALLOCATION_FACTS[name]), "i64") for name in ("stride", "written"))
    at = build.add(written, build.mul(LANE, size))
    build.call("void", "llvm.memset.p0.i64", build.inttoptr(at), constant("i8", 0), size, FALSE)
    build.define(op, build.add(build.shl(number, SHIFT), base_of(0)))
