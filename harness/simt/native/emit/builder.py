"""Append LLVM instructions to a `Body` by methods named as in `llvmlite.ir.IRBuilder`, and checks (`fail_if`).

llvmlite's builder takes 74 ms for 8,000 instructions, this one 5 ms: a kernel's code is written before its first
launch. A value knows its type, so that no instruction says it again.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager

from harness.simt.compile.graph import Op, Value
from harness.simt.ir.types import Type, Vector, leaves
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.ir_types import text
from harness.simt.native.emit.ir_values import IrValue, ir_value

__all__ = ["Builder"]

_SIGNED = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"}
_UNSIGNED = {"<": "ult", "<=": "ule", ">": "ugt", ">=": "uge", "==": "eq", "!=": "ne"}
_ORDERED = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "!=": "one", "ord": "ord"}
_UNORDERED = {"<": "ult", "<=": "ule", ">": "ugt", ">=": "uge", "==": "ueq", "!=": "une", "uno": "uno"}


def _index(index: int | IrValue) -> str:
    return f"i32 {index}" if isinstance(index, int) else str(index)


class Builder:
    """Appends instructions to the function that a body holds.

    A right operand may be a number: it has the type of the left one, which is no i1.

    Args:
        body: The function of a thread, up to the next wait.
    """

    __slots__ = ("body",)

    def __init__(self, body: Body) -> None:
        self.body = body

    def _new(self, type: str, instruction: str) -> IrValue:
        return ir_value((type, self.body.new(instruction)))

    def _with_name(self, name: str, type: str, instruction: str) -> IrValue:
        self.body.line(f"%{name} = {instruction}")
        return IrValue(type, f"%{name}")

    def binary(self, opcode: str, lhs: IrValue, rhs: IrValue | int, name: str = "") -> IrValue:
        """Append an instruction with two operands of one type, which the result has too.

        The result has the given name as it is, or a new one if that is empty; so do the other methods that take a name.
        """
        type, first = lhs
        instruction = f"{opcode} {type} {first}, {rhs if isinstance(rhs, int) else rhs[1]}"
        return self._with_name(name, type, instruction) if name else ir_value((type, self.body.new(instruction)))

    def add(self, lhs: IrValue, rhs: IrValue | int, name: str = "") -> IrValue:
        return self.binary("add", lhs, rhs, name)

    def sub(self, lhs: IrValue, rhs: IrValue | int, name: str = "") -> IrValue:
        return self.binary("sub", lhs, rhs, name)

    def mul(self, lhs: IrValue, rhs: IrValue | int, name: str = "") -> IrValue:
        return self.binary("mul", lhs, rhs, name)

    def udiv(self, lhs: IrValue, rhs: IrValue | int) -> IrValue:
        return self.binary("udiv", lhs, rhs)

    def urem(self, lhs: IrValue, rhs: IrValue | int) -> IrValue:
        return self.binary("urem", lhs, rhs)

    def and_(self, lhs: IrValue, rhs: IrValue | int) -> IrValue:
        return self.binary("and", lhs, rhs)

    def or_(self, lhs: IrValue, rhs: IrValue | int, name: str = "") -> IrValue:
        return self.binary("or", lhs, rhs, name)

    def xor(self, lhs: IrValue, rhs: IrValue | int) -> IrValue:
        return self.binary("xor", lhs, rhs)

    def shl(self, lhs: IrValue, rhs: IrValue | int) -> IrValue:
        return self.binary("shl", lhs, rhs)

    def lshr(self, lhs: IrValue, rhs: IrValue | int) -> IrValue:
        return self.binary("lshr", lhs, rhs)

    def ashr(self, lhs: IrValue, rhs: IrValue | int, name: str = "") -> IrValue:
        return self.binary("ashr", lhs, rhs, name)

    def fadd(self, lhs: IrValue, rhs: IrValue) -> IrValue:
        return self.binary("fadd", lhs, rhs)

    def fsub(self, lhs: IrValue, rhs: IrValue) -> IrValue:
        return self.binary("fsub", lhs, rhs)

    def fmul(self, lhs: IrValue, rhs: IrValue) -> IrValue:
        return self.binary("fmul", lhs, rhs)

    def frem(self, lhs: IrValue, rhs: IrValue) -> IrValue:
        return self.binary("frem", lhs, rhs)

    def fneg(self, value: IrValue) -> IrValue:
        return self._new(value.type, f"fneg {value}")

    def freeze(self, value: IrValue) -> IrValue:
        return self._new(value.type, f"freeze {value}")

    def compare(self, opcode: str, predicate: str, lhs: IrValue, rhs: IrValue | int, name: str = "") -> IrValue:
        """Append `icmp` or `fcmp` with one of LLVM's predicates; the result is an i1, or a vector of i1 for vectors."""
        type, first = lhs
        second = rhs if isinstance(rhs, int) else rhs[1]
        truth = f"{type.partition(' x ')[0]} x i1>" if type[0] == "<" else "i1"
        instruction = f"{opcode} {predicate} {type} {first}, {second}"
        return self._with_name(name, truth, instruction) if name else ir_value((truth, self.body.new(instruction)))

    def icmp_signed(self, comparison: str, lhs: IrValue, rhs: IrValue | int, name: str = "") -> IrValue:
        """Compare signed integers by `<`, `<=`, `>`, `>=`, `==` or `!=`."""
        return self.compare("icmp", _SIGNED[comparison], lhs, rhs, name)

    def icmp_unsigned(self, comparison: str, lhs: IrValue, rhs: IrValue | int, name: str = "") -> IrValue:
        """Compare unsigned integers by `<`, `<=`, `>`, `>=`, `==` or `!=`."""
        return self.compare("icmp", _UNSIGNED[comparison], lhs, rhs, name)

    def fcmp_ordered(self, comparison: str, lhs: IrValue, rhs: IrValue) -> IrValue:
        """Compare floats; no comparison holds of a NaN. `ord`: neither is one."""
        return self.compare("fcmp", _ORDERED[comparison], lhs, rhs)

    def fcmp_unordered(self, comparison: str, lhs: IrValue, rhs: IrValue) -> IrValue:
        """Compare floats; each comparison holds of a NaN. `uno`: one of them is one."""
        return self.compare("fcmp", _UNORDERED[comparison], lhs, rhs)

    def select(self, condition: IrValue, lhs: IrValue, rhs: IrValue) -> IrValue:
        type = lhs[0]
        return self._new(type, f"select {condition[0]} {condition[1]}, {type} {lhs[1]}, {type} {rhs[1]}")

    def cast(self, opcode: str, value: IrValue, type: str) -> IrValue:
        """Append a conversion by one of LLVM's opcodes."""
        return ir_value((type, self.body.new(f"{opcode} {value[0]} {value[1]} to {type}")))

    def zext(self, value: IrValue, type: str) -> IrValue:
        return self.cast("zext", value, type)

    def sext(self, value: IrValue, type: str) -> IrValue:
        return self.cast("sext", value, type)

    def trunc(self, value: IrValue, type: str) -> IrValue:
        return self.cast("trunc", value, type)

    def fpext(self, value: IrValue, type: str) -> IrValue:
        return self.cast("fpext", value, type)

    def fptrunc(self, value: IrValue, type: str) -> IrValue:
        return self.cast("fptrunc", value, type)

    def sitofp(self, value: IrValue, type: str) -> IrValue:
        return self.cast("sitofp", value, type)

    def bitcast(self, value: IrValue, type: str) -> IrValue:
        return self.cast("bitcast", value, type)

    def inttoptr(self, value: IrValue, type: str = "ptr") -> IrValue:
        return self.cast("inttoptr", value, type)

    def ptrtoint(self, value: IrValue, type: str = "i64") -> IrValue:
        return self.cast("ptrtoint", value, type)

    def alloca(self, type: str, name: str) -> IrValue:
        return self._with_name(name, "ptr", f"alloca {type}")

    def gep(self, pointer: IrValue, index: IrValue | int, source_type: str = "i64", name: str = "") -> IrValue:
        """Return a pointer plus an i64 number of elements of a type."""
        number = index if isinstance(index, int) else index[1]
        instruction = f"getelementptr {source_type}, ptr {pointer[1]}, i64 {number}"
        return self._with_name(name, "ptr", instruction) if name else ir_value(("ptr", self.body.new(instruction)))

    def load(self, pointer: IrValue, type: str, *, align: int | None = None, invariant: bool = False) -> IrValue:
        """Load a value, again at each call; without `align` it has its type's own alignment.

        Args:
            align: In bytes.
            invariant: Whether nobody stores there while the function runs.
        """
        more = (f", align {align}" if align else "") + (", !invariant.load !0" if invariant else "")
        return ir_value((type, self.body.new(f"load {type}, ptr {pointer[1]}{more}")))

    def store(self, value: IrValue, pointer: IrValue, *, align: int | None = None) -> None:
        """Store a value; without `align`, in bytes, it has its type's own alignment."""
        self.body.line(f"store {value[0]} {value[1]}, ptr {pointer[1]}" + (f", align {align}" if align else ""))

    def atomic_rmw(self, operation: str, pointer: IrValue, value: IrValue, *, align: int) -> IrValue:
        """Update a value in memory by an `atomicrmw` with monotonic order; return the value before."""
        update = f"atomicrmw {operation} ptr {pointer[1]}, {value[0]} {value[1]} monotonic, align {align}"
        return self._new(value.type, update)

    def extract_element(self, vector: IrValue, index: int | IrValue) -> IrValue:
        """Return an element of a vector; an index that is a number is an i32. The index is not checked."""
        element = vector.type.partition(" x ")[2].removesuffix(">")
        return self._new(element, f"extractelement {vector}, {_index(index)}")

    def insert_element(self, vector: IrValue, value: IrValue, index: int | IrValue) -> IrValue:
        """Return a vector with another element; an index that is a number is an i32."""
        return self._new(vector.type, f"insertelement {vector}, {value}, {_index(index)}")

    def shuffle_vector(self, lhs: IrValue, rhs: IrValue, mask: Sequence[int]) -> IrValue:
        """Return a vector of elements of two vectors, numbered through both of them; a number below 0 gives poison."""
        numbers = ", ".join("i32 poison" if number < 0 else f"i32 {number}" for number in mask)
        element = lhs.type.partition(" x ")[2]
        return self._new(f"<{len(mask)} x {element}", f"shufflevector {lhs}, {rhs}, <{len(mask)} x i32> <{numbers}>")

    def broadcast(self, vector: str, value: IrValue) -> IrValue:
        """Return a vector of a type, such as `<4 x i32>`, each element of which is the value."""
        none = IrValue(vector, "poison")
        first, length = self.insert_element(none, value, 0), vector.partition(" x ")[0]
        return self._new(vector, f"shufflevector {first}, {none}, {length} x i32> zeroinitializer")

    def vector_of(self, type: str, elements: Iterable[IrValue]) -> IrValue:
        """Return a vector of a type, such as `<4 x i32>`, put together of its elements, in order."""
        result = IrValue(type, "poison")
        for number, element in enumerate(elements):
            result = self.insert_element(result, element, number)
        return result

    def extract_value(self, aggregate: IrValue, index: int, type: str) -> IrValue:
        """Return a field of a struct, which has a type."""
        return self._new(type, f"extractvalue {aggregate}, {index}")

    def phi(self, *incoming: tuple[IrValue, str]) -> IrValue:
        """Append a `phi` of (value, label of the block that control comes from); it has the type of the first value."""
        pairs = ", ".join(f"[ {value.name}, %{label} ]" for value, label in incoming)
        return self._new(incoming[0][0].type, f"phi {incoming[0][0].type} {pairs}")

    def call(self, returns: str, name: str, *arguments: IrValue) -> IrValue:
        """Call a function that the module defines or declares; the result of a `void` call must not be used."""
        call = f"call {returns} @{name}({', '.join(map(str, arguments))})"
        if returns == "void":
            self.body.line(call)
            return IrValue("void", "")
        return self._new(returns, call)

    def ret(self, value: IrValue) -> None:
        self.body.line(f"ret {value[0]} {value[1]}")

    def intrinsic(self, returns: str, name: str, *arguments: IrValue) -> IrValue:
        """Call one of LLVM's intrinsics by its full name, such as `llvm.fma.f32`, and declare it in the module.

        It must not return `void`.
        """
        self.body.declared.add(f"declare {returns} @{name}({', '.join(value.type for value in arguments)})")
        return self.call(returns, name, *arguments)

    def fail_if(self, condition: IrValue) -> None:
        """Leave the function if an i1 holds: a check has failed."""
        self.body.unless(condition.name)

    def fail_if_any(self, ty: Type, condition: IrValue) -> None:
        """Leave the function at `bad` if an i1 holds, or any of a vector of them.

        Args:
            ty: A vector of as many elements as the condition, or a scalar.
        """
        if isinstance(ty, Vector):
            condition = self.intrinsic("i1", f"llvm.vector.reduce.or.v{ty.length}i1", condition)
        self.fail_if(condition)

    def if_then(self, condition: IrValue) -> AbstractContextManager[None]:
        """Append what runs only if an i1 holds."""
        return self.body.only(condition.name)

    def value_if(self, condition: IrValue, type: str, make: Callable[[], IrValue]) -> IrValue:
        """Return what is made if an i1 holds, else 0; it is made only then."""
        return IrValue(type, self.body.value_or_zero(condition.name, type, lambda: make().name))

    # What a body knows.

    def value(self, operand: Value, leaf: int = 0) -> IrValue:
        """Return an operand's leaf, defined as a whole; see `Body.value`."""
        return IrValue(text(leaves(operand.type)[leaf][0]), self.body.value(operand, leaf))

    def raw(self, operand: Value, leaf: int = 0) -> IrValue:
        """Return an operand's leaf, of which parts may be undefined; see `Body.raw`."""
        return IrValue(text(leaves(operand.type)[leaf][0]), self.body.raw(operand, leaf))

    def all(self, operand: Value) -> list[IrValue]:
        """Return all leaves of an operand."""
        return [self.value(operand, leaf) for leaf in range(len(leaves(operand.type)))]

    def define(self, op: Op, *values: IrValue) -> None:
        """Name the leaves of a result."""
        self.body.define(op, *(value.name for value in values))

    def plus(self, address: IrValue, offset: int) -> IrValue:
        """Return an address, so many bytes on."""
        return IrValue("i64", self.body.plus(address.name, offset))

    def slot(self, number: int, type: str = "i64") -> IrValue:
        """Return what lies in a slot of the context that never changes while a launch runs."""
        return IrValue(type, self.body.slot(number, type))

    def slot_at(self, name: str) -> IrValue:
        """Return the address of a slot that changes while a launch runs."""
        return IrValue("ptr", self.body.slot_at(name))

    def lane_bytes(self, name: str, size: int = 1) -> IrValue:
        """Return the address of bytes that a lane keeps for itself across waits."""
        return IrValue("ptr", self.body.own_place(name, size))

    def lane_storage(self, number: int, leaf: int, lane: IrValue, base: IrValue) -> tuple[str, IrValue]:
        """Return the type in memory and the address of a leaf that a lane keeps across waits; reserves it first.

        Args:
            number, leaf: The value's number and its leaf.
            lane: The lane's number in its cluster, an i64.
            base: The memory in which all lanes keep theirs, or a copy of it.
        """
        type, place = self.body.kept_address(number, leaf, lane.name, base.name)
        return type, IrValue("ptr", place)
