"""Find NVIDIA's compute-sanitizer, start a worker under it (`Sanitized`), and parse its log.

See: https://docs.nvidia.com/compute-sanitizer/ComputeSanitizer/
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.backends.ahead import WORKER
from harness.errors import EnvironmentFault
from harness.process.worker import Worker

__all__ = ["TOOLS", "Log", "Sanitized", "find", "parse"]

TOOLS = ("memcheck", "racecheck", "synccheck", "initcheck")
USUAL = Path("/usr/local/cuda/bin/compute-sanitizer")
FINISH_SECONDS = 60.0  # from the end of the last launch to the end of the tool's report

# The engine's pool would hand out parts of one large allocation, whose own bounds and
# whose own history are then all that the tool knows.
_POOL = "MODULAR_DEVICE_CONTEXT_MEMORY_MANAGER"
EXACT = {f"{_POOL}_SIZE": "0", f"{_POOL}_SIZE_PERCENT": "0", f"{_POOL}_CHUNK_PERCENT": "0"}

_LINE = re.compile(r"^========= (?P<text>.*)$", re.MULTILINE)
_SUMMARY = re.compile(r"(?:ERROR SUMMARY: (?P<errors>\d+) error|RACECHECK SUMMARY: (?P<hazards>\d+) hazard)")
# Not findings: the banner, and what the tool says of the process.
_TALK = re.compile(r"COMPUTE-SANITIZER|.* SUMMARY:|Target application|This tool|\d+ .*suppressed")
_BACKTRACE = re.compile(r"\s+(?:Saved host backtrace|(?:Host|Device) Frame)")


@dataclass(frozen=True, slots=True)
class Log:
    """The findings that a tool reported of one process.

    Attributes:
        errors: By its own summary; None when there is none, and nothing is known.
        messages: Each finding in one line: what, where in the kernel, and by whom;
            one line for all at the same place.
    """

    errors: int | None
    messages: tuple[str, ...]


def find() -> str:
    """Return the path of the tool's program, from `PATH` or else the toolkit's usual folder.

    Raises:
        EnvironmentFault: It is not installed.
    """
    path = shutil.which("compute-sanitizer") or (str(USUAL) if USUAL.is_file() else None)
    if path is None:
        raise EnvironmentFault(
            "compute-sanitizer is not installed: install NVIDIA's CUDA toolkit, or put the tool on PATH."
        )
    return path


def parse(text: str) -> Log:
    """Parse a tool's log; findings at one place in the code are one message with a count.

    Summaries of several launches are added up; without one, `errors` is None.
    """
    errors: int | None = None
    records: list[list[str]] = []
    open_record = False
    for match in _LINE.finditer(text):
        line = match["text"].rstrip()
        if summary := _SUMMARY.search(line):
            errors = (errors or 0) + int(summary["errors"] or summary["hazards"])
        if not line or _TALK.match(line) or _BACKTRACE.match(line):
            open_record = False  # frames and remarks belong to no message
        elif not line[0].isspace():
            records.append([line])
            open_record = True
        elif open_record:
            records[-1].append(line.strip())
    places: dict[tuple[str, ...], list[list[str]]] = {}
    for record in records:
        places.setdefault(tuple(record[:2]), []).append(record)
    return Log(errors, tuple(_format_message(same) for same in places.values()))


def _format_message(same: list[list[str]]) -> str:
    return ", ".join(same[0]) + (f" ({len(same)} times)" if len(same) > 1 else "")


class Sanitized(Worker):
    """A worker under one of the tools; its end waits for the tool's report.

    Args:
        kind: Of the worker, `gpu`.
        environment: Of the worker.
        program: From `find`.
        tool: One of `TOOLS`.
        log: Where the tool writes.
    """

    def __init__(self, kind: str, environment: Mapping[str, str], program: str, tool: str, log: Path) -> None:
        # The engine asks the driver for what it may not have; that is no fault of a kernel.
        quiet = ["--report-api-errors", "no"] if tool == "memcheck" else []
        prefix = [program, "--tool", tool, "--log-file", str(log), *quiet]
        super().__init__(WORKER, [kind], prefix=prefix, environment={**environment, **EXACT})

    def close(self) -> None:
        """Let the worker end, up to `FINISH_SECONDS`, so that the tool sums up; then kill what is left."""
        self.finish(FINISH_SECONDS)
        super().close()
