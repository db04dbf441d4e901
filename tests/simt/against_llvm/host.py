"""Rows as this machine computes them: LLVM compiles each into a loop over all values.

Nothing is optimised, so what runs is what LLVM's code generator makes of the one instruction. What it calls for wide
integers and for floats of 16 bits stands in the compiler's runtime library, and a call of nothing ends the process:
so the names are looked up before.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache

import llvmlite.binding as llvm
import numpy as np

from tests.simt.against_llvm.row import PLACES, loads
from tests.simt.snippets import declarations

__all__ = ["Native"]

LIBRARIES = ("libgcc_s.so.1", "libm.so.6")
# What is called for division of 128 bits, for conversions of those and of half, and for functions of floats.
NEEDED = (
    *("__divti3", "__udivti3", "__modti3", "__umodti3", "__fixsfti", "__fixdfti", "__fixunssfti", "__fixunsdfti"),
    *("__floattisf", "__floattidf", "__floatuntisf", "__floatuntidf", "__extendhfsf2", "__truncsfhf2", "__truncdfhf2"),
    *("fma", "fmaf", "fmod", "fmodf", "fmin", "fmax", "frexp", "ldexp", "lround", "lrint", "roundeven"),
)
LOOP = """define void @f{number}({params}) {{
start:
  br label %loop
loop:
  %i = phi i64 [0, %start], [%next, %loop]
{body}
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}}
"""


@cache
def _machine():
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for library in LIBRARIES if sys.platform == "linux" else ():  # elsewhere every process has them
        llvm.load_library_permanently(library)
    missing = [name for name in NEEDED if not llvm.address_of_symbol(name)]
    assert not missing, f"the runtime library of this machine's compiler lacks {missing}"


class Native:
    """Some rows, compiled; the loops live as long as this."""

    def __init__(self, rows):
        _machine()
        functions = []
        for number, row in enumerate(rows):
            params = [*(f"ptr %p{place}" for place in PLACES[: len(row.shapes)]), f"ptr %o.{number}", "i64 %n"]
            body = loads(row.shapes, "%i") + row.lines(number, "%i", host=True)
            functions.append(LOOP.format(number=number, params=", ".join(params), body=body))
        text = "".join(functions)
        module = llvm.parse_assembly(declarations(text) + text, context=llvm.create_context())
        machine = llvm.Target.from_default_triple().create_target_machine(opt=1, jit=True)
        self._engine = llvm.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()
        self._rows = rows

    def __call__(self, number, values):
        """What a row gives, as `Shape.unpack` has it.

        Args:
            number: The row's.
            values: Of each operand the patterns, all elements in one row.
        """
        row = self._rows[number]
        lanes = len(values[0]) // row.shapes[0].count
        given = [shape.pack(column) for shape, column in zip(row.shapes, values, strict=True)]
        output = np.zeros(lanes * row.shape.pack([0] * row.shape.count).nbytes, np.uint8)
        arrays = [*given, output]
        prototype = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(arrays), ctypes.c_int64)
        address = self._engine.get_function_address(f"f{number}")
        prototype(address)(*(array.ctypes.data for array in arrays), lanes)
        return row.shape.unpack(output)
