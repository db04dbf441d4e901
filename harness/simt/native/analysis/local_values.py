"""Local variables that only pass values on: a load becomes what was stored, and nobody needs the variable.

Mojo keeps coordinates, pointers and fragments in variables of the lane, which it takes apart a few instructions later.
Without them an address is a constant or follows from the lane's number, so that the other analyses see what it depends
on, and nothing has to be checked of memory that no other lane can reach.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from harness.simt.compile.graph import Op, Ref, Value, value_numbers
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment, compiled_form, compute_liveness, intrinsic_of
from harness.simt.ir.module import Aggregate, Const, Undef
from harness.simt.ir.types import Float, Int, Pointer, Type, Vector, align_of, leaves, leaves_of, size_of
from harness.simt.ir.values import BIAS, SHIFT
from harness.simt.native.analysis.block_invariance import variable_of
from harness.simt.native.analysis.provenance import address_step, fixed_addresses

__all__ = ["REMOVED", "VECTOR", "LocalValues", "forward_local_values"]

REMOVED, VECTOR = "removed", "vector"  # opcodes of what is left of an instruction: nothing, or elements put together
ADDRESSES = ("alloca", "getelementptr", "addrspacecast", "insertvalue", "extractvalue")  # whose results may hold one
SIZES = 8, 16, 32, 64  # bits of integers that memory holds as they are
FLOATS = "half", "float", "double"
WITHOUT_EFFECT = "pure", "typed", "lanes"  # kinds of intrinsics that leave memory as it is


class LocalValues(NamedTuple):
    """A program without the loads of which it is known what they load.

    Attributes:
        removed: The numbers of the variables that nothing accesses any more.
    """

    program: Program
    removed: frozenset[int]


class _Stored(NamedTuple):
    """The leaf of a value that lies at an offset of a variable."""

    value: Value
    leaf: int
    type: Type


def forward_local_values(program: Program) -> LocalValues:
    """Replace loads of local variables by the values that the same segment stored there.

    A variable is removed if no load of it is left and its address goes nowhere else. Each instruction keeps its place,
    so that as many are counted.
    """
    if program.graph.calls or not any(op.opcode == "alloca" for segment in program.segments for op in segment.ops):
        return LocalValues(program, frozenset())
    forwarding = _Forwarding(program)
    segments = forwarding.rewrite()
    removed = _find_removable(segments, forwarding.stores)
    return LocalValues(replace(program, segments=_remove(segments, removed, forwarding.stores)), removed)


def _is_kept_as_it_is(ty: Type) -> bool:
    """Return whether memory holds a value of a type bit by bit."""
    match ty:
        case Int(bits):
            return bits == 1 or bits in SIZES
        case Vector(_, element):
            return element != Int(1) and not isinstance(element, Pointer) and _is_kept_as_it_is(element)
        case Float(name):
            return name in FLOATS
    return isinstance(ty, Pointer)


class _Forwarding:
    """Goes through the segments in order, and knows what lies in the local variables of a lane.

    Attributes:
        stores: By `id` the variable of each store whose place is a constant within it.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._definitions = {op.result: op for item in program.segments for op in item.ops if op.result is not None}
        self._addresses = fixed_addresses(program, self._definitions)
        self._sizes = {item.number: item.size for item in program.variables if item.rows == "lane" and not item.symbol}
        self._replaced: dict[int, Value] = {}
        self._contents: dict[int, dict[int, _Stored]] = {}  # by variable and offset
        self.stores: dict[int, int] = {}

    def rewrite(self) -> list[Segment]:
        """Return the segments with what became of each load."""
        entered = _entered_from(self._program.segments)
        rewritten = []
        for segment in self._program.segments:
            if segment.gate is not None or entered[segment.number] != [segment.number - 1]:
                self._contents.clear()
            rewritten.append(replace(segment, ops=tuple([self._rewrite(op) for op in segment.ops])))
        return [self._replace_everywhere(segment) for segment in rewritten]

    def _replace_everywhere(self, segment: Segment) -> Segment:
        """Put values in the place of those loads that a segment uses from a later one, or from an earlier one."""
        ops = tuple(self._with_values(op) for op in segment.ops)
        for before, after in zip(segment.ops, ops, strict=True):
            if id(before) in self.stores:
                self.stores[id(after)] = self.stores[id(before)]
        gate = segment.gate and replace(segment.gate, op=ops[0])
        edges = tuple((target, tuple(map(self._resolve, moves))) for target, moves in segment.edges)
        condition = segment.condition and self._resolve(segment.condition)
        return replace(segment, ops=ops, gate=gate, edges=edges, condition=condition)

    def _resolve(self, value: Value) -> Value:
        return self._replaced.get(value.number, value) if isinstance(value, Ref) else value

    def _with_values(self, op: Op) -> Op:
        operands = tuple(map(self._resolve, op.operands))
        return op if operands == op.operands else replace(op, operands=operands)

    def _rewrite(self, op: Op) -> Op:
        op = self._with_values(op)
        match op.opcode:
            case "load":
                op = self._load(op)
            case "store":
                self._store(op)
            case "getelementptr" | "addrspacecast":
                step, start = address_step(op), self._address(op.operands[0])
                if step is not None and start is not None and op.result is not None:
                    self._addresses[op.result] = start + step
            case "alloca":
                (number,) = op.operands
                assert isinstance(number, Const)
                self._contents.pop(number.value, None)
            case "call":
                self._call(op)
            case "atomicrmw" | "cmpxchg":
                self._forget(op.operands[0])
        if op.result is not None:
            self._definitions[op.result] = op
        return op

    def _address(self, pointer: Value) -> int | None:
        return self._addresses.get(pointer.number) if isinstance(pointer, Ref) else None

    def _place(self, pointer: Value) -> tuple[int, int] | None:
        """Return the local variable and the offset that an address is, or None."""
        address = self._address(pointer)
        if address is None or (number := address >> SHIFT) not in self._sizes:
            return None
        return number, address - (number << SHIFT) - BIAS

    def _parts(self, op: Op, ty: Type, place: tuple[int, int]) -> list[tuple[Type, int]] | None:
        """Return the leaves of what is accessed, with their offsets; None if a check of the access may fail."""
        number, offset = place
        promised = op.attrs.get("align") or align_of(ty)
        is_strong = bool(op.attrs.get("ordering") or "volatile" in op.flags)
        parts = [(leaf, offset + start) for leaf, start in leaves(ty)]
        is_known = all(_is_kept_as_it_is(leaf) for leaf, _ in parts)
        is_inside = 0 <= offset and offset + size_of(ty) <= self._sizes[number]
        return parts if parts and is_known and is_inside and not is_strong and not offset % promised else None

    def _store(self, op: Op) -> None:
        value, pointer = op.operands
        place = self._place(pointer)
        parts = None if place is None else self._parts(op, value.type, place)
        if place is None or parts is None:
            self._forget(pointer)
            return
        number, _ = place
        self.stores[id(op)] = number
        contents = self._contents.setdefault(number, {})
        for leaf, (ty, offset) in enumerate(parts):
            end = offset + size_of(ty)
            for other, before in list(contents.items()):
                if other < end and offset < other + size_of(before.type):
                    del contents[other]
            contents[offset] = _Stored(value, leaf, ty)

    def _load(self, op: Op) -> Op:
        (pointer,) = op.operands
        place = self._place(pointer)
        parts = None if place is None else self._parts(op, op.type, place)
        if place is None or parts is None or op.result is None:
            return op
        contents = self._contents.get(place[0], {})
        if op.type == parts[0][0]:
            return self._load_leaf(op, contents, *parts[0])
        first = contents.get(parts[0][1])
        if first is None or first.value.type != op.type:
            return op
        whole = [_Stored(first.value, leaf, ty) for leaf, (ty, _) in enumerate(parts)]
        is_whole = [contents.get(offset) for _, offset in parts] == whole
        return self._replace(op, first.value) if is_whole else op

    def _load_leaf(self, op: Op, contents: dict[int, _Stored], ty: Type, offset: int) -> Op:
        value = self._stored_at(contents, ty, offset)
        if value is not None:
            return self._replace(op, value)
        if isinstance(ty, Vector):
            size = size_of(ty.element)
            places = range(offset, offset + ty.length * size, size)
            elements = [self._stored_at(contents, ty.element, at) for at in places]
            operands = tuple(element for element in elements if element is not None)
            return replace(op, opcode=VECTOR, operands=operands) if len(operands) == ty.length else op
        for start, stored in contents.items():
            if isinstance(stored.type, Vector) and stored.type.element == ty:
                index, rest = divmod(offset - start, size_of(ty))
                whole, leaf = self._leaf_of(stored.value, stored.leaf)
                if 0 <= index < stored.type.length and not rest and not leaf and whole.type == stored.type:
                    return replace(op, opcode="extractelement", operands=(whole, Const(Int(64), index)))
        return op

    def _stored_at(self, contents: dict[int, _Stored], ty: Type, offset: int) -> Value | None:
        """Return the value of a type that lies at an offset, if it is one by itself."""
        stored = contents.get(offset)
        if stored is None or stored.type != ty:
            return None
        value, leaf = self._leaf_of(stored.value, stored.leaf)
        return None if isinstance(value, Undef) or leaf or value.type != ty else value

    def _leaf_of(self, value: Value, leaf: int) -> tuple[Value, int]:
        """Find the value that a leaf of another is, or is a leaf of."""
        while True:
            match value:
                case Aggregate(ty, elements) if not isinstance(ty, Vector):
                    for place, element in enumerate(elements):
                        start, stop = leaves_of(ty, (place,))
                        if start <= leaf < stop:
                            value, leaf = element, leaf - start
                            break
                    continue
                case Ref(number, _) if (op := self._definitions.get(number)) is not None:
                    if op.opcode == "insertvalue":
                        aggregate, part = op.operands
                        start, stop = leaves_of(aggregate.type, op.attrs["indices"])
                        value, leaf = (part, leaf - start) if start <= leaf < stop else (aggregate, leaf)
                        continue
                    if op.opcode == "extractvalue":
                        start, _ = leaves_of(op.operands[0].type, op.attrs["indices"])
                        aggregate, within = self._leaf_of(op.operands[0], start + leaf)
                        if within or len(leaves(aggregate.type)) > 1:
                            return value, leaf
                        value, leaf = aggregate, within
                        continue
            return value, leaf

    def _replace(self, op: Op, value: Value) -> Op:
        assert op.result is not None
        self._replaced[op.result] = value
        return replace(op, opcode=REMOVED, result=None, operands=())

    def _forget(self, pointer: Value) -> None:
        """Forget what lies where an address may lead to."""
        number = variable_of(self._program, self._definitions, pointer)
        place = self._address(pointer)
        number = number if place is None else place >> SHIFT
        if number is None:
            self._contents.clear()
        else:
            self._contents.pop(number, None)

    def _call(self, op: Op) -> None:
        intrinsic = intrinsic_of(op)
        if intrinsic is not None and (intrinsic.kind in WITHOUT_EFFECT or "lifetime.end" in op.callee):
            return
        pointers = [operand for operand in op.operands if isinstance(operand.type, Pointer)]
        reads = {access.operand for access in intrinsic.accesses if access.kind == "load"} if intrinsic else set[int]()
        for place, operand in enumerate(op.operands):
            if isinstance(operand.type, Pointer) and place not in reads:
                self._forget(operand)
        is_wait = intrinsic is not None and (intrinsic.exchanges or intrinsic.waits is not None)
        if not (pointers or is_wait):
            self._contents.clear()


def _entered_from(segments: Sequence[Segment]) -> list[list[int]]:
    """Return for each segment those that lead to it."""
    before: list[list[int]] = [[] for _ in segments]
    for segment in segments:
        for target, _ in segment.edges:
            before[target].append(segment.number)
    return before


def _find_removable(segments: Iterable[Segment], stores: dict[int, int]) -> frozenset[int]:
    """Return the variables that are only stored to.

    Args:
        stores: See `_Forwarding`.
    """
    owners: dict[int, frozenset[int]] = {}  # the variables whose addresses a value has
    needed, held = set[int](), dict[int, set[int]]()  # those whose addresses lie in a variable

    def of(values: Iterable[Value | None]) -> set[int]:
        return {item for value in values if isinstance(value, Ref) for item in owners.get(value.number, ())}

    for segment in segments:
        for op in segment.ops:
            if op.opcode == "alloca" and op.result is not None and isinstance(op.operands[0], Const):
                owners[op.result] = frozenset({op.operands[0].value})
            elif op.opcode in ADDRESSES and op.result is not None:
                owners[op.result] = frozenset(of(op.operands))
            elif id(op) in stores:
                held.setdefault(stores[id(op)], set()).update(of(op.operands[:1]))
            elif not (compiled_form(op) == "begin" or (op.opcode == "call" and "lifetime.end" in op.callee)):
                needed |= of(op.operands)
        needed |= of(segment.terminator_values)
    pending = list(needed)
    while pending:
        new = held.get(pending.pop(), set()) - needed
        needed |= new
        pending += new
    return frozenset(item for items in owners.values() for item in items) - needed


def _remove(segments: Sequence[Segment], removed: frozenset[int], stores: dict[int, int]) -> tuple[Segment, ...]:
    """Return the segments without stores to the variables, without their lifetimes and their addresses."""
    used = Counter(number for segment in segments for number in value_numbers(segment.terminator_values))
    used.update(number for segment in segments for op in segment.ops for number in value_numbers(op.operands))
    allocated = {op.result: op.operands[0] for segment in segments for op in segment.ops if op.opcode == "alloca"}
    addresses = {number for number, item in allocated.items() if isinstance(item, Const) and item.value in removed}
    for segment in segments:
        for op in segment.ops:
            if op.opcode in ADDRESSES and not addresses.isdisjoint(value_numbers(op.operands)):
                addresses.add(op.result)

    def is_needless(op: Op) -> bool:
        if op.opcode == "call" and (compiled_form(op) == "begin" or "lifetime.end" in op.callee):
            return not addresses.isdisjoint(value_numbers(op.operands))
        return stores.get(id(op)) in removed or (op.result in addresses and not used[op.result])

    rewritten = []
    for segment in reversed(segments):
        ops = list(segment.ops)
        for place in reversed(range(len(ops))):
            if is_needless(ops[place]):
                used.subtract(value_numbers(ops[place].operands))
                ops[place] = replace(ops[place], opcode=REMOVED, result=None, operands=())
        rewritten.append(replace(segment, ops=tuple(ops)))
    return compute_liveness(rewritten[::-1])
