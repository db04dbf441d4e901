"""Send events to the observers that listen; reset a launch's findings; report capabilities that its target lacks."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeVar

from harness.simt.arrays import Array, Taint
from harness.simt.capabilities import Use
from harness.simt.compile.program import Program
from harness.simt.events import IndexEvent, VariableEvent
from harness.simt.findings import Collector, Who
from harness.simt.ir.site import Site
from harness.simt.observe import ObservedLaunch, Observer, RunningLaunch
from harness.simt.state.lanes import LaneSet
from harness.simt.state.reports import Hooks, Origins

__all__ = ["Observation"]

Event = TypeVar("Event")


def _overrides(observer: Observer, hook: Callable[[Observer, Event], None]) -> bool:
    return getattr(type(observer), hook.__name__) is not hook


def _hooks(hook: Callable[[Observer, Event], None]) -> cached_property[Hooks[Event]]:
    """Make an attribute with one of `Observer`'s hooks, collected from the listeners at first use: few are used.

    Only listeners that override the hook are in it; `set_listeners` discards what was collected.
    """

    def collect(observation: "Observation") -> Hooks[Event]:
        observation.used_hooks.append(f"on_{hook.__name__}")
        listeners = (observer for observer in observation.listeners if _overrides(observer, hook))
        return Hooks(getattr(observer, hook.__name__) for observer in listeners)

    return cached_property(collect)


class Observation(ObservedLaunch):
    """The observers of a launch, and what they found so far.

    Attributes:
        observers: The observers that the kernel concerns.
        listeners: Those of them that get events now.
        on_...: The hooks; make an event only if somebody listens: `if observation.on_exit: observation.on_exit(...)`.
        used_hooks: The names of the hooks that were collected.
        tracked: Whether undefined values are tracked: a listener wants to know of their use.
        reported_uses: The instructions whose use of a missing capability was reported.
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
        self.used_hooks: list[str] = []
        self.reported_uses: set[Site] = set()
        self.set_listeners(self.observers)

    def set_listeners(self, observers: list[Observer]) -> None:
        """Send events only to these observers from now on; track undefined values only if one of them wants that."""
        self.listeners, self.tracked = observers, any(_overrides(observer, Observer.tainted) for observer in observers)
        while self.used_hooks:
            delattr(self, self.used_hooks.pop())

    def begin(self, engine: RunningLaunch) -> None:
        """Set `engine` in all observers, and tell those that listen that a launch begins."""
        for observer in self.observers:
            observer.engine = engine
        self.on_launch_begin(engine)

    def forget(self) -> None:
        """Discard all findings, counters and claims about the order; the profile and the observers stay."""
        self.collector, self.counters = Collector(self.program.name), {}
        self.ordered = self.copies_ordered = False
        self.reported_uses.clear()

    def close(self) -> None:
        """Report uses of missing capabilities that no lane reached; then empty `observers` and all hooks.

        No event follows; observers keep their `engine`. If the launch still referred to them, its memory would stay
        until a full garbage collection.
        """
        self._report_unreached()
        self.observers.clear()
        for name in self.used_hooks:
            getattr(self, name).clear()

    def report_lacking(self, site: Site, use: Use, who: Sequence[Who] = (), count: int = 1) -> None:
        """Report the use of a capability that the target lacks, by some lanes or in the code alone, as an error.

        It is one finding for each source location, capability and `use.subject` (as an instruction); calls add up.
        """
        capability, target = use.capability, self.program.target
        values = {"target": target.name, "needed": use.subject, "targets": capability.targets}
        self.collector.add(
            f"capability.{capability.id}",
            "error",
            (site,),
            who,
            values=values,
            count=count,
            key=(capability.id, use.subject),
        )

    def _report_unreached(self) -> None:
        """Report uses that no lane reached, if the target's compiler rejects the whole kernel because of them."""
        for site, use in self.program.lacking.items():
            if use.capability.when == "compiled" and site not in self.reported_uses:
                self.report_lacking(site, use)

    def emit_index(self, site: Site, lanes: LaneSet, values: tuple[Array, ...]) -> None:
        """Report to observers that lanes index an array."""
        self.on_index(IndexEvent(site.instruction.attrs["variable"].shape, site, lanes, values))

    def emit_variable(self, site: Site, lanes: LaneSet, values: Array, taint: Taint) -> None:
        """Report to observers the value of a named variable."""
        self.on_variable(
            VariableEvent(site.instruction.attrs["variable"], site, lanes, values, taint if self.tracked else None)
        )
