"""A kernel made ready to run: segments, live values, fixed addresses.

A segment is a piece of a block that lanes run without waiting; what makes them
wait (a barrier, a shuffle) begins a new one. Segments are numbered in the order
they should run, and turned into Python functions when first reached.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from harness.simt.arrays import Array
from harness.simt.capabilities import Use
from harness.simt.compile.byval import copy_changed
from harness.simt.compile.calls import keep_values, signature_of, signature_text
from harness.simt.compile.declarations import Barrier, Wait
from harness.simt.compile.flatten import flatten
from harness.simt.compile.graph import Graph
from harness.simt.compile.loop_control import LoopControl
from harness.simt.compile.parameters import Uses, passed_in_memory, uses_of
from harness.simt.compile.registry import Intrinsic
from harness.simt.compile.requirements import uses_of_lacking
from harness.simt.compile.segments import Gate, Segment, behind, intrinsic_of, segments_of
from harness.simt.compile.variables import Variable, global_variables, globals_used, number_local_variables
from harness.simt.errors import Unsupported
from harness.simt.ir.function_table import FunctionTable
from harness.simt.ir.module import Const, Expr, Function, GlobalRef, Operand, Param
from harness.simt.ir.names import demangle, find_kernel, source_name
from harness.simt.ir.parse import Module
from harness.simt.ir.site import Site
from harness.simt.ir.sizes import ADDRESS_BITS, to_signed
from harness.simt.ir.types import Type, bits_of, leaves
from harness.simt.ir.values import SHIFT, strides
from harness.simt.state.lanes import Dim, GeometryCache, LaneSet
from harness.simt.state.merge import Values
from harness.simt.state.window import SharedWindow, assign_offsets
from harness.simt.targets import SimulatedTarget

__all__ = ["Made", "Program", "SegmentFunction", "compile_kernel"]

# Takes the engine, the lanes that run a segment and the values of its phis.
SegmentFunction: TypeAlias = Callable[[Any, LaneSet, Values], None]


@dataclass(slots=True, eq=False)
class Made:
    """What launches make of a program and keep for the next.

    Attributes:
        functions: Compiled segments, by number.
        origins: What the taints from `BROKEN` on stand for: (kind, source, site).
        fidelity: Operation to `exact` (bit for bit what the architecture defines), `may fuse` (as written, but the
            compiler may contract it into an fma), `approximate` (hardware may differ in the last places) or `unknown`
            (refused).
        noted: The segments whose instructions stand there, by number.
        fitting: Grids, blocks and clusters that are known to fit the target and the kernel.
        geometry: Of the last chunk that ran, for the next to share.
        initial: The bytes that global variables begin with, by their numbers.
        loops: What decides whether lanes leave a loop, by the number of its head.
        native: Machine code of it, or why there is none, by what it notes; see `harness.simt.native`.
        identity: What tells the kernel from all others, in other processes too.
        history: What is known of it from other processes; see `harness.simt.native.history`.
        lockstep: Whether machine code counts everything of each block, since no block can stand for others.
        spent: The seconds of CPU that its launches took interpreted.
        rate: Those of the last of them for each of its threads.
    """

    functions: dict[int, SegmentFunction] = field(default_factory=dict)
    origins: list[tuple[str, str, Site | None]] = field(default_factory=list)
    fidelity: dict[str, str] = field(default_factory=dict)
    noted: set[int] = field(default_factory=set)
    fitting: set[tuple[Dim, Dim, Dim]] = field(default_factory=set)
    geometry: GeometryCache | None = None
    initial: dict[int, Array] = field(default_factory=dict)
    loops: dict[int, LoopControl] = field(default_factory=dict)
    native: dict[frozenset[str], Any] = field(default_factory=dict)
    identity: str = ""
    history: Any = None
    lockstep: bool = False
    spent: float = 0.0
    rate: float = 0.0

    def interpreted(self, seconds: float, threads: int) -> None:
        """Note what a launch of so many threads took interpreted."""
        self.spent += seconds
        self.rate = seconds / threads


@dataclass(frozen=True, eq=False, kw_only=True)
class Program:
    """What `compile_kernel` makes.

    Attributes:
        name: The kernel's name in the source; its symbol where that is not known.
        segments: In the order of their numbers; 0 is the entry.
        gates: Segment number to what lanes wait for there.
        variables: Global variables and allocas.
        params: (value number, Param) for each parameter.
        addresses: Of global variables, by name with the `@`.
        functions: The addresses of functions.
        dynamic: The number of the variable whose size the launch gives, or None.
        uses: What the kernel does with its parameters.
        in_memory: For each parameter the type of what lies in memory where it points, or None where it is a value.
        registers: The value that each register belongs to, by number: one for each leaf of what outlives a segment.
        slots: The register of the first leaf of a value, by its number; those of the others follow.
        places: Where variables in shared memory lie, as `state.window` has it.
        static_shared_bytes: Of a block: what the kernel touches; a module's other kernels have their own.
        called: What is declared of the intrinsics that it calls.
        copies: Whether it begins copies that are waited for later.
        clocked: Whether it reads a clock, or asks for the lanes that happen to be there, where lanes of a warp are
            independent.
        callable: The name and the signature of each function, by address, where there are calls by address.
        outside: The name of each function without a body, by its address; it is refused where it is called.
        lacking: The instructions that need a capability which the target lacks.
        made: What launches keep beside it.
    """

    name: str
    function: Function
    graph: Graph
    segments: tuple[Segment, ...]
    gates: Mapping[int, Gate[Wait]]
    variables: tuple[Variable, ...]
    params: tuple[tuple[int, Param], ...]
    target: SimulatedTarget
    addresses: Mapping[str, int]
    functions: FunctionTable
    dynamic: int | None
    uses: Uses
    in_memory: tuple[Type | None, ...]
    registers: tuple[int, ...]
    slots: Mapping[int, int]
    places: Mapping[int, int]
    static_shared_bytes: int
    called: tuple[Intrinsic, ...]
    copies: bool
    clocked: bool
    callable: Mapping[int, tuple[str, str]]
    outside: Mapping[int, str]
    lacking: Mapping[Site, Use]
    made: Made = field(default_factory=Made)

    @cached_property
    def instructions(self) -> tuple[int, int]:
        """How many there are, and how many of them are loads and stores."""
        return self._counted(1)

    @cached_property
    def repeated(self) -> tuple[int, int]:
        """About how many of these a thread runs at least: those of loops a few times."""
        return self._counted(ROUNDS)

    def _counted(self, rounds: int) -> tuple[int, int]:
        all_of_them = accesses = 0
        for segment in self.segments:
            times = 1 if segment.loop is None else rounds
            all_of_them += times * len(segment.ops)
            accesses += times * sum(op.opcode in ("load", "store", "atomicrmw", "cmpxchg") for op in segment.ops)
        return all_of_them, accesses

    @cached_property
    def elements(self) -> dict[tuple[int, int], Type]:
        """What alone is read and written through a pointer, where that is known; the places are those of `Uses`."""
        known = ((place, types) for place, types in self.uses.elements.items() if place[0] not in self.uses.unknown)
        return {place: next(iter(types)) for place, types in known if len(types) == 1}

    @cached_property
    def takes(self) -> tuple[tuple[str, Type | None, Type], ...]:
        """Of each parameter its name, its type where it lies in memory, and the type of its value."""
        function = self.function
        return tuple(
            (function.named.parameters.get(position, f"argument {position}"), indirect, indirect or param.type)
            for position, (param, indirect) in enumerate(zip(function.params, self.in_memory, strict=True))
        )

    @cached_property
    def symbol(self) -> str:
        """The kernel's symbol."""
        return self.function.name.removeprefix("@")

    @cached_property
    def behind(self) -> dict[Site, frozenset[int]]:
        """For each barrier of a block the segments that only those run who passed it, or went around it."""
        barriers = [number for number, gate in self.gates.items() if isinstance(gate.wait, Barrier)]
        return {self.gates[number].site: numbers for number, numbers in behind(self.segments, barriers).items()}

    @cached_property
    def window(self) -> SharedWindow:
        """Shared memory as 32-bit addresses in constants see it."""
        return SharedWindow(self.places)

    def address(self, operand: Operand) -> int:
        """Return the value of a global's address or of a constant expression, wrapped to its type."""
        return to_signed(self._constant(operand), bits_of(operand.type) or ADDRESS_BITS)

    def variable_at(self, operand: Operand) -> int | None:
        """Return the number of the variable that a constant address names, or None; its bounds are not checked."""
        number = self.address(operand) >> SHIFT
        return number if 0 < number <= len(self.variables) else None

    def _constant(self, operand: Operand) -> int:
        match operand:
            case GlobalRef(name):
                if name in self.addresses:
                    return self.addresses[name]
                if name in self.functions:
                    return self.functions.address(name)
                raise Unsupported(f"the address of {name}")
            case Expr(_, "getelementptr", (pointer, *indices), attrs):
                at = self.address(pointer)
                for step, size in strides(attrs["source_type"], indices):
                    at += size * (step if isinstance(step, int) else self.address(step))
                return at
            case Expr(_, "ptrtoint", (value,)) if self.target.is_small(value.type):
                return int(self.window.address(np.array([self.address(value)]))[0])
            case Expr(ty, "inttoptr", (value,)) if self.target.is_small(ty):
                return int(self.window.pointer(np.array([self.address(value)]))[0])
            case Expr(_, "inttoptr", (value,)):
                return self.address(value) & (1 << bits_of(value.type)) - 1  # what has fewer bits has no sign
            case Expr(_, "addrspacecast" | "bitcast" | "ptrtoint" | "trunc", (value,)):
                return self.address(value)
            case Expr(_, opcode, (left, right)) if opcode in FOLD:
                return FOLD[opcode](self.address(left), self.address(right))
            case Const(_, value):
                return value
        raise Unsupported(f"constant expression {operand}")


ROUNDS = 4  # that a loop goes at least; most go more often
FOLD = {"add": int.__add__, "sub": int.__sub__, "mul": int.__mul__, "xor": int.__xor__}


def compile_kernel(module: Module, kernel: str | None, target: SimulatedTarget) -> Program:
    """Prepares one kernel of a module for a target; cached on the module."""
    programs: dict[tuple[str | None, str], Program] = module.programs
    if (kernel, target.name) not in programs:
        _, name = find_kernel([module], kernel)
        if (name, target.name) not in programs:
            programs[name, target.name] = program = _compile(module, name, target)
            program.made.identity = f"{module.digest} {name} {target.name}"
        programs[kernel, target.name] = programs[name, target.name]
    return programs[kernel, target.name]


def _compile(module: Module, symbol: str, target: SimulatedTarget) -> Program:
    function = module.function(f"@{symbol}")
    graph = flatten(module, function, target.vendor == "nvidia")
    in_memory = passed_in_memory(function)
    uses = uses_of(graph, in_memory)
    if copy_changed(function, graph, uses):
        uses = uses_of(graph, in_memory)
    if graph.calls:
        keep_values(graph)
    used = globals_used(graph)
    variables, addresses, dynamic = global_variables(module, target, used)
    number_local_variables(graph, variables)
    segments = segments_of(graph)
    params = tuple((ref.number, param) for ref, param in zip(graph.params, function.params, strict=True))
    registers, slots = _registers(graph, segments)
    outside: dict[int, str] = {}
    callable_: dict[int, tuple[str, str]] = {}
    if graph.calls:
        for name in module.functions.names:
            address, plain = module.functions.address(name), name.removeprefix("@")
            if module.defines(name):
                callable_[address] = plain, signature_text(signature_of(module.function(name, body=False)))
            else:
                outside[address] = plain
    # What the launch gives the size of comes last, so that all places are known before.
    blocks = [variable for variable in variables if variable.rows == "block"]
    blocks.sort(key=lambda variable: variable.number == dynamic)
    sizes = ((variable.number, variable.size, variable.align) for variable in blocks)
    found = (intrinsic_of(op) for segment in segments for op in segment.ops)
    called = list({id(intrinsic): intrinsic for intrinsic in found if intrinsic is not None}.values())
    copies = any(intrinsic.copies for intrinsic in called)
    meets = [intrinsic.waits is not None or not target.independent for intrinsic in called if intrinsic.exchanges]
    return Program(
        name=source_name(module, symbol) or demangle(symbol),
        function=function,
        graph=graph,
        segments=segments,
        gates={segment.number: segment.gate for segment in segments if segment.gate is not None},
        variables=tuple(variables),
        params=params,
        target=target,
        addresses=addresses,
        functions=module.functions,
        dynamic=dynamic,
        uses=uses,
        in_memory=in_memory,
        registers=registers,
        slots=slots,
        places={number: place for number, place, _ in assign_offsets(sizes)},
        static_shared_bytes=sum(variable.size for variable in blocks if f"@{variable.symbol}" in used),
        called=tuple(called),
        copies=copies,
        clocked=not all(meets) or any(intrinsic.varies for intrinsic in called),
        callable=callable_,
        outside=outside,
        lacking=uses_of_lacking(graph, target),
    )


def _registers(graph: Graph, segments: Iterable[Segment]) -> tuple[tuple[int, ...], dict[int, int]]:
    """See `Program`: those of what segments leave to others, then those of the parameters."""
    registers: list[int] = []
    slots: dict[int, int] = {}
    outliving = [number for segment in segments for number in segment.stores]
    for number in (*outliving, *(ref.number for ref in graph.params)):
        if number not in slots:
            slots[number] = len(registers)
            registers += [number] * len(leaves(graph.types[number]))
    return tuple(registers), slots
