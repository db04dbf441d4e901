"""Write a kernel's LLVM IR module: functions of lanes, their dispatch, batches, and the units of the C library.

A module for blocks of one shape also has a function that runs them in batches, see `batch_function`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from harness.simt.compile.graph import value_numbers
from harness.simt.compile.program import Program
from harness.simt.compile.segments import intrinsic_of
from harness.simt.declined import Declined, Reason
from harness.simt.errors import Unsupported
from harness.simt.ir.site import Line
from harness.simt.native.analysis.local_values import LocalValues, forward_local_values
from harness.simt.native.analysis.notes import CLUSTERS, COUNTED, NEEDS, add_notes
from harness.simt.native.analysis.provenance import Provenance
from harness.simt.native.batching.batch import NO_BATCH, batch_function
from harness.simt.native.emit.block_shape import BlockShape
from harness.simt.native.emit.body import RequestSite
from harness.simt.native.emit.context import Context, load_slot
from harness.simt.native.emit.lane_tally import LaneTally
from harness.simt.native.kernel.lane import GIVEN, Lane
from harness.simt.native.kernel.lockstep import LockstepLane, check_lockstep, lockstep_functions
from harness.simt.native.kernel.plan import BarrierInterval, KernelPlan
from harness.simt.native.lower import call_frames as frames
from harness.simt.native.lower.exchanges import snapshot
from harness.simt.native.lower.matrix_rows import split_row_loads
from harness.simt.native.runtime.barriers import barrier_functions
from harness.simt.native.runtime.kernel_tables import block_functions, named_function, wait_function
from harness.simt.native.runtime.library import functions_of, shadow_cell_unit
from harness.simt.native.sanitize.control_path import begin_paths

__all__ = ["KernelModule", "write_module"]

LONGEST = 16_000_000  # characters of a module: compiling more takes too much memory
REPLAYED = 4_000_000  # of one that has another function for blocks that go as one before them


@dataclass(frozen=True, slots=True, eq=False)
class KernelModule:
    """A kernel as LLVM IR, with the facts that a launch of it needs.

    Attributes:
        text: The module.
        layout: The slots that it takes from a launch.
        lines: The lines of the source that have barriers.
        warps: Whether lanes of a warp wait for one another.
        compares_paths: Whether a block may have to take the control path of the one before it.
        replays: Whether it has a function that runs blocks in a batch, see `batch_function`.
        is_launch_invariant: Whether what one block proves holds for the blocks of all launches of a key.
        invariant_variables: The block-invariant variables, which batched blocks access unchecked.
        removed, hidden: The local variables that nothing accesses, which take no memory, and those that only known
            addresses lead to; see `LocalValues`.
        notes: See `Body`.
        traced, single, asks_in_loops, strong, stored, tally: See `Body`.
        forms: The launch keys of its launches, see `launch_key_of`.
    """

    text: str
    layout: Context
    lines: tuple[Line, ...]
    warps: bool
    compares_paths: bool
    replays: bool
    is_launch_invariant: bool
    invariant_variables: frozenset[int]
    removed: frozenset[int]
    hidden: frozenset[int]
    notes: frozenset[str]
    traced: tuple[RequestSite, ...]
    single: int
    asks_in_loops: bool
    strong: set[int]
    stored: set[Provenance | None]
    tally: LaneTally
    forms: dict[Any, Any] = field(default_factory=dict)


def write_module(
    program: Program, notes: frozenset[str] = frozenset(), shape: BlockShape | None = None
) -> KernelModule:
    """Return the module of a kernel as LLVM IR; it is not compiled.

    A module with batches is written again without them if it has over 4 million characters.

    Args:
        notes: What is noted for observers; `add_notes` adds to them.
        shape: The shape of blocks that may run in batches; it collects what their code uses. None for no batches.

    Raises:
        Declined: Something in it has no compiled form, it reads a clock, or the module has over 16 million characters.
    """
    frames.check_calls(program)
    if program.is_time_dependent:
        raise Declined(Reason.CLOCK)
    try:
        values = forward_local_values(program)
        all_notes = add_notes(program, notes)
        values = values._replace(program=split_row_loads(values.program))
        module = _module(values, all_notes, shape)
        if module.replays and len(module.text) > REPLAYED:
            module = _module(values, all_notes, None)
    except Unsupported as error:
        raise Declined(Reason.INTRINSIC, name=error) from None
    if len(module.text) > LONGEST:
        raise Declined(Reason.LENGTH, characters=len(module.text), limit=LONGEST)
    return module


def _module(values: LocalValues, notes: frozenset[str], shape: BlockShape | None) -> KernelModule:
    """Return the module of a program's plan; without batches if `shape` is None, in lockstep, or if none are possible.

    Raises:
        Declined: An instruction has no compiled form, or not with such notes.
        Unsupported: The simulator does not know an instruction; `write_module` declines then.
    """
    plan = KernelPlan(values.program, notes)
    body = plan.body
    if plan.partial_groups and (plan.unawaited or CLUSTERS in body.notes):
        raise Declined(Reason.PARTIAL_EXCHANGE)
    if plan.lockstep:
        check_lockstep(plan)
    elif plan.partial_groups and body.notes & COUNTED:
        raise Declined(Reason.COUNTING_PARTIAL_EXCHANGES)
    entries = [interval.entry for interval in plan.intervals]
    interval_lines = [line for interval in plan.intervals for line in _interval_lines(plan, interval)]
    lane = LockstepLane if plan.lockstep else Lane
    functions = [line for interval in plan.intervals for line in lane(plan, interval).written()]
    lines, barriers = barrier_functions(plan.program, entries, plan.origins)
    body.declared.add("declare i64 @llvm.smin.i64(i64, i64)")
    replayed = None if shape is None or plan.lockstep else batch_function(plan, shape)
    cells = shadow_cell_unit(
        clusters=CLUSTERS in body.notes,
        warp=plan.program.target.warp if plan.meets else 0,
        needs=NEEDS in body.notes,
    )
    chooses = any(interval.chooses for interval in plan.intervals)
    lockstep = f"lockstep.warp{plan.program.target.warp}"
    units = {cells: True, "driver": True, "control_paths": chooses, "warp_parts": bool(plan.partial_groups)}
    units["requests"] = bool(body.traced)
    units |= dict.fromkeys(("bank_conflicts", "lane_counts", lockstep), plan.lockstep)
    texts = [
        "!0 = !{}",
        *(functions_of(unit) for unit, is_used in units.items() if is_used),
        *functions,
        *_dispatch(plan, interval_lines),
        *barriers,
        *wait_function(plan.warps, plan.meets, plan.waits, plan.phases),
        *block_functions(body.invariance.variables, restarts=bool(body.invariance.branches)),
        *(replayed or [NO_BATCH]),
        *sorted(body.declared),
    ]
    text = "\n".join(texts)
    warps, compares_paths = bool(plan.warps), bool(body.invariance.branches)
    is_launch_invariant = replayed is not None and _is_launch_invariant(plan)
    more = body.notes, tuple(body.traced), body.single, body.asked, body.strong, body.stored, body.tally
    return KernelModule(
        text,
        plan.layout,
        lines,
        warps,
        compares_paths,
        replayed is not None,
        is_launch_invariant,
        body.invariance.variables,
        values.removed,
        values.hidden,
        *more,
    )


def _is_launch_invariant(plan: KernelPlan) -> bool:
    """Return True if all blocks take one control path, whatever memory a launch brings.

    It is False if counts, clusters or needed barriers are noted, since these may differ between launches. It is also
    False if there are constant variables, or volatile or atomic accesses.
    """
    body, program = plan.body, plan.program
    takes_one_path = len(body.invariance.common_segments) == len(program.segments)
    constant = any(variable.rows == "grid" and not variable.writable for variable in program.variables)
    return takes_one_path and not (constant or body.strong or body.notes & (COUNTED | {CLUSTERS, NEEDS}))


def _dispatch(plan: KernelPlan, interval_lines: list[str]) -> Iterator[str]:
    """Yield the lines of the function that runs lanes through the interval that begins at segment `%pc`.

    That function returns where the lanes stop, or -2 if no interval begins there or a check fails. Tables follow it if
    a part of a warp may synchronise, or in lockstep.

    Args:
        interval_lines: The lines of all intervals, see `_interval_lines`.
    """
    cases = " ".join(f"i32 {interval.entry.number}, label %k{interval.entry.number}" for interval in plan.intervals)
    name, more = ("run_part", f"{GIVEN}, i32 %set, ptr %where") if plan.partial_groups else ("run_interval", GIVEN)
    if plan.lockstep:
        name, more = "run_set", f"{GIVEN}, i64 %when, i{plan.program.target.warp} %set, ptr %where"
    yield f"define internal i32 @{name}(ptr %ctx, i32 %pc, i64 %from, i64 %to, {more}) {{"
    yield from (line for slot in ("threads", "spill", "snapshot", "reached") for line in load_slot(slot))
    outputs = {f"%o.{number}.{leaf}": ty for interval in plan.intervals for number, leaf, ty in interval.uniform_out}
    yield from (f"  {name} = alloca {ty}" for name, ty in outputs.items())
    yield f"  switch i32 %pc, label %bad [ {cases} ]"
    yield from interval_lines
    yield "bad:\n  ret i32 -2\n}"
    if plan.partial_groups:
        yield from named_function(plan.partial_groups)
    if plan.lockstep:
        yield from lockstep_functions(plan)


def _run_set(plan: KernelPlan, interval: BarrierInterval) -> Iterator[str]:
    """Yield the call that runs the lanes in `%set`, and the `ret` of its result.

    See `run_lanes` in `library/lockstep.c` and `warp_parts.c`.
    """
    lane = f"ptr @lane{interval.entry.number}"
    if plan.lockstep:
        branches = str(len(interval.inside[-1].edges) > 1).lower()
        threads = f"i64 %from, {GIVEN}, i64 %when, i{plan.program.target.warp} %set, ptr %where"
        arguments = f"{lane}, i1 {branches}, ptr %ctx, {threads}"
    else:
        arguments = f"{lane}, ptr %ctx, i64 %from, i64 %to, {GIVEN}, i32 %set, ptr %where"
    yield f"  %went{interval.entry.number} = call i32 @run_lanes({arguments})\n  ret i32 %went{interval.entry.number}"


def _interval_lines(plan: KernelPlan, interval: BarrierInterval) -> Iterator[str]:
    """Yield the lines of the dispatch function that run the lanes from `%from` to before `%to` through an interval.

    The lines run one lane after another and return the wait that all reach. They jump to `%bad` if a lane fails or
    reaches another wait. In lockstep, or if parts of warps synchronise, they call `run_lanes`. Replaces `body.lines`.
    """
    segment, body = interval.entry, plan.body
    k = segment.number
    yield f"k{k}:"
    first = segment.ops[0] if segment.ops else None
    intrinsic = None if first is None else intrinsic_of(first)
    if segment.gate is not None and intrinsic is not None and intrinsic.exchanges:
        assert first is not None
        body.lines = []
        for number in set(value_numbers(first.operands)) - body.known:
            snapshot(body, number)
        yield from body.lines
    if plan.partial_groups or plan.lockstep:
        body.lines = []
        if plan.lockstep:
            plan.note_reached(interval.always)
        yield from body.lines
        yield from _run_set(plan, interval)
        return
    body.lines = []
    if interval.chooses:
        begin_paths(body)
    plan.note_reached(interval.always)
    values = [f"{ty} {body.load_kept(number, leaf, '%from')}" for number, leaf, ty in interval.uniform_in]
    more = "".join(
        f", {value}" for value in (*values, *(f"ptr %o.{number}.{leaf}" for number, leaf, _ in interval.uniform_out))
    )
    yield from body.lines
    yield f"""  br label %l{k}
l{k}:
  %lane{k} = phi i64 [ %from, %k{k} ], [ %next{k}, %m{k} ]
  %before{k} = phi i32 [ -3, %k{k} ], [ %went{k}, %m{k} ]
  %went{k} = call i32 @lane{k}(ptr %ctx, i64 %lane{k}, {GIVEN}{more})
  %wrong{k} = icmp eq i32 %went{k}, -2
  br i1 %wrong{k}, label %bad, label %c{k}
c{k}:
  %first{k} = icmp eq i32 %before{k}, -3
  %same{k} = icmp eq i32 %before{k}, %went{k}
  %fine{k} = or i1 %first{k}, %same{k}
  br i1 %fine{k}, label %m{k}, label %bad
m{k}:
  %next{k} = add nuw i64 %lane{k}, 1
  %more{k} = icmp ult i64 %next{k}, %to
  br i1 %more{k}, label %l{k}, label %o{k}
o{k}:"""
    body.lines = []
    for number, leaf, ty in interval.uniform_out:
        body.keep(number, leaf, "%from", body.new(f"load {ty}, ptr %o.{number}.{leaf}"))
    yield from body.lines
    yield f"  ret i32 %went{k}"
