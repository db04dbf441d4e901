"""Detect registers of `wgmma` used before the wait or written without a fence, by data flow over a kernel's code.

The registers of the accumulator may not be used before the product was waited for, except by a product that continues
with them. And `wgmma.fence` must stand between an instruction that writes a register of the accumulator, or of A, and
the first product that takes it. The code shows which instructions break this; a finding is reported when lanes run one.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#asynchronous-warpgroup-level-matrix-instructions-wgmma-fence
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from harness.simt.compile.graph import Op, Ref, Value, value_numbers
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment, intrinsic_of
from harness.simt.events import SegmentEvent
from harness.simt.ir.products import operands_of
from harness.simt.ir.site import Site
from harness.simt.observe import Observer, RunningLaunch

__all__ = ["Products"]

PRODUCT, FENCE = "asm:wgmma.mma_async", "llvm.nvvm.wgmma.fence"
COMMIT, WAIT = "llvm.nvvm.wgmma.commit_group", "llvm.nvvm.wgmma.wait_group"
# Instructions that leave a value in its registers.
REGISTER_MOVES = frozenset(
    {"extractvalue", "insertvalue", "extractelement", "insertelement", "shufflevector", "bitcast", "freeze"}
)
# Instructions that compute a pointer from their first operand, or load one from it.
POINTER_OPS = frozenset({"getelementptr", "addrspacecast", "bitcast", "extractvalue", "insertvalue", "load"})
UNCOMMITTED = -1  # the age of a product whose group is not committed; that of the last group is 0


@dataclass(frozen=True, slots=True)
class _Misuse:
    """An instruction that breaks the rules.

    Attributes:
        message: The id of the finding.
        site: The instruction.
        other: The product whose result it uses too early, or None.
    """

    message: str
    site: Site
    other: Site | None = None


@dataclass(slots=True)
class _RegisterState:
    """The state of registers at the beginning of a segment, on every path to it.

    Attributes:
        pending: By value, the age of the group of the product that computes it, and that product.
        unfenced_values: Values that were computed since the last fence.
        may_lack_fence: Whether there may have been no fence yet.
    """

    pending: dict[int, tuple[int, Op]] = field(default_factory=dict)
    unfenced_values: set[int] = field(default_factory=set)
    may_lack_fence: bool = True

    def copy(self) -> _RegisterState:
        """Return a copy whose dicts and sets are its own."""
        return _RegisterState(dict(self.pending), set(self.unfenced_values), self.may_lack_fence)

    def merge(self, other: _RegisterState) -> bool:
        """Add in place the state at the end of another path to the segment; return whether that changes anything.

        Of two products pending for a value, the one of the younger group stays.
        """
        changed = False
        for name, (age, op) in other.pending.items():
            if name not in self.pending or age < self.pending[name][0]:
                self.pending[name], changed = (age, op), True
        if not other.unfenced_values <= self.unfenced_values or other.may_lack_fence > self.may_lack_fence:
            self.unfenced_values |= other.unfenced_values
            self.may_lack_fence |= other.may_lack_fence
            changed = True
        return changed


def _name(op: Op) -> str:
    """Return the name of the intrinsic that an instruction calls, or an empty string if it calls none."""
    intrinsic = intrinsic_of(op)
    return "" if intrinsic is None else intrinsic.name


def _registers(product: Op) -> list[int]:
    """Return the numbers of the values of a product's accumulator, and of its operand A unless that is in memory."""
    positions = operands_of(product.site.instruction)
    return value_numbers(
        product.operands[position] for position in positions.sums + (positions.a if len(positions.a) > 1 else ())
    )


class _MisuseFinder:
    """Find the misuses in a kernel, by data flow over its segments.

    Attributes:
        misuses_by_segment: The misuses, by the segment's number.
    """

    def __init__(self, program: Program) -> None:
        self._segments = program.segments
        self._definitions = {
            op.result: op for segment in program.segments for op in segment.ops if op.result is not None
        }
        self._phi_sources: dict[int, list[Value]] = {}  # of each phi
        for segment in program.segments:
            for target, moves in segment.edges:
                for (phi, _), value in zip(program.segments[target].phis, moves, strict=True):
                    self._phi_sources.setdefault(phi, []).append(value)
        self._product_inputs = self._sources_of_products()
        self.misuses_by_segment: dict[int, list[_Misuse]] = {}
        self._propagate()

    def _sources_of_products(self) -> set[int]:
        """Return the numbers of values that reach a product's accumulator or A, directly or through phis and moves."""
        products = (op for segment in self._segments for op in segment.ops if _name(op).startswith(PRODUCT))
        todo, inputs = [number for op in products for number in _registers(op)], set[int]()
        while todo:
            number = todo.pop()
            if number in inputs:
                continue
            inputs.add(number)
            definition = self._definitions.get(number)
            if definition is not None and definition.opcode in REGISTER_MOVES:
                todo.extend(value_numbers(definition.operands))
            todo.extend(value_numbers(self._phi_sources.get(number, ())))
        return inputs

    def _may_be_local(self, pointer: Value) -> bool:
        """Return whether a pointer may point to a local variable, which is in registers once the code is optimised.

        It may if it is an `alloca` or a phi, or is computed or loaded from one by `POINTER_OPS`, else not.
        """
        while isinstance(pointer, Ref):
            definition = self._definitions.get(pointer.number)
            if definition is None:
                return pointer.number in self._phi_sources
            if definition.opcode == "alloca":
                return True
            if definition.opcode not in POINTER_OPS:
                return False
            pointer = definition.operands[0]
        return False

    def _propagate(self) -> None:
        """Analyse segments until their states no longer change, and fill `misuses_by_segment`."""
        states, todo = {0: _RegisterState()}, [0]
        while todo:
            segment = self._segments[todo.pop()]
            state = states[segment.number].copy()
            self.misuses_by_segment[segment.number] = self._scan(segment, state)
            for target, moves in segment.edges:
                after = state.copy()
                for (phi, _), value in zip(self._segments[target].phis, moves, strict=True):
                    self._copy_state(phi, (value,), state, after)
                if target not in states:
                    states[target] = after
                elif not states[target].merge(after):
                    continue
                todo.append(target)

    def _copy_state(
        self, result: int, operands: Iterable[Value], before: _RegisterState, after: _RegisterState
    ) -> None:
        """Give a value that is only moved (`result`) the state of its operands, in place of its own.

        If products for several operands are pending, that of the youngest group is pending for the result. It lacks a
        fence if an operand does and a product takes the result.

        Args:
            before: The state to read; it may be `after` itself.
            after: The state to change.
        """
        names = list(value_numbers(operands))
        pending = [before.pending[name] for name in names if name in before.pending]
        unfenced_values = not before.unfenced_values.isdisjoint(names)
        after.pending.pop(result, None)
        after.unfenced_values.discard(result)
        if pending:
            after.pending[result] = min(pending, key=lambda entry: entry[0])
        if unfenced_values and result in self._product_inputs:
            after.unfenced_values.add(result)

    def _scan(self, segment: Segment, state: _RegisterState) -> list[_Misuse]:
        """Return the misuses in a segment, in its order; `state`, of its beginning, becomes that of its end.

        A product is misused if there may have been no fence yet, or if one of its registers was computed since. For
        other instructions see `_check_use`. Commits, fences, waits and moves only change the state.
        """
        misuses: list[_Misuse] = []
        for op in segment.ops:
            name = _name(op)
            if name.startswith(PRODUCT):
                if state.may_lack_fence or not state.unfenced_values.isdisjoint(_registers(op)):
                    misuses.append(_Misuse("async-product.fence", op.site))
                if op.result is not None:
                    state.pending[op.result] = UNCOMMITTED, op
            elif name.startswith(FENCE):
                state.unfenced_values.clear()
                state.may_lack_fence = False
            elif name.startswith(COMMIT):
                state.pending = {value: (age + 1, product) for value, (age, product) in state.pending.items()}
            elif name.startswith(WAIT):
                pending_groups = getattr(op.operands[0], "value", 0)
                state.pending = {
                    value: entry
                    for value, entry in state.pending.items()
                    if entry[0] < pending_groups or entry[0] == UNCOMMITTED
                }
            elif op.opcode in REGISTER_MOVES and op.result is not None:
                self._copy_state(op.result, op.operands, state, state)
            else:
                misuses.extend(self._check_use(op, name, state))
        return misuses

    def _check_use(self, op: Op, name: str, state: _RegisterState) -> Iterator[_Misuse]:
        """Yield a misuse for each pending product whose result an instruction uses; then update `state` for its result.

        The update comes once all are yielded. Loads and stores of local variables, and debug records, use nothing.
        """
        memory = {"load": 0, "store": 1}.get(op.opcode)
        is_local = memory is not None and self._may_be_local(op.operands[memory])
        if not is_local and op.opcode != "variable":
            for number in value_numbers(op.operands):
                if number in state.pending:
                    yield _Misuse("async-product.result", op.site, state.pending[number][1].site)
        if op.result is not None:
            state.pending.pop(op.result, None)
            if op.result in self._product_inputs and not is_local:
                state.unfenced_values.add(op.result)


class Products(Observer):
    """Report registers of products that are used before the product ends, or written without a fence."""

    def concerns(self, program: Program) -> bool:
        """Return whether the kernel has products of four warps."""
        return program.copies and any(intrinsic.name.startswith(PRODUCT) for intrinsic in program.called)

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Find the misuses in the kernel's code."""
        self._misuses = _MisuseFinder(engine.program).misuses_by_segment

    def segment(self, event: SegmentEvent) -> None:
        """Report the misuses in a segment as errors for the lanes that run it, with the pending product, if any."""
        for misuse in self._misuses.get(event.number, ()):
            sites = (misuse.site,) if misuse.other is None else (misuse.site, misuse.other)
            self.engine.report(misuse.message, "error", sites, event.lanes, np.arange(event.lanes.n))
