"""The indices that arrays get, out of a function's debug records.

Of a `TileTensor` a record tells the index, or one record each of its parts. The library of a `LayoutTensor` puts the
parts into memory, hands on a pack of pointers to them, and names that pack at the place that asks for the element; of
which tensor says the same place, where it multiplies each part by the tensor's stride: views of a tensor have its
address, but other strides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from harness.simt.ir.constants import typed_operand
from harness.simt.ir.debug import DebugInfo
from harness.simt.ir.lexer import Cursor
from harness.simt.ir.module import Instruction, SourceVariable
from harness.simt.ir.types import Other, Type

__all__ = ["indices"]

_LAYOUT, _PACK = "layout/tile_layout.mojo", "builtin/variadics.mojo"  # where libraries take an index
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
_SCALED = re.compile(r"%[\w.]+ = mul i64 (?P<part>%[\w.]+), (?P<stride>%[\w.]+), !dbg !(?P<at>\d+)")


class _Index(NamedTuple):
    """An index: the last record of it, the array's shape, its parts, the number of the record's place."""

    line: str
    variable: SourceVariable
    parts: tuple[str, ...]
    at: int


def indices(lines: Sequence[str], named: Mapping[str, Type], debug: DebugInfo) -> dict[str, Instruction]:
    """By its debug record, an instruction `variable` that tells an index and the array's shape.

    Args:
        lines: Of a function.
        named: The module's named types.
        debug: The module's debug information.
    """
    lines = [line.strip() for line in lines]
    found = {index.line: index for index in (*_of_tiles(lines, debug), *_of_tensors(lines, debug))}
    return {
        line: Instruction(
            "variable",
            None,
            Other("void"),
            tuple(typed_operand(Cursor(part, named)) for part in index.parts),
            frozenset(),
            {"variable": index.variable},
            line,
            debug.locate(index.at),
        )
        for line, index in found.items()
        if index.variable.shape and not any(map(_UNKNOWN.search, index.parts))
    }


def _of_tiles(lines: Sequence[str], debug: DebugInfo) -> Iterator[_Index]:
    open_: dict[int, _Index] = {}  # by place: that of which parts may follow
    for line in lines:
        match = _RECORD.match(line)
        variable = debug.variable(int(match["variable"])) if match else None
        if not match or not variable or variable.name != "index" or not variable.file.endswith(_LAYOUT):
            continue
        at = int(match["at"])
        before = open_.pop(at, None)
        if match["bit"] in (None, "0"):
            if before:
                yield before
            before = _Index(line, replace(variable, shape=debug.shape(int(match["variable"]))), (), at)
        if before:
            open_[at] = before._replace(line=line, parts=(*before.parts, match["operand"]))
    yield from open_.values()


def _of_tensors(lines: Sequence[str], debug: DebugInfo) -> Iterator[_Index]:
    shapes: dict[str, tuple[int, ...]] = {}  # of tensors, by value
    held: dict[str, str] = {}  # what lies in memory, by pointer
    packs: dict[str, tuple[tuple[str, str], ...]] = {}  # the parts of indices, behind pointers to them
    found: dict[str, tuple[int, _Index]] = {}  # by pack, which is named for each part: the place that asks
    for line in lines:
        if match := _RECORD.match(line):
            value, number, at = match["operand"].rpartition(" ")[2], int(match["variable"]), int(match["at"])
            variable, place = debug.variable(number), debug.caller(at)
            if shape := debug.tensor(number):
                shapes[value] = shape
            elif variable and place is not None and value in packs and variable.file.endswith(_PACK):
                parts = tuple(part for _, part in packs[value])
                found.setdefault(value, (place, _Index(line, variable, parts, at)))
        elif match := _STORED.match(line):
            held[match["pointer"]] = match["operand"]
        elif (match := _JOINED.match(line)) and match["pointer"] in held:
            packs[match["pack"]] = (*packs.get(match["before"], ()), (match["pointer"], held[match["pointer"]]))
    scaled = _scaled(lines) if found else {}
    for pack, (place, index) in found.items():
        tensor = scaled.get((place, tuple(pointer for pointer, _ in packs[pack])), "")
        if tensor in shapes:
            yield index._replace(variable=replace(index.variable, name="index", shape=shapes[tensor]))


def _scaled(lines: Sequence[str]) -> dict[tuple[int, tuple[str, ...]], str]:
    """By the place and the pointers to the parts of an index, the tensor whose strides they are multiplied by."""
    same: dict[str, str] = {}  # what a value was made from
    strides: dict[str, tuple[str, int]] = {}  # of which tensor, and along which dimension
    found: dict[tuple[int, str], list[str]] = {}  # by place and tensor: the parts, if they come in their order
    for line in lines:
        if match := _SAME.match(line):
            same[match["value"]] = same.get(match["of"], match["of"])
        elif match := _STRIDE.match(line):
            strides[match["stride"]] = match["value"], int(match["dimension"])
        elif match := _SCALED.match(line):
            part, stride = (same.get(match[name], match[name]) for name in ("part", "stride"))
            tensor, dimension = strides.get(stride, ("", 0))
            parts = found.setdefault((int(match["at"]), tensor), [])
            if len(parts) == dimension:
                parts.append(part)
    return {(at, tuple(parts)): tensor for (at, tensor), parts in found.items() if tensor}
