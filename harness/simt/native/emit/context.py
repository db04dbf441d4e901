"""Layout of the context struct: slots for a launch's facts, rows of allocations, values stored across waits."""

from harness.simt.compile.program import Program
from harness.simt.ir.types import Type, leaves
from harness.simt.native.analysis.provenance import Provenance
from harness.simt.native.emit.ir_types import bytes_of

__all__ = [
    "ALLOCATION_FACTS",
    "CREDIT",
    "LOOPED",
    "MARKS",
    "MOST_LINES",
    "NEVER",
    "OFFSETS",
    "ROUNDS",
    "SHADOW_CELL_BYTES",
    "SLOTS",
    "WAITING",
    "Context",
    "load_slot",
]

# The first slots, each with its number.
SLOTS = {
    name: number
    for number, name in enumerate(
        (
            "table",  # the allocations, `ALLOCATION_FACTS` for each
            "own",  # how many are the launch's own; those that outlive it come behind them
            "count",
            "threads",  # of a cluster
            "size",  # of those that are a block's
            "cluster",  # how many blocks it has
            "width",  # of those that run from wait to wait together: a warp or a block
            "time",  # the last epoch
            "birth",  # the first of the cluster that ran last
            "spill",
            "snapshot",
            "needed",  # `MARKS` for each line with a barrier
            "passed",  # for each of them those that all blocks passed before it, as bits; -1: none passed it
            "reached",  # a byte for each segment
            "rounds",  # how many waits may still be passed
            "path",  # of the first lane of the warp in hand, through loops: see `module`
            "fuel",  # how often lanes may still go round within an interval, all together
            "nothing",  # a byte that nobody reads
            "sites",  # for each place in the code that makes requests how often, and of how many sectors
            "requests",  # the last of each such place, see `counting`
            "looped",  # those that a lane makes in loops, in turn
            "undo",  # the cells that a replayed block counted, their number first; see `counts`
            "turns",  # how many regions of batched blocks were counted, see `batching`
            "numbers",  # in the grid, of the blocks in hand
            "counted",  # until when a block that started again had been counted
            "warp",  # when a warp ran last, which way its last lane went, and whether others went otherwise, or asked
            "warp way",
            "warp apart",
            "round",  # when one went round last, and how often its last lane did
            "rounds of it",
            "apart",  # see `counting`
            "peered",  # whether somebody was in another block's memory, since the last wait of the cluster
            "exchanged",  # and before any such wait
            "strong",  # whether there was a volatile or atomic access of what others may touch
            "again",  # whether a block, maybe another launch's, was proved clean: it shows what all do that go its ways
            "credit",  # as long as it is above 0 the next block may go the same ways
            "stored",  # whether this block stored to what others see
            "ways",  # of the block before, by lane: of this interval, of the next one, of the first, and their end
            "ways next",
            "ways first",
            "ways end",
            "went",  # for each block of those in hand which way all of its lanes went, where these may differ
            "replays",  # whether blocks may be run by `replay`
            "clears",  # and whether each has memory of which nothing is written then
            "float grid",  # of atomic sums of floats, see `exact_sums`
            "float sum",
            "float largest",
            "double grid",
            "double sum",
            "double largest",
            "tallies",  # in lockstep, what each lane of the block did: see `sanitize.lane_counts`
            "sums",  # what all lanes that ended did, and behind that the most of one
            "blocks",  # see `runtime.counts`
            "banks",  # the last request of each place that accesses shared memory
        )
    )
}
# What is known of an allocation, each a slot: its bytes, how many are a row's, the step from lane to lane, whether it
# is writable, its cells of race detection or 0, whether blocks share it, the bytes that say what was written, what
# masks their index, how many of them a cluster restarts with, how often each cell was loaded, and stored to, or 0, a
# byte for each thread of the grid that stores there where requests are counted, or 0, the steps from block to block
# of a cluster, in the data and in the cells, whether lanes share it that may write there, though this code may
# not, and in lockstep the address of the sizes and offsets of accesses, as bits, of global memory.
ALLOCATION_FACTS = {
    name: number
    for number, name in enumerate(
        (
            *("data", "size", "stride", "writable", "cells", "start", "written", "mask", "fresh"),
            *("loads", "stores", "writers"),
            *("pitch", "cell pitch"),
            "common",
            "sizes",
        )
    )
}
MARKS = 3  # bytes: whether an exchange needs the barrier, or may, or needs it or one before it
MOST_LINES = 63  # with barriers that are told apart in a set of them
LOOPED = 1 << 16  # requests in loops that a lane may make in an interval
CREDIT, NEVER = 8, -(1 << 62)  # blocks that are run as if they went as others before it shows; all are looked at
ROUNDS = 1 << 24  # how often a lane goes round within an interval, before the interpreter looks whether that ever ends
WAITING = 1 << 30  # in lockstep, beyond it, from 1 on: the segment before which a lane waits, or 0 if it has ended
OFFSETS = 40  # bits of an offset of a request, below the number of the allocation
SHADOW_CELL_BYTES = 16  # bytes: last writer, its epoch, last reader, its epoch


class Context:
    """The slots and the kept values of one kernel, found as its code is written.

    Attributes:
        geometry: By intrinsic and type the first of two slots: an array, and its step from lane to lane in bytes.
        params: By value number and leaf the slot of a parameter.
        readings: The first of three slots for each address that code only reads through: see `BlockShape.place`.
        slots: The number of slots.
        kept: Bytes that one lane keeps across waits.
        cell_bytes: Bytes of a cell of race detection.
        narrowest: Bytes that the size and the offset of every access are multiples of.
    """

    def __init__(self, program: Program) -> None:
        self._program, self.cell_bytes, self.narrowest = program, 1, 1
        self.slots = len(SLOTS)
        self.geometry: dict[tuple[str, Type], int] = {}
        self.params: dict[tuple[int, int], int] = {}
        self.readings: dict[Provenance, int] = {}
        self._places: dict[tuple[int, int], tuple[int, int]] = {}
        self._own: dict[str, int] = {}
        self.kept = 0
        for number, param in program.params:
            for leaf, (ty, _) in enumerate(leaves(param.type)):
                self.params[number, leaf] = self.slots
                self.slots += -(-bytes_of(ty) // 8)

    def reader(self, name: str, ty: Type) -> int:
        """Return the first of two slots for a geometry intrinsic and type, which the first call reserves.

        They hold the address of its values, and the step in bytes from one to the next.
        """
        if (name, ty) not in self.geometry:
            self.geometry[name, ty] = self.slots
            self.slots += 2
        return self.geometry[name, ty]

    def reading(self, place: Provenance) -> int:
        """Return the first of three slots for memory that is only read through an address; reserved at the first call.

        They hold the data's address on the host, its first address in the kernel and its size in bytes.
        """
        if place not in self.readings:
            self.readings[place] = self.slots
            self.slots += 3
        return self.readings[place]

    def place(self, number: int, leaf: int) -> tuple[int, int]:
        """Return the offset and the size, in bytes of one lane, of a leaf that lanes keep across waits.

        The first call reserves the bytes. The values of all lanes lie together: multiply the offset by the threads of a
        cluster (of a block if there are no clusters).
        """
        if (number, leaf) not in self._places:
            ty, _ = leaves(self._program.graph.types[number])[leaf]
            size = bytes_of(ty)
            self._places[number, leaf] = self.kept, size
            self.kept += size
        return self._places[number, leaf]

    def lane_offset(self, name: str, size: int) -> int:
        """Return the offset, in bytes of one lane, of named bytes that each lane keeps across waits; see `place`.

        The first call for a name reserves `size` bytes; later calls ignore `size`.
        """
        if name not in self._own:
            self._own[name] = self.kept
            self.kept += size
        return self._own[name]


def load_slot(name: str) -> list[str]:
    """Return the lines that load a slot of `SLOTS` as `%NAME`, by an invariant load: it must not change meanwhile.

    It is an i64 for `own`, `count`, `threads`, `size`, `cluster`, `width` and `clears`, and a `ptr` for all others.
    """
    number = SLOTS[name]
    ty = "i64" if name in ("own", "count", "threads", "size", "cluster", "width", "clears") else "ptr"
    return [
        f"  %{name}.at = getelementptr i64, ptr %ctx, i64 {number}",
        f"  %{name} = load {ty}, ptr %{name}.at, align 8, !invariant.load !0",
    ]
