"""A stage for `test_stage.py`: it does what its order says."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from harness.errors import EnvironmentFault
from harness.process.child import Limits
from harness.process.python import module_command
from harness.process.stage import Stage

__all__ = ["STAGE", "SomeOrder", "main"]


@dataclass(frozen=True, slots=True)
class SomeOrder:
    """What to do: `fault`, `memory`, `break`, `spend` the processor's time, `speak`, `start` a module,
    write another `form`, or tell the `text`.
    """

    what: str
    limits: Limits
    text: str = ""


@dataclass(frozen=True, slots=True)
class SomeResult:
    """The text, where it was done, and under which limit."""

    text: str
    place: str
    seconds: float | None


STAGE = Stage(__name__, SomeOrder, SomeResult, most_bytes=1 << 16)


def main() -> None:
    """Does what the order asks."""
    STAGE.serve(_done)


def _done(order: SomeOrder, folder: Path) -> SomeResult:
    if order.what == "fault":
        raise EnvironmentFault("the disk is full.")
    if order.what == "memory":
        raise MemoryError
    if order.what == "break":
        raise KeyError("x")
    while order.what == "spend":
        pass
    if order.what == "speak":  # to somebody who is gone
        listening, speaking = os.pipe()
        os.close(listening)
        try:
            os.write(speaking, b"?")
        except BrokenPipeError:
            return SomeResult("nobody listens", "", None)
    if order.what == "start":
        return SomeResult(module_command("any")[1]["PYTHONPATH"], os.environ.get("PYTHONPATH", ""), None)
    if order.what == "form":
        return SomeResult(3, "", None)  # type: ignore[arg-type]
    return SomeResult(order.text, str(folder / "a.mojo"), order.limits.seconds)
