"""The frames of calls that were not spliced in: what each lane comes back to, and with which values."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from harness.simt.arrays import Array, Integers, Taint, distinct
from harness.simt.compile.calls import signature_of, signature_text
from harness.simt.compile.program import Program
from harness.simt.errors import Unsupported
from harness.simt.ir.function_table import function_at
from harness.simt.ir.site import Site
from harness.simt.ops.undefined import normalise_taint
from harness.simt.options import Options
from harness.simt.run.budget import Budget
from harness.simt.run.observation import Observation
from harness.simt.state.allocation import Allocation
from harness.simt.state.chunk import Chunk
from harness.simt.state.lanes import LaneSet
from harness.simt.state.memory import Memory
from harness.simt.state.merge import CLEAN

__all__ = ["Calls"]

PURE = "__cxa_pure_virtual"  # stands in a table in place of a function that a class only declares


class Calls:
    """The calls of a chunk's lanes.

    Args:
        locals_: The local variables of functions that stand once, one for each depth from 1, by the first's number.
    """

    def __init__(
        self,
        program: Program,
        chunk: Chunk,
        memory: Memory,
        observation: Observation,
        budget: Budget,
        options: Options,
        locals_: Mapping[int, Sequence[Allocation]],
    ) -> None:
        self._program, self._chunk, self._memory = program, chunk, memory
        self._observation, self._budget, self._options, self._locals = observation, budget, options, locals_
        self._depth: Integers = np.zeros(chunk.geometry.lanes, np.int64)
        self._back: Integers = np.zeros((0, chunk.geometry.lanes), np.int64)
        # By call and position: what each lane keeps, a row for each depth.
        self._values: defaultdict[int, dict[int, Array]] = defaultdict(dict)
        self._taints: defaultdict[int, dict[int, Array]] = defaultdict(dict)
        self._bytes = 0
        # Local variables and the depths, above the first, at which they have bytes: functions that call one another
        # leave some out.
        self._begun: set[tuple[int, int]] = set()

    def target(self, lanes: LaneSet, pointers: Array, known: Sequence[int], site: Site, taint: Taint) -> Array:
        """Which of some functions each lane's pointer names, from 0; ends the launch where it names none of them."""
        self._observation.emit_taint("address", site, lanes, taint)
        order = np.argsort(np.array(known, np.int64), kind="stable")
        listed = np.array(known, np.int64)[order]
        spots = np.minimum(np.searchsorted(listed, pointers), max(0, len(listed) - 1))
        wrong = listed[spots] != pointers if len(listed) else np.ones(len(pointers), bool)
        if wrong.any():
            first = int(np.flatnonzero(wrong)[0])
            those = lanes if len(wrong) == 1 else lanes.sub(np.flatnonzero(wrong))
            self._refuse(those, int(pointers[first]), site)
        return order[spots].astype(np.int32)

    def _refuse(self, lanes: LaneSet, pointer: int, site: Site) -> None:
        """Ends the launch: lanes call what is no function of the signature that they expect."""
        expected = signature_text(signature_of(site.instruction))
        if pointer in self._program.callable:
            function, has = self._program.callable[pointer]
            self._observation.fail("call.signature", [site], lanes, function=function, has=has, expected=expected)
        if self._program.undefined_functions.get(pointer) == PURE:
            self._observation.fail("trap.pure-virtual", [site], lanes)
        if pointer in self._program.undefined_functions:
            raise Unsupported(self._program.undefined_functions[pointer])
        if (another := function_at(pointer)) is not None:
            raise Unsupported(f"a call of {another}, a function of another module,")
        name = "call.nowhere" if pointer else "call.null"
        self._observation.fail(name, [site], lanes, expected=expected, address=pointer)

    def enter(self, lanes: LaneSet, call: int, values: Sequence[Array], taints: Sequence[Taint], site: Site) -> None:
        """Begins a frame of each lane.

        Args:
            call: The number of the call.
            values: What is needed after it, with the `taints` of that.
        """
        depth, most = self._depth[lanes.idx], self._options.call_depth
        if int(depth.max()) >= most:
            deep = lanes.sub(np.flatnonzero(depth >= most))
            self._observation.fail("call.too-deep", [site], deep, function=self._program.graph.calls[call], depth=most)
        self._back = self._grown(self._back, int(depth.max()))
        self._back[depth, lanes.idx] = call
        for kept, given in ((self._values[call], values), (self._taints[call], taints)):
            for leaf, value in enumerate(given):
                self._keep(lanes, depth, kept, leaf, value)
        self._depth[lanes.idx] = depth + 1
        self._chunk.signals += 1  # lanes that call do not spin

    def _keep(self, lanes: LaneSet, depth: Integers, kept: dict[int, Array], leaf: int, value: Array | None) -> None:
        """Keeps a value, or a taint: that may be None, and by byte in some frames alone."""
        if value is None:
            if leaf not in kept:
                return
            value = CLEAN
        empty = np.zeros((0, self._chunk.geometry.lanes, *value.shape[1:]), value.dtype)
        rows = kept.get(leaf, empty)
        if rows.ndim < empty.ndim:
            rows = np.repeat(rows[:, :, None], value.shape[1], 2)
        if rows.ndim > empty.ndim:
            value = value[:, None]
        rows = kept[leaf] = self._grown(rows, int(depth.max()))
        rows[depth, lanes.idx] = value

    def _grown(self, rows: Array, depth: int) -> Array:
        """Rows with room for a depth."""
        if depth < len(rows):
            return rows
        more = min(self._options.call_depth, max(8, 2 * len(rows), depth + 1)) - len(rows)
        self._bytes += more * rows.itemsize * int(np.prod(rows.shape[1:]))
        if self._bytes > self._options.max_bytes:
            self._budget.end(f"{self._options.max_bytes} bytes of memory for the frames of its calls")
        return np.concatenate([rows, np.zeros((more, *rows.shape[1:]), rows.dtype)])

    def leave(self, lanes: LaneSet) -> Array:
        """Ends the frame of each lane; gives the number of its call."""
        depth = self._depth[lanes.idx] - 1
        self._depth[lanes.idx] = depth
        self._chunk.signals += 1
        return self._back[depth, lanes.idx].astype(np.int32)

    def saved(self, lanes: LaneSet, call: int, leaf: int) -> Array:
        """A value of the frame that has just ended."""
        kept: Array = self._values[call][leaf][self._depth[lanes.idx], lanes.idx]
        return kept

    def saved_taint(self, lanes: LaneSet, call: int, leaf: int) -> Taint:
        """The taint of such a value."""
        rows, depth = self._taints[call].get(leaf), self._depth[lanes.idx]
        if rows is None or int(depth.max()) >= len(rows):
            return None
        taint = rows[depth, lanes.idx]
        return normalise_taint(taint if taint.ndim == 2 else taint[:, None])

    def local(self, lanes: LaneSet, number: int, site: Site) -> Array:
        """The address of a local variable of each lane's own frame."""
        depth = self._depth[lanes.idx] - 1
        frames = self._locals[number]
        for level in distinct(depth).tolist():
            allocation = frames[level]
            if level and (number, level) not in self._begun:
                self._begun.add((number, level))
                origin = self._observation.origin("local", allocation.name) if self._observation.tracked else 0
                allocation.reset(self._chunk.geometry.lanes, origin)
            self._memory.begin_life(lanes.sub(np.flatnonzero(depth == level)), allocation.number, site)
        return np.array([frame.base for frame in frames], np.int64)[depth]
