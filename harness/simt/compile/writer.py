"""What emitters write with: lines, names for what they refer to, and the leaves of values."""

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
    """Collects the lines of one segment's function.

    Attributes:
        names: The constants and functions the lines refer to.
        site: Of what is written just now.
        have: The leaves that are in local variables, as (value number, leaf).
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.site: Site | None = None
        self.lines: list[str] = []
        self.names: dict[str, Any] = {}
        self.have: set[tuple[int | None, int]] = set()
        self._constants: dict[int, tuple[Value, list[str]]] = {}

    def line(self, text: str) -> None:
        """Adds a line."""
        self.lines.append(text)

    def bind(self, prefix: str, thing: Any) -> str:
        """A name for something that the lines refer to."""
        name = f"{prefix}{len(self.names)}"
        self.names[name] = thing
        return name

    def values(self, operand: Value) -> list[str]:
        """The names of an operand's leaves."""
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
        """The name of an operand with one leaf."""
        return self.values(operand)[0]

    def taints(self, operand: Value) -> list[str]:
        """The names of the taints of an operand's leaves, or `None` for each."""
        if isinstance(operand, Ref):
            self.values(operand)
            count = len(leaves(operand.type))
            return [f"t{operand.number}_{leaf}" for leaf in range(count)]
        if isinstance(operand, Undef):
            return [self.undefined(operand)] * len(leaves(operand.type))
        return ["None"] * len(self.values(operand))

    def undefined(self, operand: Undef) -> str:
        """The taint of a literal `undef` or `poison`, as an array of length 1."""
        kind = "poison" if operand.poison else "undef"
        return self.bind("U", np.array([self.origin(kind)], np.int32))

    def origin(self, kind: str, source: str = "") -> int:
        """The number of undefined values that come from the op that is written."""
        origins = self.program.made.origins
        origins.append((kind, source, self.site))
        return (BROKEN if source else LITERAL) + len(origins) - 1

    def define(self, op: Op, expressions: Sequence[str], taints: Sequence[str]) -> None:
        """Assigns the leaves of an op's result, and their taints."""
        for leaf, (expression, taint) in enumerate(zip(expressions, taints, strict=True)):
            self.line(f"v{op.result}_{leaf} = {expression}")
            self.line(f"t{op.result}_{leaf} = {taint}")
            self.have.add((op.result, leaf))

    def came(self, op: Op, taints: Sequence[str]) -> None:
        """The leaves of an op's result have been assigned, and have these taints."""
        for leaf, taint in enumerate(taints):
            self.have.add((op.result, leaf))
            self.line(f"t{op.result}_{leaf} = {taint}")

    def joined(self, *operands: Value) -> str:
        """The expression of the combined taint of operands, each taken as a whole."""
        parts = [name for operand in operands for name in self.taints(operand) if name != "None"]
        return f"combine_taints({', '.join(parts)})" if parts else "None"

    def collapsed(self, name: str) -> str:
        """The expression of a taint with one number for each lane."""
        return name if name == "None" else f"collapse_taint({name})"

    def _fetch(self, number: int, leaf: int) -> None:
        if (number, leaf) in self.have:
            return
        self.have.add((number, leaf))
        slot = self.program.slots[number] + leaf
        self.line(f"v{number}_{leaf} = R.fetch({slot}, A)")
        self.line(f"t{number}_{leaf} = R.fetch_taint({slot}, A)")
