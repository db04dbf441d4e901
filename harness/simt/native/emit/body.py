"""`Body`, the text of a lane's function: lines, leaves of values, slots, exits of failed checks; `RequestSite`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from harness.simt.arrays import Array
from harness.simt.compile.graph import Op, Ref, Value, shuffle_indices, value_numbers
from harness.simt.compile.program import Program
from harness.simt.compile.segments import compiled_form
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Aggregate, Asm, Const, Metadata, Operand, Undef
from harness.simt.ir.sizes import to_signed
from harness.simt.ir.types import Int, Type, Vector, element_of, leaves, leaves_of
from harness.simt.ir.values import constant_leaves
from harness.simt.native.analysis.dataflow import NOTHING_INVARIANT
from harness.simt.native.analysis.provenance import Provenance, fixed_addresses
from harness.simt.native.emit.block_shape import BlockShape
from harness.simt.native.emit.context import SLOTS, Context
from harness.simt.native.emit.ir_types import DESCRIPTOR, literal, stored, text
from harness.simt.native.emit.lane_tally import LaneTally

__all__ = ["MANY", "Body", "RequestSite"]

MANY, CROWD = 60, 400  # loads and stores: the checks of more are calls, and also those of shared variables
WHOLE: frozenset[int] = frozenset({-1})  # of a scalar: all of it


@dataclass(frozen=True, slots=True)
class RequestSite:
    """A place in the code that makes requests of memory.

    Attributes:
        kind: `load`, `store` or `atomic`; with `shared ` before it where it is of shared memory.
        size: Bytes of all that a lane asks for.
        elements: How many these are.
    """

    kind: str
    size: int
    elements: int


class Body:
    """The function of a lane from one wait to the next.

    Attributes:
        program: The kernel.
        layout: Where what it takes from its launch lies.
        notes: What is noted for counters, `elements`, `global`, `ways`, see `counting`, and of barriers: `NEEDS`.
        traced: The places that make requests; `tally`: what is counted beside them in lockstep.
        single: How many requests a lane makes outside of loops.
        asks, asked: Whether it makes any in loops, in this interval and at all.
        long, crowded: Whether it has so many accesses that functions check them, also those of shared variables.
        apart: The names of these functions.
        arrives: Whether lanes arrive at barriers in shared memory, see `phases`; then nobody else touches memory once
            `%came` says so.
        here, strong: The segment that is written, and those with volatile or atomic accesses.
        invariance: What holds for all blocks; see `BlockInvariance`.
        named: Shared variables that only code that names them may touch.
        stored: Where the addresses lie that something is stored to; None for one of which that is not known.
        lines: The text.
        values: The names of what the current segment has computed or loaded, by value number and leaf.
        declared: Declarations of intrinsics. `variables`: those of the code, by number.
        fixed: The addresses of variables and of places in them that never change, by value number.
        known: The values that are at hand everywhere: these, and what a launch gives.
        users: What takes a value, by its number.
        moved: The values that go to other segments, or decide on the way.
        shape: Of the blocks that it is for, where these go as one before them.
        doubtful: The phis that may be undefined: `%undefined` and the number says it, and each use of one asks.
        wraps: By the operands of atomic updates that wrap, the number of those that give the same in any order.
    """

    def __init__(self, program: Program, layout: Context, notes: frozenset[str] = frozenset()) -> None:
        self.program, self.layout, self.notes = program, layout, notes
        self.traced, self.tally, self.single, self.asks, self.asked = list[RequestSite](), LaneTally(), 0, False, False
        ops = [op for segment in program.segments for op in segment.ops]
        accesses = sum(op.opcode in ("load", "store") for op in ops)
        self.long, self.crowded, self.apart = accesses > MANY, accesses > CROWD, set[str]()
        self.arrives = any(compiled_form(op) == "phase" for op in ops)
        self.here, self.strong = 0, set[int]()
        self.shape: BlockShape | None = None
        self.doubtful, self.wraps = set[int](), dict[object, int]()
        self.invariance, self.named = NOTHING_INVARIANT, frozenset[int]()
        self.stored = set[Provenance | None]()
        self.lines: list[str] = []
        self.values: dict[tuple[int, int], str] = {}
        self.declared: set[str] = set()
        self.definitions = {op.result: op for op in ops if op.result is not None}
        self.variables = {variable.number: variable for variable in program.variables}
        self.fixed = fixed_addresses(program, self.definitions)
        self.params = {number for number, _ in program.params}
        self.known = self.params | self.fixed.keys()
        self.users: dict[int, list[Op]] = {}
        for op in ops:
            for number in value_numbers(op.operands):
                self.users.setdefault(number, []).append(op)
        self.moved = {number for segment in program.segments for number in value_numbers(segment.terminator_values)}
        self._names = 0
        self._holes: dict[tuple[int, int], frozenset[int]] = {}
        self._constants: dict[int, tuple[Operand, list[Array]]] = {}  # which stay, so that no other has the same id

    def name(self) -> str:
        """Return a name that is new in this function, without `%`."""
        self._names += 1
        return f"v{self._names}"

    def line(self, line: str) -> None:
        """Append a line, indented."""
        self.lines.append(f"  {line}")

    def label(self) -> str:
        """Return the label of the basic block to which lines are appended now."""
        return next(line[:-1] for line in reversed(self.lines) if line[0] != " ")

    def new(self, instruction: str) -> str:
        """Append an instruction that gives its result a new name; return the name, with `%`."""
        self._names += 1
        self.lines.append(f"  %v{self._names} = {instruction}")
        return f"%v{self._names}"

    def plus(self, address: str, offset: int) -> str:
        """Return an i64 address plus a number of bytes; emits nothing for a literal of 0 or more, or an offset of 0."""
        if address.isdigit():
            return str(to_signed(int(address) + offset))
        return self.new(f"add i64 {address}, {offset}") if offset else address

    def pointer(self, address: str) -> str:
        """Emit the conversion of an i64, an address of the host, to a `ptr`."""
        return self.new(f"inttoptr i64 {address} to ptr")

    def call(self, returns: str, name: str, *arguments: tuple[str, str]) -> str:
        """Emit and declare a call of an intrinsic, not `void`; return its result's name. Arguments: (type, value)."""
        self.declared.add(f"declare {returns} @{name}({', '.join(ty for ty, _ in arguments)})")
        return self.new(f"call {returns} @{name}({', '.join(f'{ty} {value}' for ty, value in arguments)})")

    def unless(self, wrong: str) -> None:
        """Emit an exit to `bad` if an i1 holds, and a new label for what follows; nothing for the literal `false`."""
        if wrong != "false":
            then = self.name()
            self.line(f"br i1 {wrong}, label %bad, label %{then}")
            self.lines.append(f"{then}:")

    @contextmanager
    def only(self, if_: str) -> Iterator[None]:
        """Emit a branch: code that is emitted within the context runs only if an i1 holds, what follows in any case."""
        some, then = self.name(), self.name()
        self.line(f"br i1 {if_}, label %{some}, label %{then}")
        self.lines.append(f"{some}:")
        yield
        self.line(f"br label %{then}")
        self.lines.append(f"{then}:")

    def value_or_zero(self, if_: str, ty: str, make: Callable[[], str]) -> str:
        """Emit what `make` emits so that it runs only if an i1 holds; return the name of its value, else of 0."""
        before = self.label()
        with self.only(if_):
            value, last = make(), self.label()
        return self.new(f"phi {ty} [ zeroinitializer, %{before} ], [ {value}, %{last} ]")

    def never(self, ty: Type, wrong: str) -> None:
        """Emit an exit to `bad` if an i1 holds; if `ty` is a vector, if any of a vector of as many i1 holds."""
        if isinstance(ty, Vector):
            lanes = f"<{ty.length} x i1>"
            wrong = self.call("i1", f"llvm.vector.reduce.or.v{ty.length}i1", (lanes, wrong))
        self.unless(wrong)

    def value(self, operand: Value, leaf: int = 0) -> str:
        """Return the name or literal of an operand's leaf, as `raw` does; Declined if a part of it is undefined."""
        if self.holes(operand, leaf):
            raise Declined(Reason.UNDEFINED)
        return self.raw(operand, leaf)

    def raw(self, operand: Value, leaf: int = 0) -> str:
        """Return the name or literal of an operand's leaf, of which parts may be undefined.

        At the first use in a segment it emits a load and, for a phi in `doubtful`, an exit to `bad` if it is undefined.
        """
        if isinstance(operand, Ref) and operand.number in self.doubtful and (operand.number, leaf) not in self.values:
            self.unless(self.new(f"load i1, ptr %undefined{operand.number}"))
        return self.moved_value(operand, leaf)

    def moved_value(self, operand: Value, leaf: int) -> str:
        """Return the leaf as `raw` does, but without a check of undefined phis; `poison` for `undef`.
        Declined for metadata and assembly.
        """
        if isinstance(operand, Metadata | Asm):
            raise Declined(Reason.NO_VALUE)
        ty, _ = leaves(operand.type)[leaf]
        if isinstance(operand, Ref):
            if operand.number in self.fixed:
                return str(self.fixed[operand.number])
            name = self.values.get((operand.number, leaf))
            if name is None:
                name = self.values[operand.number, leaf] = self.new(f"load {text(ty)}, ptr %r{operand.number}.{leaf}")
            return name
        if isinstance(operand, Undef):
            return "poison"
        return literal(ty, self._constant(operand)[leaf])

    def _constant(self, operand: Operand) -> list[Array]:
        """Return the leaves of a constant as arrays; they are computed once for each operand object."""
        if id(operand) not in self._constants:
            self._constants[id(operand)] = operand, constant_leaves(operand, self.program.address)
        return self._constants[id(operand)][1]

    def all(self, operand: Value) -> list[str]:
        """Return all leaves of an operand; Declined if a part is undefined."""
        return [self.value(operand, leaf) for leaf in range(len(leaves(operand.type)))]

    def define(self, op: Op, *names: str) -> None:
        """Record names as a result's leaves; Declined for an unknown type, or a 128-bit integer that no cast makes."""
        assert op.result is not None
        for leaf, name in enumerate(names):
            ty, _ = leaves(op.type)[leaf]
            if not text(ty) or (element_of(ty) == DESCRIPTOR and op.opcode not in ("bitcast", "inttoptr")):
                raise Declined(Reason.RESULT, opcode=op.opcode, type=op.type)
            self.values[op.result, leaf] = name

    def holes(self, operand: Value, leaf: int) -> frozenset[int]:
        """Return the undefined elements of a leaf: {-1} for a scalar, none for a phi; Declined as `_result_holes`."""
        ty, _ = leaves(operand.type)[leaf]
        everything = frozenset(range(ty.length)) if isinstance(ty, Vector) else WHOLE
        match operand:
            case Undef():
                return everything
            case Aggregate(Vector(), elements):
                return frozenset(place for place, element in enumerate(elements) if isinstance(element, Undef))
            case Aggregate(whole, elements):
                return self._part(operand, whole, leaf)
            case Ref(number, _) if (op := self.definitions.get(number)) is not None:
                key = number, leaf
                if key not in self._holes:
                    self._holes[key] = frozenset()
                    self._holes[key] = self._result_holes(op, leaf)
                return self._holes[key]
        return frozenset()

    def _part(self, operand: Aggregate, aggregate_type: Type, leaf: int) -> frozenset[int]:
        for place, element in enumerate(operand.elements):
            start, stop = leaves_of(aggregate_type, (place,))
            if start <= leaf < stop:
                return self.holes(element, leaf - start)
        raise AssertionError(leaf)

    def _result_holes(self, op: Op, leaf: int) -> frozenset[int]:
        """Return the undefined elements of a result's leaf; none unless it is moved or cast from its operands.
        Declined if an undefined element is inserted in a vector.
        """
        match op.opcode:
            case "insertvalue":
                aggregate, part = op.operands
                start, stop = leaves_of(aggregate.type, op.attrs["indices"])
                return self.holes(part, leaf - start) if start <= leaf < stop else self.holes(aggregate, leaf)
            case "extractvalue":
                start, _ = leaves_of(op.operands[0].type, op.attrs["indices"])
                return self.holes(op.operands[0], start + leaf)
            case "insertelement":
                vector, element, index = op.operands
                holes = self.holes(vector, 0)
                if self.holes(element, 0):
                    raise Declined(Reason.UNDEFINED)
                return holes - {index.value} if isinstance(index, Const) else holes
            case "extractelement":
                vector, index = op.operands
                holes = self.holes(vector, 0)
                return WHOLE if holes and (not isinstance(index, Const) or index.value in holes) else frozenset()
            case "shufflevector":
                sides = op.operands[:2]
                assert isinstance(sides[0].type, Vector)
                places = ((at, *divmod(number, sides[0].type.length)) for at, number in enumerate(shuffle_indices(op)))
                return frozenset(at for at, side, place in places if side < 0 or place in self.holes(sides[side], 0))
            case "addrspacecast" | "bitcast" if text(op.operands[0].type) == text(op.type):
                return self.holes(op.operands[0], leaf)
        return frozenset()

    def slot(self, number: int, ty: str = "i64") -> str:
        """Emit a load from a context slot that does not change in a launch, again at each call; return its name."""
        place = self.new(f"getelementptr i64, ptr %ctx, i64 {number}")
        return self.new(f"load {ty}, ptr {place}, align 8, !invariant.load !0")

    def slot_at(self, name: str) -> str:
        """Emit the address of a slot that changes while the launch runs."""
        return self.new(f"getelementptr i64, ptr %ctx, i64 {SLOTS[name]}")

    def own_place(self, name: str, size: int = 1) -> str:
        """Emit and return the `ptr` to named bytes that a lane keeps across waits, reserved at the first call."""
        start = self.new(f"mul i64 %threads, {self.layout.lane_offset(name, size)}")
        offset = self.new(f"mul i64 %lane, {size}")
        return self.new(f"getelementptr i8, ptr %spill, i64 {self.new(f'add i64 {start}, {offset}')}")

    def param(self, number: int, leaf: int, ty: Type) -> str:
        """Emit a load of a leaf of a parameter from its slot; an i1 is a byte there. Declined for a vector of i1."""
        if isinstance(ty, Vector) and ty.element == Int(1):  # a byte for each
            raise Declined(Reason.PARAMETER, type=ty)
        slot = self.layout.params[number, leaf]
        return self.new(f"trunc i8 {self.slot(slot, 'i8')} to i1") if ty == Int(1) else self.slot(slot, text(ty))

    def kept_address(self, number: int, leaf: int, lane: str, base: str = "%spill") -> tuple[str, str]:
        """Emit the address of a leaf that a lane (i64) keeps across waits; return its type in memory and the `ptr`."""
        ty, _ = leaves(self.program.graph.types[number])[leaf]
        at, size = self.layout.place(number, leaf)
        start = self.new(f"mul i64 %threads, {at}")
        offset = self.new(f"mul i64 {lane}, {size}")
        return stored(ty), self.new(f"getelementptr i8, ptr {base}, i64 {self.new(f'add i64 {start}, {offset}')}")

    def load_kept(self, number: int, leaf: int, lane: str, base: str = "%spill") -> str:
        """Emit a load of a leaf that a lane (i64) keeps across waits, in memory at `base`; return the value's name."""
        ty, place = self.kept_address(number, leaf, lane, base)
        value = self.new(f"load {ty}, ptr {place}, align 1")
        truth = leaves(self.program.graph.types[number])[leaf][0] == Int(1)
        return self.new(f"trunc i8 {value} to i1") if truth else value

    def keep(self, number: int, leaf: int, lane: str, value: str) -> None:
        """Emit a store of a leaf that a lane, a number in i64, keeps across waits; an i1 is stored as a byte."""
        if leaves(self.program.graph.types[number])[leaf][0] == Int(1):
            value = self.new(f"zext i1 {value} to i8")
        ty, place = self.kept_address(number, leaf, lane)
        self.line(f"store {ty} {value}, ptr {place}, align 1")
