"""Values that LLVM, a host's instructions and NumPy make otherwise, or that the compiled engine has no form for."""

from __future__ import annotations

from itertools import product

import numpy as np

from harness import simt
from tests.simt.engines import OUT, VALUE
from tests.simt.launches.row import ANY, NOTHING, Row, whole
from tests.simt.snippets import kernel

__all__ = ["LEFT_VALUES", "VALUES"]

FLOAT = f"{VALUE}\n  %x = bitcast i32 %v to float"
QUIET, INFINITE, LESS = 0x7FC12345, 0x7F800000, -4194304  # the last is a NaN with a sign
APPLE = {"target": "apple:apple-m4"}


def _all(value: int) -> dict[str, np.ndarray]:
    return {"values": np.full(64, value, np.int32)}


# NaNs that are computed: LLVM leaves their sign and payload open.
NANS = {
    "times -1": ("%n = fmul float %x, -1.0", LESS),
    "0 less it": ("%n = fsub float -0.0, %x", LESS),
    "infinity times 0": ("%m = fmul float %x, 0.0\n  %n = fneg float %m", INFINITE),
    "0 by 0": ("%n = fdiv float 0.0, 0.0", 0),
    "fma": ("%n = call float @llvm.fma.f32(float 0x7FF0000000000000, float 0.0, float %x)", QUIET),
}
SEEN = {
    "its bits": "%b = bitcast float %n to i32\n  %w = xor i32 %b, 1",
    "its sign": "%s = call float @llvm.copysign.f32(float 1.0, float %n)\n  %w = fptosi float %s to i32",
}
# The sign of a NaN does not hide an access out of bounds.
BY_SIGN = f"""{FLOAT}
  %n = fmul float %x, -1.0
  %b = bitcast float %n to i32
  %neg = lshr i32 %b, 31
  %k = mul i32 %neg, 100
  %g = getelementptr i32, ptr %a, i32 %k
  %w = load i32, ptr %g{OUT}"""
# Nor does it choose an element, of a vector that is stored as it is.
BY_INDEX = f"""{FLOAT}
  %n = fmul float %x, -1.0
  %b = bitcast float %n to i32
  %k = trunc i32 %b to i8
  %two = insertelement <2 x i16> zeroinitializer, i16 1, i8 %k
  %w = bitcast <2 x i16> %two to i32{OUT}"""
PROMISED = f"""{FLOAT}
  %d = call {{}} float @air.convert.f.f32.f.f32(float %x)
  %w = bitcast float %d to i32{OUT}"""
# A host calls a function to make a half of an integer of 128 bits.
WIDE = """%four = insertelement <4 x i32> zeroinitializer, i32 %v, i32 0
  %d = bitcast <4 x i32> %four to i128
  %h = {} i128 %d to half
  %b = bitcast half %h to i16
  %w = zext i16 %b to i32"""
# A bit as an index has a sign, as every index: `true` is one element before.
BIT = "%c = icmp ugt i32 %t, 31\n  %g = getelementptr i32, ptr %p, i1 %c\n  %w = load i32, ptr %g"
BEFORE = "%g = getelementptr i32, ptr %p, i1 true\n  %w = load i32, ptr %g"
CASES = f"""
  %c = trunc i32 %t to i1
  switch i1 %c, label %d [ i1 true, label %e ]
d:
  br label %f
e:
  br label %f
f:
  %w = phi i32 [ 1, %d ], [ 2, %e ]{OUT}"""
# Whatever accesses to a local variable are called, no order of the threads decides about them.
OWN = "%l = alloca i32\n  store i32 %v, ptr %l\n  %w = load {}"
OWN_ACCESSES = ("volatile i32, ptr %l", "atomic i32, ptr %l monotonic, align 4")
HOLE = "%x = insertelement <2 x i32> undef, i32 %v, i32 0\n  %e = extractelement <2 x i32> %x, i32 1\n  "
BY_OTHERS = {
    "dpp": ("amd:gfx942", "update.dpp.i32(i32 0, i32 %e, i32 177, i32 15, i32 15, i1 false)"),
    "address": ("amd:gfx1100", "ds.bpermute(i32 4, i32 %e)"),
    "number": ("amd:gfx942", "readlane(i32 %e, i32 3)"),
    "shuffle": ("nvidia:sm_90", "shfl.sync.idx.i32(i32 -1, i32 %e, i32 3, i32 31)"),
}
# A truth is 0 or 1, and any number but 0 is true.
TRUTHS = {
    "f.f32.s.i1(i1 %c)": "%w = bitcast float %x to i32",
    "s.i32.s.i1(i1 %c)": "%w = add i32 %x, 0",
    "s.i8.u.i1(i1 %c)": "%w = zext i8 %x to i32",
    "u.i1.s.i32(i32 %v)": "%w = zext i1 %x to i32",
}
WIDE_NUMBER = "%w = call i32 @air.simd_shuffle.i32(i32 %v, i64 3)"
CONSTANT = "@c = internal addrspace(4) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]\n"
BY_SELECT = """
  %l = alloca i32
  %k = alloca i32
  store i32 1, ptr %l
  store i32 2, ptr %k
  %c = icmp eq i32 %t, 4
  %p = select i1 %c, ptr %l, ptr %k"""
ALONE_THERE = {
    "volatile, of what is only read": "\n  %p = getelementptr i32, ptr %a, i64 %i\n  %w = load volatile i32, ptr %p",
    "atomic": "\n  %p = getelementptr i32, ptr %a, i64 %i\n  %w = load atomic i32, ptr %p monotonic, align 4",
    "of a constant": "\n  %w = load volatile i32, ptr addrspace(4) @c",
    "of a thread's own": f"{BY_SELECT}\n  %w = load volatile i32, ptr %p",
}
MET = "\n  %q = getelementptr i32, ptr %o, i64 %i\n  store volatile i32 1, ptr %q"


def _truth(call: str, to: str) -> str:
    kind = {"f32": "float"}.get(call.split(".")[1], call.split(".")[1])
    return whole(f"%c = trunc i32 %v to i1\n  %x = call {kind} @air.convert.{call}\n  {to}")


def _taken(target: str, call: str) -> Row:
    """Return a row in which a lane takes what is undefined by the code."""
    word = "nvvm" if target.startswith("nvidia") else "amdgcn"
    body = whole(f"{HOLE}%w = call i32 @llvm.{word}.{call}")
    return Row(f"taken: {call}", body, {"target": target}, 0, ("uninitialised.output",))


VALUES = (
    Row("value: a bit as an index", whole(BIT)),
    Row("value: a bit takes the case true", CASES, expected=[1, 2] * 32),
    *(Row(f"value: own, {how}", whole(OWN.format(how)), ordered=True) for how in OWN_ACCESSES),
    *(Row(f"value: truth {call}", _truth(call, to), APPLE, scalar=False) for call, to in TRUTHS.items()),
    *(
        Row(f"value: alone there, {name}", simt.decode(kernel(lines + OUT, "ptr %a, ptr %o", CONSTANT)), ordered=True)
        for name, lines in ALONE_THERE.items()
    ),
    Row("value: others may meet there", MET, ordered=False),
)
LEFT_VALUES = (
    *(
        Row(f"NaN: {name}, {seen}", f"{FLOAT}\n  {lines}\n  {SEEN[seen]}{OUT}", _all(value), 0, ANY)
        for (name, (lines, value)), seen in product(NANS.items(), SEEN)
    ),
    Row("NaN: the sign decides where", BY_SIGN, _all(LESS), 0, ("out-of-bounds",)),
    Row("NaN: its bits choose an element", BY_INDEX, _all(0x7FC00001), 0, ANY),
    *(
        Row(f"NaN: ruled out by {flag}", PROMISED.format(flag), _all(QUIET) | APPLE, 0, ("uninitialised",))
        for flag in ("nnan", "fast")
    ),
    *(
        Row(f"value: {opcode} of 128 bits", whole(WIDE.format(opcode)), NOTHING, 0, ANY)
        for opcode in ("uitofp", "sitofp")
    ),
    Row("value: a lane's number is wide", whole(WIDE_NUMBER), APPLE, 0, scalar=False),
    Row("value: a bit as an index before the buffer", whole(BEFORE), NOTHING, 0, ("out-of-bounds.before",)),
    *(_taken(*how) for how in BY_OTHERS.values()),
)
