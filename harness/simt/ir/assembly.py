"""Parse inline assembly, PTX or AMD's, into statements, operands and labels; rename what scopes declare.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#syntax and https://llvm.org/docs/LangRef.html#inline-asm-expressions
"""

import re
import struct
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from harness.simt.errors import Unsupported
from harness.simt.ir.assembly_tokens import tokenize

__all__ = [
    "AddressOperand",
    "Group",
    "Item",
    "Label",
    "Name",
    "Negated",
    "Number",
    "Part",
    "ResultPair",
    "Statement",
    "parse_assembly",
]

MAX_REGISTERS, MAX_DEPTH = 4096, 8  # registers of one name, and braces within braces


@dataclass(frozen=True, slots=True)
class Name:
    """A register, `$0` for an operand of the block, a label, or `_`."""

    text: str


@dataclass(frozen=True, slots=True)
class Number:
    """An immediate; `bits` is the width in which a float was written: 0 for an integer, 64 for a decimal fraction."""

    value: int | float
    bits: int = 0


@dataclass(frozen=True, slots=True)
class AddressOperand:
    """`[base + offset]`, with coordinates where it is one in a tensor: `[map, {x, y}]`."""

    base: "Part"
    offset: int = 0
    coordinates: "tuple[Part, ...]" = ()


@dataclass(frozen=True, slots=True)
class Group:
    """`{a, b}`: several registers."""

    parts: "tuple[Part, ...]"


@dataclass(frozen=True, slots=True)
class ResultPair:
    """`a|b`: two results."""

    first: "Part"
    second: "Part"


@dataclass(frozen=True, slots=True)
class Negated:
    """`!p`: the opposite of a predicate."""

    of: "Part"


Part: TypeAlias = Name | Number | AddressOperand | Group | ResultPair | Negated


@dataclass(frozen=True, slots=True)
class Statement:
    """An instruction.

    Attributes:
        words: The name and its modifiers, `("add", "s32")`.
        guard: The predicate of a conditional instruction, or None.
        negated: Whether it is executed if the predicate is false.
        text: Its text in the block.
    """

    words: tuple[str, ...]
    operands: tuple[Part, ...]
    guard: Name | None = None
    negated: bool = False
    text: str = ""

    @property
    def opcode(self) -> str:
        """The name and the modifiers as written: `add.s32`."""
        return ".".join(self.words)


@dataclass(frozen=True, slots=True)
class Label:
    """A label to branch to."""

    name: str


Item: TypeAlias = Statement | Label


@cache
def parse_assembly(text: str, ptx: bool = True) -> tuple[tuple[Item, ...], dict[str, str]]:
    """Parse a block of inline assembly: (statements and labels in order, {unique name of a register: its type, `b32`}).

    A register or label `a` that the block declares is renamed `a#N`, in operands too; other names stay. A `.pragma` is
    left out. Without `ptx` the syntax is AMD's: a statement a line, comments after semicolons. The result is cached
    and shared by all callers. Raises `Unsupported` for unknown syntax.
    """
    if not ptx:  # a line is a statement, and a semicolon begins a comment
        text = ";\n".join(line.partition(";")[0] for line in text.splitlines()) + ";"
    return _Reader(text).items()


class _Reader:
    def __init__(self, text: str) -> None:
        self._plain, self._tokens = tokenize(text)
        self._at = 0
        self._scopes: list[dict[str, str]] = [{}]
        self._count = self._depth = 0
        self.registers: dict[str, str] = {}

    @property
    def _token(self) -> tuple[str, str, int]:
        return self._tokens[self._at] if self._at < len(self._tokens) else ("", "", 0)

    @property
    def _next(self) -> str:
        return self._token[1]

    def _take(self) -> str:
        token = self._next
        self._at += 1
        return token

    def _accept(self, *signs: str) -> bool:
        accepted = bool(self._next) and self._next in signs
        self._at += accepted
        return accepted

    def _expect(self, sign: str) -> None:
        if not self._accept(sign):
            raise Unsupported(f"inline assembly with {self._next or 'an end'!r} in place of {sign!r}")

    def items(self) -> tuple[tuple[Item, ...], dict[str, str]]:
        items: list[Item] = []
        self._declare_labels()
        while self._next:
            if self._accept(";"):
                continue
            if self._accept("{"):
                self._scopes.append({})
                self._declare_labels()
            elif self._accept("}"):
                if len(self._scopes) == 1:
                    raise Unsupported("inline assembly with a '}' that closes nothing")
                self._scopes.pop()
            elif self._next == ".reg":
                self._declare()
            elif self._next == ".pragma":
                while self._next and not self._accept(";"):
                    self._at += 1
            elif self._at + 1 < len(self._tokens) and self._tokens[self._at + 1][1] == ":":
                items.append(Label(self._resolve(self._take())))
                self._at += 1
            else:
                items.append(self._statement())
        if len(self._scopes) > 1:
            raise Unsupported("inline assembly with a '{' that is not closed")
        return tuple(items), self.registers

    def _declare_labels(self) -> None:
        """Enter this scope's labels, not inner scopes', by unique names; consume nothing: branches may come first."""
        depth = 0
        for position in range(self._at, len(self._tokens)):
            token = self._tokens[position][1]
            depth += (token == "{") - (token == "}")
            if depth < 0:
                return
            if token == ":" and depth == 0:
                self._make_unique(self._tokens[position - 1][1])

    def _make_unique(self, name: str) -> str:
        self._count += 1
        self._scopes[-1][name] = unique = f"{name}#{self._count}"
        return unique

    def _resolve(self, name: str) -> str:
        return next((scope[name] for scope in reversed(self._scopes) if name in scope), name)

    def _declare(self) -> None:
        """Consume `.reg .b32 a, b<4>;`: add `a` and `b0` to `b3` to `registers` and the scope, by unique names. Raise
        Unsupported for vectors (`.v2`, `.v4`), and for `b<N>` with N above `MAX_REGISTERS`.
        """
        self._take()
        kind = self._take()
        if kind in (".v2", ".v4"):
            raise Unsupported(f"inline assembly with registers {kind}")
        while True:
            name, count = self._take(), None
            if self._accept("<"):
                count = _parse_integer(self._take())
                if count > MAX_REGISTERS:
                    raise Unsupported(f"inline assembly with {count} registers")
                self._expect(">")
            for register in [name] if count is None else [f"{name}{number}" for number in range(count)]:
                self.registers[self._make_unique(register)] = kind.removeprefix(".")
            if not self._accept(","):
                break
        self._expect(";")

    def _statement(self) -> Statement:
        guard, negated = None, False
        if self._accept("@"):
            negated = self._accept("!")
            guard = Name(self._resolve(self._take()))
        kind, opcode, start = self._token
        if kind != "name" or opcode.startswith("."):
            raise Unsupported(f"{opcode or 'an end'} in inline assembly")
        self._at += 1
        operands: list[Part] = []
        if self._next not in (";", "}", ""):
            operands.append(self._operand())
            while self._accept(","):
                operands.append(self._operand())
        text = " ".join(self._plain[start - len(opcode) : self._tokens[self._at - 1][2]].split())
        if self._next not in ("}", ""):  # the last statement needs none
            self._expect(";")
        return Statement(tuple(opcode.split(".")), tuple(operands), guard, negated, text)

    def _operand(self) -> Part:
        first = self._limited_part()
        return ResultPair(first, self._limited_part()) if self._accept("|") else first

    def _operand_list(self, end: str) -> tuple[Part, ...]:
        parts: list[Part] = []
        while not self._accept(end):
            parts.append(self._operand())
            if self._next != end:
                self._expect(",")
        return tuple(parts)

    def _limited_part(self) -> Part:
        if self._depth > MAX_DEPTH:
            raise Unsupported("inline assembly with an operand this deep")
        self._depth += 1
        try:
            return self._operand_part()
        finally:
            self._depth -= 1

    def _operand_part(self) -> Part:
        if self._accept("{"):
            return Group(self._operand_list("}"))
        if self._accept("!"):
            return Negated(self._limited_part())
        if self._accept("["):
            return self._address()
        sign = -1 if self._accept("-") else 1
        kind, token, _ = self._token
        self._at += 1
        if kind == "number":
            number = _parse_number(token)
            return Number(sign * number.value, number.bits)
        if kind == "argument" and sign == 1:
            digits = re.search(r"\d+", token)
            assert digits is not None
            return Name(f"${digits[0]}")
        if kind == "name" and sign == 1:
            return Name(self._resolve(token))
        raise Unsupported(f"inline assembly with the operand {token or 'that is missing'!r}")

    def _address(self) -> AddressOperand:
        base, offset = self._limited_part(), 0
        while self._next in ("+", "-"):
            sign = -1 if self._take() == "-" else 1
            added = self._limited_part()
            if not isinstance(added, Number) or not isinstance(added.value, int):
                raise Unsupported("inline assembly with an address that is a sum of registers")
            offset += sign * added.value
        coordinates: tuple[Part, ...] = ()
        if self._accept(","):
            indices = self._limited_part()
            coordinates = indices.parts if isinstance(indices, Group) else (indices,)
        self._expect("]")
        return AddressOperand(base, offset, coordinates)


def _parse_number(token: str) -> Number:
    plain = token.removesuffix("U")
    match plain[:2].lower():
        case "0f":
            return Number(struct.unpack("<f", struct.pack("<I", int(plain[2:], 16)))[0], 32)
        case "0d":
            return Number(struct.unpack("<d", struct.pack("<Q", int(plain[2:], 16)))[0], 64)
        case "0x":
            return Number(int(plain, 16))
        case "0b":
            return Number(int(plain, 2))
    is_octal = plain.startswith("0")
    return Number(_parse_integer(plain, 8 if is_octal else 10)) if plain.isdigit() else Number(float(plain), 64)


def _parse_integer(digits: str, base: int = 10) -> int:
    try:
        return int(digits, base)
    except ValueError:
        raise Unsupported(f"inline assembly with {digits!r} in place of a number") from None
