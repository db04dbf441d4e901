"""Bytes that are copied and filled as a whole: each of them is checked."""

from __future__ import annotations

import numpy as np

from harness import simt
from tests.simt.engines import BARRIER, FROM_TILE, OUT, VALUE
from tests.simt.launches.row import ANY, NOTHING, Row
from tests.simt.snippets import kernel

__all__ = ["MOVED", "WRONG_MOVED"]

PLACES = {
    "local": ("p0", "ptr %l"),
    "long": ("p0", "ptr %long"),
    "shared": ("p3", "ptr addrspace(3) %s"),
    "global": ("p0", "ptr %q"),
    "given": ("p0", "ptr %p"),
}
ADDRESSES = """
  %p = getelementptr i8, ptr %a, i64 {at}
  %q = getelementptr i8, ptr %o, i64 {at}
  %s = getelementptr i8, ptr addrspace(3) @tile, i64 {at}
  %l = alloca [32 x i8], align 16
  %long = alloca [600 x i8]"""


def moved(to: str, of: str, size: int, aligns: tuple[str, str] = ("", "")) -> str:
    """Return the call that copies so many bytes."""
    (space, target), (other, source) = PLACES[to], PLACES[of]
    target, source = (
        f" align {align} %".join(text.split(" %")) if align else text
        for text, align in zip((target, source), aligns, strict=True)
    )
    return f"call void @llvm.memcpy.{space}.{other}.i64({target}, {source}, i64 {size}, i1 false)"


def filled(to: str, size: int, octet: str = "7") -> str:
    """Return the call that fills so many bytes."""
    space, target = PLACES[to]
    return f"call void @llvm.memset.{space}.i64({target}, i8 {octet}, i64 {size}, i1 false)"


def on(lines: list[str], stride: int = 4, before: str = "") -> str:
    """Return lines on the lane's own place; the next lane's lies so many bytes after it."""
    at = "%at"
    return f"\n  %at = mul i64 %i, {stride}{ADDRESSES.format(at=at)}{before}\n  " + "\n  ".join(lines)


FINE = {
    "to global memory": on([moved("global", "given", 4)]),
    "many bytes": (on([moved("global", "given", 20)], stride=20), {"size": 320}),
    "single bytes": on([moved("global", "given", 1), moved("local", "given", 3), moved("global", "local", 3)]),
    "as aligned as is promised": on([moved("global", "given", 4, ("4", "4"))]),
    "through shared memory": on(
        [moved("shared", "given", 4), moved("local", "shared", 4), moved("global", "local", 4)]
    ),
    "a variable in parts": on(
        [filled("local", 9, "%x"), moved("local", "given", 4), moved("global", "local", 4)],
        before="\n  %x = trunc i64 %i to i8",
    ),
    "filled": on([filled("global", 4), filled("shared", 4), moved("global", "shared", 2)]),
    "more than are looked at one by one": (
        on([moved("long", "given", 600), moved("global", "long", 3)]),
        {"size": 220},
    ),
}
WITHIN = """%l2 = getelementptr i8, ptr %l, i64 2
  call void @llvm.memmove.p0.p0.i64(ptr %l2, ptr %l, i64 6, i1 false)
  %l6 = getelementptr i8, ptr %l, i64 6
  %u = load i16, ptr %l6
  store i16 %u, ptr %q"""
FOUND = {
    "bytes that nobody wrote": (on([moved("global", "shared", 4)]), "uninitialised", {}),
    "some of them": (on([filled("shared", 2), moved("global", "shared", 4)]), "uninitialised", {}),
    "of a variable": (on([moved("local", "given", 3), moved("global", "local", 4)]), "", {}),
    "of a variable that is moved within itself": (on([filled("local", 4), WITHIN]), "uninitialised", {}),
    "parts that overlap": (
        on([filled("local", 8), WITHIN.replace("memmove", "memcpy")]),
        "memcpy-overlaps",
        {"observers": tuple},
    ),
    "behind the end": (on([moved("global", "given", 8)]), "out-of-bounds", {}),
    "filled behind the end": (on([filled("global", 8)]), "out-of-bounds", {}),
    "bytes of others": (on([filled("global", 5)], stride=4), "out-of-bounds", {}),
    "bytes of others, before the end": (on([filled("global", 5)], stride=4), "several-writers", {"size": 65}),
    "read beside the writer": (on([moved("global", "given", 4), moved("local", "global", 5)]), "race", {"size": 65}),
    "less aligned than is promised": (on([moved("global", "given", 4, ("8", "4"))]), "misaligned", {}),
    "where nobody may write": (on([filled("given", 4)]), "write-to-constant", {}),
}
# An undefined number from 0 to 3, of a local variable or of the code: it is added to an address, or is a length.
UNDEFINED = {"of a variable": "%u = alloca i32\n  %c = load i32, ptr %u", "of the code": "%c = add i32 undef, 0"}
SHIFTED = "%k = and i32 %c, 3\n  %d = getelementptr i8, ptr {}, i32 %k\n  "
LENGTH = "i64 1", "i32 %k"
BY_UNDEFINED = {
    "copied to": SHIFTED.format("%q") + moved("global", "given", 1).replace("%q", "%d"),
    "copied from": SHIFTED.format("%p") + moved("local", "given", 1).replace("%p", "%d"),
    "filled": SHIFTED.format("%q") + filled("global", 1).replace("%q", "%d"),
    "as many copied": SHIFTED.format("%q") + moved("local", "given", 1).replace(*LENGTH).replace(".i64", ".i32"),
    "as many filled": SHIFTED.format("%q") + filled("local", 1).replace(*LENGTH).replace(".i64", ".i32"),
}
BY_OTHERS = f"\n  %at = mul i64 %i, 4{ADDRESSES.format(at='%at').replace('%s', '%here').replace('%q', '%there')}"
BY_OTHERS += f"\n  {moved('shared', 'given', 4).replace('%s', '%here')}\n  {BARRIER}{FROM_TILE}{OUT}"
# The second block's threads all find one number in shared memory, and write one place of it.
FOLLOWS = f"""{VALUE}
  %t64 = zext i32 %t to i64
  %s = getelementptr [64 x i32], ptr addrspace(3) @other, i64 0, i64 %t64
  store i32 %v, ptr addrspace(3) %s
  %l = alloca i32
  call void @llvm.memcpy.p0.p3.i64(ptr align 4 %l, ptr addrspace(3) align 4 %s, i64 4, i1 false)
  %x = load i32, ptr %l
  %u = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i32 %x
  store i32 %v, ptr addrspace(3) %u
  %w = add i32 %v, 1{OUT}"""
NUMBERS = np.where(np.arange(64) < 32, np.arange(64), 5).astype(np.int32)
CONSTANT = "@c = internal addrspace(5) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]\n"
TO_CONSTANT = {
    "filled": "call void @llvm.memset.p5.i64(ptr addrspace(5) @c, i8 1, i64 16, i1 false)",
    "copied to": "call void @llvm.memcpy.p5.p0.i64(ptr addrspace(5) @c, ptr %a, i64 16, i1 false)",
}


def _to_constant(call: str) -> simt.Module:
    text = kernel(f"  {call}\n  %w = load i32, ptr addrspace(5) @c{OUT}", "ptr %a, ptr %o", CONSTANT)
    return simt.decode(text)


WRITTEN = {"initialised": True}
MOVED = (
    *(
        Row(f"moved: {name}", each[0], WRITTEN | each[1], scalar=None)
        if isinstance(each, tuple)
        else Row(f"moved: {name}", each, WRITTEN, scalar=None)
        for name, each in FINE.items()
    ),
    Row("moved: others read it after a barrier", BY_OTHERS, scalar=None),
)
WRONG_MOVED = (
    *(Row(f"moved: {name}", body, WRITTEN | how, 0, kind or ANY) for name, (body, kind, how) in FOUND.items()),
    Row("moved: others read it without a barrier", BY_OTHERS.replace(BARRIER, ""), NOTHING, 0, "race"),
    Row(
        "moved: a place follows from it",
        FOLLOWS,
        WRITTEN | {"grid": 2, "block": 32, "values": NUMBERS},
        1,
        "several-writers",
    ),
    *(
        Row(f"moved: {name} by an undefined number {of}", on([number, call]), WRITTEN, 0, "uninitialised.address")
        for of, number in UNDEFINED.items()
        for name, call in BY_UNDEFINED.items()
    ),
    *(
        Row(f"moved: a constant is {name}", _to_constant(call), NOTHING, 0, "write-to-constant")
        for name, call in TO_CONSTANT.items()
    ),
)
