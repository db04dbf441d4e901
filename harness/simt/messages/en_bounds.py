"""English messages about accesses out of bounds, indices outside of a shape, null pointers; freed memory: `en`."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["BOUNDS"]

_OUTSIDE = "Invalid __{space}__ {access} of size {size} bytes"
_GUARD = "compare the index with the length before the access"

BOUNDS: dict[str, Message] = {
    "out-of-bounds.before": Message(
        _OUTSIDE,
        "invalid {space} {access} of {size} bytes, {distance:byte} before {argument} of {allocation} bytes",
        _GUARD,
    ),
    "out-of-bounds.across": Message(
        _OUTSIDE,
        "invalid {space} {access} of {size} bytes, across the end of {argument} of {allocation} bytes",
        _GUARD,
    ),
    "out-of-bounds.after": Message(
        _OUTSIDE,
        "invalid {space} {access} of {size} bytes, {gap} the end of {argument} of {allocation} bytes",
        _GUARD,
    ),
    **dict.fromkeys(
        ("out-of-bounds.before.element", "out-of-bounds.after.element"),
        Message(
            "Index outside of the array",
            "invalid {space} {access} of {argument}{element}: {argument} has the shape {shape}",
            "{fix}",
        ),
    ),
    "out-of-bounds.across.element": Message(
        "Index outside of the array",
        "invalid {space} {access} of {size} bytes from {argument}{element} on: {argument} has the shape {shape}",
        "{fix}",
    ),
    "out-of-shape.index": Message(
        "Index outside of the shape",
        "{argument}{element} is outside the shape {shape} of {argument}: it addresses another element",
        "give the indices in the order of the shape, and keep each below its own length",
    ),
    "out-of-shape.rank": Message(
        "Index outside of the shape",
        "{argument}{element} has {given:index/indices}, but {argument} has the shape {shape}",
        "give an index for each dimension",
    ),
    "out-of-shape.asserted": Message(
        "Index outside of the shape",
        "an index into {argument} is outside of its shape",
        "keep each index below the length of its dimension",
    ),
    "out-of-bounds.empty": Message(
        _OUTSIDE,
        "invalid {space} {access} of {size} bytes in {argument}, which has 0 elements",
        "{room}",
    ),
    "out-of-bounds.not-given": Message(
        _OUTSIDE,
        "invalid {space} {access} of {size} bytes in {argument}: dynamic shared memory that the launch did not ask for",
        "give the launch `shared_mem_bytes=`: dynamic shared memory is as large as that says",
    ),
    "out-of-bounds.pointer.null": Message(
        "Invalid {access} of size {size} bytes",
        "invalid {access} of {size} bytes through a null pointer ({address:#x})",
        "pass an array, or skip the access if the pointer is null",
    ),
    "out-of-bounds.pointer.nowhere": Message(
        "Invalid {access} of size {size} bytes",
        "invalid {access} of {size} bytes through no allocation ({address:#x})",
        "compute the address from an argument or an array of the kernel",
    ),
}
