"""Read LLVM IR from an untrusted source in a child process, because LLVM aborts its process on some malformed texts.

The child lets LLVM validate the text and print it in canonical form; this process reads only that form, with a reader
of its own.
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
    """An untrusted module, and the limits for reading it."""

    text: str
    limits: Limits


@dataclass(frozen=True, slots=True)
class ValidatedText:
    """The module in LLVM's canonical form, or the reason why LLVM refuses it."""

    text: str
    error: str = ""


STAGE = Stage(__name__, ForeignText, ValidatedText, most_bytes=256 << 20)


def decode_foreign(text: str, sandbox: Sandbox | None = None) -> Module:
    """Validate LLVM IR from an untrusted source in a sandboxed child, and decode its canonical form in this process.

    Args:
        text: The module.
        sandbox: The sandbox; the strongest available one if None.

    Raises:
        UsageError: LLVM crashed on it, or exceeded a limit of `LIMITS`.
        DecodeError: LLVM refuses it.
        EnvironmentFault: The disk is full.
    """
    answer = STAGE.ask(ForeignText(text, LIMITS), sandbox or choose_strongest())
    if answer.limit:
        raise UsageError(f"LLVM takes more than the limit to read it ({answer.limit.replace('_', ' ')}).")
    if answer.result is None:
        if "No space left" in answer.noise:
            raise EnvironmentFault("there is no room to read it: free some, or set TMPDIR.")
        raise UsageError(f"it is malformed: LLVM {answer.process_exit} while it read it.")
    if answer.result.error:
        raise DecodeError(answer.result.error)
    return Module(answer.result.text)


def main() -> None:
    """Serve one request, in the child."""
    STAGE.serve(_validate)


def _validate(order: ForeignText, _: Path) -> ValidatedText:
    try:
        return ValidatedText(canonicalise(order.text.encode("utf-8", "replace").decode()))
    except DecodeError as error:
        return ValidatedText("", str(error))
