"""Inline assembly as a function of LLVM's instructions, which is then spliced in like any other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.simt.capabilities import is_listed
from harness.simt.compile import registry
from harness.simt.compile.lowering import LOWERED, VOID, Lowering, NotKnown, instruction_of
from harness.simt.errors import Unsupported
from harness.simt.ir.assembly import Group, Item, Label, Name, Negated, Number, Part, Statement, parse_assembly
from harness.simt.ir.module import Asm, Block, Const, Function, GlobalRef, Instruction, Local, Operand, Param, Undef
from harness.simt.ir.ptx_types import TYPES, make_immediate, register_bits, register_casts
from harness.simt.ir.types import Int, Pointer, Struct, Type, Vector
from harness.simt.ir.wait_loops import merge_wait_loops

__all__ = ["assembled"]

# Of registers; all others have 32 bits.
WIDTHS = {f"{registry.SREG}clock64": 64, f"{registry.SREG}globaltimer": 64, "asm:%is_explicit_cluster": 1}
CARRY = "%cc"  # what `add.cc` leaves to `addc`
ENDS = ("br", "ret", "unreachable")


def assembled(call: Instruction, ptx: bool) -> Function:
    """A call of inline assembly as a function of its operands.

    What is not known becomes a call of a function of its name, which nobody declared.

    Args:
        ptx: Whether it is NVIDIA's assembly; else it is AMD's.
    """
    registry.load("asm:")
    callee = call.attrs["callee"]
    assert isinstance(callee, Asm)
    work = _Assembly(call, callee)
    try:
        items, registers = parse_assembly(callee.text, ptx)
        if any("*" in kind for kind in work.kinds):
            raise Unsupported("inline assembly with operands in memory")
        return work.function(merge_wait_loops(items), registers)
    except Unsupported as error:
        return _Assembly(call, callee).function((Statement((error.what,), (), text=call.text),), {})


@dataclass(eq=False)
class _Block:
    """A block while it is written; what is added to it has the text of the statement.

    Attributes:
        values: Of the registers, as far as something was put there.
        before: The blocks that lead here.
        merges: The registers that have a phi here, each with its value.
    """

    owner: "_Assembly"
    label: str
    lines: list[Instruction] = field(default_factory=list)
    values: dict[str, Operand] = field(default_factory=dict)
    before: "list[_Block]" = field(default_factory=list)
    merges: dict[str, Local] = field(default_factory=dict)
    text: str = ""

    def add(
        self, opcode: str, ty: Type, operands: Sequence[Operand], attrs: dict[str, Any], flags: Sequence[str] = ()
    ) -> Local | None:
        """See `lowering.Target`."""
        name = None if ty == VOID else self.owner.fresh()
        call = self.owner.call
        made = Instruction(opcode, name, ty, tuple(operands), frozenset(flags), attrs, self.text, call.location)
        self.lines.append(made)
        return None if name is None else Local(name, ty)

    def must(self, opcode: str, ty: Type, *operands: Operand) -> Local:
        """Adds an instruction that gives a value."""
        made = self.add(opcode, ty, operands, {})
        assert made is not None
        return made

    def value(self, register: str) -> Operand:
        """See `lowering.Target`."""
        register = self.owner.aliases.get(register, register)
        if register in self.values:
            return self.values[register]
        if register in self.owner.types:
            return Undef(self.owner.types[register])
        name = registry.special_register(register)
        if name is None:
            raise Unsupported(f"{register} in inline assembly")
        ty = Int(WIDTHS.get(name, 32))
        made = self.add("call", ty, (), {"callee": GlobalRef(f"@{name}", Pointer())})
        assert made is not None
        return made

    def cast(self, value: Operand, ty: Type) -> Operand:
        """See `lowering.Target`."""
        if isinstance(value, Const) and isinstance(value.type, Int) and isinstance(ty, Int):
            return Const(ty, value.value & (1 << min(value.type.bits, ty.bits)) - 1)
        for opcode, step in register_casts(value.type, ty):
            value = self.must(opcode, step, value)
        return value

    def read(self, part: Part, ty: Type) -> Operand:
        """See `lowering.Target`."""
        match part:
            case Number(value, bits):
                if isinstance(ty, Vector):
                    return self.cast(make_immediate(value, bits, Int(register_bits(ty))), ty)
                return make_immediate(value, bits, ty)
            case Negated(of):
                return self.must("xor", Int(1), self.read(of, Int(1)), Const(Int(1), 1))
            case Group(parts):
                whole, own = Int(register_bits(ty)), Int(register_bits(ty) // len(parts))
                total: Operand | None = None
                for place, one in enumerate(parts):
                    piece = self.cast(self.read(one, own), whole)
                    if place:
                        piece = self.must("shl", whole, piece, Const(whole, place * own.bits))
                    total = piece if total is None else self.must("or", whole, total, piece)
                assert total is not None
                return self.cast(total, ty)
            case Name(text):
                return self.cast(self.value(text), ty)
        raise NotKnown

    def write(self, part: Part, value: Operand) -> None:
        """See `lowering.Target`."""
        match part:
            case Name("_"):
                return
            case Name(text):
                text = self.owner.aliases.get(text, text)
                if text not in self.owner.types:
                    raise NotKnown
                self.values[text] = self.cast(value, self.owner.types[text])
            case Group(parts):
                whole, own = Int(register_bits(value.type)), Int(register_bits(value.type) // len(parts))
                bits = self.cast(value, whole)
                for place, one in enumerate(parts):
                    moved = self.must("lshr", whole, bits, Const(whole, place * own.bits)) if place else bits
                    self.write(one, self.cast(moved, own))
            case _:
                raise NotKnown

    def width(self, part: Part) -> int:
        """See `lowering.Target`."""
        name = self.owner.aliases.get(part.text, part.text) if isinstance(part, Name) else ""
        return register_bits(self.owner.types[name]) if name in self.owner.types else 0

    @property
    def ended(self) -> bool:
        """Whether lanes have gone on, or ended."""
        return bool(self.lines) and self.lines[-1].opcode in ENDS

    def end(self, condition: Operand | None, *targets: "_Block") -> None:
        """Lets lanes go on in one of some blocks, unless they did."""
        if self.ended:
            return
        labels = tuple(target.label for target in targets)
        self.add("br", VOID, () if condition is None else (condition,), {"labels": labels})
        for target in targets:
            target.before.append(self)

    def merge(self, every: Mapping[str, Type] | None) -> None:
        """Takes over what registers hold, by a phi where that depends on the way here.

        Args:
            every: All registers, where lanes come back to the block later; else None.
        """
        for name in every or dict.fromkeys(name for block in self.before for name in block.values):
            held = [block.value(name) for block in self.before]
            if every is None and all(value == held[0] for value in held):
                self.values[name] = held[0]
            else:
                self.values[name] = self.merges[name] = Local(self.owner.fresh(), self.owner.types[name])

    def fill(self) -> None:
        """Writes the phis, once all ways here are known."""
        labels = {"labels": tuple(block.label for block in self.before)}
        self.lines[:0] = [
            Instruction(
                "phi",
                made.name,
                made.type,
                tuple(block.value(name) for block in self.before),
                frozenset(),
                labels,
                self.text,
                self.owner.call.location,
            )
            for name, made in self.merges.items()
        ]

    def leave(self, results: Sequence[str], ty: Type) -> None:
        """Returns what the registers of the results hold."""
        if not results:
            self.add("ret", VOID, (), {})
            return
        total: Operand = self.value(results[0])
        if isinstance(ty, Struct):
            total = Undef(ty)
            for place, name in enumerate(results):
                made = self.add("insertvalue", ty, (total, self.value(name)), {"indices": (place,)})
                assert made is not None
                total = made
        self.add("ret", VOID, (total,), {})


class _Assembly:
    """One call of assembly while it becomes a function.

    Attributes:
        types: Of the registers, by name.
        aliases: What other names a register has: an operand that is tied to a result.
    """

    def __init__(self, call: Instruction, callee: Asm) -> None:
        self.call, self._made = call, 0
        self.kinds = [kind for kind in callee.constraints.split(",") if kind]
        outputs = [kind for kind in self.kinds if kind.startswith("=")]
        results = call.type.fields if isinstance(call.type, Struct) else (call.type,)
        self._results = [f"${number}" for number in range(len(outputs))]
        self.types: dict[str, Type] = {CARRY: Int(1), **dict(zip(self._results, results, strict=False))}
        self.aliases: dict[str, str] = {}
        self._params = tuple(Param(f"%in{place}", operand.type) for place, operand in enumerate(call.operands))
        self._given: dict[str, Operand] = {}
        inputs = zip(self.kinds[len(outputs) :], self._params, call.operands, strict=False)
        for number, (kind, param, operand) in enumerate(inputs, len(outputs)):
            name = f"${kind}" if kind.isdigit() else f"${number}"
            if kind.isdigit():
                self.aliases[f"${number}"] = name
            self.types.setdefault(name, param.type)
            # What is constant is an immediate.
            self._given[name] = operand if isinstance(operand, Const) else Local(param.name, param.type)

    def fresh(self) -> str:
        """The name of a new value."""
        self._made += 1
        return f"%{self._made}"

    def function(self, items: Sequence[Item], registers: dict[str, str]) -> Function:
        """All of it."""
        for name, kind in registers.items():
            if kind not in TYPES:
                raise Unsupported(f"registers of type .{kind}")
            self.types[name] = TYPES[kind]
        blocks = self._blocks(items)
        instructions = tuple(Block(block.label, tuple(block.lines)) for block in blocks)
        return Function("", self.call.type, self._params, instructions, {}, False)

    def _blocks(self, items: Sequence[Item]) -> list[_Block]:
        labels = {
            item.name: _Block(self, f"at{number}") for number, item in enumerate(items) if isinstance(item, Label)
        }
        current = _Block(self, "entry", values=dict(self._given), text=self.call.text)
        blocks = [current]

        def begin(block: _Block, again: bool = False) -> _Block:
            """Goes on in a block, to which lanes come back later or not."""
            blocks.append(block)
            block.merge(self.types if again else None)
            return block

        for number, item in enumerate(items):
            if isinstance(item, Label):
                current.end(None, labels[item.name])
                later = {part.text for each in items[number:] for part in _branch(each)}
                current = begin(labels[item.name], item.name in later)
                continue
            current.text = item.text
            after = _Block(self, f"after{number}")
            if item.guard is not None:
                inside = _Block(self, f"if{number}", text=item.text)
                condition = current.read(Negated(item.guard) if item.negated else item.guard, Int(1))
                current.end(condition, inside, after)
                current = begin(inside)
            self._statement(current, item, labels)
            if item.guard is not None or current.ended:
                current.end(None, after)
                current = begin(after)
        current.text = self.call.text
        current.leave(self._results, self.call.type)
        for block in blocks:
            block.fill()
        return blocks

    def _statement(self, block: _Block, item: Statement, labels: Mapping[str, _Block]) -> None:
        """Adds what a statement does."""
        before, held = len(block.lines), dict(block.values)
        try:
            if item.words[0] == "bra":
                (target,) = _branch(item)
                block.end(None, labels[target.text])
                return
            name = instruction_of(item.words)
            if name is None:
                raise NotKnown
            work = Lowering(block, ".".join(name), item.words[len(name) :], item.operands)
            LOWERED[name](work)
            if work.words:
                raise NotKnown
            if len(block.lines) == before and is_listed(item.opcode):  # not every target has it: let it have a place
                block.add("call", VOID, (), {"callee": GlobalRef("@llvm.donothing", Pointer())})
        except (NotKnown, KeyError, ValueError):
            del block.lines[before:]
            block.values = held
            block.add("call", VOID, (), {"callee": GlobalRef(f"@assembly {item.opcode}", Pointer())})


def _branch(item: Item) -> list[Name]:
    """Where a statement branches to."""
    if isinstance(item, Label) or item.words[0] != "bra":
        return []
    return [part for part in item.operands if isinstance(part, Name)]
