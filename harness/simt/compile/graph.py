"""A kernel with all it calls, as one graph of blocks."""

from dataclasses import dataclass, field

from harness.simt.ir.module import Asm, Instruction, Location
from harness.simt.ir.types import Type

__all__ = ["Edge", "FlatBlock", "Graph", "Op", "Ref", "Site"]


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """An instruction in one place of the call tree; what reports point to.

    Attributes:
        index: Its number in the program.
        caller: The site of the call it was reached by, or None.
    """

    index: int
    instruction: Instruction
    caller: "Site | None" = None

    @property
    def location(self) -> Location | None:
        """The frames from the innermost to the kernel."""
        frames = ()
        at = self
        while at is not None:
            if at.instruction.location:
                frames += at.instruction.location.frames
            at = at.caller
        return Location(frames) if frames else None

    @property
    def source(self):
        """The `Frame` to report, or None without debug information."""
        location = self.location
        return location.source if location else None

    @property
    def text(self) -> str:
        """The instruction as printed."""
        return self.instruction.text


@dataclass(frozen=True, slots=True)
class Ref:
    """A value of the graph by its number."""

    number: int
    type: Type


@dataclass(slots=True, eq=False)
class Op:
    """An instruction with resolved operands.

    Attributes:
        result: The number of its result, or None.
    """

    opcode: str
    result: int | None
    type: Type
    operands: tuple
    site: Site

    @property
    def attrs(self):
        """What is particular to the opcode."""
        return self.site.instruction.attrs

    @property
    def callee(self) -> str | None:
        """The name of what a call calls, `asm:` and its text for assembly; None through a pointer."""
        callee = self.attrs["callee"]
        return f"asm:{callee.text}" if isinstance(callee, Asm) else getattr(callee, "name", None)

    @property
    def flags(self):
        """The flags of the instruction."""
        return self.site.instruction.flags


@dataclass(slots=True, eq=False)
class Edge:
    """A way to a block and the values that its phis take there."""

    target: "FlatBlock"
    moves: tuple = ()


@dataclass(slots=True, eq=False)
class FlatBlock:
    """A block: phis, instructions and where it goes.

    Attributes:
        phis: (value number, type) of each phi.
        term: `jump`, `branch`, `switch`, `exit` or `unreachable`.
        condition: The operand that chooses the edge, if any.
        cases: The values of a switch; `edges[0]` is its default.
    """

    name: str
    phis: list = field(default_factory=list)
    ops: list = field(default_factory=list)
    term: str = "exit"
    condition: object = None
    cases: tuple = ()
    edges: list = field(default_factory=list)
    site: Site | None = None


@dataclass(slots=True, eq=False)
class Graph:
    """The blocks of a kernel; the first is its entry.

    Attributes:
        types: The type of each value by number.
        params: The values of the kernel's parameters.
    """

    blocks: list
    types: list
    params: tuple
    sites: list
