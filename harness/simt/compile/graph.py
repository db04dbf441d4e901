"""Classes of the control-flow graph that `flatten` builds: values, instructions, edges, basic blocks; no analyses."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from harness.simt.ir.module import Aggregate, Const, Expr, GlobalRef, Operand, Undef
from harness.simt.ir.site import Site
from harness.simt.ir.types import Type, Vector

__all__ = [
    "BasicBlock",
    "ControlFlowGraph",
    "Edge",
    "Op",
    "Ref",
    "Value",
    "global_names_in",
    "shuffle_indices",
    "value_numbers",
]


@dataclass(frozen=True, slots=True)
class Ref:
    """A value of the graph, by its number."""

    number: int
    type: Type


Value: TypeAlias = Operand | Ref


def value_numbers(values: Iterable[Value | None]) -> list[int]:
    """Return the numbers of those values that are `Ref`, in order; constants and None are skipped."""
    return [value.number for value in values if isinstance(value, Ref)]


def global_names_in(operand: object) -> Iterator[str]:
    """Yield the names, with the `@`, of the functions and global variables whose address a constant contains.

    Other operands contain none; one name may come several times.
    """
    if isinstance(operand, GlobalRef):
        yield operand.name
    children = operand.operands if isinstance(operand, Expr) else ()
    children = operand.elements if isinstance(operand, Aggregate) else children
    for child in children:
        yield from global_names_in(child)


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """An instruction whose operands are values of the graph.

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
        """Return the attributes that are particular to the opcode."""
        return self.site.instruction.attrs

    @property
    def callee(self) -> str:
        """Return the name, with its `@`, of the function that a call names; empty for a pointer, a constant expression
        or assembly.

        Raises KeyError if the instruction is no call.
        """
        callee = self.attrs["callee"]
        return callee.name if isinstance(callee, GlobalRef) else ""

    @property
    def flags(self) -> frozenset[str]:
        """Return the flags of the instruction, such as `nsw`."""
        return self.site.instruction.flags


def shuffle_indices(op: Op) -> list[int]:
    """Return which elements a `shufflevector` takes, numbered through both of its vectors; -1 for an undefined one.

    A mask that is no list gives the same everywhere: `zeroinitializer` 0, and `undef` or `poison` -1.
    """
    mask = op.operands[2]
    assert isinstance(mask.type, Vector)
    elements = mask.elements if isinstance(mask, Aggregate) else (mask,) * mask.type.length
    return [
        -1 if isinstance(element, Undef) else element.value if isinstance(element, Const) else 0 for element in elements
    ]


@dataclass(slots=True, eq=False)
class Edge:
    """An edge to a block, with the values that the block's phis take along it."""

    target: "BasicBlock"
    moves: tuple[Value, ...] = ()


@dataclass(slots=True, eq=False)
class BasicBlock:
    """A basic block: phis, instructions and a terminator.

    Attributes:
        phis: (value number, type) of each phi.
        term: The terminator: `jump`, `branch`, `switch`, `exit` or `unreachable`.
        condition: The operand that chooses the edge, if any.
        cases: The values of a switch; `edges[0]` is its default.
        resumes: The number and the site of a call that is not inlined, if lanes continue here when it returns.
        function: The function that is not inlined and that the block is part of; empty for the kernel.
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

    def used_values(self) -> Iterator[Value]:
        """Yield the operands of all instructions, without callees, the values that phis take, and any condition."""
        for op in self.ops:
            yield from op.operands
        for edge in self.edges:
            yield from edge.moves
        if self.condition is not None:
            yield self.condition

    def replace_values(self, resolve: Callable[[Value], Value]) -> None:
        """Replace each value that `used_values` yields, constants too, by `resolve(value)`, in place."""
        self.condition = self.condition and resolve(self.condition)
        for place, op in enumerate(self.ops):
            operands = tuple(map(resolve, op.operands))
            if operands != op.operands:
                self.ops[place] = replace(op, operands=operands)
        for edge in self.edges:
            edge.moves = tuple(map(resolve, edge.moves))


@dataclass(slots=True, eq=False)
class ControlFlowGraph:
    """The blocks of a kernel; the first is the entry.

    Attributes:
        types: The type of each value by number.
        params: The values of the kernel's parameters.
        calls: The function called by each call that is not inlined, by number; or a text for a call through a pointer.
    """

    blocks: list[BasicBlock]
    types: list[Type]
    params: tuple[Ref, ...]
    sites: list[Site]
    calls: tuple[str, ...] = ()
