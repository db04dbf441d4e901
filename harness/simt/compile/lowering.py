"""`declares` registers a lowering of assembly; a `Lowering` parses modifiers and operands and adds LLVM instructions.

The lowerings are in `intrinsics`. Expansions (see `expanding`) use `Lowering` too.

A function under `@declares("add")` takes the `Lowering` of a statement and adds instructions for it. It takes the
modifiers that it knows, in any order. A statement with other modifiers, or an undeclared one, is refused by name when
it runs.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

from harness.simt.ir.assembly import AddressOperand, Group, Name, Part, ResultPair
from harness.simt.ir.module import Const, GlobalRef, Local, Operand, Zero
from harness.simt.ir.ptx_types import TYPES
from harness.simt.ir.types import Float, Int, OtherType, Pointer, Struct, Type

__all__ = ["LOWERINGS", "VOID", "Lower", "Lowering", "NotKnown", "declares", "find_declared"]

VOID = OtherType("void")


class NotKnown(Exception):
    """Raised for a statement that is not declared with its modifiers or operands; its execution is then
    refused by name.
    """


class InstructionSink(Protocol):
    """A place to add instructions, with values of registers."""

    def add(
        self, opcode: str, ty: Type, operands: Sequence[Operand], attrs: dict[str, Any], flags: Sequence[str] = ()
    ) -> Local | None:
        """Add an instruction; return its value, or None for a void type."""

    def value(self, register: str) -> Operand:
        """Return the value of a register."""

    def read(self, part: Part, ty: Type) -> Operand:
        """Return the value of an operand, converted to a type."""

    def write(self, part: Part, value: Operand) -> None:
        """Assign a value to the registers of an operand."""

    def cast(self, value: Operand, ty: Type) -> Operand:
        """Read a value's bits as a type: cut off high bits, or fill them with zeros."""

    def width(self, part: Part) -> int:
        """Return the width in bits of a register that can be written to; 0 for any other name or operand."""


class Lowering:
    """Lowers one statement of assembly, or one call of an expanded intrinsic.

    Attributes:
        name: The declared instruction, or the called intrinsic as the call spells it.
        words: The modifiers that have not been taken yet.
        operands: The operands of the statement.
        result: The result type of the intrinsic; void for a statement.
    """

    def __init__(
        self, target: InstructionSink, name: str, words: Sequence[str], operands: Sequence[Part], result: Type = VOID
    ) -> None:
        self._target, self.name, self.words, self.operands = target, name, list(words), tuple(operands)
        self.result = result

    def take_one_of(self, *words: str) -> str | None:
        """Remove and return the statement's first modifier that is one of `words`; None if there is none."""
        word = next((word for word in self.words if word in words), None)
        if word is not None:
            self.words.remove(word)
        return word

    def take(self, *words: str) -> bool:
        """Remove an optional modifier, under any of its names, and return whether it was there."""
        return self.take_one_of(*words) is not None

    def require(self, *words: str) -> str:
        """Remove and return the first modifier that is one of `words`. Raises `NotKnown` if there is none."""
        word = self.take_one_of(*words)
        if word is None:
            raise NotKnown
        return word

    def take_type(self, *words: str) -> str:
        """Remove and return the next type modifier, of all types or of `words`. Raises `NotKnown` if there is none."""
        return self.require(*(words or TYPES))

    def expect_operands(self, *counts: int) -> int:
        """Return the number of operands. Raises `NotKnown` unless it is one of `counts`."""
        if len(self.operands) not in counts:
            raise NotKnown
        return len(self.operands)

    def part(self, part: Part | int) -> Part:
        """Return an operand by its number, or an operand unchanged. Raises `NotKnown` if there is no such operand."""
        if isinstance(part, int):
            if part >= len(self.operands):
                raise NotKnown
            return self.operands[part]
        return part

    def registers(self, part: Part | int) -> tuple[Part, ...]:
        """Return the members of a group operand `{a, b}`; any other operand counts as a group of one.

        Raises `NotKnown` if there is no such operand.
        """
        part = self.part(part)
        return part.parts if isinstance(part, Group) else (part,)

    def destination_pair(self, part: Part | int) -> tuple[Part, Part | None]:
        """Return the two destinations of an operand like `a|p`; (operand, None) if it is not a pair.

        Raises `NotKnown` if there is no such operand.
        """
        part = self.part(part)
        return (part.first, part.second) if isinstance(part, ResultPair) else (part, None)

    def read(self, part: Part | int, ty: Type | str) -> Operand:
        """Return the value of an operand, converted to a type of LLVM, or of PTX by its name.

        Raises `NotKnown` if there is no such operand, or it is an address or a pair; `Unsupported` for an unknown
        register or a float in place of another type.
        """
        return self._target.read(self.part(part), TYPES[ty] if isinstance(ty, str) else ty)

    def register_value(self, part: Part | int) -> Operand:
        """Return the value of a register without conversion.

        Raises `NotKnown` if the operand is not a register, `Unsupported` if there is no register of this name.
        """
        part = self.part(part)
        if not isinstance(part, Name):
            raise NotKnown
        return self._target.value(part.text)

    def immediate(self, part: Part | int) -> int:
        """Return the value of an immediate, or of a register with a constant value, as unsigned 64 bits.

        A decimal fraction gives the bits of its double. Raises `NotKnown` for any other operand, but `Unsupported` for
        an unknown register and a 32-bit float.
        """
        value = self.read(part, Int(64))
        if not isinstance(value, Const):
            raise NotKnown
        return value.value

    def write(self, part: Part | int, value: Operand | None) -> None:
        """Assign a value's bits to a register, or split them among a group's registers; `_` drops them.

        Raises `NotKnown` if the value is None, or the operand is missing or not a register that can be written to.
        """
        if value is None:
            raise NotKnown
        self._target.write(self.part(part), value)

    def op(self, opcode: str, ty: Type, *operands: Operand, flags: Sequence[str] = (), **attrs: Any) -> Local:
        """Add an instruction and return its result, which it must have; `attrs` are those of the opcode."""
        result = self._target.add(opcode, ty, operands, attrs, flags)
        assert result is not None
        return result

    def do(self, opcode: str, *operands: Operand, flags: Sequence[str] = (), **attrs: Any) -> None:
        """Add an instruction that has no result."""
        self._target.add(opcode, VOID, operands, attrs, flags)

    def call(self, name: str, *operands: Operand) -> None:
        """Add a call of an intrinsic that returns nothing."""
        self._target.add("call", VOID, operands, {"callee": GlobalRef(f"@{name}", Pointer())})

    def value(self, name: str, ty: Type, *operands: Operand) -> Local:
        """Add a call of an intrinsic, named without `@`, and return its result, of type `ty`."""
        result = self._target.add("call", ty, operands, {"callee": GlobalRef(f"@{name}", Pointer())})
        assert result is not None
        return result

    def write_call(self, name: str, ty: Type, *operands: Type | str) -> None:
        """Call an intrinsic with the statement's operands from the second on, and write its result to the first.

        `operands` has the type to read each as: LLVM's, or the name of PTX's. The result's type is `ty`. Raises
        `NotKnown` unless there is one operand for each type, and the first.
        """
        self.expect_operands(1 + len(operands))
        self.write(0, self.value(name, ty, *(self.read(number, each) for number, each in enumerate(operands, 1))))

    def call_with_operands(self, name: str, *operands: Type | str) -> None:
        """Call an intrinsic that returns nothing with all operands of the statement.

        `operands` has the type to read each as: LLVM's, or the name of PTX's. Raises `NotKnown` unless there is one
        operand for each type.
        """
        self.expect_operands(len(operands))
        self.call(name, *(self.read(number, each) for number, each in enumerate(operands)))

    def element(self, value: Operand, index: int) -> Local:
        """Add an instruction that reads a field of a struct by its number, and return the field."""
        assert isinstance(value.type, Struct)
        return self.op("extractvalue", value.type.fields[index], value, indices=(index,))

    def cast(self, value: Operand, ty: Type) -> Operand:
        """Convert a value to a type: cut off high bits, or fill them with zeros."""
        return self._target.cast(value, ty)

    def compare(self, predicate: str, left: Operand, right: Operand) -> Local:
        """Add a comparison of two integers or floats by a predicate of LLVM, and return whether it holds, an `i1`."""
        opcode = "fcmp" if isinstance(left.type, Float) else "icmp"
        return self.op(opcode, Int(1), left, right, predicate=predicate)

    def select(self, condition: Operand, yes: Operand, no: Operand) -> Local:
        """Add an instruction that selects `yes` if the condition, an `i1`, holds, else `no`; return its result."""
        return self.op("select", yes.type, condition, yes, no)

    def pointer(self, part: Part | int, shared: bool = False) -> Operand:
        """Return the pointer of an address operand like `[$1+8]`, 8 being bytes; for `shared` see `register_pointer`.

        Raises `NotKnown` for any other operand, for coordinates of a tensor, and if the base is not a register.
        """
        part = self.part(part)
        if not isinstance(part, AddressOperand) or part.coordinates:
            raise NotKnown
        pointer = self.register_pointer(part.base, shared)
        if not part.offset:
            return pointer
        return self.op("getelementptr", pointer.type, pointer, Const(Int(64), part.offset), source_type=Int(8))

    def register_pointer(self, part: Part | int, shared: bool = False) -> Operand:
        """Return the pointer in a register: one of pointer type as it is, whatever `shared` says.

        A 32-bit integer, or any value with `shared`, becomes a pointer to shared memory, any other value a generic one.

        Raises `NotKnown` if the operand is not a register.
        """
        base = self.register_value(part)
        if isinstance(base.type, Pointer):
            return base
        if shared or base.type == Int(32):
            return self.value("asm:address", Pointer(3), base)
        return self.cast(base, Pointer())

    def generic(self, part: Part | int) -> Operand:
        """Return the generic pointer in a register."""
        return self.cast(self.read(part, Int(64)), Pointer())

    def width(self, part: Part) -> int:
        """Return the width in bits of a register that is written to; 0 if the operand is not one."""
        return self._target.width(part)

    def build_vector(self, values: Sequence[Operand], ty: Type) -> Operand:
        """Return a vector of type `ty` that begins with `values`, at most as many as it has; the rest of it is zero."""
        vector: Operand = Zero(ty)
        for place, value in enumerate(values):
            vector = self.op("insertelement", ty, vector, value, Const(Int(32), place))
        return vector


Lower: TypeAlias = Callable[[Lowering], None]
# By the words that an instruction begins with, such as `("cp", "async")`.
LOWERINGS: dict[tuple[str, ...], Lower] = {}


def declares(*names: str) -> Callable[[Lower], Lower]:
    """Register, as a decorator, the function that lowers instructions that begin with a name such as `cp.async`.

    Raises ValueError if a name is already declared.
    """

    def declare(function: Lower) -> Lower:
        for name in names:
            words = tuple(name.split("."))
            if words in LOWERINGS:
                raise ValueError(f"the assembly of {name} is already declared")
            LOWERINGS[words] = function
        return function

    return declare


def find_declared(words: Sequence[str]) -> tuple[str, ...] | None:
    """Return the longest declared instruction that begins a statement's words, or None."""
    return next((tuple(words[:end]) for end in range(len(words), 0, -1) if tuple(words[:end]) in LOWERINGS), None)
