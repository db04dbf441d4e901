"""What observers of a launch are told, as values.

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
        rows: The chunk's numbers of the blocks that pass.
        exited: How many lanes of each of these blocks had ended before.
        memory: The address spaces it orders: `global`, `shared`; empty when the
            barrier itself orders nothing (AMD, where fences do).
        aligned: Whether all lanes of a warp had to come together.
        counted: Whether it says how many lanes it takes; otherwise it is all that live.
        reduces: Whether it hands over what the lanes give it.
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
        masks: The member masks, (n,) or (1,); None where the operation has none.
        sources: For each lane the position in `lanes` it reads, or None when it
            reads all; -1 where the source is inactive.
        inactive: Positions whose source lane is inactive.
        values: What each lane gives; `results`: what it gets.
        zeroed: Whether an inactive source gives 0, where otherwise it is undefined.
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
    """What some lanes of a copy read or write of one allocation.

    Attributes:
        role: `source`, `target`, or `update` where what is copied is combined with what is there, as by atomics.
        positions: Of those lanes in the event's lanes.
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
    """Lanes begin a copy that they wait for later, or such a copy ends.

    Attributes:
        kind: `begin`; `read` when the source may be written again; `end` when the target may be read, and the
            source written.
        number: The same for all events of one copy.
        site: The instruction that begins it.
        lanes: Whose it is: with `begin` all that copy, later those of them for which it goes on.
        places: With `begin`, what is in flight.
        product: Whether it is no copy, but a matrix product that reads its operands.
    """

    kind: str
    number: int
    site: Site
    lanes: LaneSet
    places: tuple[CopyPlaces, ...] = ()
    product: bool = False


@dataclass(slots=True, eq=False, repr=False)
class PhaseEvent:
    """Lanes arrive at barriers in shared memory, or go on because a phase has ended; or they arrive at a barrier of
    the block without waiting, or wait there for such.

    Attributes:
        kind: `arrive` or `wait`.
        places: For each lane a number that stands for its barrier in the chunk, or the number of one of the block;
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
        ordering: `acquire`, `release`, `acq_rel` or `seq_cst`; `proxy` where it orders the ways to memory alone,
            `begin` where it releases that barriers in shared memory have begun, and nothing else.
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
    """Lanes choose a way.

    Attributes:
        taken: Whether each lane takes the first label, (n,) or (1,).
    """

    site: Site
    lanes: LaneSet
    taken: Booleans


@dataclass(slots=True, eq=False, repr=False)
class SegmentEvent:
    """Lanes are about to run a piece of a block.

    Attributes:
        number: The segment's number; the same piece has the same number.
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
    """A named variable of the source has a value now; only modules decoded with `variables` tell.

    Attributes:
        variable: Which.
        values: Its value in each lane, (n,), (1,) or with a vector's elements along axis 1.
        taint: None, or for each lane the origin of an undefined value, 0 if none.
    """

    variable: SourceVariable
    site: Site
    lanes: LaneSet
    values: Array
    taint: Taint = None
