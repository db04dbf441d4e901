"""What a launch begins with: its allocations, and the registers of the kernel's parameters."""

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
from harness.simt.ir.module import Aggregate, Operand, Text, Undef, Zero
from harness.simt.ir.types import BFLOAT, element_of, leaves, size_of
from harness.simt.ir.types import Array as ArrayType
from harness.simt.ir.values import FIRST, bfloat_value, constant_leaves, octets_of
from harness.simt.run.bound import Argument, Bound, Leaf, Region
from harness.simt.run.engine import Engine
from harness.simt.state.allocation import Access, Allocation

__all__ = ["Setup", "chunk_blocks"]

PRIVATE_LIMIT = 1 << 27
IMPLICIT_BYTES = 256
STRIDE = attrgetter("stride")


class Setup:
    """The allocations of a launch, and the registers it begins with."""

    def __init__(
        self, engine: Engine, bound: Bound, dynamic_shared_bytes: int, constants: Mapping[str, bytes] | None = None
    ) -> None:
        self.engine, self.program, self.memory = engine, engine.program, engine.memory
        program = self.program
        engine.dynamic_shared_bytes = dynamic_shared_bytes
        self.per_block: list[Allocation] = []
        self.per_lane: list[Allocation] = []
        for variable in program.variables:
            size = dynamic_shared_bytes if variable.number == program.dynamic else variable.size
            self._variable(variable, size, constants.get(variable.symbol, b"") if constants else b"")
        for variable in program.variables:
            if variable.rows == "frame":
                self._frames(variable)
        self.registers: list[tuple[int, Array]] = []
        for region in bound.regions:
            self._region(region)
        for argument in bound.arguments:
            self._argument(argument)
        engine.implicit = self._implicit()
        if len(self.memory.allocations) > FIRST:
            held = f"{len(program.variables)} variables, and there can be {FIRST}"
            raise LaunchError(f"kernel {program.name} is too large to be simulated: it has {held}")

    def _variable(self, variable: Variable, size: int, given: bytes) -> None:
        rows = "lane" if variable.rows == "frame" else variable.rows
        allocation = self._add(variable.name, variable.space, size, rows=rows, writable=variable.writable)
        assert allocation.number == variable.number
        if rows == "lane":
            self.per_lane.append(allocation)
        elif rows == "grid":
            if size > (most := self.engine.options.max_bytes):
                raise LaunchError(
                    f"{variable.name} has {size} bytes, and {most} are allowed; make it smaller or raise max_bytes"
                )
            allocation.data = _initial(variable, self.program)
            allocation.data[: len(given)] = np.frombuffer(given, np.uint8)

    def _frames(self, variable: Variable) -> None:
        """A local variable for each depth of calls: the first has the variable's number, the others get bytes later."""
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
        """One more allocation of the launch, which has the next number."""
        allocation = Allocation(len(self.memory.allocations), name, space, size, **options)
        self.memory.allocations.append(allocation)
        if allocation.rows == "block":
            self.per_block.append(allocation)
        elif allocation.rows == "lane":
            self.memory.private.append(allocation.number)
        return allocation

    def _region(self, region: Region) -> None:
        """An array of the host, or several that overlap."""
        facts = {"writable": region.writable, "argument": region.argument, "granule": region.granule}
        allocation = self._add(region.name, "global", len(region.data), data=region.data, **facts)
        region.allocation = allocation
        if region.undefined is not None and self.engine.observation.tracked:
            origin = self.engine.observation.origin("argument", region.name)
            allocation.shadow = np.where(region.undefined, np.int32(origin), np.int32(0))

    def _argument(self, argument: Argument) -> None:
        """The registers of a parameter, or its place in memory."""
        number, _ = self.program.params[argument.position]
        slot = self.program.slots[number]
        if argument.indirect is None:
            for position, leaf in enumerate(argument.leaves, slot):
                address = self._address(leaf)
                value = leaf.scalar if address is None else np.array([address])
                self.registers.append((position, bfloat_value(value) if element_of(leaf.type) is BFLOAT else value))
            return
        whole = bytearray(max(8, size_of(argument.indirect)) if argument.octets is None else argument.octets.data)
        for leaf in argument.leaves:
            address = self._address(leaf)
            octets = leaf.scalar.tobytes() if address is None else address.to_bytes(8, "little")
            whole[leaf.offset : leaf.offset + len(octets)] = octets
        block, pointer = _parameter(len(self.memory.allocations), argument.position, bytes(whole))
        self.memory.allocations.append(block)
        self.registers.append((slot, pointer))

    def _address(self, leaf: Leaf) -> int | None:
        """The address that a pointer holds; None for a number."""
        if leaf.region is not None and leaf.region.allocation is not None:
            return leaf.region.allocation.base + leaf.start
        if leaf.shared is not None:
            return self._add(leaf.name, "shared", leaf.shared, rows="block").base
        return None

    def _implicit(self) -> dict[str, int]:
        """What the AMD runtime puts behind the kernel's arguments and elsewhere."""
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
        named = ("implicitarg", "implicit arguments", hidden), ("dispatch", "dispatch packet", dispatch)
        return {
            key: self._add(name, "constant", len(data), data=data, writable=False).base for key, name, data in named
        }


@lru_cache
def _parameter(number: int, position: int, octets: bytes) -> tuple[Allocation, Array]:
    """A parameter in memory, and the register with its address: nobody writes there, so launches have it in common."""
    data = np.frombuffer(bytearray(octets), np.uint8)
    name = f"parameter {position}"
    block = Allocation(number, name, "param", len(data), data=data, writable=False, argument=position)
    return block, np.array([block.base])


def _initial(variable: Variable, program: Program) -> Array:
    """The bytes that a global variable in global or constant memory begins with, for each launch anew."""
    kept = program.cache.initial
    if variable.number not in kept:
        kept[variable.number] = np.zeros(variable.size, np.uint8)
        if variable.initial is not None:
            octets = _octets(variable.initial, program)
            kept[variable.number][: len(octets)] = octets
    return kept[variable.number].copy()


def _octets(constant: Operand, program: Program) -> Array:
    """A constant as it lies in memory: an array, which may be large, without a look at each of equal elements."""
    ty = constant.type
    match constant:
        case Zero():
            return np.zeros(size_of(ty), np.uint8)
        case Text(_, data):
            return np.frombuffer(data, np.uint8)
        case Undef() if isinstance(ty, ArrayType) and ty.length:
            return np.tile(_octets(Undef(ty.element), program), ty.length)
        case Aggregate(ArrayType(), elements) if elements:
            return np.concatenate([_octets(element, program) for element in elements])
    whole = np.zeros(size_of(ty), np.uint8)
    for (leaf, offset), array in zip(leaves(ty), constant_leaves(constant, program.address), strict=True):
        octets = octets_of(Access(leaf).encode(array))[0]
        whole[offset : offset + len(octets)] = octets
    return whole


def chunk_blocks(engine: Engine, setup: Setup) -> int:
    """How many blocks run side by side: whole clusters, at least one.

    Raises:
        LaunchError: Their variables would take more of the host's memory than they may; the message names the largest.
    """
    options, threads, cluster = engine.options, math.prod(engine.block), engine.cluster_size
    of_lanes = [*setup.per_lane]
    for frames in engine.frames.values():  # at each depth
        of_lanes += frames[1:]
    private = sum(map(STRIDE, of_lanes))
    lanes = min(options.chunk_lanes, max(1, PRIVATE_LIMIT // private)) if private else options.chunk_lanes
    blocks = cluster * min(max(1, lanes // (threads * cluster)), math.prod(engine.grid) // cluster)
    marks = 5 if engine.observation.tracked else 1  # four more bytes say where an undefined one comes from
    total = marks * blocks * (threads * private + sum(map(STRIDE, setup.per_block)))
    if total <= options.max_bytes:
        return blocks
    rows = [(one, blocks) for one in setup.per_block] + [(one, blocks * threads) for one in of_lanes]
    largest, count = max(rows, key=lambda row: row[0].stride * row[1])
    owner = "block" if largest.rows == "block" else "thread"
    raise LaunchError(
        f"{largest.name} has {largest.size} bytes for each {owner}: simulating {count} of them side by side takes "
        f"{total} bytes of memory, and {options.max_bytes} are allowed; make it smaller or raise max_bytes"
    )
