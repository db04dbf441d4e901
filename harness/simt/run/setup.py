"""Set up a launch: its allocations, the registers of the kernel's parameters, and how many blocks a chunk has."""

import math
from collections.abc import Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Any

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.program import Program
from harness.simt.compile.variables import Variable
from harness.simt.errors import LaunchError
from harness.simt.ir.module import Aggregate, ByteString, Operand, Undef, Zero
from harness.simt.ir.types import BFLOAT, element_of, leaves, size_of
from harness.simt.ir.types import Array as ArrayType
from harness.simt.ir.values import FIRST, bfloat_value, constant_leaves, octets_of
from harness.simt.run.bound_arguments import BoundArgument, BoundArguments, HostRegion, Leaf
from harness.simt.run.interpreter import Interpreter
from harness.simt.state.allocation import Access, Allocation

__all__ = ["Setup", "chunk_blocks"]

PRIVATE_LIMIT = 1 << 27
IMPLICIT_BYTES = 256
STRIDE = attrgetter("stride")


class Setup:
    """The allocations of a launch, and its initial registers.

    Attributes:
        per_block, per_lane: The allocations that each block, or each lane, has a row of, without the local variables
            of deeper calls: these are in `Interpreter.frames`.
        registers: (register slot, value) of each parameter.
    """

    def __init__(
        self,
        engine: Interpreter,
        bound: BoundArguments,
        dynamic_shared_bytes: int,
        constants: Mapping[str, bytes] | None = None,
    ) -> None:
        self.engine, self.program, self.memory = engine, engine.program, engine.memory
        program = self.program
        engine.dynamic_shared_bytes = dynamic_shared_bytes
        self.per_block: list[Allocation] = []
        self.per_lane: list[Allocation] = []
        for variable in program.variables:
            size = dynamic_shared_bytes if variable.number == program.dynamic else variable.size
            self._add_variable(variable, size, constants.get(variable.symbol, b"") if constants else b"")
        for variable in program.variables:
            if variable.rows == "frame":
                self._add_frames(variable)
        self.registers: list[tuple[int, Array]] = []
        for region in bound.regions:
            self._add_region(region)
        for argument in bound.arguments:
            self._set_argument(argument)
        engine.implicit = self._add_implicit_arguments()
        if len(self.memory.allocations) > FIRST:
            contents = f"{len(program.variables)} variables, and there can be {FIRST}"
            raise LaunchError(f"kernel {program.name} is too large to be simulated: it has {contents}")

    def _add_variable(self, variable: Variable, size: int, initial_bytes: bytes) -> None:
        owner = "lane" if variable.rows == "frame" else variable.rows
        allocation = self._add(variable.name, variable.space, size, rows=owner, writable=variable.writable)
        assert allocation.number == variable.number
        if owner == "lane":
            self.per_lane.append(allocation)
        elif owner == "grid":
            if size > (limit := self.engine.options.max_bytes):
                raise LaunchError(
                    f"{variable.name} has {size} bytes, and {limit} are allowed; make it smaller or raise max_bytes"
                )
            allocation.data = _initial_bytes(variable, self.program)
            allocation.data[: len(initial_bytes)] = np.frombuffer(initial_bytes, np.uint8)

    def _add_frames(self, variable: Variable) -> None:
        """Add allocations, without bytes yet, of a local variable for the call depths after the first.

        `engine.frames` lists all: first the one that the variable has already.

        Raises:
            LaunchError: The launch has more than `FIRST` allocations then.
        """
        first = self.memory.allocations[variable.number]
        frames = self.engine.frames[variable.number] = [first]
        for _ in range(1, self.engine.options.call_depth):
            frames.append(self._add(first.name, first.space, first.size, rows="lane"))
        if len(self.memory.allocations) > FIRST:
            raise LaunchError(
                f"kernel {self.program.name} has too many local variables for calls {len(frames)} deep: "
                "simulate it with a smaller call_depth"
            )

    def _add(self, name: str, space: str, size: int, **options: Any) -> Allocation:
        """Add an allocation to the launch, with the next number, and return it.

        One with a row for each block is added to `per_block`; of one with a row for each lane, the number is added to
        `Memory.private`, and `per_lane` stays as it is. `options` are further arguments of `Allocation`.
        """
        allocation = Allocation(len(self.memory.allocations), name, space, size, **options)
        self.memory.allocations.append(allocation)
        if allocation.rows == "block":
            self.per_block.append(allocation)
        elif allocation.rows == "lane":
            self.memory.private.append(allocation.number)
        return allocation

    def _add_region(self, region: HostRegion) -> None:
        """Add the allocation of a region of host memory, on its bytes, and set it in the region.

        If undefined values are tracked, undefined bytes get an origin.
        """
        facts = {"writable": region.writable, "argument": region.argument, "granule": region.granule}
        allocation = self._add(region.name, "global", len(region.data), data=region.data, **facts)
        region.allocation = allocation
        if region.undefined is not None and self.engine.observation.tracked:
            origin = self.engine.observation.origin("argument", region.name)
            allocation.shadow = np.where(region.undefined, np.int32(origin), np.int32(0))

    def _set_argument(self, argument: BoundArgument) -> None:
        """Append the values of a parameter, with the slots of their registers, to `registers`.

        One that is passed in memory gets an allocation with its bytes, and one register, with the address of that.
        """
        number, _ = self.program.params[argument.position]
        slot = self.program.slots[number]
        if argument.indirect is None:
            for position, leaf in enumerate(argument.leaves, slot):
                address = self._pointer_value(leaf)
                value = leaf.scalar if address is None else np.array([address])
                self.registers.append((position, bfloat_value(value) if element_of(leaf.type) is BFLOAT else value))
            return
        data = bytearray(max(8, size_of(argument.indirect)) if argument.octets is None else argument.octets.data)
        for leaf in argument.leaves:
            address = self._pointer_value(leaf)
            octets = leaf.scalar.tobytes() if address is None else address.to_bytes(8, "little")
            data[leaf.offset : leaf.offset + len(octets)] = octets
        block, pointer = _make_parameter_block(len(self.memory.allocations), argument.position, bytes(data))
        self.memory.allocations.append(block)
        self.registers.append((slot, pointer))

    def _pointer_value(self, leaf: Leaf) -> int | None:
        """Return the address of the memory that a leaf points to; shared memory is allocated for it at each call.

        None for a number, and for a pointer that is null or was given by its address: their value is `leaf.scalar`.
        """
        if leaf.region is not None and leaf.region.allocation is not None:
            return leaf.region.allocation.base + leaf.start
        if leaf.shared is not None:
            return self._add(leaf.name, "shared", leaf.shared, rows="block").base
        return None

    def _add_implicit_arguments(self) -> dict[str, int]:
        """Add the data that the AMD runtime passes besides the kernel's arguments; return its addresses by name.

        The names are `implicitarg` and `dispatch`. For other vendors nothing is added, and the result is empty.
        """
        if self.program.target.vendor != "amd":
            return {}
        grid, block = self.engine.grid, self.engine.block
        hidden = np.zeros(IMPLICIT_BYTES, np.uint8)
        hidden[:12].view(np.uint32)[:] = grid
        hidden[12:18].view(np.uint16)[:] = block
        hidden[64:66].view(np.uint16)[0] = 3
        dispatch = np.zeros(64, np.uint8)
        dispatch[4:10].view(np.uint16)[:] = block
        dispatch[12:24].view(np.uint32)[:] = np.multiply(grid, block)
        blocks = ("implicitarg", "implicit arguments", hidden), ("dispatch", "dispatch packet", dispatch)
        return {
            key: self._add(name, "constant", len(data), data=data, writable=False).base for key, name, data in blocks
        }


@lru_cache
def _make_parameter_block(number: int, position: int, octets: bytes) -> tuple[Allocation, Array]:
    """Return an allocation with a parameter's bytes, and its address as the value of a register, (1,).

    It is read-only, so equal calls return the same one, also in other launches.

    Args:
        number: The allocation's.
        position: The parameter's.
    """
    data = np.frombuffer(bytearray(octets), np.uint8)
    name = f"parameter {position}"
    block = Allocation(number, name, "param", len(data), data=data, writable=False, argument=position)
    return block, np.array([block.base])


def _initial_bytes(variable: Variable, program: Program) -> Array:
    """Return a fresh copy of a global variable's bytes before a launch: its initial value, or zeros if it has none."""
    cache = program.cache.initial
    if variable.number not in cache:
        cache[variable.number] = np.zeros(variable.size, np.uint8)
        if variable.initial is not None:
            octets = _bytes_of(variable.initial, program)
            cache[variable.number][: len(octets)] = octets
    return cache[variable.number].copy()


def _bytes_of(constant: Operand, program: Program) -> Array:
    """Return the bytes of a constant in memory, uint8; a constant expression has its value in this program.

    They may be a read-only view.
    """
    ty = constant.type
    match constant:
        case Zero():
            return np.zeros(size_of(ty), np.uint8)
        case ByteString(_, data):
            return np.frombuffer(data, np.uint8)
        case Undef() if isinstance(ty, ArrayType) and ty.length:
            return np.tile(_bytes_of(Undef(ty.element), program), ty.length)
        case Aggregate(ArrayType(), elements) if elements:
            return np.concatenate([_bytes_of(element, program) for element in elements])
    content = np.zeros(size_of(ty), np.uint8)
    for (leaf, offset), array in zip(leaves(ty), constant_leaves(constant, program.address), strict=True):
        octets = octets_of(Access(leaf).encode(array))[0]
        content[offset : offset + len(octets)] = octets
    return content


def chunk_blocks(engine: Interpreter, setup: Setup) -> int:
    """Return how many blocks run side by side: whole clusters, at least one cluster, and no more than the grid has.

    `Options.chunk_lanes`, and 128 MiB for local variables, limit them; one cluster may take more.

    Raises:
        LaunchError: Their shared and local variables would take more than `Options.max_bytes` of the host's memory; the
            message names the largest.
    """
    options, threads, cluster = engine.options, math.prod(engine.block), engine.cluster_size
    lane_allocations = [*setup.per_lane]
    for frames in engine.frames.values():  # at each depth
        lane_allocations += frames[1:]
    private = sum(map(STRIDE, lane_allocations))
    lanes = min(options.chunk_lanes, max(1, PRIVATE_LIMIT // private)) if private else options.chunk_lanes
    blocks = cluster * min(max(1, lanes // (threads * cluster)), math.prod(engine.grid) // cluster)
    bytes_per_byte = 5 if engine.observation.tracked else 1  # four more bytes say where an undefined one comes from
    total = bytes_per_byte * blocks * (threads * private + sum(map(STRIDE, setup.per_block)))
    if total <= options.max_bytes:
        return blocks
    candidates = [(allocation, blocks) for allocation in setup.per_block] + [
        (allocation, blocks * threads) for allocation in lane_allocations
    ]
    largest, count = max(candidates, key=lambda candidate: candidate[0].stride * candidate[1])
    owner = "block" if largest.rows == "block" else "thread"
    raise LaunchError(
        f"{largest.name} has {largest.size} bytes for each {owner}: simulating {count} of them side by side takes "
        f"{total} bytes of memory, and {options.max_bytes} are allowed; make it smaller or raise max_bytes"
    )
