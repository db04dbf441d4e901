"""Check whether a launch's buffers fit into this machine's memory before any is allocated."""

from __future__ import annotations

from harness.backends.base import Failure, Request
from harness.model.verdict import Verdict
from harness.process.free_memory import find_free_bytes

__all__ = ["find_memory_failure"]


def find_memory_failure(request: Request, copies: int, free: int | None = None) -> Failure | None:
    """Return why a launch is not even tried, a LAUNCH_ERROR; None if it fits, its buffers take less than 256 MiB
    without copies, or nobody knows what is free.

    Args:
        request: What is asked for.
        copies: How many bytes the launch takes here for each byte of its buffers.
        free: The memory that is left, in bytes; measured unless told.
    """
    buffer_bytes = sum(tensor.elements * tensor.dtype.itemsize for tensor in request.instance.tensors)
    if buffer_bytes < 1 << 28:  # never the reason, and the accounts take longer to read than a launch
        return None
    free_bytes = find_free_bytes() if free is None else free
    if free_bytes is None or buffer_bytes * copies <= free_bytes:
        return None
    return Failure(
        Verdict.LAUNCH_ERROR,
        f"{request.case.kernel_names} needs {_format_size(buffer_bytes * copies)} of memory "
        f"({copies} × {_format_size(buffer_bytes)} of buffers), but {_format_size(free_bytes)} is free",
    )


def _format_size(count: int) -> str:
    for exponent, unit in ((40, "TiB"), (30, "GiB")):
        if count >= 1 << exponent:
            return f"{count / (1 << exponent):.1f} {unit}"
    return f"{count / (1 << 20):.0f} MiB"
