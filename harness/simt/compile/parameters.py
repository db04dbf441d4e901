"""Analyse which types a kernel accesses through its parameters, and which parameters in memory it changes.

A pointer is traced from the parameter through address arithmetic, casts, phis and structs in registers to the loads
and stores. If it goes elsewhere (into memory, a call, an integer), its uses count as unknown.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from harness.simt.compile.graph import ControlFlowGraph, Op, Ref, Value
from harness.simt.ir.module import Function, Local
from harness.simt.ir.types import Array, Pointer, Struct, Type, Vector, field_offset, leaves, member, size_of
from harness.simt.ir.values import step_of

__all__ = ["ParameterUses", "analyse_uses", "types_in_memory"]

# What a value derived from a parameter is. `memory`: an address of the parameter's own bytes; `array`: a pointer that
# the parameter holds; `value`: a struct or an array in registers.
Kind = Literal["memory", "array", "value"]
# (kind, position of the parameter, offset in it in bytes or None if it is not constant).
Origin = tuple[Kind, int, int | None]
Origins = frozenset[Origin]
Place = tuple[int, int]

NONE: Origins = frozenset()
UNCHANGED = ("addrspacecast", "bitcast", "freeze")


@dataclass
class ParameterUses:
    """The types that a kernel accesses through its parameters, and the parameters that it changes.

    Attributes:
        elements: The scalar types that are read and written through a pointer, by (position, offset in the parameter).
        unknown: Positions of parameters with a pointer that could not be traced.
        changed: Positions of parameters in memory that the kernel may store to.
    """

    elements: dict[Place, set[Type]] = field(default_factory=lambda: defaultdict(set))
    unknown: set[int] = field(default_factory=set)
    changed: set[int] = field(default_factory=set)


def types_in_memory(function: Function) -> tuple[Type | None, ...]:
    """Return for each parameter that is passed in memory its type there; None for one passed as a value.

    A pointer to a caller's array is a value.

    `byval` and `byref` attributes give it. Metal passes structs, plain pointers and closures by address without such an
    attribute: there a parameter lies in memory if the kernel loads a struct or a pointer from it.
    """
    read = _types_loaded_from(function) if function.attributes.get("metal.kernel") == "true" else {}
    return tuple(
        read.get(param.name) if param.indirect is None and isinstance(param.type, Pointer) else param.indirect
        for param in function.params
    )


def _types_loaded_from(function: Function) -> dict[str, Type]:
    """Return, by parameter name, the struct or pointer type that is loaded from a parameter, whole or field by field.

    Only loads from the parameter itself, or at a constant offset from it, count. `_combined_type` makes one type of
    theirs; a parameter without such a type is left out.
    """
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
    return {name: combined for name, types in loads.items() if (combined := _combined_type(types)) is not None}


def _combined_type(types: Mapping[int, Type]) -> Type | None:
    """Return the type of which parts were loaded, given the first type loaded at each offset.

    It is a struct loaded from offset 0, or the pointer loaded from there and from nowhere else; else a struct of the
    loaded types if these lie as its fields would; else the pointer at offset 0. None if there is none of these, or
    neither a struct nor a pointer was loaded: then they are elements of an array.
    """
    if not any(isinstance(type_, Struct | Pointer) for type_ in types.values()):
        return None
    first = types.get(0)
    if isinstance(first, Struct) or len(types) == 1:
        return first if isinstance(first, Struct | Pointer) else None
    fields = Struct(tuple(types[place] for place in sorted(types)))
    laid_out = [field_offset(fields, index) for index in range(len(types))] == sorted(types)
    return fields if laid_out else first if isinstance(first, Pointer) else None


def analyse_uses(graph: ControlFlowGraph, passed: Sequence[Type | None]) -> ParameterUses:
    """Analyse which types a kernel accesses through pointers that its parameters hold, and what it changes.

    Pointers that cannot be traced are in `ParameterUses.unknown`. The graph does not change.

    Args:
        passed: The result of `types_in_memory`.
    """
    origins: dict[int, Origins] = {}
    for position, (ref, in_memory) in enumerate(zip(graph.params, passed, strict=True)):
        kind: Kind | None = "memory" if in_memory else _kind_of(ref.type)
        if kind:
            origins[ref.number] = frozenset([(kind, position, 0)])
    while _propagate(graph, origins):
        pass
    uses = ParameterUses()
    for block in graph.blocks:
        for op in block.ops:
            _record_uses(uses, op, origins)
    return uses


def _origins_of(operand: Value, origins: Mapping[int, Origins]) -> Origins:
    return origins.get(operand.number, NONE) if isinstance(operand, Ref) else NONE


def _propagate(graph: ControlFlowGraph, origins: dict[int, Origins]) -> bool:
    """Add to `origins` what one step through all instructions and phis gives; return whether that is anything new."""
    changed = False

    def add(number: int | None, new: Origins) -> None:
        nonlocal changed
        if number is not None and new - origins.get(number, NONE):
            origins[number] = origins.get(number, NONE) | new
            changed = True

    for block in graph.blocks:
        for op in block.ops:
            add(op.result, _result_origins(op, origins))
        for edge in block.edges:
            for (number, _), operand in zip(edge.target.phis, edge.moves, strict=True):
                add(number, _origins_of(operand, origins))
    return changed


def _result_origins(op: Op, origins: Mapping[int, Origins]) -> Origins:
    match op.opcode:
        case "getelementptr":
            step = step_of(op.attrs["source_type"], op.operands[1:])
            return frozenset(
                (kind, position, place if kind == "array" else _add_offset(place, step))
                for kind, position, place in _origins_of(op.operands[0], origins)
            )
        case "select":
            return _origins_of(op.operands[1], origins) | _origins_of(op.operands[2], origins)
        case "load":
            loaded = _kind_of(op.type)
            memory = (origin for origin in _origins_of(op.operands[0], origins) if origin[0] == "memory")
            return frozenset((loaded, position, place) for _, position, place in memory) if loaded else NONE
        case "extractvalue":
            place, ty = 0, op.operands[0].type
            for index in op.attrs["indices"]:
                place += field_offset(ty, index) if isinstance(ty, Struct) else index * size_of(member(ty, 0))
                ty = member(ty, index)
            field_kind, origins_of_struct = _kind_of(ty), _origins_of(op.operands[0], origins)
            return (
                frozenset((field_kind, position, _add_offset(at, place)) for _, position, at in origins_of_struct)
                if field_kind
                else NONE
            )
        case opcode if opcode in UNCHANGED:
            return _origins_of(op.operands[0], origins)
    return NONE


def _kind_of(ty: Type) -> Kind | None:
    """Return the `Kind` of a value of a type in a register: `array` for a pointer, `value` for a struct or an array."""
    if isinstance(ty, Pointer):
        return "array"
    return "value" if isinstance(ty, Struct | Array) else None


def _add_offset(place: int | None, step: int | None) -> int | None:
    return None if place is None or step is None else place + step


def _record_uses(uses: ParameterUses, op: Op, origins: Mapping[int, Origins]) -> None:
    """Add to `uses` what an instruction does at its addresses, and which pointers can no longer be traced after it."""
    match op.opcode:
        case "load":
            _record_access(uses, _origins_of(op.operands[0], origins), op.type, stores=False)
        case "store":
            value, pointer = op.operands
            _record_escape(uses, _origins_of(value, origins))
            _record_access(uses, _origins_of(pointer, origins), value.type, stores=True)
        case "atomicrmw" | "cmpxchg":
            pointer, *values = op.operands
            for value in values:
                _record_escape(uses, _origins_of(value, origins))
            _record_access(uses, _origins_of(pointer, origins), values[0].type, stores=True)
        case "getelementptr" | "select" | "extractvalue" | "icmp" | "alloca" | "variable":
            pass
        case opcode if opcode in UNCHANGED:
            pass
        case _:
            for operand in op.operands:
                _record_escape(uses, _origins_of(operand, origins))


def _record_access(uses: ParameterUses, origins: Origins, ty: Type, *, stores: bool) -> None:
    for kind, position, place in origins:
        if kind == "array" and place is not None:
            uses.elements[position, place].update(_scalars(ty))
        elif kind == "memory" and stores:
            uses.changed.add(position)
        elif place is None and _has_pointer(ty):
            uses.unknown.add(position)


def _record_escape(uses: ParameterUses, origins: Origins) -> None:
    for kind, position, _ in origins:
        uses.unknown.add(position)
        if kind == "memory":
            uses.changed.add(position)


def _scalars(ty: Type) -> Iterator[Type]:
    for part, _ in leaves(ty):
        yield part.element if isinstance(part, Vector) else part


def _has_pointer(ty: Type) -> bool:
    return any(isinstance(part, Pointer) for part, _ in leaves(ty))
