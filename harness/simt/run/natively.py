"""A launch as machine code, and in Python what of it is not proved."""

import math
from collections.abc import Mapping

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.compile.fidelity import note_fidelity
from harness.simt.declined import Cause, Declined, Reason, UnknownObserver
from harness.simt.errors import BudgetExceeded, KernelFault, Unsupported
from harness.simt.events import AccessEvent
from harness.simt.native.attempt import Tried, attempt
from harness.simt.native.launch_notes import ask_observers
from harness.simt.observe import Observer
from harness.simt.result import Ran
from harness.simt.run.blocks import run_blocks
from harness.simt.run.engine import Engine
from harness.simt.run.setup import Setup
from harness.simt.state.allocation import Allocation, Snapshot
from harness.simt.state.reports import Hooks

__all__ = ["natively"]


def natively(engine: Engine, setup: Setup, side_by_side: int) -> Ran:
    """Runs it as machine code, which says nothing and proves that nothing is to be said, but of a few blocks.

    Raises:
        Declined: It does not; memory has not changed.
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
    if unknown and not launch_notes.known:  # nobody would have anything of the proof
        raise UnknownObserver.of(unknown)
    engine.check_time = engine.budget.check_ended  # it looks at the time whenever blocks have ended
    try:
        tried = attempt(engine, setup.registers, launch_notes, side_by_side, engine.options)
    except Declined as error:
        if unknown and error.cause.reason is Reason.SIZE:  # nor does it begin anew if it takes long: for them it must
            raise UnknownObserver.of(unknown) from None
        raise
    except MemoryError:
        raise Declined(Reason.MEMORY) from None
    finally:
        engine.check_time = engine.budget.check
    engine.budget.spent = tried.spent  # not with what compiles it: that takes no time the next time
    left, like = tried.bound.left, tried.proof.like
    if left or like or unknown:
        try:
            if left and unknown:
                raise UnknownObserver.of(unknown)
            if left or like:
                _replayed(engine, setup, side_by_side, tried)
            watched = _watched(engine, setup, side_by_side, tried, unknown)
        except UnknownObserver:
            tried.bound.memory.undo()
            raise
        except BaseException as error:
            tried.bound.memory.undo()
            engine.finished = False
            if isinstance(error, Declined | KernelFault | Unsupported | BudgetExceeded):  # what comes first all tell
                raise Declined(Reason.DOUBT) from None
            raise
        engine.budget.spent = tried.stopwatch.read()
    for number in set(tried.reached) - engine.program.made.noted:
        note_fidelity(engine.program, engine.program.segments[number])
    engine.budget.steps += tried.bound.waits
    engine.finished = True
    observation.close()
    blocks = math.prod(engine.grid)
    if unknown:
        why = UnknownObserver.of(unknown)
        count = len(watched.union(like))
        return Ran(blocks - count, count, why.cause, why.observers)
    count = len(left) + len(like)
    reason = Reason.DOUBT if left else Reason.COUNTED_FOR_OTHERS
    return Ran(blocks - count, count, Cause(reason) if count else None)


def _watched(
    engine: Engine, setup: Setup, side_by_side: int, tried: Tried, observers: list[Observer]
) -> frozenset[int]:
    """Run blocks once more, in memory as it was, for observers that take no proof; return which blocks."""
    if not observers:
        return frozenset()
    observation, every = engine.observation, range(math.prod(engine.grid))
    asked = [one.blocks for one in observers]
    # Of updates by several blocks each would see only its own.
    all_of_them = tried.proof.atomics or any(one is None for one in asked)
    blocks = frozenset(every) if all_of_them else frozenset(block for one in asked for block in one or ())
    observation.tell(observers)
    observation.begin(engine)
    try:
        with tried.bound.memory.before(), np.errstate(all="ignore"):
            run_blocks(engine, setup, side_by_side, None if all_of_them else sorted(blocks.intersection(every)))
        engine.finished = True
        observation.on_launch_end(engine)
    finally:
        observation.tell(observation.observers)
    return blocks.intersection(every)


def _replayed(engine: Engine, setup: Setup, side_by_side: int, tried: Tried) -> None:
    """Runs the blocks that are left, watched by all; they are those of their chunks, so all goes in the same order.

    Those that stand for others run once more, as they did.

    Raises:
        Declined: They have to do with others.
    """
    observation, bound = engine.observation, tried.bound
    counting = [observer for observer in observation.observers if "ways" in (observer.notes() or ())]
    told = observation.observers if bound.left else counting
    cells, grain = bound.users(), bound.module.layout.grain
    # Blocks that only stand for others were proved clean: they store to nothing else.
    others = [one for one in _lasting(engine) if one.writable and one.number not in cells] if bound.left else []
    if sum(one.size for one in others) > bound.memory.spare:
        raise Declined(Reason.DOUBT)
    before = Snapshot(others)
    engine.proof = tried.proof
    observation.tell(told)
    observation.begin(engine)
    try:
        with np.errstate(all="ignore"):
            observation.on_access = Hooks([lambda event: _apart(event, cells, grain), *observation.on_access])
            run_blocks(engine, setup, side_by_side, bound.left)
            if any(own.argument is not None and own.writable and _unwritten(own) for own in engine.memory.allocations):
                raise Declined(Reason.DOUBT)  # how wide it would have been nobody knows
            if any(observer.coarsest > bound.module.layout.narrowest for observer in told):
                raise Declined(Reason.DOUBT)  # nor whether others would have had it told in parts
            observation.tell(counting)
            with bound.memory.before():
                for block in tried.proof.like:  # alone, so that it is known whose its numbers are
                    run_blocks(engine, setup, side_by_side, [block])
        engine.finished = True
        observation.tell(told)
        observation.on_launch_end(engine)
    except BaseException:
        before.restore()  # an update is told of once it is made
        raise
    finally:
        observation.tell(observation.observers)
        engine.proof = None


def _lasting(engine: Engine) -> list[Allocation]:
    """What outlives a block."""
    own = [one for one in engine.memory.allocations if one.rows == "grid"]
    return [*own, *(one for one in engine.memory.device.values() if not one.freed)]


def _unwritten(allocation: Allocation) -> bool:
    return allocation.shadow is not None and bool(allocation.shadow.any())


def _apart(event: AccessEvent, cells: Mapping[int, Integers], grain: int) -> None:
    """An access touches nothing that others wrote, and writes nothing that others read.

    Args:
        cells: By allocation (n, 4); see `CELL`.
        grain: The bytes of a cell.

    Raises:
        Declined: It does.
    """
    facts = cells.get(event.allocation.number)
    if facts is None:  # native code took it for what is only read
        if event.kind != "load" and event.allocation.rows == "grid":
            raise Declined(Reason.BLOCKS_STORE)
        return
    first, last = event.starts // grain, (event.starts + event.size - 1) // grain
    most = -(-event.size // grain) + (grain > 1)  # one more where it begins within a cell
    places = np.minimum(first[:, None] + np.arange(most), last[:, None])
    if facts[places, 1].any() or (event.kind != "load" and facts[places, 3].any()):
        raise Declined(Reason.BLOCKS_EXCHANGE)
