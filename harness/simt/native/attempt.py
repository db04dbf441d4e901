"""Running a launch natively: it is proved clean, some blocks of it are left to Python, or it is undone."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from harness.simt.arrays import Array
from harness.simt.compile.program import Program
from harness.simt.declined import Cause, Declined, Missing, Reason, UnknownObserver
from harness.simt.errors import BudgetExceeded
from harness.simt.native.analysis.notes import CLUSTERS, WARPS
from harness.simt.native.emit.block_shape import BlockShape
from harness.simt.native.emit.context import CREDIT, NEVER
from harness.simt.native.execution.blocks import BlockRunner
from harness.simt.native.execution.worker import Strayed, Worker, geometry_values
from harness.simt.native.jit.compiler import BEST, QUICKER, Code, compiled, cost, known
from harness.simt.native.lower.call_frames import check_launch
from harness.simt.native.sanitize.counting import TURNS
from harness.simt.observe import Observer, Proof, RunningLaunch
from harness.simt.options import Options
from harness.simt.stopwatch import Stopwatch

if TYPE_CHECKING:
    from harness.simt.native.module import KernelModule

__all__ = ["CompiledKernel", "Tried", "attempt"]

# Seconds that Python takes at least for an instruction of a thread.
PLAIN, OBSERVED = 1e-9, 20e-9
LONG = 2  # times what optimising takes: code that runs for as long is worth optimising further
LINKING = 0.02  # seconds that code takes at first, though it be compiled
LOOSE = {CLUSTERS, WARPS}  # notes of code in which barriers of a block may not be all that orders
KEPT = 1 << 20  # bytes of a worker that waits for the next launch


@dataclass(slots=True, eq=False)
class CompiledKernel:
    """A kernel's native code, or why there is none.

    Attributes:
        best: Optimised well, for blocks of a shape.
        code, quick: Optimised, or not; None where it has not been worth compiling yet, or there is nothing to compile.
        took: Seconds that it ran.
        cause: Why there is nothing to compile; None where there is.
        unproved: Whether a launch of it was not proved clean.
        credit: How far it is trusted that blocks go as others went.
        idle: Who ran the last one, and launches of which shape may take it.
    """

    written: KernelModule | None
    cause: Cause | None = None
    code: Code | None = None
    quick: Code | None = None
    took: float = 0.0
    unproved: bool = False
    credit: int = CREDIT
    idle: tuple[tuple[object, ...], Worker] | None = None
    best: dict[tuple[int, ...], tuple[KernelModule, Code]] = field(default_factory=dict)

    def run(self, bound: BlockRunner, code: Code, blocks: int) -> None:
        """Lends a worker to a launch, and runs it."""
        engine = bound.engine
        memory = bound.memory
        shape = bound.module, engine.grid, engine.block, engine.cluster, memory.form.sizes, len(memory.rows)
        idle, self.idle = self.idle, None  # nobody else has it meanwhile
        worker = Worker(engine, bound.module, memory.rows) if idle is None or idle[0] != shape else idle[1]
        try:
            bound.run(code, worker, blocks)
        finally:
            worker.end()
            if worker.bytes <= KEPT and not worker.worn:
                self.idle = shape, worker


def _native_of(program: Program, notes: frozenset[str]) -> CompiledKernel:
    """What is kept of a kernel."""
    kept = program.made.native
    if notes not in kept:
        from harness.simt.native.module import write_module  # late: few launches are worth it

        try:
            kept[notes] = CompiledKernel(write_module(program, notes))
        except Declined as error:
            kept[notes] = CompiledKernel(None, error.cause)
    native: CompiledKernel = kept[notes]
    return native


def _worth(
    engine: RunningLaunch, options: Options, observed: bool, notes: frozenset[str]
) -> tuple[CompiledKernel, KernelModule, Code]:
    """The code, where it takes no longer than Python.

    What a launch takes there is guessed by its size, and known of its like before. Machine code is made once it would
    have cost no more than that, and optimised once that would have cost no more than running it; so a kernel does not
    take much more than twice of that.

    Raises:
        Declined: There is none, or it takes longer.
    """
    program = engine.program
    lanes = math.prod(engine.grid) * math.prod(engine.block)
    least = lanes * program.size * (OBSERVED if observed else PLAIN)
    python = math.inf if options.engine == "native" else max(least, program.made.spent)
    if python < LINKING:
        raise Declined(Reason.SIZE)
    native = _native_of(program, notes)
    if native.written is None:
        assert native.cause is not None
        raise Declined.because(native.cause)
    text = native.written.text
    if native.unproved and options.engine == "auto" and least < cost(text):
        raise Declined(Reason.UNPROVED_BEFORE)
    best = native.best.get(engine.block)
    if best is None and max(least / QUICKER, native.took) >= LONG * cost(text):
        from harness.simt.native.module import write_module  # as above

        better = write_module(program, notes, BlockShape(engine.block, lambda name: geometry_values(engine, name)))
        made = known(better.text, options.objects, BEST) or compiled(better.text, options.objects, BEST)
        best = native.best[engine.block] = better, made
    if best is not None:
        return native, *best
    native.code = native.code or known(text, options.objects)
    if native.code is None and max(python / QUICKER, native.took) >= cost(text):
        native.code = compiled(text, options.objects)
    if native.code is None:
        native.quick = native.quick or known(text, options.objects, 0)
    if native.code is None and native.quick is None:
        if python < cost(text) / QUICKER:
            raise Declined(Reason.SIZE)
        native.quick = compiled(text, options.objects, 0)
    code = native.code or native.quick
    assert code is not None
    return native, native.written, code


class Tried(NamedTuple):
    """What native code ran of a launch, proved clean; memory and observers are as after it.

    Attributes:
        reached: The numbers of the segments that ran.
        proof: What was found.
        bound: The memory, and the blocks that are left to Python.
        stopwatch: Started when there was code for it.
    """

    reached: tuple[int, ...]
    proof: Proof
    bound: BlockRunner
    stopwatch: Stopwatch


def _proved(native: CompiledKernel, bound: BlockRunner, code: Code, blocks: int) -> bool:
    """Runs the blocks; whether there were atomic or volatile accesses of what others may touch.

    Raises:
        Declined: None of them was proved clean, or what is left may have to do with others.
    """
    native.run(bound, code, blocks)
    atomics = not bound.module.strong.isdisjoint(bound.reached)
    if len(bound.left) == math.prod(bound.engine.grid) or (bound.left and atomics):  # which blocks share
        raise Declined(Reason.DOUBT)
    return bound.strong


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
    noted = [(one, None if type(one).adopt is Observer.adopt else one.notes()) for one in observers]
    if unknown := tuple(dict.fromkeys(type(one).__name__ for one, names in noted if names is None)):
        raise UnknownObserver(unknown)
    notes = {name for _, names in noted for name in names or ()}
    if engine.cluster_size > 1:
        notes.add(CLUSTERS)
    if "ways" in notes and math.prod(engine.grid) == 1:
        raise Declined(Reason.COUNTING_ALONE)
    try:
        native, module, code = _worth(engine, options, bool(observers), frozenset(notes))
    except Missing as error:
        engine.program.made.native[frozenset(notes)] = CompiledKernel(None, error.cause)
        raise
    check_launch(engine, module.layout, options)
    stopwatch, bound = Stopwatch(), BlockRunner(engine, module, registers, options, native.credit)
    try:
        try:
            atomics = _proved(native, bound, code, blocks)
            wrong = bound.left
            if wrong:  # how far these came nobody knows, nor whether others do: once more, without
                bound.memory.undo()
                bound = BlockRunner(engine, module, registers, options, native.credit, wrong)
                atomics = _proved(native, bound, code, blocks)
            reached, needs, like = bound.reached, bound.needs, bound.like()
            if (like and atomics) or (module.notes & {"global", "ways"} and options.spin_steps < 4 * TURNS):
                raise Declined(Reason.COUNTING_ORDER)
        except Strayed:
            bound.memory.undo()
            native.credit = NEVER
            return attempt(engine, registers, observers, blocks, options)._replace(stopwatch=stopwatch)
        bound.settle()
        proof = Proof(
            needed=needs.alone,
            needless=needs.nowhere,
            sure=needs.sure and not (atomics or wrong or module.notes & LOOSE),
            atomics=atomics,
            partial=bool(wrong),
            exchanged=bound.exchanged,
            totals=bound.totals,
            touched=bound.touched,
            writers=bound.writers,
            like=like,
            cells=bound.users,
            grain=module.layout.grain,
        )
        for observer in observers:
            if not observer.adopt(engine, proof):
                raise Declined(Reason.OBSERVER_DOUBT, observer=type(observer).__name__)
    except BudgetExceeded:
        bound.memory.undo()
        raise Declined(Reason.TIME) from None
    except BaseException as error:
        bound.memory.undo()
        native.unproved |= isinstance(error, Declined)
        raise
    native.took += stopwatch.seconds
    return Tried(reached, proof, bound, stopwatch)
