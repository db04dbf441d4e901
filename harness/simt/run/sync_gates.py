"""Park and release lanes at barriers, warp masks, cluster barriers and mbarrier phases; end a deadlock.

A gated segment runs only with lanes that may pass. The others are parked at it,
and try again when a lane ends, another arrives, or nothing else can run.
"""

from collections.abc import Callable
from typing import Any, TypeGuard, cast

import numpy as np

from harness.simt.arrays import Array, Booleans, distinct
from harness.simt.compile.declarations import Barrier, ClusterBarrier, PhaseWait, Wait, WarpSync
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Gate
from harness.simt.errors import Deadlock
from harness.simt.run.barriers import Barriers
from harness.simt.run.mbarriers import MBarriers
from harness.simt.run.observation import Observation
from harness.simt.run.registers import Registers
from harness.simt.state.chunk import Chunk
from harness.simt.state.lanes import LaneSet, union
from harness.simt.state.merge import PASSED, Entries

__all__ = ["SyncGates"]

FOREVER = np.iinfo(np.int64).max


def _is_barrier(gate: Gate[Wait]) -> TypeGuard[Gate[Barrier]]:
    return isinstance(gate.wait, Barrier)


class SyncGates:
    """The synchronisation of a chunk's lanes.

    Attributes:
        barriers: The barriers of its blocks.
        mbarriers: The mbarriers of its blocks.
    """

    def __init__(
        self, program: Program, chunk: Chunk, registers: Registers, observation: Observation, phases: MBarriers
    ) -> None:
        self._program = program
        self._gates, self._chunk, self._registers = program.gates, chunk, registers
        self._observation = observation
        barrier_gates = {number: gate for number, gate in program.gates.items() if _is_barrier(gate)}
        self.barriers = Barriers(barrier_gates, chunk, registers, observation)
        self.mbarriers = phases
        phases.on_phase_end = lambda: self.retry(PhaseWait)

    def enter(self, gate: Gate[Wait], entries: Entries) -> LaneSet | None:
        """Let lanes try to pass a gate, together with those parked there; park those that may not.

        Lanes with the values `PASSED` were let through before, and pass.

        Returns:
            The lanes that pass, or None.
        """
        passed = [lanes for lanes, values in entries if values is PASSED]
        trying = [lanes for lanes, values in entries if values is not PASSED]
        if trying:
            trying += self._chunk.parked.pop(gate.segment, ())
            passing = ENTER_BY_KIND[type(gate.wait)](self, gate, union(trying))
            if passing is not None:
                passed.append(passing)
        return union(passed) if passed else None

    def retry(self, kind: type[Wait] | None = None) -> None:
        """Schedule all parked lanes again at their gates, or those at one kind of wait."""
        parked = self._chunk.parked
        for number in list(parked):
            if kind is None or isinstance(self._gates[number].wait, kind):
                for lanes in parked.pop(number):
                    self._chunk.push(number, lanes, ())

    def _enter_warp_sync(self, gate: Gate[WarpSync], lanes: LaneSet) -> LaneSet | None:
        """Return the lanes for which all live lanes of their member mask are there, or None; park the others."""
        live = self._chunk.live
        if lanes.n == live.count:
            return lanes
        missing = live.missing_members(lanes, self._member_masks(gate, lanes))
        if missing is None:
            return lanes
        complete: Booleans = np.logical_not(missing.any(1))
        return self._park_blocked(gate, lanes, complete)

    def _member_masks(self, gate: Gate[WarpSync], lanes: LaneSet) -> Array | None:
        """Return the member mask of each lane, (n,) or (1,), unchecked; None if the warp is named as a whole."""
        mask = gate.wait.mask
        return None if mask is None else self._registers.operand(gate.op.operands[mask], lanes)

    def _enter_cluster_barrier(self, gate: Gate[ClusterBarrier], lanes: LaneSet) -> LaneSet | None:
        """Return the lanes whose cluster's live lanes have all arrived as often as they, or None; park the others."""
        chunk = self._chunk
        size = chunk.geometry.cluster_size * chunk.geometry.threads
        arrived = np.where(chunk.live.mask, chunk.cluster.arrived, FOREVER)
        least = arrived.reshape(-1, size).min(1)
        may_pass = least[lanes.idx // size] >= chunk.cluster.arrived[lanes.idx]
        return lanes if may_pass.all() else self._park_blocked(gate, lanes, may_pass)

    def _enter_phase_wait(self, gate: Gate[PhaseWait], lanes: LaneSet) -> LaneSet | None:
        """Return the lanes whose phase has ended, or None; park the others.

        Lanes with an invalid pointer, or without a barrier there, pass: the instruction that waits reports them.
        """
        operands, address = gate.op.operands, self._program.address
        pointers, parity = (
            self._registers.operand(operands[number], lanes, address)
            for number in (gate.wait.barrier, gate.wait.parity)
        )
        may_pass = self.mbarriers.try_pass(lanes, gate.site, pointers, parity)
        return lanes if may_pass.all() else self._park_blocked(gate, lanes, may_pass)

    def _park_blocked(self, gate: Gate[Wait], lanes: LaneSet, may_pass: Booleans) -> LaneSet | None:
        """Park the lanes that may not pass; return the others, or None."""
        self._chunk.park(gate.segment, lanes.sub(np.flatnonzero(~may_pass)))
        free = np.flatnonzero(may_pass)
        return lanes.sub(free) if len(free) else None

    def resolve_stalled(self) -> None:
        """Handle that no lane can run: release all lanes parked at the warp synchronisation with the lowest segment
        number, and report as an error that lanes of their masks are missing; the launch goes on.

        Raises:
            Deadlock: No lanes are parked at a warp synchronisation; this ends the launch.
        """
        for number in sorted(self._chunk.parked):
            gate = self._gates[number]
            if isinstance(gate.wait, WarpSync):
                self._release_without_missing(cast("Gate[WarpSync]", gate))
                return
        self._fail_deadlock()

    def _release_without_missing(self, gate: Gate[WarpSync]) -> None:
        """Release all lanes parked at a gate; report masks that name lanes that never come, and where these wait."""
        lanes = union(self._chunk.parked.pop(gate.segment))
        missing = self._chunk.live.missing_members(lanes, self._member_masks(gate, lanes))
        positions = np.flatnonzero(missing.any(1)) if missing is not None else np.empty(0, np.int64)
        absent = np.flatnonzero(missing[positions[0]]).tolist() if missing is not None else []
        others = self._gate_of_others(lanes)
        self._observation.report(
            "absent-lane" if others is None else "absent-lane.elsewhere",
            "error",
            (gate.site,) if others is None else (others.site, gate.site),
            lanes,
            positions,
            values={"operation": gate.name, "absent": tuple(absent)},
        )
        self._chunk.push(gate.segment, lanes, PASSED)

    def _gate_of_others(self, lanes: LaneSet) -> Gate[Wait] | None:
        """Return the gate, lowest first, at which other lanes of the same warps wait; None if there are none."""
        for number, parked in sorted(self._chunk.parked.items()):
            if np.isin(union(parked).get("warp"), lanes.get("warp")).any():
                return self._gates[number]
        return None

    def _fail_deadlock(self) -> None:
        chunk, items = self._chunk, []
        gates = [self._gates[number] for number in sorted(chunk.parked)]
        for gate in gates:
            lanes, location = union(chunk.parked[gate.segment]), str(gate.site.source or gate.site.text)
            items.append({"threads": lanes.n, "blocks": len(distinct(lanes.get("row"))), "place": location})
        self._observation.fail(
            "deadlock",
            [gate.site for gate in gates],
            union(chunk.parked[gates[0].segment]),
            error=Deadlock,
            operation=gates[0].name,
            waiting=sum(item["threads"] for item in items),
            ended=chunk.geometry.lanes - chunk.live.count,
            items=tuple(items),
        )


# By kind of wait, the function that returns the lanes that pass, or None, and parks the others.
ENTER_BY_KIND: dict[type[Wait], Callable[[SyncGates, Gate[Any], LaneSet], LaneSet | None]] = {
    Barrier: lambda waits, gate, lanes: waits.barriers.enter(gate, lanes),
    WarpSync: SyncGates._enter_warp_sync,
    ClusterBarrier: SyncGates._enter_cluster_barrier,
    PhaseWait: SyncGates._enter_phase_wait,
}
