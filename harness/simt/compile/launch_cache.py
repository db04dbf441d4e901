"""`LaunchCache`, one for each program: its segments' functions, compiled kernels, fidelity, loops and launch times.

It holds no outputs of launches. Later launches use it to start faster and to choose an engine.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from harness.simt.arrays import Array
from harness.simt.compile.loop_control import LoopControl
from harness.simt.ir.site import Site
from harness.simt.state.lanes import Dim, GeometryCache, LaneSet
from harness.simt.state.merge import Values

__all__ = ["LaunchCache", "SegmentFunction"]

# Takes the engine, the lanes that run a segment, and the values of the segment's phis.
SegmentFunction: TypeAlias = Callable[[Any, LaneSet, Values], None]


@dataclass(slots=True, eq=False)
class LaunchCache:
    """Results of launches of one program that later launches use again.

    Attributes:
        functions: Compiled segments, by number.
        origins: The origins of undefined values in code, by taint number from `BROKEN` on: (kind, source, site).
        fidelity: By operation `exact` (bit for bit what the architecture defines), `may fuse` (as written, but the
            compiler may contract it into an fma), `approximate` (hardware may differ in the last places), `unknown`
            (refused) or, of `ATOMIC_ORDERING` alone, `as written` (the ordering of an atomic is assumed).
        fidelity_segments: The numbers of the segments that `fidelity` covers.
        checked_geometries: (grid, block, cluster) of launches that were found to fit the target and the kernel.
        geometry: The geometry of the last chunk that ran, for the next chunk to share.
        initial: The initial bytes of global variables, by their numbers.
        loops: What decides whether lanes leave a loop, by the segment number of its head.
        native: The compiled kernel, or why there is none, by its notes; see `harness.simt.native`.
        identity: A text that identifies the kernel, the same in all processes.
        history: Measurements from other processes; see `harness.simt.native.history`.
        lockstep: Whether compiled code counts everything in each block, because no block represents others.
        cpu_seconds: The CPU time in seconds of all its interpreted launches.
        rate: The CPU time in seconds of the last interpreted launch for each of its threads.
        seeded_seconds: The CPU time in seconds of the last launch in an order that a seed gave.
    """

    functions: dict[int, SegmentFunction] = field(default_factory=dict)
    origins: list[tuple[str, str, Site | None]] = field(default_factory=list)
    fidelity: dict[str, str] = field(default_factory=dict)
    fidelity_segments: set[int] = field(default_factory=set)
    checked_geometries: set[tuple[Dim, Dim, Dim]] = field(default_factory=set)
    geometry: GeometryCache | None = None
    initial: dict[int, Array] = field(default_factory=dict)
    loops: dict[int, LoopControl] = field(default_factory=dict)
    native: dict[frozenset[str], Any] = field(default_factory=dict)
    identity: str = ""
    history: Any = None
    lockstep: bool = False
    cpu_seconds: float = 0.0
    rate: float = 0.0
    seeded_seconds: float = 0.0

    def record_interpreted(self, seconds: float, threads: int) -> None:
        """Add an interpreted launch's CPU time in seconds to `cpu_seconds`; set `rate` to its time for each thread."""
        self.cpu_seconds += seconds
        self.rate = seconds / threads
