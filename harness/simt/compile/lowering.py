"""What the instructions of inline assembly are declared with: each by LLVM's own instructions and intrinsics.

`declares("add")` takes the `Lowering` of a statement and writes what it does. It takes the modifiers that it knows, in
whatever order they stand; a statement with others, or that is not declared, is refused by name where lanes come to it.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

from harness.simt.ir.assembly import AddressOperand, Group, Name, Part, ResultPair
from harness.simt.ir.module import Const, GlobalRef, Local, Operand, Zero
from harness.simt.ir.ptx_types import TYPES
from harness.simt.ir.types import Float, Int, OtherType, Pointer, Struct, Type

__all__ = ["LOWERED", "VOID", "Lower", "Lowering", "NotKnown", "declares", "instruction_of"]

VOID = OtherType("void")


class NotKnown(Exception):
    """A statement that is not declared with its modifiers or its operands."""


class Target(Protocol):
    """Where instructions are added; registers have values there."""

    def add(
        self, opcode: str, ty: Type, operands: Sequence[Operand], attrs: dict[str, Any], flags: Sequence[str] = ()
    ) -> Local | None:
        """Adds an instruction; its value, or None where it gives none."""

    def value(self, register: str) -> Operand:
        """What a register holds."""

    def read(self, part: Part, ty: Type) -> Operand:
        """The value of an operand as a type."""

    def write(self, part: Part, value: Operand) -> None:
        """Puts a value into registers."""

    def cast(self, value: Operand, ty: Type) -> Operand:
        """The low bits of a value, or the value with zeros above it."""

    def width(self, part: Part) -> int:
        """The bits of a register; 0 of what is none."""


class Lowering:
    """What one statement is written with.

    Attributes:
        name: The declared instruction; of a call of an intrinsic, as it stands there.
        words: The modifiers that nobody has taken so far.
        operands: Of the statement.
        result: The type of a call of an intrinsic; of a statement void.
    """

    def __init__(
        self, target: Target, name: str, words: Sequence[str], operands: Sequence[Part], result: Type = VOID
    ) -> None:
        self._target, self.name, self.words, self.operands = target, name, list(words), tuple(operands)
        self.result = result

    def one_of(self, *words: str) -> str | None:
        """Takes the first modifier that is one of these, or None."""
        word = next((word for word in self.words if word in words), None)
        if word is not None:
            self.words.remove(word)
        return word

    def has(self, *words: str) -> bool:
        """Takes a modifier that may stand there, by any of its names."""
        return self.one_of(*words) is not None

    def need(self, *words: str) -> str:
        """Takes the first modifier that is one of these; one must stand there."""
        word = self.one_of(*words)
        if word is None:
            raise NotKnown
        return word

    def kind(self, *words: str) -> str:
        """Takes the next type; one of these, if some are named."""
        return self.need(*(words or TYPES))

    def only(self, *counts: int) -> int:
        """The number of operands, which must be one of these."""
        if len(self.operands) not in counts:
            raise NotKnown
        return len(self.operands)

    def part(self, part: Part | int) -> Part:
        """An operand by its number."""
        if isinstance(part, int):
            if part >= len(self.operands):
                raise NotKnown
            return self.operands[part]
        return part

    def parts(self, part: Part | int) -> tuple[Part, ...]:
        """The registers of an operand like `{a, b}`; a single one is a group of one."""
        part = self.part(part)
        return part.parts if isinstance(part, Group) else (part,)

    def both(self, part: Part | int) -> tuple[Part, Part | None]:
        """The results of an operand like `a|p`, of which the second may be left out."""
        part = self.part(part)
        return (part.first, part.second) if isinstance(part, ResultPair) else (part, None)

    def read(self, part: Part | int, ty: Type | str) -> Operand:
        """The value of an operand as a type of LLVM or of PTX."""
        return self._target.read(self.part(part), TYPES[ty] if isinstance(ty, str) else ty)

    def given(self, part: Part | int) -> Operand:
        """The value of a register as it is."""
        part = self.part(part)
        if not isinstance(part, Name):
            raise NotKnown
        return self._target.value(part.text)

    def number(self, part: Part | int) -> int:
        """The value of an operand that must be an immediate."""
        value = self.read(part, Int(64))
        if not isinstance(value, Const):
            raise NotKnown
        return value.value

    def write(self, part: Part | int, value: Operand | None) -> None:
        """Puts a value into the registers of an operand."""
        if value is None:
            raise NotKnown
        self._target.write(self.part(part), value)

    def op(self, opcode: str, ty: Type, *operands: Operand, flags: Sequence[str] = (), **attrs: Any) -> Local:
        """Adds an instruction; returns its value."""
        made = self._target.add(opcode, ty, operands, attrs, flags)
        assert made is not None
        return made

    def do(self, opcode: str, *operands: Operand, flags: Sequence[str] = (), **attrs: Any) -> None:
        """Adds an instruction that gives nothing."""
        self._target.add(opcode, VOID, operands, attrs, flags)

    def call(self, name: str, *operands: Operand) -> None:
        """Calls an intrinsic that gives nothing."""
        self._target.add("call", VOID, operands, {"callee": GlobalRef(f"@{name}", Pointer())})

    def value(self, name: str, ty: Type, *operands: Operand) -> Local:
        """Calls an intrinsic; returns its value."""
        made = self._target.add("call", ty, operands, {"callee": GlobalRef(f"@{name}", Pointer())})
        assert made is not None
        return made

    def gives(self, name: str, ty: Type, *operands: Type | str) -> None:
        """Calls an intrinsic with all operands but the first, each read as a type; its value is the first."""
        self.only(1 + len(operands))
        self.write(0, self.value(name, ty, *(self.read(number, each) for number, each in enumerate(operands, 1))))

    def calls(self, name: str, *operands: Type | str) -> None:
        """Calls an intrinsic that gives nothing with all operands, each read as a type."""
        self.only(len(operands))
        self.call(name, *(self.read(number, each) for number, each in enumerate(operands)))

    def element(self, value: Operand, index: int) -> Local:
        """A field of a struct."""
        assert isinstance(value.type, Struct)
        return self.op("extractvalue", value.type.fields[index], value, indices=(index,))

    def cast(self, value: Operand, ty: Type) -> Operand:
        """The low bits of a value, or the value with zeros above it, as another type."""
        return self._target.cast(value, ty)

    def compare(self, predicate: str, left: Operand, right: Operand) -> Local:
        """Whether integers or floats compare so."""
        opcode = "fcmp" if isinstance(left.type, Float) else "icmp"
        return self.op(opcode, Int(1), left, right, predicate=predicate)

    def select(self, condition: Operand, yes: Operand, no: Operand) -> Local:
        """One of two values."""
        return self.op("select", yes.type, condition, yes, no)

    def pointer(self, part: Part | int, shared: bool = False) -> Operand:
        """The pointer of an operand like `[$1+8]`; an address of 32 bits is one in shared memory."""
        part = self.part(part)
        if not isinstance(part, AddressOperand) or part.coordinates:
            raise NotKnown
        pointer = self.place(part.base, shared)
        if not part.offset:
            return pointer
        return self.op("getelementptr", pointer.type, pointer, Const(Int(64), part.offset), source_type=Int(8))

    def place(self, part: Part | int, shared: bool = False) -> Operand:
        """The pointer that a register holds."""
        base = self.given(part)
        if isinstance(base.type, Pointer):
            return base
        if shared or base.type == Int(32):
            return self.value("asm:address", Pointer(3), base)
        return self.cast(base, Pointer())

    def generic(self, part: Part | int) -> Operand:
        """The generic pointer that a register holds."""
        return self.cast(self.read(part, Int(64)), Pointer())

    def width(self, part: Part) -> int:
        """The bits of a register that is written to."""
        return self._target.width(part)

    def joined(self, values: Sequence[Operand], whole: Type) -> Operand:
        """A vector of some values."""
        made: Operand = Zero(whole)
        for place, value in enumerate(values):
            made = self.op("insertelement", whole, made, value, Const(Int(32), place))
        return made


Lower: TypeAlias = Callable[[Lowering], None]
# By the words that an instruction begins with, `("cp", "async")`.
LOWERED: dict[tuple[str, ...], Lower] = {}


def declares(*names: str) -> Callable[[Lower], Lower]:
    """Declares how instructions are lowered, each by the words that it begins with."""

    def declare(function: Lower) -> Lower:
        for name in names:
            words = tuple(name.split("."))
            if words in LOWERED:
                raise ValueError(f"the assembly of {name} is already declared")
            LOWERED[words] = function
        return function

    return declare


def instruction_of(words: Sequence[str]) -> tuple[str, ...] | None:
    """The declared instruction that is the longest beginning of a statement's words, or None."""
    return next((tuple(words[:end]) for end in range(len(words), 0, -1) if tuple(words[:end]) in LOWERED), None)
