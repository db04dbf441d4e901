"""LLVM IR that somebody else wrote, read in a child: LLVM ends its whole process on some malformed texts.

The child (`python -m harness.build.foreign_ir ORDER ANSWER`) has LLVM validate the text and print it in its canonical
form; what this process reads is that form, with a reader of its own.
"""

from __future__ import annotations

import json
import sys

from harness.errors import EnvironmentFault, UsageError
from harness.process.box import Box, order_and_answer, strongest
from harness.process.child import Limits
from harness.simt.errors import DecodeError
from harness.simt.ir.parse import Module, canonical

__all__ = ["LIMITS", "decode_foreign", "main"]

LIMITS = Limits(memory_bytes=4 << 30, cpu_seconds=120, file_bytes=1 << 30, open_files=128, processes=16, seconds=300.0)


def decode_foreign(text: str, shut: Box | None = None) -> Module:
    """Validates and decodes the LLVM IR of a stranger.

    Args:
        text: The module.
        shut: What it is read in; the strongest box that works here unless told.

    Raises:
        UsageError: LLVM ended on it, or it takes more than the limits.
        DecodeError: LLVM does not accept it.
        EnvironmentFault: There is no room for it.
    """
    order = text.encode("utf-8", "replace")
    answer = (shut or strongest()).ask(__spec__.name, order, limits=LIMITS)
    try:
        said = json.loads(answer.data or b"")
        printed, error = said["text"], said["error"]
    except (ValueError, KeyError, TypeError, RecursionError):
        printed, error = None, None
    if answer.ended.limit:
        raise UsageError(f"LLVM takes more than the limit to read it ({answer.ended.limit.replace('_', ' ')}).")
    if isinstance(error, str):
        raise DecodeError(error)
    if isinstance(printed, str):
        return Module(printed)
    if "No space left" in answer.noise:
        raise EnvironmentFault("there is no room to read it: free some, or set TMPDIR.")
    raise UsageError(f"it is malformed: LLVM {answer.ended} while it read it.")


def main() -> None:
    """Reads the order, in the child."""
    data, out = order_and_answer(sys.argv)
    try:
        answer = {"text": canonical(data.decode("utf-8", "replace")), "error": None}
    except DecodeError as error:
        answer = {"text": None, "error": str(error)}
    out.write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    main()
