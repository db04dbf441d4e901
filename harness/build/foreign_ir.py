"""LLVM IR that somebody else wrote, read in a child: LLVM ends its whole process on some malformed texts.

The child has LLVM validate the text and print it in its canonical form; what this process reads is that form, with a
reader of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from harness.errors import EnvironmentFault, UsageError
from harness.process.box import Sandbox, choose_strongest
from harness.process.child import Limits
from harness.process.stage import Stage
from harness.simt.errors import DecodeError
from harness.simt.ir.parse import Module, canonicalise

__all__ = ["LIMITS", "decode_foreign", "main"]

LIMITS = Limits(memory_bytes=4 << 30, cpu_seconds=120, file_bytes=1 << 30, open_files=128, processes=16, seconds=300.0)


@dataclass(frozen=True, slots=True)
class ForeignText:
    """A module that somebody wrote."""

    text: str
    limits: Limits


@dataclass(frozen=True, slots=True)
class Validated:
    """The module in LLVM's own form, or why LLVM does not accept it."""

    text: str
    error: str = ""


STAGE = Stage(__name__, ForeignText, Validated, most_bytes=256 << 20)


def decode_foreign(text: str, shut: Sandbox | None = None) -> Module:
    """Validates and decodes the LLVM IR of a stranger.

    Args:
        text: The module.
        shut: What it is read in; the strongest box that works here unless told.

    Raises:
        UsageError: LLVM ended on it, or it takes more than the limits.
        DecodeError: LLVM does not accept it.
        EnvironmentFault: There is no room for it.
    """
    done = STAGE.ask(ForeignText(text, LIMITS), shut or choose_strongest())
    if done.limit:
        raise UsageError(f"LLVM takes more than the limit to read it ({done.limit.replace('_', ' ')}).")
    if done.result is None:
        if "No space left" in done.noise:
            raise EnvironmentFault("there is no room to read it: free some, or set TMPDIR.")
        raise UsageError(f"it is malformed: LLVM {done.process_exit} while it read it.")
    if done.result.error:
        raise DecodeError(done.result.error)
    return Module(done.result.text)


def main() -> None:
    """Reads the order, in the child."""
    STAGE.serve(_validated)


def _validated(order: ForeignText, _: Path) -> Validated:
    try:
        return Validated(canonicalise(order.text.encode("utf-8", "replace").decode()))
    except DecodeError as error:
        return Validated("", str(error))
