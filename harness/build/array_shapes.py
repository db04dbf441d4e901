"""The shapes of arrays, out of the names that a debug build gives to functions of their layouts."""

from __future__ import annotations

import re

__all__ = ["NO_NAME", "shaped"]

# Of the function that makes a place of an index: the lengths and the strides of the layout, each a type.
_SHAPE = re.compile(r"module tile_layout::struct Layout\[.*::fn __call__.*\)<`(\[\[.*?\]\])`,`\[\[.*?\]\]`")
_LENGTH = re.compile(r"ComptimeInt,val=(-?\d+)|SIMD,dtype=\w+,length=1|RuntimeInt")
NO_NAME = '!{!"mojo_source_name", !""}'  # for LLVM's own back end, which asserts that there is one


def shaped(name: re.Match[str]) -> str:
    """What is left of a function's name in a debug build: of an array's layout the shape, `?` where unknown."""
    found = _SHAPE.search(name[0])
    lengths = [match[1] or "?" for match in _LENGTH.finditer(found[1])] if found else []
    return f'!{{!"mojo_source_name", !"shape {",".join(lengths)}"}}' if lengths else NO_NAME
