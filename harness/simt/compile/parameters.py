"""What a kernel does with its parameters, as far as its code says: which types it reads, which memory it changes.

A pointer is followed from the parameter through address arithmetic, casts, phis and structs in registers to the loads
and stores. Where it goes elsewhere (into memory, a call, an integer) nothing is concluded.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from harness.simt.compile.graph import Graph, Op, Ref, Value
from harness.simt.ir.module import Function, Local
from harness.simt.ir.types import Array, Pointer, Struct, Type, Vector, field_offset, leaves, member, size_of
from harness.simt.ir.values import step_of

__all__ = ["Uses", "passed_in_memory", "uses_of"]

# `memory`: the address of the parameter's own bytes; `array`: what a pointer of it points to; `value`: a struct or
# array of it in registers.
Kind = Literal["memory", "array", "value"]
# With the parameter's position and the place in it, in bytes, or None where that is not constant.
Origin = tuple[Kind, int, int | None]
Origins = frozenset[Origin]
Place = tuple[int, int]

NONE: Origins = frozenset()
SAME = ("addrspacecast", "bitcast", "freeze")


@dataclass
class Uses:
    """What a kernel does with its parameters.

    Attributes:
        elements: The scalar types that are read and written through a pointer, by (position, place in the parameter).
        unknown: Positions of parameters of which a pointer goes where it is not followed.
        changed: Positions of parameters in memory that the kernel may store to.
    """

    elements: dict[Place, set[Type]] = field(default_factory=lambda: defaultdict(set))
    unknown: set[int] = field(default_factory=set)
    changed: set[int] = field(default_factory=set)


def passed_in_memory(function: Function) -> tuple[Type | None, ...]:
    """For each parameter the type of what lies in memory where it points, or None where it is a value.

    `byval` and `byref` say it. Metal passes every struct by address, a plain pointer and what a closure holds too, and
    does not say so: there a kernel that loads a struct or a pointer from a parameter has it in memory.
    """
    read = _read(function) if function.attributes.get("metal.kernel") == "true" else {}
    return tuple(
        read.get(param.name) if param.indirect is None and isinstance(param.type, Pointer) else param.indirect
        for param in function.params
    )


def _read(function: Function) -> dict[str, Type]:
    """By parameter the struct or pointer that is loaded from it, whole or part by part."""
    places: dict[str, tuple[str, int]] = {param.name: (param.name, 0) for param in function.params}
    loads: dict[str, dict[int, Type]] = defaultdict(dict)
    for block in function.blocks:
        for instruction in block.instructions:
            address = instruction.operands[0] if instruction.operands else None
            if not isinstance(address, Local) or address.name not in places:
                continue
            name, place = places[address.name]
            if instruction.opcode == "load":
                loads[name].setdefault(place, instruction.type)
            elif instruction.opcode == "getelementptr" and instruction.name is not None:
                step = step_of(instruction.attrs["source_type"], instruction.operands[1:])
                if step is not None:
                    places[instruction.name] = name, place + step
    return {name: whole for name, parts in loads.items() if (whole := _whole(parts)) is not None}


def _whole(parts: Mapping[int, Type]) -> Type | None:
    """The type of which parts were loaded, by place; None where they are but elements of an array."""
    if not any(isinstance(part, Struct | Pointer) for part in parts.values()):
        return None
    first = parts.get(0)
    if isinstance(first, Struct) or len(parts) == 1:
        return first if isinstance(first, Struct | Pointer) else None
    fields = Struct(tuple(parts[place] for place in sorted(parts)))
    laid_out = [field_offset(fields, index) for index in range(len(parts))] == sorted(parts)
    return fields if laid_out else first if isinstance(first, Pointer) else None


def uses_of(graph: Graph, passed: Sequence[Type | None]) -> Uses:
    """What a kernel does with its parameters, of which some are passed in memory."""
    origins: dict[int, Origins] = {}
    for position, (ref, in_memory) in enumerate(zip(graph.params, passed, strict=True)):
        kind: Kind | None = "memory" if in_memory else _kind(ref.type)
        if kind:
            origins[ref.number] = frozenset([(kind, position, 0)])
    while _spread(graph, origins):
        pass
    uses = Uses()
    for block in graph.blocks:
        for op in block.ops:
            _note(uses, op, origins)
    return uses


def _of(operand: Value, origins: Mapping[int, Origins]) -> Origins:
    return origins.get(operand.number, NONE) if isinstance(operand, Ref) else NONE


def _spread(graph: Graph, origins: dict[int, Origins]) -> bool:
    """Takes each origin one step further; False when nothing was new."""
    changed = False

    def add(number: int | None, new: Origins) -> None:
        nonlocal changed
        if number is not None and new - origins.get(number, NONE):
            origins[number] = origins.get(number, NONE) | new
            changed = True

    for block in graph.blocks:
        for op in block.ops:
            add(op.result, _result(op, origins))
        for edge in block.edges:
            for (number, _), operand in zip(edge.target.phis, edge.moves, strict=True):
                add(number, _of(operand, origins))
    return changed


def _result(op: Op, origins: Mapping[int, Origins]) -> Origins:
    match op.opcode:
        case "getelementptr":
            step = step_of(op.attrs["source_type"], op.operands[1:])
            return frozenset(
                (kind, position, place if kind == "array" else _plus(place, step))
                for kind, position, place in _of(op.operands[0], origins)
            )
        case "select":
            return _of(op.operands[1], origins) | _of(op.operands[2], origins)
        case "load":
            loaded = _kind(op.type)
            memory = (origin for origin in _of(op.operands[0], origins) if origin[0] == "memory")
            return frozenset((loaded, position, place) for _, position, place in memory) if loaded else NONE
        case "extractvalue":
            place, ty = 0, op.operands[0].type
            for index in op.attrs["indices"]:
                place += field_offset(ty, index) if isinstance(ty, Struct) else index * size_of(member(ty, 0))
                ty = member(ty, index)
            taken, whole = _kind(ty), _of(op.operands[0], origins)
            return frozenset((taken, position, _plus(at, place)) for _, position, at in whole) if taken else NONE
        case opcode if opcode in SAME:
            return _of(op.operands[0], origins)
    return NONE


def _kind(ty: Type) -> Kind | None:
    """What a part of a parameter is, once it is in a register; None for a number."""
    if isinstance(ty, Pointer):
        return "array"
    return "value" if isinstance(ty, Struct | Array) else None


def _plus(place: int | None, step: int | None) -> int | None:
    return None if place is None or step is None else place + step


def _note(uses: Uses, op: Op, origins: Mapping[int, Origins]) -> None:
    """What an instruction does at the addresses that it is given."""
    match op.opcode:
        case "load":
            _access(uses, _of(op.operands[0], origins), op.type, stores=False)
        case "store":
            value, pointer = op.operands
            _lose(uses, _of(value, origins))
            _access(uses, _of(pointer, origins), value.type, stores=True)
        case "atomicrmw" | "cmpxchg":
            pointer, *values = op.operands
            for value in values:
                _lose(uses, _of(value, origins))
            _access(uses, _of(pointer, origins), values[0].type, stores=True)
        case "getelementptr" | "select" | "extractvalue" | "icmp" | "alloca" | "variable":
            pass
        case opcode if opcode in SAME:
            pass
        case _:
            for operand in op.operands:
                _lose(uses, _of(operand, origins))


def _access(uses: Uses, origins: Origins, ty: Type, *, stores: bool) -> None:
    for kind, position, place in origins:
        if kind == "array" and place is not None:
            uses.elements[position, place].update(_scalars(ty))
        elif kind == "memory" and stores:
            uses.changed.add(position)
        elif place is None and _has_pointer(ty):
            uses.unknown.add(position)


def _lose(uses: Uses, origins: Origins) -> None:
    for kind, position, _ in origins:
        uses.unknown.add(position)
        if kind == "memory":
            uses.changed.add(position)


def _scalars(ty: Type) -> Iterator[Type]:
    for part, _ in leaves(ty):
        yield part.element if isinstance(part, Vector) else part


def _has_pointer(ty: Type) -> bool:
    return any(isinstance(part, Pointer) for part, _ in leaves(ty))
