"""The assembly of NVIDIA's asynchronous copies, and of the barriers in shared memory that count them.

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
def copy(low: Lowering) -> None:
    """Some bytes from global to shared memory, of which fewer may be read: the others are 0."""
    cache = low.need("ca", "cg")
    low.need("shared", "shared::cta")
    low.need("global")
    hinted = low.has("L2::cache_hint")
    low.one_of(*CACHES)
    count = low.only(3 + hinted, 4 + hinted) - hinted
    target, source, size = low.pointer(0, shared=True), low.pointer(1), low.number(2)
    name = f"{COPY}.{cache}.shared.global.{size}"
    if size not in (4, 8, 16) or (cache == "cg" and size != 16):
        raise NotKnown
    if count == 3:
        low.call(name, target, source)
        return
    given = low.read(3, Int(32))
    if low.width(low.part(3)) == 1:  # nothing is read where it holds
        given = low.select(low.read(3, Int(1)), Const(Int(32), 0), Const(Int(32), size))
    low.call(f"{name}.s", target, source, given)


GROUPS = {
    "cp.async.commit_group": f"{COPY}.commit.group",
    "cp.async.bulk.commit_group": f"{BULK}.commit.group",
    "cp.async.wait_all": f"{COPY}.wait.all",
}


@declares(*GROUPS)
def group(low: Lowering) -> None:
    """A group of copies ends, or of bulk copies; or all groups have arrived."""
    low.calls(GROUPS[low.name])


@declares("cp.async.wait_group", "cp.async.bulk.wait_group")
def wait(low: Lowering) -> None:
    """Groups have arrived, all but some; of bulk copies perhaps only read."""
    bulk = "bulk" in low.name
    read = ".read" if bulk and low.has("read") else ""
    low.calls(f"{BULK if bulk else COPY}.wait.group{read}", Int(32))


@declares("cp.async.mbarrier.arrive")
def arrive_after(low: Lowering) -> None:
    """Lanes arrive when their copies have."""
    counted = low.has("noinc")
    shared = low.one_of(*SHARED) is not None
    low.kind("b64")
    low.only(1)
    low.call(f"{COPY}.mbarrier.arrive{'.noinc' if counted else ''}.shared", low.pointer(0, shared))


@declares("cp.async.bulk")
def bulk(low: Lowering) -> None:
    """Many bytes by one thread."""
    low.has("L2::cache_hint")
    ends = [word for word in low.words if word in ("global", *SHARED)]
    low.words[:] = [word for word in low.words if word not in ends]
    if len(ends) != 2:
        raise NotKnown
    to, source = ends
    target, place, size = low.pointer(0, to in SHARED), low.pointer(1, source in SHARED), low.read(2, Int(32))
    if to == "global":
        low.need("bulk_group")
        low.call(f"{BULK}.shared.cta.to.global", target, place, size, Const(Int(64), 0), FALSE)
        return
    low.need(BYTES)
    barrier = low.pointer(3, shared=True)
    if source == "global":
        word = "cluster" if to == "shared::cluster" else "cta"
        more = (Const(Int(16), 0), Const(Int(64), 0), FALSE, FALSE) if word == "cluster" else (Const(Int(64), 0), FALSE)
        low.call(f"{BULK}.global.to.shared.{word}", target, barrier, place, size, *more)
    else:
        low.call(f"{BULK}.shared.cta.to.cluster", target, barrier, place, size)


@declares("cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor")
def tensor(low: Lowering) -> None:
    """A box of a tensor, into shared memory or out of it."""
    rank = int(low.need("1d", "2d", "3d", "4d", "5d")[0])
    low.has("L2::cache_hint")
    columns = low.need("tile", "im2col") == "im2col" if {"tile", "im2col"} & set(low.words) else False
    several = low.has("multicast::cluster")
    if low.has("bulk_group"):
        low.need("global")
        low.need(*SHARED)
        name = low.one_of(*REDUCTIONS)
        if columns or (name is None) == low.name.startswith("cp.reduce"):
            raise NotKnown
        which = (Const(Int(64), 0), Const(Int(32), REDUCTIONS.index(name))) if name else ()
        kind = "reduce" if name else "s2g"
        map_, places = _map(low, 0, rank)
        low.call(f"{BULK}.tensor.{kind}.tile.{rank}d", low.pointer(1, shared=True), map_, *places, *which)
        return
    if low.name.startswith("cp.reduce"):
        raise NotKnown
    low.need(*SHARED)
    low.need("global")
    low.need(BYTES)
    map_, places = _map(low, 1, rank)
    given = low.pointer(0, shared=True), low.pointer(2, shared=True), map_, *places
    more = 3
    if columns:
        offsets = low.parts(more)
        if len(offsets) != rank - 2:
            raise NotKnown
        given = (*given, *(low.read(part, Int(16)) for part in offsets))
        more += 1
    mask = low.read(more, Int(16)) if several else Const(Int(16), 0)
    mode = "im2col" if columns else "tile"
    low.call(f"{BULK}.tensor.g2s.{mode}.{rank}d", *given, mask, Const(Int(64), 0), Const(Int(1), int(several)), FALSE)


def _map(low: Lowering, operand: int, rank: int) -> tuple[Operand, list[Operand]]:
    """The tensor map of an operand like `[map, {x, y}]`, and the coordinates."""
    part = low.part(operand)
    if not isinstance(part, AddressOperand) or len(part.coordinates) != rank:
        raise NotKnown
    return low.pointer(AddressOperand(part.base, part.offset)), [low.read(place, Int(32)) for place in part.coordinates]


@declares("mbarrier.init", "mbarrier.inval")
def begin(low: Lowering) -> None:
    """A barrier begins or ends."""
    shared = low.one_of(*SHARED) is not None
    low.kind("b64")
    first = low.name == "mbarrier.init"
    low.only(1 + first)
    more = (low.read(1, Int(32)),) if first else ()
    low.call(f"{BARRIER}.{'init' if first else 'inval'}.shared", low.pointer(0, shared), *more)


def _scoped(low: Lowering, order: str) -> tuple[str, str, str]:
    """`.relaxed` or nothing, the scope, and the space of a barrier."""
    relaxed = low.one_of("relaxed", order) == "relaxed"
    scope = low.one_of("cta", "cluster") or "cta"
    space = low.one_of(*SHARED)
    low.kind("b64")
    return ".relaxed" if relaxed else "", scope, "cluster" if space == "shared::cluster" else "cta"


@declares("mbarrier.arrive", "mbarrier.arrive_drop")
def arrive(low: Lowering) -> None:
    """Arrivals, some of them for good, with the bytes that a phase takes."""
    drop = ".drop" if low.name.endswith("drop") else ""
    expects, partly = low.has("expect_tx"), low.has("noComplete")
    relaxed, scope, space = _scoped(low, "release")
    gives = not isinstance(low.part(0), AddressOperand)
    at = 1 if gives else 0
    count = low.only(at + 1, at + 2) - at
    pointer = low.pointer(at, shared=True)
    if expects and count == 1:
        raise NotKnown
    number = low.read(at + 1, Int(32)) if count == 2 else Const(Int(32), 1)
    if partly:
        state = low.value(f"{BARRIER}.arrive{drop}.noComplete.shared", Int(64), pointer, number)
    else:
        kind = f"arrive{drop}{'.expect.tx' if expects else ''}{relaxed}.scope.{_far(scope, space)}.space.{space}"
        name = f"{BARRIER}.{kind}"
        if space == "cluster" or not gives:
            low.call(name, pointer, number)
            if gives and low.part(0) != SINK:
                raise NotKnown
            return
        state = low.value(name, Int(64), pointer, number)
    if gives:
        low.write(0, state)


def _far(scope: str, space: str) -> str:
    """What is done to the barrier of a peer block is seen in the cluster."""
    return "cluster" if space == "cluster" else scope


@declares("mbarrier.expect_tx", "mbarrier.complete_tx")
def count_bytes(low: Lowering) -> None:
    """Bytes that a phase takes, or that came."""
    _, scope, space = _scoped(low, "relaxed")
    low.only(2)
    verb = "expect" if "expect" in low.name else "complete"
    name = f"{BARRIER}.{verb}.tx.scope.{_far(scope, space)}.space.{space}"
    low.call(name, low.pointer(0, shared=True), low.read(1, Int(32)))


@declares("mbarrier.test_wait", "mbarrier.try_wait")
def test(low: Lowering) -> None:
    """Whether a phase has ended."""
    verb, parity = "test" if "test" in low.name else "try", low.has("parity")
    relaxed, scope, space = _scoped(low, "acquire")
    limited = len(low.operands) == 4 and verb == "try"
    low.only(4 if limited else 3)
    if space == "cluster":
        raise NotKnown
    name = f"{BARRIER}.{verb}.wait{'.parity' if parity else ''}{relaxed}.scope.{scope}.space.cta"
    state = low.read(2, Int(32) if parity else Int(64))
    low.write(0, low.value(name, Int(1), low.pointer(1, shared=True), state))


@declares("mbarrier.wait")
def wait_phase(low: Lowering) -> None:
    """A loop that asks for the parity until it has changed, as one instruction."""
    relaxed, scope, _ = _scoped(low, "acquire")
    low.only(2, 3)
    low.call(f"asm:mbarrier.wait{relaxed}.{scope}", low.pointer(0, shared=True), low.read(1, Int(32)))


@declares("mbarrier.pending_count")
def pending(low: Lowering) -> None:
    """What a phase lacked."""
    low.gives(f"{BARRIER}.pending.count", Int(32), low.kind("b64"))
