"""Choose the source lines that are steps of a recording: with an effect, no signature; read float bits as floats."""

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

__all__ = ["Line", "SegmentLines", "SourceLines", "is_pointer"]

Line: TypeAlias = tuple[str, int]  # a file and a number
_FLOATS: dict[Type, np.dtype[Any]] = {Float("float"): np.dtype("f4"), Float("double"): np.dtype("f8")}
# Intrinsics without an effect of their own.
EFFECT_FREE_KINDS = ("pure", "typed", "lanes", "ignored")


def is_pointer(ty: Type) -> bool:
    """Return whether a value of this type is only a pointer, perhaps alone in structs."""
    type_leaves = leaves(ty)
    return len(type_leaves) == 1 and isinstance(type_leaves[0][0], Pointer)


@dataclass(slots=True)
class SegmentLines:
    """The lines of a segment, in the order in which they run.

    Attributes:
        lines: The steps.
        last_line: For each instruction, by its site's number, the index of the last step that has begun there; -1
            before the first.
    """

    lines: list[Line] = field(default_factory=list)
    last_line: dict[int, int] = field(default_factory=dict)


class SourceLines:
    """The steps of a kernel's segments.

    A line is a step if an instruction of it has an effect: the compiler often moves arithmetic elsewhere,
    out of loops for instance. A function's signature, which unpacks the arguments, is no step.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._by_segment: dict[int, SegmentLines] = {}
        ops = [op for segment in program.segments for op in segment.ops]
        self._private = {op.result for op in ops if op.opcode == "alloca"}
        variables = [op.attrs["variable"] for op in ops if op.opcode == "variable"]
        self._signature = {(var.file, var.line) for var in variables if var.parameter and not var.shape}
        if place := program.function.location:
            self._signature.add((place.file, place.line))
        casts = [op for op in ops if op.opcode == "bitcast" and op.type in _FLOATS]
        self._floats = {number: _FLOATS[op.type] for op in casts for number in value_numbers(op.operands)}
        self._results = {op.site.index: op.result for op in ops if op.result is not None}

    def reinterpret_floats(self, site: Site, values: Array) -> Array:
        """Return an instruction's integers as floats if the kernel uses the bits of its result as floats.

        All other values are returned unchanged, also those of another size or with several elements for a lane.
        """
        dtype = self._floats.get(self._results.get(site.index, -1))
        if dtype is None or values.ndim > 1 or values.dtype.kind not in "iu" or values.itemsize != dtype.itemsize:
            return values
        return np.ascontiguousarray(values).view(dtype)

    def line(self, site: Site) -> Line | None:
        """Return the line of an instruction; None for a library's, a signature's, and if it is not known."""
        source = site.source
        if source is None or not source.line or source.file.startswith(LIBRARY_PREFIXES):
            return None
        line = source.file, source.line
        return None if line in self._signature else line

    def lines_of(self, number: int) -> SegmentLines:
        """Return the lines of a segment that are steps, given its number; computed at the first call."""
        lines = self._by_segment.get(number)
        if lines is None:
            lines = self._by_segment[number] = self._make_lines(self._program.segments[number])
        return lines

    def _make_lines(self, segment: Segment) -> SegmentLines:
        segment_lines = SegmentLines()
        with_effect = {site.index for site in self._sites_with_effect(segment)}
        for site in [*(op.site for op in segment.ops), *([segment.site] if segment.site else [])]:
            line = self.line(site) if site.index in with_effect else None
            if line is not None and (not segment_lines.lines or segment_lines.lines[-1] != line):
                segment_lines.lines.append(line)
            segment_lines.last_line[site.index] = len(segment_lines.lines) - 1
        return segment_lines

    def _sites_with_effect(self, segment: Segment) -> Iterator[Site]:
        """Yield the instructions with an effect: accesses, and calls of known intrinsics that do not only compute.

        Accesses to private variables, and loads of structs, have none. Values of local variables in the source have
        one, and so have branches, switches and `unreachable`.
        """
        for op in segment.ops:
            if op.opcode == "variable":
                if _is_local(op):
                    yield op.site
            elif op.opcode == "call":
                intrinsic = find_intrinsic(op.callee)
                if intrinsic is not None and intrinsic.kind not in EFFECT_FREE_KINDS:
                    yield op.site
            elif op.opcode in OPCODES:
                pointer = op.operands[OPCODES[op.opcode][0].operand]
                local = isinstance(pointer, Ref) and pointer.number in self._private
                if not local and not isinstance(op.type, Struct):  # a struct: an argument that is unpacked
                    yield op.site
        if segment.site is not None and segment.term in ("branch", "switch", "unreachable"):
            yield segment.site


def _is_local(op: Op) -> bool:
    """Return whether a variable is a local one with a value to show: no parameter, index or pointer."""
    variable = op.attrs["variable"]
    return not (variable.parameter or variable.shape or is_pointer(op.operands[0].type))
