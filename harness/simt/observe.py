"""How a launch is observed.

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

__all__ = ["NONE", "Observer", "Proof", "RunningLaunch", "Seen"]

NONE: Mapping[Any, Any] = MappingProxyType({})


class Proof(NamedTuple):
    """What native code found of a launch, beside what it always proves.

    That is: no access out of bounds, misaligned or of what may not be written; no two threads at one place without a
    barrier of the block in between, one of them writing; nothing touched that a copy under way uses; nothing undefined
    used; all threads of a block at each of its barriers, and of a warp at each exchange; nothing divided by zero.

    Attributes:
        needed: The lines of those barriers that it passed for each of which there is an exchange that only it orders,
            where somebody's notes ask for `needs`.
        needless: The lines of the others.
        sure: Whether no exchange is ordered by these alone, and each block came to them in this order.
        atomics: Whether it ran atomic or volatile accesses, whose order nobody could tell.
        partial: Whether it is of some blocks alone: the others run with all hooks, and none of them touches what one
            of those wrote, nor writes what one of those read.
        exchanged: Whether a block touched the shared memory of another one of its cluster.
        totals: What was counted of accesses to shared and global memory, by the names of `Counters`;
            `global_asked`: the bytes of requests of global memory, an atomic's once.
        touched: By the number of an allocation, how often each part of it was loaded, and stored to.
        writers: By the number of an allocation in global memory which threads of the grid stored there.
        like: Blocks that run once more because each stands for all that go as it does: how many these are, itself among
            them. What they touch of global memory is counted.
        most: If everything was counted, the most that a thread or a block did, by the names of `Counters`.
        units: With `most`, by the number of an allocation in global memory the bytes of the elements it is counted in.
        cells: Gives by the number of an allocation in global memory that may be written, when each part of it was last
            touched: (n, 4), of which the second column is 0 where it was not stored to, the fourth where not loaded.
        grain: Bytes of such a part; each access is to whole ones.
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


class Seen(Reports):
    """What was seen of a launch so far, and whom to report to.

    Attributes:
        program: The compiled kernel.
        counters: What observers counted, for the result.
        profile: The same by the places of the source, for whoever asked for it.
        ordered: Whether an observer saw that synchronisation, the same in any order of the threads, orders all accesses
            of different threads to one place; of a launch that has not ended, or that none of them looks at: False.
        copies_ordered: The same of copies that are waited for later: whether it orders all that other threads do to
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
        """Ends the launch with one finding."""
        places = tuple(site.place for site in sites if site is not None)
        who = tuple(lanes.who(np.arange(lanes.n)))
        count = max(1, lanes.n)
        raise error(Finding(name, "error", self.program.name, places, who, argument, values=values, count=count))

    def origin_of(self, number: int) -> Origin:
        """(kind, source, site or None) of an origin's number."""
        number = int(number)
        if number >= BROKEN:
            in_code: Origin = self.program.cache.origins[number % BROKEN]
            return in_code
        return self._origins.of(number)


class RunningLaunch:
    """A launch as its observers know it.

    Attributes:
        program: The compiled kernel, for a `target`.
        grid, block, cluster: The launch's geometry; `cluster_size` in blocks.
        observation: The findings, the counters.
        memory: All allocations.
        chunk: The lanes that run; not set before the first.
        finished: Whether all lanes of the grid have ended.
        proof: What is known of the blocks that machine code ran, where others run.
        check_time: Ends the launch when its time is over; for what may take long.
    """

    program: Program
    target: SimulatedTarget
    grid: Dim
    block: Dim
    cluster: Dim
    cluster_size: int
    observation: Seen
    memory: Memory
    chunk: Chunk
    finished: bool
    proof: Proof | None = None
    check_time: Callable[[], None]

    @property
    def geometry(self) -> Geometry:
        """Where the lanes of the chunk are."""
        return self.chunk.geometry

    def mbarrier_text(self, allocation: Allocation, octet: int) -> str | None:
        """Return the state of the `mbarrier` at a byte of an allocation, as a recording shows it, or None."""
        return None

    def report(
        self, name: str, severity: str, sites: tuple[Site, ...], lanes: LaneSet, positions: Array, **details: Any
    ) -> None:
        """Adds a finding; see `Collector.add`."""
        self.observation.report(name, severity, sites, lanes, positions, **details)


Acted: TypeAlias = AccessEvent | IndexEvent | ShuffleEvent | TaintEvent | WarpEvent


class Observer:
    """Base of all observers: every hook does nothing.

    Attributes:
        engine: The launch, from its beginning on.
        coarsest: Of what it told, the bytes of the widest place: narrower accesses elsewhere make all of them narrower.
        more: Whether it asks for what it goes without where a launch would take long for it.
    """

    engine: RunningLaunch
    coarsest = 0
    more = False

    def report(
        self,
        event: Acted,
        message: str,
        here: Array,
        severity: str = "error",
        *,
        also: Site | None = None,
        **details: Any,
    ) -> None:
        """Adds a finding of an event's lanes at some positions.

        Args:
            also: Another place in the source that it is about.
            details: See `Collector.add`.
        """
        sites = (event.site,) if also is None else (event.site, also)
        self.engine.observation.report(message, severity, sites, event.lanes, here, **details)

    @property
    def blocks(self) -> Sequence[int] | None:
        """The numbers in the grid of the blocks whose events it needs, or None for all; it may get those of others."""
        return None

    def concerns(self, program: Program) -> bool:
        """Whether there is anything to look for in a kernel; where not, nothing is told."""
        return True

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """Takes a launch that native code ran, in place of all other hooks.

        Returns:
            Whether it has nothing to say of it, or, of a part of it, will say the same as if it had watched all. If
            not, the launch runs in Python. Where this is not overridden, `blocks` run in Python for it once more.
        """
        return False

    def notes(self) -> frozenset[str] | None:
        """What native code is to note for `adopt`: see `counting` in `harness.simt.native`, and `needs` of a `Proof`.

        None where that would not do.
        """
        return frozenset()

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

    def index(self, event: IndexEvent) -> None:
        """See `IndexEvent`."""
