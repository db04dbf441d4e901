"""Replace function names in a debug build's IR: a layout's by the array's shape, any other by an empty name."""

from __future__ import annotations

import re

__all__ = ["NO_NAME", "shape_metadata"]

# Of the function that makes a place of an index: the lengths and the strides of the layout, each a type.
_SHAPE = re.compile(r"module tile_layout::struct Layout\[.*::fn __call__.*\)<`(\[\[.*?\]\])`,`\[\[.*?\]\]`")
_LENGTH = re.compile(r"ComptimeInt,val=(-?\d+)|SIMD,dtype=\w+,length=1|RuntimeInt")
NO_NAME = '!{!"mojo_source_name", !""}'  # for LLVM's own back end, which asserts that there is one


def shape_metadata(name: re.Match[str]) -> str:
    """Return the whole metadata node that replaces one with a function's name; for use with `re.sub`.

    For a layout's `__call__`, the node's text is the layout's shape, such as `shape 4,?` if the second length is known
    only at run time. For any other function the node is `NO_NAME`, whose text is empty.

    Args:
        name: The match of the whole node.
    """
    layout = _SHAPE.search(name[0])
    lengths = [match[1] or "?" for match in _LENGTH.finditer(layout[1])] if layout else []
    return f'!{{!"mojo_source_name", !"shape {",".join(lengths)}"}}' if lengths else NO_NAME
