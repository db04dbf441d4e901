"""`launch`: one call of a kernel, from text and arrays to a result."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

import numpy as np

from harness.simt.compile.program import Program, compile_kernel
from harness.simt.declined import Declined, Reason, UnknownObserver
from harness.simt.errors import BudgetExceeded, KernelFault, LaunchError, SimtError, Unsupported
from harness.simt.findings import SEVERITIES, Counts, Finding, LaunchVerdict, failing
from harness.simt.ir.parse import Module, decode
from harness.simt.native.attempt import has_form
from harness.simt.native.history import history_of
from harness.simt.observe import Observer
from harness.simt.options import Options
from harness.simt.result import LaunchResult, Ran
from harness.simt.run import fits
from harness.simt.run.arguments import bind
from harness.simt.run.begun import Begun
from harness.simt.run.blocks import run_blocks
from harness.simt.run.budget import Long
from harness.simt.run.engine import Engine
from harness.simt.run.natively import natively
from harness.simt.run.parameters import laid_out
from harness.simt.run.setup import Setup, chunk_blocks
from harness.simt.state.device import Device
from harness.simt.state.lanes import Dim
from harness.simt.targets import target_of

__all__ = ["check", "launch", "launch_on"]

Extent: TypeAlias = int | Sequence[int]  # in x, y and z; what is left out is 1
WHOLE = int, np.integer  # of an extent in x alone
Fault = TypeVar("Fault", bound=SimtError)


def launch(
    ir: str | Module,
    *,
    kernel: str | None = None,
    target: str,
    grid: Extent,
    block: Extent,
    cluster: Extent = (1, 1, 1),
    args: Sequence[Any],
    dynamic_shared_bytes: int = 0,
    observers: Iterable[Observer] = (),
    options: Options | None = None,
) -> LaunchResult:
    """Runs a kernel on arrays, in one order of its threads: `launch_in_orders` tries others.

    Args:
        ir: LLVM IR text, or a `Module` decoded before, which also keeps what was
            compiled for later launches.
        kernel: The kernel's symbol or a part of it that is unique, its name in the
            source (where there is debug information), or None when there is only one.
        target: `nvidia:sm_90`, `amd:gfx942`, `apple:apple-m4`.
        grid: Blocks in x, y and z (blocks, not clusters).
        block: Threads of a block in x, y and z.
        cluster: Blocks of a cluster in x, y and z.
        args: Arrays (written in place), `Buffer`s, numbers, `None` for a null pointer, and
            for structs tuples of them (see `harness.simt.run.arguments`).
        dynamic_shared_bytes: Size of the `external` shared array, in bytes.
        observers: See `Observer`.
        options: See `Options`.

    Raises:
        SimtError: If the text, the geometry or the arguments do not fit.
    """
    program, geometry = _prepared(ir, kernel, target, (grid, block, cluster))
    bound = bind(program, args)
    fits.check_arrays(program, bound)
    fits.check_shared(program, dynamic_shared_bytes + bound.shared_bytes)
    observers = tuple(observers)

    def begin(options: Options) -> tuple[Engine, Setup]:
        engine = Engine(program, *geometry, observers, options)
        return engine, Setup(engine, bound, dynamic_shared_bytes)

    result = _launched(begin, options or Options())
    bound.copy_back()
    return result


def launch_on(
    device: Device,
    ir: str | Module,
    *,
    kernel: str | None = None,
    target: str,
    grid: Extent,
    block: Extent,
    cluster: Extent = (1, 1, 1),
    parameters: Sequence[bytes],
    constants: Mapping[str, bytes] | None = None,
    dynamic_shared_bytes: int = 0,
    observers: Iterable[Observer] = (),
    options: Options | None = None,
    proved: bool = False,
) -> LaunchResult:
    """Runs a kernel on a device's memory, as a driver does, in one order of its threads: `in_orders` tries others.

    Args:
        device: The allocations that outlive the launch.
        parameters: The bytes of each, in which pointers are addresses of the device.
        constants: Bytes that global variables begin with instead of those they were compiled with, by name.
        proved: Whether only machine code may run it, and Python what of it that leaves.

    The other arguments, and what is raised, are those of `launch`.

    Raises:
        Declined: It is to be `proved`, and is not; memory has not changed.
    """
    program, geometry = _prepared(ir, kernel, target, (grid, block, cluster))
    fits.check_shared(program, dynamic_shared_bytes)
    bound = laid_out(program, parameters)
    observers = tuple(observers)

    def begin(options: Options) -> tuple[Engine, Setup]:
        engine = Engine(program, *geometry, observers, options, device)
        return engine, Setup(engine, bound, dynamic_shared_bytes, constants)

    return _launched(begin, options or Options(), proved)


def check(
    ir: str | Module,
    *,
    kernel: str | None = None,
    target: str,
    grid: Extent,
    block: Extent,
    cluster: Extent = (1, 1, 1),
    dynamic_shared_bytes: int = 0,
) -> None:
    """Finds out whether a kernel can be launched so, without running it.

    Raises:
        SimtError: It cannot, as `launch` would say.
    """
    program, _ = _prepared(ir, kernel, target, (grid, block, cluster))
    fits.check_shared(program, dynamic_shared_bytes)


def _prepared(
    ir: str | Module, kernel: str | None, target: str, extents: tuple[Extent, Extent, Extent]
) -> tuple[Program, tuple[Dim, Dim, Dim]]:
    module = ir if isinstance(ir, Module) else decode(ir)
    gpu = target_of(target)
    program: Program = compile_kernel(module, kernel, gpu)
    geometry = _dim("grid", extents[0]), _dim("block", extents[1]), _dim("cluster", extents[2])
    if geometry not in program.made.fitting:
        fits.check_code(module, program.function, gpu)
        fits.check_geometry(program, *geometry)
        program.made.fitting.add(geometry)
    return program, geometry


def _launched(begin: Callable[[Options], tuple[Engine, Setup]], options: Options, proved: bool = False) -> LaunchResult:
    while True:
        engine, setup = begin(options)
        before: list[Begun] = []
        try:
            return _ran(engine, setup, proved, before)
        except Long:
            options = before[0].restore(options)


def _ran(engine: Engine, setup: Setup, proved: bool, before: list[Begun]) -> LaunchResult:
    """Runs a launch.

    Args:
        before: Takes what memory held, where it may begin anew.

    Raises:
        Declined: It is to be `proved`, and is not.
        Long: It takes longer in Python than it looked.
    """
    side_by_side = chunk_blocks(engine, setup)
    fault: SimtError | None = None
    verdict = None
    try:
        ran = natively(engine, setup, side_by_side)
        return _result(engine, None, None, ran)
    except Declined as error:
        if proved:
            raise
        cause, unknown = error.cause, error.observers if isinstance(error, UnknownObserver) else ()
        asking = [one for one in engine.observation.observers if one.more] if cause.reason.is_counting else []
    engine.budget.begin()  # what was tried in vain is not the kernel's
    if (cause.reason is Reason.SIZE or asking) and (begun := Begun.of(engine, asking)) is not None:
        before.append(begun)
        engine.budget.hurry(begun.patience, lambda: bool(asking) or has_form(engine, engine.observation.observers))
    engine.observation.forget()
    engine.observation.begin(engine)
    with np.errstate(all="ignore"):
        try:
            run_blocks(engine, setup, side_by_side)
            engine.finished = True
        except KernelFault as error:
            fault = _alone(error)
        except (Unsupported, BudgetExceeded) as error:
            fault, verdict = _alone(error), LaunchVerdict.INCOMPLETE
        except Long:
            engine.observation.close()
            raise
        finally:
            engine.observation.on_launch_end(engine)
            engine.observation.close()
    said = None if cause.reason is Reason.NOT_ASKED else cause
    ran = Ran(python=math.prod(engine.grid), cause=said, observers=unknown)
    engine.budget.spent = engine.budget.stopwatch.read()
    if engine.options.seed is None:  # else machine code would not have run it
        engine.program.made.interpreted(engine.budget.spent[1], math.prod(engine.grid) * math.prod(engine.block))
        if engine.options.engine == "auto":
            history_of(engine.program, engine.options.objects).note(engine.program, engine.options.objects)
    return _result(engine, fault, verdict, ran)


def _alone(error: Fault) -> Fault:
    # The frames it came through would keep all memory alive.
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


def _same(*findings: Finding) -> bool:  # an observer told of it before, who knows more
    one, other = ((each.kind, each.severity, list(map(str, each.sites))) for each in findings)
    return one == other


def _result(engine: Engine, fault: SimtError | None, verdict: LaunchVerdict | None, ran: Ran) -> LaunchResult:
    seconds, work = engine.budget.spent
    observation, program = engine.observation, engine.program
    findings = observation.collector.result()
    if isinstance(fault, KernelFault | BudgetExceeded) and not any(_same(fault.finding, known) for known in findings):
        findings.insert(0, fault.finding)
    findings.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    if verdict is None:
        verdict = LaunchVerdict.FINDINGS if findings and failing(findings, "warning") else LaunchVerdict.CLEAN
    lanes = math.prod(engine.grid) * math.prod(engine.block)
    counters: Counts = {"steps": engine.budget.steps, "lanes": lanes}
    counters.update(observation.counters)
    return LaunchResult(
        verdict,
        tuple(findings),
        counters,
        MappingProxyType(dict(program.made.fidelity)),
        tuple(engine.host.printed),
        fault,
        program.name,
        seconds,
        verdict == LaunchVerdict.CLEAN and _every_order_gives_the_same(engine),
        profile=observation.profile,
        symbol=program.symbol,
        engine=ran,
        work=work,
    )


def _every_order_gives_the_same(engine: Engine) -> bool:
    """Return whether observers saw that synchronisation orders all that threads do, and no thread reads a clock."""
    program, observation = engine.program, engine.observation
    return observation.ordered and not program.clocked and (not program.copies or observation.copies_ordered)


def _dim(name: str, value: Extent) -> Dim:
    found = _extents((value,) if isinstance(value, WHOLE) else tuple(value))
    if found is None:
        raise LaunchError(f"{name} must be one to three numbers of at least 1, but got {value}")
    return found


@lru_cache
def _extents(values: tuple[int, ...]) -> Dim | None:
    """In x, y and z; None where they are none."""
    if 1 <= len(values) <= 3:
        x, y, z = map(int, (*values, 1, 1)[:3])
        if (x, y, z)[: len(values)] == values and min(x, y, z) >= 1:
            return x, y, z
    return None
