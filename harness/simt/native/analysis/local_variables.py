"""Find local variables with one store, without loads or without escaping address; remove their stores; dominators."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from harness.simt.compile.graph import Op, Ref, Value, value_numbers
from harness.simt.compile.segments import Segment, compiled_form
from harness.simt.ir.module import Const

__all__ = ["REMOVED", "AccessedVariables", "Location", "Place", "find_followers"]

REMOVED = "removed"  # the opcode of an instruction that does nothing
Location: TypeAlias = tuple[int, int]  # the number of a segment, and of an instruction in it
Place: TypeAlias = tuple[int, int]  # the number of a variable, and an offset
ADDRESSES = ("alloca", "getelementptr", "addrspacecast", "insertvalue", "extractvalue")  # whose results may hold one
LIFETIMES = "@llvm.lifetime.start", "@llvm.lifetime.end"


class AccessedVariables:
    """The uses of local variables in a kernel.

    Args:
        stores, loads: The accesses whose place in a local variable is a constant.
    """

    def __init__(
        self, segments: Sequence[Segment], stores: Mapping[Location, Place], loads: Mapping[Location, Place]
    ) -> None:
        self._segments, self._stores, self._loads = segments, stores, loads
        self._owners: dict[int, frozenset[int]] = {}  # by a value the variables whose addresses it has
        self._begins: dict[int, list[Location]] = {}  # where the life of a variable begins
        self._pointees: dict[int, set[int]] = {}  # by a variable those whose addresses are stored in it
        self._exposed = set[int]()  # variables that code may access by an address that is not known
        for location, op in _located(segments):
            self._use(location, op)
        for segment in segments:
            self._exposed |= self._owners_of(*segment.terminator_values)

    def _owners_of(self, *values: Value | None) -> set[int]:
        return {owner for value in values if isinstance(value, Ref) for owner in self._owners.get(value.number, ())}

    def _use(self, location: Location, op: Op) -> None:
        if op.opcode == "alloca" and op.result is not None and isinstance(op.operands[0], Const):
            self._owners[op.result] = frozenset({op.operands[0].value})
            self._begins.setdefault(op.operands[0].value, []).append(location)
        elif op.opcode in ADDRESSES and op.result is not None:
            if owners := self._owners_of(*op.operands):
                self._owners[op.result] = frozenset(owners)
        elif location in self._stores:
            number, _ = self._stores[location]
            self._pointees.setdefault(number, set()).update(self._owners_of(op.operands[0]))
        elif op.opcode == "call" and op.callee.startswith(LIFETIMES):
            if compiled_form(op) == "begin":
                for number in self._owners_of(*op.operands):
                    self._begins.setdefault(number, []).append(location)
        elif location not in self._loads:
            self._exposed |= self._owners_of(*op.operands)

    def _reached_from(self, numbers: set[int]) -> set[int]:
        """Return variables and those whose addresses lie in them, directly or through others."""
        reached, pending = set(numbers), list(numbers)
        while pending:
            new = self._pointees.get(pending.pop(), set()) - reached
            reached |= new
            pending += new
        return reached

    def find_single_values(self) -> dict[int, Value]:
        """Return the values of loads that can only have one value, by the number of the load's result.

        The load's variable is hidden and has a single store, at the same offset and of the same type, which dominates
        the load. The lifetime of the variable does not begin again after that store.
        """
        stores: dict[int, list[Location]] = {}
        for location, (number, _) in self._stores.items():
            stores.setdefault(number, []).append(location)
        hidden = self.find_hidden()
        values: dict[int, Value] = {}
        dominators: list[int] | None = None
        for location, place in self._loads.items():
            store, *others = stores.get(place[0], [(-1, -1)])
            if others or place[0] not in hidden or self._stores.get(store) != place:
                continue
            op, (value, _) = self._op(location), self._op(store).operands
            if op.type != value.type or op.result is None or not self._is_alive_from(place[0], store):
                continue
            dominators = dominators or _find_dominators(self._segments)
            if store < location if store[0] == location[0] else dominators[location[0]] >> store[0] & 1:
                values[op.result] = value
        return values

    def _is_alive_from(self, number: int, store: Location) -> bool:
        """Return whether nothing but the segment of a store, before it, makes a variable uninitialised."""
        return all(
            begin < store and (begin[0] == store[0] or self._is_alloca_once(begin)) for begin in self._begins[number]
        )

    def _is_alloca_once(self, location: Location) -> bool:
        return self._op(location).opcode == "alloca" and self._segments[location[0]].loop is None

    def _op(self, location: Location) -> Op:
        segment, place = location
        return self._segments[segment].ops[place]

    def find_hidden(self) -> frozenset[int]:
        """Return the variables that are accessed only at constant offsets and whose address escapes nowhere.

        It escapes if another instruction takes it, or if it is stored in a variable that is loaded or escapes itself.
        """
        loaded = {number for number, _ in self._loads.values()}  # what is loaded may be an address
        exposed = self._exposed.union(*(self._pointees.get(number, ()) for number in loaded))
        return frozenset(self._begins) - self._reached_from(exposed)

    def find_removable(self) -> frozenset[int]:
        """Return the variables that are hidden, see `find_hidden`, and never loaded."""
        loaded = {number for number, _ in self._loads.values()}
        return frozenset(self._begins) - self._reached_from(self._exposed | loaded)

    def remove(self, removed: frozenset[int]) -> list[Segment]:
        """Return the segments with `REMOVED` instructions for the stores to some variables and their lifetimes.

        Also for address computations of any local variables whose results nobody uses then.
        """
        used = Counter(number for segment in self._segments for number in value_numbers(segment.terminator_values))
        used.update(number for _, op in _located(self._segments) for number in value_numbers(op.operands))
        rewritten = [list(segment.ops) for segment in self._segments]
        for location, op in reversed(list(_located(self._segments))):
            is_lifetime = op.opcode == "call" and op.callee.startswith(LIFETIMES)
            is_stored = location in self._stores and self._stores[location][0] in removed
            is_unused = op.opcode in ADDRESSES and op.result in self._owners and not used[op.result]
            if is_stored or is_unused or (is_lifetime and self._owners_of(*op.operands) & removed):
                used.subtract(value_numbers(op.operands))
                rewritten[location[0]][location[1]] = replace(op, opcode=REMOVED, result=None, operands=())
        return [replace(segment, ops=tuple(ops)) for segment, ops in zip(self._segments, rewritten, strict=True)]


def _located(segments: Sequence[Segment]) -> Iterator[tuple[Location, Op]]:
    """Yield all instructions with their locations."""
    for segment in segments:
        for place, op in enumerate(segment.ops):
            yield (segment.number, place), op


def find_followers(segments: Sequence[Segment]) -> set[int]:
    """Return the numbers of the segments whose only predecessor is the segment numbered one less."""
    sources: list[set[int]] = [set() for _ in segments]
    for segment in segments:
        for target, _ in segment.edges:
            sources[target].add(segment.number)
    return {number for number, before in enumerate(sources) if before == {number - 1}}


def _find_dominators(segments: Sequence[Segment]) -> list[int]:
    """Return for each segment those that dominate it, itself too, as bits; all bits for an unreachable one."""
    every = (1 << len(segments)) - 1
    sources: list[list[int]] = [[] for _ in segments]
    for segment in segments:
        for target, _ in segment.edges:
            sources[target].append(segment.number)
    dominators = [1, *[every] * (len(segments) - 1)]
    is_changed = True
    while is_changed:
        is_changed = False
        for number in range(1, len(segments)):
            common = every
            for source in sources[number]:
                common &= dominators[source]
            common |= 1 << number
            if common != dominators[number]:
                dominators[number], is_changed = common, True
    return dominators
