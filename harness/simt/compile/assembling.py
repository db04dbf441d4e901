"""Translate inline assembly to an LLVM function: labels, guards, phis; each statement by `lowering.LOWERINGS`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.simt.capabilities import is_listed
from harness.simt.compile import registry
from harness.simt.compile.lowering import LOWERINGS, VOID, Lowering, NotKnown, find_declared
from harness.simt.errors import Unsupported
from harness.simt.ir.assembly import Group, Item, Label, Name, Negated, Number, Part, Statement, parse_assembly
from harness.simt.ir.module import Asm, Block, Const, Function, GlobalRef, Instruction, Local, Operand, Param, Undef
from harness.simt.ir.ptx_types import TYPES, make_immediate, register_bits, register_casts
from harness.simt.ir.types import Int, Pointer, Struct, Type, Vector
from harness.simt.ir.wait_loops import merge_wait_loops

__all__ = ["assemble"]

# Widths of special registers in bits; all others have 32.
WIDTHS = {f"{registry.SREG}clock64": 64, f"{registry.SREG}globaltimer": 64, "asm:%is_explicit_cluster": 1}
CARRY = "%cc"  # the carry that `add.cc` sets and `addc` reads
ENDS = ("br", "ret", "unreachable")


def assemble(call: Instruction, ptx: bool) -> Function:
    """Translate a call of inline assembly, AMD's unless `ptx`, into a function with a parameter for each operand.

    A constant operand is used as a constant. A statement that is not known becomes a call of an undeclared function,
    `@assembly NAME`, which is refused when it runs. So does the whole text if it cannot be parsed, names an unknown
    register or has operands in memory; the name then says which. `Unsupported` is never raised.
    """
    registry.load_declarations("asm:")
    callee = call.attrs["callee"]
    assert isinstance(callee, Asm)
    work = _Assembly(call, callee)
    try:
        items, registers = parse_assembly(callee.text, ptx)
        if any("*" in kind for kind in work.kinds):
            raise Unsupported("inline assembly with operands in memory")
        return work.build_function(merge_wait_loops(items), registers)
    except Unsupported as error:
        return _Assembly(call, callee).build_function((Statement((error.what,), (), text=call.text),), {})


@dataclass(eq=False)
class _Block:
    """A block under construction; instructions added to it get the text of the current statement.

    Attributes:
        values: The values of the registers that have been written.
        predecessors: The blocks that branch here.
        merges: The registers that have a phi here, with the phi's value.
    """

    owner: "_Assembly"
    label: str
    lines: list[Instruction] = field(default_factory=list)
    values: dict[str, Operand] = field(default_factory=dict)
    predecessors: "list[_Block]" = field(default_factory=list)
    merges: dict[str, Local] = field(default_factory=dict)
    text: str = ""

    def add(
        self, opcode: str, ty: Type, operands: Sequence[Operand], attrs: dict[str, Any], flags: Sequence[str] = ()
    ) -> Local | None:
        """Append an instruction; return its value, or None for a void type."""
        name = None if ty == VOID else self.owner.new_name()
        call = self.owner.call
        instruction = Instruction(opcode, name, ty, tuple(operands), frozenset(flags), attrs, self.text, call.location)
        self.lines.append(instruction)
        return None if name is None else Local(name, ty)

    def add_value(self, opcode: str, ty: Type, *operands: Operand) -> Local:
        """Append an instruction that gives a value, and return the value."""
        result = self.add(opcode, ty, operands, {})
        assert result is not None
        return result

    def value(self, register: str) -> Operand:
        """Return a register's value, `Undef` if not written; a special one by a new call; `Unsupported` if unknown."""
        register = self.owner.aliases.get(register, register)
        if register in self.values:
            return self.values[register]
        if register in self.owner.types:
            return Undef(self.owner.types[register])
        name = registry.find_special_register(register)
        if name is None:
            raise Unsupported(f"{register} in inline assembly")
        ty = Int(WIDTHS.get(name, 32))
        register_value = self.add("call", ty, (), {"callee": GlobalRef(f"@{name}", Pointer())})
        assert register_value is not None
        return register_value

    def cast(self, value: Operand, ty: Type) -> Operand:
        """Cast a value's bits to a type: cut bits off, or add zeros. A constant integer as an integer adds no code."""
        if isinstance(value, Const) and isinstance(value.type, Int) and isinstance(ty, Int):
            return Const(ty, value.value & (1 << min(value.type.bits, ty.bits)) - 1)
        for opcode, step in register_casts(value.type, ty):
            value = self.add_value(opcode, step, value)
        return value

    def read(self, part: Part, ty: Type) -> Operand:
        """Return an operand's value as a type, `!p` as an `i1`; a group is packed, the first lowest. Raises `NotKnown`
        for addresses and pairs, `Unsupported` for unknown registers and floats in place of another type.
        """
        match part:
            case Number(value, bits):
                if isinstance(ty, Vector):
                    return self.cast(make_immediate(value, bits, Int(register_bits(ty))), ty)
                return make_immediate(value, bits, ty)
            case Negated(of):
                return self.add_value("xor", Int(1), self.read(of, Int(1)), Const(Int(1), 1))
            case Group(parts):
                group_type, element_type = Int(register_bits(ty)), Int(register_bits(ty) // len(parts))
                total: Operand | None = None
                for place, element in enumerate(parts):
                    bits_ = self.cast(self.read(element, element_type), group_type)
                    if place:
                        bits_ = self.add_value("shl", group_type, bits_, Const(group_type, place * element_type.bits))
                    total = bits_ if total is None else self.add_value("or", group_type, total, bits_)
                assert total is not None
                return self.cast(total, ty)
            case Name(text):
                return self.cast(self.value(text), ty)
        raise NotKnown

    def write(self, part: Part, value: Operand) -> None:
        """Assign a value to a declared register, or split it among a group's; `_` drops it; else raise `NotKnown`."""
        match part:
            case Name("_"):
                return
            case Name(text):
                text = self.owner.aliases.get(text, text)
                if text not in self.owner.types:
                    raise NotKnown
                self.values[text] = self.cast(value, self.owner.types[text])
            case Group(parts):
                group_type, element_type = Int(register_bits(value.type)), Int(register_bits(value.type) // len(parts))
                bits = self.cast(value, group_type)
                for place, element in enumerate(parts):
                    moved = (
                        self.add_value("lshr", group_type, bits, Const(group_type, place * element_type.bits))
                        if place
                        else bits
                    )
                    self.write(element, self.cast(moved, element_type))
            case _:
                raise NotKnown

    def width(self, part: Part) -> int:
        """Return the width in bits of a register that can be written to; 0 for any other name or operand."""
        name = self.owner.aliases.get(part.text, part.text) if isinstance(part, Name) else ""
        return register_bits(self.owner.types[name]) if name in self.owner.types else 0

    @property
    def is_terminated(self) -> bool:
        return bool(self.lines) and self.lines[-1].opcode in ENDS

    def branch_to(self, condition: Operand | None, *targets: "_Block") -> None:
        """Unless terminated, branch (to the first target if `condition` holds) and become a predecessor of each."""
        if self.is_terminated:
            return
        labels = tuple(target.label for target in targets)
        self.add("br", VOID, () if condition is None else (condition,), {"labels": labels})
        for target in targets:
            target.predecessors.append(self)

    def merge_predecessors(self, every: Mapping[str, Type] | None) -> None:
        """Set the registers' values on entry, by a phi where they differ between predecessors.

        Args:
            every: All registers with their types if a later block branches back here: each gets a phi; else None.
        """
        for name in every or dict.fromkeys(name for block in self.predecessors for name in block.values):
            incoming = [block.value(name) for block in self.predecessors]
            if every is None and all(value == incoming[0] for value in incoming):
                self.values[name] = incoming[0]
            else:
                self.values[name] = self.merges[name] = Local(self.owner.new_name(), self.owner.types[name])

    def write_phis(self) -> None:
        """Insert a phi at the start for each register in `merges`; call it once all predecessors are known."""
        labels = {"labels": tuple(block.label for block in self.predecessors)}
        self.lines[:0] = [
            Instruction(
                "phi",
                phi.name,
                phi.type,
                tuple(block.value(name) for block in self.predecessors),
                frozenset(),
                labels,
                self.text,
                self.owner.call.location,
            )
            for name, phi in self.merges.items()
        ]

    def return_results(self, results: Sequence[str], ty: Type) -> None:
        """Add a return of the registers `results`: of void if none, of a struct if `ty` is one, else of the first."""
        if not results:
            self.add("ret", VOID, (), {})
            return
        total: Operand = self.value(results[0])
        if isinstance(ty, Struct):
            total = Undef(ty)
            for place, name in enumerate(results):
                inserted = self.add("insertvalue", ty, (total, self.value(name)), {"indices": (place,)})
                assert inserted is not None
                total = inserted
        self.add("ret", VOID, (total,), {})


class _Assembly:
    """Translates one call of inline assembly.

    Attributes:
        types: The types of the registers, by name.
        aliases: The register that a name stands for: an input operand that is tied to a result.
    """

    def __init__(self, call: Instruction, callee: Asm) -> None:
        self.call, self._name_count = call, 0
        self.kinds = [kind for kind in callee.constraints.split(",") if kind]
        outputs = [kind for kind in self.kinds if kind.startswith("=")]
        results = call.type.fields if isinstance(call.type, Struct) else (call.type,)
        self._results = [f"${number}" for number in range(len(outputs))]
        self.types: dict[str, Type] = {CARRY: Int(1), **dict(zip(self._results, results, strict=False))}
        self.aliases: dict[str, str] = {}
        self._params = tuple(Param(f"%in{place}", operand.type) for place, operand in enumerate(call.operands))
        self._arguments: dict[str, Operand] = {}
        inputs = zip(self.kinds[len(outputs) :], self._params, call.operands, strict=False)
        for number, (kind, param, operand) in enumerate(inputs, len(outputs)):
            name = f"${kind}" if kind.isdigit() else f"${number}"
            if kind.isdigit():
                self.aliases[f"${number}"] = name
            self.types.setdefault(name, param.type)
            # A constant operand is an immediate.
            self._arguments[name] = operand if isinstance(operand, Const) else Local(param.name, param.type)

    def new_name(self) -> str:
        self._name_count += 1
        return f"%{self._name_count}"

    def build_function(self, items: Sequence[Item], registers: dict[str, str]) -> Function:
        """Return the items as a function; `registers`: types by name. `Unsupported` for unknown registers and types."""
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
        current = _Block(self, "entry", values=dict(self._arguments), text=self.call.text)
        blocks = [current]

        def begin(block: _Block, again: bool = False) -> _Block:
            """Append a block, set its registers on entry, and return it; `again`: later branches lead back to it."""
            blocks.append(block)
            block.merge_predecessors(self.types if again else None)
            return block

        for number, item in enumerate(items):
            if isinstance(item, Label):
                current.branch_to(None, labels[item.name])
                later = {part.text for each in items[number:] for part in _branch_targets(each)}
                current = begin(labels[item.name], item.name in later)
                continue
            current.text = item.text
            after = _Block(self, f"after{number}")
            if item.guard is not None:
                inside = _Block(self, f"if{number}", text=item.text)
                condition = current.read(Negated(item.guard) if item.negated else item.guard, Int(1))
                current.branch_to(condition, inside, after)
                current = begin(inside)
            self._statement(current, item, labels)
            if item.guard is not None or current.is_terminated:
                current.branch_to(None, after)
                current = begin(after)
        current.text = self.call.text
        current.return_results(self._results, self.call.type)
        for block in blocks:
            block.write_phis()
        return blocks

    def _statement(self, block: _Block, item: Statement, labels: Mapping[str, _Block]) -> None:
        """Add a statement's code, without its guard, to a block. An unknown statement becomes a call that is refused
        when it runs, and writes no registers. `Unsupported` for unknown registers, and floats in place of another type.
        """
        before, values_before = len(block.lines), dict(block.values)
        try:
            if item.words[0] == "bra":
                (target,) = _branch_targets(item)
                block.branch_to(None, labels[target.text])
                return
            name = find_declared(item.words)
            if name is None:
                raise NotKnown
            work = Lowering(block, ".".join(name), item.words[len(name) :], item.operands)
            LOWERINGS[name](work)
            if work.words:
                raise NotKnown
            # Some targets lack a listed instruction even if it does nothing here: keep a site to report that at.
            if len(block.lines) == before and is_listed(item.opcode):
                block.add("call", VOID, (), {"callee": GlobalRef("@llvm.donothing", Pointer())})
        except (NotKnown, KeyError, ValueError):
            del block.lines[before:]
            block.values = values_before
            block.add("call", VOID, (), {"callee": GlobalRef(f"@assembly {item.opcode}", Pointer())})


def _branch_targets(item: Item) -> list[Name]:
    """Return the labels that a statement branches to; empty for a label, and for any statement but `bra`."""
    if isinstance(item, Label) or item.words[0] != "bra":
        return []
    return [part for part in item.operands if isinstance(part, Name)]
