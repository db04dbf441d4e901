"""Lower PTX barriers (not `mbarrier`), fences, lane exchanges, peer addresses, `exit`, `trap`, and ignored hints.

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


def _take_aligned(low: Lowering) -> str:
    """Take the modifiers `cta` and `aligned`, if they are there; others stay.

    Returns `aligned.` if all lanes of a warp must execute the barrier together, as always for `bar`, else nothing.
    """
    word = low.name.partition(".")[0]
    low.take("cta")
    return "aligned." if low.take("aligned") or word == "bar" else ""


@declares("bar.sync", "barrier.sync", "barrier.cta.sync")
def lower_barrier(low: Lowering) -> None:
    """Lower `bar.sync` and `barrier.sync`: wait for all lanes of the block, or as many as the second operand says."""
    aligned = _take_aligned(low)
    count = low.expect_operands(1, 2)
    low.call_with_operands(f"{NAME}.barrier.cta.sync.{aligned}{'count' if count == 2 else 'all'}", *[Int(32)] * count)


@declares("bar.arrive", "barrier.arrive", "barrier.cta.arrive")
def lower_arrive(low: Lowering) -> None:
    """Lower an arrival at a barrier of the block without waiting."""
    low.call_with_operands(f"{NAME}.barrier.cta.arrive.{_take_aligned(low)}count", Int(32), Int(32))


@declares("bar.red", "barrier.red", "barrier.cta.red")
def lower_reduce_at_barrier(low: Lowering) -> None:
    """Lower a barrier that also reduces a predicate over its lanes: a count, whether all hold it, or whether any does.

    The operands are the result, the barrier's number, optionally the number of lanes (default: all of the block), and
    the predicate.
    """
    aligned, name = _take_aligned(low), low.require("popc", "and", "or")
    ty = Int(32) if name == "popc" else Int(1)
    low.take_type("u32") if name == "popc" else low.take_type("pred")
    count = low.expect_operands(3, 4)
    numbers = [low.read(number, Int(32)) for number in range(1, count - 1)]
    kind = "count" if count == 4 else "all"
    low.write(0, low.value(f"{NAME}.barrier.cta.red.{name}.{aligned}{kind}", ty, *numbers, low.read(count - 1, Int(1))))


@declares("bar.warp.sync")
def lower_warp_barrier(low: Lowering) -> None:
    """Lower a synchronisation of the lanes of a mask."""
    low.call_with_operands(f"{NAME}.bar.warp.sync", Int(32))


@declares("barrier.cluster")
def lower_cluster_barrier(low: Lowering) -> None:
    """Lower the arrival at the cluster's barrier, or the wait for it; `NotKnown` for a wrong ordering."""
    verb, order = low.require("arrive", "wait"), low.take_one_of("release", "relaxed", "acquire")
    if order == ("acquire" if verb == "arrive" else "release"):
        raise NotKnown
    end = ".relaxed" if order == "relaxed" else ""
    low.call_with_operands(f"{NAME}.barrier.cluster.{verb}{end}{'.aligned' if low.take('aligned') else ''}")


@declares("membar")
def lower_memory_barrier(low: Lowering) -> None:
    """Lower `membar`, the older name of a fence."""
    low.call_with_operands(f"{NAME}.membar.{low.require('cta', 'gl', 'sys')}")


@declares("fence")
def lower_fence(low: Lowering) -> None:
    """Lower a fence of an ordering, by default `acq_rel`; `NotKnown` unless a scope is named."""
    low.expect_operands(0)
    order = low.take_one_of("sc", "acq_rel", "acquire", "release") or "acq_rel"
    scope = SCOPES[low.require(*SCOPES)]
    low.do("fence", ordering="seq_cst" if order == "sc" else order, scope=scope)


@declares("fence.proxy")
def lower_proxy_fence(low: Lowering) -> None:
    """Lower `fence.proxy`: `async` calls the intrinsic for the asynchronous proxy, `alias` becomes nothing.

    `async::generic` becomes an ordinary acquire or release at the scope of the cluster. Raises `NotKnown` for other
    proxies.
    """
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
    low.require("alias")  # aliases of one memory need no ordering here


@declares("fence.mbarrier_init")
def lower_barrier_fence(low: Lowering) -> None:
    """Lower the fence after which a cluster sees mbarriers as initialised."""
    low.require("release")
    low.require("cluster")
    low.call_with_operands(f"{NAME}.fence.mbarrier_init.release.cluster")


@declares("griddepcontrol")
def lower_grid_dependency(low: Lowering) -> None:
    """Lower the wait for the previous grid, or the permission for the next grid to start."""
    low.call(
        f"{NAME}.griddepcontrol.{'wait' if low.require('wait', 'launch_dependents') == 'wait' else 'launch.dependents'}"
    )


@declares("shfl.sync")
def lower_shuffle(low: Lowering) -> None:
    """Lower `shfl`: another lane's value, and optionally whether that lane is in range; `NotKnown` without a mask."""
    mode = low.require("idx", "up", "down", "bfly")
    low.take_type("b32")
    low.expect_operands(5)
    values = low.read(4, Int(32)), *(low.read(number, Int(32)) for number in (1, 2, 3))
    if low.destination_pair(0)[1] is None:
        low.write(0, low.value(f"{NAME}.shfl.sync.{mode}.i32", Int(32), *values))
    else:
        _write_pair(low, f"{NAME}.shfl.sync.{mode}.i32p", *values)


def _write_pair(low: Lowering, name: str, *values: Operand) -> None:
    """Call an intrinsic that returns a word and a predicate, and write both to the first operand, `d|p`.

    The code may name no `p`; then the predicate is dropped.
    """
    first, second = low.destination_pair(0)
    pair = low.value(name, BOTH, *values)
    low.write(first, low.element(pair, 0))
    if second is not None:
        low.write(second, low.element(pair, 1))


@declares("vote.sync")
def lower_vote(low: Lowering) -> None:
    """Lower `vote`, over the lanes of a mask; `NotKnown` unless `ballot`, and only that, has the type `b32`."""
    name = low.require("all", "any", "uni", "ballot")
    kind = low.take_type("pred", "b32")
    low.expect_operands(3)
    if (name == "ballot") != (kind == "b32"):
        raise NotKnown
    low.write(0, low.value(f"{NAME}.vote.{name}.sync", TYPES[kind], low.read(2, Int(32)), low.read(1, Int(1))))


@declares("activemask")
def lower_active_mask(low: Lowering) -> None:
    """Lower `activemask`: the bit mask of the active lanes, without waiting."""
    low.write_call(f"{NAME}.activemask", TYPES[low.take_type("b32")])


@declares("match.any.sync", "match.all.sync")
def lower_match(low: Lowering) -> None:
    """Lower `match.any` (the lanes with the same value) and `match.all` (the mask if all agree, else 0; and whether
    they do).
    """
    ty = TYPES[low.take_type("b32", "b64")]
    low.expect_operands(3)
    values = low.read(2, Int(32)), low.read(1, ty)
    if low.name == "match.any.sync":
        low.write(0, low.value(f"{NAME}.match.any.sync.{ty}", Int(32), *values))
    else:
        _write_pair(low, f"{NAME}.match.all.sync.{ty}p", *values)


@declares("redux.sync")
def lower_reduce_lanes(low: Lowering) -> None:
    """Lower `redux`: the values of a mask's lanes combined; `NotKnown` for `NaN` and `abs`."""
    name = low.require("add", "min", "max", "and", "or", "xor")
    if low.take("NaN", "abs"):
        raise NotKnown
    kind = low.take_type("b32", "u32", "s32", "f32")
    if name in ("min", "max"):
        name = {"u": "u", "f": "f"}.get(kind[0], "") + name
    low.write_call(f"{NAME}.redux.sync.{name}", TYPES[kind], kind, Int(32))


@declares("elect.sync")
def lower_elect(low: Lowering) -> None:
    """Lower `elect`: the lowest lane of the mask becomes the leader; write its number and whether the lane is it."""
    low.expect_operands(2)
    _write_pair(low, f"{NAME}.elect.sync", low.read(1, Int(32)))


@declares("mapa")
def lower_map_address(low: Lowering) -> None:
    """Lower `mapa`: the address at the same offset in a peer block's shared memory; generic, or with `shared` one of 32
    or 64 bits in the shared window.
    """
    shared, kind = low.take_one_of(*SHARED) is not None, low.take_type("u32", "u64")
    low.expect_operands(3)
    rank, address = low.read(2, Int(32)), low.read(1, kind)
    if shared:
        pointer = low.value("asm:address", Pointer(3), address)
        place = low.op("ptrtoint", TYPES[kind], low.value(f"{NAME}.mapa.shared.cluster", Pointer(3), pointer, rank))
    else:
        place = low.value(f"{NAME}.mapa", Int(64), address, rank)
    low.write(0, place)


@declares("getctarank")
def lower_rank_of(low: Lowering) -> None:
    """Lower `getctarank`: the cluster rank of the block whose shared memory an address is in.

    The address is generic, or with `shared` in the shared window.
    """
    shared, kind = low.take_one_of(*SHARED) is not None, low.take_type("u32", "u64")
    low.expect_operands(2)
    value = low.read(1, kind)
    if shared:
        value = low.cast(low.value("asm:address", TYPES["u64"], value), Int(64))
    low.write(0, low.value(f"{NAME}.getctarank", Int(32), value))


@declares("nanosleep")
def lower_sleep(low: Lowering) -> None:
    """Lower `nanosleep`, which only advances the clock."""
    low.call_with_operands(f"{NAME}.nanosleep", low.take_type("u32"))


ENDS = {"exit": f"{NAME}.exit", "trap": "llvm.trap", "brkpt": "llvm.debugtrap"}


@declares(*ENDS)
def lower_end(low: Lowering) -> None:
    """Lower `exit`, which ends the lane, and `trap` and `brkpt`, which end the launch.

    After `exit` and `trap` the code is unreachable.
    """
    low.call_with_operands(ENDS[low.name])
    if low.name != "brkpt":
        low.do("unreachable")


# Performance events, register counts and cache control change no value. Neither does AMD's `S_NOP`, which debug builds
# put into loops.
@declares("pmevent", "setmaxnreg", "nop", "S_NOP")
@declares("prefetch", "prefetchu", "discard", "applypriority", "cp.async.bulk.prefetch")
def ignore_statement(low: Lowering) -> None:
    """Lower an instruction that has no effect in a simulation, whatever its modifiers, to nothing."""
    low.words.clear()
