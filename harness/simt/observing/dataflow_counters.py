"""Counters that say which thread and which block touched which element.

Buffers are the kernel's arguments in global memory: an input is only loaded (or
read-only), an output only stored, and scratch both. For an element that no
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
    block stored last.
shared_bytes_per_block: Shared memory that a block has.
distinct_global_loads, distinct_global_stores: Elements touched at least once.
distinct_shared_loads, distinct_shared_stores: The same, of the block with the
    most.
"""

import numpy as np

__all__ = ["Figures"]

NOBODY = -1


class _Table:
    """What happened to each element of an allocation.

    Attributes:
        unit: Bytes of an element.
        loads, stores: How often each element was loaded and stored to.
        writer: The thread that stored to it last, numbered in the grid.
    """

    def __init__(self, size, unit):
        self.unit = unit
        count = -(-size // unit)
        self.loads = np.zeros(count, np.int64)
        self.stores = np.zeros(count, np.int64)
        self.writer = np.full(count, NOBODY, np.int64)

    def refine(self, unit, size):
        """Makes elements narrower."""
        times, count = self.unit // unit, -(-size // unit)
        for name in ("loads", "stores", "writer"):
            setattr(self, name, np.repeat(getattr(self, name), times)[:count])
        self.unit = unit


class Figures:
    """Gathers what the module's docstring lists."""

    def __init__(self, engine):
        self.engine = engine
        self.threads = int(np.prod(engine.block))
        self._global, self._writers = {}, {}
        self._edges = set()
        self._most = {"reduction_steps": 0, "distinct_shared_loads": 0, "distinct_shared_stores": 0}

    def chunk_begin(self, geometry):
        """The blocks of a chunk begin."""
        self._shared = {}
        self._steps = np.zeros(len(geometry.blocks), np.int64)
        self._stepped = np.zeros(len(geometry.blocks), bool)

    def chunk_end(self):
        """The blocks of a chunk have ended."""
        self._steps += self._stepped
        self._raise("reduction_steps", int(self._steps.max()))
        rows = len(self._steps)
        for kind in ("loads", "stores"):
            touched = np.zeros(rows, np.int64)
            for table in self._shared.values():
                touched += np.count_nonzero(getattr(table, kind).reshape(rows, -1), 1)
            self._raise(f"distinct_shared_{kind}", int(touched.max()))

    def _raise(self, name, value):
        self._most[name] = max(self._most[name], value)

    def barrier(self, event):
        """Blocks pass a barrier: a stretch ends."""
        self._steps[event.rows] += self._stepped[event.rows]
        self._stepped[event.rows] = False

    def access(self, event, unit):
        """Lanes touch elements of `unit` bytes."""
        allocation, lanes = event.allocation, event.lanes
        shared = allocation.rows == "block"
        if not shared and allocation.argument is None:
            return
        table, places = self._places(event, unit, shared)
        who = lanes.get("lane_id")
        if places.ndim > 1:
            who = np.repeat(who, places.shape[1])
            places = places.reshape(-1)
        if event.kind != "store":
            self._loaded(table, places, who, lanes, shared)
        if event.kind == "atomic":
            self._updated(places, who)
        if event.kind != "load":
            count = np.bincount(places, minlength=len(table.stores))
            table.stores += count
            table.writer[places] = who
            if not shared:
                self._written(allocation.number, who)

    def _places(self, event, unit, shared):
        allocation, lanes = event.allocation, event.lanes
        tables = self._shared if shared else self._global
        size = len(allocation.data)
        table = tables.get(allocation.number)
        if table is None:
            table = tables[allocation.number] = _Table(size, unit)
        starts = event.offsets
        if shared:
            starts = starts + event.rows * allocation.stride
        least = unit
        if (starts % unit).any() or table.unit % unit:
            least = 1
        if least < table.unit:
            table.refine(least, size)
        places = starts // table.unit
        if len(places) != lanes.n:
            places = np.repeat(places, lanes.n)
        if event.size > table.unit:
            places = places[:, None] + np.arange(event.size // table.unit)
        return table, places

    def _loaded(self, table, places, who, lanes, shared):
        table.loads += np.bincount(places, minlength=len(table.loads))
        writer = table.writer[places]
        foreign = (writer != NOBODY) & (writer != who)
        if not foreign.any():
            return
        source, reader = writer[foreign] // self.threads, who[foreign] // self.threads
        across = self._passed_on(source, reader)
        if shared and not across.all():
            numbers = lanes.geometry.root.get("lane_id")
            blocks = np.unique(reader[~across])
            self._stepped[np.isin(numbers[:: self.threads] // self.threads, blocks)] = True

    def _passed_on(self, source, reader):
        """Notes blocks that have data from others; says which do."""
        across = source != reader
        if across.any():
            pairs = np.unique(np.stack((source[across], reader[across]), 1), axis=0)
            self._edges.update(map(tuple, pairs.tolist()))
        return across

    def _updated(self, places, who):
        """Threads that update one element together have it from one another."""
        order = np.argsort(places, kind="stable")
        places, blocks = places[order], who[order] // self.threads
        same = places[1:] == places[:-1]
        self._passed_on(blocks[:-1][same], blocks[1:][same])

    def _written(self, number, who):
        found = self._writers.get(number)
        if found is None:
            total = self.threads * int(np.prod(self.engine.grid))
            found = self._writers[number] = np.zeros(total, bool)
        found[who] = True

    def result(self):
        """The counters by name."""
        reads, writes = [], []
        output = scratch = None
        loads = stores = 0
        for one in self.engine.memory.allocations[1:]:
            if one.argument is None or one.space != "global":
                continue
            table = self._global.get(one.number)
            loaded = table is not None and table.loads.any()
            stored = table is not None and table.stores.any()
            loads += np.count_nonzero(table.loads) if table is not None else 0
            stores += np.count_nonzero(table.stores) if table is not None else 0
            if stored and loaded:
                scratch = _either(scratch, self._writers[one.number])
            elif stored:
                output = _either(output, self._writers[one.number])
                writes.append(table.stores)
            elif loaded or not one.writable:
                reads.append(table.loads if loaded else np.zeros(1, np.int64))
            else:
                writes.append(np.zeros(1, np.int64))
        return {
            **self._most,
            "distinct_global_loads": int(loads),
            "distinct_global_stores": int(stores),
            "reads_per_input_element": _each(reads),
            "writes_per_output_element": _each(writes),
            "output_writers": _count(output),
            "scratch_writers": _count(scratch),
            "first_writing_block": _first(output, self.threads),
            "communicating_blocks": len({block for edge in self._edges for block in edge}),
            "contributing_blocks": len(self._contributing(output)),
            "shared_bytes_per_block": sum(
                one.size for one in self.engine.memory.allocations[1:] if one.rows == "block"
            ),
        }

    def _contributing(self, output):
        if output is None:
            return set()
        found = set(np.unique(np.flatnonzero(output) // self.threads).tolist())
        while more := {a for a, b in self._edges if b in found} - found:
            found |= more
        return found


def _either(left, right):
    return right if left is None else left | right


def _count(mask):
    return 0 if mask is None else int(np.count_nonzero(mask))


def _first(mask, threads):
    if mask is None or not mask.any():
        return NOBODY
    return int(mask.argmax()) // threads


def _each(counts):
    if not counts or any(not one.all() for one in counts):
        return 0
    return max(int(one.max()) for one in counts)
