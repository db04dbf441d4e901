"""Counters that say which thread and which block touched which element.

Buffers are the kernel's arguments in global memory: an input is only loaded (or
read-only), an output only stored, and scratch both, where there is an output
beside it: a kernel may read its own result again. For an element that no
thread touched the counters of elements are 0.

reads_per_input_element: Loads of the input element that is loaded most often;
    0 if some element is never loaded.
writes_per_output_element: Stores to the output element that is stored to most
    often; 0 if some element is never stored to.
output_writers: Different threads that store to an output.
scratch_writers: Different threads that store to scratch.
first_writing_block: The lowest number in the grid of a block that stores to an
    output; -1 if none does.
communicating_blocks: Blocks that load what another block stored last, in global
    memory or in shared memory of a cluster, and those they have it from.
contributing_blocks: Blocks that store to an output, and blocks that these have
    data from, directly or through others.
reduction_steps: In the block with the most, the stretches between barriers in
    which a thread loads an element of shared memory that another thread of its
    block stored last. A last one whose readers all had no part in the step before
    only hands the result on, and is no step.
shared_bytes_per_block: Shared memory that a block has.
distinct_global_loads, distinct_global_stores: Elements touched at least once.
distinct_shared_loads, distinct_shared_stores: The same, of the block with the
    most.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Booleans, Integers
from harness.simt.events import AccessEvent, BarrierEvent
from harness.simt.observe import Proof, RunningLaunch
from harness.simt.observing.places import NOBODY, Places, Touched
from harness.simt.state.allocation import Allocation
from harness.simt.state.lanes import Geometry

__all__ = ["Figures", "of_elements"]

Tables: TypeAlias = Mapping[int, tuple[Integers, Integers]]  # by allocation, how often each part was loaded, stored to
NOTHING: Integers = np.zeros(1, np.int64)  # of what nobody touched


class _Elements(Places):
    """What happened to each element of an allocation.

    Attributes:
        loads, stores: How often each element was loaded and stored to.
        writer: The thread that stored to it last, numbered in the grid from 1 on; 0 for nobody.
    """

    def __init__(self, size: int, unit: int) -> None:
        super().__init__(size, unit)
        self.loads: Integers = np.zeros(self.count, np.int64)
        self.stores: Integers = np.zeros(self.count, np.int64)
        self.writer: Integers = np.zeros(self.count, np.int64)


class _Steps:
    """The steps in which threads of a block take one another's values from shared memory.

    Attributes:
        count: Of each block so far.
    """

    def __init__(self, blocks: int, threads: int) -> None:
        self.count: Integers = np.zeros(blocks, np.int64)
        self._readers: Booleans = np.zeros((blocks, threads), bool)
        self._before: Booleans = np.zeros((blocks, threads), bool)
        self._handed_on: Booleans = np.zeros(blocks, bool)

    def load(self, rows: Integers, threads: Integers) -> None:
        """Threads load what another thread of their block stored last."""
        self._readers[rows, threads] = True

    def end(self, rows: Integers) -> None:
        """Blocks pass a barrier: a stretch ends."""
        stepped = rows[self._readers[rows].any(1)]
        readers = self._readers[stepped]
        # A tree loses threads from step to step. Where none of the readers was in the step before,
        # the result is handed on: it is no step if none follows.
        self._handed_on[stepped] = (self.count[stepped] > 0) & ~(readers & self._before[stepped]).any(1)
        self.count[stepped] += 1
        self._before[stepped] = readers
        self._readers[rows] = False

    def result(self) -> int:
        """The steps of the block with the most."""
        self.end(np.arange(len(self.count)))
        return int((self.count - self._handed_on).max())


def _arguments(engine: RunningLaunch) -> Iterator[Allocation]:
    """The arguments in global memory."""
    memory = engine.memory
    everywhere = (*memory.allocations[1:], *memory.device.values())
    return (one for one in everywhere if one.argument is not None and one.space == "global")


def _roles(engine: RunningLaunch, tables: Tables) -> list[tuple[int, str, tuple[Integers, Integers]]]:
    """The number of each of them, what it is for, and its table."""
    roles = []
    for allocation in _arguments(engine):
        loads, stores = tables.get(allocation.number, (NOTHING, NOTHING))
        if stores.any():
            role = "both" if loads.any() else "output"
        else:
            role = "input" if loads.any() or not allocation.writable else "output"
        roles.append((allocation.number, role, (loads, stores)))
    both = "scratch" if any(role == "output" for _, role, _ in roles) else "output"
    return [(number, both if role == "both" else role, table) for number, role, table in roles]


def of_elements(engine: RunningLaunch, tables: Tables) -> dict[str, int]:
    """The counters that are told of each element, and of the memory that a block has."""
    roles = _roles(engine, tables)
    own = (allocation.size for allocation in engine.memory.allocations[1:] if allocation.rows == "block")
    return {
        "reads_per_input_element": _each([loads for _, role, (loads, _) in roles if role == "input"]),
        "writes_per_output_element": _each([stores for _, role, (_, stores) in roles if role == "output"]),
        "shared_bytes_per_block": sum(own),
    }


class Figures:
    """Gathers what the module's docstring lists."""

    def __init__(self, engine: RunningLaunch) -> None:
        self.engine = engine
        self.threads = int(np.prod(engine.block))
        self._touched = Touched(lambda allocation, unit: _Elements(len(allocation.data), unit))
        total = self.threads * int(np.prod(engine.grid))
        self._writers: defaultdict[int, Booleans] = defaultdict(lambda: np.zeros(total, bool))
        self._edges: set[tuple[int, int]] = set()
        self._most = {"reduction_steps": 0, "distinct_shared_loads": 0, "distinct_shared_stores": 0}
        if engine.proof is not None:
            self._most |= {name: most for name, most in engine.proof.most.items() if name in self._most}

    def chunk_begin(self, geometry: Geometry, *, counted: bool) -> None:
        """The blocks of a chunk begin, of which maybe all that they touch of global memory was counted."""
        self._touched.chunk_begin()
        self._counted = counted
        self._steps = _Steps(len(geometry.blocks), self.threads)

    def chunk_end(self) -> None:
        """The blocks of a chunk have ended."""
        self._raise("reduction_steps", self._steps.result())
        rows = len(self._steps.count)
        for kind in ("loads", "stores"):
            touched = np.zeros(rows, np.int64)
            for table in self._touched.shared.values():
                touched += np.count_nonzero(getattr(table, kind).reshape(rows, -1), 1)
            self._raise(f"distinct_shared_{kind}", int(touched.max()))

    def _raise(self, name: str, value: int) -> None:
        self._most[name] = max(self._most[name], value)

    def barrier(self, event: BarrierEvent) -> None:
        """Blocks pass a barrier: a stretch ends."""
        self._steps.end(event.rows)

    def access(self, event: AccessEvent, unit: int) -> None:
        """Lanes touch elements of `unit` bytes."""
        allocation, lanes = event.allocation, event.lanes
        shared = allocation.rows == "block"
        if not shared and allocation.argument is None:
            return
        table = self._touched.of(allocation, unit)
        places = table.at(event.starts, event.size, unit)
        who, own = lanes.get("lane_id"), lanes.get("row")
        if (each := places.shape[1]) > 1:
            who, own = np.repeat(who, each), np.repeat(own, each)
        places = places.reshape(-1)
        if self._counted and not shared:
            return
        if event.kind != "store":
            self._loaded(table, places, who, own if shared else None)
        if event.kind == "atomic":
            self._updated(places, who)
        if event.kind != "load":
            _tally(table.stores, places)
            table.writer[places] = who + 1
            if not shared:
                self._writers[allocation.number][who] = True

    def _loaded(self, table: _Elements, places: Integers, who: Integers, rows: Integers | None) -> None:
        _tally(table.loads, places)
        writer = table.writer[places] - 1
        foreign = (writer != NOBODY) & (writer != who)
        if not foreign.any():
            return
        source, reader = writer[foreign] // self.threads, who[foreign] // self.threads
        across = self._passed_on(source, reader)
        if rows is not None:
            self._steps.load(rows[foreign][~across], who[foreign][~across] % self.threads)

    def _passed_on(self, source: Integers, reader: Integers) -> Booleans:
        """Notes blocks that have data from others; says which do."""
        across: Booleans = source != reader
        self._edges.update(zip(source[across].tolist(), reader[across].tolist(), strict=True))
        return across

    def _updated(self, places: Integers, who: Integers) -> None:
        """Threads that update one element together have it from one another."""
        order = np.argsort(places, kind="stable")
        places, blocks = places[order], who[order] // self.threads
        same = places[1:] == places[:-1]
        self._passed_on(blocks[:-1][same], blocks[1:][same])

    def result(self) -> dict[str, int]:
        """The counters by name."""
        if self.engine.proof is not None:
            self._join(self.engine.proof)
        writers: dict[str, Booleans] = {}
        loads = stores = 0
        tables = {number: (table.loads, table.stores) for number, table in self._touched.all.items()}
        for number, role, (loaded, stored) in _roles(self.engine, tables):
            loads, stores = loads + int(np.count_nonzero(loaded)), stores + int(np.count_nonzero(stored))
            if (own := self._writers.get(number)) is not None:
                writers[role] = writers[role] | own if role in writers else own
        output, scratch = writers.get("output"), writers.get("scratch")
        return {
            **self._most,
            "distinct_global_loads": loads,
            "distinct_global_stores": stores,
            **of_elements(self.engine, tables),
            "output_writers": _count(output),
            "scratch_writers": _count(scratch),
            "first_writing_block": _first(output, self.threads),
            "communicating_blocks": len({block for edge in self._edges for block in edge}),
            "contributing_blocks": 0 if output is None else self._contributing(output),
        }

    def _join(self, proof: Proof) -> None:
        """Adds what the blocks did that machine code ran."""
        for allocation in _arguments(self.engine):
            if allocation.number not in proof.touched:
                continue  # no argument of this launch leads to it
            unit, grain = proof.units.get(allocation.number, proof.grain), proof.grain
            table = self._touched.of(allocation, unit)
            if table.unit > unit and allocation.number in proof.units:  # else nobody knows how large an element is
                table.at(np.zeros(1, np.int64), unit)
            counted: tuple[Integers, ...] = proof.touched[allocation.number]
            if (each := table.unit // grain) > 1:
                if any((one != np.repeat(one[::each], each)[: len(one)]).any() for one in counted):
                    table.at(np.zeros(1, np.int64), grain)  # they divided what the others took as a whole
                else:
                    counted = tuple(one[::each] for one in counted)
            if (each := grain // table.unit) > 1:
                counted = tuple(np.repeat(one, each) for one in counted)
            loads, stores = (one[: table.count] for one in counted)
            table.loads = table.loads + loads if proof.partial else loads
            table.stores = table.stores + stores if proof.partial else stores
        for number, stored in proof.writers.items():
            own = self._writers.get(number)
            self._writers[number] = stored if own is None else own | stored

    def _contributing(self, output: Booleans) -> int:
        blocks = np.zeros(len(output) // self.threads, bool)
        blocks[np.flatnonzero(output) // self.threads] = True
        while more := [a for a, b in self._edges if blocks[b] and not blocks[a]]:
            blocks[more] = True
        return _count(blocks)


def _tally(counts: Integers, places: Integers) -> None:
    """Counts each place once more for each time that it is among these: in its part of the table alone."""
    first = int(places.min())
    here = np.bincount(places - first)
    counts[first : first + len(here)] += here


def _count(mask: Booleans | None) -> int:
    return 0 if mask is None else int(np.count_nonzero(mask))


def _first(mask: Booleans | None, threads: int) -> int:
    if mask is None or not mask.any():
        return NOBODY
    return int(mask.argmax()) // threads


def _each(counts: Sequence[Integers]) -> int:
    if not counts or any(not table.all() for table in counts):
        return 0
    return max(int(table.max()) for table in counts)
