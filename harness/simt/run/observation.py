"""Observing a launch: who listens, and what they are told."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeVar

from harness.simt.arrays import Array, Taint
from harness.simt.capabilities import Use
from harness.simt.compile.program import Program
from harness.simt.events import IndexEvent, VariableEvent
from harness.simt.findings import Collector, Who
from harness.simt.ir.site import Site
from harness.simt.observe import Observer, RunningLaunch, Seen
from harness.simt.state.lanes import LaneSet
from harness.simt.state.reports import Hooks, Origins

__all__ = ["Observation"]

Told = TypeVar("Told")


def _overrides(observer: Observer, hook: Callable[[Observer, Told], None]) -> bool:
    return getattr(type(observer), hook.__name__) is not hook


def _hooks(hook: Callable[[Observer, Told], None]) -> cached_property[Hooks[Told]]:
    """One of `Observer`'s, looked for when first asked for: a launch that machine code proves asks for few."""

    def found(observation: "Observation") -> Hooks[Told]:
        observation.asked.append(f"on_{hook.__name__}")
        told = (each for each in observation.told if _overrides(each, hook))
        return Hooks(getattr(each, hook.__name__) for each in told)

    return cached_property(found)


class Observation(Seen):
    """What observers are told of a launch.

    Attributes:
        observers, told: Those that the kernel concerns, and which of them listen now.
        on_...: The hooks; an event is built where somebody listens: `if observation.on_exit: observation.on_exit(...)`.
        asked: The names of those that were asked for.
        tracked: Whether undefined values are followed: somebody wants to know of their use.
        lacked: The instructions whose use of what the target lacks was reported.
    """

    on_launch_begin = _hooks(Observer.launch_begin)
    on_launch_end = _hooks(Observer.launch_end)
    on_chunk_begin = _hooks(Observer.chunk_begin)
    on_chunk_end = _hooks(Observer.chunk_end)
    on_segment = _hooks(Observer.segment)
    on_access = _hooks(Observer.access)
    on_barrier = _hooks(Observer.barrier)
    on_warp_sync = _hooks(Observer.warp_sync)
    on_shuffle = _hooks(Observer.shuffle)
    on_cluster = _hooks(Observer.cluster)
    on_copy = _hooks(Observer.copy)
    on_phase = _hooks(Observer.phase)
    on_fence = _hooks(Observer.fence)
    on_branch = _hooks(Observer.branch)
    on_exit = _hooks(Observer.exit)
    on_tainted = _hooks(Observer.tainted)
    on_variable = _hooks(Observer.variable)
    on_index = _hooks(Observer.index)

    def __init__(
        self, program: Program, observers: Sequence[Observer], origins: Origins, check_time: Callable[[], None]
    ) -> None:
        super().__init__(program, origins, check_time)
        self.observers = [observer for observer in observers if observer.concerns(program)]
        self.asked: list[str] = []
        self.lacked: set[Site] = set()
        self.tell(self.observers)

    def tell(self, observers: list[Observer]) -> None:
        """These alone are told of what comes."""
        self.told, self.tracked = observers, any(_overrides(each, Observer.tainted) for each in observers)
        while self.asked:
            delattr(self, self.asked.pop())

    def begin(self, engine: RunningLaunch) -> None:
        """A launch begins."""
        for observer in self.observers:
            observer.engine = engine
        self.on_launch_begin(engine)

    def forget(self) -> None:
        """Nothing was seen."""
        self.collector, self.counters = Collector(self.program.name), {}
        self.ordered = self.copies_ordered = False
        self.lacked.clear()

    def close(self) -> None:
        """Reports what no lane had to come to, and lets go of the observers, which refer back to the launch.

        Otherwise the memory of a launch stays until a full garbage collection, and
        peak memory grows with the number of launches.
        """
        self._report_unreached()
        self.observers.clear()
        for name in self.asked:
            getattr(self, name).clear()

    def report_lacking(self, site: Site, use: Use, who: Sequence[Who] = (), count: int = 1) -> None:
        """Reports the use of a capability that the target lacks."""
        row, target = use.capability, self.program.target
        values = {"target": target.name, "needed": use.subject, "targets": row.targets}
        self.collector.add(
            f"capability.{row.id}", "error", (site,), who, values=values, count=count, key=(row.id, use.subject)
        )

    def _report_unreached(self) -> None:
        """Reports the uses that no lane came to, where the target's compiler refuses the whole kernel for them."""
        for site, use in self.program.lacking.items():
            if use.capability.when == "compiled" and site not in self.lacked:
                self.report_lacking(site, use)

    def emit_index(self, site: Site, lanes: LaneSet, values: tuple[Array, ...]) -> None:
        """Tells of an index into an array."""
        self.on_index(IndexEvent(site.instruction.attrs["variable"].shape, site, lanes, values))

    def emit_variable(self, site: Site, lanes: LaneSet, values: Array, taint: Taint) -> None:
        """Tells what a named variable holds."""
        self.on_variable(
            VariableEvent(site.instruction.attrs["variable"], site, lanes, values, taint if self.tracked else None)
        )
