"""Run a program in a child with the simulated device (`child`), and make an `Execution` from its messages."""

from __future__ import annotations

import json
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from harness.errors import EnvironmentFault
from harness.model.launch_plan import LaunchPlan
from harness.model.project import make_load_error
from harness.model.terms import translate_flags
from harness.process.child import Child, Limits, ProcessExit
from harness.process.processors import count_processors
from harness.process.python import module_command
from harness.programs import wire
from harness.programs.compile import Compiled
from harness.programs.host.options import Options
from harness.programs.lines import Lines
from harness.programs.merge_findings import Occurrence, merge_findings
from harness.programs.result import Execution, Launched
from harness.programs.streams import Streams, duplicate_streams
from harness.programs.wire import LaunchTold
from harness.simt.findings import Finding

__all__ = ["CHILD", "Ran", "run", "simulated"]

CHILD = "harness.programs.child"  # whose `begin` runs a program
# How the process ends that cannot import what it needs, before it tells anything.
_UNLOADABLE = re.compile(r"^(?:ImportError|ModuleNotFoundError|OSError): (.*)\Z", re.MULTILINE | re.DOTALL)
# Mojo's runtime has a thread for each processor. Their stacks are taken off what a program may have, used or not.
_STACKS = count_processors() * (8 << 20)


@dataclass(frozen=True, slots=True)
class _ReportedFinding:
    """A finding of the process, with the return addresses of its places.

    Attributes:
        calls: For each place of one in the host's part, return addresses.
        freed: The same, of where the memory was freed.
        launch: The number of the launch that it is of; 0 for none.
    """

    finding: Finding
    calls: tuple[tuple[int, ...], ...] = ()
    freed: tuple[int, ...] = ()
    launch: int = 0


@dataclass(slots=True)
class _Reported:
    """All that a program's process reported."""

    first: int = 0
    has_ended: bool = False
    limits: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    launches: list[LaunchTold] = field(default_factory=list)
    findings: list[_ReportedFinding] = field(default_factory=list)
    recorded: dict[int, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ran:
    """A program's process after its end.

    Attributes:
        messages: All that it told, as kinds and facts.
        exit: How it ended.
        seconds: How long it took.
    """

    messages: list[tuple[str, Any]]
    exit: ProcessExit
    seconds: float


def simulated(
    program: Compiled,
    arguments: Sequence[str],
    plan: LaunchPlan,
    options: Options,
    streams: Streams,
    call: Path | None = None,
) -> Execution:
    """Run a program to its end in the simulator; what goes wrong in the program is in the result.

    Args:
        plan: How its launches are made.
        call: The folder of the call of an exported function that it makes; None for any other program.

    Raises:
        EnvironmentFault, RuntimeError: As from `run`; the latter also if the process sent a malformed message.
    """
    limits = Limits(memory_bytes=options.memory_bytes, seconds=options.seconds)
    ran, reported = run(program, arguments, plan, options, limits, streams, call=call), _Reported()
    for kind, facts in ran.messages:
        _add_message(reported, kind, facts)
    return _make_execution(program, arguments, options, reported, ran.exit, ran.seconds)


def run(
    program: Compiled,
    arguments: Sequence[str],
    plan: LaunchPlan,
    options: Options,
    limits: Limits,
    streams: Streams,
    called: Callable[[Path], Mapping[str, Any]] | None = None,
    call: Path | None = None,
) -> Ran:
    """Run a program in a process of its own, wait for its end, and collect its messages.

    If the process made machine code of the host's part, that is stored in the cache. If it cannot be stored, the
    cache's `notify` gets one line.

    Args:
        plan: How its launches are made.
        called: For a program that calls a function with data sets: takes the process's folder, writes them there, and
            returns the facts about them for the process. None for any other program.
        call: For a program that calls an exported function, the folder with that call's arguments; else None.

    Raises:
        EnvironmentFault: It could not be started or could not load what it needs, or it reported a `HarnessError`.
        RuntimeError: This harness has a fault, which ended the process or wrote to its streams.
    """
    reading, writing = os.pipe()
    started = time.perf_counter()
    with (
        open(reading, "rb") as lines,
        open(writing, "wb") as theirs,
        duplicate_streams(streams) as standard,
        Child(limits, (*standard, writing), CHILD) as child,
    ):
        order, machine_code_file = child.folder / "order.json", child.folder / "made.o"
        descriptors = map(str, (*standard, writing))
        command, variables = module_command(CHILD, str(order), *descriptors)
        calls = {"called": called and called(child.folder), "call": call and str(call)}
        facts = _order(program, arguments, plan, options, machine_code_file, variables) | calls
        order.write_text(json.dumps(facts), encoding="utf-8")
        # Its temporary folder is the user's own, as when it is started by hand.
        temporary = str(child.folder) if called else os.environ.get("TMPDIR", "/tmp")
        child.start(command, {**variables, "TMPDIR": temporary})
        theirs.close()  # the child's copy alone keeps the pipe open
        messages = [message for message in map(wire.read, lines) if message is not None]
        process_exit = child.wait() or ProcessExit(0)
        noise = child.output()
        code = machine_code_file.read_bytes() if machine_code_file.exists() else None
        child.abandon()  # nothing of it is wanted any more: lines are looked up meanwhile
    last_messages = dict(messages)
    if fault := last_messages.get("fault"):
        raise EnvironmentFault(fault)
    if not messages and (lacks := _UNLOADABLE.search(noise)):
        raise make_load_error(lacks[1].strip())
    if noise or "broken" in last_messages:  # the program's own streams are others: only this harness writes there
        raise RuntimeError(f"the simulated device broke:\n{last_messages.get('broken') or noise}")
    if code is not None:
        try:
            program.keep(code)
        except EnvironmentFault as error:  # the program has ended, and its result stands
            program.cache.notify(str(error))
    return Ran(messages, process_exit, time.perf_counter() - started)


def _order(
    program: Compiled,
    arguments: Sequence[str],
    plan: LaunchPlan,
    options: Options,
    machine_code_file: Path,
    variables: Iterable[str],
) -> dict[str, Any]:
    machine_code = program.machine_code
    return {
        "name": str(program.file),
        "arguments": list(arguments),
        "plan": plan.as_facts(),
        "kernels": str(program.kernels.path),
        "host": str(program.host.path),
        "machine_code": str(machine_code["loadable"].path) if machine_code else "",
        "made": str(machine_code_file),
        "objects": "" if plan.engine == "reference" else str(program.cache.root),
        "options": asdict(options),
        "environment": {name: os.environ.get(name) for name in variables},
    }


def _add_message(reported: _Reported, kind: str, facts: Any) -> None:
    match kind:
        case "loaded":
            reported.first = facts
        case "launch":
            reported.launches.append(facts)
            number = len(reported.launches)
            reported.findings += [
                _ReportedFinding(finding, freed=facts.freed.get(finding.argument, ()), launch=number)
                for finding in facts.findings
            ]
        case "recorded":
            reported.recorded[len(reported.launches)] = facts
        case "finding":
            if not (facts.id == "aborted" and reported.missing):  # it cannot go on without what is missing
                reported.findings.append(_ReportedFinding(facts.finding, facts.calls, facts.freed))
        case "unsupported":
            reported.missing.append(f"{facts} is not supported by the simulated device")
        case "incomplete":
            reported.missing.append(f"kernel {facts.kernel}: {facts.reason}")
        case "limit":
            reported.limits.append(facts)
        case "end":
            reported.has_ended = True
        case wire.MALFORMED:
            raise RuntimeError(f"the simulated device told what is no message: {facts}")


def _make_execution(
    program: Compiled,
    arguments: Sequence[str],
    options: Options,
    reported: _Reported,
    process_exit: ProcessExit,
    seconds: float,
) -> Execution:
    lines = Lines(program, reported.first)
    host = [calls for finding in reported.findings for calls in (*finding.calls, finding.freed)]
    lines.learn([*host, *(launch.calls for launch in reported.launches)] if host or reported.launches else [])
    limit = reported.limits[0] if reported.limits else ""
    if process_exit.limit == "seconds":
        limit = options.too_late
    elif (
        process_exit.status and options.memory_bytes and process_exit.peak_bytes > 0.9 * options.memory_bytes - _STACKS
    ):
        used, most = process_exit.peak_bytes >> 20, options.memory_bytes >> 20
        limit = f"ended with {used} MiB in use, of {most} that it may have: `--memory` raises the limit"
    return Execution(
        file=program.file,
        arguments=tuple(arguments),
        target=program.target,
        backend="simulator",
        status=process_exit.status,
        launches=tuple(_make_launched(launch, lines) for launch in reported.launches),
        findings=tuple(_merge_findings(reported, lines)),
        recorded=reported.recorded,
        missing=tuple(dict.fromkeys(reported.missing)),
        limit=translate_flags(limit),
        seconds=seconds,
        fail_on=options.fail_on,
    )


def _make_launched(message: LaunchTold, lines: Lines) -> Launched:
    place = lines.place(message.calls, "")
    facts = {field.name: getattr(message, field.name) for field in fields(Launched) if field.name != "place"}
    return Launched(**facts, place=str(place) if place else "")


def _merge_findings(reported: _Reported, lines: Lines) -> Iterator[Finding]:
    observed = Counter(launch.kernel for launch in reported.launches if launch.observed)
    return merge_findings((_make_occurrence(finding, reported, lines) for finding in reported.findings), observed)


def _make_occurrence(reported_finding: _ReportedFinding, reported: _Reported, lines: Lines) -> Occurrence:
    """Return an occurrence of a finding with its source locations: the kernel's own, or those of the host's calls.

    A call without a known location adds no site. A kernel's finding also gets its launch's number and kernel.
    """
    freed = lines.place(reported_finding.freed, "release") if reported_finding.freed else None
    if reported_finding.launch:
        return Occurrence(
            reported_finding.finding,
            freed,
            reported_finding.launch,
            reported.launches[reported_finding.launch - 1].kernel,
        )
    places = (
        lines.place(calls, str(reported_finding.finding.values.get("what", ""))) for calls in reported_finding.calls
    )
    return Occurrence(replace(reported_finding.finding, sites=tuple(place for place in places if place)), freed)
