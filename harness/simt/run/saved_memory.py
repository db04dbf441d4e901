"""Undo log of an interpreted launch: copy memory before it, restore it to restart compiled or counting less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from harness.simt.compile.program import Program
from harness.simt.native import estimate
from harness.simt.native.attempt import costs
from harness.simt.observe import Observer
from harness.simt.options import Options
from harness.simt.run.interpreter import Interpreter
from harness.simt.state.allocation import Snapshot

__all__ = ["PATIENCE", "SavedMemory"]

PATIENCE = 0.1  # seconds of CPU, at least: more if compiling costs more
USUAL_COST = PATIENCE / estimate.PATIENCE  # of compiling: up to this cost, PATIENCE is enough
COUNTING_PATIENCE = 1.0  # seconds, if compiled code would count less
ALLOCATORS = ("malloc", "free")
MAX_BYTES = 1 << 24  # copying more takes longer than many launches do


class SavedMemory:
    """The memory that outlives a launch, as it was before.

    Attributes:
        patience: Seconds of CPU after which the launch restarts; below 0 if it restarts before it touches memory.
    """

    def __init__(self, program: Program, snapshot: Snapshot, observers: Sequence[Observer], patience: float) -> None:
        self._program, self._snapshot, self._observers, self.patience = program, snapshot, observers, patience

    @classmethod
    def of(cls, engine: Interpreter, observers: Sequence[Observer] = ()) -> SavedMemory | None:
        """Copy the memory that a launch may change and that outlives it, so that the launch can restart.

        If that is more than 16 MiB and the kernel has a loop, nothing is copied and `patience` is -1: the caller is to
        restart the launch before it touches memory.

        Args:
            observers: Those that count less after the restart, if what they count is why the launch is interpreted.

        Returns:
            None if the launch cannot restart: its time budget is too short, it allocates memory, or it has too much to
            copy and no loop.
        """
        patience = COUNTING_PATIENCE if observers else _patience_for(costs(engine.program).together)
        if engine.options.max_seconds <= patience:
            return None
        if any(item.name in ALLOCATORS for item in engine.program.called):
            return None
        allocations, device = engine.memory.allocations, engine.memory.device
        surviving = [item for item in allocations if item.argument is not None and item.rows == "grid"]
        surviving += device.values()  # a launch can reach these through addresses in memory, too
        written = [item for item in surviving if item.writable and not item.freed]
        if sum(item.size for item in written) <= MAX_BYTES:
            return cls(engine.program, Snapshot(written), observers, patience)
        loops = any(item.loop is not None for item in engine.program.segments)
        return cls(engine.program, Snapshot(()), observers, -1.0) if loops else None

    def restore(self, options: Options) -> Options:
        """Put memory back as it was, and return the options with which the launch restarts.

        Without observers that can count less, it restarts in the compiled engine, and the program's CPU seconds grow by
        `patience`, the time that it was interpreted; else these observers are told to count less (`more` is cleared),
        and the options stay.
        """
        self._snapshot.restore()
        if not self._observers:
            self._program.cache.cpu_seconds += max(0.0, self.patience)
            return replace(options, engine="native")
        for observer in self._observers:
            observer.more = False
        return options


def _patience_for(cost: float) -> float:
    """Return how many seconds of CPU a launch is interpreted before it restarts, given the cost of compiling it."""
    return min(PATIENCE * max(1.0, cost / USUAL_COST), PATIENCE + estimate.PATIENCE * cost)
