"""A kernel made ready to run: segments, live values, fixed addresses.

A segment is a piece of a block that lanes run without waiting; what makes them
wait (a barrier, a shuffle) begins a new one. Segments are numbered in the order
they should run, and turned into Python functions when first reached.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from harness.simt.compile.byval import copy_changed
from harness.simt.compile.calls import function_addresses, keep_values, outside_addresses, signature_of, signature_text
from harness.simt.compile.declarations import Barrier, Wait
from harness.simt.compile.flatten import flatten
from harness.simt.compile.graph import Graph, Ref
from harness.simt.compile.parameters import Uses, passed_in_memory, uses_of
from harness.simt.compile.segments import Gate, Segment, behind, find_live, intrinsic_of, segments_of
from harness.simt.errors import Unsupported
from harness.simt.ir.module import Aggregate, Const, Expr, Function, GlobalRef, Operand, Param
from harness.simt.ir.names import find_kernel, plain_name, source_name
from harness.simt.ir.parse import Module
from harness.simt.ir.site import Site
from harness.simt.ir.types import Int, Struct, Type, field_offset, leaves, member, size_of
from harness.simt.ir.values import base_of
from harness.simt.state.lanes import Dim, Known, LaneSet
from harness.simt.state.merge import Values
from harness.simt.state.window import Window, places_of
from harness.simt.targets import SimulatedTarget

__all__ = ["Program", "SegmentFunction", "Variable", "compile_kernel"]


# What Mojo calls a kernel's stack allocations in shared memory.
STACK_ALLOCATION = re.compile(r"^.*\._global_alloc_(\d+)\._gpu_shared_mem$")
# Takes the engine, the lanes that run a segment and the values of its phis.
SegmentFunction: TypeAlias = Callable[[Any, LaneSet, Values], None]


@dataclass(frozen=True, slots=True)
class Variable:
    """A global variable or an `alloca` with its fixed allocation number.

    Attributes:
        name: What reports call it.
        rows: As of an `Allocation`, or `frame`: each lane has one for each depth of calls; the number is the first's.
        symbol: The name of a global variable in the module, without the `@`; empty for an `alloca`.
    """

    number: int
    name: str
    space: str
    size: int
    rows: str
    writable: bool
    initial: Operand | None = None
    site: Site | None = None
    symbol: str = ""
    align: int = 1


@dataclass(eq=False)
class Program:
    """What `compile_kernel` makes.

    Attributes:
        name: The kernel's name in the source; its symbol where that is not known.
        segments: In the order of their numbers; 0 is the entry.
        gates: Segment number to what lanes wait for there.
        variables: Global variables and allocas.
        params: (value number, Param) for each parameter.
        in_memory: For each parameter the type of what lies in memory where it points, or None where it is a value.
        functions: Compiled segments, by (number, tracked).
        uses: What the kernel does with its parameters.
        fitting: Grids, blocks and clusters that are known to fit the target and the kernel.
        copies: Whether it begins copies that are waited for later.
        timed: Whether what it does may depend on when lanes run, though all accesses be ordered: it begins such copies,
            reads a clock, or asks for the lanes that happen to be there, where lanes of a warp are independent.
        geometry: Of the last chunk that ran, for the next to share.
        static_shared_bytes: Of a block: what the kernel touches; a module's other kernels have their own.
        slots: The register of each leaf, by (value number, leaf).
        places: Where variables in shared memory lie, as `state.window` has it.
        origins: What the taints from `LITERAL` on stand for: (kind, source, site).
        callable: The name and the signature of each function, by address, where there are calls by address.
        outside: The name of each function without a body, by its address; it is refused where it is called.
        fidelity: Operation to `exact`, `approximate`, ...; see `fidelity.note`.
    """

    function: Function
    graph: Graph
    segments: list[Segment]
    gates: dict[int, Gate[Wait]]
    variables: list[Variable]
    params: tuple[tuple[int, Param], ...]
    target: SimulatedTarget
    addresses: dict[str, int]
    dynamic: int | None
    uses: Uses
    in_memory: tuple[Type | None, ...]
    name: str
    slots: dict[tuple[int, int], int] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)
    functions: dict[tuple[int, bool], SegmentFunction] = field(default_factory=dict)
    origins: list[tuple[str, str, Site | None]] = field(default_factory=list)
    static_shared_bytes: int = 0
    fitting: set[tuple[Dim, Dim, Dim]] = field(default_factory=set)
    copies: bool = False
    timed: bool = False
    geometry: Known | None = None
    callable: dict[int, tuple[str, str]] = field(default_factory=dict)
    outside: dict[int, str] = field(default_factory=dict)
    fidelity: dict[str, str] = field(default_factory=dict)

    @property
    def symbol(self) -> str:
        """The kernel's symbol."""
        return self.function.name.removeprefix("@")

    @cached_property
    def behind(self) -> dict[Site, frozenset[int]]:
        """For each barrier of a block the segments that only those run who passed it, or went around it."""
        barriers = [number for number, gate in self.gates.items() if isinstance(gate.wait, Barrier)]
        return {self.gates[number].site: numbers for number, numbers in behind(self.segments, barriers).items()}

    @cached_property
    def window(self) -> Window:
        """Shared memory as 32-bit addresses in constants see it."""
        return Window(self.places)

    def address(self, operand: Operand) -> int:
        """The value of a global's address or of a constant expression."""
        match operand:
            case GlobalRef(name):
                if name not in self.addresses:
                    raise Unsupported(f"the address of {name}")
                return self.addresses[name]
            case Expr(_, "getelementptr", (pointer, *indices), attrs):
                at = self.address(pointer)
                ty: Type = attrs["source_type"]
                for number, index in enumerate(indices):
                    step = self.address(index)
                    if number == 0:
                        at += step * size_of(ty)
                        continue
                    at += field_offset(ty, step) if isinstance(ty, Struct) else step * size_of(member(ty, step))
                    ty = member(ty, step)
                return at
            case Expr(_, "ptrtoint", (value,)) if self.target.is_small(value.type):
                return int(self.window.address(np.array([self.address(value)]))[0])
            case Expr(ty, "inttoptr", (value,)) if self.target.is_small(ty):
                return int(self.window.pointer(np.array([self.address(value)]))[0])
            case Expr(_, "addrspacecast" | "bitcast" | "ptrtoint" | "inttoptr" | "trunc", (value,)):
                return self.address(value)
            case Expr(_, opcode, (left, right)) if opcode in FOLD:
                return FOLD[opcode](self.address(left), self.address(right))
            case Const(_, value):
                return value
        raise Unsupported(f"constant expression {operand}")


FOLD = {
    "add": int.__add__,
    "sub": int.__sub__,
    "mul": int.__mul__,
    "xor": int.__xor__,
}


def compile_kernel(module: Module, kernel: str | None, target: SimulatedTarget) -> Program:
    """Prepares one kernel of a module for a target; cached on the module."""
    _, name = find_kernel([module], kernel)
    program: Program | None = module.programs.get((name, target.name))
    if program is None:
        program = module.programs[name, target.name] = _compile(module, name, target)
    return program


def _compile(module: Module, symbol: str, target: SimulatedTarget) -> Program:
    function = module.function(f"@{symbol}")
    graph = flatten(module, function, target.vendor == "nvidia")
    in_memory = passed_in_memory(function)
    uses = uses_of(graph, in_memory)
    if copy_changed(function, graph, uses):
        uses = uses_of(graph, in_memory)
    if graph.calls:
        keep_values(graph)
    variables, addresses, dynamic = _globals(module, target)
    _allocas(graph, variables)
    segments = segments_of(graph)
    find_live(segments)
    params = tuple((ref.number, param) for ref, param in zip(graph.params, function.params, strict=True))
    gates = {segment.number: segment.gate for segment in segments if segment.gate is not None}
    called = source_name(module, symbol) or plain_name(symbol)
    program = Program(
        function, graph, segments, gates, variables, params, target, addresses, dynamic, uses, in_memory, called
    )
    if graph.calls:
        program.outside = {address: name.removeprefix("@") for name, address in outside_addresses(module).items()}
        for name, address in function_addresses(module).items():
            signature = signature_of(module.function(name, body=False))
            program.callable[address] = name.removeprefix("@"), signature_text(signature)
    # What the launch gives the size of comes last, so that all places are known before.
    blocks = [variable for variable in variables if variable.rows == "block"]
    blocks.sort(key=lambda variable: variable.number == dynamic)
    sizes = ((variable.number, variable.size, variable.align) for variable in blocks)
    program.places = {number: place for number, place, _ in places_of(sizes)}
    called_here = [found for segment in segments for op in segment.ops if (found := intrinsic_of(op)) is not None]
    program.copies = any(intrinsic.copies for intrinsic in called_here)
    meets = [intrinsic.waits is not None or not target.independent for intrinsic in called_here if intrinsic.exchanges]
    program.timed = program.copies or not all(meets) or any(intrinsic.varies for intrinsic in called_here)
    used = _globals_used(graph)
    program.static_shared_bytes = sum(
        variable.size for variable in variables if variable.rows == "block" and f"@{variable.symbol}" in used
    )
    for segment in segments:
        for number in segment.stores:
            _slot(program, number, graph.types[number])
    for number, param in params:
        _slot(program, number, param.type)
    return program


def _globals_used(graph: Graph) -> set[str]:
    """The names of the global variables that a kernel touches."""
    names: set[str] = set()

    def visit(operand: object) -> None:
        if isinstance(operand, GlobalRef):
            names.add(operand.name)
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
    return names


def _slot(program: Program, number: int, ty: Type) -> None:
    for leaf in range(len(leaves(ty))):
        program.slots.setdefault((number, leaf), len(program.slots))


def _globals(module: Module, target: SimulatedTarget) -> tuple[list[Variable], dict[str, int], int | None]:
    variables: list[Variable] = []
    addresses: dict[str, int] = {}
    dynamic: int | None = None
    for variable in module.globals.values():
        if variable.name.startswith("@llvm."):
            continue
        space = target.space_name(variable.space)
        number = len(variables) + 1
        rows = {"shared": "block", "private": "lane"}.get(space, "grid")
        if space == "generic":
            space = "constant" if variable.constant else "global"
        size = size_of(variable.type)
        if rows == "block" and size == 0 and variable.initializer is None:
            dynamic = number
        symbol = variable.name.removeprefix("@")
        name = variable.variable or module.shared_names.get(variable.name) or plain_name(symbol)
        name = STACK_ALLOCATION.sub(r"shared array \1", name)
        writable = not variable.constant
        variables.append(
            Variable(
                number, name, space, size, rows, writable, variable.initializer, symbol=symbol, align=variable.align
            )
        )
        addresses[variable.name] = base_of(number)
    return variables, function_addresses(module) | outside_addresses(module) | addresses, dynamic


def _allocas(graph: Graph, variables: list[Variable]) -> None:
    lives: dict[int | None, Site] = {
        op.operands[-1].number: op.site
        for block in graph.blocks
        for op in block.ops
        if op.opcode == "call" and op.callee.startswith("@llvm.lifetime.start") and isinstance(op.operands[-1], Ref)
    }
    for block in graph.blocks:
        for op in block.ops:
            if op.opcode not in ("alloca", "call.local"):
                continue
            count = op.attrs["count"]
            if not isinstance(count, Const | None):
                raise Unsupported("alloca of a size that is not constant")
            number = len(variables) + 1
            name = op.attrs.get("called") or _local_name(op.site, lives.get(op.result))
            size = (count.value if count else 1) * size_of(op.attrs["source_type"])
            op.operands = (Const(Int(64), number),)
            rows = "lane" if op.opcode == "alloca" else "frame"
            variables.append(Variable(number, name, "private", size, rows, True, None, op.site))


def _local_name(site: Site, life: Site | None) -> str:
    """What to call a local variable whose name is not known: its line, if that is known."""
    for at in (site, life):
        if at is not None and at.place.known:
            return f"local variable at {at.place.file}:{at.place.line}"
    return f"local variable {site.instruction.name}"
