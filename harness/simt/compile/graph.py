"""A kernel with all it calls, as one graph of blocks."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from harness.simt.ir.module import Aggregate, Const, Expr, GlobalRef, Operand, Undef
from harness.simt.ir.site import Site
from harness.simt.ir.types import Type, Vector

__all__ = ["Edge", "FlatBlock", "Graph", "Op", "Ref", "Value", "chosen", "names_in", "numbers_of"]


@dataclass(frozen=True, slots=True)
class Ref:
    """A value of the graph by its number."""

    number: int
    type: Type


Value: TypeAlias = Operand | Ref


def numbers_of(values: Iterable[Value | None]) -> list[int]:
    """The numbers of those that are values of the graph."""
    return [value.number for value in values if isinstance(value, Ref)]


def names_in(operand: object) -> Iterator[str]:
    """The functions and variables whose address is in a constant."""
    if isinstance(operand, GlobalRef):
        yield operand.name
    parts = operand.operands if isinstance(operand, Expr) else ()
    parts = operand.elements if isinstance(operand, Aggregate) else parts
    for part in parts:
        yield from names_in(part)


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """An instruction with resolved operands.

    Attributes:
        result: The number of its result, or None.
    """

    opcode: str
    result: int | None
    type: Type
    operands: tuple[Value, ...]
    site: Site

    @property
    def attrs(self) -> Mapping[str, Any]:
        """What is particular to the opcode."""
        return self.site.instruction.attrs

    @property
    def callee(self) -> str:
        """The name of what a call calls, with its `@`; empty for a pointer."""
        callee = self.attrs["callee"]
        return callee.name if isinstance(callee, GlobalRef) else ""

    @property
    def flags(self) -> frozenset[str]:
        """The flags of the instruction."""
        return self.site.instruction.flags


def chosen(op: Op) -> list[int]:
    """The elements that a `shufflevector` takes, numbered through both of its vectors; -1 for none."""
    mask = op.operands[2]
    assert isinstance(mask.type, Vector)
    elements = mask.elements if isinstance(mask, Aggregate) else (mask,) * mask.type.length
    return [-1 if isinstance(one, Undef) else one.value if isinstance(one, Const) else 0 for one in elements]


@dataclass(slots=True, eq=False)
class Edge:
    """A way to a block and the values that its phis take there."""

    target: "FlatBlock"
    moves: tuple[Value, ...] = ()


@dataclass(slots=True, eq=False)
class FlatBlock:
    """A block: phis, instructions and where it goes.

    Attributes:
        phis: (value number, type) of each phi.
        term: `jump`, `branch`, `switch`, `exit` or `unreachable`.
        condition: The operand that chooses the edge, if any.
        cases: The values of a switch; `edges[0]` is its default.
        resumes: The number and the site of the call after which lanes go on here, if it was not spliced in.
        function: The function whose code stands once that it is part of, or empty for the kernel.
    """

    name: str
    phis: list[tuple[int, Type]] = field(default_factory=list)
    ops: list[Op] = field(default_factory=list)
    term: str = "exit"
    condition: Value | None = None
    cases: tuple[int, ...] = ()
    edges: list[Edge] = field(default_factory=list)
    site: Site | None = None
    resumes: tuple[int, Site] | None = None
    function: str = ""

    def taken(self) -> Iterator[Value]:
        """The values that it takes."""
        for op in self.ops:
            yield from op.operands
        for edge in self.edges:
            yield from edge.moves
        if self.condition is not None:
            yield self.condition

    def rename(self, resolve: Callable[[Value], Value]) -> None:
        """Puts other values in the place of those that it takes."""
        self.condition = self.condition and resolve(self.condition)
        for place, op in enumerate(self.ops):
            operands = tuple(map(resolve, op.operands))
            if operands != op.operands:
                self.ops[place] = replace(op, operands=operands)
        for edge in self.edges:
            edge.moves = tuple(map(resolve, edge.moves))


@dataclass(slots=True, eq=False)
class Graph:
    """The blocks of a kernel; the first is its entry.

    Attributes:
        types: The type of each value by number.
        params: The values of the kernel's parameters.
        calls: The calls that were not spliced in, each by the function's name or as `a pointer`.
    """

    blocks: list[FlatBlock]
    types: list[Type]
    params: tuple[Ref, ...]
    sites: list[Site]
    calls: tuple[str, ...] = ()
