"""Lower PTX asynchronous copies (`cp.async`, bulk, tensors; also tensor reductions), their groups, and `mbarrier`.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-asynchronous-copy
"""

from harness.simt.compile.lowering import Lowering, NotKnown, declares
from harness.simt.intrinsics.nvvm_tensor import REDUCTIONS
from harness.simt.intrinsics.ptx_memory import SHARED
from harness.simt.ir.assembly import AddressOperand, Name
from harness.simt.ir.module import Const, Operand
from harness.simt.ir.types import Int

__all__: list[str] = []

COPY, BULK, BARRIER = "llvm.nvvm.cp.async", "llvm.nvvm.cp.async.bulk", "llvm.nvvm.mbarrier"
FALSE, SINK = Const(Int(1), 0), Name("_")
CACHES = ("L2::64B", "L2::128B", "L2::256B")
BYTES = "mbarrier::complete_tx::bytes"


@declares("cp.async")
def lower_copy(low: Lowering) -> None:
    """Lower `cp.async`: copy 4, 8 or 16 bytes from global to shared memory; bytes that are not read become 0.

    The fourth operand is the number of bytes to read, or a predicate under which none is read. Raises `NotKnown` for
    another size, also for one other than 16 with `cg`.
    """
    cache = low.require("ca", "cg")
    low.require("shared", "shared::cta")
    low.require("global")
    hinted = low.take("L2::cache_hint")
    low.take_one_of(*CACHES)
    count = low.expect_operands(3 + hinted, 4 + hinted) - hinted
    target, source, size = low.pointer(0, shared=True), low.pointer(1), low.immediate(2)
    name = f"{COPY}.{cache}.shared.global.{size}"
    if size not in (4, 8, 16) or (cache == "cg" and size != 16):
        raise NotKnown
    if count == 3:
        low.call(name, target, source)
        return
    read_size = low.read(3, Int(32))
    if low.width(low.part(3)) == 1:  # nothing is read where it holds
        read_size = low.select(low.read(3, Int(1)), Const(Int(32), 0), Const(Int(32), size))
    low.call(f"{name}.s", target, source, read_size)


GROUPS = {
    "cp.async.commit_group": f"{COPY}.commit.group",
    "cp.async.bulk.commit_group": f"{BULK}.commit.group",
    "cp.async.wait_all": f"{COPY}.wait.all",
}


@declares(*GROUPS)
def lower_group(low: Lowering) -> None:
    """Lower instructions that commit a group of copies, or wait for all."""
    low.call_with_operands(GROUPS[low.name])


@declares("cp.async.wait_group", "cp.async.bulk.wait_group")
def lower_wait(low: Lowering) -> None:
    """Lower `wait_group`, also of bulk copies: wait until at most a number of the lane's groups are pending.

    Bulk copies may have `.read`: wait only until the sources were read.
    """
    bulk = "bulk" in low.name
    read = ".read" if bulk and low.take("read") else ""
    low.call_with_operands(f"{BULK if bulk else COPY}.wait.group{read}", Int(32))


@declares("cp.async.mbarrier.arrive")
def lower_arrive_after(low: Lowering) -> None:
    """Lower an arrival at an mbarrier that takes place when the lane's copies complete.

    Without `noinc` the phase expects one arrival more for it.
    """
    counted = low.take("noinc")
    shared = low.take_one_of(*SHARED) is not None
    low.take_type("b64")
    low.expect_operands(1)
    low.call(f"{COPY}.mbarrier.arrive{'.noinc' if counted else ''}.shared", low.pointer(0, shared))


@declares("cp.async.bulk")
def lower_bulk(low: Lowering) -> None:
    """Lower `cp.async.bulk`: one thread copies many bytes, counted by an mbarrier, or in groups if they go to global
    memory.

    Cache hints are dropped. Raises `NotKnown` unless two address spaces are named.
    """
    low.take("L2::cache_hint")
    ends = [word for word in low.words if word in ("global", *SHARED)]
    low.words[:] = [word for word in low.words if word not in ends]
    if len(ends) != 2:
        raise NotKnown
    to, source = ends
    target, place, size = low.pointer(0, to in SHARED), low.pointer(1, source in SHARED), low.read(2, Int(32))
    if to == "global":
        low.require("bulk_group")
        low.call(f"{BULK}.shared.cta.to.global", target, place, size, Const(Int(64), 0), FALSE)
        return
    low.require(BYTES)
    barrier = low.pointer(3, shared=True)
    if source == "global":
        word = "cluster" if to == "shared::cluster" else "cta"
        more = (Const(Int(16), 0), Const(Int(64), 0), FALSE, FALSE) if word == "cluster" else (Const(Int(64), 0), FALSE)
        low.call(f"{BULK}.global.to.shared.{word}", target, barrier, place, size, *more)
    else:
        low.call(f"{BULK}.shared.cta.to.cluster", target, barrier, place, size)


@declares("cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor")
def lower_tensor(low: Lowering) -> None:
    """Lower copies of a box of a tensor into shared memory or out of it, and reductions out of it; cache hints are
    dropped.

    Loads may go to several blocks of the cluster (`multicast::cluster`). Raises `NotKnown` for im2col out of shared
    memory, or a wrong number of coordinates or offsets.
    """
    rank = int(low.require("1d", "2d", "3d", "4d", "5d")[0])
    low.take("L2::cache_hint")
    columns = low.require("tile", "im2col") == "im2col" if {"tile", "im2col"} & set(low.words) else False
    several = low.take("multicast::cluster")
    if low.take("bulk_group"):
        low.require("global")
        low.require(*SHARED)
        name = low.take_one_of(*REDUCTIONS)
        if columns or (name is None) == low.name.startswith("cp.reduce"):
            raise NotKnown
        which = (Const(Int(64), 0), Const(Int(32), REDUCTIONS.index(name))) if name else ()
        kind = "reduce" if name else "s2g"
        map_, places = _tensor_map(low, 0, rank)
        low.call(f"{BULK}.tensor.{kind}.tile.{rank}d", low.pointer(1, shared=True), map_, *places, *which)
        return
    if low.name.startswith("cp.reduce"):
        raise NotKnown
    low.require(*SHARED)
    low.require("global")
    low.require(BYTES)
    map_, places = _tensor_map(low, 1, rank)
    operands = low.pointer(0, shared=True), low.pointer(2, shared=True), map_, *places
    more = 3
    if columns:
        offsets = low.registers(more)
        if len(offsets) != rank - 2:
            raise NotKnown
        operands = (*operands, *(low.read(part, Int(16)) for part in offsets))
        more += 1
    mask = low.read(more, Int(16)) if several else Const(Int(16), 0)
    mode = "im2col" if columns else "tile"
    low.call(
        f"{BULK}.tensor.g2s.{mode}.{rank}d", *operands, mask, Const(Int(64), 0), Const(Int(1), int(several)), FALSE
    )


def _tensor_map(low: Lowering, operand: int, rank: int) -> tuple[Operand, list[Operand]]:
    """Emit code that returns the pointer to the tensor map of an operand like `[map, {x, y}]`, and the coordinates.

    Raises `NotKnown` unless there are `rank` coordinates.
    """
    part = low.part(operand)
    if not isinstance(part, AddressOperand) or len(part.coordinates) != rank:
        raise NotKnown
    return low.pointer(AddressOperand(part.base, part.offset)), [low.read(place, Int(32)) for place in part.coordinates]


@declares("mbarrier.init", "mbarrier.inval")
def lower_mbarrier_lifetime(low: Lowering) -> None:
    """Lower `mbarrier.init`, with a number of arrivals, and `mbarrier.inval`."""
    shared = low.take_one_of(*SHARED) is not None
    low.take_type("b64")
    first = low.name == "mbarrier.init"
    low.expect_operands(1 + first)
    more = (low.read(1, Int(32)),) if first else ()
    low.call(f"{BARRIER}.{'init' if first else 'inval'}.shared", low.pointer(0, shared), *more)


def _take_scope(low: Lowering, order: str) -> tuple[str, str, str]:
    """Take modifiers, and return (ordering, scope, address space of the mbarrier).

    The ordering is `.relaxed` if that is named, else an empty string. Scope and space are `cta`, the default, or
    `cluster`. Raises `NotKnown` without the type `b64`.

    Args:
        order: The ordering that may be named instead of `relaxed`.
    """
    relaxed = low.take_one_of("relaxed", order) == "relaxed"
    scope = low.take_one_of("cta", "cluster") or "cta"
    space = low.take_one_of(*SHARED)
    low.take_type("b64")
    return ".relaxed" if relaxed else "", scope, "cluster" if space == "shared::cluster" else "cta"


@declares("mbarrier.arrive", "mbarrier.arrive_drop")
def lower_arrive(low: Lowering) -> None:
    """Lower `mbarrier.arrive` and `arrive_drop`, with or without expected bytes.

    The result, if the statement has a destination, is the phase's token. A missing count is 1. Raises `NotKnown` if
    bytes are expected without a number, or if an arrival at a peer block's mbarrier has a destination other than `_`.
    """
    drop = ".drop" if low.name.endswith("drop") else ""
    expects, partly = low.take("expect_tx"), low.take("noComplete")
    relaxed, scope, space = _take_scope(low, "release")
    has_result = not isinstance(low.part(0), AddressOperand)
    at = 1 if has_result else 0
    count = low.expect_operands(at + 1, at + 2) - at
    pointer = low.pointer(at, shared=True)
    if expects and count == 1:
        raise NotKnown
    number = low.read(at + 1, Int(32)) if count == 2 else Const(Int(32), 1)
    if partly:
        state = low.value(f"{BARRIER}.arrive{drop}.noComplete.shared", Int(64), pointer, number)
    else:
        words = f"arrive{drop}{'.expect.tx' if expects else ''}{relaxed}"
        name = f"{BARRIER}.{words}.scope.{_effective_scope(scope, space)}.space.{space}"
        if space == "cluster" or not has_result:
            low.call(name, pointer, number)
            if has_result and low.part(0) != SINK:
                raise NotKnown
            return
        state = low.value(name, Int(64), pointer, number)
    if has_result:
        low.write(0, state)


def _effective_scope(scope: str, space: str) -> str:
    """Return the scope of an operation: `cluster` if the mbarrier is a peer block's."""
    return "cluster" if space == "cluster" else scope


@declares("mbarrier.expect_tx", "mbarrier.complete_tx")
def lower_count_bytes(low: Lowering) -> None:
    """Lower `expect_tx` and `complete_tx`: add to a phase's expected bytes, or count bytes as arrived."""
    _, scope, space = _take_scope(low, "relaxed")
    low.expect_operands(2)
    verb = "expect" if "expect" in low.name else "complete"
    name = f"{BARRIER}.{verb}.tx.scope.{_effective_scope(scope, space)}.space.{space}"
    low.call(name, low.pointer(0, shared=True), low.read(1, Int(32)))


@declares("mbarrier.test_wait", "mbarrier.try_wait")
def lower_phase_test(low: Lowering) -> None:
    """Lower `test_wait` and `try_wait`: whether a phase, given by parity or token, has ended.

    The time limit of `try_wait` is dropped. Raises `NotKnown` for a peer block's mbarrier.
    """
    verb, parity = "test" if "test" in low.name else "try", low.take("parity")
    relaxed, scope, space = _take_scope(low, "acquire")
    limited = len(low.operands) == 4 and verb == "try"
    low.expect_operands(4 if limited else 3)
    if space == "cluster":
        raise NotKnown
    name = f"{BARRIER}.{verb}.wait{'.parity' if parity else ''}{relaxed}.scope.{scope}.space.cta"
    state = low.read(2, Int(32) if parity else Int(64))
    low.write(0, low.value(name, Int(1), low.pointer(1, shared=True), state))


@declares("mbarrier.wait")
def lower_wait_phase(low: Lowering) -> None:
    """Lower `mbarrier.wait`, which `merge_wait_loops` puts in place of a loop around a test of the parity.

    It has no result; lanes wait until the phase has ended. A time limit is dropped.
    """
    relaxed, scope, _ = _take_scope(low, "acquire")
    low.expect_operands(2, 3)
    low.call(f"asm:mbarrier.wait{relaxed}.{scope}", low.pointer(0, shared=True), low.read(1, Int(32)))


@declares("mbarrier.pending_count")
def lower_pending_count(low: Lowering) -> None:
    """Lower `pending_count`: how many arrivals a phase still lacked."""
    low.write_call(f"{BARRIER}.pending.count", Int(32), low.take_type("b64"))
