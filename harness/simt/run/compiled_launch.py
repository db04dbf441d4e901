"""Run a launch in the compiled engine; interpret blocks without a proof, or again for observers that take none."""

import math
from collections.abc import Mapping

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.compile.fidelity import record_fidelity
from harness.simt.declined import Cause, Declined, Reason, UnknownObserver
from harness.simt.errors import BudgetExceeded, KernelFault, Unsupported
from harness.simt.events import AccessEvent
from harness.simt.native.attempt import Tried, attempt
from harness.simt.native.launch_notes import ask_observers
from harness.simt.observe import Observer
from harness.simt.result import EngineUsage
from harness.simt.run.blocks import run_blocks
from harness.simt.run.interpreter import Interpreter
from harness.simt.run.setup import Setup
from harness.simt.state.allocation import Allocation, Snapshot
from harness.simt.state.reports import Hooks

__all__ = ["run_compiled"]


def run_compiled(engine: Interpreter, setup: Setup, side_by_side: int) -> EngineUsage:
    """Run a launch as machine code, which proves that there is nothing to report, except for a few blocks.

    Blocks without a proof, or whose counts are needed, are interpreted; observers that take no proof get a second run.
    If this returns, the launch is finished, and its observers are released.

    Args:
        side_by_side: How many blocks the interpreter runs together.

    Returns:
        How many blocks each engine ran, and why some were interpreted.

    Raises:
        Declined: The compiled engine does not run it, its proof fails, or an interpreted block ends with an error;
            memory has not changed. `UnknownObserver` if the reason is observers that take no proof.
    """
    if engine.options.engine == "reference":
        raise Declined(Reason.NOT_ASKED)
    if engine.options.seed is not None:
        raise Declined(Reason.SEED)
    if engine.options.max_steps is not None:
        raise Declined(Reason.STEP_LIMIT)
    if engine.program.lacking:
        raise Declined(Reason.TARGET)
    observation = engine.observation
    launch_notes = ask_observers(engine, observation.observers)
    unknown = launch_notes.unknown
    if unknown and not launch_notes.with_proof:  # nobody would have anything of the proof
        raise UnknownObserver.of(unknown)
    engine.check_time = engine.budget.check_ended  # it looks at the time whenever blocks have ended
    try:
        attempted = attempt(engine, setup.registers, launch_notes, side_by_side, engine.options)
    except Declined as error:
        if unknown and error.cause.reason is Reason.SIZE:  # nor does it begin anew if it takes long: for them it must
            raise UnknownObserver.of(unknown) from None
        raise
    except MemoryError:
        raise Declined(Reason.MEMORY) from None
    finally:
        engine.check_time = engine.budget.check
    engine.budget.spent = attempted.spent  # not with what compiles it: that takes no time the next time
    unproved, representatives = attempted.bound.left, attempted.proof.like
    if unproved or representatives or unknown:
        try:
            if unproved and unknown:
                raise UnknownObserver.of(unknown)
            if unproved or representatives:
                _interpret_blocks(engine, setup, side_by_side, attempted)
            rerun = _rerun_for_observers(engine, setup, side_by_side, attempted, unknown)
        except UnknownObserver:
            attempted.bound.memory.undo()
            raise
        except BaseException as error:
            attempted.bound.memory.undo()
            engine.finished = False
            if isinstance(error, Declined | KernelFault | Unsupported | BudgetExceeded):  # what comes first all tell
                raise Declined(Reason.DOUBT) from None
            raise
        engine.budget.spent = attempted.stopwatch.read()
    for number in set(attempted.reached) - engine.program.cache.fidelity_segments:
        record_fidelity(engine.program, engine.program.segments[number])
    engine.budget.steps += attempted.bound.waits
    engine.finished = True
    observation.close()
    blocks = math.prod(engine.grid)
    if unknown:
        refusal = UnknownObserver.of(unknown)
        count = len(rerun.union(representatives))
        return EngineUsage(blocks - count, count, refusal.cause, refusal.observers)
    count = len(unproved) + len(representatives)
    reason = Reason.DOUBT if unproved else Reason.COUNTED_FOR_OTHERS
    return EngineUsage(blocks - count, count, Cause(reason) if count else None)


def _rerun_for_observers(
    engine: Interpreter, setup: Setup, side_by_side: int, attempted: Tried, observers: list[Observer]
) -> frozenset[int]:
    """Interpret blocks again, in memory as it was, for observers that take no proof; return the blocks' numbers.

    They are the blocks of the grid that the observers ask for, or all if one asks for all or the launch ran atomics.
    Only these observers get the events, from the launch's begin to its end. Without observers nothing runs, and the
    result is empty. Memory afterwards is as before this call, also after an error of `run_blocks`, which is raised.
    """
    if not observers:
        return frozenset()
    observation, grid_blocks = engine.observation, range(math.prod(engine.grid))
    requested = [observer.blocks for observer in observers]
    # A block alone would see only its own part of atomic updates.
    is_whole_grid = attempted.proof.atomics or any(request is None for request in requested)
    blocks = (
        frozenset(grid_blocks)
        if is_whole_grid
        else frozenset(block for request in requested for block in request or ())
    )
    observation.set_listeners(observers)
    observation.begin(engine)
    try:
        with attempted.bound.memory.before(), np.errstate(all="ignore"):
            run_blocks(engine, setup, side_by_side, None if is_whole_grid else sorted(blocks.intersection(grid_blocks)))
        engine.finished = True
        observation.on_launch_end(engine)
    finally:
        observation.set_listeners(observation.observers)
    return blocks.intersection(grid_blocks)


def _interpret_blocks(engine: Interpreter, setup: Setup, side_by_side: int, attempted: Tried) -> None:
    """Interpret the blocks that were not proved clean, with all observers; their chunks are the same as in a full run.

    Then interpret, for the observers that count, each proved block whose counts stand for a group of equal blocks; it
    runs alone, in memory as it was before the launch, and changes none.

    Raises:
        Declined: Interpreted blocks share memory with other blocks, or findings and counts might differ from those of a
            full run, or there is more memory to save than allowed. Memory without shadow cells is put back, the rest
            not.
        KernelFault, BudgetExceeded, Unsupported: As from `run_blocks`; the same memory is put back.
    """
    observation, bound = engine.observation, attempted.bound
    counters = [observer for observer in observation.observers if "ways" in (observer.notes() or ())]
    listeners = observation.observers if bound.left else counters
    cells, cell_bytes = bound.users(), bound.module.layout.cell_bytes
    # Blocks that only represent others were proved clean: they store nowhere else.
    unshadowed = (
        [
            allocation
            for allocation in _surviving_allocations(engine)
            if allocation.writable and allocation.number not in cells
        ]
        if bound.left
        else []
    )
    if sum(allocation.size for allocation in unshadowed) > bound.memory.spare:
        raise Declined(Reason.DOUBT)
    saved = Snapshot(unshadowed)
    engine.proof = attempted.proof
    observation.set_listeners(listeners)
    observation.begin(engine)
    try:
        with np.errstate(all="ignore"):
            observation.on_access = Hooks(
                [lambda event: _check_independent(event, cells, cell_bytes), *observation.on_access]
            )
            run_blocks(engine, setup, side_by_side, bound.left)
            if any(
                allocation.argument is not None and allocation.writable and _has_undefined(allocation)
                for allocation in engine.memory.allocations
            ):
                raise Declined(Reason.DOUBT)  # the width of an element is not known
            if any(observer.coarsest > bound.module.layout.narrowest for observer in listeners):
                raise Declined(Reason.DOUBT)  # others might split the reported elements
            observation.set_listeners(counters)
            with bound.memory.before():
                for block in attempted.proof.like:  # alone, so that its counts are known
                    run_blocks(engine, setup, side_by_side, [block])
        engine.finished = True
        observation.set_listeners(listeners)
        observation.on_launch_end(engine)
    except BaseException:
        saved.restore()  # updates are reported after they are made
        raise
    finally:
        observation.set_listeners(observation.observers)
        engine.proof = None


def _surviving_allocations(engine: Interpreter) -> list[Allocation]:
    """Return the allocations that outlive a block: those of the grid, and those of the device that are not freed."""
    grid = [allocation for allocation in engine.memory.allocations if allocation.rows == "grid"]
    return [*grid, *(allocation for allocation in engine.memory.device.values() if not allocation.freed)]


def _has_undefined(allocation: Allocation) -> bool:
    return allocation.shadow is not None and bool(allocation.shadow.any())


def _check_independent(event: AccessEvent, cells: Mapping[int, Integers], cell_bytes: int) -> None:
    """Check that an access reads nothing that compiled blocks wrote, and writes nothing that they read or wrote.

    Args:
        cells: By the allocation's number the shadow cells, (n, 4); see `Proof.cells`.
        cell_bytes: The bytes of a cell.

    Raises:
        Declined: The access breaks this rule, or stores to memory of the grid without cells. Other accesses to memory
            without cells are not checked.
    """
    facts = cells.get(event.allocation.number)
    if facts is None:  # native code took it for what is only read
        if event.kind != "load" and event.allocation.rows == "grid":
            raise Declined(Reason.BLOCKS_STORE)
        return
    first, last = event.starts // cell_bytes, (event.starts + event.size - 1) // cell_bytes
    cell_count = -(-event.size // cell_bytes) + (cell_bytes > 1)  # one more where it begins within a cell
    touched = np.minimum(first[:, None] + np.arange(cell_count), last[:, None])
    if facts[touched, 1].any() or (event.kind != "load" and facts[touched, 3].any()):
        raise Declined(Reason.BLOCKS_EXCHANGE)
