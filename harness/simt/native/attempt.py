"""Decide if compiled code pays, compile it, run a launch, undo what is unproved, and hand observers a proof."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from harness.simt.arrays import Array
from harness.simt.compile.program import Program
from harness.simt.declined import Cause, Declined, Missing, Reason
from harness.simt.errors import BudgetExceeded
from harness.simt.native.analysis.notes import CLUSTERS, LOCKSTEP, WARPS
from harness.simt.native.emit.block_shape import BlockShape
from harness.simt.native.emit.body import MANY
from harness.simt.native.emit.context import CREDIT, NEVER
from harness.simt.native.estimate import (
    OPTIMISED,
    QUICK,
    WRITING,
    Costs,
    costs_of,
    interpreting,
    is_slower_unoptimised,
)
from harness.simt.native.execution.blocks import BlockRunner
from harness.simt.native.execution.worker import CannotRestart, Worker, geometry_values
from harness.simt.native.history import History, history_of
from harness.simt.native.jit import compiler
from harness.simt.native.jit.compiler import BEST, QUICKER, Code, compile_module, cost, load_compiled
from harness.simt.native.launch_notes import LaunchNotes, ask_observers, in_lockstep
from harness.simt.native.lower.call_frames import check_launch
from harness.simt.native.sanitize.counting import TURNS
from harness.simt.observe import Observer, Proof, RunningLaunch
from harness.simt.options import Options
from harness.simt.stopwatch import Stopwatch

if TYPE_CHECKING:
    from harness.simt.native.module import KernelModule

__all__ = ["CompiledKernel", "Tried", "attempt", "costs", "has_form"]

WASTED = 0.2  # of the interpreter's time may go into attempts that prove nothing
LONG = 2.5  # times what optimising costs: making the best code, for blocks of a shape
USUAL = 4.0  # times as fast as the interpreter is machine code, at least, where that is not known
LINKING = 0.02  # seconds that code takes at first, though it be compiled
LOOSE = {CLUSTERS, WARPS}  # notes of code in which barriers of a block may not be all that orders
USUALLY = 3.0  # times what is to be done in each process: what launches of one take interpreted
KEPT = 1 << 20  # bytes of a worker that waits for the next launch


@dataclass(slots=True, eq=False)
class CompiledKernel:
    """A kernel's native code, or why there is none.

    Attributes:
        best: By the extents of a block, the module and well optimised code for such blocks.
        code, quick: Optimised, or not; None where it has not been worth compiling yet, or there is nothing to compile.
        took, rate: Seconds that it ran; those of the last launch for each of its threads.
        cause: Why there is nothing to compile; None where there is.
        unproved, wasted: Whether a launch was not proved clean; seconds of CPU until that was known.
        credit: How far it is trusted that blocks go as others went.
        idle: Who ran the last one, and launches of which shape may take it.
    """

    written: KernelModule | None
    cause: Cause | None = None
    code: Code | None = None
    quick: Code | None = None
    took: float = 0.0
    rate: float = 0.0
    unproved: bool = False
    wasted: float = 0.0
    credit: int = CREDIT
    idle: tuple[tuple[object, ...], Worker] | None = None
    best: dict[tuple[int, ...], tuple[KernelModule, Code]] = field(default_factory=dict)

    def saved(self, program: Program) -> float:
        """Estimate the CPU seconds that the interpreter would have taken for the launches that this code proved clean:
        `took` times the ratio of both rates (per thread of the last launch), or times 4 if a rate is unknown.
        """
        ratio = program.cache.rate / self.rate if program.cache.rate and self.rate else USUAL
        return self.took * ratio

    def run(self, bound: BlockRunner, code: Code, chunk: int) -> None:
        """Run the launch of `bound`, which then holds the results; raises and takes `chunk` as `BlockRunner.run` does.

        The worker in `idle` runs it if its last launch had the same shape, otherwise a new worker. That worker becomes
        `idle`, also after an error. If it takes over 1 MiB or has used over 2^30 epochs, `idle` becomes None.
        """
        engine = bound.engine
        memory = bound.memory
        shape = bound.module, engine.grid, engine.block, engine.cluster, memory.form.sizes, len(memory.rows)
        idle, self.idle = self.idle, None  # nobody else has it meanwhile
        worker = Worker(engine, bound.module, memory.rows) if idle is None or idle[0] != shape else idle[1]
        try:
            bound.run(code, worker, chunk)
        finally:
            worker.end()
            if worker.bytes <= KEPT and not worker.is_worn_out:
                self.idle = shape, worker


def _kernel_of(program: Program, notes: frozenset[str]) -> CompiledKernel:
    """Return the kernel that the program's cache keeps for some notes; the first call emits, but does not compile it.
    If emitting is declined, `written` of the kernel is None and `cause` says why; nothing is raised.
    """
    cache = program.cache.native
    if notes not in cache:
        from harness.simt.native.module import write_module  # late: few launches are worth it

        try:
            cache[notes] = CompiledKernel(write_module(program, notes))
        except Declined as error:
            cache[notes] = CompiledKernel(None, error.cause)
    native: CompiledKernel = cache[notes]
    return native


def costs(program: Program) -> Costs:
    """Return the estimated costs of making machine code of a kernel, see `costs_of`; nothing is emitted."""
    return costs_of(program, MANY, compiler.SECONDS / QUICKER, compiler.SECONDS, compiler.CALLS)


def _choose_code(
    engine: RunningLaunch, options: Options, observed: bool, notes: frozenset[str]
) -> tuple[CompiledKernel, KernelModule, Code]:
    """Return the kernel, its module and machine code, if making and running the code pays; always for engine `native`.

    Making it pays if it costs a small part of the time for which this and earlier processes interpreted the kernel.
    What is missing is then emitted, loaded or compiled, and kept in `best`, `code` or `quick` of the kernel. They are
    preferred in this order. The history notes that `code` is there, or gives up if the kernel has no compiled form.

    Raises:
        Declined: There is no form, it does not pay, or (engine `auto`) too much time went into unproved launches.
    """
    program = engine.program
    threads = math.prod(engine.grid) * math.prod(engine.block)
    least = interpreting(program, threads, observed=observed)
    spent = math.inf if options.engine == "native" else max(least, program.cache.cpu_seconds)
    is_unwritten = notes not in program.cache.native
    is_little = spent < LINKING or (is_unwritten and spent < WRITING * costs(program).writing)
    if is_little and not _usually_pays(program, history_of(program, options.objects), threads):
        raise Declined(Reason.SIZE)
    native = _kernel_of(program, notes)
    if native.written is None:
        assert native.cause is not None
        history_of(program, options.objects).give_up(program, options.objects)
        raise Declined.because(native.cause)
    text = native.written.text
    if native.unproved and options.engine == "auto" and native.wasted > WASTED * program.cache.cpu_seconds:
        raise Declined(Reason.UNPROVED_BEFORE)
    best = native.best.get(engine.block)
    if best is None and max(least, native.saved(program)) >= OPTIMISED * LONG * cost(text):
        from harness.simt.native.module import write_module  # as above

        better = write_module(program, notes, BlockShape(engine.block, lambda name: geometry_values(engine, name)))
        best_code = load_compiled(better.text, options.objects, BEST) or compile_module(
            better.text, options.objects, BEST
        )
        best = native.best[engine.block] = better, best_code
    if best is not None:
        return native, *best
    history = history_of(program, options.objects)
    native.code = native.code or load_compiled(text, options.objects)
    everywhere = history.total + program.cache.cpu_seconds
    if native.code is None and max(spent, native.took, everywhere) >= OPTIMISED * cost(text):
        native.code = compile_module(text, options.objects)
    if native.code is not None:
        history.note(program, options.objects, is_compiled=True)
    if native.code is None:
        native.quick = native.quick or load_compiled(text, options.objects, 0)
        if is_slower_unoptimised(program, threads, max(least, threads * (program.cache.rate or history.rate))):
            raise Declined(Reason.SIZE)
    if native.code is None and native.quick is None:
        if max(spent, everywhere) < QUICK * compiler.SECONDS * len(text) / QUICKER:
            raise Declined(Reason.SIZE)
        native.quick = compile_module(text, options.objects, 0)
    code = native.code or native.quick
    assert code is not None
    return native, native.written, code


def _usually_pays(program: Program, history: History, threads: int) -> bool:
    """Return True if machine code pays from the first launch on, since earlier processes interpreted the kernel long
    enough (`history`); False if the history is empty or hopeless. A launch has `threads` threads.
    """
    if not history.usual or history.is_hopeless:
        return False
    needed = costs(program)
    is_worth_making = history.is_compiled or history.total >= OPTIMISED * needed.optimised
    if not is_worth_making and history.total >= QUICK * needed.quick:
        is_worth_making = not is_slower_unoptimised(program, threads, threads * history.rate)
    return is_worth_making and history.usual >= USUALLY * (needed.writing + LINKING)


def has_form(engine: RunningLaunch, observers: list[Observer]) -> bool:
    """Emit the module for the observers that take a proof; return True if it exists, with no launch left unproved."""
    native = _kernel_of(engine.program, ask_observers(engine, observers).notes)
    return native.written is not None and not native.unproved


class Tried(NamedTuple):
    """A launch that compiled code ran and proved clean; memory and observers are as after it.

    Attributes:
        reached: The numbers of the segments that ran.
        proof: The facts for observers.
        bound: The memory, and the blocks that are left to the interpreter.
        stopwatch, spent: Started when there was code for it; what it read once the code had run.
    """

    reached: tuple[int, ...]
    proof: Proof
    bound: BlockRunner
    stopwatch: Stopwatch
    spent: tuple[float, float]


def _proved(native: CompiledKernel, bound: BlockRunner, code: Code, chunk: int) -> bool:
    """Run the blocks; return True if there were atomic or volatile accesses to memory that other blocks may access.

    Raises:
        Declined: No block was proved clean, or some were not (`bound.left`) and segments with such accesses ran.
    """
    native.run(bound, code, chunk)
    atomics = not bound.module.strong.isdisjoint(bound.reached)
    if len(bound.left) == math.prod(bound.engine.grid) or (bound.left and atomics):  # which blocks share
        raise Declined(Reason.DOUBT)
    return bound.strong


def attempt(
    engine: RunningLaunch, registers: list[tuple[int, Array]], launch_notes: LaunchNotes, chunk: int, options: Options
) -> Tried:
    """Run a launch by compiled code, and give the proof to the observers that take one.
    If only the counting was declined, it tries once more in lockstep, and the kernel keeps to that.

    Args:
        registers: The values that the launch begins with, by slot of the program's registers.
        launch_notes: Its observers, and what compiled code notes for them.
        chunk: The number of blocks that the interpreter runs together.

    Raises:
        Declined: It does not pay, takes too long, an observer refuses, or too many blocks were not proved clean (a few
            are undone, and left to the interpreter: `Tried.bound`). Memory is unchanged.
    """
    try:
        return _attempt(engine, registers, launch_notes, chunk, options)
    except Declined as error:
        if LOCKSTEP in launch_notes.notes or not error.cause.reason.is_counting:
            raise
        engine.program.cache.lockstep = True
    return _attempt(engine, registers, launch_notes._replace(notes=in_lockstep(launch_notes.notes)), chunk, options)


def _attempt(
    engine: RunningLaunch, registers: list[tuple[int, Array]], launch_notes: LaunchNotes, chunk: int, options: Options
) -> Tried:
    """Run a launch as `attempt` does, but raise `Declined` also for the counting; memory is as before on any error.
    A declined run makes the kernel `unproved`, and its history gives up, except for the counting."""
    try:
        native, module, code = _choose_code(engine, options, bool(launch_notes.with_proof), launch_notes.notes)
    except Missing as error:
        engine.program.cache.native[launch_notes.notes] = CompiledKernel(None, error.cause)
        raise
    check_launch(engine, module.layout, options)
    stopwatch, bound = Stopwatch(), BlockRunner(engine, module, registers, options, native.credit)
    try:
        atomics = _proved(native, bound, code, chunk)
        wrong = bound.left
        if wrong:  # how far these came nobody knows, nor whether others do: once more, without
            bound.memory.undo()
            bound = BlockRunner(engine, module, registers, options, native.credit, wrong)
            atomics = _proved(native, bound, code, chunk)
        reached, needs, like = bound.reached, bound.needs, bound.like()
        warps = module.notes & {"global", "ways"} and LOCKSTEP not in module.notes
        if (like and atomics) or (warps and options.spin_steps < 4 * TURNS):
            raise Declined(Reason.COUNTING_ORDER)
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
            most=bound.most,
            units=bound.units,
            cells=bound.users,
            grain=module.layout.cell_bytes,
        )
        for observer in launch_notes.with_proof:
            if not observer.adopt(engine, proof):
                raise Declined(Reason.OBSERVER_DOUBT, observer=type(observer).__name__)
    except CannotRestart:
        bound.memory.undo()
        native.credit = NEVER
        return attempt(engine, registers, launch_notes, chunk, options)._replace(stopwatch=stopwatch)
    except BudgetExceeded:
        bound.memory.undo()
        raise Declined(Reason.TIME) from None
    except BaseException as error:
        bound.memory.undo()
        if isinstance(error, Declined):
            native.unproved = True
            native.wasted += stopwatch.work
            if not error.cause.reason.is_counting:  # it may be counted in another way
                history_of(engine.program, options.objects).give_up(engine.program, options.objects)
        raise
    spent = _, work = stopwatch.read()
    native.took += work
    native.rate = work / (math.prod(engine.grid) * math.prod(engine.block))
    return Tried(reached, proof, bound, stopwatch, spent)
