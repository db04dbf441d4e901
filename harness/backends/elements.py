"""Add the element's index, the array's shape and a suggested fix to a finding of an access out of bounds."""

from __future__ import annotations

from dataclasses import replace

from harness.model.case import Instance
from harness.simt.findings import Finding

__all__ = ["add_element_index"]

_OUTSIDE = ("out-of-bounds.before", "out-of-bounds.after", "out-of-bounds.across")


def add_element_index(finding: Finding, instance: Instance) -> Finding:
    """Add `element` (the index, `[16]`), `shape` (`(16,)`) and `fix` (always `outside`) to the values of a copy of a
    finding of an access out of bounds, and return the copy. Only the first axis' index can be outside of the shape.

    Returned unchanged are other findings, accesses that do not begin at an element's first byte, and those of memory
    that is neither a tensor of the case nor shared. Shared memory counts as one-dimensional.
    """
    size, values = finding.size, finding.values
    if finding.id not in _OUTSIDE or not size or finding.offset is None:
        return finding
    tensor = next((each for each in instance.tensors if each.name == finding.argument), None)
    shape = None
    if tensor is not None and size % tensor.dtype.itemsize == 0:  # of a vector the first element is named
        shape, size = tensor.indexed_shape, tensor.dtype.itemsize
    if shape is None and values["space"] == "shared" and values["allocation"] % size == 0:
        shape = (values["allocation"] // size,)
    place = finding.offset
    if not shape or not all(shape) or place % size:
        return finding
    index: tuple[int, ...] = ()
    rest = place // size
    for length in reversed(shape[1:]):
        rest, coordinate = divmod(rest, length)
        index = (coordinate, *index)
    shape_text = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
    element = {"element": f"[{', '.join(map(str, (rest, *index)))}]", "shape": f"({shape_text})", "fix": "outside"}
    return replace(finding, values={**values, **element})
