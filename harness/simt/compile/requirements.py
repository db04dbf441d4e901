"""Find the instructions of a kernel that need a capability that the target lacks; see `harness.simt.capabilities`."""

import re
from collections.abc import Iterator, Mapping

from harness.simt.capabilities import (
    DOUBLES,
    FLOAT_ATOMICS,
    FUNCTION_POINTERS,
    OTHER_ATOMICS,
    WIDE_ATOMICS,
    Capability,
    Use,
    missing_capability,
)
from harness.simt.compile.graph import ControlFlowGraph, Op, value_numbers
from harness.simt.compile.registry import find_intrinsic
from harness.simt.compile.segments import expanded_intrinsic
from harness.simt.gpus import Gpu
from harness.simt.ir.opcodes import scope_of
from harness.simt.ir.site import Site
from harness.simt.ir.types import Float, OtherType, Pointer, Type, bits_of, element_of, leaves
from harness.simt.targets import SimulatedTarget

__all__ = ["find_unsupported_uses"]

# `air.atomic.global.max.u.i64`; only integers have a sign letter.
AIR_ATOMIC = re.compile(
    r"air\.atomic\.(?P<space>global|local)\.(?P<operation>[a-z.]+?)(?:\.[su])?\.(?P<type>[a-z]+\d+)"
)
SHARED = 3
DOUBLE = Float("double")
EXTREMES = {"min", "max", "minimum", "maximum", "minimumnum", "maximumnum"}
FLOATS = {"f16", "bf16", "f32", "f64"}
# Instructions that are not dead code even if nothing uses their result.
EFFECTS = {"store", "atomicrmw", "cmpxchg", "fence", "call.enter", "call.leave", "call.target"}
ORDERED = {"load", "store", "atomicrmw", "cmpxchg", "fence"}
VALUE = {"store": 0, "atomicrmw": 1, "cmpxchg": 1}  # the operand that has the accessed type
SILENT = {"variable"}  # only names a value for reports


def find_unsupported_uses(graph: ControlFlowGraph, target: SimulatedTarget) -> Mapping[Site, Use]:
    """Return the instructions that need a capability that the target lacks, by site.

    Of the instructions that one statement of assembly or one expanded call became, only the first of those with equal
    `Use` is listed. On Metal, doubles whose results nothing needs do not count, except in expanded calls. Neither does
    an unsigned `min` or `max` of 64 bits in device memory if the GPU has it and nothing needs its result.
    """
    uses: dict[Site, Use] = {}
    needed = _needed_values(graph) if target.vendor == "apple" else set()
    visited: set[tuple[object, ...]] = set()
    for block in graph.blocks:
        for op in block.ops:
            use = _unsupported_use(op, target.gpu, needed)
            if use is not None:
                # One statement of assembly or one call may have become several instructions, all with its text.
                place = op.site.instruction.location, op.site.text, op.site.caller, use
                if place not in visited or not (_is_assembly(op) or expanded_intrinsic(op)):
                    uses[op.site] = use
                visited.add(place)
    return uses


def _unsupported_use(op: Op, gpu: Gpu, needed: set[int]) -> Use | None:
    """Return the first capability that an instruction needs and the GPU lacks, with the name of what needs it; or None.

    Args:
        needed: The result of `_needed_values` for Metal.
    """
    if _is_assembly(op):
        opcode = op.site.text.partition(" ")[0].rstrip(";")
        row = missing_capability(gpu, opcode, "assembly")
        return _unsupported_call(op, gpu) if row is None else Use(row, opcode)
    if name := expanded_intrinsic(op):
        row = DOUBLES if gpu.vendor == "apple" and "double" in op.site.text else missing_capability(gpu, name)
        return None if row is None else Use(row, name)
    if gpu.vendor != "apple":
        return _unsupported_call(op, gpu) or _unsupported_ordering(op, gpu)
    if op.opcode == "call.target":
        return Use(FUNCTION_POINTERS, "")
    if (atomic := _unsupported_metal_atomic(op, gpu, needed)) is not None:
        return atomic
    if (op.result is None or op.result in needed or _has_effect(op)) and op.opcode not in SILENT and _uses_doubles(op):
        return Use(DOUBLES, op.callee.removeprefix("@") if op.opcode == "call" else op.opcode)
    return _unsupported_call(op, gpu)


def _is_assembly(op: Op) -> bool:
    """Return whether an instruction was made from a statement of inline assembly.

    Its text then begins with a word that has a dot, such as `add.s32`, and is not the name of a value.
    """
    word = op.site.text.partition(" ")[0]
    return "." in word and not word.startswith("%")


def _unsupported_call(op: Op, gpu: Gpu) -> Use | None:
    name = op.callee.removeprefix("@") if op.opcode == "call" else ""
    row = missing_capability(gpu, name) if name else None
    return None if row is None else Use(row, name)


def _unsupported_ordering(op: Op, gpu: Gpu) -> Use | None:
    """Return the lacking capability that an LLVM atomic instruction needs, with opcode, type and ordering; else None.

    It is looked up by these and the scope, as `Capability.atomics` spells them.
    """
    ordering = op.attrs.get("ordering") if op.opcode in ORDERED else None
    if not ordering:
        return None
    moved = op.operands[VALUE[op.opcode]].type if op.opcode in VALUE else op.type
    name = f"{op.opcode} {moved} {ordering} {scope_of(op.attrs.get('scope', ''))}"
    row = missing_capability(gpu, name, "atomics")
    return None if row is None else Use(row, f"{op.opcode} {moved} {ordering}")


def _uses_doubles(op: Op) -> bool:
    return any(leaf == DOUBLE for ty in (op.type, *(value.type for value in op.operands)) for leaf in _elements(ty))


def _elements(ty: Type) -> Iterator[Type]:
    if not isinstance(ty, OtherType):
        yield from (element_of(leaf) for leaf, _ in leaves(ty))


def _unsupported_metal_atomic(op: Op, gpu: Gpu, needed: set[int]) -> Use | None:
    """Return the use of a lacking capability if an instruction is an atomic that Metal does not have, else None.

    An unsigned `min` or `max` of 64 bits in device memory needs a GPU that has those, and a result that nothing needs.
    """
    if op.opcode in ("atomicrmw", "cmpxchg"):
        pointer, value = op.operands[0].type, op.operands[1].type
        local = isinstance(pointer, Pointer) and pointer.space == SHARED
        operation = op.attrs.get("operation", op.opcode)
        row = _missing_atomic_capability(local, operation.lstrip("f"), isinstance(value, Float), bits_of(value))
        return None if row is None else Use(row, f"{op.opcode} {operation} {value}")
    match = AIR_ATOMIC.fullmatch(op.callee.removeprefix("@").removeprefix("llvm.")) if op.opcode == "call" else None
    if match is None:
        return None
    name, ty = match["operation"], match["type"]
    is_wide = ty == "i64" and match["space"] == "global" and ".u." in match[0] and name in ("min", "max")
    if is_wide and WIDE_ATOMICS.has(gpu) and op.result not in needed:
        return None
    row = _missing_atomic_capability(match["space"] == "local", name, ty in FLOATS, int(ty.lstrip("bfi")))
    if row is OTHER_ATOMICS and is_wide and not WIDE_ATOMICS.has(gpu):
        row = WIDE_ATOMICS
    return None if row is None else Use(row, match[0])


def _missing_atomic_capability(local: bool, operation: str, floating: bool, bits: int) -> Capability | None:
    """Return the capability that an atomic of Metal needs and no GPU of it has; None if it needs none.

    Atomics must have 1 or 32 bits. Floats have no `min` or `max`, and in shared memory (`local`) no `add` or `sub`.
    """
    if bits not in (1, 32):
        return OTHER_ATOMICS
    if floating and (operation in EXTREMES or (local and operation in ("add", "sub"))):
        return FLOAT_ATOMICS
    return None


def _has_effect(op: Op) -> bool:
    if op.opcode != "call":
        return op.opcode in EFFECTS
    intrinsic = find_intrinsic(op.callee)
    return intrinsic is None or intrinsic.kind not in ("pure", "typed", "lanes", "ignored", "emitted")


def _needed_values(graph: ControlFlowGraph) -> set[int]:
    """Return the numbers of the values that an instruction with an effect, or a branch, depends on, however
    indirectly.
    """
    needs: dict[int, list[int]] = {}
    waiting: list[int] = []
    for block in graph.blocks:
        for edge in block.edges:
            for (number, _), value in zip(edge.target.phis, edge.moves, strict=True):
                needs.setdefault(number, []).extend(value_numbers((value,)))
        waiting += value_numbers((block.condition,))
        for op in block.ops:
            if op.result is not None:
                needs.setdefault(op.result, []).extend(value_numbers(op.operands))
            if _has_effect(op):
                waiting += value_numbers(op.operands)
    needed: set[int] = set()
    while waiting:
        number = waiting.pop()
        if number not in needed:
            needed.add(number)
            waiting += needs.get(number, ())
    return needed
