"""Running a launch natively: it is proved clean, some blocks of it are left to Python, or it is undone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.declarations import ClusterBarrier
from harness.simt.compile.program import Program
from harness.simt.errors import BudgetExceeded
from harness.simt.native.barriers import needs_of
from harness.simt.native.bound import DOUBT, Bound
from harness.simt.native.clusters import CLUSTERS
from harness.simt.native.declined import Declined
from harness.simt.native.layout import FIXED
from harness.simt.native.machine import Code, compiled, cost, known
from harness.simt.observe import Observer, Proof, RunningLaunch
from harness.simt.options import Options
from harness.simt.state.lanes import clusters_of

if TYPE_CHECKING:
    from harness.simt.native.module import Written

__all__ = ["Native", "Tried", "attempt"]

ROUNDS = 100_000_000  # how often lanes may go round in a second of the time limit
# Seconds that Python takes at least for an instruction of a thread.
PLAIN, OBSERVED = 1e-9, 20e-9
LINKING = 0.02  # seconds that code takes at first, though it be compiled


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


def _native_of(program: Program, notes: frozenset[str]) -> Native:
    """What is kept of a kernel."""
    kept = program.made.native
    if notes not in kept:
        from harness.simt.native.module import written  # late: few launches are worth it

        try:
            kept[notes] = Native(written(program, notes))
        except Declined as error:
            kept[notes] = Native(None, error.why)
    native: Native = kept[notes]
    return native


def _worth(engine: RunningLaunch, options: Options, observed: bool, notes: frozenset[str]) -> tuple[Written, Code]:
    """The code, where it takes no longer than Python.

    What a launch takes there is guessed by its size, and known of its like before. Machine code is made once
    it would have cost no more than that; so a kernel does not take much more than twice of that.

    Raises:
        Declined: There is none, or it takes longer.
    """
    program = engine.program
    lanes = int(np.prod(engine.grid)) * int(np.prod(engine.block))
    least = lanes * program.size * (OBSERVED if observed else PLAIN)
    python = math.inf if options.engine == "native" else max(least, program.made.spent)
    if python < LINKING:
        raise Declined("its size")
    native = _native_of(program, notes)
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


@dataclass(frozen=True, slots=True)
class Tried:
    """What native code ran of a launch, proved clean; memory and observers are as after it.

    Attributes:
        reached: The numbers of the segments that ran.
        proof: What was found.
        bound: The memory, and the blocks that are left to Python.
    """

    reached: list[int]
    proof: Proof
    bound: Bound


def attempt(
    engine: RunningLaunch, registers: list[tuple[int, Array]], observers: list[Observer], blocks: int, options: Options
) -> Tried:
    """Runs a launch natively.

    Args:
        engine: The launch, of which nothing has run.
        registers: What it begins with.
        observers: Who would watch it.
        blocks: How many run side by side in Python.
        options: Its limits.

    Raises:
        Declined: It was not proved clean, nor most of it; nothing has changed.
    """
    notes: set[str] = set()
    for observer in observers:
        noted = None if type(observer).adopt is Observer.adopt else observer.notes()
        if noted is None:
            raise Declined(f"the observer {type(observer).__name__}")
        notes |= noted
    gates = (segment.gate for segment in engine.program.segments if segment.gate is not None)
    if engine.cluster_size > 1 or any(isinstance(gate.wait, ClusterBarrier) for gate in gates):
        notes.add(CLUSTERS)
    module, code = _worth(engine, options, bool(observers), frozenset(notes))
    bound = Bound(engine, module, registers, options.max_bytes)
    bound.slots[FIXED["fuel"]] = int(options.max_seconds * ROUNDS)
    order = clusters_of(engine.grid, engine.cluster).reshape(-1)
    total, chunk = len(order), blocks // engine.cluster_size * engine.cluster_size
    try:
        for start in range(0, total, chunk):
            bound.run(code, order[start : start + chunk])
            engine.check_time()
        reached: list[int] = np.flatnonzero(bound.facts["reached"]).tolist()
        atomics = not module.strong.isdisjoint(reached)
        if len(bound.left) == total or (bound.left and atomics):  # which blocks share
            raise Declined(DOUBT)
        bound.settle()
        bound.finish()
        needs = needs_of(module.lines, bound.facts["passed"], bound.facts["needed"])
        proof = Proof(
            needed=needs.alone,
            needless=needs.nowhere,
            sure=needs.sure and not (atomics or bound.left or CLUSTERS in notes),
            atomics=atomics,
            partial=bool(bound.left),
            exchanged=bool(bound.slots[FIXED["exchanged"]]),
            totals=bound.totals,
            touched=bound.touched,
            cells=bound.cells(),
            grain=module.layout.grain,
        )
        for observer in observers:
            if not observer.adopt(engine, proof):
                raise Declined(f"what {type(observer).__name__} may have to tell")
    except BudgetExceeded:
        bound.undo()
        raise Declined("the time that it takes") from None
    except BaseException as error:
        bound.undo()
        _native_of(engine.program, module.notes).unproved |= isinstance(error, Declined)
        raise
    return Tried(reached, proof, bound)
