"""`Writer` of a segment's Python: lines, names of bound objects, variables for leaves of values and their taints."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from harness.simt.compile.graph import Op, Ref, Value
from harness.simt.compile.program import Program
from harness.simt.ir.module import Asm, Metadata, Undef
from harness.simt.ir.site import Site
from harness.simt.ir.types import leaves
from harness.simt.ir.values import BROKEN, LITERAL, constant_leaves

__all__ = ["Writer"]


class Writer:
    """Collects the lines of one segment's function. Leaf L of value N is in variable `vN_L`, its taint in `tN_L`.

    Attributes:
        names: The objects that the lines refer to, by name.
        site: The site of the current instruction.
        defined: The leaves that are in local variables already, as (value number, leaf).
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.site: Site | None = None
        self.lines: list[str] = []
        self.names: dict[str, Any] = {}
        self.defined: set[tuple[int | None, int]] = set()
        self._constants: dict[int, tuple[Value, list[str]]] = {}

    def add_line(self, text: str) -> None:
        """Append a line of code."""
        self.lines.append(text)

    def bind(self, prefix: str, thing: Any) -> str:
        """Bind an object to a new name, under which generated code finds it, and return the name: `prefix` and a
        number.
        """
        name = f"{prefix}{len(self.names)}"
        self.names[name] = thing
        return name

    def values(self, operand: Value) -> list[str]:
        """Return the variables of an operand's leaves, after adding lines that fetch them from registers if need be.

        A constant is bound once, as read-only arrays of length 1; metadata and assembly have no leaves.
        """
        if isinstance(operand, Ref):
            count = len(leaves(operand.type))
            for leaf in range(count):
                self._fetch(operand.number, leaf)
            return [f"v{operand.number}_{leaf}" for leaf in range(count)]
        if isinstance(operand, Metadata | Asm):
            return []
        key = id(operand)
        if key not in self._constants:
            arrays = constant_leaves(operand, self.program.address)
            for array in arrays:
                array.setflags(write=False)
            self._constants[key] = operand, [self.bind("K", array) for array in arrays]
        return self._constants[key][1]

    def value(self, operand: Value) -> str:
        """Return the variable of an operand that has one leaf."""
        return self.values(operand)[0]

    def taints(self, operand: Value) -> list[str]:
        """Return the taint variables of an operand's leaves; the text `None` for each leaf of a constant.

        A literal `undef` or `poison` has a taint, with a new origin at each call; a constant array or struct with one
        among its elements has none.
        """
        if isinstance(operand, Ref):
            self.values(operand)
            count = len(leaves(operand.type))
            return [f"t{operand.number}_{leaf}" for leaf in range(count)]
        if isinstance(operand, Undef):
            return [self.literal_taint(operand)] * len(leaves(operand.type))
        return ["None"] * len(self.values(operand))

    def literal_taint(self, operand: Undef) -> str:
        """Return the name of the taint of a literal `undef` or `poison`: an array of length 1 with a new origin."""
        kind = "poison" if operand.poison else "undef"
        return self.bind("U", np.array([self.origin(kind)], np.int32))

    def origin(self, kind: str, source: str = "") -> int:
        """Return a new origin number for undefined values that the current instruction makes, after recording its kind
        (such as `range`), `source` (such as the opcode) and the site in the program's cache.

        Without a `source` it is that of a literal `undef` or `poison`, which `kind` says.
        """
        origins = self.program.cache.origins
        origins.append((kind, source, self.site))
        return (BROKEN if source else LITERAL) + len(origins) - 1

    def define(self, op: Op, expressions: Sequence[str], taints: Sequence[str]) -> None:
        """Add lines that assign an expression and a taint to each leaf of an instruction's result.

        Both must have one text for each leaf; the leaves are then in `defined`.
        """
        for leaf, (expression, taint) in enumerate(zip(expressions, taints, strict=True)):
            self.add_line(f"v{op.result}_{leaf} = {expression}")
            self.add_line(f"t{op.result}_{leaf} = {taint}")
            self.defined.add((op.result, leaf))

    def define_taints(self, op: Op, taints: Sequence[str]) -> None:
        """Add lines that assign the taints of a result whose leaves have been assigned already."""
        for leaf, taint in enumerate(taints):
            self.defined.add((op.result, leaf))
            self.add_line(f"t{op.result}_{leaf} = {taint}")

    def combined_taint(self, *operands: Value) -> str:
        """Return an expression for one taint that combines those of all leaves of the operands, each as a whole.

        Its value is the largest origin in each lane, also of a single leaf with a taint by byte, or None if all are
        defined. The expression is the text `None` if all are constants other than a literal `undef` or `poison`; such a
        literal gets a new origin at each call. Adds lines that fetch operands from registers if need be.
        """
        names = [name for operand in operands for name in self.taints(operand) if name != "None"]
        return f"combine_taints({', '.join(names)})" if names else "None"

    def collapsed_taint(self, name: str) -> str:
        """Return an expression for a taint variable, reduced to one number for each lane; `None` stays `None`."""
        return name if name == "None" else f"collapse_taint({name})"

    def _fetch(self, number: int, leaf: int) -> None:
        if (number, leaf) in self.defined:
            return
        self.defined.add((number, leaf))
        slot = self.program.slots[number] + leaf
        self.add_line(f"v{number}_{leaf} = R.fetch({slot}, A)")
        self.add_line(f"t{number}_{leaf} = R.fetch_taint({slot}, A)")
