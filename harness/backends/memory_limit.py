"""Whether a launch's buffers fit into this machine's memory, known before any is taken.

Taking more than there is does not fail: the operating system kills a process
later, and not always the one that asked.
"""

from __future__ import annotations

from harness.backends.base import Failure, Request
from harness.model.verdict import Verdict
from harness.process.free_memory import find_free_bytes

__all__ = ["too_large"]


def too_large(request: Request, copies: int, free: int | None = None) -> Failure | None:
    """Why a launch is not even tried, or None when its buffers fit.

    Args:
        request: What is asked for.
        copies: How many bytes the launch takes here for each byte of its buffers.
        free: The memory that is left, in bytes; measured unless told.
    """
    wanted = sum(tensor.elements * tensor.dtype.itemsize for tensor in request.instance.tensors)
    if wanted < 1 << 28:  # never the reason, and the accounts take longer to read than a launch
        return None
    left = find_free_bytes() if free is None else free
    if left is None or wanted * copies <= left:
        return None
    return Failure(
        Verdict.LAUNCH_ERROR,
        f"{request.case.kernel_names} needs {_size(wanted * copies)} of memory "
        f"({copies} × {_size(wanted)} of buffers), but {_size(left)} is free",
    )


def _size(count: int) -> str:
    for exponent, unit in ((40, "TiB"), (30, "GiB")):
        if count >= 1 << exponent:
            return f"{count / (1 << exponent):.1f} {unit}"
    return f"{count / (1 << 20):.0f} MiB"
