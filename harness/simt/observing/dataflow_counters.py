"""Count loads and stores of each element, threads that write, blocks that communicate, and steps of reductions.

Buffers are the kernel's arguments in global memory: an input is only loaded (or read-only), an output only stored, and
scratch both, if there is an output besides it: a kernel may read its own result again. If a thread accessed no element
of a buffer, its element counters are 0.

reads_per_input_element: Loads of the input element that is loaded most often; 0 if some element is never loaded.
writes_per_output_element: Stores to the output element that is stored to most often; 0 if one is never stored to.
output_writers: Different threads that store to an output.
scratch_writers: Different threads that store to scratch.
first_writing_block: The lowest number in the grid of a block that stores to an output; -1 if none does.
communicating_blocks: Blocks that load what another block stored last, in global memory or in shared memory of a
    cluster, and the blocks that stored it.
contributing_blocks: Blocks that store to an output, and blocks whose data they have, directly or through others.
reduction_steps: In the block with the most, the barrier intervals in which a thread loads an element of shared memory
    that another thread of its block stored last. A last one whose readers all had no part in the step before only
    passes the result on, and is no step.
shared_bytes_per_block: Shared memory that a block has.
distinct_global_loads, distinct_global_stores: Elements accessed at least once.
distinct_shared_loads, distinct_shared_stores: The same, of the block with the most.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Booleans, Integers
from harness.simt.events import AccessEvent, BarrierEvent
from harness.simt.observe import Proof, RunningLaunch
from harness.simt.observing.locations import NOBODY, Locations, LocationTables
from harness.simt.state.allocation import Allocation
from harness.simt.state.lanes import Geometry

__all__ = ["DataflowCounters", "count_elements"]

# By allocation, how often each element was loaded, and stored to.
Tables: TypeAlias = Mapping[int, tuple[Integers, Integers]]
NOTHING: Integers = np.zeros(1, np.int64)  # of an allocation that nobody accessed


class _ElementTable(Locations):
    """The accesses to each element of an allocation.

    Attributes:
        loads, stores: How often each element was loaded and stored to.
        writer: The thread that stored to it last, numbered in the grid from 1 on; 0 for nobody.
    """

    def __init__(self, size: int, unit: int) -> None:
        super().__init__(size, unit)
        self.loads: Integers = np.zeros(self.count, np.int64)
        self.stores: Integers = np.zeros(self.count, np.int64)
        self.writer: Integers = np.zeros(self.count, np.int64)


class _ReductionSteps:
    """Count the steps in which threads of a block load one another's values from shared memory.

    Attributes:
        count: The steps of each block so far.
    """

    def __init__(self, blocks: int, threads: int) -> None:
        self.count: Integers = np.zeros(blocks, np.int64)
        self._readers: Booleans = np.zeros((blocks, threads), bool)
        self._before: Booleans = np.zeros((blocks, threads), bool)
        self._only_hands_on: Booleans = np.zeros(blocks, bool)

    def load(self, blocks: Integers, threads: Integers) -> None:
        """Note that threads load what another thread of their block stored last."""
        self._readers[blocks, threads] = True

    def end(self, blocks: Integers) -> None:
        """End the barrier interval of some blocks; add a step to those in which a thread loaded another's value.

        If none of these threads also loaded in the step before, `result` leaves out the new step unless another step
        follows. A block's first step always counts.
        """
        stepped = blocks[self._readers[blocks].any(1)]
        readers = self._readers[stepped]
        # A reduction tree loses threads from step to step. If none of the readers was in the step before,
        # the result is only passed on: it is no step if none follows.
        self._only_hands_on[stepped] = (self.count[stepped] > 0) & ~(readers & self._before[stepped]).any(1)
        self.count[stepped] += 1
        self._before[stepped] = readers
        self._readers[blocks] = False

    def result(self) -> int:
        """End the barrier interval of all blocks, and return the steps of the block with the most.

        A last step that only passed the result on does not count.
        """
        self.end(np.arange(len(self.count)))
        return int((self.count - self._only_hands_on).max())


def _global_arguments(engine: RunningLaunch) -> Iterator[Allocation]:
    """Return the allocations in global memory that arguments point into; those that outlive the launch come last."""
    memory = engine.memory
    allocations = (*memory.allocations[1:], *memory.device.values())
    return (
        allocation for allocation in allocations if allocation.argument is not None and allocation.space == "global"
    )


def _argument_roles(engine: RunningLaunch, tables: Tables) -> list[tuple[int, str, tuple[Integers, Integers]]]:
    """Return (allocation number, role, (loads, stores)) of each argument in global memory; the arrays are by element.

    An argument that is never stored to is `input` if it is loaded or read-only, else `output`. One that is only stored
    to is `output`. One that is loaded and stored to is `scratch` if there is an `output` by these rules, else
    `output`. Without accesses both arrays are (1,) 0.
    """
    roles = []
    for allocation in _global_arguments(engine):
        loads, stores = tables.get(allocation.number, (NOTHING, NOTHING))
        if stores.any():
            role = "both" if loads.any() else "output"
        else:
            role = "input" if loads.any() or not allocation.writable else "output"
        roles.append((allocation.number, role, (loads, stores)))
    role_of_both = "scratch" if any(role == "output" for _, role, _ in roles) else "output"
    return [(number, role_of_both if role == "both" else role, table) for number, role, table in roles]


def count_elements(engine: RunningLaunch, tables: Tables) -> dict[str, int]:
    """Return `reads_per_input_element`, `writes_per_output_element` and `shared_bytes_per_block`, by name.

    The first two are the largest count of any element; 0 if some element has none, or if there is no such argument.
    """
    roles = _argument_roles(engine, tables)
    block_sizes = (allocation.size for allocation in engine.memory.allocations[1:] if allocation.rows == "block")
    return {
        "reads_per_input_element": _least_or_most([loads for _, role, (loads, _) in roles if role == "input"]),
        "writes_per_output_element": _least_or_most([stores for _, role, (_, stores) in roles if role == "output"]),
        "shared_bytes_per_block": sum(block_sizes),
    }


class DataflowCounters:
    """Gather the counters that the module's docstring lists."""

    def __init__(self, engine: RunningLaunch) -> None:
        self.engine = engine
        self.threads = int(np.prod(engine.block))
        self._touched = LocationTables(lambda allocation, unit: _ElementTable(len(allocation.data), unit))
        total = self.threads * int(np.prod(engine.grid))
        self._writers: defaultdict[int, Booleans] = defaultdict(lambda: np.zeros(total, bool))
        self._edges: set[tuple[int, int]] = set()
        self._maxima = {"reduction_steps": 0, "distinct_shared_loads": 0, "distinct_shared_stores": 0}
        if engine.proof is not None:
            self._maxima |= {name: most for name, most in engine.proof.most.items() if name in self._maxima}

    def chunk_begin(self, geometry: Geometry, *, counted: bool) -> None:
        """Begin a chunk, with fresh shared memory; if `counted`, ignore global memory: the proof has its accesses."""
        self._touched.chunk_begin()
        self._counted = counted
        self._steps = _ReductionSteps(len(geometry.blocks), self.threads)

    def chunk_end(self) -> None:
        """Raise the maxima of `reduction_steps`, `distinct_shared_loads` and `distinct_shared_stores` to a chunk's."""
        self._raise_maximum("reduction_steps", self._steps.result())
        blocks = len(self._steps.count)
        for kind in ("loads", "stores"):
            touched = np.zeros(blocks, np.int64)
            for table in self._touched.shared.values():
                touched += np.count_nonzero(getattr(table, kind).reshape(blocks, -1), 1)
            self._raise_maximum(f"distinct_shared_{kind}", int(touched.max()))

    def _raise_maximum(self, name: str, value: int) -> None:
        self._maxima[name] = max(self._maxima[name], value)

    def barrier(self, event: BarrierEvent) -> None:
        """End the barrier interval of the blocks that pass."""
        self._steps.end(event.rows)

    def access(self, event: AccessEvent, unit: int) -> None:
        """Count loads and stores of elements of `unit` bytes; note which threads store, and whose data loads read.

        An atomic counts as both. If the buffer's elements were wider so far, all are split first. Only shared memory
        and arguments in global memory count; the arguments do not if the proof has the chunk's accesses.
        """
        allocation, lanes = event.allocation, event.lanes
        shared = allocation.rows == "block"
        if not shared and allocation.argument is None:
            return
        table = self._touched.of(allocation, unit)
        elements = table.at(event.starts, event.size, unit)
        who, blocks = lanes.get("lane_id"), lanes.get("row")
        if (count := elements.shape[1]) > 1:
            who, blocks = np.repeat(who, count), np.repeat(blocks, count)
        elements = elements.reshape(-1)
        if self._counted and not shared:
            return
        if event.kind != "store":
            self._note_loads(table, elements, who, blocks if shared else None)
        if event.kind == "atomic":
            self._note_updates(elements, who)
        if event.kind != "load":
            _tally(table.stores, elements)
            table.writer[elements] = who + 1
            if not shared:
                self._writers[allocation.number][who] = True

    def _note_loads(self, table: _ElementTable, elements: Integers, who: Integers, blocks: Integers | None) -> None:
        """Count loads; note an edge for each value that another block stored last.

        In shared memory, also note for `_ReductionSteps` what another thread of the same block stored last. `who` has
        each lane's thread in the grid, `blocks` its block in the chunk, or is None for global memory.
        """
        _tally(table.loads, elements)
        writer = table.writer[elements] - 1
        foreign = (writer != NOBODY) & (writer != who)
        if not foreign.any():
            return
        source, reader = writer[foreign] // self.threads, who[foreign] // self.threads
        across = self._note_edges(source, reader)
        if blocks is not None:
            self._steps.load(blocks[foreign][~across], who[foreign][~across] % self.threads)

    def _note_edges(self, source: Integers, reader: Integers) -> Booleans:
        """Note that `reader` blocks have data of other `source` blocks; return for each pair whether the two differ."""
        across: Booleans = source != reader
        self._edges.update(zip(source[across].tolist(), reader[across].tolist(), strict=True))
        return across

    def _note_updates(self, elements: Integers, who: Integers) -> None:
        """Note edges of an atomic: from each thread's block to that of the next lane's thread at the same element."""
        order = np.argsort(elements, kind="stable")
        elements, blocks = elements[order], who[order] // self.threads
        same = elements[1:] == elements[:-1]
        self._note_edges(blocks[:-1][same], blocks[1:][same])

    def result(self) -> dict[str, int]:
        """Add what the proof counted (call it once), and return by name all counters in the module's docstring."""
        if self.engine.proof is not None:
            self._join(self.engine.proof)
        writers: dict[str, Booleans] = {}
        loads = stores = 0
        tables = {number: (table.loads, table.stores) for number, table in self._touched.all.items()}
        for number, role, (loaded, stored) in _argument_roles(self.engine, tables):
            loads, stores = loads + int(np.count_nonzero(loaded)), stores + int(np.count_nonzero(stored))
            if (allocation_writers := self._writers.get(number)) is not None:
                writers[role] = writers[role] | allocation_writers if role in writers else allocation_writers
        output, scratch = writers.get("output"), writers.get("scratch")
        return {
            **self._maxima,
            "distinct_global_loads": loads,
            "distinct_global_stores": stores,
            **count_elements(self.engine, tables),
            "output_writers": _count(output),
            "scratch_writers": _count(scratch),
            "first_writing_block": _first(output, self.threads),
            "communicating_blocks": len({block for edge in self._edges for block in edge}),
            "contributing_blocks": 0 if output is None else self._contributing(output),
        }

    def _join(self, proof: Proof) -> None:
        """Add the accesses of the blocks that the compiled engine ran to the counts of elements and writers.

        If the proof is not partial, its counts of elements replace those of the events. Elements that the proof counted
        in smaller parts, with different counts, are split.
        """
        for allocation in _global_arguments(self.engine):
            if allocation.number not in proof.touched:
                continue  # no argument of this launch leads to it
            unit, cell_bytes = proof.units.get(allocation.number, proof.grain), proof.grain
            table = self._touched.of(allocation, unit)
            if table.unit > unit and allocation.number in proof.units:  # else nobody knows how large an element is
                table.at(np.zeros(1, np.int64), unit)
            counted: tuple[Integers, ...] = proof.touched[allocation.number]
            if (factor := table.unit // cell_bytes) > 1:
                if any((counts != np.repeat(counts[::factor], factor)[: len(counts)]).any() for counts in counted):
                    table.at(np.zeros(1, np.int64), cell_bytes)  # they divided what the others took as a whole
                else:
                    counted = tuple(counts[::factor] for counts in counted)
            if (factor := cell_bytes // table.unit) > 1:
                counted = tuple(np.repeat(counts, factor) for counts in counted)
            loads, stores = (counts[: table.count] for counts in counted)
            table.loads = table.loads + loads if proof.partial else loads
            table.stores = table.stores + stores if proof.partial else stores
        for number, stored in proof.writers.items():
            writers = self._writers.get(number)
            self._writers[number] = stored if writers is None else writers | stored

    def _contributing(self, output: Booleans) -> int:
        """Return how many blocks have a thread in `output`, or data that reached such a block, also through others.

        `output` says for each thread of the grid whether it stores to an output.
        """
        blocks = np.zeros(len(output) // self.threads, bool)
        blocks[np.flatnonzero(output) // self.threads] = True
        while more := [a for a, b in self._edges if blocks[b] and not blocks[a]]:
            blocks[more] = True
        return _count(blocks)


def _tally(counts: Integers, elements: Integers) -> None:
    """Add 1 to the count of an element, in place, for each time that it is listed; at least one must be."""
    first = int(elements.min())
    added = np.bincount(elements - first)
    counts[first : first + len(added)] += added


def _count(mask: Booleans | None) -> int:
    return 0 if mask is None else int(np.count_nonzero(mask))


def _first(mask: Booleans | None, threads: int) -> int:
    if mask is None or not mask.any():
        return NOBODY
    return int(mask.argmax()) // threads


def _least_or_most(counts: Sequence[Integers]) -> int:
    """Return the largest count of any element; 0 if the count of some element is 0, or if there are no arrays."""
    if not counts or any(not table.all() for table in counts):
        return 0
    return max(int(table.max()) for table in counts)
