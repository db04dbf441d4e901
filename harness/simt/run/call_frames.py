"""Calls that are not inlined: targets of function pointers, and frames with saved values and local variables."""

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

__all__ = ["CallFrames"]

PURE_VIRTUAL = "__cxa_pure_virtual"  # in a virtual table, the entry of a function that a class only declares


class CallFrames:
    """The call frames of the lanes in a chunk.

    Args:
        locals_: The local variables of functions that are not inlined: by the number of the variable's first
            allocation, one allocation for each call depth from 1.
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
        self._return_calls: Integers = np.zeros((0, chunk.geometry.lanes), np.int64)
        # By call and position: the saved values, (depths, lanes).
        self._values: defaultdict[int, dict[int, Array]] = defaultdict(dict)
        self._taints: defaultdict[int, dict[int, Array]] = defaultdict(dict)
        self._frame_bytes = 0
        # (local variable, depth above the first) of the variables that have bytes: recursion skips some depths.
        self._initialised: set[tuple[int, int]] = set()

    def target(self, lanes: LaneSet, pointers: Array, functions: Sequence[int], site: Site, taint: Taint) -> Array:
        """Return for each lane the index in `functions` of the function that its pointer names.

        The index is an int32; (1,) if there is one pointer for all lanes. Undefined pointers are reported.

        Args:
            functions: The addresses of the functions that may be called.

        Raises:
            KernelFault: A pointer is null, or names nothing, a function of another signature, or a pure virtual one;
                this ends the launch.
            Unsupported: A pointer names a function without a body, or one of another module.
        """
        self._observation.emit_taint("address", site, lanes, taint)
        order = np.argsort(np.array(functions, np.int64), kind="stable")
        listed = np.array(functions, np.int64)[order]
        positions = np.minimum(np.searchsorted(listed, pointers), max(0, len(listed) - 1))
        wrong = listed[positions] != pointers if len(listed) else np.ones(len(pointers), bool)
        if wrong.any():
            first = int(np.flatnonzero(wrong)[0])
            failing = lanes if len(wrong) == 1 else lanes.sub(np.flatnonzero(wrong))
            self._fail_call(failing, int(pointers[first]), site)
        return order[positions].astype(np.int32)

    def _fail_call(self, lanes: LaneSet, pointer: int, site: Site) -> None:
        """Raise the error for a call through a pointer that names no function of the expected signature; never return.

        Raises:
            KernelFault, Unsupported: See `target`.
        """
        expected = signature_text(signature_of(site.instruction))
        if pointer in self._program.callable:
            function, has = self._program.callable[pointer]
            self._observation.fail("call.signature", [site], lanes, function=function, has=has, expected=expected)
        if self._program.undefined_functions.get(pointer) == PURE_VIRTUAL:
            self._observation.fail("trap.pure-virtual", [site], lanes)
        if pointer in self._program.undefined_functions:
            raise Unsupported(self._program.undefined_functions[pointer])
        if (another := function_at(pointer)) is not None:
            raise Unsupported(f"a call of {another}, a function of another module,")
        name = "call.nowhere" if pointer else "call.null"
        self._observation.fail(name, [site], lanes, expected=expected, address=pointer)

    def enter(self, lanes: LaneSet, call: int, values: Sequence[Array], taints: Sequence[Taint], site: Site) -> None:
        """Push a call frame for each lane, and count that as a signal, so that lanes that call do not seem to spin.

        Args:
            call: The number of the call.
            values: The values that are needed after it, with their `taints`.

        Raises:
            KernelFault: The call is deeper than `Options.call_depth`; this ends the launch.
            BudgetExceeded: The frames take too much memory.
        """
        depth, limit = self._depth[lanes.idx], self._options.call_depth
        if int(depth.max()) >= limit:
            exceeding = lanes.sub(np.flatnonzero(depth >= limit))
            self._observation.fail(
                "call.too-deep", [site], exceeding, function=self._program.graph.calls[call], depth=limit
            )
        self._return_calls = self._grow(self._return_calls, int(depth.max()))
        self._return_calls[depth, lanes.idx] = call
        for saved, new in ((self._values[call], values), (self._taints[call], taints)):
            for leaf, value in enumerate(new):
                self._save(lanes, depth, saved, leaf, value)
        self._depth[lanes.idx] = depth + 1
        self._chunk.signals += 1  # lanes that call do not spin

    def _save(self, lanes: LaneSet, depth: Integers, saved: dict[int, Array], leaf: int, value: Array | None) -> None:
        """Save one value, or one taint, in the lanes' frames at their depths.

        A taint may be None: it is saved as 0, or not at all if the position holds no taints yet. If a taint has an
        entry for each byte, all taints at its position get that shape.

        Args:
            saved: What is saved for this call, by position; changed in place.
            leaf: The position of the value.
        """
        if value is None:
            if leaf not in saved:
                return
            value = CLEAN
        empty = np.zeros((0, self._chunk.geometry.lanes, *value.shape[1:]), value.dtype)
        frames = saved.get(leaf, empty)
        if frames.ndim < empty.ndim:
            frames = np.repeat(frames[:, :, None], value.shape[1], 2)
        if frames.ndim > empty.ndim:
            value = value[:, None]
        frames = saved[leaf] = self._grow(frames, int(depth.max()))
        frames[depth, lanes.idx] = value

    def _grow(self, frames: Array, depth: int) -> Array:
        """Return `frames`, (depths, lanes, ...), with room for a depth: itself, or a longer copy filled with zeros.

        Raises:
            BudgetExceeded: All frames together take more than `Options.max_bytes`.
        """
        if depth < len(frames):
            return frames
        added = min(self._options.call_depth, max(8, 2 * len(frames), depth + 1)) - len(frames)
        self._frame_bytes += added * frames.itemsize * int(np.prod(frames.shape[1:]))
        if self._frame_bytes > self._options.max_bytes:
            self._budget.end(f"{self._options.max_bytes} bytes of memory for the frames of its calls")
        return np.concatenate([frames, np.zeros((added, *frames.shape[1:]), frames.dtype)])

    def leave(self, lanes: LaneSet) -> Array:
        """Pop the frame of each lane, and count that as a signal; return the number of its call, (n,).

        Until these lanes call or return again, `saved` and `saved_taint` read the frame's values.
        """
        depth = self._depth[lanes.idx] - 1
        self._depth[lanes.idx] = depth
        self._chunk.signals += 1
        return self._return_calls[depth, lanes.idx].astype(np.int32)

    def saved(self, lanes: LaneSet, call: int, leaf: int) -> Array:
        """Return a value that was saved in the frame which the lanes have just popped, (n, ...).

        Args:
            call, leaf: The number of the call, and the value's position among those saved.
        """
        value: Array = self._values[call][leaf][self._depth[lanes.idx], lanes.idx]
        return value

    def saved_taint(self, lanes: LaneSet, call: int, leaf: int) -> Taint:
        """Return the taint of the value that `saved` returns for the same arguments; None if all of it is defined."""
        frames, depth = self._taints[call].get(leaf), self._depth[lanes.idx]
        if frames is None or int(depth.max()) >= len(frames):
            return None
        taint = frames[depth, lanes.idx]
        return normalise_taint(taint if taint.ndim == 2 else taint[:, None])

    def local(self, lanes: LaneSet, number: int, site: Site) -> Array:
        """Begin the lifetime of a local variable in each lane's current frame, and return its address there, (n,).

        If undefined values are tracked, its bytes are marked as undefined. At the first use of a call depth in a chunk,
        the variable's allocation for that depth gets its bytes.

        Args:
            number: The number of the variable's first allocation.
        """
        depth = self._depth[lanes.idx] - 1
        frames = self._locals[number]
        for level in distinct(depth).tolist():
            allocation = frames[level]
            if level and (number, level) not in self._initialised:
                self._initialised.add((number, level))
                origin = self._observation.origin("local", allocation.name) if self._observation.tracked else 0
                allocation.reset(self._chunk.geometry.lanes, origin)
            self._memory.begin_lifetime(lanes.sub(np.flatnonzero(depth == level)), allocation.number, site)
        return np.array([frame.base for frame in frames], np.int64)[depth]
