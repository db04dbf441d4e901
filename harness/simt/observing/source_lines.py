"""Which lines of the source a kernel's instructions are steps of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.graph import Op, Ref, value_numbers
from harness.simt.compile.program import Program
from harness.simt.compile.registry import OPCODES, find_intrinsic
from harness.simt.compile.segments import Segment
from harness.simt.findings import LIBRARY_PREFIXES
from harness.simt.ir.site import Site
from harness.simt.ir.types import Float, Pointer, Struct, Type, leaves

__all__ = ["Line", "Plan", "SourceLines", "is_pointer"]

Line: TypeAlias = tuple[str, int]  # a file and a number
_FLOATS: dict[Type, np.dtype[Any]] = {Float("float"): np.dtype("f4"), Float("double"): np.dtype("f8")}
# Intrinsics without an effect of their own.
QUIET = ("pure", "typed", "lanes", "ignored")


def is_pointer(ty: Type) -> bool:
    """Whether a value is nothing but a pointer, alone in structs perhaps."""
    parts = leaves(ty)
    return len(parts) == 1 and isinstance(parts[0][0], Pointer)


@dataclass(slots=True)
class Plan:
    """The lines of a segment, in the order in which they run.

    Attributes:
        lines: The steps.
        place: For each instruction, by its site's number, the last step that has begun there; -1 before the first.
    """

    lines: list[Line] = field(default_factory=list)
    place: dict[int, int] = field(default_factory=dict)


class SourceLines:
    """The steps of a kernel's segments.

    A line is a step where an instruction of it has an effect: arithmetic alone is often moved elsewhere by the
    compiler, out of loops for instance. What a signature does, unpacking the arguments, is no step.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._plans: dict[int, Plan] = {}
        every = [op for segment in program.segments for op in segment.ops]
        self._private = {op.result for op in every if op.opcode == "alloca"}
        variables = [op.attrs["variable"] for op in every if op.opcode == "variable"]
        self._signature = {(var.file, var.line) for var in variables if var.parameter and not var.shape}
        if place := program.function.location:
            self._signature.add((place.file, place.line))
        casts = [op for op in every if op.opcode == "bitcast" and op.type in _FLOATS]
        self._floats = {number: _FLOATS[op.type] for op in casts for number in value_numbers(op.operands)}
        self._results = {op.site.index: op.result for op in every if op.result is not None}

    def as_used(self, site: Site, values: Array) -> Array:
        """Return what an instruction hands over as floats if the kernel takes the bits of its result for floats."""
        dtype = self._floats.get(self._results.get(site.index, -1))
        if dtype is None or values.ndim > 1 or values.dtype.kind not in "iu" or values.itemsize != dtype.itemsize:
            return values
        return np.ascontiguousarray(values).view(dtype)

    def line(self, site: Site) -> Line | None:
        """The line of an instruction, or None for a library's, a signature's, and where it is not known."""
        source = site.source
        if source is None or not source.line or source.file.startswith(LIBRARY_PREFIXES):
            return None
        line = source.file, source.line
        return None if line in self._signature else line

    def plan(self, number: int) -> Plan:
        """The steps of a segment."""
        plan = self._plans.get(number)
        if plan is None:
            plan = self._plans[number] = self._made(self._program.segments[number])
        return plan

    def _made(self, segment: Segment) -> Plan:
        plan = Plan()
        telling = {site.index for site in self._telling(segment)}
        for site in [*(op.site for op in segment.ops), *([segment.site] if segment.site else [])]:
            line = self.line(site) if site.index in telling else None
            if line is not None and (not plan.lines or plan.lines[-1] != line):
                plan.lines.append(line)
            plan.place[site.index] = len(plan.lines) - 1
        return plan

    def _telling(self, segment: Segment) -> Iterator[Site]:
        """The instructions that have an effect."""
        for op in segment.ops:
            if op.opcode == "variable":
                if _is_local(op):
                    yield op.site
            elif op.opcode == "call":
                intrinsic = find_intrinsic(op.callee)
                if intrinsic is not None and intrinsic.kind not in QUIET:
                    yield op.site
            elif op.opcode in OPCODES:
                pointer = op.operands[OPCODES[op.opcode][0].operand]
                local = isinstance(pointer, Ref) and pointer.number in self._private
                if not local and not isinstance(op.type, Struct):  # a struct: an argument that is unpacked
                    yield op.site
        if segment.site is not None and segment.term in ("branch", "switch", "unreachable"):
            yield segment.site


def _is_local(op: Op) -> bool:
    """Whether a variable is one that the source gives a value, and no parameter or index."""
    variable = op.attrs["variable"]
    return not (variable.parameter or variable.shape or is_pointer(op.operands[0].type))
