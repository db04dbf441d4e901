"""Find indices into Mojo's `TileTensor` and `LayoutTensor` in a function's lines; return `variable` instructions.

For a `TileTensor` a record gives the index, or one record each of its parts. The library of a `LayoutTensor` stores the
parts in memory, passes a pack of pointers to them, and names that pack at the call that asks for the element. The same
call multiplies each part by the tensor's stride, which shows the tensor: views of a tensor have its
address, but other strides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from harness.simt.ir.constants import read_typed_operand
from harness.simt.ir.debug import DebugInfo
from harness.simt.ir.lexer import Cursor
from harness.simt.ir.module import Instruction, SourceVariable
from harness.simt.ir.types import OtherType, Type

__all__ = ["find_indices"]

_LAYOUT, _PACK = "layout/tile_layout.mojo", "builtin/variadics.mojo"  # source files of the libraries that take an index
_RECORD = re.compile(
    r"#dbg_value\((?P<operand>.+), !(?P<variable>\d+), "
    r"!DIExpression\((?:DW_OP_LLVM_fragment, (?P<bit>\d+), \d+)?\), !(?P<at>\d+)\)"
)
_UNKNOWN = re.compile(r"\b(undef|poison)\b")
_STORED = re.compile(r"store (?P<operand>\w+ [^,]+), ptr (?P<pointer>%[\w.]+),")
_JOINED = re.compile(
    r"(?P<pack>%[\w.]+) = insertvalue \{ ptr(?:, ptr)* \} (?P<before>[%\w.]+), ptr (?P<pointer>%[\w.]+), \d+"
)
_STRIDE = re.compile(r"(?P<stride>%[\w.]+) = extractvalue .+ (?P<value>%[\w.]+), 1, 1, (?P<dimension>\d+), !dbg")
_SAME = re.compile(r"(?P<value>%[\w.]+) = (?:load|sext|trunc) .*?(?P<of>%[\w.]+)")
_MULTIPLIED = re.compile(r"%[\w.]+ = mul i64 (?P<part>%[\w.]+), (?P<stride>%[\w.]+), !dbg !(?P<at>\d+)")


class _Index(NamedTuple):
    """An index: its last record, the array's shape, its parts, and the number of the record's location."""

    line: str
    variable: SourceVariable
    parts: tuple[str, ...]
    at: int


def find_indices(lines: Sequence[str], named_types: Mapping[str, Type], debug: DebugInfo) -> dict[str, Instruction]:
    """Return an instruction `variable` for each index into an array, by the stripped line of its last debug record.

    Its operands are the parts of the index, in the order of the dimensions; its attribute `variable` has the array's
    shape. Indices into arrays whose shape is not recorded, and indices with a part that is `undef` or `poison`, are
    left out. DecodeError or Unsupported if a part cannot be read.

    Args:
        lines: Of a function.
        named_types: The module's named types.
        debug: The module's debug information.
    """
    lines = [line.strip() for line in lines]
    indices = {index.line: index for index in (*_of_tiles(lines, debug), *_of_tensors(lines, debug))}
    return {
        line: Instruction(
            "variable",
            None,
            OtherType("void"),
            tuple(read_typed_operand(Cursor(part, named_types)) for part in index.parts),
            frozenset(),
            {"variable": index.variable},
            line,
            debug.locate(index.at),
        )
        for line, index in indices.items()
        if index.variable.shape and not any(map(_UNKNOWN.search, index.parts))
    }


def _of_tiles(lines: Sequence[str], debug: DebugInfo) -> Iterator[_Index]:
    """Yield the indices into `TileTensor`s that debug records among a function's stripped lines give.

    A record of a whole index, or of its first part, begins an index; each record of a later part at the same location
    adds its part. The variable's shape is empty if it is not recorded; such an index is yielded, too.
    """
    open_: dict[int, _Index] = {}  # by location: the index that later records may extend
    for line in lines:
        match = _RECORD.match(line)
        variable = debug.variable(int(match["variable"])) if match else None
        if not match or not variable or variable.name != "index" or not variable.file.endswith(_LAYOUT):
            continue
        location = int(match["at"])
        before = open_.pop(location, None)
        if match["bit"] in (None, "0"):
            if before:
                yield before
            before = _Index(line, replace(variable, shape=debug.shape(int(match["variable"]))), (), location)
        if before:
            open_[location] = before._replace(line=line, parts=(*before.parts, match["operand"]))
    yield from open_.values()


def _of_tensors(lines: Sequence[str], debug: DebugInfo) -> Iterator[_Index]:
    """Yield the indices into `LayoutTensor`s that a function's stripped lines compute.

    The variable of each is called `index` and has the tensor's shape. An index counts if the strides that multiply it
    are those of a tensor whose shape is known. Of each pack, a struct of pointers to an index's parts, only the first
    record counts.
    """
    shapes: dict[str, tuple[int, ...]] = {}  # of tensors, by value
    stored: dict[str, str] = {}  # what lies in memory, by pointer
    packs: dict[str, tuple[tuple[str, str], ...]] = {}  # the parts of indices, with the pointers to them
    candidates: dict[str, tuple[int, _Index]] = {}  # by pack: the call that asks for the element
    for line in lines:
        if match := _RECORD.match(line):
            value, number, location = match["operand"].rpartition(" ")[2], int(match["variable"]), int(match["at"])
            variable, caller = debug.variable(number), debug.caller(location)
            if shape := debug.tensor(number):
                shapes[value] = shape
            elif variable and caller is not None and value in packs and variable.file.endswith(_PACK):
                operands = tuple(operand for _, operand in packs[value])
                candidates.setdefault(value, (caller, _Index(line, variable, operands, location)))
        elif match := _STORED.match(line):
            stored[match["pointer"]] = match["operand"]
        elif (match := _JOINED.match(line)) and match["pointer"] in stored:
            packs[match["pack"]] = (*packs.get(match["before"], ()), (match["pointer"], stored[match["pointer"]]))
    scaled = _tensors_by_index(lines) if candidates else {}
    for pack, (caller, index) in candidates.items():
        tensor = scaled.get((caller, tuple(pointer for pointer, _ in packs[pack])), "")
        if tensor in shapes:
            yield index._replace(variable=replace(index.variable, name="index", shape=shapes[tensor]))


def _tensors_by_index(lines: Sequence[str]) -> dict[tuple[int, tuple[str, ...]], str]:
    """Return {(location, pointers to the parts of an index): value name of the tensor whose strides multiply them}.

    The parts are in the order of the dimensions; a product out of this order is ignored. The location is the number of
    a `DILocation`. The lines are stripped.
    """
    sources: dict[str, str] = {}  # what a value was made from
    strides: dict[str, tuple[str, int]] = {}  # (tensor, dimension) of each stride
    parts_by_tensor: dict[tuple[int, str], list[str]] = {}  # by location and tensor: the parts, if they are in order
    for line in lines:
        if match := _SAME.match(line):
            sources[match["value"]] = sources.get(match["of"], match["of"])
        elif match := _STRIDE.match(line):
            strides[match["stride"]] = match["value"], int(match["dimension"])
        elif match := _MULTIPLIED.match(line):
            part, stride = (sources.get(match[name], match[name]) for name in ("part", "stride"))
            tensor, dimension = strides.get(stride, ("", 0))
            ordered_parts = parts_by_tensor.setdefault((int(match["at"]), tensor), [])
            if len(ordered_parts) == dimension:
                ordered_parts.append(part)
    return {
        (location, tuple(ordered_parts)): tensor
        for (location, tensor), ordered_parts in parts_by_tensor.items()
        if tensor
    }
