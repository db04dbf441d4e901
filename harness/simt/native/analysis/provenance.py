"""Trace a pointer to its parameter (`Provenance`), then to a launch's allocation; find constant addresses and steps.

Memory is read-only if no store uses its parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from harness.simt.compile.graph import Op, Ref, Value
from harness.simt.compile.program import Program
from harness.simt.ir.module import Const, Expr, GlobalRef
from harness.simt.ir.sizes import to_signed
from harness.simt.ir.types import Pointer, leaves, leaves_of
from harness.simt.ir.values import SHIFT, base_of, step_of
from harness.simt.state.allocation import Allocation

__all__ = ["Provenance", "address_step", "fixed_addresses", "given_allocation", "provenance_of"]


class Provenance(NamedTuple):
    """The parameter that an address is computed from.

    Attributes:
        param: The value number of the parameter.
        leaf: The leaf of it that is the address.
        offset: If not None, the address is loaded from that many bytes after the one in the leaf.
    """

    param: int
    leaf: int
    offset: int | None = None


def provenance_of(program: Program, definitions: Mapping[int, Op], pointer: Value) -> Provenance | None:
    """Return the provenance of a pointer that is computed by adding to an address; None if the code does not show it.

    The address is a parameter, a leaf of one, or a value loaded at a constant offset from one. Phis and selects are not
    followed.
    """
    op = None
    while isinstance(pointer, Ref) and (op := definitions.get(pointer.number)) is not None:
        if op.opcode not in ("getelementptr", "addrspacecast"):
            break
        pointer = op.operands[0]
    if not isinstance(pointer, Ref) or not isinstance(pointer.type, Pointer):
        return None
    if op is None:
        return Provenance(pointer.number, 0) if pointer.number in dict(program.params) else None
    start, aggregate = 0, pointer
    if op.opcode == "extractvalue" and isinstance(op.operands[0], Ref):
        aggregate = op.operands[0]
        start, _ = leaves_of(aggregate.type, op.attrs["indices"])
        op = definitions.get(aggregate.number)
    if op is None:
        return Provenance(aggregate.number, start) if aggregate.number in dict(program.params) else None
    if op.opcode != "load":
        return None
    _, offset = leaves(aggregate.type)[start]
    memory = op.operands[0]
    while isinstance(memory, Ref) and (op := definitions.get(memory.number)) is not None:
        step = address_step(op)
        if step is None:
            return None
        offset, memory = offset + step, op.operands[0]
    is_param = isinstance(memory, Ref) and memory.number in dict(program.params)
    return Provenance(memory.number, 0, offset) if isinstance(memory, Ref) and is_param else None


def fixed_addresses(program: Program, definitions: Mapping[int, Op]) -> dict[int, int]:
    """Return the addresses that are constant, by the numbers of the values: `alloca` results, and constant offsets from
    local and global variables. An address of a local variable is the same for all lanes, with other memory for each.
    """
    addresses: dict[int, int | None] = {}

    def of(number: int) -> int | None:
        if number not in addresses:
            addresses[number], op = None, definitions.get(number)
            if op is not None and op.opcode == "alloca":
                addresses[number] = base_of(op.operands[0].value) if isinstance(op.operands[0], Const) else None
            elif op is not None and (step := address_step(op)) is not None:
                start = op.operands[0]
                begins = of(start.number) if isinstance(start, Ref) else _constant_address(program, start)
                addresses[number] = None if begins is None else to_signed(begins + step)
        return addresses[number]

    return {number: address for number in definitions if (address := of(number)) is not None}


def _constant_address(program: Program, pointer: Value) -> int | None:
    return program.address(pointer) if isinstance(pointer, GlobalRef | Expr) else None


def address_step(op: Op) -> int | None:
    """Return the bytes by which an instruction moves an address.

    None if it is neither `addrspacecast` (0 bytes) nor `getelementptr`, or moves it by a variable number of bytes.
    """
    if op.opcode == "addrspacecast":
        return 0
    return step_of(op.attrs["source_type"], op.operands[1:]) if op.opcode == "getelementptr" else None


def given_allocation(
    place: Provenance, parameters: Mapping[tuple[int, int], bytes], find: Callable[[int], Allocation | None]
) -> int:
    """Return the number of the allocation that an address of some provenance points into, from its high bits.

    No allocation with that number need exist. Without an offset in `place`, the parameter's leaf is the address. With
    one, the address is read there, from the allocation that `find` returns for the leaf. 0 if `find` returns None or an
    allocation that is writable or not of space `param`, if the offset is negative, or if the address has not 8 bytes.
    KeyError if the parameter has no such leaf.

    Args:
        parameters: The bytes of a launch's parameters, by value number and leaf.
        find: Returns the allocation of an address, or None.
    """
    octets = parameters[place.param, place.leaf]
    if place.offset is not None:
        memory = find(int.from_bytes(octets, "little"))
        if memory is None or memory.writable or memory.space != "param" or place.offset < 0:
            return 0
        octets = memory.data[place.offset : place.offset + 8].tobytes()
    return int.from_bytes(octets, "little") >> SHIFT if len(octets) == 8 else 0
