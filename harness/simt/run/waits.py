"""Where lanes wait: barriers of a block, member masks of a warp, clusters.

A gated segment runs only with lanes that may pass. The others are parked at it,
and come back when a lane ends, another arrives, or nothing else can run.
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
from harness.simt.run.observation import Observation
from harness.simt.run.phases import Phases
from harness.simt.run.registers import Registers
from harness.simt.state.chunk import Chunk
from harness.simt.state.lanes import LaneSet, union
from harness.simt.state.merge import PASSED, Entries

__all__ = ["Waits"]

FOREVER = np.iinfo(np.int64).max


def _is_barrier(gate: Gate[Wait]) -> TypeGuard[Gate[Barrier]]:
    return isinstance(gate.wait, Barrier)


class Waits:
    """What lanes of a chunk wait for, and who may pass.

    Attributes:
        barriers: The barriers of its blocks.
        phases: Their barriers in shared memory.
    """

    def __init__(
        self, program: Program, chunk: Chunk, registers: Registers, observation: Observation, phases: Phases
    ) -> None:
        self._program = program
        self._gates, self._chunk, self._registers = program.gates, chunk, registers
        self._observation = observation
        own = {number: gate for number, gate in program.gates.items() if _is_barrier(gate)}
        self.barriers = Barriers(own, chunk, registers, observation)
        self.phases = phases
        phases.on_change = lambda: self.retry(PhaseWait)

    def enter(self, gate: Gate[Wait], entries: Entries) -> LaneSet | None:
        """Lets lanes try to pass a gate; returns those that do, or None."""
        sets = [lanes for lanes, values in entries if values is PASSED]
        trying = [lanes for lanes, values in entries if values is not PASSED]
        if trying:
            trying += self._chunk.parked.pop(gate.segment, ())
            passing = GATES[type(gate.wait)](self, gate, union(trying))
            if passing is not None:
                sets.append(passing)
        return union(sets) if sets else None

    def retry(self, kind: type[Wait] | None = None) -> None:
        """Lets parked lanes try again, those at one kind of wait or all."""
        parked = self._chunk.parked
        for number in list(parked):
            if kind is None or isinstance(self._gates[number].wait, kind):
                for lanes in parked.pop(number):
                    self._chunk.push(number, lanes, ())

    def _warp(self, gate: Gate[WarpSync], lanes: LaneSet) -> LaneSet | None:
        """A member mask: opens for a lane when all it names that live are there."""
        live = self._chunk.live
        if lanes.n == live.count:
            return lanes
        missing = live.missing_members(lanes, self._masks(gate, lanes))
        if missing is None:
            return lanes
        complete: Booleans = np.logical_not(missing.any(1))
        return self._divide(gate, lanes, complete)

    def _masks(self, gate: Gate[WarpSync], lanes: LaneSet) -> Array | None:
        mask = gate.wait.mask
        return None if mask is None else self._registers.operand(gate.op.operands[mask], lanes)

    def _cluster(self, gate: Gate[ClusterBarrier], lanes: LaneSet) -> LaneSet | None:
        """The wait of a cluster: opens when all its lanes that live have arrived."""
        chunk = self._chunk
        size = chunk.geometry.cluster_size * chunk.geometry.threads
        arrived = np.where(chunk.live.mask, chunk.cluster.arrived, FOREVER)
        least = arrived.reshape(-1, size).min(1)
        go = least[lanes.idx // size] >= chunk.cluster.arrived[lanes.idx]
        return lanes if go.all() else self._divide(gate, lanes, go)

    def _phase(self, gate: Gate[PhaseWait], lanes: LaneSet) -> LaneSet | None:
        """A phase: opens when it has ended."""
        operands, address = gate.op.operands, self._program.address
        pointers, parity = (
            self._registers.operand(operands[number], lanes, address)
            for number in (gate.wait.barrier, gate.wait.parity)
        )
        go = self.phases.may_pass(lanes, gate.site, pointers, parity)
        return lanes if go.all() else self._divide(gate, lanes, go)

    def _divide(self, gate: Gate[Wait], lanes: LaneSet, go: Booleans) -> LaneSet | None:
        """Parks those that may not go; returns the others."""
        self._chunk.park(gate.segment, lanes.sub(np.flatnonzero(~go)))
        free = np.flatnonzero(go)
        return lanes.sub(free) if len(free) else None

    def resolve_stalled(self) -> None:
        """Nothing can run and lanes wait: let warps go on without lanes, or stop."""
        for number in sorted(self._chunk.parked):
            gate = self._gates[number]
            if isinstance(gate.wait, WarpSync):
                self._go_without(cast("Gate[WarpSync]", gate))
                return
        self._deadlock()

    def _go_without(self, gate: Gate[WarpSync]) -> None:
        """Lets lanes pass a member mask that names lanes which never come."""
        lanes = union(self._chunk.parked.pop(gate.segment))
        missing = self._chunk.live.missing_members(lanes, self._masks(gate, lanes))
        positions = np.flatnonzero(missing.any(1)) if missing is not None else np.empty(0, np.int64)
        absent = np.flatnonzero(missing[positions[0]]).tolist() if missing is not None else []
        others = self._elsewhere(lanes)
        self._observation.report(
            "absent-lane" if others is None else "absent-lane.elsewhere",
            "error",
            (gate.site,) if others is None else (others.site, gate.site),
            lanes,
            positions,
            values={"operation": gate.name, "absent": tuple(absent)},
        )
        self._chunk.push(gate.segment, lanes, PASSED)

    def _elsewhere(self, lanes: LaneSet) -> Gate[Wait] | None:
        """Where other lanes of the same warps wait, if some do."""
        for number, parked in sorted(self._chunk.parked.items()):
            if np.isin(union(parked).get("warp"), lanes.get("warp")).any():
                return self._gates[number]
        return None

    def _deadlock(self) -> None:
        chunk, items = self._chunk, []
        gates = [self._gates[number] for number in sorted(chunk.parked)]
        for gate in gates:
            lanes, place = union(chunk.parked[gate.segment]), str(gate.site.source or gate.site.text)
            items.append({"threads": lanes.n, "blocks": len(distinct(lanes.get("row"))), "place": place})
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


# By kind of wait: which of some lanes may pass, or None; the others are parked.
GATES: dict[type[Wait], Callable[[Waits, Gate[Any], LaneSet], LaneSet | None]] = {
    Barrier: lambda waits, gate, lanes: waits.barriers.enter(gate, lanes),
    WarpSync: Waits._warp,
    ClusterBarrier: Waits._cluster,
    PhaseWait: Waits._phase,
}
