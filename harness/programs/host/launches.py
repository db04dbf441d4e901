"""Check and queue launches; run them, the first of a kernel with all checks, then report them to the parent."""

from __future__ import annotations

import math
import os
import struct
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from harness import simt
from harness.programs.host import pages
from harness.programs.host.abi import HostError
from harness.programs.host.dependent import Dependent, Written
from harness.programs.host.objects import DeviceFunction
from harness.programs.host.orders import Pointer, Reachable, reachable
from harness.programs.host.queue import Operation, Stream
from harness.programs.host.runtime import Runtime
from harness.programs.host.storage import Storage
from harness.programs.host.touching import Touching
from harness.simt.compile.program import compile_kernel
from harness.simt.declined import Declined
from harness.simt.errors import BudgetExceeded
from harness.simt.findings import Finding, LaunchVerdict, name_empty_buffer
from harness.simt.targets import target_of

if TYPE_CHECKING:
    from harness.simt.observing.recording import Recorder

__all__ = ["KernelCall", "enqueue"]

_STDOUT = 1
Dim = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class KernelCall:
    """A launch that a program requests.

    Attributes:
        grid: Blocks in x, y and z.
        block: Threads in x, y and z.
        cluster: Blocks of a cluster in x, y and z.
        shared_bytes: Dynamic shared memory of a block.
        parameters: The bytes of each parameter.
        storages: The storages that addresses in the parameters belong to.
        names: The source's names of these, by the number of the allocation; known in a debug build.
        empty: The names in reports of buffers without elements that parameters may mean, by the parameters' values.
        early: Whether it may begin before the previous launch has ended.
        memory: The memory it may change, if it can be repeated in other orders of its threads.
    """

    function: DeviceFunction
    grid: Dim
    block: Dim
    cluster: Dim
    shared_bytes: int
    parameters: list[bytes]
    storages: Sequence[Storage] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    empty: Mapping[int, str] = field(default_factory=dict)
    early: bool = False
    memory: Reachable | None = None


def enqueue(runtime: Runtime, stream: Stream, launch: KernelCall) -> None:
    """Check and queue a launch; it runs later, and its errors come then, or at once if the run is eager.

    Raises:
        HostError: The device refuses it or failed before, or the simulator does not support all of the kernel, which is
            also reported.
    """
    function = launch.function
    try:  # what a driver refuses it refuses at once
        runtime.launcher.check(function.module, function.symbol, launch)
    except simt.Unsupported as error:
        raise runtime.incomplete(function.name, error) from error
    except simt.SimtError as error:
        raise HostError(str(error)) from error
    pointers = list(_pointers(runtime, launch))
    names_by_position = function.code.named.parameters
    launch = replace(
        launch,
        parameters=_translated(launch, pointers),
        storages=[storage for *_, storage in pointers],
        names={
            storage.allocation.number: names_by_position[at]
            for at, *_, storage in reversed(pointers)
            if at in names_by_position
        },
        empty=_empty(runtime, launch, pointers),
        memory=_memory(runtime, function, pointers),
    )
    argument_texts = _format_arguments(launch, pointers)
    uses = dict.fromkeys(storage for *_, storage in pointers if storage.host is not None)
    runtime.work.queue(
        stream,
        f"launch of {function.name}",
        lambda operation: _run(runtime, launch, argument_texts, operation),
        uses=[*uses],
    )


def _pointers(runtime: Runtime, launch: KernelCall) -> Iterator[Pointer]:
    """Yield each buffer address in the parameters: the parameter's number, its byte offset, the offset in the storage,
    the storage.
    """
    for number, raw in enumerate(launch.parameters):
        for at in range(0, len(raw) - 7, 8):
            (address,) = struct.unpack_from("<Q", raw, at)
            storage = runtime.storage(address)
            if storage is not None:
                yield number, at, address - storage.address, storage


def _empty(runtime: Runtime, launch: KernelCall, pointers: Sequence[Pointer]) -> dict[int, str]:
    """Return, by value of a parameter as an integer, the names of the empty buffers that it may mean, joined by " or ".

    Keys are parameters of 8 bytes without a buffer's address; each has all empty buffers that are not passed. For an
    empty buffer Mojo's library leaves the parameter uninitialised: any address, another in each run.
    """
    if not (storages := runtime.empty()):
        return {}
    passed = [storage for *_, storage in pointers]
    empty = [storage.allocation.name for storage in storages if storage not in passed]
    with_buffers = {number for number, *_ in pointers}
    values = (raw for number, raw in enumerate(launch.parameters) if len(raw) == 8 and number not in with_buffers)
    return {int.from_bytes(raw, "little"): " or ".join(empty) for raw in values} if empty else {}


def _memory(runtime: Runtime, function: DeviceFunction, pointers: Sequence[Pointer]) -> Reachable | None:
    """Return what a launch may change, as `reachable`; None also if the plan tries no other orders or has a seed."""
    if not runtime.launcher.plan.orders or runtime.launcher.plan.seed is not None:
        return None
    return reachable(compile_kernel(function.module, function.symbol, target_of(runtime.target.name)), pointers)


def _translated(launch: KernelCall, pointers: Sequence[Pointer]) -> list[bytes]:
    """Return the parameters with the device's addresses in place of the program's, for host buffers too."""
    parameters = list(map(bytearray, launch.parameters))
    for number, at, offset, storage in pointers:
        struct.pack_into("<Q", parameters[number], at, storage.allocation.base + offset)
    return list(map(bytes, parameters))


def _format_arguments(launch: KernelCall, pointers: Sequence[Pointer]) -> list[str]:
    """Return the arguments for people: buffers by name and offset, other values in hexadecimal, long ones by size."""
    texts = [f"0x{raw[::-1].hex()}" if len(raw) <= 8 else f"{len(raw)} bytes" for raw in launch.parameters]
    for number in dict.fromkeys(number for number, *_ in pointers):
        names = [
            storage.allocation.name + (f" + {offset}" if offset else "")
            for other, _, offset, storage in pointers
            if other == number
        ]
        texts[number] = ", ".join(names)
    return texts


def _run(runtime: Runtime, launch: KernelCall, argument_texts: list[str], operation: Operation) -> None:
    """Run a launch that was queued, and report it and its findings to the parent process; findings raise nothing.

    The launch is counted. The journal, the recording and the checks get what it did; what it printed goes to stdout.

    Raises:
        HostError: The launch is refused, exceeds the limit on launches, was stopped, is not supported, or ended early.
            Only the last sets `Runtime.lost`.
    """
    function, options = launch.function, runtime.options
    launches = runtime.unobserved.launches
    launches[function.symbol, function.name] += 1
    count = launches[function.symbol, function.name]
    if options.launches is not None and count > options.launches:
        runtime.tell(
            "limit", f"launched {function.name} more than {options.launches} times: `--launches` raises the limit"
        )
        raise HostError(f"kernel {function.name} was launched more than {options.launches} times")
    for storage in launch.storages:
        storage.notice_writes()
        runtime.journal.notice(storage)
    geometry = launch.grid, launch.block, launch.cluster, launch.shared_bytes
    runtime.journal.launched(launch.function.symbol, geometry, launch.parameters, launch.function.constants)
    recorder = runtime.recorder()
    started, elsewhere = time.perf_counter(), runtime.orders.seconds
    try:
        ran = _run_checked(runtime, launch, recorder, _written_before(runtime, launch, operation))
    except simt.SimtError as error:
        raise HostError(str(error)) from error
    result, touching = ran.result, ran.touching
    for storage in launch.storages:
        runtime.journal.changed(storage)
    runtime.written[operation.stream] = operation.position, ran.dependent.written
    if result.printed:
        os.write(_STDOUT, "".join(result.printed).encode())
    elsewhere = runtime.orders.seconds - elsewhere
    facts = _facts(launch, result, ran.observed, time.perf_counter() - started - elsewhere)
    facts["freed"] = {
        finding.argument: runtime.checks.freed(finding.argument)
        for finding in result.findings
        if finding.kind == "use-after-free"
    }
    runtime.tell(
        "launch", facts | {"arguments": argument_texts, "calls": operation.calls, "results": touching.results()}
    )
    if recorder:
        recorder.cells.names.update(launch.names)  # what a pointer within the kernel is called counts less
        debug_names = function.code.named
        arguments = [(debug_names.parameters.get(at, ""), text) for at, text in enumerate(argument_texts)]
        runtime.keep(recorder, {"arguments": arguments, "shapes": debug_names.shapes})
    for touched in touching.touched():
        runtime.checks.touched(operation, touched)
    if isinstance(result.fault, BudgetExceeded):
        more = "`--launch-seconds` gives a launch more time"
        if ran.observed:
            more += f", `--observed-launches {count - 1}` leaves its checks away, and then it takes far less"
        runtime.tell("limit", f"launched {function.name}, which was stopped: {result.fault}; {more}")
        raise HostError(f"the kernel was stopped: {result.fault}")
    if result.verdict == LaunchVerdict.INCOMPLETE:
        raise runtime.incomplete(function.name, result.fault)
    if result.fault is not None:
        runtime.lost = f"the kernel ended early: {result.fault}"
        raise HostError(runtime.lost)


@dataclass(frozen=True, slots=True)
class _Launched:
    """A launch that was made.

    Attributes:
        observed: Whether all checks were on.
        touching, dependent: What these saw of it then.
    """

    result: simt.LaunchResult
    observed: bool
    touching: Touching = field(default_factory=Touching)
    dependent: Dependent = field(default_factory=lambda: Dependent({}))


def _run_checked(runtime: Runtime, launch: KernelCall, recorder: Recorder | None, before: Written) -> _Launched:
    """Run a launch: the first ones of a kernel with all checks, later ones only where the compiled engine can.

    If it cannot run a later one, the interpreter runs it without checks, and `observed` of the result is False. First
    launches, and those without checks, are counted in `runtime.unobserved`. First ones may be tried in other orders of
    their threads; memory then holds the first order's results.

    Raises:
        SimtError: The launch is impossible.
    """
    function, launcher = launch.function, runtime.launcher
    make = partial(
        launcher.launch_on,
        runtime.device,
        function.module,
        function.symbol,
        launch,
        launch.parameters,
        function.constants,
    )
    how = launcher.options(math.prod(launch.grid) * math.prod(launch.block))
    recorders, accesses = (recorder,) if recorder else (), (Touching(), Dependent(before))
    key = function.symbol, function.name
    observed = runtime.unobserved.is_observed(key)
    # Only the interpreter serves what is measured: later launches go without.
    others = launcher.observers(counters=observed and launcher.plan.counters, counted=(), measured=observed)
    memory = launch.memory if observed and runtime.orders.has_budget(function.symbol) else None
    restore = memory.snapshot() if memory else None
    try:
        result = make(observers=(*recorders, *others, *accesses), options=how, proved=not observed)
        if memory and restore:
            run, count = lambda each, how: make(observers=each, options=how), runtime.unobserved.launches[key]
            result = runtime.orders.try_orders(result, run, memory, restore, accesses[0].touched(), how, count)
        if observed:
            runtime.unobserved.note(key, result)
        return _Launched(result, True, *accesses)
    except Declined as error:
        runtime.unobserved.skip(key)
        result = make(observers=recorders, options=replace(how, engine="reference"))
        return _Launched(replace(result, engine=replace(result.engine, cause=error.cause)), False)


def _written_before(runtime: Runtime, launch: KernelCall, operation: Operation) -> Written:
    """Return which bytes the stream's previous launch wrote, by allocation; empty unless `launch` may begin early.

    Empty also if the previous launch lets none begin early, or if other work was queued between the two.
    """
    position, written = runtime.written.get(operation.stream, (0, {}))
    return written if launch.early and position == operation.position - 1 else {}


def _facts(launch: KernelCall, result: simt.LaunchResult, observed: bool, seconds: float) -> dict[str, Any]:
    return {
        "kernel": launch.function.name,
        "symbol": launch.function.symbol,
        "grid": launch.grid,
        "block": launch.block,
        "cluster": launch.cluster,
        "shared_bytes": launch.shared_bytes,
        "observed": observed,
        "seconds": seconds,
        "verdict": result.verdict,
        "findings": [_of_host(name_empty_buffer(finding, launch.empty)) for finding in result.findings],
        "counters": result.counters,
        "profile": result.profile,
        "engine": result.engine,
    }


def _of_host(finding: Finding) -> Finding:
    """Return a finding `out-of-bounds.pointer.nowhere` as `out-of-bounds.pointer.host` if the process maps its address.

    That one gets a remedy, `instead`, in its values. Any other finding is returned unchanged.
    """
    if finding.id == "out-of-bounds.pointer.nowhere" and pages.mapped(finding.values["address"]):
        values = finding.values | {"instead": "given"}  # unless the source shows that it is captured
        return replace(finding, id="out-of-bounds.pointer.host", values=values)
    return finding
