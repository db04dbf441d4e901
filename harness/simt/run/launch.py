"""Compile and run a kernel once, in either engine: `launch` on arrays, `launch_on` a device; or only `check` it."""

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
from harness.simt.result import EngineUsage, LaunchResult
from harness.simt.run import launch_checks
from harness.simt.run.arguments import bind_arguments
from harness.simt.run.blocks import run_blocks
from harness.simt.run.budget import RestartNeeded
from harness.simt.run.compiled_launch import run_compiled
from harness.simt.run.interpreter import Interpreter
from harness.simt.run.parameter_bytes import bind_parameters
from harness.simt.run.saved_memory import SavedMemory
from harness.simt.run.setup import Setup, chunk_blocks
from harness.simt.state.device import Device
from harness.simt.state.lanes import Dim
from harness.simt.targets import target_of

__all__ = ["check", "launch", "launch_on"]

Extent: TypeAlias = int | Sequence[int]  # in x, y and z; missing extents are 1
INTEGERS = int, np.integer  # types of an extent's numbers
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
    """Run a kernel on arrays, with one order of its threads: `launch_in_orders` tries others.

    Args:
        ir: LLVM IR text, or a decoded `Module`, which also caches what was compiled for later launches.
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
        SimtError: The text, geometry, arguments or memory do not fit. A fault of the running kernel is in the result.
    """
    program, geometry = _prepare(ir, kernel, target, (grid, block, cluster))
    bound = bind_arguments(program, args)
    launch_checks.check_arrays(program, bound)
    launch_checks.check_shared(program, dynamic_shared_bytes + bound.shared_bytes)
    observers = tuple(observers)

    def begin(options: Options) -> tuple[Interpreter, Setup]:
        engine = Interpreter(program, *geometry, observers, options)
        return engine, Setup(engine, bound, dynamic_shared_bytes)

    result = _run_restartable(begin, options or Options())
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
    """Run a kernel on a device's memory, as a driver does, with one order of its threads.

    Args:
        device: The allocations that outlive the launch.
        parameters: The bytes of each parameter; pointers are addresses of the device.
        constants: The initial bytes of global variables, by symbol, in place of those in the module.
        proved: Whether to refuse a launch that the compiled engine does not run; the interpreter may still run some
            blocks.

    The other arguments, and the errors raised, are those of `launch`.

    Raises:
        Declined: With `proved`, the compiled engine does not run the launch; memory has not changed.
    """
    program, geometry = _prepare(ir, kernel, target, (grid, block, cluster))
    launch_checks.check_shared(program, dynamic_shared_bytes)
    bound = bind_parameters(program, parameters)
    observers = tuple(observers)

    def begin(options: Options) -> tuple[Interpreter, Setup]:
        engine = Interpreter(program, *geometry, observers, options, device)
        return engine, Setup(engine, bound, dynamic_shared_bytes, constants)

    return _run_restartable(begin, options or Options(), proved)


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
    """Compile a kernel and check that it can be launched with this geometry; arguments are not checked, nothing runs.

    Raises:
        SimtError: It cannot: the same error as from `launch`.
    """
    program, _ = _prepare(ir, kernel, target, (grid, block, cluster))
    launch_checks.check_shared(program, dynamic_shared_bytes)


def _prepare(
    ir: str | Module, kernel: str | None, target: str, extents: tuple[Extent, Extent, Extent]
) -> tuple[Program, tuple[Dim, Dim, Dim]]:
    """Decode and compile a kernel, and check its code and geometry against the target; SimtError if any of that fails.

    Returns:
        The program, and (grid, block, cluster).
    """
    module = ir if isinstance(ir, Module) else decode(ir)
    gpu = target_of(target)
    program: Program = compile_kernel(module, kernel, gpu)
    geometry = (
        _parse_extent("grid", extents[0]),
        _parse_extent("block", extents[1]),
        _parse_extent("cluster", extents[2]),
    )
    if geometry not in program.cache.checked_geometries:
        launch_checks.check_code(module, program.function, gpu)
        launch_checks.check_geometry(program, *geometry)
        program.cache.checked_geometries.add(geometry)
    return program, geometry


def _run_restartable(
    begin: Callable[[Options], tuple[Interpreter, Setup]], options: Options, proved: bool = False
) -> LaunchResult:
    """Run a launch; if the interpreter asks for that (`RestartNeeded`), put memory back and start with other options.

    Args:
        begin: Makes the engine and the allocations of a fresh launch; called at each start. See `_run` for errors.
    """
    while True:
        engine, setup = begin(options)
        before: list[SavedMemory] = []
        try:
            return _run(engine, setup, proved, before)
        except RestartNeeded:
            options = before[0].restore(options)


def _run(engine: Interpreter, setup: Setup, proved: bool, saved: list[SavedMemory]) -> LaunchResult:
    """Run a launch in the compiled engine, or else in the interpreter; a fault that ends it is in the result.

    Args:
        saved: Receives the saved memory of a launch that may restart.

    Raises:
        LaunchError: Its variables take too much memory; see `chunk_blocks`.
        Declined: It must be `proved`, and the compiled engine does not run it.
        RestartNeeded: The interpreter takes longer than expected.
    """
    side_by_side = chunk_blocks(engine, setup)
    fault: SimtError | None = None
    verdict = None
    try:
        ran = run_compiled(engine, setup, side_by_side)
        return _result(engine, None, None, ran)
    except Declined as error:
        if proved:
            raise
        cause, unknown = error.cause, error.observers if isinstance(error, UnknownObserver) else ()
        adjustable = (
            [observer for observer in engine.observation.observers if observer.more] if cause.reason.is_counting else []
        )
    engine.budget.begin()  # what was tried in vain is not the kernel's
    if (cause.reason is Reason.SIZE or adjustable) and (memory := SavedMemory.of(engine, adjustable)) is not None:
        saved.append(memory)
        engine.budget.set_patience(
            memory.patience, lambda: bool(adjustable) or has_form(engine, engine.observation.observers)
        )
    engine.observation.forget()
    engine.observation.begin(engine)
    with np.errstate(all="ignore"):
        try:
            run_blocks(engine, setup, side_by_side)
            engine.finished = True
        except KernelFault as error:
            fault = _detach(error)
        except (Unsupported, BudgetExceeded) as error:
            fault, verdict = _detach(error), LaunchVerdict.INCOMPLETE
        except RestartNeeded:
            engine.observation.close()
            raise
        finally:
            engine.observation.on_launch_end(engine)
            engine.observation.close()
    reported = None if cause.reason is Reason.NOT_ASKED else cause
    ran = EngineUsage(python=math.prod(engine.grid), cause=reported, observers=unknown)
    engine.budget.spent = engine.budget.stopwatch.read()
    cache, work = engine.program.cache, engine.budget.spent[1]
    if engine.options.seed is not None:
        cache.seeded_seconds = work
    else:  # machine code might have run it
        cache.record_interpreted(work, math.prod(engine.grid) * math.prod(engine.block))
        if engine.options.engine == "auto":
            history_of(engine.program, engine.options.objects).note(engine.program, engine.options.objects)
    return _result(engine, fault, verdict, ran)


def _detach(error: Fault) -> Fault:
    """Clear an error's traceback and cause, and return it: the frames in them would keep all memory alive."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


def _same_fault(*findings: Finding) -> bool:  # an observer reported it before, in more detail
    first, second = ((each.kind, each.severity, list(map(str, each.sites))) for each in findings)
    return first == second


def _result(
    engine: Interpreter, fault: SimtError | None, verdict: LaunchVerdict | None, ran: EngineUsage
) -> LaunchResult:
    """Make the result of a launch from what its engine and observers collected; add a fault's finding if it is missing.
    Findings are sorted by severity. If `verdict` is None, it is FINDINGS if one is an error or a warning, else CLEAN.
    """
    seconds, work = engine.budget.spent
    observation, program = engine.observation, engine.program
    findings = observation.collector.result()
    if isinstance(fault, KernelFault | BudgetExceeded) and not any(
        _same_fault(fault.finding, finding) for finding in findings
    ):
        findings.insert(0, fault.finding)
    findings.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    if verdict is None:
        verdict = LaunchVerdict.FINDINGS if findings and failing(findings, "warning") else LaunchVerdict.CLEAN
    counters: Counts = {"steps": engine.budget.steps, "lanes": math.prod(engine.grid) * math.prod(engine.block)}
    counters.update(observation.counters)
    return LaunchResult(
        verdict,
        tuple(findings),
        counters,
        MappingProxyType(dict(program.cache.fidelity)),
        tuple(engine.host.printed),
        fault,
        program.name,
        seconds,
        verdict == LaunchVerdict.CLEAN and _every_order_gives_the_same(engine),
        profile=observation.profile,
        symbol=program.symbol,
        engine=ran,
        work=work,
        seeded_work=program.cache.seeded_seconds,
    )


def _every_order_gives_the_same(engine: Interpreter) -> bool:
    """Return whether observers saw that all accesses are ordered (False if none looks), and no thread reads a clock."""
    program, observation = engine.program, engine.observation
    return observation.ordered and not program.is_time_dependent and (not program.copies or observation.copies_ordered)


def _parse_extent(name: str, value: Extent) -> Dim:
    """Return (x, y, z) of an extent, missing ones as 1; a number is x alone.

    Raises:
        LaunchError: It is not one to three positive integers; the message names it.
    """
    extents = (value,) if isinstance(value, INTEGERS) else tuple(value) if np.iterable(value) else ()
    try:
        extent = _to_extent(*extents)
    except TypeError:  # more than three, or one that cannot be hashed
        extent = None
    if extent is None:
        raise LaunchError(f"{name} must be one to three whole numbers of at least 1, but got {value!r}")
    return extent


@lru_cache(typed=True)  # 2.0 is not 2
def _to_extent(x: Any, y: Any = 1, z: Any = 1) -> Dim | None:
    """Return three positive integers as Python's own; None if they are others."""
    return (int(x), int(y), int(z)) if all(isinstance(each, INTEGERS) and each >= 1 for each in (x, y, z)) else None
