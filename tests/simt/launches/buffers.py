"""AMD's accesses through a descriptor: what lies out of its bounds reads 0 and is not written."""

from __future__ import annotations

import re
from itertools import product

import numpy as np

from tests.simt.launches.row import Row

__all__ = ["BUFFERS", "WRONG_BUFFERS"]

DESCRIPTOR = """
  %{0}base = ptrtoint ptr %{0} to i64
  %{0}low = trunc i64 %{0}base to i32
  %{0}up = lshr i64 %{0}base, 32
  %{0}high = trunc i64 %{0}up to i32
  %{0}d0 = insertelement <4 x i32> <i32 0, i32 0, i32 {1}, i32 0>, i32 %{0}low, i64 0
  %{0}d = insertelement <4 x i32> %{0}d0, i32 %{0}high, i64 1"""


def code(ty: str, step: int, held: tuple[int, int] = (256, 256), more: int = 0, to: str = "%at") -> str:
    """Return lines by which each lane copies an element; the next lane's lies so many bytes after it."""
    name = re.sub(r"<(\d) x (\w+)>", r"v\1\2", ty.replace("float", "f32").replace("half", "f16"))
    return f"""{DESCRIPTOR.format("a", held[0])}{DESCRIPTOR.format("o", held[1])}
  %at = mul i32 %t, {step}
  %v = call {ty} @llvm.amdgcn.raw.buffer.load.{name}(<4 x i32> %ad, i32 %at, i32 {more}, i32 0)
  call void @llvm.amdgcn.raw.buffer.store.{name}({ty} %v, <4 x i32> %od, i32 {to}, i32 {more}, i32 0)"""


HOW = {"target": "amd:gfx942", "initialised": True}
ALLOWED = {
    "words": code("i32", 4),
    "floats": code("float", 4),
    "16 bits": code("i16", 4),
    "four words": code("<4 x i32>", 16),
    "fewer are read": code("i32", 4, held=(100, 256)),
    "fewer are written": code("i32", 4, held=(256, 102)),
    "fewer of four": code("<4 x i32>", 16, held=(240, 64)),
    "behind an offset": code("i32", 4, held=(128, 96), more=64),
    "behind a word": code("i32", 4, more=4),
    "every other word": code("i32", 8),
}
FOUND = {
    "more than the buffer has": (code("i32", 8, held=(1024, 256)), "out-of-bounds"),
    "an offset beyond the buffer": (code("i32", 4, held=(260, 260), more=4), "out-of-bounds"),
    "all to one place": (code("i32", 4, to="0"), "race"),
    "half of a word's step": (code("<4 x i32>", 18), "misaligned"),
}
GIVEN = np.arange(1, 65, dtype=np.int32)
# Of four words that a lane reads or writes those that lie in the bounds are; what is read beyond them is 0.
CUT = {"written": (256, 52, 13), "read": (52, 256, 13), "a part of a word": (55, 256, 13), "both": (56, 40, 10)}


def _cut(ty: str, what: str) -> Row:
    read, written, copied = CUT[what]
    left = GIVEN.copy()
    left[copied:] = 0 if written > read else -1
    body = code(ty, 16, held=(read, written))
    return Row(f"descriptor: {ty}, {what}", body, HOW | {"values": GIVEN}, 0, scalar=False, expected=left)


# The offset of the scalar register counts against the bounds: it lies behind the last word that the descriptor holds.
OFFSET = [-1] * 16 + list(range(17, 33)) + [0] * 32
BUFFERS = (
    *(Row(f"descriptor: {name}", body, HOW, scalar=False) for name, body in ALLOWED.items()),
    *(_cut(ty, what) for ty, what in product(("<4 x i32>", "<4 x float>", "<8 x half>", "<2 x i64>"), CUT)),
    Row(
        "descriptor: an offset counts",
        code("i32", 4, held=(128, 256), more=64),
        HOW | {"values": GIVEN},
        scalar=False,
        expected=OFFSET,
    ),
)
WRONG_BUFFERS = tuple(Row(f"descriptor: {name}", body, HOW, 0, kind) for name, (body, kind) in FOUND.items())
