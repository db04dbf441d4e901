"""The assembly of NVIDIA's barriers, fences and exchanges between the lanes of a warp.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions
"""

from harness.simt.compile.lowering import Lowering, NotKnown, declares
from harness.simt.intrinsics.ptx_memory import SCOPES, SHARED
from harness.simt.ir.module import Operand
from harness.simt.ir.ptx_types import TYPES
from harness.simt.ir.types import Int, Pointer, Struct

__all__: list[str] = []

NAME = "llvm.nvvm"
BOTH = Struct((Int(32), Int(1)))


def _aligned(low: Lowering) -> str:
    """Whether all lanes of a warp come together, in the name of an intrinsic."""
    word = low.name.partition(".")[0]
    low.take("cta")
    return "aligned." if low.take("aligned") or word == "bar" else ""


@declares("bar.sync", "barrier.sync", "barrier.cta.sync")
def barrier(low: Lowering) -> None:
    """All lanes of the block meet, or as many as the second operand says."""
    aligned = _aligned(low)
    count = low.expect_operands(1, 2)
    low.call_with_operands(f"{NAME}.barrier.cta.sync.{aligned}{'count' if count == 2 else 'all'}", *[Int(32)] * count)


@declares("bar.arrive", "barrier.arrive", "barrier.cta.arrive")
def arrive(low: Lowering) -> None:
    """Lanes arrive and go on."""
    low.call_with_operands(f"{NAME}.barrier.cta.arrive.{_aligned(low)}count", Int(32), Int(32))


@declares("bar.red", "barrier.red", "barrier.cta.red")
def reduce_at_barrier(low: Lowering) -> None:
    """The lanes that meet hold a predicate: how many, or whether all or any."""
    aligned, name = _aligned(low), low.require("popc", "and", "or")
    ty = Int(32) if name == "popc" else Int(1)
    low.take_type("u32") if name == "popc" else low.take_type("pred")
    count = low.expect_operands(3, 4)
    numbers = [low.read(number, Int(32)) for number in range(1, count - 1)]
    kind = "count" if count == 4 else "all"
    low.write(0, low.value(f"{NAME}.barrier.cta.red.{name}.{aligned}{kind}", ty, *numbers, low.read(count - 1, Int(1))))


@declares("bar.warp.sync")
def warp_barrier(low: Lowering) -> None:
    """The lanes of a mask meet."""
    low.call_with_operands(f"{NAME}.bar.warp.sync", Int(32))


@declares("barrier.cluster")
def cluster_barrier(low: Lowering) -> None:
    """Arrival at the cluster's barrier, or the wait for it."""
    verb, order = low.require("arrive", "wait"), low.take_one_of("release", "relaxed", "acquire")
    if order == ("acquire" if verb == "arrive" else "release"):
        raise NotKnown
    end = ".relaxed" if order == "relaxed" else ""
    low.call_with_operands(f"{NAME}.barrier.cluster.{verb}{end}{'.aligned' if low.take('aligned') else ''}")


@declares("membar")
def memory_barrier(low: Lowering) -> None:
    """A fence by its older name."""
    low.call_with_operands(f"{NAME}.membar.{low.require('cta', 'gl', 'sys')}")


@declares("fence")
def fence(low: Lowering) -> None:
    """Lanes order their own accesses."""
    low.expect_operands(0)
    order = low.take_one_of("sc", "acq_rel", "acquire", "release") or "acq_rel"
    scope = SCOPES[low.require(*SCOPES)]
    low.do("fence", ordering="seq_cst" if order == "sc" else order, scope=scope)


@declares("fence.proxy")
def proxy_fence(low: Lowering) -> None:
    """Accesses through two proxies are ordered."""
    if low.take("async::generic"):
        verb = low.require("acquire", "release")
        low.require("sync_restrict::shared::cta", "sync_restrict::shared::cluster")
        low.require("cluster")
        low.expect_operands(0)
        low.do("fence", ordering=verb, scope="cluster")
        return
    if low.take("async"):
        low.expect_operands(0)
        space = low.take_one_of(*SHARED, "global")
        end = {None: "", "global": ".global", "shared::cluster": ".shared_cluster"}.get(space, ".shared_cta")
        low.call(f"{NAME}.fence.proxy.async{end}")
        return
    low.require("alias")  # memory here has one address


@declares("fence.mbarrier_init")
def barrier_fence(low: Lowering) -> None:
    """Barriers have begun, for the cluster."""
    low.require("release")
    low.require("cluster")
    low.call_with_operands(f"{NAME}.fence.mbarrier_init.release.cluster")


@declares("griddepcontrol")
def grid_dependency(low: Lowering) -> None:
    """The grid before this one has ended, or the one after it may begin."""
    low.call(
        f"{NAME}.griddepcontrol.{'wait' if low.require('wait', 'launch_dependents') == 'wait' else 'launch.dependents'}"
    )


@declares("shfl.sync")
def shuffle(low: Lowering) -> None:
    """A value of another lane, and whether there is one."""
    mode = low.require("idx", "up", "down", "bfly")
    low.take_type("b32")
    low.expect_operands(5)
    values = low.read(4, Int(32)), *(low.read(number, Int(32)) for number in (1, 2, 3))
    if low.destination_pair(0)[1] is None:
        low.write(0, low.value(f"{NAME}.shfl.sync.{mode}.i32", Int(32), *values))
    else:
        _write_both(low, f"{NAME}.shfl.sync.{mode}.i32p", *values)


def _write_both(low: Lowering, name: str, *values: Operand) -> None:
    """Calls what gives a word and a predicate, of which the second may not be wanted."""
    first, second = low.destination_pair(0)
    pair = low.value(name, BOTH, *values)
    low.write(first, low.element(pair, 0))
    if second is not None:
        low.write(second, low.element(pair, 1))


@declares("vote.sync")
def vote(low: Lowering) -> None:
    """Of the lanes of a mask."""
    name = low.require("all", "any", "uni", "ballot")
    kind = low.take_type("pred", "b32")
    low.expect_operands(3)
    if (name == "ballot") != (kind == "b32"):
        raise NotKnown
    low.write(0, low.value(f"{NAME}.vote.{name}.sync", TYPES[kind], low.read(2, Int(32)), low.read(1, Int(1))))


@declares("activemask")
def active_mask(low: Lowering) -> None:
    """The lanes that are here."""
    low.write_call(f"{NAME}.activemask", TYPES[low.take_type("b32")])


@declares("match.any.sync", "match.all.sync")
def match(low: Lowering) -> None:
    """The lanes with the same value; or the mask where all lanes have it, and whether they have."""
    ty = TYPES[low.take_type("b32", "b64")]
    low.expect_operands(3)
    values = low.read(2, Int(32)), low.read(1, ty)
    if low.name == "match.any.sync":
        low.write(0, low.value(f"{NAME}.match.any.sync.{ty}", Int(32), *values))
    else:
        _write_both(low, f"{NAME}.match.all.sync.{ty}p", *values)


@declares("redux.sync")
def reduce_lanes(low: Lowering) -> None:
    """What all lanes of a mask make together."""
    name = low.require("add", "min", "max", "and", "or", "xor")
    if low.take("NaN", "abs"):
        raise NotKnown
    kind = low.take_type("b32", "u32", "s32", "f32")
    if name in ("min", "max"):
        name = {"u": "u", "f": "f"}.get(kind[0], "") + name
    low.write_call(f"{NAME}.redux.sync.{name}", TYPES[kind], kind, Int(32))


@declares("elect.sync")
def elect(low: Lowering) -> None:
    """One lane of the mask is the leader."""
    low.expect_operands(2)
    _write_both(low, f"{NAME}.elect.sync", low.read(1, Int(32)))


@declares("mapa")
def map_address(low: Lowering) -> None:
    """The same place in the shared memory of a peer block."""
    shared, kind = low.take_one_of(*SHARED) is not None, low.take_type("u32", "u64")
    low.expect_operands(3)
    rank, given = low.read(2, Int(32)), low.read(1, kind)
    if shared:
        own = low.value("asm:address", Pointer(3), given)
        place = low.op("ptrtoint", TYPES[kind], low.value(f"{NAME}.mapa.shared.cluster", Pointer(3), own, rank))
    else:
        place = low.value(f"{NAME}.mapa", Int(64), given, rank)
    low.write(0, place)


@declares("getctarank")
def rank_of(low: Lowering) -> None:
    """The block that a shared address belongs to."""
    shared, kind = low.take_one_of(*SHARED) is not None, low.take_type("u32", "u64")
    low.expect_operands(2)
    value = low.read(1, kind)
    if shared:
        value = low.cast(low.value("asm:address", TYPES["u64"], value), Int(64))
    low.write(0, low.value(f"{NAME}.getctarank", Int(32), value))


@declares("nanosleep")
def sleep(low: Lowering) -> None:
    """Waits for some time."""
    low.call_with_operands(f"{NAME}.nanosleep", low.take_type("u32"))


ENDS = {"exit": f"{NAME}.exit", "trap": "llvm.trap", "brkpt": "llvm.debugtrap"}


@declares(*ENDS)
def end(low: Lowering) -> None:
    """The lane ends, or the launch; or it waits for a debugger, and there is none."""
    low.call_with_operands(ENDS[low.name])
    if low.name != "brkpt":
        low.do("unreachable")


# What measures, says how many registers there are, or how a cache is to be used: it changes no value. Nor does AMD's,
# in debug builds of loops.
@declares("pmevent", "setmaxnreg", "nop", "S_NOP")
@declares("prefetch", "prefetchu", "discard", "applypriority", "cp.async.bulk.prefetch")
def nothing(low: Lowering) -> None:
    """Does nothing here."""
    low.words.clear()
