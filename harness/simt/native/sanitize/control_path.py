"""Emit a hash of a lane's branches; compare it with the warp or the block before; note stores that others see."""

from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_values import IrValue, constant
from harness.simt.native.emit.lane_values import AGAIN, CONTEXT, FROM, LANE, TO

__all__ = [
    "PATH",
    "STEP",
    "WAYS",
    "begin_paths",
    "check_same_path",
    "compare_with_previous_block",
    "note_visible_store",
    "take_turn",
]

STEP = 6364136223846793005  # odd
PATH, WAYS = IrValue("ptr", "%path"), IrValue("ptr", "%ways")  # through loops, and through what blocks may do otherwise


def take_turn(body: Body, path: IrValue, turn: int) -> None:
    """Emit that a lane takes a branch: its control path, a hash at `path`, changes by the number `turn`."""
    build = Builder(body)
    build.store(build.add(build.mul(build.load(path, "i64"), STEP), turn), path)


def check_same_path(body: Body) -> None:
    """Emit a check that lanes that exchange values without a wait took the same control path through loops.

    Each lane of a warp but the first is compared with the one before it, whose path is in the slot `path`; the path
    of the lane then replaces it there.
    """
    build = Builder(body)
    place = build.slot_at("path")
    path, firsts = build.load(PATH, "i64"), build.load(place, "i64")
    later = build.icmp_unsigned("!=", build.and_(LANE, body.program.target.warp - 1), 0)
    build.fail_if(build.and_(later, build.icmp_unsigned("!=", path, firsts)))
    build.store(path, place)


def begin_paths(body: Body) -> None:
    """Emit where threads of an interval find the control paths of the block before."""
    Builder(body).call("void", "begin_paths", CONTEXT, FROM, TO)


def compare_with_previous_block(body: Body) -> None:
    """Emit a check that the lane took the control path of the same lane in the block before.

    It is made only once a block was proved clean (`%again`). In any case the lane's path takes the place of the other.
    """
    build = Builder(body)
    place = build.gep(build.load(build.slot_at("ways"), "ptr"), LANE)
    path, before = build.load(WAYS, "i64"), build.load(place, "i64")
    build.fail_if(build.and_(AGAIN, build.icmp_unsigned("!=", path, before)))
    build.store(path, place)


def note_visible_store(body: Body) -> None:
    """Emit a note, in the slot `stored`, that the block cannot start again, since others may see what it stored."""
    build = Builder(body)
    build.store(constant("i64", 1), build.slot_at("stored"))
