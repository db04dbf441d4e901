"""What a row of the table says."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tests.simt.against_llvm.shapes import Shape, lies_in

__all__ = ["PLACES", "Row", "loads"]

NAME = re.compile(r"%([a-z]\w*)")
PLACES = "abcd"


@dataclass(frozen=True)
class Row:
    """An instruction on operands of some types.

    Attributes:
        name: The instruction or intrinsic as it is declared.
        text: Lines that define %r from %a, %b, ...
        operands: The types of those.
        result: The type of %r.
        bitwise: Whether a NaN keeps its bits: LLVM says so of what only moves bits or the sign.
        poison: Of which numbers, an element of each operand and of the result, that is poison; None where it never is.
        faults: Of which numbers the instruction is undefined behaviour, which no machine need survive.
        unsaid: Of which patterns LLVM leaves the result open.
        host: Lines for the host instead, where LLVM allows both.
        exact: What numbers must give, as a number; it judges floats of 16 bits in place of the host.
        whole: Whether those functions are given vectors as a whole, a tuple of each.
    """

    name: str
    text: str
    operands: tuple[str, ...]
    result: str
    bitwise: bool = False
    poison: Callable[..., bool] | None = None
    faults: Callable[..., bool] | None = None
    unsaid: Callable[..., bool] | None = None
    host: str = ""
    exact: Callable[..., Any] | None = None
    whole: bool = False

    @cached_property
    def shapes(self):
        """The types of the operands."""
        return [Shape(text) for text in self.operands]

    @cached_property
    def shape(self):
        """The type of the result."""
        return Shape(self.result)

    def lines(self, number, index, host=False):
        """The row's part of a function, with names of its own: it stores %r at an index of %o.

        Args:
            number: Of the row in the function.
            index: The name of the index.
            host: Whether the function is the host's.
        """
        text = self.host if host and self.host else self.text
        text = NAME.sub(lambda match: match[0] + ("" if match[1] in PLACES else f".{number}"), text)
        return f"{text}\n{_stored(self.shape, number, index)}"


def loads(shapes, index, constants=()):
    """Lines that load operands into %a, %b, ... from arrays %pa, %pb, ...

    Args:
        constants: By the place of an operand that stands in the code its patterns.
    """
    lines = ""
    for number, (place, shape) in enumerate(zip(PLACES, shapes, strict=False)):
        if number in constants:
            lines += f"  %w{place} = or {shape.stored} {_literal(shape, constants[number])}, zeroinitializer\n"
        else:
            lines += f"  %q{place} = getelementptr {shape.cell}, ptr %p{place}, i64 {index}\n"
            lines += _loaded(shape, place)
        if shape.is_float:
            lines += f"  %{place} = bitcast {shape.stored} %w{place} to {shape.text}\n"
        elif shape.stored == shape.text:
            lines = lines.replace(f"%w{place} =", f"%{place} =")
        else:
            lines += f"  %{place} = trunc {shape.stored} %w{place} to {shape.text}\n"
    return lines


def _literal(shape, patterns):
    kind = f"i{lies_in(shape.bits)}"
    if shape.text == shape.element:
        return str(patterns[0])
    return f"<{', '.join(f'{kind} {pattern}' for pattern in patterns)}>"


def _loaded(shape, place):
    """Lines that load %w; elements of 128 bits one by one, since the simulator has no vectors of them in memory."""
    if shape.text == shape.element or not shape.stored.endswith("i128>"):
        return f"  %w{place} = load {shape.stored}, ptr %q{place}, align 1\n"
    lines, before = "", "zeroinitializer"
    for number in range(shape.count):
        name = f"%w{place}{'' if number + 1 == shape.count else number}"
        lines += f"  %q{place}{number} = getelementptr i128, ptr %q{place}, i64 {number}\n"
        lines += f"  %x{place}{number} = load i128, ptr %q{place}{number}, align 1\n"
        lines += f"  {name} = insertelement {shape.stored} {before}, i128 %x{place}{number}, i64 {number}\n"
        before = name
    return lines


def _stored(shape, number, index):
    name = f"%r.{number}"
    lines = f"  %q.{number} = getelementptr {shape.cell}, ptr %o.{number}, i64 {index}\n"
    if shape.stored != shape.text:
        lines += f"  %w.{number} = {'bitcast' if shape.is_float else 'sext'} {shape.text} {name} to {shape.stored}\n"
        name = f"%w.{number}"
    if shape.text == shape.element or not shape.stored.endswith("i128>"):
        return f"{lines}  store {shape.stored} {name}, ptr %q.{number}, align 1\n"
    for place in range(shape.count):
        own = f"{number}.{place}"
        lines += f"  %q.{own} = getelementptr i128, ptr %q.{number}, i64 {place}\n"
        lines += f"  %x.{own} = extractelement {shape.stored} {name}, i64 {place}\n"
        lines += f"  store i128 %x.{own}, ptr %q.{own}, align 1\n"
    return lines
