"""The table of emitters, and what they have in common.

An emitter takes the `Writer` and the `Op` of an instruction and adds lines that
define the result's leaves and their taints.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from harness.simt.compile.graph import Op, Value
from harness.simt.compile.writer import Writer
from harness.simt.ir.types import Float, Type, Vector, bits_of, element_of, size_of
from harness.simt.ops import poison

__all__ = ["EMITTERS", "element_bytes", "emits", "mark", "result", "rounded", "signed"]

Emitter: TypeAlias = Callable[[Writer, Op], None]
EMITTERS: dict[str, Emitter] = {}


def emits(*opcodes: str) -> Callable[[Emitter], Emitter]:
    """Declares the emitter of some opcodes."""

    def declare(function: Emitter) -> Emitter:
        for opcode in opcodes:
            if opcode in EMITTERS:
                raise ValueError(f"{opcode} already has an emitter")
            EMITTERS[opcode] = function
        return function

    return declare


def rounded(ty: Type, expression: str) -> str:
    return f"bfloat_round({expression})" if element_of(ty) == Float("bfloat") else expression


def element_bytes(ty: Type) -> int:
    """Bytes of a value, or of a vector's element, as taints count them."""
    return max(1, size_of(element_of(ty)))


def result(w: Writer, op: Op, expression: str, *sources: Value) -> None:
    """Defines what is computed from operands, element by element where they are vectors."""
    w.define(op, [expression], [_taint(w, op.type, sources)])


def mark(w: Writer, op: Op, rules: poison.Rules, bits: int, *sources: Value) -> None:
    """Marks the lanes of a result that break a rule of poison.

    Args:
        bits: The width that the rules speak of.
        sources: What they call a and b.
    """
    names = {letter: signed(source.type, w.value(source)) for letter, source in zip("ab", sources, strict=False)}
    value, taint = signed(op.type, f"v{op.result}_0"), f"t{op.result}_0"
    for rule, origin in rules:
        broken = rule.format(r=value, bits=bits, **names)
        w.line(f"{taint} = mark_poison({taint}, {broken}, {w.origin(*origin)})")


def signed(ty: Type, name: str) -> str:
    """What reads integers with their sign: of one bit, true is -1."""
    return f"with_sign({name}, 1)" if bits_of(ty) == 1 else name


def _taint(w: Writer, ty: Type, sources: Sequence[Value]) -> str:
    if not isinstance(ty, Vector):
        return w.joined(*sources)
    if not all(isinstance(source.type, Vector) and source.type.length == ty.length for source in sources):
        return w.joined(*sources)
    named = [(w.taints(source)[0], element_bytes(source.type)) for source in sources]
    parts = [f"({name}, {size})" for name, size in named if name != "None"]
    return f"combine_elementwise({ty.length}, {element_bytes(ty)}, {', '.join(parts)})" if parts else "None"
