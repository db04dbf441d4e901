"""`emits` registers what writes an opcode's Python; shared functions write results, poison rules, signed operands.

An emitter takes the `Writer` and the `Op` of an instruction, and adds lines that define the result's leaves and taints.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from harness.simt.compile.graph import Op, Value
from harness.simt.compile.writer import Writer
from harness.simt.ir.types import Float, Type, Vector, bits_of, element_of, size_of
from harness.simt.ops import poison

__all__ = [
    "EMITTERS",
    "define_result",
    "element_bytes",
    "emit_poison_rules",
    "emits",
    "round_if_bfloat",
    "signed_expression",
]

Emitter: TypeAlias = Callable[[Writer, Op], None]
EMITTERS: dict[str, Emitter] = {}


def emits(*opcodes: str) -> Callable[[Emitter], Emitter]:
    """Register, as a decorator, the emitter of some opcodes; raises ValueError if one already has an emitter."""

    def declare(function: Emitter) -> Emitter:
        for opcode in opcodes:
            if opcode in EMITTERS:
                raise ValueError(f"{opcode} already has an emitter")
            EMITTERS[opcode] = function
        return function

    return declare


def round_if_bfloat(ty: Type, expression: str) -> str:
    return f"bfloat_round({expression})" if element_of(ty) == Float("bfloat") else expression


def element_bytes(ty: Type) -> int:
    """Return the bytes of a value, or of one element of a vector; at least 1."""
    return max(1, size_of(element_of(ty)))


def define_result(w: Writer, op: Op, expression: str, *sources: Value) -> None:
    """Define an instruction's result as an expression; its taint combines the taints of `sources`, by element if the
    result and all sources are vectors of one length.
    """
    w.define(op, [expression], [_taint(w, op.type, sources)])


def emit_poison_rules(w: Writer, op: Op, rules: poison.Rules, bits: int, *sources: Value) -> None:
    """Emit code that marks the result as poison in lanes that break a rule; the result must be defined before.

    Args:
        bits: The width of the rules' operands.
        sources: The operands that the rules call a and b.
    """
    names = {
        letter: signed_expression(source.type, w.value(source)) for letter, source in zip("ab", sources, strict=False)
    }
    value, taint = signed_expression(op.type, f"v{op.result}_0"), f"t{op.result}_0"
    for rule, origin in rules:
        broken = rule.format(r=value, bits=bits, **names)
        w.add_line(f"{taint} = mark_poison({taint}, {broken}, {w.origin(*origin)})")


def signed_expression(ty: Type, name: str) -> str:
    """Return an expression that reads an integer variable as signed: an `i1` that is true becomes -1."""
    return f"with_sign({name}, 1)" if bits_of(ty) == 1 else name


def _taint(w: Writer, ty: Type, sources: Sequence[Value]) -> str:
    if not isinstance(ty, Vector):
        return w.combined_taint(*sources)
    if not all(isinstance(source.type, Vector) and source.type.length == ty.length for source in sources):
        return w.combined_taint(*sources)
    taints = [(w.taints(source)[0], element_bytes(source.type)) for source in sources]
    sized_taints = [f"({name}, {size})" for name, size in taints if name != "None"]
    return (
        f"combine_elementwise({ty.length}, {element_bytes(ty)}, {', '.join(sized_taints)})" if sized_taints else "None"
    )
