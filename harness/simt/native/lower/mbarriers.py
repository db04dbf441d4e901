"""Lowerings of mbarriers for a whole block (initialise, arrive, test, invalidate), and checks that lanes arrive.

All threads of a block arrive and then wait, so each phase takes as many arrivals as there are threads. Between its
arrival and its wait a lane touches no memory that others may touch: its earlier accesses are ordered for all lanes
after the wait. The bytes of an mbarrier are marked, so that any other use of them fails a check. They hold the phase,
the number of arrivals in it, and the epoch in which the last phase was completed.
"""

from harness.simt.compile.graph import Op, Ref
from harness.simt.compile.segments import intrinsic_of
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.types import Int
from harness.simt.native.analysis.notes import CLUSTERS
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_values import TRUE, IrValue, constant
from harness.simt.native.emit.lane_values import CAME, NOW, THREADS, WHO
from harness.simt.native.lower.asynchronous_copies import LANDED, set_flight
from harness.simt.native.lower.registry import Form, forms
from harness.simt.native.sanitize.access_checks import check_races
from harness.simt.native.sanitize.address import Address, check_alignment, checked_address, note_strong_access
from harness.simt.native.sanitize.byte_marks import BARRIER, WRITTEN, check_copies, check_marks, has_mark, set_marks
from harness.simt.state.allocation import Access

__all__ = ["check_arrivals"]

WORD = Access(Int(64), 8)
KIND = 127 << 16  # of the updates that arrivals and tests are, beside those of `updates`
PHASE, ARRIVALS, LAST = 48, 32, 0xFFFF  # bits of the word, above those of an epoch; the last phase that is known of


def _barrier_address(body: Body, op: Op) -> Address:
    """Emit checks that a barrier's address is in memory of the block and aligned to 8 bytes; return the address.

    Whether there is a barrier is not checked.

    Raises:
        Declined: `global` is noted, blocks form clusters, or the kernel has over 60 loads and stores.
    """
    build = Builder(body)
    # Elements are counted of global memory alone, in which no barrier is.
    if body.notes & {"global", CLUSTERS} or body.long:
        raise Declined(Reason.BESIDE_COUNTERS_OR_CLUSTERS, name=op.callee.removeprefix("@"))
    where = checked_address(body, build.value(op.operands[0]), WORD.width, op.operands[0])
    check_alignment(where, WORD)
    build.fail_if(build.icmp_unsigned("==", where.fact("cells"), 0))
    build.fail_if(build.icmp_unsigned("!=", where.fact("start"), 0))
    if body.program.copies:
        check_copies(where, WORD, "store")
    return where


def _is_step(op: Op, step: str) -> bool:
    """Return True if an instruction is a step of a barrier in shared memory, such as `arrive` or `test`."""
    intrinsic = intrinsic_of(op)
    return intrinsic is not None and intrinsic.compiled.startswith(f"phase.{step}")


def begin(body: Body, op: Op, _how: str) -> None:
    """Emit that the lane initialises a barrier in shared memory, for phase 0 without arrivals: its bytes get `BARRIER`.

    A check fails if there is one already, if its count is not the number of threads of the block, or for a race with
    another access, such as a second initialisation.

    Raises:
        Declined: `_barrier_address` refuses the address.
    """
    build = Builder(body)
    where = _barrier_address(body, op)
    build.fail_if(has_mark(body, where.at("written"), WORD.width, BARRIER))
    count = build.zext(build.value(op.operands[1]), "i64")
    build.fail_if(build.icmp_unsigned("!=", count, THREADS))
    check_races(where, WORD, "store")
    set_marks(body, where.at("written"), WORD.width, BARRIER)
    build.store(constant("i64", 0), where.at("data"), align=1)


def end(body: Body, op: Op, _how: str) -> None:
    """Emit that the lane invalidates a barrier: its bytes are 0 and count as written by a store.

    A check fails if there is no barrier, or for a race with another access.

    Raises:
        Declined: `_barrier_address` refuses the address.
    """
    where = _checked_barrier(body, op)
    check_races(where, WORD, "store")
    set_marks(body, where.at("written"), WORD.width, WRITTEN)
    Builder(body).store(constant("i64", 0), where.at("data"), align=1)


def _checked_barrier(body: Body, op: Op) -> Address:
    """Emit checks that an address is that of a barrier, and `note_strong_access`; return the address."""
    where = _barrier_address(body, op)
    note_strong_access(where)
    check_marks(body, where.at("written"), WORD.width, BARRIER)
    return where


def _state(body: Body, op: Op) -> tuple[IrValue, IrValue, IrValue]:
    """Emit the checks of an update of a barrier, also for races; return its host address, its word and its phase.

    The last two are i64; the word has the phase in its highest 16 bits.
    """
    where, build = _checked_barrier(body, op), Builder(body)
    check_races(where, WORD, "update", build.or_(WHO, KIND))
    address = where.at("data")
    word = build.load(address, "i64", align=1)
    return address, word, build.lshr(word, PHASE)


def arrive(body: Body, op: Op, _how: str) -> None:
    """Emit that a lane arrives once; the last of all threads ends the phase. The result is the phase it arrived in.

    `%came` becomes 1, so that `check_races` fails for any access of the lane before its wait, also for a second
    arrival. A check fails here if the barrier has gone through 65535 phases.

    Raises:
        Declined: The result is used otherwise than by a test, the count is not the constant 1, or `_barrier_address`
            refuses the address.
    """
    takers = body.users.get(-1 if op.result is None else op.result, [])
    if op.result in body.moved or not all(_is_step(item, "test") for item in takers):
        raise Declined(Reason.BARRIER_TOKEN)
    if any(not isinstance(item, Const) or item.value != 1 for item in op.operands[1:]):
        raise Declined(Reason.ARRIVALS)
    build = Builder(body)
    address, word, phase = _state(body, op)
    after = build.add(word, 1 << ARRIVALS)
    arrivals = build.and_(build.lshr(after, ARRIVALS), (1 << PHASE - ARRIVALS) - 1)
    build.fail_if(build.icmp_unsigned("==", phase, LAST))
    next_phase = build.shl(build.add(phase, 1), PHASE)
    completed = build.or_(next_phase, build.zext(NOW, "i64"))
    is_last = build.icmp_unsigned("==", arrivals, THREADS)
    build.store(build.select(is_last, completed, after), address, align=1)
    build.store(constant("i8", 1), CAME)
    if op.result is not None:
        build.define(op, phase)


def landing(body: Body, op: Op, _how: str) -> None:
    """Emit that all copies which a lane began have completed, and that it arrives, as `arrive` does."""
    set_flight(body, LANDED)
    arrive(body, op, "")


def test(body: Body, op: Op, how: str) -> None:
    """Emit a test of a phase, after the wait for its end: the result is the constant true.

    A check fails unless a phase ended in the epoch before, and the second operand names that phase.

    Args:
        how: `parity` if the operand is a phase's parity; otherwise it is the token that an arrival returned.

    Raises:
        Declined: The operand is a token, but not the result of an arrival.
    """
    build = Builder(body)
    _, word, phase = _state(body, op)
    epoch = build.trunc(word, "i32")
    build.fail_if(build.icmp_unsigned("!=", build.add(epoch, 1), NOW))
    token = op.operands[1]
    before = build.sub(phase, 1)
    if how == "parity":
        differ = build.xor(build.trunc(before, "i32"), build.value(token))
        build.fail_if(build.trunc(differ, "i1"))
    else:
        source = body.definitions.get(token.number) if isinstance(token, Ref) else None
        if source is None or not _is_step(source, "arrive"):
            raise Declined(Reason.PHASE)
        build.fail_if(build.icmp_unsigned("!=", build.value(token), before))
    build.define(op, TRUE)


def check_arrivals(body: Body, waits: bool) -> None:
    """Emit, before a wait, a check that a lane has arrived at a barrier in shared memory if it waits for a phase.

    If it does not, it must not have arrived. Emits nothing if the kernel has no such barriers.
    """
    if body.arrives:
        build = Builder(body)
        build.fail_if(build.icmp_unsigned("!=", build.load(CAME, "i8"), int(waits)))


@forms("phase")
def _phase(body: Body, op: Op, how: str) -> None:
    STEPS[how.partition(".")[0]](body, op, how.partition(".")[2])


# By the part behind `phase.`.
STEPS: dict[str, Form] = {"arrive": arrive, "begin": begin, "end": end, "land": landing, "test": test}
