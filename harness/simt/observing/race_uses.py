"""What a kernel does with what it reads: whether a race is an update, or what begins a compare-and-swap."""

from __future__ import annotations

from collections import defaultdict

from harness.simt.compile import registry
from harness.simt.compile.graph import BasicBlock, Graph, Op, Ref, Value, value_numbers
from harness.simt.compile.segments import intrinsic_of
from harness.simt.ir.opcodes import BINARY, CASTS
from harness.simt.ir.site import Site

__all__ = ["Uses"]

DEEPEST = 64  # instructions of which an address is compared
# What touches no memory: its result is all that comes of its operands.
PURE_CALLS = ("pure", "typed", "lanes", "emitted")
PARTS = {"getelementptr", "extractvalue", "insertvalue", "extractelement", "insertelement", "shufflevector"}
PURE = frozenset({"fneg", "freeze", "icmp", "fcmp", "select", *PARTS, *BINARY, *CASTS})


class Uses:
    """Where the values of a kernel come from, and where they go.

    Args:
        graph: The kernel.
    """

    def __init__(self, graph: Graph) -> None:
        self._ops: dict[Site, Op] = {}
        self._made: dict[int, Op] = {}
        self._phis: dict[int, list[Value]] = defaultdict(list)
        self._used: dict[int, list[Op]] = defaultdict(list)
        self._taken: dict[int, list[int]] = defaultdict(list)  # by value, the phis that take it
        self._decides: set[int] = set()
        for block in graph.blocks:
            self._note(block)

    def _note(self, block: BasicBlock) -> None:
        for op in block.ops:
            self._ops[op.site] = op
            if op.result is not None:
                self._made[op.result] = op
            for number in value_numbers(op.operands):
                self._used[number].append(op)
        self._decides.update(value_numbers((block.condition,)))
        for edge in block.edges:
            for (number, _), value in zip(edge.target.phis, edge.moves, strict=True):
                self._phis[number].append(value)
                for taken in value_numbers((value,)):
                    self._taken[taken].append(number)

    def update(self, load: Site, store: Site) -> bool:
        """Whether what an instruction stores is made from what another one loads at the same address."""
        read, write = self._ops.get(load), self._ops.get(store)
        if read is None or write is None or (read.opcode, write.opcode) != ("load", "store"):
            return False
        return self._same(read.operands[0], write.operands[1]) and read.result in self._sources(write.operands[0])

    def updates(self, store: Site) -> bool:
        """Whether an instruction stores what is made from what lay there."""
        write = self._ops.get(store)
        if write is None or write.opcode != "store":
            return False
        made = (self._made.get(number) for number in self._sources(write.operands[0]))
        return any(op is not None and self.update(op.site, store) for op in made)

    def first_load(self, load: Site) -> bool:
        """Whether what a plain load reads goes nowhere but into a compare-and-swap of the same address.

        It may decide nothing either, but together with what that compare-and-swap found.
        """
        read = self._ops.get(load)
        if read is None or read.opcode != "load" or read.result is None:
            return False
        pointer, swaps = read.operands[0], 0
        todo, seen = [read.result], {read.result}
        while todo:
            number = todo.pop()
            if number in self._decides and not self._compares(number, pointer):
                return False
            more = list(self._taken[number])
            for op in self._used[number]:
                if self._swaps(op, pointer):
                    swaps += 1
                elif op.result is not None and _pure(op):
                    more.append(op.result)
                elif op.opcode != "variable":
                    return False
            todo += [each for each in dict.fromkeys(more) if each not in seen]
            seen.update(more)
        return swaps > 0

    def _swaps(self, op: Op, pointer: Value) -> bool:
        """Whether an instruction is a compare-and-swap of an address."""
        swaps = op.opcode == "cmpxchg" or (op.opcode == "call" and ".atomic.cas." in op.callee)
        return swaps and self._same(op.operands[0], pointer)

    def _compares(self, number: int, pointer: Value) -> bool:
        """Whether a condition compares with what a compare-and-swap of an address found."""
        op = self._made.get(number)
        if op is None or op.opcode not in ("icmp", "fcmp"):
            return False
        return any(self._found(operand, pointer) for operand in op.operands)

    def _found(self, value: Value, pointer: Value) -> bool:
        op = self._made.get(value.number) if isinstance(value, Ref) else None
        if op is not None and op.opcode in ("extractvalue", "bitcast"):
            return self._found(op.operands[0], pointer)
        return op is not None and self._swaps(op, pointer)

    def _sources(self, value: Value) -> set[int]:
        """The values that one is made from, itself among them."""
        todo = list(value_numbers((value,)))
        seen = set(todo)
        while todo:
            number = todo.pop()
            op = self._made.get(number)
            operands = self._phis[number] if op is None else op.operands if _pure(op) else ()
            more = [each for each in value_numbers(operands) if each not in seen]
            todo += more
            seen.update(more)
        return seen

    def _same(self, left: Value, right: Value) -> bool:
        """Whether two values are computed alike; loads may differ."""
        todo, depth = [(left, right)], 0
        while todo and depth < DEEPEST:
            one, other = todo.pop()
            depth += 1
            if one == other:
                continue
            first, second = (self._made.get(value.number) if isinstance(value, Ref) else None for value in (one, other))
            if first is None or second is None or not _pure(first) or not _pure(second):
                return False
            if (first.opcode, first.type, first.attrs) != (second.opcode, second.type, second.attrs):
                return False
            todo += zip(first.operands, second.operands, strict=True)
        return not todo


def _pure(op: Op) -> bool:
    if op.opcode == "call":
        intrinsic: registry.Intrinsic | None = intrinsic_of(op)
        return intrinsic is not None and intrinsic.kind in PURE_CALLS and not intrinsic.varies
    return op.opcode in PURE
