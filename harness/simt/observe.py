"""How a launch is observed.

Subclass `Observer` and override the hooks of interest: the core calls only
hooks that are overridden, and builds an event only when somebody listens.
`harness.simt.events` has the events.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from harness.simt.arrays import Array
from harness.simt.compile.program import Program
from harness.simt.events import (
    AccessEvent,
    BarrierEvent,
    BranchEvent,
    ClusterEvent,
    CopyEvent,
    ExitEvent,
    FenceEvent,
    PhaseEvent,
    SegmentEvent,
    ShuffleEvent,
    TaintEvent,
    VariableEvent,
    WarpEvent,
)
from harness.simt.findings import Collector, Counts, Who
from harness.simt.ir.site import Site
from harness.simt.state.chunk import Chunk
from harness.simt.state.lanes import Dim, Geometry, LaneSet
from harness.simt.state.memory import Memory
from harness.simt.targets import SimulatedTarget

__all__ = ["Observer", "RunningLaunch", "Seen"]


class Seen(Protocol):
    """What was seen of a launch so far.

    Attributes:
        collector: The findings.
        counters: What observers counted, for the result.
        ordered: Whether an observer saw that synchronisation, the same in any order of the threads, orders all accesses
            of different threads to one place; of a launch that has not ended, or that none of them looks at: False.
    """

    collector: Collector
    counters: Counts
    ordered: bool

    def origin_of(self, number: int) -> tuple[str, str, Site | None]:
        """(kind, source, site or None) of an origin's number."""
        ...


class RunningLaunch(Protocol):
    """A launch as its observers know it.

    Attributes:
        program: The compiled kernel, for a `target`.
        grid, block, cluster: The launch's geometry; `cluster_size` in blocks.
        memory: All allocations.
        chunk: The lanes that run; not set before the first.
        finished: Whether all lanes of the grid have ended.
    """

    program: Program
    target: SimulatedTarget
    grid: Dim
    block: Dim
    cluster: Dim
    cluster_size: int
    memory: Memory
    chunk: Chunk
    finished: bool

    @property
    def observation(self) -> Seen:
        """Findings and counters."""
        ...

    @property
    def geometry(self) -> Geometry:
        """Where the lanes of the chunk are."""
        ...

    def who(self, lanes: LaneSet, positions: Array | Sequence[int]) -> list[Who]:
        """Block, thread, warp and lane of some lanes, at most 64."""
        ...

    def check_time(self) -> None:
        """Ends the launch when its time is over; for observers whose work for one event may take long."""
        ...

    def report(
        self, name: str, severity: str, sites: tuple[Site, ...], lanes: LaneSet, positions: Array, **details: Any
    ) -> None:
        """Adds a finding; see `Collector.add`."""
        ...


class Observer:
    """Base of all observers: every hook does nothing.

    Before anything else it is told the `RunningLaunch` through `launch_begin`.
    """

    def concerns(self, program: Program) -> bool:
        """Whether there is anything to look for in a kernel; where not, nothing is told."""
        return True

    def launch_begin(self, engine: RunningLaunch) -> None:
        """A launch begins."""

    def launch_end(self, engine: RunningLaunch) -> None:
        """A launch ends, also when it ends early."""

    def chunk_begin(self, geometry: Geometry) -> None:
        """The blocks of a chunk begin; shared and private memory are fresh."""

    def chunk_end(self, geometry: Geometry) -> None:
        """All lanes of a chunk have ended."""

    def segment(self, event: SegmentEvent) -> None:
        """See `SegmentEvent`."""

    def access(self, event: AccessEvent) -> None:
        """See `AccessEvent`."""

    def barrier(self, event: BarrierEvent) -> None:
        """See `BarrierEvent`."""

    def warp_sync(self, event: WarpEvent) -> None:
        """See `WarpEvent`."""

    def shuffle(self, event: ShuffleEvent) -> None:
        """See `ShuffleEvent`."""

    def cluster(self, event: ClusterEvent) -> None:
        """See `ClusterEvent`."""

    def copy(self, event: CopyEvent) -> None:
        """See `CopyEvent`."""

    def phase(self, event: PhaseEvent) -> None:
        """See `PhaseEvent`."""

    def fence(self, event: FenceEvent) -> None:
        """See `FenceEvent`."""

    def branch(self, event: BranchEvent) -> None:
        """See `BranchEvent`."""

    def exit(self, event: ExitEvent) -> None:
        """See `ExitEvent`."""

    def tainted(self, event: TaintEvent) -> None:
        """See `TaintEvent`; overriding this makes the core carry taints."""

    def variable(self, event: VariableEvent) -> None:
        """See `VariableEvent`."""
