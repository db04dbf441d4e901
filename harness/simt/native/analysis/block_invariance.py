"""Find shared variables that all blocks access alike, and branches that decide it; scope of a geometry intrinsic.

Alike means: by the same lanes, at the same offsets, between the same barriers. So a check of one block there holds for
all blocks. The code shows it if no address follows from a block's number or from memory that may differ between blocks.
At branches on such values a block must take the control path of the block before it. The result type is in `dataflow`.
"""

from collections.abc import Iterator, Mapping, Set

from harness.simt.compile.graph import Op, Ref, Value
from harness.simt.compile.program import Program
from harness.simt.compile.segments import compiled_form, intrinsic_of
from harness.simt.ir.module import Const, Expr, GlobalRef
from harness.simt.native.analysis.dataflow import NOTHING_INVARIANT, BlockInvariance, Dataflow

__all__ = ["ADDRESS", "KEPT", "find_block_invariance", "geometry_scope", "variable_of"]

# What lanes read of the geometry, by parts of names: a lane's in each block, a block's for each lane, and a launch's.
GEOMETRY = {
    "lane": (
        *("sreg.tid.", "sreg.laneid", "workitem.id.", "mbcnt"),
        *("thread_position_in_threadgroup", "thread_index_in", "simdgroup_index_in"),
    ),
    "block": ("sreg.ctaid.", "workgroup.id.", "threadgroup_position_in_grid"),
    "launch": (
        *("sreg.ntid.", "sreg.nctaid.", "sreg.warpsize", "wavefrontsize", "_smem_", "sreg.nsmid", "sreg.nwarpid"),
        *("sreg.gridid", "sreg.envreg", "current_graph_exec", "has_fnuz"),
        *("threads_per_", "threadgroups_per_grid"),
    ),
}
# They tell where a launch's extents lie, which is read alone: the same for all of its blocks.
EXTENTS = ("llvm.amdgcn.implicitarg.ptr", "llvm.amdgcn.dispatch.ptr")
MOVES = ("getelementptr", "addrspacecast")
ADDRESS, COPY = "address", "copy"
KEPT = ("load", "alloca", "atomicrmw", "cmpxchg", "matrix.row")  # whose results do not follow from their operands


def geometry_scope(name: str) -> str:
    """Return what the value of a geometry intrinsic depends on, from parts of its name.

    `lane`: only on the lane's position in its block; `block`: only on the block; `launch`: on neither. Empty: on both,
    or no part of the name is known.
    """
    return next((what for what, fragments in GEOMETRY.items() if any(part in name for part in fragments)), "")


def variable_of(program: Program, definitions: Mapping[int, Op], pointer: Value) -> int | None:
    """Return the number of the variable that a pointer points into; None if the code does not show that it is one.

    It follows address computations and casts back to an `alloca` or a global variable, but no phis or selects.
    """
    while isinstance(pointer, Ref) and (op := definitions.get(pointer.number)) is not None:
        if op.opcode == "alloca":
            (number,) = op.operands
            assert isinstance(number, Const)
            return number.value
        word = compiled_form(op)
        if (
            op.opcode in MOVES
            or word == ADDRESS
            or (op.opcode in ("trunc", "ptrtoint") and is_pointer_bits(op, definitions))
        ):
            pointer = op.operands[0]
        else:
            return None
    if isinstance(pointer, GlobalRef | Expr):
        return program.variable_at(pointer)
    return None


def is_pointer_bits(op: Op, definitions: Mapping[int, Op]) -> bool:
    """Return True if an instruction is a `ptrtoint`, or its first operand is the result of one."""
    source = definitions.get(op.operands[0].number) if isinstance(op.operands[0], Ref) else None
    return op.opcode == "ptrtoint" or (source is not None and source.opcode == "ptrtoint")


def find_block_invariance(program: Program) -> BlockInvariance:
    """Return the shared variables that all blocks of one control path access alike, and the segments that decide."""
    return _Flow(program).find()


class _Flow(Dataflow):
    """Finds the values that differ between blocks whose lanes take the same control paths."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.shared = {item.number for item in program.variables if item.rows == "block"}
        self._steady = {item.number for item in program.variables if item.rows == "lane" or not item.writable}
        self._reading = [
            op for item in self.segments for op in item.ops if op.opcode == "load" or compiled_form(op) == "move"
        ]
        self._escaped = self._find_escaping()
        self._soiled = set(self._escaped)
        self._known_soiled = len(self._soiled)
        self.settle()

    def _look(self, op: Op) -> None:
        super()._look(op)
        self._store(op)

    def _look_again(self) -> bool:
        """Examine loads and copies again if more variables may now have contents that differ between blocks.

        Return True if that found new values or variables that may differ.
        """
        before, self._known_soiled = self._known_soiled, len(self._soiled)
        if before != self._known_soiled:
            for op in self._reading:
                self._look(op)
        return bool(self._pending) or len(self._soiled) != self._known_soiled

    def _differs(self, op: Op) -> bool:
        match op.opcode:
            case "load" if self._points_to_extents(op.operands[0]):
                return self._takes(op)
            case "load":
                number = variable_of(self.program, self.definitions, op.operands[0])
                return number not in self._steady or number in self._soiled or self._takes(op)
            case "alloca":
                return False
            case "call":
                intrinsic = intrinsic_of(op)
                if intrinsic is None or intrinsic.varies:
                    return True
                if intrinsic.kind == "lanes" and not op.operands:
                    return geometry_scope(intrinsic.name) not in ("lane", "launch") and intrinsic.name not in EXTENTS
                plain = intrinsic.kind != "stateful" or intrinsic.exchanges or compiled_form(op) == ADDRESS
                return self._takes(op) or not plain
        return op.opcode in KEPT or self._takes(op)

    def _points_to_extents(self, pointer: Value) -> bool:
        """Return True if a pointer is AMD's pointer to the extents of a launch, or is computed from it.

        Only `getelementptr` and `addrspacecast` count as computations.
        """
        while isinstance(pointer, Ref) and (op := self.definitions.get(pointer.number)) is not None:
            if op.opcode not in MOVES:
                intrinsic = intrinsic_of(op)
                return intrinsic is not None and intrinsic.name in EXTENTS
            pointer = op.operands[0]
        return False

    def _store(self, op: Op) -> None:
        """Add to `_soiled` the variable that a store, `memcpy` or `memset` writes to, if blocks may then differ in it.

        That is so if any operand may differ, or if a `memcpy` reads memory that may, or whose variable is unknown.
        Other instructions, such as asynchronous copies, and writes to an unknown variable add nothing.
        """
        word, uneven = compiled_form(op), self._takes(op)
        if op.opcode == "store":
            number = variable_of(self.program, self.definitions, op.operands[1])
        elif word in ("move", "fill"):
            number = variable_of(self.program, self.definitions, op.operands[0])
            of = variable_of(self.program, self.definitions, op.operands[1])
            uneven |= word == "move" and (of not in self._steady or of in self._soiled)
        else:
            return
        if number is not None and uneven:
            self._soiled.add(number)

    def _find_escaping(self) -> set[int]:
        """Return the numbers of the variables whose address is stored, taken by a phi or used by other instructions.

        Loads, stores, copies, fills, address computations and lifetime markers do not count; atomic updates do.
        """
        roots = (variable_of(self.program, self.definitions, operand) for operand in self._values())
        return {number for number in roots if number is not None}

    def _values(self) -> Iterator[Value]:
        """Yield the operands that are used otherwise than as an address, and the values that phis take."""
        for segment in self.segments:
            for op in segment.ops:
                word = compiled_form(op)
                addresses: tuple[int, ...] = {"load": (0,), "store": (1,), "alloca": (0,)}.get(op.opcode, ())
                if (
                    op.opcode in MOVES
                    or word == ADDRESS
                    or (op.opcode in ("trunc", "ptrtoint") and self._is_only_address(op))
                ):
                    addresses = (0,)
                elif word in (COPY, "move"):
                    addresses = 0, 1
                elif word in ("begin", "fill") or (op.opcode == "call" and "lifetime" in op.callee):
                    addresses = tuple(range(len(op.operands)))
                yield from (operand for place, operand in enumerate(op.operands) if place not in addresses)
            for _, moves in segment.edges:
                yield from moves

    def _is_only_address(self, op: Op) -> bool:
        """Return True if a result goes only to intrinsics with the compiled form `address`, also through a `trunc`.

        Loads, stores and phis are other users. True if it has no users.
        """
        takers = self.users.get(op.result or 0, [])
        only_addresses = all(
            compiled_form(user) == ADDRESS or (user.opcode == "trunc" and self._is_only_address(user))
            for user in takers
        )
        return only_addresses and op.result not in self._moved

    def find(self) -> BlockInvariance:
        """Return the shared variables that all blocks access alike, and the branches on which that depends.

        It is `NOTHING_INVARIANT` if any access is to 32-bit (shared) memory at a variable that the code does not show.
        Shared variables are not invariant if they are updated atomically, accessed at an address that may differ
        between blocks, or if their own address is used otherwise than to access them.
        """
        good = self.shared - self._escaped
        for segment in self.segments:
            for op in segment.ops:
                for pointer in self._touched(op):
                    number = variable_of(self.program, self.definitions, pointer)
                    if number is None and self.program.target.is_small(pointer.type):
                        return NOTHING_INVARIANT
                    if number in good and self._varies(pointer):
                        good.discard(number)
                if op.opcode in ("atomicrmw", "cmpxchg"):
                    number = variable_of(self.program, self.definitions, op.operands[0])
                    if number is not None:
                        good.discard(number)
        branches = frozenset(self._path_branches(good))
        return BlockInvariance(frozenset(good), branches, frozenset(self._branching()), self._common_segments(branches))

    def _path_branches(self, good: Set[int]) -> Iterator[int]:
        """Yield the numbers of the segments whose branch may differ between blocks and leads, at last, to an access.

        Args:
            good: The numbers of the variables whose accesses count.
        """
        before: dict[int, list[int]] = {segment.number: [] for segment in self.segments}
        for segment in self.segments:
            for target, _ in segment.edges:
                before[target].append(segment.number)
        pending = [segment.number for segment in self.segments if any(self._touches(op, good) for op in segment.ops)]
        leading = set(pending)
        while pending:
            new = set(before[pending.pop()]) - leading
            leading |= new
            pending += new
        for number in self._branching():
            if any(target in leading for target, _ in self.segments[number].edges):
                yield number

    def _branching(self) -> Iterator[int]:
        """Yield the numbers of the segments whose branch condition may differ between blocks."""
        for segment in self.segments:
            if segment.condition is not None and self._varies(segment.condition):
                yield segment.number

    def _common_segments(self, branches: Set[int]) -> frozenset[int]:
        """Return the numbers of the segments that all blocks reach alike: not reachable from any branch whose condition
        may differ between blocks.

        Args:
            branches: The segments whose branches do not count, since blocks are compared by control path there.
        """
        chosen = (
            segment for segment in self.segments if segment.condition is not None and self._varies(segment.condition)
        )
        pending = [target for segment in chosen if segment.number not in branches for target, _ in segment.edges]
        behind = set[int]()
        while pending:
            number = pending.pop()
            if number not in behind:
                behind.add(number)
                pending += [target for target, _ in self.segments[number].edges]
        return frozenset(segment.number for segment in self.segments if segment.number not in behind)

    def _touches(self, op: Op, variables: Set[int]) -> bool:
        return any(variable_of(self.program, self.definitions, pointer) in variables for pointer in self._touched(op))

    def _touched(self, op: Op) -> tuple[Value, ...]:
        match op.opcode:
            case "load" | "atomicrmw" | "cmpxchg":
                return op.operands[:1]
            case "store":
                return op.operands[1:2]
        return op.operands[: {COPY: 2, "move": 2, "fill": 1}.get(compiled_form(op), 0)]
