"""Running a launch natively: it is proved clean as a whole, or undone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.compile import registry
from harness.simt.compile.program import Program
from harness.simt.errors import BudgetExceeded
from harness.simt.ir.types import dtype_of
from harness.simt.native.declined import Declined
from harness.simt.native.layout import ALLOCATION, CELL, FIXED
from harness.simt.native.machine import Code, compiled, cost, known
from harness.simt.observe import Observer, Proof, RunningLaunch
from harness.simt.options import Options
from harness.simt.state.allocation import Allocation
from harness.simt.state.allocations import FIRST
from harness.simt.state.lanes import Geometry

if TYPE_CHECKING:
    from harness.simt.native.module import Written

__all__ = ["Native", "Ran", "attempt"]

ROUNDS = 100_000_000  # how often lanes may go round in a second of the time limit
# Seconds that Python takes at least for an instruction of a thread.
PLAIN, OBSERVED = 1e-9, 20e-9
LINKING = 0.02  # seconds that code takes at first, though it be compiled
ATOMICS = ("atomicrmw", "cmpxchg")
THREADS = 65_533  # of a block: see `runtime`
WAITS = 1 << 24  # how many a chunk may pass before Python looks whether that ever ends


@dataclass(frozen=True, slots=True)
class Ran:
    """What ran a launch.

    Attributes:
        native: How many of its blocks machine code of the host ran.
        python: How many the engine in Python ran.
        why: Why that did, for people; empty where machine code was not asked for, or ran all.
    """

    native: int = 0
    python: int = 0
    why: str = ""


@dataclass(slots=True, eq=False)
class Native:
    """A kernel's native code, or why there is none.

    Attributes:
        code: None where it has not been worth compiling yet, or there is nothing to compile.
        why: Empty where there is something to compile.
        unproved: Whether a launch of it was not proved clean.
    """

    written: Written | None
    why: str = ""
    code: Code | None = None
    unproved: bool = False


def _native_of(program: Program) -> Native:
    """What is kept of a kernel."""
    if program.made.native is None:
        from harness.simt.native.module import written  # late: few launches are worth it

        try:
            program.made.native = Native(written(program))
        except Declined as error:
            program.made.native = Native(None, error.why)
    native: Native = program.made.native
    return native


def _worth(engine: RunningLaunch, options: Options, observed: bool) -> tuple[Written, Code]:
    """The code, where it takes no longer than Python.

    What a launch takes there at least is known by its size, and what its like took before. Machine code is made once
    it would have cost no more than that; so a kernel never takes much more than twice what is the least.

    Raises:
        Declined: There is none, or it takes longer.
    """
    program = engine.program
    lanes = int(np.prod(engine.grid)) * int(np.prod(engine.block))
    least = lanes * program.size * (OBSERVED if observed else PLAIN)
    python = math.inf if options.engine == "native" else max(least, program.made.spent)
    if python < LINKING:
        raise Declined("its size")
    native = _native_of(program)
    if native.written is None:
        raise Declined(native.why)
    text = native.written.text
    if native.unproved and options.engine == "auto" and least < cost(text):
        raise Declined("a launch before, which was not proved clean")
    native.code = native.code or known(text, options.objects)
    if native.code is None:
        if python < cost(text):
            raise Declined("its size")
        native.code = compiled(text, options.objects)
    return native.written, native.code


class _Bound:
    """A launch's memory, as native code sees it."""

    def __init__(self, engine: RunningLaunch, module: Written, registers: list[tuple[int, Array]], most: int) -> None:
        self.engine, self.module, self.waits = engine, module, 0
        self.kept: list[Array] = []
        self.threads = int(np.prod(engine.block))
        width = engine.target.warp if module.warps else self.threads
        if self.threads % width or self.threads > THREADS:
            raise Declined("a warp that is not full" if self.threads % width else "its threads in a block")
        memory = engine.memory
        own, device = memory.allocations, memory.device
        self.rows: list[Allocation | None] = [*own]
        self.rows += [device.get(FIRST + number) for number in range(max(device, default=FIRST - 1) + 1 - FIRST)]
        self.before: list[tuple[Allocation, Array, Array | None]] = []
        self.written: list[tuple[Allocation, Array]] = []
        shadowed = sum(allocation.size for allocation in self.rows if allocation is not None and allocation.writable)
        if shadowed * (CELL + 2) // module.layout.grain > most:
            raise Declined("the memory that it takes")
        self.table: Integers = np.zeros((len(self.rows), len(ALLOCATION)), np.int64)
        self.ones = self._keep(np.ones(32, np.uint8))
        for number, allocation in enumerate(self.rows):
            if allocation is not None:
                self._allocation(self.table[number], allocation)
        self.slots: Integers = np.zeros(module.layout.slots, np.int64)
        lanes = max(1, module.layout.kept) * self.threads
        self.facts = {
            "needed": self._keep(np.zeros(module.lines + 1, np.uint8)),
            "passed": self._keep(np.zeros(module.lines + 1, np.uint8)),
            "reached": self._keep(np.zeros(len(engine.program.segments), np.uint8)),
        }
        given = {
            "table": _at(self.table),
            "own": len(own),
            "count": len(self.rows),
            "threads": self.threads,
            "width": width,
            "spill": _at(self._keep(np.empty(lanes, np.uint8))),
            "snapshot": _at(self._keep(np.empty(lanes, np.uint8))),
            **{name: _at(array) for name, array in self.facts.items()},
        }
        for name, value in given.items():
            self.slots[FIXED[name]] = value
        values, raw = dict(registers), self.slots.view(np.uint8)
        for (number, leaf), slot in module.layout.params.items():
            octets = np.ascontiguousarray(values[engine.program.slots[number] + leaf]).reshape(-1).view(np.uint8)
            raw[8 * slot : 8 * slot + len(octets)] = octets

    def _keep(self, array: Array) -> Array:
        self.kept.append(array)
        return array

    def _allocation(self, row: Integers, allocation: Allocation) -> None:
        rows = {"grid": 0, "block": 1, "lane": self.threads}[allocation.rows]
        data = self._keep(np.empty(rows * allocation.stride + 16, np.uint8)) if rows else allocation.data
        written, mask = self.ones, 0
        if rows:
            written, mask = self._keep(np.zeros(len(data), np.uint8)), -1
        elif allocation.shadow is not None:
            written, mask = self._keep((allocation.shadow == 0).astype(np.uint8)), -1
            self.written.append((allocation, written))
        cells = 0
        if allocation.writable and allocation.rows != "lane":
            grain = self.module.layout.grain
            cells = _at(self._keep(np.zeros((allocation.size // grain + 2) * CELL, np.uint8)))
        if allocation.writable and not rows:
            self.before.append((allocation, allocation.data.copy(), allocation.shadow))
        facts = {
            "data": _at(data) if len(data) else _at(self.ones),
            "size": allocation.size,
            "stride": allocation.stride if allocation.rows == "lane" else 0,
            "writable": allocation.writable,
            "cells": cells,
            "start": rows == 0,
            "written": _at(written) if len(written) else _at(self.ones),
            "mask": mask,
            "fresh": rows * allocation.stride,
        }
        for name, value in facts.items():
            row[ALLOCATION[name]] = value

    def run(self, code: Code, blocks: Integers) -> None:
        """Runs some blocks.

        Raises:
            Declined: They are not proved clean.
        """
        engine = self.engine
        geometry = Geometry(blocks, engine.grid, engine.block, engine.cluster, engine.target.warp)
        held = []
        for (name, ty), slot in self.module.layout.geometry.items():
            handler = registry.TABLE[name].handler
            assert handler is not None
            values = np.ascontiguousarray(handler(engine, geometry.root))
            if values.dtype != dtype_of(ty) or values.ndim != 1:
                raise Declined(name)
            held.append(values)
            self.slots[slot] = _at(values)
            self.slots[slot + 1] = 0 if len(values) == 1 else values.itemsize
        self.slots[FIXED["rounds"]] = WAITS
        if code(_at(self.slots), len(blocks)):
            raise Declined("something that may have to be told")
        self.waits += WAITS - int(self.slots[FIXED["rounds"]])

    def undo(self) -> None:
        """Memory is as it was."""
        for allocation, data, shadow in self.before:
            allocation.data[:] = data
            allocation.shadow = shadow

    def finish(self) -> None:
        """What was written is no longer undefined."""
        for allocation, marks in self.written:
            assert allocation.shadow is not None
            allocation.shadow = np.where(marks != 0, np.int32(0), allocation.shadow)


def _at(array: Array) -> int:
    return int(array.__array_interface__["data"][0])


def attempt(
    engine: RunningLaunch, registers: list[tuple[int, Array]], observers: list[Observer], blocks: int, options: Options
) -> tuple[list[int], int]:
    """Runs a launch natively.

    Args:
        engine: The launch, of which nothing has run.
        registers: What it begins with.
        observers: Who would watch it.
        blocks: How many run side by side in Python.
        options: Its limits.

    Returns:
        The numbers of the segments that ran, and how many stretches from wait to wait did; all of it is proved clean,
        and memory and observers are as after it.

    Raises:
        Declined: It was not, and nothing has changed.
    """
    for observer in observers:
        if type(observer).adopt is Observer.adopt:
            raise Declined(f"the observer {type(observer).__name__}")
    if engine.cluster_size > 1:
        raise Declined("clusters of blocks")
    module, code = _worth(engine, options, bool(observers))
    bound = _Bound(engine, module, registers, options.max_bytes)
    bound.slots[FIXED["fuel"]] = int(options.max_seconds * ROUNDS)
    total = int(np.prod(engine.grid))
    try:
        for start in range(0, total, blocks):
            bound.run(code, np.arange(start, min(start + blocks, total)))
            engine.check_time()
        bound.finish()
        reached: list[int] = np.flatnonzero(bound.facts["reached"]).tolist()
        ran = (op for number in reached for op in engine.program.segments[number].ops)
        proof = Proof(
            needless=bool((bound.facts["passed"] & ~bound.facts["needed"] & 1).any()),
            atomics=any(op.opcode in ATOMICS for op in ran),
        )
        for observer in observers:
            if not observer.adopt(engine, proof):
                raise Declined(f"what {type(observer).__name__} may have to tell")
    except BudgetExceeded:
        bound.undo()
        raise Declined("the time that it takes") from None
    except BaseException as error:
        bound.undo()
        _native_of(engine.program).unproved |= isinstance(error, Declined)
        raise
    return reached, bound.waits
