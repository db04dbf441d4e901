"""`Observer` with its hooks; the launch that they see; `Proof`, the compiled engine's results in place of events.

Subclass `Observer` and override the hooks of interest: the core calls only
hooks that are overridden, and builds an event only when somebody listens.
`harness.simt.events` has the events.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.compile.program import Program
from harness.simt.errors import KernelFault, Trap
from harness.simt.events import (
    AccessEvent,
    BarrierEvent,
    BranchEvent,
    ClusterEvent,
    CopyEvent,
    ExitEvent,
    FenceEvent,
    IndexEvent,
    PhaseEvent,
    SegmentEvent,
    ShuffleEvent,
    TaintEvent,
    VariableEvent,
    WarpEvent,
)
from harness.simt.findings import Counts, Finding
from harness.simt.ir.site import Line, Site
from harness.simt.ir.values import BROKEN
from harness.simt.rows import Row
from harness.simt.state.allocation import Allocation
from harness.simt.state.chunk import Chunk
from harness.simt.state.lanes import Dim, Geometry, LaneSet
from harness.simt.state.memory import Memory
from harness.simt.state.reports import Origin, Origins, Reports
from harness.simt.targets import SimulatedTarget

__all__ = ["NONE", "ObservedLaunch", "Observer", "Proof", "RunningLaunch"]

NONE: Mapping[Any, Any] = MappingProxyType({})


class Proof(NamedTuple):
    """The results of a launch that the compiled engine ran, besides what it always proves.

    It always proves: no access out of bounds, misaligned or to read-only memory; no two threads at one location without
    a barrier of the block in between, one of them writing; no access to memory that a copy in flight uses; no use of
    undefined values; all threads of a block at each of its barriers, and of a warp at each exchange; no division by
    zero.

    Attributes:
        needed: The lines of the barriers for each of which some exchange is ordered by it alone, if an observer's
            notes ask for `needs`.
        needless: The lines of the other barriers that it passed.
        sure: Whether no exchange needs one of these, and each block came to them in this order.
        atomics: Whether it ran atomic or volatile accesses, whose order is unknown.
        partial: Whether it is of some blocks alone: the others run with all hooks, and none of them accesses what one
            of those wrote, nor writes what one of those read.
        exchanged: Whether a block accessed the shared memory of another one of its cluster.
        totals: Counts of accesses to shared and global memory, by the names of `Counters`;
            `global_asked`: the bytes of requests of global memory, an atomic's once.
        touched: By the number of an allocation, how often each cell of it was loaded, and stored to.
        writers: By the number of an allocation in global memory, which threads of the grid stored there.
        like: Blocks that run once more because each represents all that behave like it: how many these are, itself
            among them. Their accesses to global memory are counted.
        most: If everything was counted, the most that a thread or a block did, by the names of `Counters`.
        units: With `most`, by the number of an allocation in global memory, the bytes of the elements it is counted in.
        cells: Returns, by the number of an allocation in global memory that may be written, when each cell of it was
            last accessed: (n, 4); the second column is 0 if it was not stored to, the fourth if not loaded.
        grain: Bytes of a cell; each access is to whole ones.
    """

    needed: frozenset[Line]
    needless: tuple[Line, ...]
    sure: bool
    atomics: bool
    partial: bool
    exchanged: bool = False
    totals: Mapping[str, int] = NONE
    touched: Mapping[int, tuple[Integers, Integers]] = NONE
    writers: Mapping[int, Booleans] = NONE
    like: Mapping[int, int] = NONE
    most: Mapping[str, int] = NONE
    units: Mapping[int, int] = NONE
    cells: Callable[[], Mapping[int, Integers]] = dict
    grain: int = 1


class ObservedLaunch(Reports):
    """The findings and counters of a launch so far, and where to report to.

    Attributes:
        program: The compiled kernel.
        counters: The counters of observers, for the result.
        profile: The same by source location, if an observer collects it.
        ordered: Whether an observer found that synchronisation, the same in any order of the threads, orders all
            accesses of different threads to one location. False if the launch has not ended, or no observer checks it.
        copies_ordered: The same for asynchronous copies: whether it orders all that other threads do to
            the bytes before or after all of the copy.
    """

    def __init__(self, program: Program, origins: Origins, check_time: Callable[[], None]) -> None:
        super().__init__(program.name, origins, check_time)
        self.program = program
        self.counters: Counts = {}
        self.profile: tuple[Row, ...] = ()
        self.ordered = self.copies_ordered = False

    def fail(
        self,
        name: str,
        sites: Sequence[Site | None],
        lanes: LaneSet,
        *,
        error: type[KernelFault] = Trap,
        argument: str | None = None,
        **values: Any,
    ) -> NoReturn:
        """End the launch with one finding of severity `error`, seen by all of `lanes`; never returns.

        The finding is only in the exception: `collector` stays as it is.

        Args:
            name: The id of its message.
            sites: Its source locations; None is left out.
            argument: Of the finding; `values` become its `values`.

        Raises:
            KernelFault: Always: `error`, with the finding.
        """
        places = tuple(site.place for site in sites if site is not None)
        who = tuple(lanes.who(np.arange(lanes.n)))
        count = max(1, lanes.n)
        raise error(Finding(name, "error", self.program.name, places, who, argument, values=values, count=count))

    def origin_of(self, number: int) -> Origin:
        """Return the origin of an undefined value, (kind, source, site or None), by its number.

        Numbers from `BROKEN` on are of an `undef` or an operation without a value in the code; lower ones of `Origins`.
        """
        number = int(number)
        if number >= BROKEN:
            in_code: Origin = self.program.cache.origins[number % BROKEN]
            return in_code
        return self._origins.of(number)


class RunningLaunch:
    """A launch as its observers see it.

    Attributes:
        program: The compiled kernel, for a `target`.
        grid, block, cluster: The launch's geometry; `cluster_size` in blocks.
        observation: The findings, the counters.
        memory: All allocations.
        chunk: The lanes that run; not set before the first.
        finished: Whether all lanes of the grid have ended.
        proof: The proof of the blocks that the compiled engine ran, while others run.
        check_time: Ends the launch when its time is over; to be called by what may take long.
    """

    program: Program
    target: SimulatedTarget
    grid: Dim
    block: Dim
    cluster: Dim
    cluster_size: int
    observation: ObservedLaunch
    memory: Memory
    chunk: Chunk
    finished: bool
    proof: Proof | None = None
    check_time: Callable[[], None]

    @property
    def geometry(self) -> Geometry:
        """The positions of the chunk's lanes in the grid."""
        return self.chunk.geometry

    def mbarrier_text(self, allocation: Allocation, octet: int) -> str | None:
        """Return the state of the `mbarrier` at a byte of an allocation, such as `mbarrier 1 3/256`, or None."""
        return None

    def report(
        self, name: str, severity: str, sites: tuple[Site, ...], lanes: LaneSet, positions: Array, **details: Any
    ) -> None:
        """Report a finding of the lanes at some positions; see `Collector.add`."""
        self.observation.report(name, severity, sites, lanes, positions, **details)


LaneEvent: TypeAlias = AccessEvent | IndexEvent | ShuffleEvent | TaintEvent | WarpEvent


class Observer:
    """Base of all observers: every hook does nothing.

    Attributes:
        engine: The launch, from its beginning on.
        coarsest: The bytes of the widest location in its findings; narrower accesses elsewhere would split it.
        more: Whether it wants more than it needs, and goes without if the launch would take long for it.
    """

    engine: RunningLaunch
    coarsest = 0
    more = False

    def report(
        self,
        event: LaneEvent,
        message: str,
        positions: Array,
        severity: str = "error",
        *,
        also: Site | None = None,
        **details: Any,
    ) -> None:
        """Report a finding of an event's lanes at some positions, at the event's site; see `Collector.add`.

        Without positions it is reported all the same, without lanes and with count 1.

        Args:
            positions: Indices into `event.lanes`.
            message: The id of its message.
            also: Another instruction that it is about, as the second site.
            details: See `Collector.add`.
        """
        sites = (event.site,) if also is None else (event.site, also)
        self.engine.observation.report(message, severity, sites, event.lanes, positions, **details)

    @property
    def blocks(self) -> Sequence[int] | None:
        """The numbers in the grid of the blocks whose events it needs, or None for all; it may get those of others."""
        return None

    def concerns(self, program: Program) -> bool:
        """Return whether the observer is needed for a kernel; if not, it gets no events."""
        return True

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """Take the proof of a launch that the compiled engine ran, in place of all other hooks.

        Returns:
            Whether it has nothing to report, or, for a part of the launch, will report the same as if it had seen all.
            If not, the launch is interpreted. If this is not overridden, `blocks` are interpreted for it once more.
        """
        return False

    def notes(self) -> frozenset[str] | None:
        """Return what compiled code must note for `adopt`; None if `adopt` cannot do.

        See `counting` in `harness.simt.native`, and `needs` of a `Proof`.
        """
        return frozenset()

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Handle that a launch begins."""

    def launch_end(self, engine: RunningLaunch) -> None:
        """Handle that a launch ends, also if it ends early."""

    def chunk_begin(self, geometry: Geometry) -> None:
        """Handle that the blocks of a chunk begin; their shared and private memory are fresh."""

    def chunk_end(self, geometry: Geometry) -> None:
        """Handle that all lanes of a chunk have ended."""

    def segment(self, event: SegmentEvent) -> None:
        """Handle that lanes are about to run a segment."""

    def access(self, event: AccessEvent) -> None:
        """Handle a load, a store or an atomic."""

    def barrier(self, event: BarrierEvent) -> None:
        """Handle that blocks pass a barrier."""

    def warp_sync(self, event: WarpEvent) -> None:
        """Handle that lanes of warps synchronise."""

    def shuffle(self, event: ShuffleEvent) -> None:
        """Handle that lanes exchange values."""

    def cluster(self, event: ClusterEvent) -> None:
        """Handle that lanes arrive at, or leave, the barrier of their cluster."""

    def copy(self, event: CopyEvent) -> None:
        """Handle that an asynchronous copy begins or ends."""

    def phase(self, event: PhaseEvent) -> None:
        """Handle that lanes arrive at an mbarrier, or go on because a phase has ended."""

    def fence(self, event: FenceEvent) -> None:
        """Handle a fence."""

    def branch(self, event: BranchEvent) -> None:
        """Handle that lanes take a branch."""

    def exit(self, event: ExitEvent) -> None:
        """Handle that lanes end."""

    def tainted(self, event: TaintEvent) -> None:
        """Handle that an undefined value is used; overriding this makes the core track undefined values."""

    def variable(self, event: VariableEvent) -> None:
        """Handle that a named variable gets a value."""

    def index(self, event: IndexEvent) -> None:
        """Handle that lanes index an array."""
