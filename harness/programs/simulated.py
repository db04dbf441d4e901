"""A program in a process of its own whose device is the simulator."""

from __future__ import annotations

import json
import os
import re
import time
import zlib
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
from harness.programs.merged import Seen, merged
from harness.programs.result import Execution, Launched
from harness.programs.streams import Streams, inherited
from harness.programs.wire import LaunchTold
from harness.simt.findings import Finding

__all__ = ["CHILD", "Ran", "code_of", "run", "simulated"]

CHILD = "harness.programs.child"  # whose `begin` runs a program
# How the process ends that cannot import what it needs, before it tells anything.
_UNLOADABLE = re.compile(r"^(?:ImportError|ModuleNotFoundError|OSError): (.*)\Z", re.MULTILINE | re.DOTALL)
# Mojo's runtime has a thread for each processor. Their stacks are taken off what a program may have, used or not.
_STACKS = count_processors() * (8 << 20)


@dataclass(frozen=True, slots=True)
class _Found:
    """A finding, and what is known of its places.

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
class _Told:
    """All that a program's process has told."""

    first: int = 0
    ended: bool = False
    limits: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    launches: list[LaunchTold] = field(default_factory=list)
    findings: list[_Found] = field(default_factory=list)
    recorded: dict[int, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ran:
    """A program's process, which has ended.

    Attributes:
        messages: All that it told, as kinds and facts.
        ended: How it ended.
        seconds: How long it took.
    """

    messages: list[tuple[str, Any]]
    ended: ProcessExit
    seconds: float


def simulated(
    program: Compiled,
    arguments: Sequence[str],
    plan: LaunchPlan,
    options: Options,
    streams: Streams,
    call: Path | None = None,
) -> Execution:
    """Runs a program to its end.

    Args:
        plan: How its launches are made.
        call: The folder of the call of an exported function that it makes; None for any other program.

    Raises:
        EnvironmentFault: It could not be started, or this harness has a fault.
    """
    limits = Limits(memory_bytes=options.memory_bytes, seconds=options.seconds)
    ran, told = run(program, arguments, plan, options, limits, streams, call=call), _Told()
    for kind, facts in ran.messages:
        _note(told, kind, facts)
    return _execution(program, arguments, options, told, ran.ended, ran.seconds)


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
    """Runs a program in a process of its own.

    Args:
        plan: How its launches are made.
        called: Where it calls functions with data sets: from the process's folder to what the order says of them.
        call: Where it calls an exported function: the folder with that call's arguments.

    Raises:
        EnvironmentFault: It could not be started, or this harness has a fault.
    """
    reading, writing = os.pipe()
    started = time.perf_counter()
    with (
        open(reading, "rb") as lines,
        open(writing, "wb") as theirs,
        inherited(streams) as standard,
        Child(limits, (*standard, writing), CHILD) as child,
    ):
        order, made = child.folder / "order.json", child.folder / "made.o"
        descriptors = map(str, (*standard, writing))
        command, variables = module_command(CHILD, str(order), *descriptors)
        calls = {"called": called and called(child.folder), "call": call and str(call)}
        facts = _order(program, arguments, plan, options, made, variables) | calls
        order.write_text(json.dumps(facts), encoding="utf-8")
        # Its temporary folder is the user's own, as when it is started by hand.
        temporary = str(child.folder) if called else os.environ.get("TMPDIR", "/tmp")
        child.start(command, {**variables, "TMPDIR": temporary})
        theirs.close()  # the child's copy alone keeps the pipe open
        messages = [message for message in map(wire.read, lines) if message is not None]
        ended = child.wait() or ProcessExit(0)
        noise = child.output()
        code = made.read_bytes() if made.exists() else None
        child.abandon()  # nothing of it is wanted any more: lines are looked up meanwhile
    told = dict(messages)
    if fault := told.get("fault"):
        raise EnvironmentFault(fault)
    if not messages and (lacks := _UNLOADABLE.search(noise)):
        raise make_load_error(lacks[1].strip())
    if noise or "broken" in told:  # the program's own streams are others: only this harness writes there
        raise RuntimeError(f"the simulated device broke:\n{told.get('broken') or noise}")
    if code is not None:
        program.keep(code)
    return Ran(messages, ended, time.perf_counter() - started)


def _order(
    program: Compiled,
    arguments: Sequence[str],
    plan: LaunchPlan,
    options: Options,
    made: Path,
    variables: Iterable[str],
) -> dict[str, Any]:
    machine_code = program.machine_code
    return {
        "name": str(program.file),
        "arguments": list(arguments),
        "plan": plan.as_facts(),
        "kernels": str(program.kernels.path),
        "host": str(program.host.path),
        "machine_code": str(machine_code.path) if machine_code else "",
        "made": str(made),
        "objects": "" if plan.engine == "reference" else str(program.cache.root),
        "options": asdict(options),
        "environment": {name: os.environ.get(name) for name in variables},
    }


def _note(told: _Told, kind: str, facts: Any) -> None:
    match kind:
        case "loaded":
            told.first = facts
        case "launch":
            told.launches.append(facts)
            number = len(told.launches)
            told.findings += [
                _Found(found, freed=facts.freed.get(found.argument, ()), launch=number) for found in facts.findings
            ]
        case "recorded":
            told.recorded[len(told.launches)] = facts
        case "finding":
            if not (facts.id == "aborted" and told.missing):  # it cannot go on without what is missing
                told.findings.append(_Found(facts.finding, facts.calls, facts.freed))
        case "unsupported":
            told.missing.append(f"{facts} is not supported by the simulated device")
        case "incomplete":
            told.missing.append(f"kernel {facts.kernel}: {facts.reason}")
        case "limit":
            told.limits.append(facts)
        case "end":
            told.ended = True
        case wire.MALFORMED:
            raise RuntimeError(f"the simulated device told what is no message: {facts}")


def _execution(
    program: Compiled, arguments: Sequence[str], options: Options, told: _Told, ended: ProcessExit, seconds: float
) -> Execution:
    lines = Lines(code_of(program), told.first)
    host = [calls for found in told.findings for calls in (*found.calls, found.freed)]
    lines.learn([*host, *(launch.calls for launch in told.launches)] if host or told.launches else [])
    limit = told.limits[0] if told.limits else ""
    if ended.limit == "seconds":
        limit = options.too_late
    elif ended.status and options.memory_bytes and ended.peak_bytes > 0.9 * options.memory_bytes - _STACKS:
        held, most = ended.peak_bytes >> 20, options.memory_bytes >> 20
        limit = f"ended with {held} MiB in use, of {most} that it may have: `--memory` raises the limit"
    return Execution(
        file=program.file,
        arguments=tuple(arguments),
        target=program.target,
        backend="simulator",
        status=ended.status,
        launches=tuple(_launched(launch, lines) for launch in told.launches),
        findings=tuple(_findings(told, lines)),
        recorded=told.recorded,
        missing=tuple(dict.fromkeys(told.missing)),
        limit=translate_flags(limit),
        seconds=seconds,
        fail_on=options.fail_on,
    )


def code_of(program: Compiled) -> bytes:
    """The host's part as an object file; empty where it was not made."""
    made = program.machine_code
    return zlib.decompress(made.data).partition(b"\n")[2] if made else b""


def _launched(told: LaunchTold, lines: Lines) -> Launched:
    place = lines.place(told.calls, "")
    own = {field.name: getattr(told, field.name) for field in fields(Launched) if field.name != "place"}
    return Launched(**own, place=str(place) if place else "")


def _findings(told: _Told, lines: Lines) -> Iterator[Finding]:
    observed = Counter(launch.kernel for launch in told.launches if launch.observed)
    return merged((_seen(found, told, lines) for found in told.findings), observed)


def _seen(found: _Found, told: _Told, lines: Lines) -> Seen:
    """A finding with its places: the kernel's own, or those of the host's calls."""
    freed = lines.place(found.freed, "release") if found.freed else None
    if found.launch:
        return Seen(found.finding, freed, found.launch, told.launches[found.launch - 1].kernel)
    places = (lines.place(calls, str(found.finding.values.get("what", ""))) for calls in found.calls)
    return Seen(replace(found.finding, sites=tuple(place for place in places if place)), freed)
