"""Messages from a program's child to its parent as JSON lines: their kinds and forms, sending and validation.

The program may be untrusted and may write there too: a message whose facts lack the form of its kind is read as
MALFORMED.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from harness.model import codec
from harness.simt.findings import SEVERITIES, Counts, Finding, LaunchVerdict
from harness.simt.plain import plain
from harness.simt.result import EngineUsage
from harness.simt.rows import Row

__all__ = ["MALFORMED", "HostFinding", "LaunchTold", "Unknown", "read", "send"]

MALFORMED = "malformed"  # the kind of what has not the form of its own
Dim = tuple[int, int, int]
Calls = tuple[int, ...]  # return addresses, innermost first


@dataclass(frozen=True, slots=True)
class LaunchTold:
    """A launch, as `harness.programs.result.Launched` has it, but for its place.

    Attributes:
        calls: Where it was made.
        freed: By the argument of a finding, where its memory was freed.
    """

    kernel: str
    symbol: str
    grid: Dim
    block: Dim
    cluster: Dim
    shared_bytes: int
    arguments: tuple[str, ...]
    observed: bool
    seconds: float
    results: int
    verdict: LaunchVerdict
    counters: Counts
    findings: tuple[Finding, ...]
    calls: Calls
    freed: Mapping[str, Calls]
    profile: tuple[Row, ...] = ()
    engine: EngineUsage = field(default_factory=EngineUsage)


@dataclass(frozen=True, slots=True)
class HostFinding:
    """A finding of the host's part.

    Attributes:
        calls: For each of its places.
        freed: Where the memory was freed that it is about.
    """

    id: str
    severity: Annotated[str, SEVERITIES.__contains__]
    calls: tuple[Calls, ...]
    values: dict[str, Any]
    argument: str | None
    freed: Calls

    @property
    def finding(self) -> Finding:
        """The finding without source locations, which are looked up later from `calls`."""
        return Finding(self.id, self.severity, argument=self.argument, values=self.values)


@dataclass(frozen=True, slots=True)
class Unknown:
    """A kernel that the simulator does not support, and why."""

    kernel: str
    reason: str


# By its kind, what a message says; `object` is for whoever asked for it to read.
_FACTS: Mapping[str, Any] = {
    "loaded": int,
    "launch": LaunchTold,
    "recorded": object,
    "finding": HostFinding,
    "unstable": tuple[int, ...],  # arguments that a repetition left otherwise
    "took": tuple[float, ...],  # nanoseconds of a call on a GPU, in each batch of them
    "unsupported": str,
    "incomplete": Unknown,
    "launches": tuple[tuple[str, Dim, Dim], ...],  # of a call on a GPU, as its driver saw them
    "limit": str,
    "broken": str,
    "fault": str,
    "end": int,
    "device": object,
    "done": int,
    "failed": str,
    MALFORMED: Literal[()],
}


def send(descriptor: int, kind: str, facts: Any) -> None:
    """Write one message as a line of JSON; if the reader is gone, the rest is dropped and nothing raised."""
    line = json.dumps([kind, plain(facts)]).encode() + b"\n"
    view = memoryview(line)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except OSError:
            return


def read(line: bytes) -> tuple[str, Any] | None:
    """Return the kind and the facts of a message; None if the line is not JSON of a pair, such as a truncated line.

    If the kind or the facts are not of a known form, return `MALFORMED` and a text that says why. Nothing is raised.
    """
    try:
        kind, facts = json.loads(line)
    except (ValueError, TypeError, RecursionError):
        return None
    try:
        return kind, codec.build_record(_FACTS[kind], facts)
    except (ValueError, KeyError, TypeError) as error:
        return MALFORMED, f"{kind!s:.40}: {error}"
