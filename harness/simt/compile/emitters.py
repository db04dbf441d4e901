"""The table of emitters, and what they have in common.

An emitter takes the `Writer` and the `Op` of an instruction and adds lines that
define the result's leaves (and their taints, when those are tracked).
"""

from harness.simt.ir.types import Float, Vector, size_of

__all__ = ["EMITTERS", "element_bytes", "element_of", "emits", "result", "rounded"]

EMITTERS = {}


def emits(*opcodes):
    """Declares the emitter of some opcodes."""

    def declare(function):
        for opcode in opcodes:
            if opcode in EMITTERS:
                raise ValueError(f"{opcode} already has an emitter")
            EMITTERS[opcode] = function
        return function

    return declare


def element_of(ty):
    return ty.element if isinstance(ty, Vector) else ty


def rounded(ty, expression):
    return f"bfloat_round({expression})" if element_of(ty) == Float("bfloat") else expression


def element_bytes(ty):
    """Bytes of a value, or of a vector's element, as taints count them."""
    return max(1, size_of(element_of(ty)))


def result(w, op, expression, *sources):
    """Defines what is computed from operands, element by element where they are vectors."""
    w.define(op, [expression], [_taint(w, op.type, sources)])


def _taint(w, ty, sources):
    if not w.tracked or not isinstance(ty, Vector):
        return w.joined(*sources)
    vectors = [one for one in sources if isinstance(one.type, Vector)]
    if len(vectors) != len(sources) or any(one.type.length != ty.length for one in vectors):
        return w.joined(*sources)
    named = [(w.taints(one)[0], element_bytes(one.type)) for one in vectors]
    parts = [f"({name}, {size})" for name, size in named if name != "None"]
    return f"elementwise({ty.length}, {element_bytes(ty)}, {', '.join(parts)})" if parts else "None"
