"""NVIDIA's compute-sanitizer around the worker: its command line, and what it says.

See: https://docs.nvidia.com/compute-sanitizer/ComputeSanitizer/
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from harness.backends.child import Child
from harness.backends.max_engine import WORKER
from harness.errors import EnvironmentFault

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
_TALK = re.compile(r"COMPUTE-SANITIZER|.* SUMMARY:|Target application|This tool|Saved host|\d+ .*suppressed")
_DETAIL = re.compile(r"^\s+(?:at|by|in) ")


@dataclass(frozen=True, slots=True)
class Log:
    """What a tool said of one process.

    Attributes:
        errors: By its own summary; None when there is none, and nothing is known.
        messages: Each finding in one line: what, where in the kernel, and by whom.
    """

    errors: int | None
    messages: tuple[str, ...]


def find() -> str:
    """The tool's program.

    Raises:
        EnvironmentFault: It is not installed.
    """
    found = shutil.which("compute-sanitizer") or (str(USUAL) if USUAL.is_file() else None)
    if found is None:
        raise EnvironmentFault(
            "compute-sanitizer is not installed: install NVIDIA's CUDA toolkit, or put the tool on PATH."
        )
    return found


def parse(text: str) -> Log:
    """Reads a tool's log; lines that it does not know are left out."""
    errors: int | None = None
    messages: list[str] = []
    for found in _LINE.finditer(text):
        line = found["text"].rstrip()
        if summary := _SUMMARY.search(line):
            errors = (errors or 0) + int(summary["errors"] or summary["hazards"])
        elif _DETAIL.match(line) and messages:
            messages[-1] += f", {line.strip()}"
        elif line and not line[0].isspace() and not _TALK.match(line):
            messages.append(line)
    return Log(errors, tuple(dict.fromkeys(messages)))


class Sanitized(Child):
    """A worker under one of the tools; its end waits for the tool's report.

    Args:
        kind: Of the worker, `gpu:0`.
        program: From `find`.
        tool: One of `TOOLS`.
        log: Where the tool writes.
    """

    def __init__(self, kind: str, program: str, tool: str, log: Path) -> None:
        prefix = [program, "--tool", tool, "--log-file", str(log), "--print-limit", "20"]
        super().__init__(WORKER, [kind], prefix=prefix, environment=EXACT)
        self._ended = False

    def close(self) -> None:
        """Lets the worker end, so that the tool sums up; then kills what is left."""
        if not self._ended:
            self._ended = True
            self.finish(FINISH_SECONDS)
        super().close()
