"""Registers of matrix products of four warps, used out of turn.

The registers of a sum may not be touched before the product was waited for, except by a product that goes on with
them. And `wgmma.fence` must stand between what writes a register of the sum, or of A, and the first product that
takes it. Which instructions do otherwise follows from the code; a finding is told when lanes come there.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#asynchronous-warpgroup-level-matrix-instructions-wgmma-fence
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from harness.simt.compile.graph import Op, Ref, Value, numbers_of
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment, intrinsic_of
from harness.simt.events import SegmentEvent
from harness.simt.ir.products import operands_of
from harness.simt.ir.site import Site
from harness.simt.observe import Observer, RunningLaunch

__all__ = ["Products"]

PRODUCT, FENCE = "asm:wgmma.mma_async", "llvm.nvvm.wgmma.fence"
COMMIT, WAIT = "llvm.nvvm.wgmma.commit_group", "llvm.nvvm.wgmma.wait_group"
# What leaves a value in its registers.
MOVES = frozenset(
    {"extractvalue", "insertvalue", "extractelement", "insertelement", "shufflevector", "bitcast", "freeze"}
)
# What makes a pointer of the one that is its first operand, or of what lies there.
POINTERS = frozenset({"getelementptr", "addrspacecast", "bitcast", "extractvalue", "insertvalue", "load"})
OPEN = -1  # the age of a product whose group is not closed; 0 is that of the last group


@dataclass(frozen=True, slots=True)
class _Misuse:
    """Something that lanes do out of turn.

    Attributes:
        site: What they do.
        other: The product that it comes too early for, or None.
    """

    message: str
    site: Site
    other: Site | None = None


@dataclass(slots=True)
class _State:
    """What is known where a segment begins, whichever way lanes came.

    Attributes:
        pending: By value, the age of the group of the product that makes it, and that product.
        bare: Values that were made since the last fence.
        unfenced: Whether there may have been none.
    """

    pending: dict[int, tuple[int, Op]] = field(default_factory=dict)
    bare: set[int] = field(default_factory=set)
    unfenced: bool = True

    def copy(self) -> _State:
        return _State(dict(self.pending), set(self.bare), self.unfenced)

    def join(self, other: _State) -> bool:
        """Takes over what another way adds; tells whether that is something."""
        changed = False
        for name, (age, op) in other.pending.items():
            if name not in self.pending or age < self.pending[name][0]:
                self.pending[name], changed = (age, op), True
        if not other.bare <= self.bare or other.unfenced > self.unfenced:
            self.bare |= other.bare
            self.unfenced |= other.unfenced
            changed = True
        return changed


def _name(op: Op) -> str:
    intrinsic = intrinsic_of(op)
    return "" if intrinsic is None else intrinsic.name


def _registers(product: Op) -> list[int]:
    """The values in registers that a product works on: those of the sum, and of A if it is no descriptor."""
    at = operands_of(product.site.instruction)
    return numbers_of(product.operands[place] for place in at.sums + (at.a if len(at.a) > 1 else ()))


class _Code:
    """The misuses of a kernel.

    Attributes:
        found: By the segment's number.
    """

    def __init__(self, program: Program) -> None:
        self._segments = program.segments
        self._makers = {op.result: op for segment in program.segments for op in segment.ops if op.result is not None}
        self._sources: dict[int, list[Value]] = {}  # of each phi
        for segment in program.segments:
            for target, moves in segment.edges:
                for (phi, _), value in zip(program.segments[target].phis, moves, strict=True):
                    self._sources.setdefault(phi, []).append(value)
        self._feeding = self._sources_of_products()
        self.found: dict[int, list[_Misuse]] = {}
        self._solve()

    def _sources_of_products(self) -> set[int]:
        """Values that are handed to products unchanged."""
        products = (op for segment in self._segments for op in segment.ops if _name(op).startswith(PRODUCT))
        left, feeding = [number for op in products for number in _registers(op)], set[int]()
        while left:
            number = left.pop()
            if number in feeding:
                continue
            feeding.add(number)
            maker = self._makers.get(number)
            if maker is not None and maker.opcode in MOVES:
                left.extend(numbers_of(maker.operands))
            left.extend(numbers_of(self._sources.get(number, ())))
        return feeding

    def _private(self, pointer: Value) -> bool:
        """Whether a pointer may lead to a local variable, which is in registers once the code is optimised."""
        while isinstance(pointer, Ref):
            maker = self._makers.get(pointer.number)
            if maker is None:
                return pointer.number in self._sources
            if maker.opcode == "alloca":
                return True
            if maker.opcode not in POINTERS:
                return False
            pointer = maker.operands[0]
        return False

    def _solve(self) -> None:
        states, left = {0: _State()}, [0]
        while left:
            segment = self._segments[left.pop()]
            state = states[segment.number].copy()
            self.found[segment.number] = self._after(segment, state)
            for target, moves in segment.edges:
                after = state.copy()
                for (phi, _), value in zip(self._segments[target].phis, moves, strict=True):
                    self._move(phi, (value,), state, after)
                if target not in states:
                    states[target] = after
                elif not states[target].join(after):
                    continue
                left.append(target)

    def _move(self, result: int, operands: Iterable[Value], before: _State, after: _State) -> None:
        """A value is one of others, or made of them without touching their registers."""
        names = list(numbers_of(operands))
        pending = [before.pending[name] for name in names if name in before.pending]
        bare = not before.bare.isdisjoint(names)
        after.pending.pop(result, None)
        after.bare.discard(result)
        if pending:
            after.pending[result] = min(pending, key=lambda entry: entry[0])
        if bare and result in self._feeding:
            after.bare.add(result)

    def _after(self, segment: Segment, state: _State) -> list[_Misuse]:
        """Goes through a segment; its misuses."""
        found: list[_Misuse] = []
        for op in segment.ops:
            name = _name(op)
            if name.startswith(PRODUCT):
                if state.unfenced or not state.bare.isdisjoint(_registers(op)):
                    found.append(_Misuse("async-product.fence", op.site))
                if op.result is not None:
                    state.pending[op.result] = OPEN, op
            elif name.startswith(FENCE):
                state.bare.clear()
                state.unfenced = False
            elif name.startswith(COMMIT):
                state.pending = {value: (age + 1, made) for value, (age, made) in state.pending.items()}
            elif name.startswith(WAIT):
                most = getattr(op.operands[0], "value", 0)
                state.pending = {
                    value: entry for value, entry in state.pending.items() if entry[0] < most or entry[0] == OPEN
                }
            elif op.opcode in MOVES and op.result is not None:
                self._move(op.result, op.operands, state, state)
            else:
                found.extend(self._used(op, name, state))
        return found

    def _used(self, op: Op, name: str, state: _State) -> Iterator[_Misuse]:
        memory = {"load": 0, "store": 1}.get(op.opcode)
        private = memory is not None and self._private(op.operands[memory])
        if not private and op.opcode != "variable":
            for number in numbers_of(op.operands):
                if number in state.pending:
                    yield _Misuse("async-product.result", op.site, state.pending[number][1].site)
        if op.result is not None:
            state.pending.pop(op.result, None)
            if op.result in self._feeding and not private:
                state.bare.add(op.result)


class Products(Observer):
    """Reports registers of products that are used before the product is done, or written without a fence."""

    def concerns(self, program: Program) -> bool:
        """Only kernels with products of four warps."""
        return program.copies and any(intrinsic.name.startswith(PRODUCT) for intrinsic in program.called)

    def launch_begin(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        self._found = _Code(engine.program).found

    def segment(self, event: SegmentEvent) -> None:
        """See `Observer`."""
        for misuse in self._found.get(event.number, ()):
            sites = (misuse.site,) if misuse.other is None else (misuse.site, misuse.other)
            self.engine.report(misuse.message, "error", sites, event.lanes, np.arange(event.lanes.n))
