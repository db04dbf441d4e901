"""Forward values from stores to loads of local variables, and remove variables without loads; see `local_variables`.

Mojo keeps coordinates, pointers and fragments in variables of the lane, and takes them out again a few instructions
later. Without these an address is a constant or follows from the lane's number, so that other analyses see what it
depends on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from harness.simt.compile.graph import Op, Ref, Value
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment, compute_liveness, intrinsic_of
from harness.simt.ir.module import Aggregate, Const, Undef
from harness.simt.ir.types import Float, Int, Pointer, Type, Vector, align_of, leaves, leaves_of, size_of
from harness.simt.ir.values import BIAS, SHIFT
from harness.simt.native.analysis.block_invariance import variable_of
from harness.simt.native.analysis.local_variables import REMOVED, AccessedVariables, Location, Place, find_followers
from harness.simt.native.analysis.provenance import address_step, fixed_addresses

__all__ = ["VECTOR", "LocalValues", "forward_local_values"]

VECTOR = "vector"  # the opcode of a load whose elements were stored one by one
SIZES = 1, 8, 16, 32, 64  # bits of the integers that memory holds as they are
FLOATS = "half", "float", "double"
WITHOUT_EFFECT = "pure", "typed", "lanes", "ignored", "fence"  # kinds of intrinsics that leave memory as it is


class LocalValues(NamedTuple):
    """A program without the loads of which it is known what they load.

    Attributes:
        removed: The numbers of the variables that nothing accesses any more.
        hidden: Those that are accessed by known addresses alone, or by none: no other address may lead to them.
    """

    program: Program
    removed: frozenset[int] = frozenset()
    hidden: frozenset[int] = frozenset()


class _Stored(NamedTuple):
    """The leaf of a value that lies at an offset of a variable."""

    value: Value
    leaf: int
    type: Type


def forward_local_values(program: Program) -> LocalValues:
    """Return a program in which loads of local variables are replaced by the values that were stored there.

    These are values that the same segment stored, or the one before if that is its only predecessor, and those of
    variables with a single store. A variable is removed if no load of it is left and its address goes nowhere else. Its
    stores and replaced loads become `REMOVED`, which does nothing, so that as many instructions are counted. A program
    with calls that are not inlined, or without local variables, is returned as it is.
    """
    if program.graph.calls or not any(op.opcode == "alloca" for segment in program.segments for op in segment.ops):
        return LocalValues(program)
    segments = program.segments
    while True:
        forwarding = _Forwarding(program, segments)
        rewritten = [replace(segment, ops=forwarding.rewrite(segment)) for segment in segments]
        segments = tuple(_replace_values(segment, forwarding.replaced) for segment in rewritten)
        accessed = AccessedVariables(segments, forwarding.stores, forwarding.loads)
        values = accessed.find_single_values()
        if not values:
            break
        segments = tuple(_replace_values(segment, values) for segment in segments)
    removed = accessed.find_removable()
    segments = compute_liveness(accessed.remove(removed))
    return LocalValues(replace(program, segments=segments), removed, accessed.find_hidden())


def _replace_values(segment: Segment, values: Mapping[int, Value]) -> Segment:
    """Return a segment that uses other values instead of some, by their numbers.

    Instructions that define the replaced values become `REMOVED`. A new value is itself replaced if it is a key.
    """

    def resolve(value: Value) -> Value:
        while isinstance(value, Ref) and value.number in values:
            value = values[value.number]
        return value

    ops = []
    for op in segment.ops:
        if op.result in values:
            op = replace(op, opcode=REMOVED, result=None, operands=())
        elif any(isinstance(operand, Ref) and operand.number in values for operand in op.operands):
            op = replace(op, operands=tuple(map(resolve, op.operands)))
        ops.append(op)
    return replace(
        segment,
        ops=tuple(ops),
        gate=segment.gate and replace(segment.gate, op=ops[0]),
        edges=tuple((target, tuple(map(resolve, moves))) for target, moves in segment.edges),
        condition=segment.condition and resolve(segment.condition),
    )


def _is_kept_as_it_is(ty: Type) -> bool:
    """Return whether a load of a type gives back the very value that was stored.

    It does for pointers, integers of 1, 8, 16, 32 and 64 bits, half, float and double, and for vectors of them except
    of pointers and i1.
    """
    match ty:
        case Int(bits):
            return bits in SIZES
        case Float(name):
            return name in FLOATS
        case Vector(_, element):
            return element != Int(1) and not isinstance(element, Pointer) and _is_kept_as_it_is(element)
    return isinstance(ty, Pointer)


class _Forwarding:
    """Goes through the segments in order, and knows what lies in the local variables of a lane.

    Attributes:
        replaced: For a load's result the value that it loads, by number.
        stores, loads: The variable and the offset of all other accesses of local variables of which these are constant
            and no check fails.
    """

    def __init__(self, program: Program, segments: Sequence[Segment]) -> None:
        self._program = program
        self._definitions = {op.result: op for segment in segments for op in segment.ops if op.result is not None}
        self._addresses = fixed_addresses(program, self._definitions)
        self._sizes = {item.number: item.size for item in program.variables if item.rows == "lane" and not item.symbol}
        self._contents: dict[int, dict[int, _Stored]] = {}  # by variable and offset
        self._widest = 1  # bytes of a leaf that was stored
        self._follows = find_followers(segments)
        self.replaced: dict[int, Value] = {}
        self.stores: dict[Location, Place] = {}
        self.loads: dict[Location, Place] = {}

    def rewrite(self, segment: Segment) -> tuple[Op, ...]:
        """Return the rewritten instructions of a segment, as many as before; call it for all segments in order.

        What lies in variables is forgotten first if lanes wait before the segment, or if it has predecessors other than
        the segment before it. Adds to `replaced`, `stores` and `loads`.
        """
        if segment.gate is not None or segment.number not in self._follows:
            self._contents.clear()
        return tuple(self._rewrite(op, (segment.number, place)) for place, op in enumerate(segment.ops))

    def _rewrite(self, op: Op, location: Location) -> Op:
        if any(isinstance(operand, Ref) and operand.number in self.replaced for operand in op.operands):
            op = replace(op, operands=tuple(map(self._resolve, op.operands)))
        match op.opcode:
            case "load":
                op = self._load(op, location)
            case "store":
                self._store(op, location)
            case "getelementptr" | "addrspacecast":
                self._derive_address(op)
            case "alloca":
                (number,) = op.operands
                assert isinstance(number, Const)
                self._contents.pop(number.value, None)
            case "call":
                self._forget_written_by(op)
            case "atomicrmw" | "cmpxchg":
                self._forget(op.operands[0])
        if op.result is not None:
            self._definitions[op.result] = op
        return op

    def _resolve(self, value: Value) -> Value:
        return self.replaced.get(value.number, value) if isinstance(value, Ref) else value

    def _derive_address(self, op: Op) -> None:
        start = op.operands[0]
        if isinstance(start, Ref) and start.number in self._addresses and op.result is not None:
            step = address_step(op)
            if step is not None:
                self._addresses[op.result] = self._addresses[start.number] + step

    def _place_of(self, op: Op, pointer: Value, ty: Type) -> Place | None:
        """Return the variable and the offset that are accessed; None if they are not constant.

        None also if the access is out of bounds, misaligned, volatile or ordered, or `_is_kept_as_it_is` excludes `ty`.
        """
        address = self._addresses.get(pointer.number) if isinstance(pointer, Ref) else None
        if address is None or (number := address >> SHIFT) not in self._sizes:
            return None
        offset = address - (number << SHIFT) - BIAS
        is_strong = bool(op.attrs.get("ordering") or "volatile" in op.flags)
        is_inside = offset in range(self._sizes[number] - size_of(ty) + 1)
        is_aligned = not offset % (op.attrs.get("align") or align_of(ty))
        leaf_types = [leaf for leaf, _ in leaves(ty)]
        is_known = leaf_types and all(map(_is_kept_as_it_is, leaf_types))
        return (number, offset) if is_known and is_inside and is_aligned and not is_strong else None

    def _store(self, op: Op, location: Location) -> None:
        value, pointer = op.operands
        place = self._place_of(op, pointer, value.type)
        if place is None:
            self._forget(pointer)
            return
        self.stores[location] = place
        number, start = place
        contents = self._contents.setdefault(number, {})
        for other in range(start - self._widest + 1, start + size_of(value.type)):
            if other in contents and other + size_of(contents[other].type) > start:
                del contents[other]
        for leaf, (ty, offset) in enumerate(leaves(value.type)):
            contents[start + offset] = _Stored(value, leaf, ty)
            self._widest = max(self._widest, size_of(ty))

    def _load(self, op: Op, location: Location) -> Op:
        (pointer,) = op.operands
        place = self._place_of(op, pointer, op.type)
        if place is None or op.result is None:
            return op
        number, offset = place
        contents = self._contents.get(number, {})
        value = self._stored_at(contents, op.type, offset)
        if value is None and (elements := self._elements_at(contents, op.type, offset)) is not None:
            opcode, operands = elements
            return replace(op, opcode=opcode, operands=operands)
        if value is None:
            self.loads[location] = place
            return op
        self.replaced[op.result] = value
        return replace(op, opcode=REMOVED, result=None, operands=())

    def _stored_at(self, contents: Mapping[int, _Stored], ty: Type, offset: int) -> Value | None:
        """Return the value that was stored at an offset and has this type, alone or as a leaf of an aggregate.

        None if there is none, a part of it was overwritten, or the leaf is `undef` or only a part of a result.
        """
        layout = leaves(ty)
        first = contents.get(offset + layout[0][1])
        if first is None:
            return None
        if first.value.type == ty:
            expected = [_Stored(first.value, leaf, leaf_type) for leaf, (leaf_type, _) in enumerate(layout)]
            return first.value if expected == [contents.get(offset + start) for _, start in layout] else None
        if first.type != ty:
            return None
        value, leaf = self._leaf_of(first.value, first.leaf)
        return None if isinstance(value, Undef) or leaf or value.type != ty else value

    def _elements_at(
        self, contents: Mapping[int, _Stored], ty: Type, offset: int
    ) -> tuple[str, tuple[Value, ...]] | None:
        """Return an opcode and operands that make a value from what was stored at an offset; None if that is unknown.

        A vector is made of elements that were stored one by one (`VECTOR`). Any other value is taken out of a vector
        that was stored as a whole (`extractelement`).
        """
        if isinstance(ty, Vector):
            places = (offset + place * size_of(ty.element) for place in range(ty.length))
            elements = [self._stored_at(contents, ty.element, place) for place in places]
            operands = tuple(element for element in elements if element is not None)
            return (VECTOR, operands) if len(operands) == ty.length else None
        for start in range(offset, offset - self._widest, -1):
            stored = contents.get(start)
            if stored is None or not isinstance(stored.type, Vector) or stored.type.element != ty:
                continue
            place, rest = divmod(offset - start, size_of(ty))
            vector, leaf = self._leaf_of(stored.value, stored.leaf)
            if place < stored.type.length and not (rest or leaf) and vector.type == stored.type:
                return "extractelement", (vector, Const(Int(64), place))
        return None

    def _leaf_of(self, value: Value, leaf: int) -> tuple[Value, int]:
        """Trace a leaf of a value back through aggregate constants, `insertvalue` and `extractvalue`.

        Return the value that it comes from and the number of its leaf there; `value` and `leaf` if nothing is known.
        """
        if isinstance(value, Aggregate) and not isinstance(value.type, Vector):
            for place, element in enumerate(value.elements):
                start, stop = leaves_of(value.type, (place,))
                if start <= leaf < stop:
                    return self._leaf_of(element, leaf - start)
        op = self._definitions.get(value.number) if isinstance(value, Ref) else None
        while op is not None and op.opcode == "insertvalue":
            aggregate, part = op.operands
            start, stop = leaves_of(aggregate.type, op.attrs["indices"])
            if start <= leaf < stop:
                return self._leaf_of(part, leaf - start)
            value = aggregate
            op = self._definitions.get(value.number) if isinstance(value, Ref) else None
        if op is not None and op.opcode == "extractvalue":
            start, _ = leaves_of(op.operands[0].type, op.attrs["indices"])
            source, within = self._leaf_of(op.operands[0], start + leaf)
            return (source, 0) if not within and source.type == leaves(value.type)[leaf][0] else (value, leaf)
        return value, leaf

    def _forget(self, pointer: Value) -> None:
        """Forget what lies in the variable that an address leads to; in all, if the code does not show which it is."""
        number = variable_of(self._program, self._definitions, pointer)
        if number is None and isinstance(pointer, Ref) and pointer.number in self._addresses:
            number = self._addresses[pointer.number] >> SHIFT
        if number is None:
            self._contents.clear()
        else:
            self._contents.pop(number, None)

    def _forget_written_by(self, op: Op) -> None:
        """Forget what lies in the variables that a call may write to: through any pointer that it does not only read.

        A call without pointers forgets all, unless it is an exchange or a wait. Kinds `WITHOUT_EFFECT` forget nothing.
        """
        intrinsic = intrinsic_of(op)
        if intrinsic is not None and intrinsic.kind in WITHOUT_EFFECT:
            return
        reads = {access.operand for access in intrinsic.accesses if access.kind == "load"} if intrinsic else set[int]()
        pointers = [place for place, operand in enumerate(op.operands) if isinstance(operand.type, Pointer)]
        for place in pointers:
            if place not in reads:
                self._forget(op.operands[place])
        if not pointers and (intrinsic is None or not (intrinsic.exchanges or intrinsic.waits)):
            self._contents.clear()
