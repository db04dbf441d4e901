"""Local variables, assumptions, blocks that race, and why a launch is interpreted."""

from __future__ import annotations

from tests.simt.engines import OUT, VALUE
from tests.simt.launches.row import ANY, NOTHING, Row

__all__ = ["COMPILED", "INTERPRETED"]

LOCAL = f"""{VALUE}
  %l = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %l)
  store i32 %v, ptr %l
  BETWEEN
  %w = load i32, ptr %l{OUT}"""
BORN_AGAIN = "call void @llvm.lifetime.start.p0(i64 4, ptr %l)"
ADDED = f"{VALUE}\n  %w = add i32 %v, 1{OUT}"
ASSUMED = f"{VALUE}\n  %c = icmp slt i32 %v, {{}}\n  call void @llvm.assume(i1 %c)\n  %w = add i32 %v, 1{OUT}"
MET = f"""{VALUE}
  %w = add i32 %v, 1
  %h = and i64 %i, 15
  %q = getelementptr i32, ptr %o, i64 %h
  store i32 %w, ptr %q"""
# Nobody bounds the number; LLVM would make a store of the element alone of it, and end the process.
REPLACED = f"""{VALUE}
  %l = alloca [2 x i32], align 8
  store i64 0, ptr %l
  %q0 = getelementptr i32, ptr %o, i64 %i
  %u = atomicrmw min ptr %q0, i32 %v monotonic
  %m = add i32 %v, %u
  %x = load <2 x i32>, ptr %l, align 4
  %n = urem i32 %m, 2
  %y = insertelement <2 x i32> %x, i32 %v, i32 %n
  store <2 x i32> %y, ptr %l, align 4"""
WHY = {
    "a seed": ({"seed": 1}, "a seed, which fixes the order of the threads"),
    "a limit": ({"max_steps": 1000}, "a limit on the number of steps"),
}
NO_FORM = {
    "%f = atomicrmw fmax ptr %o, float 1.0 monotonic\n  %w = fptosi float %f to i32": "atomicrmw of float",
    "%k = freeze i32 undef\n  %w = add i32 %k, %v": "an undefined value in the code",
}
WRITTEN = {"initialised": True}
COMPILED = (
    Row("a local variable", LOCAL.replace("BETWEEN", "fence acq_rel"), scalar=False),
    Row("an assumption that holds", ASSUMED.format(100), scalar=False),
    Row("an element of a local vector is replaced", REPLACED, WRITTEN),
)
INTERPRETED = (
    Row(
        "a local variable whose life begins again",
        LOCAL.replace("BETWEEN", BORN_AGAIN),
        NOTHING,
        0,
        frozenset({"uninitialised"}),
    ),
    Row("an assumption that does not hold", ASSUMED.format(10), NOTHING, 0, None),
    Row("one wrong block", ADDED, {"grid": 5, "block": 16}, 4, frozenset({"out-of-bounds"})),
    Row("blocks that meet race", MET, WRITTEN | {"grid": 4, "block": 16}, 0, frozenset({"race"})),
    *(Row(f"interpreted by {name}", ADDED, how, 0, reason=why) for name, (how, why) in WHY.items()),
    *(
        Row(f"interpreted: {why}", f"{VALUE}\n  {lines}{OUT}", WRITTEN, 0, ANY, scalar=None, reason=why)
        for lines, why in NO_FORM.items()
    ),
)
