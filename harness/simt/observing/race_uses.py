"""`ValueUses`, from a kernel's code: does a store update what was loaded; does a load only feed compare-and-swaps?"""

from __future__ import annotations

from collections import defaultdict

from harness.simt.compile import registry
from harness.simt.compile.graph import BasicBlock, ControlFlowGraph, Op, Ref, Value, value_numbers
from harness.simt.compile.segments import intrinsic_of
from harness.simt.ir.opcodes import BINARY, CASTS
from harness.simt.ir.site import Site

__all__ = ["ValueUses"]

MAX_COMPARED = 64  # instructions that are compared to tell whether addresses are equal
# Kinds of intrinsics that access no memory: only their result depends on the operands.
PURE_KINDS = ("pure", "typed", "lanes", "emitted")
ELEMENT_OPS = {"getelementptr", "extractvalue", "insertvalue", "extractelement", "insertelement", "shufflevector"}
PURE_OPS = frozenset({"fneg", "freeze", "icmp", "fcmp", "select", *ELEMENT_OPS, *BINARY, *CASTS})


class ValueUses:
    """The definitions and the uses of the values in a kernel.

    Args:
        graph: The kernel.
    """

    def __init__(self, graph: ControlFlowGraph) -> None:
        self._ops: dict[Site, Op] = {}
        self._definitions: dict[int, Op] = {}
        self._phis: dict[int, list[Value]] = defaultdict(list)
        self._users: dict[int, list[Op]] = defaultdict(list)
        self._phi_users: dict[int, list[int]] = defaultdict(list)  # by value, the phis that use it
        self._branch_values: set[int] = set()
        for block in graph.blocks:
            self._add_block(block)

    def _add_block(self, block: BasicBlock) -> None:
        for op in block.ops:
            self._ops[op.site] = op
            if op.result is not None:
                self._definitions[op.result] = op
            for number in value_numbers(op.operands):
                self._users[number].append(op)
        self._branch_values.update(value_numbers((block.condition,)))
        for edge in block.edges:
            for (number, _), value in zip(edge.target.phis, edge.moves, strict=True):
                self._phis[number].append(value)
                for taken in value_numbers((value,)):
                    self._phi_users[taken].append(number)

    def is_update(self, load: Site, store: Site) -> bool:
        """Return whether a store writes a value computed from what a load reads at the same address.

        False unless the instructions are a `load` and a `store`.
        """
        read, write = self._ops.get(load), self._ops.get(store)
        if read is None or write is None or (read.opcode, write.opcode) != ("load", "store"):
            return False
        return self._are_same(read.operands[0], write.operands[1]) and read.result in self._sources(write.operands[0])

    def updates_memory(self, store: Site) -> bool:
        """Return whether a store writes a value computed from a load of the same address; False for other opcodes."""
        write = self._ops.get(store)
        if write is None or write.opcode != "store":
            return False
        definitions = (self._definitions.get(number) for number in self._sources(write.operands[0]))
        return any(op is not None and self.is_update(op.site, store) for op in definitions)

    def is_first_load(self, load: Site) -> bool:
        """Return whether a loaded value, and all computed from it, only feed compare-and-swaps of its address.

        There must be at least one. A branch may also use the value if it compares it with such a swap's result.
        False for other opcodes than `load`.
        """
        read = self._ops.get(load)
        if read is None or read.opcode != "load" or read.result is None:
            return False
        pointer, swaps = read.operands[0], 0
        todo, visited = [read.result], {read.result}
        while todo:
            number = todo.pop()
            if number in self._branch_values and not self._compares_swap(number, pointer):
                return False
            more = list(self._phi_users[number])
            for op in self._users[number]:
                if self._is_swap(op, pointer):
                    swaps += 1
                elif op.result is not None and _is_pure(op):
                    more.append(op.result)
                elif op.opcode != "variable":
                    return False
            todo += [each for each in dict.fromkeys(more) if each not in visited]
            visited.update(more)
        return swaps > 0

    def _is_swap(self, op: Op, pointer: Value) -> bool:
        """Return whether an instruction is a compare-and-swap of an address."""
        swaps = op.opcode == "cmpxchg" or (op.opcode == "call" and ".atomic.cas." in op.callee)
        return swaps and self._are_same(op.operands[0], pointer)

    def _compares_swap(self, number: int, pointer: Value) -> bool:
        """Return whether value `number` compares the result of a compare-and-swap of `pointer` with another value."""
        op = self._definitions.get(number)
        if op is None or op.opcode not in ("icmp", "fcmp"):
            return False
        return any(self._is_swap_result(operand, pointer) for operand in op.operands)

    def _is_swap_result(self, value: Value, pointer: Value) -> bool:
        op = self._definitions.get(value.number) if isinstance(value, Ref) else None
        if op is not None and op.opcode in ("extractvalue", "bitcast"):
            return self._is_swap_result(op.operands[0], pointer)
        return op is not None and self._is_swap(op, pointer)

    def _sources(self, value: Value) -> set[int]:
        """Return the numbers of all values that a value is computed from, itself too; through phis, but not loads."""
        todo = list(value_numbers((value,)))
        sources = set(todo)
        while todo:
            number = todo.pop()
            op = self._definitions.get(number)
            operands = self._phis[number] if op is None else op.operands if _is_pure(op) else ()
            more = [each for each in value_numbers(operands) if each not in sources]
            todo += more
            sources.update(more)
        return sources

    def _are_same(self, left_root: Value, right_root: Value) -> bool:
        """Return whether two values are computed by the same instructions, without loads.

        False also if that takes more than `MAX_COMPARED` comparisons. Phis and arguments must be the very same value.
        """
        todo, depth = [(left_root, right_root)], 0
        while todo and depth < MAX_COMPARED:
            left_value, right_value = todo.pop()
            depth += 1
            if left_value == right_value:
                continue
            first, second = (
                self._definitions.get(value.number) if isinstance(value, Ref) else None
                for value in (left_value, right_value)
            )
            if first is None or second is None or not _is_pure(first) or not _is_pure(second):
                return False
            if (first.opcode, first.type, first.attrs) != (second.opcode, second.type, second.attrs):
                return False
            todo += zip(first.operands, second.operands, strict=True)
        return not todo


def _is_pure(op: Op) -> bool:
    if op.opcode == "call":
        intrinsic: registry.Intrinsic | None = intrinsic_of(op)
        return intrinsic is not None and intrinsic.kind in PURE_KINDS and not intrinsic.varies
    return op.opcode in PURE_OPS
