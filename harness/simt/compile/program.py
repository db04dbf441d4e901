"""`compile_kernel` turns a module's kernel into a `Program`: segments, gates, variables, registers, addresses, types.

A segment is a part of a basic block that lanes run without waiting; an instruction that makes them wait (a barrier, a
shuffle) starts a new one. Segments are numbered in execution order, and compiled to Python functions when first run.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from harness.simt.capabilities import Use
from harness.simt.compile.byval import copy_modified_parameters
from harness.simt.compile.calls import save_live_values, signature_of, signature_text
from harness.simt.compile.declarations import Barrier, Wait
from harness.simt.compile.flatten import flatten
from harness.simt.compile.graph import ControlFlowGraph
from harness.simt.compile.launch_cache import LaunchCache
from harness.simt.compile.parameters import ParameterUses, analyse_uses, types_in_memory
from harness.simt.compile.registry import Intrinsic
from harness.simt.compile.requirements import find_unsupported_uses
from harness.simt.compile.segments import Gate, Segment, intrinsic_of, segments_after_gates, split_into_segments
from harness.simt.compile.variables import Variable, find_used_globals, number_global_variables, number_local_variables
from harness.simt.errors import Unsupported
from harness.simt.ir.function_table import FunctionTable
from harness.simt.ir.module import Const, Expr, Function, GlobalRef, Operand, Param
from harness.simt.ir.names import demangle, find_kernel, source_name
from harness.simt.ir.parse import Module
from harness.simt.ir.site import Site
from harness.simt.ir.sizes import ADDRESS_BITS, to_signed
from harness.simt.ir.types import Type, bits_of, leaves
from harness.simt.ir.values import SHIFT, strides
from harness.simt.state.window import SharedWindow, assign_offsets
from harness.simt.targets import SimulatedTarget

__all__ = ["Program", "compile_kernel"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Program:
    """A kernel prepared for a target by `compile_kernel`.

    Attributes:
        name: The kernel's name in the source; its symbol if that is not known.
        segments: The segments by number; 0 is the entry.
        gates: What lanes wait for before a segment, by its number.
        variables: Global variables and allocas.
        params: (value number, Param) for each parameter.
        addresses: The addresses of global variables, by name with `@`.
        functions: The addresses of functions.
        dynamic: The number of the dynamic shared memory, whose size the launch gives, or None.
        uses: What the kernel does with its parameters.
        in_memory: For each parameter the type that lies in memory where it points; None if it is passed as a value.
        registers: The number of the value that each register holds a leaf of.
        slots: The register of a value's first leaf, by the value's number; the other leaves follow.
        places: The offsets of variables in shared memory, as `state.window` defines them.
        static_shared_bytes: Bytes of static shared memory that the kernel uses in each block.
        called: The declarations of the intrinsics that it calls.
        copies: Whether it starts asynchronous copies.
        is_time_dependent: Whether it reads a clock, or asks for the active lanes on a target whose lanes are scheduled
            independently.
        callable: (name, signature) of each function by address, if there are calls through pointers.
        undefined_functions: The name of each function without a body, by address; a call of it is refused.
        lacking: The instructions that need a capability that the target lacks.
        cache: What launches of the program keep for later launches.
    """

    name: str
    function: Function
    graph: ControlFlowGraph
    segments: tuple[Segment, ...]
    gates: Mapping[int, Gate[Wait]]
    variables: tuple[Variable, ...]
    params: tuple[tuple[int, Param], ...]
    target: SimulatedTarget
    addresses: Mapping[str, int]
    functions: FunctionTable
    dynamic: int | None
    uses: ParameterUses
    in_memory: tuple[Type | None, ...]
    registers: tuple[int, ...]
    slots: Mapping[int, int]
    places: Mapping[int, int]
    static_shared_bytes: int
    called: tuple[Intrinsic, ...]
    copies: bool
    is_time_dependent: bool
    callable: Mapping[int, tuple[str, str]]
    undefined_functions: Mapping[int, str]
    lacking: Mapping[Site, Use]
    cache: LaunchCache = field(default_factory=LaunchCache)

    @cached_property
    def instructions(self) -> tuple[int, int]:
        """Return (number of instructions in the program, how many of them are loads, stores or atomics of LLVM)."""
        return self._count_instructions(1)

    @cached_property
    def estimated_instructions(self) -> tuple[int, int]:
        """Return `instructions`, but with each instruction in a loop, nested or not, counted `ROUNDS` times."""
        return self._count_instructions(ROUNDS)

    def _count_instructions(self, rounds: int) -> tuple[int, int]:
        instructions = accesses = 0
        for segment in self.segments:
            times = 1 if segment.loop is None else rounds
            instructions += times * len(segment.ops)
            accesses += times * sum(op.opcode in ("load", "store", "atomicrmw", "cmpxchg") for op in segment.ops)
        return instructions, accesses

    @cached_property
    def element_types(self) -> dict[tuple[int, int], Type]:
        """Return the type that is read and written through each pointer of a parameter, where it is the only one, by
        (position, offset) as in `ParameterUses.elements`. Parameters in `ParameterUses.unknown` are left out.
        """
        types_by_place = (
            (place, types) for place, types in self.uses.elements.items() if place[0] not in self.uses.unknown
        )
        return {place: next(iter(types)) for place, types in types_by_place if len(types) == 1}

    @cached_property
    def parameter_types(self) -> tuple[tuple[str, Type | None, Type], ...]:
        """Return (name, type in memory, type) for each parameter.

        The second is that of `in_memory`: None for a parameter passed as a value. Then the third is the type that the
        function declares, else again the type in memory. A name that is unknown is `argument N`, N from 0.
        """
        function = self.function
        return tuple(
            (function.named.parameters.get(position, f"argument {position}"), indirect, indirect or param.type)
            for position, (param, indirect) in enumerate(zip(function.params, self.in_memory, strict=True))
        )

    @cached_property
    def symbol(self) -> str:
        """Return the kernel's symbol, without `@`."""
        return self.function.name.removeprefix("@")

    @cached_property
    def segments_after_barrier(self) -> dict[Site, frozenset[int]]:
        """Return, by the site of each block barrier, the numbers of the segments that it leads to and that do not lead
        back to it; see `segments_after_gates`.
        """
        barriers = [number for number, gate in self.gates.items() if isinstance(gate.wait, Barrier)]
        return {
            self.gates[number].site: numbers
            for number, numbers in segments_after_gates(self.segments, barriers).items()
        }

    @cached_property
    def window(self) -> SharedWindow:
        """Return the mapping between pointers and 32-bit addresses of shared memory, for constants."""
        return SharedWindow(self.places)

    def address(self, operand: Operand) -> int:
        """Return the value of a constant, a constant expression, or the address of a global or function, as a signed
        number of its type's width. Raises `Unsupported` for anything else.
        """
        return to_signed(self._constant(operand), bits_of(operand.type) or ADDRESS_BITS)

    def variable_at(self, operand: Operand) -> int | None:
        """Return the number of the variable that a constant address names, or None if it names none; its bounds are not
        checked.

        Raises `Unsupported` if the address has no constant value.
        """
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


ROUNDS = 4  # a low estimate of a loop's iterations
FOLD = {"add": int.__add__, "sub": int.__sub__, "mul": int.__mul__, "xor": int.__xor__}


def compile_kernel(module: Module, kernel: str | None, target: SimulatedTarget) -> Program:
    """Compile one kernel of a module for a target; the program is cached on the module, by `kernel` and by the symbol,
    each with the target's name.

    Segments are not yet compiled to Python functions.

    Args:
        kernel: A name as `find_kernel` takes it; None if there is only one.

    Raises:
        LaunchError: No kernel, or more than one, has this name.
        DecodeError, Unsupported: Its code cannot be read, or has something that no device has.
    """
    programs: dict[tuple[str | None, str], Program] = module.programs
    if (kernel, target.name) not in programs:
        _, name = find_kernel([module], kernel)
        if (name, target.name) not in programs:
            programs[name, target.name] = program = _compile(module, name, target)
            program.cache.identity = f"{module.digest} {name} {target.name}"
        programs[kernel, target.name] = programs[name, target.name]
    return programs[kernel, target.name]


def _compile(module: Module, symbol: str, target: SimulatedTarget) -> Program:
    function = module.function(f"@{symbol}")
    graph = flatten(module, function, target.vendor == "nvidia")
    in_memory = types_in_memory(function)
    uses = analyse_uses(graph, in_memory)
    if copy_modified_parameters(function, graph, uses):
        uses = analyse_uses(graph, in_memory)
    if graph.calls:
        save_live_values(graph)
    used = find_used_globals(graph)
    variables, addresses, dynamic = number_global_variables(module, target, used)
    number_local_variables(graph, variables)
    segments = split_into_segments(graph)
    params = tuple((ref.number, param) for ref, param in zip(graph.params, function.params, strict=True))
    registers, slots = _allocate_registers(graph, segments)
    undefined_functions: dict[int, str] = {}
    callable_: dict[int, tuple[str, str]] = {}
    if graph.calls:
        for name in module.functions.names:
            address, plain = module.functions.address(name), name.removeprefix("@")
            if module.defines(name):
                callable_[address] = plain, signature_text(signature_of(module.function(name, body=False)))
            else:
                undefined_functions[address] = plain
    # Dynamic shared memory comes last: its size is known only at the launch, and nothing may lie after it.
    blocks = [variable for variable in variables if variable.rows == "block"]
    blocks.sort(key=lambda variable: variable.number == dynamic)
    sizes = ((variable.number, variable.size, variable.align) for variable in blocks)
    intrinsics = (intrinsic_of(op) for segment in segments for op in segment.ops)
    called = list({id(intrinsic): intrinsic for intrinsic in intrinsics if intrinsic is not None}.values())
    copies = any(intrinsic.copies for intrinsic in called)
    synchronises = [
        intrinsic.waits is not None or not target.independent for intrinsic in called if intrinsic.exchanges
    ]
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
        is_time_dependent=not all(synchronises) or any(intrinsic.varies for intrinsic in called),
        callable=callable_,
        undefined_functions=undefined_functions,
        lacking=find_unsupported_uses(graph, target),
    )


def _allocate_registers(graph: ControlFlowGraph, segments: Iterable[Segment]) -> tuple[tuple[int, ...], dict[int, int]]:
    """Return the value of each register, and the first register of each value; see `Program`.

    Values that outlive a segment have registers, and parameters; a value has one for each leaf of its type.
    """
    registers: list[int] = []
    slots: dict[int, int] = {}
    outliving = [number for segment in segments for number in segment.stores]
    for number in (*outliving, *(ref.number for ref in graph.params)):
        if number not in slots:
            slots[number] = len(registers)
            registers += [number] * len(leaves(graph.types[number]))
    return tuple(registers), slots
