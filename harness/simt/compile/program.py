"""A kernel made ready to run: segments, live values, fixed addresses.

A segment is a piece of a block that lanes run without waiting; what makes them
wait (a barrier, a shuffle) begins a new one. Segments are numbered in the order
they should run, and turned into Python functions when first reached.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from harness.simt.compile.byval import copy_changed
from harness.simt.compile.flatten import flatten
from harness.simt.compile.graph import Graph
from harness.simt.compile.parameters import Uses, uses_of
from harness.simt.compile.segments import find_live, segments_of
from harness.simt.errors import Unsupported
from harness.simt.ir.module import Aggregate, Expr, GlobalRef
from harness.simt.ir.names import find_kernel
from harness.simt.ir.types import field_offset, size_of
from harness.simt.ir.types import leaves as leaves_of
from harness.simt.ir.values import base_of
from harness.simt.state.lanes import LaneSet
from harness.simt.state.merge import Values

__all__ = ["Program", "SegmentFunction", "Variable", "compile_kernel"]


# Takes the engine, the lanes that run a segment and the values of its phis.
SegmentFunction: TypeAlias = Callable[[Any, LaneSet, Values], None]


@dataclass(frozen=True, slots=True)
class Variable:
    """A global variable or an `alloca` with its fixed allocation number."""

    number: int
    name: str
    space: str
    size: int
    rows: str
    writable: bool
    initial: object = None
    site: object = None


@dataclass(slots=True, eq=False)
class Program:
    """What `compile_kernel` makes.

    Attributes:
        segments: In the order of their numbers; 0 is the entry.
        gates: Segment number to what lanes wait for there.
        variables: Global variables and allocas.
        params: (value number, Param) for each parameter.
        functions: Compiled segments, by (number, tracked).
        uses: What the kernel does with its parameters.
        static_shared_bytes: Of a block: what the kernel touches; a module's other kernels have their own.
        slots: The register of each leaf, by (value number, leaf).
        origins: What the taints from `LITERAL` on stand for: (kind, source, site).
        fidelity: Operation to `exact`, `approximate`, ...; see `fidelity.note`.
    """

    function: object
    graph: object
    segments: list
    gates: dict
    variables: list
    params: tuple
    target: object
    addresses: dict
    dynamic: int | None
    uses: Uses
    slots: dict = field(default_factory=dict)
    functions: dict[tuple[int, bool], SegmentFunction] = field(default_factory=dict)
    origins: list = field(default_factory=list)
    static_shared_bytes: int = 0
    fidelity: dict = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The kernel's name."""
        return self.function.name.removeprefix("@")

    def address(self, operand) -> int:
        """The value of a global's address or of a constant expression."""
        match operand:
            case GlobalRef(name):
                if name not in self.addresses:
                    raise Unsupported(f"the address of {name}")
                return self.addresses[name]
            case Expr(_, "getelementptr", (pointer, *indices), attrs):
                at = self.address(pointer)
                ty = attrs["source_type"]
                for number, index in enumerate(indices):
                    step = self.address(index)
                    if number == 0:
                        at += step * size_of(ty)
                    elif hasattr(ty, "fields"):
                        at += field_offset(ty, step)
                        ty = ty.fields[step]
                    else:
                        ty = ty.element
                        at += step * size_of(ty)
                return at
            case Expr(_, "addrspacecast" | "bitcast" | "ptrtoint" | "inttoptr" | "trunc", (value,)):
                return self.address(value)
            case Expr(_, opcode, (left, right)) if opcode in FOLD:
                return FOLD[opcode](self.address(left), self.address(right))
        if hasattr(operand, "value"):
            return operand.value
        raise Unsupported(f"constant expression {operand}")


FOLD = {
    "add": int.__add__,
    "sub": int.__sub__,
    "mul": int.__mul__,
    "xor": int.__xor__,
}


def compile_kernel(module, kernel, target) -> Program:
    """Prepares one kernel of a module for a target; cached on the module."""
    _, kernel = find_kernel([module], kernel)
    key = kernel, target.name
    if key not in module.programs:
        module.programs[key] = _compile(module, f"@{kernel}", target)
    return module.programs[key]


def _compile(module, name, target):
    function = module.function(name)
    graph = flatten(module, function)
    uses = uses_of(function, graph)
    if copy_changed(function, graph, uses):
        uses = uses_of(function, graph)
    variables, addresses, dynamic = _globals(module, target)
    _allocas(graph, variables)
    segments = segments_of(graph)
    find_live(segments)
    params = tuple((ref.number, param) for ref, param in zip(graph.params, function.params, strict=True))
    gates = {one.number: one.gate for one in segments if one.gate is not None}
    program = Program(function, graph, segments, gates, variables, params, target, addresses, dynamic, uses)
    used = _globals_used(graph)
    program.static_shared_bytes = sum(one.size for one in variables if one.rows == "block" and f"@{one.name}" in used)
    for segment in segments:
        for number in segment.stores:
            _slot(program, number, graph.types[number])
    for number, param in params:
        _slot(program, number, param.type)
    return program


def _globals_used(graph: Graph) -> set[str]:
    """The names of the global variables that a kernel touches."""
    found: set[str] = set()

    def visit(operand: object) -> None:
        if isinstance(operand, GlobalRef):
            found.add(operand.name)
        elif isinstance(operand, Expr):
            for part in operand.operands:
                visit(part)
        elif isinstance(operand, Aggregate):
            for part in operand.elements:
                visit(part)

    for block in graph.blocks:
        for op in block.ops:
            for operand in op.operands:
                visit(operand)
        for edge in block.edges:
            for operand in edge.moves:
                visit(operand)
        visit(block.condition)
    return found


def _slot(program, number, ty):
    for leaf in range(len(leaves_of(ty))):
        program.slots.setdefault((number, leaf), len(program.slots))


def _globals(module, target):
    variables, addresses, dynamic = [], {}, None
    for one in module.globals.values():
        if one.name.startswith("@llvm."):
            continue
        space = target.space_name(one.space)
        number = len(variables) + 1
        rows = {"shared": "block", "private": "lane"}.get(space, "grid")
        if space == "generic":
            space = "constant" if one.constant else "global"
        size = size_of(one.type)
        if rows == "block" and size == 0 and one.initializer is None:
            dynamic = number
        variables.append(
            Variable(
                number,
                one.name.removeprefix("@"),
                space,
                size,
                rows,
                not one.constant,
                one.initializer,
            )
        )
        addresses[one.name] = base_of(number)
    for position, name in enumerate(module.function_names):
        addresses.setdefault(name, 0x7000_0000 + 16 * position)
    return variables, addresses, dynamic


def _allocas(graph, variables):
    for block in graph.blocks:
        for op in block.ops:
            if op.opcode != "alloca":
                continue
            count = op.attrs["count"]
            count = 1 if count is None else getattr(count, "value", None)
            if count is None:
                raise Unsupported("alloca of a size that is not constant")
            ty = op.attrs["source_type"]
            number = len(variables) + 1
            name = f"local variable {op.site.instruction.name}"
            size = count * size_of(ty)
            op.operands = (number,)
            variables.append(Variable(number, name, "private", size, "lane", True, None, op.site))
