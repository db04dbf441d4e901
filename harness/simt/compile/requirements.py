"""Which instructions of a kernel need what the target lacks; see `harness.simt.capabilities`."""

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
from harness.simt.compile.graph import Graph, Op, numbers_of
from harness.simt.compile.registry import find
from harness.simt.compile.segments import expanded_call
from harness.simt.gpus import Gpu
from harness.simt.ir.opcodes import scope_of
from harness.simt.ir.site import Site
from harness.simt.ir.types import Float, OtherType, Pointer, Type, bits_of, element_of, leaves
from harness.simt.targets import SimulatedTarget

__all__ = ["uses_of_lacking"]

# `air.atomic.global.max.u.i64`; the sign stands there for integers alone.
AIR_ATOMIC = re.compile(
    r"air\.atomic\.(?P<space>global|local)\.(?P<operation>[a-z.]+?)(?:\.[su])?\.(?P<type>[a-z]+\d+)"
)
SHARED = 3
DOUBLE = Float("double")
EXTREMES = {"min", "max", "minimum", "maximum", "minimumnum", "maximumnum"}
FLOATS = {"f16", "bf16", "f32", "f64"}
# These stay though nothing takes their value; compilers drop other instructions then.
EFFECTS = {"store", "atomicrmw", "cmpxchg", "fence", "call.enter", "call.leave", "call.target"}
ORDERED = {"load", "store", "atomicrmw", "cmpxchg", "fence"}
VALUE = {"store": 0, "atomicrmw": 1, "cmpxchg": 1}  # the operand with the type that is moved
SILENT = {"variable"}  # which only tells of a value


def uses_of_lacking(graph: Graph, target: SimulatedTarget) -> Mapping[Site, Use]:
    """Return the instructions that need a capability which the target lacks, one for each place of the code.

    Dead code is left out: blocks that nothing reaches, and values that nothing takes.
    """
    found: dict[Site, Use] = {}
    taken = _taken_values(graph) if target.vendor == "apple" else set()
    seen: set[tuple[object, ...]] = set()
    for block in graph.blocks:
        for op in block.ops:
            use = _use(op, target.gpu, taken)
            if use is not None:
                # A statement of assembly or a call may have become several instructions, all with its text.
                place = op.site.instruction.location, op.site.text, op.site.caller, use
                if place not in seen or not (_of_assembly(op) or expanded_call(op)):
                    found[op.site] = use
                seen.add(place)
    return found


def _use(op: Op, gpu: Gpu, taken: set[int]) -> Use | None:
    if _of_assembly(op):
        opcode = op.site.text.partition(" ")[0].rstrip(";")
        row = missing_capability(gpu, opcode, "assembly")
        return _called(op, gpu) if row is None else Use(row, opcode)
    if name := expanded_call(op):
        row = DOUBLES if gpu.vendor == "apple" and "double" in op.site.text else missing_capability(gpu, name)
        return None if row is None else Use(row, name)
    if gpu.vendor != "apple":
        return _called(op, gpu) or _with_order(op, gpu)
    if op.opcode == "call.target":
        return Use(FUNCTION_POINTERS, "")
    if (atomic := _atomic(op, gpu, taken)) is not None:
        return atomic
    if (op.result is None or op.result in taken or _has_effect(op)) and op.opcode not in SILENT and _of_doubles(op):
        return Use(DOUBLES, op.callee.removeprefix("@") if op.opcode == "call" else op.opcode)
    return _called(op, gpu)


def _of_assembly(op: Op) -> bool:
    """Whether an instruction was made of a statement of inline assembly: its text is the statement's."""
    word = op.site.text.partition(" ")[0]
    return "." in word and not word.startswith("%")


def _called(op: Op, gpu: Gpu) -> Use | None:
    name = op.callee.removeprefix("@") if op.opcode == "call" else ""
    row = missing_capability(gpu, name) if name else None
    return None if row is None else Use(row, name)


def _with_order(op: Op, gpu: Gpu) -> Use | None:
    """Return the use that is one of LLVM's own atomic instructions, as `Capability.atomics` writes them."""
    ordering = op.attrs.get("ordering") if op.opcode in ORDERED else None
    if not ordering:
        return None
    moved = op.operands[VALUE[op.opcode]].type if op.opcode in VALUE else op.type
    name = f"{op.opcode} {moved} {ordering} {scope_of(op.attrs.get('scope', ''))}"
    row = missing_capability(gpu, name, "atomics")
    return None if row is None else Use(row, f"{op.opcode} {moved} {ordering}")


def _of_doubles(op: Op) -> bool:
    return any(leaf == DOUBLE for ty in (op.type, *(value.type for value in op.operands)) for leaf in _elements(ty))


def _elements(ty: Type) -> Iterator[Type]:
    if not isinstance(ty, OtherType):
        yield from (element_of(leaf) for leaf, _ in leaves(ty))


def _atomic(op: Op, gpu: Gpu, taken: set[int]) -> Use | None:
    """Return the atomic that Metal does not have, if an instruction is one."""
    if op.opcode in ("atomicrmw", "cmpxchg"):
        pointer, value = op.operands[0].type, op.operands[1].type
        local = isinstance(pointer, Pointer) and pointer.space == SHARED
        operation = op.attrs.get("operation", op.opcode)
        row = _lacking_atomic(gpu, local, operation.lstrip("f"), isinstance(value, Float), bits_of(value))
        return None if row is None else Use(row, f"{op.opcode} {operation} {value}")
    match = AIR_ATOMIC.fullmatch(op.callee.removeprefix("@").removeprefix("llvm.")) if op.opcode == "call" else None
    if match is None:
        return None
    name, ty = match["operation"], match["type"]
    unsigned = ".u." in match[0]
    if WIDE_ATOMICS.has(gpu) and ty == "i64" and match["space"] == "global" and unsigned and op.result not in taken:
        return None
    row = _lacking_atomic(gpu, match["space"] == "local", name, ty in FLOATS, int(ty.lstrip("bfi")))
    if row is OTHER_ATOMICS and unsigned and name in ("min", "max") and not WIDE_ATOMICS.has(gpu):
        row = WIDE_ATOMICS
    return None if row is None else Use(row, match[0])


def _lacking_atomic(gpu: Gpu, local: bool, operation: str, floating: bool, bits: int) -> Capability | None:
    if bits not in (1, 32):
        return OTHER_ATOMICS
    if floating and (operation in EXTREMES or (local and operation in ("add", "sub"))):
        return FLOAT_ATOMICS
    return None


def _has_effect(op: Op) -> bool:
    if op.opcode != "call":
        return op.opcode in EFFECTS
    intrinsic = find(op.callee)
    return intrinsic is None or intrinsic.kind not in ("pure", "typed", "lanes", "ignored", "written")


def _taken_values(graph: Graph) -> set[int]:
    """Return the values that something with an effect depends on, by their numbers."""
    needs: dict[int, list[int]] = {}
    waiting: list[int] = []
    for block in graph.blocks:
        for edge in block.edges:
            for (number, _), value in zip(edge.target.phis, edge.moves, strict=True):
                needs.setdefault(number, []).extend(numbers_of((value,)))
        waiting += numbers_of((block.condition,))
        for op in block.ops:
            if op.result is not None:
                needs.setdefault(op.result, []).extend(numbers_of(op.operands))
            if _has_effect(op):
                waiting += numbers_of(op.operands)
    taken: set[int] = set()
    while waiting:
        number = waiting.pop()
        if number not in taken:
            taken.add(number)
            waiting += needs.get(number, ())
    return taken
