"""The table of emitters, and what they have in common.

An emitter takes the `Writer` and the `Op` of an instruction and adds lines that
define the result's leaves (and their taints, when those are tracked).
"""

from harness.simt.ir.types import Float, Vector

__all__ = ["EMITTERS", "element_of", "emits", "result", "rounded"]

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


def result(w, op, expression, *sources):
    w.define(op, [expression], [w.joined(*sources)])
