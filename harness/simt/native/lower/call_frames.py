"""Calls of functions that stand once: each lane keeps its own frames, up to a few, across waits too.

A frame has the number of its call and what is needed after it; deeper calls are Python's. Of a local variable there
is an allocation for each depth, see `harness.simt.run.setup`. `harness.simt.compile.calls` explains the instructions.
"""

import math

from harness.simt.compile.graph import Op
from harness.simt.compile.program import Program
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.types import Int, leaves
from harness.simt.ir.values import SHIFT, base_of
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.context import ALLOCATION_FACTS, Context
from harness.simt.native.emit.ir_types import bytes_of, stored
from harness.simt.native.lower.registry import lowers
from harness.simt.observe import RunningLaunch
from harness.simt.options import Options

__all__ = ["begin_frames", "check_calls", "check_launch"]

DEPTH = Options().call_depth  # of frames; launches with another are Python's
NUMBER = 4  # bytes of a call's number, with which each frame begins
LARGEST = 1 << 8  # bytes of one


def check_calls(program: Program) -> None:
    """Whether its calls have a form.

    Raises:
        Declined: They have none.
    """
    if program.graph.calls and any(one.exchanges and one.waits is None for one in program.called):
        raise Declined(Reason.EXCHANGE_BESIDE_CALLS)


def check_launch(engine: RunningLaunch, layout: Context, options: Options) -> None:
    """Whether a launch may have its frames.

    Raises:
        Declined: It may not, or has others.
    """
    if engine.program.graph.calls:
        if options.call_depth != DEPTH:
            raise Declined(Reason.CALL_DEPTH, depth=options.call_depth)
        if layout.kept * math.prod(engine.block) > options.max_bytes:
            raise Declined(Reason.MEMORY)


def begin_frames(body: Body, piece: int) -> None:
    """A lane begins outside of all calls."""
    if body.program.graph.calls and piece == 0:
        body.line(f"store i8 0, ptr {body.own_place('depth')}")


def _depth(body: Body) -> str:
    """How many frames the lane has, an i8."""
    return body.new(f"load i8, ptr {body.own_place('depth')}")


def _kept(body: Body) -> dict[int, list[int]]:
    """The bytes of each leaf that a frame keeps, by the numbers of the calls."""
    found = {}
    for op in (op for one in body.program.segments for op in one.ops if op.opcode == "call.enter"):
        number, *kept = op.operands
        assert isinstance(number, Const)
        found[number.value] = [bytes_of(ty) for value in kept for ty, _ in leaves(value.type)]
    return found


def _frame(body: Body, depth: str) -> str:
    """A frame of the lane, as a `ptr`."""
    size = NUMBER + max(map(sum, _kept(body).values()))
    if size > LARGEST:
        raise Declined(Reason.FRAMES, bytes=size, limit=LARGEST)
    offset = body.new(f"mul i64 {body.new(f'zext i8 {depth} to i64')}, {size}")
    return body.new(f"getelementptr i8, ptr {body.own_place('frames', DEPTH * size)}, i64 {offset}")


@lowers("call.target")
def target(body: Body, op: Op) -> None:
    """Which of some functions a pointer names, from 0."""
    pointer, *functions = op.operands
    value, found = body.value(pointer), "-1"
    for number, address in enumerate(functions):
        assert isinstance(address, Const)
        found = body.new(f"select i1 {body.new(f'icmp eq i64 {value}, {address.value}')}, i32 {number}, i32 {found}")
    body.unless(body.new(f"icmp slt i32 {found}, 0"))
    body.define(op, found)


@lowers("call.enter")
def enter(body: Body, op: Op) -> None:
    """A frame begins."""
    number, *kept = op.operands
    assert isinstance(number, Const)
    place, depth = body.own_place("depth"), _depth(body)
    body.unless(body.new(f"icmp uge i8 {depth}, {DEPTH}"))
    frame, offset = _frame(body, depth), NUMBER
    body.line(f"store i32 {number.value}, ptr {frame}, align 1")
    for value in kept:
        for name, (ty, _) in zip(body.all(value), leaves(value.type), strict=True):
            name = body.new(f"zext i1 {name} to i8") if ty == Int(1) else name
            at = body.new(f"getelementptr i8, ptr {frame}, i64 {offset}")
            body.line(f"store {stored(ty)} {name}, ptr {at}, align 1")
            offset += bytes_of(ty)
    body.line(f"store i8 {body.new(f'add i8 {depth}, 1')}, ptr {place}")


@lowers("call.leave")
def leave(body: Body, op: Op) -> None:
    """It ends; its number is that of its call."""
    depth = body.new(f"sub i8 {_depth(body)}, 1")
    body.line(f"store i8 {depth}, ptr {body.own_place('depth')}")
    body.define(op, body.new(f"load i32, ptr {_frame(body, depth)}, align 1"))


@lowers("call.saved")
def saved(body: Body, op: Op) -> None:
    """A value of the frame that has just ended."""
    call, first = op.operands
    assert isinstance(call, Const) and isinstance(first, Const)
    frame, sizes, names = _frame(body, _depth(body)), _kept(body)[call.value], []
    for leaf, (ty, _) in enumerate(leaves(op.type), first.value):
        at = body.new(f"getelementptr i8, ptr {frame}, i64 {NUMBER + sum(sizes[:leaf])}")
        name = body.new(f"load {stored(ty)}, ptr {at}, align 1")
        names.append(body.new(f"trunc i8 {name} to i1") if ty == Int(1) else name)
    body.define(op, *names)


@lowers("call.local")
def local(body: Body, op: Op) -> None:
    """The address of a local variable of the lane's own frame, of which nothing is written yet."""
    (first,) = op.operands
    assert isinstance(first, Const)
    of_frames = [number for number, variable in sorted(body.variables.items()) if variable.rows == "frame"]
    # Those of deeper frames stand behind all variables.
    behind = 1 + len(body.variables) + of_frames.index(first.value) * (DEPTH - 1)
    new = body.new
    depth = new(f"zext i8 {_depth(body)} to i64")
    deeper = new(f"add i64 {depth}, {behind - 2}")
    number = new(f"select i1 {new(f'icmp eq i64 {depth}, 1')}, i64 {first.value}, i64 {deeper}")
    row = new(f"getelementptr [{len(ALLOCATION_FACTS)} x i64], ptr %table, i64 {number}")
    size, written = (
        new(f"load i64, ptr {new(f'getelementptr i64, ptr {row}, i64 {ALLOCATION_FACTS[name]}')}")
        for name in ("stride", "written")
    )
    at = new(f"add i64 {written}, {new(f'mul i64 %lane, {size}')}")
    body.line(f"call void @llvm.memset.p0.i64(ptr {body.pointer(at)}, i8 0, i64 {size}, i1 false)")
    body.define(op, new(f"add i64 {new(f'shl i64 {number}, {SHIFT}')}, {base_of(0)}"))
