"""Data classes that observers get: barriers, exchanges, copies, phases, fences, branches, segments, exits, variables.

Events and their arrays belong to the core: do not change them, nor keep arrays without a copy. They are made for each
access of each segment, and frozen ones take six times as long.
"""

from dataclasses import dataclass

from harness.simt.arrays import Array, Booleans, Integers, Taint
from harness.simt.compile.declarations import Spaces
from harness.simt.compile.graph import Op
from harness.simt.ir.module import SourceVariable
from harness.simt.ir.site import Site
from harness.simt.state.allocation import Allocation
from harness.simt.state.events import AccessEvent, IndexEvent, TaintEvent
from harness.simt.state.lanes import LaneSet

__all__ = [
    "AccessEvent",
    "BarrierEvent",
    "BranchEvent",
    "ClusterEvent",
    "CopyEvent",
    "CopyPlaces",
    "ExitEvent",
    "FenceEvent",
    "IndexEvent",
    "PhaseEvent",
    "SegmentEvent",
    "ShuffleEvent",
    "TaintEvent",
    "VariableEvent",
    "WarpEvent",
]


@dataclass(slots=True, eq=False, repr=False)
class BarrierEvent:
    """Blocks pass a barrier.

    Attributes:
        groups: (site, lanes) of the lanes it releases; several when lanes of a
            block waited at different instructions.
        barrier: The number of the barrier.
        rows: The numbers in the chunk of the blocks that pass.
        exited: How many lanes of each of these blocks had ended before.
        memory: The address spaces it orders: `global`, `shared`; empty when the
            barrier itself orders nothing (AMD, where fences do).
        aligned: Whether all lanes of a warp had to come together.
        counted: Whether it waits for a given number of lanes, not for all live lanes.
        reduces: Whether it combines values of the lanes.
        arrived: The lanes of these blocks that arrived before without waiting
            (`bar.arrive`), or None.
    """

    groups: tuple[tuple[Site, LaneSet], ...]
    barrier: int
    rows: Integers
    exited: Integers
    memory: Spaces
    aligned: bool
    counted: bool = False
    reduces: bool = False
    arrived: LaneSet | None = None


@dataclass(slots=True, eq=False, repr=False)
class WarpEvent:
    """Lanes of warps synchronise (`bar.warp.sync` and the like).

    Attributes:
        masks: The member mask of each lane, (n,) or (1,).
        memory: The address spaces it orders.
    """

    site: Site
    lanes: LaneSet
    masks: Integers
    memory: Spaces


@dataclass(slots=True, eq=False, repr=False)
class ShuffleEvent:
    """Lanes exchange values; this orders no memory.

    Attributes:
        operation: `shfl.bfly`, `vote.ballot`, `ds_bpermute`...
        masks: The member masks, (n,) or (1,); None if the operation has none.
        sources: For each lane the position in `lanes` it reads, or None when it
            reads all; -1 if the source is inactive.
        inactive: Positions whose source lane is inactive.
        values: The values that the lanes send; `results`: those that they receive.
        zeroed: Whether an inactive source gives 0; otherwise it is undefined.
    """

    site: Site
    lanes: LaneSet
    operation: str
    masks: Integers | None
    sources: Integers | None
    inactive: Integers
    values: Array
    results: Array
    zeroed: bool = False


@dataclass(slots=True, eq=False, repr=False)
class ClusterEvent:
    """Lanes arrive at, or leave, the barrier of their cluster.

    Attributes:
        kind: `arrive` or `wait`.
        order: `release`, `relaxed` or `acquire`.
        phases: How often each lane arrived before, (n,).
    """

    kind: str
    site: Site
    lanes: LaneSet
    order: str
    phases: Integers


@dataclass(slots=True, eq=False, repr=False)
class CopyPlaces:
    """The memory of one allocation that some lanes of a copy read or write.

    Attributes:
        role: `source`, `target`, or `update` if the copied values are combined with memory, as by atomics.
        positions: The positions of those lanes in the event's lanes.
        starts: The first byte of each, counted through all rows of the allocation.
        size: Bytes of each.
    """

    role: str
    allocation: Allocation
    positions: Integers
    starts: Integers
    size: int


@dataclass(slots=True, eq=False, repr=False)
class CopyEvent:
    """Lanes begin an asynchronous copy, or such a copy ends.

    Attributes:
        kind: `begin`; `read` when the source may be written again; `end` when the target may be read, and the
            source written.
        number: The same for all events of one copy.
        site: The instruction that begins it.
        lanes: With `begin` all lanes that copy, later those whose copies proceed.
        places: With `begin`, the memory that the copy uses.
        product: Whether it is not a copy, but a matrix product that reads its operands.
    """

    kind: str
    number: int
    site: Site
    lanes: LaneSet
    places: tuple[CopyPlaces, ...] = ()
    product: bool = False


@dataclass(slots=True, eq=False, repr=False)
class PhaseEvent:
    """Lanes arrive at mbarriers, or go on because a phase has ended; or they arrive at a barrier of the block without
    waiting, or wait there for such lanes.

    Attributes:
        kind: `arrive` or `wait`.
        places: For each lane the key of its mbarrier in the chunk, or the number of a barrier of the block;
            -1 for none.
        phases: For each lane the phase that it arrives in, or that has ended, counted from 0.
        strong: Whether an arrival releases, or a wait acquires.
        scope: `block`, `cluster`...; `copy` for the bytes of a copy, which all that wait there see.
    """

    kind: str
    site: Site
    lanes: LaneSet
    places: Integers
    phases: Integers
    strong: bool
    scope: str


@dataclass(slots=True, eq=False, repr=False)
class FenceEvent:
    """Lanes order their own accesses.

    Attributes:
        ordering: `acquire`, `release`, `acq_rel` or `seq_cst`; `proxy` if it orders only the proxies,
            `begin` if it releases only the initialisation of mbarriers.
        scope: `warp`, `block`, `cluster`, `device` or `system`.
        spaces: The address spaces concerned.
    """

    site: Site
    lanes: LaneSet
    ordering: str
    scope: str
    spaces: Spaces


@dataclass(slots=True, eq=False, repr=False)
class BranchEvent:
    """Lanes take a branch.

    Attributes:
        taken: Whether each lane takes the first label, (n,) or (1,).
    """

    site: Site
    lanes: LaneSet
    taken: Booleans


@dataclass(slots=True, eq=False, repr=False)
class SegmentEvent:
    """Lanes are about to run a segment: a part of a basic block.

    Attributes:
        number: The segment's number.
        ops: The instructions that each lane runs.
    """

    number: int
    lanes: LaneSet
    ops: tuple[Op, ...]


@dataclass(slots=True, eq=False, repr=False)
class ExitEvent:
    """Lanes end."""

    site: Site | None
    lanes: LaneSet


@dataclass(slots=True, eq=False, repr=False)
class VariableEvent:
    """A named variable of the source gets a value; only modules decoded with `variables` have this event.

    Attributes:
        variable: The variable.
        values: Its value in each lane, (n,), (1,) or with a vector's elements along axis 1.
        taint: None, or for each lane the origin of an undefined value, 0 if none.
    """

    variable: SourceVariable
    site: Site
    lanes: LaneSet
    values: Array
    taint: Taint = None
