"""What a launch finds in memory, kept while Python runs it: where it takes longer than it looked it begins anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from harness.simt.compile.program import Program
from harness.simt.native import estimate
from harness.simt.native.attempt import costs
from harness.simt.observe import Observer
from harness.simt.options import Options
from harness.simt.run.engine import Engine
from harness.simt.state.allocation import Snapshot

__all__ = ["PATIENCE", "Begun"]

PATIENCE = 0.1  # seconds of CPU, at least: more where making machine code costs more
USUAL = PATIENCE / estimate.PATIENCE  # what making it costs where so much patience is enough
COUNTING = 1.0  # seconds, where machine code would count less
ALLOCATING = ("malloc", "free")
MOST = 1 << 24  # bytes: keeping more takes longer than many launches do


class Begun:
    """The memory that outlives a launch, as it was.

    Attributes:
        patience: Seconds after which the launch is to begin anew; below 0 before it touches memory.
    """

    def __init__(self, program: Program, kept: Snapshot, asking: Sequence[Observer], patience: float) -> None:
        self._program, self._kept, self._asking, self.patience = program, kept, asking, patience

    @classmethod
    def of(cls, engine: Engine, asking: Sequence[Observer] = ()) -> Begun | None:
        """Of a launch that may begin anew; None where it may not: it allocates memory, or would have to keep much.

        Unless it loops: then it is machine code's at once.

        Args:
            asking: The observers that are to ask for less then, if what they ask for is why Python runs it.
        """
        patience = COUNTING if asking else _patience(costs(engine.program).together)
        if engine.options.max_seconds <= patience:
            return None
        if any(one.name in ALLOCATING for one in engine.program.called):
            return None
        own, device = engine.memory.allocations, engine.memory.device
        lasting = [one for one in own if one.argument is not None and one.rows == "grid"]
        lasting += device.values()  # a launch may come to those of which it is given no address as a whole
        written = [one for one in lasting if one.writable and not one.freed]
        if sum(one.size for one in written) <= MOST:
            return cls(engine.program, Snapshot(written), asking, patience)
        loops = any(one.loop is not None for one in engine.program.segments)
        return cls(engine.program, Snapshot(()), asking, -1.0) if loops else None

    def restore(self, options: Options) -> Options:
        """Memory is as it was. Gives what the launch begins anew with."""
        self._kept.restore()
        if not self._asking:
            self._program.cache.cpu_seconds += self.patience
            return replace(options, engine="native")
        for one in self._asking:
            one.more = False
        return options


def _patience(cost: float) -> float:
    """Return how long a launch goes on before it begins again, given what making machine code of it costs."""
    return min(PATIENCE * max(1.0, cost / USUAL), PATIENCE + estimate.PATIENCE * cost)
