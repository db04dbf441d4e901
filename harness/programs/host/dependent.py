"""Observer for grids that begin before the previous one ends: report access to its results without a wait."""

from __future__ import annotations

import numpy as np

from harness.simt.arrays import Booleans
from harness.simt.compile.program import Program
from harness.simt.compile.segments import intrinsic_of
from harness.simt.events import AccessEvent, FenceEvent
from harness.simt.ir.site import Site
from harness.simt.observe import Observer, Proof, RunningLaunch
from harness.simt.state.lanes import Geometry

__all__ = ["Dependent", "Written"]

# Which bytes were written, by the allocation's number.
Written = dict[int, Booleans]
WAIT, TRIGGER = "llvm.nvvm.griddepcontrol.wait", "llvm.nvvm.griddepcontrol.launch.dependents"
GEOMETRY = "llvm.nvvm.read.ptx.sreg."
TOUCHING = ("load", "store", "atomicrmw", "cmpxchg")


def _calls(program: Program, name: str) -> set[Site]:
    ops = (op for segment in program.segments for op in segment.ops)
    return {op.site for op in ops if (intrinsic := intrinsic_of(op)) is not None and intrinsic.name == name}


def _waits_first(program: Program) -> bool:
    """Return whether all threads wait for the previous grid before anything that may touch memory.

    Only the kernel's first segment is looked at: False if the wait comes later.
    """
    for op in program.segments[0].ops:
        intrinsic = intrinsic_of(op)
        name = "" if intrinsic is None else intrinsic.name
        if name == WAIT:
            return True
        if op.opcode in TOUCHING or (op.opcode == "call" and not (name == TRIGGER or name.startswith(GEOMETRY))):
            return False
    return False


class Dependent(Observer):
    """Reports accesses of what the grid before writes by threads that have not waited for it.

    Attributes:
        written: What this grid writes, if it lets the next one begin early.
    """

    def __init__(self, before: Written) -> None:
        self._before = before
        self.written: Written = {}

    def concerns(self, program: Program) -> bool:
        """Return True for grids that let the next one begin early, or that begin early themselves."""
        return bool(self._before) or bool(_calls(program, TRIGGER))

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """Set `written` from a proof; return False if this grid begins early and not all threads wait first.

        Then who waited before an access is not known, and the launch is interpreted.
        """
        stored = {
            number: np.repeat(cells[:, 1] != 0, proof.grain)[: len(engine.memory.device[number].data)]
            for number, cells in proof.cells().items()
            if number in engine.memory.device
        }
        self.written = {number: octets for number, octets in stored.items() if octets.any()}
        return not self._before or _waits_first(engine.program)

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Store the engine, the sites where the kernel waits, and whether it lets the next grid begin early.

        Clear `written` if the compiled engine ran no part of the launch (`engine.proof` is None).
        """
        if engine.proof is None:
            self.written = {}
        self.engine, self._device = engine, engine.memory.device
        self._waits = _calls(engine.program, WAIT)
        self._triggers = bool(_calls(engine.program, TRIGGER))

    def chunk_begin(self, geometry: Geometry) -> None:
        """Begin with no lane that has waited for the previous grid."""
        self._waited: Booleans = np.zeros(geometry.lanes, bool)

    def fence(self, event: FenceEvent) -> None:
        """Note the lanes that wait for the previous grid here; other fences are ignored."""
        if event.site in self._waits:
            self._waited[event.lanes.idx] = True

    def access(self, event: AccessEvent) -> None:
        """Report lanes that access the previous grid's results without having waited, and record this grid's writes.

        Only the device's memory counts, and writes only if the grid lets the next one begin early.
        """
        allocation, lanes = event.allocation, event.lanes
        if allocation.number not in self._device:
            return
        octets = np.broadcast_to(event.offsets, (lanes.n,))[:, None] + np.arange(event.size)
        before = self._before.get(allocation.number)
        if before is not None:
            violating = np.flatnonzero(before[octets].any(1) & ~self._waited[lanes.idx])
            if len(violating):
                values = {"access": event.kind}
                self.engine.report(
                    "dependent-grid",
                    "error",
                    (event.site,),
                    lanes,
                    violating,
                    argument=allocation.name,
                    size=event.size,
                    values=values,
                )
        if self._triggers and event.kind != "load":
            written = self.written.get(allocation.number)
            if written is None:
                written = self.written[allocation.number] = np.zeros(len(allocation.data), bool)
            written[octets] = True
